// Orders of operations as people write them. docs/schedule.md, Orders.
#ifndef CONTRA_SCHEDULE_ORDER_TEXT_H
#define CONTRA_SCHEDULE_ORDER_TEXT_H

#include "base/diag.h"

typedef struct {
    ARRAY(int64_t);
} OrderList;

// Numbers, one at least, as `4` or `#4`, with blanks, commas and ends of lines between them; what
// follows another `#` is a comment. False: `text`, the content of `name`, is something else; a
// diagnostic says where.
bool order_read(Arena *arena, DiagList *diags, Str name, Str text, OrderList *order);

#endif

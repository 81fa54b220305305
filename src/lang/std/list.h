// What the functions of lists share: std_list.c looks at them and makes them, std_vec.c lets them
// grow and shrink, std_order.c moves their items, std_heap.c keeps them in order.
#ifndef CONTRA_LANG_STD_LIST_H
#define CONTRA_LANG_STD_LIST_H

#include "lang/std/adapt.h"

// The list of an argument; NULL: it is none.
ValueList *list_arg(const StdCall *call, int64_t index);
// The type of the items of `self`; NULL: not known.
Type *list_item_type(const StdCall *call);
// Nothing is given back.
bool list_nothing(Value *result);
// Items from .. to - 1 as a list: the same places.
Value list_slice(Trace *trace, const ValueList *list, int64_t from, int64_t to);
// Where a range begins and ends in something of this length. False: it does not lie inside, and the
// program ended.
bool list_range_ends(Trace *trace, Value range, int64_t length, Span span, int64_t *from,
                     int64_t *to);

enum { END_FIRST, END_LAST };

// Rows of several types have these.
bool list_length(const StdCall *call, Value *result);
bool list_end_item(const StdCall *call, Value *result);
bool list_iterate(const StdCall *call, Value *result);
bool list_new_empty(const StdCall *call, Value *result);
bool list_itself(const StdCall *call, Value *result);
bool list_from_iterable(const StdCall *call, Value *result);
bool list_pop(const StdCall *call, Value *result);
bool list_clear(const StdCall *call, Value *result);
bool list_retain(const StdCall *call, Value *result);

#endif

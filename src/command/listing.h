// Commands as people read them. listing_record.c shows any record in the notation of the manual, by
// its table; listing.c puts the kernel, its arguments and its operations round that.
#ifndef CONTRA_COMMAND_LISTING_H
#define CONTRA_COMMAND_LISTING_H

#include "command/object.h"

typedef struct {
    StrBuf *out;
    bool colour;
    bool verbose; // all fields, and all of long lists
} Listing;

// `facts` of the file it was read from; NULL: of none.
void listing_print(const Listing *listing, const HwObject *object, const ObjectFacts *facts);

// One record: a line that begins with `label`, and lines below it for what does not fit in one.
void listing_record(const Listing *listing, int64_t indent, const char *label, const Record *record,
                    const void *data);

typedef enum { INK_LABEL, INK_HEADING, INK_SOURCE, INK_COUNT } Ink;

// Text in a colour, on a terminal.
void listing_ink(const Listing *listing, Ink ink, Str text);

#endif

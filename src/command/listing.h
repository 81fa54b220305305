// Commands as people read them, in the notation of the manual. listing.c has the kernel, its
// arguments and its operations, DMA commands, and all fields of any record for --verbose;
// listing_pass.c has a function for each engine of a pass.
#ifndef CONTRA_COMMAND_LISTING_H
#define CONTRA_COMMAND_LISTING_H

#include "command/object.h"

typedef struct {
    StrBuf *out;
    bool colour;
    bool verbose;  // all fields, and all of long lists
    bool is_typed; // shown to whoever types commands, where that is a flag
    int64_t width; // characters of a line; 0: LISTING_WIDTH
} Listing;

enum { LISTING_WIDTH = 100 };

// `facts` of the file it was read from; NULL: of none.
void listing_print(const Listing *listing, const HwObject *object, const ObjectFacts *facts);

// All fields of one record: a line that begins with `label`, and lines below it for parts.
void listing_record(const Listing *listing, int64_t indent, const char *label, const Record *record,
                    const void *data);

// One command with its engines, and the report of an operation.
void listing_pass(const Listing *listing, const HwPipeline *pass);
void listing_dma(const Listing *listing, const HwDmaCommand *dma);
void listing_immediate(const Listing *listing, const HwImmediateWrite *write);
void listing_use(const Listing *listing, const HwUse *use);

#endif

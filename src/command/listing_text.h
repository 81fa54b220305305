// Lines of the listing, and the texts they are made of. Shared by the files of the listing.
#ifndef CONTRA_COMMAND_LISTING_TEXT_H
#define CONTRA_COMMAND_LISTING_TEXT_H

#include "command/listing.h"

// ---- lines

enum {
    LISTING_INDENT = 4, // of what stands under an operation
    LISTING_LABEL = 11, // columns of a label and the blanks behind it
    LISTING_MOST = 8,   // items that a list shows
};

typedef enum { INK_NONE, INK_LABEL, INK_HEADING, INK_SOURCE, INK_HINT, INK_COUNT } Ink;

// Text in a colour, on a terminal.
void listing_ink(const Listing *listing, Ink ink, Str text);

// Text that begins in column `column`, which is where the output is; lines that are full are broken
// after a comma or at a blank, and go on in column `hanging`.
void listing_wrap(const Listing *listing, int64_t column, int64_t hanging, Ink ink, Str text);

// A line under an operation: a label ("" for what goes on under the text of the line before) and
// text.
void listing_line(const Listing *listing, const char *label, Str text);
// The same, with another indent of what follows where it is broken.
void listing_hang(const Listing *listing, const char *label, int64_t hanging, Str text);
void(listing_linef)(const Listing *listing, const char *label, Message message);
#define listing_linef(listing, label, ...) listing_linef(listing, label, MESSAGE(__VA_ARGS__))

// How whoever reads it asks for all of it.
const char *listing_verbose(const Listing *listing);

// ---- texts

// Adds a clause: behind a comma, where it is not the first.
void(say)(StrBuf *text, Message message);
#define say(text, ...) say(text, MESSAGE(__VA_ARGS__))

// "s" where there are several, or none.
const char *plural(int64_t count);

// "0x1000", "-0x10"
Str address_text(Arena *arena, int64_t address);

// Terms with a comma stand in parentheses: "(A, B)".
Str term_text(Arena *arena, Str term);

// "[A = 4 : 64, K = 64 : 1] : 32 @ 0x0"
Str nest_text(Arena *arena, const HwNest *nest);
Str loops_text(Arena *arena, const HwLoop *loops, int64_t count);

// "0-15, 32"; of many runs of one length in equal distances "0, 4, .., 252". "none": no bit is set.
Str bits_text(Arena *arena, const BitList *bits);

// "slices 0-15 of cluster 0"; `chips` of the pass: of one, its number is left out.
Str slices_text(Arena *arena, int64_t chips, const HwClusterBits *bitmaps, int64_t count);

// "1, 2, 3, .. 20 in all"
Str ints_text(Arena *arena, const IntList *list);

// "element p is data where 3 + p % 8 / 2 x 4 in 0..7"
void checks_add(StrBuf *text, const char *what, const HwCheck *checks, int64_t count);

// A value by its bits.
Str value_text(Arena *arena, Scalar type, int64_t bits);

// ---- engines

void listing_fetch(const Listing *listing, const HwPipeline *pass);
void listing_switch(const Listing *listing, const HwSwitchRoute *route);
void listing_collect(const Listing *listing, const HwCollect *collect);
void listing_masks(const Listing *listing, const HwFetch *fetch, int64_t chips);

void listing_trf_store(const Listing *listing, const HwTrfStore *store);
void listing_vrf_store(const Listing *listing, const HwVrfStore *store);
void listing_adapt(const Listing *listing, const HwStreamAdapt *adapt);
void listing_trf_read(const Listing *listing, const HwTrfRead *read);
void listing_reduce(const Listing *listing, const HwReduce *reduce);
void listing_vector(const Listing *listing, const HwVector *vector);
void listing_cast(const Listing *listing, const HwCast *cast);
void listing_transpose(const Listing *listing, const HwTranspose *transpose);
void listing_commit(const Listing *listing, const HwPipeline *pass);

#endif

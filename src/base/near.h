// "Did you mean": the known name that is nearest to one that nobody knows. Near is what insertions,
// deletions, replacements and swaps of neighbors make of it: the slips of somebody who types.
#ifndef CONTRA_BASE_NEAR_H
#define CONTRA_BASE_NEAR_H

#include "base/diag.h"

typedef struct {
    Str name;
    int64_t least, most; // so many slips: further off it is another word
    Str best;            // data is NULL: no name that was tried is near
    int64_t distance;    // of the best
    bool is_shared;      // another one is as near
} Near;

// Tries one name more. Of several that are as near, the first that was tried is the best. True: it
// is this one.
bool near_try(Near *near, Str other);

// Tries many names, sorted by their bytes; of several that are as near, the best is the first in
// that order. What begins alike is compared once, and what begins too far off is passed over.
void near_search(Near *near, const Str *sorted, int64_t count);

// Helps with the best, which replaces what stands at `span`. False: none is near.
bool near_help(const Near *near, Diag *diag, Span span);

#endif

// Mappings as lists of parts, for those who write programs: each is a part of an axis, of a
// composite, or padding. Outermost first; no part at all is `1`.
#ifndef CONTRA_TEST_PARTS_H
#define CONTRA_TEST_PARTS_H

#include "base/str.h"

enum { PARTS_MOST = 24 };

typedef struct Parts Parts;

typedef struct {
    const char *base;     // "A", "A # 16", "[A, B] # 32"; NULL: padding
    int64_t whole;        // positions of that
    int64_t stride, size; // base / stride % size
    int64_t axis;         // which is the base, padded or not; -1: none
    const Parts *inside;  // of a composite: what was padded
} Part;

struct Parts {
    Part items[PARTS_MOST];
    int64_t count;
    bool is_full; // something was left out for want of room: nobody should use it
};

int64_t parts_size(const Parts *parts);
void parts_add(Parts *parts, Part part);
void parts_add_all(Parts *parts, const Parts *more);
Parts parts_of(Part part);
Part part_padding(int64_t size);
bool part_is_whole(const Part *part); // of an axis, nothing cut off

// The outer positions and the inner `size` ones. False: no part ends there, nor can one be cut.
bool parts_split(const Parts *parts, int64_t size, Parts *outer, Parts *inner);
// `[parts] # size` as one part, which can be cut anywhere.
Part part_group(Arena *arena, const Parts *parts, int64_t size);
// The same if there is something to pad; otherwise the parts unchanged.
Parts parts_pad(Arena *arena, const Parts *parts, int64_t size);
// Without a part.
Parts parts_without(const Parts *parts, int64_t at);
// Without padding parts, and what a composite was before it was padded.
Parts parts_bare(const Parts *parts);

// Whether several axes are one part, whole or cut.
bool parts_have_group(const Parts *parts);
// Whether a group has padding before its end, as in `[A, B # 4]`: elements may follow it.
bool parts_have_holes(const Parts *parts);
bool parts_name(const Parts *parts, int64_t axis);
// "A / 2"
const char *part_text(Arena *arena, const Part *part);
// "[A / 2, B]"
const char *parts_text(Arena *arena, const Parts *parts);

#endif

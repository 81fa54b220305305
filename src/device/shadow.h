// What is known of each byte of a memory besides its value: a shadow of 16 bits.
//
//     0, 1, 2      nobody wrote it; it is padding; a copy of what a former launch left behind
//     3            a former launch wrote it, by a number that was given again since
//     from 16 on   the number of who wrote it: an argument of the host, or an operation
//
// Writers are numbered as they come. A launch begins with a number of its own, so that what was
// written before is told by a comparison, and nothing has to be wiped. Bytes that lie together
// mostly have one writer: a block of them has a shadow of its own, and only where its bytes differ
// do theirs count.
#ifndef CONTRA_DEVICE_SHADOW_H
#define CONTRA_DEVICE_SHADOW_H

#include "device/memory.h"

enum {
    SHADOW_NONE,
    SHADOW_PADDING,
    SHADOW_LEFT,
    SHADOW_OLD,
    SHADOW_MIXED, // of a block: look at its bytes
    SHADOW_FIRST = 16,
    SHADOW_LAST = UINT16_MAX, // this one and all that come after it
    SHADOW_BLOCK = 64,
};

typedef struct {
    Reservation bytes, blocks;
} ShadowSpace;

// Of `count` memories of `size` bytes each. False: no memory.
bool shadow_new(ShadowSpace *space, int64_t count, int64_t size);
void shadow_free(ShadowSpace *space);

typedef struct {
    uint16_t *bytes, *blocks; // NULL: there is no such memory
} Shadow;

// Bytes from one memory of a space to the next: whole blocks.
int64_t shadow_stride(int64_t size);
Shadow shadow_of(const ShadowSpace *space, int64_t number, int64_t size);

// How many bytes from `at` on, before `end`, have the same; *value: what. At least 1.
int64_t shadow_alike(const Shadow *shadow, int64_t at, int64_t end, uint16_t *value);
void shadow_fill(const Shadow *shadow, int64_t at, int64_t end, uint16_t value);
// Whoever wrote bytes [at, end), in this launch or a former one, has this number now.
void shadow_renew(const Shadow *shadow, int64_t at, int64_t end, uint16_t value);
// All blocks of a Shadow that have some of these bytes: who wrote them has no number any more.
void shadow_age(void *shadow, int64_t from, int64_t to);

#endif

// What is known of each byte of a memory besides its value: a shadow of 16 bits.
//
//     0, 1, 2      nobody wrote it; it is padding; a former launch wrote it
//     from 16 on   the number of who wrote it: an argument of the host, or an operation
//
// Writers are numbered as they come. A launch begins with a number of its own, so that what was
// written before is told by a comparison, and nothing has to be wiped.
#ifndef CONTRA_DEVICE_SHADOW_H
#define CONTRA_DEVICE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SHADOW_NONE,
    SHADOW_PADDING,
    SHADOW_LEFT,
    SHADOW_FIRST = 16,
    SHADOW_LAST = UINT16_MAX, // this one and all that come after it
};

// How many from the first on are equal to it; at least 1, as `count` is.
int64_t shadow_alike(const uint16_t *shadow, int64_t count);

void shadow_fill(uint16_t *shadow, int64_t count, uint16_t value);

// A copy: what somebody of this launch wrote has a new writer, what nobody wrote still nobody has.
typedef struct {
    uint16_t launch; // the first number of the launch
    uint16_t writer; // of the copy
    uint16_t known;  // a number of this launch that need not be asked about
} ShadowCopy;

// False, and the rest is not copied: there are other numbers of this launch than the known one.
bool shadow_copy(const ShadowCopy *copy, uint16_t *to, const uint16_t *from, int64_t count);
// Whatever there is.
void shadow_copy_any(const ShadowCopy *copy, uint16_t *to, const uint16_t *from, int64_t count);

#endif

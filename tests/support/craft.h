// Objects with fields that no compiler writes: kernels of the tests, with some of their fields
// changed as bytes say.
#ifndef CONTRA_TESTS_CRAFT_H
#define CONTRA_TESTS_CRAFT_H

#include "run/object.h"

enum { CRAFT_MOST_KERNELS = 200 };

typedef struct {
    Contra *contra;
    Str kernels[CRAFT_MOST_KERNELS]; // encoded
    int64_t count;
} Craft;

// Compiles kernels of tests/kernels, which is looked for from here. Of each, `keep` says whether it
// is one to begin with, having changed it as it likes.
void craft_open(Craft *craft, bool (*keep)(const Contra *contra, HwObject *object));

// Byte 0 and 1 choose a kernel; then every four bytes change one field of it: two say which, one
// how, one is a number. False: there are too few bytes.
bool craft_object(const Craft *craft, Arena *arena, const uint8_t *data, size_t size,
                  HwObject *object);

#endif

// Random choices, from a seed or from the bytes that a fuzzer gives.
#ifndef CONTRA_TEST_CHOICES_H
#define CONTRA_TEST_CHOICES_H

#include "scalar/scalar.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    SmallRng rng;
    const uint8_t *bytes; // NULL: the generator chooses
    size_t count, at;     // when they are used up, the first of everything is chosen
} Choices;

Choices choices_of_seed(uint64_t seed);
Choices choices_of_bytes(const uint8_t *bytes, size_t count);

// 0 .. n - 1. Requires: n > 0.
int64_t choose(Choices *choices, int64_t n);
bool chance(Choices *choices, int64_t percent);
uint32_t choose_bits(Choices *choices);

#endif

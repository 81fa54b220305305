// Arithmetic on extents and offsets that says when it leaves 64 bits instead of wrapping.
#ifndef CONTRA_BASE_CHECKED_H
#define CONTRA_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// *result = a + b. False on overflow; *result is then unspecified.
static inline bool checked_add(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

// *result = a * b. False on overflow; *result is then unspecified.
static inline bool checked_mul(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

// Requires a >= 0 and b > 0.
static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

// *result = the least multiple of b that is at least a. Requires a >= 0 and b > 0. False on
// overflow.
static inline bool checked_round_up(int64_t a, int64_t b, int64_t *result)
{
    return checked_mul(ceil_div(a, b), b, result);
}

// Requires a, b >= 0, not both 0.
static inline int64_t gcd_i64(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif

// Arithmetic on extents and offsets that says when it leaves 64 bits instead of wrapping.
#ifndef CONTRA_BASE_CHECKED_H
#define CONTRA_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
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

// a + b and a * b of numbers that are not negative; INT64_MAX on overflow.
static inline int64_t saturating_add(int64_t a, int64_t b)
{
    int64_t sum;
    return checked_add(a, b, &sum) ? sum : INT64_MAX;
}

static inline int64_t saturating_mul(int64_t a, int64_t b)
{
    int64_t product;
    return checked_mul(a, b, &product) ? product : INT64_MAX;
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

// ---- orders for qsort and bsearch; str_compare (str.h) compares texts

static inline int compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

// The first of several comparisons that is not 0, or 0.
#define compare_by(...) \
    compare_orders((const int[]){__VA_ARGS__}, COUNT_OF(((const int[]){__VA_ARGS__})))
static inline int compare_orders(const int *orders, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && !orders[i])
        i++;
    return orders[i];
}

#endif

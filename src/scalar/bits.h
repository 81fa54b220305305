// Bits of a pattern, and the host's float as one.
#ifndef CONTRA_SCALAR_BITS_H
#define CONTRA_SCALAR_BITS_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Results are to be the same bits everywhere: float must be IEEE single and nothing wider may hide
// behind an expression.
_Static_assert(sizeof(float) == 4 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128, "float is binary32");
_Static_assert(FLT_EVAL_METHOD == 0, "float arithmetic rounds to float");

// The NaN that every operation of ours yields when the host's would depend on the host.
#define F32_NAN UINT32_C(0x7fc00000)

enum { BYTE_BITS = 8 };

// `count` ones. Requires 1 <= count <= 32.
static inline uint32_t low_bits(int32_t count)
{
    return UINT32_MAX >> (32 - count);
}

static inline bool f32_is_nan(uint32_t bits)
{
    return (int32_t)(bits & INT32_MAX) > INT32_C(0x7f800000);
}

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// A NaN is the one of ours.
static inline uint32_t f32_clean(float value)
{
    return value == value ? bits_of_float(value) : F32_NAN;
}

#endif

// What the scalar types mean, a second time and slowly, to test src/scalar against. Nothing here
// uses its tables or its code.
//
// A value of a float type is m * 2^e, a double without any rounding. Rounding looks the value up in
// the sorted list of all finite values of the type: the patterns without sign, counted up, are in
// the order of their values. To decide between two neighbours, 2x is compared with their sum; both
// are exact in a double.
#ifndef CONTRA_TESTS_SCALAR_REFERENCE_H
#define CONTRA_TESTS_SCALAR_REFERENCE_H

#include "scalar/scalar.h"
#include "test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define LENGTH_OF(array) (sizeof(array) / sizeof((array)[0]))

// Integer types by their range.
typedef struct {
    Scalar type;
    int64_t lowest, highest;
} IntegerType;

static const IntegerType integer_types[] = {
    {SCALAR_I4, -8, 7},     {SCALAR_I5, -16, 15},        {SCALAR_I8, -128, 127},
    {SCALAR_I9, -256, 255}, {SCALAR_I16, -32768, 32767}, {SCALAR_I32, INT32_MIN, INT32_MAX},
    {SCALAR_U8, 0, 255},
};

// Float types below 32 bits.
typedef struct {
    Scalar type;
    int sign_bit;      // position
    int mantissa_bits; // below the exponent
    int lowest_power;  // the smallest subnormal is 2^lowest_power
    uint32_t count;    // of finite values with sign 0: patterns 0..count-1
    bool has_infinity; // pattern `count`; else values past the largest become the largest
} FloatType;

static const FloatType float_types[] = {
    {SCALAR_F8E4M3, 7, 3, -9, 0x7f, false},
    {SCALAR_F8E5M2, 7, 2, -16, 0x7c, true},
    {SCALAR_F16, 15, 10, -24, 0x7c00, true},
    {SCALAR_BF16, 15, 7, -133, 0x7f80, true},
};

static inline const IntegerType *find_integer_type(Scalar type)
{
    for (size_t i = 0; i < LENGTH_OF(integer_types); i++) {
        if (integer_types[i].type == type)
            return &integer_types[i];
    }
    return NULL;
}

static inline const FloatType *find_float_type(Scalar type)
{
    for (size_t i = 0; i < LENGTH_OF(float_types); i++) {
        if (float_types[i].type == type)
            return &float_types[i];
    }
    return NULL;
}

// The value congruent to `value` in the type's range.
static inline int64_t wrap_to_range(const IntegerType *type, int64_t value)
{
    int64_t range = type->highest - type->lowest + 1;
    int64_t above = (value - type->lowest) % range;
    return type->lowest + (above < 0 ? above + range : above);
}

static inline float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t float_to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline bool is_nan_f32(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

// The value of finite pattern `index` with sign 0. `index == count` continues the row: the value
// that infinity stands in place of.
static inline double finite_value(const FloatType *type, uint32_t index)
{
    uint32_t per_power = UINT32_C(1) << type->mantissa_bits;
    uint32_t exponent = index / per_power, mantissa = index % per_power;
    if (exponent == 0)
        return ldexp(mantissa, type->lowest_power);
    return ldexp(per_power + mantissa, type->lowest_power + (int)exponent - 1);
}

// The last finite pattern whose value is <= x. Requires x >= 0.
static inline uint32_t last_not_above(const FloatType *type, double x)
{
    uint32_t low = 0, high = type->count; // finite_value(low) <= x; high is past the end
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (finite_value(type, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The pattern with sign 0 nearest to x >= 0. Ties go to the even pattern: its mantissa is even.
static inline uint32_t nearest_index(const FloatType *type, double x)
{
    uint32_t low = last_not_above(type, x);
    bool last = low == type->count - 1;
    if (last && !type->has_infinity)
        return low;
    double twice = 2 * x, both = finite_value(type, low) + finite_value(type, low + 1);
    if (twice != both)
        return twice < both ? low : low + 1;
    return low % 2 == 0 ? low : low + 1;
}

// What `type` makes of an f32.
static inline uint32_t reference_from_f32(const FloatType *type, uint32_t f32)
{
    uint32_t sign = f32 >> 31 << type->sign_bit;
    uint32_t mantissa = f32 & 0x7fffff;
    if (is_nan_f32(f32) && !type->has_infinity)
        return 0x7f;
    if (is_nan_f32(f32)) {
        uint32_t top = mantissa >> (23 - type->mantissa_bits);
        uint32_t quiet = UINT32_C(1) << (type->mantissa_bits - 1);
        return sign + type->count + (top | quiet);
    }
    return sign + nearest_index(type, fabs((double)float_from_bits(f32)));
}

// The f32 that equals a value of `type`.
static inline uint32_t reference_to_f32(const FloatType *type, uint32_t bits)
{
    uint32_t negative = bits >> type->sign_bit;
    uint32_t index = bits - (negative << type->sign_bit);
    if (index >= type->count && !type->has_infinity)
        return 0x7fc00000;
    if (index >= type->count) // infinity, or a NaN whose mantissa keeps its place below the point
        return negative << 31 |
               (0x7f800000 + ((index - type->count) << (23 - type->mantissa_bits)));
    float value = (float)finite_value(type, index);
    return float_to_bits(negative ? -value : value);
}

// How far an f32 times 255, exact in a double, is from n.
static inline double f8_error(uint32_t f32, uint32_t byte)
{
    return fabs((double)float_from_bits(f32) * 255 - byte);
}

// n / 255 to the nearest f32: a guess or one of its neighbours.
static inline uint32_t reference_f8_to_f32(uint32_t byte)
{
    if (byte == 0)
        return 0;
    uint32_t guess = float_to_bits((float)(byte / 255.0)), best = guess - 1;
    for (uint32_t other = guess; other <= guess + 1; other++) {
        if (f8_error(other, byte) < f8_error(best, byte))
            best = other;
    }
    return best;
}

static inline uint32_t reference_f32_to_f8(uint32_t f32)
{
    double scaled = is_nan_f32(f32) ? 0 : floor((double)float_from_bits(f32) * 256);
    return scaled < 0 ? 0 : scaled > 255 ? 255 : (uint32_t)scaled;
}

// To and from f32 for every type that is not an integer.
static inline uint32_t reference_widen(Scalar type, uint32_t bits)
{
    if (type == SCALAR_F32)
        return bits;
    return type == SCALAR_F8 ? reference_f8_to_f32(bits)
                             : reference_to_f32(find_float_type(type), bits);
}

static inline uint32_t reference_narrow(Scalar type, uint32_t f32)
{
    if (type == SCALAR_F32)
        return f32;
    return type == SCALAR_F8 ? reference_f32_to_f8(f32)
                             : reference_from_f32(find_float_type(type), f32);
}

// Fails with the place and both values: `input` tells which of very many cases it was.
#define assert_bits(got, want, type, input)                                                \
    do {                                                                                   \
        uint32_t got_ = (got), want_ = (want);                                             \
        if (got_ != want_)                                                                 \
            fail_msg("%s of %#x: got %#x, want %#x", scalar_name(type), (unsigned)(input), \
                     (unsigned)got_, (unsigned)want_);                                     \
    } while (0)

#endif

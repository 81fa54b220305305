// The rules are at the top of scalar/convert.c; here each type has a loop of its own without
// branches.
#include "device/loops/cast.h"

#include "scalar/bits.h"

enum { F32_MANTISSA_BITS = 23, F32_BIAS = 127 };

static inline uint32_t at_most(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// ---- floats

// A type as constants, so that what does not concern it falls away.
typedef struct {
    uint32_t bits, mantissa_bits, bias, maximum;
    bool has_infinity;
} Layout;

// value / 2^drop, to nearest even.
static inline uint32_t shift_right_even(uint32_t value, uint32_t drop)
{
    return (value + (UINT32_C(1) << (drop - 1)) - 1 + (value >> drop & 1)) >> drop;
}

// A number without its sign; beyond the largest it counts on.
static inline uint32_t round_magnitude(Layout to, uint32_t magnitude)
{
    uint32_t drop = F32_MANTISSA_BITS - to.mantissa_bits;
    if (to.bias == F32_BIAS) // the exponents are the same
        return shift_right_even(magnitude, drop);
    uint32_t exponent = magnitude >> F32_MANTISSA_BITS;
    uint32_t significand = magnitude & low_bits(F32_MANTISSA_BITS);
    significand |= exponent ? UINT32_C(1) << F32_MANTISSA_BITS : 0;
    // below the exponent of the smallest normals more bits fall off
    uint32_t least = F32_BIAS - to.bias + 1;
    uint32_t below = exponent < least ? least - exponent : 0;
    uint32_t above = exponent > least ? exponent - least : 0;
    uint32_t rounded = shift_right_even(significand, at_most(drop + below, 31));
    return (above << to.mantissa_bits) + rounded;
}

static inline uint32_t narrow(Layout to, uint32_t x)
{
    uint32_t magnitude = x & (uint32_t)INT32_MAX, sign = x >> 31 << (to.bits - 1);
    uint32_t infinity = ((to.maximum >> to.mantissa_bits) + 1) << to.mantissa_bits;
    uint32_t most = to.has_infinity ? infinity : to.maximum;
    uint32_t rounded = round_magnitude(to, magnitude);
    uint32_t number = sign | (rounded > to.maximum ? most : rounded);
    uint32_t payload =
        (magnitude & low_bits(F32_MANTISSA_BITS)) >> (F32_MANTISSA_BITS - to.mantissa_bits);
    uint32_t quiet = UINT32_C(1) << (to.mantissa_bits - 1);
    uint32_t nan =
        to.has_infinity ? sign | infinity | quiet | payload : low_bits((int32_t)to.bits - 1);
    return (int32_t)magnitude > INT32_C(0x7f800000) ? nan : number;
}

static inline uint32_t narrow_normalised(uint32_t x)
{
    float scaled = float_of_bits(x) * 256.0f;
    scaled = scaled > 0.0f ? scaled : 0.0f; // a NaN, too
    scaled = scaled < 255.0f ? scaled : 255.0f;
    return (uint32_t)(int32_t)scaled;
}

// ---- integers

static inline uint32_t keep_low(uint32_t x, uint32_t bits, bool is_signed)
{
    uint32_t up = x << (32 - bits);
    return is_signed ? (uint32_t)((int32_t)up >> (32 - bits)) : up >> (32 - bits);
}

// ---- loops

#define CONVERT(name, result)                                                    \
    static void name(const uint32_t *in, int64_t count, uint32_t *out)           \
    {                                                                            \
        _Pragma("omp simd") for (int64_t i = 0; i < count; i++) out[i] = result; \
    }

CONVERT(narrow_bf16, narrow(((Layout){16, 7, 127, 0x7f7f, true}), in[i]))
CONVERT(narrow_f16, narrow(((Layout){16, 10, 15, 0x7bff, true}), in[i]))
CONVERT(narrow_f8e5m2, narrow(((Layout){8, 2, 15, 0x7b, true}), in[i]))
CONVERT(narrow_f8e4m3, narrow(((Layout){8, 3, 7, 0x7e, false}), in[i]))
CONVERT(narrow_f8, narrow_normalised(in[i]))
CONVERT(wrap_i4, keep_low(in[i], 4, true))
CONVERT(wrap_i5, keep_low(in[i], 5, true))
CONVERT(wrap_i8, keep_low(in[i], 8, true))
CONVERT(wrap_i9, keep_low(in[i], 9, true))
CONVERT(wrap_i16, keep_low(in[i], 16, true))
CONVERT(wrap_u8, keep_low(in[i], 8, false))

const CastLoops LOOPS(cast_loops) = {
    .narrow = {[SCALAR_BF16] = narrow_bf16,
               [SCALAR_F16] = narrow_f16,
               [SCALAR_F8E5M2] = narrow_f8e5m2,
               [SCALAR_F8E4M3] = narrow_f8e4m3,
               [SCALAR_F8] = narrow_f8},
    .wrap = {[SCALAR_I4] = wrap_i4,
             [SCALAR_I5] = wrap_i5,
             [SCALAR_I8] = wrap_i8,
             [SCALAR_I9] = wrap_i9,
             [SCALAR_I16] = wrap_i16,
             [SCALAR_U8] = wrap_u8},
};

// Conversions, each written once: every float type reaches every other through f32, which holds all
// their values exactly, so a conversion rounds once. The code reads the layout of a type from its
// traits and works on bit patterns; no half-precision type of the host is used.
//
// The rules:
//   same type            unchanged, NaNs included
//   integer to integer   the low bits are kept, nothing saturates; to a wider type that is sign
//                        extension (zero extension for u8). The manual gives no rule for
//                        RNGD-S's i16 to i9; it goes like all narrowing
//   float to f32         exact. The mantissa of a NaN moves up as it is; the one NaN of f8e4m3,
//                        either sign, becomes 0x7fc00000
//   f32 to float         to nearest, ties to even, subnormals included. Beyond the largest finite
//                        value: infinity where the type has one, otherwise (f8e4m3) the largest
//                        finite value, for infinity too. A NaN keeps its sign and the high bits of
//                        its mantissa and turns quiet; in f8e4m3 every NaN is 0x7f
//   f8 to f32            n / 255, rounded to nearest even
//   f32 to f8            x * 256 truncated and clamped to 0..255; NaN is 0
// Where the manual is silent (it says nothing of the overflow of f16 and f8e5m2), types with
// infinities follow bf16.
#include "scalar/scalar.h"

#include "scalar/bits.h"

#include <assert.h>

enum { F32_MANTISSA_BITS = 23, F32_BIAS = 127 };

static const uint32_t f32_infinity = UINT32_C(0x7f800000);
static const uint32_t f32_sign = UINT32_C(0x80000000);

// Infinity of a type that has one; the first pattern that is not finite.
static uint32_t infinity_of(const ScalarTraits *traits)
{
    return low_bits(traits->exponent_bits) << traits->mantissa_bits;
}

// The f32 of mantissa * 2^(1 - bias - mantissa_bits), mantissa != 0: a subnormal of a type whose
// exponents are fewer than those of f32 is a normal number there.
static uint32_t widen_subnormal(const ScalarTraits *traits, uint32_t mantissa)
{
    int32_t exponent = 1;
    uint32_t leading_one = UINT32_C(1) << traits->mantissa_bits;
    while (!(mantissa & leading_one)) {
        mantissa <<= 1;
        exponent--;
    }
    uint32_t f32_exponent = (uint32_t)(exponent - traits->bias + F32_BIAS);
    uint32_t fraction = mantissa ^ leading_one;
    int32_t shift = F32_MANTISSA_BITS - traits->mantissa_bits;
    return (f32_exponent << F32_MANTISSA_BITS) + (fraction << shift);
}

// `magnitude` is the pattern without its sign.
static uint32_t widen_magnitude(const ScalarTraits *traits, uint32_t magnitude)
{
    int32_t shift = F32_MANTISSA_BITS - traits->mantissa_bits;
    if (traits->bias == F32_BIAS) // bf16: f32 without its low half
        return magnitude << shift;
    if (traits->specials == SCALAR_SPECIALS_IEEE && magnitude >= infinity_of(traits))
        return f32_infinity | (magnitude & low_bits(traits->mantissa_bits)) << shift;
    if (magnitude == 0)
        return 0;
    if (magnitude >> traits->mantissa_bits == 0)
        return widen_subnormal(traits, magnitude);
    return (magnitude << shift) + ((uint32_t)(F32_BIAS - traits->bias) << F32_MANTISSA_BITS);
}

static uint32_t widen(const ScalarTraits *traits, uint32_t bits)
{
    uint32_t magnitude = bits & low_bits(traits->bits - 1);
    if (traits->specials == SCALAR_SPECIALS_NAN_ONLY && magnitude > traits->maximum)
        return F32_NAN;
    uint32_t sign = bits != magnitude ? f32_sign : 0;
    return sign | widen_magnitude(traits, magnitude);
}

// value / 2^drop. Requires value < 2^24, 1 <= drop <= 31.
static uint32_t shift_right_ties_even(uint32_t value, int32_t drop)
{
    uint32_t odd = value >> drop & 1;
    uint32_t almost_half = (UINT32_C(1) << (drop - 1)) - 1;
    return (value + almost_half + odd) >> drop;
}

// The pattern, without sign, of a finite f32 without its sign. The result may lie beyond the
// largest finite one: there it counts on as if the exponent had no end.
static uint32_t round_magnitude(const ScalarTraits *traits, uint32_t f32_magnitude)
{
    int32_t f32_exponent = (int32_t)(f32_magnitude >> F32_MANTISSA_BITS);
    uint32_t significand = f32_magnitude & low_bits(F32_MANTISSA_BITS);
    if (f32_exponent != 0)
        significand |= UINT32_C(1) << F32_MANTISSA_BITS;
    else
        f32_exponent = 1; // a subnormal has the exponent of the smallest normals, no leading one

    int32_t drop = F32_MANTISSA_BITS - traits->mantissa_bits;
    int32_t exponent = f32_exponent - F32_BIAS + traits->bias;
    if (exponent < 1) { // a subnormal: more bits fall off instead of the exponent going down
        drop += 1 - exponent;
        exponent = 1;
    }
    if (drop > 31)
        drop = 31; // 25 already rounds every significand to 0
    uint32_t rounded = shift_right_ties_even(significand, drop);
    // The leading one, and a carry out of the rounding, count the exponent up by one.
    return ((uint32_t)(exponent - 1) << traits->mantissa_bits) + rounded;
}

static uint32_t narrow_nan(const ScalarTraits *traits, uint32_t f32_mantissa)
{
    if (traits->specials == SCALAR_SPECIALS_NAN_ONLY)
        return low_bits(traits->bits - 1);
    uint32_t quiet = UINT32_C(1) << (traits->mantissa_bits - 1);
    uint32_t payload = f32_mantissa >> (F32_MANTISSA_BITS - traits->mantissa_bits);
    return infinity_of(traits) | quiet | payload;
}

// The largest finite value is a bound for infinity and for what rounding took past it.
static uint32_t bound(const ScalarTraits *traits, uint32_t magnitude)
{
    if (magnitude <= traits->maximum)
        return magnitude;
    return traits->specials == SCALAR_SPECIALS_IEEE ? infinity_of(traits) : traits->maximum;
}

static uint32_t narrow(const ScalarTraits *traits, uint32_t f32_bits)
{
    uint32_t f32_magnitude = f32_bits & ~f32_sign;
    uint32_t sign = f32_bits >> 31 << (traits->bits - 1);
    if (f32_magnitude > f32_infinity) {
        bool signed_nan = traits->specials == SCALAR_SPECIALS_IEEE;
        uint32_t mantissa = f32_magnitude & low_bits(F32_MANTISSA_BITS);
        return (signed_nan ? sign : 0) | narrow_nan(traits, mantissa);
    }
    if (f32_magnitude == f32_infinity)
        return sign | bound(traits, UINT32_MAX);
    return sign | bound(traits, round_magnitude(traits, f32_magnitude));
}

static uint32_t widen_normalised(uint32_t byte)
{
    return bits_of_float((float)byte / 255.0f);
}

static uint32_t narrow_normalised(uint32_t f32_bits)
{
    float scaled = float_of_bits(f32_bits) * 256.0f;
    if (!(scaled > 0.0f)) // NaN too
        return 0;
    return scaled >= 255.0f ? 255 : (uint32_t)scaled;
}

uint32_t scalar_to_f32(Scalar type, uint32_t bits)
{
    assert(!scalar_is_integer(type));
    if (type == SCALAR_F32)
        return bits;
    if (type == SCALAR_F8)
        return widen_normalised(bits);
    return widen(&scalar_traits[type], bits);
}

uint32_t scalar_from_f32(Scalar type, uint32_t f32_bits)
{
    assert(!scalar_is_integer(type));
    if (type == SCALAR_F32)
        return f32_bits;
    if (type == SCALAR_F8)
        return narrow_normalised(f32_bits);
    return narrow(&scalar_traits[type], f32_bits);
}

bool scalar_convert(Scalar from, Scalar to, uint32_t bits, uint32_t *result)
{
    if (scalar_is_integer(from) != scalar_is_integer(to))
        return false;
    if (from == to)
        *result = bits;
    else if (scalar_is_integer(to))
        *result = scalar_wrap(to, bits); // canonical integers are 32 bits of their value already
    else
        *result = scalar_from_f32(to, scalar_to_f32(from, bits));
    return true;
}

bool scalar_convert_all(Scalar from, Scalar to, uint32_t *values, int64_t count)
{
    if (scalar_is_integer(from) != scalar_is_integer(to))
        return false;
    for (int64_t i = 0; i < count; i++)
        scalar_convert(from, to, values[i], &values[i]);
    return true;
}

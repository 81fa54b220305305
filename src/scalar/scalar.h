// The scalar types of the Virtual ISA: sizes, storage, conversion, arithmetic, random values.
//
// A value of any type travels as a uint32_t, its bit pattern in one canonical form:
//   signed integers      sign-extended to 32 bits, so that (int32_t)bits is the value;
//   everything else      in the low bits, zeros above: u8 and f8 the byte, a float its IEEE-style
//                        pattern.
// Functions here take canonical values and return canonical values; scalar_wrap makes one of any
// 32 bits. All results are the same bits on every machine.
#ifndef CONTRA_SCALAR_SCALAR_H
#define CONTRA_SCALAR_SCALAR_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
#define SCALAR(type, name, bits, packet, storage, kind, exponent, mantissa, bias, maximum, \
               specials, random)                                                           \
    SCALAR_##type,
#include "scalar/scalar.def"
#undef SCALAR
    SCALAR_COUNT
} Scalar;

typedef enum {
    SCALAR_KIND_SIGNED,     // two's complement
    SCALAR_KIND_UNSIGNED,   // the plain number
    SCALAR_KIND_FLOAT,      // sign, exponent, mantissa
    SCALAR_KIND_NORMALISED, // f8: n stands for n / 255
} ScalarKind;

typedef enum {
    SCALAR_SPECIALS_NONE,
    SCALAR_SPECIALS_IEEE,     // top exponent: infinity (mantissa 0) and NaNs
    SCALAR_SPECIALS_NAN_ONLY, // all ones below the sign is NaN; there is no infinity
} ScalarSpecials;

typedef enum {
    SCALAR_RANDOM_NONE,
    SCALAR_RANDOM_BITS,
    SCALAR_RANDOM_UNIT,
    SCALAR_RANDOM_SYMMETRIC,
} ScalarRandom;

// One row of scalar.def, where the columns are explained.
typedef struct {
    const char *name;
    int32_t bits;
    int32_t packet_bits;
    int32_t storage_bits;
    ScalarKind kind;
    int32_t exponent_bits;
    int32_t mantissa_bits;
    int32_t bias;
    uint32_t maximum;
    ScalarSpecials specials;
    ScalarRandom random;
} ScalarTraits;

extern const ScalarTraits scalar_traits[SCALAR_COUNT];

// ---- Names and sizes

// As the language spells it: "f8e4m3".
const char *scalar_name(Scalar type);
bool scalar_parse(Str text, Scalar *type);

// i4, i8, u8 and the like: arithmetic wraps, and no value is NaN.
bool scalar_is_integer(Scalar type);

// Bytes that `length` elements take in a memory or a packet. False unless that is a whole number of
// bytes (an odd number of i4 is not), or if it leaves 64 bits, or if length < 0.
bool scalar_bytes(Scalar type, int64_t length, int64_t *bytes);

// Elements that `bytes` bytes of memory or packet hold. False on overflow or if bytes < 0.
bool scalar_length(Scalar type, int64_t bytes, int64_t *length);

// ---- What the hardware offers

// The Fetch Engine turns `from` in memory into `to` in the stream: a conversion of the fetch
// adapter, or no conversion at all. RNGD-S has all conversions of RNGD and more.
bool scalar_fetch_cast(Scalar from, Scalar to, bool rngd_s);

// The Cast Engine turns `from` into `to`, or passes it through unchanged.
bool scalar_cast_engine(Scalar from, Scalar to);

// The type in which the Contraction Engine multiplies and sums elements of `type`. False if it does
// not take them.
bool scalar_contraction_result(Scalar type, Scalar *result);

// ---- Storage: little endian; two i4 share a byte, element 0 in the low nibble

// The canonical value in the low bits of `bits`; what lies above them is dropped.
uint32_t scalar_wrap(Scalar type, uint32_t bits);

// Bytes of a buffer for `length` elements as scalar_store lays them out, the last byte perhaps half
// full. Differs from scalar_bytes in i5 and i9, which have no storage on the chip. False on
// overflow or if length < 0.
bool scalar_storage_bytes(Scalar type, int64_t length, int64_t *bytes);

// Element `index` of a buffer. A store of an i4 leaves the other nibble of its byte alone.
uint32_t scalar_load(Scalar type, const uint8_t *buffer, int64_t index);
void scalar_store(Scalar type, uint8_t *buffer, int64_t index, uint32_t bits);

// Elements `index` to `index + count - 1`, as values and back.
void scalar_unpack(Scalar type, const uint8_t *buffer, int64_t index, int64_t count,
                   uint32_t *values);
void scalar_pack(Scalar type, const uint32_t *values, int64_t count, uint8_t *buffer,
                 int64_t index);

// ---- Conversion

// `bits` of type `from` as a `to`; the rules are at the top of convert.c. False between integers
// and the other types: that is arithmetic of the Vector Engine, with a scale of its own. Says what
// a conversion gives, not whether an engine offers it.
bool scalar_convert(Scalar from, Scalar to, uint32_t bits, uint32_t *result);

// The same for `count` values, in place. On false no value is changed.
bool scalar_convert_all(Scalar from, Scalar to, uint32_t *values, int64_t count);

// The two halves of every conversion between non-integers: to f32, exactly (but for f8, whose
// n / 255 is rounded), and from f32 with the type's rounding. Require: not an integer type.
uint32_t scalar_to_f32(Scalar type, uint32_t bits);
uint32_t scalar_from_f32(Scalar type, uint32_t f32_bits);

// ---- Arithmetic

typedef enum {
    SCALAR_OP_ADD,
    SCALAR_OP_SUB,
    SCALAR_OP_MUL,
    SCALAR_OP_DIV,
    SCALAR_OP_COUNT
} ScalarOp;

// *result = a op b in `type`; the rules are at the top of arith.c. False for an integer divided by
// zero.
bool scalar_arith(ScalarOp op, Scalar type, uint32_t a, uint32_t b, uint32_t *result);

// ---- Functions of f32
//
// Each is computed in double precision and rounded once to f32, so that host programs and the
// Vector Engine agree bit for bit. A NaN is always 0x7fc00000.

typedef enum {
    MATH_EXP,     // e^x
    MATH_NEG_EXP, // e^-x
    MATH_EXP2,
    MATH_EXP_M1,
    MATH_LN,
    MATH_LN_1P,
    MATH_LOG2,
    MATH_LOG10,
    MATH_SQRT,
    MATH_CBRT,
    MATH_SIN,
    MATH_COS,
    MATH_TAN,
    MATH_ASIN,
    MATH_ACOS,
    MATH_ATAN,
    MATH_SINH,
    MATH_COSH,
    MATH_TANH,
    MATH_ERF,
    MATH_SIGMOID, // 1 / (1 + e^-x)
    MATH_COUNT
} MathFunction;

// Bits to bits.
uint32_t math_f32(MathFunction function, uint32_t x);
uint32_t math_f32_pow(uint32_t x, uint32_t y);
uint32_t math_f32_atan2(uint32_t y, uint32_t x);
// a * b + c, rounded once.
uint32_t math_f32_fma(uint32_t a, uint32_t b, uint32_t c);

// ---- Random values

// The generator behind `SmallRng`: xoshiro256++.
typedef struct {
    uint64_t state[4];
} SmallRng;

SmallRng small_rng_seed_from_u64(uint64_t seed);
uint64_t small_rng_next_u64(SmallRng *rng);
uint32_t small_rng_next_u32(SmallRng *rng);

// One value of `type` from one draw. False, without a draw, for a type with no distribution.
bool scalar_random(SmallRng *rng, Scalar type, uint32_t *bits);

#endif

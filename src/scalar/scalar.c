// Facts about the types: their traits, names and sizes, and which conversions the engines offer.
// Everything here is a table and a look into it.
#include "scalar/scalar.h"

#include "base/checked.h"
#include "scalar/bits.h"

const ScalarTraits scalar_traits[SCALAR_COUNT] = {
#define SCALAR(type, name_, bits_, packet, storage, kind_, exponent, mantissa, bias_, maximum_, \
               specials_, random_)                                                              \
    [SCALAR_##type] = {                                                                         \
        .name = name_,                                                                          \
        .bits = bits_,                                                                          \
        .packet_bits = packet,                                                                  \
        .storage_bits = storage,                                                                \
        .kind = SCALAR_KIND_##kind_,                                                            \
        .exponent_bits = exponent,                                                              \
        .mantissa_bits = mantissa,                                                              \
        .bias = bias_,                                                                          \
        .maximum = maximum_,                                                                    \
        .specials = SCALAR_SPECIALS_##specials_,                                                \
        .random = SCALAR_RANDOM_##random_,                                                      \
    },
#include "scalar/scalar.def"
#undef SCALAR
};

const char *scalar_name(Scalar type)
{
    return scalar_traits[type].name;
}

bool scalar_parse(Str text, Scalar *type)
{
    for (int32_t i = 0; i < SCALAR_COUNT; i++) {
        if (str_equal(text, str_from(scalar_traits[i].name))) {
            *type = (Scalar)i;
            return true;
        }
    }
    return false;
}

bool scalar_is_integer(Scalar type)
{
    ScalarKind kind = scalar_traits[type].kind;
    return kind == SCALAR_KIND_SIGNED || kind == SCALAR_KIND_UNSIGNED;
}

bool scalar_bytes(Scalar type, int64_t length, int64_t *bytes)
{
    int64_t bits;
    if (length < 0 || !checked_mul(length, scalar_traits[type].packet_bits, &bits))
        return false;
    *bytes = bits / BYTE_BITS;
    return bits % BYTE_BITS == 0;
}

bool scalar_length(Scalar type, int64_t bytes, int64_t *length)
{
    int32_t packet_bits = scalar_traits[type].packet_bits;
    int64_t bits;
    if (bytes < 0 || !checked_mul(bytes, BYTE_BITS, &bits))
        return false;
    *length = bits / packet_bits;
    return bits % packet_bits == 0;
}

typedef enum { SINCE_RNGD, SINCE_RNGD_S } Since;

// Manual: Fetch Engine, Type Casting.
static const struct {
    Scalar from, to;
    Since since;
} fetch_casts[] = {
    {SCALAR_I4, SCALAR_I5, SINCE_RNGD},         {SCALAR_I4, SCALAR_I32, SINCE_RNGD},
    {SCALAR_I8, SCALAR_I9, SINCE_RNGD},         {SCALAR_I8, SCALAR_I32, SINCE_RNGD},
    {SCALAR_I16, SCALAR_I32, SINCE_RNGD},       {SCALAR_F8E4M3, SCALAR_F32, SINCE_RNGD},
    {SCALAR_F8E5M2, SCALAR_F32, SINCE_RNGD},    {SCALAR_BF16, SCALAR_F32, SINCE_RNGD},
    {SCALAR_F16, SCALAR_F32, SINCE_RNGD},       {SCALAR_F32, SCALAR_BF16, SINCE_RNGD},
    {SCALAR_I4, SCALAR_I9, SINCE_RNGD_S},       {SCALAR_I16, SCALAR_I9, SINCE_RNGD_S},
    {SCALAR_F8E4M3, SCALAR_BF16, SINCE_RNGD_S}, {SCALAR_F8E5M2, SCALAR_BF16, SINCE_RNGD_S},
};

// i5 and i9 exist only behind the fetch adapter: no memory holds them.
static bool lies_in_memory(Scalar type)
{
    return scalar_traits[type].packet_bits == scalar_traits[type].bits;
}

bool scalar_fetch_cast(Scalar from, Scalar to, bool rngd_s)
{
    if (from == to)
        return lies_in_memory(from);
    for (size_t i = 0; i < COUNT_OF(fetch_casts); i++) {
        if (fetch_casts[i].from == from && fetch_casts[i].to == to)
            return rngd_s || fetch_casts[i].since == SINCE_RNGD;
    }
    return false;
}

// Manual: Cast Engine, Precision Lowering. The same type passes through.
static const struct {
    Scalar from, to;
} engine_casts[] = {
    {SCALAR_I32, SCALAR_I32},    {SCALAR_I32, SCALAR_I4},  {SCALAR_I32, SCALAR_I8},
    {SCALAR_I32, SCALAR_I16},    {SCALAR_F32, SCALAR_F32}, {SCALAR_F32, SCALAR_F8E5M2},
    {SCALAR_F32, SCALAR_F8E4M3}, {SCALAR_F32, SCALAR_F16}, {SCALAR_F32, SCALAR_BF16},
};

bool scalar_cast_engine(Scalar from, Scalar to)
{
    for (size_t i = 0; i < COUNT_OF(engine_casts); i++) {
        if (engine_casts[i].from == from && engine_casts[i].to == to)
            return true;
    }
    return false;
}

// Manual: Contraction Engine, Constraints; there "f8" is either of the 8-bit floats. Its list names
// the types of memory; i5 and i9 are i4 and i8 after the fetch adapter and go on as those do
// (Manual: Reducer, which counts them among its elements).
static const struct {
    Scalar from, to;
} contractions[] = {
    {SCALAR_I4, SCALAR_I32},   {SCALAR_I5, SCALAR_I32},     {SCALAR_I8, SCALAR_I32},
    {SCALAR_I9, SCALAR_I32},   {SCALAR_F8E4M3, SCALAR_F32}, {SCALAR_F8E5M2, SCALAR_F32},
    {SCALAR_BF16, SCALAR_F32},
};

bool scalar_contraction_result(Scalar type, Scalar *result)
{
    for (size_t i = 0; i < COUNT_OF(contractions); i++) {
        if (contractions[i].from == type) {
            *result = contractions[i].to;
            return true;
        }
    }
    return false;
}

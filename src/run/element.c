#include "run/element.h"

#include "scalar/bits.h"

#include <string.h>

// The scalar whose values an element type holds; SCALAR_COUNT: none.
static Scalar scalar_of_element(ElementType type)
{
    switch (type) {
    case ELEMENT_F16:
        return SCALAR_F16;
    case ELEMENT_F32:
        return SCALAR_F32;
    case ELEMENT_BF16:
        return SCALAR_BF16;
    case ELEMENT_F8E4M3:
        return SCALAR_F8E4M3;
    case ELEMENT_F8E5M2:
        return SCALAR_F8E5M2;
    case ELEMENT_BOOL:
    case ELEMENT_I8:
    case ELEMENT_I16:
    case ELEMENT_I32:
    case ELEMENT_I64:
    case ELEMENT_U8:
    case ELEMENT_U16:
    case ELEMENT_U32:
    case ELEMENT_U64:
    case ELEMENT_F64:
    case ELEMENT_COUNT:
        break;
    }
    return SCALAR_COUNT;
}

static bool is_unsigned(ElementType type)
{
    return element_infos[type].letter == 'u';
}

ElementTake element_take(ElementType from, Scalar to)
{
    char letter = element_infos[from].letter;
    if (scalar_is_integer(to))
        return letter && strchr("biu", letter) ? TAKE_INTEGER : TAKE_REFUSED;
    if (is_unsigned(from))
        return element_infos[from].bytes * 8 == scalar_traits[to].bits ? TAKE_BITS : TAKE_REFUSED;
    if (scalar_of_element(from) == to)
        return TAKE_BITS;
    if (from == ELEMENT_F64)
        return TAKE_FLOAT;
    return scalar_of_element(from) < SCALAR_COUNT ? TAKE_PATTERN : TAKE_REFUSED;
}

// Sizes that are known here become single instructions, where a copy of `bytes` would be a call.
static uint64_t load_raw(ElementType type, const uint8_t *data, int64_t index)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (element_infos[type].bytes) {
    case 1:
        return data[index];
    case 2:
        memcpy(&two, data + 2 * index, sizeof two);
        return two;
    case 4:
        memcpy(&four, data + 4 * index, sizeof four);
        return four;
    default:
        memcpy(&eight, data + 8 * index, sizeof eight);
        return eight;
    }
}

static void store_raw(ElementType type, uint8_t *data, int64_t index, uint64_t wide)
{
    uint16_t two = (uint16_t)wide;
    uint32_t four = (uint32_t)wide;
    switch (element_infos[type].bytes) {
    case 1:
        data[index] = (uint8_t)wide;
        break;
    case 2:
        memcpy(data + 2 * index, &two, sizeof two);
        break;
    case 4:
        memcpy(data + 4 * index, &four, sizeof four);
        break;
    default:
        memcpy(data + 8 * index, &wide, sizeof wide);
        break;
    }
}

static double double_of(uint64_t raw)
{
    double value;
    memcpy(&value, &raw, sizeof value);
    return value;
}

static int64_t sign_extend(ElementType type, uint64_t raw)
{
    int shift = 64 - 8 * element_infos[type].bytes;
    return (int64_t)(raw << shift) >> shift;
}

void scalar_limits(Scalar type, int64_t *least, int64_t *most)
{
    int32_t bits = scalar_traits[type].bits;
    bool is_signed = scalar_traits[type].kind == SCALAR_KIND_SIGNED;
    *least = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    *most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
}

static bool load_integer(ElementType from, uint64_t raw, Scalar to, uint32_t *bits)
{
    int64_t least, most,
        value = element_infos[from].letter == 'i' ? sign_extend(from, raw) : (int64_t)raw;
    bool beyond = is_unsigned(from) && value < 0; // of 64 bits
    scalar_limits(to, &least, &most);
    if (from == ELEMENT_BOOL)
        value = raw != 0;
    if (beyond || value < least || value > most)
        return false;
    *bits = scalar_wrap(to, (uint32_t)value);
    return true;
}

bool element_load(ElementTake take, ElementType from, const uint8_t *data, int64_t index, Scalar to,
                  uint32_t *bits)
{
    uint64_t raw = load_raw(from, data, index);
    switch (take) {
    case TAKE_INTEGER:
        return load_integer(from, raw, to, bits);
    case TAKE_BITS:
        *bits = scalar_wrap(to, (uint32_t)raw);
        return true;
    case TAKE_FLOAT:
        *bits = scalar_from_f32(to, bits_of_float((float)double_of(raw)));
        return true;
    case TAKE_PATTERN:
        *bits = scalar_from_f32(to, scalar_to_f32(scalar_of_element(from), (uint32_t)raw));
        return true;
    case TAKE_REFUSED:
        break;
    }
    return false;
}

bool element_is_raw(ElementType type, Scalar scalar)
{
    const ScalarTraits *traits = &scalar_traits[scalar];
    bool whole = traits->bits == traits->storage_bits && traits->bits == traits->packet_bits;
    return whole && element_infos[type].bytes * 8 == traits->bits;
}

ElementType element_of_scalar(Scalar type, bool narrow_as_f32)
{
    switch (type) {
    case SCALAR_I4:
    case SCALAR_I5:
    case SCALAR_I8:
        return ELEMENT_I8;
    case SCALAR_I9:
    case SCALAR_I16:
        return ELEMENT_I16;
    case SCALAR_I32:
        return ELEMENT_I32;
    case SCALAR_U8:
        return ELEMENT_U8;
    case SCALAR_F8:
        return narrow_as_f32 ? ELEMENT_F32 : ELEMENT_U8;
    case SCALAR_F8E4M3:
        return narrow_as_f32 ? ELEMENT_F32 : ELEMENT_F8E4M3;
    case SCALAR_F8E5M2:
        return narrow_as_f32 ? ELEMENT_F32 : ELEMENT_F8E5M2;
    case SCALAR_BF16:
        return narrow_as_f32 ? ELEMENT_F32 : ELEMENT_BF16;
    case SCALAR_F16:
        return ELEMENT_F16;
    case SCALAR_F32:
    case SCALAR_COUNT:
        break;
    }
    return ELEMENT_F32;
}

void element_store(ElementType to, uint8_t *data, int64_t index, Scalar from, uint32_t bits)
{
    bool widen = to == ELEMENT_F32 && !scalar_is_integer(from);
    store_raw(to, data, index, widen ? scalar_to_f32(from, bits) : bits);
}

double element_value(ElementType type, const uint8_t *data, int64_t index)
{
    uint64_t raw = load_raw(type, data, index);
    Scalar scalar = scalar_of_element(type);
    if (scalar < SCALAR_COUNT)
        return (double)float_of_bits(scalar_to_f32(scalar, (uint32_t)raw));
    if (type == ELEMENT_F64)
        return double_of(raw);
    return element_infos[type].letter == 'i' ? (double)sign_extend(type, raw) : (double)raw;
}

// Values in byte buffers.
//
//     byte      0         1         2
//     i4        [1][0]    [3][2]    [5][4]     low nibble first (drawn high nibble left)
//     i16       [0] low   [0] high  [1] low    little endian, on every host
#include "scalar/scalar.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <endian.h>
#include <string.h>

enum { NIBBLE_BITS = 4, NIBBLE_MASK = 0xf };

uint32_t scalar_wrap(Scalar type, uint32_t bits)
{
    const ScalarTraits *traits = &scalar_traits[type];
    uint32_t kept = bits & low_bits(traits->bits);
    if (traits->kind != SCALAR_KIND_SIGNED)
        return kept;
    uint32_t sign = UINT32_C(1) << (traits->bits - 1);
    return (kept ^ sign) - sign; // copies the sign bit upwards
}

bool scalar_storage_bytes(Scalar type, int64_t length, int64_t *bytes)
{
    int64_t bits;
    if (length < 0 || !checked_mul(length, scalar_traits[type].storage_bits, &bits))
        return false;
    *bytes = ceil_div(bits, BYTE_BITS);
    return true;
}

// 0 or 4: how far the nibble of element `index` is shifted in its byte.
static int32_t nibble_shift(int64_t index)
{
    return index % 2 ? NIBBLE_BITS : 0;
}

uint32_t scalar_load(Scalar type, const uint8_t *buffer, int64_t index)
{
    int32_t storage_bits = scalar_traits[type].storage_bits;
    if (storage_bits == NIBBLE_BITS)
        return scalar_wrap(type, (uint32_t)buffer[index / 2] >> nibble_shift(index));
    int32_t width = storage_bits / BYTE_BITS;
    uint32_t bits = 0;
    for (int32_t i = 0; i < width; i++)
        bits |= (uint32_t)buffer[index * width + i] << (BYTE_BITS * i);
    return scalar_wrap(type, bits);
}

static void store_nibble(uint8_t *byte, int32_t shift, uint32_t bits)
{
    uint32_t other = *byte & ~((uint32_t)NIBBLE_MASK << shift);
    *byte = (uint8_t)(other | (bits & NIBBLE_MASK) << shift);
}

void scalar_store(Scalar type, uint8_t *buffer, int64_t index, uint32_t bits)
{
    int32_t storage_bits = scalar_traits[type].storage_bits;
    if (storage_bits == NIBBLE_BITS) {
        store_nibble(&buffer[index / 2], nibble_shift(index), bits);
        return;
    }
    int32_t width = storage_bits / BYTE_BITS;
    for (int32_t i = 0; i < width; i++)
        buffer[index * width + i] = (uint8_t)(bits >> (BYTE_BITS * i));
}

// Elements of whole bytes, in a loop that vectorises: `sign` is 0 where there is none.
#define UNPACK(name, type, from_little)                                                  \
    static void name(const uint8_t *buffer, int64_t count, uint32_t mask, uint32_t sign, \
                     uint32_t *values)                                                   \
    {                                                                                    \
        for (int64_t i = 0; i < count; i++) {                                            \
            type held;                                                                   \
            memcpy(&held, buffer + i * (int64_t)sizeof held, sizeof held);               \
            values[i] = (((uint32_t)from_little(held) & mask) ^ sign) - sign;            \
        }                                                                                \
    }

#define PACK(name, type, to_little)                                          \
    static void name(const uint32_t *values, int64_t count, uint8_t *buffer) \
    {                                                                        \
        for (int64_t i = 0; i < count; i++) {                                \
            type held = to_little((type)values[i]);                          \
            memcpy(buffer + i * (int64_t)sizeof held, &held, sizeof held);   \
        }                                                                    \
    }

#define AS_IT_IS(byte) (byte)
UNPACK(unpack_8, uint8_t, AS_IT_IS)
UNPACK(unpack_16, uint16_t, le16toh)
UNPACK(unpack_32, uint32_t, le32toh)
PACK(pack_8, uint8_t, AS_IT_IS)
PACK(pack_16, uint16_t, htole16)
PACK(pack_32, uint32_t, htole32)

void scalar_unpack(Scalar type, const uint8_t *buffer, int64_t index, int64_t count,
                   uint32_t *values)
{
    const ScalarTraits *traits = &scalar_traits[type];
    bool is_signed = traits->kind == SCALAR_KIND_SIGNED;
    uint32_t mask = low_bits(traits->bits);
    uint32_t sign = is_signed ? UINT32_C(1) << (traits->bits - 1) : 0;
    if (traits->storage_bits == 8)
        unpack_8(buffer + index, count, mask, sign, values);
    else if (traits->storage_bits == 16)
        unpack_16(buffer + index * 2, count, mask, sign, values);
    else if (traits->storage_bits == 32)
        unpack_32(buffer + index * 4, count, mask, sign, values);
    else
        for (int64_t i = 0; i < count; i++)
            values[i] = scalar_load(type, buffer, index + i);
}

void scalar_pack(Scalar type, const uint32_t *values, int64_t count, uint8_t *buffer, int64_t index)
{
    int32_t storage_bits = scalar_traits[type].storage_bits;
    if (storage_bits == 8)
        pack_8(values, count, buffer + index);
    else if (storage_bits == 16)
        pack_16(values, count, buffer + index * 2);
    else if (storage_bits == 32)
        pack_32(values, count, buffer + index * 4);
    else
        for (int64_t i = 0; i < count; i++)
            scalar_store(type, buffer, index + i, values[i]);
}

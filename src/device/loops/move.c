#include "device/loops/move.h"

#include "scalar/bits.h"

#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE16(value) (value)
#define LITTLE32(value) (value)
#else
#define LITTLE16(value) __builtin_bswap16(value)
#define LITTLE32(value) __builtin_bswap32(value)
#endif

// ---- one element

static inline uint32_t load_s8(const uint8_t *far)
{
    return (uint32_t)(int8_t)*far;
}

static inline uint32_t load_u8(const uint8_t *far)
{
    return *far;
}

static inline uint16_t load_16(const uint8_t *far)
{
    uint16_t value;
    memcpy(&value, far, sizeof value);
    return (uint16_t)LITTLE16(value);
}

static inline uint32_t load_s16(const uint8_t *far)
{
    return (uint32_t)(int16_t)load_16(far);
}

static inline uint32_t load_u16(const uint8_t *far)
{
    return load_16(far);
}

static inline uint32_t load_high16(const uint8_t *far)
{
    return (uint32_t)load_16(far) << 16;
}

static inline uint32_t load_32(const uint8_t *far)
{
    uint32_t value;
    memcpy(&value, far, sizeof value);
    return LITTLE32(value);
}

static inline void store_8(uint8_t *far, uint32_t bits)
{
    *far = (uint8_t)bits;
}

static inline void store_16(uint8_t *far, uint32_t bits)
{
    uint16_t value = LITTLE16((uint16_t)bits);
    memcpy(far, &value, sizeof value);
}

static inline void store_32(uint8_t *far, uint32_t bits)
{
    uint32_t value = LITTLE32(bits);
    memcpy(far, &value, sizeof value);
}

// ---- runs of them

// What is one run after all, is one.
static inline MoveShape joined(const MoveShape *shape, int64_t width)
{
    if (shape->count == 1 ||
        (shape->near_step == shape->run && shape->far_step == shape->run * width))
        return (MoveShape){shape->run * shape->count, 1, 0, 0};
    return *shape;
}

// A run of few elements is worth code of its own, where its length is known.
#define BY_LENGTH(runs, from, to, shape)     \
    switch ((shape)->run) {                  \
        LENGTH(runs, from, to, shape, 1)     \
        LENGTH(runs, from, to, shape, 2)     \
        LENGTH(runs, from, to, shape, 3)     \
        LENGTH(runs, from, to, shape, 4)     \
        LENGTH(runs, from, to, shape, 5)     \
        LENGTH(runs, from, to, shape, 6)     \
        LENGTH(runs, from, to, shape, 7)     \
        LENGTH(runs, from, to, shape, 8)     \
        LENGTH(runs, from, to, shape, 12)    \
        LENGTH(runs, from, to, shape, 16)    \
        LENGTH(runs, from, to, shape, 24)    \
        LENGTH(runs, from, to, shape, 32)    \
    default:                                 \
        runs(from, to, shape, (shape)->run); \
    }
#define LENGTH(runs, from, to, shape, length) \
    case length:                              \
        runs(from, to, shape, length);        \
        break;

#define UNPACK(name, width)                                                                     \
    static inline void unpack_runs_##name(const uint8_t *restrict far, uint32_t *restrict near, \
                                          const MoveShape *shape, int64_t run)                  \
    {                                                                                           \
        for (int64_t k = 0; k < shape->count; k++) {                                            \
            for (int64_t i = 0; i < run; i++)                                                   \
                near[i] = load_##name(far + i * (width));                                       \
            far += shape->far_step;                                                             \
            near += shape->near_step;                                                           \
        }                                                                                       \
    }                                                                                           \
    static void unpack_##name(const uint8_t *far, uint32_t *near, const MoveShape *given)       \
    {                                                                                           \
        MoveShape shape = joined(given, width);                                                 \
        BY_LENGTH(unpack_runs_##name, far, near, &shape)                                        \
    }

UNPACK(s8, 1)
UNPACK(u8, 1)
UNPACK(s16, 2)
UNPACK(u16, 2)
UNPACK(high16, 2)
UNPACK(32, 4)

#define PACK(name, width)                                                                     \
    static inline void pack_runs_##name(const uint32_t *restrict near, uint8_t *restrict far, \
                                        const MoveShape *shape, int64_t run)                  \
    {                                                                                         \
        for (int64_t k = 0; k < shape->count; k++) {                                          \
            for (int64_t i = 0; i < run; i++)                                                 \
                store_##name(far + i * (width), near[i]);                                     \
            far += shape->far_step;                                                           \
            near += shape->near_step;                                                         \
        }                                                                                     \
    }                                                                                         \
    static void pack_##name(const uint32_t *near, uint8_t *far, const MoveShape *given)       \
    {                                                                                         \
        MoveShape shape = joined(given, width);                                               \
        BY_LENGTH(pack_runs_##name, near, far, &shape)                                        \
    }

PACK(8, 1)
PACK(16, 2)
PACK(32, 4)

static inline void fill_runs(uint32_t value, uint32_t *near, const MoveShape *shape, int64_t run)
{
    for (int64_t k = 0; k < shape->count; k++, near += shape->near_step)
        for (int64_t i = 0; i < run; i++)
            near[i] = value;
}

static void fill(uint32_t value, uint32_t *near, const MoveShape *shape)
{
    BY_LENGTH(fill_runs, value, near, shape)
}

// ---- half bytes

static inline uint32_t sign_extend_half(uint32_t half)
{
    return ((half & 0xf) ^ 8) - 8;
}

// Two elements at once are a word: the loops over them know nothing of pairs.
static inline void store_pair(uint32_t *near, uint64_t low, uint64_t high)
{
    uint64_t pair = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? low | high << 32 : low << 32 | high;
    memcpy(near, &pair, sizeof pair);
}

static inline uint8_t load_pair(const uint32_t *near)
{
    uint64_t pair;
    memcpy(&pair, near, sizeof pair);
    uint64_t low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? pair : pair >> 32;
    uint64_t high = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? pair >> 32 : pair;
    return (uint8_t)((low & 0xf) | (high & 0xf) << 4);
}

static void unpack_halves(const uint8_t *restrict far, int64_t index, int64_t count,
                          uint32_t *restrict near)
{
    far += index / 2;
    if (index % 2 && count > 0) {
        *near++ = sign_extend_half((uint32_t)*far++ >> 4);
        count--;
    }
    for (int64_t i = 0; i < count / 2; i++) {
        uint64_t low = sign_extend_half(far[i]), high = sign_extend_half((uint32_t)far[i] >> 4);
        store_pair(near + 2 * i, low, high);
    }
    if (count % 2)
        near[count - 1] = sign_extend_half(far[count / 2]);
}

static void pack_halves(const uint32_t *restrict near, int64_t count, uint8_t *restrict far,
                        int64_t index)
{
    far += index / 2;
    if (index % 2 && count > 0) {
        *far = (uint8_t)((*far & 0xf) | *near++ << 4);
        far++;
        count--;
    }
    for (int64_t i = 0; i < count / 2; i++)
        far[i] = load_pair(near + 2 * i);
    if (count % 2)
        far[count / 2] = (uint8_t)((far[count / 2] & 0xf0) | (near[count - 1] & 0xf));
}

// ---- the adapter

static void look_up(uint32_t *restrict bits, int64_t count, const uint32_t *restrict table,
                    uint32_t entries, uint32_t mask)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t index = bits[i] & mask;
        bits[i] = index < entries ? table[index] : 0;
    }
}

static void subtract_signed(uint32_t *bits, int64_t count, uint32_t point, int32_t drop)
{
    for (int64_t i = 0; i < count; i++)
        bits[i] = (uint32_t)((int32_t)((bits[i] - point) << drop) >> drop);
}

static void subtract_unsigned(uint32_t *bits, int64_t count, uint32_t point, int32_t drop)
{
    for (int64_t i = 0; i < count; i++)
        bits[i] = (bits[i] - point) << drop >> drop;
}

// A subnormal is a number of units of 2^-24, which are all exact in f32. NaNs keep their bits.
static void f16_to_f32(uint32_t *bits, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t magnitude = bits[i] & 0x7fff, sign = (bits[i] & 0x8000) << 16;
        uint32_t normal = (magnitude << 13) + (UINT32_C(112) << 23);
        uint32_t special = normal + (UINT32_C(112) << 23);
        uint32_t tiny = bits_of_float((float)(int32_t)magnitude * 0x1p-24F);
        uint32_t is_tiny = -(uint32_t)(magnitude < 0x400),
                 is_special = -(uint32_t)(magnitude >= 0x7c00);
        uint32_t finite = (tiny & is_tiny) | (normal & ~is_tiny);
        bits[i] = sign | (special & is_special) | (finite & ~is_special);
    }
}

// To nearest, ties to even; what rounds past the largest becomes infinity by itself.
static void f32_to_bf16(uint32_t *bits, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t high = bits[i] >> 16;
        uint32_t rounded = (bits[i] + 0x7fff + (high & 1)) >> 16;
        bits[i] = (bits[i] & 0x7fffffff) > 0x7f800000 ? high | 0x40 : rounded;
    }
}

const MoveLoops LOOPS(move_loops) = {
    .unpack = {[UNPACK_S8] = unpack_s8,
               [UNPACK_U8] = unpack_u8,
               [UNPACK_S16] = unpack_s16,
               [UNPACK_U16] = unpack_u16,
               [UNPACK_HIGH16] = unpack_high16,
               [UNPACK_32] = unpack_32},
    .pack = {[PACK_8] = pack_8, [PACK_16] = pack_16, [PACK_32] = pack_32},
    .fill = fill,
    .unpack_halves = unpack_halves,
    .pack_halves = pack_halves,
    .look_up = look_up,
    .subtract_signed = subtract_signed,
    .subtract_unsigned = subtract_unsigned,
    .f16_to_f32 = f16_to_f32,
    .f32_to_bf16 = f32_to_bf16,
};

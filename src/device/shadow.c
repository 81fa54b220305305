#include "device/shadow.h"

#include "base/checked.h"

int64_t shadow_stride(int64_t size)
{
    return ceil_div(size, SHADOW_BLOCK) * SHADOW_BLOCK;
}

bool shadow_new(ShadowSpace *space, int64_t count, int64_t size)
{
    int64_t bytes = count * shadow_stride(size) * (int64_t)sizeof(uint16_t);
    return reserve(&space->bytes, bytes) && reserve(&space->blocks, bytes / SHADOW_BLOCK);
}

void shadow_free(ShadowSpace *space)
{
    reservation_free(&space->bytes);
    reservation_free(&space->blocks);
}

Shadow shadow_of(const ShadowSpace *space, int64_t number, int64_t size)
{
    int64_t first = number * shadow_stride(size);
    return (Shadow){(uint16_t *)(void *)space->bytes.bytes + first,
                    (uint16_t *)(void *)space->blocks.bytes + first / SHADOW_BLOCK};
}

static uint16_t value_at(const Shadow *shadow, int64_t at)
{
    uint16_t block = shadow->blocks[at / SHADOW_BLOCK];
    return block == SHADOW_MIXED ? shadow->bytes[at] : block;
}

int64_t shadow_alike(const Shadow *shadow, int64_t at, int64_t end, uint16_t *value)
{
    const uint16_t first = value_at(shadow, at);
    int64_t i = at;
    *value = first;
    while (i < end) {
        int64_t next = min_i64(end, (i / SHADOW_BLOCK + 1) * SHADOW_BLOCK);
        uint16_t block = shadow->blocks[i / SHADOW_BLOCK];
        if (block == first) {
            i = next;
            continue;
        }
        while (block == SHADOW_MIXED && i < next && shadow->bytes[i] == first)
            i++;
        if (i < next)
            break;
    }
    return i - at;
}

// A part of a block. One whose bytes are all the same behind it is whole again.
static void fill_part(const Shadow *shadow, int64_t at, int64_t end, uint16_t value)
{
    enum { LAST = SHADOW_BLOCK - 1 };
    uint16_t *block = &shadow->blocks[at / SHADOW_BLOCK], was = *block, differs = 0;
    uint16_t *bytes = shadow->bytes + at / SHADOW_BLOCK * SHADOW_BLOCK;
    if (was == value)
        return;
    if (was != SHADOW_MIXED)
        for (int64_t i = 0; i < SHADOW_BLOCK; i++)
            bytes[i] = was;
    for (int64_t i = at; i < end; i++)
        shadow->bytes[i] = value;
    *block = SHADOW_MIXED;
    if (bytes[0] != value || bytes[LAST] != value) // mostly enough to tell
        return;
    for (int64_t i = 0; i < SHADOW_BLOCK; i++)
        differs |= (uint16_t)(bytes[i] ^ value);
    *block = differs ? SHADOW_MIXED : value;
}

void shadow_fill(const Shadow *shadow, int64_t at, int64_t end, uint16_t value)
{
    if (at % SHADOW_BLOCK && at < end) {
        int64_t next = min_i64(end, (at / SHADOW_BLOCK + 1) * SHADOW_BLOCK);
        fill_part(shadow, at, next, value);
        at = next;
    }
    for (; at + SHADOW_BLOCK <= end; at += SHADOW_BLOCK)
        shadow->blocks[at / SHADOW_BLOCK] = value;
    if (at < end)
        fill_part(shadow, at, end, value);
}

void shadow_age(void *shadow, int64_t from, int64_t to)
{
    const Shadow *of = shadow;
    for (int64_t at = from / SHADOW_BLOCK * SHADOW_BLOCK; at < to; at += SHADOW_BLOCK) {
        uint16_t *block = &of->blocks[at / SHADOW_BLOCK];
        if (*block >= SHADOW_FIRST)
            *block = SHADOW_OLD;
        for (int64_t i = at; *block == SHADOW_MIXED && i < at + SHADOW_BLOCK; i++)
            if (of->bytes[i] >= SHADOW_FIRST)
                of->bytes[i] = SHADOW_OLD;
    }
}

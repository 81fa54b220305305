#include "device/shadow.h"

#include "base/checked.h"

#include <string.h>

enum { AT_ONCE = sizeof(uint64_t) / sizeof(uint16_t) };

// A little apart: the same address of many slices is not in the same place of a cache.
int64_t shadow_stride(int64_t size)
{
    enum { APART = 65 };
    return (ceil_div(size, SHADOW_BLOCK) + APART) * SHADOW_BLOCK;
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

static uint64_t repeated(uint16_t value)
{
    return value * (UINT64_MAX / UINT16_MAX);
}

// The first of bytes [at, end) that has another; `end`: none.
static int64_t other_than(const uint16_t *bytes, int64_t at, int64_t end, uint16_t value)
{
    const uint64_t same = repeated(value);
    for (uint64_t some = same; at + AT_ONCE <= end; at += AT_ONCE) {
        memcpy(&some, bytes + at, sizeof some);
        if (some != same)
            break;
    }
    while (at < end && bytes[at] == value)
        at++;
    return at;
}

static void set_bytes(uint16_t *bytes, int64_t count, uint16_t value)
{
    const uint64_t some = repeated(value);
    for (; count >= AT_ONCE; count -= AT_ONCE, bytes += AT_ONCE)
        memcpy(bytes, &some, sizeof some);
    for (int64_t i = 0; i < count; i++)
        bytes[i] = value;
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
        if (block == SHADOW_MIXED)
            i = other_than(shadow->bytes, i, next, first);
        if (i < next)
            break;
    }
    return i - at;
}

// A part of a block. One whose bytes are all the same behind it is whole again.
static void fill_part(const Shadow *shadow, int64_t at, int64_t end, uint16_t value)
{
    enum { LAST = SHADOW_BLOCK - 1 };
    int64_t first = at / SHADOW_BLOCK * SHADOW_BLOCK;
    uint16_t *block = &shadow->blocks[at / SHADOW_BLOCK], was = *block;
    uint16_t *bytes = shadow->bytes + first;
    if (was == value)
        return;
    if (was != SHADOW_MIXED) {
        set_bytes(bytes, SHADOW_BLOCK, was);
        *block = SHADOW_MIXED;
    }
    set_bytes(shadow->bytes + at, end - at, value);
    if (bytes[0] == value && bytes[LAST] == value && // mostly enough to tell
        other_than(bytes, 0, SHADOW_BLOCK, value) == SHADOW_BLOCK)
        *block = value;
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

static void renew_block(const Shadow *shadow, int64_t block, uint16_t value)
{
    uint16_t *bytes = shadow->bytes + block * SHADOW_BLOCK, least = UINT16_MAX;
    uint16_t was = shadow->blocks[block];
    if (was != SHADOW_MIXED) {
        shadow->blocks[block] = was > SHADOW_LEFT ? value : was;
        return;
    }
    for (int64_t i = 0; i < SHADOW_BLOCK; i++)
        least = bytes[i] < least ? bytes[i] : least;
    if (least > SHADOW_LEFT) {
        shadow->blocks[block] = value;
        return;
    }
    for (int64_t i = 0; i < SHADOW_BLOCK; i++)
        bytes[i] = bytes[i] > SHADOW_LEFT ? value : bytes[i];
}

void shadow_renew(const Shadow *shadow, int64_t at, int64_t end, uint16_t value)
{
    uint16_t was;
    for (int64_t next; at < end; at = next) {
        int64_t block = at / SHADOW_BLOCK;
        next = min_i64(end, (block + 1) * SHADOW_BLOCK);
        if (next - at == SHADOW_BLOCK) {
            renew_block(shadow, block, value);
            continue;
        }
        next = at + shadow_alike(shadow, at, next, &was);
        if (was > SHADOW_LEFT)
            shadow_fill(shadow, at, next, value);
    }
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

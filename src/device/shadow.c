#include "device/shadow.h"

#include "base/checked.h"

#include <string.h>

// Loops over whole blocks are what the compiler makes vectors of.
enum { BLOCK = 64 };

int64_t shadow_alike(const uint16_t *shadow, int64_t count)
{
    const uint16_t first = shadow[0];
    int64_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        uint16_t differs = 0;
        for (int64_t k = 0; k < BLOCK; k++)
            differs |= (uint16_t)(shadow[i + k] ^ first);
        if (differs)
            break;
    }
    while (i < count && shadow[i] == first)
        i++;
    return i;
}

void shadow_fill(uint16_t *shadow, int64_t count, uint16_t value)
{
    for (int64_t i = 0; i < count; i++)
        shadow[i] = value;
}

static uint16_t copied(const ShadowCopy *copy, uint16_t value)
{
    uint16_t old = value > SHADOW_LEFT ? SHADOW_LEFT : value;
    return value >= copy->launch ? copy->writer : old;
}

bool shadow_copy(const ShadowCopy *copy, uint16_t *to, const uint16_t *from, int64_t count)
{
    const ShadowCopy by = *copy;
    for (int64_t i = 0; i < count; i += BLOCK) {
        uint16_t unknown = 0;
        int64_t end = min_i64(count, i + BLOCK);
        for (int64_t k = i; k < end; k++)
            unknown |= (uint16_t)((from[k] >= by.launch) & (from[k] != by.known));
        if (unknown)
            return false;
        for (int64_t k = i; k < end; k++)
            to[k] = copied(&by, from[k]);
    }
    return true;
}

void shadow_copy_any(const ShadowCopy *copy, uint16_t *to, const uint16_t *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = copied(copy, from[i]);
}

#include "choices.h"

Choices choices_of_seed(uint64_t seed)
{
    return (Choices){.rng = small_rng_seed_from_u64(seed)};
}

Choices choices_of_bytes(const uint8_t *bytes, size_t count)
{
    return (Choices){.bytes = bytes, .count = count};
}

static uint64_t next_byte(Choices *choices)
{
    return choices->at < choices->count ? choices->bytes[choices->at++] : 0;
}

int64_t choose(Choices *choices, int64_t n)
{
    if (!choices->bytes)
        return (int64_t)(small_rng_next_u64(&choices->rng) % (uint64_t)n);
    uint64_t value = next_byte(choices);
    if (n > 256)
        value = value << 8 | next_byte(choices);
    return (int64_t)(value % (uint64_t)n);
}

// The unlikely is a high number, so that bytes that run out choose what is usual.
bool chance(Choices *choices, int64_t percent)
{
    return choose(choices, 100) >= 100 - percent;
}

uint32_t choose_bits(Choices *choices)
{
    if (!choices->bytes)
        return small_rng_next_u32(&choices->rng);
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | next_byte(choices);
    return (uint32_t)bits;
}

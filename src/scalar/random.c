// Random values as the reference library draws them, so that its tests see the same numbers:
// SplitMix64 fills the state from a seed, xoshiro256++ runs on it, and each element takes one draw
// of 32 bits.
#include "scalar/scalar.h"

#include "scalar/bits.h"

static uint64_t rotate_left(uint64_t value, int32_t count)
{
    return value << count | value >> (64 - count);
}

SmallRng small_rng_seed_from_u64(uint64_t seed)
{
    SmallRng rng;
    for (int32_t i = 0; i < 4; i++) {
        seed += UINT64_C(0x9e3779b97f4a7c15);
        uint64_t word = seed;
        word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
        rng.state[i] = word ^ word >> 31;
    }
    return rng;
}

uint64_t small_rng_next_u64(SmallRng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint32_t small_rng_next_u32(SmallRng *rng)
{
    return (uint32_t)(small_rng_next_u64(rng) >> 32);
}

bool scalar_random(SmallRng *rng, Scalar type, uint32_t *bits)
{
    float value = 0.0f;
    switch (scalar_traits[type].random) {
    case SCALAR_RANDOM_NONE:
        return false;
    case SCALAR_RANDOM_BITS:
        *bits = scalar_wrap(type, small_rng_next_u32(rng));
        return true;
    case SCALAR_RANDOM_UNIT:
        // [0, 1) in steps of 2^-24, exact
        value = (float)(small_rng_next_u32(rng) >> 8) * 0x1p-24f;
        break;
    case SCALAR_RANDOM_SYMMETRIC:
        // [-1, 1) in steps of 2^-22, exact
        value = (float)(small_rng_next_u32(rng) >> 9) * 0x1p-22f - 1.0f;
        break;
    }
    *bits = scalar_from_f32(type, bits_of_float(value));
    return true;
}

// The generator and the distributions, against numbers of the reference library.
#include "reference.h"

TEST(seed_42_gives_its_numbers)
{
    static const uint64_t words[] = {0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52,
                                     0x581ce1ff0e4ae394};
    static const uint64_t draws[] = {0xd0764d4f4476689f, 0x519e4174576f3791, 0xfbe07cfb0c24ed8c,
                                     0xb37d9f600cd835b8, 0xcb231c3874846a73, 0x968d9f004e50de7d,
                                     0x201718ff221a3556, 0x9ae94e070ed8cb46};
    SmallRng rng = small_rng_seed_from_u64(42);
    assert_memory_equal(rng.state, words, sizeof(words));
    for (size_t i = 0; i < LENGTH_OF(draws); i++)
        assert_true(small_rng_next_u64(&rng) == draws[i]);
    rng = small_rng_seed_from_u64(42);
    for (size_t i = 0; i < LENGTH_OF(draws); i++)
        assert_true(small_rng_next_u32(&rng) == draws[i] >> 32);
}

TEST(seed_0_gives_its_numbers)
{
    static const uint64_t draws[] = {UINT64_C(5987356902031041503), UINT64_C(7051070477665621255),
                                     UINT64_C(6633766593972829180)};
    SmallRng rng = small_rng_seed_from_u64(0);
    for (size_t i = 0; i < LENGTH_OF(draws); i++)
        assert_true(small_rng_next_u64(&rng) == draws[i]);
}

TEST(types_draw_their_values)
{
    static const struct {
        Scalar type;
        int32_t count;
        uint32_t want[8];
    } cases[] = {
        {SCALAR_I8, 8, {79, 116, -5, 96, 56, 0, -1, 7}},
        {SCALAR_U8, 8, {79, 116, 251, 96, 56, 0, 255, 7}},
        {SCALAR_I16, 4, {0x4d4f, 0x4174, 0x7cfb, 0xffff9f60}},
        {SCALAR_I32, 4, {-797553329, 1369325940, -69174021, -1283612832}},
        {SCALAR_F32, 4, {0x3f50764d, 0x3ea33c82, 0x3f7be07c, 0x3f337d9f}},
        {SCALAR_BF16, 8, {0x3f21, 0xbeba, 0x3f78, 0x3ece, 0x3f16, 0x3e34, 0xbf40, 0x3e57}},
        // By hand from the values before rounding: 0.6287, -0.3624, 0.9678, 0.4023.
        {SCALAR_F8E4M3, 4, {0x32, 0xac, 0x37, 0x2d}},
        {SCALAR_F8, 4, {160, 0, 247, 102}},
    };
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        SmallRng rng = small_rng_seed_from_u64(42);
        for (int32_t k = 0; k < cases[i].count; k++) {
            uint32_t got;
            assert_true(scalar_random(&rng, cases[i].type, &got));
            assert_bits(got, cases[i].want[k], cases[i].type, k);
        }
    }
}

// Against the formula in doubles, where all of it is exact, over many draws.
TEST(floats_follow_their_formula)
{
    static const Scalar types[] = {SCALAR_F32, SCALAR_BF16, SCALAR_F8E4M3, SCALAR_F8};
    SmallRng rng = small_rng_seed_from_u64(7);
    for (int32_t i = 0; i < 40000; i++) {
        Scalar type = types[i % 4];
        SmallRng twin = rng;
        uint32_t draw = small_rng_next_u32(&twin), got;
        double value =
            type == SCALAR_F32 ? floor(draw / 256.0) / 16777216 : floor(draw / 512.0) / 4194304 - 1;
        assert_true(scalar_random(&rng, type, &got));
        assert_bits(got, reference_narrow(type, float_to_bits((float)value)), type, draw);
        assert_memory_equal(&rng, &twin, sizeof(rng));
    }
}

TEST(some_types_have_no_distribution)
{
    static const Scalar types[] = {SCALAR_I4, SCALAR_I5, SCALAR_I9, SCALAR_F16, SCALAR_F8E5M2};
    SmallRng rng = small_rng_seed_from_u64(1), before = rng;
    for (size_t i = 0; i < LENGTH_OF(types); i++) {
        uint32_t bits;
        assert_false(scalar_random(&rng, types[i], &bits));
        assert_memory_equal(&rng, &before, sizeof(rng));
    }
}

// The loops that move elements, of every instruction set that is here, against the scalar types.
#include "device/loops/move.h"

#include "base/checked.h"
#include "scalar/bits.h"
#include "scalar/scalar.h"
#include "sets.h"
#include "shrink.h"
#include "test.h"

#include <string.h>

static int64_t draw(Rng *rng, int64_t least, int64_t most)
{
    return least + rng_below(rng, most - least + 1);
}

enum { ELEMENTS = 200 };

static void check_moves(const MoveLoops *loops, const uint8_t *bytes, const MoveShape *shape)
{
    static const struct {
        Scalar type;
        UnpackKind unpack;
        PackKind pack;
    } kinds[] = {{SCALAR_I8, UNPACK_S8, PACK_8},    {SCALAR_U8, UNPACK_U8, PACK_8},
                 {SCALAR_I16, UNPACK_S16, PACK_16}, {SCALAR_F16, UNPACK_U16, PACK_16},
                 {SCALAR_F32, UNPACK_32, PACK_32},  {SCALAR_BF16, UNPACK_HIGH16, PACK_16}};
    for (size_t n = 0; n < COUNT_OF(kinds); n++) {
        uint32_t near[ELEMENTS] = {0};
        uint8_t far[ELEMENTS * 8] = {0};
        int64_t width = scalar_traits[kinds[n].type].storage_bits / BYTE_BITS;
        loops->unpack[kinds[n].unpack](bytes, near, shape);
        loops->pack[kinds[n].pack](near, far, shape);
        for (int64_t i = 0; i < shape->run * shape->count; i++) {
            int64_t from = i / shape->run * shape->far_step + i % shape->run * width;
            uint32_t got = near[i / shape->run * shape->near_step + i % shape->run];
            uint32_t value = scalar_load(kinds[n].type, bytes + from, 0);
            bool is_high = kinds[n].unpack == UNPACK_HIGH16;
            assert_int_equal(got, is_high ? value << 16 : value);
            assert_int_equal(scalar_wrap(kinds[n].type, scalar_load(kinds[n].type, far + from, 0)),
                             is_high ? 0 : value);
        }
    }
}

static void check_halves(const MoveLoops *loops, const uint8_t *bytes, Rng *rng)
{
    int64_t index = draw(rng, 0, 3), count = draw(rng, 0, 70);
    uint32_t near[ELEMENTS];
    uint8_t far[ELEMENTS], expected[ELEMENTS];
    for (int64_t i = 0; i < ELEMENTS; i++)
        far[i] = expected[i] = (uint8_t)rng_next(rng);
    loops->unpack_halves(bytes, index, count, near);
    loops->pack_halves(near, count, far, index + 1);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(near[i], scalar_load(SCALAR_I4, bytes, index + i));
        scalar_store(SCALAR_I4, expected, index + 1 + i, near[i]);
    }
    assert_memory_equal(far, expected, sizeof far);
}

static void check_conversions(const MoveLoops *loops, const uint32_t *drawn)
{
    static const Scalar wraps[] = {SCALAR_I9, SCALAR_U8, SCALAR_I32};
    uint32_t bits[ELEMENTS], wide[ELEMENTS];
    for (int64_t i = 0; i < ELEMENTS; i++)
        wide[i] = drawn[i] & 0xffff;
    loops->f16_to_f32(wide, ELEMENTS);
    memcpy(bits, drawn, sizeof bits);
    loops->f32_to_bf16(bits, ELEMENTS);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        assert_int_equal(wide[i], scalar_to_f32(SCALAR_F16, drawn[i] & 0xffff));
        assert_int_equal(bits[i], scalar_from_f32(SCALAR_BF16, drawn[i]));
    }
    for (size_t n = 0; n < COUNT_OF(wraps); n++) {
        const ScalarTraits *traits = &scalar_traits[wraps[n]];
        memcpy(bits, drawn, sizeof bits);
        if (traits->kind == SCALAR_KIND_SIGNED)
            loops->subtract_signed(bits, ELEMENTS, 77, 32 - traits->bits);
        else
            loops->subtract_unsigned(bits, ELEMENTS, 77, 32 - traits->bits);
        for (int64_t i = 0; i < ELEMENTS; i++)
            assert_int_equal(bits[i], scalar_wrap(wraps[n], drawn[i] - 77));
    }
    memcpy(bits, drawn, sizeof bits);
    loops->look_up(bits, ELEMENTS, drawn, 100, 127);
    for (int64_t i = 0; i < ELEMENTS; i++)
        assert_int_equal(bits[i], (drawn[i] & 127) < 100 ? drawn[drawn[i] & 127] : 0);
}

static uint32_t draw_bits(Rng *rng)
{
    static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7f800001,
                                       0x7fc00000, 0xffffffff, 0x007fffff, 0x00000001, 0x7f7fffff,
                                       0x3f808000, 0x3f818000, 0x7c00,     0x7c01,     0x03ff,
                                       0x8001,     0xfc00,     0xfe00,     0x0400};
    return rng_chance(rng, 30) ? special[rng_below(rng, COUNT_OF(special))]
                               : (uint32_t)rng_next(rng);
}

TEST(loops_of_all_isas)
{
    const MoveLoops *const *choice = LOOPS_CHOICE(MoveLoops, move_loops);
    Rng rng = {test_seed() + 3};
    for (int64_t n = 0; n < max_i64(1, (int64_t)(3000 * test_scale())); n++) {
        uint32_t drawn[ELEMENTS];
        uint8_t bytes[ELEMENTS * 8];
        for (int64_t i = 0; i < ELEMENTS; i++)
            drawn[i] = draw_bits(&rng);
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)rng_next(&rng);
        int64_t run = rng_chance(&rng, 50) ? draw(&rng, 1, 8) : draw(&rng, 1, 40);
        MoveShape shape = {run, draw(&rng, 1, ELEMENTS / run / 2), run, run * 4};
        if (rng_chance(&rng, 60)) {
            shape.near_step += draw(&rng, 0, run);
            shape.far_step += draw(&rng, 0, run * 2);
        }
        for (Isa isa = 0; isa < ISA_COUNT; isa++)
            if (isa_is_here(isa)) {
                sets_note(isa);
                check_moves(choice[isa], bytes, &shape);
                check_halves(choice[isa], bytes, &rng);
                check_conversions(choice[isa], drawn);
                uint32_t near[ELEMENTS] = {0};
                choice[isa]->fill(7, near, &shape);
                for (int64_t i = 0; i < run * shape.count; i++)
                    assert_int_equal(near[i / run * shape.near_step + i % run], 7);
            }
    }
}

TEST_END(sets_report)

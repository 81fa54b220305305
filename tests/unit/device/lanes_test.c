// The inner loops of the Vector and the Cast Engine, for every instruction set that is here,
// against the plain definitions: those of the oracle for operations, of src/scalar for conversions
// and functions.
#include "device/loops/cast.h"
#include "device/loops/lanes.h"

#include "oracle/internal.h"
#include "scalar/bits.h"
#include "scalar/scalar.h"
#include "sets.h"
#include "shrink.h"
#include "test.h"

#include <string.h>

enum { MOST = 1031 };

static const uint32_t specials[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
    0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, 0x7fbfffff, 0x4f000000,
    0xcf000000, 0x4effffff, 0x3effffff, 0x33800000, 0x42b17218, 0xc2cff1b5, 0xc2aeac50, 0x477fe000,
    0x477ff000, 0x38800000, 0x33000000, 0x43e00000, 0x43e80000, 0x3b000000, 0x3a800000, 0x3f7fffff,
};
enum { SPECIALS = sizeof specials / sizeof *specials };

// Any bits, numbers of usual size, small integers (shifts among them), and specials.
static uint32_t draw(SmallRng *rng)
{
    uint32_t bits = small_rng_next_u32(rng), kind = small_rng_next_u32(rng) % 8;
    if (kind < 2)
        return bits;
    if (kind < 5)
        return (bits & 0x83ffffff) | 0x3c000000;
    return kind == 5 ? bits % 128 - 64 : kind == 6 ? bits % 64 : specials[bits % SPECIALS];
}

static void draw_all(SmallRng *rng, uint32_t *bits, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        bits[i] = draw(rng);
}

static int64_t rounds(int64_t count)
{
    int64_t scaled = (int64_t)((double)count * test_scale());
    return scaled > 0 ? scaled : 1;
}

// A short one, or any.
static int64_t draw_length(SmallRng *rng)
{
    uint32_t bits = small_rng_next_u32(rng);
    return 1 + (bits % 2 ? bits / 2 % 40 : bits / 2 % MOST);
}

static const LaneLoops *lanes_of(Isa isa)
{
    sets_note(isa);
    return LOOPS_CHOICE(LaneLoops, lane_loops)[isa];
}

// ---- operations

static void check_operation(Isa isa, VectorOp op, SmallRng *rng)
{
    uint32_t values[LANE_ARGUMENTS][MOST], out[MOST];
    int64_t count = draw_length(rng);
    LaneArguments from = {.fixed = small_rng_next_u32(rng) % 8};
    for (int i = 0; i < LANE_ARGUMENTS; i++) {
        draw_all(rng, values[i], count);
        from.bits[i] = values[i];
    }
    uint32_t expected[MOST];
    for (int64_t i = 0; i < count; i++)
        expected[i] =
            alu_apply(op, values[0][from.fixed & 1 ? 0 : i], values[1][from.fixed & 2 ? 0 : i],
                      values[2][from.fixed & 4 ? 0 : i]);
    uint32_t *to = small_rng_next_u32(rng) % 2 || from.fixed & 1 ? out : values[0]; // or in place
    lanes_of(isa)->apply[op](&from, count, to);
    for (int64_t i = 0; i < count; i++)
        if (to[i] != expected[i])
            fail_msg("%s %s: element %lld of %lld is %08x, not %08x", isa_name(isa),
                     vector_ops[op].name, (long long)i, (long long)count, to[i], expected[i]);
}

TEST(operations_are_those_of_the_oracle)
{
    SmallRng rng = small_rng_seed_from_u64(test_seed());
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        for (VectorOp op = 0; isa_is_here(isa) && op < VECTOR_OP_COUNT; op++)
            for (int64_t i = rounds(100); i > 0; i--)
                check_operation(isa, op, &rng);
}

// Every pair of specials, shifts by all amounts.
TEST(pairs_of_specials)
{
    uint32_t b[64], out[64];
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        for (VectorOp op = 0; isa_is_here(isa) && op < VECTOR_OP_COUNT; op++)
            for (int i = 0; i < SPECIALS; i++)
                for (uint32_t third = 0; third < 4; third++) {
                    for (uint32_t k = 0; k < 64; k++)
                        b[k] = third == 3 ? k : specials[(k + third) % SPECIALS];
                    uint32_t a = specials[i], c = specials[(i * 7 + 3) % SPECIALS];
                    LaneArguments from = {{&a, b, &c}, 5};
                    lanes_of(isa)->apply[op](&from, 64, out);
                    for (int k = 0; k < 64; k++)
                        assert_int_equal(out[k], alu_apply(op, a, b[k], c));
                }
}

// ---- reductions

static void check_fold(Isa isa, VectorOp op, SmallRng *rng)
{
    static const int64_t widths[] = {1, 2, 3, 4, 7, 8, 16};
    uint32_t in[MOST], to[16], expected[16];
    int64_t lanes = widths[small_rng_next_u32(rng) % 7];
    int64_t packets = 1 + small_rng_next_u32(rng) % (MOST / 16);
    draw_all(rng, in, packets * lanes);
    draw_all(rng, to, lanes);
    memcpy(expected, to, sizeof to);
    for (int64_t i = 0; i < packets * lanes; i++)
        expected[i % lanes] = alu_apply(op, expected[i % lanes], in[i], 0);
    lanes_of(isa)->fold[op](in, packets, lanes, to);
    assert_memory_equal(to, expected, (size_t)lanes * sizeof *to);

    uint32_t pairs[MOST];
    int64_t count = packets * lanes / 2;
    for (int64_t i = 0; i < count; i++)
        pairs[i] = alu_apply(op, in[2 * i], in[2 * i + 1], 0);
    lanes_of(isa)->pairs[op](in, count, in);
    assert_memory_equal(in, pairs, (size_t)count * sizeof *in);
}

TEST(reductions_go_in_order)
{
    SmallRng rng = small_rng_seed_from_u64(test_seed() + 1);
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        for (VectorOp op = 0; isa_is_here(isa) && op < VECTOR_OP_COUNT; op++)
            for (int64_t i = lanes_of(isa)->fold[op] ? rounds(200) : 0; i > 0; i--)
                check_fold(isa, op, &rng);
}

// ---- tags

static void check_merge(Isa isa, SmallRng *rng)
{
    uint32_t result[MOST], bits[MOST], old[MOST];
    uint8_t tags[MOST], other[MOST], before[MOST];
    int64_t count = draw_length(rng);
    LaneChoice choice = {.of_stream = small_rng_next_u32(rng) % 2,
                         .other = small_rng_next_u32(rng) % 2 ? other : NULL,
                         .mask = (uint8_t)(small_rng_next_u32(rng) & 0x84)};
    choice.wanted = choice.mask & (uint8_t)small_rng_next_u32(rng);
    draw_all(rng, result, count);
    draw_all(rng, bits, count);
    memcpy(old, bits, sizeof bits);
    for (int64_t i = 0; i < count; i++) {
        tags[i] = before[i] = (uint8_t)small_rng_next_u32(rng);
        other[i] = (uint8_t)small_rng_next_u32(rng);
    }
    lanes_of(isa)->merge(&choice, result, count, bits, tags);
    for (int64_t i = 0; i < count; i++) {
        bool live = (before[i] & 1 || !choice.of_stream) && (!choice.other || other[i] & 1);
        bool chosen = (before[i] & choice.mask) == choice.wanted;
        assert_int_equal(bits[i], !chosen ? old[i] : live ? result[i] : 0);
        assert_int_equal(tags[i], !chosen ? before[i] : (before[i] & 0xfe) | live);
    }
}

static void check_combine(Isa isa, SmallRng *rng)
{
    enum { LIVE = 1, PADDING = 2 };
    uint32_t result[MOST], next[MOST], bits[MOST], old[MOST];
    uint8_t tags[MOST], next_tags[MOST], before[MOST];
    int64_t count = draw_length(rng);
    draw_all(rng, result, count);
    draw_all(rng, next, count);
    draw_all(rng, bits, count);
    memcpy(old, bits, sizeof bits);
    for (int64_t i = 0; i < count; i++) {
        tags[i] = before[i] = (uint8_t)small_rng_next_u32(rng);
        next_tags[i] = (uint8_t)small_rng_next_u32(rng);
    }
    lanes_of(isa)->combine(result, next, next_tags, count, bits, tags);
    for (int64_t i = 0; i < count; i++) {
        uint8_t tag = next_tags[i];
        bool takes = (tag & (LIVE | PADDING)) == LIVE;
        uint8_t joined = (uint8_t)(((before[i] | tag) & LIVE) | (tag & ~LIVE));
        assert_int_equal(bits[i], !takes ? old[i] : before[i] & LIVE ? result[i] : next[i]);
        assert_int_equal(tags[i], tag & PADDING ? before[i] : joined);
    }
}

static void check_compare(Isa isa, SmallRng *rng)
{
    uint32_t in[MOST];
    uint8_t ids[MOST] = {0};
    int64_t count = draw_length(rng);
    int bit = (int)(small_rng_next_u32(rng) % 4);
    InputCompare compare = {.kind = small_rng_next_u32(rng) % COMPARE_COUNT,
                            .type = small_rng_next_u32(rng) % 2 ? SCALAR_F32 : SCALAR_I32,
                            .boundary = draw(rng)};
    HwCompare record = {.kind = compare.kind, .type = compare.type, .bits = compare.boundary};
    draw_all(rng, in, count);
    lanes_of(isa)->compare(&record, in, count, bit, ids);
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(ids[i], alu_compare(&compare, in[i]) << bit);
}

static void check_deal(Isa isa, SmallRng *rng)
{
    uint32_t in[MOST], parts[2][MOST];
    int64_t run = 1 + small_rng_next_u32(rng) % 20, runs = 1 + small_rng_next_u32(rng) % 20;
    draw_all(rng, in, 2 * run * runs);
    lanes_of(isa)->deal(in, run, runs, parts[0], parts[1]);
    for (int64_t i = 0; i < 2 * run * runs; i++)
        assert_int_equal(parts[i / run % 2][i / run / 2 * run + i % run], in[i]);
}

TEST(tags_choose_elements)
{
    SmallRng rng = small_rng_seed_from_u64(test_seed() + 2);
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        for (int64_t i = isa_is_here(isa) ? rounds(500) : 0; i > 0; i--) {
            check_merge(isa, &rng);
            check_combine(isa, &rng);
            check_compare(isa, &rng);
            check_deal(isa, &rng);
        }
}

// ---- conversions

TEST(fixed_point_is_that_of_the_oracle)
{
    uint32_t in[MOST], out[MOST];
    SmallRng rng = small_rng_seed_from_u64(test_seed() + 3);
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        for (int64_t n = isa_is_here(isa) ? rounds(640) : 0; n > 0; n--) {
            int64_t count = draw_length(&rng), width = n % 32;
            draw_all(&rng, in, count);
            memcpy(out, in, sizeof out);
            lanes_of(isa)->fxp_to_fp(out, count, width);
            for (int64_t i = 0; i < count; i++)
                assert_int_equal(out[i], alu_fxp_to_fp(in[i], width));
            memcpy(out, in, sizeof out);
            lanes_of(isa)->fp_to_fxp(out, count, width);
            for (int64_t i = 0; i < count; i++)
                assert_int_equal(out[i], alu_fp_to_fxp(in[i], width));
        }
}

static void check_convert(Scalar from, Scalar to, CastLoop *loop, SmallRng *rng)
{
    uint32_t in[MOST], out[MOST], expected;
    int64_t count = draw_length(rng);
    draw_all(rng, in, count);
    loop(in, count, out);
    for (int64_t i = 0; i < count; i++) {
        assert_true(scalar_convert(from, to, in[i], &expected));
        if (out[i] != expected)
            fail_msg("%s of %08x is %08x, not %08x", scalar_name(to), in[i], out[i], expected);
    }
}

TEST(casts_are_those_of_scalars)
{
    SmallRng rng = small_rng_seed_from_u64(test_seed() + 4);
    for (Isa isa = 0; isa < ISA_COUNT; isa++)
        for (Scalar to = 0; isa_is_here(isa) && to < SCALAR_COUNT; to++)
            for (int64_t i = rounds(300); i > 0; i--) {
                const CastLoops *loops = LOOPS_CHOICE(CastLoops, cast_loops)[isa];
                if (loops->narrow[to])
                    check_convert(SCALAR_F32, to, loops->narrow[to], &rng);
                if (loops->wrap[to])
                    check_convert(SCALAR_I32, to, loops->wrap[to], &rng);
            }
}

// ---- functions

static const struct {
    VectorOp op;
    MathFunction function;
} functions[] = {
    {OP_FpUnaryOp_Exp, MATH_EXP},         {OP_FpUnaryOp_NegExp, MATH_NEG_EXP},
    {OP_FpUnaryOp_Sqrt, MATH_SQRT},       {OP_FpUnaryOp_Tanh, MATH_TANH},
    {OP_FpUnaryOp_Sigmoid, MATH_SIGMOID}, {OP_FpUnaryOp_Erf, MATH_ERF},
    {OP_FpUnaryOp_Log, MATH_LN},          {OP_FpUnaryOp_Sin, MATH_SIN},
    {OP_FpUnaryOp_Cos, MATH_COS},
};

// Every so many of all floats; another share of them with another seed.
TEST(functions_are_exact)
{
    enum { STEP = 10007 };
    uint32_t in[MOST], out[MOST];
    uint64_t step = (uint64_t)(STEP / (test_scale() > 0.01 ? test_scale() : 0.01)) | 1;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        for (uint64_t at = test_seed() % step; at <= UINT32_MAX;) {
            int64_t count = 0;
            for (; count < MOST && at <= UINT32_MAX; at += step)
                in[count++] = (uint32_t)at;
            LaneArguments from = {{in, in, in}, 0};
            for (Isa isa = 0; isa < ISA_COUNT; isa++) {
                if (!isa_is_here(isa))
                    continue;
                lanes_of(isa)->apply[functions[k].op](&from, count, out);
                for (int64_t i = 0; i < count; i++) {
                    uint32_t expected = math_f32(functions[k].function, in[i]);
                    if (out[i] != expected)
                        fail_msg("%s %s of %08x is %08x, not %08x", isa_name(isa),
                                 vector_ops[functions[k].op].name, in[i], out[i], expected);
                }
            }
        }
}

TEST_END(sets_report)

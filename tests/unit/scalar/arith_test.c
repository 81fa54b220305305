// Arithmetic: small types with every pair of values, wide ones at their edges.
#include "reference.h"

static int64_t exact_integer(ScalarOp op, int64_t a, int64_t b)
{
    int64_t quotient = op == SCALAR_OP_DIV ? (a < 0 ? -a : a) / (b < 0 ? -b : b) : 0;
    int64_t results[SCALAR_OP_COUNT] = {a + b, a - b, a * b,
                                        (a < 0) == (b < 0) ? quotient : -quotient};
    return results[op];
}

static void check_integers(const IntegerType *type, int64_t a, int64_t b)
{
    for (int32_t i = 0; i < SCALAR_OP_COUNT; i++) {
        ScalarOp op = (ScalarOp)i;
        uint32_t got = 0;
        bool defined = op != SCALAR_OP_DIV || b != 0;
        assert_int_equal(scalar_arith(op, type->type, (uint32_t)a, (uint32_t)b, &got), defined);
        if (defined)
            assert_bits(got, (uint32_t)wrap_to_range(type, exact_integer(op, a, b)), type->type, a);
    }
}

TEST(small_integers_wrap)
{
    for (size_t i = 0; i < LENGTH_OF(integer_types); i++) {
        const IntegerType *type = &integer_types[i];
        if (type->highest > 255)
            continue;
        for (int64_t a = type->lowest; a <= type->highest; a++) {
            for (int64_t b = type->lowest; b <= type->highest; b++)
                check_integers(type, a, b);
        }
    }
}

TEST(wide_integers_wrap)
{
    static const Scalar types[] = {SCALAR_I16, SCALAR_I32};
    for (size_t t = 0; t < LENGTH_OF(types); t++) {
        const IntegerType *type = find_integer_type(types[t]);
        int64_t edges[] = {
            type->lowest, type->lowest + 1,  -12345,       -181, -2, -1, 0, 1, 2, 181, 182,
            12345,        type->highest - 1, type->highest};
        for (size_t i = 0; i < LENGTH_OF(edges); i++) {
            for (size_t j = 0; j < LENGTH_OF(edges); j++)
                check_integers(type, edges[i], edges[j]);
        }
    }
}

TEST(integers_in_numbers)
{
    static const struct {
        ScalarOp op;
        Scalar type;
        int32_t a, b, want;
    } cases[] = {
        {SCALAR_OP_ADD, SCALAR_I4, 7, 1, -8},
        {SCALAR_OP_DIV, SCALAR_I4, -8, -1, -8},
        {SCALAR_OP_MUL, SCALAR_I4, 7, 7, 1},
        {SCALAR_OP_SUB, SCALAR_I5, -16, 1, 15},
        {SCALAR_OP_SUB, SCALAR_I9, -128, 127, -255},
        {SCALAR_OP_SUB, SCALAR_U8, 0, 1, 255},
        {SCALAR_OP_DIV, SCALAR_U8, 255, 2, 127},
        {SCALAR_OP_DIV, SCALAR_I8, -7, 2, -3},
        {SCALAR_OP_DIV, SCALAR_I32, INT32_MIN, -1, INT32_MIN},
        {SCALAR_OP_MUL, SCALAR_I32, 65536, 65536, 0},
    };
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        uint32_t got;
        assert_true(scalar_arith(cases[i].op, cases[i].type, (uint32_t)cases[i].a,
                                 (uint32_t)cases[i].b, &got));
        assert_bits(got, (uint32_t)cases[i].want, cases[i].type, cases[i].a);
    }
}

// One f32 operation; the host's is IEEE, but for the bits of a NaN.
static uint32_t f32_result(ScalarOp op, uint32_t a, uint32_t b)
{
    float x = float_from_bits(a), y = float_from_bits(b);
    float results[SCALAR_OP_COUNT] = {x + y, x - y, x * y, x / y};
    return isnan(results[op]) ? 0x7fc00000 : float_to_bits(results[op]);
}

// `widened` has the f32 of every pattern, so that the slow definition runs once for each.
static void check_floats(Scalar type, const uint32_t *widened, uint32_t a, uint32_t b)
{
    for (int32_t op = 0; op < SCALAR_OP_COUNT; op++) {
        uint32_t got;
        assert_true(scalar_arith((ScalarOp)op, type, a, b, &got));
        uint32_t f32 = f32_result((ScalarOp)op, widened[a], widened[b]);
        assert_bits(got, reference_narrow(type, f32), type, a << 16 | b);
    }
}

TEST(eight_bit_floats_go_through_f32)
{
    static const Scalar types[] = {SCALAR_F8, SCALAR_F8E4M3, SCALAR_F8E5M2};
    for (size_t i = 0; i < LENGTH_OF(types); i++) {
        uint32_t widened[0x100];
        for (uint32_t bits = 0; bits < 0x100; bits++)
            widened[bits] = reference_widen(types[i], bits);
        for (uint32_t a = 0; a < 0x100; a++) {
            for (uint32_t b = 0; b < 0x100; b++)
                check_floats(types[i], widened, a, b);
        }
    }
}

TEST(sixteen_bit_floats_go_through_f32)
{
    static const Scalar types[] = {SCALAR_F16, SCALAR_BF16};
    static uint32_t widened[0x10000];
    for (size_t i = 0; i < LENGTH_OF(types); i++) {
        for (uint32_t bits = 0; bits < 0x10000; bits++)
            widened[bits] = reference_widen(types[i], bits);
        for (uint32_t a = 0; a < 0x10000; a += 251) { // each of some with each of others
            for (uint32_t b = 0; b < 0x10000; b += 241)
                check_floats(types[i], widened, a, b);
        }
        for (uint32_t a = 0; a < 0x10000; a++) // like magnitudes, where sums lose bits
            check_floats(types[i], widened, a, a ^ 0x8003);
    }
}

TEST(f32_is_ieee)
{
    static const struct {
        ScalarOp op;
        uint32_t a, b, want;
    } cases[] = {
        {SCALAR_OP_ADD, 0x3f800000, 0x33800000, 0x3f800000}, // 1 + 2^-24: the tie stays even
        {SCALAR_OP_ADD, 0x3f800001, 0x33800000, 0x3f800002},
        {SCALAR_OP_MUL, 0x7f7fffff, 0x40000000, 0x7f800000},
        {SCALAR_OP_MUL, 0x00800000, 0x3f000000, 0x00400000}, // subnormals are not flushed
        {SCALAR_OP_DIV, 0x3f800000, 0x40400000, 0x3eaaaaab},
        {SCALAR_OP_DIV, 0x3f800000, 0x80000000, 0xff800000},
        {SCALAR_OP_DIV, 0x00000000, 0x00000000, 0x7fc00000}, // one NaN, whatever the host's is
        {SCALAR_OP_SUB, 0x7f800000, 0x7f800000, 0x7fc00000},
        {SCALAR_OP_ADD, 0xffc01234, 0x3f800000, 0x7fc00000},
        {SCALAR_OP_SUB, 0x3f800000, 0x3f800000, 0x00000000},
        {SCALAR_OP_ADD, 0x80000000, 0x80000000, 0x80000000},
    };
    for (size_t i = 0; i < LENGTH_OF(cases); i++) {
        uint32_t got;
        assert_true(scalar_arith(cases[i].op, SCALAR_F32, cases[i].a, cases[i].b, &got));
        assert_bits(got, cases[i].want, SCALAR_F32, cases[i].a);
    }
}

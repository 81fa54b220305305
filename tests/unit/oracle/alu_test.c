// Every operation of the Vector Engine on edge values, against expectations written from the
// definitions in docs/numerics.md: integers through exact arithmetic in 128 bits, floats through
// tables of bits and the C library in long double.
#include "oracle/internal.h"

#include "base/checked.h"
#include "scalar/scalar.h"
#include "test.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 Wide;

#define NAN_BITS   UINT32_C(0x7fc00000)
#define INFINITE   UINT32_C(0x7f800000)
#define NEGATIVE   UINT32_C(0x80000000)
#define TINY       UINT32_C(0x00000001) // the smallest subnormal
#define LARGEST    UINT32_C(0x7f7fffff)
#define SMALLEST_N UINT32_C(0x00800000) // the smallest normal

static uint32_t bits(float value)
{
    uint32_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static float value(uint32_t b)
{
    float result;
    memcpy(&result, &b, sizeof result);
    return result;
}

static bool not_a_number(uint32_t b)
{
    return (b & 0x7f800000) == 0x7f800000 && (b & 0x007fffff);
}

// ---- i32

static const int32_t integers[] = {
    INT32_MIN, INT32_MIN + 1, -65537,        -3,       -2, -1, 0, 1, 2, 3, 31, 32, 33, 65536,
    12345,     1 << 30,       INT32_MAX - 1, INT32_MAX};

static Wide clamp(Wide x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

// Rounds down.
static Wide floor_div(Wide a, Wide b)
{
    Wide q = a / b;
    return q * b > a ? q - 1 : q;
}

static Wide power(int n)
{
    Wide p = 1;
    while (n--)
        p *= 2;
    return p;
}

static Wide magnitude(Wide x)
{
    return x == INT32_MIN ? x : x < 0 ? -x : x;
}

static Wide want_and(Wide a, Wide b)
{
    Wide r = 0;
    for (int i = 0; i < 32; i++)
        r += floor_div(a, power(i)) % 2 && floor_div(b, power(i)) % 2 ? power(i) : 0;
    return r;
}

static Wide want_or(Wide a, Wide b)
{
    return a + b - want_and(a, b);
}

static Wide want_xor(Wide a, Wide b)
{
    return a + b - 2 * want_and(a, b);
}

static Wide low5(Wide b)
{
    return b - floor_div(b, 32) * 32;
}

static Wide want_shl(Wide a, Wide b)
{
    return a * power((int)low5(b));
}

static Wide want_shr(Wide a, Wide b)
{
    return floor_div(a < 0 ? a + power(32) : a, power((int)low5(b)));
}

static Wide want_sar(Wide a, Wide b)
{
    return floor_div(a, power((int)low5(b)));
}

static Wide want_sar_round(Wide a, Wide b)
{
    Wide step = power((int)low5(b));
    return floor_div(2 * a + step, 2 * step);
}

static Wide want_sar_round_or_same(Wide a, Wide b)
{
    return low5(b) ? want_sar_round(a, b) : a;
}

static Wide want_add(Wide a, Wide b)
{
    return a + b;
}

static Wide want_sub(Wide a, Wide b)
{
    return a - b;
}

static Wide want_mul(Wide a, Wide b)
{
    return a * b;
}

static Wide want_add_sat(Wide a, Wide b)
{
    return clamp(a + b);
}

static Wide want_sub_sat(Wide a, Wide b)
{
    return clamp(a - b);
}

static Wide want_shl_sat(Wide a, Wide b)
{
    Wide factor = low5(b) == 31 ? -power(31) : power((int)low5(b));
    return clamp(a * factor);
}

static Wide want_q31(Wide a, Wide b)
{
    return a == INT32_MIN && b == INT32_MIN ? INT32_MAX : floor_div(a * b + power(30), power(31));
}

static Wide want_min(Wide a, Wide b)
{
    return a < b ? a : b;
}

static Wide want_max(Wide a, Wide b)
{
    return a > b ? a : b;
}

static Wide want_abs_min(Wide a, Wide b)
{
    return magnitude(a) < magnitude(b) ? a : b;
}

static Wide want_abs_max(Wide a, Wide b)
{
    return magnitude(a) > magnitude(b) ? a : b;
}

static const struct {
    VectorOp op;
    Wide (*want)(Wide a, Wide b);
} integer_ops[] = {
    {OP_LogicBinaryOpI32_BitAnd, want_and},
    {OP_LogicBinaryOpI32_BitOr, want_or},
    {OP_LogicBinaryOpI32_BitXor, want_xor},
    {OP_LogicBinaryOpI32_LeftShift, want_shl},
    {OP_LogicBinaryOpI32_LogicRightShift, want_shr},
    {OP_LogicBinaryOpI32_ArithRightShift, want_sar},
    {OP_LogicBinaryOpF32_BitAnd, want_and},
    {OP_LogicBinaryOpF32_BitOr, want_or},
    {OP_LogicBinaryOpF32_BitXor, want_xor},
    {OP_FxpBinaryOp_AddFxp, want_add},
    {OP_FxpBinaryOp_AddFxpSat, want_add_sat},
    {OP_FxpBinaryOp_SubFxp, want_sub},
    {OP_FxpBinaryOp_SubFxpSat, want_sub_sat},
    {OP_FxpBinaryOp_LeftShift, want_shl},
    {OP_FxpBinaryOp_LeftShiftSat, want_shl_sat},
    {OP_FxpBinaryOp_MulFxp, want_q31},
    {OP_FxpBinaryOp_MulInt, want_mul},
    {OP_FxpBinaryOp_LogicRightShift, want_shr},
    {OP_FxpBinaryOp_ArithRightShift, want_sar},
    {OP_FxpBinaryOp_ArithRightShiftRound, want_sar_round_or_same},
    {OP_ClipBinaryOpI32_Min, want_min},
    {OP_ClipBinaryOpI32_Max, want_max},
    {OP_ClipBinaryOpI32_AbsMin, want_abs_min},
    {OP_ClipBinaryOpI32_AbsMax, want_abs_max},
    {OP_ClipBinaryOpI32_AddFxp, want_add},
    {OP_ClipBinaryOpI32_AddFxpSat, want_add_sat},
    {OP_IntraSliceReduceOpI32_AddSat, want_add_sat},
    {OP_IntraSliceReduceOpI32_Max, want_max},
    {OP_IntraSliceReduceOpI32_Min, want_min},
    {OP_InterSliceReduceOpI32_Add, want_add},
    {OP_InterSliceReduceOpI32_AddSat, want_add_sat},
    {OP_InterSliceReduceOpI32_Max, want_max},
    {OP_InterSliceReduceOpI32_Min, want_min},
};

static void check_integers(size_t i, int32_t a, int32_t b)
{
    uint32_t got = alu_apply(integer_ops[i].op, (uint32_t)a, (uint32_t)b, 0);
    uint32_t want = (uint32_t)integer_ops[i].want(a, b);
    if (got != want)
        fail_msg("%s(%d, %d) is %d, not %d", vector_ops[integer_ops[i].op].name, a, b, (int)got,
                 (int)want);
}

TEST(integer_operations)
{
    for (size_t i = 0; i < COUNT_OF(integer_ops); i++)
        for (size_t a = 0; a < COUNT_OF(integers); a++) {
            for (size_t b = 0; b < COUNT_OF(integers); b++)
                check_integers(i, integers[a], integers[b]);
            for (int32_t shift = -40; shift < 70; shift++)
                check_integers(i, integers[a], shift);
        }
}

TEST(the_corners_of_the_interface)
{
    static const struct {
        VectorOp op;
        int32_t a, b, want;
    } rows[] = {
        {OP_FxpBinaryOp_LeftShiftSat, 1, 31, INT32_MIN},
        {OP_FxpBinaryOp_LeftShiftSat, -1, 31, INT32_MAX},
        {OP_FxpBinaryOp_LeftShiftSat, 2, 31, INT32_MIN},
        {OP_FxpBinaryOp_MulFxp, INT32_MIN, INT32_MIN, INT32_MAX},
        {OP_FxpBinaryOp_MulFxp, 1 << 30, 3, 2},   // 1.5 goes up
        {OP_FxpBinaryOp_MulFxp, 1 << 30, -3, -1}, // -1.5 too
        {OP_FxpBinaryOp_ArithRightShiftRound, 5, 1, 3},
        {OP_FxpBinaryOp_ArithRightShiftRound, -5, 1, -2},
        {OP_FxpBinaryOp_ArithRightShiftRound, INT32_MAX, 31, 1},
        {OP_ClipBinaryOpI32_AbsMin, INT32_MIN, 0, INT32_MIN},
        {OP_ClipBinaryOpI32_AbsMax, INT32_MIN, 0, 0},
        {OP_ClipBinaryOpI32_AbsMax, -5, 5, 5},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(
            (int32_t)alu_apply(rows[i].op, (uint32_t)rows[i].a, (uint32_t)rows[i].b, 0),
            rows[i].want);
}

// ---- f32

static const uint32_t floats[] = {
    0,          NEGATIVE,           TINY,       TINY | NEGATIVE,     SMALLEST_N,
    0x3f800000, 0xbf800000,         0x3f000000, 0x40490fdb,          0x4b800001,
    LARGEST,    LARGEST | NEGATIVE, INFINITE,   INFINITE | NEGATIVE, NAN_BITS,
    0xffc00000, 0x7f800001,         0x33800000};

static uint32_t nearest(long double x)
{
    return isnan(x) ? NAN_BITS : bits((float)x);
}

// The sum or product of two floats is exact enough in 64 bits of mantissa to be rounded to 24
// after.
TEST(float_arithmetic)
{
    static const VectorOp adds[] = {OP_FpBinaryOp_AddF, OP_ClipBinaryOpF32_Add,
                                    OP_IntraSliceReduceOpF32_Add, OP_InterSliceReduceOpF32_Add};
    static const VectorOp muls[] = {OP_FpBinaryOp_MulF, OP_InterSliceReduceOpF32_Mul};
    static const VectorOp divs[] = {OP_FpBinaryOp_DivF, OP_FpDivBinaryOp_DivF};
    for (size_t i = 0; i < COUNT_OF(floats); i++)
        for (size_t k = 0; k < COUNT_OF(floats); k++) {
            uint32_t a = floats[i], b = floats[k];
            long double x = (long double)value(a), y = (long double)value(b);
            for (size_t op = 0; op < COUNT_OF(adds); op++)
                assert_int_equal(alu_apply(adds[op], a, b, 0), nearest(x + y));
            for (size_t op = 0; op < COUNT_OF(muls); op++)
                assert_int_equal(alu_apply(muls[op], a, b, 0), nearest(x * y));
            for (size_t op = 0; op < COUNT_OF(divs); op++)
                assert_int_equal(alu_apply(divs[op], a, b, 0), nearest(x / y));
            assert_int_equal(alu_apply(OP_FpBinaryOp_SubF, a, b, 0), nearest(x - y));
            uint32_t masked = (b & ~NEGATIVE) == 0 ? 0 : nearest(x * y);
            assert_int_equal(alu_apply(OP_FpBinaryOp_MaskMulF, a, b, 0), masked);
        }
}

TEST(fused_operations_round_once)
{
    static const struct {
        uint32_t a, b, c, want, masked;
    } rows[] = {
        // (1 + 2^-23)^2 - 1 keeps the 2^-46 that two roundings lose
        {0x3f800001, 0x3f800001, 0xbf800002, 0x28800000, 0x28800000},
        {0x3f800000, 0x3f800000, 0xbf800000, 0, 0},
        {NEGATIVE, 0x3f800000, NEGATIVE, NEGATIVE, NEGATIVE},
        {INFINITE, 0, 0x3f800000, NAN_BITS, 0x3f800000},
        {NAN_BITS, NEGATIVE, 0x40000000, NAN_BITS, 0x40000000},
        {INFINITE, 0x3f800000, INFINITE | NEGATIVE, NAN_BITS, NAN_BITS},
        {LARGEST, 0x40000000, LARGEST | NEGATIVE, LARGEST, LARGEST},
        {TINY, 0x3f000000, 0, 0, 0},
        {TINY, 0x3f000000, TINY, 2, 2}, // a tie, to even
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(alu_apply(OP_FpTernaryOp_FmaF, rows[i].a, rows[i].b, rows[i].c),
                         rows[i].want);
        assert_int_equal(alu_apply(OP_FpTernaryOp_MaskFmaF, rows[i].a, rows[i].b, rows[i].c),
                         rows[i].masked);
    }
}

// Places floats in order, -0 below +0; of no use for NaN.
static int64_t rank(uint32_t b)
{
    return b >> 31 ? -1 - (int64_t)(b & ~NEGATIVE) : (int64_t)b;
}

static uint32_t want_extreme(uint32_t a, uint32_t b, bool smaller)
{
    if (not_a_number(a) || not_a_number(b)) {
        uint32_t other = not_a_number(a) ? b : a;
        return not_a_number(other) ? NAN_BITS : other;
    }
    return (rank(a) < rank(b)) == smaller ? a : b;
}

static uint32_t want_absolute(uint32_t a, uint32_t b, bool smaller)
{
    uint32_t x = a & ~NEGATIVE, y = b & ~NEGATIVE;
    bool compares = !not_a_number(a) && !not_a_number(b) && (smaller ? x < y : x > y);
    return compares ? a : not_a_number(b) ? NAN_BITS : b;
}

TEST(float_extremes)
{
    static const VectorOp mins[] = {OP_ClipBinaryOpF32_Min, OP_IntraSliceReduceOpF32_Min,
                                    OP_InterSliceReduceOpF32_Min};
    static const VectorOp maxs[] = {OP_ClipBinaryOpF32_Max, OP_IntraSliceReduceOpF32_Max,
                                    OP_InterSliceReduceOpF32_Max};
    for (size_t i = 0; i < COUNT_OF(floats); i++)
        for (size_t k = 0; k < COUNT_OF(floats); k++) {
            uint32_t a = floats[i], b = floats[k];
            for (size_t op = 0; op < COUNT_OF(mins); op++) {
                assert_int_equal(alu_apply(mins[op], a, b, 0), want_extreme(a, b, true));
                assert_int_equal(alu_apply(maxs[op], a, b, 0), want_extreme(a, b, false));
            }
            assert_int_equal(alu_apply(OP_ClipBinaryOpF32_AbsMin, a, b, 0),
                             want_absolute(a, b, true));
            assert_int_equal(alu_apply(OP_ClipBinaryOpF32_AbsMax, a, b, 0),
                             want_absolute(a, b, false));
        }
}

static long double neg_exp(long double x)
{
    return expl(-x);
}

// Each step is rounded to f32.
static long double sigmoid(long double x)
{
    float power = value(nearest(expl(-x)));
    return (long double)(1.0f / (1.0f + power));
}

// The functions in long double, rounded to f32.
TEST(functions_of_one_float)
{
    static const struct {
        VectorOp op;
        long double (*want)(long double x);
    } rows[] = {
        {OP_FpUnaryOp_Exp, expl},   {OP_FpUnaryOp_NegExp, neg_exp},  {OP_FpUnaryOp_Sqrt, sqrtl},
        {OP_FpUnaryOp_Tanh, tanhl}, {OP_FpUnaryOp_Sigmoid, sigmoid}, {OP_FpUnaryOp_Erf, erfl},
        {OP_FpUnaryOp_Log, logl},   {OP_FpUnaryOp_Sin, sinl},        {OP_FpUnaryOp_Cos, cosl},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t k = 0; k < COUNT_OF(floats); k++)
            assert_int_equal(alu_apply(rows[i].op, floats[k], 0, 0),
                             nearest(rows[i].want((long double)value(floats[k]))));
        for (int k = -3000; k <= 3000; k++) {
            float x = (float)k / 137.0f;
            assert_int_equal(alu_apply(rows[i].op, bits(x), 0, 0),
                             nearest(rows[i].want((long double)x)));
        }
    }
}

// ---- conversions

TEST(fixed_to_float)
{
    for (size_t i = 0; i < COUNT_OF(integers); i++)
        for (int width = 0; width < 32; width++) {
            long double scaled = ldexpl((long double)integers[i], width - 31);
            assert_int_equal(alu_fxp_to_fp((uint32_t)integers[i], width), nearest(scaled));
        }
    assert_int_equal(alu_fxp_to_fp(0, 31), 0);
    assert_int_equal(alu_fxp_to_fp(16777217, 31), bits(16777216.0f)); // a tie, to even
}

TEST(float_to_fixed)
{
    static const struct {
        uint32_t x;
        int width;
        int32_t want;
    } rows[] = {
        {NAN_BITS, 31, INT32_MAX},
        {0xffc00000, 31, INT32_MIN},
        {INFINITE, 0, INT32_MAX},
        {INFINITE | NEGATIVE, 31, INT32_MIN},
        {LARGEST, 31, INT32_MAX},
        {0x3f000000, 31, 1},
        {0xbf000000, 31, -1},
        {0x3effffff, 31, 0},
        {0x40200000, 31, 3},
        {0xc0200000, 31, -3},
        {0x3f800000, 0, INT32_MAX},
        {0xbf800000, 0, INT32_MIN},
        {0x3f000000, 0, 1 << 30},
        {0x3f800000, 30, 2},
        {0x4effffff, 31, 2147483520},
        {0x4f000000, 31, INT32_MAX},
        {0xcf000000, 31, INT32_MIN},
        {TINY, 0, 0},
        {NEGATIVE, 31, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if ((int32_t)alu_fp_to_fxp(rows[i].x, rows[i].width) != rows[i].want)
            fail_msg("row %d: %d", (int)i, (int32_t)alu_fp_to_fxp(rows[i].x, rows[i].width));
}

// ---- comparisons

static bool want_compare(CompareKind kind, Scalar type, uint32_t x, uint32_t boundary)
{
    bool is_float = type == SCALAR_F32;
    float p = value(x), q = value(boundary);
    int32_t i = (int32_t)x, k = (int32_t)boundary;
    bool want[COMPARE_COUNT] = {
        [COMPARE_EQUAL] = is_float ? p == q : i == k,
        [COMPARE_LESS] = is_float ? p < q : i < k,
        [COMPARE_GREATER] = is_float ? p > q : i > k,
        [COMPARE_LESS_UNSIGNED] = x<boundary, [COMPARE_GREATER_UNSIGNED] = x> boundary,
        [COMPARE_TRUE] = true,
    };
    return want[kind];
}

TEST(comparisons)
{
    for (CompareKind kind = 0; kind < COMPARE_COUNT; kind++)
        for (size_t a = 0; a < COUNT_OF(floats); a++)
            for (size_t b = 0; b < COUNT_OF(floats); b++)
                for (int is_float = 0; is_float < 2; is_float++) {
                    Scalar type = is_float ? SCALAR_F32 : SCALAR_I32;
                    InputCompare compare = {kind, type, floats[b]};
                    assert_int_equal(alu_compare(&compare, floats[a]),
                                     want_compare(kind, type, floats[a], floats[b]));
                }
}

TEST(every_operation_has_a_function)
{
    for (VectorOp op = 0; op < VECTOR_OP_COUNT; op++)
        alu_apply(op, 0, 0, 0); // without one there is nothing to call
}

TEST(host_functions)
{
    assert_int_equal(math_f32_pow(bits(2.0f), bits(10.0f)), bits(1024.0f));
    assert_int_equal(math_f32_pow(bits(-1.0f), bits(0.5f)), NAN_BITS);
    assert_int_equal(math_f32_atan2(bits(1.0f), bits(1.0f)), bits(0.78539816f));
    assert_int_equal(math_f32(MATH_EXP2, bits(-149.0f)), TINY);
    assert_int_equal(math_f32(MATH_EXP2, bits(-151.0f)), 0);
    assert_int_equal(math_f32(MATH_LOG2, bits(8.0f)), bits(3.0f));
    assert_int_equal(math_f32(MATH_LOG10, bits(0.0f)), INFINITE | NEGATIVE);
    assert_int_equal(math_f32(MATH_CBRT, bits(-27.0f)), bits(-3.0f));
    assert_int_equal(math_f32(MATH_LN_1P, bits(-0.0f)), NEGATIVE);
    assert_int_equal(math_f32(MATH_EXP_M1, bits(-0.0f)), NEGATIVE);
}

#include "device/lanes.h"

#include "scalar/bits.h"
#include "scalar/math.h"

#include <math.h>

// ---- integers

static int64_t value_of(uint32_t bits)
{
    return (int32_t)bits;
}

static uint32_t saturate(int64_t exact)
{
    return exact > INT32_MAX   ? (uint32_t)INT32_MAX
           : exact < INT32_MIN ? (uint32_t)INT32_MIN
                               : (uint32_t)exact;
}

enum { SHIFT_MASK = 31 };

static uint32_t shift_right(uint32_t a, uint32_t b)
{
    return (uint32_t)(value_of(a) >> (b & SHIFT_MASK));
}

static uint32_t shift_right_rounding(uint32_t a, uint32_t b)
{
    b &= SHIFT_MASK;
    return b ? (uint32_t)((value_of(a) + (INT64_C(1) << (b - 1))) >> b) : a;
}

static uint32_t shift_left_saturating(uint32_t a, uint32_t b)
{
    return saturate(value_of(a) * value_of(UINT32_C(1) << (b & SHIFT_MASK)));
}

static uint32_t multiply_q31(uint32_t a, uint32_t b)
{
    return saturate((value_of(a) * value_of(b) + (INT64_C(1) << 30)) >> 31);
}

// The absolute value of the smallest is itself.
static int32_t magnitude(uint32_t a)
{
    return (int32_t)(value_of(a) < 0 ? 0 - a : a);
}

// ---- floats

static uint32_t clean(float value)
{
    return value == value ? bits_of_float(value) : F32_NAN;
}

static bool is_nan(uint32_t a)
{
    return (a & 0x7fffffff) > 0x7f800000;
}

static bool is_zero(uint32_t a)
{
    return (a & 0x7fffffff) == 0;
}

// Order of numbers with -0 below +0.
static bool is_below(uint32_t a, uint32_t b)
{
    int32_t x = (int32_t)a, y = (int32_t)b;
    x ^= (int32_t)((uint32_t)(x >> 31) >> 1);
    y ^= (int32_t)((uint32_t)(y >> 31) >> 1);
    return x < y;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(a) && is_nan(b) ? F32_NAN : is_nan(a) ? b : a;
    return is_below(b, a) ? b : a;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(a) && is_nan(b) ? F32_NAN : is_nan(a) ? b : a;
    return is_below(a, b) ? b : a;
}

static uint32_t absolute(uint32_t a)
{
    return a & 0x7fffffff;
}

static uint32_t quiet(uint32_t a)
{
    return is_nan(a) ? F32_NAN : a;
}

static bool is_absolute_less(uint32_t a, uint32_t b)
{
    return !is_nan(a) && !is_nan(b) && absolute(a) < absolute(b);
}

// ---- all of them

#define F(bits) float_of_bits(bits)

#define CASE(op, result)                    \
    case OP_##op:                           \
        for (int64_t i = 0; i < count; i++) \
            out[i] = (result);              \
        break

void lanes_apply(VectorOp op, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                 int64_t count, uint32_t *out)
{
    switch (op) {
    case OP_LogicBinaryOpF32_BitAnd:
        CASE(LogicBinaryOpI32_BitAnd, a[i] & b[i]);
    case OP_LogicBinaryOpF32_BitOr:
        CASE(LogicBinaryOpI32_BitOr, a[i] | b[i]);
    case OP_LogicBinaryOpF32_BitXor:
        CASE(LogicBinaryOpI32_BitXor, a[i] ^ b[i]);
    case OP_LogicBinaryOpI32_LeftShift:
        CASE(FxpBinaryOp_LeftShift, a[i] << (b[i] & SHIFT_MASK));
    case OP_LogicBinaryOpI32_LogicRightShift:
        CASE(FxpBinaryOp_LogicRightShift, a[i] >> (b[i] & SHIFT_MASK));
    case OP_LogicBinaryOpI32_ArithRightShift:
        CASE(FxpBinaryOp_ArithRightShift, shift_right(a[i], b[i]));
        CASE(FxpBinaryOp_ArithRightShiftRound, shift_right_rounding(a[i], b[i]));
        CASE(FxpBinaryOp_LeftShiftSat, shift_left_saturating(a[i], b[i]));
        CASE(FxpBinaryOp_MulFxp, multiply_q31(a[i], b[i]));
        CASE(FxpBinaryOp_MulInt, a[i] * b[i]);
        CASE(FxpBinaryOp_SubFxp, a[i] - b[i]);
        CASE(FxpBinaryOp_SubFxpSat, saturate(value_of(a[i]) - value_of(b[i])));
    case OP_FxpBinaryOp_AddFxp:
    case OP_InterSliceReduceOpI32_Add:
        CASE(ClipBinaryOpI32_AddFxp, a[i] + b[i]);
    case OP_FxpBinaryOp_AddFxpSat:
    case OP_IntraSliceReduceOpI32_AddSat:
    case OP_InterSliceReduceOpI32_AddSat:
        CASE(ClipBinaryOpI32_AddFxpSat, saturate(value_of(a[i]) + value_of(b[i])));
    case OP_IntraSliceReduceOpI32_Max:
    case OP_InterSliceReduceOpI32_Max:
        CASE(ClipBinaryOpI32_Max, value_of(a[i]) > value_of(b[i]) ? a[i] : b[i]);
    case OP_IntraSliceReduceOpI32_Min:
    case OP_InterSliceReduceOpI32_Min:
        CASE(ClipBinaryOpI32_Min, value_of(a[i]) < value_of(b[i]) ? a[i] : b[i]);
        CASE(ClipBinaryOpI32_AbsMin, magnitude(a[i]) < magnitude(b[i]) ? a[i] : b[i]);
        CASE(ClipBinaryOpI32_AbsMax, magnitude(a[i]) > magnitude(b[i]) ? a[i] : b[i]);
        CASE(FpUnaryOp_Exp, math_f32(MATH_EXP, a[i]));
        CASE(FpUnaryOp_NegExp, math_f32(MATH_NEG_EXP, a[i]));
        CASE(FpUnaryOp_Sqrt, math_f32(MATH_SQRT, a[i]));
        CASE(FpUnaryOp_Tanh, math_f32(MATH_TANH, a[i]));
        CASE(FpUnaryOp_Sigmoid, math_f32(MATH_SIGMOID, a[i]));
        CASE(FpUnaryOp_Erf, math_f32(MATH_ERF, a[i]));
        CASE(FpUnaryOp_Log, math_f32(MATH_LN, a[i]));
        CASE(FpUnaryOp_Sin, math_f32(MATH_SIN, a[i]));
        CASE(FpUnaryOp_Cos, math_f32(MATH_COS, a[i]));
    case OP_FpBinaryOp_AddF:
    case OP_IntraSliceReduceOpF32_Add:
    case OP_InterSliceReduceOpF32_Add:
        CASE(ClipBinaryOpF32_Add, clean(F(a[i]) + F(b[i])));
        CASE(FpBinaryOp_SubF, clean(F(a[i]) - F(b[i])));
    case OP_InterSliceReduceOpF32_Mul:
        CASE(FpBinaryOp_MulF, clean(F(a[i]) * F(b[i])));
        CASE(FpBinaryOp_MaskMulF, is_zero(b[i]) ? 0 : clean(F(a[i]) * F(b[i])));
    case OP_FpDivBinaryOp_DivF:
        CASE(FpBinaryOp_DivF, clean(F(a[i]) / F(b[i])));
        CASE(FpTernaryOp_FmaF, math_f32_fma(a[i], b[i], c[i]));
        CASE(FpTernaryOp_MaskFmaF, is_zero(b[i]) ? c[i] : math_f32_fma(a[i], b[i], c[i]));
    case OP_IntraSliceReduceOpF32_Max:
    case OP_InterSliceReduceOpF32_Max:
        CASE(ClipBinaryOpF32_Max, larger(a[i], b[i]));
    case OP_IntraSliceReduceOpF32_Min:
    case OP_InterSliceReduceOpF32_Min:
        CASE(ClipBinaryOpF32_Min, smaller(a[i], b[i]));
        CASE(ClipBinaryOpF32_AbsMin, is_absolute_less(a[i], b[i]) ? a[i] : quiet(b[i]));
        CASE(ClipBinaryOpF32_AbsMax, is_absolute_less(b[i], a[i]) ? a[i] : quiet(b[i]));
    case VECTOR_OP_COUNT:
        break;
    }
}

// ---- conversions

enum { FRACTION_BITS = 31 };

void lanes_fxp_to_fp(uint32_t *bits, int64_t count, int64_t width)
{
    for (int64_t i = 0; i < count; i++)
        bits[i] =
            bits_of_float((float)ldexp((double)value_of(bits[i]), (int)(width - FRACTION_BITS)));
}

void lanes_fp_to_fxp(uint32_t *bits, int64_t count, int64_t width)
{
    for (int64_t i = 0; i < count; i++) {
        double scaled = round(ldexp((double)F(bits[i]), (int)(FRACTION_BITS - width)));
        bool negative = bits[i] >> 31;
        if (is_nan(bits[i]))
            bits[i] = negative ? (uint32_t)INT32_MIN : (uint32_t)INT32_MAX;
        else if (scaled >= (double)INT32_MAX || scaled <= (double)INT32_MIN)
            bits[i] = negative ? (uint32_t)INT32_MIN : (uint32_t)INT32_MAX;
        else
            bits[i] = (uint32_t)(int32_t)scaled;
    }
}

// ---- comparisons

bool lane_compare(const HwCompare *compare, uint32_t bits)
{
    uint32_t bound = (uint32_t)compare->bits;
    bool is_float = compare->type == SCALAR_F32;
    switch (compare->kind) {
    case COMPARE_EQUAL:
        return is_float ? F(bits) == F(bound) : bits == bound;
    case COMPARE_LESS:
        return is_float ? F(bits) < F(bound) : value_of(bits) < value_of(bound);
    case COMPARE_GREATER:
        return is_float ? F(bits) > F(bound) : value_of(bits) > value_of(bound);
    case COMPARE_LESS_UNSIGNED:
        return bits < bound;
    case COMPARE_GREATER_UNSIGNED:
        return bits > bound;
    case COMPARE_TRUE:
        return true;
    default:
        return false;
    }
}

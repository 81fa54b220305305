#include "oracle/alu.h"

#include "scalar/math.h"

#include <math.h>
#include <string.h>

enum { SHIFT_MASK = 31 };

static float real(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static int64_t integer(uint32_t bits)
{
    return (int32_t)bits;
}

static uint32_t saturated(int64_t value)
{
    if (value > INT32_MAX)
        return (uint32_t)INT32_MAX;
    return value < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)value;
}

static uint32_t arith(ScalarOp op, uint32_t a, uint32_t b)
{
    uint32_t result = 0;
    scalar_arith(op, SCALAR_F32, a, b, &result); // only integers can fail
    return result;
}

// ---- i32

#define ALU(name) static uint32_t name(uint32_t a, uint32_t b, uint32_t c)

ALU(bit_and)
{
    (void)c;
    return a & b;
}

ALU(bit_or)
{
    (void)c;
    return a | b;
}

ALU(bit_xor)
{
    (void)c;
    return a ^ b;
}

ALU(left_shift)
{
    (void)c;
    return a << (b & SHIFT_MASK);
}

ALU(logic_right_shift)
{
    (void)c;
    return a >> (b & SHIFT_MASK);
}

ALU(arith_right_shift)
{
    (void)c;
    uint32_t shift = b & SHIFT_MASK, signs = a >> 31 ? ~(UINT32_MAX >> shift) : 0;
    return a >> shift | signs;
}

// Half of what one step weighs is added first: halves go up.
ALU(arith_right_shift_round)
{
    (void)c;
    uint32_t shift = b & SHIFT_MASK;
    int64_t half = shift ? INT64_C(1) << (shift - 1) : 0, step = INT64_C(1) << shift;
    int64_t sum = integer(a) + half, quotient = sum / step;
    return (uint32_t)(quotient - (sum % step < 0));
}

ALU(add_wrap)
{
    (void)c;
    return a + b;
}

ALU(sub_wrap)
{
    (void)c;
    return a - b;
}

ALU(mul_wrap)
{
    (void)c;
    return a * b;
}

ALU(add_saturating)
{
    (void)c;
    return saturated(integer(a) + integer(b));
}

ALU(sub_saturating)
{
    (void)c;
    return saturated(integer(a) - integer(b));
}

// The factor 1 << 31 is the smallest i32, not 2^31: what is shifted that far changes its sign.
ALU(left_shift_saturating)
{
    (void)c;
    return saturated(integer(a) * integer(UINT32_C(1) << (b & SHIFT_MASK)));
}

// Q31: the product of 62 fraction bits, rounded to 31, halves up.
ALU(mul_q31)
{
    (void)c;
    if (a == 0x80000000 && b == 0x80000000)
        return (uint32_t)INT32_MAX;
    uint64_t product = (uint64_t)(integer(a) * integer(b)); // arithmetic shifts of it, by hand
    uint64_t signs = product >> 63 ? UINT64_MAX : 0;
    uint64_t halves = (product >> 30 | signs << 34) + 1;
    return (uint32_t)(halves >> 1);
}

ALU(min_i32)
{
    (void)c;
    return integer(a) < integer(b) ? a : b;
}

ALU(max_i32)
{
    (void)c;
    return integer(a) > integer(b) ? a : b;
}

// The absolute value of the smallest i32 is itself, below everything.
static int32_t absolute(uint32_t bits)
{
    return (int32_t)(bits >> 31 ? -bits : bits);
}

ALU(abs_min_i32)
{
    (void)c;
    return absolute(a) < absolute(b) ? a : b;
}

ALU(abs_max_i32)
{
    (void)c;
    return absolute(a) > absolute(b) ? a : b;
}

// ---- f32

ALU(add_f32)
{
    (void)c;
    return arith(SCALAR_OP_ADD, a, b);
}

ALU(sub_f32)
{
    (void)c;
    return arith(SCALAR_OP_SUB, a, b);
}

ALU(mul_f32)
{
    (void)c;
    return arith(SCALAR_OP_MUL, a, b);
}

ALU(div_f32)
{
    (void)c;
    return arith(SCALAR_OP_DIV, a, b);
}

ALU(fma_f32)
{
    return math_f32_fma(a, b, c);
}

// The manual names masked operations without defining them. A mask is a factor of 0 that takes
// whatever it meets away, NaN and infinity too; any other factor multiplies.
static bool masks(uint32_t b)
{
    return (b & 0x7fffffff) == 0;
}

ALU(mask_mul_f32)
{
    return masks(b) ? 0 : mul_f32(a, b, c);
}

ALU(mask_fma_f32)
{
    return masks(b) ? c : math_f32_fma(a, b, c);
}

static uint32_t quiet(uint32_t bits)
{
    return is_nan(bits) ? 0x7fc00000 : bits;
}

// -0 is below +0, and a NaN loses.
static bool is_less(uint32_t a, uint32_t b)
{
    float x = real(a), y = real(b);
    return x < y || (x == y && a >> 31 > b >> 31);
}

ALU(min_f32)
{
    (void)c;
    if (is_nan(a))
        return quiet(b);
    return is_nan(b) || !is_less(b, a) ? a : b;
}

ALU(max_f32)
{
    (void)c;
    if (is_nan(a))
        return quiet(b);
    return is_nan(b) || !is_less(a, b) ? a : b;
}

ALU(abs_min_f32)
{
    (void)c;
    return fabsf(real(a)) < fabsf(real(b)) ? a : quiet(b);
}

ALU(abs_max_f32)
{
    (void)c;
    return fabsf(real(a)) > fabsf(real(b)) ? a : quiet(b);
}

#define UNARY(name, function)                \
    ALU(name)                                \
    {                                        \
        (void)b, (void)c;                    \
        return math_f32(MATH_##function, a); \
    }

UNARY(exp_f32, EXP)
UNARY(neg_exp_f32, NEG_EXP)
UNARY(sqrt_f32, SQRT)
UNARY(tanh_f32, TANH)
UNARY(sigmoid_f32, SIGMOID)
UNARY(erf_f32, ERF)
UNARY(log_f32, LN)
UNARY(sin_f32, SIN)
UNARY(cos_f32, COS)

// ---- which is which

static AluFunction *const alu_functions[] = {
    [OP_LogicBinaryOpI32_BitAnd] = bit_and,
    [OP_LogicBinaryOpI32_BitOr] = bit_or,
    [OP_LogicBinaryOpI32_BitXor] = bit_xor,
    [OP_LogicBinaryOpI32_LeftShift] = left_shift,
    [OP_LogicBinaryOpI32_LogicRightShift] = logic_right_shift,
    [OP_LogicBinaryOpI32_ArithRightShift] = arith_right_shift,
    [OP_LogicBinaryOpF32_BitAnd] = bit_and,
    [OP_LogicBinaryOpF32_BitOr] = bit_or,
    [OP_LogicBinaryOpF32_BitXor] = bit_xor,
    [OP_FxpBinaryOp_AddFxp] = add_wrap,
    [OP_FxpBinaryOp_AddFxpSat] = add_saturating,
    [OP_FxpBinaryOp_SubFxp] = sub_wrap,
    [OP_FxpBinaryOp_SubFxpSat] = sub_saturating,
    [OP_FxpBinaryOp_LeftShift] = left_shift,
    [OP_FxpBinaryOp_LeftShiftSat] = left_shift_saturating,
    [OP_FxpBinaryOp_MulFxp] = mul_q31,
    [OP_FxpBinaryOp_MulInt] = mul_wrap,
    [OP_FxpBinaryOp_LogicRightShift] = logic_right_shift,
    [OP_FxpBinaryOp_ArithRightShift] = arith_right_shift,
    [OP_FxpBinaryOp_ArithRightShiftRound] = arith_right_shift_round,
    [OP_FpUnaryOp_Exp] = exp_f32,
    [OP_FpUnaryOp_NegExp] = neg_exp_f32,
    [OP_FpUnaryOp_Sqrt] = sqrt_f32,
    [OP_FpUnaryOp_Tanh] = tanh_f32,
    [OP_FpUnaryOp_Sigmoid] = sigmoid_f32,
    [OP_FpUnaryOp_Erf] = erf_f32,
    [OP_FpUnaryOp_Log] = log_f32,
    [OP_FpUnaryOp_Sin] = sin_f32,
    [OP_FpUnaryOp_Cos] = cos_f32,
    [OP_FpBinaryOp_AddF] = add_f32,
    [OP_FpBinaryOp_SubF] = sub_f32,
    [OP_FpBinaryOp_MulF] = mul_f32,
    [OP_FpBinaryOp_MaskMulF] = mask_mul_f32,
    [OP_FpBinaryOp_DivF] = div_f32,
    [OP_FpTernaryOp_FmaF] = fma_f32,
    [OP_FpTernaryOp_MaskFmaF] = mask_fma_f32,
    [OP_FpDivBinaryOp_DivF] = div_f32,
    [OP_ClipBinaryOpI32_Min] = min_i32,
    [OP_ClipBinaryOpI32_Max] = max_i32,
    [OP_ClipBinaryOpI32_AbsMin] = abs_min_i32,
    [OP_ClipBinaryOpI32_AbsMax] = abs_max_i32,
    [OP_ClipBinaryOpI32_AddFxp] = add_wrap,
    [OP_ClipBinaryOpI32_AddFxpSat] = add_saturating,
    [OP_ClipBinaryOpF32_Min] = min_f32,
    [OP_ClipBinaryOpF32_Max] = max_f32,
    [OP_ClipBinaryOpF32_AbsMin] = abs_min_f32,
    [OP_ClipBinaryOpF32_AbsMax] = abs_max_f32,
    [OP_ClipBinaryOpF32_Add] = add_f32,
    [OP_IntraSliceReduceOpI32_AddSat] = add_saturating,
    [OP_IntraSliceReduceOpI32_Max] = max_i32,
    [OP_IntraSliceReduceOpI32_Min] = min_i32,
    [OP_IntraSliceReduceOpF32_Add] = add_f32,
    [OP_IntraSliceReduceOpF32_Max] = max_f32,
    [OP_IntraSliceReduceOpF32_Min] = min_f32,
    [OP_InterSliceReduceOpI32_Add] = add_wrap,
    [OP_InterSliceReduceOpI32_AddSat] = add_saturating,
    [OP_InterSliceReduceOpI32_Max] = max_i32,
    [OP_InterSliceReduceOpI32_Min] = min_i32,
    [OP_InterSliceReduceOpF32_Add] = add_f32,
    [OP_InterSliceReduceOpF32_Max] = max_f32,
    [OP_InterSliceReduceOpF32_Min] = min_f32,
    [OP_InterSliceReduceOpF32_Mul] = mul_f32,
};
_Static_assert(sizeof alu_functions / sizeof *alu_functions == VECTOR_OP_COUNT,
               "every operation has a row");

AluFunction *alu_function(VectorOp op)
{
    return alu_functions[op];
}

uint32_t alu_apply(VectorOp op, uint32_t a, uint32_t b, uint32_t c)
{
    return alu_functions[op](a, b, c);
}

// ---- conversions

uint32_t alu_fxp_to_fp(uint32_t x, int64_t int_width)
{
    float value = (float)ldexp((double)integer(x), (int)(int_width - 31)); // exact but for that
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint32_t alu_fp_to_fxp(uint32_t x, int64_t int_width)
{
    if (is_nan(x))
        return x >> 31 ? (uint32_t)INT32_MIN : (uint32_t)INT32_MAX;
    double scaled = round(ldexp((double)real(x), (int)(31 - int_width)));
    if (scaled >= 2147483647.0)
        return (uint32_t)INT32_MAX;
    return scaled <= -2147483648.0 ? (uint32_t)INT32_MIN : (uint32_t)(int32_t)scaled;
}

// ---- comparisons

static bool compare_typed(const InputCompare *compare, uint32_t x, bool less)
{
    uint32_t left = less ? x : compare->boundary, right = less ? compare->boundary : x;
    if (compare->type == SCALAR_F32)
        return real(left) < real(right);
    return integer(left) < integer(right);
}

bool alu_compare(const InputCompare *compare, uint32_t x)
{
    switch (compare->kind) {
    case COMPARE_EQUAL:
        return compare->type == SCALAR_F32 ? real(x) == real(compare->boundary)
                                           : x == compare->boundary;
    case COMPARE_LESS:
        return compare_typed(compare, x, true);
    case COMPARE_GREATER:
        return compare_typed(compare, x, false);
    case COMPARE_LESS_UNSIGNED:
        return x < compare->boundary;
    case COMPARE_GREATER_UNSIGNED:
        return x > compare->boundary;
    case COMPARE_TRUE:
        return true;
    case COMPARE_FALSE:
    case COMPARE_COUNT:
        return false;
    }
    return false;
}

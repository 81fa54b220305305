// Arithmetic of host-side tensors and, after widening, of the contraction.
//
//   integers   wrap: the exact result, then its low bits. Division truncates towards zero, and the
//              smallest value divided by -1 wraps to itself. Division by zero has no result
//   the rest   both to f32, one f32 operation, back by the rules of convert.c. IEEE leaves the bits
//              of a NaN to the host; here an operation that yields a NaN yields 0x7fc00000
#include "scalar/scalar.h"

#include "scalar/bits.h"

#include <math.h>

// The value of a canonical integer; its products and quotients fit in 64 bits exactly.
static int64_t integer_value(Scalar type, uint32_t bits)
{
    return scalar_traits[type].kind == SCALAR_KIND_SIGNED ? (int64_t)(int32_t)bits : (int64_t)bits;
}

// Requires b != 0 for a division.
static int64_t integer_op(ScalarOp op, int64_t a, int64_t b)
{
    switch (op) {
    case SCALAR_OP_ADD:
        return a + b;
    case SCALAR_OP_SUB:
        return a - b;
    case SCALAR_OP_MUL:
        return a * b;
    case SCALAR_OP_DIV:
        return a / b;
    case SCALAR_OP_COUNT:
        break;
    }
    return 0;
}

// IEEE, to nearest even: b may be zero.
static float float_op(ScalarOp op, float a, float b)
{
    switch (op) {
    case SCALAR_OP_ADD:
        return a + b;
    case SCALAR_OP_SUB:
        return a - b;
    case SCALAR_OP_MUL:
        return a * b;
    case SCALAR_OP_DIV:
        return a / b;
    case SCALAR_OP_COUNT:
        break;
    }
    return 0.0f;
}

// Every NaN is the same.
static uint32_t rounded(double value)
{
    return value == value ? bits_of_float((float)value) : F32_NAN;
}

bool scalar_arith(ScalarOp op, Scalar type, uint32_t a, uint32_t b, uint32_t *result)
{
    if (!scalar_is_integer(type)) {
        float x = float_of_bits(scalar_to_f32(type, a)), y = float_of_bits(scalar_to_f32(type, b));
        *result = scalar_from_f32(type, rounded((double)float_op(op, x, y)));
        return true;
    }
    if (op == SCALAR_OP_DIV && b == 0)
        return false;
    int64_t exact = integer_op(op, integer_value(type, a), integer_value(type, b));
    *result = scalar_wrap(type, (uint32_t)exact);
    return true;
}

// ---- functions of f32
//
// Those of the C library in double are good to about 2^-52; rounding to 24 bits then gives the
// nearest float but where the true value lies within 2^-28 of an ulp from the middle of two.

static double neg_exp(double x)
{
    return exp(-x);
}

// Each step is rounded, as a program that writes it out has it.
static double sigmoid(double x)
{
    float power = (float)exp(-x);
    return (double)(1.0F / (1.0F + power));
}

typedef double Function(double x);

static Function *const functions[] = {
    [MATH_EXP] = exp,         [MATH_NEG_EXP] = neg_exp, [MATH_EXP2] = exp2, [MATH_EXP_M1] = expm1,
    [MATH_LN] = log,          [MATH_LN_1P] = log1p,     [MATH_LOG2] = log2, [MATH_LOG10] = log10,
    [MATH_SQRT] = sqrt,       [MATH_CBRT] = cbrt,       [MATH_SIN] = sin,   [MATH_COS] = cos,
    [MATH_TAN] = tan,         [MATH_ASIN] = asin,       [MATH_ACOS] = acos, [MATH_ATAN] = atan,
    [MATH_SINH] = sinh,       [MATH_COSH] = cosh,       [MATH_TANH] = tanh, [MATH_ERF] = erf,
    [MATH_SIGMOID] = sigmoid,
};
_Static_assert(sizeof functions / sizeof *functions == MATH_COUNT, "every function has a row");

uint32_t math_f32(MathFunction function, uint32_t x)
{
    return rounded(functions[function]((double)float_of_bits(x)));
}

uint32_t math_f32_pow(uint32_t x, uint32_t y)
{
    return rounded(pow((double)float_of_bits(x), (double)float_of_bits(y)));
}

uint32_t math_f32_atan2(uint32_t y, uint32_t x)
{
    return rounded(atan2((double)float_of_bits(y), (double)float_of_bits(x)));
}

uint32_t math_f32_fma(uint32_t a, uint32_t b, uint32_t c)
{
    float result = fmaf(float_of_bits(a), float_of_bits(b), float_of_bits(c));
    return result == result ? bits_of_float(result) : F32_NAN;
}

// The functions of the C library in double are good to about 2^-52; rounding to 24 bits then gives
// the nearest float but where the true value lies within 2^-28 of an ulp from the middle of two.
#include "scalar/math.h"

#include "scalar/bits.h"

#include <math.h>

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

static uint32_t rounded(double value)
{
    return value == value ? bits_of_float((float)value) : F32_NAN;
}

static double value_of(uint32_t bits)
{
    return (double)float_of_bits(bits);
}

uint32_t math_f32(MathFunction function, uint32_t x)
{
    return rounded(functions[function](value_of(x)));
}

uint32_t math_f32_pow(uint32_t x, uint32_t y)
{
    return rounded(pow(value_of(x), value_of(y)));
}

uint32_t math_f32_atan2(uint32_t y, uint32_t x)
{
    return rounded(atan2(value_of(y), value_of(x)));
}

uint32_t math_f32_fma(uint32_t a, uint32_t b, uint32_t c)
{
    float result = fmaf(float_of_bits(a), float_of_bits(b), float_of_bits(c));
    return result == result ? bits_of_float(result) : F32_NAN;
}

// The functions of f32 and f64. Those of f32 are of scalar/math.h, as those of the Vector Engine
// are.
#include "lang/std/native.h"

#include "base/checked.h"
#include "scalar/bits.h"
#include "scalar/math.h"

#include <math.h>
#include <string.h>

static bool is_single(const StdCall *call)
{
    return call->self && type_is_prim(type_strip(call->self), PRIM_f32);
}

static bool real_at(const StdCall *call, int64_t index, double *value)
{
    Value arg = std_arg(call, index);
    *value = arg.real;
    return arg.kind == VALUE_FLOAT;
}

static double rounded(const StdCall *call, double value)
{
    return is_single(call) ? (double)(float)value : value;
}

// ---- one number to one

static double next_up(double x)
{
    return nextafter(x, (double)INFINITY);
}

static float next_upf(float x)
{
    return nextafterf(x, INFINITY);
}

static double next_down(double x)
{
    return nextafter(x, -(double)INFINITY);
}

static float next_downf(float x)
{
    return nextafterf(x, -INFINITY);
}

// As the library writes them: through logarithms, not through the C functions.
static double asinh_of(double x)
{
    double ax = fabs(x), ix = 1.0 / ax;
    return copysign(log1p(ax + ax / (hypot(1.0, ix) + ix)), x);
}

static float asinh_off(float x)
{
    float ax = fabsf(x), ix = 1.0f / ax;
    return copysignf(log1pf(ax + ax / (hypotf(1.0f, ix) + ix)), x);
}

static double acosh_of(double x)
{
    return x < 1.0 ? (double)NAN : log(x + sqrt(x - 1.0) * sqrt(x + 1.0));
}

static float acosh_off(float x)
{
    return x < 1.0f ? NAN : logf(x + sqrtf(x - 1.0f) * sqrtf(x + 1.0f));
}

static double atanh_of(double x)
{
    return 0.5 * log1p(2.0 * x / (1.0 - x));
}

static float atanh_off(float x)
{
    return 0.5f * log1pf(2.0f * x / (1.0f - x));
}

static const struct {
    const char *name;
    double (*wide)(double);
    float (*narrow)(float); // NULL: the function that the Vector Engine has, too
    MathFunction function;
} unary[] = {
    {"sqrt", sqrt, NULL, MATH_SQRT},
    {"cbrt", cbrt, NULL, MATH_CBRT},
    {"exp", exp, NULL, MATH_EXP},
    {"exp2", exp2, NULL, MATH_EXP2},
    {"exp_m1", expm1, NULL, MATH_EXP_M1},
    {"ln", log, NULL, MATH_LN},
    {"ln_1p", log1p, NULL, MATH_LN_1P},
    {"log2", log2, NULL, MATH_LOG2},
    {"log10", log10, NULL, MATH_LOG10},
    {"sin", sin, NULL, MATH_SIN},
    {"cos", cos, NULL, MATH_COS},
    {"tan", tan, NULL, MATH_TAN},
    {"asin", asin, NULL, MATH_ASIN},
    {"acos", acos, NULL, MATH_ACOS},
    {"atan", atan, NULL, MATH_ATAN},
    {"sinh", sinh, NULL, MATH_SINH},
    {"cosh", cosh, NULL, MATH_COSH},
    {"tanh", tanh, NULL, MATH_TANH},
    {"asinh", asinh_of, asinh_off, MATH_COUNT},
    {"acosh", acosh_of, acosh_off, MATH_COUNT},
    {"atanh", atanh_of, atanh_off, MATH_COUNT},
    {"abs", fabs, fabsf, MATH_COUNT},
    {"floor", floor, floorf, MATH_COUNT},
    {"ceil", ceil, ceilf, MATH_COUNT},
    {"round", round, roundf, MATH_COUNT},
    {"round_ties_even", rint, rintf, MATH_COUNT},
    {"trunc", trunc, truncf, MATH_COUNT},
    {"next_up", next_up, next_upf, MATH_COUNT},
    {"next_down", next_down, next_downf, MATH_COUNT},
};

// The same bits as from the Vector Engine.
static float single_of(MathFunction function, float x)
{
    return float_of_bits(math_f32(function, bits_of_float(x)));
}

static double unary_single(size_t row, float x)
{
    return (double)(unary[row].narrow ? unary[row].narrow(x) : single_of(unary[row].function, x));
}

NATIVE(float_unary)
{
    double x;
    if (!real_at(call, 0, &x))
        return false;
    for (size_t i = 0; i < COUNT_OF(unary); i++) {
        if (strcmp(unary[i].name, call->name) != 0)
            continue;
        *result = value_real(is_single(call) ? unary_single(i, (float)x) : unary[i].wide(x));
        return true;
    }
    return false;
}

// ---- two numbers

static double binary_single(int32_t op, float a, float b)
{
    switch (op) {
    case FLOAT_POWF:
        return (double)float_of_bits(math_f32_pow(bits_of_float(a), bits_of_float(b)));
    case FLOAT_HYPOT:
        return (double)hypotf(a, b);
    case FLOAT_ATAN2:
        return (double)float_of_bits(math_f32_atan2(bits_of_float(a), bits_of_float(b)));
    default:
        return (double)NAN;
    }
}

static double binary_double(int32_t op, double a, double b)
{
    switch (op) {
    case FLOAT_POWF:
        return pow(a, b);
    case FLOAT_MIN:
        return fmin(a, b);
    case FLOAT_MAX:
        return fmax(a, b);
    case FLOAT_COPYSIGN:
        return copysign(a, b);
    case FLOAT_HYPOT:
        return hypot(a, b);
    case FLOAT_ATAN2:
        return atan2(a, b);
    default:
        return (a + b) / 2;
    }
}

NATIVE(float_binary)
{
    double a, b;
    if (!real_at(call, 0, &a) || !real_at(call, 1, &b))
        return false;
    bool own = call->op == FLOAT_POWF || call->op == FLOAT_HYPOT || call->op == FLOAT_ATAN2;
    double value = own && is_single(call) ? binary_single(call->op, (float)a, (float)b)
                                          : binary_double(call->op, a, b);
    *result = value_real(rounded(call, value));
    return true;
}

// Repeated multiplication, each rounded: as the compiler's run-time library has it.
static double powi(double base, int64_t exponent, bool single)
{
    bool invert = exponent < 0;
    double result = 1.0;
    for (uint64_t left = (uint64_t)(invert ? -exponent : exponent);;) {
        if (left & 1)
            result = single ? (double)((float)result * (float)base) : result * base;
        left >>= 1;
        if (!left)
            break;
        base = single ? (double)((float)base * (float)base) : base * base;
    }
    if (!invert)
        return result;
    return single ? (double)(1.0f / (float)result) : 1.0 / result;
}

NATIVE(float_powi)
{
    double base;
    int64_t exponent;
    if (!real_at(call, 0, &base) || !std_int(call, 1, &exponent))
        return false;
    *result = value_real(powi(base, exponent, is_single(call)));
    return true;
}

// ---- three numbers, and several results

NATIVE(float_mul_add)
{
    double a, b, c;
    if (!real_at(call, 0, &a) || !real_at(call, 1, &b) || !real_at(call, 2, &c))
        return false;
    *result =
        value_real(is_single(call) ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c));
    return true;
}

NATIVE(float_clamp)
{
    double x, low, high;
    if (!real_at(call, 0, &x) || !real_at(call, 1, &low) || !real_at(call, 2, &high))
        return false;
    if (!(low <= high))
        return std_panic(call, result, "min > max, or either was NaN. min = {g}, max = {g}", low,
                         high);
    *result = value_real(x < low ? low : x > high ? high : x);
    return true;
}

// ---- questions

NATIVE(float_ask)
{
    double x;
    if (!real_at(call, 0, &x))
        return false;
    int class = is_single(call) ? fpclassify((float)x) : fpclassify(x);
    const bool answers[] = {
        [ASK_NAN] = class == FP_NAN,
        [ASK_FINITE] = class != FP_NAN && class != FP_INFINITE,
        [ASK_INFINITE] = class == FP_INFINITE,
        [ASK_NORMAL] = class == FP_NORMAL,
        [ASK_SUBNORMAL] = class == FP_SUBNORMAL,
        [ASK_NEGATIVE] = signbit(x) != 0,
        [ASK_POSITIVE] = signbit(x) == 0,
    };
    *result = value_bool(answers[call->op]);
    return true;
}

// ---- bits

static int64_t bits_of(double x, bool single)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return single ? bits_of_float((float)x) : bits;
}

NATIVE(float_to_bits)
{
    double x;
    if (!real_at(call, 0, &x))
        return false;
    *result = value_int(bits_of(x, is_single(call)));
    return true;
}

NATIVE(float_from_bits)
{
    int64_t bits;
    double wide;
    if (!std_int(call, 0, &bits))
        return false;
    memcpy(&wide, &bits, sizeof wide);
    *result = value_real(is_single(call) ? (double)float_of_bits((uint32_t)bits) : wide);
    return true;
}

// Negative NaN first, positive NaN last, and -0.0 before 0.0.
NATIVE(float_total_cmp)
{
    double a, b;
    if (!real_at(call, 0, &a) || !real_at(call, 1, &b))
        return false;
    int64_t left = bits_of(a, false), right = bits_of(b, false);
    left ^= (int64_t)((uint64_t)(left >> 63) >> 1);
    right ^= (int64_t)((uint64_t)(right >> 63) >> 1);
    *result = ordering_value(call->trace, (left > right) - (left < right));
    return true;
}

// ---- conversion

NATIVE(float_from_number)
{
    Value value = std_arg(call, 0);
    *result = value.kind == VALUE_SCALAR ? value_real(element_to_real(value))
                                         : trace_cast(value, std_arg_type(call, 0), call->type);
    return result->kind == VALUE_FLOAT;
}

// ---- constants

Value real_constant(const char *name, bool single)
{
    static const struct {
        const char *name;
        double value;
    } constants[] = {
        {"PI", 3.14159265358979323846264338327950288},
        {"TAU", 6.28318530717958647692528676655900577},
        {"E", 2.71828182845904523536028747135266250},
        {"LN_2", 0.693147180559945309417232121458176568},
        {"LN_10", 2.30258509299404568401799145468436421},
        {"LOG2_E", 1.44269504088896340735992468100189214},
        {"LOG2_10", 3.32192809488736234787031942948939018},
        {"LOG10_E", 0.434294481903251827651128918916605082},
        {"LOG10_2", 0.301029995663981195213738894724493027},
        {"SQRT_2", 1.41421356237309504880168872420969808},
        {"FRAC_1_SQRT_2", 0.707106781186547524400844362104849039},
        {"FRAC_1_PI", 0.318309886183790671537767526745028724},
        {"FRAC_2_PI", 0.636619772367581343075535053490057448},
        {"FRAC_2_SQRT_PI", 1.12837916709551257389615890312154517},
        {"FRAC_PI_2", 1.57079632679489661923132169163975144},
        {"FRAC_PI_3", 1.04719755119659774615421446109316763},
        {"FRAC_PI_4", 0.785398163397448309615660845819875721},
        {"FRAC_PI_6", 0.52359877559829887307710723054658381},
        {"FRAC_PI_8", 0.39269908169872415480783042290993786},
    };
    for (size_t i = 0; i < COUNT_OF(constants); i++)
        if (strcmp(constants[i].name, name) == 0)
            return value_real(single ? (double)(float)constants[i].value : constants[i].value);
    return VALUE_NOTHING;
}

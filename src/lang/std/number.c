// Numbers. Integers are computed exactly, and then wrapped, saturated or checked to fit the type.
// Floats are host floats; functions of f32 are those of scalar/scalar.h, as in the Vector Engine.
// Element types that Rust does not have (bf16, f16, the f8 types, i4) are computed as f32 and
// rounded back, as the crate `half` does.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/whole.h"
#include "scalar/bits.h"
#include "scalar/scalar.h"

#include <math.h>
#include <string.h>

// ---- arguments

// The type of a number: of what the function belongs to, or of an argument with a type of its own
// (u32::checked_add_signed). NULL: it is none.
static const PrimInfo *number_type(const StdCall *call, int64_t index)
{
    const PrimInfo *self = call->self ? prim_of(call->self) : NULL;
    const PrimInfo *own = index ? prim_of(std_arg_type(call, index)) : self;
    const PrimInfo *prim = prim_is_whole(own) ? own : self;
    return prim_is_whole(prim) ? prim : NULL;
}

static bool number_arg(const StdCall *call, int64_t index, Whole *number)
{
    const PrimInfo *prim = number_type(call, index);
    Value value = std_arg(call, index);
    *number = prim && value_is_whole(value) ? whole_of(value, prim) : (Whole){0};
    return prim && value_is_whole(value);
}

// The bits of the number whose function it is, without its sign.
static bool bits_arg(const StdCall *call, Uint128 *bits, int32_t *width)
{
    const PrimInfo *prim = number_type(call, 0);
    Value value = std_arg(call, 0);
    if (!prim || !value_is_whole(value))
        return false;
    *width = prim->bits;
    *bits = whole_bits(value, prim) & ~(Uint128)0 >> (128 - prim->bits);
    return true;
}

static bool answer(const StdCall *call, Whole number, Value *result)
{
    *result = whole_value(number, number_type(call, 0));
    return true;
}

// ---- the four ways to treat what does not fit

static Whole div_euclid(Whole a, Whole b)
{
    Whole one = {.size = 1, .negative = !b.negative};
    Whole quotient = whole_divide(a, b);
    return whole_rest(a, b).negative ? whole_add(quotient, one) : quotient;
}

static Whole rem_euclid(Whole a, Whole b)
{
    Whole rest = whole_rest(a, b);
    return rest.negative ? whole_add(rest, (Whole){.size = b.size}) : rest;
}

static Whole div_ceil(Whole a, Whole b)
{
    Whole rest = whole_rest(a, b), quotient = whole_divide(a, b);
    bool up = rest.size && rest.negative == b.negative;
    return up ? whole_add(quotient, whole_of_int(1)) : quotient;
}

static bool divides(NumberOp op)
{
    return op == NUMBER_DIV || op == NUMBER_REM || op == NUMBER_DIV_EUCLID ||
           op == NUMBER_REM_EUCLID || op == NUMBER_DIV_CEIL || op == NUMBER_MULTIPLE;
}

static bool gives_rest(NumberOp op)
{
    return op == NUMBER_REM || op == NUMBER_REM_EUCLID;
}

static Whole shift(Whole a, int32_t by, bool left, const PrimInfo *prim)
{
    Uint128 bits = a.negative ? -a.size : a.size;
    Uint128 shifted = left ? bits << by : a.negative ? (Uint128)((Int128)bits >> by) : bits >> by;
    return whole_of(whole_of_bits(shifted, prim), prim);
}

static Whole next_multiple(Whole a, Whole b)
{
    return whole_multiply(div_ceil(a, b), b);
}

static Whole power(Whole a, Whole b)
{
    return whole_power(a, (uint32_t)b.size);
}

static Whole negated(Whole a, Whole b)
{
    return whole_subtract(b, a);
}

static Whole absolute(Whole a, Whole b)
{
    (void)b;
    return (Whole){.size = a.size};
}

// *beyond: it leaves the type.
static Whole work_out(NumberOp op, Whole a, Whole b, const PrimInfo *prim, bool *beyond)
{
    static Whole (*const exactly[])(Whole, Whole) = {
        [NUMBER_ADD] = whole_add,         [NUMBER_SUB] = whole_subtract,
        [NUMBER_MUL] = whole_multiply,    [NUMBER_DIV] = whole_divide,
        [NUMBER_REM] = whole_rest,        [NUMBER_DIV_EUCLID] = div_euclid,
        [NUMBER_REM_EUCLID] = rem_euclid, [NUMBER_NEG] = negated,
        [NUMBER_ABS] = absolute,          [NUMBER_POW] = power,
        [NUMBER_DIV_CEIL] = div_ceil,     [NUMBER_MULTIPLE] = next_multiple};
    if (op == NUMBER_SHL || op == NUMBER_SHR) {
        *beyond = b.size >= (Uint128)prim->bits;
        return shift(a, (int32_t)b.size & (prim->bits - 1), op == NUMBER_SHL, prim);
    }
    Whole out = exactly[op](a, b);
    // the quotient of MIN % -1 leaves the type
    *beyond = !whole_fits(gives_rest(op) ? whole_divide(a, b) : out, prim);
    return out;
}

static bool by_zero(const StdCall *call, NumberOp op, Way way, Value *result)
{
    if (way == WAY_CHECKED) {
        *result = none_value(call->trace);
        return true;
    }
    return std_panic(call, result,
                     gives_rest(op) || op == NUMBER_MULTIPLE
                         ? "attempt to calculate the remainder with a divisor of zero"
                         : "attempt to divide by zero");
}

NATIVE(number_arithmetic)
{
    NumberOp op = (NumberOp)(call->op % WAY_CHECKED);
    Way way = (Way)(call->op - (int32_t)op);
    Trace *trace = call->trace;
    const PrimInfo *prim = number_type(call, 0);
    Whole a, b = {0};
    bool beyond;
    if (!number_arg(call, 0, &a) || (call->count > 1 && !number_arg(call, 1, &b)))
        return false;
    if (!b.size && divides(op))
        return by_zero(call, op, way, result);
    Whole out = work_out(op, a, b, prim, &beyond);
    Value wrapped = whole_value(out, prim);
    switch (way) {
    case WAY_CHECKED:
        *result = beyond ? none_value(trace) : some_value(trace, wrapped);
        return true;
    case WAY_SATURATING:
        *result = !beyond ? wrapped
                          : whole_value(out.negative ? whole_least(prim) : whole_most(prim), prim);
        return true;
    case WAY_OVERFLOWING:
        *result = list_value(trace, (Value[]){wrapped, value_bool(beyond)}, 2);
        return true;
    case WAY_PLAIN: // a division is checked in a release build, too
        if (beyond && divides(op) && op != NUMBER_MULTIPLE)
            return std_panic(call, result,
                             gives_rest(op) ? "attempt to calculate the remainder with overflow"
                                            : "attempt to divide with overflow");
        if (beyond && op == NUMBER_POW && trace->run && trace->run->overflow_panics)
            return std_panic(call, result, "attempt to multiply with overflow");
        *result = wrapped;
        return true;
    default:
        *result = wrapped;
        return true;
    }
}

// ---- bits

static int32_t bit_length(Uint128 bits)
{
    uint64_t high = (uint64_t)(bits >> 64), low = (uint64_t)bits;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

NATIVE(number_leading_zeros)
{
    Uint128 bits;
    int32_t width;
    if (!bits_arg(call, &bits, &width))
        return false;
    *result = value_int(width - bit_length(bits));
    return true;
}

NATIVE(number_trailing_zeros)
{
    Uint128 bits;
    int32_t width;
    if (!bits_arg(call, &bits, &width))
        return false;
    uint64_t low = (uint64_t)bits;
    *result = value_int(low    ? __builtin_ctzll(low)
                        : bits ? 64 + __builtin_ctzll((uint64_t)(bits >> 64))
                               : width);
    return true;
}

NATIVE(number_count_ones)
{
    Uint128 bits;
    int32_t width;
    if (!bits_arg(call, &bits, &width))
        return false;
    *result = value_int(__builtin_popcountll((uint64_t)bits) +
                        __builtin_popcountll((uint64_t)(bits >> 64)));
    return true;
}

NATIVE(number_rotate)
{
    Uint128 bits;
    int32_t width;
    int64_t by;
    if (!bits_arg(call, &bits, &width) || !std_int(call, 1, &by))
        return false;
    int32_t left = (int32_t)(by % width);
    Uint128 turned = left ? bits << left | bits >> (width - left) : bits;
    *result = whole_of_bits(turned, number_type(call, 0));
    return true;
}

NATIVE(number_swap_bits)
{
    Uint128 bits, swapped = 0;
    int32_t width, unit = call->op ? 1 : 8; // reverse_bits, swap_bytes
    if (!bits_arg(call, &bits, &width))
        return false;
    for (int32_t i = 0; i < width; i += unit)
        swapped |= (bits >> i & (((Uint128)1 << unit) - 1)) << (width - unit - i);
    *result = whole_of_bits(swapped, number_type(call, 0));
    return true;
}

NATIVE(number_to_bytes)
{
    Uint128 bits;
    int32_t width;
    Value bytes[16];
    if (!bits_arg(call, &bits, &width))
        return false;
    int32_t count = width / 8;
    for (int32_t i = 0; i < count; i++)
        bytes[call->op ? count - 1 - i : i] = value_int((int64_t)(bits >> (8 * i) & 0xff));
    *result = list_value(call->trace, bytes, count);
    return true;
}

NATIVE(number_from_bytes)
{
    enum { MOST_BYTES = 16 };
    Value list = std_arg(call, 0);
    const PrimInfo *prim = number_type(call, 0);
    Uint128 bits = 0;
    if (list.kind != VALUE_LIST || !prim)
        return false;
    for (int64_t i = 0; i < list.list->count; i++) {
        Value byte = value_strip(list.list->items[i]);
        if (byte.kind != VALUE_INT)
            return false;
        int64_t at = call->op ? list.list->count - 1 - i : i;
        bits |= at < MOST_BYTES ? (Uint128)(byte.integer & 0xff) << (8 * at) : 0;
    }
    *result = whole_of_bits(bits, prim);
    return true;
}

// ---- signs and order

// unsigned_abs is how far it is from 0.
NATIVE(number_abs_diff)
{
    Whole a, b = {0};
    if (!number_arg(call, 0, &a) || (call->count > 1 && !number_arg(call, 1, &b)))
        return false;
    *result = whole_value((Whole){.size = whole_subtract(a, b).size}, prim_of(call->type));
    return true;
}

NATIVE(number_extreme)
{
    Whole a, b;
    if (!number_arg(call, 0, &a) || !number_arg(call, 1, &b))
        return false;
    bool less = whole_compare(a, b) < 0;
    return answer(call, less == (call->op == ORDER_MIN) ? a : b, result);
}

// Towards zero. The sum may have one bit more than there is room for.
NATIVE(number_midpoint)
{
    Whole a, b;
    if (!number_arg(call, 0, &a) || !number_arg(call, 1, &b))
        return false;
    Whole sum = whole_add(a, b);
    sum.size = sum.size >> 1 | (Uint128)sum.beyond << 127;
    return answer(call, sum, result);
}

// ---- conversion

NATIVE(number_from_number)
{
    Value value = std_arg(call, 0);
    bool known = value_is_whole(value) || value.kind == VALUE_BOOL;
    *result = trace_cast(value, std_arg_type(call, 0), call->self);
    return known && number_type(call, 0);
}

bool whole_try_into(Trace *trace, Value value, Type *from, Type *to, Value *result)
{
    const PrimInfo *prim = prim_of(to);
    if (!value_is_whole(value) || !prim_is_whole(prim))
        return false;
    const PrimInfo *source = prim_of(from);
    Whole number = whole_of(value, source); // of a char, too
    *result =
        whole_fits(number, prim)
            ? ok_value(trace, whole_value(number, prim))
            : err_value(trace, error_value(trace, "out of range integral type conversion attempted",
                                           "TryFromIntError(())"));
    return true;
}

NATIVE(number_try_from)
{
    return whole_try_into(call->trace, std_arg(call, 0), std_arg_type(call, 0), call->self, result);
}

// ---- f32 and f64

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

static float powf_of(float a, float b)
{
    return float_of_bits(math_f32_pow(bits_of_float(a), bits_of_float(b)));
}

static float atan2f_of(float a, float b)
{
    return float_of_bits(math_f32_atan2(bits_of_float(a), bits_of_float(b)));
}

// As the reference has it where both are 0, one of them negative: the first. fmin and fmax may give
// either.
static double smaller(double a, double b)
{
    return a <= b || isnan(b) ? a : b;
}

static float smallerf(float a, float b)
{
    return a <= b || isnan(b) ? a : b;
}

static double larger(double a, double b)
{
    return a >= b || isnan(b) ? a : b;
}

static float largerf(float a, float b)
{
    return a >= b || isnan(b) ? a : b;
}

static double midpoint(double a, double b)
{
    return (a + b) / 2;
}

static float midpointf(float a, float b)
{
    return (float)midpoint((double)a, (double)b);
}

NATIVE(float_binary)
{
    static const struct {
        double (*wide)(double, double);
        float (*narrow)(float, float);
    } functions[] = {
        [FLOAT_POWF] = {pow, powf_of},
        [FLOAT_MIN] = {smaller, smallerf},
        [FLOAT_MAX] = {larger, largerf},
        [FLOAT_COPYSIGN] = {copysign, copysignf},
        [FLOAT_HYPOT] = {hypot, hypotf},
        [FLOAT_ATAN2] = {atan2, atan2f_of},
        [FLOAT_MIDPOINT] = {midpoint, midpointf},
    };
    double a, b;
    if (!real_at(call, 0, &a) || !real_at(call, 1, &b))
        return false;
    *result = value_real(is_single(call) ? (double)functions[call->op].narrow((float)a, (float)b)
                                         : functions[call->op].wide(a, b));
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

// ---- elements

double element_to_real(Value value)
{
    if (scalar_is_integer(value.scalar.type))
        return (double)(int32_t)value.scalar.bits;
    return (double)float_of_bits(scalar_to_f32(value.scalar.type, value.scalar.bits));
}

static bool scalar_type(Type *type, Scalar *scalar)
{
    type = type_strip(type);
    bool element = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM &&
                   prims[type->decl->prim].class == PRIM_ELEMENT;
    if (element)
        *scalar = (Scalar)prims[type->decl->prim].scalar;
    return element;
}

static Value element(Scalar type, uint32_t bits)
{
    return (Value){.kind = VALUE_SCALAR, .scalar = {type, bits}};
}

static Value element_rounded(Scalar type, double real)
{
    if (scalar_is_integer(type))
        return element(type, scalar_wrap(type, (uint32_t)(int32_t)real));
    return element(type, scalar_from_f32(type, bits_of_float((float)real)));
}

bool element_of_real(Type *type, double real, Value *result)
{
    Scalar scalar;
    if (!scalar_type(type, &scalar))
        return false;
    *result = element_rounded(scalar, real);
    return true;
}

Value element_binary(AstBinaryOp op, Value left, Value right)
{
    Scalar type = left.scalar.type;
    double a = element_to_real(left), b = element_to_real(right);
    bool ordered = !isnan(a) && !isnan(b);
    switch (op) {
    case BINARY_ADD:
    case BINARY_SUB:
    case BINARY_MUL:
    case BINARY_DIV: {
        uint32_t bits;
        return scalar_arith((ScalarOp)(SCALAR_OP_ADD + (op - BINARY_ADD)), type, left.scalar.bits,
                            right.scalar.bits, &bits)
                   ? element(type, bits)
                   : VALUE_NOTHING;
    }
    case BINARY_REM:
        return element_rounded(type, fmod(a, b));
    case BINARY_EQ:
        return value_bool(ordered && a == b);
    case BINARY_NE:
        return value_bool(!ordered || a != b);
    case BINARY_LT:
        return value_bool(ordered && a < b);
    case BINARY_LE:
        return value_bool(ordered && a <= b);
    case BINARY_GT:
        return value_bool(ordered && a > b);
    case BINARY_GE:
        return value_bool(ordered && a >= b);
    default:
        return VALUE_NOTHING;
    }
}

// ---- functions

NATIVE(element_from_number)
{
    Value value = std_arg(call, 0);
    if (value.kind == VALUE_SCALAR)
        return element_of_real(call->type, element_to_real(value), result);
    if (value.kind != VALUE_FLOAT && value.kind != VALUE_INT)
        return false;
    return element_of_real(call->type, value.kind == VALUE_INT ? (double)value.integer : value.real,
                           result);
}

NATIVE(element_to_number)
{
    Value value = std_arg(call, 0);
    if (value.kind != VALUE_SCALAR)
        return false;
    double real = element_to_real(value);
    *result = call->op ? value_int((int64_t)real) : value_real(real);
    return true;
}

NATIVE(element_to_bits)
{
    Value value = std_arg(call, 0);
    *result = value_int(value.scalar.bits);
    return value.kind == VALUE_SCALAR;
}

NATIVE(element_from_bits)
{
    Scalar type;
    int64_t bits;
    if (!std_int(call, 0, &bits) || !scalar_type(call->type, &type))
        return false;
    *result = element(type, scalar_wrap(type, (uint32_t)bits));
    return true;
}

#include "lang/eval/trace_internal.h"

#include "base/checked.h"
#include "lang/eval/whole.h"
#include "lang/std/std.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

// Arithmetic wraps at the width of its type, as in a release build.
static int64_t wrap_prim(int64_t value, const PrimInfo *prim)
{
    if (!prim_is_whole(prim) || prim->bits >= 64)
        return value;
    assert(prim->bits > 0);
    uint64_t mask = ((uint64_t)1 << prim->bits) - 1, bits = (uint64_t)value & mask;
    bool negative = prim->class == PRIM_INT && bits >> (prim->bits - 1);
    return (int64_t)(negative ? bits | ~mask : bits);
}

int64_t wrap_integer(int64_t value, Type *type)
{
    return wrap_prim(value, prim_of(type));
}

bool is_unsigned(Type *type)
{
    const PrimInfo *prim = prim_of(type);
    return prim && prim->class == PRIM_UINT;
}

static Value float_limit(bool single, const char *name)
{
    const struct {
        const char *name;
        double value;
    } limits[] = {
        {"MAX", single ? (double)FLT_MAX : DBL_MAX},
        {"MIN", single ? -(double)FLT_MAX : -DBL_MAX},
        {"MIN_POSITIVE", single ? (double)FLT_MIN : DBL_MIN},
        {"EPSILON", single ? (double)FLT_EPSILON : DBL_EPSILON},
        {"INFINITY", (double)INFINITY},
        {"NEG_INFINITY", -(double)INFINITY},
        {"NAN", (double)NAN},
    };
    for (size_t i = 0; i < COUNT_OF(limits); i++)
        if (strcmp(name, limits[i].name) == 0)
            return (Value){.kind = VALUE_FLOAT, .real = limits[i].value};
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {
        {"DIGITS", single ? FLT_DIG : DBL_DIG},
        {"MANTISSA_DIGITS", single ? FLT_MANT_DIG : DBL_MANT_DIG},
        {"RADIX", FLT_RADIX},
        {"MIN_EXP", single ? FLT_MIN_EXP : DBL_MIN_EXP},
        {"MAX_EXP", single ? FLT_MAX_EXP : DBL_MAX_EXP},
        {"MIN_10_EXP", single ? FLT_MIN_10_EXP : DBL_MIN_10_EXP},
        {"MAX_10_EXP", single ? FLT_MAX_10_EXP : DBL_MAX_10_EXP},
    };
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        if (strcmp(name, counts[i].name) == 0)
            return value_int(counts[i].value);
    return VALUE_NOTHING;
}

// bf16::ONE and the like.
static Value element_limit(Type *type, const PrimInfo *prim, const char *name)
{
    const ScalarTraits *traits = &scalar_traits[prim->scalar];
    Value largest = {.kind = VALUE_SCALAR, .scalar = {(Scalar)prim->scalar, traits->maximum}};
    const struct {
        const char *name;
        double value;
    } limits[] = {
        {"ZERO", 0.0},
        {"ONE", 1.0},
        {"NEG_ONE", -1.0},
        {"INFINITY", (double)INFINITY},
        {"NEG_INFINITY", -(double)INFINITY},
        {"NAN", (double)NAN},
        {"EPSILON", ldexp(1, -traits->mantissa_bits)},
        {"MIN_POSITIVE", ldexp(1, 1 - traits->bias)},
        {"MIN", -element_to_real(largest)},
    };
    Value value = VALUE_NOTHING;
    if (strcmp(name, "MAX") == 0)
        return largest;
    for (size_t i = 0; i < COUNT_OF(limits); i++)
        if (strcmp(name, limits[i].name) == 0)
            element_of_real(type, limits[i].value, &value);
    return value;
}

Value number_limit(Type *type, const char *name)
{
    const PrimInfo *prim = prim_of(type);
    if (prim && prim->class == PRIM_FLOAT)
        return float_limit(prim->bits == 32, name);
    if (prim && prim->class == PRIM_ELEMENT)
        return element_limit(type_strip(type), prim, name);
    if (type_is_prim(type_strip(type), PRIM_char))
        return strcmp(name, "MAX") == 0 ? value_int(0x10ffff) : VALUE_NOTHING;
    if (!prim_is_whole(prim))
        return VALUE_NOTHING;
    if (strcmp(name, "MAX") == 0)
        return whole_value(whole_most(prim), prim);
    if (strcmp(name, "MIN") == 0)
        return whole_value(whole_least(prim), prim);
    return strcmp(name, "BITS") == 0 ? value_int(prim->bits) : VALUE_NOTHING;
}

static Value report_arithmetic(Trace *trace, const AstExpr *expr, const char *what)
{
    if (trace->run)
        return trace_panic(trace, expr->span, str_from(what));
    diag_add(trace->lang->diags, DIAG_ARITHMETIC, expr->span, "{}", what);
    return (Value){.kind = VALUE_POISON};
}

static Value by_zero(Trace *trace, const AstExpr *expr, bool remainder)
{
    if (trace->run)
        return report_arithmetic(trace, expr,
                                 remainder
                                     ? "attempt to calculate the remainder with a divisor of zero"
                                     : "attempt to divide by zero");
    return report_arithmetic(trace, expr,
                             remainder ? "this takes the remainder of a division by 0"
                                       : "this divides by 0");
}

// The smallest number by -1.
static Value too_large_quotient(Trace *trace, const AstExpr *expr, bool remainder)
{
    return report_arithmetic(trace, expr,
                             remainder ? "attempt to calculate the remainder with overflow"
                                       : "attempt to divide with overflow");
}

static Value divide(Trace *trace, const AstExpr *expr, int64_t a, int64_t b, bool remainder,
                    const PrimInfo *prim)
{
    bool no_sign = prim && prim->class == PRIM_UINT;
    int32_t bits = prim && prim->bits && prim->bits < 64 ? prim->bits : 64;
    if (b == 0)
        return by_zero(trace, expr, remainder);
    if (no_sign)
        return value_int(
            (int64_t)(remainder ? (uint64_t)a % (uint64_t)b : (uint64_t)a / (uint64_t)b));
    if (b == -1 && a == INT64_MIN >> (64 - bits))
        return too_large_quotient(trace, expr, remainder);
    if (b == -1)
        return value_int(remainder ? 0 : (int64_t) - (uint64_t)a);
    return value_int(remainder ? a % b : a / b);
}

static Value shift(int64_t a, int64_t b, bool left, const PrimInfo *prim)
{
    int64_t bits = prim && prim->bits && prim->bits < 64 ? prim->bits : 64;
    int64_t by = b & (bits - 1);
    if (left)
        return value_int((int64_t)((uint64_t)a << by));
    bool no_sign = prim && prim->class == PRIM_UINT;
    return value_int(no_sign ? (int64_t)((uint64_t)a >> by) : a >> by);
}

static Value integer_binary(Trace *trace, const AstExpr *expr, AstBinaryOp op, int64_t a, int64_t b,
                            const PrimInfo *prim)
{
    switch (op) {
    case BINARY_ADD:
        return value_int((int64_t)((uint64_t)a + (uint64_t)b));
    case BINARY_SUB:
        return value_int((int64_t)((uint64_t)a - (uint64_t)b));
    case BINARY_MUL:
        return value_int((int64_t)((uint64_t)a * (uint64_t)b));
    case BINARY_DIV:
    case BINARY_REM:
        return divide(trace, expr, a, b, op == BINARY_REM, prim);
    case BINARY_AND:
        return value_int(a & b);
    case BINARY_OR:
        return value_int(a | b);
    case BINARY_XOR:
        return value_int(a ^ b);
    case BINARY_SHL:
    case BINARY_SHR:
        return shift(a, b, op == BINARY_SHL, prim);
    default:
        return VALUE_NOTHING;
    }
}

static bool compare(AstBinaryOp op, int order)
{
    switch (op) {
    case BINARY_EQ:
        return order == 0;
    case BINARY_NE:
        return order != 0;
    case BINARY_LT:
        return order < 0;
    case BINARY_LE:
        return order <= 0;
    case BINARY_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

static int order_of(int64_t a, int64_t b, bool no_sign)
{
    if (no_sign)
        return ((uint64_t)a > (uint64_t)b) - ((uint64_t)a < (uint64_t)b);
    return (a > b) - (a < b);
}

static Value real_binary(AstBinaryOp op, double a, double b, Type *type)
{
    bool ordered = !isnan(a) && !isnan(b);
    double result;
    switch (op) {
    case BINARY_ADD:
        result = a + b;
        break;
    case BINARY_SUB:
        result = a - b;
        break;
    case BINARY_MUL:
        result = a * b;
        break;
    case BINARY_DIV:
        result = a / b;
        break;
    case BINARY_REM:
        result = fmod(a, b);
        break;
    case BINARY_NE:
        return value_bool(!ordered || a != b);
    default:
        return value_bool(ordered && compare(op, (a > b) - (a < b)));
    }
    // one operation in double, rounded to float, is the operation in float
    if (type_is_prim(type, PRIM_f32))
        result = (double)(float)result;
    return (Value){.kind = VALUE_FLOAT, .real = result};
}

static Value bool_binary(AstBinaryOp op, bool a, bool b)
{
    switch (op) {
    case BINARY_AND:
        return value_bool(a & b);
    case BINARY_OR:
        return value_bool(a | b);
    case BINARY_XOR:
        return value_bool(a ^ b);
    default:
        return value_bool(compare(op, (int)a - (int)b));
    }
}

// Of two values of which one may be missing.
static Value opt_binary(Trace *trace, const AstExpr *expr, AstBinaryOp op, Value left, Value right,
                        Type *type)
{
    Value a, b;
    if (!value_variant(left) || !value_variant(right))
        return VALUE_NOTHING;
    if (!value_field(left, &a))
        return left;
    if (!value_field(right, &b))
        return right;
    Value made = trace_binary(trace, expr, op, a, b, type_strip(type->args[0]));
    return made.kind == VALUE_UNKNOWN || made.kind == VALUE_POISON
               ? made
               : variant_value(trace, value_variant(left), &made, 1);
}

// ---- overflow, where the program is run as in a debug build

// What an operation is called that gives more than its type holds; NULL: it does not.
static const char *overflowing(AstBinaryOp op, Value left, Value right, const PrimInfo *prim)
{
    if (!prim_is_whole(prim))
        return NULL;
    Whole a = whole_of(left, prim), b = whole_of(right, prim);
    switch (op) {
    case BINARY_ADD:
        return whole_fits(whole_add(a, b), prim) ? NULL : "add";
    case BINARY_SUB:
        return whole_fits(whole_subtract(a, b), prim) ? NULL : "subtract";
    case BINARY_MUL:
        return whole_fits(whole_multiply(a, b), prim) ? NULL : "multiply";
    case BINARY_SHL:
    case BINARY_SHR:
        b = whole_of(right, &prims[PRIM_i64]); // an amount has a type of its own
        if (!b.negative && b.size < (Uint128)prim->bits)
            return NULL;
        return op == BINARY_SHL ? "shift left" : "shift right";
    default:
        return NULL;
    }
}

static bool panics_over(Trace *trace, const AstExpr *expr, AstBinaryOp op, Value left, Value right,
                        const PrimInfo *prim)
{
    bool constant = trace->mode == TRACE_CONSTANT;
    bool checked = constant || (trace->run && trace->run->overflow_panics);
    const char *what = checked ? overflowing(op, left, right, prim) : NULL;
    if (what && constant)
        trace->flow = FLOW_STOP; // it has no value
    else if (what)
        trace_panic(trace, expr->span,
                    str_format(trace->lang->arena, "attempt to {} with overflow", what));
    return what != NULL;
}

Value trace_integers(Trace *trace, const AstExpr *expr, AstBinaryOp op, int64_t a, int64_t b,
                     Type *type)
{
    const PrimInfo *prim = prim_of(type);
    if (op >= BINARY_EQ && op <= BINARY_GE)
        return value_bool(compare(op, order_of(a, b, prim && prim->class == PRIM_UINT)));
    if (panics_over(trace, expr, op, value_int(a), value_int(b), prim))
        return poison_value();
    Value value = integer_binary(trace, expr, op, a, b, prim);
    if (value.kind == VALUE_INT)
        value.integer = wrap_prim(value.integer, prim);
    return value;
}

// ---- i128 and u128

static Value wide_divide(Trace *trace, const AstExpr *expr, Whole a, Whole b, bool remainder,
                         const PrimInfo *prim)
{
    if (!b.size)
        return by_zero(trace, expr, remainder);
    Whole quotient = whole_divide(a, b);
    if (!whole_fits(quotient, prim))
        return too_large_quotient(trace, expr, remainder);
    return whole_value(remainder ? whole_rest(a, b) : quotient, prim);
}

// By an amount of any type, of which only the lowest bits count.
static Value wide_shift(Value left, Value right, bool to_left, const PrimInfo *prim)
{
    Uint128 bits = whole_bits(left, prim);
    int32_t width = prim && prim->bits ? prim->bits : 64;
    int32_t by = (int32_t)whole_bits(right, NULL) & (width - 1);
    if (to_left)
        return whole_of_bits(bits << by, prim);
    bool no_sign = prim && prim->class == PRIM_UINT;
    return whole_of_bits(no_sign ? bits >> by : (Uint128)((Int128)bits >> by), prim);
}

// Of two whole numbers of which one is of 128 bits: both, if it is no shift.
static Value wide_binary(Trace *trace, const AstExpr *expr, AstBinaryOp op, Value left, Value right,
                         Type *type)
{
    const PrimInfo *prim = prim_of(type);
    if (panics_over(trace, expr, op, left, right, prim))
        return poison_value();
    if (op == BINARY_SHL || op == BINARY_SHR)
        return wide_shift(left, right, op == BINARY_SHL, prim);
    Whole a = whole_of(left, prim), b = whole_of(right, prim);
    if (op >= BINARY_EQ && op <= BINARY_GE)
        return value_bool(compare(op, whole_compare(a, b)));
    Uint128 a_bits = whole_bits(left, prim), b_bits = whole_bits(right, prim);
    switch (op) {
    case BINARY_ADD:
        return whole_of_bits(a_bits + b_bits, prim);
    case BINARY_SUB:
        return whole_of_bits(a_bits - b_bits, prim);
    case BINARY_MUL:
        return whole_of_bits(a_bits * b_bits, prim);
    case BINARY_DIV:
    case BINARY_REM:
        return wide_divide(trace, expr, a, b, op == BINARY_REM, prim);
    case BINARY_AND:
        return whole_of_bits(a_bits & b_bits, prim);
    case BINARY_OR:
        return whole_of_bits(a_bits | b_bits, prim);
    case BINARY_XOR:
        return whole_of_bits(a_bits ^ b_bits, prim);
    default:
        return VALUE_NOTHING;
    }
}

// ---- all of them

Value trace_binary(Trace *trace, const AstExpr *expr, AstBinaryOp op, Value left, Value right,
                   Type *type)
{
    left = value_strip(left);
    right = value_strip(right);
    if (left.kind == VALUE_POISON || right.kind == VALUE_POISON)
        return (Value){.kind = VALUE_POISON};
    if (left.kind == VALUE_INT && right.kind == VALUE_INT)
        return trace_integers(trace, expr, op, left.integer, right.integer, type);
    if (value_is_whole(left) && value_is_whole(right))
        return wide_binary(trace, expr, op, left, right, type);
    if (left.kind == VALUE_FLOAT && right.kind == VALUE_FLOAT)
        return real_binary(op, left.real, right.real, type);
    if (left.kind == VALUE_BOOL && right.kind == VALUE_BOOL)
        return bool_binary(op, left.boolean, right.boolean);
    bool known = true;
    if (op == BINARY_EQ || op == BINARY_NE) {
        bool equal = value_equals(trace, left, right, type, &known);
        return known ? value_bool(equal == (op == BINARY_EQ)) : VALUE_NOTHING;
    }
    if (op >= BINARY_LT && op <= BINARY_GE) {
        int order;
        known = value_compare(trace, left, right, type, &order);
        return known ? value_bool(order != UNORDERED && compare(op, order)) : VALUE_NOTHING;
    }
    if (left.kind == VALUE_SCALAR && right.kind == VALUE_SCALAR)
        return element_binary(op, left, right);
    if (type_is_named(type, "Opt"))
        return opt_binary(trace, expr, op, left, right, type);
    if (op == BINARY_ADD && left.kind == VALUE_STRING && right.kind == VALUE_STRING) {
        text_append(trace, &left, right.text);
        return left;
    }
    return VALUE_NOTHING;
}

static Value saturate(double real, const PrimInfo *prim)
{
    if (isnan(real))
        return whole_of_bits(0, prim);
    Whole least = whole_least(prim), most = whole_most(prim);
    double low = -(double)least.size, high = ldexp(1, prim->bits - (prim->class == PRIM_INT));
    if (real <= low)
        return whole_value(least, prim);
    if (real >= high)
        return whole_value(most, prim);
    return whole_of_bits(real < 0 ? -(Uint128)-real : (Uint128)real, prim);
}

// Once, to the nearest.
static double whole_to_real(Whole whole, bool single)
{
    double size = single ? (double)(float)whole.size : (double)whole.size;
    return whole.negative ? -size : size;
}

Value trace_cast(Value value, Type *from, Type *to)
{
    const PrimInfo *prim = prim_of(to);
    if (!prim)
        return value; // another view of it: `as Box<dyn Trait>`, `as fn(..)`
    value = value_strip(value);
    if (value.kind == VALUE_BOOL)
        value = value_int(value.boolean);
    bool to_float = prim->class == PRIM_FLOAT;
    if (value_is_whole(value) && to_float)
        return value_real(whole_to_real(whole_of(value, prim_of(from)), prim->bits == 32));
    if (value_is_whole(value))
        return whole_of_bits(whole_bits(value, prim_of(from)), prim);
    if (value.kind == VALUE_FLOAT && to_float) {
        value.real = prim->bits == 32 ? (double)(float)value.real : value.real;
        return value;
    }
    if (value.kind == VALUE_FLOAT)
        return prim_is_whole(prim) ? saturate(value.real, prim) : VALUE_NOTHING;
    return value;
}

Value trace_negate(Trace *trace, const AstExpr *expr, Value value, Type *type)
{
    value = value_strip(value);
    const PrimInfo *prim = prim_of(type);
    bool literal = expr->unary.inner->kind == AST_LITERAL; // -128i8 is a number itself
    bool checked = trace->run && trace->run->overflow_panics && prim_is_whole(prim) && !literal;
    if (checked && value_is_whole(value) && !whole_fits(whole_negate(whole_of(value, prim)), prim))
        return trace_panic(trace, expr->span, STR("attempt to negate with overflow"));
    if (value.kind == VALUE_INT)
        return value_int(wrap_integer((int64_t) - (uint64_t)value.integer, type));
    if (value.kind == VALUE_WIDE)
        return value_wide(-value_wide_bits(value));
    if (value.kind == VALUE_FLOAT)
        return (Value){.kind = VALUE_FLOAT, .real = -value.real};
    return value.kind == VALUE_POISON ? value : VALUE_NOTHING;
}

Value trace_not(Value value, Type *type)
{
    value = value_strip(value);
    if (value.kind == VALUE_BOOL)
        return value_bool(!value.boolean);
    if (value.kind == VALUE_INT)
        return value_int(wrap_integer(~value.integer, type));
    if (value.kind == VALUE_WIDE)
        return value_wide(~value_wide_bits(value));
    return value.kind == VALUE_POISON ? value : VALUE_NOTHING;
}

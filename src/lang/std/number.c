// The functions of whole numbers. They are worked out exactly, and then brought into the type:
// wrapped, saturated, checked or taken as it is.
#include "lang/std/std.h"

#include "base/checked.h"
#include "lang/eval/whole.h"

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

typedef enum { WAY_WRAPPING, WAY_CHECKED, WAY_SATURATING, WAY_OVERFLOWING, WAY_PLAIN } Way;

typedef enum {
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_DIV_EUCLID,
    OP_REM_EUCLID,
    OP_NEG,
    OP_ABS,
    OP_POW,
    OP_SHL,
    OP_SHR,
    OP_DIV_CEIL,
    OP_MULTIPLE,
} NumberOp;

#define OP(op, way) ((op)*8 + (way))

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
    return op == OP_DIV || op == OP_REM || op == OP_DIV_EUCLID || op == OP_REM_EUCLID ||
           op == OP_DIV_CEIL || op == OP_MULTIPLE;
}

static bool gives_rest(NumberOp op)
{
    return op == OP_REM || op == OP_REM_EUCLID;
}

static Whole shift(Whole a, int32_t by, bool left, const PrimInfo *prim)
{
    Uint128 bits = a.negative ? -a.size : a.size;
    Uint128 shifted = left ? bits << by : a.negative ? (Uint128)((Int128)bits >> by) : bits >> by;
    return whole_of(whole_of_bits(shifted, prim), prim);
}

// *beyond: it leaves the type.
static Whole work_out(NumberOp op, Whole a, Whole b, const PrimInfo *prim, bool *beyond)
{
    Whole out = {0};
    switch (op) {
    case OP_ADD:
        out = whole_add(a, b);
        break;
    case OP_SUB:
        out = whole_subtract(a, b);
        break;
    case OP_MUL:
        out = whole_multiply(a, b);
        break;
    case OP_DIV:
        out = whole_divide(a, b);
        break;
    case OP_REM:
        out = whole_rest(a, b);
        break;
    case OP_DIV_EUCLID:
        out = div_euclid(a, b);
        break;
    case OP_REM_EUCLID:
        out = rem_euclid(a, b);
        break;
    case OP_NEG:
        out = whole_negate(a);
        break;
    case OP_ABS:
        out = (Whole){.size = a.size};
        break;
    case OP_POW:
        out = whole_power(a, (uint32_t)b.size);
        break;
    case OP_SHL:
    case OP_SHR:
        out = shift(a, (int32_t)b.size & (prim->bits - 1), op == OP_SHL, prim);
        *beyond = b.size >= (Uint128)prim->bits;
        return out;
    case OP_DIV_CEIL:
        out = div_ceil(a, b);
        break;
    case OP_MULTIPLE:
        out = whole_multiply(div_ceil(a, b), b);
        break;
    }
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
                     gives_rest(op) || op == OP_MULTIPLE
                         ? "attempt to calculate the remainder with a divisor of zero"
                         : "attempt to divide by zero");
}

static bool arithmetic(const StdCall *call, Value *result)
{
    NumberOp op = (NumberOp)(call->op / 8);
    Way way = (Way)(call->op % 8);
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
        if (beyond && divides(op) && op != OP_MULTIPLE)
            return std_panic(call, result,
                             gives_rest(op) ? "attempt to calculate the remainder with overflow"
                                            : "attempt to divide with overflow");
        if (beyond && op == OP_POW && trace->run && trace->run->overflow_panics)
            return std_panic(call, result, "attempt to multiply with overflow");
        *result = wrapped;
        return true;
    default:
        *result = wrapped;
        return true;
    }
}

// ---- bits

enum {
    BITS_LEADING_ZEROS,
    BITS_TRAILING_ZEROS,
    BITS_LEADING_ONES,
    BITS_TRAILING_ONES,
    BITS_COUNT_ONES,
    BITS_COUNT_ZEROS,
};

static int32_t bit_length(Uint128 bits)
{
    uint64_t high = (uint64_t)(bits >> 64), low = (uint64_t)bits;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

static int32_t trailing_zeros(Uint128 bits, int32_t width)
{
    uint64_t high = (uint64_t)(bits >> 64), low = (uint64_t)bits;
    return low ? __builtin_ctzll(low) : high ? 64 + __builtin_ctzll(high) : width;
}

static int32_t count_ones(Uint128 bits)
{
    return __builtin_popcountll((uint64_t)bits) + __builtin_popcountll((uint64_t)(bits >> 64));
}

static bool count_bits(const StdCall *call, Value *result)
{
    Uint128 bits;
    int32_t width, count = 0;
    if (!bits_arg(call, &bits, &width))
        return false;
    Uint128 rest = ~bits & ~(Uint128)0 >> (128 - width);
    switch (call->op) {
    case BITS_LEADING_ZEROS:
        count = width - bit_length(bits);
        break;
    case BITS_TRAILING_ZEROS:
        count = trailing_zeros(bits, width);
        break;
    case BITS_LEADING_ONES:
        count = width - bit_length(rest);
        break;
    case BITS_TRAILING_ONES:
        count = trailing_zeros(rest, width);
        break;
    case BITS_COUNT_ONES:
        count = count_ones(bits);
        break;
    default:
        count = count_ones(rest);
        break;
    }
    *result = value_int(count);
    return true;
}

static bool rotate(const StdCall *call, Value *result)
{
    Uint128 bits;
    int32_t width;
    int64_t by;
    if (!bits_arg(call, &bits, &width) || !std_int(call, 1, &by))
        return false;
    int32_t left = (int32_t)(call->op ? width - by % width : by % width) % width;
    Uint128 turned = left ? bits << left | bits >> (width - left) : bits;
    *result = whole_of_bits(turned, number_type(call, 0));
    return true;
}

static bool swap_bits(const StdCall *call, Value *result)
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

static bool to_bytes(const StdCall *call, Value *result)
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

static bool from_bytes(const StdCall *call, Value *result)
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

// ---- powers and roots

enum { POWER_IS, POWER_NEXT, POWER_CHECKED_NEXT };

static bool power_of_two(const StdCall *call, Value *result)
{
    Uint128 bits;
    int32_t width;
    if (!bits_arg(call, &bits, &width))
        return false;
    if (call->op == POWER_IS) {
        *result = value_bool(count_ones(bits) == 1);
        return true;
    }
    int32_t exponent = bits <= 1 ? 0 : bit_length(bits - 1);
    bool fits = exponent < width;
    Value next = whole_of_bits(fits ? (Uint128)1 << exponent : 0, number_type(call, 0));
    *result = call->op == POWER_NEXT ? next
              : fits                 ? some_value(call->trace, next)
                                     : none_value(call->trace);
    return true;
}

static int64_t log_of(Uint128 value, Uint128 base)
{
    int64_t log = 0;
    for (; value >= base; value /= base)
        log++;
    return log;
}

enum { LOG_ANY = 0, LOG_CHECKED = 1000 };

// op: the base, 0 where it is an argument; LOG_CHECKED more where the result is an Option.
static bool logarithm(const StdCall *call, Value *result)
{
    Whole value, base = whole_of_int(call->op % LOG_CHECKED);
    bool checked = call->op >= LOG_CHECKED;
    if (!number_arg(call, 0, &value) || (!base.size && !number_arg(call, 1, &base)))
        return false;
    bool good_base = !base.negative && base.size >= 2, positive = value.size && !value.negative;
    if (!good_base && !checked)
        return std_panic(call, result, "base of integer logarithm must be at least 2");
    if (!positive && !checked)
        return std_panic(call, result, "argument of integer logarithm must be positive");
    bool there = good_base && positive;
    Value log = there ? value_int(log_of(value.size, base.size)) : VALUE_NOTHING;
    *result = !checked ? log : there ? some_value(call->trace, log) : none_value(call->trace);
    return true;
}

static bool isqrt(const StdCall *call, Value *result)
{
    Whole value, root = {0};
    if (!number_arg(call, 0, &value))
        return false;
    if (value.negative)
        return std_panic(call, result, "argument of integer square root cannot be negative");
    for (Uint128 bit = (Uint128)1 << 63; bit; bit >>= 1)
        if ((root.size + bit) * (root.size + bit) <= value.size)
            root.size += bit;
    return answer(call, root, result);
}

// ---- signs and order

enum { SIGN_SIGNUM, SIGN_POSITIVE, SIGN_NEGATIVE };

static bool sign(const StdCall *call, Value *result)
{
    Whole value;
    if (!number_arg(call, 0, &value))
        return false;
    int order = value.negative ? -1 : value.size > 0;
    if (call->op == SIGN_SIGNUM)
        return answer(call, whole_of_int(order), result);
    *result = value_bool(order == (call->op == SIGN_POSITIVE ? 1 : -1));
    return true;
}

// unsigned_abs is how far it is from 0.
static bool abs_diff(const StdCall *call, Value *result)
{
    Whole a, b = {0};
    if (!number_arg(call, 0, &a) || (call->count > 1 && !number_arg(call, 1, &b)))
        return false;
    *result = whole_value((Whole){.size = whole_subtract(a, b).size}, prim_of(call->type));
    return true;
}

static bool clamp(const StdCall *call, Value *result)
{
    Whole value, low, high;
    if (!number_arg(call, 0, &value) || !number_arg(call, 1, &low) || !number_arg(call, 2, &high))
        return false;
    if (whole_compare(low, high) > 0)
        return std_panic(call, result, "assertion failed: min <= max");
    if (whole_compare(value, low) < 0)
        value = low;
    if (whole_compare(value, high) > 0)
        value = high;
    return answer(call, value, result);
}

enum { ORDER_MIN, ORDER_MAX };

static bool extreme(const StdCall *call, Value *result)
{
    Whole a, b;
    if (!number_arg(call, 0, &a) || !number_arg(call, 1, &b))
        return false;
    bool less = whole_compare(a, b) < 0;
    return answer(call, less == (call->op == ORDER_MIN) ? a : b, result);
}

// Towards zero. The sum may have one bit more than there is room for.
static bool midpoint(const StdCall *call, Value *result)
{
    Whole a, b;
    if (!number_arg(call, 0, &a) || !number_arg(call, 1, &b))
        return false;
    Whole sum = whole_add(a, b);
    sum.size = sum.size >> 1 | (Uint128)sum.beyond << 127;
    return answer(call, sum, result);
}

static bool is_multiple_of(const StdCall *call, Value *result)
{
    Whole a, b;
    if (!number_arg(call, 0, &a) || !number_arg(call, 1, &b))
        return false;
    *result = value_bool(b.size ? a.size % b.size == 0 : a.size == 0);
    return true;
}

// ---- conversion

static bool from_number(const StdCall *call, Value *result)
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

static bool try_from(const StdCall *call, Value *result)
{
    return whole_try_into(call->trace, std_arg(call, 0), std_arg_type(call, 0), call->self, result);
}

static bool number_default(const StdCall *call, Value *result)
{
    return value_default(call->trace, call->type, result);
}

#define WAYS(name, op)                                                       \
    {"Integer", "wrapping_" name, arithmetic, OP(op, WAY_WRAPPING)},         \
        {"Integer", "checked_" name, arithmetic, OP(op, WAY_CHECKED)},       \
        {"Integer", "saturating_" name, arithmetic, OP(op, WAY_SATURATING)}, \
    {                                                                        \
        "Integer", "overflowing_" name, arithmetic, OP(op, WAY_OVERFLOWING)  \
    }

const StdRow std_number_rows[] = {
    WAYS("add", OP_ADD),
    WAYS("sub", OP_SUB),
    WAYS("mul", OP_MUL),
    WAYS("div", OP_DIV),
    WAYS("rem", OP_REM),
    WAYS("div_euclid", OP_DIV_EUCLID),
    WAYS("rem_euclid", OP_REM_EUCLID),
    WAYS("neg", OP_NEG),
    WAYS("abs", OP_ABS),
    WAYS("pow", OP_POW),
    WAYS("shl", OP_SHL),
    WAYS("shr", OP_SHR),
    WAYS("add_signed", OP_ADD),
    WAYS("add_unsigned", OP_ADD),
    WAYS("sub_unsigned", OP_SUB),
    WAYS("next_multiple_of", OP_MULTIPLE),
    {"Integer", "pow", arithmetic, OP(OP_POW, WAY_PLAIN)},
    {"Integer", "abs", arithmetic, OP(OP_ABS, WAY_PLAIN)},
    {"Integer", "rem_euclid", arithmetic, OP(OP_REM_EUCLID, WAY_PLAIN)},
    {"Integer", "div_euclid", arithmetic, OP(OP_DIV_EUCLID, WAY_PLAIN)},
    {"Integer", "div_ceil", arithmetic, OP(OP_DIV_CEIL, WAY_PLAIN)},
    {"Integer", "next_multiple_of", arithmetic, OP(OP_MULTIPLE, WAY_PLAIN)},
    {"Integer", "abs_diff", abs_diff, 0},
    {"Integer", "unsigned_abs", abs_diff, 0},
    {"Integer", "signum", sign, SIGN_SIGNUM},
    {"Integer", "is_positive", sign, SIGN_POSITIVE},
    {"Integer", "is_negative", sign, SIGN_NEGATIVE},
    {"Integer", "is_power_of_two", power_of_two, POWER_IS},
    {"Integer", "next_power_of_two", power_of_two, POWER_NEXT},
    {"Integer", "checked_next_power_of_two", power_of_two, POWER_CHECKED_NEXT},
    {"Integer", "ilog2", logarithm, 2},
    {"Integer", "ilog10", logarithm, 10},
    {"Integer", "ilog", logarithm, LOG_ANY},
    {"Integer", "checked_ilog2", logarithm, LOG_CHECKED + 2},
    {"Integer", "checked_ilog10", logarithm, LOG_CHECKED + 10},
    {"Integer", "checked_ilog", logarithm, LOG_CHECKED},
    {"Integer", "isqrt", isqrt, 0},
    {"Integer", "leading_zeros", count_bits, BITS_LEADING_ZEROS},
    {"Integer", "trailing_zeros", count_bits, BITS_TRAILING_ZEROS},
    {"Integer", "leading_ones", count_bits, BITS_LEADING_ONES},
    {"Integer", "trailing_ones", count_bits, BITS_TRAILING_ONES},
    {"Integer", "count_ones", count_bits, BITS_COUNT_ONES},
    {"Integer", "count_zeros", count_bits, BITS_COUNT_ZEROS},
    {"Integer", "rotate_left", rotate, false},
    {"Integer", "rotate_right", rotate, true},
    {"Integer", "swap_bytes", swap_bits, false},
    {"Integer", "to_be", swap_bits, false},
    {"Integer", "reverse_bits", swap_bits, true},
    {"Integer", "to_le_bytes", to_bytes, false},
    {"Integer", "to_ne_bytes", to_bytes, false},
    {"Integer", "to_be_bytes", to_bytes, true},
    {"Integer", "from_le_bytes", from_bytes, false},
    {"Integer", "from_ne_bytes", from_bytes, false},
    {"Integer", "from_be_bytes", from_bytes, true},
    {"Integer", "min", extreme, ORDER_MIN},
    {"Integer", "max", extreme, ORDER_MAX},
    {"Integer", "clamp", clamp, 0},
    {"Integer", "cmp", std_compare, STD_CMP},
    {"Integer", "partial_cmp", std_compare, STD_PARTIAL_CMP},
    {"Integer", "midpoint", midpoint, 0},
    {"Integer", "is_multiple_of", is_multiple_of, 0},
    {"Integer", "from", from_number, 0},
    {"Integer", "try_from", try_from, 0},
    {"Integer", "default", number_default, 0},
    {0},
};

// The functions of whole numbers. They are worked out exactly, and then brought into the type:
// wrapped, saturated, checked or taken as it is.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/whole.h"

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

// *beyond: it leaves the type.
static Whole work_out(NumberOp op, Whole a, Whole b, const PrimInfo *prim, bool *beyond)
{
    Whole out = {0};
    switch (op) {
    case NUMBER_ADD:
        out = whole_add(a, b);
        break;
    case NUMBER_SUB:
        out = whole_subtract(a, b);
        break;
    case NUMBER_MUL:
        out = whole_multiply(a, b);
        break;
    case NUMBER_DIV:
        out = whole_divide(a, b);
        break;
    case NUMBER_REM:
        out = whole_rest(a, b);
        break;
    case NUMBER_DIV_EUCLID:
        out = div_euclid(a, b);
        break;
    case NUMBER_REM_EUCLID:
        out = rem_euclid(a, b);
        break;
    case NUMBER_NEG:
        out = whole_negate(a);
        break;
    case NUMBER_ABS:
        out = (Whole){.size = a.size};
        break;
    case NUMBER_POW:
        out = whole_power(a, (uint32_t)b.size);
        break;
    case NUMBER_SHL:
    case NUMBER_SHR:
        out = shift(a, (int32_t)b.size & (prim->bits - 1), op == NUMBER_SHL, prim);
        *beyond = b.size >= (Uint128)prim->bits;
        return out;
    case NUMBER_DIV_CEIL:
        out = div_ceil(a, b);
        break;
    case NUMBER_MULTIPLE:
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
                     gives_rest(op) || op == NUMBER_MULTIPLE
                         ? "attempt to calculate the remainder with a divisor of zero"
                         : "attempt to divide by zero");
}

static bool arithmetic(const StdCall *call, Way way, Value *result)
{
    NumberOp op = (NumberOp)call->op;
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

NATIVE(number_wrapping)
{
    return arithmetic(call, WAY_WRAPPING, result);
}

NATIVE(number_checked)
{
    return arithmetic(call, WAY_CHECKED, result);
}

NATIVE(number_saturating)
{
    return arithmetic(call, WAY_SATURATING, result);
}

NATIVE(number_overflowing)
{
    return arithmetic(call, WAY_OVERFLOWING, result);
}

NATIVE(number_plain)
{
    return arithmetic(call, WAY_PLAIN, result);
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
    int32_t left = (int32_t)(call->op ? width - by % width : by % width) % width;
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

// ---- powers and roots

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

NATIVE(number_clamp)
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

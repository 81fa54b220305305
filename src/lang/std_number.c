// The functions of whole numbers. They are worked out in 128 bits, which hold every exact result
// that matters, and then brought into the type: wrapped, saturated, checked or taken as it is.
#include "lang/std.h"

#include "base/checked.h"

#include <string.h>

__extension__ typedef __int128 Wide;

typedef struct {
    int32_t bits;
    bool no_sign;
    Wide low, high; // the range of the type
} Width;

// Values are held in 64 bits: numbers of 128 bits are worked out as far as these go.
enum { MOST_BITS = 64 };

static bool width_of(Type *type, Width *width)
{
    type = type ? type_strip(type) : NULL;
    if (!type || type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return false;
    const PrimInfo *prim = &prims[type->decl->prim];
    if (prim->class != PRIM_INT && prim->class != PRIM_UINT)
        return false;
    width->bits = prim->bits;
    width->no_sign = prim->class == PRIM_UINT;
    int32_t held = prim->bits > MOST_BITS ? MOST_BITS : prim->bits;
    Wide one = 1;
    width->low = width->no_sign ? 0 : -(one << (held - 1));
    width->high = width->no_sign ? (one << held) - 1 : (one << (held - 1)) - 1;
    return true;
}

static Wide wide_of(int64_t value, const Width *width)
{
    return width->no_sign ? (Wide)(uint64_t)value : (Wide)value;
}

static uint64_t bits_of(int64_t value, const Width *width)
{
    return width->bits >= 64 ? (uint64_t)value
                             : (uint64_t)value & (((uint64_t)1 << width->bits) - 1);
}

static int64_t from_bits(uint64_t bits, const StdCall *call)
{
    return wrap_integer((int64_t)bits, call->self);
}

static bool fits(Wide value, const Width *width)
{
    return value >= width->low && value <= width->high;
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

static Wide div_euclid(Wide a, Wide b)
{
    Wide quotient = a / b;
    return a % b < 0 ? (b > 0 ? quotient - 1 : quotient + 1) : quotient;
}

static Wide rem_euclid(Wide a, Wide b)
{
    Wide rest = a % b;
    return rest < 0 ? rest + (b < 0 ? -b : b) : rest;
}

static Wide div_ceil(Wide a, Wide b)
{
    Wide quotient = a / b, rest = a % b;
    return quotient + (rest != 0 && (rest > 0) == (b > 0));
}

// a to the power of b; *wrapped has its low bits. False: it leaves 128 bits.
static bool power(Wide a, int64_t b, Wide *exact, uint64_t *wrapped)
{
    uint64_t low = 1;
    Wide all = 1;
    bool ok = true;
    for (int64_t bit = 31; bit >= 0; bit--) {
        bool set = b >> bit & 1;
        low *= low * (set ? (uint64_t)a : 1);
        ok = ok && !__builtin_mul_overflow(all, all, &all) &&
             (!set || !__builtin_mul_overflow(all, a, &all));
    }
    *exact = all;
    *wrapped = low;
    return ok;
}

static bool divides(NumberOp op)
{
    return op == OP_DIV || op == OP_REM || op == OP_DIV_EUCLID || op == OP_REM_EUCLID ||
           op == OP_DIV_CEIL || op == OP_MULTIPLE;
}

typedef struct {
    Wide exact;
    uint64_t low; // the low bits, right even where `exact` is not
    bool beyond;  // it leaves the type, and perhaps 128 bits
    bool negative;
} Outcome;

static Outcome outcome(Wide exact, const Width *width)
{
    return (Outcome){exact, (uint64_t)exact, !fits(exact, width), exact < 0};
}

static Outcome work_out(NumberOp op, Wide a, Wide b, const Width *width)
{
    Outcome out;
    uint64_t low;
    switch (op) {
    case OP_ADD:
        return outcome(a + b, width);
    case OP_SUB:
        return outcome(a - b, width);
    case OP_MUL: {
        Wide exact;
        bool over = __builtin_mul_overflow(a, b, &exact);
        out = outcome(exact, width);
        return (Outcome){exact, (uint64_t)a * (uint64_t)b, over || out.beyond, (a < 0) != (b < 0)};
    }
    case OP_DIV:
        return outcome(a / b, width);
    case OP_REM: // the quotient of MIN % -1 leaves the type
        out = outcome(a % b, width);
        out.beyond = b == -1 && !fits(a / b, width);
        return out;
    case OP_DIV_EUCLID:
        return outcome(div_euclid(a, b), width);
    case OP_REM_EUCLID:
        out = outcome(rem_euclid(a, b), width);
        out.beyond = b == -1 && !fits(a / b, width);
        return out;
    case OP_NEG:
        return outcome(-a, width);
    case OP_ABS:
        return outcome(a < 0 ? -a : a, width);
    case OP_POW: {
        Wide exact;
        bool ok = power(a, (int64_t)b, &exact, &low);
        out = outcome(exact, width);
        return (Outcome){exact, low, !ok || out.beyond, a < 0 && (b & 1)};
    }
    case OP_SHL:
    case OP_SHR: {
        int32_t by = (int32_t)b & (width->bits - 1);
        bool far = b < 0 || b >= width->bits;
        low = op == OP_SHL ? (uint64_t)a << (by & 63) : (uint64_t)(a >> by);
        return (Outcome){(Wide)(int64_t)low, low, far, false};
    }
    case OP_DIV_CEIL:
        return outcome(div_ceil(a, b), width);
    case OP_MULTIPLE:
        return outcome(div_ceil(a, b) * b, width);
    }
    return outcome(0, width);
}

static bool by_zero(const StdCall *call, NumberOp op, Way way, Value *result)
{
    if (way == WAY_CHECKED) {
        *result = none_value(call->trace);
        return true;
    }
    bool rest = op == OP_REM || op == OP_REM_EUCLID || op == OP_MULTIPLE;
    return std_panic(call, result,
                     rest ? "attempt to calculate the remainder with a divisor of zero"
                          : "attempt to divide by zero");
}

static bool arithmetic(const StdCall *call, Value *result)
{
    NumberOp op = (NumberOp)(call->op / 8);
    Way way = (Way)(call->op % 8);
    Trace *trace = call->trace;
    Width width, other;
    int64_t left, right = 0;
    if (!width_of(call->self, &width) || !std_int(call, 0, &left) ||
        (call->count > 1 && !std_int(call, 1, &right)))
        return false;
    if (call->count < 2 || !width_of(std_arg_type(call, 1), &other))
        other = width; // u32::checked_add_signed: the second has a type of its own
    Wide a = wide_of(left, &width), b = wide_of(right, &other);
    if (b == 0 && divides(op))
        return by_zero(call, op, way, result);
    Outcome out = work_out(op, a, b, &width);
    int64_t wrapped = from_bits(out.low, call);
    if (out.beyond && width.bits > MOST_BITS)
        return std_panic(call, result, "`%s`: numbers of more than 64 bits are not worked out",
                         call->name);
    switch (way) {
    case WAY_CHECKED:
        *result = out.beyond ? none_value(trace) : some_value(trace, value_int(wrapped));
        return true;
    case WAY_SATURATING:
        if (out.beyond)
            wrapped = (int64_t)(out.negative ? width.low : width.high);
        *result = value_int(wrapped);
        return true;
    case WAY_OVERFLOWING:
        *result = list_value(trace, (Value[]){value_int(wrapped), value_bool(out.beyond)}, 2);
        return true;
    default:
        *result = value_int(wrapped);
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

static int64_t leading_zeros(uint64_t bits, int32_t width)
{
    return bits ? __builtin_clzll(bits) - (64 - width) : width;
}

static int64_t trailing_zeros(uint64_t bits, int32_t width)
{
    return bits ? __builtin_ctzll(bits) : width;
}

static bool count_bits(const StdCall *call, Value *result)
{
    Width width;
    int64_t value, count = 0;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value))
        return false;
    int32_t all = width.bits > MOST_BITS ? MOST_BITS : width.bits;
    uint64_t bits = bits_of(value, &width), rest = bits_of(~value, &width);
    switch (call->op) {
    case BITS_LEADING_ZEROS:
        count = leading_zeros(bits, all) + (width.bits - all);
        break;
    case BITS_TRAILING_ZEROS:
        count = bits ? trailing_zeros(bits, all) : width.bits;
        break;
    case BITS_LEADING_ONES:
        count = leading_zeros(rest, all);
        break;
    case BITS_TRAILING_ONES:
        count = trailing_zeros(rest, all);
        break;
    case BITS_COUNT_ONES:
        count = __builtin_popcountll(bits);
        break;
    default:
        count = __builtin_popcountll(rest);
        break;
    }
    *result = value_int(count);
    return true;
}

static bool rotate(const StdCall *call, Value *result)
{
    Width width;
    int64_t value, by;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value) || !std_int(call, 1, &by))
        return false;
    int32_t all = width.bits > MOST_BITS ? MOST_BITS : width.bits;
    uint64_t bits = bits_of(value, &width);
    int64_t left = (call->op ? all - by % all : by % all) % all;
    uint64_t turned = left ? bits << left | bits >> (all - left) : bits;
    *result = value_int(from_bits(turned, call));
    return true;
}

static bool swap_bits(const StdCall *call, Value *result)
{
    Width width;
    int64_t value;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value) || width.bits > MOST_BITS)
        return false;
    uint64_t bits = bits_of(value, &width), swapped = 0;
    int32_t unit = call->op ? 1 : 8; // reverse_bits, swap_bytes
    for (int32_t i = 0; i < width.bits; i += unit)
        swapped |= (bits >> i & ((UINT64_C(1) << unit) - 1)) << (width.bits - unit - i);
    *result = value_int(from_bits(swapped, call));
    return true;
}

static bool to_bytes(const StdCall *call, Value *result)
{
    Width width;
    int64_t value;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value))
        return false;
    int32_t count = width.bits / 8;
    Value bytes[16];
    Wide wide = wide_of(value, &width);
    for (int32_t i = 0; i < count; i++)
        bytes[call->op ? count - 1 - i : i] = value_int((int64_t)(wide >> (8 * i) & 0xff));
    *result = list_value(call->trace, bytes, count);
    return true;
}

static bool from_bytes(const StdCall *call, Value *result)
{
    Value list = std_arg(call, 0);
    uint64_t bits = 0;
    if (list.kind != VALUE_LIST)
        return false;
    for (int64_t i = 0; i < list.list->count; i++) {
        Value byte = value_strip(list.list->items[i]);
        if (byte.kind != VALUE_INT)
            return false;
        int64_t at = call->op ? list.list->count - 1 - i : i;
        bits |= at < 8 ? (uint64_t)(byte.integer & 0xff) << (8 * at) : 0;
    }
    *result = value_int(from_bits(bits, call));
    return true;
}

// ---- powers and roots

enum { POWER_IS, POWER_NEXT, POWER_CHECKED_NEXT };

static bool power_of_two(const StdCall *call, Value *result)
{
    Width width;
    int64_t value;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value))
        return false;
    uint64_t bits = (uint64_t)value;
    if (call->op == POWER_IS) {
        *result = value_bool(bits && !(bits & (bits - 1)));
        return true;
    }
    Wide next = bits <= 1 ? 1 : (Wide)1 << (64 - __builtin_clzll(bits - 1));
    bool ok = fits(next, &width);
    if (call->op == POWER_CHECKED_NEXT)
        *result = ok ? some_value(call->trace, value_int((int64_t)next)) : none_value(call->trace);
    else
        *result = value_int(ok ? (int64_t)next : 0);
    return true;
}

static int64_t log_of(uint64_t value, uint64_t base)
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
    Width width;
    int64_t value, base = call->op % LOG_CHECKED;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value) ||
        (!base && !std_int(call, 1, &base)))
        return false;
    bool ok = wide_of(value, &width) > 0 && base >= 2;
    if (!ok && call->op < LOG_CHECKED)
        return std_panic(call, result, "argument of integer logarithm must be positive");
    Value log = ok ? value_int(log_of((uint64_t)value, (uint64_t)base)) : VALUE_NOTHING;
    *result = call->op < LOG_CHECKED ? log
              : ok                   ? some_value(call->trace, log)
                                     : none_value(call->trace);
    return true;
}

static bool isqrt(const StdCall *call, Value *result)
{
    Width width;
    int64_t value;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value))
        return false;
    Wide wide = wide_of(value, &width), root = 0;
    if (wide < 0)
        return std_panic(call, result, "argument of integer square root cannot be negative");
    for (Wide bit = (Wide)1 << 32; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= wide)
            root += bit;
    *result = value_int((int64_t)root);
    return true;
}

// ---- signs and order

enum { SIGN_SIGNUM, SIGN_POSITIVE, SIGN_NEGATIVE };

static bool sign(const StdCall *call, Value *result)
{
    Width width;
    int64_t value;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value))
        return false;
    int order = wide_of(value, &width) > 0 ? 1 : value == 0 ? 0 : -1;
    *result = call->op == SIGN_SIGNUM ? value_int(order)
                                      : value_bool(order == (call->op == SIGN_POSITIVE ? 1 : -1));
    return true;
}

static bool abs_diff(const StdCall *call, Value *result)
{
    Width width;
    int64_t a, b = 0;
    if (!width_of(call->self, &width) || !std_int(call, 0, &a) ||
        (call->count > 1 && !std_int(call, 1, &b)))
        return false;
    Wide difference = wide_of(a, &width) - wide_of(b, &width);
    *result = value_int((int64_t)(uint64_t)(difference < 0 ? -difference : difference));
    return true;
}

static bool clamp(const StdCall *call, Value *result)
{
    Width width;
    int64_t value, low, high;
    if (!width_of(call->self, &width) || !std_int(call, 0, &value) || !std_int(call, 1, &low) ||
        !std_int(call, 2, &high))
        return false;
    if (wide_of(low, &width) > wide_of(high, &width))
        return std_panic(call, result, "assertion failed: min <= max");
    if (wide_of(value, &width) < wide_of(low, &width))
        value = low;
    if (wide_of(value, &width) > wide_of(high, &width))
        value = high;
    *result = value_int(value);
    return true;
}

enum { ORDER_MIN, ORDER_MAX };

static bool extreme(const StdCall *call, Value *result)
{
    Width width;
    int64_t a, b;
    if (!width_of(call->self, &width) || !std_int(call, 0, &a) || !std_int(call, 1, &b))
        return false;
    bool less = wide_of(a, &width) < wide_of(b, &width);
    *result = value_int(less == (call->op == ORDER_MIN) ? a : b);
    return true;
}

static bool midpoint(const StdCall *call, Value *result)
{
    Width width;
    int64_t a, b;
    if (!width_of(call->self, &width) || !std_int(call, 0, &a) || !std_int(call, 1, &b))
        return false;
    *result = value_int((int64_t)((wide_of(a, &width) + wide_of(b, &width)) / 2));
    return true;
}

static bool is_multiple_of(const StdCall *call, Value *result)
{
    int64_t a, b;
    if (!std_int(call, 0, &a) || !std_int(call, 1, &b))
        return false;
    *result = value_bool(b ? (uint64_t)a % (uint64_t)b == 0 : a == 0);
    return true;
}

// ---- conversion

static bool from_number(const StdCall *call, Value *result)
{
    Value value = std_arg(call, 0);
    Width width;
    bool known = value.kind == VALUE_INT || value.kind == VALUE_BOOL;
    *result = trace_cast(value, std_arg_type(call, 0), call->self);
    return known && width_of(call->self, &width);
}

static bool try_from(const StdCall *call, Value *result)
{
    Width from, to;
    Value value = std_arg(call, 0);
    if (value.kind != VALUE_INT || !width_of(call->self, &to))
        return false;
    if (!width_of(std_arg_type(call, 0), &from)) // char
        width_of(type_prim(call->trace->lang, PRIM_u32), &from);
    *result =
        fits(wide_of(value.integer, &from), &to)
            ? ok_value(call->trace, value)
            : err_value(call->trace,
                        error_value(call->trace, "out of range integral type conversion attempted",
                                    "TryFromIntError(())"));
    return true;
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

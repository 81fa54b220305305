#include "lang/eval/whole.h"

// ---- values

static Uint128 low_bits(int32_t count)
{
    return count >= 128 ? ~(Uint128)0 : ((Uint128)1 << count) - 1;
}

Value whole_cut(Uint128 bits, const PrimInfo *prim)
{
    if (prim->bits > 64)
        return value_wide(bits);
    uint64_t mask = (uint64_t)low_bits(prim->bits), low = (uint64_t)bits & mask;
    bool negative = prim->class == PRIM_INT && low >> (prim->bits - 1);
    return value_int((int64_t)(negative ? low | ~mask : low));
}

Uint128 whole_bits(Value value, const PrimInfo *prim)
{
    if (value.kind == VALUE_WIDE)
        return value_wide_bits(value);
    bool no_sign = prim && prim->class == PRIM_UINT;
    return no_sign ? (uint64_t)value.integer : (Uint128)(Int128)value.integer;
}

Whole whole_of(Value value, const PrimInfo *prim)
{
    Uint128 bits = whole_bits(value, prim);
    bool negative = !(prim && prim->class == PRIM_UINT) && bits >> 127;
    return (Whole){.size = negative ? -bits : bits, .negative = negative};
}

Whole whole_of_int(int64_t number)
{
    return (Whole){.size = number < 0 ? -(Uint128)(Int128)number : (Uint128)number,
                   .negative = number < 0};
}

Value whole_value(Whole whole, const PrimInfo *prim)
{
    return whole_of_bits(whole.negative ? -whole.size : whole.size, prim);
}

Whole whole_most(const PrimInfo *prim)
{
    return (Whole){.size = low_bits(prim->bits - (prim->class == PRIM_INT))};
}

Whole whole_least(const PrimInfo *prim)
{
    if (prim->class != PRIM_INT)
        return (Whole){0};
    return (Whole){.size = (Uint128)1 << (prim->bits - 1), .negative = true};
}

bool whole_fits(Whole whole, const PrimInfo *prim)
{
    return !whole.beyond &&
           whole.size <= (whole.negative ? whole_least(prim) : whole_most(prim)).size;
}

// ---- arithmetic

// 0 has no sign.
static Whole signed_whole(Uint128 size, bool negative, bool beyond)
{
    return (Whole){size, negative && (size || beyond), beyond};
}

int whole_compare(Whole a, Whole b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    int order = (a.size > b.size) - (a.size < b.size);
    return a.negative ? -order : order;
}

Whole whole_negate(Whole a)
{
    return signed_whole(a.size, !a.negative, a.beyond);
}

Whole whole_add(Whole a, Whole b)
{
    if (a.negative == b.negative) {
        Uint128 sum;
        bool carry = __builtin_add_overflow(a.size, b.size, &sum);
        return signed_whole(sum, a.negative, carry || a.beyond || b.beyond);
    }
    bool more = a.size >= b.size;
    return signed_whole(more ? a.size - b.size : b.size - a.size, more ? a.negative : b.negative,
                        a.beyond || b.beyond);
}

Whole whole_subtract(Whole a, Whole b)
{
    return whole_add(a, whole_negate(b));
}

Whole whole_multiply(Whole a, Whole b)
{
    Uint128 product;
    bool over = __builtin_mul_overflow(a.size, b.size, &product);
    return signed_whole(product, a.negative != b.negative, over || a.beyond || b.beyond);
}

Whole whole_divide(Whole a, Whole b)
{
    return signed_whole(a.size / b.size, a.negative != b.negative, false);
}

Whole whole_rest(Whole a, Whole b)
{
    return signed_whole(a.size % b.size, a.negative, false);
}

Whole whole_power(Whole a, uint32_t exponent)
{
    Whole power = {.size = 1};
    for (int bit = 31; bit >= 0; bit--) {
        power = whole_multiply(power, power);
        if (exponent >> bit & 1)
            power = whole_multiply(power, a);
    }
    return power;
}

// ---- text

void whole_print(StrBuf *out, Whole whole)
{
    enum { MOST_DIGITS = 39 }; // of 128 bits
    char room[MOST_DIGITS];
    int64_t at = MOST_DIGITS;
    do {
        room[--at] = (char)('0' + (int)(whole.size % 10));
        whole.size /= 10;
    } while (whole.size);
    if (whole.negative)
        buf_add_char(out, '-');
    buf_add(out, (Str){room + at, MOST_DIGITS - at});
}

void whole_report(DiagList *diags, Span span, Whole number, const PrimInfo *prim)
{
    StrBuf limit = {.arena = diags->arena};
    whole_print(&limit, number.negative ? whole_least(prim) : whole_most(prim));
    diag_add(diags, DIAG_LITERAL_RANGE, span, "this number does not fit in {}, which {} at {}",
             prim->name, number.negative ? "begins" : "ends", buf_str(&limit));
}

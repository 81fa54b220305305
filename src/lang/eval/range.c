#include "lang/eval/range.h"

#include <math.h>

static Value real_range(const Value *low, const Value *high, bool inclusive)
{
    Value range = {.kind = VALUE_RANGE,
                   .range = {.real_low = low ? low->real : -(double)INFINITY,
                             .real_high = high ? high->real : (double)INFINITY,
                             .no_start = !low,
                             .open = !high,
                             .inclusive = inclusive,
                             .is_real = true}};
    return range;
}

Value range_value(Trace *trace, const Value *low, const Value *high, bool inclusive, Type *type)
{
    const Value *one = low ? low : high;
    if (low && high && low->kind != high->kind)
        return VALUE_NOTHING;
    if (one && one->kind == VALUE_FLOAT)
        return real_range(low, high, inclusive);
    if (one && !value_is_whole(*one))
        return VALUE_NOTHING;
    const PrimInfo *prim = prim_of(type);
    Value range = {.kind = VALUE_RANGE,
                   .range = {.no_start = !low,
                             .open = !high,
                             .inclusive = inclusive,
                             .prim = (uint8_t)(prim ? (Prim)(prim - prims) : PRIM_usize)}};
    if (one && one->kind == VALUE_WIDE) {
        RangeEnds ends = {low ? value_wide_bits(*low) : 0, high ? value_wide_bits(*high) : 0};
        range.range.ends = arena_copy(trace->lang->arena, &ends, sizeof ends);
        return range;
    }
    range.range.low = low ? low->integer : 0;
    range.range.high = high ? high->integer : 0;
    return range;
}

static bool is_wide(Value range)
{
    return range.range.prim == PRIM_i128 || range.range.prim == PRIM_u128;
}

Value range_low(Value range)
{
    if (range.range.is_real)
        return (Value){.kind = VALUE_FLOAT, .real = range.range.real_low};
    return is_wide(range) ? value_wide(range.range.ends->low) : value_int(range.range.low);
}

Value range_high(Value range)
{
    if (range.range.is_real)
        return (Value){.kind = VALUE_FLOAT, .real = range.range.real_high};
    return is_wide(range) ? value_wide(range.range.ends->high) : value_int(range.range.high);
}

// ---- counting

Uint128 range_distance(Uint128 first, Uint128 last, Prim prim)
{
    bool gap = prim == PRIM_char && first < FIRST_SURROGATE && last >= BEHIND_SURROGATES;
    return last - first - (gap ? BEHIND_SURROGATES - FIRST_SURROGATE : 0);
}

bool range_limits(Value range, Uint128 *first, Uint128 *last)
{
    Prim kind = (Prim)range.range.prim;
    const PrimInfo *prim = &prims[kind];
    Value low = range_low(range), high = range_high(range);
    int order = whole_compare(whole_of(low, prim), whole_of(high, prim));
    *first = whole_bits(low, prim);
    *last = whole_bits(high, prim);
    if (!range.range.inclusive)
        *last = range_before(*last, kind);
    return order < 0 || (order == 0 && range.range.inclusive);
}

bool range_contains(Value range, Value value)
{
    if (range.range.is_real) {
        bool below = range.range.open || value.real < range.range.real_high ||
                     (range.range.inclusive && value.real == range.range.real_high);
        return (range.range.no_start || value.real >= range.range.real_low) && below;
    }
    const PrimInfo *prim = &prims[range.range.prim];
    Whole whole = whole_of(value, prim);
    int low = range.range.no_start ? 1 : whole_compare(whole, whole_of(range_low(range), prim));
    int high = range.range.open ? -1 : whole_compare(whole, whole_of(range_high(range), prim));
    return low >= 0 && (high < 0 || (high == 0 && range.range.inclusive));
}

// ---- places

bool range_places(Value range, int64_t length, uint64_t *from, uint64_t *to)
{
    *from = range.range.no_start ? 0 : (uint64_t)range.range.low;
    *to = range.range.open ? (uint64_t)length : (uint64_t)range.range.high;
    return !range.range.inclusive || !__builtin_add_overflow(*to, 1, to);
}

// The gate of a sum over slices and time steps. Slices that count upwards fall into three runs:
// below a slice all time steps are valid, above another one none is, and in between some are. A
// standard gate has one slice in between. A transposed gate has no end to what is in between, but
// all of it stops at the same time step.
#include "engine/vector/valid_gate.h"

#include "base/checked.h"

// The parts of one level, ordered so that the sum can be read like a number.
typedef struct {
    ARRAY(Part);
    int64_t reach; // the largest sum
} Number;

// The digits of one sum of a Number, added up in two ways.
typedef struct {
    int64_t sum;    // by stride
    int64_t masked; // by place: the bits of the slice number
} Sum;

static int64_t by_place(const Part *part)
{
    return part->place;
}

static int64_t by_stride(const Part *part)
{
    return part->stride;
}

static Number number_of(Arena *arena, const Check *check, Level level, int64_t (*key)(const Part *))
{
    Number number = {0};
    for (int64_t i = 0; i < check->count; i++) {
        const Part *part = &check->items[i];
        if (part->level != level)
            continue;
        array_push(arena, &number, Part);
        int64_t at = number.count - 1;
        for (; at > 0 && key(&number.items[at - 1]) > key(part); at--)
            number.items[at] = number.items[at - 1];
        number.items[at] = *part;
        number.reach += (part->limit - 1) * part->stride; // fits: valid_check_reach was asked
    }
    return number;
}

// Every step of a part is more than all parts before it can add: sums are ordered like numbers.
static bool is_ordered(const Number *number)
{
    int64_t reach = 0;
    for (int64_t i = 0; i < number->count; i++) {
        const Part *part = &number->items[i];
        if (part->stride <= reach)
            return false;
        reach += (part->limit - 1) * part->stride;
    }
    return true;
}

// The largest sum less than `bound`. Requires: ordered, bound >= 1.
static Sum largest_below(const Number *number, int64_t bound)
{
    Sum result = {0};
    for (int64_t i = number->count - 1; i >= 0; i--) {
        const Part *part = &number->items[i];
        int64_t steps = min_i64(part->limit - 1, (bound - 1 - result.sum) / part->stride);
        result.sum += steps * part->stride;
        result.masked += steps * part->place;
    }
    return result;
}

// The smallest sum that is at least `bound`. Requires: ordered, bound <= reach.
static Sum smallest_from(const Number *number, int64_t bound)
{
    Sum result = {0};
    int64_t inner = number->reach; // what the parts inside can add
    for (int64_t i = number->count - 1; i >= 0; i--) {
        const Part *part = &number->items[i];
        inner -= (part->limit - 1) * part->stride;
        int64_t steps = ceil_div(max_i64(bound - result.sum - inner, 0), part->stride);
        result.sum += steps * part->stride;
        result.masked += steps * part->place;
    }
    return result;
}

static bool is_power_of_two(int64_t n)
{
    return (n & (n - 1)) == 0;
}

static int64_t bits_above(int64_t n)
{
    int64_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

// The bits of the slice number that hold the parts. False: they share bits with something else.
// What lies outside everything else need not fill its bits.
static bool mask_of(const Number *number, int64_t slices, int64_t *mask)
{
    *mask = 0;
    for (int64_t i = 0; i < number->count; i++) {
        const Part *part = &number->items[i];
        bool outermost = part->place * part->limit >= slices;
        if (!is_power_of_two(part->place) || (!is_power_of_two(part->limit) && !outermost))
            return false;
        *mask |= (bits_above(part->limit) - 1) * part->place;
    }
    return true;
}

// One slice between those that are valid all the time and those that never are.
static bool derive_standard(const Number *slice, const Number *time, int64_t valid, ValidGate *gate)
{
    Sum last = largest_below(slice, valid);
    if (last.sum + time->reach < valid) { // it is valid all the time, the next one never
        gate->match = last.masked + slice->items[0].place;
        gate->valid = 0;
        return true;
    }
    Sum before = last.sum ? largest_below(slice, last.sum) : last;
    gate->match = last.masked;
    gate->valid = valid - last.sum;
    return last.sum == 0 || before.sum + time->reach < valid;
}

// All slices that are not valid all the time stop at the same step.
static bool derive_transposed(const Number *slice, const Number *time, int64_t valid,
                              ValidGate *gate)
{
    if (!is_ordered(time))
        return false;
    Sum first = smallest_from(slice, valid - time->reach);
    gate->match = first.masked;
    gate->valid = max_i64(valid - first.sum, 0);
    gate->transposed = true;
    return gate->valid == 0 || largest_below(time, gate->valid).sum < valid - slice->reach;
}

// A whole run of slices from 0 on, whatever bits the axis lies in: it is outermost.
static bool derive_run(const Number *slice, int64_t valid, int64_t slices, ValidGate *gate)
{
    const Part *part = slice->items;
    if (slice->count != 1 || part->place * part->limit < slices)
        return false;
    *gate = (ValidGate){.mask = bits_above(slices) - 1, .match = valid * part->place};
    return true;
}

static ValidCountProblem problem_of(const Number *slice, const Number *time)
{
    const Part *outer = &slice->items[slice->count - 1];
    bool inside = time->count && outer->stride < time->items[0].stride;
    return inside ? VALID_COUNT_TRANSPOSED : VALID_COUNT_INTERLEAVED;
}

ValidCountProblem valid_gate_derive(Arena *arena, const Check *check, int64_t slices,
                                    ValidGate *gate)
{
    Number slice = number_of(arena, check, LEVEL_SLICE, by_place);
    Number time = number_of(arena, check, LEVEL_TIME, by_stride);
    *gate = (ValidGate){.valid = check->valid};
    if (slice.count == 0)
        return VALID_COUNT_FOUND; // Time alone: every slice is the one in between
    if (!is_ordered(&slice))
        return VALID_COUNT_SLICE_ORDER;
    if (time.count == 0 && !mask_of(&slice, slices, &gate->mask))
        return derive_run(&slice, check->valid, slices, gate) ? VALID_COUNT_FOUND
                                                              : VALID_COUNT_SLICE_BITS;
    if (!mask_of(&slice, slices, &gate->mask))
        return VALID_COUNT_SLICE_BITS;
    if (derive_standard(&slice, &time, check->valid, gate) ||
        derive_transposed(&slice, &time, check->valid, gate))
        return VALID_COUNT_FOUND;
    return problem_of(&slice, &time);
}

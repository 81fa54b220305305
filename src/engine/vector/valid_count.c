// The configuration is derived from checks: for each axis that has padding, the sum of its digits
// times their strides must stay below its size. A check without a digit in Packet becomes a gate,
// the one with such a digit becomes the packet dim. A check is first cut down to the digits that
// decide it, so that what looks like one placement is recognised as the simpler one that it is.
#include "engine/vector/valid_count.h"

#include "base/checked.h"
#include "command/nest.h"
#include "engine/vector/digits.h"
#include "mapping/cell.h"

// One threshold over the digits of an axis, and the gate of the Valid Count Generator that keeps
// it.

// One digit in a sum.
typedef struct {
    Level level;
    int64_t place;  // positions of its dimension that one step takes
    int64_t limit;  // steps
    int64_t stride; // what one step adds
    int64_t digit;  // its number among all digits
} Part;

// Positions are valid where the sum of the parts is less than `valid`.
typedef struct {
    ARRAY(Part);
    int64_t valid;
    const Atom *axis; // NULL: padding of no axis
    bool has_dim;     // it has a dim, `dim`
    int32_t dim;
} Check;

typedef struct {
    ARRAY(Check);
} CheckList;

typedef struct {
    Arena *arena;
    const ValidCountRequest *request;
    ValidCount *result;
    DigitList digits;       // of all levels, the innermost of each first
    CheckList checks;       // those that something can break
    const Digit *lead;      // the digit of Packet that is cut short; NULL: none
    int64_t lead_scale;     // lanes inside it
    ValidCounter *assigned; // one a digit: which dim counts it, and by what
    int64_t packet_check;   // the check of the lead, -1: none
} Derivation;

static bool fail(Derivation *derivation, ValidCountProblem problem, const Atom *axis, int64_t valid)
{
    derivation->result->problem = problem;
    derivation->result->axis = axis;
    derivation->result->valid = valid;
    return false;
}

// ---- digits

// Whether `outer` goes on where `inner` ends, in its dimension and in what it counts.
static bool continues(const Digit *inner, const Digit *outer)
{
    return inner->level == outer->level && inner->term.atom && outer->term.atom &&
           inner->end == outer->place && inner->resize == inner->extent &&
           stride_continues(outer->term.stride, inner->extent, inner->term.stride) &&
           atom_equal(inner->term.atom, outer->term.atom);
}

static void add_digit(Derivation *derivation, const Digit *digit)
{
    DigitList *digits = &derivation->digits;
    Digit *last = digits->count ? &digits->items[digits->count - 1] : NULL;
    if (!last || !continues(last, digit)) {
        *array_push(derivation->arena, digits, Digit) = *digit;
        return;
    }
    last->resize *= digit->resize;
    last->extent *= digit->extent;
    last->end = digit->end;
}

static void read_digits(Derivation *derivation)
{
    static const Level levels[] = {LEVEL_CHIP, LEVEL_CLUSTER, LEVEL_SLICE, LEVEL_TIME,
                                   LEVEL_PACKET};
    const ValidCountRequest *request = derivation->request;
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        DigitList own = {0};
        if (request->dims[levels[i]])
            digits_add(derivation->arena, levels[i], request->dims[levels[i]], &own);
        for (int64_t k = 0; k < own.count; k++)
            add_digit(derivation, &own.items[k]);
    }
    int64_t lanes = request->machine->vector_way8_lanes;
    int64_t packet = request->dims[LEVEL_PACKET]->mapping.size;
    if (request->is_way4 && packet < lanes && lanes % packet == 0) {
        Digit upper = {LEVEL_PACKET, packet, lanes / packet, 1, lanes, {.stride = 1, .modulo = 1}};
        add_digit(derivation, &upper);
    }
    derivation->assigned =
        arena_new(derivation->arena, ValidCounter, (size_t)derivation->digits.count);
    for (int64_t i = 0; i < derivation->digits.count; i++)
        derivation->assigned[i].dim = VALID_DIM_NONE;
}

// ---- checks

// The largest sum the parts of the check can make; INT64_MAX: or more.
static int64_t valid_check_reach(const Check *check)
{
    int64_t reach = 0;
    for (int64_t i = 0; i < check->count; i++) {
        int64_t most;
        if (!checked_mul(check->items[i].limit - 1, check->items[i].stride, &most) ||
            !checked_add(reach, most, &reach))
            return INT64_MAX;
    }
    return reach;
}

static bool has_level(const Check *check, Level level)
{
    for (int64_t i = 0; i < check->count; i++)
        if (check->items[i].level == level)
            return true;
    return false;
}

static int64_t gcd_of_strides(const Check *check, int64_t from)
{
    int64_t gcd = 0;
    for (int64_t i = from; i < check->count; i++)
        gcd = gcd_i64(check->items[i].stride, gcd);
    return gcd;
}

static void sort_parts(Check *check)
{
    for (int64_t i = 1; i < check->count; i++) {
        Part part = check->items[i];
        int64_t at = i;
        for (; at > 0 && check->items[at - 1].stride > part.stride; at--)
            check->items[at] = check->items[at - 1];
        check->items[at] = part;
    }
}

static void drop_parts(Check *check, int64_t count)
{
    check->items += count;
    check->count -= count;
    check->capacity -= count;
}

// The smallest parts decide nothing where the bound is a multiple of all other strides, and they
// cannot make up one such step.
static void simplify(Check *check)
{
    sort_parts(check);
    for (int64_t from = check->count - 1; from > 0; from--) {
        Check low = *check;
        low.count = from;
        if (valid_check_reach(&low) < gcd_i64(check->valid, gcd_of_strides(check, from))) {
            drop_parts(check, from);
            break;
        }
    }
    int64_t gcd = gcd_of_strides(check, 0);
    for (int64_t i = 0; i < check->count; i++)
        check->items[i].stride /= gcd;
    check->valid = ceil_div(check->valid, gcd);
}

static void add_check(Derivation *derivation, Check *check)
{
    for (int64_t i = check->count - 1; i >= 0; i--) // what never moves adds nothing
        if (check->items[i].limit == 1)
            check->items[i] = check->items[--check->count];
    if (valid_check_reach(check) < check->valid)
        return;
    simplify(check);
    *array_push(derivation->arena, &derivation->checks, Check) = *check;
}

static void push_part(Derivation *derivation, Check *check, int64_t at, int64_t limit,
                      int64_t stride)
{
    const Digit *digit = &derivation->digits.items[at];
    *array_push(derivation->arena, check, Part) =
        (Part){digit->level, digit->place, limit, stride, at};
}

// Steps that are padding although the axis goes on: `R % 3 # 4`. In Packet the lead takes care of
// them.
static bool has_hole(const Digit *digit)
{
    int64_t end;
    int64_t size = digit->term.atom ? digit->term.atom->size : INT64_MAX;
    bool covers = checked_mul(digit->resize, digit->term.stride, &end) && end < size;
    return digit->resize < digit->extent && covers;
}

static void add_hole(Derivation *derivation, int64_t at)
{
    const Digit *digit = &derivation->digits.items[at];
    bool slice = digit->level == LEVEL_SLICE && digit->term.atom;
    if (!has_hole(digit) || (digit->level != LEVEL_TIME && !slice))
        return;
    Check check = {.valid = digit->resize, .axis = digit->term.atom};
    push_part(derivation, &check, at, digit->extent, 1);
    add_check(derivation, &check);
}

// A chip or cluster that holds only padding is nobody's business.
static int64_t steps_of(const Digit *digit)
{
    bool live = digit->level < LEVEL_SLICE || digit->level == LEVEL_PACKET || has_hole(digit);
    return live ? digit->resize : digit->extent;
}

// Whether the positions of an atom are all data: an axis, or axes side by side that occur nowhere
// else.
static bool is_solid(const Derivation *derivation, const Atom *atom)
{
    if (atom->kind == ATOM_AXIS)
        return true;
    for (int64_t i = 0; atom->kind == ATOM_BLOCK && i < atom->inner->count; i++) {
        const Factor *factor = &atom->inner->factors[i];
        if (factor->is_padding || factor->term.atom->kind != ATOM_AXIS)
            return false;
        const Term *term = &factor->term;
        int64_t end;
        if (!checked_mul(term->stride, factor->resize, &end) || end > term->atom->size)
            return false;
        for (int64_t k = 0; k < derivation->digits.count; k++)
            if (digit_counts(&derivation->digits.items[k], term->atom))
                return false;
    }
    return atom->kind == ATOM_BLOCK;
}

// Whether it matters where a digit is padding.
static bool is_wanted(const Derivation *derivation, const Digit *digit)
{
    const Atom *axis = derivation->request->axis;
    if (!axis)
        return true;
    return digit_counts(digit, axis) || digit_mixes(derivation->arena, digit, axis);
}

static bool is_first_of_atom(const Derivation *derivation, int64_t at)
{
    for (int64_t i = 0; i < at; i++)
        if (digit_counts(&derivation->digits.items[i], derivation->digits.items[at].term.atom))
            return false;
    return true;
}

static bool add_axis(Derivation *derivation, const Atom *atom)
{
    Check check = {.valid = atom->size, .axis = atom};
    int64_t known = derivation->checks.count;
    if (!is_solid(derivation, atom))
        return fail(derivation, VALID_COUNT_COMPOSITE, atom, atom->size);
    for (int64_t i = 0; i < derivation->digits.count; i++) {
        const Digit *digit = &derivation->digits.items[i];
        if (digit_counts(digit, atom))
            push_part(derivation, &check, i, steps_of(digit), digit->term.stride);
    }
    add_check(derivation, &check);
    bool composite = derivation->request->axis && atom->kind != ATOM_AXIS;
    bool sums = valid_check_reach(&check) < INT64_MAX;
    if (derivation->checks.count > known && (composite || !sums))
        return fail(derivation, VALID_COUNT_COMPOSITE, atom, atom->size);
    return true;
}

static bool add_checks(Derivation *derivation)
{
    for (int64_t i = 0; i < derivation->digits.count; i++) {
        const Digit *digit = &derivation->digits.items[i];
        if (!is_wanted(derivation, digit))
            continue;
        add_hole(derivation, i);
        if (digit->term.atom && is_first_of_atom(derivation, i) &&
            !add_axis(derivation, digit->term.atom))
            return false;
    }
    return true;
}

// ---- the packet dim

// The check in which digit `at` takes part, or -1.
static int64_t check_of_digit(const Derivation *derivation, int64_t at)
{
    for (int64_t i = 0; i < derivation->checks.count; i++)
        for (int64_t k = 0; k < derivation->checks.items[i].count; k++)
            if (derivation->checks.items[i].items[k].digit == at)
                return i;
    return -1;
}

// Whether lanes are added up over the axis, so that no lane of padding may pass for data.
static bool lanes_matter(const Derivation *derivation)
{
    const Atom *axis = derivation->request->axis;
    for (int64_t i = 0; axis && i < derivation->digits.count; i++) {
        const Digit *digit = &derivation->digits.items[i];
        if (digit->level == LEVEL_PACKET && digit_counts(digit, axis))
            return true;
    }
    return !axis;
}

static bool is_foreign(const Derivation *derivation, const Digit *digit)
{
    const Atom *axis = derivation->request->axis;
    return axis && digit->term.atom && !digit_counts(digit, axis);
}

static const Atom *mixed_axis(const Derivation *derivation)
{
    const Atom *axis = derivation->request->axis;
    return axis ? axis : derivation->lead->term.atom;
}

// Another digit outside the lead: of the same axis, it has the wrong place.
static ValidCountProblem problem_of_lanes(const Digit *lead, const Digit *digit)
{
    bool same = digit->term.atom && digit_counts(lead, digit->term.atom);
    return same ? VALID_COUNT_PACKET_OUTER : VALID_COUNT_PACKET_MIXED;
}

// Finds the lead. Inside it all lanes are data, outside it there is padding only.
static bool find_lead(Derivation *derivation)
{
    bool foreign = false;
    derivation->lead_scale = 1;
    derivation->packet_check = -1;
    for (int64_t i = 0; i < derivation->digits.count && lanes_matter(derivation); i++) {
        const Digit *digit = &derivation->digits.items[i];
        if (digit->level != LEVEL_PACKET)
            continue;
        int64_t check = check_of_digit(derivation, i);
        foreign |= is_foreign(derivation, digit);
        if (derivation->lead) {
            if (digit->resize > 1)
                return fail(derivation, problem_of_lanes(derivation->lead, digit),
                            mixed_axis(derivation), 0);
        } else if (check >= 0 || digit->resize < digit->extent) {
            derivation->lead = digit;
            derivation->packet_check = check;
            if (foreign)
                return fail(derivation, VALID_COUNT_PACKET_MIXED, mixed_axis(derivation), 0);
        } else {
            derivation->lead_scale *= digit->extent;
        }
    }
    return true;
}

// Slices beyond the axis have a gate of their own, so that the packet dim need not see them.
static void split_slices(Derivation *derivation, int64_t at)
{
    Check *check = &derivation->checks.items[at], beyond = {.valid = 1, .axis = check->axis};
    for (int64_t i = check->count - 1; i >= 0; i--) {
        Part part = check->items[i];
        if (part.level != LEVEL_SLICE || part.stride < check->valid)
            continue;
        part.stride = part.place;
        *array_push(derivation->arena, &beyond, Part) = part;
        check->items[i] = check->items[--check->count];
    }
    if (beyond.count)
        *array_push(derivation->arena, &derivation->checks, Check) = beyond;
}

static const Part *part_of_lead(const Derivation *derivation, const Check *check)
{
    for (int64_t i = 0; i < check->count; i++)
        if (&derivation->digits.items[check->items[i].digit] == derivation->lead)
            return &check->items[i];
    return NULL;
}

static void assign_time(Derivation *derivation, const Check *check, int32_t dim, int64_t scale)
{
    for (int64_t i = 0; i < check->count; i++) {
        const Part *part = &check->items[i];
        if (part->level == LEVEL_TIME)
            derivation->assigned[part->digit] =
                (ValidCounter){.stride = part->stride * scale, .dim = dim};
    }
}

// One check: the lead, and the parts of Time that lie outside it.
static bool derive_packet(Derivation *derivation)
{
    ValidCount *result = derivation->result;
    if (!derivation->lead)
        return true;
    int64_t scale = derivation->lead_scale;
    result->packet_stride = result->packet_valid = scale * derivation->lead->resize;
    if (derivation->packet_check < 0)
        return true;
    split_slices(derivation, derivation->packet_check);
    Check *check = &derivation->checks.items[derivation->packet_check];
    result->lanes = derivation->lead->resize;
    if (has_level(check, LEVEL_SLICE))
        return fail(derivation, VALID_COUNT_SLICE_PACKET, check->axis, check->valid);
    if (part_of_lead(derivation, check)->stride != 1)
        return fail(derivation, VALID_COUNT_PACKET_OUTER, check->axis, check->valid);
    check->has_dim = true;
    result->packet_valid = scale * check->valid;
    assign_time(derivation, check, VALID_DIM_PACKET, scale);
    return true;
}

// ---- gates

// Strides and threshold without what they have in common.
static void reduce_gate(Derivation *derivation, const Check *check, int32_t dim, ValidGate *gate)
{
    int64_t gcd = 0;
    for (int64_t i = 0; i < check->count; i++)
        if (check->items[i].level == LEVEL_TIME)
            gcd = gcd_i64(check->items[i].stride, gcd);
    for (int64_t i = 0; gcd && i < check->count; i++) {
        const Part *part = &check->items[i];
        if (part->level == LEVEL_TIME)
            derivation->assigned[part->digit] =
                (ValidCounter){.stride = part->stride / gcd, .dim = dim};
    }
    if (gcd)
        gate->valid = ceil_div(gate->valid, gcd);
}

static void describe(ValidCount *result, const Check *check)
{
    result->slices = result->steps = 1;
    for (int64_t i = 0; i < check->count; i++) {
        const Part *part = &check->items[i];
        result->slices *= part->level == LEVEL_SLICE ? part->limit : 1;
        result->steps *= part->level == LEVEL_TIME ? part->limit : 1;
    }
}

// The gate of a sum over slices and time steps. Slices that count upwards fall into three runs:
// below a slice all time steps are valid, above another one none is, and in between some are. A
// standard gate has one slice in between. A transposed gate has no end to what is in between, but
// all of it stops at the same time step.

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

// Finds the gate for a check of Slice and Time. `slices`: of the whole dimension.
static ValidCountProblem valid_gate_derive(Arena *arena, const Check *check, int64_t slices,
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

static bool derive_gate(Derivation *derivation, Check *check)
{
    ValidCount *result = derivation->result;
    int64_t slices = derivation->request->dims[LEVEL_SLICE]->mapping.size;
    ValidGate gate;
    ValidCountProblem problem = valid_gate_derive(derivation->arena, check, slices, &gate);
    describe(result, check);
    if (problem != VALID_COUNT_FOUND)
        return fail(derivation, problem, check->axis, check->valid);
    check->has_dim = true;
    check->dim = (int32_t)(VALID_DIM_GATE + result->gates.count);
    reduce_gate(derivation, check, check->dim, &gate);
    *array_push(derivation->arena, &result->gates, ValidGate) = gate;
    return true;
}

// The packet dim is a gate over Time where no packet is cut short.
static bool borrow_packet(Derivation *derivation, Check *check)
{
    int64_t lanes = derivation->request->machine->vector_way8_lanes;
    if (derivation->lead || has_level(check, LEVEL_SLICE) || derivation->result->packet_stride != 0)
        return false;
    derivation->result->packet_stride = lanes;
    derivation->result->packet_valid = lanes * check->valid;
    assign_time(derivation, check, VALID_DIM_PACKET, lanes);
    check->has_dim = true;
    return true;
}

static bool shares_time(const Derivation *derivation, const Check *check)
{
    for (int64_t i = 0; i < check->count; i++) {
        const Part *part = &check->items[i];
        if (part->level == LEVEL_TIME && derivation->assigned[part->digit].dim != VALID_DIM_NONE)
            return true;
    }
    return false;
}

static bool derive_gates(Derivation *derivation)
{
    int64_t most = derivation->request->machine->vcg_gate_dims;
    for (int64_t i = 0; i < derivation->checks.count; i++) {
        Check *check = &derivation->checks.items[i];
        if (check->has_dim)
            continue;
        if (shares_time(derivation, check))
            return fail(derivation, VALID_COUNT_TWICE, check->axis, check->valid);
        bool room = derivation->result->gates.count < most;
        if (!room && borrow_packet(derivation, check))
            continue;
        if (!room) {
            bool cut = derivation->lead && derivation->packet_check < 0; // without a check
            derivation->result->count = derivation->checks.count + cut;
            return fail(derivation, VALID_COUNT_DIMS, check->axis, check->valid);
        }
        if (!derive_gate(derivation, check))
            return false;
    }
    return true;
}

// ---- counters

// Whether a counter can go on counting where the one before it ends.
static bool joins(const ValidCounter *inner, const ValidCounter *outer)
{
    if (inner->dim != outer->dim)
        return false;
    return inner->dim == VALID_DIM_NONE ||
           stride_continues(outer->stride, inner->limit, inner->stride);
}

static void push_counter(Derivation *derivation, const ValidCounter *counter)
{
    ValidCount *result = derivation->result;
    int64_t count = result->counters.count;
    ValidCounter *last = count ? &result->counters.items[count - 1] : NULL;
    if (last && joins(last, counter))
        last->limit *= counter->limit;
    else
        *array_push(derivation->arena, &result->counters, ValidCounter) = *counter;
}

// The cap of the packet dim is the stride of its fastest counter; where Time has no such counter
// in that place, one that stands still gives it.
static void push_cap(Derivation *derivation)
{
    const ValidCount *result = derivation->result;
    for (int64_t i = 0; i < derivation->digits.count; i++) {
        if (derivation->assigned[i].dim != VALID_DIM_PACKET)
            continue;
        if (derivation->assigned[i].stride == result->packet_stride)
            return;
        break;
    }
    if (result->packet_stride)
        push_counter(derivation, &(ValidCounter){1, result->packet_stride, VALID_DIM_PACKET});
}

static bool derive_counters(Derivation *derivation)
{
    ValidCount *result = derivation->result;
    push_cap(derivation);
    for (int64_t i = 0; i < derivation->digits.count; i++) {
        const Digit *digit = &derivation->digits.items[i];
        ValidCounter counter = derivation->assigned[i];
        counter.limit = digit->extent;
        if (digit->level == LEVEL_TIME && digit->extent > 1)
            push_counter(derivation, &counter);
    }
    result->count = result->counters.count;
    if (result->count > derivation->request->machine->vcg_counters)
        return fail(derivation, VALID_COUNT_COUNTERS, derivation->request->axis, 0);
    return true;
}

static bool depends_on_cluster(Derivation *derivation)
{
    for (int64_t i = 0; i < derivation->checks.count; i++) {
        const Check *check = &derivation->checks.items[i];
        if (has_level(check, LEVEL_CHIP) || has_level(check, LEVEL_CLUSTER))
            return !fail(derivation, VALID_COUNT_CLUSTER, check->axis, check->valid);
    }
    return false;
}

bool valid_count_derive(Arena *arena, const ValidCountRequest *request, ValidCount *result)
{
    Derivation derivation = {.arena = arena, .request = request, .result = result};
    *result = (ValidCount){0};
    read_digits(&derivation);
    if (!add_checks(&derivation) || depends_on_cluster(&derivation) || !find_lead(&derivation))
        return false;
    result->needed = derivation.checks.count || derivation.lead;
    if (!result->needed)
        return true;
    if (!derive_packet(&derivation) || !derive_gates(&derivation) || !derive_counters(&derivation))
        return false;
    if (result->packet_stride == 0) // every lane of a packet that no gate closes
        result->packet_stride = result->packet_valid = request->machine->vector_way8_lanes;
    return true;
}

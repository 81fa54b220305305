// How many positions of a mapping are no padding. What is padding is decided by each component of
// its digits alone, so the count is the product of theirs:
//
//   - digits of one axis: those choices whose sum is below its size. From the greatest weight down,
//     all but the last digits leave room for whatever the others add;
//   - digits of a composite without padding: as of an axis; digits that count through a
//     composite from its beginning: what it is made of is counted, as far as they get;
//   - others are looked at one by one, up to a limit.
#include "oracle/plan.h"

#include "base/checked.h"

#include <assert.h>
#include <stdlib.h>

// Choices of digits that are looked at one by one before a count is given up: a few seconds.
enum { LIVE_MOST_STEPS = 1 << 23 };

typedef struct {
    Arena *arena;
    int64_t steps;
} Counter;

static bool count_mapping(Counter *counter, const Mapping *mapping, int64_t *count);

static bool step(Counter *counter)
{
    return ++counter->steps <= LIVE_MOST_STEPS;
}

static int by_weight(const void *a, const void *b)
{
    const Digit *x = a, *y = b;
    return compare_i64(x->weight, y->weight);
}

static DigitList sorted_digits(Arena *arena, const DigitList *digits, const Component *component)
{
    DigitList sorted = {0};
    for (int64_t i = 0; i < component->digits.count; i++)
        *array_push(arena, &sorted, Digit) = digits->items[component->digits.items[i]];
    assert(sorted.items); // components are made of digits here
    qsort(sorted.items, (size_t)sorted.count, sizeof *sorted.items, by_weight);
    return sorted;
}

// ---- digits of one axis

// Choices of the first `digit_count` digits, in the order of weights, whose sum is below `room`.
static bool count_below(Counter *counter, const Digit *digits, int64_t digit_count, int64_t room,
                        int64_t *count)
{
    int64_t below = 1, most = 0; // choices of the lower digits; the highest sum of them
    *count = room > 0;
    if (room <= 0 || digit_count == 0)
        return true;
    for (int64_t i = 0; i + 1 < digit_count; i++) {
        below *= digits[i].count; // fits: no more than the size of the mapping
        if (!checked_add(most, (digits[i].count - 1) * digits[i].weight, &most))
            most = INT64_MAX; // parts of the axis given twice, which is refused elsewhere
    }
    const Digit *top = &digits[digit_count - 1];
    int64_t roomy = room > most ? (room - 1 - most) / top->weight + 1 : 0;
    int64_t digit = min_i64(roomy, top->count);
    for (*count = digit * below; digit < top->count && digit * top->weight < room; digit++) {
        int64_t part;
        if (!step(counter) ||
            !count_below(counter, digits, digit_count - 1, room - digit * top->weight, &part))
            return false;
        *count += part;
    }
    return true;
}

// ---- composites

static bool is_of_one_block(const DigitList *digits)
{
    for (int64_t i = 0; i < digits->count; i++)
        if (!atom_equal(digits->items[i].atom, digits->items[0].atom))
            return false;
    return digits->items[0].atom->kind == ATOM_BLOCK;
}

// How many positions, from the first on, the digits count through. 0: they leave some out.
static int64_t counted_through(const DigitList *sorted)
{
    int64_t end = 1;
    for (int64_t i = 0; i < sorted->count; i++) {
        if (sorted->items[i].weight != end)
            return 0;
        end *= sorted->items[i].count; // fits: no more than the size of the mapping
    }
    return end;
}

// Digits of a composite. *known becomes false where they must be looked at one by one.
static bool count_block(Counter *counter, const DigitList *sorted, int64_t *count, bool *known)
{
    const Mapping *inner = sorted->items[0].atom->inner;
    int64_t end = counted_through(sorted), all;
    Mapping prefix = *inner;
    *known = true;
    if (end >= inner->size || (end > 0 && mapping_prefix(counter->arena, inner, end, &prefix)))
        return count_mapping(counter, &prefix, count);
    if (!count_mapping(counter, inner, &all))
        return false;
    *known = all == inner->size; // no padding inside: as of an axis
    return !*known || count_below(counter, sorted->items, sorted->count, all, count);
}

static bool count_one_by_one(Counter *counter, const Mapping *mapping, int64_t *count)
{
    *count = 0;
    if (mapping->size > LIVE_MOST_STEPS)
        return false;
    for (int64_t at = 0; at < mapping->size; at++) {
        ArenaMark mark = arena_mark(counter->arena);
        if (!step(counter))
            return false;
        *count += mapping_cell(counter->arena, mapping, at).count > 0;
        arena_reset(counter->arena, mark);
    }
    return true;
}

static bool count_component(Counter *counter, const DigitList *digits, const Component *component,
                            int64_t *count)
{
    DigitList sorted = sorted_digits(counter->arena, digits, component);
    bool known = false;
    if (!component->is_composite)
        return count_below(counter, sorted.items, sorted.count, component->axes.items[0]->size,
                           count);
    if (is_of_one_block(&sorted) && !count_block(counter, &sorted, count, &known))
        return false;
    if (known)
        return true;
    Mapping alone = component_mapping(counter->arena, digits, component);
    return count_one_by_one(counter, &alone, count);
}

// ---- all of it

static bool count_mapping(Counter *counter, const Mapping *mapping, int64_t *count)
{
    Mapping normal = mapping_normalise(counter->arena, mapping);
    DigitList digits = {0};
    digits_of_mapping(counter->arena, &normal, 0, &digits);
    ComponentList components = components_of(counter->arena, &digits);
    *count = 1;
    for (int64_t i = 0; i < components.count; i++) {
        int64_t part;
        if (!count_component(counter, &digits, &components.items[i], &part))
            return false;
        *count *= part; // fits: no more than the size of the mapping
    }
    return true;
}

bool mapping_count_live(Arena *arena, const Mapping *mapping, int64_t *count)
{
    Counter counter = {.arena = arena};
    return count_mapping(&counter, mapping, count);
}

int64_t mapping_live_positions(Arena *arena, const Mapping *mapping)
{
    int64_t count;
    if (!mapping_count_live(arena, mapping, &count))
        arena_exhausted(arena);
    return count;
}

// Making plans: which digits decide about the same axes, and where each choice of them lies in
// every array.
#include "oracle/plan.h"

#include "base/checked.h"

#include <assert.h>
#include <stdlib.h>

// ---- components: whether a choice of all digits is padding, and where it lies, is known of each
// without the others

static bool shares_axis(const AtomList *a, const AtomList *b)
{
    for (int64_t i = 0; i < a->count; i++)
        if (atoms_have(b, a->items[i]))
            return true;
    return false;
}

// Composites of no axes at all (padding before nothing) may be part of any other.
static bool meets(const Component *a, const Component *b)
{
    return shares_axis(&a->axes, &b->axes) ||
           (a->is_composite && b->is_composite && (!a->axes.count || !b->axes.count));
}

static void absorb(Arena *arena, Component *whole, const Component *part)
{
    for (int64_t i = 0; i < part->axes.count; i++)
        if (!atoms_have(&whole->axes, part->axes.items[i]))
            *array_push(arena, &whole->axes, const Atom *) = part->axes.items[i];
    for (int64_t i = 0; i < part->digits.count; i++)
        *array_push(arena, &whole->digits, int64_t) = part->digits.items[i];
    whole->is_composite |= part->is_composite;
}

static void add_digit(Arena *arena, ComponentList *components, const Atom *atom, int64_t digit)
{
    Component mine = {.is_composite = atom->kind != ATOM_AXIS};
    atom_axes(arena, atom, &mine.axes);
    *array_push(arena, &mine.digits, int64_t) = digit;
    int64_t kept = 0;
    for (int64_t i = 0; i < components->count; i++) {
        Component *other = &components->items[i];
        if (meets(other, &mine))
            absorb(arena, &mine, other);
        else
            components->items[kept++] = *other;
    }
    components->count = kept;
    *array_push(arena, components, Component) = mine;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return compare_i64(*x, *y);
}

ComponentList components_of(Arena *arena, const DigitList *digits)
{
    ComponentList components = {0};
    for (int64_t i = 0; i < digits->count; i++)
        add_digit(arena, &components, digits->items[i].atom, i);
    for (int64_t i = 0; i < components.count; i++)
        qsort(components.items[i].digits.items, (size_t)components.items[i].digits.count,
              sizeof(int64_t), by_number);
    return components;
}

Mapping component_mapping(Arena *arena, const DigitList *digits, const Component *component)
{
    int64_t count = component->digits.count;
    Factor *factors = arena_new(arena, Factor, (size_t)count);
    Mapping mapping = {factors, count, 1};
    for (int64_t k = 0; k < count; k++) {
        const Digit *digit = &digits->items[component->digits.items[count - 1 - k]];
        factors[k] =
            (Factor){.term = {digit->atom, digit->weight, digit->count}, .resize = digit->count};
        if (!checked_mul(mapping.size, digit->count, &mapping.size))
            arena_exhausted(arena);
    }
    return mapping;
}

// ---- places of an index

// Where digit group A = `value` lies in an array: its part of the place. -1: there is no room.
// An axis that the array does not have takes no part.
static int64_t place_of_value(const Array *array, const Atom *axis, int64_t value)
{
    int64_t at = 0, rest = value;
    bool found = false;
    for (int64_t i = array->axes.count - 1; i >= 0; i--) {
        const Term *term = &array->axes.items[i];
        if (!atom_equal(term->atom, axis))
            continue;
        found = true;
        int64_t digit = rest / term->stride;
        rest %= term->stride;
        if (digit >= array->extents[i])
            return -1;
        at += digit * array->strides[i];
    }
    return found && rest ? -1 : at;
}

int64_t array_place(const Array *array, const Index *index)
{
    int64_t at = 0;
    for (int64_t i = 0; i < array->axes.count; i++) {
        const Atom *axis = array->axes.items[i].atom;
        if (i && atom_equal(array->axes.items[i - 1].atom, axis))
            continue; // another piece of it
        int64_t part = place_of_value(array, axis, index_value(index, axis));
        if (part < 0)
            return -1;
        at += part;
    }
    return at;
}

typedef struct {
    Plan *plan;
    const DigitList *digits; // one a loop
    const Place *places;
    ComponentList components;
} Builder;

// ---- an axis whose place is linear in the digits

// One array's view of a component of one axis.
typedef struct {
    int64_t limit; // of the sum of weights; what is not below it has no room
    bool linear;
} Reach;

static int64_t piece_of_weight(const Array *array, const Atom *axis, int64_t weight)
{
    for (int64_t i = array->axes.count - 1; i >= 0; i--) {
        const Term *term = &array->axes.items[i];
        if (atom_equal(term->atom, axis) && term->stride <= weight)
            return i;
    }
    return -1;
}

static int64_t pieces_of_axis(const Array *array, const Atom *axis)
{
    int64_t count = 0;
    for (int64_t i = 0; i < array->axes.count; i++)
        count += atom_equal(array->axes.items[i].atom, axis);
    return count;
}

static bool is_seen(const PlanLoop *loop, int64_t p)
{
    assert(loop);
    return !(loop->unseen >> p & 1);
}

// The highest digit of piece `i` that the loops and the origin reach. -1: a step is not whole.
static int64_t top_digit(const Builder *builder, const Component *component, int64_t p, int64_t i,
                         int64_t origin_digit)
{
    const Array *array = builder->places[p].array;
    const Term *piece = &array->axes.items[i];
    int64_t top = origin_digit;
    for (int64_t k = 0; k < component->digits.count; k++) {
        const PlanLoop *loop = &builder->plan->loops.items[component->digits.items[k]];
        if (!is_seen(loop, p) || piece_of_weight(array, piece->atom, loop->weight) != i)
            continue;
        if (loop->weight % piece->stride)
            return -1;
        top += (loop->count - 1) * (loop->weight / piece->stride);
    }
    return top;
}

// Above which digit a piece would carry into the next one of its axis.
static int64_t digits_below_next(const Array *array, int64_t i)
{
    const Term *piece = &array->axes.items[i];
    bool last =
        i + 1 == array->axes.count || !atom_equal(array->axes.items[i + 1].atom, piece->atom);
    return last ? INT64_MAX : array->axes.items[i + 1].stride / piece->stride;
}

// Whether the place in one array is linear in the digits of one axis: no sum of digits within a
// piece of the axis may carry into the next piece, each step must be whole steps of its piece, and
// nothing may fall below the lowest piece. Where a single piece is too short there is a limit
// instead.
static Reach reach_in_place(const Builder *builder, const Component *component, int64_t p)
{
    const Place *place = &builder->places[p];
    const Array *array = place->array;
    const Atom *axis = component->axes.items[0];
    int64_t rest = index_value(&place->origin, axis), origin = rest;
    int64_t pieces = pieces_of_axis(array, axis);
    Reach reach = {INT64_MAX, true};
    for (int64_t i = array->axes.count - 1; i >= 0; i--) {
        const Term *piece = &array->axes.items[i];
        if (!atom_equal(piece->atom, axis))
            continue;
        int64_t digit = rest / piece->stride;
        rest %= piece->stride;
        int64_t top = top_digit(builder, component, p, i, digit);
        bool fits = top < array->extents[i];
        if (top < 0 || top >= digits_below_next(array, i) || (!fits && pieces > 1))
            reach.linear = false;
        if (!fits)
            reach.limit = array->extents[i] * piece->stride - origin;
    }
    if ((pieces && rest) || reach.limit <= 0)
        reach.linear = false;
    for (int64_t k = 0; pieces && k < component->digits.count; k++) {
        const PlanLoop *loop = &builder->plan->loops.items[component->digits.items[k]];
        if (is_seen(loop, p) && piece_of_weight(array, axis, loop->weight) < 0)
            reach.linear = false;
    }
    return reach;
}

static int64_t highest_sum(const Builder *builder, const Component *component)
{
    int64_t sum = 0;
    assert(builder->plan->loops.items); // one for each digit
    for (int64_t k = 0; k < component->digits.count; k++) {
        const PlanLoop *loop = &builder->plan->loops.items[component->digits.items[k]];
        sum += (loop->count - 1) * loop->weight;
    }
    return sum;
}

// The limit below which every array is linear, or 0: there is none.
static int64_t linear_limit(const Builder *builder, const Component *component)
{
    if (component->is_composite)
        return 0;
    int64_t limit = component->axes.items[0]->size, reads = INT64_MAX;
    for (int64_t p = 0; p < builder->plan->place_count; p++) {
        Reach reach = reach_in_place(builder, component, p);
        if (!reach.linear)
            return 0;
        if (builder->places[p].use == PLACE_WRITE)
            limit = min_i64(limit, reach.limit);
        else
            reads = min_i64(reads, reach.limit);
    }
    bool unread = reads < limit && reads <= highest_sum(builder, component);
    return unread ? 0 : limit;
}

static int64_t add_group(Plan *plan, PlanGroup group)
{
    *array_push(plan->arena, &plan->groups, PlanGroup) = group;
    return plan->groups.count - 1;
}

static void plan_linear(Builder *builder, const Component *component, int64_t limit)
{
    Plan *plan = builder->plan;
    const Atom *axis = component->axes.items[0];
    bool checked = highest_sum(builder, component) >= limit;
    int64_t group = checked ? add_group(plan, (PlanGroup){.limit = limit}) : -1;
    for (int64_t k = 0; k < component->digits.count; k++) {
        PlanLoop *loop = &plan->loops.items[component->digits.items[k]];
        loop->group = group;
        for (int64_t p = 0; p < plan->place_count; p++) {
            const Array *array = builder->places[p].array;
            int64_t i = piece_of_weight(array, axis, loop->weight);
            if (i >= 0 && is_seen(loop, p))
                loop->steps[p] = loop->weight / array->axes.items[i].stride * array->strides[i];
        }
    }
    for (int64_t p = 0; p < plan->place_count; p++) {
        const Place *place = &builder->places[p];
        plan->start[p] += place_of_value(place->array, axis, index_value(&place->origin, axis));
    }
}

// ---- everything else by table

// The choice with all digits 0 that place `p` does not see.
static int64_t seen_choice(const Plan *plan, const Component *component, int64_t p, int64_t choice)
{
    int64_t seen = 0, step = 1;
    for (int64_t k = component->digits.count - 1; k >= 0; k--) {
        const PlanLoop *loop = &plan->loops.items[component->digits.items[k]];
        if (is_seen(loop, p))
            seen += choice % loop->count * step;
        choice /= loop->count;
        step *= loop->count;
    }
    return seen;
}

// The part of a place that an index of the component decides. -1: there is no room.
static int64_t place_of_index(const Place *place, const Component *component, const Index *index)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < component->axes.count; i++) {
        const Atom *axis = component->axes.items[i];
        int64_t value = index_value(index, axis) + index_value(&place->origin, axis);
        int64_t at = place_of_value(place->array, axis, value);
        if (at < 0)
            return -1;
        sum += at;
    }
    return sum;
}

// A table under construction.
typedef struct {
    const Builder *builder;
    const Component *component;
    Mapping mapping; // of its loops alone
    Arena *cells;    // of one choice
    struct {
        ARRAY(PlanEntry);
    } entries;
} Table;

static void add_entries(Table *table, int64_t choice)
{
    const Plan *plan = table->builder->plan;
    Cell cell = mapping_cell(table->cells, &table->mapping, choice), seen[PLAN_MOST_PLACES];
    for (int64_t p = 0; p < plan->place_count; p++) {
        int64_t mine = seen_choice(plan, table->component, p, choice);
        seen[p] = mine == choice ? cell : mapping_cell(table->cells, &table->mapping, mine);
    }
    for (int64_t i = 0; i < cell.count; i++) {
        PlanEntry entry = {0};
        bool skipped = false;
        for (int64_t p = 0; p < plan->place_count; p++) {
            const Place *place = &table->builder->places[p];
            int64_t which = min_i64(i, seen[p].count - 1);
            entry.at[p] =
                which < 0 ? -1 : place_of_index(place, table->component, &seen[p].items[which]);
            skipped |= entry.at[p] < 0 && place->use == PLACE_WRITE;
        }
        if (!skipped)
            *array_push(plan->arena, &table->entries, PlanEntry) = entry;
    }
}

static void plan_table(Builder *builder, const Component *component)
{
    Plan *plan = builder->plan;
    Arena cells = {.on_oom = plan->arena->on_oom};
    Table table = {.builder = builder, .component = component, .cells = &cells};
    table.mapping = component_mapping(plan->arena, builder->digits, component);
    int64_t choices = table.mapping.size;
    PlanGroup group = {.is_table = true, .choices = choices};
    group.starts = arena_new(plan->arena, int64_t, (size_t)choices + 1);
    for (int64_t choice = 0; choice < choices; choice++) {
        add_entries(&table, choice);
        group.starts[choice + 1] = table.entries.count;
        arena_clear(&cells);
    }
    arena_release(&cells);
    group.entries = table.entries.items;
    int64_t number = add_group(plan, group), step = choices;
    for (int64_t k = 0; k < component->digits.count; k++) {
        PlanLoop *loop = &plan->loops.items[component->digits.items[k]];
        step /= loop->count;
        loop->group = number;
        loop->table_step = step;
    }
}

// ---- plans

static bool decides(const Builder *builder, const Atom *axis)
{
    for (int64_t i = 0; i < builder->components.count; i++)
        if (atoms_have(&builder->components.items[i].axes, axis))
            return true;
    return false;
}

// Axes of the origin along which there is no loop.
static void add_fixed_axes(Builder *builder)
{
    Plan *plan = builder->plan;
    for (int64_t p = 0; p < plan->place_count; p++) {
        const Place *place = &builder->places[p];
        for (int64_t i = 0; i < place->origin.count; i++) {
            const Coordinate *fixed = &place->origin.items[i];
            if (decides(builder, fixed->axis))
                continue;
            int64_t at = place_of_value(place->array, fixed->axis, fixed->value);
            if (at < 0 && place->use == PLACE_WRITE)
                plan->empty = true;
            plan->start[p] = at < 0 || plan->start[p] < 0 ? -1 : plan->start[p] + at;
        }
    }
}

void plan_close_groups(Plan *plan)
{
    for (int64_t i = 0; i < plan->loops.count; i++) {
        PlanLoop *loop = &plan->loops.items[i];
        loop->closes = loop->group >= 0;
        for (int64_t k = i + 1; k < plan->loops.count; k++)
            if (plan->loops.items[k].group == loop->group)
                loop->closes = false;
    }
}

// One loop for each digit. Each component of digits is linear in all arrays, perhaps below a limit,
// or gets a table of all its choices; so only components that are cut or composite cost memory.
Plan plan_new(Arena *arena, const DigitList *digits, const Place *places, int64_t place_count)
{
    Plan plan = {.arena = arena, .place_count = place_count, .cost = 1};
    Builder builder = {.plan = &plan, .digits = digits, .places = places};
    for (int64_t i = 0; i < digits->count; i++) {
        const Digit *digit = &digits->items[i];
        *array_push(arena, &plan.loops, PlanLoop) = (PlanLoop){.atom = digit->atom,
                                                               .weight = digit->weight,
                                                               .count = digit->count,
                                                               .group = -1,
                                                               .tag = digit->tag,
                                                               .unseen = digit->unseen,
                                                               .step = digit->step};
    }
    builder.components = components_of(arena, digits);
    for (int64_t i = 0; i < builder.components.count; i++) {
        const Component *component = &builder.components.items[i];
        int64_t limit = linear_limit(&builder, component);
        if (limit > 0)
            plan_linear(&builder, component, limit);
        else
            plan_table(&builder, component);
    }
    add_fixed_axes(&builder);
    plan_close_groups(&plan);
    return plan;
}

Plan plan_part(Arena *arena, const Plan *plan, int64_t tag)
{
    Plan part = *plan;
    part.loops.items = NULL;
    part.loops.count = part.loops.capacity = 0;
    for (int64_t i = 0; i < plan->loops.count; i++)
        if (plan->loops.items[i].tag == tag)
            *array_push(arena, &part.loops, PlanLoop) = plan->loops.items[i];
    plan_close_groups(&part);
    return part;
}

bool plan_is_linear(const Plan *plan)
{
    for (int64_t i = 0; i < plan->loops.count; i++)
        if (plan->loops.items[i].group >= 0)
            return false;
    return true;
}

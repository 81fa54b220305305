// Which digits decide about the same axes. Whether a choice of all digits is padding, and where it
// lies, is known of each component without the others.
#include "oracle/plan.h"

#include "base/checked.h"

#include <stdlib.h>

static bool shares_axis(const AtomList *a, const AtomList *b)
{
    for (int64_t i = 0; i < a->count; i++)
        for (int64_t k = 0; k < b->count; k++)
            if (atom_equal(a->items[i], b->items[k]))
                return true;
    return false;
}

bool component_has_axis(const Component *component, const Atom *axis)
{
    const AtomList one = {.items = &axis, .count = 1};
    return shares_axis(&component->axes, &one);
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
        if (!component_has_axis(whole, part->axes.items[i]))
            *array_push(arena, &whole->axes, const Atom *) = part->axes.items[i];
    for (int64_t i = 0; i < part->digits.count; i++)
        *array_push(arena, &whole->digits, int64_t) = part->digits.items[i];
    whole->is_composite |= part->is_composite;
}

// Adds `digit` of the atom; -1: the atom alone.
static void add_atom(Arena *arena, ComponentList *components, const Atom *atom, int64_t digit)
{
    Component mine = {.is_composite = atom->kind != ATOM_AXIS || digit < 0};
    atom_axes(arena, atom, &mine.axes);
    if (digit >= 0)
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

ComponentList components_of(Arena *arena, const DigitList *digits, const AtomList *groups)
{
    ComponentList components = {0};
    for (int64_t i = 0; i < groups->count; i++)
        add_atom(arena, &components, groups->items[i], -1);
    for (int64_t i = 0; i < digits->count; i++)
        add_atom(arena, &components, digits->items[i].atom, i);
    for (int64_t i = 0; i < components.count; i++)
        if (components.items[i].digits.count)
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

// What one position holds. The contributions of all factors are gathered per atom; then the atom
// nested deepest is looked up in what it is made of, which adds contributions to atoms nested less
// deeply, until only axes are left.
#include "mapping/cell.h"

#include "base/checked.h"

#include <assert.h>

typedef struct {
    const Atom *atom;
    int64_t value;
} Contribution;

typedef struct {
    ARRAY(Contribution);
} Contributions;

typedef struct {
    Arena *arena;
    Cell cell;
    int64_t tries; // positions of parts of linear combinations looked at
} Resolver;

static int64_t depth_of_mapping(const Mapping *mapping)
{
    int64_t depth = 0;
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            depth = max_i64(depth, atom_depth(mapping->factors[i].term.atom));
    return depth;
}

int64_t atom_depth(const Atom *atom)
{
    int64_t depth = 0;
    if (atom->kind == ATOM_AXIS)
        return 0;
    if (atom->inner)
        depth = depth_of_mapping(atom->inner);
    for (int64_t i = 0; atom->kind == ATOM_LINEAR && i < atom->part_count; i++)
        depth = max_i64(depth, depth_of_mapping(atom->parts[i]));
    return depth + 1;
}

static bool contribute(Arena *arena, Contributions *sums, const Atom *atom, int64_t value)
{
    for (int64_t i = 0; i < sums->count; i++)
        if (atom_equal(sums->items[i].atom, atom))
            return checked_add(sums->items[i].value, value, &sums->items[i].value);
    *array_push(arena, sums, Contribution) = (Contribution){atom, value};
    return true;
}

// Adds what position `at` of `mapping` contributes. False: it is padding.
static bool contribute_position(Arena *arena, Contributions *sums, const Mapping *mapping,
                                int64_t at)
{
    int64_t block = mapping->size;
    if (at < 0 || at >= mapping->size)
        return false;
    for (int64_t i = mapping->count - 1; i >= 0; i--) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding) {
            block = mapping_block(mapping, i);
            if (at >= block)
                return false;
            continue;
        }
        block /= factor->resize;
        int64_t digit = at / block;
        at %= block;
        if (!contribute(arena, sums, factor->term.atom, digit * factor->term.stride))
            return false;
    }
    return true;
}

static Contributions copy_sums(Arena *arena, const Contributions *sums)
{
    Contributions copy = {0};
    for (int64_t i = 0; i < sums->count; i++)
        *array_push(arena, &copy, Contribution) = sums->items[i];
    return copy;
}

static void resolve(Resolver *resolver, Contributions *sums);

static void resolve_inner(Resolver *resolver, Contributions *sums, const Mapping *inner, int64_t at)
{
    if (contribute_position(resolver->arena, sums, inner, at))
        resolve(resolver, sums);
}

// The largest sum that parts k.. can make, saturated.
static int64_t reach_from(const Atom *linear, int64_t k)
{
    int64_t reach = 0;
    for (; k < linear->part_count; k++)
        reach += (linear->parts[k]->size - 1) * linear->weights[k]; // fits: it is below the size
    return reach;
}

// Every choice of positions of parts k.. that adds up to `rest`.
static void resolve_linear(Resolver *resolver, const Contributions *sums, const Atom *linear,
                           int64_t k, int64_t rest)
{
    if (k == linear->part_count) {
        Contributions copy = copy_sums(resolver->arena, sums);
        if (rest == 0)
            resolve(resolver, &copy);
        return;
    }
    int64_t weight = linear->weights[k];
    int64_t beyond = rest - reach_from(linear, k + 1);
    int64_t first = beyond > 0 ? ceil_div(beyond, weight) : 0;
    int64_t last = min_i64(rest / weight, linear->parts[k]->size - 1);
    for (int64_t q = first; q <= last && !resolver->cell.truncated; q++) {
        resolver->cell.truncated = ++resolver->tries > CELL_MOST_TRIES;
        Contributions copy = copy_sums(resolver->arena, sums);
        if (contribute_position(resolver->arena, &copy, linear->parts[k], q))
            resolve_linear(resolver, &copy, linear, k + 1, rest - q * weight);
    }
}

static int64_t sum_of(const Contributions *sums, const Atom *atom)
{
    for (int64_t i = 0; i < sums->count; i++)
        if (atom_equal(sums->items[i].atom, atom))
            return sums->items[i].value;
    return 0;
}

// base = (position + the other axes) mod size, without leaving 63 bits on the way
static void resolve_skew(Resolver *resolver, Contributions *sums, const Atom *skew, int64_t at)
{
    int64_t size = skew->size, value = at;
    for (int64_t i = 0; i < skew->part_count; i++) {
        int64_t other = sum_of(sums, skew->others[i]) % size;
        value = value >= size - other ? value - (size - other) : value + other;
    }
    if (contribute(resolver->arena, sums, skew->base, value))
        resolve(resolver, sums);
}

static void resolve_atom(Resolver *resolver, Contributions *sums, const Atom *atom, int64_t at)
{
    if (at >= atom->size)
        return;
    switch (atom->kind) {
    case ATOM_AXIS:
        return;
    case ATOM_BLOCK:
        resolve_inner(resolver, sums, atom->inner, at);
        return;
    case ATOM_SHIFT:
        resolve_inner(resolver, sums, atom->inner, at + atom->shift);
        return;
    case ATOM_LIST:
        resolve_inner(resolver, sums, atom->inner, atom->offsets[at]);
        return;
    case ATOM_LINEAR:
        resolve_linear(resolver, sums, atom, 0, at);
        return;
    case ATOM_SKEW:
        resolve_skew(resolver, sums, atom, at);
        return;
    }
}

static void emit_index(Resolver *resolver, const Contributions *sums)
{
    Index index = {0};
    for (int64_t i = 0; i < sums->count; i++) {
        const Contribution *sum = &sums->items[i];
        if (sum->value >= sum->atom->size)
            return; // one axis out of range makes the cell padding
        if (sum->value)
            *array_push(resolver->arena, &index, Coordinate) = (Coordinate){sum->atom, sum->value};
    }
    if (resolver->cell.count == CELL_MOST_INDICES) {
        resolver->cell.truncated = true;
        return;
    }
    *array_push(resolver->arena, &resolver->cell, Index) = index;
}

// Whether another skewed axis that is left runs along an axis this one adds.
static bool skew_waits(const AtomList *atoms, const Atom *skew)
{
    for (int64_t i = 0; i < atoms->count; i++) {
        const Atom *other = atoms->items[i];
        for (int64_t k = 0; other->kind == ATOM_SKEW && k < skew->part_count; k++)
            if (atom_equal(other->base, skew->others[k]))
                return true;
    }
    return false;
}

int64_t next_atom(const AtomList *atoms)
{
    int64_t next = -1, depth = 0;
    for (int64_t i = 0; i < atoms->count; i++) {
        const Atom *atom = atoms->items[i];
        bool skew = atom->kind == ATOM_SKEW;
        int64_t at = skew ? 1 : atom_depth(atom) * 2; // skews come last: they add final values
        if (at > depth && !(skew && skew_waits(atoms, atom))) {
            next = i;
            depth = at;
        }
    }
    return next;
}

static void resolve(Resolver *resolver, Contributions *sums)
{
    AtomList atoms = {0};
    for (int64_t i = 0; i < sums->count; i++)
        *array_push(resolver->arena, &atoms, const Atom *) = sums->items[i].atom;
    int64_t index = next_atom(&atoms);
    if (index < 0) {
        emit_index(resolver, sums);
        return;
    }
    assert(sums->items && index < sums->count);
    Contribution next = sums->items[index];
    sums->items[index] = sums->items[--sums->count];
    resolve_atom(resolver, sums, next.atom, next.value);
}

Cell mapping_cell(Arena *arena, const Mapping *mapping, int64_t at)
{
    Resolver resolver = {.arena = arena};
    Contributions sums = {0};
    resolve_inner(&resolver, &sums, mapping, at);
    return resolver.cell;
}

bool mapping_is_hole(const Mapping *mapping, int64_t at)
{
    for (int64_t i = mapping->count - 1; i >= 0; i--) {
        int64_t block = mapping_block(mapping, i);
        if (!mapping->factors[i].is_padding)
            at %= block;
        else if (at >= block)
            return true;
    }
    return false;
}

bool atoms_have(const AtomList *atoms, const Atom *atom)
{
    for (int64_t i = 0; i < atoms->count; i++)
        if (atom_equal(atoms->items[i], atom))
            return true;
    return false;
}

bool atom_has_axis_of(Arena *arena, const Atom *atom, const AtomList *axes)
{
    AtomList mine = {0};
    atom_axes(arena, atom, &mine);
    for (int64_t i = 0; i < mine.count; i++)
        if (atoms_have(axes, mine.items[i]))
            return true;
    return false;
}

int64_t mapping_share(Arena *arena, const Mapping *mapping, const AtomList *axes, int64_t at)
{
    int64_t share = 0, innermost = 0;
    while (innermost < mapping->count && mapping->factors[innermost].is_padding)
        innermost++;
    for (int64_t i = mapping->count - 1; i >= innermost; i--) {
        const Factor *factor = &mapping->factors[i];
        int64_t block = i > innermost ? mapping_block(mapping, i) : 1;
        if (factor->is_padding)
            continue;
        if (atom_has_axis_of(arena, factor->term.atom, axes))
            share += at / block * block;
        at %= block;
    }
    return share;
}

int64_t index_value(const Index *index, const Atom *axis)
{
    for (int64_t i = 0; i < index->count; i++)
        if (atom_equal(index->items[i].axis, axis))
            return index->items[i].value;
    return 0;
}

bool index_equal(const Index *a, const Index *b)
{
    if (a->count != b->count)
        return false;
    for (int64_t i = 0; i < a->count; i++)
        if (index_value(b, a->items[i].axis) != a->items[i].value)
            return false;
    return true;
}

static bool cell_has(const Cell *cell, const Index *index)
{
    for (int64_t i = 0; i < cell->count; i++)
        if (index_equal(&cell->items[i], index))
            return true;
    return false;
}

bool cell_equal(const Cell *a, const Cell *b)
{
    for (int64_t i = 0; i < a->count; i++)
        if (!cell_has(b, &a->items[i]))
            return false;
    for (int64_t i = 0; i < b->count; i++)
        if (!cell_has(a, &b->items[i]))
            return false;
    return true;
}

static void add_axis(Arena *arena, AtomList *axes, const Atom *axis)
{
    int64_t at = 0;
    while (at < axes->count && atom_compare(axes->items[at], axis) < 0)
        at++;
    if (at < axes->count && atom_equal(axes->items[at], axis))
        return;
    array_push(arena, axes, const Atom *);
    for (int64_t i = axes->count - 1; i > at; i--)
        axes->items[i] = axes->items[i - 1];
    axes->items[at] = axis;
}

void atom_axes(Arena *arena, const Atom *atom, AtomList *axes)
{
    if (atom->kind == ATOM_AXIS)
        add_axis(arena, axes, atom);
    if (atom->inner)
        mapping_axes(arena, atom->inner, axes);
    if (atom->base)
        add_axis(arena, axes, atom->base);
    for (int64_t i = 0; i < atom->part_count; i++) {
        if (atom->kind == ATOM_LINEAR)
            mapping_axes(arena, atom->parts[i], axes);
        else
            add_axis(arena, axes, atom->others[i]);
    }
}

void mapping_axes(Arena *arena, const Mapping *mapping, AtomList *axes)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            atom_axes(arena, mapping->factors[i].term.atom, axes);
}

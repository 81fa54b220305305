// Tensors as functions from an index to a value: making, copying and drawing them.
#include "oracle/array.h"

#include "base/checked.h"
#include "base/heap.h"
#include "mapping/cell.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

// Cells of composites that are looked at to find out how far they reach.
enum { MOST_PROBES = 1 << 16, COPY_ELEMENTS = 4096 };

// More than any machine holds; not even asked for.
#define MOST_ELEMENTS (INT64_C(1) << 37)

// ---- which axes

static int by_term(const void *a, const void *b)
{
    const Term *x = a, *y = b;
    return compare_by(atom_compare(x->atom, y->atom), compare_i64(x->stride, y->stride));
}

Term term_part(const Term *term)
{
    const Atom *atom = term->atom;
    if (atom->kind != ATOM_BLOCK || !atom->inner->count || atom->inner->factors[0].is_padding)
        return *term;
    for (int64_t i = 1; i < atom->inner->count; i++)
        if (!atom->inner->factors[i].is_padding)
            return *term;
    return term_straight(&atom->inner->factors[0].term);
}

static bool ends_inside(const Term *part) // its axis
{
    return part->modulo < ceil_div(part->atom->size, part->stride);
}

Term term_straight(const Term *term)
{
    Term part = term_part(term);
    if (term->atom->kind == ATOM_AXIS || part.atom->kind != ATOM_AXIS)
        return *term;
    bool ends = ends_inside(&part);
    if (ends && part.modulo % term->stride)
        return *term;
    int64_t digits = ends ? part.modulo / term->stride : term->modulo;
    return (Term){part.atom, part.stride * term->stride, min_i64(term->modulo, digits)};
}

int64_t term_end(const Term *term, const Atom *axis)
{
    Term part = term_part(term);
    return part.atom->kind == ATOM_AXIS && ends_inside(&part) ? part.stride * part.modulo
                                                              : axis->size;
}

static bool is_straight(const Term *term)
{
    return term_straight(term).atom->kind == ATOM_AXIS;
}

// The axes of composites: of all, or of those that are not cut as an axis is.
static AtomList composite_axes(Arena *arena, const Mapping *normal, bool of_all)
{
    AtomList axes = {0};
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        if (!factor->is_padding && factor->term.atom->kind != ATOM_AXIS &&
            (of_all || !is_straight(&factor->term)))
            atom_axes(arena, factor->term.atom, &axes);
    }
    return axes;
}

static bool names_axis(Arena *arena, const Atom *atom, const Atom *axis)
{
    AtomList axes = {0};
    atom_axes(arena, atom, &axes);
    return atoms_have(&axes, axis);
}

// Where the composites of an axis end that are not cut as it is: the digits below are one piece,
// as which of them they reach is not looked into. All of it, where other terms go on from inside.
static int64_t tangle_end(Arena *arena, const Mapping *normal, const Atom *axis)
{
    int64_t end = 1;
    for (int64_t i = 0; i < normal->count; i++) {
        const Term *term = &normal->factors[i].term;
        if (!normal->factors[i].is_padding && !is_straight(term) &&
            names_axis(arena, term->atom, axis))
            end = max_i64(end, term_end(term, axis));
    }
    for (int64_t i = 0; i < normal->count; i++) {
        if (normal->factors[i].is_padding)
            continue;
        Term term = term_straight(&normal->factors[i].term);
        if (atom_equal(term.atom, axis) && term.stride % end &&
            saturating_mul(term.stride, term.modulo) > end)
            return axis->size;
    }
    return end;
}

// Its terms, those of composites that are cut as an axis is as terms of that. No padding, and
// nothing of what is tangled.
static Mapping straighten(Arena *arena, const Mapping *normal, const AtomList *tangled)
{
    FactorList list = {0};
    for (int64_t i = 0; i < normal->count; i++) {
        Factor factor = normal->factors[i];
        if (factor.is_padding)
            continue;
        factor.term = term_straight(&factor.term);
        const Atom *atom = factor.term.atom;
        int64_t room = max_i64(1, ceil_div(atom->size, factor.term.stride));
        factor.term.modulo = min_i64(factor.term.modulo, room);
        factor.resize = min_i64(factor.resize, room);
        bool is_outside =
            !atoms_have(tangled, atom) || factor.term.stride >= tangle_end(arena, normal, atom);
        if (factor.resize > 1 && atom->kind == ATOM_AXIS && is_outside)
            *array_push(arena, &list, Factor) = factor;
    }
    return mapping_from_factors(arena, list.items, list.count);
}

// What composites are made of counts in whole axes, or in what they are the beginning of; but for
// those that are cut as an axis is.
static TermList plain_axes(Arena *arena, const Mapping *normal)
{
    AtomList tangled = composite_axes(arena, normal, false);
    Mapping straight = straighten(arena, normal, &tangled);
    TermList terms = mapping_canonical_axes(arena, &straight), plain = {0};
    for (int64_t i = 0; i < tangled.count; i++)
        *array_push(arena, &plain, Term) =
            (Term){tangled.items[i], 1, tangle_end(arena, normal, tangled.items[i])};
    for (int64_t i = 0; i < terms.count; i++)
        *array_push(arena, &plain, Term) = terms.items[i];
    if (plain.count)
        qsort(plain.items, (size_t)plain.count, sizeof(Term), by_term);
    return plain;
}

// ---- how many digits of each are reached

static bool holds(const Term *axis, const Term *term)
{
    return atom_equal(axis->atom, term->atom) && term->stride >= axis->stride &&
           term->stride / axis->stride < axis->modulo;
}

// The highest digit of `axis` among the cells of composites, or its last one where there are many.
static int64_t reach_of_composites(Arena *arena, const Mapping *composites, const Term *axis)
{
    int64_t reach = 0, last = min_i64(axis->modulo, axis->atom->size) - 1;
    if (composites->size > MOST_PROBES)
        return last;
    for (int64_t at = 0; at < composites->size; at++) {
        ArenaMark mark = arena_mark(arena);
        Cell cell = mapping_cell(arena, composites, at);
        for (int64_t i = 0; i < cell.count; i++)
            reach = max_i64(reach, index_value(&cell.items[i], axis->atom) % axis->modulo);
        bool all = !cell.truncated;
        arena_reset(arena, mark);
        if (!all)
            return last;
    }
    return reach;
}

// The factors that decide about axes of composites.
static Mapping tangled_factors(Arena *arena, const Mapping *normal)
{
    AtomList tangled = composite_axes(arena, normal, true);
    FactorList list = {0};
    Mapping part = {.size = 1};
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        if (factor->is_padding ||
            (factor->term.atom->kind == ATOM_AXIS && !atoms_have(&tangled, factor->term.atom)))
            continue;
        *array_push(arena, &list, Factor) = *factor;
        part.size = saturating_mul(part.size, factor->resize);
    }
    part.factors = list.items;
    part.count = list.count;
    return part;
}

static int64_t extent_of_axis(Arena *arena, const Mapping *normal, const Term *axis)
{
    bool is_whole = axis->stride == 1 && axis->modulo >= axis->atom->size;
    int64_t last = 0;
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        if (factor->is_padding)
            continue;
        bool is_looked_into = is_whole || (axis->stride == 1 && !is_straight(&factor->term));
        if (is_looked_into && factor->term.atom->kind != ATOM_AXIS &&
            names_axis(arena, factor->term.atom, axis->atom)) {
            Mapping part = tangled_factors(arena, normal);
            return reach_of_composites(arena, &part, axis) + 1;
        }
        Term term = term_straight(&factor->term);
        if (holds(axis, &term))
            last += (factor->resize - 1) * (term.stride / axis->stride);
    }
    return min_i64(last + 1, min_i64(axis->modulo, ceil_div(axis->atom->size, axis->stride)));
}

// ---- arrays

static Array *array_with_axes(Scalar type, int64_t axis_count)
{
    Array *array = heap_zeroed(1, sizeof *array);
    size_t room = (size_t)max_i64(axis_count, 1);
    if (!array)
        return NULL;
    *array = (Array){.type = type,
                     .count = 1,
                     .axes = {.items = heap_zeroed(room, sizeof(Term))},
                     .extents = heap_zeroed(room, sizeof *array->extents),
                     .strides = heap_zeroed(room, sizeof *array->strides),
                     .atoms = heap_zeroed(room, sizeof *array->atoms)};
    array->axes.count = array->axes.capacity = axis_count;
    if (array->axes.items && array->extents && array->strides && array->atoms)
        return array;
    array_free(array);
    return NULL;
}

// The values, all uninitialised. What calloc gives is not touched before it is used.
static bool allocate_values(Array *array)
{
    size_t count = (size_t)array->count;
    if (array->count > MOST_ELEMENTS)
        return false;
    array->bits = heap_zeroed(count, sizeof *array->bits);
    array->live = heap_zeroed(count, sizeof *array->live);
    return array->bits && array->live;
}

static void set_axis(Array *array, int64_t i, Term axis, int64_t extent)
{
    array->atoms[i] = *axis.atom; // a declared axis: its name and size are all there is
    array->axes.items[i] = (Term){&array->atoms[i], axis.stride, axis.modulo};
    array->extents[i] = extent;
}

static bool set_strides(Array *array)
{
    for (int64_t i = array->axes.count - 1; i >= 0; i--) {
        array->strides[i] = array->count;
        if (!checked_mul(array->count, array->extents[i], &array->count))
            return false;
    }
    return true;
}

static Array *array_of_axes(Arena *scratch, Scalar type, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(scratch, mapping);
    TermList axes = plain_axes(scratch, &normal);
    int64_t *extents = arena_new(scratch, int64_t, (size_t)axes.count);
    for (int64_t i = 0; i < axes.count; i++)
        extents[i] = extent_of_axis(scratch, &normal, &axes.items[i]);
    Array *array = array_with_axes(type, axes.count);
    for (int64_t i = 0; array && i < axes.count; i++)
        set_axis(array, i, axes.items[i], extents[i]);
    if (array && set_strides(array) && allocate_values(array))
        return array;
    array_free(array);
    return NULL;
}

Array *array_new(Scalar type, const Mapping *mapping)
{
    jmp_buf no_memory;
    Arena scratch = {.on_oom = &no_memory};
    if (setjmp(no_memory)) {
        arena_release(&scratch);
        return NULL;
    }
    Array *array = array_of_axes(&scratch, type, mapping);
    arena_release(&scratch);
    return array;
}

// Only what holds values: memory that nobody touched stays untouched.
static void copy_values(const Array *array, Array *clone)
{
    for (int64_t at = 0; at < array->count; at += COPY_ELEMENTS) {
        size_t count = (size_t)min_i64(COPY_ELEMENTS, array->count - at);
        if (!memchr(array->live + at, 1, count))
            continue;
        memcpy(clone->bits + at, array->bits + at, count * sizeof *clone->bits);
        memcpy(clone->live + at, array->live + at, count);
    }
}

Array *array_clone(const Array *array)
{
    Array *clone = array_with_axes(array->type, array->axes.count);
    for (int64_t i = 0; clone && i < array->axes.count; i++)
        set_axis(clone, i, array->axes.items[i], array->extents[i]);
    if (!clone || !set_strides(clone) || !allocate_values(clone)) {
        array_free(clone);
        return NULL;
    }
    copy_values(array, clone);
    return clone;
}

void array_free(Array *array)
{
    if (!array)
        return;
    heap_free(array->axes.items);
    heap_free(array->extents);
    heap_free(array->strides);
    heap_free(array->atoms);
    heap_free(array->bits);
    heap_free(array->live);
    heap_free(array);
}

bool array_same_shape(const Array *a, const Array *b)
{
    if (a->axes.count != b->axes.count)
        return false;
    for (int64_t i = 0; i < a->axes.count; i++) {
        const Term *x = &a->axes.items[i], *y = &b->axes.items[i];
        if (!atom_equal(x->atom, y->atom) || x->stride != y->stride ||
            a->extents[i] != b->extents[i])
            return false;
    }
    return true;
}

// ---- random values

// Of an axis that the mapping cuts short (`A = 4`) the language draws for every digit, too; what
// has no room is dropped. More digits than this nobody could have drawn.
static const int64_t most_draws = INT64_C(1) << 30;

static bool counts_all(const Array *array)
{
    int64_t draws = 1;
    for (int64_t i = 0; i < array->axes.count; i++)
        if (!checked_mul(draws, array->axes.items[i].modulo, &draws) || draws > most_draws)
            return false;
    return true;
}

typedef struct {
    Array *array;
    SmallRng *rng;
    bool all; // digits that have no room are drawn, too
    const Canceller *who;
    int64_t left; // draws until they are asked
} Drawing;

// Draws `count` elements, each `stride` on; those from `room` on are lost.
static bool draw_run(Drawing *drawing, int64_t at, int64_t stride, int64_t count, int64_t room)
{
    Array *array = drawing->array;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        if (!scalar_random(drawing->rng, array->type, &bits))
            return false;
        if (i < room) {
            array->bits[at + i * stride] = bits;
            array->live[at + i * stride] = 1;
        }
    }
    return true;
}

// The digits of the innermost axis, in parts between which somebody may cancel.
static bool draw_row(Drawing *drawing, int64_t at, int64_t stride, int64_t count, int64_t room)
{
    enum { DRAWS_BETWEEN = 1 << 18 };
    for (int64_t i = 0, part; i < count; i += part) {
        if (!drawing->left) {
            if (canceller_asked(drawing->who))
                return false;
            drawing->left = DRAWS_BETWEEN;
        }
        part = min_i64(count - i, drawing->left);
        drawing->left -= part;
        if (!draw_run(drawing, at + i * stride, stride, part, room - i))
            return false;
    }
    return true;
}

// Axes `axis` and those inside it, for the elements from `at` on; without room the values are lost.
static bool draw(Drawing *drawing, int64_t axis, int64_t at, bool room)
{
    const Array *array = drawing->array;
    int64_t digits = drawing->all ? array->axes.items[axis].modulo : array->extents[axis];
    int64_t extent = room ? array->extents[axis] : 0;
    int64_t stride = array->strides[axis];
    if (axis + 1 == array->axes.count)
        return draw_row(drawing, at, stride, digits, extent);
    for (int64_t i = 0; i < digits; i++)
        if (!draw(drawing, axis + 1, at + i * stride, i < extent))
            return false;
    return true;
}

bool array_draw(Array *array, SmallRng *rng, const Canceller *who)
{
    Drawing drawing = {.array = array, .rng = rng, .all = counts_all(array), .who = who};
    return array->axes.count ? draw(&drawing, 0, 0, true) : draw_row(&drawing, 0, 1, 1, 1);
}

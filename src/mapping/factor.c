// Construction of factor lists. Everything passes through tidy_push, which keeps the invariant of
// mapping.h; for lists of axes only, that invariant is the normal form.
#include "mapping/mapping.h"

#include "base/checked.h"

#include <assert.h>
#include <string.h>

MappingBuilder mapping_build(Arena *arena)
{
    return (MappingBuilder){.arena = arena, .size = 1};
}

Mapping mapping_build_done(const MappingBuilder *builder)
{
    return (Mapping){builder->list.items, builder->list.count, builder->size};
}

static Factor *last_factor(MappingBuilder *builder)
{
    return builder->list.count ? &builder->list.items[builder->list.count - 1] : NULL;
}

void mapping_build_pad(MappingBuilder *builder, int64_t size, PaddingKind kind)
{
    assert(size >= builder->size);
    if (size == builder->size)
        return;
    Factor *last = last_factor(builder);
    if (last && last->is_padding && last->padding == kind)
        last->size = size;
    else
        *array_push(builder->arena, &builder->list, Factor) =
            (Factor){.is_padding = true, .size = size, .padding = kind};
    builder->size = size;
}

// Digits of an atom from `stride` up, the last one perhaps reaching beyond its end.
static int64_t digits_above(const Atom *atom, int64_t stride)
{
    return ceil_div(atom->size, stride);
}

// Whether `outer` goes on where `inner` ends. Then both are one term.
static bool is_continuation(const Factor *inner, const Factor *outer)
{
    int64_t next;
    return !inner->is_padding && checked_mul(inner->term.stride, inner->resize, &next) &&
           next == outer->term.stride && atom_equal(inner->term.atom, outer->term.atom);
}

static int64_t find_atom(const MappingBuilder *builder, const Atom *atom)
{
    for (int64_t i = 0; i < builder->list.count; i++) {
        const Factor *factor = &builder->list.items[i];
        if (!factor->is_padding && atom_equal(factor->term.atom, atom))
            return i;
    }
    return -1;
}

// A term of one position is nothing, but an atom with an origin must be named once.
static void push_unit(MappingBuilder *builder, const Atom *atom)
{
    if (atom_has_origin(atom) && find_atom(builder, atom) < 0)
        *array_push(builder->arena, &builder->list, Factor) =
            (Factor){.term = {atom, 1, atom->size}, .resize = 1};
}

// A longer term names its atom itself.
static void drop_unit(MappingBuilder *builder, const Atom *atom)
{
    int64_t at = atom_has_origin(atom) ? find_atom(builder, atom) : -1;
    if (at < 0 || builder->list.items[at].resize > 1)
        return;
    for (int64_t i = at + 1; i < builder->list.count; i++)
        builder->list.items[i - 1] = builder->list.items[i];
    builder->list.count--;
}

// Adds a term outside everything so far and keeps the list tidy: a term that goes on where the last
// one ends becomes one with it, digits beyond the end of the atom become padding, and a composite
// of which all positions are there dissolves into what it is made of. `resize` digits take `resize`
// times the positions so far, whatever becomes of them.
static void push_term(MappingBuilder *builder, Term term, int64_t resize)
{
    assert(resize >= 1 && term.stride >= 1);
    if (resize > 1)
        drop_unit(builder, term.atom);
    int64_t size = builder->size * resize;
    Factor factor = {.term = term, .resize = resize};
    Factor *last = last_factor(builder);
    if (resize > 1 && last && is_continuation(last, &factor)) {
        factor.term.stride = last->term.stride;
        factor.term.modulo = saturating_mul(last->resize, factor.term.modulo); // cut below
        factor.resize = last->resize * resize;
        builder->list.count--;
        builder->size /= last->resize;
    }
    // Digits beyond the atom's end can only be padding, whatever else is added to the atom.
    int64_t above = digits_above(term.atom, factor.term.stride);
    factor.term.modulo = min_i64(factor.term.modulo, above);
    factor.resize = min_i64(factor.resize, factor.term.modulo);
    bool whole = factor.term.stride == 1 && factor.resize == factor.term.atom->size;
    if (whole && factor.term.atom->kind == ATOM_BLOCK) {
        mapping_build_add(builder, factor.term.atom->inner); // nothing of it is elsewhere
    } else if (factor.resize > 1) {
        *array_push(builder->arena, &builder->list, Factor) = factor;
        builder->size *= factor.resize;
    } else {
        push_unit(builder, term.atom);
    }
    mapping_build_pad(builder, size, PADDING_TOP);
}

// Appends a factor of a mapping whose positions each stand for `scale` positions here.
static void push_scaled(MappingBuilder *builder, const Factor *factor, int64_t scale)
{
    if (factor->is_padding)
        mapping_build_pad(builder, factor->size * scale, factor->padding);
    else
        push_term(builder, factor->term, factor->resize);
}

void mapping_build_add(MappingBuilder *builder, const Mapping *outer)
{
    int64_t scale = builder->size;
    for (int64_t i = 0; i < outer->count; i++)
        push_scaled(builder, &outer->factors[i], scale);
}

void mapping_build_factor(MappingBuilder *builder, const Factor *factor)
{
    push_scaled(builder, factor, 1);
}

Mapping mapping_identity(void)
{
    return (Mapping){.size = 1};
}

Mapping mapping_of_term(Arena *arena, Term term, int64_t resize)
{
    MappingBuilder builder = mapping_build(arena);
    push_term(&builder, term, resize);
    return mapping_build_done(&builder);
}

Mapping mapping_of_atom(Arena *arena, const Atom *atom)
{
    return mapping_of_term(arena, (Term){atom, 1, atom->size}, atom->size);
}

Mapping mapping_from_factors(Arena *arena, const Factor *factors, int64_t count)
{
    MappingBuilder builder = mapping_build(arena);
    for (int64_t i = 0; i < count; i++)
        mapping_build_factor(&builder, &factors[i]);
    return mapping_build_done(&builder);
}

Mapping mapping_pair(Arena *arena, const Mapping *outer, const Mapping *inner)
{
    MappingBuilder builder = mapping_build(arena);
    mapping_build_add(&builder, inner);
    mapping_build_add(&builder, outer);
    return mapping_build_done(&builder);
}

Mapping mapping_pad(Arena *arena, const Mapping *mapping, int64_t size, PaddingKind kind)
{
    MappingBuilder builder = mapping_build(arena);
    mapping_build_add(&builder, mapping);
    mapping_build_pad(&builder, size, kind);
    return mapping_build_done(&builder);
}

Mapping mapping_strip(const Mapping *mapping)
{
    Mapping result = *mapping;
    while (result.count && result.factors[result.count - 1].is_padding)
        result.count--;
    if (result.count < mapping->count)
        result.size = mapping_recount(&result);
    return result;
}

int64_t mapping_block(const Mapping *mapping, int64_t index)
{
    int64_t product = 1;
    while (index-- > 0) {
        if (mapping->factors[index].is_padding)
            return product * mapping->factors[index].size;
        product *= mapping->factors[index].resize;
    }
    return product;
}

int64_t mapping_recount(const Mapping *mapping)
{
    return mapping_block(mapping, mapping->count);
}

bool mapping_has_terms(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            return true;
    return false;
}

bool mapping_prefix(Arena *arena, const Mapping *mapping, int64_t size, Mapping *result)
{
    MappingBuilder builder = mapping_build(arena);
    assert(mapping->factors || mapping->count == 0);
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (builder.size >= size) { // the digits beyond are 0
            if (!factor->is_padding)
                push_term(&builder, factor->term, 1);
            continue;
        }
        if (factor->is_padding) {
            mapping_build_pad(&builder, min_i64(factor->size, size), factor->padding);
            continue;
        }
        int64_t digits = min_i64(factor->resize, ceil_div(size, builder.size));
        push_term(&builder, factor->term, digits);
    }
    *result = mapping_build_done(&builder);
    return result->size == size;
}

Mapping mapping_resize(Arena *arena, const Mapping *mapping, int64_t size)
{
    Mapping start;
    if (size >= mapping->size)
        return mapping_pad(arena, mapping, size, PADDING_TOP);
    const Factor *only = mapping->count == 1 ? mapping->factors : NULL;
    bool shortened = only && !only->is_padding && only->term.atom->kind == ATOM_BLOCK &&
                     only->term.stride == 1 && only->term.modulo == only->term.atom->size;
    if (shortened) // already the start of something
        return mapping_resize(arena, only->term.atom->inner, size);
    if (mapping_prefix(arena, mapping, size, &start))
        return start;
    return mapping_of_term(arena, (Term){atom_block(arena, &start), 1, start.size}, size);
}

// Cuts a mapping of one term (and perhaps padding outside it) at `at` positions. The last outer
// digit may be partial only when what it lacks lies beyond the end of the atom, and padding
// outside the term makes room for it. Padding after a term that ends inside its atom must stay with
// both parts: in `A % 24 # 32` position 24 is padding, but the digits 16 and 8 add up to A = 24.
static bool split_term(Arena *arena, const Mapping *mapping, int64_t at, Mapping *outer,
                       Mapping *inner)
{
    if (mapping->count == 0 || mapping->factors[0].is_padding)
        return false;
    const Factor *factor = &mapping->factors[0];
    const Term *term = &factor->term;
    bool even = factor->resize % at == 0 || at >= factor->resize;
    bool whole = digits_above(term->atom, term->stride) == factor->resize;
    bool padded = mapping->size > factor->resize && at < factor->resize;
    if (!whole && (!even || padded))
        return false;
    int64_t stride;
    if (!checked_mul(term->stride, at, &stride))
        stride = term->atom->size; // beyond the end: no digit is left
    Term low = {term->atom, term->stride, min_i64(at, term->modulo)};
    Term high = {term->atom, stride, ceil_div(term->modulo, at)};
    Mapping low_part = mapping_of_term(arena, low, min_i64(at, factor->resize));
    *inner = mapping_pad(arena, &low_part, at, PADDING_TOP);
    Mapping high_part = mapping_of_term(arena, high, ceil_div(factor->resize, at));
    *outer = mapping_pad(arena, &high_part, mapping->size / at, PADDING_TOP);
    return true;
}

void mapping_split(Arena *arena, const Mapping *mapping, int64_t at, Mapping *outer, Mapping *inner)
{
    assert(at >= 1 && mapping->size % at == 0);
    if (at == 1 || at == mapping->size) {
        Mapping first = mapping_resize(arena, mapping, 1);
        *inner = at == 1 ? first : *mapping;
        *outer = at == 1 ? *mapping : first;
        return;
    }
    Mapping core = mapping_strip(mapping);
    if (core.count == 0) {
        Mapping nothing = mapping_identity();
        *inner = mapping_pad(arena, &nothing, at, PADDING_TOP);
        *outer = mapping_pad(arena, &nothing, mapping->size / at, PADDING_TOP);
        return;
    }
    if (core.count == 1 && split_term(arena, mapping, at, outer, inner))
        return;
    const Atom *block = atom_block(arena, &core);
    *inner = mapping_of_term(arena, (Term){block, 1, at}, at);
    *outer = mapping_of_term(arena, (Term){block, at, mapping->size / at}, mapping->size / at);
}

const Atom *atom_axis(Arena *arena, const char *name, int64_t size)
{
    return atom_axis_declared(arena, name, size, SPAN_NOWHERE);
}

const Atom *atom_axis_declared(Arena *arena, const char *name, int64_t size, Span declared)
{
    Atom *atom = arena_new(arena, Atom, 1);
    *atom = (Atom){.kind = ATOM_AXIS, .name = name, .size = size, .declared = declared};
    return atom;
}

const Atom *atom_block(Arena *arena, const Mapping *inner)
{
    Atom *atom = arena_new(arena, Atom, 1);
    Mapping *copy = arena_new(arena, Mapping, 1);
    *copy = *inner;
    *atom = (Atom){.kind = ATOM_BLOCK, .inner = copy, .size = inner->size};
    return atom;
}

bool mapping_has_origin(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && atom_has_origin(mapping->factors[i].term.atom))
            return true;
    return false;
}

bool atom_has_origin(const Atom *atom)
{
    switch (atom->kind) {
    case ATOM_AXIS:
        return false;
    case ATOM_SHIFT:
    case ATOM_SKEW:
        return true;
    case ATOM_BLOCK:
        return mapping_has_origin(atom->inner);
    case ATOM_LIST:
        return atom->offsets[0] != 0 || mapping_has_origin(atom->inner);
    case ATOM_LINEAR:
        for (int64_t i = 0; i < atom->part_count; i++)
            if (mapping_has_origin(atom->parts[i]))
                return true;
        return false;
    }
    return false;
}

static bool same_parts(const Atom *a, const Atom *b)
{
    if (a->part_count != b->part_count)
        return false;
    for (int64_t i = 0; i < a->part_count; i++)
        if (a->weights[i] != b->weights[i] || !mapping_same(a->parts[i], b->parts[i]))
            return false;
    return true;
}

static bool same_skew(const Atom *a, const Atom *b)
{
    if (a->part_count != b->part_count || !atom_equal(a->base, b->base))
        return false;
    for (int64_t i = 0; i < a->part_count; i++)
        if (!atom_equal(a->others[i], b->others[i]))
            return false;
    return true;
}

bool atom_equal(const Atom *a, const Atom *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind || a->size != b->size)
        return false;
    switch (a->kind) {
    case ATOM_AXIS:
        return a->name == b->name || strcmp(a->name, b->name) == 0;
    case ATOM_BLOCK:
        return mapping_same(a->inner, b->inner);
    case ATOM_SHIFT:
        return a->shift == b->shift && mapping_same(a->inner, b->inner);
    case ATOM_LIST:
        return memcmp(a->offsets, b->offsets, sizeof *a->offsets * (size_t)a->size) == 0 &&
               mapping_same(a->inner, b->inner);
    case ATOM_LINEAR:
        return same_parts(a, b);
    case ATOM_SKEW:
        return same_skew(a, b);
    }
    return false;
}

bool mapping_same(const Mapping *a, const Mapping *b)
{
    if (a->size != b->size || a->count != b->count)
        return false;
    for (int64_t i = 0; i < a->count; i++) {
        const Factor *x = &a->factors[i], *y = &b->factors[i];
        if (x->is_padding != y->is_padding)
            return false;
        if (x->is_padding && (x->size != y->size || x->padding != y->padding))
            return false;
        if (!x->is_padding && (x->resize != y->resize || x->term.stride != y->term.stride ||
                               !atom_equal(x->term.atom, y->term.atom)))
            return false;
    }
    return true;
}

int atom_compare(const Atom *a, const Atom *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    int names = a->name && b->name ? strcmp(a->name, b->name) : 0;
    if (names)
        return names;
    return (a->size > b->size) - (a->size < b->size);
}

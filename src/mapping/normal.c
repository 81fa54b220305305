// The normal form. A block is what a split left whole; it dissolves into the factors it is made of
// wherever its digits begin and end at places where those factors do, for then nothing carries
// from one part to the other. What is left of blocks afterwards is cut across its factors or its
// padding; only what is inside it has a simpler form.
//
// The rewriting ends: each step replaces a block by factors that are strictly inside it, or does so
// inside a block.
#include "mapping/mapping.h"

#include "base/checked.h"

#include <assert.h>

// Cuts a term whose digits each hold `block` positions above `digits` of them. A last digit may be
// partial only when what it lacks lies beyond the end of the atom, and padding makes room for it.
static bool cut_term(const Mapping *mapping, int64_t index, int64_t digits, Factor *inner,
                     Factor *outer)
{
    *inner = *outer = mapping->factors[index];
    bool padded = index + 1 < mapping->count && mapping->factors[index + 1].is_padding;
    bool whole = ceil_div(inner->term.atom->size, inner->term.stride) == inner->resize;
    if (inner->resize % digits && !(padded && whole))
        return false;
    inner->resize = inner->term.modulo = digits;
    outer->resize = ceil_div(outer->resize, digits);
    outer->term.modulo = ceil_div(outer->term.modulo, digits);
    outer->term.stride *= digits; // still inside the atom: resize > digits
    return true;
}

// Factors inside `at` positions stay below, those outside count in steps of `at`; a term that ends
// on neither side is cut.
bool mapping_cut(Arena *arena, const Mapping *mapping, int64_t at, Mapping *outer, Mapping *inner)
{
    MappingBuilder low = mapping_build(arena), high = mapping_build(arena);
    int64_t block = 1, size;
    if (!checked_round_up(mapping->size, at, &size))
        return false;
    Mapping padded = mapping_pad(arena, mapping, size, PADDING_TOP);
    for (int64_t i = 0; i < padded.count; i++) {
        Factor factor = padded.factors[i], below;
        int64_t next = factor.is_padding ? factor.size : block * factor.resize;
        bool starts_inside = block < at || (factor.is_padding && next <= at);
        if (starts_inside && next <= at) {
            mapping_build_factor(&low, &factor);
        } else if (starts_inside && !factor.is_padding) {
            if (at % block || !cut_term(&padded, i, at / block, &below, &factor))
                return false;
            mapping_build_factor(&low, &below);
            mapping_build_factor(&high, &factor);
        } else {
            if (factor.is_padding && factor.size % at)
                return false;
            factor.size /= at;
            mapping_build_factor(&high, &factor);
        }
        block = next;
    }
    mapping_build_pad(&low, at, PADDING_TOP);
    *inner = mapping_build_done(&low);
    *outer = mapping_build_done(&high);
    return true;
}

int64_t mapping_place_below(Arena *arena, const Mapping *mapping, int64_t at)
{
    int64_t best = 1, block = 1;
    Mapping outer, inner;
    assert(at >= 1);
    for (int64_t i = 0; i < mapping->count && block >= 1 && block <= at && at % block == 0; i++) {
        const Factor *factor = &mapping->factors[i];
        int64_t place = factor->is_padding ? block : block * gcd_i64(at / block, factor->resize);
        if (place > best && mapping_cut(arena, mapping, place, &outer, &inner))
            best = place;
        block = factor->is_padding ? factor->size : block * factor->resize;
    }
    return best;
}

// The smallest multiple of `at` where factors end; the size, if there is none.
static int64_t place_above(Arena *arena, const Mapping *mapping, int64_t at)
{
    int64_t block = 1;
    Mapping outer, inner;
    assert(at >= 1);
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        int64_t next = factor->is_padding ? factor->size : block * factor->resize;
        assert(block >= 1 && next >= block);
        int64_t digits = at / gcd_i64(at, block); // the least that makes a multiple of `at`
        bool inside = !factor->is_padding && factor->resize % digits == 0;
        int64_t place = inside ? block * digits : next;
        if (place % at == 0 && mapping_cut(arena, mapping, place, &outer, &inner))
            return place;
        block = next;
    }
    return mapping->size;
}

void mapping_hull(Arena *arena, const Mapping *mapping, int64_t *low, int64_t *high)
{
    *low = mapping_place_below(arena, mapping, *low);
    *high = place_above(arena, mapping, min_i64(*high, mapping->size));
}

// The digits of a block that a term takes, as factors. Both ends of all its digits count, not only
// of those that are left after a resize: other terms of the block go on where they end.
static bool dissolve(Arena *arena, const Factor *factor, Mapping *result)
{
    const Atom *block = factor->term.atom;
    Mapping above = *block->inner, rest;
    int64_t digits = factor->term.modulo;
    if (factor->term.stride == 1 && digits == block->size) {
        // its first positions are those of what it is made of, if need be of less of that
        *result = mapping_resize(arena, &above, factor->resize);
        bool same = result->count == 1 && !result->factors[0].is_padding &&
                    atom_equal(result->factors[0].term.atom, block);
        return !same;
    }
    if (mapping_has_origin(&above))
        return false;
    if (factor->term.stride > 1 && !mapping_cut(arena, &above, factor->term.stride, &above, &rest))
        return false;
    if (digits < above.size && !mapping_cut(arena, &above, digits, &rest, &above))
        return false;
    return mapping_prefix(arena, &above, min_i64(factor->resize, above.size), result);
}

static bool contains_atom(const Atom *whole, const Atom *atom);

static bool mapping_contains(const Mapping *mapping, const Atom *atom)
{
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (!factor->is_padding && contains_atom(factor->term.atom, atom))
            return true;
    }
    return false;
}

static bool contains_atom(const Atom *whole, const Atom *atom)
{
    if (atom_equal(whole, atom) || (whole->inner && mapping_contains(whole->inner, atom)))
        return true;
    for (int64_t i = 0; whole->kind == ATOM_LINEAR && i < whole->part_count; i++)
        if (mapping_contains(whole->parts[i], atom))
            return true;
    return false;
}

// Whether a sum of a term with a term of `mapping` other than itself can carry into or out of its
// digits: then they meet in the atom, and it must stay.
static bool meets(const Term *term, const Mapping *mapping)
{
    int64_t end = saturating_mul(term->stride, term->modulo);
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *other = &mapping->factors[i];
        if (&other->term == term || other->is_padding ||
            !contains_atom(other->term.atom, term->atom))
            continue;
        if (!atom_equal(other->term.atom, term->atom))
            return true; // which of its digits come from there is not looked into
        bool below = saturating_mul(other->term.stride, other->term.modulo) <= term->stride;
        bool above = other->term.stride % end == 0;
        if (!below && !above)
            return true;
    }
    return false;
}

static bool is_block(const Factor *factor)
{
    return !factor->is_padding && factor->term.atom->kind == ATOM_BLOCK;
}

static Mapping normalise_beside(Arena *arena, const Mapping *mapping, const Mapping *beside);

static Mapping dissolve_all(Arena *arena, const Mapping *mapping, const Mapping *beside,
                            bool *changed)
{
    MappingBuilder builder = mapping_build(arena);
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        Mapping part;
        if (is_block(factor) && !meets(&factor->term, mapping) && !meets(&factor->term, beside) &&
            dissolve(arena, factor, &part)) {
            mapping_build_add(&builder, &part);
            *changed = true;
        } else {
            mapping_build_factor(&builder, factor);
        }
    }
    return mapping_build_done(&builder);
}

// The normal form inside a block that stays. Other terms of the block in `mapping` are sums with
// this one in the block, and become simpler as it does; all other terms may meet what is inside it.
static const Atom *simpler_inside(Arena *arena, const Atom *block, const Mapping *mapping,
                                  const Mapping *beside)
{
    FactorList list = {0};
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && !atom_equal(mapping->factors[i].term.atom, block))
            *array_push(arena, &list, Factor) = mapping->factors[i];
    for (int64_t i = 0; i < beside->count; i++)
        *array_push(arena, &list, Factor) = beside->factors[i];
    Mapping others = {.factors = list.items, .count = list.count};
    Mapping inner = normalise_beside(arena, block->inner, &others);
    return mapping_same(&inner, block->inner) ? block : atom_block(arena, &inner);
}

// Blocks that stay, simpler inside. Only once no other dissolves: what a term of the same block
// dissolves into may meet what is inside it.
static Mapping simplify_inside(Arena *arena, const Mapping *mapping, const Mapping *beside,
                               bool *changed)
{
    MappingBuilder builder = mapping_build(arena);
    bool any = false;
    for (int64_t i = 0; i < mapping->count; i++)
        any |= is_block(&mapping->factors[i]);
    if (!any)
        return *mapping;
    for (int64_t i = 0; i < mapping->count; i++) {
        Factor factor = mapping->factors[i];
        if (is_block(&factor)) {
            factor.term.atom = simpler_inside(arena, factor.term.atom, mapping, beside);
            *changed |= factor.term.atom != mapping->factors[i].term.atom;
        }
        mapping_build_factor(&builder, &factor);
    }
    return mapping_build_done(&builder);
}

// `beside`: the factors of the other parts that are added to this mapping.
static Mapping normalise_beside(Arena *arena, const Mapping *mapping, const Mapping *beside)
{
    Mapping result = *mapping;
    for (bool changed = true; changed;) {
        changed = false;
        result = dissolve_all(arena, &result, beside, &changed);
        if (!changed)
            result = simplify_inside(arena, &result, beside, &changed);
    }
    return result;
}

Mapping mapping_normalise_part(Arena *arena, const Mapping *parts, int64_t count, int64_t which)
{
    FactorList list = {0};
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; i != which && k < parts[i].count; k++)
            *array_push(arena, &list, Factor) = parts[i].factors[k];
    Mapping beside = {.factors = list.items, .count = list.count};
    return normalise_beside(arena, &parts[which], &beside);
}

Mapping mapping_normalise(Arena *arena, const Mapping *mapping)
{
    return mapping_normalise_part(arena, mapping, 1, 0);
}

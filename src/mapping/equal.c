// Equality of mappings: size and all cells agree.
//
// For mappings of axes alone the normal form is canonical. Read the cells from position 0 up: the
// first live position gives the innermost factor's axis and stride, the run of its multiples its
// resize, the next live position the size of everything inside the next factor, and so on; every
// position that begins a digit is live, because digits alone never leave their axis and no part of
// an axis is given twice. So equal cells mean equal factors. Whatever else can be written (blocks
// cut across their padding, shifts, lists, linear combinations, skews, parts given twice) is
// compared as a relation between integers, which is slower and just as exact.
#include "mapping/cell.h"

#include "base/checked.h"

// Cells compared one by one before the slow way: most different mappings differ early.
enum { PROBES = 48 };

static bool is_plain(Arena *arena, const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && mapping->factors[i].term.atom->kind != ATOM_AXIS)
            return false;
    return !mapping_has_overlap(arena, mapping);
}

static bool same_cell(Arena *arena, const Mapping *a, const Mapping *b, int64_t at)
{
    ArenaMark mark = arena_mark(arena);
    Cell left = mapping_cell(arena, a, at), right = mapping_cell(arena, b, at);
    bool same = left.truncated || right.truncated || cell_equal(&left, &right);
    arena_reset(arena, mark);
    return same;
}

// The first positions, and positions spread over the rest by a stride that shares no small factor
// with usual sizes.
static bool probes_agree(Arena *arena, const Mapping *a, const Mapping *b)
{
    int64_t step = a->size / PROBES | 1;
    for (int64_t i = 0; i < PROBES; i++) {
        if (i < a->size && !same_cell(arena, a, b, i))
            return false;
        if (!same_cell(arena, a, b, (int64_t)((uint64_t)i * (uint64_t)step % (uint64_t)a->size)))
            return false;
    }
    return same_cell(arena, a, b, a->size - 1);
}

// The normal form with holes as ordinary padding: neither holds anything.
static Mapping without_holes(Arena *arena, const Mapping *mapping)
{
    MappingBuilder builder = mapping_build(arena);
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding) {
            mapping_build_pad(&builder, factor->size, PADDING_TOP);
            continue;
        }
        Mapping term = mapping_of_term(arena, factor->term, factor->resize);
        mapping_build_add(&builder, &term);
    }
    Mapping result = mapping_build_done(&builder);
    return mapping_normalise(arena, &result);
}

MappingEquality mapping_equal(Arena *arena, const Mapping *a, const Mapping *b)
{
    if (a->size != b->size)
        return MAPPINGS_DIFFER;
    Mapping left = without_holes(arena, a), right = without_holes(arena, b);
    if (mapping_same(&left, &right))
        return MAPPINGS_EQUAL;
    if (is_plain(arena, &left) && is_plain(arena, &right))
        return MAPPINGS_DIFFER;
    if (!probes_agree(arena, &left, &right))
        return MAPPINGS_DIFFER;
    return mapping_equal_exact(arena, &left, &right, NULL);
}

MappingEquality mapping_is_prefix(Arena *arena, const Mapping *prefix, const Mapping *whole)
{
    Mapping start = mapping_resize(arena, whole, prefix->size);
    return mapping_equal(arena, prefix, &start);
}

bool mapping_find_difference(Arena *arena, const Mapping *a, const Mapping *b, int64_t *position)
{
    int64_t shared = min_i64(a->size, b->size);
    *position = shared;
    for (int64_t i = 0; i < min_i64(shared, PROBES); i++) {
        *position = i;
        if (!same_cell(arena, a, b, i))
            return true;
    }
    *position = shared;
    Mapping left = mapping_resize(arena, a, shared), right = mapping_resize(arena, b, shared);
    MappingEquality equality = mapping_equal_exact(arena, &left, &right, position);
    return equality == MAPPINGS_DIFFER || (equality == MAPPINGS_EQUAL && a->size != b->size);
}

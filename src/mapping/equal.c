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

// Cells compared one by one before isl is asked: most different mappings differ early. The cells of
// a small mapping are all compared, since even a small relation can take isl minutes.
enum { PROBES = 48, MOST_CELLS = 4096 };

static bool is_plain(Arena *arena, const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding && mapping->factors[i].term.atom->kind != ATOM_AXIS)
            return false;
    return !mapping_has_overlap(arena, mapping);
}

// A cell with too many indices to list them decides nothing.
static MappingEquality compare_cells(Arena *arena, const Mapping *a, const Mapping *b, int64_t at)
{
    ArenaMark mark = arena_mark(arena);
    Cell left = mapping_cell(arena, a, at), right = mapping_cell(arena, b, at);
    MappingEquality result = left.truncated || right.truncated ? MAPPINGS_UNDECIDED
                             : cell_equal(&left, &right)       ? MAPPINGS_EQUAL
                                                               : MAPPINGS_DIFFER;
    arena_reset(arena, mark);
    return result;
}

// Compares the first `count` cells, up to one that differs, which is stored in *position.
static MappingEquality compare_first(Arena *arena, const Mapping *a, const Mapping *b,
                                     int64_t count, int64_t *position)
{
    MappingEquality result = MAPPINGS_EQUAL;
    for (*position = 0; *position < count; ++*position) {
        MappingEquality here = compare_cells(arena, a, b, *position);
        if (here == MAPPINGS_DIFFER)
            return here;
        if (here == MAPPINGS_UNDECIDED)
            result = here;
    }
    return result;
}

// Of two mappings of one size: all cells of small ones; of others the first, and cells spread over
// the rest by a stride that shares no small factor with usual sizes.
static MappingEquality probe(Arena *arena, const Mapping *a, const Mapping *b)
{
    int64_t position, step = a->size / PROBES | 1;
    if (a->size <= MOST_CELLS)
        return compare_first(arena, a, b, a->size, &position);
    if (compare_first(arena, a, b, PROBES, &position) == MAPPINGS_DIFFER ||
        compare_cells(arena, a, b, a->size - 1) == MAPPINGS_DIFFER)
        return MAPPINGS_DIFFER;
    for (int64_t i = 0; i < PROBES; i++) {
        int64_t at = (int64_t)((uint64_t)i * (uint64_t)step % (uint64_t)a->size);
        if (compare_cells(arena, a, b, at) == MAPPINGS_DIFFER)
            return MAPPINGS_DIFFER;
    }
    return MAPPINGS_UNDECIDED;
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
    MappingEquality probed = probe(arena, &left, &right);
    return probed == MAPPINGS_UNDECIDED ? mapping_equal_exact(arena, &left, &right, NULL) : probed;
}

MappingEquality mapping_is_prefix(Arena *arena, const Mapping *prefix, const Mapping *whole)
{
    Mapping start = mapping_resize(arena, whole, prefix->size);
    return mapping_equal(arena, prefix, &start);
}

bool mapping_find_difference(Arena *arena, const Mapping *a, const Mapping *b, int64_t *position)
{
    int64_t shared = min_i64(a->size, b->size);
    int64_t probes = shared <= MOST_CELLS ? shared : PROBES;
    MappingEquality first = compare_first(arena, a, b, probes, position);
    if (first == MAPPINGS_DIFFER)
        return true;
    *position = shared;
    if (first == MAPPINGS_EQUAL && probes == shared)
        return a->size != b->size;
    Mapping left = mapping_resize(arena, a, shared), right = mapping_resize(arena, b, shared);
    MappingEquality equality = mapping_equal_exact(arena, &left, &right, position);
    return equality == MAPPINGS_DIFFER || (equality == MAPPINGS_EQUAL && a->size != b->size);
}

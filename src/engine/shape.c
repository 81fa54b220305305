#include "engine/shape.h"

#include "base/checked.h"
#include "mapping/cell.h"

#include <string.h>

// Rules pad a packet to whole flits and put a part of one level beside another; both stay far below
// this factor.
enum { HEADROOM = 1 << 12 };

bool shape_is_small(const Dim *const dims[LEVEL_COUNT])
{
    int64_t size;
    return shape_size(dims, &size) && size <= INT64_MAX / HEADROOM;
}

Mapping shape_strip(Arena *arena, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    return mapping_strip(&normal);
}

bool shape_pad(Arena *arena, const Mapping *mapping, int64_t size, Mapping *padded)
{
    Mapping core = shape_strip(arena, mapping);
    if (core.size > size)
        return false;
    *padded = mapping_pad(arena, &core, size, PADDING_TOP);
    return true;
}

Mapping shape_outer(Arena *arena, const Mapping *mapping, int64_t at)
{
    Mapping outer, inner;
    mapping_split(arena, mapping, at, &outer, &inner);
    return outer;
}

Mapping shape_inner(Arena *arena, const Mapping *mapping, int64_t at)
{
    Mapping outer, inner;
    mapping_split(arena, mapping, at, &outer, &inner);
    return inner;
}

Mapping shape_part(Arena *arena, const Mapping *mapping, int64_t at, int64_t size)
{
    Mapping outer = shape_outer(arena, mapping, at);
    return shape_inner(arena, &outer, size);
}

bool shape_equal(Arena *arena, const Mapping *a, const Mapping *b)
{
    return mapping_equal(arena, a, b) == MAPPINGS_EQUAL;
}

static Mapping with_packet(Arena *arena, const Dim *const dims[LEVEL_COUNT], const Mapping *time,
                           const Mapping *packet)
{
    const Dim time_dim = {.mapping = *time}, packet_dim = {.mapping = *packet};
    const Dim *all[LEVEL_COUNT];
    memcpy(all, dims, sizeof all);
    all[LEVEL_TIME] = &time_dim;
    all[LEVEL_PACKET] = &packet_dim;
    return shape_of(arena, all);
}

bool shape_equal_packet(Arena *arena, const Dim *const dims[LEVEL_COUNT], const Mapping *time,
                        const Mapping *packet, const Mapping *time2, const Mapping *packet2,
                        Mapping *wanted, Mapping *found)
{
    *wanted = with_packet(arena, dims, time, packet);
    *found = with_packet(arena, dims, time2, packet2);
    return shape_equal(arena, packet, packet2) &&
           mapping_equal(arena, wanted, found) != MAPPINGS_DIFFER;
}

bool shape_equal_stripped(Arena *arena, const Mapping *a, const Mapping *b)
{
    Mapping left = shape_strip(arena, a), right = shape_strip(arena, b);
    return shape_equal(arena, &left, &right);
}

// The last block of the axis is not full.
static bool is_ragged(const Term *term)
{
    int64_t block;
    return !checked_mul(term->stride, term->modulo, &block) || term->atom->size % block != 0;
}

bool shape_is_padded(Arena *arena, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    for (int64_t i = 0; i < normal.count; i++)
        if (normal.factors[i].is_padding || is_ragged(&normal.factors[i].term))
            return true;
    return false;
}

PlacedTerms shape_terms(Arena *arena, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    PlacedTerms terms = {0};
    int64_t inside = 1;
    for (int64_t i = 0; i < normal.count; i++) {
        const Factor *factor = &normal.factors[i];
        if (factor->is_padding) {
            bool outside = i > 0 && !normal.factors[i - 1].is_padding;
            if (outside && factor->padding == PADDING_TOP)
                terms.items[terms.count - 1].extent =
                    factor->size / terms.items[terms.count - 1].stride;
            inside = factor->size;
            continue;
        }
        *array_push(arena, &terms, PlacedTerm) = (PlacedTerm){
            .term = factor->term,
            .resize = factor->resize,
            .stride = inside,
            .extent = factor->resize,
        };
        inside *= factor->resize;
    }
    return terms;
}

int64_t shape_extent(const PlacedTerms *terms, int64_t stride, int64_t size)
{
    for (int64_t i = 0; i < terms->count; i++) {
        const PlacedTerm *term = &terms->items[i];
        int64_t end = term->stride * term->resize;
        if (stride >= term->stride && stride < end && stride * size >= end)
            return term->stride * term->extent / stride;
    }
    return size;
}

int64_t shape_disorder(const Division *division)
{
    for (int64_t i = 1; i < division->found; i++)
        if (division->matches.items[i].divisor_stride >=
            division->matches.items[i - 1].divisor_stride)
            return i;
    return -1;
}

AtomList shape_axes(Arena *arena, const Mapping *mapping)
{
    Mapping normal = mapping_normalise(arena, mapping);
    AtomList axes = {0};
    mapping_axes(arena, &normal, &axes);
    return axes;
}

bool shape_names(const AtomList *axes, const char *name)
{
    for (int64_t i = 0; i < axes->count; i++)
        if (strcmp(axes->items[i]->name, name) == 0)
            return true;
    return false;
}

Mapping shape_without(Arena *arena, const Mapping *mapping, const AtomList *axes)
{
    PlacedTerms terms = shape_terms(arena, mapping);
    Mapping kept = mapping_identity();
    for (int64_t i = 0; i < terms.count; i++) {
        const PlacedTerm *each = &terms.items[i];
        const Atom *atom = each->term.atom;
        if (atom->kind == ATOM_AXIS && shape_names(axes, atom->name))
            continue;
        Mapping term = mapping_of_term(arena, each->term, each->resize);
        term = mapping_pad(arena, &term, each->extent, PADDING_TOP);
        kept = mapping_pair(arena, &term, &kept);
    }
    return kept;
}

Str shape_term_text(Arena *arena, const Term *term, int64_t resize)
{
    StrBuf text = {.arena = arena};
    term_print(&text, term, resize);
    return buf_str(&text);
}

bool shape_shares_axis(Arena *arena, const Mapping *a, const Mapping *b)
{
    AtomList left = shape_axes(arena, a), right = shape_axes(arena, b);
    for (int64_t i = 0; i < left.count; i++)
        if (shape_names(&right, left.items[i]->name))
            return true;
    return false;
}

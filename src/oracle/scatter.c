// Scatter on arrays: rows of one go to the places in another that an index names.
#include "oracle/array.h"

#include "base/checked.h"
#include "mapping/cell.h"

static const Factor *innermost_term(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            return &mapping->factors[i];
    return NULL;
}

const Factor *mapping_outermost_term(const Mapping *mapping)
{
    for (int64_t i = mapping->count - 1; i >= 0; i--)
        if (!mapping->factors[i].is_padding)
            return &mapping->factors[i];
    return NULL;
}

ArrayView view_with_offset(Arena *arena, const ArrayView *view, const Mapping *part,
                           const Mapping *index, int64_t start)
{
    int64_t count = view->offset_count;
    ArrayOffset *offsets = arena_new(arena, ArrayOffset, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        offsets[i] = view->offsets[i];
    offsets[count] = (ArrayOffset){*index, start};
    return (ArrayView){view->array, *part, offsets, count + 1};
}

// The address of a row in units of rows: a scaled index is one in bytes.
static int64_t row_of_index(uint32_t bits, int64_t row_bytes)
{
    uint64_t wide = (uint64_t)(int64_t)(int32_t)bits / (uint64_t)row_bytes;
    return wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
}

ScatterEnd array_scatter(Arena *arena, const ArrayView *source, const ArrayView *target,
                         const Mapping *key, const ScatterIndex *indices, bool scaled,
                         int64_t *entry)
{
    Division out = mapping_divide(arena, &source->mapping, key, DIVIDE_RELAXED, 1);
    Mapping payload = out.dividend_residue;
    Division into = mapping_divide(arena, &target->mapping, &payload, DIVIDE_RELAXED, 1);
    const Factor *term = innermost_term(&into.dividend_residue);
    if (!out.exact || !into.exact || !term)
        return SCATTER_NO_PLACE;
    Mapping axis = mapping_of_term(arena, term->term, term->resize);
    int64_t element = max_i64(scalar_traits[target->array->type].storage_bits / 8, 1);
    int64_t row_bytes = scaled ? mapping_live_positions(arena, &payload) * element : 1;
    *entry = 0;
    for (int64_t at = 0; at < key->size; at++) {
        ArenaMark mark = arena_mark(arena);
        if (mapping_cell(arena, key, at).count == 0)
            continue;
        if (*entry >= indices->count || !indices->live[*entry])
            return SCATTER_NO_INDEX;
        int64_t row = row_of_index(indices->bits[(*entry)++], row_bytes);
        ArrayView from = view_with_offset(arena, source, &payload, key, at);
        ArrayView to = view_with_offset(arena, target, &payload, &axis, row);
        if (!array_move_part(&from, &to))
            return SCATTER_NO_MEMORY;
        arena_reset(arena, mark);
    }
    return SCATTER_DONE;
}

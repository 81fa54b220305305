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
    return (ArrayView){view->array, *part, offsets, count + 1, view->whole};
}

// The address of a row in units of rows: a scaled index is one in bytes.
static int64_t row_of_index(uint32_t bits, int64_t row_bytes)
{
    uint64_t wide = (uint64_t)(int64_t)(int32_t)bits / (uint64_t)row_bytes;
    return wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
}

// What every entry of the index is used for.
typedef struct {
    Arena *arena;
    const ArrayView *source, *target;
    const Mapping *key, *chip;
    Mapping axis; // of the target, that rows are counted along
    Mapping row;  // what one entry sends
    int64_t row_bytes;
    const ScatterIndex *indices;
} Scatter;

static ArrayView part_of(const Scatter *scatter, const ArrayView *view, const Mapping *index,
                         int64_t at, int64_t chip)
{
    ArrayView part = view_with_offset(scatter->arena, view, &scatter->row, index, at);
    if (view == scatter->target)
        part.whole =
            NULL; // a row lies in the target where its axes are, not where the source has it
    return view_with_offset(scatter->arena, &part, &scatter->row, scatter->chip, chip);
}

// The rows of one chip, by the entries from *entry on.
static ScatterEnd scatter_chip(const Scatter *scatter, int64_t chip, int64_t *entry)
{
    const ScatterIndex *indices = scatter->indices;
    for (int64_t at = 0; at < scatter->key->size; at++) {
        ArenaMark mark = arena_mark(scatter->arena);
        if (mapping_cell(scatter->arena, scatter->key, at).count == 0)
            continue;
        if (*entry >= indices->count || !indices->live[*entry])
            return SCATTER_NO_INDEX;
        int64_t row = row_of_index(indices->bits[(*entry)++], scatter->row_bytes);
        ArrayView from = part_of(scatter, scatter->source, scatter->key, at, chip);
        ArrayView to = part_of(scatter, scatter->target, &scatter->axis, row, chip);
        if (!array_move_part(&from, &to))
            return SCATTER_NO_MEMORY;
        arena_reset(scatter->arena, mark);
    }
    return SCATTER_DONE;
}

static ScatterEnd scatter_rows(Arena *arena, const ArrayView *source, const ArrayView *target,
                               const Mapping *key, const ScatterIndex *indices, bool scaled,
                               int64_t *entry)
{
    const Mapping *chip = &indices->chip;
    Division out = mapping_divide(arena, &source->mapping, key, DIVIDE_RELAXED, 1);
    Mapping payload = out.dividend_residue;
    Division into = mapping_divide(arena, &target->mapping, &payload, DIVIDE_RELAXED, 1);
    const Factor *term = innermost_term(&into.dividend_residue);
    if (!out.exact || !into.exact || !term)
        return SCATTER_NO_PLACE;
    int64_t element = max_i64(scalar_traits[target->array->type].storage_bits / 8, 1);
    Scatter scatter = {
        .arena = arena,
        .source = source,
        .target = target,
        .key = key,
        .chip = chip,
        .axis = mapping_of_term(arena, term->term, term->resize),
        .row = mapping_divide(arena, &payload, chip, DIVIDE_RELAXED, 1).dividend_residue,
        .row_bytes = scaled ? mapping_live_positions(arena, &payload) * element : 1,
        .indices = indices};
    int64_t chips = max_i64(1, mapping_live_positions(arena, chip)), live = 0;
    ScatterEnd end = SCATTER_DONE;
    *entry = 0;
    for (int64_t at = 0; at < chip->size && end == SCATTER_DONE; at++) {
        if (mapping_cell(arena, chip, at).count == 0)
            continue;
        *entry = indices->count / chips * live++;
        end = scatter_chip(&scatter, at, entry);
    }
    return end;
}

ScatterEnd array_scatter(Arena *arena, const ArrayView *source, const ArrayView *target,
                         const Mapping *key, const ScatterIndex *indices, bool scaled,
                         int64_t *entry)
{
    ArrayView to;
    if (!array_view_part(target, &to))
        return SCATTER_NO_MEMORY;
    ScatterEnd end = scatter_rows(arena, source, &to, key, indices, scaled, entry);
    if (to.array == target->array)
        return end;
    if (!array_view_put_back(target, &to))
        end = SCATTER_NO_MEMORY;
    array_free(to.array);
    return end;
}

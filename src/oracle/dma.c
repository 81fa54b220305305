// Moves between memories, shuffles and slices of clusters and chips, scatter and gather.
#include "base/checked.h"
#include "mapping/cell.h"
#include "oracle/array.h"
#include "oracle/internal.h"

// ---- parts of views

// A part of a view: position `start` of `index` is added.
static ArrayView view_with_offset(Arena *arena, const ArrayView *view, const Mapping *part,
                                  const Mapping *index, int64_t start)
{
    int64_t count = view->offset_count;
    ArrayOffset *offsets = arena_new(arena, ArrayOffset, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        offsets[i] = view->offsets[i];
    offsets[count] = (ArrayOffset){*index, start};
    return (ArrayView){view->array, *part, offsets, count + 1, view->whole};
}

// One position of a level of a view. The level stays in the view as padding.
static ArrayView at_position(Oracle *oracle, const ArrayView *view, const Dim *const dims[],
                             Level level, int64_t position)
{
    Arena *arena = &oracle->scratch;
    const Dim *rest[LEVEL_COUNT];
    Mapping one = mapping_identity();
    Dim padding = {.mapping = mapping_pad(arena, &one, dims[level]->mapping.size, PADDING_TOP)};
    for (Level i = 0; i < LEVEL_COUNT; i++)
        rest[i] = i == level ? &padding : dims[i];
    Mapping part = shape_of(arena, rest);
    return view_with_offset(arena, view, &part, &dims[level]->mapping, position);
}

// ---- shuffles and slices

// Cluster or chip t of the target comes from entry t of the pattern. Of a slice it keeps its own,
// of which it takes the position of the key that its entry names.
static void shuffle(Oracle *oracle, const Op *op, const ArrayView *source, const ArrayView *target)
{
    bool chips = op->kind == OP_CHIP_SHUFFLE || op->kind == OP_CHIP_SLICE;
    bool slices = op->kind == OP_CHIP_SLICE || op->kind == OP_CLUSTER_SLICE;
    Level level = chips ? LEVEL_CHIP : LEVEL_CLUSTER;
    const Dim *dims[LEVEL_COUNT];
    for (Level i = 0; i < LEVEL_COUNT; i++)
        dims[i] = slices && i == LEVEL_ELEMENT ? op->sliced : op->source->dims[i];
    for (int64_t t = 0; t < op->pattern_count; t++) {
        ArrayView from = at_position(oracle, source, dims, level, slices ? t : op->pattern[t]);
        if (slices)
            from = view_with_offset(&oracle->scratch, &from, &from.mapping, &op->key->mapping,
                                    op->pattern[t]);
        ArrayView to = at_position(oracle, target, op->target->dims, level, t);
        oracle_move(oracle, &from, &to);
    }
}

bool move_op_run(Oracle *oracle, const Op *op)
{
    ArrayView source, target;
    if (!oracle_view(oracle, op->source, &source) || !oracle_view(oracle, op->target, &target))
        return false;
    switch (op->kind) {
    case OP_CLUSTER_SHUFFLE:
    case OP_CHIP_SHUFFLE:
    case OP_CLUSTER_SLICE:
    case OP_CHIP_SLICE:
        shuffle(oracle, op, &source, &target);
        break;
    case OP_MOVE:
    case OP_PARALLEL_COPY:
    case OP_PASS:
    case OP_SCATTER:
    case OP_GATHER:
    case OP_KIND_COUNT:
        oracle_move(oracle, &source, &target);
    }
    return true;
}

// ---- indices

static bool read_indices(Oracle *oracle, const Op *op, ScatterIndex *indices)
{
    Arena *arena = &oracle->scratch;
    ArrayView view;
    if (!oracle_view(oracle, op->index, &view))
        return false;
    Array *part = oracle_hold(oracle, SCALAR_I32, &view.mapping);
    ArrayView whole = {.array = part, .mapping = view.mapping};
    oracle_move(oracle, &view, &whole);
    int64_t count = mapping_live_positions(arena, &view.mapping);
    uint32_t *bits = arena_new(arena, uint32_t, (size_t)count);
    uint8_t *live = arena_new(arena, uint8_t, (size_t)count);
    if (!array_read(part, &view.mapping, bits, live, NULL))
        oracle_no_memory(oracle);
    oracle_drop(oracle, part);
    *indices = (ScatterIndex){bits, live, count, op->index->dims[LEVEL_CHIP]->mapping};
    return true;
}

static bool report_no_index(Oracle *oracle, const Op *op, int64_t k)
{
    diag_add(oracle->diags, DIAG_RUN_NO_INDEX, op->span, "entry {} of the index of {} has no value",
             k, op->method);
    return false;
}

// ---- scatter

// Scatter on arrays: rows of one go to the places in another that an index names.

static const Factor *innermost_term(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            return &mapping->factors[i];
    return NULL;
}

static const Factor *outermost_term(const Mapping *mapping)
{
    for (int64_t i = mapping->count - 1; i >= 0; i--)
        if (!mapping->factors[i].is_padding)
            return &mapping->factors[i];
    return NULL;
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

// What the source has beside the key is a row (the payload); what the target has beside the payload
// is counted along its innermost term, and that is where an entry of the index points. Entries are
// shared out evenly over the chips, each of which has as many.
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

bool scatter_run(Oracle *oracle, const Op *op)
{
    Arena *arena = &oracle->scratch;
    ArrayView source, target;
    ScatterIndex indices;
    int64_t entry;
    if (!oracle_view(oracle, op->source, &source) || !oracle_view(oracle, op->target, &target) ||
        !read_indices(oracle, op, &indices))
        return false;
    switch (
        array_scatter(arena, &source, &target, &op->key->mapping, &indices, op->scaled, &entry)) {
    case SCATTER_NO_INDEX:
        return report_no_index(oracle, op, entry);
    case SCATTER_NO_MEMORY:
        oracle_no_memory(oracle);
    case SCATTER_NO_PLACE: // the checker refuses it
    case SCATTER_DONE:
        break;
    }
    return true;
}

// ---- gather

// Row index[i] of the table, along its outermost axis, to where the output has the index i.
// Rows and output lack the axes of the index, and both lie on the chip where the entry does.
bool gather_run(Oracle *oracle, const Op *op)
{
    Arena *arena = &oracle->scratch;
    ArrayView source, target;
    ScatterIndex indices;
    if (!oracle_view(oracle, op->source, &source) || !oracle_view(oracle, op->target, &target) ||
        !read_indices(oracle, op, &indices))
        return false;
    Mapping element = mapping_normalise(arena, &op->source->dims[LEVEL_ELEMENT]->mapping);
    const Factor *term = outermost_term(&element);
    if (!term)
        return true; // the checker refuses it
    Mapping axis = mapping_of_term(arena, term->term, term->resize);
    Mapping chip = op->index->dims[LEVEL_CHIP]->mapping;
    Mapping index = shape_of(arena, op->index->dims);
    Mapping row = mapping_divide(arena, &source.mapping, &axis, DIVIDE_RELAXED, 1).dividend_residue;
    Mapping rest =
        mapping_divide(arena, &target.mapping, &index, DIVIDE_RELAXED, 1).dividend_residue;
    row = mapping_divide(arena, &row, &chip, DIVIDE_RELAXED, 1).dividend_residue;
    int64_t inner = index.size / chip.size;
    for (int64_t k = 0, at = 0; k < indices.count && at < index.size; at++) {
        ArenaMark mark = arena_mark(arena);
        if (mapping_cell(arena, &index, at).count == 0)
            continue;
        if (!indices.live[k])
            return report_no_index(oracle, op, k);
        ArrayView from = view_with_offset(arena, &source, &row, &axis, (int32_t)indices.bits[k]);
        from = view_with_offset(arena, &from, &row, &chip, at / inner);
        ArrayView to = view_with_offset(arena, &target, &rest, &index, at);
        oracle_move(oracle, &from, &to);
        arena_reset(arena, mark);
        k++;
    }
    return true;
}

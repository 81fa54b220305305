// The loop nests of gather and scatter.
//
// A gather moves rows of a table as a move would, but for the axes of the index in the target:
// along these the row is another one each time, and the index goes on by an entry. A scatter walks
// its data by payload and by key; along the key the target stays where it is, and the index says
// where that is. Entries of the index are counted without padding, as positions of the key are. Of
// both, every chip walks the entries that it has itself.
#include "engine/dma/dma.h"
#include "engine/dma/part.h"

#include "base/checked.h"
#include "engine/shape.h"

void dma_source_dims(const Op *op, const Dim *element, const Dim *dims[LEVEL_COUNT])
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        dims[level] = level == LEVEL_ELEMENT ? element : op->source->dims[level];
}

// ---- gather

// The axis that is outermost in the table, and how far its steps go.
static bool find_rows(Arena *arena, const Dim *element, Mapping *normal, int64_t *at, DmaRows *rows)
{
    *normal = mapping_normalise(arena, &element->mapping);
    *at = normal->count - 1;
    while (*at >= 0 && normal->factors[*at].is_padding)
        --*at;
    if (*at < 0)
        return false;
    Mapping inside = {normal->factors, *at, 0};
    *rows = (DmaRows){.axis = normal->factors[*at].term,
                      .rows = normal->factors[*at].resize,
                      .stride = mapping_recount(&inside),
                      .unit = 1};
    return true;
}

bool gather_rows(Arena *arena, const Op *op, Dim *row, DmaRows *rows)
{
    const Dim *element = op->source->dims[LEVEL_ELEMENT];
    Mapping normal;
    int64_t at;
    if (!find_rows(arena, element, &normal, &at, rows))
        return false;
    Mapping axis = mapping_of_term(arena, normal.factors[at].term, normal.factors[at].resize);
    *row =
        (Dim){.mapping = mapping_divide(arena, &normal, &axis, DIVIDE_RELAXED, 1).dividend_residue,
              .span = element->span};
    return true;
}

// What the target has of the index: one entry a step, and no step in the table.
static void add_index(Arena *arena, const Division *division, DmaPieces *pieces)
{
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        if (match->resize > 1)
            *array_push(arena, pieces, DmaPiece) = (DmaPiece){
                match->term, match->resize, {0, match->dividend_stride, match->divisor_stride}};
    }
}

DmaOutcome gather_derive(Arena *arena, const Op *op, DmaNest *nest, DmaRows *rows)
{
    const Dim *source[LEVEL_COUNT];
    Dim row;
    *nest = (DmaNest){0};
    if (!gather_rows(arena, op, &row, rows))
        return DMA_NO_PLACE;
    dma_source_dims(op, &row, source);
    Mapping from = shape_of(arena, source), to = shape_of(arena, op->target->dims);
    nest->division = mapping_divide(arena, &to, &from, DIVIDE_BOUNDED, 1);
    if (!nest->division.exact)
        return nest->division.found < nest->division.matches.count ? DMA_NO_PLACE : DMA_NO_LOOPS;
    Division index = mapping_divide(arena, &nest->division.dividend_residue,
                                    &op->index->dims[LEVEL_ELEMENT]->mapping, DIVIDE_RELAXED, 1);
    if (!index.exact)
        return DMA_NO_LOOPS;
    DmaPieces pieces = {0};
    dma_add_matches(arena, &nest->division, &pieces);
    add_index(arena, &index, &pieces);
    dma_add_broadcasts(arena, &index.dividend_residue, &pieces);
    const Dim *const *const dims[DMA_SIDES] = {source, op->target->dims, op->index->dims};
    return dma_arrange(arena, dims, &pieces, nest) ? DMA_DERIVED : DMA_NO_LOOPS;
}

// ---- scatter

// How many positions before `position` are no padding. Requires: a place where a digit steps.
static int64_t rank_of(const Mapping *normal, int64_t position)
{
    int64_t block = 1, live = 1;
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        if (!factor->is_padding && position < block * factor->resize)
            break;
        block = factor->is_padding ? factor->size : block * factor->resize;
        live *= factor->is_padding ? 1 : factor->resize;
    }
    return position / block * live;
}

// The factor of the index in which entry `rank` is the first of a step.
static const Factor *find_entry(const Mapping *normal, int64_t rank, int64_t *block, int64_t *live)
{
    *block = *live = 1;
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        if (!factor->is_padding && rank < *live * factor->resize)
            return factor;
        *block = factor->is_padding ? factor->size : *block * factor->resize;
        *live *= factor->is_padding ? 1 : factor->resize;
    }
    return NULL;
}

// A piece of the key, cut where the entries of the index do not go on evenly.
static bool add_key(Arena *arena, const Match *match, int64_t rank, const Mapping *index,
                    DmaPieces *pieces)
{
    int64_t size = match->resize, source = match->dividend_stride;
    Term term = match->term;
    while (size > 1) {
        int64_t block, live;
        const Factor *factor = find_entry(index, rank, &block, &live);
        if (!factor || rank % live)
            return false;
        int64_t entries = live * factor->resize, here = min_i64(size, entries / rank);
        if (here < size && entries % rank)
            return false;
        // where a rest is left over, it is the end of the axis, which bounds it
        if (size % here && term.stride * size < term.atom->size)
            return false;
        *array_push(arena, pieces, DmaPiece) =
            (DmaPiece){term, here, {source, 0, rank / live * block}};
        size = ceil_div(size, here);
        source *= here;
        rank *= here;
        term.stride *= here;
        term.modulo = max_i64(1, term.modulo / here);
    }
    return true;
}

static bool add_keys(Arena *arena, const Op *op, const Division *division, DmaPieces *pieces)
{
    Mapping key = mapping_normalise(arena, &op->key->mapping);
    Mapping index = mapping_normalise(arena, &op->index->dims[LEVEL_ELEMENT]->mapping);
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        if (match->resize > 1 &&
            !add_key(arena, match, rank_of(&key, match->divisor_stride), &index, pieces))
            return false;
    }
    return true;
}

// The innermost axis of the target that the payload leaves: rows are counted along it.
static bool find_target_rows(const Mapping *left, DmaRows *rows)
{
    int64_t block = 1;
    for (int64_t i = 0; i < left->count; i++) {
        const Factor *factor = &left->factors[i];
        if (!factor->is_padding) {
            *rows = (DmaRows){.axis = factor->term, .rows = factor->resize, .stride = block};
            return true;
        }
        block = factor->size;
    }
    return false;
}

// Elements of the payload: combinations of its digits that stay inside their axis.
static int64_t count_payload(Arena *arena, const Mapping *payload)
{
    DmaNest nest = {0};
    DmaPieces pieces = {0};
    const Dim *const *const none[DMA_SIDES] = {0};
    dma_add_broadcasts(arena, payload, &pieces);
    if (!dma_arrange(arena, none, &pieces, &nest))
        return 1;
    return max_i64(1, dma_nest_count(&nest));
}

static int64_t element_bytes(const Op *op)
{
    return max_i64(1, scalar_traits[op->source->tensor->type].storage_bits / 8);
}

DmaOutcome scatter_derive(Arena *arena, const Op *op, DmaNest *nest, DmaRows *rows)
{
    Mapping data = shape_of(arena, op->source->dims), output = shape_of(arena, op->target->dims);
    *nest = (DmaNest){0};
    Division key = mapping_divide(arena, &data, &op->key->mapping, DIVIDE_RELAXED, 1);
    Mapping payload = key.dividend_residue;
    nest->division = mapping_divide(arena, &output, &payload, DIVIDE_BOUNDED, 1);
    if (!key.exact || !nest->division.exact ||
        !find_target_rows(&nest->division.dividend_residue, rows))
        return DMA_NO_PLACE;
    rows->unit = op->scaled ? count_payload(arena, &payload) * element_bytes(op) : 1;
    DmaPieces pieces = {0};
    if (!add_keys(arena, op, &key, &pieces))
        return DMA_NO_LOOPS;
    dma_add_matches(arena, &nest->division, &pieces);
    const Dim *const *const dims[DMA_SIDES] = {op->source->dims, op->target->dims, op->index->dims};
    return dma_arrange(arena, dims, &pieces, nest) ? DMA_DERIVED : DMA_NO_LOOPS;
}

// ---- what an index may hold

bool index_range(Arena *arena, const Op *op, IndexRange *range)
{
    DmaNest nest;
    DmaRows rows;
    bool gathers = op->kind == OP_GATHER;
    if ((gathers ? gather_derive : scatter_derive)(arena, op, &nest, &rows) != DMA_DERIVED)
        return false;
    *range = (IndexRange){.table = gathers ? op->source->tensor : op->target->tensor,
                          .axis = shape_term_text(arena, &rows.axis, rows.rows),
                          .rows = rows.rows,
                          .unit = rows.unit};
    return true;
}

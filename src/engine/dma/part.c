// From a loop nest to rectangular parts.
//
// Loops that step from chip to chip or from cluster to cluster are walked here: each unit has a
// memory of its own. What is left is cut where padded axes end. The digits of one bound are a mixed
// radix, so "their sum is less than r" is: the first digit is less than that of r, the others are
// free; or it is equal, and the others together are less than what is left. That makes one part a
// digit. The run is cut at its end only, so that all runs start alike: where its digit is not the
// last, runs of one element more are told from others by the digits behind it.
#include "engine/dma/part.h"

#include "base/checked.h"

#include <assert.h>
#include <stdlib.h>

typedef struct {
    int64_t start, count;
} Range;

typedef struct {
    Transfer *transfer;
    Arena *arena;
    Parts *parts;
    const DmaLoop **loops; // of the nest, the run last
    int64_t count;
    Range *ranges;        // of each loop
    int64_t (*digits)[2]; // of loops over units: where they stand on either side
    bool *is_unit;
    int64_t *limits; // of each bound, less what the units add up to
} Expand;

static Level shuffled_level(const Op *op)
{
    switch (op->kind) {
    case OP_CHIP_SHUFFLE:
    case OP_CHIP_SLICE:
        return LEVEL_CHIP;
    case OP_CLUSTER_SHUFFLE:
    case OP_CLUSTER_SLICE:
        return LEVEL_CLUSTER;
    case OP_MOVE:
    case OP_PASS:
    case OP_PARALLEL_COPY:
    case OP_SCATTER:
    case OP_GATHER:
    case OP_KIND_COUNT:
        break;
    }
    return LEVEL_COUNT;
}

// ---- places

static const DmaStep *step_of(const DmaLoop *loop, int side)
{
    return side == DMA_SOURCE ? &loop->source : &loop->target;
}

static int64_t units_of(Transfer *transfer, int64_t elements)
{
    int64_t bits;
    Scalar type = transfer->op->source->tensor->type;
    if (!checked_mul(elements, scalar_traits[type].packet_bits, &bits)) {
        transfer->too_large = true;
        return 0;
    }
    return bits / transfer->unit_bits;
}

static void advance(Transfer *transfer, PartPlace *at, Level level, int64_t positions)
{
    switch (level) {
    case LEVEL_CHIP:
        at->chip += positions;
        return;
    case LEVEL_CLUSTER:
        at->cluster += positions;
        return;
    case LEVEL_SLICE:
        at->slice += positions;
        return;
    default:
        at->address += units_of(transfer, positions);
    }
}

static void advance_steps(Expand *expand, Part *part, int64_t i)
{
    const DmaLoop *loop = expand->loops[i];
    for (int side = 0; side < 2; side++) {
        int64_t digit = expand->is_unit[i] ? expand->digits[i][side] : expand->ranges[i].start;
        const DmaStep *step = step_of(loop, side);
        advance(expand->transfer, &part->at[side], step->level, digit * step->stride);
    }
    // an index is walked along with the rows of a gather, also from cluster to cluster
    int64_t entry = expand->is_unit[i] ? expand->digits[i][DMA_TARGET] : expand->ranges[i].start;
    part->index += entry * loop->index.stride * (int64_t)sizeof(int32_t);
}

// A slice keeps one position of an axis, a different one in each unit.
static int64_t slice_offset(const Expand *expand, const Part *part)
{
    const Op *op = expand->transfer->op;
    if (op->kind != OP_CHIP_SLICE && op->kind != OP_CLUSTER_SLICE)
        return 0;
    const PartPlace *at = &part->at[DMA_TARGET];
    int64_t unit = op->kind == OP_CHIP_SLICE ? at->chip : at->cluster;
    unit -= expand->transfer->sides[DMA_TARGET].offsets[shuffled_level(op)];
    return mapping_tile_offset(expand->arena, &op->source->dims[LEVEL_ELEMENT]->mapping,
                               &op->key->mapping, op->pattern[unit]);
}

static PartPlace place_of(Transfer *transfer, int side)
{
    const PartSide *from = &transfer->sides[side];
    PartPlace at = {0};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (from->offsets[level])
            advance(transfer, &at, level, from->offsets[level]);
    if (from->tensor->address.known && from->tensor->tier != TIER_HOST)
        at.address += from->tensor->address.value * 8 / transfer->unit_bits;
    return at;
}

// ---- parts

static PartLoop part_loop(Expand *expand, int64_t i)
{
    const DmaLoop *loop = expand->loops[i];
    Transfer *transfer = expand->transfer;
    int64_t slice =
        transfer->lower->machine->dm_virtual_slice_stride_bytes * 8 / transfer->unit_bits;
    PartLoop result = {.size = expand->ranges[i].count,
                       .index = loop->index.stride * (int64_t)sizeof(int32_t),
                       .mapping = loop->mapping};
    for (int side = 0; side < 2; side++) {
        const DmaStep *step = step_of(loop, side);
        if (step->level == LEVEL_SLICE) {
            result.slices[side] = step->stride;
            result.strides[side] = step->stride * slice;
        } else {
            result.strides[side] = units_of(transfer, step->stride);
        }
    }
    return result;
}

static void add_run(Expand *expand, Part *part)
{
    Transfer *transfer = expand->transfer;
    const DmaLoop *run = &transfer->nest.run;
    int64_t bits = scalar_traits[transfer->op->source->tensor->type].packet_bits;
    int64_t count = expand->ranges[expand->count - 1].count;
    int64_t units = ceil_div(count * bits, transfer->unit_bits);
    part->run = ceil_div(units, transfer->align) * transfer->align;
    part->padding = part->run * transfer->unit_bits - count * bits;
    part->run_term = run->mapping;
}

static void add_part(Expand *expand)
{
    Part part = {
        .at = {place_of(expand->transfer, DMA_SOURCE), place_of(expand->transfer, DMA_TARGET)},
        .index = expand->transfer->index_bytes};
    for (int64_t i = 0; i < expand->count; i++)
        advance_steps(expand, &part, i);
    part.at[DMA_SOURCE].address += units_of(expand->transfer, slice_offset(expand, &part));
    for (int64_t i = 0; i < expand->count - 1; i++)
        if (!expand->is_unit[i] && expand->ranges[i].count > 1)
            *array_push(expand->arena, &part.loops, PartLoop) = part_loop(expand, i);
    add_run(expand, &part);
    *array_push(expand->arena, expand->parts, Part) = part;
}

// ---- bounds

// The loops of one bound, the largest weight first.
typedef struct {
    const DmaLoop *loop;
    Range *range;
    bool is_run;
} BoundDigit;

typedef struct {
    ARRAY(BoundDigit);
    int64_t bound;
} Bound;

static void expand_bounds(Expand *expand, int64_t bound);

// What the digits from `i` on add up to at most.
static int64_t reach_of(const Bound *bound, int64_t i)
{
    int64_t reach = 0;
    for (; i < bound->count; i++)
        reach += (bound->items[i].loop->size - 1) * bound->items[i].loop->weight;
    return reach;
}

// The digits from `i` on are free.
static void all(Expand *expand, const Bound *bound, int64_t i)
{
    for (; i < bound->count; i++)
        *bound->items[i].range = (Range){0, bound->items[i].loop->size};
    expand_bounds(expand, bound->bound + 1);
}

// The digits from `i` on add up to `least` or more.
static void not_below(Expand *expand, const Bound *bound, int64_t i, int64_t least)
{
    if (least <= 0) {
        all(expand, bound, i);
        return;
    }
    if (reach_of(bound, i) < least)
        return;
    const BoundDigit *digit = &bound->items[i];
    int64_t size = digit->loop->size, first = least / digit->loop->weight;
    int64_t rest = least % digit->loop->weight;
    if (rest && first < size) {
        *digit->range = (Range){first, 1};
        not_below(expand, bound, i + 1, rest);
        first++;
    }
    if (first < size) {
        *digit->range = (Range){first, size - first};
        all(expand, bound, i + 1);
    }
}

// The digits from `i` on add up to less than `limit`.
static void below(Expand *expand, const Bound *bound, int64_t i, int64_t limit)
{
    if (limit <= 0)
        return;
    if (reach_of(bound, i) < limit) {
        all(expand, bound, i);
        return;
    }
    assert(i < bound->count); // the digits reach the limit
    const BoundDigit *digit = &bound->items[i];
    int64_t whole = limit / digit->loop->weight, rest = limit % digit->loop->weight;
    *digit->range = (Range){0, whole};
    if (whole && digit->is_run)
        not_below(expand, bound, i + 1, rest);
    else if (whole)
        all(expand, bound, i + 1);
    *digit->range = digit->is_run ? (Range){0, whole + 1} : (Range){whole, 1};
    if (whole < digit->loop->size)
        below(expand, bound, i + 1, rest);
}

static int by_weight(const void *a, const void *b)
{
    int64_t x = ((const BoundDigit *)a)->loop->weight, y = ((const BoundDigit *)b)->loop->weight;
    return (x < y) - (x > y);
}

static void expand_bounds(Expand *expand, int64_t number)
{
    Bound bound = {.bound = number};
    if (expand->parts->count == DMA_MOST_PIECES)
        return;
    if (number == expand->transfer->nest.bounds.count) {
        add_part(expand);
        return;
    }
    for (int64_t i = 0; i < expand->count; i++)
        if (expand->loops[i]->bound == number && !expand->is_unit[i])
            *array_push(expand->arena, &bound, BoundDigit) =
                (BoundDigit){expand->loops[i], &expand->ranges[i], i == expand->count - 1};
    if (bound.count)
        qsort(bound.items, (size_t)bound.count, sizeof(BoundDigit), by_weight);
    below(expand, &bound, 0, expand->limits[number]);
}

// ---- units

// With the digits of all loops over units known: what the bounds leave to the others.
static void expand_unit(Expand *expand)
{
    const DmaNest *nest = &expand->transfer->nest;
    for (int64_t i = 0; i < nest->bounds.count; i++)
        expand->limits[i] = nest->bounds.items[i];
    for (int side = 0; side < 2; side++)
        for (int64_t k = 0; k < nest->bounds.count; k++) {
            int64_t sum = 0;
            for (int64_t i = 0; i < expand->count; i++)
                if (expand->is_unit[i] && expand->loops[i]->bound == k)
                    sum += expand->digits[i][side] * expand->loops[i]->weight;
            expand->limits[k] = min_i64(expand->limits[k], nest->bounds.items[k] - sum);
        }
    expand_bounds(expand, 0);
}

// Whether the pattern of a shuffle says where a loop stands, on both sides.
static bool is_shuffled(const Expand *expand, const DmaLoop *loop)
{
    const Op *op = expand->transfer->op;
    return (op->kind == OP_CHIP_SHUFFLE || op->kind == OP_CLUSTER_SHUFFLE) &&
           loop->target.level == shuffled_level(op) && loop->target.stride;
}

static void expand_units(Expand *expand, int64_t i)
{
    while (i < expand->count && (!expand->is_unit[i] || is_shuffled(expand, expand->loops[i])))
        i++;
    if (i == expand->count) {
        expand_unit(expand);
        return;
    }
    for (int64_t digit = 0; digit < expand->loops[i]->size; digit++) {
        expand->digits[i][DMA_SOURCE] = expand->digits[i][DMA_TARGET] = digit;
        expand_units(expand, i + 1);
    }
}

// Takes a position of the shuffled level apart. False: it is padding.
static bool set_position(Expand *expand, int side, int64_t position)
{
    for (int64_t i = 0; i < expand->count; i++) {
        const DmaLoop *loop = expand->loops[i];
        if (!is_shuffled(expand, loop))
            continue;
        int64_t digit = position / loop->target.stride;
        if (digit >= loop->size)
            return false;
        expand->digits[i][side] = digit;
        position -= digit * loop->target.stride;
    }
    return position == 0;
}

static void expand_shuffle(Expand *expand)
{
    const Op *op = expand->transfer->op;
    for (int64_t unit = 0; unit < op->pattern_count; unit++)
        if (set_position(expand, DMA_TARGET, unit) &&
            set_position(expand, DMA_SOURCE, op->pattern[unit]))
            expand_units(expand, 0);
}

void dma_parts(Transfer *transfer, Parts *parts)
{
    const DmaNest *nest = &transfer->nest;
    Arena *arena = transfer->lower->scratch;
    size_t count = (size_t)nest->loops.count + 1;
    Expand expand = {.transfer = transfer,
                     .arena = arena,
                     .parts = parts,
                     .loops = arena_new(arena, const DmaLoop *, count),
                     .count = (int64_t)count,
                     .ranges = arena_new(arena, Range, count),
                     .digits = arena_alloc(arena, sizeof *expand.digits, alignof(int64_t), count),
                     .is_unit = arena_new(arena, bool, count),
                     .limits = arena_new(arena, int64_t, (size_t)nest->bounds.count + 1)};
    for (int64_t i = 0; i < expand.count; i++) {
        expand.loops[i] = i < nest->loops.count ? &nest->loops.items[i] : &nest->run;
        expand.ranges[i] = (Range){0, expand.loops[i]->size};
        expand.is_unit[i] = dma_steps_units(expand.loops[i]);
    }
    if (transfer->op->kind == OP_CHIP_SHUFFLE || transfer->op->kind == OP_CLUSTER_SHUFFLE)
        expand_shuffle(&expand);
    else
        expand_units(&expand, 0);
}

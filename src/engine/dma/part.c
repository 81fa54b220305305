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
#include "command/nest.h"

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
    return compare_i64(y, x);
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

// ---- splitting

// From rectangular parts to what an engine takes: packets, loops within the limits of a sequencer,
// and one of the DMA Engines.
//
// The order of the loops decides how quick a move is. Slices come inside, the two networks of a
// pair innermost, so that requests alternate between them (Manual: Memory Performance, Interleave
// across DMNs); everything else keeps the order of the target. A scatter keeps the order of its
// index.
//
// An engine belongs to a pair of networks. A move from or to DM is done by the engines of the pairs
// whose slices it walks, of the source where both sides are DM; between places of HBM all engines
// of a chip share it.

enum { NO_SIDE = -1 };

typedef struct {
    const Transfer *transfer;
    const Machine *machine;
    Arena *arena;
    Jobs *jobs;
    int side;     // whose slices say which engine; NO_SIDE: none
    bool copies;  // on the sub context: by no engine
    bool spreads; // over all engines of a chip
    int64_t next; // of these
} Split;

static PartLoops copy_loops(const Split *split, const PartLoops *loops)
{
    PartLoops copy = {0};
    for (int64_t i = 0; i < loops->count; i++)
        *array_push(split->arena, &copy, PartLoop) = loops->items[i];
    return copy;
}

// Iterations `start` .. `start + count - 1` of loop `i`. With one, the loop is left out.
static Part cut(const Split *split, const Part *part, int64_t i, int64_t start, int64_t count)
{
    Part result = *part;
    const PartLoop *loop = &part->loops.items[i];
    int64_t slice = split->machine->dm_virtual_slice_stride_bytes * 8 / split->transfer->unit_bits;
    for (int side = 0; side < 2; side++) {
        PartPlace *at = &result.at[side];
        at->slice += start * loop->slices[side];
        at->address += start * (loop->strides[side] - loop->slices[side] * slice);
    }
    result.index += start * loop->index;
    result.loops = (PartLoops){0};
    for (int64_t k = 0; k < part->loops.count; k++) {
        if (k == i && count == 1)
            continue;
        PartLoop *kept = array_push(split->arena, &result.loops, PartLoop);
        *kept = part->loops.items[k];
        kept->size = k == i ? count : kept->size;
    }
    return result;
}

// Loop `i` as two, of which the inner one has `inner` iterations. Requires: it divides.
static void nest_loop(const Split *split, Part *part, int64_t i, int64_t inner)
{
    PartLoops loops = {0};
    for (int64_t k = 0; k < part->loops.count; k++) {
        PartLoop loop = part->loops.items[k];
        if (k == i) {
            PartLoop outer = loop;
            outer.size /= inner;
            outer.index *= inner;
            for (int side = 0; side < 2; side++) {
                outer.strides[side] *= inner;
                outer.slices[side] *= inner;
            }
            if (loop.mapping.size == loop.size)
                mapping_split(split->arena, &part->loops.items[k].mapping, inner, &outer.mapping,
                              &loop.mapping);
            *array_push(split->arena, &loops, PartLoop) = outer;
            loop.size = inner;
        }
        *array_push(split->arena, &loops, PartLoop) = loop;
    }
    part->loops = loops;
}

// ---- one loop of two

static bool goes_on(const PartLoop *outer, const PartLoop *inner)
{
    for (int side = 0; side < 2; side++)
        if (!stride_continues(outer->strides[side], inner->size, inner->strides[side]) ||
            !stride_continues(outer->slices[side], inner->size, inner->slices[side]))
            return false;
    return stride_continues(outer->index, inner->size, inner->index);
}

static void merge(const Split *split, Part *part)
{
    PartLoops loops = {0};
    for (int64_t i = 0; i < part->loops.count; i++) {
        const PartLoop *inner = &part->loops.items[i];
        PartLoop *outer = loops.count ? &loops.items[loops.count - 1] : NULL;
        if (!outer || !goes_on(outer, inner)) {
            *array_push(split->arena, &loops, PartLoop) = *inner;
            continue;
        }
        int64_t size = outer->size * inner->size;
        Mapping both = mapping_pair(split->arena, &outer->mapping, &inner->mapping);
        *outer = *inner;
        outer->size = size;
        outer->mapping = both;
    }
    while (loops.count && !part->padding) {
        const PartLoop *last = &loops.items[loops.count - 1];
        if (last->strides[0] != part->run || last->strides[1] != part->run || last->index)
            break;
        part->run *= last->size;
        part->run_term = mapping_pair(split->arena, &last->mapping, &part->run_term);
        loops.count--;
    }
    part->loops = loops;
}

// ---- limits of a sequencer

static int64_t request_count(const Split *split, int64_t units)
{
    return ceil_div(ceil_div(units * split->transfer->unit_bits, 8),
                    split->machine->dma_request_bytes);
}

// The largest inner loop that divides `size` and leaves an outer one within the limit; 0: none.
static int64_t inner_size(int64_t size, int64_t limit)
{
    for (int64_t inner = limit; inner > 1 && size / inner <= limit; inner--)
        if (size % inner == 0)
            return inner;
    return 0;
}

// The number of loops that take an entry. A loop over adjacent packets is part of the innermost
// entry, as in `[.., 8192:1]:4096`.
static int64_t entry_loops(const Part *part)
{
    const PartLoop *last = part->loops.count ? &part->loops.items[part->loops.count - 1] : NULL;
    bool in_a_row = last && last->strides[DMA_SOURCE] == part->run &&
                    last->strides[DMA_TARGET] == part->run && !last->index;
    return part->loops.count - in_a_row;
}

static int64_t smallest_loop(const Part *part)
{
    int64_t smallest = 0;
    for (int64_t i = 1; i < entry_loops(part); i++)
        if (part->loops.items[i].size < part->loops.items[smallest].size)
            smallest = i;
    return smallest;
}

// A loop that is too long becomes two, or is done in two jobs; of too many, the shortest is walked
// here.
static void limit_loops(const Split *split, Part part, Job job)
{
    int64_t limit = split->machine->sequencer_iterations;
    if (split->jobs->count == DMA_MOST_PIECES)
        return;
    for (int64_t i = 0; i < part.loops.count; i++) {
        int64_t size = part.loops.items[i].size, inner;
        if (size <= limit)
            continue;
        inner = inner_size(size, limit);
        if (!inner && size % limit) {
            limit_loops(split, cut(split, &part, i, 0, size / limit * limit), job);
            limit_loops(split, cut(split, &part, i, size / limit * limit, size % limit), job);
            return;
        }
        nest_loop(split, &part, i--, inner ? inner : limit);
    }
    if (!dma_has_room(split->machine, entry_loops(&part))) {
        assert(part.loops.items); // there is room for none at all
        int64_t walked = smallest_loop(&part), size = part.loops.items[walked].size;
        for (int64_t digit = 0; digit < size && split->jobs->count < DMA_MOST_PIECES; digit++)
            limit_loops(split, cut(split, &part, walked, digit, 1), job);
        return;
    }
    job.part = part;
    *array_push(split->arena, split->jobs, Job) = job;
}

// ---- order

// 0: not of slices; 1: slices of one network; 2: from one network to the other.
static int depth_of(const Split *split, const PartLoop *loop)
{
    int64_t slices = max_i64(loop->slices[DMA_SOURCE], loop->slices[DMA_TARGET]);
    return slices == 0 ? 0 : slices % split->machine->slices_per_dmn ? 1 : 2;
}

// Cuts loops over slices where a network ends, as long as there is room for one more.
static void cut_networks(const Split *split, Part *part)
{
    int64_t network = split->machine->slices_per_dmn;
    for (int64_t i = 0;
         i < part->loops.count && dma_has_room(split->machine, entry_loops(part) + 1); i++) {
        const PartLoop *loop = &part->loops.items[i];
        int side = loop->slices[DMA_TARGET] > loop->slices[DMA_SOURCE] ? DMA_TARGET : DMA_SOURCE;
        int64_t step = loop->slices[side];
        if (!step || step >= network || network % step || loop->size <= network / step ||
            loop->size % (network / step) || part->at[side].slice % network >= step)
            continue;
        nest_loop(split, part, i++, network / step);
    }
}

static void order_loops(const Split *split, Part *part)
{
    PartLoops loops = {0};
    if (split->transfer->op->kind == OP_SCATTER || split->copies)
        return;
    cut_networks(split, part);
    for (int depth = 0; depth < 3; depth++)
        for (int64_t i = 0; i < part->loops.count; i++)
            if (depth_of(split, &part->loops.items[i]) == depth)
                *array_push(split->arena, &loops, PartLoop) = part->loops.items[i];
    part->loops = loops;
}

// ---- engines

static int64_t pair_slices(const Machine *machine)
{
    return machine->slices_per_dmn * machine->dmns_per_dma_engine;
}

static void add_job(const Split *split, const Part *part, int64_t packet, int64_t number)
{
    Part ordered = *part;
    const PartPlace *at = &part->at[split->side == DMA_TARGET ? DMA_TARGET : DMA_SOURCE];
    const Machine *machine = split->machine;
    Job job = {.packet = packet, .chip = at->chip, .cluster = at->cluster, .engine = number};
    if (split->spreads) {
        job.cluster = number / machine->dma_engines_per_cluster;
        job.engine = number % machine->dma_engines_per_cluster;
    }
    if (split->transfer->op->source->tensor->tier == TIER_HOST)
        job.chip = part->at[DMA_TARGET].chip;
    if (split->side == NO_SIDE && !split->spreads)
        job.cluster = -1;
    order_loops(split, &ordered);
    limit_loops(split, ordered, job);
}

// Each pair of networks has an engine: a loop that leaves the pair it starts in is cut there. Loops
// inside of it may still reach over; any engine can reach any slice.
static void cut_pairs(const Split *split, const Part *part, int64_t packet)
{
    int64_t pair = pair_slices(split->machine), widest = -1;
    for (int64_t i = 0; i < part->loops.count; i++) {
        const PartLoop *loop = &part->loops.items[i];
        int64_t step = loop->slices[split->side];
        int64_t first = part->at[split->side].slice % pair;
        if (first + (loop->size - 1) * step < pair)
            continue;
        if (widest < 0 || step > part->loops.items[widest].slices[split->side])
            widest = i;
    }
    int64_t slice = part->at[split->side].slice;
    if (widest < 0) {
        add_job(split, part, packet, slice / pair);
        return;
    }
    const PartLoop *loop = &part->loops.items[widest];
    int64_t here = ceil_div(pair - slice % pair, loop->slices[split->side]);
    Part first = cut(split, part, widest, 0, here);
    Part rest = cut(split, part, widest, here, loop->size - here);
    cut_pairs(split, &first, packet);
    cut_pairs(split, &rest, packet);
}

// The loop that is best shared among `engines`: the outermost of those it divides, else the
// longest.
static int64_t shared_loop(const Part *part, int64_t engines)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < part->loops.count; i++) {
        if (part->loops.items[i].size % engines == 0)
            return i;
        if (part->loops.items[i].size > part->loops.items[longest].size)
            longest = i;
    }
    return longest;
}

static void spread(Split *split, const Part *part, int64_t packet)
{
    int64_t engines = split->machine->dma_engines_per_chip;
    if (!part->loops.count) {
        add_job(split, part, packet, split->next++ % engines);
        return;
    }
    int64_t shared = shared_loop(part, engines), size = part->loops.items[shared].size, start = 0;
    int64_t sharers = min_i64(size, engines);
    for (int64_t i = 0; i < sharers; i++) {
        int64_t count = (size - start) / (sharers - i);
        Part share = cut(split, part, shared, start, count);
        add_job(split, &share, packet, split->next++ % engines);
        start += count;
    }
}

static void assign(Split *split, const Part *part, int64_t packet)
{
    if (split->spreads)
        spread(split, part, packet);
    else if (split->side == NO_SIDE || split->copies)
        add_job(split, part, packet, -1);
    else if (split->transfer->op->kind == OP_SCATTER)
        add_job(split, part, packet, 0); // one after the other
    else
        cut_pairs(split, part, packet);
}

// ---- packets

static int64_t iterations_of(const Part *part)
{
    int64_t count = 1;
    for (int64_t i = 0; i < part->loops.count; i++)
        if (!checked_mul(count, part->loops.items[i].size, &count))
            return INT64_MAX;
    return count;
}

// The part with its runs in packets, from `start` on.
static void add_packets(Split *split, const Part *part, int64_t start, int64_t count,
                        int64_t packet)
{
    Part result = *part;
    result.loops = copy_loops(split, &part->loops);
    result.run = packet;
    bool whole = start + count * packet == part->run;
    result.padding = whole ? part->padding : 0;
    for (int side = 0; side < 2; side++)
        result.at[side].address += start;
    if (count > 1) {
        int64_t bits = scalar_traits[split->transfer->op->source->tensor->type].packet_bits;
        int64_t elements = packet * split->transfer->unit_bits / bits;
        PartLoop loop = {.size = count, .strides = {packet, packet}, .mapping = part->run_term};
        if (elements && part->run_term.size % elements == 0 && !start)
            mapping_split(split->arena, &part->run_term, elements, &loop.mapping, &result.run_term);
        *array_push(split->arena, &result.loops, PartLoop) = loop;
    }
    assign(split, &result, packet);
}

// The largest packet that divides the runs, or the largest there is and a rest: that is a
// descriptor more to start, and pays where it saves as many requests. Padding at the end is part of
// the last packet only.
static void cut_packets(Split *split, const Part *part, int64_t limit)
{
    int64_t packet = dma_packet_of(part->run, split->transfer->align, limit);
    int64_t whole = part->run / limit, rest = part->run % limit;
    int64_t runs = iterations_of(part);
    int64_t even = part->run / packet * request_count(split, packet);
    int64_t uneven = whole * request_count(split, limit) + request_count(split, rest);
    int64_t saved = (even - uneven) * min_i64(runs, split->machine->dma_startup_cycles + 1);
    if (rest && saved > split->machine->dma_startup_cycles) {
        add_packets(split, part, 0, whole, limit);
        add_packets(split, part, whole * limit, 1, rest);
    } else if (part->padding && packet < part->run) {
        add_packets(split, part, 0, part->run / packet - 1, packet);
        add_packets(split, part, part->run - packet, 1, packet);
    } else {
        add_packets(split, part, 0, part->run / packet, packet);
    }
}

// A copy on the sub context goes through its sequencers, a write at a time, in all slices at once.
static bool is_copy(const Op *op)
{
    return op->kind == OP_PARALLEL_COPY || op->kind == OP_CHIP_SLICE ||
           op->kind == OP_CLUSTER_SLICE;
}

static Split split_new(const Transfer *transfer, Jobs *jobs)
{
    Tier source = transfer->sides[DMA_SOURCE].tensor->tier;
    Tier target = transfer->sides[DMA_TARGET].tensor->tier;
    Split split = {.transfer = transfer,
                   .machine = transfer->lower->machine,
                   .arena = transfer->lower->scratch,
                   .jobs = jobs,
                   .side = source == TIER_DM   ? DMA_SOURCE
                           : target == TIER_DM ? DMA_TARGET
                                               : NO_SIDE};
    split.copies = is_copy(transfer->op);
    split.spreads =
        source == TIER_HBM && target == TIER_HBM && transfer->op->context != CONTEXT_PDMA;
    return split;
}

void dma_split(const Transfer *transfer, const Parts *parts, Jobs *jobs)
{
    Split split = split_new(transfer, jobs);
    int64_t limit = split.machine->dma_packet_bytes * 8 / transfer->unit_bits;
    if (split.copies)
        limit = split.machine->commit_sub_bytes;
    for (int64_t i = 0; i < parts->count && jobs->count < DMA_MOST_PIECES; i++) {
        Part part = parts->items[i];
        merge(&split, &part);
        cut_packets(&split, &part, limit);
    }
}

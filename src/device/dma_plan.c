#include "device/dma_plan.h"

#include "base/checked.h"
#include "base/heap.h"
#include "command/meet.h"

#include <stdlib.h>

enum {
    HALF_BYTE = 4,
    MOST_PAIRS = 1 << 22,  // of sides of a command
    RUN_FROM = 1024,       // bytes: longer packets are copied one by one, in parts
    RUN_BLOCK = 256 << 10, // bytes of such a part
    TILE_RUN = 256,        // bytes that a tile should have side by side
    TILE_LEAST = 16,       // elements on a side
    TILE_BYTES = 16 << 10, // that a narrow tile should have
    JOB_BYTES = 512 << 10,
    ROW_COST = 64, // of a packet or run, beside its bytes
    SMALL_BYTES = 128 << 10,
};

// ---- flat addresses

// Where the slices of a place lie, in units.
typedef struct {
    int64_t whole; // addresses of a slice; 0: there are no slices
    int64_t held;  // what a slice takes in the memory of its chip
    int64_t first; // slice, in the chip
} Layout;

static Layout layout_of(const Machine *machine, const HwPlace *place, int64_t unit_bits)
{
    if (place->media != MEDIA_DM)
        return (Layout){0};
    return (Layout){machine->dm_virtual_slice_stride_bytes * BYTE_BITS / unit_bits,
                    slice_pitch(machine->dm_bytes_per_slice) * BYTE_BITS / unit_bits,
                    place->cluster * machine->slices_per_cluster};
}

static int64_t flat_stride(const Layout *layout, int64_t stride)
{
    if (!layout->whole)
        return stride;
    return stride + nearest_slices(stride, layout->whole) * (layout->held - layout->whole);
}

typedef struct {
    int64_t base;
    int64_t scale; // if the index names rows: from row to row
} FlatSide;

// One side of the loops of a descriptor, in units of that side.
static FlatSide flatten(const Machine *machine, const HwDescriptor *from, HwSide side, Nest *nest)
{
    Layout layout = layout_of(machine, side_place(from, side), side_unit(from, side));
    int64_t base = side_base(from, side);
    nest->count = from->loops.count;
    for (int64_t i = 0; i < nest->count; i++) {
        const HwDmaLoopEntry *loop = &from->loops.items[i];
        nest->loops[i].size = loop->limit;
        nest->loops[i].offsets = NULL;
        nest->loops[i].strides[side] = flat_stride(&layout, side_stride(loop, side));
    }
    if (layout.whole)
        base = (layout.first + base / layout.whole) * layout.held + base % layout.whole;
    bool has_rows = side_is_indirect(from, side);
    return (FlatSide){base, has_rows ? flat_stride(&layout, from->indirect->scale) : 0};
}

// ---- the walk of one side

// In half bytes (meet.h).
typedef struct {
    int64_t base, run;
    MeetLoop loops[NEST_MOST_LOOPS + 1];
    int64_t count;
} Walk;

_Static_assert((int)NEST_MOST_LOOPS < (int)MEET_MOST_LOOPS,
               "a walk has room for the loops of a side");

static void walk_step(Walk *walk, int64_t limit, int64_t stride)
{
    if (limit < 2 || !stride)
        return;
    if (stride < 0)
        walk->base += (limit - 1) * stride;
    walk->loops[walk->count++] = (MeetLoop){limit, llabs(stride)};
}

static MeetWalk walk_side(const Machine *machine, const HwDescriptor *from, HwSide side, Walk *walk)
{
    Nest nest;
    FlatSide flat = flatten(machine, from, side, &nest);
    int64_t halves = side_unit(from, side) / HALF_BYTE;
    walk->base = flat.base * halves;
    walk->run = side_packet(from, side) * halves;
    walk->count = 0;
    for (int64_t i = 0; i < nest.count; i++)
        walk_step(walk, nest.loops[i].size, nest.loops[i].strides[side] * halves);
    if (side_is_indirect(from, side))
        walk_step(walk, from->indirect->limit, flat.scale * halves);
    meet_join(walk->loops, &walk->count, &walk->run);
    return (MeetWalk){walk->base, walk->run, walk->loops, walk->count};
}

// ---- whether two sides meet

static bool sides_meet(const Machine *machine, const HwDescriptor *one, HwSide a,
                       const HwDescriptor *two, HwSide b)
{
    Walk first, second;
    MeetPiece piece;
    MeetWalk mine = walk_side(machine, one, a, &first);
    MeetWalk other = walk_side(machine, two, b, &second);
    return walks_meet(&mine, &other, &piece);
}

// An order of memories; 0: the same one.
static int compare_memories(const HwPlace *a, const HwPlace *b)
{
    int order = compare_i64(a->media, b->media);
    return order                    ? order
           : a->media == MEDIA_HOST ? compare_i64(a->tensor, b->tensor)
                                    : compare_i64(a->chip, b->chip);
}

// Whether the two sides of one descriptor have a byte in common, or could not be told apart.
static bool dma_sides_meet(const Machine *machine, const HwDescriptor *descriptor, HwSide a,
                           HwSide b)
{
    return !compare_memories(side_place(descriptor, a), side_place(descriptor, b)) &&
           sides_meet(machine, descriptor, a, descriptor, b);
}

// ---- the descriptors of a command

// A side, and between which half bytes all of it lies.
typedef struct {
    const HwDescriptor *descriptor;
    const HwPlace *place;
    HwSide side;
    int64_t low, high;
    int64_t next_write; // in order: the first that is written, from this one on
} Reach;

static Reach reach_of(const Machine *machine, const HwDescriptor *descriptor, HwSide side)
{
    Walk walk;
    MeetWalk all = walk_side(machine, descriptor, side, &walk);
    return (Reach){descriptor, side_place(descriptor, side), side,
                   all.base,   all.base + meet_extent(&all), 0};
}

ByteRange dma_side_range(const Machine *machine, const HwDescriptor *descriptor, HwSide side)
{
    Reach reach = reach_of(machine, descriptor, side);
    return (ByteRange){reach.low / 2, ceil_div(reach.high, 2)};
}

static int compare_reaches(const void *a, const void *b)
{
    const Reach *first = a, *second = b;
    return compare_by(compare_memories(first->place, second->place),
                      compare_i64(first->low, second->low));
}

static void find_writes(Reach *reaches, int64_t count)
{
    for (int64_t i = count - 1, next = count; i >= 0; i--) {
        if (reaches[i].side == SIDE_DEST)
            next = i;
        reaches[i].next_write = next;
    }
}

// The next that matters to `one` behind number `at`: reads do not mind each other.
static int64_t next_reach(const Reach *reaches, int64_t count, const Reach *one, int64_t at)
{
    bool all = one->side == SIDE_DEST || at + 1 == count;
    return all ? at + 1 : reaches[at + 1].next_write;
}

// Requires: in order.
static bool any_meet(const Machine *machine, const Reach *reaches, int64_t count)
{
    int64_t pairs = 0;
    for (int64_t i = 0; i < count; i++) {
        const Reach *one = &reaches[i];
        for (int64_t k = next_reach(reaches, count, one, i);
             k < count && reaches[k].low < one->high; k = next_reach(reaches, count, one, k)) {
            const Reach *two = &reaches[k];
            if (compare_memories(one->place, two->place))
                break;
            if (++pairs > MOST_PAIRS ||
                (one->descriptor != two->descriptor &&
                 sides_meet(machine, one->descriptor, one->side, two->descriptor, two->side)))
                return true;
        }
    }
    return false;
}

DmaMeeting dma_descriptors_meet(const Machine *machine, const HwDmaCommand *command)
{
    int64_t count = 0, descriptors = command->descriptors.count;
    if (descriptors < 2)
        return DMA_APART;
    Reach *reaches = heap_new(sizeof *reaches * (descriptors * SIDE_COUNT));
    if (!reaches)
        return DMA_NO_MEMORY;
    for (int64_t i = 0; i < descriptors; i++)
        for (HwSide side = 0; side < SIDE_COUNT; side++)
            if (side_place(&command->descriptors.items[i], side))
                reaches[count++] = reach_of(machine, &command->descriptors.items[i], side);
    qsort(reaches, count, sizeof *reaches, compare_reaches);
    find_writes(reaches, count);
    bool meet = any_meet(machine, reaches, count);
    heap_free(reaches);
    return meet ? DMA_MEETING : DMA_APART;
}

// ---- the loops of one descriptor

// From half bytes to bytes, if all of them are whole. What is padding there is not written at all.
static bool halve(DmaMove *move, Nest *nest)
{
    int64_t data = move->packet - move->padding;
    uint64_t all = (uint64_t)(move->base[SIDE_SOURCE] | move->base[SIDE_DEST] | move->scale | data);
    for (int64_t i = 0; i < nest->count; i++)
        all |= (uint64_t)(nest->loops[i].strides[SIDE_SOURCE] | nest->loops[i].strides[SIDE_DEST]);
    if (all % 2)
        return false;
    move->packet = data / 2, move->padding = 0, move->scale /= 2;
    for (HwSide side = SIDE_SOURCE; side <= SIDE_DEST; side++) {
        move->base[side] /= 2;
        for (int64_t i = 0; i < nest->count; i++)
            nest->loops[i].strides[side] /= 2;
    }
    return true;
}

// Sorts by stride, the largest outermost. Insertion sort: there are few loops, mostly in order.
static void sort_loops(Nest *nest, HwSide side)
{
    for (int64_t i = 1; i < nest->count; i++) {
        NestLoop loop = nest->loops[i];
        int64_t k = i;
        for (; k > 0 && nest->loops[k - 1].strides[side] < loop.strides[side]; k--)
            nest->loops[k] = nest->loops[k - 1];
        nest->loops[k] = loop;
    }
}

// Outermost the largest stride of the destination; all of them forward.
static void order_by_dest(DmaMove *move, Nest *nest)
{
    for (int64_t i = 0; i < nest->count; i++) {
        NestLoop *loop = &nest->loops[i];
        if (loop->strides[SIDE_DEST] >= 0)
            continue;
        for (HwSide side = SIDE_SOURCE; side <= SIDE_DEST; side++) {
            move->base[side] += (loop->size - 1) * loop->strides[side];
            loop->strides[side] = -loop->strides[side];
        }
    }
    sort_loops(nest, SIDE_DEST);
}

// Whether every packet goes to a place of its own. Requires: ordered by the destination.
static bool is_disjoint(const Nest *nest, int64_t packet)
{
    int64_t extent = packet;
    for (int64_t i = nest->count - 1; i >= 0; i--) {
        if (nest->loops[i].strides[SIDE_DEST] < extent)
            return false;
        extent += (nest->loops[i].size - 1) * nest->loops[i].strides[SIDE_DEST];
    }
    return true;
}

static void drop(Nest *nest, int64_t at)
{
    for (nest->count--; at < nest->count; at++)
        nest->loops[at] = nest->loops[at + 1];
}

// Joins loops that continue the one inside them on both sides, and packets likewise. Requires: the
// loops are sorted by destination, so that only neighbors can be joined.
static void join_loops(DmaMove *move, Nest *nest)
{
    nest->count = loops_join(nest->loops, nest->count);
    const NestLoop *last = nest->count ? &nest->loops[nest->count - 1] : NULL;
    if (!last || last->strides[SIDE_DEST] != move->packet ||
        last->strides[SIDE_SOURCE] != move->packet)
        return;
    move->packet *= last->size;
    nest->count--;
}

static DmaSteps keep_steps(DmaPlan *plan, const Nest *nest)
{
    DmaSteps steps = {&plan->pool[plan->pool_used], nest->count};
    for (int64_t i = 0; i < nest->count; i++)
        steps.items[i] = nest->loops[i];
    plan->pool_used += nest->count;
    return steps;
}

int64_t dma_steps_size(const DmaSteps *steps)
{
    int64_t size = 1;
    for (int64_t i = 0; i < steps->count; i++)
        size *= steps->items[i].size;
    return size;
}

// ---- spans

// Loops that lead at most `gap` further, or into the run, make the run longer.
static DmaSpans find_spans(DmaPlan *plan, const DmaMove *move, const Nest *from, HwSide side,
                           int64_t run, int64_t gap)
{
    Nest nest = {.count = 0};
    DmaSpans spans = {.base = move->base[side], .run = run};
    for (int64_t i = 0; i < from->count; i++) {
        int64_t size = from->loops[i].size, stride = from->loops[i].strides[side];
        if (stride < 0)
            spans.base += (size - 1) * stride;
        if (stride)
            nest.loops[nest.count++] = (NestLoop){size, {llabs(stride)}, NULL};
    }
    sort_loops(&nest, 0);
    for (; nest.count; nest.count--) {
        const NestLoop *inner = &nest.loops[nest.count - 1];
        if (inner->strides[0] > spans.run && inner->strides[0] > gap)
            break;
        spans.run += (inner->size - 1) * inner->strides[0];
    }
    nest.count = loops_join(nest.loops, nest.count);
    spans.steps = keep_steps(plan, &nest);
    return spans;
}

static void find_used(const Device *device, DmaPlan *plan, DmaMove *move, const Nest *nest)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    bool is_dm = move->descriptor->dest.media == MEDIA_DM;
    int64_t gap = is_dm ? slice_pitch(device->machine->dm_bytes_per_slice) - 1 : INT64_MAX;
    Nest all = *nest;
    if (side_is_indirect(move->descriptor, SIDE_DEST) && indirect->limit > 1)
        all.loops[all.count++] = (NestLoop){indirect->limit, {[SIDE_DEST] = move->scale}, NULL};
    move->used = find_spans(plan, move, &all, SIDE_DEST, move->packet, gap);
}

// ---- tiles

static NestLoop take_loop(Nest *nest, int64_t at)
{
    if (at < 0)
        return (NestLoop){.size = 1};
    NestLoop loop = nest->loops[at];
    drop(nest, at);
    return loop;
}

// The loop with the shortest way in the source, of those that have one. -1: none.
static int64_t find_near(const Nest *nest)
{
    int64_t best = -1;
    for (int64_t i = 0; i < nest->count; i++) {
        int64_t way = llabs(nest->loops[i].strides[SIDE_SOURCE]);
        if (way && (best < 0 || way <= llabs(nest->loops[best].strides[SIDE_SOURCE])))
            best = i;
    }
    return best;
}

// Which loops are inside: where the destination is side by side, and where the source is.
static void choose_tile(DmaMove *move, Nest *nest)
{
    if (move->packet >= RUN_FROM || !nest->count) {
        move->element = 1;
        move->cols = (NestLoop){move->packet, {1, 1}, NULL};
        move->rows = take_loop(nest, nest->count - 1);
        return;
    }
    int64_t near = find_near(nest), last = nest->count - 1;
    move->element = move->packet;
    if (near < 0 || near == last || nest->loops[last].strides[SIDE_SOURCE] == 0) {
        move->cols = take_loop(nest, last);
        move->rows = take_loop(nest, last - 1);
    } else {
        move->rows = take_loop(nest, last);
        move->cols = take_loop(nest, near);
    }
}

static void choose_blocks(DmaMove *move)
{
    int64_t rows = move->rows.size, cols = move->cols.size, element = move->element;
    int64_t step = move->cols.strides[SIDE_SOURCE];
    if ((step == element || step == 0) && move->cols.strides[SIDE_DEST] == element) {
        move->col_block = min_i64(cols, max_i64(1, RUN_BLOCK / element));
        move->row_block = min_i64(rows, max_i64(1, TILE_BYTES / (move->col_block * element)));
        return;
    }
    int64_t side = max_i64(TILE_LEAST, TILE_RUN / element);
    int64_t narrow = max_i64(1, TILE_BYTES / element);
    move->row_block = min_i64(rows, max_i64(side, narrow / min_i64(cols, side)));
    move->col_block = min_i64(cols, max_i64(side, narrow / min_i64(rows, side)));
}

// What was worked out for the loops inside becomes loops over blocks of them.
static NestLoop blocks_of(const NestLoop *loop, int64_t block)
{
    return (NestLoop){ceil_div(loop->size, block),
                      {loop->strides[SIDE_SOURCE] * block, loop->strides[SIDE_DEST] * block},
                      NULL};
}

static void plan_tiles(DmaPlan *plan, DmaMove *move, Nest *nest)
{
    int64_t packet = move->packet, data = packet - move->padding;
    // what lies between short runs mostly has a value, too; otherwise tiles will tell
    move->spans[DMA_READ] =
        find_spans(plan, move, nest, SIDE_SOURCE, data, data < BYTE_BITS ? 64 : 0);
    move->spans[DMA_MARK] = find_spans(plan, move, nest, SIDE_DEST, data, 0);
    if (move->padding) {
        move->spans[DMA_CLEAR] = find_spans(plan, move, nest, SIDE_DEST, move->padding, 0);
        move->spans[DMA_CLEAR].base += data;
    }
    join_loops(move, nest);
    choose_tile(move, nest);
    choose_blocks(move);
    nest->loops[nest->count++] = blocks_of(&move->cols, move->col_block);
    nest->loops[nest->count++] = blocks_of(&move->rows, move->row_block);
    move->steps = keep_steps(plan, nest);
    move->units = dma_steps_size(&move->steps);
}

// ---- jobs

static bool add_jobs(DmaJobs *jobs, DmaJob job, int64_t units, int64_t unit_bytes)
{
    int64_t step = max_i64(1, JOB_BYTES / (unit_bytes + ROW_COST));
    for (job.from = 0; job.from < units; job.from = job.to) {
        job.to = min_i64(units, job.from + step);
        DmaJob *last = heap_append(jobs, DmaJob);
        if (!last)
            return false;
        *last = job;
    }
    return true;
}

// A byte of marks stands for eight.
static bool add_span_jobs(DmaPlan *plan, int64_t number, DmaWork work)
{
    const DmaSpans *spans = &plan->moves[number].spans[work];
    int64_t blocks = ceil_div(spans->run, DMA_SPAN_BLOCK);
    DmaJobs *jobs = work == DMA_READ    ? &plan->jobs.reads
                    : work == DMA_CLEAR ? &plan->jobs.clears
                                        : &plan->jobs.moving;
    return add_jobs(jobs, (DmaJob){.move = number, .work = work},
                    dma_steps_size(&spans->steps) * blocks,
                    min_i64(spans->run, DMA_SPAN_BLOCK) / BYTE_BITS);
}

static bool add_tile_jobs(DmaPlan *plan, int64_t number)
{
    const DmaMove *move = &plan->moves[number];
    return add_span_jobs(plan, number, DMA_READ) && add_span_jobs(plan, number, DMA_MARK) &&
           add_span_jobs(plan, number, DMA_CLEAR) &&
           add_jobs(&plan->jobs.moving, (DmaJob){.move = number, .work = DMA_MOVE}, move->units,
                    move->row_block * move->col_block * move->element);
}

// ---- plans

static bool plan_rows(DmaPlan *plan, DmaMove *move, const Nest *nest, DmaJobs *jobs)
{
    move->steps = keep_steps(plan, nest);
    move->units = dma_steps_size(&move->steps);
    return add_jobs(jobs, (DmaJob){.move = move - plan->moves, .work = DMA_MOVE}, move->units,
                    move->packet);
}

static bool plan_move(const Device *device, DmaPlan *plan, int64_t number, const HwDescriptor *from)
{
    const Machine *machine = device->machine;
    DmaMove *move = &plan->moves[number];
    Nest nest = {.count = 0}, sorted;
    move->descriptor = from;
    for (HwSide side = 0; side < SIDE_COUNT && side_place(from, side); side++) {
        FlatSide flat = flatten(machine, from, side, &nest);
        move->base[side] = flat.base;
        move->scale += flat.scale;
    }
    nest.count = loops_join(nest.loops, nest.count);
    move->packet = from->packet_bytes;
    move->padding = from->padding_bits / from->unit_bits;
    move->writes_index = from->indirect && dma_sides_meet(machine, from, SIDE_INDEX, SIDE_DEST);
    if (from->unit_bits != BYTE_BITS && !halve(move, &nest)) {
        move->way = DMA_HALVES;
        return plan_rows(plan, move, &nest, &plan->jobs.in_order);
    }
    find_used(device, plan, move, &nest);
    DmaMove turned = *move;
    sorted = nest;
    order_by_dest(&turned, &sorted);
    bool is_free = is_disjoint(&sorted, move->packet) && !move->writes_index &&
                   !dma_sides_meet(machine, from, SIDE_SOURCE, SIDE_DEST);
    if (is_free && !from->indirect) {
        *move = turned;
        move->way = DMA_TILES;
        plan_tiles(plan, move, &sorted);
        return add_tile_jobs(plan, number);
    }
    move->way = DMA_ROWS;
    return plan_rows(plan, move, &nest,
                     is_free && from->indirect->is_source ? &plan->jobs.moving
                                                          : &plan->jobs.in_order);
}

// Bytes that the plan moves, roughly.
static bool is_small(const HwDmaCommand *command)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < command->descriptors.count && bytes < SMALL_BYTES; i++) {
        const HwDescriptor *from = &command->descriptors.items[i];
        int64_t moved = from->packet_bytes + ROW_COST;
        for (int64_t k = 0; k < from->loops.count && moved < SMALL_BYTES; k++)
            moved *= from->loops.items[k].limit;
        bytes += moved;
    }
    return bytes < SMALL_BYTES;
}

// The most steps that the plan of a descriptor has: its own with blocks, four spans, and rows.
static int64_t most_steps(const HwDescriptor *from)
{
    enum { NESTS = 5, MORE = 3 };
    return NESTS * from->loops.count + MORE;
}

DmaPlan *dma_plan_new(const Device *device, const HwDmaCommand *command)
{
    DmaPlan *plan = heap_zeroed(1, sizeof *plan);
    if (!plan)
        return NULL;
    int64_t count = command->descriptors.count, steps = 1;
    for (int64_t i = 0; i < count; i++)
        steps += most_steps(&command->descriptors.items[i]);
    plan->move_count = count;
    plan->is_small = is_small(command);
    plan->moves = heap_zeroed(count + 1, sizeof *plan->moves);
    plan->pool = heap_zeroed(steps, sizeof *plan->pool);
    DmaMeeting meeting = dma_descriptors_meet(device->machine, command);
    plan->is_ordered = meeting == DMA_MEETING;
    bool ok = plan->moves && plan->pool && meeting != DMA_NO_MEMORY;
    for (int64_t i = 0; i < count && ok; i++)
        ok = plan_move(device, plan, i, &command->descriptors.items[i]);
    if (ok)
        return plan;
    dma_plan_free(plan);
    return NULL;
}

void dma_plan_free(DmaPlan *plan)
{
    if (!plan)
        return;
    heap_free(plan->jobs.reads.items);
    heap_free(plan->jobs.moving.items);
    heap_free(plan->jobs.clears.items);
    heap_free(plan->jobs.in_order.items);
    heap_free(plan->pool);
    heap_free(plan->moves);
    heap_free(plan);
}

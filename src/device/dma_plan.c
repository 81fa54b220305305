#include "device/dma_plan.h"

#include "base/checked.h"
#include "base/heap.h"
#include "device/dma_reach.h"

#include <stdlib.h>

enum {
    BYTE_BITS = 8,
    RUN_FROM = 1024,       // bytes: longer packets are copied one by one, in parts
    RUN_BLOCK = 256 << 10, // bytes of such a part
    TILE_RUN = 256,        // bytes that a tile should have side by side
    TILE_LEAST = 16,       // elements on a side
    TILE_BYTES = 16 << 10, // that a narrow tile should have
    JOB_BYTES = 512 << 10,
    ROW_COST = 64, // of a packet or run, beside its bytes
    SMALL_BYTES = 128 << 10,
};

// ---- the loops of one descriptor

// In the order of the descriptor, with room for what is added.
typedef struct {
    DmaStep items[DMA_MOST_STEPS];
    int64_t count;
} Loops;

static void flatten(const Machine *machine, const HwDescriptor *from, DmaMove *move, Loops *loops)
{
    const HwDmaIndirect *indirect = from->indirect;
    DmaLayout source = dma_layout(machine, &from->source, from->unit_bits);
    DmaLayout dest = dma_layout(machine, &from->dest, from->unit_bits), index = {0};
    move->descriptor = from;
    move->source = dma_flat_base(&source, from->source_base);
    move->dest = dma_flat_base(&dest, from->dest_base);
    if (indirect) {
        index = dma_layout(machine, &indirect->index, BYTE_BITS);
        move->index = dma_flat_base(&index, indirect->base);
        move->scale = dma_flat_stride(indirect->is_source ? &source : &dest, indirect->scale);
    }
    loops->count = 0;
    for (int64_t i = 0; i < from->loops.count; i++) {
        const HwDmaLoopEntry *loop = &from->loops.items[i];
        if (loop->limit > 1)
            loops->items[loops->count++] =
                (DmaStep){loop->limit, dma_flat_stride(&source, loop->source_stride),
                          dma_flat_stride(&dest, loop->dest_stride),
                          indirect ? dma_flat_stride(&index, loop->index_stride) : 0};
    }
}

// From half bytes to bytes, if all of them are whole. What is padding there is not written at all.
static bool halve(DmaMove *move, Loops *loops)
{
    int64_t data = move->packet - move->padding;
    uint64_t all = (uint64_t)(move->source | move->dest | move->scale | data);
    for (int64_t i = 0; i < loops->count; i++)
        all |= (uint64_t)(loops->items[i].source | loops->items[i].dest);
    if (all % 2)
        return false;
    move->source /= 2, move->dest /= 2, move->scale /= 2;
    move->packet = data / 2, move->padding = 0;
    for (int64_t i = 0; i < loops->count; i++)
        loops->items[i].source /= 2, loops->items[i].dest /= 2;
    return true;
}

// Insertion: there are few, and mostly in order.
static void sort_by_dest(Loops *loops)
{
    for (int64_t i = 1; i < loops->count; i++) {
        DmaStep step = loops->items[i];
        int64_t k = i;
        for (; k > 0 && loops->items[k - 1].dest < step.dest; k--)
            loops->items[k] = loops->items[k - 1];
        loops->items[k] = step;
    }
}

// Outermost the largest stride of the destination; all of them forward.
static void order_by_dest(DmaMove *move, Loops *loops)
{
    for (int64_t i = 0; i < loops->count; i++) {
        DmaStep *step = &loops->items[i];
        if (step->dest >= 0)
            continue;
        move->source += (step->limit - 1) * step->source;
        move->dest += (step->limit - 1) * step->dest;
        step->source = -step->source, step->dest = -step->dest;
    }
    sort_by_dest(loops);
}

// Whether every packet goes to a place of its own. Requires: ordered by the destination.
static bool is_disjoint(const Loops *loops, int64_t packet)
{
    int64_t extent = packet;
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        if (loops->items[i].dest < extent)
            return false;
        extent += (loops->items[i].limit - 1) * loops->items[i].dest;
    }
    return true;
}

static void drop(Loops *loops, int64_t at)
{
    for (loops->count--; at < loops->count; at++)
        loops->items[at] = loops->items[at + 1];
}

// Loops that go on where the one inside ends, on both sides, are one. Requires: ordered by the
// destination, so that only neighbours can be.
static void merge_loops(DmaMove *move, Loops *loops)
{
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        DmaStep *step = &loops->items[i], *inner = step + 1;
        if (i == loops->count - 1) {
            if (step->dest == move->packet && step->source == move->packet) {
                move->packet *= step->limit;
                drop(loops, i);
            }
        } else if (step->dest == inner->dest * inner->limit &&
                   step->source == inner->source * inner->limit) {
            inner->limit *= step->limit;
            drop(loops, i);
        }
    }
}

// ---- spans

static int64_t stride_of(const DmaStep *step, bool is_source)
{
    return is_source ? step->source : step->dest;
}

// Loops that lead at most `gap` further, or into the run, make the run longer.
static DmaSpans find_spans(DmaPlan *plan, const DmaMove *move, const Loops *from, bool is_source,
                           int64_t run, int64_t gap)
{
    Loops loops = {.count = 0}; // by the field `dest`
    DmaSpans spans = {
        {&plan->pool[plan->pool_used], 0}, is_source ? move->source : move->dest, run};
    for (int64_t i = 0; i < from->count; i++) {
        int64_t limit = from->items[i].limit, stride = stride_of(&from->items[i], is_source);
        if (stride < 0)
            spans.base += (limit - 1) * stride;
        if (stride)
            loops.items[loops.count++] = (DmaStep){.limit = limit, .dest = llabs(stride)};
    }
    sort_by_dest(&loops);
    for (; loops.count; loops.count--) {
        const DmaStep *inner = &loops.items[loops.count - 1];
        if (inner->dest > spans.run && inner->dest > gap)
            break;
        spans.run += (inner->limit - 1) * inner->dest;
    }
    for (int64_t i = 0; i < loops.count; i++) {
        const DmaStep *inner = &loops.items[i];
        DmaStep *outer = i ? &spans.steps.items[spans.steps.count - 1] : NULL;
        if (outer && outer->dest == inner->dest * inner->limit)
            *outer = (DmaStep){.limit = outer->limit * inner->limit, .dest = inner->dest};
        else
            spans.steps.items[spans.steps.count++] = *inner;
    }
    plan->pool_used += spans.steps.count;
    return spans;
}

static int64_t runs_of(const DmaSpans *spans)
{
    int64_t runs = 1;
    for (int64_t i = 0; i < spans->steps.count; i++)
        runs *= spans->steps.items[i].limit;
    return runs;
}

static void find_used(const Device *device, DmaPlan *plan, DmaMove *move, const Loops *loops)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    bool is_dm = move->descriptor->dest.media == MEDIA_DM;
    int64_t gap = is_dm ? slice_pitch(device->machine->dm_bytes_per_slice) - 1 : INT64_MAX;
    Loops all = *loops;
    if (indirect && !indirect->is_source && indirect->limit > 1)
        all.items[all.count++] = (DmaStep){.limit = indirect->limit, .dest = move->scale};
    move->used = find_spans(plan, move, &all, false, move->packet, gap);
}

// ---- tiles

static DmaStep take_step(Loops *loops, int64_t at)
{
    if (at < 0)
        return (DmaStep){.limit = 1};
    DmaStep step = loops->items[at];
    drop(loops, at);
    return step;
}

// The loop with the shortest way in the source, of those that have one. -1: none.
static int64_t find_near(const Loops *loops)
{
    int64_t best = -1;
    for (int64_t i = 0; i < loops->count; i++) {
        int64_t way = llabs(loops->items[i].source);
        if (way && (best < 0 || way <= llabs(loops->items[best].source)))
            best = i;
    }
    return best;
}

// Which loops are inside: where the destination is side by side, and where the source is.
static void choose_tile(DmaMove *move, Loops *loops)
{
    if (move->packet >= RUN_FROM || !loops->count) {
        move->element = 1;
        move->cols = (DmaStep){.limit = move->packet, .source = 1, .dest = 1};
        move->rows = take_step(loops, loops->count - 1);
        return;
    }
    int64_t near = find_near(loops), last = loops->count - 1;
    move->element = move->packet;
    if (near < 0 || near == last || loops->items[last].source == 0) {
        move->cols = take_step(loops, last);
        move->rows = take_step(loops, last - 1);
    } else {
        move->rows = take_step(loops, last);
        move->cols = take_step(loops, near);
    }
}

static void choose_blocks(DmaMove *move)
{
    int64_t rows = move->rows.limit, cols = move->cols.limit, element = move->element;
    bool is_run = move->cols.source == element || move->cols.source == 0;
    if (is_run && move->cols.dest == element) {
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
static DmaStep blocks_of(const DmaStep *step, int64_t block)
{
    return (DmaStep){ceil_div(step->limit, block), step->source * block, step->dest * block, 0};
}

static void keep_steps(DmaPlan *plan, DmaMove *move, const Loops *loops)
{
    move->steps = (DmaSteps){&plan->pool[plan->pool_used], loops->count};
    move->units = 1;
    for (int64_t i = 0; i < loops->count; i++) {
        move->steps.items[i] = loops->items[i];
        move->units *= loops->items[i].limit;
    }
    plan->pool_used += loops->count;
}

static void plan_tiles(DmaPlan *plan, DmaMove *move, Loops *loops)
{
    int64_t packet = move->packet, data = packet - move->padding;
    // what lies between short runs mostly has a value, too; otherwise tiles will tell
    move->spans[DMA_READ] = find_spans(plan, move, loops, true, data, data < BYTE_BITS ? 64 : 0);
    move->spans[DMA_MARK] = find_spans(plan, move, loops, false, data, 0);
    if (move->padding) {
        move->spans[DMA_CLEAR] = find_spans(plan, move, loops, false, move->padding, 0);
        move->spans[DMA_CLEAR].base += data;
    }
    merge_loops(move, loops);
    choose_tile(move, loops);
    choose_blocks(move);
    loops->items[loops->count++] = blocks_of(&move->cols, move->col_block);
    loops->items[loops->count++] = blocks_of(&move->rows, move->row_block);
    keep_steps(plan, move, loops);
}

// ---- jobs

static bool add_jobs(DmaJobs *jobs, DmaJob job, int64_t units, int64_t unit_bytes)
{
    int64_t step = max_i64(1, JOB_BYTES / (unit_bytes + ROW_COST));
    for (job.from = 0; job.from < units; job.from = job.to) {
        job.to = min_i64(units, job.from + step);
        if (jobs->count == jobs->capacity) {
            int64_t capacity = jobs->capacity * 2 + 4;
            DmaJob *items = heap_resize(jobs->items, sizeof *items * (size_t)capacity);
            if (!items)
                return false;
            jobs->items = items;
            jobs->capacity = capacity;
        }
        jobs->items[jobs->count++] = job;
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
    return add_jobs(jobs, (DmaJob){.move = number, .work = work}, runs_of(spans) * blocks,
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

static bool plan_move(const Device *device, DmaPlan *plan, int64_t number, const HwDescriptor *from)
{
    DmaMove *move = &plan->moves[number];
    Loops loops, sorted;
    flatten(device->machine, from, move, &loops);
    move->packet = from->packet_bytes;
    move->padding = from->padding_bits / from->unit_bits;
    move->writes_index =
        from->indirect && dma_sides_meet(device->machine, from, DMA_SIDE_INDEX, DMA_SIDE_DEST);
    if (from->unit_bits != BYTE_BITS && !halve(move, &loops)) {
        move->way = DMA_HALVES;
        keep_steps(plan, move, &loops);
        return add_jobs(&plan->jobs.in_order, (DmaJob){.move = number, .work = DMA_MOVE},
                        move->units, move->packet);
    }
    find_used(device, plan, move, &loops);
    DmaMove turned = *move;
    sorted = loops;
    order_by_dest(&turned, &sorted);
    bool is_free = is_disjoint(&sorted, move->packet) && !move->writes_index &&
                   !dma_sides_meet(device->machine, from, DMA_SIDE_SOURCE, DMA_SIDE_DEST);
    if (is_free && !from->indirect) {
        *move = turned;
        move->way = DMA_TILES;
        plan_tiles(plan, move, &sorted);
        return add_tile_jobs(plan, number);
    }
    move->way = DMA_ROWS;
    keep_steps(plan, move, &loops);
    return add_jobs(is_free && from->indirect->is_source ? &plan->jobs.moving
                                                         : &plan->jobs.in_order,
                    (DmaJob){.move = number, .work = DMA_MOVE}, move->units, move->packet);
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
    plan->moves = heap_zeroed((size_t)count + 1, sizeof *plan->moves);
    plan->pool = heap_zeroed((size_t)steps, sizeof *plan->pool);
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

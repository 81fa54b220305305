// DMA descriptors, executed by their plans. dma.def says what they mean.
//
// Bytes and marks go ways of their own. Where everything that is read has a value, which is looked
// at first, all that is written gets one, run by run of the destination; otherwise marks follow the
// bytes tile by tile. Threads share bytes of marks only at the ends of runs (MARKS_SHARED).
#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "device/dma_plan.h"
#include "device/loops/copy.h"
#include "device/memory.h"

#include <string.h>

enum { INDEX_BYTES = 4, ROW_BATCH = 16 };

// A memory with flat addresses, or the part of it that has all of a side.
typedef struct {
    uint8_t *bytes, *marks;
    int64_t size;
    int64_t from; // the address of the first byte
} DmaView;

// One execution of a plan.
typedef struct {
    Device *device;
    const DmaPlan *plan;
    Watched watched;
    uint8_t *is_mixed; // by move: something that it reads may have no value
    MarksUse use;
    bool unknown; // an index has no value: it is to end, too
} DmaRun;

// Requires: dma_execute made the host's tensors. Without an index the view is empty.
static DmaView view_of(const DmaRun *run, const DmaMove *move, HwSide side)
{
    const HwPlace *place = side_place(move->descriptor, side);
    int64_t units = BYTE_BITS / side_unit(move->descriptor, side); // of a byte
    if (!place)
        return (DmaView){0};
    if (place->media == MEDIA_DM) {
        const Chip *chip = &run->device->chips[place->chip];
        return (DmaView){chip->dm_space.bytes.bytes, chip->dm_space.written.bytes,
                         chip->dm_space.bytes.size, 0};
    }
    units = move->way == DMA_HALVES ? units : 1;
    HbmPart part = place->media == MEDIA_HOST
                       ? (HbmPart){device_host(run->device, place->tensor), 0}
                       : chip_hbm(&run->device->chips[place->chip], move->base[side] / units);
    return (DmaView){part.memory->bytes, part.memory->written, part.memory->size, part.from};
}

// ---- tiles

static void mark_element(const CopyTile *tile, const DmaView *source, const DmaView *dest,
                         int64_t row, int64_t col, int64_t count, MarksUse use)
{
    int64_t from = tile->source - source->bytes + row * tile->source_row + col * tile->source_col;
    int64_t to = tile->dest - dest->bytes + row * tile->dest_row + col * tile->dest_col;
    marks_copy(dest->marks, to, source->marks, from, count, use);
}

static bool tile_has_values(const CopyTile *tile, const DmaView *source)
{
    int64_t from = tile->source - source->bytes;
    if (tile->source_col != tile->bytes)
        return false; // perhaps; the elements will say
    for (int64_t i = 0; i < tile->rows; i++, from += tile->source_row)
        if (!marks_are_set(source->marks, from, from + tile->cols * tile->bytes))
            return false;
    return true;
}

// The marks of what copy_tile copies.
static void mark_tile(const CopyTile *tile, const DmaView *source, const DmaView *dest,
                      MarksUse use)
{
    int64_t to = tile->dest - dest->bytes;
    bool rows_are_runs = tile->source_col == tile->bytes && tile->dest_col == tile->bytes;
    if (tile->dest_row == tile->bytes && !rows_are_runs && tile_has_values(tile, source)) {
        for (int64_t k = 0; k < tile->cols; k++, to += tile->dest_col)
            marks_set(dest->marks, to, to + tile->rows * tile->bytes, use);
        return;
    }
    for (int64_t i = 0; i < tile->rows; i++)
        for (int64_t k = 0; k < (rows_are_runs ? 1 : tile->cols); k++)
            mark_element(tile, source, dest, i, k, (rows_are_runs ? tile->cols : 1) * tile->bytes,
                         use);
}

static void move_tiles(DmaRun *run, const DmaJob *job)
{
    const DmaMove *move = &run->plan->moves[job->move];
    const DmaView source = view_of(run, move, SIDE_SOURCE), dest = view_of(run, move, SIDE_DEST);
    uint8_t *to = dest.bytes + (move->base[SIDE_DEST] - dest.from);
    const uint8_t *from = source.bytes + (move->base[SIDE_SOURCE] - source.from);
    const CopyLoops *loops = LOOPS_CHOICE(CopyLoops, copy_loops)[run->device->isa];
    const int64_t last = move->steps.count - 1; // blocks of rows; before it, blocks of columns
    CopyTile tile = {.bytes = move->element,
                     .dest_row = move->rows.strides[SIDE_DEST],
                     .dest_col = move->cols.strides[SIDE_DEST],
                     .source_row = move->rows.strides[SIDE_SOURCE],
                     .source_col = move->cols.strides[SIDE_SOURCE]};
    NestWalk walk;
    nest_seek(&walk, move->steps.items, move->steps.count, job->from);
    for (int64_t i = job->from; i < job->to; i++, nest_skip(&walk, 1)) {
        tile.dest = to + walk.at[SIDE_DEST];
        tile.source = from + walk.at[SIDE_SOURCE];
        tile.rows = min_i64(move->row_block, move->rows.size - walk.index[last] * move->row_block);
        tile.cols =
            min_i64(move->col_block, move->cols.size - walk.index[last - 1] * move->col_block);
        loops->tile(&tile);
        if (run->is_mixed[job->move])
            mark_tile(&tile, &source, &dest, run->use);
    }
}

// ---- rows

typedef enum { ROW_MOVES, ROW_BEYOND, ROW_UNKNOWN } RowEnd;

// What an entry of the index adds to the side whose places are data.
static RowEnd find_row(const DmaMove *move, const DmaView *index, int64_t at, int64_t *offset)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    if (!marks_are_set(index->marks, at, at + INDEX_BYTES))
        return ROW_UNKNOWN;
    const uint8_t *bytes = index->bytes + at;
    uint32_t value = 0;
    for (int32_t i = 0; i < INDEX_BYTES; i++)
        value |= (uint32_t)bytes[i] << i * BYTE_BITS;
    uint64_t row = (uint64_t)(int64_t)(int32_t)value / (uint64_t)indirect->divisor;
    if (row >= (uint64_t)indirect->limit)
        return ROW_BEYOND;
    *offset = (int64_t)row * move->scale;
    return ROW_MOVES;
}

static void move_bytes(const DmaRun *run, const DmaMove *move, const DmaView *source,
                       const DmaView *dest, int64_t from, int64_t to)
{
    int64_t data = move->packet - move->padding;
    memmove(dest->bytes + to, source->bytes + from, move->packet);
    marks_copy(dest->marks, to, source->marks, from, data, run->use);
    marks_clear(dest->marks, to + data, to + move->packet, run->use);
}

// Bytes of a memory of the machine.
static void use_range(Device *device, const HwPlace *place, int64_t from, int64_t to)
{
    int64_t size = device->machine->dm_bytes_per_slice, pitch = slice_pitch(size);
    if (place->media == MEDIA_HOST)
        memory_use(device_host(device, place->tensor), from, to);
    else if (place->media == MEDIA_HBM)
        memory_use(&device->chips[place->chip].hbm, from, to);
    else
        for (int64_t slice = from / pitch; slice * pitch < to; slice++)
            memory_use(&device->chips[place->chip].slices[slice].dm,
                       max_i64(0, from - slice * pitch), min_i64(size, to - slice * pitch));
}

// Units of half bytes are elements of 4 bits: only from and to the host, and in order.
static void move_halves(const DmaRun *run, const DmaMove *move, const DmaView *source,
                        const DmaView *dest, int64_t from, int64_t to)
{
    uint32_t bits[ELEMENT_BLOCK];
    uint8_t live[ELEMENT_BLOCK];
    const Memory in = {.bytes = source->bytes, .written = source->marks, .size = source->size};
    Memory out = {.bytes = dest->bytes, .written = dest->marks, .size = dest->size};
    out.part_shift = 63; // where it is used is said below
    int64_t data = move->packet - move->padding;
    for (int64_t i = 0; i < data; i += ELEMENT_BLOCK) {
        int64_t count = min_i64(data - i, ELEMENT_BLOCK);
        memory_load(&in, SCALAR_I4, (from + i) * 4, count, bits, live);
        memory_store(&out, SCALAR_I4, (to + i) * 4, count, bits, live);
    }
    use_range(run->device, &move->descriptor->dest, to / 2, ceil_div(to + data, 2));
}

// Rows that are looked up before the first of them is moved, so that their bytes are on the way.
typedef struct {
    int64_t from[ROW_BATCH], to[ROW_BATCH];
    int64_t count;
} RowBatch;

static void fetch_row(const DmaMove *move, const DmaView *source, const DmaView *dest, int64_t from,
                      int64_t to)
{
    enum { LINE = 64, AHEAD = 256 };
    for (int64_t i = 0; i < min_i64(move->packet, AHEAD); i += LINE) {
        __builtin_prefetch(source->bytes + from + i, 0);
        __builtin_prefetch(dest->bytes + to + i, 1);
    }
}

// From where the walk is to iteration `end` at most. The iteration it comes to; -1: an index has no
// value.
static int64_t take_rows(const DmaMove *move, const DmaView views[SIDE_COUNT], NestWalk *walk,
                         int64_t at, int64_t end, RowBatch *batch)
{
    const HwDmaIndirect *indirect = move->descriptor->indirect;
    int64_t most = move->writes_index ? 1 : ROW_BATCH;
    for (batch->count = 0; at < end && batch->count < most; at++, nest_skip(walk, 1)) {
        int64_t places[SIDE_COUNT], offset = 0;
        for (HwSide side = 0; side < SIDE_COUNT; side++)
            places[side] = move->base[side] - views[side].from + walk->at[side];
        int64_t from = places[SIDE_SOURCE], to = places[SIDE_DEST];
        RowEnd row =
            indirect ? find_row(move, &views[SIDE_INDEX], places[SIDE_INDEX], &offset) : ROW_MOVES;
        if (row == ROW_UNKNOWN)
            return -1;
        if (row == ROW_BEYOND)
            continue;
        *(indirect && !indirect->is_source ? &to : &from) += offset;
        if (indirect && move->way == DMA_ROWS)
            fetch_row(move, &views[0], &views[1], from, to);
        batch->from[batch->count] = from;
        batch->to[batch->count++] = to;
    }
    return at;
}

static void move_rows(DmaRun *run, const DmaJob *job)
{
    const DmaMove *move = &run->plan->moves[job->move];
    DmaView views[SIDE_COUNT];
    RowBatch batch;
    NestWalk walk;
    for (HwSide side = 0; side < SIDE_COUNT; side++)
        views[side] = view_of(run, move, side);
    nest_seek(&walk, move->steps.items, move->steps.count, job->from);
    for (int64_t i = job->from; i >= 0 && i < job->to;) {
        i = take_rows(move, views, &walk, i, job->to, &batch);
        for (int64_t k = 0; k < batch.count; k++)
            (move->way == DMA_HALVES ? move_halves : move_bytes)(
                run, move, &views[SIDE_SOURCE], &views[SIDE_DEST], batch.from[k], batch.to[k]);
        if (i < 0) {
            __atomic_store_n(&run->unknown, true, __ATOMIC_RELAXED);
            __atomic_store_n(&run->watched.stop, true, __ATOMIC_RELAXED);
        }
    }
}

// ---- spans

// False: something has no value.
static bool span_runs(uint8_t *marks, DmaWork work, MarkRuns runs, MarksUse use)
{
    if (work == DMA_READ)
        return marks_runs_are_set(marks, runs);
    (work == DMA_MARK ? marks_set_runs : marks_clear_runs)(marks, runs, use);
    return true;
}

// Runs that are short enough to be blocks.
static bool span_short(const DmaJob *job, const DmaSpans *spans, uint8_t *marks, MarksUse use)
{
    int64_t last = spans->steps.count - 1;
    const NestLoop *inner = last < 0 ? &(NestLoop){.size = 1} : &spans->steps.items[last];
    bool ok = true;
    NestWalk walk;
    nest_seek(&walk, spans->steps.items, last + 1, job->from);
    for (int64_t i = job->from, count; i < job->to && ok; i += count) {
        count = last < 0 ? 1 : min_i64(job->to - i, inner->size - walk.index[last]);
        ok = span_runs(marks, job->work,
                       (MarkRuns){spans->base + walk.at[0], spans->run, count, inner->strides[0]},
                       use);
        nest_skip(&walk, count);
    }
    return ok;
}

static bool span_blocks(const DmaJob *job, const DmaSpans *spans, uint8_t *marks, MarksUse use)
{
    int64_t blocks = ceil_div(spans->run, DMA_SPAN_BLOCK);
    if (blocks == 1)
        return span_short(job, spans, marks, use);
    bool ok = true;
    for (int64_t i = job->from; i < job->to && ok; i++) {
        NestWalk walk;
        nest_seek(&walk, spans->steps.items, spans->steps.count, i / blocks);
        int64_t done = i % blocks * DMA_SPAN_BLOCK, bytes = spans->run - done;
        MarkRuns runs = {spans->base + walk.at[0] + done, min_i64(bytes, DMA_SPAN_BLOCK), 1, 0};
        ok = span_runs(marks, job->work, runs, use);
    }
    return ok;
}

static void span_job(DmaRun *run, const DmaJob *job)
{
    const DmaMove *move = &run->plan->moves[job->move];
    uint8_t *is_mixed = &run->is_mixed[job->move];
    if (job->work != DMA_CLEAR && __atomic_load_n(is_mixed, __ATOMIC_RELAXED))
        return;
    const DmaView view = view_of(run, move, job->work == DMA_READ ? SIDE_SOURCE : SIDE_DEST);
    DmaSpans spans = move->spans[job->work];
    spans.base -= view.from;
    if (!span_blocks(job, &spans, view.marks, run->use))
        __atomic_store_n(is_mixed, 1, __ATOMIC_RELAXED);
}

static void use_all(Device *device, const DmaPlan *plan)
{
    for (int64_t i = 0; i < plan->move_count; i++) {
        const DmaMove *move = &plan->moves[i];
        int64_t runs = move->way == DMA_HALVES ? 0 : dma_steps_size(&move->used.steps);
        NestWalk walk;
        nest_seek(&walk, move->used.steps.items, move->used.steps.count, 0);
        for (; runs > 0; runs--, nest_skip(&walk, 1)) {
            int64_t from = move->used.base + walk.at[0];
            use_range(device, &move->descriptor->dest, from, from + move->used.run);
        }
    }
}

// ---- commands

static void run_job(DmaRun *run, const DmaJob *job)
{
    if (!watched_goes_on(&run->watched, WATCHED_WORK)) // a job is worth a question
        return;
    if (job->work != DMA_MOVE)
        span_job(run, job);
    else if (run->plan->moves[job->move].way == DMA_TILES)
        move_tiles(run, job);
    else
        move_rows(run, job);
}

typedef struct {
    DmaRun *run;
    const DmaJob *jobs;
} DmaPart;

static void run_jobs(void *own, int64_t from, int64_t to)
{
    const DmaPart *part = own;
    for (int64_t i = from; i < to; i++)
        run_job(part->run, &part->jobs[i]);
}

static void run_phase(DmaRun *run, const DmaPhase *jobs)
{
    bool alone = run->plan->is_small || jobs->reads.count + jobs->moving.count < 2;
    int64_t threads = alone ? 1 : run->device->threads;
    run->use = threads > 1 ? MARKS_SHARED : MARKS_OWN;
    workers_run(jobs->reads.count, 1, threads, run_jobs, &(DmaPart){run, jobs->reads.items});
    workers_run(jobs->moving.count, 1, threads, run_jobs, &(DmaPart){run, jobs->moving.items});
    run->use = MARKS_OWN;
    for (int64_t i = 0; i < jobs->in_order.count; i++)
        run_job(run, &jobs->in_order.items[i]);
    for (int64_t i = 0; i < jobs->clears.count; i++)
        run_job(run, &jobs->clears.items[i]);
}

// Leaves those of the next moves in `*left`.
static DmaJobs take_jobs(DmaJobs *left, int64_t move)
{
    DmaJobs taken = {.items = left->items};
    while (left->count && left->items->move == move) {
        left->items++;
        left->count--;
        taken.count++;
    }
    return taken;
}

static void run_all(DmaRun *run)
{
    DmaPhase left = run->plan->jobs;
    if (!run->plan->is_ordered) {
        run_phase(run, &left);
        return;
    }
    for (int64_t i = 0; i < run->plan->move_count && !run->watched.stop; i++) {
        DmaPhase jobs = {take_jobs(&left.reads, i), take_jobs(&left.moving, i),
                         take_jobs(&left.in_order, i), take_jobs(&left.clears, i)};
        run_phase(run, &jobs);
    }
}

// False: no memory.
static bool make_hosts(Device *device, const DmaPlan *plan)
{
    bool ok = true;
    for (int64_t i = 0; i < plan->move_count; i++) {
        for (HwSide side = 0; side < SIDE_COUNT; side++) {
            const HwPlace *place = side_place(plan->moves[i].descriptor, side);
            if (place && place->media == MEDIA_HOST)
                ok &= device_host(device, place->tensor) != NULL;
        }
    }
    return ok;
}

static bool no_index(const HwOperation *operation, DiagList *diags)
{
    Diag *diag = diag_add(diags, DIAG_RUN_NO_INDEX, SPAN_NOWHERE,
                          "`{}` reads an index that nobody wrote", operation->method);
    if (operation->line)
        diag_note(diag, SPAN_NOWHERE, "it is written in {}:{}", operation->file, operation->line);
    return false;
}

bool dma_execute(Device *device, const HwDmaCommand *command, const DmaPlan *plan,
                 const HwOperation *operation, DiagList *diags)
{
    (void)command;
    Scratch *scratch = device_scratch(device);
    DmaRun run = {.device = device, .plan = plan, .watched = watched_new(device)};
    run.is_mixed = scratch_take_zeroed(scratch, plan->move_count + 1);
    device->failed |= !run.is_mixed || !make_hosts(device, plan);
    if (!device->failed) {
        use_all(device, plan);
        run_all(&run);
    }
    scratch_give(scratch, run.is_mixed);
    if (run.unknown)
        return no_index(operation, diags);
    return !run.watched.stop; // device_execute says what failed
}

// ---- values

void immediate_execute(Device *device, const HwImmediateWrite *write)
{
    const uint32_t bits = (uint32_t)write->value;
    const uint8_t live = 1;
    int64_t slices = device->machine->slices_per_cluster;
    for (int64_t chip = 0; chip < device->chip_count; chip++)
        for (int64_t i = 0; i < device->machine->clusters_per_chip * slices; i++)
            if (bits_have(&write->bitmaps, chip, i / slices, i % slices))
                memory_store(&device->chips[chip].slices[i].dm, SCALAR_I32,
                             write->address * BYTE_BITS, 1, &bits, &live);
}

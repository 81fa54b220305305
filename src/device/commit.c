// From results back to memory: the Commit Engine, and what fills VRF. Elements are written straight
// to their bytes; of these, the ones that got no value lose theirs.
#include "base/heap.h"
#include "device/internal.h"
#include "device/loops/move.h"
#include "device/masks.h"
#include "device/nest.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <string.h>

// Elements of a stream that go to the places of a nest.
typedef struct {
    const MoveLoops *loops;
    Scalar type;
    PackKind pack;
    bool is_halves; // elements of 4 bits
    ChunkPlaces places;
    Chunks chunks;
    ByteRange reach; // all bytes it leads to
} Writer;

struct CommitPlan {
    const HwCommit *commit;
    Writer dm, vrf; // what the pass does not have has no chunks
    int64_t kept;   // elements of a flit that are written
    Masks masks;    // where they are data
};

// ---- writing

// How many of the elements are like the first: with a value, or without.
static int64_t live_span(const uint8_t *tags, int64_t count)
{
    enum { WORD = 8 };
    uint64_t word, like = (*tags & TAG_LIVE) * UINT64_C(0x0101010101010101);
    int64_t i = 0;
    for (; i + WORD <= count; i += WORD) {
        memcpy(&word, tags + i, WORD);
        if ((word & UINT64_C(0x0101010101010101)) != like)
            break;
    }
    while (i < count && (tags[i] & TAG_LIVE) == (*tags & TAG_LIVE))
        i++;
    return i;
}

// The run has a value where its elements have one.
static void mark_run(const Writer *writer, Memory *memory, int64_t bit, int64_t count,
                     const uint8_t *tags)
{
    int64_t width = writer->chunks.element_bits / BYTE_BITS, byte = bit / BYTE_BITS;
    for (int64_t i = 0, end; i < count; i = end) {
        bool live = tags[i] & TAG_LIVE;
        end = i + live_span(tags + i, count - i);
        if (live)
            memory_mark(memory, byte + i * width, byte + end * width);
        else
            memory_forget_part(memory, byte + i * width, byte + end * width);
    }
}

// Anywhere, a block at a time.
static void store_run(const Writer *writer, Memory *memory, int64_t bit, int64_t count,
                      const uint32_t *bits, const uint8_t *tags)
{
    uint8_t live[ELEMENT_BLOCK];
    for (int64_t i = 0, part; i < count; i += part) {
        part = min_i64(count - i, ELEMENT_BLOCK);
        for (int64_t k = 0; k < part; k++)
            live[k] = tags ? tags[i + k] & TAG_LIVE : TAG_LIVE;
        memory_store(memory, writer->type, bit + i * writer->chunks.element_bits, part, bits + i,
                     live);
    }
}

// Requires: it lies in the memory.
static void write_run(const Writer *writer, Memory *memory, int64_t bit, int64_t count,
                      const uint32_t *bits, const uint8_t *tags)
{
    int64_t width = writer->chunks.element_bits;
    if (writer->is_halves && tags) {
        store_run(writer, memory, bit, count, bits, tags);
        return;
    }
    if (writer->is_halves) {
        writer->loops->pack_halves(bits, count, memory->bytes, bit / width);
    } else {
        MoveShape shape = {count, 1, 0, 0};
        writer->loops->pack[writer->pack](bits, memory->bytes + bit / BYTE_BITS, &shape);
    }
    if (tags)
        mark_run(writer, memory, bit, count, tags);
    else
        memory_mark(memory, bit / BYTE_BITS, ceil_div(bit + count * width, BYTE_BITS));
}

// The elements [from, to) of a chunk that begins at `bit`; its first element is *bits. Runs that
// follow one another are one: halves of a byte that are both written go there together.
static void write_part(const Writer *writer, Memory *memory, int64_t bit, int64_t from, int64_t to,
                       const uint32_t *bits, const uint8_t *tags)
{
    const Chunks *chunks = &writer->chunks;
    int64_t width = chunks->element_bits, run = chunks->runs == 1 ? 0 : from / chunks->run;
    for (int64_t i = from, end; i < to; i = end) {
        int64_t start = bit + chunks->run_bits[run], at = start + (i - run * chunks->run) * width;
        do {
            start += chunks->run * width;
            end = ++run * chunks->run;
        } while (end < to && bit + chunks->run_bits[run] == start);
        end = min_i64(end, to);
        int64_t end_bit = at + (end - i) * width;
        if (at >= 0 && memory_holds(memory, 0, ceil_div(end_bit, BYTE_BITS)))
            write_run(writer, memory, at, end - i, bits + i, tags ? tags + i : NULL);
        else
            store_run(writer, memory, at, end - i, bits + i, tags ? tags + i : NULL);
    }
}

// All bytes of a row, without tags. The longer way is the inner loop, as in a fetch.
static void pack_row(const Writer *writer, Memory *memory, const ChunkRow *row,
                     const uint32_t *bits, int64_t near_step)
{
    const Chunks *chunks = &writer->chunks;
    uint8_t *far = memory->bytes + row->bit / BYTE_BITS;
    int64_t step = row->step / BYTE_BITS;
    if (chunks->run_step && chunks->runs > row->count) {
        MoveShape shape = {chunks->run, chunks->runs, chunks->run, chunks->run_step / BYTE_BITS};
        for (int64_t i = 0; i < row->count; i++)
            writer->loops->pack[writer->pack](bits + i * near_step, far + i * step, &shape);
        return;
    }
    MoveShape shape = {chunks->run, row->count, near_step, step};
    for (int64_t i = 0; i < chunks->runs; i++)
        writer->loops->pack[writer->pack](bits + i * chunks->run,
                                          far + chunks->run_bits[i] / BYTE_BITS, &shape);
}

static void mark_row(const Writer *writer, Memory *memory, const ChunkRow *row, const uint8_t *tags,
                     int64_t near_step)
{
    const Chunks *chunks = &writer->chunks;
    int64_t width = chunks->element_bits, run = chunks->run, count = row->count;
    if (chunks->runs == 1 && row->step == run * width && (!tags || near_step == run)) {
        run *= count;
        count = 1;
    }
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < chunks->runs; k++) {
            int64_t bit = row->bit + i * row->step + chunks->run_bits[k];
            if (tags)
                mark_run(writer, memory, bit, run, tags + i * near_step + k * run);
            else
                memory_mark(memory, bit / BYTE_BITS, (bit + run * width) / BYTE_BITS);
        }
}

// Chunks from element `near` of the stream on, `near_step` apart.
static void write_row(const Writer *writer, Memory *memory, const ChunkRow *row,
                      const Stream *stream, int64_t near, int64_t near_step)
{
    const Chunks *chunks = &writer->chunks;
    const uint32_t *bits = stream->bits + near;
    const uint8_t *tags = stream->tags ? stream->tags + near : NULL;
    ByteRange reach = chunks_reach(chunks, row);
    bool in_order = writer->is_halves || writer->places == PLACES_TWICE;
    if (!in_order && memory_holds(memory, reach.from, reach.to)) {
        pack_row(writer, memory, row, bits, near_step);
        mark_row(writer, memory, row, tags, near_step);
        return;
    }
    for (int64_t i = 0; i < row->count; i++)
        write_part(writer, memory, row->bit + i * row->step, 0, chunks->elements,
                   bits + i * near_step, tags ? tags + i * near_step : NULL);
}

// Where chunk `number` stands in a stream.
static int64_t near_of(const Chunks *chunks, int64_t lanes, int64_t number)
{
    return number / chunks->per_packet * lanes + number % chunks->per_packet * chunks->elements;
}

static ByteRange find_reach(const Chunks *chunks)
{
    ChunkRow ends = {0, 2, chunks->least - chunks->low, 0};
    ends.step = chunks->end - chunks->high - ends.bit;
    return chunks_reach(chunks, &ends);
}

static void write_all(const Writer *writer, Memory *memory, const Stream *stream)
{
    const Chunks *chunks = &writer->chunks;
    int64_t near_step = chunks->per_packet > 1 ? chunks->elements : stream->lanes;
    ByteRange reach = writer->reach;
    bool at_once = !stream->tags && writer->places == PLACES_DENSE && !writer->is_halves &&
                   memory_holds(memory, reach.from, reach.to);
    for (int64_t i = 0; i < chunks->row_count; i++) {
        const ChunkRow *row = &chunks->rows[i];
        int64_t near = near_of(chunks, stream->lanes, row->first);
        if (at_once)
            pack_row(writer, memory, row, stream->bits + near, near_step);
        else
            write_row(writer, memory, row, stream, near, near_step);
    }
    if (at_once)
        memory_mark(memory, reach.from, reach.to);
}

// Elements [from, to) of packet `packet`, whose chunks `chunks->bits` lists.
static void write_lanes(const Writer *writer, Memory *memory, const Stream *stream, int64_t packet,
                        int64_t from, int64_t to)
{
    const Chunks *chunks = &writer->chunks;
    for (int64_t i = from / chunks->elements; i * chunks->elements < to; i++) {
        int64_t first = i * chunks->elements, near = packet * stream->lanes + first;
        write_part(writer, memory, chunks->bits[packet * chunks->per_packet + i],
                   max_i64(0, from - first), min_i64(chunks->elements, to - first),
                   stream->bits + near, stream->tags ? stream->tags + near : NULL);
    }
}

// ---- commit

bool commit_has(const HwCommit *commit, int64_t chip, int64_t cluster, int64_t slice)
{
    return bits_have(commit->bitmaps.items, commit->bitmaps.count, chip, cluster, slice);
}

// What is data in a flit, as far as it is written; without a mask all of it.
typedef struct {
    Masks masks;
    MaskPlan mask;
    bool has_mask;
    LaneRun all;
    LaneRun room[ELEMENT_BLOCK / 2 + 1];
} FlitRuns;

// The runs were listed for flits of as many lanes as they usually have.
static void flit_runs(FlitRuns *flits, const CommitPlan *plan, const MaskPlan *mask, int64_t lanes)
{
    flits->masks = plan->masks;
    flits->has_mask = mask != NULL;
    flits->all = (LaneRun){0, (int32_t)plan->kept};
    if (mask)
        flits->mask = *mask;
    if (lanes != plan->masks.lanes)
        flits->mask.runs = NULL;
    flits->masks.lanes = lanes;
}

static const LaneRun *runs_of_flit(FlitRuns *flits, int64_t flit, int64_t *count)
{
    *count = 1;
    return flits->has_mask ? masks_packet(&flits->masks, &flits->mask, flit, flits->room, count)
                           : &flits->all;
}

static void write_runs(const CommitPlan *plan, Memory *dm, const Stream *stream, int64_t flit,
                       const LaneRun *runs, int64_t count)
{
    for (int64_t i = 0; i < count && runs[i].from < plan->kept; i++)
        write_lanes(&plan->dm, dm, stream, flit, runs[i].from, min_i64(runs[i].to, plan->kept));
}

// How many flits from `flit` on are masked alike, of chunks that are one run each and evenly
// spaced: those of one row, which ends before `end`.
static int64_t alike_flits(FlitRuns *flits, int64_t flit, int64_t end, const LaneRun *run)
{
    LaneRun first = *run;
    int64_t next = flit + 1, count;
    for (; next < end; next++) {
        const LaneRun *runs = runs_of_flit(flits, next, &count);
        if (count != 1 || runs->from != first.from || runs->to != first.to)
            break;
    }
    return next - flit;
}

// The same elements of several flits, as a nest of its own.
static void write_alike(const CommitPlan *plan, Memory *dm, const Stream *stream,
                        const ChunkRow *row, LaneRun lanes)
{
    Writer part = plan->dm;
    int64_t width = part.chunks.element_bits;
    part.chunks.run = part.chunks.elements = lanes.to - lanes.from;
    part.chunks.high = part.chunks.run * width;
    ChunkRow shifted = {0, row->count, row->bit + lanes.from * width, row->step};
    write_row(&part, dm, &shifted, stream, row->first * stream->lanes + lanes.from, stream->lanes);
}

static void write_masked(const CommitPlan *plan, const MaskPlan *mask, Memory *dm,
                         const Stream *stream)
{
    const Chunks *chunks = &plan->dm.chunks;
    bool is_plain = chunks->per_packet == 1 && chunks->runs == 1;
    FlitRuns flits;
    int64_t count;
    flit_runs(&flits, plan, mask, stream->lanes);
    for (int64_t t = 0, i = 0, part; t < plan->commit->time; t += part) {
        const LaneRun *runs = runs_of_flit(&flits, t, &count);
        part = 1;
        if (count != 1 || !is_plain || runs->from >= plan->kept) {
            write_runs(plan, dm, stream, t, runs, count);
            continue;
        }
        for (; chunks->rows[i].first + chunks->rows[i].count <= t; i++)
            ;
        LaneRun lanes = {runs->from, (int32_t)min_i64(runs->to, plan->kept)};
        part = alike_flits(&flits, t, chunks->rows[i].first + chunks->rows[i].count, runs);
        ChunkRow row = {t, part, chunks->bits[t], chunks->rows[i].step};
        write_alike(plan, dm, stream, &row, lanes);
    }
}

// The elements of each flit that passed the filter close up, from the place of the flit on. What
// did not pass has no value.
static bool pack_valid(Scratch *scratch, const CommitPlan *plan, const MaskPlan *mask, Memory *dm,
                       const Stream *stream)
{
    Stream packed;
    if (!stream_new(scratch, &packed, stream->type, stream->time, stream->lanes))
        return false;
    FlitRuns flits;
    flit_runs(&flits, plan, mask, stream->lanes);
    for (int64_t t = 0; t < plan->commit->time; t++) {
        int64_t count, valid = 0, first = t * stream->lanes;
        const LaneRun *runs = runs_of_flit(&flits, t, &count);
        for (int64_t i = 0; i < count; i++)
            for (int64_t k = runs[i].from; k < min_i64(runs[i].to, plan->kept); k++) {
                packed.bits[first + valid] = stream->bits[first + k];
                packed.tags[first + valid] = TAG_LIVE;
                valid += !stream->tags || stream->tags[first + k] & TAG_LIVE;
            }
        if (valid)
            write_lanes(&plan->dm, dm, &packed, t, 0, valid);
    }
    stream_free(scratch, &packed);
    return true;
}

bool commit_run(const ClusterRun *run, int64_t slice, const Stream *stream)
{
    const CommitPlan *plan = run->plan->commit;
    int64_t chip = run->first_chip + run->chip, cluster = run->first_cluster + run->cluster;
    Slice *at = run_slice(run, slice);
    slice += run->first_slice;
    if (!at || !commit_has(plan->commit, chip, cluster, slice))
        return true;
    const MaskPlan *mask = masks_find(&plan->masks, chip, cluster, slice);
    if (plan->commit->valid_count_packing)
        return pack_valid(device_scratch(run->device), plan, mask, &at->dm, stream);
    if (mask)
        write_masked(plan, mask, &at->dm, stream);
    else
        write_all(&plan->dm, &at->dm, stream);
    return true;
}

// ---- registers

void vrf_store_run(const ClusterRun *run, int64_t slice, const Stream *stream)
{
    const HwVrfStore *store = run->pass->vrf_store;
    const Writer *writer = &run->plan->commit->vrf;
    DataTest test = {store->data.items, store->data.count};
    Slice *at = run_slice(run, slice);
    int64_t lanes = store->packet_elements, first = run_unit(run, slice) * store->time * lanes;
    bool is_data;
    if (at && !test.count)
        write_all(writer, &at->vrf, stream);
    for (int64_t i = 0, count; at && test.count && i < store->time * lanes; i += count) {
        count = data_run(&test, first + i, lanes - i % lanes, &is_data);
        if (is_data)
            write_lanes(writer, &at->vrf, stream, i / lanes, i % lanes, i % lanes + count);
    }
}

// ---- the plan

static bool writer_new(Writer *writer, const Device *device, Scalar type, const HwNest *nest,
                       ChunksKind kind, int64_t packets, int64_t elements)
{
    int32_t width = scalar_traits[type].storage_bits;
    *writer = (Writer){.loops = LOOPS_CHOICE(MoveLoops, move_loops)[device->isa],
                       .type = type,
                       .pack = width <= 8    ? PACK_8
                               : width == 16 ? PACK_16
                                             : PACK_32,
                       .is_halves = width < BYTE_BITS};
    if (!chunks_new(&writer->chunks, nest, kind, packets, elements))
        return false;
    writer->places = chunks_places(&writer->chunks);
    writer->reach = find_reach(&writer->chunks);
    return true;
}

static bool plan_commit(const Device *device, const HwPipeline *pass, CommitPlan *plan)
{
    const HwCommit *commit = pass->commit;
    plan->commit = commit;
    plan->kept = commit->commit_in_size * BYTE_BITS / commit->nest.element_bits;
    int64_t flit = device->machine->flit_bytes * BYTE_BITS;
    return writer_new(&plan->dm, device, commit->type, &commit->nest, CHUNKS_STREAM, commit->time,
                      plan->kept) &&
           (!(commit->masks.count || commit->valid_count_packing) ||
            chunks_list(&plan->dm.chunks)) &&
           masks_new_commit(&plan->masks, commit, commit->time,
                            flit / scalar_traits[commit->type].packet_bits);
}

static bool plan_vrf(const Device *device, const HwPipeline *pass, CommitPlan *plan)
{
    const HwVrfStore *store = pass->vrf_store;
    return writer_new(&plan->vrf, device, store->type, &store->nest, CHUNKS_BY_PACKETS, store->time,
                      store->packet_elements) &&
           (!store->data.count || chunks_list(&plan->vrf.chunks));
}

bool commit_plan_new(const Device *device, const HwPipeline *pass, CommitPlan **out)
{
    CommitPlan *plan = *out = heap_zeroed(1, sizeof *plan);
    return plan && (!pass->commit || plan_commit(device, pass, plan)) &&
           (!pass->vrf_store || plan_vrf(device, pass, plan));
}

ByteRange commit_reach(const CommitPlan *plan)
{
    return plan->dm.reach;
}

void commit_plan_free(CommitPlan *plan)
{
    if (!plan)
        return;
    chunks_free(&plan->dm.chunks);
    chunks_free(&plan->vrf.chunks);
    masks_free(&plan->masks);
    heap_free(plan);
}

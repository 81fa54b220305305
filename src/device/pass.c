// A Tensor Unit pass. Slices of all chips and clusters go through it side by side; only where those
// of a cluster meet do they wait for each other.
#include "device/internal.h"

#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "command/nest.h"
#include "device/data.h"
#include "device/loops/cast.h"
#include "device/loops/move.h"
#include "scalar/bits.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

// From results back to memory: the Commit Engine, and what fills VRF. Elements are written straight
// to their bytes; of these, the ones that got no value lose theirs.

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

static void write_all(const Writer *writer, Memory *memory, const Stream *stream)
{
    const Chunks *chunks = &writer->chunks;
    int64_t near_step = chunks->per_packet > 1 ? chunks->elements : stream->lanes;
    ByteRange reach = writer->reach;
    bool at_once = !stream->tags && writer->places == PLACES_DENSE && !writer->is_halves &&
                   memory_holds(memory, reach.from, reach.to);
    for (int64_t i = 0; i < chunks->rows.count; i++) {
        const ChunkRow *row = &chunks->rows.items[i];
        int64_t near = row->first / chunks->per_packet * stream->lanes +
                       row->first % chunks->per_packet * chunks->elements;
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

// Whether a slice writes anything to DM.
static bool commit_has(const HwCommit *commit, int64_t chip, int64_t cluster, int64_t slice)
{
    return bits_have(&commit->bitmaps, chip, cluster, slice);
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
        for (; chunks->rows.items[i].first + chunks->rows.items[i].count <= t; i++)
            ;
        LaneRun lanes = {runs->from, (int32_t)min_i64(runs->to, plan->kept)};
        part =
            alike_flits(&flits, t, chunks->rows.items[i].first + chunks->rows.items[i].count, runs);
        ChunkRow row = {t, part, chunks->bits[t], chunks->rows.items[i].step};
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
    const HwCheckList *test = &store->data;
    Slice *at = run_slice(run, slice);
    int64_t lanes = store->packet_elements, first = run_unit(run, slice) * store->time * lanes;
    bool is_data;
    if (at && !test->count)
        write_all(writer, &at->vrf, stream);
    for (int64_t i = 0, count; at && test->count && i < store->time * lanes; i += count) {
        count = data_run(test, first + i, lanes - i % lanes, &is_data);
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
    writer->reach = chunks_reach_all(&writer->chunks);
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

static bool commit_plan_new(const Device *device, const HwPipeline *pass, CommitPlan **out)
{
    CommitPlan *plan = *out = heap_zeroed(1, sizeof *plan);
    return plan && (!pass->commit || plan_commit(device, pass, plan)) &&
           (!pass->vrf_store || plan_vrf(device, pass, plan));
}

static ByteRange commit_reach(const CommitPlan *plan)
{
    return plan->dm.reach;
}

static void commit_plan_free(CommitPlan *plan)
{
    if (!plan)
        return;
    chunks_free(&plan->dm.chunks);
    chunks_free(&plan->vrf.chunks);
    masks_free(&plan->masks);
    heap_free(plan);
}

// ---- slices

bool run_stores(const ClusterRun *run, int64_t slice)
{
    const HwPipeline *pass = run->pass;
    return run_slice(run, slice) &&
           (pass->trf_store || pass->vrf_store ||
            (pass->commit &&
             commit_has(pass->commit, run->first_chip + run->chip,
                        run->first_cluster + run->cluster, run->first_slice + slice)));
}

int64_t run_unit(const ClusterRun *run, int64_t slice)
{
    return (run->chip * run->pass->clusters + run->cluster) * run->pass->slices + slice;
}

// ---- plans

// Elements that go through the pass, and what is done to them, roughly.
static int64_t work_of(const HwPipeline *pass)
{
    int64_t time = pass->route ? pass->route->out_time : pass->fetch.time;
    int64_t work = time * pass->fetch.packet_elements;
    if (pass->vector)
        work += work * pass->vector->steps.count;
    if (pass->reduce)
        work += pass->reduce->in_time * pass->reduce->rows * pass->reduce->packet_elements;
    return work;
}

static ClusterRun run_of(const Device *device, const HwPipeline *pass, const PassPlan *plan)
{
    return (ClusterRun){.device = device,
                        .pass = pass,
                        .plan = plan,
                        .first_chip = pass->first_chip,
                        .first_cluster = pass->first_cluster,
                        .first_slice = pass->first_slice,
                        .work = work_of(pass)};
}

// Turns to unit `number` of all. Its slice.
static int64_t turn_to(ClusterRun *run, int64_t number)
{
    int64_t cluster = number / run->pass->slices;
    run->chip = cluster / run->pass->clusters;
    run->cluster = cluster % run->pass->clusters;
    return number % run->pass->slices;
}

// False: no memory.
static bool find_units(const Device *device, const HwPipeline *pass, PassPlan *plan)
{
    ClusterRun run = run_of(device, pass, plan);
    int64_t count = pass->chips * pass->clusters * pass->slices;
    plan->units = heap_new(sizeof *plan->units * (count + 1));
    for (int64_t i = 0; plan->units && i < count; i++)
        if (run_stores(&run, turn_to(&run, i)))
            plan->units[plan->unit_count++] = i;
    return plan->units != NULL;
}

PassPlan *pass_plan_new(const Device *device, const HwPipeline *pass)
{
    PassPlan *plan = heap_zeroed(1, sizeof *plan);
    if (plan && (plan->condensed = condense(pass)))
        pass = condensed_pass(plan->condensed);
    if (plan && find_units(device, pass, plan) && fetch_plan_new(device, pass, &plan->fetch) &&
        contract_plan_new(device, pass, &plan->contract) &&
        vector_plan_new(device, pass, &plan->vector) &&
        commit_plan_new(device, pass, &plan->commit))
        return plan;
    pass_plan_free(plan);
    return NULL;
}

void pass_plan_free(PassPlan *plan)
{
    if (!plan)
        return;
    fetch_plan_free(plan->fetch);
    contract_plan_free(plan->contract);
    vector_plan_free(plan->vector);
    commit_plan_free(plan->commit);
    condensed_free(plan->condensed);
    heap_free(plan->units);
    heap_free(plan);
}

// ---- halves of a pass

// The first step between slices; the number of steps: none.
static int64_t find_meeting(const HwPipeline *pass)
{
    int64_t i = 0, count = pass->vector ? pass->vector->steps.count : 0;
    while (i < count && !pass->vector->steps.items[i].slices)
        i++;
    return i;
}

// Up to where slices meet.
static bool run_first_half(const ClusterRun *run, int64_t slice, int64_t meeting)
{
    Stream *stream = &run_state(run, slice)->groups[0];
    if (run->slices && !meeting && !run->pass->reduce && fetch_lent(run, slice, stream))
        return true; // until the slices have met nobody writes
    bool in_parts = run->pass->reduce && contraction_takes_parts(run->plan->contract) &&
                    fetch_in_parts(run, slice, stream);
    return (in_parts || fetch_run(run, slice, stream)) &&
           (!run->pass->reduce || contraction_run(run, slice, stream)) &&
           (!run->pass->vector || vector_run(run, slice, 0, meeting));
}

// The Cast and the Transpose Engine.

// Of each packet, how many elements anybody looks at behind both.
static int64_t wanted_lanes(const HwPipeline *pass, int64_t lanes)
{
    const HwCommit *commit = pass->commit;
    if (!commit || pass->trf_store || pass->vrf_store)
        return lanes;
    return commit->commit_in_size * BYTE_BITS / commit->nest.element_bits;
}

// Without tags if all that is looked at will have a value.
static bool new_result(Scratch *scratch, Stream *out, const Stream *from, Scalar type, int64_t time,
                       int64_t lanes, bool is_live)
{
    return is_live && !from->tags ? stream_new_live(scratch, out, type, time, lanes)
                                  : stream_new(scratch, out, type, time, lanes);
}

// ---- cast

static void convert(const Device *device, Scalar from, Scalar to, Stream *stream)
{
    const CastLoops *loops = LOOPS_CHOICE(CastLoops, cast_loops)[device->isa];
    int64_t count = stream->time * stream->lanes;
    if (from == to)
        return;
    if (from == SCALAR_F32 && loops->narrow[to])
        loops->narrow[to](stream->bits, count, stream->bits);
    else if (scalar_is_integer(from) && loops->wrap[to])
        loops->wrap[to](stream->bits, count, stream->bits);
    else
        scalar_convert_all(from, to, stream->bits, count);
}

static bool cast_run(const ClusterRun *run, Stream *stream)
{
    const HwPipeline *pass = run->pass;
    const HwCast *cast = pass->cast;
    Stream out;
    int64_t lanes =
        (cast->bytes + cast->pad_bytes) * BYTE_BITS / scalar_traits[cast->to].packet_bits;
    int64_t wanted = pass->transpose ? pass->transpose->kept_per_packet : wanted_lanes(pass, lanes);
    convert(run->device, cast->from, cast->to, stream);
    stream->type = cast->to;
    if (lanes == stream->lanes)
        return true;
    Scratch *scratch = device_scratch(run->device);
    if (!new_result(scratch, &out, stream, cast->to, stream->time, lanes, wanted <= stream->lanes))
        return false;
    stream_copy(stream, &out, 0);
    stream_replace(scratch, stream, &out);
    return true;
}

// ---- transpose

enum { TILE = 16 }; // rows at a time

typedef struct {
    int64_t from, row_stride; // of the first row in the stream, and of rows
    int64_t rows, columns;
    int64_t to, column_stride;
} Matrix;

#define TRANSPOSE(matrix, in, out)                                              \
    for (int64_t row = 0; row < (matrix)->rows; row += TILE)                    \
        for (int64_t column = 0; column < (matrix)->columns; column++)          \
            for (int64_t i = row; i < min_i64(row + TILE, (matrix)->rows); i++) \
    (out)[(matrix)->to + column * (matrix)->column_stride + i] =                \
        (in)[(matrix)->from + i * (matrix)->row_stride + column]

static void transpose_matrix(const Matrix *matrix, const Stream *in, Stream *out)
{
    TRANSPOSE(matrix, in->bits, out->bits);
    if (in->tags && out->tags)
        TRANSPOSE(matrix, in->tags, out->tags);
    for (int64_t i = 0; !in->tags && out->tags && i < matrix->columns; i++)
        memset(out->tags + matrix->to + i * matrix->column_stride, TAG_LIVE, matrix->rows);
}

static bool transpose_run(const ClusterRun *run, Stream *stream)
{
    const HwTranspose *transpose = run->pass->transpose;
    Scratch *scratch = device_scratch(run->device);
    Stream out;
    int64_t lanes = transpose->output_alignment, packets = transpose->packets_per_col;
    int64_t kept = transpose->kept_per_packet, rows = transpose->in_rows;
    int64_t time = transpose->iterations * transpose->out_flits;
    bool is_live = wanted_lanes(run->pass, lanes) <= rows && transpose->out_flits == packets * kept;
    if (!new_result(scratch, &out, stream, stream->type, time, lanes, is_live))
        return false;
    if (!out.tags && rows < lanes)
        memset(out.bits, 0, (time * lanes) * sizeof *out.bits);
    for (int64_t i = 0; i < transpose->iterations; i++)
        for (int64_t packet = 0; packet < packets; packet++) {
            Matrix matrix = {.from = (i * transpose->in_flits + packet) * stream->lanes,
                             .row_stride = packets * stream->lanes,
                             .rows = rows,
                             .columns = kept,
                             .to = (i * transpose->out_flits + packet * kept) * lanes,
                             .column_stride = lanes};
            transpose_matrix(&matrix, stream, &out);
        }
    stream_replace(scratch, stream, &out);
    return true;
}

static bool run_second_half(const ClusterRun *run, int64_t slice, int64_t meeting)
{
    const HwPipeline *pass = run->pass;
    Stream *stream = &run_state(run, slice)->groups[0];
    bool ok = (!pass->vector || vector_run(run, slice, meeting, pass->vector->steps.count)) &&
              (!pass->cast || cast_run(run, stream)) &&
              (!pass->transpose || transpose_run(run, stream));
    if (ok && pass->trf_store)
        trf_store_run(run, slice, stream);
    if (ok && pass->vrf_store)
        vrf_store_run(run, slice, stream);
    return ok && (!pass->commit || commit_run(run, slice, stream));
}

static void free_run(Scratch *scratch, SliceRun *run)
{
    stream_free(scratch, &run->groups[0]);
    if (run->groups[1].bits)
        stream_free(scratch, &run->groups[1]);
    if (run->stash.bits)
        stream_free(scratch, &run->stash);
    *run = (SliceRun){0};
}

// ---- how many threads

int64_t pass_threads(const Device *device, const HwPipeline *pass, int64_t slices)
{
    enum { WORTH = 1 << 17 };
    int64_t work = work_of(pass);
    return work < WORTH && work * slices < WORTH ? 1 : min_i64(device->threads, slices);
}

// ---- slices that meet

static bool overlap(ByteRange a, ByteRange b)
{
    return a.from < b.to && b.from < a.to;
}

// A pass reads before it writes: slices that read of each other what one of them writes all do so
// before.
static bool is_together(const HwPipeline *pass, const PassPlan *plan)
{
    bool meets = find_meeting(pass) < (pass->vector ? pass->vector->steps.count : 0);
    return meets || (pass->route && pass->commit &&
                     overlap(fetch_reach(plan->fetch), commit_reach(plan->commit)));
}

// The slices of a cluster, before or after the step in which slices meet.
typedef struct {
    const ClusterRun *run;
    int64_t meeting; // the first half ends before this step, the second begins with it
    atomic_bool failed;
} ClusterHalf;

static void run_first_halves(void *own, int64_t from, int64_t to)
{
    ClusterHalf *half = own;
    for (int64_t slice = from; slice < to; slice++)
        if (half->failed || !watched_goes_on(half->run->watched, half->run->work) ||
            !run_first_half(half->run, slice, half->meeting))
            half->failed = true;
}

static void run_second_halves(void *own, int64_t from, int64_t to)
{
    ClusterHalf *half = own;
    const ClusterRun *run = half->run;
    for (int64_t slice = from; slice < to; slice++) {
        if (half->failed || !watched_goes_on(run->watched, run->work) ||
            (run_stores(run, slice) && !run_second_half(run, slice, half->meeting)))
            half->failed = true;
        free_run(device_scratch(run->device), &run->slices[slice]);
    }
}

static bool run_cluster(ClusterRun *run)
{
    const HwPipeline *pass = run->pass;
    int64_t threads = pass_threads(run->device, pass, pass->slices);
    ClusterHalf half = {.run = run, .meeting = find_meeting(pass)};
    workers_run(pass->slices, 1, threads, run_first_halves, &half);
    if (!half.failed && pass->vector && half.meeting < pass->vector->steps.count) {
        half.failed = !slice_reduce_run(run, &pass->vector->steps.items[half.meeting]);
        half.meeting++;
    }
    workers_run(pass->slices, 1, threads, run_second_halves, &half);
    return !half.failed;
}

static bool run_clusters(const ClusterRun *first)
{
    ClusterRun run = *first;
    bool ok = true;
    run.slices = heap_zeroed(run.pass->slices, sizeof *run.slices);
    if (!run.slices)
        return false;
    for (int64_t i = 0; i < run.pass->chips * run.pass->clusters && ok; i++) {
        run.chip = i / run.pass->clusters;
        run.cluster = i % run.pass->clusters;
        ok = run_cluster(&run);
    }
    heap_free(run.slices);
    return ok;
}

// ---- slices that do not

// Unit `number` of all.
static bool run_unit_alone(const ClusterRun *first, int64_t number, int64_t meeting)
{
    SliceRun state = {0};
    ClusterRun run = *first;
    int64_t slice = turn_to(&run, number);
    run.alone = &state;
    if (fetch_to_trf(&run, slice))
        return true;
    bool ok = run_first_half(&run, slice, meeting) && run_second_half(&run, slice, meeting);
    free_run(device_scratch(run.device), &state);
    return ok;
}

// All passes of a unit, one after the other.
static bool run_unit_through(const ClusterRun *firsts, int64_t count, int64_t number)
{
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i++)
        ok = watched_goes_on(firsts[i].watched, firsts[i].work) &&
             run_unit_alone(&firsts[i], number, find_meeting(firsts[i].pass));
    return ok;
}

typedef struct {
    const ClusterRun *firsts;
    int64_t pass_count;
    atomic_bool failed;
} Units;

static void run_some_units(void *own, int64_t from, int64_t to)
{
    Units *units = own;
    for (int64_t i = from; i < to; i++)
        if (units->failed ||
            !run_unit_through(units->firsts, units->pass_count, units->firsts->plan->units[i]))
            units->failed = true;
}

static bool run_units(const ClusterRun *firsts, int64_t pass_count)
{
    enum { PARTS = 64, LARGEST = 64 }; // of units that a thread takes at once
    int64_t count = firsts->plan->unit_count, threads = 1;
    Units units = {.firsts = firsts, .pass_count = pass_count};
    for (int64_t i = 0; i < pass_count; i++)
        threads = max_i64(threads, pass_threads(firsts->device, firsts[i].pass, count));
    workers_run(count, max_i64(1, min_i64(LARGEST, count / PARTS)), threads, run_some_units,
                &units);
    return !units.failed;
}

// ---- passes, one or several

static bool has_same_units(const PassStep *a, const PassStep *b)
{
    const HwPipeline *one = a->pass, *two = b->pass;
    return one->first_chip == two->first_chip && one->first_cluster == two->first_cluster &&
           one->first_slice == two->first_slice && one->chips == two->chips &&
           one->clusters == two->clusters && one->slices == two->slices &&
           a->plan->unit_count == b->plan->unit_count &&
           !memcmp(a->plan->units, b->plan->units, sizeof *a->plan->units * a->plan->unit_count);
}

// Whether slices read of each other what the other pass writes.
static bool reads_of(const PassStep *reader, const PassStep *writer)
{
    return reader->pass->route && writer->pass->commit &&
           overlap(fetch_reach(reader->plan->fetch), commit_reach(writer->plan->commit));
}

bool pass_joins(const PassStep *steps, int64_t count, const PassStep *next)
{
    bool joins = has_same_units(&steps[0], next) && !is_together(next->pass, next->plan) &&
                 !is_together(steps[0].pass, steps[0].plan);
    for (int64_t i = 0; i < count && joins; i++)
        joins = !reads_of(&steps[i], next) && !reads_of(next, &steps[i]);
    return joins;
}

bool passes_execute(Device *device, const PassStep *steps, int64_t count)
{
    assert(count >= 1 && count <= PASS_MOST_JOINED);
    ClusterRun firsts[PASS_MOST_JOINED] = {0};
    Watched watched = watched_new(device);
    for (int64_t i = 0; i < count; i++) {
        const PassPlan *plan = steps[i].plan;
        firsts[i] =
            run_of(device, plan->condensed ? condensed_pass(plan->condensed) : steps[i].pass, plan);
        firsts[i].watched = &watched;
    }
    bool ok =
        is_together(firsts->pass, firsts->plan) ? run_clusters(firsts) : run_units(firsts, count);
    for (int64_t i = 0; i < device->scratch_count; i++)
        scratch_trim(&device->scratch[i]);
    return ok && !watched.stop;
}

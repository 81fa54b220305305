// A Tensor Unit pass. Slices of all chips and clusters go through it side by side; only where those
// of a cluster meet do they wait for each other.
#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "device/condense.h"
#include "device/internal.h"
#include "device/loops/cast.h"
#include "device/nest.h"
#include "scalar/bits.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

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
    plan->units = heap_new(sizeof *plan->units * (size_t)(count + 1));
    for (int64_t i = 0; plan->units && i < count; i++)
        if (run_stores(&run, turn_to(&run, i)))
            plan->units[plan->unit_count++] = i;
    return plan->units != NULL;
}

struct Condensed {
    HwPipeline pass;
    HwCollect collect;
    HwStreamAdapt adapt;
    HwLoop fetched[NEST_MOST_LOOPS], adapted[NEST_MOST_LOOPS];
    int64_t adapted_count;
    int64_t between; // flits that loops which became repeats lead to, at most
};

// A loop that fetches the same again: in flits, one round of what is inside it, and its rounds.
typedef struct {
    int64_t loop;
    int64_t inside, rounds;
} Repeat;

static bool find_repeat(const HwPipeline *pass, Repeat *repeat)
{
    const HwFetch *fetch = &pass->fetch;
    int64_t elements = 1, all = 1;
    for (int64_t i = 0; i < fetch->nest.loops.count; i++)
        if (!checked_mul(all, fetch->nest.loops.items[i].size, &all))
            return false;
    if (all != fetch->time * fetch->packet_elements)
        return false; // the outermost ends early
    for (int64_t i = fetch->nest.loops.count - 1; i >= 0; i--) {
        const HwLoop *loop = &fetch->nest.loops.items[i];
        if (!loop->stride && !loop->offsets.count && !loop->packet && loop->size > 1 &&
            elements % fetch->packet_elements == 0) {
            *repeat = (Repeat){
                i, elements / fetch->packet_elements * pass->collect->flits_per_packet, loop->size};
            return true;
        }
        elements *= loop->size;
    }
    return false;
}

// Adds an iteration of the Stream Adapter outside those that are there; they come from the inside.
static bool add_loop(Condensed *out, const HwLoop *from, int64_t size, int64_t stride)
{
    if (size == 1)
        return true;
    if (out->adapted_count == NEST_MOST_LOOPS)
        return false;
    HwLoop *loop = &out->adapted[out->adapted_count++];
    *loop = *from;
    loop->size = size;
    loop->stride = stride;
    return true;
}

// Cuts a loop where it leaves what is inside the repeat, and where it leaves the repeat. False: it
// does not come out even.
static bool adapt_loop(Condensed *out, const HwLoop *loop, const Repeat *repeat)
{
    int64_t size = loop->size, stride = loop->stride, whole = repeat->inside * repeat->rounds;
    int64_t part = 1;
    if (loop->offsets.count || stride < 0)
        return false;
    if (!stride)
        return add_loop(out, loop, size, stride);
    if (stride < repeat->inside) {
        part = repeat->inside / stride;
        if (repeat->inside % stride || (size > part && size % part))
            return false;
        part = size < part ? size : part;
        if (!add_loop(out, loop, part, stride))
            return false;
        stride *= part;
        size /= part;
    }
    if (size > 1 && stride < whole) {
        part = whole / stride;
        if (stride % repeat->inside || whole % stride || (size > part && size % part))
            return false;
        part = size < part ? size : part;
        if (!add_loop(out, loop, part, 0))
            return false;
        out->between += (part - 1) * stride;
        stride *= part;
        size /= part;
    }
    return size == 1 || (stride % whole == 0 && add_loop(out, loop, size, stride / repeat->rounds));
}

static void turn_round(HwLoop *loops, int64_t count)
{
    for (int64_t i = 0; i < count / 2; i++) {
        HwLoop loop = loops[i];
        loops[i] = loops[count - 1 - i];
        loops[count - 1 - i] = loop;
    }
}

// Whether steps inside the repeat never lead out of it.
static bool stays_inside(const HwStreamAdapt *adapt, const Repeat *repeat)
{
    int64_t reach = 0;
    for (int64_t i = 0; i < adapt->loops.count; i++) {
        const HwLoop *loop = &adapt->loops.items[i];
        if (loop->stride < repeat->inside)
            reach += (loop->size - 1) * loop->stride;
    }
    return reach < repeat->inside;
}

static bool adapt_all(Condensed *out, const HwStreamAdapt *adapt, const Repeat *repeat)
{
    out->adapted_count = 0;
    out->between = 0;
    for (int64_t i = adapt->loops.count - 1; i >= 0; i--)
        if (!adapt_loop(out, &adapt->loops.items[i], repeat))
            return false;
    turn_round(out->adapted, out->adapted_count);
    out->adapt = *adapt;
    out->adapt.in_time /= repeat->rounds;
    out->adapt.loops.items = out->adapted;
    out->adapt.loops.count = out->adapted_count;
    return stays_inside(&out->adapt, repeat) && out->between < repeat->inside * repeat->rounds;
}

static void fetch_once(Condensed *out, const HwPipeline *pass, const Repeat *repeat)
{
    HwFetch *fetch = &out->pass.fetch;
    int64_t count = 0;
    for (int64_t i = 0; i < pass->fetch.nest.loops.count; i++)
        if (i != repeat->loop)
            out->fetched[count++] = pass->fetch.nest.loops.items[i];
    fetch->nest.loops.items = out->fetched;
    fetch->nest.loops.count = count;
    fetch->time /= repeat->rounds;
    out->collect = *pass->collect;
    out->collect.flits /= repeat->rounds;
    out->pass.collect = &out->collect;
    out->pass.adapt = &out->adapt;
}

Condensed *condense(const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    Repeat repeat;
    if (!pass->reduce || !pass->adapt || !pass->collect || pass->route || fetch->bases.count != 1 ||
        fetch->masks.count || fetch->nest.loops.count > NEST_MOST_LOOPS ||
        !find_repeat(pass, &repeat) ||
        pass->adapt->in_time != fetch->time * pass->collect->flits_per_packet)
        return NULL;
    Condensed *out = heap_new(sizeof *out);
    if (!out)
        return NULL;
    out->pass = *pass;
    if (!adapt_all(out, pass->adapt, &repeat)) {
        heap_free(out);
        return NULL;
    }
    fetch_once(out, pass, &repeat);
    return out;
}

const HwPipeline *condensed_pass(const Condensed *condensed)
{
    return &condensed->pass;
}

void condensed_free(Condensed *condensed)
{
    heap_free(condensed);
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

// Packets of more lanes, those that are added without a value.
static void spread_packets(const Stream *from, Stream *to)
{
    int64_t count = from->lanes, lanes = to->lanes;
    for (int64_t t = 0; t < from->time; t++) {
        memcpy(to->bits + t * lanes, from->bits + t * count, (size_t)count * sizeof *to->bits);
        memset(to->bits + t * lanes + count, 0, (size_t)(lanes - count) * sizeof *to->bits);
    }
    for (int64_t t = 0; to->tags && t < from->time; t++)
        if (from->tags)
            memcpy(to->tags + t * lanes, from->tags + t * count, (size_t)count);
        else
            memset(to->tags + t * lanes, TAG_LIVE, (size_t)count);
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
    spread_packets(stream, &out);
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
        memset(out->tags + matrix->to + i * matrix->column_stride, TAG_LIVE, (size_t)matrix->rows);
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
        memset(out.bits, 0, (size_t)(time * lanes) * sizeof *out.bits);
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
    run.slices = heap_zeroed((size_t)run.pass->slices, sizeof *run.slices);
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
           !memcmp(a->plan->units, b->plan->units,
                   sizeof *a->plan->units * (size_t)a->plan->unit_count);
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

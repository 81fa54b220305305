// Cycles of a DMA command: what each engine takes for its requests, and what the memories that all
// of them share take. Manual: DMA Engine; Memory Performance.
#include "cost/internal.h"

#include "base/checked.h"
#include "command/bank.h"

#include <assert.h>

// Descriptors as streams of requests.

// ---- descriptors

// Addresses that differ by this much choose the same channel and stack, but for the exclusive or.
static int64_t channel_round(const Machine *machine)
{
    int64_t highest = 0;
    for (int64_t i = 0; i < machine->hbm_channel_bits.count; i++)
        highest = max_i64(highest, machine->hbm_channel_bits.values[i]);
    for (int64_t i = 0; i < machine->hbm_stack_bits.count; i++)
        highest = max_i64(highest, machine->hbm_stack_bits.values[i]);
    return INT64_C(2) << highest;
}

// Of a slice of DM only its number counts, and whether requests are aligned.
static int64_t dm_base(const Machine *machine, int64_t address)
{
    int64_t stride = machine->dm_virtual_slice_stride_bytes;
    return address / stride * stride + address % machine->dma_request_bytes;
}

static void add_loops(const HwDescriptor *descriptor, DmaStream *stream)
{
    const HwDmaIndirect *indirect = descriptor->indirect;
    int64_t entry = (int64_t)sizeof(int32_t);
    stream->packets = 1;
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *from = &descriptor->loops.items[i];
        stream->packets *= from->limit;
        if (stream->loop_count == STREAM_MOST_LOOPS)
            continue;
        StreamLoop *loop = &stream->loops[stream->loop_count++];
        *loop = (StreamLoop){from->limit, from->source_stride, from->dest_stride};
        // where rows go is data: taken to be one after the other
        int64_t rows = indirect ? from->index_stride / entry * indirect->scale : 0;
        *(indirect && indirect->is_source ? &loop->source_stride : &loop->dest_stride) += rows;
    }
}

static DmaStream stream_of(const HwDescriptor *descriptor)
{
    int64_t bits = descriptor->unit_bits ? descriptor->unit_bits : 8;
    DmaStream stream = {
        .chip = descriptor->chip,
        .cluster = descriptor->cluster,
        .engine = descriptor->engine,
        .source_media = descriptor->source.media,
        .source_chip = descriptor->source.chip,
        .source_cluster = descriptor->source.cluster,
        .dest_media = descriptor->dest.media,
        .dest_chip = descriptor->dest.chip,
        .dest_cluster = descriptor->dest.cluster,
        .source_base = descriptor->source_base,
        .dest_base = descriptor->dest_base,
        .packet_bytes = max_i64(1, ceil_div(descriptor->packet_bytes * bits, 8)),
        .inter_chip = descriptor->inter_chip,
        .indirect = descriptor->indirect != NULL,
    };
    add_loops(descriptor, &stream);
    return stream;
}

static void lower_base(const Machine *machine, int64_t media, int64_t least, int64_t *base)
{
    if (media == MEDIA_HBM)
        *base -= least / channel_round(machine) * channel_round(machine);
    else if (media == MEDIA_DM)
        *base = dm_base(machine, *base);
    else
        *base = 0;
}

DmaStreams cost_streams(Arena *arena, const Machine *machine, const HwDmaCommand *dma)
{
    DmaStreams streams = {arena_new(arena, DmaStream, max_i64(1, dma->descriptors.count)),
                          dma->descriptors.count, dma->bytes};
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < streams.count; i++) {
        DmaStream *stream = &streams.items[i];
        *stream = stream_of(&dma->descriptors.items[i]);
        if (stream->source_media == MEDIA_HBM)
            least = min_i64(least, stream->source_base);
        if (stream->dest_media == MEDIA_HBM)
            least = min_i64(least, stream->dest_base);
    }
    for (int64_t i = 0; i < streams.count; i++) {
        DmaStream *stream = &streams.items[i];
        lower_base(machine, stream->source_media, least, &stream->source_base);
        lower_base(machine, stream->dest_media, least, &stream->dest_base);
    }
    return streams;
}

int64_t cost_stream_requests(const Machine *machine, const DmaStream *stream)
{
    return stream->packets * ceil_div(stream->packet_bytes, machine->dma_request_bytes);
}

// ---- requests, one after the other

static StreamWalk cost_walk(const DmaStream *stream)
{
    return (StreamWalk){.stream = stream, .address = {stream->source_base, stream->dest_base}};
}

static void next_packet(StreamWalk *walk)
{
    walk->offset = 0;
    for (int64_t i = walk->stream->loop_count - 1; i >= 0; i--) {
        const StreamLoop *loop = &walk->stream->loops[i];
        bool is_over = ++walk->index[i] == loop->limit;
        int64_t steps = is_over ? 1 - loop->limit : 1;
        walk->address[0] += steps * loop->source_stride;
        walk->address[1] += steps * loop->dest_stride;
        if (!is_over)
            return;
        walk->index[i] = 0;
    }
}

static StreamRequest cost_next_request(StreamWalk *walk, int64_t most)
{
    int64_t left = walk->stream->packet_bytes - walk->offset;
    StreamRequest request = {{walk->address[0] + walk->offset, walk->address[1] + walk->offset},
                             min_i64(left, most)};
    walk->offset += request.bytes;
    if (walk->offset == walk->stream->packet_bytes)
        next_packet(walk);
    return request;
}

// Of longer commands the first requests of each descriptor are looked at, and the rest in
// proportion.
enum { SAMPLE_REQUESTS = 8192, SAMPLE_LEAST = 64, BYTE_BITS = 8 };

// ---- engines

typedef struct {
    int64_t chip, cluster, engine;
    int64_t requests; // of all its descriptors
    int64_t turns;    // the same, reads and writes for themselves where they take turns
    int64_t startup, data, cycles;
    int64_t side[STREAM_SIDES]; // cycles of reads and writes
    int64_t next;               // descriptor that is being looked at
    StreamWalk walk;
    int64_t left; // requests of it to be looked at
} Engine;

typedef struct {
    const Coster *coster;
    const DmaStreams *streams;
    Cost *cost;
    Engine *engines;
    int64_t engine_count;
    int64_t *engine_of; // stream: its engine; -1: a copy of the sub context
    int64_t *sampled;   // stream: requests that are looked at
    int64_t chips;
    int64_t *dmn_cycles[STREAM_SIDES]; // of all networks
    int64_t *pcie_bytes[STREAM_SIDES]; // of a chip: out of it, into it
    bool is_sampled;
} DmaCost;

static bool is_copy(const DmaStream *stream)
{
    return stream->cluster >= 0 && stream->engine < 0;
}

static int64_t find_engine(DmaCost *dma, const DmaStream *stream)
{
    for (int64_t i = dma->engine_count - 1; i >= 0; i--) {
        const Engine *engine = &dma->engines[i];
        if (engine->chip == stream->chip && engine->cluster == stream->cluster &&
            engine->engine == stream->engine)
            return i;
    }
    dma->engines[dma->engine_count] =
        (Engine){.chip = stream->chip, .cluster = stream->cluster, .engine = stream->engine};
    return dma->engine_count++;
}

static void find_engines(DmaCost *dma)
{
    Arena *scratch = dma->coster->scratch;
    const Machine *machine = dma->coster->machine;
    size_t count = dma->streams->count;
    dma->engines = arena_new(scratch, Engine, count);
    dma->engine_of = arena_new(scratch, int64_t, count);
    dma->sampled = arena_new(scratch, int64_t, count);
    for (int64_t i = 0; i < dma->streams->count; i++) {
        const DmaStream *stream = &dma->streams->items[i];
        dma->engine_of[i] = -1;
        dma->chips = max_i64(dma->chips, max_i64(stream->source_chip, stream->dest_chip) + 1);
        dma->chips = max_i64(dma->chips, stream->chip + 1);
        if (is_copy(stream))
            continue;
        dma->engine_of[i] = find_engine(dma, stream);
        dma->engines[dma->engine_of[i]].requests += cost_stream_requests(machine, stream);
    }
    for (int64_t i = 0; i < dma->streams->count; i++) {
        if (dma->engine_of[i] < 0)
            continue;
        const Engine *engine = &dma->engines[dma->engine_of[i]];
        int64_t share = max_i64(SAMPLE_LEAST, SAMPLE_REQUESTS / dma->engine_count);
        int64_t requests = cost_stream_requests(machine, &dma->streams->items[i]);
        dma->sampled[i] = engine->requests <= share
                              ? requests
                              : max_i64(1, cost_scale(requests, share, engine->requests));
        dma->is_sampled |= dma->sampled[i] < requests;
    }
}

// ---- DM

enum { MOST_QUEUE = 8 };

DmSide dm_begin(Arena *scratch, const Machine *machine)
{
    return (DmSide){
        .machine = machine,
        .done = arena_new(scratch, int64_t, machine->slices_per_cluster * MOST_QUEUE),
        .turns = arena_new(scratch, int64_t, machine->slices_per_cluster),
        .free_at = arena_new(scratch, int64_t, machine->dmns_per_cluster),
        .busy = arena_new(scratch, int64_t, machine->dmns_per_cluster),
    };
}

int64_t dm_take(DmSide *side, int64_t address, int64_t bytes)
{
    const Machine *machine = side->machine;
    int64_t number = max_i64(address, 0) / machine->dm_virtual_slice_stride_bytes;
    int64_t slice = number % machine->slices_per_cluster;
    int64_t network = slice / machine->slices_per_dmn % machine->dmns_per_cluster;
    int64_t queue = min_i64(machine->dm_command_queue_entries, MOST_QUEUE);
    int64_t cycles = ceil_div(bytes, machine->dm_bytes_per_cycle_per_dmn);
    int64_t *done = &side->done[slice * MOST_QUEUE + side->turns[slice]++ % queue];
    int64_t issue = max_i64(side->issue, *done);
    int64_t begin = max_i64(issue, side->free_at[network]);
    *done = side->free_at[network] = begin + cycles;
    side->busy[network] += cycles;
    side->issue = issue + 1;
    side->end = max_i64(side->end, begin + 1);
    return begin;
}

int64_t dm_end(const DmSide *side)
{
    int64_t most = side->end;
    for (int64_t i = 0; i < side->machine->dmns_per_cluster; i++)
        most = max_i64(most, side->busy[i]);
    return most;
}

static int64_t dm_cycles(DmaCost *dma, int64_t number, int64_t which)
{
    const Machine *machine = dma->coster->machine;
    const DmaStream *stream = &dma->streams->items[number];
    int64_t requests = cost_stream_requests(machine, stream), taken = dma->sampled[number];
    ArenaMark mark = arena_mark(dma->coster->scratch);
    DmSide side = dm_begin(dma->coster->scratch, machine);
    StreamWalk walk = cost_walk(stream);
    for (int64_t i = 0; i < taken; i++) {
        StreamRequest request = cost_next_request(&walk, machine->dma_request_bytes);
        dm_take(&side, request.address[which], request.bytes);
    }
    int64_t chip = which ? stream->dest_chip : stream->source_chip;
    int64_t cluster = max_i64(which ? stream->dest_cluster : stream->source_cluster, 0);
    int64_t first = (chip * machine->clusters_per_chip + cluster) * machine->dmns_per_cluster;
    for (int64_t i = 0; i < machine->dmns_per_cluster; i++)
        dma->dmn_cycles[which][first + i] += cost_scale(side.busy[i], requests, taken);
    int64_t cycles = cost_scale(dm_end(&side), requests, taken);
    arena_reset(dma->coster->scratch, mark);
    return cycles;
}

// ---- what one engine takes

// Cycles of the reads or of the writes of a descriptor, as fast as an engine and the memory that is
// its own go; the channels of HBM are for all of them together.
static int64_t side_cycles(DmaCost *dma, int64_t number, int64_t which)
{
    const Machine *machine = dma->coster->machine;
    const DmaStream *stream = &dma->streams->items[number];
    int64_t requests = cost_stream_requests(machine, stream);
    switch (which ? stream->dest_media : stream->source_media) {
    case MEDIA_DM:
        return max_i64(requests, dm_cycles(dma, number, which));
    case MEDIA_SPM:
        return max_i64(requests, ceil_div(stream->packets * stream->packet_bytes,
                                          machine->spm_bytes_per_cycle_per_dmn));
    case MEDIA_HBM:
        return requests;
    default:
        return 0;
    }
}

// One memory serves reads and writes in turn; two serve them at once.
// Manual: DMA Engine, Examples 1, 2 and 3.
static bool is_one_memory(const DmaStream *stream)
{
    return stream->source_media == stream->dest_media && stream->source_chip == stream->dest_chip &&
           stream->source_cluster == stream->dest_cluster && stream->source_media != MEDIA_HOST;
}

static bool uses_pcie(const DmaStream *stream)
{
    return stream->inter_chip || stream->source_media == MEDIA_HOST ||
           stream->dest_media == MEDIA_HOST;
}

// Each way has a bandwidth of its own.
static void add_pcie(DmaCost *dma, const DmaStream *stream, int64_t bytes)
{
    if (stream->source_media != MEDIA_HOST)
        dma->pcie_bytes[0][stream->source_chip] += bytes;
    if (stream->dest_media != MEDIA_HOST)
        dma->pcie_bytes[1][stream->dest_chip] += bytes;
}

static void add_stream(DmaCost *dma, int64_t number)
{
    const Machine *machine = dma->coster->machine;
    const DmaStream *stream = &dma->streams->items[number];
    Engine *engine = &dma->engines[dma->engine_of[number]];
    int64_t read = side_cycles(dma, number, 0), write = side_cycles(dma, number, 1);
    int64_t data = is_one_memory(stream) ? read + write : max_i64(read, write);
    if (uses_pcie(stream)) {
        int64_t bytes = stream->packets * stream->packet_bytes;
        data = max_i64(data, ceil_div(bytes, machine->pcie_bytes_per_cycle));
        add_pcie(dma, stream, bytes);
    }
    engine->startup += machine->dma_startup_cycles;
    engine->data += data;
    engine->turns += cost_stream_requests(machine, stream) * (is_one_memory(stream) ? 2 : 1);
    engine->side[0] += read;
    engine->side[1] += write;
    engine->cycles = engine->startup + engine->data;
}

// ---- HBM

typedef struct {
    HbmModel *model;
    int64_t requests, sampled; // reads and writes
    HbmTimes times;
    int64_t read, write, together; // cycles
} ChipHbm;

static void count_hbm(ChipHbm *chip, int64_t requests, int64_t sampled)
{
    chip->requests += requests;
    chip->sampled += sampled;
}

// Engines take turns; each takes its descriptors one after the other. False: it has no more.
static bool take_turn(DmaCost *dma, ChipHbm *hbm, int64_t number)
{
    Engine *engine = &dma->engines[number];
    while (!engine->left) {
        while (engine->next < dma->streams->count && dma->engine_of[engine->next] != number)
            engine->next++;
        if (engine->next == dma->streams->count)
            return false;
        engine->left = dma->sampled[engine->next];
        engine->walk = cost_walk(&dma->streams->items[engine->next++]);
    }
    const DmaStream *stream = engine->walk.stream;
    assert(stream); // what is left is of one
    StreamRequest request =
        cost_next_request(&engine->walk, dma->coster->machine->dma_request_bytes);
    engine->left--;
    if (stream->source_media == MEDIA_HBM)
        hbm_take(hbm[stream->source_chip].model, request.address[0], request.bytes, false);
    if (stream->dest_media == MEDIA_HBM)
        hbm_take(hbm[stream->dest_chip].model, request.address[1], request.bytes, true);
    return true;
}

static ChipHbm *hbm_of_streams(DmaCost *dma)
{
    const Coster *coster = dma->coster;
    ChipHbm *hbm = arena_new(coster->scratch, ChipHbm, dma->chips);
    for (int64_t i = 0; i < dma->streams->count; i++) {
        const DmaStream *stream = &dma->streams->items[i];
        int64_t requests = cost_stream_requests(coster->machine, stream);
        if (stream->source_media == MEDIA_HBM)
            count_hbm(&hbm[stream->source_chip], requests, dma->sampled[i]);
        if (stream->dest_media == MEDIA_HBM)
            count_hbm(&hbm[stream->dest_chip], requests, dma->sampled[i]);
    }
    for (int64_t i = 0; i < dma->chips; i++)
        if (hbm[i].requests)
            hbm[i].model = hbm_new(coster->scratch, coster->machine, coster->decode);
    return hbm;
}

static ChipHbm *run_hbm(DmaCost *dma)
{
    ChipHbm *hbm = hbm_of_streams(dma);
    for (bool any = true; any;) {
        any = false;
        for (int64_t i = 0; i < dma->engine_count; i++)
            any |= take_turn(dma, hbm, i);
    }
    for (int64_t i = 0; i < dma->chips; i++) {
        ChipHbm *chip = &hbm[i];
        if (!chip->model)
            continue;
        chip->times = hbm_end(chip->model);
        const Machine *machine = dma->coster->machine;
        chip->read =
            hbm_cycles(machine, cost_scale(chip->times.read, chip->requests, chip->sampled));
        chip->write =
            hbm_cycles(machine, cost_scale(chip->times.write, chip->requests, chip->sampled));
        chip->together =
            hbm_cycles(machine, cost_scale(chip->times.together, chip->requests, chip->sampled));
    }
    return hbm;
}

static const ChipHbm *slowest_hbm(const DmaCost *dma, const ChipHbm *hbm)
{
    const ChipHbm *slowest = &hbm[0];
    for (int64_t i = 1; i < dma->chips; i++)
        if (hbm[i].together > slowest->together)
            slowest = &hbm[i];
    return slowest;
}

// ---- copies of the sub context

// Slices at once, 8 bytes a cycle each; what changes slices goes round a ring of the switch.
static int64_t copy_cycles(const Machine *machine, const DmaStream *stream, int64_t *slices)
{
    int64_t stride = machine->dm_virtual_slice_stride_bytes;
    int64_t words = ceil_div(stream->packet_bytes, machine->commit_sub_bytes), ring = 1;
    int64_t away = stream->dest_base / stride - stream->source_base / stride;
    int64_t furthest = away < 0 ? -away : away;
    *slices = 1;
    for (int64_t i = 0; i < stream->loop_count; i++) {
        const StreamLoop *loop = &stream->loops[i];
        bool over_slices = loop->dest_stride && loop->dest_stride % stride == 0;
        int64_t drift = (loop->dest_stride - loop->source_stride) / stride;
        furthest += (loop->limit - 1) * (drift < 0 ? -drift : drift);
        *(over_slices ? slices : &words) *= loop->limit;
    }
    while (ring <= furthest && ring < machine->switch_ring_slices)
        ring *= 2;
    return words * ring;
}

// How often in a row it goes to one bank of its slices, a word at a time.
static int64_t copy_streak(const Machine *machine, const DmaStream *stream, int64_t which)
{
    HwLoop loops[STREAM_MOST_LOOPS + 1];
    int64_t stride = machine->dm_virtual_slice_stride_bytes, count = 0, bytes = 1;
    for (int64_t i = 0; i < stream->loop_count; i++) {
        const StreamLoop *loop = &stream->loops[i];
        if (loop->dest_stride && loop->dest_stride % stride == 0)
            continue;
        loops[count++] = (HwLoop){.size = loop->limit,
                                  .stride = which ? loop->dest_stride : loop->source_stride};
    }
    loops[count++] = (HwLoop){.size = stream->packet_bytes, .stride = 1};
    for (int64_t i = 0; i < count; i++)
        if (!checked_mul(bytes, loops[i].size, &bytes))
            bytes = INT64_MAX;
    HwNest nest = {.base = which ? stream->dest_base : stream->source_base,
                   .element_bits = BYTE_BITS,
                   .access_bytes = machine->commit_sub_bytes,
                   .loops = {loops, count, count}};
    return bank_streak(machine, &nest, bytes);
}

static void add_copies(DmaCost *dma)
{
    const Machine *machine = dma->coster->machine;
    int64_t work = 0, slices = 0, longest = 0, clusters = 0, last = -1, streak = 0;
    for (int64_t i = 0; i < dma->streams->count; i++) {
        const DmaStream *stream = &dma->streams->items[i];
        if (!is_copy(stream))
            continue;
        int64_t wide, cycles = copy_cycles(machine, stream, &wide);
        int64_t cluster = stream->chip * machine->clusters_per_chip + stream->cluster;
        clusters += cluster != last;
        last = cluster;
        work += cycles * wide;
        slices += wide;
        longest = max_i64(longest, cycles);
        streak = max_i64(
            streak, cost_streaks(copy_streak(machine, stream, 0), copy_streak(machine, stream, 1)));
    }
    dma->cost->bank_streak = streak;
    if (!slices)
        return;
    int64_t wide = min_i64(slices, max_i64(clusters, 1) * machine->slices_per_cluster);
    int64_t cycles = max_i64(longest, ceil_div(work, wide));
    cost_line(dma->cost, COST_COPY, COST_FROM_RULE, cycles, "Fetch Engine, Sub-Context");
    dma->cost->cycles = max_i64(dma->cost->cycles, cycles);
}

// ---- all of it

// What makes HBM slow. Its note says how often.
static uint32_t slow_of(Arena *arena, const HbmTimes *times, int64_t channels, StrBuf *note)
{
    const struct {
        CostSlow slow;
        int64_t count;
        const char *words;
    } rows[] = {{SLOW_ROWS, times->switches, "row switches"},
                {SLOW_CROSSING, times->unaligned, "reads across units"},
                {SLOW_PARTIAL, times->partial, "units written in part"}};
    uint32_t slow = times->channels < channels ? SLOW_CHANNELS : 0;
    *note = (StrBuf){.arena = arena};
    buf_format(note, "{} of {} channels", times->channels, channels);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].count) {
            buf_format(note, ", {} {}", rows[i].count, rows[i].words);
            slow |= rows[i].slow;
        }
    return slow;
}

static void add_hbm_lines(DmaCost *dma, const ChipHbm *chip)
{
    if (!chip->model)
        return;
    const Machine *machine = dma->coster->machine;
    CostOrigin origin = dma->is_sampled ? COST_FROM_SAMPLE : COST_FROM_REQUESTS;
    const char *rule = "Memory Performance, High-Bandwidth Memory";
    StrBuf note;
    uint32_t slow = slow_of(dma->coster->arena, &chip->times,
                            machine->hbm_stacks * machine->hbm_channels_per_stack, &note);
    if (dma->is_sampled)
        buf_format(&note, ", in {} of {} requests", chip->times.requests, chip->requests);
    const int64_t busy[] = {chip->read, chip->write};
    for (int i = 0; i < 2; i++) {
        if (!busy[i])
            continue;
        CostLine *line =
            cost_line(dma->cost, i ? COST_HBM_WRITE : COST_HBM_READ, origin, busy[i], rule);
        line->note = buf_str(&note);
        line->slow = slow;
    }
}

static int64_t most_of(const int64_t *numbers, int64_t count)
{
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most = max_i64(most, numbers[i]);
    return most;
}

static bool has_side(const DmaCost *dma, Media media, int64_t which)
{
    for (int64_t i = 0; i < dma->streams->count; i++) {
        const DmaStream *stream = &dma->streams->items[i];
        if (dma->engine_of[i] >= 0 &&
            (which ? stream->dest_media : stream->source_media) == (int64_t)media)
            return true;
    }
    return false;
}

static void add_dm_line(DmaCost *dma, const Engine *engine, int64_t which, int64_t networks)
{
    if (!has_side(dma, MEDIA_DM, which))
        return;
    int64_t busiest = most_of(dma->dmn_cycles[which], networks);
    int64_t cycles = max_i64(engine->side[which], busiest);
    CostLine *line = cost_line(dma->cost, which ? COST_DM_WRITE : COST_DM_READ,
                               dma->is_sampled ? COST_FROM_SAMPLE : COST_FROM_REQUESTS, cycles,
                               "Memory Performance, Optimizing DMA Performance");
    if (cycles > engine->requests)
        line->note = str_format(dma->coster->arena,
                                "{} requests of an engine, {} cycles on the busiest network",
                                engine->requests, busiest);
    dma->cost->cycles =
        max_i64(dma->cost->cycles, dma->coster->machine->dma_startup_cycles + cycles);
}

static const Engine *slowest_engine(const DmaCost *dma)
{
    const Engine *slowest = &dma->engines[0];
    for (int64_t i = 1; i < dma->engine_count; i++)
        if (dma->engines[i].cycles > slowest->cycles)
            slowest = &dma->engines[i];
    return slowest;
}

static void add_engine_lines(DmaCost *dma, int64_t networks)
{
    const Machine *machine = dma->coster->machine;
    const Engine *slowest = slowest_engine(dma);
    Cost *cost = dma->cost;
    cost->cycles = slowest->cycles;
    cost_line(cost, COST_STARTUP, COST_FROM_RULE, slowest->startup, "DMA Engine, Startup Latency");
    cost_line(cost, COST_DMA, COST_FROM_RULE, slowest->turns,
              "DMA Engine, Memory Bandwidth Limits");
    add_dm_line(dma, slowest, 0, networks);
    add_dm_line(dma, slowest, 1, networks);
    for (int64_t which = 0; which < STREAM_SIDES; which++)
        if (has_side(dma, MEDIA_SPM, which))
            cost_line(cost, COST_SPM, COST_FROM_RULE, slowest->side[which],
                      "Memory Performance, Scratchpad Memory");
    int64_t bytes =
        max_i64(most_of(dma->pcie_bytes[0], dma->chips), most_of(dma->pcie_bytes[1], dma->chips));
    int64_t pcie = ceil_div(bytes, machine->pcie_bytes_per_cycle);
    if (pcie) {
        cost_line(cost, COST_PCIE, COST_FROM_RULE, pcie, "DMA Engine, Inter-Chip Transfers");
        cost->cycles = max_i64(cost->cycles, machine->dma_startup_cycles + pcie);
    }
}

// An engine is held until its last request is answered: by the memory that all of them share, too.
static void add_engines(DmaCost *dma)
{
    Cost *cost = dma->cost;
    cost->engines = arena_new(dma->coster->arena, CostEngine, dma->engine_count);
    cost->engine_count = dma->engine_count;
    int64_t own = slowest_engine(dma)->cycles;
    for (int64_t i = 0; i < dma->engine_count; i++) {
        const Engine *engine = &dma->engines[i];
        cost->engines[i] = (CostEngine){engine->chip, engine->cluster, engine->engine,
                                        engine->cycles + cost->cycles - own};
    }
}

// What commands at the same time have to share.
static void add_chips(DmaCost *dma, const ChipHbm *hbm)
{
    Cost *cost = dma->cost;
    int64_t rate = dma->coster->machine->pcie_bytes_per_cycle;
    cost->chips = arena_new(dma->coster->arena, CostChip, dma->chips);
    for (int64_t i = 0; i < dma->chips; i++) {
        CostChip chip = {i,
                         {hbm[i].together, ceil_div(dma->pcie_bytes[0][i], rate),
                          ceil_div(dma->pcie_bytes[1][i], rate)}};
        if (chip.cycles[SHARED_HBM] || chip.cycles[SHARED_PCIE_OUT] || chip.cycles[SHARED_PCIE_IN])
            cost->chips[cost->chip_count++] = chip;
    }
}

void cost_dma(const Coster *coster, const DmaStreams *streams, Cost *cost)
{
    const Machine *machine = coster->machine;
    DmaCost dma = {.coster = coster, .streams = streams, .cost = cost};
    cost->bytes = streams->bytes;
    if (!streams->count)
        return;
    find_engines(&dma);
    int64_t networks = dma.chips * machine->clusters_per_chip * machine->dmns_per_cluster;
    for (int64_t which = 0; which < STREAM_SIDES; which++) {
        dma.dmn_cycles[which] = arena_new(coster->scratch, int64_t, networks);
        dma.pcie_bytes[which] = arena_new(coster->scratch, int64_t, dma.chips);
    }
    for (int64_t i = 0; i < streams->count; i++)
        if (dma.engine_of[i] >= 0)
            add_stream(&dma, i);
    if (dma.engine_count) {
        add_engine_lines(&dma, networks);
        const ChipHbm *hbm = run_hbm(&dma), *slowest = slowest_hbm(&dma, hbm);
        add_hbm_lines(&dma, slowest);
        cost->cycles = max_i64(cost->cycles, machine->dma_startup_cycles + slowest->together);
        add_engines(&dma);
        add_chips(&dma, hbm);
    }
    add_copies(&dma);
    cost->bound = cost_bound(cost);
}

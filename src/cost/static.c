// What others measured: the static model of the vendor's scheduler, and the chip. docs/cost.md says
// what each formula is fitted to, and how well.
#include "base/checked.h"
#include "cost/internal.h"

#include <math.h>

enum { MILLI = 1000, PERCENT = 100, PERMILLE = 1000 };

// What the tests of the models against what was measured print; they look for the numbers here.
const char *const cost_model_errors[COST_MODELS] = {
    [COST_MANUAL] =
        "what the rules of the manual say, which was not measured; of the ten loads and "
        "stores that the vendor's scheduler was seen to charge, 0.32 to 1.52 times as "
        "much",
    [COST_STATIC] = "within 0.28 % of the published figures of the vendor's scheduler, of which "
                    "there are few: three kinds of pass, seven loads, three stores",
    [COST_SILICON] = "loads, rings and copies in HBM within 0.24 % of the nine figures that were "
                     "measured by themselves; a pass 0.57 to 1.28 times as much as on the chip, a "
                     "synchronisation 0.08 to 3.08 times. Of whole kernels only their ratio to the "
                     "static model is known, 1.9 to 2.2: here kernels take 1.19 to 2.05 times "
                     "as long, the less the more they load; the range has both in it",
};

static const char measured_static[] = "measured: static model";
static const char measured_silicon[] = "measured: silicon";

static int64_t percent(int64_t value, int64_t part)
{
    return cost_scale(value, part, PERCENT);
}

// What one line says takes the place of the parts.
static CostLine *replace_lines(Cost *cost, CostPart part, int64_t cycles, const char *rule)
{
    cost->line_count = 0;
    cost->bound = part;
    cost->cycles = cost->least = cost->most = cycles;
    return cost_line(cost, part, COST_FROM_MEASURED, cycles, rule);
}

// ---- passes

static int64_t busy_of(const Cost *cost, CostPart part)
{
    int64_t busy = 0;
    for (int32_t i = 0; i < cost->line_count; i++)
        if (cost->lines[i].part == part)
            busy = max_i64(busy, cost->lines[i].busy);
    return busy;
}

static int64_t slowest_stage(const Cost *cost)
{
    int64_t slowest = 0;
    for (int32_t i = 0; i < cost->line_count; i++)
        if (cost->lines[i].part != COST_REGISTERS)
            slowest = max_i64(slowest, cost->lines[i].busy);
    return slowest;
}

static int64_t fetched_flits(const Machine *machine, const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    return fetch->time * ceil_div(fetch->stream_packet_bytes, machine->flit_bytes);
}

static int64_t vector_beats(const Machine *machine, const HwVector *vector)
{
    int64_t lanes = machine->vector_way4_lanes, beats = vector->in_time;
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        beats = max_i64(beats, step->time * ceil_div(max_i64(step->packet_elements, 1), lanes));
    }
    return beats;
}

static int64_t register_load(const Machine *machine, const HwPipeline *pass)
{
    int64_t bytes = pass->trf_store ? pass->trf_store->flits * pass->trf_store->flit_bytes
                                    : pass->vrf_store->bytes;
    return ceil_div(bytes, machine->static_register_load_bytes_per_cycle);
}

// What goes in, and what every pass takes besides. A stage that by the rules takes longer than the
// count that was seen (a ring, a transposition) is the count.
static int64_t static_pass(const Machine *machine, const HwPipeline *pass, int64_t slowest,
                           int64_t *besides)
{
    if (pass->trf_store || pass->vrf_store) {
        *besides = machine->static_register_load_cycles;
        return register_load(machine, pass);
    }
    int64_t flits = max_i64(fetched_flits(machine, pass), slowest);
    *besides = machine->static_contraction_pass_cycles;
    if (!pass->vector)
        return flits;
    *besides = machine->static_vector_pass_cycles;
    return max_i64(flits, vector_beats(machine, pass->vector));
}

static void silicon_pass(const Machine *machine, Cost *cost, int64_t cycles, int64_t besides,
                         int64_t ring)
{
    int64_t typical = percent(cycles + besides, machine->silicon_typical_percent);
    if (ring && ring >= cycles) // a ring was measured by itself
        typical = cost_scale(ring, machine->flit_bytes, machine->silicon_switch_bytes_per_cycle) +
                  percent(besides, machine->silicon_typical_percent);
    replace_lines(cost, COST_WHOLE, typical, measured_silicon);
    cost->least = min_i64(typical, percent(cycles + besides, machine->silicon_pass_percent_min));
    cost->most = max_i64(typical, percent(cycles + besides, machine->silicon_pass_percent_max));
}

void cost_measured_pass(const Coster *coster, const HwPipeline *pass, Cost *cost)
{
    const Machine *machine = coster->machine;
    int64_t besides, ring = busy_of(cost, COST_SWITCH);
    int64_t cycles = static_pass(machine, pass, slowest_stage(cost), &besides);
    if (coster->model == COST_SILICON)
        silicon_pass(machine, cost, cycles, besides, ring);
    else
        replace_lines(cost, COST_WHOLE, cycles + besides, measured_static)->note =
            str_format(coster->arena, "{} cycles, and {} that every pass takes", cycles, besides);
    if (cost->setup)
        cost_line(cost, COST_REGISTERS, COST_FROM_RULE, cost->setup,
                  "Switch Engine, Custom Topology");
    cost->cycles += cost->setup;
    cost->least += cost->setup;
    cost->most += cost->setup;
    cost->vector_from = pass->vector ? cost->setup : 0;
    cost->vector_to = pass->vector ? cost->cycles : 0;
}

// ---- DMA: what kind it is

typedef struct {
    int64_t requests, packets, bytes;
    int64_t slices;        // of DM that take part
    int64_t packet_bytes;  // of the shortest packets
    int64_t partial;       // packets that do not fill units of HBM
    int64_t partial_units; // that they lie in
    bool is_replicated;    // HBM is read again for other slices
    bool from_hbm, to_hbm, from_dm, to_dm;
    bool is_in_two_clusters;
} Moves;

static void add_loops(const Machine *machine, const DmaStream *stream, Moves *moves)
{
    int64_t stride = machine->dm_virtual_slice_stride_bytes, slices = 1;
    for (int64_t i = 0; i < stream->loop_count; i++) {
        const StreamLoop *loop = &stream->loops[i];
        int64_t in_dm = stream->dest_media == MEDIA_DM ? loop->dest_stride : loop->source_stride;
        if (in_dm && in_dm % stride == 0)
            slices *= loop->limit;
        moves->is_replicated |=
            stream->source_media == MEDIA_HBM && loop->source_stride == 0 && loop->dest_stride;
    }
    moves->slices += slices;
}

// Packets closer than a unit share units.
static int64_t units_of_packets(const Machine *machine, const DmaStream *stream)
{
    int64_t closest = INT64_MAX, unit = machine->hbm_unit_bytes;
    for (int64_t i = 0; i < stream->loop_count; i++) {
        int64_t stride = stream->loops[i].dest_stride;
        closest = min_i64(closest, stride < 0 ? -stride : stride);
    }
    return ceil_div(stream->packets * min_i64(closest, unit), unit);
}

static void add_partial(const Machine *machine, const DmaStream *stream, Moves *moves)
{
    int64_t unit = machine->hbm_unit_bytes;
    bool is_whole = stream->packet_bytes % unit == 0 && stream->dest_base % unit == 0;
    for (int64_t i = 0; i < stream->loop_count; i++)
        is_whole &= stream->loops[i].dest_stride % unit == 0;
    if (is_whole)
        return;
    moves->partial += stream->packets;
    moves->partial_units += units_of_packets(machine, stream);
}

// What the engines of a chip move: chips do their part at the same time.
static Moves moves_of(const Machine *machine, const DmaStreams *streams, int64_t chip)
{
    Moves moves = {.packet_bytes = INT64_MAX};
    const DmaStream *first = NULL;
    for (int64_t i = 0; i < streams->count; i++) {
        const DmaStream *stream = &streams->items[i];
        if (stream->chip != chip)
            continue;
        first = first ? first : stream;
        moves.requests += cost_stream_requests(machine, stream);
        moves.packets += stream->packets;
        moves.bytes += stream->packets * stream->packet_bytes;
        moves.packet_bytes = min_i64(moves.packet_bytes, stream->packet_bytes);
        moves.from_hbm |= stream->source_media == MEDIA_HBM;
        moves.to_hbm |= stream->dest_media == MEDIA_HBM;
        moves.from_dm |= stream->source_media == MEDIA_DM;
        moves.to_dm |= stream->dest_media == MEDIA_DM;
        moves.is_in_two_clusters |=
            stream->dest_cluster != first->dest_cluster || stream->dest_chip != first->dest_chip;
        add_loops(machine, stream, &moves);
        if (stream->dest_media == MEDIA_HBM)
            add_partial(machine, stream, &moves);
    }
    return moves;
}

// ---- DMA: the static model

static double as_it_is(double key)
{
    return key;
}

// Of a table; what is in between is in proportion to `scale` of the key.
static double read_table(const MachineList *keys, const MachineList *values, int64_t key,
                         double (*scale)(double))
{
    int64_t last = keys->count - 1;
    if (key <= keys->values[0])
        return (double)values->values[0];
    for (int64_t i = 1; i <= last; i++) {
        if (key > keys->values[i])
            continue;
        double from = scale((double)keys->values[i - 1]), to = scale((double)keys->values[i]);
        double part = (scale((double)key) - from) / (to - from);
        return (double)values->values[i - 1] * (1 - part) + (double)values->values[i] * part;
    }
    return (double)values->values[last];
}

static int64_t static_load(const Machine *machine, const Moves *moves)
{
    int64_t piece = moves->bytes / max_i64(moves->slices, 1);
    double each = moves->is_replicated
                      ? (double)machine->static_replicated_request_millicycles
                      : read_table(&machine->static_load_piece_bytes,
                                   &machine->static_load_request_millicycles, piece, log2);
    return machine->static_load_startup_cycles + llround((double)moves->requests * each / MILLI);
}

static int64_t static_store(const Machine *machine, const Moves *moves)
{
    int64_t whole = moves->requests - moves->partial;
    int64_t apart = machine->static_dma_partial_piece_cycles * max_i64(moves->partial_units - 1, 0);
    int64_t shared = cost_scale(machine->static_store_shared_piece_millicycles,
                                max_i64(moves->partial - 1, 0), MILLI);
    return machine->static_store_startup_cycles +
           cost_scale(machine->static_store_request_millicycles, max_i64(whole, 0), MILLI) +
           max_i64(apart, shared);
}

static int64_t static_dma(const Machine *machine, const Moves *moves, const Cost *cost)
{
    if (moves->from_hbm && moves->to_dm)
        return static_load(machine, moves);
    if (moves->from_dm && moves->to_hbm)
        return static_store(machine, moves);
    return cost->cycles - machine->dma_startup_cycles + machine->static_dma_startup_cycles;
}

// ---- DMA: the chip

// Of runs that are shorter than a request requests count, not bytes: the rate is in proportion to
// their bytes. Longer ones change it little: by the logarithm.
static double silicon_rate(const Machine *machine, const Moves *moves)
{
    const MachineList *runs = &machine->silicon_hbm_run_bytes;
    bool is_short = moves->packet_bytes < machine->dma_request_bytes;
    double rate = read_table(runs, &machine->silicon_hbm_run_bytes_per_cycle, moves->packet_bytes,
                             is_short ? as_it_is : log2);
    if (moves->packet_bytes < runs->values[0])
        rate *= (double)moves->packet_bytes / (double)runs->values[0];
    if (moves->is_in_two_clusters)
        rate = fmin(rate, (double)machine->silicon_two_cluster_load_bytes_per_cycle);
    return rate;
}

static int64_t silicon_load(const Machine *machine, const Moves *moves)
{
    if (moves->is_replicated)
        return machine->static_load_startup_cycles +
               cost_scale(machine->silicon_replicated_request_millicycles, moves->requests, MILLI);
    return percent(machine->static_load_startup_cycles, machine->silicon_typical_percent) +
           llround((double)moves->bytes / silicon_rate(machine, moves));
}

static void silicon_dma(const Machine *machine, const Moves *moves, int64_t fixed, Cost *cost)
{
    if (moves->from_hbm && moves->to_dm) {
        replace_lines(cost, COST_HBM_READ, silicon_load(machine, moves), measured_silicon);
        cost->least =
            cost_scale(cost->cycles, PERMILLE - machine->silicon_noise_permille, PERMILLE);
        cost->most = percent(cost->cycles, machine->silicon_first_launch_percent_max);
        return;
    }
    int64_t cycles = percent(fixed, machine->silicon_typical_percent);
    if (moves->from_hbm && moves->to_hbm)
        cycles = max_i64(cycles, moves->bytes / machine->silicon_hbm_redistribute_bytes_per_cycle);
    replace_lines(cost, moves->to_hbm ? COST_HBM_WRITE : COST_DMA, cycles, measured_silicon);
    cost->least = min_i64(cycles, percent(fixed, machine->silicon_makespan_percent_min));
    cost->most = max_i64(cycles, percent(fixed, machine->silicon_makespan_percent_max));
}

// Copies of the sub context are no DMA: they are passes in all but name.
static void measured_copy(const Coster *coster, Cost *cost)
{
    const Machine *machine = coster->machine;
    int64_t cycles = cost->cycles, besides = machine->static_contraction_pass_cycles;
    if (coster->model == COST_SILICON)
        silicon_pass(machine, cost, cycles, besides, 0);
    else
        replace_lines(cost, COST_COPY, cycles + besides, measured_static);
}

// What the command takes, by the static model, on the chip that takes longest.
static int64_t slowest_chip(const Machine *machine, const DmaStreams *streams, const Cost *cost,
                            Moves *slowest)
{
    int64_t chips = 0, most = -1;
    for (int64_t i = 0; i < streams->count; i++)
        chips = max_i64(chips, streams->items[i].chip + 1);
    for (int64_t chip = 0; chip < chips; chip++) {
        Moves moves = moves_of(machine, streams, chip);
        bool has_none = moves.packet_bytes == INT64_MAX;
        int64_t cycles = has_none ? -1 : static_dma(machine, &moves, cost);
        if (cycles <= most)
            continue;
        most = cycles;
        *slowest = moves;
    }
    return most;
}

void cost_measured_dma(const Coster *coster, const DmaStreams *streams, Cost *cost)
{
    const Machine *machine = coster->machine;
    if (!streams->count)
        return;
    if (!cost->engine_count) {
        measured_copy(coster, cost);
        return;
    }
    Moves moves = {0};
    int64_t fixed = slowest_chip(machine, streams, cost, &moves);
    CostPart bound = cost->bound == COST_STARTUP ? COST_DMA : cost->bound;
    if (coster->model == COST_SILICON)
        silicon_dma(machine, &moves, fixed, cost);
    else
        replace_lines(cost, bound, fixed, measured_static);
    for (int64_t i = 0; i < cost->chip_count; i++)
        for (int64_t k = 0; k < SHARED_KINDS; k++)
            cost->chips[i].cycles[k] = min_i64(cost->chips[i].cycles[k], cost->cycles);
    for (int64_t i = 0; i < cost->engine_count; i++) // all of them end with the command
        cost->engines[i].cycles = cost->cycles;
}

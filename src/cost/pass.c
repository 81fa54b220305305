// Cycles of a Tensor Unit pass: each stage at its own pace, and how long until the next one begins.
#include "base/checked.h"
#include "command/bank.h"
#include "cost/internal.h"

enum { BYTE_BITS = 8 };

// A stage in time. The first output comes `latency` cycles behind the first input, the last one
// `drain` cycles behind the last: they differ where a stage collects before it puts out.
typedef struct {
    int64_t busy, latency, drain;
} StageCost;

typedef struct {
    const Coster *coster;
    Cost *cost;
    StageCost stages[COST_MOST_LINES];
    int64_t count;
    int64_t vector_first, vector_last; // stages of the Vector Engine; -1: none
} PassCost;

static CostLine *add_stage(PassCost *pass, CostPart part, const StageCost *stage, const char *rule)
{
    if (pass->count < COST_MOST_LINES)
        pass->stages[pass->count++] = *stage;
    CostLine *line = cost_line(pass->cost, part, COST_FROM_RULE, stage->busy, rule);
    line->latency = stage->latency;
    return line;
}

// ---- into the stream

// Batching collects the reads of a packet. Manual: Fetch Engine, Adapter Overhead.
static void add_fetch(PassCost *pass, const HwFetch *fetch)
{
    const Machine *machine = pass->coster->machine;
    int64_t cast = fetch->cast != fetch->type || fetch->table ? machine->fetch_cast_cycles : 0;
    int64_t latency = max_i64(fetch->fetches_per_packet - 1, 0) + cast;
    CostLine *line = add_stage(pass, COST_FETCH, &(StageCost){fetch_cycles(fetch), latency, cast},
                               "Fetch Engine, Packet Batching");
    if (fetch->fetches_per_packet > 1)
        line->note = str_format(pass->coster->arena, "{} reads of {} bytes a packet",
                                fetch->fetches_per_packet, fetch->nest.access_bytes);
}

static void add_switch(PassCost *pass, const HwSwitchRoute *route)
{
    if (!route)
        return;
    int64_t fill = pass->coster->machine->switch_fill_cycles;
    CostLine *line = add_stage(pass, COST_SWITCH, &(StageCost){switch_cycles(route), fill, fill},
                               "Switch Engine, Cycle Estimation");
    line->note = str_format(pass->coster->arena, "rings of {} slices, {} packets of {} bytes",
                            route->ring_size, route->in_time, route->packet_bytes);
    if (route->writes_registers)
        line->note = str_format(pass->coster->arena, "{}; {} registers before them", line->note,
                                route->register_writes);
}

static void add_collect(PassCost *pass, const HwCollect *collect)
{
    if (collect)
        add_stage(pass, COST_COLLECT, &(StageCost){collect->flits, 0, 0}, "Collect Engine");
}

// A flit a cycle; that the sub context reads 8 bytes at a time is in the fetch.
static void add_registers(PassCost *pass, const HwPipeline *pipeline)
{
    if (pipeline->trf_store)
        add_stage(pass, COST_TRF_STORE, &(StageCost){pipeline->trf_store->flits, 0, 0},
                  "TRF Sequencer, SRAM-to-TRF");
    if (pipeline->vrf_store)
        add_stage(pass, COST_VRF_STORE, &(StageCost){pipeline->vrf_store->time, 0, 0},
                  "Vector Engine, Operands");
}

// ---- computing

// Steps until the first place of the output is complete.
static int64_t steps_of_first_place(const HwReduce *reduce)
{
    int64_t steps = 1, inside = 1;
    for (int64_t i = reduce->loops.count - 1; i >= 0; i--) {
        const HwSlotLoop *loop = &reduce->loops.items[i];
        if (loop->reduced)
            steps += inside * (loop->size - 1);
        inside *= loop->size;
    }
    return max_i64(1, min_i64(steps, reduce->in_time));
}

// The tree adds a level a cycle, the accumulator a packet a cycle.
// Manual: Reducer, Performance; Full Tensor Reduction.
static void add_contract(PassCost *pass, const HwPipeline *pipeline)
{
    const HwReduce *reduce = pipeline->reduce;
    if (!reduce)
        return;
    const Machine *machine = pass->coster->machine;
    int64_t tree =
        machine_by_width(&machine->reduce_tree_depth, scalar_traits[reduce->in_type].bits);
    int64_t flits = pipeline->adapt ? max_i64(pipeline->adapt->collect_flits - 1, 0) : 0;
    int64_t busy = max_i64(reduce->in_time, reduce->out_time);
    StageCost stage = {busy, flits + tree + steps_of_first_place(reduce) - 1, tree};
    CostLine *line = add_stage(pass, COST_CONTRACT, &stage, "Reducer, Performance");
    if (reduce->out_time > reduce->in_time)
        line->note = str_format(pass->coster->arena, "{} steps put out {} packets: one a cycle",
                                reduce->in_time, reduce->out_time);
}

static int64_t reduced_steps(const HwLaneReduce *lanes)
{
    int64_t steps = 1;
    for (int64_t i = 0; i < lanes->loops.count; i++)
        steps *= lanes->loops.items[i].reduced ? lanes->loops.items[i].size : 1;
    return steps;
}

// Manual: Intra-Slice Block, Performance; Intra-Slice Reduce, Latency.
static void add_intra_slice(PassCost *pass, const HwVector *vector)
{
    StageCost stage = {.busy = vector->in_time};
    int64_t narrow = 0;
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        if (step->slices)
            continue;
        int64_t cycles =
            step->time * max_i64(1, ceil_div(step->packet_elements, max_i64(step->way, 1)));
        if (step->way == pass->coster->machine->vector_way4_lanes)
            narrow = max_i64(narrow, cycles);
        stage.busy = max_i64(stage.busy, cycles);
        stage.drain += step->alu != ALU_NONE;
        stage.latency += step->lanes ? reduced_steps(step->lanes) : 0;
    }
    stage.latency += stage.drain;
    CostLine *line = add_stage(pass, COST_VECTOR, &stage, "Intra-Slice Block, Performance");
    if (narrow > vector->in_time && narrow == stage.busy)
        line->note = str_format(pass->coster->arena, "{} packets of {} lanes, for {} that come in",
                                narrow, pass->coster->machine->vector_way4_lanes, vector->in_time);
}

// What comes in, then once round the slices that are combined. Manual: Inter-Slice Block,
// Performance; Reducer, Full Tensor Reduction.
static void add_inter_slice(PassCost *pass, const HwVector *vector)
{
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwSliceReduce *slices = vector->steps.items[i].slices;
        if (!slices)
            continue;
        CostLine *line = add_stage(pass, COST_INTER_SLICE,
                                   &(StageCost){slices->in_time, slices->group, slices->group},
                                   "Inter-Slice Block, Performance");
        line->note =
            str_format(pass->coster->arena, "{} slices are combined in a ring", slices->group);
    }
}

static void add_vector(PassCost *pass, const HwVector *vector)
{
    if (!vector)
        return;
    pass->vector_first = pass->count;
    add_intra_slice(pass, vector);
    add_inter_slice(pass, vector);
    pass->vector_last = pass->count - 1;
}

// ---- back to DM

// The cycles of the engine have the last matrix going out in them.
// Manual: Transpose Engine, Cycle Calculation.
static void add_transpose(PassCost *pass, const HwTranspose *transpose)
{
    if (!transpose)
        return;
    StageCost stage = {transpose_cycles(transpose) - transpose->out_flits, transpose->in_flits,
                       transpose->out_flits};
    CostLine *line = add_stage(pass, COST_TRANSPOSE, &stage, "Transpose Engine, Cycle Calculation");
    line->busy = transpose_cycles(transpose);
    if (!transpose->double_buffering && transpose->iterations > 1)
        line->note = str_format(pass->coster->arena,
                                "{} columns fill both buffers: input and output alternate",
                                transpose->in_cols);
}

static void add_finish(PassCost *pass, const HwPipeline *pipeline)
{
    const HwCommit *commit = pipeline->commit;
    if (pipeline->cast)
        add_stage(pass, COST_CAST, &(StageCost){pipeline->cast->time, 0, 0}, "Cast Engine");
    add_transpose(pass, pipeline->transpose);
    if (!commit)
        return;
    CostLine *line =
        add_stage(pass, COST_COMMIT, &(StageCost){commit->time * commit->writes_per_packet, 0, 0},
                  "Commit Engine, Write Bandwidth");
    if (commit->writes_per_packet > 1)
        line->note = str_format(pass->coster->arena, "{} writes of {} bytes a flit",
                                commit->writes_per_packet, commit->nest.access_bytes);
}

// ---- all of it

// A stage begins when all before it have filled, and what it puts out last has to drain through
// all behind it: the longest of these ways is the pass.
static void add_up(PassCost *pass)
{
    Cost *cost = pass->cost;
    int64_t begin = 0, behind = 0, longest = 0, behind_vector = 0;
    for (int64_t i = 0; i < pass->count; i++) {
        behind += pass->stages[i].drain;
        if (i > pass->vector_last)
            behind_vector += pass->stages[i].drain;
    }
    for (int64_t i = 0; i < pass->count; i++) {
        if (i == pass->vector_first)
            cost->vector_from = begin;
        longest = max_i64(longest, begin + pass->stages[i].busy + behind);
        begin += pass->stages[i].latency;
        behind -= pass->stages[i].drain;
    }
    cost->cycles = longest;
    if (pass->vector_first >= 0)
        cost->vector_to = longest - behind_vector;
}

// The registers of a custom topology are written first, one a cycle: the manual has no figure.
// Manual: Switch Engine, Configuration Overhead.
static void add_setup(const HwSwitchRoute *route, Cost *cost)
{
    if (!route || !route->writes_registers)
        return;
    cost->setup = route->register_writes;
    cost_line(cost, COST_REGISTERS, COST_FROM_RULE, cost->setup, "Switch Engine, Custom Topology");
    cost->bound = cost_bound(cost);
    cost->cycles += cost->setup;
    if (cost->vector_from < cost->vector_to) {
        cost->vector_from += cost->setup;
        cost->vector_to += cost->setup;
    }
}

int64_t cost_live_slices(const Machine *machine, const HwPipeline *pass)
{
    int64_t live = 0, every = 0;
    for (int64_t i = 0; i < pass->fetch.bitmaps.count; i++) {
        const HwClusterBits *bits = &pass->fetch.bitmaps.items[i];
        int64_t clusters = (bits->chip < 0 ? pass->chips : 1) *
                           (bits->cluster < 0 ? machine->clusters_per_chip : 1);
        for (int64_t w = 0; w < bits->slices.count; w++)
            live += clusters * __builtin_popcountll(bits->slices.items[w]);
        every += clusters;
    }
    return every ? live : pass->chips * pass->clusters * pass->slices;
}

static int64_t macs_of(const Machine *machine, const HwPipeline *pass)
{
    const HwReduce *reduce = pass->reduce;
    if (!reduce || !pass->adapt)
        return 0;
    int64_t width = pass->adapt->data_bytes + pass->adapt->pad_bytes;
    int64_t lanes = cost_scale(reduce->packet_elements, pass->adapt->data_bytes, max_i64(width, 1));
    return reduce->in_time * reduce->rows * lanes * cost_live_slices(machine, pass);
}

int64_t cost_fetch_elements(const HwFetch *fetch)
{
    return fetch->time / max_i64(fetch->bases.count, 1) * fetch->packet_elements;
}

int64_t cost_commit_elements(const HwCommit *commit)
{
    return commit->time * commit->commit_in_size * BYTE_BITS /
           max_i64(commit->nest.element_bits, 1);
}

// Interleaved tensors whose packets take turns at the same bank, at most.
static int64_t same_bank_bases(const Machine *machine, const HwFetch *fetch)
{
    enum { MOST_BANKS = 256 };
    int64_t counts[MOST_BANKS] = {0}, most = 1;
    for (int64_t i = 0; i < fetch->bases.count; i++) {
        int64_t bank = fetch->bases.items[i] / machine->dm_row_bytes % machine->dm_banks_per_slice;
        int64_t *count =
            &counts[(bank < 0 ? bank + machine->dm_banks_per_slice : bank) % MOST_BANKS];
        most = max_i64(most, ++*count);
    }
    return most;
}

// Accesses of both count together, those of a sequencer that never goes to a bank twice in a row
// for nothing. Manual: Memory Performance, Cumulative Bank Access Constraint.
int64_t cost_streaks(int64_t reads, int64_t writes)
{
    return reads > 1 && writes > 1 ? reads + writes : max_i64(reads, writes);
}

static int64_t streak_of(const Machine *machine, const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    const HwCommit *commit = pass->commit;
    int64_t reads = bank_streak(machine, &fetch->nest, cost_fetch_elements(fetch));
    reads *= same_bank_bases(machine, fetch);
    if (!commit)
        return reads;
    return cost_streaks(reads, bank_streak(machine, &commit->nest, cost_commit_elements(commit)));
}

void cost_pass(const Coster *coster, const HwPipeline *pipeline, Cost *cost)
{
    PassCost pass = {.coster = coster, .cost = cost, .vector_first = -1, .vector_last = -1};
    add_fetch(&pass, &pipeline->fetch);
    add_switch(&pass, pipeline->route);
    add_collect(&pass, pipeline->collect);
    add_registers(&pass, pipeline);
    add_contract(&pass, pipeline);
    add_vector(&pass, pipeline->vector);
    add_finish(&pass, pipeline);
    add_up(&pass);
    cost->bound = cost_bound(cost);
    add_setup(pipeline->route, cost);
    cost->bytes = pipeline->fetch.time * pipeline->fetch.packet_bytes *
                  cost_live_slices(coster->machine, pipeline);
    cost->macs = macs_of(coster->machine, pipeline);
    cost->bank_streak = streak_of(coster->machine, pipeline);
}

// One write of each slice, at once. Manual: Commit Engine.
void cost_immediate(const Coster *coster, const HwImmediateWrite *write, Cost *cost)
{
    (void)coster, (void)write;
    cost_line(cost, COST_COMMIT, COST_FROM_RULE, 1, "Commit Engine, Write Bandwidth");
    cost->cycles = 1;
    cost->bound = COST_COMMIT;
}

#include "schedule/lane.h"

#include "base/checked.h"
#include "base/str.h"

// ---- which there are

static void add_lane(Arena *arena, Lanes *lanes, LaneKind kind, int64_t cluster, int64_t engine)
{
    static const char *const names[LANE_KINDS] = {
        [LANE_DMA] = "DMA", [LANE_PCIE] = "PCIe",     [LANE_MAIN] = "main",
        [LANE_SUB] = "sub", [LANE_VECTOR] = "vector", [LANE_HBM] = "HBM"};
    StrBuf name = {.arena = arena};
    buf_add(&name, str_from(names[kind]));
    if (cluster >= 0)
        buf_printf(&name, " %lld", (long long)cluster);
    if (engine >= 0)
        buf_printf(&name, ".%lld", (long long)engine);
    if (!lanes->count_of[kind]++)
        lanes->first_of[kind] = lanes->count;
    lanes->items[lanes->count++] = (Lane){kind, cluster, engine, buf_str(&name), 0};
}

// The engines of a cluster are one queue in the models that were measured, and where there are more
// than bits to name them.
void lanes_new(Arena *arena, const Machine *machine, CostModel model, Lanes *lanes)
{
    int64_t clusters = machine->clusters_per_chip, engines = machine->dma_engines_per_cluster;
    bool one_queue = model != COST_MANUAL || clusters * engines > LANES_MOST - LANE_KINDS;
    if (one_queue)
        engines = 1;
    if (clusters > LANES_MOST - LANE_KINDS)
        clusters = 1;
    *lanes = (Lanes){.machine = machine, .model = model};
    lanes->items = arena_new(arena, Lane, LANES_MOST);
    lanes->engines_per_cluster = engines;
    for (int64_t i = 0; i < clusters * engines; i++)
        add_lane(arena, lanes, LANE_DMA, i / engines, one_queue ? -1 : i % engines);
    for (LaneKind kind = LANE_PCIE; kind < LANE_KINDS; kind++)
        add_lane(arena, lanes, kind, -1, -1);
}

// ---- which an operation needs

static void need(Arena *arena, LaneNeeds *needs, int64_t lane, int64_t from, int64_t to,
                 UseReason reason)
{
    for (int64_t i = 0; i < needs->count; i++) {
        LaneNeed *old = &needs->items[i];
        if (old->lane == lane && old->reason == reason) {
            old->from = min_i64(old->from, from);
            old->to = max_i64(old->to, to);
            return;
        }
    }
    *array_push(arena, needs, LaneNeed) = (LaneNeed){lane, from, to, reason};
}

static int64_t lane_of_engine(const Lanes *lanes, const CostEngine *engine)
{
    if (engine->cluster < 0)
        return lanes->first_of[LANE_PCIE];
    int64_t of_cluster = engine->cluster * lanes->engines_per_cluster;
    int64_t number = of_cluster + engine->engine % lanes->engines_per_cluster;
    return lanes->first_of[LANE_DMA] + number % lanes->count_of[LANE_DMA];
}

static void need_all_dma(Arena *arena, const Lanes *lanes, int64_t from, int64_t to,
                         UseReason reason, LaneNeeds *needs)
{
    for (int64_t i = 0; i < lanes->count_of[LANE_DMA]; i++)
        need(arena, needs, lanes->first_of[LANE_DMA] + i, from, to, reason);
}

// A custom topology: DMA and the other context stand still while its registers are written.
// Manual: Switch Engine, Custom Topology.
static void need_switch(Arena *arena, const Lanes *lanes, const HwPipeline *pass, const Cost *cost,
                        int64_t from, LaneNeeds *needs)
{
    if (cost->setup <= 0)
        return;
    need_all_dma(arena, lanes, from, from + cost->setup, USE_SWITCH, needs);
    LaneKind other = pass->context == CONTEXT_SUB ? LANE_MAIN : LANE_SUB;
    need(arena, needs, lanes->first_of[other], from, from + cost->setup, USE_SWITCH);
}

static void need_command(Arena *arena, const Lanes *lanes, const HwCommand *command,
                         const Cost *cost, int64_t from, LaneNeeds *needs)
{
    if (cost->vector_to > cost->vector_from)
        need(arena, needs, lanes->first_of[LANE_VECTOR], from + cost->vector_from,
             from + cost->vector_to, USE_WORK);
    if (cost->hbm_cycles > 0)
        need(arena, needs, lanes->first_of[LANE_HBM], from + cost->cycles - cost->hbm_cycles,
             from + cost->cycles, USE_WORK);
    if (command->pass)
        need_switch(arena, lanes, command->pass, cost, from, needs);
}

void lanes_needed(Arena *arena, const Lanes *lanes, const HwOperation *operation,
                  const Cost *const *costs, int64_t cost_count, bool keeps_bank, LaneNeeds *needs)
{
    int64_t end = 0;
    for (int64_t i = 0; i < cost_count; i++) {
        need_command(arena, lanes, &operation->commands.items[i], costs[i], end, needs);
        end += costs[i]->cycles;
    }
    if (operation->context == CONTEXT_MAIN || operation->context == CONTEXT_SUB) {
        LaneKind kind = operation->context == CONTEXT_MAIN ? LANE_MAIN : LANE_SUB;
        need(arena, needs, lanes->first_of[kind], 0, end, USE_WORK);
    }
    for (int64_t i = 0; i < cost_count; i++)
        for (int64_t k = 0; k < costs[i]->engine_count; k++)
            need(arena, needs, lane_of_engine(lanes, &costs[i]->engines[k]), 0, end, USE_WORK);
    if (keeps_bank)
        need_all_dma(arena, lanes, 0, end, USE_BANK, needs);
}

uint64_t lanes_kept(const LaneNeeds *needs, int64_t cycles)
{
    uint64_t kept = 0;
    for (int64_t i = 0; i < needs->count; i++)
        if (needs->items[i].from == 0 && needs->items[i].to == cycles)
            kept |= UINT64_C(1) << needs->items[i].lane;
    return kept;
}

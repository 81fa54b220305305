#include "schedule/lane.h"

#include "base/checked.h"
#include "base/str.h"

const char *const lane_kind_names[LANE_KINDS] = {
    [LANE_TDMA] = "dma",  [LANE_DMA] = "dma", [LANE_PCIE] = "pcie",     [LANE_LINK] = "pcie",
    [LANE_MAIN] = "main", [LANE_SUB] = "sub", [LANE_VECTOR] = "vector", [LANE_HBM] = "hbm",
};

// ---- which there are

static void add_lane(Arena *arena, Lanes *lanes, const Lane *lane)
{
    if (!lanes->count_of[lane->kind]++)
        lanes->first_of[lane->kind] = lanes->count;
    lanes->items[lanes->count] = *lane;
    StrBuf *name = &(StrBuf){.arena = arena};
    buf_add(name, lane->name);
    if (lane->cluster >= 0)
        buf_format(name, " {}", lane->cluster);
    if (lane->engine >= 0)
        buf_format(name, ".{}", lane->engine);
    lanes->items[lanes->count++].name = buf_str(name);
}

static void add_single(Arena *arena, Lanes *lanes, LaneKind kind, const char *name)
{
    add_lane(arena, lanes, &(Lane){kind, -1, -1, str_from(name), 0});
}

// The engines of a cluster are one queue in the models that were measured, and where there are more
// than bits to name them.
static void add_engines(Arena *arena, Lanes *lanes, int64_t most)
{
    const Machine *machine = lanes->machine;
    int64_t clusters = machine->clusters_per_chip, engines = machine->dma_engines_per_cluster;
    bool one_queue = lanes->model != COST_MANUAL || clusters * engines > most;
    if (one_queue)
        engines = 1;
    if (clusters > most)
        clusters = 1;
    lanes->engines_per_cluster = engines;
    for (int64_t i = 0; i < clusters * engines; i++)
        add_lane(arena, lanes,
                 &(Lane){LANE_DMA, i / engines, one_queue ? -1 : i % engines, STR("DMA"), 0});
}

// Of each chip; of all of them together where there are more than bits to name them.
static void add_shared(Arena *arena, Lanes *lanes, LaneKind kind, const char *name, int64_t chips)
{
    for (int64_t i = 0; i < chips; i++) {
        Str numbered = str_format(arena, "{} {}", name, i);
        add_lane(arena, lanes, &(Lane){kind, -1, -1, chips > 1 ? numbered : str_from(name), 0});
    }
}

void lanes_new(Arena *arena, const Machine *machine, CostModel model, int64_t chips, Lanes *lanes)
{
    enum { SINGLE = 5, MOST_ENGINES = 32 };
    *lanes = (Lanes){.machine = machine, .model = model};
    lanes->items = arena_new(arena, Lane, LANES_MOST);
    if (chips < 1 || chips > (LANES_MOST - SINGLE - MOST_ENGINES) / SHARED_KINDS)
        chips = 1;
    add_single(arena, lanes, LANE_TDMA, "tdma");
    add_engines(arena, lanes, MOST_ENGINES);
    add_single(arena, lanes, LANE_PCIE, "PCIe");
    add_shared(arena, lanes, LANE_LINK, "PCIe out", chips);
    add_shared(arena, lanes, LANE_LINK, "PCIe in", chips);
    add_single(arena, lanes, LANE_MAIN, "main");
    add_single(arena, lanes, LANE_SUB, "sub");
    add_single(arena, lanes, LANE_VECTOR, "vector");
    add_shared(arena, lanes, LANE_HBM, "HBM", chips);
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

// A custom topology: DMA and the other context stand still while its registers are written. So such
// a pass never waits for the Vector Engine: nobody is there to have it. Otherwise one that fills
// faster would begin later, and its registers with it. Manual: Switch Engine, Custom Topology.
static void need_switch(Arena *arena, const Lanes *lanes, const HwPipeline *pass, const Cost *cost,
                        int64_t from, LaneNeeds *needs)
{
    if (cost->setup <= 0)
        return;
    LaneKind other = pass->context == CONTEXT_SUB ? LANE_MAIN : LANE_SUB;
    need(arena, needs, lanes->first_of[LANE_TDMA], from, from + cost->setup, USE_SWITCH);
    need(arena, needs, lanes->first_of[other], from, from + cost->setup, USE_SWITCH);
}

// The channels of HBM and the way between chips are at work up to the end of a command.
static void need_chip(Arena *arena, const Lanes *lanes, const CostChip *chip, int64_t end,
                      LaneNeeds *needs)
{
    int64_t chips = lanes->count_of[LANE_HBM], number = chip->chip % chips;
    const int64_t lane_of[SHARED_KINDS] = {
        [SHARED_HBM] = lanes->first_of[LANE_HBM] + number,
        [SHARED_PCIE_OUT] = lanes->first_of[LANE_LINK] + number,
        [SHARED_PCIE_IN] = lanes->first_of[LANE_LINK] + chips + number,
    };
    for (int64_t i = 0; i < SHARED_KINDS; i++)
        if (chip->cycles[i] > 0)
            need(arena, needs, lane_of[i], end - chip->cycles[i], end, USE_WORK);
}

static void need_command(Arena *arena, const Lanes *lanes, const HwCommand *command,
                         const Cost *cost, int64_t from, LaneNeeds *needs)
{
    if (cost->vector_to > cost->vector_from)
        need(arena, needs, lanes->first_of[LANE_VECTOR], from + cost->vector_from,
             from + cost->vector_to, USE_WORK);
    for (int64_t i = 0; i < cost->chip_count; i++)
        need_chip(arena, lanes, &cost->chips[i], from + cost->cycles, needs);
    if (command->pass)
        need_switch(arena, lanes, command->pass, cost, from, needs);
}

// The context that executes it, from its begin to its end. Engines of DMA may be free earlier, but
// DMA is one resource. Manual: Scheduling, Hardware Resources.
static void need_context(Arena *arena, const Lanes *lanes, Context context, int64_t end,
                         LaneNeeds *needs)
{
    static const LaneKind kind_of[CONTEXT_COUNT] = {[CONTEXT_MAIN] = LANE_MAIN,
                                                    [CONTEXT_SUB] = LANE_SUB,
                                                    [CONTEXT_TDMA] = LANE_TDMA,
                                                    [CONTEXT_PDMA] = LANE_PCIE};
    need(arena, needs, lanes->first_of[kind_of[context]], 0, end, USE_WORK);
}

void lanes_needed(Arena *arena, const Lanes *lanes, const HwOperation *operation,
                  const Cost *const *costs, int64_t cost_count, bool keeps_bank, LaneNeeds *needs)
{
    int64_t end = 0;
    for (int64_t i = 0; i < cost_count; i++)
        end += costs[i]->cycles;
    need_context(arena, lanes, operation->context, end, needs);
    for (int64_t i = 0, from = 0; i < cost_count; from += costs[i++]->cycles)
        need_command(arena, lanes, &operation->commands.items[i], costs[i], from, needs);
    for (int64_t i = 0; i < cost_count; i++)
        for (int64_t k = 0; k < costs[i]->engine_count; k++)
            need(arena, needs, lane_of_engine(lanes, &costs[i]->engines[k]), 0, end, USE_WORK);
    if (keeps_bank)
        need(arena, needs, lanes->first_of[LANE_TDMA], 0, end, USE_BANK);
}

uint64_t lanes_kept(const LaneNeeds *needs, int64_t cycles)
{
    uint64_t kept = 0;
    for (int64_t i = 0; i < needs->count; i++)
        if (needs->items[i].from == 0 && needs->items[i].to == cycles)
            kept |= UINT64_C(1) << needs->items[i].lane;
    return kept;
}

#include "command/use.h"

#include "base/checked.h"
#include "command/use_hint.h"

// Cycles of one engine of a pass, or of all DMA engines.
typedef struct {
    const char *engine;
    int64_t cycles;
} Cost;

enum { PERMILLE = 1000 };

// `part` of `whole`, in the share of the slices that hold data.
static int64_t permille(int64_t part, int64_t whole, int64_t live, int64_t slices)
{
    if (whole <= 0 || slices <= 0)
        return 0;
    double share = (double)part / (double)whole * ((double)live / (double)slices);
    return (int64_t)(share * PERMILLE + 0.5);
}

static void take_longer(Cost *longest, const char *engine, int64_t cycles)
{
    if (cycles > longest->cycles)
        *longest = (Cost){engine, cycles};
}

// ---- a pass

// A packet of 4 lanes takes as long as one of 8. Slices that are added up follow each other.
static int64_t vector_cycles(const HwVector *vector)
{
    int64_t most = vector->in_time;
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        int64_t cycles = step->slices ? step->slices->group * step->slices->out_time : step->time;
        most = max_i64(most, cycles);
    }
    return most;
}

// The engines work at the same time; the one that takes longest holds up the others.
static Cost pass_cost(const HwPipeline *pass)
{
    Cost longest = {"fetch", pass->fetch.cycles};
    if (pass->route)
        take_longer(&longest, "switch", pass->route->cycles);
    if (pass->collect)
        take_longer(&longest, "collect", pass->collect->flits);
    if (pass->reduce)
        take_longer(&longest, "contract", max_i64(pass->reduce->in_time, pass->reduce->out_time));
    if (pass->vector)
        take_longer(&longest, "vector", vector_cycles(pass->vector));
    if (pass->cast)
        take_longer(&longest, "cast", pass->cast->time);
    if (pass->transpose)
        take_longer(&longest, "transpose", pass->transpose->cycles);
    if (pass->commit)
        take_longer(&longest, "commit", pass->commit->time * pass->commit->writes_per_packet);
    return longest;
}

int64_t use_live_slices(const Machine *machine, const HwPipeline *pass)
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

static int64_t all_slices(const Machine *machine, const HwPipeline *pass)
{
    return pass->chips * machine->clusters_per_chip * machine->slices_per_cluster;
}

// Lanes of the MAC array that hold data, over all rows.
static int64_t mac_use(const Machine *machine, const HwPipeline *pass, int64_t cycles)
{
    if (!pass->reduce || !pass->adapt)
        return 0;
    int64_t rows = machine->mac_rows;
    int64_t busy = pass->reduce->in_time * pass->reduce->rows * pass->adapt->data_bytes;
    int64_t whole = cycles * rows * (pass->adapt->data_bytes + pass->adapt->pad_bytes);
    return permille(busy, whole, use_live_slices(machine, pass), all_slices(machine, pass));
}

static int64_t lane_use(const Machine *machine, const HwPipeline *pass, int64_t cycles)
{
    int64_t busy = 0, lanes = machine->vector_way8_lanes;
    for (int64_t i = 0; pass->vector && i < pass->vector->steps.count; i++) {
        const HwVectorStep *step = &pass->vector->steps.items[i];
        busy = max_i64(busy, step->time * step->packet_elements);
    }
    return permille(busy, cycles * lanes, use_live_slices(machine, pass),
                    all_slices(machine, pass));
}

static void use_pass(const Machine *machine, const HwPipeline *pass, HwUse *use)
{
    Cost cost = pass_cost(pass);
    int64_t live = use_live_slices(machine, pass), slices = all_slices(machine, pass);
    use->bound_by = str_from(cost.engine);
    use->cycles = cost.cycles;
    use->mac_permille = mac_use(machine, pass, cost.cycles);
    use->lane_permille = lane_use(machine, pass, cost.cycles);
    use->slice_permille = permille(1, 1, live, slices);
    use->bandwidth_permille = permille(pass->fetch.time * pass->fetch.packet_bytes,
                                       cost.cycles * machine->flit_bytes, live, slices);
}

// ---- DMA

// Cycles of one descriptor: its start, and its requests at the rate of an engine. Where both sides
// are one kind of memory, reads and writes take turns. Manual: DMA Engine, Examples 1 and 3.
static int64_t descriptor_cycles(const Machine *machine, const HwDescriptor *descriptor)
{
    int64_t data = descriptor->requests;
    if (descriptor->inter_chip)
        data = ceil_div(descriptor->requests * machine->dma_request_bytes,
                        machine->pcie_bytes_per_cycle);
    else if (descriptor->source.media == descriptor->dest.media)
        data *= 2;
    return machine->dma_startup_cycles + data;
}

// What the channels of HBM take for the units that are read and written on one chip.
// Manual: Memory Performance, Peak Bandwidth.
static int64_t hbm_cycles(const Machine *machine, const HwDmaCommand *dma, int64_t chips)
{
    int64_t units = 0, stacks = machine->hbm_stacks;
    bool both = use_toggles_stack(machine, dma, true) || use_toggles_stack(machine, dma, false);
    for (int64_t i = 0; i < dma->descriptors.count; i++) {
        const HwDescriptor *descriptor = &dma->descriptors.items[i];
        units += descriptor->source.media == MEDIA_HBM ? descriptor->requests : 0;
        units += descriptor->dest.media == MEDIA_HBM ? descriptor->requests : 0;
    }
    int64_t channels = machine->hbm_channels_per_stack * (both ? stacks : 1);
    int64_t per_cycle = machine->hbm_channel_mb_per_second / machine->clock_mhz * channels;
    return ceil_div(ceil_div(units, chips) * machine->hbm_unit_bytes, max_i64(per_cycle, 1));
}

// Engines work side by side, each on its descriptors one after the other.
static int64_t engine_cycles(Arena *arena, const Machine *machine, const HwDmaCommand *dma,
                             int64_t chips)
{
    int64_t per_chip = machine->dma_engines_per_chip + 1, most = 0;
    int64_t *busy = arena_new(arena, int64_t, (size_t)(chips * per_chip));
    for (int64_t i = 0; i < dma->descriptors.count; i++) {
        const HwDescriptor *descriptor = &dma->descriptors.items[i];
        int64_t engine = machine->dma_engines_per_chip; // the one for PCIe, and copies of slices
        if (descriptor->cluster >= 0 && descriptor->engine >= 0)
            engine = descriptor->cluster * machine->dma_engines_per_cluster + descriptor->engine;
        int64_t *mine = &busy[descriptor->chip * per_chip + engine];
        *mine += descriptor_cycles(machine, descriptor);
        most = max_i64(most, *mine);
    }
    return most;
}

static void use_dma(Arena *arena, const Machine *machine, const HwDmaCommand *dma, HwUse *use)
{
    int64_t chips = 1;
    for (int64_t i = 0; i < dma->descriptors.count; i++)
        chips = max_i64(chips, dma->descriptors.items[i].chip + 1);
    int64_t engines = engine_cycles(arena, machine, dma, chips);
    int64_t hbm = machine->dma_startup_cycles + hbm_cycles(machine, dma, chips);
    use->bound_by = hbm > engines ? STR("HBM") : STR("DMA");
    use->cycles = max_i64(engines, hbm);
    use->bandwidth_permille =
        permille(dma->bytes, use->cycles * machine->dma_bytes_per_cycle_per_chip * chips, 1, 1);
}

// ---- an operation

// Of several commands the longest names what bounds the operation; cycles add up.
const HwUse *command_use(Arena *arena, const Machine *machine, const HwOperation *operation)
{
    HwUse *use = arena_new(arena, HwUse, 1);
    int64_t cycles = 0;
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        HwUse part = {0};
        if (command->pass)
            use_pass(machine, command->pass, &part);
        else if (command->dma)
            use_dma(arena, machine, command->dma, &part);
        cycles += part.cycles;
        if (part.cycles >= use->cycles)
            *use = part;
    }
    use->cycles = cycles;
    use_hints(arena, machine, operation, use);
    return use;
}

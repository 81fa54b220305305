#include "cost/use.h"

#include "base/checked.h"
#include "cost/internal.h"

enum { PERMILLE = 1000 };

// `part` of `whole`, in the share of the slices that hold data.
static int64_t permille(int64_t part, int64_t whole, int64_t live, int64_t slices)
{
    if (whole <= 0 || slices <= 0)
        return 0;
    double share = (double)part / (double)whole * ((double)live / (double)slices);
    return (int64_t)(share * PERMILLE + 0.5);
}

// ---- a pass

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
    return permille(busy, whole, cost_live_slices(machine, pass), all_slices(machine, pass));
}

static int64_t lane_use(const Machine *machine, const HwPipeline *pass, int64_t cycles)
{
    int64_t busy = 0, lanes = machine->vector_way8_lanes;
    for (int64_t i = 0; pass->vector && i < pass->vector->steps.count; i++) {
        const HwVectorStep *step = &pass->vector->steps.items[i];
        busy = max_i64(busy, step->time * step->packet_elements);
    }
    return permille(busy, cycles * lanes, cost_live_slices(machine, pass),
                    all_slices(machine, pass));
}

static void use_pass(const Machine *machine, const HwPipeline *pass, HwUse *use)
{
    int64_t live = cost_live_slices(machine, pass), slices = all_slices(machine, pass);
    use->mac_permille = mac_use(machine, pass, use->cycles);
    use->lane_permille = lane_use(machine, pass, use->cycles);
    use->slice_permille = permille(1, 1, live, slices);
    use->bandwidth_permille = permille(pass->fetch.time * pass->fetch.packet_bytes,
                                       use->cycles * machine->flit_bytes, live, slices);
}

// ---- DMA

// Copies of the sub context have the slices to themselves, and no engine.
static void use_dma(const Machine *machine, const HwDmaCommand *dma, bool has_engines, HwUse *use)
{
    int64_t chips = 1, slices = machine->clusters_per_chip * machine->slices_per_cluster;
    for (int64_t i = 0; i < dma->descriptors.count; i++)
        chips = max_i64(chips, dma->descriptors.items[i].chip + 1);
    int64_t rate =
        has_engines ? machine->dma_bytes_per_cycle_per_chip : machine->commit_sub_bytes * slices;
    use->bandwidth_permille = permille(dma->bytes, use->cycles * rate * chips, 1, 1);
}

// ---- an operation

// Of several commands the longest names what bounds the operation; cycles add up.
void use_of_operation(const Machine *machine, CostBook *book, const HwOperation *operation,
                      HwUse *use)
{
    int64_t cycles = 0;
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        const Cost *cost = cost_of_command(book, command);
        HwUse part = {.bound_by = str_from(cost_part_names[cost->bound]), .cycles = cost->cycles};
        if (command->pass)
            use_pass(machine, command->pass, &part);
        else if (command->dma)
            use_dma(machine, command->dma, cost->engine_count > 0, &part);
        cycles += part.cycles;
        if (part.cycles >= use->cycles)
            *use = part;
    }
    use->cycles = cycles;
}

#include "cost/cost.h"

#include "base/checked.h"
#include "command/bank.h"
#include "command/nest.h"
#include "cost/internal.h"

#include <stdlib.h>

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
    use->fetch_cycles = fetch_cycles(&pass->fetch);
    use->switch_cycles = pass->route ? switch_cycles(pass->route) : 0;
    use->transpose_cycles = pass->transpose ? transpose_cycles(pass->transpose) : 0;
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

// ---- hints

typedef struct {
    Arena *arena;
    const Machine *machine;
    HwUse *use;
} Hinter;

static void(hint)(const Hinter *hinter, Message message)
{
    Str text = (str_format)(hinter->arena, message);
    for (int64_t i = 0; i < hinter->use->hints.count; i++)
        if (str_equal(hinter->use->hints.items[i].text, text))
            return;
    array_push(hinter->arena, &hinter->use->hints, HwHint)->text = text;
}
#define hint(hinter, ...) hint(hinter, MESSAGE(__VA_ARGS__))

// ---- hints on passes

// Manual: Fetch Engine, Padding Packets.
static void hint_fetch_size(const Hinter *hinter, const HwPipeline *pass)
{
    const HwFetch *fetch = &pass->fetch;
    const MachineList *sizes = &hinter->machine->fetch_sizes;
    int64_t most = sizes->values[sizes->count - 1], size = fetch->nest.access_bytes;
    if (pass->context != CONTEXT_MAIN || size >= most || fetch->cast != fetch->type ||
        fetch->time * fetch->fetches_per_packet < 2)
        return;
    int64_t padded = ceil_div(fetch->packet_bytes, most) * most;
    if (fetch->packet_bytes % most && fetch->contiguous_bytes >= fetch->packet_bytes)
        hint(hinter,
             "packets of {} bytes are read {} at a time: padded to {} bytes, in the buffer as in "
             "the stream, one read takes {}",
             fetch->packet_bytes, size, padded, most);
    else if (fetch->contiguous_bytes % most)
        hint(hinter,
             "reads are of {} bytes, because only {} lie together: with what Packet walks "
             "innermost in the buffer they are of {}",
             size, fetch->contiguous_bytes, most);
}

static const HwLoop *outer_time(const HwFetch *fetch)
{
    for (int64_t i = 0; i < fetch->nest.loops.count; i++)
        if (!fetch->nest.loops.items[i].packet && fetch->nest.loops.items[i].size > 1)
            return &fetch->nest.loops.items[i];
    return NULL;
}

// Manual: Memory and Stream; Vector Engine: slices work side by side.
static void hint_slices(const Hinter *hinter, const HwPipeline *pass)
{
    const Machine *machine = hinter->machine;
    int64_t every = pass->chips * machine->clusters_per_chip * machine->slices_per_cluster;
    int64_t live = cost_live_slices(machine, pass);
    const HwLoop *loop = outer_time(&pass->fetch);
    if (!loop || live * 2 > every || !loop->term.len)
        return;
    hint(hinter,
         "{} of {} slices hold data: `{}`, {} steps of Time, in Slice or Cluster would use {}",
         live, every, loop->term, loop->size,
         live * loop->size < every ? live * loop->size : every);
}

// Manual: Memory Performance, Bank Starvation.
static void hint_banks(const Hinter *hinter, const HwNest *nest, int64_t elements, const char *verb)
{
    const Machine *machine = hinter->machine;
    int64_t accesses = bank_streak(machine, nest, elements);
    if (accesses > machine->bank_accesses_max)
        hint(hinter,
             "{} {} in a row go to one bank of DM, and keep DMA waiting (up to {} do not): make "
             "the stride {} bytes longer",
             accesses, verb, machine->bank_accesses_max, machine->dm_row_bytes);
}

// Manual: Collect Engine; Fetch Engine and Switch Engine Interaction.
static void hint_flits(const Hinter *hinter, const HwPipeline *pass)
{
    const HwCollect *collect = pass->collect;
    if (!collect || !collect->pad_bytes)
        return;
    hint(hinter,
         "{} of {} bytes of every packet behind collect are padding: packets of whole flits of {} "
         "bytes waste nothing",
         collect->pad_bytes, collect->in_packet_bytes + collect->pad_bytes,
         hinter->machine->flit_bytes);
}

// Manual: Switch Engine, Cycle Estimation; Custom Topology Overhead.
static void hint_switch(const Hinter *hinter, const HwPipeline *pass)
{
    const HwSwitchRoute *route = pass->route;
    if (!route)
        return;
    if (route->writes_registers)
        hint(hinter,
             "a custom topology writes {} registers first, for which DMA and the sub context wait: "
             "use a regular one where it does the same",
             route->register_writes);
    if (route->ring_size == hinter->machine->slices_per_cluster)
        hint(hinter,
             "all {} slices are one ring: cycles grow with the ring, and a DMA may be quicker",
             route->ring_size);
}

// Manual: Stream Adapter, Flit Buffer; Reducer, Interleaved Mode.
static void hint_contract(const Hinter *hinter, const HwPipeline *pass)
{
    if (!pass->adapt || !pass->reduce)
        return;
    int64_t rows = hinter->machine->mac_rows;
    if (pass->adapt->pad_bytes)
        hint(hinter,
             "{} of {} bytes of the MAC width are zeros: with another flit of the contracted axis "
             "in Packet all of it is used",
             pass->adapt->pad_bytes, pass->adapt->data_bytes + pass->adapt->pad_bytes);
    if (pass->reduce->rows < rows)
        hint(hinter,
             "{} of {} rows of the MAC array work: put more of an axis of the weights into Row",
             pass->reduce->rows, rows);
}

// Manual: Transpose Engine, Double Buffering.
static void hint_transpose(const Hinter *hinter, const HwPipeline *pass)
{
    const HwTranspose *transpose = pass->transpose;
    if (transpose && !transpose->double_buffering && transpose->iterations > 1)
        hint(hinter,
             "{} columns fill both buffers, so that input and output alternate: up to {} columns "
             "they overlap",
             transpose->in_cols, hinter->machine->transpose_buffer_cols);
}

// Manual: Commit Engine, Write Bandwidth.
static void hint_commit(const Hinter *hinter, const HwPipeline *pass)
{
    const HwCommit *commit = pass->commit;
    if (commit && commit->writes_per_packet > 1 && pass->context == CONTEXT_MAIN)
        hint(hinter,
             "each flit is written in {} pieces of {} bytes: what Packet walks innermost in the "
             "buffer takes one write",
             commit->writes_per_packet, commit->nest.access_bytes);
}

static void hint_pass(const Hinter *hinter, const HwPipeline *pass)
{
    hint_fetch_size(hinter, pass);
    hint_slices(hinter, pass);
    hint_banks(hinter, &pass->fetch.nest, cost_fetch_elements(&pass->fetch), "reads");
    hint_flits(hinter, pass);
    hint_switch(hinter, pass);
    hint_contract(hinter, pass);
    hint_transpose(hinter, pass);
    hint_commit(hinter, pass);
    if (pass->commit)
        hint_banks(hinter, &pass->commit->nest, cost_commit_elements(pass->commit), "writes");
}

// ---- hints on DMA

static bool same_part(const MachineList *bits, int64_t a, int64_t b)
{
    return machine_address_part(bits, a) == machine_address_part(bits, b);
}

// The next request opens another row of the bank that the last one used.
// Manual: DMA Engine, Example 4; Memory Performance, Row Switch.
static void hint_rows(const Hinter *hinter, const HwDescriptor *descriptor, HwSide side)
{
    const Machine *machine = hinter->machine;
    for (int64_t i = descriptor->loops.count - 1; i >= 0; i--) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        int64_t stride = side_stride(loop, side), base = side_base(descriptor, side);
        int64_t next = base + stride;
        if (!stride)
            continue;
        bool reopens = stride > 0 && same_part(&machine->hbm_bank_bits, base, next) &&
                       same_part(&machine->hbm_bank_group_bits, base, next) &&
                       same_part(&machine->hbm_slice_bits, base, next) &&
                       !same_part(&machine->hbm_row_bits, base, next);
        if (reopens)
            hint(hinter,
                 "the HBM stride {} of `{}` switches rows of a bank on every request, about {} "
                 "cycles each: put an axis of a smaller stride inside",
                 stride, loop->term, machine->hbm_row_switch_cycles);
        return;
    }
}

// Manual: DMA Engine, Example 5.
static bool toggles_stack(const Machine *machine, const HwDescriptor *descriptor, HwSide side)
{
    int64_t unit = machine->hbm_unit_bytes;
    if (descriptor->packet_bytes > unit)
        return true;
    for (int64_t i = 0; i < descriptor->loops.count; i++)
        if (side_stride(&descriptor->loops.items[i], side) % (2 * unit))
            return true;
    return false;
}

static bool in_hbm(const HwDescriptor *descriptor, HwSide side)
{
    return side_place(descriptor, side)->media == MEDIA_HBM;
}

static bool uses_all_stacks(const Machine *machine, const HwDmaCommand *dma, HwSide side)
{
    const HwDescriptor *first = &dma->descriptors.items[0];
    if (!dma->descriptors.count || !in_hbm(first, side) || first->requests == 1)
        return true;
    for (int64_t i = 0; i < dma->descriptors.count; i++) {
        const HwDescriptor *descriptor = &dma->descriptors.items[i];
        if (toggles_stack(machine, descriptor, side) ||
            !same_part(&machine->hbm_stack_bits, side_base(descriptor, side),
                       side_base(first, side)))
            return true;
    }
    return false;
}

// Manual: DMA Engine, Packet size and internal DMA requests; Memory Performance, Misaligned Access.
static void hint_requests(const Hinter *hinter, const HwDescriptor *descriptor)
{
    int64_t unit = hinter->machine->dma_request_bytes, bytes = descriptor->packet_bytes;
    if (bytes < unit && descriptor->requests > 1)
        hint(hinter,
             "packets of {} bytes take a request each, which could move {}: let more lie together "
             "on both sides",
             bytes, unit);
    else if (bytes % unit && bytes > unit)
        hint(hinter,
             "packets of {} bytes take {} requests of {}, the last one partly used: pad to a "
             "multiple of {}",
             bytes, ceil_div(bytes, unit), unit, unit);
}

static void hint_partial_write(const Hinter *hinter, const HwDescriptor *descriptor)
{
    int64_t unit = hinter->machine->hbm_unit_bytes;
    if (descriptor->dest.media != MEDIA_HBM ||
        (descriptor->packet_bytes % unit == 0 && descriptor->dest_base % unit == 0))
        return;
    hint(hinter,
         "HBM is written in pieces that are not whole units of {} bytes: each is read, changed and "
         "written back, about {} times as long",
         unit, hinter->machine->hbm_partial_write_factor);
}

// ---- copies that the ring of the Switch Engine could make

typedef struct {
    ARRAY(int64_t);
} SliceList;

static bool is_copy_of(const HwDescriptor *descriptor, const HwDescriptor *first)
{
    return descriptor->source_base == first->source_base && descriptor->chip == first->chip &&
           descriptor->source.tensor == first->source.tensor &&
           descriptor->source.cluster == first->source.cluster;
}

// The slices of the first cluster that get the same data as the first slice, relative to it: from
// engines that read the same place, and from loops that read it again.
static SliceList copied_slices(Arena *arena, const HwDmaCommand *dma, int64_t slice_bytes)
{
    const HwDescriptor *first = &dma->descriptors.items[0];
    SliceList slices = {0};
    for (int64_t i = 0; i < dma->descriptors.count; i++) {
        const HwDescriptor *descriptor = &dma->descriptors.items[i];
        if (is_copy_of(descriptor, first) && descriptor->cluster == first->cluster)
            *array_push(arena, &slices, int64_t) =
                (descriptor->dest_base - first->dest_base) / slice_bytes;
    }
    for (int64_t i = 0; i < first->loops.count; i++) {
        const HwDmaLoopEntry *loop = &first->loops.items[i];
        int64_t before = slices.count;
        if (loop->source_stride || loop->dest_stride % slice_bytes)
            continue;
        for (int64_t k = 1; k < loop->limit; k++)
            for (int64_t n = 0; n < before; n++)
                *array_push(arena, &slices, int64_t) =
                    slices.items[n] + k * (loop->dest_stride / slice_bytes);
    }
    return slices;
}

static int compare_slices(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return compare_i64(x, y);
}

// How many slices apart the copies are. 0: there are none, or they are not evenly spaced.
static int64_t copy_distance(SliceList *slices)
{
    if (slices->count < 2)
        return 0;
    qsort(slices->items, slices->count, sizeof *slices->items, compare_slices);
    int64_t distance = slices->items[1] - slices->items[0];
    for (int64_t i = 1; i < slices->count; i++)
        if (slices->items[i] - slices->items[i - 1] != distance)
            return 0;
    return distance;
}

// The number of clusters whose first slices get the same data.
static int64_t copied_clusters(const HwDmaCommand *dma)
{
    const HwDescriptor *first = &dma->descriptors.items[0];
    int64_t clusters = 0;
    for (int64_t i = 0; i < dma->descriptors.count; i++)
        clusters += is_copy_of(&dma->descriptors.items[i], first) &&
                    dma->descriptors.items[i].dest_base == first->dest_base;
    return clusters;
}

static int64_t bytes_in_slice(const HwDescriptor *descriptor, int64_t slice_bytes)
{
    int64_t bytes = descriptor->packet_bytes;
    for (int64_t i = 0; i < descriptor->loops.count; i++)
        if (descriptor->loops.items[i].dest_stride % slice_bytes)
            bytes *= descriptor->loops.items[i].limit;
    return bytes;
}

// A load that writes the same data to several slices occupies DMA once for each of them. The ring
// of the Switch Engine could make the copies while a pass reads the data. Every packet goes once
// around the ring, so this pays off if the copies are close to each other. A load that takes no
// longer than its startup gets no hint. Manual: Switch Engine, Broadcast1; Cycle Estimation.
static void hint_copies(const Hinter *hinter, const HwDmaCommand *dma)
{
    const Machine *machine = hinter->machine;
    const HwDescriptor *first = &dma->descriptors.items[0];
    int64_t slice_bytes = machine->dm_virtual_slice_stride_bytes;
    if (first->dest.media != MEDIA_DM || first->engine < 0 ||
        dma->bytes <= machine->dma_startup_cycles * machine->dma_bytes_per_cycle_per_chip)
        return;
    SliceList slices = copied_slices(hinter->arena, dma, slice_bytes);
    int64_t distance = copy_distance(&slices), clusters = copied_clusters(dma);
    if (distance < 1)
        return;
    int64_t cycles = ceil_div(bytes_in_slice(first, slice_bytes), machine->flit_bytes);
    Str where = {0}, neighbors = {0};
    if (clusters > 1)
        where = str_format(hinter->arena, " ({} in each of {} clusters)", slices.count, clusters);
    if (distance > 1)
        neighbors = str_format(
            hinter->arena, ", or {} if the copies go to neighboring slices (`slice0: 1`)", cycles);
    hint(hinter,
         "each element is written to {} slices{}: spread the data over them instead, and copy it "
         "in the pass that reads it, with `Broadcast1 {{ slice1: {}, slice0: {} }`: a ring of {} "
         "slices, about {} cycles{}",
         slices.count * clusters, where, slices.count, distance, slices.count * distance,
         cycles * distance, neighbors);
}

static void hint_side(const Hinter *hinter, const HwDmaCommand *dma, HwSide side)
{
    const HwDescriptor *first = &dma->descriptors.items[0];
    if (!in_hbm(first, side))
        return;
    hint_rows(hinter, first, side);
    if (!uses_all_stacks(hinter->machine, dma, side))
        hint(hinter,
             "address bit 8 of HBM never changes: one of {} stacks, half of the channels, does all "
             "the work",
             hinter->machine->hbm_stacks);
}

static void hint_dma(const Hinter *hinter, const HwDmaCommand *dma)
{
    if (!dma->descriptors.count || dma->descriptors.items[0].indirect)
        return;
    hint_side(hinter, dma, SIDE_SOURCE);
    hint_side(hinter, dma, SIDE_DEST);
    hint_requests(hinter, &dma->descriptors.items[0]);
    hint_partial_write(hinter, &dma->descriptors.items[0]);
    hint_copies(hinter, dma);
    if (!dma->homogeneous)
        hint(hinter,
             "{} descriptors, more than one an engine or not alike: each start costs about {} "
             "cycles, and shapes that divide evenly need fewer",
             dma->descriptors.count, hinter->machine->dma_startup_cycles);
}

// What would be quicker, as the manual teaches it.
static void use_hints(Arena *arena, const Machine *machine, const HwOperation *operation,
                      HwUse *use)
{
    Hinter hinter = {arena, machine, use};
    for (int64_t i = 0; i < operation->commands.count; i++) {
        if (operation->commands.items[i].pass)
            hint_pass(&hinter, operation->commands.items[i].pass);
        if (operation->commands.items[i].dma)
            hint_dma(&hinter, operation->commands.items[i].dma);
    }
}

// ---- an operation

// Of several commands the longest names what bounds the operation; cycles add up.
static void use_of_operation(Arena *arena, const Machine *machine, CostBook *book,
                             const HwOperation *operation, HwUse *use)
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
    use_hints(arena, machine, operation, use);
}

const HwUse *use_of_object(Arena *arena, const Machine *machine, CostBook *book,
                           const HwObject *object)
{
    HwUse *uses = arena_new(arena, HwUse, object->operations.count + 1);
    for (int64_t i = 0; i < object->operations.count; i++)
        use_of_operation(arena, machine, book, &object->operations.items[i], &uses[i]);
    return uses;
}

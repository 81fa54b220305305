// Whether a DMA waits while a pass goes to one bank of DM again and again.
// Manual: Memory Performance, Bank Starvation. docs/running.md says what counts.
#include "device/sanitize.h"

enum { NEIGHBOURS = 64 };

// ---- beside which DMA

static bool reads_tensor(const HwOperation *operation, int64_t tensor)
{
    for (int64_t i = 0; i < operation->reads.count; i++)
        if (operation->reads.items[i] == tensor)
            return true;
    return false;
}

// `later` cannot begin before `earlier` ends: one writes what the other reads or writes.
static bool waits_for(const HwOperation *later, const HwOperation *earlier)
{
    return reads_tensor(later, earlier->writes) || reads_tensor(earlier, later->writes) ||
           (later->writes >= 0 && later->writes == earlier->writes);
}

static bool touches_dm(const HwPlace *place, const HwPipeline *pass)
{
    return place->media == MEDIA_DM && place->chip >= pass->first_chip &&
           place->chip < pass->first_chip + pass->chips && place->cluster >= pass->first_cluster &&
           place->cluster < pass->first_cluster + pass->clusters;
}

// A DMA from or to DM of a cluster that executes the pass.
static bool is_dma_beside(const HwOperation *operation, const HwPipeline *pass)
{
    if (operation->context != CONTEXT_TDMA && operation->context != CONTEXT_PDMA)
        return false;
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwDmaCommand *dma = operation->commands.items[i].dma;
        for (int64_t k = 0; dma && k < dma->descriptors.count; k++)
            if (touches_dm(&dma->descriptors.items[k].source, pass) ||
                touches_dm(&dma->descriptors.items[k].dest, pass))
                return true;
    }
    return false;
}

// Of two operations in program order, the later one begins behind the end of the earlier one.
static bool is_behind(const HwOperation *later, const HwOperation *earlier)
{
    return later->context == earlier->context || waits_for(later, earlier);
}

// The nearest DMA in one direction, unless the order of the operations keeps it apart from the
// pass: one waits for the other, or for an operation between them that does.
static int64_t find_dma(const HwObject *object, const HwPipeline *pass, int64_t number,
                        int64_t step)
{
    const HwOperation *items = object->operations.items;
    bool apart[NEIGHBOURS + 1] = {true}; // by distance: kept apart from the pass
    for (int64_t i = 1; i <= NEIGHBOURS; i++) {
        int64_t at = number + i * step;
        if (at < 0 || at >= object->operations.count)
            return -1;
        for (int64_t k = 0; k < i && !apart[i]; k++) {
            const HwOperation *near = &items[number + k * step];
            apart[i] =
                apart[k] && (step < 0 ? is_behind(near, &items[at]) : is_behind(&items[at], near));
        }
        if (is_dma_beside(&items[at], pass))
            return apart[i] ? -1 : at;
    }
    return -1;
}

void bank_check(Device *device, const HwPipeline *pass, int64_t streak, int64_t address)
{
    Sanitizer *sanitizer = device->sanitizer;
    int64_t dma = find_dma(sanitizer->object, pass, sanitizer->number, -1);
    if (dma < 0)
        dma = find_dma(sanitizer->object, pass, sanitizer->number, 1);
    if (dma < 0)
        return;
    DeviceFault fault = {.kind = FAULT_BANK,
                         .operation = sanitizer->number,
                         .other = dma,
                         .tier = TIER_DM,
                         .chip = pass->first_chip,
                         .cluster = pass->first_cluster,
                         .slice = pass->first_slice,
                         .address = address,
                         .bytes = streak};
    fault_add(sanitizer, &fault);
}

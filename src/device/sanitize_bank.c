// Accesses of a pass to one bank of DM in a row, and whether a DMA waits for it meanwhile.
// Manual: Memory Performance, Bank Starvation. docs/running.md says what counts.
#include "device/sanitize.h"

#include "base/checked.h"

enum { BYTE_BITS = 8, MOST_BANKS = 64, MOST_ACCESSES = 1 << 22, NEIGHBOURS = 64 };

// ---- how many

typedef struct {
    const Machine *machine;
    int64_t base_bit, element_bits, access_bytes;
    uint64_t banks;            // of the last access
    int64_t since[MOST_BANKS]; // the access from which on all went to the bank
    int64_t number, longest;
} Streak;

static uint64_t banks_of(const Streak *streak, int64_t address)
{
    const Machine *machine = streak->machine;
    int64_t first = address / machine->dm_row_bytes;
    int64_t last = (address + streak->access_bytes - 1) / machine->dm_row_bytes;
    uint64_t banks = 0;
    for (int64_t i = first; i <= last && i < first + machine->dm_banks_per_slice; i++)
        banks |= UINT64_C(1) << i % machine->dm_banks_per_slice;
    return banks;
}

static void take_access(Streak *streak, uint64_t banks)
{
    uint64_t changed = banks ^ streak->banks;
    for (int64_t i = 0; changed; i++, changed >>= 1) {
        if (!(changed & 1))
            continue;
        if (banks >> i & 1)
            streak->since[i] = streak->number;
        else
            streak->longest = max_i64(streak->longest, streak->number - streak->since[i]);
    }
    streak->banks = banks;
    streak->number++;
}

static void take_run(void *own, int64_t element, int64_t count)
{
    Streak *streak = own;
    int64_t from = streak->base_bit + element * streak->element_bits;
    int64_t end = from + count * streak->element_bits;
    for (; from < end && from >= 0; from += streak->access_bytes * BYTE_BITS)
        take_access(streak, banks_of(streak, from / BYTE_BITS));
}

int64_t bank_streak(const Machine *machine, const HwNest *nest, int64_t elements)
{
    Streak streak = {.machine = machine,
                     .base_bit = nest->base * BYTE_BITS,
                     .element_bits = nest->element_bits,
                     .access_bytes = max_i64(nest->access_bytes, 1)};
    WalkNest walk = {0};
    int64_t each = max_i64(1, streak.access_bytes * BYTE_BITS / nest->element_bits);
    walk_add(&walk, nest->loops.items, nest->loops.count, WALK_ALL);
    walk_join(&walk);
    if (machine->dm_banks_per_slice > MOST_BANKS || elements / each <= machine->bank_accesses_max)
        return 0;
    walk_run(&walk, 0, min_i64(elements, MOST_ACCESSES), take_run, &streak);
    take_access(&streak, 0);
    return streak.longest > machine->bank_accesses_max ? streak.longest : 0;
}

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

// What a pass reads and writes of the memories of each slice. Where no padding depends on the slice
// all have the same runs; otherwise those whose padding is the same.
#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "command/bank.h"
#include "device/sanitize.h"
#include "device/sanitize_sets.h"

#include <stdatomic.h>

enum { BYTE_BITS = 8 };

// Slices that touch the same.
typedef struct {
    int64_t unit; // one of them
    bool all;     // none has padding
    RunList runs;
} Group;

typedef struct {
    Group *groups;
    int64_t count;
    int64_t *of; // by unit: its group; NO_GROUP: it takes no part
} RunSet;

enum { NO_GROUP = -1 };

struct PassCheck {
    RunSet sets[SETS];
    int64_t unit_count;
    int64_t fetch_streak, commit_streak; // accesses to one bank, if they are too many
};

// ---- units

typedef struct {
    Device *device;
    const HwPipeline *pass;
    PassCheck *check;
    int64_t chip, cluster, slice, unit; // of the hardware; and of the pass
} UnitCheck;

static UnitCheck unit_check(Device *device, const HwPipeline *pass, PassCheck *check, int64_t unit)
{
    return (UnitCheck){device,
                       pass,
                       check,
                       pass->first_chip + unit / pass->slices / pass->clusters,
                       pass->first_cluster + unit / pass->slices % pass->clusters,
                       pass->first_slice + unit % pass->slices,
                       unit};
}

static bool takes_part(const UnitCheck *at, SetKind kind)
{
    const HwFetch *fetch = &at->pass->fetch;
    const HwCommit *commit = at->pass->commit;
    if (kind == SET_FETCH)
        return bits_have(fetch->bitmaps.items, fetch->bitmaps.count, at->chip, at->cluster,
                         at->slice);
    if (kind == SET_COMMIT)
        return bits_have(commit->bitmaps.items, commit->bitmaps.count, at->chip, at->cluster,
                         at->slice);
    return true;
}

// ---- the plan

// The group of those before whose padding is the same, of the last few; NO_GROUP: none of them.
static int64_t find_alike(const Device *device, const HwPipeline *pass, const RunSet *set,
                          SetKind kind, int64_t unit)
{
    enum { FEW = 8 };
    for (int64_t i = set->count - 1; i >= max_i64(0, set->count - FEW); i--) {
        const Group *group = &set->groups[i];
        if (!group->all && set_alike(device, pass, kind, group->unit, unit))
            return i;
    }
    return NO_GROUP;
}

static void find_groups(const Device *device, const HwPipeline *pass, PassCheck *check,
                        SetKind kind)
{
    RunSet *set = &check->sets[kind];
    int64_t without_padding = NO_GROUP;
    for (int64_t unit = 0; unit < check->unit_count; unit++) {
        UnitCheck at = unit_check(NULL, pass, check, unit);
        int64_t group = NO_GROUP;
        if (takes_part(&at, kind)) {
            bool all = set_share(device, pass, kind, unit) == DATA_ALL;
            group = all ? without_padding : find_alike(device, pass, set, kind, unit);
            if (group == NO_GROUP) {
                group = set->count++;
                set->groups[group] = (Group){.unit = unit, .all = all};
            }
            if (all)
                without_padding = group;
        }
        set->of[unit] = group;
    }
}

typedef struct {
    const Device *device;
    const HwPipeline *pass;
    const RunSet *set;
    SetKind kind;
    atomic_bool failed;
} SetMaking;

static void make_groups(void *own, int64_t from, int64_t to)
{
    SetMaking *making = own;
    for (int64_t i = from; i < to; i++) {
        Group *group = &making->set->groups[i];
        if (!set_runs(making->device, making->pass, making->kind, group->unit, group->all,
                      &group->runs))
            atomic_store_explicit(&making->failed, true, memory_order_relaxed);
    }
}

static bool make_set(const Device *device, const HwPipeline *pass, PassCheck *check, SetKind kind)
{
    RunSet *set = &check->sets[kind];
    size_t units = (size_t)check->unit_count;
    set->groups = heap_zeroed(units, sizeof *set->groups);
    set->of = heap_zeroed(units, sizeof *set->of);
    if (!set->groups || !set->of)
        return false;
    find_groups(device, pass, check, kind);
    SetMaking making = {.device = device, .pass = pass, .set = set, .kind = kind};
    workers_run(set->count, 1, device->threads, make_groups, &making); // there is often only one
    return !making.failed;
}

// The longest row of accesses to one bank that a nest makes, as far as it is too long.
static int64_t long_streak(const Machine *machine, const HwNest *nest, int64_t elements)
{
    int64_t streak = bank_streak(machine, nest, elements);
    return streak > machine->bank_accesses_max ? streak : 0;
}

static void find_streaks(const Device *device, const HwPipeline *pass, PassCheck *check)
{
    const HwFetch *fetch = &pass->fetch;
    const HwCommit *commit = pass->commit;
    check->fetch_streak = long_streak(device->machine, &fetch->nest,
                                      fetch_base_packets(fetch, 0) * fetch->packet_elements);
    if (commit)
        check->commit_streak = long_streak(device->machine, &commit->nest,
                                           commit->time * commit->commit_in_size * BYTE_BITS /
                                               commit->nest.element_bits);
}

PassCheck *pass_check_new(const Device *device, const HwPipeline *pass)
{
    PassCheck *check = heap_zeroed(1, sizeof *check);
    bool ok = check != NULL;
    if (ok)
        check->unit_count = pass->chips * pass->clusters * pass->slices;
    for (SetKind kind = 0; ok && kind < SETS; kind++)
        ok = !pass_has_set(pass, kind) || make_set(device, pass, check, kind);
    if (ok) {
        find_streaks(device, pass, check);
        return check;
    }
    pass_check_free(check);
    return NULL;
}

void pass_check_free(PassCheck *check)
{
    if (!check)
        return;
    for (SetKind kind = 0; kind < SETS; kind++) {
        RunSet *set = &check->sets[kind];
        for (int64_t i = 0; i < set->count; i++)
            heap_free(set->groups[i].runs.items);
        heap_free(set->groups);
        heap_free(set->of);
    }
    heap_free(check);
}

// ---- one slice

// NULL: it takes no part.
static const RunList *runs_of(const UnitCheck *at, SetKind kind)
{
    const RunSet *set = &at->check->sets[kind];
    int64_t group = set->of[at->unit];
    return group == NO_GROUP ? NULL : &set->groups[group].runs;
}

static const HwTrfLayout *layout_of(const HwPipeline *pass, SetKind kind)
{
    return kind == SET_TRF_READ    ? &pass->trf_read->layout
           : kind == SET_TRF_STORE ? &pass->trf_store->layout
                                   : NULL;
}

static void add_outside(const UnitCheck *at, const ShadowPlace *place, const RunList *runs)
{
    DeviceFault fault = {.kind = FAULT_OUTSIDE,
                         .operation = at->device->sanitizer->number,
                         .other = -1,
                         .tier = place->tier,
                         .chip = at->chip,
                         .cluster = at->cluster,
                         .slice = at->slice,
                         .address = runs->outside,
                         .bytes = runs->outside_count};
    if (place->layout)
        fault.address = trf_row_slots(place->layout) / TRF_SLOTS_PER_BYTE;
    fault_add(at->device->sanitizer, &fault);
}

static void check_set(const UnitCheck *at, SetKind kind)
{
    ShadowPlace place =
        shadow_of_slice(at->device, set_tier(kind), at->chip, at->cluster, at->slice);
    const RunList *runs = runs_of(at, kind);
    uint16_t writer = at->device->sanitizer->writer;
    place.layout = layout_of(at->pass, kind);
    if (!place.shadow.blocks || !runs)
        return;
    if (kind == SET_TRF_PADDING) {
        trf_padding_check(at->device, at->pass, &place, runs);
        return;
    }
    for (int64_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (set_writes(kind))
            shadow_fill(&place.shadow, run->low, run->high,
                        run->mark == MARK_DATA ? writer : SHADOW_PADDING);
        else
            check_reads(at->device, &place, run->low, run->high - run->low, false);
    }
    if (runs->outside_count)
        add_outside(at, &place, runs);
}

typedef struct {
    Device *device;
    const HwPipeline *pass;
    PassCheck *check;
} PassChecking;

static void check_units(void *own, int64_t from, int64_t to)
{
    const PassChecking *checking = own;
    for (int64_t unit = from; unit < to; unit++) {
        UnitCheck at = unit_check(checking->device, checking->pass, checking->check, unit);
        for (SetKind kind = 0; kind < SETS; kind++)
            if (pass_has_set(checking->pass, kind))
                check_set(&at, kind);
    }
}

// Whether a DMA waits while a pass goes to one bank of DM again and again.
// Manual: Memory Performance, Bank Starvation. docs/running.md says what counts.

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

// Checks accesses in a row to one bank of DM against a DMA that may run meanwhile.
static void bank_check(Device *device, const HwPipeline *pass, int64_t streak, int64_t address)
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

void pass_check(Device *device, const HwPipeline *pass, PassCheck *check)
{
    if (check->fetch_streak)
        bank_check(device, pass, check->fetch_streak, pass->fetch.nest.base);
    if (check->commit_streak)
        bank_check(device, pass, check->commit_streak, pass->commit->nest.base);
    int64_t threads = pass_threads(device, pass, check->unit_count);
    workers_run(check->unit_count, check->unit_count / (4 * threads) + 1, threads, check_units,
                &(PassChecking){device, pass, check});
}

// ---- filters

static bool has_filter(const HwPipeline *pass)
{
    for (int64_t i = 0; pass->vector && i < pass->vector->steps.count; i++)
        if (pass->vector->steps.items[i].call == STAGE_VECTOR_FILTER)
            return true;
    return false;
}

static void forget_runs(const ShadowPlace *place, const Memory *memory, const RunList *runs)
{
    bool written;
    for (int64_t i = 0; i < runs->count; i++)
        for (int64_t at = runs->items[i].low, to = runs->items[i].high, count; at < to;
             at += count) {
            count = memory_span(memory, at, to, &written);
            if (!written && runs->items[i].mark == MARK_DATA)
                shadow_fill(&place->shadow, at, at + count, SHADOW_NONE);
        }
}

static void forget_set(const UnitCheck *at, SetKind kind)
{
    const Slice *slice = device_slice(at->device, at->chip, at->cluster, at->slice);
    ShadowPlace place =
        shadow_of_slice(at->device, set_tier(kind), at->chip, at->cluster, at->slice);
    const RunList *runs = runs_of(at, kind);
    if (slice && place.shadow.blocks && runs)
        forget_runs(&place, kind == SET_COMMIT ? &slice->dm : &slice->vrf, runs);
}

void pass_check_filtered(Device *device, const HwPipeline *pass, PassCheck *check)
{
    for (int64_t unit = 0; has_filter(pass) && unit < check->unit_count; unit++) {
        UnitCheck at = unit_check(device, pass, check, unit);
        if (pass->commit)
            forget_set(&at, SET_COMMIT);
        if (pass->vrf_store)
            forget_set(&at, SET_VRF_STORE);
    }
}

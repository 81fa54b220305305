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

// ---- painting

static void paint_elements(void *own, int64_t element, int64_t count)
{
    Paint *paint = own;
    int64_t bit = paint->base_bit + element * paint->element_bits;
    int64_t low = bit >= 0 ? bit / BYTE_BITS : -ceil_div(-bit, BYTE_BITS);
    painter_paint(paint->painter, low, ceil_div(bit + count * paint->element_bits, BYTE_BITS),
                  paint->mark);
}

static void paint_nest(Paint *paint, const HwNest *nest)
{
    paint->base_bit = nest->base * BYTE_BITS;
    paint->element_bits = nest->element_bits;
    paint->nest = (WalkNest){0};
}

// All of the nest, whatever the order.
static void paint_all(Paint *paint, int64_t elements)
{
    WalkNest nest = paint->nest;
    if (walk_size(&nest) <= elements)
        walk_once(&nest);
    walk_join(&nest);
    walk_run(&nest, 0, min_i64(elements, walk_size(&nest)), paint_elements, paint);
}

// Positions of a stream that are elements of a nest, packet by packet.
static void paint_positions(void *own, int64_t from, int64_t to)
{
    Paint *paint = own;
    if (paint->packet == paint->kept && paint->bases == 1) {
        walk_run(&paint->nest, from, to, paint_elements, paint);
        return;
    }
    const HwFetch *fetch = &paint->pass->fetch;
    for (int64_t next; from < to; from = next) {
        int64_t packet = from / paint->packet, start = packet * paint->packet;
        next = min_i64(to, start + paint->packet);
        if (paint->bases > 1)
            paint->base_bit = fetch->bases.items[packet % paint->bases] * BYTE_BITS;
        int64_t first = packet / paint->bases * paint->kept;
        walk_run(&paint->nest, first + min_i64(from - start, paint->kept),
                 first + min_i64(next - start, paint->kept), paint_elements, paint);
    }
}

// ---- fetch

static DataTest fetch_data(const HwPipeline *pass)
{
    return (DataTest){pass->fetch.data.items, pass->fetch.data.count};
}

// Packets of one of the bases, which take turns: the first ones may have one more.
static int64_t fetch_base_packets(const HwFetch *fetch, int64_t base)
{
    return ceil_div(fetch->time - base, fetch->bases.count);
}

static void paint_fetch(Paint *paint, bool all)
{
    const HwFetch *fetch = &paint->pass->fetch;
    DataTest test = fetch_data(paint->pass);
    int64_t span = fetch->time * fetch->packet_elements;
    paint_nest(paint, &fetch->nest);
    walk_add(&paint->nest, fetch->nest.loops.items, fetch->nest.loops.count, WALK_ALL);
    paint->packet = paint->kept = fetch->packet_elements;
    paint->bases = fetch->bases.count;
    for (int64_t i = 0; all && i < min_i64(paint->bases, fetch->time); i++) {
        paint->base_bit = fetch->bases.items[i] * BYTE_BITS;
        paint_all(paint, fetch_base_packets(fetch, i) * paint->packet);
    }
    walk_join(&paint->nest);
    if (!all)
        data_runs(&test, paint->unit * span, span, paint_positions, paint);
}

// ---- commit

static int64_t flit_elements(const Device *device, const HwCommit *commit)
{
    return device->machine->flit_bytes * BYTE_BITS / scalar_traits[commit->type].packet_bits;
}

static const HwCommitMask *mask_of(const HwCommitMask *masks, int64_t count, int64_t chip,
                                   int64_t cluster, int64_t slice)
{
    for (int64_t i = 0; i < count; i++)
        if (!masks[i].bitmaps.count ||
            bits_have(masks[i].bitmaps.items, masks[i].bitmaps.count, chip, cluster, slice))
            return &masks[i];
    return NULL;
}

static const HwCommitMask *commit_mask(const HwPipeline *pass, int64_t unit)
{
    const HwCommit *commit = pass->commit;
    return mask_of(commit->masks.items, commit->masks.count,
                   pass->first_chip + unit / pass->slices / pass->clusters,
                   pass->first_cluster + unit / pass->slices % pass->clusters,
                   pass->first_slice + unit % pass->slices);
}

static void paint_commit(Paint *paint, bool all)
{
    const HwCommit *commit = paint->pass->commit;
    const HwCommitMask *mask = commit_mask(paint->pass, paint->unit);
    DataTest data = {commit->data.items, commit->data.count};
    paint_nest(paint, &commit->nest);
    walk_add(&paint->nest, commit->nest.loops.items, commit->nest.loops.count, WALK_ALL);
    walk_join(&paint->nest);
    paint->bases = 1;
    paint->packet = flit_elements(paint->device, commit);
    paint->kept = commit->commit_in_size * BYTE_BITS / commit->nest.element_bits;
    int64_t span = commit->time * paint->packet;
    if (mask && !all) {
        DataTest written = {mask->checks.items, mask->checks.count};
        data_runs(&written, 0, span, paint_positions, paint);
        return;
    }
    paint->mark = all ? MARK_DATA : MARK_PADDING;
    paint_all(paint, commit->time * paint->kept);
    paint->mark = MARK_DATA;
    if (!all)
        data_runs(&data, paint->unit * span, span, paint_positions, paint);
}

// ---- VRF

// One element a lane of each packet: loops over packets, then those inside.
static void paint_along(Paint *paint, const HwNest *nest, const DataTest *test, int64_t time,
                        int64_t lanes, bool all)
{
    WalkNest packet = {0};
    int64_t span = time * lanes;
    paint_nest(paint, nest);
    walk_add(&packet, nest->loops.items, nest->loops.count, WALK_PACKET);
    walk_add(&paint->nest, nest->loops.items, nest->loops.count, WALK_BETWEEN);
    walk_add(&paint->nest, nest->loops.items, nest->loops.count, WALK_PACKET);
    paint->bases = 1;
    paint->packet = lanes;
    paint->kept = walk_size(&packet);
    DataTest every = {0};
    if (all && paint->kept == lanes)
        paint_all(paint, span);
    else
        data_runs(all ? &every : test, paint->unit * span, span, paint_positions, paint);
}

static void paint_vrf_read(Paint *paint, bool all)
{
    const HwVector *vector = paint->pass->vector;
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        DataTest test = {step->data.items, step->data.count};
        for (int64_t k = 0; k < step->operands.count; k++)
            if (step->operands.items[k].source == OPERAND_VRF)
                paint_along(paint, step->operands.items[k].nest, &test, step->time,
                            step->packet_elements, all);
        if (step->branch && step->branch->nest)
            paint_along(paint, step->branch->nest, &test, step->time, step->packet_elements, all);
    }
}

static void paint_vrf_store(Paint *paint, bool all)
{
    const HwVrfStore *store = paint->pass->vrf_store;
    DataTest test = {store->data.items, store->data.count};
    paint_along(paint, &store->nest, &test, store->time, store->packet_elements, all);
}

// ---- sets

typedef struct {
    Tier tier;
    bool writes;
    void (*paint)(Paint *paint, bool all);
} SetInfo;

static const SetInfo set_infos[SETS] = {
    [SET_FETCH] = {TIER_DM, false, paint_fetch},
    [SET_VRF_READ] = {TIER_VRF, false, paint_vrf_read},
    [SET_TRF_READ] = {TIER_TRF, false, paint_trf_read},
    [SET_TRF_PADDING] = {TIER_TRF, false, paint_trf_padding},
    [SET_COMMIT] = {TIER_DM, true, paint_commit},
    [SET_VRF_STORE] = {TIER_VRF, true, paint_vrf_store},
    [SET_TRF_STORE] = {TIER_TRF, true, paint_trf_store},
};

static Tier set_tier(SetKind kind)
{
    return set_infos[kind].tier;
}

static bool set_writes(SetKind kind)
{
    return set_infos[kind].writes;
}

static bool pass_has_set(const HwPipeline *pass, SetKind kind)
{
    const HwReduce *reduce = pass->reduce;
    switch (kind) {
    case SET_FETCH:
        return true;
    case SET_VRF_READ:
        return pass->vector != NULL;
    case SET_TRF_READ:
        return reduce != NULL;
    case SET_TRF_PADDING:
        return reduce && reduce->data.count && !scalar_is_integer(reduce->in_type);
    case SET_COMMIT:
        return pass->commit != NULL;
    case SET_VRF_STORE:
        return pass->vrf_store != NULL;
    case SET_TRF_STORE:
        return pass->trf_store != NULL;
    case SETS:
        break;
    }
    return false;
}

// ---- data of sets

// Which positions of a unit are data, of so many.
typedef struct {
    DataTest test;
    int64_t span;
} Positions;

static Positions step_positions(const HwVectorStep *step)
{
    return (Positions){{step->data.items, step->data.count}, step->time * step->packet_elements};
}

// Of the Vector Engine each step has its own.
static Positions set_positions(const Device *device, const HwPipeline *pass, SetKind kind)
{
    switch (kind) {
    case SET_FETCH:
        return (Positions){fetch_data(pass), pass->fetch.time * pass->fetch.packet_elements};
    case SET_TRF_READ:
    case SET_TRF_PADDING:
        return (Positions){reduce_data(pass->reduce), reduce_span(pass->reduce)};
    case SET_COMMIT:
        return (Positions){{pass->commit->data.items, pass->commit->data.count},
                           pass->commit->time * flit_elements(device, pass->commit)};
    case SET_VRF_STORE:
        return (Positions){{pass->vrf_store->data.items, pass->vrf_store->data.count},
                           pass->vrf_store->time * pass->vrf_store->packet_elements};
    case SET_VRF_READ:
    case SET_TRF_STORE:
    case SETS:
        break;
    }
    return (Positions){{0}, 1};
}

static DataShare share_of(const Positions *positions, int64_t unit)
{
    int64_t span = positions->span;
    return positions->test.count ? data_share(&positions->test, unit * span, span) : DATA_ALL;
}

static bool are_alike(const Positions *positions, int64_t unit, int64_t other)
{
    int64_t span = positions->span;
    return data_alike(&positions->test, unit * span, other * span, span);
}

static DataShare set_share(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit)
{
    Positions positions = set_positions(device, pass, kind);
    if (kind == SET_COMMIT && commit_mask(pass, unit))
        return DATA_SOME;
    for (int64_t i = 0; kind == SET_VRF_READ && i < pass->vector->steps.count; i++) {
        Positions step = step_positions(&pass->vector->steps.items[i]);
        if (share_of(&step, unit) != DATA_ALL)
            return DATA_SOME;
    }
    return share_of(&positions, unit);
}

bool set_alike(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit,
               int64_t other)
{
    Positions positions = set_positions(device, pass, kind);
    const HwCommitMask *mask = kind == SET_COMMIT ? commit_mask(pass, unit) : NULL;
    if (kind == SET_COMMIT && mask != commit_mask(pass, other))
        return false;
    for (int64_t i = 0; kind == SET_VRF_READ && i < pass->vector->steps.count; i++) {
        Positions step = step_positions(&pass->vector->steps.items[i]);
        if (!are_alike(&step, unit, other))
            return false;
    }
    return mask || are_alike(&positions, unit, other); // a mask counts in the slice
}

// ---- runs

static int64_t size_of(const Machine *machine, const HwPipeline *pass, SetKind kind)
{
    if (kind == SET_TRF_PADDING)
        return pass->reduce->rows * trf_row_slots(&pass->trf_read->layout);
    Tier tier = set_infos[kind].tier;
    return tier == TIER_DM    ? machine->dm_bytes_per_slice
           : tier == TIER_VRF ? machine->vrf_bytes_per_slice
                              : machine->trf_bank_rows * machine->trf_bank_columns *
                                    machine->trf_rows_per_bank * machine->trf_slots_per_row;
}

bool set_runs(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit, bool all,
              RunList *runs)
{
    Painter painter;
    Paint paint = {
        .device = device, .pass = pass, .painter = &painter, .unit = unit, .mark = MARK_DATA};
    if (!painter_new(&painter, size_of(device->machine, pass, kind)))
        return false;
    set_infos[kind].paint(&paint, all);
    bool ok = !paint.failed && painter_take(&painter, runs);
    painter_free(&painter);
    return ok;
}

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

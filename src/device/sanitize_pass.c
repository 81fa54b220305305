// What a pass reads and writes of the memories of each slice. Where no padding depends on the slice
// all have the same runs; otherwise those with padding have their own.
#include "device/sanitize.h"

#include "base/checked.h"
#include "command/bank.h"

#include <stdlib.h>
#include <string.h>

enum { BYTE_BITS = 8, HALF_BYTE = 4 };
enum { MARK_DATA = 1, MARK_PADDING = 2 };

// Each memory that a pass touches, in one way.
typedef enum {
    SET_FETCH,
    SET_VRF_READ,
    SET_TRF_READ,
    SET_COMMIT,
    SET_VRF_STORE,
    SET_TRF_STORE,
    SETS
} SetKind;

typedef struct {
    RunList all;    // of a slice without padding
    RunList *units; // by unit: with padding; NULL: no slice has any
    uint8_t *state; // by unit: RUNS_*
} RunSet;

enum { RUNS_UNKNOWN, RUNS_ALL, RUNS_OWN };

struct PassCheck {
    RunSet sets[SETS];
    int64_t unit_count;
    int64_t fetch_streak, commit_streak; // accesses to one bank, if they are too many
};

// ---- painting

typedef struct {
    const Device *device;
    const HwPipeline *pass;
    Painter *painter;
    int64_t unit;
    uint8_t mark;
    // elements of a nest
    WalkNest nest;
    int64_t base_bit, element_bits;
    // positions of a stream: packets, each so many positions, of which the first are elements of
    // the nest
    int64_t packet, kept, bases;
    const HwTrfRead *trf;
} Paint;

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

// Packets take turns: the first bases may have one more.
static int64_t base_packets(const HwFetch *fetch, int64_t base)
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
        paint_all(paint, base_packets(fetch, i) * paint->packet);
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

static const HwMask *mask_of(const HwMask *masks, int64_t count, int64_t chip, int64_t cluster,
                             int64_t slice)
{
    for (int64_t i = 0; i < count; i++)
        if (!masks[i].bitmaps.count ||
            bits_have(masks[i].bitmaps.items, masks[i].bitmaps.count, chip, cluster, slice))
            return &masks[i];
    return NULL;
}

static const HwMask *commit_mask(const HwPipeline *pass, int64_t unit)
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
    const HwMask *mask = commit_mask(paint->pass, paint->unit);
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

// ---- TRF

// Half bytes of a row: each word of a bank lies in one piece.
static void paint_slots(Paint *paint, const HwTrfLayout *layout, int64_t row, int64_t from,
                        int64_t to)
{
    const Machine *machine = paint->device->machine;
    int64_t word = layout->bank_row_bytes * TRF_SLOTS_PER_BYTE;
    for (int64_t next; from < to; from = next) {
        next = min_i64(to, (from / word + 1) * word);
        int64_t first = trf_place_of(machine, layout, row, from);
        int64_t last = trf_place_of(machine, layout, row, next - 1);
        if (first >= 0 && last >= first)
            painter_paint(paint->painter, first, last + 1, paint->mark);
        else // the row does not go on: behind all slots
            painter_paint(paint->painter, paint->painter->size, paint->painter->size + 1,
                          paint->mark);
    }
}

static void paint_trf_store(Paint *paint, bool all)
{
    const HwTrfStore *store = paint->pass->trf_store;
    (void)all;
    for (int64_t t = 0; t < store->flits; t++) {
        int64_t row = store->start_row, byte = store->start_byte, number = t;
        for (int64_t i = store->loops.count - 1; i >= 0; i--) {
            const HwRowLoop *loop = &store->loops.items[i];
            row += number % loop->size * loop->row_stride;
            byte += number % loop->size * loop->byte_stride;
            number /= loop->size;
        }
        paint_slots(paint, &store->layout, row, byte * TRF_SLOTS_PER_BYTE,
                    (byte + store->flit_bytes) * TRF_SLOTS_PER_BYTE);
    }
}

// Lanes of one step in one row; a read that is shorter than the packet is repeated.
static void paint_lanes(Paint *paint, int64_t row, int64_t offset, int64_t from, int64_t to)
{
    const HwTrfRead *read = paint->trf;
    int64_t bits = scalar_traits[read->type].packet_bits;
    int64_t elements = read->nest.access_bytes * BYTE_BITS / bits;
    int64_t first = (read->nest.base * BYTE_BITS + offset * read->nest.element_bits) / bits;
    for (int64_t next; from < to; from = next) {
        int64_t start = from / elements * elements;
        next = min_i64(to, start + elements);
        paint_slots(paint, &read->layout, row, (first + from - start) * bits / HALF_BYTE,
                    (first + next - start) * bits / HALF_BYTE);
        if (next - from == elements)
            return; // the rest is the same again
    }
}

static void paint_products(void *own, int64_t from, int64_t to)
{
    Paint *paint = own;
    const HwReduce *reduce = paint->pass->reduce;
    int64_t lanes = reduce->packet_elements;
    for (int64_t next; from < to; from = next) {
        int64_t step = from / lanes;
        next = min_i64(to, (step + 1) * lanes);
        paint_lanes(paint, step / reduce->in_time,
                    walk_offset(&paint->nest, step % reduce->in_time), from - step * lanes,
                    next - step * lanes);
    }
}

static void paint_step(void *own, int64_t element, int64_t count)
{
    Paint *paint = own;
    const HwReduce *reduce = paint->pass->reduce;
    for (int64_t i = 0; i < count; i++)
        for (int64_t row = 0; row < reduce->rows; row++)
            paint_lanes(paint, row, element + i, 0, reduce->packet_elements);
}

static void paint_trf_read(Paint *paint, bool all)
{
    const HwReduce *reduce = paint->pass->reduce;
    DataTest test = {reduce->data.items, reduce->data.count};
    int64_t span = reduce->rows * reduce->in_time * reduce->packet_elements;
    paint->trf = paint->pass->trf_read;
    paint->nest = (WalkNest){0};
    walk_add(&paint->nest, paint->trf->nest.loops.items, paint->trf->nest.loops.count,
             WALK_BETWEEN);
    if (!all) {
        data_runs(&test, paint->unit * span, span, paint_products, paint);
        return;
    }
    if (walk_size(&paint->nest) <= reduce->in_time)
        walk_once(&paint->nest);
    walk_run(&paint->nest, 0, min_i64(reduce->in_time, walk_size(&paint->nest)), paint_step, paint);
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
    [SET_COMMIT] = {TIER_DM, true, paint_commit},
    [SET_VRF_STORE] = {TIER_VRF, true, paint_vrf_store},
    [SET_TRF_STORE] = {TIER_TRF, true, paint_trf_store},
};

static bool has_set(const HwPipeline *pass, SetKind kind)
{
    switch (kind) {
    case SET_FETCH:
        return true;
    case SET_VRF_READ:
        return pass->vector != NULL;
    case SET_TRF_READ:
        return pass->reduce != NULL;
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

// How much of what a unit reads or writes is data.
static DataShare vrf_share(const HwVector *vector, int64_t unit)
{
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        DataTest test = {step->data.items, step->data.count};
        int64_t span = step->time * step->packet_elements;
        if (test.count && data_share(&test, unit * span, span) != DATA_ALL)
            return DATA_SOME;
    }
    return DATA_ALL;
}

static DataShare set_share(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit)
{
    DataTest test = {0};
    int64_t span = 1;
    switch (kind) {
    case SET_FETCH:
        test = fetch_data(pass);
        span = pass->fetch.time * pass->fetch.packet_elements;
        break;
    case SET_VRF_READ:
        return vrf_share(pass->vector, unit);
    case SET_TRF_READ:
        test = (DataTest){pass->reduce->data.items, pass->reduce->data.count};
        span = pass->reduce->rows * pass->reduce->in_time * pass->reduce->packet_elements;
        break;
    case SET_COMMIT:
        if (commit_mask(pass, unit))
            return DATA_SOME;
        test = (DataTest){pass->commit->data.items, pass->commit->data.count};
        span = pass->commit->time * flit_elements(device, pass->commit);
        break;
    case SET_VRF_STORE:
        test = (DataTest){pass->vrf_store->data.items, pass->vrf_store->data.count};
        span = pass->vrf_store->time * pass->vrf_store->packet_elements;
        break;
    case SET_TRF_STORE:
    case SETS:
        break;
    }
    return test.count ? data_share(&test, unit * span, span) : DATA_ALL;
}

static int64_t size_of(const Machine *machine, Tier tier)
{
    return tier == TIER_DM    ? machine->dm_bytes_per_slice
           : tier == TIER_VRF ? machine->vrf_bytes_per_slice
                              : machine->trf_bank_rows * machine->trf_bank_columns *
                                    machine->trf_rows_per_bank * machine->trf_slots_per_row;
}

static bool make_runs(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit,
                      bool all, RunList *runs)
{
    Painter painter;
    Paint paint = {
        .device = device, .pass = pass, .painter = &painter, .unit = unit, .mark = MARK_DATA};
    if (!painter_new(&painter, size_of(device->machine, set_infos[kind].tier)))
        return false;
    set_infos[kind].paint(&paint, all);
    bool ok = painter_take(&painter, runs);
    painter_free(&painter);
    return ok;
}

// The runs of a unit. Units are the business of one thread each.
static const RunList *runs_of(const Device *device, const HwPipeline *pass, PassCheck *check,
                              SetKind kind, int64_t unit)
{
    RunSet *set = &check->sets[kind];
    if (set->state[unit] == RUNS_UNKNOWN) {
        DataShare share = set_share(device, pass, kind, unit);
        if (share != DATA_ALL && !make_runs(device, pass, kind, unit, false, &set->units[unit]))
            return NULL;
        set->state[unit] = share == DATA_ALL ? RUNS_ALL : RUNS_OWN;
    }
    return set->state[unit] == RUNS_ALL ? &set->all : &set->units[unit];
}

// ---- the plan

static bool make_set(const Device *device, const HwPipeline *pass, PassCheck *check, SetKind kind)
{
    RunSet *set = &check->sets[kind];
    size_t units = (size_t)check->unit_count + 1;
    set->units = calloc(units, sizeof *set->units);
    set->state = calloc(units, 1);
    return set->units && set->state && make_runs(device, pass, kind, 0, true, &set->all);
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
    check->fetch_streak =
        long_streak(device->machine, &fetch->nest, base_packets(fetch, 0) * fetch->packet_elements);
    if (commit)
        check->commit_streak = long_streak(device->machine, &commit->nest,
                                           commit->time * commit->commit_in_size * BYTE_BITS /
                                               commit->nest.element_bits);
}

PassCheck *pass_check_new(const Device *device, const HwPipeline *pass)
{
    PassCheck *check = calloc(1, sizeof *check);
    bool ok = check != NULL;
    if (ok)
        check->unit_count = pass->chips * pass->clusters * pass->slices;
    for (SetKind kind = 0; ok && kind < SETS; kind++)
        ok = !has_set(pass, kind) || make_set(device, pass, check, kind);
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
        for (int64_t i = 0; set->units && i < check->unit_count; i++)
            free(set->units[i].items);
        free(set->units);
        free(set->state);
        free(set->all.items);
    }
    free(check);
}

// ---- one slice

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

static const HwTrfLayout *layout_of(const HwPipeline *pass, SetKind kind)
{
    return kind == SET_TRF_READ    ? &pass->trf_read->layout
           : kind == SET_TRF_STORE ? &pass->trf_store->layout
                                   : NULL;
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

static int64_t row_bytes(const HwTrfLayout *layout)
{
    return layout->bank_rows_per_row * layout->rows_in_bank * layout->bank_columns *
           layout->bank_row_bytes;
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
        fault.address = row_bytes(place->layout);
    fault_add(at->device->sanitizer, &fault);
}

static bool check_set(const UnitCheck *at, SetKind kind)
{
    const SetInfo *info = &set_infos[kind];
    ShadowPlace place = shadow_of_slice(at->device, info->tier, at->chip, at->cluster, at->slice);
    place.layout = layout_of(at->pass, kind);
    if (!place.shadow.blocks || !takes_part(at, kind))
        return true;
    const RunList *runs = runs_of(at->device, at->pass, at->check, kind, at->unit);
    if (!runs)
        return false;
    uint16_t writer = at->device->sanitizer->writer;
    for (int64_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (info->writes)
            shadow_fill(&place.shadow, run->low, run->high,
                        run->mark == MARK_DATA ? writer : SHADOW_PADDING);
        else
            check_reads(at->device, &place, run->low, run->high - run->low, false);
    }
    if (runs->outside_count)
        add_outside(at, &place, runs);
    return true;
}

bool pass_check(Device *device, const HwPipeline *pass, PassCheck *check)
{
    bool failed = false;
    if (check->fetch_streak)
        bank_check(device, pass, check->fetch_streak, pass->fetch.nest.base);
    if (check->commit_streak)
        bank_check(device, pass, check->commit_streak, pass->commit->nest.base);
#pragma omp parallel for schedule(static) num_threads((int)device->threads) reduction(|| : failed)
    for (int64_t unit = 0; unit < check->unit_count; unit++) {
        UnitCheck at = unit_check(device, pass, check, unit);
        for (SetKind kind = 0; kind < SETS && !failed; kind++)
            failed = has_set(pass, kind) && !check_set(&at, kind);
        failed = failed || (pass->reduce && !trf_padding_check(device, pass, unit));
    }
    return !failed;
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

static bool forget_set(const UnitCheck *at, SetKind kind)
{
    const Slice *slice = device_slice(at->device, at->chip, at->cluster, at->slice);
    ShadowPlace place =
        shadow_of_slice(at->device, set_infos[kind].tier, at->chip, at->cluster, at->slice);
    if (!slice || !place.shadow.blocks || !takes_part(at, kind))
        return true;
    const RunList *runs = runs_of(at->device, at->pass, at->check, kind, at->unit);
    if (runs)
        forget_runs(&place, kind == SET_COMMIT ? &slice->dm : &slice->vrf, runs);
    return runs != NULL;
}

bool pass_check_filtered(Device *device, const HwPipeline *pass, PassCheck *check)
{
    bool ok = true;
    for (int64_t unit = 0; has_filter(pass) && ok && unit < check->unit_count; unit++) {
        UnitCheck at = unit_check(device, pass, check, unit);
        ok = (!pass->commit || forget_set(&at, SET_COMMIT)) &&
             (!pass->vrf_store || forget_set(&at, SET_VRF_STORE));
    }
    return ok;
}

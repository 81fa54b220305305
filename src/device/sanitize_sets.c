#include "device/sanitize_sets.h"

#include "base/checked.h"

enum { BYTE_BITS = 8 };

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

int64_t fetch_base_packets(const HwFetch *fetch, int64_t base)
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

Tier set_tier(SetKind kind)
{
    return set_infos[kind].tier;
}

bool set_writes(SetKind kind)
{
    return set_infos[kind].writes;
}

bool pass_has_set(const HwPipeline *pass, SetKind kind)
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

DataShare set_share(const Device *device, const HwPipeline *pass, SetKind kind, int64_t unit)
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

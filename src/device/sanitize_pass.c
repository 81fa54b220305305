// What a pass reads and writes of the memories of each slice. Where no padding depends on the slice
// all have the same runs; otherwise those whose padding is the same.
#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "command/bank.h"
#include "device/sanitize.h"

#include <stdatomic.h>
#include <string.h>

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

struct CheckPlan {
    RunSet sets[SETS];
    int64_t unit_count;
    int64_t fetch_streak, commit_streak; // accesses to one bank, if they are too many
};

// ---- units

typedef struct {
    Device *device;
    const HwPipeline *pass;
    CheckPlan *check;
    int64_t chip, cluster, slice, unit; // of the hardware; and of the pass
} UnitCheck;

static UnitCheck unit_check(Device *device, const HwPipeline *pass, CheckPlan *check, int64_t unit)
{
    return (UnitCheck){device,
                       pass,
                       check,
                       pass->first_chip + unit / pass->slices / pass->clusters,
                       pass->first_cluster + unit / pass->slices % pass->clusters,
                       pass->first_slice + unit % pass->slices,
                       unit};
}

static bool is_among(const UnitCheck *at, const HwClusterBitsList *bitmaps)
{
    return bits_have(bitmaps, at->chip, at->cluster, at->slice);
}

static bool takes_part(const UnitCheck *at, SetKind kind)
{
    return kind == SET_FETCH    ? is_among(at, &at->pass->fetch.bitmaps)
           : kind == SET_COMMIT ? is_among(at, &at->pass->commit->bitmaps)
                                : true;
}

// ---- painting

enum { MARK_DATA = 1, MARK_PADDING = 2 };

typedef struct {
    const Device *device;
    const HwPipeline *pass;
    Painter *painter;
    int64_t unit;
    uint8_t mark;
    // elements of a nest
    Nest nest;
    int64_t base_bit, element_bits;
    // positions of a stream: packets, each so many positions, of which the first are elements of
    // the nest
    int64_t packet, kept, bases;
    bool failed; // no memory
} Paint;

static void paint_elements(void *own, int64_t element, int64_t count)
{
    Paint *paint = own;
    int64_t bit = paint->base_bit + element * paint->element_bits;
    painter_paint(paint->painter, floor_byte(bit),
                  ceil_div(bit + count * paint->element_bits, BYTE_BITS), paint->mark);
}

static void paint_nest(Paint *paint, const HwNest *nest)
{
    paint->base_bit = nest->base * BYTE_BITS;
    paint->element_bits = nest->element_bits;
    paint->nest = (Nest){0};
}

// All of the nest, whatever the order.
static void paint_all(Paint *paint, int64_t elements)
{
    Nest nest = paint->nest;
    if (nest_size(&nest) <= elements)
        nest_once(&nest);
    nest.count = loops_join(nest.loops, nest.count);
    nest_runs(&nest, 0, min_i64(elements, nest_size(&nest)), paint_elements, paint);
}

// Positions of a stream that are elements of a nest, packet by packet.
static void paint_positions(void *own, int64_t from, int64_t to)
{
    Paint *paint = own;
    if (paint->packet == paint->kept && paint->bases == 1) {
        nest_runs(&paint->nest, from, to, paint_elements, paint);
        return;
    }
    const HwFetch *fetch = &paint->pass->fetch;
    for (int64_t next; from < to; from = next) {
        int64_t packet = from / paint->packet, start = packet * paint->packet;
        next = min_i64(to, start + paint->packet);
        if (paint->bases > 1)
            paint->base_bit = fetch->bases.items[packet % paint->bases] * BYTE_BITS;
        int64_t first = packet / paint->bases * paint->kept;
        nest_runs(&paint->nest, first + min_i64(from - start, paint->kept),
                  first + min_i64(next - start, paint->kept), paint_elements, paint);
    }
}

// ---- fetch

// Packets of one of the bases, which take turns: the first ones may have one more.
static int64_t fetch_base_packets(const HwFetch *fetch, int64_t base)
{
    return ceil_div(fetch->time - base, fetch->bases.count);
}

static void paint_fetch(Paint *paint, bool all)
{
    const HwFetch *fetch = &paint->pass->fetch;
    int64_t span = fetch->time * fetch->packet_elements;
    paint_nest(paint, &fetch->nest);
    nest_add(&paint->nest, &fetch->nest.loops, LOOPS_ALL);
    paint->packet = paint->kept = fetch->packet_elements;
    paint->bases = fetch->bases.count;
    for (int64_t i = 0; all && i < min_i64(paint->bases, fetch->time); i++) {
        paint->base_bit = fetch->bases.items[i] * BYTE_BITS;
        paint_all(paint, fetch_base_packets(fetch, i) * paint->packet);
    }
    paint->nest.count = loops_join(paint->nest.loops, paint->nest.count);
    if (!all)
        data_runs(&fetch->data, paint->unit * span, span, paint_positions, paint);
}

// ---- commit

static int64_t flit_elements(const Device *device, const HwCommit *commit)
{
    return device->machine->flit_bytes * BYTE_BITS / scalar_traits[commit->type].packet_bits;
}

static const HwCommitMask *commit_mask(const HwPipeline *pass, int64_t unit)
{
    UnitCheck at = unit_check(NULL, pass, NULL, unit);
    for (int64_t i = 0; i < pass->commit->masks.count; i++) {
        const HwCommitMask *mask = &pass->commit->masks.items[i];
        if (!mask->bitmaps.count || is_among(&at, &mask->bitmaps))
            return mask;
    }
    return NULL;
}

static void paint_commit(Paint *paint, bool all)
{
    const HwCommit *commit = paint->pass->commit;
    const HwCommitMask *mask = commit_mask(paint->pass, paint->unit);
    paint_nest(paint, &commit->nest);
    nest_add(&paint->nest, &commit->nest.loops, LOOPS_ALL);
    paint->nest.count = loops_join(paint->nest.loops, paint->nest.count);
    paint->bases = 1;
    paint->packet = flit_elements(paint->device, commit);
    paint->kept = commit->commit_in_size * BYTE_BITS / commit->nest.element_bits;
    int64_t span = commit->time * paint->packet;
    if (mask && !all) {
        data_runs(&mask->checks, 0, span, paint_positions, paint);
        return;
    }
    paint->mark = all ? MARK_DATA : MARK_PADDING;
    paint_all(paint, commit->time * paint->kept);
    paint->mark = MARK_DATA;
    if (!all)
        data_runs(&commit->data, paint->unit * span, span, paint_positions, paint);
}

// ---- VRF

// One element a lane of each packet: loops over packets, then those inside.
static void paint_along(Paint *paint, const HwNest *nest, const HwCheckList *test, int64_t time,
                        int64_t lanes, bool all)
{
    Nest packet = {0};
    int64_t span = time * lanes;
    paint_nest(paint, nest);
    nest_add(&packet, &nest->loops, LOOPS_PACKET);
    nest_add(&paint->nest, &nest->loops, LOOPS_BETWEEN);
    nest_add(&paint->nest, &nest->loops, LOOPS_PACKET);
    paint->bases = 1;
    paint->packet = lanes;
    paint->kept = nest_size(&packet);
    const HwCheckList every = {0};
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
        for (int64_t k = 0; k < step->operands.count; k++)
            if (step->operands.items[k].source == OPERAND_VRF)
                paint_along(paint, step->operands.items[k].nest, &step->data, step->time,
                            step->packet_elements, all);
        if (step->branch && step->branch->nest)
            paint_along(paint, step->branch->nest, &step->data, step->time, step->packet_elements,
                        all);
    }
}

static void paint_vrf_store(Paint *paint, bool all)
{
    const HwVrfStore *store = paint->pass->vrf_store;
    paint_along(paint, &store->nest, &store->data, store->time, store->packet_elements, all);
}

// ---- TRF

enum { HALF_BYTE = 4, EXPONENT = 0x7f800000, CHUNK = 256 };

// Half bytes from `from` to `to` - 1 of a row.
typedef void PaintSlots(Paint *paint, const HwTrfLayout *layout, int64_t row, int64_t from,
                        int64_t to);

int64_t trf_row_slots(const HwTrfLayout *layout)
{
    return trf_row_bytes(layout) * TRF_SLOTS_PER_BYTE;
}

static int64_t reduce_span(const HwReduce *reduce)
{
    return reduce->rows * reduce->in_time * reduce->packet_elements;
}

// ---- what is stored and read

// Where they are in TRF: each word of a bank lies in one piece.
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
        int64_t row, byte;
        trf_flit_place(store, t, &row, &byte);
        paint_slots(paint, &store->layout, row, byte * TRF_SLOTS_PER_BYTE,
                    (byte + store->flit_bytes) * TRF_SLOTS_PER_BYTE);
    }
}

static void walk_steps(Paint *paint)
{
    const HwNest *nest = &paint->pass->trf_read->nest;
    paint->nest = (Nest){0};
    nest_add(&paint->nest, &nest->loops, LOOPS_BETWEEN);
}

// Lanes of one step in one row; a read that is shorter than the packet is repeated.
static void paint_lanes(Paint *paint, PaintSlots *slots, int64_t row, int64_t offset, int64_t from,
                        int64_t to)
{
    const HwTrfRead *read = paint->pass->trf_read;
    int64_t bits = scalar_traits[read->type].packet_bits;
    int64_t elements = read->nest.access_bytes * BYTE_BITS / bits;
    int64_t first = (read->nest.base * BYTE_BITS + offset * read->nest.element_bits) / bits;
    for (int64_t next; from < to; from = next) {
        int64_t start = from / elements * elements;
        next = min_i64(to, start + elements);
        slots(paint, &read->layout, row, (first + from - start) * bits / HALF_BYTE,
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
        paint_lanes(paint, paint_slots, step / reduce->in_time,
                    nest_offset(&paint->nest, step % reduce->in_time), from - step * lanes,
                    next - step * lanes);
    }
}

static void paint_step(void *own, int64_t element, int64_t count)
{
    Paint *paint = own;
    const HwReduce *reduce = paint->pass->reduce;
    for (int64_t i = 0; i < count; i++)
        for (int64_t row = 0; row < reduce->rows; row++)
            paint_lanes(paint, paint_slots, row, element + i, 0, reduce->packet_elements);
}

static void paint_trf_read(Paint *paint, bool all)
{
    const HwReduce *reduce = paint->pass->reduce;
    int64_t span = reduce_span(reduce);
    walk_steps(paint);
    if (!all) {
        data_runs(&reduce->data, paint->unit * span, span, paint_products, paint);
        return;
    }
    if (nest_size(&paint->nest) <= reduce->in_time)
        nest_once(&paint->nest);
    nest_runs(&paint->nest, 0, min_i64(reduce->in_time, nest_size(&paint->nest)), paint_step,
              paint);
}

// ---- padding that is multiplied

typedef struct {
    Paint *paint;
    uint8_t *has_data; // by row, place of the output and sum of the tree
    int64_t done;      // positions that were looked at
} Padding;

// That the lanes of a packet come to.
static int64_t sums_of_packet(const HwReduce *reduce)
{
    return reduce->packet_elements >> reduce->tree_depth;
}

// Lanes of one step in one row.
typedef struct {
    int64_t row, step, from, to;
    uint8_t *sums; // of that row and place
} Lanes;

// The first of the positions that are of one step.
static Lanes first_lanes(const Padding *padding, int64_t from, int64_t to)
{
    const HwReduce *reduce = padding->paint->pass->reduce;
    int64_t lanes = reduce->packet_elements, number = from / lanes;
    int64_t row = number / reduce->in_time, step = number % reduce->in_time;
    int64_t place = step_place(reduce, step);
    return (Lanes){row, step, from - number * lanes, min_i64(to - number * lanes, lanes),
                   padding->has_data + (row * reduce->places + place) * sums_of_packet(reduce)};
}

static void note_data(void *own, int64_t from, int64_t to)
{
    const Padding *padding = own;
    int64_t depth = padding->paint->pass->reduce->tree_depth;
    while (from < to) {
        Lanes at = first_lanes(padding, from, to);
        int64_t first = at.from >> depth, last = (at.to - 1) >> depth;
        memset(at.sums + first, 1, last - first + 1);
        from += at.to - at.from;
    }
}

static void paint_row(Paint *paint, const HwTrfLayout *layout, int64_t row, int64_t from,
                      int64_t to)
{
    int64_t slots = trf_row_slots(layout), low = max_i64(from, 0), high = min_i64(to, slots);
    if (low < high)
        painter_paint(paint->painter, row * slots + low, row * slots + high, paint->mark);
}

// Those of them that come into sums with data.
static void paint_padded(const Padding *padding, const Lanes *at)
{
    Paint *paint = padding->paint;
    int64_t depth = paint->pass->reduce->tree_depth, offset = nest_offset(&paint->nest, at->step);
    for (int64_t from = at->from, next; from < at->to; from = next) {
        bool has_data = at->sums[from >> depth];
        for (next = from; next < at->to && at->sums[next >> depth] == has_data;)
            next = ((next >> depth) + 1) << depth;
        next = min_i64(next, at->to);
        if (has_data)
            paint_lanes(paint, paint_row, at->row, offset, from, next);
    }
}

// Data begins: what was before is padding.
static void paint_before(void *own, int64_t from, int64_t to)
{
    Padding *padding = own;
    for (int64_t at = padding->done; at < from;) {
        Lanes lanes = first_lanes(padding, at, from);
        paint_padded(padding, &lanes);
        at += lanes.to - lanes.from;
    }
    padding->done = to;
}

static void paint_trf_padding(Paint *paint, bool all)
{
    const HwReduce *reduce = paint->pass->reduce;
    int64_t span = reduce_span(reduce);
    size_t sums = reduce->rows * reduce->places * sums_of_packet(reduce);
    if (all)
        return;
    Padding padding = {.paint = paint, .has_data = heap_zeroed(sums, 1)};
    paint->failed = !padding.has_data;
    if (paint->failed)
        return;
    walk_steps(paint);
    data_runs(&reduce->data, paint->unit * span, span, note_data, &padding);
    data_runs(&reduce->data, paint->unit * span, span, paint_before, &padding);
    paint_before(&padding, span, span);
    heap_free(padding.has_data);
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

// ---- data of sets

// Which positions of a unit are data, of so many.
typedef struct {
    const HwCheckList *test; // NULL: the pass does not have the set
    int64_t span;
} Positions;

static Positions step_positions(const HwVectorStep *step)
{
    return (Positions){&step->data, step->time * step->packet_elements};
}

// Of the Vector Engine each step has its own.
static Positions set_positions(const Device *device, const HwPipeline *pass, SetKind kind)
{
    static const HwCheckList no_checks;
    const Positions none = {NULL, 1}, all = {&no_checks, 1};
    const HwReduce *reduce = pass->reduce;
    const HwVrfStore *vrf = pass->vrf_store;
    switch (kind) {
    case SET_FETCH:
        return (Positions){&pass->fetch.data, pass->fetch.time * pass->fetch.packet_elements};
    case SET_VRF_READ:
        return pass->vector ? all : none;
    case SET_TRF_PADDING:
        if (!reduce || !reduce->data.count || scalar_is_integer(reduce->in_type))
            return none;
        return (Positions){&reduce->data, reduce_span(reduce)};
    case SET_TRF_READ:
        return reduce ? (Positions){&reduce->data, reduce_span(reduce)} : none;
    case SET_COMMIT:
        return pass->commit ? (Positions){&pass->commit->data,
                                          pass->commit->time * flit_elements(device, pass->commit)}
                            : none;
    case SET_VRF_STORE:
        return vrf ? (Positions){&vrf->data, vrf->time * vrf->packet_elements} : none;
    case SET_TRF_STORE:
        return pass->trf_store ? all : none;
    case SETS:
        break;
    }
    return none;
}

static bool pass_has_set(const Device *device, const HwPipeline *pass, SetKind kind)
{
    return set_positions(device, pass, kind).test;
}

static DataShare share_of(const Positions *positions, int64_t unit)
{
    int64_t span = positions->span;
    return positions->test->count ? data_share(positions->test, unit * span, span) : DATA_ALL;
}

static bool are_alike(const Positions *positions, int64_t unit, int64_t other)
{
    int64_t span = positions->span;
    return data_alike(positions->test, unit * span, other * span, span);
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

static void find_groups(const Device *device, const HwPipeline *pass, CheckPlan *check,
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

static bool make_set(const Device *device, const HwPipeline *pass, CheckPlan *check, SetKind kind)
{
    RunSet *set = &check->sets[kind];
    size_t units = check->unit_count;
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

static void find_streaks(const Device *device, const HwPipeline *pass, CheckPlan *check)
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

CheckPlan *pass_check_new(const Device *device, const HwPipeline *pass)
{
    CheckPlan *check = heap_zeroed(1, sizeof *check);
    bool ok = check != NULL;
    if (ok)
        check->unit_count = pass->chips * pass->clusters * pass->slices;
    for (SetKind kind = 0; ok && kind < SETS; kind++)
        ok = !pass_has_set(device, pass, kind) || make_set(device, pass, check, kind);
    if (ok) {
        find_streaks(device, pass, check);
        return check;
    }
    check_plan_free(check);
    return NULL;
}

void check_plan_free(CheckPlan *check)
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

static void add_outside(const UnitCheck *at, const ShadowPlace *place, const RunList *runs)
{
    DeviceFault fault = fault_in(at->device->sanitizer, FAULT_OUTSIDE, place);
    fault.address = runs->outside;
    fault.bytes = runs->outside_count;
    if (place->layout)
        fault.address = trf_row_slots(place->layout) / TRF_SLOTS_PER_BYTE;
    fault_add(at->device->sanitizer, &fault);
}

// ---- values

// What is wrong with multiplying it by 0; FAULT_KINDS: nothing. What nobody wrote may be anything:
// what was in DM or TRF before the launch.
static FaultKind product_fault(Scalar type, uint32_t bits, bool is_known)
{
    if (!is_known)
        return FAULT_NO_ZERO;
    return (scalar_to_f32(type, bits) & EXPONENT) == EXPONENT ? FAULT_NO_NUMBER : FAULT_KINDS;
}

// Elements of a row, from half byte `slot` on.
static void check_values(Device *device, const HwTrfRead *read, const Slice *slice,
                         DeviceFault fault, int64_t slot, int64_t count)
{
    uint32_t bits[CHUNK];
    uint8_t live[CHUNK];
    int64_t slots = scalar_traits[read->type].packet_bits / HALF_BYTE;
    trf_load(&slice->trf, &read->layout, read->type, fault.row, slot, count, bits, live);
    for (int64_t i = 0, next; i < count; i = next) {
        fault.kind = product_fault(read->type, bits[i], live[i]);
        for (next = i + 1;
             next < count && product_fault(read->type, bits[next], live[next]) == fault.kind;)
            next++;
        fault.address = (slot + i * slots) / TRF_SLOTS_PER_BYTE;
        fault.bytes = (next - i) * slots / TRF_SLOTS_PER_BYTE;
        if (fault.kind != FAULT_KINDS)
            fault_add(device->sanitizer, &fault);
    }
}

// Looks at the values of SET_TRF_PADDING.
static void trf_padding_check(Device *device, const HwPipeline *pass, const ShadowPlace *place,
                              const RunList *runs)
{
    const HwTrfRead *read = pass->trf_read;
    const Slice *slice = device_slice(device, place->chip, place->cluster, place->slice);
    int64_t row_slots = trf_row_slots(&read->layout);
    int64_t slots = scalar_traits[read->type].packet_bits / HALF_BYTE;
    DeviceFault fault = fault_in(device->sanitizer, FAULT_KINDS, place);
    for (int64_t i = 0; slice && i < runs->count; i++)
        for (int64_t at = runs->items[i].low, end = runs->items[i].high, next; at < end;
             at = next) {
            fault.row = at / row_slots;
            next = min_i64(min_i64(end, (fault.row + 1) * row_slots), at + CHUNK * slots);
            check_values(device, read, slice, fault, at % row_slots, (next - at) / slots);
        }
}

// ---- all sets of one slice

static void check_set(const UnitCheck *at, SetKind kind)
{
    ShadowPlace place =
        shadow_of_slice(at->device, set_infos[kind].tier, at->chip, at->cluster, at->slice);
    const RunList *runs = runs_of(at, kind);
    uint16_t writer = at->device->sanitizer->writer;
    place.layout = kind == SET_TRF_READ    ? &at->pass->trf_read->layout
                   : kind == SET_TRF_STORE ? &at->pass->trf_store->layout
                                           : NULL;
    if (!place.shadow.blocks || !runs)
        return;
    if (kind == SET_TRF_PADDING) {
        trf_padding_check(at->device, at->pass, &place, runs);
        return;
    }
    for (int64_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        if (set_infos[kind].writes)
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
    CheckPlan *check;
} Checking;

static void check_units(void *own, int64_t from, int64_t to)
{
    const Checking *checking = own;
    for (int64_t unit = from; unit < to; unit++) {
        UnitCheck at = unit_check(checking->device, checking->pass, checking->check, unit);
        for (SetKind kind = 0; kind < SETS; kind++)
            if (pass_has_set(checking->device, checking->pass, kind))
                check_set(&at, kind);
    }
}

void pass_check(Device *device, const HwPipeline *pass, CheckPlan *check)
{
    if (check->fetch_streak)
        bank_check(device, pass, check->fetch_streak, pass->fetch.nest.base);
    if (check->commit_streak)
        bank_check(device, pass, check->commit_streak, pass->commit->nest.base);
    int64_t threads = pass_threads(device, pass, check->unit_count);
    workers_run(check->unit_count, check->unit_count / (4 * threads) + 1, threads, check_units,
                &(Checking){device, pass, check});
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
        shadow_of_slice(at->device, set_infos[kind].tier, at->chip, at->cluster, at->slice);
    const RunList *runs = runs_of(at, kind);
    if (slice && place.shadow.blocks && runs)
        forget_runs(&place, kind == SET_COMMIT ? &slice->dm : &slice->vrf, runs);
}

void pass_check_filtered(Device *device, const HwPipeline *pass, CheckPlan *check)
{
    for (int64_t unit = 0; has_filter(pass) && unit < check->unit_count; unit++) {
        UnitCheck at = unit_check(device, pass, check, unit);
        if (pass->commit)
            forget_set(&at, SET_COMMIT);
        if (pass->vrf_store)
            forget_set(&at, SET_VRF_STORE);
    }
}

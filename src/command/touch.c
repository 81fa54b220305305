#include "command/touch.h"

#include "command/nest.h"
#include "scalar/bits.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

const char *touch_tier_name(Tier tier)
{
    return tier == (Tier)TOUCH_SPM ? "SPM" : tiers[tier].name;
}

// ---- one touch

static int64_t slice_bits(const Machine *machine)
{
    return machine->dm_virtual_slice_stride_bytes * BYTE_BITS;
}

static void take_all(Touch *touch, int64_t low, int64_t high)
{
    touch->base = low;
    touch->run = high - low;
    touch->loop_count = 0;
}

static MeetWalk walk_of(const Touch *touch)
{
    return (MeetWalk){touch->base, touch->run, touch->loops, touch->loop_count};
}

static void join_loops(Touch *touch)
{
    meet_join(touch->loops, &touch->loop_count, &touch->run);
    MeetWalk walk = walk_of(touch);
    touch->extent = meet_extent(&walk);
}

// A loop; what goes down starts at its other end.
static void add_loop(Touch *touch, int64_t size, int64_t stride)
{
    if (size <= 1 || stride == 0)
        return;
    if (stride < 0)
        touch->base += (size - 1) * stride;
    if (touch->loop_count == TOUCH_MOST_LOOPS) {
        join_loops(touch);
        if (touch->loop_count == TOUCH_MOST_LOOPS)
            take_all(touch, touch->base, touch->base + touch->extent);
    }
    touch->loops[touch->loop_count++] = (MeetLoop){size, llabs(stride)};
}

// An indirect entry: even steps are a loop, others lie somewhere in between.
static void add_offsets(Touch *touch, const IntList *offsets, int64_t unit)
{
    int64_t low = offsets->items[0], high = low, step = 0;
    bool is_even = true;
    for (int64_t i = 1; i < offsets->count; i++) {
        int64_t each = offsets->items[i] - offsets->items[i - 1];
        step = i == 1 ? each : step;
        is_even &= each == step;
        low = min_i64(low, offsets->items[i]);
        high = max_i64(high, offsets->items[i]);
    }
    if (is_even) {
        touch->base += offsets->items[0] * unit;
        add_loop(touch, offsets->count, step * unit);
        return;
    }
    touch->base += low * unit;
    add_loop(touch, high - low + 1, unit);
}

static void add_nest(Touch *touch, const HwNest *nest)
{
    touch->base += nest->base * BYTE_BITS;
    touch->run = nest->element_bits;
    for (int64_t i = 0; i < nest->loops.count; i++) {
        const HwLoop *loop = &nest->loops.items[i];
        if (loop->offsets.count)
            add_offsets(touch, &loop->offsets, nest->element_bits);
        else
            add_loop(touch, loop->size, loop->stride * nest->element_bits);
    }
}

// The part of a slice, or of all, that it lies in.
static void find_reach(const Machine *machine, Touch *touch)
{
    int64_t whole = slice_bits(machine);
    join_loops(touch);
    touch->low = touch->base;
    touch->high = touch->base + touch->extent;
    if (touch->tier == TIER_HBM || touch->tier == TIER_HOST || touch->tier == (Tier)TOUCH_SPM)
        return;
    int64_t inside = touch->run;
    for (int64_t i = 0; i < touch->loop_count; i++)
        if (touch->loops[i].stride % whole)
            inside += (touch->loops[i].size - 1) * touch->loops[i].stride;
    int64_t first = ((touch->base % whole) + whole) % whole;
    bool fits = inside <= whole - first;
    touch->low = fits ? first : 0;
    touch->high = fits ? first + inside : whole;
}

static void put(Arena *arena, const Machine *machine, Touch *touch, TouchList *list)
{
    find_reach(machine, touch);
    *array_push(arena, list, Touch) = *touch;
}

// ---- passes

typedef struct {
    Arena *arena;
    const Machine *machine;
    const HwPipeline *pass;
    TouchList *list;
} PassTouches;

// The first slice from `from` on that is, or is not, in the bitmap.
static int64_t next_slice(const BitList *bits, int64_t from, bool wanted)
{
    int64_t end = bits->count * WORD_BITS;
    while (from < end && bit_is_set(bits, from) != wanted)
        from++;
    return from;
}

// One touch for each run of slices.
static void put_rows(const PassTouches *to, const HwClusterBits *row, const Touch *touch)
{
    const HwPipeline *pass = to->pass;
    int64_t whole = slice_bits(to->machine), end = row->slices.count * WORD_BITS;
    for (int64_t from = next_slice(&row->slices, 0, true), next; from < end;
         from = next_slice(&row->slices, next, true)) {
        Touch one = *touch;
        next = next_slice(&row->slices, from, false);
        one.chip_from = row->chip < 0 ? pass->first_chip : row->chip;
        one.chip_to = row->chip < 0 ? pass->first_chip + pass->chips : row->chip + 1;
        one.cluster_from = row->cluster < 0 ? 0 : row->cluster;
        one.cluster_to = row->cluster < 0 ? to->machine->clusters_per_chip : row->cluster + 1;
        one.base += from * whole;
        add_loop(&one, next - from, whole);
        put(to->arena, to->machine, &one, to->list);
    }
}

// In all slices of the pass.
static void put_everywhere(const PassTouches *to, const Touch *touch)
{
    const HwPipeline *pass = to->pass;
    Touch all = *touch;
    all.chip_from = pass->first_chip;
    all.chip_to = pass->first_chip + pass->chips;
    all.cluster_from = pass->first_cluster;
    all.cluster_to = pass->first_cluster + pass->clusters;
    all.base += pass->first_slice * slice_bits(to->machine);
    add_loop(&all, pass->slices, slice_bits(to->machine));
    put(to->arena, to->machine, &all, to->list);
}

static void put_slices(const PassTouches *to, const HwClusterBitsList *bitmaps, const Touch *touch)
{
    for (int64_t i = 0; i < bitmaps->count; i++)
        put_rows(to, &bitmaps->items[i], touch);
    if (!bitmaps->count)
        put_everywhere(to, touch);
}

static Touch new_touch(Tier tier, bool is_write)
{
    return (Touch){.tier = tier, .is_write = is_write, .tensor = -1};
}

static void touch_fetch(const PassTouches *to)
{
    const HwFetch *fetch = &to->pass->fetch;
    for (int64_t i = 0; i < fetch->bases.count; i++) {
        Touch touch = new_touch(TIER_DM, false);
        touch.base = (fetch->bases.items[i] - fetch->nest.base) * BYTE_BITS;
        add_nest(&touch, &fetch->nest);
        put_slices(to, &fetch->bitmaps, &touch);
    }
}

static void touch_commit(const PassTouches *to)
{
    const HwCommit *commit = to->pass->commit;
    Touch touch = new_touch(TIER_DM, true);
    add_nest(&touch, &commit->nest);
    put_slices(to, &commit->bitmaps, &touch);
}

// The half, or all, that a load or a read is of: rows of all banks.
static void touch_trf(const PassTouches *to, const HwTrfLayout *layout, bool is_write)
{
    Touch touch = new_touch(TIER_TRF, is_write);
    int64_t row_bits = layout->bank_row_bytes * layout->bank_columns * BYTE_BITS;
    touch.base = layout->first_row * row_bits;
    touch.run = layout->rows_in_bank * row_bits;
    put_everywhere(to, &touch);
}

static void touch_vrf(const PassTouches *to, const HwNest *nest, bool is_write)
{
    Touch touch = new_touch(TIER_VRF, is_write);
    add_nest(&touch, nest);
    put_everywhere(to, &touch);
}

static void touch_vector(const PassTouches *to, const HwVector *vector)
{
    for (int64_t i = 0; i < vector->steps.count; i++) {
        const HwVectorStep *step = &vector->steps.items[i];
        for (int64_t k = 0; k < step->operands.count; k++)
            if (step->operands.items[k].source == OPERAND_VRF && step->operands.items[k].nest)
                touch_vrf(to, step->operands.items[k].nest, false);
        if (step->branch && step->branch->nest)
            touch_vrf(to, step->branch->nest, false);
    }
}

static void touch_pass(Arena *arena, const Machine *machine, const HwPipeline *pass,
                       TouchList *list)
{
    PassTouches to = {arena, machine, pass, list};
    touch_fetch(&to);
    if (pass->trf_read)
        touch_trf(&to, &pass->trf_read->layout, false);
    if (pass->vector)
        touch_vector(&to, pass->vector);
    if (pass->trf_store)
        touch_trf(&to, &pass->trf_store->layout, true);
    if (pass->vrf_store)
        touch_vrf(&to, &pass->vrf_store->nest, true);
    if (pass->commit)
        touch_commit(&to);
}

static void touch_immediate(Arena *arena, const Machine *machine, const HwImmediateWrite *write,
                            TouchList *list)
{
    enum { VALUE_BITS = 32 };
    HwPipeline pass = {.chips = INT32_MAX}; // its bitmaps say where
    PassTouches to = {arena, machine, &pass, list};
    Touch touch = new_touch(TIER_DM, true);
    touch.base = write->address * BYTE_BITS;
    touch.run = VALUE_BITS;
    for (int64_t k = 0; k < write->bitmaps.count; k++)
        put_rows(&to, &write->bitmaps.items[k], &touch);
}

// ---- DMA

static Touch touch_of_place(const HwPlace *place, bool is_write)
{
    static const Tier tier_of[MEDIA_COUNT] = {[MEDIA_HOST] = TIER_HOST,
                                              [MEDIA_HBM] = TIER_HBM,
                                              [MEDIA_DM] = TIER_DM,
                                              [MEDIA_SPM] = (Tier)TOUCH_SPM};
    Touch touch = new_touch(tier_of[place->media], is_write);
    bool is_host = place->media == MEDIA_HOST;
    touch.tensor = place->media == MEDIA_SPM ? place->dmn : place->tensor;
    touch.chip_from = is_host ? 0 : place->chip;
    touch.chip_to = touch.chip_from + 1;
    touch.cluster_from = max_i64(place->cluster, 0);
    touch.cluster_to = touch.cluster_from + 1;
    return touch;
}

static Touch touch_of_side(const HwDescriptor *descriptor, HwSide side)
{
    int64_t unit = side_unit(descriptor, side);
    Touch touch = touch_of_place(side_place(descriptor, side), side == SIDE_DEST);
    touch.base = side_base(descriptor, side) * unit;
    touch.run = side_packet(descriptor, side) * unit;
    for (int64_t i = 0; i < descriptor->loops.count; i++) {
        const HwDmaLoopEntry *loop = &descriptor->loops.items[i];
        add_loop(&touch, loop->limit, side_stride(loop, side) * unit);
    }
    if (side_is_indirect(descriptor, side)) // any row
        add_loop(&touch, descriptor->indirect->limit, descriptor->indirect->scale * unit);
    return touch;
}

static void touch_dma(Arena *arena, const Machine *machine, const HwDmaCommand *dma,
                      TouchList *list)
{
    for (int64_t i = 0; i < dma->descriptors.count; i++)
        for (HwSide side = 0; side < SIDE_COUNT; side++) {
            const HwDescriptor *descriptor = &dma->descriptors.items[i];
            if (!side_place(descriptor, side))
                continue;
            Touch touch = touch_of_side(descriptor, side);
            put(arena, machine, &touch, list);
        }
}

// ---- touches that go together

static bool is_same_shape(const Touch *a, const Touch *b)
{
    return a->run == b->run && a->loop_count == b->loop_count &&
           !memcmp(a->loops, b->loops, sizeof *a->loops * a->loop_count);
}

static bool is_same_room(const Touch *a, const Touch *b)
{
    return a->tier == b->tier && a->is_write == b->is_write && a->tensor == b->tensor;
}

static bool is_same_units(const Touch *a, const Touch *b)
{
    return a->chip_from == b->chip_from && a->chip_to == b->chip_to &&
           a->cluster_from == b->cluster_from && a->cluster_to == b->cluster_to;
}

bool touch_is_same(const Touch *a, const Touch *b)
{
    return is_same_room(a, b) && is_same_units(a, b) && a->base == b->base && is_same_shape(a, b);
}

static int compare_touches(const void *a, const void *b)
{
    const Touch *x = a, *y = b;
    return compare_by(compare_i64(x->tier, y->tier), compare_i64(x->is_write, y->is_write),
                      compare_i64(x->chip_from, y->chip_from),
                      compare_i64(x->cluster_from, y->cluster_from), compare_i64(x->run, y->run),
                      compare_i64(x->loop_count, y->loop_count), compare_i64(x->base, y->base));
}

// Equal walks at even distances are one walk with a loop more.
static int64_t run_of_touches(const Touch *items, int64_t count)
{
    int64_t run = 1, step = count > 1 ? items[1].base - items[0].base : 0;
    while (run < count && is_same_room(&items[0], &items[run]) &&
           is_same_units(&items[0], &items[run]) && is_same_shape(&items[0], &items[run]) &&
           items[run].base - items[run - 1].base == step)
        run++;
    return run;
}

static int64_t join_bases(const Machine *machine, Touch *items, int64_t count)
{
    int64_t kept = 0;
    qsort(items, count, sizeof *items, compare_touches);
    for (int64_t i = 0, run; i < count; i += run) {
        Touch touch = items[i];
        run = run_of_touches(items + i, count - i);
        if (run > 1)
            add_loop(&touch, run, items[i + 1].base - items[i].base);
        find_reach(machine, &touch);
        items[kept++] = touch;
    }
    return kept;
}

// The same places of neighbouring clusters, and then of neighbouring chips.
static int64_t join_units(Touch *items, int64_t count)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        Touch *into = NULL;
        for (int64_t k = kept - 1; k >= 0 && !into; k--) {
            Touch *old = &items[k];
            bool same = is_same_room(old, &items[i]) && old->base == items[i].base &&
                        is_same_shape(old, &items[i]);
            bool clusters = old->chip_from == items[i].chip_from &&
                            old->chip_to == items[i].chip_to &&
                            old->cluster_to == items[i].cluster_from;
            bool chips = old->cluster_from == items[i].cluster_from &&
                         old->cluster_to == items[i].cluster_to &&
                         old->chip_to == items[i].chip_from;
            if (same && (clusters || chips))
                into = old;
        }
        if (into) {
            into->cluster_to = items[i].cluster_to;
            into->chip_to = items[i].chip_to;
        } else {
            items[kept++] = items[i];
        }
    }
    return kept;
}

void touches_of_operation(Arena *arena, const Machine *machine, const HwOperation *operation,
                          TouchList *list)
{
    enum { ROUNDS = 3 };
    for (int64_t i = 0; i < operation->commands.count; i++) {
        const HwCommand *command = &operation->commands.items[i];
        if (command->pass)
            touch_pass(arena, machine, command->pass, list);
        if (command->immediate)
            touch_immediate(arena, machine, command->immediate, list);
        if (command->dma)
            touch_dma(arena, machine, command->dma, list);
    }
    for (int i = 0; i < ROUNDS && list->count > 1; i++) {
        list->count = join_bases(machine, list->items, list->count);
        list->count = join_units(list->items, list->count);
    }
}

Touch touch_piece(const Machine *machine, const Touch *touch, MeetPiece piece)
{
    Touch out = *touch;
    take_all(&out, piece.from, piece.to);
    find_reach(machine, &out);
    return out;
}

// ---- two touches

static bool rooms_meet(const Touch *a, const Touch *b)
{
    return a->tier == b->tier && a->tensor == b->tensor && a->low < b->high && b->low < a->high &&
           a->chip_from < b->chip_to && b->chip_from < a->chip_to &&
           a->cluster_from < b->cluster_to && b->cluster_from < a->cluster_to;
}

bool touches_meet(const Touch *a, const Touch *b, MeetPiece *piece)
{
    MeetWalk one = walk_of(a), two = walk_of(b);
    return rooms_meet(a, b) && walks_meet(&one, &two, piece);
}

// Whether it is wherever both are: in the same memory, on all their chips and clusters.
static bool has_units(const Touch *touch, const Touch *a, const Touch *b)
{
    return touch->tier == a->tier && touch->tensor == a->tensor &&
           touch->chip_from <= max_i64(a->chip_from, b->chip_from) &&
           touch->chip_to >= min_i64(a->chip_to, b->chip_to) &&
           touch->cluster_from <= max_i64(a->cluster_from, b->cluster_from) &&
           touch->cluster_to >= min_i64(a->cluster_to, b->cluster_to);
}

bool touches_meet_outside(const Touch *a, const Touch *b, const Touch *const *others, int64_t count,
                          MeetPiece *piece)
{
    MeetWalk one = walk_of(a), two = walk_of(b), walks[MEET_MOST_OTHERS];
    int64_t walk_count = 0;
    for (int64_t i = 0; i < count && walk_count < MEET_MOST_OTHERS; i++)
        if (has_units(others[i], a, b))
            walks[walk_count++] = walk_of(others[i]);
    return rooms_meet(a, b) && walks_meet_outside(&one, &two, walks, walk_count, piece);
}

bool touch_covers(const Touch *a, const Touch *b)
{
    MeetWalk one = walk_of(a), two = walk_of(b);
    return a->tier == b->tier && a->tensor == b->tensor && a->chip_from <= b->chip_from &&
           a->chip_to >= b->chip_to && a->cluster_from <= b->cluster_from &&
           a->cluster_to >= b->cluster_to && walk_covers(&one, &two);
}

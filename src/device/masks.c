#include "device/masks.h"

#include "base/checked.h"
#include "base/heap.h"
#include "device/nest.h"

#include <assert.h>

// More than this are not worth their memory.
enum { MOST_RUNS = 1 << 22 };

typedef struct {
    LaneRun *items;
    int64_t count, capacity;
} RunList;

static bool push_run(RunList *list, LaneRun run)
{
    if (list->count == list->capacity) {
        int64_t capacity = list->capacity * 2 + 16;
        LaneRun *items = heap_resize(list->items, sizeof *items * (size_t)capacity);
        if (!items)
            return false;
        list->items = items;
        list->capacity = capacity;
    }
    assert(list->items);
    list->items[list->count++] = run;
    return true;
}

// ---- registers

// The last loop with more than one iteration; the outermost loop if there is none.
static int64_t innermost_loop(const HwNest *nest)
{
    int64_t at = nest->loops.count - 1;
    while (at > 0 && nest->loops.items[at].size == 1)
        at--;
    return at;
}

static int64_t place_of(const HwNest *nest, int64_t loop)
{
    int64_t place = 1;
    for (int64_t i = nest->loops.count - 1; i > loop; i--)
        place *= nest->loops.items[i].size;
    return place;
}

static MaskRegisters registers_of(const HwFetch *fetch, const HwMask *mask)
{
    const HwNest *nest = &fetch->nest;
    int64_t innermost = innermost_loop(nest);
    MaskRegisters registers = {.mask = mask,
                               .inner = nest->loops.items[innermost].size,
                               .is_always = mask->last_dim == innermost,
                               .last_place = place_of(nest, mask->last_dim),
                               .last_size = nest->loops.items[mask->last_dim].size,
                               .bases = fetch->bases.count};
    if (mask->valid_count_dim >= 0) {
        registers.count_place = place_of(nest, mask->valid_count_dim);
        registers.count_size = nest->loops.items[mask->valid_count_dim].size;
    }
    return registers;
}

// Whether element `at` of the nest is data, and for how many elements from there on that holds.
static int64_t registers_run(const MaskRegisters *registers, int64_t at, bool *is_data)
{
    const HwMask *mask = registers->mask;
    int64_t index = at / registers->last_place % registers->last_size;
    int64_t inside = at % registers->inner, low = 0, high = registers->inner;
    if (registers->is_always || index == 0)
        low = mask->left_pad;
    if (registers->is_always || index == registers->last_size - 1) {
        int64_t which =
            mask->valid_count_dim < 0 ? 0 : at / registers->count_place % registers->count_size;
        high = mask->valid_counts.items[which];
    }
    *is_data = inside >= low && inside < high;
    int64_t end = *is_data ? high : inside < low ? low : registers->inner;
    return min_i64(end, registers->inner) - inside;
}

// Packets of interleaved tensors take turns, each through the whole nest.
static int64_t mask_run(const MaskPlan *mask, int64_t lanes, int64_t at, int64_t most,
                        bool *is_data)
{
    const MaskRegisters *registers = &mask->registers;
    if (!registers->mask)
        return data_run(&mask->test, at, most, is_data);
    int64_t packet = at / lanes, lane = at % lanes;
    int64_t run = registers_run(registers, packet / registers->bases * lanes + lane, is_data);
    return min_i64(min_i64(run, lanes - lane), most);
}

// ---- runs

// A run of positions, cut where packets begin. `*packet`: the next whose first run is not known.
static bool push_positions(RunList *list, int32_t *first, int64_t *packet, int64_t lanes,
                           int64_t from, int64_t to)
{
    while (from < to) {
        int64_t of = from / lanes, end = min_i64(to, (of + 1) * lanes);
        for (; *packet <= of; (*packet)++)
            first[*packet] = (int32_t)list->count;
        if (list->count >= MOST_RUNS ||
            !push_run(list, (LaneRun){(int32_t)(from - of * lanes), (int32_t)(end - of * lanes)}))
            return false;
        from = end;
    }
    return true;
}

// False: there are too many runs.
static bool list_runs(const Masks *masks, MaskPlan *mask, int64_t packets)
{
    RunList list = {0};
    int64_t packet = 0, end = packets * masks->lanes;
    bool ok = true, is_data;
    for (int64_t at = 0, run; at < end && ok; at += run) {
        run = mask_run(mask, masks->lanes, at, end - at, &is_data);
        if (is_data == masks->wants)
            ok = push_positions(&list, mask->first, &packet, masks->lanes, at, at + run);
    }
    for (; ok && packet <= packets; packet++)
        mask->first[packet] = (int32_t)list.count;
    ok = ok && (list.items || push_run(&list, (LaneRun){0, 0}));
    mask->runs = ok ? list.items : NULL;
    if (!ok)
        heap_free(list.items);
    return ok;
}

// False: no memory.
static bool masks_new(Masks *masks, int64_t count, int64_t lanes)
{
    masks->lanes = lanes;
    masks->masks = count ? heap_zeroed((size_t)count, sizeof *masks->masks) : NULL;
    masks->count = masks->masks ? count : 0;
    return masks->count == count;
}

static void list_all_runs(Masks *masks, int64_t packets)
{
    masks->are_listed = masks->count * packets <= MOST_RUNS;
    for (int64_t i = 0; i < masks->count && masks->are_listed; i++) {
        MaskPlan *mask = &masks->masks[i];
        mask->first = heap_new(sizeof *mask->first * (size_t)(packets + 1));
        masks->are_listed = mask->first && list_runs(masks, mask, packets);
    }
}

bool masks_new_fetch(Masks *masks, const HwFetch *fetch, int64_t packets, int64_t lanes)
{
    *masks = (Masks){0};
    if (!masks_new(masks, fetch->masks.count, lanes))
        return false;
    for (int64_t i = 0; i < masks->count; i++) {
        const HwMask *mask = &fetch->masks.items[i];
        masks->masks[i] = (MaskPlan){.bitmaps = mask->bitmaps.items,
                                     .bitmap_count = mask->bitmaps.count,
                                     .registers = registers_of(fetch, mask)};
    }
    list_all_runs(masks, packets);
    return true;
}

bool masks_new_commit(Masks *masks, const HwCommit *commit, int64_t packets, int64_t lanes)
{
    *masks = (Masks){.wants = true};
    if (!masks_new(masks, commit->masks.count, lanes))
        return false;
    for (int64_t i = 0; i < masks->count; i++) {
        const HwCommitMask *mask = &commit->masks.items[i];
        masks->masks[i] = (MaskPlan){.bitmaps = mask->bitmaps.items,
                                     .bitmap_count = mask->bitmaps.count,
                                     .test = {mask->checks.items, mask->checks.count}};
    }
    list_all_runs(masks, packets);
    return true;
}

void masks_free(Masks *masks)
{
    for (int64_t i = 0; i < masks->count; i++) {
        heap_free(masks->masks[i].runs);
        heap_free(masks->masks[i].first);
    }
    heap_free(masks->masks);
    *masks = (Masks){0};
}

const MaskPlan *masks_find(const Masks *masks, int64_t chip, int64_t cluster, int64_t slice)
{
    for (int64_t i = 0; i < masks->count; i++) {
        const MaskPlan *mask = &masks->masks[i];
        if (!mask->bitmap_count ||
            bits_have(mask->bitmaps, mask->bitmap_count, chip, cluster, slice))
            return mask;
    }
    return NULL;
}

const LaneRun *masks_packet(const Masks *masks, const MaskPlan *mask, int64_t packet, LaneRun *room,
                            int64_t *count)
{
    bool is_data;
    *count = 0;
    if (mask->runs) {
        *count = mask->first[packet + 1] - mask->first[packet];
        return mask->runs + mask->first[packet];
    }
    for (int64_t at = 0, run; at < masks->lanes; at += run) {
        run = mask_run(mask, masks->lanes, packet * masks->lanes + at, masks->lanes - at, &is_data);
        if (is_data != masks->wants)
            continue;
        if (*count && room[*count - 1].to == at) // a run also ends where a loop ends
            room[*count - 1].to = (int32_t)(at + run);
        else
            room[(*count)++] = (LaneRun){(int32_t)at, (int32_t)(at + run)};
    }
    return room;
}

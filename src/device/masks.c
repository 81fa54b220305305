#include "device/masks.h"

#include "base/checked.h"
#include "base/heap.h"
#include "device/nest.h"

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
    list->items[list->count++] = run;
    return true;
}

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
        run = data_run(&mask->test, at, end - at, &is_data);
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

bool masks_new(Masks *masks, const HwMask *from, int64_t count, MaskSide side, int64_t packets,
               int64_t lanes)
{
    *masks = (Masks){.lanes = lanes, .wants = side == MASKS_DATA};
    if (!count)
        return true;
    masks->masks = heap_zeroed((size_t)count, sizeof *masks->masks);
    if (!masks->masks)
        return false;
    masks->count = count;
    masks->are_listed = count * packets <= MOST_RUNS;
    for (int64_t i = 0; i < count; i++) {
        MaskPlan *mask = &masks->masks[i];
        mask->mask = &from[i];
        mask->test = (DataTest){from[i].checks.items, from[i].checks.count};
        if (!masks->are_listed)
            continue;
        mask->first = heap_new(sizeof *mask->first * (size_t)(packets + 1));
        masks->are_listed = mask->first && list_runs(masks, mask, packets);
    }
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
        const HwMask *mask = masks->masks[i].mask;
        if (!mask->bitmaps.count ||
            bits_have(mask->bitmaps.items, mask->bitmaps.count, chip, cluster, slice))
            return &masks->masks[i];
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
        run = data_run(&mask->test, packet * masks->lanes + at, masks->lanes - at, &is_data);
        if (is_data == masks->wants)
            room[(*count)++] = (LaneRun){(int32_t)at, (int32_t)(at + run)};
    }
    return room;
}

#include "schedule/hazard.h"

#include "base/checked.h"
#include "schedule/lane.h"

enum { BYTE_BITS = 8 };
enum { NEAR = 64 };  // entries that are looked at to find what is over
enum { LEVELS = 3 }; // of NEAR, NEAR^2 .. entries that are passed over together

typedef struct {
    int64_t operation;
    Touch touch;
} Entry;

// What entries that follow each other lie between, or more: what is far is passed over at once.
typedef struct {
    int64_t low, high;
} Reach;

typedef struct {
    ARRAY(Reach);
} ReachList;

// Entries of operations with the same lanes, in the order in which they came.
typedef struct {
    ARRAY(Entry);
    ReachList reaches[LEVELS]; // of every NEAR entries, of every NEAR of those, ..
    uint64_t lanes;
    bool is_write;
} Group;

typedef struct {
    ARRAY(Group);
} GroupList;

struct HazardTable {
    Arena *arena;
    const Machine *machine;
    GroupList tiers[TOUCH_TIERS];
    TouchList touches;        // of the operation at hand
    int64_t last[LANES_MOST]; // operations that have each lane so far
    int64_t looks;
};

HazardTable *hazard_table_new(Arena *arena, const Machine *machine)
{
    HazardTable *table = arena_new(arena, HazardTable, 1);
    table->arena = arena;
    table->machine = machine;
    for (int64_t i = 0; i < LANES_MOST; i++)
        table->last[i] = -1;
    return table;
}

// ---- entries

static void set_entry(Group *group, int64_t at, const Entry *entry)
{
    for (int64_t level = 0, of = at / NEAR; level < LEVELS; level++, of /= NEAR) {
        Reach *reach = &group->reaches[level].items[of];
        reach->low = min_i64(reach->low, entry->touch.low);
        reach->high = max_i64(reach->high, entry->touch.high);
    }
    group->items[at] = *entry;
}

static void add_entry(Arena *arena, Group *group, const Entry *entry)
{
    int64_t at = group->count, size = NEAR;
    array_push(arena, group, Entry);
    for (int64_t level = 0; level < LEVELS; level++, size *= NEAR) {
        ReachList *reaches = &group->reaches[level];
        if (at / size >= reaches->count)
            array_push(arena, reaches, Reach);
        if (at % size == 0)
            reaches->items[at / size] = (Reach){entry->touch.low, entry->touch.high};
    }
    set_entry(group, at, entry);
}

// How many entries from `at` on downwards are far, as is seen at once.
static int64_t count_far(const Group *group, int64_t at, const Touch *touch)
{
    int64_t far = 0, size = NEAR;
    for (int64_t level = 0; level < LEVELS; level++, size *= NEAR) {
        const Reach *reach = &group->reaches[level].items[at / size];
        if (touch->high > reach->low && reach->high > touch->low)
            break;
        far = at % size + 1;
    }
    return far;
}

// ---- hazards

static WaitKind kind_of(bool is_write, bool was_write)
{
    return !was_write ? WAIT_WAR : is_write ? WAIT_WAW : WAIT_RAW;
}

// What was stored in HBM may take longer than the store until it can be read.
static bool is_reload(const Touch *touch, bool was_write)
{
    return touch->tier == TIER_HBM && !touch->is_write && was_write;
}

// One for each operation: a reload, if there is one.
static Hazard *hazard_for(HazardTable *table, int64_t operation, bool is_reloaded,
                          HazardList *hazards)
{
    for (int64_t i = 0; i < hazards->count; i++)
        if (hazards->items[i].operation == operation)
            return is_reloaded ? &hazards->items[i] : NULL;
    return array_push(table->arena, hazards, Hazard);
}

Hazard hazard_between(const Machine *machine, int64_t operation, const Touch *earlier,
                      const Touch *later, int64_t at)
{
    int64_t slice_bits = machine->dm_virtual_slice_stride_bytes * BYTE_BITS;
    bool is_sliced = later->tier != TIER_HBM && later->tier != TIER_HOST;
    int64_t from = (is_sliced ? at % slice_bits : at) / BYTE_BITS;
    int64_t low = max_i64(later->low, earlier->low) / BYTE_BITS;
    int64_t high = max_i64(ceil_div(min_i64(later->high, earlier->high), BYTE_BITS), from + 1);
    int64_t run = ceil_div(min_i64(later->run, earlier->run), BYTE_BITS);
    return (Hazard){
        .operation = operation,
        .kind = kind_of(later->is_write, earlier->is_write),
        .tier = later->tier,
        .chip = max_i64(later->chip_from, earlier->chip_from),
        .cluster = is_sliced ? max_i64(later->cluster_from, earlier->cluster_from) : -1,
        .slice = is_sliced ? at / slice_bits : -1,
        .from = from,
        .to = min_i64(from + run, high),
        .low = min_i64(low, from),
        .high = high,
    };
}

static void add_hazard(HazardTable *table, const Entry *entry, const Touch *touch, int64_t at,
                       HazardList *hazards)
{
    bool is_reloaded = is_reload(touch, entry->touch.is_write);
    Hazard *hazard = hazard_for(table, entry->operation, is_reloaded, hazards);
    if (hazard)
        *hazard = hazard_between(table->machine, entry->operation, &entry->touch, touch, at);
}

// Of operations that end in their order, as those of one lane do, the last one that meets the touch
// says it all. `only` the last operation, where that is >= 0.
static void ask_group(HazardTable *table, const Group *group, const Touch *touch, int64_t only,
                      HazardList *hazards)
{
    for (int64_t i = group->count - 1; i >= 0; i--) {
        int64_t at, far = count_far(group, i, touch);
        table->looks++;
        if (far) {
            i -= far - 1;
            continue;
        }
        if (only >= 0 && group->items[i].operation != only)
            return;
        if (!touches_meet(&group->items[i].touch, touch, &at))
            continue;
        add_hazard(table, &group->items[i], touch, at, hazards);
        if (group->lanes)
            return;
    }
}

// Who touches what a write covers touches what was written, too: older entries are over.
static void drop_covered(Group *group, const Touch *touch)
{
    int64_t from = max_i64(0, group->count - NEAR), kept = from;
    for (int64_t i = from; i < group->count; i++)
        if (!touch_covers(touch, &group->items[i].touch))
            set_entry(group, kept++, &group->items[i]);
    group->count = kept;
}

// Whether an operation is the last so far on one of the lanes.
static bool is_last(const HazardTable *table, int64_t operation, uint64_t lanes)
{
    for (int64_t lane = 0; lane < LANES_MOST; lane++)
        if (lanes >> lane & 1 && table->last[lane] == operation)
            return true;
    return false;
}

// A lane in common keeps operations in order whatever they touch; what the last one on it touches
// is a reason to wait as good as the lane.
static void ask_tier(HazardTable *table, const Touch *touch, uint64_t lanes, HazardList *hazards)
{
    GroupList *groups = &table->tiers[touch->tier];
    for (int64_t i = 0; i < groups->count; i++) {
        const Group *group = &groups->items[i];
        bool is_ordered = group->lanes & lanes && !is_reload(touch, group->is_write);
        if ((!touch->is_write && !group->is_write) || !group->count)
            continue;
        int64_t newest = group->items[group->count - 1].operation;
        if (!is_ordered)
            ask_group(table, group, touch, -1, hazards);
        else if (is_last(table, newest, group->lanes & lanes))
            ask_group(table, group, touch, newest, hazards);
    }
}

static Group *group_for(HazardTable *table, const Touch *touch, uint64_t lanes)
{
    GroupList *groups = &table->tiers[touch->tier];
    for (int64_t i = 0; i < groups->count; i++)
        if (groups->items[i].lanes == lanes && groups->items[i].is_write == touch->is_write)
            return &groups->items[i];
    Group *group = array_push(table->arena, groups, Group);
    group->lanes = lanes;
    group->is_write = touch->is_write;
    return group;
}

// A touch that was there takes the later operation, where all operations of the group end in order.
static bool renew(Group *group, const Touch *touch, int64_t number)
{
    int64_t from = max_i64(0, group->count - NEAR);
    for (int64_t i = group->count - 1; group->lanes && i >= from; i--) {
        if (!touch_is_same(&group->items[i].touch, touch))
            continue;
        for (int64_t k = i; k + 1 < group->count; k++)
            set_entry(group, k, &group->items[k + 1]);
        set_entry(group, group->count - 1, &(Entry){number, *touch});
        return true;
    }
    return false;
}

static void note(HazardTable *table, int64_t number, const Touch *touch, uint64_t lanes)
{
    GroupList *groups = &table->tiers[touch->tier];
    for (int64_t i = 0; touch->is_write && i < groups->count; i++)
        drop_covered(&groups->items[i], touch);
    Group *group = group_for(table, touch, lanes);
    if (!renew(group, touch, number))
        add_entry(table->arena, group, &(Entry){number, *touch});
}

void hazards_of(HazardTable *table, int64_t number, const HwOperation *operation, uint64_t lanes,
                HazardList *hazards)
{
    TouchList *touches = &table->touches;
    touches->count = 0;
    touches_of_operation(table->arena, table->machine, operation, touches);
    for (int64_t i = 0; i < touches->count; i++)
        ask_tier(table, &touches->items[i], lanes, hazards);
    for (int64_t i = 0; i < touches->count; i++)
        note(table, number, &touches->items[i], lanes);
    for (int64_t lane = 0; lane < LANES_MOST; lane++)
        if (lanes >> lane & 1)
            table->last[lane] = number;
}

int64_t hazard_looks(const HazardTable *table)
{
    return table->looks;
}

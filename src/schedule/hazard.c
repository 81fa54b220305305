#include "schedule/hazard.h"

#include "base/checked.h"
#include "schedule/lane.h"
#include "schedule/touch_index.h"

enum { BYTE_BITS = 8 };
enum { RANK_BITS = 24 }; // of a rank: which touch of an operation; above them, which operation
enum { MOST_WRITTEN_OVER = 16 }; // entries of one kind that are passed over for that

struct HazardTable {
    Arena *arena;
    const Machine *machine;
    TouchIndexList tiers[TOUCH_TIERS];
    TouchList touches;        // of the operation at hand
    int64_t last[LANES_MOST]; // operations that have each lane so far
    int64_t turn;             // operations so far
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
                      const Touch *later, MeetPiece piece)
{
    int64_t slice_bits = machine->dm_virtual_slice_stride_bytes * BYTE_BITS;
    bool is_sliced = later->tier != TIER_HBM && later->tier != TIER_HOST;
    int64_t from = (is_sliced ? piece.from % slice_bits : piece.from) / BYTE_BITS;
    int64_t bytes = ceil_div(piece.to, BYTE_BITS) - piece.from / BYTE_BITS;
    int64_t low = max_i64(later->low, earlier->low) / BYTE_BITS;
    int64_t high = max_i64(ceil_div(min_i64(later->high, earlier->high), BYTE_BITS), from + 1);
    return (Hazard){
        .operation = operation,
        .kind = kind_of(later->is_write, earlier->is_write),
        .tier = later->tier,
        .chip = max_i64(later->chip_from, earlier->chip_from),
        .cluster = is_sliced ? max_i64(later->cluster_from, earlier->cluster_from) : -1,
        .slice = is_sliced ? piece.from / slice_bits : -1,
        .from = from,
        .to = min_i64(from + bytes, high),
        .low = min_i64(low, from),
        .high = high,
    };
}

static void add_hazard(HazardTable *table, const TouchEntry *entry, const Touch *touch,
                       MeetPiece piece, HazardList *hazards)
{
    bool is_reloaded = is_reload(touch, entry->touch.is_write);
    Hazard *hazard = hazard_for(table, entry->operation, is_reloaded, hazards);
    if (hazard)
        *hazard = hazard_between(table->machine, entry->operation, &entry->touch, touch, piece);
}

// ---- who touched it last

// Indexes of one kind: reads or writes of operations with the same lanes.
static bool is_kind(const TouchIndex *index, uint64_t lanes, bool is_write)
{
    return index->lanes == lanes && index->is_write == is_write;
}

// The last entry of a kind that meets the touch.
static const TouchEntry *find_last(HazardTable *table, const TouchIndex *kind, IndexQuery *query,
                                   MeetPiece *piece)
{
    const TouchIndexList *tier = &table->tiers[query->touch->tier];
    const TouchEntry *last = NULL;
    IndexQuery own = *query;
    for (const TouchIndex *index = kind; index < tier->items + tier->count; index++) {
        MeetPiece found_piece;
        const TouchEntry *found = is_kind(index, kind->lanes, kind->is_write)
                                      ? index_find(index, &own, &found_piece)
                                      : NULL;
        if (!found)
            continue;
        last = found;
        own.above = found->rank;
        *piece = found_piece;
    }
    table->looks += own.looks;
    return last;
}

// Writes behind an entry that meet the touch, the last ones of each index; at most `most` of them.
static int64_t find_writes(HazardTable *table, const TouchEntry *entry, const Touch *touch,
                           const Touch **writes, int64_t most)
{
    const TouchIndexList *tier = &table->tiers[touch->tier];
    int64_t count = 0;
    for (int64_t i = 0; i < tier->count; i++) {
        IndexQuery query = {.touch = touch, .above = entry->rank, .below = INT64_MAX};
        const TouchEntry *found;
        MeetPiece piece;
        while (count < most && tier->items[i].is_write &&
               (found = index_find(&tier->items[i], &query, &piece))) {
            writes[count++] = &found->touch;
            query.below = found->rank;
        }
        table->looks += query.looks;
    }
    return count;
}

// Bytes that somebody wrote over since are a matter between that one and whoever touches them.
// *piece becomes one that nobody did; false: there is none, and it stays as it is.
static bool is_last_touch(HazardTable *table, const TouchEntry *entry, const Touch *touch,
                          MeetPiece *piece)
{
    const Touch *writes[MEET_MOST_OTHERS];
    MeetPiece left;
    Touch shared = touch_piece(table->machine, touch, *piece);
    if (!find_writes(table, entry, &shared, writes, 1))
        return true;
    int64_t count = find_writes(table, entry, touch, writes, COUNT_OF(writes));
    if (!touches_meet_outside(&entry->touch, touch, writes, count, &left))
        return false;
    *piece = left;
    return true;
}

// Of operations that end in their order, as those of one lane do, the last one that meets the touch
// says it all.
static void ask_kind(HazardTable *table, const TouchIndex *kind, const Touch *touch, int64_t above,
                     HazardList *hazards)
{
    IndexQuery query = {.touch = touch, .above = above, .below = INT64_MAX};
    const TouchEntry *entry;
    MeetPiece piece;
    int64_t passed = 0;
    while ((entry = find_last(table, kind, &query, &piece))) {
        query.below = entry->rank;
        if (!is_last_touch(table, entry, touch, &piece) && passed++ < MOST_WRITTEN_OVER)
            continue;
        add_hazard(table, entry, touch, piece, hazards);
        if (kind->lanes)
            return;
    }
}

// Whether an operation is the last so far on one of the lanes.
static bool is_last(const HazardTable *table, int64_t operation, uint64_t lanes)
{
    for (int64_t lane = 0; lane < LANES_MOST; lane++)
        if (lanes >> lane & 1 && table->last[lane] == operation)
            return true;
    return false;
}

// The first index of each kind stands for all of it.
static bool is_first_of_kind(const TouchIndexList *tier, const TouchIndex *index)
{
    for (const TouchIndex *other = tier->items; other < index; other++)
        if (is_kind(other, index->lanes, index->is_write))
            return false;
    return true;
}

static const TouchEntry *newest_of_kind(const TouchIndexList *tier, const TouchIndex *kind)
{
    const TouchEntry *newest = NULL;
    for (const TouchIndex *index = kind; index < tier->items + tier->count; index++) {
        if (!index->count || !is_kind(index, kind->lanes, kind->is_write))
            continue;
        const TouchEntry *last = &index->items[index->count - 1];
        if (!newest || last->rank > newest->rank)
            newest = last;
    }
    return newest;
}

// A lane in common keeps operations in order whatever they touch; what the last one on it touches
// is a reason to wait as good as the lane.
static void ask_tier(HazardTable *table, const Touch *touch, uint64_t lanes, HazardList *hazards)
{
    const TouchIndexList *tier = &table->tiers[touch->tier];
    for (int64_t i = 0; i < tier->count; i++) {
        const TouchIndex *kind = &tier->items[i];
        bool is_ordered = kind->lanes & lanes && !is_reload(touch, kind->is_write);
        if ((!touch->is_write && !kind->is_write) || !is_first_of_kind(tier, kind))
            continue;
        const TouchEntry *newest = newest_of_kind(tier, kind);
        if (!newest)
            continue;
        if (!is_ordered)
            ask_kind(table, kind, touch, -1, hazards);
        else if (is_last(table, newest->operation, kind->lanes & lanes))
            ask_kind(table, kind, touch, (newest->rank >> RANK_BITS << RANK_BITS) - 1, hazards);
    }
}

// Who touches what a write covers touches what was written, too: older entries are over. A touch
// that was there takes the later operation, where all operations of its kind end in order.
static void note(HazardTable *table, int64_t number, int64_t rank, const Touch *touch,
                 uint64_t lanes)
{
    TouchIndexList *tier = &table->tiers[touch->tier];
    for (int64_t i = 0; touch->is_write && i < tier->count; i++)
        index_drop_covered(&tier->items[i], touch);
    TouchIndex *index = index_for(table->arena, tier, touch, lanes);
    if (!lanes || !index_renew(index, number, rank, touch))
        index_add(table->arena, index, number, rank, touch);
}

void hazards_of(HazardTable *table, int64_t number, const HwOperation *operation, uint64_t lanes,
                HazardList *hazards)
{
    TouchList *touches = &table->touches;
    int64_t rank = table->turn++ << RANK_BITS;
    touches->count = 0;
    touches_of_operation(table->arena, table->machine, operation, touches);
    for (int64_t i = 0; i < touches->count; i++)
        ask_tier(table, &touches->items[i], lanes, hazards);
    for (int64_t i = 0; i < touches->count; i++)
        note(table, number, rank + i, &touches->items[i], lanes);
    for (int64_t lane = 0; lane < LANES_MOST; lane++)
        if (lanes >> lane & 1)
            table->last[lane] = number;
}

int64_t hazard_looks(const HazardTable *table)
{
    return table->looks;
}

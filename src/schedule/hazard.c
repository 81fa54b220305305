#include "schedule/hazard.h"

#include "base/checked.h"
#include "schedule/place.h"

#include <string.h>

// The last entries, which change, are looked at in blocks. Whenever there are NEAR more of them
// NEAR become a tree, together with all trees in front that are not larger: each entry is put into
// a tree as often as a tree can double, so that all of it takes little more than linear time.

enum { BLOCK = 8 };      // entries of a leaf
enum { NEAR = 64 };      // last entries that may change; a power of two, and whole blocks
enum { MOST_KINDS = 8 }; // of strides that touches with the same lanes are told apart by

// ---- boxes

// Of the loops from the outermost on, strides that have a common divisor: what is left inside lies
// in a piece of it. Those that leave more than they divide say nothing.
static void find_moduli(const Touch *touch, int64_t moduli[INDEX_MODULI])
{
    int64_t common = 0, left = touch->extent, found = 0;
    for (int64_t i = 0; i < touch->loop_count; i++) {
        const MeetLoop *loop = &touch->loops[i];
        common = gcd_i64(common, loop->stride);
        left -= (loop->size - 1) * loop->stride;
        bool is_new = !found || moduli[found - 1] != common;
        if (left < common && is_new && found < INDEX_MODULI)
            moduli[found++] = common;
    }
}

static void find_side(const Touch *touch, int64_t modulus, int64_t *low, int64_t *high)
{
    int64_t length = touch->run;
    for (int64_t i = 0; i < touch->loop_count; i++)
        if (touch->loops[i].stride % modulus)
            length += (touch->loops[i].size - 1) * touch->loops[i].stride;
    int64_t first = (touch->base % modulus + modulus) % modulus;
    *low = length < modulus ? first : 0;
    *high = length < modulus ? first + length : modulus;
}

static TouchBox box_of(const TouchIndex *index, const Touch *touch)
{
    TouchBox box = {
        .low = {[SIDE_ADDRESS] = touch->low,
                [SIDE_CHIP] = touch->chip_from,
                [SIDE_CLUSTER] = touch->cluster_from,
                [SIDE_TENSOR] = touch->tensor},
        .high = {[SIDE_ADDRESS] = touch->high,
                 [SIDE_CHIP] = touch->chip_to,
                 [SIDE_CLUSTER] = touch->cluster_to,
                 [SIDE_TENSOR] = touch->tensor + 1},
    };
    for (int i = 0; i < INDEX_MODULI; i++)
        if (index->moduli[i])
            find_side(touch, index->moduli[i], &box.low[SIDE_MODULI + i],
                      &box.high[SIDE_MODULI + i]);
    return box;
}

static bool sides_meet(const TouchBox *a, const TouchBox *b, int side, int64_t ahead)
{
    return a->low[side] < b->high[side] + ahead && b->low[side] + ahead < a->high[side];
}

// Modulo a stride, ends are behind begins: pieces may go on at 0.
static bool boxes_meet(const TouchIndex *index, const TouchBox *a, const TouchBox *b)
{
    for (int side = 0; side < SIDE_MODULI; side++)
        if (!sides_meet(a, b, side, 0))
            return false;
    for (int i = 0; i < INDEX_MODULI; i++) {
        int64_t modulus = index->moduli[i];
        int side = SIDE_MODULI + i;
        if (modulus && !sides_meet(a, b, side, 0) && !sides_meet(a, b, side, modulus) &&
            !sides_meet(a, b, side, -modulus))
            return false;
    }
    return true;
}

static IndexNode node_of(const TouchEntry *entry)
{
    return (IndexNode){entry->rank, entry->box};
}

static void widen(IndexNode *node, const IndexNode *more)
{
    node->highest = max_i64(node->highest, more->highest);
    for (int side = 0; side < BOX_SIDES; side++) {
        node->box.low[side] = min_i64(node->box.low[side], more->box.low[side]);
        node->box.high[side] = max_i64(node->box.high[side], more->box.high[side]);
    }
}

// ---- trees

// The side on which entries lie apart most: so many of them would lie beside each other.
static int side_to_split(const TouchIndex *index, const int64_t *order, int64_t count,
                         const TouchBox *box)
{
    double best = 0;
    int split = SIDE_ADDRESS;
    for (int side = 0; side < BOX_SIDES; side++) {
        double sum = 1;
        for (int64_t i = 0; i < count; i++) {
            const TouchBox *one = &index->items[order[i]].box;
            sum += (double)(one->high[side] - one->low[side]);
        }
        double apart = (double)(box->high[side] - box->low[side]) / sum;
        if (apart > best) {
            best = apart;
            split = side;
        }
    }
    return split;
}

static int64_t key_of(const TouchIndex *index, int64_t number, int side)
{
    return index->items[number].box.low[side];
}

static void swap(int64_t *a, int64_t *b)
{
    int64_t first = *a;
    *a = *b;
    *b = first;
}

// The smaller half first. Equal keys are swapped, too, so that many of them do no harm.
static void split_in_half(const TouchIndex *index, int64_t *order, int64_t count, int side)
{
    int64_t low = 0, high = count - 1, middle = count / 2;
    while (low < high) {
        int64_t pivot = key_of(index, order[low + (high - low) / 2], side), i = low, k = high;
        while (i <= k) {
            while (key_of(index, order[i], side) < pivot)
                i++;
            while (key_of(index, order[k], side) > pivot)
                k--;
            if (i <= k)
                swap(&order[i++], &order[k--]);
        }
        if (middle <= k)
            high = k;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static void make_node(const TouchIndex *index, const IndexTree *tree, int64_t node, int64_t *order,
                      int64_t count)
{
    IndexNode *made = &tree->nodes[node];
    *made = node_of(&index->items[order[0]]);
    for (int64_t i = 1; i < count; i++) {
        IndexNode one = node_of(&index->items[order[i]]);
        widen(made, &one);
    }
    if (count <= BLOCK)
        return;
    int64_t half = count / 2;
    split_in_half(index, order, count, side_to_split(index, order, count, &made->box));
    make_node(index, tree, 2 * node + 1, order, half);
    make_node(index, tree, 2 * node + 2, order + half, count - half);
}

static int64_t treed(const TouchIndex *index)
{
    const IndexTrees *trees = &index->trees;
    const IndexTree *last = trees->count ? &trees->items[trees->count - 1] : NULL;
    return last ? last->from + last->count : 0;
}

// NEAR entries become a tree, with the trees in front that are not larger.
static void plant(Arena *arena, TouchIndex *index)
{
    int64_t from = treed(index), end = from + NEAR;
    IndexTrees *trees = &index->trees;
    while (trees->count && trees->items[trees->count - 1].count <= end - from)
        from = trees->items[--trees->count].from;
    IndexTree *tree = array_push(arena, trees, IndexTree);
    *tree = (IndexTree){.from = from, .count = end - from};
    tree->order = arena_new(arena, int64_t, tree->count);
    tree->nodes = arena_new(arena, IndexNode, tree->count / BLOCK * 2);
    for (int64_t i = 0; i < tree->count; i++)
        tree->order[i] = from + i;
    make_node(index, tree, 0, tree->order, tree->count);
}

// ---- entries

static void set_entry(TouchIndex *index, int64_t at, const TouchEntry *entry)
{
    IndexNode one = node_of(entry);
    widen(&index->blocks.items[at / BLOCK], &one);
    index->items[at] = *entry;
}

void index_add(Arena *arena, TouchIndex *index, int64_t operation, int64_t rank, const Touch *touch)
{
    TouchEntry entry = {operation, rank, *touch, box_of(index, touch)};
    int64_t at = index->count;
    array_push(arena, index, TouchEntry);
    if (at / BLOCK >= index->blocks.count)
        array_push(arena, &index->blocks, IndexNode);
    if (at % BLOCK == 0)
        index->blocks.items[at / BLOCK] = node_of(&entry);
    set_entry(index, at, &entry);
    if (index->count - treed(index) >= 2 * NEAR)
        plant(arena, index);
}

static int64_t first_near(const TouchIndex *index)
{
    return max_i64(treed(index), index->count - NEAR);
}

// Of the last entries: drops those that the touch covers.
static void index_drop_covered(TouchIndex *index, const Touch *touch)
{
    int64_t from = first_near(index), kept = from;
    for (int64_t i = from; i < index->count; i++)
        if (!touch_covers(touch, &index->items[i].touch))
            set_entry(index, kept++, &index->items[i]);
    index->count = kept;
}

// Of the last entries: one of the same places becomes the last, with a new operation and rank.
// False: there is none.
static bool index_renew(TouchIndex *index, int64_t operation, int64_t rank, const Touch *touch)
{
    for (int64_t i = index->count - 1; i >= first_near(index); i--) {
        if (!touch_is_same(&index->items[i].touch, touch))
            continue;
        TouchEntry entry = index->items[i];
        for (int64_t k = i; k + 1 < index->count; k++)
            set_entry(index, k, &index->items[k + 1]);
        entry.operation = operation;
        entry.rank = rank;
        set_entry(index, index->count - 1, &entry);
        return true;
    }
    return false;
}

static bool is_same_kind(const TouchIndex *index, const Touch *touch, uint64_t lanes)
{
    return index->lanes == lanes && index->is_write == touch->is_write;
}

TouchIndex *index_for(Arena *arena, TouchIndexList *list, const Touch *touch, uint64_t lanes)
{
    int64_t moduli[INDEX_MODULI] = {0}, kinds = 0;
    find_moduli(touch, moduli);
    for (int64_t i = 0; i < list->count; i++) {
        TouchIndex *index = &list->items[i];
        if (!is_same_kind(index, touch, lanes))
            continue;
        if (memcmp(index->moduli, moduli, sizeof moduli) == 0 || ++kinds == MOST_KINDS)
            return index;
    }
    TouchIndex *index = array_push(arena, list, TouchIndex);
    index->lanes = lanes;
    index->is_write = touch->is_write;
    memcpy(index->moduli, moduli, sizeof moduli);
    return index;
}

// ---- finding them

typedef struct {
    const TouchIndex *index;
    IndexQuery *query;
    TouchBox box; // of the query
    const TouchEntry *best;
    MeetPiece piece;
} Find;

static bool is_worth(Find *find, const IndexNode *node)
{
    int64_t above = find->best ? find->best->rank : find->query->above;
    find->query->looks++;
    return node->highest > above && boxes_meet(find->index, &find->box, &node->box);
}

static void try_entry(Find *find, const TouchEntry *entry)
{
    IndexNode node = node_of(entry);
    MeetPiece piece;
    if (entry->rank < find->query->below && is_worth(find, &node) &&
        touches_meet(&entry->touch, find->query->touch, &piece)) {
        find->best = entry;
        find->piece = piece;
    }
}

static void find_in_node(Find *find, const IndexTree *tree, int64_t node, const int64_t *order,
                         int64_t count)
{
    if (!is_worth(find, &tree->nodes[node]))
        return;
    for (int64_t i = 0; i < count && count <= BLOCK; i++)
        try_entry(find, &find->index->items[order[i]]);
    if (count <= BLOCK)
        return;
    int64_t half = count / 2, left = 2 * node + 1;
    bool is_left_first = tree->nodes[left].highest > tree->nodes[left + 1].highest;
    if (is_left_first)
        find_in_node(find, tree, left, order, half);
    find_in_node(find, tree, left + 1, order + half, count - half);
    if (!is_left_first)
        find_in_node(find, tree, left, order, half);
}

static void find_in_blocks(Find *find)
{
    const TouchIndex *index = find->index;
    int64_t from = treed(index), end = index->count;
    while (end > from) {
        int64_t first = max_i64(from, (end - 1) / BLOCK * BLOCK);
        if (is_worth(find, &index->blocks.items[first / BLOCK]))
            for (int64_t i = end - 1; i >= first; i--)
                try_entry(find, &index->items[i]);
        end = first;
    }
}

const TouchEntry *index_find(const TouchIndex *index, IndexQuery *query, MeetPiece *piece)
{
    Find find = {.index = index, .query = query, .box = box_of(index, query->touch)};
    find_in_blocks(&find);
    for (int64_t i = index->trees.count - 1; i >= 0; i--) {
        const IndexTree *tree = &index->trees.items[i];
        find_in_node(&find, tree, 0, tree->order, tree->count);
    }
    *piece = find.piece;
    return find.best;
}

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

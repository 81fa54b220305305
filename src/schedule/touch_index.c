// The last entries, which change, are looked at in blocks. Whenever there are NEAR more of them
// NEAR become a tree, together with all trees in front that are not larger: each entry is put into
// a tree as often as a tree can double, so that all of it takes little more than linear time.
#include "schedule/touch_index.h"

#include "base/checked.h"

#include <string.h>

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
    tree->order = arena_new(arena, int64_t, (size_t)tree->count);
    tree->nodes = arena_new(arena, IndexNode, (size_t)(tree->count / BLOCK * 2));
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

void index_drop_covered(TouchIndex *index, const Touch *touch)
{
    int64_t from = first_near(index), kept = from;
    for (int64_t i = from; i < index->count; i++)
        if (!touch_covers(touch, &index->items[i].touch))
            set_entry(index, kept++, &index->items[i]);
    index->count = kept;
}

bool index_renew(TouchIndex *index, int64_t operation, int64_t rank, const Touch *touch)
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

// Only operations that stand in front of one with a smaller number, or behind one with a larger,
// can be wrong. Their touches are in trees by address, one a memory for reads and one for writes;
// each operation asks, in the order of the sequence, for touches of larger numbers that were there
// before it.
#include "schedule/crossing.h"

#include "base/checked.h"

#include <stdlib.h>

// A touch; and the half open range of neighbours whose middle it is, as one node of a tree.
typedef struct {
    Touch touch;
    int64_t operation;
    int64_t next; // of the same operation; -1: none
    bool is_passed;
    int64_t high;    // that anything in the range reaches
    int64_t largest; // number of an operation in the range that was passed; -1: none
} Node;

typedef struct {
    ARRAY(Node);
} NodeList;

typedef struct {
    int64_t from, to; // nodes
} Range;

typedef struct {
    NodeList nodes;
    Range trees[TOUCH_TIERS][2]; // reads, writes
    int64_t *firsts;            // nodes, by operation; -1: none
    int64_t *looks;
} Crossings;

static int64_t middle(Range range)
{
    return range.from + (range.to - range.from) / 2;
}

static Range left_of(Range range)
{
    return (Range){range.from, middle(range)};
}

static Range right_of(Range range)
{
    return (Range){middle(range) + 1, range.to};
}

// ---- trees

// What the range reaches.
static int64_t find_high(Node *nodes, Range range)
{
    if (range.from == range.to)
        return INT64_MIN;
    Node *node = &nodes[middle(range)];
    int64_t beside = max_i64(find_high(nodes, left_of(range)), find_high(nodes, right_of(range)));
    node->largest = -1;
    node->high = max_i64(node->touch.high, beside);
    return node->high;
}

static void pass_node(Node *nodes, Range range, int64_t at)
{
    nodes[at].is_passed = true;
    while (range.from < range.to) {
        Node *node = &nodes[middle(range)];
        node->largest = max_i64(node->largest, nodes[at].operation);
        if (middle(range) == at)
            return;
        range = at < middle(range) ? left_of(range) : right_of(range);
    }
}

// A node that was passed, has a larger number than `mine` and touches what it does; NULL: none.
static const Node *meet_node(const Crossings *crossings, Range range, const Node *mine, int64_t *at)
{
    if (range.from == range.to)
        return NULL;
    const Node *node = &crossings->nodes.items[middle(range)];
    ++*crossings->looks;
    if (node->largest <= mine->operation || node->high <= mine->touch.low)
        return NULL;
    const Node *found = meet_node(crossings, left_of(range), mine, at);
    if (found || node->touch.low >= mine->touch.high)
        return found;
    if (node->is_passed && node->operation > mine->operation &&
        touches_meet(&node->touch, &mine->touch, at))
        return node;
    return meet_node(crossings, right_of(range), mine, at);
}

static int compare_nodes(const void *a, const void *b)
{
    const Node *x = a, *y = b;
    if (x->touch.tier != y->touch.tier)
        return x->touch.tier < y->touch.tier ? -1 : 1;
    if (x->touch.is_write != y->touch.is_write)
        return x->touch.is_write ? 1 : -1;
    if (x->touch.low != y->touch.low)
        return x->touch.low < y->touch.low ? -1 : 1;
    return (x->operation > y->operation) - (x->operation < y->operation);
}

static void make_trees(Crossings *crossings)
{
    NodeList *nodes = &crossings->nodes;
    if (nodes->count)
        qsort(nodes->items, (size_t)nodes->count, sizeof *nodes->items, compare_nodes);
    for (int64_t i = 0; i < nodes->count; i++) {
        const Touch *touch = &nodes->items[i].touch;
        Range *tree = &crossings->trees[touch->tier][touch->is_write];
        if (!tree->to)
            tree->from = i;
        tree->to = i + 1;
    }
    for (int tier = 0; tier < TOUCH_TIERS; tier++)
        for (int is_write = 0; is_write < 2; is_write++)
            find_high(nodes->items, crossings->trees[tier][is_write]);
}

// ---- operations

// Stands behind one with a larger number, or in front of one with a smaller.
static bool *find_moved(Arena *arena, const int64_t *sequence, int64_t count)
{
    bool *is_moved = arena_new(arena, bool, (size_t)count + 1);
    int64_t largest = -1, smallest = count;
    for (int64_t i = 0; i < count; i++) {
        is_moved[sequence[i]] = largest > sequence[i];
        largest = max_i64(largest, sequence[i]);
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        is_moved[sequence[i]] |= smallest < sequence[i];
        smallest = min_i64(smallest, sequence[i]);
    }
    return is_moved;
}

static void add_nodes(Arena *arena, const Machine *machine, const HwObject *object,
                      const bool *is_moved, Crossings *crossings)
{
    TouchList touches = {0};
    for (int64_t i = 0; i < object->operations.count; i++) {
        touches.count = 0;
        if (is_moved[i])
            touches_of_operation(arena, machine, &object->operations.items[i], &touches);
        for (int64_t k = 0; k < touches.count; k++)
            *array_push(arena, &crossings->nodes, Node) =
                (Node){.touch = touches.items[k], .operation = i};
    }
}

static void link_nodes(Arena *arena, int64_t count, Crossings *crossings)
{
    NodeList *nodes = &crossings->nodes;
    crossings->firsts = arena_new(arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        crossings->firsts[i] = -1;
    for (int64_t i = nodes->count - 1; i >= 0; i--) {
        int64_t *first = &crossings->firsts[nodes->items[i].operation];
        nodes->items[i].next = *first;
        *first = i;
    }
}

static bool ask(const Crossings *crossings, const Machine *machine, int64_t number, int64_t *later,
                Hazard *hazard)
{
    const Node *nodes = crossings->nodes.items;
    for (int64_t i = crossings->firsts[number]; i >= 0; i = nodes[i].next) {
        const Node *mine = &nodes[i], *other = NULL;
        const Range *trees = crossings->trees[mine->touch.tier];
        int64_t at;
        for (int is_write = !mine->touch.is_write; is_write < 2 && !other; is_write++)
            other = meet_node(crossings, trees[is_write], mine, &at);
        if (other) {
            *hazard = hazard_between(machine, number, &mine->touch, &other->touch, at);
            *later = other->operation;
            return true;
        }
    }
    return false;
}

bool find_crossing(Arena *arena, const Machine *machine, const HwObject *object,
                   const int64_t *sequence, int64_t *later, Hazard *hazard, int64_t *looks)
{
    ArenaMark mark = arena_mark(arena);
    Crossings crossings = {.looks = looks};
    int64_t count = object->operations.count;
    bool found = false;
    add_nodes(arena, machine, object, find_moved(arena, sequence, count), &crossings);
    make_trees(&crossings);
    link_nodes(arena, count, &crossings);
    Node *nodes = crossings.nodes.items;
    for (int64_t i = 0; i < count && !found; i++) {
        found = ask(&crossings, machine, sequence[i], later, hazard);
        for (int64_t k = crossings.firsts[sequence[i]]; k >= 0; k = nodes[k].next)
            pass_node(nodes, crossings.trees[nodes[k].touch.tier][nodes[k].touch.is_write], k);
    }
    arena_reset(arena, mark);
    return found;
}

#include "engine/memory/intervals.h"

#include "base/checked.h"

struct IntervalNode {
    Interval interval;
    uint64_t priority; // larger than those of its children
    IntervalNode *left, *right;
};

static IntervalNode *new_node(IntervalNodes *nodes, Interval interval)
{
    IntervalNode *node = nodes->spare ? nodes->spare : arena_new(nodes->arena, IntervalNode, 1);
    uint64_t z = nodes->random += 0x9E3779B97F4A7C15U; // splitmix64
    nodes->spare = node->left;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    *node = (IntervalNode){.interval = interval, .priority = z ^ (z >> 31)};
    return node;
}

// Those that are spare are a list by their left.
static void give_back(IntervalNodes *nodes, IntervalNode *node)
{
    while (node) {
        IntervalNode *left = node->left;
        give_back(nodes, node->right);
        node->left = nodes->spare;
        nodes->spare = node;
        node = left;
    }
}

// Everything in `left` lies before everything in `right`.
static IntervalNode *join(IntervalNode *left, IntervalNode *right)
{
    if (!left || !right)
        return left ? left : right;
    if (left->priority > right->priority) {
        left->right = join(left->right, right);
        return left;
    }
    right->left = join(left, right->left);
    return right;
}

// What lies before `at` and what lies from it on. An interval across it is cut in two.
static void split(IntervalNodes *nodes, IntervalNode *node, int64_t at, IntervalNode **left,
                  IntervalNode **right)
{
    if (!node) {
        *left = *right = NULL;
        return;
    }
    Interval *interval = &node->interval;
    if (interval->high <= at) {
        split(nodes, node->right, at, &node->right, right);
        *left = node;
    } else if (interval->low >= at) {
        split(nodes, node->left, at, left, &node->left);
        *right = node;
    } else {
        IntervalNode *rest = new_node(nodes, (Interval){at, interval->high, interval->value});
        interval->high = at;
        *right = join(rest, node->right);
        node->right = NULL;
        *left = node;
    }
}

static void replace(Intervals *intervals, int64_t low, int64_t high, IntervalNode *by)
{
    IntervalNode *before, *rest, *inside, *after;
    split(intervals->nodes, intervals->root, low, &before, &rest);
    split(intervals->nodes, rest, high, &inside, &after);
    give_back(intervals->nodes, inside);
    intervals->root = join(join(before, by), after);
}

void intervals_set(Intervals *intervals, Interval interval)
{
    replace(intervals, interval.low, interval.high, new_node(intervals->nodes, interval));
}

void intervals_clear(Intervals *intervals, int64_t low, int64_t high)
{
    if (intervals->root)
        replace(intervals, low, high, NULL);
}

void intervals_clear_all(Intervals *intervals)
{
    give_back(intervals->nodes, intervals->root);
    intervals->root = NULL;
}

static void each(const IntervalNode *node, int64_t low, int64_t high,
                 void (*visit)(void *context, const Interval *interval), void *context)
{
    if (!node)
        return;
    const Interval *interval = &node->interval;
    if (low < interval->low)
        each(node->left, low, high, visit, context);
    if (interval->low < high && low < interval->high) {
        Interval part = {max_i64(low, interval->low), min_i64(high, interval->high),
                         interval->value};
        visit(context, &part);
    }
    if (interval->high < high)
        each(node->right, low, high, visit, context);
}

void intervals_each(const Intervals *intervals, int64_t low, int64_t high,
                    void (*visit)(void *context, const Interval *interval), void *context)
{
    each(intervals->root, low, high, visit, context);
}

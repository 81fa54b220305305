// Ranges of bytes, each with a value: a new range takes its bytes from those that had them.
//
// A treap: n operations take n log n steps, whatever the ranges are.
#ifndef CONTRA_ENGINE_MEMORY_INTERVALS_H
#define CONTRA_ENGINE_MEMORY_INTERVALS_H

#include "base/arena.h"

#include <stdint.h>

// Bytes low .. high - 1.
typedef struct {
    int64_t low, high;
    int64_t value;
} Interval;

typedef struct IntervalNode IntervalNode;

// What intervals are made of, for any number of them: what some need no more, others take.
// {.arena = a} has none yet.
typedef struct {
    Arena *arena;
    IntervalNode *spare;
    uint64_t random;
} IntervalNodes;

// {.nodes = n} is empty.
typedef struct {
    IntervalNodes *nodes;
    IntervalNode *root;
} Intervals;

// Requires: low < high.
void intervals_set(Intervals *intervals, Interval interval);
void intervals_clear(Intervals *intervals, int64_t low, int64_t high);
void intervals_clear_all(Intervals *intervals);

// Calls `visit` for what overlaps low .. high - 1, cut to it, in ascending order. `visit` must not
// change these intervals.
void intervals_each(const Intervals *intervals, int64_t low, int64_t high,
                    void (*visit)(void *context, const Interval *interval), void *context);

#endif

// The places that a command touches, worked out of its records: which bytes of a memory hold data
// that it reads, which it writes. A list of runs, made once.
#ifndef CONTRA_DEVICE_WALK_H
#define CONTRA_DEVICE_WALK_H

#include "device/data.h"
#include "device/nest.h"

// ---- loops

typedef struct {
    int64_t size, stride;
    const int64_t *offsets; // instead of the stride; NULL: none
} WalkLoop;

// Nested loops, outermost first.
typedef struct {
    WalkLoop loops[NEST_MOST_LOOPS];
    int64_t count;
} WalkNest;

typedef enum { WALK_ALL, WALK_BETWEEN, WALK_PACKET } WalkChoice;

// Adds the loops, or those of them that are, or are not, of the packet.
void walk_add(WalkNest *nest, const HwLoop *loops, int64_t count, WalkChoice choice);
int64_t walk_size(const WalkNest *nest); // iterations; INT64_MAX: that many, or more
// Leaves out loops that stay where they are: the same places, each once for those loops.
void walk_once(WalkNest *nest);
// Joins neighbouring loops that go on where the other ends.
void walk_join(WalkNest *nest);
int64_t walk_offset(const WalkNest *nest, int64_t number);

// `count` elements from `element` on.
typedef void WalkRun(void *own, int64_t element, int64_t count);

// Iterations from `from` to `to` - 1, in runs that lie one behind the other.
void walk_run(const WalkNest *nest, int64_t from, int64_t to, WalkRun *run, void *own);

// ---- data

// Positions first + from .. first + to - 1 are data.
typedef void DataRun(void *own, int64_t from, int64_t to);

typedef enum { DATA_NONE, DATA_SOME, DATA_ALL } DataShare;

// How many of `count` positions from `first` on are data; DATA_SOME where that is not sure.
DataShare data_share(const DataTest *test, int64_t first, int64_t count);
// Whether `count` positions from `first` on and as many from `other` on are data alike, one by one;
// false where that is not sure.
bool data_alike(const DataTest *test, int64_t first, int64_t other, int64_t count);
// All runs of data among them, in order.
void data_runs(const DataTest *test, int64_t first, int64_t count, DataRun *run, void *own);

// ---- runs

typedef struct {
    int64_t low, high; // bytes, or slots of TRF
    uint8_t mark;      // as it was painted
} Run;

typedef struct {
    Run *items;
    int64_t count;
    int64_t outside, outside_count; // the first that the memory does not have, and how many
} RunList;

// A map of a memory in which runs are painted, in any order and several times over.
typedef struct {
    uint8_t *map;
    int64_t size;
    int64_t low, high; // all that is painted lies in between
    int64_t outside, outside_count;
} Painter;

bool painter_new(Painter *painter, int64_t size); // false: no memory
void painter_free(Painter *painter);
void painter_paint(Painter *painter, int64_t from, int64_t to, uint8_t mark);
// The runs of equal marks; the map is empty behind it. False: no memory.
bool painter_take(Painter *painter, RunList *runs);

#endif

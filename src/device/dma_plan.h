// What is worked out of the descriptors of a DMA command once. Addresses are flat (dma_reach.h).
//
// A descriptor whose packets go to places of their own is moved in tiles: its loops may be taken in
// any order. Others are moved row by row, as they stand: gathers, scatters, and what overlaps.
// Descriptors that write what others read or write are executed one after the other.
#ifndef CONTRA_DEVICE_DMA_PLAN_H
#define CONTRA_DEVICE_DMA_PLAN_H

#include "device/internal.h"
#include "device/nest.h"

enum { DMA_MOST_STEPS = NEST_MOST_LOOPS + 2 };

// A loop.
typedef struct {
    int64_t limit;
    int64_t source, dest, index; // strides
} DmaStep;

// Outermost first.
typedef struct {
    DmaStep *items;
    int64_t count;
} DmaSteps;

// Bytes of one side, in runs: each is walked over once, in whatever order.
typedef struct {
    DmaSteps steps; // from run to run
    int64_t base, run;
} DmaSpans;

typedef enum {
    DMA_TILES,
    DMA_ROWS,
    DMA_HALVES, // the same in units of 4 bits
} DmaWay;

// Parts of the work: spans to look at, to mark and to clear; and what moves bytes.
typedef enum { DMA_READ, DMA_MARK, DMA_CLEAR, DMA_MOVE, DMA_SPANS = DMA_MOVE } DmaWork;

typedef struct {
    DmaWay way;
    const HwDescriptor *descriptor;
    int64_t source, dest, index; // the first addresses
    int64_t scale;               // of an indirect one: from row to row
    bool writes_index;           // it may: each entry is read when its row is moved
    // Rows: all loops in their order. Tiles: loops over tiles, of which the last two count blocks
    // of columns and of rows.
    DmaSteps steps;
    int64_t units; // iterations of all of them
    int64_t packet, padding;
    // Tiles: the loops inside, and how many iterations of them are a block.
    DmaStep rows, cols;
    int64_t row_block, col_block, element;
    // What must have a value for all of it to have one; what gets one; what has none afterwards.
    DmaSpans spans[DMA_SPANS];
    DmaSpans used; // roughly what it writes, each run in one slice or over whole slices
} DmaMove;

// A part of the work: units or runs [from, to).
typedef struct {
    int64_t move, from, to;
    DmaWork work;
} DmaJob;

typedef struct {
    DmaJob *items;
    int64_t count, capacity;
} DmaJobs;

typedef struct {
    DmaJobs reads;    // before all others
    DmaJobs moving;   // bytes and marks, in any order, by any thread
    DmaJobs in_order; // one after the other, behind those
    DmaJobs clears;   // at last
} DmaPhase;

struct DmaPlan {
    DmaMove *moves; // one a descriptor
    int64_t move_count;
    DmaStep *pool; // all steps
    int64_t pool_used;
    DmaPhase jobs;   // each list by move
    bool is_ordered; // the jobs of a move are done before those of the next begin
    bool is_small;   // not worth a second thread
};

// Runs of spans are looked at in blocks of this many bytes.
enum { DMA_SPAN_BLOCK = 1 << 20 };

// Iteration after iteration.
typedef struct {
    const DmaSteps *steps;
    int64_t index[DMA_MOST_STEPS];
    int64_t source, dest, entry; // from the first addresses on
} DmaWalk;

void dma_walk_next(DmaWalk *walk); // behind the last one comes the first

#endif

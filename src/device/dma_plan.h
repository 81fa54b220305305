// The plan for the descriptors of a DMA command, made once. Addresses are flat, so that every
// stride is one number: HBM and the host have their own, and DM is numbered slice after slice, as
// the memories of a chip lie.
//
// A descriptor whose packets all go to different places is moved in tiles, since its loops may run
// in any order. Gathers, scatters and overlapping packets are moved row by row, in program order.
// Descriptors that write what others read or write are executed one after the other.
#ifndef CONTRA_DEVICE_DMA_PLAN_H
#define CONTRA_DEVICE_DMA_PLAN_H

#include "command/nest.h"
#include "device/internal.h"

// Whole slices of a stride, where a slice is `whole` addresses: the nearest number of them. What is
// left is a step inside the slices.
static inline int64_t nearest_slices(int64_t stride, int64_t whole)
{
    int64_t rest = stride % whole;
    return stride / whole + (rest > whole / 2 ? 1 : rest < -whole / 2 ? -1 : 0);
}

// The bytes between which all of a side lies.
ByteRange dma_side_range(const Machine *machine, const HwDescriptor *descriptor, HwSide side);

typedef enum { DMA_APART, DMA_MEETING, DMA_NO_MEMORY } DmaMeeting;

// Whether one descriptor of the command writes what another one reads or writes. If that is not
// sure, they do.
DmaMeeting dma_descriptors_meet(const Machine *machine, const HwDmaCommand *command);

// ---- plans

// Outermost first; strides by HwSide.
typedef struct {
    NestLoop *items;
    int64_t count;
} DmaSteps;

// Bytes of one side, in runs: each is walked over once, in whatever order.
typedef struct {
    DmaSteps steps; // from run to run, on side 0
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
    int64_t base[SIDE_COUNT]; // the first addresses
    int64_t scale;            // of an indirect one: from row to row
    bool writes_index;        // it may: each entry is read when its row is moved
    // Rows: all loops in their order. Tiles: loops over tiles, of which the last two count blocks
    // of columns and of rows.
    DmaSteps steps;
    int64_t units; // iterations of all of them
    int64_t packet, padding;
    // Tiles: the loops inside, and how many iterations of them are a block.
    NestLoop rows, cols;
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
    ARRAY(DmaJob);
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
    NestLoop *pool; // all steps
    int64_t pool_used;
    DmaPhase jobs;   // each list by move
    bool is_ordered; // the jobs of a move are done before those of the next begin
    bool is_small;   // not worth a second thread
};

// Runs of spans are looked at in blocks of this many bytes.
enum { DMA_SPAN_BLOCK = 1 << 20 };

int64_t dma_steps_size(const DmaSteps *steps); // iterations

#endif

// A move in rectangular parts, on the way from its loop nest to descriptors.
#ifndef CONTRA_ENGINE_DMA_PART_H
#define CONTRA_ENGINE_DMA_PART_H

#include "engine/dma/dma.h"
#include "engine/lower/lower.h"

// A loop between packets. Sides are DMA_SOURCE and DMA_TARGET.
typedef struct {
    int64_t size;
    int64_t strides[2]; // units of addresses in one memory; in DM a slice is a stride like any
    int64_t slices[2];  // of these, how many slices; 0: none
    int64_t index;      // bytes of the index tensor
    Mapping mapping;    // what it walks
} PartLoop;

typedef struct {
    ARRAY(PartLoop);
} PartLoops;

// Where something lies.
typedef struct {
    int64_t chip, cluster;
    int64_t slice;   // in the cluster; 0 outside DM
    int64_t address; // units of the memory, without the slice
} PartPlace;

// Runs of neighbours, evenly spaced on both sides.
typedef struct {
    PartPlace at[2];  // of the first run
    int64_t index;    // of the first entry of the index tensor, in bytes
    PartLoops loops;  // outermost first, none of one iteration
    int64_t run;      // units of a run
    int64_t padding;  // bits at the end of it that are padding of the target
    Mapping run_term; // what a run walks
} Part;

typedef struct {
    ARRAY(Part);
} Parts;

// One side of a move.
typedef struct {
    const Tensor *tensor;
    int64_t offsets[LEVEL_COUNT]; // positions before the first
} PartSide;

// The nest of a move, and what was asked for besides.
typedef struct {
    const Lower *lower;
    const Op *op;
    DmaNest nest;
    PartSide sides[2];
    const View *index;   // gather, scatter
    int64_t index_bytes; // address of its first entry
    int64_t unit_bits;   // of an address: 8, or 4
    int64_t align;       // units that packets are multiples of
    bool too_large;      // an address left 63 bits
} Transfer;

// Parts and pieces of one move. More take too long for anybody: nothing is moved then.
enum { DMA_MOST_PIECES = 1 << 17 };

// ---- parts (part.c)

// The parts of a transfer, each in one chip and cluster on either side. Depends on the loops, the
// bounds and the units of the hardware, not on sizes. Stops at DMA_MOST_PIECES.
void dma_parts(Transfer *transfer, Parts *parts);

// ---- pieces that an engine takes

// A part, packets and loops as a sequencer takes them, and the engine that does it.
typedef struct {
    Part part;
    int64_t packet; // units
    int64_t chip, cluster, engine;
} Job;

typedef struct {
    ARRAY(Job);
} Jobs;

// Cuts the parts into packets, spreads them over the engines and keeps to the limits of a
// sequencer. Stops at DMA_MOST_PIECES.
void dma_split(const Transfer *transfer, const Parts *parts, Jobs *jobs);

// ---- gather and scatter (indirect.c)

// The rows that an index chooses among.
typedef struct {
    Term axis;      // along which they are counted
    int64_t rows;   // how many there are
    int64_t stride; // from one to the next, in elements
    int64_t unit; // what an entry counts a row: bytes of it, where entries are scaled; otherwise 1
} DmaRows;

// The rows of the table of a gather, and Element of one of them. False: it has no axis.
bool gather_rows(Arena *arena, const Op *op, Dim *row, DmaRows *rows);

// The nest of a gather or scatter, with the walk over its index. DMA_NO_LOOPS: the entries of the
// index are in no order that loops can follow.
DmaOutcome gather_derive(Arena *arena, const Op *op, DmaNest *nest, DmaRows *rows);
DmaOutcome scatter_derive(Arena *arena, const Op *op, DmaNest *nest, DmaRows *rows);

#endif

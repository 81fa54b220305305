// Loop nests of all records: the addresses they lead to, loops that can be joined, and the walk
// through all iterations. sequence.def says what the loops of a sequencer mean.
#ifndef CONTRA_COMMAND_NEST_H
#define CONTRA_COMMAND_NEST_H

#include "base/checked.h"
#include "command/command.h"

enum { NEST_MOST_LOOPS = 64, NEST_SIDES = 3 };

// Whether an outer loop continues where the loop inside it ends, so that both are one loop. The
// inner loop has `size` steps of `inner`.
static inline bool stride_continues(int64_t outer, int64_t size, int64_t inner)
{
    int64_t end;
    return checked_mul(size, inner, &end) && outer == end;
}

// A loop that may walk several places at once, such as a source and a destination.
typedef struct {
    int64_t size; // iterations
    int64_t strides[NEST_SIDES];
    const int64_t *offsets; // of side 0, instead of its stride; NULL: none
} NestLoop;

// Nested loops, outermost first, with room for a few more than a record has.
typedef struct {
    NestLoop loops[NEST_MOST_LOOPS + 2];
    int64_t count;
} Nest;

typedef enum { LOOPS_ALL, LOOPS_BETWEEN, LOOPS_PACKET } LoopChoice;

// Adds all loops of a record, or only those between packets or inside them.
void nest_add(Nest *nest, const HwLoopList *loops, LoopChoice choice);
int64_t nest_size(const Nest *nest); // iterations; INT64_MAX: that many, or more
// Leaves out loops that stay where they are: the same places, each once for those loops.
void nest_once(Nest *nest);
// Joins neighboring loops that continue each other on all sides, and drops loops of one step.
// Returns how many are left.
int64_t loops_join(NestLoop *loops, int64_t count);

static inline int64_t loop_offset(const NestLoop *loop, int64_t index)
{
    return loop->offsets ? loop->offsets[index] : index * loop->strides[0];
}
// Where iteration `number` leads on side 0.
int64_t nest_offset(const Nest *nest, int64_t number);
// The same for the loops of a record, in elements.
int64_t loops_offset(const HwLoopList *loops, LoopChoice choice, int64_t number);

// Iteration after iteration.
typedef struct {
    const NestLoop *loops;
    int64_t count;
    int64_t index[NEST_MOST_LOOPS + 2];
    int64_t at[NEST_SIDES]; // where it is, by side
} NestWalk;

void nest_seek(NestWalk *walk, const NestLoop *loops, int64_t count, int64_t number);
// Skips iterations, at most to the end of the innermost loop. After the last iteration it returns
// to the first; false: it did.
bool nest_skip(NestWalk *walk, int64_t steps);

// `count` elements from `element` on.
typedef void NestRun(void *own, int64_t element, int64_t count);

// Iterations from `from` to `to` - 1 of side 0, as contiguous runs.
void nest_runs(const Nest *nest, int64_t from, int64_t to, NestRun *run, void *own);

// The place of the output that step `step` of a reduction is added to.
int64_t step_place(const HwReduce *reduce, int64_t step);
// Where a flit goes in TRF.
void trf_flit_place(const HwTrfStore *store, int64_t flit, int64_t *row, int64_t *byte);
int64_t trf_row_bytes(const HwTrfLayout *layout); // of a row

// ---- the sides of a DMA descriptor

// The loops of a descriptor walk all sides at once.
typedef enum { SIDE_SOURCE, SIDE_DEST, SIDE_INDEX, SIDE_COUNT } HwSide;
_Static_assert((int)SIDE_COUNT <= (int)NEST_SIDES, "a loop has strides for all sides");

const HwPlace *side_place(const HwDescriptor *descriptor, HwSide side); // NULL: it has no such side
int64_t side_base(const HwDescriptor *descriptor, HwSide side);
int64_t side_stride(const HwDmaLoopEntry *loop, HwSide side);
int64_t side_unit(const HwDescriptor *descriptor, HwSide side);   // bits that addresses count
int64_t side_packet(const HwDescriptor *descriptor, HwSide side); // units of one iteration
// Whether rows of the side are named by the index.
bool side_is_indirect(const HwDescriptor *descriptor, HwSide side);

// ---- slices

// Whether a slice is in a list of bitmaps.
bool bits_have(const HwClusterBitsList *rows, int64_t chip, int64_t cluster, int64_t slice);

#endif

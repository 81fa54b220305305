// Moves between memories: the DMA Engine, and the copies that run on the sub context.
// Manual: DMA Engine; Chip/Cluster Reduce, Implementation Methods.
#ifndef CONTRA_ENGINE_DMA_DMA_H
#define CONTRA_ENGINE_DMA_DMA_H

#include "mapping/divide.h"
#include "program/build.h"

// ---- rules

// Every operation but a pass.
void dma_verify(const Verify *verify, const Op *op);

// The contexts that such an operation runs on, "`tdma` or `pdma`"; empty: there is none such.
Str dma_contexts(Arena *arena, OpKind kind, Tier source, Tier target);

// ---- the loop nest of a move (nest.c)

// What a move walks at once. An index tensor says where the rows of a gather or scatter are.
typedef enum { DMA_SOURCE, DMA_TARGET, DMA_INDEX, DMA_SIDES } DmaSide;

// Where one step of a loop goes on one side.
typedef struct {
    Level level;    // Element, or to another unit: Slice, Cluster, Chip
    int64_t stride; // positions of that level; 0: the same place again, a broadcast
} DmaStep;

typedef struct {
    int64_t size;
    DmaStep source, target;
    DmaStep index;   // gather, scatter; otherwise of stride 0
    int32_t bound;   // among the bounds of the nest; -1: every iteration moves something
    int64_t weight;  // what one step adds up to its bound
    Mapping mapping; // what it walks, for messages
} DmaLoop;

// Elements move from the source to the target, run by run. An iteration whose loops of one bound
// add up to it or more is left out: it would be padding. That is where a padded axis is cut, and
// the last piece is shorter.
typedef struct {
    struct {
        ARRAY(DmaLoop);
    } loops;     // outermost first, in the order of the target
    DmaLoop run; // innermost: neighbours in Element on both sides; of size 1 where there are none
    struct {
        ARRAY(int64_t);
    } bounds;
    Division division; // of the target by the source
} DmaNest;

typedef enum {
    DMA_DERIVED,
    DMA_NO_PLACE, // the target lacks parts of the source: the division has them
    DMA_NO_LOOPS, // no loops of one stride a side do it
} DmaOutcome;

// The dimensions of the source, with another Element.
void dma_source_dims(const Op *op, const Dim *element, const Dim *dims[LEVEL_COUNT]);

// The loop nest that moves a tensor of `source` to one of `target`; dimensions without a level are
// NULL. Depends on mappings only: addresses and types come on top. Broadcasts what the source
// lacks.
DmaOutcome dma_derive(Arena *arena, const Dim *const source[LEVEL_COUNT],
                      const Dim *const target[LEVEL_COUNT], DmaNest *nest);

// A part of an axis, and how many positions of the whole shape a step of it takes on each side.
typedef struct {
    Term term;
    int64_t size;
    int64_t strides[DMA_SIDES];
} DmaPiece;

typedef struct {
    ARRAY(DmaPiece);
} DmaPieces;

// What a division of the target by the source found.
void dma_add_matches(Arena *arena, const Division *division, DmaPieces *pieces);

// What the source lacks of the target is written again and again, from the same place.
void dma_add_broadcasts(Arena *arena, const Mapping *residue, DmaPieces *pieces);

// The loops of a nest from pieces that together are all of the move. `dims` may be NULL of an index
// that is not there. False: no loops of one stride a side do it.
bool dma_arrange(Arena *arena, const Dim *const *const dims[DMA_SIDES], const DmaPieces *pieces,
                 DmaNest *nest);

// Whether a loop steps from chip to chip or from cluster to cluster on either side. Each of these
// has its own commands, so the loop takes no sequencer entry.
bool dma_steps_units(const DmaLoop *loop);

// Whether the sequencer of one command has room for this many loops. The packet also takes an
// entry. Manual: Sequencer, Constraints; DMA Engine, Parameters (the packet is listed last).
bool dma_has_room(const Machine *machine, int64_t loops);

// Elements that a nest writes, all told.
int64_t dma_nest_count(const DmaNest *nest);

// The elements of a run that the bound of its loop leaves over at the end; 0: all runs are whole.
int64_t dma_last_run(const DmaNest *nest);

// ---- packets and addresses (align.c)

// In bytes.
typedef struct {
    int64_t source, target, packet;
} DmaAlignment;

DmaAlignment dma_alignment(const Machine *machine, Tier source, Tier target);

// The largest packet that divides a run and that the engine carries. Requires: a run of whole
// multiples of `align`.
int64_t dma_packet_of(int64_t run, int64_t align, int64_t limit);

// The nest that moves between the views of `op` keeps the alignment that their memories ask for.
void dma_align_verify(const Verify *verify, const Op *op, const DmaNest *nest);

// ---- text

// "[8:Slice 1:32, 4:16:8]:8", outermost first: size, step in the source, step in the target, in
// positions; then the elements of a run.
void dma_print(StrBuf *out, const DmaNest *nest);

// ---- what an index may hold

// What the entries of an index name: a row of a table, in units.
typedef struct {
    const Tensor *table; // of a scatter its target
    Str axis;            // along which rows are counted
    int64_t rows;
    int64_t unit; // what an entry counts a row: bytes of it, where entries are scaled; otherwise 1
} IndexRange;

// Of a gather or scatter. False: the rules refuse it.
bool index_range(Arena *arena, const Op *op, IndexRange *range);

#endif

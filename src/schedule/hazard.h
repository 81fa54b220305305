// Which operations must wait for which, because of the bytes they touch. Manual: Scheduling,
// Hardware Resources.
#ifndef CONTRA_SCHEDULE_HAZARD_H
#define CONTRA_SCHEDULE_HAZARD_H

#include "command/touch.h"
#include "schedule/schedule.h"

typedef struct {
    int64_t operation; // the earlier one
    WaitKind kind;     // WAIT_RAW, WAIT_WAR or WAIT_WAW
    Tier tier;
    int64_t chip, cluster, slice;
    int64_t from, to;  // bytes that both touch, a piece of them
    int64_t low, high; // all that the two touches share lies between these
} Hazard;

typedef struct {
    ARRAY(Hazard);
} HazardList;

// What comes of two touches that meet in a piece, of which one is that of an earlier operation.
Hazard hazard_between(const Machine *machine, int64_t operation, const Touch *earlier,
                      const Touch *later, MeetPiece piece);

// What has been touched by the operations so far.
typedef struct HazardTable HazardTable;

HazardTable *hazard_table_new(Arena *arena, const Machine *machine);

// The operations so far that this one has to wait for, and the table with it. Operations that have
// a lane of `lanes` (bits) in common follow each other in any case: only the last on such a lane is
// listed, and reads of what was stored in HBM, which may wait longer; of those that have the same
// lanes, which end in their order, only the last is. `lanes` 0 of all of them: all are listed.
// Bytes that were written over since count for who wrote over them.
void hazards_of(HazardTable *table, int64_t number, const HwOperation *operation, uint64_t lanes,
                HazardList *hazards);

// How many entries of it, and groups of entries, were looked at so far.
int64_t hazard_looks(const HazardTable *table);

// Touches, found again by where they lie. Tiles of a tensor lie one behind the other, or between
// each other: columns of a matrix all reach from its first row to its last. So where a touch lies
// is a box: its addresses, and its addresses modulo strides that its loops have, by which columns
// lie apart.

enum { INDEX_MODULI = 3 };

typedef enum { SIDE_ADDRESS, SIDE_CHIP, SIDE_CLUSTER, SIDE_TENSOR, SIDE_MODULI } BoxSide;
enum { BOX_SIDES = SIDE_MODULI + INDEX_MODULI };

typedef struct {
    int64_t low[BOX_SIDES], high[BOX_SIDES];
} TouchBox;

typedef struct {
    int64_t operation;
    int64_t rank; // by which entries are preferred: the highest first
    Touch touch;
    TouchBox box;
} TouchEntry;

// What entries lie in, and the highest of their ranks: what is far, or low, is passed over at once.
typedef struct {
    int64_t highest;
    TouchBox box;
} IndexNode;

// Entries that follow each other, as a balanced tree: node i has the nodes 2 i + 1 and 2 i + 2.
typedef struct {
    int64_t from, count;
    int64_t
        *order; // numbers of entries: each node has a range of them, its left child the first half
    IndexNode *nodes;
} IndexTree;

typedef struct {
    ARRAY(IndexTree);
} IndexTrees;

typedef struct {
    ARRAY(IndexNode);
} IndexNodes;

// Touches of one memory that are alike: reads or writes, of operations with the same lanes, with
// the same strides. In the order in which they came.
typedef struct {
    ARRAY(TouchEntry);
    IndexTrees trees; // of all but the last entries, each of half as many as the one before or less
    IndexNodes blocks; // of every few entries
    uint64_t lanes;
    bool is_write;
    int64_t moduli[INDEX_MODULI]; // 0: none
} TouchIndex;

typedef struct {
    ARRAY(TouchIndex);
} TouchIndexList;

// The index that such a touch belongs to, which may be new.
TouchIndex *index_for(Arena *arena, TouchIndexList *list, const Touch *touch, uint64_t lanes);

void index_add(Arena *arena, TouchIndex *index, int64_t operation, int64_t rank,
               const Touch *touch);

typedef struct {
    const Touch *touch;
    int64_t above, below; // ranks between these, neither of them included
    int64_t looks;        // at entries and nodes; goes up
} IndexQuery;

// The entry of the highest rank that meets the touch, and where; NULL: there is none.
const TouchEntry *index_find(const TouchIndex *index, IndexQuery *query, MeetPiece *piece);

#endif

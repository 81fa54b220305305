// Touches, found again by where they lie. Tiles of a tensor lie one behind the other, or between
// each other: columns of a matrix all reach from its first row to its last. So where a touch lies
// is a box: its addresses, and its addresses modulo strides that its loops have, by which columns
// lie apart.
#ifndef CONTRA_SCHEDULE_TOUCH_INDEX_H
#define CONTRA_SCHEDULE_TOUCH_INDEX_H

#include "schedule/touch.h"

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

// Of the last entries: drops those that the touch covers.
void index_drop_covered(TouchIndex *index, const Touch *touch);

// Of the last entries: one of the same places becomes the last, with a new operation and rank.
// False: there is none.
bool index_renew(TouchIndex *index, int64_t operation, int64_t rank, const Touch *touch);

#endif

// Which operations must wait for which, because of the bytes they touch. Manual: Scheduling,
// Hardware Resources.
#ifndef CONTRA_SCHEDULE_HAZARD_H
#define CONTRA_SCHEDULE_HAZARD_H

#include "schedule/schedule.h"
#include "schedule/touch.h"

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

#endif

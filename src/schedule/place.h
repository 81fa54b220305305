// Operations one after the other become intervals of time. Shared by the files of this folder.
#ifndef CONTRA_SCHEDULE_PLACE_H
#define CONTRA_SCHEDULE_PLACE_H

#include "schedule/hazard.h"
#include "schedule/schedule.h"

// Passes of both contexts that together go to one bank of DM too often in a row: DMA must not run
// beside both. Manual: Memory Performance, Cumulative Bank Access Constraint.

typedef struct {
    int64_t operation; // -1: none
    int64_t end;
} BankUser;

typedef struct {
    BankUser user;
    int64_t streak;
} BankPass;

typedef struct {
    ARRAY(BankPass); // a pass is dropped for a later one with as long a streak
} BankPasses;

// Of the operations that were placed so far. Of a main pass, a sub pass and a DMA that must not run
// at once, the one that comes last begins when the first of the others is over: whether they would
// have met depends on times, and no choice here does.
typedef struct {
    BankPasses passes[2]; // of main, of sub
    BankUser dma;
    BankUser pair[2]; // of the passes that keep a DMA waiting longest; the first is over first
} BankRule;

// The accesses in a row of all its commands, at most. 0: it is no pass, or never goes to a bank
// twice in a row.
int64_t bank_streak_of(const ScheduledOperation *operation);

// By itself it keeps DMA waiting: it is scheduled as if it occupied DMA.
bool bank_keeps_dma(const Machine *machine, const ScheduledOperation *operation);

// ----

// What operations occupy, and for how long from their begin on.

enum { LANES_MOST = 64 }; // that a set of bits can name

// Why an operation has a lane.
typedef enum {
    USE_WORK,   // it is executed there
    USE_BANK,   // DMA must not run beside it
    USE_SWITCH, // registers of the Switch Engine are written meanwhile
} UseReason;

// From `from` to `to` after its begin.
typedef struct {
    int64_t lane;
    int64_t from, to;
    UseReason reason;
} LaneNeed;

typedef struct {
    ARRAY(LaneNeed);
} LaneNeeds;

typedef struct {
    const Machine *machine;
    CostModel model;
    Lane *items;
    int64_t count;
    int64_t first_of[LANE_KINDS], count_of[LANE_KINDS];
    int64_t engines_per_cluster; // lanes of DMA of a cluster
} Lanes;

void lanes_new(Arena *arena, const Machine *machine, CostModel model, int64_t chips, Lanes *lanes);

// What an operation of these costs needs. `keeps_bank`: DMA must not run beside it.
void lanes_needed(Arena *arena, const Lanes *lanes, const HwOperation *operation,
                  const Cost *const *costs, int64_t cost_count, bool keeps_bank, LaneNeeds *needs);

// The lanes that it has from its begin to its end, as bits.
uint64_t lanes_kept(const LaneNeeds *needs, int64_t cycles);

// ----

// `later` begins `distance` cycles behind the begin of `earlier` or later.
typedef struct {
    int64_t earlier, later;
    int64_t distance;
} Edge;

typedef struct {
    ARRAY(Edge);
} EdgeList;

typedef struct {
    Arena *arena;
    DiagList *diags;
    const ScheduleOptions *options;
    Schedule *schedule;
    Lanes lanes;
    LaneNeeds *needs;    // by operation
    HazardList *hazards; // by operation
    BankRule banks;
    EdgeList edges;
} Placer;

// Of all its commands, one after the other.
int64_t cost_cycles(const ScheduledOperation *operation);

// Begins, ends and waits, in the order of `sequence`. False: it was cancelled.
bool place_operations(Placer *placer, const int64_t *sequence);

// The order in which operations are placed: program order, or what options->order pins. NULL: it is
// no order of these operations, or a hazard forbids it; a diagnostic says which.
const int64_t *placing_order(Placer *placer);

// Lives of tensors, gaps of DMA, work and roofs.
void find_summary(Placer *placer);

#endif

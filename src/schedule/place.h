// Operations one after the other become intervals of time. Shared by the files of this folder.
#ifndef CONTRA_SCHEDULE_PLACE_H
#define CONTRA_SCHEDULE_PLACE_H

#include "schedule/bank.h"
#include "schedule/hazard.h"
#include "schedule/lane.h"

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

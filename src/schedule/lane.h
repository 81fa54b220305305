// What operations occupy, and for how long from their begin on.
#ifndef CONTRA_SCHEDULE_LANE_H
#define CONTRA_SCHEDULE_LANE_H

#include "schedule/schedule.h"

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

#endif

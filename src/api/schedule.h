// A schedule as callers have it.
#ifndef CONTRA_API_SCHEDULE_H
#define CONTRA_API_SCHEDULE_H

#include "api/state.h"
#include "schedule/schedule.h"

// Arrays of an operation that somebody asked for, which are made once. NULL: nobody did.
typedef struct {
    const ContraText *hints;
    const ContraLaneUse *uses;
    const ContraWait *waits;
    const ContraCostPart *parts;
    int64_t part_count;
} OperationValues;

struct ContraSchedule {
    const Schedule *schedule;
    OperationValues **values; // one an operation
};

#endif

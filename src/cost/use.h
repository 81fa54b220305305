// How an operation uses the hardware: which part takes longest, how much of the arithmetic and of
// the memories is busy, and what the manual says would be quicker. Of one operation by itself: what
// runs beside it, and when, is for the schedule.
#ifndef CONTRA_COST_USE_H
#define CONTRA_COST_USE_H

#include "cost/cost.h"

// A report for each operation of the object, by the rules of the manual: `book` is of COST_MANUAL.
const HwUse *use_of_object(Arena *arena, const Machine *machine, CostBook *book,
                           const HwObject *object);

#endif

// How an operation uses the hardware: which part takes longest, how much of the arithmetic and of
// the memories is busy, and what the manual says would be quicker. Of one operation by itself: what
// runs beside it, and when, is for the schedule.
#ifndef CONTRA_COST_USE_H
#define CONTRA_COST_USE_H

#include "cost/cost.h"

// All but the hints.
void use_of_operation(const Machine *machine, CostBook *book, const HwOperation *operation,
                      HwUse *use);

// What would be quicker, as the manual teaches it.
void use_hints(Arena *arena, const Machine *machine, const HwOperation *operation, HwUse *use);

#endif

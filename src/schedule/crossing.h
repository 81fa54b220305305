// Operations that an order puts the other way round than the program has them, although they touch
// the same bytes.
#ifndef CONTRA_SCHEDULE_CROSSING_H
#define CONTRA_SCHEDULE_CROSSING_H

#include "schedule/hazard.h"

// Whether there are two of them in `sequence`, which has every operation of the object once:
// `later`, which the program has behind hazard->operation. *looks goes up by the touches that were
// looked at.
bool find_crossing(Arena *arena, const Machine *machine, const HwObject *object,
                   const int64_t *sequence, int64_t *later, Hazard *hazard, int64_t *looks);

#endif

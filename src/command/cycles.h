// Cycles that the manual's formulas give for single engines. Pipelining and everything else that a
// command costs is for src/cost.
#ifndef CONTRA_COMMAND_CYCLES_H
#define CONTRA_COMMAND_CYCLES_H

#include "command/command.h"

// One read per cycle, of all interleaved tensors together.
int64_t fetch_cycles(const HwFetch *fetch);

// Every flit goes once around the ring.
int64_t switch_cycles(const HwSwitchRoute *route);

// Manual: Transpose Engine, Cycle Calculation.
int64_t transpose_cycles(const HwTranspose *transpose);

#endif

// How often in a row a sequencer goes to one bank of DM. Manual: Memory Performance, Bank
// Starvation.
#ifndef CONTRA_COMMAND_BANK_H
#define CONTRA_COMMAND_BANK_H

#include "command/command.h"
#include "machine/machine.h"

// No count: a nest makes one access at least. Who asks must take it as "nothing is known".
enum { BANK_STREAK_UNKNOWN = 0 };

// The longest row of accesses all of which touch one bank, among the first `elements` elements of
// the nest; from 2^40 on it is that or more. BANK_STREAK_UNKNOWN: the banks make more different
// places, or the nest has more loops, than are looked at. Sizes, strides, offsets and bases may be
// any.
int64_t bank_streak(const Machine *machine, const HwNest *nest, int64_t elements);

// Cycles that the manual's formulas give for single engines. Pipelining and everything else that a
// command costs is for src/cost.

// One read per cycle, of all interleaved tensors together.
int64_t fetch_cycles(const HwFetch *fetch);

// Every flit goes once around the ring.
int64_t switch_cycles(const HwSwitchRoute *route);

// Manual: Transpose Engine, Cycle Calculation.
int64_t transpose_cycles(const HwTranspose *transpose);

#endif

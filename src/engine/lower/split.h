// A pass that is more than one command can do: a deeper nest of loops than a sequencer has entries,
// or loops that turn more often. Where a digit of Time goes through the whole pass, from the fetch
// (or from the weights) to what is written, one command for each of its values does the same.
#ifndef CONTRA_ENGINE_LOWER_SPLIT_H
#define CONTRA_ENGINE_LOWER_SPLIT_H

#include "engine/lower/narrow.h"
#include "program/build.h"

enum { SPLIT_DIGITS = 3 };

// Digits of Time, and how many of their values one command takes. None: one command does it.
typedef struct {
    Narrowing digits[SPLIT_DIGITS];
    int64_t parts[SPLIT_DIGITS]; // ranges of values of each
    int32_t count;
    int64_t commands; // product of the parts
    int64_t order;    // among plans of as many commands: outer digits first
} SplitPlan;

// Finds the fewest commands for a pass, all of whose stages are right but for limits of one
// command. False: `limits` has what is beyond them, with the reasons why nothing can be split
// off.
bool split_find(const Verify *verify, const Pass *pass, DiagList *limits, SplitPlan *plan);

// The values of digit `which` that command `number` takes.
Narrowing split_digit(const SplitPlan *plan, int32_t which, int64_t number);

// The pass of command `number` of the plan.
const Pass *split_part(Narrower *narrower, const Pass *pass, const SplitPlan *plan, int64_t number);

// The pass without steps of Time over the padding of a tile it commits into, where it is right
// without them, too; otherwise the pass itself. Such steps would write over neighbours.
const Pass *split_padding(const Verify *verify, const Pass *pass);

// The rule about the whole pass, asked where it ends.
void split_verify(const Verify *verify, const Pass *pass);

#endif

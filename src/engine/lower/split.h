// A pass that is more than one command can do: a deeper nest of loops than a sequencer has entries,
// or loops that turn more often. Where a digit of Time goes through the whole pass, from the fetch
// (or from the weights) to what is written, one command for each of its values does the same.
#ifndef CONTRA_ENGINE_LOWER_SPLIT_H
#define CONTRA_ENGINE_LOWER_SPLIT_H

#include "program/build.h"

// ---- a pass with less of Time: the same stages, of which every stream, view and register holds
// only some values of one digit, or no steps of padding (narrow.c)

// `length` values from `start` on of a digit of an axis that has `size` of them.
typedef struct {
    Term term; // of an axis; its modulo is not looked at
    int64_t size;
    int64_t start, length;
} Narrowing;

// Where narrowing is done, and why it could not be.
typedef struct {
    Arena *arena;
    const Machine *machine;
    Str reason; // "`commit` .."
} Narrower;

// The pass with only those values: tensors are tiled, addresses move. A tensor in TRF gets an
// address, in bytes of a row. NULL: some stage does not keep the digit in Time; `reason` says
// which. Requires: the values of the digit do not decide what is padding along other digits of its
// axis.
const Pass *narrow_pass(Narrower *narrower, const Pass *pass, const Narrowing *narrowing);

// Where the digit counts in a dimension: positions that one step takes; 0: not at all.
int64_t narrow_place(Narrower *narrower, const Dim *dim, const Narrowing *narrowing);

// The pass without the steps of Time that are nothing but padding: those a tile leaves, and those
// round a whole element. NULL: there are none.
const Pass *narrow_padding(Narrower *narrower, const Pass *pass);

// ---- what several commands do one after the other: a list of such passes

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

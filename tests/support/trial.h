// Random programs, one after the other: drafted, asked about, executed by the oracle and by the
// device, and made as small as can be where the two do not agree.
#ifndef CONTRA_TEST_TRIAL_H
#define CONTRA_TEST_TRIAL_H

#include "agree.h"
#include "cover.h"
#include "draft.h"
#include "draft_features.h"

typedef struct {
    Arena arena;   // of all of them
    Arena scratch; // of one program
    Machine few;   // like RNGD with a few slices only, on which programs are quick
    Draft *draft;
    Cover cover;                                       // what occurred in accepted programs
    int64_t tried[FEATURE_COUNT], kept[FEATURE_COUNT]; // operations with it; of those, accepted
    int64_t agreed[FEATURE_COUNT];                     // programs with it that ran to the end
    int64_t programs, drafts, accepted, operations, ended, left_out;
    int64_t refusals[DIAG_CODE_COUNT];
    bool explains; // refusals, one by one, on stdout
} Trials;

void trials_open(Trials *trials); // fails the test where the machine cannot be read
void trials_close(Trials *trials);

// Makes up a program and compares. What is refused is cut off, and what is left asked about again.
// False: the executors do not agree, and `report` tells on what program, made small, and where.
bool trial_run(Trials *trials, Choices *choices, uint64_t seed, StrBuf *report);

// Makes up a program of `ops` operations or less for a machine and returns its commands, in the
// scratch arena. NULL: nothing of it is accepted.
const HwObject *trial_object(Trials *trials, const Machine *machine, Choices *choices, int64_t ops);

#endif

// Expands what the register files and the Contraction Engine are told, in plain loops written from
// the text of registers.def and contract.def, and compares every address with the cells of the
// mappings. Nothing here is shared with the lowering.
#ifndef CONTRA_TESTS_WALK_CONTRACT_H
#define CONTRA_TESTS_WALK_CONTRACT_H

#include "command/command.h"

typedef struct {
    Arena *arena;   // emptied as the walk likes
    uint64_t seed;  // where a walk is too long, positions are drawn
    int64_t most;   // positions that are looked at
    int64_t looked; // that were
    char problem[512];
} Walker;

// True: right. Otherwise `problem` says what is not.

bool walk_trf_store(Walker *walker, const Stage *stage, const HwTrfStore *store);
bool walk_vrf_store(Walker *walker, const Stage *stage, const HwVrfStore *store);
// `accumulate` and `reduce` may be NULL: then only what meets in each lane is looked at.
bool walk_contraction(Walker *walker, const Stage *align, const Stage *accumulate,
                      const HwStreamAdapt *adapt, const HwTrfRead *read, const HwReduce *reduce);

#endif

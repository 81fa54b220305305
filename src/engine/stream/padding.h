// Padding that a reduction would take in with the data.
#ifndef CONTRA_ENGINE_STREAM_PADDING_H
#define CONTRA_ENGINE_STREAM_PADDING_H

#include "engine/lower/lower.h"
#include "program/build.h"

// Reports padding that no mask keeps out of the sums of an accumulate, or out of an inter-slice
// reduce that fetch can pad for. Says nothing where a stage before it is not sound.
void padding_verify(const Verify *verify, const Pass *pass, const Stage *reduce);

// Relaxing the group `valid-count` says that padding in memory holds the neutral element of a
// reduction of the Vector Engine. Reports padding that it takes in and that is not in memory.
void padding_verify_relaxed(const Verify *verify, const Pass *pass, const Stage *reduce);

// Whether there is none of that, as far as one can tell: something may be computed before.
bool padding_is_in_memory(const Verify *verify, const Pass *pass, const Stage *reduce);

// Whether a reduction takes in padding that is not neutral: the user relaxed the rule.
bool padding_is_reduced(const Lower *lower, const Pass *pass, const Stage *reduce);

#endif

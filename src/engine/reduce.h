// The Reducer: products are summed over the packet (contract) and over time (accumulate).
// Manual: Reducer.
#ifndef CONTRA_ENGINE_REDUCE_H
#define CONTRA_ENGINE_REDUCE_H

#include "program/build.h"

// reduce.c: Spatial Reduction
void contract_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// accumulate.c: Temporal Reduction
void accumulate_verify(const Verify *verify, const Pass *pass, const Stage *stage);

#endif

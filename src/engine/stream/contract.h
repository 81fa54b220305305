// The Reducer: products are summed over the packet (contract) and over time (accumulate).
// Manual: Reducer.
#ifndef CONTRA_ENGINE_STREAM_CONTRACT_H
#define CONTRA_ENGINE_STREAM_CONTRACT_H

#include "engine/strides.h"
#include "program/build.h"

// reduce.c: Spatial Reduction
void contract_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// The operands of `stage`, an align or a contract, have a type that can be multiplied.
bool contract_verify_type(const Verify *verify, const Stage *stage);

// accumulate.c: Temporal Reduction
void accumulate_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// What the accumulator does with the steps of Time.
typedef struct {
    StrideLoops loops; // innermost first; strides in places of the output, 0: added up
    int64_t columns;   // what is left of the packet
    int64_t places;    // of Time'
    int64_t buffered;  // of these, inside the outermost loop that is added up
    int64_t inner;     // the same with what Time ends with: what the buffer is limited by
} AccumulatePlan;

// False: it is no sum that the accumulator can make.
bool accumulate_derive(Arena *arena, const Machine *machine, const Stage *stage,
                       AccumulatePlan *plan);

#endif

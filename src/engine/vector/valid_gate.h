// One threshold over the digits of an axis, and the gate of the Valid Count Generator that keeps
// it. Shared by valid_count.c and valid_gate.c.
#ifndef CONTRA_ENGINE_VECTOR_VALID_GATE_H
#define CONTRA_ENGINE_VECTOR_VALID_GATE_H

#include "engine/vector/valid_count.h"

// One digit in a sum.
typedef struct {
    Level level;
    int64_t place;  // positions of its dimension that one step takes
    int64_t limit;  // steps
    int64_t stride; // what one step adds
    int64_t digit;  // its number among all digits
} Part;

// Positions are valid where the sum of the parts is less than `valid`.
typedef struct {
    ARRAY(Part);
    int64_t valid;
    const Atom *axis; // NULL: padding of no axis
    bool has_dim;     // it has a dim, `dim`
    int32_t dim;
} Check;

// The largest sum the parts of the check can make; INT64_MAX: or more.
int64_t valid_check_reach(const Check *check);

// Finds the gate for a check of Slice and Time. `slices`: of the whole dimension.
ValidCountProblem valid_gate_derive(Arena *arena, const Check *check, int64_t slices,
                                    ValidGate *gate);

#endif

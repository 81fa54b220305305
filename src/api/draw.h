// Which values a tensor is filled with at random: an index is to name rows that are there.
#ifndef CONTRA_API_DRAW_H
#define CONTRA_API_DRAW_H

#include "command/object.h"
#include "program/program.h"

// Multiples of `unit`, from 0 on; as many as there are rows. No rows: any values.
typedef struct {
    int64_t rows, unit;
} DrawRange;

// Of a parameter of a program, and of an argument of an object: by the gathers and scatters whose
// index it is. Of several tables the smallest counts.
DrawRange draw_range_of_tensor(Arena *arena, const Program *program, const Tensor *tensor);
DrawRange draw_range_of_argument(const HwObject *object, const HwArgument *argument);

// Brings values that were drawn into the range.
void draw_within(const DrawRange *range, uint32_t *bits, int64_t count);

#endif

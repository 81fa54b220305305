// Moves whose places are data: scatter to HBM, gather from HBM.
#ifndef CONTRA_ENGINE_DMA_SCATTER_H
#define CONTRA_ENGINE_DMA_SCATTER_H

#include "program/build.h"

// What the entries of an index name: a row of a table, in units.
typedef struct {
    const Tensor *table; // of a scatter its target
    Str axis;            // along which rows are counted
    int64_t rows;
    int64_t unit; // what an entry counts a row: bytes of it, where entries are scaled; otherwise 1
} IndexRange;

// Of a gather or scatter. False: the rules refuse it.
bool index_range(Arena *arena, const Op *op, IndexRange *range);

#endif

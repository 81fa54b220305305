// Mathematical tensors: for every index of their axes a value, or none. There is no address and no
// padding in them; a mapping says only which position of a buffer means which index.
#ifndef CONTRA_ORACLE_ARRAY_H
#define CONTRA_ORACLE_ARRAY_H

#include "mapping/divide.h"
#include "scalar/scalar.h"

typedef struct {
    Scalar type;
    TermList axes;  // canonical, sorted; row-major, the last one fastest
    int64_t count;  // elements: the product of their extents
    uint32_t *bits; // values in canonical form (scalar.h)
    uint8_t *live;  // 1: initialised
    Arena *arena;   // of the axes; its own
} Array;

// All elements uninitialised. Memory comes as it is touched. NULL: there is not enough.
Array *array_new(Scalar type, const Mapping *mapping);
Array *array_clone(const Array *array);
void array_free(Array *array); // NULL: nothing

// Positions of a mapping that are no padding.
int64_t mapping_live_positions(Arena *arena, const Mapping *mapping);

// The values at the positions of `mapping` that are no padding, in increasing order, and back.
// `bits` and `live` have mapping_live_positions elements. False: `mapping` names what the array
// does not have, or there is no memory.
bool array_read(const Array *array, const Mapping *mapping, uint32_t *bits, uint8_t *live);
bool array_write(Array *array, const Mapping *mapping, const uint32_t *bits, const uint8_t *live);

// Where a part of an array lies: for each tile, position `start` of `index` is added.
typedef struct {
    Mapping index;
    int64_t start;
} ArrayOffset;

typedef struct {
    Array *array;
    Mapping mapping; // of the part
    const ArrayOffset *offsets;
    int64_t offset_count;
} ArrayView;

// The move of the language: every element of `source`, uninitialised ones too, to the place in
// `target` with the same index, repeated over axes that only the target has if `broadcast`. False:
// an axis of the source is not in the target (or the other way round without `broadcast`), or there
// is no memory; nothing was written then.
bool array_move(const ArrayView *source, const ArrayView *target, bool broadcast);

#endif

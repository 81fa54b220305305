// Mathematical tensors: for every index of their axes a value, or none. There is no address and no
// padding in them; a mapping says only which position of a buffer means which index.
#ifndef CONTRA_ORACLE_ARRAY_H
#define CONTRA_ORACLE_ARRAY_H

#include "base/diag.h"
#include "mapping/divide.h"
#include "scalar/scalar.h"

// An element is found by the digits of its axes: axis i of the array is the piece
// axes.items[i] (`A / stride % modulo`) of a declared axis A. Only digits that the mapping reaches
// have room: `A = 8` of an axis of 2^40 has 8 elements, though its modulo is 2^40.
typedef struct {
    Scalar type;
    TermList axes;    // canonical, sorted; row-major, the last one fastest
    int64_t *extents; // one an axis: digits that have room, at most its modulo
    int64_t *strides; // one an axis: elements from one digit to the next
    int64_t count;    // elements: the product of the extents
    uint32_t *bits;   // values in canonical form (scalar.h)
    uint8_t *live;    // 1: initialised
    Atom *atoms;      // one an axis: what it names; its own
} Array;

// All elements uninitialised. Memory comes as it is touched. NULL: there is not enough. The names
// of the axes stay where they are, with the program or the scope the mapping comes from.
Array *array_new(Scalar type, const Mapping *mapping);
Array *array_clone(const Array *array);
void array_free(Array *array); // NULL: nothing

// Positions of a mapping that are no padding (live.c). There is no memory for arrays of a mapping
// whose positions cannot be counted.
int64_t mapping_live_positions(Arena *arena, const Mapping *mapping);

// The same where nothing is made of them. False: they are too many, and too tangled, to be counted.
bool mapping_count_live(Arena *arena, const Mapping *mapping, int64_t *count);

// The values at the positions of `mapping` that are no padding, in increasing order, and back.
// `bits` and `live` have mapping_live_positions elements; `live` may be NULL when writing: all are.
// Positions that the array has no room for read as uninitialised, and writes to them are dropped.
// `who` is asked now and then whether to go on; NULL: nobody. False: `mapping` names an axis that
// the array does not have, there is no memory, or it was cancelled.
bool array_read(const Array *array, const Mapping *mapping, uint32_t *bits, uint8_t *live,
                const Canceller *who);
bool array_write(Array *array, const Mapping *mapping, const uint32_t *bits, const uint8_t *live,
                 const Canceller *who);

// The same with all positions, padding included: buffers of the size of the mapping, in which
// nothing stands for padding and nothing is changed at it. False: no memory.
bool array_read_positions(const Array *array, const Mapping *mapping, uint32_t *bits,
                          uint8_t *live);
bool array_write_positions(Array *array, const Mapping *mapping, const uint32_t *bits,
                           const uint8_t *live);

// Draws every element as the language's `rand` does: axes in their order, one draw each. False: the
// type has no random values, or it was cancelled by `who`; NULL: nobody.
bool array_draw(Array *array, SmallRng *rng, const Canceller *who);

// What a term adds to an axis. A composite that is the beginning of an axis, or of a part of one,
// and padding is cut as the axis is, if the part does not end inside a digit. Other composites are
// terms of their own.
Term term_straight(const Term *term);
// What a composite of one part and padding is the beginning of; an axis is its own. Others are of
// none, and stay as they are.
Term term_part(const Term *term);
// One past the highest index of an axis that a composite can name: where the part of it ends that
// the composite is the beginning of, or the axis.
int64_t term_end(const Term *term, const Atom *axis);

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
    // The mapping that the part was cut out of: apart from the offsets, everything keeps the place
    // that it has there. NULL: the part has its own places, and offsets are added axis by axis.
    const Mapping *whole;
} ArrayView;

// The move of the language: every element of `source`, uninitialised ones too, to the place in
// `target` with the same index, repeated over axes that only the target has if `broadcast`. What
// the target has no room for is dropped; what the source has no room for is uninitialised. False:
// an axis of the source is not in the target (or the other way round without `broadcast`), or there
// is no memory; nothing was written then.
bool array_move(const ArrayView *source, const ArrayView *target, bool broadcast);

// The same with `broadcast`, but what only the source has, axes or parts of axes, is left out: of
// these, index 0 is taken. False: no memory.
bool array_move_part(const ArrayView *source, const ArrayView *target);

// Position by position, whatever the positions mean: padding of the source is uninitialised,
// padding of the target drops its value. Requires: mappings of one size. False: no memory.
bool array_move_positions(const Array *source, const Mapping *from, Array *target,
                          const Mapping *to);

// Copies a view that starts inside a group of axes to its own array, and back. Any other view stays
// as it is. False: no memory.
bool array_view_part(const ArrayView *view, ArrayView *part);
bool array_view_put_back(const ArrayView *view, const ArrayView *part);

// ---- scatter

// The values of an index tensor in the order of its positions, padding left out: as many for each
// position of `chip`, which is what chips have of the data.
typedef struct {
    const uint32_t *bits;
    const uint8_t *live;
    int64_t count;
    Mapping chip;
} ScatterIndex;

typedef enum {
    SCATTER_DONE,
    SCATTER_NO_PLACE,  // the source lacks the key, or the target the rest or an axis beside it
    SCATTER_NO_INDEX,  // *entry of the index has no value
    SCATTER_NO_MEMORY, // of what was moved nothing is taken back
} ScatterEnd;

// Position k of `key` in the source goes to where entry k of the index, of those of its chip, is
// along the innermost axis of the target that the rest of the source leaves. A scaled index counts
// bytes.
ScatterEnd array_scatter(Arena *arena, const ArrayView *source, const ArrayView *target,
                         const Mapping *key, const ScatterIndex *indices, bool scaled,
                         int64_t *entry);

// Whether both have the same axes and extents, so that the same element has the same number.
bool array_same_shape(const Array *a, const Array *b);

#endif

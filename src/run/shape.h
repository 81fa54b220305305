// The arrays that stand for a tensor: which shapes they may have, and which of their elements are
// padding.
//
// All shapes without padding hold the same elements in the same order, the positions of the mapping
// that are no padding; so do all shapes with padding, one element a position.
#ifndef CONTRA_RUN_SHAPE_H
#define CONTRA_RUN_SHAPE_H

#include "base/ndarray.h"
#include "oracle/array.h"
#include "program/program.h"

typedef struct {
    Str text; // the term
    int64_t size;
} ShapeAxis;

typedef struct {
    ARRAY(ShapeAxis);
} ShapeAxes;

typedef enum {
    FORM_TERMS,  // the terms as written, without padding
    FORM_WHOLE,  // the same, joined where they are pieces of one axis in order
    FORM_PADDED, // the terms as written, with padding
    FORM_COUNT
} ShapeForm;

// Where padding is found position by position, it is of so many at most.
enum { SHAPE_UNCOUNTED = -1, SHAPE_MOST_CELLS = 1 << 26 };

typedef struct {
    Mapping mapping;
    int64_t positions;          // of the mapping
    int64_t live;               // that are no padding; SHAPE_UNCOUNTED: too many to be counted
    ShapeAxes axes[FORM_COUNT]; // without dimensions of 1
    bool possible[FORM_COUNT];  // some padding can be left out only from a flat array
    ShapeForm best;             // what outputs have
    const uint8_t *mask;        // shape_mask, where there is no mapping; otherwise NULL
} Shape;

// Whether every atom of a mapping in normal form is an axis.
bool shape_is_plain(const Mapping *normal);

Shape shape_describe(Arena *arena, const Dim *const dims[LEVEL_COUNT]);

// The form of an array with these dimensions; *padded says whether it has an element for every
// position. False: it is none of this tensor's.
bool shape_accepts(const Shape *shape, const int64_t *sizes, int64_t rank, bool *padded);

// Are the sizes the same?
bool shape_axes_equal(const ShapeAxes *a, const ShapeAxes *b);

// "(3, 5), or with padding (3, 8)": what is accepted, the best first.
Str shape_wanted(Arena *arena, const Shape *shape);

// For every position whether it is no padding.
const uint8_t *shape_mask(Arena *arena, const Shape *shape);

#endif

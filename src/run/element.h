// Elements of files and values of the chip: from one to the other.
#ifndef CONTRA_RUN_ELEMENT_H
#define CONTRA_RUN_ELEMENT_H

#include "base/ndarray.h"
#include "scalar/scalar.h"

// How elements of a file become values of a scalar type.
typedef enum {
    TAKE_REFUSED,
    TAKE_INTEGER, // if they fit
    TAKE_BITS,
    TAKE_FLOAT,   // rounded
    TAKE_PATTERN, // of one narrow float as another type
} ElementTake;

ElementTake element_take(ElementType from, Scalar to);

// Element `index` of settled data. False: it does not fit.
bool element_load(ElementTake take, ElementType from, const uint8_t *data, int64_t index, Scalar to,
                  uint32_t *bits);

// What values of a type are written as.
ElementType element_of_scalar(Scalar type, bool narrow_as_f32);
void element_store(ElementType to, uint8_t *data, int64_t index, Scalar from, uint32_t bits);

// Whether elements have the bytes that values have in a memory.
bool element_is_raw(ElementType type, Scalar scalar);

// As the number it stands for.
double element_value(ElementType type, const uint8_t *data, int64_t index);

// The smallest and the largest value of an integer type.
void scalar_limits(Scalar type, int64_t *least, int64_t *most);

#endif

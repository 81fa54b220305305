// A dimension as digits: the counters of a mixed-radix number, innermost first. Reductions take
// digits out of a dimension; the Valid Count Generator counts them.
//
// Digits follow the elements as they are written, because padding by itself does not say which axis
// it makes room for: `R # 16 / 4` with R = 3 is four positions of padding like `1 # 4`, but those
// four are steps of R, and a reduction of R takes them out.
#ifndef CONTRA_ENGINE_VECTOR_DIGITS_H
#define CONTRA_ENGINE_VECTOR_DIGITS_H

#include "program/program.h"

typedef struct {
    Level level;
    int64_t place;  // positions of the dimension that one step takes
    int64_t extent; // steps, those in padding included; the last one of all may be a part of one
    int64_t resize; // the first of them, which are no padding by themselves
    int64_t end;    // positions of the dimension up to its end
    Term term;      // what it counts; atom NULL: nothing, padding that belongs to no axis
} Digit;

typedef struct {
    ARRAY(Digit);
} DigitList;

// Adds the digits of a dimension, innermost first: each starts where the one before it ends.
void digits_add(Arena *arena, Level level, const Dim *dim, DigitList *digits);

// Whether a digit counts `axis`, and nothing else.
bool digit_counts(const Digit *digit, const Atom *axis);
// Whether what a digit counts is made of `axis` and of something else.
bool digit_mixes(Arena *arena, const Digit *digit, const Atom *axis);

// The dimension that is left when the digits of `axis` are taken out: the others, in their order.
Mapping digits_without(Arena *arena, const DigitList *digits, const Atom *axis);

// Whether a dimension is written with `axis` in it.
bool digits_name(Arena *arena, const Dim *dim, const Atom *axis);

#endif

// A pass with less of Time: the same stages, of which every stream, view and register holds only
// some values of one digit, or no steps of padding. What several commands do one after the other is
// a list of such passes.
#ifndef CONTRA_ENGINE_LOWER_NARROW_H
#define CONTRA_ENGINE_LOWER_NARROW_H

#include "machine/machine.h"
#include "program/program.h"

// `length` values from `start` on of a digit of an axis that has `size` of them.
typedef struct {
    Term term; // of an axis; its modulo is not looked at
    int64_t size;
    int64_t start, length;
} Narrowing;

// Where narrowing is done, and why it could not be.
typedef struct {
    Arena *arena;
    const Machine *machine;
    Str reason; // "`commit` .."
} Narrower;

// The pass with only those values: tensors are tiled, addresses move. A tensor in TRF gets an
// address, in bytes of a row. NULL: some stage does not keep the digit in Time; `reason` says
// which. Requires: the values of the digit do not decide what is padding along other digits of its
// axis.
const Pass *narrow_pass(Narrower *narrower, const Pass *pass, const Narrowing *narrowing);

// Where the digit counts in a dimension: positions that one step takes; 0: not at all.
int64_t narrow_place(Narrower *narrower, const Dim *dim, const Narrowing *narrowing);

// The pass without the steps of Time that are nothing but padding: those a tile leaves, and those
// round a whole element. NULL: there are none.
const Pass *narrow_padding(Narrower *narrower, const Pass *pass);

#endif

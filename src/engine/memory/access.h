// What an operation reads and writes of the memories, in bytes.
#ifndef CONTRA_ENGINE_MEMORY_ACCESS_H
#define CONTRA_ENGINE_MEMORY_ACCESS_H

#include "machine/machine.h"
#include "program/program.h"

typedef struct {
    const Tensor *tensor; // whose bytes they are: what a reshape is another name of
    const View *view;     // NULL: all of the tensor
    bool writes;
    int64_t low, high; // from the first byte to the one past the last, in each place
    Span span;
} Access;

typedef struct {
    ARRAY(Access);
} AccessList;

// The tensor whose storage this one has: itself, unless it is a reshape.
const Tensor *tensor_root(const Tensor *tensor);

// The bytes it takes in its memory; the halves of the TRF lie one after the other. False: its
// address is not known, or it has none.
bool tensor_range(const Machine *machine, const Tensor *tensor, int64_t *low, int64_t *high);

// All accesses of an operation whose places are known, reads first.
AccessList op_accesses(Arena *arena, const Machine *machine, const Op *op);

// Where the program says that an operation reads a memory, or writes its result.
Span op_touches(const Op *op, Tier tier, bool writes);

// Whether an access meets any of the bytes low .. high - 1: a tile leaves gaps between its rows.
bool access_meets(const Access *access, int64_t low, int64_t high);

// Whether two parts of one tensor have no element in common; false, too, where that is not known.
bool views_are_apart(Arena *arena, const View *a, const View *b);

#endif

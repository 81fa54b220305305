// What the files of the executor share.
#ifndef CONTRA_ORACLE_INTERNAL_H
#define CONTRA_ORACLE_INTERNAL_H

#include "oracle/oracle.h"

typedef struct {
    Array *array;  // NULL: nothing yet
    bool is_bound; // the caller's
    bool is_given; // bound, but the oracle's to free
    bool is_kept;  // somebody looks at the array itself: it stays to the end
    bool is_released;
} Holding;

// The tensors in the order of their last use: those that operation `op` needs last are
// tensors[end[op - 1]] .. tensors[end[op]], from 0 on for the first.
typedef struct {
    int64_t *tensors;
    int64_t *end;
} Lifetimes;

struct Oracle {
    const Program *program;
    OracleOptions options;
    DiagList *diags;
    Holding *tensors;    // of each tensor of the program
    int64_t capacity;    // of them
    Lifetimes lifetimes; // {0}: all tensors are kept
    int64_t done;        // operations
    Arena scratch;       // of one operation; its exhaustion ends the run
    struct {
        Holding *items;
        int64_t count, capacity;
    } held; // of one operation, given back behind it
};

// Memory is exhausted: ends the run.
_Noreturn void oracle_no_memory(Oracle *oracle);

// An array for the operation at hand.
Array *oracle_hold(Oracle *oracle, Scalar type, const Mapping *mapping);
Array *oracle_hold_clone(Oracle *oracle, const Array *array);
// It is no longer needed; NULL: nothing.
void oracle_drop(Oracle *oracle, Array *array);

bool oracle_is_cancelled(const Oracle *oracle);

// ---- tensors (oracle.c)

// What a tensor holds; made uninitialised where nobody wrote it yet.
Array *oracle_tensor(Oracle *oracle, const Tensor *tensor);
// Replaces what a tensor holds by an array that was held.
void oracle_set_tensor(Oracle *oracle, const Tensor *tensor, Array *array);

// A part of a tensor. False: where it starts is not known, which has been reported.
bool oracle_view(Oracle *oracle, const View *view, ArrayView *result);

// array_move_part; no memory ends the run.
void oracle_move(Oracle *oracle, const ArrayView *source, const ArrayView *target);

// ---- operations: false is a reported failure

bool move_op_run(Oracle *oracle, const Op *op);
bool scatter_run(Oracle *oracle, const Op *op);
bool gather_run(Oracle *oracle, const Op *op);
bool pass_run(Oracle *oracle, const Pass *pass);

#endif

// The mathematical executor: a program run on tensors as functions from an index to a value,
// operation by operation as the manual defines them. It never sees an address; the device, which
// never sees a mapping, must agree with it.
#ifndef CONTRA_ORACLE_ORACLE_H
#define CONTRA_ORACLE_ORACLE_H

#include "oracle/array.h"
#include "program/program.h"

typedef enum {
    NUMERICS_TREE,       // as the hardware adds: neighbours pairwise, then in the order of time
    NUMERICS_SEQUENTIAL, // every sum in ascending order of the logical index
} Numerics;

typedef struct {
    Numerics numerics;
    int32_t threads;   // 0: as many as the machine has
    bool results_only; // gives back the memory of every other tensor behind its last use
    bool (*is_cancelled)(void *own);                        // asked now and then; may be NULL
    void (*progress)(void *own, int64_t done, int64_t all); // operations; may be NULL
    void *own;
} OracleOptions;

typedef struct Oracle Oracle;

// `diags` gets what goes wrong while it runs. NULL: no memory.
Oracle *oracle_new(const Program *program, const OracleOptions *options, DiagList *diags);

// The array behind a tensor of the program: a parameter, which is read and written in place. It
// stays the caller's. A tensor that is not bound starts uninitialised. False: no memory.
bool oracle_bind(Oracle *oracle, const Tensor *tensor, Array *array);

// The same with an array that the oracle frees, at its end or when the tensor is released.
bool oracle_give(Oracle *oracle, const Tensor *tensor, Array *array);

// Nobody asks for a tensor any more: its array is freed. False: it is the caller's, or was kept.
bool oracle_release(Oracle *oracle, const Tensor *tensor);
// Its array stays to the end, whatever is released.
void oracle_keep_tensor(Oracle *oracle, const Tensor *tensor);

// Runs the program once; it may be run again with other arrays. False: it could not be finished
// (an index of a scatter without a value, no memory, cancelled), and a diagnostic says why.
bool oracle_run(Oracle *oracle);

// The same one operation at a time: from the beginning, then the next one each time.
void oracle_begin(Oracle *oracle);
bool oracle_step(Oracle *oracle);

// Runs the operations that the program got since it was run last: it may still be growing.
bool oracle_continue(Oracle *oracle);

// What a tensor holds now, made if there is nothing yet; it stays the oracle's, or of who bound it.
// NULL: no memory.
Array *oracle_array(Oracle *oracle, const Tensor *tensor);

// What a tensor holds after the run; the caller owns it. NULL: it was bound, or no memory.
Array *oracle_take(Oracle *oracle, const Tensor *tensor);

void oracle_free(Oracle *oracle);

#endif

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

struct Oracle {
    const Program *program;
    OracleOptions options;
    DiagList *diags;
    Holding *tensors;   // of each tensor of the program
    int64_t capacity;   // of them
    int64_t *last_uses; // the last operation that needs each tensor; NULL: all are kept
    int64_t done;       // operations
    Arena scratch;      // of one operation; its exhaustion ends the run
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

// ---- a Tensor Unit pass while it runs (pass.c)

// Execution ids: none has one, all are 0, or an array of u8.
typedef enum { IDS_NONE, IDS_ZERO, IDS_ARRAY } IdsKind;

typedef struct {
    Oracle *oracle;
    Array *stream;    // held, unless it is borrowed; of a pair NULL
    bool is_borrowed; // the stream is the array of the tensor it comes from: it is only read
    Array *groups[2]; // of a pair
    IdsKind ids_kind;
    Array *ids; // IDS_ARRAY: in the shape of the stream
    Array *stash;
    Mapping stash_mapping;
} PassRun;

// The shape of the stream behind a stage, as one mapping.
Mapping stream_mapping(PassRun *run, const Stage *stage);

// The same elements in another layout: `array` itself, or a held one instead of it.
Array *relayout(PassRun *run, Array *array, const Mapping *from, const Mapping *to);

// One stage of the Vector Engine.
void vector_stage_run(PassRun *run, const Stage *stage);

// Replaces the ids; `ids` is held, or NULL.
void set_ids(PassRun *run, IdsKind kind, Array *ids);

// Every element of an array, on several threads: `apply` gets a range.
typedef void ElementRange(const void *own, int64_t from, int64_t to);
void each_element(const Array *array, ElementRange *apply, const void *own);

// ---- the arithmetic of the Vector Engine (vector.c)

// From bits to bits. Arguments are those that the argument mode chose, in its order.
// `a` alone for unary operations, `a` and `b` for binary ones. A reduction combines `a` and `b`.
uint32_t alu_apply(VectorOp op, uint32_t a, uint32_t b, uint32_t c);

// vector_fxp_to_fp: x * 2^(int_width - 31). Requires 0 <= int_width < 32, as below.
uint32_t alu_fxp_to_fp(uint32_t x, int64_t int_width);
// vector_fp_to_fxp: x * 2^(31 - int_width), half away from zero, saturating.
uint32_t alu_fp_to_fxp(uint32_t x, int64_t int_width);

// Whether input `x` passes a comparison of the branch unit.
bool alu_compare(const InputCompare *compare, uint32_t x);

#endif

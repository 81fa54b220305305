// A Tensor Unit pass while it runs.
#ifndef CONTRA_ORACLE_PASS_H
#define CONTRA_ORACLE_PASS_H

#include "oracle/internal.h"

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

// One stage of the Vector Engine. False: a reported failure.
bool vector_stage_run(PassRun *run, const Stage *stage);

// Replaces the ids; `ids` is held, or NULL.
void set_ids(PassRun *run, IdsKind kind, Array *ids);

// Every element of an array, on several threads: `apply` gets a range.
typedef void ElementRange(const void *own, int64_t from, int64_t to);
void each_element(const Array *array, ElementRange *apply, const void *own);

#endif

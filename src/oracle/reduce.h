// Sums: elements of an array, or products of two arrays, are combined into one if they agree in the
// part of the index that stays.
#ifndef CONTRA_ORACLE_REDUCE_H
#define CONTRA_ORACLE_REDUCE_H

#include "oracle/oracle.h"

typedef struct {
    uint32_t bits;
    bool live;
} Value;

typedef Value Combine(const void *own, Value sum, Value next);

typedef struct {
    const Array *source;
    const Mapping *levels; // what `source` holds, outermost first: the order of time
    int64_t level_count;
    const Mapping *targets; // what `out` is to hold; axes that the source lacks are repeated
    int64_t target_count;
    Numerics order;
    bool is_tree; // the last level is a packet, whose lanes are combined pairwise first
    Value start;  // of every sum in the order of the index; in trees the first value is taken as is
    Combine *combine;
    const void *own;
} Reduction;

// Fills `out`, made for the targets. Elements with nothing to combine stay uninitialised. Memory on
// the way comes from `arena`.
//
// NUMERICS_SEQUENTIAL folds axis by axis, the last in order first, each in ascending order of its
// index from `start`. NUMERICS_TREE combines one value after the other as they come: levels from
// the outside in.
void reduce_run(Arena *arena, const Reduction *reduction, Array *out);

// align, contract and accumulate in one: sums of products, of which no product is ever kept.
typedef struct {
    const Array *stream, *trf;
    const Dim *const *dims;               // of the aligned pair, LEVEL_COUNT of them
    const Mapping *columns;               // Packet after the tree
    const Mapping *trf_shape, *out_shape; // that the arrays were made for
    Numerics numerics;
    Canceller who; // asked now and then whether to go on
} Contraction;

// Fills `out`, whose axes are those that are not summed away. Memory that is needed on the way
// comes from `arena`. False: it was cancelled.
bool contract_run(Arena *arena, const Contraction *contraction, Array *out);

#endif

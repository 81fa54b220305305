// align, contract and accumulate in one: sums of products, of which no product is ever kept.
#ifndef CONTRA_ORACLE_CONTRACT_H
#define CONTRA_ORACLE_CONTRACT_H

#include "oracle/oracle.h"

typedef struct {
    const Array *stream, *trf;
    const Dim *const *dims;               // of the aligned pair, LEVEL_COUNT of them
    const Mapping *columns;               // Packet after the tree
    const Mapping *trf_shape, *out_shape; // that the arrays were made for
    Numerics numerics;
    bool (*is_cancelled)(void *own); // asked now and then by the calling thread; may be NULL
    void *own;
} Contraction;

// Fills `out`, whose axes are those that are not summed away. Memory that is needed on the way
// comes from `arena`. False: it was cancelled.
bool contract_run(Arena *arena, const Contraction *contraction, Array *out);

// Neighbours in a packet that a tree sums so that `columns` is left but for padding; 0: none do.
int64_t contract_lanes(Arena *arena, const Mapping *packet, const Mapping *columns);

#endif

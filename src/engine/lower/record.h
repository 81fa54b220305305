// Parts of records that several engines share.
#ifndef CONTRA_ENGINE_LOWER_RECORD_H
#define CONTRA_ENGINE_LOWER_RECORD_H

#include "engine/sequencer.h"

// ---- the units a pass runs on: every chip, cluster and slice of a shape, in the hardware's
// numbers

// Unit u of a shape is slice u % slices of cluster u / slices % clusters of a chip.
typedef struct {
    int64_t chips, clusters, slices;
    int64_t first_chip, first_cluster, first_slice; // of the hardware, where a tile starts
} Units;

// `view`: what the shape is a view of; NULL: it starts at the first of each.
Units units_of(const Dim *const dims[LEVEL_COUNT], const View *view);
int64_t units_count(const Units *units);

// Adds an HwClusterBits for each cluster with a marked unit to `list`, or one for all of them where
// they are alike. `list` is an array of HwClusterBits.
void units_bitmaps(Arena *arena, const Units *units, const bool *marks, void *list);

// ---- sequences and addresses

// A derived sequence as the record of a sequencer. `start`: address of the buffer, in bytes.
HwNest nest_lower(const Lower *lower, const Sequence *sequence, Scalar type, int64_t start);

// The address of a view, in bytes; of a tensor where `view` is NULL. False, with a diagnostic:
// only the call of the kernel tells.
bool address_lower(const Lower *lower, const Tensor *tensor, const View *view, Span span,
                   int64_t *address);

#endif

// The units a pass runs on: every chip, cluster and slice of a shape, in the hardware's numbers.
#ifndef CONTRA_ENGINE_LOWER_UNITS_H
#define CONTRA_ENGINE_LOWER_UNITS_H

#include "command/command.h"

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

#endif

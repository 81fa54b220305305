// What the steps of the Vector Engine are told; lower.c puts them together.
#ifndef CONTRA_ENGINE_VECTOR_LOWER_H
#define CONTRA_ENGINE_VECTOR_LOWER_H

#include "engine/lower/lower.h"

// vector_intra_slice_reduce
const HwLaneReduce *lane_reduce_lower(const Lower *lower, const Stage *stage);
// vector_inter_slice_reduce
const HwSliceReduce *slice_reduce_lower(const Lower *lower, const Pass *pass, const Stage *stage);

#endif

// Padding of a fetched stream: which slices hold data at all, and what is masked in them.
// Manual: Fetch Engine, Masking.
#ifndef CONTRA_ENGINE_MASK_H
#define CONTRA_ENGINE_MASK_H

#include "engine/lower.h"
#include "engine/sequencer.h"

// Fills in `bitmaps` and `masks`.
void mask_lower(const Lower *lower, const Pass *pass, const Stage *fetch, const Sequence *sequence,
                HwFetch *out);

// Fills in `masks` of a commit into a tile: what is padding in the stream, and so no padding of the
// tensor.
void mask_commit(const Lower *lower, const Pass *pass, const Stage *stage, HwCommit *out);

#endif

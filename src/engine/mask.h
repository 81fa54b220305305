// Padding of a fetched stream: which slices hold data at all, and what is masked in them.
// Manual: Fetch Engine, Masking.
#ifndef CONTRA_ENGINE_MASK_H
#define CONTRA_ENGINE_MASK_H

#include "engine/live.h"
#include "engine/lower.h"
#include "engine/sequencer.h"

// Which elements of the stream behind a stage are data; `view` is the part of a tensor that it was
// read from, or goes to, NULL: a whole one.
LiveChecks mask_checks(const Lower *lower, const Stage *stream, const View *view);

// Fills in `bitmaps`, `masks` and `data`.
void mask_lower(const Lower *lower, const Pass *pass, const Stage *fetch, const Sequence *sequence,
                HwFetch *out);

// Fills in `masks` of a commit into a tile: what is padding in the stream, and so no padding of the
// tensor.
void mask_commit(const Lower *lower, const Pass *pass, const Stage *stage, HwCommit *out);

#endif

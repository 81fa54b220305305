// A derived sequence as the record of a sequencer.
#ifndef CONTRA_ENGINE_LOWER_NEST_H
#define CONTRA_ENGINE_LOWER_NEST_H

#include "engine/lower/lower.h"
#include "engine/sequencer.h"

// `start`: address of the buffer, in bytes.
HwNest nest_lower(const Lower *lower, const Sequence *sequence, Scalar type, int64_t start);

// The address of a view, in bytes; of a tensor where `view` is NULL. False, with a diagnostic:
// only the call of the kernel tells.
bool address_lower(const Lower *lower, const Tensor *tensor, const View *view, Span span,
                   int64_t *address);

#endif

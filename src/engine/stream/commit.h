// The Commit Engine: from a stream of flits to a tensor in DM. Manual: Commit Engine.
#ifndef CONTRA_ENGINE_STREAM_COMMIT_H
#define CONTRA_ENGINE_STREAM_COMMIT_H

#include "engine/sequencer.h"
#include "program/build.h"

// commit, commit_view
void commit_verify(const Verify *verify, const Pass *pass, const Stage *stage);
void commit_verify_place(const Verify *verify, const Pass *pass, const Stage *stage);

// The tensor that is written, and the shape of what is written of it.
const Tensor *commit_tensor(const Stage *stage);
const Dim *const *commit_dims(const Stage *stage);

#endif

// The Fetch Engine: from a tensor in DM to a stream of packets. Manual: Fetch Engine.
#ifndef CONTRA_ENGINE_STREAM_FETCH_H
#define CONTRA_ENGINE_STREAM_FETCH_H

#include "engine/sequencer.h"
#include "program/build.h"

// begin, begin_interleaved
void begin_verify(const Verify *verify, const Pass *pass, const Stage *stage);
void begin_verify_place(const Verify *verify, const Pass *pass, const Stage *stage);

// fetch, with a table or zero points or without
void fetch_verify(const Verify *verify, const Pass *pass, const Stage *stage);
void fetch_verify_place(const Verify *verify, const Pass *pass, const Stage *stage);

// What the sequencer of a fetch does, of interleaved tensors for each of them: as verification left
// it with the stage, or else derived in the arena. NULL: it has no loops, and `diags` says why.
const Sequence *fetch_sequence(Arena *arena, const Machine *machine, const Pass *pass,
                               const Stage *stage, DiagList *diags);

#endif

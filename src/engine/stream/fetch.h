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

// What the sequencer of a fetch is asked for. Of interleaved tensors: for each of them.
SequenceRequest fetch_sequence(Arena *arena, const Machine *machine, const Pass *pass,
                               const Stage *stage);

#endif

// The Aligner: a stream and a tensor in TRF meet in one shape. Manual: Aligner; Stream Adapter; TRF
// Sequencer.
#ifndef CONTRA_ENGINE_STREAM_ALIGN_H
#define CONTRA_ENGINE_STREAM_ALIGN_H

#include "engine/strides.h"
#include "program/build.h"

void align_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// How the TRF Sequencer reads: the loops over Time in elements of a row, and one read.
typedef struct {
    Strides strides;
    int64_t read_bytes; // reg_read_size; 0: no read brings a packet
} TrfWalk;

// False: the TRF Sequencer cannot do it.
bool align_derive_read(Arena *arena, const Machine *machine, const Stage *stage, TrfWalk *walk);

// Where the flits of each packet come from: layout is Time of the stream, a flit a position; Packet
// is the flits of a packet. False: no nest of loops says it.
bool align_derive_stream(Arena *arena, const Machine *machine, const Stage *stage,
                         Strides *strides);

#endif

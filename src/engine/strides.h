// The loops with which [Time, Packet] walk something that is laid out by a mapping: TRF, VRF, the
// flits of a stream. Unlike a sequencer (sequencer.h) these know no engine and no sizes of access.
#ifndef CONTRA_ENGINE_STRIDES_H
#define CONTRA_ENGINE_STRIDES_H

#include "engine/lower/lower.h"
#include "mapping/divide.h"

typedef struct {
    int64_t place;          // positions of the level that are inside one iteration
    int64_t size, stride;   // stride in positions of the layout; 0: it has nothing of this
    const int64_t *offsets; // instead of a stride: `size` of them, one an iteration
    Str term;               // what it walks
} StrideLoop;

typedef struct {
    ARRAY(StrideLoop);
} StrideLoops;

// Innermost first. Neighbours that go on evenly are one loop. Iterations beyond the end of an axis
// stand for padding: what they reach is nothing. The outermost may have more of them than there are
// positions: it ends early.
typedef struct {
    StrideLoops time, packet;
    MatchList matches;   // of the packet: where its pieces lie in the layout
    int64_t offset;      // positions of the layout before the first
    bool time_is_nest;   // false: no nest of loops walks it; both cut an axis at places that do not
    bool packet_is_nest; // divide each other, or padding is no whole number of what it pads
} Strides;

// False: one of the two is no nest.
bool strides_derive(Arena *arena, const Mapping *layout, const Mapping *time, const Mapping *packet,
                    Strides *strides);

// Cuts loops of more than `most` iterations in two. False: one has no divisor for that, and others
// stand outside it.
bool strides_split(Arena *arena, StrideLoops *loops, int64_t most);

// The same loops in another arena, without the matches.
StrideLoops strides_copy_loops(Arena *arena, const StrideLoops *loops);
Strides strides_copy(Arena *arena, const Strides *strides);

typedef struct {
    int64_t times, over;
} Ratio;

// The walk over a register or a snapshot of `type` at address `base` along with a stream: one
// element for each position of [time, packet], what the buffer lacks read again. False: no nest of
// loops does it.
bool strides_nest(const Lower *lower, const Mapping *buffer, const Mapping *time,
                  const Mapping *packet, Scalar type, int64_t base, HwNest *out);

// Adds both levels to a list of HwLoop, outermost first, with `unit` for each position of the
// layout; or one.
void strides_lower(Arena *arena, const Strides *strides, Ratio unit, void *list);
void strides_lower_level(Arena *arena, const StrideLoops *loops, Ratio unit, bool packet,
                         void *list);

#endif

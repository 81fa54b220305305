// The rules of the Vector Engine, for every call from vector_init to vector_final.
// Manual: Vector Engine; Intra-Slice Block; Intra-Slice Reduce; Inter-Slice Block.
#ifndef CONTRA_ENGINE_VECTOR_VECTOR_H
#define CONTRA_ENGINE_VECTOR_VECTOR_H

#include "engine/engine.h"

// A stream that a call does not work on at all is for pass_verify to report; the engine says
// nothing then.
//
// What a call makes of its stream is checked only where the call before it is sound. The order of
// stages, types and lanes are known in any case, and reported at the first call they are wrong for.
extern const Engine vector_engine;

// Axes that calls work along: the innermost one of two positions that stands in Time as a whole,
// which tells two groups apart; the innermost one of Packet. NULL: there is none.
const Atom *vector_group_axis(const Proposal *proposal);
const Atom *vector_packet_axis(const Proposal *proposal);

// Whether a call may come next, by the order of the stages, the lanes and the type of the stream:
// what a list of what to write here rests on. Its own arguments may still be wrong.
bool vector_may_follow(const Stage *from, StageKind kind);

// Whether the engine works on streams of this type at all.
bool vector_takes_type(Scalar type);

// The operations that a call takes on a stream of this type; FAMILY_COUNT: none.
VectorFamily vector_family(StageKind kind, Scalar type);
// The arguments of its operation that a mode can choose; 0: it takes no mode.
int vector_arity(StageKind kind);

// What leaves the result of a reduction as it is. Manual: Intra-Slice Reduce, Identity Elements.
uint32_t reduce_identity(VectorOp op);

// What fetch must give padding so that it changes nothing in a reduction, inside slices or between
// them. False: whatever fetch gives it, something else is made of it on the way. A stream that
// comes in as a parameter may have been padded so.
bool reduce_neutral(const Stage *reduce, uint32_t *bits);

// Whether a reduction gets what was fetched as it is. `custom`: but for the zeros that this switch
// brings where it has padding; NULL: there is none.
bool reduce_is_of_fetched(const Stage *reduce, const Stage **custom);

#endif

// What holds for every stage of a Tensor Unit pass, whatever its engine: which stream it may
// follow, what a context can do, what a stream that comes in as a parameter must look like.
#ifndef CONTRA_ENGINE_STREAM_PASS_H
#define CONTRA_ENGINE_STREAM_PASS_H

#include "engine/sequencer.h"
#include "program/build.h"

// True: the rules of the stage's own engine make sense.
bool pass_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// The facts of a stage that was verified for this machine; NULL: it was not.
const StageFacts *pass_facts(const Stage *stage, const Machine *machine);

// Leaves the sequence of a stage with it, for lowering.
void pass_keep(const Verify *verify, const Stage *stage, const Sequence *sequence);

// The last stage of a kind in the pass; NULL: there is none.
const Stage *pass_stage(const Pass *pass, StageKind kind);

// Whether a call may come next, by the kind of the stream, its context, and for the Vector Engine
// by the order of the stages, the lanes and the type. Its own arguments may still be wrong.
bool pass_may_follow(RuleSet rules, const Pass *pass, const Stage *from, StageKind kind);

// No part of an axis is given twice by the stream behind the stage. Asked last, when its engine has
// found nothing: what an engine says about a shape is closer to the mistake.
void pass_verify_overlap(const Verify *verify, const Stage *stage);

// A sink stores in the units that the pass reads in. Depends on where tiles start.
// Manual: Fetch Engine, Interface ("each slice independently reads its own DM data").
void pass_verify_units(const Verify *verify, const Pass *pass, const Stage *stage);

#endif

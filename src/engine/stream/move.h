// A move: the same elements in another shape. The reference library makes every stage of one, and
// refuses what loses an axis or, where nothing can be repeated, gains one.
#ifndef CONTRA_ENGINE_STREAM_MOVE_H
#define CONTRA_ENGINE_STREAM_MOVE_H

#include "program/build.h"

typedef enum {
    MOVE_EXACT,     // the same axes on both sides
    MOVE_BROADCAST, // what the target has besides is filled by repetition
} MoveKind;

// Every term of `from` is found in `to`. Reports with `code` at `span`; true: nothing is wrong.
bool move_verify(const Verify *verify, Span span, DiagCode code, MoveKind kind, const Mapping *from,
                 const Mapping *to);

// The same from one stream to the next, all dimensions together.
bool move_verify_stage(const Verify *verify, const Stage *stage, DiagCode code, MoveKind kind);

#endif

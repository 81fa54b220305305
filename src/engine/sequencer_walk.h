// The bare sequencer, without the rules of an engine. Manual: Sequencer.
#ifndef CONTRA_ENGINE_SEQUENCER_WALK_H
#define CONTRA_ENGINE_SEQUENCER_WALK_H

#include "program/build.h"

void walk_verify(const Verify *verify, const Walk *walk);

#endif

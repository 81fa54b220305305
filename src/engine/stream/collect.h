// The Collect Engine: packets of any size become flits. Manual: Collect Engine.
#ifndef CONTRA_ENGINE_STREAM_COLLECT_H
#define CONTRA_ENGINE_STREAM_COLLECT_H

#include "program/build.h"

void collect_verify(const Verify *verify, const Pass *pass, const Stage *stage);

#endif

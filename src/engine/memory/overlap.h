// What lives where in the memories, and when. Manual: Hello, TCP!, Execution Contexts; Scheduling.
#ifndef CONTRA_ENGINE_MEMORY_OVERLAP_H
#define CONTRA_ENGINE_MEMORY_OVERLAP_H

#include "program/build.h"

// No operation writes over a tensor that is read later, or over what it is reading itself.
void memory_verify(const Verify *verify, const Program *program);

#endif

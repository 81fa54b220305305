// Another meaning for the bytes of a DM tensor.
#ifndef CONTRA_ENGINE_MEMORY_RESHAPE_H
#define CONTRA_ENGINE_MEMORY_RESHAPE_H

#include "program/build.h"

void reshape_verify(const Verify *verify, const Tensor *from, const Tensor *to);

#endif

// The Cast Engine: 32-bit results become narrow again. Manual: Cast Engine.
#ifndef CONTRA_ENGINE_STREAM_CAST_H
#define CONTRA_ENGINE_STREAM_CAST_H

#include "program/build.h"

void cast_verify(const Verify *verify, const Pass *pass, const Stage *stage);

#endif

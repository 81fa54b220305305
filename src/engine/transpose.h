// The Transpose Engine: rows and columns of a small matrix change places. Manual: Transpose Engine.
#ifndef CONTRA_ENGINE_TRANSPOSE_H
#define CONTRA_ENGINE_TRANSPOSE_H

#include "program/build.h"

void transpose_verify(const Verify *verify, const Pass *pass, const Stage *stage);

#endif

// The Aligner: a stream and a tensor in TRF meet in one shape. Manual: Aligner; Stream Adapter; TRF
// Sequencer.
#ifndef CONTRA_ENGINE_ALIGN_H
#define CONTRA_ENGINE_ALIGN_H

#include "program/build.h"

void align_verify(const Verify *verify, const Pass *pass, const Stage *stage);

#endif

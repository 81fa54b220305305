// Loading the Tensor Register File. Manual: TRF Sequencer, SRAM-to-TRF.
#ifndef CONTRA_ENGINE_STREAM_TRF_H
#define CONTRA_ENGINE_STREAM_TRF_H

#include "command/command.h"
#include "program/build.h"

void to_trf_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// Row is one of the counts that the rows of the MAC array are used in.
bool trf_verify_rows(const Verify *verify, const Stage *stage, const Dim *row);

// Where its rows lie in the banks.
HwTrfLayout trf_layout(const Machine *machine, const Tensor *trf);

#endif

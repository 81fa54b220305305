// Moves whose places are data: scatter to HBM, gather from HBM.
#ifndef CONTRA_ENGINE_SCATTER_H
#define CONTRA_ENGINE_SCATTER_H

#include "program/build.h"

// Both require: dma_path_verify found nothing.
void scatter_verify(const Verify *verify, const Op *op);
void gather_verify(const Verify *verify, const Op *op);

#endif

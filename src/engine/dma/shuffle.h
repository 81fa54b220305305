// Shuffles between chips or clusters, and slices that differ from one to the next.
// Manual: Chip/Cluster Reduce, Implementation Methods.
#ifndef CONTRA_ENGINE_DMA_SHUFFLE_H
#define CONTRA_ENGINE_DMA_SHUFFLE_H

#include "program/build.h"

// target unit t gets what source unit pattern[t] has. Requires: dma_path_verify found nothing.
void shuffle_verify(const Verify *verify, const Op *op);

// unit u keeps position pattern[u] of the sliced axis. Requires: dma_path_verify found nothing.
void slice_verify(const Verify *verify, const Op *op);

#endif

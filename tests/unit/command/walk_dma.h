// DMA commands, walked as src/command/dma.def says, and compared with what the mappings of the
// operation ask for: every element of the target that has a source comes from there, once, and
// nothing else is written but padding inside groups that are cut.
#ifndef CONTRA_TESTS_WALK_DMA_H
#define CONTRA_TESTS_WALK_DMA_H

#include "command/command.h"
#include "machine/machine.h"

// An entry of the index tensor.
typedef int32_t WalkIndex(void *own, int64_t chip, int64_t address);

// One packet: where it is read and written, in units of the descriptor. `row` < 0: it moves
// nothing.
typedef void WalkPacket(void *own, const HwDescriptor *descriptor, int64_t source, int64_t dest);

void walk_descriptor(const HwDescriptor *descriptor, WalkIndex *index, WalkPacket *packet,
                     void *own);

// What is wrong with the command of an operation; NULL: nothing, or (with *skipped) it is too large
// to be looked at.
const char *walk_dma(Arena *arena, const Machine *machine, const Op *op,
                     const HwDmaCommand *command, bool *skipped);

#endif

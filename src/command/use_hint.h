// What would be quicker, as the manual teaches it. Shared by use.c and use_hint.c.
#ifndef CONTRA_COMMAND_USE_HINT_H
#define CONTRA_COMMAND_USE_HINT_H

#include "command/use.h"

void use_hints(Arena *arena, const Machine *machine, const HwOperation *operation, HwUse *use);

// Whether the side of a command that is in HBM uses all stacks; true where it is elsewhere.
bool use_toggles_stack(const Machine *machine, const HwDmaCommand *dma, bool is_source);

// Slices that hold data, over all clusters and chips.
int64_t use_live_slices(const Machine *machine, const HwPipeline *pass);

#endif

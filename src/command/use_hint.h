// What would be quicker, as the manual teaches it. Shared by use.c and use_hint.c.
#ifndef CONTRA_COMMAND_USE_HINT_H
#define CONTRA_COMMAND_USE_HINT_H

#include "command/use.h"

void use_hints(Arena *arena, const Machine *machine, const HwOperation *operation, HwUse *use);

// Slices that hold data, over all clusters and chips.
int64_t use_live_slices(const Machine *machine, const HwPipeline *pass);

#endif

// How an operation uses the hardware: which engine takes longest, how much of the arithmetic and of
// the memories is busy, and what the manual says would be quicker. Steady state of one operation by
// itself: what runs beside it, and when, is for the schedule.
#ifndef CONTRA_COMMAND_USE_H
#define CONTRA_COMMAND_USE_H

#include "command/command.h"
#include "machine/machine.h"

const HwUse *command_use(Arena *arena, const Machine *machine, const HwOperation *operation);

#endif

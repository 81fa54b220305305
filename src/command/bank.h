// How often in a row a sequencer goes to one bank of DM. Manual: Memory Performance, Bank
// Starvation.
#ifndef CONTRA_COMMAND_BANK_H
#define CONTRA_COMMAND_BANK_H

#include "command/command.h"
#include "machine/machine.h"

// The longest row of accesses all of which touch one bank, among the first `elements` elements of
// the nest. 0: the machine has more banks than are looked at.
int64_t bank_streak(const Machine *machine, const HwNest *nest, int64_t elements);

#endif

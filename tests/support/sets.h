// The instruction sets that a test program ran. A set that never ran must not count as tested: the
// report names the sets that ran and those that the machine lacks, and fails if the program left
// out one that the machine has.
#ifndef CONTRA_TEST_SETS_H
#define CONTRA_TEST_SETS_H

#include "device/device.h"

// Notes that loops of this set run.
void sets_note(Isa isa);
// Makes the device use this set if the machine has it, and notes that.
void sets_use(Device *device, Isa isa);
// For TEST_END.
int sets_report(void **state);

#endif

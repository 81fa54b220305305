// The instruction sets that a test program ran. Nobody should take a set for tested that never ran:
// the report names those that did and those that the machine lacks, and fails if the program left
// out one that the machine has.
#ifndef CONTRA_TEST_SETS_H
#define CONTRA_TEST_SETS_H

#include "device/device.h"

// Notes that loops of this set run.
void sets_note(Isa isa);
// The device uses this set, if the machine has it, which is noted.
void sets_use(Device *device, Isa isa);
// A group teardown for cmocka.
int sets_report(void **state);

#endif

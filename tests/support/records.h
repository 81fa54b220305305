// Random records of every kind, filled from their tables.
#ifndef CONTRA_TEST_RECORDS_H
#define CONTRA_TEST_RECORDS_H

#include "command/record.h"

// Steps a state that is not 0.
uint64_t record_random_bits(uint64_t *state);

// Fills every field: each kind of value occurs, the extremes and the unset ones among them.
void record_random(Arena *arena, uint64_t *state, const Record *record, void *data);

#endif

// Which positions are data, and which padding, as the records say it.
#ifndef CONTRA_DEVICE_DATA_H
#define CONTRA_DEVICE_DATA_H

#include "command/command.h"

typedef struct {
    const HwCheck *checks;
    int64_t count;
} DataTest;

// What an object may hold; more are refused before anything is executed.
enum { DATA_MOST_CHECKS = 256 };

// For how many positions from `first` on, `most` at most, the answer is the same; *is_data: which.
int64_t data_run(const DataTest *test, int64_t first, int64_t most, bool *is_data);

// data[i] = 1 where position first + i is data.
void data_lanes(const DataTest *test, int64_t first, int64_t count, uint8_t *data);

#endif

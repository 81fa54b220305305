// Which positions are data, and which padding, as the records say it.
#ifndef CONTRA_DEVICE_DATA_H
#define CONTRA_DEVICE_DATA_H

#include "command/command.h"

// The lists that say it: sums of digits within limits, or the checks of a mask.
typedef struct {
    const HwDataSum *sums;
    int64_t sum_count;
    const HwCheck *checks;
    int64_t check_count;
} DataTest;

enum { DATA_MOST_SUMS = 64 };

// data[i] = 1 where position first + i is data. Requires: `first` is a multiple of `count`.
void data_lanes(const DataTest *test, int64_t first, int64_t count, uint8_t *data);

#endif

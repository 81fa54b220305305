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

// data[i] = 1 where position first + i is data. Requires: `first` is a multiple of `count`.
void data_lanes(const DataTest *test, int64_t first, int64_t count, uint8_t *data);

#endif

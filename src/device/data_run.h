// Whether a whole run of positions is data, without a look at each.
#ifndef CONTRA_DEVICE_DATA_RUN_H
#define CONTRA_DEVICE_DATA_RUN_H

#include "device/data.h"

typedef enum { DATA_NONE, DATA_ALL, DATA_SOME } DataRun;

// Of positions first to first + count - 1. DATA_SOME may also be said where it is one of the
// others.
DataRun data_run(const DataTest *test, int64_t first, int64_t count);

// Whether no answer depends on the part of the position between `from` and `to`: on
// position % to / from. Both are multiples of what is below them; INT64_MAX: all that is above.
bool data_ignores(const DataTest *test, int64_t from, int64_t to);

#endif

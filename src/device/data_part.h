// Whether a whole run of positions is data, without a look at each.
#ifndef CONTRA_DEVICE_DATA_PART_H
#define CONTRA_DEVICE_DATA_PART_H

#include "device/data.h"

typedef enum { DATA_NONE, DATA_ALL, DATA_SOME } DataPart;

// Of positions first to first + count - 1. DATA_SOME may also be said where it is one of the
// others.
DataPart data_part(const DataTest *test, int64_t first, int64_t count);

// Whether no answer depends on the part of the position between `from` and `to`: on
// position % to / from. Both are multiples of what is below them; INT64_MAX: all that is above.
bool data_ignores(const DataTest *test, int64_t from, int64_t to);

#endif

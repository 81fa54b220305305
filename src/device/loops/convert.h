// Conversions of many values, the same bits as scalar_convert of scalar/scalar.h gives.
#ifndef CONTRA_DEVICE_LOOPS_CONVERT_H
#define CONTRA_DEVICE_LOOPS_CONVERT_H

#include "device/loops/loops.h"
#include "scalar/scalar.h"

// `out` may be `in`.
typedef void ConvertLoop(const uint32_t *in, int64_t count, uint32_t *out);

typedef struct {
    ConvertLoop *narrow[SCALAR_COUNT]; // of f32, by the type that comes out. NULL: none
    ConvertLoop *wrap[SCALAR_COUNT];   // of integers, likewise
} ConvertLoops;

LOOPS_TABLE(ConvertLoops, convert_loops);

#endif

// Conversions of many values, the same bits as scalar_convert of scalar/scalar.h gives.
#ifndef CONTRA_DEVICE_LOOPS_CAST_H
#define CONTRA_DEVICE_LOOPS_CAST_H

#include "device/loops/loops.h"
#include "scalar/scalar.h"

// `out` may be `in`.
typedef void CastLoop(const uint32_t *in, int64_t count, uint32_t *out);

typedef struct {
    CastLoop *narrow[SCALAR_COUNT]; // of f32, by the type that comes out. NULL: none
    CastLoop *wrap[SCALAR_COUNT];   // of integers, likewise
} CastLoops;

LOOPS_TABLE(CastLoops, cast_loops);

#endif

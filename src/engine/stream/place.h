// Where a stream and a tensor meet: same type, same chip, cluster and slice.
#ifndef CONTRA_ENGINE_STREAM_PLACE_H
#define CONTRA_ENGINE_STREAM_PLACE_H

#include "program/build.h"

// Engines of a slice work on the memory of that slice. Compares the stream that comes into `stage`
// with a tensor of `type` and `dims`; reports with `code`.
void place_verify(const Verify *verify, const Stage *stage, DiagCode code, Scalar type,
                  const Dim *const dims[LEVEL_COUNT]);

#endif

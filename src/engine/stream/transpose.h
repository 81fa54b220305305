// The Transpose Engine: rows and columns of a small matrix change places. Manual: Transpose Engine.
#ifndef CONTRA_ENGINE_STREAM_TRANSPOSE_H
#define CONTRA_ENGINE_STREAM_TRANSPOSE_H

#include "program/build.h"

void transpose_verify(const Verify *verify, const Pass *pass, const Stage *stage);

// The matrix that a sound call transposes. Manual: Transpose Engine, Conceptual Operation.
typedef struct {
    int64_t iterations;          // matrices, one after the other
    int64_t in_rows;             // steps of Time, those of padding included
    int64_t packets_per_col;     // flits of one row
    int64_t elements_per_packet; // elements of a flit that reach the buffer
    int64_t kept;                // columns of each packet that go out; the rest is trimmed
} TransposeMatrix;

#endif

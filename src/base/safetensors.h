// Files of named arrays: the length of a header in 8 bytes, the header as JSON, the data.
#ifndef CONTRA_BASE_SAFETENSORS_H
#define CONTRA_BASE_SAFETENSORS_H

#include "base/ndarray.h"

typedef struct {
    const char *name;
    NdArray array;
} NamedArray;

typedef struct {
    NamedArray *items; // in the order of their data
    int64_t count;
} NamedArrays;

// The arrays of a file at hand; their data point into `bytes`. False: it cannot be read, and *fault
// says why. Every array must have as many bytes as its shape needs, all within the file, none
// shared and none left over; a name stands once.
bool safetensors_parse(Arena *arena, Str bytes, NamedArrays *arrays, Fault *fault);

// What stands before the data of such a file: the arrays, one after the other. Requires: settled
// arrays. False: a name occurs twice or is no UTF-8, or there is no memory.
bool safetensors_header(StrBuf *out, const NamedArrays *arrays);

#endif

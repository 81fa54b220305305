// The files of NumPy's `save`, versions 1 to 3.
#ifndef CONTRA_BASE_NPY_H
#define CONTRA_BASE_NPY_H

#include "base/ndarray.h"

bool npy_is(Str bytes); // starts as such a file does

// The array of a file at hand; its data point into `bytes`. False: it cannot be read, and *fault
// says why. Types of several fields and Python objects are refused.
bool npy_parse(Arena *arena, Str bytes, NdArray *array, Fault *fault);

// What stands before the data of such a file. Requires: a settled array.
void npy_header(StrBuf *out, const NdArray *array);

#endif

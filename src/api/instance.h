// Instances of generic kernels, by their names as in a launch: `gemm::<2>`.
#ifndef CONTRA_API_INSTANCE_H
#define CONTRA_API_INSTANCE_H

#include "api/state.h"

// The name of the kernel in the name of an instance: what stands before `::<`. All of it: it has no
// arguments.
Str instance_base(Str name);

// Adds an instance of kernel *index, which becomes its number, unless it was added before.
ContraStatus instance_add(Contra *contra, Str name, int64_t *index);

// Whether it is generic, and no instance.
bool instance_is_missing(const Contra *contra, const Kernel *kernel);
// Says that it is, and what to write.
void instance_ask(Contra *contra, const Kernel *kernel);
// Its generics and parameters as they are written. Requires: it is generic, and no instance.
void instance_describe(Contra *contra, const Kernel *kernel, ContraKernel *shown);

#endif

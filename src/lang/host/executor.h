// Who executes the kernels that a host program launches. It stands above this room: it needs
// commands and a device. Without one, the oracle does it.
#ifndef CONTRA_LANG_HOST_EXECUTOR_H
#define CONTRA_LANG_HOST_EXECUTOR_H

#include "oracle/array.h"
#include "program/build.h"

typedef struct ReadyKernel ReadyKernel; // one that it can execute any number of times

// A tensor of the host, and what it is in a kernel.
typedef struct {
    const Tensor *host;
    const Tensor *kernel; // NULL: the kernel has no use for it
} LaunchTensor;

// It may leave the values of tensors of the host where the kernels put them: whoever looks at the
// array of one asks for it first.
typedef struct {
    void *own;
    // Where it has to leave it to the oracle, a warning says why.
    ReadyKernel *(*ready)(void *own, Program *program);
    // `site`: of the launch, and of the calls around it. False: it could not be finished, and a
    // diagnostic says why.
    bool (*run)(void *own, ReadyKernel *kernel, const LaunchTensor *tensors, int64_t count,
                const CallSite *site);
    // What the last run gave back becomes a tensor of the host: its array, which is the caller's.
    // NULL: the values stay where they are.
    Array *(*take)(void *own, ReadyKernel *kernel, const Tensor *result, const Tensor *host);
    // The host carries an operation out itself, on arrays: what it reads has its values there, and
    // what it writes is known. False: no memory. Diagnostics say what it may not read.
    bool (*before_op)(void *own, const Op *op);
    bool (*after_op)(void *own, const Op *op);
    // The array of a tensor has its values now. False: no memory.
    bool (*fetch)(void *own, const Tensor *host);
    // Nobody needs its values any more, or the array has others from now on.
    void (*forget)(void *own, const Tensor *host);

    // for its own use: the array behind a tensor, made if there is none. NULL: no memory.
    Array *(*array)(void *host, const Tensor *tensor);
    void *host;
} Executor;

#endif

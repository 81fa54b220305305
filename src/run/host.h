// The device of a host program: kernels that it launches run there, and tensors in HBM stay where
// they are until somebody on the host looks at them.
#ifndef CONTRA_RUN_HOST_H
#define CONTRA_RUN_HOST_H

#include "lang/host/executor.h"
#include "run/state.h"

typedef struct HostDevice HostDevice;

// NULL: no memory.
HostDevice *host_device_new(Contra *contra, const ContraRunOptions *options);
void host_device_free(HostDevice *host); // NULL: nothing
Executor *host_device_executor(HostDevice *host);

#endif

// Host programs: `main` and tests. Kernels that they launch run on one device, and tensors in HBM
// stay where they are until somebody on the host looks at them.
#ifndef CONTRA_RUN_HOST_H
#define CONTRA_RUN_HOST_H

#include "lang/host/run.h"
#include "run/state.h"

// Whether a program can start. False: it would use the device, but with an instruction set that the
// machine lacks, which was said.
bool host_can_start(Contra *contra, const ContraRunOptions *options);

// Runs a function, and reports a panic. Requires: host_can_start.
ContraStatus host_run(Contra *contra, Decl *decl, const ContraRunOptions *options,
                      bool overflow_panics, Run *run);

#endif

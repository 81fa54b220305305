// A kernel on a device of its own: arrays go in, arrays come out.
#ifndef CONTRA_API_SIM_H
#define CONTRA_API_SIM_H

#include "api/object.h"

typedef struct {
    Run *run;
    const HwArgument **places; // one an argument; NULL: of a number
    DeviceBinding *bindings;   // one an argument
    Device *device;
    DeviceProgram *program;
    SmallRng rng;
    bool is_once; // arrays of the caller live as long as it: the device works on them itself
} Simulation;

// The device is the run's of the Contra: wherever memory runs out, it is freed with that. False:
// its memories do not fit, which was said.
bool simulation_open(Simulation *sim, Run *run, const HwObject *object);

// Each false: something does not fit, which was said, or it was cancelled.
// What was given for an argument.
bool simulation_put(Simulation *sim, int64_t index);
// All that was given, and what is drawn.
bool simulation_put_all(Simulation *sim);

// What the device holds of an argument. `is_there`: the array of the output is its memory; only
// elements that nobody wrote are changed.
void simulation_get(const Simulation *sim, int64_t index, bool is_there, OutputWriter *writer);

// What the end of an execution means that did not succeed.
ContraStatus end_of_failure(Contra *contra, const ContraRunOptions *options);

#endif

// The operations of a program on the device, one after the other.
#ifndef CONTRA_RUN_EXECUTE_H
#define CONTRA_RUN_EXECUTE_H

#include "run/run.h"

// Notes the launch in these words, and its calls.
void launch_note(Diag *diag, const LaunchSite *launch, const char *words);

// The tensor that an operation writes. NULL: none.
const Tensor *op_target(const Op *op);

// "A 3, B 0": what a position means; of padding "0".
Str position_text(Arena *arena, const Mapping *mapping, int64_t position);

// A view as a part of the array of its tensor; `all`: the mapping of that.
ArrayView array_part(Arena *arena, const View *view, Array *whole, const Mapping *all);

// Whether two lie in the same bytes of HBM.
bool argument_meets(const HwArgument *a, const HwArgument *b);

// Applies the chosen instruction set and three of the options: the number of threads, the callback
// that cancels, and whether the sanitizer watches. False: no memory.
bool device_set_up(const Contra *contra, Device *device, const ContraRunOptions *options);

// All of them. False: a diagnostic says why it could not be finished.
bool run_operations(const KernelRun *run);

#endif

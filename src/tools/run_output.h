// How `contra run` shows what came out.
#ifndef CONTRA_TOOLS_RUN_OUTPUT_H
#define CONTRA_TOOLS_RUN_OUTPUT_H

#include "cli.h"

// The kernels with their parameters.
void run_print_kernel(const ContraKernel *kernel);
json_t *run_kernel_json(const ContraKernel *kernel);

// All kernels that were read (run.c).
// Of one kernel, or without a name of all.
ExitStatus run_list_kernels(Contra *contra, const CommonOptions *common, const char *name);

// Takes NAME=VALUE of --in, where only numbers can be given. False, with a message: it is none, or
// there are too many.
enum { RUN_MOST_NUMBERS = 64 };
bool run_take_number(const char *command, const char *value, ContraInput inputs[RUN_MOST_NUMBERS],
                     int *count);

// Asks which one, where there are several.
ExitStatus run_ask_kernel(Contra *contra, const char *command);

// Shape, axes, first and last elements, least, greatest and mean.
void run_print_output(const ContraOutput *output);
json_t *run_output_json(const ContraOutput *output);

json_t *run_comparison_json(Contra *contra, const ContraOutput *output,
                            const ContraComparison *comparison);

// That an output is within the tolerance, and how far off it is.
void run_print_comparison(Contra *contra, const ContraOutput *output,
                          const ContraComparison *comparison, double tolerance);

// "wrote y.npy: result, int32 (4096,)"
void run_print_written(ContraText path, const ContraText *names, const ContraArray *arrays,
                       int64_t count);
json_t *run_written_json(ContraText path, const ContraText *names, const ContraArray *arrays,
                         int64_t count);

// Says that Ctrl-C ended the run.
ExitStatus run_interrupted(void);

#endif

// A kernel on arrays from files, as `contra run` and `contra sim` have it: options, and the run.
#ifndef CONTRA_TOOLS_RUN_KERNEL_H
#define CONTRA_TOOLS_RUN_KERNEL_H

#include "run_output.h"

enum {
    OPTION_KERNEL = OPTION_FIRST_OWN,
    OPTION_IN,
    OPTION_OUT,
    OPTION_PRINT,
    OPTION_COMPARE,
    OPTION_TOLERANCE,
    OPTION_RANDOM,
    OPTION_BF16,
    OPTION_LIST,
    OPTION_QUIET
};

// The rows of what both do with a kernel.
#define RUN_OPTIONS                                                                               \
    {OPTION_RANDOM, "--random SEED", "fills tensors that are not given, as SmallRng does"},       \
        {OPTION_OUT, "--out [NAME=]FILE",                                                         \
         "writes an output: the tensor that is given back, or a &mut parameter"},                 \
        {OPTION_BF16, "--bf16=bits|f32",                                                          \
         "writes bf16 and f8 as bit patterns (the default) or as float32"},                       \
        {OPTION_PRINT, "--print", "shows the outputs (the default without --out and --compare)"}, \
        {OPTION_COMPARE, "--compare [NAME=]FILE", "compares an output with a file"},              \
        {OPTION_TOLERANCE, "--tolerance T",                                                       \
         "by how much elements may differ (the default: 0); above 1 in parts of the expected "    \
         "one"},                                                                                  \
    {                                                                                             \
        OPTION_QUIET, "--quiet", "does not say which files were written, or which `main` is run"  \
    }

// `NAME=REST` of the command line; no name: all of it is the rest.
typedef struct {
    ContraText name;
    ContraText rest;
    int64_t param; // output, comparison: which parameter; -1: all outputs
} Pair;

enum { MOST_PAIRS = 256 };

typedef struct {
    Pair items[MOST_PAIRS];
    int count;
} Pairs;

// What the command line says of a run.
typedef struct {
    const char *command; // as it is called: "run"
    ContraCheckOptions check;
    ExecuteOptions execute;
    const char *kernel;
    Pairs in, out, compare;
    double tolerance;
    bool has_tolerance, has_bf16; // they stand there
    bool print, list, quiet;
} RunOptions;

// What holds before any option. Requires: all else is {0}.
void run_options_init(RunOptions *options);

// Takes an option of these; `own` is a RunOptions.
bool run_take_option(void *own, int option, const char *value);

// Behind all options: whether each has something to do. False, with a message: one has not.
bool run_options_settle(const RunOptions *options);

// Whether it is a kernel that is run, and not `main`.
bool run_wants_kernel(const RunOptions *options);

// Runs kernel number `index`, and writes, shows and compares what it gives.
ExitStatus run_kernel(Contra *contra, const CommonOptions *common, RunOptions *options,
                      int64_t index);

#endif

// A kernel that callers launch again and again, on memory of the device or of their own.
#ifndef CONTRA_RUN_LAUNCH_H
#define CONTRA_RUN_LAUNCH_H

#include "run/run.h"

// What is bound to an argument, if anything is.
typedef struct {
    bool is_direct;    // the device works on it
    bool is_given;     // .. and knows that every element has a value
    bool padded;       // it has an element for every position
    const char *what;  // "the buffer for `x`"
    ContraInput input; // `in` with type and shape, which are those of `out`, too
    void *out;
    int64_t bytes;  // of all elements
    int64_t *sizes; // the shape; there is room for `most`
    int64_t most;
    ContraOutput output; // of `out`, since the last run
} LaunchBuffer;

struct ContraLaunch {
    ContraLaunch *next; // of those that are closed
    Arena own;          // what it needs, until it is closed
    KernelRun run;
    ContraRunOptions options;
    bool *is_given;        // one an argument: it came with the inputs
    LaunchBuffer *buffers; // one an argument
    int64_t copied;        // bytes of them, in the last run
    Arena made;            // outputs: of the last run, and behind `kept` those that were asked for
    ArenaMark kept;
};

// NULL: something does not fit, which was said, or it was cancelled.
ContraLaunch *launch_open(Contra *contra, const Kernel *kernel, const ContraInput *inputs,
                          int64_t count, const ContraRunOptions *options);
// Gives back what it needed.
void launch_close(ContraLaunch *launch);

// NULL: nothing. False: it does not fit, which was said.
bool launch_bind(ContraLaunch *launch, int64_t param, const ContraBuffer *buffer);
ContraStatus launch_run(ContraLaunch *launch);
const ContraOutput *launch_outputs(ContraLaunch *launch, int64_t *output_count);

#endif

// A kernel that callers launch again and again, on memory of the device or of their own.
#ifndef CONTRA_API_LAUNCH_AGAIN_H
#define CONTRA_API_LAUNCH_AGAIN_H

#include "api/sim.h"

// An argument that does not lie in HBM, where a launch finds nothing of the one before: it is given
// each time.
typedef struct {
    const HwArgument *place;
    uint32_t *bits;
    uint8_t *live;
} GivenAgain;

// What is bound to an argument.
typedef struct {
    bool is_bound;
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
    Run run;
    ContraRunOptions options;
    Lowered lowered;
    Simulation sim; // without a device: by the oracle
    struct {
        ARRAY(GivenAgain);
    } again;
    struct {
        ARRAY(Array *);
    } arrays; // by the oracle: of what goes in, then those of the last results
    int64_t input_arrays;
    bool *is_given;        // one an argument: it came with the inputs
    LaunchBuffer *buffers; // one an argument
    int64_t copied;        // bytes of them, in the last run
    Arena made;            // outputs: of the last run, and behind `kept` those that were asked for
    ArenaMark kept;
};

static inline bool launch_has_device(const ContraLaunch *launch)
{
    return launch->sim.device;
}

// Memory of an output overlaps no other. False: it does, which was said.
bool buffers_are_apart(ContraLaunch *launch);

// The output of a buffer that has one.
OutputWriter buffer_open_output(ContraLaunch *launch, int64_t index);

// ---- by the oracle

// False: an input does not fit, which was said.
bool launch_open_arrays(ContraLaunch *launch);
ContraStatus launch_run_arrays(ContraLaunch *launch);
void launch_forget_array(ContraLaunch *launch, int64_t index); // no element has a value any more
void launch_free_arrays(ContraLaunch *launch);

#endif

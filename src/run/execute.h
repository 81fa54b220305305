// The operations of a program on the device, one after the other.
#ifndef CONTRA_RUN_EXECUTE_H
#define CONTRA_RUN_EXECUTE_H

#include "device/device.h"
#include "run/object.h"

// Where a host program launches a kernel: the launch, and the calls around it, innermost first.
enum { LAUNCH_MOST_CALLS = 4 };

typedef struct LaunchSite {
    struct LaunchSite *next; // of the same kernel
    const Program *program;
    Span spans[LAUNCH_MOST_CALLS];
    int64_t count;
} LaunchSite;

// Notes the launch in these words, and its calls.
void launch_note(Diag *diag, const LaunchSite *launch, const char *words);

// What a parameter was given.
typedef struct {
    const Tensor *host;       // the tensor of the host; NULL: there is no host program
    const LaunchSite *launch; // that wrote to it last; NULL: none did, or the host wrote since
    const Op *op;             // that did in this launch
} Given;

typedef struct {
    const ContraRunOptions *options;
    Device *device;
    DeviceProgram *code;
    const HwObject *object;
    const Program *program;   // that the object was made of; NULL: it comes from a file
    const HwArgument *places; // of its tensors
    Oracle *oracle;           // executes it, too, and every operation must agree; NULL: none
    DiagList *diags;
    Arena *scratch;
    Arena *compared; // with an oracle: emptied after every operation, but not by `after`
    // Told of every operation that was executed, or begun. False: a diagnostic says why it does not
    // go on. NULL: nobody.
    bool (*after)(void *own, int64_t number);
    // NULL: there is no host program.
    Given (*given)(void *own, const Tensor *param);
    void *own;
} Execution;

// The tensor that an operation writes. NULL: none.
const Tensor *op_target(const Op *op);

// "A 3, B 0": what a position means; of padding "0".
Str position_text(Arena *arena, const Mapping *mapping, int64_t position);

// Whether two lie in the same bytes of HBM.
bool argument_meets(const HwArgument *a, const HwArgument *b);

// Applies the chosen instruction set and three of the options: the number of threads, the callback
// that cancels, and whether the sanitizer watches. False: no memory.
bool device_set_up(const Contra *contra, Device *device, const ContraRunOptions *options);

// False: a diagnostic says why it could not be finished.
bool execution_run(const Execution *execution);

#endif

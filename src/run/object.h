// A compiled kernel, and how a program becomes one.
#ifndef CONTRA_RUN_OBJECT_H
#define CONTRA_RUN_OBJECT_H

#include "command/object.h"
#include "run/state.h"

struct ContraObject {
    const Contra *contra;
    HwObject object;
    ObjectFacts facts; // of the file that it was read from
    Str name;          // of that file; empty: it was compiled
    DiagList beyond;   // why the chips cannot execute what was compiled; empty: they can
};

typedef enum {
    NOT_LOWERED,
    LOWERED,
    LOWERED_BEYOND, // .. to commands that chips cannot execute
    NOT_LOWERABLE,
} Lowering;

// A program as the device executes it.
typedef struct {
    Lowering state;
    HwObject object;
    HwArgument *places; // one a tensor of the program: where it lies; NULL: it comes from a file
    DiagList why;       // there are no commands, or none that chips can execute
} Lowered;

// Makes commands of a program, once, with addresses for what leaves them open. `run`: whose
// arguments the object has; NULL: it has none. False: it was cancelled.
bool program_lower(Contra *contra, Program *program, const struct KernelRun *run, Arena *scratch,
                   Lowered *lowered);

// Whether chips can execute them. False: a warning says why the program is left to the oracle, and
// what of the options that makes void.
bool lowered_admit(Contra *contra, const ContraRunOptions *options, const Program *program,
                   const Lowered *lowered);

// Whether the kernel of an object can run on the machine in use. False: it cannot, which was said.
bool object_admit(Contra *contra, const ContraObject *object);

// Where a tensor lies: an argument without a name and without what is known of its data.
HwArgument tensor_place(Arena *arena, const Machine *machine, const Tensor *tensor);

#endif

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

// A program as the device executes it.
typedef struct {
    HwObject object;
    HwArgument *places; // one a tensor of the program: where it lies; NULL: it comes from a file
} Lowered;

// Makes commands of a program, with addresses for what leaves them open. The object has no
// arguments yet. False: `diags` says why.
bool program_lower(Contra *contra, Program *program, Arena *scratch, DiagList *diags,
                   Lowered *lowered);

// Whether the device can execute the commands of a program. False: `why` has it in the words of the
// source.
bool program_admit(const Contra *contra, const Program *program, const HwObject *object,
                   DiagList *why);

// Says why a program is left to the oracle, by what `why` has of its lowering, and what of the
// options that makes void.
void warn_not_lowered(Contra *contra, const ContraRunOptions *options, const Program *program,
                      const DiagList *why);

// Whether the kernel of an object can run on the machine in use. False: it cannot, which was said.
bool object_admit(Contra *contra, const ContraObject *object);

// Where a tensor lies: an argument without a name and without what is known of its data.
HwArgument tensor_place(Arena *arena, const Machine *machine, const Tensor *tensor);

#endif

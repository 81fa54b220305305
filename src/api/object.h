// A compiled kernel as callers have it.
#ifndef CONTRA_API_OBJECT_H
#define CONTRA_API_OBJECT_H

#include "api/run.h"
#include "command/object.h"

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
    HwArgument *places; // one a tensor of the program: where it lies
} Lowered;

// Makes commands of a program. Addresses that it leaves open are chosen, and only `places` says
// which: the program stays as it was. The object has no arguments yet. False: `diags` says why.
bool program_lower(Contra *contra, Program *program, Arena *scratch, DiagList *diags,
                   Lowered *lowered);

// The same of the program of a run, with arguments.
bool run_lower(Run *run, Program *program, DiagList *diags, Lowered *lowered);

// Whether a program that was not traced does the same whenever it is run, and all of it. False: it
// has choices, or streams that come from outside or go there, which was said.
bool program_is_whole(Contra *contra, const Kernel *kernel);

// Where a tensor lies: an argument without a name and without what is known of its data.
HwArgument tensor_place(Arena *arena, const Machine *machine, const Tensor *tensor);

// What an argument is, and which of its positions are data.
void object_argument(Arena *arena, const Argument *argument, const Tensor *tensor,
                     const HwArgument *place, HwArgument *out);

// Whether the kernel of an object is one for the machine in use, which may be another one since
// contra_object_kernel. False: it is not, which was said.
bool object_still_fits(const Run *run);

// What the kernel of an object takes and gives back.
void object_arguments(Contra *contra, const ContraObject *object, Arguments *arguments);

// Executes what was lowered on the device, from the inputs of a run to its outputs. `program`: that
// it was made of; NULL: it comes from a file. With an oracle for the run, that must agree.
ContraStatus object_run(Run *run, const Lowered *lowered, const Program *program,
                        const ContraOutput **outputs, int64_t *output_count);

#endif

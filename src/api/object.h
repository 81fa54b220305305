// A compiled kernel as callers have it.
#ifndef CONTRA_API_OBJECT_H
#define CONTRA_API_OBJECT_H

#include "api/run.h"
#include "command/object.h"

struct ContraObject {
    HwObject object;
    ObjectFacts facts; // of the file that it was read from
    Str name;          // of that file; empty: it was compiled
};

// What an argument is, and which of its positions are data.
void object_argument(Arena *arena, const Machine *machine, const Argument *argument,
                     const Tensor *tensor, bool is_placed, HwArgument *out);

// What the kernel of an object takes and gives back.
void object_arguments(Contra *contra, const ContraObject *object, Arguments *arguments);

// Executes the kernel of an object on the device, and fills in its outputs.
ContraStatus object_run(Run *run, const ContraInput *inputs, int64_t count,
                        const ContraOutput **outputs, int64_t *output_count);

#endif

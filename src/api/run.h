// Kernels as callers see them: their parameters, and the shapes of the arrays for these.
#ifndef CONTRA_API_RUN_H
#define CONTRA_API_RUN_H

#include "api/shape.h"
#include "api/state.h"
#include "lang/kernel.h"
#include "lang/value.h"

typedef struct Argument {
    KernelParam param;
    bool is_input, is_output;
    Shape shape;       // of a tensor
    ContraParam shown; // the same for callers
} Argument;

// What a kernel takes, in order, then what it gives back.
typedef struct {
    const Kernel *kernel;
    struct {
        ARRAY(Argument);
    } items;
    int64_t result_start; // the first that is given back
} Arguments;

// A run: what was given, and what it is for.
typedef struct {
    Contra *contra;
    const ContraRunOptions *options;
    bool compiles; // only the numbers are needed
    Arguments arguments;
    const ContraInput **inputs; // one an argument; NULL: not given
    Array **arrays;             // one an argument; NULL: a number, or nobody wrote it
    const Tensor **tensors;     // one a parameter: what it is in the program
} Run;

// False: nobody outside can call it, which was said.
bool kernel_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments);

// Adds what a parameter is; behind that its shape is filled in, then argument_show.
Argument *arguments_add(Arena *arena, Arguments *arguments, const KernelParam *param, bool is_input,
                        bool is_output);
void argument_show(Arena *arena, Argument *argument, Str mapping);

// "`input`: i32 of shape (4096,)"; and a line for each.
Str argument_text(Arena *arena, const Argument *argument);
void arguments_note(Contra *contra, Diag *diag, const Arguments *arguments);

// The kernel of a number; NULL: there is none.
const Kernel *kernel_at(Contra *contra, int64_t index);

// Its mapping as it is written: "m![1], m![A, B # 8]".
Str tensor_mapping_text(Arena *arena, const Tensor *tensor);

// Reports an array whose shape is none of the argument's. `what`: "the array for `x`".
bool check_shape(Contra *contra, const Argument *argument, const ContraArray *array,
                 const char *what, bool *padded);

// "A 3, B 0": where an element of an output is.
Str index_text(Arena *arena, const ContraParam *param, int64_t element);

// Finds the parameter of each input, and reports what is unknown, given twice or missing.
void inputs_match(Run *run, const ContraInput *inputs, int64_t count);
// The numbers among them, in order; how many.
int64_t inputs_numbers(Run *run, Value *numbers);
// The program of a kernel for the inputs of a run. NULL: it is refused.
Program *run_program(Run *run, const ContraInput *inputs, int64_t count, const Kernel *kernel);
// Which tensor of the program each argument is.
void run_find_tensors(Run *run, const Program *program);
// An array for each tensor: filled, drawn or uninitialised.
void inputs_arrays(Run *run);
// What was given for an argument, at its positions that are no padding: shape.live values. False:
// it does not fit, which was said.
bool inputs_values(Run *run, int64_t index, uint32_t *bits);
// An output of the values at its positions that are no padding.
void output_make(Run *run, int64_t index, const uint32_t *bits, const uint8_t *live,
                 ContraOutput *output);

#endif

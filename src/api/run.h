// Kernels as callers see them: their parameters, and the shapes of the arrays for these.
#ifndef CONTRA_API_RUN_H
#define CONTRA_API_RUN_H

#include "api/element.h"
#include "api/shape.h"
#include "api/state.h"
#include "lang/eval/kernel.h"
#include "lang/eval/value.h"

typedef struct Argument {
    KernelParam param;
    bool is_input, is_output;
    const char *given_back; // of a result of a program: the name of its tensor; NULL: it has none
    Shape shape;            // of a tensor
    ContraParam shown;      // the same for callers
} Argument;

// What a kernel takes, in order, then what it gives back.
typedef struct {
    const Kernel *kernel;
    struct {
        ARRAY(Argument);
    } items;
    int64_t result_start; // the first that is given back
} Arguments;

typedef struct Prepared Prepared; // prepare.h

// A run: what was given, and what it is for.
typedef struct {
    Contra *contra;
    Arena *arena; // of what it needs
    const ContraRunOptions *options;
    bool compiles; // only the numbers are needed
    bool binds;    // a tensor that is not given is bound later
    Arena *made;   // where outputs are; NULL: with the Contra
    Arguments arguments;
    const ContraInput **inputs; // one an argument; NULL: not given
    Array **arrays;             // one an argument; NULL: a number, or nobody wrote it
    const Tensor **tensors;     // one a parameter: what it is in the program
    const Program *program;     // NULL: it comes from an object file
    Prepared *prepared;         // .. that it is of
} Run;

// False: nobody outside can call it, which was said.
bool kernel_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments);
// The same, whatever is known already.
bool kernel_read_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments);

// That an output is of. NULL: it is none of a run or launch of this Contra.
const Argument *argument_of_output(const Contra *contra, const ContraOutput *output);

// Adds what a parameter is; behind that its shape is filled in, then argument_show.
Argument *arguments_add(Arena *arena, Arguments *arguments, const KernelParam *param, bool is_input,
                        bool is_output);
void argument_show(Arena *arena, Argument *argument, Str mapping);

// "`input`: i32 of shape (4096,)"; and a line for each of the first.
Str argument_text(Arena *arena, const Argument *argument);
void arguments_note(Contra *contra, Diag *diag, const Arguments *arguments, int64_t count);

// The kernel of a number; NULL: there is none.
const Kernel *kernel_at(Contra *contra, int64_t index);
const Kernel *kernel_wanted(Contra *contra, int64_t index); // .. which was said

// Its mapping as it is written: "m![1], m![A, B # 8]".
Str tensor_mapping_text(Arena *arena, const Tensor *tensor);

// Reports an array whose shape is none of the argument's. `what`: "the array for `x`".
bool check_shape(Contra *contra, const Argument *argument, const ContraArray *array,
                 const char *what, bool *padded);

// "A 3, B 0": where an element of an array with the axes of a parameter is.
Str index_text(Arena *arena, const ContraParam *param, int64_t element);
// The same of an output, whose array may be one of the caller's in another form. Empty: the element
// is padding.
Str output_index(Contra *contra, const ContraOutput *output, int64_t element);

// Finds the parameter of each input, and reports what is unknown, given twice or missing.
void inputs_match(Run *run, const ContraInput *inputs, int64_t count);
// The numbers among them, in order; how many.
int64_t inputs_numbers(Run *run, Value *numbers);
// The program of a kernel for the inputs of a run. NULL: it is refused.
Program *run_program(Run *run, const ContraInput *inputs, int64_t count, const Kernel *kernel);
// Who may end it.
Canceller run_canceller(const Run *run);
// An array for each tensor: filled, drawn or uninitialised. False: one does not fit, which was
// said, or it was cancelled.
bool inputs_arrays(Run *run);
// Fills the array of one with what was given for it. What does not fit is said.
void input_fill(Run *run, int64_t index);

// One that is drawn, as run->arrays[index], and given back. False: its type has no random values,
// which was said, or it was cancelled.
bool input_is_drawn(const Run *run, int64_t index);
bool input_draw(Run *run, int64_t index, SmallRng *rng);
// What is in its array. False: it was cancelled.
bool input_values(Run *run, int64_t index, uint32_t *bits, uint8_t *live);
void input_drop(Run *run, int64_t index); // Requires: it was the last to be made
void input_refuse_random(Run *run, int64_t index);

// What was given for an argument: the values at its positions that are no padding, in order.
typedef struct {
    Run *run;
    const Argument *argument;
    const ContraArray *array;
    ElementTake take;
    const uint8_t *mask; // for every element of the array whether it is no padding; NULL: all are
    int64_t next;        // element of the array
} InputReader;

// Each false: it does not fit, which was said.
bool input_open(Run *run, int64_t index, InputReader *reader);
bool input_read(InputReader *reader, int64_t count, uint32_t *bits); // the next ones
// The bytes of the array are those of the tensor in a memory.
bool input_is_raw(const InputReader *reader);

// An output that is filled with the values at its positions that are no padding, in order.
typedef struct {
    Run *run;
    const Argument *argument;
    ContraOutput *output;
    const uint8_t *mask;  // one an element: it is no padding; NULL: all are
    uint8_t *data;        // of the output
    uint8_t *initialised; // NULL: all so far
    int64_t count;        // elements
    int64_t next;
} OutputWriter;

// An array is made for it.
OutputWriter output_open(Run *run, int64_t index, ContraOutput *output);
// The same in an array that is there, output->array: all of it is written. `padded`: it has an
// element for every position.
OutputWriter output_into(Run *run, int64_t index, ContraOutput *output, void *data, bool padded);
void output_add(OutputWriter *writer, int64_t count, const uint32_t *bits, const uint8_t *live);
void output_close(OutputWriter *writer);
// Says that nobody wrote some of it.
void output_warn(Run *run, int64_t index, const ContraOutput *output);
// The bytes of the tensor in a memory are those of an output of this type, if all have a value.
bool output_is_raw(const Argument *argument, ContraElement type);

// ---- by the oracle

// Runs the program on run->arrays, and adds those of what it gives back.
ContraStatus run_by_oracle(Run *run);
// The values that it left, as an output.
void output_add_array(OutputWriter *writer, const Array *array);

#endif

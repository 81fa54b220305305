// A run of a kernel, from arrays to arrays: it is prepared, arrays are put in, somebody executes
// it, and arrays are taken out.
#ifndef CONTRA_RUN_RUN_H
#define CONTRA_RUN_RUN_H

#include "run/element.h"
#include "run/object.h"
#include "run/shape.h"
#include "run/state.h"

#include "lang/eval/kernel.h"
#include "lang/eval/value.h"

// ---- what a kernel takes (arguments.c)

typedef struct Argument {
    KernelParam param;
    bool is_input, is_output;
    const char *given_back; // of a result of a program: the name of its tensor; NULL: it has none
    Shape shape;            // of a tensor
    ContraParam shown;      // the same for callers
} Argument;

// What a kernel takes, in order, then what it gives back.
typedef struct {
    ARRAY(Argument);
    const Kernel *kernel;
    int64_t result_start; // the first that is given back
} Arguments;

// False: nobody outside can call it, which was said.
bool kernel_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments);
// The same, whatever is known already.
bool kernel_read_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments);

// Whether it is generic, and no instance.
bool instance_is_missing(const Contra *contra, const Kernel *kernel);

// That an output is of. NULL: it is none of a run or launch of this Contra.
const Argument *argument_of_output(const Contra *contra, const ContraOutput *output);

// "`input`: i32 of shape (4096,)"; and a line for each of the first.
Str argument_text(Arena *arena, const Argument *argument);
void arguments_note(Contra *contra, Diag *diag, const Arguments *arguments, int64_t count);

// Its mapping as it is written: "m![1], m![A, B # 8]".
Str tensor_mapping_text(Arena *arena, const Tensor *tensor);

// ---- a run

typedef struct Prepared Prepared; // prepare.c
typedef struct KernelRun KernelRun;
typedef struct OutputWriter OutputWriter;

// Who executes a run, with memory for its arguments. Each false: it does not go on, which was said,
// or it was cancelled.
typedef struct {
    const char *name;
    // Puts the given or drawn values of an argument. An argument with neither loses all values.
    bool (*put)(KernelRun *run, int64_t index);
    bool (*run)(KernelRun *run);
    // What an argument holds.
    void (*get)(KernelRun *run, int64_t index, OutputWriter *writer);
} Backend;

extern const Backend backend_device, backend_oracle;

// Where a host program launches a kernel: the launch, and the calls around it, innermost first.
enum { LAUNCH_MOST_CALLS = 4 };

typedef struct LaunchSite {
    struct LaunchSite *next; // of the same kernel
    const Program *program;
    Span spans[LAUNCH_MOST_CALLS];
    int64_t count;
} LaunchSite;

// What a parameter was given.
typedef struct {
    const Tensor *host;       // the tensor of the host; NULL: there is no host program
    const LaunchSite *launch; // that wrote to it last; NULL: none did, or the host wrote since
    const Op *op;             // that did in this launch
} Given;

// A kernel, what was given to it, and what it is for.
struct KernelRun {
    Contra *contra;
    Arena *arena; // of what it needs
    Arena *scratch;
    Arena *compared; // beside an oracle: emptied after every operation, but not by `after`
    const ContraRunOptions *options;
    bool compiles; // only the numbers are needed
    bool binds;    // a tensor that is not given is bound later, and it runs again and again
    Arena *made;   // where outputs are; NULL: with the Contra
    Arguments arguments;
    const ContraInput **inputs; // one an argument; NULL: not given
    const Tensor **tensors;     // one a parameter: what it is in the program
    const Program *program;     // NULL: it comes from an object file
    Prepared *prepared;         // .. that it is of
    const Backend *backend;
    SmallRng rng;
    OutputWriter *writers; // one an argument; NULL: outputs are asked for later

    // on the device
    Lowered lowered;
    const HwArgument **places; // one an argument; NULL: of a number
    DeviceBinding *bindings;   // one an argument
    Device *device;
    DeviceProgram *code;
    const Diag *reduced; // padding that is reduced; NULL: none
    bool *is_bound;      // one an argument: it lies in memory of the caller; NULL: none does
    bool is_again;       // it ran before
    struct GivenAgain *again;

    // by the oracle, or beside it
    bool checks;    // what the device does
    Oracle *oracle; // every operation of the device must agree with it; NULL: none
    Array **arrays; // one an argument; NULL: a number, or nobody wrote it
    struct {
        ARRAY(Array *);
    } own;              // those that it frees: of what goes in, then of results
    int64_t own_inputs; // so many of the first

    void *host; // of a host program that launches it; NULL: there is none
    // Told of every operation that was executed, or begun. False: a diagnostic says why it does not
    // go on. NULL: nobody.
    bool (*after)(void *host, int64_t number);
    Given (*given)(void *host, const Tensor *param);
};

// Finds out what the kernel takes, what it became, and who executes that.
bool run_prepare(KernelRun *run, const Kernel *kernel, const ContraInput *inputs, int64_t count);
// Makes memory for the arguments, and puts in what is given and drawn.
bool run_open(KernelRun *run);
// What the end of an execution means that did not succeed.
ContraStatus run_failed(Contra *contra);
// Frees what lies outside of arenas.
void run_close(KernelRun *run);

// All of it, once. Until run_release the Contra holds what it needs.
ContraStatus run_once(Contra *contra, const Kernel *kernel, const ContraInput *inputs,
                      int64_t count, const ContraRunOptions *options, const ContraOutput **outputs,
                      int64_t *output_count);

// ---- on the device (device.c)

// Opens the device of a run. False: that failed, and a diagnostic says why.
bool run_open_device(KernelRun *run);
// Begins another run: arguments outside the caller's memory have their values again. False: out
// of memory, which was reported.
bool run_begin_device(KernelRun *run);

// Why the device cannot work directly on the caller's array, with elements of this type; NULL: it
// can. `is_output`: the caller wants what is written there.
const char *run_why_copied(const KernelRun *run, int64_t index, ElementType type, bool is_output);
// Lets the device work on the caller's array from now on. Requires: run_why_copied gives no reason.
void run_lend(KernelRun *run, int64_t index, const void *data);

// Applies the chosen instruction set and three of the options: the number of threads, the callback
// that cancels, and whether the sanitizer watches. False: no memory.
bool device_set_up(const Contra *contra, Device *device, const ContraRunOptions *options);

// Whether two arguments share bytes of HBM.
bool argument_meets(const HwArgument *a, const HwArgument *b);

// Values of consecutive positions; `live` says which of them exist.
typedef struct {
    uint32_t *bits;
    uint8_t *live;
} Values;

Values values_new(Arena *arena, int64_t count); // none of them exists
Values values_raw(Arena *arena, int64_t count); // uninitialized

// ---- the operations of a run on the device (execute.c)

// All of them. False: a diagnostic says why it could not be finished.
bool run_operations(const KernelRun *run);

// The tensor that an operation writes. NULL: none.
const Tensor *op_target(const Op *op);

// Notes the launch in these words, and its calls.
void launch_note(Diag *diag, const LaunchSite *launch, const char *words);

// "A 3, B 0": what a position means; of padding "0".
Str position_text(Arena *arena, const Mapping *mapping, int64_t position);

// A view as a part of the array of its tensor; `all`: the mapping of that.
ArrayView array_part(Arena *arena, const View *view, Array *whole, const Mapping *all);

// ---- the findings of the sanitizer, in terms of the program (faults.c)

// Adds a diagnostic for each kind of fault. False: there are none; `faults` may be NULL.
bool faults_report(const KernelRun *run, const DeviceFaults *faults);

// Looks at what the kernel wrote and gives back, behind its last operation.
void faults_find_results(const KernelRun *run);

// A reduction over slices of a program whose padding is not neutral, as the checker said; NULL:
// none.
const Diag *faults_find_reduced(const Program *program, const DiagList *said);
void faults_report_reduced(const KernelRun *run);

// ---- by an oracle (oracle.c)

// Drops the results of the last run.
void run_drop_results(KernelRun *run);

// An oracle for the program of a run, on its arrays. `is_beside`: it checks the device. It keeps
// all tensors if somebody compares them, or a host program looks at them behind their last use.
void run_open_oracle(KernelRun *run, bool is_beside);

// Files that were mapped need no memory for now.
void rest_files(const Contra *contra);

// ---- its program (prepare.c)

// For the inputs of a run. NULL: it is refused.
Program *run_program(KernelRun *run, const ContraInput *inputs, int64_t count,
                     const Kernel *kernel);

// Makes commands of it, once. NULL: it was cancelled.
const Lowered *run_lower(KernelRun *run);

// Whether a program that was not traced does the same whenever it is run, and all of it. False: it
// has choices, or streams that come from outside or go there, which was said.
bool program_is_whole(Contra *contra, const Kernel *kernel);

// What an argument is, and which of its positions are data.
void object_argument(Arena *arena, const Argument *argument, const Tensor *tensor,
                     const HwArgument *place, HwArgument *out);

// Whether the kernel of an object is one for the machine in use, which may be another one since
// contra_object_kernel. False: it is not, which was said.
bool object_still_fits(const KernelRun *run);

// What the kernel of an object takes and gives back.
void object_arguments(Contra *contra, const ContraObject *object, Arguments *arguments);

// ---- arrays in (input.c)

// Finds the parameter of each input, and reports what is unknown, given twice or missing.
void inputs_match(KernelRun *run, const ContraInput *inputs, int64_t count);
// The numbers among them, in order; how many.
int64_t inputs_numbers(KernelRun *run, Value *numbers);

// Reports an array whose shape is none of the argument's. `what`: "the array for `x`".
bool check_shape(Contra *contra, const Argument *argument, const ContraArray *array,
                 const char *what, bool *padded);

// What was given for an argument: the values at its positions that are no padding, in order.
typedef struct {
    KernelRun *run;
    const Argument *argument;
    const ContraArray *array;
    ElementTake take;
    const uint8_t *mask; // for every element of the array whether it is no padding; NULL: all are
    int64_t next;        // element of the array
} InputReader;

// Each false: it does not fit, which was said.
bool input_open(KernelRun *run, int64_t index, InputReader *reader);
bool input_read(InputReader *reader, int64_t count, uint32_t *bits); // the next ones
// The bytes of the array are those of the tensor in a memory.
bool input_is_raw(const InputReader *reader);

// An array for a tensor: filled, drawn or uninitialized. A result has one only once it exists.
// False: the input does not fit or its type has no random values (a diagnostic says which), or the
// run was cancelled.
bool input_array(KernelRun *run, int64_t index);
bool input_is_drawn(const KernelRun *run, int64_t index);
// What is in its array. False: it was cancelled.
bool input_values(KernelRun *run, int64_t index, Values *values);
void input_drop(KernelRun *run, int64_t index); // Requires: it was the last to be made
void input_refuse_random(KernelRun *run, int64_t index);

// Multiples of `unit`, from 0 on; as many as there are rows: an index is to name rows that are
// there. No rows: any values.
typedef struct {
    int64_t rows, unit;
} DrawRange;

// Of an argument of an object: by the gathers and scatters whose index it is. Of several tables the
// smallest counts.
DrawRange draw_range_of_argument(const HwObject *object, const HwArgument *argument);
// Brings values that were drawn into the range.
void draw_within(const DrawRange *range, uint32_t *bits, int64_t count);

// ---- arrays out (output.c)

// An output that is filled with the values at its positions that are no padding, in order.
struct OutputWriter {
    KernelRun *run;
    const Argument *argument;
    ContraOutput *output;
    bool is_there;        // its array is memory that the device works on
    const uint8_t *mask;  // one an element: it is no padding; NULL: all are
    uint8_t *data;        // of the output
    uint8_t *initialised; // NULL: all so far
    int64_t count;        // elements
    int64_t next;
};

// An array is made for it.
OutputWriter output_open(KernelRun *run, int64_t index, ContraOutput *output);
// The same in an array that is there, output->array: all of it is written. `padded`: it has an
// element for every position.
OutputWriter output_into(KernelRun *run, int64_t index, ContraOutput *output, void *data,
                         bool padded);
void output_add(OutputWriter *writer, int64_t count, const uint32_t *bits, const uint8_t *live);
void output_close(OutputWriter *writer);
// Says that nobody wrote some of it.
void output_warn(KernelRun *run, int64_t index, const ContraOutput *output);
// The bytes of the tensor in a memory are those of an output of this type, if all have a value.
bool output_is_raw(const Argument *argument, ContraElement type);

// "A 3, B 0": where an element of an output is, whose array may be one of the caller's in another
// form. Empty: the element is padding.
Str output_index(Contra *contra, const ContraOutput *output, int64_t element);

#endif

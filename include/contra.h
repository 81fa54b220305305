// Contra: a toolchain for the Virtual ISA of the Tensor Contraction Processor.
//
// Everything belongs to a Contra: settings, memory, the diagnostics of what was asked of it. It is
// used by one thread at a time; different ones are independent of each other. What a function gives
// back lives until contra_free of the Contra it came from, unless it says otherwise; functions for
// another Contra refuse it. Nothing here prints, exits or aborts. A child of fork may go on with
// what no other thread was using, with workers of its own. Do not cancel a thread during a call.
//
// A function that gives something back by way of a pointer writes to it whatever happens: where it
// does not return CONTRA_OK, what is there is NULL, an empty text, -1 for a number of something, or
// a count of 0, and a struct of these. The exceptions say so: results that tell what was found, and
// what is built. NULL for a handle or a result that must be there is CONTRA_INVALID.
//
// A Contra may live as long as the process. Besides what it gives back, it keeps what it read
// (texts that are checked again are read again: take a new one where they change often),
// diagnostics, and of each kernel what it was compiled to for the values of its numbers; to run,
// launch or compile it again needs no more memory. The outputs of contra_run_kernel stay; those of
// a launch do not.
//
//     #include <contra.h>
//     #include <stdio.h>
//
//     int main(void)
//     {
//         Contra *contra = contra_new();
//         ContraMapping *mapping = NULL;
//         contra_declare_axes(contra, contra_text("A=8,B=512"));
//         contra_mapping_parse(contra, contra_text("it"), contra_text("A, B # 1024"), &mapping);
//         if (mapping)
//             printf("%lld positions\n", (long long)contra_mapping_size(mapping));
//         else
//             fputs(contra_diagnostics(contra, CONTRA_PLAIN).data, stderr);
//         contra_free(contra);
//     }
//
// The sections of this header, in their order:
//
//     state          a Contra, its machine, where it takes memory from, who listens and who ends it
//     diagnostics    what is wrong, for people and as values
//     programs       sources that are checked
//     arrays         elements and shapes, files of NumPy and safetensors
//     kernels        sources that are read, and which kernels are in them
//     running        once, or again and again on memory of the caller; comparing results
//     compiling      objects, their files, what they take of the memories
//     schedules      cycles, as texts and as values
//     host programs  `main` and tests
//     names, mappings, division, pictures, sequencers
//                    the algebra that kernels are written in
//     building programs
//                    programs call by call: tensors, moves, passes, the Vector Engine
//     mappings by constructors
//
// docs/c-api.md is the guide to all of this, with an example of each.
//
// cc example.c $(pkg-config --cflags --libs contra)
#ifndef CONTRA_H
#define CONTRA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define CONTRA_API __attribute__((visibility("default")))
#else
#define CONTRA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

// How a call ended. NULL for a handle or a result that is needed, and the number of something that
// is not there, is CONTRA_INVALID of every function; one that gives back no status has nothing to
// give then: 0, NULL or an empty text. What else is refused stands at each function.
typedef enum {
    CONTRA_OK,
    CONTRA_INVALID,   // what was given is refused; the diagnostics have every reason
    CONTRA_NO_MEMORY, // memory ran out; the Contra can only be freed, and every function says so
    CONTRA_UNDECIDED, // the question needs more steps than are allowed; no answer was found
    CONTRA_CANCELLED, // the caller asked for an end
} ContraStatus;

// A struct whose first member is `size` may get more members behind the last one. Who provides one,
// for options or for a result, says in it how much of it he knows; `function` gives one in which
// that is done and all else is the default:
//
//     ContraRunOptions options = contra_run_options();
//     options.threads = 4;
//
// So a program and a library of different versions understand each other (docs/abi.md). NULL for
// options is the default, NULL for a result that nobody wants it. CONTRA_INVALID, of every function
// that takes one: its size is none, or it asks for something that came after this library. Structs
// without a size never change.
#define CONTRA_SIZED(type, function)              \
    static inline type function(void)             \
    {                                             \
        type prepared;                            \
        memset(&prepared, 0, sizeof prepared);    \
        prepared.size = (int64_t)sizeof prepared; \
        return prepared;                          \
    }

// Bytes with a length. Texts that Contra gives back are terminated, too.
typedef struct {
    const char *data;
    int64_t length;
} ContraText;

typedef struct Contra Contra;               // all the state there is
typedef struct ContraMapping ContraMapping; // a mapping; belongs to its Contra

// Of this header. A library with the same major number runs what was compiled with an older one.
#define CONTRA_VERSION_MAJOR 0
#define CONTRA_VERSION_MINOR 1
#define CONTRA_VERSION_PATCH 0

// A version as one number, later ones larger.
#define CONTRA_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define CONTRA_VERSION \
    CONTRA_VERSION_OF(CONTRA_VERSION_MAJOR, CONTRA_VERSION_MINOR, CONTRA_VERSION_PATCH)

// Of the library: "0.1.0", and as CONTRA_VERSION counts.
CONTRA_API const char *contra_version(void);
CONTRA_API int64_t contra_version_number(void);

// A text of a terminated string, which must live as long as what is made of it.
CONTRA_API ContraText contra_text(const char *terminated);

// ---- state

// NULL: no memory.
CONTRA_API Contra *contra_new(void);

// Where the memory of a Contra comes from, and how many threads it may use. The default: malloc,
// and as many as the machine has.
//
// All three functions are there or none of them; they may be called from several threads at once,
// and from several Contras if these share them. They do not call functions of this header. NULL
// from them is CONTRA_NO_MEMORY. What goes another way: the memories of the device, which are
// reserved whole with mmap and take room only where something was written, files that are mapped,
// and memory of the libraries that Contra uses (isl, Jansson, libcbor, zlib).
typedef struct {
    int64_t size;
    void *(*allocate)(void *own, size_t bytes);            // as malloc, aligned for every type
    void *(*resize)(void *own, void *block, size_t bytes); // as realloc of a block, which is there
    void (*release)(void *own, void *block);               // as free of a block, which is there
    void *own;
    int64_t threads; // most that work at once, whatever options say. 1: no other one does, but
                     // `main` and tests of host programs have one of their own, for its stack
} ContraNewOptions;

CONTRA_SIZED(ContraNewOptions, contra_new_options)

// NULL: no memory, or the options are refused.
CONTRA_API Contra *contra_new_with(const ContraNewOptions *options);

// Frees it and all that came from it. NULL is allowed.
CONTRA_API void contra_free(Contra *contra);

// The machine whose limits hold from now on: "rngd" (the default), "rngd-s", or the path of a JSON
// file (docs/machine.md). CONTRA_INVALID: there is none of that name, or the file describes none;
// the machine in use stays.
CONTRA_API ContraStatus contra_use_machine(Contra *contra, ContraText name);

// Every field of the machine in use with its value, unit and section of the manual.
typedef enum { CONTRA_TABLE, CONTRA_JSON } ContraFormat;
CONTRA_API ContraStatus contra_machine_table(Contra *contra, ContraFormat format, ContraText *text);

// The CPU instruction set that the simulated device uses: "plain", "avx2" or "avx512". It is the
// best one that the machine has, unless the environment variable CONTRA_ISA names another; all give
// the same results. CONTRA_INVALID: CONTRA_ISA names a set that does not exist or that the machine
// lacks. Every call that runs something on the device then fails in the same way.
CONTRA_API ContraStatus contra_instruction_set(Contra *contra, ContraText *name);

// What is being done, for somebody who looks for the reason of something. Nothing that is said here
// is needed to use the library, and no text stays the same from version to version.
typedef enum {
    CONTRA_LOG_INFO,   // a step: sources were checked, a kernel was compiled or run
    CONTRA_LOG_DETAIL, // what it was done with: a file that was read, a buffer that is copied and
                       // why
} ContraLogLevel;

// A line without its end; the text is gone when it returns. It does not call functions of this
// header for the same Contra, which holds for every callback.
typedef void ContraLog(void *own, ContraLogLevel level, ContraText text);
CONTRA_API void contra_set_log(Contra *contra, ContraLog *log, void *own); // NULL: nobody listens

// Asked now and then, from the thread of the caller or that of a host program, while something is
// checked, compiled, run or scheduled: true ends that with CONTRA_CANCELLED. Runs ask the function
// of their options, too. What was added by then stays; what was not finished is not there, and
// diagnostics are those found so far. A run that had begun adds one that says how far it came
// (E0902).
typedef bool ContraCancelled(void *own);
CONTRA_API void contra_set_cancel(Contra *contra, ContraCancelled *is_cancelled, void *own);

// ---- diagnostics

typedef enum {
    CONTRA_PLAIN,            // for people
    CONTRA_COLOUR,           // for people at a terminal
    CONTRA_DIAGNOSTICS_JSON, // for programs: an array of objects
} ContraDiagnosticStyle;

// How notes and helps call what can be asked for: as it is called here, or, for who passes them on
// to somebody at a terminal, as flags and subcommands of the command `contra`. The default is
// CONTRA_WORDS_LIBRARY. It counts for all diagnostics, those that were found before, too.
typedef enum { CONTRA_WORDS_LIBRARY, CONTRA_WORDS_COMMANDS } ContraWords;
CONTRA_API void contra_set_words(Contra *contra, ContraWords words);

// How many errors were reported since contra_new or contra_clear_diagnostics.
CONTRA_API int64_t contra_error_count(const Contra *contra);

// All diagnostics, rendered. Lives until the next call of it. Once memory ran out: that.
CONTRA_API ContraText contra_diagnostics(Contra *contra, ContraDiagnosticStyle style);
// One of them, in the order in which they were found; empty: there are no more.
CONTRA_API ContraText contra_diagnostic(Contra *contra, int64_t index, ContraDiagnosticStyle style);
CONTRA_API void contra_clear_diagnostics(Contra *contra);

// The same as values. Texts and arrays live until contra_free, whatever is cleared.

typedef enum { CONTRA_ERROR, CONTRA_WARNING } ContraSeverity;

// A piece of a source.
typedef struct {
    ContraText file;              // as it was called; empty: nowhere, and all else is 0
    int64_t start, end;           // bytes of its text, `end` is the first behind it
    int64_t line, column;         // of the start, from 1 on, in characters
    int64_t end_line, end_column; // of the end
} ContraPlace;

typedef struct {
    ContraText text;
    ContraPlace place; // that it is about
} ContraNote;

// `text` takes the place of what stands there; of an empty place, it comes in there.
typedef struct {
    ContraPlace place;
    ContraText text;
} ContraEdit;

// What to do. Where changing the text does it, the edits do, all of them together.
typedef struct {
    ContraText text;
    const ContraEdit *edits;
    int64_t edit_count; // 0: it is for people
} ContraHelp;

typedef struct {
    int64_t size;
    const char *code; // "E0107"
    ContraSeverity severity;
    const char *group;  // of rules, which may be relaxed by its name
    const char *manual; // chapter and section; "": the manual has none
    ContraText message;
    ContraText label; // stands at the place; may be empty
    ContraPlace place;
    const ContraNote *notes;
    int64_t note_count;
    const ContraHelp *helps;
    int64_t help_count;
} ContraDiagnostic;

CONTRA_SIZED(ContraDiagnostic, contra_diagnostic_info)

CONTRA_API int64_t contra_diagnostic_count(const Contra *contra);
// Diagnostic number `index`, in the order in which they were found. CONTRA_INVALID: there is none,
// and none is added for that.
CONTRA_API ContraStatus contra_diagnostic_at(Contra *contra, int64_t index,
                                             ContraDiagnostic *diagnostic);

// The long explanation of a code such as "E0107", a page of the manual of `contra`: options have
// the names of its flags there. CONTRA_INVALID: there is no such code; no diagnostic is added.
CONTRA_API ContraStatus contra_explain(Contra *contra, ContraText code, ContraText *text);

// Code number `index` and its one-line title; NULL beyond the last.
CONTRA_API const char *contra_code(int64_t index, const char **title);

// ---- programs

typedef enum {
    CONTRA_RULES_ALL,       // every rule of the manual
    CONTRA_RULES_REFERENCE, // what the vendor's library checks, and no more
} ContraRules;

typedef enum {
    CONTRA_MEMORY_REAL,     // tensors share the memories by their addresses
    CONTRA_MEMORY_DETACHED, // each has storage of its own; overlap is a warning
} ContraMemory;

// The default: every rule, nothing relaxed.
typedef struct {
    int64_t size;
    ContraText relax; // groups of rules that only warn: "cluster-size,slice-size"
    ContraRules rules;
    ContraMemory memory;
    int64_t most_steps; // after which a loop is taken for endless; 0: ten million
    ContraText cfg;     // names set for `#[cfg(..)]`: "furiosa_opt,feature=fast"
} ContraCheckOptions;

CONTRA_SIZED(ContraCheckOptions, contra_check_options)

typedef struct {
    int64_t size;
    int64_t files;
    int64_t lines;
    int64_t functions;  // that were checked
    int64_t kernels;    // of these, device functions
    int64_t operations; // of the traced programs
    int64_t errors;
    int64_t warnings;
    int64_t files_refused; // files with errors
    ContraText refused;    // the first of them; empty: none
} ContraCheckResult;

CONTRA_SIZED(ContraCheckResult, contra_check_result)

// Sources that are not read from disk: an editor has what was not saved yet. False: it has no such
// file, and the disk is asked. The text is copied.
typedef bool ContraRead(void *own, ContraText path, ContraText *text);
CONTRA_API void contra_use_files(Contra *contra, ContraRead *read, void *own);

// Reads the files (sources `*.rs`, or program texts `*.tcp`) and folders at `paths`, and checks
// every function in them. In a folder each file is a program of its own unless another one names it
// as its module; a folder with `src/lib.rs` or `src/main.rs` is a crate. CONTRA_INVALID: something
// is refused; the diagnostics are in the order of the text, and *result tells what was found.
CONTRA_API ContraStatus contra_check(Contra *contra, const ContraText *paths, int64_t count,
                                     const ContraCheckOptions *options, ContraCheckResult *result);

// The same for one source that is not in a file; `name` is what diagnostics call it. One that ends
// in `.tcp` is that of a program text. CONTRA_INVALID: as of contra_check.
CONTRA_API ContraStatus contra_check_text(Contra *contra, ContraText name, ContraText text,
                                          const ContraCheckOptions *options,
                                          ContraCheckResult *result);

// The programs that were traced, in the text form that contra_check reads back.
CONTRA_API ContraStatus contra_program_text(Contra *contra, ContraText *text);

// Group number `index` of rules, which may be relaxed by its name; NULL beyond the last.
CONTRA_API const char *contra_group(int64_t index);

// ---- arrays

// What an array in a file or in memory holds. The last three have no type in C or NumPy: they are
// bit patterns, in a .npy file unsigned integers of that width.
typedef enum {
    CONTRA_BOOL,
    CONTRA_I8,
    CONTRA_I16,
    CONTRA_I32,
    CONTRA_I64,
    CONTRA_U8,
    CONTRA_U16,
    CONTRA_U32,
    CONTRA_U64,
    CONTRA_F16,
    CONTRA_F32,
    CONTRA_F64,
    CONTRA_BF16,
    CONTRA_F8E4M3,
    CONTRA_F8E5M2,
} ContraElement;

// Elements without gaps, in the byte order of the machine, the last dimension fastest.
typedef struct {
    ContraElement type;
    int64_t rank;
    const int64_t *shape; // `rank` of them
    const void *data;
} ContraArray;

// "int32"; NULL: there is no such element type.
CONTRA_API const char *contra_element_name(ContraElement type);
// Elements of an array; -1: its shape has none that fit in 63 bits, or a negative dimension.
CONTRA_API int64_t contra_array_count(const ContraArray *array);
// Element number `index` in the order of memory, as the number it stands for. Requires: it exists.
CONTRA_API double contra_array_value(const ContraArray *array, int64_t index);

// Reads "F.npy", or "F.safetensors:NAME"; without `:NAME` the array called `wanted` is taken, or
// the only one. The file must not change while the Contra lives. CONTRA_INVALID: it cannot be read,
// has no such array, or one of a type that there is not.
CONTRA_API ContraStatus contra_array_read(Contra *contra, ContraText path, ContraText wanted,
                                          ContraArray *array);

// Writes a file of one array (`.npy`) or of several with their names (`.safetensors`). It is whole
// or not there at any time. CONTRA_INVALID: it cannot be written, or cannot hold that many.
CONTRA_API ContraStatus contra_array_write(Contra *contra, ContraText path, const ContraText *names,
                                           const ContraArray *arrays, int64_t count);

// ---- kernels

// Reads files and folders as contra_check does, without checking what is in them: a kernel is
// checked when it is run. What is read adds up: a file that is read twice has its kernels twice.
// CONTRA_INVALID: a text cannot be read.
CONTRA_API ContraStatus contra_load(Contra *contra, const ContraText *paths, int64_t count,
                                    const ContraCheckOptions *options);

// The same for host programs and tests: their names and types are checked. Rules of the hardware
// are not; a kernel that breaks one panics where it is launched. No paths: of what contra_load read
// before. CONTRA_INVALID: something is wrong.
CONTRA_API ContraStatus contra_check_types(Contra *contra, const ContraText *paths, int64_t count,
                                           const ContraCheckOptions *options);

// A piece of an axis (or of something made of axes) and its number of values.
typedef struct {
    ContraText text;
    int64_t size;
} ContraTerm;

// What goes into a kernel or comes out of it.
typedef struct {
    ContraText name;        // "input"; of what is given back "result", of a tuple "result.0", ..
    ContraText type;        // "bf16": of the elements, or of the number
    bool is_tensor;         // otherwise a number or bool
    bool is_input;          // can be given
    bool is_output;         // `&mut`, or given back
    ContraText mapping;     // tensor: chip and element as written, "m![1], m![A, B # 8]"
    const ContraTerm *axes; // tensor: the dimensions of its array
    int64_t axis_count;
} ContraParam;

// A number that a kernel was compiled for, which it takes no more.
typedef struct {
    ContraText name, value;
} ContraConstant;

typedef struct {
    int64_t size;
    ContraText name; // "module::function"; of an instance "module::function::<2>"
    ContraText file;
    ContraText generics;       // of a generic one as written, "const N: usize"; otherwise empty
    const ContraParam *params; // inputs in order, then what is given back; of a generic one with
                               // types as written, and no tensors
    int64_t param_count;
    const ContraConstant *constants; // of an object file: the numbers that it was compiled for
    int64_t constant_count;
} ContraKernel;

CONTRA_SIZED(ContraKernel, contra_kernel_info)

// Kernels of what was read so far, in the order of the text.
CONTRA_API int64_t contra_kernel_count(Contra *contra);
// CONTRA_INVALID: there is none of that number, or nobody can call it from outside, as a generic
// one; what is known of it is given all the same.
CONTRA_API ContraStatus contra_kernel(Contra *contra, int64_t index, ContraKernel *kernel);
// By its path or the end of it; of a generic one with arguments as in a launch, "gemm::<2, m![A]>",
// which makes that instance a kernel with a number of its own. CONTRA_INVALID: none has this name,
// or several do; the diagnostic lists them.
CONTRA_API ContraStatus contra_kernel_find(Contra *contra, ContraText name, int64_t *index);

// The output of a kernel with a name; empty: the one that is given back, or else the only one. What
// a program text or a program that was built gives back is found by the name of its tensor, too, if
// no other output has that name; an object file does not know it. *param is its number among the
// parameters. CONTRA_INVALID: there is none, and *param is -1; the diagnostic lists them.
CONTRA_API ContraStatus contra_output_find(Contra *contra, int64_t kernel, ContraText name,
                                           int64_t *param);

// ---- running

typedef enum {
    CONTRA_NUMERICS_TREE,       // as the hardware adds
    CONTRA_NUMERICS_SEQUENTIAL, // every sum in ascending order of the logical index
} ContraNumerics;

// What executes kernels. Both give the same values, bit for bit.
typedef enum {
    CONTRA_BACKEND_DEVICE, // simulated chips: commands, addresses and bytes
    CONTRA_BACKEND_ORACLE, // the definition: tensors as functions of their index; slower
} ContraBackend;

typedef struct {
    int64_t size;
    ContraNumerics numerics; // CONTRA_NUMERICS_SEQUENTIAL: by the oracle, whatever `backend` says;
                             // so does CONTRA_MEMORY_DETACHED
    int64_t threads;         // 0: as many as the machine has
    bool random;             // inputs that are not given are drawn as the language's SmallRng draws
    uint64_t seed;           // of it
    bool narrow_as_f32;      // bf16 and f8 outputs become float32 instead of bit patterns
    bool (*is_cancelled)(void *own);                        // asked now and then; may be NULL
    void (*progress)(void *own, int64_t done, int64_t all); // operations; may be NULL
    void (*print)(void *own, ContraText text);   // what a host program prints, nothing where it
                                                 // flushes; may be NULL
    void (*started)(void *own, ContraText file); // whose `main` is run now; may be NULL
    bool exact_words; // a test that expects a panic with some words is not content with a kernel
                      // that was refused in others
    void *own;
    bool sanitize; // watches every access to the memories of the device
    ContraBackend backend;
    bool check_oracle; // on the device: the oracle executes every operation, too, and what both
                       // have in its target is compared; a difference is refused, or a panic
    const ContraText *arguments; // of a host program: what `std::env::args` gives behind its name
    int64_t argument_count;
} ContraRunOptions;

CONTRA_SIZED(ContraRunOptions, contra_run_options)

// A value for a parameter. It stays the caller's, and is not needed after the call.
typedef struct {
    ContraText name;
    bool is_number;
    ContraText number; // "3", "0x40", "-1.5", "true"
    ContraArray array; // otherwise
    ContraText file;   // not empty: where the array is, as contra_array_read takes it
} ContraInput;

typedef struct {
    ContraParam param;
    ContraArray array;          // of shape param.axes
    int64_t uninitialised;      // elements nobody wrote: 0, or NaN
    const uint8_t *initialised; // one an element, 0 or 1; NULL: all are
} ContraOutput;

// Checks and runs a kernel, once: what is run often is launched (below). An input array may have
// the shape of the parameter's axes, with or without padding, of whole axes where they are split in
// order, or be flat; dimensions of 1 do not count. Outputs come in the order of contra_kernel, and
// stay until contra_free. CONTRA_INVALID: the kernel breaks a rule; an input has no parameter, or
// is missing; type, shape or values of one do not fit; or the run failed.
CONTRA_API ContraStatus contra_run_kernel(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                          int64_t input_count, const ContraRunOptions *options,
                                          const ContraOutput **outputs, int64_t *output_count);

// A kernel that is launched again and again: compiled, its tensors in the memories of the device or
// in buffers of the caller.
//
//     contra_launch_open(contra, kernel, NULL, 0, &options, &launch);
//     for (..) {
//         ContraBuffer a = contra_buffer(), y = contra_buffer(); // float a[8][512], y[8]
//         a.type = y.type = CONTRA_F32;
//         a.rank = 2, a.shape = (int64_t[]){8, 512}, a.in = ..;
//         y.rank = 1, y.shape = (int64_t[]){8}, y.out = ..;
//         contra_launch_bind(launch, 0, &a);
//         contra_launch_bind(launch, 1, &y);
//         contra_launch_run(launch);
//     }
//     contra_launch_close(launch);
typedef struct ContraLaunch ContraLaunch;

// Checks and compiles a kernel, and brings the inputs to the device; a tensor that is not among
// them is bound before the first run. A kernel that cannot run on the device is launched by the
// oracle, as by contra_run_kernel. It belongs to the caller, and must be closed before its Contra
// is freed. CONTRA_INVALID: as of contra_run_kernel; *launch is NULL.
CONTRA_API ContraStatus contra_launch_open(Contra *contra, int64_t kernel,
                                           const ContraInput *inputs, int64_t input_count,
                                           const ContraRunOptions *options, ContraLaunch **launch);

// Memory of the caller for a tensor. Elements lie without gaps in the byte order of the machine,
// the last dimension fastest, each at a multiple of its size. A parameter that the kernel only
// reads has `in`, what it gives back has `out`, and a `&mut` parameter has either or both; where
// both are the same memory it is read and written in place.
typedef struct {
    int64_t size;       // of this struct: contra_buffer()
    ContraElement type; // of an `out` that of an output: float32 for bf16 and f8, or bit patterns
    int64_t rank;
    const int64_t *shape; // `rank` of them: any shape that an input may have
    int64_t bytes;        // of the memory, at least as many as the elements have; 0: just these
    const void *in;       // what it holds when a launch begins; NULL: nothing. Never written
    void *out;            // takes what it holds at the end; NULL: nobody wants it
} ContraBuffer;

CONTRA_SIZED(ContraBuffer, contra_buffer)

// From now on parameter number `param`, as contra_kernel counts them, is in this memory, which
// stays the caller's and must be there in every run until another one is bound, or none: with NULL
// the parameter holds nothing. The struct and its shape are copied. It takes less than a
// microsecond, and no memory, to bind another buffer of the same type and shape.
//
// The device works on the memory itself, and no byte of it is copied, if the tensor is an argument
// in HBM whose elements lie there as in the array (the order of its mapping is that of the
// dimensions, and there is no padding), of the same type, and if the kernel keeps to the bytes of
// the tensor wherever it touches them. What another parameter shares bytes of HBM with, and what
// the kernel writes to while there is no `out`, is copied. So is everything else: when a run begins
// from `in`, when it ends to `out`, block by block. Nothing runs directly beside `check_oracle`, or
// by the oracle.
//
// CONTRA_INVALID: there is no such parameter, or it is a number; type or shape do not fit; the
// memory is too small, or its elements are not at multiples of their size; it has an `out` that the
// kernel does not write, an `in` for what is given back, or neither. What was bound stays.
CONTRA_API ContraStatus contra_launch_bind(ContraLaunch *launch, int64_t param,
                                           const ContraBuffer *buffer);
// Whether the device works on the memory that is bound to a parameter itself. If not, the log has
// said why.
CONTRA_API bool contra_launch_is_direct(const ContraLaunch *launch, int64_t param);

// Executes it once, from HBM to HBM: it reads what lies there, or in the buffers, whatever was
// written to these since. Every element of an `in` counts as written. What is bound without `in`
// begins without a value; elements of an `out` that nobody wrote become 0, or NaN. Arguments in DM
// and register files, which no launch leaves to the next, are those of the inputs each time.
//
// CONTRA_INVALID: a tensor was neither given nor bound; memory of an `out` overlaps that of another
// buffer (of one `in` several parameters may be); a value of an `in` does not fit its type; or the
// kernel failed. What is in every `out` is not said then.
CONTRA_API ContraStatus contra_launch_run(ContraLaunch *launch);
// Bytes of buffers that the last run copied or converted: 0 if all are direct. An `in` beside
// another `out` counts, too.
CONTRA_API int64_t contra_launch_copied_bytes(const ContraLaunch *launch);

// What it gives back and wrote, as contra_run_kernel does; where a buffer has an `out`, the array
// is that. It lives until the next call of this, of contra_launch_run or contra_launch_bind.
CONTRA_API ContraStatus contra_launch_outputs(ContraLaunch *launch, const ContraOutput **outputs,
                                              int64_t *output_count);
// Bytes of HBM, DM and register files that hold a value.
CONTRA_API int64_t contra_launch_tensor_bytes(const ContraLaunch *launch);
CONTRA_API void contra_launch_close(ContraLaunch *launch); // NULL: nothing

// One element beside what was expected.
typedef struct {
    int64_t element; // its number; -1: there is none
    double found, expected;
    double difference; // |found - expected|; infinite, if it cannot be said
} ContraDifference;

typedef struct {
    int64_t size;
    bool within;       // every element is
    int64_t compared;  // elements
    int64_t beyond;    // of them
    int64_t differing; // of them that are not equal, within the tolerance or not
    int64_t unwritten; // of them that nobody wrote
    int64_t apart;     // of them that are NaN or infinite while the other one is not so
    // The first that nobody wrote; the first that is apart; of the others the one with the largest
    // difference, and the one with the largest in parts of what was expected, unless that is 0.
    ContraDifference first_unwritten, first_apart, largest, largest_relative;
} ContraComparison;

CONTRA_SIZED(ContraComparison, contra_comparison)

// Compares an output of a run or a launch with what was expected, whose shape may be any that an
// input may have. An element is within `tolerance` when |found - expected| <= tolerance * max(1,
// |expected|), or both are NaN; one that nobody wrote never is. CONTRA_INVALID: some are beyond
// (the diagnostic names the worst, *comparison has them all), or the arrays cannot be compared:
// `compared` is 0 then.
CONTRA_API ContraStatus contra_compare(Contra *contra, const ContraOutput *output,
                                       const ContraArray *expected, double tolerance,
                                       ContraComparison *comparison);

// "A 3, B / 8 0": the logical index of an element of an output. Empty: its array has no such
// element, or it is padding there.
CONTRA_API ContraText contra_output_index(Contra *contra, const ContraOutput *output,
                                          int64_t element);

// ---- compiling

typedef struct ContraObject ContraObject; // a compiled kernel; belongs to its Contra

// Checks a kernel and lowers it to commands for the machine. `inputs` are the values of its
// numbers; its tensors come later, with a run. To compile the same again costs nothing.
// CONTRA_INVALID: it breaks a rule, a number is missing or does not fit, or there are no commands
// for it; *object is NULL.
CONTRA_API ContraStatus contra_compile(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                       int64_t input_count, ContraObject **object);

// The program that is compiled, in the text form that contra_check and contra_load read.
// CONTRA_INVALID: as of contra_compile.
CONTRA_API ContraStatus contra_kernel_program(Contra *contra, int64_t kernel,
                                              const ContraInput *inputs, int64_t input_count,
                                              ContraText *text);

// The same as a drawing (SVG): its tensors and streams, with the axes of each dimension; every
// operation of the source once. CONTRA_INVALID: likewise.
CONTRA_API ContraStatus contra_kernel_picture(Contra *contra, int64_t kernel,
                                              const ContraInput *inputs, int64_t input_count,
                                              ContraText *picture);

// Takes out what only people need: files, lines and texts of the source.
CONTRA_API ContraStatus contra_object_strip(Contra *contra, ContraObject *object);

// Writes an object file; it is whole or not there at any time. The same kernel, machine and version
// of Contra give the same bytes. CONTRA_INVALID: it cannot be written there, something is there
// that is no object file, or the chips cannot execute it.
CONTRA_API ContraStatus contra_object_write(Contra *contra, const ContraObject *object,
                                            ContraText path);
// CONTRA_INVALID: it is no object file, cut off, damaged, or of another format.
CONTRA_API ContraStatus contra_object_read(Contra *contra, ContraText path, ContraObject **object);
// The same of the bytes of such a file, which are copied; `name` is what diagnostics call it.
// CONTRA_INVALID: likewise.
CONTRA_API ContraStatus contra_object_parse(Contra *contra, ContraText name, ContraText bytes,
                                            ContraObject **object);

// Makes the kernel of an object one of those that can be run: *kernel is its number. Arrays go in
// and come out as of a kernel from source; the numbers it was compiled for are no parameters any
// more. It is executed on the memories of the machine in use, and never by the oracle; what is
// drawn for it comes in the order of the elements of its arrays. CONTRA_INVALID: it was made for
// another machine (contra_object_fits), which a run or launch says, too, if the machine became
// another one since; or it holds something that cannot be executed, and the diagnostic names the
// field.
CONTRA_API ContraStatus contra_object_kernel(Contra *contra, const ContraObject *object,
                                             int64_t *kernel);

// Whether it was compiled for the machine in use, or one with the same numbers. CONTRA_INVALID: it
// was not; the diagnostic says for which.
CONTRA_API ContraStatus contra_object_fits(Contra *contra, const ContraObject *object);

// What it is, in numbers.
typedef struct {
    int64_t size;
    ContraText kernel;
    ContraText machine; // that it was compiled for
    ContraText version; // of the Contra that did it
    int64_t chips;
    int64_t operation_count, tensor_count, memory_count;
    int64_t pass_count;       // commands of the contexts: passes of the Tensor Unit,
    int64_t dma_count;        // moves,
    int64_t write_count;      // and writes of single values
    int64_t descriptor_count; // of all moves
} ContraObjectSummary;

CONTRA_SIZED(ContraObjectSummary, contra_object_summary_info)

CONTRA_API ContraStatus contra_object_summary(Contra *contra, const ContraObject *object,
                                              ContraObjectSummary *summary);

// What the tensors of an object take of a memory. A place is a chip, or a slice of DM and of the
// register files; tensors at one address count once, whether in one place or in different ones.
typedef struct {
    int64_t size;
    const char *memory;       // "HBM", "DM", "TRF" or "VRF"
    int64_t bytes;            // that a place has, of the machine in use
    int64_t clusters, slices; // places of a chip; 1 and 1: it is one
    int64_t used;             // bytes of a place that belong to tensors
    int64_t end;              // the first byte behind all of them
    int64_t tensor_count;
} ContraMemoryUse;

CONTRA_SIZED(ContraMemoryUse, contra_memory_use)

// Memory number `index`. CONTRA_INVALID: there is none of that number.
CONTRA_API ContraStatus contra_object_memory(Contra *contra, const ContraObject *object,
                                             int64_t index, ContraMemoryUse *memory);

// The default: a listing for people.
typedef struct {
    int64_t size;
    bool json;     // all of it, as docs/compile.schema.json describes
    bool verbose;  // listing: all fields, those that say nothing, too
    bool colour;   // listing: for a terminal
    int64_t width; // listing: characters of a line; 0: 100
} ContraListingOptions;

CONTRA_SIZED(ContraListingOptions, contra_listing_options)

// A listing of its commands, or all of it as JSON.
CONTRA_API ContraStatus contra_object_text(Contra *contra, const ContraObject *object,
                                           const ContraListingOptions *options, ContraText *text);

// The JSON schema of the above.
CONTRA_API ContraStatus contra_object_schema(Contra *contra, ContraText *text);

// ---- schedules

typedef struct ContraSchedule ContraSchedule; // a kernel in time; belongs to its Contra

// How cycles are counted: by the rules of the manual, as the vendor's scheduler does, or as the
// chip was measured to. docs/cost.md says how far off each is.
typedef enum { CONTRA_COST_MANUAL, CONTRA_COST_STATIC, CONTRA_COST_SILICON } ContraCost;

typedef struct {
    int64_t size;
    ContraCost cost;
    const int64_t *order; // operations by their numbers: they begin in this order, and take the
    int64_t order_count;  // places among the others that they have in the program. NULL: its order
} ContraScheduleOptions;

CONTRA_SIZED(ContraScheduleOptions, contra_schedule_options)

// Reads the numbers of an order from a text, as `4` or `#4`: with blanks, commas and ends of lines
// between them, comments from another `#` to the end of a line. They live until contra_free().
// CONTRA_INVALID: there is something else in it, or nothing; `name` says in what.
CONTRA_API ContraStatus contra_schedule_order(Contra *contra, ContraText name, ContraText text,
                                              ContraScheduleOptions *options);

// Costs the operations of an object and places them in time. CONTRA_INVALID: it was made for
// another machine, or operations cannot be in that order.
CONTRA_API ContraStatus contra_schedule(Contra *contra, const ContraObject *object,
                                        const ContraScheduleOptions *options,
                                        ContraSchedule **schedule);

// From the begin of the kernel to its end.
CONTRA_API int64_t contra_schedule_cycles(const ContraSchedule *schedule);

typedef enum {
    CONTRA_SCHEDULE_SUMMARY, // for people, in a terminal
    CONTRA_SCHEDULE_JSON,    // docs/schedule.md
    CONTRA_SCHEDULE_TRACE,   // trace events, as Perfetto and Chrome read them
    CONTRA_SCHEDULE_SVG,     // a drawing
} ContraScheduleForm;

typedef struct {
    int64_t size;
    ContraScheduleForm form;
    bool colour;   // summary: for a terminal
    int64_t width; // summary: characters of a line; 0: 100
} ContraScheduleTextOptions;

CONTRA_SIZED(ContraScheduleTextOptions, contra_schedule_text_options)

// The schedule in that form. CONTRA_INVALID: there is no such form.
CONTRA_API ContraStatus contra_schedule_text(Contra *contra, const ContraSchedule *schedule,
                                             const ContraScheduleTextOptions *options,
                                             ContraText *text);

// The page that shows a schedule in a browser: HTML that needs nothing else. `document` is the
// schedule as JSON, which the page looks at; empty: the page asks for a file.
CONTRA_API ContraStatus contra_schedule_page(Contra *contra, ContraText document, ContraText *page);

// The default: for people.
typedef struct {
    int64_t size;
    bool json; // docs/schedule.md
} ContraCompareOptions;

CONTRA_SIZED(ContraCompareOptions, contra_compare_options)

// What got faster and what slower from one schedule to another, each as JSON or as a page with it.
// `names` say which is which. CONTRA_INVALID: one of them is no schedule.
CONTRA_API ContraStatus contra_schedule_compare(Contra *contra, const ContraText names[2],
                                                const ContraText documents[2],
                                                const ContraCompareOptions *options,
                                                ContraText *text);

// ---- schedules as values
//
// What CONTRA_SCHEDULE_JSON says, for programs that have no use for a text: with the same words,
// which docs/schedule.md lists. Cycles count from 0, the begin of the kernel; `begin` and `from`
// are the first that are meant, `end` and `to` the first that are not. Texts and arrays live until
// contra_free. CONTRA_INVALID: there is none of that number.
//
//     ContraScheduleSummary summary = contra_schedule_summary_info();
//     contra_schedule_summary(contra, schedule, &summary);
//     for (int64_t i = 0; i < summary.critical_count; i++) {
//         ContraScheduledOperation operation = contra_scheduled_operation();
//         contra_schedule_operation(contra, schedule, summary.critical[i], &operation);
//         printf("%s: %s\n", operation.method.data, operation.bound);
//     }

typedef struct {
    int64_t size;
    ContraText kernel, machine;
    int64_t clock_mhz, chips;
    int64_t cycles;      // as contra_schedule_cycles says
    int64_t least, most; // what the error of the cost model leaves open
    int64_t operation_count, lane_count, tensor_count;
    const int64_t *critical; // numbers of operations: the critical path, the first one first
    int64_t critical_count;
    int64_t macs, peak_macs; // multiplications; what all slices could have done in that time
    int64_t hbm_bytes;       // read and written
    int64_t hbm_peak_bytes;  // that could have been, in that time
    double intensity;        // multiplications a byte of HBM
    double ridge;            // the same, from which on the MAC array is the bound
    const char *bound;       // "compute" or "memory": on which side of that it is
} ContraScheduleSummary;

CONTRA_SIZED(ContraScheduleSummary, contra_schedule_summary_info)

CONTRA_API ContraStatus contra_schedule_summary(Contra *contra, const ContraSchedule *schedule,
                                                ContraScheduleSummary *summary);

// Something that operations occupy, and wait for.
typedef struct {
    int64_t size;
    const char *kind;        // "dma", "pcie", "main", "sub", "vector" or "hbm"
    ContraText name;         // "DMA 0.3"
    int64_t cluster, engine; // of a DMA Engine; -1: of others
    int64_t busy;            // cycles that it is occupied, all told
} ContraLane;

CONTRA_SIZED(ContraLane, contra_lane)

CONTRA_API ContraStatus contra_schedule_lane(Contra *contra, const ContraSchedule *schedule,
                                             int64_t index, ContraLane *lane);

// A lane that an operation occupies.
typedef struct {
    int64_t lane, from, to;
} ContraLaneUse;

// What an operation waits for.
typedef struct {
    const char *kind;   // "raw", "war", "waw", "lane", "bank", "switch", "sync", "start" or "fifo"
    int64_t operation;  // that is waited for; -1: none
    int64_t other;      // of "bank": that it must not run beside, together with that one; -1: none
    int64_t until;      // the cycle from which on it is over
    int64_t lane;       // that the other one has until then; -1: none
    const char *memory; // of a hazard: "DM"; NULL: it is none, and all that follows is 0
    int64_t from, to;   // bytes there that both touch: a piece of them
    int64_t low, high;  // where that piece and the others like it lie
} ContraWait;

// What a part of a command takes by itself.
typedef struct {
    int64_t command;    // of the operation, from 0 on
    const char *part;   // "fetch", "contract", "HBM read", ..
    int64_t busy;       // cycles that it is at work, at its own pace
    int64_t latency;    // cycles from its first input to its first output
    const char *origin; // of these: "rule", "requests", "sample" or "measured" (docs/cost.md)
    const char *rule;   // section of the manual; "": none
    ContraText note;    // what makes it slow; empty: nothing does
} ContraCostPart;

typedef struct {
    int64_t size;
    ContraText method;   // as the program calls it: "to_dm"
    const char *context; // "main", "sub", "tdma" or "pdma"
    ContraText file;     // where it is written; empty: not known
    int64_t line;        // from 1 on; 0: not known
    ContraText source;   // that line; empty: not known
    int64_t begin, end;
    int64_t slack;             // cycles that it could end later without the kernel ending later
    bool is_critical;          // it is on the critical path
    const char *bound;         // the part that takes longest, as in `parts`; "": it has no commands
    int64_t commands;          // that it became; they follow each other
    int64_t bytes;             // that leave the memory it reads
    int64_t macs;              // multiplications
    int64_t first_chip, chips; // that execute it: the first, and how many up to the last
    // In parts of 1000, what it uses of the MAC array, of the lanes of the Vector Engine, of the
    // slices, and of the bandwidth of what it reads with; 0, too, where the object does not say it.
    int64_t mac_permille, lane_permille, slice_permille, bandwidth_permille;
    const ContraText *hints; // what would be quicker
    int64_t hint_count;
    const ContraLaneUse *uses;
    int64_t use_count;
    const ContraWait *waits; // the last to be over first: that one held it up
    int64_t wait_count;
    const ContraCostPart *parts; // of its commands, one after the other
    int64_t part_count;
    const int64_t *reads; // numbers of tensors
    int64_t read_count;
    int64_t writes; // number of a tensor; -1: none
} ContraScheduledOperation;

CONTRA_SIZED(ContraScheduledOperation, contra_scheduled_operation)

// Operation number `index`, in the order of the program.
CONTRA_API ContraStatus contra_schedule_operation(Contra *contra, const ContraSchedule *schedule,
                                                  int64_t index,
                                                  ContraScheduledOperation *operation);

typedef struct {
    int64_t size;
    int64_t number;            // by which operations name it
    ContraText name;           // empty: it has none
    ContraText file;           // where it comes into being; empty: not known
    int64_t line;              // from 1 on; 0: not known
    const char *memory, *type; // "DM", "bf16"
    ContraText mapping;
    int64_t address;                 // in each place; -1: it has none, of the host
    int64_t bytes;                   // in one place
    int64_t chips, clusters, slices; // places: of each chip, and of each cluster
    int64_t from, to;                // cycles, from the first write to the last use
    int64_t writer;         // the operation that wrote it first; -1: it comes with the call
    const int64_t *readers; // operations
    int64_t reader_count;
} ContraScheduledTensor;

CONTRA_SIZED(ContraScheduledTensor, contra_scheduled_tensor)

// Tensor `index` of those of the schedule, in the order of their numbers.
CONTRA_API ContraStatus contra_schedule_tensor(Contra *contra, const ContraSchedule *schedule,
                                               int64_t index, ContraScheduledTensor *tensor);

// ---- host programs

typedef struct {
    int64_t size;
    bool panicked;
    ContraText message; // of the panic
    ContraText file;    // that was run; empty: none
} ContraMainResult;

CONTRA_SIZED(ContraMainResult, contra_main_result)

// Reads the file, crate or folder at `path` as contra_load does, and runs its `main`, unless
// something that `main` uses has an error: errors elsewhere do not matter. If a crate has no
// program, its tests, examples and benches are read. CONTRA_INVALID: it is refused, has no `main`
// or several, or panicked; the diagnostics say why, and *result has what is known.
CONTRA_API ContraStatus contra_run_main(Contra *contra, ContraText path,
                                        const ContraCheckOptions *check,
                                        const ContraRunOptions *options, ContraMainResult *result);

typedef struct {
    int64_t size;
    ContraText name; // "module::function"; in a test crate "tests/file::module::function"
    ContraText file;
    int64_t line;
    bool is_ignored;     // #[ignore]
    ContraText reason;   // #[ignore = ".."]; empty
    bool should_panic;   // #[should_panic]
    ContraText expected; // part of the message it should panic with; empty: any
} ContraTest;

CONTRA_SIZED(ContraTest, contra_test_info)

// Tests of what contra_check or contra_load read, in the order of the text. A test that uses
// something with an error fails, with that error; errors elsewhere do not stop it.
CONTRA_API int64_t contra_test_count(Contra *contra);
// CONTRA_INVALID: there is none of that number.
CONTRA_API ContraStatus contra_test(Contra *contra, int64_t index, ContraTest *test);

typedef struct {
    int64_t size;
    bool passed;
    ContraText message; // failed: why; passed: a remark, or nothing
} ContraTestResult;

CONTRA_SIZED(ContraTestResult, contra_test_result)

// Runs one test. CONTRA_INVALID: it failed, and the diagnostics say where and why, *result in
// short.
CONTRA_API ContraStatus contra_test_run(Contra *contra, int64_t index,
                                        const ContraRunOptions *options, ContraTestResult *result);

// ---- names

// "A=8,B=512" declares axes; "B'=B-A" declares B' as the axis B skewed by A. CONTRA_INVALID: that
// is no such list, or a name is there already.
CONTRA_API ContraStatus contra_declare_axes(Contra *contra, ContraText axes);

// "L=A, B # 8": names a mapping, for use as { L }. CONTRA_INVALID: that is no definition, or the
// name is there already. The mapping is read when the next one is parsed, so the names in it may be
// declared later; while something is wrong with it, no mapping is parsed.
CONTRA_API ContraStatus contra_define(Contra *contra, ContraText definition);

// ---- mappings

// Parses and checks `text` (copied), which diagnostics call `name`. On CONTRA_INVALID *mapping is
// NULL.
CONTRA_API ContraStatus contra_mapping_parse(Contra *contra, ContraText name, ContraText text,
                                             ContraMapping **mapping);

// How many positions it has.
CONTRA_API int64_t contra_mapping_size(const ContraMapping *mapping);

// As written, with uniform blanks; for a result of an operation, its normal form.
CONTRA_API ContraText contra_mapping_text(const ContraMapping *mapping);

// The normal form, which parses back to the same mapping.
CONTRA_API ContraText contra_mapping_normal(const ContraMapping *mapping);

// One factor of the normal form.
typedef struct {
    bool is_padding;
    ContraText text; // of a term, as an expression
    int64_t size;    // a term: its positions; a padding: positions of all inside, itself included
    int64_t block;   // positions inside it
} ContraFactor;

CONTRA_API int64_t contra_mapping_factor_count(const ContraMapping *mapping);
// Factor `index`, innermost first. CONTRA_INVALID: there is none.
CONTRA_API ContraStatus contra_mapping_factor(Contra *contra, const ContraMapping *mapping,
                                              int64_t index, ContraFactor *factor);

// The axes it can name, in the order in which they first occur. NULL: there is none of that number.
CONTRA_API int64_t contra_mapping_axis_count(const ContraMapping *mapping);
CONTRA_API const char *contra_mapping_axis(const ContraMapping *mapping, int64_t index,
                                           int64_t *size);

// What a position holds: `count` indices (0: padding; more than one: a linear combination), each
// with a value per axis, one index after the other. Lives until the next call for this Contra.
typedef struct {
    int64_t count;
    const int64_t *values;
} ContraCell;

// CONTRA_INVALID: the position lies outside, or more than 4096 indices share it.
CONTRA_API ContraStatus contra_mapping_cell(Contra *contra, const ContraMapping *mapping,
                                            int64_t position, ContraCell *cell);

// Size and all cells agree. If not, *difference is the first position whose cells differ, the
// smaller size where one is the start of the other, or -1 where it was not found. May be NULL.
// CONTRA_UNDECIDED: to find out takes too long; so of contra_mapping_is_prefix.
CONTRA_API ContraStatus contra_mapping_equal(Contra *contra, const ContraMapping *a,
                                             const ContraMapping *b, bool *equal,
                                             int64_t *difference);

// `prefix` has the cells that `whole` starts with.
CONTRA_API ContraStatus contra_mapping_is_prefix(Contra *contra, const ContraMapping *prefix,
                                                 const ContraMapping *whole, bool *is_prefix);

// outer = mapping / at, inner = mapping % at. CONTRA_INVALID: it cannot be cut there.
CONTRA_API ContraStatus contra_mapping_split(Contra *contra, const ContraMapping *mapping,
                                             int64_t at, ContraMapping **outer,
                                             ContraMapping **inner);

// The mapping of a view of `length` positions of `index` in `mapping`, everything else in place. It
// is the same for every `start`, which must leave room for them; *offset is the position of
// `mapping` at which the view begins. May be NULL. CONTRA_INVALID: `mapping` does not have `index`,
// or not so much of it.
CONTRA_API ContraStatus contra_mapping_tile(Contra *contra, const ContraMapping *mapping,
                                            const ContraMapping *index, int64_t length,
                                            int64_t start, ContraMapping **tile, int64_t *offset);

// The axes of the array behind a tensor with this mapping.
CONTRA_API ContraStatus contra_mapping_canonical_axes(Contra *contra, const ContraMapping *mapping,
                                                      const ContraTerm **terms, int64_t *count);

// ---- division

typedef enum {
    CONTRA_DIVIDE_RELAXED, // what is found leaves ordinary padding
    CONTRA_DIVIDE_STRICT,  // what is found leaves holes, printed as `#_`
    CONTRA_DIVIDE_SPAN,    // the divisor's one term stays, cut down to `span` positions
} ContraDivideKind;

typedef struct {
    bool found;
    ContraText text;
    int64_t size;
    int64_t dividend_stride, divisor_stride;
    int64_t dividend_min, dividend_max; // the block it takes up, without and with padding
} ContraDivisionTerm;

typedef struct {
    int64_t size;
    bool exact;                      // every term of the divisor was found in the dividend
    const ContraDivisionTerm *terms; // the found ones first, outermost in the dividend first
    int64_t term_count;
    const ContraMapping *dividend_residue, *divisor_residue;
    const ContraMapping *dividend_remainder, *divisor_remainder;
} ContraDivision;

CONTRA_SIZED(ContraDivision, contra_division)

// Finds the terms of `divisor` in `dividend`, and what is left of both. Not to find one is no
// error. `span` counts for CONTRA_DIVIDE_SPAN only. CONTRA_INVALID: the divisor has not so many
// positions.
CONTRA_API ContraStatus contra_mapping_divide(Contra *contra, const ContraMapping *dividend,
                                              const ContraMapping *divisor, ContraDivideKind kind,
                                              int64_t span, ContraDivision *division);

// ---- pictures

typedef enum { CONTRA_PICTURE_TEXT, CONTRA_PICTURE_SVG } ContraPictureFormat;

// Where each element sits, for the first positions (at most `most`, 0 for a sensible number).
// CONTRA_INVALID: that are more than a picture shows.
CONTRA_API ContraStatus contra_mapping_picture(Contra *contra, const ContraMapping *mapping,
                                               ContraPictureFormat format, int64_t most,
                                               ContraText *picture);

// ---- sequencers

typedef enum {
    CONTRA_READ,   // the bare sequencer
    CONTRA_WRITE,  // the bare sequencer, the other way
    CONTRA_FETCH,  // reading, with the rules of the Fetch Engine
    CONTRA_COMMIT, // writing, with the rules of the Commit Engine
} ContraEngine;

typedef enum { CONTRA_MAIN, CONTRA_SUB } ContraContext;

// The default but for the buffer: reads i8 one element at a time in the main context.
typedef struct {
    int64_t size;
    ContraEngine engine;
    ContraContext context;
    const ContraMapping *buffer;
    const ContraMapping *time;   // NULL: `1`
    const ContraMapping *packet; // NULL: `1`
    ContraText type;             // of the elements in memory; empty: i8
    ContraText cast;             // of the elements in the stream; empty: the same
    int64_t base_bytes;          // address of the buffer
} ContraSequenceRequest;

CONTRA_SIZED(ContraSequenceRequest, contra_sequence_request)

typedef struct {
    ContraText term;        // what it walks
    int64_t size;           // iterations
    int64_t stride;         // elements from one iteration to the next
    const int64_t *offsets; // not NULL: `size` offsets in elements, instead of the stride
} ContraSequenceEntry;

typedef struct {
    ContraText term;
    ContraText entry;        // "8 : 32"
    ContraText buffer_after; // what of the buffer is not walked yet
} ContraSequenceStep;

typedef struct {
    int64_t size;
    ContraText config;                  // "[8:32, 8:256, 16:1]:16", strides in elements
    const ContraSequenceEntry *entries; // outermost first
    int64_t entry_count;
    const ContraSequenceStep *steps; // term by term, as it was derived
    int64_t step_count;
    bool merged;
    int64_t base_offset; // elements; negative where padding stands before the data
    int64_t time_steps, packet_elements, packet_bytes;
    int64_t packet_size;      // elements of the innermost entry of the packet
    int64_t contiguous_bytes; // contiguous_sram_access_size
    int64_t access_bytes;     // fetch_size or commit_size
    int64_t commit_in_bytes;  // writing: commit_in_size
    int64_t accesses_per_packet, cycles;
    ContraText buffer_after;
    bool walks_all; // nothing of the buffer is left over
} ContraSequence;

CONTRA_SIZED(ContraSequence, contra_sequence_info)

// Whether there is a scalar type of that name.
CONTRA_API bool contra_is_type(ContraText name);

// The loop nest that walks `buffer` in the order of Time and Packet. CONTRA_INVALID: there is none,
// or it breaks a rule of the engine; the diagnostics say why.
CONTRA_API ContraStatus contra_sequence(Contra *contra, const ContraSequenceRequest *request,
                                        ContraSequence *sequence);

// ---- building programs
//
// A program of the Virtual ISA, call by call: axes, tensors, moves, passes of the Tensor Unit. Each
// call stands for a line of the text form (docs/program-text.md) and is checked by every rule when
// it is made. CONTRA_INVALID: it breaks one, and the diagnostics show the line with what is wrong
// in it. The program can then not be finished; calls may go on, to find what else is wrong. What
// depends on something that was refused is refused, too, without another diagnostic. After
// CONTRA_NO_MEMORY every call for the program says the same. Programs, tensors and streams are
// there even if the call was refused; what depends on them is refused, too.
//
// Mappings are texts as in `m![..]`, "A / 8 % 2, B # 16"; types, contexts, operations, modes and
// topologies are the names of the manual: "bf16", "tdma", "AddFxp", "Mode10", "Broadcast01". Texts
// are copied. Where a text may be NULL, this is said; elsewhere NULL is reported as missing.
//
//     ContraProgram *program;
//     ContraTensor *x, *rows, *y, *out;
//     ContraStream *stream;
//     int64_t kernel;
//     contra_program_new(contra, "scale", 1, NULL, &program);
//     contra_axis(program, "A", 4096);
//     contra_param(program, "x", contra_hbm("i32", "1", "A", 0), &x);
//     ContraLayout in_dm = contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0);
//     contra_to_dm(x, "tdma", "rows", in_dm, &rows);
//     contra_begin(rows, "main", &stream);
//     contra_fetch(stream, "i32", "A / 8 % 2", "A % 8", NULL);
//     contra_collect(stream, "A / 8 % 2", "A % 8");
//     contra_vector_init(stream);
//     contra_vector_intra_slice_branch(stream, contra_branch("Unconditional"));
//     contra_vector_fxp(stream, "MulInt", contra_operand_i32(3));
//     contra_vector_final(stream);
//     contra_commit(stream, "y", contra_dm_result("A % 16", 0x40), &y);
//     contra_to_hbm(y, "tdma", NULL, contra_hbm_result("A", 0x4000), &out);
//     contra_return(program, out);
//     if (contra_program_finish(program, &kernel) == CONTRA_OK)
//         contra_run_kernel(contra, kernel, ..);

typedef struct ContraProgram ContraProgram; // being built; belongs to its Contra
typedef struct ContraTensor ContraTensor;   // a tensor or a view of one; belongs to its program
typedef struct ContraStream ContraStream;   // a pass under way; belongs to its program

// An address, a start or a number of chips that is not known. Tensors that come with the call or
// that an operation makes are given an address then; otherwise the program can be checked, and not
// be run.
#define CONTRA_UNKNOWN INT64_MIN

// Opens a program; `options` as in contra_check, or NULL. Diagnostics call its text by `name`, and
// so is the kernel called. `chips`: 1 or more, as many as the machine has at most. Several may be
// open at once.
CONTRA_API ContraStatus contra_program_new(Contra *contra, const char *name, int64_t chips,
                                           const ContraCheckOptions *options,
                                           ContraProgram **program);
// Runs the rules about the whole, and makes it a kernel: *kernel is its number for contra_kernel,
// contra_run_kernel, contra_compile and contra_launch_open. Tensors without addresses are known to
// have room then, unless `options` relaxed "capacity" or said CONTRA_MEMORY_DETACHED.
// CONTRA_INVALID: something of it was or is refused; *kernel is -1. The program, its tensors and
// streams are of no use any more either way.
CONTRA_API ContraStatus contra_program_finish(ContraProgram *program, int64_t *kernel);
// Gives it up, and its memory back but for the lines that diagnostics show. NULL is allowed. One
// that is neither finished nor abandoned goes with its Contra.
CONTRA_API void contra_program_abandon(ContraProgram *program);
// The lines that the calls so far stand for; of a program that was finished, a text that
// contra_check_text reads as the same program. Where calls for several passes took turns, each pass
// has its lines together, at its last one; diagnostics count lines in the order of the calls. Lives
// until the next call for this program.
CONTRA_API ContraText contra_program_lines(const ContraProgram *program);

// The names that calls take, as the rules have them.
typedef enum {
    CONTRA_NAMES_TYPES,          // of scalars: "bf16"
    CONTRA_NAMES_CONTEXTS,       // of moves: "tdma"
    CONTRA_NAMES_PASS_CONTEXTS,  // of passes: "main"
    CONTRA_NAMES_HALVES,         // of the TRF: "FirstHalf"
    CONTRA_NAMES_CALLS,          // of a pass, without contra_: "fetch", "vector_fxp"
    CONTRA_NAMES_TOPOLOGIES,     // of contra_switch: "Broadcast01"
    CONTRA_NAMES_FIELDS,         // of the topology `of`, in the order of its numbers: "slice1"
    CONTRA_NAMES_ACCUMULATIONS,  // of contra_accumulate: "Interleaved"
    CONTRA_NAMES_OPERATIONS_I32, // that the call `of` takes on a stream of i32: "AddFxp"
    CONTRA_NAMES_OPERATIONS_F32, // .. of f32: "MulF"
    CONTRA_NAMES_MULTIPLIERS,    // ALUs that MulF and MaskMulF name: "Mul0", for "MulF(Mul0)"
    CONTRA_NAMES_MODES,          // argument modes that the call `of` takes: "Mode10"
    CONTRA_NAMES_BRANCHES,       // kinds of ContraBranch: "Unconditional"
    CONTRA_NAMES_COMPARISONS,    // kinds of ContraInputCompare: "Less"
    CONTRA_NAMES_STREAMS,        // kinds of ContraStreamType: "CollectTensor"
    CONTRA_NAMES_VECTOR_STAGES,  // stages of ContraStreamType: "Fxp"
} ContraNames;

// Name number `index` of a list:
//
//     for (int64_t i = 0; (name = contra_name(CONTRA_NAMES_MODES, "vector_fxp", i)); i++)
//
// NULL: there are no more. `of` is a name of another list where this is said above, and does not
// count elsewhere.
CONTRA_API const char *contra_name(ContraNames names, const char *of, int64_t index);

// Axes belong to their program.
CONTRA_API ContraStatus contra_axis(ContraProgram *program, const char *name, int64_t size);
// The same for one that is called `outside` elsewhere: two axes of one name and different sizes.
CONTRA_API ContraStatus contra_axis_named(ContraProgram *program, const char *name, int64_t size,
                                          const char *outside);
// An axis skewed by others: base - others[0] - ... `outside` may be NULL.
CONTRA_API ContraStatus contra_axis_skewed(ContraProgram *program, const char *name,
                                           const char *base, const char *const *others,
                                           int64_t count, const char *outside);
// A mapping under a name, for other mappings: "{ L } # 16".
CONTRA_API ContraStatus contra_let(ContraProgram *program, const char *name, const char *mapping);

// A mapping of the program for the functions on mappings (contra_mapping_equal, _split, _tile,
// ..): its text is read with the axes and names of the program, as in a call, and the program stays
// as it is, whatever is wrong with the text. Axes of one name and size are the same wherever they
// are declared. The constructors below read texts with the axes of the Contra instead.
CONTRA_API ContraStatus contra_program_mapping(ContraProgram *program, const char *text,
                                               ContraMapping **mapping);

// A choice of the kernel by its number, and the ways it may take: a bit each.
typedef struct {
    int64_t number, ways;
} ContraChoice;

// What follows runs only if all these choices take one of their ways. None: always. A program with
// choices can be checked: operations that exclude each other may have the same memory. Which ways
// are taken nobody can say, so it is refused where it would be run or compiled.
CONTRA_API ContraStatus contra_choice(ContraProgram *program, const ContraChoice *choices,
                                      int64_t count);

// ---- tensors of a program

typedef enum { CONTRA_HOST, CONTRA_HBM, CONTRA_DM, CONTRA_TRF, CONTRA_VRF } ContraTier;

// Where a tensor lies, of which type it is and how it is mapped there; made by the functions below.
typedef struct {
    ContraTier tier;
    const char *type;                   // "bf16"
    const char *chip, *cluster, *slice; // NULL: there is none, or that of what it is
    const char *row, *element;          // made of
    int64_t address;                    // bytes from the start of the memory
    const char *half;                   // of the TRF instead: "FirstHalf", "Full"
} ContraLayout;

// Whole ones, as parameters need them. Of a tensor that an operation makes, type, chip, cluster and
// slice may be NULL: they are those of what it is made of.
CONTRA_API ContraLayout contra_host(const char *type, const char *element);
CONTRA_API ContraLayout contra_hbm(const char *type, const char *chip, const char *element,
                                   int64_t address);
CONTRA_API ContraLayout contra_dm(const char *type, const char *chip, const char *cluster,
                                  const char *slice, const char *element, int64_t address);
CONTRA_API ContraLayout contra_vrf(const char *type, const char *chip, const char *cluster,
                                   const char *slice, const char *element, int64_t address);
CONTRA_API ContraLayout contra_trf(const char *type, const char *chip, const char *cluster,
                                   const char *slice, const char *row, const char *element,
                                   const char *half);
// The short forms of these.
CONTRA_API ContraLayout contra_host_result(const char *element);
CONTRA_API ContraLayout contra_hbm_result(const char *element, int64_t address);
CONTRA_API ContraLayout contra_dm_result(const char *element, int64_t address);
CONTRA_API ContraLayout contra_vrf_result(const char *element, int64_t address);
CONTRA_API ContraLayout contra_trf_result(const char *row, const char *element, const char *half);

// Below, `name` is that of the tensor in diagnostics and, of a parameter, for those who run the
// kernel; it may be NULL. *tensor is never NULL where the program is not: of something refused it
// is a tensor that makes what depends on it be refused.

// Comes with the call of the kernel. Parameters are in the order of these calls, and no two have
// the same name. One that is written, whole or in part (contra_to_hbm_view, contra_commit_view,
// contra_dma_scatter, ..), is an output, too, as a `&mut` parameter is.
CONTRA_API ContraStatus contra_param(ContraProgram *program, const char *name, ContraLayout layout,
                                     ContraTensor **tensor);
// Whatever lies at that address.
CONTRA_API ContraStatus contra_from_addr(ContraProgram *program, const char *name,
                                         ContraLayout layout, ContraTensor **tensor);
// A new one in HBM or DM that holds nothing yet, for calls that write it in parts:
// contra_to_dm_view or contra_commit_view to views of it. At CONTRA_UNKNOWN it is given an address.
CONTRA_API ContraStatus contra_uninit(ContraProgram *program, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
// Another name for the bytes of a tensor; of the layout, the mappings count: it is one of the same
// memory, the type is the same or NULL, and chip, cluster and slice that are NULL stay as they are.
CONTRA_API ContraStatus contra_reshape(ContraTensor *from, const char *name, ContraLayout layout,
                                       ContraTensor **tensor);

// Views: `length` positions of `index` from `start` on; `mapping` takes the place of the dimension
// that is tiled, as contra_mapping_tile makes it of that one. A view can be tiled, moved, fetched
// and written.
CONTRA_API ContraStatus contra_tile(ContraTensor *from, const char *index, int64_t length,
                                    const char *mapping, int64_t start, ContraTensor **view);
CONTRA_API ContraStatus contra_row_tile(ContraTensor *from, const char *index, int64_t length,
                                        const char *mapping, int64_t start, ContraTensor **view);
CONTRA_API ContraStatus contra_slice_tile(ContraTensor *from, const char *index, int64_t length,
                                          const char *mapping, int64_t start, ContraTensor **view);
CONTRA_API ContraStatus contra_cluster_tile(ContraTensor *from, const char *index, int64_t length,
                                            const char *mapping, int64_t start,
                                            ContraTensor **view);
CONTRA_API ContraStatus contra_chip_tile(ContraTensor *from, const char *index, int64_t length,
                                         const char *mapping, int64_t start, ContraTensor **view);

// What a tensor or view is. Its layout makes another one like it; the texts in it are mappings that
// this program reads, and live until contra_free.
typedef struct {
    int64_t size;
    ContraLayout layout; // whole; of a view with what is left of each dimension, and the address of
                         // what it is a view of. CONTRA_UNKNOWN: it has none yet
    const char *name;    // NULL: none; of a view that of its tensor
    int64_t bytes; // of all positions in one place: on a chip (HBM), in a slice (DM and VRF; of
                   // all rows in the TRF), of all of it (host)
    bool is_view;
} ContraTensorInfo;

CONTRA_SIZED(ContraTensorInfo, contra_tensor_info)

// CONTRA_INVALID: the call that should have made it was refused; no diagnostic is added.
CONTRA_API ContraStatus contra_tensor_describe(const ContraTensor *tensor, ContraTensorInfo *info);

// Gives a tensor back. Those of several calls come in their order.
CONTRA_API ContraStatus contra_return(ContraProgram *program, ContraTensor *tensor);

// ---- moves. `context` is "tdma", "pdma", "main" or "sub".

CONTRA_API ContraStatus contra_to_host(ContraTensor *from, const char *context, const char *name,
                                       ContraLayout layout, ContraTensor **tensor);
CONTRA_API ContraStatus contra_to_hbm(ContraTensor *from, const char *context, const char *name,
                                      ContraLayout layout, ContraTensor **tensor);
CONTRA_API ContraStatus contra_to_dm(ContraTensor *from, const char *context, const char *name,
                                     ContraLayout layout, ContraTensor **tensor);
// To a tensor that is there, or a view of one.
CONTRA_API ContraStatus contra_to_hbm_view(ContraTensor *from, const char *context,
                                           ContraTensor *to);
CONTRA_API ContraStatus contra_to_dm_view(ContraTensor *from, const char *context,
                                          ContraTensor *to);
CONTRA_API ContraStatus contra_to_dm_pcopy(ContraTensor *from, const char *context,
                                           ContraTensor *to);
CONTRA_API ContraStatus contra_to_dm_view_pcopy(ContraTensor *from, const char *context,
                                                ContraTensor *to);

// For each cluster or chip, the one it gets its part from.
typedef struct {
    const int64_t *sources;
    int64_t count;
    int64_t dim; // CLUSTER_DIM or CHIP_DIM; 0: not said
} ContraPattern;

CONTRA_API ContraStatus contra_dm_cluster_shuffle(ContraTensor *from, const char *context,
                                                  ContraPattern pattern, const char *name,
                                                  ContraLayout layout, ContraTensor **tensor);
CONTRA_API ContraStatus contra_dm_chip_shuffle(ContraTensor *from, const char *context,
                                               ContraPattern pattern, const char *name,
                                               ContraLayout layout, ContraTensor **tensor);
CONTRA_API ContraStatus contra_hbm_cluster_shuffle(ContraTensor *from, const char *context,
                                                   ContraPattern pattern, const char *name,
                                                   ContraLayout layout, ContraTensor **tensor);
CONTRA_API ContraStatus contra_hbm_chip_shuffle(ContraTensor *from, const char *context,
                                                ContraPattern pattern, const char *name,
                                                ContraLayout layout, ContraTensor **tensor);
// Each cluster or chip keeps one index of the axis `key`, that of the pattern; `sliced` is what is
// left of the element.
CONTRA_API ContraStatus contra_parallel_copy_cluster_slice(ContraTensor *from, const char *context,
                                                           const char *key, const char *sliced,
                                                           ContraPattern pattern, const char *name,
                                                           ContraLayout layout,
                                                           ContraTensor **tensor);
CONTRA_API ContraStatus contra_parallel_copy_chip_slice(ContraTensor *from, const char *context,
                                                        const char *key, const char *sliced,
                                                        ContraPattern pattern, const char *name,
                                                        ContraLayout layout, ContraTensor **tensor);

// Rows of a tensor in DM to the places in HBM that `index`, a tensor in HBM, says.
CONTRA_API ContraStatus contra_dma_scatter(ContraTensor *from, const char *context,
                                           ContraTensor *index, const char *key, bool scaled,
                                           ContraTensor *to);
// Rows of a tensor in HBM, those that `index` says.
CONTRA_API ContraStatus contra_dma_gather(ContraTensor *from, const char *context,
                                          ContraTensor *index, const char *name,
                                          ContraLayout layout, ContraTensor **tensor);

// ---- passes: from begin, stage by stage, to what stores the stream. `context` is "main" or "sub";
// "main?" and "sub?" say that it stands for any. Several passes may be under way, one a context: to
// begin another one there before it has ended is refused. Mappings and types that a call takes are
// those of the stream behind it; what it does not take stays as it is.

CONTRA_API ContraStatus contra_begin(ContraTensor *from, const char *context,
                                     ContraStream **stream);
CONTRA_API ContraStatus contra_begin_interleaved(ContraTensor *first, ContraTensor *second,
                                                 const char *axis, const char *context,
                                                 ContraStream **stream);

// The default is neither table nor zero points.
typedef struct {
    int64_t size;
    const char *table_type; // of the entries
    const uint32_t *table;  // their bits; NULL: none
    int64_t table_count;
    const int32_t *zero_points;
    int64_t zero_point_count; // 0, 1 or 2
} ContraFetchOptions;

CONTRA_SIZED(ContraFetchOptions, contra_fetch_options)

// `options` may be NULL.
CONTRA_API ContraStatus contra_fetch(ContraStream *stream, const char *type, const char *time,
                                     const char *packet, const ContraFetchOptions *options);
// The numbers of a topology are in the order of the manual: slice1, slice0, time0 of "Broadcast01".
CONTRA_API ContraStatus contra_switch(ContraStream *stream, const char *topology,
                                      const int64_t *numbers, int64_t count, const char *slice,
                                      const char *time);
CONTRA_API ContraStatus contra_collect(ContraStream *stream, const char *time, const char *packet);
CONTRA_API ContraStatus contra_transpose(ContraStream *stream, const char *time,
                                         const char *packet);
CONTRA_API ContraStatus contra_align(ContraStream *stream, ContraTensor *trf, const char *time,
                                     const char *packet);
CONTRA_API ContraStatus contra_contract(ContraStream *stream, const char *packet);
// "Interleaved" or "Sequential".
CONTRA_API ContraStatus contra_accumulate(ContraStream *stream, const char *kind, const char *time,
                                          const char *packet);
CONTRA_API ContraStatus contra_cast(ContraStream *stream, const char *type, const char *packet);

// The ends of a pass. The stream is of no use any more.
CONTRA_API ContraStatus contra_commit(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
CONTRA_API ContraStatus contra_commit_view(ContraStream *stream, ContraTensor *to);
CONTRA_API ContraStatus contra_to_trf(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);
CONTRA_API ContraStatus contra_to_vrf(ContraStream *stream, const char *name, ContraLayout layout,
                                      ContraTensor **tensor);

// A stream that comes from outside, where a part of a kernel is checked: such a program can be
// finished and printed, and is refused where it would be run or compiled. The rest of what
// contra_stream_type gives may stay but for the kind, type and dimensions.
typedef struct {
    int64_t size;
    const char *kind;                         // "CollectTensor"
    const char *type;                         // "i32"
    const char *chip, *cluster, *slice, *row; // row: between align and accumulate, else NULL
    const char *time, *packet;
    const char *stage;                     // Vector Engine: that it is at, "Fxp"; may be NULL
    const char *entry;                     // type of its stash, else of what entered; or NULL
    bool stash, way4, inter_first, zipped; // it has a stash; packets of 4; ..
} ContraStreamType;

CONTRA_SIZED(ContraStreamType, contra_stream_type)

CONTRA_API ContraStatus contra_input(ContraProgram *program, const char *context,
                                     const ContraStreamType *type, ContraStream **stream);
// Gives a stream back: its pass has no end here, and the program is a part of a kernel, too.
CONTRA_API ContraStatus contra_leave_open(ContraStream *stream);

// What a stream is behind the last call for it, all of it, as contra_input would take it. The texts
// are mappings that this program reads, and live until contra_free. CONTRA_INVALID: a call for it
// was refused, or it is stored; no diagnostic is added.
CONTRA_API ContraStatus contra_stream_describe(const ContraStream *stream, ContraStreamType *type);
// Whether a call (one of CONTRA_NAMES_CALLS) may come next: by the kind of the stream and its
// context, and for the Vector Engine by the order of the stages, the lanes and the type. Its own
// arguments may still be wrong. False of a stream that was refused, or is stored.
CONTRA_API bool contra_stream_takes(const ContraStream *stream, const char *call);

// ---- the Vector Engine: from contra_vector_init to contra_vector_final. A branch (or an unzip)
// says which elements are in which group; then come operations in the order of the stages, as far
// as they are needed: logic, fxp, fxp_to_fp, split (or trim_way4), fp_.., intra_slice_reduce,
// fp_div, concat (or pad_way8), fp_to_fxp, clip, filter. Between split and concat packets have 4
// elements, which operations on floats need, elsewhere 8.

CONTRA_API ContraStatus contra_vector_init(ContraStream *stream);
CONTRA_API ContraStatus contra_vector_stash(ContraStream *stream);
CONTRA_API ContraStatus contra_vector_final(ContraStream *stream);

// Made by the functions below.
typedef struct {
    int32_t kind;  // 0: the group is left alone; a constant; a VRF tensor; the stash
    int32_t group; // 0: counts for all; 1: for group Zero; 2: for group One
    const char *type;
    uint32_t bits;
    ContraTensor *vrf;
    bool has_second;
    uint32_t second; // bits of an f32
} ContraOperand;

CONTRA_API ContraOperand contra_operand_i32(int32_t value);
CONTRA_API ContraOperand contra_operand_f32(float value);
CONTRA_API ContraOperand contra_operand_bits(const char *type, uint32_t bits);
CONTRA_API ContraOperand contra_operand_vrf(ContraTensor *tensor);
CONTRA_API ContraOperand contra_operand_stash(void);
CONTRA_API ContraOperand contra_operand_skip(void); // of a pair: this group is left alone
// The operand for one of two groups only: 0 or 1.
CONTRA_API ContraOperand contra_operand_group(ContraOperand operand, int group);
// The operand of a ternary operation with its other one.
CONTRA_API ContraOperand contra_operand_with(ContraOperand operand, float second);

// One of four comparisons of a branch: "Less", "True", ..
typedef struct {
    const char *kind, *type;
    uint32_t bits;
} ContraInputCompare;

CONTRA_API ContraInputCompare contra_input_compare_i32(const char *kind, int32_t boundary);
CONTRA_API ContraInputCompare contra_input_compare_f32(const char *kind, float boundary);

// Made by the functions below.
typedef struct {
    const char *kind;
    const char *axis;
    ContraTensor *vrf;
    ContraInputCompare compares[4];
} ContraBranch;

CONTRA_API ContraBranch contra_branch(const char *kind); // "Unconditional", "ValidCount"
CONTRA_API ContraBranch contra_branch_axis_toggle(const char *axis);
CONTRA_API ContraBranch contra_branch_vrf(ContraTensor *tensor);
CONTRA_API ContraBranch contra_branch_comparison(ContraInputCompare first,
                                                 ContraInputCompare second,
                                                 ContraInputCompare third,
                                                 ContraInputCompare fourth);

CONTRA_API ContraStatus contra_vector_intra_slice_branch(ContraStream *stream, ContraBranch branch);
CONTRA_API ContraStatus contra_vector_intra_slice_unzip(ContraStream *stream, const char *axis,
                                                        const char *tile_time, const char *time);
CONTRA_API ContraStatus contra_vector_inter_slice_reduce(ContraStream *stream, const char *op,
                                                         const char *slice, const char *time);
CONTRA_API ContraStatus contra_vector_intra_slice_reduce(ContraStream *stream, const char *axis,
                                                         const char *op, const char *time,
                                                         const char *packet);

// An operation with one operand, and with an argument mode (NULL: the usual one) and several
// operands: one a group of a pair, or for groups each. MulF names its ALU: "MulF(Mul0)".
CONTRA_API ContraStatus contra_vector_logic(ContraStream *stream, const char *op,
                                            ContraOperand operand);
CONTRA_API ContraStatus contra_vector_logic_with(ContraStream *stream, const char *op,
                                                 const char *mode, const ContraOperand *operands,
                                                 int64_t count);
CONTRA_API ContraStatus contra_vector_fxp(ContraStream *stream, const char *op,
                                          ContraOperand operand);
CONTRA_API ContraStatus contra_vector_fxp_with(ContraStream *stream, const char *op,
                                               const char *mode, const ContraOperand *operands,
                                               int64_t count);
CONTRA_API ContraStatus contra_vector_fp_binary(ContraStream *stream, const char *op,
                                                ContraOperand operand);
CONTRA_API ContraStatus contra_vector_fp_binary_with(ContraStream *stream, const char *op,
                                                     const char *mode,
                                                     const ContraOperand *operands, int64_t count);
CONTRA_API ContraStatus contra_vector_fp_ternary(ContraStream *stream, const char *op,
                                                 ContraOperand operand);
CONTRA_API ContraStatus contra_vector_fp_ternary_with(ContraStream *stream, const char *op,
                                                      const char *mode,
                                                      const ContraOperand *operands, int64_t count);
CONTRA_API ContraStatus contra_vector_fp_div(ContraStream *stream, const char *op,
                                             ContraOperand operand);
CONTRA_API ContraStatus contra_vector_fp_div_with(ContraStream *stream, const char *op,
                                                  const char *mode, const ContraOperand *operands,
                                                  int64_t count);
CONTRA_API ContraStatus contra_vector_clip(ContraStream *stream, const char *op,
                                           ContraOperand operand);
CONTRA_API ContraStatus contra_vector_clip_with(ContraStream *stream, const char *op,
                                                const char *mode, const ContraOperand *operands,
                                                int64_t count);
// `mode` may be NULL, here and below. `_pair`: which groups of a pair it is applied to.
CONTRA_API ContraStatus contra_vector_fp_unary(ContraStream *stream, const char *op,
                                               const char *mode);
CONTRA_API ContraStatus contra_vector_fp_unary_pair(ContraStream *stream, const char *op,
                                                    const char *mode, bool zero, bool one);
CONTRA_API ContraStatus contra_vector_logic_zip(ContraStream *stream, const char *op,
                                                const char *mode);
CONTRA_API ContraStatus contra_vector_fxp_zip(ContraStream *stream, const char *op,
                                              const char *mode);
CONTRA_API ContraStatus contra_vector_fp_zip(ContraStream *stream, const char *op,
                                             const char *mode);
CONTRA_API ContraStatus contra_vector_clip_zip(ContraStream *stream, const char *op,
                                               const char *mode);
// `width`: bits of the integer part.
CONTRA_API ContraStatus contra_vector_fxp_to_fp(ContraStream *stream, int64_t width);
CONTRA_API ContraStatus contra_vector_fp_to_fxp(ContraStream *stream, int64_t width);
CONTRA_API ContraStatus contra_vector_split(ContraStream *stream, const char *time,
                                            const char *packet);
CONTRA_API ContraStatus contra_vector_concat(ContraStream *stream, const char *time,
                                             const char *packet);
CONTRA_API ContraStatus contra_vector_trim_way4(ContraStream *stream, const char *packet);
CONTRA_API ContraStatus contra_vector_pad_way8(ContraStream *stream, const char *packet);
// Keeps the elements of a group, 0 or 1; -1: those of both.
CONTRA_API ContraStatus contra_vector_filter(ContraStream *stream, int group, const char *time);

// ---- mappings by constructors: what contra_mapping_parse would make of the text beside each. The
// text of the result (contra_mapping_text) is one for programs that have the same axes.

CONTRA_API ContraStatus contra_mapping_named(Contra *contra, const char *name, // A, or { L }
                                             ContraMapping **mapping);
CONTRA_API ContraStatus contra_mapping_one(Contra *contra, ContraMapping **mapping);    // 1
CONTRA_API ContraStatus contra_mapping_pair(Contra *contra, const ContraMapping *outer, // X, Y
                                            const ContraMapping *inner, ContraMapping **mapping);
CONTRA_API ContraStatus contra_mapping_stride(Contra *contra, const ContraMapping *of, // X / n
                                              int64_t n, ContraMapping **mapping);
CONTRA_API ContraStatus contra_mapping_modulo(Contra *contra, const ContraMapping *of, // X % n
                                              int64_t n, ContraMapping **mapping);
CONTRA_API ContraStatus contra_mapping_resize(Contra *contra, const ContraMapping *of, // X = n
                                              int64_t n, ContraMapping **mapping);
CONTRA_API ContraStatus contra_mapping_pad(Contra *contra, const ContraMapping *of, // X # n
                                           int64_t n, ContraMapping **mapping);
// # before + X + # after
CONTRA_API ContraStatus contra_mapping_pad_around(Contra *contra, int64_t before,
                                                  const ContraMapping *of, int64_t after,
                                                  ContraMapping **mapping);
CONTRA_API ContraStatus contra_mapping_offset(Contra *contra, const ContraMapping *of, // X @ n
                                              int64_t n, ContraMapping **mapping);
// X @ [k0, k1, ..]
CONTRA_API ContraStatus contra_mapping_select(Contra *contra, const ContraMapping *of,
                                              const int64_t *positions, int64_t count,
                                              ContraMapping **mapping);
// $(X:n, Y:m, ..)
CONTRA_API ContraStatus contra_mapping_linear(Contra *contra, const ContraMapping *const *of,
                                              const int64_t *factors, int64_t count,
                                              ContraMapping **mapping);

#ifdef __cplusplus
}
#endif

#endif

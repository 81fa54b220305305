// What a Contra holds: all the state there is, of every call of contra.h.
#ifndef CONTRA_RUN_STATE_H
#define CONTRA_RUN_STATE_H

#include "contra.h"

#include "base/diag.h"
#include "base/heap.h"
#include "base/map.h"
#include "device/device.h"
#include "lang/eval/check.h"
#include "machine/machine.h"
#include "mapping/cell.h"
#include "mapping/expr.h"
#include "oracle/oracle.h"

#include <setjmp.h>

// A file that was read as a crate of its own.
typedef struct {
    Module *module;
    Str label;     // stands before the paths of its tests; empty: nothing does
    bool is_extra; // a test, example or bench of a crate
} Root;

typedef struct {
    ARRAY(Root);
} Roots;

typedef struct {
    Str name, file;
    Decl *decl;                        // NULL: it comes from a program text
    Type **generics;                   // of an instance; NULL: it is none
    Program *program;                  // then
    const struct ContraObject *object; // or it is one: neither of both is there
} Kernel;

typedef struct {
    ARRAY(Kernel);
    int64_t functions; // of the front end that were looked at
} Kernels;

typedef struct {
    ARRAY(Str);
} MappedFiles;

struct Contra {
    Arena arena;
    Arena scratch; // of results that live until the next call
    Arena said;    // the diagnostics as they were rendered last
    Arena request; // of what a run, a host program or a compilation needs until it is over
    jmp_buf on_oom;
    bool exhausted;      // memory ran out: every function says so, and it can only be freed
    HeapSource memory;   // {0}: the system's
    atomic_bool refused; // .. it gave nothing in the request under way
    int64_t threads;     // most of them; 0: as many as the machine has
    ContraLog *log;      // NULL: nobody listens
    void *log_own;
    Cancel cancel;
    SourceList sources;
    DiagList diags;
    Scope scope;
    Machine machine;
    Isa isa;                     // which devices use
    const Machine *machine_kept; // a copy of it for results that outlive its use; NULL: none yet
    DiagTreatment treatments[DIAG_CODE_COUNT];
    ContraRead *read; // how sources come in; NULL: from disk
    void *read_own;
    Lang *lang;       // the front end; NULL until it is needed
    Builder *builder; // of the programs it traces
    BuilderOptions builder_options;
    Programs programs;
    Roots roots;                    // what was read
    Kernels kernels;                // of program texts; of sources once they were asked for
    Map facts;                      // of kernels (prepare.c)
    Map outputs;                    // the arguments that they are of, by their axes
    int64_t settings;               // counts how often rules or machine became others
    struct ContraProgram *building; // programs that are; the last one that was opened
    struct ContraProgram *built;    // .. and those that are kernels now
    struct ContraLaunch *opening;   // what it needs goes with the Contra if memory runs out
    struct ContraLaunch *closed;    // launches that are: the next ones
    MappedFiles mapped;
    struct KernelRun *running; // what it holds outside of arenas goes with the Contra; NULL: none
    struct HostDevice *host;   // likewise, of a host program
};

// What a function that may be cancelled gives back: its own status, unless it was.
ContraStatus status_of(const Contra *contra, ContraStatus status);

// Reports a problem with a request that is not in any source.
#define request_report(contra, code, ...) \
    diag_add(&(contra)->diags, code, SPAN_NOWHERE, __VA_ARGS__)
// The same for a function that returns CONTRA_INVALID.
ContraStatus(request_refuse)(Contra *contra, DiagCode code, Message message);
#define request_refuse(contra, code, ...) request_refuse(contra, code, MESSAGE(__VA_ARGS__))

// Says something to whoever listens.
void(log_say)(const Contra *contra, ContraLogLevel level, Message message);
#define log_say(contra, level, ...) log_say(contra, level, MESSAGE(__VA_ARGS__))

// Whether a value is one of an enumeration with so many.
#define IS_ENUM(value, count) ((size_t)(value) < (size_t)(count))

// Texts that are given back are terminated, those too that say nothing.
#define NO_TEXT ((ContraText){"", 0})
ContraText text_of(Str str);
Str str_of(ContraText text);

// A run, a host program or a compilation begins: what the one before needed goes.
void request_begin(Contra *contra);

// Takes in what the caller says about a run, which holds as long as `arena`. False: it is refused,
// which was said.
bool run_options_open(Contra *contra, Arena *arena, ContraRunOptions *options);
// Has those who may end a run asked in the request under way. Requires: run_options_open.
void run_options_listen(const ContraRunOptions *options);

// How the executor is to run, as the caller says it.
OracleOptions oracle_options(const ContraRunOptions *options);

// Whether a kernel runs on the device: only the oracle has sums in another order, and tensors that
// share no memory.
bool uses_device(const Contra *contra, const ContraRunOptions *options);

// Chooses the instruction set for devices from now on: the one CONTRA_ISA names, or the best one.
// False: a diagnostic says why the named one cannot be used.
bool choose_isa(Contra *contra);

// The device of a host program; NULL: nothing.
void host_device_free(struct HostDevice *host);

// Frees what a run holds outside of arenas.
void run_release(Contra *contra);
// .. and a launch that memory ran out for.
void launch_release(Contra *contra);

#endif

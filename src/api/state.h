// What a Contra holds, and the door every public function comes in by.
#ifndef CONTRA_API_STATE_H
#define CONTRA_API_STATE_H

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
    const Decl *decl;                  // NULL: it comes from a program text
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

typedef struct {
    Oracle *oracle; // while it runs
    Device *device; // likewise
    DeviceProgram *program;
    struct HostDevice *host; // of a host program, while it runs
    struct {
        ARRAY(Array *);
    } arrays; // while it runs
} RunState;

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
    RunState run;
};

struct ContraMapping {
    const Contra *contra;
    const Expr *expr; // NULL: the result of an operation
    Mapping mapping;
    Mapping normal;
    AtomList axes;
    ContraText text, normal_text;
};

// Opens a public function that gives back a ContraStatus. Memory that runs out anywhere inside
// comes back here; the arena owns whatever is lost by that.
#define CONTRA_ENTER(contra) CONTRA_ENTER_FOR(contra, CONTRA_INVALID, CONTRA_NO_MEMORY)

// The same for one that gives back something else: without a Contra, and once memory ran out.
#define CONTRA_ENTER_FOR(contra, refused, no_memory)                                       \
    if (!(contra))                                                                         \
        return refused;                                                                    \
    if ((contra)->exhausted)                                                               \
        return no_memory;                                                                  \
    Outside outside __attribute__((cleanup(leave_contra), unused)) = enter_contra(contra); \
    if (setjmp((contra)->on_oom))                                                          \
    return (contra)->exhausted = true, no_memory

// What stands in a result of the caller until there is one: before CONTRA_ENTER, so that it stands
// there whatever is refused.
#define CONTRA_GIVES(result, nothing) \
    do {                              \
        if (result)                   \
            *(result) = (nothing);    \
    } while (0)

// What this thread used before it entered, and uses again behind it: a callback may enter another
// Contra.
typedef struct {
    const HeapSource *memory;
    int threads;
} Outside;

// The machine in use, for a result that stays when another one is used.
const Machine *keep_machine(Contra *contra);

Outside enter_contra(Contra *contra);
void leave_contra(Outside *outside);

// What a function that may be cancelled gives back: its own status, unless it was.
ContraStatus status_of(const Contra *contra, ContraStatus status);

// Says something to whoever listens.
void log_say(const Contra *contra, ContraLogLevel level, const char *format, ...) PRINTF_LIKE(3, 4);

// Refuses a call that lacks something, which the words name. Requires: CONTRA_ENTER.
#define CONTRA_NEEDS(contra, condition, words)                   \
    do {                                                         \
        if (!(condition))                                        \
            return refuse_argument((contra), __func__, (words)); \
    } while (0)
ContraStatus refuse_argument(Contra *contra, const char *function, const char *needed);

// The same for something of another Contra: its names and numbers mean nothing here, and it may be
// gone before what would be made of it. Requires: it is there.
#define CONTRA_OWNS(contra, handle, words)                       \
    do {                                                         \
        if ((handle)->contra != (contra))                        \
            return refuse_stranger((contra), __func__, (words)); \
    } while (0)
ContraStatus refuse_stranger(Contra *contra, const char *function, const char *what);

// Whether an array that is given with a count is there.
#define IS_LIST(items, count) ((count) >= 0 && ((items) || !(count)))

// Whether there is something of that number among so many.
#define IS_INDEX(index, count) ((index) >= 0 && (index) < (int64_t)(count))

// Whether a value is one of an enumeration with so many.
#define IS_ENUM(value, count) ((size_t)(value) < (size_t)(count))

// Texts that are given back are terminated, those too that say nothing.
#define NO_TEXT ((ContraText){"", 0})
ContraText text_of(Str str);
Str str_of(ContraText text);

// A text that was put together in contra->request, as it is given back: without the room that it
// grew in.
ContraText text_given(Contra *contra, const StrBuf *buf);

// Remembers a text for diagnostics to point into; its number.
int32_t add_source(Contra *contra, ContraText name, ContraText text);

// Opens a request: treats the rules as the options say, which come as the caller gave them. False:
// an option was refused.
bool request_open(Contra *contra, const ContraCheckOptions *options);
// What the options say about rules, for a request or for a program that is built. False: one was
// refused.
bool options_open(Contra *contra, const ContraCheckOptions *options, DiagTreatment *treatments,
                  BuilderOptions *builder);

// Which files of crates are read.
typedef enum {
    ROOTS_ALL,
    ROOTS_TO_RUN, // where a crate has programs, not its tests, examples and benches
} RootSet;

// Reads what is at the paths.
void request_read(Contra *contra, const ContraText *paths, int64_t count, RootSet set,
                  CheckResult *checked);

// Loads some of the files that these paths stand for, like contra_load. Requires: CONTRA_ENTER.
ContraStatus load_files(Contra *contra, const ContraText *paths, int64_t count,
                        const ContraCheckOptions *options, RootSet set);

// Names the kernels that were read.
void kernels_note(Contra *contra, Diag *diag);

// A run, a host program or a compilation begins: what the one before needed goes.
void request_begin(Contra *contra);

// All of what the caller says about a run, which holds as long as `arena`. False: it is refused,
// which was said.
bool run_options_take(Contra *contra, Arena *arena, const ContraRunOptions *given,
                      ContraRunOptions *options);

// Has those who may end a run asked in the request under way. Requires: run_options_take.
void run_options_listen(const ContraRunOptions *options);

// How the executor is to run, as the caller says it.
OracleOptions oracle_options(const ContraRunOptions *options);

// Whether a kernel runs on the device: only the oracle has sums in another order, and tensors that
// share no memory.
bool uses_device(const Contra *contra, const ContraRunOptions *options);

// Chooses the instruction set for devices from now on: the one CONTRA_ISA names, or the best one.
// False: a diagnostic says why the named one cannot be used.
bool choose_isa(Contra *contra);

// Frees what a run holds outside of arenas.
void run_release(Contra *contra);
// .. and a launch that memory ran out for.
void launch_release(Contra *contra);

// A mapping handle for a result.
ContraMapping *new_mapping(Contra *contra, const Mapping *mapping, const Expr *expr);

#endif

// Running host programs: `main`, tests and what they call are executed; a kernel that is launched
// is traced, verified and executed by an executor from above, or by the oracle.
#ifndef CONTRA_LANG_HOST_RUN_H
#define CONTRA_LANG_HOST_RUN_H

#include "lang/host/executor.h"
#include "lang/types/lang.h"
#include "oracle/oracle.h"
#include "program/build.h"

typedef struct HostState HostState;

typedef struct Run {
    // how to run
    BuilderOptions builder;
    OracleOptions oracle;
    Executor *executor; // of kernels; NULL: the oracle
    // what the program prints, nothing where it flushes; may be NULL
    void (*print)(void *own, Str text, bool is_error);
    void *own;
    const Str *arguments; // of the program, behind its name
    int64_t argument_count;
    bool overflow_panics; // of whole numbers, as in a debug build; else they wrap

    // how it ended
    bool panicked;
    bool refused; // because a rule of the hardware was broken; the diagnostics say which
    bool broken;  // it uses code that has an error, so it did not run
    bool cancelled;
    Str message; // of the panic
    Str title;   // of one that is too long for people: its first line; else empty
    Str details; // what they want to know of the rest, in lines
    Span where;

    HostState *state; // while it runs
    bool owns;        // a value that is dropped was made
} Run;

// Runs a function without parameters until it returns or panics. If a function that it can reach
// has an error, it is broken and does not run. Errors elsewhere do not matter.
void run_function(Lang *lang, Decl *decl, Run *run);

#endif

// Running host programs: `main`, tests and what they call are executed; a kernel that is launched
// is traced, verified and executed by an executor from above, or by the oracle.
#ifndef CONTRA_LANG_RUN_H
#define CONTRA_LANG_RUN_H

#include "lang/executor.h"
#include "lang/lang.h"
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
    bool broken;  // something that it uses has an error: no compiler would have let it run
    bool cancelled;
    Str message; // of the panic
    Str title;   // of one that is too long for people: its first line; else empty
    Str details; // what they want to know of the rest, in lines
    Span where;

    HostState *state; // while it runs
    bool owns;        // a value that is dropped was made
} Run;

// Runs a function without parameters to its end or its panic. Before that, looks for errors in the
// functions it can reach: with one of these it is broken, and does not run. Errors elsewhere do not
// matter.
void run_function(Lang *lang, const Decl *decl, Run *run);

#endif

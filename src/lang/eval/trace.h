// Tracing: a function is executed over handles, and what it does to tensors becomes a program.
// Loops, helper functions and arithmetic exist here only.
#ifndef CONTRA_LANG_EVAL_TRACE_H
#define CONTRA_LANG_EVAL_TRACE_H

#include "lang/types/lang.h"
#include "program/build.h"

typedef struct {
    ARRAY(Program *);
} Programs;

// Traces one function with parameters that come from outside. NULL: it cannot be traced on its own
// (it is generic, or nothing but the host could run it); nothing is reported then.
Program *trace_function(Lang *lang, Builder *builder, Decl *decl);

// Looks at a function that cannot be traced on its own and that nobody called. Nothing is traced.
void trace_uncalled(Lang *lang, Decl *decl);

// Evaluates a constant for the sake of its diagnostics. False: it has no value, and a diagnostic
// says why.
bool trace_constant(Lang *lang, Builder *builder, Decl *decl);

// Whether a function belongs to the host: it is async, or a test, or main.
bool is_host_function(Decl *decl);

#endif

// A call of a function of the prelude, for those who carry it out.
#ifndef CONTRA_LANG_EVAL_CALL_H
#define CONTRA_LANG_EVAL_CALL_H

#include "lang/eval/trace_internal.h"

typedef struct {
    Trace *trace;
    const AstExpr *expr; // NULL: none is written
    const Use *use;
    const Value *args; // of a method: itself first
    int64_t count;
    Span span;
} Call;

Span call_span(const Call *call);
Type *call_type(const Call *call); // of the result
// Which argument has this name in the prelude; -1: none.
int64_t call_param(const Call *call, const char *name);
Value call_arg(const Call *call, const char *name); // without references
// What a generic of this name stands for.
Type *call_generic(const Call *call, const char *name);
const Dim *call_dim(const Call *call, const char *name); // NULL: it is not known
MaybeInt call_number(const Call *call, const char *name);

typedef Value (*Builtin)(const Call *call);

typedef struct {
    const char *type; // NULL: any
    const char *name; // NULL: every function of the type
    Builtin run;
} BuiltinRow;

typedef struct {
    const BuiltinRow *rows;
    size_t count;
} BuiltinRows;

// The first row for a function of the prelude; NULL: none.
const BuiltinRow *builtin_find(const BuiltinRows *rows, Decl *decl);

// run.c: the same for a program that runs. False: the function does nothing of its own then.
bool run_builtin(const Call *call, Value *result);
// What a call of a running program set off is carried out; what it broke is a panic.
Value run_settle(const Call *call, Value result, int64_t errors_before);

#endif

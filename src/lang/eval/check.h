// `contra check`: every function of a crate, typed, traced and verified.
#ifndef CONTRA_LANG_EVAL_CHECK_H
#define CONTRA_LANG_EVAL_CHECK_H

#include "lang/eval/trace.h"
#include "program/text.h"

typedef struct {
    Programs programs;    // what was traced, in the order of the text
    ProgramFrames frames; // of program texts
    int64_t functions;    // that were checked
    int64_t kernels;      // of these, with #[device]
    int64_t operations;
} CheckResult;

// Types alone, of every function that is not generic: what a program must pass to be run. False:
// something is wrong.
bool lang_check_types(Lang *lang, Builder *builder);

// Checks the functions that this one can reach: those it names, those that they name, and so on.
// Generic functions are checked where they are called. False: one of them has an error, which is
// reported even if it was reported before.
bool lang_check_reachable(Lang *lang, Decl *decl);

// Checks what was loaded since the last call. Diagnostics are put in the order of the text, without
// those that say the same of the same place.
void lang_check(Lang *lang, Builder *builder, CheckResult *result);

// The same function by function, for those that have something else to do in between, and that may
// know some functions already.
typedef struct {
    Lang *lang;
    Builder *builder;
    CheckResult *result;
    // Whether nothing is wrong with a function, which is not looked at then. NULL: nobody knows.
    bool (*is_known)(void *own, Decl *decl);
    // A function was looked at, and its diagnostics are those from number `first` on.
    void (*learn)(void *own, Decl *decl, int64_t first);
    void *own;
    int64_t first, count, at; // of the functions of this turn
    int32_t round;
    bool is_open;
} Check;

// False: everything is done.
bool lang_check_step(Check *check);

// The part of it that is no function: `use`, types, constants. What they name is read.
void lang_check_modules(Lang *lang, Builder *builder);

// Whether the constants without a name of a crate can be worked out: they are there for what they
// assert. What is wrong is said when one of them is first asked for.
bool lang_assertions_hold(Lang *lang, Builder *builder, const Module *crate);

// That order, for what was reported since it was last made.
void lang_sort_diags(Lang *lang);

#endif

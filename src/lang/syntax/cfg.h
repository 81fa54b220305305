// Conditional compilation: whether the predicate of `#[cfg(..)]` holds.
#ifndef CONTRA_LANG_SYNTAX_CFG_H
#define CONTRA_LANG_SYNTAX_CFG_H

#include "base/str.h"

#include <stdbool.h>

// What is set in addition to the names that every program has, such as the operating system.
typedef struct {
    bool is_on;   // evaluate predicates; false: everything stays in the tree
    bool is_test; // `test` is set
    Str given;    // "NAME,NAME=VALUE", as the user gave it
} Cfg;

enum { CFG_MOST_DEPTH = 256 }; // of nested predicates

typedef enum {
    CFG_CORRECT,
    CFG_DEEP,     // nested deeper than CFG_MOST_DEPTH
    CFG_MISSING,  // `not()`
    CFG_SEVERAL,  // `not(a, b)`
    CFG_OPERATOR, // `none(a)`
    CFG_NAME,     // `"a"`
    CFG_VALUE     // `a = b`
} CfgMistakeKind;

typedef struct {
    CfgMistakeKind kind;
    Str text; // the part that is wrong
} CfgMistake;

// Whether a predicate such as `not(test)` or `all(unix, feature = "x")` holds. An unknown name is
// not set. *mistake is the first thing that is wrong with the predicate.
bool cfg_holds(const Cfg *cfg, Str predicate, CfgMistake *mistake);

// Whether a user may set this: NAME, NAME=VALUE or NAME="VALUE".
bool cfg_may_set(Str setting);

// Cuts `text` at its first comma outside brackets and strings. Returns the part before it; *rest is
// the part after it, empty if there is none.
Str cfg_first(Str text, Str *rest);

#endif

// Conditional compilation: whether the predicate of `#[cfg(..)]` holds.
#ifndef CONTRA_LANG_CFG_H
#define CONTRA_LANG_CFG_H

#include "base/str.h"

#include <stdbool.h>

// What is set besides what every program sees: the operating system and the like.
typedef struct {
    bool is_on;   // predicates are evaluated; false: everything stays in the tree
    bool is_test; // `test` is set
    Str given;    // "NAME,NAME=VALUE", as the user gave it
} Cfg;

enum { CFG_MOST_DEPTH = 256 }; // of predicates in each other

// Whether `not(test)`, `all(unix, feature = "x")` and the like hold. An unknown name is not set.
// *is_deep becomes true where predicates are nested deeper than that; they are not evaluated then.
bool cfg_holds(const Cfg *cfg, Str predicate, bool *is_deep);

// Cuts `text` at its first comma outside brackets and strings: what comes before it; *rest is what
// follows, empty where there is none.
Str cfg_first(Str text, Str *rest);

#endif

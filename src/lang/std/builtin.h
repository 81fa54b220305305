// The texts of the prelude, built into the library.
#ifndef CONTRA_LANG_STD_BUILTIN_H
#define CONTRA_LANG_STD_BUILTIN_H

#include "base/str.h"

Str builtin_prelude_text(void); // prelude.rs
Str builtin_std_text(void);     // std.rs

#endif

// Which files of a folder are programs of their own.
#ifndef CONTRA_API_FOLDER_H
#define CONTRA_API_FOLDER_H

#include "base/array.h"
#include "base/diag.h"

typedef struct Paths {
    ARRAY(Str);
} Paths;

bool paths_have(const Paths *paths, Str path);

// The roots at a path, sorted: itself, if it is a file; of a crate its library, programs, tests and
// examples; of another folder every source that no other one names as its module, and every program
// text. Reports a path that is not there.
void folder_roots(Arena *arena, Str path, Paths *roots, DiagList *diags);

// Those that lie in a folder without a crate itself, not deeper: a lone file may be in a home with
// all that somebody has.
void folder_roots_beside(Arena *arena, Str folder, Paths *roots);

// Of these roots, the ones that may read `path` as a module: first those that name it, or a module
// whose folder it is in, then others with modules of their own.
Paths roots_naming(Arena *arena, const Paths *roots, Str path);

bool path_is_program(Str path);

// Where a file is in the crate it belongs to.
typedef struct {
    Str crate;       // its folder, in full; empty: there is none
    Str inside;      // "tests/whole.rs"
    Str label;       // "tests/whole", "part::inner" for a module; empty: the library or the program
    bool is_program; // src/main.rs, or in src/bin
    bool is_extra;   // a test, example or bench
} CratePlace;

CratePlace crate_place(Arena *arena, Str path);

// Without `.rs` at its end.
Str path_stem(Str path);
// "a/b" of "a/b/src/lib.rs" before "src/lib.rs"; "." where nothing is.
Str path_before(Str path, Str inside);

#endif

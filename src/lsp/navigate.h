// All places that mean a thing, in all programs that may name it; each may get another text.
#ifndef CONTRA_LSP_NAVIGATE_H
#define CONTRA_LSP_NAVIGATE_H

#include "lsp/internal.h"
#include "lsp/name.h"

#include "api/folder.h"

typedef struct {
    Str path;
    int64_t start, end;
    Str text;      // that it gets; empty: none
    int64_t visit; // the last program that found it
    int64_t asked; // the last one that was asked what else it means
    json_t *location;
} Place;

typedef struct {
    Str path;
    Map places; // start + 1 -> number + 1
} PlacesOfFile;

// What is found in the files of several programs: each place once. Programs may share a file in
// which a name means what each of them declares itself: then all of that is looked for.
typedef struct {
    struct {
        ARRAY(Target);
    } wanted;
    struct {
        ARRAY(Place);
    } found;
    struct {
        ARRAY(PlacesOfFile);
    } by_file;
    Place asked; // where the question is
    Paths files; // whose programs are visited
    int64_t visit;
    bool leaves_out_declaration;
    Str name; // that it gets; empty: none
    const char *why_not;
} WideSearch;

// Of the name that a query is about.
Meaning meaning_here(Query *query);
// A member of `impl Trait for` is, to whoever renames it, what the trait declares.
Meaning as_of_trait(Lang *lang, const Meaning *meaning);
// The names of fields in `S { x: 1 }`, or NULL.
const AstNames *field_names(const AstNode *node);
// Finds what means the same as the name that a query is about.
void search_wide(WideSearch *wide, Query *query, const Meaning *meaning);

// ---- another name (rename.c)

// What cannot have another name, or NULL.
const char *why_not_renamed(const Query *query, const Meaning *meaning);
// `S { x }` names a field and a variable: each keeps its own name.
Str replacement(const Query *query, const Target *target, const NamePlace *place, Str name);

#endif

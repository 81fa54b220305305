// All places of a program that mean the same thing.
#ifndef CONTRA_LSP_PROGRAM_SEARCH_H
#define CONTRA_LSP_PROGRAM_SEARCH_H

#include "lsp/server/internal.h"

typedef struct {
    Query *query;
    const Target *wanted;
    const char *name;
    bool leaves_out_declaration;
    bool is_of_traits; // members of traits are one with those of their impls
    NamePlaces found;
    Map seen; // where in a text
} Search;

Search search_for(Query *query, const Target *wanted);
// Finds the places in one source, or in all sources of the program.
void search_source(Search *search, int32_t source);
void search_all(Search *search);
// The meaning of a name, as far as a search tells meanings apart.
Meaning meaning_searched(const Search *search, const Trail *trail, Span span);
// How often the program names a thing, its declaration left out.
int64_t query_use_count(Query *query, const Meaning *meaning);

// A member of `impl Trait for` is, to whoever renames it, what the trait declares.
Meaning as_of_trait(Lang *lang, const Meaning *meaning);
// The names of fields in `S { x: 1 }`, or NULL.
const AstNames *field_names(const AstNode *node);

#endif

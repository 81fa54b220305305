// What the names of a source mean: the tables of the front end, asked by place.
#ifndef CONTRA_LSP_NAME_H
#define CONTRA_LSP_NAME_H

#include "lsp/analysis.h"

#include "program/program.h"

typedef enum {
    MEANS_NOTHING,
    MEANS_DECL,    // a function, type, axis, constant, module, ..
    MEANS_LOCAL,   // a variable
    MEANS_SELF,    // the `self` of a function
    MEANS_FIELD,   // of a struct
    MEANS_GENERIC, // a generic parameter
} MeaningKind;

typedef struct Meaning {
    MeaningKind kind;
    Span span;               // of the name that was asked about
    const Decl *decl;        // decl; self: the function; field: the type
    const Decl *also;        // of a `use` that brings a type or module: the value of the same name
    const AstPattern *local; // local: where it is bound
    const AstField *field;
    const AstGeneric *generic;
    Type *type;         // of the value, where it is one and known; else NULL
    const AstExpr *use; // method, path: the expression; else NULL
} Meaning;

// The generic parameter that a name is there; NULL: none.
const AstGeneric *generic_named(const Trail *trail, const char *name);

// Of the innermost name of a trail.
Meaning meaning_of(Analysis *analysis, const Trail *trail, int32_t source);
// Where that is declared; nowhere: in the prelude.
Span meaning_declared(const Meaning *meaning);
bool meaning_same(const Meaning *a, const Meaning *b);
// As it is spelt where it is declared.
const char *meaning_name(const Meaning *meaning);

// What is looked for in several programs, and in all modules that one file is the text of: it is
// the same if it is declared at the same place.
typedef struct {
    const Analysis *analysis; // that its meaning is of; NULL: of one that may be gone
    Meaning meaning;          // its kind alone, if that is gone
    const char *name;
    Str path; // of the file that declares it
    int64_t start;
    bool is_shared; // other programs may name it
} Target;

Target target_of(const Analysis *analysis, const Meaning *meaning);
// One that outlives the analysis.
Target target_kept(Arena *arena, const Target *target);
bool target_is(const Target *target, const Analysis *analysis, const Meaning *meaning);

// Whether it is of the language of kernels, and not of the standard library or the program.
bool decl_is_of_device(const Lang *lang, const Decl *decl);
// The stage that a function of the language is; STAGE_COUNT: none.
StageKind decl_stage(const Lang *lang, const Decl *decl);

// A name where it was come by.
typedef struct {
    Span span;
    Trail trail;
} NamePlace;

typedef struct {
    ARRAY(NamePlace);
} NamePlaces;

// Calls `visit` for every name in a source, with its trail.
typedef void NameVisit(void *own, const Trail *trail);
void each_name(Arena *arena, Analysis *analysis, int32_t source, NameVisit *visit, void *own);

// The text of the name that a node is; NULL: it is none.
const char *node_name(const AstNode *node, Span *span);

#endif

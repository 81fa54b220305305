// Mapping expressions as written: the tree with its spans, and the checks every way in passes
// through (the parser of `contra map`, the front end of the language, the C interface).
//
// A constructor reports what is wrong and gives back a poisoned expression, whose use is silent,
// so that one mistake is reported once and the next one still.
#ifndef CONTRA_MAPPING_EXPR_H
#define CONTRA_MAPPING_EXPR_H

#include "base/diag.h"
#include "base/map.h"
#include "mapping/mapping.h"

typedef enum {
    EXPR_POISON,
    EXPR_IDENTITY, // 1
    EXPR_ATOM,     // an axis, skewed or not
    EXPR_STRIDE,   // X / n
    EXPR_MODULO,   // X % n
    EXPR_RESIZE,   // X = n
    EXPR_PADDING,  // X # n
    EXPR_PAIR,     // X, Y, ..: outermost first
    EXPR_OFFSET,   // X @ n
    EXPR_LIST,     // X @ [n, m, ..]
    EXPR_AROUND,   // # n + X + # m
    EXPR_LINEAR,   // $(X:n, Y:m)
} ExprKind;

extern const char *const expr_signs[]; // of operators with a number; NULL: of others

typedef struct Expr Expr;

struct Expr {
    ExprKind kind;
    bool is_constructed; // written as a type such as `Padding<Identity, 2>`, not in `m![..]`
    Span span;
    int64_t size;
    int64_t depth;            // nesting of this tree
    int64_t part_count;       // nodes of this tree
    const Atom *atom;         // atom
    const Expr *inner;        // everything with one X
    int64_t number;           // n
    int64_t after;            // around: m
    PaddingKind padding;      // padding: `#`, or `#_` of a hole
    const Expr *const *items; // pair, linear
    const int64_t *numbers;   // list: the offsets; linear: the weights
    int64_t count;            // pair, list, linear
};

enum { EXPR_MOST_DEPTH = 200, EXPR_MOST_PARTS = 10000 };

typedef struct {
    ARRAY(const Expr *);
} ExprList;

typedef struct {
    ARRAY(int64_t);
} NumberList;

const Expr *expr_poison(DiagList *diags, Span span);
const Expr *expr_identity(DiagList *diags, Span span);
const Expr *expr_atom(DiagList *diags, Span span, const Atom *atom);
// STRIDE, MODULO, RESIZE, PADDING or OFFSET
const Expr *expr_operator(DiagList *diags, Span span, ExprKind kind, const Expr *inner, int64_t n);
// X #_ n: padding that a strict division left
const Expr *expr_hole(DiagList *diags, Span span, const Expr *inner, int64_t n);
const Expr *expr_pair(DiagList *diags, Span span, const ExprList *items);
const Expr *expr_list(DiagList *diags, Span span, const Expr *inner, const NumberList *offsets);
const Expr *expr_around(DiagList *diags, Span span, int64_t before, const Expr *inner,
                        int64_t after);
const Expr *expr_linear(DiagList *diags, Span span, const ExprList *items,
                        const NumberList *weights);

// The factor form. Requires: not poisoned.
Mapping mapping_of_expr(Arena *arena, const Expr *expr);

// The comma-separated elements of an expression: itself, unless it is a pair.
void expr_elements(Arena *arena, const Expr *expr, ExprList *elements);

// Reports parts of one axis that the elements give twice. True: there are none.
bool expr_check_overlap(DiagList *diags, const Expr *expr);

// Adds the axes an expression names, in the order in which they first occur, each once.
void expr_axes(Arena *arena, const Expr *expr, AtomList *axes);

// Two axes of one name are told apart by their sizes: says so where a diagnostic names one.
void expr_note_twins(Diag *diag, const AtomList *axes);

// As written, with uniform blanks.
void expr_print(StrBuf *out, const Expr *expr);
Str expr_text(Arena *arena, const Expr *expr);

// ---- names (scope.c)

typedef enum { DEFINITION_TEXT, DEFINITION_OPEN, DEFINITION_DONE } DefinitionState;

typedef struct {
    const char *name; // interned
    Span span;
    const Atom *atom; // an axis; NULL: a definition
    Str text;         // definition: where it stands, from text_start on
    int64_t text_start;
    DefinitionState state; // definition: not read yet, being read, read
    const Expr *expr;      // definition, once read
} ScopeEntry;

typedef struct {
    ARRAY(ScopeEntry *); // in the order in which they were added
    Arena *arena;
    Interner names;
    Map entries;      // by their interned names
    int64_t resolved; // so many of them are axes, or read and right
} Scope;

Scope scope_new(Arena *arena);
ScopeEntry *scope_find(Scope *scope, Str name); // NULL: none has it
// A new one, which has nothing but its name yet. Requires: none has it.
ScopeEntry *scope_add(Scope *scope, Span span, Str name);

// Each reports a repeated or malformed name, or a bad size, and then changes nothing.
bool scope_add_axis(Scope *scope, DiagList *diags, Span span, Str name, int64_t size);
bool scope_add_skew(Scope *scope, DiagList *diags, Span span, Str name, const Atom *skew);
// `text` from `start` on is read when the definition is first used.
bool scope_add_definition(Scope *scope, DiagList *diags, Span span, Str name, Str text,
                          int64_t start);

// ---- text (parse.c)

// A mapping by the grammar of the language and the additions of `contra map`; poisoned if
// anything is wrong, never NULL. `source` is where `text` stands among the sources.
const Expr *mapping_parse(Scope *scope, DiagList *diags, int32_t source, Str text);
// The same for one that begins at `start` of a text, and ends with it.
const Expr *mapping_parse_at(Scope *scope, DiagList *diags, int32_t source, Str text,
                             int64_t start);

// "A=8,B=512,B'=B-A" into the scope.
bool scope_parse_axes(Scope *scope, DiagList *diags, int32_t source, Str text);
// "NAME=EXPR" into the scope. The mapping is read when it is first used.
bool scope_parse_definition(Scope *scope, DiagList *diags, int32_t source, Str text);
// Reads every definition that was not used yet. False: one of them is wrong.
bool scope_resolve(Scope *scope, DiagList *diags);
// Has definitions that were wrong read again: what was said of them is gone, or they are right now.
void scope_reopen(Scope *scope);

#endif

// Type inference of one function body, for given types of its generics: what every expression is,
// and what every name and call means. As in Rust: in the order of the text, with holes that are
// filled in whenever something says what they are, before or after.
#ifndef CONTRA_LANG_TYPES_INFER_H
#define CONTRA_LANG_TYPES_INFER_H

#include "lang/types/signature.h"

typedef enum {
    USE_LOCAL,   // a variable
    USE_DECL,    // a function, constant, constructor
    USE_GENERIC, // a const parameter as a value
    USE_DYN,     // a value that is only known by a trait from here on
} UseKind;

// What a path, a call or a method call refers to.
typedef struct {
    UseKind kind;
    int32_t slot;    // local
    Decl *decl;      // decl
    Type **generics; // decl: the types of its generics
    Type *self;      // function of a type: of which
    Type *type;      // generic: its value; dyn: what it is
    bool broken;     // its arguments do not fit, which was said: it is not run
} Use;

typedef struct Body {
    Decl *decl;
    const Signature *signature;
    Type **generics;
    int32_t first_expr; // the ids of its expressions are first_expr .. first_expr + expr_count
    int32_t expr_count;
    Type **types; // of each expression
    Use **uses;   // NULL: none
    Map slots;    // AstPattern -> slot + 1, of patterns that bind
    Map patterns; // AstPattern -> Decl: the variant, struct or constant that it names
    // AstExpr -> Use: the `deref` or `next` of the program that is called on its value, whose
    // result stands in its place: of what it derefs to, or an iterator; or that it becomes a `dyn`
    Map adjusts;
    int32_t slot_count;
    struct {
        ARRAY(Type *);
    } slot_types;
    Map mappings; // AstMapping -> Type, of the keys of i![..]
    Module *scope;
    Type *result;
    bool sound;         // no error was found in it or in what it names
    bool is_clear;      // body_recall found no error in its text either
    bool misses_result; // its value does not have the type it declares
    DiagList faults;    // the errors that were found in it
    // Of a generic function: its instances call each other while they run.
    struct Body *outer; // the one that was running when this one was called; NULL: none
    int32_t instances;  // how many run down to this one
    bool is_running;
} Body;

// Infers the body of a function. `generics`: types of all generics of its signature. Never NULL.
Body *infer_function(Lang *lang, Decl *decl, Type **generics);

// Looks at a generic function that nobody calls, whatever its generics will be. `known`: those that
// can only be one thing; NULL: not so.
Body *infer_uncalled(Lang *lang, Decl *decl, Type **known);

// The value of a constant, as a body without parameters. `generics`: of its impl block, NULL: they
// are not known.
Body *infer_constant(Lang *lang, Decl *decl, Type **generics);

// A constant in a type, with the names and generics that the type sees; `decl` stands for it, which
// has no name. What nothing says about a number is as wide as those in types are.
Body *infer_written(const TypeScope *scope, Decl *decl, const AstExpr *value);

// Reports the errors of a body again, unless they were just reported. False: it has none.
bool body_recall(Lang *lang, Body *body);
// The body of a function with these generics, inferred once where it has none (trace.c).
Body *body_of(Lang *lang, Decl *decl, Type **generics);
// Where item `index` of a pattern stands among `count` parts, `..` before it or not
// (infer_pattern.c).
int64_t pattern_place(const AstPatterns *items, int64_t index, int64_t count);
// `..`, or `name @ ..`
bool pattern_is_rest(const AstPattern *pattern);
bool pattern_has_rest(const AstPatterns *items);
// Can it have that many parts?
bool pattern_takes(const AstPatterns *items, int64_t count);

Type *body_type(const Body *body, const AstExpr *expr);
const Use *body_use(const Body *body, const AstExpr *expr);

#endif

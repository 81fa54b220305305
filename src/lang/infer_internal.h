// What the parts of the inference share.
#ifndef CONTRA_LANG_INFER_INTERNAL_H
#define CONTRA_LANG_INFER_INTERNAL_H

#include "lang/infer.h"
#include "lang/signature.h"

typedef struct {
    const char *name;
    Type *type;
    int32_t slot;
    bool is_mut;
    bool is_open; // declared without a value: the first assignment gives it one
    Span span;
} Local;

// Something that a bound of a generic says, to be settled when enough is known.
typedef enum {
    OBLIGATION_COLLECT,  // `target` is a collection of `source`
    OBLIGATION_SUM,      // `target` is the sum of `source`
    OBLIGATION_ITERATES, // `target` gives `source` when iterated over
} ObligationKind;

typedef struct {
    ObligationKind kind;
    Type *target, *source;
    Span span;
    bool done;
} Obligation;

// A call whose generics must all be known in the end.
typedef struct {
    const AstSegment *name;
    const Signature *signature;
    Type **generics;
} PendingCall;

typedef struct {
    Lang *lang;
    Body *body;
    Module *scope;
    TypeScope types; // for what is written in the body
    struct {
        ARRAY(Local);
    } locals;
    struct {
        ARRAY(Type *);
    } numbers; // variables of literals
    struct {
        ARRAY(const AstExpr *);
    } literals;  // whole numbers, whose range is looked at when their types are known
    Map negated; // those behind a minus
    struct {
        ARRAY(Obligation);
    } obligations;
    struct {
        ARRAY(PendingCall);
    } calls;
    Type *result;     // of the function or closure at hand
    Type *break_type; // of the loop at hand
    int32_t depth;
    bool too_deep;        // said
    int32_t unsafe_depth; // blocks and functions
    int64_t errors_before;
} Infer;

enum { INFER_DEPTH = 600 };

// infer.c
Type *infer_block(Infer *infer, const AstBlock *block, Type *expected);
Type *infer_statements(Infer *infer, const AstBlock *block, Type *expected);
void settle_obligations(Infer *infer);

// infer_expr.c: the type of an expression; `expected` is a hint and may be NULL
Type *infer_expr(Infer *infer, const AstExpr *expr, Type *expected);
// The same, and that it fits.
Type *check_expr(Infer *infer, const AstExpr *expr, Type *expected);
// Reports unless `actual` fits where `expected` is wanted.
bool coerce(Infer *infer, Type *expected, Type *actual, Span span);
Type *number_var(Infer *infer, VarClass class, Span span);
Type *std_type(Infer *infer, const char *name, Type **args, int32_t count);
// What a loop over it gives; NULL: it cannot be looped over, or is not known yet.
Type *iterated_type(Infer *infer, Type *type);

// What replaces the text that a diagnostic points at.
void help_float(const Lang *lang, Diag *diag);
void help_near_field(Diag *diag, const AstFields *fields, const AstName *name);

// infer_borrow.c: what Rust asks of places
void check_mutable(Infer *infer, const AstExpr *place, const char *what);
void check_assignable(Infer *infer, const AstExpr *place);
// `span`: what is reported; `call`: all of it.
void check_unsafe(Infer *infer, const Decl *decl, Span span, Span call);
Local *find_local(const Infer *infer, const char *name);

// infer_call.c
Type *infer_path(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_call(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_method(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_struct(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_macro(Infer *infer, const AstExpr *expr, Type *expected);
// The declaration of a path to a variant, constructor or constant; NULL: none. *type: what it
// makes.
const Decl *resolve_constructor(Infer *infer, const AstPath *path, Space space, Type *expected,
                                Type **type, Type ***generics);

// infer_pattern.c
void infer_pattern(Infer *infer, const AstPattern *pattern, Type *type);
int32_t add_local(Infer *infer, const AstPattern *pattern, const char *name, Type *type);

// infer_impl.c: an argument where the signature says `impl Trait<..>`
void check_impl(Infer *infer, const AstExpr *expr, Type *trait);

#endif

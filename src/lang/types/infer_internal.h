// What the parts of the inference share.
#ifndef CONTRA_LANG_TYPES_INFER_INTERNAL_H
#define CONTRA_LANG_TYPES_INFER_INTERNAL_H

#include "lang/types/infer.h"
#include "lang/types/signature.h"

// Something that a bound of a generic says, to be settled when enough is known.
typedef enum {
    OBLIGATION_COLLECT,  // `target` is a collection of `source`
    OBLIGATION_SUM,      // `target` is the sum of `source`
    OBLIGATION_ITERATES, // `target` gives `source` when iterated over
    OBLIGATION_EXTENDS,  // `target` is a collection of `source`, or of what that refers to
    OBLIGATION_OWNED,    // the same, or references to it
    OBLIGATION_TRAIT,    // `target` has the function of a trait that `expr` names
    OBLIGATION_INTO,     // `target` is made of `source`
} ObligationKind;

typedef struct {
    ObligationKind kind;
    Type *target, *source;
    Span span;
    bool done;
    const AstExpr *expr; // trait, into
    const char *name;    // trait: its name; into: of the function that makes it
} Obligation;

// What a `break` may leave.
typedef struct Loop {
    const char *label; // NULL: none
    Type *type;        // of the value it is left with
    bool is_block;
    struct Loop *outer;
} Loop;

// A call whose generics must all be known in the end.
typedef struct {
    Span name;
    const Signature *signature;
    Type **generics;
} PendingCall;

// Patterns that must take every value: of a match, or one that stands alone.
typedef struct {
    const AstExpr *match; // NULL: the pattern
    const AstPattern *pattern;
    Type *type;
} Coverage;

typedef struct {
    Lang *lang;
    Body *body;
    Module *scope;
    TypeScope types; // for what is written in the body
    Locals locals;
    struct {
        ARRAY(Type *);
    } numbers; // variables of literals
    struct {
        ARRAY(Type *);
    } nevers; // results of closures that do not return: () where nothing else says so
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
    struct {
        ARRAY(Coverage);
    } coverages;
    struct {
        ARRAY(const AstExpr *);
    } casts;
    Type *result; // of the function or closure at hand
    Loop *loop;   // the one at hand
    int32_t depth;
    bool too_deep;        // said
    int32_t unsafe_depth; // blocks and functions
    bool is_async;        // the function, block or closure at hand
    bool assigns;         // at the left side of an assignment
    int64_t errors_before, unmapped_before, reports_before;
    int64_t pairs_before; // of open mappings
    bool rigid;           // the generics stay generics: nobody calls the function
    bool silenced;        // what follows from a bound or an unknown name is not worked out
} Infer;

enum { INFER_DEPTH = 600 };

// infer.c
Type *infer_block(Infer *infer, const AstBlock *block, Type *expected);
Type *infer_statements(Infer *infer, const AstBlock *block, Type *expected);
void settle_obligations(Infer *infer);

// infer_expr.c: the type of an expression; `expected` is a hint and may be NULL
Type *infer_expr(Infer *infer, const AstExpr *expr, Type *expected);
// A generic whose bounds may allow what is asked of it: nothing is said then.
bool may_do(Infer *infer, Type *type);
Type *std_type(Infer *infer, const char *name, Type **args, int32_t count);
// Lists the fields of a struct, and suggests one if only one can be meant.
void help_fields(Diag *diag, const AstFields *fields, const AstName *name);

// infer_coerce.c
// infer_expr, and that it fits.
Type *check_expr(Infer *infer, const AstExpr *expr, Type *expected);
// Reports unless `actual` fits where `expected` is wanted.
bool coerce(Infer *infer, Type *expected, Type *actual, Span span);
// The same for the type of an expression, which the help may convert.
bool coerce_value(Infer *infer, Type *expected, Type *actual, const AstExpr *value);
// The same, but returns the diagnostic; NULL: it fits. `value` is NULL if no expression has the
// type `actual`.
Diag *misfit(Infer *infer, Type *expected, Type *actual, Span span, const AstExpr *value);
// Whether `as` or a method can follow an expression without brackets around it.
bool binds_tightly(const AstExpr *expr);
// Where mappings were unified that are compared later; and that.
void place_open(Infer *infer, Span span);
void compare_open(Infer *infer);
// `actual` as it fits where `expected` is wanted, as far as references go.
Type *adjusted_type(Infer *infer, Type *expected, Type *actual);
// What replaces the text that a diagnostic points at.
void help_float(const Lang *lang, Diag *diag);
// The empty place at its end.
Span behind(Span span);

// infer_flow.c
void infer_condition(Infer *infer, const AstExpr *condition);
Type *infer_if(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_match(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_for(Infer *infer, const AstExpr *expr);
Type *infer_while(Infer *infer, const AstExpr *expr);
Type *infer_loop(Infer *infer, const AstExpr *expr);
Type *infer_break(Infer *infer, const AstExpr *expr);
Type *infer_block_expr(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_return(Infer *infer, const AstExpr *expr);
Type *infer_try(Infer *infer, const AstExpr *expr);
Type *infer_closure(Infer *infer, const AstExpr *expr, Type *expected);
// What a loop over it gives; NULL: it cannot be looped over, or is not known yet.
Type *iterated_type(Infer *infer, Type *type);

// infer_borrow.c: what Rust asks of places
void check_mutable(Infer *infer, const AstExpr *place, const char *what);
void check_assignable(Infer *infer, const AstExpr *place);
// `span`: what is reported; `call`: all of it.
void check_unsafe(Infer *infer, Decl *decl, Span span, Span call);
Local *find_local(const Infer *infer, const char *name);

// infer_call.c
void put_use(Infer *infer, const AstExpr *expr, Use use);
// The arguments of something that is refused, or not known.
void infer_all(Infer *infer, const AstExprs *exprs);
// Variables for the generics of a declaration, those of its impl block from `self`.
Type **new_generics(Infer *infer, const Signature *signature, Span span, Type *self);
Type **call_generics(Infer *infer, Decl *decl, const AstSegment *segment, Type *self);
Type *function_type(Infer *infer, Decl *decl, Type **generics);
Type *infer_call(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_method(Infer *infer, const AstExpr *expr, Type *expected);

// infer_path.c
Type *infer_path(Infer *infer, const AstExpr *expr, Type *expected);
// The declaration of a path to a variant, constructor or constant; NULL: none. *type: what it
// makes.
Decl *resolve_constructor(Infer *infer, const AstPath *path, Space space, Type *expected,
                          Type **type, Type ***generics);
// That a type has no such method or constant.
void report_member(Infer *infer, Type *type, const AstName *name);

// infer_visible.c: fields and methods that are not seen from here
void check_member_seen(Infer *infer, Decl *decl, const AstName *name);
void check_field_seen(Infer *infer, Decl *decl, const AstName *name);
void check_fields_seen(Infer *infer, Decl *decl, Span span);

// infer_struct.c: struct literals, and what they share with patterns
Type *infer_struct(Infer *infer, const AstExpr *expr, Type *expected);
void report_no_field(Infer *infer, const AstName *name, Decl *decl, const AstFields *fields);
void check_field_repeats(Infer *infer, const AstNames *names);

// infer_pattern.c
void infer_pattern(Infer *infer, const AstPattern *pattern, Type *type);
// No two of the variables from `first` on have one name.
void check_repeated(Infer *infer, int64_t first);
int32_t add_local(Infer *infer, const AstPattern *pattern, const char *name, Type *type);

// infer_async.c
// What a call of it gives: of an async function a future of `result`.
Type *call_result(Infer *infer, Decl *decl, Type *result);
// What `.await` makes of it.
Type *awaited(Type *type);
Type *infer_await(Infer *infer, const AstExpr *expr, Type *expected);
Type *infer_join(Infer *infer, const AstExpr *expr, bool tries);
Type *infer_async_block(Infer *infer, const AstExpr *expr, Type *expected);
Type *future_of(Infer *infer, Type *result);
// Says that `.await` is missing, if `type` is a future.
// `where`: what is to be awaited; nowhere: it is not written in one piece.
bool help_await(Diag *diag, Type *type, Span where);
// A statement that only makes a future does nothing.
void check_future_is_used(Infer *infer, const AstExpr *expr);
// A macro wants a value.
void check_awaited(Infer *infer, const AstExpr *expr, Type *type);

// infer_match.c: asks that a match, or a pattern alone, takes every value; and looks, once all
// types are known
void must_take_all(Infer *infer, const AstExpr *match, const AstPattern *pattern, Type *type);
void check_coverage(Infer *infer);

// infer_coerce.c
void check_casts(Infer *infer);
// infer_trait.c
// The function of a type that takes these arguments, behind `self`; NULL: none of the program.
Decl *find_taker(Infer *infer, Type *self, const char *name, Type **args, int64_t count);
// The one of several impl blocks whose function takes the arguments.
Decl *choose_overload(Infer *infer, Decl *decl, Type *self, const AstExprs *exprs);
Type *trait_path(Infer *infer, const AstExpr *expr, Decl *trait);
bool settle_trait(Infer *infer, Obligation *obligation);
// `into` and the like end in a function of the target.
void expect_conversion(Infer *infer, const AstExpr *expr, Decl *decl, Type *source,
                       Type **generics);
bool settle_into(Infer *infer, Obligation *obligation);
// Keeps what an expression is where only its trait is known from here on.
void keep_dyn(Infer *infer, const AstExpr *expr, Type *expected, Type *actual);
// `?` makes the error of the function of the one at hand.
void convert_error(Infer *infer, const AstExpr *expr, Type *error);

// infer_operator.c: what operators mean for types of the program; NULL or false: nothing
bool is_own_type(Type *type);
Type *own_binary(Infer *infer, const AstExpr *expr, Type *left, Type *right);
bool own_assign(Infer *infer, const AstExpr *expr, Type *left, Type *right);
Type *own_unary(Infer *infer, const AstExpr *expr, Type *inner);
void own_equality(Infer *infer, const AstExpr *expr, Type *left, Type *right);
Type *own_index(Infer *infer, const AstExpr *expr, Type *list, Type *index);
Type *own_deref(Infer *infer, const AstExpr *expr, Type *type);
// A place is written to: `index_mut` instead of `index`.
void change_place(Infer *infer, const AstExpr *place);
// A method or field of what the receiver derefs to, or of an iterator.
void adjust_receiver(Infer *infer, const AstExpr *expr, Type *type, Type *self);
Type *deref_coercion(Infer *infer, const AstExpr *expr, Type *expected, Type *actual);

#endif

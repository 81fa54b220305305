// What the parts of the tracer share.
#ifndef CONTRA_LANG_EVAL_TRACE_INTERNAL_H
#define CONTRA_LANG_EVAL_TRACE_INTERNAL_H

#include "lang/eval/trace.h"
#include "lang/eval/value.h"
#include "lang/host/run.h"
#include "lang/types/infer.h"
#include "lang/types/signature.h"

typedef enum {
    FLOW_ON,
    FLOW_BREAK,
    FLOW_CONTINUE,
    FLOW_RETURN,
    FLOW_STOP, // the function cannot go on: a panic, or something was refused for good
} Flow;

// A place and what was in it.
typedef struct {
    Value *place;
    Value value;
} Place;

typedef struct {
    ARRAY(Place);
} Places;

// A place that is dropped when its scope ends.
typedef struct {
    Value *place;
} DropPlace;

typedef struct DropWatch DropWatch;
enum { SPARE_FRAMES = 32 };

// A running function.
typedef struct Frame {
    const Body *body;
    Value *slots;
    Value result;        // of return, or of break
    struct Frame *outer; // in which it was made
    bool is_kept;        // a closure or future sees its variables
    Places *captured;    // of a closure or future: the variables that it owns; NULL: none
} Frame;

// The ways behind something that is not known.
typedef struct {
    Places before, after;
    const Choice *outer;
    int64_t number, count;
    int64_t bits;    // of those that come out behind the choice
    int64_t arrived; // how many these are
    Flow left;       // how the others left
    Value result;
} Ways;

// What a function is followed for.
typedef enum {
    TRACE_KERNEL,   // device code
    TRACE_HELPER,   // nothing of the device comes in or goes out: the host may run it
    TRACE_HOST,     // the same of a test, `main` or an async function: it is only looked at
    TRACE_DRIVER,   // of the host, with something of the device
    TRACE_CONSTANT, // in a type
    TRACE_RUN,      // a host program runs
} TraceMode;

typedef struct {
    int32_t calls, nesting; // this deep calls and expressions may be nested
    bool only_looks;
    bool says_panics;  // what is certain to fail is reported: a host may want it to
    bool says_indices; // the same of indices out of range
} TraceRules;

extern const TraceRules trace_modes[];

typedef struct {
    Lang *lang;
    Builder *builder;
    TraceMode mode;
    Decl *root; // the function that is checked
    Frame *frame;
    Flow flow;
    const char *label; // of the loop that a break or continue is for; NULL: the one it stands in
    int64_t steps;
    int64_t asked;        // the step at which somebody was asked for the last time whether to go on
    int32_t depth;        // of calls
    int32_t nesting;      // of expressions, over all calls
    int32_t uncertain;    // how many conditions that are not known led here
    const Choice *choice; // that led here; NULL: none
    const CallSite *site; // of the function that is traced; NULL: it is the kernel itself
    int64_t choices;
    bool guessed;           // a pattern was compared with what is not known
    bool maybe_left;        // one of two ways leaves the loop or function: it is followed once
    bool awaits;            // the async function that is called next runs at once
    const AstExpr *awaited; // the call that is awaited where it is written; NULL: none
    bool open_context;      // passes run in a context that is a parameter
    struct {
        ARRAY(DropPlace);
    } drops;
    Frame *spare[SPARE_FRAMES]; // that ended, by how many variables they have
    struct DropWatch *watch;    // the call of the library that may drop something; NULL: none
    Places moves;               // of the pattern at hand: the parts that it took
    Run *run;                   // NULL: the program is looked at, not run
    struct {
        const Value *items;
        int64_t count;
    } numbers; // that the parameters still to be made have; none: unknown
} Trace;

static inline const TraceRules *trace_rules(const Trace *trace)
{
    return &trace_modes[trace->mode];
}

// A stage or an operation counts for many steps: it takes room in the program.
enum {
    TRACE_STEPS = 10 * 1000 * 1000,
    CONSTANT_STEPS = 2 * 1000 * 1000,
    HOST_STEPS = 200 * 1000,
    OP_STEPS = 20
};

// launch.c
// A list of that many values that are of no use any more. NULL: there is none.
ValueList *run_spare_list(const Trace *trace, int64_t count);

// run.c
// Whether somebody wants a running program to end; asked now and then.
bool trace_interrupted(Trace *trace, Span span);
bool trace_interrupted_now(Trace *trace, Span span); // .. and now
// Ends a running program like a panic, because it broke a rule; the diagnostics from `first` on
// give the reasons. If no program runs, it ends the trace of the function.
Value run_refuse(Trace *trace, Span span, int64_t first);
// The same for an error in the program itself, which may have been reported long before.
Value run_broken(Trace *trace, Decl *decl, Span span, int64_t first);
// Ends a running program at something that nobody taught us to carry out. `help` may be NULL.
Value run_unknown(Trace *trace, Span span, const char *what, const char *help);
// host/raw.c: the element at an index, one number an axis, of those lent by Tensor::data_mut. NULL:
// a panic said why not, or they are none.
Value *host_lent_place(Trace *trace, const ValueList *items, const ValueList *at, Span span);
// trace_panic with words of ours.
Value(trace_panic_words)(Trace *trace, Span span, Message message);
#define trace_panic_words(trace, span, ...) trace_panic_words(trace, span, MESSAGE(__VA_ARGS__))

// What a kernel gets: a value of its type for each parameter.
typedef struct {
    Value (*make)(void *own, Trace *trace, int32_t index, Type *type, const char *name, Span span);
    void *own;
    Type **generics; // NULL: it must do without, but for contexts
} ParamSource;

static inline bool is_place_expr(const AstExpr *expr)
{
    while (expr->kind == AST_PAREN)
        expr = expr->inner;
    return expr->kind == AST_PATH || expr->kind == AST_FIELD || expr->kind == AST_INDEX ||
           (expr->kind == AST_UNARY && expr->unary.op == UNARY_DEREF);
}

// Does a running program have values that are dropped?
static inline bool follows_drops(const Trace *trace)
{
    return trace->run && trace->run->owns;
}

// Run from its text: of the program, or one of the library that is written in the language.
static inline bool is_written(Decl *decl)
{
    return !decl->is_builtin || decl->item->function.body;
}

// trace.c
// The program of a function; *result is what it gives back. NULL: it cannot be traced on its own.
Program *trace_program(Lang *lang, Builder *builder, Decl *decl, const ParamSource *source,
                       Value *result);
Value trace_block(Trace *trace, const AstBlock *block);
Value trace_call(Trace *trace, Decl *decl, Type **generics, const Value *args, int64_t count,
                 Span span);
// What is checked, in words: "the kernel `gemv`".
Str root_words(const Trace *trace);
Value trace_closure(Trace *trace, Closure closure, const Value *args, int64_t count);
Frame *new_frame(Trace *trace, const Body *body);
// A closure, a function or a constructor with these arguments.
Value call_value(Trace *trace, Value callee, const Value *args, int64_t count, Span span);

// trace_pattern.c
// Binds the names of a pattern. False: it does not fit.
bool bind_pattern(Trace *trace, const AstPattern *pattern, Value value);
// The same for a value that only the pattern has: what it leaves is dropped with the scope, if
// that type (of the value, or of what holds it) is.
bool bind_owned(Trace *trace, const AstPattern *pattern, Value value, Type *type);
// What the last pattern took goes back: a guard refused it. `drops`: as many as there were before.
void unbind_pattern(Trace *trace, int64_t drops);
// Types for the generics of a function that is not called. False: there are none.
bool choose_generics(Lang *lang, const Signature *signature, Type **generics, bool *open);

// value.c
// The variant that a value is; NULL: it is none.
Decl *value_variant(Value value);
// The fields of the variant at a place, as places of their own; NULL: it has none.
ValueList *value_fields(Trace *trace, Value *place);
// The only field of a variant. False: it has none, or several.
bool value_field(Value value, Value *field);
Value variant_value(Trace *trace, Decl *decl, const Value *fields, int64_t count);
Value list_value(Trace *trace, const Value *items, int64_t count);
// A list of no items yet, to be filled by list_push.
Value new_list(Trace *trace, int64_t capacity);
void list_push(Trace *trace, ValueList *list, Value item);
// What is followed of it, from now on.
ListOwner *list_owner(Trace *trace, ValueList *list);
// A reference to a list of bytes.
Value bytes_value(Trace *trace, Str bytes);
Value unit_value(void);
Value poison_value(void);
// A value of its own: what is changed in one place stays as it is in another.
Value copy_value(Trace *trace, Value value);
// *known turns false where one of them is not.
bool value_equal(const Value *a, const Value *b, bool *known);

// trace_expr.c
Value trace_expr(Trace *trace, const AstExpr *expr);

// body_type, with a short way to the types that most expressions have.
static inline Type *quick_type(const Trace *trace, const AstExpr *expr)
{
    const Body *body = trace->frame->body;
    Type *type = type_of(body->types[expr->id - body->first_expr]);
    bool number = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    return number ? type : body_type(body, expr);
}

// constant.c
Value constant_value(Trace *trace, Decl *decl, const Use *use);
// The same where the program names it.
Value known_constant(Trace *trace, const Use *use, Span span);
// What a const generic is, as a value of a type.
Value generic_value(Type *type, const PrimInfo *prim);

// trace_place.c
// A value that an expression borrows and nobody has: it lives to the end of the statement.
Value *temporary(Trace *trace, const AstExpr *expr, Value *place);
// What is looked at where it is, by a pattern or through `*`: a value that nobody has lives on.
Value borrowed(Trace *trace, const AstExpr *expr);
// The place of an item or field; NULL: there is none.
Value *item_place(const Value *whole, int64_t index);
// A place that can be written to; NULL: it is none.
Value *trace_place(Trace *trace, const AstExpr *expr);
Value trace_field(Trace *trace, const AstExpr *expr);
Value trace_index(Trace *trace, const AstExpr *expr);

// trace_flow.c
Value trace_if(Trace *trace, const AstExpr *expr);
Value trace_match(Trace *trace, const AstExpr *expr);
Value trace_for(Trace *trace, const AstExpr *expr);
Value trace_while(Trace *trace, const AstExpr *expr);
Value trace_loop(Trace *trace, const AstExpr *expr);
Value trace_labelled(Trace *trace, const AstExpr *expr);
Value trace_try(Trace *trace, const AstExpr *expr);
Value trace_return(Trace *trace, const AstExpr *expr);
Value trace_break(Trace *trace, const AstExpr *expr);
Value trace_continue(Trace *trace, const AstExpr *expr);
bool out_of_steps(Trace *trace, Span span);

// trace_move.c
// An expression whose value is given away: a tensor, view or stream is not in its variable any
// more.
Value trace_moved(Trace *trace, const AstExpr *expr);
// The value of a block, a branch or `return`: while a program runs it is moved.
static inline Value trace_given(Trace *trace, const AstExpr *expr)
{
    return follows_drops(trace) && is_place_expr(expr) ? trace_moved(trace, expr)
                                                       : trace_expr(trace, expr);
}

// What a running program moves leaves its place.
void move_place(Trace *trace, const AstExpr *expr);
// A frame of its own for what takes its variables along: those of the expressions from one number
// to another that own something.
Frame *capture(Trace *trace, int32_t first_id, int32_t end_id);
// What is in a place, unless it, or a part of it, was given away, which is reported.
Value check_there(Trace *trace, const AstExpr *expr, Value *place);
Value check_whole(Trace *trace, const AstExpr *expr, Value *place);
// It is, or holds, a tensor, view or stream.
bool value_is_unique(Value value);
// Items or fields; NULL: it has none.
const ValueList *value_parts(Value value);

// trace_ways.c: begin, then enter and leave for each way, then end
Ways begin_ways(Trace *trace);
void enter_way(Trace *trace, Ways *ways);
void leave_way(Trace *trace, Ways *ways, Value value);
Value end_ways(Trace *trace, Ways *ways);
void set_choice(Trace *trace, const Choice *choice);

// trace_operator.c: operators that mean a function of the program
// Calls it with the values of the operands.
Value trace_own(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                int64_t count);
bool trace_own_binary(Trace *trace, const AstExpr *expr, Value *result);
bool trace_own_assign(Trace *trace, const AstExpr *expr);
Value *trace_own_index(Trace *trace, const AstExpr *expr);
// What a value derefs to, instead of it.
Value trace_adjust(Trace *trace, const AstExpr *expr, const Use *use, Value value);
// A call through a `dyn Trait`. False: it is none.
bool trace_dyn(Trace *trace, const Use *use, const Value *args, int64_t count, Span span,
               Value *result);
// The reference that says what a `dyn Trait` stands for; its `dyn` is NULL: there is none.
Value value_dyn(Value value);
// An error of the program that is only known as one from here on.
Value boxed_error(Trace *trace, Value error, Type *type);

// trace_arith.c
Value trace_binary(Trace *trace, const AstExpr *expr, AstBinaryOp op, Value left, Value right,
                   Type *type);
Value trace_cast(Value value, Type *from, Type *to);
Value trace_negate(Trace *trace, const AstExpr *expr, Value value, Type *type);
Value trace_not(Value value, Type *type);
// trace_binary of two integers of up to 64 bits, with the type of the left one, references and all.
Value trace_integers(Trace *trace, const AstExpr *expr, AstBinaryOp op, int64_t a, int64_t b,
                     Type *type);
int64_t wrap_integer(int64_t value, Type *type);
bool is_unsigned(Type *type);
// i8::MAX and the like; unknown, if it is none.
Value number_limit(Type *type, const char *name);

// trace_tensor.c
const Dim *dim_of_type(Trace *trace, Type *type);
// Fills dims and element type from a tensor type. False: something in it is not known.
bool tensor_shape(Trace *trace, Type *type, Tensor *tensor);
// `written`: the argument that says the address; NULL: there is none.
Value new_tensor(Trace *trace, Type *type, TensorOrigin origin, Value address,
                 const AstExpr *written, Span span);
MaybeInt maybe_int(Value value);
bool is_context(Type *type);
bool is_number(Type *type); // or bool: what a kernel takes besides tensors
// A value of a type that comes from outside.
Value param_value(Trace *trace, Type *type, const char *name, Span span);

// trace_stage.c
Value trace_stage(Trace *trace, const AstExpr *expr, const Use *use, StageKind kind,
                  const Value *args, int64_t count);
Value trace_begin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                  bool interleaved);
Value input_stream(Trace *trace, Type *type, Span span);
// What the type of a stream says of it, but for its dimensions. False: it is none, or not known.
bool stream_of_type(Type *type, Stage *stage);
bool scalar_of_type(Type *type, Scalar *scalar);
void not_known(const Trace *trace, Span span);

// trace_operand.c
// As many as there are; -1: they are not known. `type`: of the argument; `written`: the argument.
int32_t read_operands(Value value, Type *type, Scalar element, Operand *operands, bool *too_many,
                      const AstExpr *written);
// Reports the second operand of a ternary operation if it is not a constant. False: it is one.
bool report_second_operand(const Trace *trace, Value value, Type *type, const AstExpr *written);
bool read_operator(Value value, VectorOp *op, VectorAlu *alu);
bool read_mode(Value value, ArgMode *mode);
// `stream`: what the branch stands behind.
bool read_branch(Trace *trace, Value value, const Stage *stream, Stage *stage);
bool read_condition(Value value, BranchCondition *condition);
Value operand_value(Trace *trace, Operand operand);
uint32_t scalar_bits(Value value, Scalar type);

// host/index.c
void host_index_print(StrBuf *out, const HostIndex *index);
void mapping_value_print(StrBuf *out, const Expr *mapping);
bool mapping_values_equal(const Expr *a, const Expr *b);
// host/raw.c: axes and all elements are the same.
bool host_arrays_equal(const HostArray *a, const HostArray *b);
// host/factors.c: FMapping[term(A:8 / 1 % 8 = 8) * pad(16)]
void factors_print(StrBuf *out, const Mapping *factors);
// i![..]
Value trace_index_macro(Trace *trace, const AstExpr *expr);

// std/macro.c
// Ends the program, or the look at it. In a kernel, which never should, it is said.
Value trace_panic(Trace *trace, Span span, Str message);
// Ends a program that runs where something that is not known decides.
Value trace_not_run(Trace *trace, Span span);
// A macro call: printing, assertions, formatted text.
Value trace_macro(Trace *trace, const AstExpr *expr);

// builtin.c: a function of the prelude. `expr`: the call; NULL: it was handed over as a value.
Value trace_builtin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                    int64_t count, Span span);

#endif

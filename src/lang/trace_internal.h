// What the parts of the tracer share.
#ifndef CONTRA_LANG_TRACE_INTERNAL_H
#define CONTRA_LANG_TRACE_INTERNAL_H

#include "lang/infer.h"
#include "lang/signature.h"
#include "lang/trace.h"
#include "lang/value.h"

typedef enum {
    FLOW_ON,
    FLOW_BREAK,
    FLOW_CONTINUE,
    FLOW_RETURN,
    FLOW_STOP, // the function cannot go on: a panic, or something was refused for good
} Flow;

// A running function.
typedef struct Frame {
    const Body *body;
    Value *slots;
    Value result;        // of return, or of break
    struct Frame *outer; // in which it was made
} Frame;

typedef struct {
    Lang *lang;
    Builder *builder;
    Frame *frame;
    Flow flow;
    const char *label; // of the loop that a break or continue is for; NULL: the one it stands in
    int64_t steps;
    int32_t depth;     // of calls
    int32_t nesting;   // of expressions, over all calls
    int32_t uncertain; // how many conditions that are not known led here
    bool maybe_left;   // one of two ways leaves the loop or function: it is followed once
    bool is_host;
    bool open_context; // passes run in a context that is a parameter
} Trace;

// A stage or an operation counts for many steps: it takes room in the program.
enum {
    TRACE_CALLS = 100,
    TRACE_NESTING = 4000,
    TRACE_STEPS = 10 * 1000 * 1000,
    HOST_STEPS = 200 * 1000,
    OP_STEPS = 20
};

// trace.c
Value trace_block(Trace *trace, const AstBlock *block);
Value trace_call(Trace *trace, const Decl *decl, Type **generics, const Value *args, int64_t count,
                 Span span);
Value trace_closure(Trace *trace, const Closure *closure, const Value *args, int64_t count);
Frame *new_frame(Trace *trace, const Body *body);
bool bind_pattern(Trace *trace, const AstPattern *pattern, Value value);

// trace_expr.c
Value trace_expr(Trace *trace, const AstExpr *expr);
// The same for what is given away: a tensor, view or stream is not in its variable any more.
Value trace_moved(Trace *trace, const AstExpr *expr);
// A place that can be written to; NULL: it is none.
Value *trace_place(Trace *trace, const AstExpr *expr);
// What number `index` of a loop over it is. False: it has ended.
bool item_at(Trace *trace, const Value *over, int64_t index, Value *item);
// A list of its own, where it is one: what is changed in one place stays as it is in another.
Value copy_list(Trace *trace, Value value);
Value list_value(Trace *trace, const Value *items, int64_t count);
Value constant_value(Trace *trace, const Decl *decl, const Use *use);
bool out_of_steps(Trace *trace, Span span);
bool value_equal(const Value *a, const Value *b, bool *known);

// trace_operator.c: operators that mean a function of the program
// Calls it with the values of the operands.
Value trace_own(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                int64_t count);
bool trace_own_binary(Trace *trace, const AstExpr *expr, Value *result);
bool trace_own_assign(Trace *trace, const AstExpr *expr);
Value *trace_own_index(Trace *trace, const AstExpr *expr);
// What a value derefs to, instead of it.
Value trace_adjust(Trace *trace, const AstExpr *expr, const Use *use, Value value);
// Of assert_eq!: by the `eq` of the program, where there is one.
bool trace_equal(Trace *trace, const AstExpr *expr, Value left, Value right, bool *known);

// trace_arith.c
Value trace_binary(Trace *trace, const AstExpr *expr, AstBinaryOp op, Value left, Value right,
                   Type *type);
Value trace_cast(Value value, Type *from, Type *to);
int64_t wrap_integer(int64_t value, Type *type);
bool is_unsigned(Type *type);
// i8::MAX and the like; unknown, if it is none.
Value number_limit(Type *type, const char *name);

// trace_tensor.c
const Dim *dim_of_type(Trace *trace, Type *type);
// Fills dims and element type from a tensor type. False: something in it is not known.
bool tensor_shape(Trace *trace, Type *type, Tensor *tensor);
Value new_tensor(Trace *trace, Type *type, TensorOrigin origin, Value address, Span span);
MaybeInt maybe_int(Value value);
// A value of a type that comes from outside.
Value param_value(Trace *trace, Type *type, const char *name, Span span);

// trace_stage.c
Value trace_stage(Trace *trace, const AstExpr *expr, const Use *use, StageKind kind,
                  const Value *args, int64_t count);
Value trace_begin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                  bool interleaved);
Value input_stream(Trace *trace, Type *type, Span span);
bool scalar_of_type(Type *type, Scalar *scalar);
void not_known(const Trace *trace, Span span);

// trace_operand.c
// As many as there are; -1: they are not known. `type`: of the argument.
int32_t read_operands(Value value, Type *type, Scalar element, Operand *operands, bool *too_many,
                      Span span);
bool read_operator(Value value, VectorOp *op, VectorAlu *alu);
bool read_mode(Value value, ArgMode *mode);
// `stream`: what the branch stands behind.
bool read_branch(Trace *trace, Value value, const Stage *stream, Stage *stage);
bool read_condition(Value value, BranchCondition *condition);
Value operand_value(Trace *trace, Operand operand);
uint32_t scalar_bits(Value value, Scalar type);

// model.c: a walk of the sequencer chapter. False: it is none.
bool trace_model(Trace *trace, const Decl *decl, Type **generics, Span span);

// builtin_std.c: what is worked out of the standard library. False: this is not.
typedef struct {
    Trace *trace;
    const char *name;
    const Value *args;
    int64_t count;
    Type *type;    // of the result
    Type *generic; // the first type argument, NULL: none
} StdCall;

bool std_call(const StdCall *call, Value *result);

// builtin.c: a function of the prelude. `expr`: the call.
Value trace_builtin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                    int64_t count);

#endif

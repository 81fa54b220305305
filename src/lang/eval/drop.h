// Values that own something: where they live, and what happens when they go (drop.c).
#ifndef CONTRA_LANG_EVAL_DROP_H
#define CONTRA_LANG_EVAL_DROP_H

#include "lang/eval/trace_internal.h"

typedef enum {
    SHARED_COUNTED, // Rc, Arc
    SHARED_WEAK,
    SHARED_BOX,   // a Box of something that is only known by a trait
    SHARED_READ,  // a guard of a cell that others may read
    SHARED_WRITE, // one that nobody else may use
    SHARED_CONTEXT,
} SharedKind;

// What a value owns besides itself.
typedef struct Shared {
    SharedKind kind;
    bool done;
    Value value;          // counted: what it holds
    Value *place;         // box: where that is
    int64_t strong, weak; // counted
    ValueList *cell;      // guard: whose
} Shared;

// Does a value of this type own something that is dropped with it?
bool type_ask_drops(Trace *trace, Type *type); // for the first time
static inline bool type_drops(Trace *trace, Type *type)
{
    type = type_of(type);
    return type->drops == DROPS_UNKNOWN ? type_ask_drops(trace, type) : type->drops == DROPS_YES;
}

// Has it an `impl Drop` of its own?
bool decl_drops(Decl *decl);
// May a value hold something that is dropped with it?
static inline bool is_owning(const Value *value)
{
    switch (value->kind) {
    case VALUE_LIST:
    case VALUE_VARIANT:
    case VALUE_MAP:
    case VALUE_ITER:
    case VALUE_CLOSURE:
    case VALUE_WEAK:
    case VALUE_FUTURE:
    case VALUE_TENSOR:
        return true;
    case VALUE_REF:
    case VALUE_CONTEXT:
        return value->shared;
    default:
        return false;
    }
}

// The `drop` that a program wrote for a type; NULL: none.
Decl *drop_method(Trace *trace, Type *type);

// Gives up what is in a place; it is VALUE_MOVED afterwards.
void value_drop(Trace *trace, Value *place);

// Places whose scope has not ended, the last one first to be dropped.
void drops_push(Trace *trace, Value *place);
Value *drops_keep(Trace *trace, Value value); // the same for a value without a place
void drops_end(Trace *trace, int64_t mark);   // all above that many

static inline void drops_leave(Trace *trace, int64_t mark)
{
    if (trace->drops.count > mark)
        drops_end(trace, mark);
}

// What a function of the library is given and neither keeps nor gives back is dropped. NULL: it
// gets nothing that could be.
DropWatch *drops_watch(Trace *trace, const Use *use, const Value *args, int64_t count);
// Meanwhile it hands these to a function of the program, which owns them from there on.
void drops_give(Trace *trace, const Value *args, int64_t count);
void drops_settle(Trace *trace, const DropWatch *watch, const Use *use, const Value *args,
                  int64_t count, Value result);

// Another handle of what an Rc, Box or guard owns (std/shared.c).
Value shared_copy(Trace *trace, Value value);

// ---- futures (future.c)

// A call or block that runs when it is awaited.
Value future_of_call(Trace *trace, Decl *decl, Type **generics, const Value *args, int64_t count,
                     Span span);
Value future_of_builtin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                        int64_t count, Span span);
Value future_of_block(Trace *trace, const AstExpr *expr, Frame *frame);
// A value that is there already, or what a future gives. Runs it if it did not run yet.
Value future_await(Trace *trace, Value value, Span span);
void future_drop(Trace *trace, struct Future *future);

#endif

// Futures: calls of async functions and async blocks, which run when they are awaited and never
// otherwise. One at a time: what a program awaits runs to its end.
#include "lang/eval/drop.h"
#include "lang/host/run_internal.h"
#include "lang/std/native.h"

#include "base/checked.h"

struct Future {
    Decl *decl; // a call
    Type **generics;
    Value *args;
    int64_t count;
    const Use *use;       // or one of the library, with the expression
    const AstExpr *block; // or a block
    Frame *frame;
    Span span;
    bool done;
    bool is_task;        // spawned: it gives a Result
    Value task;          // that runs when somebody waits
    struct Future *next; // that was spawned after it
    Value result;
};

static Value new_future(Trace *trace, struct Future future)
{
    trace->run->owns = true;
    return (Value){.kind = VALUE_FUTURE,
                   .future = arena_copy(trace->lang->arena, &future, sizeof future)};
}

Value future_of_call(Trace *trace, Decl *decl, Type **generics, const Value *args, int64_t count,
                     Span span)
{
    Value *kept = arena_copy(trace->lang->arena, args, sizeof *args * (size_t)max_i64(1, count));
    return new_future(
        trace, (struct Future){
                   .decl = decl, .generics = generics, .args = kept, .count = count, .span = span});
}

Value future_of_builtin(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                        int64_t count, Span span)
{
    Value *kept = arena_copy(trace->lang->arena, args, sizeof *args * (size_t)max_i64(1, count));
    trace->frame->is_kept = true;
    return new_future(trace, (struct Future){.use = use,
                                             .block = expr,
                                             .frame = trace->frame,
                                             .args = kept,
                                             .count = count,
                                             .span = span});
}

Value future_of_block(Trace *trace, const AstExpr *expr, Frame *frame)
{
    return new_future(trace, (struct Future){.block = expr, .frame = frame, .span = expr->span});
}

// `return` and `?` in a block leave the block.
static Value run_block(Trace *trace, const struct Future *future)
{
    Frame *outer = trace->frame;
    trace->frame = future->frame;
    trace->depth++;
    Value value = trace_block(trace, future->block->block.body);
    if (trace->flow == FLOW_RETURN) {
        trace->flow = FLOW_ON;
        value = trace->frame->result;
    }
    trace->depth--;
    trace->frame = outer;
    return value;
}

// As if it were called where it was written.
static Value run_builtin_call(Trace *trace, const struct Future *future)
{
    Frame *outer = trace->frame;
    trace->frame = future->frame;
    Value value =
        trace_builtin(trace, future->block, future->use, future->args, future->count, future->span);
    trace->frame = outer;
    return value;
}

static void drop_frame(Trace *trace, Frame *frame)
{
    if (frame && frame->captured)
        value_drop(trace, &(Value){.kind = VALUE_CLOSURE, .closure = {NULL, frame}});
}

// What it spawned runs first, in order: a task that panics is told to whoever joins it.
static void run_task(Trace *trace, struct Future *task)
{
    Run *run = trace->run;
    int64_t reports = trace->lang->diags->count;
    Value value = future_await(trace, task->task, task->span);
    bool panicked = trace->flow == FLOW_STOP && run->panicked && !run->cancelled;
    if (panicked) {
        StrBuf words = {.arena = trace->lang->arena};
        buf_format(&words, "task panicked: {}", run->message);
        const char *text = str_terminated(words.arena, buf_str(&words));
        run->panicked = run->refused = false;
        trace->flow = FLOW_ON;
        diag_forget(trace->lang->diags, reports);
        task->result = err_value(trace, error_value(trace, text, text));
    } else {
        task->result = trace->flow == FLOW_ON ? ok_value(trace, value) : value;
    }
}

static void run_tasks(Trace *trace, const struct Future *until)
{
    HostState *state = trace->run->state;
    while (state->tasks && !(until && until->done) && trace->flow == FLOW_ON) {
        struct Future *task = state->tasks;
        state->tasks = task->next;
        if (task->done)
            continue;
        task->done = true;
        run_task(trace, task);
    }
}

Value future_await(Trace *trace, Value value, Span span)
{
    Value target = value_strip(value);
    if (target.kind != VALUE_FUTURE)
        return value;
    struct Future *future = target.future;
    if (future->done && future->result.kind == VALUE_MOVED)
        return trace_panic_words(trace, span, "`async fn` resumed after completion");
    if (future->is_task) {
        run_tasks(trace, future);
    } else if (!future->done) {
        future->done = true;
        trace->awaits = future->decl || future->use;
        future->result = future->use     ? run_builtin_call(trace, future)
                         : future->block ? run_block(trace, future)
                                         : trace_call(trace, future->decl, future->generics,
                                                      future->args, future->count, future->span);
        if (!future->use)
            drop_frame(trace, future->frame);
    }
    Value result = future->result;
    future->result = (Value){.kind = VALUE_MOVED};
    return result;
}

void future_drop(Trace *trace, struct Future *future)
{
    if (future->is_task) // it goes on without anybody who waits
        return;
    if (future->done) {
        value_drop(trace, &future->result);
        return;
    }
    future->done = true;
    for (int64_t i = 0; i < future->count; i++)
        value_drop(trace, &future->args[i]);
    if (!future->use)
        drop_frame(trace, future->frame);
}

// ---- functions

NATIVE(future_block_on)
{
    *result = future_await(call->trace, call->args[call->count - 1], call->span);
    return true;
}

// A task runs when somebody waits, after those that were spawned before it.
NATIVE(future_spawn)
{
    Trace *trace = call->trace;
    if (!trace->run)
        return false;
    *result = new_future(
        trace,
        (struct Future){.is_task = true, .task = call->args[call->count - 1], .span = call->span});
    struct Future **last = &trace->run->state->tasks;
    while (*last)
        last = &(*last)->next;
    *last = result->future;
    return true;
}

// yield_now, sleep: what was spawned has its turn.
NATIVE(future_yield)
{
    run_tasks(call->trace, NULL);
    return std_unit(result);
}

NATIVE(future_is_finished)
{
    Value self = std_arg(call, 0);
    *result = value_bool(self.kind == VALUE_FUTURE && self.future->done);
    return true;
}

NATIVE(future_abort_task)
{
    Value self = std_arg(call, 0);
    if (self.kind != VALUE_FUTURE)
        return false;
    if (!self.future->done) {
        self.future->done = true;
        value_drop(call->trace, &self.future->task);
        self.future->result = err_value(
            call->trace, error_value(call->trace, "task was cancelled", "JoinError::Cancelled"));
    }
    return std_unit(result);
}

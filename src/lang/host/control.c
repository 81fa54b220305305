// What a running program does beside computing: launches, panics that are caught, futures.
#include "lang/host/run_internal.h"

#include "base/checked.h"
#include "lang/eval/drop.h"

static Value catch_unwind(const Call *call)
{
    Trace *trace = call->trace;
    Run *run = trace->run;
    int64_t reports = trace->lang->diags->count;
    Value f = value_strip(call->args[0]);
    if (f.kind == VALUE_LIST && f.list->count == 1) // AssertUnwindSafe
        f = f.list->items[0];
    Value value = call_value(trace, f, NULL, 0, call_span(call));
    bool caught = trace->flow == FLOW_STOP && run->panicked && !run->cancelled;
    if (trace->flow != FLOW_ON && !caught)
        return poison_value();
    if (caught) {
        value = (Value){.kind = VALUE_STRING, .text = run->message};
        run->panicked = run->refused = false;
        run->title = run->details = (Str){0};
        trace->flow = FLOW_ON;
        diag_forget(trace->lang->diags, reports);
    }
    Decl *result = type_strip(call_type(call))->decl;
    Decl *variant = enum_variant(result, lang_name(trace->lang, caught ? "Err" : "Ok"));
    return variant_value(trace, variant, &value, 1);
}

// There is one context; whoever waits for it while it holds it waits for ever.
static Value acquire(const Call *call)
{
    Trace *trace = call->trace;
    HostState *state = trace->run->state;
    if (state->context) {
        return trace_panic_words(trace, call_span(call),
                                 "`Context::acquire` would wait for ever: the context that was "
                                 "acquired before is still held");
    }
    Shared *shared = arena_new(trace->lang->arena, Shared, 1);
    *shared = (Shared){.kind = SHARED_CONTEXT};
    state->context = shared;
    trace->run->owns = true;
    return (Value){.kind = VALUE_CONTEXT, .shared = shared};
}

static const BuiltinRow rows[] = {
    {"Context", "acquire", acquire},
    {NULL, "launch", run_launch},
    {NULL, "catch_unwind", catch_unwind},
};

const BuiltinRows host_control_rows = {rows, COUNT_OF(rows)};

#include "lang/host/run_internal.h"

#include "lang/eval/check.h"
#include "lang/std/format.h"
#include "lang/std/std.h"

#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"
#include "lang/eval/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// ---- the end of a program

Value(trace_panic_words)(Trace *trace, Span span, Message message)
{
    return trace_panic(trace, span, (str_format)(trace->lang->arena, message));
}

bool trace_interrupted_now(Trace *trace, Span span)
{
    Run *run = trace->run;
    run->cancelled = run->oracle.is_cancelled && run->oracle.is_cancelled(run->oracle.own);
    if (run->cancelled)
        trace_panic(trace, span, STR("interrupted"));
    return run->cancelled;
}

bool trace_interrupted(Trace *trace, Span span)
{
    enum { STEPS_BETWEEN = 4096 };
    Run *run = trace->run;
    if (!run->oracle.is_cancelled || trace->steps - run->state->asked < STEPS_BETWEEN)
        return false;
    run->state->asked = trace->steps;
    return trace_interrupted_now(trace, span);
}

// ---- arrays

Array *run_keep(Trace *trace, Array *array)
{
    if (array)
        *array_push(trace->lang->arena, &trace->run->state->arrays, Array *) = array;
    return array;
}

Array *run_array(Trace *trace, Scalar type, const Mapping *mapping, Span span)
{
    Array *array = run_keep(trace, array_new(type, mapping));
    if (!array)
        trace_panic_words(trace, span, "there is no memory for a tensor of {} elements",
                          mapping->size);
    return array;
}

// Takes an array out of those that are given back at the end. False: another tensor has it.
static bool take_kept(HostState *state, const Array *array)
{
    int64_t i = state->arrays.count - 1; // mostly the newest
    while (i >= 0 && state->arrays.items[i] != array)
        i--;
    if (i >= 0)
        state->arrays.items[i] = state->arrays.items[--state->arrays.count];
    return i >= 0;
}

Value run_bind(Trace *trace, const Tensor *tensor, Array *array, Span span)
{
    HostState *state = trace->run->state;
    if (!array || !oracle_bind(state->host, tensor, array))
        return trace_panic(trace, span, STR("there is no memory for a tensor"));
    if (take_kept(state, array))
        oracle_give(state->host, tensor, array);
    return (Value){.kind = VALUE_TENSOR, .tensor = tensor};
}

void run_drop_tensor(Trace *trace, const Tensor *tensor)
{
    const Executor *executor = trace->run->executor;
    if (oracle_release(trace->run->state->host, tensor) && executor)
        executor->forget(executor->own, tensor);
}

void run_keep_tensor(Trace *trace, const Tensor *tensor)
{
    oracle_keep_tensor(trace->run->state->host, tensor);
}

Array *run_tensor_array(Trace *trace, const Tensor *tensor)
{
    const Executor *executor = trace->run->executor;
    if (executor && !executor->fetch(executor->own, tensor))
        return NULL;
    return oracle_array(trace->run->state->host, tensor);
}

// What the host does to tensors is done to their arrays.
static bool execute_ops(Run *run)
{
    const Executor *executor = run->executor;
    HostState *state = run->state;
    const int64_t first = state->ops_seen, count = state->program->ops.count;
    bool ok = true;
    state->ops_seen = count;
    for (int64_t i = first; executor && i < count; i++)
        ok &= executor->before_op(executor->own, state->program->ops.items[i]);
    if (!ok || !oracle_continue(state->host))
        return ok;
    for (int64_t i = first; executor && i < count; i++)
        ok &= executor->after_op(executor->own, state->program->ops.items[i]);
    return ok;
}

static void execute_host_ops(Trace *trace, Span span)
{
    if (!execute_ops(trace->run))
        trace_panic(trace, span, STR("there is no memory for a tensor"));
}

// ---- elements

Value host_element(Scalar type, uint32_t bits)
{
    if (type == SCALAR_F32) {
        float real;
        memcpy(&real, &bits, sizeof real);
        return (Value){.kind = VALUE_FLOAT, .real = (double)real};
    }
    bool number = type == SCALAR_I8 || type == SCALAR_I16 || type == SCALAR_I32;
    if (number || type == SCALAR_U8)
        return value_int(number ? (int64_t)(int32_t)bits : (int64_t)bits);
    return (Value){.kind = VALUE_SCALAR, .scalar = {type, bits}};
}

bool host_element_bits(Value value, Scalar type, uint32_t *bits)
{
    value = value_strip(value);
    *bits = value.kind == VALUE_SCALAR ? value.scalar.bits : scalar_bits(value, type);
    return value.kind == VALUE_INT || value.kind == VALUE_FLOAT ||
           (value.kind == VALUE_SCALAR && value.scalar.type == type);
}

Value opt_value(Trace *trace, Scalar type, uint32_t bits, bool live)
{
    const HostState *state = trace->run->state;
    Value element = host_element(type, bits);
    return live ? variant_value(trace, state->init, &element, 1)
                : variant_value(trace, state->uninit, NULL, 0);
}

bool opt_bits(Value value, Scalar type, uint32_t *bits, uint8_t *live)
{
    Value field;
    value = value_strip(value);
    if (!value_variant(value))
        return false;
    *live = value_field(value, &field);
    *bits = 0;
    return !*live || host_element_bits(field, type, bits);
}

bool host_shape(Trace *trace, Type *type, Scalar *scalar, const Dim **dim)
{
    type = type_strip(type);
    if (type->kind != TYPE_NAMED || type->arg_count < 2 || !scalar_of_type(type->args[0], scalar))
        return false;
    *dim = dim_of_type(trace, type->args[1]);
    return *dim != NULL;
}

// ---- functions of the prelude

bool run_builtin(const Call *call, Value *result)
{
    static const BuiltinRows *const tables[] = {
        &host_control_rows, &host_tensor_rows, &host_math_rows,    &host_place_rows,
        &host_raw_rows,     &host_index_rows,  &host_factors_rows, &host_safetensors_rows};
    static const BuiltinRow none = {0};
    Decl *decl = call->use->decl; // its row is found once
    for (size_t i = 0; i < COUNT_OF(tables) && !decl->host_row; i++)
        decl->host_row = builtin_find(tables[i], decl);
    if (!decl->host_row)
        decl->host_row = &none;
    const BuiltinRow *row = decl->host_row;
    if (!row->run)
        return false;
    *result = row->run(call);
    return result->kind != VALUE_UNKNOWN; // something else may know it
}

Value run_refuse(Trace *trace, Span span, int64_t first)
{
    const DiagList *diags = trace->lang->diags;
    StrBuf text = {.arena = trace->lang->arena};
    if (!trace->run) { // only checked: the diagnostics are enough
        trace->flow = FLOW_STOP;
        return poison_value();
    }
    for (int64_t i = first; i < diags->count; i++) {
        const Diag *diag = diags->items[i];
        if (diag->severity == SEVERITY_ERROR)
            buf_format(&text, "{}[{}] {}", text.len ? "\n" : "", diag_infos[diag->code].code,
                       diag->message);
    }
    Value value = trace_panic(trace, span, buf_str(&text));
    trace->run->refused = true;
    return value;
}

Value run_broken(Trace *trace, Decl *decl, Span span, int64_t first)
{
    const DiagList *diags = trace->lang->diags;
    bool is_new = false;
    for (int64_t i = first; i < diags->count; i++)
        is_new |= diags->items[i]->severity == SEVERITY_ERROR;
    if (!is_new)
        diag_add(trace->lang->diags, DIAG_NOT_RUN, span,
                 "`{}` cannot run: it uses code that has an error", decl->name);
    trace->run->broken = true;
    return run_refuse(trace, span, first);
}

Value run_settle(const Call *call, Value result, int64_t errors_before)
{
    Trace *trace = call->trace;
    const DiagList *diags = trace->lang->diags;
    int64_t first = 0, errors = 0;
    if (trace->flow == FLOW_ON && diags->error_count == errors_before)
        execute_host_ops(trace, call_span(call));
    for (first = diags->count; first > 0 && errors < diags->error_count - errors_before; first--)
        errors += diags->items[first - 1]->severity == SEVERITY_ERROR;
    if (diags->error_count > errors_before && trace->flow == FLOW_ON)
        return run_refuse(trace, call_span(call), first);
    if (result.kind == VALUE_UNKNOWN && trace->flow == FLOW_ON)
        return run_unknown(trace, call_span(call),
                           str_terminated(trace->lang->arena, str_format(trace->lang->arena, "`{}`",
                                                                         call->use->decl->name)),
                           NULL);
    return result;
}

Value run_unknown(Trace *trace, Span span, const char *what, const char *help)
{
    const DiagList *diags = trace->lang->diags;
    Diag *diag = diag_add(trace->lang->diags, DIAG_NOT_RUN, span,
                          "{} is not carried out when a program runs", what);
    if (help)
        diag_help(diag, "{}", help);
    return run_refuse(trace, span, diags->count - 1);
}

// ---- whole programs

// A program in its own thread, for the sake of its stack: functions of the program that call
// themselves are functions of ours that do.
typedef struct {
    Lang *lang;
    Decl *decl;
    Run *run;
    HostState state;
    Builder *builder; // of what the host does itself
    jmp_buf no_memory;
    bool exhausted;
    const HeapSource *memory; // of the caller's thread, and its threads
    int threads;
} Job;

enum { STACK_BYTES = 1 << 29 };

static Array *array_of(void *own, const Tensor *tensor)
{
    return oracle_array(((HostState *)own)->host, tensor);
}

static void open_state(Job *job)
{
    Lang *lang = job->lang;
    Decl *opt = module_lookup(lang, lang->prelude, lang_name(lang, "Opt"), SPACE_TYPE);
    const char *name = str_terminated(lang->arena, decl_path(lang->arena, job->decl));
    HostState *state = &job->state;
    job->run->state = state;
    state->init = enum_variant(opt, lang_name(lang, "Init"));
    state->uninit = enum_variant(opt, lang_name(lang, "Uninit"));
    state->launches.arena = state->lent.arena = lang->arena;
    state->kernels = builder_new(lang->arena, lang->diags, &job->run->builder);
    job->builder = builder_new(lang->arena, lang->diags, &job->run->builder);
    state->program = builder_open(job->builder, name, job->decl->span, (MaybeInt){0});
    state->host = oracle_new(state->program, &job->run->oracle, lang->diags);
    if (!state->host)
        arena_exhausted(lang->arena);
    if (job->run->executor) {
        job->run->executor->array = array_of;
        job->run->executor->host = state;
    }
}

static void close_state(Job *job)
{
    HostState *state = &job->state;
    for (int64_t i = 0; i < state->launches.capacity; i++)
        if (state->launches.slots[i].key)
            launches_free(state->launches.slots[i].value);
    oracle_free(state->host);
    if (state->kernels)
        builder_free(state->kernels);
    if (job->builder)
        builder_free(job->builder);
    for (int64_t i = 0; i < state->arrays.count; i++)
        array_free(state->arrays.items[i]);
    arena_release(&state->scratch);
    job->run->state = NULL;
}

// A test or `main` that gives back an Err has failed.
static void judge_result(Trace *trace, Decl *decl, Value result)
{
    Value field;
    result = value_strip(result);
    if (trace->flow != FLOW_ON || !is_variant(result, "Err") || !value_field(result, &field))
        return;
    Type *type = type_of(signature_of(trace->lang, decl)->result);
    StrBuf text = {.arena = trace->lang->arena};
    buf_add(&text, STR("Error: "));
    format_value(trace, &text, field, type->arg_count > 1 ? type->args[1] : NULL,
                 &(FormatSpec){.kind = FORMAT_DEBUG});
    trace_panic(trace, decl->span, buf_str(&text));
}

static void *run_job(void *own)
{
    Job *job = own;
    Arena *arena = job->lang->arena;
    jmp_buf *outer = arena->on_oom;
    arena->on_oom = &job->no_memory;
    heap_source = job->memory;
    workers_limit(job->threads);
    if (setjmp(job->no_memory)) {
        job->exhausted = true;
    } else {
        open_state(job);
        Trace trace = {.lang = job->lang,
                       .builder = job->builder,
                       .root = job->decl,
                       .run = job->run,
                       .mode = TRACE_RUN,
                       .awaits = true};
        int64_t reports = job->lang->diags->count;
        if (lang_check_reachable(job->lang, job->decl))
            judge_result(&trace, job->decl,
                         trace_call(&trace, job->decl, NULL, NULL, 0, job->decl->span));
        else
            run_broken(&trace, job->decl, job->decl->span, reports);
    }
    close_state(job);
    arena->on_oom = outer;
    return NULL;
}

static void refuse_thread(const Job *job)
{
    Diag *diag =
        diag_add(job->lang->diags, DIAG_RUN_NO_THREAD, job->decl->span,
                 "the system does not start the thread that `{}` runs in", job->decl->name);
    diag_help(diag,
              "raise the limit on memory (`ulimit -v`) or on processes (`ulimit -u`); the stack of "
              "the thread takes {} MiB of address space",
              STACK_BYTES >> 20);
    Run *run = job->run;
    run->panicked = run->refused = run->broken = true;
    run->message = diag->message;
}

void run_function(Lang *lang, Decl *decl, Run *run)
{
    Job job = {
        .lang = lang, .decl = decl, .run = run, .memory = heap_source, .threads = workers_most()};
    pthread_attr_t attributes;
    pthread_t thread;
    lang->is_running = true;
    bool started = pthread_attr_init(&attributes) == 0 &&
                   pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                   pthread_create(&thread, &attributes, run_job, &job) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    else
        refuse_thread(&job);
    lang->is_running = false;
    if (job.exhausted)
        arena_exhausted(lang->arena);
}

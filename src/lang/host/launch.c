// Launches: a kernel is traced with the arguments it got, verified, and executed on the arrays
// behind them. What was traced once is kept for the next launch that differs in nothing but the
// data.
#include "lang/host/run_internal.h"

#include "base/checked.h"

#include <string.h>

typedef struct Launch Launch;

struct Launch {
    Launch *next;           // of the same kernel, with other arguments
    Str key;                // what it was launched with, data left out
    ReadyKernel *ready;     // of the executor; NULL: there is none
    Oracle *oracle;         // that executes it then
    const Tensor **tensors; // parameters, in the order of Arguments
    int64_t count;
    Value result; // in terms of its program
};

// The tensors of the host among the arguments, each once, and everything else as a key.
typedef struct {
    Trace *trace; // of the host
    struct {
        ARRAY(const Tensor *);
    } tensors;
    StrBuf key;
    const Value *args;
    int64_t count;
    const Tensor **made; // the tensors of the kernel for them
    bool unfit;          // something that cannot be sent
} Arguments;

void launches_free(void *first)
{
    for (Launch *launch = first; launch; launch = launch->next)
        oracle_free(launch->oracle);
}

// ---- what it was launched with

static int64_t tensor_number(Arguments *arguments, const Tensor *tensor)
{
    for (int64_t i = 0; i < arguments->tensors.count; i++)
        if (arguments->tensors.items[i] == tensor)
            return i;
    *array_push(arguments->key.arena, &arguments->tensors, const Tensor *) = tensor;
    return arguments->tensors.count - 1;
}

static void add_tensor(Arguments *arguments, const Tensor *tensor)
{
    buf_format(&arguments->key, "t{}@{}:{x};", tensor_number(arguments, tensor),
               tensor->address.known ? tensor->address.value : -1,
               (uintptr_t)tensor->dims[LEVEL_ELEMENT]);
}

static void add_value(Arguments *arguments, Value value)
{
    value = value_strip(value);
    StrBuf *key = &arguments->key;
    switch (value.kind) {
    case VALUE_TENSOR:
        add_tensor(arguments, value.tensor);
        break;
    case VALUE_VIEW:
        add_tensor(arguments, value.view->tensor);
        for (int64_t i = 0; i < value.view->tiles.count; i++)
            buf_format(key, "[{x}+{}]", (uintptr_t)value.view->tiles.items[i].dim,
                       value.view->tiles.items[i].start.value);
        break;
    case VALUE_LIST:
        for (int64_t i = 0; i < value.list->count; i++)
            add_value(arguments, value.list->items[i]);
        break;
    case VALUE_INT:
        buf_format(key, "i{};", value.integer);
        break;
    case VALUE_WIDE:
        buf_format(key, "w{x}:{x};", (unsigned long long)value.wide[1],
                   (unsigned long long)value.wide[0]);
        break;
    case VALUE_BOOL:
        buf_format(key, "b{};", value.boolean);
        break;
    case VALUE_FLOAT:
        buf_format(key, "f{a};", value.real);
        break;
    case VALUE_CONTEXT:
    case VALUE_VARIANT: // PhantomData
        buf_format(key, "c;");
        break;
    default:
        arguments->unfit = true;
        break;
    }
}

static void add_generics(Arguments *arguments, const Use *kernel)
{
    int32_t count = signature_of(arguments->trace->lang, kernel->decl)->generic_count;
    for (int32_t i = 0; kernel->generics && i < count; i++) {
        buf_format(&arguments->key, "<");
        type_print(&arguments->key, kernel->generics[i]);
        buf_format(&arguments->key, ">");
    }
}

// ---- from values of the host to those of the kernel

static const Tensor *kernel_tensor(Arguments *arguments, Trace *kernel, const Tensor *tensor,
                                   Type *type, const char *name, Span span)
{
    int64_t number = tensor_number(arguments, tensor);
    if (arguments->made[number])
        return arguments->made[number];
    Tensor param = {.origin = ORIGIN_PARAM, .span = span, .name = name, .trf = TRF_FULL};
    if (!type || !tensor_shape(kernel, type, &param)) { // a view: only the host knows the whole
        param.tier = tensor->tier;
        param.type = tensor->type;
        memcpy(param.dims, tensor->dims, sizeof param.dims);
    }
    param.address = tensor->address;
    param.address_span = tensor->address_span;
    param.address_fixed = tensor->address_fixed;
    param.address_base = tensor->address_base;
    arguments->made[number] = builder_tensor(kernel->builder, &param);
    return arguments->made[number];
}

static const View *kernel_view(Arguments *arguments, Trace *kernel, const View *view,
                               const char *name, Span span)
{
    const Tensor *tensor = kernel_tensor(arguments, kernel, view->tensor, NULL, name, span);
    const View *made = builder_view(kernel->builder, tensor, view->is_mut, span);
    for (int64_t i = 0; i < view->tiles.count; i++)
        made = builder_tile(kernel->builder, made, &view->tiles.items[i], view->tiles.items[i].dim);
    return made;
}

static Value kernel_value(Arguments *arguments, Trace *kernel, Value value, Type *type,
                          const char *name, Span span)
{
    type = type_of(type);
    if (value.kind == VALUE_REF) {
        Value *place = arena_new(kernel->lang->arena, Value, 1);
        Type *inner = type->kind == TYPE_REF ? type->args[0] : type;
        *place = kernel_value(arguments, kernel, *value.place, inner, name, span);
        return (Value){.kind = VALUE_REF, .place = place};
    }
    if (value.kind == VALUE_TENSOR)
        return (Value){.kind = VALUE_TENSOR,
                       .tensor = kernel_tensor(arguments, kernel, value.tensor, type, name, span)};
    if (value.kind == VALUE_VIEW)
        return (Value){.kind = VALUE_VIEW,
                       .view = kernel_view(arguments, kernel, value.view, name, span)};
    if (value.kind != VALUE_LIST || type->kind != TYPE_TUPLE)
        return value;
    Value list = list_value(kernel, value.list->items, value.list->count);
    for (int64_t i = 0; i < list.list->count && i < type->arg_count; i++)
        list.list->items[i] =
            kernel_value(arguments, kernel, list.list->items[i], type->args[i], name, span);
    return list;
}

static Value argument(void *own, Trace *kernel, int32_t index, Type *type, const char *name,
                      Span span)
{
    Arguments *arguments = own;
    return index < arguments->count
               ? kernel_value(arguments, kernel, arguments->args[index], type, name, span)
               : VALUE_NOTHING;
}

// ---- the other way

// What a launch gives back, and what of it the host has already: one tensor may be given back more
// than once.
typedef struct {
    Trace *trace;
    const Launch *launch;
    const Arguments *arguments;
    Span span;
    struct {
        ARRAY(LaunchTensor);
    } taken;
} Results;

// The tensor of the host that one of the kernel is. NULL: it is new.
static const Tensor *known_result(const Results *results, const Tensor *tensor)
{
    for (int64_t i = 0; i < results->launch->count; i++)
        if (results->launch->tensors[i] == tensor)
            return results->arguments->tensors.items[i];
    for (int64_t i = 0; i < results->taken.count; i++)
        if (results->taken.items[i].kernel == tensor) {
            run_keep_tensor(results->trace, results->taken.items[i].host); // two have it
            return results->taken.items[i].host;
        }
    return NULL;
}

static Value take_result(Results *results, const Tensor *of_kernel)
{
    Trace *trace = results->trace;
    const Launch *launch = results->launch;
    Tensor tensor = *of_kernel;
    tensor.origin = ORIGIN_PARAM;
    tensor.storage = NULL;
    tensor.span = results->span;
    const Tensor *made = builder_tensor(trace->builder, &tensor);
    const Executor *executor = trace->run->executor;
    Array *array = launch->ready ? executor->take(executor->own, launch->ready, of_kernel, made)
                                 : oracle_take(launch->oracle, of_kernel);
    *array_push(results->arguments->key.arena, &results->taken, LaunchTensor) =
        (LaunchTensor){made, of_kernel};
    if (launch->ready && !array) // it stays on the device
        return (Value){.kind = VALUE_TENSOR, .tensor = made};
    return run_bind(trace, made, run_keep(trace, array), results->span);
}

static Value host_result(Results *results, Value value)
{
    value = value_strip(value);
    if (value.kind == VALUE_LIST && !value.list->count)
        return unit_value();
    if (value.kind == VALUE_LIST) {
        Value list = list_value(results->trace, value.list->items, value.list->count);
        for (int64_t i = 0; i < list.list->count; i++)
            list.list->items[i] = host_result(results, list.list->items[i]);
        return list;
    }
    if (value.kind != VALUE_TENSOR)
        return value;
    const Tensor *known = known_result(results, value.tensor);
    return known ? (Value){.kind = VALUE_TENSOR, .tensor = known}
                 : take_result(results, value.tensor);
}

// ---- launching

static Launch *find_launch(const HostState *state, Decl *kernel, Str key)
{
    Launch *launch = map_get(&state->launches, kernel);
    while (launch && !str_equal(launch->key, key))
        launch = launch->next;
    return launch;
}

static void make_ready(Trace *trace, Launch *launch, Program *program)
{
    const Executor *executor = trace->run->executor;
    OracleOptions options = trace->run->oracle;
    options.results_only = true;
    launch->ready = executor ? executor->ready(executor->own, program) : NULL;
    if (!launch->ready)
        launch->oracle = oracle_new(program, &options, trace->lang->diags);
    if (!launch->ready && !launch->oracle)
        arena_exhausted(trace->lang->arena);
}

static Launch *new_launch(Trace *trace, const Use *use, Arguments *arguments)
{
    Decl *kernel = use->decl;
    Lang *lang = trace->lang;
    HostState *state = trace->run->state;
    int64_t errors = lang->diags->error_count;
    arguments->made = arena_new(lang->arena, const Tensor *, (size_t)arguments->tensors.count + 1);
    ParamSource source = {argument, arguments, use->generics};
    Value result;
    Program *program = trace_program(lang, state->kernels, kernel, &source, &result);
    if (program && program->is_refused && lang->diags->error_count == errors)
        run_broken(trace, kernel, use->decl->span, lang->diags->count);
    if (!program || program->is_refused || lang->diags->error_count > errors)
        return NULL;
    Launch *launch = arena_new(lang->arena, Launch, 1);
    *launch = (Launch){.next = map_get(&state->launches, kernel),
                       .key = str_copy(lang->arena, buf_str(&arguments->key)),
                       .tensors = arguments->made,
                       .count = arguments->tensors.count,
                       .result = result};
    make_ready(trace, launch, program);
    map_put(&state->launches, kernel, launch);
    return launch;
}

static bool run_ready(Trace *trace, const Launch *launch, const Arguments *arguments, Span span)
{
    enum { FEW = 16 };
    const Executor *executor = trace->run->executor;
    LaunchTensor few[FEW], *tensors = few;
    if (launch->count > FEW)
        tensors = arena_new(arguments->key.arena, LaunchTensor, (size_t)launch->count);
    for (int64_t i = 0; i < launch->count; i++)
        tensors[i] = (LaunchTensor){arguments->tensors.items[i], launch->tensors[i]};
    const CallSite site = {trace->site, span};
    return executor->run(executor->own, launch->ready, tensors, launch->count, &site);
}

static bool bind_tensor(Trace *trace, const Launch *launch, int64_t index, const Tensor *host)
{
    Array *array = run_tensor_array(trace, host);
    return array &&
           (!launch->tensors[index] || oracle_bind(launch->oracle, launch->tensors[index], array));
}

static Value execute(Trace *trace, Launch *launch, const Arguments *arguments, Span span)
{
    for (int64_t i = 0; i < launch->count && !launch->ready; i++)
        if (!bind_tensor(trace, launch, i, arguments->tensors.items[i]))
            return trace_panic(trace, span, STR("there is no memory for an argument"));
    if (launch->ready ? !run_ready(trace, launch, arguments, span) : !oracle_run(launch->oracle))
        return poison_value(); // what it said becomes a panic
    Results results = {trace, launch, arguments, span, {0}};
    return host_result(&results, launch->result);
}

// What is wrong with a kernel may be wrong with what it was given.
static void note_launch(const Call *call, int64_t first)
{
    const DiagList *diags = call->trace->lang->diags;
    for (int64_t i = first; i < diags->count; i++)
        diag_note(diags->items[i], call_span(call), "launched here");
}

ValueList *run_spare_list(const Trace *trace, int64_t count)
{
    HostState *state = trace->run->state;
    ValueList *list = count < SPARE_LISTS ? state->spare[count] : NULL;
    if (list)
        state->spare[count] = NULL;
    return list;
}

// A tuple that is written in the call is gone with it: the next one takes its place.
static void spare_arguments(const Call *call, Value args)
{
    const AstExpr *expr = call->expr;
    int64_t index = call_param(call, "args");
    if (!expr || expr->kind != AST_CALL || index >= expr->call.args.count ||
        expr->call.args.items[index]->kind != AST_TUPLE || args.kind != VALUE_LIST ||
        args.list->count >= SPARE_LISTS || args.list->owner || args.list->capacity)
        return;
    call->trace->run->state->spare[args.list->count] = args.list;
}

Value run_launch(const Call *call)
{
    Trace *trace = call->trace;
    int64_t reports = trace->lang->diags->count;
    arena_clear(&trace->run->state->scratch);
    trace->run->state->scratch.on_oom = trace->lang->arena->on_oom;
    Value kernel = call_arg(call, "f"), args = call_arg(call, "args");
    if (kernel.kind != VALUE_FN || !kernel.function->decl)
        return VALUE_NOTHING;
    Decl *decl = kernel.function->decl;
    int32_t params = signature_of(trace->lang, decl)->param_count;
    bool tuple = args.kind == VALUE_LIST && params != 1;
    const Value *first = tuple ? args.list->items : &call->args[call_param(call, "args")];
    Arguments arguments = {.trace = trace,
                           .key = {.arena = &trace->run->state->scratch},
                           .args = first,
                           .count = tuple ? args.list->count : 1};
    add_generics(&arguments, kernel.function);
    for (int64_t i = 0; i < arguments.count; i++)
        add_value(&arguments, first[i]);
    if (arguments.unfit)
        return trace_panic(trace, call_span(call),
                           STR("an argument of the launch cannot be sent to the device"));
    Launch *launch = find_launch(trace->run->state, decl, buf_str(&arguments.key));
    if (!launch)
        launch = new_launch(trace, kernel.function, &arguments);
    Value result = launch ? execute(trace, launch, &arguments, call_span(call)) : poison_value();
    note_launch(call, reports);
    spare_arguments(call, args);
    return result;
}

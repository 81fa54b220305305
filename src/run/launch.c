#include "run/launch.h"

#include "run/array.h"

#include <string.h>

// ---- opening

// One that was closed before is taken again: handles that are given back stay what they are.
static ContraLaunch *launch_new(Contra *contra)
{
    ContraLaunch *launch =
        contra->closed ? contra->closed : arena_new(&contra->arena, ContraLaunch, 1);
    contra->closed = launch->next;
    contra->opening = launch;
    *launch = (ContraLaunch){.own.on_oom = &contra->on_oom, .made.on_oom = &contra->on_oom};
    launch->run = (KernelRun){.contra = contra,
                              .arena = &launch->own,
                              .scratch = &contra->scratch,
                              .options = &launch->options,
                              .binds = true};
    return launch;
}

void launch_close(ContraLaunch *launch)
{
    Contra *contra = launch->run.contra;
    run_close(&launch->run);
    arena_release(&launch->made);
    arena_release(&launch->own);
    launch->next = contra->closed;
    contra->closed = launch;
}

void launch_release(Contra *contra)
{
    if (contra->opening)
        launch_close(contra->opening);
    contra->opening = NULL;
}

// The caller keeps what it gave: from now on it is not read again, and nothing is drawn again.
static void remember_given(ContraLaunch *launch)
{
    KernelRun *run = &launch->run;
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        launch->is_given[i] = run->inputs[i] || input_is_drawn(run, i);
        run->inputs[i] = NULL;
    }
    launch->options.random = false;
}

static void open_buffers(ContraLaunch *launch)
{
    Arena *arena = &launch->own;
    const Arguments *arguments = &launch->run.arguments;
    size_t count = (size_t)arguments->count + 1;
    launch->buffers = arena_new(arena, LaunchBuffer, count);
    launch->is_given = arena_new(arena, bool, count);
    launch->run.is_bound = arena_new(arena, bool, count);
    for (int64_t i = 0; i < arguments->count; i++)
        launch->buffers[i].what = str_terminated(
            arena, str_format(arena, "the buffer for `{}`", arguments->items[i].param.name));
}

ContraLaunch *launch_open(Contra *contra, const Kernel *kernel, const ContraInput *inputs,
                          int64_t count, const ContraRunOptions *options)
{
    ContraLaunch *launch = launch_new(contra);
    launch->options = *options;
    if (!run_options_open(contra, &launch->own, &launch->options) ||
        !run_prepare(&launch->run, kernel, inputs, count) || !run_open(&launch->run)) {
        launch_release(contra);
        return NULL;
    }
    open_buffers(launch);
    remember_given(launch);
    launch->run.made = &launch->made;
    contra->opening = NULL;
    log_say(contra, CONTRA_LOG_INFO, "opened a launch of {} on the {}", kernel->name,
            launch->run.backend->name);
    return launch;
}

// ---- whether it fits

static bool refuse(const ContraLaunch *launch, const Argument *argument, Str why)
{
    diag_add(&launch->run.contra->diags, DIAG_BUFFER_MEMORY, argument->param.span,
             "the buffer for `{}` {}", argument->param.name, why);
    return false;
}

// Which of its two memories a parameter may have.
static bool check_roles(const ContraLaunch *launch, const Argument *argument,
                        const ContraBuffer *buffer)
{
    if (buffer->in && !argument->is_input)
        return refuse(launch, argument, STR("has an `in`, and the kernel gives it back"));
    if (buffer->out && !argument->is_output)
        return refuse(launch, argument, STR("has an `out`, and the kernel only reads it"));
    if (!buffer->in && !buffer->out)
        return refuse(launch, argument, STR("has no memory"));
    return true;
}

// What values are written as, and what has the same bits.
static bool is_written_as(ElementType type, Scalar scalar)
{
    return type == element_of_scalar(scalar, false) || type == element_of_scalar(scalar, true) ||
           (!scalar_is_integer(scalar) && element_take(type, scalar) == TAKE_BITS);
}

static bool check_type(const ContraLaunch *launch, const Argument *argument,
                       const ContraBuffer *buffer)
{
    ElementType type = (ElementType)buffer->type;
    Scalar scalar = argument->param.shape.type;
    const char *name = argument->param.name;
    if ((size_t)type >= ELEMENT_COUNT)
        return refuse(launch, argument, element_unfit(&launch->run.contra->arena, buffer->type));
    bool fits_in = !buffer->in || element_take(type, scalar) != TAKE_REFUSED;
    if (fits_in && (!buffer->out || is_written_as(type, scalar)))
        return true;
    Diag *diag = diag_add(&launch->run.contra->diags, DIAG_ARRAY_TYPE, argument->param.span,
                          "the buffer for `{}` is of {}, and `{}` is a tensor of {}", name,
                          element_infos[type].name, name, scalar_name(scalar));
    if (fits_in)
        diag_help(diag, "what is written is {}",
                  element_infos[element_of_scalar(scalar, false)].name);
    return false;
}

static bool check_memory(const ContraLaunch *launch, const Argument *argument,
                         const ContraBuffer *buffer, int64_t bytes)
{
    Arena *arena = &launch->run.contra->arena;
    uintptr_t each = (uintptr_t)element_infos[buffer->type].bytes;
    const char *name = element_infos[buffer->type].name;
    if (buffer->bytes && buffer->bytes < bytes)
        return refuse(
            launch, argument,
            str_format(arena, "has {} bytes, and its elements are {}", buffer->bytes, bytes));
    if (((uintptr_t)buffer->in | (uintptr_t)buffer->out) % each)
        return refuse(launch, argument,
                      str_format(arena, "is not aligned for elements of {}", name));
    return true;
}

// *bytes: of its elements.
static bool check_buffer(const ContraLaunch *launch, int64_t index, const ContraBuffer *buffer,
                         bool *padded, int64_t *bytes)
{
    const Argument *argument = &launch->run.arguments.items[index];
    const ContraArray array = {buffer->type, buffer->rank, buffer->shape, NULL};
    if (!check_roles(launch, argument, buffer) || !check_type(launch, argument, buffer) ||
        !check_shape(launch->run.contra, argument, &array, launch->buffers[index].what, padded))
        return false;
    *bytes = contra_array_count(&array) * element_infos[buffer->type].bytes;
    return check_memory(launch, argument, buffer, *bytes);
}

// ---- binding

// Nothing that was there before, given or bound, is any more.
static void leave(ContraLaunch *launch, int64_t index)
{
    LaunchBuffer *buffer = &launch->buffers[index];
    if (buffer->is_direct)
        device_unbind(launch->run.device, launch->run.places[index]);
    else
        launch->run.backend->put(&launch->run, index); // nothing
    launch->is_given[index] = launch->run.is_bound[index] = false;
    buffer->is_direct = buffer->is_given = false;
    buffer->out = NULL;
}

static const int64_t *keep_shape(ContraLaunch *launch, LaunchBuffer *into,
                                 const ContraBuffer *buffer)
{
    if (buffer->rank > into->most) {
        into->sizes = arena_new(&launch->own, int64_t, (size_t)buffer->rank);
        into->most = buffer->rank;
    }
    for (int64_t i = 0; i < buffer->rank; i++)
        into->sizes[i] = buffer->shape[i];
    return into->sizes;
}

static void bind_memory(ContraLaunch *launch, int64_t index, const ContraBuffer *buffer,
                        bool padded, int64_t bytes)
{
    LaunchBuffer *into = &launch->buffers[index];
    const char *why =
        run_why_copied(&launch->run, index, (ElementType)buffer->type, buffer->out != NULL);
    bool is_direct = !why;
    if (!launch->run.is_bound[index] || into->is_direct != is_direct)
        leave(launch, index);
    if (is_direct)
        run_lend(&launch->run, index, buffer->out ? buffer->out : buffer->in);
    launch->run.is_bound[index] = true;
    into->is_direct = is_direct;
    into->is_given &= buffer->in != NULL;
    into->padded = padded;
    into->input.name = launch->run.arguments.items[index].shown.name;
    into->input.array =
        (ContraArray){buffer->type, buffer->rank, keep_shape(launch, into, buffer), buffer->in};
    into->out = buffer->out;
    into->bytes = bytes;
    into->output = (ContraOutput){.param = launch->run.arguments.items[index].shown,
                                  .array = {buffer->type, buffer->rank, into->sizes, buffer->out}};
    log_say(launch->run.contra, CONTRA_LOG_DETAIL, "{} {}{}{}",
            is_direct ? "the device works on the memory of" : "copies", str_of(into->input.name),
            is_direct ? "" : ": ", is_direct ? "" : why);
}

static bool is_tensor(const ContraLaunch *launch, int64_t param)
{
    const Arguments *arguments = &launch->run.arguments;
    DiagList *diags = &launch->run.contra->diags;
    int64_t count = arguments->count;
    bool exists = param >= 0 && param < count;
    if (exists && arguments->items[param].param.is_tensor)
        return true;
    Diag *diag =
        exists
            ? diag_add(diags, DIAG_INPUT_UNKNOWN, SPAN_NOWHERE,
                       "parameter {} of `{}`, `{}`, is a number, and no memory can be bound to it",
                       param, arguments->kernel->name, arguments->items[param].param.name)
            : diag_add(diags, DIAG_INPUT_UNKNOWN, SPAN_NOWHERE,
                       "`{}` has no parameter {}: it has {}, counted from 0 on",
                       arguments->kernel->name, param, count);
    if (exists)
        diag_help(diag, "numbers are inputs of contra_launch_open");
    arguments_note(launch->run.contra, diag, arguments, count);
    return false;
}

bool launch_bind(ContraLaunch *launch, int64_t param, const ContraBuffer *buffer)
{
    bool padded;
    int64_t bytes;
    if (!is_tensor(launch, param))
        return false;
    if (!buffer) {
        leave(launch, param);
        return true;
    }
    if (!check_buffer(launch, param, buffer, &padded, &bytes))
        return false;
    bind_memory(launch, param, buffer, padded, bytes);
    return true;
}

// ---- a run

static bool overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes)
{
    uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return a && b && first < second + (uintptr_t)b_bytes && second < first + (uintptr_t)a_bytes;
}

static void report_overlap(const ContraLaunch *launch, int64_t written, int64_t other)
{
    const Arguments *arguments = &launch->run.arguments;
    Diag *diag =
        request_report(launch->run.contra, DIAG_BUFFER_OVERLAP,
                       "the memory that `{}` is written to overlaps that of `{}`",
                       arguments->items[written].param.name, arguments->items[other].param.name);
    diag_help(diag, "give what is written memory of its own, or read and write it in place");
}

// Memory of an output overlaps no other. False: it does, which was said.
static bool buffers_are_apart(ContraLaunch *launch)
{
    for (int64_t i = 0; i < launch->run.arguments.count; i++) {
        const LaunchBuffer *one = &launch->buffers[i];
        for (int64_t k = 0; one->out && k < launch->run.arguments.count; k++) {
            const LaunchBuffer *other = &launch->buffers[k];
            const void *in = launch->run.is_bound[k] ? other->input.array.data : NULL;
            if ((k != i && overlap(one->out, one->bytes, other->out, other->bytes)) ||
                ((k != i || in != one->out) && overlap(one->out, one->bytes, in, other->bytes))) {
                report_overlap(launch, i, k);
                return false;
            }
        }
    }
    return true;
}

static bool report_missing(const ContraLaunch *launch)
{
    const KernelRun *run = &launch->run;
    StrBuf names = {.arena = run->arena};
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const Argument *argument = &run->arguments.items[i];
        if (argument->param.is_tensor && !argument->is_output && !launch->is_given[i] &&
            !run->is_bound[i])
            buf_format(&names, "{}`{}`", names.len ? ", " : "", argument->param.name);
    }
    if (!names.len)
        return false;
    Diag *diag = request_report(run->contra, DIAG_INPUT_MISSING, "`{}` needs a value for {}",
                                run->arguments.kernel->name, buf_str(&names));
    diag_help(diag, "bind a buffer to each before the launch, or give an array when it is opened");
    return true;
}

// What is given or bound since is all there is of the last run.
static void begin_run(ContraLaunch *launch)
{
    launch->copied = 0;
    arena_clear(&launch->made);
    launch->kept = arena_mark(&launch->made);
    for (int64_t i = 0; i < launch->run.arguments.count; i++) {
        launch->buffers[i].output.initialised = NULL;
        launch->buffers[i].output.uninitialised = 0;
    }
}

// The output of a buffer that has one.
static OutputWriter open_output(ContraLaunch *launch, int64_t index)
{
    LaunchBuffer *buffer = &launch->buffers[index];
    OutputWriter writer =
        output_into(&launch->run, index, &buffer->output, buffer->out, buffer->padded);
    writer.is_there = buffer->is_direct;
    return writer;
}

// Of one that the device works on. False: no memory.
static bool begin_direct(ContraLaunch *launch, int64_t index)
{
    LaunchBuffer *buffer = &launch->buffers[index];
    const HwArgument *place = launch->run.places[index];
    const void *in = buffer->input.array.data;
    if (buffer->out && buffer->out != in) {
        memcpy(buffer->out, in, (size_t)buffer->bytes);
        launch->copied += buffer->bytes;
    }
    if (buffer->is_given && !launch->options.sanitize)
        return true;
    buffer->is_given = !launch->run.bindings[index].is_written;
    return device_give(launch->run.device, place);
}

// False: a value does not fit, which was said, or it was cancelled.
static bool begin_copied(ContraLaunch *launch, int64_t index)
{
    KernelRun *run = &launch->run;
    run->inputs[index] = &launch->buffers[index].input;
    bool ok = run->backend->put(run, index);
    run->inputs[index] = NULL;
    launch->copied += launch->buffers[index].bytes;
    arena_clear(run->scratch);
    return ok;
}

// What has no values first: it may be the memory of what has some.
static bool begin_buffers(ContraLaunch *launch)
{
    KernelRun *run = &launch->run;
    int64_t count = run->arguments.count;
    bool ok = true;
    for (int64_t i = 0; i < count; i++)
        if (run->is_bound[i] && !launch->buffers[i].input.array.data)
            run->backend->put(run, i);
    for (int64_t i = 0; i < count; i++) {
        const LaunchBuffer *buffer = &launch->buffers[i];
        if (!run->is_bound[i] || !buffer->input.array.data)
            continue;
        if (!buffer->is_direct)
            ok &= begin_copied(launch, i);
        else if (!begin_direct(launch, i))
            arena_exhausted(&launch->made);
    }
    return ok && !run->contra->cancel.seen;
}

static void end_buffers(ContraLaunch *launch)
{
    KernelRun *run = &launch->run;
    for (int64_t i = 0; i < run->arguments.count; i++) {
        const LaunchBuffer *buffer = &launch->buffers[i];
        if (!buffer->out)
            continue;
        OutputWriter writer = open_output(launch, i);
        run->backend->get(run, i, &writer);
        launch->copied += buffer->is_direct ? 0 : buffer->bytes;
    }
}

static ContraStatus execute(ContraLaunch *launch)
{
    KernelRun *run = &launch->run;
    if (!run->device)
        run_drop_results(run);
    if ((run->device && !run_begin_device(run)) || !begin_buffers(launch))
        return status_of(run->contra, CONTRA_INVALID);
    if (!run->backend->run(run))
        return run_failed(run->contra);
    end_buffers(launch);
    return CONTRA_OK;
}

ContraStatus launch_run(ContraLaunch *launch)
{
    run_options_listen(&launch->options);
    if (report_missing(launch) || !buffers_are_apart(launch))
        return CONTRA_INVALID;
    begin_run(launch);
    ContraStatus status = execute(launch);
    launch->kept = arena_mark(&launch->made);
    if (status == CONTRA_OK)
        log_say(launch->run.contra, CONTRA_LOG_DETAIL, "launched {}: {} bytes copied",
                launch->run.arguments.kernel->name, launch->copied);
    return status;
}

const ContraOutput *launch_outputs(ContraLaunch *launch, int64_t *output_count)
{
    KernelRun *run = &launch->run;
    int64_t count = run->arguments.count;
    arena_reset(&launch->made, launch->kept);
    ContraOutput *made = arena_new(&launch->made, ContraOutput, (size_t)count + 1);
    *output_count = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!run->arguments.items[i].is_output)
            continue;
        ContraOutput *output = &made[(*output_count)++];
        if (launch->buffers[i].out) {
            *output = launch->buffers[i].output;
        } else {
            OutputWriter writer = output_open(run, i, output);
            run->backend->get(run, i, &writer);
        }
        if (output->initialised)
            output_warn(run, i, output);
    }
    return made;
}

#include "run/run.h"

#include "base/checked.h"
#include "base/file.h"

// ---- what the caller says

// The callbacks of a run: it ends when it is said of this run, or of all that its Contra does.
typedef struct {
    Contra *contra;
    ContraRunOptions given;
} Watch;

static bool watch_cancelled(void *own)
{
    const Watch *watch = own;
    return diag_cancelled(&watch->contra->diags);
}

static void watch_progress(void *own, int64_t done, int64_t all)
{
    const Watch *watch = own;
    watch->given.progress(watch->given.own, done, all);
}

static void watch_print(void *own, ContraText text)
{
    const Watch *watch = own;
    watch->given.print(watch->given.own, text);
}

static void watch_started(void *own, ContraText file)
{
    const Watch *watch = own;
    watch->given.started(watch->given.own, file);
}

static void watch_cancel(Contra *contra, Arena *arena, ContraRunOptions *options)
{
    Watch *watch = arena_new(arena, Watch, 1);
    *watch = (Watch){contra, *options};
    options->is_cancelled = watch_cancelled;
    options->progress = options->progress ? watch_progress : NULL;
    options->print = options->print ? watch_print : NULL;
    options->started = options->started ? watch_started : NULL;
    options->own = watch;
    run_options_listen(options);
}

void run_options_listen(const ContraRunOptions *options)
{
    const Watch *watch = options->own;
    watch->contra->cancel.request = (Canceller){watch->given.is_cancelled, watch->given.own};
}

bool run_options_open(Contra *contra, Arena *arena, ContraRunOptions *options)
{
    bool known = IS_ENUM(options->numerics, CONTRA_NUMERICS_SEQUENTIAL + 1) &&
                 IS_ENUM(options->backend, CONTRA_BACKEND_ORACLE + 1) && options->threads >= 0 &&
                 options->threads <= INT32_MAX && options->argument_count >= 0 &&
                 (options->arguments || !options->argument_count);
    if (!known)
        request_report(contra, DIAG_ARGUMENT_UNFIT,
                       "a ContraRunOptions has a value that cannot be: numerics {}, backend {}, {} "
                       "threads, {} arguments",
                       (int)options->numerics, (int)options->backend, options->threads,
                       options->argument_count);
    watch_cancel(contra, arena, options);
    if (contra->threads)
        options->threads =
            options->threads ? min_i64(options->threads, contra->threads) : contra->threads;
    return known;
}

bool uses_device(const Contra *contra, const ContraRunOptions *options)
{
    return options->backend == CONTRA_BACKEND_DEVICE && options->numerics == CONTRA_NUMERICS_TREE &&
           contra->builder_options.memory != MEMORY_DETACHED;
}

// ---- prepare

static bool prepare_object(KernelRun *run, const ContraInput *inputs, int64_t count)
{
    int64_t errors = run->contra->diags.error_count;
    if (!object_still_fits(run))
        return false;
    run->backend = &backend_device;
    run->lowered.object = run->arguments.kernel->object->object;
    run->inputs = arena_new(run->arena, const ContraInput *, (size_t)run->arguments.count + 1);
    inputs_match(run, inputs, count);
    return run->contra->diags.error_count == errors;
}

static bool prepare_source(KernelRun *run, const ContraInput *inputs, int64_t count)
{
    Contra *contra = run->contra;
    const Kernel *kernel = run->arguments.kernel;
    if (!program_is_whole(contra, kernel) || !run_program(run, inputs, count, kernel))
        return false;
    const Lowered *lowered = uses_device(contra, run->options) ? run_lower(run) : NULL;
    bool on_device = lowered && lowered_admit(contra, run->options, run->program, lowered);
    run->backend = on_device ? &backend_device : &backend_oracle;
    if (on_device)
        run->lowered = *lowered;
    run->checks = on_device && run->options->check_oracle && !run->binds;
    return !diag_cancelled(&contra->diags);
}

bool run_prepare(KernelRun *run, const Kernel *kernel, const ContraInput *inputs, int64_t count)
{
    Contra *contra = run->contra;
    run->rng = small_rng_seed_from_u64(run->options->seed);
    return kernel_arguments(contra, kernel, &run->arguments) && !diag_cancelled(&contra->diags) &&
           (kernel->object ? prepare_object : prepare_source)(run, inputs, count);
}

// ---- bind, execute, take

void rest_files(const Contra *contra)
{
    for (int64_t i = 0; i < contra->mapped.count; i++)
        file_rest(contra->mapped.items[i]);
}

bool run_open(KernelRun *run)
{
    Contra *contra = run->contra;
    bool ok = true;
    if (run->backend == &backend_device && !run_open_device(run))
        return false;
    // Arguments may share memory, so those without values come first.
    for (int with_values = 0; with_values < 2; with_values++)
        for (int64_t i = 0; i < run->arguments.result_start && !contra->cancel.seen; i++) {
            bool has_values = run->inputs[i] || input_is_drawn(run, i);
            if (run->arguments.items[i].param.is_tensor && has_values == with_values)
                ok &= run->backend->put(run, i);
            arena_clear(&contra->scratch);
        }
    run->own_inputs = run->own.count;
    if (run->binds)
        rest_files(contra); // their values are in memories now
    return ok && !contra->cancel.seen;
}

// Outputs in the order of the arguments; how many.
static int64_t open_outputs(KernelRun *run, ContraOutput *outputs)
{
    const Arguments *arguments = &run->arguments;
    int64_t count = 0;
    run->writers = arena_new(run->arena, OutputWriter, (size_t)arguments->count + 1);
    for (int64_t i = 0; i < arguments->count; i++)
        if (arguments->items[i].is_output)
            run->writers[i].output = &outputs[count++];
    return count;
}

static void take_outputs(KernelRun *run)
{
    for (int64_t i = 0; i < run->arguments.count; i++) {
        OutputWriter *writer = &run->writers[i];
        if (!writer->output)
            continue;
        if (!writer->is_there)
            *writer = output_open(run, i, writer->output);
        run->backend->get(run, i, writer);
        if (writer->output->initialised)
            output_warn(run, i, writer->output);
    }
}

ContraStatus run_failed(Contra *contra)
{
    diag_drop_repeated(&contra->diags);
    return diag_cancelled(&contra->diags) ? CONTRA_CANCELLED : CONTRA_INVALID;
}

ContraStatus run_once(Contra *contra, const Kernel *kernel, const ContraInput *inputs,
                      int64_t count, const ContraRunOptions *options, const ContraOutput **outputs,
                      int64_t *output_count)
{
    KernelRun *run = contra->running = arena_new(&contra->request, KernelRun, 1);
    *run = (KernelRun){.contra = contra,
                       .arena = &contra->request,
                       .scratch = &contra->scratch,
                       .compared = &contra->scratch,
                       .options = options};
    if (!run_prepare(run, kernel, inputs, count))
        return status_of(contra, CONTRA_INVALID);
    ContraOutput *made = arena_new(&contra->arena, ContraOutput, (size_t)run->arguments.count + 1);
    int64_t made_count = open_outputs(run, made);
    if (!run_open(run))
        return status_of(contra, CONTRA_INVALID);
    if (!run->backend->run(run))
        return run_failed(contra);
    take_outputs(run);
    *outputs = made;
    *output_count = made_count;
    log_say(contra, CONTRA_LOG_INFO, "ran {} on the {}", kernel->name, run->backend->name);
    return CONTRA_OK;
}

// ---- the end

void run_close(KernelRun *run)
{
    oracle_free(run->oracle);
    device_free(run->device);
    device_program_free(run->code);
    for (int64_t i = 0; i < run->own.count; i++)
        array_free(run->own.items[i]);
    run->oracle = NULL;
    run->device = NULL;
    run->code = NULL;
    run->own.count = 0;
}

void run_release(Contra *contra)
{
    if (contra->running)
        run_close(contra->running);
    contra->running = NULL;
    host_device_free(contra->host);
    contra->host = NULL;
}

void request_begin(Contra *contra)
{
    run_release(contra);
    arena_clear(&contra->request);
}

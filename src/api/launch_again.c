#include "api/launch_again.h"

#include "api/execute.h"
#include "api/prepare.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

// ---- opening

// Finds out what the kernel takes, and what it became.
static bool launch_lower(ContraLaunch *launch, const ContraInput *inputs, int64_t count,
                         bool *by_oracle)
{
    Run *run = &launch->run;
    Contra *contra = run->contra;
    const Kernel *kernel = run->arguments.kernel;
    int64_t errors = contra->diags.error_count;
    if (!kernel->object) {
        Program *program =
            program_is_whole(contra, kernel) ? run_program(run, inputs, count, kernel) : NULL;
        if (!program)
            return false;
        const Lowered *lowered = uses_device(contra, run->options) ? prepared_commands(run) : NULL;
        *by_oracle = !lowered;
        if (lowered)
            launch->lowered = *lowered;
        return true;
    }
    if (!object_still_fits(run))
        return false;
    launch->lowered.object = kernel->object->object;
    run->inputs =
        arena_new(run->arena, const ContraInput *, (size_t)run->arguments.items.count + 1);
    inputs_match(run, inputs, count);
    return contra->diags.error_count == errors;
}

static bool is_in_slices(const HwArgument *place)
{
    return place && place->tier != TIER_HBM && place->tier != TIER_HOST;
}

static void remember_slices(ContraLaunch *launch)
{
    Arena *arena = &launch->own;
    for (int64_t i = 0; i < launch->run.arguments.result_start; i++) {
        const HwArgument *place = launch->sim.places[i];
        if (!is_in_slices(place))
            continue;
        size_t positions = (size_t)device_positions(place);
        GivenAgain given = {place, arena_new(arena, uint32_t, positions),
                            arena_new(arena, uint8_t, positions)};
        device_get(launch->sim.device, place, given.bits, given.live);
        *array_push(arena, &launch->again, GivenAgain) = given;
    }
}

// False: something does not fit, which was said, or it was cancelled.
static bool open_device(ContraLaunch *launch)
{
    Contra *contra = launch->run.contra;
    if (!simulation_open(&launch->sim, &launch->run, &launch->lowered.object) ||
        !simulation_put_all(&launch->sim)) {
        launch->sim.device = NULL;
        run_release(contra);
        return false;
    }
    remember_slices(launch);
    contra->run.device = NULL; // from here on they are the launch's
    contra->run.program = NULL;
    return true;
}

// What was given stays the caller's: nothing asks for it any more.
static void remember_given(ContraLaunch *launch)
{
    Run *run = &launch->run;
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        launch->is_given[i] = run->inputs[i] || input_is_drawn(run, i);
        run->inputs[i] = NULL;
    }
}

static void name_buffers(ContraLaunch *launch)
{
    Arena *arena = &launch->own;
    for (int64_t i = 0; i < launch->run.arguments.items.count; i++)
        launch->buffers[i].what =
            str_terminated(arena, str_format(arena, "the buffer for `%s`",
                                             launch->run.arguments.items.items[i].param.name));
}

// One that was closed before is taken again: handles that are given back stay what they are.
static ContraLaunch *launch_new(Contra *contra)
{
    ContraLaunch *launch =
        contra->closed ? contra->closed : arena_new(&contra->arena, ContraLaunch, 1);
    contra->closed = launch->next;
    contra->opening = launch;
    *launch = (ContraLaunch){.own.on_oom = &contra->on_oom, .made.on_oom = &contra->on_oom};
    launch->run =
        (Run){.contra = contra, .arena = &launch->own, .options = &launch->options, .binds = true};
    return launch;
}

// Gives back what it needed.
static void launch_free(ContraLaunch *launch)
{
    Contra *contra = launch->run.contra;
    arena_release(&launch->made);
    arena_release(&launch->own);
    launch->next = contra->closed;
    contra->closed = launch;
}

void launch_release(Contra *contra)
{
    if (contra->opening)
        launch_free(contra->opening);
    contra->opening = NULL;
}

static ContraStatus open_launch(ContraLaunch *launch, int64_t kernel, const ContraInput *inputs,
                                int64_t input_count, const ContraRunOptions *options)
{
    Contra *contra = launch->run.contra;
    if (!run_options_take(contra, &launch->own, options, &launch->options))
        return CONTRA_INVALID;
    const Kernel *found = kernel_wanted(contra, kernel);
    bool by_oracle = false;
    if (!found || !kernel_arguments(contra, found, &launch->run.arguments) ||
        diag_cancelled(&contra->diags) || !launch_lower(launch, inputs, input_count, &by_oracle) ||
        diag_cancelled(&contra->diags))
        return status_of(contra, CONTRA_INVALID);
    size_t count = (size_t)launch->run.arguments.items.count + 1;
    launch->buffers = arena_new(&launch->own, LaunchBuffer, count);
    launch->is_given = arena_new(&launch->own, bool, count);
    name_buffers(launch);
    if (!(by_oracle ? launch_open_arrays(launch) : open_device(launch)))
        return status_of(contra, CONTRA_INVALID);
    remember_given(launch);
    launch->run.made = &launch->made;
    return CONTRA_OK;
}

ContraStatus contra_launch_open(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                int64_t input_count, const ContraRunOptions *options,
                                ContraLaunch **launch)
{
    CONTRA_GIVES(launch, NULL);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, launch, "`launch`");
    CONTRA_NEEDS(contra, IS_LIST(inputs, input_count), "as many `inputs` as it says");
    request_begin(contra);
    ContraLaunch *made = launch_new(contra);
    ContraStatus status = open_launch(made, kernel, inputs, input_count, options);
    if (status == CONTRA_OK) {
        *launch = made;
        log_say(contra, CONTRA_LOG_INFO, "opened a launch of %.*s on the %s",
                STR_ARG(made->run.arguments.kernel->name),
                launch_has_device(made) ? "device" : "oracle");
    } else
        launch_free(made);
    contra->opening = NULL;
    return status;
}

// ---- in

static bool report_missing(const ContraLaunch *launch)
{
    const Run *run = &launch->run;
    StrBuf names = {.arena = run->arena};
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const Argument *argument = &run->arguments.items.items[i];
        if (argument->param.is_tensor && !argument->is_output && !launch->is_given[i] &&
            !launch->buffers[i].is_bound)
            buf_printf(&names, "%s`%s`", names.len ? ", " : "", argument->param.name);
    }
    if (!names.len)
        return false;
    Diag *diag = diag_add(&run->contra->diags, DIAG_INPUT_MISSING, SPAN_NOWHERE,
                          "`%.*s` needs a value for %.*s", STR_ARG(run->arguments.kernel->name),
                          STR_ARG(buf_str(&names)));
    diag_help(diag, "bind a buffer to each before the launch, or give an array when it is opened");
    return true;
}

// What is given or bound since is all there is of the last run.
static void begin_run(ContraLaunch *launch)
{
    launch->copied = 0;
    arena_clear(&launch->made);
    launch->kept = arena_mark(&launch->made);
    for (int64_t i = 0; i < launch->run.arguments.items.count; i++) {
        launch->buffers[i].output.initialised = NULL;
        launch->buffers[i].output.uninitialised = 0;
    }
}

// Of one that the device works on. False: no memory.
static bool begin_direct(ContraLaunch *launch, int64_t index)
{
    LaunchBuffer *buffer = &launch->buffers[index];
    const HwArgument *place = launch->sim.places[index];
    const void *in = buffer->input.array.data;
    if (buffer->out && buffer->out != in) {
        memcpy(buffer->out, in, (size_t)buffer->bytes);
        launch->copied += buffer->bytes;
    }
    if (buffer->is_given && !launch->options.sanitize)
        return true;
    buffer->is_given = !launch->sim.bindings[index].is_written;
    return device_give(launch->sim.device, place);
}

// False: a value does not fit, which was said.
static bool begin_copied(ContraLaunch *launch, int64_t index)
{
    const LaunchBuffer *buffer = &launch->buffers[index];
    launch->run.inputs[index] = &buffer->input;
    bool ok = simulation_put(&launch->sim, index);
    launch->run.inputs[index] = NULL;
    launch->copied += buffer->bytes;
    arena_clear(&launch->run.contra->scratch);
    return ok;
}

// What has no values first: it may be the memory of what has some.
static bool begin_buffers(ContraLaunch *launch)
{
    int64_t count = launch->run.arguments.items.count;
    bool ok = true;
    for (int64_t i = 0; i < count; i++)
        if (launch->buffers[i].is_bound && !launch->buffers[i].input.array.data)
            device_forget_argument(launch->sim.device, launch->sim.places[i]);
    for (int64_t i = 0; i < count; i++) {
        const LaunchBuffer *buffer = &launch->buffers[i];
        if (!buffer->is_bound || !buffer->input.array.data)
            continue;
        if (!buffer->is_direct)
            ok &= begin_copied(launch, i);
        else if (!begin_direct(launch, i))
            arena_exhausted(&launch->made);
    }
    return ok;
}

// What lies in HBM since the last launch is given again, and so is what does not stay.
static bool keep_arguments(const ContraLaunch *launch)
{
    const Simulation *sim = &launch->sim;
    bool ok = true;
    for (int64_t i = 0; i < sim->run->arguments.result_start; i++) {
        const HwArgument *place = launch->buffers[i].is_bound ? NULL : sim->places[i];
        for (int64_t chip = 0; place && chip < place->chips && ok; chip++)
            ok = device_keep(sim->device, place, chip, place->address,
                             place->address + place->bytes);
    }
    for (int64_t i = 0; i < launch->again.count && ok; i++) {
        const GivenAgain *given = &launch->again.items[i];
        ok = device_put(sim->device, given->place, given->bits, given->live);
        device_pad(sim->device, given->place, given->live);
    }
    return ok;
}

// ---- out

static void end_buffers(ContraLaunch *launch)
{
    for (int64_t i = 0; i < launch->run.arguments.items.count; i++) {
        LaunchBuffer *buffer = &launch->buffers[i];
        if (!buffer->out)
            continue;
        OutputWriter writer = buffer_open_output(launch, i);
        simulation_get(&launch->sim, i, buffer->is_direct, &writer);
        launch->copied += buffer->is_direct ? 0 : buffer->bytes;
    }
}

// ---- all of it

static ContraStatus run_on_device(ContraLaunch *launch)
{
    Contra *contra = launch->run.contra;
    Simulation *sim = &launch->sim;
    device_begin(sim->device);
    if (!keep_arguments(launch))
        return diag_no_memory(&contra->diags, SPAN_NOWHERE, "what is in HBM does not fit"),
               CONTRA_INVALID;
    if (!begin_buffers(launch) || contra->cancel.seen)
        return status_of(contra, CONTRA_INVALID);
    Execution execution = {.options = &launch->options,
                           .device = sim->device,
                           .code = sim->program,
                           .object = &launch->lowered.object,
                           .diags = &contra->diags,
                           .scratch = &contra->scratch};
    if (!execution_run(&execution))
        return end_of_failure(contra, &launch->options);
    end_buffers(launch);
    return CONTRA_OK;
}

ContraStatus contra_launch_run(ContraLaunch *launch)
{
    if (!launch)
        return CONTRA_INVALID;
    CONTRA_ENTER(launch->run.contra);
    run_options_listen(&launch->options);
    if (report_missing(launch) || !buffers_are_apart(launch))
        return CONTRA_INVALID;
    begin_run(launch);
    ContraStatus status =
        launch_has_device(launch) ? run_on_device(launch) : launch_run_arrays(launch);
    launch->kept = arena_mark(&launch->made);
    if (status == CONTRA_OK)
        log_say(launch->run.contra, CONTRA_LOG_DETAIL, "launched %.*s: %" PRId64 " bytes copied",
                STR_ARG(launch->run.arguments.kernel->name), launch->copied);
    return status;
}

static void make_output(ContraLaunch *launch, int64_t index, ContraOutput *output)
{
    Run *run = &launch->run;
    OutputWriter writer = output_open(run, index, output);
    if (launch_has_device(launch)) {
        simulation_get(&launch->sim, index, false, &writer);
        return;
    }
    output_add_array(&writer, run->arrays[index]);
    output_close(&writer);
    arena_clear(&run->contra->scratch);
}

ContraStatus contra_launch_outputs(ContraLaunch *launch, const ContraOutput **outputs,
                                   int64_t *output_count)
{
    Contra *contra = launch ? launch->run.contra : NULL;
    CONTRA_GIVES(outputs, NULL);
    CONTRA_GIVES(output_count, 0);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, outputs && output_count, "`outputs` and `output_count`");
    Run *run = &launch->run;
    int64_t count = run->arguments.items.count;
    arena_reset(&launch->made, launch->kept);
    ContraOutput *made = arena_new(&launch->made, ContraOutput, (size_t)count + 1);
    int64_t made_count = 0;
    for (int64_t i = 0; i < count; i++) {
        const Argument *argument = &run->arguments.items.items[i];
        if (!argument->is_output || !argument->param.is_tensor)
            continue;
        ContraOutput *output = &made[made_count++];
        if (launch->buffers[i].out)
            *output = launch->buffers[i].output;
        else
            make_output(launch, i, output);
        if (output->initialised)
            output_warn(run, i, output);
    }
    *outputs = made;
    *output_count = made_count;
    return CONTRA_OK;
}

int64_t contra_launch_copied_bytes(const ContraLaunch *launch)
{
    return launch ? launch->copied : 0;
}

int64_t contra_launch_tensor_bytes(const ContraLaunch *launch)
{
    return launch && launch_has_device(launch) ? device_written_bytes(launch->sim.device) : 0;
}

void contra_launch_close(ContraLaunch *launch)
{
    if (!launch)
        return;
    launch_free_arrays(launch);
    device_program_free(launch->sim.program);
    device_free(launch->sim.device);
    launch_free(launch);
}

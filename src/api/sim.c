// The kernel of an object, from arrays to arrays on the device. There is no mapping any more: the
// records of the arguments say which of their positions are data.
#include "api/object.h"

#include "base/checked.h"
#include "device/device.h"
#include "device/verify.h"

#include <string.h>

// ---- what it takes

static bool iteration_counts(const HwArgument *argument, const int64_t *digits)
{
    for (int64_t bound = 0; bound < argument->bounds.count; bound++) {
        int64_t sum = 0;
        for (int64_t i = 0; i < argument->loops.count; i++)
            if (argument->loops.items[i].bound == bound)
                sum += digits[i] * argument->loops.items[i].weight;
        if (sum >= argument->bounds.items[bound])
            return false;
    }
    return true;
}

static bool next_iteration(const HwArgument *argument, int64_t *digits, int64_t *position)
{
    for (int64_t i = argument->loops.count - 1; i >= 0; i--) {
        const HwDataLoop *loop = &argument->loops.items[i];
        if (digits[i] + 1 < loop->size) {
            digits[i]++;
            *position += loop->stride;
            return true;
        }
        *position -= digits[i] * loop->stride;
        digits[i] = 0;
    }
    return false;
}

// For every position whether it is data.
static const uint8_t *data_mask(Arena *arena, const HwArgument *argument)
{
    int64_t positions = device_positions(argument), position = 0;
    uint8_t *mask = arena_new(arena, uint8_t, (size_t)positions + 1);
    int64_t *digits = arena_new(arena, int64_t, (size_t)argument->loops.count + 1);
    for (int64_t i = 0; i + 1 < argument->runs.count; i += 2)
        for (int64_t k = 0; k < argument->runs.items[i + 1]; k++)
            if (argument->runs.items[i] + k < positions)
                mask[argument->runs.items[i] + k] = 1;
    if (argument->runs.count)
        return mask;
    do {
        if (position < positions && iteration_counts(argument, digits))
            mask[position] = 1;
    } while (next_iteration(argument, digits, &position));
    return mask;
}

static Shape shape_of_argument(Arena *arena, const HwArgument *argument)
{
    Shape shape = {.positions = device_positions(argument), .mask = data_mask(arena, argument)};
    for (int64_t i = 0; i < shape.positions; i++)
        shape.live += shape.mask[i];
    for (int64_t i = 0; i < argument->forms.count; i++) {
        const HwArrayForm *from = &argument->forms.items[i];
        ShapeForm form = from->padded                 ? FORM_PADDED
                         : shape.possible[FORM_TERMS] ? FORM_WHOLE
                                                      : FORM_TERMS;
        shape.possible[form] = true;
        shape.best = i ? shape.best : form;
        for (int64_t k = 0; k < from->axes.count; k++)
            *array_push(arena, &shape.axes[form], ShapeAxis) =
                (ShapeAxis){from->axes.items[k].name, from->axes.items[k].size};
    }
    return shape;
}

static void add_argument(Contra *contra, const HwArgument *from, Arguments *arguments)
{
    Arena *arena = &contra->arena;
    KernelParam param = {.name = str_terminated(arena, from->name),
                         .span = SPAN_NOWHERE,
                         .is_tensor = true,
                         .shape = {.type = from->type, .tier = from->tier}};
    Argument *argument = arguments_add(arena, arguments, &param, from->is_input, from->is_output);
    argument->shape = shape_of_argument(arena, from);
    argument_show(arena, argument, from->mapping);
}

void object_arguments(Contra *contra, const ContraObject *object, Arguments *arguments)
{
    const HwObject *made = &object->object;
    for (int64_t i = 0; i < made->arguments.count; i++)
        add_argument(contra, &made->arguments.items[i], arguments);
    arguments->result_start = arguments->items.count;
    for (int64_t i = 0; i < made->results.count; i++)
        add_argument(contra, &made->results.items[i], arguments);
}

ContraStatus contra_object_kernel(Contra *contra, const ContraObject *object, int64_t *kernel)
{
    CONTRA_ENTER(contra);
    Str name = object->name.len ? object->name : object->object.kernel;
    *kernel = contra_kernel_count(contra);
    if (!object_verify(name, &object->object, &contra->machine, &verify_limits, &contra->diags))
        return CONTRA_INVALID;
    *array_push(&contra->arena, &contra->kernels, Kernel) =
        (Kernel){object->object.kernel, object->name, NULL, NULL, object};
    return CONTRA_OK;
}

// ---- the run

typedef struct {
    Run *run;
    const HwObject *object;
    Device *device;
    DeviceProgram *program;
} Simulation;

static const HwArgument *argument_at(const Simulation *sim, int64_t index)
{
    int64_t start = sim->run->arguments.result_start;
    return index < start ? &sim->object->arguments.items[index]
                         : &sim->object->results.items[index - start];
}

static bool put_argument(Simulation *sim, int64_t index)
{
    Arena *scratch = &sim->run->contra->scratch;
    const Shape *shape = &sim->run->arguments.items.items[index].shape;
    uint32_t *values = arena_new(scratch, uint32_t, (size_t)shape->live + 1);
    uint32_t *bits = arena_new(scratch, uint32_t, (size_t)shape->positions + 1);
    bool ok = inputs_values(sim->run, index, values);
    for (int64_t i = 0, next = 0; ok && i < shape->positions; i++)
        if (shape->mask[i])
            bits[i] = values[next++];
    if (ok && !device_put(sim->device, argument_at(sim, index), bits, shape->mask))
        arena_exhausted(scratch);
    arena_clear(scratch);
    return ok;
}

static void get_argument(const Simulation *sim, int64_t index, ContraOutput *output)
{
    Arena *scratch = &sim->run->contra->scratch;
    const Shape *shape = &sim->run->arguments.items.items[index].shape;
    uint32_t *bits = arena_new(scratch, uint32_t, (size_t)shape->positions + 1);
    uint8_t *live = arena_new(scratch, uint8_t, (size_t)shape->positions + 1);
    device_get(sim->device, argument_at(sim, index), bits, live);
    int64_t next = 0;
    for (int64_t i = 0; i < shape->positions; i++)
        if (shape->mask[i]) {
            bits[next] = bits[i];
            live[next++] = live[i];
        }
    output_make(sim->run, index, bits, live, output);
    arena_clear(scratch);
}

static bool simulate(Simulation *sim)
{
    Run *run = sim->run;
    const ContraRunOptions *options = run->options;
    const int64_t count = sim->object->operations.count;
    device_watch(sim->device, (DeviceWatch){options->is_cancelled, options->own});
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (run->inputs[i] && !put_argument(sim, i))
            return false;
    for (int64_t i = 0; i < count; i++) {
        if (options->is_cancelled && options->is_cancelled(options->own))
            return false;
        if (options->progress)
            options->progress(options->own, i, count);
        if (!device_execute(sim->device, sim->program, i, &run->contra->diags))
            return false;
    }
    return true;
}

static void make_outputs(const Simulation *sim, const ContraOutput **outputs, int64_t *count)
{
    const Run *run = sim->run;
    ContraOutput *made =
        arena_new(&run->contra->arena, ContraOutput, (size_t)run->arguments.items.count + 1);
    for (int64_t i = 0; i < run->arguments.items.count; i++)
        if (run->arguments.items.items[i].is_output)
            get_argument(sim, i, &made[(*count)++]);
    *outputs = made;
}

static ContraStatus execute(Simulation *sim, const ContraOutput **outputs, int64_t *count)
{
    const ContraRunOptions *options = sim->run->options;
    if (!simulate(sim)) {
        bool cancelled = options->is_cancelled && options->is_cancelled(options->own);
        return cancelled ? CONTRA_CANCELLED : CONTRA_INVALID;
    }
    make_outputs(sim, outputs, count);
    return CONTRA_OK;
}

ContraStatus object_run(Run *run, const ContraInput *inputs, int64_t count,
                        const ContraOutput **outputs, int64_t *output_count)
{
    Contra *contra = run->contra;
    ContraRunOptions options = *run->options;
    int64_t errors = contra->diags.error_count;
    Simulation sim = {.run = run, .object = &run->arguments.kernel->object->object};
    options.random = false;
    run->options = &options;
    run->inputs =
        arena_new(&contra->arena, const ContraInput *, (size_t)run->arguments.items.count + 1);
    inputs_match(run, inputs, count);
    if (contra->diags.error_count > errors)
        return CONTRA_INVALID;
    sim.device = contra->run.device = device_new(&contra->machine, object_chips(sim.object));
    sim.program = contra->run.program = device_program_new(sim.object);
    return sim.device && sim.program ? execute(&sim, outputs, output_count) : CONTRA_NO_MEMORY;
}

// ---- again and again

struct ContraLaunch {
    Run run;
    ContraRunOptions options;
    Simulation sim;
};

ContraStatus contra_launch_open(Contra *contra, int64_t kernel, const ContraInput *inputs,
                                int64_t input_count, const ContraRunOptions *options,
                                ContraLaunch **launch)
{
    ContraObject *object;
    int64_t index;
    ContraStatus status = contra_compile(contra, kernel, NULL, 0, &object);
    *launch = NULL;
    if (status == CONTRA_OK)
        status = contra_object_kernel(contra, object, &index);
    if (status != CONTRA_OK)
        return status;
    CONTRA_ENTER(contra);
    ContraLaunch *made = arena_new(&contra->arena, ContraLaunch, 1);
    made->options = *options;
    made->options.random = false;
    Run *run = &made->run;
    *run = (Run){.contra = contra, .options = &made->options};
    run->arguments.kernel = kernel_at(contra, index);
    object_arguments(contra, object, &run->arguments);
    run->inputs =
        arena_new(&contra->arena, const ContraInput *, (size_t)run->arguments.items.count + 1);
    int64_t errors = contra->diags.error_count;
    inputs_match(run, inputs, input_count);
    if (contra->diags.error_count > errors)
        return CONTRA_INVALID;
    Simulation *sim = &made->sim;
    *sim = (Simulation){.run = run, .object = &object->object};
    sim->device = device_new(&contra->machine, object_chips(sim->object));
    sim->program = device_program_new(sim->object);
    if (!sim->device || !sim->program)
        return CONTRA_NO_MEMORY;
    if (options->threads)
        device_use_threads(sim->device, options->threads);
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (run->inputs[i] && !put_argument(sim, i))
            return CONTRA_INVALID;
    *launch = made;
    return CONTRA_OK;
}

ContraStatus contra_launch_run(ContraLaunch *launch)
{
    Simulation *sim = &launch->sim;
    device_begin(sim->device);
    return device_run(sim->device, sim->program, &launch->run.contra->diags) ? CONTRA_OK
                                                                             : CONTRA_INVALID;
}

ContraStatus contra_launch_outputs(ContraLaunch *launch, const ContraOutput **outputs,
                                   int64_t *output_count)
{
    CONTRA_ENTER(launch->run.contra);
    *output_count = 0;
    make_outputs(&launch->sim, outputs, output_count);
    return CONTRA_OK;
}

int64_t contra_launch_tensor_bytes(const ContraLaunch *launch)
{
    return device_written_bytes(launch->sim.device);
}

void contra_launch_close(ContraLaunch *launch)
{
    if (!launch)
        return;
    device_program_free(launch->sim.program);
    device_free(launch->sim.device);
}

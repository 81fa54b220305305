// A kernel on the device, from arrays to arrays: one that was just compiled, or that of an object
// file. There no mapping is left; the records of the arguments say which positions are data.
#include "api/sim.h"

#include "api/draw.h"
#include "api/execute.h"
#include "api/faults.h"

#include "base/checked.h"
#include "base/file.h"
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

// The loops reach every position, one after the other.
static bool is_dense(const HwArgument *argument)
{
    int64_t inside = 1;
    for (int64_t i = argument->loops.count - 1; i >= 0; i--) {
        const HwDataLoop *loop = &argument->loops.items[i];
        if (loop->bound >= 0 || loop->stride != inside || !checked_mul(inside, loop->size, &inside))
            return false;
    }
    return !argument->runs.count && inside == device_positions(argument);
}

static Shape shape_of_argument(Arena *arena, const HwArgument *argument)
{
    Shape shape = {.positions = device_positions(argument)};
    shape.mask = is_dense(argument) ? NULL : data_mask(arena, argument);
    shape.live = shape.mask ? 0 : shape.positions;
    for (int64_t i = 0; shape.mask && i < shape.positions; i++)
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

// Whether arguments have as many elements as they say: arrays are made for these.
static bool live_holds(Contra *contra, Str file, const HwArgument *arguments, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const HwArgument *argument = &arguments[i];
        int64_t live = shape_of_argument(&contra->arena, argument).live;
        if (live == argument->live)
            continue;
        diag_add(&contra->diags, DIAG_OBJECT_MALFORMED, SPAN_NOWHERE,
                 "`%.*s` has no meaning: live of `%.*s` is %lld, and its loops and runs give %lld",
                 STR_ARG(file), STR_ARG(argument->name), (long long)argument->live,
                 (long long)live);
        return false;
    }
    return true;
}

ContraStatus contra_object_kernel(Contra *contra, const ContraObject *object, int64_t *kernel)
{
    CONTRA_GIVES(kernel, -1);
    CONTRA_ENTER(contra);
    CONTRA_NEEDS(contra, object && kernel, "`object` and `kernel`");
    CONTRA_OWNS(contra, object, "an object");
    Str name = object->name.len ? object->name : object->object.kernel;
    kernel_at(contra, 0); // those of the sources come first
    const HwObject *made = &object->object;
    if (!object_fits_machine(&contra->arena, name, made, &contra->machine, &contra->diags) ||
        !object_verify(name, made, &contra->machine, &verify_limits, &contra->diags) ||
        !live_holds(contra, name, made->arguments.items, made->arguments.count) ||
        !live_holds(contra, name, made->results.items, made->results.count))
        return CONTRA_INVALID;
    *array_push(&contra->arena, &contra->kernels, Kernel) =
        (Kernel){.name = object->object.kernel, .file = object->name, .object = object};
    *kernel = contra->kernels.count - 1;
    return CONTRA_OK;
}

bool object_still_fits(const Run *run)
{
    Contra *contra = run->contra;
    const ContraObject *object = run->arguments.kernel->object;
    return object_fits_machine(run->arena, run->arguments.kernel->name, &object->object,
                               &contra->machine, &contra->diags);
}

// ---- the run

enum { BLOCK = 1 << 16 }; // positions that are converted at a time

static void find_places(Simulation *sim, const HwObject *object)
{
    const Arguments *arguments = &sim->run->arguments;
    Arena *arena = sim->run->arena;
    size_t count = (size_t)arguments->items.count + 1;
    int64_t next = 0;
    sim->places = arena_new(arena, const HwArgument *, count);
    sim->bindings = arena_new(arena, DeviceBinding, count);
    for (int64_t i = 0; i < arguments->result_start; i++)
        if (arguments->items.items[i].param.is_tensor && next < object->arguments.count)
            sim->places[i] = &object->arguments.items[next++];
    for (int64_t i = 0; i < object->results.count; i++)
        sim->places[arguments->result_start + i] = &object->results.items[i];
    if (!sim->run->options->check_oracle) // which looks at every tensor, wherever it lies
        device_bindings(&sim->run->contra->machine, object, sim->places, arguments->items.count,
                        sim->bindings);
}

static const Shape *shape_at(const Simulation *sim, int64_t index)
{
    return &sim->run->arguments.items.items[index].shape;
}

// NULL: all positions are data.
static const uint8_t *mask_at(const Simulation *sim, int64_t index)
{
    const Shape *shape = shape_at(sim, index);
    return shape->live == shape->positions ? NULL : shape_mask(&sim->run->contra->scratch, shape);
}

// Some positions of an argument on the way.
typedef struct {
    uint32_t *bits;
    uint8_t *live;
} Block;

static Block block_new(const Simulation *sim, int64_t index)
{
    Arena *scratch = &sim->run->contra->scratch;
    size_t room = (size_t)device_part(sim->places[index], 0, BLOCK) + 1;
    return (Block){arena_new(scratch, uint32_t, room), arena_new(scratch, uint8_t, room)};
}

static int64_t count_data(const uint8_t *mask, int64_t count)
{
    int64_t data = 0;
    for (int64_t i = 0; mask && i < count; i++)
        data += mask[i];
    return mask ? data : count;
}

// Values at data to where the data is, and back.
static void spread(const Block *block, const uint8_t *mask, int64_t count, int64_t data)
{
    memset(block->live, 1, (size_t)count);
    for (int64_t i = count - 1; mask && i >= 0; i--) {
        block->bits[i] = mask[i] ? block->bits[--data] : 0;
        block->live[i] = mask[i];
    }
}

static void gather(const Block *block, const uint8_t *mask, int64_t count)
{
    for (int64_t i = 0, next = 0; mask && i < count; i++)
        if (mask[i]) {
            block->bits[next] = block->bits[i];
            block->live[next++] = block->live[i];
        }
}

// ---- in

typedef bool (*ReadValues)(void *own, int64_t count, uint32_t *bits);

// False: there is a value that does not fit, which was said, or it was cancelled.
static bool put_values(Simulation *sim, int64_t index, ReadValues read, void *own)
{
    const HwArgument *place = sim->places[index];
    const uint8_t *mask = mask_at(sim, index);
    int64_t positions = device_positions(place);
    Block block = block_new(sim, index);
    for (int64_t first = 0, count; first < positions; first += count) {
        count = device_part(place, first, BLOCK);
        const uint8_t *part = mask ? mask + first : NULL;
        int64_t data = count_data(part, count);
        if (diag_cancelled(&sim->run->contra->diags) || !read(own, data, block.bits))
            return false;
        spread(&block, part, count, data);
        if (!device_put_part(sim->device, place, first, count, block.bits, block.live))
            arena_exhausted(&sim->run->contra->scratch);
    }
    if (mask)
        device_pad(sim->device, place, mask);
    return true;
}

static bool read_input(void *own, int64_t count, uint32_t *bits)
{
    return input_read(own, count, bits);
}

// The device works on the array itself.
static void lend_input(Simulation *sim, int64_t index, const void *data)
{
    if (!device_bind(sim->device, sim->places[index], data) ||
        !device_give(sim->device, sim->places[index]))
        arena_exhausted(&sim->run->contra->scratch);
}

bool simulation_put(Simulation *sim, int64_t index)
{
    InputReader reader;
    const HwArgument *place = sim->places[index];
    const DeviceBinding *binding = &sim->bindings[index];
    if (!input_open(sim->run, index, &reader))
        return false;
    bool is_raw = input_is_raw(&reader), is_const = !binding->is_written;
    if (sim->is_once && is_raw && binding->is_apart && is_const && !reader.argument->is_output) {
        lend_input(sim, index, reader.array->data);
        return true;
    }
    if (is_raw &&
        device_put_bytes(sim->device, place, reader.array->data, place->chips * place->bytes))
        return true;
    return put_values(sim, index, read_input, &reader);
}

typedef struct {
    SmallRng *rng;
    Scalar type;
    DrawRange range;
} Drawing;

static bool draw_values(void *own, int64_t count, uint32_t *bits)
{
    const Drawing *drawing = own;
    for (int64_t i = 0; i < count; i++)
        if (!scalar_random(drawing->rng, drawing->type, &bits[i]))
            return false;
    draw_within(&drawing->range, bits, count);
    return true;
}

typedef struct {
    const uint32_t *bits;
} Drawn;

static bool copy_values(void *own, int64_t count, uint32_t *bits)
{
    Drawn *drawn = own;
    memcpy(bits, drawn->bits, sizeof *bits * (size_t)count);
    drawn->bits += count;
    return true;
}

// In the order in which the language draws, which only the mapping knows.
static bool put_drawn_array(Simulation *sim, int64_t index)
{
    Run *run = sim->run;
    const Shape *shape = shape_at(sim, index);
    bool is_drawn = run->arrays[index] != NULL; // for the oracle
    if (!is_drawn && !input_draw(run, index, &sim->rng))
        return false;
    uint32_t *bits = arena_new_raw(&run->contra->scratch, uint32_t, (size_t)shape->live + 1);
    uint8_t *live = arena_new_raw(&run->contra->scratch, uint8_t, (size_t)shape->live + 1);
    bool is_read = input_values(run, index, bits, live);
    if (!is_drawn)
        input_drop(run, index);
    return is_read && put_values(sim, index, copy_values, &(Drawn){bits});
}

static bool put_drawn(Simulation *sim, int64_t index)
{
    const Argument *argument = &sim->run->arguments.items.items[index];
    const ContraObject *object = sim->run->arguments.kernel->object;
    if (!object)
        return put_drawn_array(sim, index);
    Drawing drawing = {&sim->rng, argument->param.shape.type,
                       draw_range_of_argument(&object->object, sim->places[index])};
    if (put_values(sim, index, draw_values, &drawing))
        return true;
    if (!sim->run->contra->cancel.seen)
        input_refuse_random(sim->run, index);
    return false;
}

static void rest_files(const Contra *contra)
{
    for (int64_t i = 0; i < contra->mapped.count; i++)
        file_rest(contra->mapped.items[i]);
}

bool simulation_put_all(Simulation *sim)
{
    Run *run = sim->run;
    int64_t errors = run->contra->diags.error_count;
    for (int64_t i = 0; i < run->arguments.result_start && !run->contra->cancel.seen; i++) {
        if (sim->places[i] && run->inputs[i])
            simulation_put(sim, i);
        else if (sim->places[i] && input_is_drawn(run, i))
            put_drawn(sim, i);
        arena_clear(&run->contra->scratch);
    }
    if (!sim->is_once)
        rest_files(run->contra); // they are on the device now
    return run->contra->diags.error_count == errors && !run->contra->cancel.seen;
}

// ---- out

static void get_values(const Simulation *sim, int64_t index, OutputWriter *writer)
{
    const HwArgument *place = sim->places[index];
    const uint8_t *mask = mask_at(sim, index);
    int64_t positions = device_positions(place);
    Block block = block_new(sim, index);
    for (int64_t first = 0, count; first < positions; first += count) {
        count = device_part(place, first, BLOCK);
        const uint8_t *part = mask ? mask + first : NULL;
        device_get_part(sim->device, place, first, count, block.bits, block.live);
        gather(&block, part, count);
        output_add(writer, count_data(part, count), block.bits, block.live);
    }
}

void simulation_get(const Simulation *sim, int64_t index, bool is_there, OutputWriter *writer)
{
    const HwArgument *place = sim->places[index];
    bool is_whole = is_there ? device_has_values(sim->device, place)
                             : output_is_raw(writer->argument, writer->output->array.type) &&
                                   device_get_bytes(sim->device, place, writer->data,
                                                    place->chips * place->bytes);
    if (!is_whole)
        get_values(sim, index, writer);
    output_close(writer);
    arena_clear(&sim->run->contra->scratch);
}

// An output on its way.
typedef struct {
    ContraOutput *made;
    int64_t index;       // of the argument
    OutputWriter writer; // once there is an array
    bool is_there;       // the device works on the array itself
} Output;

typedef struct {
    ARRAY(Output);
} Outputs;

static void lend_output(Simulation *sim, Output *output)
{
    const Argument *argument = &sim->run->arguments.items.items[output->index];
    ElementType type =
        element_of_scalar(argument->param.shape.type, sim->run->options->narrow_as_f32);
    if (!sim->bindings[output->index].is_apart || !output_is_raw(argument, (ContraElement)type))
        return;
    output->writer = output_open(sim->run, output->index, output->made);
    output->is_there = true;
    if (!device_bind(sim->device, sim->places[output->index], output->writer.data))
        arena_exhausted(&sim->run->contra->arena);
}

// Those that the device can write where they are wanted have an array now, others at the end.
static Outputs open_outputs(Simulation *sim)
{
    const Arguments *arguments = &sim->run->arguments;
    ContraOutput *made =
        arena_new(&sim->run->contra->arena, ContraOutput, (size_t)arguments->items.count + 1);
    Outputs outputs = {0};
    for (int64_t i = 0; i < arguments->items.count; i++) {
        if (!arguments->items.items[i].is_output || !sim->places[i])
            continue;
        Output *output = array_push(sim->run->arena, &outputs, Output);
        *output = (Output){.made = &made[outputs.count - 1], .index = i};
        lend_output(sim, output);
    }
    return outputs;
}

static void close_outputs(const Simulation *sim, const Outputs *outputs)
{
    for (int64_t i = 0; i < outputs->count; i++) {
        Output *output = &outputs->items[i];
        if (!output->is_there)
            output->writer = output_open(sim->run, output->index, output->made);
        simulation_get(sim, output->index, output->is_there, &output->writer);
        if (output->made->initialised)
            output_warn(sim->run, output->index, output->made);
    }
}

// ---- all of it

static bool meets_output(const Simulation *sim, const HwArgument *place)
{
    const Arguments *arguments = &sim->run->arguments;
    for (int64_t i = 0; i < arguments->items.count; i++)
        if (arguments->items.items[i].is_output && sim->places[i] &&
            argument_meets(sim->places[i], place))
            return true;
    return false;
}

// Of what was computed only outputs are wanted: they become arrays in the memory of the others.
static void release_inputs(const Simulation *sim)
{
    rest_files(sim->run->contra);
    for (int64_t i = 0; i < sim->run->arguments.result_start; i++)
        if (sim->places[i] && sim->places[i]->tier == TIER_HBM &&
            !meets_output(sim, sim->places[i]))
            device_release(sim->device, sim->places[i]);
    for (int64_t i = 0; i < sim->run->arguments.items.count; i++)
        if (sim->places[i] && sim->places[i]->tier != TIER_HBM)
            return; // it comes from there
    device_release_slices(sim->device);
}

bool simulation_open(Simulation *sim, Run *run, const HwObject *object)
{
    Contra *contra = run->contra;
    *sim = (Simulation){.run = run, .rng = small_rng_seed_from_u64(run->options->seed)};
    find_places(sim, object);
    if (!choose_isa(contra))
        return false;
    sim->device = contra->run.device = device_new(&contra->machine, object_chips(object));
    sim->program = contra->run.program = device_program_new(object);
    return (sim->device && sim->program && device_set_up(contra, sim->device, run->options)) ||
           diag_no_memory(&contra->diags, SPAN_NOWHERE, "the memories of the chips do not fit");
}

ContraStatus end_of_failure(Contra *contra, const ContraRunOptions *options)
{
    diag_drop_repeated(&contra->diags);
    bool cancelled = options->is_cancelled && options->is_cancelled(options->own);
    return cancelled ? CONTRA_CANCELLED : CONTRA_INVALID;
}

ContraStatus object_run(Run *run, const Lowered *lowered, const Program *program,
                        const ContraOutput **outputs, int64_t *output_count)
{
    Contra *contra = run->contra;
    Simulation sim;
    if (!simulation_open(&sim, run, &lowered->object))
        return CONTRA_INVALID;
    sim.is_once = true;
    Outputs made = open_outputs(&sim);
    if (!simulation_put_all(&sim))
        return CONTRA_INVALID;
    const Diag *reduced = program ? faults_find_reduced(program, &contra->diags) : NULL;
    if (run->options->sanitize && reduced) {
        faults_report_reduced(program, reduced, &contra->diags);
        return CONTRA_INVALID;
    }
    Execution execution = {.options = run->options,
                           .device = sim.device,
                           .code = sim.program,
                           .object = &lowered->object,
                           .program = program,
                           .places = lowered->places,
                           .oracle = contra->run.oracle,
                           .diags = &contra->diags,
                           .scratch = &contra->scratch,
                           .compared = &contra->scratch};
    if (!execution_run(&execution))
        return end_of_failure(contra, run->options);
    release_inputs(&sim);
    close_outputs(&sim, &made);
    *outputs = made.count ? made.items[0].made : NULL;
    *output_count = made.count;
    return CONTRA_OK;
}

// A run on the device. There no mapping is left; the records of the arguments say which positions
// are data.
#include "run/run.h"

#include "device/verify.h"

#include <stdlib.h>
#include <string.h>

// ---- the device

static Diag *refuse_isa(Contra *contra, const char *word, Isa isa)
{
    Diag *diag =
        isa == ISA_COUNT
            ? request_report(contra, DIAG_RUN_ISA,
                             "CONTRA_ISA is `{}`, which is not the name of an instruction set",
                             word)
            : request_report(
                  contra, DIAG_RUN_ISA,
                  "CONTRA_ISA is `{}`, but this machine does not have that instruction set", word);
    Str here = {0};
    for (isa = 0; isa < ISA_COUNT; isa++)
        if (isa_is_here(isa))
            here = str_format(&contra->arena, "{}{}{}", here, here.len ? ", " : "", isa_name(isa));
    diag_help(diag, "unset it to use {}, the best of the sets that this machine has ({})",
              isa_name(isa_best()), here);
    return diag;
}

bool choose_isa(Contra *contra)
{
    const char *word = getenv("CONTRA_ISA");
    bool is_forced = word && *word;
    Isa isa = is_forced ? isa_find(word) : isa_best();
    if (isa == ISA_COUNT || !isa_is_here(isa))
        return !refuse_isa(contra, word, isa);
    contra->isa = isa;
    return true;
}

bool device_set_up(const Contra *contra, Device *device, const ContraRunOptions *options)
{
    device_use_isa(device, contra->isa);
    device_watch(device, (DeviceWatch){options->is_cancelled, options->own});
    if (options->threads)
        device_use_threads(device, options->threads);
    return device_sanitize(device, options->sanitize);
}

static void find_places(KernelRun *run)
{
    const Arguments *arguments = &run->arguments;
    const HwObject *object = &run->lowered.object;
    size_t count = (size_t)arguments->count + 1;
    int64_t next = 0;
    run->places = arena_new(run->arena, const HwArgument *, count);
    run->bindings = arena_new(run->arena, DeviceBinding, count);
    for (int64_t i = 0; i < arguments->result_start; i++)
        if (arguments->items[i].param.is_tensor && next < object->arguments.count)
            run->places[i] = &object->arguments.items[next++];
    for (int64_t i = 0; i < object->results.count; i++)
        run->places[arguments->result_start + i] = &object->results.items[i];
    if (!run->options->check_oracle) // which looks at every tensor, wherever it lies
        device_bindings(&run->contra->machine, object, run->places, arguments->count,
                        run->bindings);
}

const char *run_why_copied(const KernelRun *run, int64_t index, ElementType type, bool is_output)
{
    const Argument *argument = &run->arguments.items[index];
    Scalar scalar = argument->param.shape.type;
    if (!run->device)
        return "the oracle executes the kernel";
    if (type != element_of_scalar(scalar, false) && element_take(type, scalar) != TAKE_BITS)
        return "its elements have another type than the tensor";
    if (!output_is_raw(argument, (ContraElement)type))
        return "there is padding among its elements in HBM";
    if (!run->bindings[index].is_apart)
        return "it is not in HBM, or not alone in its bytes, or the kernel goes beyond them";
    if (!is_output && run->bindings[index].is_written)
        return "the kernel writes it, and there is no `out`";
    return NULL;
}

void run_lend(KernelRun *run, int64_t index, const void *data)
{
    if (!device_bind(run->device, run->places[index], data))
        arena_exhausted(run->scratch);
}

// Those outputs that the device can write where they are wanted have an array from now on.
static void lend_outputs(KernelRun *run)
{
    for (int64_t i = 0; run->writers && i < run->arguments.count; i++) {
        OutputWriter *writer = &run->writers[i];
        ElementType type = element_of_scalar(run->arguments.items[i].param.shape.type,
                                             run->options->narrow_as_f32);
        if (!writer->output || run_why_copied(run, i, type, true))
            continue;
        *writer = output_open(run, i, writer->output);
        writer->is_there = true;
        run_lend(run, i, writer->data);
    }
}

bool run_open_device(KernelRun *run)
{
    Contra *contra = run->contra;
    const HwObject *object = &run->lowered.object;
    find_places(run);
    if (!choose_isa(contra))
        return false;
    run->device = device_new(&contra->machine, object_chips(object));
    run->code = device_program_new(object);
    if (!run->device || !run->code || !device_set_up(contra, run->device, run->options))
        return diag_no_memory(&contra->diags, SPAN_NOWHERE, "the memories of the chips do not fit");
    if (run->program)
        run->reduced = faults_find_reduced(run->program, &contra->diags);
    lend_outputs(run);
    return true;
}

// ---- values on their way

enum { BLOCK = 1 << 16 }; // positions that are converted at a time

static const Shape *shape_at(const KernelRun *run, int64_t index)
{
    return &run->arguments.items[index].shape;
}

// NULL: all positions are data.
static const uint8_t *mask_at(const KernelRun *run, int64_t index)
{
    const Shape *shape = shape_at(run, index);
    return shape->live == shape->positions ? NULL : shape_mask(run->scratch, shape);
}

Values values_new(Arena *arena, int64_t count)
{
    return (Values){arena_new(arena, uint32_t, (size_t)count + 1),
                    arena_new(arena, uint8_t, (size_t)count + 1)};
}

Values values_raw(Arena *arena, int64_t count)
{
    return (Values){arena_new_raw(arena, uint32_t, (size_t)count + 1),
                    arena_new_raw(arena, uint8_t, (size_t)count + 1)};
}

// Some positions of an argument on the way.
static Values block_new(const KernelRun *run, int64_t index)
{
    return values_new(run->scratch, device_part(run->places[index], 0, BLOCK));
}

static int64_t count_data(const uint8_t *mask, int64_t count)
{
    int64_t data = 0;
    for (int64_t i = 0; mask && i < count; i++)
        data += mask[i];
    return mask ? data : count;
}

// Values at data to where the data is, and back.
static void spread(const Values *block, const uint8_t *mask, int64_t count, int64_t data)
{
    memset(block->live, 1, (size_t)count);
    for (int64_t i = count - 1; mask && i >= 0; i--) {
        block->bits[i] = mask[i] ? block->bits[--data] : 0;
        block->live[i] = mask[i];
    }
}

static void gather(const Values *block, const uint8_t *mask, int64_t count)
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
static bool put_values(KernelRun *run, int64_t index, ReadValues read, void *own)
{
    const HwArgument *place = run->places[index];
    const uint8_t *mask = mask_at(run, index);
    int64_t positions = device_positions(place);
    Values block = block_new(run, index);
    for (int64_t first = 0, count; first < positions; first += count) {
        count = device_part(place, first, BLOCK);
        const uint8_t *part = mask ? mask + first : NULL;
        int64_t data = count_data(part, count);
        if (diag_cancelled(&run->contra->diags) || !read(own, data, block.bits))
            return false;
        spread(&block, part, count, data);
        if (!device_put_part(run->device, place, first, count, block.bits, block.live))
            arena_exhausted(run->scratch);
    }
    if (mask)
        device_pad(run->device, place, mask);
    return true;
}

static bool read_input(void *own, int64_t count, uint32_t *bits)
{
    return input_read(own, count, bits);
}

static bool put_given(KernelRun *run, int64_t index)
{
    InputReader reader;
    const HwArgument *place = run->places[index];
    if (!input_open(run, index, &reader))
        return false;
    if (!run->binds && !reader.argument->is_output &&
        !run_why_copied(run, index, (ElementType)reader.array->type, false)) {
        run_lend(run, index, reader.array->data);
        if (!device_give(run->device, place))
            arena_exhausted(run->scratch);
        return true;
    }
    if (input_is_raw(&reader) &&
        device_put_bytes(run->device, place, reader.array->data, place->chips * place->bytes))
        return true;
    return put_values(run, index, read_input, &reader);
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

// Puts values by way of an array: if an oracle runs beside the device and needs it, too, or if
// values are drawn in the order of the language, which only the mapping knows.
static bool put_array(KernelRun *run, int64_t index, bool has_values)
{
    const Shape *shape = shape_at(run, index);
    if (!input_array(run, index))
        return false;
    if (!has_values)
        return true;
    Values values = values_raw(run->scratch, shape->live);
    bool is_read = input_values(run, index, &values);
    if (!run->checks)
        input_drop(run, index);
    return is_read && put_values(run, index, copy_values, &(Drawn){values.bits});
}

static bool put_drawn(KernelRun *run, int64_t index)
{
    Drawing drawing = {&run->rng, run->arguments.items[index].param.shape.type,
                       draw_range_of_argument(&run->lowered.object, run->places[index])};
    if (put_values(run, index, draw_values, &drawing))
        return true;
    if (!run->contra->cancel.seen)
        input_refuse_random(run, index);
    return false;
}

static bool put(KernelRun *run, int64_t index)
{
    bool is_drawn = input_is_drawn(run, index);
    if (!run->places[index])
        return true;
    if (run->checks || (is_drawn && run->program))
        return put_array(run, index, is_drawn || run->inputs[index]);
    if (run->inputs[index])
        return put_given(run, index);
    if (is_drawn)
        return put_drawn(run, index);
    device_forget_argument(run->device, run->places[index]);
    return true;
}

// ---- again

// An argument that does not lie in HBM, where a run finds nothing of the one before: it is put
// there each time.
typedef struct GivenAgain {
    struct GivenAgain *next;
    const HwArgument *place;
    Values values;
} GivenAgain;

static void remember_slices(KernelRun *run)
{
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const HwArgument *place = run->places[i];
        if (!place || place->tier == TIER_HBM || place->tier == TIER_HOST)
            continue;
        GivenAgain *given = arena_new(run->arena, GivenAgain, 1);
        *given = (GivenAgain){run->again, place, values_new(run->arena, device_positions(place))};
        device_get(run->device, place, given->values.bits, given->values.live);
        run->again = given;
    }
}

// What lies in HBM since the last run is given again, and so is what does not stay.
static bool keep_arguments(KernelRun *run)
{
    bool ok = true;
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const HwArgument *place = run->is_bound[i] ? NULL : run->places[i];
        for (int64_t chip = 0; place && chip < place->chips && ok; chip++)
            ok = device_keep(run->device, place, chip, place->address,
                             place->address + place->bytes);
    }
    for (const GivenAgain *given = run->again; given && ok; given = given->next) {
        ok = device_put(run->device, given->place, given->values.bits, given->values.live);
        device_pad(run->device, given->place, given->values.live);
    }
    return ok;
}

bool run_begin_device(KernelRun *run)
{
    if (!run->is_again)
        remember_slices(run);
    run->is_again = true;
    device_begin(run->device);
    return keep_arguments(run) ||
           diag_no_memory(&run->contra->diags, SPAN_NOWHERE, "what is in HBM does not fit");
}

// ---- out

static void get_values(const KernelRun *run, int64_t index, OutputWriter *writer)
{
    const HwArgument *place = run->places[index];
    const uint8_t *mask = mask_at(run, index);
    int64_t positions = device_positions(place);
    Values block = block_new(run, index);
    for (int64_t first = 0, count; first < positions; first += count) {
        count = device_part(place, first, BLOCK);
        const uint8_t *part = mask ? mask + first : NULL;
        device_get_part(run->device, place, first, count, block.bits, block.live);
        gather(&block, part, count);
        output_add(writer, count_data(part, count), block.bits, block.live);
    }
}

static void get(KernelRun *run, int64_t index, OutputWriter *writer)
{
    const HwArgument *place = run->places[index];
    bool is_whole =
        writer->is_there
            ? device_has_values(run->device, place)
            : output_is_raw(writer->argument, writer->output->array.type) &&
                  device_get_bytes(run->device, place, writer->data, place->chips * place->bytes);
    if (!is_whole)
        get_values(run, index, writer);
    output_close(writer);
    arena_clear(run->scratch);
}

// ---- the run

static bool meets_output(const KernelRun *run, const HwArgument *place)
{
    const Arguments *arguments = &run->arguments;
    for (int64_t i = 0; i < arguments->count; i++)
        if (arguments->items[i].is_output && run->places[i] &&
            argument_meets(run->places[i], place))
            return true;
    return false;
}

// Of what was computed only outputs are wanted: they become arrays in the memory of the others.
static void release_inputs(const KernelRun *run)
{
    rest_files(run->contra);
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (run->places[i] && run->places[i]->tier == TIER_HBM &&
            !meets_output(run, run->places[i]))
            device_release(run->device, run->places[i]);
    for (int64_t i = 0; i < run->arguments.count; i++)
        if (run->places[i] && run->places[i]->tier != TIER_HBM)
            return; // it comes from there
    device_release_slices(run->device);
}

static bool run_commands(KernelRun *run)
{
    if (run->checks)
        run_open_oracle(run, true);
    if (!run_operations(run))
        return false;
    if (!run->binds)
        release_inputs(run);
    return true;
}

const Backend backend_device = {.name = "device", .put = put, .run = run_commands, .get = get};

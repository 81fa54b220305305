// One kernel, from arrays to arrays: its inputs are looked at, the kernel is traced and checked,
// and the executor runs what came out.
#include "api/object.h"

#include "api/element.h"
#include "base/checked.h"

#include <inttypes.h>

void run_release(Contra *contra)
{
    oracle_free(contra->run.oracle);
    contra->run.oracle = NULL;
    device_free(contra->run.device);
    contra->run.device = NULL;
    device_program_free(contra->run.program);
    contra->run.program = NULL;
    for (int64_t i = 0; i < contra->run.arrays.count; i++)
        array_free(contra->run.arrays.items[i]);
    contra->run.arrays.count = 0;
}

// ---- the run

// Tensors that are parameters stand in the program in the order of the arguments.
void run_find_tensors(Run *run, const Program *program)
{
    int64_t next = 0;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        if (tensor->origin != ORIGIN_PARAM)
            continue;
        while (next < run->arguments.result_start &&
               !run->arguments.items.items[next].param.is_tensor)
            next++;
        if (next == run->arguments.result_start)
            return;
        run->tensors[next++] = tensor;
    }
}

static void bind_arrays(Run *run, const Program *program)
{
    run_find_tensors(run, program);
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (run->tensors[i] && run->arrays[i])
            oracle_bind(run->contra->run.oracle, run->tensors[i], run->arrays[i]);
}

// What is given back may be a parameter.
static Array *bound_array(const Run *run, const Tensor *result)
{
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (run->tensors[i] == result)
            return run->arrays[i];
    return NULL;
}

static void take_results(Run *run, const Program *program)
{
    Contra *contra = run->contra;
    int64_t count = run->arguments.items.count - run->arguments.result_start;
    for (int64_t i = 0; i < count && i < program->results.count; i++) {
        const Tensor *tensor = program->results.items[i];
        Array **slot = array_push(&contra->arena, &contra->run.arrays, Array *);
        *slot = oracle_take(contra->run.oracle, tensor);
        run->arrays[run->arguments.result_start + i] = *slot ? *slot : bound_array(run, tensor);
    }
}

OracleOptions oracle_options(const ContraRunOptions *options)
{
    return (OracleOptions){
        .numerics =
            options->numerics == CONTRA_NUMERICS_SEQUENTIAL ? NUMERICS_SEQUENTIAL : NUMERICS_TREE,
        .threads = (int32_t)options->threads,
        .is_cancelled = options->is_cancelled,
        .progress = options->progress,
        .own = options->own,
    };
}

static ContraStatus execute(Run *run, const Program *program)
{
    Contra *contra = run->contra;
    OracleOptions oracle = oracle_options(run->options);
    oracle.results_only = true;
    contra->run.oracle = oracle_new(program, &oracle, &contra->diags);
    if (!contra->run.oracle)
        return CONTRA_NO_MEMORY;
    bind_arrays(run, program);
    if (!oracle_run(contra->run.oracle)) {
        bool cancelled = oracle.is_cancelled && oracle.is_cancelled(oracle.own);
        return cancelled ? CONTRA_CANCELLED : CONTRA_INVALID;
    }
    take_results(run, program);
    return CONTRA_OK;
}

// ---- arrays out

Str index_text(Arena *arena, const ContraParam *param, int64_t element)
{
    StrBuf buf = {.arena = arena};
    int64_t step = 1;
    for (int64_t i = 0; i < param->axis_count; i++)
        step *= param->axes[i].size;
    for (int64_t i = 0; i < param->axis_count; i++) {
        step /= param->axes[i].size;
        buf_printf(&buf, "%s%.*s %" PRId64, i ? ", " : "", STR_ARG(str_of(param->axes[i].text)),
                   element / step);
        element %= step;
    }
    return buf.len ? buf_str(&buf) : STR("0");
}

ContraText contra_output_index(Contra *contra, const ContraOutput *output, int64_t element)
{
    if (setjmp(contra->on_oom))
        return contra_text("?");
    return text_of(index_text(&contra->arena, &output->param, element));
}

static void warn_uninitialised(Run *run, const Argument *argument, const ContraOutput *output)
{
    int64_t first = 0, count = contra_array_count(&output->array);
    while (first < count && output->initialised[first])
        first++;
    diag_add(&run->contra->diags, DIAG_OUTPUT_UNINITIALISED, argument->param.span,
             "%" PRId64 " of %" PRId64
             " elements of `%s` were written by nobody, the first at %.*s",
             output->uninitialised, argument->shape.live, argument->param.name,
             STR_ARG(index_text(&run->contra->arena, &argument->shown, first)));
}

// Element `at` of the output is position number `from` that is no padding.
typedef struct {
    const uint32_t *bits;
    const uint8_t *live, *mask; // mask NULL: without padding
    uint8_t *data, *initialised;
    ElementType type;
    Scalar scalar;
} Filling;

static int64_t fill_output(const Filling *filling, int64_t count)
{
    enum { F32_NAN_BITS = 0x7fc00000 };
    bool integer = scalar_is_integer(filling->scalar);
    uint32_t nothing = integer ? 0 : scalar_from_f32(filling->scalar, F32_NAN_BITS);
    int64_t from = 0, missing = 0;
    for (int64_t at = 0; at < count; at++) {
        filling->initialised[at] = 1;
        if (filling->mask && !filling->mask[at])
            continue; // padding is 0
        bool live = filling->live[from];
        uint32_t bits = live ? filling->bits[from] : nothing;
        element_store(filling->type, filling->data, at, filling->scalar, bits);
        filling->initialised[at] = live;
        missing += !live;
        from++;
    }
    return missing;
}

void output_make(Run *run, int64_t index, const uint32_t *bits, const uint8_t *live,
                 ContraOutput *output)
{
    const Argument *argument = &run->arguments.items.items[index];
    Arena *arena = &run->contra->arena, *scratch = &run->contra->scratch;
    const Shape *shape = &argument->shape;
    bool padded = shape->best == FORM_PADDED && shape->live != shape->positions;
    int64_t count = padded ? shape->positions : shape->live, rank = argument->shown.axis_count;
    Scalar scalar = argument->param.shape.type;
    ElementType type = element_of_scalar(scalar, run->options->narrow_as_f32);
    Filling filling = {.bits = bits, .live = live, .type = type, .scalar = scalar};
    filling.mask = padded ? shape_mask(scratch, shape) : NULL;
    filling.data = arena_alloc(arena, (size_t)element_infos[type].bytes, 8, (size_t)count);
    filling.initialised = arena_new(arena, uint8_t, (size_t)count);
    int64_t *sizes = arena_new(arena, int64_t, (size_t)rank + 1);
    for (int64_t i = 0; i < rank; i++)
        sizes[i] = argument->shown.axes[i].size;
    *output = (ContraOutput){.param = argument->shown,
                             .array = {(ContraElement)type, rank, sizes, filling.data},
                             .uninitialised = fill_output(&filling, count)};
    if (output->uninitialised) {
        output->initialised = filling.initialised;
        warn_uninitialised(run, argument, output);
    }
}

static void make_output(Run *run, int64_t index, ContraOutput *output)
{
    const Shape *shape = &run->arguments.items.items[index].shape;
    Arena *scratch = &run->contra->scratch;
    size_t live_count = (size_t)max_i64(1, shape->live);
    uint32_t *bits = arena_new(scratch, uint32_t, live_count);
    uint8_t *live = arena_new(scratch, uint8_t, live_count);
    const Array *array = run->arrays[index];
    if (array && !array_read(array, &shape->mapping, bits, live))
        arena_exhausted(scratch);
    output_make(run, index, bits, live, output);
    arena_clear(scratch);
}

static int64_t make_outputs(Run *run, const ContraOutput **outputs)
{
    int64_t count = 0;
    ContraOutput *made =
        arena_new(&run->contra->arena, ContraOutput, (size_t)run->arguments.items.count + 1);
    for (int64_t i = 0; i < run->arguments.items.count; i++)
        if (run->arguments.items.items[i].is_output)
            make_output(run, i, &made[count++]);
    *outputs = made;
    return count;
}

// ---- all of it

static bool is_refused(const Run *run, int64_t errors)
{
    return run->contra->diags.error_count > errors;
}

Program *run_program(Run *run, const ContraInput *inputs, int64_t input_count, const Kernel *kernel)
{
    Contra *contra = run->contra;
    int64_t errors = contra->diags.error_count, count = run->arguments.items.count;
    if (kernel->object) {
        diag_add(&contra->diags, DIAG_KERNEL_CLOSED, SPAN_NOWHERE,
                 "`%.*s` was read from an object file, which holds no program",
                 STR_ARG(kernel->name));
        return NULL;
    }
    run->inputs = arena_new(&contra->arena, const ContraInput *, (size_t)count + 1);
    run->arrays = arena_new(&contra->arena, Array *, (size_t)count + 1);
    run->tensors = arena_new(&contra->arena, const Tensor *, (size_t)count + 1);
    inputs_match(run, inputs, input_count);
    Value *numbers = arena_new(&contra->arena, Value, (size_t)count + 1);
    int64_t number_count = inputs_numbers(run, numbers);
    if (is_refused(run, errors))
        return NULL;
    Program *program = kernel->program;
    if (!program)
        program = trace_kernel(contra->lang, contra->builder, kernel->decl, numbers, number_count);
    lang_sort_diags(contra->lang);
    return is_refused(run, errors) ? NULL : program;
}

static ContraStatus run_kernel(Run *run, const ContraInput *inputs, int64_t input_count,
                               const Kernel *kernel)
{
    int64_t errors = run->contra->diags.error_count;
    const Program *program = run_program(run, inputs, input_count, kernel);
    if (!program)
        return CONTRA_INVALID;
    inputs_arrays(run);
    return is_refused(run, errors) ? CONTRA_INVALID : execute(run, program);
}

ContraStatus contra_run_kernel(Contra *contra, int64_t index, const ContraInput *inputs,
                               int64_t input_count, const ContraRunOptions *options,
                               const ContraOutput **outputs, int64_t *output_count)
{
    CONTRA_ENTER(contra);
    Run run = {.contra = contra, .options = options};
    const Kernel *kernel = kernel_at(contra, index);
    *outputs = NULL;
    *output_count = 0;
    run_release(contra);
    if (!kernel || !kernel_arguments(contra, kernel, &run.arguments))
        return CONTRA_INVALID;
    ContraStatus status = kernel->object
                              ? object_run(&run, inputs, input_count, outputs, output_count)
                              : run_kernel(&run, inputs, input_count, kernel);
    if (status == CONTRA_OK && !kernel->object)
        *output_count = make_outputs(&run, outputs);
    contra->run.arguments = run.arguments.items.items;
    contra->run.argument_count = run.arguments.items.count;
    run_release(contra);
    return status;
}

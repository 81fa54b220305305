// One kernel, from arrays to arrays: its inputs are looked at, the kernel is traced and checked,
// and the executor runs what came out.
#include "api/run.h"

#include "api/element.h"
#include "base/checked.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void run_release(Contra *contra)
{
    oracle_free(contra->run.oracle);
    contra->run.oracle = NULL;
    for (int64_t i = 0; i < contra->run.arrays.count; i++)
        array_free(contra->run.arrays.items[i]);
    contra->run.arrays.count = 0;
}

// A run: what was given, and what it is for.
typedef struct {
    Contra *contra;
    const ContraRunOptions *options;
    Arguments arguments;
    const ContraInput **inputs; // one an argument; NULL: not given
    Array **arrays;             // one an argument; NULL: a number, or nobody wrote it
    const Tensor **tensors;     // one a parameter: what it is in the program
} Run;

static DiagList *diags_of(const Run *run)
{
    return &run->contra->diags;
}

// ---- what was given

static Argument *find_argument(Arguments *arguments, Str name)
{
    for (int64_t i = 0; i < arguments->result_start; i++)
        if (str_equal(str_from(arguments->items.items[i].param.name), name))
            return &arguments->items.items[i];
    return NULL;
}

static void match_input(Run *run, const ContraInput *input)
{
    Str name = str_of(input->name);
    const Argument *argument = find_argument(&run->arguments, name);
    if (!argument) {
        Diag *diag = diag_add(diags_of(run), DIAG_INPUT_UNKNOWN, SPAN_NOWHERE,
                              "`%.*s` has no parameter `%.*s`",
                              STR_ARG(run->arguments.kernel->name), STR_ARG(name));
        arguments_note(run->contra, diag, &run->arguments);
        return;
    }
    int64_t index = argument - run->arguments.items.items;
    if (run->inputs[index])
        diag_add(diags_of(run), DIAG_INPUT_UNKNOWN, argument->param.span, "`%.*s` is given twice",
                 STR_ARG(name));
    else if (input->is_number != !argument->param.is_tensor)
        diag_add(diags_of(run), DIAG_INPUT_VALUE, argument->param.span,
                 argument->param.is_tensor ? "`%.*s` is a tensor, and takes an array"
                                           : "`%.*s` is a number, and takes no array",
                 STR_ARG(name));
    run->inputs[index] = input;
}

static bool is_missing(const Run *run, int64_t index)
{
    const Argument *argument = &run->arguments.items.items[index];
    bool optional = argument->param.is_tensor && (argument->is_output || run->options->random);
    return !run->inputs[index] && !optional;
}

static void report_missing(Run *run)
{
    StrBuf names = {.arena = &run->contra->arena};
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (is_missing(run, i))
            buf_printf(&names, "%s`%s`", names.len ? ", " : "",
                       run->arguments.items.items[i].param.name);
    if (!names.len)
        return;
    const Decl *decl = run->arguments.kernel->decl;
    Diag *diag = diag_add(diags_of(run), DIAG_INPUT_MISSING, decl ? decl->span : SPAN_NOWHERE,
                          "`%.*s` needs a value for %.*s", STR_ARG(run->arguments.kernel->name),
                          STR_ARG(buf_str(&names)));
    arguments_note(run->contra, diag, &run->arguments);
    diag_help(diag,
              "give tensors as `--in NAME=FILE.npy` and numbers as `--in NAME=VALUE`, or fill "
              "tensors with `--random SEED`");
}

// ---- numbers

static bool read_integer(Str text, const PrimInfo *info, int64_t *value)
{
    enum { LONGEST = 40, WIDEST = 64 };
    char digits[LONGEST], *end;
    if (text.len == 0 || text.len >= LONGEST)
        return false;
    memcpy(digits, text.data, (size_t)text.len);
    digits[text.len] = 0;
    bool negative = digits[0] == '-';
    const char *start = digits + negative;
    bool hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
    int64_t bits = info->class == PRIM_INT ? min_i64(info->bits, WIDEST) - 1
                                           : min_i64(info->bits, WIDEST - 1); // as values are kept
    if (start[0] < '0' || start[0] > '9')
        return false;
    errno = 0;
    *value = strtoll(digits, &end, hex ? 16 : 10);
    if (*end || errno)
        return false;
    int64_t most = bits >= WIDEST - 1 ? INT64_MAX : (INT64_C(1) << bits) - 1;
    return *value <= most && *value >= (info->class == PRIM_INT ? -most - 1 : 0);
}

static bool read_real(Arena *arena, Str text, bool single, double *value)
{
    char *end;
    const char *digits = str_terminated(arena, text);
    *value = single ? (double)strtof(digits, &end) : strtod(digits, &end);
    return text.len && end == digits + text.len && *digits > ' ';
}

static bool read_number(Arena *arena, Str text, Prim prim, Value *value)
{
    const PrimInfo *info = &prims[prim];
    if (prim == PRIM_bool) {
        value->kind = VALUE_BOOL;
        value->boolean = str_equal(text, STR("true"));
        return value->boolean || str_equal(text, STR("false"));
    }
    if (info->class == PRIM_FLOAT) {
        value->kind = VALUE_FLOAT;
        return read_real(arena, text, prim == PRIM_f32, &value->real);
    }
    value->kind = VALUE_INT;
    return read_integer(text, info, &value->integer);
}

static int64_t read_numbers(Run *run, Value *numbers)
{
    int64_t count = 0;
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const Argument *argument = &run->arguments.items.items[i];
        const ContraInput *input = run->inputs[i];
        if (argument->param.is_tensor || !input || !input->is_number)
            continue;
        Str text = str_of(input->number);
        if (!read_number(&run->contra->arena, text, argument->param.prim, &numbers[count++]))
            diag_add(diags_of(run), DIAG_INPUT_VALUE, argument->param.span,
                     "`%.*s` is no value of `%s`, which is of type %s", STR_ARG(text),
                     argument->param.name, prims[argument->param.prim].name);
    }
    return count;
}

// ---- arrays in

bool check_shape(Contra *contra, const Argument *argument, const ContraArray *array,
                 const char *what, bool *padded)
{
    Arena *arena = &contra->arena;
    if (contra_array_count(array) >= 0 &&
        shape_accepts(&argument->shape, array->shape, array->rank, padded))
        return true;
    StrBuf shape = {.arena = arena};
    shape_print(&shape, array->shape, array->rank);
    Diag *diag = diag_add(&contra->diags, DIAG_ARRAY_SHAPE, argument->param.span,
                          "%s has the shape %.*s instead of %.*s", what, STR_ARG(buf_str(&shape)),
                          STR_ARG(shape_wanted(arena, &argument->shape)));
    StrBuf axes = {.arena = arena};
    for (int64_t i = 0; i < argument->shown.axis_count; i++)
        buf_printf(&axes, "%s`%.*s`", i ? ", " : "", STR_ARG(str_of(argument->shown.axes[i].text)));
    if (axes.len)
        diag_note(diag, SPAN_NOWHERE, "its dimensions are those of %.*s in %.*s",
                  STR_ARG(buf_str(&axes)), STR_ARG(str_of(argument->shown.mapping)));
    return false;
}

static void report_type(Run *run, const Argument *argument, ElementType type)
{
    Scalar scalar = argument->param.shape.type;
    Diag *diag = diag_add(diags_of(run), DIAG_ARRAY_TYPE, argument->param.span,
                          "`%s` is a tensor of %s and takes no array of %s", argument->param.name,
                          scalar_name(scalar), element_infos[type].name);
    if (scalar_is_integer(scalar))
        diag_help(diag, "give an array of integers");
    else
        diag_help(diag, "give float32, or the bit patterns as unsigned integers of %d bits",
                  scalar_traits[scalar].bits);
}

static void report_value(Run *run, const Argument *argument, const ContraArray *array, int64_t at)
{
    int64_t least, most;
    scalar_limits(argument->param.shape.type, &least, &most);
    StrBuf index = {.arena = &run->contra->arena};
    int64_t rest = at, step = contra_array_count(array);
    for (int64_t i = 0; i < array->rank; i++) {
        step /= array->shape[i];
        buf_printf(&index, "%s%" PRId64, i ? ", " : "", rest / step);
        rest %= step;
    }
    diag_add(diags_of(run), DIAG_ARRAY_VALUE, argument->param.span,
             "element [%.*s] of the array for `%s` is %.17g; %s goes from %" PRId64 " to %" PRId64,
             STR_ARG(buf_str(&index)), argument->param.name, contra_array_value(array, at),
             scalar_name(argument->param.shape.type), least, most);
}

// The values at the positions that are no padding. False: one does not fit.
static bool convert(Run *run, const Argument *argument, const ContraArray *array, bool padded,
                    uint32_t *bits)
{
    ElementType type = (ElementType)array->type;
    Scalar scalar = argument->param.shape.type;
    ElementTake take = element_take(type, scalar);
    if (take == TAKE_REFUSED) {
        report_type(run, argument, type);
        return false;
    }
    const uint8_t *mask = padded ? shape_mask(&run->contra->scratch, &argument->shape) : NULL;
    int64_t count = contra_array_count(array), next = 0;
    for (int64_t i = 0; i < count; i++) {
        if (mask && !mask[i])
            continue;
        if (!element_load(take, type, array->data, i, scalar, &bits[next++])) {
            report_value(run, argument, array, i);
            return false;
        }
    }
    return true;
}

static Array *new_array(Run *run, const Argument *argument)
{
    Contra *contra = run->contra;
    Array **slot = array_push(&contra->arena, &contra->run.arrays, Array *);
    *slot = array_new(argument->param.shape.type, &argument->shape.mapping);
    if (!*slot)
        arena_exhausted(&contra->arena);
    return *slot;
}

static void fill_array(Run *run, int64_t index)
{
    const Argument *argument = &run->arguments.items.items[index];
    const ContraArray *array = &run->inputs[index]->array;
    bool padded;
    Str what = str_format(&run->contra->arena, "the array for `%s`", argument->param.name);
    if (!check_shape(run->contra, argument, array, str_terminated(&run->contra->arena, what),
                     &padded))
        return;
    Arena *scratch = &run->contra->scratch;
    uint32_t *bits = arena_new(scratch, uint32_t, (size_t)max_i64(1, argument->shape.live));
    if (convert(run, argument, array, padded, bits) &&
        !array_write(run->arrays[index], &argument->shape.mapping, bits, NULL))
        arena_exhausted(scratch);
    arena_clear(scratch);
}

static void draw_array(Run *run, int64_t index, SmallRng *rng)
{
    const Argument *argument = &run->arguments.items.items[index];
    Array *array = run->arrays[index];
    for (int64_t i = 0; i < array->count; i++) {
        array->live[i] = scalar_random(rng, array->type, &array->bits[i]);
        if (array->live[i])
            continue;
        diag_add(diags_of(run), DIAG_RANDOM_TYPE, argument->param.span,
                 "`%s` is a tensor of %s, which has no random values", argument->param.name,
                 scalar_name(array->type));
        return;
    }
}

static void make_arrays(Run *run)
{
    SmallRng rng = small_rng_seed_from_u64(run->options->seed);
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const Argument *argument = &run->arguments.items.items[i];
        if (!argument->param.is_tensor || (run->inputs[i] && run->inputs[i]->is_number))
            continue;
        run->arrays[i] = new_array(run, argument);
        if (run->inputs[i])
            fill_array(run, i);
        else if (run->options->random && !argument->is_output)
            draw_array(run, i, &rng);
    }
}

// ---- the run

// Tensors that are parameters stand in the program in the order of the arguments.
static void bind_arrays(Run *run, const Program *program)
{
    int64_t next = 0;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        if (tensor->origin != ORIGIN_PARAM)
            continue;
        while (next < run->arguments.result_start && !run->arrays[next])
            next++;
        if (next == run->arguments.result_start)
            return;
        run->tensors[next] = tensor;
        oracle_bind(run->contra->run.oracle, tensor, run->arrays[next++]);
    }
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

static Str index_text(Arena *arena, const ContraParam *param, int64_t element)
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
    diag_add(diags_of(run), DIAG_OUTPUT_UNINITIALISED, argument->param.span,
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

static void make_output(Run *run, int64_t index, ContraOutput *output)
{
    const Argument *argument = &run->arguments.items.items[index];
    Arena *arena = &run->contra->arena, *scratch = &run->contra->scratch;
    const Shape *shape = &argument->shape;
    size_t live_count = (size_t)max_i64(1, shape->live);
    uint32_t *bits = arena_new(scratch, uint32_t, live_count);
    uint8_t *live = arena_new(scratch, uint8_t, live_count);
    const Array *array = run->arrays[index];
    if (array && !array_read(array, &shape->mapping, bits, live))
        arena_exhausted(scratch);
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
    arena_clear(scratch);
    if (output->uninitialised) {
        output->initialised = filling.initialised;
        warn_uninitialised(run, argument, output);
    }
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
    return diags_of(run)->error_count > errors;
}

static ContraStatus run_kernel(Run *run, const ContraInput *inputs, int64_t input_count,
                               const Kernel *kernel)
{
    Contra *contra = run->contra;
    int64_t errors = contra->diags.error_count, count = run->arguments.items.count;
    run->inputs = arena_new(&contra->arena, const ContraInput *, (size_t)count + 1);
    run->arrays = arena_new(&contra->arena, Array *, (size_t)count + 1);
    run->tensors = arena_new(&contra->arena, const Tensor *, (size_t)count + 1);
    for (int64_t i = 0; i < input_count; i++)
        match_input(run, &inputs[i]);
    report_missing(run);
    Value *numbers = arena_new(&contra->arena, Value, (size_t)count + 1);
    int64_t number_count = read_numbers(run, numbers);
    if (is_refused(run, errors))
        return CONTRA_INVALID;
    const Program *program = kernel->program;
    if (!program)
        program = trace_kernel(contra->lang, contra->builder, kernel->decl, numbers, number_count);
    lang_sort_diags(contra->lang);
    if (!program || is_refused(run, errors))
        return CONTRA_INVALID;
    make_arrays(run);
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
    ContraStatus status = run_kernel(&run, inputs, input_count, kernel);
    if (status == CONTRA_OK)
        *output_count = make_outputs(&run, outputs);
    contra->run.arguments = run.arguments.items.items;
    contra->run.argument_count = run.arguments.items.count;
    run_release(contra);
    return status;
}

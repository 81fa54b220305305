// One kernel, from arrays to arrays: its inputs are looked at, the kernel is traced and checked,
// and the device or the oracle executes what came out.
#include "api/execute.h"
#include "api/launch.h"
#include "api/prepare.h"
#include "api/sized.h"
#include "base/checked.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void run_release(Contra *contra)
{
    oracle_free(contra->run.oracle);
    contra->run.oracle = NULL;
    device_free(contra->run.device);
    contra->run.device = NULL;
    device_program_free(contra->run.program);
    contra->run.program = NULL;
    host_device_free(contra->run.host);
    contra->run.host = NULL;
    for (int64_t i = 0; i < contra->run.arrays.count; i++)
        array_free(contra->run.arrays.items[i]);
    contra->run.arrays.count = 0;
}

void request_begin(Contra *contra)
{
    run_release(contra);
    arena_clear(&contra->request);
}

// ---- the run

// Tensors that are parameters stand in the program in the order of the arguments.
static void find_tensors(Run *run, const Program *program)
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

static void bind_arrays(Run *run)
{
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (run->tensors[i] && run->arrays[i])
            oracle_bind(run->contra->run.oracle, run->tensors[i], run->arrays[i]);
}

// What is given back may be a parameter, or be given back more than once: result `number`, if it is
// there already. NULL: it is not.
static Array *known_array(const Run *run, const Program *program, int64_t number)
{
    const Tensor *result = program->results.items[number];
    int64_t start = run->arguments.result_start;
    for (int64_t i = 0; i < start; i++)
        if (run->tensors[i] == result)
            return run->arrays[i];
    for (int64_t i = 0; i < number; i++)
        if (program->results.items[i] == result)
            return run->arrays[start + i];
    return NULL;
}

static void take_results(Run *run, const Program *program)
{
    Contra *contra = run->contra;
    int64_t start = run->arguments.result_start, count = run->arguments.items.count - start;
    for (int64_t i = 0; i < count && i < program->results.count; i++) {
        Array *array = known_array(run, program, i);
        if (!array) {
            array = oracle_take(contra->run.oracle, program->results.items[i]);
            *array_push(&contra->arena, &contra->run.arrays, Array *) = array;
        }
        run->arrays[start + i] = array;
    }
}

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

bool run_options_take(Contra *contra, Arena *arena, const ContraRunOptions *given,
                      ContraRunOptions *options)
{
    if (!sized_take(contra, SIZED_ContraRunOptions, given, options))
        return false;
    bool known = IS_ENUM(options->numerics, CONTRA_NUMERICS_SEQUENTIAL + 1) &&
                 IS_ENUM(options->backend, CONTRA_BACKEND_ORACLE + 1) && options->threads >= 0 &&
                 options->threads <= INT32_MAX && options->argument_count >= 0 &&
                 (options->arguments || !options->argument_count);
    if (!known)
        diag_add(&contra->diags, DIAG_ARGUMENT_UNFIT, SPAN_NOWHERE,
                 "a ContraRunOptions has a value that cannot be: numerics %d, backend %d, %" PRId64
                 " threads, %" PRId64 " arguments",
                 (int)options->numerics, (int)options->backend, options->threads,
                 options->argument_count);
    watch_cancel(contra, arena, options);
    if (contra->threads)
        options->threads =
            options->threads ? min_i64(options->threads, contra->threads) : contra->threads;
    return known;
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

static void open_oracle(Run *run, const OracleOptions *options)
{
    Contra *contra = run->contra;
    contra->run.oracle = oracle_new(run->program, options, &contra->diags);
    if (!contra->run.oracle)
        arena_exhausted(&contra->arena);
    bind_arrays(run);
}

ContraStatus run_by_oracle(Run *run)
{
    Contra *contra = run->contra;
    OracleOptions oracle = oracle_options(run->options);
    oracle.results_only = true;
    open_oracle(run, &oracle);
    if (!oracle_run(contra->run.oracle)) {
        bool cancelled = oracle.is_cancelled && oracle.is_cancelled(oracle.own);
        return cancelled ? CONTRA_CANCELLED : CONTRA_INVALID;
    }
    take_results(run, run->program);
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

// Data before a position, or the position of an element of the data; -1: it is padding.
static int64_t without_padding(const uint8_t *mask, int64_t position)
{
    int64_t data = 0;
    for (int64_t i = 0; i < position; i++)
        data += mask[i];
    return mask[position] ? data : -1;
}

static int64_t with_padding(const uint8_t *mask, int64_t element)
{
    int64_t position = 0;
    for (int64_t data = mask[0]; data <= element; data += mask[position])
        position++;
    return position;
}

Str output_index(Contra *contra, const ContraOutput *output, int64_t element)
{
    const Argument *argument = argument_of_output(contra, output);
    const Shape *shape = argument ? &argument->shape : NULL;
    bool padded, is_padded = shape && shape->best == FORM_PADDED;
    if (shape && shape->live != shape->positions &&
        shape_accepts(shape, output->array.shape, output->array.rank, &padded) &&
        padded != is_padded) {
        ArenaMark mark = arena_mark(&contra->scratch); // there may be results in it
        const uint8_t *mask = shape_mask(&contra->scratch, shape);
        element = padded ? without_padding(mask, element) : with_padding(mask, element);
        arena_reset(&contra->scratch, mark);
    }
    return element < 0 ? (Str){0} : index_text(&contra->arena, &output->param, element);
}

ContraText contra_output_index(Contra *contra, const ContraOutput *output, int64_t element)
{
    CONTRA_ENTER_FOR(contra, NO_TEXT, NO_TEXT);
    if (!output || element < 0 || element >= contra_array_count(&output->array))
        return NO_TEXT;
    return text_of(output_index(contra, output, element));
}

void output_warn(Run *run, int64_t index, const ContraOutput *output)
{
    const Argument *argument = &run->arguments.items.items[index];
    Contra *contra = run->contra;
    int64_t first = 0;
    while (output->initialised[first])
        first++;
    diag_add(&contra->diags, DIAG_OUTPUT_UNINITIALISED, argument->param.span,
             "%" PRId64 " of %" PRId64
             " elements of `%s` were written by nobody, the first at %.*s",
             output->uninitialised, argument->shape.live, argument->param.name,
             STR_ARG(index_text(&contra->arena, &argument->shown, first)));
}

static Arena *made_in(const Run *run)
{
    return run->made ? run->made : &run->contra->arena;
}

OutputWriter output_into(Run *run, int64_t index, ContraOutput *output, void *data, bool padded)
{
    const Argument *argument = &run->arguments.items.items[index];
    const Shape *shape = &argument->shape;
    OutputWriter writer = {.run = run, .argument = argument, .output = output, .data = data};
    padded = padded && shape->live != shape->positions;
    writer.count = padded ? shape->positions : shape->live;
    writer.mask = padded ? shape_mask(&run->contra->scratch, shape) : NULL;
    return writer;
}

OutputWriter output_open(Run *run, int64_t index, ContraOutput *output)
{
    const Argument *argument = &run->arguments.items.items[index];
    bool padded = argument->shape.best == FORM_PADDED;
    int64_t rank = argument->shown.axis_count;
    ElementType type = element_of_scalar(argument->param.shape.type, run->options->narrow_as_f32);
    int64_t *sizes = arena_new(made_in(run), int64_t, (size_t)rank + 1);
    for (int64_t i = 0; i < rank; i++)
        sizes[i] = argument->shown.axes[i].size;
    OutputWriter writer = output_into(run, index, output, NULL, padded);
    writer.data =
        arena_alloc(made_in(run), (size_t)element_infos[type].bytes, 8, (size_t)writer.count);
    *output = (ContraOutput){.param = argument->shown,
                             .array = {(ContraElement)type, rank, sizes, writer.data}};
    return writer;
}

bool output_is_raw(const Argument *argument, ContraElement type)
{
    return argument->shape.live == argument->shape.positions &&
           element_is_raw((ElementType)type, argument->param.shape.type);
}

// The first that nobody wrote: from here on it is noted down.
static void note_missing(OutputWriter *writer, int64_t at)
{
    if (!writer->initialised) {
        writer->initialised = arena_new(made_in(writer->run), uint8_t, (size_t)writer->count);
        memset(writer->initialised, 1, (size_t)writer->count);
    }
    writer->initialised[at] = 0;
    writer->output->uninitialised++;
}

void output_add(OutputWriter *writer, int64_t count, const uint32_t *bits, const uint8_t *live)
{
    enum { F32_NAN_BITS = 0x7fc00000 };
    ElementType type = (ElementType)writer->output->array.type;
    Scalar scalar = writer->argument->param.shape.type;
    uint32_t nothing = scalar_is_integer(scalar) ? 0 : scalar_from_f32(scalar, F32_NAN_BITS);
    for (int64_t i = 0; i < count; i++) {
        while (writer->mask && !writer->mask[writer->next])
            element_store(type, writer->data, writer->next++, scalar, 0); // padding
        int64_t at = writer->next++;
        element_store(type, writer->data, at, scalar, live[i] ? bits[i] : nothing);
        if (!live[i])
            note_missing(writer, at);
    }
}

void output_close(OutputWriter *writer)
{
    ElementType type = (ElementType)writer->output->array.type;
    while (writer->mask && writer->next < writer->count) // padding behind the last
        element_store(type, writer->data, writer->next++, writer->argument->param.shape.type, 0);
    writer->output->initialised = writer->initialised;
}

void output_add_array(OutputWriter *writer, const Array *array)
{
    const Shape *shape = &writer->argument->shape;
    Arena *scratch = &writer->run->contra->scratch;
    size_t live_count = (size_t)max_i64(1, shape->live);
    uint32_t *bits = arena_new(scratch, uint32_t, live_count);
    uint8_t *live = arena_new(scratch, uint8_t, live_count);
    if (array && !array_read(array, &shape->mapping, bits, live, NULL))
        arena_exhausted(scratch);
    output_add(writer, shape->live, bits, live);
}

static void make_output(Run *run, int64_t index, ContraOutput *output)
{
    OutputWriter writer = output_open(run, index, output);
    output_add_array(&writer, run->arrays[index]);
    output_close(&writer);
    if (output->initialised)
        output_warn(run, index, output);
    arena_clear(&run->contra->scratch);
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

// Only once the program is known to be right: what is wrong with it says more.
static void check_counted(const Run *run)
{
    for (int64_t i = 0; i < run->arguments.items.count; i++) {
        const Argument *argument = &run->arguments.items.items[i];
        if (!argument->param.is_tensor || argument->shape.live != SHAPE_UNCOUNTED)
            continue;
        diag_add(&run->contra->diags, DIAG_SIZE_OVERFLOW, argument->param.span,
                 "`%s` has %" PRId64 " positions, cut so that those that are no padding cannot be "
                 "counted in good time",
                 argument->param.name, argument->shape.positions);
    }
}

// What is sound is remembered.
static Program *prepare(Run *run, const Kernel *kernel, const Value *numbers, int64_t count)
{
    Contra *contra = run->contra;
    int64_t errors = contra->diags.error_count, said = contra->diags.count;
    Program *program = kernel->program;
    if (!program && lang_assertions_hold(contra->lang, contra->builder, kernel->decl->scope->crate))
        program = trace_kernel(contra->lang, contra->builder, kernel->decl, kernel->generics,
                               numbers, count);
    if (program && kernel->generics)
        program->name = str_terminated(&contra->arena, kernel->name);
    if (program && !program->is_refused && !is_refused(run, errors) && !contra->cancel.seen)
        run->prepared = prepared_add(run, program, numbers, count, said);
    return program;
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
    run->inputs = arena_new(run->arena, const ContraInput *, (size_t)count + 1);
    run->arrays = arena_new(run->arena, Array *, (size_t)count + 1);
    run->tensors = arena_new(run->arena, const Tensor *, (size_t)count + 1);
    inputs_match(run, inputs, input_count);
    Value *numbers = arena_new(run->arena, Value, (size_t)count + 1);
    int64_t number_count = inputs_numbers(run, numbers);
    if (is_refused(run, errors))
        return NULL;
    run->prepared = prepared_find(run, numbers, number_count);
    Program *program =
        run->prepared ? run->prepared->program : prepare(run, kernel, numbers, number_count);
    if (program && !program->is_refused && !is_refused(run, errors))
        check_counted(run);
    if (contra->lang)
        lang_sort_diags(contra->lang);
    if (!run->prepared || is_refused(run, errors))
        return NULL;
    assert(program); // what is prepared has one
    find_tensors(run, program);
    run->program = program;
    return program;
}

static bool refuse_choice(Contra *contra, const Kernel *kernel, Span span)
{
    Diag *diag = diag_add(&contra->diags, DIAG_KERNEL_CLOSED, span,
                          "`%.*s` has choices, and nobody says here which ways they take",
                          STR_ARG(kernel->name));
    diag_help(diag, "with choices a program is checked; to run or compile it, write the one "
                    "with the ways that are meant");
    return false;
}

static bool refuse_part(Contra *contra, const Kernel *kernel, const Pass *pass, const char *why)
{
    bool by_calls = kernel->program->notation == NOTATION_CALLS;
    Diag *diag = diag_add(&contra->diags, DIAG_RUN_OPEN_STREAM, pass->stages.items[0]->call_span,
                          "`%.*s` is a part of a kernel: this pass %s", STR_ARG(kernel->name), why);
    diag_help(diag,
              "a part is checked; to run or compile it, begin its passes with a tensor (%s) and "
              "store what they compute (%s)",
              by_calls ? "contra_begin" : "`begin`", by_calls ? "contra_commit" : "`commit`");
    return false;
}

bool program_is_whole(Contra *contra, const Kernel *kernel)
{
    const Program *program = kernel->program;
    for (int64_t i = 0; program && i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        if (op->choice)
            return refuse_choice(contra, kernel, op->span);
        if (op->pass && op->pass->stages.items[0]->kind == STAGE_INPUT)
            return refuse_part(contra, kernel, op->pass, "goes on from a stream of the caller");
    }
    if (program && program->open.count)
        return refuse_part(contra, kernel, program->open.items[0], "gives its stream back");
    return true;
}

static ContraStatus run_on_device(Run *run, const Lowered *lowered, const Program *program,
                                  const ContraOutput **outputs, int64_t *count)
{
    OracleOptions oracle = oracle_options(run->options);
    oracle.progress = NULL; // the device tells
    if (run->options->check_oracle && !inputs_arrays(run))
        return CONTRA_INVALID;
    if (run->options->check_oracle)
        open_oracle(run, &oracle);
    return object_run(run, lowered, program, outputs, count);
}

static ContraStatus run_source(Run *run, const ContraInput *inputs, int64_t input_count,
                               const ContraOutput **outputs, int64_t *count)
{
    const Kernel *kernel = run->arguments.kernel;
    Program *program = program_is_whole(run->contra, kernel)
                           ? run_program(run, inputs, input_count, kernel)
                           : NULL;
    if (!program)
        return CONTRA_INVALID;
    const Lowered *lowered = uses_device(run->contra, run->options) ? prepared_commands(run) : NULL;
    if (lowered)
        return run_on_device(run, lowered, program, outputs, count);
    if (diag_cancelled(&run->contra->diags))
        return CONTRA_CANCELLED;
    ContraStatus status = inputs_arrays(run) ? run_by_oracle(run) : CONTRA_INVALID;
    if (status == CONTRA_OK)
        *count = make_outputs(run, outputs);
    return status;
}

static ContraStatus run_object(Run *run, const ContraInput *inputs, int64_t input_count,
                               const ContraOutput **outputs, int64_t *count)
{
    Contra *contra = run->contra;
    int64_t errors = contra->diags.error_count;
    Lowered *lowered = arena_new(run->arena, Lowered, 1); // as long as what runs it
    if (!object_still_fits(run))
        return CONTRA_INVALID;
    lowered->object = run->arguments.kernel->object->object;
    run->inputs =
        arena_new(run->arena, const ContraInput *, (size_t)run->arguments.items.count + 1);
    inputs_match(run, inputs, input_count);
    return is_refused(run, errors) ? CONTRA_INVALID
                                   : object_run(run, lowered, NULL, outputs, count);
}

ContraStatus contra_run_kernel(Contra *contra, int64_t index, const ContraInput *inputs,
                               int64_t input_count, const ContraRunOptions *given,
                               const ContraOutput **outputs, int64_t *output_count)
{
    CONTRA_GIVES(outputs, NULL);
    CONTRA_GIVES(output_count, 0);
    CONTRA_ENTER(contra);
    ContraRunOptions options;
    Run run = {.contra = contra, .arena = &contra->request, .options = &options};
    CONTRA_NEEDS(contra, outputs && output_count, "`outputs` and `output_count`");
    CONTRA_NEEDS(contra, IS_LIST(inputs, input_count), "as many `inputs` as it says");
    request_begin(contra);
    if (!run_options_take(contra, run.arena, given, &options))
        return CONTRA_INVALID;
    const Kernel *kernel = kernel_wanted(contra, index);
    if (!kernel || !kernel_arguments(contra, kernel, &run.arguments))
        return CONTRA_INVALID;
    if (diag_cancelled(&contra->diags))
        return CONTRA_CANCELLED;
    ContraStatus status = kernel->object
                              ? run_object(&run, inputs, input_count, outputs, output_count)
                              : run_source(&run, inputs, input_count, outputs, output_count);
    if (status == CONTRA_OK)
        log_say(contra, CONTRA_LOG_INFO, "ran %.*s on the %s", STR_ARG(kernel->name),
                kernel->object || uses_device(contra, &options) ? "device" : "oracle");
    run_release(contra);
    return status == CONTRA_OK ? CONTRA_OK : status_of(contra, status);
}

// What is given to a kernel: which parameter it is for, and whether it fits.
#include "run/run.h"

#include "base/checked.h"
#include "base/near.h"
#include "engine/dma/dma.h"
#include "engine/memory/access.h"
#include "run/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static DiagList *diags_of(const KernelRun *run)
{
    return &run->contra->diags;
}

// ---- numbers as they are written

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

// Whether two texts mean the same, of whatever type the parameter is: 4, 04, 0x4 and, of a float,
// 4.0.
static bool same_number(Arena *arena, Str a, Str b)
{
    Value one, other;
    if (str_equal(a, b))
        return true;
    if (read_number(arena, a, PRIM_i64, &one) && read_number(arena, b, PRIM_i64, &other))
        return one.integer == other.integer;
    return read_number(arena, a, PRIM_f64, &one) && read_number(arena, b, PRIM_f64, &other) &&
           one.real == other.real;
}

// ---- what was given

static Argument *find_argument(Arguments *arguments, Str name)
{
    for (int64_t i = 0; i < arguments->result_start; i++)
        if (str_equal(name, str_from(arguments->items[i].param.name)))
            return &arguments->items[i];
    return NULL;
}

// One that is nearly right is taken for the other: nothing more is said of that one.
static void report_input(KernelRun *run, const ContraInput *input)
{
    Str name = str_of(input->name);
    Near near = {.name = name, .most = name.len < 2 ? 0 : name.len < 4 ? 1 : 2};
    int64_t meant = -1;
    Diag *diag = request_report(run->contra, DIAG_INPUT_UNKNOWN, "`{}` has no parameter `{}`",
                                run->arguments.kernel->name, name);
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (!run->inputs[i] && near_try(&near, str_from(run->arguments.items[i].param.name)))
            meant = i;
    if (meant >= 0) {
        near_help(&near, diag, SPAN_NOWHERE);
        run->inputs[meant] = input;
        return;
    }
    arguments_note(run->contra, diag, &run->arguments, run->arguments.result_start);
}

// A number of a kernel that was compiled for one value of it. False: there is none of that name.
static bool match_constant(KernelRun *run, const ContraInput *input)
{
    const ContraObject *object = run->arguments.kernel->object;
    Str name = str_of(input->name), given = str_of(input->is_number ? input->number : input->file);
    for (int64_t i = 0; object && i < object->object.constants.count; i++) {
        const HwConstant *constant = &object->object.constants.items[i];
        if (!str_equal(constant->name, name))
            continue;
        if (same_number(run->arena, constant->value, given))
            return true;
        Diag *diag = request_report(run->contra, DIAG_INPUT_VALUE,
                                    "`{}` is a number, and the kernel was compiled for {}", name,
                                    constant->value);
        diag_help(diag, "compile it again, with {} for `{}`", given, name);
        diag_help_typed(diag, "`contra compile --in {}={}` compiles it for another value", name,
                        given);
        return true;
    }
    return false;
}

// A file for a tensor is read here: what is wrong with it is said together with the rest.
static const ContraInput *read_input(KernelRun *run, const Argument *argument,
                                     const ContraInput *input)
{
    Arena *arena = &run->contra->arena;
    Str file = str_of(input->file), name = str_of(input->name);
    if (!file.len || !argument->param.is_tensor)
        return input;
    ContraInput *copy = arena_new(run->arena, ContraInput, 1);
    *copy = *input;
    int64_t before = diags_of(run)->count;
    if (array_file_read(run->contra, file, name, str_format(arena, " for `{}`", name),
                        &copy->array))
        return copy;
    Diag *diag = diags_of(run)->items[before];
    diag_note(diag, SPAN_NOWHERE, "{}", argument_text(arena, argument));
    if (!is_array_path(file))
        diag_help(diag, "a tensor takes an array: F.npy, or F.safetensors:NAME");
    return copy;
}

static void match_input(KernelRun *run, const ContraInput *input, const Argument *argument)
{
    Str name = str_of(input->name);
    int64_t index = argument - run->arguments.items;
    if (run->inputs[index])
        diag_add(diags_of(run), DIAG_INPUT_UNKNOWN, argument->param.span, "`{}` is given twice",
                 name);
    else if (argument->param.is_tensor && run->compiles)
        diag_add(diags_of(run), DIAG_INPUT_VALUE, argument->param.span,
                 "`{}` is a tensor: its array comes when the kernel is run", name);
    else if (input->is_number != !argument->param.is_tensor)
        diag_add(diags_of(run), DIAG_INPUT_VALUE, argument->param.span,
                 argument->param.is_tensor ? "`{}` is a tensor, and takes an array"
                                           : "`{}` is a number, and takes no array",
                 name);
    else
        input = read_input(run, argument, input);
    run->inputs[index] = input;
}

static bool is_missing(const KernelRun *run, int64_t index)
{
    const Argument *argument = &run->arguments.items[index];
    bool optional = argument->param.is_tensor &&
                    (argument->is_output || run->compiles || run->binds || run->options->random);
    return !run->inputs[index] && !optional;
}

static void report_missing(KernelRun *run)
{
    StrBuf names = {.arena = run->arena};
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        if (is_missing(run, i))
            buf_format(&names, "{}`{}`", names.len ? ", " : "", run->arguments.items[i].param.name);
    if (!names.len)
        return;
    Decl *decl = run->arguments.kernel->decl;
    Diag *diag =
        diag_add(diags_of(run), DIAG_INPUT_MISSING, decl ? decl->span : SPAN_NOWHERE,
                 "`{}` needs a value for {}", run->arguments.kernel->name, buf_str(&names));
    for (int64_t i = 0; i < run->arguments.result_start; i++)
        diag_note(diag, SPAN_NOWHERE, "{} {}",
                  is_missing(run, i) ? "missing:"
                  : run->inputs[i]   ? "given:"
                                     : "optional:",
                  argument_text(&run->contra->arena, &run->arguments.items[i]));
    if (run->compiles) {
        diag_help(diag, "a kernel is compiled for the values of its numbers: give one for each");
        diag_help_typed(diag,
                        "a kernel is compiled for the values of its numbers: `--in NAME=VALUE`");
    } else if (!decl) { // of an object file
        diag_help(diag, "give an array for each tensor, or have them drawn at random");
        diag_help_typed(diag,
                        "give tensors as `--in NAME=FILE.npy`, or fill them with `--random SEED`");
    } else {
        diag_help(diag, "give an array for each tensor and a value for each number, or have "
                        "tensors drawn at random");
        diag_help_typed(diag, "give tensors as `--in NAME=FILE.npy` and numbers as `--in "
                              "NAME=VALUE`, or fill tensors with `--random SEED`");
    }
}

void inputs_match(KernelRun *run, const ContraInput *inputs, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const Argument *argument = find_argument(&run->arguments, str_of(inputs[i].name));
        if (argument)
            match_input(run, &inputs[i], argument);
    }
    for (int64_t i = 0; i < count; i++)
        if (!find_argument(&run->arguments, str_of(inputs[i].name)) &&
            !match_constant(run, &inputs[i]))
            report_input(run, &inputs[i]);
    report_missing(run);
}

// ---- numbers of a kernel

int64_t inputs_numbers(KernelRun *run, Value *numbers)
{
    int64_t count = 0;
    for (int64_t i = 0; i < run->arguments.result_start; i++) {
        const Argument *argument = &run->arguments.items[i];
        const ContraInput *input = run->inputs[i];
        if (argument->param.is_tensor || !input || !input->is_number)
            continue;
        Str text = str_of(input->number);
        if (!read_number(run->arena, text, argument->param.prim, &numbers[count++]))
            diag_add(diags_of(run), DIAG_INPUT_VALUE, argument->param.span,
                     "`{}` is no value of `{}`, which is of type {}", text, argument->param.name,
                     prims[argument->param.prim].name);
    }
    return count;
}

// ---- arrays in

static bool fits(const Argument *argument, const ContraArray *array, bool *padded)
{
    return contra_array_count(array) >= 0 &&
           shape_accepts(&argument->shape, array->shape, array->rank, padded);
}

bool check_shape(Contra *contra, const Argument *argument, const ContraArray *array,
                 const char *what, bool *padded)
{
    Arena *arena = &contra->arena;
    if (!array_is_described(contra, array, what))
        return false;
    if (fits(argument, array, padded))
        return true;
    StrBuf shape = {.arena = arena};
    shape_print(&shape, array->shape, array->rank);
    Diag *diag = diag_add(&contra->diags, DIAG_ARRAY_SHAPE, argument->param.span,
                          "{} has the shape {} instead of {}", what, buf_str(&shape),
                          shape_wanted(arena, &argument->shape));
    StrBuf axes = {.arena = arena};
    for (int64_t i = 0; i < argument->shown.axis_count; i++)
        buf_format(&axes, "{}`{}`", i ? ", " : "", str_of(argument->shown.axes[i].text));
    if (axes.len)
        diag_note(diag, SPAN_NOWHERE, "its dimensions are those of {} in {}", buf_str(&axes),
                  str_of(argument->shown.mapping));
    return false;
}

// "the array for `x` (x.npy)"
static const char *input_text(KernelRun *run, int64_t index)
{
    Arena *arena = &run->contra->arena;
    Str file = str_of(run->inputs[index]->file);
    const char *name = run->arguments.items[index].param.name;
    Str text = file.len ? str_format(arena, "the array for `{}` ({})", name, file)
                        : str_format(arena, "the array for `{}`", name);
    return str_terminated(arena, text);
}

static void report_type(KernelRun *run, int64_t index, ElementType type)
{
    const Argument *argument = &run->arguments.items[index];
    Scalar scalar = argument->param.shape.type;
    Diag *diag = diag_add(diags_of(run), DIAG_ARRAY_TYPE, argument->param.span,
                          "{} is of {}, and `{}` is a tensor of {}", input_text(run, index),
                          element_infos[type].name, argument->param.name, scalar_name(scalar));
    if (scalar_is_integer(scalar))
        diag_help(diag, "give an array of integers");
    else
        diag_help(diag, "give float32, or the bit patterns as unsigned integers of {} bits",
                  scalar_traits[scalar].bits);
}

static void report_value(KernelRun *run, int64_t input, const ContraArray *array, int64_t at)
{
    const Argument *argument = &run->arguments.items[input];
    int64_t least, most;
    scalar_limits(argument->param.shape.type, &least, &most);
    StrBuf index = {.arena = &run->contra->arena};
    int64_t rest = at, step = contra_array_count(array);
    for (int64_t i = 0; i < array->rank; i++) {
        step /= array->shape[i];
        buf_format(&index, "{}{}", i ? ", " : "", rest / step);
        rest %= step;
    }
    diag_add(diags_of(run), DIAG_ARRAY_VALUE, argument->param.span,
             "element [{}] of {} is {.17g}; {} goes from {} to {}", buf_str(&index),
             input_text(run, input), contra_array_value(array, at),
             scalar_name(argument->param.shape.type), least, most);
}

static bool check_input(KernelRun *run, int64_t index, bool *padded)
{
    const Argument *argument = &run->arguments.items[index];
    const ContraArray *array = &run->inputs[index]->array;
    if (array->data && fits(argument, array, padded))
        return true; // without words, which would pile up from launch to launch
    const char *what = input_text(run, index);
    return array_is_whole(run->contra, array, what) &&
           check_shape(run->contra, argument, array, what, padded);
}

bool input_open(KernelRun *run, int64_t index, InputReader *reader)
{
    const Argument *argument = &run->arguments.items[index];
    const ContraArray *array = &run->inputs[index]->array;
    bool padded;
    if (!check_input(run, index, &padded))
        return false;
    ElementType type = (ElementType)array->type;
    ElementTake take = element_take(type, argument->param.shape.type);
    if (take == TAKE_REFUSED)
        report_type(run, index, type);
    padded = padded && argument->shape.live != argument->shape.positions;
    *reader = (InputReader){
        run, argument, array, take, padded ? shape_mask(run->scratch, &argument->shape) : NULL, 0};
    return take != TAKE_REFUSED;
}

bool input_is_raw(const InputReader *reader)
{
    ElementType type = (ElementType)reader->array->type;
    Scalar scalar = reader->argument->param.shape.type;
    const Shape *shape = &reader->argument->shape;
    return shape->live == shape->positions && element_is_raw(type, scalar) &&
           (reader->take == TAKE_BITS || type == element_of_scalar(scalar, false));
}

bool input_read(InputReader *reader, int64_t count, uint32_t *bits)
{
    ElementType type = (ElementType)reader->array->type;
    Scalar scalar = reader->argument->param.shape.type;
    for (int64_t i = 0; i < count; i++) {
        while (reader->mask && !reader->mask[reader->next])
            reader->next++;
        int64_t at = reader->next++;
        if (!element_load(reader->take, type, reader->array->data, at, scalar, &bits[i])) {
            report_value(reader->run, reader->argument - reader->run->arguments.items,
                         reader->array, at);
            return false;
        }
    }
    return true;
}

static Array *new_array(KernelRun *run, const Argument *argument)
{
    Contra *contra = run->contra;
    Array **slot = array_push(run->arena, &run->own, Array *);
    *slot = array_new(argument->param.shape.type, &argument->shape.mapping);
    if (!*slot)
        arena_exhausted(&contra->arena);
    return *slot;
}

// Who may end it.
static Canceller run_canceller(const KernelRun *run)
{
    return (Canceller){run->options->is_cancelled, run->options->own};
}

// What was not done although nobody cancelled it had no memory.
static void need_memory(const KernelRun *run, bool ok)
{
    if (!ok && !run->contra->cancel.seen)
        arena_exhausted(run->scratch);
}

// In parts, between which somebody may cancel.
static bool read_all(InputReader *reader, int64_t count, uint32_t *bits)
{
    enum { PART = 1 << 18 };
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i += PART)
        ok = !diag_cancelled(diags_of(reader->run)) &&
             input_read(reader, min_i64(PART, count - i), bits + i);
    return ok;
}

// What was given for it. False: it does not fit, which was said, or it was cancelled.
static bool fill(KernelRun *run, int64_t index)
{
    const Argument *argument = &run->arguments.items[index];
    Arena *scratch = run->scratch;
    Canceller who = run_canceller(run);
    uint32_t *bits = arena_new_raw(scratch, uint32_t, (size_t)max_i64(1, argument->shape.live));
    InputReader reader;
    bool ok = input_open(run, index, &reader) && read_all(&reader, argument->shape.live, bits);
    if (ok) {
        ok = array_write(run->arrays[index], &argument->shape.mapping, bits, NULL, &who);
        need_memory(run, ok);
    }
    arena_clear(scratch);
    return ok;
}

bool input_values(KernelRun *run, int64_t index, Values *values)
{
    Canceller who = run_canceller(run);
    bool ok = array_read(run->arrays[index], &run->arguments.items[index].shape.mapping,
                         values->bits, values->live, &who);
    need_memory(run, ok);
    return ok;
}

void input_refuse_random(KernelRun *run, int64_t index)
{
    const Argument *argument = &run->arguments.items[index];
    diag_add(diags_of(run), DIAG_RANDOM_TYPE, argument->param.span,
             "`{}` is a tensor of {}, which has no random values", argument->param.name,
             scalar_name(argument->param.shape.type));
}

// ---- drawn at random

static void narrow(DrawRange *range, int64_t rows, int64_t unit)
{
    rows = min_i64(rows, max_i64(1, INT32_MAX / unit)); // entries have 32 bits
    if (!range->rows || rows * unit < range->rows * range->unit)
        *range = (DrawRange){rows, unit};
}

// Of a parameter of a program.
static DrawRange draw_range_of_tensor(Arena *arena, const Program *program, const Tensor *tensor)
{
    DrawRange range = {0};
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        IndexRange index;
        if (op->index && tensor_root(op->index->tensor) == tensor && index_range(arena, op, &index))
            narrow(&range, index.rows, index.unit);
    }
    return range;
}

static bool lies_in(const HwDmaIndirect *indirect, const HwArgument *argument)
{
    return indirect->index.media == MEDIA_HBM && argument->tier == TIER_HBM &&
           indirect->base >= argument->address &&
           indirect->base < argument->address + argument->bytes;
}

static void narrow_by_command(DrawRange *range, const HwCommand *command,
                              const HwArgument *argument)
{
    const HwDmaCommand *dma = command->dma;
    for (int64_t i = 0; dma && i < dma->descriptors.count; i++) {
        const HwDmaIndirect *indirect = dma->descriptors.items[i].indirect;
        if (indirect && lies_in(indirect, argument))
            narrow(range, indirect->limit, indirect->divisor);
    }
}

DrawRange draw_range_of_argument(const HwObject *object, const HwArgument *argument)
{
    DrawRange range = {0};
    for (int64_t i = 0; i < object->operations.count; i++) {
        const HwOperation *operation = &object->operations.items[i];
        for (int64_t k = 0; k < operation->commands.count; k++)
            narrow_by_command(&range, &operation->commands.items[k], argument);
    }
    return range;
}

void draw_within(const DrawRange *range, uint32_t *bits, int64_t count)
{
    for (int64_t i = 0; range->rows && i < count; i++)
        bits[i] = (uint32_t)(bits[i] % range->rows * range->unit);
}

// False: it was cancelled.
static bool bring_within(KernelRun *run, int64_t index)
{
    Arena *scratch = run->scratch;
    const Shape *shape = &run->arguments.items[index].shape;
    DrawRange range = draw_range_of_tensor(scratch, run->program, run->tensors[index]);
    if (!range.rows)
        return true;
    Canceller who = run_canceller(run);
    Values values = values_raw(scratch, shape->live);
    if (!input_values(run, index, &values))
        return false;
    draw_within(&range, values.bits, shape->live);
    bool ok = array_write(run->arrays[index], &shape->mapping, values.bits, values.live, &who);
    need_memory(run, ok);
    return ok;
}

static bool draw(KernelRun *run, int64_t index)
{
    Canceller who = run_canceller(run);
    bool is_drawn = array_draw(run->arrays[index], &run->rng, &who);
    if (!is_drawn && !run->contra->cancel.seen)
        input_refuse_random(run, index);
    return is_drawn && bring_within(run, index);
}

bool input_is_drawn(const KernelRun *run, int64_t index)
{
    const Argument *argument = &run->arguments.items[index];
    return argument->param.is_tensor && !run->inputs[index] && run->options->random &&
           !argument->is_output;
}

bool input_array(KernelRun *run, int64_t index)
{
    Array *array = run->arrays[index];
    if (array && !run->inputs[index])
        memset(array->live, 0, (size_t)array->count);
    if (!array && index < run->arguments.result_start)
        run->arrays[index] = new_array(run, &run->arguments.items[index]);
    return run->inputs[index]           ? fill(run, index)
           : input_is_drawn(run, index) ? draw(run, index)
                                        : true;
}

// The newest of the arrays.
void input_drop(KernelRun *run, int64_t index)
{
    array_free(run->arrays[index]);
    run->arrays[index] = NULL;
    run->own.count--;
}

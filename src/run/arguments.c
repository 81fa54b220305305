// What a kernel takes and gives back.
#include "run/run.h"

#include "base/checked.h"
#include "device/verify.h"
#include "engine/memory/access.h"
#include "lang/types/signature.h"

// ---- parameters

Str tensor_mapping_text(Arena *arena, const Tensor *tensor)
{
    StrBuf buf = {.arena = arena};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (tensor->dims[level])
            buf_format(&buf, "{}m![{}]", buf.len ? ", " : "",
                       expr_text(arena, tensor->dims[level]->expr));
    return buf_str(&buf);
}

// Adds what a parameter is; behind that its shape is filled in, then argument_show.
static Argument *arguments_add(Arena *arena, Arguments *arguments, const KernelParam *param,
                               bool is_input, bool is_output)
{
    Argument *argument = array_push(arena, arguments, Argument);
    *argument = (Argument){.param = *param, .is_input = is_input, .is_output = is_output};
    argument->shown = (ContraParam){.name = text_of(str_from(param->name)),
                                    .type = NO_TEXT,
                                    .mapping = NO_TEXT,
                                    .is_tensor = param->is_tensor,
                                    .is_input = is_input,
                                    .is_output = is_output};
    return argument;
}

static void argument_show(Arena *arena, Argument *argument, Str mapping)
{
    ContraParam *shown = &argument->shown;
    const ShapeAxes *axes = &argument->shape.axes[argument->shape.best];
    ContraTerm *terms = arena_new(arena, ContraTerm, (size_t)axes->count + 1);
    for (int64_t i = 0; i < axes->count; i++)
        terms[i] = (ContraTerm){text_of(axes->items[i].text), axes->items[i].size};
    shown->type = text_of(str_from(scalar_name(argument->param.shape.type)));
    shown->mapping = text_of(mapping);
    shown->axes = terms;
    shown->axis_count = axes->count;
}

static void add_argument(Contra *contra, Arguments *arguments, const KernelParam *param,
                         bool is_input, bool is_output)
{
    Arena *arena = &contra->arena;
    Argument *argument = arguments_add(arena, arguments, param, is_input, is_output);
    if (!param->is_tensor) {
        argument->shown.type = text_of(str_from(prims[param->prim].name));
        return;
    }
    argument->shape = shape_describe(arena, param->shape.dims);
    argument_show(arena, argument, tensor_mapping_text(arena, &param->shape));
}

static void add_written(const View *target, bool *written)
{
    if (target)
        written[tensor_root(target->tensor)->id] = true;
}

// A program text does not say which tensors are lent to be written: those that are, by id.
static const bool *find_written(Arena *arena, const Program *program)
{
    bool *written = arena_new(arena, bool, (size_t)program->tensors.count + 1);
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Op *op = program->ops.items[i];
        add_written(op->target, written);
        for (int64_t k = 0; op->pass && k < op->pass->stages.count; k++)
            add_written(op->pass->stages.items[k]->target, written);
    }
    return written;
}

static KernelParam param_of_tensor(Contra *contra, const Tensor *tensor)
{
    const char *name = tensor->name;
    if (!name)
        name = str_terminated(&contra->arena, str_format(&contra->arena, "t{}", (int)tensor->id));
    return (KernelParam){.name = name, .span = tensor->span, .is_tensor = true, .shape = *tensor};
}

static void arguments_of_program(Contra *contra, const Program *program, Arguments *arguments)
{
    const bool *written = find_written(&contra->arena, program);
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        if (tensor->origin != ORIGIN_PARAM)
            continue;
        KernelParam param = param_of_tensor(contra, tensor);
        param.is_mut = written[tensor->id];
        add_argument(contra, arguments, &param, true, param.is_mut);
    }
    arguments->result_start = arguments->count;
    for (int64_t i = 0; i < program->results.count; i++) {
        KernelParam param = param_of_tensor(contra, program->results.items[i]);
        Str name = program->results.count == 1 ? STR("result")
                                               : str_format(&contra->arena, "result.{}", (int)i);
        param.name = str_terminated(&contra->arena, name);
        add_argument(contra, arguments, &param, false, true);
        arguments->items[arguments->count - 1].given_back = program->results.items[i]->name;
    }
}

bool instance_is_missing(const Contra *contra, const Kernel *kernel)
{
    return kernel->decl && !kernel->generics && kernel_is_generic(contra->lang, kernel->decl);
}

static void instance_ask(Contra *contra, const Kernel *kernel)
{
    const Signature *signature = signature_of(contra->lang, kernel->decl);
    StrBuf names = {.arena = &contra->arena};
    for (int32_t i = 0; i < signature->generic_count; i++)
        buf_format(&names, "{}{}", i ? ", " : "", signature->generics[i]->name.text);
    Diag *diag =
        diag_add(&contra->diags, DIAG_KERNEL_CLOSED, kernel->decl->span,
                 "`{}` is generic, and which instance is meant was not said", kernel->name);
    diag_help(diag, "name it as a launch does, with values for its generics: `{}::<{}>`",
              kernel->name, buf_str(&names));
    diag_help_typed(diag,
                    "name it as a launch does, with values for its generics: --kernel '{}::<{}>'",
                    kernel->name, buf_str(&names));
}

static void report_closed(Contra *contra, const Kernel *kernel)
{
    if (instance_is_missing(contra, kernel))
        instance_ask(contra, kernel);
    else
        diag_add(&contra->diags, DIAG_KERNEL_CLOSED, kernel->decl->span,
                 "`{}` cannot be called from outside: it is a method, or takes or gives back "
                 "something else than tensors in HBM and numbers",
                 kernel->name);
}

bool kernel_read_arguments(Contra *contra, const Kernel *kernel, Arguments *arguments)
{
    *arguments = (Arguments){.kernel = kernel};
    if (kernel->object) {
        object_arguments(contra, kernel->object, arguments);
        return true;
    }
    if (kernel->program) {
        arguments_of_program(contra, kernel->program, arguments);
        return true;
    }
    KernelParams params = {0}, results = {0};
    int64_t errors = contra->diags.error_count;
    if (!kernel_params(contra->lang, contra->builder, kernel->decl, kernel->generics, &params,
                       &results)) {
        if (contra->diags.error_count == errors)
            report_closed(contra, kernel);
        return false;
    }
    for (int64_t i = 0; i < params.count; i++) {
        const KernelParam *param = &params.items[i];
        add_argument(contra, arguments, param, true, param->is_tensor && param->is_mut);
    }
    arguments->result_start = arguments->count;
    for (int64_t i = 0; i < results.count; i++)
        if (results.items[i].is_tensor)
            add_argument(contra, arguments, &results.items[i], false, true);
    return true;
}

// ---- of an object file: there no mapping is left, and records say which positions are data

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

static void add_object_argument(Contra *contra, const HwArgument *from, Arguments *arguments)
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
        add_object_argument(contra, &made->arguments.items[i], arguments);
    arguments->result_start = arguments->count;
    for (int64_t i = 0; i < made->results.count; i++)
        add_object_argument(contra, &made->results.items[i], arguments);
}

// Whether arguments have as many elements as they say: arrays are made for these.
static bool live_holds(Contra *contra, Str file, const HwArgument *arguments, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const HwArgument *argument = &arguments[i];
        int64_t live = shape_of_argument(&contra->arena, argument).live;
        if (live == argument->live)
            continue;
        request_report(contra, DIAG_OBJECT_MALFORMED,
                       "`{}` has no meaning: live of `{}` is {}, and its loops and runs give {}",
                       file, argument->name, argument->live, live);
        return false;
    }
    return true;
}

bool object_admit(Contra *contra, const ContraObject *object)
{
    Str name = object->name.len ? object->name : object->object.kernel;
    const HwObject *made = &object->object;
    return object_fits_machine(&contra->arena, name, made, &contra->machine, &contra->diags) &&
           object_verify(name, made, &contra->machine, &verify_limits, &contra->diags) &&
           live_holds(contra, name, made->arguments.items, made->arguments.count) &&
           live_holds(contra, name, made->results.items, made->results.count);
}

bool object_still_fits(const KernelRun *run)
{
    Contra *contra = run->contra;
    const ContraObject *object = run->arguments.kernel->object;
    return object_fits_machine(run->arena, run->arguments.kernel->name, &object->object,
                               &contra->machine, &contra->diags);
}

// ---- texts

Str argument_text(Arena *arena, const Argument *argument)
{
    Str shape = argument->param.is_tensor
                    ? str_format(arena, " of shape {}", shape_wanted(arena, &argument->shape))
                    : (Str){0};
    return str_format(arena, "`{}`: {}{}{}", argument->param.name, str_of(argument->shown.type),
                      shape, argument->is_output ? ", written by the kernel" : "");
}

void arguments_note(Contra *contra, Diag *diag, const Arguments *arguments, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        diag_note(diag, SPAN_NOWHERE, "{}", argument_text(&contra->arena, &arguments->items[i]));
}

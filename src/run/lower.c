// Programs become commands, with a record of where each of their tensors lies, and arguments with
// one of where their data is: from there on no mapping is needed.
#include "run/run.h"

#include "base/checked.h"
#include "device/verify.h"
#include "engine/lower/lower.h"
#include "engine/memory/access.h"
#include "engine/report.h"
#include "engine/stream/stream.h"

// ---- arguments

static int64_t level_size(const Tensor *tensor, Level level)
{
    return tensor->dims[level] ? tensor->dims[level]->mapping.size : 1;
}

// ---- shapes of arrays

static void add_form(Arena *arena, const Shape *shape, ShapeForm form, HwArgument *out)
{
    const ShapeAxes *axes = &shape->axes[form];
    HwArrayForm *made = array_push(arena, &out->forms, HwArrayForm);
    made->padded = form == FORM_PADDED;
    for (int64_t i = 0; i < axes->count; i++)
        *array_push(arena, &made->axes, HwArrayAxis) =
            (HwArrayAxis){axes->items[i].text, axes->items[i].size};
}

static void add_forms(Arena *arena, const Shape *shape, HwArgument *out)
{
    add_form(arena, shape, shape->best, out);
    for (ShapeForm form = 0; form < FORM_COUNT; form++) {
        bool known = false;
        for (ShapeForm before = 0; before < form; before++)
            known |= shape->possible[before] &&
                     shape_axes_equal(&shape->axes[before], &shape->axes[form]);
        if (form != shape->best && shape->possible[form] && !known)
            add_form(arena, shape, form, out);
    }
}

// ---- which positions are data

// The largest sum of what the digits contribute to an axis.
static int64_t reach_of(const Mapping *normal, const Atom *axis)
{
    int64_t reach = 0, step;
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        if (factor->is_padding || !atom_equal(factor->term.atom, axis))
            continue;
        if (!checked_mul(factor->resize - 1, factor->term.stride, &step) ||
            !checked_add(reach, step, &reach))
            return INT64_MAX;
    }
    return reach;
}

// The bound of an axis that its digits reach beyond; -1: none.
static int64_t bound_of(Arena *arena, const Mapping *normal, int64_t factor, const int64_t *bounds,
                        HwArgument *out)
{
    const Atom *axis = normal->factors[factor].term.atom;
    for (int64_t i = normal->count - 1; i > factor; i--) // seen before: outer factors come first
        if (!normal->factors[i].is_padding && atom_equal(normal->factors[i].term.atom, axis))
            return bounds[i];
    if (reach_of(normal, axis) < axis->size)
        return -1;
    *array_push(arena, &out->bounds, int64_t) = axis->size;
    return out->bounds.count - 1;
}

// Where every atom is an axis, the digits of the positions are the loops, and the sums of what they
// contribute to an axis are bounded by its size.
static void add_loops(Arena *arena, const Mapping *normal, HwArgument *out)
{
    size_t count = (size_t)normal->count + 1;
    int64_t *strides = arena_new(arena, int64_t, count), *bounds = arena_new(arena, int64_t, count);
    int64_t inside = 1;
    for (int64_t i = 0; i < normal->count; i++) { // innermost first
        const Factor *factor = &normal->factors[i];
        strides[i] = inside;
        inside = factor->is_padding ? factor->size : inside * factor->resize;
    }
    for (int64_t i = normal->count - 1; i >= 0; i--) {
        const Factor *factor = &normal->factors[i];
        if (factor->is_padding)
            continue;
        bounds[i] = bound_of(arena, normal, i, bounds, out);
        *array_push(arena, &out->loops, HwDataLoop) = (HwDataLoop){
            factor->resize, strides[i], bounds[i], bounds[i] < 0 ? 0 : factor->term.stride};
    }
}

// Composites that are cut across their padding, lists, skewed axes: position by position.
static void add_runs(Arena *arena, const Shape *shape, HwArgument *out)
{
    if (shape->live == shape->positions) {
        *array_push(arena, &out->runs, int64_t) = 0;
        *array_push(arena, &out->runs, int64_t) = shape->positions;
        return;
    }
    const uint8_t *mask = shape_mask(arena, shape);
    for (int64_t i = 0; i < shape->positions;) {
        int64_t start = i;
        while (i < shape->positions && mask[i] == mask[start])
            i++;
        if (!mask[start])
            continue;
        *array_push(arena, &out->runs, int64_t) = start;
        *array_push(arena, &out->runs, int64_t) = i - start;
    }
}

HwArgument tensor_place(Arena *arena, const Machine *machine, const Tensor *tensor)
{
    HwArgument out = {
        .tier = tensor->tier,
        .type = tensor->type,
        .is_placed = tensor->is_placed,
        .tensor = tensor->tier == TIER_HOST ? tensor->id : -1,
        .storage = tensor_root(tensor)->id,
        .element_bits = scalar_traits[tensor->type].packet_bits,
        .chips = level_size(tensor, LEVEL_CHIP),
        .clusters = level_size(tensor, LEVEL_CLUSTER),
        .slices = level_size(tensor, LEVEL_SLICE),
        .rows = level_size(tensor, LEVEL_ROW),
        .elements = level_size(tensor, LEVEL_ELEMENT),
    };
    int64_t end;
    if (!tensor_range(machine, tensor, &out.address, &end))
        out.address = -1;
    tensor_bytes(tensor, &out.bytes);
    if (tensor->tier == TIER_TRF) {
        HwTrfLayout *layout = arena_new(arena, HwTrfLayout, 1);
        *layout = trf_layout(machine, tensor);
        out.trf = layout;
    }
    return out;
}

void object_argument(Arena *arena, const Argument *argument, const Tensor *tensor,
                     const HwArgument *place, HwArgument *out)
{
    const Shape *shape = &argument->shape;
    Mapping normal = mapping_normalise(arena, &shape->mapping);
    *out = *place;
    out->name = str_from(argument->param.name);
    out->mapping = tensor_mapping_text(arena, tensor);
    out->is_input = argument->is_input;
    out->is_output = argument->is_output;
    out->live = shape->live;
    add_forms(arena, shape, out);
    if (shape_is_plain(&normal))
        add_loops(arena, &normal, out);
    else
        add_runs(arena, shape, out);
}

// ---- commands

static bool has_axis(const HwTensor *tensor, const char *name)
{
    for (int64_t i = 0; i < tensor->axes.count; i++)
        if (str_equal(tensor->axes.items[i].name, str_from(name)))
            return true;
    return false;
}

// The axes of all its dimensions.
static void add_axes(Arena *arena, const Tensor *tensor, HwTensor *out)
{
    AtomList axes = {0};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (tensor->dims[level])
            expr_axes(arena, tensor->dims[level]->expr, &axes);
    for (int64_t i = 0; i < axes.count; i++)
        if (!has_axis(out, axes.items[i]->name))
            *array_push(arena, &out->axes, HwAxis) =
                (HwAxis){str_from(axes.items[i]->name), axes.items[i]->size};
}

static void place_tensors(Arena *arena, const Program *program, const Lowered *lowered)
{
    for (int64_t i = 0; i < lowered->object.tensors.count; i++) {
        HwTensor *tensor = &lowered->object.tensors.items[i];
        const HwArgument *place = &lowered->places[tensor->number];
        const Tensor *from = program->tensors.items[tensor->number];
        tensor->mapping = tensor_mapping_text(arena, from);
        add_axes(arena, from, tensor);
        tensor->address = place->address;
        tensor->bytes = place->bytes;
        tensor->chips = place->chips;
        tensor->clusters = place->clusters;
        tensor->slices = place->slices;
    }
}

static bool lower_placed(const Lower *lower, Program *program, Contra *contra, Lowered *lowered)
{
    if (!lower_place(lower, program) || !lower_program(lower, &contra->sources, &lowered->object))
        return false;
    for (int64_t i = 0; i < program->tensors.count; i++) {
        const Tensor *tensor = program->tensors.items[i];
        lowered->places[tensor->id] = tensor_place(lower->arena, lower->machine, tensor);
    }
    place_tensors(lower->arena, program, lowered);
    return true;
}

static void add_argument(const KernelRun *run, int64_t index, const Tensor *tensor,
                         const Lowered *lowered, HwArgument *out)
{
    object_argument(&run->contra->arena, &run->arguments.items[index], tensor,
                    &lowered->places[tensor->id], out);
}

static void add_arguments(const KernelRun *run, const Program *program, Lowered *lowered)
{
    Arena *arena = &run->contra->arena;
    HwObject *object = &lowered->object;
    object->kernel = run->arguments.kernel->name;
    int64_t start = run->arguments.result_start, count = run->arguments.count - start;
    for (int64_t i = 0; i < start; i++) {
        if (run->tensors[i])
            add_argument(run, i, run->tensors[i], lowered,
                         array_push(arena, &object->arguments, HwArgument));
        else if (run->inputs[i])
            *array_push(arena, &object->constants, HwConstant) =
                (HwConstant){str_from(run->arguments.items[i].param.name),
                             str_copy(arena, str_of(run->inputs[i]->number))};
    }
    for (int64_t i = 0; i < count && i < program->results.count; i++)
        add_argument(run, start + i, program->results.items[i], lowered,
                     array_push(arena, &object->results, HwArgument));
}

// ---- whether the chips can execute them

static bool admit(const Contra *contra, const Program *program, Lowered *lowered)
{
    DiagList *why = &lowered->why, fields = {.arena = why->arena};
    int64_t number;
    if (object_verify_each(STR(""), &lowered->object, &contra->machine, &verify_any_work, &fields,
                           &number))
        return true;
    const Op *op = number < 0 ? NULL : program->ops.items[number];
    Str who = !op          ? str_format(why->arena, "a tensor of `{}`", program->name)
              : op->method ? str_format(why->arena, "`{}`", op->method)
                           : STR("a pass");
    Diag *diag =
        diag_add(why, DIAG_COMPILE_BEYOND, op ? op->span : program->span,
                 "{} goes beyond the memories of the chips, or beyond what they can do", who);
    if (op)
        report_calls(diag, op, "called from here");
    diag_help(diag, "keep to the rule that was relaxed: its warning says how");
    return false;
}

bool program_lower(Contra *contra, Program *program, const KernelRun *run, Arena *scratch,
                   Lowered *lowered)
{
    if (lowered->state != NOT_LOWERED)
        return true;
    Arena *arena = &contra->arena;
    *lowered = (Lowered){.object = {.kernel = str_from(program->name),
                                    .machine = str_from(contra->machine.name),
                                    .machine_hash = object_machine_hash(arena, &contra->machine),
                                    .version = str_from(contra_version()),
                                    .chips = program->chips.known ? program->chips.value : 1},
                         .places = arena_new(arena, HwArgument, (size_t)program->tensors.count + 1),
                         .why = {.arena = arena, .cancel = &contra->cancel}};
    Lower lower = {arena, scratch, &lowered->why, &contra->machine, program};
    bool ok = lower_placed(&lower, program, contra, lowered);
    arena_clear(scratch);
    if (ok && run)
        add_arguments(run, program, lowered);
    Lowering state = !ok                               ? NOT_LOWERABLE
                     : admit(contra, program, lowered) ? LOWERED
                                                       : LOWERED_BEYOND;
    if (diag_cancelled(&contra->diags))
        return false;
    lowered->state = state;
    return true;
}

// A kernel that is launched with many numbers is warned of once for the same place. `head`: how the
// warning begins, with the name of the kernel.
static bool is_warned(const DiagList *diags, Span span, Str head)
{
    for (int64_t i = 0; i < diags->count; i++) {
        const Diag *diag = diags->items[i];
        if (diag->code == DIAG_RUN_NOT_LOWERED && diag->span.source == span.source &&
            diag->span.start == span.start && str_starts_with(diag->message, head))
            return true;
    }
    return false;
}

// What was asked for, and cannot be had without the device.
static void note_unwatched(Diag *diag, const ContraRunOptions *options)
{
    if (options->sanitize)
        diag_note(diag, SPAN_NOWHERE,
                  "nothing that it reads or writes is sanitized: only the device is watched");
    if (!options->check_oracle)
        return;
    diag_note(diag, SPAN_NOWHERE, "nothing of it is compared: the oracle runs it alone");
    diag_note_typed(diag, "`--check-oracle` compares nothing of it: the oracle runs it alone");
}

bool lowered_admit(Contra *contra, const ContraRunOptions *options, const Program *program,
                   const Lowered *lowered)
{
    const DiagList *why = &lowered->why;
    if (lowered->state == LOWERED)
        return true;
    for (int64_t i = 0; i < why->count; i++) {
        const Diag *reason = why->items[i];
        if (reason->severity != SEVERITY_ERROR)
            continue;
        // what the oracle cannot do either, it says itself
        bool is_said =
            reason->code == DIAG_RUN_UNKNOWN_START || reason->code == DIAG_RUN_OPEN_STREAM;
        Str head = str_format(&contra->arena,
                              "`{}` runs by the oracle instead of on the device: ", program->name);
        if (is_said || is_warned(&contra->diags, reason->span, head))
            return false;
        Diag *diag = diag_add(&contra->diags, DIAG_RUN_NOT_LOWERED, reason->span, "{}{}", head,
                              reason->message);
        note_unwatched(diag, options);
        bool is_beyond = reason->code == DIAG_COMPILE_BEYOND;
        diag_note(diag, SPAN_NOWHERE, "{} refused with {}",
                  is_beyond ? "an object file of it is" : "to compile it is",
                  diag_infos[reason->code].code);
        diag_note_typed(diag, "`contra compile{}` refuses it with {}", is_beyond ? " -o" : "",
                        diag_infos[reason->code].code);
        diag_copy_notes(diag, reason);
        diag_copy_helps(diag, reason);
        return false;
    }
    return false;
}

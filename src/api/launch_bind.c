// Buffers of the caller: whether they fit, and whether the device can work on them.
#include "api/array.h"
#include "api/launch_again.h"
#include "api/sized.h"

#include "base/checked.h"

#include <inttypes.h>

// ---- whether it fits

static bool refuse(const ContraLaunch *launch, const Argument *argument, Str why)
{
    diag_add(&launch->run.contra->diags, DIAG_BUFFER_MEMORY, argument->param.span,
             "the buffer for `%s` %.*s", argument->param.name, STR_ARG(why));
    return false;
}

// Which of its two memories a parameter may have.
static bool check_roles(const ContraLaunch *launch, const Argument *argument,
                        const ContraBuffer *buffer)
{
    if (buffer->in && !argument->is_input)
        return refuse(launch, argument, STR("has an `in`, and the kernel gives it back"));
    if (buffer->out && !argument->is_output)
        return refuse(launch, argument, STR("has an `out`, and the kernel only reads it"));
    if (!buffer->in && !buffer->out)
        return refuse(launch, argument, STR("has no memory"));
    return true;
}

// What values are written as, and what has the same bits.
static bool is_written_as(ElementType type, Scalar scalar)
{
    return type == element_of_scalar(scalar, false) || type == element_of_scalar(scalar, true) ||
           (!scalar_is_integer(scalar) && element_take(type, scalar) == TAKE_BITS);
}

static bool check_type(const ContraLaunch *launch, const Argument *argument,
                       const ContraBuffer *buffer)
{
    ElementType type = (ElementType)buffer->type;
    Scalar scalar = argument->param.shape.type;
    const char *name = argument->param.name;
    if ((size_t)type >= ELEMENT_COUNT)
        return refuse(launch, argument, element_unfit(&launch->run.contra->arena, buffer->type));
    bool fits_in = !buffer->in || element_take(type, scalar) != TAKE_REFUSED;
    if (fits_in && (!buffer->out || is_written_as(type, scalar)))
        return true;
    Diag *diag = diag_add(&launch->run.contra->diags, DIAG_ARRAY_TYPE, argument->param.span,
                          "the buffer for `%s` is of %s, and `%s` is a tensor of %s", name,
                          element_infos[type].name, name, scalar_name(scalar));
    if (fits_in)
        diag_help(diag, "what is written is %s",
                  element_infos[element_of_scalar(scalar, false)].name);
    return false;
}

static bool check_memory(const ContraLaunch *launch, const Argument *argument,
                         const ContraBuffer *buffer, int64_t bytes)
{
    Arena *arena = &launch->run.contra->arena;
    uintptr_t each = (uintptr_t)element_infos[buffer->type].bytes;
    const char *name = element_infos[buffer->type].name;
    if (buffer->bytes && buffer->bytes < bytes)
        return refuse(launch, argument,
                      str_format(arena, "has %" PRId64 " bytes, and its elements are %" PRId64,
                                 buffer->bytes, bytes));
    if (((uintptr_t)buffer->in | (uintptr_t)buffer->out) % each)
        return refuse(launch, argument,
                      str_format(arena, "is not aligned for elements of %s", name));
    return true;
}

// *bytes: of its elements.
static bool check_buffer(const ContraLaunch *launch, int64_t index, const ContraBuffer *buffer,
                         bool *padded, int64_t *bytes)
{
    const Argument *argument = &launch->run.arguments.items.items[index];
    const ContraArray array = {buffer->type, buffer->rank, buffer->shape, NULL};
    if (!check_roles(launch, argument, buffer) || !check_type(launch, argument, buffer) ||
        !check_shape(launch->run.contra, argument, &array, launch->buffers[index].what, padded))
        return false;
    *bytes = contra_array_count(&array) * element_infos[buffer->type].bytes;
    return check_memory(launch, argument, buffer, *bytes);
}

// ---- binding

// Why the device cannot work on the memory itself; NULL: it can.
static const char *why_copied(const ContraLaunch *launch, int64_t index, const ContraBuffer *buffer)
{
    const Argument *argument = &launch->run.arguments.items.items[index];
    ElementType type = (ElementType)buffer->type;
    Scalar scalar = argument->param.shape.type;
    if (!launch_has_device(launch))
        return "the oracle executes the kernel";
    if (type != element_of_scalar(scalar, false) && element_take(type, scalar) != TAKE_BITS)
        return "its elements have another type than the tensor";
    if (!output_is_raw(argument, buffer->type))
        return "there is padding among its elements in HBM";
    if (!launch->sim.bindings[index].is_apart)
        return "it is not in HBM, or not alone in its bytes, or the kernel goes beyond them";
    if (!buffer->out && launch->sim.bindings[index].is_written)
        return "the kernel writes it, and there is no `out`";
    return NULL;
}

// Nothing that was there before, given or bound, is any more.
static void leave(ContraLaunch *launch, int64_t index)
{
    LaunchBuffer *buffer = &launch->buffers[index];
    const HwArgument *place = launch_has_device(launch) ? launch->sim.places[index] : NULL;
    if (buffer->is_direct)
        device_unbind(launch->sim.device, place);
    else if (place)
        device_forget_argument(launch->sim.device, place);
    else
        launch_forget_array(launch, index);
    launch->is_given[index] = buffer->is_bound = buffer->is_direct = buffer->is_given = false;
    buffer->out = NULL;
}

static const int64_t *keep_shape(ContraLaunch *launch, LaunchBuffer *into,
                                 const ContraBuffer *buffer)
{
    if (buffer->rank > into->most) {
        into->sizes = arena_new(&launch->own, int64_t, (size_t)buffer->rank);
        into->most = buffer->rank;
    }
    for (int64_t i = 0; i < buffer->rank; i++)
        into->sizes[i] = buffer->shape[i];
    return into->sizes;
}

static void bind_memory(ContraLaunch *launch, int64_t index, const ContraBuffer *buffer,
                        bool padded, int64_t bytes)
{
    LaunchBuffer *into = &launch->buffers[index];
    const char *why = why_copied(launch, index, buffer);
    bool is_direct = !why;
    if (!into->is_bound || into->is_direct != is_direct)
        leave(launch, index);
    if (is_direct && !device_bind(launch->sim.device, launch->sim.places[index],
                                  buffer->out ? buffer->out : buffer->in))
        arena_exhausted(&launch->run.contra->arena);
    into->is_bound = true;
    into->is_direct = is_direct;
    into->is_given &= buffer->in != NULL;
    into->padded = padded;
    into->input.name = launch->run.arguments.items.items[index].shown.name;
    into->input.array =
        (ContraArray){buffer->type, buffer->rank, keep_shape(launch, into, buffer), buffer->in};
    into->out = buffer->out;
    into->bytes = bytes;
    into->output = (ContraOutput){.param = launch->run.arguments.items.items[index].shown,
                                  .array = {buffer->type, buffer->rank, into->sizes, buffer->out}};
    log_say(launch->run.contra, CONTRA_LOG_DETAIL, "%s %.*s%s%s",
            is_direct ? "the device works on the memory of" : "copies",
            STR_ARG(str_of(into->input.name)), is_direct ? "" : ": ", is_direct ? "" : why);
}

static bool is_tensor(const ContraLaunch *launch, int64_t param)
{
    const Arguments *arguments = &launch->run.arguments;
    DiagList *diags = &launch->run.contra->diags;
    int64_t count = arguments->items.count;
    bool exists = param >= 0 && param < count;
    if (exists && arguments->items.items[param].param.is_tensor)
        return true;
    Diag *diag =
        exists
            ? diag_add(diags, DIAG_INPUT_UNKNOWN, SPAN_NOWHERE,
                       "parameter %" PRId64 " of `%.*s`, `%s`, is a number, and no memory can "
                       "be bound to it",
                       param, STR_ARG(arguments->kernel->name),
                       arguments->items.items[param].param.name)
            : diag_add(diags, DIAG_INPUT_UNKNOWN, SPAN_NOWHERE,
                       "`%.*s` has no parameter %" PRId64 ": it has %" PRId64 ", counted from 0 on",
                       STR_ARG(arguments->kernel->name), param, count);
    if (exists)
        diag_help(diag, "numbers are inputs of contra_launch_open");
    arguments_note(launch->run.contra, diag, arguments, count);
    return false;
}

ContraStatus contra_launch_bind(ContraLaunch *launch, int64_t param, const ContraBuffer *buffer)
{
    bool padded;
    int64_t bytes;
    ContraBuffer whole;
    if (!launch)
        return CONTRA_INVALID;
    CONTRA_ENTER(launch->run.contra);
    if (!is_tensor(launch, param))
        return CONTRA_INVALID;
    if (!buffer) {
        leave(launch, param);
        return CONTRA_OK;
    }
    if (!sized_take(launch->run.contra, SIZED_ContraBuffer, buffer, &whole) ||
        !check_buffer(launch, param, &whole, &padded, &bytes))
        return CONTRA_INVALID;
    bind_memory(launch, param, &whole, padded, bytes);
    return CONTRA_OK;
}

bool contra_launch_is_direct(const ContraLaunch *launch, int64_t param)
{
    return launch && param >= 0 && param < launch->run.arguments.items.count &&
           launch->buffers[param].is_direct;
}

// ---- a run

static bool overlap(const void *a, int64_t a_bytes, const void *b, int64_t b_bytes)
{
    uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return a && b && first < second + (uintptr_t)b_bytes && second < first + (uintptr_t)a_bytes;
}

static void report_overlap(const ContraLaunch *launch, int64_t written, int64_t other)
{
    const Arguments *arguments = &launch->run.arguments;
    Diag *diag = diag_add(&launch->run.contra->diags, DIAG_BUFFER_OVERLAP, SPAN_NOWHERE,
                          "the memory that `%s` is written to overlaps that of `%s`",
                          arguments->items.items[written].param.name,
                          arguments->items.items[other].param.name);
    diag_help(diag, "give what is written memory of its own, or read and write it in place");
}

bool buffers_are_apart(ContraLaunch *launch)
{
    for (int64_t i = 0; i < launch->run.arguments.items.count; i++) {
        const LaunchBuffer *one = &launch->buffers[i];
        for (int64_t k = 0; one->out && k < launch->run.arguments.items.count; k++) {
            const LaunchBuffer *other = &launch->buffers[k];
            const void *in = other->is_bound ? other->input.array.data : NULL;
            if ((k != i && overlap(one->out, one->bytes, other->out, other->bytes)) ||
                ((k != i || in != one->out) && overlap(one->out, one->bytes, in, other->bytes))) {
                report_overlap(launch, i, k);
                return false;
            }
        }
    }
    return true;
}

OutputWriter buffer_open_output(ContraLaunch *launch, int64_t index)
{
    LaunchBuffer *buffer = &launch->buffers[index];
    return output_into(&launch->run, index, &buffer->output, buffer->out, buffer->padded);
}

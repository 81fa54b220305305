// The arguments of a compiled kernel: where they lie, and how an array fills them, without any
// mapping.
#include "api/object.h"

#include "base/checked.h"
#include "engine/memory/access.h"
#include "engine/stream/trf.h"

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

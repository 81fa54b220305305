// Arrays as they are, axis by axis: RawTensor, and the elements of a Tensor lent to the program.
#include "lang/host/run_internal.h"

#include "base/checked.h"

#include <string.h>

Mapping host_raw_mapping(Arena *arena, const Array *array)
{
    MappingBuilder axes = mapping_build(arena);
    for (int64_t i = array->axes.count - 1; i >= 0; i--) {
        Mapping term = mapping_of_term(arena, array->axes.items[i], array->extents[i]);
        mapping_build_add(&axes, &term);
    }
    return mapping_build_done(&axes);
}

// ---- RawTensor

static Value raw_value(const Call *call, const HostArray *host)
{
    return host_array_value(call->trace, host->array, &host->mapping);
}

static Value from_elem(const Call *call)
{
    HostArray made;
    const Dim *dim;
    uint32_t bits;
    uint8_t live;
    if (!host_result_array(call, &made, &dim) ||
        !opt_bits(call_arg(call, "value"), made.array->type, &bits, &live))
        return poison_value();
    for (int64_t i = 0; i < made.array->count; i++)
        made.array->bits[i] = bits;
    memset(made.array->live, live, (size_t)made.array->count);
    return raw_value(call, &made);
}

static Value from_vec(const Call *call)
{
    HostArray made;
    const Dim *dim;
    Value data = call_arg(call, "data");
    if (data.kind != VALUE_LIST || !host_result_array(call, &made, &dim))
        return poison_value();
    if (data.list->count != made.array->count)
        return trace_panic_words(call->trace, call_span(call),
                                 "from_vec got {} values for {} elements", data.list->count,
                                 made.array->count);
    for (int64_t i = 0; i < made.array->count; i++)
        if (!opt_bits(data.list->items[i], made.array->type, &made.array->bits[i],
                      &made.array->live[i]))
            return poison_value();
    return raw_value(call, &made);
}

// An array over the axes that stay.
static bool retained(const Call *call, const HostArray *self, Array **target)
{
    Arena *arena = call->trace->lang->arena;
    Value axes = call_arg(call, "retain_axes");
    MappingBuilder kept = mapping_build(arena);
    for (int64_t i = 0; axes.kind == VALUE_LIST && i < axes.list->count; i++) {
        Term term;
        if (!host_term_of(call->trace, axes.list->items[i], &term))
            return false;
        Mapping mapping = mapping_of_term(arena, term, term.modulo);
        mapping_build_add(&kept, &mapping);
    }
    Mapping mapping = mapping_build_done(&kept);
    *target = run_array(call->trace, self->array->type, &mapping, call_span(call));
    return *target && axes.kind == VALUE_LIST;
}

static Value raw_fold(const Call *call, HostFold *fold)
{
    HostArray self, rest;
    Array *target;
    if (!host_array_of(call->trace, call->args[0], &self) || !retained(call, &self, &target))
        return poison_value();
    if (fold->function.kind != VALUE_UNKNOWN &&
        !opt_bits(call_arg(call, "identity"), self.array->type, &fold->identity,
                  &fold->identity_live))
        return poison_value();
    return host_fold(fold, &self, target, &rest) ? raw_value(call, &rest) : poison_value();
}

static Value raw_reduce(const Call *call)
{
    return raw_fold(call, &(HostFold){.call = call, .function = call_arg(call, "f")});
}

static Value raw_reduce_add(const Call *call)
{
    return raw_fold(call, &(HostFold){.call = call, .identity_live = 1});
}

bool host_arrays_equal(const HostArray *a, const HostArray *b)
{
    const Array *x = a->array, *y = b->array;
    bool known = true;
    if (x->type != y->type || !array_same_shape(x, y))
        return false;
    for (int64_t i = 0; i < x->count; i++) {
        Value left = host_element(x->type, x->bits[i]), right = host_element(y->type, y->bits[i]);
        if (x->live[i] != y->live[i] || (x->live[i] && !value_equal(&left, &right, &known)))
            return false;
    }
    return true;
}

// ---- elements lent to the program

// Borrowing rules see to it that nobody looks at the tensor while its elements are lent: they are
// written back when it is next looked at.
void host_take_back(HostArray *host)
{
    Array *array = host->array;
    for (int64_t i = 0; host->lent && i < array->count; i++)
        opt_bits(host->lent->items[i], array->type, &array->bits[i], &array->live[i]);
    host->lent = NULL;
}

static Value data_mut(const Call *call)
{
    Trace *trace = call->trace;
    HostArray host;
    Value self = value_strip(call->args[0]);
    if (self.kind != VALUE_ARRAY || !host_array_of(trace, self, &host))
        return VALUE_NOTHING;
    Array *array = host.array;
    Value *list = arena_new(trace->lang->arena, Value, 1);
    *list = new_list(trace, array->count);
    for (int64_t i = 0; i < array->count; i++)
        list_push(trace, list->list, opt_value(trace, array->type, array->bits[i], array->live[i]));
    self.array->lent = list->list;
    map_put(&trace->run->state->lent, list->list, array);
    return (Value){.kind = VALUE_REF, .place = list};
}

Value *host_lent_place(Trace *trace, const ValueList *items, const ValueList *at, Span span)
{
    const Array *array = trace->run ? map_get(&trace->run->state->lent, items) : NULL;
    int64_t index = 0;
    bool inside = array && at->count == array->axes.count;
    for (int64_t i = 0; inside && i < at->count; i++) {
        MaybeInt digit = maybe_int(at->items[i]);
        inside = digit.known && digit.value >= 0 && digit.value < array->extents[i];
        index += inside ? digit.value * array->strides[i] : 0;
    }
    if (!inside && array)
        trace_panic(trace, span, STR("index out of bounds"));
    return inside ? &items->items[index] : NULL;
}

static Value shape(const Call *call)
{
    Value self = value_strip(call->args[0]);
    const Array *array =
        self.kind == VALUE_LIST ? map_get(&call->trace->run->state->lent, self.list) : NULL;
    if (!array)
        return VALUE_NOTHING;
    Value *list = arena_new(call->trace->lang->arena, Value, 1);
    *list = new_list(call->trace, array->axes.count);
    for (int64_t i = 0; i < array->axes.count; i++)
        list_push(call->trace, list->list, value_int(array->extents[i]));
    return (Value){.kind = VALUE_REF, .place = list};
}

static const BuiltinRow rows[] = {
    {"RawTensor", "from_elem", from_elem}, {"RawTensor", "from_vec", from_vec},
    {"RawTensor", "reduce", raw_reduce},   {"RawTensor", "reduce_add", raw_reduce_add},
    {"Tensor", "data_mut", data_mut},      {"ArrayD", "shape", shape},
};

const BuiltinRows host_raw_rows = {rows, COUNT_OF(rows)};

// The algebra of Tensor, with which host programs compute what they expect: element by element in
// the order of the axes, sums in ascending order of the index, in the type of the elements.
#include "lang/host/run_internal.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

static Value result_of(const Call *call, const HostArray *host)
{
    return host_array_value(call->trace, host->array, &host->mapping);
}

static Value refuse_move(const Call *call, const Mapping *from, const Mapping *to)
{
    Arena *arena = call->trace->lang->arena;
    Str source = mapping_text(arena, from), target = mapping_text(arena, to);
    return trace_panic_words(call->trace, call_span(call),
                             "a tensor `m![{}]` cannot be laid out as `m![{}]`", source, target);
}

static ArrayView view_of(const HostArray *host)
{
    return (ArrayView){host->array, host->mapping, host->offsets, host->offset_count,
                       host->offset_count ? &host->whole : NULL};
}

static Value move_array(const Call *call, const HostArray *from, const HostArray *to,
                        bool broadcast)
{
    ArrayView source = view_of(from), target = view_of(to);
    return array_move(&source, &target, broadcast)
               ? result_of(call, to)
               : refuse_move(call, &from->mapping, &to->mapping);
}

// ---- element by element

// What a closure gave for one element. False: it panicked.
static bool keep_element(const Call *call, Value value, const HostArray *host, int64_t index)
{
    return call->trace->flow == FLOW_ON &&
           opt_bits(value, host->array->type, &host->array->bits[index], &host->array->live[index]);
}

static Value element_at(const Call *call, const Array *array, int64_t index)
{
    return opt_value(call->trace, array->type, array->bits[index], array->live[index]);
}

static Value map_elements(const Call *call)
{
    HostArray self, made;
    const Dim *dim;
    Value f = call_arg(call, "f");
    if (!host_array_of(call->trace, call->args[0], &self) || !host_result_array(call, &made, &dim))
        return poison_value();
    for (int64_t i = 0; i < made.array->count; i++) {
        Value element = element_at(call, self.array, i);
        Value reference = {.kind = VALUE_REF, .place = &element};
        Value value = call_value(call->trace, f, &reference, 1, call_span(call));
        if (!keep_element(call, value, &made, i))
            return poison_value();
    }
    return result_of(call, &made);
}

static Value zip_with(const Call *call)
{
    HostArray self, other, made;
    const Dim *dim;
    Value f = call_arg(call, "f");
    if (!host_array_of(call->trace, call->args[0], &self) ||
        !host_array_of(call->trace, call->args[1], &other) || !host_result_array(call, &made, &dim))
        return poison_value();
    if (!array_same_shape(self.array, other.array))
        return trace_panic(call->trace, call_span(call),
                           STR("zip_with needs two tensors with the same axes"));
    for (int64_t i = 0; i < made.array->count; i++) {
        Value args[] = {element_at(call, self.array, i), element_at(call, other.array, i)};
        Value value = call_value(call->trace, f, args, 2, call_span(call));
        if (!keep_element(call, value, &made, i))
            return poison_value();
    }
    return result_of(call, &made);
}

// The index of an element, one number an axis.
static Value index_list(Trace *trace, const Array *array, int64_t index)
{
    Value list = new_list(trace, array->axes.count);
    for (int64_t i = 0; i < array->axes.count; i++)
        list_push(trace, list.list, value_int(index / array->strides[i] % array->extents[i]));
    return list;
}

static Value from_fn(const Call *call)
{
    HostArray made;
    const Dim *dim;
    Value f = call_arg(call, "f"), terms = new_list(call->trace, 0);
    if (!host_result_array(call, &made, &dim))
        return poison_value();
    for (int64_t i = 0; i < made.array->axes.count; i++)
        list_push(call->trace, terms.list, host_term_value(call->trace, made.array->axes.items[i]));
    for (int64_t i = 0; i < made.array->count; i++) {
        Value index = index_list(call->trace, made.array, i);
        Value args[] = {{.kind = VALUE_REF, .place = &terms}, {.kind = VALUE_REF, .place = &index}};
        Value value = call_value(call->trace, f, args, 2, call_span(call));
        if (!keep_element(call, value, &made, i))
            return poison_value();
    }
    return result_of(call, &made);
}

// ---- reductions

static bool fold_two(const HostFold *fold, Scalar type, uint32_t *bits, uint8_t *live,
                     uint32_t next, uint8_t next_live)
{
    Trace *trace = fold->call->trace;
    if (fold->function.kind == VALUE_UNKNOWN) {
        *live &= next_live;
        return scalar_arith(SCALAR_OP_ADD, type, *bits, next, bits);
    }
    Value args[] = {opt_value(trace, type, *bits, *live), opt_value(trace, type, next, next_live)};
    Value value = call_value(trace, fold->function, args, 2, call_span(fold->call));
    return trace->flow == FLOW_ON && opt_bits(value, type, bits, live);
}

// Folds one axis of an array away: `outer` times `extent` times `inner` elements.
static bool fold_axis(const HostFold *fold, Array *array, int64_t outer, int64_t extent,
                      int64_t inner)
{
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) {
            uint32_t bits = fold->identity;
            uint8_t live = fold->identity_live;
            for (int64_t e = 0; e < extent; e++) {
                int64_t at = (o * extent + e) * inner + i;
                if (!fold_two(fold, array->type, &bits, &live, array->bits[at], array->live[at]))
                    return false;
            }
            array->bits[o * inner + i] = bits; // what stood there was folded before
            array->live[o * inner + i] = live;
        }
    return true;
}

static bool same_term(const Term *a, const Term *b)
{
    return atom_equal(a->atom, b->atom) && a->stride == b->stride && a->modulo == b->modulo;
}

static bool has_axis(const Array *array, const Term *term)
{
    for (int64_t i = 0; i < array->axes.count; i++)
        if (same_term(&array->axes.items[i], term))
            return true;
    return false;
}

// The first place above `from` where `target` cuts an axis, in digits of it; 0: nowhere. A cut that
// leaves no whole digits above is none.
static int64_t next_cut(const Array *target, const Term *axis, int64_t extent, int64_t from)
{
    int64_t best = 0;
    for (int64_t i = 0; i < target->axes.count; i++) {
        const Term *term = &target->axes.items[i];
        int64_t ends[] = {term->stride, term->stride * term->modulo};
        for (size_t k = 0; k < COUNT_OF(ends) && atom_equal(term->atom, axis->atom); k++) {
            int64_t at = ends[k] / axis->stride;
            bool whole = ends[k] % axis->stride == 0 && at > from && at < extent &&
                         at % from == 0 && extent % at == 0;
            if (whole && (!best || at < best))
                best = at;
        }
    }
    return best;
}

// The state of a fold over all axes, the last one first.
typedef struct {
    const HostFold *fold;
    Array *array;
    const Array *target;
    MappingBuilder rest; // what stays
    int64_t count, inner;
} Folding;

// One axis, or a part of one that `target` has or lacks as a whole.
static bool fold_piece(Folding *folding, Term piece, int64_t extent)
{
    if (has_axis(folding->target, &piece)) {
        Mapping term = mapping_of_term(folding->rest.arena, piece, extent);
        mapping_build_add(&folding->rest, &term);
        folding->inner *= extent;
        return true;
    }
    int64_t outer = folding->count / (extent * folding->inner);
    folding->count /= extent;
    return fold_axis(folding->fold, folding->array, outer, extent, folding->inner);
}

// Folds every axis, and every part of an axis, that `target` lacks. What stays keeps its order, so
// the front of the array then holds the positions of *left.
static bool fold_axes(const HostFold *fold, Array *array, const Array *target, Mapping *left)
{
    Folding folding = {fold,         array, target, mapping_build(fold->call->trace->lang->arena),
                       array->count, 1};
    for (int64_t i = array->axes.count - 1; i >= 0; i--) {
        Term axis = array->axes.items[i];
        int64_t extent = array->extents[i], from = 1, cut;
        bool whole = has_axis(target, &axis);
        while (!whole && (cut = next_cut(target, &axis, extent, from))) {
            Term piece = {axis.atom, axis.stride * from, cut / from};
            if (!fold_piece(&folding, piece, cut / from))
                return false;
            from = cut;
        }
        Term last = {axis.atom, axis.stride * from, ceil_div(axis.modulo, from)};
        if (!fold_piece(&folding, last, extent / from))
            return false;
    }
    *left = mapping_build_done(&folding.rest);
    return true;
}

bool host_fold(const HostFold *fold, const HostArray *self, const Array *target, HostArray *rest)
{
    Trace *trace = fold->call->trace;
    Array *work = run_keep(trace, array_clone(self->array));
    if (!work) {
        trace_panic(trace, call_span(fold->call), STR("there is no memory to reduce in"));
        return false;
    }
    *rest = (HostArray){0};
    if (!fold_axes(fold, work, target, &rest->mapping))
        return false;
    rest->array = run_array(trace, work->type, &rest->mapping, call_span(fold->call));
    if (!rest->array)
        return false;
    return array_write(rest->array, &rest->mapping, work->bits, work->live, NULL);
}

static Value reduce_to(const Call *call, const HostFold *fold, bool broadcast)
{
    HostArray self, made, rest;
    const Dim *dim;
    if (!host_array_of(call->trace, call->args[0], &self) ||
        !host_result_array(call, &made, &dim) || !host_fold(fold, &self, made.array, &rest))
        return poison_value();
    return move_array(call, &rest, &made, broadcast);
}

static Value reduce_add(const Call *call)
{
    HostFold fold = {.call = call, .identity_live = 1};
    return reduce_to(call, &fold, false);
}

static Value reduce_then_broadcast(const Call *call)
{
    HostFold fold = {.call = call, .identity_live = 1};
    return reduce_to(call, &fold, true);
}

static Value reduce_by(const Call *call, bool broadcast)
{
    HostArray self;
    HostFold fold = {.call = call, .function = call_arg(call, "f")};
    if (!host_array_of(call->trace, call->args[0], &self) ||
        !opt_bits(call_arg(call, "identity"), self.array->type, &fold.identity,
                  &fold.identity_live))
        return poison_value();
    return reduce_to(call, &fold, broadcast);
}

static Value reduce(const Call *call)
{
    return reduce_by(call, false);
}

static Value reduce_then_broadcast_with(const Call *call)
{
    return reduce_by(call, true);
}

// ---- moves

static Value transpose(const Call *call)
{
    HostArray self, made;
    const Dim *dim;
    Value broadcast = call_arg(call, "allow_broadcast");
    if (!host_array_of(call->trace, call->args[0], &self) || !host_result_array(call, &made, &dim))
        return poison_value();
    return move_array(call, &self, &made, broadcast.kind == VALUE_BOOL && broadcast.boolean);
}

static Value transmute(const Call *call)
{
    HostArray self;
    Scalar scalar;
    const Dim *dim;
    if (!host_array_of(call->trace, call->args[0], &self) ||
        !host_shape(call->trace, call_type(call), &scalar, &dim))
        return poison_value();
    return host_array_value(call->trace, self.array, &dim->mapping);
}

static Value whole_view(const Call *call)
{
    HostArray self;
    return host_array_of(call->trace, call->args[0], &self) ? result_of(call, &self)
                                                            : VALUE_NOTHING;
}

// What a register file holds, as the host sees it.
static Value register_view(const Call *call)
{
    Scalar scalar;
    const Dim *dim;
    Value self = value_strip(call->args[0]);
    if (self.kind != VALUE_TENSOR || !host_shape(call->trace, call_type(call), &scalar, &dim))
        return VALUE_NOTHING;
    Array *array = run_tensor_array(call->trace, self.tensor);
    run_keep_tensor(call->trace, self.tensor);
    return array ? host_array_value(call->trace, array, &dim->mapping) : VALUE_NOTHING;
}

static Value tile(const Call *call)
{
    HostArray self;
    Arena *arena = call->trace->lang->arena;
    const Dim *index = call_dim(call, "I"), *part = call_dim(call, "E2");
    MaybeInt start = maybe_int(call_arg(call, "start")), length = call_number(call, "LEN");
    Mapping expected;
    if (!host_array_of(call->trace, call->args[0], &self) || !index || !part || !start.known)
        return poison_value();
    if (!mapping_tile(arena, &self.mapping, &index->mapping, length.value, &expected) ||
        mapping_equal(arena, &expected, &part->mapping) != MAPPINGS_EQUAL)
        return refuse_move(call, &self.mapping, &part->mapping);
    ArrayOffset *offsets = arena_new(arena, ArrayOffset, (size_t)self.offset_count + 1);
    if (self.offset_count)
        memcpy(offsets, self.offsets, sizeof *offsets * (size_t)self.offset_count);
    offsets[self.offset_count] = (ArrayOffset){index->mapping, start.value};
    HostArray *view = arena_new(arena, HostArray, 1);
    *view = (HostArray){.array = self.array,
                        .mapping = part->mapping,
                        .offsets = offsets,
                        .offset_count = self.offset_count + 1,
                        .whole = self.offset_count ? self.whole : self.mapping};
    return (Value){.kind = VALUE_ARRAY, .array = view};
}

static Value read_view(const Call *call)
{
    HostArray self, made;
    const Dim *dim;
    if (!host_array_of(call->trace, call->args[0], &self) || !host_result_array(call, &made, &dim))
        return poison_value();
    return move_array(call, &self, &made, false);
}

static Value write_transpose(const Call *call)
{
    HostArray target, source;
    Value broadcast = call_arg(call, "allow_broadcast");
    if (!host_array_of(call->trace, call->args[0], &target) ||
        !host_array_of(call->trace, call_arg(call, "src"), &source))
        return poison_value();
    move_array(call, &source, &target, broadcast.kind == VALUE_BOOL && broadcast.boolean);
    return unit_value();
}

// ---- contraction

static bool multiply(const Array *left, const Array *right, Array *product)
{
    for (int64_t i = 0; i < product->count; i++) {
        product->live[i] = left->live[i] & right->live[i];
        if (!scalar_arith(SCALAR_OP_MUL, product->type, left->bits[i], right->bits[i],
                          &product->bits[i]))
            return false;
    }
    return true;
}

static Value contraction(const Call *call)
{
    HostArray sides[2], made;
    const Dim *dim, *all = call_dim(call, "Union");
    if (!all || !host_array_of(call->trace, call_arg(call, "lhs"), &sides[0]) ||
        !host_array_of(call->trace, call_arg(call, "rhs"), &sides[1]) ||
        !host_result_array(call, &made, &dim))
        return poison_value();
    Array *wide[2] = {0};
    for (int i = 0; i < 2 && call->trace->flow == FLOW_ON; i++) {
        wide[i] = run_array(call->trace, made.array->type, &all->mapping, call_span(call));
        if (wide[i])
            move_array(call, &sides[i], &(HostArray){.array = wide[i], .mapping = all->mapping},
                       true);
    }
    HostArray rest;
    HostFold fold = {.call = call, .identity_live = 1};
    if (call->trace->flow != FLOW_ON || !wide[0] || !wide[1] ||
        !multiply(wide[0], wide[1], wide[0]) ||
        !host_fold(&fold, &(HostArray){.array = wide[0]}, made.array, &rest))
        return poison_value();
    return move_array(call, &rest, &made, false);
}

static const BuiltinRow rows[] = {
    {"Tensor", "map", map_elements},
    {"RawTensor", "map", map_elements},
    {"Tensor", "zip_with", zip_with},
    {"RawTensor", "zip_with", zip_with},
    {"Tensor", "from_fn", from_fn},
    {"RawTensor", "from_fn", from_fn},
    {"Tensor", "reduce_add", reduce_add},
    {"Tensor", "reduce", reduce},
    {"Tensor", "reduce_then_broadcast", reduce_then_broadcast},
    {"Tensor", "reduce_then_broadcast_with", reduce_then_broadcast_with},
    {"Tensor", "transpose", transpose},
    {"Tensor", "transmute", transmute},
    {"Tensor", "contraction", contraction},
    {"Tensor", "view", whole_view},
    {"TrfTensor", "view", register_view},
    {"VrfTensor", "view", register_view},
    {"Tensor", "view_mut", whole_view},
    {"TensorView", "tile", tile},
    {"TensorViewMut", "tile", tile},
    {"TensorView", "read", read_view},
    {"TensorViewMut", "write_transpose", write_transpose},
};

const BuiltinRows host_math_rows = {rows, COUNT_OF(rows)};

// ---- arrays as they are, axis by axis: RawTensor, and the elements of a Tensor lent to the
// program

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

static const BuiltinRow raw_rows[] = {
    {"RawTensor", "from_elem", from_elem}, {"RawTensor", "from_vec", from_vec},
    {"RawTensor", "reduce", raw_reduce},   {"RawTensor", "reduce_add", raw_reduce_add},
    {"Tensor", "data_mut", data_mut},      {"ArrayD", "shape", shape},
};

const BuiltinRows host_raw_rows = {raw_rows, COUNT_OF(raw_rows)};

// Tensors of the host whose elements change their places: reshape and scatter.
#include "lang/host/run_internal.h"

#include "base/checked.h"

// ---- reshape

// The terms of a mapping without its padding.
static Mapping terms_of(Arena *arena, const Mapping *mapping)
{
    MappingBuilder terms = mapping_build(arena);
    for (int64_t i = 0; i < mapping->count; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding)
            continue;
        Mapping term = mapping_of_term(arena, factor->term, factor->resize);
        mapping_build_add(&terms, &term);
    }
    return mapping_build_done(&terms);
}

// A part of the tensor and what becomes of it, with the whole before and after.
typedef struct {
    const Mapping *part, *part_after, *whole, *whole_after;
} Reshape;

// Why it cannot be; NULL: it can. *rest: what is beside the part, the same before and after.
static const char *reshape_fault(Arena *arena, const Reshape *reshape, Mapping *rest)
{
    Mapping before = mapping_normalise(arena, reshape->part);
    Mapping after = mapping_normalise(arena, reshape->part_after);
    Division went = mapping_divide(arena, reshape->whole, reshape->part, DIVIDE_RELAXED, 1);
    Division came =
        mapping_divide(arena, reshape->whole_after, reshape->part_after, DIVIDE_RELAXED, 1);
    if (before.size != after.size)
        return "the parts differ in size";
    if (before.count != after.count)
        return "the parts differ in their number of factors";
    if (!went.exact || !came.exact)
        return "a mapping does not hold its part";
    if (mapping_equal(arena, &went.dividend_residue, &came.dividend_residue) != MAPPINGS_EQUAL)
        return "what is beside the part would change, too";
    *rest = terms_of(arena, &went.dividend_residue);
    return NULL;
}

static Value refuse_reshape(const Call *call, const Reshape *reshape, const char *why)
{
    Arena *arena = call->trace->lang->arena;
    return trace_panic_words(
        call->trace, call_span(call), "`m![{}]` cannot be reshaped to `m![{}]`: {}",
        mapping_text(arena, reshape->part), mapping_text(arena, reshape->part_after), why);
}

static Value reshape(const Call *call)
{
    Arena *arena = call->trace->lang->arena;
    HostArray self, made;
    const Dim *dim, *source = call_dim(call, "Src"), *target = call_dim(call, "Dst");
    if (!source || !target || !host_array_of(call->trace, call->args[0], &self) ||
        !host_result_array(call, &made, &dim))
        return poison_value();
    Reshape change = {&source->mapping, &target->mapping, &self.mapping, &made.mapping};
    if (mapping_same(change.part, change.part_after))
        return mapping_equal(arena, change.whole, change.whole_after) == MAPPINGS_EQUAL
                   ? host_array_value(call->trace, self.array, &made.mapping)
                   : refuse_reshape(call, &change, "the rest changes");
    Mapping rest;
    const char *fault = reshape_fault(arena, &change, &rest);
    if (fault)
        return refuse_reshape(call, &change, fault);
    Mapping from = mapping_pair(arena, &rest, change.part);
    Mapping to = mapping_pair(arena, &rest, change.part_after);
    if (!array_move_positions(self.array, &from, made.array, &to))
        return trace_panic(call->trace, call_span(call), STR("there is no memory to reshape in"));
    return host_array_value(call->trace, made.array, &made.mapping);
}

// ---- scatter

static bool read_indices(const Call *call, const HostArray *index, ScatterIndex *indices)
{
    Arena *arena = call->trace->lang->arena;
    int64_t count = mapping_live_positions(arena, &index->mapping);
    uint32_t *bits = arena_new(arena, uint32_t, (size_t)max_i64(count, 1));
    uint8_t *live = arena_new(arena, uint8_t, (size_t)max_i64(count, 1));
    *indices = (ScatterIndex){bits, live, count, mapping_identity()};
    return array_read(index->array, &index->mapping, bits, live, NULL);
}

static Value write_scatter(const Call *call)
{
    HostArray self, output, index;
    ScatterIndex indices;
    const Dim *key = call_dim(call, "Key");
    Value scaled = call_arg(call, "scaled");
    int64_t entry;
    if (!key || !host_array_of(call->trace, call->args[0], &self) ||
        !host_array_of(call->trace, call_arg(call, "output"), &output) ||
        !host_array_of(call->trace, call_arg(call, "index"), &index) ||
        !read_indices(call, &index, &indices))
        return poison_value();
    ArrayView source = {.array = self.array, .mapping = self.mapping};
    ArrayView target = {.array = output.array, .mapping = output.mapping};
    switch (array_scatter(call->trace->lang->arena, &source, &target, &key->mapping, &indices,
                          scaled.kind == VALUE_BOOL && scaled.boolean, &entry)) {
    case SCATTER_NO_PLACE:
        return trace_panic(call->trace, call_span(call),
                           STR("write_scatter: the tensor lacks the key, or the output the rest of "
                               "it or an axis beside that"));
    case SCATTER_NO_INDEX:
        return trace_panic_words(call->trace, call_span(call),
                                 "write_scatter: entry {} of the index has no value", entry);
    case SCATTER_NO_MEMORY:
        return trace_panic(call->trace, call_span(call), STR("there is no memory to scatter in"));
    case SCATTER_DONE:
        break;
    }
    return unit_value();
}

static const BuiltinRow rows[] = {
    {"Tensor", "reshape", reshape},
    {"Tensor", "write_scatter", write_scatter},
};

const BuiltinRows host_place_rows = {rows, COUNT_OF(rows)};

// Indices and mappings as values: what a position means.
#include "lang/run_internal.h"

#include "base/checked.h"

#include <string.h>

static Value index_value_of(Trace *trace, const Index *index, bool is_valid)
{
    HostIndex *made = arena_new(trace->lang->arena, HostIndex, 1);
    *made = (HostIndex){.is_valid = is_valid};
    if (index)
        made->index = *index;
    return (Value){.kind = VALUE_INDEX, .index = made};
}

static void index_add(Arena *arena, HostIndex *index, const Atom *axis, int64_t value)
{
    for (int64_t i = 0; i < index->index.count; i++)
        if (atom_equal(index->index.items[i].axis, axis)) {
            index->index.items[i].value += value;
            return;
        }
    *array_push(arena, &index->index, Coordinate) = (Coordinate){axis, value};
}

// Adds what position `at` of a mapping means to an index.
static void add_position(Trace *trace, HostIndex *index, const Mapping *mapping, int64_t at)
{
    Arena *arena = trace->lang->arena;
    Cell cell = mapping_cell(arena, mapping, at);
    if (cell.count != 1) {
        index->is_valid = false;
        return;
    }
    for (int64_t i = 0; i < cell.items[0].count; i++)
        index_add(arena, index, cell.items[0].items[i].axis, cell.items[0].items[i].value);
}

// i![A: 1, B / 2: 3]
Value trace_index_macro(Trace *trace, const AstExpr *expr)
{
    Value made = index_value_of(trace, NULL, true);
    for (int64_t i = 0; i < expr->indices.keys.count; i++) {
        Value at = value_strip(trace_expr(trace, expr->indices.values.items[i]));
        Type *key = map_get(&trace->frame->body->mappings, expr->indices.keys.items[i]);
        if (at.kind != VALUE_INT || !key || key->kind != TYPE_MAPPING)
            return VALUE_NOTHING;
        Mapping mapping = mapping_of_expr(trace->lang->arena, key->expr);
        if (key->expr->kind == EXPR_ATOM) // of an axis by its name the range is not looked at
            index_add(trace->lang->arena, made.index, key->expr->atom, at.integer);
        else
            add_position(trace, made.index, &mapping, at.integer);
    }
    return made;
}

static Value position(const Call *call)
{
    Type *self = call->use->self ? type_of(call->use->self) : NULL;
    MaybeInt at = maybe_int(call_arg(call, "i"));
    const Dim *dim = self ? dim_of_type(call->trace, self) : NULL;
    if (!dim || !at.known)
        return VALUE_NOTHING;
    Value index = index_value_of(call->trace, NULL, true);
    add_position(call->trace, index.index, &dim->mapping, at.value);
    const Decl *option = type_strip(call_type(call))->decl;
    bool some = index.index->is_valid && at.value >= 0 && at.value < dim->mapping.size;
    const Decl *variant =
        enum_variant(option, lang_name(call->trace->lang, some ? "Some" : "None"));
    return variant_value(call->trace, variant, &index, some);
}

static Value new_index(const Call *call)
{
    return index_value_of(call->trace, NULL, true);
}

static const BuiltinRow rows[] = {
    {"M", "map", position},
    {"Index", "new", new_index},
};

const BuiltinRows host_index_rows = {rows, COUNT_OF(rows)};

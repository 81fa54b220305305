// Indices and mappings as values: what a position means.
#include "lang/host/run_internal.h"

#include "base/checked.h"

#include <stdlib.h>
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
    Decl *option = type_strip(call_type(call))->decl;
    bool some = index.index->is_valid && at.value >= 0 && at.value < dim->mapping.size;
    Decl *variant = enum_variant(option, lang_name(call->trace->lang, some ? "Some" : "None"));
    return variant_value(call->trace, variant, &index, some);
}

static Value new_index(const Call *call)
{
    return index_value_of(call->trace, NULL, true);
}

static Value add_index(const Call *call)
{
    Value self = value_strip(call->args[0]), other = value_strip(call->args[1]);
    if (self.kind != VALUE_INDEX || other.kind != VALUE_INDEX)
        return VALUE_NOTHING;
    self.index->is_valid &= other.index->is_valid;
    for (int64_t i = 0; i < other.index->index.count; i++)
        index_add(call->trace->lang->arena, self.index, other.index->index.items[i].axis,
                  other.index->index.items[i].value);
    return unit_value();
}

static Value add_mapping(const Call *call)
{
    Value self = value_strip(call->args[0]);
    MaybeInt at = maybe_int(call_arg(call, "value"));
    const Dim *dim = call_dim(call, "I");
    if (self.kind != VALUE_INDEX || !dim || !at.known)
        return VALUE_NOTHING;
    add_position(call->trace, self.index, &dim->mapping, at.value);
    return unit_value();
}

// What the position means that a term is at when it counts to `value`.
static Value add_term(const Call *call)
{
    Value self = value_strip(call->args[0]);
    MaybeInt value = maybe_int(call_arg(call, "value"));
    Term term;
    if (self.kind != VALUE_INDEX || !value.known ||
        !host_term_of(call->trace, call_arg(call, "term"), &term))
        return VALUE_NOTHING;
    Arena *arena = call->trace->lang->arena;
    if (term.atom->kind == ATOM_AXIS) {
        index_add(arena, self.index, term.atom, value.value * term.stride);
        return unit_value();
    }
    Mapping whole = mapping_of_atom(arena, term.atom);
    add_position(call->trace, self.index, &whole, value.value * term.stride);
    return unit_value();
}

static Value ident_value(const Call *call)
{
    Lang *lang = call->trace->lang;
    Value self = value_strip(call->args[0]), ident = call_arg(call, "ident");
    if (self.kind != VALUE_INDEX || ident.kind != VALUE_IDENT)
        return VALUE_NOTHING;
    Value value = value_int(0);
    for (int64_t i = 0; i < self.index->index.count; i++)
        if (strcmp(self.index->index.items[i].axis->name, ident.ident.name) == 0)
            value.integer += self.index->index.items[i].value;
    bool ok = self.index->is_valid;
    if (!ok) {
        Decl *errors =
            module_lookup(lang, lang->prelude, lang_name(lang, "IndexError"), SPACE_TYPE);
        value =
            variant_value(call->trace, enum_variant(errors, lang_name(lang, "Invalid")), NULL, 0);
    }
    Decl *result = type_strip(call_type(call))->decl;
    return variant_value(call->trace, enum_variant(result, lang_name(lang, ok ? "Ok" : "Err")),
                         &value, 1);
}

// An index of its own, that what is added to the other does not change.
static Value index_copy(Trace *trace, const HostIndex *index)
{
    Value made = index_value_of(trace, NULL, index->is_valid);
    for (int64_t i = 0; i < index->index.count; i++)
        index_add(trace->lang->arena, made.index, index->index.items[i].axis,
                  index->index.items[i].value);
    return made;
}

static Value gen_indexes(const Call *call)
{
    Value self = value_strip(call->args[0]), mapping = call_arg(call, "mapping");
    if (self.kind != VALUE_INDEX || mapping.kind != VALUE_FACTORS)
        return VALUE_NOTHING;
    Value list = new_list(call->trace, 0);
    for (int64_t at = 0; at < mapping.factors->size && call->trace->flow == FLOW_ON; at++) {
        Value made = index_copy(call->trace, self.index);
        add_position(call->trace, made.index, mapping.factors, at);
        if (made.index->is_valid)
            list_push(call->trace, list.list, made);
    }
    return list;
}

static Value eval(const Call *call)
{
    Value self = value_strip(call->args[0]);
    MaybeInt at = maybe_int(call_arg(call, "pos"));
    if (self.kind != VALUE_FACTORS || !at.known)
        return VALUE_NOTHING;
    Value made = index_value_of(call->trace, NULL, true);
    add_position(call->trace, made.index, self.factors, at.value);
    return made;
}

static Value mark_invalid(const Call *call)
{
    Value self = value_strip(call->args[0]);
    if (self.kind == VALUE_INDEX)
        self.index->is_valid = false;
    return unit_value();
}

static Value finalize(const Call *call)
{
    Value self = value_strip(call->args[0]);
    if (self.kind != VALUE_INDEX)
        return VALUE_NOTHING;
    Decl *result = type_strip(call_type(call))->decl;
    bool valid = self.index->is_valid;
    Value words = {.kind = VALUE_STRING, .text = STR("Invalid")};
    return variant_value(call->trace,
                         enum_variant(result, lang_name(call->trace->lang, valid ? "Ok" : "Err")),
                         valid ? &self : &words, 1);
}

static Value to_value(const Call *call)
{
    Type *self = call->use->self ? type_of(call->use->self) : NULL;
    if (!self || self->kind != TYPE_MAPPING)
        return VALUE_NOTHING;
    return (Value){.kind = VALUE_MAPPING, .mapping = self->expr};
}

static Value mapping_size(const Call *call)
{
    Value self = value_strip(call->args[0]);
    return self.kind == VALUE_MAPPING ? value_int(self.mapping->size) : VALUE_NOTHING;
}

static Value ident_text(const Call *call)
{
    Value self = value_strip(call->args[0]);
    return self.kind == VALUE_IDENT
               ? (Value){.kind = VALUE_STRING, .text = str_from(self.ident.name)}
               : VALUE_NOTHING;
}

// ---- as text

static int compare_coordinates(const void *left, const void *right)
{
    const Coordinate *a = left, *b = right;
    return atom_compare(a->axis, b->axis);
}

// Index[A = 1, B = 2]
void host_index_print(StrBuf *out, const HostIndex *index)
{
    if (!index->is_valid) {
        buf_add(out, STR("Invalid Index"));
        return;
    }
    int64_t count = index->index.count;
    Coordinate *sorted = arena_new(out->arena, Coordinate, (size_t)count + 1);
    if (count)
        memcpy(sorted, index->index.items, sizeof *sorted * (size_t)count);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_coordinates);
    buf_add(out, STR("Index["));
    for (int64_t i = 0; i < count; i++)
        buf_format(out, "{}{} = {}", i ? ", " : "", sorted[i].axis->name, sorted[i].value);
    buf_add(out, STR("]"));
}

// As the library of the language writes them: pairs as (a, b, c).
void mapping_value_print(StrBuf *out, const Expr *mapping)
{
    static const char *const operators[] = {
        [EXPR_STRIDE] = "/", [EXPR_MODULO] = "%", [EXPR_RESIZE] = "=", [EXPR_PADDING] = "#"};
    switch (mapping->kind) {
    case EXPR_STRIDE:
    case EXPR_MODULO:
    case EXPR_RESIZE:
    case EXPR_PADDING:
        mapping_value_print(out, mapping->inner);
        buf_format(out, " {} {}", operators[mapping->kind], mapping->number);
        break;
    case EXPR_PAIR:
        buf_add(out, STR("("));
        for (int64_t i = 0; i < mapping->count; i++) {
            buf_add(out, i ? STR(", ") : STR(""));
            mapping_value_print(out, mapping->items[i]);
        }
        buf_add(out, STR(")"));
        break;
    default:
        expr_print(out, mapping);
        break;
    }
}

bool mapping_values_equal(const Expr *a, const Expr *b)
{
    bool same = a->kind == b->kind && a->number == b->number && a->count == b->count &&
                a->padding == b->padding;
    if (same && a->atom)
        same = atom_equal(a->atom, b->atom);
    if (same && a->inner)
        same = mapping_values_equal(a->inner, b->inner);
    for (int64_t i = 0; same && a->kind == EXPR_PAIR && i < a->count; i++)
        same = mapping_values_equal(a->items[i], b->items[i]);
    return same;
}

static const BuiltinRow rows[] = {
    {"M", "map", position},
    {"M", "to_value", to_value},
    {"Mapping", "size", mapping_size},
    {"Index", "new", new_index},
    {"Index", "add", add_index},
    {"Index", "add_mapping", add_mapping},
    {"Index", "add_term", add_term},
    {"Index", "ident_value", ident_value},
    {"Index", "gen_indexes", gen_indexes},
    {"FMapping", "eval", eval},
    {"Index", "mark_invalid", mark_invalid},
    {"Index", "finalize", finalize},
    {"Ident", "as_str", ident_text},
};

const BuiltinRows host_index_rows = {rows, COUNT_OF(rows)};

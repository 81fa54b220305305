// Mappings in factor form as values: FMapping, its factors and terms, division.
#include "lang/host/run_internal.h"

#include "base/checked.h"

#include <string.h>

// ---- to values

static Value factors_value(Trace *trace, const Mapping *mapping)
{
    Mapping *made = arena_new(trace->lang->arena, Mapping, 1);
    *made = mapping_normalise(trace->lang->arena, mapping);
    return (Value){.kind = VALUE_FACTORS, .factors = made};
}

static Value variant_of(Trace *trace, const char *type, const char *name, const Value *fields,
                        int64_t count)
{
    Lang *lang = trace->lang;
    Decl *decl = module_lookup(lang, lang->prelude, lang_name(lang, type), SPACE_TYPE);
    return variant_value(trace, enum_variant(decl, lang_name(lang, name)), fields, count);
}

static Value atom_value(Trace *trace, const Atom *atom)
{
    if (atom->kind == ATOM_AXIS) {
        Value fields[] = {{.kind = VALUE_IDENT, .ident = {atom, atom->name}},
                          value_int(atom->size)};
        return variant_of(trace, "Atom", "Symbol", fields, 2);
    }
    Mapping inner =
        atom->kind == ATOM_BLOCK ? *atom->inner : mapping_of_atom(trace->lang->arena, atom);
    Value field = factors_value(trace, &inner);
    return variant_of(trace, "Atom", "Composite", &field, 1);
}

Value host_term_value(Trace *trace, Term term)
{
    Value fields[] = {atom_value(trace, term.atom), value_int(term.stride), value_int(term.modulo)};
    return list_value(trace, fields, 3);
}

static Value factor_value(Trace *trace, const Factor *factor)
{
    if (factor->is_padding) {
        const char *kind = factor->padding == PADDING_TOP ? "Top" : "Bottom";
        Value fields[] = {value_int(factor->size), variant_of(trace, "PaddingKind", kind, NULL, 0)};
        return variant_of(trace, "Factor", "Padding", fields, 2);
    }
    Value fields[] = {host_term_value(trace, factor->term), value_int(factor->resize)};
    return variant_of(trace, "Factor", "Term", fields, 2);
}

// ---- from values

static const Mapping *factors_of(Value value)
{
    value = value_strip(value);
    return value.kind == VALUE_FACTORS ? value.factors : NULL;
}

static const Atom *atom_of(Trace *trace, Value value)
{
    value = value_strip(value);
    Decl *decl = value_variant(value);
    Value *place = arena_new(trace->lang->arena, Value, 1);
    *place = value;
    const ValueList *fields = decl ? value_fields(trace, place) : NULL;
    if (!fields || !fields->count)
        return NULL;
    Value first = value_strip(fields->items[0]);
    if (first.kind == VALUE_FACTORS)
        return atom_block(trace->lang->arena, first.factors);
    MaybeInt size = maybe_int(fields->items[fields->count - 1]);
    return first.kind == VALUE_IDENT && size.known
               ? atom_axis(trace->lang->arena, first.ident.name, size.value)
               : NULL;
}

bool host_term_of(Trace *trace, Value value, Term *term)
{
    value = value_strip(value);
    if (value.kind != VALUE_LIST || value.list->count != 3)
        return false;
    MaybeInt stride = maybe_int(value.list->items[1]), modulo = maybe_int(value.list->items[2]);
    *term = (Term){atom_of(trace, value.list->items[0]), stride.value, modulo.value};
    return term->atom && stride.known && modulo.known && stride.value > 0 && modulo.value > 0;
}

// ---- Mapping and FMapping

static Value factorize(const Call *call)
{
    Value self = value_strip(call->args[0]);
    if (self.kind != VALUE_MAPPING)
        return VALUE_NOTHING;
    Mapping mapping = mapping_of_expr(call->trace->lang->arena, self.mapping);
    return factors_value(call->trace, &mapping);
}

static Value from_axes(const Call *call)
{
    Arena *arena = call->trace->lang->arena;
    Value axes = call_arg(call, "axes");
    MappingBuilder builder = mapping_build(arena);
    for (int64_t i = axes.kind == VALUE_LIST ? axes.list->count - 1 : -1; i >= 0; i--) {
        Term term;
        if (!host_term_of(call->trace, axes.list->items[i], &term))
            return VALUE_NOTHING;
        Mapping mapping = mapping_of_term(arena, term, term.modulo);
        mapping_build_add(&builder, &mapping);
    }
    Mapping made = mapping_build_done(&builder);
    return factors_value(call->trace, &made);
}

static Value factors_size(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    return self ? value_int(self->size) : VALUE_NOTHING;
}

static Value factor_list(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    Value list = new_list(call->trace, self ? self->count : 0);
    for (int64_t i = 0; self && i < self->count; i++)
        list_push(call->trace, list.list, factor_value(call->trace, &self->factors[i]));
    return self ? list : VALUE_NOTHING;
}

static Value has_terms(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    return self ? value_bool(mapping_has_terms(self)) : VALUE_NOTHING;
}

static Value is_padding(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    return self ? value_bool(!mapping_has_terms(self)) : VALUE_NOTHING;
}

// Each term with its positions and the positions inside it.
static Value terms_with_stride(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    Value list = new_list(call->trace, self ? self->count : 0);
    int64_t inside = 1;
    for (int64_t i = 0; self && i < self->count; i++) {
        const Factor *factor = &self->factors[i];
        if (factor->is_padding) {
            inside = factor->size;
            continue;
        }
        Value items[] = {host_term_value(call->trace, factor->term), value_int(factor->resize),
                         value_int(inside)};
        list_push(call->trace, list.list, list_value(call->trace, items, 3));
        inside *= factor->resize;
    }
    return self ? list : VALUE_NOTHING;
}

// The axes, innermost first.
static AtomList axes_of(Arena *arena, const Mapping *mapping)
{
    AtomList axes = {0};
    for (int64_t i = 0; i < mapping->count; i++) {
        AtomList some = {0};
        if (!mapping->factors[i].is_padding)
            atom_axes(arena, mapping->factors[i].term.atom, &some);
        for (int64_t k = 0; k < some.count; k++) {
            bool again = false;
            for (int64_t j = 0; j < axes.count; j++)
                again |= strcmp(axes.items[j]->name, some.items[k]->name) == 0;
            if (!again)
                *array_push(arena, &axes, const Atom *) = some.items[k];
        }
    }
    return axes;
}

static Value idents(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    Value list = new_list(call->trace, 0);
    AtomList axes = self ? axes_of(call->trace->lang->arena, self) : (AtomList){0};
    for (int64_t i = 0; i < axes.count; i++)
        list_push(call->trace, list.list,
                  (Value){.kind = VALUE_IDENT, .ident = {axes.items[i], axes.items[i]->name}});
    return self ? list : VALUE_NOTHING;
}

static const Atom *named_axis(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    Value ident = call_arg(call, "ident");
    AtomList axes = self ? axes_of(call->trace->lang->arena, self) : (AtomList){0};
    for (int64_t i = 0; ident.kind == VALUE_IDENT && i < axes.count; i++)
        if (strcmp(axes.items[i]->name, ident.ident.name) == 0)
            return axes.items[i];
    return NULL;
}

static Value contains_ident(const Call *call)
{
    return value_bool(named_axis(call) != NULL);
}

static Value optional(const Call *call, bool some, Value value)
{
    Decl *option = type_strip(call_type(call))->decl;
    const char *name = some ? "Some" : "None";
    return variant_value(call->trace, enum_variant(option, lang_name(call->trace->lang, name)),
                         &value, some);
}

static Value find_symbol_size(const Call *call)
{
    const Atom *axis = named_axis(call);
    return optional(call, axis != NULL, axis ? value_int(axis->size) : VALUE_NOTHING);
}

// Takes the outermost factor away.
static Value pop(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    if (!self || call->args[0].kind != VALUE_REF)
        return VALUE_NOTHING;
    if (!self->count)
        return optional(call, false, VALUE_NOTHING);
    Value *place = call->args[0].place;
    while (place->kind == VALUE_REF)
        place = place->place;
    Mapping rest = mapping_from_factors(call->trace->lang->arena, self->factors, self->count - 1);
    *place = factors_value(call->trace, &rest);
    return optional(call, true, factor_value(call->trace, &self->factors[self->count - 1]));
}

static Value multiply(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]), *inner = factors_of(call->args[1]);
    if (!self || !inner)
        return VALUE_NOTHING;
    int64_t size;
    if (!checked_mul(self->size, inner->size, &size))
        return trace_panic(call->trace, call_span(call), STR("the mapping is too large"));
    Mapping made = mapping_pair(call->trace->lang->arena, self, inner);
    return factors_value(call->trace, &made);
}

// Both parts of a mapping cut at the number that the call has. False: a panic says why.
static bool cut(const Call *call, const char *at, Mapping parts[2])
{
    const Mapping *self = factors_of(call->args[0]);
    MaybeInt place = maybe_int(call_arg(call, at));
    if (!self || !place.known)
        return false;
    if (place.value < 1 || self->size % place.value) {
        trace_panic_words(call->trace, call_span(call), "{} does not divide {}", place.value,
                          self->size);
        return false;
    }
    mapping_split(call->trace->lang->arena, self, place.value, &parts[0], &parts[1]);
    return true;
}

static Value stride(const Call *call)
{
    Mapping parts[2];
    return cut(call, "n", parts) ? factors_value(call->trace, &parts[0]) : poison_value();
}

static Value modulo(const Call *call)
{
    Mapping parts[2];
    return cut(call, "n", parts) ? factors_value(call->trace, &parts[1]) : poison_value();
}

static Value split_at(const Call *call)
{
    Mapping parts[2];
    if (!cut(call, "t", parts))
        return poison_value();
    Value both[] = {factors_value(call->trace, &parts[0]), factors_value(call->trace, &parts[1])};
    return list_value(call->trace, both, 2);
}

static Value padded(const Call *call, const Mapping *inner, PaddingKind kind)
{
    MaybeInt size = maybe_int(call_arg(call, "n"));
    if (!size.known)
        return VALUE_NOTHING;
    if (size.value < inner->size)
        return trace_panic_words(call->trace, call_span(call),
                                 "{} positions cannot be padded to {}", inner->size, size.value);
    Mapping made = mapping_pad(call->trace->lang->arena, inner, size.value, kind);
    return factors_value(call->trace, &made);
}

static Value padding(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    Decl *kind = value_variant(call_arg(call, "kind"));
    bool bottom = kind && strcmp(kind->name, "Bottom") == 0;
    return self ? padded(call, self, bottom ? PADDING_BOTTOM : PADDING_TOP) : VALUE_NOTHING;
}

static Value pad(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    if (!self)
        return VALUE_NOTHING;
    Mapping inner = mapping_strip(self);
    return padded(call, &inner, PADDING_TOP);
}

static Value remove_padding(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]);
    if (!self)
        return VALUE_NOTHING;
    Mapping inner = mapping_strip(self);
    return factors_value(call->trace, &inner);
}

static Value is_resize_of(const Call *call)
{
    const Mapping *self = factors_of(call->args[0]), *whole = factors_of(call->args[1]);
    if (!self || !whole)
        return VALUE_NOTHING;
    Arena *arena = call->trace->lang->arena;
    return value_bool(mapping_is_prefix(arena, self, whole) == MAPPINGS_EQUAL);
}

static Value normalize(const Call *call)
{
    return value_strip(call->args[0]);
}

// A mapping that is written as its factors are.
static Value to_mapping(const Call *call)
{
    Arena *arena = call->trace->lang->arena;
    const Mapping *self = factors_of(call->args[0]);
    if (!self)
        return VALUE_NOTHING;
    Scope scope = scope_new(arena);
    DiagList diags = {.arena = arena};
    AtomList axes = axes_of(arena, self);
    for (int64_t i = 0; i < axes.count; i++)
        scope_add_axis(&scope, &diags, SPAN_NOWHERE, str_from(axes.items[i]->name),
                       axes.items[i]->size);
    const Expr *expr = mapping_parse(&scope, &diags, -1, mapping_text(arena, self));
    if (diags.error_count)
        return trace_panic(call->trace, call_span(call), STR("the mapping cannot be written"));
    return (Value){.kind = VALUE_MAPPING, .mapping = expr};
}

// ---- division

static Value division_terms(Trace *trace, const Division *division)
{
    Value list = new_list(trace, division->found);
    for (int64_t i = 0; i < division->found; i++) {
        const Match *match = &division->matches.items[i];
        Value fields[] = {value_int(match->dividend_stride), value_int(match->divisor_stride),
                          host_term_value(trace, match->term), value_int(match->resize)};
        list_push(trace, list.list, list_value(trace, fields, 4));
    }
    return list;
}

static Value divided(const Call *call, DivideKind kind, int64_t span)
{
    Trace *trace = call->trace;
    const Mapping *self = factors_of(call->args[0]), *divisor = factors_of(call->args[1]);
    if (!self || !divisor)
        return VALUE_NOTHING;
    Division division = mapping_divide(trace->lang->arena, self, divisor, kind, span);
    Value fields[] = {division_terms(trace, &division),
                      {.kind = VALUE_FACTORS, .factors = self},
                      factors_value(trace, &division.dividend_residue),
                      {.kind = VALUE_FACTORS, .factors = divisor},
                      factors_value(trace, &division.divisor_residue),
                      value_bool(division.exact)};
    return list_value(trace, fields, COUNT_OF(fields));
}

static Value divide_relaxed(const Call *call)
{
    return divided(call, DIVIDE_RELAXED, 1);
}

static Value divide_strict(const Call *call)
{
    return divided(call, DIVIDE_STRICT, 1);
}

static Value divide_span(const Call *call)
{
    MaybeInt span = maybe_int(call_arg(call, "span"));
    return span.known && span.value > 0 ? divided(call, DIVIDE_SPAN, span.value) : VALUE_NOTHING;
}

// Itself where every term of the divisor was found.
static Value exact(const Call *call)
{
    Value self = value_strip(call->args[0]);
    Decl *result = type_strip(call_type(call))->decl;
    if (self.kind != VALUE_LIST || !self.list->count)
        return VALUE_NOTHING;
    bool ok = value_strip(self.list->items[self.list->count - 1]).boolean;
    Value error = variant_of(call->trace, "DivisionError", "DivisorTermCannotDivide", NULL, 0);
    const char *name = ok ? "Ok" : "Err";
    return variant_value(call->trace, enum_variant(result, lang_name(call->trace->lang, name)),
                         ok ? &self : &error, 1);
}

// ---- as text

void factors_print(StrBuf *out, const Mapping *factors)
{
    buf_add(out, STR("FMapping["));
    for (int64_t i = 0; i < factors->count; i++) {
        const Factor *factor = &factors->factors[i];
        const Atom *atom = factor->term.atom;
        buf_add(out, i ? STR(" * ") : STR(""));
        if (factor->is_padding) {
            buf_format(out, "{}pad({})", factor->padding == PADDING_TOP ? "" : "bottom_",
                       factor->size);
            continue;
        }
        buf_add(out, STR("term("));
        if (atom->kind == ATOM_AXIS)
            buf_format(out, "{}:{}", atom->name, atom->size);
        else if (atom->kind == ATOM_BLOCK)
            factors_print(out, atom->inner);
        else
            term_print(out, &(Term){atom, 1, atom->size}, atom->size);
        buf_format(out, " / {} % {} = {})", factor->term.stride, factor->term.modulo,
                   factor->resize);
    }
    buf_add(out, STR("]"));
}

static const BuiltinRow rows[] = {
    {"Mapping", "factorize", factorize},
    {"FMapping", "from_axes", from_axes},
    {"FMapping", "size", factors_size},
    {"FMapping", "factors", factor_list},
    {"FMapping", "into_inner", factor_list},
    {"FMapping", "has_terms", has_terms},
    {"FMapping", "is_padding", is_padding},
    {"FMapping", "terms_with_stride", terms_with_stride},
    {"FMapping", "idents", idents},
    {"FMapping", "contains_ident", contains_ident},
    {"FMapping", "find_symbol_size", find_symbol_size},
    {"FMapping", "pop", pop},
    {"FMapping", "mul", multiply},
    {"FMapping", "stride", stride},
    {"FMapping", "modulo", modulo},
    {"FMapping", "split_at", split_at},
    {"FMapping", "padding", padding},
    {"FMapping", "pad", pad},
    {"FMapping", "remove_padding", remove_padding},
    {"FMapping", "is_resize_of", is_resize_of},
    {"FMapping", "normalize", normalize},
    {"FMapping", "to_mapping", to_mapping},
    {"FMapping", "divide_relaxed", divide_relaxed},
    {"FMapping", "divide_strict", divide_strict},
    {"FMapping", "divide_span", divide_span},
    {"Division", "exact", exact},
};

const BuiltinRows host_factors_rows = {rows, COUNT_OF(rows)};

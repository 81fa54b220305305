#include "lang/types/infer_internal.h"

#include "base/checked.h"

int32_t add_local(Infer *infer, const AstPattern *pattern, const char *name, Type *type)
{
    int32_t slot = infer->body->slot_count++;
    *array_push(infer->lang->arena, &infer->body->slot_types, Type *) = type;
    *array_push(infer->lang->arena, &infer->locals, Local) =
        (Local){.name = name,
                .type = type,
                .slot = slot,
                .is_mut = !pattern || pattern->is_mut,
                .span = pattern ? pattern->name.span : SPAN_NOWHERE};
    if (pattern)
        map_put(&infer->body->slots, pattern, (void *)(uintptr_t)(slot + 1));
    return slot;
}

void check_repeated(Infer *infer, int64_t first)
{
    const Local *locals = infer->locals.items;
    for (int64_t i = first; i < infer->locals.count; i++)
        for (int64_t k = first; k < i; k++) {
            if (locals[k].name != locals[i].name)
                continue;
            Diag *diag = diag_add(infer->lang->diags, DIAG_NAME_REPEATED, locals[i].span,
                                  "`{}` is bound a second time here", locals[i].name);
            diag_note(diag, locals[k].span, "first bound here");
            break;
        }
}

static void report_pattern(Infer *infer, const AstPattern *pattern, Type *type, const char *what)
{
    if (type_of(type)->kind == TYPE_ERROR)
        return;
    diag_add(infer->lang->diags, DIAG_PATTERN, pattern->span,
             "this pattern is {}, the value is `{}`", what, type_text(infer->lang->arena, type));
}

static void report_parts(Infer *infer, const AstPattern *pattern, int64_t count, Type *type)
{
    if (type_of(type)->kind == TYPE_ERROR)
        return;
    int64_t parts = 0;
    for (int64_t i = 0; i < pattern->items.count; i++)
        parts += pattern->items.items[i]->kind != PATTERN_REST;
    diag_add(infer->lang->diags, DIAG_PATTERN, pattern->span,
             "this pattern has {} part{}, the value `{}` has {}", parts, parts == 1 ? "" : "s",
             type_text(infer->lang->arena, type), count);
}

static void infer_part(Infer *infer, const AstPattern *pattern, Type *type);

static void bind_all(Infer *infer, const AstPattern *pattern)
{
    for (int64_t i = 0; i < pattern->items.count; i++)
        infer_part(infer, pattern->items.items[i], type_poison(infer->lang));
}

bool pattern_is_rest(const AstPattern *pattern)
{
    bool named = pattern->kind == PATTERN_BIND && pattern->inner;
    return (named ? pattern->inner : pattern)->kind == PATTERN_REST;
}

bool pattern_has_rest(const AstPatterns *items)
{
    for (int64_t i = 0; i < items->count; i++)
        if (pattern_is_rest(items->items[i]))
            return true;
    return false;
}

bool pattern_takes(const AstPatterns *items, int64_t count)
{
    return pattern_has_rest(items) ? items->count - 1 <= count : items->count == count;
}

int64_t pattern_place(const AstPatterns *items, int64_t index, int64_t count)
{
    for (int64_t i = 0; i < index; i++)
        if (pattern_is_rest(items->items[i]))
            return count - (items->count - index);
    return index;
}

// Items of a tuple, or fields of a variant, with `..` anywhere among them.
static void infer_items(Infer *infer, const AstPattern *pattern, Type **types, int64_t count,
                        Type *whole)
{
    const AstPatterns *items = &pattern->items;
    if (!pattern_takes(items, count)) {
        report_parts(infer, pattern, count, whole);
        bind_all(infer, pattern);
        return;
    }
    for (int64_t i = 0; i < items->count; i++)
        if (items->items[i]->kind != PATTERN_REST)
            infer_part(infer, items->items[i], types[pattern_place(items, i, count)]);
}

// A part of something that is looked at through references is a reference, too.
static Type *part_type(Infer *infer, Type *whole, Type *part)
{
    bool is_ref = false, is_mut = true;
    for (whole = type_of(whole); whole->kind == TYPE_REF; whole = type_of(whole->args[0])) {
        is_ref = true;
        is_mut &= whole->is_mut;
    }
    return is_ref && type_of(part)->kind != TYPE_ERROR ? type_ref(infer->lang, part, is_mut) : part;
}

static Type **part_types(Infer *infer, Type *whole, Type **parts, int64_t count)
{
    Type **types = arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, count));
    for (int64_t i = 0; i < count; i++)
        types[i] = part_type(infer, whole, parts[i]);
    return types;
}

static void infer_tuple(Infer *infer, const AstPattern *pattern, Type *type)
{
    Type *known = type_strip(type);
    if (known->kind == TYPE_VAR) {
        Type **items =
            arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, pattern->items.count));
        for (int64_t i = 0; i < pattern->items.count; i++)
            items[i] = type_var(infer->lang, VAR_ANY, pattern->span);
        type_unify(infer->lang, known,
                   type_tuple(infer->lang, items, (int32_t)pattern->items.count), NULL, NULL);
        known = type_strip(type);
    }
    if (known->kind == TYPE_TUPLE) {
        infer_items(infer, pattern, part_types(infer, type, known->args, known->arg_count),
                    known->arg_count, type);
        return;
    }
    report_pattern(infer, pattern, type, "a tuple");
    bind_all(infer, pattern);
}

// `rest @ ..`: the items that are left.
static Type *rest_type(Infer *infer, const AstPattern *pattern, Type *list)
{
    if (list->kind != TYPE_ARRAY)
        return type_slice(infer->lang, list->args[0]);
    Type *length = type_of(list->args[1]);
    bool known = length->kind == TYPE_CONST && length->value >= pattern->items.count - 1;
    return type_array(
        infer->lang, list->args[0],
        known ? type_number(infer->lang, length->value - (pattern->items.count - 1), pattern->span)
              : type_poison(infer->lang));
}

static void infer_slice(Infer *infer, const AstPattern *pattern, Type *type)
{
    Type *known = type_strip(type);
    bool list = known->kind == TYPE_ARRAY || known->kind == TYPE_SLICE;
    if (!list)
        report_pattern(infer, pattern, type, "a list");
    for (int64_t i = 0; i < pattern->items.count; i++) {
        const AstPattern *item = pattern->items.items[i];
        Type *part = !list                   ? type_poison(infer->lang)
                     : pattern_is_rest(item) ? rest_type(infer, pattern, known)
                                             : known->args[0];
        infer_part(infer, item, part_type(infer, type, part));
    }
}

// ---- constructors

static const AstFields *fields_of(Decl *decl)
{
    return decl->kind == DECL_VARIANT ? &decl->variant->fields : &decl->item->structure.fields;
}

static AstFieldsKind fields_kind(Decl *decl)
{
    return decl->kind == DECL_VARIANT ? decl->variant->kind : decl->item->structure.kind;
}

// Ends a pattern of fields in `..`. After the last field there may be some that `#[cfg(..)]` leaves
// out.
static void end_in_rest(Infer *infer, Diag *diag, const AstPattern *pattern)
{
    Span span = pattern->span;
    int64_t count = pattern->items.count, end = span.end - 1;
    int64_t last = count ? pattern->items.items[count - 1]->span.end : span.start;
    Str rest = str_trim(lang_text(infer->lang, (Span){span.source, last, end}));
    if (str_find(rest, STR("#")) < 0)
        end = count ? last : end;
    else
        count = rest.data[rest.len - 1] != ',';
    diag_edit(diag, ((Span){span.source, end, end}), count ? ", .." : "..");
}

static void check_field_names(Infer *infer, const AstPattern *pattern, Decl *decl)
{
    const AstFields *fields = fields_of(decl);
    check_field_repeats(infer, &pattern->fields);
    for (int64_t k = 0; k < fields->count && !pattern->has_rest; k++) {
        const char *name = fields->items[k].name.text;
        bool given = false;
        for (int64_t i = 0; i < pattern->fields.count; i++)
            given |= pattern->fields.items[i].text == name;
        if (given)
            continue;
        Diag *diag = diag_add(infer->lang->diags, DIAG_FIELD_MISSING, pattern->path.span,
                              "the pattern leaves out the field `{}` of `{}`", name, decl->name);
        diag_help(diag, "name it, or end the pattern in `..`");
        end_in_rest(infer, diag, pattern);
        return;
    }
}

// T { x, y: p, .. }
static void infer_named_fields(Infer *infer, const AstPattern *pattern, Decl *decl, Type **types)
{
    const AstFields *fields = fields_of(decl);
    bool known = true;
    for (int64_t i = 0; i < pattern->items.count; i++) {
        Type *field = NULL;
        for (int64_t k = 0; k < fields->count; k++)
            if (fields->items[k].name.text == pattern->fields.items[i].text)
                field = types[k];
        known &= field != NULL;
        if (!field)
            report_no_field(infer, &pattern->fields.items[i], decl, fields);
        check_field_seen(infer, decl, &pattern->fields.items[i]);
        infer_part(infer, pattern->items.items[i], field ? field : type_poison(infer->lang));
    }
    if (known) // a missing field may be misspelled
        check_field_names(infer, pattern, decl);
}

// `A` or `A(x)` of something that has fields of another form. True: said.
static bool is_other_form(Infer *infer, const AstPattern *pattern, Decl *decl)
{
    static const char *const forms[] = {
        [FIELDS_NONE] = "", [FIELDS_TUPLE] = "(..)", [FIELDS_NAMED] = " { .. }"};
    AstFieldsKind kind = fields_kind(decl);
    if (kind == (pattern->kind == PATTERN_VARIANT ? FIELDS_TUPLE : FIELDS_NONE))
        return false;
    Diag *diag = diag_add(infer->lang->diags, DIAG_PATTERN, pattern->span,
                          "the pattern does not have the form of `{}`", decl->name);
    diag_help(diag, "write `{}{}`", decl->name, forms[kind]);
    return true;
}

// A variant or struct: its fields have the types that the value gives them.
static void infer_constructor(Infer *infer, const AstPattern *pattern, const AstPath *path,
                              Type *type)
{
    Type *made, **generics;
    Decl *decl =
        resolve_constructor(infer, path, pattern->kind == PATTERN_STRUCT ? SPACE_TYPE : SPACE_VALUE,
                            type_strip(type), &made, &generics);
    if (!decl || type_strip(type)->kind == TYPE_ERROR) {
        bind_all(infer, pattern);
        return;
    }
    map_put(&infer->body->patterns, pattern, decl);
    Mismatch why = {0};
    if (!type_unify(infer->lang, made, type_strip(type), &why, NULL))
        report_pattern(infer, pattern, type, "of another type");
    if (decl->kind == DECL_CONST)
        return;
    const Signature *signature = signature_of(infer->lang, decl);
    Type **types =
        arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, signature->param_count));
    for (int32_t i = 0; i < signature->param_count; i++)
        types[i] =
            part_type(infer, type, type_instantiate(infer->lang, signature->params[i], generics));
    if (pattern->kind == PATTERN_STRUCT)
        infer_named_fields(infer, pattern, decl, types);
    else if (is_other_form(infer, pattern, decl))
        bind_all(infer, pattern);
    else {
        check_fields_seen(infer, decl, path->span);
        infer_items(infer, pattern, types, signature->param_count, type);
    }
}

// What a bare name in a pattern stands for besides a variable; NULL: it binds.
static Decl *named_constant(Infer *infer, const AstPattern *pattern)
{
    Decl *decl = module_lookup(infer->lang, infer->scope, pattern->name.text, SPACE_VALUE);
    if (!decl || pattern->inner || pattern->is_mut || pattern->by_ref)
        return NULL;
    bool unit = decl->kind == DECL_STRUCT && decl->item->structure.kind == FIELDS_NONE;
    return decl->kind == DECL_VARIANT || decl->kind == DECL_CONST || unit ? decl : NULL;
}

// A name binds, unless it is a constant or a variant.
static void infer_bind(Infer *infer, const AstPattern *pattern, Type *type)
{
    if (named_constant(infer, pattern)) {
        AstSegment segment = {.name = pattern->name};
        AstPath path = {.span = pattern->span,
                        .segments = {.items = &segment, .count = 1, .capacity = 1}};
        infer_constructor(infer, pattern, &path, type);
        return;
    }
    add_local(infer, pattern, pattern->name.text,
              pattern->by_ref ? type_ref(infer->lang, type, pattern->is_mut) : type);
    if (pattern->inner)
        infer_part(infer, pattern->inner, type);
}

// ---- alternatives

// The ways `a | b` binds a name: into one variable.
static void share_slot(Infer *infer, const AstPattern *pattern, const char *name, int32_t slot)
{
    if (pattern->kind == PATTERN_BIND && pattern->name.text == name &&
        map_get(&infer->body->slots, pattern))
        map_put(&infer->body->slots, pattern, (void *)(uintptr_t)(slot + 1));
    if (pattern->inner)
        share_slot(infer, pattern->inner, name, slot);
    for (int64_t i = 0; i < pattern->items.count; i++)
        share_slot(infer, pattern->items.items[i], name, slot);
}

static void report_one_sided(Infer *infer, const AstPattern *pattern, const Local *local)
{
    Diag *diag = diag_add(infer->lang->diags, DIAG_PATTERN, pattern->span,
                          "`{}` is not bound on every side of `|`", local->name);
    diag_note(diag, local->span, "it is bound here");
}

static Local *find_between(Infer *infer, const char *name, int64_t start, int64_t end)
{
    for (int64_t i = start; i < end; i++)
        if (infer->locals.items[i].name == name)
            return &infer->locals.items[i];
    return NULL;
}

// One more alternative binds what the first one does, in locals start..end.
static void infer_alternative(Infer *infer, const AstPattern *pattern, Type *type, int64_t start,
                              int64_t end)
{
    infer_part(infer, pattern, type);
    for (int64_t i = end; i < infer->locals.count; i++) {
        const Local *mine = &infer->locals.items[i];
        const Local *first = find_between(infer, mine->name, start, end);
        if (!first) {
            report_one_sided(infer, pattern, mine);
            continue;
        }
        coerce(infer, first->type, mine->type, mine->span);
        share_slot(infer, pattern, mine->name, first->slot);
    }
    for (int64_t i = start; i < end; i++)
        if (!find_between(infer, infer->locals.items[i].name, end, infer->locals.count))
            report_one_sided(infer, pattern, &infer->locals.items[i]);
    infer->locals.count = end;
}

static void infer_alternatives(Infer *infer, const AstPattern *pattern, Type *type)
{
    int64_t start = infer->locals.count;
    infer_part(infer, pattern->items.items[0], type);
    int64_t end = infer->locals.count;
    for (int64_t i = 1; i < pattern->items.count; i++)
        infer_alternative(infer, pattern->items.items[i], type, start, end);
}

// A text is a reference itself; everything else is what the references lead to.
static void infer_literal_pattern(Infer *infer, const AstPattern *pattern, Type *type)
{
    Type *known = type_strip(type);
    bool is_ref = type_is_prim(known, PRIM_str) || known->kind == TYPE_SLICE;
    Type *wanted = is_ref ? type_ref(infer->lang, known, false) : known;
    if (pattern->low)
        check_expr(infer, pattern->low, wanted);
    if (pattern->high)
        check_expr(infer, pattern->high, wanted);
}

// ---- all of them

static void infer_part(Infer *infer, const AstPattern *pattern, Type *type)
{
    switch (pattern->kind) {
    case PATTERN_BIND:
        infer_bind(infer, pattern, type);
        break;
    case PATTERN_TUPLE:
        infer_tuple(infer, pattern, type);
        break;
    case PATTERN_SLICE:
        infer_slice(infer, pattern, type);
        break;
    case PATTERN_PATH:
    case PATTERN_VARIANT:
    case PATTERN_STRUCT:
        infer_constructor(infer, pattern, &pattern->path, type);
        break;
    case PATTERN_REF: {
        Type *known = type_of(type);
        infer_part(infer, pattern->inner, known->kind == TYPE_REF ? known->args[0] : type);
        break;
    }
    case PATTERN_LITERAL:
        infer_literal_pattern(infer, pattern, type);
        break;
    case PATTERN_OR:
        infer_alternatives(infer, pattern, type);
        break;
    case PATTERN_WILDCARD:
    case PATTERN_REST:
    case PATTERN_ERROR:
        break;
    }
}

void infer_pattern(Infer *infer, const AstPattern *pattern, Type *type)
{
    int64_t first = infer->locals.count;
    infer_part(infer, pattern, type);
    check_repeated(infer, first);
}

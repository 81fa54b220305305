#include "lang/infer_internal.h"

#include "base/checked.h"

#include <inttypes.h>

int32_t add_local(Infer *infer, const AstPattern *pattern, const char *name, Type *type)
{
    int32_t slot = infer->body->slot_count++;
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

static void report_pattern(Infer *infer, const AstPattern *pattern, Type *type, const char *what)
{
    if (type_of(type)->kind == TYPE_ERROR)
        return;
    diag_add(infer->lang->diags, DIAG_PATTERN, pattern->span,
             "this pattern is %s, the value is `%.*s`", what,
             STR_ARG(type_text(infer->lang->arena, type)));
}

static void report_parts(Infer *infer, const AstPattern *pattern, int64_t count, Type *type)
{
    if (type_of(type)->kind == TYPE_ERROR)
        return;
    int64_t parts = 0;
    for (int64_t i = 0; i < pattern->items.count; i++)
        parts += pattern->items.items[i]->kind != PATTERN_REST;
    diag_add(infer->lang->diags, DIAG_PATTERN, pattern->span,
             "this pattern has %" PRId64 " part%s, the value `%.*s` has %" PRId64, parts,
             parts == 1 ? "" : "s", STR_ARG(type_text(infer->lang->arena, type)), count);
}

static void bind_all(Infer *infer, const AstPattern *pattern)
{
    for (int64_t i = 0; i < pattern->items.count; i++)
        infer_pattern(infer, pattern->items.items[i], type_poison(infer->lang));
}

static int64_t rest_position(const AstPatterns *items)
{
    for (int64_t i = 0; i < items->count; i++)
        if (items->items[i]->kind == PATTERN_REST)
            return i;
    return -1;
}

// Items of a tuple, or fields of a variant, with `..` anywhere among them.
static void infer_items(Infer *infer, const AstPattern *pattern, Type **types, int64_t count,
                        Type *whole)
{
    const AstPatterns *items = &pattern->items;
    int64_t rest = rest_position(items);
    if (rest < 0 ? items->count != count : items->count - 1 > count) {
        report_parts(infer, pattern, count, whole);
        bind_all(infer, pattern);
        return;
    }
    for (int64_t i = 0; i < items->count; i++) {
        if (i == rest)
            continue;
        int64_t at = rest >= 0 && i > rest ? count - (items->count - i) : i;
        infer_pattern(infer, items->items[i], types[at]);
    }
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
        infer_items(infer, pattern, known->args, known->arg_count, type);
        return;
    }
    report_pattern(infer, pattern, type, "a tuple");
    bind_all(infer, pattern);
}

static void infer_slice(Infer *infer, const AstPattern *pattern, Type *type)
{
    Type *known = type_strip(type);
    bool list = known->kind == TYPE_ARRAY || known->kind == TYPE_SLICE;
    if (!list)
        report_pattern(infer, pattern, type, "a list");
    for (int64_t i = 0; i < pattern->items.count; i++)
        infer_pattern(infer, pattern->items.items[i],
                      list ? known->args[0] : type_poison(infer->lang));
}

// A variant or struct: its fields have the types that the value gives them.
static void infer_constructor(Infer *infer, const AstPattern *pattern, Type *type)
{
    Type *made, **generics;
    const Decl *decl = resolve_constructor(
        infer, &pattern->path, pattern->kind == PATTERN_STRUCT ? SPACE_TYPE : SPACE_VALUE,
        type_strip(type), &made, &generics);
    if (!decl || type_strip(type)->kind == TYPE_ERROR) {
        bind_all(infer, pattern);
        return;
    }
    Mismatch why = {0};
    if (!type_unify(infer->lang, made, type_strip(type), &why, NULL))
        report_pattern(infer, pattern, type, "of another type");
    const Signature *signature = decl->kind == DECL_CONST ? NULL : signature_of(infer->lang, decl);
    int32_t count = signature ? signature->param_count : 0;
    Type **types = arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, count));
    for (int32_t i = 0; i < count; i++)
        types[i] = type_instantiate(infer->lang, signature->params[i], generics);
    if (pattern->kind != PATTERN_STRUCT) {
        infer_items(infer, pattern, types, pattern->kind == PATTERN_PATH ? 0 : count, type);
        return;
    }
    const AstFields *fields =
        decl->kind == DECL_VARIANT ? &decl->variant->fields : &decl->item->structure.fields;
    for (int64_t i = 0; i < pattern->items.count; i++) {
        Type *field = type_poison(infer->lang);
        for (int64_t k = 0; k < fields->count; k++)
            if (fields->items[k].name.text == pattern->fields.items[i].text)
                field = types[k];
        infer_pattern(infer, pattern->items.items[i], field);
    }
}

// A name binds, unless it is a constant or a variant.
static void infer_bind(Infer *infer, const AstPattern *pattern, Type *type)
{
    Decl *decl = module_lookup(infer->lang, infer->scope, pattern->name.text, SPACE_VALUE);
    bool constant = decl && (decl->kind == DECL_VARIANT || decl->kind == DECL_CONST);
    if (constant && !pattern->inner)
        return;
    add_local(infer, pattern, pattern->name.text,
              pattern->by_ref ? type_ref(infer->lang, type, false) : type);
    if (pattern->inner)
        infer_pattern(infer, pattern->inner, type);
}

void infer_pattern(Infer *infer, const AstPattern *pattern, Type *type)
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
        infer_constructor(infer, pattern, type);
        break;
    case PATTERN_REF: {
        Type *known = type_of(type);
        infer_pattern(infer, pattern->inner, known->kind == TYPE_REF ? known->args[0] : type);
        break;
    }
    case PATTERN_LITERAL:
        if (pattern->low)
            check_expr(infer, pattern->low, type_strip(type));
        if (pattern->high)
            check_expr(infer, pattern->high, type_strip(type));
        break;
    case PATTERN_OR:
        for (int64_t i = 0; i < pattern->items.count; i++)
            infer_pattern(infer, pattern->items.items[i], type);
        break;
    case PATTERN_WILDCARD:
    case PATTERN_REST:
    case PATTERN_ERROR:
        break;
    }
}

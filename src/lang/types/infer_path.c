// Paths: which declaration they mean, and what is said of a member that is not there.
#include "lang/types/infer_internal.h"

#include "base/checked.h"

#include <string.h>

static Type *local_path(Infer *infer, const AstExpr *expr, const char *name)
{
    const Local *local = find_local(infer, name);
    if (local) {
        put_use(infer, expr, (Use){.kind = USE_LOCAL, .slot = local->slot});
        return local->type;
    }
    const Signature *signature = infer->body->signature;
    for (int32_t i = 0; i < signature->generic_count; i++) {
        if (signature->generics[i]->name.text != name ||
            signature->generics[i]->kind != PARAM_CONST)
            continue;
        TypeScope scope = {.lang = infer->lang, .scope = signature->decl->scope};
        put_use(infer, expr, (Use){.kind = USE_GENERIC, .type = infer->body->generics[i]});
        return resolve_type(&scope, signature->generics[i]->type);
    }
    return NULL;
}

static Type *variant_type(Infer *infer, Decl *decl, Type **generics)
{
    bool unit = decl->kind == DECL_VARIANT ? decl->variant->kind == FIELDS_NONE
                                           : decl->item->structure.kind == FIELDS_NONE;
    Type *type = function_type(infer, decl, generics);
    return unit ? type->args[type->arg_count - 1] : type;
}

// The generics of a constructor: written behind the enum, or behind the variant.
static Type **constructor_generics(Infer *infer, Decl *decl, const AstPath *path, Type *expected)
{
    const Signature *signature = signature_of(infer->lang, decl);
    Type **generics = new_generics(infer, signature, path->span, NULL);
    const AstSegments *segments = &path->segments;
    for (int64_t i = segments->count - 1; i >= 0 && i >= segments->count - 2; i--)
        if (segments->items[i].args.count)
            resolve_args(&infer->types, &segments->items[i], signature, 0, signature->generic_count,
                         generics, false);
    Type *made = type_instantiate(infer->lang, signature->result, generics);
    if (expected && type_could_unify(infer->lang, made, expected))
        type_unify(infer->lang, made, expected, NULL, NULL);
    return generics;
}

// Those of the impl block that a constant stands in.
static Type **constant_generics(Infer *infer, Decl *decl, Type *self)
{
    const Signature *signature = signature_of(infer->lang, decl);
    Type **generics = new_generics(infer, signature, SPAN_NOWHERE, NULL);
    if (self && decl->impl && decl->impl->self)
        type_unify(infer->lang, type_instantiate(infer->lang, decl->impl->self, generics), self,
                   NULL, NULL);
    return generics;
}

static Type *constant_type(Infer *infer, Decl *decl, Type *self)
{
    TypeScope scope = {.lang = infer->lang,
                       .scope = decl->scope,
                       .signature = signature_of(infer->lang, decl),
                       .generics = constant_generics(infer, decl, self),
                       .self = self};
    if (decl->resolving) {
        diag_add(infer->lang->diags, DIAG_CONST_VALUE, decl->span,
                 "the constant `{}` contains itself", decl->name);
        return type_poison(infer->lang);
    }
    decl->resolving = true;
    Type *type = resolve_type(&scope, decl->item->constant.type);
    decl->resolving = false;
    return type;
}

static Type *decl_path_type(Infer *infer, const AstExpr *expr, Decl *decl, Type *expected)
{
    const AstPath *path = &expr->path;
    const AstSegment *last = &path->segments.items[path->segments.count - 1];
    Type **generics = NULL;
    Type *type;
    switch (decl->kind) {
    case DECL_FN:
        generics = call_generics(infer, decl, last, NULL);
        type = function_type(infer, decl, generics);
        break;
    case DECL_CONST:
        type = constant_type(infer, decl, NULL);
        break;
    case DECL_VARIANT:
    case DECL_STRUCT:
        generics = constructor_generics(
            infer, decl, path, expected && type_of(expected)->kind == TYPE_NAMED ? expected : NULL);
        type = variant_type(infer, decl, generics);
        check_fields_seen(infer, decl, last->name.span);
        break;
    default:
        diag_add(infer->lang->diags, DIAG_NOT_A_VALUE, expr->span, "`{}` is {}, not a value",
                 lang_text(infer->lang, expr->span), decl_words[decl->kind]);
        return type_poison(infer->lang);
    }
    put_use(infer, expr, (Use){.kind = USE_DECL, .decl = decl, .generics = generics});
    return type;
}

// What a type with few methods goes on with.
static void help_methods(Infer *infer, Diag *diag, Type *type)
{
    enum { FEW = 4 };
    if (type->kind != TYPE_NAMED || !type->decl->is_builtin || type->decl->impls.count != 1)
        return;
    const AstItems *items = impl_items(infer->lang, type->decl->impls.items[0]);
    StrBuf names = {.arena = infer->lang->arena};
    for (int64_t i = 0; i < items->count; i++)
        buf_format(&names, "{}`{}`", i ? " or " : "", items->items[i]->name.text);
    if (items->count <= FEW)
        diag_help(diag, "`{}` goes on with {}", type->decl->name, buf_str(&names));
}

static bool method_exists(Infer *infer, Decl *owner, const char *name)
{
    for (int64_t i = 0; i < owner->impls.count; i++)
        if (impl_member(infer->lang, owner->impls.items[i], lang_name(infer->lang, name)))
            return true;
    return false;
}

// A method of the view of a tensor.
static bool help_view(Infer *infer, Diag *diag, Type *type, const AstName *member)
{
    const char *name = member->text;
    static const char *const views[] = {"view", "view_mut"}, *const endings[] = {"View", "ViewMut"};
    for (size_t i = 0; type->kind == TYPE_NAMED && i < COUNT_OF(views); i++) {
        Str view = str_format(infer->lang->arena, "{}{}", type->decl->name, endings[i]);
        Decl *decl = decl_in(infer->lang, &infer->lang->prelude->names[SPACE_TYPE],
                             intern(&infer->lang->names, view));
        if (!decl || !method_exists(infer, decl, name))
            continue;
        Span start = {member->span.source, member->span.start, member->span.start};
        diag_help(diag, "`{}` is a method of its views: `.{}().{}(..)`", name, views[i], name);
        diag_edit(diag, start, "{}().", views[i]);
        return true;
    }
    return false;
}

static Position position_of(Type *type)
{
    for (Position i = 0; i < POSITION_COUNT; i++)
        if (position_types[i] && strcmp(type_head_name(type), position_types[i]) == 0)
            return i;
    return POSITION_COUNT;
}

// A stage that comes too early: which one is missing before it.
static bool help_stage(Diag *diag, Type *type, const AstName *member)
{
    const char *name = member->text;
    Position position = position_of(type);
    uint32_t wanted = 0;
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++) {
        size_t length = strlen(stages[kind].method);
        bool same = strncmp(name, stages[kind].method, length) == 0 &&
                    (!name[length] || strncmp(name + length, "_with_", 6) == 0);
        wanted = same ? stages[kind].from : wanted;
    }
    for (StageKind kind = STAGE_INPUT + 1; position < POSITION_COUNT && kind < STAGE_COUNT;
         kind++) {
        bool next = (stages[kind].from & 1U << position) && (wanted & 1U << stages[kind].to);
        if (!next || stages[kind].to == position)
            continue;
        bool bare = kind == STAGE_VECTOR_INIT || kind == STAGE_VECTOR_FINAL;
        Span start = {member->span.source, member->span.start, member->span.start};
        diag_help(diag, "call `{}` before `{}`", stages[kind].method, name);
        diag_edit(diag, bare ? start : SPAN_NOWHERE, "{}().", stages[kind].method);
        return true;
    }
    return false;
}

// The place before `.name`; nowhere: no dot stands right before the name.
static Span before_dot(const Lang *lang, Span name)
{
    Span dot = {name.source, name.start - 1, name.start};
    bool found = name.start > 0 && str_equal(lang_text(lang, dot), STR("."));
    return found ? (Span){name.source, dot.start, dot.start} : SPAN_NOWHERE;
}

void report_member(Infer *infer, Type *type, const AstName *name)
{
    Type *known = type_of(type);
    type_recall(infer->lang, known);
    if (known->kind == TYPE_ERROR || may_do(infer, type))
        return;
    if (known->kind == TYPE_NAMED && known->decl->kind == DECL_ENUM && known->decl->item &&
        name->text[0] >= 'A' && name->text[0] <= 'Z') {
        module_report(infer->lang, infer->scope, known->decl, name, SPACE_VALUE);
        return;
    }
    Diag *diag = diag_add(infer->lang->diags, DIAG_METHOD_UNKNOWN, name->span,
                          "{}{}{} has no method or constant `{}`",
                          type_of(type)->kind == TYPE_NAMED ? "`" : "", type_head_name(type),
                          type_of(type)->kind == TYPE_NAMED ? "`" : "", name->text);
    bool stage = stage_of_method(name->text) != STAGE_COUNT;
    if (help_await(diag, type, before_dot(infer->lang, name->span)) ||
        note_left_out(infer->lang, diag, name->text) || help_stage(diag, type_strip(type), name) ||
        help_view(infer, diag, type_strip(type), name))
        return;
    Near near = stage ? (Near){0} : near_member(infer->lang, type, name->text);
    Type *stripped = type_strip(type);
    Decl *other = find_anywhere(infer->lang, name->text,
                                stripped->kind == TYPE_NAMED ? stripped->decl : NULL);
    if (!near_help(&near, diag, name->span) && other && other->impl->self)
        diag_help(diag, "`{}` is a method of `{}`", name->text, type_head_name(other->impl->self));
    help_methods(infer, diag, stripped);
}

// <Type as Trait>::member
static Decl *member_as(Infer *infer, Type *type, const AstType *trait, const char *name,
                       Type **self)
{
    const AstSegments *segments = &trait->path.segments;
    return segments->count
               ? find_trait_member(infer->lang, type,
                                   segments->items[segments->count - 1].name.text, name, self)
               : NULL;
}

// Type::member
static Type *member_path(Infer *infer, const AstExpr *expr, Type *type)
{
    const AstPath *path = &expr->path;
    const AstSegment *last = &path->segments.items[path->segments.count - 1];
    Type *self, *known = type_of(type);
    type_recall(infer->lang, known);
    if (known->kind == TYPE_ERROR)
        return type_poison(infer->lang);
    if (known->kind == TYPE_NAMED && known->decl->kind == DECL_ENUM) { // a variant through an alias
        Decl *variant = map_get(&known->decl->variants, last->name.text);
        if (variant) {
            put_use(infer, expr, (Use){.kind = USE_DECL, .decl = variant, .generics = known->args});
            return variant_type(infer, variant, known->args);
        }
    }
    Decl *decl = path->as_trait && path->as_trait->kind == AST_TYPE_PATH
                     ? member_as(infer, type, path->as_trait, last->name.text, &self)
                     : NULL;
    if (!decl)
        decl = find_member(infer->lang, type, last->name.text, &self);
    if (!decl) {
        report_member(infer, type, &last->name);
        return type_poison(infer->lang);
    }
    check_member_seen(infer, decl, &last->name);
    if (decl->kind == DECL_CONST) {
        Type **generics = constant_generics(infer, decl, self);
        put_use(infer, expr,
                (Use){.kind = USE_DECL, .decl = decl, .generics = generics, .self = self});
        return constant_type(infer, decl, self);
    }
    Type **generics = call_generics(infer, decl, last, self);
    put_use(infer, expr, (Use){.kind = USE_DECL, .decl = decl, .generics = generics, .self = self});
    Type *function = function_type(infer, decl, generics);
    const Signature *signature = signature_of(infer->lang, decl);
    bool lent = signature->self_kind == SELF_REF || signature->self_kind == SELF_REF_MUT;
    if (lent && signature->self && known->kind == TYPE_NAMED && type_of(self) != known)
        function->args[0] =
            type_ref(infer->lang, known, signature->self_kind == SELF_REF_MUT); // Vec::len
    return function;
}

static Decl *resolve_in(Infer *infer, const AstPath *path, Space space, const Locals *locals,
                        int64_t *used)
{
    AstName few[4];
    AstNames names = {.items = few, .capacity = 4};
    for (int64_t i = 0; i < path->segments.count; i++)
        *array_push(infer->lang->arena, &names, AstName) = path->segments.items[i].name;
    Decl *decl = module_resolve(infer->lang, infer->scope, path->global, names.items, names.count,
                                space, (OwnNames){locals, infer->types.signature}, used);
    infer->silenced |= !decl; // what it takes is not known either
    return decl;
}

Type *infer_path(Infer *infer, const AstExpr *expr, Type *expected)
{
    const AstPath *path = &expr->path;
    int64_t count = path->segments.count, used;
    if (!count)
        return type_poison(infer->lang);
    if (!path->self && count == 1) {
        const char *name = path->segments.items[0].name.text;
        if (infer->assigns && strcmp(name, "_") == 0) // (a, _) = ..: what is thrown away
            return type_var(infer->lang, VAR_ANY, expr->span);
        Type *local = local_path(infer, expr, name);
        if (local)
            return local;
        Type *self = infer->types.self ? type_of(infer->types.self) : NULL;
        if (self && self->kind == TYPE_NAMED && strcmp(name, "Self") == 0 &&
            self->decl->kind == DECL_STRUCT)
            return decl_path_type(infer, expr, self->decl, self);
    }
    if (path->self || (count > 1 && is_generic_or_self(&infer->types, path)))
        return member_path(infer, expr, prefix_type(&infer->types, path));
    Decl *decl = resolve_in(infer, path, SPACE_VALUE, &infer->locals, &used);
    if (!decl)
        return type_poison(infer->lang);
    if (used == count)
        return decl_path_type(infer, expr, decl, expected);
    if (decl->kind == DECL_TRAIT && !decl->is_builtin && used + 1 == count)
        return trait_path(infer, expr, decl);
    if (decl->kind == DECL_TRAIT) // Default::default(): of whatever type is wanted
        return member_path(infer, expr, type_var(infer->lang, VAR_ANY, path->span));
    return member_path(infer, expr, prefix_type(&infer->types, path));
}

Decl *resolve_constructor(Infer *infer, const AstPath *path, Space space, Type *expected,
                          Type **type, Type ***generics)
{
    int64_t used;
    Decl *decl;
    if (is_generic_or_self(&infer->types, path)) {
        Type *self =
            path->segments.count == 1 ? infer->types.self : prefix_type(&infer->types, path);
        self = self ? type_of(self) : type_poison(infer->lang);
        const char *last = path->segments.items[path->segments.count - 1].name.text;
        bool whole = path->segments.count == 1;
        if (self->kind != TYPE_NAMED || (whole && self->decl->kind != DECL_STRUCT)) {
            if (self->kind != TYPE_ERROR || !infer->types.self)
                diag_add(infer->lang->diags, DIAG_NOT_A_VALUE, path->span,
                         "`{}` is no struct that can be made here", last);
            return NULL;
        }
        *generics = self->args;
        *type = self;
        return whole ? self->decl : map_get(&self->decl->variants, last);
    }
    Decl *found = resolve_in(infer, path, space, NULL, &used);
    if (found && found->kind == DECL_ALIAS && used + 1 == path->segments.count) {
        *type = type_of(prefix_type(&infer->types, path)); // a variant through an alias
        *generics = (*type)->args;
        const char *name = path->segments.items[used].name.text;
        bool is_enum = (*type)->kind == TYPE_NAMED && (*type)->decl->kind == DECL_ENUM;
        decl = is_enum ? enum_variant((*type)->decl, name) : NULL;
        if (decl)
            return decl;
    }
    if (found && used != path->segments.count) {
        module_report(infer->lang, infer->scope, found, &path->segments.items[used].name, space);
        return NULL;
    }
    decl = found;
    if (decl && decl->kind == DECL_ALIAS) { // of a struct
        AstType written = {.kind = AST_TYPE_PATH, .span = path->span, .path = *path};
        *type = type_of(resolve_type(&infer->types, &written));
        *generics = (*type)->args;
        return (*type)->kind == TYPE_NAMED && (*type)->decl->kind == DECL_STRUCT ? (*type)->decl
                                                                                 : NULL;
    }
    if (decl && decl->kind == DECL_CONST) {
        *type = constant_type(infer, decl, NULL);
        return decl;
    }
    if (!decl || (decl->kind != DECL_VARIANT && decl->kind != DECL_STRUCT))
        return NULL;
    *generics = constructor_generics(infer, decl, path, expected);
    *type = type_instantiate(infer->lang, signature_of(infer->lang, decl)->result, *generics);
    return decl;
}

// Paths, calls and methods: which declaration they mean, and what its generics are.
#include "lang/infer_internal.h"

#include "base/checked.h"
#include "lang/format_text.h"
#include "lang/parse.h"

#include <inttypes.h>
#include <string.h>

// ---- generics of a call

void put_use(Infer *infer, const AstExpr *expr, Use use)
{
    Use *copy = arena_new(infer->lang->arena, Use, 1);
    *copy = use;
    infer->body->uses[expr->id - infer->body->first_expr] = copy;
}

// Those of an impl block are mostly the arguments of the type it is for, one by one.
static int32_t generics_of_self(const Signature *signature, Type *self, Type **generics)
{
    Type *wanted = signature->self;
    if (self && self->kind == TYPE_IMPL && is_trait_member(signature->decl)) {
        generics[0] = self; // a `dyn Trait<A>`: what the trait says, of A
        int32_t count = 1;
        for (; count < signature->own_start && count <= self->arg_count; count++)
            generics[count] = self->args[count - 1];
        return count;
    }
    if (!self || !wanted || wanted->kind != TYPE_NAMED || self->kind != TYPE_NAMED ||
        wanted->decl != self->decl || wanted->arg_count != signature->own_start)
        return 0;
    for (int32_t i = 0; i < wanted->arg_count; i++)
        if (wanted->args[i]->kind != TYPE_PARAM || wanted->args[i]->index != i)
            return 0;
    for (int32_t i = 0; i < wanted->arg_count; i++)
        generics[i] = self->args[i];
    return wanted->arg_count;
}

static Type **new_generics(Infer *infer, const Signature *signature, Span span, Type *self)
{
    Type **generics =
        arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = generics_of_self(signature, self, generics); i < signature->generic_count;
         i++) {
        Type *var = type_var(infer->lang, VAR_ANY, span);
        var->name = signature->generics[i]->name.text;
        var->of = signature->decl;
        generics[i] = var;
    }
    return generics;
}

static const struct {
    const char *bound;
    ObligationKind kind;
} obligation_bounds[] = {
    {"FromIterator", OBLIGATION_COLLECT},
    {"Sum", OBLIGATION_SUM},
    {"IntoIterator", OBLIGATION_ITERATES},
    {"Iterator", OBLIGATION_ITERATES},
    {"DoubleEndedIterator", OBLIGATION_ITERATES},
    {"ExactSizeIterator", OBLIGATION_ITERATES},
    {"Into", OBLIGATION_INTO},
    {"Extend", OBLIGATION_EXTENDS},
    {"IntoOwned", OBLIGATION_OWNED},
};

// What the bounds of generics say about their types beyond what they may be.
static void add_obligations(Infer *infer, const Signature *signature, Type **generics, Span span)
{
    for (int32_t i = 0; i < signature->generic_count; i++) {
        const AstGeneric *generic = signature->generics[i];
        for (int64_t k = 0; k < generic->bounds.count; k++) {
            const AstType *bound = generic->bounds.items[k];
            bool named = bound->kind == AST_TYPE_PATH || bound->kind == AST_TYPE_IMPL;
            if (!named || !bound->path.segments.count)
                continue;
            const AstSegment *segment = &bound->path.segments.items[bound->path.segments.count - 1];
            for (size_t o = 0; o < COUNT_OF(obligation_bounds); o++) {
                if (!segment->args.count || !segment->args.items[0].type ||
                    strcmp(segment->name.text, obligation_bounds[o].bound) != 0)
                    continue;
                TypeScope scope = {.lang = infer->lang,
                                   .scope = signature->decl->scope,
                                   .signature = signature,
                                   .generics = generics};
                Type *source = resolve_type(&scope, segment->args.items[0].type);
                bool into = obligation_bounds[o].kind == OBLIGATION_INTO; // the other way round
                *array_push(infer->lang->arena, &infer->obligations, Obligation) =
                    (Obligation){.kind = obligation_bounds[o].kind,
                                 .target = into ? source : generics[i],
                                 .source = into ? generics[i] : source,
                                 .span = span,
                                 .name = "from"};
            }
        }
    }
}

static void add_call(Infer *infer, const AstSegment *name, const Signature *signature,
                     Type **generics)
{
    *array_push(infer->lang->arena, &infer->calls, PendingCall) =
        (PendingCall){name, signature, generics};
    add_obligations(infer, signature, generics, name->name.span);
}

// The generics of a function: those of its impl block from the type it belongs to, its own from
// what is written behind its name.
Type **call_generics(Infer *infer, const Decl *decl, const AstSegment *segment, Type *self)
{
    const Signature *signature = signature_of(infer->lang, decl);
    Type **generics = new_generics(infer, signature, segment->name.span, self);
    if (segment->has_args && segment->args.count)
        resolve_args(&infer->types, segment, signature, signature->own_start, signature->own_end,
                     generics, false);
    bool taken = self && self->kind == TYPE_NAMED && self->arg_count && signature->own_start &&
                 generics[0] == self->args[0];
    if (self && signature->self && !taken) {
        Mismatch why = {0};
        Type *wanted = type_instantiate(infer->lang, signature->self, generics);
        if (!type_unify(infer->lang, wanted, self, &why, NULL) && !infer->rigid)
            diag_add(infer->lang->diags, DIAG_TYPE_MISMATCH, segment->name.span,
                     "`%s` is for `%.*s`, this is `%.*s`", decl->name,
                     STR_ARG(type_text(infer->lang->arena, wanted)),
                     STR_ARG(type_text(infer->lang->arena, self)));
    }
    place_open(infer, segment->name.span);
    add_call(infer, segment, signature, generics);
    return generics;
}

// A function by its name as a value.
Type *function_type(Infer *infer, const Decl *decl, Type **generics)
{
    const Signature *signature = signature_of(infer->lang, decl);
    bool method = signature->self_kind != SELF_NONE && signature->self;
    int32_t count = signature->param_count + method;
    Type *type = arena_new(infer->lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_FN, .decl = decl, .arg_count = count + 1, .generics = generics};
    type->args = arena_new(infer->lang->arena, Type *, (size_t)count + 1);
    if (method) {
        Type *self = type_instantiate(infer->lang, signature->self, generics);
        bool value = signature->self_kind == SELF_VALUE;
        type->args[0] =
            value ? self : type_ref(infer->lang, self, signature->self_kind == SELF_REF_MUT);
    }
    for (int32_t i = 0; i < signature->param_count; i++)
        type->args[i + method] = type_instantiate(infer->lang, signature->params[i], generics);
    type->args[count] =
        call_result(infer, decl, type_instantiate(infer->lang, signature->result, generics));
    return type;
}

// ---- paths

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

static Type *variant_type(Infer *infer, const Decl *decl, Type **generics)
{
    bool unit = decl->kind == DECL_VARIANT ? decl->variant->kind == FIELDS_NONE
                                           : decl->item->structure.kind == FIELDS_NONE;
    Type *type = function_type(infer, decl, generics);
    return unit ? type->args[type->arg_count - 1] : type;
}

// The generics of a constructor: written behind the enum, or behind the variant.
static Type **constructor_generics(Infer *infer, const Decl *decl, const AstPath *path,
                                   Type *expected)
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
static Type **constant_generics(Infer *infer, const Decl *decl, Type *self)
{
    const Signature *signature = signature_of(infer->lang, decl);
    Type **generics = new_generics(infer, signature, SPAN_NOWHERE, NULL);
    if (self && decl->impl && decl->impl->self)
        type_unify(infer->lang, type_instantiate(infer->lang, decl->impl->self, generics), self,
                   NULL, NULL);
    return generics;
}

static Type *constant_type(Infer *infer, const Decl *decl, Type *self)
{
    const Signature *signature = signature_of(infer->lang, decl);
    Type **generics = constant_generics(infer, decl, self);
    TypeScope scope = {.lang = infer->lang,
                       .scope = decl->scope,
                       .signature = signature,
                       .generics = generics,
                       .self = self};
    return resolve_type(&scope, decl->item->constant.type);
}

static Type *decl_path_type(Infer *infer, const AstExpr *expr, const Decl *decl, Type *expected)
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
        diag_add(infer->lang->diags, DIAG_NOT_A_VALUE, expr->span, "`%.*s` is %s, not a value",
                 STR_ARG(lang_text(infer->lang, expr->span)), decl_words[decl->kind]);
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
    const AstItems *items = &type->decl->impls.items[0]->item->impl.items;
    StrBuf names = {.arena = infer->lang->arena};
    for (int64_t i = 0; i < items->count; i++)
        buf_printf(&names, "%s`%s`", i ? " or " : "", items->items[i]->name.text);
    if (items->count <= FEW)
        diag_help(diag, "`%s` goes on with %.*s", type->decl->name, STR_ARG(buf_str(&names)));
}

static bool method_exists(Infer *infer, const Decl *owner, const char *name)
{
    for (int64_t i = 0; i < owner->impls.count; i++)
        if (map_get(&owner->impls.items[i]->members, lang_name(infer->lang, name)))
            return true;
    return false;
}

// A method of the view of a tensor.
static bool help_view(Infer *infer, Diag *diag, Type *type, const AstName *member)
{
    const char *name = member->text;
    static const char *const views[] = {"view", "view_mut"}, *const endings[] = {"View", "ViewMut"};
    for (size_t i = 0; type->kind == TYPE_NAMED && i < COUNT_OF(views); i++) {
        Str view = str_format(infer->lang->arena, "%s%s", type->decl->name, endings[i]);
        const Decl *decl =
            map_get(&infer->lang->prelude->names[SPACE_TYPE], intern(&infer->lang->names, view));
        if (!decl || !method_exists(infer, decl, name))
            continue;
        Span start = {member->span.source, member->span.start, member->span.start};
        diag_help(diag, "`%s` is a method of its views: `.%s().%s(..)`", name, views[i], name);
        diag_edit(diag, start, "%s().", views[i]);
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
        diag_help(diag, "call `%s` before `%s`", stages[kind].method, name);
        diag_edit(diag, bare ? start : SPAN_NOWHERE, "%s().", stages[kind].method);
        return true;
    }
    return false;
}

static void report_member(Infer *infer, Type *type, const AstName *name)
{
    Type *known = type_of(type);
    if (known->kind == TYPE_ERROR || may_do(infer, type))
        return;
    if (known->kind == TYPE_NAMED && known->decl->kind == DECL_ENUM && known->decl->item &&
        name->text[0] >= 'A' && name->text[0] <= 'Z') {
        module_report(infer->lang, infer->scope, (Decl *)(uintptr_t)known->decl, name, SPACE_VALUE);
        return;
    }
    Diag *diag = diag_add(infer->lang->diags, DIAG_METHOD_UNKNOWN, name->span,
                          "%s%s%s has no method or constant `%s`",
                          type_of(type)->kind == TYPE_NAMED ? "`" : "", type_head_name(type),
                          type_of(type)->kind == TYPE_NAMED ? "`" : "", name->text);
    if (help_await(diag, type) || help_stage(diag, type_strip(type), name) ||
        help_view(infer, diag, type_strip(type), name))
        return;
    const char *near = near_member(infer->lang, type, name->text);
    Type *stripped = type_strip(type);
    const Decl *other = find_anywhere(infer->lang, name->text,
                                      stripped->kind == TYPE_NAMED ? stripped->decl : NULL);
    if (near) {
        diag_help(diag, "did you mean `%s`?", near);
        diag_edit(diag, name->span, "%s", near);
    } else if (other && other->impl->self) {
        diag_help(diag, "`%s` is a method of `%s`", name->text, type_head_name(other->impl->self));
    }
    help_methods(infer, diag, stripped);
}

// <Type as Trait>::member
static const Decl *member_as(Infer *infer, Type *type, const AstType *trait, const char *name,
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
    if (known->kind == TYPE_ERROR)
        return type_poison(infer->lang);
    if (known->kind == TYPE_NAMED && known->decl->kind == DECL_ENUM) { // a variant through an alias
        Decl *variant = map_get(&known->decl->variants, last->name.text);
        if (variant) {
            put_use(infer, expr, (Use){.kind = USE_DECL, .decl = variant, .generics = known->args});
            return variant_type(infer, variant, known->args);
        }
    }
    const Decl *decl = path->as_trait && path->as_trait->kind == AST_TYPE_PATH
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

// The type before the last `::` of a path.
static Type *prefix_type(Infer *infer, const AstPath *path)
{
    if (path->self && path->segments.count == 1)
        return resolve_type(&infer->types, path->self);
    AstType type = {.kind = AST_TYPE_PATH, .span = path->span, .path = *path};
    type.path.segments.count--;
    return resolve_type(&infer->types, &type);
}

static bool is_generic_or_self(const Infer *infer, const AstPath *path)
{
    const char *first = path->segments.items[0].name.text;
    if (strcmp(first, "Self") == 0)
        return true;
    const Signature *signature = infer->body->signature;
    for (int32_t i = 0; i < signature->generic_count; i++)
        if (signature->generics[i]->name.text == first)
            return true;
    return false;
}

static Decl *resolve_in(Infer *infer, const AstPath *path, Space space, int64_t *used)
{
    AstName few[4];
    AstNames names = {.items = few, .capacity = 4};
    for (int64_t i = 0; i < path->segments.count; i++)
        *array_push(infer->lang->arena, &names, AstName) = path->segments.items[i].name;
    return module_resolve(infer->lang, infer->scope, path->global, names.items, names.count, space,
                          used);
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
    if (path->self || (count > 1 && is_generic_or_self(infer, path)))
        return member_path(infer, expr, prefix_type(infer, path));
    Decl *decl = resolve_in(infer, path, SPACE_VALUE, &used);
    if (!decl)
        return type_poison(infer->lang);
    if (used == count)
        return decl_path_type(infer, expr, decl, expected);
    if (decl->kind == DECL_TRAIT && !decl->is_builtin && used + 1 == count)
        return trait_path(infer, expr, decl);
    if (decl->kind == DECL_TRAIT) // Default::default(): of whatever type is wanted
        return member_path(infer, expr, type_var(infer->lang, VAR_ANY, path->span));
    return member_path(infer, expr, prefix_type(infer, path));
}

const Decl *resolve_constructor(Infer *infer, const AstPath *path, Space space, Type *expected,
                                Type **type, Type ***generics)
{
    int64_t used;
    const Decl *decl;
    if (is_generic_or_self(infer, path)) {
        Type *self = path->segments.count == 1 ? infer->types.self : prefix_type(infer, path);
        self = self ? type_of(self) : type_poison(infer->lang);
        const char *last = path->segments.items[path->segments.count - 1].name.text;
        bool whole = path->segments.count == 1;
        if (self->kind != TYPE_NAMED || (whole && self->decl->kind != DECL_STRUCT)) {
            if (self->kind != TYPE_ERROR || !infer->types.self)
                diag_add(infer->lang->diags, DIAG_NOT_A_VALUE, path->span,
                         "`%s` is no struct that can be made here", last);
            return NULL;
        }
        *generics = self->args;
        *type = self;
        return whole ? self->decl : map_get(&self->decl->variants, last);
    }
    Decl *found = resolve_in(infer, path, space, &used);
    if (found && found->kind == DECL_ALIAS && used + 1 == path->segments.count) {
        *type = type_of(prefix_type(infer, path)); // a variant through an alias
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

// ---- arguments

static void check_argument(Infer *infer, const AstExpr *arg, Type *param)
{
    Type *known = type_of(param);
    if (known->kind == TYPE_IMPL)
        check_impl(infer, arg, known);
    else
        check_expr(infer, arg, param);
}

static void help_params(Infer *infer, Diag *diag, Type **params, int32_t count)
{
    StrBuf types = {.arena = infer->lang->arena};
    for (int32_t i = 0; i < count; i++)
        buf_printf(&types, "%s`%.*s`", i ? ", " : "",
                   STR_ARG(type_text(infer->lang->arena, params[i])));
    if (count)
        diag_help(diag, "%s %.*s", count == 1 ? "it takes" : "they are", STR_ARG(buf_str(&types)));
}

static void check_arguments(Infer *infer, const char *name, const AstExprs *args, Type **params,
                            int32_t count, Span span)
{
    if (args->count != count) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_ARGUMENT_COUNT, span,
                              "`%s` takes %d argument%s, not %" PRId64, name, count,
                              count == 1 ? "" : "s", args->count);
        help_params(infer, diag, params, count);
        for (int64_t i = 0; i < args->count; i++)
            infer_expr(infer, args->items[i], NULL);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        check_argument(infer, args->items[i], params[i]);
}

// The result is often known before the arguments are, and says what they are.
static void expect_result(Infer *infer, Type *result, Type *expected)
{
    if (expected && type_of(expected)->kind == TYPE_NAMED && type_of(result)->kind == TYPE_NAMED &&
        type_could_unify(infer->lang, result, expected))
        type_unify(infer->lang, result, expected, NULL, NULL);
}

// What an argument would say of the generics is lost when it is wrong itself.
static void forgive_generics(Infer *infer, const AstExprs *args, const Signature *signature,
                             Type **generics)
{
    bool wrong = false;
    for (int64_t i = 0; i < args->count; i++)
        wrong |= type_strip(body_type(infer->body, args->items[i]))->kind == TYPE_ERROR;
    for (int32_t i = 0; wrong && i < signature->generic_count; i++) {
        Type *type = type_of(generics[i]);
        if (type->kind == TYPE_VAR)
            type->bound = type_poison(infer->lang);
    }
}

// ---- launch

static bool is_device(const Decl *decl)
{
    return decl->item && attribute_find(&decl->item->attributes, "device");
}

// launch(kernel, (ctx, a, b)): the parameters of the kernel say what the arguments are.
static Type *infer_launch(Infer *infer, const AstExpr *expr, Type *callee)
{
    const AstExprs *args = &expr->call.args;
    for (int32_t i = 0; i < signature_of(infer->lang, callee->decl)->generic_count; i++)
        type_unify(infer->lang, callee->generics[i], type_poison(infer->lang), NULL, NULL);
    if (args->count != 2) {
        diag_add(infer->lang->diags, DIAG_ARGUMENT_COUNT, expr->span,
                 "`launch` takes a device function and the tuple of its arguments");
        return type_poison(infer->lang);
    }
    Type *kernel = type_of(infer_expr(infer, args->items[0], NULL));
    const AstExpr *tuple = args->items[1];
    while (tuple->kind == AST_PAREN)
        tuple = tuple->inner;
    if (kernel->kind != TYPE_FN || !kernel->decl) {
        infer_expr(infer, tuple, NULL);
        if (kernel->kind != TYPE_ERROR)
            diag_add(infer->lang->diags, DIAG_LAUNCH, args->items[0]->span,
                     "`launch` takes a function with `#[device(chip = N)]`, not %s",
                     type_head_name(kernel));
        return type_poison(infer->lang);
    }
    if (!is_device(kernel->decl)) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_LAUNCH, args->items[0]->span,
                              "`%s` is no device function", kernel->decl->name);
        diag_note(diag, kernel->decl->span, "declared here");
        diag_help(diag, "put `#[device(chip = 1)]` before it");
    }
    int32_t count = kernel->arg_count - 1;
    if (tuple->kind == AST_TUPLE && count != 1) {
        check_arguments(infer, kernel->decl->name, &tuple->items, kernel->args, count, tuple->span);
        infer->body->types[tuple->id - infer->body->first_expr] =
            type_tuple(infer->lang, kernel->args, count);
    } else {
        check_expr(infer, tuple,
                   count == 1 ? kernel->args[0] : type_tuple(infer->lang, kernel->args, count));
    }
    for (const AstExpr *outer = args->items[1]; outer != tuple; outer = outer->inner)
        infer->body->types[outer->id - infer->body->first_expr] = body_type(infer->body, tuple);
    return future_of(infer, kernel->args[count]);
}

// ---- calls

// What a bound `F: Fn(A) -> B` says of an argument; NULL: the parameter is no such generic.
static Type *bound_of_param(Infer *infer, const Signature *signature, Type **generics,
                            int32_t index)
{
    if (index < 0 || index >= signature->param_count ||
        signature->params[index]->kind != TYPE_PARAM)
        return NULL;
    const AstTypes *found = &signature->generics[signature->params[index]->index]->bounds;
    TypeScope scope = {
        .lang = infer->lang,
        .scope = signature->decl->scope,
        .signature = signature,
        .generics = generics,
        .self = signature->self ? type_instantiate(infer->lang, signature->self, generics) : NULL};
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->kind == AST_TYPE_FN)
            return resolve_type(&scope, found->items[i]);
    return NULL;
}

// A closure for a generic with such a bound gets its types from there. `self`: the first argument
// stands before the parameters.
static void expect_closures(Infer *infer, const AstExprs *args, const Signature *signature,
                            Type **generics, bool self)
{
    for (int32_t i = 0; i < args->count; i++) {
        Type *bound = args->items[i]->kind == AST_CLOSURE
                          ? bound_of_param(infer, signature, generics, i - self)
                          : NULL;
        if (bound)
            type_unify(infer->lang, generics[signature->params[i - self]->index], bound, NULL,
                       NULL);
    }
}

// `F: Fn(A) -> B` of the body at hand can be called; the generic itself, if it is no such.
static Type *bound_of_generic(Infer *infer, Type *type)
{
    const AstTypes *found = &type->generic->bounds;
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->kind == AST_TYPE_FN)
            return resolve_type(&infer->types, found->items[i]);
    return type;
}

static Type *call_callable(Infer *infer, const AstExpr *expr, Type *callee, const char *name)
{
    bool known = callee->decl && callee->decl->kind == DECL_FN;
    const Signature *signature = known ? signature_of(infer->lang, callee->decl) : NULL;
    if (known)
        expect_closures(infer, &expr->call.args, signature, callee->generics,
                        callee->arg_count - 1 > signature->param_count);
    check_arguments(infer, name, &expr->call.args, callee->args, callee->arg_count - 1, expr->span);
    // once the arguments are known, types made of generics may be, too
    return known ? call_result(infer, callee->decl,
                               type_instantiate(infer->lang, signature->result, callee->generics))
                 : callee->args[callee->arg_count - 1];
}

// A path to a function that several impl blocks have: the one that takes the arguments.
static Type *overloaded(Infer *infer, const AstExpr *expr, Type *type)
{
    const AstExpr *callee = expr->call.callee;
    Use *use = infer->body->uses[callee->id - infer->body->first_expr];
    if (callee->kind != AST_PATH || !use || !use->self || type->decl->kind != DECL_FN)
        return type;
    const Decl *decl = choose_overload(infer, type->decl, use->self, &expr->call.args);
    if (decl == type->decl)
        return type;
    const AstSegments *segments = &callee->path.segments;
    use->decl = decl;
    use->generics = call_generics(infer, decl, &segments->items[segments->count - 1], use->self);
    return function_type(infer, decl, use->generics);
}

static void report_callee(Infer *infer, const AstExpr *callee, Type *type)
{
    Str name = callee->kind == AST_PATH ? lang_text(infer->lang, callee->span) : STR("");
    diag_add(infer->lang->diags, DIAG_NOT_CALLABLE, callee->span,
             "%s%.*s%s is no function: its type is `%.*s`", name.len ? "`" : "this", STR_ARG(name),
             name.len ? "`" : "", STR_ARG(type_text(infer->lang->arena, type)));
}

Type *infer_call(Infer *infer, const AstExpr *expr, Type *expected)
{
    const AstExpr *callee = expr->call.callee;
    Type *type = type_unboxed(infer_expr(infer, callee, NULL));
    if (type->kind == TYPE_FN && type->decl)
        type = overloaded(infer, expr, type);
    if (type->kind == TYPE_FN && type->decl) {
        if (type->decl->is_builtin && strcmp(type->decl->name, "launch") == 0)
            return infer_launch(infer, expr, type);
        if (is_device(type->decl)) {
            Diag *diag =
                diag_add(infer->lang->diags, DIAG_LAUNCH, callee->span,
                         "the device function `%s` cannot be called by its name", type->decl->name);
            diag_help(diag,
                      "the host runs it with `launch(%s, (..)).await`; code that kernels share "
                      "goes into a function without `#[device]`",
                      type->decl->name);
        }
        if (type->decl->kind == DECL_FN)
            check_unsafe(infer, type->decl, callee->span, expr->span);
        expect_result(infer, awaited(type->args[type->arg_count - 1]), expected);
        int64_t errors = infer->lang->diags->error_count;
        Type *result = call_callable(infer, expr, type, type->decl->name);
        Use *use = infer->body->uses[callee->id - infer->body->first_expr];
        if (use)
            use->broken = infer->lang->diags->error_count > errors;
        return result;
    }
    if (type->kind == TYPE_PARAM && type->generic)
        type = bound_of_generic(infer, type);
    if (type->kind == TYPE_FN || type->kind == TYPE_CLOSURE)
        return call_callable(infer, expr, type, "this closure");
    for (int64_t i = 0; i < expr->call.args.count; i++)
        infer_expr(infer, expr->call.args.items[i], NULL);
    if (type->kind != TYPE_ERROR && !may_do(infer, type))
        report_callee(infer, callee, type);
    return type_poison(infer->lang);
}

// ---- methods

void infer_all(Infer *infer, const AstExprs *exprs)
{
    for (int64_t i = 0; i < exprs->count; i++)
        infer_expr(infer, exprs->items[i], NULL);
}

// Methods of a closure-valued field, or of something unknown, end here.
static Type *method_error(Infer *infer, const AstExpr *expr, Type *type)
{
    may_do(infer, type); // before the arguments, of which the bound says something, too
    infer_all(infer, &expr->method.args);
    if (type->kind == TYPE_VAR && type->class == VAR_ANY && infer->silenced)
        return type_poison(infer->lang);
    if (type->kind == TYPE_VAR && type->class == VAR_ANY) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_AMBIGUOUS, expr->method.receiver->span,
                              "the type of this must be known before `%s` can be called",
                              expr->method.name.name.text);
        diag_help(diag, "give the `let` or the parameter its type");
    } else {
        report_member(infer, type, &expr->method.name.name);
    }
    return type_poison(infer->lang);
}

Type *infer_method(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type = type_of(infer_expr(infer, expr->method.receiver, NULL)), *self;
    int64_t errors = infer->lang->diags->error_count;
    if (type_strip(type)->kind == TYPE_VAR)
        settle_obligations(infer);
    type = type_of(type);
    bool open = type_strip(type)->kind == TYPE_VAR && type_strip(type)->class == VAR_ANY;
    const AstSegment *name = &expr->method.name;
    const Decl *decl = open ? NULL : find_member(infer->lang, type, name->name.text, &self);
    if (type_strip(type)->kind == TYPE_ERROR) {
        infer_all(infer, &expr->method.args);
        return type_poison(infer->lang);
    }
    if (!decl || decl->kind != DECL_FN)
        return method_error(infer, expr, type_strip(type));
    decl = choose_overload(infer, decl, self, &expr->method.args);
    adjust_receiver(infer, expr->method.receiver, type, decl->impl ? self : type);
    Type **generics = call_generics(infer, decl, name, self);
    const Signature *signature = signature_of(infer->lang, decl);
    check_unsafe(infer, decl, name->name.span, expr->span);
    check_member_seen(infer, decl, &name->name);
    if (signature->self_kind == SELF_REF_MUT) {
        check_mutable(infer, expr->method.receiver, "changed by this method");
        change_place(infer, expr->method.receiver);
    }
    put_use(infer, expr, (Use){.kind = USE_DECL, .decl = decl, .generics = generics, .self = self});
    Type *result = type_instantiate(infer->lang, signature->result, generics);
    expect_result(infer, result, expected);
    expect_conversion(infer, expr, decl, type, generics);
    expect_closures(infer, &expr->method.args, signature, generics, false);
    Type **params =
        arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, signature->param_count));
    for (int32_t i = 0; i < signature->param_count; i++)
        params[i] = type_instantiate(infer->lang, signature->params[i], generics);
    check_arguments(infer, decl->name, &expr->method.args, params, signature->param_count,
                    name->name.span);
    infer->body->uses[expr->id - infer->body->first_expr]->broken =
        infer->lang->diags->error_count > errors;
    forgive_generics(infer, &expr->method.args, signature, generics);
    settle_obligations(infer); // what comes next in the chain may need to know
    // once the arguments are known, types made of generics may be, too
    return call_result(infer, decl, type_instantiate(infer->lang, signature->result, generics));
}

// ---- macros

typedef enum {
    MACRO_UNIT,
    MACRO_NEVER,
    MACRO_STRING,
    MACRO_BOOL,
    MACRO_FIRST,
    MACRO_BYTES,
    MACRO_RESULT,
    MACRO_NUMBER
} MacroResult;

static const struct {
    const char *name;
    MacroResult result;
} macros[] = {
    {"println", MACRO_UNIT},
    {"eprintln", MACRO_UNIT},
    {"print", MACRO_UNIT},
    {"eprint", MACRO_UNIT},
    {"assert", MACRO_UNIT},
    {"assert_eq", MACRO_UNIT},
    {"assert_ne", MACRO_UNIT},
    {"debug_assert", MACRO_UNIT},
    {"debug_assert_eq", MACRO_UNIT},
    {"debug_assert_ne", MACRO_UNIT},
    {"panic", MACRO_NEVER},
    {"todo", MACRO_NEVER},
    {"unimplemented", MACRO_NEVER},
    {"unreachable", MACRO_NEVER},
    {"format", MACRO_STRING},
    {"matches", MACRO_BOOL},
    {"cfg", MACRO_BOOL},
    {"dbg", MACRO_FIRST},
    {"include_bytes", MACRO_BYTES},
    {"include_str", MACRO_STRING},
    {"write", MACRO_RESULT},
    {"writeln", MACRO_RESULT},
    {"concat", MACRO_STRING},
    {"stringify", MACRO_STRING},
    {"env", MACRO_STRING},
    {"info", MACRO_UNIT},
    {"debug", MACRO_UNIT},
    {"warn", MACRO_UNIT},
    {"error", MACRO_UNIT},
    {"trace", MACRO_UNIT},
    {"format_args", MACRO_STRING},
    {"file", MACRO_STRING},
    {"module_path", MACRO_STRING},
    {"line", MACRO_NUMBER},
    {"column", MACRO_NUMBER},
};

static Type *infer_vec(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *hint = expected ? type_of(expected) : NULL;
    Type *item = hint && type_is_named(hint, "Vec") ? hint->args[0]
                                                    : type_var(infer->lang, VAR_ANY, expr->span);
    const AstExprs *args = &expr->macro.args;
    if (expr->macro.repeats) {
        check_expr(infer, args->items[0], item);
        check_expr(infer, args->items[1], type_prim(infer->lang, PRIM_usize));
    } else {
        for (int64_t i = 0; i < args->count; i++)
            check_expr(infer, args->items[i], item);
    }
    Type **types = arena_new(infer->lang->arena, Type *, 1);
    types[0] = item;
    return std_type(infer, "Vec", types, 1);
}

// assert_eq!(a, b): what is known of one side says what the other is.
static void infer_equal(Infer *infer, const AstExpr *expr)
{
    const AstExprs *args = &expr->macro.args;
    Type *left = infer_expr(infer, args->items[0], NULL);
    Type *right = infer_expr(infer, args->items[1], compared_hint(left));
    check_awaited(infer, args->items[0], left);
    check_awaited(infer, args->items[1], right);
    comparable(infer, left, right);
    own_equality(infer, expr, left, right);
    for (int64_t i = 2; i < args->count; i++)
        infer_expr(infer, args->items[i], NULL);
}

// What is wrong with a format, and arguments that it does not use.
static void check_format(Infer *infer, const AstExpr *expr)
{
    const FormatText *format = expr->macro.format;
    const AstExprs *args = &expr->macro.args;
    if (!format)
        return;
    const AstExpr *text = args->items[args->count - 1 - format->given];
    for (int64_t i = 0; i < format->problems.count; i++)
        diag_add(infer->lang->diags,
                 format->problems.items[i].of_arguments ? DIAG_FORMAT_ARGUMENTS : DIAG_FORMAT_TEXT,
                 text->span, "%.*s", STR_ARG(format->problems.items[i].message));
    for (int64_t i = 0; i < format->given && !format->problems.count; i++)
        if (!format->used[i])
            diag_add(infer->lang->diags, DIAG_FORMAT_ARGUMENTS,
                     args->items[args->count - format->given + i]->span,
                     "the format does not use this argument");
}

static void infer_macro_args(Infer *infer, const AstExpr *expr)
{
    check_format(infer, expr);
    const AstExprs *args = &expr->macro.args;
    for (int64_t i = 0; i < expr->macro.captured.count; i++)
        infer_expr(infer, expr->macro.captured.items[i], NULL);
    const char *name = expr->macro.name.text;
    bool equal = strstr(name, "assert_eq") || strstr(name, "assert_ne");
    if (equal && args->count >= 2) {
        infer_equal(infer, expr);
        return;
    }
    int64_t start = strcmp(name, "matches") == 0 ? args->count : 0; // the rest is a pattern
    if (start && args->count)
        infer_expr(infer, args->items[0], NULL);
    for (int64_t i = start; i < args->count; i++) {
        const AstExpr *arg = args->items[i];
        if (arg->kind == AST_ASSIGN) // name = value in a format
            arg = arg->binary.right;
        check_awaited(infer, arg, infer_expr(infer, arg, NULL));
    }
}

static Type *macro_result(Infer *infer, const AstExpr *expr, MacroResult result)
{
    Lang *lang = infer->lang;
    switch (result) {
    case MACRO_NEVER:
        return type_never(lang);
    case MACRO_STRING:
        return strcmp(expr->macro.name.text, "format") == 0
                   ? std_type(infer, "String", NULL, 0)
                   : type_ref(lang, type_prim(lang, PRIM_str), false);
    case MACRO_BOOL:
        return type_prim(lang, PRIM_bool);
    case MACRO_FIRST:
        return expr->macro.args.count ? body_type(infer->body, expr->macro.args.items[0])
                                      : type_unit(lang);
    case MACRO_BYTES:
        return type_ref(lang, type_slice(lang, type_prim(lang, PRIM_u8)), false);
    case MACRO_RESULT: {
        Type **args = arena_new(lang->arena, Type *, 2);
        args[0] = type_unit(lang);
        args[1] = std_type(infer, "Error", NULL, 0);
        return std_type(infer, "Result", args, 2);
    }
    case MACRO_NUMBER:
        return type_prim(lang, PRIM_u32);
    case MACRO_UNIT:
        break;
    }
    return type_unit(lang);
}

Type *infer_macro(Infer *infer, const AstExpr *expr, Type *expected)
{
    const char *name = expr->macro.name.text;
    if (strcmp(name, "vec") == 0 && expr->macro.readable)
        return infer_vec(infer, expr, expected);
    if (strcmp(name, "join") == 0 || strcmp(name, "try_join") == 0)
        return infer_join(infer, expr, name[0] == 't');
    for (size_t i = 0; i < COUNT_OF(macros); i++) {
        if (strcmp(macros[i].name, name) != 0)
            continue;
        infer_macro_args(infer, expr);
        return macro_result(infer, expr, macros[i].result);
    }
    Diag *diag = diag_add(infer->lang->diags, DIAG_MACRO_UNKNOWN, expr->macro.name.span,
                          "the macro `%s!` is not part of the language Contra reads", name);
    const AstItem *rules = map_get(&infer->lang->macros, name);
    if (rules) {
        diag_note(diag, rules->name.span, "declared here by `macro_rules!`, which is not read");
        diag_help(diag, "write a function instead");
        return type_poison(infer->lang);
    }
    const char *near = NULL;
    for (size_t i = 0; i < COUNT_OF(macros) && !near; i++)
        if (name_distance(name, macros[i].name, 2) <= 2)
            near = macros[i].name;
    if (near) {
        diag_help(diag, "did you mean `%s!`?", near);
        diag_edit(diag, expr->macro.name.span, "%s", near);
    }
    return type_poison(infer->lang);
}

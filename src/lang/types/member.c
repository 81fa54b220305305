// Impl blocks and what is in them: the functions and constants of a type, found by name.
#include "lang/types/signature.h"

#include "base/checked.h"

#include <string.h>

// ---- impl blocks

// The list of an impl block whose type is a bare generic: by its bound.
static Impls *blanket_list(Lang *lang, const Impl *impl)
{
    const AstGenerics *generics = &impl->item->generics;
    const AstTypes *found = generics->count ? &generics->items[0].bounds : NULL;
    const char *bound = "";
    if (found && found->count && found->items[0]->kind == AST_TYPE_PATH)
        bound = found->items[0]->path.segments.items[0].name.text;
    if (strcmp(bound, "M") == 0)
        return &lang->of_mapping;
    if (strcmp(bound, "Integer") == 0)
        return &lang->blanket_int;
    if (strcmp(bound, "Float") == 0)
        return &lang->blanket_float;
    if (strcmp(bound, "Scalar") == 0 && impl->scope->is_builtin)
        return &lang->blanket_scalar;
    return &lang->blanket_any;
}

static Impls *impl_list(Lang *lang, Impl *impl)
{
    Type *self = impl->self;
    switch (self->kind) {
    case TYPE_NAMED:
        return &(self->decl)->impls;
    case TYPE_MAPPING:
        return &lang->of_mapping;
    case TYPE_SLICE:
        return &lang->of_slice;
    case TYPE_ARRAY:
        return &lang->of_array;
    case TYPE_PARAM:
        return blanket_list(lang, impl);
    case TYPE_ERROR:
        return NULL;
    default:
        return &lang->of_other;
    }
}

// What it is for, with its generics open.
static Type *self_with_holes(Lang *lang, const Impl *impl)
{
    if (!impl->self->has_params)
        return impl->self;
    const AstGenerics *generics = &impl->item->generics;
    Type **vars = arena_new(lang->arena, Type *, (size_t)max_i64(1, generics->count));
    for (int64_t i = 0; i < generics->count; i++)
        vars[i] = type_var(lang, VAR_ANY, SPAN_NOWHERE);
    return type_instantiate(lang, impl->self, vars);
}

// A function that another block of the same type has, too.
static void check_members(Lang *lang, const Impl *impl, const Impl *other)
{
    const AstItems *items = &impl->item->impl.items;
    for (int64_t i = 0; i < items->count; i++) {
        const char *name = items->items[i]->name.text;
        Decl *decl = map_get(&impl->members, name), *first = map_get(&other->members, name);
        if (!decl || !first ||
            !type_could_unify(lang, self_with_holes(lang, impl), self_with_holes(lang, other)))
            continue;
        Diag *diag =
            diag_add(lang->diags, DIAG_NAME_REPEATED, decl->span,
                     "`{}` is declared a second time for `{}`", name, type_head_name(impl->self));
        diag_note(diag, first->span, "first declared here");
    }
}

static void sort_impl(Lang *lang, Impl *impl)
{
    Signature *signature = impl_signature(lang, impl);
    TypeScope scope = {.lang = lang, .scope = impl->scope, .signature = signature};
    impl->self = resolve_type(&scope, impl->item->impl.type);
    if (impl->is_trait)
        add_trait_defaults(lang, impl);
    Impls *list = impl_list(lang, impl);
    bool named = impl->self->kind == TYPE_NAMED && !impl->scope->is_builtin && !impl->is_trait;
    for (int64_t i = 0; named && i < list->count; i++)
        if (!list->items[i]->is_trait && !list->items[i]->scope->is_builtin)
            check_members(lang, impl, list->items[i]);
    if (list)
        *array_push(lang->arena, list, Impl *) = impl;
}

void sort_impls(Lang *lang)
{
    while (lang->unsorted.count && !lang->sorting) {
        lang->sorting = true;
        Impls batch = lang->unsorted;
        lang->unsorted = (Impls){0};
        for (int64_t i = 0; i < batch.count; i++)
            sort_impl(lang, batch.items[i]);
        lang->sorting = false;
    }
}

// ---- members

// What one program adds to a type that is not its own, another one read beside it does not have.
static bool is_seen(const Lang *lang, const Impl *impl)
{
    const Module *crate = impl->scope->crate;
    bool own = impl->self->kind == TYPE_NAMED && !impl->self->decl->is_builtin;
    return own || !lang->crate || crate == lang->crate || !crate || crate->is_builtin ||
           impl->scope->is_builtin || crate->is_library;
}

// &X and &mut X are different types to an impl block, though one fits where the other is wanted.
static bool same_reference(Type *a, Type *b)
{
    a = type_of(a);
    b = type_of(b);
    return a->kind != TYPE_REF || b->kind != TYPE_REF || a->is_mut == b->is_mut;
}

bool impl_is_for(Lang *lang, const Impl *impl, Type *type)
{
    Type *self = is_seen(lang, impl) ? self_with_holes(lang, impl) : NULL;
    return self && same_reference(self, type) && type_could_unify(lang, self, type);
}

static Decl *member_in(Lang *lang, const Impls *impls, Type *type, const char *name)
{
    Decl *first = NULL;
    for (int64_t i = 0; i < impls->count; i++) {
        Decl *decl = impl_member(lang, impls->items[i], name);
        bool other = impls == &lang->of_other;
        if (decl && !is_seen(lang, impls->items[i]))
            continue;
        if (decl && (other || impls->count > 1) && !impl_is_for(lang, impls->items[i], type)) {
            first = first || other ? first : decl; // a mismatch is told better than an absence
            continue;
        }
        if (decl)
            return decl;
    }
    return first;
}

const Impls *type_impls(Lang *lang, Type *type)
{
    static const Impls none = {0};
    switch (type->kind) {
    case TYPE_NAMED:
        return &type->decl->impls;
    case TYPE_MAPPING:
    case TYPE_OPEN:
        return &lang->of_mapping;
    case TYPE_SLICE:
        return &lang->of_slice;
    case TYPE_ARRAY:
        return &lang->of_array;
    case TYPE_TUPLE:
    case TYPE_REF:
    case TYPE_FN:
    case TYPE_CLOSURE:
        return &lang->of_other;
    default:
        return &none;
    }
}

static const Impls *numeric_impls(Lang *lang, Type *type)
{
    if (type->kind == TYPE_VAR && type->class == VAR_INT)
        return &lang->blanket_int;
    if (type->kind == TYPE_VAR && type->class == VAR_FLOAT)
        return &lang->blanket_float;
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_PRIM)
        return NULL;
    PrimClass class = prims[type->decl->prim].class;
    bool integer = class == PRIM_INT || class == PRIM_UINT;
    return integer ? &lang->blanket_int : class == PRIM_FLOAT ? &lang->blanket_float : NULL;
}

// A type of the program that derefs, or that is an iterator.
static Type *own_deref(Lang *lang, Type *type)
{
    const Impl *impl = find_impl(lang, type, "Deref");
    if (impl)
        return impl_type(lang, impl, type, lang_name(lang, "Target"));
    Type *item = find_impl(lang, type, "Iterator") ? type_iterated(lang, type) : NULL;
    return item ? type_iter(lang, item) : NULL;
}

Type *type_deref(Lang *lang, Type *type)
{
    static const struct {
        const char *from, *to;
    } derefs[] = {{"Range", "Iter"}, {"RangeInclusive", "Iter"}, {"RangeFrom", "Iter"}};
    if (type->kind == TYPE_REF)
        return type_of(type->args[0]);
    if (type->kind == TYPE_ARRAY)
        return type_slice(lang, type->args[0]);
    if (type_is_named(type, "Vec") || type_is_named(type, "VecDeque") ||
        type_is_named(type, "ArrayD"))
        return type_slice(lang, type->args[0]);
    if (type_is_pointer(type) || type_is_named(type, "AssertUnwindSafe"))
        return type_of(type->args[0]);
    if (type_is_named(type, "String"))
        return type_prim(lang, PRIM_str);
    for (size_t i = 0; i < COUNT_OF(derefs); i++) {
        Decl *iter =
            decl_in(lang, &lang->std_prelude->names[SPACE_TYPE], lang_name(lang, derefs[i].to));
        if (iter && type_is_named(type, derefs[i].from))
            return type_named(lang, iter, type->args, 1);
    }
    if (type->kind == TYPE_IMPL) {
        Type *item = type_iterated(lang, type);
        return item ? type_iter(lang, item) : NULL;
    }
    bool own = type->kind == TYPE_NAMED && !type->decl->is_builtin;
    Type *target = own ? own_deref(lang, type) : NULL;
    return target ? type_of(target) : NULL;
}

// A trait that the program implements for numbers, called on a literal: i32 or f64 of several.
static Decl *member_of_literal(Lang *lang, Type *var, const char *name, Type **self)
{
    Decl *found = NULL;
    Prim usual = var->class == VAR_INT ? PRIM_i32 : PRIM_f64;
    for (Prim prim = 0; prim < PRIM_COUNT && *self != type_prim(lang, usual); prim++) {
        PrimClass class = prims[prim].class;
        bool integer = class == PRIM_INT || class == PRIM_UINT;
        if (var->class == VAR_INT ? !integer : class != PRIM_FLOAT)
            continue;
        Decl *decl =
            member_in(lang, type_impls(lang, type_prim(lang, prim)), type_prim(lang, prim), name);
        if (!decl || decl->is_builtin || (found && prim != usual))
            continue;
        found = decl;
        *self = type_prim(lang, prim);
    }
    if (found)
        type_unify(lang, var, *self, NULL, NULL);
    return found;
}

Decl *library_member(Lang *lang, Type *type, const char *name)
{
    const Impls *numeric = numeric_impls(lang, type);
    return numeric ? member_in(lang, numeric, type, name) : NULL;
}

// One step on the way from a reference to what it refers to.
static Decl *member_at(Lang *lang, Type *at, const char *name, Type **self)
{
    const Impls *numeric = numeric_impls(lang, at);
    Decl *decl = member_in(lang, type_impls(lang, at), at, name);
    // a function of `&T` that takes itself by reference comes after those of T
    if (decl && at->kind == TYPE_REF && decl->item->kind == ITEM_FN &&
        decl->item->function.self != SELF_VALUE)
        decl = NULL;
    if (!decl && numeric)
        decl = member_in(lang, numeric, at, name);
    if (!decl && at->kind == TYPE_NAMED && at->decl->kind == DECL_PRIM &&
        prims[at->decl->prim].scalar != SCALAR_NONE)
        decl = member_in(lang, &lang->blanket_scalar, at, name);
    if (!decl && at->kind == TYPE_IMPL && at->decl)
        decl = trait_member(lang, at->decl, name);
    *self = at;
    if (!decl && at->kind == TYPE_VAR && at->class != VAR_ANY)
        decl = member_of_literal(lang, at, name, self);
    return decl;
}

// A reference has an order itself, so these give one of two references. Floats have no order:
// theirs are functions of the numbers.
static bool is_of_references(Type *type, const char *name)
{
    static const char *const names[] = {"max", "min", "clamp"};
    type = type_of(type);
    for (size_t i = 0; type->kind == TYPE_REF && !type->is_mut && i < COUNT_OF(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

Decl *find_member(Lang *lang, Type *type, const char *name, Type **self)
{
    sort_impls(lang);
    Type *at = type_of(type);
    bool referring = is_of_references(type, name);
    for (int32_t i = 0; at && i < MOST_DEREFS; i++, at = type_deref(lang, at)) {
        Decl *decl = member_at(lang, at, name, self);
        if (decl && referring && decl->is_builtin && numeric_impls(lang, at) == &lang->blanket_int)
            break;
        if (decl)
            return decl;
    }
    if (referring) {
        *self = type_of(type);
        return member_in(lang, &lang->blanket_any, *self, name);
    }
    *self = type_of(type);
    Decl *decl = (*self)->kind == TYPE_REF ? member_in(lang, &lang->of_other, *self, name) : NULL;
    if (decl)
        return decl;
    *self = type_strip(type);
    return member_in(lang, &lang->blanket_any, *self, name);
}

static Decl *member_of_module(Lang *lang, const Module *module, const char *name, Decl *except)
{
    for (int64_t i = 0; i < module->types.count; i++) {
        Decl *type = module->types.items[i];
        for (int64_t k = 0; type != except && k < type->impls.count; k++) {
            Decl *decl = impl_member(lang, type->impls.items[k], name);
            if (decl)
                return decl;
        }
    }
    return NULL;
}

Decl *find_anywhere(Lang *lang, const char *name, Decl *except)
{
    return member_of_module(lang, lang->prelude, name, except);
}

Near near_member(Lang *lang, Type *type, const char *name)
{
    Near near = {.name = str_from(name)};
    near.most = 1 + near.name.len / 4;
    Type *at = type_of(type);
    for (int32_t n = 0; at && n < MOST_DEREFS; n++, at = type_deref(lang, at)) {
        const Impls *impls = type_impls(lang, at);
        for (int64_t i = 0; i < impls->count; i++) {
            const AstItems *items = impl_items(lang, impls->items[i]);
            for (int64_t k = 0; k < items->count; k++)
                near_try(&near, str_from(items->items[k]->name.text));
        }
    }
    return near;
}

// Traits of a program: what an impl block gets from the trait it is of, what can be called through
// the trait alone, and the types that belong to a type (`T::Item`).
#include "lang/types/signature.h"

#include "base/checked.h"

#include <string.h>

// ---- the trait of an impl block

const char *impl_trait_name(const Impl *impl)
{
    const AstType *written = impl->item->kind == ITEM_IMPL ? impl->item->impl.trait : NULL;
    bool path = written && written->kind == AST_TYPE_PATH && written->path.segments.count;
    return path ? written->path.segments.items[written->path.segments.count - 1].name.text : "";
}

Decl *impl_trait(Lang *lang, const Impl *impl)
{
    const AstType *written = impl->item->kind == ITEM_IMPL ? impl->item->impl.trait : NULL;
    if (!written || written->kind != AST_TYPE_PATH)
        return NULL;
    Decl *trait = module_find(lang, impl->scope, &written->path, SPACE_TYPE);
    return trait && trait->kind == DECL_TRAIT ? trait : NULL;
}

const Impl *find_impl(Lang *lang, Type *type, const char *trait)
{
    const Impls *impls = type_impls(lang, type);
    for (int64_t i = 0; i < impls->count; i++)
        if (strcmp(impl_trait_name(impls->items[i]), trait) == 0 &&
            impl_is_for(lang, impls->items[i], type))
            return impls->items[i];
    return NULL;
}

Decl *find_trait_member(Lang *lang, Type *type, const char *trait, const char *name, Type **self)
{
    sort_impls(lang);
    Type *at = type_of(type);
    for (int32_t i = 0; at && i < MOST_DEREFS; i++, at = type_deref(lang, at)) {
        const Impl *impl = find_impl(lang, at, trait);
        Decl *decl = impl ? impl_member(lang, impl, name) : NULL;
        *self = at;
        if (decl)
            return decl;
    }
    return NULL;
}

// ---- the functions of a trait, as if it were implemented for any type

static AstGeneric self_generic(Lang *lang, Decl *trait)
{
    return (AstGeneric){.kind = PARAM_TYPE, .name = {lang_name(lang, "Self"), trait->span}};
}

static AstItem *trait_item(Lang *lang, Decl *trait)
{
    AstItem *item = arena_copy(lang->arena, trait->item, sizeof *item);
    item->generics = (AstGenerics){0};
    *array_push(lang->arena, &item->generics, AstGeneric) = self_generic(lang, trait);
    for (int64_t i = 0; i < trait->item->generics.count; i++)
        *array_push(lang->arena, &item->generics, AstGeneric) = trait->item->generics.items[i];
    return item;
}

static Decl *member_decl(Lang *lang, Impl *impl, Decl *trait, const AstItem *item)
{
    Decl *decl = arena_new(lang->arena, Decl, 1);
    *decl = (Decl){.kind = item->kind == ITEM_FN ? DECL_FN : DECL_CONST,
                   .name = item->name.text,
                   .span = item->name.span,
                   .scope = trait->scope,
                   .item = item,
                   .is_builtin = trait->is_builtin,
                   .impl = impl};
    map_put(&impl->members, decl->name, decl);
    return decl;
}

Impl *trait_impl(Lang *lang, Decl *trait)
{
    if (trait->impl)
        return trait->impl;
    Impl *impl = trait->impl = arena_new(lang->arena, Impl, 1);
    impl->item = trait_item(lang, trait);
    impl->scope = trait->scope;
    impl->members.arena = lang->arena;
    Type *self = impl->self = arena_new(lang->arena, Type, 1);
    *self = (Type){.kind = TYPE_PARAM,
                   .span = trait->span,
                   .name = impl->item->generics.items[0].name.text,
                   .has_params = true};
    const AstItems *items = &trait->item->impl.items;
    for (int64_t i = 0; i < items->count; i++)
        if (items->items[i]->kind == ITEM_FN || items->items[i]->kind == ITEM_CONST)
            member_decl(lang, impl, trait, items->items[i]);
    return impl;
}

static Decl *member_of_trait(Lang *lang, Decl *trait, const char *name, int32_t depth)
{
    enum { DEEPEST = 16 }; // of traits that need each other
    Decl *decl = map_get(&trait_impl(lang, trait)->members, name);
    const AstTypes *bounds = &trait->item->impl.bounds;
    for (int64_t i = 0; !decl && depth < DEEPEST && i < bounds->count; i++) {
        Decl *outer = bounds->items[i]->kind == AST_TYPE_PATH
                          ? module_find(lang, trait->scope, &bounds->items[i]->path, SPACE_TYPE)
                          : NULL;
        if (outer && outer->kind == DECL_TRAIT)
            decl = member_of_trait(lang, outer, name, depth + 1);
    }
    return decl;
}

Decl *trait_member(Lang *lang, Decl *trait, const char *name)
{
    return member_of_trait(lang, trait, name, 0);
}

bool is_trait_member(Decl *decl)
{
    return decl->impl && decl->impl->item->kind == ITEM_TRAIT;
}

void add_trait_defaults(Lang *lang, Impl *impl)
{
    Decl *trait = impl_trait(lang, impl);
    if (!trait || trait->is_builtin)
        return;
    const AstItems *items = &trait->item->impl.items;
    for (int64_t i = 0; i < items->count; i++) {
        const AstItem *item = items->items[i];
        bool given = (item->kind == ITEM_FN && item->function.body) ||
                     (item->kind == ITEM_CONST && item->constant.value);
        if (given && !map_get(&impl->members, item->name.text))
            member_decl(lang, impl, trait, item);
    }
}

// In `impl Scale<f32> for X`, the T of `trait Scale<T>` is f32: the default methods say T.
Type *trait_argument(Lang *lang, const Impl *impl, Type **generics, const char *name)
{
    Decl *trait = impl ? impl_trait(lang, impl) : NULL;
    if (!trait || trait->is_builtin)
        return NULL;
    const AstSegments *segments = &impl->item->impl.trait->path.segments;
    const AstGenericArgs *args = &segments->items[segments->count - 1].args;
    const AstGenerics *params = &trait->item->generics;
    TypeScope scope = {.lang = lang,
                       .scope = impl->scope,
                       .signature = impl_signature(lang, impl),
                       .generics = generics,
                       .self = impl->self};
    for (int64_t i = 0; i < params->count; i++) {
        if (params->items[i].name.text != name || params->items[i].kind != PARAM_TYPE)
            continue;
        bool given = i < args->count && args->items[i].kind == GENERIC_TYPE;
        const AstType *type = given ? args->items[i].type : params->items[i].fallback;
        return type ? resolve_type(&scope, type) : NULL;
    }
    return NULL;
}

// ---- types that belong to a type

const AstType *impl_written(Lang *lang, const Impl *impl, const char *name)
{
    const AstItems *items = impl_items(lang, impl);
    for (int64_t i = 0; i < items->count; i++)
        if (items->items[i]->kind == ITEM_TYPE && items->items[i]->name.text == name)
            return items->items[i]->alias.type;
    return NULL;
}

Type *impl_type(Lang *lang, const Impl *impl, Type *self, const char *name)
{
    const AstType *written = impl_written(lang, impl, name);
    enum { DEEPEST = 300 };
    if (!written || lang->depth > DEEPEST)
        return NULL;
    const Signature *signature = impl_signature(lang, impl);
    Type **vars = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = 0; i < signature->generic_count; i++)
        vars[i] = type_var(lang, VAR_ANY, SPAN_NOWHERE);
    type_unify(lang, type_instantiate(lang, impl->self, vars), self, NULL, NULL);
    for (int32_t i = 0; i < signature->generic_count; i++)
        vars[i] = type_of(vars[i]); // generics of `self` stay ones that a call replaces
    TypeScope scope = {.lang = lang,
                       .scope = impl->scope,
                       .signature = signature,
                       .generics = vars,
                       .self = self,
                       .holes = true};
    lang->depth++;
    Type *type = resolve_type(&scope, written);
    lang->depth--;
    return type;
}

static Type *std_named(Lang *lang, const char *name, Type *arg)
{
    Decl *decl = decl_in(lang, &lang->std_prelude->names[SPACE_TYPE], lang_name(lang, name));
    if (!decl)
        return NULL;
    Type **args = arena_new(lang->arena, Type *, 1);
    args[0] = arg;
    return type_named(lang, decl, args, arg ? 1 : 0);
}

Type *type_iter(Lang *lang, Type *item)
{
    return std_named(lang, "Iter", item);
}

// What a text that is no such value is told by: a type of std::num or std::str.
static Type *parse_error(Lang *lang, Type *type)
{
    bool prim = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    PrimClass class = prim ? prims[type->decl->prim].class : PRIM_OTHER;
    const char *name = class == PRIM_FLOAT                       ? "ParseFloatError"
                       : class == PRIM_INT || class == PRIM_UINT ? "ParseIntError"
                       : prim && type_is_prim(type, PRIM_bool)   ? "ParseBoolError"
                       : prim && type_is_prim(type, PRIM_char)   ? "ParseCharError"
                                                                 : "Error";
    return std_named(lang, name, NULL);
}

// Of what the language brings along.
static Type *builtin_type(Lang *lang, Type *type, const char *name)
{
    Type *item = type_iterated(lang, type);
    if (strcmp(name, "Item") == 0)
        return item;
    if (strcmp(name, "IntoIter") == 0)
        return item ? type_iter(lang, item) : NULL;
    if (strcmp(name, "Target") == 0)
        return type_deref(lang, type);
    if (strcmp(name, "Err") == 0)
        return parse_error(lang, type);
    if (strcmp(name, "Error") == 0)
        return std_named(lang, "Error", NULL);
    bool number = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    return number && strcmp(name, "Output") == 0 ? type : NULL;
}

Type *associated_type(Lang *lang, Type *type, const char *name)
{
    type = type_of(type);
    sort_impls(lang);
    const Impls *impls = type_impls(lang, type);
    for (int64_t i = 0; i < impls->count; i++) {
        bool here =
            impl_written(lang, impls->items[i], name) && impl_is_for(lang, impls->items[i], type);
        Type *found = here ? impl_type(lang, impls->items[i], type, name) : NULL;
        if (found)
            return found;
    }
    return builtin_type(lang, type, name);
}

Type *type_associated(Lang *lang, Type *of, const char *name, Span span)
{
    Type *type = arena_new(lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_ASSOC,
                   .span = span,
                   .name = name,
                   .arg_count = 1,
                   .has_params = of->has_params};
    type->args = arena_new(lang->arena, Type *, 1);
    type->args[0] = of;
    return type;
}

Type *settle_associated(Lang *lang, Type *type)
{
    Type *of = type_of(type->args[0]);
    if (of->kind == TYPE_ASSOC)
        of = settle_associated(lang, of);
    bool open =
        !of || of->kind == TYPE_PARAM ||
        (of->kind == TYPE_VAR && (of->class == VAR_ANY || strcmp(type->name, "Output") != 0));
    if (open)
        return NULL;
    return of->kind == TYPE_ERROR || of->kind == TYPE_IMPL ? type_poison(lang)
                                                           : associated_type(lang, of, type->name);
}

// ---- what a loop gives

static bool gives_itself(Type *type)
{
    static const char *const names[] = {"Iter", "Range", "RangeFrom", "RangeInclusive"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (type_is_named(type, names[i]))
            return type->arg_count > 0;
    return false;
}

// What `into_iter` gives must be an iterator; of types of the program that is known.
static bool gives_iterator(Lang *lang, const Impl *impl, Type *type)
{
    Type *made = impl_type(lang, impl, type, lang_name(lang, "IntoIter"));
    made = made ? type_of(made) : NULL;
    return !made || made->kind != TYPE_NAMED || made->decl->is_builtin ||
           find_impl(lang, made, "Iterator");
}

static Type *own_iteration(Lang *lang, Type *type)
{
    static const char *const traits[] = {"Iterator", "IntoIterator"};
    for (size_t i = 0; i < COUNT_OF(traits); i++) {
        const Impl *impl = find_impl(lang, type, traits[i]);
        Type *item = impl ? impl_type(lang, impl, type, lang_name(lang, "Item")) : NULL;
        if (item && (i == 0 || gives_iterator(lang, impl, type)))
            return item;
    }
    return NULL;
}

static bool is_iterator_trait(const char *name)
{
    return name &&
           (strcmp(name, "Iterator") == 0 || strcmp(name, "IntoIterator") == 0 ||
            strcmp(name, "DoubleEndedIterator") == 0 || strcmp(name, "ExactSizeIterator") == 0);
}

// Types that give each of what they hold, or a reference to it.
static bool is_listing(Type *type)
{
    static const char *const lists[] = {"Vec",      "ArrayVec",   "VecDeque", "HashSet",
                                        "BTreeSet", "BinaryHeap", "Option",   "Result"};
    bool found = type->kind == TYPE_ARRAY || type->kind == TYPE_SLICE;
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        found |= type_is_named(type, lists[i]);
    return found;
}

// (key, value) of a map, or references to them.
static Type *entry_type(Lang *lang, Type *map, bool is_ref, bool is_mut)
{
    Type **parts = arena_new(lang->arena, Type *, 2);
    parts[0] = is_ref ? type_ref(lang, map->args[0], false) : map->args[0];
    parts[1] = is_ref ? type_ref(lang, map->args[1], is_mut) : map->args[1];
    return type_tuple(lang, parts, 2);
}

Type *type_iterated(Lang *lang, Type *type)
{
    type = type_of(type);
    bool is_ref = type->kind == TYPE_REF;
    Type *list = type_strip(type);
    if (type_is_named(list, "Box") && list->arg_count && is_listing(type_strip(list->args[0])))
        list = type_strip(list->args[0]);
    if (is_listing(list))
        return is_ref ? type_ref(lang, list->args[0], type->is_mut) : list->args[0];
    if (type_is_named(list, "HashMap") || type_is_named(list, "BTreeMap"))
        return entry_type(lang, list, is_ref, is_ref && type->is_mut);
    if (gives_itself(list))
        return list->args[0];
    if (list->kind == TYPE_IMPL && is_iterator_trait(list->name) && list->arg_count)
        return list->args[0];
    if (type_is_named(list, "Box") && type_of(list->args[0])->kind == TYPE_IMPL)
        return type_iterated(lang, list->args[0]);
    if (list->kind == TYPE_VAR || list->kind == TYPE_ERROR)
        return NULL;
    sort_impls(lang);
    Type *own = own_iteration(lang, type);
    bool by_mut = !own && is_ref && type->is_mut && find_impl(lang, list, "Iterator");
    return by_mut ? own_iteration(lang, list) : own;
}

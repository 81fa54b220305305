// The items of a module: their declarations, and what is wrong with them where they stand.
#include "lang/types/lang.h"

#include "base/checked.h"
#include "base/near.h"
#include "lang/syntax/outline.h"
#include "lang/syntax/parse.h"
#include "lang/types/signature.h"
#include "program/text_form.h"

#include <stdlib.h>
#include <string.h>

const PrimInfo prims[PRIM_COUNT] = {
#define PRIM(name, class, bits, scalar) \
    [PRIM_##name] = {#name, PRIM_##class, bits, SCALAR_##scalar},
#include "lang/types/prim.def"
#undef PRIM
};

const char *lang_name(Lang *lang, const char *text)
{
    return intern(&lang->names, str_from(text));
}

Module *module_new(Lang *lang, Module *outer, const char *name, int32_t source)
{
    Module *module = arena_new(lang->arena, Module, 1);
    *module = (Module){.name = name,
                       .outer = outer,
                       .crate = outer ? outer->crate : module,
                       .is_builtin = outer && outer->is_builtin,
                       .source = source};
    for (Space space = 0; space < SPACE_COUNT; space++)
        module->names[space].arena = lang->arena;
    module->imports.arena = module->unknown.arena = lang->arena;
    return module;
}

// ---- declaring

static Decl *new_decl(Lang *lang, Module *module, DeclKind kind, const AstItem *item, AstName name)
{
    Decl *decl = arena_new(lang->arena, Decl, 1);
    *decl = (Decl){.kind = kind,
                   .name = name.text,
                   .span = name.span,
                   .scope = module,
                   .item = item,
                   .is_builtin = module->is_builtin,
                   .visibility = &item->visibility};
    if (module->is_builtin && (kind == DECL_STRUCT || kind == DECL_ENUM))
        decl->roles = type_roles(name.text);
    decl->variants.arena = lang->arena;
    return decl;
}

void report_repeated(Lang *lang, const AstName *name, Span first, const char *where)
{
    Diag *diag = diag_add(lang->diags, DIAG_NAME_REPEATED, name->span,
                          "`{}` is declared a second time {}", name->text, where);
    diag_note(diag, first, "first declared here");
}

static void add_name(Lang *lang, Module *module, Space space, Decl *decl)
{
    Decl *first = map_get(&module->names[space], decl->name);
    if (!first) {
        map_put(&module->names[space], decl->name, decl);
        return;
    }
    bool same_axis = first->kind == DECL_AXIS && decl->kind == DECL_AXIS && first->atom &&
                     decl->atom && first->atom->size == decl->atom->size;
    if (same_axis) // the same axis: known by its name and size
        return;
    report_repeated(lang, &(AstName){decl->name, decl->span}, first->span, "in this module");
}

static void check_fields(Lang *lang, const AstFields *fields)
{
    for (int64_t i = 0; i < fields->count; i++)
        for (int64_t k = 0; k < i; k++)
            if (fields->items[i].name.text == fields->items[k].name.text) {
                report_repeated(lang, &fields->items[i].name, fields->items[k].name.span, "here");
                break;
            }
}

static const AstGeneric *earlier_generic(const AstGenerics *generics, int64_t count,
                                         const AstGeneric *like)
{
    for (int64_t i = 0; i < count; i++) {
        const AstGeneric *generic = &generics->items[i];
        bool lifetimes = generic->kind == PARAM_LIFETIME;
        if (generic->name.text == like->name.text && *like->name.text &&
            lifetimes == (like->kind == PARAM_LIFETIME))
            return generic;
    }
    return NULL;
}

// Generics of one list, and of the `impl` block around it.
static void check_generics(Lang *lang, const AstGenerics *generics, const AstGenerics *outer)
{
    for (int64_t i = 0; i < generics->count; i++) {
        const AstGeneric *generic = &generics->items[i];
        const AstGeneric *first = earlier_generic(generics, i, generic);
        if (!first && outer)
            first = earlier_generic(outer, outer->count, generic);
        if (first)
            report_repeated(lang, &generic->name, first->name.span, "as a generic");
    }
}

static void declare_variants(Lang *lang, Module *module, Decl *decl)
{
    for (int64_t i = 0; i < decl->item->variants.count; i++) {
        const AstVariant *variant = &decl->item->variants.items[i];
        Decl *first = map_get(&decl->variants, variant->name.text);
        check_fields(lang, &variant->fields);
        if (first) {
            report_repeated(lang, &variant->name, first->span, "in this enum");
            continue;
        }
        Decl *entry = new_decl(lang, module, DECL_VARIANT, decl->item, variant->name);
        entry->parent = decl;
        entry->visibility = NULL;
        entry->index = (int32_t)i;
        entry->variant = variant;
        map_put(&decl->variants, entry->name, entry);
    }
}

// An axis size is a literal of at least 1.
static bool axis_size(Lang *lang, const AstName *name, const AstExpr *size, int64_t *value)
{
    if (size->kind == AST_ERROR)
        return false;
    bool literal = size->kind == AST_LITERAL && size->literal.kind == LITERAL_INT;
    if (literal && size->literal.integer >= 1 && size->literal.integer <= INT64_MAX) {
        *value = (int64_t)size->literal.integer;
        return true;
    }
    if (literal && size->literal.integer)
        diag_add(lang->diags, DIAG_AXIS_SIZE, size->span,
                 "the size of axis `{}` is too large: the most is {}", name->text, INT64_MAX);
    else if (literal)
        diag_add(lang->diags, DIAG_AXIS_SIZE, size->span,
                 "the size of axis `{}` must be at least 1", name->text);
    else
        diag_help(diag_add(lang->diags, DIAG_AXIS_SIZE, size->span,
                           "the size of axis `{}` must be a literal of at least 1", name->text),
                  "write the number itself, as in `axes![{} = 8]`", name->text);
    return false;
}

static bool axis_name_ok(Lang *lang, const AstName *name)
{
    if (name->text[0] >= 'A' && name->text[0] <= 'Z')
        return true;
    Diag *diag = diag_add(lang->diags, DIAG_AXIS_NAME, name->span,
                          "`{}` cannot be an axis: its name must start with an upper-case letter",
                          name->text);
    if (name->text[0] >= 'a' && name->text[0] <= 'z')
        diag_help(diag, "call it `{c}{}`", name->text[0] - 'a' + 'A', name->text + 1);
    return false;
}

static void declare_axes(Lang *lang, Module *module, const AstItem *item)
{
    module->first_axes = module->first_axes ? module->first_axes : item;
    for (int64_t i = 0; i < item->axes.names.count; i++) {
        AstName name = item->axes.names.items[i];
        int64_t size = 1;
        if (!axis_name_ok(lang, &name))
            continue;
        bool ok = axis_size(lang, &name, item->axes.sizes.items[i], &size);
        Decl *decl = new_decl(lang, module, DECL_AXIS, item, name);
        decl->visibility = NULL;
        Span span = name.span;
        span.end = item->axes.sizes.items[i]->span.end;
        decl->atom = ok ? atom_axis_declared(lang->arena, name.text, size, span) : NULL;
        if (ok || !map_get(&module->names[SPACE_TYPE], name.text))
            add_name(lang, module, SPACE_TYPE, decl);
    }
}

static void declare_uses(Lang *lang, Module *module, const AstItem *item)
{
    for (int64_t i = 0; i < item->uses.count; i++) {
        const AstUse *use = &item->uses.items[i];
        Import *import = arena_new(lang->arena, Import, 1);
        *import = (Import){.use = use,
                           .visibility = &item->visibility,
                           .before = use->glob ? NULL : map_get(&module->imports, use->name)};
        *array_push(lang->arena, use->glob ? &module->globs : &module->uses, Import *) = import;
        if (!use->glob && strcmp(use->name, "_") != 0)
            map_put(&module->imports, use->name, import);
    }
}

// Whether it is a test or the `main` of a program, which are called without arguments.
static bool is_entry(Decl *decl)
{
    const AstAttributes *attributes = &decl->item->attributes;
    bool is_root = !decl->impl && decl->scope->crate == decl->scope;
    return attribute_find(attributes, "test") || attribute_find(attributes, "tokio::test") ||
           (is_root && strcmp(decl->name, "main") == 0 && !attribute_find(attributes, "device"));
}

bool check_function_form(Lang *lang, Decl *decl)
{
    const AstItem *item = decl->item;
    bool is_generic = false;
    for (int64_t i = 0; i < item->generics.count; i++)
        is_generic |= item->generics.items[i].kind != PARAM_LIFETIME;
    if (item->function.has_semicolon) {
        Diag *diag =
            diag_add(lang->diags, DIAG_BODY_MISSING, decl->span, "`{}` has no body", decl->name);
        diag_help(diag,
                  "replace the `;` with `{{ .. }`; only a trait declares functions without a body");
        return false;
    }
    bool takes = item->function.params.count || item->function.self != SELF_NONE;
    if (!is_entry(decl) || (!takes && !is_generic))
        return true;
    diag_add(lang->diags, DIAG_ENTRY_SIGNATURE, decl->span, "{} `{}` cannot have {}parameters",
             strcmp(decl->name, "main") == 0 ? "the function" : "the test", decl->name,
             takes ? "" : "generic ");
    return false;
}

// Makes a function known to the checker.
static void add_function(Lang *lang, Module *module, Decl *decl)
{
    if (module->is_builtin)
        return;
    *array_push(lang->arena, &lang->functions, Decl *) = decl;
    check_function_form(lang, decl);
}

static void declare_members(Lang *lang, Impl *impl)
{
    const AstItem *item = impl->item;
    for (int64_t i = 0; i < item->impl.items.count; i++) {
        const AstItem *member = item->impl.items.items[i];
        if (member->kind != ITEM_FN && member->kind != ITEM_CONST)
            continue;
        check_generics(lang, &member->generics, &item->generics);
        Decl *decl = new_decl(lang, impl->scope, member->kind == ITEM_FN ? DECL_FN : DECL_CONST,
                              member, member->name);
        decl->impl = impl;
        decl->visibility = impl->is_trait ? NULL : decl->visibility;
        Decl *first = map_get(&impl->members, decl->name);
        if (first) {
            report_repeated(lang, &member->name, first->span, "in this `impl` block");
            continue;
        }
        map_put(&impl->members, decl->name, decl);
        if (member->kind == ITEM_FN)
            add_function(lang, impl->scope, decl);
    }
}

static void declare_impl(Lang *lang, Module *module, const AstItem *item)
{
    Impl *impl = arena_new(lang->arena, Impl, 1);
    *impl = (Impl){.item = item, .scope = module, .is_trait = item->impl.trait != NULL};
    impl->members.arena = lang->arena;
    impl->closed = item->unread ? impl : NULL;
    if (!impl->closed)
        declare_members(lang, impl);
    *array_push(lang->arena, &lang->unsorted, Impl *) = impl;
}

// A device function is also a unit struct: binary_add_2048 is BinaryAdd2048.
static void add_unit_struct(Lang *lang, Module *module, Decl *decl)
{
    StrBuf buf = {.arena = lang->arena};
    bool starts = true;
    for (const char *c = decl->name; *c; c++) {
        bool small = *c >= 'a' && *c <= 'z';
        if (*c != '_')
            buf_add_char(&buf, starts && small ? (char)(*c - 'a' + 'A') : *c);
        starts = *c == '_';
    }
    const char *name = intern(&lang->names, buf_str(&buf));
    if (name != decl->name && !map_get(&module->names[SPACE_VALUE], name))
        map_put(&module->names[SPACE_VALUE], name, decl);
}

static void declare_function(Lang *lang, Module *module, const AstItem *item)
{
    Decl *decl = new_decl(lang, module, DECL_FN, item, item->name);
    add_name(lang, module, SPACE_VALUE, decl);
    if (attribute_find(&item->attributes, "device"))
        add_unit_struct(lang, module, decl);
    add_function(lang, module, decl);
}

static void declare_constant(Lang *lang, Module *module, const AstItem *item)
{
    Decl *decl = new_decl(lang, module, DECL_CONST, item, item->name);
    if (strcmp(item->name.text, "_") != 0)
        add_name(lang, module, SPACE_VALUE, decl);
    *array_push(lang->arena, &module->constants, Decl *) = decl;
}

static void declare_type(Lang *lang, Module *module, const AstItem *item, DeclKind kind)
{
    Decl *decl = new_decl(lang, module, kind, item, item->name);
    add_name(lang, module, SPACE_TYPE, decl);
    *array_push(lang->arena, &module->types, Decl *) = decl;
    if (kind == DECL_ENUM)
        declare_variants(lang, module, decl);
    if (kind == DECL_STRUCT)
        check_fields(lang, &item->structure.fields);
    // a unit or tuple struct is a value, or a function, of its name, too
    if (kind == DECL_STRUCT && item->structure.kind != FIELDS_NAMED)
        add_name(lang, module, SPACE_VALUE, decl);
}

static void check_device_item(Lang *lang, const AstItem *item)
{
    const AstAttribute *device = attribute_find(&item->attributes, "device");
    if (device && item->kind != ITEM_FN)
        diag_add(lang->diags, DIAG_DEVICE_ATTRIBUTE, device->span,
                 "`#[device(..)]` stands before a function, nothing else");
}

const AstAttribute *misspelled_device(const AstItem *item)
{
    for (int64_t i = 0; item->kind == ITEM_FN && i < item->attributes.count; i++) {
        Near near = {.name = str_from(item->attributes.items[i].name), .least = 1, .most = 2};
        if (near_try(&near, STR("device")))
            return &item->attributes.items[i];
    }
    return NULL;
}

// An attribute that is not known means nothing here, unless it is one of ours misspelt.
static void check_attributes(Lang *lang, const AstItem *item)
{
    const AstAttribute *attribute = misspelled_device(item);
    if (!attribute)
        return;
    Diag *diag = diag_add(lang->diags, DIAG_DEVICE_ATTRIBUTE, attribute->span,
                          "`#[{}]` is not a known attribute", attribute->name);
    Str args = attribute->args.len ? attribute->args : STR("chip = 1");
    diag_help(diag, "did you mean `#[device({})]`?", args);
    diag_edit(diag, attribute->span, "#[device({})]", args);
}

static void declare_item(Lang *lang, Module *module, AstItem *item)
{
    check_device_item(lang, item);
    check_attributes(lang, item);
    check_generics(lang, &item->generics, NULL);
    switch (item->kind) {
    case ITEM_USE:
        declare_uses(lang, module, item);
        break;
    case ITEM_MOD:
        lang_declare_module(lang, module, item);
        break;
    case ITEM_FN:
        declare_function(lang, module, item);
        break;
    case ITEM_TYPE:
        declare_type(lang, module, item, DECL_ALIAS);
        break;
    case ITEM_AXES:
        declare_axes(lang, module, item);
        break;
    case ITEM_CONST:
        declare_constant(lang, module, item);
        break;
    case ITEM_STRUCT:
        declare_type(lang, module, item, DECL_STRUCT);
        break;
    case ITEM_ENUM:
        declare_type(lang, module, item, DECL_ENUM);
        break;
    case ITEM_TRAIT:
        declare_type(lang, module, item, DECL_TRAIT);
        break;
    case ITEM_IMPL:
        declare_impl(lang, module, item);
        break;
    case ITEM_MACRO_RULES:
        map_put(&lang->macros, item->name.text, item);
        break;
    case ITEM_ERROR:
    case ITEM_EXTERN_CRATE:
        break;
    }
}

void module_declare(Lang *lang, Module *module, const AstItems *items)
{
    module->items = items;
    for (int64_t i = 0; i < items->count; i++)
        declare_item(lang, module, items->items[i]);
}

void module_add(Lang *lang, Module *module, Module *child, const AstItem *item)
{
    Decl *decl = new_decl(lang, module, DECL_MODULE, item, item->name);
    decl->module = child;
    child->decl = decl;
    add_name(lang, module, SPACE_TYPE, decl);
}

Module *module_of_block(Lang *lang, Module *outer, const AstBlock *block)
{
    Module *known = map_get(&lang->item_scopes, block);
    if (known)
        return known;
    AstItems items = {0};
    for (int64_t i = 0; i < block->statements.count; i++)
        if (block->statements.items[i].kind == STATEMENT_ITEM)
            *array_push(lang->arena, &items, AstItem *) = block->statements.items[i].item;
    Module *module = outer;
    if (items.count) {
        module = module_new(lang, outer, "", outer->source);
        module->is_block = true;
        module->directory = outer->directory;
        module_declare(lang, module, &items);
        module_check_uses(lang, module);
        *array_push(lang->arena, &lang->modules, Module *) = module;
    }
    map_put(&lang->item_scopes, block, module);
    return module;
}

// ---- items of the library, which are read when somebody comes upon them

static void read_item(Lang *lang, const AstItem *item)
{
    outline_read(lang->arena, &lang->names, lang->sources, item->unread, &lang->next_expr,
                 lang->diags);
}

Decl *decl_read(Lang *lang, Decl *decl)
{
    if (!decl->item || !decl->item->unread)
        return decl;
    read_item(lang, decl->item);
    if (decl->kind == DECL_ENUM)
        declare_variants(lang, decl->scope, decl);
    return decl;
}

Decl *decl_in(Lang *lang, const Map *names, const char *name)
{
    Decl *decl = map_get(names, name);
    return decl ? decl_read(lang, decl) : NULL;
}

static void open_impl(Lang *lang, const Impl *impl)
{
    Impl *closed = impl->closed;
    if (!closed)
        return;
    closed->closed = NULL;
    read_item(lang, closed->item);
    declare_members(lang, closed);
}

Decl *impl_member(Lang *lang, const Impl *impl, const char *name)
{
    open_impl(lang, impl);
    return decl_in(lang, &impl->members, name);
}

const AstItems *impl_items(Lang *lang, const Impl *impl)
{
    open_impl(lang, impl);
    return &impl->item->impl.items;
}

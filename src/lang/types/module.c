// What a name means in a module: its own items first, then what `use` names, then what globs bring,
// then (of a block) the module around it, then what is in scope everywhere.
#include "lang/types/lang.h"

#include "lang/syntax/outline.h"
#include "lang/syntax/parse.h"
#include "lang/types/signature.h"
#include "program/text_form.h"

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

static void report_repeated(Lang *lang, const AstName *name, Span first, const char *where)
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
        int32_t distance = name_distance(item->attributes.items[i].name, "device", 2);
        if (distance > 0 && distance <= 2)
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

// ---- looking up

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

static Decl *lookup_here(Lang *lang, const Module *from, Module *module, const char *name,
                         Space space);

// One lookup: no module is searched twice for it. `from`: who asks.
static Decl *lookup_fresh(Lang *lang, const Module *from, Module *module, const char *name,
                          Space space)
{
    int64_t outer = lang->stamp;
    lang->stamp = ++lang->stamps;
    Decl *decl = lookup_here(lang, from, module, name, space);
    lang->stamp = outer;
    return decl;
}

static Module *real_module(Module *module)
{
    while (module->is_block)
        module = module->outer;
    return module;
}

static Decl *find_prim(const Lang *lang, const char *name)
{
    for (Prim prim = 0; prim < PRIM_COUNT && lang->prims[prim]; prim++)
        if (lang->prims[prim]->name == name)
            return lang->prims[prim];
    return NULL;
}

// Crates and the like that are in scope everywhere.
static Decl *lookup_everywhere(Lang *lang, const Module *scope, const char *name, Space space)
{
    Decl *decl =
        lang->std_prelude ? lookup_fresh(lang, scope, lang->std_prelude, name, space) : NULL;
    if (decl || space != SPACE_TYPE)
        return decl;
    decl = find_prim(lang, name);
    if (decl)
        return decl;
    decl = lang->builtin ? decl_in(lang, &lang->builtin->names[SPACE_TYPE], name) : NULL;
    return decl ? decl : lang_find_crate(lang, scope->crate, name);
}

Decl *module_lookup(Lang *lang, Module *scope, const char *name, Space space)
{
    for (Module *module = scope;; module = module->outer) {
        Decl *decl = lookup_fresh(lang, scope, module, name, space);
        if (decl)
            return decl;
        if (!module->is_block)
            break;
    }
    return lookup_everywhere(lang, scope, name, space);
}

// The first name of a path. `self` and `crate` and `super` are modules.
static Decl *lookup_first(Lang *lang, Module *scope, const char *name, Space space)
{
    Module *module = real_module(scope);
    if (strcmp(name, "crate") == 0)
        return module->crate->decl;
    if (strcmp(name, "self") == 0)
        return module->decl;
    if (strcmp(name, "super") == 0)
        return module->outer ? real_module(module->outer)->decl : NULL;
    return module_lookup(lang, scope, name, space);
}

// A name behind `::`. `decl` is what stands before it.
static Decl *lookup_inside(Lang *lang, const Module *from, Decl *decl, const char *name,
                           Space space)
{
    if (decl->kind == DECL_ENUM)
        return enum_variant(decl, name);
    if (decl->kind != DECL_MODULE)
        return NULL;
    if (strcmp(name, "super") == 0)
        return decl->module->outer ? real_module(decl->module->outer)->decl : NULL;
    Decl *found = lookup_fresh(lang, from, decl->module, name, space);
    // half::bf16 and the like are the types that need no declaration
    return found || !decl->module->is_builtin || space != SPACE_TYPE ? found
                                                                     : find_prim(lang, name);
}

// What was found nowhere but where it must not be looked: gone on with, and remembered in *hidden.
static Decl *or_hidden(const Lang *lang, Decl *decl, int64_t at, Private *hidden)
{
    if (decl || !lang->hidden.decl)
        return decl;
    if (!hidden->decl) {
        *hidden = lang->hidden;
        hidden->at = at;
    }
    return lang->hidden.decl;
}

static Decl *follow(Lang *lang, Module *scope, bool global, const AstName *names, int64_t count,
                    Space space, int64_t *used, Private *hidden)
{
    Space first = count > 1 ? SPACE_TYPE : space;
    *used = 0;
    *hidden = (Private){0};
    if (!count)
        return NULL;
    lang->hidden = (Private){0};
    Decl *decl = global ? lookup_everywhere(lang, scope, names[0].text, first)
                        : lookup_first(lang, scope, names[0].text, first);
    decl = or_hidden(lang, decl, 0, hidden);
    *used = decl ? 1 : 0;
    while (decl && *used < count && (decl->kind == DECL_MODULE || decl->kind == DECL_ENUM)) {
        Space next_space = *used + 1 < count ? SPACE_TYPE : space;
        lang->hidden = (Private){0};
        Decl *next = lookup_inside(lang, scope, decl, names[*used].text, next_space);
        next = or_hidden(lang, next, *used, hidden);
        if (!next)
            break;
        decl = next;
        ++*used;
    }
    return decl;
}

enum { MOST_TRIES = 8 }; // of an import in a circle

static void resolve_import(Lang *lang, Module *module, Import *import)
{
    const AstUse *use = import->use;
    int64_t count = use->path.count, used, cuts = lang->cuts;
    if (lang->depth > MOST_DEPTH)
        return;
    lang->depth++;
    import->resolving = true;
    Private outer = lang->hidden, hidden[SPACE_COUNT];
    bool seen = false;
    for (Space space = 0; space < SPACE_COUNT; space++) {
        Decl *decl =
            follow(lang, module, use->global, use->path.items, count, space, &used, &hidden[space]);
        import->decls[space] = used == count ? decl : NULL;
        seen |= import->decls[space] && !hidden[space].decl;
    }
    lang->hidden = outer;
    for (Space space = 0; space < SPACE_COUNT; space++) {
        if (!import->decls[space] || !hidden[space].decl)
            continue;
        if (seen) // of two with one name, only that which is seen is meant
            import->decls[space] = NULL;
        else
            import->hidden = hidden[space];
    }
    Decl *glob = import->decls[SPACE_TYPE];
    if (use->glob && glob) {
        import->glob = glob->module;
        import->glob_enum = glob->kind == DECL_ENUM ? glob : NULL;
    }
    lang->depth--;
    import->resolving = false;
    // what was not found because of a circle may be found by those that are not in it
    bool found = import->decls[SPACE_TYPE] || import->decls[SPACE_VALUE];
    import->resolved = found || cuts == lang->cuts || ++import->tries == MOST_TRIES;
}

static Decl *lookup_import(Lang *lang, Module *module, Import *import, Space space)
{
    if (import->resolving) { // looks for itself on the way to itself
        lang->cuts++;
        return NULL;
    }
    if (!import->resolved)
        resolve_import(lang, module, import);
    return import->decls[space];
}

static Decl *lookup_glob(Lang *lang, const Module *from, Module *module, Import *import,
                         const char *name, Space space)
{
    if (!module_sees(from, module, import->visibility))
        return NULL;
    if (import->resolving) {
        lang->cuts++;
        return NULL;
    }
    if (!import->resolved)
        resolve_import(lang, module, import);
    if (import->glob_enum)
        return enum_variant(import->glob_enum, name);
    return import->glob ? lookup_here(lang, module, import->glob, name, space) : NULL;
}

// Something that is passed by, unless it is seen.
static Decl *if_seen(Lang *lang, const Module *from, Private found)
{
    if (!found.decl || module_sees(from, found.scope, found.visibility))
        return found.decl;
    if (!lang->hidden.decl)
        lang->hidden = found;
    return NULL;
}

static Decl *lookup_here(Lang *lang, const Module *from, Module *module, const char *name,
                         Space space)
{
    Decl *decl = decl_in(lang, &module->names[space], name);
    Import *import = decl ? NULL : map_get(&module->imports, name);
    if (decl)
        decl = if_seen(lang, from, (Private){decl, decl->span, module, decl->visibility, 0});
    for (; import && !decl; import = import->before)
        decl = if_seen(lang, from,
                       (Private){lookup_import(lang, module, import, space), import->use->span,
                                 module, import->visibility, 0});
    if (decl || module->stamp == lang->stamp)
        return decl;
    module->stamp = lang->stamp; // once a lookup, by however many ways it is reached
    for (int64_t i = 0; i < module->globs.count && !decl; i++)
        decl = lookup_glob(lang, from, module, module->globs.items[i], name, space);
    return decl;
}

Decl *enum_variant(Decl *decl, const char *name)
{
    return map_get(&decl->variants, name);
}

// ---- what is not found

int32_t name_distance(const char *a, const char *b, int32_t limit)
{
    return (int32_t)str_distance(str_from(a), str_from(b), limit);
}

static void take_nearer(const char *other, const char *name, const char **best, int32_t *distance)
{
    int32_t d = name_distance(name, other, *distance);
    // if two are equally near, the first by name, so that the order of a map does not show
    bool is_nearer = d < *distance || (d == *distance && *best && strcmp(other, *best) < 0);
    if (d == 0 || !is_nearer) // 0: the name itself, which failed to import or is in the other space
        return;
    *distance = d;
    *best = other;
}

static void nearest_in(const Map *map, const char *name, const char **best, int32_t *distance)
{
    for (int64_t i = 0; i < map->capacity; i++)
        if (map->slots[i].key)
            take_nearer(map->slots[i].key, name, best, distance);
}

static void nearest_seen(Lang *lang, Module *module, const char *name, Space space,
                         const char **best, int32_t *distance)
{
    nearest_in(&module->names[space], name, best, distance);
    nearest_in(&module->imports, name, best, distance);
    for (int64_t i = 0; i < module->globs.count; i++) {
        Import *import = module->globs.items[i];
        if (import->resolved && import->glob && import->glob != module)
            nearest_in(&import->glob->names[space], name, best, distance);
    }
    if (module->is_block)
        nearest_seen(lang, module->outer, name, space, best, distance);
}

static void nearest_own(OwnNames own, const char *name, Space space, const char **best,
                        int32_t *distance)
{
    AstGenericKind kind = space == SPACE_VALUE ? PARAM_CONST : PARAM_TYPE;
    for (int64_t i = 0; space == SPACE_VALUE && own.locals && i < own.locals->count; i++)
        take_nearer(own.locals->items[i].name, name, best, distance);
    for (int32_t i = 0; own.signature && i < own.signature->generic_count; i++)
        if (own.signature->generics[i]->kind == kind)
            take_nearer(own.signature->generics[i]->name.text, name, best, distance);
}

// The name in scope of a module that is nearest to a misspelled one; NULL: none is near.
static const char *module_near(Lang *lang, Module *scope, const char *name, Space space,
                               OwnNames own)
{
    enum { SHORTEST = 3 }; // to a shorter name everything is near
    const char *best = NULL;
    int32_t distance = 2 + (int32_t)strlen(name) / 4;
    distance = distance > 4 ? 4 : distance;
    if (strlen(name) < SHORTEST)
        return NULL;
    nearest_own(own, name, space, &best, &distance);
    nearest_seen(lang, scope, name, space, &best, &distance);
    return best;
}

bool note_left_out(const Lang *lang, Diag *diag, const char *name)
{
    for (int64_t i = 0; i < lang->rules.left_out.count; i++) {
        const LeftOut *left = &lang->rules.left_out.items[i];
        if (left->name != name)
            continue;
        diag_note(diag, left->span, "this leaves out `{}`", name);
        return true;
    }
    return false;
}

static void help_near(Diag *diag, const AstName *name, const char *near)
{
    if (!near)
        return;
    diag_help(diag, "did you mean `{}`?", near);
    diag_edit(diag, name->span, "{}", near);
}

// Where the first item of a file may stand: behind comments and attributes of the file.
static Span top_of(const Lang *lang, const Module *module)
{
    if (module->outer && module->outer->source == module->source)
        return SPAN_NOWHERE; // inside another one
    Str text = lang->sources->items[module->source].text;
    int64_t at = 0;
    for (int64_t end = 0; end < text.len; at = end) {
        while (end < text.len && text.data[end] != '\n')
            end++;
        end += end < text.len;
        Str line = str_trim(str_slice(text, at, end));
        if (line.len && !str_starts_with(line, STR("//")) && !str_starts_with(line, STR("#![")))
            break;
    }
    return (Span){module->source, at, at};
}

static void help_prelude(const Lang *lang, Diag *diag, const Module *module)
{
    static const char line[] = "use furiosa_visa_std::prelude::*;";
    diag_help(diag, "add `{}` at the top of this module", line);
    diag_edit(diag, top_of(lang, module), "{}\n", line);
}

// A name that nobody knows may be one of a module that could not be read.
static bool may_have(const Module *module, int32_t depth)
{
    if (module->unread)
        return true;
    for (int64_t i = 0; i < module->globs.count && depth; i++) {
        const Import *import = module->globs.items[i];
        if (import->failed || (import->glob && may_have(import->glob, depth - 1)))
            return true;
    }
    return module->is_block && may_have(module->outer, depth);
}

enum { GLOB_DEPTH = 8 }; // globs of globs

// A name of the prelude that the file forgot to bring in: said once a module, and then known.
static Decl *forgotten(Lang *lang, Module *scope, const AstName *name, Space space)
{
    Module *module = real_module(scope);
    Decl *decl = module->is_builtin || !lang->prelude
                     ? NULL
                     : lookup_fresh(lang, scope, lang->prelude, name->text, space);
    const char *key = lang_name(lang, "use prelude");
    if (!decl || map_get(&module->unknown, key) || may_have(module, GLOB_DEPTH))
        return decl;
    map_put(&module->unknown, key, module);
    Diag *diag = diag_add(lang->diags, DIAG_PRELUDE_MISSING, name->span,
                          "`{}` is not in scope: the prelude is not brought in", name->text);
    help_prelude(lang, diag, module);
    return decl;
}

const char *const decl_words[] = {
    [DECL_MODULE] = "a module", [DECL_AXIS] = "an axis",      [DECL_ALIAS] = "a type",
    [DECL_FN] = "a function",   [DECL_CONST] = "a constant",  [DECL_STRUCT] = "a type",
    [DECL_ENUM] = "a type",     [DECL_VARIANT] = "a variant", [DECL_TRAIT] = "a trait",
    [DECL_PRIM] = "a type",
};

// A type where a value is wanted, or the other way round. False: there is neither.
static bool report_other_space(Lang *lang, Module *scope, const AstName *name, Space space)
{
    Decl *other =
        module_lookup(lang, scope, name->text, space == SPACE_TYPE ? SPACE_VALUE : SPACE_TYPE);
    if (!other)
        return false;
    diag_add(lang->diags, space == SPACE_TYPE ? DIAG_NOT_A_TYPE : DIAG_NOT_A_VALUE, name->span,
             "`{}` is {}, not {}", name->text, decl_words[other->kind],
             space == SPACE_TYPE ? "a type" : "a value");
    return true;
}

static bool is_reported(Module *scope, const char *name)
{
    while (scope->is_block && !map_get(&scope->unknown, name))
        scope = scope->outer;
    return map_get(&scope->unknown, name) != NULL;
}

// A `use` that names something Contra does not have.
static void note_import(Diag *diag, const Module *scope, const char *name)
{
    for (const Module *module = scope; module; module = module->is_block ? module->outer : NULL)
        for (int64_t i = 0; i < module->uses.count; i++)
            if (module->uses.items[i]->use->name == name)
                diag_note(diag, module->uses.items[i]->use->span,
                          "named here, but Contra has nothing of that name there");
}

// An operation of the Vector Engine that was looked for among those of another stage.
static void help_stage(const Lang *lang, Diag *diag, Decl *before, const char *name)
{
    Str methods = stages_of_op(lang->arena, str_from(name), "");
    if (methods.len && stages_of_family(lang->arena, before->name).len)
        diag_help(diag, "`{}` is an operation of {}", name, methods);
}

static void check_import(Lang *lang, Module *module, Import *import);

// If only the functions that a program reaches are checked, its imports were not. Reports the
// import that failed to bring in the name. True: there is one.
static bool report_import(Lang *lang, Module *scope, const char *name)
{
    for (Module *module = scope; module; module = module->is_block ? module->outer : NULL)
        for (int64_t i = 0; i < module->uses.count; i++)
            if (module->uses.items[i]->use->name == name)
                check_import(lang, module, module->uses.items[i]);
    return is_reported(scope, name);
}

// Said once a name and module.
static void report_unknown(Lang *lang, Module *scope, Decl *before, const AstName *name,
                           Space space, OwnNames own)
{
    Module *module = real_module(scope);
    if (module->is_builtin || is_reported(scope, name->text))
        return;
    bool is_module = before && before->kind == DECL_MODULE;
    if (before ? is_module && may_have(before->module, GLOB_DEPTH) : may_have(scope, GLOB_DEPTH))
        return;
    if (!before && report_import(lang, scope, name->text))
        return;
    map_put(&module->unknown, name->text, module);
    if (!before && report_other_space(lang, scope, name, space))
        return;
    const char *what = space == SPACE_TYPE ? "type, axis or module" : "value or function";
    const char *near = NULL;
    Diag *diag;
    if (before) {
        diag = diag_add(lang->diags, DIAG_NAME_UNKNOWN, name->span, "`{}` has no {}`{}`",
                        before->name, before->kind == DECL_ENUM ? "variant " : "", name->text);
        int32_t distance = 4;
        if (before->kind == DECL_MODULE)
            nearest_in(&before->module->names[space], name->text, &near, &distance);
        else if (before->kind == DECL_ENUM)
            nearest_in(&before->variants, name->text, &near, &distance);
        help_stage(lang, diag, before, name->text);
    } else {
        diag = diag_add(lang->diags, DIAG_NAME_UNKNOWN, name->span, "there is no {} `{}` in scope",
                        what, name->text);
        near = module_near(lang, scope, name->text, space, own);
        note_import(diag, scope, name->text);
    }
    if (note_left_out(lang, diag, name->text))
        return;
    const char *path = before ? NULL : known_path(lang, name->text, space);
    if (path)
        diag_help(diag, "bring it in: `use {};`", path);
    else
        help_near(diag, name, near);
    bool upper = name->text[0] >= 'A' && name->text[0] <= 'Z';
    if (!near && !path && !before && space == SPACE_TYPE && upper && !name->text[1])
        diag_help(diag, "an axis is declared with its size: `axes![{} = 8];`", name->text);
}

void module_report(Lang *lang, Module *scope, Decl *before, const AstName *name, Space space)
{
    report_unknown(lang, scope, before, name, space, (OwnNames){0});
}

Decl *module_resolve(Lang *lang, Module *scope, bool global, const AstName *names, int64_t count,
                     Space space, OwnNames own, int64_t *used)
{
    Private hidden;
    Decl *decl = follow(lang, scope, global, names, count, space, used, &hidden);
    if (hidden.decl && !is_reported(scope, names[hidden.at].text)) {
        map_put(&real_module(scope)->unknown, names[hidden.at].text, scope);
        report_private(lang, &names[hidden.at], &hidden);
    }
    if (!decl && !global) {
        decl = forgotten(lang, scope, &names[0], count > 1 ? SPACE_TYPE : space);
        *used = decl ? 1 : 0;
        if (decl && decl->kind == DECL_ENUM && count > 1) {
            Decl *variant = enum_variant(decl, names[1].text);
            *used += variant != NULL;
            decl = variant ? variant : decl;
        }
    }
    if (!decl)
        report_unknown(lang, scope, NULL, &names[0], count > 1 ? SPACE_TYPE : space, own);
    else if (*used < count && decl->kind == DECL_MODULE)
        report_unknown(lang, scope, decl, &names[*used], space, (OwnNames){0});
    return decl && *used < count && decl->kind == DECL_MODULE ? NULL : decl;
}

Decl *module_find(Lang *lang, Module *scope, const AstPath *path, Space space)
{
    AstName few[4];
    AstNames names = {.items = few, .capacity = 4};
    for (int64_t i = 0; i < path->segments.count; i++)
        *array_push(lang->arena, &names, AstName) = path->segments.items[i].name;
    int64_t used;
    Private hidden;
    Decl *decl = follow(lang, scope, path->global, names.items, names.count, space, &used, &hidden);
    return used == names.count ? decl : NULL;
}

static void add_path(StrBuf *out, const Module *module)
{
    while (module && module->is_block)
        module = module->outer;
    if (!module || !module->outer)
        return;
    add_path(out, module->outer);
    buf_format(out, "{}::", module->name);
}

Str decl_path(Arena *arena, Decl *decl)
{
    StrBuf buf = {.arena = arena};
    add_path(&buf, decl->scope);
    if (decl->impl && decl->impl->self)
        buf_format(&buf, "{}::", type_head_name(decl->impl->self));
    buf_format(&buf, "{}", decl->name);
    return buf_str(&buf);
}

// What a module declares may not come from elsewhere under the same name; an axis is the same axis.
static void check_import_is_new(Lang *lang, const Module *module, const Import *import)
{
    const AstUse *use = import->use;
    for (Space space = 0; space < SPACE_COUNT && !use->glob; space++) {
        Decl *other = import->decls[space], *own = map_get(&module->names[space], use->name);
        bool is_own = own && own->name == use->name; // not the unit struct of a device function
        if (!other || !is_own || own == other || own->kind == DECL_AXIS)
            continue;
        report_repeated(lang, &(AstName){use->name, use->span}, own->span, "in this module");
        return;
    }
}

// A `use` of something that is not there is reported with the module, once, whether it is used or
// not. What other crates have besides what Contra provides is left to where it is used.
static void check_import(Lang *lang, Module *module, Import *import)
{
    const AstUse *use = import->use;
    if (!use->path.count) {
        diag_add(lang->diags, DIAG_USE_UNRESOLVED, use->span, "this `use` does not say of what");
        return;
    }
    if (!import->resolved)
        resolve_import(lang, module, import);
    if (import->hidden.decl)
        report_private(lang, &use->path.items[import->hidden.at], &import->hidden);
    if (import->decls[SPACE_TYPE] || import->decls[SPACE_VALUE]) {
        check_import_is_new(lang, module, import);
        return;
    }
    int64_t used;
    Private hidden;
    Decl *decl = follow(lang, module, use->global, use->path.items, use->path.count, SPACE_TYPE,
                        &used, &hidden);
    // of other crates Contra has what host programs need: the rest is left to where it is used
    if (decl && decl->is_builtin && strcmp(use->path.items[0].text, "furiosa_visa_std") != 0)
        return;
    AstName *name = &use->path.items[used < use->path.count ? used : use->path.count - 1];
    map_put(&module->unknown, use->glob ? name->text : use->name, module);
    bool said = decl && decl->kind == DECL_MODULE && may_have(decl->module, GLOB_DEPTH);
    import->failed = true;
    if (said)
        return;
    Diag *diag = diag_add(lang->diags, DIAG_USE_UNRESOLVED, name->span,
                          decl ? "`{}` is not in `{}`" : "there is no crate or module `{}`{}",
                          name->text, decl ? decl->name : "");
    if (note_left_out(lang, diag, name->text))
        return;
    const char *near = decl && decl->kind == DECL_MODULE
                           ? NULL
                           : module_near(lang, module, name->text, SPACE_TYPE, (OwnNames){0});
    int32_t distance = 4;
    if (decl && decl->kind == DECL_MODULE)
        for (Space space = 0; space < SPACE_COUNT; space++)
            nearest_in(&decl->module->names[space], name->text, &near, &distance);
    help_near(diag, name, near);
}

// `axes!` comes with the prelude, too.
static void check_axes(Lang *lang, Module *module)
{
    const char *key = lang_name(lang, "use prelude");
    bool there = module_lookup(lang, module, lang_name(lang, "axes"), SPACE_TYPE) != NULL;
    if (!module->first_axes || there || map_get(&module->unknown, key) ||
        may_have(module, GLOB_DEPTH))
        return;
    map_put(&module->unknown, key, module);
    Span span = module->first_axes->span;
    Diag *diag = diag_add(lang->diags, DIAG_PRELUDE_MISSING, span,
                          "`axes!` is not in scope: the prelude is not brought in");
    help_prelude(lang, diag, module);
}

void module_check_uses(Lang *lang, Module *module)
{
    for (int64_t i = 0; i < module->uses.count; i++)
        check_import(lang, module, module->uses.items[i]);
    for (int64_t i = 0; i < module->globs.count; i++)
        check_import(lang, module, module->globs.items[i]);
    check_axes(lang, module);
}

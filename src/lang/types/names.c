// What a name means in a module: its own items first, then what `use` names, then what globs bring,
// then (of a block) the module around it, then what is in scope everywhere. And what is said of a
// name that nobody knows.
#include "lang/types/signature.h"

#include "base/checked.h"
#include "base/near.h"
#include "lang/syntax/parse.h"
#include "program/text_form.h"

#include <stdlib.h>
#include <string.h>

// ---- who sees what: the module it is declared in and all modules inside of that, unless `pub`
// says more. What the language brings along is seen by all.

static Module *real_module(Module *module)
{
    while (module->is_block)
        module = module->outer;
    return module;
}

// The module that `pub(in path)` names; NULL: there is none.
static const Module *follow_path(Module *scope, const AstNames *path)
{
    Module *module = real_module(scope);
    for (int64_t i = 0; module && i < path->count; i++) {
        const char *name = path->items[i].text;
        Decl *child = map_get(&module->names[SPACE_TYPE], name);
        if (strcmp(name, "crate") == 0)
            module = module->crate;
        else if (strcmp(name, "super") == 0)
            module = module->outer ? real_module(module->outer) : NULL;
        else if (strcmp(name, "self") != 0)
            module = child ? child->module : NULL;
    }
    return module;
}

// Where something that is declared in `scope` is seen; NULL: everywhere.
static const Module *seen_in(Module *scope, const AstVisibility *visibility)
{
    Module *module = real_module(scope);
    switch (visibility->kind) {
    case VISIBLE_HERE:
        return module;
    case VISIBLE_SUPER:
        return module->outer ? real_module(module->outer) : module;
    case VISIBLE_CRATE:
        return module->crate;
    case VISIBLE_IN:
        return follow_path(scope, &visibility->path);
    case VISIBLE_ALL:
        break;
    }
    return NULL;
}

bool module_sees(const Module *from, Module *scope, const AstVisibility *visibility)
{
    const Module *around = scope->is_builtin || !visibility ? NULL : seen_in(scope, visibility);
    while (around && from && from != around)
        from = from->outer;
    return !around || from;
}

void report_private(Lang *lang, const AstName *name, const Private *found)
{
    const Module *around = seen_in(found->scope, found->visibility);
    bool crate = !around || !around->outer;
    Diag *diag =
        diag_add(lang->diags, DIAG_PRIVATE, name->span, "`{}` is private to {}{}{}", name->text,
                 crate ? "its crate" : "module `", crate ? "" : around->name, crate ? "" : "`");
    diag_note(diag, found->span, "declared here");
    diag_help(diag, "write `pub` there");
}

// ---- looking up

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

// Where the language has something of a name that is not in scope.
enum { DEEPEST = 4 };

typedef struct {
    Lang *lang;
    const char *name;
    Space space;
    const char *path; // the best so far: the fewest steps, of those the first of the alphabet
    int steps;
} Search;

static void found(Search *search, const char *before, int steps)
{
    const char *path = str_terminated(
        search->lang->arena, str_format(search->lang->arena, "{}{}", before, search->name));
    if (search->path &&
        (search->steps < steps || (search->steps == steps && strcmp(search->path, path) <= 0)))
        return;
    search->path = path;
    search->steps = steps;
}

// What a prelude has is there without a `use`.
static void search_module(Search *search, const Module *module, const char *before, int steps)
{
    if (steps > 0 && map_get(&module->names[search->space], search->name))
        found(search, before, steps);
    const Map *names = &module->names[SPACE_TYPE];
    for (int64_t i = 0; i < names->capacity && steps < DEEPEST; i++) {
        Decl *decl = names->slots[i].key ? names->slots[i].value : NULL;
        if (!decl || decl->kind != DECL_MODULE || decl->module->outer != module ||
            strcmp(decl->name, "prelude") == 0)
            continue;
        Str inside = str_format(search->lang->arena, "{}{}::", before, decl->name);
        search_module(search, decl->module, str_terminated(search->lang->arena, inside), steps + 1);
    }
}

const char *known_path(Lang *lang, const char *name, Space space)
{
    Search search = {.lang = lang, .name = name, .space = space};
    if (lang->builtin)
        search_module(&search, lang->builtin, "", 0);
    return search.path;
}

// 0 slips: the name itself, which failed to import or is in the other space.
static Near near_to(const AstName *name, int64_t most)
{
    return (Near){.name = str_from(name->text), .least = 1, .most = most};
}

static int order_of_names(const void *a, const void *b)
{
    return str_compare(*(const Str *)a, *(const Str *)b);
}

// The names of a map in their order, which is kept until there are more.
static const NameList *sorted_names(Lang *lang, const Map *map)
{
    NameList *names = map_get(&lang->sorted_names, map);
    if (names && names->count == map->count)
        return names;
    names = arena_new(lang->arena, NameList, 1);
    for (int64_t i = 0; i < map->capacity; i++)
        if (map->slots[i].key)
            *array_push(lang->arena, names, Str) = str_from(map->slots[i].key);
    qsort(names->items, (size_t)names->count, sizeof *names->items, order_of_names);
    map_put(&lang->sorted_names, map, names);
    return names;
}

static void search_map(Lang *lang, const Map *map, Near *near)
{
    if (!map->count)
        return;
    const NameList *names = sorted_names(lang, map);
    near_search(near, names->items, names->count);
}

static void search_scope(Lang *lang, Module *module, Space space, Near *near)
{
    search_map(lang, &module->names[space], near);
    search_map(lang, &module->imports, near);
    for (int64_t i = 0; i < module->globs.count; i++) {
        Import *import = module->globs.items[i];
        if (import->resolved && import->glob && import->glob != module)
            search_map(lang, &import->glob->names[space], near);
    }
    if (module->is_block)
        search_scope(lang, module->outer, space, near);
}

static void search_name(const char *name, Near *near)
{
    Str text = str_from(name);
    near_search(near, &text, 1);
}

static void search_own(OwnNames own, Space space, Near *near)
{
    AstGenericKind kind = space == SPACE_VALUE ? PARAM_CONST : PARAM_TYPE;
    for (int64_t i = 0; space == SPACE_VALUE && own.locals && i < own.locals->count; i++)
        search_name(own.locals->items[i].name, near);
    for (int32_t i = 0; own.signature && i < own.signature->generic_count; i++)
        if (own.signature->generics[i]->kind == kind)
            search_name(own.signature->generics[i]->name.text, near);
}

// The name in scope of a module that is nearest to a misspelled one.
static Near near_in_scope(Lang *lang, Module *scope, const AstName *name, Space space, OwnNames own)
{
    enum { SHORTEST = 3, FURTHEST = 3 }; // to a shorter name everything is near
    Near near = near_to(name, 0);
    near.most = min_i64(1 + near.name.len / 4, FURTHEST);
    if (near.name.len < SHORTEST)
        return near;
    search_own(own, space, &near);
    search_scope(lang, scope, space, &near);
    return near;
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
    Near near = near_to(name, 3);
    Diag *diag;
    if (before) {
        diag = diag_add(lang->diags, DIAG_NAME_UNKNOWN, name->span, "`{}` has no {}`{}`",
                        before->name, before->kind == DECL_ENUM ? "variant " : "", name->text);
        if (before->kind == DECL_MODULE)
            search_map(lang, &before->module->names[space], &near);
        else if (before->kind == DECL_ENUM)
            search_map(lang, &before->variants, &near);
        help_stage(lang, diag, before, name->text);
    } else {
        diag = diag_add(lang->diags, DIAG_NAME_UNKNOWN, name->span, "there is no {} `{}` in scope",
                        what, name->text);
        near = near_in_scope(lang, scope, name, space, own);
        note_import(diag, scope, name->text);
    }
    if (note_left_out(lang, diag, name->text))
        return;
    const char *path = before ? NULL : known_path(lang, name->text, space);
    if (path)
        diag_help(diag, "bring it in: `use {};`", path);
    else
        near_help(&near, diag, name->span);
    bool upper = name->text[0] >= 'A' && name->text[0] <= 'Z';
    if (!near.best.data && !path && !before && space == SPACE_TYPE && upper && !name->text[1])
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
    bool inside = decl && decl->kind == DECL_MODULE;
    Near near =
        inside ? near_to(name, 3) : near_in_scope(lang, module, name, SPACE_TYPE, (OwnNames){0});
    for (Space space = 0; inside && space < SPACE_COUNT; space++)
        search_map(lang, &decl->module->names[space], &near);
    near_help(&near, diag, name->span);
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

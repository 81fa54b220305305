// Crates: a root file and the files of the modules it names.
#include "lang/types/lang.h"

#include "base/file.h"
#include "base/path.h"
#include "base/utf8.h"
#include "lang/std/builtin.h"
#include "lang/syntax/outline.h"
#include "lang/syntax/parse.h"
#include "program/vector.h"

#include <errno.h>
#include <string.h>

enum { MODULE_DEPTH = 64, MOST_MODULES = 100 * 1000 };

static int32_t add_source(Lang *lang, Str path, Str text)
{
    *array_push(lang->arena, lang->sources, Source) = (Source){path, text, NULL};
    return (int32_t)lang->sources->count - 1;
}

static void declare_source(Lang *lang, Module *module, int32_t source)
{
    Str text = lang->sources->items[source].text;
    AstFile *file = parse_file(lang->arena, &lang->names, lang->sources, source, &lang->next_expr,
                               &lang->rules, lang->diags);
    while (lang->unfinished.count <= source)
        *array_push(lang->arena, &lang->unfinished, AstSpans) = (AstSpans){0};
    lang->unfinished.items[source] = file->unfinished;
    lang->has_unfinished |= file->unfinished.count > 0;
    module->unread |= utf8_fault(text) < text.len;
    if (!file->inner.is_off)
        module_declare(lang, module, &file->items);
}

static Module *new_crate(Lang *lang, int32_t source)
{
    Module *crate = module_new(lang, NULL, lang_name(lang, "crate"), source);
    Decl *decl = arena_new(lang->arena, Decl, 1);
    *decl = (Decl){.kind = DECL_MODULE,
                   .name = crate->name,
                   .span = {.source = source},
                   .scope = crate,
                   .module = crate};
    crate->decl = decl;
    return crate;
}

// ---- files of modules

// What `#[path = ".."]` names: beside the file, or in the folder of the module it stands in.
static Str named_path(Lang *lang, const Module *module, const AstItem *item)
{
    bool is_inline = module->decl && module->decl->item && module->decl->item->kind == ITEM_MOD &&
                     module->decl->item->module.is_inline;
    bool has_file = !is_inline && module->source >= 0; // the prelude has none
    Str beside =
        has_file ? path_folder(lang->sources->items[module->source].name) : module->directory;
    return module_named_path(lang->arena, beside, item);
}

bool lang_read_named(Lang *lang, Str path, Str *text)
{
    return !file_may_wait(lang->arena, path) &&
           lang->files.read(lang->files.own, lang->arena, path, text);
}

static bool open_module(Lang *lang, Module *module, const AstItem *item, Str *path, Str *text)
{
    *path = named_path(lang, module, item);
    if (path->len)
        return lang_read_named(lang, *path, text);
    *path = str_format(lang->arena, "{}/{}.rs", module->directory, item->name.text);
    if (lang_read_named(lang, *path, text))
        return true;
    if (file_may_wait(lang->arena, *path))
        return false;
    *path = str_format(lang->arena, "{}/{}/mod.rs", module->directory, item->name.text);
    return lang_read_named(lang, *path, text);
}

static int32_t module_depth(const Module *module)
{
    int32_t depth = 0;
    for (; module; module = module->outer)
        depth++;
    return depth;
}

// A module whose file is one of the files around it would contain itself.
static bool contains_itself(const Lang *lang, const Module *module, Str path)
{
    for (; module; module = module->outer)
        if (module->source >= 0 && str_equal(lang->sources->items[module->source].name, path))
            return true;
    return false;
}

static void report_file(Lang *lang, const Module *module, Module *child, const AstItem *item,
                        Str path)
{
    child->unread = true;
    if (file_may_wait(lang->arena, path)) {
        diag_add(lang->diags, DIAG_MODULE_FILE, item->name.span,
                 "the file of module `{}` is no ordinary file: `{}`", item->name.text, path);
        return;
    }
    Diag *diag = diag_add(lang->diags, DIAG_MODULE_FILE, item->name.span,
                          "the file of module `{}` is not there", item->name.text);
    diag_help(diag, "write it to `{}/{}.rs` or `{}/{}/mod.rs`", module->directory, item->name.text,
              module->directory, item->name.text);
}

static void load_module(Lang *lang, Module *module, Module *child, const AstItem *item)
{
    Str path, text;
    if (!open_module(lang, module, item, &path, &text)) {
        report_file(lang, module, child, item, path);
        return;
    }
    if (contains_itself(lang, module, path)) {
        Diag *diag =
            diag_add(lang->diags, DIAG_MODULE_CYCLE, item->name.span,
                     "module `{}` contains itself: its file is `{}`", item->name.text, path);
        diag_help(diag, "leave `mod {};` out, or give it a file of its own", item->name.text);
        child->unread = true;
        return;
    }
    if (module_depth(module) > MODULE_DEPTH || lang->modules.count > MOST_MODULES) {
        diag_add(lang->diags, DIAG_MODULE_CYCLE, item->name.span,
                 "module `{}` is nested too deeply, or there are too many of them",
                 item->name.text);
        return;
    }
    child->source = add_source(lang, path, text);
    if (attribute_find(&item->attributes, "path")) // its own modules lie beside it
        child->directory = path_folder(path);
    declare_source(lang, child, child->source);
    *array_push(lang->arena, &lang->modules, Module *) = child;
}

void lang_declare_module(Lang *lang, Module *module, const AstItem *item)
{
    Module *child = module_new(lang, module, item->name.text, module->source);
    child->directory = str_format(lang->arena, "{}/{}", module->directory, item->name.text);
    module_add(lang, module, child, item);
    if (!item->module.is_inline) {
        load_module(lang, module, child, item);
        return;
    }
    Str named = named_path(lang, module, item);
    if (named.len)
        child->directory = named;
    module_declare(lang, child, &item->module.items);
    if (!child->is_builtin)
        *array_push(lang->arena, &lang->modules, Module *) = child;
}

// ---- crates

// The crate whose root is this file, if it was read already.
static Module *loaded_crate(const Lang *lang, Str path)
{
    for (int64_t i = lang->request_start; i < lang->modules.count; i++) {
        Module *module = lang->modules.items[i];
        if (!module->outer && str_equal(lang->sources->items[module->source].name, path))
            return module;
    }
    return NULL;
}

Module *lang_load_text(Lang *lang, Str path, Str text)
{
    int32_t source = add_source(lang, path, text);
    Module *crate = new_crate(lang, source);
    crate->directory = path_folder(path);
    declare_source(lang, crate, source);
    *array_push(lang->arena, &lang->modules, Module *) = crate;
    return crate;
}

Module *lang_load_file(Lang *lang, Str path)
{
    Str text;
    path = path_normal(lang->arena, path);
    Module *known = loaded_crate(lang, path);
    if (known) // given twice
        return known;
    errno = 0;
    if (lang->files.read(lang->files.own, lang->arena, path, &text))
        return lang_load_text(lang, path, text);
    diag_add(lang->diags, DIAG_FILE_UNREADABLE, SPAN_NOWHERE, "cannot read `{}`: {}", path,
             errno ? strerror(errno) : "it is no file");
    return NULL;
}

// The name of a crate as paths spell it: with `_` for `-`.
static const char *crate_name(Lang *lang, Str value)
{
    char *copy = arena_copy(lang->arena, str_terminated(lang->arena, value), (size_t)value.len + 1);
    for (char *c = copy; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return lang_name(lang, copy);
}

// `name = ".."` of the [lib] section of a Cargo.toml, or else of its [package] section.
static const char *library_name(Lang *lang, Str text)
{
    const char *package = NULL, *library = NULL;
    Str section = {0};
    for (int64_t start = 0; start < text.len;) {
        int64_t end = start;
        while (end < text.len && text.data[end] != '\n')
            end++;
        Str line = str_trim(str_slice(text, start, end));
        start = end + 1;
        if (line.len && line.data[0] == '[')
            section = line;
        const char *equals = line.len ? memchr(line.data, '=', (size_t)line.len) : NULL;
        if (!equals || !str_equal(str_trim(str_slice(line, 0, equals - line.data)), STR("name")))
            continue;
        Str value = str_unquoted(str_slice(line, equals - line.data + 1, line.len));
        if (str_equal(section, STR("[package]")))
            package = crate_name(lang, value);
        if (str_equal(section, STR("[lib]")))
            library = crate_name(lang, value);
    }
    return library ? library : package;
}

// The folder around a folder: above the one at hand there is another.
static Str folder_above(Arena *arena, Str folder)
{
    if (str_equal(folder, STR(".")))
        return STR("..");
    bool up =
        folder.len >= 2 && str_equal(str_slice(folder, folder.len - 2, folder.len), STR(".."));
    return up ? str_format(arena, "{}/..", folder) : path_folder(folder);
}

// Looks for Cargo.toml in the folders above a source.
static void find_manifest(Lang *lang, Module *crate)
{
    enum { LEVELS = 8 };
    crate->library_known = true;
    crate->folder = path_folder(lang->sources->items[crate->source].name);
    for (int i = 0; i < LEVELS; i++) {
        Str path = str_format(lang->arena, "{}/Cargo.toml", crate->folder);
        if (lang_read_named(lang, path, &crate->manifest)) {
            crate->library_name = library_name(lang, crate->manifest);
            return;
        }
        if (!crate->folder.len)
            return;
        crate->folder = folder_above(lang->arena, crate->folder);
    }
}

// The folder of a dependency `name = { path = ".." }`; empty: there is none of that name.
static Str dependency_path(Lang *lang, Str manifest, const char *name)
{
    for (int64_t start = 0; start < manifest.len;) {
        int64_t end = start;
        while (end < manifest.len && manifest.data[end] != '\n')
            end++;
        Str line = str_trim(str_slice(manifest, start, end));
        start = end + 1;
        const char *equals = line.len ? memchr(line.data, '=', (size_t)line.len) : NULL;
        Str key = equals ? str_trim(str_slice(line, 0, equals - line.data)) : (Str){0};
        if (!key.len || crate_name(lang, key) != name)
            continue;
        const char *path = strstr(str_terminated(lang->arena, line), "path");
        const char *open = path ? strchr(path, '"') : NULL,
                   *close = open ? strchr(open + 1, '"') : NULL;
        if (close)
            return (Str){open + 1, close - open - 1};
    }
    return (Str){0};
}

Decl *lang_find_crate(Lang *lang, Module *crate, const char *name)
{
    if (crate->is_builtin || crate->source < 0)
        return NULL;
    if (!crate->library_known)
        find_manifest(lang, crate);
    Str beside =
        crate->library_name == name ? STR(".") : dependency_path(lang, crate->manifest, name);
    if (!beside.len)
        return NULL;
    Str path = path_normal(lang->arena,
                           str_format(lang->arena, "{}/{}/src/lib.rs", crate->folder, beside));
    if (str_equal(path, lang->sources->items[crate->source].name))
        return NULL;
    Module *library = loaded_crate(lang, path);
    Str text;
    if (!library && lang_read_named(lang, path, &text))
        library = lang_load_text(lang, path, text);
    if (library)
        library->is_library = true;
    return library ? library->decl : NULL;
}

// ---- what the language brings along

static void declare_prims(Lang *lang)
{
    for (Prim prim = 0; prim < PRIM_COUNT; prim++) {
        Decl *decl = arena_new(lang->arena, Decl, 1);
        *decl = (Decl){.kind = DECL_PRIM,
                       .name = lang_name(lang, prims[prim].name),
                       .span = SPAN_NOWHERE,
                       .is_builtin = true,
                       .prim = prim};
        lang->prims[prim] = decl;
    }
}

// The operators of the Vector Engine as enums of the language.
static Str operator_enums(Lang *lang)
{
    StrBuf buf = {.arena = lang->arena};
    for (VectorFamily family = 0; family < FAMILY_COUNT; family++) {
        const VectorFamilyInfo *info = &vector_families[family];
        buf_format(&buf, "/// {}\npub enum {} {{\n", info->doc, info->name);
        for (VectorOp op = 0; op < VECTOR_OP_COUNT; op++) {
            if (vector_ops[op].family != family)
                continue;
            bool chooses = vector_ops[op].alu == ALU_NONE && family == FAMILY_FpBinaryOp;
            buf_format(&buf, "    /// {}\n    {}{},\n", vector_ops[op].doc, vector_ops[op].name,
                       chooses ? "(FpMulAlu)" : "");
        }
        buf_format(&buf, "}\n");
    }
    return buf_str(&buf);
}

static Module *find_module(Lang *lang, Module *module, const char *name)
{
    Decl *decl = map_get(&module->names[SPACE_TYPE], lang_name(lang, name));
    return decl ? decl->module : NULL;
}

static void declare_text(Lang *lang, Module *module, const char *name, Str text)
{
    AstItems *items = arena_new(lang->arena, AstItems, 1);
    *items = outline_text(lang->arena, &lang->names, lang->sources,
                          add_source(lang, str_from(name), text), &lang->next_expr, lang->diags);
    module_declare(lang, module, items);
}

void lang_load_prelude(Lang *lang)
{
    lang->mapping_types.arena = lang->item_scopes.arena = lang->arena;
    lang->bodies.arena = lang->called.arena = lang->arena;
    lang->sorted_names.arena = lang->macros.arena = lang->macro_rows.arena = lang->arena;
    declare_prims(lang);
    lang->builtin = new_crate(lang, -1);
    lang->builtin->is_builtin = true;
    declare_text(lang, lang->builtin, "<prelude>", builtin_prelude_text());
    declare_text(lang, lang->builtin, "<std>", builtin_std_text());
    lang->prelude =
        find_module(lang, find_module(lang, lang->builtin, "furiosa_visa_std"), "prelude");
    lang->std_prelude = find_module(lang, find_module(lang, lang->builtin, "std"), "prelude");
    declare_text(lang, lang->prelude, "<operators>", operator_enums(lang));
}

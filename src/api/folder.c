#include "api/folder.h"

#include "base/checked.h"
#include "base/file.h"
#include "base/path.h"
#include "command/object.h"
#include "lang/syntax/parse.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FOLDER_DEPTH = 32 };

bool paths_have(const Paths *paths, Str path)
{
    for (int64_t i = 0; i < paths->count; i++)
        if (str_equal(paths->items[i], path))
            return true;
    return false;
}

bool path_is_program(Str path)
{
    return str_ends_with(path, STR(".tcp"));
}

static bool is_folder(Arena *arena, Str path)
{
    struct stat about;
    return stat(str_terminated(arena, path), &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_link_to_folder(Arena *arena, Str path)
{
    struct stat about;
    return lstat(str_terminated(arena, path), &about) == 0 && S_ISLNK(about.st_mode) &&
           is_folder(arena, path);
}

static bool is_file(Arena *arena, Str path)
{
    struct stat about;
    return stat(str_terminated(arena, path), &about) == 0 && S_ISREG(about.st_mode);
}

static int compare_paths(const void *left, const void *right)
{
    return str_compare(*(const Str *)left, *(const Str *)right);
}

static void sort_paths(Paths *paths)
{
    if (paths->count)
        qsort(paths->items, (size_t)paths->count, sizeof(Str), compare_paths);
}

static Str join(Arena *arena, Str folder, const char *name)
{
    return str_format(arena, "{}/{}", folder, name);
}

// Ordinary files and folders: a pipe that lies among them is no source.
static void list_folder(Arena *arena, Str folder, Paths *entries)
{
    DIR *dir = opendir(str_terminated(arena, folder));
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        Str path = join(arena, folder, entry->d_name);
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "target") != 0 &&
            !file_may_wait(arena, path))
            *array_push(arena, entries, Str) = path;
    }
    closedir(dir);
    sort_paths(entries);
}

// ---- crates

static bool is_crate(Arena *arena, Str folder)
{
    return is_file(arena, join(arena, folder, "src/lib.rs")) ||
           is_file(arena, join(arena, folder, "src/main.rs"));
}

static void add_if_there(Arena *arena, Str folder, const char *name, Paths *roots)
{
    Str path = join(arena, folder, name);
    if (is_file(arena, path))
        *array_push(arena, roots, Str) = path;
}

// tests/x.rs and tests/x/main.rs
static void add_targets(Arena *arena, Str folder, const char *name, Paths *roots)
{
    Paths entries = {0};
    list_folder(arena, join(arena, folder, name), &entries);
    for (int64_t i = 0; i < entries.count; i++) {
        if (str_ends_with(entries.items[i], STR(".rs")))
            *array_push(arena, roots, Str) = entries.items[i];
        else
            add_if_there(arena, entries.items[i], "main.rs", roots);
    }
}

static void add_crate(Arena *arena, Str folder, Paths *roots)
{
    static const char *const targets[] = {"src/bin", "tests", "examples", "benches"};
    add_if_there(arena, folder, "src/lib.rs", roots);
    add_if_there(arena, folder, "src/main.rs", roots);
    for (size_t i = 0; i < COUNT_OF(targets); i++)
        add_targets(arena, folder, targets[i], roots);
}

Str path_stem(Str path)
{
    return str_ends_with(path, STR(".rs")) ? str_slice(path, 0, path.len - 3) : path;
}

Str path_before(Str path, Str inside)
{
    int64_t length = path.len - inside.len - 1;
    bool ends = length > 0 && str_equal(str_slice(path, length + 1, path.len), inside);
    return ends ? str_slice(path, 0, length) : STR(".");
}

// The path of a module in its library: "src/part/mod.rs" is `part`.
static Str module_label(Arena *arena, Str inside)
{
    static const Str mod = {"/mod", 4};
    Str stem = path_stem(str_slice(inside, (int64_t)strlen("src/"), inside.len));
    StrBuf label = {.arena = arena};
    if (str_equal(stem, STR("lib")) || str_equal(stem, STR("main")))
        return (Str){0};
    if (str_ends_with(stem, mod))
        stem.len -= mod.len;
    for (int64_t i = 0; i < stem.len; i++)
        buf_add(&label, stem.data[i] == '/' ? STR("::") : str_slice(stem, i, i + 1));
    return buf_str(&label);
}

static Str target_label(Str inside)
{
    static const Str main_file = {"/main.rs", 8};
    bool folder = str_ends_with(inside, main_file);
    return folder ? str_slice(inside, 0, inside.len - main_file.len) : path_stem(inside);
}

// What a file of a crate is, by the folder it is in.
static const struct {
    const char *folder;
    bool is_program, is_extra;
} crate_folders[] = {
    {"src/bin/", true, false}, {"tests/", false, true}, {"examples/", false, true},
    {"benches/", false, true}, {"src/", false, false}, // the last: others lie in it
};

static CratePlace place_in(Arena *arena, Str crate, Str inside)
{
    size_t i = 0;
    while (i < COUNT_OF(crate_folders) &&
           !str_starts_with(inside, str_from(crate_folders[i].folder)))
        i++;
    if (i == COUNT_OF(crate_folders) || !is_crate(arena, crate))
        return (CratePlace){0};
    bool module = !crate_folders[i].is_program && !crate_folders[i].is_extra;
    return (CratePlace){.crate = crate,
                        .inside = inside,
                        .label = module ? module_label(arena, inside) : target_label(inside),
                        .is_program =
                            crate_folders[i].is_program || str_equal(inside, STR("src/main.rs")),
                        .is_extra = crate_folders[i].is_extra};
}

CratePlace crate_place(Arena *arena, Str path)
{
    char *real = arena_new(arena, char, PATH_MAX);
    bool there = realpath(str_terminated(arena, path), real) != NULL;
    Str whole = there ? str_from(real) : (Str){0};
    CratePlace place = {0};
    for (int64_t i = whole.len - 1; i > 0 && !place.crate.len; i--)
        if (whole.data[i] == '/')
            place = place_in(arena, str_slice(whole, 0, i), str_slice(whole, i + 1, whole.len));
    return place;
}

// ---- other folders

// The files that a source names as its modules, by both layouts, or by `#[path = ".."]`, which
// starts from `beside`.
static void add_modules(Arena *arena, Str folder, Str beside, const AstItems *items, Paths *modules)
{
    for (int64_t i = 0; i < items->count; i++) {
        const AstItem *item = items->items[i];
        if (item->kind != ITEM_MOD)
            continue;
        Str named = module_named_path(arena, beside, item);
        Str inside = named.len ? named : join(arena, folder, item->name.text);
        if (item->module.is_inline) {
            add_modules(arena, inside, inside, &item->module.items, modules);
        } else if (named.len) {
            *array_push(arena, modules, Str) = named;
        } else {
            *array_push(arena, modules, Str) =
                path_normal(arena, str_format(arena, "{}.rs", inside));
            *array_push(arena, modules, Str) = path_normal(arena, join(arena, inside, "mod.rs"));
        }
    }
}

static Str module_folder(Str path)
{
    bool root = str_ends_with(path, STR("/mod.rs")) || str_ends_with(path, STR("/lib.rs")) ||
                str_ends_with(path, STR("/main.rs"));
    return root ? path_folder(path) : path_stem(path);
}

// Modules lie beside a root, and in a folder of its name beside another file: both are looked for.
static void find_modules(Arena *arena, Str path, Paths *modules)
{
    Str text;
    if (file_may_wait(arena, path) || !file_read(arena, path, &text))
        return;
    SourceList sources = {0};
    *array_push(arena, &sources, Source) = (Source){path, text, NULL};
    DiagList diags = {.arena = arena};
    Interner names = {.arena = arena};
    int32_t next = 0;
    MacroList macros = {0};
    AstFile *file = parse_file(arena, &names, &sources, 0, &next, &macros, &diags);
    Str beside = path_folder(path);
    add_modules(arena, beside, beside, &file->items, modules);
    add_modules(arena, module_folder(path), beside, &file->items, modules);
}

// An object file that has the name of a source.
static bool is_object(Arena *arena, Str path)
{
    Str bytes = {0};
    bool is_one = file_map(arena, path, &bytes) && object_is(bytes);
    file_unmap(bytes);
    return is_one;
}

static void walk(Arena *arena, Str folder, int depth, Paths *files, Paths *roots)
{
    Paths entries = {0};
    if (depth > FOLDER_DEPTH)
        return;
    if (depth && is_crate(arena, folder)) {
        add_crate(arena, folder, roots);
        return;
    }
    list_folder(arena, folder, &entries);
    for (int64_t i = 0; i < entries.count; i++) {
        Str entry = entries.items[i];
        if (is_link_to_folder(arena, entry))
            continue; // may lead back here
        if (is_folder(arena, entry))
            walk(arena, entry, depth + 1, files, roots);
        else if ((str_ends_with(entry, STR(".rs")) || path_is_program(entry)) &&
                 !is_object(arena, entry))
            *array_push(arena, files, Str) = entry;
    }
}

// At FOLDER_DEPTH the folders inside of it are left out.
static void add_folder(Arena *arena, Str folder, int depth, Paths *roots)
{
    Paths files = {0}, modules = {0};
    walk(arena, folder, depth, &files, roots);
    for (int64_t i = 0; i < files.count; i++)
        if (!path_is_program(files.items[i]))
            find_modules(arena, files.items[i], &modules);
    sort_paths(&modules);
    for (int64_t i = 0; i < files.count; i++) {
        Str path = path_normal(arena, files.items[i]);
        if (!modules.count ||
            !bsearch(&path, modules.items, (size_t)modules.count, sizeof(Str), compare_paths))
            *array_push(arena, roots, Str) = files.items[i];
    }
    sort_paths(roots);
}

void folder_roots_beside(Arena *arena, Str folder, Paths *roots)
{
    if (is_folder(arena, folder) && !is_crate(arena, folder))
        add_folder(arena, folder, FOLDER_DEPTH, roots);
}

// Whether one of the modules is the file, or has it in its folder.
static bool lead_to(Arena *arena, const Paths *modules, Str path)
{
    for (int64_t i = 0; i < modules->count; i++) {
        Str module = modules->items[i];
        if (str_equal(module, path) ||
            str_starts_with(path, str_format(arena, "{}/", module_folder(module))))
            return true;
    }
    return false;
}

Paths roots_naming(Arena *arena, const Paths *roots, Str path)
{
    Paths found = {0}, others = {0};
    Str normal = path_normal(arena, path);
    for (int64_t i = 0; i < roots->count; i++) {
        Paths modules = {0};
        find_modules(arena, roots->items[i], &modules);
        if (modules.count)
            *array_push(arena, lead_to(arena, &modules, normal) ? &found : &others, Str) =
                roots->items[i];
    }
    for (int64_t i = 0; i < others.count; i++)
        *array_push(arena, &found, Str) = others.items[i];
    return found;
}

void folder_roots(Arena *arena, Str path, Paths *roots, DiagList *diags)
{
    while (path.len > 1 && path.data[path.len - 1] == '/')
        path.len--;
    int64_t before = roots->count;
    if (!is_folder(arena, path)) {
        *array_push(arena, roots, Str) = path;
        return;
    }
    if (is_crate(arena, path))
        add_crate(arena, path, roots);
    else
        add_folder(arena, path, 0, roots);
    if (roots->count == before)
        diag_add(diags, DIAG_FILE_UNREADABLE, SPAN_NOWHERE, "there is no source in the folder `{}`",
                 path);
}

#include "api/sized.h"

#include "api/folder.h"
#include "base/checked.h"
#include "base/file.h"
#include "base/npy.h"
#include "base/utf8.h"
#include "command/object.h"
#include "engine/engine.h"
#include "program/text.h"

#include <errno.h>
#include <string.h>

// ---- groups of rules

// Only rules of the hardware can be relaxed: without a text that is read, names that are known and
// types that fit, there is nothing to check.
static bool is_relaxable(Str group)
{
    static const char *const fixed[] = {
        "input", "syntax",  "name",         "type",           "inference",    "unsupported",
        "value", "machine", "program-text", "mapping-syntax", "mapping-size", "mapping",
        "array", "run",     "compile",      "object"};
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (str_equal(group, str_from(fixed[i])))
            return false;
    return true;
}

const char *contra_group(int64_t index)
{
    // each group once, in the order of the codes
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++) {
        bool first = is_relaxable(str_from(diag_infos[code].group));
        for (DiagCode before = 0; before < code && first; before++)
            first = strcmp(diag_infos[before].group, diag_infos[code].group) != 0;
        if (first && index-- == 0)
            return diag_infos[code].group;
    }
    return NULL;
}

// False: no rule is in such a group.
static bool treat_group(DiagTreatment *treatments, Str group, DiagTreatment treatment)
{
    bool found = false;
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++) {
        if (!str_equal(group, str_from(diag_infos[code].group)))
            continue;
        treatments[code] = treatment;
        found = true;
    }
    return found;
}

static void report_group(Contra *contra, Str group)
{
    StrBuf known = {.arena = &contra->arena};
    const char *name;
    for (int64_t i = 0; (name = contra_group(i)); i++)
        buf_format(&known, "{}{}", i ? ", " : "", name);
    Diag *diag = request_report(contra, DIAG_GROUP_UNKNOWN,
                                "there is no group of rules `{}` that can be relaxed", group);
    diag_help(diag, "the groups are {}", buf_str(&known));
}

static bool relax(Contra *contra, DiagTreatment *treatments, Str groups)
{
    bool ok = true;
    for (int64_t start = 0; start < groups.len;) {
        int64_t end = start;
        while (end < groups.len && groups.data[end] != ',')
            end++;
        Str group = str_trim(str_slice(groups, start, end));
        if (group.len &&
            (!is_relaxable(group) || !treat_group(treatments, group, TREAT_AS_WARNING))) {
            report_group(contra, group);
            ok = false;
        }
        start = end + 1;
    }
    return ok;
}

// ---- the front end

void contra_use_files(Contra *contra, ContraRead *read, void *own)
{
    if (!contra)
        return;
    contra->read = read;
    contra->read_own = own;
}

static bool read_file(void *own, Arena *arena, Str path, Str *text)
{
    Contra *contra = own;
    ContraText found = {0};
    if (!contra->read || !contra->read(contra->read_own, text_of(path), &found))
        return file_read(arena, path, text);
    *text = str_copy(arena, str_of(found));
    return true;
}

static void open_lang(Contra *contra)
{
    if (contra->lang)
        return;
    Lang *lang = arena_new(&contra->arena, Lang, 1);
    *lang = (Lang){.arena = &contra->arena,
                   .names = {.arena = &contra->arena},
                   .sources = &contra->sources,
                   .diags = &contra->diags,
                   .files = {.read = read_file, .own = contra}};
    lang_load_prelude(lang);
    contra->lang = lang;
}

static bool options_can_be(Contra *contra, const ContraCheckOptions *options)
{
    if (IS_ENUM(options->rules, CONTRA_RULES_REFERENCE + 1) &&
        IS_ENUM(options->memory, CONTRA_MEMORY_DETACHED + 1) && options->most_steps >= 0)
        return true;
    request_report(
        contra, DIAG_ARGUMENT_UNFIT,
        "a ContraCheckOptions has a value that cannot be: rules {}, memory {}, {} steps at most",
        (int)options->rules, (int)options->memory, options->most_steps);
    return false;
}

static bool names_can_be_set(Contra *contra, Str settings)
{
    while (settings.len) {
        Str setting = cfg_first(settings, &settings);
        if (cfg_may_set(setting))
            continue;
        request_report(
            contra, DIAG_ARGUMENT_UNFIT,
            "`{}` cannot be set for `#[cfg(..)]`: it takes NAME or NAME=VALUE, separated by commas",
            setting);
        return false;
    }
    return true;
}

bool options_open(Contra *contra, const ContraCheckOptions *options, DiagTreatment *treatments,
                  BuilderOptions *builder)
{
    bool detached = options->memory == CONTRA_MEMORY_DETACHED;
    memset(treatments, 0, sizeof contra->treatments);
    if (detached)
        treat_group(treatments, STR("overlap"), TREAT_AS_WARNING);
    if (options->rules == CONTRA_RULES_REFERENCE) // which does not check these
        treat_group(treatments, STR("valid-count"), TREAT_AS_WARNING);
    *builder = (BuilderOptions){
        .machine = &contra->machine,
        .rules = &engine_rules,
        .rule_set = options->rules == CONTRA_RULES_REFERENCE ? RULES_REFERENCE : RULES_CONTRA,
        .memory = detached ? MEMORY_DETACHED : MEMORY_REAL,
    };
    return options_can_be(contra, options) && names_can_be_set(contra, str_of(options->cfg)) &&
           relax(contra, treatments, str_of(options->relax));
}

bool request_open(Contra *contra, const ContraCheckOptions *given)
{
    ContraCheckOptions options;
    if (!sized_take(contra, SIZED_ContraCheckOptions, given, &options))
        return false;
    open_lang(contra);
    contra->lang->most_steps = options.most_steps;
    contra->lang->rules.cfg = (Cfg){
        .is_on = true, .is_test = true, .given = str_copy(&contra->arena, str_of(options.cfg))};
    contra->lang->warns_of_mappings = options.rules != CONTRA_RULES_REFERENCE;
    contra->lang->request_start = contra->lang->modules.count;
    contra->settings++;
    bool ok = options_open(contra, &options, contra->treatments, &contra->builder_options);
    if (contra->builder)
        builder_free(contra->builder);
    contra->builder = builder_new(&contra->arena, &contra->diags, &contra->builder_options);
    return ok;
}

static int64_t count_lines(Str text)
{
    int64_t lines = 0;
    for (int64_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    return lines + (text.len > 0 && text.data[text.len - 1] != '\n');
}

static void count_refused(Contra *contra, int64_t first_source, int64_t first_diag,
                          ContraCheckResult *result)
{
    bool *refused = arena_new(&contra->arena, bool, (size_t)contra->sources.count + 1);
    for (int64_t i = first_diag; i < contra->diags.count; i++) {
        const Diag *diag = contra->diags.items[i];
        int32_t source = span_in_file(&contra->sources, diag->span).source;
        if (diag->severity == SEVERITY_ERROR && source >= first_source)
            refused[source] = true;
    }
    for (int64_t i = first_source; i < contra->sources.count; i++) {
        if (refused[i] && result->files_refused++ == 0)
            result->refused = text_of(contra->sources.items[i].name);
    }
}

static ContraStatus finish(Contra *contra, int64_t first_source, int64_t first_diag,
                           CheckResult *checked, ContraCheckResult *given)
{
    lang_check(contra->lang, contra->builder, checked);
    diag_drop_copies(&contra->diags, &contra->sources, first_diag);
    for (int64_t i = 0; i < checked->programs.count; i++)
        *array_push(&contra->arena, &contra->programs, Program *) = checked->programs.items[i];
    ContraCheckResult result = {.refused = NO_TEXT,
                                .functions = checked->functions,
                                .kernels = checked->kernels,
                                .operations = checked->operations};
    for (int64_t i = first_source; i < contra->sources.count; i++) {
        if (contra->sources.items[i].call)
            continue;
        result.files++;
        result.lines += count_lines(contra->sources.items[i].text);
    }
    for (int64_t i = first_diag; i < contra->diags.count; i++) {
        bool error = contra->diags.items[i]->severity == SEVERITY_ERROR;
        result.errors += error;
        result.warnings += !error;
    }
    count_refused(contra, first_source, first_diag, &result);
    sized_give(SIZED_ContraCheckResult, &result, given);
    log_say(contra, CONTRA_LOG_INFO,
            "checked {} functions with {} operations in {} files: {} errors, {} warnings",
            result.functions, result.operations, result.files, result.errors, result.warnings);
    return status_of(contra, result.errors ? CONTRA_INVALID : CONTRA_OK);
}

// ---- files of another kind

static Str first_bytes(Str bytes)
{
    enum { FIRST = 256 };
    return str_trim(str_slice(bytes, 0, min_i64(bytes.len, FIRST)));
}

static bool is_schedule(Str bytes)
{
    Str first = first_bytes(bytes);
    return str_starts_with(first, STR("{")) && str_find(first, STR("\"contra-schedule\"")) >= 0;
}

static bool is_page(Str bytes)
{
    Str first = first_bytes(bytes);
    return str_starts_with(first, STR("<!doctype html")) ||
           str_starts_with(first, STR("<!DOCTYPE html")) || str_starts_with(first, STR("<html"));
}

// What is no program, by what it holds or, of arrays and texts without a mark, by what it is
// called.
static const struct {
    bool (*is)(Str bytes);
    Str ending;
    const char *kind, *help;
    const char *before, *behind; // its path in the help for whoever types commands
} other_kinds[] = {
    {object_is,
     {0},
     "an object file, a kernel that was compiled already",
     "read it as an object, which can be run",
     "`contra sim ",
     "` runs it, `contra objdump` shows it"},
    {npy_is,
     {0},
     "an array",
     "give it to a kernel that is run",
     "a kernel gets it by `contra run FILE --kernel NAME --in NAME=",
     "`"},
    {NULL,
     {".safetensors", 12},
     "a file of arrays",
     "give one of them to a kernel that is run",
     "a kernel gets one by `contra run FILE --kernel NAME --in NAME=",
     ":NAME`"},
    {is_schedule,
     {0},
     "a schedule",
     "a page can be made of it, and two can be compared",
     "`contra view ",
     "` shows it, `contra schedule --compare` compares two"},
    {is_page,
     {0},
     "a page",
     "a browser opens it; two pages of schedules can be compared",
     "a browser opens `",
     "`; `contra schedule --compare` takes two pages of schedules"},
    {NULL,
     {".json", 5},
     "JSON, but no schedule",
     "sources are called *.rs or *.tcp",
     "sources are called *.rs or *.tcp, not `",
     "`"},
    {NULL,
     {".md", 3},
     "a text to read",
     "sources are called *.rs or *.tcp",
     "sources are called *.rs or *.tcp, not `",
     "`"},
};

static bool refuse_other_kind(Contra *contra, Str path)
{
    Str bytes;
    bool found = false;
    if (!file_map(&contra->arena, path, &bytes))
        return false;
    for (size_t i = 0; i < COUNT_OF(other_kinds) && !found; i++) {
        found = other_kinds[i].is ? other_kinds[i].is(bytes)
                                  : str_ends_with(path, other_kinds[i].ending);
        if (!found)
            continue;
        Diag *diag = request_report(contra, DIAG_FILE_KIND, "`{}` is no source: it is {}", path,
                                    other_kinds[i].kind);
        diag_help(diag, "{}", other_kinds[i].help);
        diag_help_typed(diag, "{}{}{}", other_kinds[i].before, path, other_kinds[i].behind);
    }
    file_unmap(bytes);
    return found;
}

// ---- program texts

// A program text is built as it is read.
static void take_program(Contra *contra, Str path, Str text, CheckResult *checked)
{
    ProgramList programs = {0};
    int32_t source = add_source(contra, text_of(path), text_of(text));
    int64_t fault = utf8_fault(text);
    if (fault < text.len) {
        diag_add(&contra->diags, DIAG_CHARACTER, ((Span){source, fault, fault + 1}),
                 "the text is not UTF-8: the byte 0x{02x} is part of no character",
                 (unsigned char)text.data[fault]);
        return;
    }
    program_parse(contra->builder, source, contra->sources.items[source].text, &programs);
    checked->frames = programs.frames;
    for (int64_t i = 0; i < programs.count; i++) {
        checked->functions++;
        checked->kernels++;
        checked->operations += programs.items[i]->ops.count;
        *array_push(&contra->arena, &checked->programs, Program *) = programs.items[i];
        *array_push(&contra->arena, &contra->kernels, Kernel) =
            (Kernel){.name = str_from(programs.items[i]->name),
                     .file = str_copy(&contra->arena, path),
                     .program = programs.items[i]};
    }
}

static void read_program(Contra *contra, Str path, CheckResult *checked)
{
    Str text;
    if (read_file(contra, &contra->arena, path, &text))
        take_program(contra, path, text, checked);
    else
        request_report(contra, DIAG_FILE_UNREADABLE, "cannot read `{}`: {}", path, strerror(errno));
}

// What stands before the paths of a root's tests. In a crate it says where the file is in it,
// however it was named on the way: nothing for the library, "tests/file" for others. Besides, it is
// the path in the folder that was given. `apart`: several crates or files were given; theirs stands
// before it.
static Str label_of(Arena *arena, Str given, Str root, const CratePlace *place, bool apart)
{
    while (given.len > 1 && given.data[given.len - 1] == '/')
        given.len--;
    bool same = str_equal(given, root);
    Str inside = same ? root : str_slice(root, given.len + 1, root.len);
    if (!place->crate.len) {
        Str label = apart ? root : same ? (Str){0} : inside;
        return str_copy(arena, path_stem(label));
    }
    if (!apart)
        return place->label;
    Str crate = path_before(root, place->inside);
    return place->label.len ? str_format(arena, "{}/{}", crate, place->label)
                            : str_copy(arena, crate);
}

typedef struct {
    Str given, path;
    CratePlace place;
} RootPath;

typedef struct {
    ARRAY(RootPath);
} RootPaths;

static void find_roots(Contra *contra, const ContraText *paths, int64_t count, RootPaths *found)
{
    Arena *arena = &contra->arena;
    for (int64_t i = 0; i < count; i++) {
        Paths roots = {0};
        folder_roots(arena, str_of(paths[i]), &roots, &contra->diags);
        for (int64_t k = 0; k < roots.count; k++)
            *array_push(arena, found, RootPath) =
                (RootPath){str_of(paths[i]), roots.items[k], crate_place(arena, roots.items[k])};
    }
}

static bool has_program(const RootPaths *roots, Str crate)
{
    for (int64_t i = 0; i < roots->count; i++)
        if (roots->items[i].place.is_program && str_equal(roots->items[i].place.crate, crate))
            return true;
    return false;
}

static void drop_extras(RootPaths *roots)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < roots->count; i++) {
        const CratePlace *place = &roots->items[i].place;
        if (!place->is_extra || !has_program(roots, place->crate))
            roots->items[kept++] = roots->items[i];
    }
    roots->count = kept;
}

void request_read(Contra *contra, const ContraText *paths, int64_t count, RootSet set,
                  CheckResult *checked)
{
    RootPaths roots = {0};
    find_roots(contra, paths, count, &roots);
    if (set == ROOTS_TO_RUN)
        drop_extras(&roots);
    bool apart = false;
    for (int64_t i = 0; i < roots.count && count > 1; i++)
        apart |= !roots.items[i].place.crate.len ||
                 !str_equal(roots.items[i].place.crate, roots.items[0].place.crate);
    for (int64_t i = 0; i < roots.count; i++) {
        const RootPath *root = &roots.items[i];
        if (diag_cancelled(&contra->diags))
            return;
        if (refuse_other_kind(contra, root->path))
            continue;
        log_say(contra, CONTRA_LOG_DETAIL, "read {}", root->path);
        if (path_is_program(root->path)) {
            read_program(contra, root->path, checked);
            continue;
        }
        Module *module = lang_load_file(contra->lang, root->path);
        Str label = label_of(&contra->arena, root->given, root->path, &root->place, apart);
        *array_push(&contra->arena, &contra->roots, Root) =
            (Root){module, label, root->place.is_extra};
    }
}

ContraStatus contra_check(Contra *contra, const ContraText *paths, int64_t count,
                          const ContraCheckOptions *options, ContraCheckResult *result)
{
    CONTRA_FILLS(contra, ContraCheckResult, result);
    CheckResult checked = {0};
    int64_t first_diag = contra->diags.count;
    CONTRA_NEEDS(contra, IS_LIST(paths, count), "as many `paths` as it says");
    if (!request_open(contra, options))
        return CONTRA_INVALID;
    int64_t first_source = contra->sources.count;
    request_read(contra, paths, count, ROOTS_ALL, &checked);
    return finish(contra, first_source, first_diag, &checked, result);
}

ContraStatus contra_check_text(Contra *contra, ContraText name, ContraText text,
                               const ContraCheckOptions *options, ContraCheckResult *result)
{
    CONTRA_FILLS(contra, ContraCheckResult, result);
    CheckResult checked = {0};
    int64_t first_diag = contra->diags.count;
    if (!request_open(contra, options))
        return CONTRA_INVALID;
    int64_t first_source = contra->sources.count;
    if (path_is_program(str_of(name))) {
        take_program(contra, str_of(name), str_of(text), &checked);
    } else {
        Module *module = lang_load_text(contra->lang, str_copy(&contra->arena, str_of(name)),
                                        str_copy(&contra->arena, str_of(text)));
        *array_push(&contra->arena, &contra->roots, Root) = (Root){.module = module};
    }
    return finish(contra, first_source, first_diag, &checked, result);
}

ContraStatus contra_program_text(Contra *contra, ContraText *text)
{
    CONTRA_WRITES(contra, text);
    StrBuf buf = {.arena = &contra->request};
    for (int64_t i = 0; i < contra->programs.count; i++)
        program_print(&buf, contra->programs.items[i]);
    return give_text(contra, &buf, text);
}

#include "api/state.h"

#include "api/folder.h"
#include "base/checked.h"
#include "base/file.h"
#include "engine/rules.h"
#include "program/text.h"

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
static bool treat_group(Contra *contra, Str group, DiagTreatment treatment)
{
    bool found = false;
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++) {
        if (!str_equal(str_from(diag_infos[code].group), group))
            continue;
        contra->treatments[code] = treatment;
        found = true;
    }
    return found;
}

static void report_group(Contra *contra, Str group)
{
    StrBuf known = {.arena = &contra->arena};
    const char *name;
    for (int64_t i = 0; (name = contra_group(i)); i++)
        buf_printf(&known, "%s%s", i ? ", " : "", name);
    Diag *diag = diag_add(&contra->diags, DIAG_GROUP_UNKNOWN, SPAN_NOWHERE,
                          "there is no group of rules `%.*s` that can be relaxed", STR_ARG(group));
    diag_help(diag, "the groups are %.*s", STR_ARG(buf_str(&known)));
}

static bool relax(Contra *contra, Str groups)
{
    bool ok = true;
    for (int64_t start = 0; start < groups.len;) {
        int64_t end = start;
        while (end < groups.len && groups.data[end] != ',')
            end++;
        Str group = str_trim(str_slice(groups, start, end));
        if (group.len && (!is_relaxable(group) || !treat_group(contra, group, TREAT_AS_WARNING))) {
            report_group(contra, group);
            ok = false;
        }
        start = end + 1;
    }
    return ok;
}

// ---- the front end

static bool read_file(void *own, Arena *arena, Str path, Str *text)
{
    (void)own;
    return file_read(arena, path, text);
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
                   .files = {.read = read_file}};
    lang_load_prelude(lang);
    contra->lang = lang;
}

bool request_open(Contra *contra, const ContraCheckOptions *options)
{
    memset(contra->treatments, 0, sizeof contra->treatments);
    open_lang(contra);
    contra->lang->most_steps = options->most_steps;
    contra->lang->request_start = contra->lang->modules.count;
    if (options->memory == CONTRA_MEMORY_DETACHED)
        treat_group(contra, STR("overlap"), TREAT_AS_WARNING);
    contra->builder_options = (BuilderOptions){
        .machine = &contra->machine,
        .rules = &engine_rules,
        .rule_set = options->rules == CONTRA_RULES_REFERENCE ? RULES_REFERENCE : RULES_CONTRA,
        .memory = options->memory == CONTRA_MEMORY_DETACHED ? MEMORY_DETACHED : MEMORY_REAL,
    };
    if (contra->builder)
        builder_free(contra->builder);
    contra->builder = builder_new(&contra->arena, &contra->diags, &contra->builder_options);
    return relax(contra, str_of(options->relax));
}

static int64_t count_lines(Str text)
{
    int64_t lines = 0;
    for (int64_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    return lines + (text.len > 0 && text.data[text.len - 1] != '\n');
}

static ContraStatus finish(Contra *contra, int64_t first_source, int64_t first_diag,
                           CheckResult *checked, ContraCheckResult *result)
{
    lang_check(contra->lang, contra->builder, checked);
    for (int64_t i = 0; i < checked->programs.count; i++)
        *array_push(&contra->arena, &contra->programs, Program *) = checked->programs.items[i];
    *result = (ContraCheckResult){.functions = checked->functions,
                                  .kernels = checked->kernels,
                                  .operations = checked->operations};
    for (int64_t i = first_source; i < contra->sources.count; i++) {
        result->files++;
        result->lines += count_lines(contra->sources.items[i].text);
    }
    for (int64_t i = first_diag; i < contra->diags.count; i++) {
        bool error = contra->diags.items[i]->severity == SEVERITY_ERROR;
        result->errors += error;
        result->warnings += !error;
    }
    return result->errors ? CONTRA_INVALID : CONTRA_OK;
}

// A program text is built as it is read.
static void read_program(Contra *contra, Str path, CheckResult *checked)
{
    Str text;
    ProgramList programs = {0};
    if (!file_read(&contra->arena, path, &text)) {
        diag_add(&contra->diags, DIAG_FILE_UNREADABLE, SPAN_NOWHERE, "cannot read `%.*s`",
                 STR_ARG(path));
        return;
    }
    int32_t source = add_source(contra, text_of(path), text_of(text));
    program_parse(contra->builder, source, contra->sources.items[source].text, &programs);
    for (int64_t i = 0; i < programs.count; i++) {
        checked->functions++;
        checked->kernels++;
        checked->operations += programs.items[i]->ops.count;
        *array_push(&contra->arena, &checked->programs, Program *) = programs.items[i];
        *array_push(&contra->arena, &contra->kernels, Kernel) =
            (Kernel){str_from(programs.items[i]->name), str_copy(&contra->arena, path), NULL,
                     programs.items[i]};
    }
}

// What stands before the paths of a root's tests: nothing for the only program at a path and for
// the library of a crate, "tests/file" for others.
static Str label_of(Arena *arena, Str path, Str root, bool labelled)
{
    while (path.len > 1 && path.data[path.len - 1] == '/')
        path.len--;
    bool same = str_equal(path, root);
    Str inside = same ? root : str_slice(root, path.len + 1, root.len);
    bool library = str_equal(inside, STR("src/lib.rs")) || str_equal(inside, STR("src/main.rs"));
    if (!labelled && (same || library))
        return (Str){0};
    Str shown = labelled ? library ? path : root : inside;
    bool source =
        shown.len > 3 && str_equal(str_slice(shown, shown.len - 3, shown.len), STR(".rs"));
    return str_copy(arena, str_slice(shown, 0, source ? shown.len - 3 : shown.len));
}

void request_read(Contra *contra, Str path, bool labelled, CheckResult *checked)
{
    Paths roots = {0};
    folder_roots(&contra->arena, path, &roots, &contra->diags);
    for (int64_t i = 0; i < roots.count; i++) {
        if (path_is_program(roots.items[i])) {
            read_program(contra, roots.items[i], checked);
            continue;
        }
        Module *module = lang_load_file(contra->lang, roots.items[i]);
        Str label = label_of(&contra->arena, path, roots.items[i], labelled);
        *array_push(&contra->arena, &contra->roots, Root) = (Root){module, label};
    }
}

ContraStatus contra_check(Contra *contra, const ContraText *paths, int64_t count,
                          const ContraCheckOptions *options, ContraCheckResult *result)
{
    CONTRA_ENTER(contra);
    CheckResult checked = {0};
    int64_t first_diag = contra->diags.count;
    *result = (ContraCheckResult){0};
    if (!request_open(contra, options))
        return CONTRA_INVALID;
    int64_t first_source = contra->sources.count;
    for (int64_t i = 0; i < count; i++)
        request_read(contra, str_of(paths[i]), count > 1, &checked);
    return finish(contra, first_source, first_diag, &checked, result);
}

ContraStatus contra_check_text(Contra *contra, ContraText name, ContraText text,
                               const ContraCheckOptions *options, ContraCheckResult *result)
{
    CONTRA_ENTER(contra);
    CheckResult checked = {0};
    int64_t first_diag = contra->diags.count;
    *result = (ContraCheckResult){0};
    if (!request_open(contra, options))
        return CONTRA_INVALID;
    int64_t first_source = contra->sources.count;
    Module *module = lang_load_text(contra->lang, str_copy(&contra->arena, str_of(name)),
                                    str_copy(&contra->arena, str_of(text)));
    *array_push(&contra->arena, &contra->roots, Root) = (Root){.module = module};
    return finish(contra, first_source, first_diag, &checked, result);
}

ContraStatus contra_program_text(Contra *contra, ContraText *text)
{
    CONTRA_ENTER(contra);
    StrBuf buf = {.arena = &contra->arena};
    for (int64_t i = 0; i < contra->programs.count; i++)
        program_print(&buf, contra->programs.items[i]);
    *text = text_of(buf_str(&buf));
    return CONTRA_OK;
}

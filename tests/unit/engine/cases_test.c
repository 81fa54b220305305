// The rules as text: the rows of tests/rules/*.case (README.md there), each a pass of a program and
// the codes that it gives.
#include "engine/engine.h"
#include "program/text.h"

#include "base/checked.h"
#include "base/file.h"
#include "test.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 9 };

// What the rows of a group have in common.
typedef struct {
    RuleSet first, last; // the sets of rules that are asked
    StrBuf program;      // with $1 .. for the columns of a row
} Group;

typedef struct {
    Arena arena;
    const char *path;
    int64_t line, rows;
    Group group;
    StrBuf mistakes;
} CaseFile;

// Takes the text before `end` away; all of it where there is none.
static Str take_until(Str *text, const char *end)
{
    int64_t at = str_find(*text, str_from(end));
    Str part = str_slice(*text, 0, at < 0 ? text->len : at);
    *text = str_slice(*text, at < 0 ? text->len : at + (int64_t)strlen(end), text->len);
    return part;
}

// ---- A row

// The program of a row.
static Str filled_in(Arena *arena, Str program, Str row)
{
    Str columns[MOST_COLUMNS + 1] = {0};
    StrBuf out = {.arena = arena};
    for (int i = 1; i <= MOST_COLUMNS && row.len; i++)
        columns[i] = str_trim(take_until(&row, "|"));
    for (int64_t i = 0; i < program.len; i++)
        if (program.data[i] == '$')
            buf_add(&out, columns[program.data[++i] - '0']);
        else
            buf_add_char(&out, program.data[i]);
    buf_add(&out, STR("end\n"));
    return buf_str(&out);
}

// The first word of the line that stands there: a statement.
static Str statement_at(Str text, int64_t at)
{
    while (at > 0 && text.data[at - 1] != '\n')
        at--;
    Str rest = str_trim(str_slice(text, at, text.len));
    int64_t end = 0;
    while (end < rest.len && rest.data[end] > ' ')
        end++;
    return str_slice(rest, 0, end);
}

// "ok", or "fetch E0601, E0602, collect E0631": what is blamed for what.
static Str found_codes(Arena *arena, const DiagList *diags, Str text)
{
    StrBuf out = {.arena = arena};
    Str blamed = {0};
    for (int64_t i = 0; i < diags->count; i++) {
        const Diag *diag = diags->items[i];
        Str statement = statement_at(text, diag->span.start);
        buf_add(&out, i ? STR(", ") : STR(""));
        if (!str_equal(statement, blamed)) {
            buf_add(&out, statement);
            buf_add_char(&out, ' ');
        }
        buf_add(&out, str_from(diag_infos[diag->code].code));
        blamed = statement;
    }
    return diags->count ? buf_str(&out) : STR("ok");
}

static void try_row(CaseFile *file, RuleSet rules, Str row, Str expected)
{
    Arena arena = {0};
    // the sizes of the examples are for people
    DiagTreatment treatments[DIAG_CODE_COUNT] = {0};
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++)
        if (strcmp(diag_infos[code].group, "cluster-size") == 0 ||
            strcmp(diag_infos[code].group, "slice-size") == 0)
            treatments[code] = TREAT_AS_SILENT;
    DiagList diags = {.arena = &arena, .treatments = treatments};
    BuilderOptions options = {.machine = &machine_rngd, .rules = &engine_rules, .rule_set = rules};
    Builder *builder = builder_new(&arena, &diags, &options);
    ProgramList programs = {0};
    Str text = filled_in(&arena, buf_str(&file->group.program), row);
    program_parse(builder, 0, text, &programs);
    Str found = found_codes(&arena, &diags, text);
    if (!str_equal(found, expected)) {
        buf_format(&file->mistakes, "{}:{}: {}, by the rules of {}; the row says {}\n{}",
                   file->path, file->line, found,
                   rules == RULES_CONTRA ? "contra" : "the reference", expected, text);
        for (int64_t i = 0; i < diags.count; i++)
            buf_format(&file->mistakes, "  {}\n", diags.items[i]->message);
    }
    builder_free(builder);
    arena_release(&arena);
}

// ---- A file

static void begin_group(CaseFile *file)
{
    file->group = (Group){.last = RULES_REFERENCE, .program = {.arena = &file->arena}};
    buf_add(&file->group.program, STR("program rule\n"));
}

static void add_axes(Group *group, Str axes)
{
    while (axes.len) {
        Str name = str_trim(take_until(&axes, "=")), size = str_trim(take_until(&axes, ","));
        buf_format(&group->program, "axis {} = {}\n", name, size);
    }
}

static void read_line(CaseFile *file, Str line)
{
    Group *group = &file->group;
    Str expected = line, rest = line, row = str_trim(take_until(&expected, "=>"));
    Str word = str_trim(take_until(&rest, " "));
    if (!str_trim(line).len || str_starts_with(line, STR("//"))) {
        return;
    } else if (str_equal(word, STR("=="))) {
        begin_group(file);
    } else if (str_equal(word, STR("axes"))) {
        add_axes(group, rest);
    } else if (str_equal(word, STR("rules"))) {
        group->first = str_equal(rest, STR("reference")) ? RULES_REFERENCE : RULES_CONTRA;
        group->last = str_equal(rest, STR("contra")) ? RULES_CONTRA : RULES_REFERENCE;
    } else if (str_find(line, STR("=>")) >= 0) {
        file->rows++;
        for (RuleSet rules = group->first; rules <= group->last; rules++)
            try_row(file, rules, row, str_trim(expected));
    } else {
        buf_format(&group->program, "{}\n", line);
    }
}

static int64_t read_cases(const char *path)
{
    CaseFile file = {.path = path, .mistakes.arena = &file.arena};
    Str text;
    assert_true(file_read(&file.arena, str_from(path), &text));
    begin_group(&file);
    while (text.len) {
        file.line++;
        read_line(&file, take_until(&text, "\n"));
    }
    if (file.mistakes.len) {
        print_message("%s", str_terminated(&file.arena, buf_str(&file.mistakes)));
        fail_msg("rows of %s do not hold", path);
    }
    int64_t rows = file.rows;
    arena_release(&file.arena);
    return rows;
}

TEST(rules_as_text)
{
    glob_t found;
    assert_int_equal(glob("tests/rules/*.case", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        print_message("%d rows\n", (int)read_cases(found.gl_pathv[i]));
    globfree(&found);
}

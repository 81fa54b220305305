// Diagnostics as people and as programs read them, byte for byte, and the table of codes.
#include "base/diag.h"

#include "base/checked.h"
#include "test.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

// E0107 has a section of the manual, E0001 has none.
#define MANUAL "      = manual: Mapping Expressions, Stride and Modulo\n"

typedef struct {
    Arena arena;
    SourceList sources;
    DiagList diags;
} Fixture;

static void begin(Fixture *f)
{
    memset(f, 0, sizeof *f);
    f->diags.arena = &f->arena;
}

static int32_t add_source(Fixture *f, const char *name, Str text)
{
    *array_push(&f->arena, &f->sources, Source) = (Source){str_from(name), text, NULL};
    return (int32_t)f->sources.count - 1;
}

static const char *rendered(Fixture *f, DiagStyle style)
{
    StrBuf out = {.arena = &f->arena};
    diag_render_text(&out, &f->sources, &f->diags, style);
    return str_terminated(&f->arena, buf_str(&out));
}

static json_t *rendered_json(Fixture *f)
{
    StrBuf out = {.arena = &f->arena};
    json_error_t error;
    diag_render_json(&out, &f->sources, &f->diags);
    json_t *json = json_loadb(out.data, (size_t)out.len, 0, &error);
    assert_non_null(json);
    assert_int_equal(json_array_size(json), f->diags.count);
    return json;
}

// ---- one source line

TEST(carets_stand_below_what_they_mark)
{
    static const struct {
        const char *text;
        int64_t start, end;
        const char *label, *place, *shown;
    } cases[] = {
        {"A / 5", 0, 5, "size of A is 8", "1:1", "    1 | A / 5\n      | ^^^^^ size of A is 8\n"},
        {"A / 5", 4, 5, "", "1:5", "    1 | A / 5\n      |     ^\n"},
        // A point has one caret, also at the end and beyond it.
        {"A / 5", 2, 2, "", "1:3", "    1 | A / 5\n      |   ^\n"},
        {"A /", 3, 3, "", "1:4", "    1 | A /\n      |    ^\n"},
        {"A /", 90, 99, "", "1:4", "    1 | A /\n      |    ^\n"},
        {"A /", 1, 99, "", "1:2", "    1 | A /\n      |  ^^\n"},
        {"", 0, 0, "", "1:1", "    1 | \n      | ^\n"},
        // Lines
        {"A,\nB / 5,\nC", 3, 8, "", "2:1", "    2 | B / 5,\n      | ^^^^^\n"},
        {"A,\nB", 0, 4, "", "1:1", "    1 | A,\n      | ^^\n"}, // up to the end of the line
        {"A\n", 2, 2, "", "2:1", "    2 | \n      | ^\n"},
        {"A\n", 1, 1, "", "1:2", "    1 | A\n      |  ^\n"},
        {"A\r\nB", 3, 4, "", "2:1", "    2 | B\n      | ^\n"},
        {"A\r\nB", 1, 2, "", "1:2", "    1 | A\n      |  ^\n"},
        {"\n\n\n\n\n\n\n\n\nTen", 9, 12, "", "10:1", "   10 | Ten\n      | ^^^\n"},
        // Columns count characters: two bytes, three, four
        {"Gr\xC3\xB6\xC3\x9F"
         "e / 5",
         8, 11, "", "1:7",
         "    1 | Gr\xC3\xB6\xC3\x9F"
         "e / 5\n      |       ^^^\n"},
        {"\xE2\x82\xAC = 2", 0, 3, "", "1:1", "    1 | \xE2\x82\xAC = 2\n      | ^\n"},
        {"\xF0\x9F\x98\x80\xF0\x9F\x98\x80 x", 4, 8, "", "1:2",
         "    1 | \xF0\x9F\x98\x80\xF0\x9F\x98\x80 x\n      |  ^\n"},
        // What would move the carets or the terminal is replaced.
        {"\tA / 5", 1, 2, "", "1:2", "    1 |  A / 5\n      |  ^\n"},
        {"A\t/\t5", 4, 5, "", "1:5", "    1 | A / 5\n      |     ^\n"},
        {"\x01"
         "A\x1B[31m\x7F / 5",
         1, 2, "", "1:2", "    1 | .A.[31m. / 5\n      |  ^\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Fixture f;
        begin(&f);
        int32_t source = add_source(&f, "argument", str_from(cases[i].text));
        Diag *diag =
            diag_add(&f.diags, DIAG_NOT_DIVISIBLE, ((Span){source, cases[i].start, cases[i].end}),
                     "5 does not divide 8");
        if (*cases[i].label)
            diag_label(diag, "{}", cases[i].label);
        StrBuf want = {.arena = &f.arena};
        buf_format(&want,
                   "error[E0107]: 5 does not divide 8\n  --> argument:{}\n      |\n{}" MANUAL,
                   cases[i].place, cases[i].shown);
        assert_string_equal(rendered(&f, DIAG_PLAIN), want.data);
        arena_release(&f.arena);
    }
}

// The shown line and the carets below it, of a long line of one repeated text.
static void long_line(Fixture *f, const char *before, const char *repeated, int64_t times,
                      int64_t start, int64_t end, Str *shown, Str *carets)
{
    begin(f);
    StrBuf text = {.arena = &f->arena};
    buf_add(&text, str_from(before));
    buf_repeat(&text, str_from(repeated), times);
    diag_add(&f->diags, DIAG_FILE_UNREADABLE,
             ((Span){add_source(f, "x", buf_str(&text)), start, end}), "m");
    const char *line = strstr(rendered(f, DIAG_PLAIN), "    1 | ") + 8;
    const char *marks = strchr(line, '\n') + 9;
    *shown = (Str){line, marks - 9 - line};
    *carets = (Str){marks, strchr(marks, '\n') - marks};
}

TEST(long_lines_are_shown_round_the_caret)
{
    static const struct {
        int64_t length, start, end;    // in a line of x
        int64_t shown, before, carets; // of what is printed
    } cases[] = {
        {160, 150, 155, 160, 150, 5}, // just not long
        {300, 200, 205, 140, 40, 5},  // the end of the line is in sight
        {300, 10, 12, 160, 10, 2},    // its start is
        {1000, 500, 503, 160, 40, 3}, // neither is
        {1000, 100, 900, 160, 40, 120}, {1000, 1000, 1000, 40, 40, 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Fixture f;
        Str shown, carets;
        long_line(&f, "", "x", cases[i].length, cases[i].start, cases[i].end, &shown, &carets);
        assert_int_equal(shown.len, cases[i].shown);
        int64_t blanks = 0;
        while (blanks < carets.len && carets.data[blanks] == ' ')
            blanks++;
        assert_int_equal(blanks, cases[i].before);
        assert_int_equal(carets.len - blanks, cases[i].carets);
        arena_release(&f.arena);
    }
}

// A character of several bytes is shown whole or not at all.
TEST(long_lines_are_not_cut_inside_a_character)
{
    static const char *const starts[] = {"", "x", "xx", "xxx"};
    for (size_t i = 0; i < COUNT_OF(starts); i++) {
        for (int64_t at = 0; at < 8; at++) {
            Fixture f;
            Str shown, carets;
            int64_t start = (int64_t)strlen(starts[i]) + 3 * 30 * at;
            long_line(&f, starts[i], "\xE2\x82\xAC", 400, start, start + 3, &shown, &carets);
            json_t *valid = json_stringn(shown.data, (size_t)shown.len);
            assert_non_null(valid);
            json_decref(valid);
            assert_int_equal(carets.data[carets.len - 1], '^');
            arena_release(&f.arena);
        }
    }
}

// Bytes that are no UTF-8 are shown somehow; nothing is read that is not there.
TEST(any_bytes_can_be_shown)
{
    for (int byte = 0x80; byte <= 0xFF; byte++) {
        for (int64_t start = 0; start <= 400; start += 50) {
            Fixture f;
            begin(&f);
            char *text = arena_alloc(&f.arena, 1, 1, 400);
            memset(text, byte, 400);
            diag_add(&f.diags, DIAG_FILE_UNREADABLE,
                     ((Span){add_source(&f, "x", (Str){text, 400}), start, start + 1}), "m");
            assert_non_null(strchr(rendered(&f, DIAG_PLAIN), '^'));
            arena_release(&f.arena);
        }
    }
}

// ---- notes, helps, several

TEST(notes_and_helps_follow)
{
    Fixture f;
    begin(&f);
    int32_t first = add_source(&f, "X", STR("A / 4, A % 8"));
    int32_t second = add_source(&f, "axes", STR("A=8"));
    Diag *diag =
        diag_add(&f.diags, DIAG_NOT_DIVISIBLE, ((Span){first, 7, 12}), "one {}", "message");
    diag_label(diag, "label {}", 1);
    diag_note(diag, ((Span){first, 0, 5}), "in the same text");
    diag_note(diag, ((Span){second, 0, 1}), "declared here");
    diag_note(diag, SPAN_NOWHERE, "nowhere in particular");
    diag_help(diag, "one thing to do,\nin two lines");
    diag_help(diag, "another");
    assert_string_equal(rendered(&f, DIAG_PLAIN), "error[E0107]: one message\n"
                                                  "  --> X:1:8\n"
                                                  "      |\n"
                                                  "    1 | A / 4, A % 8\n"
                                                  "      |        ^^^^^ label 1\n"
                                                  "    1 | A / 4, A % 8\n"
                                                  "      | ----- in the same text\n"
                                                  "  --> axes:1:1\n"
                                                  "      |\n"
                                                  "    1 | A=8\n"
                                                  "      | - declared here\n"
                                                  "      = note: nowhere in particular\n"
                                                  "      = help: one thing to do,\n"
                                                  "        in two lines\n"
                                                  "      = help: another\n" MANUAL);
    arena_release(&f.arena);
}

TEST(without_a_place_there_is_no_snippet)
{
    Fixture f;
    begin(&f);
    add_source(&f, "X", STR("A"));
    Diag *diag = diag_add(&f.diags, DIAG_FILE_UNREADABLE, SPAN_NOWHERE, "no file");
    diag_label(diag, "a label");
    diag_add(&f.diags, DIAG_FILE_UNREADABLE, ((Span){7, 0, 1}), "of no source");
    f.diags.items[1]->severity = SEVERITY_WARNING;
    assert_string_equal(rendered(&f, DIAG_PLAIN), "error[E0001]: no file\n"
                                                  "      = note: a label\n"
                                                  "\n"
                                                  "warning[E0001]: of no source\n");
    StrBuf out = {.arena = &f.arena};
    diag_render_text(&out, NULL, &f.diags, DIAG_PLAIN); // no sources at all
    assert_string_equal(out.data, rendered(&f, DIAG_PLAIN));
    arena_release(&f.arena);
}

TEST(nothing_is_nothing)
{
    Fixture f;
    begin(&f);
    assert_string_equal(rendered(&f, DIAG_PLAIN), "");
    json_decref(rendered_json(&f));
    arena_release(&f.arena);
}

TEST(colour_is_the_same_text_in_colours)
{
    Fixture f;
    begin(&f);
    int32_t source = add_source(&f, "X", STR("A / 5"));
    Diag *diag = diag_add(&f.diags, DIAG_FILE_UNREADABLE, ((Span){source, 0, 1}), "m");
    diag_label(diag, "l");
    diag_help(diag, "h");
    const char *colours = rendered(&f, DIAG_COLOUR);
    assert_string_equal(colours, "\033[1;31merror[E0001]\033[0m\033[1m: m\033[0m\n"
                                 "\033[1;34m  -->\033[0m X:1:1\n"
                                 "\033[1;34m      |\033[0m\n"
                                 "\033[1;34m    1 |\033[0m A / 5\n"
                                 "\033[1;34m      |\033[0m \033[1;31m^ l\033[0m\n"
                                 "\033[1;34m      =\033[0m help: h\n");
    StrBuf plain = {.arena = &f.arena};
    for (const char *at = colours; *at; at++) {
        if (*at == '\033')
            at = strchr(at, 'm');
        else
            buf_add_char(&plain, *at);
    }
    assert_string_equal(plain.data, rendered(&f, DIAG_PLAIN));
    arena_release(&f.arena);
}

TEST(errors_are_counted)
{
    Fixture f;
    begin(&f);
    for (int i = 0; i < 100; i++) {
        Diag *diag = diag_add(&f.diags, DIAG_NOT_DIVISIBLE, SPAN_NOWHERE, "{}", i);
        assert_int_equal(diag->code, DIAG_NOT_DIVISIBLE);
        assert_int_equal(diag->severity, SEVERITY_ERROR);
    }
    assert_int_equal(f.diags.count, 100);
    assert_int_equal(f.diags.error_count, 100);
    arena_release(&f.arena);
}

// ---- JSON

static const char *member(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int64_t number(const json_t *object, const char *key)
{
    assert_true(json_is_integer(json_object_get(object, key)));
    return json_integer_value(json_object_get(object, key));
}

TEST(json_has_every_part)
{
    Fixture f;
    begin(&f);
    int32_t source = add_source(&f, "X",
                                STR("A,\nGr\xC3\xB6\xC3\x9F"
                                    "e / \"5\",\nC"));
    Diag *diag = diag_add(&f.diags, DIAG_NOT_DIVISIBLE, ((Span){source, 11, 16}), "m \"q\"\n\t\\");
    diag_label(diag, "l");
    diag_note(diag, ((Span){source, 0, 18}), "n");
    diag_note(diag, SPAN_NOWHERE, "nowhere");
    diag_help(diag, "h");
    json_t *json = rendered_json(&f), *object = json_array_get(json, 0);
    assert_string_equal(member(object, "code"), "E0107");
    assert_string_equal(member(object, "severity"), "error");
    assert_string_equal(member(object, "group"), diag_infos[DIAG_NOT_DIVISIBLE].group);
    assert_string_equal(member(object, "manual"), diag_infos[DIAG_NOT_DIVISIBLE].manual);
    assert_string_equal(member(object, "message"), "m \"q\"\n\t\\");
    assert_string_equal(member(object, "label"), "l");
    const json_t *span = json_object_get(object, "span");
    assert_string_equal(member(span, "file"), "X");
    assert_int_equal(number(span, "start"), 11);
    assert_int_equal(number(span, "end"), 16);
    assert_int_equal(number(span, "line"), 2);
    assert_int_equal(number(span, "column"), 7);
    assert_int_equal(number(span, "end_line"), 2);
    assert_int_equal(number(span, "end_column"), 12);
    const json_t *notes = json_object_get(object, "notes");
    assert_int_equal(json_array_size(notes), 2);
    assert_string_equal(member(json_array_get(notes, 0), "text"), "n");
    const json_t *place = json_object_get(json_array_get(notes, 0), "span");
    assert_int_equal(number(place, "line"), 1);
    assert_int_equal(number(place, "end_line"), 3);
    assert_int_equal(number(place, "end_column"), 1);
    assert_true(json_is_null(json_object_get(json_array_get(notes, 1), "span")));
    assert_string_equal(member(json_array_get(json_object_get(object, "helps"), 0), "text"), "h");
    json_decref(json);
    arena_release(&f.arena);
}

TEST(helps_carry_their_replacements)
{
    Fixture f;
    begin(&f);
    int32_t source = add_source(&f, "X", STR("A / 3, B"));
    Diag *diag = diag_add(&f.diags, DIAG_NOT_DIVISIBLE, ((Span){source, 0, 5}), "m");
    diag_help(diag, "in words");
    diag_help(diag, "two changes");
    diag_edit(diag, ((Span){source, 4, 5}), "{}", 4);
    diag_edit(diag, ((Span){source, 8, 8}), ", C");
    diag_help(diag, "one without a place");
    diag_edit(diag, ((Span){source, 0, 1}), "D");
    diag_edit(diag, SPAN_NOWHERE, "E");
    diag_replace(diag, ((Span){source, 0, 5}), "A / {}", 2);
    assert_true(strstr(rendered(&f, DIAG_PLAIN), "= help: write `A / 2`\n"));
    json_t *json = rendered_json(&f);
    const json_t *helps = json_object_get(json_array_get(json, 0), "helps");
    static const size_t counts[] = {0, 2, 0, 1};
    assert_int_equal(json_array_size(helps), COUNT_OF(counts));
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const json_t *edits = json_object_get(json_array_get(helps, i), "replacements");
        assert_int_equal(json_array_size(edits), counts[i]);
    }
    const json_t *edit =
        json_array_get(json_object_get(json_array_get(helps, 1), "replacements"), 1);
    assert_string_equal(member(edit, "text"), ", C");
    assert_int_equal(number(json_object_get(edit, "span"), "start"), 8);
    assert_int_equal(number(json_object_get(edit, "span"), "end"), 8);
    json_decref(json);
    arena_release(&f.arena);
}

TEST(json_is_valid_whatever_was_typed)
{
    static const char *const texts[] = {
        "\xFF", "A\xC3", "\x80z", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xC0\x80", "\x01\x1F\x7F"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        Fixture f;
        begin(&f);
        int32_t source = add_source(&f, texts[i], str_from(texts[i]));
        Diag *diag =
            diag_add(&f.diags, DIAG_MAPPING_SYNTAX, ((Span){source, 0, 1}), "{}", texts[i]);
        diag_label(diag, "{}", texts[i]);
        diag_note(diag, ((Span){source, 0, 9}), "{}", texts[i]);
        diag_help(diag, "{}", texts[i]);
        json_t *json = rendered_json(&f), *object = json_array_get(json, 0);
        assert_int_equal(json_string_length(json_object_get(object, "message")), strlen(texts[i]));
        assert_non_null(member(json_object_get(object, "span"), "file"));
        json_decref(json);
        arena_release(&f.arena);
    }
}

// ---- the table

TEST(every_code_is_complete)
{
    Arena arena = {0};
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++) {
        const DiagInfo *info = &diag_infos[code];
        assert_true(info->code[0] == 'E' && strlen(info->code) == 5);
        for (int i = 1; i < 5; i++)
            assert_true(isdigit((unsigned char)info->code[i]));
        assert_true(*info->title && *info->explanation && *info->group && info->manual);
        assert_null(strchr(info->title, '\n'));
        for (const char *c = info->group; *c; c++)
            assert_true(islower((unsigned char)*c) || *c == '-');
        assert_true(info->severity == SEVERITY_ERROR || info->severity == SEVERITY_WARNING);
        assert_true(info->explanation[strlen(info->explanation) - 1] != '\n');
        for (DiagCode other = 0; other < code; other++) {
            assert_string_not_equal(diag_infos[other].code, info->code);
            assert_string_not_equal(diag_infos[other].title, info->title);
        }
        if (code)
            assert_true(strcmp(diag_infos[code - 1].code, info->code) < 0); // found by eye
        StrBuf out = {.arena = &arena}, want = {.arena = &arena};
        diag_explain(&out, code);
        buf_format(&want, "{}: {}\n\n{}\n\nGroup: {}\n{}{}{}", info->code, info->title,
                   info->explanation, info->group, *info->manual ? "Manual: " : "", info->manual,
                   *info->manual ? "\n" : "");
        assert_string_equal(out.data, want.data);
    }
    arena_release(&arena);
}

TEST(codes_parse_in_any_case)
{
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++) {
        char lower[8];
        snprintf(lower, sizeof lower, "e%s", diag_infos[code].code + 1);
        assert_int_equal(diag_code_parse(str_from(diag_infos[code].code)), code);
        assert_int_equal(diag_code_parse(str_from(lower)), code);
    }
    static const char *const others[] = {"",      "E",      "E010",   "E01010", "0101",
                                         "F0101", "E 0101", " E0101", "E9999",  "E0101 "};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_int_equal(diag_code_parse(str_from(others[i])), DIAG_CODE_COUNT);
    assert_int_equal(diag_code_parse((Str){NULL, 0}), DIAG_CODE_COUNT);
}

// Source text to syntax tree, for the tests of the parser: a case is a row of text; trees are
// compared as what they print.
#ifndef CONTRA_TESTS_PARSE_SUPPORT_H
#define CONTRA_TESTS_PARSE_SUPPORT_H

#include "ast_print.h"
#include "base/checked.h"
#include "lang/syntax/parse.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena arena;
    Interner names;
    SourceList sources;
    DiagList diags;
    int32_t next_id;
    MacroList macros;
    const AstFile *file; // the last one read
} Reading;

static inline Reading *reading_new(void)
{
    Reading *reading = calloc(1, sizeof *reading);
    assert_non_null(reading);
    reading->names.arena = reading->diags.arena = &reading->arena;
    return reading;
}

static inline void reading_free(Reading *reading)
{
    arena_release(&reading->arena);
    free(reading);
}

static inline void read_text(Reading *reading, Str text)
{
    *array_push(&reading->arena, &reading->sources, Source) = (Source){STR("test.rs"), text, NULL};
    int32_t source = (int32_t)reading->sources.count - 1;
    reading->file = parse_file(&reading->arena, &reading->names, &reading->sources, source,
                               &reading->next_id, &reading->macros, &reading->diags);
}

static inline const char *printed(Reading *reading)
{
    StrBuf out = {.arena = &reading->arena};
    ast_print(&out, reading->file);
    return str_terminated(&reading->arena, buf_str(&out));
}

// The diagnostics, one a line: "3-5 E0401\n".
static inline const char *summary(Reading *reading)
{
    StrBuf out = {.arena = &reading->arena};
    for (int64_t i = 0; i < reading->diags.count; i++) {
        const Diag *diag = reading->diags.items[i];
        buf_format(&out, "{}-{} {}\n", diag->span.start, diag->span.end,
                   diag_infos[diag->code].code);
    }
    return str_terminated(&reading->arena, buf_str(&out));
}

// Reads `before text after`, which must be without mistakes, and what is printed again.
static inline const char *print_wrapped(Reading *reading, const char *before, const char *text,
                                        const char *after)
{
    Str whole = str_format(&reading->arena, "{}{}{}", before, text, after);
    read_text(reading, whole);
    if (reading->diags.count)
        fail_msg("`%s`: %.*s", text, STR_ARG(reading->diags.items[0]->message));
    const char *first = printed(reading);
    read_text(reading, str_from(first));
    if (reading->diags.count)
        fail_msg("`%s` prints as `%s`: %.*s", text, first,
                 STR_ARG(reading->diags.items[0]->message));
    assert_string_equal(printed(reading), first);
    return first;
}

// A row whose print is NULL prints as it is written.
typedef struct {
    const char *text, *print;
} PrintCase;

static inline void check_prints(const PrintCase *cases, size_t count, const char *before,
                                const char *after, const char *before_print,
                                const char *after_print)
{
    for (size_t i = 0; i < count; i++) {
        Reading *reading = reading_new();
        const char *print = cases[i].print ? cases[i].print : cases[i].text;
        Str wanted = str_format(&reading->arena, "{}{}{}", before_print, print, after_print);
        assert_string_equal(print_wrapped(reading, before, cases[i].text, after), wanted.data);
        reading_free(reading);
    }
}

#endif

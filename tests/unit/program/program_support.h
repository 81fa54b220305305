// Programs from text, for tests that are tables of text.
#ifndef CONTRA_TESTS_PROGRAM_SUPPORT_H
#define CONTRA_TESTS_PROGRAM_SUPPORT_H

#include "base/checked.h"
#include "program/text.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// Everything that belongs to one text.
typedef struct {
    Arena arena;
    DiagList diags;
    SourceList sources;
    Builder *builder;
    ProgramList programs;
} Desk;

static inline Desk *desk_new(const Rules *rules)
{
    Desk *desk = calloc(1, sizeof *desk);
    assert_non_null(desk);
    desk->diags.arena = &desk->arena;
    BuilderOptions options = {.machine = &machine_rngd, .rules = rules};
    desk->builder = builder_new(&desk->arena, &desk->diags, &options);
    return desk;
}

static inline void desk_free(Desk *desk)
{
    builder_free(desk->builder);
    arena_release(&desk->arena);
    free(desk);
}

static inline bool desk_read(Desk *desk, Str text)
{
    int32_t source = (int32_t)desk->sources.count;
    *array_push(&desk->arena, &desk->sources, Source) = (Source){STR("program"), text, NULL};
    return program_parse(desk->builder, source, text, &desk->programs);
}

// What was reported, as people read it.
static inline const char *desk_reports(Desk *desk)
{
    StrBuf out = {.arena = &desk->arena};
    diag_render_text(&out, &desk->sources, &desk->diags, DIAG_PLAIN);
    return str_terminated(&desk->arena, buf_str(&out));
}

static inline const char *desk_printed(Desk *desk, const Program *program)
{
    StrBuf out = {.arena = &desk->arena};
    program_print(&out, program);
    return str_terminated(&desk->arena, buf_str(&out));
}

// Reads a text that must be right, and gives back its only program.
static inline const Program *desk_program(Desk *desk, Str text)
{
    int64_t before = desk->programs.count;
    if (!desk_read(desk, text))
        fail_msg("%.*s\n%s", STR_ARG(text), desk_reports(desk));
    assert_int_equal(desk->programs.count, before + 1);
    return desk->programs.items[before];
}

// The last stage of the last pass, closed or not.
static inline const Stage *last_stage(const Program *program)
{
    const Pass *pass = NULL;
    if (program->open.count)
        pass = program->open.items[program->open.count - 1];
    for (int64_t i = program->ops.count - 1; i >= 0 && !pass; i--)
        pass = program->ops.items[i]->pass;
    assert_non_null(pass);
    return pass ? pass->stages.items[pass->stages.count - 1] : NULL;
}

#endif

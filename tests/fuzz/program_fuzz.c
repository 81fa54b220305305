// Program texts from arbitrary bytes: refused with diagnostics that can be shown, or read as
// programs that print as a text of themselves.
//
// The bytes are read twice: as they are, and as the lines of a program that has a tensor in every
// memory, so that a few words make a pass.
#include "base/diag.h"
#include "law.h"
#include "program/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const head =
    "program p chip=4\naxis A = 4096\naxis B = 8\naxis I = 2\n"
    "%0 = param dm i32 chip [1] cluster [1 # 2] slice [A / 16] element [A % 16, B] at 0\n"
    "%1 = param hbm i32 chip [1] element [A] at 0\n%2 = param host i32 element [A]\n"
    "%3 = param trf i8 chip [1] cluster [1 # 2] slice [A / 16] row [B] element [1 # 64] at Full\n"
    "%4 = param vrf i32 chip [1] cluster [1 # 2] slice [A / 16] element [B] at 0\n";

typedef struct {
    Arena arena;
    SourceList sources;
    DiagList diags;
    Builder *builder;
    ProgramList programs;
} Run;

static bool read_text(Run *run, Str text)
{
    *array_push(&run->arena, &run->sources, Source) = (Source){STR("program"), text, NULL};
    return program_parse(run->builder, (int32_t)run->sources.count - 1, text, &run->programs);
}

static void check_diagnostics(Run *run, Str text)
{
    StrBuf shown = {.arena = &run->arena}, json = {.arena = &run->arena};
    for (int64_t i = 0; i < run->diags.count; i++) {
        Span span = run->diags.items[i]->span;
        law_of(span.source == 0 && span.start >= 0 && span.start <= span.end &&
                   span.end <= text.len,
               "spans lie in the text", text);
    }
    diag_render_text(&shown, &run->sources, &run->diags, DIAG_COLOUR);
    diag_render_json(&json, &run->sources, &run->diags);
}

// A mapping may be refused only for being longer than what was written: definitions are expanded.
static bool is_too_long(const Run *run)
{
    for (int64_t i = 0; i < run->diags.count; i++)
        if (run->diags.items[i]->code == DIAG_TOO_DEEP)
            return true;
    return false;
}

static void check_program(Run *run, const Program *program)
{
    StrBuf printed = {.arena = &run->arena}, again = {.arena = &run->arena};
    program_print(&printed, program);
    int64_t before = run->programs.count;
    bool right = read_text(run, buf_str(&printed));
    if (!right && is_too_long(run))
        return;
    law_of(right && run->programs.count == before + 1, "what is printed can be read",
           buf_str(&printed));
    program_print(&again, run->programs.items[before]);
    law_of(str_equal(buf_str(&printed), buf_str(&again)), "what is read prints the same",
           buf_str(&printed));
}

static void check_text(Str text)
{
    Run run = {0};
    BuilderOptions options = {.machine = &machine_rngd};
    run.diags.arena = &run.arena;
    run.builder = builder_new(&run.arena, &run.diags, &options);
    bool right = read_text(&run, text);
    law_of(right == (run.diags.error_count == 0), "what is wrong is reported", text);
    check_diagnostics(&run, text);
    int64_t count = run.programs.count;
    for (int64_t i = 0; i < count && right; i++)
        check_program(&run, run.programs.items[i]);
    builder_free(run.builder);
    arena_release(&run.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena = {0};
    StrBuf whole = {.arena = &arena};
    Str text = {(const char *)data, (int64_t)size};
    check_text(text);
    buf_add(&whole, str_from(head));
    buf_add(&whole, text);
    buf_add(&whole, STR("\nend\n"));
    check_text(buf_str(&whole));
    arena_release(&arena);
    return 0;
}

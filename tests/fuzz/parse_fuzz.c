// Programs from arbitrary bytes: refused with diagnostics that can be shown, or read as a tree that
// prints as a text that is read as the same tree. The laws:
//
// - every diagnostic lies in the text, and so does every item;
// - what has no mistake prints, and the print has no mistake and prints the same.
#include "ast_print.h"
#include "lang/syntax/parse.h"
#include "law.h"

#include <jansson.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    Arena arena;
    Interner names;
    SourceList sources;
    DiagList diags;
    int32_t next_id;
} Run;

static bool lies_in(Span span, Str text)
{
    return span.source < 0 || (span.start >= 0 && span.start <= span.end && span.end <= text.len);
}

static const AstFile *parse(Run *run, Str text)
{
    *array_push(&run->arena, &run->sources, Source) = (Source){STR("fuzz.rs"), text, NULL};
    int32_t first = run->next_id;
    int32_t source = (int32_t)run->sources.count - 1;
    MacroList macros = {0};
    const AstFile *file = parse_file(&run->arena, &run->names, &run->sources, source, &run->next_id,
                                     &macros, &run->diags);
    law(file->expr_count == run->next_id - first, "expressions are counted");
    for (int64_t i = 0; i < file->items.count; i++)
        law(file->items.items[i]->span.source != source ||
                lies_in(file->items.items[i]->span, text),
            "items lie in the text");
    return file;
}

static Str print(Run *run, const AstFile *file)
{
    StrBuf out = {.arena = &run->arena};
    ast_print(&out, file);
    return buf_str(&out);
}

static void check_diagnostics(Run *run, Str text)
{
    StrBuf shown = {.arena = &run->arena}, json = {.arena = &run->arena};
    for (int64_t i = 0; i < run->diags.count; i++) {
        const Diag *diag = run->diags.items[i];
        law(lies_in(diag->span, text), "spans lie in the text");
        for (int64_t k = 0; k < diag->notes.count; k++)
            law(lies_in(diag->notes.items[k].span, text), "notes lie in the text");
    }
    diag_render_text(&shown, &run->sources, &run->diags, DIAG_COLOUR);
    diag_render_json(&json, &run->sources, &run->diags);
    json_error_t error;
    json_t *parsed = json_loadb(json.data, (size_t)json.len, JSON_ALLOW_NUL, &error);
    law(parsed && (int64_t)json_array_size(parsed) == run->diags.count, "diagnostics are JSON");
    json_decref(parsed);
}

static void check_print(Run *run, const AstFile *file)
{
    Str first = print(run, file);
    const AstFile *again = parse(run, first);
    if (run->diags.count)
        fprintf(stderr, "printed:\n%.*s\n%.*s\n", STR_ARG(first),
                STR_ARG(run->diags.items[0]->message));
    law(!run->diags.count, "what is printed is read");
    Str second = print(run, again);
    if (!str_equal(first, second))
        fprintf(stderr, "first:\n%.*s\nsecond:\n%.*s\n", STR_ARG(first), STR_ARG(second));
    law(str_equal(first, second), "and prints the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Run run = {0};
    run.names.arena = run.diags.arena = &run.arena;
    Str text = {(const char *)arena_copy(&run.arena, data, size), (int64_t)size};
    const AstFile *file = parse(&run, text);
    check_diagnostics(&run, text);
    if (run.diags.count)
        print(&run, file); // whatever is in it
    else
        check_print(&run, file);
    arena_release(&run.arena);
    return 0;
}

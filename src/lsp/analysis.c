#include "lsp/internal.h"

#include <stdlib.h>

// ---- files

Document *server_document_at(const Server *server, Str path)
{
    for (Document *document = server->documents; document; document = document->next)
        if (str_equal(document->path, path))
            return document;
    return NULL;
}

static const OtherText *other_text(const OtherTexts *others, Str path)
{
    for (int64_t i = 0; others && i < others->count; i++)
        if (str_equal(others->items[i].path, path))
            return &others->items[i];
    return NULL;
}

// Files are asked for as long as the analysis lives: a library is read when something names it.
static bool read_source(void *own, ContraText path, ContraText *text)
{
    Analysis *analysis = own;
    Arena *arena = &analysis->contra->arena;
    const Document *document = server_document_at(analysis->server, str_of(path));
    *array_push(arena, &analysis->asked, FileState) = file_state(arena, str_of(path));
    note_file(analysis->server, str_of(path));
    const OtherText *other = other_text(analysis->others, str_of(path));
    if (other || document)
        *text = text_of(other ? other->text : document->text.text);
    return other || document;
}

bool analysis_asked(const Analysis *analysis, Str path)
{
    for (int64_t i = 0; i < analysis->asked.count; i++)
        if (path_is_at(analysis->asked.items[i].path, path))
            return true;
    return false;
}

int32_t analysis_source(const Analysis *analysis, Str path)
{
    const SourceList *sources = &analysis->contra->sources;
    for (int64_t i = 0; i < sources->count; i++)
        if (str_equal(sources->items[i].name, path))
            return (int32_t)i;
    return -1;
}

bool analysis_wrote(const Analysis *analysis, int64_t source)
{
    return analysis->contra->sources.items[source].name.data[0] != '<';
}

// ---- one analysis

static void read_root(Analysis *analysis, const Crate *crate)
{
    enum { STEPS_WHILE_TYPING = 1000 * 1000 }; // a second at most; our largest kernel needs half
    Contra *contra = analysis->contra;
    ContraText path = text_of(crate->path);
    int64_t roots = contra->roots.count;
    ContraCheckOptions options = contra_check_options();
    options.most_steps = STEPS_WHILE_TYPING;
    request_open(contra, &options);
    analysis->lang = contra->lang;
    request_read(contra, &path, 1, ROOTS_ALL, &analysis->result);
    if (contra->roots.count > roots)
        analysis->module = contra->roots.items[roots].module;
}

// Whatever `use` names is read first, so that the memory knows its functions, too.
static void open_check(Analysis *analysis, Memory *memory)
{
    lang_check_modules(analysis->lang, analysis->contra->builder);
    analysis->check = (Check){.lang = analysis->lang,
                              .builder = analysis->contra->builder,
                              .result = &analysis->result,
                              .is_known = memory_is_known,
                              .learn = memory_learn,
                              .own = memory};
    memory_open(memory, analysis);
}

// False: no memory.
static bool read_all(Analysis *analysis, const Crate *crate, Memory *memory)
{
    Contra *contra = analysis->contra;
    if (setjmp(contra->on_oom))
        return false;
    contra_use_files(contra, read_source, analysis);
    read_root(analysis, crate);
    if (memory)
        open_check(analysis, memory);
    return true;
}

// If reading fails with other texts, it is not the program that fails, but the request that tries
// them.
Analysis *analysis_new(Server *server, const Crate *crate, Memory *memory, const OtherTexts *others)
{
    if (!others && failure_of_step(server, STEP_READ, crate->path))
        return NULL;
    Analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return NULL;
    if (!others)
        note_step(server, STEP_READ, crate->path);
    analysis->server = server;
    analysis->others = others;
    analysis->contra = contra_new();
    if (analysis->contra && read_all(analysis, crate, memory)) {
        if (!others)
            note_step(server, STEP_NONE, crate->path);
        return analysis;
    }
    analysis_free(analysis);
    if (!others)
        longjmp(server->on_oom, 1);
    return NULL;
}

void analysis_free(Analysis *analysis)
{
    if (analysis) {
        costs_stop(analysis->server, analysis);
        contra_free(analysis->contra);
    }
    free(analysis);
}

static void note_check(const Analysis *analysis, Str program)
{
    note_step(analysis->server, STEP_CHECK, program);
    for (int64_t i = 0; i < analysis->asked.count; i++)
        note_file(analysis->server, analysis->asked.items[i].path);
}

bool analysis_step(Crate *crate)
{
    Analysis *analysis = crate->analysis;
    Server *server = analysis->server;
    analysis->is_checked |= failure_of_step(server, STEP_CHECK, crate->path) != NULL;
    if (analysis->is_checked)
        return false;
    if (setjmp(analysis->contra->on_oom))
        longjmp(server->on_oom, 1);
    note_check(analysis, crate->path);
    bool goes_on = lang_check_step(&analysis->check);
    note_step(server, STEP_NONE, crate->path);
    if (goes_on)
        return true;
    memory_close(crate->memory);
    analysis->is_checked = true;
    return false;
}

bool analysis_check(Analysis *analysis)
{
    if (setjmp(analysis->contra->on_oom))
        return false;
    while (lang_check_step(&analysis->check))
        ;
    return true;
}

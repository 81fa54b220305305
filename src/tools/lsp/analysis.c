#include "internal.h"

#include "api/folder.h"
#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

// ---- files

Document *server_document_at(const Server *server, Str path)
{
    for (Document *document = server->documents; document; document = document->next)
        if (str_equal(document->path, path))
            return document;
    return NULL;
}

// Who asks for a file: the analysis that is being made.
typedef struct {
    const Server *server;
    Analysis *analysis;
} Asker;

static bool read_source(void *own, ContraText path, ContraText *text)
{
    const Asker *asker = own;
    Arena *arena = &asker->analysis->contra->arena;
    *array_push(arena, &asker->analysis->asked, Str) = str_copy(arena, str_of(path));
    const Document *document = server_document_at(asker->server, str_of(path));
    if (document)
        *text = text_of(document->text.text);
    return document != NULL;
}

bool analysis_asked(const Analysis *analysis, Str path)
{
    for (int64_t i = 0; i < analysis->asked.count; i++)
        if (str_equal(analysis->asked.items[i], path))
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
    Contra *contra = analysis->contra;
    ContraText path = text_of(crate->path);
    int64_t roots = contra->roots.count;
    request_open(contra, &(ContraCheckOptions){0});
    analysis->lang = contra->lang;
    request_read(contra, &path, 1, ROOTS_ALL, &analysis->result);
    if (contra->roots.count > roots)
        analysis->module = contra->roots.items[roots].module;
}

static void open_check(Analysis *analysis, Memory *memory)
{
    analysis->check = (Check){.lang = analysis->lang,
                              .builder = analysis->contra->builder,
                              .result = &analysis->result,
                              .is_known = memory_is_known,
                              .learn = memory_learn,
                              .own = memory};
    memory_open(memory, analysis);
}

// False: no memory.
static bool read_all(Analysis *analysis, const Server *server, const Crate *crate, Memory *memory)
{
    Contra *contra = analysis->contra;
    Asker asker = {server, analysis};
    if (setjmp(contra->on_oom))
        return false;
    contra_use_files(contra, read_source, &asker);
    read_root(analysis, crate);
    contra_use_files(contra, NULL, NULL);
    if (memory)
        open_check(analysis, memory);
    return true;
}

Analysis *analysis_new(const Server *server, const Crate *crate, Memory *memory)
{
    Analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return NULL;
    analysis->contra = contra_new();
    if (analysis->contra && read_all(analysis, server, crate, memory))
        return analysis;
    analysis_free(analysis);
    return NULL;
}

void analysis_free(Analysis *analysis)
{
    if (analysis)
        contra_free(analysis->contra);
    free(analysis);
}

bool analysis_step(Crate *crate)
{
    Analysis *analysis = crate->analysis;
    if (analysis->is_checked)
        return false;
    if (setjmp(analysis->contra->on_oom)) { // what it found so far is what there is
        analysis->is_checked = true;
        return false;
    }
    if (lang_check_step(&analysis->check))
        return true;
    memory_close(crate->memory);
    analysis->is_checked = true;
    return false;
}

// ---- roots

// The files that may be the root of a crate around a file of it, in the order of trying.
static void crate_roots(Arena *arena, const CratePlace *place, Paths *roots)
{
    static const char *const names[] = {"src/lib.rs", "src/main.rs"};
    bool is_module = !place->is_program && !place->is_extra;
    for (size_t i = 0; i < COUNT_OF(names) && is_module; i++)
        *array_push(arena, roots, Str) =
            str_format(arena, "%.*s/%s", STR_ARG(place->crate), names[i]);
}

// Roots of a folder without a crate: files that name others as their modules.
static void beside_roots(Arena *arena, Str path, Paths *roots)
{
    int64_t slash = path.len;
    while (slash > 0 && path.data[slash - 1] != '/')
        slash--;
    if (slash > 1)
        folder_roots_beside(arena, str_slice(path, 0, slash - 1), roots);
}

static Crate *add_crate(Server *server, Str path)
{
    for (Crate *crate = server->crates; crate; crate = crate->next)
        if (str_equal(crate->path, path))
            return crate;
    Crate *crate = calloc(1, sizeof *crate);
    Memory *memory = crate ? memory_new() : NULL;
    if (!memory) {
        free(crate);
        longjmp(server->on_oom, 1);
    }
    crate->memory = memory;
    crate->arena.on_oom = &server->on_oom;
    crate->next = server->crates;
    server->crates = crate;
    crate->path = str_copy(&crate->arena, path);
    return crate;
}

static bool reads(Server *server, Str root_path, Str path)
{
    Crate *crate = add_crate(server, root_path);
    if (!crate->analysis)
        crate->analysis = analysis_new(server, crate, crate->memory);
    return crate->analysis && analysis_source(crate->analysis, path) >= 0;
}

static bool is_in(const Paths *paths, Str path)
{
    for (int64_t i = 0; i < paths->count; i++)
        if (str_equal(paths->items[i], path))
            return true;
    return false;
}

Crate *crate_of_path(Server *server, Str path)
{
    enum { MOST_TRIED = 16 };
    Paths roots = {0};
    for (Crate *crate = server->crates; crate; crate = crate->next)
        if (crate->analysis && analysis_source(crate->analysis, path) >= 0)
            return crate;
    CratePlace place = crate_place(&server->arena, path);
    if (place.crate.len)
        crate_roots(&server->arena, &place, &roots);
    else
        beside_roots(&server->arena, path, &roots);
    for (int64_t i = 0; i < roots.count && i < MOST_TRIED && !is_in(&roots, path); i++)
        if (reads(server, roots.items[i], path))
            return add_crate(server, roots.items[i]);
    return add_crate(server, path);
}

static void crate_forget(Crate *crate)
{
    analysis_free(crate->analysis);
    analysis_free(crate->asked);
    crate->analysis = crate->asked = NULL;
    crate->is_told = false;
}

Analysis *crate_analysis(Server *server, Crate *crate)
{
    if (crate->analysis && crate->analysis->is_checked)
        return crate->analysis;
    if (!crate->asked)
        crate->asked = analysis_new(server, crate, NULL);
    return crate->asked;
}

Crate *crate_reading(Server *server, Str path)
{
    if (server_document_at(server, path))
        return crate_of_path(server, path);
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        const Analysis *analysis = crate_analysis(server, crate);
        if (analysis && analysis_source(analysis, path) >= 0)
            return crate;
    }
    return NULL;
}

void crates_forget(Server *server, Str path)
{
    workspace_forget(server, path);
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        const Analysis *known = crate->analysis ? crate->analysis : crate->asked;
        if (known && analysis_asked(known, path))
            crate_forget(crate);
    }
}

void crate_free(Crate *crate)
{
    crate_forget(crate);
    crate_unpublish(crate);
    memory_free(crate->memory);
    arena_release(&crate->arena);
    free(crate);
}

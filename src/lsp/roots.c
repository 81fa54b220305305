// Which program a file belongs to. What is found is kept with the document until something says
// that it may be another one: a program that begins or ends to read the file, or a change on disk.
//
// The answer rests on the texts alone, not on what was opened first.
#include "lsp/internal.h"

#include "api/folder.h"
#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

// ---- places to look

// The files that may be the root of a crate around a file of it, in the order of trying.
static void crate_roots(Arena *arena, const CratePlace *place, Paths *roots)
{
    static const char *const names[] = {"src/lib.rs", "src/main.rs"};
    bool is_module = !place->is_program && !place->is_extra;
    for (size_t i = 0; i < COUNT_OF(names) && is_module; i++)
        *array_push(arena, roots, Str) = str_format(arena, "{}/{}", place->crate, names[i]);
}

// The folder that a path is in; empty: none above it.
static Str folder_of(Str path)
{
    int64_t slash = path.len;
    while (slash > 0 && path.data[slash - 1] != '/')
        slash--;
    return str_slice(path, 0, slash > 1 ? slash - 1 : 0);
}

// Files in it belong to a module: `part/mod.rs`, or `part.rs` beside `part`.
static bool is_of_module(Arena *arena, Str folder)
{
    return file_state(arena, str_format(arena, "{}/mod.rs", folder)).bytes >= 0 ||
           file_state(arena, str_format(arena, "{}.rs", folder)).bytes >= 0;
}

void roots_around(Arena *arena, Str path, Paths *roots)
{
    bool is_below = true;
    for (Str folder = folder_of(path); is_below && folder.len; folder = folder_of(folder)) {
        folder_roots_beside(arena, folder, roots);
        is_below = is_of_module(arena, folder);
    }
}

// ---- crates

static Crate *crate_at(const Server *server, Str path)
{
    for (Crate *crate = server->crates; crate; crate = crate->next)
        if (str_equal(crate->path, path))
            return crate;
    return NULL;
}

static Crate *add_crate(Server *server, Str path)
{
    Crate *known = crate_at(server, path);
    if (known)
        return known;
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
    crate->name = str_terminated(&crate->arena, path);
    crate->path = (Str){crate->name, path.len};
    return crate;
}

// What the root of a document rests on changed: it is looked for again.
static void unsettle(Server *server, Document *document)
{
    document->crate = NULL;
    server->is_settled = false;
}

void documents_unsettle(Server *server)
{
    for (Document *document = server->documents; document; document = document->next)
        unsettle(server, document);
}

// A module in a body is read when that is checked: before, nobody knows which files there are.
void crate_notice_files(Server *server, const Crate *crate)
{
    for (Document *document = server->documents; document; document = document->next) {
        bool is_read = analysis_source(crate->analysis, document->path) >= 0;
        if (document->crate && is_read != (document->crate == crate))
            unsettle(server, document);
    }
}

bool crate_read(Server *server, Crate *crate)
{
    if (crate->analysis)
        return true;
    crate->analysis = analysis_new(server, crate, crate->memory, NULL);
    return crate->analysis != NULL;
}

static void crate_forget(Crate *crate)
{
    analysis_free(crate->analysis);
    analysis_free(crate->asked);
    crate->analysis = crate->asked = NULL;
    crate->is_told = false;
}

void crate_free(Crate *crate)
{
    crate_forget(crate);
    crate_unpublish(crate);
    memory_free(crate->memory);
    arena_release(&crate->arena);
    free(crate);
}

static bool knows(const Crate *crate, Str path)
{
    const Analysis *analysis = crate->analysis ? crate->analysis : crate->asked;
    return analysis && analysis_source(analysis, path) >= 0;
}

// ---- the root of a file

// One that reads the file, of those that other open files belong to; the first by name.
static Crate *reading_crate(const Server *server, Str path)
{
    Crate *best = NULL;
    for (Crate *crate = server->crates; crate; crate = crate->next)
        if (crate->is_used && !str_equal(crate->path, path) && knows(crate, path) &&
            (!best || strcmp(crate->name, best->name) < 0))
            best = crate;
    return best;
}

static Crate *first_reading(Server *server, const Paths *roots, Str path)
{
    enum { MOST_TRIED = 16 };
    for (int64_t i = 0; i < roots->count && i < MOST_TRIED; i++) {
        Crate *crate = add_crate(server, roots->items[i]);
        if (crate_read(server, crate) && analysis_source(crate->analysis, path) >= 0)
            return crate;
    }
    return NULL;
}

// In folders without a crate: a file that names others as its modules. That of the outermost folder
// counts, as a module of it may have modules.
static Crate *root_beside(Server *server, Str folder, Str path)
{
    Paths roots = {0};
    if (!folder.len)
        return NULL;
    Crate *crate =
        is_of_module(&server->arena, folder) ? root_beside(server, folder_of(folder), path) : NULL;
    if (crate)
        return crate;
    folder_roots_beside(&server->arena, folder, &roots);
    if (paths_have(&roots, path))
        return NULL;
    Paths naming = roots_naming(&server->arena, &roots, path);
    return first_reading(server, &naming, path);
}

// NULL: no other file reads it.
static Crate *search_root(Server *server, Str path)
{
    Paths roots = {0};
    CratePlace place = crate_place(&server->arena, path);
    if (place.crate.len)
        crate_roots(&server->arena, &place, &roots);
    Crate *crate = paths_have(&roots, path) ? add_crate(server, path) : NULL;
    if (!crate)
        crate = first_reading(server, &roots, path);
    if (!crate)
        crate = reading_crate(server, path);
    if (!crate && !place.crate.len)
        crate = root_beside(server, folder_of(path), path);
    return crate;
}

// The search opens files around it. If that search crashed before, the file counts as its own
// program.
static Crate *find_root(Server *server, Str path)
{
    Crate *crate = NULL;
    if (!failure_of_step(server, STEP_FIND, path)) {
        note_search(server, path);
        crate = search_root(server, path);
        note_search(server, STR(""));
    }
    return crate ? crate : add_crate(server, path);
}

Crate *crate_of_path(Server *server, Str path)
{
    Document *document = server_document_at(server, path);
    Crate *crate = document ? document->crate : NULL;
    if (crate &&
        (str_equal(crate->path, path) || (crate_analysis(server, crate) && knows(crate, path))))
        return crate;
    crate = find_root(server, path);
    if (document)
        document->crate = crate;
    if (!crate->is_used && crate->analysis && crate->analysis->is_checked)
        crate_notice_files(server, crate);
    crate->is_used = true;
    return crate;
}

Analysis *crate_analysis(Server *server, Crate *crate)
{
    if (crate->analysis && crate->analysis->is_checked)
        return crate->analysis;
    if (!crate->asked)
        crate->asked = analysis_new(server, crate, NULL, NULL);
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
    Crate *crate = find_root(server, path);
    const Analysis *analysis = crate_analysis(server, crate);
    server->is_settled &= crate->is_used; // it is given up soon
    return analysis && analysis_source(analysis, path) >= 0 ? crate : NULL;
}

// ---- what is known no more

void crates_forget(Server *server, Str path)
{
    workspace_forget(server, path);
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        bool rests = memory_forgets(crate->memory, path);
        rests |= crate->analysis && analysis_asked(crate->analysis, path);
        rests |= crate->asked && analysis_asked(crate->asked, path);
        rests |= failure_rests(server, crate->path, path);
        if (!rests)
            continue;
        refresh_note(server, crate, path);
        crate_forget(crate);
    }
    failures_forget(server, path);
}

static void give_up(Server *server, Crate **at)
{
    Crate *crate = *at;
    *at = crate->next;
    for (Document *document = server->documents; document; document = document->next) {
        server->is_stale |= document->shown == crate;
        document->shown = document->shown == crate ? NULL : document->shown;
        document->crate = document->crate == crate ? NULL : document->crate;
    }
    crate_silence(server, crate);
    crate_free(crate);
}

// Finding roots reads programs. That is work, so it is not done while a message is being read.
void crates_follow(Server *server)
{
    if (server->has_closed) {
        server->has_closed = false;
        crates_settle(server);
    }
    for (Document *document = server->documents; document; document = document->next) {
        if (!document->is_new)
            continue;
        document->is_new = server->is_settled = false;
        crate_of_path(server, document->path)->is_told = false;
    }
}

void crates_settle(Server *server)
{
    server->is_settled = true;
    server->settles++;
    for (const Document *document = server->documents; document; document = document->next)
        crate_of_path(server, document->path);
    for (Crate *crate = server->crates; crate; crate = crate->next)
        crate->is_used = false;
    for (const Document *document = server->documents; document; document = document->next)
        if (document->crate)
            document->crate->is_used = true;
    for (Crate **at = &server->crates; *at;) {
        if ((*at)->is_used)
            at = &(*at)->next;
        else
            give_up(server, at);
    }
}

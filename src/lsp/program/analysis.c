#include "lsp/server/internal.h"

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

// Whether it rests on what is at the path: a file, or one below a folder.
static bool analysis_asked(const Analysis *analysis, Str path)
{
    for (int64_t i = 0; i < analysis->asked.count; i++)
        if (path_is_at(analysis->asked.items[i].path, path))
            return true;
    return false;
}

Str analysis_path(const Analysis *analysis, int64_t source)
{
    return analysis->contra->sources.items[source].name;
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
    return analysis_path(analysis, source).data[0] != '<';
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

void analysis_enter(Analysis *analysis)
{
    memcpy(&analysis->contra->on_oom, &analysis->server->on_oom, sizeof(jmp_buf));
}

bool analysis_step(Crate *crate)
{
    Analysis *analysis = crate->analysis;
    Server *server = analysis->server;
    analysis->is_checked |= failure_of_step(server, STEP_CHECK, crate->path) != NULL;
    if (analysis->is_checked)
        return false;
    analysis_enter(analysis);
    note_step(server, STEP_CHECK, crate->path);
    for (int64_t i = 0; i < analysis->asked.count; i++)
        note_file(server, analysis->asked.items[i].path);
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

// ---- roots

// Which program a file belongs to. What is found is kept with the document until something says
// that it may be another one: a program that begins or ends to read the file, or a change on disk.
//
// The answer rests on the texts alone, not on what was opened first.

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

// What `contra check` says, while people type.
#include "lsp/answer/answers.h"

#include <stdlib.h>

// What the client was told of a file because of one crate.
typedef struct PublishedFile {
    struct PublishedFile *next;
    char *path;
    json_t *diagnostics;
    bool is_new;   // found by the check at hand
    bool is_shown; // the client was told of some
} PublishedFile;

// ---- one diagnostic

static const int severities[] = {[SEVERITY_ERROR] = 1, [SEVERITY_WARNING] = 2};

// The message with all that has no place of its own.
static Str whole_message(const Query *query, const Diag *diag)
{
    StrBuf text = {.arena = query->arena};
    buf_add(&text, diag->message);
    if (diag->label.len)
        buf_format(&text, "\n{}", diag->label);
    for (int64_t i = 0; i < diag->notes.count; i++)
        if (diag->notes.items[i].span.source < 0)
            buf_format(&text, "\nnote: {}", diag_words(&diag->notes.items[i].words, true));
    for (int64_t i = 0; i < diag->helps.count; i++)
        buf_format(&text, "\nhelp: {}", diag_words(&diag->helps.items[i].words, true));
    if (*diag_infos[diag->code].manual)
        buf_format(&text, "\nmanual: {}", diag_infos[diag->code].manual);
    return buf_str(&text);
}

static json_t *related(const Query *query, const Diag *diag)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < diag->notes.count; i++) {
        const DiagNote *note = &diag->notes.items[i];
        json_t *location = query_location(query, note->span);
        if (location)
            json_array_append_new(list, json_pack("{s:o, s:o}", "location", location, "message",
                                                  json_of_str(diag_words(&note->words, true))));
    }
    return list;
}

json_t *json_of_diag(const Query *query, const Diag *diag)
{
    const char *code = diag_infos[diag->code].code;
    Span span = diag->span.source < 0 ? (Span){.source = query->source} : diag->span;
    json_t *value =
        json_pack("{s:o, s:i, s:s, s:{s:o}, s:s, s:o}", "range", query_range(query, span),
                  "severity", severities[diag->severity], "code", code, "codeDescription", "href",
                  json_of_str(str_format(query->arena, "contra:/explain/{}.md", code)), "source",
                  "contra", "message", json_of_str(whole_message(query, diag)));
    json_t *notes = related(query, diag);
    if (json_array_size(notes))
        json_object_set(value, "relatedInformation", notes);
    json_decref(notes);
    return value;
}

// ---- all of a crate

static PublishedFile *file_of(Server *server, Crate *crate, Str path)
{
    for (PublishedFile *file = crate->published; file; file = file->next)
        if (str_equal(str_from(file->path), path))
            return file;
    PublishedFile *file = calloc(1, sizeof *file);
    char *copy = strndup(path.data, (size_t)path.len);
    if (!file || !copy) {
        free(file);
        free(copy);
        longjmp(server->on_oom, 1);
    }
    *file = (PublishedFile){crate->published, copy, json_array(), false, false};
    crate->published = file;
    return file;
}

// What is said of the text that a macro became is said of its call.
static Diag in_file(const Query *query, const Diag *diag)
{
    const SourceList *sources = &query->analysis->contra->sources;
    Diag placed = *diag;
    placed.span = span_in_file(sources, diag->span);
    placed.notes = (DiagNotes){0};
    for (int64_t i = 0; i < diag->notes.count; i++)
        *array_push(diag->arena, &placed.notes, DiagNote) = (DiagNote){
            span_in_file(sources, diag->notes.items[i].span), diag->notes.items[i].words};
    return placed;
}

static void collect(Query *query, Crate *crate)
{
    const Contra *contra = query->analysis->contra;
    for (int64_t i = 0; i < contra->sources.count; i++)
        if (contra->sources.items[i].name.data[0] != '<')
            file_of(query->server, crate, contra->sources.items[i].name)->is_new = true;
    for (PublishedFile *file = crate->published; file; file = file->next)
        json_array_clear(file->diagnostics);
    for (int64_t i = 0; i < contra->diags.count; i++) {
        Diag diag = in_file(query, contra->diags.items[i]);
        int32_t source = diag.span.source < 0 ? query->source : diag.span.source;
        PublishedFile *file = file_of(query->server, crate, contra->sources.items[source].name);
        json_array_append_new(file->diagnostics, json_of_diag(query, &diag));
    }
}

// The only diagnostic of a program that cannot be read says so.
static void collect_failed(Server *server, Crate *crate)
{
    const Failure *failure = failure_of_step(server, STEP_READ, crate->path);
    for (PublishedFile *file = crate->published; file; file = file->next)
        json_array_clear(file->diagnostics);
    if (failure)
        file_of(server, crate, failure_place(server, failure))->is_new = true;
}

// What all roots say of a file: a module may belong to a library and to its tests.
static void publish(Server *server, Str path)
{
    json_t *list = json_array(), *each;
    size_t i;
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        size_t before = json_array_size(list);
        for (PublishedFile *file = crate->published; file; file = file->next)
            if (str_equal(str_from(file->path), path))
                json_array_foreach(file->diagnostics, i, each)
                    json_add_new(list, before, json_incref(each));
    }
    failures_show(server, path, list);
    const Document *document = server_document_at(server, path);
    Str uri = document ? document->uri : uri_of_path(&server->arena, path);
    json_t *params = json_pack("{s:o, s:o}", "uri", json_of_str(uri), "diagnostics", list);
    if (document)
        json_object_set_new(params, "version", json_integer(document->version));
    server_notify(server, "textDocument/publishDiagnostics", params);
}

static void published_free(PublishedFile *file)
{
    free(file->path);
    json_decref(file->diagnostics);
    free(file);
}

void crate_unpublish(Crate *crate)
{
    while (crate->published) {
        PublishedFile *file = crate->published;
        crate->published = file->next;
        published_free(file);
    }
}

// Files that had something to say and are read no more are told to be quiet.
static void tell(Server *server, Crate *crate)
{
    Query query = {.server = server, .arena = &server->arena, .analysis = crate->analysis};
    query.source = crate->analysis ? analysis_source(crate->analysis, crate->path) : -1;
    if (query.source >= 0)
        collect(&query, crate);
    else
        collect_failed(server, crate);
    for (PublishedFile **at = &crate->published; *at;) {
        PublishedFile *file = *at;
        bool shows = json_array_size(file->diagnostics) > 0;
        bool counts = shows || file->is_shown || !file->is_new ||
                      server_document_at(server, str_from(file->path));
        file->is_shown = shows;
        if (counts)
            publish(server, str_from(file->path));
        if (file->is_new) {
            file->is_new = false;
            at = &file->next;
            continue;
        }
        *at = file->next;
        published_free(file);
    }
    crate->is_told = true;
}

static bool check_some(Server *server)
{
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        if (crate->is_told || !crate->is_used)
            continue;
        bool is_read = crate_read(server, crate);
        if (is_read && analysis_step(crate))
            return true;
        note_step(server, STEP_CHECK, crate->path);
        if (is_read)
            crate_notice_files(server, crate);
        tell(server, crate);
        note_step(server, STEP_NONE, crate->path);
        return true;
    }
    return false;
}

// Files that name each other must not keep it going.
bool server_is_settling(const Server *server)
{
    enum { MOST_SETTLES = 8 };
    return !server->is_settled && !server->is_shut && server->settles <= MOST_SETTLES;
}

// Which roots there are may be another matter once they are read.
bool server_check_some(Server *server)
{
    if (check_some(server))
        return true;
    bool is_settling = server_is_settling(server);
    if (is_settling)
        crates_settle(server);
    watch_files(server);
    if (!is_settling)
        refresh_tell(server);
    return is_settling || server_wake_requests(server, WAITS_FOR_ROOTS);
}

void crate_silence(Server *server, Crate *crate)
{
    while (crate->published) {
        PublishedFile *file = crate->published;
        crate->published = file->next;
        publish(server, str_from(file->path));
        published_free(file);
    }
}

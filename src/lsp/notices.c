// What a client tells without asking: texts that open, change and close, and files on disk.
#include "lsp/internal.h"

#include <stdlib.h>
#include <string.h>

// Two URIs of a file may differ in what they encode.
Document *server_document(Server *server, Str uri)
{
    for (Document *document = server->documents; document; document = document->next)
        if (str_equal(document->uri, uri))
            return document;
    return uri.len ? server_document_at(server, path_of_uri(&server->arena, uri)) : NULL;
}

Str server_text(Server *server, Str uri)
{
    const Document *document = server_document(server, uri);
    return document ? document->text.text : (Str){"", 0};
}

void document_free(Document *document)
{
    arena_release(&document->arena);
    arena_release(&document->names);
    arena_release(&document->answers);
    free(document);
}

static Str uri_in(const json_t *params)
{
    return str_of_json(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static void changed(Server *server, const Document *document)
{
    server_drop_requests(server, document->uri);
    crates_forget(server, document->path);
}

static Document *add_document(Server *server, Str uri)
{
    Document *document = calloc(1, sizeof *document);
    if (!document)
        longjmp(server->on_oom, 1);
    document->arena.on_oom = document->names.on_oom = document->answers.on_oom = &server->on_oom;
    document->next = server->documents;
    server->documents = document;
    document->uri = str_copy(&document->names, uri);
    document->path = path_of_uri(&document->names, uri);
    return document;
}

static void opened(Server *server, const json_t *params)
{
    const json_t *given = json_object_get(params, "textDocument");
    Str uri = uri_in(params);
    if (!uri.len || !json_is_string(json_object_get(given, "text")))
        return;
    Document *document = server_document(server, uri);
    if (!document)
        document = add_document(server, uri);
    document->version = json_integer_value(json_object_get(given, "version"));
    document_set_text(document, str_of_json(json_object_get(given, "text")));
    watch_look(server);
    changed(server, document);
    documents_unsettle(server);
    document->is_new = true;
}

static void edited(Server *server, const json_t *params)
{
    Document *document = server_document(server, uri_in(params));
    const json_t *changes = json_object_get(params, "contentChanges"), *change;
    size_t i;
    if (!document)
        return;
    json_array_foreach(changes, i, change)
    {
        if (!document_change(document, server->encoding, change))
            server_log(server, "a change of {} could not be made", document->uri);
    }
    const json_t *given = json_object_get(params, "textDocument");
    document->version = json_integer_value(json_object_get(given, "version"));
    changed(server, document);
}

static void closed(Server *server, const json_t *params)
{
    Document *document = server_document(server, uri_in(params));
    Document **at = &server->documents;
    while (*at && *at != document)
        at = &(*at)->next;
    if (*at) {
        *at = document->next;
        changed(server, document); // what is on disk counts from here on
        document_free(document);
    }
    watch_look(server);
    documents_unsettle(server);
    server->has_closed = true;
}

static void watched(Server *server, const json_t *params)
{
    const json_t *changes = json_object_get(params, "changes"), *change;
    size_t i;
    json_array_foreach(changes, i, change)
    {
        Str path = path_of_uri(&server->arena, str_of_json(json_object_get(change, "uri")));
        if (!server_document_at(server, path))
            crates_forget(server, path);
    }
    documents_unsettle(server);
}

static void saved(Server *server, const json_t *params)
{
    (void)params;
    watch_look(server);
}

static void initialized(Server *server, const json_t *params)
{
    (void)params;
    watch_open(server);
}

static void ignored(Server *server, const json_t *params)
{
    (void)server, (void)params;
}

static const struct {
    const char *method;
    void (*take)(Server *server, const json_t *params);
} notices[] = {
    {"textDocument/didOpen", opened},
    {"textDocument/didChange", edited},
    {"textDocument/didClose", closed},
    {"textDocument/didSave", saved},
    {"workspace/didChangeWatchedFiles", watched},
    {"workspace/didChangeConfiguration", ignored},
    {"workspace/didChangeWorkspaceFolders", workspace_change},
    {"window/workDoneProgress/cancel", job_cancel_progress},
    {"initialized", initialized},
};

bool server_take_notice(Server *server, const char *method, const json_t *params)
{
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++) {
        if (strcmp(notices[i].method, method) != 0)
            continue;
        notices[i].take(server, params);
        return true;
    }
    return false;
}

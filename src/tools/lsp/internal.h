// What the files of the server share: documents, roots, the analysis of each root, and what a
// feature gets to answer a request.
#ifndef CONTRA_LSP_INTERNAL_H
#define CONTRA_LSP_INTERNAL_H

#include "analysis.h"
#include "document.h"
#include "server.h"

#include <jansson.h>

// A request that waits for its answer.
typedef struct Request {
    struct Request *next;
    json_t *id;
    json_t *params;
    const struct Method *method; // NULL: there is none of that name
    char *name;
} Request;

struct Server {
    ServerSend *send;
    void *own;
    ServerTools tools;
    jmp_buf on_oom;
    Arena arena; // of the message at hand
    Encoding encoding;
    bool is_open, is_shut;
    int status; // of the exit; -1: it goes on
    Document *documents;
    Crate *crates;
    json_t *folders;           // that the client works in: paths
    struct Unopened *unopened; // programs in them that nobody has open (workspace.c)
    Request *first, **last;    // requests, oldest first
    struct {
        bool snippets, label_offsets, hierarchy_symbols;
        uint32_t markdown; // a set of MarkupPlace
    } client;              // what it can do
};

// ---- messages (server.c)

void server_notify(Server *server, const char *method, json_t *params); // takes the params
void server_log(Server *server, const char *format, ...) PRINTF_LIKE(2, 3);

// ---- requests

typedef enum {
    QUERY_ANY,      // asks about nothing in particular
    QUERY_DOCUMENT, // about `textDocument`
    QUERY_POSITION, // about `position` in it
} QueryKind;

// What a feature answers. Everything in it lives until the answer is sent.
typedef struct {
    Server *server;
    const json_t *params;
    Arena *arena;
    Document *document; // NULL of QUERY_ANY
    int64_t offset;     // of `position`
    Analysis *analysis; // of the document; NULL of QUERY_ANY
    int32_t source;     // of the document in it
    const char *error;  // set by the feature: it is answered with an error that says this
} Query;

// NULL: the answer is `null`.
typedef json_t *Feature(Query *query);

typedef struct Method {
    const char *name;
    QueryKind kind;
    Feature *answer;
} Method;

extern const Method methods[]; // ends in a name of NULL (methods.c)

json_t *server_capabilities(const Server *server); // methods.c

// Changes of settings and the like (notices.c). False: the server does not know the message.
bool server_take_notice(Server *server, const char *method, const json_t *params);

// Requests about a document that changed are not answered.
void server_drop_requests(Server *server, Str uri);

// Checks a part of some root and tells the client when it is done (diagnostics.c). False: every
// root is checked and told.
bool server_check_some(Server *server);
// Forgets what the client was told because of a crate.
void crate_unpublish(Crate *crate);
// Crates that nobody has a file of open are given up.
void crates_settle(Server *server);

Document *server_document(const Server *server, Str uri);
void document_free(Document *document);
Document *server_document_at(const Server *server, Str path);

// ---- folders (workspace.c)

void workspace_open(Server *server, const json_t *params); // of `initialize`
void workspace_change(Server *server, const json_t *params);
void workspace_forget(Server *server, Str path); // a file changed
void workspace_close(Server *server);

// ---- places (place.c)

// The text of a source with its lines.
const LinedText *query_text(const Query *query, int32_t source);
json_t *json_of_position(TextPosition position);
json_t *query_range(const Query *query, Span span);
json_t *query_location(const Query *query,
                       Span span); // NULL: it is nowhere that an editor could open
// The URI of a source, as the client calls it.
Str query_uri(const Query *query, int32_t source);
// Makes the query one about a file. False: nobody can read it. The caller says what happens when
// memory of the analysis ends.
bool query_open(Query *query, Str uri);
// The offsets of a `range` of the protocol in the document. False: there is none.
bool query_offsets(const Query *query, const json_t *range, int64_t *start, int64_t *end);

// Where a client may show Markdown or not (markup.c).
typedef enum { MARKUP_HOVER, MARKUP_COMPLETION, MARKUP_SIGNATURE, MARKUP_COUNT } MarkupPlace;

json_t *json_of_markup(const Query *query, MarkupPlace place, Str markdown);

static inline json_t *json_of_str(Str text)
{
    return json_stringn(text.data, (size_t)text.len);
}

static inline Str str_of_json(const json_t *value)
{
    return json_is_string(value)
               ? (Str){json_string_value(value), (int64_t)json_string_length(value)}
               : (Str){"", 0};
}

#endif

// Messages: JSON-RPC as the protocol wants it. Requests wait in a queue until server_work comes to
// them; those about a text that changes meanwhile are dropped, since the client asks again.
#include "lsp/answer/answers.h"
#include "lsp/server/internal.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- out

static void send_message(Server *server, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *text = json_dumps(message, JSON_COMPACT);
    if (text)
        server->send(server->own, message, str_from(text));
    free(text);
    json_decref(message);
    if (!text && !server->is_lost && !server->unanswered)
        longjmp(server->on_oom, 1); // the client would wait forever
}

void server_notify(Server *server, const char *method, json_t *params)
{
    json_t *message = json_pack("{s:s, s:o}", "method", method, "params", params);
    send_message(server, message);
}

int64_t server_ask(Server *server, const char *method, json_t *params)
{
    Str id = str_format(&server->arena, "contra-{}", (long long)++server->own_requests);
    json_t *message = json_pack("{s:o, s:s}", "id", json_of_str(id), "method", method);
    if (params)
        json_object_set_new(message, "params", params);
    send_message(server, message);
    return server->own_requests;
}

void(server_log)(Server *server, Message message)
{
    Str text = (str_format)(&server->arena, message);
    server_notify(server, "window/logMessage",
                  json_pack("{s:i, s:o}", "type", 3, "message", json_of_str(text)));
}

// Takes the result.
void server_reply(Server *server, json_t *id, json_t *result)
{
    json_t *message = json_pack("{s:O}", "id", id);
    json_object_set_new(message, "result", result ? result : json_null());
    send_message(server, message);
}

void server_refuse(Server *server, json_t *id, int code, const char *why)
{
    json_t *message =
        json_pack("{s:O, s:{s:i, s:s}}", "id", id, "error", "code", code, "message", why);
    send_message(server, message);
}

// ---- the queue

static void request_free(Request *request)
{
    json_decref(request->id);
    json_decref(request->params);
    free(request->name);
    free(request);
}

static const Method *method_named(const char *name)
{
    const Method *method = methods;
    while (method->name && strcmp(method->name, name) != 0)
        method++;
    return method->name ? method : NULL;
}

static void enqueue(Server *server, json_t *id, const char *name, json_t *params)
{
    Request *request = calloc(1, sizeof *request);
    if (!request)
        longjmp(server->on_oom, 1);
    *request = (Request){.id = json_incref(id),
                         .params = json_incref(params),
                         .method = method_named(name),
                         .name = strdup(name)};
    *server->last = request;
    server->last = &request->next;
}

static Request *take(Server *server, Request **at)
{
    Request *request = *at;
    *at = request->next;
    if (server->last == &request->next)
        server->last = at;
    return request;
}

static void cancel(Server *server, const json_t *id)
{
    if (job_cancel(server, id))
        return;
    for (Request **at = &server->first; *at; at = &(*at)->next) {
        if (!json_equal((*at)->id, id))
            continue;
        Request *request = take(server, at);
        server_refuse(server, request->id, ERROR_CANCELLED, "cancelled");
        request_free(request);
        return;
    }
}

void server_drop_requests(Server *server, Str uri)
{
    for (Request **at = &server->first; *at;) {
        if (!str_equal(str_at((*at)->params, "textDocument/uri"), uri)) {
            at = &(*at)->next;
            continue;
        }
        Request *request = take(server, at);
        server_refuse(server, request->id, ERROR_CHANGED, "the text changed meanwhile");
        request_free(request);
    }
}

// ---- answers

static bool open_query(Query *query, const Request *request)
{
    Server *server = query->server;
    if (request->method->kind == QUERY_ANY)
        return true;
    TextPosition position = {0};
    query->document = server_document(server, str_at(request->params, "textDocument/uri"));
    bool is_there =
        query->document && (request->method->kind != QUERY_POSITION ||
                            json_position(json_object_get(request->params, "position"), &position));
    if (!is_there) {
        server_refuse(server, request->id, ERROR_PARAMS,
                      query->document ? "there is no position in it" : "the document is not open");
        return false;
    }
    query->offset = position_offset(&query->document->text, server->encoding, position);
    Crate *crate = crate_of_path(server, query->document->path);
    query->analysis = crate_analysis(server, crate);
    query->source = query->analysis ? analysis_source(query->analysis, query->document->path) : -1;
    if (query->source < 0)
        server_refuse(server, request->id, ERROR_FAILED,
                      "Contra failed on this program; see its diagnostics");
    return query->source >= 0;
}

// The path of the document that a request names; empty: it names none that is open.
static Str asked_document(Server *server, const Request *request)
{
    const Document *document = server_document(server, str_at(request->params, "textDocument/uri"));
    return document ? document->path : STR("");
}

static Waits answer(Server *server, const Request *request)
{
    Query query = {
        .server = server, .params = request->params, .arena = &server->arena, .id = request->id};
    if (request->method->kind == QUERY_PROGRAM && server_is_settling(server))
        return WAITS_FOR_ROOTS;
    if (!open_query(&query, request))
        return WAITS_NOT;
    if (query.analysis) {
        for (int64_t i = 0; i < query.analysis->asked.count; i++)
            note_file(server, query.analysis->asked.items[i].path);
        analysis_enter(query.analysis); // what is asked of the front end may run out of memory, too
    }
    json_t *result = request->method->answer(&query);
    if (query.waits && costs_start(&query)) {
        json_decref(result);
        return WAITS_FOR_COSTS;
    }
    if (query.waits) {
        json_decref(result);
        return answer(server, request);
    }
    if (query.is_later)
        return WAITS_NOT;
    if (!query.error) {
        server_reply(server, request->id, result);
        return WAITS_NOT;
    }
    json_decref(result);
    server_refuse(server, request->id, ERROR_FAILED, query.error);
    return WAITS_NOT;
}

// The oldest that does not wait; it points to NULL if all do.
static Request **next_request(Server *server)
{
    Request **at = &server->first;
    while (*at && (*at)->waits)
        at = &(*at)->next;
    return at;
}

bool server_wake_requests(Server *server, Waits waits)
{
    bool any = false;
    for (Request *request = server->first; request; request = request->next) {
        if (request->waits != waits)
            continue;
        request->waits = WAITS_NOT;
        any = true;
    }
    return any;
}

static void answer_next(Server *server, Request **at)
{
    Request *request = *at;
    Str document = asked_document(server, request);
    bool is_answered = false;
    if (!request->method)
        server_refuse(server, request->id, ERROR_METHOD, "this server does not know the method");
    else if (failure_of_request(server, request->name, document))
        server_refuse(server, request->id, ERROR_INTERNAL,
                      "Contra failed on this request; see the diagnostics of the document");
    else
        is_answered = true;
    note_request(server, request->name, document);
    request->waits = is_answered ? answer(server, request) : WAITS_NOT;
    note_request(server, "", STR(""));
    if (request->waits == WAITS_NOT)
        request_free(take(server, at));
}

// ---- in

static Encoding encoding_of(const json_t *capabilities)
{
    const json_t *wanted = json_at(capabilities, "general/positionEncodings"), *each;
    size_t i;
    json_array_foreach(wanted, i, each)
    {
        if (str_equal(str_of_json(each), STR("utf-8")))
            return ENCODING_UTF8; // what texts are in: nothing has to be counted
    }
    return ENCODING_UTF16;
}

// Where the client says that it shows Markdown, as a set of MarkupPlace.
static uint32_t markdown_of(const json_t *can)
{
    static const char *const formats[MARKUP_COUNT] = {
        [MARKUP_HOVER] = "textDocument/hover/contentFormat",
        [MARKUP_COMPLETION] = "textDocument/completion/completionItem/documentationFormat",
        [MARKUP_SIGNATURE] = "textDocument/signatureHelp/signatureInformation/documentationFormat",
    };
    const json_t *each;
    uint32_t places = 0;
    size_t i;
    for (MarkupPlace place = 0; place < MARKUP_COUNT; place++)
        json_array_foreach(json_at(can, formats[place]), i, each) places |=
            str_equal(str_of_json(each), STR("markdown")) ? 1U << place : 0;
    return places;
}

// Every request the server answers.
const Method methods[] = {
#define METHOD(name, kind, answer) {name, kind, answer},
#include "lsp/methods.def"
#undef METHOD
    {NULL, QUERY_ANY, NULL},
};

// The capabilities of the server.
static json_t *capabilities(const Server *server)
{
    static const char *const plain[] = {"callHierarchyProvider",
                                        "definitionProvider",
                                        "documentFormattingProvider",
                                        "documentHighlightProvider",
                                        "documentSymbolProvider",
                                        "foldingRangeProvider",
                                        "documentRangeFormattingProvider",
                                        "hoverProvider",
                                        "inlayHintProvider",
                                        "referencesProvider",
                                        "selectionRangeProvider",
                                        "typeDefinitionProvider",
                                        "workspaceSymbolProvider"};
    const struct {
        const char *name;
        json_t *options;
    } others[] = {
        {"codeActionProvider", json_pack("{s:[s]}", "codeActionKinds", "quickfix")},
        {"codeLensProvider", json_pack("{s:b}", "resolveProvider", 1)},
        {"completionProvider", json_pack("{s:[s, s]}", "triggerCharacters", ".", ":")},
        {"documentOnTypeFormattingProvider", json_pack("{s:s}", "firstTriggerCharacter", "]")},
        {"executeCommandProvider",
         json_pack("{s:o, s:b}", "commands", command_names(), "workDoneProgress", 1)},
        {"positionEncoding", json_string(encoding_names[server->encoding])},
        {"renameProvider", json_pack("{s:b}", "prepareProvider", 1)},
        {"semanticTokensProvider", json_pack("{s:o, s:b, s:{s:b}}", "legend", token_legend(),
                                             "range", 1, "full", "delta", 1)},
        {"signatureHelpProvider", json_pack("{s:[s, s, s]}", "triggerCharacters", "(", "<", ",")},
        {"textDocumentSync",
         json_pack("{s:b, s:i, s:{s:b}}", "openClose", 1, "change", 2, "save", "includeText", 0)},
        {"workspace",
         json_pack("{s:{s:b, s:b}}", "workspaceFolders", "supported", 1, "changeNotifications", 1)},
    };
    json_t *can = json_object();
    for (size_t i = 0; i < COUNT_OF(plain); i++)
        json_object_set_new(can, plain[i], json_true());
    for (size_t i = 0; i < COUNT_OF(others); i++)
        json_object_set_new(can, others[i].name, others[i].options);
    return can;
}

static bool client_has(const json_t *can, const char *path)
{
    return json_is_true(json_at(can, path));
}

static void open_server(Server *server, json_t *id, const json_t *params)
{
    const json_t *can = json_object_get(params, "capabilities");
    server->encoding = encoding_of(can);
    server->client.snippets =
        client_has(can, "textDocument/completion/completionItem/snippetSupport");
    server->client.markdown = markdown_of(can);
    server->client.label_offsets = client_has(
        can,
        "textDocument/signatureHelp/signatureInformation/parameterInformation/labelOffsetSupport");
    server->client.hierarchy_symbols =
        client_has(can, "textDocument/documentSymbol/hierarchicalDocumentSymbolSupport");
    server->client.watches = client_has(can, "workspace/didChangeWatchedFiles/dynamicRegistration");
    server->client.watches_relative =
        client_has(can, "workspace/didChangeWatchedFiles/relativePatternSupport");
    server->client.refreshes = refreshes_of(can);
    server->client.shows_progress = client_has(can, "window/workDoneProgress");
    workspace_open(server, params);
    server->is_open = true;
    server_reply(server, id,
                 json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(server),
                           "serverInfo", "name", "contra", "version", contra_version()));
}

static void take_request(Server *server, json_t *id, const char *method, json_t *params)
{
    if (server->unanswered)
        json_array_append(server->unanswered, id);
    if (strcmp(method, "initialize") == 0 && !server->is_open)
        open_server(server, id, params);
    else if (!server->is_open)
        server_refuse(server, id, ERROR_NOT_OPEN, "`initialize` comes first");
    else if (server->is_shut || strcmp(method, "initialize") == 0)
        server_refuse(server, id, ERROR_INVALID,
                      server->is_shut ? "the server was shut down" : "it was initialized already");
    else {
        server->is_shut = strcmp(method, "shutdown") == 0; // what came before it is answered before
        if (!server->unanswered)
            enqueue(server, id, method, params);
    }
}

static void take_notice(Server *server, const char *method, const json_t *params)
{
    if (strcmp(method, "exit") == 0) {
        server->status = server->is_shut ? 0 : 1;
        server->is_shut = true;
    } else if (!server->is_open || server->is_shut)
        return;
    else if (strcmp(method, "$/cancelRequest") == 0)
        cancel(server, json_object_get(params, "id"));
    else
        server_take_notice(server, method, params);
}

// An answer to "contra-12" is of the twelfth request that was sent.
static void take_answer(Server *server, const json_t *id, bool is_well)
{
    static const Str start = {"contra-", 7};
    Str name = str_of_json(id);
    int64_t asked;
    if (str_starts_with(name, start) && str_to_i64(str_slice(name, start.len, name.len), &asked))
        jobs_hear(server, asked, is_well);
}

static void take_message(Server *server, json_t *message)
{
    json_t *id = json_object_get(message, "id"), *method = json_object_get(message, "method");
    json_t *params = json_object_get(message, "params");
    bool answers = json_object_get(message, "result") || json_object_get(message, "error");
    bool named = json_is_string(id) || json_is_integer(id);
    if (json_is_string(method) && named)
        take_request(server, id, json_string_value(method), params);
    else if (json_is_string(method) && !id)
        take_notice(server, json_string_value(method), params);
    else if (answers)
        take_answer(server, id, !json_object_get(message, "error"));
    else
        server_refuse(server, named ? id : json_null(), ERROR_INVALID,
                      "this is no message of JSON-RPC");
}

// ---- life

Server *server_new(ServerSend *send, void *own)
{
    Server *server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    server->send = send;
    server->own = own;
    server->status = -1;
    server->arena.on_oom = &server->on_oom;
    server->last = &server->first;
    return server;
}

void server_free(Server *server)
{
    if (!server)
        return;
    server->is_lost = true; // from here on nothing catches a jump
    jobs_stop(server);
    costs_stop(server, NULL);
    while (server->first)
        request_free(take(server, &server->first));
    while (server->crates) {
        Crate *next = server->crates->next;
        crate_free(server->crates);
        server->crates = next;
    }
    while (server->documents) {
        Document *next = server->documents->next;
        document_free(server->documents);
        server->documents = next;
    }
    workspace_close(server);
    failures_free(server);
    json_decref(server->unanswered);
    json_decref(server->watched);
    arena_release(&server->arena);
    free(server);
}

// ---- mirrors

static void send_nothing(void *own, const json_t *message, Str text)
{
    (void)own, (void)message, (void)text;
}

void server_wake(Server *server, ServerSend *send, ServerNote *note)
{
    json_decref(server->unanswered);
    server->unanswered = NULL;
    server->send = send;
    server->note = note;
    note->process = getpid();
    note_request(server, "", STR(""));
}

static void refuse_unanswered(Server *server, const char *why)
{
    json_t *id;
    size_t i;
    json_array_foreach(server->unanswered, i, id) server_refuse(server, id, ERROR_INTERNAL, why);
    json_array_clear(server->unanswered);
}

static bool take_failure(Server *server, const ServerNote *note, const char *why)
{
    Str text = failure_text(&server->arena, note, why);
    refuse_unanswered(server, str_terminated(&server->arena, text));
    server_log(server, "{}", text);
    server->is_stale = true; // the client asks again for what was refused
    return failure_add(server, note, why);
}

bool server_failed(Server *server, const ServerNote *note, const char *why)
{
    if (setjmp(server->on_oom)) {
        server_give_up(server);
        return false;
    }
    bool is_new = take_failure(server, note, why);
    arena_clear(&server->arena);
    return is_new;
}

// ---- work

// Without memory the documents may not be what the client has: the editor starts another server.
void server_give_up(Server *server)
{
    server->is_lost = true;
    server->status = 1;
}

// Requests that came before `exit` still get an answer. The work that they wait for is stopped, so
// they get what is known so far.
static bool leave(Server *server)
{
    jobs_stop(server);
    costs_stop(server, NULL);
    return server_wake_requests(server, WAITS_FOR_ROOTS) || server->first;
}

static void read_message(Server *server, Str text)
{
    json_error_t error;
    server->message = json_loadb(text.data, (size_t)text.len, JSON_ALLOW_NUL, &error);
    if (server->message)
        take_message(server, server->message);
    else
        server_refuse(server, json_null(), ERROR_PARSE, error.text);
}

// Halves of surrogate pairs: UTF-16 of editors may have one alone, as `\ud800` in a message, which
// no UTF-8 can say. U+FFFD stands for it, which counts as much in positions.

typedef enum { ESCAPE_OTHER, ESCAPE_FIRST, ESCAPE_SECOND } Escape;

enum { ESCAPE_BYTES = 6 }; // of `\ud800`

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

// What the backslash at an offset begins.
static Escape escape_at(Str text, int64_t at)
{
    if (at + ESCAPE_BYTES > text.len || text.data[at] != '\\' || text.data[at + 1] != 'u' ||
        !is_one_of(text.data[at + 2], "dD"))
        return ESCAPE_OTHER;
    char kind = text.data[at + 3];
    if (is_one_of(kind, "89abAB"))
        return ESCAPE_FIRST;
    return is_one_of(kind, "cdefCDEF") ? ESCAPE_SECOND : ESCAPE_OTHER;
}

// The next one that has no partner; -1: there is none.
static int64_t lone_half(Str text, int64_t from)
{
    const char *found;
    for (int64_t at = from; at < text.len; at++) {
        found = memchr(text.data + at, '\\', (size_t)(text.len - at));
        if (!found)
            return -1;
        at = found - text.data;
        Escape escape = escape_at(text, at);
        bool is_pair =
            escape == ESCAPE_FIRST && escape_at(text, at + ESCAPE_BYTES) == ESCAPE_SECOND;
        if (escape != ESCAPE_OTHER && !is_pair)
            return at;
        at += is_pair ? 2 * ESCAPE_BYTES - 1 : 1; // `\\` is one character, too
    }
    return -1;
}

// A message with U+FFFD for every half of a surrogate pair that is alone.
static Str mend_surrogates(Arena *arena, Str message)
{
    int64_t at = lone_half(message, 0);
    if (at < 0)
        return message;
    char *mended = arena_copy(arena, message.data, (size_t)message.len);
    Str whole = {mended, message.len};
    for (; at >= 0; at = lone_half(whole, at + ESCAPE_BYTES))
        memcpy(mended + at, "\\ufffd", ESCAPE_BYTES);
    return whole;
}

void server_receive(Server *server, Str message)
{
    ServerSend *send = server->send;
    server->send = server->unanswered ? send_nothing : send; // the worker answers
    server->settles = 0;
    server->message = NULL;
    if (setjmp(server->on_oom))
        server_give_up(server);
    else
        read_message(server, mend_surrogates(&server->arena, message));
    json_decref(server->message);
    arena_clear(&server->arena);
    server->send = send;
}

bool server_work(Server *server)
{
    if (setjmp(server->on_oom)) {
        server_give_up(server);
        return false;
    }
    crates_follow(server);
    Request **next = next_request(server);
    bool any = *next != NULL;
    if (any)
        answer_next(server, next);
    else
        any = server->status >= 0 ? leave(server) : server_check_some(server);
    arena_clear(&server->arena);
    return any;
}

int server_status(const Server *server)
{
    return server->is_lost || !(server->first || server->jobs) ? server->status : -1;
}

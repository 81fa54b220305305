// What the files of the server share: documents, roots, the analysis of each root, and what a
// feature gets to answer a request.
#ifndef CONTRA_LSP_SERVER_INTERNAL_H
#define CONTRA_LSP_SERVER_INTERNAL_H

#include "lsp/program/analysis.h"
#include "lsp/server/server.h"

#include "base/str.h"

#include <jansson.h>

typedef struct ServerNote ServerNote; // what it is doing, for a supervisor
typedef struct Failure Failure;

// What a request waits for before it can be answered.
typedef enum {
    WAITS_NOT,
    WAITS_FOR_COSTS, // program/costs.c
    WAITS_FOR_ROOTS, // to be settled: which program a document belongs to
} Waits;

// A request that waits for its answer.
typedef struct Request {
    struct Request *next;
    json_t *id;
    json_t *params;
    const struct Method *method; // NULL: there is none of that name
    Waits waits;
    char *name;
} Request;

struct Server {
    ServerSend *send;
    void *own;
    ServerTools tools;
    ServerNote *note;   // what it is doing, for a supervisor; NULL: none
    Failure *failures;  // what must not be retried yet (failures.c)
    json_t *unanswered; // mirror (server.h): ids of requests; NULL: not a mirror
    jmp_buf on_oom;
    Arena arena;     // of the message at hand
    json_t *message; // that message
    Encoding encoding;
    bool is_open, is_shut;
    bool is_lost; // out of memory: nothing more is answered
    int status;   // exit status; -1: the client has not asked to exit
    Document *documents;
    Crate *crates;
    bool is_stale;             // the client may show old facts about other documents (workspace.c)
    bool has_closed;           // a document, since the server last worked
    bool is_settled;           // every document has its crate, and every crate a document
    int32_t settles;           // since the last message
    json_t *folders;           // paths that the client works in
    struct Unopened *unopened; // programs in them that nobody has open (workspace.c)
    json_t *watched;        // files that it watches beside those in folders, as keys (workspace.c)
    Request *first, **last; // requests, oldest first
    struct Job *jobs;       // requests that are worked on in a process of their own
    struct CostJob *cost_jobs; // jobs that lower kernels (program/costs.c)
    int64_t job_count;         // of all that ever were
    int64_t own_requests;      // that were sent to the client
    struct {
        bool snippets, label_offsets, hierarchy_symbols;
        bool watches, watches_relative; // files, if it is told which
        bool shows_progress;
        uint32_t markdown;  // a set of MarkupPlace
        uint32_t refreshes; // of workspace.c
    } client;               // what it can do
};

// ---- messages (transport.c)

void server_notify(Server *server, const char *method, json_t *params); // takes the params
// Takes them, too; NULL: none. The number of the request, by which an answer is known.
int64_t server_ask(Server *server, const char *method, json_t *params);
void server_reply(Server *server, json_t *id, json_t *result); // takes the result; NULL is `null`
void server_refuse(Server *server, json_t *id, int code, const char *why);
// There is no memory left: the server ends.
void server_give_up(Server *server);
void(server_log)(Server *server, Message message);
#define server_log(server, ...) server_log(server, MESSAGE(__VA_ARGS__))

// Codes of errors, of JSON-RPC and of the protocol.
enum {
    ERROR_PARSE = -32700,
    ERROR_INVALID = -32600,
    ERROR_METHOD = -32601,
    ERROR_PARAMS = -32602,
    ERROR_INTERNAL = -32603,
    ERROR_NOT_OPEN = -32002,
    ERROR_FAILED = -32803,
    ERROR_CANCELLED = -32800,
    ERROR_CHANGED = -32801,
};

// ---- requests

typedef enum {
    QUERY_ANY,      // asks about nothing in particular
    QUERY_DOCUMENT, // about `textDocument`
    QUERY_PROGRAM,  // likewise, once it is known which program it belongs to
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
    json_t *id;         // of the request
    bool is_later;      // set by the feature: it is answered when its job ends (jobs.c)
    bool waits;         // set by the feature: it is asked again when what is wanted is there
    struct {
        ARRAY(struct KernelTime *);
    } wanted; // kernels whose costs are not yet being worked out (program/costs.c)
} Query;

// NULL: the answer is `null`.
typedef json_t *Feature(Query *query);

typedef struct Method {
    const char *name;
    QueryKind kind;
    Feature *answer;
} Method;

extern const Method methods[]; // ends with a NULL name (transport.c)

// Changes of settings and the like (program/documents.c). False: the server does not know the
// message.
bool server_take_notice(Server *server, const char *method, const json_t *params);

// What requests wait for is there, or will not come: they are asked again. Whether there are any.
bool server_wake_requests(Server *server, Waits waits);

// Requests about a document that changed are not answered.
void server_drop_requests(Server *server, Str uri);

// Checks a part of some root and tells the client when it is done (answer/diagnostics.c). False:
// every root is checked and told.
bool server_check_some(Server *server);
// Whether documents may come to belong to other roots, as far as is known.
bool server_is_settling(const Server *server);
// Forgets what the client was told because of a crate.
void crate_unpublish(Crate *crate);
// Takes back what the client was told because of it.
void crate_silence(Server *server, Crate *crate);

Document *server_document(Server *server, Str uri);
void document_free(Document *document);
Document *server_document_at(const Server *server, Str path);

// ---- jobs (jobs.c)

// Starts work whose end answers the request; the title says what is done. False: it cannot start.
bool job_start(Query *query, const char *title, ServerJob job);
// Cancels the job of a request. False: it has none.
bool job_cancel(Server *server, const json_t *id);
// `window/workDoneProgress/cancel`
void job_cancel_progress(Server *server, const json_t *params);
// The client answered a request about a job, perhaps.
void jobs_hear(Server *server, int64_t asked, bool is_well);
void jobs_stop(Server *server);
// The answer to a command, from the text that its job returned (answer/command.c).
json_t *command_result(Server *server, const char *text);

// ---- costs of kernels (program/costs.c)

// Starts working out the costs that a query wants. False: they are known already.
bool costs_start(Query *query);
// A job ended. False: it was not one of these.
bool costs_finish(Server *server, int64_t number, const char *text);
// Stops the jobs of an analysis that is given up; NULL: of all analyses.
void costs_stop(Server *server, const Analysis *analysis);

// ---- what the client shows of other documents (workspace.c)

// What the client can refresh when it is told to: a set.
uint32_t refreshes_of(const json_t *capabilities);
// A file that a crate rests on changed; to be called before the crate forgets.
void refresh_note(Server *server, const Crate *crate, Str path);
// Everything is checked: the client is told once.
void refresh_tell(Server *server);

// ---- folders (workspace.c)

void workspace_open(Server *server, const json_t *params); // of `initialize`
void workspace_change(Server *server, const json_t *params);
void workspace_forget(Server *server, Str path); // a file changed
void workspace_close(Server *server);

typedef void ProgramVisit(void *own, Query *query);

// Visits the programs that may name what files declare, with a query about each: the one at hand,
// others that are open, and, as they are on disk, those of folders and those around the files.
void each_program(Query *query, const struct Paths *files, ProgramVisit *visit, void *own);

// ---- files on disk (workspace.c)

// Asks the client to tell when files of folders change.
void watch_open(Server *server);
// The same for other files that programs depend on, except those it already watches.
void watch_files(Server *server);
// Looks at files that the client does not watch.
void watch_look(Server *server);

// ---- places (json.c)

typedef struct {
    ARRAY(Span);
} Spans;

// What is around `position`.
Trail query_trail(const Query *query);
// What the name at an offset of the source means.
Meaning query_meaning(const Query *query, int64_t offset);
// The text of a source with its lines.
const LinedText *query_text(const Query *query, int32_t source);
json_t *json_of_position(TextPosition position);
json_t *query_range(const Query *query, Span span);
json_t *query_location(const Query *query,
                       Span span); // NULL: it is nowhere that an editor could open
// The URI of a source, as the client calls it.
Str query_uri(const Query *query, int32_t source);
// Makes the query one about a file. False: it cannot be read. The caller handles running out of
// memory in the analysis.
bool query_open(Query *query, Str uri);
// Makes the query one about the fully checked program of the document, and checks it first if
// necessary. NULL: it cannot be read.
const Crate *query_check(Query *query);
// The offsets of the `range` that a request is about. False: there is none.
bool query_offsets(const Query *query, int64_t *start, int64_t *end);

// The places where a client may or may not show Markdown (json.c).
typedef enum { MARKUP_HOVER, MARKUP_COMPLETION, MARKUP_SIGNATURE, MARKUP_COUNT } MarkupPlace;

json_t *json_of_markup(const Query *query, MarkupPlace place, Str markdown);

// The value at a path of keys, such as "textDocument/uri"; NULL: none.
json_t *json_at(const json_t *value, const char *path);
Str str_at(const json_t *value, const char *path); // the text there; empty: there is none
// Puts an edit into a `WorkspaceEdit`; takes the range.
void json_add_edit(json_t *edit, const char *uri, json_t *range, Str text);
// Reads a `range` of the protocol. False: it is not a range.
bool json_range(const json_t *range, TextPosition *start, TextPosition *end);
// Removes the first element that is equal.
void json_remove(json_t *list, const json_t *value);
// Appends what is not among the first so many of a list; takes it in any case.
void json_add_new(json_t *list, size_t first, json_t *value);

// Bytes that are not UTF-8, as in file names, are replaced by U+FFFD.
json_t *json_of_str(Str text);

static inline Str str_of_json(const json_t *value)
{
    return json_is_string(value)
               ? (Str){json_string_value(value), (int64_t)json_string_length(value)}
               : (Str){"", 0};
}

// ---- bugs in Contra (failures.c)

// The server writes what it is working on to a note that it shares with a
// supervisor (supervisor.c). When the server crashes, the note says what failed. The next server
// does not retry it until somebody edits a file that it depends on, and shows a diagnostic
// meanwhile.

// What is done to a program.
typedef enum { STEP_NONE, STEP_FIND, STEP_READ, STEP_CHECK } ProgramStep;

enum { NOTE_METHOD_ROOM = 128, NOTE_PATH_ROOM = 4096, NOTE_FILES_ROOM = 256 << 10 };

// Plain bytes, because it is in shared memory.
typedef struct {
    ProgramStep step;              // never STEP_FIND: programs are read during a search
    char program[NOTE_PATH_ROOM];  // the root of the program in that step
    char function[NOTE_PATH_ROOM]; // that is being checked; empty: not known
    char file[NOTE_PATH_ROOM];     // with the function
    int64_t offset;                // of the function in the file
    int64_t files_bytes;
    bool is_full;                // there are more files than fit
    char files[NOTE_FILES_ROOM]; // that the program depends on; each ends in a 0
} NotedStep;

struct ServerNote {
    int process; // the writer; jobs of the server share the memory but do not write
    char method[NOTE_METHOD_ROOM]; // of the request that is being answered; empty: none
    char document[NOTE_PATH_ROOM]; // that the request is about; empty: none
    char sought[NOTE_PATH_ROOM];   // the file whose program is searched for; empty: none
    NotedStep now, past;           // past: the last step that ended
};

// Write down what the server does next. Without a note, these do nothing.

void note_request(Server *server, const char *method, Str document);
void note_step(Server *server, ProgramStep step, Str program);
void note_search(Server *server, Str document); // empty: it is over
void note_function(Server *server, Str name, Str file, int64_t offset);
void note_file(Server *server, Str path);

// The supervisor reads garbled messages late, on a busy machine after the step that wrote them. If
// the note names nothing any more, this makes it name the last program. Nobody knows which of its
// steps it was, so that not even reading it is tried again.
void note_recall(ServerNote *note);

// Adds the failure of the server that wrote the note, with the reason ("it crashed"). False: the
// note does not name anything to avoid, or it was avoided already.
bool failure_add(Server *server, const ServerNote *note, const char *why);
// The note as a sentence for people.
Str failure_text(Arena *arena, const ServerNote *note, const char *why);

// NULL: none is known.
const Failure *failure_of_step(const Server *server, ProgramStep step, Str program);
const Failure *failure_of_request(const Server *server, const char *method, Str document);
// Whether a failure of the program depends on a file.
bool failure_rests(const Server *server, Str program, Str path);
// A file changed: forgets the failures that depend on it, so that they are tried again.
void failures_forget(Server *server, Str path);
void failures_free(Server *server);

// The file that shows the failure.
Str failure_place(const Server *server, const Failure *failure);
// Appends the diagnostic that is shown in a file, if there is one.
void failures_show(Server *server, Str path, json_t *list);

#endif

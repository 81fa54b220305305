// The language server: messages of the protocol in, messages out. It reads and writes nothing
// itself, and knows no time: what there is to do is done by server_work, one piece a call, so that
// whoever calls it can look for newer messages in between.
#ifndef CONTRA_LSP_SERVER_SERVER_H
#define CONTRA_LSP_SERVER_SERVER_H

#include "base/str.h"
#include "contra.h"

#include <jansson.h>
#include <stddef.h>

typedef struct Server Server;
struct ServerNote; // internal.h

// `text` is the message as it goes out.
typedef void ServerSend(void *own, const json_t *message, Str text);

// Work that takes long.
typedef struct {
    int64_t number;
    char *(*work)(void *own); // gives back a text, to be freed
    void *own;                // lives until the job is started
    double seconds;           // that it may take
} ServerJob;

// What the tool around the server does for it; each may be NULL: it does not.
typedef struct {
    // The page that shows a schedule, to be freed.
    char *(*page)(ContraText schedule, size_t *length);
    // Keeps a page in a file for a browser. False: it cannot.
    bool (*keep)(const char *page, size_t length, char *path, size_t room);
    // Has `work` done in a process of its own. What it gives back goes to server_finish, with the
    // number of the job. False: that cannot be.
    bool (*start)(void *own, const ServerJob *job);
    // Ends a job that nobody waits for any more.
    void (*stop)(void *own, int64_t number);
    void *own; // of the two
    // A clock that never goes back.
    double (*seconds)(void);
} ServerTools;

// NULL: no memory.
Server *server_new(ServerSend *send, void *own);

// A server with a list of unanswered requests is a mirror. It takes messages like a server but does
// no work: it keeps the documents, the folders and the capabilities of the client. A process that
// forks from it becomes the server in place of one that crashed. The mirror adds the ids of
// requests to the list; its owner removes those that are answered.

// From now on it works, and writes what it is doing to `note`.
void server_wake(Server *server, ServerSend *send, struct ServerNote *note);
// Tells a mirror that its server ended with this note, for this reason. Refuses all unanswered
// requests, and does not retry what failed. False: the note names nothing to avoid.
bool server_failed(Server *server, const struct ServerNote *note, const char *why);

void server_free(Server *server); // NULL is allowed

// Takes one message. Edits are made at once; requests are answered by server_work.
void server_receive(Server *server, Str message);

// Does one piece of what is left to do. False: nothing is.
bool server_work(Server *server);

// A job ended, with what its work gave back; NULL: it took too long, or ended otherwise.
void server_finish(Server *server, int64_t number, const char *text);

// The text of an open document, as the server has it; empty: it is not open.
Str server_text(Server *server, Str uri);

// The exit status once the client has sent `exit` and every request before it is answered; -1: the
// server goes on.
int server_status(const Server *server);

#endif

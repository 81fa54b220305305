// The process that an editor talks to. It passes messages on to a server in a second process, and
// starts another one when that crashes, hangs or runs out of memory.
#ifndef CONTRA_LSP_SUPERVISOR_H
#define CONTRA_LSP_SUPERVISOR_H

#include "lsp/server.h"

// The exit status of a server that ran out of memory.
enum { WORKER_NO_MEMORY = 4 };

// Runs a server in its own process, on standard input and output; returns its exit status.
typedef int Worker(Server *server, struct ServerNote *note);

// Runs until the client is done; returns the exit status. Answers of a worker carry their id in the
// header (`Answers:`), other messages their method (`Method:`).
int supervise(Worker *worker);

#endif

// The process that an editor talks to. It hands messages on to a server in a process of its own,
// and starts another one when that crashes, hangs or runs out of memory.
#ifndef CONTRA_LSP_SUPERVISOR_H
#define CONTRA_LSP_SUPERVISOR_H

#include "server.h"

// What a server exits with when memory ran out.
enum { WORKER_NO_MEMORY = 4 };

// The life of a server, in its process, on standard input and output; gives back its exit status.
typedef int Worker(Server *server, struct ServerNote *note);

// Until the client is done; gives back the exit status. Answers of a worker name the id that they
// are for in their header (`Answers:`), other messages their method (`Method:`).
int supervise(Worker *worker);

#endif

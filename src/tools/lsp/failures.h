// Our own bugs. A supervisor (supervisor.c) shares a note with the server: what the server is
// working on. When the server crashes, the note says what failed. The next server is told, leaves
// that alone until somebody edits what it rests on, and shows a diagnostic meanwhile.
#ifndef CONTRA_LSP_FAILURES_H
#define CONTRA_LSP_FAILURES_H

#include "base/str.h"

#include <jansson.h>

struct Server;
struct Decl;

// What is done to a program.
typedef enum { STEP_NONE, STEP_FIND, STEP_READ, STEP_CHECK } ProgramStep;

enum { NOTE_METHOD_ROOM = 128, NOTE_PATH_ROOM = 4096, NOTE_FILES_ROOM = 256 << 10 };

// Plain bytes, as it lies in shared memory.
typedef struct ServerNote {
    int process;                   // that may write: jobs of the server share the memory as well
    char method[NOTE_METHOD_ROOM]; // of the request that is being answered; empty: none
    char document[NOTE_PATH_ROOM]; // the request is about it; empty: about none
    char sought[NOTE_PATH_ROOM];   // whose program is looked for; empty: none
    ProgramStep step;              // never STEP_FIND: programs are read during a search
    char program[NOTE_PATH_ROOM];  // the root that the step is about
    char function[NOTE_PATH_ROOM]; // that is being checked; empty: not known
    char file[NOTE_PATH_ROOM];     // which has the function
    int64_t offset;                // of the function in it
    int64_t files_bytes;
    bool is_full;                // there are more files than fit
    char files[NOTE_FILES_ROOM]; // that the program rests on; each ends in a 0
} ServerNote;

typedef struct Failure Failure;

// ---- notes: what the server does next; nothing happens if nobody reads them

void note_request(struct Server *server, const char *method, Str document);
void note_step(struct Server *server, ProgramStep step, Str program);
void note_search(struct Server *server, Str document); // empty: it is over
void note_function(struct Server *server, Str name, Str file, int64_t offset);
void note_file(struct Server *server, Str path);

// ---- failures

// The server that wrote the note ended, for this reason ("it crashed"). False: the note does not
// say what to leave alone, or it was left alone already.
bool failure_add(struct Server *server, const ServerNote *note, const char *why);
// What such a note says, for people.
Str failure_text(Arena *arena, const ServerNote *note, const char *why);

// NULL: none is known.
const Failure *failure_of_step(const struct Server *server, ProgramStep step, Str program);
const Failure *failure_of_request(const struct Server *server, const char *method, Str document);
// Whether a failure of the program rests on a file.
bool failure_rests(const struct Server *server, Str program, Str path);
// A file changed: what failed is tried again.
void failures_forget(struct Server *server, Str path);
void failures_free(struct Server *server);

// The file that shows the failure.
Str failure_place(const struct Server *server, const Failure *failure);
// Appends the diagnostic that is shown in a file, if there is one.
void failures_show(struct Server *server, Str path, json_t *list);

#endif

// Bugs in Contra. The server writes what it is working on to a note that it shares with a
// supervisor (stdio.c). When the server crashes, the note says what failed. The next server
// does not retry it until somebody edits a file that it depends on, and shows a diagnostic
// meanwhile.
#ifndef CONTRA_LSP_FAILURES_H
#define CONTRA_LSP_FAILURES_H

#include "base/str.h"

#include <jansson.h>

struct Server;
struct Decl;

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

typedef struct ServerNote {
    int process; // the writer; jobs of the server share the memory but do not write
    char method[NOTE_METHOD_ROOM]; // of the request that is being answered; empty: none
    char document[NOTE_PATH_ROOM]; // that the request is about; empty: none
    char sought[NOTE_PATH_ROOM];   // the file whose program is searched for; empty: none
    NotedStep now, past;           // past: the last step that ended
} ServerNote;

typedef struct Failure Failure;

// ---- notes: what the server does next; without a note, these do nothing

void note_request(struct Server *server, const char *method, Str document);
void note_step(struct Server *server, ProgramStep step, Str program);
void note_search(struct Server *server, Str document); // empty: it is over
void note_function(struct Server *server, Str name, Str file, int64_t offset);
void note_file(struct Server *server, Str path);

// ---- failures

// The supervisor reads garbled messages late, on a busy machine after the step that wrote them. If
// the note names nothing any more, this makes it name the last program. Nobody knows which of its
// steps it was, so that not even reading it is tried again.
void note_recall(ServerNote *note);

// Adds the failure of the server that wrote the note, with the reason ("it crashed"). False: the
// note does not name anything to avoid, or it was avoided already.
bool failure_add(struct Server *server, const ServerNote *note, const char *why);
// The note as a sentence for people.
Str failure_text(Arena *arena, const ServerNote *note, const char *why);

// NULL: none is known.
const Failure *failure_of_step(const struct Server *server, ProgramStep step, Str program);
const Failure *failure_of_request(const struct Server *server, const char *method, Str document);
// Whether a failure of the program depends on a file.
bool failure_rests(const struct Server *server, Str program, Str path);
// A file changed: forgets the failures that depend on it, so that they are tried again.
void failures_forget(struct Server *server, Str path);
void failures_free(struct Server *server);

// The file that shows the failure.
Str failure_place(const struct Server *server, const Failure *failure);
// Appends the diagnostic that is shown in a file, if there is one.
void failures_show(struct Server *server, Str path, json_t *list);

#endif

#include "lsp/server/internal.h"

#include "api/folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Failure {
    struct Failure *next;
    Arena arena;
    Str method, document; // of a request; empty if a step failed
    ProgramStep step;
    Str program, file;
    int64_t offset;
    Str text;
    Paths files;
    bool rests_on_all;
};

// ---- notes

// NULL: nobody reads it, or this process is only a job of the server that writes it.
static ServerNote *own_note(const Server *server)
{
    return server->note && server->note->process == getpid() ? server->note : NULL;
}

// Cuts off what does not fit.
static void put(char *to, size_t room, Str text)
{
    size_t length = (size_t)text.len < room ? (size_t)text.len : room - 1;
    memcpy(to, text.data, length);
    to[length] = 0;
}

static void end_step(ServerNote *note)
{
    if (note->now.step != STEP_NONE)
        note->past = note->now;
    note->now.step = STEP_NONE;
}

void note_request(Server *server, const char *method, Str document)
{
    ServerNote *note = own_note(server);
    if (!note)
        return;
    end_step(note);
    note->sought[0] = 0;
    put(note->method, sizeof note->method, str_from(method));
    put(note->document, sizeof note->document, document);
    note->now.files_bytes = 0;
    note->now.is_full = false;
}

void note_step(Server *server, ProgramStep step, Str program)
{
    ServerNote *note = own_note(server);
    if (!note)
        return;
    end_step(note);
    note->now.step = step;
    put(note->now.program, sizeof note->now.program, program);
    note->now.function[0] = note->now.file[0] = 0;
    if (step == STEP_NONE)
        return;
    note->now.files_bytes = 0;
    note->now.is_full = false;
}

void note_search(Server *server, Str document)
{
    ServerNote *note = own_note(server);
    if (note)
        put(note->sought, sizeof note->sought, document);
}

void note_function(Server *server, Str name, Str file, int64_t offset)
{
    ServerNote *note = own_note(server);
    if (!note)
        return;
    put(note->now.function, sizeof note->now.function, name);
    put(note->now.file, sizeof note->now.file, file);
    note->now.offset = offset;
}

void note_file(Server *server, Str path)
{
    ServerNote *note = own_note(server);
    if (!note)
        return;
    note->now.is_full |= path.len >= NOTE_FILES_ROOM - note->now.files_bytes;
    if (note->now.is_full)
        return;
    put(note->now.files + note->now.files_bytes, (size_t)path.len + 1, path);
    note->now.files_bytes += path.len + 1;
}

void note_recall(ServerNote *note)
{
    if (note->now.step != STEP_NONE || note->sought[0] || note->method[0])
        return;
    note->now = note->past;
    note->now.step = STEP_READ;
}

// ---- what failed

static ProgramStep failed_step(const ServerNote *note)
{
    return note->now.step == STEP_NONE && note->sought[0] ? STEP_FIND : note->now.step;
}

Str failure_text(Arena *arena, const ServerNote *note, const char *why)
{
    static const char *const steps[] = {[STEP_FIND] = "looking for the program of this file",
                                        [STEP_READ] = "reading this program",
                                        [STEP_CHECK] = "checking this program"};
    ProgramStep step = failed_step(note);
    StrBuf text = {.arena = arena};
    buf_add(&text, STR("internal error while "));
    if (step == STEP_CHECK && note->now.function[0])
        buf_format(&text, "checking `{}`", note->now.function);
    else if (step != STEP_NONE)
        buf_add(&text, str_from(steps[step]));
    else if (note->method[0])
        buf_format(&text, "answering {}", note->method);
    else
        buf_add(&text, STR("working"));
    buf_format(&text, ": {}", why);
    return buf_str(&text);
}

const Failure *failure_of_step(const Server *server, ProgramStep step, Str program)
{
    const Failure *failure = server->failures;
    while (failure && !(failure->step == step && str_equal(failure->program, program)))
        failure = failure->next;
    return failure;
}

const Failure *failure_of_request(const Server *server, const char *method, Str document)
{
    const Failure *failure = server->failures;
    while (failure && !(failure->step == STEP_NONE && str_equal(failure->document, document) &&
                        str_equal(failure->method, str_from(method))))
        failure = failure->next;
    return failure;
}

static void take_files(Failure *failure, const ServerNote *note)
{
    for (int64_t at = 0; at < note->now.files_bytes;
         at += (int64_t)strlen(note->now.files + at) + 1)
        *array_push(&failure->arena, &failure->files, Str) =
            str_copy(&failure->arena, str_from(note->now.files + at));
}

bool failure_add(Server *server, const ServerNote *note, const char *why)
{
    ProgramStep step = failed_step(note);
    const char *program = step == STEP_FIND ? note->sought : step ? note->now.program : "";
    Str document = str_from(step ? "" : note->document);
    bool is_known = step ? failure_of_step(server, step, str_from(program)) != NULL
                         : failure_of_request(server, note->method, document) != NULL;
    if (is_known || (!*program && !document.len))
        return false;
    Failure *failure = calloc(1, sizeof *failure);
    if (!failure)
        return false;
    Arena *arena = &failure->arena;
    arena->on_oom = &server->on_oom;
    failure->step = step;
    failure->method = str_copy(arena, str_from(step ? "" : note->method));
    failure->document = str_copy(arena, document);
    failure->program = str_copy(arena, str_from(program));
    failure->file = str_copy(arena, str_from(step == STEP_CHECK ? note->now.file : ""));
    failure->offset = note->now.offset;
    failure->text = failure_text(arena, note, why);
    failure->rests_on_all = note->now.is_full;
    take_files(failure, note);
    failure->next = server->failures;
    server->failures = failure;
    return true;
}

static void failure_free(Failure *failure)
{
    arena_release(&failure->arena);
    free(failure);
}

static bool rests_on(const Failure *failure, Str path)
{
    bool rests = failure->rests_on_all || str_equal(failure->document, path) ||
                 str_equal(failure->program, path);
    for (int64_t i = 0; i < failure->files.count && !rests; i++)
        rests = path_is_at(failure->files.items[i], path);
    return rests;
}

bool failure_rests(const Server *server, Str program, Str path)
{
    for (const Failure *failure = server->failures; failure; failure = failure->next)
        if (failure->step != STEP_NONE && str_equal(failure->program, program) &&
            rests_on(failure, path))
            return true;
    return false;
}

void failures_forget(Server *server, Str path)
{
    for (Failure **at = &server->failures; *at;) {
        Failure *failure = *at;
        if (!rests_on(failure, path)) {
            at = &failure->next;
            continue;
        }
        *at = failure->next;
        failure_free(failure);
    }
}

void failures_free(Server *server)
{
    while (server->failures) {
        Failure *next = server->failures->next;
        failure_free(server->failures);
        server->failures = next;
    }
}

// ---- what is shown of it

// An open file if possible: the file with the function, else the root, else any other.
Str failure_place(const Server *server, const Failure *failure)
{
    if (failure->step == STEP_NONE)
        return failure->document;
    if (failure->file.len && server_document_at(server, failure->file))
        return failure->file;
    if (server_document_at(server, failure->program))
        return failure->program;
    for (int64_t i = 0; i < failure->files.count; i++)
        if (server_document_at(server, failure->files.items[i]))
            return failure->files.items[i];
    return failure->program;
}

// The line of the function, or else the first one.
static json_t *failure_range(const Server *server, const Failure *failure, Str path)
{
    const Document *document = server_document_at(server, path);
    TextPosition start = {0}, end = {0};
    if (document && str_equal(path, failure->file)) {
        start = offset_position(&document->text, server->encoding, failure->offset);
        end = (TextPosition){start.line, INT32_MAX};
        int64_t last = position_offset(&document->text, server->encoding, end);
        end = offset_position(&document->text, server->encoding, last);
    }
    return json_pack("{s:o, s:o}", "start", json_of_position(start), "end", json_of_position(end));
}

// The failure to show in a file. A program that cannot be read or checked comes before a request.
static const Failure *shown_failure(const Server *server, Str path)
{
    const Failure *shown = NULL;
    for (const Failure *failure = server->failures; failure; failure = failure->next)
        if (str_equal(failure_place(server, failure), path) &&
            (!shown || failure->step != STEP_NONE))
            shown = failure;
    return shown;
}

void failures_show(Server *server, Str path, json_t *list)
{
    const Failure *failure = shown_failure(server, path);
    if (!failure)
        return;
    Str text = str_format(&server->arena,
                          "{}\nThis is a bug in Contra, not in your program. Everything else keeps "
                          "working, and Contra tries again when you edit the program.\nhelp: "
                          "please report it, with the program and the log of the server",
                          failure->text);
    json_array_append_new(list, json_pack("{s:o, s:i, s:s, s:o}", "range",
                                          failure_range(server, failure, path), "severity", 1,
                                          "source", "contra", "message", json_of_str(text)));
}

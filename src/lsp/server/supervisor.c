// contra lsp: the language server on standard input and output. The process that an editor talks
// to passes messages on to a server in a second process, and starts another one when that crashes,
// hangs or runs out of memory.
#include "lsp/server/frames.h"
#include "lsp/server/internal.h"
#include "lsp/server/server.h"

#include "tools/cli.h"
#include "tools/page.h"
#include "tools/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// ---- messages as bytes

// More than any editor sends at once; anything longer is not a message.
enum { MOST_MESSAGE = 256 << 20, READ_BYTES = 64 << 10 };

static bool make_room(Frames *frames, size_t bytes)
{
    if (frames->start) {
        memmove(frames->bytes, frames->bytes + frames->start, frames->end - frames->start);
        frames->end -= frames->start;
        frames->start = 0;
    }
    if (frames->capacity - frames->end >= bytes)
        return true;
    size_t capacity = frames->capacity * 2 + bytes;
    char *more = realloc(frames->bytes, capacity);
    frames->is_bad |= !more;
    if (!more)
        return false;
    frames->bytes = more;
    frames->capacity = capacity;
    return true;
}

void frames_read(Frames *frames, int file)
{
    if (!make_room(frames, READ_BYTES))
        return;
    ssize_t count = read(file, frames->bytes + frames->end, READ_BYTES);
    if (count > 0)
        frames->end += (size_t)count;
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        frames->is_over = true;
}

// Where the empty line after the header ends; 0: it is not there yet.
static size_t header_length(const Frames *frames)
{
    for (size_t i = frames->start; i + 4 <= frames->end; i++)
        if (memcmp(frames->bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4 - frames->start;
    return 0;
}

// Ignores case; the last field of that name counts.
static Str frame_field(const Frame *frame, const char *name)
{
    const char *line = frame->header.data, *end = line + frame->header.len - 2;
    size_t length = strlen(name);
    Str value = STR("");
    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (strncasecmp(line, name, length) == 0)
            value = str_trim((Str){line + length, stop - line - (int64_t)length});
        line = stop + 1;
    }
    return value;
}

bool frames_next(Frames *frames, Frame *frame)
{
    size_t header = header_length(frames), have = frames->end - frames->start;
    int64_t length;
    if (!header) {
        frames->is_bad |= have > READ_BYTES; // no header is that long
        return false;
    }
    *frame = (Frame){.header = {frames->bytes + frames->start, (int64_t)header}};
    if (!str_to_i64(frame_field(frame, "content-length:"), &length) || length < 0 ||
        length > MOST_MESSAGE)
        frames->is_bad = true;
    if (frames->is_bad || have < header + (size_t)length)
        return false;
    frame->body = (Str){frames->bytes + frames->start + header, length};
    frames->start += header + (size_t)length;
    return true;
}

// Queues bytes to be written; frames_write writes as many as the file takes.
static void frames_add(Frames *frames, Str bytes)
{
    if (!make_room(frames, (size_t)bytes.len))
        return;
    memcpy(frames->bytes + frames->end, bytes.data, (size_t)bytes.len);
    frames->end += (size_t)bytes.len;
}

static bool frames_write(Frames *frames, int file)
{
    ssize_t count = write(file, frames->bytes + frames->start, frames->end - frames->start);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN;
    frames->start += (size_t)count;
    return true;
}

// ---- jobs of the server, each in a process

enum { MOST_CHILDREN = 8 };

typedef struct {
    int64_t job;
    int process, from; // where its text comes from
    double end;        // when it is ended
    char *text;
    size_t length;
} Child;

// {0} has none.
typedef struct {
    Child items[MOST_CHILDREN];
    int count;
} Children;

static void write_all(int to, const char *text)
{
    size_t left = text ? strlen(text) : 0;
    while (left) {
        ssize_t written = write(to, text, left);
        if (written < 0 && errno != EINTR)
            return;
        text += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
}

// Called first in a child, so that it ends when its parent does: if the server was killed, nobody
// waits for its work.
static void children_end_with(int parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(1);
}

// Messages are the parent's alone.
_Noreturn static void be_child(const ServerJob *job, int to, pid_t parent)
{
    children_end_with(parent);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    write_all(to, job->work(job->own));
    _exit(0);
}

// For ServerTools, with the children as their own.
static bool children_start(void *own, const ServerJob *job)
{
    Children *children = own;
    int ends[2];
    if (children->count == MOST_CHILDREN || pipe(ends))
        return false;
    pid_t parent = getpid(), process = fork();
    if (process == 0) {
        close(ends[0]);
        be_child(job, ends[1], parent);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    children->items[children->count++] = (Child){.job = job->number,
                                                 .process = process,
                                                 .from = ends[0],
                                                 .end = watch_seconds() + job->seconds};
    return true;
}

// It has nothing left to do.
static void end_child(Children *children, int which)
{
    Child *child = &children->items[which];
    kill(child->process, SIGKILL);
    waitpid(child->process, NULL, 0);
    close(child->from);
    free(child->text);
    *child = children->items[--children->count];
}

static void children_stop(void *own, int64_t job)
{
    Children *children = own;
    for (int i = 0; i < children->count; i++)
        if (children->items[i].job == job) {
            end_child(children, i);
            return;
        }
}

// False: nothing more comes.
static bool read_some(Child *child)
{
    char *more = realloc(child->text, child->length + READ_BYTES + 1);
    if (!more)
        return false;
    child->text = more;
    ssize_t part = read(child->from, more + child->length, READ_BYTES);
    child->length += part > 0 ? (size_t)part : 0;
    more[child->length] = 0;
    return part > 0 || (part < 0 && errno == EINTR);
}

// Cut off at a deadline, a text is none.
static void finish(Children *children, int which, Server *server, bool is_whole)
{
    Child *child = &children->items[which];
    int64_t job = child->job;
    char *text = child->text;
    bool is_well = is_whole && child->length;
    child->text = NULL;
    end_child(children, which);
    server_finish(server, job, is_well ? text : NULL);
    free(text);
}

static int time_left(const Children *children, int milliseconds)
{
    for (int i = 0; i < children->count; i++) {
        double left = (children->items[i].end - watch_seconds()) * 1000;
        int rounded = left > 0 ? (int)left + 1 : 0;
        if (milliseconds < 0 || rounded < milliseconds)
            milliseconds = rounded;
    }
    return milliseconds;
}

// Waits until something can be read from `input` (negative: nobody reads it), a child ended, or so
// many milliseconds went by (negative: for ever); hands on what children said. Whether `input` is
// ready.
static bool children_wait(Children *children, Server *server, int input, int milliseconds)
{
    struct pollfd ready[MOST_CHILDREN + 1] = {{.fd = input, .events = POLLIN}};
    for (int i = 0; i < children->count; i++)
        ready[i + 1] = (struct pollfd){.fd = children->items[i].from, .events = POLLIN};
    int count = poll(ready, (nfds_t)children->count + 1, time_left(children, milliseconds));
    for (int i = children->count - 1; i >= 0; i--) { // the last takes the place of one that ends
        if (count > 0 && ready[i + 1].revents && !read_some(&children->items[i]))
            finish(children, i, server, true);
        else if (children->items[i].end <= watch_seconds())
            finish(children, i, server, false);
    }
    return count > 0 && ready[0].revents;
}

// The exit status of a server that ran out of memory.
enum { WORKER_NO_MEMORY = 4 };

// Runs a server in its own process, on standard input and output; returns its exit status.
typedef int Worker(Server *server, struct ServerNote *note);

// ---- pages

// Pages of schedules for a browser: files in a folder for temporary ones, for as long as the server
// runs.

enum { OPTION_STDIO = OPTION_FIRST_OWN };

static const CliOption rows[] = {
    {OPTION_STDIO, "--stdio", "is accepted, as some editors give it; there is no other way"}, {0}};

static bool take_option(void *own, int option, const char *value)
{
    (void)own, (void)value;
    return option == OPTION_STDIO;
}

// ---- the worker

// The supervisor reads the first fields.
static void send_message(void *own, const json_t *message, Str text)
{
    const json_t *method = json_object_get(message, "method");
    char *id =
        method ? NULL : json_dumps(json_object_get(message, "id"), JSON_ENCODE_ANY | JSON_COMPACT);
    (void)own;
    printf("%s: %s\r\nContent-Length: %lld\r\n\r\n", method ? "Method" : "Answers",
           method ? json_string_value(method)
           : id   ? id
                  : "null",
           (long long)text.len);
    fwrite(text.data, 1, (size_t)text.len, stdout);
    fflush(stdout);
    free(id);
}

// Starts the clock for a piece of work: a message, a request or the check of a function. If it runs
// too long, the process is killed.
static void begin_piece(void)
{
    enum { MOST_SECONDS = 20 }; // of CPU time, so a busy machine does not matter
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = MOST_SECONDS}, NULL);
}

// Messages first, so that nothing is done that a later one makes stale.
static void serve(Server *server, Frames *input, Children *children)
{
    bool has_work = true;
    Frame frame;
    while (server_status(server) < 0 && !input->is_bad) {
        begin_piece();
        if (frames_next(input, &frame)) {
            server_receive(server, frame.body);
            has_work = true;
            continue;
        }
        if (input->is_over && !has_work && !server->first)
            break;
        int from = input->is_over ? -1 : STDIN_FILENO;
        if (children_wait(children, server, from, has_work ? 0 : -1))
            frames_read(input, STDIN_FILENO);
        else
            has_work = server_work(server);
    }
}

enum { PATH_ROOM = 4096 };

// A folder has the number of the server's process in its name, a page letters by chance.
static const char folder_start[] = "contra-lsp-", page_start[] = "schedule-", page_end[] = ".html";

static pid_t owner; // jobs have other numbers

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

// False: there is no room.
static bool folder_path(pid_t process, char *path, size_t room)
{
    int written = snprintf(path, room, "%s/%s%ld", temporary_folder(), folder_start, (long)process);
    return written > 0 && (size_t)written < room;
}

// Nobody else can have put a file there.
static bool is_own_folder(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           !(about.st_mode & (S_IWGRP | S_IWOTH));
}

static bool is_page(const char *name)
{
    size_t length = strlen(name), end = sizeof page_end - 1;
    return strncmp(name, page_start, sizeof page_start - 1) == 0 && length > end &&
           strcmp(name + length - end, page_end) == 0;
}

static void remove_folder(pid_t process)
{
    char folder[PATH_ROOM], path[2 * PATH_ROOM];
    if (!folder_path(process, folder, sizeof folder) || !is_own_folder(folder))
        return;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (is_page(entry->d_name)) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

// Pages that servers left which were ended before they could remove them go away.
static void pages_open(void)
{
    owner = getpid();
    remove_folder(owner); // of one that had the same number
    DIR *dir = opendir(temporary_folder());
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, folder_start, sizeof folder_start - 1) != 0)
            continue;
        char *end;
        long process = strtol(entry->d_name + sizeof folder_start - 1, &end, 10);
        if (process > 0 && !*end && kill((pid_t)process, 0) < 0 && errno == ESRCH)
            remove_folder((pid_t)process);
    }
    if (dir)
        closedir(dir);
}

// Keeps a page, also from a process of a job. False: it cannot.
static bool pages_keep(const char *page, size_t length, char *path, size_t room)
{
    if (!folder_path(owner, path, room) || (mkdir(path, S_IRWXU) < 0 && errno != EEXIST) ||
        !is_own_folder(path))
        return false;
    size_t used = strlen(path);
    int written = snprintf(path + used, room - used, "/%sXXXXXX%s", page_start, page_end);
    int file = written > 0 && (size_t)written < room - used
                   ? mkstemps(path, (int)sizeof page_end - 1)
                   : -1;
    if (file < 0)
        return false;
    close(file);
    return page_write_file("lsp", path, page, length);
}

static int serve_client(Server *server, ServerNote *note)
{
    static Children children;
    const ServerTools tools = {.page = page_of_schedule,
                               .keep = pages_keep,
                               .start = children_start,
                               .stop = children_stop,
                               .own = &children,
                               .seconds = watch_seconds};
    enum { SHARE_OF_MEMORY = 2 }; // the other half is for the editor
    Frames input = {0};
    cli_limit_memory(SHARE_OF_MEMORY);
    server->tools = tools;
    server_wake(server, send_message, note);
    serve(server, &input, &children);
    int status = server->is_lost ? WORKER_NO_MEMORY : EXIT_DONE;
    server_free(server);
    free(input.bytes);
    return status;
}

// ---- the supervisor

// The supervisor has a mirror of the server (server.h): the documents and everything else that
// messages change. It does not analyze programs, so it survives failures of the analysis. A worker
// is a fork of the mirror, so it starts up to date. When a worker ends without being asked to, its
// note says what it was working on. The supervisor then refuses the requests that were not answered
// and forks a new worker, which does not retry what failed.

typedef struct {
    Server *mirror;
    ServerNote *note; // shared with the worker
    Worker *work;
    pid_t worker;       // 0: there is none
    int to, from;       // the worker; -1: closed
    Frames client;      // what the client sends
    Frames queue;       // what the worker has not taken yet
    Frames said;        // what the worker says
    json_t *shown;      // URIs with diagnostics, as keys
    json_t *progress;   // tokens that have begun
    int lost;           // workers that ended since the last message without a cause to avoid
    double over_at;     // when the client closed its end; 0: it is open
    double answered_at; // when the last request was answered after that
} Supervisor;

// ---- to the client

static void send_body(Str body)
{
    printf("Content-Length: %lld\r\n\r\n", (long long)body.len);
    fwrite(body.data, 1, (size_t)body.len, stdout);
    fflush(stdout);
}

static void send_own(void *own, const json_t *message, Str text)
{
    (void)own, (void)message;
    send_body(text);
}

// ---- workers

static _Noreturn void be_worker(Supervisor *supervisor, int from, int to, pid_t parent)
{
    children_end_with(parent);
    signal(SIGPIPE, SIG_DFL);
    dup2(from, STDIN_FILENO);
    dup2(to, STDOUT_FILENO);
    close(from);
    close(to);
    json_decref(supervisor->shown);
    json_decref(supervisor->progress);
    free(supervisor->client.bytes);
    exit(supervisor->work(supervisor->mirror, supervisor->note));
}

static bool start_worker(Supervisor *supervisor)
{
    int in[2], out[2];
    if (pipe(in))
        return false;
    if (pipe(out)) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    pid_t parent = getpid(), worker = fork();
    if (worker == 0) {
        close(in[1]);
        close(out[0]);
        be_worker(supervisor, in[0], out[1], parent);
    }
    close(in[0]);
    close(out[1]);
    if (worker < 0) {
        close(in[1]);
        close(out[0]);
        return false;
    }
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    supervisor->worker = worker;
    supervisor->to = in[1];
    supervisor->from = out[0];
    return true;
}

static void close_input(Supervisor *supervisor)
{
    if (supervisor->to >= 0)
        close(supervisor->to);
    supervisor->to = -1;
}

// Returns its wait status.
static int end_worker(Supervisor *supervisor)
{
    int status = 0;
    close_input(supervisor);
    close(supervisor->from);
    while (waitpid(supervisor->worker, &status, 0) < 0 && errno == EINTR)
        ;
    supervisor->worker = 0;
    supervisor->queue.start = supervisor->queue.end = 0;
    supervisor->said.start = supervisor->said.end = 0;
    supervisor->said.is_over = supervisor->said.is_bad = supervisor->queue.is_bad = false;
    return status;
}

// Whether a message to the worker or from it was lost.
static bool is_garbled(const Supervisor *supervisor)
{
    return supervisor->said.is_bad || supervisor->queue.is_bad;
}

static const char *reason(int status, bool was_garbled)
{
    if (was_garbled)
        return "its messages could not be passed on";
    if (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_NO_MEMORY)
        return "it ran out of memory";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        return "it did not finish";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return "it was killed, perhaps because memory ran out";
    return "it crashed";
}

// Clears what the client shows because of the worker: diagnostics of files that are not open, and
// progress. Open documents are checked again, and get new diagnostics then.
static void take_back(Supervisor *supervisor)
{
    const char *uri;
    json_t *value;
    size_t i;
    json_object_foreach(supervisor->shown, uri, value)
    {
        if (!server_document(supervisor->mirror, str_from(uri)))
            server_notify(supervisor->mirror, "textDocument/publishDiagnostics",
                          json_pack("{s:s, s:[]}", "uri", uri, "diagnostics"));
    }
    json_array_foreach(supervisor->progress, i, value)
        server_notify(supervisor->mirror, "$/progress",
                      json_pack("{s:O, s:{s:s}}", "token", value, "value", "kind", "end"));
    json_object_clear(supervisor->shown);
    json_array_clear(supervisor->progress);
}

// False: another worker would fail too.
static bool replace_worker(Supervisor *supervisor)
{
    enum { MOST_LOST = 3 };
    bool was_garbled = is_garbled(supervisor);
    const char *why = reason(end_worker(supervisor), was_garbled);
    if (was_garbled)
        note_recall(supervisor->note);
    if (!server_failed(supervisor->mirror, supervisor->note, why))
        supervisor->lost++;
    take_back(supervisor);
    if (supervisor->lost <= MOST_LOST && start_worker(supervisor))
        return true;
    fputs("contra lsp: the server keeps failing\n", stderr);
    return false;
}

// ---- messages

static void hand_on(Supervisor *supervisor)
{
    Frame frame;
    while (frames_next(&supervisor->client, &frame)) {
        frames_add(&supervisor->queue, frame.header);
        frames_add(&supervisor->queue, frame.body);
        server_receive(supervisor->mirror, frame.body);
        supervisor->lost = 0;
    }
}

static void note_answer(Supervisor *supervisor, Str text)
{
    json_t *id = json_loadb(text.data, (size_t)text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    json_remove(supervisor->mirror->unanswered, id);
    json_decref(id);
    supervisor->answered_at = watch_seconds();
}

static void note_progress(Supervisor *supervisor, const json_t *params)
{
    json_t *token = json_at(params, "token");
    Str kind = str_at(params, "value/kind");
    if (str_equal(kind, STR("begin")))
        json_array_append(supervisor->progress, token);
    if (str_equal(kind, STR("end")))
        json_remove(supervisor->progress, token);
}

static void note_diagnostics(Supervisor *supervisor, const json_t *params)
{
    const char *uri = json_string_value(json_object_get(params, "uri"));
    if (!uri)
        return;
    if (json_array_size(json_object_get(params, "diagnostics")))
        json_object_set_new(supervisor->shown, uri, json_true());
    else
        json_object_del(supervisor->shown, uri);
}

static void note_notice(Supervisor *supervisor, Str method, Str body)
{
    bool is_progress = str_equal(method, STR("$/progress"));
    if (!is_progress && !str_equal(method, STR("textDocument/publishDiagnostics")))
        return;
    json_t *message = json_loadb(body.data, (size_t)body.len, JSON_ALLOW_NUL, NULL);
    const json_t *params = json_object_get(message, "params");
    (is_progress ? note_progress : note_diagnostics)(supervisor, params);
    json_decref(message);
}

static void hand_back(Supervisor *supervisor)
{
    Frame frame;
    while (frames_next(&supervisor->said, &frame)) {
        Str answers = frame_field(&frame, "Answers:");
        if (answers.len)
            note_answer(supervisor, answers);
        else
            note_notice(supervisor, frame_field(&frame, "Method:"), frame.body);
        send_body(frame.body);
    }
}

// ---- the end

// Once the client is gone, nobody waits for the rest of the work. But a client that sends all
// requests at once and closes its end may still read the answers for a while.
static bool is_late(const Supervisor *supervisor)
{
    static const double asked_seconds = 10, silent_seconds = 1;
    double now = watch_seconds();
    double silent_since = supervisor->answered_at > supervisor->over_at ? supervisor->answered_at
                                                                        : supervisor->over_at;
    if (supervisor->over_at == 0)
        return false;
    bool is_asked = json_array_size(supervisor->mirror->unanswered) > 0;
    return now - supervisor->over_at > asked_seconds ||
           (!is_asked && now - silent_since > silent_seconds);
}

static bool is_done(const Supervisor *supervisor)
{
    return supervisor->client.is_over || server_status(supervisor->mirror) >= 0;
}

// Waits until either side has something. False: the client no longer reads.
static bool wait_for_any(Supervisor *supervisor)
{
    enum { CLIENT, WORKER, QUEUE, OUTPUT, FILES, TICK_MS = 100 };
    bool waits = supervisor->queue.end > supervisor->queue.start && supervisor->to >= 0;
    struct pollfd files[FILES] = {
        [CLIENT] = {.fd = supervisor->client.is_over ? -1 : STDIN_FILENO, .events = POLLIN},
        [WORKER] = {.fd = supervisor->from, .events = POLLIN},
        [QUEUE] = {.fd = waits ? supervisor->to : -1, .events = POLLOUT},
        [OUTPUT] = {.fd = STDOUT_FILENO},
    };
    if (poll(files, FILES, supervisor->over_at > 0 ? TICK_MS : -1) < 0)
        return errno == EINTR;
    if (files[CLIENT].revents)
        frames_read(&supervisor->client, STDIN_FILENO);
    if (files[WORKER].revents)
        frames_read(&supervisor->said, supervisor->from);
    if (files[QUEUE].revents && !frames_write(&supervisor->queue, supervisor->to))
        close_input(supervisor); // it has ended; its output will end soon
    return !(files[OUTPUT].revents & (POLLERR | POLLHUP)) && !ferror(stdout);
}

// Until the client or the last worker is done.
static ExitStatus go_on(Supervisor *supervisor)
{
    bool is_well = true;
    while (is_well && !supervisor->client.is_bad && !is_late(supervisor)) {
        if (!wait_for_any(supervisor))
            return EXIT_REFUSED;
        hand_on(supervisor);
        hand_back(supervisor);
        if (is_garbled(supervisor)) {
            kill(supervisor->worker, SIGKILL);
            supervisor->said.is_over = true; // the rest is of no use
        }
        if (is_done(supervisor) && supervisor->over_at == 0)
            supervisor->over_at = watch_seconds();
        if (supervisor->client.is_over && supervisor->queue.start == supervisor->queue.end)
            close_input(supervisor);
        if (supervisor->said.is_over && is_done(supervisor)) {
            if (json_array_size(supervisor->mirror->unanswered)) // a worker that ends well has
                server_failed(supervisor->mirror, supervisor->note, "it crashed"); // answered all
            return server_status(supervisor->mirror) > 0 ? EXIT_REFUSED : EXIT_DONE;
        }
        if (supervisor->said.is_over)
            is_well = replace_worker(supervisor);
    }
    if (supervisor->client.is_bad)
        fputs("contra lsp: standard input is not a message of the protocol\n", stderr);
    return is_well ? EXIT_REFUSED : EXIT_BUG;
}

// Runs until the client is done; returns the exit status. Answers of a worker carry their id in the
// header (`Answers:`), other messages their method (`Method:`).
static int supervise(Worker *work)
{
    Supervisor supervisor = {.work = work, .shown = json_object(), .progress = json_array()};
    int status = EXIT_REFUSED;
    supervisor.note = mmap(NULL, sizeof *supervisor.note, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    supervisor.mirror = server_new(send_own, NULL);
    signal(SIGPIPE, SIG_IGN); // the end of a worker is noticed in other ways
    if (supervisor.mirror && supervisor.note != MAP_FAILED) {
        supervisor.mirror->unanswered = json_array();
        if (start_worker(&supervisor))
            status = go_on(&supervisor);
        if (supervisor.worker) {
            kill(supervisor.worker, SIGKILL);
            end_worker(&supervisor);
        }
    }
    server_free(supervisor.mirror);
    json_decref(supervisor.shown);
    json_decref(supervisor.progress);
    free(supervisor.client.bytes);
    free(supervisor.queue.bytes);
    free(supervisor.said.bytes);
    return status;
}

static ExitStatus run(int argc, char **argv)
{
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&lsp_command, NULL, argc, argv, &common, &status))
        return status;
    if (optind < argc)
        return cli_usage("lsp", "it takes no files: the editor names them");
    pages_open();
    status = (ExitStatus)supervise(serve_client);
    remove_folder(owner);
    return status;
}

const Command lsp_command = {
    .name = "lsp",
    .summary = "speaks to an editor: the language server",
    .title =
        "Speaks to an editor: the language server protocol (3.17) on standard input and output.",
    .usage = "contra lsp [--stdio]",
    .about = "Editors start it themselves; docs/editors.md says how to set them up.",
    .options = rows,
    .take = take_option,
    .run = run};

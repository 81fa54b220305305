// The supervisor has a mirror of the server (server.h): the documents and everything else that
// messages change. It does not analyze programs, so it survives failures of the analysis. A worker
// is a fork of the mirror, so it starts up to date. When a worker ends without being asked to, its
// note says what it was working on. The supervisor then refuses the requests that were not answered
// and forks a new worker, which does not retry what failed.
#include "lsp/supervisor.h"

#include "lsp/children.h"
#include "lsp/failures.h"
#include "lsp/frames.h"
#include "lsp/internal.h"

#include "tools/cli.h"
#include "tools/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

_Noreturn static void be_worker(Supervisor *supervisor, int from, int to, pid_t parent)
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
    json_t *unanswered = server_unanswered(supervisor->mirror), *each;
    json_t *id = json_loadb(text.data, (size_t)text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    size_t i;
    json_array_foreach(unanswered, i, each)
    {
        if (!json_equal(id, each))
            continue;
        json_array_remove(unanswered, i);
        break;
    }
    json_decref(id);
    supervisor->answered_at = watch_seconds();
}

static void note_progress(Supervisor *supervisor, const json_t *params)
{
    json_t *token = json_object_get(params, "token"), *each;
    const json_t *kind = json_object_get(json_object_get(params, "value"), "kind");
    size_t i;
    if (str_equal(str_of_json(kind), STR("begin")))
        json_array_append(supervisor->progress, token);
    if (!str_equal(str_of_json(kind), STR("end")))
        return;
    json_array_foreach(supervisor->progress, i, each)
    {
        if (json_equal(each, token)) {
            json_array_remove(supervisor->progress, i);
            return;
        }
    }
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
    bool is_asked = json_array_size(server_unanswered(supervisor->mirror)) > 0;
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

// Refuses requests that are still open; a worker that ends normally has answered all of them.
static void refuse_rest(Supervisor *supervisor)
{
    if (json_array_size(server_unanswered(supervisor->mirror)))
        server_failed(supervisor->mirror, supervisor->note, "it crashed");
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
            refuse_rest(supervisor);
            return server_status(supervisor->mirror) > 0 ? EXIT_REFUSED : EXIT_DONE;
        }
        if (supervisor->said.is_over)
            is_well = replace_worker(supervisor);
    }
    if (supervisor->client.is_bad)
        fputs("contra lsp: standard input is not a message of the protocol\n", stderr);
    return is_well ? EXIT_REFUSED : EXIT_BUG;
}

int supervise(Worker *work)
{
    Supervisor supervisor = {.work = work, .shown = json_object(), .progress = json_array()};
    int status = EXIT_REFUSED;
    supervisor.note = mmap(NULL, sizeof *supervisor.note, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    supervisor.mirror = server_new(send_own, NULL);
    signal(SIGPIPE, SIG_IGN); // the end of a worker is noticed in other ways
    if (supervisor.mirror && supervisor.note != MAP_FAILED) {
        server_be_mirror(supervisor.mirror);
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

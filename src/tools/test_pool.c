// A child is forked once everything is loaded, runs one test and writes records to a pipe:
//
//     one byte what it is, four bytes length, the bytes
//
// It ends with a record that says passed or failed; without one, it crashed.
#include "test_pool.h"

#include "watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    RECORD_OUTPUT = 'o',
    RECORD_MESSAGE = 'm',
    RECORD_DIAGNOSTICS = 'd',
    RECORD_JSON = 'j',
    RECORD_WARNING = 'w',
    RECORD_PASSED = 'p',
    RECORD_FAILED = 'f',
    RECORD_HEAD = 5
};

enum {
    MOST_JOBS = 256,
    ORPHAN_SECONDS = 10,
    OUTPUT_MOST = 1 << 20, // of output no more is kept
    OUTPUT_PIECE = 1 << 16 // nor more sent at once
};

// ---- the child

static void write_all(int pipe_end, const void *data, size_t length)
{
    for (const char *at = data; length;) {
        ssize_t wrote = write(pipe_end, at, length);
        if (wrote < 0 && errno != EINTR)
            _exit(EXIT_BUG); // nobody listens any more
        at += wrote > 0 ? wrote : 0;
        length -= wrote > 0 ? (size_t)wrote : 0;
    }
}

static void send_record(int pipe_end, char kind, ContraText text)
{
    uint32_t length = (uint32_t)(text.length < INT32_MAX ? text.length : INT32_MAX);
    char head[RECORD_HEAD] = {kind};
    memcpy(head + 1, &length, sizeof length);
    write_all(pipe_end, head, sizeof head);
    write_all(pipe_end, text.data, length);
}

static void send_output(void *own, ContraText text)
{
    for (int64_t at = 0, length; at < text.length; at += length) {
        length = text.length - at < OUTPUT_PIECE ? text.length - at : OUTPUT_PIECE;
        send_record(*(const int *)own, RECORD_OUTPUT, (ContraText){text.data + at, length});
    }
}

static void print_output(void *own, ContraText text)
{
    (void)own;
    write_all(STDOUT_FILENO, text.data, (size_t)text.length);
}

// Where standard output is one JSON document.
static void print_aside(void *own, ContraText text)
{
    (void)own;
    write_all(STDERR_FILENO, text.data, (size_t)text.length);
}

static void default_signals(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
}

static void send_warnings(const TestPool *pool, int pipe_end, ContraDiagnosticStyle style)
{
    ContraText text;
    for (int64_t i = 0; (text = contra_diagnostic(pool->contra, i, style)).length; i++)
        send_record(pipe_end, RECORD_WARNING, text);
}

static _Noreturn void run_child(const TestPool *pool, const Test *test, int pipe_end)
{
    ContraRunOptions options = pool->run;
    ContraTestResult result = contra_test_result();
    default_signals();
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    cli_limit_memory(pool->jobs);
    if (pool->timeout_seconds < INT_MAX - ORPHAN_SECONDS)
        alarm((unsigned)pool->timeout_seconds + ORPHAN_SECONDS); // if nobody is left to stop it
    options.print = !pool->no_capture    ? send_output
                    : pool->common->json ? print_aside
                                         : print_output;
    options.own = &pipe_end;
    contra_clear_diagnostics(pool->contra); // of the check: warnings, which were shown
    ContraStatus status = contra_test_run(pool->contra, test->index, &options, &result);
    ContraText message =
        status == CONTRA_NO_MEMORY ? contra_text("memory is exhausted") : result.message;
    ContraDiagnosticStyle style = cli_wants_colour(pool->common) ? CONTRA_COLOUR : CONTRA_PLAIN;
    if (status != CONTRA_OK) {
        send_record(pipe_end, RECORD_MESSAGE, message);
        send_record(pipe_end, RECORD_DIAGNOSTICS, contra_diagnostics(pool->contra, style));
    } else {
        send_warnings(pool, pipe_end, style);
    }
    send_record(pipe_end, RECORD_JSON, contra_diagnostics(pool->contra, CONTRA_DIAGNOSTICS_JSON));
    send_record(pipe_end, status == CONTRA_OK ? RECORD_PASSED : RECORD_FAILED, (ContraText){0});
    _exit(EXIT_DONE);
}

// ---- the parent

typedef struct {
    pid_t pid; // 0: free
    int pipe_end;
    Test *test;
    double started;
    bool is_late;
    TestState verdict; // its own; TEST_WAITING: none yet
    Bytes unread;      // the start of a record
} Child;

static bool start(const TestPool *pool, Child *child, Test *test)
{
    int ends[2];
    if (pipe(ends))
        return false;
    fflush(NULL); // or the child has it, too
    pid_t pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (pid == 0) {
        close(ends[0]);
        run_child(pool, test, ends[1]);
    }
    close(ends[1]);
    *child = (Child){.pid = pid, .pipe_end = ends[0], .test = test, .started = watch_seconds()};
    return true;
}

// Of much output the beginning, whole characters of it.
static void take_output(Test *test, const char *data, size_t length)
{
    size_t room = OUTPUT_MOST > test->output.length ? OUTPUT_MOST - test->output.length : 0;
    size_t kept = test->cut ? 0 : length < room ? length : room;
    while (kept && kept < length && ((unsigned char)data[kept] & 0xc0) == 0x80)
        kept--;
    bytes_add(&test->output, data, kept);
    test->cut += (int64_t)(length - kept);
}

static void take_record(Child *child, char kind, const char *data, size_t length)
{
    Test *test = child->test;
    switch (kind) {
    case RECORD_OUTPUT:
        take_output(test, data, length);
        break;
    case RECORD_MESSAGE:
        bytes_add(&test->message, data, length);
        break;
    case RECORD_DIAGNOSTICS:
        bytes_add(&test->diagnostics, data, length);
        break;
    case RECORD_JSON:
        bytes_add(&test->json, data, length);
        break;
    case RECORD_WARNING:
        bytes_add(&test->warnings, data, length);
        bytes_add(&test->warnings, "", 1);
        break;
    case RECORD_PASSED:
        child->verdict = TEST_PASSED;
        break;
    case RECORD_FAILED:
        child->verdict = TEST_FAILED;
        break;
    }
}

// Takes the records that are whole.
static void take_records(Child *child)
{
    Bytes *unread = &child->unread;
    size_t at = 0;
    for (uint32_t length; unread->length - at >= RECORD_HEAD; at += RECORD_HEAD + length) {
        memcpy(&length, unread->data + at + 1, sizeof length);
        if (unread->length - at - RECORD_HEAD < length)
            break;
        take_record(child, unread->data[at], unread->data + at + RECORD_HEAD, length);
    }
    if (at)
        memmove(unread->data, unread->data + at, unread->length - at);
    unread->length -= at;
}

static void say(Test *test, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(Test *test, const char *format, ...)
{
    char text[200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    test->message.length = 0;
    bytes_add(&test->message, text, strlen(text));
}

static void judge_end(const TestPool *pool, const Child *child, int status)
{
    Test *test = child->test;
    test->state = child->verdict;
    if (child->verdict != TEST_WAITING)
        return;
    test->state = child->is_late ? TEST_TIMEOUT : TEST_CRASHED;
    if (child->is_late)
        say(test, "still running after %g s", pool->timeout_seconds);
    else if (WIFSIGNALED(status))
        say(test, "ended by signal %d (%s); unless you sent it, this is a bug in Contra",
            WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        say(test, "ended without a result, with status %d; this is a bug in Contra",
            WEXITSTATUS(status));
}

// Waits for the end of a child, and gives back how it ended.
static int bury(Child *child)
{
    int status = 0;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        ;
    close(child->pipe_end);
    free(child->unread.data);
    return status;
}

static void finish(TestPool *pool, Child *child)
{
    int status = bury(child);
    child->test->seconds = watch_seconds() - child->started;
    judge_end(pool, child, status);
    pool->finished(pool->own, child->test);
    child->pid = 0;
}

// False: it has ended.
static bool read_some(Child *child)
{
    char buffer[65536];
    ssize_t count = read(child->pipe_end, buffer, sizeof buffer);
    if (count <= 0)
        return count < 0 && (errno == EINTR || errno == EAGAIN);
    bytes_add(&child->unread, buffer, (size_t)count);
    take_records(child);
    return true;
}

static void stop_late(TestPool *pool, Child *child)
{
    if (!child->pid || watch_seconds() - child->started < pool->timeout_seconds || child->is_late)
        return;
    kill(child->pid, SIGKILL);
    child->is_late = true;
}

static void stop_all(Child *children, int64_t jobs)
{
    for (int64_t i = 0; i < jobs; i++) {
        if (!children[i].pid)
            continue;
        kill(children[i].pid, SIGKILL);
        bury(&children[i]);
    }
}

// Waits until a child has written something or a tenth of a second is over.
static void wait_some(TestPool *pool, Child *children)
{
    enum { PAUSE_MILLISECONDS = 100 };
    struct pollfd ends[MOST_JOBS];
    for (int64_t i = 0; i < pool->jobs; i++)
        ends[i] =
            (struct pollfd){.fd = children[i].pid ? children[i].pipe_end : -1, .events = POLLIN};
    if (poll(ends, (nfds_t)pool->jobs, PAUSE_MILLISECONDS) < 0)
        return;
    if (watch_interrupted()) // the children were as well: what they say is no result
        return;
    for (int64_t i = 0; i < pool->jobs; i++) {
        if (ends[i].revents && !read_some(&children[i]))
            finish(pool, &children[i]);
        else
            stop_late(pool, &children[i]);
    }
}

// Fills free places. True: something runs.
static bool start_more(TestPool *pool, Child *children, int64_t *next)
{
    bool any = false;
    for (int64_t i = 0; i < pool->jobs; i++) {
        while (!children[i].pid && *next < pool->count && pool->tests[*next].state != TEST_WAITING)
            (*next)++;
        if (!children[i].pid && *next < pool->count) {
            Test *test = &pool->tests[(*next)++];
            if (!start(pool, &children[i], test)) {
                test->state = TEST_CRASHED;
                say(test, "no process could be started: %s", strerror(errno));
                pool->finished(pool->own, test);
            }
        }
        any |= children[i].pid != 0;
    }
    return any || *next < pool->count;
}

bool test_pool_run(TestPool *pool)
{
    Child children[MOST_JOBS] = {0};
    int64_t next = 0;
    pool->jobs = pool->jobs < 1 ? 1 : pool->jobs > MOST_JOBS ? MOST_JOBS : pool->jobs;
    while (!watch_interrupted() && start_more(pool, children, &next))
        wait_some(pool, children);
    stop_all(children, pool->jobs);
    return !watch_interrupted();
}

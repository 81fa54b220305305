// contra test: the tests of files, folders and crates. Each runs in a process of its own, so that a
// crash in one does not stop the others.
#include "cli.h"
#include "terminal.h"
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
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
    OPTION_FILTER = OPTION_FIRST_OWN,
    OPTION_EXACT,
    OPTION_LIST,
    OPTION_JOBS,
    OPTION_TIMEOUT,
    OPTION_IGNORED,
    OPTION_INCLUDE_IGNORED,
    OPTION_NOCAPTURE,
    OPTION_QUIET
};

enum { MOST_FILTERS = 64, DEFAULT_TIMEOUT_SECONDS = 300 };

typedef enum { IGNORED_SKIPPED, IGNORED_ONLY, IGNORED_TOO } IgnoredMode;

typedef struct {
    ContraCheckOptions check;
    ExecuteOptions execute;
    const char *filters[MOST_FILTERS];
    int filter_count;
    IgnoredMode ignored;
    int64_t jobs, timeout_seconds;
    bool list, no_capture, exact, quiet;
    Contra *refused; // has errors that may hide tests; NULL: there are none
} Options;

static const CliOption rows[] = {
    {OPTION_FILTER, "--filter TEXT", "only tests with TEXT in their name; any of several"},
    {OPTION_EXACT, "--exact", "only those whose whole name is that of a --filter"},
    {OPTION_LIST, "--list", "lists the tests"},
    {OPTION_JOBS, "--jobs N", "how many run at a time (the default: the number of cores)"},
    {OPTION_TIMEOUT, "--timeout SECONDS", "after which a test has failed (the default: 300)"},
    {OPTION_IGNORED, "--ignored", "only those with #[ignore]"},
    {OPTION_INCLUDE_IGNORED, "--include-ignored", "those with #[ignore], too"},
    {OPTION_NOCAPTURE, "--nocapture", "shows what tests print as they print it"},
    {OPTION_QUIET, "--quiet", "does not show the warnings of tests that pass"},
    EXECUTE_OPTIONS("one for each test"),
    SANITIZE_OPTIONS("on, where the device runs"),
    CHECK_OPTIONS,
    {0}};

// ---- tests side by side

// A child is forked once everything is loaded, runs one test and writes records to a pipe:
//
//     one byte what it is, four bytes length, the bytes
//
// It ends with a record that says passed or failed; without one, it crashed.

typedef enum {
    TEST_WAITING, // not run, or not yet
    TEST_PASSED,
    TEST_FAILED,
    TEST_TIMEOUT,
    TEST_CRASHED,
    TEST_IGNORED
} TestState;

typedef struct {
    int64_t index; // for contra_test_run
    ContraTest about;
    TestState state;
    double seconds;
    Bytes output;      // what it printed
    int64_t cut;       // how many bytes of that are left out
    Bytes message;     // why it failed, in one line
    Bytes diagnostics; // the same at length, as text
    Bytes json;        // and as JSON; of one that passed, its warnings
    Bytes warnings;    // the same as text, each terminated
} Test;

typedef struct {
    Contra *contra; // with what was loaded and checked
    const CommonOptions *common;
    ContraRunOptions run;
    int64_t jobs;
    double timeout_seconds;
    bool no_capture; // what tests print goes to standard output
    Test *tests;
    int64_t count;
    void (*finished)(void *own, const Test *test); // in any order
    void *own;
} TestPool;

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
    write_all(*(const int *)own, text.data, (size_t)text.length);
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
        alarm((unsigned)pool->timeout_seconds + ORPHAN_SECONDS);     // if nobody is left to stop it
    int output = pool->common->json ? STDERR_FILENO : STDOUT_FILENO; // that is one document
    options.print = pool->no_capture ? print_output : send_output;
    options.own = pool->no_capture ? &output : &pipe_end;
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

typedef struct {
    pid_t pid; // 0: free
    int pipe_end;
    Test *test;
    double started;
    bool is_late;
    TestState verdict; // its own; TEST_WAITING: none yet
    Bytes unread;      // the start of a record
} Child;

static bool start_child(const TestPool *pool, Child *child, Test *test)
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
            if (!start_child(pool, &children[i], test)) {
                test->state = TEST_CRASHED;
                say(test, "no process could be started: %s", strerror(errno));
                pool->finished(pool->own, test);
            }
        }
        any |= children[i].pid != 0;
    }
    return any || *next < pool->count;
}

// Runs those that are waiting. False: Ctrl-C; those that ran were ended.
static bool run_pool(TestPool *pool)
{
    Child children[MOST_JOBS] = {0};
    int64_t next = 0;
    pool->jobs = pool->jobs < 1 ? 1 : pool->jobs > MOST_JOBS ? MOST_JOBS : pool->jobs;
    while (!watch_interrupted() && start_more(pool, children, &next))
        wait_some(pool, children);
    stop_all(children, pool->jobs);
    return !watch_interrupted();
}

// ---- options

static bool add_filter(Options *options, const char *text)
{
    if (options->filter_count == MOST_FILTERS) {
        cli_usage("test", "--filter is given more than %d times", MOST_FILTERS);
        return false;
    }
    options->filters[options->filter_count++] = text;
    return true;
}

static bool take_option(void *own, int option, const char *value)
{
    Options *options = own;
    bool taken, ok = cli_check_option("test", option, value, &options->check, &taken);
    if (!taken)
        ok = cli_execute_option("test", option, value, &options->execute, &taken);
    if (taken)
        return ok;
    switch (option) {
    case OPTION_FILTER:
        return add_filter(options, value);
    case OPTION_EXACT:
        return options->exact = true;
    case OPTION_LIST:
        return options->list = true;
    case OPTION_JOBS:
        return cli_number("test", "--jobs", value, 1, &options->jobs);
    case OPTION_TIMEOUT:
        return cli_number("test", "--timeout", value, 1, &options->timeout_seconds);
    case OPTION_IGNORED:
        options->ignored = IGNORED_ONLY;
        return true;
    case OPTION_INCLUDE_IGNORED:
        options->ignored = IGNORED_TOO;
        return true;
    case OPTION_NOCAPTURE:
        return options->no_capture = true;
    case OPTION_QUIET:
        return options->quiet = true;
    }
    return true;
}

// ---- which tests

// Those that were asked for, and which filters asked for none.
typedef struct {
    Test *tests;
    int64_t count;
    int64_t all;                    // tests there are
    bool matched[MOST_FILTERS];     // one a filter
    const char *near[MOST_FILTERS]; // a name that is nearly what was asked for; NULL: none
} Selection;

// Whether the last part of a name, or all of it, is nearly `filter`.
static bool is_near(const char *name, const char *filter)
{
    const char *last = name;
    for (const char *at = name; (at = strstr(at, "::")); at += 2)
        last = at + 2;
    return cli_is_near(filter, last) || cli_is_near(filter, name);
}

static bool is_selected(const Options *options, const ContraTest *test, Selection *selection)
{
    bool found = options->filter_count == 0;
    for (int i = 0; i < options->filter_count; i++) {
        const char *name = test->name.data, *filter = options->filters[i];
        bool matches = options->exact ? strcmp(name, filter) == 0 : strstr(name, filter) != NULL;
        selection->matched[i] |= matches;
        if (!selection->near[i] && (is_near(name, filter) || strstr(name, filter)))
            selection->near[i] = name;
        found |= matches;
    }
    return found && (options->ignored != IGNORED_ONLY || test->is_ignored);
}

static void select_tests(Contra *contra, const Options *options, Selection *selection)
{
    for (int64_t i = 0; i < selection->all; i++) {
        ContraTest about = contra_test_info();
        if (contra_test(contra, i, &about) != CONTRA_OK || !is_selected(options, &about, selection))
            continue;
        bool skipped = about.is_ignored && options->ignored == IGNORED_SKIPPED;
        selection->tests[selection->count++] =
            (Test){.index = i, .about = about, .state = skipped ? TEST_IGNORED : TEST_WAITING};
    }
}

// Says why there is nothing, or less than was asked for. False: the answer is no.
static bool explain_selection(const Options *options, const Selection *selection)
{
    bool unmatched = false;
    for (int i = 0; i < options->filter_count; i++) {
        if (selection->matched[i])
            continue;
        unmatched = true;
        fprintf(stderr, "contra test: no test %s `%s`", options->exact ? "is called" : "matches",
                options->filters[i]);
        if (selection->near[i])
            fprintf(stderr, "; did you mean `%s`?\n", selection->near[i]);
        else
            fprintf(stderr, "; --list lists the %" PRId64 " there are\n", selection->all);
    }
    if (selection->all == 0)
        fputs("contra test: there are no tests: no function has `#[test]`\n", stderr);
    else if (!selection->count && !unmatched)
        fputs("contra test: none of these tests is marked `#[ignore]`\n", stderr);
    return selection->count || !unmatched;
}

// ---- what became of them

static const struct {
    const char *line, *json;
    bool failed;
} states[] = {
    [TEST_WAITING] = {"not run", "not run", false}, [TEST_PASSED] = {"ok", "passed", false},
    [TEST_FAILED] = {"FAILED", "failed", true},     [TEST_TIMEOUT] = {"TIMEOUT", "timeout", true},
    [TEST_CRASHED] = {"CRASHED", "crashed", true},  [TEST_IGNORED] = {"ignored", "ignored", false},
};

typedef struct {
    const Test *tests;
    int64_t count;
    int64_t shown; // lines so far
    bool silent;
} Report;

static void print_line(const Test *test)
{
    const ContraTest *about = &test->about;
    if (test->state == TEST_IGNORED)
        printf("%-7s            %s%s%.*s\n", states[test->state].line, about->name.data,
               about->reason.length ? ": " : "", (int)about->reason.length,
               about->reason.length ? about->reason.data : "");
    else
        printf("%-7s %7.2f s  %s\n", states[test->state].line, test->seconds, about->name.data);
}

// Lines come in the order of the text, as soon as those before them are there.
static void show_finished(void *own, const Test *test)
{
    Report *report = own;
    (void)test;
    while (!report->silent && report->shown < report->count &&
           report->tests[report->shown].state != TEST_WAITING)
        print_line(&report->tests[report->shown++]);
    fflush(stdout);
}

static void print_bytes(const Bytes *bytes)
{
    if (!bytes->length)
        return;
    fwrite(bytes->data, 1, bytes->length, stdout);
    if (bytes->data[bytes->length - 1] != '\n')
        putchar('\n');
}

static void print_failure(const Test *test)
{
    printf("\n---- %s (%s:%" PRId64 ")\n", test->about.name.data, test->about.file.data,
           test->about.line);
    terminal_begin_raw();
    print_bytes(&test->output);
    terminal_end_raw();
    if (test->cut)
        printf("(%" PRId64 " bytes more were printed)\n", test->cut);
    print_bytes(&test->diagnostics);
    if (!test->diagnostics.length || test->about.should_panic)
        print_bytes(&test->message);
}

// ---- what they were warned of

// The first two lines: what is wrong and where. What is behind them may differ from test to test.
static size_t place_length(const char *warning)
{
    const char *end = strchr(warning, '\n');
    end = end ? strchr(end + 1, '\n') : NULL;
    return end ? (size_t)(end - warning) : strlen(warning);
}

static const char *next_warning(const Test *test, const char *warning)
{
    const char *first = test->warnings.data;
    size_t start = warning ? (size_t)(warning - first) + strlen(warning) + 1 : 0;
    return start < (size_t)test->warnings.length ? first + start : NULL;
}

// Whether it was said of a test before, or earlier of the same.
static bool is_said(const Test *tests, const Test *test, const char *warning)
{
    size_t length = place_length(warning);
    for (; tests <= test; tests++)
        for (const char *at = NULL; (at = next_warning(tests, at)) && at != warning;)
            if (place_length(at) == length && memcmp(at, warning, length) == 0)
                return true;
    return false;
}

static void print_warnings(const Test *tests, int64_t count)
{
    fflush(stdout);
    for (int64_t i = 0; i < count; i++)
        for (const char *at = NULL; (at = next_warning(&tests[i], at));)
            if (!is_said(tests, &tests[i], at))
                fprintf(stderr, "\n%s", at);
}

typedef struct {
    int64_t passed, failed, ignored, not_run;
} Totals;

static Totals count_all(const Test *tests, int64_t count)
{
    Totals totals = {0};
    for (int64_t i = 0; i < count; i++) {
        totals.passed += tests[i].state == TEST_PASSED;
        totals.failed += states[tests[i].state].failed;
        totals.ignored += tests[i].state == TEST_IGNORED;
        totals.not_run += tests[i].state == TEST_WAITING;
    }
    return totals;
}

// What is no UTF-8 cannot stand in JSON: it is shown as `?`.
static json_t *bytes_json(const Bytes *bytes)
{
    if (!bytes->data)
        return json_string("");
    json_t *json = json_stringn(bytes->data, bytes->length);
    for (size_t i = 0; !json && i < bytes->length; i++)
        if ((unsigned char)bytes->data[i] > 127)
            bytes->data[i] = '?';
    return json ? json : json_stringn(bytes->data, bytes->length);
}

static json_t *test_json(const Test *test)
{
    const ContraTest *about = &test->about;
    json_t *json = json_pack("{s:s, s:s, s:I, s:s, s:f}", "name", about->name.data, "file",
                             about->file.data, "line", (json_int_t)about->line, "result",
                             states[test->state].json, "seconds", test->seconds);
    if (about->reason.length)
        json_object_set_new(json, "reason", cli_json(about->reason));
    json_object_set_new(json, "output", bytes_json(&test->output));
    if (test->cut)
        json_object_set_new(json, "output_cut", json_integer(test->cut));
    json_t *list =
        test->json.length ? json_loadb(test->json.data, test->json.length, 0, NULL) : NULL;
    if (states[test->state].failed)
        json_object_set_new(json, "message", bytes_json(&test->message));
    json_object_set_new(json, "diagnostics", list ? list : json_array());
    return json;
}

// The errors that may hide tests.
static json_t *errors_json(Contra *refused)
{
    return refused ? cli_json_diagnostics(refused) : json_array();
}

static void print_json(const TestPool *pool, const Totals *totals, Contra *refused, bool complete)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < pool->count; i++)
        json_array_append_new(list, test_json(&pool->tests[i]));
    cli_print_json(json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:b, s:o, s:o}", "backend", cli_backend_name(&pool->run),
        "passed", (json_int_t)totals->passed, "failed", (json_int_t)totals->failed, "ignored",
        (json_int_t)totals->ignored, "not_run", (json_int_t)totals->not_run, "interrupted",
        !complete, "tests", list, "diagnostics", errors_json(refused)));
}

static ExitStatus list_tests(const CommonOptions *common, const Options *options, const Test *tests,
                             int64_t count)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++) {
        const ContraTest *about = &tests[i].about;
        json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:b, s:b}", "name", about->name.data,
                                              "file", about->file.data, "line",
                                              (json_int_t)about->line, "ignored", about->is_ignored,
                                              "should_panic", about->should_panic));
        if (!common->json)
            printf("%s%s\n", about->name.data, about->is_ignored ? " (ignored)" : "");
    }
    if (common->json)
        cli_print_json(
            json_pack("{s:O, s:o}", "tests", list, "diagnostics", errors_json(options->refused)));
    json_decref(list);
    return cli_finish(EXIT_DONE);
}

// ---- running

// At the end, where they are seen: what was said of each may be long.
static void list_failures(const Test *tests, int64_t count, const Totals *totals)
{
    if (totals->failed < 2)
        return;
    puts("\nfailed:");
    for (int64_t i = 0; i < count; i++)
        if (states[tests[i].state].failed)
            printf("  %s\n", tests[i].about.name.data);
}

static ExitStatus report_all(const TestPool *pool, Contra *refused, bool complete)
{
    const Test *tests = pool->tests;
    int64_t count = pool->count;
    Totals totals = count_all(tests, count);
    if (pool->common->json) {
        print_json(pool, &totals, refused, complete);
    } else {
        for (int64_t i = 0; i < count; i++)
            if (states[tests[i].state].failed)
                print_failure(&tests[i]);
        list_failures(tests, count, &totals);
        printf("\n%" PRId64 " passed, %" PRId64 " failed, %" PRId64 " ignored", totals.passed,
               totals.failed, totals.ignored);
        if (totals.not_run)
            printf(", %" PRId64 " not run", totals.not_run);
        putchar('\n');
    }
    if (!complete) {
        fflush(stdout);
        fputs("contra: interrupted\n", stderr);
    }
    return cli_finish(!complete ? EXIT_INTERRUPTED : totals.failed ? EXIT_REFUSED : EXIT_DONE);
}

static ExitStatus run_tests(Contra *contra, const CommonOptions *common, const Options *options,
                            Test *tests, int64_t count)
{
    Report report = {.tests = tests, .count = count, .silent = common->json};
    int64_t cores = sysconf(_SC_NPROCESSORS_ONLN);
    TestPool pool = {.contra = contra,
                     .common = common,
                     .run = options->execute.run,
                     .jobs = options->jobs ? options->jobs : cores,
                     .timeout_seconds = (double)options->timeout_seconds,
                     .no_capture = options->no_capture,
                     .tests = tests,
                     .count = count,
                     .finished = show_finished,
                     .own = &report};
    bool complete = run_pool(&pool);
    show_finished(&report, NULL); // ignored ones at the end
    if (!common->json && !options->quiet)
        print_warnings(tests, count);
    ExitStatus status = report_all(&pool, options->refused, complete);
    for (int64_t i = 0; i < count; i++) {
        free(tests[i].output.data);
        free(tests[i].message.data);
        free(tests[i].diagnostics.data);
        free(tests[i].json.data);
        free(tests[i].warnings.data);
    }
    return status;
}

static ExitStatus test_loaded(Contra *contra, const CommonOptions *common, const Options *options)
{
    int64_t count = contra_test_count(contra);
    Test *tests = calloc((size_t)count + 1, sizeof *tests);
    if (!tests)
        return cli_refuse(contra, common, CONTRA_NO_MEMORY);
    Selection selection = {.tests = tests, .all = count};
    select_tests(contra, options, &selection);
    bool found = explain_selection(options, &selection);
    ExitStatus status = options->list ? list_tests(common, options, tests, selection.count)
                                      : run_tests(contra, common, options, tests, selection.count);
    free(tests);
    return status == EXIT_DONE && !found ? EXIT_REFUSED : status;
}

// Runs the tests although the program has errors; a test fails only if it uses code with an error.
// The program is loaded again without checking types: each test finds the errors that it uses.
// What cannot be read is an error in any case, as nobody knows which tests it holds.
static ExitStatus test_others(const ContraText *paths, int count, const CommonOptions *common,
                              const Options *options, Contra *refused)
{
    ExitStatus status = EXIT_DONE;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    ContraStatus answer = contra_load(contra, paths, count, &options->check);
    if (answer == CONTRA_NO_MEMORY || contra_test_count(contra) == 0) {
        status = cli_refuse(refused, common, CONTRA_INVALID);
    } else if (answer == CONTRA_OK) {
        status = test_loaded(contra, common, options);
        if (!options->list)
            cli_say_other_errors(refused, "test", "tests that do");
    } else {
        Options others = *options;
        others.refused = refused;
        cli_show(refused, common);
        status = test_loaded(contra, common, &others);
        fprintf(stderr, "contra test: these errors may hide tests%s\n",
                options->list ? "" : "; tests that do not depend on them ran anyway");
        status = status == EXIT_DONE ? EXIT_REFUSED : status;
    }
    contra_free(contra);
    return status;
}

static ExitStatus test_paths(char **paths, int count, const CommonOptions *common,
                             const Options *options)
{
    ExitStatus status = EXIT_DONE;
    Contra *contra = cli_open_device(common, &status);
    if (!contra)
        return status;
    watch_start();
    ContraText *texts = cli_texts(paths, count);
    ContraStatus answer =
        texts ? contra_check_types(contra, texts, count, &options->check) : CONTRA_NO_MEMORY;
    if (answer == CONTRA_OK && !common->json && !options->quiet && !options->list)
        cli_show(contra, common); // warnings
    if (answer == CONTRA_OK)
        status = test_loaded(contra, common, options);
    else if (answer == CONTRA_INVALID)
        status = test_others(texts, count, common, options, contra);
    else
        status = cli_refuse(contra, common, answer);
    free(texts);
    contra_free(contra);
    return status;
}

// A name where a path should stand: cargo takes it for a filter.
static bool are_paths(char **words, int count)
{
    for (int i = 0; i < count; i++) {
        if (strpbrk(words[i], "./") || access(words[i], F_OK) == 0)
            continue;
        if (words[i][0] == '-')
            cli_usage("test", "options stand without `--` before them: `%s`", words[i]);
        else
            cli_usage("test",
                      "there is no file or folder `%s`; tests are chosen by name with "
                      "`--filter %s`",
                      words[i], words[i]);
        return false;
    }
    return true;
}

static ExitStatus run_test(int argc, char **argv)
{
    Options options = {.timeout_seconds = DEFAULT_TIMEOUT_SECONDS,
                       .check = contra_check_options(),
                       .execute.run = contra_run_options()};
    options.execute.run.threads = 1;
    options.execute.run.sanitize = true;
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&test_command, &options, argc, argv, &common, &status))
        return status;
    char *here[] = {(char[]){"."}};
    bool given = optind < argc;
    if (given && !are_paths(argv + optind, argc - optind))
        return EXIT_USAGE;
    if (!cli_execute_settle("test", &options.check, &options.execute))
        return EXIT_USAGE;
    if (options.execute.run.sanitize && options.execute.run.backend == CONTRA_BACKEND_ORACLE &&
        !options.list && !options.quiet)
        fputs("contra test: the oracle executes kernels, so the sanitizer is off: it watches the "
              "memories of the device (--no-sanitize says so)\n",
              stderr);
    if (options.exact && !options.filter_count)
        return cli_usage("test", "--exact needs the names: `--filter NAME`");
    return test_paths(given ? argv + optind : here, given ? argc - optind : 1, &common, &options);
}

const Command test_command = {
    .name = "test",
    .summary = "the tests of a file, folder or crate",
    .title = "Runs tests: functions with `#[test]` or `#[tokio::test]`.",
    .usage = "contra test [OPTIONS] [FILE|FOLDER|CRATE...]",
    .about =
        "Runs each test in a process of its own, from the given paths or the current folder. A "
        "test\n"
        "fails if it uses something with an error; errors elsewhere do not stop it. A kernel "
        "that\n"
        "breaks a hardware rule panics where a test launches it. Names are module paths; in the "
        "test\n"
        "files of a crate they are `tests/file::module::test`.",
    .endings = ".rs",
    .options = rows,
    .uses_device = true,
    .status =
        "0 all passed, or there are none; 1 some failed, a file has syntax errors (which may\n"
        "hide tests), or no test matches; 2 wrong usage; 130 interrupted. Other errors in code\n"
        "that no test uses do not count: `contra check` finds them.",
    .examples = "  contra test kernel.rs\n"
                "  contra test --list my_crate\n"
                "  contra test my_crate --filter matmul --jobs 4\n"
                "  contra test my_crate --exact --filter layers::dense::matmul --nocapture",
    .take = take_option,
    .run = run_test};

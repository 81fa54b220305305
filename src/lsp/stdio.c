// contra lsp: the language server on standard input and output.
#include "lsp/children.h"
#include "lsp/failures.h"
#include "lsp/frames.h"
#include "lsp/pages.h"
#include "lsp/supervisor.h"

#include "tools/cli.h"
#include "tools/page.h"
#include "tools/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { OPTION_STDIO = OPTION_FIRST_OWN };

static const CliOption rows[] = {
    {OPTION_STDIO, "--stdio", "is accepted, as some editors give it; there is no other way"}, {0}};

static bool take_option(void *own, int option, const char *value)
{
    (void)own, (void)value;
    return option == OPTION_STDIO;
}

// ---- the worker

// Supervisors read the first fields (supervisor.h).
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
        if (input->is_over && !has_work && !server_is_asked(server))
            break;
        int from = input->is_over ? -1 : STDIN_FILENO;
        if (children_wait(children, server, from, has_work ? 0 : -1))
            frames_read(input, STDIN_FILENO);
        else
            has_work = server_work(server);
    }
}

static int work(Server *server, ServerNote *note)
{
    static Children children;
    static const ServerTools tools = {.page = page_of_schedule,
                                      .keep = pages_keep,
                                      .start = children_start,
                                      .stop = children_stop,
                                      .own = &children,
                                      .seconds = watch_seconds};
    enum { SHARE_OF_MEMORY = 2 }; // the other half is for the editor
    Frames input = {0};
    cli_limit_memory(SHARE_OF_MEMORY);
    server_use_tools(server, &tools);
    server_wake(server, send_message, note);
    serve(server, &input, &children);
    int status = server_is_lost(server) ? WORKER_NO_MEMORY : EXIT_DONE;
    server_free(server);
    free(input.bytes);
    return status;
}

static ExitStatus run(int argc, char **argv)
{
    const CliParser parser = {.command = &lsp_command, .take = take_option};
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (optind < argc)
        return cli_usage("lsp", "it takes no files: the editor names them");
    pages_open();
    status = (ExitStatus)supervise(work);
    pages_close();
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
    .run = run};

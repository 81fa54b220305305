// contra lsp: the language server on standard input and output.
#include "children.h"
#include "pages.h"

#include "cli.h"
#include "page.h"
#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { OPTION_STDIO = OPTION_FIRST_OWN };

// More than any editor sends at once; what claims to be longer is no message.
enum { MOST_MESSAGE = 256 << 20, READ_BYTES = 64 << 10 };

static const CliOption rows[] = {
    {OPTION_STDIO, "--stdio", "is accepted, as some editors give it; there is no other way"}, {0}};

static bool take_option(void *own, int option, const char *value)
{
    (void)own, (void)value;
    return option == OPTION_STDIO;
}

// ---- bytes in

typedef struct {
    char *bytes;
    size_t start, end, capacity;
    bool is_over; // nothing more comes
    bool is_bad;  // what came is not the protocol
} Input;

static bool make_room(Input *input)
{
    if (input->start) {
        memmove(input->bytes, input->bytes + input->start, input->end - input->start);
        input->end -= input->start;
        input->start = 0;
    }
    if (input->capacity - input->end >= READ_BYTES)
        return true;
    size_t capacity = input->capacity * 2 + READ_BYTES;
    char *more = realloc(input->bytes, capacity);
    if (!more)
        return false;
    input->bytes = more;
    input->capacity = capacity;
    return true;
}

static void read_some(Input *input)
{
    if (!make_room(input)) {
        input->is_bad = true;
        return;
    }
    ssize_t count = read(STDIN_FILENO, input->bytes + input->end, READ_BYTES);
    if (count > 0)
        input->end += (size_t)count;
    else if (count == 0 || errno != EINTR)
        input->is_over = true;
}

// Where the blank line behind the header ends; 0: it is not there yet.
static size_t header_length(const Input *input)
{
    for (size_t i = input->start; i + 4 <= input->end; i++)
        if (memcmp(input->bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4 - input->start;
    return 0;
}

// "Content-Length: 12\r\n..\r\n\r\n": its bytes, and the length it says. 0: it is not all there
// yet.
static size_t read_header(Input *input, size_t *length)
{
    static const char field[] = "content-length:";
    size_t header = header_length(input);
    bool found = false;
    if (!header) {
        input->is_bad |= input->end - input->start > READ_BYTES; // no header is that long
        return 0;
    }
    const char *line = input->bytes + input->start, *end = line + header - 2;
    while (line < end) {
        if (strncasecmp(line, field, sizeof field - 1) == 0) {
            char *rest;
            unsigned long long value = strtoull(line + sizeof field - 1, &rest, 10);
            found = *rest == '\r' && value <= MOST_MESSAGE;
            *length = value;
        }
        line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
    }
    input->is_bad |= !found;
    return found ? header : 0;
}

// False: there is no whole message yet.
static bool take_message(Input *input, Server *server)
{
    size_t length, header = read_header(input, &length);
    if (!header || input->end - input->start < header + length)
        return false;
    Str message = {input->bytes + input->start + header, (int64_t)length};
    server_receive(server, message);
    input->start += header + length;
    return true;
}

// ---- bytes out

static void send_message(void *own, Str message)
{
    (void)own;
    printf("Content-Length: %lld\r\n\r\n%.*s", (long long)message.len, (int)message.len,
           message.data);
    fflush(stdout);
}

// ---- clients that are gone

static bool has_state(int file, short events, short state)
{
    struct pollfd one = {.fd = file, .events = events};
    return poll(&one, 1, 0) > 0 && one.revents & state;
}

static bool is_hung_up(int file)
{
    return has_state(file, 0, POLLERR | POLLHUP);
}

// Work may take long, and nobody waits for it any more: not if nothing that is said is read, nor,
// after a moment, if nothing more can be asked and nothing was. Whoever sends all questions at once
// and closes the file may still read the answers for a while.
static void *watch_client(void *own)
{
    enum { TICKS_A_SECOND = 10, ASKED_TICKS = 10 * TICKS_A_SECOND, SILENT_TICKS = TICKS_A_SECOND };
    const atomic_bool *is_asked = own;
    int silent = 0, asked = 0;
    while (!is_hung_up(STDOUT_FILENO) && silent < SILENT_TICKS && asked < ASKED_TICKS) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000000 / TICKS_A_SECOND}, NULL);
        bool is_gone = is_hung_up(STDIN_FILENO);
        bool waits = *is_asked || has_state(STDIN_FILENO, POLLIN, POLLIN);
        silent = is_gone && !waits ? silent + 1 : 0;
        asked = is_gone ? asked + 1 : 0;
    }
    pages_close();
    _exit(EXIT_REFUSED);
}

static void start_watching(atomic_bool *is_asked)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch_client, is_asked) == 0)
        pthread_detach(thread); // without it the work is done to its end
}

// ---- the whole

static bool is_over(const Server *server, const Input *input)
{
    return server_status(server) >= 0 || input->is_bad;
}

// Messages first, so that nothing is done that a later one makes stale.
static void serve(Server *server, Input *input, Children *children, atomic_bool *is_asked)
{
    bool has_work = true;
    while (!is_over(server, input)) {
        while (!is_over(server, input) && take_message(input, server))
            has_work = true;
        if (is_over(server, input) || (input->is_over && !has_work && !server_is_asked(server)))
            break;
        int from = input->is_over ? -1 : STDIN_FILENO;
        if (children_wait(children, server, from, has_work ? 0 : -1))
            read_some(input);
        else {
            *is_asked = server_is_asked(server);
            has_work = server_work(server);
        }
    }
}

static ExitStatus run(int argc, char **argv)
{
    static Children children;
    static atomic_bool is_asked; // longer than the thread that looks at it
    static const ServerTools tools = {.page = page_of_schedule,
                                      .keep = pages_keep,
                                      .start = children_start,
                                      .stop = children_stop,
                                      .own = &children,
                                      .seconds = watch_seconds};
    const CliParser parser = {.command = &lsp_command, .take = take_option};
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (optind < argc)
        return cli_usage("lsp", "it takes no files: the editor names them");
    Input input = {0};
    pages_open();
    Server *server = server_new(send_message, NULL);
    if (server) {
        server_use_tools(server, &tools);
        start_watching(&is_asked);
        serve(server, &input, &children, &is_asked);
    }
    if (input.is_bad)
        fputs("contra lsp: what came on standard input is no message of the protocol\n", stderr);
    bool is_well = server && !input.is_bad && server_status(server) <= 0;
    server_free(server);
    pages_close();
    free(input.bytes);
    return is_well ? EXIT_DONE : EXIT_REFUSED;
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

// contra view: the schedule page, served on loopback. Object files that are dropped on it come back
// as schedules.
#include "page.h"
#include "watch.h"

#include "cli.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { OPTION_PORT = OPTION_FIRST_OWN, OPTION_COST };

enum { MOST_PORT = 65535, MOST_BODY = 256 << 20, HOST_BYTES = 64 };

// A browser needs a handful of connections. One that neither sends nor reads is closed after
// IDLE_SECONDS. A slow one has TRANSFER_SECONDS for its request, and as long for the answer. If all
// connections are in use, further ones are refused.
enum { MOST_CONNECTIONS = 64, IDLE_SECONDS = 5, TRANSFER_SECONDS = 10 };

typedef struct {
    int64_t port;
    ContraCost cost;
    bool asks_cost; // --cost stands there
} Options;

// An open connection.
typedef struct {
    bool is_open;
    int socket;
    double deadline; // of its request or answer, in watch_seconds()
} Guest;

// The functions of libmicrohttpd that are called here. The library is opened only when a page is
// served: it brings gnutls and ten other libraries, and every other command would have to load
// them, too. Version 12 of the library has all these functions, whichever header this was compiled
// with.
#define HTTP_LIBRARY "libmicrohttpd.so.12"
#define HTTP_FUNCTIONS(X)          \
    X(start_daemon)                \
    X(stop_daemon)                 \
    X(run_wait)                    \
    X(get_daemon_info)             \
    X(get_connection_info)         \
    X(lookup_connection_value)     \
    X(create_response_from_buffer) \
    X(add_response_header)         \
    X(queue_response)              \
    X(destroy_response)

typedef struct {
#define HTTP_FIELD(name) __typeof__(MHD_##name) *name;
    HTTP_FUNCTIONS(HTTP_FIELD)
#undef HTTP_FIELD
} Http;

// What every request sees.
typedef struct {
    Http http;
    const CommonOptions *common;
    const Options *options;
    char *page;
    size_t page_length;
    char hosts[4][HOST_BYTES]; // names by which a browser here asks for the page
    int host_count;
    Guest guests[MOST_CONNECTIONS];
} Server;

static const CliOption rows[] = {
    {OPTION_PORT, "--port N", "the port; the default is one that is free"},
    COST_OPTIONS(OPTION_COST),
    {0}};

// ---- the library

// False: the library cannot be loaded, and a message says why.
static bool open_library(Http *http)
{
    static const char *const names[] = {
#define HTTP_NAME(name) "MHD_" #name,
        HTTP_FUNCTIONS(HTTP_NAME)
#undef HTTP_NAME
    };
    _Static_assert(sizeof *http == sizeof names, "a name for each function");
    void *library = dlopen(HTTP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool ok = library;
    for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
        void *function = dlsym(library, names[i]);
        memcpy((char *)http + i * sizeof function, &function, sizeof function); // ISO C has no cast
        ok = function;
    }
    if (!ok)
        fprintf(stderr,
                "contra view: cannot load the library that serves the page: %s\n"
                "install libmicrohttpd, or write a page with 'contra schedule --html FILE'\n",
                dlerror());
    return ok;
}

// ---- schedules

// The schedule of an object file as JSON, to be freed; or what is wrong with it (*ok false). NULL:
// there is not enough memory.
static char *schedule_bytes(const Server *server, ContraText name, ContraText bytes,
                            ContraDiagnosticStyle style, bool *ok, size_t *length)
{
    ExitStatus status;
    Contra *contra = cli_open(server->common, &status);
    ContraObject *object;
    ContraSchedule *schedule;
    ContraText text = {0};
    if (!contra)
        return NULL;
    ContraScheduleOptions how = contra_schedule_options();
    how.cost = server->options->cost;
    ContraScheduleTextOptions form = contra_schedule_text_options();
    form.form = CONTRA_SCHEDULE_JSON;
    ContraStatus done = contra_object_parse(contra, name, bytes, &object);
    done = done ? done : contra_schedule(contra, object, &how, &schedule);
    done = done ? done : contra_schedule_text(contra, schedule, &form, &text);
    if (done == CONTRA_INVALID)
        text = contra_diagnostics(contra, style);
    *ok = done == CONTRA_OK;
    *length = (size_t)text.length;
    char *copy = *ok || done == CONTRA_INVALID ? malloc(*length + 1) : NULL;
    if (copy && text.data)
        memcpy(copy, text.data, *length);
    contra_free(contra);
    return copy;
}

// ---- connections

static void note_connection(void *own, struct MHD_Connection *connection, void **context,
                            enum MHD_ConnectionNotificationCode what)
{
    Server *server = own;
    Guest *guest = *context;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        guest->is_open = false;
        return;
    }
    for (guest = server->guests; guest->is_open;) // one is free: there are MOST_CONNECTIONS
        guest++;
    *guest = (Guest){
        .is_open = true,
        .socket = server->http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)
                      ->connect_fd,
        .deadline = watch_seconds() + TRANSFER_SECONDS};
    *context = guest;
}

static void extend_deadline(const Server *server, struct MHD_Connection *connection)
{
    Guest *guest = server->http.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
                       ->socket_context;
    guest->deadline = watch_seconds() + TRANSFER_SECONDS;
}

// The library closes connections that are shut down.
static void shut_late(const Server *server)
{
    for (int i = 0; i < MOST_CONNECTIONS; i++) {
        const Guest *guest = &server->guests[i];
        if (guest->is_open && watch_seconds() > guest->deadline)
            shutdown(guest->socket, SHUT_RDWR);
    }
}

// ---- requests

typedef struct {
    Bytes bytes;
    bool too_long;
} Body;

static enum MHD_Result answer(const Server *server, struct MHD_Connection *connection,
                              unsigned status, const char *type, const char *text, size_t length,
                              enum MHD_ResponseMemoryMode mode)
{
    const Http *http = &server->http;
    struct MHD_Response *response =
        http->create_response_from_buffer(length, (void *)(uintptr_t)text, mode);
    if (!response)
        return MHD_NO;
    http->add_response_header(response, "Content-Type", type);
    http->add_response_header(response, "Cache-Control", "no-store");
    http->add_response_header(response, "X-Content-Type-Options", "nosniff");
    extend_deadline(server, connection);
    enum MHD_Result result = http->queue_response(connection, status, response);
    http->destroy_response(response);
    return result;
}

static enum MHD_Result say(const Server *server, struct MHD_Connection *connection, unsigned status,
                           const char *words)
{
    return answer(server, connection, status, "text/plain; charset=utf-8", words, strlen(words),
                  MHD_RESPMEM_MUST_COPY);
}

static bool is_ours(const Server *server, const char *host)
{
    for (int i = 0; i < server->host_count; i++)
        if (strcmp(host, server->hosts[i]) == 0)
            return true;
    return false;
}

// Neither a page of somebody else that has a name for this machine is let in, nor one that sends
// something here.
static bool is_host(const Server *server, struct MHD_Connection *connection)
{
    static const char scheme[] = "http://";
    const char *host = server->http.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *origin =
        server->http.lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    bool is_from_here = !origin || (strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
                                    is_ours(server, origin + sizeof scheme - 1));
    return host && is_ours(server, host) && is_from_here;
}

static enum MHD_Result answer_open(const Server *server, struct MHD_Connection *connection,
                                   const Body *body)
{
    bool ok = false;
    size_t length = 0;
    if (body->too_long)
        return say(server, connection, MHD_HTTP_CONTENT_TOO_LARGE, "the file is too large\n");
    const char *name =
        server->http.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "name");
    char *text = schedule_bytes(server, contra_text(name ? name : "the file"),
                                (ContraText){body->bytes.data, (int64_t)body->bytes.length},
                                CONTRA_DIAGNOSTICS_JSON, &ok, &length);
    if (!text)
        return say(server, connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
                   "there is not enough memory\n");
    return answer(server, connection, ok ? MHD_HTTP_OK : MHD_HTTP_UNPROCESSABLE_CONTENT,
                  "application/json", text, length, MHD_RESPMEM_MUST_FREE);
}

static bool is_too_long(const Server *server, struct MHD_Connection *connection)
{
    const char *length =
        server->http.lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    return length && strtoull(length, NULL, 10) > MOST_BODY;
}

// Who asks, and for what, is known before anything that is sent along is read.
static enum MHD_Result begin_request(const Server *server, struct MHD_Connection *connection,
                                     const char *url, const char *method, void **state)
{
    bool is_open = strcmp(method, "POST") == 0 && strcmp(url, "/open") == 0;
    if (!is_host(server, connection))
        return say(server, connection, MHD_HTTP_FORBIDDEN,
                   "this address is not that of contra view\n");
    if (!is_open && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return say(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                   "only GET, and POST of /open\n");
    if (!is_open && strcmp(url, "/") != 0)
        return say(server, connection, MHD_HTTP_NOT_FOUND, "there is only /\n");
    if (is_too_long(server, connection))
        return say(server, connection, MHD_HTTP_CONTENT_TOO_LARGE, "the file is too large\n");
    *state = calloc(1, sizeof(Body));
    return *state ? MHD_YES : MHD_NO;
}

static enum MHD_Result take_request(void *own, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *upload,
                                    size_t *upload_size, void **state)
{
    const Server *server = own;
    Body *body = *state;
    (void)version;
    if (!body)
        return begin_request(server, connection, url, method, state);
    bool is_open = strcmp(method, "POST") == 0;
    if (*upload_size) {
        if (is_open && !body->too_long)
            body->too_long = *upload_size > MOST_BODY - body->bytes.length ||
                             !bytes_add(&body->bytes, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    if (is_open)
        return answer_open(server, connection, body);
    return answer(server, connection, MHD_HTTP_OK, "text/html; charset=utf-8", server->page,
                  server->page_length, MHD_RESPMEM_PERSISTENT);
}

static void end_request(void *own, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode why)
{
    const Server *server = own;
    Body *body = *state;
    (void)why;
    extend_deadline(server, connection);
    if (body)
        free(body->bytes.data);
    free(body);
    *state = NULL;
}

// ---- serving

// Browsers leave out the port of http.
static void name_hosts(Server *server, unsigned port)
{
    enum { HTTP_PORT = 80 };
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(server->hosts[server->host_count++], HOST_BYTES, "%s:%u", names[i], port);
        if (port == HTTP_PORT)
            snprintf(server->hosts[server->host_count++], HOST_BYTES, "%s", names[i]);
    }
}

static ExitStatus serve(Server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)server->options->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = server->http.start_daemon(
        MHD_NO_FLAG, 0, NULL, NULL, take_request, server, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, end_request, server,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, server, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
        MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        daemon ? server->http.get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        fprintf(stderr, "contra view: cannot listen on port %lld: %s\n",
                (long long)server->options->port, strerror(errno));
        if (daemon)
            server->http.stop_daemon(daemon);
        return EXIT_REFUSED;
    }
    name_hosts(server, info->port);
    watch_start();
    printf("http://%s/\n", server->hosts[0]); // after reading this line, a caller may interrupt us
    fflush(stdout);
    while (!watch_interrupted()) {
        server->http.run_wait(daemon, 1000);
        shut_late(server);
    }
    server->http.stop_daemon(daemon);
    return cli_finish(EXIT_DONE);
}

// The page with the schedule in the file, if there is one. False: it cannot be had.
static bool make_page(Server *server, const char *path)
{
    bool ok = true;
    size_t length = 0;
    char *text = path ? page_read_file("view", path, &length) : NULL;
    bool is_read = !path || text; // what is not was said
    if (text && page_is_object_file(path)) {
        char *bytes = text;
        text = schedule_bytes(server, contra_text(path), (ContraText){bytes, (int64_t)length},
                              CONTRA_PLAIN, &ok, &length);
        free(bytes);
        if (text && !ok)
            fwrite(text, 1, length, stderr);
    } else if (text)
        ok = page_takes_schedule("view", path, (ContraText){text, (int64_t)length});
    if (!path || (text && ok))
        server->page = page_of_schedule((ContraText){text, (int64_t)length}, &server->page_length);
    if (is_read && !server->page && (ok || !text))
        fputs("contra view: there is not enough memory for the page\n", stderr);
    free(text);
    return server->page;
}

static bool take_option(void *own, int option, const char *value)
{
    Options *options = own;
    if (option == OPTION_COST) {
        options->asks_cost = true;
        return cli_cost("view", value, &options->cost);
    }
    if (!cli_number("view", "--port", value, 0, &options->port))
        return false;
    if (options->port > MOST_PORT)
        cli_usage("view", "--port is at most %d", MOST_PORT);
    return options->port <= MOST_PORT;
}

static ExitStatus run_view(int argc, char **argv)
{
    Options options = {0};
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&view_command, &options, argc, argv, &common, &status))
        return status;
    if (argc - optind > 1)
        return cli_usage("view", "one file at a time");
    if (options.asks_cost && argv[optind] && !page_is_object_file(argv[optind]))
        return cli_usage("view", "--cost is of object files; what a schedule costs stands in it");
    Server server = {.common = &common, .options = &options};
    status = make_page(&server, argv[optind]) && open_library(&server.http) ? serve(&server)
                                                                            : EXIT_REFUSED;
    free(server.page);
    return status;
}

const Command view_command = {
    .name = "view",
    .summary = "a schedule, to look at in the browser",
    .title = "Serves the schedule page to the browsers of this machine, and to nobody else.",
    .usage = "contra view [OPTIONS] [SCHEDULE.json|K.tcpo]",
    .about = "Prints the address to open; Ctrl-C ends it. Without a file the page asks for one. "
             "Schedules\n"
             "(contra schedule --json) and object files (contra compile -o) can be dropped on the "
             "page;\n"
             "--cost is how the cycles of object files are counted.",
    .endings = ".json .tcpo .html",
    .options = rows,
    .examples = "  contra view gemm.json\n"
                "  contra view --port 8080",
    .take = take_option,
    .run = run_view};

// contra lsp: the language server on standard input and output.
#include "lsp/children.h"
#include "lsp/failures.h"
#include "lsp/frames.h"
#include "lsp/supervisor.h"
#include "tools/cli.h"
#include "tools/page.h"
#include "tools/watch.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

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

// Removes those of this server.
static void pages_close(void)
{
    remove_folder(owner);
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

// Files on disk that change while a program rests on them. Clients that can tell are asked to;
// for others the files are looked at whenever something is opened, closed or saved.
#include "lsp/internal.h"

#include "api/folder.h"
#include "base/checked.h"

#include <string.h>
#include <sys/stat.h>

// ---- one file

FileState file_state(Arena *arena, Str path)
{
    struct stat about;
    FileState state = {.path = str_copy(arena, path), .bytes = -1};
    if (stat(str_terminated(arena, path), &about) != 0 || !S_ISREG(about.st_mode))
        return state;
    state.changed_ns = (int64_t)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec;
    state.bytes = about.st_size;
    return state;
}

bool path_is_at(Str path, Str other)
{
    return str_starts_with(path, other) && (path.len == other.len || path.data[other.len] == '/');
}

// ---- which ones the client is asked for

// What the front end reads.
static const char *const endings[] = {".rs", ".tcp", "Cargo.toml"};

static json_t *registration(const char *id, json_t *watchers)
{
    return json_pack("{s:s, s:s, s:{s:o}}", "id", id, "method", "workspace/didChangeWatchedFiles",
                     "registerOptions", "watchers", watchers);
}

void watch_open(Server *server)
{
    if (!server->client.watches)
        return;
    json_t *watchers = json_array();
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        const char *between = endings[i][0] == '.' ? "*" : "";
        Str glob = str_format(&server->arena, "**/{}{}", between, endings[i]);
        json_array_append_new(watchers, json_pack("{s:o}", "globPattern", json_of_str(glob)));
    }
    server_ask(server, "client/registerCapability",
               json_pack("{s:[o]}", "registrations", registration("contra-folders", watchers)));
}

static bool is_in_folders(const Server *server, Str path)
{
    bool ends = false, lies = false;
    size_t i;
    json_t *folder;
    for (size_t k = 0; k < COUNT_OF(endings); k++)
        ends |= str_ends_with(path, str_from(endings[k]));
    json_array_foreach(server->folders, i, folder) lies |= path_is_at(path, str_of_json(folder));
    return ends && lies;
}

static void add_files(Server *server, json_t *files, const FileStates *states)
{
    for (int64_t i = 0; i < states->count; i++) {
        Str path = states->items[i].path;
        bool is_file = path.len && path.data[0] == '/';
        if (is_file && !is_in_folders(server, path))
            json_object_set_new(files, str_terminated(&server->arena, path), json_true());
    }
}

static json_t *watcher_of(Server *server, Str path)
{
    if (!server->client.watches_relative)
        return json_pack("{s:o}", "globPattern", json_of_str(path));
    int64_t slash = path.len - 1;
    while (path.data[slash] != '/')
        slash--;
    Str folder = uri_of_path(&server->arena, str_slice(path, 0, max_i64(slash, 1)));
    return json_pack("{s:{s:o, s:o}}", "globPattern", "baseUri", json_of_str(folder), "pattern",
                     json_of_str(str_slice(path, slash + 1, path.len)));
}

// Takes the files.
static void ask_for(Server *server, json_t *files)
{
    static const char id[] = "contra-files";
    const char *path;
    json_t *each, *watchers = json_array();
    if (json_object_size(server->watched))
        server_ask(server, "client/unregisterCapability",
                   json_pack("{s:[{s:s, s:s}]}", "unregisterations", "id", id, "method",
                             "workspace/didChangeWatchedFiles"));
    json_object_foreach(files, path, each)
        json_array_append_new(watchers, watcher_of(server, str_from(path)));
    if (json_array_size(watchers))
        server_ask(server, "client/registerCapability",
                   json_pack("{s:[o]}", "registrations", registration(id, watchers)));
    json_decref(server->watched);
    server->watched = files;
}

void watch_files(Server *server)
{
    if (!server->client.watches)
        return;
    json_t *files = json_object();
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        add_files(server, files, memory_files(crate->memory));
        if (crate->analysis)
            add_files(server, files, &crate->analysis->asked);
    }
    if (json_equal(files, server->watched) || (!server->watched && !json_object_size(files)))
        json_decref(files);
    else
        ask_for(server, files);
}

// ---- without the client

static void look_at(Server *server, const FileStates *states)
{
    Paths changed = {0};
    for (int64_t i = 0; i < states->count; i++) {
        FileState before = states->items[i], now = file_state(&server->arena, before.path);
        bool differs = before.changed_ns != now.changed_ns || before.bytes != now.bytes;
        if (differs && !server_document_at(server, now.path))
            *array_push(&server->arena, &changed, Str) = now.path;
    }
    for (int64_t i = 0; i < changed.count; i++)
        crates_forget(server, changed.items[i]);
}

void watch_look(Server *server)
{
    if (server->client.watches)
        return;
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        look_at(server, memory_files(crate->memory));
        if (crate->analysis)
            look_at(server, &crate->analysis->asked);
    }
}

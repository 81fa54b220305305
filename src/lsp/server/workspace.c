// Folders that a client works in, and symbols of all programs in them: those that are open as they
// are typed, the others as they are on disk. Those are read once, and again when a file changes.
#include "lsp/answer/answers.h"
#include "lsp/server/internal.h"

#include "api/folder.h"
#include "base/checked.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A program that nobody has open.
struct Unopened {
    struct Unopened *next;
    json_t *path;
    json_t *symbols; // by the URI of their file
    json_t *asked;   // files that it rests on, as keys, each as it was
};

// ---- folders

static Str folder_path(Server *server, const json_t *uri)
{
    Str path = path_of_uri(&server->arena, str_of_json(uri));
    while (path.len > 1 && path.data[path.len - 1] == '/')
        path.len--;
    return path;
}

static void add_folder(Server *server, const json_t *uri)
{
    Str path = folder_path(server, uri);
    bool known = false;
    size_t i;
    json_t *folder;
    json_array_foreach(server->folders, i, folder) known |= str_equal(str_of_json(folder), path);
    if (path.len && path.data[0] == '/' && !known)
        json_array_append_new(server->folders, json_of_str(path));
}

static void add_folders(Server *server, const json_t *list)
{
    size_t i;
    json_t *folder;
    json_array_foreach(list, i, folder) add_folder(server, json_object_get(folder, "uri"));
}

void workspace_open(Server *server, const json_t *params)
{
    const json_t *folders = json_object_get(params, "workspaceFolders");
    server->folders = json_array();
    if (json_array_size(folders))
        add_folders(server, folders);
    else
        add_folder(server, json_object_get(params, "rootUri"));
}

static void unopened_free(struct Unopened *unopened)
{
    json_decref(unopened->path);
    json_decref(unopened->symbols);
    json_decref(unopened->asked);
    free(unopened);
}

static void forget_unopened(Server *server)
{
    while (server->unopened) {
        struct Unopened *next = server->unopened->next;
        unopened_free(server->unopened);
        server->unopened = next;
    }
}

void workspace_change(Server *server, const json_t *params)
{
    const json_t *removed = json_at(params, "event/removed");
    size_t i;
    json_t *folder;
    json_array_foreach(removed, i, folder)
    {
        json_t *path = json_of_str(folder_path(server, json_object_get(folder, "uri")));
        json_remove(server->folders, path);
        json_decref(path);
    }
    add_folders(server, json_at(params, "event/added"));
    forget_unopened(server);
}

// ---- programs that are not open

static bool rests_on(const struct Unopened *unopened, Str path)
{
    const char *asked;
    json_t *each;
    json_object_foreach(unopened->asked, asked, each)
    {
        if (path_is_at(str_from(asked), path))
            return true;
    }
    return false;
}

void workspace_forget(Server *server, Str path)
{
    for (struct Unopened **at = &server->unopened; *at;) {
        struct Unopened *unopened = *at;
        if (!rests_on(unopened, path)) {
            at = &unopened->next;
            continue;
        }
        *at = unopened->next;
        unopened_free(unopened);
    }
}

void workspace_close(Server *server)
{
    forget_unopened(server);
    json_decref(server->folders);
}

// The symbols of each file of a program, by its URI.
static json_t *symbols_of(Query *query)
{
    analysis_enter(query->analysis);
    json_t *files = json_object();
    for (int64_t i = 0; i < query->analysis->contra->sources.count; i++) {
        if (!analysis_wrote(query->analysis, i))
            continue;
        json_t *list = json_array();
        symbols_flatten(list, query, (int32_t)i);
        json_object_set_new(files, str_terminated(query->arena, query_uri(query, (int32_t)i)),
                            list);
    }
    return files;
}

static json_t *json_of_state(FileState state)
{
    return json_pack("[I, I]", (json_int_t)state.changed_ns, (json_int_t)state.bytes);
}

static void add_asked(const Query *query, const struct Unopened *unopened, FileState state)
{
    json_object_set_new(unopened->asked, str_terminated(query->arena, state.path),
                        json_of_state(state));
}

static void read_unopened(const Query *query, struct Unopened *unopened, Str path)
{
    const Crate crate = {.path = path};
    Query own = *query;
    own.analysis = analysis_new(query->server, &crate, NULL, NULL);
    unopened->symbols = own.analysis ? symbols_of(&own) : json_object();
    for (int64_t i = 0; own.analysis && i < own.analysis->asked.count; i++)
        add_asked(query, unopened, own.analysis->asked.items[i]);
    analysis_free(own.analysis);
}

// Clients need not tell of files, and do not of those in no folder of theirs.
static bool is_as_read(const Query *query, const struct Unopened *unopened)
{
    const char *path;
    json_t *before;
    json_object_foreach(unopened->asked, path, before)
    {
        json_t *now = json_of_state(file_state(query->arena, str_from(path)));
        bool is_same = json_equal(before, now);
        json_decref(now);
        if (!is_same)
            return false;
    }
    return true;
}

static const struct Unopened *unopened_at(const Query *query, Str path)
{
    Server *server = query->server;
    for (const struct Unopened *each = server->unopened; each; each = each->next)
        if (str_equal(str_of_json(each->path), path) && is_as_read(query, each))
            return each;
    workspace_forget(server, path);
    struct Unopened *unopened = calloc(1, sizeof *unopened);
    if (!unopened)
        longjmp(server->on_oom, 1);
    *unopened = (struct Unopened){server->unopened, json_of_str(path), NULL, json_object()};
    server->unopened = unopened;
    add_asked(query, unopened, file_state(query->arena, path));
    read_unopened(query, unopened, path);
    return unopened;
}

// Those roots that nobody has open.
static Paths unopened_among(const Query *query, const Paths *roots)
{
    enum { MOST_PROGRAMS = 256 };
    Paths unopened = {0};
    for (int64_t i = 0; i < roots->count && i < MOST_PROGRAMS; i++) {
        bool is_open = path_is_program(roots->items[i]);
        for (const Crate *crate = query->server->crates; crate; crate = crate->next)
            is_open |= str_equal(crate->path, roots->items[i]);
        if (!is_open)
            *array_push(query->arena, &unopened, Str) = roots->items[i];
    }
    return unopened;
}

// Those of a folder.
static Paths unopened_roots(const Query *query, Str folder)
{
    Paths roots = {0};
    DiagList silent = {.arena = query->arena};
    folder_roots(query->arena, folder, &roots, &silent);
    return unopened_among(query, &roots);
}

// Those around a file.
static Paths unopened_around(const Query *query, Str path)
{
    Paths roots = {0};
    CratePlace place = crate_place(query->arena, path);
    if (place.crate.len)
        return unopened_roots(query, place.crate);
    roots_around(query->arena, path, &roots);
    return unopened_among(query, &roots);
}

// ---- all programs

typedef struct {
    Query *query;
    const Paths *files;
    ProgramVisit *visit;
    void *own;
    Paths seen; // roots
} ProgramWalk;

static void visit_analysis(const ProgramWalk *walk, Analysis *analysis)
{
    if (!analysis)
        return;
    Contra *contra = analysis->contra;
    Query inner = *walk->query;
    inner.analysis = analysis;
    inner.source = -1;
    jmp_buf way_out;
    memcpy(&way_out, &contra->on_oom, sizeof way_out);
    analysis_enter(analysis);
    walk->visit(walk->own, &inner);
    memcpy(&contra->on_oom, &way_out, sizeof way_out);
}

// Targets of crates may name libraries in bodies only, which are not read before.
static bool may_name(const ProgramWalk *walk, Str root)
{
    if (crate_place(walk->query->arena, root).crate.len)
        return true;
    const struct Unopened *unopened = unopened_at(walk->query, root);
    for (int64_t i = 0; i < walk->files->count; i++)
        if (rests_on(unopened, walk->files->items[i]))
            return true;
    return false;
}

static void visit_unopened(ProgramWalk *walk, Paths roots)
{
    for (int64_t i = 0; i < roots.count; i++) {
        Str root = roots.items[i];
        if (paths_have(&walk->seen, root) || !may_name(walk, root))
            continue;
        *array_push(walk->query->arena, &walk->seen, Str) = root;
        Analysis *analysis = analysis_new(walk->query->server, &(Crate){.path = root}, NULL, NULL);
        visit_analysis(walk, analysis);
        analysis_free(analysis);
    }
}

void each_program(Query *query, const Paths *files, ProgramVisit *visit, void *own)
{
    Server *server = query->server;
    const Analysis *here = query->analysis;
    ProgramWalk walk = {.query = query, .files = files, .visit = visit, .own = own};
    size_t i;
    json_t *folder;
    visit_analysis(&walk, query->analysis);
    for (Crate *crate = server->crates; crate; crate = crate->next) {
        Analysis *analysis = crate_analysis(server, crate);
        if (analysis != here)
            visit_analysis(&walk, analysis);
    }
    json_array_foreach(server->folders, i, folder)
        visit_unopened(&walk, unopened_roots(query, str_of_json(folder)));
    for (int64_t k = 0; k < files->count; k++) // that are in no folder of the client, perhaps
        visit_unopened(&walk, unopened_around(query, files->items[k]));
}

// ---- what is asked for

enum { MOST_SYMBOLS = 1000 };

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

// 0: the letters are not there in this order; the more, the better they fit: 1 somewhere, 2 without
// others in between, 3 at the start, 4 all.
static int fit(Str name, Str wanted)
{
    int64_t found = 0, last = -1;
    bool together = true;
    for (int64_t i = 0; i < name.len && found < wanted.len; i++) {
        if (lower(name.data[i]) != lower(wanted.data[found]))
            continue;
        together &= found == 0 || last == i - 1;
        last = i;
        found++;
    }
    if (found < wanted.len)
        return 0;
    if (!together)
        return 1;
    bool starts = last == wanted.len - 1;
    return starts ? (name.len == wanted.len ? 4 : 3) : 2;
}

enum { FITS = 5 };

typedef struct {
    Str wanted;
    json_t *found[FITS]; // by how well they fit
    json_t *seen;        // files, by URI
} SymbolSearch;

static void search_files(SymbolSearch *search, const json_t *files)
{
    const char *uri;
    json_t *list, *symbol;
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)files, uri, list)
    {
        if (json_object_get(search->seen, uri)) // of a library and of its tests
            continue;
        json_object_set_new(search->seen, uri, json_true());
        json_array_foreach(list, i, symbol)
        {
            int quality = fit(str_at(symbol, "name"), search->wanted);
            json_array_append(search->found[quality], symbol);
        }
    }
}

static void search_open(Query *query, SymbolSearch *search)
{
    for (Crate *crate = query->server->crates; crate; crate = crate->next) {
        Query own = *query;
        own.analysis = crate_analysis(query->server, crate);
        json_t *files = own.analysis ? symbols_of(&own) : NULL;
        search_files(search, files);
        json_decref(files);
    }
}

static void search_folder(Query *query, SymbolSearch *search, Str folder)
{
    Paths roots = unopened_roots(query, folder);
    for (int64_t i = 0; i < roots.count; i++) {
        const char *uri = str_terminated(query->arena, uri_of_path(query->arena, roots.items[i]));
        if (!json_object_get(search->seen, uri))
            search_files(search, unopened_at(query, roots.items[i])->symbols);
    }
}

json_t *answer_workspace_symbols(Query *query)
{
    SymbolSearch search = {.wanted = str_at(query->params, "query"), .seen = json_object()};
    json_t *list = json_array();
    size_t i;
    json_t *folder;
    for (int quality = 0; quality < FITS; quality++)
        search.found[quality] = json_array();
    search_open(query, &search);
    json_array_foreach(query->server->folders, i, folder)
        search_folder(query, &search, str_of_json(folder));
    for (int quality = FITS - 1; quality > 0; quality--)
        json_array_extend(list, search.found[quality]);
    while (json_array_size(list) > MOST_SYMBOLS)
        json_array_remove(list, json_array_size(list) - 1);
    for (int quality = 0; quality < FITS; quality++)
        json_decref(search.found[quality]);
    json_decref(search.seen);
    return list;
}

// ---- files on disk

// Files on disk that change while a program rests on them. Clients that can tell are asked to;
// for others the files are looked at whenever something is opened, closed or saved.

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

// ---- what the client shows of other documents

// A change in one document can change hints, lenses and tokens of other open documents. The client
// is told to ask for them again.

// What a client shows, and how it is told.
static const struct {
    const char *ability, *method; // the first: in its capabilities
} shown[] = {
    {"workspace/codeLens/refreshSupport", "workspace/codeLens/refresh"},
    {"workspace/inlayHint/refreshSupport", "workspace/inlayHint/refresh"},
    {"workspace/semanticTokens/refreshSupport", "workspace/semanticTokens/refresh"},
};

uint32_t refreshes_of(const json_t *capabilities)
{
    uint32_t can = 0;
    for (size_t i = 0; i < COUNT_OF(shown); i++)
        can |= json_is_true(json_at(capabilities, shown[i].ability)) ? 1U << i : 0;
    return can;
}

// A file is opened as it was read already.
static bool is_open_as_read(const Server *server, const Analysis *analysis, Str path)
{
    const Document *document = server_document_at(server, path);
    int32_t source = document && analysis ? analysis_source(analysis, path) : -1;
    return source >= 0 &&
           str_equal(analysis->contra->sources.items[source].text, document->text.text);
}

void refresh_note(Server *server, const Crate *crate, Str path)
{
    const Analysis *analysis = crate->analysis ? crate->analysis : crate->asked;
    if (is_open_as_read(server, analysis, path))
        return;
    for (const Document *document = server->documents; document; document = document->next)
        server->is_stale |= (document->crate == crate || document->shown == crate) &&
                            !str_equal(document->path, path);
}

void refresh_tell(Server *server)
{
    for (Document *document = server->documents; document; document = document->next) {
        server->is_stale |= document->shown && document->shown != document->crate;
        document->shown = document->crate;
    }
    for (size_t i = 0; i < COUNT_OF(shown) && server->is_stale; i++)
        if (server->client.refreshes & 1U << i)
            server_ask(server, shown[i].method, NULL);
    server->is_stale = false;
}

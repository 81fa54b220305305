#include "lsp/program/analysis.h"
#include "lsp/server/internal.h"

#include "base/checked.h"
#include "base/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *const encoding_names[ENCODING_COUNT] = {"utf-8", "utf-16"};

// What a byte adds to the characters of its line: all of a character is added by its first.
static int64_t units(Encoding encoding, char byte)
{
    if (encoding == ENCODING_UTF8)
        return 1;
    if (is_continuation(byte))
        return 0;
    return encoding == ENCODING_UTF16 && (unsigned char)byte >= 0xf0 ? 2 : 1;
}

LinedText lined_text(Arena *arena, Str text)
{
    LinedText lined = {.text = text};
    int64_t counted = 0;
    *array_push(arena, &lined.starts, int64_t) = 0;
    for (int64_t i = 0; i < text.len; i++) {
        bool ends = text.data[i] == '\n' ||
                    (text.data[i] == '\r' && !(i + 1 < text.len && text.data[i + 1] == '\n'));
        if (ends)
            *array_push(arena, &lined.starts, int64_t) = i + 1;
        if (i % MARK_BYTES == 0)
            *array_push(arena, &lined.marks, int64_t) = counted;
        counted += units(ENCODING_UTF16, text.data[i]);
    }
    return lined;
}

// Units of the text before an offset.
static int64_t units_before(const LinedText *text, Encoding encoding, int64_t offset)
{
    if (encoding == ENCODING_UTF8 || !offset)
        return offset;
    int64_t mark = (offset - 1) / MARK_BYTES, count = text->marks.items[mark];
    for (int64_t at = mark * MARK_BYTES; at < offset; at++)
        count += units(encoding, text->text.data[at]);
    return count;
}

// The last of ascending numbers that is at most `most`. Requires: the first is.
static int64_t last_within(const int64_t *numbers, int64_t count, int64_t most)
{
    int64_t low = 0, high = count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (numbers[middle] <= most)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Where the character begins that an offset is in.
static int64_t character_start(Str text, int64_t offset, int64_t least)
{
    while (offset > least && offset < text.len && is_continuation(text.data[offset]))
        offset--;
    return offset;
}

static int64_t line_end(const LinedText *text, int64_t line)
{
    bool last = line + 1 == text->starts.count;
    int64_t start = text->starts.items[line];
    int64_t end = last ? text->text.len : text->starts.items[line + 1];
    while (!last && end > start &&
           (text->text.data[end - 1] == '\n' || text->text.data[end - 1] == '\r'))
        end--;
    return end;
}

int64_t position_offset(const LinedText *text, Encoding encoding, TextPosition position)
{
    if (position.line < 0)
        return 0;
    if (position.line >= text->starts.count)
        return text->text.len;
    int64_t start = text->starts.items[position.line], end = line_end(text, position.line);
    if (position.character <= 0)
        return start;
    if (position.character >= end - start) // no character counts more than it has bytes
        return end;
    if (encoding == ENCODING_UTF8)
        return character_start(text->text, start + position.character, start);
    int64_t wanted = units_before(text, encoding, start) + position.character;
    int64_t mark = last_within(text->marks.items, text->marks.count, wanted);
    int64_t at = max_i64(start, mark * MARK_BYTES);
    int64_t count = units_before(text, encoding, at);
    while (at < end && count + units(encoding, text->text.data[at]) <= wanted)
        count += units(encoding, text->text.data[at++]);
    return at;
}

int64_t offset_line(const LinedText *text, int64_t offset)
{
    return last_within(text->starts.items, text->starts.count, offset);
}

TextPosition offset_position(const LinedText *text, Encoding encoding, int64_t offset)
{
    offset = max_i64(0, min_i64(offset, text->text.len));
    int64_t line = offset_line(text, offset), start = text->starts.items[line];
    int64_t at = character_start(text->text, min_i64(offset, line_end(text, line)), start);
    return (TextPosition){line,
                          units_before(text, encoding, at) - units_before(text, encoding, start)};
}

// ---- texts and their names

// ---- names of files

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// "%2F" at `at`: the byte it stands for; -1: it is none.
static int coded_byte(Str uri, int64_t at)
{
    if (uri.data[at] != '%' || at + 2 >= uri.len)
        return -1;
    int high = hex_digit(uri.data[at + 1]), low = hex_digit(uri.data[at + 2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

// No path has a NUL in it: that stays coded.
static void add_byte(StrBuf *path, int byte)
{
    if (byte)
        buf_add_char(path, (char)byte);
    else
        buf_add(path, STR("%00"));
}

Str path_of_uri(Arena *arena, Str uri)
{
    static const Str scheme = {"file://", 7};
    StrBuf path = {.arena = arena};
    bool is_file = str_starts_with(uri, scheme);
    int64_t at = is_file ? scheme.len : 0;
    while (is_file && at < uri.len && uri.data[at] != '/') // the host, which is this one
        at++;
    for (; at < uri.len; at++) {
        int byte = is_file ? coded_byte(uri, at) : -1;
        add_byte(&path, byte >= 0 ? byte : (unsigned char)uri.data[at]);
        at += byte >= 0 ? 2 : 0;
    }
    return buf_str(&path);
}

Str uri_of_path(Arena *arena, Str path)
{
    static const char digits[] = "0123456789ABCDEF";
    StrBuf uri = {.arena = arena};
    buf_add(&uri, STR("file://"));
    for (int64_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.data[i];
        if (c < 0x80 && (isalnum(c) || strchr("/-._~", c)))
            buf_add_char(&uri, (char)c);
        else
            buf_add(&uri, (Str){(char[]){'%', digits[c / 16], digits[c % 16]}, 3});
    }
    return buf_str(&uri);
}

// ---- texts

static void document_set_text(Document *document, Str text)
{
    Arena arena = {.on_oom = document->arena.on_oom};
    LinedText lined = lined_text(&arena, str_copy(&arena, text));
    arena_release(&document->arena);
    document->arena = arena;
    document->text = lined;
}

// Takes one of the changes of `textDocument/didChange`. False: it is none.
static bool document_change(Document *document, Encoding encoding, const json_t *change)
{
    const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
    TextPosition start, end;
    if (!json_is_string(text))
        return false;
    Str added = {json_string_value(text), (int64_t)json_string_length(text)};
    if (!range || json_is_null(range)) {
        document_set_text(document, added);
        return true;
    }
    if (!json_range(range, &start, &end))
        return false;
    Str before = document->text.text;
    int64_t from = position_offset(&document->text, encoding, start);
    int64_t to = max_i64(from, position_offset(&document->text, encoding, end));
    StrBuf whole = {.arena = &document->arena};
    buf_add(&whole, str_slice(before, 0, from));
    buf_add(&whole, added);
    buf_add(&whole, str_slice(before, to, before.len));
    document_set_text(document, buf_str(&whole));
    return true;
}

// ---- comments

static bool stands(Str text, int64_t at, int64_t end, char first, char second)
{
    return at + 1 < end && text.data[at] == first && text.data[at + 1] == second;
}

static int64_t line_comment_end(Str text, int64_t at, int64_t end)
{
    while (at < end && text.data[at] != '\n' && text.data[at] != '\r')
        at++;
    return at;
}

// One that is not closed ends where the next token is.
static int64_t block_comment_end(Str text, int64_t at, int64_t end)
{
    int64_t depth = 0;
    while (at < end) {
        bool opens = stands(text, at, end, '/', '*'), closes = stands(text, at, end, '*', '/');
        depth += opens - closes;
        at += opens || closes ? 2 : 1;
        if (!depth)
            return at;
    }
    return end;
}

void comments_between(Arena *arena, Str text, int64_t start, int64_t end, Comments *comments)
{
    for (int64_t at = start; at < end;) {
        bool is_line = stands(text, at, end, '/', '/');
        if (!is_line && !stands(text, at, end, '/', '*')) {
            at++;
            continue;
        }
        int64_t stop = is_line ? line_comment_end(text, at, end) : block_comment_end(text, at, end);
        *array_push(arena, comments, Comment) = (Comment){at, stop, is_line};
        at = stop;
    }
}

// ---- notices of the client

// What a client tells without asking: texts that open, change and close, and files on disk.

// Two URIs of a file may differ in what they encode.
Document *server_document(Server *server, Str uri)
{
    for (Document *document = server->documents; document; document = document->next)
        if (str_equal(document->uri, uri))
            return document;
    return uri.len ? server_document_at(server, path_of_uri(&server->arena, uri)) : NULL;
}

Str server_text(Server *server, Str uri)
{
    const Document *document = server_document(server, uri);
    return document ? document->text.text : (Str){"", 0};
}

void document_free(Document *document)
{
    arena_release(&document->arena);
    arena_release(&document->names);
    arena_release(&document->answers);
    free(document);
}

static Str uri_in(const json_t *params)
{
    return str_at(json_object_get(params, "textDocument"), "uri");
}

static void changed(Server *server, const Document *document)
{
    server_drop_requests(server, document->uri);
    crates_forget(server, document->path);
}

static Document *add_document(Server *server, Str uri)
{
    Document *document = calloc(1, sizeof *document);
    if (!document)
        longjmp(server->on_oom, 1);
    document->arena.on_oom = document->names.on_oom = document->answers.on_oom = &server->on_oom;
    document->next = server->documents;
    server->documents = document;
    document->uri = str_copy(&document->names, uri);
    document->path = path_of_uri(&document->names, uri);
    return document;
}

static void opened(Server *server, const json_t *params)
{
    const json_t *given = json_object_get(params, "textDocument");
    Str uri = uri_in(params);
    if (!uri.len || !json_is_string(json_object_get(given, "text")))
        return;
    Document *document = server_document(server, uri);
    if (!document)
        document = add_document(server, uri);
    document->version = json_integer_value(json_object_get(given, "version"));
    document_set_text(document, str_at(given, "text"));
    watch_look(server);
    changed(server, document);
    documents_unsettle(server);
    document->is_new = true;
}

static void edited(Server *server, const json_t *params)
{
    Document *document = server_document(server, uri_in(params));
    const json_t *changes = json_object_get(params, "contentChanges"), *change;
    size_t i;
    if (!document)
        return;
    json_array_foreach(changes, i, change)
    {
        if (!document_change(document, server->encoding, change))
            server_log(server, "a change of {} could not be made", document->uri);
    }
    const json_t *given = json_object_get(params, "textDocument");
    document->version = json_integer_value(json_object_get(given, "version"));
    changed(server, document);
}

static void closed(Server *server, const json_t *params)
{
    Document *document = server_document(server, uri_in(params));
    Document **at = &server->documents;
    while (*at && *at != document)
        at = &(*at)->next;
    if (*at) {
        *at = document->next;
        changed(server, document); // what is on disk counts from here on
        document_free(document);
    }
    watch_look(server);
    documents_unsettle(server);
    server->has_closed = true;
}

static void watched(Server *server, const json_t *params)
{
    const json_t *changes = json_object_get(params, "changes"), *change;
    size_t i;
    json_array_foreach(changes, i, change)
    {
        Str path = path_of_uri(&server->arena, str_at(change, "uri"));
        if (!server_document_at(server, path))
            crates_forget(server, path);
    }
    documents_unsettle(server);
}

static void saved(Server *server, const json_t *params)
{
    (void)params;
    watch_look(server);
}

static void initialized(Server *server, const json_t *params)
{
    (void)params;
    watch_open(server);
}

static void ignored(Server *server, const json_t *params)
{
    (void)server, (void)params;
}

static const struct {
    const char *method;
    void (*take)(Server *server, const json_t *params);
} notices[] = {
    {"textDocument/didOpen", opened},
    {"textDocument/didChange", edited},
    {"textDocument/didClose", closed},
    {"textDocument/didSave", saved},
    {"workspace/didChangeWatchedFiles", watched},
    {"workspace/didChangeConfiguration", ignored},
    {"workspace/didChangeWorkspaceFolders", workspace_change},
    {"window/workDoneProgress/cancel", job_cancel_progress},
    {"initialized", initialized},
};

bool server_take_notice(Server *server, const char *method, const json_t *params)
{
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++) {
        if (strcmp(notices[i].method, method) != 0)
            continue;
        notices[i].take(server, params);
        return true;
    }
    return false;
}

// Places of sources as the protocol has them.
#include "lsp/server/internal.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const LinedText *query_text(const Query *query, int32_t source)
{
    Analysis *analysis = query->analysis;
    Arena *arena = &analysis->contra->arena;
    while (analysis->texts.count <= source) // libraries are read when something names them
        *array_push(arena, &analysis->texts, LinedText *) = NULL;
    LinedText *text = analysis->texts.items[source];
    if (!text) {
        text = analysis->texts.items[source] = arena_new(arena, LinedText, 1);
        *text = lined_text(arena, analysis->contra->sources.items[source].text);
    }
    return text;
}

json_t *json_at(const json_t *value, const char *path)
{
    enum { KEY_BYTES = 64 };
    char key[KEY_BYTES];
    while (value && *path) {
        int length = (int)strcspn(path, "/");
        snprintf(key, sizeof key, "%.*s", length, path);
        value = json_object_get(value, key);
        path += length + (path[length] == '/');
    }
    return (json_t *)(uintptr_t)value;
}

Str str_at(const json_t *value, const char *path)
{
    return str_of_json(json_at(value, path));
}

bool json_position(const json_t *value, TextPosition *position)
{
    const json_t *line = json_at(value, "line"), *character = json_at(value, "character");
    if (!json_is_integer(line) || !json_is_integer(character))
        return false;
    *position = (TextPosition){json_integer_value(line), json_integer_value(character)};
    return true;
}

bool json_range(const json_t *range, TextPosition *start, TextPosition *end)
{
    return json_position(json_at(range, "start"), start) &&
           json_position(json_at(range, "end"), end);
}

void json_add_edit(json_t *edit, const char *uri, json_t *range, Str text)
{
    json_t *changes = json_object_get(edit, "changes");
    if (!json_object_get(changes, uri))
        json_object_set_new(changes, uri, json_array());
    json_array_append_new(json_object_get(changes, uri),
                          json_pack("{s:o, s:o}", "range", range, "newText", json_of_str(text)));
}

void json_remove(json_t *list, const json_t *value)
{
    size_t i = 0;
    while (i < json_array_size(list) && !json_equal(json_array_get(list, i), value))
        i++;
    json_array_remove(list, i);
}

json_t *json_of_position(TextPosition position)
{
    return json_pack("{s:I, s:I}", "line", (json_int_t)position.line, "character",
                     (json_int_t)position.character);
}

json_t *query_range(const Query *query, Span span)
{
    const LinedText *text = query_text(query, span.source);
    Encoding encoding = query->server->encoding;
    return json_pack("{s:o, s:o}", "start",
                     json_of_position(offset_position(text, encoding, span.start)), "end",
                     json_of_position(offset_position(text, encoding, span.end)));
}

Str query_uri(const Query *query, int32_t source)
{
    Str path = analysis_path(query->analysis, source);
    const Document *document = server_document_at(query->server, path);
    return document ? document->uri : uri_of_path(query->arena, path);
}

json_t *query_location(const Query *query, Span span)
{
    if (span.source < 0 || analysis_path(query->analysis, span.source).data[0] == '<')
        return NULL; // of the prelude
    return json_pack("{s:o, s:o}", "uri", json_of_str(query_uri(query, span.source)), "range",
                     query_range(query, span));
}

bool query_open(Query *query, Str uri)
{
    Str path = path_of_uri(query->arena, uri);
    Crate *crate = crate_reading(query->server, path);
    query->analysis = crate ? crate_analysis(query->server, crate) : NULL;
    query->source = query->analysis ? analysis_source(query->analysis, path) : -1;
    return query->source >= 0;
}

const Crate *query_check(Query *query)
{
    Crate *crate = crate_of_path(query->server, query->document->path);
    if (!crate_read(query->server, crate))
        return NULL;
    while (analysis_step(crate))
        ;
    query->analysis = crate->analysis;
    query->source = analysis_source(crate->analysis, query->document->path);
    return crate;
}

bool query_offsets(const Query *query, int64_t *start, int64_t *end)
{
    TextPosition first, last;
    const LinedText *text = &query->document->text;
    if (!json_range(json_at(query->params, "range"), &first, &last))
        return false;
    *start = position_offset(text, query->server->encoding, first);
    *end = position_offset(text, query->server->encoding, last);
    return true;
}

void json_add_new(json_t *list, size_t first, json_t *value)
{
    bool known = false;
    for (size_t i = 0; i < first && !known; i++)
        known = json_equal(json_array_get(list, i), value);
    if (!known)
        json_array_append(list, value);
    json_decref(value);
}

static json_t *json_of_bytes(Str text)
{
    static const Str unknown = {"\xef\xbf\xbd", 3};
    size_t room = (size_t)text.len * 3;
    char *whole = malloc(room + 1);
    size_t length = 0;
    for (int64_t at = 0; whole && at < text.len; at++) {
        int64_t good = utf8_fault(str_slice(text, at, text.len));
        memcpy(whole + length, text.data + at, (size_t)good);
        length += (size_t)good;
        at += good;
        if (at == text.len)
            break;
        memcpy(whole + length, unknown.data, (size_t)unknown.len);
        length += (size_t)unknown.len;
    }
    json_t *value = whole ? json_stringn(whole, length) : NULL;
    free(whole);
    return value;
}

json_t *json_of_str(Str text)
{
    json_t *value = json_stringn(text.data, (size_t)text.len);
    return value ? value : json_of_bytes(text);
}

// ---- texts

// Texts for people: Markdown, or for clients that do not show it the same without its signs.

// `|---|---|`, under the head of a table.
static bool is_ruler(Str line)
{
    bool dash = false;
    for (int64_t i = 0; i < line.len; i++) {
        if (!strchr("|-: ", line.data[i]))
            return false;
        dash |= line.data[i] == '-';
    }
    return dash && line.data[0] == '|';
}

// Up to the end of `[text](link)`, of which the text is kept; 0: it is none.
static int64_t add_link(StrBuf *out, Str text)
{
    int64_t close = str_find(text, STR("]("));
    int64_t end = close < 0 ? -1 : str_find(str_slice(text, close, text.len), STR(")"));
    if (end < 0)
        return 0;
    buf_add(out, str_slice(text, 1, close));
    return close + end + 1;
}

// `_words_` is for the eye; the `_` of a name is not.
static bool is_emphasis(Str line, int64_t at)
{
    bool after = at + 1 < line.len && line.data[at + 1] != ' ',
         before = at && line.data[at - 1] != ' ';
    return line.data[at] == '_' && before != after;
}

static void add_line(StrBuf *out, Str line)
{
    bool code = false;
    while (line.len && line.data[0] == '#')
        line = str_slice(line, 1, line.len);
    for (int64_t i = 0; i < line.len; i++) {
        int64_t link =
            !code && line.data[i] == '[' ? add_link(out, str_slice(line, i, line.len)) : 0;
        code ^= line.data[i] == '`';
        if (link)
            i += link - 1;
        else if (!code && str_starts_with(str_slice(line, i, line.len), STR("**")))
            i++;
        else if (!code && line.data[i] == '\\' && i + 1 < line.len)
            buf_add_char(out, line.data[++i]);
        else if (line.data[i] != '`' && (code || !is_emphasis(line, i)))
            buf_add_char(out, line.data[i]);
    }
    buf_add_char(out, '\n');
}

static Str plain_of_markdown(Arena *arena, Str text)
{
    StrBuf out = {.arena = arena};
    bool fenced = false;
    while (text.len) {
        const char *end = memchr(text.data, '\n', (size_t)text.len);
        Str line = str_slice(text, 0, end ? end - text.data : text.len);
        text = str_slice(text, end ? line.len + 1 : text.len, text.len);
        bool fence = str_starts_with(line, STR("```"));
        fenced ^= fence;
        if (fence || (!fenced && is_ruler(line)))
            continue;
        if (fenced)
            buf_format(&out, "{}\n", line);
        else
            add_line(&out, line);
    }
    return str_trim(buf_str(&out));
}

json_t *json_of_markup(const Query *query, MarkupPlace place, Str markdown)
{
    bool shown = query->server->client.markdown & 1U << place;
    Str text = shown ? markdown : plain_of_markdown(query->arena, markdown);
    return json_pack("{s:s, s:o}", "kind", shown ? "markdown" : "plaintext", "value",
                     json_of_str(text));
}

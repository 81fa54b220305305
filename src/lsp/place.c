// Places of sources as the protocol has them.
#include "lsp/internal.h"

#include "base/utf8.h"

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
    Str path = query->analysis->contra->sources.items[source].name;
    const Document *document = server_document_at(query->server, path);
    return document ? document->uri : uri_of_path(query->arena, path);
}

json_t *query_location(const Query *query, Span span)
{
    if (span.source < 0 || query->analysis->contra->sources.items[span.source].name.data[0] == '<')
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

bool query_offsets(const Query *query, const json_t *range, int64_t *start, int64_t *end)
{
    TextPosition first, last;
    const LinedText *text = &query->document->text;
    if (!json_position(json_object_get(range, "start"), &first) ||
        !json_position(json_object_get(range, "end"), &last))
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

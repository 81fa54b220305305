#include "lsp/document.h"

#include "base/checked.h"

#include <ctype.h>
#include <string.h>

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
    StrBuf uri = {.arena = arena};
    buf_add(&uri, STR("file://"));
    for (int64_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.data[i];
        if (c < 0x80 && (isalnum(c) || strchr("/-._~", c)))
            buf_add_char(&uri, (char)c);
        else
            buf_format(&uri, c < 16 ? "%0{x}" : "%{x}", c);
    }
    return buf_str(&uri);
}

// ---- texts

void document_set_text(Document *document, Str text)
{
    Arena arena = {.on_oom = document->arena.on_oom};
    LinedText lined = lined_text(&arena, str_copy(&arena, text));
    arena_release(&document->arena);
    document->arena = arena;
    document->text = lined;
}

bool json_position(const json_t *value, TextPosition *position)
{
    const json_t *line = json_object_get(value, "line");
    const json_t *character = json_object_get(value, "character");
    if (!json_is_integer(line) || !json_is_integer(character))
        return false;
    *position = (TextPosition){json_integer_value(line), json_integer_value(character)};
    return true;
}

bool document_change(Document *document, Encoding encoding, const json_t *change)
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
    if (!json_position(json_object_get(range, "start"), &start) ||
        !json_position(json_object_get(range, "end"), &end))
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

// Texts for people: Markdown, or for clients that do not show it the same without its signs.
#include "lsp/internal.h"

#include <string.h>

static bool starts_with(Str line, const char *what)
{
    Str wanted = str_from(what);
    return line.len >= wanted.len && str_equal(str_slice(line, 0, wanted.len), wanted);
}

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
        else if (!code && starts_with(str_slice(line, i, line.len), "**"))
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
        bool fence = starts_with(line, "```");
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

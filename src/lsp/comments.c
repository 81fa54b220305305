#include "lsp/comments.h"

TokenList lex_silently(Arena *arena, Str text)
{
    DiagList diags = {.arena = arena};
    Mistakes silent = {.diags = &diags, .source = -1};
    return lex_text(arena, text, &silent);
}

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

// Halves of surrogate pairs: UTF-16 of editors may have one alone, as `\ud800` in a message, which
// no UTF-8 can say. U+FFFD stands for it, which counts as much in positions.
#include "lsp/internal.h"

#include <string.h>

typedef enum { ESCAPE_OTHER, ESCAPE_FIRST, ESCAPE_SECOND } Escape;

enum { ESCAPE_BYTES = 6 }; // of `\ud800`

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

// What the backslash at an offset begins.
static Escape escape_at(Str text, int64_t at)
{
    if (at + ESCAPE_BYTES > text.len || text.data[at] != '\\' || text.data[at + 1] != 'u' ||
        !is_one_of(text.data[at + 2], "dD"))
        return ESCAPE_OTHER;
    char kind = text.data[at + 3];
    if (is_one_of(kind, "89abAB"))
        return ESCAPE_FIRST;
    return is_one_of(kind, "cdefCDEF") ? ESCAPE_SECOND : ESCAPE_OTHER;
}

// The next one that has no partner; -1: there is none.
static int64_t lone_half(Str text, int64_t from)
{
    const char *found;
    for (int64_t at = from; at < text.len; at++) {
        found = memchr(text.data + at, '\\', (size_t)(text.len - at));
        if (!found)
            return -1;
        at = found - text.data;
        Escape escape = escape_at(text, at);
        bool is_pair =
            escape == ESCAPE_FIRST && escape_at(text, at + ESCAPE_BYTES) == ESCAPE_SECOND;
        if (escape != ESCAPE_OTHER && !is_pair)
            return at;
        at += is_pair ? 2 * ESCAPE_BYTES - 1 : 1; // `\\` is one character, too
    }
    return -1;
}

Str mend_surrogates(Arena *arena, Str message)
{
    int64_t at = lone_half(message, 0);
    if (at < 0)
        return message;
    char *mended = arena_copy(arena, message.data, (size_t)message.len);
    Str whole = {mended, message.len};
    for (; at >= 0; at = lone_half(whole, at + ESCAPE_BYTES))
        memcpy(mended + at, "\\ufffd", ESCAPE_BYTES);
    return whole;
}

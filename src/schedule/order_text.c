#include "schedule/order_text.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

// Where the next word begins, behind blanks and comments; or the end.
static int64_t next_word(Str text, int64_t at)
{
    bool is_comment = false;
    for (; at < text.len; at++) {
        char c = text.data[at];
        is_comment = (is_comment || c == '#') && c != '\n';
        if (!is_comment && !is_blank(c))
            break;
    }
    return at;
}

static int64_t word_end(Str text, int64_t at)
{
    while (at < text.len && !is_blank(text.data[at]) && text.data[at] != '#')
        at++;
    return at;
}

bool order_read(Arena *arena, DiagList *diags, Str name, Str text, OrderList *order)
{
    for (int64_t at = next_word(text, 0); at < text.len;) {
        int64_t end = word_end(text, at);
        Str word = str_slice(text, at, end);
        if (!str_to_i64(word, array_push(arena, order, int64_t))) {
            diag_add(diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                     "`%.*s` is no list of numbers: `%.*s`", STR_ARG(name), STR_ARG(word));
            return false;
        }
        at = next_word(text, end);
    }
    return true;
}

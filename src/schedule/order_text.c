#include "schedule/order_text.h"

#include "base/utf8.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

static bool is_digit_at(Str text, int64_t at)
{
    return at < text.len && text.data[at] >= '0' && text.data[at] <= '9';
}

// `#4` is an operation, as the summary prints it; any other `#` begins a comment.
static bool is_comment_at(Str text, int64_t at)
{
    return text.data[at] == '#' && !is_digit_at(text, at + 1);
}

// Where the next word begins, behind blanks and comments; or the end.
static int64_t next_word(Str text, int64_t at)
{
    bool is_comment = false;
    for (; at < text.len; at++) {
        is_comment = (is_comment || is_comment_at(text, at)) && text.data[at] != '\n';
        if (!is_comment && !is_blank(text.data[at]))
            break;
    }
    return at;
}

static int64_t word_end(Str text, int64_t at)
{
    do
        at++;
    while (at < text.len && !is_blank(text.data[at]) && text.data[at] != '#');
    return at;
}

bool order_read(Arena *arena, DiagList *diags, Str name, Str text, OrderList *order)
{
    for (int64_t at = next_word(text, 0); at < text.len;) {
        int64_t end = word_end(text, at);
        Str word = str_slice(text, at, end);
        Str number = str_slice(word, word.data[0] == '#', word.len);
        if (!str_to_i64(number, array_push(arena, order, int64_t))) {
            diag_add(diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                     "`%.*s` is no list of numbers: `%.*s`", STR_ARG(name),
                     STR_ARG(utf8_shown(arena, word)));
            return false;
        }
        at = next_word(text, end);
    }
    if (order->count)
        return true;
    Diag *diag = diag_add(diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE, "`%.*s` names no operation",
                          STR_ARG(name));
    diag_help(diag, "numbers of operations as in a schedule, such as `4 1` or `#4 #1`; `# ` begins "
                    "a comment");
    diag_help_typed(
        diag, "numbers of operations as `contra schedule` prints them, such as `4 1` or `#4 #1`; "
              "`# ` begins a comment");
    return false;
}

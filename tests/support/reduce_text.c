#include "reduce_text.h"

#include "base/checked.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    Arena *arena;
    Str text; // the smallest so far
    bool (*holds)(void *own, Str text);
    void *own;
    int64_t left; // attempts: what takes longer is small enough
} Reduction;

enum { MOST_ATTEMPTS = 2000 };

static bool attempt(Reduction *r, Str text)
{
    if (r->left == 0 || str_equal(text, r->text))
        return false;
    r->left--;
    if (!r->holds(r->own, text))
        return false;
    r->text = text;
    return true;
}

// The text with `middle` instead of the characters from `start` to `end`.
static Str exchange(Reduction *r, int64_t start, int64_t end, Str middle)
{
    StrBuf out = {.arena = r->arena};
    buf_add(&out, str_slice(r->text, 0, start));
    buf_add(&out, middle);
    buf_add(&out, str_slice(r->text, end, r->text.len));
    return buf_str(&out);
}

static int64_t line_end(Str text, int64_t at)
{
    while (at < text.len && text.data[at] != '\n')
        at++;
    return min_i64(at + 1, text.len);
}

// ---- lines

static bool drop_lines(Reduction *r)
{
    bool any = false;
    for (int64_t at = 0; at < r->text.len;) {
        int64_t end = line_end(r->text, at);
        if (attempt(r, exchange(r, at, end, STR(""))))
            any = true;
        else
            at = end;
    }
    return any;
}

static bool is_stage(Str text, int64_t at)
{
    return at < text.len && text.data[at] == ' ';
}

// A pass with all its stages.
static bool drop_passes(Reduction *r)
{
    bool any = false;
    for (int64_t at = 0; at < r->text.len;) {
        int64_t end = line_end(r->text, at);
        while (is_stage(r->text, end))
            end = line_end(r->text, end);
        if (attempt(r, exchange(r, at, end, STR(""))))
            any = true;
        else
            at = end;
    }
    return any;
}

// ---- lists

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Where the piece of a list that starts at `at` ends: at a comma or a bracket of its own depth.
static int64_t piece_end(Str text, int64_t at)
{
    int64_t depth = 0;
    for (; at < text.len && text.data[at] != '\n'; at++) {
        char c = text.data[at];
        if (depth == 0 && (c == ',' || c == ']' || c == ')' || c == '>'))
            return at;
        depth += c == '[' || c == '(';
        depth -= c == ']' || c == ')';
    }
    return at;
}

static bool names(Str piece, Str axis)
{
    for (int64_t i = 0; i + axis.len <= piece.len; i++)
        if (str_equal(str_slice(piece, i, i + axis.len), axis) &&
            (i == 0 || !is_word(piece.data[i - 1])) &&
            (i + axis.len == piece.len || !is_word(piece.data[i + axis.len])))
            return true;
    return false;
}

// `text` without the pieces of lists that name an axis: `1` where that leaves nothing. A piece with
// lists of its own is looked into.
static void copy_without(StrBuf *out, Str text, Str axis)
{
    for (int64_t at = 0; at < text.len;) {
        buf_add_char(out, text.data[at]);
        if (text.data[at++] != '[')
            continue;
        bool any = false;
        while (at < text.len && text.data[at] != ']') {
            int64_t end = piece_end(text, at);
            Str piece = str_trim(str_slice(text, at, end));
            bool has_lists = str_find(piece, STR("[")) >= 0;
            if (has_lists || !names(piece, axis)) {
                buf_add(out, any ? STR(", ") : STR(""));
                copy_without(out, piece, axis);
                any = true;
            }
            at = end;
            if (at >= text.len || text.data[at] != ',')
                break;
            at++;
        }
        if (!any)
            buf_add_char(out, '1');
    }
}

static bool drop_axes(Reduction *r)
{
    bool any = false;
    for (int64_t at = 0; at < r->text.len;) {
        int64_t end = line_end(r->text, at);
        Str line = str_slice(r->text, at, end);
        bool is_gone = false;
        if (str_starts_with(line, STR("axis "))) {
            int64_t stop = 5;
            while (stop < line.len && is_word(line.data[stop]))
                stop++;
            StrBuf out = {.arena = r->arena};
            Str axis = str_slice(line, 5, stop);
            copy_without(&out, exchange(r, at, end, STR("")), axis);
            is_gone = attempt(r, buf_str(&out));
        }
        any |= is_gone;
        at = is_gone ? at : end;
    }
    return any;
}

// Pieces between commas, one at a time.
static bool drop_pieces(Reduction *r)
{
    bool any = false;
    for (int64_t at = 0; at < r->text.len; at++) {
        char c = r->text.data[at];
        if (c == ',' && attempt(r, exchange(r, at, piece_end(r->text, at + 1), STR(""))))
            any = true;
        c = at < r->text.len ? r->text.data[at] : 0;
        if (c != '[' && c != '(')
            continue;
        int64_t end = piece_end(r->text, at + 1);
        bool last = end < r->text.len && r->text.data[end] != ',';
        any |= attempt(r, exchange(r, at + 1, last ? end : end + 1, last ? STR("1") : STR("")));
    }
    return any;
}

// ---- numbers

static bool is_number(Str text, int64_t at)
{
    return isdigit((unsigned char)text.data[at]) &&
           (at == 0 ||
            (!is_word(text.data[at - 1]) && text.data[at - 1] != '%' && text.data[at - 1] != '.'));
}

static bool lower_numbers(Reduction *r)
{
    bool any = false;
    for (int64_t at = 0; at < r->text.len; at++) {
        if (!is_number(r->text, at))
            continue;
        int64_t end = at, value, tries[4];
        while (end < r->text.len && is_word(r->text.data[end]))
            end++;
        if (!str_to_i64(str_slice(r->text, at, end), &value) || value == 0) {
            at = end;
            continue;
        }
        tries[0] = 0;
        tries[1] = 1;
        tries[2] = value / 2;
        tries[3] = value - 1;
        for (size_t i = 0; i < COUNT_OF(tries); i++)
            if (tries[i] < value &&
                attempt(r, exchange(r, at, end, str_format(r->arena, "{}", tries[i])))) {
                any = true;
                break;
            }
    }
    return any;
}

// All numbers of one value at once: sizes of axes and what they are cut by.
static bool lower_alike(Reduction *r)
{
    static const int64_t values[] = {256, 128, 64, 48, 32, 24, 16, 12, 8, 7, 6, 5, 4, 3};
    bool any = false;
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        StrBuf out = {.arena = r->arena};
        for (int64_t at = 0; at < r->text.len;) {
            int64_t end = at + 1, value = 0;
            if (is_number(r->text, at))
                while (end < r->text.len && is_word(r->text.data[end]))
                    end++;
            Str token = str_slice(r->text, at, end);
            if (str_to_i64(token, &value) && value == values[i])
                buf_format(&out, "{}", value / 2);
            else
                buf_add(&out, token);
            at = end;
        }
        any |= attempt(r, buf_str(&out));
    }
    return any;
}

Str reduce_text(Arena *arena, Str text, bool (*holds)(void *own, Str text), void *own)
{
    static bool (*const steps[])(Reduction *) = {drop_passes, drop_lines,    drop_axes,
                                                 drop_pieces, lower_numbers, lower_alike};
    Reduction r = {.arena = arena, .text = text, .holds = holds, .own = own, .left = MOST_ATTEMPTS};
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < COUNT_OF(steps); i++)
            any |= steps[i](&r);
    }
    return r.text;
}

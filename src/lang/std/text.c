// Texts as they are: what is found in them, their parts, other texts made of them.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/syntax/text.h"

#include <string.h>

static bool answer_text(Value *result, Str text)
{
    *result = value_text(text);
    return true;
}

// ---- patterns: a text, a character, several characters, a function

// Does the pattern fit at `at`? *length: how much of the text it takes.
static bool fits(const StdCall *call, Value pattern, Str text, int64_t at, int64_t *length)
{
    pattern = value_strip(pattern);
    if (pattern.kind == VALUE_STRING) {
        *length = pattern.text.len;
        return str_starts_with(str_slice(text, at, text.len), pattern.text);
    }
    if (at >= text.len)
        return false;
    int64_t behind = at;
    uint32_t c = text_decode(text, &behind);
    *length = behind - at;
    if (pattern.kind == VALUE_INT)
        return c == (uint32_t)pattern.integer;
    if (pattern.kind == VALUE_LIST) {
        for (int64_t i = 0; i < pattern.list->count; i++)
            if (value_strip(pattern.list->items[i]).integer == c)
                return true;
        return false;
    }
    bool known = true;
    Value argument = value_int(c);
    return std_ask(call, pattern, &argument, 1, &known) && known;
}

// The next match from `at` on; -1: none.
static int64_t find_next(const StdCall *call, Str text, int64_t at, int64_t *length)
{
    for (; at <= text.len; at++) {
        bool boundary = at == text.len || !text_is_inside(text.data[at]);
        if (boundary && fits(call, call->args[1], text, at, length))
            return at;
    }
    return -1;
}

static int64_t find_last(const StdCall *call, Str text, int64_t *length)
{
    for (int64_t at = text.len; at >= 0; at--) {
        bool boundary = at == text.len || !text_is_inside(text.data[at]);
        if (boundary && fits(call, call->args[1], text, at, length))
            return at;
    }
    return -1;
}

NATIVE(text_contains)
{
    Str text;
    int64_t length;
    if (!std_text(call, 0, &text))
        return false;
    *result = value_bool(find_next(call, text, 0, &length) >= 0);
    return true;
}

// The match that ends with the text; -1: none.
static int64_t suffix_at(const StdCall *call, Str text)
{
    for (int64_t at = text.len; at >= 0; at--) {
        int64_t length;
        bool boundary = at == text.len || !text_is_inside(text.data[at]);
        if (boundary && fits(call, call->args[1], text, at, &length) && at + length == text.len)
            return at;
    }
    return -1;
}

NATIVE(text_starts_with)
{
    Str text;
    int64_t length;
    if (!std_text(call, 0, &text))
        return false;
    *result = value_bool(call->op ? suffix_at(call, text) >= 0
                                  : fits(call, call->args[1], text, 0, &length));
    return true;
}

NATIVE(text_find)
{
    Str text;
    int64_t length;
    if (!std_text(call, 0, &text))
        return false;
    int64_t at = call->op ? find_last(call, text, &length) : find_next(call, text, 0, &length);
    *result = at >= 0 ? some_value(call->trace, value_int(at)) : none_value(call->trace);
    return true;
}

NATIVE(text_strip)
{
    Str text;
    int64_t length;
    if (!std_text(call, 0, &text))
        return false;
    *result = none_value(call->trace);
    int64_t suffix = call->op ? suffix_at(call, text) : -1;
    if (suffix >= 0)
        *result = some_value(call->trace, value_text(str_slice(text, 0, suffix)));
    if (!call->op && fits(call, call->args[1], text, 0, &length))
        *result = some_value(call->trace, value_text(str_slice(text, length, text.len)));
    return true;
}

// ---- splitting: the parts are found at once and given one by one

static void add_part(const StdCall *call, Value list, Str text, int64_t from, int64_t to)
{
    list_push(call->trace, list.list, value_text(str_slice(text, from, to)));
}

static void add_indexed_part(const StdCall *call, Value list, Str text, int64_t from, int64_t to)
{
    Value both[] = {value_int(from), value_text(str_slice(text, from, to))};
    list_push(call->trace, list.list, list_value(call->trace, both, 2));
}

static void split_text(const StdCall *call, Value list, Str text, int64_t most)
{
    int64_t start = 0, from = 0, length = 0;
    while (list.list->count + 1 < most) {
        int64_t at = find_next(call, text, from, &length);
        if (at < 0 || call->trace->flow != FLOW_ON)
            break;
        if (call->op == SPLIT_INDICES)
            add_indexed_part(call, list, text, at, at + length);
        else
            add_part(call, list, text, start, call->op == SPLIT_INCLUSIVE ? at + length : at);
        start = at + length;
        from = max_i64(start, at + 1);
        if (from > text.len)
            break;
    }
    bool left_out =
        call->op == SPLIT_INDICES ||
        (start >= text.len && (call->op == SPLIT_TERMINATED || call->op == SPLIT_INCLUSIVE));
    if (!left_out && most > 0)
        add_part(call, list, text, start, text.len);
}

static void split_white(const StdCall *call, Value list, Str text)
{
    for (int64_t at = 0, start = -1; at <= text.len;) {
        int64_t next = at;
        bool space = at >= text.len || char_is_space(text_decode(text, &next));
        if (space && start >= 0)
            add_part(call, list, text, start, at);
        start = space ? -1 : start < 0 ? at : start;
        at = max_i64(next, at + 1);
    }
}

static void split_lines(const StdCall *call, Value list, Str text)
{
    for (int64_t start = 0; start < text.len;) {
        int64_t end = start;
        while (end < text.len && text.data[end] != '\n')
            end++;
        bool carriage = end > start && end < text.len && text.data[end - 1] == '\r';
        add_part(call, list, text, start, end - carriage);
        start = end + 1;
    }
}

NATIVE(text_split)
{
    Str text;
    int64_t most = INT64_MAX;
    Value list = new_list(call->trace, 0);
    if (!std_text(call, 0, &text))
        return false;
    StdCall inner = *call;
    Value args[2] = {call->args[0], call->args[call->count - 1]};
    if (call->op == SPLIT_COUNTED) {
        if (!std_count(call, 1, &most))
            return false;
        inner.args = args;
        inner.count = 2;
    }
    if (call->op == SPLIT_WHITE)
        split_white(call, list, text);
    else if (call->op == SPLIT_LINES)
        split_lines(call, list, text);
    else
        split_text(&inner, list, text, most);
    *result = value_iter(iter_over_list(call->trace, list.list, false));
    return true;
}

NATIVE(text_trim)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    int64_t from = 0, to = text.len;
    while ((call->op & TRIM_START) && from < to) {
        int64_t behind = from;
        if (!char_is_space(text_decode(text, &behind)))
            break;
        from = behind;
    }
    while ((call->op & TRIM_END) && from < to) {
        int64_t at = to - 1;
        while (at > from && text_is_inside(text.data[at]))
            at--;
        int64_t behind = at;
        if (!char_is_space(text_decode(text, &behind)))
            break;
        to = at;
    }
    return answer_text(result, str_slice(text, from, to));
}

// ---- texts of other kinds

NATIVE(text_change_case)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    StrBuf out = {.arena = call->trace->lang->arena};
    bool ascii = strstr(call->name, "ascii");
    for (int64_t at = 0; at < text.len;) {
        uint32_t c = text_decode(text, &at);
        bool kept = ascii && c >= 0x80;
        if (!ascii && call->op == CASE_UPPER && c == 0xdf)
            buf_add(&out, STR("SS"));
        else
            text_encode(&out, kept ? c : call->op == CASE_UPPER ? char_upper(c) : char_lower(c));
    }
    return answer_text(result, buf_str(&out));
}

NATIVE(text_make_case)
{
    Value *place = std_place(call, 0);
    if (!place || !native_text_change_case(call, place))
        return false;
    return std_unit(result);
}

NATIVE(text_repeat)
{
    Str text;
    int64_t times;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &times))
        return false;
    Int128 length = (Int128)(uint64_t)times * text.len;
    if (!room_to_look(call->trace, length))
        return false;
    if (!room_for(call->trace, length, NULL, call->span))
        return true;
    StrBuf out = {.arena = call->trace->lang->arena};
    if (text.len)
        buf_repeat(&out, text, times);
    return answer_text(result, buf_str(&out));
}

NATIVE(text_same_text)
{
    Value value = std_arg(call, 0);
    if (value.kind == VALUE_INT) { // String::from('c')
        StrBuf out = {.arena = call->trace->lang->arena};
        text_encode(&out, (uint32_t)value.integer);
        return answer_text(result, buf_str(&out));
    }
    *result = copy_value(call->trace, value);
    return value.kind == VALUE_STRING;
}

NATIVE(text_iterate)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    bool bytes = strcmp(call->name, "bytes") == 0;
    *result = value_iter(iter_over_text(call->trace, text, bytes, call->op));
    return true;
}

NATIVE(text_as_bytes)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    Value list = new_list(call->trace, text.len);
    for (int64_t i = 0; i < text.len; i++)
        list_push(call->trace, list.list, value_int((uint8_t)text.data[i]));
    *result = call->op ? list : ref_to_value(call->trace, list);
    return true;
}

NATIVE(text_from_utf8)
{
    Value list = std_arg(call, 0);
    if (list.kind != VALUE_LIST)
        return false;
    StrBuf out = {.arena = call->trace->lang->arena};
    for (int64_t i = 0; i < list.list->count; i++)
        buf_add_char(&out, (char)value_strip(list.list->items[i]).integer);
    int64_t valid;
    bool good = text_is_valid(buf_str(&out), &valid);
    if (call->op == UTF8_CHECKED && !good) {
        Str words = str_format(call->trace->lang->arena,
                               "invalid utf-8 sequence of 1 bytes from index {}", valid);
        *result = err_value(
            call->trace,
            error_value(call->trace, str_terminated(call->trace->lang->arena, words), "Utf8Error"));
        return true;
    }
    if (!good) { // lossy
        StrBuf clean = {.arena = out.arena};
        for (int64_t at = 0; at < out.len;)
            text_encode(&clean, text_decode(buf_str(&out), &at));
        out = clean;
    }
    Value text = value_text(buf_str(&out));
    *result = call->op == UTF8_CHECKED ? ok_value(call->trace, text) : text;
    return true;
}

NATIVE(text_char_count)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    *result = call->op ? value_bool(text.len == 0) : value_int(text.len);
    return true;
}

NATIVE(text_get)
{
    Str text;
    Value range = std_arg(call, 1);
    if (!std_text(call, 0, &text) || range.kind != VALUE_RANGE)
        return false;
    uint64_t from, to, length = (uint64_t)text.len;
    bool there = range_places(range, text.len, &from, &to) && from <= to && to <= length &&
                 (from == length || !text_is_inside(text.data[from])) &&
                 (to == length || !text_is_inside(text.data[to]));
    *result = there
                  ? some_value(call->trace, value_text(str_slice(text, (int64_t)from, (int64_t)to)))
                  : none_value(call->trace);
    return true;
}

NATIVE(text_is_boundary)
{
    Str text;
    int64_t at;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &at))
        return false;
    *result =
        value_bool(at >= 0 && at <= text.len && (at == text.len || !text_is_inside(text.data[at])));
    return true;
}

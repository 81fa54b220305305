// Texts and characters: str, String, char. Letters are those of ASCII, and of Latin, Greek and
// Cyrillic as far as upper and lower case go.
#include "lang/std.h"

#include "base/checked.h"
#include "lang/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool answer_text(Value *result, Str text)
{
    *result = value_text(text);
    return true;
}

static Value *place_of(Value value)
{
    Value *place = NULL;
    for (int i = 0; i < 64 && value.kind == VALUE_REF; i++) {
        place = value.place;
        value = *place;
    }
    return place;
}

void text_append(Trace *trace, Value *string, Str more)
{
    enum { FIRST_BYTES = 32 };
    int64_t length = string->text.len + more.len;
    if (length > string->capacity) {
        int64_t capacity = max_i64(FIRST_BYTES, 2 * length);
        char *data = arena_new(trace->lang->arena, char, (size_t)capacity);
        if (string->text.len)
            memcpy(data, string->text.data, (size_t)string->text.len);
        string->text.data = data;
        string->capacity = capacity;
    }
    char *data = (char *)(uintptr_t)string->text.data; // of its own, as its capacity says
    if (more.len)
        memmove(data + string->text.len, more.data, (size_t)more.len);
    string->text.len = length;
}

// ---- characters

static uint32_t to_upper(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)toupper((int)c);
    if ((c >= 0xe0 && c <= 0xfe && c != 0xf7) || (c >= 0x3b1 && c <= 0x3c9 && c != 0x3c2) ||
        (c >= 0x430 && c <= 0x44f))
        return c - 0x20;
    return c == 0xff ? 0x178 : c >= 0x450 && c <= 0x45f ? c - 0x50 : c;
}

static uint32_t to_lower(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)tolower((int)c);
    if ((c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) ||
        (c >= 0x410 && c <= 0x42f))
        return c + 0x20;
    return c >= 0x400 && c <= 0x40f ? c + 0x50 : c;
}

static bool is_space(uint32_t c)
{
    return c == ' ' || (c >= 9 && c <= 13) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

static bool is_letter(uint32_t c)
{
    return c < 0x80 ? isalpha((int)c)
                    : (c >= 0xc0 && c != 0xd7 && c != 0xf7 && c < 0x2000) || c == 0xaa ||
                          c == 0xb5 || c == 0xba || (c >= 0x3041 && c < 0xe000);
}

static bool is_ascii(uint32_t c, int (*class)(int))
{
    return c < 0x80 && class((int)c);
}

enum {
    CHAR_ALPHABETIC,
    CHAR_NUMERIC,
    CHAR_ALPHANUMERIC,
    CHAR_WHITESPACE,
    CHAR_UPPERCASE,
    CHAR_LOWERCASE,
    CHAR_CONTROL,
    CHAR_ASCII,
    CHAR_ASCII_ALPHABETIC,
    CHAR_ASCII_DIGIT,
    CHAR_ASCII_HEXDIGIT,
    CHAR_ASCII_ALPHANUMERIC,
    CHAR_ASCII_UPPERCASE,
    CHAR_ASCII_LOWERCASE,
    CHAR_ASCII_PUNCTUATION,
    CHAR_ASCII_WHITESPACE,
    CHAR_ASCII_CONTROL,
    CHAR_ASCII_GRAPHIC,
};

static bool char_is(uint32_t c, int32_t class)
{
    switch (class) {
    case CHAR_ALPHABETIC:
        return is_letter(c);
    case CHAR_NUMERIC:
        return is_ascii(c, isdigit) || (c >= 0x660 && c <= 0x669);
    case CHAR_ALPHANUMERIC:
        return is_letter(c) || is_ascii(c, isdigit);
    case CHAR_WHITESPACE:
        return is_space(c);
    case CHAR_UPPERCASE:
        return c < 0x80 ? isupper((int)c) : to_lower(c) != c;
    case CHAR_LOWERCASE:
        return c < 0x80 ? islower((int)c) : to_upper(c) != c || c == 0xdf;
    case CHAR_CONTROL:
        return c < 0x20 || (c >= 0x7f && c < 0xa0);
    case CHAR_ASCII:
        return c < 0x80;
    case CHAR_ASCII_ALPHABETIC:
        return is_ascii(c, isalpha);
    case CHAR_ASCII_DIGIT:
        return is_ascii(c, isdigit);
    case CHAR_ASCII_HEXDIGIT:
        return is_ascii(c, isxdigit);
    case CHAR_ASCII_ALPHANUMERIC:
        return is_ascii(c, isalnum);
    case CHAR_ASCII_UPPERCASE:
        return is_ascii(c, isupper);
    case CHAR_ASCII_LOWERCASE:
        return is_ascii(c, islower);
    case CHAR_ASCII_PUNCTUATION:
        return is_ascii(c, ispunct);
    case CHAR_ASCII_WHITESPACE:
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    case CHAR_ASCII_CONTROL:
        return is_ascii(c, iscntrl);
    default:
        return is_ascii(c, isgraph);
    }
}

static bool ask_char(const StdCall *call, Value *result)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    *result = value_bool(char_is((uint32_t)c, call->op));
    return true;
}

static int64_t digit_of(uint32_t c, int64_t radix)
{
    int64_t digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'z' ? c - 'a' + 10
                    : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                           : 99;
    return digit < radix ? digit : -1;
}

static bool to_digit(const StdCall *call, Value *result)
{
    int64_t c, radix;
    if (!std_int(call, 0, &c) || !std_int(call, 1, &radix))
        return false;
    int64_t digit = digit_of((uint32_t)c, radix);
    *result = call->op     ? value_bool(digit >= 0)
              : digit >= 0 ? some_value(call->trace, value_int(digit))
                           : none_value(call->trace);
    return true;
}

static bool from_digit(const StdCall *call, Value *result)
{
    int64_t digit, radix;
    if (!std_int(call, 0, &digit) || !std_int(call, 1, &radix))
        return false;
    bool there = digit >= 0 && digit < radix && radix <= 36;
    *result =
        there ? some_value(call->trace, value_int("0123456789abcdefghijklmnopqrstuvwxyz"[digit]))
              : none_value(call->trace);
    return true;
}

static bool from_u32(const StdCall *call, Value *result)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    bool is_char = c >= 0 && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
    *result = is_char ? some_value(call->trace, value_int(c)) : none_value(call->trace);
    return true;
}

static bool char_same(const StdCall *call, Value *result)
{
    *result = std_arg(call, 0);
    return result->kind == VALUE_INT;
}

enum { CASE_UPPER, CASE_LOWER };

static bool char_case(const StdCall *call, Value *result)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    uint32_t turned = call->op == CASE_UPPER ? to_upper((uint32_t)c) : to_lower((uint32_t)c);
    bool single = type_is_prim(call->type, PRIM_char) || type_is_prim(call->type, PRIM_u8);
    if (single) { // to_ascii_uppercase
        *result = value_int(c < 0x80 ? (int64_t)turned : c);
        return true;
    }
    Value list = new_list(call->trace, 1);
    list_push(call->trace, list.list, value_int(turned));
    *result = value_iter(iter_over_list(call->trace, list.list, false));
    return true;
}

static bool len_utf8(const StdCall *call, Value *result)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    *result = value_int(c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
    return true;
}

static bool same_ascii_letters(const StdCall *call, Value *result)
{
    int64_t a, b;
    Str left, right;
    if (std_int(call, 0, &a) && std_int(call, 1, &b)) {
        *result =
            value_bool(a == b || (a < 0x80 && b < 0x80 && tolower((int)a) == tolower((int)b)));
        return true;
    }
    if (!std_text(call, 0, &left) || !std_text(call, 1, &right))
        return false;
    bool same = left.len == right.len;
    for (int64_t i = 0; same && i < left.len; i++)
        same = left.data[i] == right.data[i] ||
               (!((left.data[i] | right.data[i]) & 0x80) &&
                tolower((unsigned char)left.data[i]) == tolower((unsigned char)right.data[i]));
    *result = value_bool(same);
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

static bool contains(const StdCall *call, Value *result)
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

static bool starts_with(const StdCall *call, Value *result)
{
    Str text;
    int64_t length;
    if (!std_text(call, 0, &text))
        return false;
    *result = value_bool(call->op ? suffix_at(call, text) >= 0
                                  : fits(call, call->args[1], text, 0, &length));
    return true;
}

static bool find(const StdCall *call, Value *result)
{
    Str text;
    int64_t length;
    if (!std_text(call, 0, &text))
        return false;
    int64_t at = call->op ? find_last(call, text, &length) : find_next(call, text, 0, &length);
    *result = at >= 0 ? some_value(call->trace, value_int(at)) : none_value(call->trace);
    return true;
}

static bool strip(const StdCall *call, Value *result)
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

static bool replace(const StdCall *call, Value *result)
{
    Str text, with;
    int64_t most = INT64_MAX, at = 0;
    if (!std_text(call, 0, &text) || !std_text(call, 2, &with) ||
        (call->op && !std_int(call, 3, &most)))
        return false;
    StrBuf out = {.arena = call->trace->lang->arena};
    while (at <= text.len) {
        int64_t length = 0, found = most-- > 0 ? find_next(call, text, at, &length) : -1;
        int64_t to = found < 0 ? text.len : found;
        buf_add(&out, str_slice(text, at, to));
        if (found < 0)
            break;
        buf_add(&out, with);
        if (!length && found < text.len)
            buf_add_char(&out, text.data[found]);
        at = found + max_i64(1, length);
    }
    return answer_text(result, buf_str(&out));
}

// ---- splitting: the parts are found at once and given one by one

enum {
    SPLIT_PLAIN,
    SPLIT_BACK,       // rsplit
    SPLIT_TERMINATED, // no empty part behind the last separator
    SPLIT_INCLUSIVE,
    SPLIT_WHITE,
    SPLIT_LINES,
    SPLIT_COUNTED, // splitn
    SPLIT_MATCHES,
};

static void add_part(const StdCall *call, Value list, Str text, int64_t from, int64_t to)
{
    list_push(call->trace, list.list, value_text(str_slice(text, from, to)));
}

static void split_text(const StdCall *call, Value list, Str text, int64_t most)
{
    int64_t start = 0, from = 0, length = 0;
    while (list.list->count + 1 < most) {
        int64_t at = find_next(call, text, from, &length);
        if (at < 0 || call->trace->flow != FLOW_ON)
            break;
        if (call->op == SPLIT_MATCHES)
            add_part(call, list, text, at, at + length);
        else
            add_part(call, list, text, start, call->op == SPLIT_INCLUSIVE ? at + length : at);
        start = at + length;
        from = max_i64(start, at + 1);
        if (from > text.len)
            break;
    }
    bool left_out =
        call->op == SPLIT_MATCHES ||
        (start >= text.len && (call->op == SPLIT_TERMINATED || call->op == SPLIT_INCLUSIVE));
    if (!left_out && most > 0)
        add_part(call, list, text, start, text.len);
}

static void split_white(const StdCall *call, Value list, Str text)
{
    for (int64_t at = 0, start = -1; at <= text.len;) {
        int64_t next = at;
        bool space = at >= text.len || is_space(text_decode(text, &next));
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

static bool split(const StdCall *call, Value *result)
{
    Str text;
    int64_t most = INT64_MAX;
    Value list = new_list(call->trace, 0);
    if (!std_text(call, 0, &text))
        return false;
    StdCall inner = *call;
    Value args[2] = {call->args[0], call->args[call->count - 1]};
    if (call->op == SPLIT_COUNTED) {
        if (!std_int(call, 1, &most))
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
    Iter *iter = iter_over_list(call->trace, list.list, false);
    if (call->op == SPLIT_BACK) {
        Value back = new_list(call->trace, list.list->count), item;
        while (iter_next_back(call->trace, iter, &item))
            list_push(call->trace, back.list, item);
        iter = iter_over_list(call->trace, back.list, false);
    }
    *result = value_iter(iter);
    return true;
}

static bool split_once(const StdCall *call, Value *result)
{
    Str text;
    int64_t length;
    if (!std_text(call, 0, &text))
        return false;
    int64_t at = call->op ? find_last(call, text, &length) : find_next(call, text, 0, &length);
    *result = none_value(call->trace);
    if (at < 0)
        return true;
    Value both[] = {value_text(str_slice(text, 0, at)),
                    value_text(str_slice(text, at + length, text.len))};
    *result = some_value(call->trace, list_value(call->trace, both, 2));
    return true;
}

static bool split_at(const StdCall *call, Value *result)
{
    Str text;
    int64_t at;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at > text.len || (at < text.len && text_is_inside(text.data[at])))
        return std_panic(call, result, "failed to slice string");
    Value both[] = {value_text(str_slice(text, 0, at)), value_text(str_slice(text, at, text.len))};
    *result = list_value(call->trace, both, 2);
    return true;
}

enum { TRIM_START = 1, TRIM_END = 2, TRIM_BOTH = 3 };

// Of white space, or of what a pattern fits.
static bool trim(const StdCall *call, Value *result)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    bool spaces = call->count < 2;
    int64_t from = 0, to = text.len, length;
    while ((call->op & TRIM_START) && from < to) {
        int64_t behind = from;
        uint32_t c = text_decode(text, &behind);
        if (spaces ? !is_space(c) : !fits(call, call->args[1], text, from, &length))
            break;
        from = spaces ? behind : from + max_i64(1, length);
    }
    while ((call->op & TRIM_END) && from < to) {
        Str left = str_slice(text, 0, to);
        int64_t at = to;
        do
            at--;
        while (at > from && text_is_inside(text.data[at]));
        int64_t c_at = at, suffix = spaces ? at : suffix_at(call, left);
        if (spaces ? !is_space(text_decode(text, &c_at)) : suffix < from || suffix == to)
            break;
        to = suffix;
    }
    return answer_text(result, str_slice(text, from, max_i64(from, to)));
}

// ---- texts of other kinds

static bool change_case(const StdCall *call, Value *result)
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
            text_encode(&out, kept ? c : call->op == CASE_UPPER ? to_upper(c) : to_lower(c));
    }
    return answer_text(result, buf_str(&out));
}

static bool make_case(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]);
    if (!place || !change_case(call, place))
        return false;
    *result = unit_value();
    return true;
}

static bool repeat(const StdCall *call, Value *result)
{
    Str text;
    int64_t times;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &times))
        return false;
    StrBuf out = {.arena = call->trace->lang->arena};
    buf_repeat(&out, text, times);
    return answer_text(result, buf_str(&out));
}

static bool same_text(const StdCall *call, Value *result)
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

static bool iterate(const StdCall *call, Value *result)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    bool bytes = strcmp(call->name, "bytes") == 0;
    *result = value_iter(iter_over_text(call->trace, text, bytes, call->op));
    return true;
}

static bool as_bytes(const StdCall *call, Value *result)
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

enum { UTF8_CHECKED, UTF8_LOSSY, UTF8_TRUSTED };

static bool from_utf8(const StdCall *call, Value *result)
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
        Str words =
            str_format(call->trace->lang->arena,
                       "invalid utf-8 sequence of 1 bytes from index %lld", (long long)valid);
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

static bool char_count(const StdCall *call, Value *result)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    *result = call->op ? value_bool(text.len == 0) : value_int(text.len);
    return true;
}

static bool get(const StdCall *call, Value *result)
{
    Str text;
    Value range = std_arg(call, 1);
    if (!std_text(call, 0, &text) || range.kind != VALUE_RANGE)
        return false;
    int64_t from = range.range.low, to = range.range.open ? text.len : range.range.high;
    bool there = from >= 0 && from <= to && to <= text.len &&
                 (from == text.len || !text_is_inside(text.data[from])) &&
                 (to == text.len || !text_is_inside(text.data[to]));
    *result = there ? some_value(call->trace, value_text(str_slice(text, from, to)))
                    : none_value(call->trace);
    return true;
}

static bool is_boundary(const StdCall *call, Value *result)
{
    Str text;
    int64_t at;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &at))
        return false;
    *result =
        value_bool(at >= 0 && at <= text.len && (at == text.len || !text_is_inside(text.data[at])));
    return true;
}

static bool is_all_ascii(const StdCall *call, Value *result)
{
    Str text;
    bool all = true;
    if (!std_text(call, 0, &text))
        return false;
    for (int64_t i = 0; i < text.len; i++)
        all &= (uint8_t)text.data[i] < 0x80;
    *result = value_bool(all);
    return true;
}

// ---- growing

static bool new_text(const StdCall *call, Value *result)
{
    (void)call;
    return answer_text(result, STR(""));
}

static bool push(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]), more = std_arg(call, 1);
    if (!place || place->kind != VALUE_STRING)
        return false;
    StrBuf one = {.arena = call->trace->lang->arena};
    if (more.kind == VALUE_INT)
        text_encode(&one, (uint32_t)more.integer);
    text_append(call->trace, place, more.kind == VALUE_INT ? buf_str(&one) : more.text);
    *result = unit_value();
    return more.kind == VALUE_INT || more.kind == VALUE_STRING;
}

static bool extend(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]), item;
    Iter *iter = iter_arg(call, 1);
    if (!place || place->kind != VALUE_STRING || !iter)
        return false;
    while (iter_next(call->trace, iter, &item)) {
        item = value_strip(item);
        StrBuf one = {.arena = call->trace->lang->arena};
        if (item.kind == VALUE_INT)
            text_encode(&one, (uint32_t)item.integer);
        text_append(call->trace, place, item.kind == VALUE_INT ? buf_str(&one) : item.text);
    }
    *result = unit_value();
    return true;
}

static bool pop(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]);
    if (!place || place->kind != VALUE_STRING)
        return false;
    *result = none_value(call->trace);
    int64_t at = place->text.len;
    if (!at)
        return true;
    do
        at--;
    while (at > 0 && text_is_inside(place->text.data[at]));
    int64_t behind = at;
    *result = some_value(call->trace, value_int(text_decode(place->text, &behind)));
    place->text.len = at;
    return true;
}

// The text in between is replaced: insert, insert_str, remove, replace_range.
static void splice(const StdCall *call, Value *place, int64_t from, int64_t to, Str with)
{
    StrBuf out = {.arena = call->trace->lang->arena};
    buf_add(&out, str_slice(place->text, 0, from));
    buf_add(&out, with);
    buf_add(&out, str_slice(place->text, to, place->text.len));
    *place = value_text(buf_str(&out));
}

static bool insert(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]), more = std_arg(call, 2);
    int64_t at;
    if (!place || place->kind != VALUE_STRING || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at > place->text.len ||
        (at < place->text.len && text_is_inside(place->text.data[at])))
        return std_panic(call, result, "assertion failed: self.is_char_boundary(idx)");
    StrBuf one = {.arena = call->trace->lang->arena};
    if (more.kind == VALUE_INT)
        text_encode(&one, (uint32_t)more.integer);
    splice(call, place, at, at, more.kind == VALUE_INT ? buf_str(&one) : more.text);
    *result = unit_value();
    return true;
}

static bool remove_char(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]);
    int64_t at;
    if (!place || place->kind != VALUE_STRING || !std_int(call, 1, &at))
        return false;
    if (at < 0 || at >= place->text.len)
        return std_panic(call, result, "cannot remove a char from the end of a string");
    int64_t behind = at;
    *result = value_int(text_decode(place->text, &behind));
    splice(call, place, at, behind, STR(""));
    return true;
}

static bool truncate(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]);
    int64_t length = 0;
    if (!place || place->kind != VALUE_STRING || (call->op && !std_int(call, 1, &length)))
        return false;
    place->text.len = min_i64(place->text.len, max_i64(0, length));
    *result = unit_value();
    return true;
}

static bool retain(const StdCall *call, Value *result)
{
    Value *place = place_of(call->args[0]);
    bool known = true;
    if (!place || place->kind != VALUE_STRING)
        return false;
    StrBuf out = {.arena = call->trace->lang->arena};
    for (int64_t at = 0; at < place->text.len;) {
        uint32_t c = text_decode(place->text, &at);
        Value argument = value_int(c);
        if (std_ask(call, call->args[1], &argument, 1, &known))
            text_encode(&out, c);
    }
    *place = value_text(buf_str(&out));
    *result = unit_value();
    return known;
}

// ---- numbers in texts

static Value int_error(Trace *trace, const char *kind, const char *words)
{
    Str debug = str_format(trace->lang->arena, "ParseIntError { kind: %s }", kind);
    return err_value(trace, error_value(trace, words, str_terminated(trace->lang->arena, debug)));
}

// Digits with a sign, of a type. What is wrong comes as the error.
static Value parse_integer(Trace *trace, Str text, int64_t radix, Type *type)
{
    bool no_sign = is_unsigned(type);
    int64_t at = 0;
    if (!text.len)
        return int_error(trace, "Empty", "cannot parse integer from empty string");
    bool minus = text.data[0] == '-' && !no_sign;
    if (minus || text.data[0] == '+')
        at++;
    if (at >= text.len)
        return int_error(trace, "InvalidDigit", "invalid digit found in string");
    uint64_t value = 0;
    bool over = false;
    for (; at < text.len; at++) {
        int64_t digit = digit_of((uint8_t)text.data[at], radix);
        if (digit < 0)
            return int_error(trace, "InvalidDigit", "invalid digit found in string");
        over |= __builtin_mul_overflow(value, (uint64_t)radix, &value);
        over |= __builtin_add_overflow(value, (uint64_t)digit, &value);
    }
    Value most = number_limit(type, "MAX");
    uint64_t limit = most.kind == VALUE_INT ? (uint64_t)most.integer : UINT64_MAX >> !no_sign;
    if (over || value > limit + minus)
        return minus ? int_error(trace, "NegOverflow", "number too small to fit in target type")
                     : int_error(trace, "PosOverflow", "number too large to fit in target type");
    return ok_value(trace, value_int((int64_t)(minus ? -value : value)));
}

static bool is_float_text(Str text)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    int64_t at = text.len && (text.data[0] == '-' || text.data[0] == '+'), digits = 0;
    Str rest = str_slice(text, at, text.len);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (rest.len == (int64_t)strlen(words[i]) &&
            strncasecmp(rest.data, words[i], (size_t)rest.len) == 0)
            return true;
    for (; at < text.len && isdigit((unsigned char)text.data[at]); at++)
        digits++;
    if (at < text.len && text.data[at] == '.')
        for (at++; at < text.len && isdigit((unsigned char)text.data[at]); at++)
            digits++;
    if (!digits)
        return false;
    if (at < text.len && (text.data[at] | 0x20) == 'e') {
        at++;
        at += at < text.len && (text.data[at] == '-' || text.data[at] == '+');
        int64_t start = at;
        while (at < text.len && isdigit((unsigned char)text.data[at]))
            at++;
        if (at == start)
            return false;
    }
    return at == text.len;
}

static Value parse_real(Trace *trace, Str text, bool single)
{
    if (!is_float_text(text))
        return err_value(trace, error_value(trace,
                                            text.len ? "invalid float literal"
                                                     : "cannot parse float from empty string",
                                            text.len ? "ParseFloatError { kind: Invalid }"
                                                     : "ParseFloatError { kind: Empty }"));
    const char *terminated = str_terminated(trace->lang->arena, text);
    return ok_value(
        trace, value_real(single ? (double)strtof(terminated, NULL) : strtod(terminated, NULL)));
}

static Value parse_other(Trace *trace, Str text, Type *type, bool *known)
{
    if (type_is_named(type, "String"))
        return ok_value(trace, value_text(text));
    if (type_is_prim(type, PRIM_bool)) {
        bool yes = str_equal(text, STR("true")), no = str_equal(text, STR("false"));
        return yes || no ? ok_value(trace, value_bool(yes))
                         : err_value(trace,
                                     error_value(trace, "provided string was not `true` or `false`",
                                                 "ParseBoolError"));
    }
    if (type_is_prim(type, PRIM_char)) {
        int64_t at = 0;
        uint32_t c = text.len ? text_decode(text, &at) : 0;
        if (text.len && at == text.len)
            return ok_value(trace, value_int(c));
        return err_value(trace, error_value(trace,
                                            text.len ? "too many characters in string"
                                                     : "cannot parse char from empty string",
                                            text.len ? "CharErrorKind::TooManyChars"
                                                     : "CharErrorKind::EmptyString"));
    }
    const Decl *own = user_method(trace, type, "from_str");
    *known = own;
    Value argument = value_text(text);
    return own ? call_method(trace, own, type, &argument, 1) : VALUE_NOTHING;
}

static bool parse(const StdCall *call, Value *result)
{
    Str text;
    Type *type = std_generic(call, 0);
    bool known = true;
    if (!type || !std_text(call, 0, &text))
        return false;
    const PrimInfo *prim =
        type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM ? &prims[type->decl->prim] : NULL;
    bool integer = prim && (prim->class == PRIM_INT || prim->class == PRIM_UINT);
    *result = integer                             ? parse_integer(call->trace, text, 10, type)
              : prim && prim->class == PRIM_FLOAT ? parse_real(call->trace, text, prim->bits == 32)
                                                  : parse_other(call->trace, text, type, &known);
    return known;
}

static bool from_str_radix(const StdCall *call, Value *result)
{
    Str text;
    int64_t radix;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &radix))
        return false;
    *result = parse_integer(call->trace, text, radix, call->self);
    return true;
}

static bool from_str(const StdCall *call, Value *result)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    *result = type_strip(call->self)->decl->prim == PRIM_f32 ||
                      type_strip(call->self)->decl->prim == PRIM_f64
                  ? parse_real(call->trace, text, type_is_prim(type_strip(call->self), PRIM_f32))
                  : parse_integer(call->trace, text, 10, call->self);
    return true;
}

#define CHARS(name, class)            \
    {                                 \
        "char", name, ask_char, class \
    }
#define BYTES(name, class)               \
    {"char", name, ask_char, class},     \
    {                                    \
        "Integer", name, ask_char, class \
    }

const StdRow std_text_rows[] = {
    CHARS("is_alphabetic", CHAR_ALPHABETIC),
    CHARS("is_numeric", CHAR_NUMERIC),
    CHARS("is_alphanumeric", CHAR_ALPHANUMERIC),
    CHARS("is_whitespace", CHAR_WHITESPACE),
    CHARS("is_uppercase", CHAR_UPPERCASE),
    CHARS("is_lowercase", CHAR_LOWERCASE),
    CHARS("is_control", CHAR_CONTROL),
    BYTES("is_ascii", CHAR_ASCII),
    BYTES("is_ascii_alphabetic", CHAR_ASCII_ALPHABETIC),
    BYTES("is_ascii_digit", CHAR_ASCII_DIGIT),
    BYTES("is_ascii_hexdigit", CHAR_ASCII_HEXDIGIT),
    BYTES("is_ascii_alphanumeric", CHAR_ASCII_ALPHANUMERIC),
    BYTES("is_ascii_uppercase", CHAR_ASCII_UPPERCASE),
    BYTES("is_ascii_lowercase", CHAR_ASCII_LOWERCASE),
    BYTES("is_ascii_punctuation", CHAR_ASCII_PUNCTUATION),
    BYTES("is_ascii_whitespace", CHAR_ASCII_WHITESPACE),
    BYTES("is_ascii_control", CHAR_ASCII_CONTROL),
    BYTES("is_ascii_graphic", CHAR_ASCII_GRAPHIC),
    {"char", "to_digit", to_digit, false},
    {"char", "is_digit", to_digit, true},
    {"char", "from_digit", from_digit, 0},
    {"char", "from_u32", from_u32, 0},
    {"char", "from", char_same, 0},
    {"char", "to_uppercase", char_case, CASE_UPPER},
    {"char", "to_lowercase", char_case, CASE_LOWER},
    {"char", "to_ascii_uppercase", char_case, CASE_UPPER},
    {"char", "to_ascii_lowercase", char_case, CASE_LOWER},
    {"Integer", "to_ascii_uppercase", char_case, CASE_UPPER},
    {"Integer", "to_ascii_lowercase", char_case, CASE_LOWER},
    {"char", "len_utf8", len_utf8, 0},
    {"char", "eq_ignore_ascii_case", same_ascii_letters, 0},
    {"str", "eq_ignore_ascii_case", same_ascii_letters, 0},
    {"str", "len", char_count, false},
    {"str", "is_empty", char_count, true},
    {"str", "is_ascii", is_all_ascii, 0},
    {"str", "contains", contains, 0},
    {"str", "starts_with", starts_with, false},
    {"str", "ends_with", starts_with, true},
    {"str", "find", find, false},
    {"str", "rfind", find, true},
    {"str", "strip_prefix", strip, false},
    {"str", "strip_suffix", strip, true},
    {"str", "replace", replace, false},
    {"str", "replacen", replace, true},
    {"str", "split", split, SPLIT_PLAIN},
    {"str", "rsplit", split, SPLIT_BACK},
    {"str", "split_terminator", split, SPLIT_TERMINATED},
    {"str", "split_inclusive", split, SPLIT_INCLUSIVE},
    {"str", "split_whitespace", split, SPLIT_WHITE},
    {"str", "split_ascii_whitespace", split, SPLIT_WHITE},
    {"str", "lines", split, SPLIT_LINES},
    {"str", "splitn", split, SPLIT_COUNTED},
    {"str", "matches", split, SPLIT_MATCHES},
    {"str", "split_once", split_once, false},
    {"str", "rsplit_once", split_once, true},
    {"str", "split_at", split_at, 0},
    {"str", "trim", trim, TRIM_BOTH},
    {"str", "trim_start", trim, TRIM_START},
    {"str", "trim_end", trim, TRIM_END},
    {"str", "trim_matches", trim, TRIM_BOTH},
    {"str", "trim_start_matches", trim, TRIM_START},
    {"str", "trim_end_matches", trim, TRIM_END},
    {"str", "to_uppercase", change_case, CASE_UPPER},
    {"str", "to_lowercase", change_case, CASE_LOWER},
    {"str", "to_ascii_uppercase", change_case, CASE_UPPER},
    {"str", "to_ascii_lowercase", change_case, CASE_LOWER},
    {"str", "make_ascii_uppercase", make_case, CASE_UPPER},
    {"str", "make_ascii_lowercase", make_case, CASE_LOWER},
    {"str", "repeat", repeat, 0},
    {"str", "to_string", same_text, 0},
    {"str", "to_owned", same_text, 0},
    {"str", "as_str", same_text, 0},
    {"str", "as_ref", same_text, 0},
    {"str", "into_string", same_text, 0},
    {"str", "chars", iterate, false},
    {"str", "char_indices", iterate, true},
    {"str", "bytes", iterate, false},
    {"str", "as_bytes", as_bytes, false},
    {"str", "get", get, 0},
    {"str", "is_char_boundary", is_boundary, 0},
    {"str", "parse", parse, 0},
    {"str", "from_utf8", from_utf8, UTF8_CHECKED}, // std::str::from_utf8
    {"String", "from_utf8", from_utf8, UTF8_CHECKED},
    {"String", "from_utf8_lossy", from_utf8, UTF8_LOSSY},
    {"String", "new", new_text, 0},
    {"String", "with_capacity", new_text, 0},
    {"String", "from", same_text, 0},
    {"String", "as_str", same_text, 0},
    {"String", "as_mut_str", same_text, 0},
    {"String", "into_boxed_str", same_text, 0},
    {"String", "into_bytes", as_bytes, true},
    {"String", "push", push, 0},
    {"String", "push_str", push, 0},
    {"String", "extend", extend, 0},
    {"String", "pop", pop, 0},
    {"String", "insert", insert, 0},
    {"String", "insert_str", insert, 0},
    {"String", "remove", remove_char, 0},
    {"String", "truncate", truncate, true},
    {"String", "clear", truncate, false},
    {"String", "retain", retain, 0},
    {"Integer", "from_str_radix", from_str_radix, 0},
    {"Integer", "from_str", from_str, 0},
    {"Float", "from_str", from_str, 0},
    {0},
};

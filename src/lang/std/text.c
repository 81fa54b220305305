// Characters and texts: str, String, and numbers in texts. Upper and lower case are known for
// ASCII, Latin, Greek and Cyrillic letters.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/eval/whole.h"
#include "lang/syntax/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ---- characters

static uint32_t char_upper(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)toupper((int)c);
    if ((c >= 0xe0 && c <= 0xfe && c != 0xf7) || (c >= 0x3b1 && c <= 0x3c9 && c != 0x3c2) ||
        (c >= 0x430 && c <= 0x44f))
        return c - 0x20;
    return c == 0xff ? 0x178 : c >= 0x450 && c <= 0x45f ? c - 0x50 : c;
}

static uint32_t char_lower(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)tolower((int)c);
    if ((c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) ||
        (c >= 0x410 && c <= 0x42f))
        return c + 0x20;
    return c >= 0x400 && c <= 0x40f ? c + 0x50 : c;
}

static bool char_is_space(uint32_t c)
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
        return char_is_space(c);
    case CHAR_UPPERCASE:
        return c < 0x80 ? isupper((int)c) : char_lower(c) != c;
    case CHAR_LOWERCASE:
        return c < 0x80 ? islower((int)c) : char_upper(c) != c || c == 0xdf;
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

NATIVE(char_is)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    *result = value_bool(char_is((uint32_t)c, call->op));
    return true;
}

// -1: it is none.
static int64_t char_digit(uint32_t c, int64_t radix)
{
    int64_t digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'z' ? c - 'a' + 10
                    : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                           : 99;
    return digit < radix ? digit : -1;
}

enum { MOST_RADIX = 36 };

NATIVE(char_to_digit)
{
    int64_t c, radix;
    if (!std_int(call, 0, &c) || !std_int(call, 1, &radix))
        return false;
    if (radix < 2 || radix > MOST_RADIX)
        return std_panic(call, result,
                         "to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive");
    int64_t digit = char_digit((uint32_t)c, radix);
    *result = digit >= 0 ? some_value(call->trace, value_int(digit)) : none_value(call->trace);
    return true;
}

NATIVE(char_from_u32)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    bool is_char = c >= 0 && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
    return std_option(call, is_char, value_int(c), result);
}

NATIVE(char_same)
{
    *result = std_arg(call, 0);
    return result->kind == VALUE_INT;
}

NATIVE(char_case)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    uint32_t turned = call->op == CASE_UPPER ? char_upper((uint32_t)c) : char_lower((uint32_t)c);
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

// The parts between the matches of a pattern, or each match with its place.
static void split_text(const StdCall *call, Value list, Str text)
{
    int64_t start = 0, length = 0;
    for (int64_t from = 0; from <= text.len; from = max_i64(start, from + 1)) {
        from = find_next(call, text, from, &length);
        if (from < 0 || call->trace->flow != FLOW_ON)
            break;
        Value match[] = {value_int(from), value_text(str_slice(text, from, from + length))};
        if (call->op == SPLIT_INDICES)
            list_push(call->trace, list.list, list_value(call->trace, match, 2));
        else
            add_part(call, list, text, start, from);
        start = from + length;
    }
    if (call->op != SPLIT_INDICES)
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
    Value list = new_list(call->trace, 0);
    if (!std_text(call, 0, &text))
        return false;
    if (call->op == SPLIT_WHITE)
        split_white(call, list, text);
    else if (call->op == SPLIT_LINES)
        split_lines(call, list, text);
    else
        split_text(call, list, text);
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

bool text_ends_at(Str text, uint64_t at)
{
    uint64_t length = (uint64_t)text.len;
    return at == length || (at < length && !text_is_inside(text.data[at]));
}

NATIVE(text_get)
{
    Str text;
    uint64_t from, to;
    Value range = std_arg(call, 1), part = VALUE_NOTHING;
    if (!std_text(call, 0, &text) || range.kind != VALUE_RANGE)
        return false;
    bool there = range_places(range, text.len, &from, &to) && from <= to &&
                 text_ends_at(text, from) && text_ends_at(text, to);
    if (there)
        part = value_text(str_slice(text, (int64_t)from, (int64_t)to));
    return std_option(call, there, part, result);
}

NATIVE(text_is_boundary)
{
    Str text;
    int64_t at;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &at))
        return false;
    *result = value_bool(text_ends_at(text, (uint64_t)at));
    return true;
}

// ---- String

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

NATIVE(text_new_text)
{
    int64_t capacity = 0;
    if (call->count)
        std_int(call, 0, &capacity);
    *result = value_text(STR(""));
    room_for(call->trace, (uint64_t)capacity, NULL, call->span);
    return true;
}

NATIVE(text_push)
{
    Value *place = std_place(call, 0), more = std_arg(call, 1);
    if (!place || place->kind != VALUE_STRING)
        return false;
    StrBuf one = {.arena = call->trace->lang->arena};
    if (more.kind == VALUE_INT)
        text_encode(&one, (uint32_t)more.integer);
    text_append(call->trace, place, more.kind == VALUE_INT ? buf_str(&one) : more.text);
    *result = unit_value();
    return more.kind == VALUE_INT || more.kind == VALUE_STRING;
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

NATIVE(text_truncate)
{
    Value *place = std_place(call, 0);
    int64_t length;
    if (!place || place->kind != VALUE_STRING || !std_count(call, 1, &length))
        return false;
    if (length < place->text.len && text_is_inside(place->text.data[length]))
        return std_panic(call, result, "assertion failed: self.is_char_boundary(new_len)");
    place->text.len = min_i64(place->text.len, length);
    return std_unit(result);
}

// drain, replace_range
NATIVE(text_take_range)
{
    Value *place = std_place(call, 0), range = std_arg(call, 1);
    uint64_t from, to;
    if (!place || place->kind != VALUE_STRING || range.kind != VALUE_RANGE)
        return false;
    Str text = place->text, with = STR("");
    if (call->op == RANGE_REPLACE && !std_text(call, 2, &with))
        return false;
    if (!range_places(range, text.len, &from, &to) || from > to || !text_ends_at(text, from) ||
        !text_ends_at(text, to))
        return std_panic(call, result, "the range does not lie between characters of the string");
    splice(call, place, (int64_t)from, (int64_t)to, with);
    Str taken = str_slice(text, (int64_t)from, (int64_t)to);
    *result = call->op == RANGE_DRAIN ? value_iter(iter_over_text(call->trace, taken, false, false))
                                      : unit_value();
    return true;
}

// ---- numbers and other values in texts

static Value int_error(Trace *trace, const char *kind, const char *words)
{
    Str debug = str_format(trace->lang->arena, "ParseIntError {{ kind: {} }", kind);
    return err_value(trace, error_value(trace, words, str_terminated(trace->lang->arena, debug)));
}

// Digits with a sign, of a type. What is wrong comes as the error.
static Value parse_integer(Trace *trace, Str text, int64_t radix, Type *type)
{
    const PrimInfo *prim = prim_of(type);
    int64_t at = 0;
    if (!text.len)
        return int_error(trace, "Empty", "cannot parse integer from empty string");
    bool minus = text.data[0] == '-' && prim->class == PRIM_INT;
    if (minus || text.data[0] == '+')
        at++;
    if (at >= text.len)
        return int_error(trace, "InvalidDigit", "invalid digit found in string");
    Whole value = {.negative = minus};
    for (; at < text.len; at++) {
        int64_t digit = char_digit((uint8_t)text.data[at], radix);
        if (digit < 0)
            return int_error(trace, "InvalidDigit", "invalid digit found in string");
        value.beyond |= __builtin_mul_overflow(value.size, (Uint128)radix, &value.size);
        value.beyond |= __builtin_add_overflow(value.size, (Uint128)digit, &value.size);
    }
    if (!whole_fits(value, prim))
        return minus ? int_error(trace, "NegOverflow", "number too small to fit in target type")
                     : int_error(trace, "PosOverflow", "number too large to fit in target type");
    return ok_value(trace, whole_value(value, prim));
}

static bool is_float_text(Arena *arena, Str text)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    int64_t sign = text.len && (text.data[0] == '-' || text.data[0] == '+');
    Str rest = str_slice(text, sign, text.len);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (rest.len == (int64_t)strlen(words[i]) &&
            strncasecmp(rest.data, words[i], (size_t)rest.len) == 0)
            return true;
    const char *terminated = str_terminated(arena, text);
    char *end;
    strtod(terminated, &end);
    return text.len && end == terminated + text.len &&
           strspn(terminated, "0123456789.eE+-") == (size_t)text.len;
}

static Value parse_real(Trace *trace, Str text, bool single)
{
    if (!is_float_text(trace->lang->arena, text))
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
    Decl *own = user_method(trace, type, "from_str");
    *known = own;
    Value argument = value_text(text);
    return own ? call_method(trace, own, type, &argument, 1) : VALUE_NOTHING;
}

NATIVE(parse)
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

NATIVE(parse_from_str_radix)
{
    Str text;
    int64_t radix;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &radix))
        return false;
    if (radix < 2 || radix > 36)
        return std_panic(call, result, "from_ascii_radix: radix must lie in the range `[2, 36]`");
    *result = parse_integer(call->trace, text, radix, call->self);
    return true;
}

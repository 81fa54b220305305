#include "program/text_read.h"

#include "base/near.h"
#include "program/text_form.h"

#include <string.h>

// ---- characters

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// ---- lines

// Where the statement that starts at `at` ends: before a comment, or with the line.
static int64_t statement_end(const Reader *reader, int64_t at)
{
    bool quoted = false;
    for (; at < reader->text.len && reader->text.data[at] != '\n'; at++) {
        quoted ^= reader->text.data[at] == '"';
        if (!quoted && reader->text.data[at] == '/' && at + 1 < reader->text.len &&
            reader->text.data[at + 1] == '/')
            break;
    }
    return at;
}

void text_skip_line(Reader *reader)
{
    if (reader->at >= reader->text.len)
        return;
    const char *rest = reader->text.data + reader->at;
    const char *end = memchr(rest, '\n', (size_t)(reader->text.len - reader->at));
    reader->at = end ? end - reader->text.data + 1 : reader->text.len;
}

bool text_line(Reader *reader)
{
    reader->failed = reader->useless = false;
    while (reader->at < reader->text.len) {
        reader->line_end = statement_end(reader, reader->at);
        if (!text_at_end(reader))
            return true;
        text_skip_line(reader);
    }
    return false;
}

bool text_at_end(Reader *reader)
{
    while (reader->at < reader->line_end && is_blank(reader->text.data[reader->at]))
        reader->at++;
    return reader->at >= reader->line_end;
}

int64_t text_start(Reader *reader)
{
    text_at_end(reader);
    return reader->at;
}

char text_peek(Reader *reader)
{
    return text_at_end(reader) ? 0 : reader->text.data[reader->at];
}

Span text_span(const Reader *reader, int64_t start)
{
    return (Span){reader->source, start, reader->at};
}

Span text_here(const Reader *reader)
{
    int64_t at = reader->at;
    while (at > 0 && is_blank(reader->text.data[at - 1]))
        at--;
    return (Span){reader->source, at, at};
}

// ---- reports

Diag *(text_report)(Reader *reader, DiagCode code, Span span, Message message)
{
    reader->useless = true;
    return (diag_add)(reader->diags, code, span, message);
}

// What stands at `at`, as a message can show it: a word, a number, or one character.
static Str shown_token(const Reader *reader, Span *span)
{
    Str text = reader->text;
    unsigned char first = (unsigned char)text.data[span->start];
    if (first < 0x20 || first == 0x7f)
        return str_format(reader->arena, "\\x{02x}", first);
    bool word = is_letter(text.data[span->start]) || is_digit(text.data[span->start]);
    while (span->end < reader->line_end) {
        char c = text.data[span->end];
        bool more = word ? is_letter(c) || is_digit(c) : ((unsigned char)c & 0xC0) == 0x80;
        if (!more)
            break;
        span->end++;
    }
    return str_slice(text, span->start, span->end);
}

void text_syntax_error(Reader *reader, const char *expected)
{
    if (reader->failed)
        return;
    bool end = text_at_end(reader);
    Span span = {reader->source, reader->at, reader->at + !end};
    if (end) {
        text_report(reader, DIAG_PROGRAM_SYNTAX, span, "the line ends where {} should stand",
                    expected);
    } else {
        Str token = shown_token(reader, &span);
        text_report(reader, DIAG_PROGRAM_SYNTAX, span, "found `{}` where {} should stand", token,
                    expected);
    }
    reader->failed = true;
}

bool text_finish(Reader *reader)
{
    if (!reader->failed && !text_at_end(reader))
        text_syntax_error(reader, "the end of the line");
    return !reader->useless;
}

// ---- signs, words, numbers

bool text_accept(Reader *reader, const char *sign)
{
    Str wanted = str_from(sign);
    if (text_at_end(reader) || reader->failed ||
        !str_starts_with(str_slice(reader->text, reader->at, reader->line_end), wanted))
        return false;
    reader->at += wanted.len;
    return true;
}

bool text_expect(Reader *reader, const char *sign, const char *expected)
{
    if (text_accept(reader, sign))
        return true;
    text_syntax_error(reader, expected);
    return false;
}

// The word that the text starts with; empty: it starts with none.
static Str first_word(Str text)
{
    int64_t end = 0;
    const char *data = text.data;
    if (!text.len || !is_letter(data[0]))
        return STR("");
    for (; end < text.len; end++) {
        bool colons = data[end] == ':' && end + 2 < text.len && data[end + 1] == ':' &&
                      is_letter(data[end + 2]);
        if (!is_letter(data[end]) && !is_digit(data[end]) && data[end] != '\'' && !colons)
            break;
        end += colons;
    }
    return str_slice(text, 0, end);
}

bool text_is_word(Str text)
{
    return text.len && first_word(text).len == text.len;
}

bool text_peek_word(Reader *reader, Str *word)
{
    if (reader->failed || text_at_end(reader))
        return false;
    *word = first_word(str_slice(reader->text, reader->at, reader->line_end));
    return word->len > 0;
}

bool text_accept_word(Reader *reader, const char *word)
{
    Str found;
    if (!text_peek_word(reader, &found) || !str_equal(found, str_from(word)))
        return false;
    reader->at += found.len;
    return true;
}

bool text_word(Reader *reader, Str *word, Span *span, const char *expected)
{
    if (!text_peek_word(reader, word)) {
        text_syntax_error(reader, expected);
        return false;
    }
    int64_t start = reader->at;
    reader->at += word->len;
    *span = text_span(reader, start);
    return true;
}

static int hex_digit(char c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// "\x" and two digits stand for any byte but 0
static bool unescape(Reader *reader, StrBuf *out)
{
    Str rest = str_slice(reader->text, reader->at, reader->line_end);
    if (rest.len < 4 || rest.data[1] != 'x' || hex_digit(rest.data[2]) < 0 ||
        hex_digit(rest.data[3]) < 0 || str_starts_with(rest, STR("\\x00")))
        return false;
    buf_add_char(out, (char)(hex_digit(rest.data[2]) * 16 + hex_digit(rest.data[3])));
    reader->at += 4;
    return true;
}

static const char *quoted_name(Reader *reader)
{
    StrBuf name = {.arena = reader->arena};
    reader->at++;
    while (reader->at < reader->line_end && reader->text.data[reader->at] != '"') {
        char c = reader->text.data[reader->at];
        if (c == '\\' && unescape(reader, &name))
            continue;
        if (c == '\\' || !c) {
            text_syntax_error(reader, c ? "`\\x` and two hexadecimal digits" : "a character");
            return "";
        }
        buf_add_char(&name, c);
        reader->at++;
    }
    text_expect(reader, "\"", "`\"`");
    return str_terminated(reader->arena, buf_str(&name));
}

const char *text_name(Reader *reader)
{
    Str word;
    if (text_peek(reader) == '"')
        return quoted_name(reader);
    if (!text_peek_word(reader, &word))
        return NULL;
    reader->at += word.len;
    return intern(&reader->words, word);
}

static bool in_number(Str number, char c)
{
    char last = number.len ? number.data[number.len - 1] : 0;
    bool hex = str_starts_with(number, STR("0x")) || str_starts_with(number, STR("-0x"));
    bool sign = c == '-' || c == '+';
    return sign ? (last == 'e' || last == 'E') && !hex : is_digit(c) || is_letter(c) || c == '.';
}

bool text_number(Reader *reader, Str *number, Span *span, const char *expected)
{
    char first = text_peek(reader);
    int64_t start = reader->at, end = start + (first == '-');
    if (reader->failed || end >= reader->line_end || !is_digit(reader->text.data[end])) {
        text_syntax_error(reader, expected);
        return false;
    }
    while (end < reader->line_end &&
           in_number(str_slice(reader->text, start, end), reader->text.data[end]))
        end++;
    reader->at = end;
    *number = str_slice(reader->text, start, end);
    *span = text_span(reader, start);
    return true;
}

// decimal, or 0x and hexadecimal digits
static bool int_from(Str text, int64_t *value)
{
    bool negative = str_starts_with(text, STR("-"));
    Str digits = str_slice(text, negative, text.len);
    *value = 0;
    if (str_starts_with(digits, STR("0x"))) {
        for (int64_t i = 2; i < digits.len; i++) {
            char c = (char)(is_digit(digits.data[i]) ? digits.data[i] : digits.data[i] | 0x20);
            if (hex_digit(c) < 0 || *value > INT64_MAX >> 4)
                return false;
            *value = *value * 16 + hex_digit(c);
        }
    } else if (!str_to_i64(digits, value)) {
        // the one number whose digits alone do not fit
        bool least = negative && str_equal(digits, STR("9223372036854775808"));
        *value = least ? INT64_MIN : 0;
        return least;
    }
    *value = negative ? -*value : *value;
    return digits.len > (str_starts_with(digits, STR("0x")) ? 2 : 0);
}

bool text_int(Reader *reader, int64_t *value, const char *expected)
{
    Str number;
    Span span;
    *value = 0;
    if (!text_number(reader, &number, &span, expected))
        return false;
    if (!int_from(number, value))
        text_report(reader, DIAG_PROGRAM_NUMBER, span,
                    "`{}` is not a whole number that fits in 63 bits", number);
    return true;
}

bool text_maybe(Reader *reader, MaybeInt *value, const char *expected)
{
    *value = (MaybeInt){0};
    if (text_accept(reader, "?"))
        return true;
    value->known = text_int(reader, &value->value, expected);
    return value->known;
}

// ---- names

// The names that could have stood there, as far as they fit in a line.
static void help_names(Diag *diag, const char *const *names, int count)
{
    enum { MOST_NAMES = 24 };
    StrBuf list = {.arena = diag->arena};
    int shown = 0;
    for (int i = 0; i < count && shown < MOST_NAMES; i++)
        if (names[i] && *names[i])
            buf_format(&list, "{}`{}`", shown++ ? ", " : "", names[i]);
    diag_help(diag, "there are {}", buf_str(&list));
}

void text_help_near(Diag *diag, Str word, const char *const *names, int count)
{
    Near near = {.name = word, .most = word.len / 3 + 1};
    for (int i = 0; i < count; i++)
        if (names[i] && *names[i])
            near_try(&near, str_from(names[i]));
    near_help(&near, diag, diag->span);
}

int text_choice(Reader *reader, const char *const *names, int count, const char *what)
{
    Str word;
    Span span;
    if (!text_word(reader, &word, &span, what))
        return -1;
    for (int i = 0; i < count; i++)
        if (names[i] && str_equal(word, str_from(names[i])))
            return i;
    Diag *diag = text_report(reader, DIAG_PROGRAM_NAME, span, "`{}` is not {}", word, what);
    help_names(diag, names, count);
    text_help_near(diag, word, names, count);
    return -1;
}

static void help_types(Diag *diag, Str word)
{
    const char *names[SCALAR_COUNT];
    for (Scalar type = 0; type < SCALAR_COUNT; type++)
        names[type] = scalar_name(type);
    help_names(diag, names, SCALAR_COUNT);
    text_help_near(diag, word, names, SCALAR_COUNT);
}

bool text_type(Reader *reader, Scalar *type)
{
    Str word;
    Span span;
    *type = SCALAR_I32;
    if (!text_word(reader, &word, &span, "a scalar type"))
        return false;
    if (scalar_parse(word, type))
        return true;
    help_types(text_report(reader, DIAG_TYPE_UNKNOWN, span, "`{}` is not a scalar type", word),
               word);
    *type = SCALAR_COUNT;
    return true;
}

const Atom *text_axis(Reader *reader)
{
    Str word;
    Span span;
    if (!text_word(reader, &word, &span, "an axis"))
        return NULL;
    const ScopeEntry *entry = scope_find(&reader->scope, word);
    if (entry && entry->atom)
        return entry->atom;
    if (entry && entry->expr->kind == EXPR_POISON)
        reader->useless = true; // reported where it is declared
    else
        text_report(reader, DIAG_AXIS_UNKNOWN, span, "`{}` is not an axis", word);
    return NULL;
}

// ---- mappings

// What a text was read as.
typedef struct {
    const Expr *expr;
} KnownMapping;

// A mapping that was read before is not read again: what is wrong about it was reported where it
// first stands, and the loops of a kernel write the same ones over and over.
static const Expr *known_mapping(Reader *reader, int64_t start, int64_t end)
{
    const char *text = intern(&reader->words, str_trim(str_slice(reader->text, start, end)));
    KnownMapping *known = map_get(&reader->mappings, text);
    if (known)
        return known->expr;
    const Expr *expr = mapping_parse_at(&reader->scope, reader->diags, reader->source,
                                        str_slice(reader->text, 0, end), start);
    if (expr->kind == EXPR_POISON)
        return expr;
    known = arena_new(reader->arena, KnownMapping, 1);
    known->expr = expr;
    map_put(&reader->mappings, text, known);
    return expr;
}

// The bracket that closes the one at `at`, or -1.
static int64_t closing_bracket(const Reader *reader, int64_t at)
{
    int64_t depth = 0;
    for (; at < reader->line_end; at++) {
        depth += (reader->text.data[at] == '[') - (reader->text.data[at] == ']');
        if (depth == 0)
            return at;
    }
    return -1;
}

const Dim *text_dim(Reader *reader)
{
    if (reader->failed || text_peek(reader) != '[') {
        text_syntax_error(reader, "a mapping in brackets");
        return NULL;
    }
    int64_t start = reader->at, end = closing_bracket(reader, start);
    if (end < 0) {
        reader->at = reader->line_end;
        text_syntax_error(reader, "the `]` of this mapping");
        return NULL;
    }
    reader->at = end + 1;
    const Expr *expr = known_mapping(reader, start + 1, end);
    reader->useless |= expr->kind == EXPR_POISON;
    return expr->kind == EXPR_POISON ? NULL
                                     : builder_dim(reader->builder, expr, text_span(reader, start));
}

static int level_find(Str word)
{
    for (int level = 0; level < LEVEL_COUNT; level++)
        if (str_equal(word, str_from(level_words[level])))
            return level;
    return -1;
}

static void report_missing(Reader *reader, const DimForm *form, uint32_t missing)
{
    StrBuf list = {.arena = reader->arena};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (missing & 1U << level)
            buf_format(&list, "{}`{} [..]`", list.len ? " and " : "", level_words[level]);
    Span here = text_here(reader);
    if (missing)
        text_report(reader, DIAG_PROGRAM_LEVEL, here, "{} needs {}", form->what, buf_str(&list));
}

void text_dims(Reader *reader, const DimForm *form, const Dim *dims[LEVEL_COUNT])
{
    Str word;
    uint32_t seen = 0;
    while (text_peek_word(reader, &word) && level_find(word) >= 0) {
        int level = level_find(word);
        int64_t start = reader->at;
        reader->at += word.len;
        if (!(form->allowed & 1U << level))
            text_report(reader, DIAG_PROGRAM_LEVEL, text_span(reader, start), "{} takes no `{}`",
                        form->what, level_words[level]);
        else if (seen & 1U << level)
            text_report(reader, DIAG_PROGRAM_LEVEL, text_span(reader, start), "`{}` is given twice",
                        level_words[level]);
        seen |= 1U << level;
        dims[level] = text_dim(reader);
    }
    if (!reader->failed)
        report_missing(reader, form, form->required & ~seen);
}

// ---- values

bool text_bits(Reader *reader, Scalar type, uint32_t *bits)
{
    Str number;
    Span span;
    *bits = 0;
    if (!text_number(reader, &number, &span, "a value"))
        return false;
    if (type != SCALAR_COUNT && !literal_bits(type, number, bits))
        text_report(reader, DIAG_PROGRAM_NUMBER, span, "`{}` is not a value of {}", number,
                    scalar_name(type));
    return true;
}

static bool has_point(const Reader *reader)
{
    for (int64_t i = reader->at; i < reader->line_end; i++) {
        char c = reader->text.data[i];
        if (c == '.' || c == 'e' || c == 'E')
            return true;
        if (!is_digit(c) && c != '-')
            return false;
    }
    return false;
}

bool text_value(Reader *reader, Scalar *type, uint32_t *bits)
{
    Str word;
    if (text_peek_word(reader, &word)) {
        int64_t behind = reader->at + word.len;
        if (behind >= reader->line_end || reader->text.data[behind] != ':') {
            text_syntax_error(reader, "a value");
            return false;
        }
        return text_type(reader, type) && text_expect(reader, ":", "`:`") &&
               text_bits(reader, *type, bits);
    }
    text_at_end(reader);
    *type = has_point(reader) ? SCALAR_F32 : SCALAR_I32;
    return text_bits(reader, *type, bits);
}

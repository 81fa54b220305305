// What literals mean: numbers, characters, strings.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffixes[] = {"u8",  "u16", "u32", "u64",  "u128",  "usize", "i8",
                                       "i16", "i32", "i64", "i128", "isize", "f32",   "f64"};

// ---- numbers

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// The value of a digit in any base; 99: it is none.
static uint32_t digit_value(char c)
{
    if (is_digit(c))
        return (uint32_t)(c - '0');
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? (uint32_t)(lower - 'a') + 10 : 99;
}

static uint32_t base_of(Str text)
{
    if (text.len < 2 || text.data[0] != '0')
        return 10;
    char letter = (char)(text.data[1] | 0x20);
    return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
}

static bool check_suffix(Parser *parser, AstExpr *expr, Str suffix)
{
    if (!suffix.len)
        return true;
    for (size_t i = 0; i < COUNT_OF(suffixes); i++)
        if (str_equal(suffix, str_from(suffixes[i]))) {
            expr->literal.suffix = intern(parser->names, suffix);
            return true;
        }
    Diag *diag = parser_report(parser, DIAG_LITERAL, parser_here(parser),
                               "`{}` at the end of a number is no type of numbers", suffix);
    if (diag)
        diag_help(diag, "the types are u8 to u128, i8 to i128, usize, isize, f32 and f64");
    return false;
}

// digits = ("0x" | "0o" | "0b")? digit*, with `_` anywhere. The rest is the suffix.
static bool decode_int(Parser *parser, AstExpr *expr, Str text)
{
    uint32_t base = base_of(text);
    int64_t at = base == 10 ? 0 : 2, digits = 0;
    Uint128 value = 0;
    bool overflow = false;
    for (; at < text.len; at++) {
        uint32_t digit = digit_value(text.data[at]);
        if (text.data[at] == '_')
            continue;
        if (digit >= base)
            break;
        overflow |= __builtin_mul_overflow(value, (Uint128)base, &value);
        overflow |= __builtin_add_overflow(value, (Uint128)digit, &value);
        digits++;
    }
    expr->literal.integer = value;
    expr->literal.real = (double)value;
    Str suffix = str_slice(text, at, text.len);
    if (!digits || (suffix.len && is_digit(suffix.data[0]))) {
        const char *kind = base == 16 ? "hexadecimal" : base == 8 ? "octal" : "binary";
        const char *last = base == 16 ? "9 and a to f" : base == 8 ? "7" : "1";
        if (base == 10)
            parser_report(parser, DIAG_LITERAL, parser_here(parser), "`{}` is no number", text);
        else
            parser_report(parser, DIAG_LITERAL, parser_here(parser),
                          "`{}` is no {} number: its digits are 0 to {}", text, kind, last);
        return false;
    }
    if (overflow)
        parser_report(parser, DIAG_LITERAL, parser_here(parser),
                      "the number {} does not fit in 128 bits", text);
    return check_suffix(parser, expr, suffix) && !overflow;
}

// Where the digits, the point and the exponent of a number end.
static int64_t float_length(Str text)
{
    int64_t at = 0;
    for (; at < text.len; at++) {
        char c = text.data[at], before = at ? text.data[at - 1] : '0';
        bool sign = (c == '-' || c == '+') && (before | 0x20) == 'e';
        if (!is_digit(c) && c != '_' && c != '.' && (c | 0x20) != 'e' && !sign)
            break;
    }
    return at;
}

// strtod expects the point of the locale, which is the caller's business, not ours.
static double read_float(Parser *parser, Str text)
{
    StrBuf plain = {.arena = parser->arena};
    for (int64_t i = 0; i < text.len; i++) {
        if (text.data[i] == '.')
            buf_add(&plain, str_from(localeconv()->decimal_point));
        else if (text.data[i] != '_')
            buf_add_char(&plain, text.data[i]);
    }
    return strtod(str_terminated(parser->arena, buf_str(&plain)), NULL);
}

static bool decode_float(Parser *parser, AstExpr *expr, Str text)
{
    int64_t length = float_length(text);
    Str suffix = str_slice(text, length, text.len);
    expr->literal.kind = LITERAL_FLOAT;
    expr->literal.real = read_float(parser, str_slice(text, 0, length));
    if (isinf(expr->literal.real)) {
        parser_report(parser, DIAG_LITERAL, parser_here(parser), "the number {} is too large",
                      text);
        return false;
    }
    if (suffix.len && suffix.data[0] != 'f') {
        parser_report(parser, DIAG_LITERAL, parser_here(parser),
                      "`{}` has a fraction or an exponent, so it cannot end in `{}`", text, suffix);
        return false;
    }
    return check_suffix(parser, expr, suffix);
}

// ---- characters and strings

typedef struct {
    Parser *parser;
    Str text;      // between the quotes
    int64_t start; // of that in the source
    int64_t at;
    bool bytes; // b'' or b""
    bool failed;
} Quoted;

static void bad_escape(Quoted *quoted, int64_t from, const char *why)
{
    Span span = {quoted->parser->source, quoted->start + from, quoted->start + quoted->at};
    if (!quoted->failed)
        parser_report(quoted->parser, DIAG_LITERAL, span, "`{}` {}",
                      ((Str){quoted->text.data + from, (quoted->at - from)}), why);
    quoted->failed = true;
}

// After "\x": two digits
static uint32_t hex_escape(Quoted *quoted, int64_t from)
{
    uint32_t value = 0;
    for (int i = 0; i < 2; i++) {
        uint32_t digit =
            quoted->at < quoted->text.len ? digit_value(quoted->text.data[quoted->at]) : 99;
        if (digit > 15) {
            bad_escape(quoted, from, "needs two hexadecimal digits");
            return 0;
        }
        value = value * 16 + digit;
        quoted->at++;
    }
    if (value > 0x7F && !quoted->bytes)
        bad_escape(quoted, from, "is no ASCII character; write `\\u{..}`");
    return value;
}

// After "\u": "{", one to six digits, "}"
static uint32_t unicode_escape(Quoted *quoted, int64_t from)
{
    uint32_t value = 0;
    int64_t digits = 0;
    bool open = quoted->at < quoted->text.len && quoted->text.data[quoted->at] == '{';
    for (quoted->at += open; open && quoted->at < quoted->text.len; quoted->at++) {
        char c = quoted->text.data[quoted->at];
        if (c == '_' && digits)
            continue;
        if (digit_value(c) > 15 || digits == 6)
            break;
        value = value * 16 + digit_value(c);
        digits++;
    }
    bool closed = quoted->at < quoted->text.len && quoted->text.data[quoted->at] == '}';
    quoted->at += closed;
    if (!digits || !closed || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        bad_escape(quoted, from, "is no character; write `\\u{1F600}`");
    else if (quoted->bytes)
        bad_escape(quoted, from, "is no byte");
    return quoted->failed ? 0 : value;
}

// After "\"
static uint32_t decode_escape(Quoted *quoted)
{
    static const char letters[] = "nrt0\\'\"", meanings[] = "\n\r\t\0\\'\"";
    int64_t from = quoted->at - 1;
    char c = quoted->at < quoted->text.len ? quoted->text.data[quoted->at++] : 0;
    const char *letter = c ? strchr(letters, c) : NULL;
    if (letter)
        return (unsigned char)meanings[letter - letters];
    if (c == 'x')
        return hex_escape(quoted, from);
    if (c == 'u')
        return unicode_escape(quoted, from);
    bad_escape(quoted, from, "is no escape; a backslash is written `\\\\`");
    return 0;
}

static void add_utf8(StrBuf *out, uint32_t c)
{
    if (c < 0x80) {
        buf_add_char(out, (char)c);
        return;
    }
    int extra = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    buf_add_char(out, (char)(lead[extra] | c >> 6 * extra));
    while (extra--)
        buf_add_char(out, (char)(0x80 | (c >> 6 * extra & 0x3F)));
}

// A backslash at the end of a line passes over the line's end and the blanks that follow.
static bool skip_line_end(Quoted *quoted)
{
    int64_t at = quoted->at;
    while (at < quoted->text.len && strchr(" \t\r\n", quoted->text.data[at]) &&
           quoted->text.data[at])
        at++;
    bool line =
        at > quoted->at && memchr(quoted->text.data + quoted->at, '\n', (size_t)(at - quoted->at));
    if (line)
        quoted->at = at;
    return line;
}

static void decode_next(Quoted *quoted, StrBuf *out)
{
    char c = quoted->text.data[quoted->at++];
    bool line_end =
        c == '\r' && quoted->at < quoted->text.len && quoted->text.data[quoted->at] == '\n';
    if (c != '\\' && !line_end) {
        buf_add_char(out, c);
    } else if (c == '\\' && !skip_line_end(quoted)) {
        uint32_t value = decode_escape(quoted);
        if (quoted->bytes)
            buf_add_char(out, (char)value);
        else
            add_utf8(out, value);
    }
}

static Str decode_string(Quoted *quoted)
{
    StrBuf out = {.arena = quoted->parser->arena};
    bool plain = !quoted->text.len || (!memchr(quoted->text.data, '\\', (size_t)quoted->text.len) &&
                                       !memchr(quoted->text.data, '\r', (size_t)quoted->text.len));
    if (plain)
        return quoted->text;
    while (quoted->at < quoted->text.len)
        decode_next(quoted, &out);
    return buf_str(&out);
}

// A token without its prefix and quotes. *raw: without escapes.
static Quoted quoted_text(Parser *parser, Str text, int64_t at, bool *raw)
{
    int64_t start = 0, end = text.len;
    while (start < end && text.data[start] != '"' && text.data[start] != '\'')
        start++;
    *raw = memchr(text.data, 'r', (size_t)start) != NULL;
    int64_t hashes = 0;
    while (start > hashes && text.data[start - 1 - hashes] == '#')
        hashes++;
    start = min_i64(start + 1, end);
    if (end - hashes > start) // one that is not closed ends somewhere
        end -= hashes + (text.data[end - 1 - hashes] == text.data[start - 1]);
    return (Quoted){.parser = parser,
                    .text = str_slice(text, start, end > start ? end : start),
                    .start = at + start,
                    .bytes = text.data[0] == 'b'};
}

// One character; the lexer saw to it that there is one.
static uint32_t decode_char(Quoted *quoted)
{
    if (!quoted->text.len)
        return 0;
    unsigned char first = (unsigned char)quoted->text.data[quoted->at++];
    uint32_t value = first;
    if (first == '\\')
        value = decode_escape(quoted);
    else if (first >= 0xC0)
        value = first & (first < 0xE0 ? 0x1Fu : first < 0xF0 ? 0x0Fu : 0x07u);
    while (first >= 0xC0 && quoted->at < quoted->text.len &&
           ((unsigned char)quoted->text.data[quoted->at] & 0xC0) == 0x80)
        value = value << 6 | ((unsigned char)quoted->text.data[quoted->at++] & 0x3F);
    if (quoted->at < quoted->text.len && first == '\\') {
        quoted->at = quoted->text.len;
        bad_escape(quoted, 0, "is more than one character");
    }
    if (quoted->bytes && value > 0xFF)
        bad_escape(quoted, 0, "is no byte");
    return value;
}

static bool decode_quoted(Parser *parser, AstExpr *expr, AstLiteralKind kind)
{
    bool raw;
    Quoted quoted =
        quoted_text(parser, parser_text(parser, parser->at), parser_start(parser), &raw);
    expr->literal.kind = kind;
    if (kind == LITERAL_CHAR || kind == LITERAL_BYTE)
        expr->literal.integer = decode_char(&quoted);
    else
        expr->literal.text = raw ? quoted.text : decode_string(&quoted);
    return !quoted.failed;
}

Span literal_part(Parser *parser, const AstExpr *string, int64_t from, int64_t to)
{
    bool raw;
    Span span = string->span;
    Str text = str_slice(parser->text, span.start, span.end);
    Quoted quoted = quoted_text(parser, text, span.start, &raw);
    StrBuf said = {.arena = parser->arena};
    int64_t start = 0;
    if (raw)
        return (Span){span.source, quoted.start + from, quoted.start + to};
    while (quoted.at < quoted.text.len && said.len <= from) {
        start = quoted.at;
        decode_next(&quoted, &said);
    }
    while (quoted.at < quoted.text.len && said.len < to)
        decode_next(&quoted, &said);
    return (Span){span.source, quoted.start + start, quoted.start + quoted.at};
}

// ---- the whole

static bool decode(Parser *parser, AstExpr *expr)
{
    Str text = parser_text(parser, parser->at);
    switch ((int)parser->kind) {
    case TOKEN_INT:
        return decode_int(parser, expr, text);
    case TOKEN_FLOAT:
        return decode_float(parser, expr, text);
    case TOKEN_STRING:
        return decode_quoted(parser, expr, LITERAL_STRING);
    case TOKEN_BYTES:
        return decode_quoted(parser, expr, LITERAL_BYTES);
    case TOKEN_CHAR:
        return decode_quoted(parser, expr, LITERAL_CHAR);
    case TOKEN_BYTE:
        return decode_quoted(parser, expr, LITERAL_BYTE);
    }
    expr->literal.kind = LITERAL_BOOL;
    expr->literal.integer = parser_at(parser, TOKEN_TRUE);
    return true;
}

AstExpr *parse_literal(Parser *parser)
{
    int64_t start = parser_start(parser);
    if (!parser_at_literal(parser)) {
        parser_unexpected(parser, "a literal");
        return expr_error(parser);
    }
    AstExpr *expr = expr_new(parser, AST_LITERAL, start);
    if (!decode(parser, expr))
        *expr = (AstExpr){.kind = AST_ERROR, .id = expr->id};
    parser_next(parser);
    expr->span = parser_span(parser, start);
    return expr;
}

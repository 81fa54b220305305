#include "lang/syntax/format_text.h"

#include "lang/syntax/text.h"

#include <string.h>

typedef struct {
    Arena *arena;
    Interner *interner;
    Str text;
    int64_t at;
    const char *const *names;
    int64_t next; // the argument that `{}` takes
    FormatText *out;
} Reader;

static void problem(Reader *reader, int64_t at, bool of_arguments, Str message)
{
    *array_push(reader->arena, &reader->out->problems, FormatProblem) =
        (FormatProblem){message, at, of_arguments};
}

static char peek(const Reader *reader)
{
    return reader->at < reader->text.len ? reader->text.data[reader->at] : 0;
}

static bool accept(Reader *reader, char c)
{
    bool there = reader->at < reader->text.len && peek(reader) == c;
    reader->at += there;
    return there;
}

static bool is_name(char c, bool first)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (uint8_t)c >= 0x80 ||
           (!first && c >= '0' && c <= '9');
}

static Str read_name(Reader *reader)
{
    int64_t start = reader->at;
    while (is_name(peek(reader), reader->at == start))
        reader->at++;
    return str_slice(reader->text, start, reader->at);
}

static bool read_number(Reader *reader, int64_t *number)
{
    int64_t start = reader->at;
    *number = 0;
    while (peek(reader) >= '0' && peek(reader) <= '9') {
        if (*number < 1000000)
            *number = *number * 10 + (peek(reader) - '0');
        reader->at++;
    }
    return reader->at > start;
}

// ---- arguments

static int64_t use_arg(Reader *reader, int64_t index, int64_t at)
{
    FormatText *out = reader->out;
    if (index >= out->given) {
        problem(reader, at, true,
                str_format(reader->arena, "the format wants argument %lld, and %s",
                           (long long)index, out->given ? "there are fewer" : "there is none"));
        return 0;
    }
    out->used[index] = true;
    return index;
}

static int64_t use_name(Reader *reader, Str name)
{
    FormatText *out = reader->out;
    const char *wanted = intern(reader->interner, name);
    for (int64_t i = 0; i < out->given; i++)
        if (reader->names[i] == wanted)
            return use_arg(reader, i, reader->at);
    *array_push(reader->arena, &out->captured, FormatName) =
        (FormatName){wanted, reader->at - name.len, reader->at};
    return out->given + out->captured.count - 1;
}

// arg = number | name. False: neither stands here.
static bool read_arg(Reader *reader, int64_t *arg)
{
    int64_t at = reader->at, number;
    if (read_number(reader, &number)) {
        *arg = use_arg(reader, number, at);
        return true;
    }
    Str name = read_name(reader);
    if (!name.len)
        return false;
    *arg = use_name(reader, name);
    return true;
}

// ---- what stands behind the colon

static FormatAlign align_of(char c)
{
    return c == '<' ? ALIGN_LEFT : c == '^' ? ALIGN_CENTER : c == '>' ? ALIGN_RIGHT : ALIGN_NONE;
}

static void read_fill(Reader *reader, FormatSpec *spec)
{
    int64_t behind = reader->at;
    if (reader->at >= reader->text.len)
        return;
    uint32_t fill = text_decode(reader->text, &behind);
    if (behind < reader->text.len && align_of(reader->text.data[behind])) {
        spec->fill = fill;
        spec->align = align_of(reader->text.data[behind]);
        reader->at = behind + 1;
        return;
    }
    spec->align = align_of(peek(reader));
    reader->at += spec->align != ALIGN_NONE;
}

// count = number | arg "$"
static bool read_count(Reader *reader, bool *has, int64_t *number, int64_t *arg)
{
    int64_t start = reader->at;
    bool digits = read_number(reader, number);
    if (!digits)
        read_name(reader);
    bool dollar = reader->at > start && accept(reader, '$');
    if (dollar) {
        reader->at = start;
        read_arg(reader, arg);
        reader->at++;
    } else if (!digits) {
        reader->at = start; // the kind
        return false;
    }
    *has = true;
    return true;
}

static void read_kind(Reader *reader, FormatSpec *spec)
{
    static const struct {
        const char *text;
        FormatKind kind, debug_hex;
    } kinds[] = {{"", FORMAT_DISPLAY, 0},
                 {"?", FORMAT_DEBUG, 0},
                 {"x?", FORMAT_DEBUG, FORMAT_HEX},
                 {"X?", FORMAT_DEBUG, FORMAT_UPPER_HEX},
                 {"x", FORMAT_HEX, 0},
                 {"X", FORMAT_UPPER_HEX, 0},
                 {"o", FORMAT_OCTAL, 0},
                 {"b", FORMAT_BINARY, 0},
                 {"e", FORMAT_EXP, 0},
                 {"E", FORMAT_UPPER_EXP, 0},
                 {"p", FORMAT_POINTER, 0}};
    int64_t start = reader->at;
    while (reader->at < reader->text.len && peek(reader) != '}')
        reader->at++;
    Str text = str_trim(str_slice(reader->text, start, reader->at));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (str_equal(text, str_from(kinds[i].text))) {
            spec->kind = kinds[i].kind;
            spec->debug_hex = kinds[i].debug_hex;
            return;
        }
    problem(reader, start, false,
            str_format(reader->arena, "`%.*s` is no way to format a value", STR_ARG(text)));
}

// spec = (fill? align)? sign? "#"? "0"? width? ("." precision)? kind
static void read_spec(Reader *reader, FormatPart *part)
{
    FormatSpec *spec = &part->spec;
    read_fill(reader, spec);
    spec->plus = accept(reader, '+');
    if (!spec->plus)
        accept(reader, '-');
    spec->alternate = accept(reader, '#');
    bool zero = peek(reader) == '0' &&
                !(reader->at + 1 < reader->text.len && reader->text.data[reader->at + 1] == '$');
    if (zero)
        reader->at++;
    spec->zero = zero;
    read_count(reader, &spec->has_width, &spec->width, &part->width_arg);
    if (accept(reader, '.')) {
        if (accept(reader, '*')) {
            part->precision_arg = use_arg(reader, reader->next++, reader->at);
            spec->has_precision = true;
        } else {
            read_count(reader, &spec->has_precision, &spec->precision, &part->precision_arg);
        }
    }
    read_kind(reader, spec);
}

// "{" arg? (":" spec)? "}"
static void read_value(Reader *reader, FormatPart *part)
{
    int64_t start = reader->at - 1;
    Str unclosed = STR("a `{` is never closed; write `{{` for the brace itself");
    part->width_arg = part->precision_arg = FORMAT_NO_ARG;
    if (reader->at >= reader->text.len) {
        problem(reader, start, false, unclosed);
        return;
    }
    part->has_value = true;
    while (accept(reader, ' '))
        continue;
    bool explicit = read_arg(reader, &part->arg);
    while (accept(reader, ' '))
        continue;
    if (accept(reader, ':'))
        read_spec(reader, part);
    if (!explicit) // `.*` takes its argument first
        part->arg = use_arg(reader, reader->next++, start);
    if (accept(reader, '}'))
        return;
    problem(reader, start, false,
            reader->at >= reader->text.len
                ? unclosed
                : STR("what stands between these braces is no argument"));
    while (reader->at < reader->text.len && !accept(reader, '}'))
        reader->at++;
}

static void read_parts(Reader *reader)
{
    StrBuf text = {.arena = reader->arena};
    while (reader->at < reader->text.len) {
        char c = reader->text.data[reader->at++];
        bool brace = c == '{' || c == '}';
        if (!brace || accept(reader, c)) {
            buf_add_char(&text, c);
            continue;
        }
        if (c == '}') {
            problem(reader, reader->at - 1, false,
                    STR("a `}` closes nothing; write `}}` for the brace itself"));
            continue;
        }
        FormatPart part = {.text = buf_str(&text)};
        text = (StrBuf){.arena = reader->arena};
        read_value(reader, &part);
        *array_push(reader->arena, &reader->out->parts, FormatPart) = part;
    }
    if (text.len)
        *array_push(reader->arena, &reader->out->parts, FormatPart) =
            (FormatPart){.text = buf_str(&text)};
}

FormatText *format_parse(Arena *arena, Interner *interner, Str text, const char *const *names,
                         int64_t count)
{
    FormatText *out = arena_new(arena, FormatText, 1);
    out->given = count;
    out->used = arena_new(arena, bool, (size_t)count + 1);
    Reader reader = {arena, interner, text, 0, names, 0, out};
    read_parts(&reader);
    return out;
}

FormatText *format_refused(Arena *arena, Str why, int64_t count)
{
    FormatText *out = arena_new(arena, FormatText, 1);
    out->given = count;
    out->used = arena_new(arena, bool, (size_t)count + 1);
    Reader reader = {.arena = arena, .out = out};
    problem(&reader, 0, false, why);
    return out;
}

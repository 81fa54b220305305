#include "program/text_write.h"

#include "base/utf8.h"
#include "program/internal.h"

#include <inttypes.h>
#include <stdarg.h>

TextWriter text_writer(Builder *builder, int32_t source)
{
    Arena *arena = builder_arena(builder);
    return (TextWriter){.reader = {.builder = builder,
                                   .arena = arena,
                                   .diags = builder_diags(builder),
                                   .source = source,
                                   .by_calls = true,
                                   .words = {.arena = arena}},
                        .text = {.arena = arena}};
}

// ---- arguments

static Span span_from(const TextWriter *writer, int64_t start)
{
    return (Span){writer->reader.source, start, writer->text.len};
}

// Adds what was given, on one line. Bytes that are no text are shown as `?`, and reported.
static void add_argument(TextWriter *writer, Str text)
{
    int64_t start = writer->text.len;
    for (Str rest = text; rest.len;) {
        int64_t fault = utf8_fault(rest);
        for (int64_t i = 0; i < fault; i++) {
            char c = rest.data[i];
            buf_add_char(&writer->text, c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
        }
        bool faulty = fault < rest.len;
        if (faulty && !writer->refused) {
            buf_add_char(&writer->text, '?');
            text_report(&writer->reader, DIAG_CHARACTER, span_from(writer, start),
                        "the text is not UTF-8: the byte 0x%02x is part of no character",
                        (unsigned char)rest.data[fault]);
        }
        writer->refused |= faulty;
        rest = str_slice(rest, fault + faulty, rest.len);
    }
}

// From its first word to where it has come.
static Span span_of_line(const TextWriter *writer)
{
    int64_t start = writer->start;
    while (start < writer->text.len && buf_str(&writer->text).data[start] == ' ')
        start++;
    return span_from(writer, start);
}

Diag *line_refuse(TextWriter *writer, DiagCode code, const char *format, ...)
{
    if (writer->refused)
        return NULL;
    StrBuf message = {.arena = writer->text.arena};
    va_list args;
    va_start(args, format);
    buf_vprintf(&message, format, args);
    va_end(args);
    writer->refused = true;
    return text_report(&writer->reader, code, span_of_line(writer), "%.*s",
                       STR_ARG(buf_str(&message)));
}

// ---- parts

void line_begin(TextWriter *writer)
{
    writer->start = writer->text.len;
    writer->refused = false;
}

// The blank before a part: none at the start of the line, in a bracket, or behind `name=`.
static void add_gap(TextWriter *writer)
{
    const StrBuf *text = &writer->text;
    int64_t len = text->len - writer->start;
    char last = len > 0 ? text->data[text->len - 1] : '(';
    bool tight =
        last == '(' || last == '<' || (last == '=' && len > 1 && text->data[text->len - 2] != ' ');
    if (!tight)
        buf_add_char(&writer->text, ' ');
}

void line_text(TextWriter *writer, const char *text)
{
    buf_add(&writer->text, str_from(text));
}

void line_word(TextWriter *writer, const char *word)
{
    if (!word)
        return;
    enum { LONGEST_WORD = 1000, SHOWN_OF_IT = 40 };
    Str text = str_trim(str_from(word));
    add_gap(writer);
    int64_t start = writer->text.len;
    if (text.len > LONGEST_WORD && !writer->refused) {
        Str first = str_slice(text, 0, SHOWN_OF_IT);
        first.len = utf8_fault(first); // whole characters
        add_argument(writer, first);
        text_report(&writer->reader, DIAG_PROGRAM_SYNTAX, span_from(writer, start),
                    "a word has %d bytes at most, and this one has %" PRId64, LONGEST_WORD,
                    text.len);
        writer->refused = true;
        return;
    }
    add_argument(writer, text);
    if (!text_is_word(text) && !writer->refused) {
        Str shown = str_slice(buf_str(&writer->text), start, writer->text.len);
        diag_help(text_report(&writer->reader, DIAG_PROGRAM_SYNTAX, span_from(writer, start),
                              "`%.*s` is not a word", STR_ARG(shown)),
                  "a word has letters, digits and `_`");
        writer->refused = true;
    }
}

void line_name(TextWriter *writer, const char *name)
{
    if (!name)
        return;
    add_gap(writer);
    if (utf8_fault(str_from(name)) < (int64_t)str_from(name).len)
        add_argument(writer, str_from(name)); // reports it
    else
        text_print_name(&writer->text, name);
}

static void add_number(TextWriter *writer, int64_t number)
{
    char digits[24];
    int64_t at = (int64_t)sizeof digits;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0)
        digits[--at] = '-';
    buf_add(&writer->text, (Str){digits + at, (int64_t)sizeof digits - at});
}

void line_int(TextWriter *writer, int64_t number)
{
    add_gap(writer);
    add_number(writer, number);
}

void line_maybe(TextWriter *writer, MaybeInt number)
{
    add_gap(writer);
    if (number.known)
        add_number(writer, number.value);
    else
        buf_add_char(&writer->text, '?');
}

void line_label(TextWriter *writer, int64_t label)
{
    add_gap(writer);
    buf_add_char(&writer->text, '%');
    add_number(writer, label);
}

// The mapping stands in brackets: those in it must be pairs.
static const char *bracket_fault(Str mapping)
{
    int64_t depth = 0;
    for (int64_t i = 0; i < mapping.len && depth >= 0; i++)
        depth += (mapping.data[i] == '[') - (mapping.data[i] == ']');
    return depth < 0 ? "a `]` in this mapping closes nothing"
           : depth   ? "a `[` in this mapping is not closed"
                     : NULL;
}

void line_mapping(TextWriter *writer, const char *level, const char *mapping)
{
    if (!mapping)
        return;
    Str text = str_from(mapping);
    if (*level)
        add_gap(writer);
    line_text(writer, level);
    add_gap(writer);
    buf_add_char(&writer->text, '[');
    int64_t start = writer->text.len;
    add_argument(writer, text);
    const char *fault = bracket_fault(text);
    if (fault && !writer->refused) {
        text_report(&writer->reader, DIAG_MAPPING_SYNTAX, span_from(writer, start), "%s", fault);
        writer->refused = true;
    }
    buf_add_char(&writer->text, ']');
}

void line_value(TextWriter *writer, const char *type, uint32_t bits)
{
    Scalar scalar;
    if (type && scalar_parse(str_from(type), &scalar)) {
        add_gap(writer);
        text_print_value(&writer->text, scalar, bits);
        return;
    }
    line_word(writer, type ? type : "");
    buf_printf(&writer->text, ":0x%" PRIx32, bits);
}

// ---- ends

static bool read_line(TextWriter *writer)
{
    Reader *reader = &writer->reader;
    buf_add_char(&writer->text, '\n');
    reader->text = buf_str(&writer->text);
    reader->at = writer->start;
    reader->line_end = reader->text.len - 1;
    reader->failed = reader->useless = false;
    if (writer->refused)
        reader->broken = true;
    else
        text_statement(reader, &writer->programs);
    return !writer->refused && !reader->useless;
}

// Remembers that the line at hand is one of a pass whose lines so far end with stretch `last`.
static int64_t add_to_stretch(TextWriter *writer, int64_t last, bool in_pass)
{
    int64_t count = writer->stretches.count;
    bool goes_on =
        in_pass ? last == count && last : count && !writer->stretches.items[count - 1].in_pass;
    if (goes_on)
        return count;
    *array_push(writer->text.arena, &writer->stretches, TextStretch) =
        (TextStretch){writer->start, last, in_pass};
    writer->interleaved |= last != 0;
    return count + 1;
}

bool line_end(TextWriter *writer)
{
    writer->reader.pass = NULL;
    add_to_stretch(writer, 0, false);
    return read_line(writer);
}

bool line_end_in(TextWriter *writer, TextPass *pass)
{
    Reader *reader = &writer->reader;
    pass->stretch = add_to_stretch(writer, pass->stretch, true);
    reader->pass = pass->pass;
    reader->pass_span = pass->span;
    reader->pass_broken = pass->broken;
    reader->pass_lost = pass->broken; // what was wrong has been said
    bool ok = read_line(writer);
    pass->pass = reader->pass;
    pass->span = reader->pass_span;
    if (reader->pass_broken || writer->refused)
        writer_break_pass(pass);
    reader->pass = NULL;
    return ok;
}

void writer_break_pass(TextPass *pass)
{
    pass->broken = true;
    if (pass->pass)
        builder_give_up(pass->pass);
}

void writer_end_pass(TextWriter *writer, const TextPass *pass)
{
    Reader *reader = &writer->reader;
    reader->pass = pass->pass;
    reader->pass_span = pass->span;
    reader->pass_broken = pass->broken;
    text_end_pass(reader);
}

// ---- all lines

static Str stretch_text(const TextWriter *writer, int64_t number)
{
    bool last = number == writer->stretches.count;
    int64_t end = last ? writer->text.len : writer->stretches.items[number].start;
    return str_slice(buf_str(&writer->text), writer->stretches.items[number - 1].start, end);
}

Str writer_lines(const TextWriter *writer, Arena *arena)
{
    int64_t count = writer->stretches.count;
    if (!writer->interleaved)
        return buf_str(&writer->text);
    StrBuf lines = {.arena = arena};
    int64_t *next = arena_new(arena, int64_t, (size_t)count + 1); // 0: it is the last of its pass
    for (int64_t i = 1; i <= count; i++)
        next[writer->stretches.items[i - 1].before] = i;
    for (int64_t i = 1; i <= count; i++) {
        int64_t first = i;
        if (next[i])
            continue;
        while (writer->stretches.items[first - 1].before)
            first = writer->stretches.items[first - 1].before;
        for (; first; first = next[first])
            buf_add(&lines, stretch_text(writer, first));
    }
    return buf_str(&lines);
}

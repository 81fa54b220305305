#include "lsp/position.h"

#include "base/checked.h"
#include "base/lines.h"

#include <string.h>

const char *const encoding_names[ENCODING_COUNT] = {"utf-8", "utf-16"};

// What a byte adds to the characters of its line: all of a character is added by its first.
static int64_t units(Encoding encoding, char byte)
{
    if (encoding == ENCODING_UTF8)
        return 1;
    if (is_continuation(byte))
        return 0;
    return encoding == ENCODING_UTF16 && (unsigned char)byte >= 0xf0 ? 2 : 1;
}

LinedText lined_text(Arena *arena, Str text)
{
    LinedText lined = {.text = text};
    int64_t counted = 0;
    *array_push(arena, &lined.starts, int64_t) = 0;
    for (int64_t i = 0; i < text.len; i++) {
        bool ends = text.data[i] == '\n' ||
                    (text.data[i] == '\r' && !(i + 1 < text.len && text.data[i + 1] == '\n'));
        if (ends)
            *array_push(arena, &lined.starts, int64_t) = i + 1;
        if (i % MARK_BYTES == 0)
            *array_push(arena, &lined.marks, int64_t) = counted;
        counted += units(ENCODING_UTF16, text.data[i]);
    }
    return lined;
}

// Units of the text before an offset.
static int64_t units_before(const LinedText *text, Encoding encoding, int64_t offset)
{
    if (encoding == ENCODING_UTF8 || !offset)
        return offset;
    int64_t mark = (offset - 1) / MARK_BYTES, count = text->marks.items[mark];
    for (int64_t at = mark * MARK_BYTES; at < offset; at++)
        count += units(encoding, text->text.data[at]);
    return count;
}

// The last mark with no more than so many units before it.
static int64_t mark_before(const LinedText *text, int64_t count)
{
    int64_t low = 0, high = text->marks.count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (text->marks.items[middle] <= count)
            low = middle;
        else
            high = middle;
    }
    return low * MARK_BYTES;
}

// Where the character begins that an offset is in.
static int64_t character_start(Str text, int64_t offset, int64_t least)
{
    while (offset > least && offset < text.len && is_continuation(text.data[offset]))
        offset--;
    return offset;
}

static int64_t line_end(const LinedText *text, int64_t line)
{
    bool last = line + 1 == text->starts.count;
    int64_t start = text->starts.items[line];
    int64_t end = last ? text->text.len : text->starts.items[line + 1];
    while (!last && end > start &&
           (text->text.data[end - 1] == '\n' || text->text.data[end - 1] == '\r'))
        end--;
    return end;
}

int64_t position_offset(const LinedText *text, Encoding encoding, TextPosition position)
{
    if (position.line < 0)
        return 0;
    if (position.line >= text->starts.count)
        return text->text.len;
    int64_t start = text->starts.items[position.line], end = line_end(text, position.line);
    if (position.character <= 0)
        return start;
    if (position.character >= end - start) // no character counts more than it has bytes
        return end;
    if (encoding == ENCODING_UTF8)
        return character_start(text->text, start + position.character, start);
    int64_t wanted = units_before(text, encoding, start) + position.character;
    int64_t at = max_i64(start, mark_before(text, wanted));
    int64_t count = units_before(text, encoding, at);
    while (at < end && count + units(encoding, text->text.data[at]) <= wanted)
        count += units(encoding, text->text.data[at++]);
    return at;
}

int64_t offset_line(const LinedText *text, int64_t offset)
{
    int64_t low = 0, high = text->starts.count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (text->starts.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

TextPosition offset_position(const LinedText *text, Encoding encoding, int64_t offset)
{
    offset = max_i64(0, min_i64(offset, text->text.len));
    int64_t line = offset_line(text, offset), start = text->starts.items[line];
    int64_t at = character_start(text->text, min_i64(offset, line_end(text, line)), start);
    return (TextPosition){line,
                          units_before(text, encoding, at) - units_before(text, encoding, start)};
}

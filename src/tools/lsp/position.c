#include "position.h"

#include "base/checked.h"
#include "base/lines.h"

#include <string.h>

const char *const encoding_names[ENCODING_COUNT] = {"utf-8", "utf-16", "utf-32"};

LinedText lined_text(Arena *arena, Str text)
{
    LinedText lined = {.text = text};
    *array_push(arena, &lined.starts, int64_t) = 0;
    for (int64_t i = 0; i < text.len; i++) {
        bool ends = text.data[i] == '\n' ||
                    (text.data[i] == '\r' && !(i + 1 < text.len && text.data[i + 1] == '\n'));
        if (ends)
            *array_push(arena, &lined.starts, int64_t) = i + 1;
    }
    return lined;
}

// What a character of so many bytes counts.
static int64_t units(Encoding encoding, int64_t bytes)
{
    if (encoding == ENCODING_UTF8)
        return bytes;
    return encoding == ENCODING_UTF16 && bytes > 3 ? 2 : 1;
}

static int64_t bytes_at(Str text, int64_t at)
{
    int64_t end = at + 1;
    while (end < text.len && is_continuation(text.data[end]))
        end++;
    return end - at;
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
    int64_t at = text->starts.items[position.line], end = line_end(text, position.line);
    int64_t left = position.character;
    while (at < end && left > 0) {
        int64_t bytes = bytes_at(text->text, at);
        left -= units(encoding, bytes);
        if (left < 0)
            break;
        at += bytes;
    }
    return at;
}

TextPosition offset_position(const LinedText *text, Encoding encoding, int64_t offset)
{
    offset = max_i64(0, min_i64(offset, text->text.len));
    int64_t low = 0, high = text->starts.count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (text->starts.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    TextPosition position = {.line = low};
    int64_t stop = min_i64(offset, line_end(text, low));
    for (int64_t at = text->starts.items[low]; at < stop;) {
        int64_t bytes = bytes_at(text->text, at);
        if (at + bytes > stop)
            break;
        position.character += units(encoding, bytes);
        at += bytes;
    }
    return position;
}

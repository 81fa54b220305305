#include "base/lines.h"

int64_t width_of(Str text)
{
    int64_t width = 0;
    for (int64_t i = 0; i < text.len; i++)
        width += !is_continuation(text.data[i]);
    return width;
}

Texts texts_of(Arena *arena, const SourceList *sources)
{
    size_t count = sources ? (size_t)sources->count : 0;
    return (Texts){sources, arena_new(arena, LineStarts, count + 1), arena};
}

const LineStarts *lines_of(const Texts *texts, int32_t source)
{
    LineStarts *lines = &texts->lines[source];
    Str text = texts->sources->items[source].text;
    if (lines->count)
        return lines;
    *array_push(texts->arena, lines, int64_t) = 0;
    for (int64_t i = 0; i < text.len; i++)
        if (text.data[i] == '\n')
            *array_push(texts->arena, lines, int64_t) = i + 1;
    return lines;
}

// The last line that starts at or before an offset.
static int64_t line_at(const LineStarts *lines, int64_t offset)
{
    int64_t low = 0, high = lines->count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (lines->items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

Place place_of(const Texts *texts, int32_t source, int64_t offset)
{
    Str text = texts->sources->items[source].text;
    const LineStarts *lines = lines_of(texts, source);
    if (offset > text.len)
        offset = text.len;
    int64_t line = line_at(lines, offset);
    Place place = {.line = line + 1, .start = lines->items[line]};
    int64_t end = place.start;
    while (end < text.len && text.data[end] != '\n' && text.data[end] != '\r')
        end++;
    place.text = str_slice(text, place.start, end);
    int64_t reach = offset < end ? offset : end;
    place.column = 1 + width_of(str_slice(text, place.start, reach));
    return place;
}

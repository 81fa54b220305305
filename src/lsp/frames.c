#include "lsp/frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// More than any editor sends at once; anything longer is not a message.
enum { MOST_MESSAGE = 256 << 20, READ_BYTES = 64 << 10 };

static bool make_room(Frames *frames, size_t bytes)
{
    if (frames->start) {
        memmove(frames->bytes, frames->bytes + frames->start, frames->end - frames->start);
        frames->end -= frames->start;
        frames->start = 0;
    }
    if (frames->capacity - frames->end >= bytes)
        return true;
    size_t capacity = frames->capacity * 2 + bytes;
    char *more = realloc(frames->bytes, capacity);
    frames->is_bad |= !more;
    if (!more)
        return false;
    frames->bytes = more;
    frames->capacity = capacity;
    return true;
}

void frames_read(Frames *frames, int file)
{
    if (!make_room(frames, READ_BYTES))
        return;
    ssize_t count = read(file, frames->bytes + frames->end, READ_BYTES);
    if (count > 0)
        frames->end += (size_t)count;
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        frames->is_over = true;
}

// Where the empty line after the header ends; 0: it is not there yet.
static size_t header_length(const Frames *frames)
{
    for (size_t i = frames->start; i + 4 <= frames->end; i++)
        if (memcmp(frames->bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4 - frames->start;
    return 0;
}

// Ignores case; the last field of that name counts.
Str frame_field(const Frame *frame, const char *name)
{
    const char *line = frame->header.data, *end = line + frame->header.len - 2;
    size_t length = strlen(name);
    Str value = STR("");
    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (strncasecmp(line, name, length) == 0)
            value = str_trim((Str){line + length, stop - line - (int64_t)length});
        line = stop + 1;
    }
    return value;
}

bool frames_next(Frames *frames, Frame *frame)
{
    size_t header = header_length(frames), have = frames->end - frames->start;
    int64_t length;
    if (!header) {
        frames->is_bad |= have > READ_BYTES; // no header is that long
        return false;
    }
    *frame = (Frame){.header = {frames->bytes + frames->start, (int64_t)header}};
    if (!str_to_i64(frame_field(frame, "content-length:"), &length) || length < 0 ||
        length > MOST_MESSAGE)
        frames->is_bad = true;
    if (frames->is_bad || have < header + (size_t)length)
        return false;
    frame->body = (Str){frames->bytes + frames->start + header, length};
    frames->start += header + (size_t)length;
    return true;
}

void frames_add(Frames *frames, Str bytes)
{
    if (!make_room(frames, (size_t)bytes.len))
        return;
    memcpy(frames->bytes + frames->end, bytes.data, (size_t)bytes.len);
    frames->end += (size_t)bytes.len;
}

bool frames_write(Frames *frames, int file)
{
    ssize_t count = write(file, frames->bytes + frames->start, frames->end - frames->start);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN;
    frames->start += (size_t)count;
    return true;
}

// Replaces the standard streams by streams that write through a function of ours (fopencookie), so
// that code that prints need not care. If the C library has no such streams, text passes unchanged.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // for fopencookie
#endif
#include "terminal.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HELD_BYTES = 16, OUT_BYTES = 4096, ESCAPED_BYTES = 8, ESCAPE = 0x1B };

typedef struct {
    int file;
    bool is_raw, has_colours;
    int error;             // why something could not be written; 0: everything could
    char held[HELD_BYTES]; // the start of a character or a color that is not complete yet
    size_t held_count;
    char out[OUT_BYTES];
    size_t out_count;
} Stream;

static Stream streams[] = {{.file = STDOUT_FILENO}, {.file = STDERR_FILENO}};

// ---- bytes out

static bool send(int file, const char *bytes, size_t count)
{
    while (count) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool flush(Stream *stream)
{
    size_t count = stream->out_count;
    stream->out_count = 0;
    return send(stream->file, stream->out, count);
}

// At most ESCAPED_BYTES.
static bool put(Stream *stream, const char *bytes, size_t count)
{
    if (stream->out_count + count > OUT_BYTES && !flush(stream))
        return false;
    memcpy(stream->out + stream->out_count, bytes, count);
    stream->out_count += count;
    return true;
}

// ---- characters

// Controls, and invisible characters that change how others look (Unicode: Bidi_Control and the
// line separators).
static bool is_hidden(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0x00, 0x08},     {0x0B, 0x1F},     {0x7F, 0x9F},
                                         {0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E},
                                         {0x2066, 0x2069}, {0xFEFF, 0xFEFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

// The length of the character at the start: 0 if it is not one; -1 if more bytes are needed.
static int decode(const char *bytes, size_t count, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t lead = (unsigned char)bytes[0];
    int length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    *character = length < 2 ? lead : lead & (0x7FU >> length);
    if (lead > 0xF4)
        return 0;
    for (int i = 1; i < length; i++) {
        if ((size_t)i == count)
            return -1;
        if (((unsigned char)bytes[i] & 0xC0) != 0x80)
            return 0;
        *character = *character << 6 | ((unsigned char)bytes[i] & 0x3F);
    }
    bool is_surrogate = *character >= 0xD800 && *character < 0xE000;
    return *character < least[length] || is_surrogate || *character > 0x10FFFF ? 0 : length;
}

// The length of the color at the start, if it is one of ours: 0 if not; -1 if more bytes are
// needed.
static int colour_length(const char *bytes, size_t count)
{
    static const char *const colours[] = {"\033[0m",  "\033[1m",    "\033[32m",   "\033[33m",
                                          "\033[36m", "\033[1;31m", "\033[1;33m", "\033[1;34m"};
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++) {
        size_t length = strlen(colours[i]);
        if (memcmp(bytes, colours[i], count < length ? count : length) == 0)
            return count < length ? -1 : (int)length;
    }
    return 0;
}

// Writes `\u001b`, or `\x1b` for a byte.
static bool put_escaped(Stream *stream, unsigned value, bool is_byte)
{
    char text[ESCAPED_BYTES];
    int length = is_byte ? snprintf(text, sizeof text, "\\x%02x", value & 0xFF)
                         : snprintf(text, sizeof text, "\\u%04x", value & 0xFFFF);
    return put(stream, text, (size_t)length);
}

// Writes what is complete, and returns how many bytes that is; negative: it cannot be written.
static ssize_t filter(Stream *stream, const char *bytes, size_t count)
{
    size_t at = 0;
    bool ok = true;
    while (at < count && ok) {
        uint32_t character;
        const char *here = bytes + at;
        int colour = stream->has_colours && *here == ESCAPE ? colour_length(here, count - at) : 0;
        int length = colour ? colour : decode(here, count - at, &character);
        if (length < 0)
            break;
        if (!length)
            ok = put_escaped(stream, (unsigned char)*here, true);
        else if (!colour && is_hidden(character))
            ok = put_escaped(stream, character, false);
        else
            ok = put(stream, here, (size_t)length);
        at += length ? (size_t)length : 1;
    }
    return ok ? (ssize_t)at : -1;
}

// Writes first what was held back, completed with as many of the new bytes as it takes.
static bool take(Stream *stream, const char *bytes, size_t count)
{
    while (stream->held_count && count) {
        stream->held[stream->held_count++] = *bytes++;
        count--;
        ssize_t done = filter(stream, stream->held, stream->held_count);
        if (done < 0)
            return false;
        stream->held_count -= (size_t)done;
        memmove(stream->held, stream->held + done, stream->held_count);
    }
    ssize_t done = filter(stream, bytes, count);
    if (done < 0)
        return false;
    if (count > (size_t)done) {
        stream->held_count = count - (size_t)done;
        memcpy(stream->held, bytes + done, stream->held_count);
    }
    return flush(stream);
}

// ---- streams

static ssize_t write_stream(void *own, const char *bytes, size_t count)
{
    Stream *stream = own;
    bool ok = stream->is_raw ? send(stream->file, bytes, count) : take(stream, bytes, count);
    if (!ok)
        stream->error = errno;
    return ok ? (ssize_t)count : 0;
}

#ifdef __GLIBC__
static void replace(FILE **file, Stream *stream, int buffering)
{
    FILE *replaced = fopencookie(stream, "w", (cookie_io_functions_t){.write = write_stream});
    if (!replaced)
        return;
    setvbuf(replaced, NULL, buffering, BUFSIZ);
    *file = replaced;
}

void terminal_open(void)
{
    replace(&stdout, &streams[0], isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    replace(&stderr, &streams[1], _IONBF);
}
#else
void terminal_open(void)
{
    (void)write_stream;
}
#endif

void terminal_allow_colour(int file, bool allowed)
{
    streams[file == STDERR_FILENO].has_colours = allowed;
}

int terminal_error(void)
{
    return streams[0].error;
}

void terminal_begin_raw(void)
{
    fflush(stdout);
    streams[0].is_raw = true;
}

void terminal_end_raw(void)
{
    fflush(stdout);
    streams[0].is_raw = false;
}

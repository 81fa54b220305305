#include "device/internal.h"

#include <stdlib.h>

bool stream_new(Stream *stream, Scalar type, int64_t time, int64_t lanes)
{
    size_t count = (size_t)(time * lanes) + 1;
    *stream = (Stream){type, time, lanes, calloc(count, sizeof *stream->bits), calloc(count, 1)};
    if (stream->bits && stream->tags)
        return true;
    stream_free(stream);
    return false;
}

void stream_free(Stream *stream)
{
    free(stream->bits);
    free(stream->tags);
    *stream = (Stream){0};
}

void stream_replace(Stream *stream, const Stream *by)
{
    stream_free(stream);
    *stream = *by;
}

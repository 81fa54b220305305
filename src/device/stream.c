#include "device/internal.h"

#include <string.h>

bool stream_new_live(Scratch *scratch, Stream *stream, Scalar type, int64_t time, int64_t lanes)
{
    int64_t bytes = (time * lanes + 1) * (int64_t)sizeof *stream->bits;
    *stream = (Stream){.type = type, .time = time, .lanes = lanes};
    stream->bits = scratch_take(scratch, bytes);
    return stream->bits != NULL;
}

bool stream_new(Scratch *scratch, Stream *stream, Scalar type, int64_t time, int64_t lanes)
{
    if (!stream_new_live(scratch, stream, type, time, lanes))
        return false;
    memset(stream->bits, 0, (size_t)(time * lanes) * sizeof *stream->bits);
    stream->tags = scratch_take_zeroed(scratch, time * lanes + 1);
    if (stream->tags)
        return true;
    stream_free(scratch, stream);
    return false;
}

bool stream_need_tags(Scratch *scratch, Stream *stream)
{
    int64_t count = stream->time * stream->lanes;
    if (stream->tags)
        return true;
    stream->tags = scratch_take(scratch, count + 1);
    if (stream->tags)
        memset(stream->tags, TAG_LIVE, (size_t)count);
    return stream->tags != NULL;
}

void stream_free(Scratch *scratch, Stream *stream)
{
    if (!stream->is_lent)
        scratch_give(scratch, stream->bits);
    scratch_give(scratch, stream->tags);
    *stream = (Stream){0};
}

void stream_replace(Scratch *scratch, Stream *stream, const Stream *by)
{
    stream_free(scratch, stream);
    *stream = *by;
}

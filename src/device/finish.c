// Results become narrow and change their order: the Cast and the Transpose Engine.
#include "device/internal.h"

#include "scalar/bits.h"

bool cast_run(Scratch *scratch, const HwCast *cast, Stream *stream)
{
    Stream out;
    if (!stream_need_tags(scratch, stream))
        return false;
    int64_t lanes =
        (cast->bytes + cast->pad_bytes) * BYTE_BITS / scalar_traits[cast->to].packet_bits;
    if (!stream_new(scratch, &out, cast->to, stream->time, lanes))
        return false;
    int64_t count = stream->lanes;
    for (int64_t t = 0; t < stream->time; t++) {
        for (int64_t i = 0; i < count; i++) {
            out.bits[t * lanes + i] = stream->bits[t * stream->lanes + i];
            out.tags[t * lanes + i] = stream->tags[t * stream->lanes + i];
        }
        scalar_convert_all(cast->from, cast->to, out.bits + t * lanes, count);
    }
    stream_replace(scratch, stream, &out);
    return true;
}

bool transpose_run(Scratch *scratch, const HwTranspose *transpose, Stream *stream)
{
    Stream out;
    int64_t lanes = transpose->output_alignment, packets = transpose->packets_per_col;
    int64_t kept = transpose->kept_per_packet;
    if (!stream_need_tags(scratch, stream))
        return false;
    if (!stream_new(scratch, &out, stream->type, transpose->iterations * transpose->out_flits,
                    lanes))
        return false;
    for (int64_t i = 0; i < transpose->iterations; i++)
        for (int64_t row = 0; row < transpose->in_rows; row++)
            for (int64_t column = 0; column < packets * kept; column++) {
                int64_t flit = i * transpose->in_flits + row * packets + column / kept;
                int64_t from = flit * stream->lanes + column % kept;
                int64_t to = (i * transpose->out_flits + column) * lanes + row;
                out.bits[to] = stream->bits[from];
                out.tags[to] = stream->tags[from];
            }
    stream_replace(scratch, stream, &out);
    return true;
}

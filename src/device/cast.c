// The Cast and the Transpose Engine.
#include "device/loops/cast.h"
#include "device/internal.h"

#include "base/checked.h"
#include "scalar/bits.h"

#include <string.h>

// Of each packet, how many elements anybody looks at behind both.
static int64_t wanted_lanes(const HwPipeline *pass, int64_t lanes)
{
    const HwCommit *commit = pass->commit;
    if (!commit || pass->trf_store || pass->vrf_store)
        return lanes;
    return commit->commit_in_size * BYTE_BITS / commit->nest.element_bits;
}

// Without tags if all that is looked at will have a value.
static bool new_result(Scratch *scratch, Stream *out, const Stream *from, Scalar type, int64_t time,
                       int64_t lanes, bool is_live)
{
    return is_live && !from->tags ? stream_new_live(scratch, out, type, time, lanes)
                                  : stream_new(scratch, out, type, time, lanes);
}

// ---- cast

static void convert(const Device *device, Scalar from, Scalar to, Stream *stream)
{
    const CastLoops *loops = LOOPS_CHOICE(CastLoops, cast_loops)[device->isa];
    int64_t count = stream->time * stream->lanes;
    if (from == to)
        return;
    if (from == SCALAR_F32 && loops->narrow[to])
        loops->narrow[to](stream->bits, count, stream->bits);
    else if (scalar_is_integer(from) && loops->wrap[to])
        loops->wrap[to](stream->bits, count, stream->bits);
    else
        scalar_convert_all(from, to, stream->bits, count);
}

// Packets of more lanes, those that are added without a value.
static void spread_packets(const Stream *from, Stream *to)
{
    int64_t count = from->lanes, lanes = to->lanes;
    for (int64_t t = 0; t < from->time; t++) {
        memcpy(to->bits + t * lanes, from->bits + t * count, (size_t)count * sizeof *to->bits);
        memset(to->bits + t * lanes + count, 0, (size_t)(lanes - count) * sizeof *to->bits);
    }
    for (int64_t t = 0; to->tags && t < from->time; t++)
        if (from->tags)
            memcpy(to->tags + t * lanes, from->tags + t * count, (size_t)count);
        else
            memset(to->tags + t * lanes, TAG_LIVE, (size_t)count);
}

bool cast_run(const ClusterRun *run, Stream *stream)
{
    const HwPipeline *pass = run->pass;
    const HwCast *cast = pass->cast;
    Stream out;
    int64_t lanes =
        (cast->bytes + cast->pad_bytes) * BYTE_BITS / scalar_traits[cast->to].packet_bits;
    int64_t wanted = pass->transpose ? pass->transpose->kept_per_packet : wanted_lanes(pass, lanes);
    convert(run->device, cast->from, cast->to, stream);
    stream->type = cast->to;
    if (lanes == stream->lanes)
        return true;
    Scratch *scratch = device_scratch(run->device);
    if (!new_result(scratch, &out, stream, cast->to, stream->time, lanes, wanted <= stream->lanes))
        return false;
    spread_packets(stream, &out);
    stream_replace(scratch, stream, &out);
    return true;
}

// ---- transpose

enum { TILE = 16 }; // rows at a time

typedef struct {
    int64_t from, row_stride; // of the first row in the stream, and of rows
    int64_t rows, columns;
    int64_t to, column_stride;
} Matrix;

#define TRANSPOSE(matrix, in, out)                                              \
    for (int64_t row = 0; row < (matrix)->rows; row += TILE)                    \
        for (int64_t column = 0; column < (matrix)->columns; column++)          \
            for (int64_t i = row; i < min_i64(row + TILE, (matrix)->rows); i++) \
    (out)[(matrix)->to + column * (matrix)->column_stride + i] =                \
        (in)[(matrix)->from + i * (matrix)->row_stride + column]

static void transpose_matrix(const Matrix *matrix, const Stream *in, Stream *out)
{
    TRANSPOSE(matrix, in->bits, out->bits);
    if (in->tags && out->tags)
        TRANSPOSE(matrix, in->tags, out->tags);
    for (int64_t i = 0; !in->tags && out->tags && i < matrix->columns; i++)
        memset(out->tags + matrix->to + i * matrix->column_stride, TAG_LIVE, (size_t)matrix->rows);
}

bool transpose_run(const ClusterRun *run, Stream *stream)
{
    const HwTranspose *transpose = run->pass->transpose;
    Scratch *scratch = device_scratch(run->device);
    Stream out;
    int64_t lanes = transpose->output_alignment, packets = transpose->packets_per_col;
    int64_t kept = transpose->kept_per_packet, rows = transpose->in_rows;
    int64_t time = transpose->iterations * transpose->out_flits;
    bool is_live = wanted_lanes(run->pass, lanes) <= rows && transpose->out_flits == packets * kept;
    if (!new_result(scratch, &out, stream, stream->type, time, lanes, is_live))
        return false;
    if (!out.tags && rows < lanes)
        memset(out.bits, 0, (size_t)(time * lanes) * sizeof *out.bits);
    for (int64_t i = 0; i < transpose->iterations; i++)
        for (int64_t packet = 0; packet < packets; packet++) {
            Matrix matrix = {.from = (i * transpose->in_flits + packet) * stream->lanes,
                             .row_stride = packets * stream->lanes,
                             .rows = rows,
                             .columns = kept,
                             .to = (i * transpose->out_flits + packet * kept) * lanes,
                             .column_stride = lanes};
            transpose_matrix(&matrix, stream, &out);
        }
    stream_replace(scratch, stream, &out);
    return true;
}

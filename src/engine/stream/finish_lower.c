// The Cast Engine and the Transpose Engine.
#include "engine/lower/lower.h"

#include "engine/shape.h"
#include "engine/stream/transpose.h"

// Bytes of `count` elements of a stream.
static int64_t stream_bytes(Scalar type, int64_t count)
{
    return (count * scalar_traits[type].packet_bits + 7) / 8;
}

bool cast_lower(const Lower *lower, const Stage *stage, HwCast *out)
{
    Mapping packet = shape_strip(lower->scratch, &stage->before->dims[LEVEL_PACKET]->mapping);
    *out = (HwCast){
        .from = stage->before->type,
        .to = stage->type,
        .elements = stage->before->dims[LEVEL_PACKET]->mapping.size,
        .valid = packet.size,
        .bytes = stream_bytes(stage->type, stage->before->dims[LEVEL_PACKET]->mapping.size),
        .time = stage->dims[LEVEL_TIME]->mapping.size,
    };
    out->pad_bytes = lower->machine->cast_output_bytes - out->bytes;
    return true;
}

bool transpose_lower(const Lower *lower, const Stage *stage, HwTranspose *out)
{
    TransposeMatrix matrix;
    if (!transpose_derive(lower->scratch, lower->machine, stage, &matrix))
        return false;
    int64_t bits = scalar_traits[stage->type].packet_bits;
    *out = (HwTranspose){
        .type = stage->type,
        .elements_per_packet = matrix.elements_per_packet,
        .in_rows = matrix.in_rows,
        .in_cols = matrix.packets_per_col * matrix.elements_per_packet,
        .packets_per_col = matrix.packets_per_col,
        .out_rows = matrix.packets_per_col * matrix.kept,
        .kept_per_packet = matrix.kept,
        .output_alignment = lower->machine->flit_bytes * 8 / bits,
        .iterations = matrix.iterations,
        .in_flits = matrix.in_rows * matrix.packets_per_col,
    };
    out->out_flits = out->out_rows;
    out->trimmed_rows = out->in_cols - out->out_rows;
    out->double_buffering = out->in_cols <= lower->machine->transpose_buffer_cols;
    return true;
}

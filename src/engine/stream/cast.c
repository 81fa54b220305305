// Elements shrink, the flit does not: what becomes free is padding, and Time stays as it is.
#include "engine/stream/cast.h"

#include "engine/lower/lower.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/stream/transpose.h"

// The reference library has no 16-bit integers, halves or f8e5m2 behind a cast.
static bool is_offered(const Verify *verify, Scalar from, Scalar to)
{
    bool unknown = to == SCALAR_I16 || to == SCALAR_F16 || to == SCALAR_F8E5M2;
    bool wide = from == SCALAR_I32 || from == SCALAR_F32;
    return wide && scalar_cast_engine(from, to) && (verify->rules == RULES_CONTRA || !unknown);
}

// Manual: Cast Engine, Precision Lowering.
static void verify_type(const Verify *verify, const Stage *stage)
{
    Scalar from = stage->before->type, to = stage->type;
    if (is_offered(verify, from, to))
        return;
    bool reference = verify->rules == RULES_REFERENCE;
    Diag *diag =
        diag_add(verify->diags, DIAG_CAST_TYPE, stage->span,
                 "the Cast Engine does not cast {} to {}", scalar_name(from), scalar_name(to));
    if (from == SCALAR_I32)
        diag_help(diag, "i32 becomes {}", reference ? "i8 or i4" : "i16, i8 or i4");
    else if (from == SCALAR_F32)
        diag_help(diag, "f32 becomes {}",
                  reference ? "bf16 or f8e4m3" : "bf16, f16, f8e4m3 or f8e5m2");
    else
        diag_help(diag, "it takes i32 and f32 only: leave the cast out, or cast in fetch");
}

// Manual: Cast Engine, Packet Transformation ("padded back to 32 bytes").
static bool verify_flit(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t bytes, length, flit = verify->machine->cast_output_bytes;
    if (!report_bytes(verify, stage, stage->type, packet, &bytes))
        return false;
    if (bytes == flit)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_CAST_FLIT, stage->span,
                          "cast yields flits of {} bytes; `{}` of {} has {}", flit,
                          report_dim(verify, packet), scalar_name(stage->type), bytes);
    if (bytes < flit && scalar_length(stage->type, flit, &length))
        report_rewrite(verify, diag, packet, report_padded(verify, packet, length),
                       "pad the packet:");
    return false;
}

// Manual: Cast Engine, Packet Transformation ("must be exactly 32 bytes").
static bool verify_input(const Verify *verify, const Stage *stage)
{
    const Stage *before = stage->before;
    const Dim *packet = before->dims[LEVEL_PACKET];
    int64_t bytes, flit = verify->machine->flit_bytes;
    if (!report_bytes(verify, stage, before->type, packet, &bytes))
        return false;
    if (bytes != flit)
        diag_add(verify->diags, DIAG_CAST_FLIT, stage->span,
                 "cast takes flits of {} bytes; `{}` of {} has {}", flit,
                 report_dim(verify, packet), scalar_name(before->type), bytes);
    return bytes == flit;
}

// Manual: Cast Engine, Packet Transformation.
static void verify_packet(const Verify *verify, const Stage *stage)
{
    const Dim *in = stage->before->dims[LEVEL_PACKET], *out = stage->dims[LEVEL_PACKET];
    Mapping wanted;
    if (!shape_pad(verify->arena, &in->mapping, out->mapping.size, &wanted) ||
        shape_equal(verify->arena, &wanted, &out->mapping))
        return;
    Str text = report_mapping(verify, &wanted);
    Diag *diag = diag_add(
        verify->diags, DIAG_CAST_PACKET, stage->span,
        "cast keeps the elements of a packet and pads behind them: `{}` becomes `{}`, not `{}`",
        report_dim(verify, in), text, report_dim(verify, out));
    report_difference(verify, diag, &wanted, &out->mapping);
    report_restage(verify, diag, stage,
                   &(StageText){.type = scalar_name(stage->type), .packet = text});
}

void cast_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    bool flit = verify_flit(verify, stage);
    if (!stage->before->sound)
        return;
    verify_type(verify, stage);
    if (verify_input(verify, stage) && flit)
        verify_packet(verify, stage);
}

// ---- lowering

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

// Elements shrink, the flit does not: what becomes free is padding, and Time stays as it is.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/vector/vector.h"

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

// Both packets are flits. Manual: Cast Engine, Packet Transformation ("must be exactly 32 bytes",
// "padded back to 32 bytes").
static void cast_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Machine *machine = verify->machine;
    const Stage *before = stage->before;
    PacketRule in = {DIAG_CAST_FLIT, "cast takes flits of", machine->flit_bytes, NULL};
    PacketRule out = {DIAG_CAST_FLIT, "cast yields flits of", machine->cast_output_bytes,
                      "pad the packet:"};
    Diag *wrong;
    bool flit = report_packet(verify, stage, &out, stage->type, stage->dims[LEVEL_PACKET], &wrong);
    if (!before->sound)
        return;
    verify_type(verify, stage);
    if (report_packet(verify, stage, &in, before->type, before->dims[LEVEL_PACKET], &wrong) && flit)
        verify_packet(verify, stage);
}

// The usual narrow type; the flit stays as long as it was.
static bool cast_suggest(Proposal *proposal)
{
    Mapping *packet = &proposal->dims[LEVEL_PACKET];
    proposal->refused = proposal->type != SCALAR_COUNT && !vector_takes_type(proposal->type);
    proposal->type = proposal->type == SCALAR_F32 ? SCALAR_BF16 : SCALAR_I8;
    int64_t length = proposal_length(proposal, proposal->machine->flit_bytes);
    if (!proposal_has_stream(proposal))
        return true;
    if (packet->size > length)
        return false;
    *packet = mapping_pad(proposal->arena, packet, length, PADDING_TOP);
    return true;
}

// ---- lowering

static bool cast_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwPipeline *out)
{
    (void)pass;
    const Mapping *packet = &stage->before->dims[LEVEL_PACKET]->mapping;
    int64_t bits = packet->size * scalar_traits[stage->type].packet_bits;
    HwCast *cast = arena_new(lower->arena, HwCast, 1);
    out->cast = cast;
    *cast = (HwCast){
        .from = stage->before->type,
        .to = stage->type,
        .elements = packet->size,
        .valid = shape_strip(lower->scratch, packet).size,
        .bytes = ceil_div(bits, 8),
        .time = stage->dims[LEVEL_TIME]->mapping.size,
    };
    cast->pad_bytes = lower->machine->cast_output_bytes - cast->bytes;
    return true;
}

const Engine cast_engine = {
    .name = "Cast Engine",
    .manual = "Cast Engine",
    .verify = cast_verify,
    .suggest = cast_suggest,
    .lower = cast_lower,
};

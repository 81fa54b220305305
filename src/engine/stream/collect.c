// A packet of s elements is padded to t, whole flits of f elements. Then Packet is `X # t % f`, and
// Time gets `X # t / f` innermost. Manual: Collect Engine, Packet Normalization.
#include "engine/stream/collect.h"

#include "base/checked.h"
#include "engine/lower/lower.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/stream/switch.h"

// What collect makes of the stream before it.
typedef struct {
    Mapping time, packet;
} Flits;

// False: a flit holds no whole number of elements, or the packet no whole number of bytes.
static bool expect_flits(const Verify *verify, const Stage *before, Flits *flits)
{
    const Mapping *packet = &before->dims[LEVEL_PACKET]->mapping;
    int64_t length, flit = verify->machine->flit_bytes, bytes, whole;
    Mapping padded, outer;
    if (!scalar_length(before->type, flit, &length) ||
        !scalar_bytes(before->type, packet->size, &bytes) ||
        !scalar_length(before->type, ceil_div(bytes, flit) * flit, &whole))
        return false;
    padded = mapping_pad(verify->arena, packet, whole, PADDING_TOP);
    mapping_split(verify->arena, &padded, length, &outer, &flits->packet);
    flits->time = mapping_pair(verify->arena, &before->dims[LEVEL_TIME]->mapping, &outer);
    return true;
}

// A packet that is a flit already stays as it was written.
static Str flit_text(const Verify *verify, const Stage *stage, const Flits *flits)
{
    const Dim *packet = stage->before->dims[LEVEL_PACKET];
    return packet->mapping.size == flits->packet.size ? report_dim(verify, packet)
                                                      : report_mapping(verify, &flits->packet);
}

static void help_with_call(const Verify *verify, Diag *diag, const Stage *stage, const Flits *flits)
{
    report_restage(verify, diag, stage,
                   &(StageText){.time = report_mapping(verify, &flits->time),
                                .packet = flit_text(verify, stage, flits)});
}

// Manual: Collect Engine ("exactly one flit").
static bool verify_flit(const Verify *verify, const Stage *stage, const Flits *flits)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t bytes, flit = verify->machine->flit_bytes;
    if (!report_bytes(verify, stage, stage->type, packet, &bytes))
        return false;
    if (bytes == flit)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_COLLECT_FLIT, stage->span,
                          "collect yields flits of {} bytes; `{}` of {} has {}", flit,
                          report_dim(verify, packet), scalar_name(stage->type), bytes);
    if (flits)
        help_with_call(verify, diag, stage, flits);
    return false;
}

// Manual: Collect Engine, Packet Normalization ("the inner 32 bytes become Packet2").
static void verify_packet(const Verify *verify, const Stage *stage, const Flits *flits)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    const Mapping *time = &stage->dims[LEVEL_TIME]->mapping;
    bool same_time = shape_equal(verify->arena, &flits->time, time); // or verify_time reports it
    Mapping wanted, found;
    if (shape_equal_packet(verify->arena, stage->before->dims, &flits->time, &flits->packet,
                           same_time ? time : &flits->time, &packet->mapping, &wanted, &found))
        return;
    Diag *diag = diag_add(verify->diags, DIAG_COLLECT_PACKET, stage->span,
                          "the flits of this stream are `{}`, not `{}`",
                          flit_text(verify, stage, flits), report_dim(verify, packet));
    report_difference(verify, diag, &wanted, &found);
    report_stream(verify, diag, stage->before);
    help_with_call(verify, diag, stage, flits);
}

// Manual: Collect Engine, Packet Normalization ("the outer flit count is absorbed into Time2").
static void verify_time(const Verify *verify, const Stage *stage, const Flits *flits)
{
    const Dim *time = stage->dims[LEVEL_TIME];
    if (shape_equal(verify->arena, &flits->time, &time->mapping))
        return;
    Diag *diag = diag_add(
        verify->diags, DIAG_COLLECT_TIME, stage->span,
        "collect makes Time `{}`, not `{}`: the flits of a packet follow each other innermost",
        report_mapping(verify, &flits->time), report_dim(verify, time));
    report_difference(verify, diag, &flits->time, &time->mapping);
    report_stream(verify, diag, stage->before);
    help_with_call(verify, diag, stage, flits);
}

void collect_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    Flits flits;
    bool known = stage->before->sound && expect_flits(verify, stage->before, &flits);
    if (!verify_flit(verify, stage, known ? &flits : NULL) || !known)
        return;
    verify_packet(verify, stage, &flits);
    verify_time(verify, stage, &flits);
}

// ---- lowering

bool collect_lower(const Lower *lower, const Stage *stage, HwCollect *out)
{
    int64_t flit = lower->machine->flit_bytes, packet = 0;
    scalar_bytes(stage->type, stage->before->dims[LEVEL_PACKET]->mapping.size, &packet);
    out->in_packet_bytes = packet;
    out->flits_per_packet = ceil_div(packet, flit);
    out->pad_bytes = out->flits_per_packet * flit - packet;
    out->flits = stage->dims[LEVEL_TIME]->mapping.size;
    return true;
}

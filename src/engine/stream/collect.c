// A packet of s elements is padded to t, whole flits of f elements. Then Packet is `X # t % f`, and
// Time gets `X # t / f` innermost. Manual: Collect Engine, Packet Normalization.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"

// What collect makes of the stream before it.
typedef struct {
    Mapping time, packet;
} Flits;

static void cut_flits(Arena *arena, int64_t length, const Mapping *time, const Mapping *packet,
                      Flits *flits)
{
    Mapping outer;
    int64_t whole = ceil_div(packet->size, length) * length;
    Mapping padded = mapping_pad(arena, packet, whole, PADDING_TOP);
    mapping_split(arena, &padded, length, &outer, &flits->packet);
    flits->time = mapping_pair(arena, time, &outer);
}

// False: a flit holds no whole number of elements, or the packet no whole number of bytes.
static bool expect_flits(const Verify *verify, const Stage *before, Flits *flits)
{
    const Mapping *packet = &before->dims[LEVEL_PACKET]->mapping;
    int64_t length, bytes;
    if (!scalar_length(before->type, verify->machine->flit_bytes, &length) ||
        !scalar_bytes(before->type, packet->size, &bytes))
        return false;
    cut_flits(verify->arena, length, &before->dims[LEVEL_TIME]->mapping, packet, flits);
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

// Manual: Collect Engine ("exactly one flit").
static void collect_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    Flits flits;
    PacketRule rule = {DIAG_COLLECT_FLIT, "collect yields flits of", verify->machine->flit_bytes,
                       NULL};
    Diag *wrong;
    bool known = stage->before->sound && expect_flits(verify, stage->before, &flits);
    bool flit = report_packet(verify, stage, &rule, stage->type, stage->dims[LEVEL_PACKET], &wrong);
    if (wrong && known)
        help_with_call(verify, wrong, stage, &flits);
    if (!flit || !known)
        return;
    verify_packet(verify, stage, &flits);
    verify_time(verify, stage, &flits);
}

static bool collect_suggest(Proposal *proposal)
{
    Flits flits;
    int64_t length = proposal_length(proposal, proposal->machine->flit_bytes);
    if (!proposal_has_stream(proposal))
        return true;
    if (!length)
        return false;
    cut_flits(proposal->arena, length, &proposal->dims[LEVEL_TIME], &proposal->dims[LEVEL_PACKET],
              &flits);
    proposal->dims[LEVEL_TIME] = flits.time;
    proposal->dims[LEVEL_PACKET] = flits.packet;
    return true;
}

// ---- lowering

static bool collect_lower(const Lower *lower, const Pass *pass, const Stage *stage, HwPipeline *out)
{
    (void)pass;
    HwCollect *collect = arena_new(lower->arena, HwCollect, 1);
    int64_t flit = lower->machine->flit_bytes;
    out->collect = collect;
    scalar_bytes(stage->type, stage->before->dims[LEVEL_PACKET]->mapping.size,
                 &collect->in_packet_bytes);
    collect->flits_per_packet = ceil_div(collect->in_packet_bytes, flit);
    collect->pad_bytes = collect->flits_per_packet * flit - collect->in_packet_bytes;
    collect->flits = stage->dims[LEVEL_TIME]->mapping.size;
    return true;
}

const Engine collect_engine = {
    .name = "Collect Engine",
    .manual = "Collect Engine",
    .verify = collect_verify,
    .suggest = collect_suggest,
    .lower = collect_lower,
};

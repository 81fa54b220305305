// Between packets of 8 lanes and of 4: split, trim, concat, pad.
// Manual: Intra-Slice Block, Narrow; Widen.
#include "engine/vector/internal.h"

#include "base/checked.h"

bool vector_lanes_verify(const Call *call, int64_t lanes, const Mapping *expected)
{
    const Dim *packet = call->stage->dims[LEVEL_PACKET];
    int64_t size = packet->mapping.size;
    if (size == lanes)
        return true;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_LANES, packet->span,
                          "{} makes packets of {} lanes, and `{}` has {}", call->method, lanes,
                          report_dim(call->verify, packet), size);
    if (expected)
        report_rewrite(call->verify, diag, packet, report_mapping(call->verify, expected), "write");
    else if (size < lanes)
        report_rewrite(call->verify, diag, packet, report_padded(call->verify, packet, lanes),
                       "pad the packet:");
    return false;
}

// The packet that comes in; NULL: something is wrong with it.
static const Mapping *packet_before(const Call *call, int64_t lanes)
{
    const Mapping *packet = &call->from->dims[LEVEL_PACKET]->mapping;
    if (!vector_level_is_sound(call->from, LEVEL_TIME) ||
        !vector_level_is_sound(call->from, LEVEL_PACKET))
        return NULL;
    if (packet->size == lanes)
        return packet;
    bool is_way = call->from->way4 == (lanes == call->machine->vector_way4_lanes);
    const Stage *entry = vector_block_entry(call->from);
    if (is_way && entry && entry->kind == STAGE_INPUT) // nobody was asked about it before
        diag_add(call->diags, DIAG_VECTOR_LANES, call->stage->span,
                 "{} takes packets of {} lanes, and `{}` has {}", call->method, lanes,
                 report_dim(call->verify, call->from->dims[LEVEL_PACKET]), packet->size);
    return NULL;
}

static bool time_is(const Call *call, const Mapping *expected)
{
    return shape_equal(call->arena, &call->stage->dims[LEVEL_TIME]->mapping, expected);
}

static bool packet_is(const Call *call, const Mapping *expected)
{
    return shape_equal(call->arena, &call->stage->dims[LEVEL_PACKET]->mapping, expected);
}

// ---- narrow

// The halves of a packet: `outer` counts them, `inner` is one.
typedef struct {
    Mapping outer, inner;
} Halves;

static Halves halves_of(const Call *call, const Mapping *packet)
{
    Halves halves;
    mapping_split(call->arena, packet, call->machine->vector_way4_lanes, &halves.outer,
                  &halves.inner);
    return halves;
}

static StageText split_words(const Call *call, const Halves *halves)
{
    const Dim *time = call->from->dims[LEVEL_TIME];
    Str outer = report_mapping(call->verify, &halves->outer);
    return (StageText){.time = vector_pair_words(call, report_dim(call->verify, time),
                                                 time->mapping.size, outer, halves->outer.size),
                       .packet = report_mapping(call->verify, &halves->inner)};
}

// What a split should have given.
static void verify_split_of(const Call *call, const Mapping *packet)
{
    Halves halves = halves_of(call, packet);
    Mapping time = mapping_pair(call->arena, &call->from->dims[LEVEL_TIME]->mapping, &halves.outer);
    bool lanes = vector_lanes_verify(call, call->machine->vector_way4_lanes, &halves.inner);
    bool wrong_time = !time_is(call, &time);
    if (!wrong_time && (!lanes || packet_is(call, &halves.inner)))
        return;
    const Dim *wrong = call->stage->dims[wrong_time ? LEVEL_TIME : LEVEL_PACKET];
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_SPLIT_SHAPE, wrong->span,
                          "splitting `{}` in two does not give {} `{}`",
                          report_dim(call->verify, call->from->dims[LEVEL_PACKET]),
                          wrong_time ? "Time" : "Packet", report_dim(call->verify, wrong));
    StageText right = split_words(call, &halves);
    report_restage(call->verify, diag, call->stage, &right);
}

void vector_split_verify(const Call *call)
{
    const Mapping *packet = packet_before(call, call->machine->vector_way8_lanes);
    if (packet)
        verify_split_of(call, packet);
    else
        vector_lanes_verify(call, call->machine->vector_way4_lanes, NULL);
}

static void report_trimmed_data(const Call *call, const Halves *halves)
{
    const Machine *machine = call->machine;
    Diag *diag =
        diag_add(call->diags, DIAG_VECTOR_TRIM_DATA, call->stage->span,
                 "vector_trim_way4 drops lanes {} to {}, and in `{}` these are not all padding",
                 machine->vector_way4_lanes, machine->vector_way8_lanes - 1,
                 report_dim(call->verify, call->from->dims[LEVEL_PACKET]));
    StageText split = split_words(call, halves);
    Str text = report_stage_text(call->verify, STAGE_VECTOR_SPLIT, &split);
    diag_help(diag, "write `{}`, which keeps both halves", text);
    diag_edit(diag, report_place(call->stage->call_span), "{}", text);
}

static bool drops_data(const Call *call, const Halves *halves)
{
    Mapping nothing = mapping_identity();
    Mapping padding = mapping_pad(call->arena, &nothing, halves->outer.size, PADDING_TOP);
    return !shape_equal(call->arena, &halves->outer, &padding);
}

static void verify_trimmed_packet(const Call *call, const Mapping *expected)
{
    const Dim *packet = call->stage->dims[LEVEL_PACKET];
    if (!vector_lanes_verify(call, call->machine->vector_way4_lanes, expected) ||
        packet_is(call, expected))
        return;
    Diag *diag = diag_add(
        call->diags, DIAG_VECTOR_TRIM_SHAPE, packet->span, "the lower lanes of `{}` are not `{}`",
        report_dim(call->verify, call->from->dims[LEVEL_PACKET]), report_dim(call->verify, packet));
    report_restage(call->verify, diag, call->stage,
                   &(StageText){.packet = report_mapping(call->verify, expected)});
}

// Data in the upper lanes would be lost, whatever the valid count of a packet is (erratum E166).
void vector_trim_verify(const Call *call)
{
    const Mapping *packet = packet_before(call, call->machine->vector_way8_lanes);
    if (!packet) {
        vector_lanes_verify(call, call->machine->vector_way4_lanes, NULL);
        return;
    }
    Halves halves = halves_of(call, packet);
    if (drops_data(call, &halves))
        report_trimmed_data(call, &halves);
    else
        verify_trimmed_packet(call, &halves.inner);
}

// ---- widen

static void report_odd_time(const Call *call, int64_t halves)
{
    const Dim *time = call->from->dims[LEVEL_TIME];
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_CONCAT_ODD, call->stage->span,
                          "vector_concat joins {} packets of Time, and `{}` has {}", halves,
                          report_dim(call->verify, time), time->mapping.size);
    Mapping padded = mapping_pad(call->arena, &call->from->dims[LEVEL_PACKET]->mapping,
                                 call->machine->vector_way8_lanes, PADDING_TOP);
    StageText pad = {.packet = report_mapping(call->verify, &padded)};
    Str text = report_stage_text(call->verify, STAGE_VECTOR_PAD, &pad);
    diag_help(diag, "write `{}`, which fills the upper lanes with padding", text);
    diag_edit(diag, report_place(call->stage->call_span), "{}", text);
}

// What joining packets should have given. Requires: Time has whole groups of `halves` packets.
static void verify_concat_of(const Call *call, const Mapping *packet, int64_t halves)
{
    Mapping outer, inner;
    mapping_split(call->arena, &call->from->dims[LEVEL_TIME]->mapping, halves, &outer, &inner);
    Mapping joined = mapping_pair(call->arena, &inner, packet);
    bool lanes = vector_lanes_verify(call, call->machine->vector_way8_lanes, &joined);
    bool wrong_time = !time_is(call, &outer);
    if (!wrong_time && (!lanes || packet_is(call, &joined)))
        return;
    const Dim *wrong = call->stage->dims[wrong_time ? LEVEL_TIME : LEVEL_PACKET];
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_CONCAT_SHAPE, wrong->span,
                          "joining Time `{}` and Packet `{}` two by two does not give {} `{}`",
                          report_dim(call->verify, call->from->dims[LEVEL_TIME]),
                          report_dim(call->verify, call->from->dims[LEVEL_PACKET]),
                          wrong_time ? "Time" : "Packet", report_dim(call->verify, wrong));
    report_restage(call->verify, diag, call->stage,
                   &(StageText){.time = report_mapping(call->verify, &outer),
                                .packet = report_mapping(call->verify, &joined)});
}

void vector_concat_verify(const Call *call)
{
    const Machine *machine = call->machine;
    int64_t halves = machine->vector_way8_lanes / machine->vector_way4_lanes;
    const Mapping *packet = packet_before(call, machine->vector_way4_lanes);
    if (!packet)
        vector_lanes_verify(call, machine->vector_way8_lanes, NULL);
    else if (call->from->dims[LEVEL_TIME]->mapping.size % halves)
        report_odd_time(call, halves);
    else
        verify_concat_of(call, packet, halves);
}

void vector_pad_verify(const Call *call)
{
    int64_t lanes = call->machine->vector_way8_lanes;
    const Mapping *packet = packet_before(call, call->machine->vector_way4_lanes);
    if (!packet) {
        vector_lanes_verify(call, lanes, NULL);
        return;
    }
    Mapping padded = mapping_pad(call->arena, packet, lanes, PADDING_TOP);
    if (!vector_lanes_verify(call, lanes, &padded) || packet_is(call, &padded))
        return;
    const Dim *wrong = call->stage->dims[LEVEL_PACKET];
    Diag *diag = diag_add(
        call->diags, DIAG_VECTOR_PAD_SHAPE, wrong->span, "padding `{}` does not give `{}`",
        report_dim(call->verify, call->from->dims[LEVEL_PACKET]), report_dim(call->verify, wrong));
    report_restage(call->verify, diag, call->stage,
                   &(StageText){.packet = report_mapping(call->verify, &padded)});
}

// ---- calls that are about to be written

const Atom *vector_group_axis(const Proposal *proposal)
{
    if (!(proposal->known & 1U << LEVEL_TIME))
        return NULL;
    PlacedTerms terms = shape_terms(proposal->arena, &proposal->dims[LEVEL_TIME]);
    for (int64_t i = 0; i < terms.count; i++) {
        const Atom *atom = terms.items[i].term.atom;
        if (atom->kind == ATOM_AXIS && atom->size == 2 && terms.items[i].resize == 2)
            return atom;
    }
    return NULL;
}

const Atom *vector_packet_axis(const Proposal *proposal)
{
    if (!(proposal->known & 1U << LEVEL_PACKET))
        return NULL;
    PlacedTerms terms = shape_terms(proposal->arena, &proposal->dims[LEVEL_PACKET]);
    const Atom *atom = terms.count ? terms.items[0].term.atom : NULL;
    return atom && atom->kind == ATOM_AXIS ? atom : NULL;
}

// Packets of `lanes` positions: padded to that, or cut.
static bool suggest_split(Proposal *proposal, int64_t lanes)
{
    Mapping *time = &proposal->dims[LEVEL_TIME], *packet = &proposal->dims[LEVEL_PACKET], outer;
    Mapping whole =
        mapping_pad(proposal->arena, packet, ceil_div(packet->size, lanes) * lanes, PADDING_TOP);
    mapping_split(proposal->arena, &whole, lanes, &outer, packet);
    *time = mapping_pair(proposal->arena, time, &outer);
    return true;
}

// Several packets make one.
static bool suggest_concat(Proposal *proposal, int64_t count)
{
    Mapping *time = &proposal->dims[LEVEL_TIME], *packet = &proposal->dims[LEVEL_PACKET], inner;
    Mapping whole = *time;
    if (whole.size % count)
        return false;
    mapping_split(proposal->arena, &whole, count, time, &inner);
    *packet = mapping_pair(proposal->arena, &inner, packet);
    return true;
}

static bool suggest_padded(Proposal *proposal, int64_t lanes)
{
    Mapping *packet = &proposal->dims[LEVEL_PACKET];
    if (packet->size > lanes)
        return false;
    *packet = mapping_pad(proposal->arena, packet, lanes, PADDING_TOP);
    return true;
}

static AtomList axis_alone(const Proposal *proposal, const Atom *axis)
{
    Mapping index = mapping_of_atom(proposal->arena, axis);
    return shape_axes(proposal->arena, &index);
}

static bool suggest_unzip(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    Mapping *time = &proposal->dims[LEVEL_TIME];
    const Atom *axis = vector_group_axis(proposal);
    if (!axis)
        return !(proposal->known & 1U << LEVEL_TIME);
    Mapping index = mapping_of_atom(arena, axis);
    AtomList axes = axis_alone(proposal, axis);
    if (!mapping_tile(arena, time, &index, 1, &proposal->tile_time))
        proposal->tile_time.size = 0;
    *time = shape_without(arena, time, &axes);
    return true;
}

static bool suggest_reduce(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    Mapping *time = &proposal->dims[LEVEL_TIME], *packet = &proposal->dims[LEVEL_PACKET];
    const Atom *axis = vector_packet_axis(proposal);
    int64_t lanes = packet->size;
    if (!axis)
        return false;
    AtomList axes = axis_alone(proposal, axis);
    *time = shape_without(arena, time, &axes);
    *packet = shape_without(arena, packet, &axes);
    return suggest_padded(proposal, lanes);
}

bool vector_suggest(Proposal *proposal)
{
    int64_t way8 = proposal->machine->vector_way8_lanes;
    int64_t way4 = proposal->machine->vector_way4_lanes;
    Mapping *packet = &proposal->dims[LEVEL_PACKET];
    bool known = proposal_has_stream(proposal);
    switch ((int)proposal->kind) {
    case STAGE_VECTOR_INIT:
        proposal->refused = proposal->type != SCALAR_COUNT && !vector_takes_type(proposal->type);
        return true;
    case STAGE_VECTOR_UNZIP:
        return suggest_unzip(proposal);
    case STAGE_VECTOR_SPLIT:
        return !known || suggest_split(proposal, way4);
    case STAGE_VECTOR_TRIM:
        return !known || shape_pad(proposal->arena, packet, way4, packet);
    case STAGE_VECTOR_CONCAT:
        return !known || suggest_concat(proposal, way8 / way4);
    case STAGE_VECTOR_PAD:
        return !known || suggest_padded(proposal, way8);
    case STAGE_VECTOR_INTRA_REDUCE:
        return !known || suggest_reduce(proposal);
    }
    return true;
}

// The Reducer sums products over the packet (contract) and over time (accumulate).
//
// A tree of depth d sums each 2^d neighbours at the inside of the packet: `Packet / 2^d` is left.
//
// The accumulator buffers one sum for each place that is inside the outermost reduced axis of Time,
// and adds what comes later to what is there. Behind it
//
//     Interleaved   Time is [Time', what is left of Packet], Packet is Row # 8
//     Sequential    Time is [Time', Row, Packet_outer],      Packet is Packet_inner
//
// where Time' is Time without the axes that are summed, in the same order, padded in the same way.
// Manual: Reducer.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/lower/mask.h"
#include "engine/report.h"
#include "engine/shape.h"

// ---- contract: Spatial Reduction

// The reference library does not take f8e5m2, nor types that only the fetch adapter makes.
static bool multiplies(const Verify *verify, Scalar type)
{
    Scalar result;
    bool unknown = type == SCALAR_F8E5M2 || type == SCALAR_I5 || type == SCALAR_I9;
    return scalar_contraction_result(type, &result) && (verify->rules == RULES_CONTRA || !unknown);
}

// A type that can be multiplied and that the Fetch Engine can cast `from` to; SCALAR_COUNT: none.
// The reference library only widens.
static Scalar fetched_as(const Verify *verify, Scalar from)
{
    if (multiplies(verify, from) || verify->rules == RULES_REFERENCE)
        return multiplies(verify, from) ? from : SCALAR_COUNT;
    Scalar type = 0;
    while (type < SCALAR_COUNT &&
           (!multiplies(verify, type) ||
            !scalar_fetch_cast(from, type, verify->machine->fetch_casts_extended)))
        type++;
    return type;
}

// How to get a type that can be multiplied: from the fetch of this pass, or from a pass before it.
static void help_with_type(const Verify *verify, Diag *diag, const Stage *stage, Scalar type)
{
    const Stage *fetch = stage;
    while (fetch && fetch->kind != STAGE_FETCH)
        fetch = fetch->before;
    Scalar stored = fetch ? fetch->before->type : type;
    Scalar wanted = fetched_as(verify, stored);
    if (wanted == SCALAR_COUNT)
        diag_help(diag,
                  "convert both operands in a pass of their own, with `cast` before `commit`");
    else if (fetch && wanted == stored)
        diag_help(diag, "the tensor is {} in DM: fetch it as {}; its sums still have 32 bits",
                  scalar_name(stored), scalar_name(stored));
    else
        report_fetch_cast(verify, diag, wanted);
}

// Manual: Contraction Engine, Constraints ("Data type support"). f8 of the language is not a float
// and cannot be summed.
bool contract_verify_type(const Verify *verify, const Stage *stage)
{
    Scalar type = stage->before->type;
    if (multiplies(verify, type))
        return true;
    bool pair = stage->kind == STAGE_ALIGN;
    Diag *diag = diag_add(verify->diags, DIAG_CONTRACT_TYPE, stage->span,
                          "the Contraction Engine multiplies i4, i8, bf16 and 8-bit floats, not {}",
                          scalar_name(type));
    diag_label(diag, pair ? "the stream is {}" : "both operands are {}", scalar_name(type));
    if (pair && stage->trf->type == type)
        diag_note(diag, stage->trf->span, "the tensor in TRF is {} as well", scalar_name(type));
    help_with_type(verify, diag, stage, type);
    return false;
}

// The depth at which the tree leaves OutPacket, but for padding; -1: there is none.
static int64_t contract_depth(Arena *arena, const Stage *stage)
{
    const Mapping *packet = &stage->before->dims[LEVEL_PACKET]->mapping;
    const Mapping *out = &stage->dims[LEVEL_PACKET]->mapping;
    int64_t summed = 1;
    for (int64_t depth = 0; packet->size % summed == 0 && summed <= packet->size; depth++) {
        Mapping left = shape_outer(arena, packet, summed);
        if (shape_equal_stripped(arena, &left, out))
            return depth;
        summed *= 2;
    }
    return -1;
}

// Whether halving leaves the packet when it is padded to so many sums.
static bool may_pad(const Verify *verify, const Stage *stage, int64_t sums)
{
    Stage padded = *stage;
    Dim packet = *stage->dims[LEVEL_PACKET];
    packet.mapping = mapping_pad(verify->arena, &packet.mapping, sums, PADDING_TOP);
    padded.dims[LEVEL_PACKET] = &packet;
    return contract_depth(verify->arena, &padded) >= 0;
}

// Manual: Reducer, Constraints ("Spatial output limit").
static bool verify_outputs(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t outputs = packet->mapping.size, most = verify->machine->reduce_outputs_per_row;
    if (outputs > most) {
        Diag *diag = diag_add(verify->diags, DIAG_CONTRACT_OUTPUTS, stage->span,
                              "contract leaves {} sums of `{}`; a row yields at most {}", outputs,
                              report_dim(verify, packet), most);
        diag_help(diag, "sum {} neighbours or more", (outputs + most - 1) / most);
        return false;
    }
    if ((outputs & (outputs - 1)) == 0)
        return true;
    int64_t next = 1;
    while (next < outputs)
        next *= 2;
    Diag *diag = diag_add(verify->diags, DIAG_CONTRACT_POWER, stage->span,
                          "contract leaves `{}`, {} sums; halving leaves a power of two",
                          report_dim(verify, packet), outputs);
    if (next <= most && may_pad(verify, stage, next))
        report_rewrite(verify, diag, packet, report_padded(verify, packet, next), "pad it:");
    return false;
}

// The sums nearest to what was asked for: as many, or as few as a row may yield.
static void help_with_sums(const Verify *verify, Diag *diag, const Stage *stage)
{
    const Mapping *packet = &stage->before->dims[LEVEL_PACKET]->mapping;
    int64_t outputs = stage->dims[LEVEL_PACKET]->mapping.size, summed = packet->size / outputs;
    if (packet->size % outputs || (summed & (summed - 1)))
        return;
    Mapping left = shape_outer(verify->arena, packet, summed);
    StageText sums = {.packet = report_mapping(verify, &left)};
    diag_help(diag, "summing {} neighbours leaves `{}`", summed,
              report_stage_text(verify, STAGE_CONTRACT, &sums));
    report_edit(verify, diag, stage->dims[LEVEL_PACKET], sums.packet);
}

// Manual: Reducer, Spatial Reduction ("eliminates the innermost"); Packet Slicing.
static void verify_sum(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->before->dims[LEVEL_PACKET];
    Arena *arena = stage_arena(verify, stage);
    int64_t depth = contract_depth(verify->arena, stage);
    if (depth >= 0) {
        if (arena)
            stage->facts->derived = arena_copy(arena, &depth, sizeof depth);
        return;
    }
    Diag *diag =
        diag_add(verify->diags, DIAG_CONTRACT_SUM, stage->span,
                 "the tree sums neighbours at the inside of `{}`; no depth of it leaves `{}`",
                 report_dim(verify, packet), report_dim(verify, stage->dims[LEVEL_PACKET]));
    help_with_sums(verify, diag, stage);
}

// Manual: Reducer, Spatial Reduction ("each 64 bytes wide").
static void contract_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Stage *before = stage->before;
    PacketRule rule = {DIAG_CONTRACT_PACKET, "the Reducer takes packets of",
                       verify->machine->mac_bytes, NULL};
    Diag *wrong;
    bool outputs = verify_outputs(verify, stage);
    if (!before->sound)
        return;
    bool type = contract_verify_type(verify, stage);
    bool packet =
        report_packet(verify, stage, &rule, before->type, before->dims[LEVEL_PACKET], &wrong);
    if (wrong)
        diag_help(wrong, "align collects two flits into a packet, or pads one");
    if (outputs && type && packet)
        verify_sum(verify, stage);
}

static bool contract_suggest(Proposal *proposal)
{
    if (proposal_has_stream(proposal))
        proposal->dims[LEVEL_PACKET] = mapping_identity();
    return true;
}

const Engine contract_engine = {
    .name = "Contraction Engine",
    .manual = "Reducer",
    .verify = contract_verify,
    .suggest = contract_suggest,
};

// ---- accumulate: Temporal Reduction

typedef struct {
    Arena *arena;
    const Machine *machine;
    const Verify *verify; // NULL where nothing is reported
    const Stage *stage;
    const Mapping *row, *time, *out_time;
    Mapping packet;     // without the padding that is cut off
    Mapping tail;       // what Time must end with
    Mapping out_packet; // what Packet must be
    Mapping kept;       // Time'
    PlacedTerms terms;  // of Time
    Division division;  // Time by Time'
} Accumulation;

// ---- the packet

// Manual: Reducer, Resize ("exactly 32 i32/f32 elements per Row").
static bool verify_columns(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->before->dims[LEVEL_PACKET];
    int64_t most = verify->machine->accumulator_columns;
    if (packet->mapping.size <= most)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_ACCUMULATE_COLUMNS, stage->span,
                          "the accumulator has {} columns; `{}` needs {}", most,
                          report_dim(verify, packet), packet->mapping.size);
    diag_help(diag, "sum more of the packet in contract");
    return false;
}

// Manual: Reducer, Interleaved Mode, Sequential Mode (an output bus of 8 elements).
static bool verify_lanes(const Verify *verify, const Stage *stage)
{
    const Dim *packet = stage->dims[LEVEL_PACKET];
    int64_t lanes = verify->machine->flit_lanes;
    if (packet->mapping.size == lanes)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_ACCUMULATE_LANES, stage->span,
                          "accumulate yields {} elements a packet; `{}` has {}", lanes,
                          report_dim(verify, packet), packet->mapping.size);
    if (packet->mapping.size < lanes)
        report_rewrite(verify, diag, packet, report_padded(verify, packet, lanes),
                       "pad the packet:");
    return false;
}

// False: the packet of this mode does not come out in whole lanes.
static bool expect(Accumulation *acc)
{
    Arena *arena = acc->arena;
    int64_t lanes = acc->machine->flit_lanes;
    if (acc->stage->accumulate == ACCUMULATE_INTERLEAVED) {
        acc->tail = acc->packet;
        return shape_pad(arena, acc->row, lanes, &acc->out_packet);
    }
    Mapping padded, outer;
    if (!shape_pad(arena, &acc->packet, ceil_div(acc->packet.size, lanes) * lanes, &padded))
        return false;
    mapping_split(arena, &padded, lanes, &outer, &acc->out_packet);
    acc->tail = mapping_pair(arena, acc->row, &outer);
    return true;
}

static void verify_packet(const Accumulation *acc)
{
    const Verify *verify = acc->verify;
    const Dim *packet = acc->stage->dims[LEVEL_PACKET];
    bool interleaved = acc->stage->accumulate == ACCUMULATE_INTERLEAVED;
    if (shape_equal(verify->arena, &acc->out_packet, &packet->mapping))
        return;
    Str wanted = report_mapping(verify, &acc->out_packet);
    Diag *diag = diag_add(
        verify->diags, DIAG_ACCUMULATE_PACKET, acc->stage->span,
        interleaved ? "Interleaved puts the rows side by side: Packet is `{}`, not `{}`"
                    : "Sequential puts the sums of a row side by side: Packet is `{}`, not `{}`",
        wanted, report_dim(verify, packet));
    report_difference(verify, diag, &acc->out_packet, &packet->mapping);
    diag_help(diag, "write Packet as `{}`, or accumulate {}", report_written(verify, wanted),
              accumulate_names[interleaved ? ACCUMULATE_SEQUENTIAL : ACCUMULATE_INTERLEAVED]);
    report_edit(verify, diag, packet, wanted);
}

// ---- time

static bool ends_with_tail(const Accumulation *acc)
{
    if (acc->out_time->size % acc->tail.size)
        return false;
    Mapping inner = shape_inner(acc->arena, acc->out_time, acc->tail.size);
    return shape_equal(acc->arena, &inner, &acc->tail);
}

// Manual: Reducer, Interleaved Mode, Sequential Mode ("Output").
static bool verify_tail(const Accumulation *acc)
{
    const Verify *verify = acc->verify;
    bool interleaved = acc->stage->accumulate == ACCUMULATE_INTERLEAVED;
    if (ends_with_tail(acc))
        return true;
    Str tail = report_mapping(verify, &acc->tail);
    Diag *diag = diag_add(
        verify->diags, DIAG_ACCUMULATE_TAIL, acc->stage->span,
        interleaved ? "Interleaved ends Time with what is left of the packet, `{}`; `{}` does not"
                    : "Sequential ends Time with the rows and the outer part of the packet, `{}`; "
                      "`{}` does not",
        tail, report_dim(verify, acc->stage->dims[LEVEL_TIME]));
    report_stream(verify, diag, acc->stage->before);
    tail = str_format(verify->arena, ".., {}", tail);
    diag_help(diag, "write Time as `{}`", report_written(verify, tail));
    return false;
}

// Steps beyond those of the input are padding, which accumulate cannot make. If they pad something,
// verify_padding reports it.
static bool keeps_time(const Accumulation *acc)
{
    return acc->division.exact && (acc->division.found || acc->kept.size <= acc->time->size);
}

// Manual: Reducer, Temporal Reduction ("some axes from Time removed").
static bool verify_kept(const Accumulation *acc)
{
    const Verify *verify = acc->verify;
    const Division *division = &acc->division;
    if (keeps_time(acc))
        return true;
    int64_t lost = division->found < division->matches.count ? division->found : 0;
    Str kept = division->matches.count ? report_match(verify, &division->matches.items[lost])
                                       : report_mapping(verify, &acc->kept);
    Diag *diag = diag_add(verify->diags, DIAG_ACCUMULATE_TIME, acc->stage->span,
                          "Time keeps `{}`, which is not in the Time that comes in", kept);
    report_stream(verify, diag, acc->stage->before);
    diag_help(diag, "accumulate only leaves axes out; it makes none");
    return false;
}

// Manual: Reducer, Interleaved Mode ("preserves the order of Time").
static bool verify_order(const Accumulation *acc)
{
    const Verify *verify = acc->verify;
    int64_t wrong = shape_disorder(&acc->division);
    if (wrong < 0)
        return true;
    Str outer = report_match(verify, &acc->division.matches.items[wrong - 1]);
    Str inner = report_match(verify, &acc->division.matches.items[wrong]);
    Diag *diag =
        diag_add(verify->diags, DIAG_ACCUMULATE_ORDER, acc->stage->span,
                 "accumulate keeps the order of Time: `{}` stays outside `{}`", outer, inner);
    report_stream(verify, diag, acc->stage->before);
    diag_help(diag, "reorder in fetch, or when the result is committed");
    return false;
}

// Steps of a kept piece in the Time that comes in, padding round it included.
static int64_t extent_of(const Accumulation *acc, const Match *match)
{
    return shape_extent(&acc->terms, match->dividend_stride, match->extent);
}

// `match` begins elsewhere than where the piece inside it ends; NULL: the end of Time' is
// elsewhere.
static void report_padding(const Accumulation *acc, const Match *inside, const Match *match)
{
    const Verify *verify = acc->verify;
    Str time = report_dim(verify, acc->stage->dims[LEVEL_TIME]);
    Diag *diag;
    int64_t place = match ? match->divisor_stride : acc->kept.size;
    if (inside)
        diag = diag_add(verify->diags, DIAG_ACCUMULATE_PADDING, acc->stage->span,
                        "`{}` has {} places in the Time that comes in, but {} in `{}`",
                        report_match(verify, inside), extent_of(acc, inside),
                        place / inside->divisor_stride, time);
    else
        diag = diag_add(verify->diags, DIAG_ACCUMULATE_PADDING, acc->stage->span,
                        "Time `{}` has padding between `{}` and `{}`", time,
                        report_match(verify, match), report_mapping(verify, &acc->tail));
    report_stream(verify, diag, acc->stage->before);
    diag_help(diag, "keep the padding as it is, no more and no less");
}

// A gap in the new Time: a kept piece, or Time itself, does not begin where the piece inside it
// ends.
typedef struct {
    const Match *inside, *match; // as report_padding takes them
} Gap;

// Each kept piece begins where the one inside it ends, padding and all: sums come out one after the
// other. Requires: in order. Manual: Reducer, Interleaved Mode.
static bool find_gap(const Accumulation *acc, Gap *gap)
{
    int64_t next = 1;
    *gap = (Gap){0};
    for (int64_t i = acc->division.found - 1; i >= 0; i--) {
        gap->match = &acc->division.matches.items[i];
        if (gap->match->divisor_stride != next)
            return true;
        next = gap->match->divisor_stride * extent_of(acc, gap->match);
        gap->inside = gap->match;
    }
    gap->match = NULL;
    return gap->inside && next != acc->kept.size;
}

static bool verify_padding(const Accumulation *acc)
{
    Gap gap;
    if (!find_gap(acc, &gap))
        return true;
    report_padding(acc, gap.inside, gap.match);
    return false;
}

// ---- the buffer

static int64_t end_of(const Accumulation *acc, const Match *match)
{
    return match->dividend_stride * extent_of(acc, match);
}

// Places of Time' inside the outermost axis that is summed.
static int64_t places_inside(const Accumulation *acc)
{
    const MatchList *matches = &acc->division.matches;
    if (!acc->division.found)
        return 1;
    if (end_of(acc, &matches->items[0]) < acc->time->size)
        return acc->kept.size;
    for (int64_t i = 1; i < acc->division.found; i++)
        if (end_of(acc, &matches->items[i]) != matches->items[i - 1].dividend_stride)
            return matches->items[i - 1].divisor_stride;
    return 1;
}

// A loop over `size` iterations of what is `inside` steps of Time.
static void push_loop(const Accumulation *acc, StrideLoops *loops, int64_t inside, int64_t size,
                      int64_t stride)
{
    Str term = STR("padding");
    if (size == 1)
        return;
    if (acc->time->size % (inside * size) == 0) {
        Mapping part = shape_part(acc->arena, acc->time, inside, size);
        part = mapping_normalise(acc->arena, &part);
        term = mapping_text(acc->arena, &part);
    }
    *array_push(acc->arena, loops, StrideLoop) =
        (StrideLoop){.place = inside, .size = size, .stride = stride, .term = term};
}

// Whatever stands outside the first `inside` steps of Time begins with a whole number of them.
static bool repeats(const Accumulation *acc, int64_t inside)
{
    for (int64_t i = 0; i < acc->terms.count; i++)
        if (acc->terms.items[i].stride >= inside && acc->terms.items[i].stride % inside)
            return false;
    return true;
}

// The steps of Time as nested loops: those of what is kept, and between them what is added up.
// False: between two there is no whole number of steps.
static bool time_loops(const Accumulation *acc, StrideLoops *loops)
{
    int64_t inside = 1;
    for (int64_t i = acc->division.found - 1; i >= 0; i--) {
        const Match *match = &acc->division.matches.items[i];
        if (match->dividend_stride % inside)
            return false;
        push_loop(acc, loops, inside, match->dividend_stride / inside, 0);
        push_loop(acc, loops, match->dividend_stride, extent_of(acc, match), match->divisor_stride);
        inside = end_of(acc, match);
        if (!repeats(acc, inside))
            return false;
    }
    // Time ends with its last step, wherever that is in the outermost loop
    push_loop(acc, loops, inside, ceil_div(acc->time->size, inside), 0);
    return true;
}

static void report_nest(const Accumulation *acc)
{
    const Verify *verify = acc->verify;
    Diag *diag =
        diag_add(verify->diags, DIAG_ACCUMULATE_PADDING, acc->stage->span,
                 "no nest of loops keeps `{}` of Time `{}`", report_mapping(verify, &acc->kept),
                 report_dim(verify, acc->stage->before->dims[LEVEL_TIME]));
    diag_help(diag, "pad what is added up to whole numbers of what stands inside it");
}

// Manual: Reducer, Constraints ("Buffer capacity", "Interleaved constraints", "Sequential
// constraints").
static void verify_buffer(const Accumulation *acc, const AccumulatePlan *plan)
{
    const Verify *verify = acc->verify;
    bool interleaved = acc->stage->accumulate == ACCUMULATE_INTERLEAVED;
    int64_t most = interleaved ? verify->machine->reduce_interleaved_inner
                               : verify->machine->reduce_sequential_inner;
    if (plan->inner <= most)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_ACCUMULATE_BUFFER, acc->stage->span,
                          "{} buffers {} sums inside the outermost reduced axis; this takes {}",
                          accumulate_names[acc->stage->accumulate], most, plan->inner);
    if (acc->tail.size > 1)
        diag_note(diag, SPAN_NOWHERE, "{} places of Time with {} of `{}` each", plan->buffered,
                  acc->tail.size, report_mapping(verify, &acc->tail));
    report_stream(verify, diag, acc->stage->before);
    diag_help(diag, "move the reduced axis further in, or sum in two passes");
}

// ---- all of it

static void divide_time(Accumulation *acc)
{
    acc->kept = shape_outer(acc->arena, acc->out_time, acc->tail.size);
    acc->terms = shape_terms(acc->arena, acc->time);
    acc->division = mapping_divide(acc->arena, acc->time, &acc->kept, DIVIDE_RELAXED, 1);
}

// Whether the new Time is the kept part of Time, followed by the first `columns` sums of the
// packet.
static bool fits_columns(Accumulation *acc, const Mapping *packet, int64_t columns)
{
    Gap gap;
    if (!shape_pad(acc->arena, packet, columns, &acc->packet) || !expect(acc) ||
        !ends_with_tail(acc))
        return false;
    divide_time(acc);
    return keeps_time(acc) && shape_disorder(&acc->division) < 0 && !find_gap(acc, &gap);
}

// Padding of the packet may be cut off or kept. Takes the fewest columns that fit the new Time; if
// no number fits, the columns with data. False: the packet does not come out in whole lanes.
// Manual: Reducer, Interleaved Mode ("User-specified slicing should only slice padded Packet
// axes").
static bool choose_columns(Accumulation *acc)
{
    const Mapping *packet = &acc->stage->before->dims[LEVEL_PACKET]->mapping;
    Mapping data = shape_strip(acc->arena, packet);
    for (int64_t columns = data.size; columns <= packet->size; columns++)
        if (fits_columns(acc, packet, columns))
            return true;
    acc->packet = data;
    return expect(acc);
}

static AccumulatePlan plan_of(const Accumulation *acc)
{
    AccumulatePlan plan = {
        .columns = acc->packet.size, .places = acc->kept.size, .buffered = places_inside(acc)};
    plan.is_nest = time_loops(acc, &plan.loops);
    if (!checked_mul(plan.buffered, acc->tail.size, &plan.inner))
        plan.inner = INT64_MAX;
    return plan;
}

static void keep_plan(const Accumulation *acc, const AccumulatePlan *plan)
{
    Arena *arena = stage_arena(acc->verify, acc->stage);
    if (!arena)
        return;
    AccumulatePlan *kept = arena_copy(arena, plan, sizeof *plan);
    kept->loops = strides_copy_loops(arena, &plan->loops);
    acc->stage->facts->derived = kept;
}

static void verify_time(Accumulation *acc)
{
    if (!verify_tail(acc))
        return;
    divide_time(acc);
    if (!verify_kept(acc) || !verify_order(acc) || !verify_padding(acc))
        return;
    AccumulatePlan plan = plan_of(acc);
    if (!plan.is_nest && acc->verify->rules != RULES_REFERENCE)
        report_nest(acc);
    verify_buffer(acc, &plan);
    keep_plan(acc, &plan);
}

static Accumulation accumulation_of(Arena *arena, const Machine *machine, const Stage *stage)
{
    const Stage *before = stage->before;
    return (Accumulation){
        .arena = arena,
        .machine = machine,
        .stage = stage,
        .row = &before->dims[LEVEL_ROW]->mapping,
        .time = &before->dims[LEVEL_TIME]->mapping,
        .out_time = &stage->dims[LEVEL_TIME]->mapping,
    };
}

static void accumulate_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    const Stage *before = stage->before;
    bool lanes = verify_lanes(verify, stage);
    if (!before->sound || !before->dims[LEVEL_ROW] || !verify_columns(verify, stage))
        return;
    Accumulation acc = accumulation_of(verify->arena, verify->machine, stage);
    acc.verify = verify;
    if (!choose_columns(&acc))
        return; // more rows than lanes: said in align
    int64_t found = verify->diags->count;
    if (lanes)
        verify_packet(&acc);
    verify_time(&acc);
    if (verify->diags->count == found)
        padding_verify(verify, pass, stage);
}

const AccumulatePlan *accumulate_plan(Arena *arena, const Machine *machine, const Stage *stage)
{
    const AccumulatePlan *known = stage_derived(stage, machine);
    if (known)
        return known->is_nest ? known : NULL;
    Accumulation acc = accumulation_of(arena, machine, stage);
    if (!choose_columns(&acc) || !ends_with_tail(&acc))
        return NULL;
    divide_time(&acc);
    AccumulatePlan *plan = arena_new(arena, AccumulatePlan, 1);
    *plan = plan_of(&acc);
    return acc.division.exact && plan->is_nest ? plan : NULL;
}

// Interleaved: what is left of the packet ends Time, and the rows are the packet.
static bool accumulate_suggest(Proposal *proposal)
{
    Arena *arena = proposal->arena;
    Mapping *time = &proposal->dims[LEVEL_TIME], *packet = &proposal->dims[LEVEL_PACKET];
    if (!proposal_has_stream(proposal))
        return true;
    if (!(proposal->known & 1U << LEVEL_ROW))
        return false;
    Mapping left = shape_strip(arena, packet);
    Mapping kept = shape_without(arena, time, &proposal->summed);
    *time = mapping_pair(arena, &kept, &left);
    return shape_pad(arena, &proposal->dims[LEVEL_ROW], proposal->machine->flit_lanes, packet);
}

// ---- lowering

static void lower_loops(const Lower *lower, const StrideLoops *loops, HwReduce *out)
{
    for (int64_t i = loops->count - 1; i >= 0; i--) {
        const StrideLoop *loop = &loops->items[i];
        *array_push(lower->arena, &out->loops, HwSlotLoop) =
            (HwSlotLoop){.size = loop->size,
                         .reduced = loop->stride == 0,
                         .stride = loop->stride,
                         .term = str_copy(lower->arena, loop->term)};
    }
}

// Which products count as data: not those with padding that is zero in one of the factors. Other
// padding is multiplied and added like data.
static void lower_data(const Lower *lower, const Pass *pass, const Stage *accumulate, HwReduce *out)
{
    Mapping shape = shape_of(lower->scratch, accumulate->before->before->dims);
    LiveChecks checks = live_checks(lower->scratch, &shape, NULL, 0);
    bool *used = arena_new(lower->scratch, bool, (size_t)checks.count + 1);
    bool is_reduced = padding_is_reduced(lower, pass, accumulate);
    for (int64_t i = 0; i < checks.count; i++)
        used[i] = !is_reduced || mask_survives(lower->scratch, &checks.items[i], accumulate);
    live_lower_used(lower, &checks, used, &out->data);
}

static bool reduce_lower(const Lower *lower, const Pass *pass, const Stage *accumulate,
                         HwPipeline *out)
{
    const Stage *contract = accumulate->before;
    const Machine *machine = lower->machine;
    const Stage *pair = contract->before;
    bool interleaved = accumulate->accumulate == ACCUMULATE_INTERLEAVED;
    const int64_t *known = stage_derived(contract, machine);
    int64_t depth = known ? *known : contract_depth(lower->scratch, contract);
    const AccumulatePlan *plan = accumulate_plan(lower->scratch, machine, accumulate);
    if (depth < 0 || !plan) {
        diag_add(lower->diags, depth < 0 ? DIAG_CONTRACT_SUM : DIAG_ACCUMULATE_TIME,
                 depth < 0 ? contract->span : accumulate->span,
                 "the Reducer cannot make these sums");
        return false;
    }
    int64_t rows = pair->dims[LEVEL_ROW]->mapping.size;
    int64_t packet = pair->dims[LEVEL_PACKET]->mapping.size;
    HwReduce *reduce = arena_new(lower->arena, HwReduce, 1);
    out->reduce = reduce;
    *reduce = (HwReduce){
        .in_type = pair->type,
        .out_type = contract->type,
        .packet_elements = packet,
        .tree_depth = depth,
        .tree_outputs = packet >> depth,
        .columns = plan->columns,
        .resize = accumulate->accumulate,
        .rows = rows,
        .interleave_steps = interleaved ? machine->accumulator_columns / plan->columns
                                        : machine->accumulator_rows / rows,
        .in_time = pair->dims[LEVEL_TIME]->mapping.size,
        .places = plan->places,
        .buffered = plan->buffered,
        .inner_size = plan->inner,
        .slots =
            plan->inner * (interleaved ? machine->accumulator_rows : machine->accumulator_columns),
        .out_time = accumulate->dims[LEVEL_TIME]->mapping.size,
        .out_elements = accumulate->dims[LEVEL_PACKET]->mapping.size,
    };
    lower_data(lower, pass, accumulate, reduce);
    lower_loops(lower, &plan->loops, reduce);
    return true;
}

// What contract and accumulate are told is one record.
const Engine accumulate_engine = {
    .name = "Contraction Engine",
    .manual = "Reducer",
    .verify = accumulate_verify,
    .suggest = accumulate_suggest,
    .lower = reduce_lower,
};

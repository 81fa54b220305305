// The accumulator buffers one sum for each place that is inside the outermost reduced axis of Time,
// and adds what comes later to what is there. Behind it
//
//     Interleaved   Time is [Time', what is left of Packet], Packet is Row # 8
//     Sequential    Time is [Time', Row, Packet_outer],      Packet is Packet_inner
//
// where Time' is Time without the axes that are summed, in the same order, padded in the same way.
#include "engine/stream/contract.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "engine/stream/padding.h"

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

static void verify_nest(const Accumulation *acc)
{
    const Verify *verify = acc->verify;
    StrideLoops loops = {0};
    if (verify->rules == RULES_REFERENCE || time_loops(acc, &loops))
        return;
    Diag *diag =
        diag_add(verify->diags, DIAG_ACCUMULATE_PADDING, acc->stage->span,
                 "no nest of loops keeps `{}` of Time `{}`", report_mapping(verify, &acc->kept),
                 report_dim(verify, acc->stage->before->dims[LEVEL_TIME]));
    diag_help(diag, "pad what is added up to whole numbers of what stands inside it");
}

// Manual: Reducer, Constraints ("Buffer capacity", "Interleaved constraints", "Sequential
// constraints").
static void verify_buffer(const Accumulation *acc)
{
    const Verify *verify = acc->verify;
    bool interleaved = acc->stage->accumulate == ACCUMULATE_INTERLEAVED;
    int64_t most = interleaved ? verify->machine->reduce_interleaved_inner
                               : verify->machine->reduce_sequential_inner;
    int64_t inside = places_inside(acc), needed;
    if (!checked_mul(inside, acc->tail.size, &needed))
        needed = INT64_MAX;
    if (needed <= most)
        return;
    Diag *diag = diag_add(verify->diags, DIAG_ACCUMULATE_BUFFER, acc->stage->span,
                          "{} buffers {} sums inside the outermost reduced axis; this takes {}",
                          accumulate_names[acc->stage->accumulate], most, needed);
    if (acc->tail.size > 1)
        diag_note(diag, SPAN_NOWHERE, "{} places of Time with {} of `{}` each", inside,
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

static void verify_time(Accumulation *acc)
{
    if (!verify_tail(acc))
        return;
    divide_time(acc);
    if (!verify_kept(acc) || !verify_order(acc) || !verify_padding(acc))
        return;
    verify_nest(acc);
    verify_buffer(acc);
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

void accumulate_verify(const Verify *verify, const Pass *pass, const Stage *stage)
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

bool accumulate_derive(Arena *arena, const Machine *machine, const Stage *stage,
                       AccumulatePlan *plan)
{
    Accumulation acc = accumulation_of(arena, machine, stage);
    if (!choose_columns(&acc) || !ends_with_tail(&acc))
        return false;
    divide_time(&acc);
    *plan = (AccumulatePlan){
        .columns = acc.packet.size,
        .places = acc.kept.size,
        .buffered = places_inside(&acc),
    };
    plan->inner = plan->buffered * acc.tail.size;
    return acc.division.exact && time_loops(&acc, &plan->loops);
}

// The regular topologies are one scheme. Slice comes in as [slice2, slice1, slice0] and Time as
// [time2, time1, time0], cut at the sizes the configuration gives; what goes out is made of the
// same pieces in another order, with new axes where something is broadcast:
//
//                          Slice                     Time
//     Broadcast01           slice2  new     new       time2  slice1  time0  slice0
//     Broadcast1            slice2  new     slice0    time2  slice1
//     Transpose             slice2  slice0  slice1    time2
//     InterTranspose        slice2  time1   slice0    time2  time0   slice1
//     TransposedBroadcast1  slice2  new     slice1    time2  slice0
//
// time1 is as large as slice1 in InterTranspose and nothing elsewhere; time0 is nothing where the
// topology has no such parameter.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/memory/memory.h"
#include "engine/report.h"
#include "engine/shape.h"

#include <assert.h>

typedef enum {
    NO_PIECE,
    SLICE2,
    SLICE1,
    SLICE0,
    TIME2,
    TIME1,
    TIME0,
    NEW1, // as large as slice1
    NEW0, // as large as slice0
    PIECE_COUNT
} Piece;

static const char *const piece_names[PIECE_COUNT] = {
    [NO_PIECE] = "",     [SLICE2] = "slice2", [SLICE1] = "slice1",
    [SLICE0] = "slice0", [TIME2] = "time2",   [TIME1] = "time1",
    [TIME0] = "time0",   [NEW1] = "slice1",   [NEW0] = "slice0",
};

enum { SLICE_PIECES = 3, TIME_PIECES = 4 };

typedef struct {
    Piece slice[SLICE_PIECES], time[TIME_PIECES]; // outermost first
    bool has_time0;
    bool swaps; // time1 goes where slice1 was
} Topology;

static const Topology topologies[SWITCH_COUNT] = {
    [SWITCH_BROADCAST01] = {{SLICE2, NEW1, NEW0}, {TIME2, SLICE1, TIME0, SLICE0}, true, false},
    [SWITCH_BROADCAST1] = {{SLICE2, NEW1, SLICE0}, {TIME2, SLICE1}, false, false},
    [SWITCH_TRANSPOSE] = {{SLICE2, SLICE0, SLICE1}, {TIME2}, false, false},
    [SWITCH_INTER_TRANSPOSE] = {{SLICE2, TIME1, SLICE0}, {TIME2, TIME0, SLICE1}, true, true},
    [SWITCH_TRANSPOSED_BROADCAST1] = {{SLICE2, NEW0, SLICE1}, {TIME2, SLICE0}, false, false},
};

// ---- pieces

static const Topology *topology_of(const Switching *switching)
{
    return &topologies[switching->config.kind];
}

static int64_t time0_of(const Switching *switching)
{
    return topology_of(switching)->has_time0 ? switching->config.time0 : 1;
}

static int64_t time1_of(const Switching *switching)
{
    return topology_of(switching)->swaps ? switching->config.slice1 : 1;
}

static int64_t ring_of(const Switching *switching)
{
    return switching->config.slice1 * switching->config.slice0;
}

// Where a piece stands in Slice or Time of the input, and how many positions it has there.
typedef struct {
    bool of_time;
    int64_t stride, size;
} Place;

static Place place_of(const Switching *switching, Piece piece)
{
    const SwitchConfig *config = &switching->config;
    int64_t ring = ring_of(switching), time0 = time0_of(switching);
    int64_t inside = time1_of(switching) * time0;
    switch (piece) {
    case SLICE2:
        return (Place){false, ring, switching->in_slice->size / ring};
    case SLICE1:
    case NEW1:
        return (Place){false, config->slice0, config->slice1};
    case SLICE0:
    case NEW0:
        return (Place){false, 1, config->slice0};
    case TIME2:
        return (Place){true, inside, switching->in_time->size / inside};
    case TIME1:
        return (Place){true, time0, time1_of(switching)};
    case TIME0:
        return (Place){true, 1, time0};
    case NO_PIECE:
    case PIECE_COUNT:
        break;
    }
    return (Place){false, 1, 1};
}

static bool is_new(Piece piece)
{
    return piece == NEW1 || piece == NEW0;
}

// What a piece is, of the input. A new axis may be padding, so that stands for it.
static Mapping piece_mapping(const Switching *switching, Piece piece)
{
    Arena *arena = switching->verify->arena;
    Place place = place_of(switching, piece);
    Mapping one = mapping_identity();
    if (is_new(piece) || piece == NO_PIECE)
        return mapping_pad(arena, &one, place.size, PADDING_TOP);
    return shape_part(arena, place.of_time ? switching->in_time : switching->in_slice, place.stride,
                      place.size);
}

static Mapping pieces_mapping(const Switching *switching, const Piece *pieces, int32_t count)
{
    Arena *arena = switching->verify->arena;
    Mapping whole = mapping_identity();
    for (int32_t i = count - 1; i >= 0; i--) {
        Mapping piece = piece_mapping(switching, pieces[i]);
        whole = mapping_pair(arena, &piece, &whole);
    }
    return mapping_normalise(arena, &whole);
}

// ---- where packets come from

static void add_terms(const Switching *switching, const Piece *pieces, int32_t count, bool of_time,
                      RouteTerms *terms)
{
    int64_t place = 1;
    for (int32_t i = count - 1; i >= 0; i--) {
        Place from = place_of(switching, pieces[i]);
        if (from.size > 1 && !is_new(pieces[i]))
            *array_push(switching->verify->arena, terms, HwRouteTerm) =
                (HwRouteTerm){.of_time = of_time,
                              .place = place,
                              .extent = from.size,
                              .size = from.size,
                              .slice_stride = from.of_time ? 0 : from.stride,
                              .time_stride = from.of_time ? from.stride : 0};
        place *= from.size;
    }
}

static RouteTerms switch_terms(const Switching *switching)
{
    RouteTerms terms = {0};
    if (switching->config.kind == SWITCH_CUSTOM_BROADCAST)
        return switch_custom_terms(switching);
    add_terms(switching, topology_of(switching)->slice, SLICE_PIECES, false, &terms);
    add_terms(switching, topology_of(switching)->time, TIME_PIECES, true, &terms);
    return terms;
}

// An axis of `part` that the input has, or NULL.
static const Atom *known_axis(const Switching *switching, const Mapping *part)
{
    Arena *arena = switching->verify->arena;
    AtomList axes = shape_axes(arena, part);
    AtomList slice = shape_axes(arena, switching->in_slice);
    AtomList time = shape_axes(arena, switching->in_time);
    for (int64_t i = 0; i < axes.count; i++)
        if (shape_names(&slice, axes.items[i]->name) || shape_names(&time, axes.items[i]->name))
            return axes.items[i];
    return NULL;
}

// ---- what is wrong, if anything

typedef enum { FITS, FAULT_PARAMETER, FAULT_SLICE, FAULT_TIME } Fault;

// A piece of Slice that differs from what the topology puts there.
typedef struct {
    Piece piece;
    Mapping part;     // what stands there in Slice
    const Atom *axis; // of a broadcast: the axis that is not new
} Finding;

typedef struct {
    Finding items[SLICE_PIECES]; // outermost first
    int32_t count;
} Findings;

static bool divides(int64_t a, int64_t b, int64_t size)
{
    int64_t product;
    return a > 0 && b > 0 && checked_mul(a, b, &product) && size % product == 0;
}

static bool parameters_fit(const Switching *switching)
{
    return divides(switching->config.slice1, switching->config.slice0, switching->in_slice->size) &&
           divides(time1_of(switching), time0_of(switching), switching->in_time->size);
}

static bool piece_fits(const Switching *switching, Finding *finding)
{
    if (is_new(finding->piece)) {
        finding->axis = known_axis(switching, &finding->part);
        return !finding->axis;
    }
    Mapping wanted = piece_mapping(switching, finding->piece);
    return shape_equal(switching->verify->arena, &wanted, &finding->part);
}

// Compares Slice piece by piece. Requires: the parameters fit.
static Findings find_in_slice(const Switching *switching)
{
    const Topology *topology = topology_of(switching);
    int64_t outside = switching->out_slice->size;
    Findings findings = {.count = 0};
    for (int32_t i = 0; i < SLICE_PIECES; i++) {
        Finding finding = {.piece = topology->slice[i]};
        int64_t size = place_of(switching, finding.piece).size;
        outside /= size;
        finding.part = shape_part(switching->verify->arena, switching->out_slice, outside, size);
        if (!piece_fits(switching, &finding))
            findings.items[findings.count++] = finding;
    }
    return findings;
}

static Mapping expected_time(const Switching *switching)
{
    return pieces_mapping(switching, topology_of(switching)->time, TIME_PIECES);
}

// Where Time is only passed on, padding inside it may be written in another way.
static bool time_fits(const Switching *switching)
{
    Arena *arena = switching->verify->arena;
    Mapping expected = expected_time(switching);
    if (switching->config.kind == SWITCH_TRANSPOSE)
        return expected.size == switching->out_time->size &&
               shape_equal_stripped(arena, &expected, switching->out_time);
    return shape_equal(arena, &expected, switching->out_time);
}

static Fault find_fault(const Switching *switching, Findings *findings)
{
    *findings = (Findings){.count = 0};
    if (!parameters_fit(switching))
        return FAULT_PARAMETER;
    *findings = find_in_slice(switching);
    return findings->count ? FAULT_SLICE : time_fits(switching) ? FITS : FAULT_TIME;
}

// ---- reports

static Str config_text(const Verify *verify, const SwitchConfig *config)
{
    const SwitchInfo *info = &switches[config->kind];
    bool custom = config->kind == SWITCH_CUSTOM_BROADCAST, text = report_is_text(verify);
    const int64_t values[SWITCH_FIELDS] = {custom ? config->ring_size : config->slice1,
                                           config->slice0, config->time0};
    StrBuf buf = {.arena = verify->arena};
    buf_format(&buf, text ? "{}" : "{} {{", info->name);
    for (int32_t i = 0; i < SWITCH_FIELDS && info->fields[i]; i++)
        buf_format(&buf, text ? "{} {}={}" : "{} {}: {}", i && !text ? "," : "", info->fields[i],
                   values[i]);
    buf_add(&buf, text ? STR("") : STR(" }"));
    return buf_str(&buf);
}

void switch_help(const Switching *switching, Diag *diag, const SwitchConfig *config,
                 const char *what)
{
    const Verify *verify = switching->verify;
    Str text = config_text(verify, config);
    diag_help(diag, "{} `{}`", what, text);
    diag_edit(diag, report_place(switching->stage->at.config), "{}{}",
              report_is_text(verify) ? "" : "SwitchConfig::", text);
}

// Slices are as many as before. Manual: Switch Engine, Regular Topology Constraints.
static bool verify_slices(const Switching *switching)
{
    const Verify *verify = switching->verify;
    const Dim *slice = switching->stage->dims[LEVEL_SLICE];
    int64_t before = switching->in_slice->size;
    if (switching->out_slice->size == before)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_SWITCH_SLICES, switching->stage->span,
                          "switch goes from {} slices to {} of `{}`; it has a router for each "
                          "slice, before and behind it",
                          before, switching->out_slice->size, report_dim(verify, slice));
    if (switching->out_slice->size < before)
        report_rewrite(verify, diag, slice, report_padded(verify, slice, before),
                       "pad Slice, or add an axis over which it is broadcast:");
    return false;
}

static bool is_ring(const Machine *machine, int64_t ring)
{
    return (ring & (ring - 1)) == 0 && ring <= machine->switch_ring_slices;
}

// Manual: Switch Engine, Regular Topology Constraints; Example 1 ("must be a power of 2").
static void verify_ring(const Switching *switching)
{
    const Machine *machine = switching->verify->machine;
    int64_t ring = ring_of(switching);
    if (switching->verify->rules == RULES_REFERENCE || is_ring(machine, ring))
        return;
    Diag *diag =
        diag_add(switching->verify->diags, DIAG_SWITCH_RING,
                 report_at(switching->stage->at.config, switching->stage->span),
                 "slice1 x slice0 is a ring of {} slices; rings are powers of two up to {}", ring,
                 machine->switch_ring_slices);
    diag_help(diag, "choose powers of two");
}

// The names of the parameters below 1: "`slice1`, `time0`"; empty if there are none.
static Str zero_parameters(const Switching *switching, int32_t *count)
{
    const SwitchConfig *config = &switching->config;
    const int64_t values[SWITCH_FIELDS] = {config->slice1, config->slice0, config->time0};
    const SwitchInfo *info = &switches[config->kind];
    StrBuf buf = {.arena = switching->verify->arena};
    *count = 0;
    for (int32_t i = 0; i < SWITCH_FIELDS && info->fields[i]; i++)
        if (values[i] <= 0)
            buf_format(&buf, "{}`{}`", (*count)++ ? ", " : "", info->fields[i]);
    return buf_str(&buf);
}

static Diag *report_parameter(const Switching *switching)
{
    const Topology *topology = topology_of(switching);
    const char *time = topology->swaps ? "slice1 x time0" : "time0";
    int32_t zeros;
    Str zero = zero_parameters(switching, &zeros);
    Span span = report_at(switching->stage->at.config, switching->stage->span);
    Str config = config_text(switching->verify, &switching->config);
    Diag *diag = zeros
                     ? diag_add(switching->verify->diags, DIAG_SWITCH_PARAMETER, span,
                                "{} of `{}` {} 0; every dimension of a topology must be at least 1",
                                zero, config, zeros > 1 ? "are" : "is")
                     : diag_add(switching->verify->diags, DIAG_SWITCH_PARAMETER, span,
                                "`{}` does not divide the input: {} slices and {} steps of Time",
                                config, switching->in_slice->size, switching->in_time->size);
    diag_help(diag, "slice1 x slice0 must divide {}{}{}{}", switching->in_slice->size,
              topology->has_time0 ? ", and " : "", topology->has_time0 ? time : "",
              topology->has_time0 ? " must divide Time" : "");
    return diag;
}

// Piece by piece, so that padding which stands for a new axis is seen.
static Str slice_text(const Switching *switching)
{
    const Topology *topology = topology_of(switching);
    StrBuf buf = {.arena = switching->verify->arena};
    for (int32_t i = 0; i < SLICE_PIECES; i++) {
        Mapping piece = piece_mapping(switching, topology->slice[i]);
        if (piece.size > 1)
            buf_format(&buf, "{}{}", buf.len ? ", " : "",
                       report_mapping(switching->verify, &piece));
    }
    return buf.len ? buf_str(&buf) : STR("1");
}

static void help_with_slice(const Switching *switching, Diag *diag)
{
    bool broadcasts = is_new(topology_of(switching)->slice[1]);
    Str slice = slice_text(switching);
    diag_help(diag, "this configuration makes Slice `{}`{}",
              report_written(switching->verify, slice),
              broadcasts ? "; a new axis may stand for the padding" : "");
    report_edit(switching->verify, diag, switching->stage->dims[LEVEL_SLICE], slice);
    if (time_fits(switching))
        return;
    Mapping time = expected_time(switching);
    report_edit(switching->verify, diag, switching->stage->dims[LEVEL_TIME],
                report_mapping(switching->verify, &time));
}

static Diag *report_slice(const Switching *switching, const Finding *finding)
{
    const Verify *verify = switching->verify;
    assert(finding->piece < PIECE_COUNT);
    Mapping wanted = piece_mapping(switching, finding->piece);
    Diag *diag = diag_add(verify->diags, DIAG_SWITCH_OUT_SLICE, switching->stage->span,
                          "`{}` puts {}, which is `{}`, where Slice has `{}`",
                          config_text(verify, &switching->config), piece_names[finding->piece],
                          report_mapping(verify, &wanted), report_mapping(verify, &finding->part));
    return diag;
}

static Diag *report_broadcast(const Switching *switching, const Finding *finding)
{
    const Verify *verify = switching->verify;
    Diag *diag = diag_add(verify->diags, DIAG_SWITCH_BROADCAST, switching->stage->span,
                          "`{}` broadcasts over the place of {}, where Slice has `{}`: `{}` is an "
                          "axis of the input, not a new one",
                          config_text(verify, &switching->config), piece_names[finding->piece],
                          report_mapping(verify, &finding->part), finding->axis->name);
    return diag;
}

// A name for a new axis: `HPart`, or `HPart2` if the stream already has `HPart`.
static Str part_name(const Switching *switching, const char *axis)
{
    Arena *arena = switching->verify->arena;
    const Mapping *mappings[] = {switching->in_slice, switching->in_time, switching->out_slice,
                                 switching->out_time};
    Str name = str_format(arena, "{}Part", axis);
    for (int64_t number = 2;; number++) {
        bool taken = false;
        for (size_t i = 0; i < COUNT_OF(mappings); i++) {
            AtomList axes = shape_axes(arena, mappings[i]);
            taken |= shape_names(&axes, str_terminated(arena, name));
        }
        if (!taken)
            return name;
        name = str_format(arena, "{}Part{}", axis, number);
    }
}

// Slice with a new axis in place of a broadcast, and everything else as the topology puts it.
static Str split_slice_text(const Switching *switching, const Finding *finding, Str name,
                            int64_t positions)
{
    const Topology *topology = topology_of(switching);
    const Verify *verify = switching->verify;
    StrBuf buf = {.arena = verify->arena};
    int64_t outside = switching->out_slice->size;
    for (int32_t i = 0; i < SLICE_PIECES; i++) {
        int64_t size = place_of(switching, topology->slice[i]).size;
        outside /= size;
        Mapping piece = is_new(topology->slice[i])
                            ? shape_part(verify->arena, switching->out_slice, outside, size)
                            : piece_mapping(switching, topology->slice[i]);
        bool split = topology->slice[i] == finding->piece;
        if (size == 1 && !split)
            continue;
        buf_add(&buf, buf.len ? STR(", ") : STR(""));
        if (split)
            buf_add(&buf, positions < size ? str_format(buf.arena, "{} # {}", name, size) : name);
        else
            buf_add(&buf, report_mapping(verify, &piece));
    }
    return buf_str(&buf);
}

// The rule is about names: part of an existing axis may be broadcast once it has its own name.
static void help_with_split(const Switching *switching, Diag *diag, const Finding *finding)
{
    const Verify *verify = switching->verify;
    bool text = report_is_text(verify);
    Str name = part_name(switching, finding->axis->name);
    int64_t size = shape_strip(verify->arena, &finding->part).size;
    Str slice = split_slice_text(switching, finding, name, size);
    Span declared = finding->axis->declared;
    Span at = {declared.source, text ? declared.start : declared.end,
               text ? declared.start : declared.end};
    diag_help(
        diag,
        "or split `{}`: give these {} positions their own axis, `{} = {}`, and make Slice `{}`",
        finding->axis->name, size, name, size, report_written(verify, slice));
    diag_edit(diag, declared.source < 0 ? SPAN_NOWHERE : at, text ? "{} = {}\naxis " : ", {} = {}",
              name, size);
    report_edit(verify, diag, switching->stage->dims[LEVEL_SLICE], slice);
    if (time_fits(switching))
        return;
    Mapping time = expected_time(switching);
    report_edit(verify, diag, switching->stage->dims[LEVEL_TIME], report_mapping(verify, &time));
}

static void note_place(const Switching *switching, Diag *diag, const Finding *finding)
{
    const Verify *verify = switching->verify;
    Str part = report_mapping(verify, &finding->part);
    if (finding->axis) {
        diag_note(diag, SPAN_NOWHERE, "it also broadcasts over {}, where Slice has `{}`",
                  piece_names[finding->piece], part);
        return;
    }
    Mapping wanted = piece_mapping(switching, finding->piece);
    diag_note(diag, SPAN_NOWHERE, "it also puts {}, which is `{}`, where Slice has `{}`",
              piece_names[finding->piece], report_mapping(verify, &wanted), part);
}

// Reports every wrong piece of Slice, outermost first: one error per broken rule, with notes for
// the other pieces. The first error has the help that rewrites Slice.
static Diag *report_places(const Switching *switching, const Findings *findings)
{
    Diag *first = NULL, *of_rule[2] = {NULL, NULL};
    for (int32_t i = 0; i < findings->count; i++) {
        const Finding *finding = &findings->items[i];
        Diag **diag = &of_rule[finding->axis != NULL];
        if (*diag)
            note_place(switching, *diag, finding);
        else
            *diag = finding->axis ? report_broadcast(switching, finding)
                                  : report_slice(switching, finding);
        if (!first)
            help_with_slice(switching, first = *diag);
        if (finding->axis)
            help_with_split(switching, *diag, finding);
    }
    return first;
}

static Diag *report_time(const Switching *switching)
{
    const Verify *verify = switching->verify;
    const Dim *time = switching->stage->dims[LEVEL_TIME];
    Mapping wanted = expected_time(switching);
    Str expected = report_mapping(verify, &wanted);
    Diag *diag = diag_add(verify->diags, DIAG_SWITCH_OUT_TIME, switching->stage->span,
                          "`{}` makes Time `{}`, not `{}`", config_text(verify, &switching->config),
                          expected, report_dim(verify, time));
    report_difference(verify, diag, &wanted, &time->mapping);
    report_rewrite(verify, diag, time, expected, "write Time as");
    return diag;
}

// ---- the parameters that were meant

// Tries the powers of two that the sizes leave. Few are left: a broadcast lengthens Time by its
// ring, and everything else keeps its size.
static bool find_parameters(const Switching *given, SwitchConfig *found)
{
    const Machine *machine = given->verify->machine;
    Switching trial = *given;
    int64_t time0_most = topology_of(given)->has_time0 ? given->in_time->size : 1;
    SwitchConfig *config = &trial.config;
    Findings findings;
    for (config->slice1 = 1; config->slice1 <= machine->switch_ring_slices; config->slice1 *= 2)
        for (config->slice0 = 1; config->slice0 <= machine->switch_ring_slices; config->slice0 *= 2)
            for (config->time0 = 1; config->time0 <= time0_most; config->time0 *= 2) {
                bool sized =
                    parameters_fit(&trial) && expected_time(&trial).size == given->out_time->size;
                if (!sized || find_fault(&trial, &findings) != FITS)
                    continue;
                *found = *config;
                return true;
            }
    return false;
}

static void help_with_parameters(const Switching *switching, Diag *diag, const SwitchConfig *meant)
{
    if (meant->slice1 * meant->slice0 > 1)
        switch_help(switching, diag, meant, "or keep the mappings and configure");
    else
        diag_help(diag, "or leave switch out: with these mappings nothing changes its slice");
}

// ---- all of it

// NULL: nothing is wrong.
static Diag *report_fault(const Switching *switching, Fault fault, const Findings *findings)
{
    switch (fault) {
    case FITS:
        return NULL;
    case FAULT_PARAMETER:
        return report_parameter(switching);
    case FAULT_SLICE:
        return report_places(switching, findings);
    case FAULT_TIME:
        return report_time(switching);
    }
    return NULL;
}

// Input and output follow the pattern of the topology. Where other parameters would make it fit,
// these are the mistake; otherwise Slice and Time are two.
// Manual: Switch Engine, Regular Topology Constraints ("Topology pattern matching").
static void verify_pattern(const Switching *switching)
{
    Findings findings;
    Fault fault = find_fault(switching, &findings);
    Diag *diag = report_fault(switching, fault, &findings);
    SwitchConfig meant;
    if (fault != FAULT_PARAMETER)
        verify_ring(switching);
    if (diag && find_parameters(switching, &meant))
        help_with_parameters(switching, diag, &meant);
    else if (fault == FAULT_SLICE && !time_fits(switching))
        report_time(switching);
}

// Checks that do not need the right number of slices, because they depend on the input alone.
static void verify_without_slice(const Switching *switching)
{
    if (!parameters_fit(switching))
        report_parameter(switching);
    else if (!time_fits(switching))
        report_time(switching);
}

// The reference library asks for a whole cluster in this topology only; elsewhere the size of Slice
// is a rule about tensors.
static void verify_reference_cluster(const Switching *switching)
{
    int64_t slices = switching->verify->machine->switch_ring_slices;
    if (switching->verify->rules == RULES_REFERENCE &&
        switching->config.kind == SWITCH_INTER_TRANSPOSE && switching->in_slice->size != slices)
        diag_add(switching->verify->diags, DIAG_SWITCH_SLICES, switching->stage->span,
                 "InterTranspose switches {} slices, not {}", slices, switching->in_slice->size);
}

// Leaves them with the stage.
static void keep_terms(const Switching *switching)
{
    Arena *arena = stage_arena(switching->verify, switching->stage);
    if (!arena)
        return;
    RouteTerms terms = switch_terms(switching);
    RouteTerms *kept = arena_copy(arena, &terms, sizeof terms);
    kept->items = arena_new(arena, HwRouteTerm, (size_t)terms.count + 1);
    for (int64_t i = 0; i < terms.count; i++)
        kept->items[i] = terms.items[i];
    switching->stage->facts->derived = kept;
}

static Switching switching_of(const Verify *verify, const Stage *stage)
{
    const Stage *before = stage->before;
    return (Switching){
        .verify = verify,
        .stage = stage,
        .config = stage->config,
        .in_slice = &before->dims[LEVEL_SLICE]->mapping,
        .in_time = &before->dims[LEVEL_TIME]->mapping,
        .out_slice = &stage->dims[LEVEL_SLICE]->mapping,
        .out_time = &stage->dims[LEVEL_TIME]->mapping,
    };
}

// Also reports a mapping that repeats an axis if the topology already found it wrong.
static void verify_repeats(const Verify *verify, const Stage *stage)
{
    const Dim *const dims[LEVEL_COUNT] = {
        [LEVEL_SLICE] = stage->dims[LEVEL_SLICE], [LEVEL_TIME] = stage->dims[LEVEL_TIME]};
    repeated_axis_verify(verify, dims, stage->span);
}

static void switch_verify(const Verify *verify, const Pass *pass, const Stage *stage)
{
    (void)pass;
    const Stage *before = stage->before;
    Switching switching = switching_of(verify, stage);
    int64_t errors = verify->diags->error_count, found = verify->diags->count;
    bool declared = before->kind == STAGE_INPUT; // its mappings can be compared, right or wrong
    bool custom = stage->config.kind == SWITCH_CUSTOM_BROADCAST;
    if (!before->sound && !declared)
        return;
    bool slices = verify_slices(&switching);
    if (slices)
        verify_reference_cluster(&switching);
    if (slices && custom)
        switch_verify_custom(&switching);
    else if (slices)
        verify_pattern(&switching);
    else if (!custom)
        verify_without_slice(&switching);
    if (verify->diags->error_count != errors)
        verify_repeats(verify, stage);
    if (verify->rules == RULES_REFERENCE && verify->diags->error_count == errors)
        move_verify_stage(verify, stage, DIAG_SWITCH_DROPS, MOVE_BROADCAST);
    if (verify->rules != RULES_REFERENCE && verify->diags->count == found)
        keep_terms(&switching);
}

// A ring of the axis that is innermost in Slice, and what is inside it.
static bool switch_suggest(Proposal *proposal)
{
    const Mapping *slice = &proposal->dims[LEVEL_SLICE], *time = &proposal->dims[LEVEL_TIME];
    uint32_t needed = 1U << LEVEL_SLICE | 1U << LEVEL_TIME;
    Verify verify = {.arena = proposal->arena, .rules = RULES_CONTRA};
    SwitchConfig *config = &proposal->config;
    if (config->kind == SWITCH_COUNT)
        return true;
    if (config->kind == SWITCH_CUSTOM_BROADCAST || (proposal->known & needed) != needed)
        return false;
    PlacedTerms terms = shape_terms(proposal->arena, slice);
    *config = (SwitchConfig){.kind = config->kind, .slice1 = 1, .slice0 = 1, .time0 = 1};
    if (terms.count) {
        config->slice1 = terms.items[0].extent;
        config->slice0 = terms.items[0].stride;
    }
    Switching switching = {
        .verify = &verify, .config = *config, .in_slice = slice, .in_time = time};
    if (!is_ring(proposal->machine, ring_of(&switching)) || !parameters_fit(&switching))
        return false;
    Mapping expected = expected_time(&switching);
    proposal->slice = slice_text(&switching);
    proposal->time = report_mapping(&verify, &expected);
    return true;
}

enum { BITMAP_WORD_BITS = 64, REGISTER_BITS = 32 };

static const RouterMode modes[SWITCH_COUNT] = {
    [SWITCH_BROADCAST01] = ROUTER_BROADCAST01,
    [SWITCH_BROADCAST1] = ROUTER_BROADCAST1,
    [SWITCH_TRANSPOSE] = ROUTER_TRANSPOSE,
    [SWITCH_INTER_TRANSPOSE] = ROUTER_INTER_TRANSPOSE,
    [SWITCH_TRANSPOSED_BROADCAST1] = ROUTER_TRANSPOSED_BROADCAST1,
    [SWITCH_CUSTOM_BROADCAST] = ROUTER_CUSTOM,
};

// ---- snoop bitmaps

// The slice that gives the packets of `slice`, but for what Time adds to it; -1: it gets none.
static int64_t first_source(const HwSwitchRoute *route, int64_t slice)
{
    int64_t source = 0;
    for (int64_t i = 0; i < route->terms.count; i++) {
        const HwRouteTerm *term = &route->terms.items[i];
        int64_t digit = slice / term->place % term->extent;
        if (term->of_time)
            continue;
        if (digit >= term->size)
            return -1;
        source += digit * term->slice_stride;
    }
    return source;
}

// Marks `source` and whatever the digits of Time from `index` on add to it.
static void mark_sources(const HwSwitchRoute *route, int64_t index, int64_t source, HwSnoopRow *row)
{
    while (index < route->terms.count &&
           !(route->terms.items[index].of_time && route->terms.items[index].slice_stride))
        index++;
    if (index == route->terms.count) {
        row->sources.items[source / BITMAP_WORD_BITS] |= UINT64_C(1) << source % BITMAP_WORD_BITS;
        return;
    }
    const HwRouteTerm *term = &route->terms.items[index];
    for (int64_t i = 0; i < term->size; i++)
        mark_sources(route, index + 1, source + i * term->slice_stride, row);
}

static void snoop_lower(const Lower *lower, int64_t slices, HwSwitchRoute *route)
{
    for (int64_t slice = 0; slice < slices; slice++) {
        HwSnoopRow *row = array_push(lower->arena, &route->snoop, HwSnoopRow);
        for (int64_t i = 0; i < ceil_div(slices, BITMAP_WORD_BITS); i++)
            *array_push(lower->arena, &row->sources, uint64_t) = 0;
        int64_t source = first_source(route, slice);
        if (source >= 0)
            mark_sources(route, 0, source, row);
    }
}

// ---- switch

static void topology_lower(const Switching *switching, HwSwitchRoute *out)
{
    const SwitchConfig *config = &switching->config;
    bool custom = config->kind == SWITCH_CUSTOM_BROADCAST;
    out->mode = modes[config->kind];
    out->slice1 = custom ? 1 : config->slice1;
    out->slice0 = custom ? 1 : config->slice0;
    out->ring_size = custom ? config->ring_size : out->slice1 * out->slice0;
    out->slice2 = switching->in_slice->size / out->ring_size;
    out->time0 = time0_of(switching);
    out->time1 =
        topology_of(switching)->swaps ? out->slice1 : switching->in_time->size / out->time0;
    out->time2 = switching->in_time->size / (out->time1 * out->time0);
}

static bool switch_lower(const Lower *lower, const Pass *pass, const Stage *stage,
                         HwPipeline *pipeline)
{
    (void)pass;
    Verify verify = {.arena = lower->scratch, .diags = lower->diags, .machine = lower->machine};
    Switching switching = switching_of(&verify, stage);
    int64_t slices = switching.in_slice->size;
    const RouteTerms *known = stage_derived(stage, lower->machine);
    RouteTerms terms = known ? *known : switch_terms(&switching);
    HwSwitchRoute *out = arena_new(lower->arena, HwSwitchRoute, 1);
    pipeline->route = out;
    *out =
        (HwSwitchRoute){.in_time = switching.in_time->size, .out_time = switching.out_time->size};
    topology_lower(&switching, out);
    scalar_bytes(stage->type, stage->dims[LEVEL_PACKET]->mapping.size, &out->packet_bytes);
    out->packet_flits = ceil_div(out->packet_bytes, lower->machine->flit_bytes);
    for (int64_t i = 0; i < terms.count; i++)
        *array_push(lower->arena, &out->terms, HwRouteTerm) = terms.items[i];
    snoop_lower(lower, slices, out);
    out->writes_registers = out->mode == ROUTER_CUSTOM;
    out->register_writes = out->writes_registers ? slices * ceil_div(slices, REGISTER_BITS) : 0;
    return true;
}

const Engine switch_engine = {
    .name = "Switch Engine",
    .manual = "Switch Engine",
    .verify = switch_verify,
    .suggest = switch_suggest,
    .lower = switch_lower,
};

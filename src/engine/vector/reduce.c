// The two reductions. The intra-slice reduce takes every part of one axis out of Time and Packet:
// lanes of a packet go through a tree, time steps into accumulators; parts of the axis in Slice
// stay. The inter-slice reduce takes axes out of Slice. The slices they leave free hold padding, a
// new axis over which the result is repeated, or an axis that Time gives up; everything else stays
// in its place. Manual: Intra-Slice Reduce; Inter-Slice Block, Output Mapping Rule.
#include "engine/vector/internal.h"

#include "base/checked.h"
#include "engine/lower/live.h"
#include "engine/lower/mask.h"
#include "engine/stream/stream.h"
#include "engine/vector/digits.h"
#include "mapping/cell.h"
#include "mapping/divide.h"

#include <string.h>

// ---- inside a slice

static bool axis_is_in(const Call *call, const Stage *stream, Level level)
{
    return digits_name(call->arena, stream->dims[level], call->stage->axis);
}

static DigitList time_digits(const Call *call)
{
    DigitList digits = {0};
    digits_add(call->arena, LEVEL_TIME, call->from->dims[LEVEL_TIME], &digits);
    return digits;
}

// `1 # 4`: one result a packet.
static Mapping single_lane(const Call *call)
{
    Mapping one = mapping_identity();
    return mapping_pad(call->arena, &one, call->machine->vector_way4_lanes, PADDING_TOP);
}

// ---- what the output alone says

static void report_kept(const Call *call, Level level)
{
    const Dim *dim = call->stage->dims[level];
    Diag *diag = diag_add(call->diags, DIAG_INTRA_REDUCE_KEEPS, dim->span,
                          "`{}` is reduced, and {} `{}` still holds it", call->stage->axis->name,
                          level_names[level], report_dim(call->verify, dim));
    diag_help(diag, "all parts of `{}` in Time and Packet are reduced; leave them out",
              call->stage->axis->name);
}

static bool verify_reduced_output(const Call *call)
{
    bool time = axis_is_in(call, call->stage, LEVEL_TIME);
    bool packet = axis_is_in(call, call->stage, LEVEL_PACKET);
    bool lanes = vector_lanes_verify(call, call->machine->vector_way4_lanes, NULL);
    if (time)
        report_kept(call, LEVEL_TIME);
    if (packet)
        report_kept(call, LEVEL_PACKET);
    return !time && !packet && lanes;
}

// ---- what becomes of the input

static void report_axis_absent(const Call *call)
{
    const char *axis = call->stage->axis->name;
    Diag *diag = diag_add(call->diags, DIAG_INTRA_REDUCE_ABSENT,
                          report_at(call->stage->at.axis, call->stage->span),
                          "there is no `{}` in Time `{}` or Packet `{}`", axis,
                          report_dim(call->verify, call->from->dims[LEVEL_TIME]),
                          report_dim(call->verify, call->from->dims[LEVEL_PACKET]));
    if (axis_is_in(call, call->from, LEVEL_SLICE))
        diag_help(diag, "`{}` is in Slice: reduce it with vector_inter_slice_reduce", axis);
    else
        diag_help(diag, "name an axis of Time or Packet");
}

static bool mixes_axis(const Call *call, const DigitList *digits)
{
    for (int64_t i = 0; i < digits->count; i++)
        if (digit_mixes(call->arena, &digits->items[i], call->stage->axis))
            return true;
    return false;
}

static bool shares_packet(const Call *call)
{
    AtomList axes = {0};
    expr_axes(call->arena, call->from->dims[LEVEL_PACKET]->expr, &axes);
    return axis_is_in(call, call->from, LEVEL_PACKET) && axes.count > 1;
}

// Whether no other axis shares the steps and lanes of the reduced axis.
static bool has_own_lanes(const Call *call)
{
    DigitList digits = time_digits(call);
    return !mixes_axis(call, &digits) && !shares_packet(call);
}

static void report_mixed(const Call *call, Level level)
{
    const char *axis = call->stage->axis->name;
    Diag *diag = diag_add(call->diags, DIAG_INTRA_REDUCE_COMPOSITE, call->stage->span,
                          "`{}` shares {} `{}` with other axes, which would be reduced with it",
                          axis, level == LEVEL_PACKET ? "the lanes of Packet" : "the steps of Time",
                          report_dim(call->verify, call->from->dims[level]));
    if (level == LEVEL_PACKET)
        diag_help(diag, "leave Packet to `{}`, and put the other axes into Time", axis);
    else
        diag_help(diag, "pad and cut `{}` by itself, not a group of axes", axis);
}

static void verify_time_left(const Call *call, const DigitList *digits)
{
    const Dim *time = call->from->dims[LEVEL_TIME], *out = call->stage->dims[LEVEL_TIME];
    Mapping expected = digits_without(call->arena, digits, call->stage->axis);
    if (shape_equal(call->arena, &out->mapping, &expected))
        return;
    const char *axis = call->stage->axis->name;
    Diag *diag = diag_add(call->diags, DIAG_INTRA_REDUCE_TIME, out->span,
                          "Time `{}` without `{}` is not `{}`", report_dim(call->verify, time),
                          axis, report_dim(call->verify, out));
    Str rest = report_mapping(call->verify, &expected);
    diag_help(diag, "write `{}`: what is not `{}` stays, in its order",
              report_written(call->verify, rest), axis);
    report_edit(call->verify, diag, out, rest);
}

// Lanes that the tree adds up are lanes of the axis; where it has none, all of them stay. False:
// the axis shares its lanes.
static bool verify_packet_left(const Call *call, bool output_is_fine)
{
    const Dim *packet = call->from->dims[LEVEL_PACKET], *out = call->stage->dims[LEVEL_PACKET];
    bool in_packet = axis_is_in(call, call->from, LEVEL_PACKET);
    Mapping single = single_lane(call);
    if (shares_packet(call)) {
        report_mixed(call, LEVEL_PACKET);
        return false;
    }
    const Mapping *expected = in_packet ? &single : &packet->mapping;
    if (!output_is_fine || shape_equal(call->arena, &out->mapping, expected))
        return true;
    Diag *diag =
        diag_add(call->diags, DIAG_INTRA_REDUCE_PACKET, out->span,
                 "reducing `{}` in Packet `{}` does not give `{}`", call->stage->axis->name,
                 report_dim(call->verify, packet), report_dim(call->verify, out));
    if (in_packet)
        report_rewrite(call->verify, diag, out, report_mapping(call->verify, &single),
                       "the tree leaves one value: write");
    else
        report_rewrite(call->verify, diag, out, report_dim(call->verify, packet),
                       "the packet stays as it is: write");
    return true;
}

// False: the axis has no lanes and steps of its own, which is all there is to say about it.
static bool verify_reduced_input(const Call *call, bool output_is_fine)
{
    if (!vector_level_is_sound(call->from, LEVEL_TIME) ||
        !vector_level_is_sound(call->from, LEVEL_PACKET))
        return true;
    if (!axis_is_in(call, call->from, LEVEL_TIME) && !axis_is_in(call, call->from, LEVEL_PACKET)) {
        report_axis_absent(call);
        return false;
    }
    DigitList digits = time_digits(call);
    bool is_apart = !mixes_axis(call, &digits);
    if (!is_apart)
        report_mixed(call, LEVEL_TIME);
    else if (output_is_fine)
        verify_time_left(call, &digits);
    return verify_packet_left(call, output_is_fine) && is_apart;
}

// ---- accumulators

// Steps of other axes inside the outermost part of the axis in Time, and how they come about:
// "3 x 4 = 12".
static int64_t slots_of(const Call *call, const DigitList *digits, StrBuf *words)
{
    int64_t slots = 1, factors = 0, outermost = -1;
    for (int64_t i = 0; i < digits->count; i++)
        if (digit_counts(&digits->items[i], call->stage->axis))
            outermost = i;
    for (int64_t i = outermost - 1; i >= 0; i--) {
        const Digit *digit = &digits->items[i];
        if (digit_counts(digit, call->stage->axis) || digit->extent == 1)
            continue;
        slots *= digit->extent; // fits: so does Time
        buf_format(words, factors++ ? " x {}" : "{}", digit->extent);
    }
    if (factors > 1)
        buf_format(words, " = {}", slots);
    return slots;
}

// Positions of other axes that come round again while the axis is being reduced need an accumulator
// each. Lanes of a packet do not count: every accumulator has all of them (erratum E163).
static void verify_slots(const Call *call)
{
    if (!vector_level_is_sound(call->from, LEVEL_TIME))
        return;
    DigitList digits = time_digits(call);
    StrBuf words = {.arena = call->arena};
    int64_t most = call->machine->vector_reduce_slots;
    if (slots_of(call, &digits, &words) <= most)
        return;
    Mapping others = digits_without(call->arena, &digits, call->stage->axis);
    const Dim *time = call->from->dims[LEVEL_TIME];
    const char *axis = call->stage->axis->name;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_ACCUMULATORS, call->stage->span,
                          "reducing `{}` in Time `{}` takes {} accumulators, and there are {}",
                          axis, report_dim(call->verify, time), buf_str(&words), most);
    diag_help(diag, "with `{}` innermost in Time, inside `{}`, one accumulator is enough", axis,
              report_mapping(call->verify, &others));
}

// ---- the reference library

// Only that everything but the axis is still there, in any order.
static void verify_reference_shape(const Call *call)
{
    const Stage *from = call->from, *stage = call->stage;
    const Dim *const before[LEVEL_COUNT] = {
        [LEVEL_TIME] = from->dims[LEVEL_TIME], [LEVEL_PACKET] = from->dims[LEVEL_PACKET]};
    const Dim *const behind[LEVEL_COUNT] = {
        [LEVEL_TIME] = stage->dims[LEVEL_TIME], [LEVEL_PACKET] = stage->dims[LEVEL_PACKET]};
    Mapping whole = shape_of(call->arena, before), kept = shape_of(call->arena, behind);
    Division division = mapping_divide(call->arena, &whole, &kept, DIVIDE_RELAXED, 1);
    AtomList left = {0};
    mapping_axes(call->arena, &division.dividend_residue, &left);
    bool only = left.count == 0 || (left.count == 1 && atom_equal(left.items[0], stage->axis));
    if (!division.exact || !only) {
        Diag *diag =
            diag_add(call->diags, DIAG_INTRA_REDUCE_TIME, stage->dims[LEVEL_TIME]->span,
                     "Time `{}` and Packet `{}` are not what is left without `{}`",
                     report_dim(call->verify, stage->dims[LEVEL_TIME]),
                     report_dim(call->verify, stage->dims[LEVEL_PACKET]), stage->axis->name);
        diag_help(diag, "all other axes of Time and Packet stay");
    }
    Mapping single = single_lane(call);
    const Dim *packet = stage->dims[LEVEL_PACKET];
    if (shape_equal(call->arena, &packet->mapping, &single) ||
        shape_equal(call->arena, &packet->mapping, &from->dims[LEVEL_PACKET]->mapping))
        return;
    Diag *diag = diag_add(call->diags, DIAG_INTRA_REDUCE_PACKET, packet->span,
                          "the packet stays as it is or becomes `1 # {}`, and `{}` is neither",
                          single.size, report_dim(call->verify, packet));
    diag_help(diag, "write `{}` where `{}` is in Packet",
              report_written(call->verify, report_mapping(call->verify, &single)),
              stage->axis->name);
}

void vector_intra_reduce_verify(const Call *call)
{
    if (!call->stage->axis)
        return;
    bool output_is_fine = verify_reduced_output(call);
    bool is_apart;
    if (call->is_reference) {
        bool is_sound = vector_level_is_sound(call->from, LEVEL_TIME) &&
                        vector_level_is_sound(call->from, LEVEL_PACKET);
        if (output_is_fine && is_sound)
            verify_reference_shape(call);
        is_apart = output_is_fine && is_sound && has_own_lanes(call);
    } else {
        is_apart = verify_reduced_input(call, output_is_fine);
        verify_slots(call);
    }
    const Stage *entry = vector_block_entry(call->from);
    if (entry && is_apart)
        valid_count_verify(call, entry, call->stage->axis);
}

// ---- between slices

// What becomes of Slice and Time.
typedef struct {
    const Call *call;
    const Dim *slice, *time;   // before
    const Dim *slice2, *time2; // behind
    Division kept;             // Slice divided by Slice2
    Mapping promoted;          // what of Slice2 comes from Time
    bool is_sound;
} Reduction;

static bool verify_size(const Reduction *reduction)
{
    const Call *call = reduction->call;
    int64_t before = reduction->slice->mapping.size, behind = reduction->slice2->mapping.size;
    if (before == behind)
        return true;
    Diag *diag = diag_add(call->diags, DIAG_INTER_REDUCE_SIZE, reduction->slice2->span,
                          "there are {} slices before the reduce, and `{}` has {}", before,
                          report_dim(call->verify, reduction->slice2), behind);
    diag_help(diag,
              "slices that become free stay: put `1 # n` in the place of a reduced axis of n");
    return false;
}

// ---- what stays in Slice

static void verify_in_place(Reduction *reduction)
{
    const Call *call = reduction->call;
    for (int64_t i = 0; i < reduction->kept.found; i++) {
        const Match *match = &reduction->kept.matches.items[i];
        if (match->dividend_stride == match->divisor_stride)
            continue;
        Diag *diag = diag_add(call->diags, DIAG_INTER_REDUCE_MOVED, reduction->slice2->span,
                              "`{}` moves to other slices", report_match(call->verify, match));
        diag_note(diag, SPAN_NOWHERE, "one step of it is {} slices before, {} behind",
                  match->dividend_stride, match->divisor_stride);
        diag_help(diag, "what is not reduced keeps its place in `{}`",
                  report_dim(call->verify, reduction->slice));
        reduction->is_sound = false;
    }
}

// ---- what is new in Slice

// Whether position `place` of Slice belongs to a reduced axis: the term outside which it lies, next
// to it, is one that is not kept.
static bool is_freed(const Reduction *reduction, int64_t place)
{
    const Mapping *left = &reduction->kept.dividend_residue;
    int64_t nearest = 0, size = 1;
    for (int64_t i = 0; i < left->count; i++) {
        const Factor *factor = &left->factors[i];
        if (!factor->is_padding && size <= place)
            nearest = size;
        size = factor->is_padding ? factor->size : size * factor->resize;
    }
    for (int64_t i = 0; i < reduction->kept.found; i++) {
        int64_t kept = reduction->kept.matches.items[i].dividend_stride;
        if (kept <= place && kept >= nearest)
            return false;
    }
    return nearest > 0;
}

static bool stream_names(const Call *call, const Atom *atom)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (call->from->dims[level] && digits_name(call->arena, call->from->dims[level], atom))
            return true;
    return false;
}

static void report_elsewhere(Reduction *reduction, const Match *match)
{
    const Call *call = reduction->call;
    Diag *diag =
        diag_add(call->diags, DIAG_INTER_REDUCE_ELSEWHERE, reduction->slice2->span,
                 "`{}` comes into Slice, and Time `{}` does not hold it",
                 report_match(call->verify, match), report_dim(call->verify, reduction->time));
    diag_help(diag, "only Time gives axes to Slice; an axis that the stream does not hold at all "
                    "repeats the result");
    reduction->is_sound = false;
}

static void report_not_freed(Reduction *reduction, const Match *match)
{
    const Call *call = reduction->call;
    Diag *diag = diag_add(call->diags, DIAG_INTER_REDUCE_FIELD, reduction->slice2->span,
                          "`{}` comes into slices that no reduced axis leaves free",
                          report_match(call->verify, match));
    diag_help(diag, "put it in the place of what is reduced of `{}`",
              report_dim(call->verify, reduction->slice));
    reduction->is_sound = false;
}

static void verify_new(Reduction *reduction, const Match *match)
{
    const Call *call = reduction->call;
    Mapping term = mapping_of_term(call->arena, match->term, match->resize);
    Division division =
        mapping_divide(call->arena, &reduction->time->mapping, &term, DIVIDE_RELAXED, 1);
    if (division.exact)
        reduction->promoted = mapping_pair(call->arena, &term, &reduction->promoted);
    else if (stream_names(call, match->term.atom)) {
        report_elsewhere(reduction, match);
        return;
    }
    if (!is_freed(reduction, match->divisor_stride))
        report_not_freed(reduction, match);
}

// ---- Time

static Mapping time_left(const Reduction *reduction)
{
    return mapping_divide(reduction->call->arena, &reduction->time->mapping, &reduction->promoted,
                          DIVIDE_RELAXED, 1)
        .dividend_remainder;
}

// Something of Time that is neither in Time2 nor in Slice2; NULL: nothing.
static const Factor *lost_of_time(const Reduction *reduction, const Mapping *left)
{
    Division division =
        mapping_divide(reduction->call->arena, left, &reduction->time2->mapping, DIVIDE_RELAXED, 1);
    for (int64_t i = 0; i < division.dividend_residue.count; i++)
        if (!division.dividend_residue.factors[i].is_padding)
            return &division.dividend_residue.factors[i];
    return NULL;
}

static void verify_time(const Reduction *reduction)
{
    const Call *call = reduction->call;
    Mapping left = time_left(reduction);
    if (shape_equal(call->arena, &reduction->time2->mapping, &left))
        return;
    const Factor *lost = lost_of_time(reduction, &left);
    Diag *diag;
    if (lost) {
        Str words = shape_term_text(call->arena, &lost->term, lost->resize);
        diag = diag_add(call->diags, DIAG_INTER_REDUCE_TIME_LOST, reduction->time2->span,
                        "`{}` of Time is neither in Time2 nor in Slice2: only slices are reduced",
                        words);
    } else {
        diag = diag_add(call->diags, DIAG_INTER_REDUCE_TIME, reduction->time2->span,
                        "Time2 is what Time `{}` keeps, and `{}` is not",
                        report_dim(call->verify, reduction->time),
                        report_dim(call->verify, reduction->time2));
    }
    report_rewrite(call->verify, diag, call->stage->dims[LEVEL_TIME],
                   report_mapping(call->verify, &left), "write");
}

// ---- what is reduced

static bool reduces_anything(const Reduction *reduction)
{
    return mapping_has_terms(&reduction->kept.dividend_residue);
}

static void warn_nothing(const Reduction *reduction)
{
    const Call *call = reduction->call;
    Diag *diag = diag_add(call->diags, DIAG_INTER_REDUCE_NOTHING, call->stage->span,
                          "nothing is reduced: `{}` keeps all of Slice",
                          report_dim(call->verify, reduction->slice2));
    diag_help(diag, "leave the axis that is reduced out of Slice2, or drop the call");
}

static bool was_reduced_inside(const Call *call, const Atom *axis)
{
    for (const Stage *s = call->from; s; s = s->before)
        if (s->kind == STAGE_VECTOR_INTRA_REDUCE && s->axis && atom_equal(s->axis, axis))
            return true;
    return false;
}

// Whether a check tells apart slices that differ in a digit only. One number compared with a limit
// does where the limit lies inside the digit.
static bool looks_at(const LiveCheck *check, const Digit *digit, int64_t inside)
{
    const LiveTerm *first = check->items;
    if (check->count == 1 && first->place == 1 && first->weight == 1 && first->of == OF_POSITION)
        return first->modulo > digit->place * inside && check->limit % (digit->end * inside) != 0;
    for (int64_t i = 0; i < check->count; i++) {
        const LiveTerm *term = &check->items[i];
        if (term->of == OF_POSITION && term->place < digit->end * inside &&
            term->modulo > digit->place * inside)
            return true;
    }
    return false;
}

// Whether some of the slices that differ in a digit hold padding where others hold data.
static bool is_uneven(const Reduction *reduction, const Digit *digit)
{
    const Call *call = reduction->call;
    Mapping shape = shape_of(call->arena, call->from->dims);
    LiveChecks checks = live_checks(call->arena, &shape, NULL, 0);
    int64_t inside = reduction->time->mapping.size * call->from->dims[LEVEL_PACKET]->mapping.size;
    for (int64_t i = 0; i < checks.count; i++)
        if (looks_at(&checks.items[i], digit, inside))
            return true;
    return false;
}

static const Diag *report_padding(const Reduction *reduction, const Digit *digit)
{
    const Call *call = reduction->call;
    Str words =
        digit->term.atom ? shape_term_text(call->arena, &digit->term, digit->resize) : STR("1");
    Diag *diag = digit->resize < digit->extent
                     ? diag_add(call->diags, DIAG_INTER_REDUCE_PADDING, call->stage->span,
                                "`{}` has {} of {} slices, and the others are reduced with it",
                                words, digit->resize, digit->extent)
                     : diag_add(call->diags, DIAG_INTER_REDUCE_PADDING, call->stage->span,
                                "some slices of `{}` hold padding where others hold data, and it "
                                "is reduced with that",
                                words);
    const char *op = vector_ops[call->stage->op].name;
    const Stage *custom;
    if (reduce_is_of_fetched(call->stage, &custom) && custom) {
        diag_note(diag, custom->span, "CustomBroadcast brings zeros to padding");
        diag_help(diag, "use another topology, or commit the result of {} and distribute that", op);
        return diag;
    }
    diag_help(diag,
              "reduce the stream as it was fetched, then compute with the result: fetch sets "
              "padding to the neutral element of {}",
              op);
    return diag;
}

// Whether a padded digit of Slice is reduced: what it counts is gone, or the result comes to its
// padding.
static bool is_reduced(const Reduction *reduction, const Digit *digit)
{
    const Call *call = reduction->call;
    DigitList behind = {0};
    if (digit->term.atom) {
        Mapping term = mapping_of_term(call->arena, digit->term, digit->resize);
        const Mapping *slice = &reduction->slice2->mapping;
        return mapping_has_terms(&term) &&
               !mapping_divide(call->arena, slice, &term, DIVIDE_RELAXED, 1).exact;
    }
    digits_add(call->arena, LEVEL_SLICE, reduction->slice2, &behind);
    for (int64_t i = 0; i < behind.count; i++) {
        const Digit *other = &behind.items[i];
        if (other->term.atom && other->place < digit->end && other->end > digit->place)
            return true;
    }
    return false;
}

// Slices that are padding hold whatever was there, and no valid count keeps them out. What comes as
// it was fetched is masked with the neutral element there, and after an intra-slice reduce of the
// same axis they hold it as well.
static void verify_padding(const Reduction *reduction)
{
    const Call *call = reduction->call;
    DigitList digits = {0};
    const Diag *last = NULL;
    uint32_t bits;
    if (reduce_neutral(call->stage, &bits)) {
        padding_verify(call->verify, call->pass, call->stage);
        return;
    }
    padding_keep(call->verify, call->stage, PADDING_IS_NEUTRAL);
    digits_add(call->arena, LEVEL_SLICE, reduction->slice, &digits);
    for (int64_t i = 0; i < digits.count; i++) {
        const Digit *digit = &digits.items[i];
        if (digit->term.atom && was_reduced_inside(call, digit->term.atom))
            continue;
        if (is_reduced(reduction, digit) &&
            (digit->resize < digit->extent || is_uneven(reduction, digit)))
            last = report_padding(reduction, digit);
    }
    if (last)
        padding_keep(call->verify, call->stage, PADDING_IS_TAKEN);
    if (last && last->severity != SEVERITY_ERROR)
        padding_verify_relaxed(call->verify, call->pass, call->stage);
}

static void verify_shape(Reduction *reduction)
{
    const Call *call = reduction->call;
    reduction->kept = mapping_divide(call->arena, &reduction->slice->mapping,
                                     &reduction->slice2->mapping, DIVIDE_RELAXED, 1);
    verify_in_place(reduction);
    for (int64_t i = reduction->kept.found; i < reduction->kept.matches.count; i++)
        verify_new(reduction, &reduction->kept.matches.items[i]);
    if (reduction->is_sound)
        verify_time(reduction);
    if (reduction->is_sound && !reduces_anything(reduction))
        warn_nothing(reduction);
    verify_padding(reduction);
}

void vector_inter_reduce_verify(const Call *call)
{
    Reduction reduction = {.call = call,
                           .slice = call->from->dims[LEVEL_SLICE],
                           .time = call->from->dims[LEVEL_TIME],
                           .slice2 = call->stage->dims[LEVEL_SLICE],
                           .time2 = call->stage->dims[LEVEL_TIME],
                           .promoted = mapping_identity(),
                           .is_sound = true};
    if (call->is_reference) { // which checks no shape
        if (reduction.slice->mapping.size == reduction.slice2->mapping.size)
            verify_padding(&reduction);
        return;
    }
    if (call->from->position == POSITION_VECTOR_INIT)
        vector_flit_verify(call);
    if (vector_shape_is_sound(call->from) && verify_size(&reduction))
        verify_shape(&reduction);
}

// Reductions inside a slice and between slices, as digits of time and of the slice number.

static DigitList digits_of(const Lower *lower, Level level, const Dim *dim)
{
    DigitList digits = {0};
    digits_add(lower->scratch, level, dim, &digits);
    return digits;
}

static Str digit_text(const Lower *lower, const Digit *digit)
{
    return digit->term.atom ? shape_term_text(lower->arena, &digit->term, digit->extent) : (Str){0};
}

// ---- inside a slice

const HwLaneReduce *lane_reduce_lower(const Lower *lower, const Stage *stage)
{
    const Dim *time = stage->before->dims[LEVEL_TIME], *packet = stage->before->dims[LEVEL_PACKET];
    HwLaneReduce *out = arena_new(lower->arena, HwLaneReduce, 1);
    DigitList digits = digits_of(lower, LEVEL_TIME, time);
    int64_t outermost = -1;
    for (int64_t i = 0; i < digits.count; i++)
        if (digit_counts(&digits.items[i], stage->axis))
            outermost = i;
    out->slots = 1;
    HwReduceLoop *loops = arena_new(lower->scratch, HwReduceLoop, (size_t)digits.count + 1);
    for (int64_t i = 0; i < digits.count; i++) {
        const Digit *digit = &digits.items[i];
        bool reduced = digit_counts(digit, stage->axis), held = !reduced && i < outermost;
        loops[i] = (HwReduceLoop){.size = digit->extent,
                                  .reduced = reduced,
                                  .slot_stride = held ? out->slots : 0,
                                  .term = digit_text(lower, digit)};
        if (held)
            out->slots *= digit->extent;
    }
    for (int64_t i = digits.count - 1; i >= 0; i--)
        if (loops[i].size > 1)
            *array_push(lower->arena, &out->loops, HwReduceLoop) = loops[i];
    out->lanes = digits_name(lower->scratch, packet, stage->axis);
    for (int64_t lanes = packet->mapping.size; out->lanes && lanes > 1; lanes /= 2)
        out->tree_depth++;
    out->in_time = time->mapping.size;
    out->out_time = stage->dims[LEVEL_TIME]->mapping.size;
    out->identity_bits = reduce_identity(stage->op);
    return out;
}

// ---- between slices

typedef struct {
    ARRAY(int64_t);
} Cuts;

static void add_cut(const Lower *lower, Cuts *cuts, int64_t at, int64_t size)
{
    if (at <= 0 || at > size)
        return;
    int64_t i = 0;
    while (i < cuts->count && cuts->items[i] < at)
        i++;
    if (i < cuts->count && cuts->items[i] == at)
        return;
    array_push(lower->scratch, cuts, int64_t);
    memmove(cuts->items + i + 1, cuts->items + i,
            (size_t)(cuts->count - 1 - i) * sizeof *cuts->items);
    cuts->items[i] = at;
}

// Ends of the digits of both sides: between two of them each side counts one thing.
static void cut_digits(const Lower *lower, Cuts *cuts, const DigitList *digits, int64_t size)
{
    for (int64_t i = 0; i < digits->count; i++) {
        add_cut(lower, cuts, digits->items[i].place, size);
        add_cut(lower, cuts, digits->items[i].end, size);
    }
}

static const Digit *digit_at(const DigitList *digits, int64_t place)
{
    for (int64_t i = 0; i < digits->count; i++)
        if (digits->items[i].place <= place && place < digits->items[i].end)
            return &digits->items[i];
    return NULL;
}

static bool counts_data(const Digit *digit)
{
    return digit && digit->term.atom && digit->resize * digit->term.stride > 0;
}

// Both sides count the same at `place`.
static bool counts_same(const Digit *before, const Digit *behind, int64_t place)
{
    return counts_data(behind) && atom_equal(before->term.atom, behind->term.atom) &&
           before->term.stride * (place / before->place) ==
               behind->term.stride * (place / behind->place);
}

// `is_neutral`: what slices of padding hold changes nothing, and they may as well be left out.
static void add_slices(const Lower *lower, const Stage *stage, bool is_neutral, HwSliceReduce *out)
{
    const Dim *slice = stage->before->dims[LEVEL_SLICE], *slice2 = stage->dims[LEVEL_SLICE];
    DigitList before = digits_of(lower, LEVEL_SLICE, slice);
    DigitList behind = digits_of(lower, LEVEL_SLICE, slice2);
    int64_t size = slice->mapping.size;
    Cuts cuts = {0};
    add_cut(lower, &cuts, 1, size);
    add_cut(lower, &cuts, size, size);
    cut_digits(lower, &cuts, &before, size);
    cut_digits(lower, &cuts, &behind, size);
    out->group = 1;
    for (int64_t i = cuts.count - 2; i >= 0; i--) {
        int64_t place = cuts.items[i], steps = ceil_div(cuts.items[i + 1], place);
        const Digit *was = digit_at(&before, place), *is = digit_at(&behind, place);
        // what comes to slices of padding is that of the one slice that held data
        bool reduced = counts_data(was) ? !counts_same(was, is, place) : counts_data(is);
        HwSliceDigit *digit = array_push(lower->arena, &out->slices, HwSliceDigit);
        int64_t data = was && is_neutral ? ceil_div(was->resize * was->place, place) : steps;
        *digit = (HwSliceDigit){place, steps, reduced, data < steps ? data : steps};
        out->group *= reduced ? digit->data : 1;
    }
}

// Where a part of a digit ends that ends at `at`: with its data ends its padding.
static int64_t end_of(const DigitList *digits, int64_t at)
{
    const Digit *last = digit_at(digits, at - 1);
    return last && at >= last->place * last->resize ? last->end : at;
}

// Where in the slice number a digit of Time is found behind, which is divided out of Time in
// `moved`, and what of that it takes: all steps up to the next digit, as those beyond its data are
// padding.
static void find_in_slice(const Lower *lower, const Stage *stage, const Digit *digit,
                          const Division *moved, HwTimeDigit *out)
{
    if (!digit->term.atom || digit->resize <= 1)
        return;
    const Dim *before = stage->before->dims[LEVEL_SLICE], *behind = stage->dims[LEVEL_SLICE];
    Mapping term = mapping_of_term(lower->scratch, digit->term, digit->resize);
    if (mapping_divide(lower->scratch, &before->mapping, &term, DIVIDE_RELAXED, 1).exact)
        return;
    DigitList digits = digits_of(lower, LEVEL_SLICE, behind);
    for (int64_t i = 0; i < moved->found; i++) {
        const Match *match = &moved->matches.items[i];
        int64_t inside = out->place / match->dividend_stride;
        if (inside < 1 || inside >= match->extent)
            continue;
        out->slice_place = match->divisor_stride * inside;
        out->slice_size = end_of(&digits, out->slice_place * digit->resize) / out->slice_place;
    }
}

// Whether Time behind counts the same at `place` as a digit of Time before.
static bool stays_in_time(const DigitList *behind, int64_t place, const Digit *whole)
{
    const Digit *is = digit_at(behind, place);
    const Atom *atom = whole ? whole->term.atom : NULL;
    if (!is || is->place != place || !is->term.atom != !atom)
        return false;
    return !atom || (atom_equal(is->term.atom, atom) && is->term.stride == whole->term.stride);
}

// A digit of which only the first step holds data may move into Slice unseen, for its term is
// padding: Time has fewer packets behind than the digits that are left. Those with data are all
// told, so it is one without, and not one that Time still counts.
static void drop_empty(const Lower *lower, const Stage *stage, const DigitList *digits,
                       HwSliceReduce *out)
{
    DigitList behind = digits_of(lower, LEVEL_TIME, stage->dims[LEVEL_TIME]);
    int64_t left = 1, kept = out->time.count, wanted = stage->dims[LEVEL_TIME]->mapping.size;
    int64_t place = 1;
    for (int64_t i = 0; i < out->time.count; i++)
        left *= out->time.items[i].slice_place ? 1 : out->time.items[i].size;
    for (int64_t i = out->time.count - 1; i >= 0; i--) {
        HwTimeDigit digit = out->time.items[i];
        const Digit *whole = digit_at(digits, digit.place);
        bool is_empty = !digit.slice_place && digit.size > 1 && (!whole || whole->resize <= 1);
        if (is_empty && left % (wanted * digit.size) == 0 &&
            !stays_in_time(&behind, place, whole)) {
            left /= digit.size;
            continue;
        }
        out->time.items[--kept] = digit;
        place *= digit.slice_place ? 1 : digit.size;
    }
    out->time.count -= kept;
    if (kept > 0)
        memmove(out->time.items, out->time.items + kept,
                (size_t)out->time.count * sizeof *out->time.items);
}

// Where digits of Time lie in Slice. Digits adjacent on both sides are merged, because the merged
// digit may be cut where the inner one does not end.
static Division find_moved(const Lower *lower, const Mapping *time, const Mapping *slice)
{
    Division moved = mapping_divide(lower->scratch, time, slice, DIVIDE_RELAXED, 1);
    int64_t kept = 0;
    for (int64_t i = 0; i < moved.found; i++) {
        Match merged = moved.matches.items[i];
        const Match *outer = kept ? &moved.matches.items[kept - 1] : NULL;
        if (outer && outer->dividend_stride == merged.dividend_stride * merged.extent &&
            outer->divisor_stride == merged.divisor_stride * merged.extent) {
            merged.extent *= outer->extent;
            kept--;
        }
        moved.matches.items[kept++] = merged;
    }
    moved.found = kept;
    return moved;
}

// Digits of Time, cut where only a part of one moves into Slice.
static void add_time(const Lower *lower, const Stage *stage, HwSliceReduce *out)
{
    const Dim *time = stage->before->dims[LEVEL_TIME];
    DigitList digits = digits_of(lower, LEVEL_TIME, time);
    Cuts cuts = {0};
    add_cut(lower, &cuts, 1, time->mapping.size);
    add_cut(lower, &cuts, time->mapping.size, time->mapping.size);
    cut_digits(lower, &cuts, &digits, time->mapping.size);
    Division moved = find_moved(lower, &time->mapping, &stage->dims[LEVEL_SLICE]->mapping);
    for (int64_t i = 0; i < moved.found; i++) {
        const Match *match = &moved.matches.items[i];
        add_cut(lower, &cuts, match->dividend_stride, time->mapping.size);
        add_cut(lower, &cuts, end_of(&digits, match->dividend_stride * match->extent),
                time->mapping.size);
    }
    for (int64_t i = cuts.count - 2; i >= 0; i--) {
        int64_t place = cuts.items[i], steps = ceil_div(cuts.items[i + 1], place);
        const Digit *whole = digit_at(&digits, place);
        Digit part = {0};
        if (whole && whole->term.atom) {
            part.term = whole->term;
            part.term.stride *= place / whole->place;
            part.resize = min_i64(steps, ceil_div(whole->resize * whole->place, place));
            part.term.modulo = part.resize;
        }
        HwTimeDigit *digit = array_push(lower->arena, &out->time, HwTimeDigit);
        *digit = (HwTimeDigit){.place = place, .size = steps, .slice_size = 1};
        find_in_slice(lower, stage, &part, &moved, digit);
        if (digit->slice_place)
            digit->size = part.resize;
    }
    drop_empty(lower, stage, &digits, out);
}

// What tells padding from data among what is combined, and the numbers that takes.
static void add_data(const Lower *lower, const Stage *stage, HwSliceReduce *out)
{
    const Stage *begin = stage;
    while (begin->before)
        begin = begin->before;
    LiveChecks checks = mask_checks(lower->scratch, stage->before, begin->sources[0]);
    bool *used = arena_new(lower->scratch, bool, (size_t)checks.count + 1);
    for (int64_t i = 0; i < checks.count; i++)
        used[i] = !mask_survives(lower->scratch, &checks.items[i], stage);
    live_lower_used(lower, &checks, used, &out->data);
}

const HwSliceReduce *slice_reduce_lower(const Lower *lower, const Pass *pass, const Stage *stage)
{
    HwSliceReduce *out = arena_new(lower->arena, HwSliceReduce, 1);
    bool is_neutral = !padding_is_reduced(lower, pass, stage);
    add_slices(lower, stage, is_neutral, out);
    add_time(lower, stage, out);
    if (is_neutral)
        add_data(lower, stage, out);
    out->in_time = stage->before->dims[LEVEL_TIME]->mapping.size;
    out->out_time = stage->dims[LEVEL_TIME]->mapping.size;
    return out;
}

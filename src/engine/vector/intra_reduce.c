// The intra-slice reduce takes every part of one axis out of Time and Packet: lanes of a packet go
// through a tree, time steps into accumulators. Parts of the axis in Slice stay.
// Manual: Intra-Slice Reduce.
#include "engine/vector/internal.h"

#include "engine/vector/digits.h"
#include "mapping/cell.h"
#include "mapping/divide.h"

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

static bool verify_output(const Call *call)
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

static void verify_time(const Call *call, const DigitList *digits)
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
static bool verify_packet(const Call *call, bool output_is_fine)
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
static bool verify_input(const Call *call, bool output_is_fine)
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
        verify_time(call, &digits);
    return verify_packet(call, output_is_fine) && is_apart;
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
    bool output_is_fine = verify_output(call);
    bool is_apart;
    if (call->is_reference) {
        bool is_sound = vector_level_is_sound(call->from, LEVEL_TIME) &&
                        vector_level_is_sound(call->from, LEVEL_PACKET);
        if (output_is_fine && is_sound)
            verify_reference_shape(call);
        is_apart = output_is_fine && is_sound && has_own_lanes(call);
    } else {
        is_apart = verify_input(call, output_is_fine);
        verify_slots(call);
    }
    const Stage *entry = vector_block_entry(call->from);
    if (entry && is_apart)
        valid_count_verify(call, entry, call->stage->axis);
}

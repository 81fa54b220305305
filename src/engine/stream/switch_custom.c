// CustomBroadcast: a bitmap for each slice says from which slices it takes packets. Slice may be
// permuted and broadcast in any way; what leaves Slice goes to the innermost place of Time, in the
// order in which the ring brings it, all of it, the start of it, or not at all.
#include "engine/stream/stream.h"

#include "base/checked.h"
#include "engine/report.h"
#include "engine/shape.h"

typedef struct {
    const Switching *switching;
    Division kept;     // Slice behind, divided by Slice before
    PlacedTerms fresh; // of Slice behind: what comes from nowhere, a broadcast
    Mapping moved;     // of Slice before: what is not there behind, the rest holes
} Custom;

static Str placed_text(const Verify *verify, const PlacedTerm *term)
{
    return shape_term_text(verify->arena, &term->term, term->resize);
}

static Str out_slice_text(const Custom *custom)
{
    const Switching *switching = custom->switching;
    return report_dim(switching->verify, switching->stage->dims[LEVEL_SLICE]);
}

static Custom custom_of(const Switching *switching)
{
    Arena *arena = switching->verify->arena;
    Custom custom = {.switching = switching};
    custom.kept =
        mapping_divide(arena, switching->out_slice, switching->in_slice, DIVIDE_STRICT, 1);
    custom.fresh = shape_terms(arena, &custom.kept.dividend_residue);
    custom.moved = custom.kept.divisor_residue;
    return custom;
}

// ---- broadcast

static bool is_in_input(const Custom *custom, const PlacedTerm *term)
{
    const Switching *switching = custom->switching;
    Arena *arena = switching->verify->arena;
    Mapping input = mapping_pair(arena, switching->in_slice, switching->in_time);
    Mapping wanted = mapping_of_term(arena, term->term, term->resize);
    return mapping_divide(arena, &input, &wanted, DIVIDE_RELAXED, 1).found > 0;
}

// The axes of a broadcast are new. Manual: Switch Engine, Supported Transformation Patterns.
static void verify_new_axes(const Custom *custom)
{
    const Switching *switching = custom->switching;
    const Verify *verify = switching->verify;
    for (int64_t i = 0; i < custom->fresh.count; i++) {
        const PlacedTerm *term = &custom->fresh.items[i];
        if (!is_in_input(custom, term))
            continue;
        Diag *diag = diag_add(verify->diags, DIAG_SWITCH_BROADCAST, switching->stage->span,
                              "Slice `{}` takes `{}` from elsewhere than Slice: what is not of "
                              "Slice is a broadcast, over a new axis",
                              out_slice_text(custom), placed_text(verify, term));
        diag_help(diag, "use a new axis of {}, or InterTranspose to swap parts of Slice and Time",
                  term->resize);
    }
}

static bool shares_an_axis(const Custom *custom, int64_t a, int64_t b)
{
    Arena *arena = custom->switching->verify->arena;
    const PlacedTerm *x = &custom->fresh.items[a], *y = &custom->fresh.items[b];
    Mapping left = mapping_of_term(arena, x->term, x->resize);
    Mapping right = mapping_of_term(arena, y->term, y->resize);
    return shape_shares_axis(arena, &left, &right);
}

// Manual: Switch Engine, Supported Transformation Patterns.
static void verify_axes_once(const Custom *custom)
{
    const Switching *switching = custom->switching;
    const Verify *verify = switching->verify;
    for (int64_t i = 0; i < custom->fresh.count; i++)
        for (int64_t k = 0; k < i; k++) {
            if (!shares_an_axis(custom, i, k))
                continue;
            Str outer = placed_text(verify, &custom->fresh.items[i]);
            Str inner = placed_text(verify, &custom->fresh.items[k]);
            Diag *diag =
                diag_add(verify->diags, DIAG_SWITCH_BROADCAST_SPLIT, switching->stage->span,
                         "the broadcast axis of `{}` and `{}` is cut in two", outer, inner);
            diag_help(diag, "broadcast each place over an axis of its own");
        }
}

static bool is_kept_atom(const Custom *custom, const Atom *atom)
{
    for (int64_t i = 0; i < custom->kept.found; i++)
        if (atom_equal(custom->kept.matches.items[i].term.atom, atom))
            return true;
    return false;
}

// A broadcast fills its places. Manual: Switch Engine, Understanding the Bitmap Pattern.
static void verify_unpadded_broadcast(const Custom *custom)
{
    const Switching *switching = custom->switching;
    const Verify *verify = switching->verify;
    PlacedTerms terms = shape_terms(verify->arena, switching->out_slice);
    for (int64_t i = 0; i < terms.count; i++) {
        const PlacedTerm *term = &terms.items[i];
        if (is_kept_atom(custom, term->term.atom) || term->extent == term->resize)
            continue;
        Diag *diag = diag_add(
            verify->diags, DIAG_SWITCH_BROADCAST_PADDED, switching->stage->span,
            "the broadcast axis `{}` is padded to {} slices; every slice of a ring receives",
            placed_text(verify, term), term->extent);
        diag_help(diag, "broadcast over an axis of {}", term->extent);
    }
}

// ---- what moves to Time

static void report_innermost(const Custom *custom)
{
    const Switching *switching = custom->switching;
    const Verify *verify = switching->verify;
    Str before = report_dim(verify, switching->stage->before->dims[LEVEL_TIME]);
    Diag *diag = diag_add(verify->diags, DIAG_SWITCH_INNERMOST, switching->stage->span,
                          "Time `{}` does not keep `{}` outermost: what comes from Slice arrives "
                          "last, so it is innermost",
                          report_dim(verify, switching->stage->dims[LEVEL_TIME]), before);
    Mapping rest = mapping_normalise(verify->arena, &custom->moved);
    if (mapping_has_terms(&rest)) {
        Mapping packed = mapping_divide(verify->arena, switching->in_slice, switching->out_slice,
                                        DIVIDE_RELAXED, 1)
                             .dividend_remainder;
        Str both = str_format(verify->arena, "{}, {}", before, report_mapping(verify, &packed));
        report_rewrite(verify, diag, switching->stage->dims[LEVEL_TIME], both, "write Time as");
    } else {
        report_rewrite(verify, diag, switching->stage->dims[LEVEL_TIME], before,
                       "nothing leaves Slice: write Time as");
    }
}

static void report_source(const Custom *custom, const Match *match)
{
    const Switching *switching = custom->switching;
    const Verify *verify = switching->verify;
    Diag *diag = diag_add(verify->diags, DIAG_SWITCH_TIME_SOURCE, switching->stage->span,
                          "Time ends with `{}`, which does not leave Slice here",
                          report_match(verify, match));
    diag_note(diag, SPAN_NOWHERE, "Slice goes from `{}` to `{}`",
              report_dim(verify, switching->stage->before->dims[LEVEL_SLICE]),
              out_slice_text(custom));
    diag_help(diag, "only what is in Slice before and not behind can move to Time");
}

// Manual: Switch Engine, Constraint 1: Order Preservation.
static void verify_moved_order(const Custom *custom, const Division *division)
{
    const Switching *switching = custom->switching;
    const Verify *verify = switching->verify;
    int64_t wrong = shape_disorder(division);
    if (wrong < 0)
        return;
    Str outer = report_match(verify, &division->matches.items[wrong - 1]);
    Str inner = report_match(verify, &division->matches.items[wrong]);
    Diag *diag = diag_add(verify->diags, DIAG_SWITCH_ORDER, switching->stage->span,
                          "Time turns `{}` and `{}` round: in Slice `{}` stands outside `{}`",
                          outer, inner, outer, inner);
    diag_help(diag, "a router holds one packet and cannot reorder: write `{}, {}` in Time", outer,
              inner);
}

// Manual: Switch Engine, Constraint 2: Innermost Time Position.
static void verify_time(const Custom *custom)
{
    const Switching *switching = custom->switching;
    Arena *arena = switching->verify->arena;
    int64_t before = switching->in_time->size, behind = switching->out_time->size;
    if (behind % before) {
        report_innermost(custom);
        return;
    }
    Mapping outer, inner;
    mapping_split(arena, switching->out_time, behind / before, &outer, &inner);
    if (!shape_equal(arena, &outer, switching->in_time)) {
        report_innermost(custom);
        return;
    }
    Division division = mapping_divide(arena, &custom->moved, &inner, DIVIDE_RELAXED, 1);
    if (!division.exact && division.found < division.matches.count) {
        report_source(custom, &division.matches.items[division.found]);
        return;
    }
    verify_moved_order(custom, &division);
}

// ---- the ring

// How far data travels: up to the end of the outermost part of Slice that moves.
static int64_t reach_of(const Custom *custom)
{
    int64_t reach = 0;
    for (int64_t i = 0; i < custom->kept.found; i++) {
        const Match *match = &custom->kept.matches.items[i];
        if (match->dividend_stride != match->divisor_stride)
            reach = max_i64(reach, match->divisor_stride * match->resize);
    }
    PlacedTerms moved = shape_terms(custom->switching->verify->arena, &custom->moved);
    for (int64_t i = 0; i < moved.count; i++)
        reach = max_i64(reach, moved.items[i].stride * moved.items[i].resize);
    return reach;
}

// The innermost part of Slice that stays where it is, outside of all that moves, bounds the ring.
static int64_t ring_needed(const Custom *custom)
{
    int64_t reach = reach_of(custom), ring = custom->switching->in_slice->size;
    for (int64_t i = 0; i < custom->kept.found; i++) {
        const Match *match = &custom->kept.matches.items[i];
        bool stays = match->dividend_stride == match->divisor_stride;
        if (stays && match->divisor_stride >= reach)
            ring = min_i64(ring, match->divisor_stride);
    }
    return ring;
}

static void help_with_ring(const Custom *custom, Diag *diag, int64_t ring, const char *what)
{
    SwitchConfig config = {.kind = SWITCH_CUSTOM_BROADCAST, .ring_size = ring};
    switch_help(custom->switching, diag, &config, what);
}

// Manual: Switch Engine, Example 1 ("must be a power of 2").
static bool verify_power_of_two(const Custom *custom)
{
    const Switching *switching = custom->switching;
    int64_t ring = switching->config.ring_size;
    if (ring > 0 && (ring & (ring - 1)) == 0)
        return true;
    Diag *diag = diag_add(switching->verify->diags, DIAG_SWITCH_RING,
                          report_at(switching->stage->at.config, switching->stage->span),
                          "a ring has a power of two of slices, not {}", ring);
    help_with_ring(custom, diag, ring_needed(custom), "this mapping needs");
    return false;
}

// Neither smaller nor larger than what moves. Manual: Switch Engine, Example 2 and 3.
static void verify_ring_size(const Custom *custom)
{
    const Switching *switching = custom->switching;
    int64_t ring = switching->config.ring_size, needed = ring_needed(custom);
    if (ring == needed)
        return;
    Diag *diag =
        diag_add(switching->verify->diags, DIAG_SWITCH_RING_SIZE,
                 report_at(switching->stage->at.config, switching->stage->span),
                 "data moves within groups of {} slices, but the ring has {}", needed, ring);
    help_with_ring(custom, diag, needed, "write");
}

void switch_verify_custom(const Switching *switching)
{
    Custom custom = custom_of(switching);
    bool power = verify_power_of_two(&custom);
    verify_new_axes(&custom);
    verify_axes_once(&custom);
    verify_unpadded_broadcast(&custom);
    verify_time(&custom);
    if (power)
        verify_ring_size(&custom);
}

// ---- where packets come from

static void add_term(const Custom *custom, RouteTerms *terms, HwRouteTerm term)
{
    if (term.extent > 1)
        *array_push(custom->switching->verify->arena, terms, HwRouteTerm) = term;
}

// What stays in Slice, wherever it stands there now; then the packets that come in, in order; then,
// for each of these, the slices that went into Time.
RouteTerms switch_custom_terms(const Switching *switching)
{
    Arena *arena = switching->verify->arena;
    Custom custom = custom_of(switching);
    RouteTerms terms = {0};
    int64_t sources = switching->out_time->size / switching->in_time->size;
    for (int64_t i = 0; i < custom.kept.found; i++) {
        const Match *match = &custom.kept.matches.items[i];
        add_term(&custom, &terms,
                 (HwRouteTerm){.place = match->dividend_stride,
                               .extent = max_i64(match->room, match->extent),
                               .size = min_i64(match->resize, match->extent),
                               .slice_stride = match->divisor_stride});
    }
    add_term(&custom, &terms,
             (HwRouteTerm){.of_time = true,
                           .place = sources,
                           .extent = switching->in_time->size,
                           .size = switching->in_time->size,
                           .time_stride = 1});
    Mapping inner = shape_inner(arena, switching->out_time, sources);
    Division division = mapping_divide(arena, &custom.moved, &inner, DIVIDE_RELAXED, 1);
    PlacedTerms steps = shape_terms(arena, &inner);
    for (int64_t i = 0; i < division.found; i++) {
        const Match *match = &division.matches.items[i];
        add_term(&custom, &terms,
                 (HwRouteTerm){.of_time = true,
                               .place = match->divisor_stride,
                               .extent = shape_extent(&steps, match->divisor_stride, match->resize),
                               .size = min_i64(match->resize, match->extent),
                               .slice_stride = match->dividend_stride});
    }
    return terms;
}

// The filter lets the packets of one group pass. The manual names it and says little; what we take
// from that: it comes last, it needs the ids of a branch, and since it only leaves packets out,
// Time2 is made of what Time holds and is no longer. How many packets pass is a matter of the data.
// Manual: Intra-Slice Block, Filter.
#include "engine/vector/internal.h"

#include "engine/lower/live.h"
#include "engine/vector/digits.h"
#include "mapping/divide.h"

#include <inttypes.h>

static void verify_zipped(const Call *call)
{
    if (!call->from->zipped && !vector_last_of_kind(call->from, STAGE_VECTOR_UNZIP))
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_FILTER_ZIPPED, call->stage->span,
                          "a stream that was a pair of groups cannot be filtered");
    diag_help(diag, "commit it, and filter it in a pass of its own");
}

static bool verify_filter_time(const Call *call)
{
    const Dim *time = call->from->dims[LEVEL_TIME], *filtered = call->stage->dims[LEVEL_TIME];
    if (!vector_level_is_sound(call->from, LEVEL_TIME))
        return false;
    bool part =
        mapping_divide(call->arena, &time->mapping, &filtered->mapping, DIVIDE_RELAXED, 1).exact;
    if (part && filtered->mapping.size <= time->mapping.size)
        return true;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_FILTER_TIME, filtered->span,
                          "a filter leaves packets out, and Time `%.*s` is no part of `%.*s`",
                          STR_ARG(report_dim(call->verify, filtered)),
                          STR_ARG(report_dim(call->verify, time)));
    diag_help(diag, "name axes of Time only, and no more positions than its %" PRId64,
              time->mapping.size);
    return false;
}

// What a slice sees: all its positions, and those that make no difference by themselves.
typedef struct {
    int64_t inside, lanes; // lanes 0: every position makes a difference
} Sight;

// Whether a check tells apart positions that one slice sees. One number compared with a limit does
// where the limit lies inside a slice.
static bool looks_inside(const LiveCheck *check, const Sight *sight)
{
    const LiveTerm *first = check->items;
    bool any = false;
    if (check->count == 1 && first->place == 1 && first->weight == 1 && first->of == OF_POSITION)
        return check->limit % sight->inside != 0 && first->modulo > sight->lanes &&
               check->limit > sight->lanes;
    for (int64_t i = 0; i < check->count; i++) {
        const LiveTerm *term = &check->items[i];
        any |=
            term->of == OF_POSITION && term->place < sight->inside && term->modulo > sight->lanes;
    }
    return any;
}

// Whether the lanes of a packet may have several ids, so that the condition holds for some.
static bool lanes_differ(const Call *call, const Stage *branch)
{
    if (call->stage->filter == CONDITION_ALWAYS || !branch)
        return false;
    if (branch->branch == BRANCH_AXIS_TOGGLE)
        return digits_name(call->arena, call->from->dims[LEVEL_PACKET], branch->axis);
    return branch->branch != BRANCH_UNCONDITIONAL;
}

// Where all lanes have one id, padding beside data makes no difference, but packets of padding do.
static bool has_padding(const Call *call, const Stage *branch)
{
    const Stage *from = call->from;
    Mapping shape = shape_of(call->arena, from->dims);
    LiveChecks checks = live_checks(call->arena, &shape, NULL, 0);
    int64_t lanes = from->dims[LEVEL_PACKET]->mapping.size;
    Sight sight = {lanes * from->dims[LEVEL_TIME]->mapping.size,
                   lanes_differ(call, branch) ? 0 : lanes};
    for (int64_t i = 0; i < checks.count; i++)
        if (looks_inside(&checks.items[i], &sight))
            return true;
    return false;
}

// Ids are given to padding as to anything else; only valid counts know it.
static void verify_filter_padding(const Call *call)
{
    const Dim *filtered = call->stage->dims[LEVEL_TIME];
    const Stage *branch = vector_last_of_kind(call->from, STAGE_VECTOR_BRANCH);
    if (!vector_shape_is_sound(call->from))
        return;
    bool counted = branch && branch->branch == BRANCH_VALID_COUNT;
    bool before = !counted && has_padding(call, branch);
    if (!before && !shape_is_padded(call->arena, &filtered->mapping))
        return;
    const Dim *time = before ? call->from->dims[LEVEL_TIME] : filtered;
    Diag *diag =
        diag_add(call->diags, DIAG_VECTOR_FILTER_PADDING, call->stage->span,
                 before ? "the stream has padding in its packets or in Time `%.*s`, which a filter "
                          "lets pass like data"
                        : "places of padding in Time `%.*s` are filled like any other",
                 STR_ARG(report_dim(call->verify, time)));
    diag_help(diag, "filter a stream whose Time and Packet hold data only, into a Time that does");
}

void vector_filter_verify(const Call *call)
{
    if (call->is_reference)
        return; // it has been said that there is none
    verify_zipped(call);
    vector_condition_verify(call, call->stage->filter, call->stage->span);
    if (verify_filter_time(call))
        verify_filter_padding(call);
}

// The filter lets the packets of one group pass. The manual names it and says little; what we take
// from that: it comes last, it needs the ids of a branch, and since it only leaves packets out,
// Time2 is made of what Time holds and is no longer. How many packets pass is a matter of the data.
// Manual: Intra-Slice Block, Filter.
#include "engine/vector/internal.h"

#include "engine/live.h"
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

static void verify_filter_time(const Call *call)
{
    const Dim *time = call->from->dims[LEVEL_TIME], *filtered = call->stage->dims[LEVEL_TIME];
    if (!vector_level_is_sound(call->from, LEVEL_TIME))
        return;
    bool part =
        mapping_divide(call->arena, &time->mapping, &filtered->mapping, DIVIDE_RELAXED, 1).exact;
    if (part && filtered->mapping.size <= time->mapping.size)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_FILTER_TIME, filtered->span,
                          "a filter leaves packets out, and Time `%.*s` is no part of `%.*s`",
                          STR_ARG(report_dim(call->verify, filtered)),
                          STR_ARG(report_dim(call->verify, time)));
    diag_help(diag, "name axes of Time only, and no more positions than its %" PRId64,
              time->mapping.size);
}

// Whether a check tells apart positions that one slice sees, `inside` in all. One number compared
// with a limit does where the limit lies inside a slice.
static bool looks_inside(const LiveCheck *check, int64_t inside)
{
    const LiveTerm *first = check->items;
    if (check->count == 1 && first->place == 1 && first->weight == 1 && first->of == OF_POSITION)
        return check->limit % inside != 0;
    for (int64_t i = 0; i < check->count; i++)
        if (check->items[i].of == OF_POSITION && check->items[i].place < inside)
            return true;
    return false;
}

static bool has_padding(const Call *call)
{
    const Stage *from = call->from;
    Mapping shape = shape_of(call->arena, from->dims);
    LiveChecks checks = live_checks(call->arena, &shape, NULL, 0);
    int64_t inside = from->dims[LEVEL_TIME]->mapping.size * from->dims[LEVEL_PACKET]->mapping.size;
    for (int64_t i = 0; i < checks.count; i++)
        if (looks_inside(&checks.items[i], inside))
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
    bool before = !counted && has_padding(call);
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
    verify_filter_time(call);
    verify_filter_padding(call);
}

// Orders that somebody pinned: operations that nothing but the program's order keeps apart may
// change places.
#include "schedule/crossing.h"
#include "schedule/place.h"

#include "base/checked.h"
#include "schedule/touch.h"

// The pinned operations take the places that they have in the program, in the order they are
// pinned.
static bool pin(Placer *placer, int64_t *sequence, int64_t count)
{
    const ScheduleOptions *options = placer->options;
    bool *is_pinned = arena_new(placer->arena, bool, (size_t)count + 1);
    for (int64_t i = 0; i < options->order_count; i++) {
        int64_t number = options->order[i];
        if (number < 0 || number >= count || is_pinned[number]) {
            diag_add(placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                     number < 0 || number >= count
                         ? "the order names operation %lld; the kernel has %lld, from 0 on"
                         : "the order names operation %lld twice",
                     (long long)number, (long long)count);
            return false;
        }
        is_pinned[number] = true;
    }
    for (int64_t i = 0, next = 0; i < count; i++)
        sequence[i] = is_pinned[i] ? options->order[next++] : i;
    return true;
}

static const char *const hazard_words[WAIT_KINDS] = {
    [WAIT_RAW] = "reads what that one writes",
    [WAIT_WAR] = "writes what that one reads",
    [WAIT_WAW] = "writes what that one writes",
};

static void add_place(Diag *diag, const HwOperation *operation, int64_t number)
{
    if (operation->line)
        diag_note(diag, SPAN_NOWHERE, "operation %lld is `%.*s` at %.*s:%lld", (long long)number,
                  STR_ARG(operation->method), STR_ARG(operation->file), (long long)operation->line);
}

static bool keeps_hazards(const Placer *placer, const int64_t *sequence)
{
    Schedule *schedule = placer->schedule;
    int64_t later;
    Hazard hazard;
    if (!find_crossing(placer->arena, schedule->machine, schedule->object, sequence, &later,
                       &hazard, &schedule->looks))
        return true;
    Diag *diag = diag_add(
        placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
        "the order puts operation %lld in front of operation %lld; it %s (%s, bytes %lld to %lld)",
        (long long)later, (long long)hazard.operation, hazard_words[hazard.kind],
        touch_tier_name(hazard.tier), (long long)hazard.from, (long long)hazard.to - 1);
    add_place(diag, schedule->operations[later].operation, later);
    add_place(diag, schedule->operations[hazard.operation].operation, hazard.operation);
    return false;
}

const int64_t *placing_order(Placer *placer)
{
    int64_t count = placer->schedule->operation_count;
    int64_t *sequence = arena_new(placer->arena, int64_t, (size_t)count + 1);
    if (!pin(placer, sequence, count) || !keeps_hazards(placer, sequence))
        return NULL;
    return sequence;
}

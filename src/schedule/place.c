#include "schedule/place.h"

#include "base/checked.h"

#include <stdlib.h>

// What a lane is like behind the operations so far.
typedef struct {
    int64_t free_from;
    int64_t operation; // that has it last; -1: none
    UseReason reason;
} LaneState;

// ---- waits

// Waits that come from nothing are over at the begin of the kernel and not worth a word.
static void add_wait(Placer *placer, int64_t number, const Wait *wait, int64_t distance,
                     Wait **waits, int64_t *count)
{
    (*waits)[(*count)++] = *wait;
    if (wait->operation >= 0)
        *array_push(placer->arena, &placer->edges, Edge) =
            (Edge){wait->operation, number, distance};
}

// A stored tensor of HBM that is loaded again waits for a synchronisation, as it was measured.
static int64_t sync_cycles(const Placer *placer, const Hazard *hazard)
{
    const Schedule *schedule = placer->schedule;
    bool is_reload = hazard->kind == WAIT_RAW && hazard->tier == TIER_HBM;
    return is_reload ? schedule_fixed(schedule->machine, schedule->model, FIXED_SYNC).cycles : 0;
}

static int64_t wait_for_hazards(Placer *placer, int64_t number, Wait *waits, int64_t count)
{
    const HazardList *hazards = &placer->hazards[number];
    for (int64_t i = 0; i < hazards->count; i++) {
        const Hazard *hazard = &hazards->items[i];
        const ScheduledOperation *earlier = &placer->schedule->operations[hazard->operation];
        int64_t sync = sync_cycles(placer, hazard);
        Wait wait = {.kind = sync ? WAIT_SYNC : hazard->kind,
                     .operation = hazard->operation,
                     .other = -1,
                     .until = earlier->end + sync,
                     .lane = -1,
                     .tier = hazard->tier,
                     .chip = hazard->chip,
                     .cluster = hazard->cluster,
                     .slice = hazard->slice,
                     .from = hazard->from,
                     .to = hazard->to,
                     .low = hazard->low,
                     .high = hazard->high};
        add_wait(placer, number, &wait, wait.until - earlier->begin, &waits, &count);
    }
    return count;
}

static WaitKind kind_of_lane(const Placer *placer, const LaneState *state, const LaneNeed *mine)
{
    LaneKind kind = placer->lanes.items[mine->lane].kind;
    bool is_dma = kind == LANE_TDMA || kind == LANE_DMA;
    if (state->reason == USE_BANK || mine->reason == USE_BANK)
        return WAIT_BANK;
    if (state->reason == USE_SWITCH || mine->reason == USE_SWITCH)
        return WAIT_SWITCH;
    return is_dma && placer->schedule->model != COST_MANUAL ? WAIT_FIFO : WAIT_LANE;
}

// Two passes that each keep a bank both count as DMA.
static bool keeps_both(const LaneState *state, const LaneNeed *mine)
{
    return state->reason == USE_BANK && mine->reason == USE_BANK;
}

// One operation often has several of the lanes that another one needs: that is one wait. A hazard
// with it is another one.
static bool is_told(const Wait *waits, int64_t count, const Wait *wait)
{
    for (int64_t i = 0; i < count; i++)
        if (waits[i].lane >= 0 && waits[i].operation == wait->operation &&
            waits[i].until == wait->until)
            return true;
    return false;
}

static int64_t wait_for_lanes(Placer *placer, int64_t number, const LaneState *states, Wait *waits,
                              int64_t count)
{
    const LaneNeeds *needs = &placer->needs[number];
    for (int64_t i = 0; i < needs->count; i++) {
        const LaneNeed *mine = &needs->items[i];
        const LaneState *state = &states[mine->lane];
        if (state->operation < 0 || state->operation == number)
            continue;
        Wait wait = {.kind = kind_of_lane(placer, state, mine),
                     .operation = state->operation,
                     .other = keeps_both(state, mine) ? number : -1,
                     .until = state->free_from - mine->from,
                     .lane = mine->lane};
        if (is_told(waits, count, &wait))
            continue;
        int64_t begin = placer->schedule->operations[state->operation].begin;
        add_wait(placer, number, &wait, wait.until - begin, &waits, &count);
    }
    return count;
}

static int64_t wait_for_banks(Placer *placer, int64_t number, Wait *waits, int64_t count)
{
    BankUser pair[2];
    if (!bank_waits(&placer->banks, placer->schedule, number, pair))
        return count;
    Wait wait = {.kind = WAIT_BANK,
                 .operation = pair[0].operation,
                 .other = pair[1].operation,
                 .until = pair[0].end,
                 .lane = -1};
    int64_t begin = placer->schedule->operations[wait.operation].begin;
    add_wait(placer, number, &wait, wait.until - begin, &waits, &count);
    return count;
}

// What was measured begins its first operation late.
static int64_t wait_for_start(const Placer *placer, Wait *waits, int64_t count)
{
    const Schedule *schedule = placer->schedule;
    if (schedule->model == COST_MANUAL)
        return count;
    waits[count] =
        (Wait){.kind = WAIT_START,
               .operation = -1,
               .other = -1,
               .until = schedule_fixed(schedule->machine, schedule->model, FIXED_START).cycles,
               .lane = -1};
    return count + 1;
}

// The one that is over last first; of several the earlier kind, and the later operation.
static int compare_waits(const void *a, const void *b)
{
    const Wait *x = a, *y = b;
    if (x->until != y->until)
        return x->until < y->until ? 1 : -1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->operation < y->operation) - (x->operation > y->operation);
}

// ---- one after the other

static void take_lanes(Placer *placer, int64_t number, LaneState *states)
{
    ScheduledOperation *operation = &placer->schedule->operations[number];
    const LaneNeeds *needs = &placer->needs[number];
    operation->uses = arena_new(placer->arena, LaneUse, (size_t)needs->count);
    operation->use_count = needs->count;
    for (int64_t i = 0; i < needs->count; i++) {
        const LaneNeed *mine = &needs->items[i];
        LaneState *state = &states[mine->lane];
        int64_t from = operation->begin + mine->from, to = operation->begin + mine->to;
        operation->uses[i] = (LaneUse){mine->lane, from, to};
        if (state->operation == number) // has it for another reason already
            from = max_i64(from, state->free_from);
        placer->lanes.items[mine->lane].busy += max_i64(0, to - from);
        if (state->operation != number || to >= state->free_from)
            *state = (LaneState){max_i64(to, state->free_from), number, mine->reason};
    }
}

int64_t cost_cycles(const ScheduledOperation *operation)
{
    int64_t cycles = 0;
    for (int64_t i = 0; i < operation->cost_count; i++)
        cycles += operation->costs[i]->cycles;
    return cycles;
}

static void place_one(Placer *placer, int64_t number, LaneState *states)
{
    ScheduledOperation *operation = &placer->schedule->operations[number];
    int64_t most = placer->hazards[number].count + placer->needs[number].count + 2;
    operation->waits = arena_new(placer->arena, Wait, (size_t)most);
    int64_t count = wait_for_hazards(placer, number, operation->waits, 0);
    count = wait_for_lanes(placer, number, states, operation->waits, count);
    count = wait_for_banks(placer, number, operation->waits, count);
    count = wait_for_start(placer, operation->waits, count);
    qsort(operation->waits, (size_t)count, sizeof *operation->waits, compare_waits);
    operation->wait_count = count;
    operation->begin = count ? max_i64(0, operation->waits[0].until) : 0;
    operation->end = operation->begin + cost_cycles(operation);
    take_lanes(placer, number, states);
    bank_take(placer->arena, &placer->banks, placer->schedule, number);
}

bool place_operations(Placer *placer, const int64_t *sequence)
{
    Schedule *schedule = placer->schedule;
    LaneState states[LANES_MOST];
    for (int64_t i = 0; i < LANES_MOST; i++)
        states[i] = (LaneState){.operation = -1};
    bank_begin(&placer->banks);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        if (diag_cancelled(placer->diags))
            return false;
        place_one(placer, sequence[i], states);
    }
    return true;
}

#include "schedule/place.h"

#include "base/checked.h"
#include "base/str.h"
#include "base/utf8.h"
#include "command/touch.h"
#include "schedule/export.h"
#include "schedule/hazard.h"

#include <stdlib.h>

const char *const lane_kind_names[LANE_KINDS] = {
    [LANE_TDMA] = "dma",  [LANE_DMA] = "dma", [LANE_PCIE] = "pcie",     [LANE_LINK] = "pcie",
    [LANE_MAIN] = "main", [LANE_SUB] = "sub", [LANE_VECTOR] = "vector", [LANE_HBM] = "hbm",
};

// ---- which there are

static void add_lane(Arena *arena, Lanes *lanes, const Lane *lane)
{
    if (!lanes->count_of[lane->kind]++)
        lanes->first_of[lane->kind] = lanes->count;
    lanes->items[lanes->count] = *lane;
    StrBuf *name = &(StrBuf){.arena = arena};
    buf_add(name, lane->name);
    if (lane->cluster >= 0)
        buf_format(name, " {}", lane->cluster);
    if (lane->engine >= 0)
        buf_format(name, ".{}", lane->engine);
    lanes->items[lanes->count++].name = buf_str(name);
}

static void add_single(Arena *arena, Lanes *lanes, LaneKind kind, const char *name)
{
    add_lane(arena, lanes, &(Lane){kind, -1, -1, str_from(name), 0});
}

// The engines of a cluster are one queue in the models that were measured, and where there are more
// than bits to name them.
static void add_engines(Arena *arena, Lanes *lanes, int64_t most)
{
    const Machine *machine = lanes->machine;
    int64_t clusters = machine->clusters_per_chip, engines = machine->dma_engines_per_cluster;
    bool one_queue = lanes->model != COST_MANUAL || clusters * engines > most;
    if (one_queue)
        engines = 1;
    if (clusters > most)
        clusters = 1;
    lanes->engines_per_cluster = engines;
    for (int64_t i = 0; i < clusters * engines; i++)
        add_lane(arena, lanes,
                 &(Lane){LANE_DMA, i / engines, one_queue ? -1 : i % engines, STR("DMA"), 0});
}

// Of each chip; of all of them together where there are more than bits to name them.
static void add_shared(Arena *arena, Lanes *lanes, LaneKind kind, const char *name, int64_t chips)
{
    for (int64_t i = 0; i < chips; i++) {
        Str numbered = str_format(arena, "{} {}", name, i);
        add_lane(arena, lanes, &(Lane){kind, -1, -1, chips > 1 ? numbered : str_from(name), 0});
    }
}

void lanes_new(Arena *arena, const Machine *machine, CostModel model, int64_t chips, Lanes *lanes)
{
    enum { SINGLE = 5, MOST_ENGINES = 32 };
    *lanes = (Lanes){.machine = machine, .model = model};
    lanes->items = arena_new(arena, Lane, LANES_MOST);
    if (chips < 1 || chips > (LANES_MOST - SINGLE - MOST_ENGINES) / SHARED_KINDS)
        chips = 1;
    add_single(arena, lanes, LANE_TDMA, "tdma");
    add_engines(arena, lanes, MOST_ENGINES);
    add_single(arena, lanes, LANE_PCIE, "PCIe");
    add_shared(arena, lanes, LANE_LINK, "PCIe out", chips);
    add_shared(arena, lanes, LANE_LINK, "PCIe in", chips);
    add_single(arena, lanes, LANE_MAIN, "main");
    add_single(arena, lanes, LANE_SUB, "sub");
    add_single(arena, lanes, LANE_VECTOR, "vector");
    add_shared(arena, lanes, LANE_HBM, "HBM", chips);
}

// ---- which an operation needs

static void need(Arena *arena, LaneNeeds *needs, int64_t lane, int64_t from, int64_t to,
                 UseReason reason)
{
    for (int64_t i = 0; i < needs->count; i++) {
        LaneNeed *old = &needs->items[i];
        if (old->lane == lane && old->reason == reason) {
            old->from = min_i64(old->from, from);
            old->to = max_i64(old->to, to);
            return;
        }
    }
    *array_push(arena, needs, LaneNeed) = (LaneNeed){lane, from, to, reason};
}

static int64_t lane_of_engine(const Lanes *lanes, const CostEngine *engine)
{
    if (engine->cluster < 0)
        return lanes->first_of[LANE_PCIE];
    int64_t of_cluster = engine->cluster * lanes->engines_per_cluster;
    int64_t number = of_cluster + engine->engine % lanes->engines_per_cluster;
    return lanes->first_of[LANE_DMA] + number % lanes->count_of[LANE_DMA];
}

// A custom topology: DMA and the other context stand still while its registers are written. So such
// a pass never waits for the Vector Engine: nobody is there to have it. Otherwise one that fills
// faster would begin later, and its registers with it. Manual: Switch Engine, Custom Topology.
static void need_switch(Arena *arena, const Lanes *lanes, const HwPipeline *pass, const Cost *cost,
                        int64_t from, LaneNeeds *needs)
{
    if (cost->setup <= 0)
        return;
    LaneKind other = pass->context == CONTEXT_SUB ? LANE_MAIN : LANE_SUB;
    need(arena, needs, lanes->first_of[LANE_TDMA], from, from + cost->setup, USE_SWITCH);
    need(arena, needs, lanes->first_of[other], from, from + cost->setup, USE_SWITCH);
}

// The channels of HBM and the way between chips are at work up to the end of a command.
static void need_chip(Arena *arena, const Lanes *lanes, const CostChip *chip, int64_t end,
                      LaneNeeds *needs)
{
    int64_t chips = lanes->count_of[LANE_HBM], number = chip->chip % chips;
    const int64_t lane_of[SHARED_KINDS] = {
        [SHARED_HBM] = lanes->first_of[LANE_HBM] + number,
        [SHARED_PCIE_OUT] = lanes->first_of[LANE_LINK] + number,
        [SHARED_PCIE_IN] = lanes->first_of[LANE_LINK] + chips + number,
    };
    for (int64_t i = 0; i < SHARED_KINDS; i++)
        if (chip->cycles[i] > 0)
            need(arena, needs, lane_of[i], end - chip->cycles[i], end, USE_WORK);
}

static void need_command(Arena *arena, const Lanes *lanes, const HwCommand *command,
                         const Cost *cost, int64_t from, LaneNeeds *needs)
{
    if (cost->vector_to > cost->vector_from)
        need(arena, needs, lanes->first_of[LANE_VECTOR], from + cost->vector_from,
             from + cost->vector_to, USE_WORK);
    for (int64_t i = 0; i < cost->chip_count; i++)
        need_chip(arena, lanes, &cost->chips[i], from + cost->cycles, needs);
    if (command->pass)
        need_switch(arena, lanes, command->pass, cost, from, needs);
}

// The context that executes it, from its begin to its end. Engines of DMA may be free earlier, but
// DMA is one resource. Manual: Scheduling, Hardware Resources.
static void need_context(Arena *arena, const Lanes *lanes, Context context, int64_t end,
                         LaneNeeds *needs)
{
    static const LaneKind kind_of[CONTEXT_COUNT] = {[CONTEXT_MAIN] = LANE_MAIN,
                                                    [CONTEXT_SUB] = LANE_SUB,
                                                    [CONTEXT_TDMA] = LANE_TDMA,
                                                    [CONTEXT_PDMA] = LANE_PCIE};
    need(arena, needs, lanes->first_of[kind_of[context]], 0, end, USE_WORK);
}

void lanes_needed(Arena *arena, const Lanes *lanes, const HwOperation *operation,
                  const Cost *const *costs, int64_t cost_count, bool keeps_bank, LaneNeeds *needs)
{
    int64_t end = 0;
    for (int64_t i = 0; i < cost_count; i++)
        end += costs[i]->cycles;
    need_context(arena, lanes, operation->context, end, needs);
    for (int64_t i = 0, from = 0; i < cost_count; from += costs[i++]->cycles)
        need_command(arena, lanes, &operation->commands.items[i], costs[i], from, needs);
    for (int64_t i = 0; i < cost_count; i++)
        for (int64_t k = 0; k < costs[i]->engine_count; k++)
            need(arena, needs, lane_of_engine(lanes, &costs[i]->engines[k]), 0, end, USE_WORK);
    if (keeps_bank)
        need(arena, needs, lanes->first_of[LANE_TDMA], 0, end, USE_BANK);
}

uint64_t lanes_kept(const LaneNeeds *needs, int64_t cycles)
{
    uint64_t kept = 0;
    for (int64_t i = 0; i < needs->count; i++)
        if (needs->items[i].from == 0 && needs->items[i].to == cycles)
            kept |= UINT64_C(1) << needs->items[i].lane;
    return kept;
}

static Context context_of(const Schedule *schedule, int64_t number)
{
    return schedule->operations[number].operation->context;
}

static bool is_pass(Context context)
{
    return context == CONTEXT_MAIN || context == CONTEXT_SUB;
}

static void bank_begin(BankRule *rule)
{
    const BankUser nobody = {-1, 0};
    *rule = (BankRule){.dma = nobody, .pair = {nobody, nobody}};
}

int64_t bank_streak_of(const ScheduledOperation *operation)
{
    int64_t streak = 0;
    if (!is_pass(operation->operation->context))
        return 0;
    for (int64_t i = 0; i < operation->cost_count; i++)
        streak = max_i64(streak, operation->costs[i]->bank_streak);
    return streak > 1 ? streak : 0;
}

// The request of DMA counts, too.
static bool is_too_many(const Machine *machine, int64_t accesses)
{
    return accesses + 1 > machine->bank_accesses_max;
}

bool bank_keeps_dma(const Machine *machine, const ScheduledOperation *operation)
{
    int64_t streak = bank_streak_of(operation);
    return streak && is_too_many(machine, streak);
}

// The latest pass of the other context that is too much together with this one. Streaks of those
// that are kept fall, so that half of them can be left out with each look.
static BankUser partner_of(const BankRule *rule, const Schedule *schedule, int64_t number)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    int64_t streak = bank_streak_of(operation);
    if (!streak || bank_keeps_dma(schedule->machine, operation))
        return (BankUser){-1, 0};
    const BankPasses *passes = &rule->passes[context_of(schedule, number) == CONTEXT_MAIN];
    const BankPass *others = passes->items;
    int64_t low = 0, high = passes->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (is_too_many(schedule->machine, streak + others[middle].streak))
            low = middle + 1;
        else
            high = middle;
    }
    return low ? others[low - 1].user : (BankUser){-1, 0};
}

static bool make_pair(BankUser a, BankUser b, BankUser pair[2])
{
    pair[0] = a.end <= b.end ? a : b;
    pair[1] = a.end <= b.end ? b : a;
    return a.operation >= 0 && b.operation >= 0;
}

// The two that it must not run beside; `pair[0]` is over first. False: there are none.
static bool bank_waits(const BankRule *rule, const Schedule *schedule, int64_t number,
                       BankUser pair[2])
{
    if (is_pass(context_of(schedule, number)))
        return make_pair(partner_of(rule, schedule, number), rule->dma, pair);
    if (context_of(schedule, number) != CONTEXT_TDMA)
        return false;
    return make_pair(rule->pair[0], rule->pair[1], pair);
}

static void take_pass(Arena *arena, BankRule *rule, const Schedule *schedule, int64_t number)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    BankPass pass = {{number, operation->end}, bank_streak_of(operation)};
    BankUser pair[2];
    if (!pass.streak || bank_keeps_dma(schedule->machine, operation))
        return;
    if (make_pair(partner_of(rule, schedule, number), pass.user, pair) &&
        pair[0].end >= rule->pair[0].end) {
        rule->pair[0] = pair[0];
        rule->pair[1] = pair[1];
    }
    BankPasses *passes = &rule->passes[context_of(schedule, number) == CONTEXT_SUB];
    while (passes->count && passes->items[passes->count - 1].streak <= pass.streak)
        passes->count--;
    *array_push(arena, passes, BankPass) = pass;
}

// Once it has its place.
static void bank_take(Arena *arena, BankRule *rule, const Schedule *schedule, int64_t number)
{
    if (is_pass(context_of(schedule, number)))
        take_pass(arena, rule, schedule, number);
    else if (context_of(schedule, number) == CONTEXT_TDMA)
        rule->dma = (BankUser){number, schedule->operations[number].end};
}

// Orders that somebody pinned: operations that nothing but the program's order keeps apart may
// change places.

// Operations that an order puts the other way round than the program has them, although they touch
// the same bytes.

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

static bool is_digit_at(Str text, int64_t at)
{
    return at < text.len && text.data[at] >= '0' && text.data[at] <= '9';
}

// `#4` is an operation, as the summary prints it; any other `#` begins a comment.
static bool is_comment_at(Str text, int64_t at)
{
    return text.data[at] == '#' && !is_digit_at(text, at + 1);
}

// Where the next word begins, behind blanks and comments; or the end.
static int64_t next_word(Str text, int64_t at)
{
    bool is_comment = false;
    for (; at < text.len; at++) {
        is_comment = (is_comment || is_comment_at(text, at)) && text.data[at] != '\n';
        if (!is_comment && !is_blank(text.data[at]))
            break;
    }
    return at;
}

static int64_t word_end(Str text, int64_t at)
{
    do
        at++;
    while (at < text.len && !is_blank(text.data[at]) && text.data[at] != '#');
    return at;
}

bool order_read(Arena *arena, DiagList *diags, Str name, Str text, OrderList *order)
{
    for (int64_t at = next_word(text, 0); at < text.len;) {
        int64_t end = word_end(text, at);
        Str word = str_slice(text, at, end);
        Str number = str_slice(word, word.data[0] == '#', word.len);
        if (!str_to_i64(number, array_push(arena, order, int64_t))) {
            diag_add(diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE, "`{}` is no list of numbers: `{}`",
                     name, utf8_shown(arena, word));
            return false;
        }
        at = next_word(text, end);
    }
    if (order->count)
        return true;
    Diag *diag =
        diag_add(diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE, "`{}` names no operation", name);
    diag_help(
        diag,
        "numbers of operations as in a schedule, such as `4 1` or `#4 #1`; `# ` begins a comment");
    diag_help_typed(diag, "numbers of operations as `contra schedule` prints them, such as `4 1` "
                          "or `#4 #1`; `# ` begins a comment");
    return false;
}

// The pinned operations take the places that they have in the program, in the order they are
// pinned.
static bool pin(Placer *placer, int64_t *sequence, int64_t count)
{
    const ScheduleOptions *options = placer->options;
    bool *is_pinned = arena_new(placer->arena, bool, count + 1);
    for (int64_t i = 0; i < options->order_count; i++) {
        int64_t number = options->order[i];
        if (number < 0 || number >= count || is_pinned[number]) {
            if (number < 0 || number >= count)
                diag_add(placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                         "the order names operation {}; the kernel has {}, from 0 on", number,
                         count);
            else
                diag_add(placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                         "the order names operation {} twice", number);
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
        diag_note(diag, SPAN_NOWHERE, "operation {} is `{}` at {}:{}", number, operation->method,
                  operation->file, operation->line);
}

// Only operations that stand in front of one with a smaller number, or behind one with a larger,
// can be wrong. Each asks, in the order of the sequence, for touches of larger numbers that were
// there before it.

// Stands behind one with a larger number, or in front of one with a smaller.
static bool *find_moved(Arena *arena, const int64_t *sequence, int64_t count)
{
    bool *is_moved = arena_new(arena, bool, count + 1);
    int64_t largest = -1, smallest = count;
    for (int64_t i = 0; i < count; i++) {
        is_moved[sequence[i]] = largest > sequence[i];
        largest = max_i64(largest, sequence[i]);
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        is_moved[sequence[i]] |= smallest < sequence[i];
        smallest = min_i64(smallest, sequence[i]);
    }
    return is_moved;
}

typedef struct {
    Arena *arena;
    const Machine *machine;
    TouchIndexList tiers[TOUCH_TIERS];
    int64_t *looks;
} Crossings;

static bool ask(const Crossings *crossings, const Touch *touch, int64_t number, int64_t *later,
                Hazard *hazard)
{
    const TouchIndexList *tier = &crossings->tiers[touch->tier];
    for (int64_t i = 0; i < tier->count; i++) {
        IndexQuery query = {.touch = touch, .above = number, .below = INT64_MAX};
        MeetPiece piece;
        const TouchEntry *found = NULL;
        if (touch->is_write || tier->items[i].is_write)
            found = index_find(&tier->items[i], &query, &piece);
        *crossings->looks += query.looks;
        if (found) {
            *hazard = hazard_between(crossings->machine, number, touch, &found->touch, piece);
            *later = found->operation;
            return true;
        }
    }
    return false;
}

static bool cross(Crossings *crossings, const TouchList *touches, int64_t number, int64_t *later,
                  Hazard *hazard)
{
    for (int64_t i = 0; i < touches->count; i++)
        if (ask(crossings, &touches->items[i], number, later, hazard))
            return true;
    for (int64_t i = 0; i < touches->count; i++) {
        const Touch *touch = &touches->items[i];
        TouchIndexList *tier = &crossings->tiers[touch->tier];
        index_add(crossings->arena, index_for(crossings->arena, tier, touch, 0), number, number,
                  touch);
    }
    return false;
}

// Whether there are two of them in `sequence`, which has every operation of the object once:
// `later`, which the program has behind hazard->operation. *looks goes up by the touches that were
// looked at.
static bool find_crossing(Arena *arena, const Machine *machine, const HwObject *object,
                          const int64_t *sequence, int64_t *later, Hazard *hazard, int64_t *looks)
{
    ArenaMark mark = arena_mark(arena);
    Crossings crossings = {.arena = arena, .machine = machine, .looks = looks};
    int64_t count = object->operations.count;
    const bool *is_moved = find_moved(arena, sequence, count);
    TouchList touches = {0};
    bool found = false;
    for (int64_t i = 0; i < count && !found; i++) {
        if (!is_moved[sequence[i]])
            continue;
        touches.count = 0;
        touches_of_operation(arena, machine, &object->operations.items[sequence[i]], &touches);
        found = cross(&crossings, &touches, sequence[i], later, hazard);
    }
    arena_reset(arena, mark);
    return found;
}

static bool keeps_hazards(const Placer *placer, const int64_t *sequence)
{
    Schedule *schedule = placer->schedule;
    int64_t later;
    Hazard hazard;
    if (!find_crossing(placer->arena, schedule->machine, schedule->object, sequence, &later,
                       &hazard, &schedule->looks))
        return true;
    Diag *diag =
        diag_add(placer->diags, DIAG_SCHEDULE_ORDER, SPAN_NOWHERE,
                 "the order puts operation {} in front of operation {}; it {} ({}, bytes {} to {})",
                 later, hazard.operation, hazard_words[hazard.kind], touch_tier_name(hazard.tier),
                 hazard.from, (long long)hazard.to - 1);
    add_place(diag, schedule->operations[later].operation, later);
    add_place(diag, schedule->operations[hazard.operation].operation, hazard.operation);
    return false;
}

const int64_t *placing_order(Placer *placer)
{
    int64_t count = placer->schedule->operation_count;
    int64_t *sequence = arena_new(placer->arena, int64_t, count + 1);
    if (!pin(placer, sequence, count) || !keeps_hazards(placer, sequence))
        return NULL;
    return sequence;
}

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
                     .other = state->reason == USE_BANK && mine->reason == USE_BANK ? number : -1,
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
    return compare_by(compare_i64(y->until, x->until), compare_i64(x->kind, y->kind),
                      compare_i64(y->operation, x->operation));
}

// ---- one after the other

static void take_lanes(Placer *placer, int64_t number, LaneState *states)
{
    ScheduledOperation *operation = &placer->schedule->operations[number];
    const LaneNeeds *needs = &placer->needs[number];
    operation->uses = arena_new(placer->arena, LaneUse, needs->count);
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
    operation->waits = arena_new(placer->arena, Wait, most);
    int64_t count = wait_for_hazards(placer, number, operation->waits, 0);
    count = wait_for_lanes(placer, number, states, operation->waits, count);
    count = wait_for_banks(placer, number, operation->waits, count);
    count = wait_for_start(placer, operation->waits, count);
    qsort(operation->waits, count, sizeof *operation->waits, compare_waits);
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

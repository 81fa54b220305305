// Laws of schedules, on random commands: what README.md of src/schedule and docs/schedule.md say of
// begins, ends, waits, lanes and slack, and what may never happen where a dependence is added or a
// part of the machine becomes faster. A failure names its case, which CONTRA_TEST_SEED finds again.
#include "mix.h"

#include "base/checked.h"
#include "command/touch.h"
#include "handmade.h"
#include "schedule/export.h"
#include "schedule/hazard.h"
#include "schedule/place.h"
#include "schedule/schedule.h"
#include "shrink.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CASES = 120, OPERATIONS = 12, FREE_ADDRESS = 500 * 1024 };

// ---- one case

typedef struct {
    Trials trials;
    Choices choices;
    uint64_t seed;
    Arena arena, scratch; // of the schedules of one case
    DiagList diags;
    const Machine *machine;
    const HwObject *object;
    Meetings meetings;
} Case;

static Schedule *made(Case *one, const Machine *machine, const HwObject *object, CostModel model,
                      const int64_t *order, int64_t count)
{
    ScheduleOptions options = {model, order, count};
    return schedule_new(&one->arena, &one->scratch, &one->diags, machine, object, &options);
}

static Schedule *plain(Case *one, CostModel model)
{
    Schedule *schedule = made(one, one->machine, one->object, model, NULL, 0);
    assert_non_null(schedule);
    return schedule;
}

#define CHECK(one, holds, ...)        \
    do {                              \
        if (!(holds))                 \
            broken(one, __VA_ARGS__); \
    } while (0)

__attribute__((format(printf, 2, 3))) static void broken(const Case *one, const char *format, ...);

static void broken(const Case *one, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fail_msg("CONTRA_TEST_SEED=%" PRIu64 ": %s", one->seed, what);
}

// ---- operations made by hand

// Every second case: custom topologies, banks, sub context, several clusters and chips, which
// random programs have seldom or never.
enum { CHIPS = 2, BUFFERS = 6, BUFFER = 0x1800 };

static int64_t some_buffer(Choices *choices)
{
    return choose(choices, BUFFERS) * BUFFER + choose(choices, 2) * 1024;
}

static PassRow some_pass(Choices *choices)
{
    static const int64_t streaks[] = {1, 1, 2, 20, 31, 40, 62, 63, 64};
    int64_t reads = streaks[choose(choices, COUNT_OF(streaks))];
    int64_t writes = streaks[choose(choices, COUNT_OF(streaks))];
    PassRow row = {.context = chance(choices, 50) ? CONTEXT_MAIN : CONTEXT_SUB,
                   .packets = reads * writes * (1 + choose(choices, 3)),
                   .reads = reads,
                   .writes = chance(choices, 50) ? writes : -1,
                   .from = some_buffer(choices),
                   .to = some_buffer(choices),
                   .first_chip = choose(choices, CHIPS)};
    row.chips = 1 + choose(choices, CHIPS - row.first_chip);
    row.registers = chance(choices, 30) ? 1 + choose(choices, 300) : 0;
    row.beats = chance(choices, 40) ? 1 + choose(choices, 2 * row.packets) : 0;
    row.second_base = chance(choices, 10) ? BUFFER + 8 * choose(choices, 2) : 0;
    return row;
}

static DescriptorRow some_move(const Machine *machine, Choices *choices)
{
    static const Media ways[][2] = {
        {MEDIA_HBM, MEDIA_DM},  {MEDIA_HBM, MEDIA_DM}, {MEDIA_DM, MEDIA_HBM}, {MEDIA_DM, MEDIA_DM},
        {MEDIA_HBM, MEDIA_HBM}, {MEDIA_SPM, MEDIA_DM}, {MEDIA_HBM, MEDIA_SPM}};
    const Media *way = ways[choose(choices, COUNT_OF(ways))];
    int64_t packet = INT64_C(8) << choose(choices, 8),
            slice = machine->dm_virtual_slice_stride_bytes;
    DescriptorRow row = {.from = way[0],
                         .to = way[1],
                         .chip = choose(choices, CHIPS),
                         .cluster = choose(choices, machine->clusters_per_chip),
                         .engine = choose(choices, machine->dma_engines_per_cluster),
                         .source = some_buffer(choices),
                         .dest = some_buffer(choices),
                         .packet = packet};
    row.loops[0] = (LoopRow){1 + choose(choices, 4), way[0] == MEDIA_DM ? slice : 4096,
                             way[1] == MEDIA_DM ? slice : 4096};
    row.loops[1] = (LoopRow){1 + choose(choices, 8), packet, packet};
    return row;
}

static void add_some_move(Case *one, HwObject *object)
{
    DescriptorRow row = some_move(one->machine, &one->choices);
    bool is_host = chance(&one->choices, 20);
    if (is_host) {
        row.from = chance(&one->choices, 50) ? MEDIA_HOST : MEDIA_HBM;
        row.to = row.from == MEDIA_HOST ? MEDIA_HBM : MEDIA_HOST;
        row.cluster = row.engine = -1;
    }
    HwDescriptor *descriptor = add_dma(&one->trials.scratch, object, &row);
    if (!is_host && row.from == MEDIA_HBM && chance(&one->choices, 40)) {
        descriptor->dest.chip = 1 - descriptor->chip;
        descriptor->inter_chip = true;
    }
}

// A copy inside DM, by the sub context.
static void add_some_copy(Case *one, HwObject *object)
{
    DescriptorRow row = some_move(one->machine, &one->choices);
    row.from = row.to = MEDIA_DM;
    row.engine = -1;
    add_dma(&one->trials.scratch, object, &row);
    object->operations.items[object->operations.count - 1].context = CONTEXT_SUB;
}

static const HwObject *made_object(Case *one, int64_t operations)
{
    Arena *arena = &one->trials.scratch;
    arena_clear(arena);
    HwObject *object = arena_new(arena, HwObject, 1);
    object->chips = CHIPS;
    while (object->operations.count < operations) {
        if (chance(&one->choices, 60)) {
            PassRow row = some_pass(&one->choices);
            add_pass(arena, object, &row);
        } else if (chance(&one->choices, 80)) {
            add_some_move(one, object);
        } else {
            add_some_copy(one, object);
        }
    }
    return object;
}

typedef void CaseLaw(Case *one);

static void on_cases(CaseLaw *law, int64_t cases)
{
    Case one = {0};
    trials_open(&one.trials);
    cases = max_i64(1, (int64_t)((double)cases * test_scale()));
    for (int64_t i = 0; i < cases; i++) {
        one.seed = test_seed() + (uint64_t)i;
        one.choices = choices_of_seed(one.seed);
        one.machine = &one.trials.few;
        int64_t operations = 1 + choose(&one.choices, OPERATIONS);
        one.object = one.seed % 2 ? made_object(&one, operations)
                                  : mix_object(&one.trials, one.machine, &one.choices, operations);
        arena_clear(&one.arena);
        one.diags = (DiagList){.arena = &one.arena};
        if (!one.object)
            continue;
        one.meetings = mix_meetings(&one.arena, one.machine, one.object);
        law(&one);
    }
    arena_release(&one.arena);
    arena_release(&one.scratch);
    trials_close(&one.trials);
}

static int64_t last_end(const Schedule *schedule)
{
    int64_t end = 0;
    for (int64_t i = 0; i < schedule->operation_count; i++)
        end = max_i64(end, schedule->operations[i].end);
    return end;
}

// The manual has nothing besides operations; the chip takes longer than the static model.
static int64_t besides(const Case *one, CostModel model, int64_t cycles)
{
    return model == COST_MANUAL   ? 0
           : model == COST_STATIC ? cycles
                                  : cycles * one->machine->silicon_typical_percent / 100;
}

// ---- how long it takes

// The longest way through what meets, by itself.
static int64_t longest_way(Case *one, const Schedule *schedule)
{
    int64_t count = schedule->operation_count, longest = 0;
    int64_t *ends = arena_new(&one->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        for (int64_t k = 0; k < i; k++)
            if (one->meetings.meets[k * count + i])
                ends[i] = max_i64(ends[i], ends[k]);
        for (int64_t k = 0; k < schedule->operations[i].cost_count; k++)
            ends[i] += schedule->operations[i].costs[k]->cycles;
        longest = max_i64(longest, ends[i]);
    }
    return longest;
}

static void check_length(Case *one, const Schedule *schedule)
{
    int64_t end = last_end(schedule);
    int64_t behind = besides(one, schedule->model, one->machine->static_kernel_end_cycles);
    CHECK(one, schedule->cycles == end + behind, "%" PRId64 " cycles, the last ends at %" PRId64,
          schedule->cycles, end);
    CHECK(one, schedule->least <= schedule->cycles && schedule->cycles <= schedule->most,
          "%" PRId64 " cycles, at least %" PRId64 ", at most %" PRId64, schedule->cycles,
          schedule->least, schedule->most);
    CHECK(one, longest_way(one, schedule) <= end, "a way takes %" PRId64 ", all %" PRId64,
          longest_way(one, schedule), end);
    for (int64_t i = 0; i < schedule->lane_count; i++)
        CHECK(one, schedule->lanes[i].busy <= end, "%s: %.*s is busy for %" PRId64 " of %" PRId64,
              cost_model_names[schedule->model], STR_ARG(schedule->lanes[i].name),
              schedule->lanes[i].busy, end);
}

// From the first operation to the one that ends last each holds the next one up.
static void check_critical(Case *one, const Schedule *schedule)
{
    CHECK(one, schedule->critical_count > 0, "no critical path");
    for (int64_t i = 0; i < schedule->critical_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        CHECK(one, operation->is_critical && operation->slack == 0,
              "operation %" PRId64 " is critical and has slack %" PRId64, schedule->critical[i],
              operation->slack);
        if (i > 0)
            CHECK(one,
                  operation->waits[0].operation == schedule->critical[i - 1] &&
                      operation->waits[0].until == operation->begin,
                  "operation %" PRId64 " is not held up by the one before it on the path",
                  schedule->critical[i]);
        else
            CHECK(one, operation->begin == 0 || operation->waits[0].kind == WAIT_START,
                  "the path begins at %" PRId64, operation->begin);
    }
    const ScheduledOperation *last =
        &schedule->operations[schedule->critical[schedule->critical_count - 1]];
    CHECK(one, last->end == last_end(schedule), "the path ends at %" PRId64, last->end);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        int64_t slack = schedule->operations[i].slack;
        CHECK(one, slack >= 0 && slack <= last->end - schedule->operations[i].end,
              "operation %" PRId64 " has slack %" PRId64, i, slack);
    }
}

// ---- lanes

static void check_lanes(Case *one, const Schedule *schedule)
{
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *a = &schedule->operations[i];
        for (int64_t u = 0; u < a->use_count; u++) {
            const LaneUse *mine = &a->uses[u];
            CHECK(one, mine->from >= a->begin && mine->from <= mine->to && mine->to <= a->end,
                  "operation %" PRId64 " has %.*s outside its time", i,
                  STR_ARG(schedule->lanes[mine->lane].name));
            for (int64_t k = 0; k < i; k++) {
                const ScheduledOperation *b = &schedule->operations[k];
                for (int64_t v = 0; v < b->use_count; v++)
                    CHECK(one,
                          b->uses[v].lane != mine->lane || b->uses[v].to <= mine->from ||
                              mine->to <= b->uses[v].from,
                          "operations %" PRId64 " and %" PRId64 " have %.*s at once", k, i,
                          STR_ARG(schedule->lanes[mine->lane].name));
            }
        }
    }
}

// A lane that one operation has for two reasons is busy once.
static void check_busy(Case *one, const Schedule *schedule)
{
    int64_t end = last_end(schedule);
    uint8_t *cycles = arena_new(&one->arena, uint8_t, (size_t)end + 1);
    for (int64_t lane = 0; lane < schedule->lane_count; lane++) {
        int64_t busy = 0;
        memset(cycles, 0, (size_t)end + 1);
        for (int64_t i = 0; i < schedule->operation_count; i++)
            for (int64_t u = 0; u < schedule->operations[i].use_count; u++) {
                const LaneUse *use = &schedule->operations[i].uses[u];
                if (use->lane == lane)
                    memset(cycles + use->from, 1, (size_t)(use->to - use->from));
            }
        for (int64_t i = 0; i < end; i++)
            busy += cycles[i];
        CHECK(one, busy == schedule->lanes[lane].busy, "%.*s is busy for %" PRId64 ", not %" PRId64,
              STR_ARG(schedule->lanes[lane].name), busy, schedule->lanes[lane].busy);
    }
}

// ---- waits

static int64_t use_of(const ScheduledOperation *operation, int64_t lane, int64_t until,
                      const ScheduledOperation *other)
{
    for (int64_t i = 0; i < operation->use_count; i++)
        for (int64_t k = 0; k < other->use_count; k++)
            if (operation->uses[i].lane == lane && other->uses[k].lane == lane &&
                other->uses[k].to - (operation->uses[i].from - operation->begin) == until)
                return i;
    return -1;
}

// The two others of three that must not run at once; it begins when the first of them is over.
static void check_pair(Case *one, const Schedule *schedule, int64_t number, const Wait *wait)
{
    CHECK(one, wait->other >= 0 && wait->other < number && wait->other != wait->operation,
          "operation %" PRId64 " waits for operation %" PRId64, number, wait->other);
    CHECK(one,
          wait->until == schedule->operations[wait->operation].end &&
              wait->until <= schedule->operations[wait->other].end,
          "operation %" PRId64 " does not wait for the first of two", number);
}

static void check_wait(Case *one, const Schedule *schedule, int64_t number, const Wait *wait)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    if (wait->kind == WAIT_START) {
        CHECK(one,
              wait->operation < 0 &&
                  wait->until ==
                      besides(one, schedule->model, one->machine->static_kernel_start_cycles),
              "operation %" PRId64 " waits for a start", number);
        return;
    }
    CHECK(one, wait->operation >= 0 && wait->operation < number,
          "operation %" PRId64 " waits for operation %" PRId64, number, wait->operation);
    const ScheduledOperation *culprit = &schedule->operations[wait->operation];
    int64_t sync = besides(one, schedule->model, one->machine->static_reread_sync_cycles);
    sync = wait->kind == WAIT_SYNC ? sync : 0;
    switch (wait->kind) {
    case WAIT_RAW:
    case WAIT_WAR:
    case WAIT_WAW:
    case WAIT_SYNC:
        CHECK(one, wait->until == culprit->end + sync,
              "operation %" PRId64 " waits until %" PRId64 " for operation %" PRId64
              ", which ends at %" PRId64,
              number, wait->until, wait->operation, culprit->end);
        CHECK(one, one->meetings.meets[wait->operation * schedule->operation_count + number],
              "operation %" PRId64 " does not meet %" PRId64, number, wait->operation);
        CHECK(one, wait->from < wait->to, "a hazard of no bytes");
        CHECK(one, wait->low <= wait->from && wait->to <= wait->high, "bytes out of their range");
        break;
    default:
        if (wait->kind == WAIT_BANK && wait->lane < 0) {
            check_pair(one, schedule, number, wait);
            break;
        }
        CHECK(one, wait->lane >= 0 && wait->lane < schedule->lane_count,
              "a lane that is not there");
        CHECK(one, use_of(operation, wait->lane, wait->until, culprit) >= 0,
              "operation %" PRId64 " waits until %" PRId64 " for %.*s of operation %" PRId64,
              number, wait->until, STR_ARG(schedule->lanes[wait->lane].name), wait->operation);
    }
}

static bool tells_hazard(const ScheduledOperation *operation, int64_t culprit)
{
    for (int64_t k = 0; k < operation->wait_count; k++) {
        WaitKind kind = operation->waits[k].kind;
        if (operation->waits[k].operation == culprit && (kind <= WAIT_WAW || kind == WAIT_SYNC))
            return true;
    }
    return false;
}

// A lane that both have does not hide what the one does to the bytes of the other.
static void check_reasons(Case *one, const Schedule *schedule)
{
    int64_t count = schedule->operation_count;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < i; k++) {
            const ScheduledOperation *later = &schedule->operations[i];
            const ScheduledOperation *earlier = &schedule->operations[k];
            CHECK(one,
                  !one->meetings.meets[k * count + i] || earlier->end != later->begin ||
                      schedule_cycles(earlier) == 0 || tells_hazard(later, k),
                  "operation %" PRId64 " begins when operation %" PRId64
                  " ends, which it has a hazard with, and does not say so",
                  i, k);
        }
}

static void check_waits(Case *one, const Schedule *schedule)
{
    check_reasons(one, schedule);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        int64_t begin = 0;
        for (int64_t k = 0; k < operation->wait_count; k++) {
            check_wait(one, schedule, i, &operation->waits[k]);
            CHECK(one, k == 0 || operation->waits[k].until <= operation->waits[k - 1].until,
                  "waits of operation %" PRId64 " are out of order", i);
            begin = max_i64(begin, operation->waits[k].until);
        }
        CHECK(one, operation->begin == begin,
              "operation %" PRId64 " begins at %" PRId64 ", its waits are over at %" PRId64, i,
              operation->begin, begin);
    }
}

// What meets is in order in time, whatever was left out as known anyway.
static void check_hazards(Case *one, const Schedule *schedule)
{
    int64_t count = schedule->operation_count;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = i + 1; k < count; k++)
            CHECK(one,
                  !one->meetings.meets[i * count + k] ||
                      schedule->operations[k].begin >= schedule->operations[i].end,
                  "%s: operation %" PRId64 " begins at %" PRId64 ", operation %" PRId64
                  " in its way ends at %" PRId64,
                  cost_model_names[schedule->model], k, schedule->operations[k].begin, i,
                  schedule->operations[i].end);
}

static int64_t streak_at(const Schedule *schedule, Context context, int64_t cycle)
{
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        if (operation->operation->context == context && operation->begin <= cycle &&
            cycle < operation->end)
            return bank_streak_of(operation);
    }
    return 0;
}

// While DMA runs no bank is kept from it, by one pass or by two. What runs changes where something
// begins.
static void check_banks(Case *one, const Schedule *schedule)
{
    for (int64_t i = 0; i < schedule->operation_count; i++)
        for (int64_t k = 0; k < schedule->operation_count; k++) {
            const ScheduledOperation *dma = &schedule->operations[i];
            int64_t cycle = schedule->operations[k].begin;
            if (dma->operation->context != CONTEXT_TDMA || cycle < dma->begin || cycle >= dma->end)
                continue;
            int64_t streaks =
                streak_at(schedule, CONTEXT_MAIN, cycle) + streak_at(schedule, CONTEXT_SUB, cycle);
            CHECK(one, !streaks || streaks + 1 <= one->machine->bank_accesses_max,
                  "%s: operation %" PRId64 " runs beside %" PRId64 " accesses to one bank",
                  cost_model_names[schedule->model], i, streaks);
        }
}

static bool reloads(Case *one, int64_t earlier, int64_t later)
{
    const HwOperation *operations = one->object->operations.items;
    TouchList a = {0}, b = {0};
    MeetPiece piece;
    touches_of_operation(&one->arena, one->machine, &operations[earlier], &a);
    touches_of_operation(&one->arena, one->machine, &operations[later], &b);
    for (int64_t i = 0; i < a.count; i++)
        for (int64_t k = 0; k < b.count; k++)
            if (a.items[i].tier == TIER_HBM && a.items[i].is_write && !b.items[k].is_write &&
                touches_meet(&a.items[i], &b.items[k], &piece))
                return true;
    return false;
}

// What was stored to HBM is there for others some time behind the end of the store.
static void check_syncs(Case *one, const Schedule *schedule)
{
    int64_t count = schedule->operation_count;
    int64_t sync = besides(one, schedule->model, one->machine->static_reread_sync_cycles);
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = i + 1; k < count; k++)
            CHECK(one,
                  !reloads(one, i, k) ||
                      schedule->operations[k].begin >= schedule->operations[i].end + sync,
                  "%s: operation %" PRId64 " reads at %" PRId64 " what operation %" PRId64
                  " stored until %" PRId64,
                  cost_model_names[schedule->model], k, schedule->operations[k].begin, i,
                  schedule->operations[i].end);
}

static void check_order(Case *one, const Schedule *schedule)
{
    int64_t count = schedule->operation_count;
    bool *seen = arena_new(&one->arena, bool, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t number = schedule->order[i], before = i ? schedule->order[i - 1] : -1;
        CHECK(one, number >= 0 && number < count && !seen[number], "order is no permutation");
        seen[number] = true;
        CHECK(one,
              !i || schedule->operations[before].begin < schedule->operations[number].begin ||
                  (schedule->operations[before].begin == schedule->operations[number].begin &&
                   before < number),
              "operation %" PRId64 " is out of order", number);
    }
}

static void law_of_waits(Case *one)
{
    for (CostModel model = 0; model < COST_MODELS; model++) {
        Schedule *schedule = plain(one, model);
        check_length(one, schedule);
        check_critical(one, schedule);
        check_lanes(one, schedule);
        check_busy(one, schedule);
        check_waits(one, schedule);
        check_hazards(one, schedule);
        check_banks(one, schedule);
        check_syncs(one, schedule);
        check_order(one, schedule);
    }
}

TEST(schedules_are_sound)
{
    on_cases(law_of_waits, CASES);
}

// ---- orders

static void check_same(Case *one, const Schedule *a, const Schedule *b)
{
    CHECK(one, a->cycles == b->cycles, "%" PRId64 " cycles, pinned %" PRId64, a->cycles, b->cycles);
    for (int64_t i = 0; i < a->operation_count; i++)
        CHECK(one,
              a->operations[i].begin == b->operations[i].begin &&
                  a->operations[i].end == b->operations[i].end &&
                  a->operations[i].slack == b->operations[i].slack,
              "%s: operation %" PRId64 " begins at %" PRId64 " with slack %" PRId64
              ", pinned at %" PRId64 " with %" PRId64,
              cost_model_names[a->model], i, a->operations[i].begin, a->operations[i].slack,
              b->operations[i].begin, b->operations[i].slack);
}

static void law_of_program_order(Case *one)
{
    int64_t count = one->object->operations.count, some = 0;
    int64_t *all = arena_new(&one->arena, int64_t, (size_t)count + 1);
    int64_t *few = arena_new(&one->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        all[i] = i;
        if (chance(&one->choices, 50))
            few[some++] = i;
    }
    for (CostModel model = 0; model < COST_MODELS; model++) {
        check_same(one, plain(one, model), made(one, one->machine, one->object, model, all, count));
        check_same(one, plain(one, model), made(one, one->machine, one->object, model, few, some));
    }
}

TEST(program_order_pinned_is_the_same)
{
    on_cases(law_of_program_order, CASES);
}

// Exchanging two operations keeps what meets, and nothing between them minds.
static bool may_exchange(const Meetings *meetings, int64_t a, int64_t b)
{
    int64_t count = meetings->count;
    if (meetings->meets[a * count + b])
        return false;
    for (int64_t i = a + 1; i < b; i++)
        if (meetings->meets[a * count + i] || meetings->meets[i * count + b])
            return false;
    return true;
}

static void law_of_exchanges(Case *one)
{
    int64_t count = one->object->operations.count;
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = a + 1; b < count; b++) {
            int64_t order[] = {b, a};
            one->diags.count = 0;
            bool is_made = made(one, one->machine, one->object, COST_MANUAL, order, 2) != NULL;
            bool wanted = may_exchange(&one->meetings, a, b);
            CHECK(one, is_made == wanted, "exchanging %" PRId64 " and %" PRId64 " is %s", a, b,
                  is_made ? "accepted" : "refused");
            CHECK(one, is_made || one->diags.items[0]->code == DIAG_SCHEDULE_ORDER,
                  "refused for another reason");
        }
    one->diags.count = 0;
}

TEST(exchanges_are_judged_by_what_meets)
{
    on_cases(law_of_exchanges, CASES);
}

static void law_of_random_orders(Case *one)
{
    int64_t count = one->object->operations.count;
    int64_t *order = mix_order(&one->arena, &one->meetings, &one->choices);
    for (CostModel model = 0; model < COST_MODELS; model++) {
        Schedule *schedule = made(one, one->machine, one->object, model, order, count);
        CHECK(one, schedule != NULL, "an order that keeps what meets is refused");
        check_length(one, schedule);
        check_critical(one, schedule);
        check_lanes(one, schedule);
        check_hazards(one, schedule);
        check_banks(one, schedule);
        check_syncs(one, schedule);
    }
}

TEST(random_orders_are_sound)
{
    on_cases(law_of_random_orders, CASES);
}

// ---- a dependence more

// A write of 4 bytes in all slices of a chip; it takes a cycle, wherever it goes.
static HwCommand write_at(Case *one, int64_t chip, int64_t cluster, int64_t address)
{
    HwImmediateWrite *write = arena_new(&one->arena, HwImmediateWrite, 1);
    HwClusterBits *row = array_push(&one->arena, &write->bitmaps, HwClusterBits);
    write->address = address;
    *row = (HwClusterBits){.chip = chip, .cluster = cluster};
    *array_push(&one->arena, &row->slices, uint64_t) =
        (UINT64_C(1) << one->machine->slices_per_cluster) - 1;
    return (HwCommand){.immediate = write};
}

static HwObject with_write(Case *one, int64_t number, HwCommand command)
{
    HwObject out = *one->object;
    int64_t count = out.operations.count;
    out.operations.items =
        arena_copy(&one->arena, out.operations.items, sizeof *out.operations.items * (size_t)count);
    HwOperation *operation = &out.operations.items[number];
    const HwOperation *from = &one->object->operations.items[number];
    operation->commands.items = NULL;
    operation->commands.count = operation->commands.capacity = 0;
    for (int64_t i = 0; i < from->commands.count; i++)
        *array_push(&one->arena, &operation->commands, HwCommand) = from->commands.items[i];
    *array_push(&one->arena, &operation->commands, HwCommand) = command;
    return out;
}

// A place in DM that an operation touches; false: it touches none.
static bool place_of(Case *one, int64_t number, HwCommand *command)
{
    TouchList touches = {0};
    int64_t slice = one->machine->dm_virtual_slice_stride_bytes * 8;
    touches_of_operation(&one->arena, one->machine, &one->object->operations.items[number],
                         &touches);
    for (int64_t i = 0; i < touches.count; i++) {
        const Touch *touch = &touches.items[i];
        if (touch->tier != TIER_DM || touch->base < 0)
            continue;
        *command = write_at(one, touch->chip_from, touch->cluster_from, touch->base % slice / 8);
        return true;
    }
    return false;
}

static void law_of_dependences(Case *one)
{
    int64_t count = one->object->operations.count;
    for (int64_t i = 0; i < count; i++) {
        HwCommand into;
        int64_t number = choose(&one->choices, count);
        if (!place_of(one, i, &into))
            continue;
        HwObject without = with_write(one, number, write_at(one, 0, 0, FREE_ADDRESS));
        HwObject with = with_write(one, number, into);
        for (CostModel model = 0; model < COST_MODELS; model++) {
            Schedule *a = made(one, one->machine, &without, model, NULL, 0);
            Schedule *b = made(one, one->machine, &with, model, NULL, 0);
            for (int64_t k = 0; k < count; k++)
                CHECK(one,
                      a->operations[k].begin <= b->operations[k].begin &&
                          a->operations[k].end <= b->operations[k].end,
                      "%s: operation %" PRId64 " begins at %" PRId64 ", where %" PRId64
                      " touches what %" PRId64 " touches at %" PRId64,
                      cost_model_names[model], k, a->operations[k].begin, number, i,
                      b->operations[k].begin);
            CHECK(one, a->cycles <= b->cycles, "a dependence shortens");
        }
    }
}

TEST(a_dependence_more_never_shortens)
{
    on_cases(law_of_dependences, CASES);
}

// ---- what advice promises

// What is gained where no bank is kept from DMA is no more than is promised; and nothing is
// promised where nothing is taken away.
static void law_of_gains(Case *one)
{
    Machine *patient = arena_copy(&one->arena, one->machine, sizeof *one->machine);
    patient->bank_accesses_max = 1 << 30;
    for (CostModel model = 0; model < COST_MODELS; model++) {
        const Schedule *schedule = plain(one, model);
        const Schedule *free = made(one, patient, one->object, model, NULL, 0);
        int64_t gain = schedule_gain(&one->arena, schedule, 1U << WAIT_BANK);
        int64_t all = schedule_gain(&one->arena, schedule, UINT32_MAX);
        CHECK(one, schedule_gain(&one->arena, schedule, 0) == 0, "a gain from nothing");
        CHECK(one, schedule->cycles - free->cycles <= gain && gain <= all,
              "%s: banks cost %" PRId64 " cycles, advice promises %" PRId64 " of %" PRId64,
              cost_model_names[model], schedule->cycles - free->cycles, gain, all);
    }
}

TEST(advice_promises_enough)
{
    on_cases(law_of_gains, CASES);
}

// ---- an operation more

static HwObject without_operation(Case *one, int64_t number)
{
    HwObject out = *one->object;
    out.operations.items = NULL;
    out.operations.count = out.operations.capacity = 0;
    for (int64_t i = 0; i < one->object->operations.count; i++)
        if (i != number)
            *array_push(&one->arena, &out.operations, HwOperation) =
                one->object->operations.items[i];
    return out;
}

static void law_of_operations(Case *one)
{
    int64_t count = one->object->operations.count;
    for (CostModel model = 0; model < COST_MODELS; model++) {
        const Schedule *with = plain(one, model);
        for (int64_t i = 0; count > 1 && i < count; i++) {
            HwObject fewer = without_operation(one, i);
            const Schedule *without = made(one, one->machine, &fewer, model, NULL, 0);
            for (int64_t k = 0; k < count - 1; k++)
                CHECK(one,
                      without->operations[k].begin <= with->operations[k < i ? k : k + 1].begin,
                      "%s: without operation %" PRId64 ", %" PRId64 " begins later",
                      cost_model_names[model], i, k < i ? k : k + 1);
            CHECK(one, without->cycles <= with->cycles, "an operation shortens");
        }
    }
}

TEST(an_operation_more_never_shortens)
{
    on_cases(law_of_operations, CASES);
}

// ---- a faster machine

typedef struct {
    const char *name; // of machine.def
    bool down;        // less is faster
} Speed;

static const Speed speeds[] = {
    {"dma_startup_cycles", true},
    {"hbm_unit_cycles", true},
    {"hbm_row_switch_cycles", true},
    {"hbm_unaligned_read_factor", true},
    {"hbm_partial_write_factor", true},
    {"hbm_tccd_same_bank_group_cycles", true},
    {"hbm_clock_mhz", false},
    {"hbm_command_queue_entries", false},
    {"dm_bytes_per_cycle_per_dmn", false},
    {"dm_command_queue_entries", false},
    {"spm_bytes_per_cycle_per_dmn", false},
    {"pcie_bytes_per_cycle", false},
    {"fetch_cast_cycles", true},
    {"switch_fill_cycles", true},
    {"static_contraction_pass_cycles", true},
    {"static_vector_pass_cycles", true},
    {"static_register_load_cycles", true},
    {"static_register_load_bytes_per_cycle", false},
    {"static_dma_startup_cycles", true},
    {"static_load_startup_cycles", true},
    {"static_replicated_request_millicycles", true},
    {"static_store_startup_cycles", true},
    {"static_store_request_millicycles", true},
    {"static_store_shared_piece_millicycles", true},
    {"static_dma_partial_piece_cycles", true},
    {"static_kernel_start_cycles", true},
    {"static_kernel_end_cycles", true},
    {"static_reread_sync_cycles", true},
    {"silicon_typical_percent", true},
    {"silicon_switch_bytes_per_cycle", false},
    {"silicon_replicated_request_millicycles", true},
    {"silicon_two_cluster_load_bytes_per_cycle", false},
    {"silicon_hbm_redistribute_bytes_per_cycle", false},
};

static bool change(Machine *machine, const Speed *speed)
{
    for (int64_t i = 0; i < MACHINE_FIELD_COUNT; i++) {
        const MachineField *field = &machine_fields[i];
        if (strcmp(field->name, speed->name) != 0)
            continue;
        int64_t *value = (int64_t *)(void *)((char *)machine + field->offset);
        int64_t was = *value;
        *value = speed->down ? max_i64(field->min, was / 2) : min_i64(field->max, was * 2);
        return *value != was;
    }
    fail_msg("the machine has no %s", speed->name);
    return false;
}

static void law_of_speed(Case *one)
{
    Schedule *before[COST_MODELS];
    for (CostModel model = 0; model < COST_MODELS; model++)
        before[model] = plain(one, model);
    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        Machine *faster = arena_copy(&one->arena, one->machine, sizeof *one->machine);
        if (!change(faster, &speeds[i]))
            continue;
        for (CostModel model = 0; model < COST_MODELS; model++) {
            Schedule *after = made(one, faster, one->object, model, NULL, 0);
            CHECK(one, after->cycles <= before[model]->cycles,
                  "%s: %" PRId64 " cycles, with a better %s %" PRId64, cost_model_names[model],
                  before[model]->cycles, speeds[i].name, after->cycles);
        }
    }
}

TEST(a_faster_machine_never_lengthens)
{
    on_cases(law_of_speed, CASES);
}

#include "schedule/place.h"

#include "base/checked.h"

const char *const wait_kind_names[WAIT_KINDS] = {
    [WAIT_RAW] = "raw",   [WAIT_WAR] = "war",     [WAIT_WAW] = "waw",
    [WAIT_LANE] = "lane", [WAIT_BANK] = "bank",   [WAIT_SWITCH] = "switch",
    [WAIT_SYNC] = "sync", [WAIT_START] = "start", [WAIT_FIFO] = "fifo",
};

// ---- what each operation costs

static void cost_operations(Placer *placer, CostBook *book)
{
    Schedule *schedule = placer->schedule;
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        ScheduledOperation *operation = &schedule->operations[i];
        const HwOperation *of = operation->operation;
        operation->costs = arena_new(placer->arena, const Cost *, (size_t)of->commands.count + 1);
        operation->cost_count = of->commands.count;
        for (int64_t k = 0; k < of->commands.count; k++)
            operation->costs[k] = cost_of_command(book, &of->commands.items[k]);
    }
}

// ---- passes that keep DMA from a bank

static int64_t streak_of(const ScheduledOperation *operation)
{
    int64_t streak = 0;
    for (int64_t i = 0; i < operation->cost_count; i++)
        streak = max_i64(streak, operation->costs[i]->bank_streak);
    return streak;
}

static bool is_of(const Schedule *schedule, int64_t number, Context context)
{
    return schedule->operations[number].operation->context == context;
}

// The longest streak of the other context's passes that may run beside this one: those between the
// passes of its own context before and behind it. Which of them really do depends on times, and no
// choice here does.
static int64_t streak_beside(const Schedule *schedule, int64_t number)
{
    Context own = schedule->operations[number].operation->context;
    Context other = own == CONTEXT_MAIN ? CONTEXT_SUB : CONTEXT_MAIN;
    int64_t streak = 0;
    for (int64_t step = -1; step <= 1; step += 2)
        for (int64_t i = number + step; i >= 0 && i < schedule->operation_count; i += step) {
            if (is_of(schedule, i, own))
                break;
            if (is_of(schedule, i, other))
                streak = max_i64(streak, streak_of(&schedule->operations[i]));
        }
    return streak;
}

// Manual: Memory Performance, Cumulative Bank Access Constraint: the request of DMA counts, too.
static bool keeps_bank(const Schedule *schedule, int64_t number)
{
    Context context = schedule->operations[number].operation->context;
    int64_t most = schedule->machine->bank_accesses_max;
    int64_t streak = streak_of(&schedule->operations[number]);
    if (context != CONTEXT_MAIN && context != CONTEXT_SUB)
        return false;
    if (streak > most)
        return true;
    return streak > 1 && streak + streak_beside(schedule, number) + 1 > most;
}

// ---- what each needs

// In the order of `sequence`: what stands in front there is what has to be waited for.
static void find_needs(Placer *placer, const int64_t *sequence)
{
    Schedule *schedule = placer->schedule;
    HazardTable *table = hazard_table_new(placer->arena, schedule->machine);
    size_t count = (size_t)schedule->operation_count + 1;
    placer->needs = arena_new(placer->arena, LaneNeeds, count);
    placer->hazards = arena_new(placer->arena, HazardList, count);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        int64_t number = sequence[i];
        const ScheduledOperation *operation = &schedule->operations[number];
        LaneNeeds *needs = &placer->needs[number];
        lanes_needed(placer->arena, &placer->lanes, operation->operation, operation->costs,
                     operation->cost_count, keeps_bank(schedule, number), needs);
        hazards_of(table, number, operation->operation, lanes_kept(needs, cost_cycles(operation)),
                   &placer->hazards[number]);
    }
    schedule->looks += hazard_looks(table);
}

// ---- how long it takes

// The error of the whole is that of what holds it up.
static void find_cycles(Schedule *schedule)
{
    const Machine *machine = schedule->machine;
    int64_t end = 0, least = 0, most = 0, cycles = 0;
    for (int64_t i = 0; i < schedule->operation_count; i++)
        end = max_i64(end, schedule->operations[i].end);
    for (int64_t i = 0; i < schedule->critical_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        for (int64_t k = 0; k < operation->cost_count; k++) {
            cycles += operation->costs[k]->cycles;
            least += operation->costs[k]->least;
            most += operation->costs[k]->most;
        }
    }
    schedule->cycles =
        end + (schedule->model == COST_MANUAL ? 0 : machine->static_kernel_end_cycles);
    schedule->least = max_i64(0, schedule->cycles - (cycles - least));
    schedule->most = schedule->cycles + (most - cycles);
}

static const int64_t *program_order(Placer *placer)
{
    int64_t count = placer->schedule->operation_count;
    int64_t *sequence = arena_new(placer->arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        sequence[i] = i;
    return sequence;
}

static bool place_all(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    const int64_t *sequence =
        placer->options->order ? placing_order(placer) : program_order(placer);
    if (!sequence)
        return false;
    find_needs(placer, sequence);
    place_operations(placer, sequence);
    schedule->lanes = placer->lanes.items;
    schedule->lane_count = placer->lanes.count;
    find_critical(placer);
    find_cycles(schedule);
    find_summary(placer);
    return true;
}

Schedule *schedule_new(Arena *arena, Arena *scratch, DiagList *diags, const Machine *machine,
                       const HwObject *object, const ScheduleOptions *options)
{
    Schedule *schedule = arena_new(arena, Schedule, 1);
    Placer placer = {.arena = arena, .diags = diags, .options = options, .schedule = schedule};
    CostBook *book = cost_book_new(arena, scratch, machine, options->model);
    schedule->object = object;
    schedule->machine = machine;
    schedule->model = options->model;
    schedule->operation_count = object->operations.count;
    schedule->operations =
        arena_new(arena, ScheduledOperation, (size_t)object->operations.count + 1);
    for (int64_t i = 0; i < object->operations.count; i++)
        schedule->operations[i].operation = &object->operations.items[i];
    lanes_new(arena, machine, options->model, &placer.lanes);
    cost_operations(&placer, book);
    return place_all(&placer) ? schedule : NULL;
}

#include "base/checked.h"
#include "cost/cost.h"
#include "schedule/place.h"

#include <stdlib.h>

const char *const wait_kind_names[WAIT_KINDS] = {
    [WAIT_RAW] = "raw",   [WAIT_WAR] = "war",     [WAIT_WAW] = "waw",
    [WAIT_LANE] = "lane", [WAIT_BANK] = "bank",   [WAIT_SWITCH] = "switch",
    [WAIT_SYNC] = "sync", [WAIT_START] = "start", [WAIT_FIFO] = "fifo",
};

// ---- what each operation costs

// False: it was cancelled.
static bool cost_operations(Placer *placer, CostBook *book)
{
    Schedule *schedule = placer->schedule;
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        if (diag_cancelled(placer->diags))
            return false;
        ScheduledOperation *operation = &schedule->operations[i];
        const HwOperation *of = operation->operation;
        operation->costs = arena_new(placer->arena, const Cost *, of->commands.count + 1);
        operation->cost_count = of->commands.count;
        for (int64_t k = 0; k < of->commands.count; k++)
            operation->costs[k] = cost_of_command(book, &of->commands.items[k]);
    }
    return true;
}

static void report_uses(Arena *arena, Arena *scratch, Schedule *schedule, CostBook *book)
{
    if (schedule->model != COST_MANUAL)
        book = cost_book_new(arena, scratch, schedule->machine, COST_MANUAL);
    const HwUse *uses = use_of_object(arena, schedule->machine, book, schedule->object);
    for (int64_t i = 0; i < schedule->operation_count; i++)
        schedule->operations[i].use = &uses[i];
}

// ---- what each needs

// In the order of `sequence`: what stands in front there is what has to be waited for. False: it
// was cancelled.
static bool find_needs(Placer *placer, const int64_t *sequence)
{
    Schedule *schedule = placer->schedule;
    HazardTable *table = hazard_table_new(placer->arena, schedule->machine);
    size_t count = schedule->operation_count + 1;
    placer->needs = arena_new(placer->arena, LaneNeeds, count);
    placer->hazards = arena_new(placer->arena, HazardList, count);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        if (diag_cancelled(placer->diags))
            return false;
        int64_t number = sequence[i];
        const ScheduledOperation *operation = &schedule->operations[number];
        LaneNeeds *needs = &placer->needs[number];
        lanes_needed(placer->arena, &placer->lanes, operation->operation, operation->costs,
                     operation->cost_count, bank_keeps_dma(schedule->machine, operation), needs);
        hazards_of(table, number, operation->operation, lanes_kept(needs, cost_cycles(operation)),
                   &placer->hazards[number]);
    }
    schedule->looks += hazard_looks(table);
    return true;
}

// ---- how long it takes

// The chip takes longer for everything; how much longer a synchronisation was measured by itself.
FixedCycles schedule_fixed(const Machine *machine, CostModel model, FixedKind kind)
{
    enum { PERCENT = 100 };
    const int64_t fixed[FIXED_KINDS] = {
        [FIXED_START] = machine->static_kernel_start_cycles,
        [FIXED_SYNC] = machine->static_reread_sync_cycles,
        [FIXED_END] = machine->static_kernel_end_cycles,
    };
    int64_t cycles = fixed[kind];
    if (model != COST_SILICON)
        return model == COST_STATIC ? (FixedCycles){cycles, cycles, cycles} : (FixedCycles){0};
    FixedCycles out = {cycles * machine->silicon_typical_percent / PERCENT,
                       cycles * machine->silicon_makespan_percent_min / PERCENT,
                       cycles * machine->silicon_makespan_percent_max / PERCENT};
    if (kind == FIXED_SYNC) {
        out.least = machine->silicon_sync_cycles_min;
        out.most = machine->silicon_sync_cycles_max;
    }
    out.least = min_i64(out.least, out.cycles);
    out.most = max_i64(out.most, out.cycles);
    return out;
}

static void add_fixed(const Schedule *schedule, FixedKind kind, FixedCycles *sum)
{
    FixedCycles one = schedule_fixed(schedule->machine, schedule->model, kind);
    sum->cycles += one.cycles;
    sum->least += one.least;
    sum->most += one.most;
}

// The error of the whole is that of what holds it up.
static FixedCycles sum_of_path(const Schedule *schedule)
{
    FixedCycles sum = {0};
    add_fixed(schedule, FIXED_START, &sum);
    add_fixed(schedule, FIXED_END, &sum);
    for (int64_t i = 0; i < schedule->critical_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        if (operation->wait_count && operation->waits[0].kind == WAIT_SYNC)
            add_fixed(schedule, FIXED_SYNC, &sum);
        for (int64_t k = 0; k < operation->cost_count; k++) {
            sum.cycles += operation->costs[k]->cycles;
            sum.least += operation->costs[k]->least;
            sum.most += operation->costs[k]->most;
        }
    }
    return sum;
}

static void find_cycles(Schedule *schedule)
{
    FixedCycles sum = sum_of_path(schedule);
    int64_t end = 0;
    for (int64_t i = 0; i < schedule->operation_count; i++)
        end = max_i64(end, schedule->operations[i].end);
    schedule->cycles = end + schedule_fixed(schedule->machine, schedule->model, FIXED_END).cycles;
    schedule->least = max_i64(0, schedule->cycles - (sum.cycles - sum.least));
    schedule->most = schedule->cycles + (sum.most - sum.cycles);
}

// Of whole kernels it was measured how long the chip takes for what the static model says.
static void widen_to_kernels(Schedule *schedule, int64_t fixed)
{
    enum { PERCENT = 100 };
    const Machine *machine = schedule->machine;
    schedule->least =
        min_i64(schedule->least, fixed * machine->silicon_makespan_percent_min / PERCENT);
    schedule->most =
        max_i64(schedule->most, fixed * machine->silicon_makespan_percent_max / PERCENT);
}

static const int64_t *program_order(Placer *placer)
{
    int64_t count = placer->schedule->operation_count;
    int64_t *sequence = arena_new(placer->arena, int64_t, count + 1);
    for (int64_t i = 0; i < count; i++)
        sequence[i] = i;
    return sequence;
}

// What holds the kernel up: how much later each operation could end, and the way from the last one
// back to the first.

static int64_t last_end(const Schedule *schedule)
{
    int64_t end = 0;
    for (int64_t i = 0; i < schedule->operation_count; i++)
        end = max_i64(end, schedule->operations[i].end);
    return end;
}

// Edges lead from operations that were placed before to one that was placed after: backwards they
// come with all that follows already known.
static void find_slack(const Placer *placer)
{
    const Schedule *schedule = placer->schedule;
    int64_t end = last_end(schedule);
    for (int64_t i = 0; i < schedule->operation_count; i++)
        schedule->operations[i].slack = end - schedule->operations[i].end;
    for (int64_t i = placer->edges.count - 1; i >= 0; i--) {
        const Edge *edge = &placer->edges.items[i];
        ScheduledOperation *earlier = &schedule->operations[edge->earlier];
        const ScheduledOperation *later = &schedule->operations[edge->later];
        int64_t room = later->begin - earlier->begin - edge->distance;
        earlier->slack = min_i64(earlier->slack, later->slack + room);
    }
}

// From the operation that ends last back over what held each one up.
static void find_path(const Placer *placer)
{
    Schedule *schedule = placer->schedule;
    int64_t number = -1, end = last_end(schedule);
    for (int64_t i = schedule->operation_count - 1; i >= 0 && number < 0; i--)
        if (schedule->operations[i].end == end)
            number = i;
    schedule->critical = arena_new(placer->arena, int64_t, schedule->operation_count + 1);
    while (number >= 0) {
        ScheduledOperation *operation = &schedule->operations[number];
        operation->is_critical = true;
        schedule->critical[schedule->critical_count++] = number;
        bool is_held = operation->wait_count && operation->begin > 0;
        number = is_held ? operation->waits[0].operation : -1;
    }
    for (int64_t i = 0, k = schedule->critical_count - 1; i < k; i++, k--) {
        int64_t first = schedule->critical[i];
        schedule->critical[i] = schedule->critical[k];
        schedule->critical[k] = first;
    }
}

typedef struct {
    int64_t begin, number;
} Begin;

static int compare_begins(const void *a, const void *b)
{
    const Begin *x = a, *y = b;
    return compare_by(compare_i64(x->begin, y->begin), compare_i64(x->number, y->number));
}

static void find_order(const Placer *placer)
{
    Schedule *schedule = placer->schedule;
    int64_t count = schedule->operation_count;
    Begin *begins = arena_new(placer->arena, Begin, count + 1);
    for (int64_t i = 0; i < count; i++)
        begins[i] = (Begin){schedule->operations[i].begin, i};
    qsort(begins, count, sizeof *begins, compare_begins);
    schedule->order = arena_new(placer->arena, int64_t, count + 1);
    for (int64_t i = 0; i < count; i++)
        schedule->order[i] = begins[i].number;
}

// Slack, the critical path, the order of begins.
static void find_critical(Placer *placer)
{
    find_slack(placer);
    find_path(placer);
    find_order(placer);
}

static bool place_all(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    const int64_t *sequence =
        placer->options->order ? placing_order(placer) : program_order(placer);
    if (!sequence)
        return false;
    schedule->placed = sequence;
    if (!find_needs(placer, sequence) || !place_operations(placer, sequence))
        return false;
    schedule->lanes = placer->lanes.items;
    schedule->lane_count = placer->lanes.count;
    find_critical(placer);
    find_cycles(schedule);
    find_summary(placer);
    return true;
}

static Schedule *schedule_by(Arena *arena, Arena *scratch, DiagList *diags, const Machine *machine,
                             const HwObject *object, const ScheduleOptions *options)
{
    Schedule *schedule = arena_new(arena, Schedule, 1);
    Placer placer = {.arena = arena, .diags = diags, .options = options, .schedule = schedule};
    CostBook *book = cost_book_new(arena, scratch, machine, options->model);
    schedule->object = object;
    schedule->machine = machine;
    schedule->model = options->model;
    schedule->operation_count = object->operations.count;
    schedule->operations = arena_new(arena, ScheduledOperation, object->operations.count + 1);
    for (int64_t i = 0; i < object->operations.count; i++)
        schedule->operations[i].operation = &object->operations.items[i];
    lanes_new(arena, machine, options->model, object->chips, &placer.lanes);
    if (!cost_operations(&placer, book))
        return NULL;
    report_uses(arena, scratch, schedule, book);
    return place_all(&placer) ? schedule : NULL;
}

Schedule *schedule_new(Arena *arena, Arena *scratch, DiagList *diags, const Machine *machine,
                       const HwObject *object, const ScheduleOptions *options)
{
    Schedule *schedule = schedule_by(arena, scratch, diags, machine, object, options);
    if (!schedule || options->model != COST_SILICON)
        return schedule;
    ScheduleOptions of_static = *options;
    of_static.model = COST_STATIC;
    ArenaMark mark = arena_mark(arena);
    const Schedule *fixed = schedule_by(arena, scratch, diags, machine, object, &of_static);
    if (fixed)
        widen_to_kernels(schedule, fixed->cycles);
    arena_reset(arena, mark);
    return fixed ? schedule : NULL;
}

// Plans with fewer, longer loops, in an order that suits the memory; and running them, loop by loop
// from the outside in, the innermost as one run.
#include "oracle/plan.h"

#include "base/checked.h"
#include "base/heap.h"
#include "base/workers.h"

#include <string.h>

// ---- the same visits in another order

// Digits of a block that is read across: enough for a line of the cache, few enough to stay in it.
enum { BLOCK_DIGITS = 32, BLOCK_LEAST = 8 };

static bool continues(const Plan *plan, const PlanLoop *outer, const PlanLoop *inner)
{
    if (outer->group != inner->group || outer->tag != inner->tag)
        return false;
    for (int64_t p = 0; p < plan->place_count; p++)
        if (outer->steps[p] != inner->steps[p] * inner->count)
            return false;
    if (outer->group < 0)
        return true;
    if (plan->groups.items[outer->group].is_table)
        return outer->table_step == inner->table_step * inner->count;
    return outer->weight == inner->weight * inner->count;
}

static bool is_alone(const Plan *plan, int64_t i)
{
    for (int64_t k = 0; k < plan->loops.count; k++)
        if (k != i && plan->loops.items[k].group == plan->loops.items[i].group)
            return false;
    return true;
}

// The only loop of a group ends where the group does.
static void settle_limits(Plan *plan)
{
    for (int64_t i = 0; i < plan->loops.count; i++) {
        PlanLoop *loop = &plan->loops.items[i];
        if (loop->group < 0 || plan->groups.items[loop->group].is_table || !is_alone(plan, i))
            continue;
        int64_t limit = plan->groups.items[loop->group].limit;
        loop->count = min_i64(loop->count, ceil_div(limit, loop->weight));
        loop->group = -1;
    }
}

static void join_neighbours(Plan *plan)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < plan->loops.count; i++) {
        PlanLoop *last = kept ? &plan->loops.items[kept - 1] : NULL;
        PlanLoop next = plan->loops.items[i];
        if (last && continues(plan, last, &next)) {
            next.count *= last->count;
            *last = next;
        } else {
            plan->loops.items[kept++] = next;
        }
    }
    plan->loops.count = kept;
}

void plan_merge(Plan *plan)
{
    join_neighbours(plan); // first those of a limit, which end it
    settle_limits(plan);
    join_neighbours(plan);
    plan_close_groups(plan);
}

// Insertion keeps the order of loops with equal steps.
void plan_sort(Plan *plan, int64_t place)
{
    PlanLoop *loops = plan->loops.items;
    for (int64_t i = 1; i < plan->loops.count; i++) {
        PlanLoop loop = loops[i];
        bool table = loop.group >= 0 && plan->groups.items[loop.group].is_table;
        int64_t step = table ? INT64_MAX : loop.steps[place], k = i;
        for (; k > 0; k--) {
            const PlanLoop *other = &loops[k - 1];
            bool outside = other->group >= 0 && plan->groups.items[other->group].is_table;
            if (outside || other->steps[place] >= step)
                break;
            loops[k] = *other;
        }
        loops[k] = loop;
    }
    plan_close_groups(plan);
}

// The largest power of two up to BLOCK_DIGITS that divides both.
static int64_t block_of(int64_t a, int64_t b)
{
    int64_t block = BLOCK_DIGITS;
    while (a % block || b % block)
        block /= 2;
    return block;
}

// Puts the `block` inner digits of loop `i` into a loop of their own at the end.
static void split_loop(Plan *plan, int64_t i, int64_t block)
{
    PlanLoop inner = plan->loops.items[i];
    inner.count = block;
    *array_push(plan->arena, &plan->loops, PlanLoop) = inner;
    PlanLoop *outer = &plan->loops.items[i];
    outer->count /= block;
    for (int64_t p = 0; p < plan->place_count; p++)
        outer->steps[p] *= block;
}

void plan_block(Plan *plan, int64_t read, int64_t write)
{
    int64_t last = plan->loops.count - 1, across = last - 1;
    while (across >= 0 && plan->loops.items[across].steps[read] != 1)
        across--;
    if (across < 0)
        return;
    const PlanLoop *run = &plan->loops.items[last], *other = &plan->loops.items[across];
    int64_t block = block_of(run->count, other->count);
    if (run->group >= 0 || other->group >= 0 || run->steps[write] != 1 ||
        run->steps[read] < BLOCK_DIGITS || block < BLOCK_LEAST)
        return;
    split_loop(plan, across, block);
    split_loop(plan, last, block);
}

// ---- running

// Plans that cost less than this are not worth a second thread.
enum { PARALLEL_COST = 1 << 16 };

// Who may end it: the thread that runs the plan asks, the others see what it heard.
typedef struct {
    const Canceller *who;
    bool stop;
} PlanWatch;

typedef struct {
    const Plan *plan;
    PlanVisit *visit;
    void *own;
    int64_t *sums; // of each group: weights, or the entry of its table
    int64_t visited;
    int64_t split; // the level of which only digits low..high are run; -1: none
    int64_t low, high;
    PlanWatch *watch; // NULL: nobody may
    bool asks;        // this is that thread
    bool ended;
    int64_t since; // cost of the visits since it asked, or looked
} Runner;

static void run_level(Runner *runner, int64_t level, const PlanEntry *at);

enum { COST_BETWEEN = 1 << 18 };

// Before so many more visits.
static bool goes_on(Runner *runner, int64_t visits)
{
    PlanWatch *watch = runner->watch;
    runner->since += visits * runner->plan->cost;
    if (!watch || runner->since < COST_BETWEEN)
        return !runner->ended;
    runner->since = 0;
    if (runner->asks && canceller_asked(watch->who))
        __atomic_store_n(&watch->stop, true, __ATOMIC_RELAXED);
    runner->ended = __atomic_load_n(&watch->stop, __ATOMIC_RELAXED);
    return !runner->ended;
}

static PlanEntry moved(const Plan *plan, const PlanEntry *at, const int64_t *steps, int64_t digit)
{
    PlanEntry next = *at;
    for (int64_t p = 0; p < plan->place_count; p++)
        if (next.at[p] >= 0)
            next.at[p] += steps[p] * digit;
    return next;
}

static void run_entries(Runner *runner, int64_t level, const PlanEntry *at, int64_t choice)
{
    const Plan *plan = runner->plan;
    const PlanGroup *group = &plan->groups.items[plan->loops.items[level].group];
    int64_t before = runner->visited, first = group->starts[choice],
            end = group->starts[choice + 1];
    if (plan->first_only)
        end = min_i64(end, first + 1);
    for (int64_t i = first; i < end; i++) {
        PlanEntry next = *at;
        for (int64_t p = 0; p < plan->place_count; p++) {
            int64_t part = group->entries[i].at[p];
            next.at[p] = next.at[p] < 0 || part < 0 ? -1 : next.at[p] + part;
        }
        runner->visited = before; // indices of one position count once
        run_level(runner, level + 1, &next);
    }
}

// Digits of a loop that are run: up to the limit of its group, and those of this thread.
static void bounds(const Runner *runner, int64_t level, int64_t *low, int64_t *high)
{
    const PlanLoop *loop = &runner->plan->loops.items[level];
    *low = 0;
    *high = loop->count;
    if (loop->closes && !runner->plan->groups.items[loop->group].is_table) {
        int64_t room = runner->plan->groups.items[loop->group].limit - runner->sums[loop->group];
        *high = room <= 0 ? 0 : min_i64(*high, ceil_div(room, loop->weight));
    }
    if (level == runner->split) {
        *low = runner->low;
        *high = min_i64(*high, runner->high);
    }
}

static void run_table(Runner *runner, int64_t level, const PlanEntry *at)
{
    const PlanLoop *loop = &runner->plan->loops.items[level];
    int64_t *sum = &runner->sums[loop->group], before = *sum, low, high;
    bounds(runner, level, &low, &high);
    for (int64_t digit = low; digit < high; digit++) {
        PlanEntry next = moved(runner->plan, at, loop->steps, digit);
        *sum = before + digit * loop->table_step;
        if (loop->closes)
            run_entries(runner, level, &next, *sum);
        else
            run_level(runner, level + 1, &next);
    }
    *sum = before;
}

// Long runs in parts, if somebody may end them.
static void run_innermost(Runner *runner, const PlanLoop *loop, PlanEntry *next, int64_t count)
{
    int64_t most = runner->watch ? max_i64(COST_BETWEEN / runner->plan->cost, 1) : INT64_MAX;
    for (int64_t part; count > 0 && goes_on(runner, min_i64(count, most)); count -= part) {
        part = min_i64(count, most);
        runner->visit(runner->own, next->at, loop->steps, part, runner->visited);
        runner->visited += part;
        *next = moved(runner->plan, next, loop->steps, part);
    }
}

// Runs loop `level` and all inside it, at the places of the digits chosen so far. The innermost
// loop is one visit for all of its digits, unless its group has a table. Sums of groups are those
// of the digits outside, and are put back when the loop ends.
static void run_level(Runner *runner, int64_t level, const PlanEntry *at)
{
    static const int64_t still[PLAN_MOST_PLACES];
    const Plan *plan = runner->plan;
    if (level == plan->loops.count) {
        runner->visit(runner->own, at->at, still, 1, runner->visited++);
        return;
    }
    const PlanLoop *loop = &plan->loops.items[level];
    bool grouped = loop->group >= 0;
    if (grouped && plan->groups.items[loop->group].is_table) {
        run_table(runner, level, at);
        return;
    }
    int64_t low, high;
    bounds(runner, level, &low, &high);
    PlanEntry next = moved(plan, at, loop->steps, low);
    if (level + 1 == plan->loops.count && !plan->one_by_one) {
        run_innermost(runner, loop, &next, high - low);
        return;
    }
    int64_t before = grouped ? runner->sums[loop->group] : 0;
    for (int64_t digit = low; digit < high && !runner->ended; digit++) {
        if (grouped)
            runner->sums[loop->group] = before + digit * loop->weight;
        run_level(runner, level + 1, &next);
        next = moved(plan, &next, loop->steps, 1);
    }
    if (grouped)
        runner->sums[loop->group] = before;
}

static PlanEntry start_of(const Plan *plan)
{
    PlanEntry start;
    memcpy(start.at, plan->start, sizeof start.at);
    return start;
}

int64_t plan_run(const Plan *plan, int64_t *sums, PlanVisit *visit, void *own)
{
    Runner runner = {.plan = plan, .visit = visit, .own = own, .split = -1};
    runner.sums = sums ? sums : arena_new(plan->arena, int64_t, (size_t)plan->groups.count);
    PlanEntry start = start_of(plan);
    if (!plan->empty)
        run_level(&runner, 0, &start);
    return runner.visited;
}

// The loop to hand out in parts: the longest one, the innermost only if nothing else is long.
static int64_t loop_to_split(const Plan *plan)
{
    int64_t best = plan->loops.count - 1;
    for (int64_t i = plan->loops.count - 2; i >= 0; i--) {
        const PlanLoop *loop = &plan->loops.items[i];
        int64_t other = best == plan->loops.count - 1 ? 8 : plan->loops.items[best].count;
        if (loop->count >= other)
            best = i;
    }
    return best;
}

static double cost_of(const Plan *plan)
{
    double cost = (double)plan->cost;
    for (int64_t i = 0; i < plan->loops.count; i++)
        cost *= (double)plan->loops.items[i].count;
    return cost;
}

// A plan that is run in parts, each with some digits of one loop.
typedef struct {
    const Plan *plan;
    PlanVisit *visit;
    void *own;
    int64_t *sums; // one set for each part
    int64_t split, parts;
    PlanWatch *watch; // NULL: cannot be cancelled
} PlanParts;

static void run_parts(void *own, int64_t from, int64_t to)
{
    const PlanParts *parts = own;
    int64_t digits = parts->plan->loops.items[parts->split].count;
    PlanEntry start = start_of(parts->plan);
    for (int64_t part = from; part < to; part++) {
        Runner runner = {.plan = parts->plan,
                         .visit = parts->visit,
                         .own = parts->own,
                         .sums = parts->sums + part * parts->plan->groups.count,
                         .split = parts->split,
                         .low = digits * part / parts->parts,
                         .high = digits * (part + 1) / parts->parts,
                         .watch = parts->watch,
                         .asks = workers_thread() == 0};
        run_level(&runner, 0, &start);
    }
}

bool plan_run_parallel(const Plan *plan, PlanVisit *visit, void *own, const Canceller *who)
{
    int threads = cost_of(plan) >= PARALLEL_COST ? workers_most() : 1;
    if (plan->empty || !plan->loops.count) {
        plan_run(plan, NULL, visit, own);
        return true;
    }
    PlanWatch watch = {.who = who};
    PlanParts parts = {
        .plan = plan,
        .visit = visit,
        .own = own,
        .sums = arena_new(plan->arena, int64_t, (size_t)(plan->groups.count * threads + 1)),
        .split = loop_to_split(plan),
        .parts = threads,
        .watch = who ? &watch : NULL};
    workers_run(threads, 1, threads, run_parts, &parts);
    return !watch.stop;
}

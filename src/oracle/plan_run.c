// Running a plan: loop by loop from the outside in, the innermost as one run.
#include "oracle/plan.h"

#include "base/checked.h"
#include "base/heap.h"

#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

// Fewer visits than this are not worth a second thread.
enum { PARALLEL_VISITS = 1 << 16 };

typedef struct {
    const Plan *plan;
    PlanVisit *visit;
    void *own;
    int64_t *sums; // of each group: weights, or the entry of its table
    int64_t visited;
    int64_t split; // the level of which only digits low..high are run; -1: none
    int64_t low, high;
} Runner;

static void run_level(Runner *runner, int64_t level, const PlanEntry *at);

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
        if (high > low)
            runner->visit(runner->own, next.at, loop->steps, high - low, runner->visited);
        runner->visited += max_i64(high - low, 0);
        return;
    }
    int64_t before = grouped ? runner->sums[loop->group] : 0;
    for (int64_t digit = low; digit < high; digit++) {
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

static int64_t *new_sums(const Plan *plan)
{
    return arena_new(plan->arena, int64_t, (size_t)plan->groups.count);
}

int64_t plan_run(const Plan *plan, int64_t *sums, PlanVisit *visit, void *own)
{
    Runner runner = {.plan = plan, .visit = visit, .own = own, .split = -1};
    runner.sums = sums ? sums : new_sums(plan);
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

static double visits_of(const Plan *plan)
{
    double visits = 1;
    for (int64_t i = 0; i < plan->loops.count; i++)
        visits *= (double)plan->loops.items[i].count;
    return visits;
}

static int thread_count(const Plan *plan)
{
#ifdef _OPENMP
    return visits_of(plan) >= PARALLEL_VISITS ? omp_get_max_threads() : 1;
#else
    return visits_of(plan) >= PARALLEL_VISITS ? 1 : 1;
#endif
}

// The part of a plan that is run at once: some digits of one of its loops.
typedef struct {
    int64_t loop, low, high;
    int threads;
    int64_t *sums; // of the groups, for each thread
} Round;

static void run_round(const Plan *plan, const Round *round, PlanVisit *visit, void *own)
{
    PlanEntry start = start_of(plan);
    int64_t digits = round->high - round->low;
#pragma omp parallel for copyin(heap_source) num_threads(round->threads) schedule(static)
    for (int part = 0; part < round->threads; part++) {
        Runner runner = {.plan = plan,
                         .visit = visit,
                         .own = own,
                         .sums = round->sums + part * plan->groups.count,
                         .split = round->loop,
                         .low = round->low + digits * part / round->threads,
                         .high = round->low + digits * (part + 1) / round->threads};
        run_level(&runner, 0, &start);
    }
}

// How often somebody is asked: only who is there, and not more than there are parts of it.
static int64_t round_count(const Plan *plan, int64_t digits, int threads, const Canceller *who)
{
    enum { VISITS_BETWEEN = 1 << 20 };
    double wanted = visits_of(plan) / VISITS_BETWEEN / threads;
    return who ? max_i64(1, (int64_t)fmin(wanted, (double)(digits / threads))) : 1;
}

bool plan_run_parallel(const Plan *plan, PlanVisit *visit, void *own, const Canceller *who)
{
    int threads = plan->loops.count ? thread_count(plan) : 1;
    int64_t loop = plan->loops.count ? loop_to_split(plan) : -1;
    int64_t digits = loop < 0 ? 1 : plan->loops.items[loop].count;
    int64_t rounds = round_count(plan, digits, threads, who);
    if ((threads == 1 && rounds == 1) || plan->empty) {
        plan_run(plan, NULL, visit, own);
        return true;
    }
    Round round = {.loop = loop, .threads = threads};
    round.sums = arena_new(plan->arena, int64_t, (size_t)(plan->groups.count * threads + 1));
    for (int64_t i = 0; i < rounds; i++) {
        if (canceller_asked(who))
            return false;
        round.low = digits * i / rounds;
        round.high = digits * (i + 1) / rounds;
        run_round(plan, &round, visit, own);
    }
    return true;
}

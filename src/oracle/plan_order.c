// The same visits in fewer, longer loops, and in an order that suits the memory.
#include "oracle/plan.h"

#include "base/checked.h"

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

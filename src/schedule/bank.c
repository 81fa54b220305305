#include "schedule/bank.h"

#include "base/checked.h"

static Context context_of(const Schedule *schedule, int64_t number)
{
    return schedule->operations[number].operation->context;
}

static bool is_pass(Context context)
{
    return context == CONTEXT_MAIN || context == CONTEXT_SUB;
}

void bank_begin(BankRule *rule)
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

bool bank_waits(const BankRule *rule, const Schedule *schedule, int64_t number, BankUser pair[2])
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

void bank_take(Arena *arena, BankRule *rule, const Schedule *schedule, int64_t number)
{
    if (is_pass(context_of(schedule, number)))
        take_pass(arena, rule, schedule, number);
    else if (context_of(schedule, number) == CONTEXT_TDMA)
        rule->dma = (BankUser){number, schedule->operations[number].end};
}

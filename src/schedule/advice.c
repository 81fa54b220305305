// What would make a kernel quicker: what the schedule shows, in words, with its numbers.
#include "schedule/export.h"

#include "base/checked.h"

enum { PERCENT = 100, WORTH_PERCENT = 5, MOST_HINTS = 3 };

static bool is_worth(const Schedule *schedule, int64_t cycles)
{
    return cycles * PERCENT >= schedule->cycles * WORTH_PERCENT;
}

static void add(Arena *arena, AdviceList *advice, Str text)
{
    *array_push(arena, advice, Str) = text;
}

// Cycles of the critical path that are waited for by kind.
static void sum_waits(const Schedule *schedule, int64_t sums[WAIT_KINDS])
{
    for (int64_t i = 0; i < schedule->critical_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        if (!operation->wait_count || operation->waits[0].operation < 0)
            continue;
        const ScheduledOperation *culprit = &schedule->operations[operation->waits[0].operation];
        sums[operation->waits[0].kind] += schedule_cycles(culprit);
    }
}

static bool is_dma(const ScheduledOperation *operation)
{
    return operation->operation->context == CONTEXT_TDMA ||
           operation->operation->context == CONTEXT_PDMA;
}

// DMA and the contexts taking turns: no operation of one runs beside the other.
static void advise_overlap(Arena *arena, const Schedule *schedule, AdviceList *advice)
{
    int64_t dma = 0, compute = 0;
    for (int64_t i = 0; i < schedule->critical_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        *(is_dma(operation) ? &dma : &compute) += schedule_cycles(operation);
    }
    if (!is_worth(schedule, dma) || !is_worth(schedule, compute))
        return;
    add(arena, advice,
        str_format(
            arena,
            "DMA (%lld cycles) and the Tensor Unit (%lld) take turns on the critical path: load "
            "the next tile to another address while this one is computed",
            (long long)dma, (long long)compute));
}

static void advise_hazards(Arena *arena, const Schedule *schedule, AdviceList *advice)
{
    int64_t sums[WAIT_KINDS] = {0};
    sum_waits(schedule, sums);
    int64_t reuse = sums[WAIT_WAR] + sums[WAIT_WAW];
    if (is_worth(schedule, reuse))
        add(arena, advice,
            str_format(arena,
                       "%lld cycles wait because an address is used again: a second buffer removes "
                       "that wait",
                       (long long)reuse));
    if (is_worth(schedule, sums[WAIT_BANK]))
        add(arena, advice,
            str_format(
                arena,
                "%lld cycles wait because a pass goes to one bank of DM 64 times or more in a "
                "row and DMA must not run beside it: change its stride by 8 bytes",
                (long long)sums[WAIT_BANK]));
    if (is_worth(schedule, sums[WAIT_SWITCH]))
        add(arena, advice,
            str_format(arena,
                       "%lld cycles wait for custom switch topologies, which stop DMA and the sub "
                       "context: a regular one does not",
                       (long long)sums[WAIT_SWITCH]));
}

// Many short DMA commands are mostly start-up.
static void advise_startup(Arena *arena, const Schedule *schedule, AdviceList *advice)
{
    int64_t startup = 0, count = 0;
    for (int64_t i = 0; i < schedule->critical_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        if (!is_dma(operation))
            continue;
        for (int64_t k = 0; k < operation->cost_count; k++)
            for (int32_t n = 0; n < operation->costs[k]->line_count; n++)
                if (operation->costs[k]->lines[n].part == COST_STARTUP)
                    startup += operation->costs[k]->lines[n].busy;
        count++;
    }
    if (is_worth(schedule, startup) && count > 1)
        add(arena, advice,
            str_format(
                arena,
                "%lld DMA operations on the critical path spend %lld cycles on start-up: fewer, "
                "longer transfers",
                (long long)count, (long long)startup));
}

// What is known of the longest operations by themselves.
static void advise_hints(Arena *arena, const Schedule *schedule, AdviceList *advice)
{
    int64_t shown = 0;
    for (int64_t i = 0; i < schedule->critical_count && shown < MOST_HINTS; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        const HwUse *use = operation->operation->use;
        if (!use || !use->hints.count || !is_worth(schedule, schedule_cycles(operation)))
            continue;
        Str text =
            str_format(arena, "`%.*s` (line %lld): %.*s", STR_ARG(operation->operation->method),
                       (long long)operation->operation->line, STR_ARG(use->hints.items[0].text));
        bool is_new = true;
        for (int64_t k = 0; k < advice->count; k++)
            is_new &= !str_equal(advice->items[k], text);
        if (is_new) {
            add(arena, advice, text);
            shown++;
        }
    }
}

void schedule_advice(Arena *arena, const Schedule *schedule, AdviceList *advice)
{
    advise_overlap(arena, schedule, advice);
    advise_hazards(arena, schedule, advice);
    advise_startup(arena, schedule, advice);
    advise_hints(arena, schedule, advice);
}

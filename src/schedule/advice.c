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

// Where it would begin: as far behind the others as it was.
static int64_t begin_without(const Schedule *schedule, const ScheduledOperation *operation,
                             uint32_t kinds, const int64_t *begins)
{
    int64_t begin = 0;
    for (int64_t i = 0; i < operation->wait_count; i++) {
        const Wait *wait = &operation->waits[i];
        int64_t of = wait->operation;
        int64_t earlier = of < 0 ? 0 : schedule->operations[of].begin - begins[of];
        if (!(kinds >> wait->kind & 1))
            begin = max_i64(begin, wait->until - earlier);
    }
    return begin;
}

int64_t schedule_gain(Arena *arena, const Schedule *schedule, uint32_t kinds)
{
    int64_t count = schedule->operation_count, end = 0, now = 0;
    int64_t *begins = arena_new(arena, int64_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t number = schedule->placed[i];
        const ScheduledOperation *operation = &schedule->operations[number];
        begins[number] = begin_without(schedule, operation, kinds, begins);
        now = max_i64(now, operation->end);
        end = max_i64(end, begins[number] + schedule_cycles(operation));
    }
    return now - end;
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

static const struct {
    uint32_t kinds; // bits of WaitKind
    const char *text;
} wait_advice[] = {
    {1U << WAIT_WAR | 1U << WAIT_WAW,
     "an address is used again before it is free: a second buffer"},
    {1U << WAIT_BANK,
     "passes go to one bank of DM 64 times or more in a row, by themselves or together, and DMA "
     "must not run beside them: a stride that is 8 bytes longer"},
    {1U << WAIT_SWITCH, "custom switch topologies stop DMA and the other context while their "
                        "registers are written: regular ones do not"},
};

static void advise_waits(Arena *arena, const Schedule *schedule, AdviceList *advice)
{
    for (size_t i = 0; i < COUNT_OF(wait_advice); i++) {
        int64_t gain = schedule_gain(arena, schedule, wait_advice[i].kinds);
        if (gain && is_worth(schedule, gain))
            add(arena, advice,
                str_format(arena, "%s (at most %lld cycles less)", wait_advice[i].text,
                           (long long)gain));
    }
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
    advise_waits(arena, schedule, advice);
    advise_startup(arena, schedule, advice);
    advise_hints(arena, schedule, advice);
}

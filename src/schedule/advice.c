// What would make a kernel quicker: what the schedule shows, in words, with its numbers.
#include "schedule/export.h"

#include "base/checked.h"

#include <stdlib.h>

enum { PERCENT = 100, WORTH_PERCENT = 5, MOST_HINTS = 6 };

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

// ---- lines: what is on the critical path, added up by where it is written

typedef struct {
    const ScheduledOperation *longest;
    int64_t count, cycles;
    int64_t startup;               // cycles of DMA startup among them
    int64_t first_turn, last_turn; // DMA: how often the Tensor Unit was on the path before it
} Line;

typedef struct {
    ARRAY(Line);
} LineList;

static int64_t startup_of(const ScheduledOperation *operation)
{
    int64_t startup = 0;
    for (int64_t k = 0; is_dma(operation) && k < operation->cost_count; k++)
        for (int32_t n = 0; n < operation->costs[k]->line_count; n++)
            if (operation->costs[k]->lines[n].part == COST_STARTUP)
                startup += operation->costs[k]->lines[n].busy;
    return startup;
}

static int compare_places(const void *a, const void *b)
{
    const HwOperation *x = ((const Line *)a)->longest->operation;
    const HwOperation *y = ((const Line *)b)->longest->operation;
    int order = str_compare(x->file, y->file);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : str_compare(x->method, y->method);
}

// The longest first, then as they are written.
static int compare_cycles(const void *a, const void *b)
{
    int64_t x = ((const Line *)a)->cycles, y = ((const Line *)b)->cycles;
    return x != y ? (x < y) - (x > y) : compare_places(a, b);
}

static void find_lines(Arena *arena, const Schedule *schedule, LineList *lines)
{
    const ScheduledOperation *before = NULL;
    int64_t turn = 0;
    for (int64_t i = 0; i < schedule->critical_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->critical[i]];
        turn += before && !is_dma(before) && is_dma(operation);
        *array_push(arena, lines, Line) =
            (Line){operation, 1, schedule_cycles(operation), startup_of(operation), turn, turn};
        before = operation;
    }
    if (!lines->count)
        return;
    qsort(lines->items, (size_t)lines->count, sizeof *lines->items, compare_places);
    int64_t kept = 0;
    for (int64_t i = 1; i < lines->count; i++) {
        Line *last = &lines->items[kept];
        const Line *next = &lines->items[i];
        if (compare_places(last, next) != 0) {
            lines->items[++kept] = *next;
            continue;
        }
        last->count += next->count;
        last->cycles += next->cycles;
        last->startup += next->startup;
        last->first_turn = min_i64(last->first_turn, next->first_turn);
        last->last_turn = max_i64(last->last_turn, next->last_turn);
        if (schedule_cycles(next->longest) > schedule_cycles(last->longest))
            last->longest = next->longest;
    }
    lines->count = kept + 1;
    qsort(lines->items, (size_t)lines->count, sizeof *lines->items, compare_cycles);
}

// "`to_dm` (line 12, 34.5 % of the time)"
static Str line_text(Arena *arena, const Schedule *schedule, const Line *line)
{
    const HwOperation *of = line->longest->operation;
    double share = PERCENT * (double)line->cycles / (double)max_i64(1, schedule->cycles);
    if (!of->line)
        return str_format(arena, "`{}` ({.1f} % of the time)", of->method, share);
    return str_format(arena, "`{}` (line {}, {.1f} % of the time)", of->method, of->line, share);
}

// ---- advice

// DMA and the Tensor Unit wait for each other. If a line of DMA comes up again after a computation,
// it is in a loop that loads each tile only when the last one is done, so a second buffer helps; a
// loop that already has one does not show this pattern. A kernel that moves everything at once
// could move it in parts, but each part has its own startup.
static void advise_overlap(Arena *arena, const Schedule *schedule, const LineList *lines,
                           AdviceList *advice)
{
    int64_t dma = 0, compute = 0, startup = 0;
    bool has_rounds = false, takes_turns = false;
    for (int64_t i = 0; i < lines->count; i++) {
        const Line *line = &lines->items[i];
        *(is_dma(line->longest) ? &dma : &compute) += line->cycles;
        startup += line->startup;
        has_rounds |= is_dma(line->longest) && line->count > 1;
        takes_turns |= is_dma(line->longest) && line->first_turn < line->last_turn;
    }
    bool parts_help = !has_rounds && min_i64(dma - startup, compute) >= startup;
    if (!is_worth(schedule, dma) || !is_worth(schedule, compute) || !(takes_turns || parts_help))
        return;
    add(arena, advice,
        str_format(
            arena, "DMA ({} cycles) and the Tensor Unit ({}) take turns on the critical path: {}",
            schedule_number(arena, dma), schedule_number(arena, compute),
            takes_turns ? "load the next tile into a second buffer while this one is computed"
                        : "move the data in parts, and load the next part while one is computed"));
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
                str_format(arena, "{} (at most {} cycles less)", wait_advice[i].text,
                           schedule_number(arena, gain)));
    }
}

// Many short DMA commands are mostly start-up. Those of one line could be fewer.
static void advise_startup(Arena *arena, const Schedule *schedule, const LineList *lines,
                           AdviceList *advice)
{
    for (int64_t i = 0; i < lines->count; i++) {
        const Line *line = &lines->items[i];
        if (line->count < 2 || !is_worth(schedule, line->startup / line->count * (line->count - 1)))
            continue;
        add(arena, advice,
            str_format(arena, "{} starts up {} times, {} cycles all told: fewer, longer transfers",
                       line_text(arena, schedule, line), schedule_number(arena, line->count),
                       schedule_number(arena, line->startup)));
    }
}

// HBM at less than half of what it could do because of its rows, where no hint says of which axis.
static bool advise_rows(Arena *arena, const Schedule *schedule, const Line *line,
                        AdviceList *advice)
{
    enum { MHZ_OF_GHZ = 1000 };
    const Machine *machine = schedule->machine;
    const Cost *cost = line->longest->cost_count ? line->longest->costs[0] : NULL;
    for (int32_t i = 0; cost && i < cost->line_count; i++) {
        const CostLine *part = &cost->lines[i];
        double peak = (double)machine->hbm_gb_per_second * MHZ_OF_GHZ / (double)machine->clock_mhz *
                      (double)max_i64(1, cost->chip_count);
        double moved = (double)cost->bytes / (double)max_i64(1, part->busy);
        if (part->part != cost->bound || !(part->slow & SLOW_ROWS) || moved * 2 > peak)
            continue;
        add(arena, advice,
            str_format(arena,
                       "{} moves {.0f} bytes a cycle of {.0f} that HBM could ({}): let requests "
                       "that follow each other stay in a row of a bank",
                       line_text(arena, schedule, line), moved, peak, part->note));
        return true;
    }
    return false;
}

// What is known of the longest lines by themselves.
static void advise_hints(Arena *arena, const Schedule *schedule, const LineList *lines,
                         AdviceList *advice)
{
    int64_t shown = 0;
    for (int64_t i = 0; i < lines->count && shown < MOST_HINTS; i++) {
        const Line *line = &lines->items[i];
        const HwUse *use = line->longest->use;
        int64_t hints = use->hints.count;
        if (!is_worth(schedule, line->cycles))
            return;
        if (!hints)
            shown += advise_rows(arena, schedule, line, advice);
        for (int64_t k = 0; k < hints && shown < MOST_HINTS; k++, shown++)
            add(arena, advice,
                str_format(arena, "{}: {}", line_text(arena, schedule, line),
                           use->hints.items[k].text));
    }
}

void schedule_advice(Arena *arena, const Schedule *schedule, AdviceList *advice)
{
    LineList lines = {0};
    find_lines(arena, schedule, &lines);
    advise_overlap(arena, schedule, &lines, advice);
    advise_waits(arena, schedule, advice);
    advise_startup(arena, schedule, &lines, advice);
    advise_hints(arena, schedule, &lines, advice);
}

// What a schedule comes to: how long tensors live, when DMA idles, how near it is to what the chip
// can do.
#include "schedule/place.h"

#include "base/checked.h"
#include "schedule/export.h"

#include <math.h>
#include <stdlib.h>

// ---- tensors

static bool is_given_back(const HwObject *object, int64_t tensor)
{
    for (int64_t i = 0; i < object->results.count; i++)
        if (object->results.items[i].storage == tensor)
            return true;
    for (int64_t i = 0; i < object->arguments.count; i++)
        if (object->arguments.items[i].storage == tensor && object->arguments.items[i].is_output)
            return true;
    return false;
}

static bool is_given(const HwObject *object, int64_t tensor)
{
    for (int64_t i = 0; i < object->arguments.count; i++)
        if (object->arguments.items[i].storage == tensor)
            return true;
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = ((const HwTensor *)b)->number;
    return compare_i64(x, y);
}

// They are listed by their numbers.
TensorLife *schedule_life(const Schedule *schedule, int64_t number)
{
    const HwTensor *items = schedule->object->tensors.items;
    const HwTensor *found =
        items ? bsearch(&number, items, schedule->tensor_count, sizeof *items, compare_numbers)
              : NULL;
    return found ? &schedule->tensors[found - items] : NULL;
}

static void use_tensor(TensorLife *life, const ScheduledOperation *operation)
{
    life->to = max_i64(life->to, operation->end);
}

static void count_readers(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const IntList *reads = &schedule->operations[i].operation->reads;
        for (int64_t k = 0; k < reads->count; k++) {
            TensorLife *life = schedule_life(schedule, reads->items[k]);
            if (life)
                life->reader_count++;
        }
    }
    for (int64_t i = 0; i < schedule->tensor_count; i++) {
        TensorLife *life = &schedule->tensors[i];
        life->readers = arena_new(placer->arena, int64_t, life->reader_count + 1);
        life->reader_count = 0;
    }
}

static void add_uses(Schedule *schedule, int64_t number)
{
    const ScheduledOperation *operation = &schedule->operations[number];
    const IntList *reads = &operation->operation->reads;
    for (int64_t k = 0; k < reads->count; k++) {
        TensorLife *life = schedule_life(schedule, reads->items[k]);
        if (!life)
            continue;
        life->readers[life->reader_count++] = number;
        use_tensor(life, operation);
    }
    TensorLife *life = schedule_life(schedule, operation->operation->writes);
    if (!life)
        return;
    if (life->writer < 0) {
        life->writer = number;
        life->from = operation->begin;
    }
    life->from = min_i64(life->from, operation->begin);
    use_tensor(life, operation);
}

static void find_lives(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    const HwObject *object = schedule->object;
    int64_t count = object->tensors.count;
    schedule->tensors = arena_new(placer->arena, TensorLife, count + 1);
    schedule->tensor_count = count;
    for (int64_t i = 0; i < count; i++)
        schedule->tensors[i] = (TensorLife){.tensor = &object->tensors.items[i], .writer = -1};
    count_readers(placer);
    for (int64_t i = 0; i < schedule->operation_count; i++)
        add_uses(schedule, i);
    for (int64_t i = 0; i < count; i++) {
        TensorLife *life = &schedule->tensors[i];
        if (is_given(object, life->tensor->number))
            life->from = 0;
        if (is_given_back(object, life->tensor->number))
            life->to = schedule->cycles;
    }
}

// ---- gaps

typedef struct {
    ARRAY(Gap);
} GapList;

// Lanes that idle together stand together.
static int compare_times(const void *a, const void *b)
{
    const Gap *x = a, *y = b;
    return compare_by(compare_i64(x->from, y->from), compare_i64(x->to, y->to),
                      compare_i64(x->operation, y->operation), compare_i64(x->lane, y->lane));
}

static int compare_gaps(const void *a, const void *b)
{
    const Gap *x = a, *y = b;
    int64_t mine = x->to - x->from, other = y->to - y->from;
    return compare_by(compare_i64(other, mine), compare_i64(x->lane, y->lane),
                      compare_i64(x->from, y->from));
}

static bool is_dma_lane(const Schedule *schedule, int64_t lane)
{
    LaneKind kind = schedule->lanes[lane].kind;
    return kind == LANE_DMA || kind == LANE_PCIE;
}

// Engines of one command idle together: that is one gap.
static void join_gaps(const Schedule *schedule, GapList *gaps)
{
    int64_t kept = 0;
    if (!gaps->count)
        return;
    qsort(gaps->items, gaps->count, sizeof *gaps->items, compare_times);
    for (int64_t i = 1; i < gaps->count; i++) {
        Gap *last = &gaps->items[kept];
        const Gap *next = &gaps->items[i];
        if (next->from == last->from && next->to == last->to &&
            next->operation == last->operation && next->lane == last->lane + last->lanes &&
            schedule->lanes[next->lane].kind == schedule->lanes[last->lane].kind)
            last->lanes++;
        else
            gaps->items[++kept] = *next;
    }
    gaps->count = kept + 1;
    qsort(gaps->items, gaps->count, sizeof *gaps->items, compare_gaps);
}

// Between operations on a lane of DMA; lanes that nobody uses have none.
static void find_gaps(Placer *placer)
{
    Schedule *schedule = placer->schedule;
    int64_t free_from[LANES_MOST] = {0};
    GapList gaps = {0};
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[schedule->order[i]];
        for (int64_t k = 0; k < operation->use_count; k++) {
            const LaneUse *use = &operation->uses[k];
            if (!is_dma_lane(schedule, use->lane))
                continue;
            if (use->from > free_from[use->lane])
                *array_push(placer->arena, &gaps, Gap) =
                    (Gap){use->lane, 1, free_from[use->lane], use->from, schedule->order[i]};
            free_from[use->lane] = max_i64(free_from[use->lane], use->to);
        }
    }
    for (int64_t i = 0; i < schedule->lane_count; i++)
        if (is_dma_lane(schedule, i) && schedule->lanes[i].busy && free_from[i] < schedule->cycles)
            *array_push(placer->arena, &gaps, Gap) =
                (Gap){i, 1, free_from[i], schedule->cycles, -1};
    join_gaps(schedule, &gaps);
    schedule->gaps = gaps.items;
    schedule->gap_count = gaps.count;
}

// ---- work and roofs

// Products a cycle of all slices of the kernel's chips, each pass with the lanes of its own type:
// so many that all of its products take as long as they would with every lane at work.
static double peak_macs_per_cycle(const Schedule *schedule)
{
    const Machine *machine = schedule->machine;
    double macs = 0, steps = 0; // products, and what they take of one row
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        for (int64_t k = 0; k < operation->cost_count; k++) {
            const HwPipeline *pass = operation->operation->commands.items[k].pass;
            double done = (double)operation->costs[k]->macs;
            macs += done;
            steps += done > 0 ? done / (double)pass->reduce->packet_elements : 0;
        }
    }
    int64_t rows = machine->mac_rows * machine->slices_per_cluster * machine->clusters_per_chip *
                   max_i64(schedule->object->chips, 1);
    return steps > 0 ? macs / steps * (double)rows : 0;
}

static int64_t hbm_bytes_of(const HwDmaCommand *dma)
{
    bool reads = false, writes = false;
    for (int64_t i = 0; i < dma->descriptors.count; i++) {
        reads |= dma->descriptors.items[i].source.media == MEDIA_HBM;
        writes |= dma->descriptors.items[i].dest.media == MEDIA_HBM;
    }
    return dma->bytes * ((int64_t)reads + (int64_t)writes);
}

static void find_roofs(Schedule *schedule)
{
    enum { MHZ_OF_GHZ = 1000 };
    const Machine *machine = schedule->machine;
    double peak = peak_macs_per_cycle(schedule);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        for (int64_t k = 0; k < operation->cost_count; k++) {
            const HwDmaCommand *dma = operation->operation->commands.items[k].dma;
            schedule->macs += operation->costs[k]->macs;
            schedule->hbm_bytes += dma ? hbm_bytes_of(dma) : 0;
        }
    }
    double bytes_per_cycle = (double)machine->hbm_gb_per_second * MHZ_OF_GHZ /
                             (double)machine->clock_mhz *
                             (double)max_i64(schedule->object->chips, 1);
    schedule->peak_macs = llround(peak * (double)schedule->cycles);
    schedule->hbm_peak_bytes = (int64_t)(bytes_per_cycle * (double)schedule->cycles);
    schedule->ridge = peak / bytes_per_cycle;
    schedule->intensity =
        schedule->hbm_bytes ? (double)schedule->macs / (double)schedule->hbm_bytes : 0;
}

void find_summary(Placer *placer)
{
    find_lives(placer);
    find_gaps(placer);
    find_roofs(placer->schedule);
}

// What would make a kernel quicker: what the schedule shows, in words, with its numbers.

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
    int64_t *begins = arena_new(arena, int64_t, count + 1);
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
    return compare_by(str_compare(x->file, y->file), compare_i64(x->line, y->line),
                      str_compare(x->method, y->method));
}

// The longest first, then as they are written.
static int compare_cycles(const void *a, const void *b)
{
    int64_t x = ((const Line *)a)->cycles, y = ((const Line *)b)->cycles;
    return compare_by(compare_i64(y, x), compare_places(a, b));
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
    qsort(lines->items, lines->count, sizeof *lines->items, compare_places);
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
    qsort(lines->items, lines->count, sizeof *lines->items, compare_cycles);
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

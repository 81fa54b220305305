// A schedule as people read it in a terminal: how long, a timeline, what takes long and why, what
// would be quicker.
#include "schedule/export.h"

#include "base/checked.h"
#include "base/lines.h"
#include "command/touch.h"

#include <stdlib.h>

enum { LONGEST = 10, PATH_SHOWN = 12, GAPS_SHOWN = 5, SOURCE_LEAST = 44, PERCENT = 100 };

typedef struct {
    StrBuf *out;
    const Schedule *schedule;
    bool colour;
    int64_t width;
} Page;

// ---- what others ask

int64_t schedule_cycles(const ScheduledOperation *operation)
{
    return operation->end - operation->begin;
}

CostPart schedule_bound(const ScheduledOperation *operation)
{
    const Cost *longest = operation->costs[0];
    for (int64_t i = 1; i < operation->cost_count; i++)
        if (operation->costs[i]->cycles > longest->cycles)
            longest = operation->costs[i];
    return longest->bound;
}

const char *schedule_roof(const Schedule *schedule)
{
    return schedule->macs && schedule->intensity >= schedule->ridge ? "compute" : "memory";
}

double schedule_share(int64_t part, int64_t whole)
{
    return whole > 0 ? PERCENT * (double)part / (double)whole : 0;
}

// ---- words

static void add_number(StrBuf *out, int64_t number)
{
    enum { GROUP = 1000 };
    if (number < GROUP) {
        buf_format(out, "{}", number);
        return;
    }
    add_number(out, number / GROUP);
    buf_format(out, ",{03}", (number % GROUP));
}

Str schedule_number(Arena *arena, int64_t number)
{
    StrBuf buf = {.arena = arena};
    add_number(&buf, number);
    return buf_str(&buf);
}

Str schedule_lanes(Arena *arena, Str first, Str last)
{
    if (str_equal(first, last))
        return first;
    Str number = str_slice(last, str_find(last, STR(" ")) + 1, last.len);
    return str_format(arena, "{}..{}", first, number);
}

// Three digits that count, as the page has them: "3.2 us", "37.5 ms".
static Str time_text(Arena *arena, double nanoseconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    enum { STEP = 1000, THREE_DIGITS = 100 };
    size_t unit = 0;
    for (; nanoseconds >= STEP && unit + 1 < COUNT_OF(units); unit++)
        nanoseconds /= STEP;
    return str_format(arena, nanoseconds >= THREE_DIGITS ? "{.0f} {}" : "{.3g} {}", nanoseconds,
                      units[unit]);
}

static void add_right(StrBuf *out, Str text, int64_t width)
{
    buf_repeat(out, STR(" "), max_i64(0, width - text.len));
    buf_add(out, text);
}

static void add_left(StrBuf *out, Str text, int64_t width)
{
    buf_add(out, text);
    buf_repeat(out, STR(" "), max_i64(0, width - width_of(text)));
}

// What does not fit ends with an ellipsis.
static void add_cut(StrBuf *out, Str text, int64_t width)
{
    int64_t length = text.len;
    bool is_cut = width_of(text) > width;
    while (is_cut && length && width_of(str_slice(text, 0, length)) >= width)
        do
            length--;
        while (length && is_continuation(text.data[length]));
    buf_add(out, str_slice(text, 0, length));
    buf_add(out, is_cut ? STR("…") : STR(""));
}

// Where a character stands outside of all brackets, from `at` on; -1: nowhere.
static int64_t find_outside(Str text, char wanted, int64_t at)
{
    int64_t depth = 0;
    for (; at < text.len; at++) {
        char c = text.data[at];
        bool is_arrow = c == '>' && at && (text.data[at - 1] == '-' || text.data[at - 1] == '=');
        if (depth == 0 && c == wanted)
            return at;
        depth += c == '<' || c == '(' || c == '[' || c == '{';
        depth -= (c == '>' && !is_arrow) || c == ')' || c == ']' || c == '}';
    }
    return -1;
}

// `let x: A<..> = y` as `let x = y`: what is called says more than the type that comes of it.
static Str without_type(Arena *arena, Str text)
{
    int64_t colon = str_starts_with(text, STR("let ")) ? find_outside(text, ':', 0) : -1;
    int64_t equals = colon >= 0 ? find_outside(text, '=', colon) : -1;
    if (equals < 0 || find_outside(text, '=', 0) < colon || text.data[colon + 1] == ':')
        return text;
    return str_format(arena, "{} {}", str_slice(text, 0, colon), str_slice(text, equals, text.len));
}

// What an operation is in the source, in at most `room` columns.
static void add_source(StrBuf *out, const HwOperation *operation, int64_t room)
{
    Str source = operation->text.len ? operation->text : operation->method;
    add_cut(out, width_of(source) > room ? without_type(out->arena, source) : source, room);
}

static void add_heading(const Page *page, const char *text)
{
    buf_format(page->out, "\n{}{}{}\n", page->colour ? "\x1b[1m" : "", text,
               page->colour ? "\x1b[0m" : "");
}

// "to_dm, line 12"
static Str operation_text(Arena *arena, const Schedule *schedule, int64_t number)
{
    const HwOperation *of = schedule->operations[number].operation;
    if (of->line)
        return str_format(arena, "#{} {}, line {}", number, of->method, of->line);
    return str_format(arena, "#{} {}", number, of->method);
}

// " (DM 0x1000..0x2fff, such as 0x1040..0x105f)": rows of a tile are many pieces.
static void add_bytes(StrBuf *out, const Wait *wait)
{
    if (wait->to <= wait->from)
        return;
    buf_format(out, " ({} 0x{x}..0x{x}", touch_tier_name(wait->tier), (unsigned long long)wait->low,
               (unsigned long long)wait->high - 1);
    if (wait->low < wait->from || wait->high > wait->to)
        buf_format(out, ", such as 0x{x}..0x{x}", (unsigned long long)wait->from,
                   (unsigned long long)wait->to - 1);
    buf_add(out, STR(")"));
}

Str schedule_wait_text(Arena *arena, const Schedule *schedule, const Wait *wait)
{
    static const char *const words[WAIT_KINDS] = {
        [WAIT_RAW] = "reads what it writes",
        [WAIT_WAR] = "writes over what it reads",
        [WAIT_WAW] = "writes over what it writes",
        [WAIT_BANK] = "DMA must not run beside a pass that keeps one bank of DM busy",
        [WAIT_SWITCH] = "registers of a custom switch topology are written",
        [WAIT_SYNC] = "reads a stored tensor of HBM again: a synchronisation",
        [WAIT_START] = "the start of the kernel",
        [WAIT_FIFO] = "DMA commands end in order",
    };
    StrBuf buf = {.arena = arena};
    if (wait->operation >= 0)
        buf_add(&buf, operation_text(arena, schedule, wait->operation));
    if (wait->other >= 0)
        buf_format(&buf, " and {}", operation_text(arena, schedule, wait->other));
    if (wait->operation >= 0)
        buf_add(&buf, STR(": "));
    if (wait->kind == WAIT_LANE)
        buf_format(&buf, "has {}", schedule->lanes[wait->lane].name);
    else if (wait->other >= 0)
        buf_add(&buf, wait->lane >= 0
                          ? STR("each keeps one bank of DM busy and counts as DMA")
                          : STR("passes of both contexts keep one bank of DM busy, and DMA must "
                                "not run beside both"));
    else
        buf_add(&buf, str_from(words[wait->kind]));
    add_bytes(&buf, wait);
    return buf_str(&buf);
}

// ---- head

static double per_cycle(const Schedule *schedule, int64_t amount)
{
    return schedule->cycles ? (double)amount / (double)schedule->cycles : 0;
}

static void print_head(const Page *page)
{
    const Schedule *schedule = page->schedule;
    const HwObject *object = schedule->object;
    StrBuf *out = page->out;
    enum { NS_PER_US = 1000 };
    double time = (double)schedule->cycles * NS_PER_US / (double)schedule->machine->clock_mhz;
    buf_format(out, "{}{}{}: ", page->colour ? "\x1b[1m" : "", object->kernel,
               page->colour ? "\x1b[0m" : "");
    add_number(out, schedule->cycles);
    buf_format(out, " cycles, {} at {} MHz ({}, {} chip{}, cost model {})\n",
               time_text(out->arena, time), schedule->machine->clock_mhz, object->machine,
               object->chips, object->chips == 1 ? "" : "s", cost_model_names[schedule->model]);
    if (schedule->least != schedule->cycles || schedule->most != schedule->cycles) {
        buf_add(out, STR("  between "));
        add_number(out, schedule->least);
        buf_add(out, STR(" and "));
        add_number(out, schedule->most);
        buf_format(out, ": {}\n", cost_model_errors[schedule->model]);
    }
    buf_format(out, "  {} operation{}, ", schedule_number(out->arena, schedule->operation_count),
               schedule->operation_count == 1 ? "" : "s");
    buf_format(
        out, "{.1f} MACs a cycle ({.1f} % of the peak), {.1f} bytes of HBM a cycle ({.1f} %)",
        per_cycle(schedule, schedule->macs), schedule_share(schedule->macs, schedule->peak_macs),
        per_cycle(schedule, schedule->hbm_bytes),
        schedule_share(schedule->hbm_bytes, schedule->hbm_peak_bytes));
    if (schedule->macs && schedule->hbm_bytes)
        buf_format(out, "\n  {.1f} MACs a byte of HBM ({}-bound: the roof bends at {.1f})",
                   schedule->intensity, schedule_roof(schedule), schedule->ridge);
    buf_add(out, STR("\n"));
}

// ---- the timeline

// How much of a column a lane is busy, in eighths of a block.
static void add_bar(StrBuf *out, double share)
{
    static const char *const blocks[] = {"·", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    enum { EIGHTHS = 8 };
    int level = (int)(share * EIGHTHS + 0.5);
    if (level == 0 && share > 0)
        level = 1;
    buf_add(out, str_from(blocks[level > EIGHTHS ? EIGHTHS : level]));
}

static void fill_columns(const Schedule *schedule, double *busy, int64_t columns)
{
    double per_column = (double)max_i64(schedule->cycles, 1) / (double)columns;
    for (int64_t i = 0; i < schedule->operation_count; i++)
        for (int64_t k = 0; k < schedule->operations[i].use_count; k++) {
            const LaneUse *use = &schedule->operations[i].uses[k];
            int64_t first = (int64_t)((double)use->from / per_column);
            for (int64_t c = first; c < columns && (double)c * per_column < (double)use->to; c++) {
                double from = (double)c * per_column, to = from + per_column;
                from = (double)use->from > from ? (double)use->from : from;
                to = (double)use->to < to ? (double)use->to : to;
                busy[use->lane * columns + c] += to > from ? (to - from) / per_column : 0;
            }
        }
}

static int64_t name_width(const Schedule *schedule)
{
    enum { LEAST = 9 };
    int64_t width = LEAST;
    for (int64_t i = 0; i < schedule->lane_count; i++)
        if (schedule->lanes[i].busy)
            width = max_i64(width, schedule->lanes[i].name.len + 1);
    return width;
}

static void print_timeline(const Page *page)
{
    enum { SHARE_WIDTH = 8, LEAST_COLUMNS = 20, MOST_COLUMNS = 160 };
    const Schedule *schedule = page->schedule;
    int64_t names = name_width(schedule), columns = page->width - names - SHARE_WIDTH - 2;
    columns = min_i64(max_i64(columns, LEAST_COLUMNS), MOST_COLUMNS);
    double *busy = arena_new(page->out->arena, double, columns *max_i64(schedule->lane_count, 1));
    fill_columns(schedule, busy, columns);
    add_heading(page, "Timeline");
    for (int64_t i = 0; i < schedule->lane_count; i++) {
        const Lane *lane = &schedule->lanes[i];
        if (!lane->busy)
            continue;
        add_left(page->out, lane->name, names);
        for (int64_t c = 0; c < columns; c++)
            add_bar(page->out, busy[i * columns + c]);
        buf_format(page->out, " {5.1f} %\n", schedule_share(lane->busy, schedule->cycles));
    }
    buf_repeat(page->out, STR(" "), names);
    buf_add(page->out, STR("0"));
    add_right(page->out, schedule_number(page->out->arena, schedule->cycles), columns - 1);
    buf_add(page->out, STR("\n"));
}

// ---- lists of operations

static void print_row(const Page *page, int64_t number)
{
    enum { NUMBER_WIDTH = 6, CYCLES_WIDTH = 13, BOUND_WIDTH = 12, CONTEXT_WIDTH = 6 };
    const Schedule *schedule = page->schedule;
    const ScheduledOperation *operation = &schedule->operations[number];
    StrBuf *out = page->out;
    Arena *arena = out->arena;
    int64_t start = out->len;
    add_right(out, str_format(arena, "#{}", number), NUMBER_WIDTH);
    add_right(out, schedule_number(arena, operation->begin), CYCLES_WIDTH);
    add_right(out, schedule_number(arena, schedule_cycles(operation)), CYCLES_WIDTH);
    buf_format(out, " {5.1f} %  ", schedule_share(schedule_cycles(operation), schedule->cycles));
    add_left(out, str_from(context_names[operation->operation->context]), CONTEXT_WIDTH);
    add_left(out,
             operation->cost_count ? str_from(cost_part_names[schedule_bound(operation)]) : STR(""),
             BOUND_WIDTH);
    if (operation->operation->line)
        buf_format(out, " {}: ", operation->operation->line);
    add_source(out, operation->operation, max_i64(SOURCE_LEAST, page->width - (out->len - start)));
    buf_add(out, STR("\n"));
}

static void print_row_head(const Page *page)
{
    buf_add(page->out, STR("     #        begin       cycles   share  on    bound by     line\n"));
}

typedef struct {
    int64_t cycles, number;
} Length;

static int compare_lengths(const void *a, const void *b)
{
    const Length *x = a, *y = b;
    return compare_by(compare_i64(y->cycles, x->cycles), compare_i64(x->number, y->number));
}

static void print_longest(const Page *page)
{
    const Schedule *schedule = page->schedule;
    int64_t count = schedule->operation_count;
    Length *lengths = arena_new(page->out->arena, Length, count + 1);
    for (int64_t i = 0; i < count; i++)
        lengths[i] = (Length){schedule_cycles(&schedule->operations[i]), i};
    qsort(lengths, count, sizeof *lengths, compare_lengths);
    add_heading(page, "Longest operations");
    print_row_head(page);
    for (int64_t i = 0; i < count && i < LONGEST; i++)
        print_row(page, lengths[i].number);
}

// All that was over when it began.
static void print_held(const Page *page, const ScheduledOperation *operation)
{
    for (int64_t i = 0; i < operation->wait_count && operation->begin > 0; i++) {
        const Wait *wait = &operation->waits[i];
        if (wait->until < operation->begin)
            break;
        buf_format(page->out, "         {} {}\n", i ? "          " : "waited for",
                   schedule_wait_text(page->out->arena, page->schedule, wait));
    }
}

// A long path is shown by its ends.
static void print_path(const Page *page)
{
    const Schedule *schedule = page->schedule;
    int64_t count = schedule->critical_count;
    add_heading(page, "Critical path");
    print_row_head(page);
    for (int64_t i = 0; i < count; i++) {
        if (count > PATH_SHOWN && i == PATH_SHOWN / 2) {
            buf_format(page->out, "       .. {} more ..\n", (count - PATH_SHOWN));
            i = count - PATH_SHOWN / 2;
        }
        print_row(page, schedule->critical[i]);
        print_held(page, &schedule->operations[schedule->critical[i]]);
    }
}

static void print_gaps(const Page *page)
{
    enum { LANES_WIDTH = 13, CYCLES_WIDTH = 12 };
    const Schedule *schedule = page->schedule;
    Arena *arena = page->out->arena;
    int64_t left = 0;
    if (!schedule->gap_count)
        return;
    add_heading(page, "DMA idles");
    for (int64_t i = 0; i < schedule->gap_count && i < GAPS_SHOWN; i++) {
        const Gap *gap = &schedule->gaps[i];
        const Lane *first = &schedule->lanes[gap->lane];
        add_left(page->out, schedule_lanes(arena, first->name, first[gap->lanes - 1].name),
                 LANES_WIDTH);
        add_right(page->out, schedule_number(arena, gap->to - gap->from), CYCLES_WIDTH);
        buf_format(page->out, " cycles from {}, ended by {}\n", schedule_number(arena, gap->from),
                   gap->operation < 0 ? STR("the end of the kernel")
                                      : operation_text(arena, schedule, gap->operation));
    }
    for (int64_t i = GAPS_SHOWN; i < schedule->gap_count; i++)
        left += schedule->gaps[i].to - schedule->gaps[i].from;
    if (left)
        buf_format(page->out, "  and {} more that are as long or shorter, {} cycles together\n",
                   schedule_number(arena, schedule->gap_count - GAPS_SHOWN),
                   schedule_number(arena, left));
}

static void print_advice(const Page *page)
{
    AdviceList advice = {0};
    schedule_advice(page->out->arena, page->schedule, &advice);
    if (!advice.count)
        return;
    add_heading(page, "Advice");
    for (int64_t i = 0; i < advice.count; i++)
        buf_format(page->out, "  - {}\n", advice.items[i]);
}

void schedule_print_summary(StrBuf *out, const Schedule *schedule, const SummaryOptions *options)
{
    Page page = {out, schedule, options->colour, options->width};
    print_head(&page);
    if (!schedule->operation_count)
        return;
    print_timeline(&page);
    print_longest(&page);
    print_path(&page);
    print_gaps(&page);
    print_advice(&page);
}

// A schedule as a drawing: a row for what is occupied, a bar for each operation, coloured by the
// line that it comes from.
#include "base/checked.h"
#include "base/svg.h"
#include "schedule/export.h"
#include "schedule/touch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_WIDTH = 110,
    PLOT_WIDTH = 780, // a column each
    SHARE_WIDTH = 60,
    HEAD = 54,
    ROW = 26,
    BAR = 20,
    AXIS = 26,
    LEGEND_ROW = 18,
    LEGEND_MOST = 12, // lines that are named
    LETTER = 7,       // the width of a character
    BAR_LEAST = 3,    // columns; what is narrower is drawn with its neighbours
};

// A bar: what an operation occupies.
typedef struct {
    int64_t from, to, operation;
} Bar;

typedef struct {
    ARRAY(Bar);
} Bars;

// Operations of one line of the source; of an object without places, those of one method.
typedef struct {
    const HwOperation *of; // the first, and its number
    int64_t operation;
    int64_t cycles; // that they take, one after the other
} Line;

typedef struct {
    StrBuf *out;
    const Schedule *schedule;
    Line *lines; // by file and number
    int64_t line_count;
    Bars *bars; // of each lane, in time
} Drawing;

// ---- what is drawn

static int compare_bars(const void *a, const void *b)
{
    const Bar *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->operation > y->operation) - (x->operation < y->operation);
}

static void gather_bars(Drawing *drawing)
{
    const Schedule *schedule = drawing->schedule;
    Arena *arena = drawing->out->arena;
    drawing->bars = arena_new(arena, Bars, (size_t)schedule->lane_count + 1);
    for (int64_t i = 0; i < schedule->operation_count; i++)
        for (int64_t k = 0; k < schedule->operations[i].use_count; k++) {
            const LaneUse *use = &schedule->operations[i].uses[k];
            if (use->to > use->from)
                *array_push(arena, &drawing->bars[use->lane], Bar) = (Bar){use->from, use->to, i};
        }
    for (int64_t i = 0; i < schedule->lane_count; i++)
        if (drawing->bars[i].count)
            qsort(drawing->bars[i].items, (size_t)drawing->bars[i].count, sizeof(Bar),
                  compare_bars);
}

// Lanes that are occupied by the same operations at the same times share a row.
static bool is_same_row(const Bars *a, const Bars *b)
{
    if (a->count != b->count)
        return false;
    for (int64_t i = 0; i < a->count; i++)
        if (compare_bars(&a->items[i], &b->items[i]) || a->items[i].to != b->items[i].to)
            return false;
    return true;
}

static int64_t lanes_of_row(const Drawing *drawing, int64_t first)
{
    const Schedule *schedule = drawing->schedule;
    int64_t count = 1;
    while (first + count < schedule->lane_count &&
           schedule->lanes[first + count].kind == schedule->lanes[first].kind &&
           is_same_row(&drawing->bars[first], &drawing->bars[first + count]))
        count++;
    return count;
}

static int compare_places(const HwOperation *a, const HwOperation *b)
{
    int order = str_compare(a->file, b->file);
    if (order || a->line != b->line)
        return order ? order : a->line < b->line ? -1 : 1;
    return a->line ? 0 : str_compare(a->method, b->method);
}

static int compare_lines(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    int order = compare_places(x->of, y->of);
    return order ? order : (x->operation > y->operation) - (x->operation < y->operation);
}

static void gather_lines(Drawing *drawing)
{
    const Schedule *schedule = drawing->schedule;
    int64_t count = 0;
    Line *lines = arena_new(drawing->out->arena, Line, (size_t)schedule->operation_count + 1);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        lines[i] = (Line){operation->operation, i, schedule_cycles(operation)};
    }
    qsort(lines, (size_t)schedule->operation_count, sizeof *lines, compare_lines);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        if (count && !compare_places(lines[count - 1].of, lines[i].of))
            lines[count - 1].cycles += lines[i].cycles;
        else
            lines[count++] = lines[i];
    }
    drawing->lines = lines;
    drawing->line_count = count;
}

static int hue_of(const Drawing *drawing, const HwOperation *of)
{
    int64_t low = 0, high = drawing->line_count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (compare_places(drawing->lines[middle].of, of) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return svg_hue(low, drawing->line_count);
}

// ---- bars

static double column_of(const Schedule *schedule, int64_t cycle)
{
    return (double)cycle * PLOT_WIDTH / (double)max_i64(schedule->cycles, 1);
}

static void draw_bar(const Drawing *drawing, const Bar *bar, int64_t y)
{
    const Schedule *schedule = drawing->schedule;
    const ScheduledOperation *operation = &schedule->operations[bar->operation];
    const HwOperation *of = operation->operation;
    StrBuf *out = drawing->out;
    double x = column_of(schedule, bar->from), width = column_of(schedule, bar->to) - x;
    Str label = str_format(out->arena, "#%" PRId64 " %.*s", bar->operation, STR_ARG(of->method));
    buf_add(out, STR("<g><title>"));
    svg_add_text(out, label);
    if (of->line)
        buf_printf(out, ", line %" PRId64, of->line);
    buf_add(out, STR(", cycles "));
    buf_add(out, schedule_number(out->arena, bar->from));
    buf_add(out, STR(" to "));
    buf_add(out, schedule_number(out->arena, bar->to));
    if (operation->cost_count)
        buf_printf(out, ", bound by %s", cost_part_names[schedule_bound(operation)]);
    buf_printf(out,
               "</title><rect x='%.1f' y='%" PRId64 "' width='%.1f' height='%d' "
               "fill='hsl(%d,65%%,78%%)' stroke='%s'/>",
               NAME_WIDTH + x, y, width, BAR, hue_of(drawing, of),
               operation->is_critical ? "#333" : "#bbb");
    if ((double)(label.len * LETTER) < width) {
        buf_printf(out, "<text x='%.1f' y='%" PRId64 "' text-anchor='middle'>",
                   NAME_WIDTH + x + width / 2, y + BAR - 6);
        svg_add_text(out, label);
        buf_add(out, STR("</text>"));
    }
    buf_add(out, STR("</g>\n"));
}

// What is too narrow to be seen alone: how much of each column is occupied, by several.
static void draw_columns(StrBuf *out, const double *busy, int64_t y)
{
    enum { SHADES = 4 };
    for (int64_t from = 0, to; from < PLOT_WIDTH; from = to) {
        int shade = (int)(busy[from] * SHADES + 0.999);
        for (to = from + 1; to < PLOT_WIDTH && (int)(busy[to] * SHADES + 0.999) == shade; to++)
            continue;
        if (shade)
            buf_printf(out,
                       "<rect x='%" PRId64 "' y='%" PRId64 "' width='%" PRId64 "' height='%d' "
                       "fill='#7a8ca5' fill-opacity='%.2f'/>\n",
                       NAME_WIDTH + from, y, to - from, BAR,
                       (double)min_i64(shade, SHADES) / SHADES);
    }
}

static void add_to_columns(const Schedule *schedule, const Bar *bar, double *busy)
{
    double from = column_of(schedule, bar->from), to = column_of(schedule, bar->to);
    for (int64_t column = (int64_t)from; column < PLOT_WIDTH && (double)column < to; column++) {
        double low = from > (double)column ? from : (double)column;
        double high = to < (double)column + 1 ? to : (double)column + 1;
        busy[column] += high - low;
    }
}

static void draw_row(const Drawing *drawing, int64_t lane, int64_t lanes, int64_t y)
{
    const Schedule *schedule = drawing->schedule;
    const Bars *bars = &drawing->bars[lane];
    StrBuf *out = drawing->out;
    double busy[PLOT_WIDTH] = {0};
    Str name = schedule_lanes(out->arena, schedule->lanes[lane].name,
                              schedule->lanes[lane + lanes - 1].name);
    buf_printf(out, "<text x='%d' y='%" PRId64 "' text-anchor='end'>%.*s</text>\n", NAME_WIDTH - 8,
               y + BAR - 6, STR_ARG(name));
    for (int64_t i = 0; i < bars->count; i++)
        if (column_of(schedule, bars->items[i].to - bars->items[i].from) < BAR_LEAST)
            add_to_columns(schedule, &bars->items[i], busy);
    draw_columns(out, busy, y);
    for (int64_t i = 0; i < bars->count; i++)
        if (column_of(schedule, bars->items[i].to - bars->items[i].from) >= BAR_LEAST)
            draw_bar(drawing, &bars->items[i], y);
    buf_printf(out, "<text x='%d' y='%" PRId64 "' fill='#555'>%.1f %%</text>\n",
               NAME_WIDTH + PLOT_WIDTH + 8, y + BAR - 6,
               schedule_share(schedule->lanes[lane].busy, schedule->cycles));
}

// ---- what is round them

static void draw_axis(const Drawing *drawing, int64_t y)
{
    enum { TICKS = 4 };
    const Schedule *schedule = drawing->schedule;
    StrBuf *out = drawing->out;
    for (int64_t i = 0; i <= TICKS; i++) {
        int64_t x = NAME_WIDTH + PLOT_WIDTH * i / TICKS;
        int64_t cycle = (int64_t)((double)schedule->cycles * (double)i / TICKS);
        Str number = schedule_number(out->arena, i == TICKS ? schedule->cycles : cycle);
        buf_printf(out,
                   "<line x1='%" PRId64 "' x2='%" PRId64 "' y1='%d' y2='%" PRId64
                   "' stroke='#ddd'/><text x='%" PRId64 "' y='%" PRId64
                   "' text-anchor='middle' fill='#555'>%.*s</text>\n",
                   x, x, HEAD - 4, y, x, y + 14, STR_ARG(number));
    }
}

static int by_cycles(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    return compare_lines(a, b);
}

static int64_t legend_count(const Drawing *drawing)
{
    return min_i64(drawing->line_count, LEGEND_MOST);
}

// The name of a tensor; of one without any, where it lies.
static void add_tensor(StrBuf *out, const Schedule *schedule, int64_t number)
{
    const TensorLife *life = schedule_life(schedule, number);
    if (!life)
        buf_add(out, STR("a tensor"));
    else if (life->tensor->name.len)
        buf_add(out, life->tensor->name);
    else
        buf_add(out, str_from(touch_tier_name(life->tensor->tier)));
}

// "to_vrf: x, scale → y": what goes in and what comes out. The line alone says it seldom: a pass is
// written over many.
static Str legend_text(Arena *arena, const Schedule *schedule, const HwOperation *of)
{
    StrBuf text = {.arena = arena};
    buf_add(&text, of->method);
    for (int64_t i = 0; i < of->reads.count; i++) {
        buf_add(&text, i ? STR(", ") : STR(": "));
        add_tensor(&text, schedule, of->reads.items[i]);
    }
    if (of->writes >= 0) {
        buf_add(&text, STR(" → "));
        add_tensor(&text, schedule, of->writes);
    }
    return buf_str(&text);
}

// The lines that take longest, in the order of the source.
static void draw_legend(const Drawing *drawing, int64_t y)
{
    int64_t count = legend_count(drawing);
    StrBuf *out = drawing->out;
    Line *lines = arena_new(out->arena, Line, (size_t)drawing->line_count + 1);
    memcpy(lines, drawing->lines, (size_t)drawing->line_count * sizeof *lines);
    qsort(lines, (size_t)drawing->line_count, sizeof *lines, by_cycles);
    qsort(lines, (size_t)count, sizeof *lines, compare_lines);
    for (int64_t i = 0; i < count; i++, y += LEGEND_ROW) {
        const HwOperation *of = lines[i].of;
        buf_printf(out,
                   "<rect x='%d' y='%" PRId64 "' width='12' height='12' "
                   "fill='hsl(%d,65%%,78%%)' stroke='#bbb'/><text x='%d' y='%" PRId64 "'>",
                   NAME_WIDTH, y, hue_of(drawing, of), NAME_WIDTH + 20, y + 10);
        if (of->line)
            buf_printf(out, "line %" PRId64 ": ", of->line);
        svg_add_text(out, legend_text(out->arena, drawing->schedule, of));
        buf_add(out, STR("</text>\n"));
    }
}

static void draw_head(StrBuf *out, const Schedule *schedule)
{
    buf_printf(out, "<text x='%d' y='20' font-size='16'>", NAME_WIDTH);
    svg_add_text(out, schedule->object->kernel);
    buf_printf(out, "</text>\n<text x='%d' y='38' fill='#555'>", NAME_WIDTH);
    buf_add(out, schedule_number(out->arena, schedule->cycles));
    buf_printf(out, " cycles; %.1f %% of the MACs, %.1f %% of HBM's bytes; ",
               schedule_share(schedule->macs, schedule->peak_macs),
               schedule_share(schedule->hbm_bytes, schedule->hbm_peak_bytes));
    buf_add(out, STR("dark edges: the critical path; grey: many short ones</text>\n"));
}

void schedule_print_svg(StrBuf *out, const Schedule *schedule)
{
    Drawing drawing = {.out = out, .schedule = schedule};
    int64_t rows = 0, y = HEAD;
    gather_bars(&drawing);
    gather_lines(&drawing);
    for (int64_t i = 0; i < schedule->lane_count; i += lanes_of_row(&drawing, i))
        rows += drawing.bars[i].count > 0;
    svg_begin(out, NAME_WIDTH + PLOT_WIDTH + SHARE_WIDTH,
              HEAD + rows * ROW + AXIS + legend_count(&drawing) * LEGEND_ROW, "start");
    draw_head(out, schedule);
    draw_axis(&drawing, HEAD + rows * ROW);
    for (int64_t i = 0, lanes; i < schedule->lane_count; i += lanes) {
        lanes = lanes_of_row(&drawing, i);
        if (!drawing.bars[i].count)
            continue;
        draw_row(&drawing, i, lanes, y);
        y += ROW;
    }
    draw_legend(&drawing, y + AXIS);
    buf_add(out, STR("</svg>\n"));
}

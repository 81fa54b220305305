// A schedule as a drawing: a row for what is occupied, a bar for each operation, coloured by the
// line that it comes from. Where most of them are too short to be seen, the beginning is drawn once
// more below, wider.
#include "base/checked.h"
#include "base/svg.h"
#include "command/touch.h"
#include "schedule/export.h"

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
    ZOOM_HEAD = 28,
    LEGEND_ROW = 18,
    LEGEND_MOST = 12, // lines that are named, and have a colour
    LETTER = 7,       // the width of a character
    BAR_LEAST = 3,    // columns; what is narrower is drawn with its neighbours in cells of as many
    CELLS = PLOT_WIDTH / BAR_LEAST,
    ZOOMED = 48, // operations that are drawn once more
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
    int hue;        // NO_HUE: too many others take longer
} Line;

enum { NO_HUE = -1 };

typedef struct {
    StrBuf *out;
    const Schedule *schedule;
    Line *lines; // by file and number
    int64_t line_count;
    Bars *bars;    // of each lane, in time
    int64_t end;   // of the cycles that are drawn
    double *taken; // of each cell, by line: what bars too narrow to be drawn take of it
} Drawing;

// ---- what is drawn

static int compare_bars(const void *a, const void *b)
{
    const Bar *x = a, *y = b;
    return compare_by(compare_i64(x->from, y->from), compare_i64(x->operation, y->operation));
}

static void gather_bars(Drawing *drawing)
{
    const Schedule *schedule = drawing->schedule;
    Arena *arena = drawing->out->arena;
    drawing->bars = arena_new(arena, Bars, schedule->lane_count + 1);
    for (int64_t i = 0; i < schedule->operation_count; i++)
        for (int64_t k = 0; k < schedule->operations[i].use_count; k++) {
            const LaneUse *use = &schedule->operations[i].uses[k];
            if (use->to > use->from)
                *array_push(arena, &drawing->bars[use->lane], Bar) = (Bar){use->from, use->to, i};
        }
    for (int64_t i = 0; i < schedule->lane_count; i++)
        if (drawing->bars[i].count)
            qsort(drawing->bars[i].items, drawing->bars[i].count, sizeof(Bar), compare_bars);
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
    return compare_by(str_compare(a->file, b->file), compare_i64(a->line, b->line),
                      a->line ? 0 : str_compare(a->method, b->method));
}

static int compare_lines(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    return compare_by(compare_places(x->of, y->of), compare_i64(x->operation, y->operation));
}

static void gather_lines(Drawing *drawing)
{
    const Schedule *schedule = drawing->schedule;
    int64_t count = 0;
    Line *lines = arena_new(drawing->out->arena, Line, schedule->operation_count + 1);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        const ScheduledOperation *operation = &schedule->operations[i];
        lines[i] = (Line){operation->operation, i, schedule_cycles(operation), NO_HUE};
    }
    qsort(lines, schedule->operation_count, sizeof *lines, compare_lines);
    for (int64_t i = 0; i < schedule->operation_count; i++) {
        if (count && !compare_places(lines[count - 1].of, lines[i].of))
            lines[count - 1].cycles += lines[i].cycles;
        else
            lines[count++] = lines[i];
    }
    drawing->lines = lines;
    drawing->line_count = count;
}

static int by_cycles(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    return compare_by(compare_i64(y->cycles, x->cycles), compare_lines(a, b));
}

static int64_t named_count(const Drawing *drawing)
{
    return min_i64(drawing->line_count, LEGEND_MOST);
}

// Those that take longest have colours, round the wheel in the order of the source: no two are
// alike.
static void colour_lines(Drawing *drawing)
{
    int64_t count = named_count(drawing);
    size_t all = drawing->line_count;
    qsort(drawing->lines, all, sizeof *drawing->lines, by_cycles);
    qsort(drawing->lines, count, sizeof *drawing->lines, compare_lines);
    for (int64_t i = 0; i < drawing->line_count; i++)
        drawing->lines[i].hue = i < count ? svg_hue(i, count) : NO_HUE;
    qsort(drawing->lines, all, sizeof *drawing->lines, compare_lines);
}

static int64_t line_of(const Drawing *drawing, const HwOperation *of)
{
    int64_t low = 0, high = drawing->line_count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (compare_places(drawing->lines[middle].of, of) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_fill(StrBuf *out, int hue)
{
    if (hue == NO_HUE)
        buf_add(out, STR("fill='#ccc'"));
    else
        buf_format(out, "fill='hsl({},65%,78%)'", hue);
}

// ---- bars

static double column_of(const Drawing *drawing, int64_t cycle)
{
    return (double)cycle * PLOT_WIDTH / (double)max_i64(drawing->end, 1);
}

static bool is_narrow(const Drawing *drawing, const Bar *bar)
{
    return column_of(drawing, bar->to - bar->from) < BAR_LEAST;
}

static void draw_bar(const Drawing *drawing, const Bar *bar, int64_t y)
{
    const Schedule *schedule = drawing->schedule;
    const ScheduledOperation *operation = &schedule->operations[bar->operation];
    const HwOperation *of = operation->operation;
    StrBuf *out = drawing->out;
    double x = column_of(drawing, bar->from);
    double width = column_of(drawing, min_i64(bar->to, drawing->end)) - x;
    Str label = str_format(out->arena, "#{} {}", bar->operation, of->method);
    buf_add(out, STR("<g><title>"));
    svg_add_text(out, label);
    if (of->line)
        buf_format(out, ", line {}", of->line);
    buf_add(out, STR(", cycles "));
    buf_add(out, schedule_number(out->arena, bar->from));
    buf_add(out, STR(" to "));
    buf_add(out, schedule_number(out->arena, bar->to));
    if (operation->cost_count)
        buf_format(out, ", bound by {}", cost_part_names[schedule_bound(operation)]);
    buf_format(out, "</title><rect x='{.1f}' y='{}' width='{.1f}' height='{}' ", NAME_WIDTH + x, y,
               width, BAR);
    add_fill(out, drawing->lines[line_of(drawing, of)].hue);
    buf_format(out, " stroke='{}'/>", operation->is_critical ? "#333" : "#bbb");
    if ((double)(label.len * LETTER) < width) {
        buf_format(out, "<text x='{.1f}' y='{}' text-anchor='middle'>", NAME_WIDTH + x + width / 2,
                   y + BAR - 6);
        svg_add_text(out, label);
        buf_add(out, STR("</text>"));
    }
    buf_add(out, STR("</g>\n"));
}

// ---- what is too narrow to be seen alone

static void add_to_cells(const Drawing *drawing, const Bar *bar)
{
    double from = column_of(drawing, bar->from) / BAR_LEAST;
    double to = column_of(drawing, bar->to) / BAR_LEAST;
    int64_t line = line_of(drawing, drawing->schedule->operations[bar->operation].operation);
    for (int64_t cell = (int64_t)from; cell < CELLS && (double)cell < to; cell++) {
        double low = from > (double)cell ? from : (double)cell;
        double high = to < (double)cell + 1 ? to : (double)cell + 1;
        drawing->taken[cell * drawing->line_count + line] += high - low;
    }
}

// A cell has the colour of what takes most of it, the stronger the more of it is occupied.
typedef struct {
    int64_t line;
    int shade; // of SHADES; 0: nothing is there
} Cell;

enum { SHADES = 4 };

static Cell cell_at(const Drawing *drawing, int64_t cell)
{
    const double *taken = &drawing->taken[cell * drawing->line_count];
    double busy = 0;
    int64_t most = 0;
    for (int64_t line = 0; line < drawing->line_count; line++) {
        busy += taken[line];
        if (taken[line] > taken[most])
            most = line;
    }
    int shade = (int)(busy * SHADES + 0.999);
    return (Cell){shade ? most : 0, shade < SHADES ? shade : SHADES};
}

static void draw_cells(const Drawing *drawing, int64_t y)
{
    StrBuf *out = drawing->out;
    for (int64_t from = 0, to; from < CELLS; from = to) {
        Cell cell = cell_at(drawing, from), next;
        for (to = from + 1; to < CELLS; to++) {
            next = cell_at(drawing, to);
            if (next.line != cell.line || next.shade != cell.shade)
                break;
        }
        if (!cell.shade)
            continue;
        buf_format(out, "<rect x='{}' y='{}' width='{}' height='{}' ",
                   NAME_WIDTH + from * BAR_LEAST, y, (to - from) * BAR_LEAST, BAR);
        add_fill(out, drawing->lines[cell.line].hue);
        buf_format(out, " fill-opacity='{.2f}'/>\n", (double)cell.shade / SHADES);
    }
}

// ---- rows

static void draw_row(const Drawing *drawing, int64_t lane, int64_t lanes, int64_t y)
{
    const Schedule *schedule = drawing->schedule;
    const Bars *bars = &drawing->bars[lane];
    StrBuf *out = drawing->out;
    Str name = schedule_lanes(out->arena, schedule->lanes[lane].name,
                              schedule->lanes[lane + lanes - 1].name);
    buf_format(out, "<text x='{}' y='{}' text-anchor='end'>{}</text>\n", NAME_WIDTH - 8,
               y + BAR - 6, name);
    memset(drawing->taken, 0, (CELLS * drawing->line_count) * sizeof *drawing->taken);
    for (int64_t i = 0; i < bars->count && bars->items[i].from < drawing->end; i++)
        if (is_narrow(drawing, &bars->items[i]))
            add_to_cells(drawing, &bars->items[i]);
    draw_cells(drawing, y);
    for (int64_t i = 0; i < bars->count && bars->items[i].from < drawing->end; i++)
        if (!is_narrow(drawing, &bars->items[i]))
            draw_bar(drawing, &bars->items[i], y);
    if (drawing->end == schedule->cycles)
        buf_format(out, "<text x='{}' y='{}' fill='#555'>{.1f} %</text>\n",
                   NAME_WIDTH + PLOT_WIDTH + 8, y + BAR - 6,
                   schedule_share(schedule->lanes[lane].busy, schedule->cycles));
}

// ---- what is round them

static void draw_axis(const Drawing *drawing, int64_t top, int64_t y)
{
    enum { TICKS = 4 };
    StrBuf *out = drawing->out;
    for (int64_t i = 0; i <= TICKS; i++) {
        int64_t x = NAME_WIDTH + PLOT_WIDTH * i / TICKS;
        int64_t cycle = (int64_t)((double)drawing->end * (double)i / TICKS);
        Str number = schedule_number(out->arena, i == TICKS ? drawing->end : cycle);
        buf_format(out,
                   "<line x1='{}' x2='{}' y1='{}' y2='{}' stroke='#ddd'/><text x='{}' y='{}' "
                   "text-anchor='middle' fill='#555'>{}</text>\n",
                   x, x, top - 4, y, x, y + 14, number);
    }
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

static void draw_legend_row(StrBuf *out, int hue, int64_t line, Str text, int64_t y)
{
    buf_format(out, "<rect x='{}' y='{}' width='12' height='12' ", NAME_WIDTH, y);
    add_fill(out, hue);
    buf_format(out, " stroke='#bbb'/><text x='{}' y='{}'>", NAME_WIDTH + 20, y + 10);
    if (line)
        buf_format(out, "line {}: ", line);
    svg_add_text(out, text);
    buf_add(out, STR("</text>\n"));
}

static int64_t legend_count(const Drawing *drawing)
{
    return named_count(drawing) + (drawing->line_count > LEGEND_MOST);
}

// The lines that have a colour, in the order of the source.
static void draw_legend(const Drawing *drawing, int64_t y)
{
    StrBuf *out = drawing->out;
    for (int64_t i = 0; i < drawing->line_count; i++) {
        const Line *line = &drawing->lines[i];
        if (line->hue == NO_HUE)
            continue;
        draw_legend_row(out, line->hue, line->of->line,
                        legend_text(out->arena, drawing->schedule, line->of), y);
        y += LEGEND_ROW;
    }
    if (drawing->line_count > LEGEND_MOST)
        draw_legend_row(
            out, NO_HUE, 0,
            str_format(out->arena, "{} more, which take less", drawing->line_count - LEGEND_MOST),
            y);
}

static void draw_head(StrBuf *out, const Schedule *schedule)
{
    buf_format(out, "<text x='{}' y='20' font-size='16'>", NAME_WIDTH);
    svg_add_text(out, schedule->object->kernel);
    buf_format(out, "</text>\n<text x='{}' y='38' fill='#555'>", NAME_WIDTH);
    buf_add(out, schedule_number(out->arena, schedule->cycles));
    buf_format(out, " cycles; {.1f} % of the MACs, {.1f} % of HBM's bytes; ",
               schedule_share(schedule->macs, schedule->peak_macs),
               schedule_share(schedule->hbm_bytes, schedule->hbm_peak_bytes));
    buf_add(out, STR("dark edges: the critical path; without edges: many short ones</text>\n"));
}

// ---- the whole, and its beginning

// Are most of the bars too narrow to be drawn, and many?
static bool needs_zoom(const Drawing *drawing)
{
    int64_t narrow = 0, all = 0;
    if (drawing->schedule->operation_count <= ZOOMED)
        return false;
    for (int64_t i = 0; i < drawing->schedule->lane_count; i++)
        for (int64_t k = 0; k < drawing->bars[i].count; k++) {
            const Bar *bar = &drawing->bars[i].items[k];
            all += bar->to - bar->from;
            narrow += is_narrow(drawing, bar) ? bar->to - bar->from : 0;
        }
    return narrow > all / 2;
}

static int64_t row_count(const Drawing *drawing)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < drawing->schedule->lane_count; i += lanes_of_row(drawing, i))
        rows += drawing->bars[i].count > 0;
    return rows;
}

static void draw_plot(const Drawing *drawing, int64_t top)
{
    int64_t y = top;
    draw_axis(drawing, top, top + row_count(drawing) * ROW);
    for (int64_t i = 0, lanes; i < drawing->schedule->lane_count; i += lanes) {
        lanes = lanes_of_row(drawing, i);
        if (!drawing->bars[i].count)
            continue;
        draw_row(drawing, i, lanes, y);
        y += ROW;
    }
}

static void draw_zoom(Drawing *drawing, int64_t top)
{
    const Schedule *schedule = drawing->schedule;
    drawing->end = schedule->operations[schedule->order[ZOOMED]].begin; // that of the next one
    buf_format(
        drawing->out,
        "<text x='{}' y='{}' fill='#555'>the first {} operations, {.1f} % of all cycles:</text>\n",
        NAME_WIDTH, top - 10, ZOOMED, schedule_share(drawing->end, schedule->cycles));
    draw_plot(drawing, top);
}

void schedule_print_svg(StrBuf *out, const Schedule *schedule)
{
    Drawing drawing = {.out = out, .schedule = schedule, .end = schedule->cycles};
    gather_bars(&drawing);
    gather_lines(&drawing);
    colour_lines(&drawing);
    drawing.taken = arena_new(out->arena, double, (CELLS * drawing.line_count) + 1);
    bool is_zoomed = needs_zoom(&drawing);
    int64_t plot = row_count(&drawing) * ROW + AXIS;
    int64_t legend = HEAD + plot + (is_zoomed ? ZOOM_HEAD + plot : 0);
    svg_begin(out, NAME_WIDTH + PLOT_WIDTH + SHARE_WIDTH,
              legend + legend_count(&drawing) * LEGEND_ROW, "start");
    draw_head(out, schedule);
    draw_plot(&drawing, HEAD);
    if (is_zoomed)
        draw_zoom(&drawing, HEAD + plot + ZOOM_HEAD);
    draw_legend(&drawing, legend);
    buf_add(out, STR("</svg>\n"));
}

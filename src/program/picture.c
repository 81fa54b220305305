#include "program/picture.h"

#include "base/checked.h"
#include "base/lines.h"
#include "base/svg.h"
#include "program/text_axes.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MARGIN = 16,
    HEAD = 40,
    NAME_WIDTH = 230,
    LETTER = 7,
    BOX_HEIGHT = 32,
    BOX_LEAST = 34,
    LEVEL_GAP = 14,
    ROW = 58,
    TITLE_ROW = 30,
    WIDTH_LEAST = 640,
    MOST_OPERATIONS = 200, // more are no picture any more
};

typedef struct {
    StrBuf *out;
    TextAxes axes;
    Texts texts;
    int64_t y, width;
} Drawing;

// ---- which operations

typedef struct {
    Span span;
    const void *what; // what it makes is mapped so
    int64_t op;
} Site;

static const Tensor *made_by(const Op *op)
{
    if (op->kind != OP_PASS)
        return op->target ? op->target->tensor : NULL;
    const Stage *last = op->pass->stages.items[op->pass->stages.count - 1];
    return last->target ? last->target->tensor : last->result;
}

static Site site_of(const Op *op, int64_t number)
{
    const Tensor *made = made_by(op);
    return (Site){op->span, made ? made->dims[LEVEL_ELEMENT] : NULL, number};
}

static int compare_sites(const void *a, const void *b)
{
    const Site *x = a, *y = b;
    if (x->span.source != y->span.source)
        return x->span.source < y->span.source ? -1 : 1;
    if (x->span.start != y->span.start)
        return x->span.start < y->span.start ? -1 : 1;
    if (x->what != y->what)
        return (uintptr_t)x->what < (uintptr_t)y->what ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

static int by_op(const void *a, const void *b)
{
    const Site *x = a, *y = b;
    return (x->op > y->op) - (x->op < y->op);
}

// The first operation of each site, in their order.
static int64_t sites_of(Arena *arena, const Program *program, Site **sites)
{
    int64_t kept = 0, count = program->ops.count;
    Site *all = arena_new(arena, Site, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        all[i] = site_of(program->ops.items[i], i);
    qsort(all, (size_t)count, sizeof *all, compare_sites);
    for (int64_t i = 0; i < count; i++)
        if (!i || !span_same(all[i].span, all[kept - 1].span) || all[i].what != all[kept - 1].what)
            all[kept++] = all[i];
    qsort(all, (size_t)kept, sizeof *all, by_op);
    *sites = all;
    return kept;
}

// ---- boxes

static int hue_of_axis(const Drawing *drawing, const Atom *axis)
{
    for (int64_t i = 0; i < drawing->axes.count; i++)
        if (drawing->axes.items[i].atom == axis)
            return svg_hue(i, drawing->axes.count);
    return 0;
}

static int64_t draw_box(Drawing *drawing, const Expr *expr, int64_t x)
{
    StrBuf *out = drawing->out;
    Str text = expr_text(out->arena, text_axes_rename(&drawing->axes, expr));
    Str size = str_format(out->arena, "%" PRId64, expr->size);
    int64_t width = max_i64(BOX_LEAST, (max_i64(width_of(text), size.len) + 1) * LETTER);
    AtomList axes = {0};
    expr_axes(out->arena, expr, &axes);
    buf_printf(out, "<rect x='%" PRId64 "' y='%" PRId64 "' width='%" PRId64 "' height='%d' ", x,
               drawing->y + 14, width, BOX_HEIGHT);
    if (axes.count)
        buf_printf(out, "fill='hsl(%d,65%%,82%%)' stroke='#888'/>",
                   hue_of_axis(drawing, axes.items[0]));
    else
        buf_printf(out, "fill='%s' stroke='#bbb'/>", expr->size > 1 ? "url(#padding)" : "#eee");
    buf_printf(out, "<text x='%" PRId64 "' y='%" PRId64 "' text-anchor='middle'>", x + width / 2,
               drawing->y + 27);
    svg_add_text(out, text);
    buf_printf(out,
               "</text><text x='%" PRId64 "' y='%" PRId64
               "' text-anchor='middle' fill='#555'>%.*s</text>\n",
               x + width / 2, drawing->y + 41, STR_ARG(size));
    return x + width + 2;
}

// The name of a level, its positions, and a box for each element of its mapping.
static int64_t draw_level(Drawing *drawing, Level level, const Dim *dim, int64_t x)
{
    StrBuf *out = drawing->out;
    int64_t start = x;
    ExprList elements = {0};
    Str name = str_format(out->arena, "%s, %" PRId64, level_names[level], dim->mapping.size);
    expr_elements(out->arena, dim->expr, &elements);
    buf_printf(out, "<text x='%" PRId64 "' y='%" PRId64 "' fill='#555'>%.*s</text>\n", x,
               drawing->y + 10, STR_ARG(name));
    for (int64_t i = 0; i < elements.count; i++)
        x = draw_box(drawing, elements.items[i], x);
    return max_i64(x, start + name.len * LETTER) + LEVEL_GAP;
}

// `which` levels of a shape, behind what stands in `name` and under it.
static void draw_shape(Drawing *drawing, Str name, Str below, const Dim *const dims[LEVEL_COUNT],
                       uint32_t which)
{
    StrBuf *out = drawing->out;
    int64_t x = MARGIN + NAME_WIDTH;
    buf_printf(out, "<text x='%d' y='%" PRId64 "'>", MARGIN, drawing->y + 27);
    svg_add_text(out, name);
    buf_printf(out, "</text><text x='%d' y='%" PRId64 "' fill='#555'>", MARGIN, drawing->y + 41);
    svg_add_text(out, below);
    buf_add(out, STR("</text>\n"));
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level] && which & 1U << level)
            x = draw_level(drawing, level, dims[level], x);
    drawing->width = max_i64(drawing->width, x);
    drawing->y += ROW;
}

// ---- rows

// What is one chip, cluster or slice says nothing.
static uint32_t levels_worth(const Dim *const dims[LEVEL_COUNT])
{
    uint32_t which = 0;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level] && (level > LEVEL_SLICE || dims[level]->mapping.size > 1))
            which |= 1U << level;
    return which;
}

static Str name_of(const Tensor *tensor)
{
    return str_from(tensor->name ? tensor->name : "a tensor");
}

static void draw_tensor(Drawing *drawing, const Tensor *tensor)
{
    Arena *arena = drawing->out->arena;
    StrBuf below = {.arena = arena};
    buf_printf(&below, "%s in %s", scalar_name(tensor->type), tiers[tensor->tier].name);
    if (tensor->tier == TIER_TRF)
        buf_printf(&below, ", %s", trf_address_names[tensor->trf]);
    else if (tensor->address.known)
        buf_printf(&below, " at 0x%" PRIx64, tensor->address.value);
    draw_shape(drawing, name_of(tensor), buf_str(&below), tensor->dims, levels_worth(tensor->dims));
}

// "to_dm (tdma), line 12: x"
static void draw_title(Drawing *drawing, const Op *op)
{
    StrBuf *out = drawing->out;
    buf_printf(out, "<text x='%d' y='%" PRId64 "' font-weight='bold'>", MARGIN, drawing->y + 20);
    svg_add_text(out, str_from(op->method));
    buf_printf(out, " (%s)", context_names[op->context]);
    if (op->span.source >= 0)
        buf_printf(out, ", line %" PRId64,
                   place_of(&drawing->texts, op->span.source, op->span.start).line);
    buf_add(out, STR(": of "));
    const Stage *first = op->kind == OP_PASS ? op->pass->stages.items[0] : NULL;
    svg_add_text(out, name_of(first ? first->sources[0]->tensor : op->source->tensor));
    if (first && first->sources[1]) {
        buf_add(out, STR(" and "));
        svg_add_text(out, name_of(first->sources[1]->tensor));
    }
    buf_add(out, STR("</text>\n"));
    drawing->y += TITLE_ROW;
}

// Of a pass, every stage that maps levels anew; those of one kind in a row say it together.
static void draw_stages(Drawing *drawing, const Pass *pass)
{
    Arena *arena = drawing->out->arena;
    for (int64_t i = 1; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        uint32_t sets = stages[stage->kind].sets & ~(1U << LEVEL_CHIP | 1U << LEVEL_CLUSTER);
        Str below = stage->type != stage->before->type
                        ? str_format(arena, "to %s", scalar_name(stage->type))
                        : STR("");
        if (stage->trf)
            below = str_format(arena, "with %s", stage->trf->name ? stage->trf->name : "TRF");
        if (sets)
            draw_shape(drawing, str_format(arena, ".%s", stages[stage->kind].method), below,
                       stage->dims, sets);
    }
}

static void draw_op(Drawing *drawing, const Op *op)
{
    const Tensor *made = made_by(op);
    draw_title(drawing, op);
    if (op->kind == OP_PASS)
        draw_stages(drawing, op->pass);
    if (made)
        draw_tensor(drawing, made);
}

static void draw_parameters(Drawing *drawing, const Program *program)
{
    for (int64_t i = 0; i < program->tensors.count; i++)
        if (program->tensors.items[i]->origin == ORIGIN_PARAM)
            draw_tensor(drawing, program->tensors.items[i]);
}

void program_print_svg(StrBuf *out, const Program *program, const SourceList *sources)
{
    Arena *arena = out->arena;
    StrBuf inner = {.arena = arena};
    Drawing drawing = {&inner, text_axes(arena, program), texts_of(arena, sources), HEAD,
                       WIDTH_LEAST};
    Site *sites;
    int64_t count = sites_of(arena, program, &sites);
    draw_parameters(&drawing, program);
    for (int64_t i = 0; i < min_i64(count, MOST_OPERATIONS); i++)
        draw_op(&drawing, program->ops.items[sites[i].op]);
    if (count > MOST_OPERATIONS)
        buf_printf(&inner, "<text x='%d' y='%" PRId64 "' fill='#555'>%" PRId64 " more</text>\n",
                   MARGIN, drawing.y + 20, count - MOST_OPERATIONS);
    svg_begin(out, drawing.width + MARGIN, drawing.y + TITLE_ROW, "start");
    buf_printf(out, "<text x='%d' y='24' font-size='16'>", MARGIN);
    svg_add_text(out, str_from(program->name));
    buf_add(out, STR("</text>\n"));
    buf_add(out, buf_str(&inner));
    buf_add(out, STR("</svg>\n"));
}

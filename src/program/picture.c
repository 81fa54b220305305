#include "program/text.h"

#include "base/checked.h"
#include "base/lines.h"
#include "base/svg.h"
#include "program/text_axes.h"

#include <stdlib.h>

// A page of cards: a title and rows of mappings each, laid out so that people can look at all of
// it.

// Some levels of a shape, and whose they are.
typedef struct {
    Str name, note;
    const Dim *dims[LEVEL_COUNT]; // NULL: nothing to say about that level
    uint32_t kept; // levels that are as where it comes from: small rows leave them out
} Row;

typedef struct {
    ARRAY(Row);
} RowList;

typedef struct {
    Str group; // the function it is of; cards of one stand together, under its name
    Str title; // empty: none
    RowList rows;
} Card;

typedef struct {
    ARRAY(Card);
} CardList;

enum {
    MOST_OPERATIONS = 200, // more are no picture any more
    LIKE_LEAST = 2,        // fewer rows are not worth a word about where they stand
};

typedef struct {
    Arena *arena;
    const Program *program;
    TextAxes axes;
    Texts texts;
    struct {
        ARRAY(Str);
    } groups;           // the functions that operations stand in, as they come
    bool several_files; // a line is not enough to find an operation
    CardList cards;
    struct {
        ARRAY(const Op *);
    } ops;          // of each card; NULL: of none
    bool *is_drawn; // tensors, by number
} Drawing;

// ---- which operations

typedef struct {
    Span span;
    const void *what; // what it makes is mapped so
    int64_t op, group;
} Site;

static const Tensor *made_by(const Op *op)
{
    if (op->kind != OP_PASS)
        return op->target ? op->target->tensor : NULL;
    const Stage *last = op->pass->stages.items[op->pass->stages.count - 1];
    return last->target ? last->target->tensor : last->result;
}

static const Tensor *source_of(const Op *op)
{
    const View *source = op->kind == OP_PASS ? op->pass->stages.items[0]->sources[0] : op->source;
    return source->tensor;
}

// The function that an operation stands in, as it is called: without its path and what is generic.
static Str function_of(const Drawing *drawing, const Op *op)
{
    Str name = str_from(drawing->program->name);
    if (op->call_count && op->calls[0].source >= 0) {
        Span call = op->calls[0];
        name = str_slice(drawing->texts.sources->items[call.source].text, call.start, call.end);
    }
    int64_t generic = str_find(name, STR("::<"));
    if (generic >= 0)
        name = str_slice(name, 0, generic);
    for (int64_t at; (at = str_find(name, STR("::"))) >= 0;)
        name = str_slice(name, at + 2, name.len);
    return name;
}

// "route.rs"; of those that are all named so, their folder, too.
static Str file_of(const Drawing *drawing, Span span)
{
    Str file = drawing->texts.sources->items[span.source].name, folder = {0};
    for (int64_t at; (at = str_find(file, STR("/"))) >= 0;) {
        folder = str_slice(file, 0, at);
        file = str_slice(file, at + 1, file.len);
    }
    return folder.len && str_equal(file, STR("mod.rs"))
               ? str_format(drawing->arena, "{}/{}", folder, file)
               : file;
}

// "scores (route.rs)"
static Str group_of(const Drawing *drawing, const Op *op)
{
    Str name = function_of(drawing, op);
    if (!drawing->several_files || op->span.source < 0)
        return name;
    return str_format(drawing->arena, "{} ({})", name, file_of(drawing, op->span));
}

static int64_t group_number(Drawing *drawing, Str name)
{
    int64_t at = 0;
    while (at < drawing->groups.count && !str_equal(drawing->groups.items[at], name))
        at++;
    if (at == drawing->groups.count)
        *array_push(drawing->arena, &drawing->groups, Str) = name;
    return at;
}

static Site site_of(Drawing *drawing, int64_t number)
{
    const Op *op = drawing->program->ops.items[number];
    const Tensor *made = made_by(op);
    return (Site){op->span, made ? made->dims[LEVEL_ELEMENT] : NULL, number,
                  group_number(drawing, group_of(drawing, op))};
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
    return compare_i64(x->op, y->op);
}

static int by_group(const void *a, const void *b)
{
    const Site *x = a, *y = b;
    return compare_by(compare_i64(x->group, y->group), compare_i64(x->op, y->op));
}

// The first operation of each site, by group, in their order.
static int64_t sites_of(Drawing *drawing, Site **sites)
{
    int64_t kept = 0, count = drawing->program->ops.count;
    Site *all = arena_new(drawing->arena, Site, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        drawing->several_files |= drawing->program->ops.items[i]->span.source !=
                                  drawing->program->ops.items[0]->span.source;
    for (int64_t i = 0; i < count; i++)
        all[i] = site_of(drawing, i);
    qsort(all, (size_t)count, sizeof *all, compare_sites);
    for (int64_t i = 0; i < count; i++)
        if (!i || !span_same(all[i].span, all[kept - 1].span) || all[i].what != all[kept - 1].what)
            all[kept++] = all[i];
    qsort(all, (size_t)kept, sizeof *all, by_group);
    *sites = all;
    return kept;
}

// ---- names

static Str name_of(Arena *arena, const Tensor *tensor)
{
    if (tensor->name)
        return str_from(tensor->name);
    if (tensor->tier != TIER_TRF && tensor_given_address(tensor).known)
        return str_format(arena, "{} at 0x{x}", tiers[tensor->tier].name, tensor->address.value);
    return str_from(tiers[tensor->tier].name);
}

// A pass stands where it begins, as in a schedule.
static Span span_of(const Op *op)
{
    return op->kind == OP_PASS ? op->pass->stages.items[0]->span : op->span;
}

// "line 12", for those who look at `source`.
static void add_place(const Drawing *drawing, StrBuf *out, const Op *op, int32_t source)
{
    Span span = span_of(op);
    if (span.source < 0)
        return;
    buf_format(out, "line {}", place_of(&drawing->texts, span.source, span.start).line);
    if (span.source != source)
        buf_format(out, " of {}", file_of(drawing, span));
}

// "to_vrf (main), line 12: x and y → z"
static Str title_of(const Drawing *drawing, const Op *op)
{
    Arena *arena = drawing->arena;
    StrBuf out = {.arena = arena};
    const Stage *first = op->kind == OP_PASS ? op->pass->stages.items[0] : NULL;
    const Tensor *made = made_by(op);
    buf_format(&out, "{} ({})", op->method, context_names[op->context]);
    if (op->span.source >= 0)
        buf_add(&out, STR(", "));
    add_place(drawing, &out, op, op->span.source);
    buf_add(&out, STR(": "));
    buf_add(&out, name_of(arena, source_of(op)));
    if (first && first->sources[1]) {
        buf_add(&out, STR(" and "));
        buf_add(&out, name_of(arena, first->sources[1]->tensor));
    }
    if (op->index) {
        buf_add(&out, STR(" by "));
        buf_add(&out, name_of(arena, op->index->tensor));
    }
    if (made) {
        buf_add(&out, STR(" → "));
        buf_add(&out, name_of(arena, made));
    }
    return buf_str(&out);
}

// ---- rows

// Sizes in pixels. Offsets count from the top of what they are in.
enum {
    MARGIN = 16,
    HEAD = 40,
    PAGE_HEIGHT = 1500, // one may still see what belongs together
    COLUMN_GAP = 24,
    LEVEL_GAP = 14,
    BOX_LEAST = 34,
    ROW_LETTERS = 36, // of the mappings in a small row: a longer one makes its whole column wide
};

// How a row is drawn. Small ones have all in a line.
typedef struct {
    bool is_small;
    int64_t letter, around; // the width of a character, and of what is round words
    int64_t group, title, row, box;
    int64_t box_top, text_base;
} Style;

static const Style large = {false, 7, 7, 34, 30, 58, 32, 14, 27};
static const Style small = {true, 6, 12, 28, 22, 21, 18, 0, 13};

typedef struct {
    StrBuf *out;
    const Style *style;
    const TextAxes *axes;
    int64_t x, y;
    int64_t names;      // the width of what stands before the boxes
    int64_t right, low; // what was drawn ends there
} Page;

// What stands in the boxes of a level, as it is drawn.
static Str page_text(Arena *arena, const TextAxes *axes, const Expr *expr)
{
    return expr_text(arena, text_axes_rename(axes, expr));
}

// ---- boxes

static int hue_of_axis(const Page *page, const Atom *axis)
{
    for (int64_t i = 0; i < page->axes->count; i++)
        if (page->axes->items[i]->atom == axis)
            return svg_hue(i, page->axes->count);
    return 0;
}

static void draw_text(Page *page, int64_t x, int64_t y, const char *attributes, Str text)
{
    buf_format(page->out, "<text x='{}' y='{}'{}>", x, y, attributes);
    svg_add_text(page->out, text);
    buf_add(page->out, STR("</text>\n"));
    page->right = max_i64(page->right, x);
}

static void draw_frame(const Page *page, const Expr *expr, int64_t x, int64_t width)
{
    StrBuf *out = page->out;
    AtomList axes = {0};
    expr_axes(out->arena, expr, &axes);
    buf_format(out, "<rect x='{}' y='{}' width='{}' height='{}' ", x,
               page->y + page->style->box_top, width, page->style->box);
    if (axes.count)
        buf_format(out, "fill='hsl({},65%,82%)' stroke='#888'/>\n",
                   hue_of_axis(page, axes.items[0]));
    else
        buf_format(out, "fill='{}' stroke='#bbb'/>\n", expr->size > 1 ? "url(#padding)" : "#eee");
}

// Is it said already, as in `K % 256` and `1 # 8`?
static bool ends_with_number(Str text, Str number)
{
    int64_t before = text.len - number.len - 1;
    return str_equal(text, number) ||
           (str_ends_with(text, number) && before >= 0 && text.data[before] == ' ');
}

static int64_t draw_box(Page *page, const Expr *expr, int64_t x)
{
    const Style *style = page->style;
    Arena *arena = page->out->arena;
    Str text = page_text(arena, page->axes, expr);
    Str size = str_format(arena, "{}", expr->size);
    if (style->is_small && ends_with_number(text, size))
        size = (Str){0};
    int64_t letters = width_of(text), base = page->y + style->text_base;
    letters = style->is_small ? letters + 1 + size.len : max_i64(letters, size.len);
    int64_t width = max_i64(BOX_LEAST, letters * style->letter + style->around);
    draw_frame(page, expr, x, width);
    if (style->is_small) {
        draw_text(page, x + 4, base, "", text);
        if (size.len)
            draw_text(page, x + width - 4, base, " text-anchor='end' fill='#555'", size);
    } else {
        draw_text(page, x + width / 2, base, " text-anchor='middle'", text);
        draw_text(page, x + width / 2, base + 14, " text-anchor='middle' fill='#555'", size);
    }
    return x + width + 2;
}

// The name of a level, its positions, and a box for each element of its mapping.
static int64_t draw_level(Page *page, Level level, const Dim *dim, int64_t x)
{
    const Style *style = page->style;
    Arena *arena = page->out->arena;
    ExprList elements = {0};
    Str name = str_from(level_names[level]);
    if (!style->is_small)
        name = str_format(arena, "{}, {}", name, dim->mapping.size);
    int64_t after = x + name.len * style->letter + style->around;
    expr_elements(arena, dim->expr, &elements);
    draw_text(page, x, page->y + (style->is_small ? style->text_base : 10), " fill='#555'", name);
    if (style->is_small)
        x = after;
    for (int64_t i = 0; i < elements.count; i++)
        x = draw_box(page, elements.items[i], x);
    return max_i64(x, after) + LEVEL_GAP;
}

// ---- cards

static int64_t name_width(const Style *style, const Row *row)
{
    int64_t name = width_of(row->name), note = width_of(row->note);
    return (style->is_small ? name + 1 + note : max_i64(name, note)) * style->letter +
           2 * style->around;
}

static void draw_row(Page *page, const Row *row)
{
    const Style *style = page->style;
    int64_t x = page->x + page->names, base = page->y + style->text_base;
    if (row->name.len)
        draw_text(page, page->x, base, "", row->name);
    if (row->note.len && style->is_small)
        draw_text(page, x - style->around, base, " text-anchor='end' fill='#555'", row->note);
    else if (row->note.len)
        draw_text(page, page->x, base + 14, " fill='#555'", row->note);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (row->dims[level])
            x = draw_level(page, level, row->dims[level], x);
    page->right = max_i64(page->right, x);
    page->y += style->row;
}

static bool begins_group(const CardList *cards, int64_t at)
{
    Str group = cards->items[at].group;
    return group.len && (!at || !str_equal(group, cards->items[at - 1].group));
}

static int64_t height_of(const Style *style, const CardList *cards, int64_t at)
{
    const Card *card = &cards->items[at];
    return (begins_group(cards, at) ? style->group : 0) + (card->title.len ? style->title : 0) +
           card->rows.count * style->row;
}

static void draw_heading(Page *page, int64_t height, int64_t base, const char *look, Str text)
{
    draw_text(page, page->x, page->y + base, look, text);
    page->right = max_i64(page->right, page->x + width_of(text) * page->style->letter);
    page->y += height;
}

static void draw_card(Page *page, const CardList *cards, int64_t at)
{
    const Style *style = page->style;
    const Card *card = &cards->items[at];
    if (begins_group(cards, at))
        draw_heading(page, style->group, style->group - 6, " font-size='14' fill='#345'",
                     card->group);
    if (card->title.len)
        draw_heading(page, style->title, style->title - 8, " font-weight='bold'", card->title);
    for (int64_t i = 0; i < card->rows.count; i++)
        draw_row(page, &card->rows.items[i]);
}

// ---- small rows

enum { OUTER = (1U << (LEVEL_SLICE + 1)) - 1 }; // which slices; the others are what is in a slice

static void add_part(Arena *arena, RowList *rows, const Row *row, uint32_t levels)
{
    Row *part = array_push(arena, rows, Row);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        part->dims[level] = levels & 1U << level ? row->dims[level] : NULL;
}

// Without the levels that are kept; in two lines, where one would be too long.
static void add_small(Arena *arena, const TextAxes *axes, const Row *row, RowList *rows)
{
    int64_t letters = 0;
    uint32_t levels = 0;
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        if (!row->dims[level] || row->kept & 1U << level)
            continue;
        levels |= 1U << level;
        letters += width_of(page_text(arena, axes, row->dims[level]->expr));
    }
    bool is_long = letters > ROW_LETTERS && levels & OUTER && levels & ~(uint32_t)OUTER;
    int64_t first = rows->count;
    add_part(arena, rows, row, is_long ? levels & OUTER : levels);
    rows->items[first].name = row->name;
    rows->items[first].note = row->note;
    if (is_long)
        add_part(arena, rows, row, levels & ~(uint32_t)OUTER);
}

static CardList small_cards(Arena *arena, const TextAxes *axes, const CardList *cards)
{
    CardList all = {0};
    for (int64_t i = 0; i < cards->count; i++) {
        const Card *card = &cards->items[i];
        RowList rows = {0};
        for (int64_t k = 0; k < card->rows.count; k++)
            add_small(arena, axes, &card->rows.items[k], &rows);
        *array_push(arena, &all, Card) = (Card){card->group, card->title, rows};
    }
    return all;
}

// ---- columns

// Where the column that begins with `first` ends, if none is higher than `limit`.
static int64_t column_end(const Style *style, const CardList *cards, int64_t first, int64_t limit)
{
    int64_t at = first + 1, height = height_of(style, cards, first);
    while (at < cards->count && (height += height_of(style, cards, at)) <= limit)
        at++;
    return at;
}

static int64_t columns_at(const Style *style, const CardList *cards, int64_t limit)
{
    int64_t count = 0;
    for (int64_t at = 0; at < cards->count; at = column_end(style, cards, at, limit))
        count++;
    return count;
}

static int64_t total_height(const Style *style, const CardList *cards)
{
    int64_t total = 0;
    for (int64_t i = 0; i < cards->count; i++)
        total += height_of(style, cards, i);
    return total;
}

// The lowest that columns can be, where they are as few as the page's height allows.
static int64_t column_limit(const Style *style, const CardList *cards)
{
    int64_t room = PAGE_HEIGHT - HEAD - MARGIN, total = total_height(style, cards);
    int64_t columns = columns_at(style, cards, room), limit = total / max_i64(columns, 1);
    while (columns_at(style, cards, limit) > columns)
        limit += style->row;
    return limit;
}

static void draw_column(Page *page, const CardList *cards, int64_t from, int64_t to)
{
    page->y = HEAD;
    page->names = 0;
    for (int64_t i = from; i < to; i++)
        for (int64_t k = 0; k < cards->items[i].rows.count; k++)
            page->names =
                max_i64(page->names, name_width(page->style, &cards->items[i].rows.items[k]));
    for (int64_t i = from; i < to; i++)
        draw_card(page, cards, i);
    page->low = max_i64(page->low, page->y);
    page->x = page->right + COLUMN_GAP;
}

// One column of large boxes, where that is a page to look at; else columns of small ones.
static void page_draw(StrBuf *out, Str title, const CardList *cards, const TextAxes *axes)
{
    StrBuf inner = {.arena = out->arena};
    CardList smaller = {0};
    const Style *style = &large;
    if (HEAD + total_height(style, cards) + MARGIN > PAGE_HEIGHT) {
        style = &small;
        smaller = small_cards(out->arena, axes, cards);
        cards = &smaller;
    }
    Page page = {&inner, style, axes, .x = MARGIN, .right = MARGIN};
    int64_t limit = column_limit(style, cards);
    draw_heading(&page, HEAD, 24, " font-size='16'", title);
    for (int64_t from = 0, to; from < cards->count; from = to) {
        to = column_end(style, cards, from, limit);
        draw_column(&page, cards, from, to);
    }
    svg_begin(out, page.right + MARGIN, page.low + MARGIN, "start");
    buf_add(out, buf_str(&inner));
    buf_add(out, STR("</svg>\n"));
}

static bool same_text(const Drawing *drawing, const Dim *a, const Dim *b)
{
    if (!a || !b || a == b)
        return a == b;
    return str_equal(page_text(drawing->arena, &drawing->axes, a->expr),
                     page_text(drawing->arena, &drawing->axes, b->expr));
}

// A tensor, the first time, that comes from `source` (NULL: from nowhere). What is one chip,
// cluster or slice says nothing.
static void add_tensor(Drawing *drawing, Card *card, const Tensor *tensor, const Tensor *source)
{
    if (drawing->is_drawn[tensor->id])
        return;
    StrBuf note = {.arena = drawing->arena};
    Row *row = array_push(drawing->arena, &card->rows, Row);
    buf_format(&note, "{}", scalar_name(tensor->type));
    if (tensor->name)
        buf_format(&note, " in {}", tiers[tensor->tier].name);
    if (tensor->tier == TIER_TRF)
        buf_format(&note, ", {}", trf_address_names[tensor->trf]);
    else if (tensor->name && tensor_given_address(tensor).known)
        buf_format(&note, " at 0x{x}", tensor->address.value);
    row->name = name_of(drawing->arena, tensor);
    row->note = buf_str(&note);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (tensor->dims[level] && (level > LEVEL_SLICE || tensor->dims[level]->mapping.size > 1)) {
            row->dims[level] = tensor->dims[level];
            if (source && level <= LEVEL_SLICE &&
                same_text(drawing, tensor->dims[level], source->dims[level]))
                row->kept |= 1U << level;
        }
    drawing->is_drawn[tensor->id] = true;
}

static Str note_of(Arena *arena, const Stage *stage)
{
    if (stage->trf)
        return str_format(arena, "with {}", stage->trf->name ? stage->trf->name : "TRF");
    return stage->type != stage->before->type ? str_format(arena, "to {}", scalar_name(stage->type))
                                              : STR("");
}

// A stage that maps levels: those which it changes; without any it joins the row before. What
// `begin` maps nobody sees but for slices, which are those of the tensor.
static void add_stage(Drawing *drawing, Card *card, const Stage *stage)
{
    Arena *arena = drawing->arena;
    uint32_t sets = stages[stage->kind].sets & ~(1U << LEVEL_CHIP | 1U << LEVEL_CLUSTER);
    Row row = {.name = str_format(arena, ".{}", stages[stage->kind].method),
               .note = note_of(arena, stage)};
    bool changes = false, is_first = !stage->before->before;
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (sets & 1U << level &&
            ((is_first && level != LEVEL_SLICE) ||
             !same_text(drawing, stage->dims[level], stage->before->dims[level]))) {
            row.dims[level] = stage->dims[level];
            changes = true;
        }
    Row *before = card->rows.count ? &card->rows.items[card->rows.count - 1] : NULL;
    if (changes)
        *array_push(arena, &card->rows, Row) = row;
    else if (sets && before && (!row.note.len || !before->note.len)) {
        before->name = str_format(arena, "{}{}", before->name, row.name);
        before->note = row.note.len ? row.note : before->note;
    }
}

// ---- passes that look alike

static bool same_row(const Drawing *drawing, const Row *a, const Row *b)
{
    bool same = str_equal(a->name, b->name) && str_equal(a->note, b->note);
    for (Level level = 0; level < LEVEL_COUNT && same; level++)
        same = same_text(drawing, a->dims[level], b->dims[level]);
    return same;
}

// Do the rows of a card begin with all those of another one?
static bool begins_with(const Drawing *drawing, const Card *card, const Card *rows)
{
    bool same = rows->rows.count <= card->rows.count;
    for (int64_t i = 0; i < rows->rows.count && same; i++)
        same = same_row(drawing, &card->rows.items[i], &rows->rows.items[i]);
    return same;
}

// The first pass whose stages are these; NULL: there is none.
static const Op *like_before(const Drawing *drawing, const Card *card)
{
    for (int64_t i = 0; i < drawing->cards.count && card->rows.count >= LIKE_LEAST; i++)
        if (drawing->ops.items[i] && begins_with(drawing, &drawing->cards.items[i], card))
            return drawing->ops.items[i];
    return NULL;
}

// ---- cards

static void add_card(Drawing *drawing, Card card, const Op *op)
{
    *array_push(drawing->arena, &drawing->ops, const Op *) = op;
    *array_push(drawing->arena, &drawing->cards, Card) = card;
}

static void add_op(Drawing *drawing, const Site *site)
{
    Arena *arena = drawing->arena;
    const Op *op = drawing->program->ops.items[site->op];
    bool alone = drawing->groups.count == 1; // nothing to tell apart
    Card card = {.group = alone ? STR("") : drawing->groups.items[site->group],
                 .title = title_of(drawing, op)};
    for (int64_t i = 1; op->kind == OP_PASS && i < op->pass->stages.count; i++)
        add_stage(drawing, &card, op->pass->stages.items[i]);
    const Op *like = like_before(drawing, &card);
    if (like) {
        StrBuf title = {.arena = arena};
        buf_add(&title, card.title);
        if (span_same(span_of(like), span_of(op))) { // two functions end it
            buf_add(&title, STR(", through the same stages"));
        } else {
            buf_add(&title, STR(", through the stages of "));
            add_place(drawing, &title, like, op->span.source);
        }
        card.title = buf_str(&title);
        card.rows = (RowList){0};
    }
    const Tensor *made = made_by(op);
    if (made)
        add_tensor(drawing, &card, made, source_of(op));
    add_card(drawing, card, op);
}

static void add_parameters(Drawing *drawing)
{
    Card card = {0};
    for (int64_t i = 0; i < drawing->program->tensors.count; i++)
        if (drawing->program->tensors.items[i]->origin == ORIGIN_PARAM)
            add_tensor(drawing, &card, drawing->program->tensors.items[i], NULL);
    add_card(drawing, card, NULL);
}

void program_print_svg(StrBuf *out, const Program *program, const SourceList *sources)
{
    Arena *arena = out->arena;
    Drawing drawing = {.arena = arena,
                       .program = program,
                       .axes = text_axes(arena, program),
                       .texts = texts_of(arena, sources),
                       .is_drawn = arena_new(arena, bool, (size_t)program->tensors.count + 1)};
    Site *sites;
    int64_t count = sites_of(&drawing, &sites);
    add_parameters(&drawing);
    for (int64_t i = 0; i < min_i64(count, MOST_OPERATIONS); i++)
        add_op(&drawing, &sites[i]);
    if (count > MOST_OPERATIONS)
        add_card(&drawing, (Card){.title = str_format(arena, "{} more", count - MOST_OPERATIONS)},
                 NULL);
    page_draw(out, str_from(program->name), &drawing.cards, &drawing.axes);
}

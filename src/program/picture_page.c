#include "program/picture_page.h"

#include "base/checked.h"
#include "base/lines.h"
#include "base/svg.h"

#include <inttypes.h>

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

Str page_text(Arena *arena, const TextAxes *axes, const Expr *expr)
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
    buf_printf(page->out, "<text x='%" PRId64 "' y='%" PRId64 "'%s>", x, y, attributes);
    svg_add_text(page->out, text);
    buf_add(page->out, STR("</text>\n"));
    page->right = max_i64(page->right, x);
}

static void draw_frame(const Page *page, const Expr *expr, int64_t x, int64_t width)
{
    StrBuf *out = page->out;
    AtomList axes = {0};
    expr_axes(out->arena, expr, &axes);
    buf_printf(out,
               "<rect x='%" PRId64 "' y='%" PRId64 "' width='%" PRId64 "' height='%" PRId64 "' ", x,
               page->y + page->style->box_top, width, page->style->box);
    if (axes.count)
        buf_printf(out, "fill='hsl(%d,65%%,82%%)' stroke='#888'/>\n",
                   hue_of_axis(page, axes.items[0]));
    else
        buf_printf(out, "fill='%s' stroke='#bbb'/>\n", expr->size > 1 ? "url(#padding)" : "#eee");
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
    Str size = str_format(arena, "%" PRId64, expr->size);
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
    Str name = str_format(arena, style->is_small ? "%s" : "%s, %" PRId64, level_names[level],
                          dim->mapping.size);
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

void page_draw(StrBuf *out, Str title, const CardList *cards, const TextAxes *axes)
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

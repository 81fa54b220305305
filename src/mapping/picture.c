#include "mapping/picture.h"

#include "base/checked.h"
#include "base/svg.h"

enum {
    TEXT_MOST = 256,    // positions shown as text unless asked for more
    SVG_MOST = 2048,    // and as a drawing
    ROW_SHORTEST = 4,   // columns
    ROW_LONGEST = 16,   // columns of text
    SVG_LONGEST = 64,   // columns of a drawing
    LINE_LONGEST = 110, // characters of a line of text
    SQUARE = 44,        // SVG units: the height of a square, and its least width
    LETTER = 7,         // the width of a character in it
    MARGIN = 64,
};

// How positions are laid out on the page: whole inner factors make a row, so that a row means
// something, and smaller ones a group in it.
typedef struct {
    int64_t columns;
    int64_t group; // 1: none
} Layout;

static Layout layout_of(const Picture *picture, int64_t most)
{
    Layout layout = {1, 1};
    int64_t block = 1, size = picture->mapping->size;
    for (int64_t i = 0; i < picture->normal->count; i++) {
        const Factor *factor = &picture->normal->factors[i];
        block = factor->is_padding ? factor->size : block * factor->resize;
        if (block > most || block == size)
            break;
        if (block > layout.columns) {
            layout.group = layout.columns;
            layout.columns = block;
        }
    }
    if (layout.columns > 1)
        return layout;
    for (int64_t width = min_i64(most, size); width >= ROW_SHORTEST; width--)
        if (size % width == 0)
            return (Layout){width, 1};
    return (Layout){min_i64(size, most), 1};
}

static int64_t shown_of(const Picture *picture, int64_t most, int64_t columns)
{
    int64_t size = picture->mapping->size;
    int64_t shown = min_i64(size, picture->most > 0 ? picture->most : most);
    // whole rows, unless everything or an exact number was asked for
    return shown < size && picture->most <= 0 && shown > columns ? shown - shown % columns : shown;
}

// "1,7", or "." for padding; several indices of one position are joined by "|".
static Str cell_text(Arena *arena, const Picture *picture, int64_t at)
{
    Cell cell = mapping_cell(arena, picture->mapping, at);
    StrBuf buf = {.arena = arena};
    for (int64_t i = 0; i < cell.count; i++) {
        buf_add(&buf, i ? STR("|") : STR(""));
        for (int64_t k = 0; k < picture->axes->count; k++)
            buf_format(&buf, "{}{}", k ? "," : "",
                       index_value(&cell.items[i], picture->axes->items[k]));
        if (!picture->axes->count)
            buf_add(&buf, STR("0"));
    }
    return cell.count ? buf_str(&buf) : STR(".");
}

static void print_axis_names(StrBuf *out, const Picture *picture)
{
    for (int64_t i = 0; i < picture->axes->count; i++)
        buf_format(out, "{}{}", i ? "," : "", picture->axes->items[i]->name);
}

static int64_t widest_cell(const Picture *picture, int64_t shown)
{
    Arena *arena = picture->scratch;
    int64_t widest = 2;
    for (int64_t at = 0; at < shown; at++) {
        ArenaMark mark = arena_mark(arena);
        widest = max_i64(widest, cell_text(arena, picture, at).len);
        arena_reset(arena, mark);
    }
    return widest;
}

// A line for each row of positions. Cells are as wide as the widest of those shown; if rows of the
// usual length do not fit a line then, shorter ones are chosen, which may show fewer positions.
void picture_text(StrBuf *out, const Picture *picture)
{
    Layout layout = layout_of(picture, ROW_LONGEST);
    int64_t shown = shown_of(picture, TEXT_MOST, layout.columns);
    int width = (int)widest_cell(picture, shown);
    if (layout.columns * (width + 1) > LINE_LONGEST) {
        layout = layout_of(picture, max_i64(1, LINE_LONGEST / (width + 1)));
        shown = shown_of(picture, TEXT_MOST, layout.columns);
    }
    buf_add(out, STR("position | "));
    print_axis_names(out, picture);
    buf_add(out, picture->axes->count ? STR(" of each position; . is padding\n")
                                      : STR("0 is the one element; . is padding\n"));
    for (int64_t at = 0; at < shown; at += layout.columns) {
        buf_format(out, "{8} |", at);
        for (int64_t i = at; i < min_i64(at + layout.columns, shown); i++) {
            ArenaMark mark = arena_mark(picture->scratch);
            bool gap = i > at && layout.group > 1 && (i - at) % layout.group == 0;
            buf_format(out, "{} {*}", gap ? " " : "", width,
                       cell_text(picture->scratch, picture, i));
            arena_reset(picture->scratch, mark);
        }
        buf_add_char(out, '\n');
    }
    if (shown < picture->mapping->size)
        buf_format(out, "     ... | {} more positions\n", picture->mapping->size - shown);
}

static void svg_square(StrBuf *out, const Picture *picture, int64_t at, int64_t columns,
                       int64_t width)
{
    int64_t x = MARGIN + at % columns * width, y = MARGIN + at / columns * SQUARE;
    Cell cell = mapping_cell(picture->scratch, picture->mapping, at);
    Str text = cell_text(picture->scratch, picture, at);
    const Atom *axis = picture->axes->count ? picture->axes->items[0] : NULL; // colours it
    buf_format(out, "<g><title>position {}: ", at);
    if (cell.count && picture->axes->count) {
        print_axis_names(out, picture);
        buf_format(out, " = {}", text);
    } else {
        buf_add(out, cell.count ? STR("the one element") : STR("padding"));
    }
    buf_format(out, "</title><rect x='{}' y='{}' width='{}' height='{}'", x, y, width - 2,
               SQUARE - 2);
    if (!cell.count)
        buf_add(out, STR(" fill='url(#padding)' stroke='#bbb'/></g>\n"));
    else
        buf_format(out,
                   " fill='hsl({},65%,80%)' stroke='#666'/><text x='{}' y='{}'>{}</text></g>\n",
                   axis ? svg_hue(index_value(&cell.items[0], axis), axis->size) : 210,
                   x + width / 2 - 1, y + SQUARE / 2 + 4, text);
}

// A square for each position, rows as in the text but longer. The memory of one cell is given back
// before the next is drawn, so that a drawing costs time and text only.
void picture_svg(StrBuf *out, const Picture *picture)
{
    int64_t columns = layout_of(picture, SVG_LONGEST).columns;
    int64_t shown = shown_of(picture, SVG_MOST, columns);
    int64_t rows = ceil_div(shown, columns);
    int64_t square = max_i64(SQUARE, widest_cell(picture, shown) * LETTER + LETTER);
    int64_t width = max_i64(MARGIN * 2 + columns * square, 420);
    int64_t height = MARGIN + rows * SQUARE + MARGIN / 2;
    svg_begin(out, width, height, "middle");
    buf_format(out, "<text x='{}' y='24' font-size='16' text-anchor='start'>", MARGIN);
    svg_add_text(out, picture->title);
    buf_format(
        out,
        "</text>\n<text x='{}' y='44' text-anchor='start' fill='#555'>{} positions; each square: ",
        MARGIN, picture->mapping->size);
    print_axis_names(out, picture);
    buf_add(out, STR("; hatched: padding</text>\n"));
    for (int64_t row = 0; row < rows; row++)
        buf_format(out, "<text x='{}' y='{}' text-anchor='end' fill='#555'>{}</text>\n", MARGIN - 8,
                   MARGIN + row * SQUARE + SQUARE / 2 + 4, row * columns);
    for (int64_t at = 0; at < shown; at++) {
        ArenaMark mark = arena_mark(picture->scratch);
        svg_square(out, picture, at, columns, square);
        arena_reset(picture->scratch, mark);
    }
    if (shown < picture->mapping->size)
        buf_format(out,
                   "<text x='{}' y='{}' text-anchor='start' fill='#555'>{} more positions</text>\n",
                   MARGIN, height - MARGIN / 8, picture->mapping->size - shown);
    buf_add(out, STR("</svg>\n"));
}

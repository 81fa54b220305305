#include "mapping/picture.h"

#include "base/checked.h"

#include <inttypes.h>

enum {
    TEXT_MOST = 256,  // positions shown as text unless asked for more
    SVG_MOST = 4096,  // and as a drawing
    ROW_SHORTEST = 4, // columns
    ROW_LONGEST = 16, // columns a line of text holds
    SQUARE = 44,      // SVG units
    MARGIN = 64,
};

// The axis whose value colours a square: the first one in the outermost factor.
static const Atom *leading_axis(const Picture *picture)
{
    return picture->axes->count ? picture->axes->items[0] : NULL;
}

// Columns: the largest run of whole inner factors that fits, so that a row means something.
static int64_t columns_of(const Picture *picture)
{
    int64_t block = 1, columns = 1;
    for (int64_t i = 0; i < picture->normal->count; i++) {
        const Factor *factor = &picture->normal->factors[i];
        block = factor->is_padding ? factor->size : block * factor->resize;
        if (block > ROW_LONGEST)
            break;
        columns = block;
    }
    if (columns >= ROW_SHORTEST)
        return columns;
    int64_t size = picture->mapping->size;
    for (int64_t width = ROW_LONGEST; width >= ROW_SHORTEST; width--)
        if (size % width == 0 && width % columns == 0)
            return width;
    return min_i64(size, ROW_LONGEST);
}

static int64_t shown_of(const Picture *picture, int64_t most)
{
    return min_i64(picture->mapping->size, picture->most > 0 ? picture->most : most);
}

// "1,7", or "." for padding; several indices of one position are joined by "|".
static Str cell_text(Arena *arena, const Picture *picture, int64_t at)
{
    Cell cell = mapping_cell(arena, picture->mapping, at);
    StrBuf buf = {.arena = arena};
    for (int64_t i = 0; i < cell.count; i++) {
        buf_add(&buf, i ? STR("|") : STR(""));
        for (int64_t k = 0; k < picture->axes->count; k++)
            buf_printf(&buf, "%s%" PRId64, k ? "," : "",
                       index_value(&cell.items[i], picture->axes->items[k]));
        if (!picture->axes->count)
            buf_add(&buf, STR("0"));
    }
    return cell.count ? buf_str(&buf) : STR(".");
}

static void print_axis_names(StrBuf *out, const Picture *picture)
{
    for (int64_t i = 0; i < picture->axes->count; i++)
        buf_printf(out, "%s%s", i ? "," : "", picture->axes->items[i]->name);
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

void picture_text(StrBuf *out, const Picture *picture)
{
    int64_t columns = columns_of(picture), shown = shown_of(picture, TEXT_MOST);
    int width = (int)widest_cell(picture, shown);
    buf_add(out, STR("position | "));
    print_axis_names(out, picture);
    buf_add(out, picture->axes->count ? STR(" of each position; . is padding\n")
                                      : STR("0 is the one element; . is padding\n"));
    for (int64_t at = 0; at < shown; at += columns) {
        buf_printf(out, "%8" PRId64 " |", at);
        for (int64_t i = at; i < min_i64(at + columns, shown); i++) {
            ArenaMark mark = arena_mark(picture->scratch);
            buf_printf(out, " %*.*s", width, STR_ARG(cell_text(picture->scratch, picture, i)));
            arena_reset(picture->scratch, mark);
        }
        buf_add_char(out, '\n');
    }
    if (shown < picture->mapping->size)
        buf_printf(out, "     ... | %" PRId64 " more positions\n", picture->mapping->size - shown);
}

static void add_escaped(StrBuf *out, Str text)
{
    for (int64_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '&')
            buf_add(out, STR("&amp;"));
        else if (c == '<')
            buf_add(out, STR("&lt;"));
        else if (c == '>')
            buf_add(out, STR("&gt;"));
        else
            buf_add_char(out, c);
    }
}

// A colour for value `at` of `size`, round the wheel, light enough for black text.
static int hue_of(int64_t at, int64_t size)
{
    // 137.5 degrees apart: neighbours differ however many there are
    return size <= 12 ? (int)(at * 360 / size) : (int)(at % 3600 * 1375 / 10 % 360);
}

static void svg_square(StrBuf *out, const Picture *picture, int64_t at, int64_t columns)
{
    int64_t x = MARGIN + at % columns * SQUARE, y = MARGIN + at / columns * SQUARE;
    Cell cell = mapping_cell(picture->scratch, picture->mapping, at);
    Str text = cell_text(picture->scratch, picture, at);
    const Atom *axis = leading_axis(picture);
    buf_printf(out, "<g><title>position %" PRId64 ": ", at);
    if (cell.count && picture->axes->count) {
        print_axis_names(out, picture);
        buf_printf(out, " = %.*s", STR_ARG(text));
    } else {
        buf_add(out, cell.count ? STR("the one element") : STR("padding"));
    }
    buf_printf(out, "</title><rect x='%" PRId64 "' y='%" PRId64 "' width='%d' height='%d'", x, y,
               SQUARE - 2, SQUARE - 2);
    if (!cell.count)
        buf_add(out, STR(" fill='url(#padding)' stroke='#bbb'/></g>\n"));
    else
        buf_printf(out,
                   " fill='hsl(%d,65%%,80%%)' stroke='#666'/>"
                   "<text x='%" PRId64 "' y='%" PRId64 "'>%.*s</text></g>\n",
                   axis ? hue_of(index_value(&cell.items[0], axis), axis->size) : 210,
                   x + SQUARE / 2 - 1, y + SQUARE / 2 + 4, STR_ARG(text));
}

void picture_svg(StrBuf *out, const Picture *picture)
{
    int64_t columns = columns_of(picture), shown = shown_of(picture, SVG_MOST);
    int64_t rows = ceil_div(shown, columns);
    int64_t width = max_i64(MARGIN * 2 + columns * SQUARE, 420);
    int64_t height = MARGIN * 2 + rows * SQUARE;
    buf_printf(out,
               "<svg xmlns='http://www.w3.org/2000/svg' width='%" PRId64 "' height='%" PRId64
               "' font-family='sans-serif' font-size='11' text-anchor='middle'>\n"
               "<defs><pattern id='padding' width='6' height='6' patternUnits='userSpaceOnUse' "
               "patternTransform='rotate(45)'><rect width='6' height='6' fill='#f4f4f4'/>"
               "<rect width='2' height='6' fill='#ddd'/></pattern></defs>\n"
               "<rect width='100%%' height='100%%' fill='white'/>\n"
               "<text x='%d' y='24' font-size='16' text-anchor='start'>",
               width, height, MARGIN);
    add_escaped(out, picture->title);
    buf_printf(out,
               "</text>\n<text x='%d' y='44' text-anchor='start' fill='#555'>%" PRId64
               " positions; each square: ",
               MARGIN, picture->mapping->size);
    print_axis_names(out, picture);
    buf_add(out, STR("; hatched: padding</text>\n"));
    for (int64_t row = 0; row < rows; row++)
        buf_printf(
            out, "<text x='%d' y='%" PRId64 "' text-anchor='end' fill='#555'>%" PRId64 "</text>\n",
            MARGIN - 8, MARGIN + row * SQUARE + SQUARE / 2 + 4, row * columns);
    for (int64_t at = 0; at < shown; at++) {
        ArenaMark mark = arena_mark(picture->scratch);
        svg_square(out, picture, at, columns);
        arena_reset(picture->scratch, mark);
    }
    if (shown < picture->mapping->size)
        buf_printf(out,
                   "<text x='%d' y='%" PRId64 "' text-anchor='start' fill='#555'>%" PRId64
                   " more positions</text>\n",
                   MARGIN, height - MARGIN / 2, picture->mapping->size - shown);
    buf_add(out, STR("</svg>\n"));
}

#include "run/shape.h"

#include "base/checked.h"
#include "mapping/cell.h"

#include <string.h>

// ---- the forms

static void add_axis(Arena *arena, ShapeAxes *axes, Str text, int64_t size)
{
    if (size != 1)
        *array_push(arena, axes, ShapeAxis) = (ShapeAxis){text, size};
}

// Factors stand innermost first.
static void add_terms(Arena *arena, const Mapping *mapping, ShapeAxes *axes)
{
    Mapping normal = mapping_normalise(arena, mapping);
    for (int64_t i = normal.count - 1; i >= 0; i--) {
        const Factor *factor = &normal.factors[i];
        StrBuf text = {.arena = arena};
        if (factor->is_padding)
            continue;
        term_print(&text, &factor->term, factor->resize);
        add_axis(arena, axes, buf_str(&text), factor->resize);
    }
}

static void add_leaves(Arena *arena, const Expr *expr, Shape *shape)
{
    ExprList elements = {0};
    expr_elements(arena, expr, &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        const Expr *leaf = elements.items[i];
        if (leaf->kind == EXPR_PAIR) {
            add_leaves(arena, leaf, shape);
            continue;
        }
        Mapping mapping = mapping_of_expr(arena, leaf);
        add_terms(arena, &mapping, &shape->axes[FORM_TERMS]);
        add_axis(arena, &shape->axes[FORM_PADDED], expr_text(arena, leaf), leaf->size);
    }
}

static int64_t product(const ShapeAxes *axes)
{
    int64_t count = 1;
    for (int64_t i = 0; i < axes->count; i++)
        if (!checked_mul(count, axes->items[i].size, &count))
            return -1;
    return count;
}

bool shape_is_plain(const Mapping *normal)
{
    for (int64_t i = 0; i < normal->count; i++)
        if (!normal->factors[i].is_padding && normal->factors[i].term.atom->kind != ATOM_AXIS)
            return false;
    return true;
}

static int64_t count_live(Arena *arena, const Mapping *mapping)
{
    int64_t live;
    if (!mapping_count_live(arena, mapping, &live))
        return SHAPE_UNCOUNTED;
    if (live == mapping->size || mapping->size <= SHAPE_MOST_CELLS)
        return live;
    Mapping normal = mapping_normalise(arena, mapping);
    return shape_is_plain(&normal) ? live : SHAPE_UNCOUNTED;
}

Shape shape_describe(Arena *arena, const Dim *const dims[LEVEL_COUNT])
{
    Shape shape = {.mapping = shape_of(arena, dims)};
    shape.positions = shape.mapping.size;
    shape.live = count_live(arena, &shape.mapping);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level])
            add_leaves(arena, dims[level]->expr, &shape);
    add_terms(arena, &shape.mapping, &shape.axes[FORM_WHOLE]);
    shape.best = FORM_COUNT;
    for (ShapeForm form = 0; form < FORM_COUNT; form++) {
        int64_t wanted = form == FORM_PADDED ? shape.positions : shape.live;
        shape.possible[form] = wanted >= 0 && product(&shape.axes[form]) == wanted;
        if (shape.possible[form] && shape.best == FORM_COUNT)
            shape.best = form;
    }
    return shape;
}

// ---- what is accepted

static bool same_dims(const ShapeAxes *axes, const int64_t *sizes, int64_t rank)
{
    int64_t next = 0;
    for (int64_t i = 0; i < rank; i++) {
        if (sizes[i] == 1)
            continue;
        if (next == axes->count || axes->items[next].size != sizes[i])
            return false;
        next++;
    }
    return next == axes->count;
}

static bool is_flat(const int64_t *sizes, int64_t rank, int64_t count)
{
    ShapeAxis axis = {.size = count};
    ShapeAxes axes = {.items = &axis, .count = count != 1};
    return same_dims(&axes, sizes, rank);
}

bool shape_accepts(const Shape *shape, const int64_t *sizes, int64_t rank, bool *padded)
{
    for (ShapeForm form = 0; form < FORM_COUNT; form++) {
        *padded = form == FORM_PADDED;
        if (shape->possible[form] && same_dims(&shape->axes[form], sizes, rank))
            return true;
    }
    *padded = !is_flat(sizes, rank, shape->live);
    return !*padded || is_flat(sizes, rank, shape->positions);
}

static void print_dims(StrBuf *out, const ShapeAxes *axes)
{
    int64_t *sizes = arena_new(out->arena, int64_t, (size_t)axes->count + 1);
    for (int64_t i = 0; i < axes->count; i++)
        sizes[i] = axes->items[i].size;
    shape_print(out, sizes, axes->count);
}

bool shape_axes_equal(const ShapeAxes *a, const ShapeAxes *b)
{
    bool same = a->count == b->count;
    for (int64_t i = 0; i < a->count && same; i++)
        same = a->items[i].size == b->items[i].size;
    return same;
}

Str shape_wanted(Arena *arena, const Shape *shape)
{
    static const char *const words[FORM_COUNT] = {"", ", with whole axes ", ", with padding "};
    StrBuf out = {.arena = arena};
    print_dims(&out, &shape->axes[shape->best]);
    for (ShapeForm form = 0; form < FORM_COUNT; form++) {
        if (!shape->possible[form] ||
            shape_axes_equal(&shape->axes[form], &shape->axes[shape->best]))
            continue;
        buf_add(&out, str_from(words[form]));
        print_dims(&out, &shape->axes[form]);
    }
    if (shape->axes[shape->best].count > 1)
        buf_format(&out, ", flat ({},)", shape->live);
    return buf_str(&out);
}

// ---- padding

// Where every combination of digits that is no padding of its own is no padding at all, the mask
// grows with the factors.
static void grow_mask(const Mapping *normal, uint8_t *mask)
{
    int64_t size = 1;
    mask[0] = 1;
    for (int64_t i = 0; i < normal->count; i++) {
        const Factor *factor = &normal->factors[i];
        if (factor->is_padding) { // what is behind is 0 already
            size = factor->size;
            continue;
        }
        for (int64_t k = 1; k < factor->resize; k++)
            memcpy(mask + k * size, mask, (size_t)size);
        size *= factor->resize;
    }
}

const uint8_t *shape_mask(Arena *arena, const Shape *shape)
{
    if (shape->mask)
        return shape->mask;
    uint8_t *mask = arena_new(arena, uint8_t, (size_t)shape->positions + 1);
    if (shape->possible[FORM_WHOLE]) {
        Mapping normal = mapping_normalise(arena, &shape->mapping);
        grow_mask(&normal, mask);
        return mask;
    }
    for (int64_t i = 0; i < shape->positions; i++) {
        ArenaMark mark = arena_mark(arena);
        mask[i] = mapping_cell(arena, &shape->mapping, i).count > 0;
        arena_reset(arena, mark);
    }
    return mask;
}

#include "program/text_axes.h"

#include "base/checked.h"
#include <stdlib.h>

// ---- collecting

static TextAxis *add_axis(TextAxes *axes, const Atom *atom)
{
    const char *name = intern(&axes->words, str_from(atom->name));
    TextAxis *first = map_get(&axes->named, name), *axis = first;
    while (axis && !atom_equal(axis->atom, atom))
        axis = axis->next;
    if (axis)
        return axis;
    axis = arena_new(axes->arena, TextAxis, 1);
    *axis = (TextAxis){.atom = atom, .next = first, .order = axes->count};
    map_put(&axes->named, name, axis);
    *array_push(axes->arena, axes, TextAxis *) = axis;
    return axis;
}

static void add_atom(TextAxes *axes, const Atom *atom)
{
    if (!atom || map_get(&axes->known, atom))
        return;
    map_put(&axes->known, atom, add_axis(axes, atom));
    if (atom->kind != ATOM_SKEW)
        return;
    add_atom(axes, atom->base);
    for (int64_t i = 0; i < atom->part_count; i++)
        add_atom(axes, atom->others[i]);
}

static void add_expr(TextAxes *axes, const Expr *expr)
{
    add_atom(axes, expr->atom);
    if (expr->inner)
        add_expr(axes, expr->inner);
    for (int64_t i = 0; expr->items && i < expr->count; i++)
        add_expr(axes, expr->items[i]);
}

static void add_dim(TextAxes *axes, const Dim *dim)
{
    if (!dim || map_get(&axes->looked_at, dim->expr))
        return;
    map_put(&axes->looked_at, dim->expr, axes);
    add_expr(axes, dim->expr);
}

static void add_dims(TextAxes *axes, const Dim *const dims[LEVEL_COUNT])
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        add_dim(axes, dims[level]);
}

static void add_view(TextAxes *axes, const View *view)
{
    for (int64_t i = 0; view && i < view->tiles.count; i++) {
        add_dim(axes, view->tiles.items[i].index);
        add_dim(axes, view->tiles.items[i].dim);
    }
}

static void add_pass(TextAxes *axes, const Pass *pass)
{
    for (int64_t i = 0; i < pass->stages.count; i++) {
        const Stage *stage = pass->stages.items[i];
        add_dims(axes, stage->dims);
        add_dim(axes, stage->tile_time);
        add_atom(axes, stage->axis);
        add_view(axes, stage->sources[0]);
        add_view(axes, stage->sources[1]);
        add_view(axes, stage->target);
    }
}

static void add_op(TextAxes *axes, const Op *op)
{
    add_view(axes, op->source);
    add_view(axes, op->target);
    add_view(axes, op->index);
    add_dim(axes, op->key);
    add_dim(axes, op->sliced);
    if (op->pass)
        add_pass(axes, op->pass);
}

// ---- naming

// As the grammar of mappings reads a name.
static bool is_name(const Atom *atom)
{
    const char *name = atom->name;
    if (*name < 'A' || *name > 'Z')
        return false;
    while ((*name >= '0' && *name <= '9') || (*name >= 'A' && *name <= 'Z') ||
           (*name >= 'a' && *name <= 'z') || *name == '_')
        name++;
    while (atom->kind == ATOM_SKEW && *name == '\'')
        name++;
    return !*name;
}

// A copy under a name that no other axis has: its own with the size, and more where needed.
static const Atom *renamed(TextAxes *axes, const Atom *atom)
{
    Atom *copy = arena_new(axes->arena, Atom, 1);
    *copy = *atom;
    for (int64_t n = 1;
         n == 1 || map_get(&axes->named, copy->name) || map_get(&axes->given, copy->name); n++) {
        StrBuf name = {.arena = axes->arena};
        buf_format(&name, "{}_{}", is_name(atom) && atom->kind == ATOM_AXIS ? atom->name : "X",
                   atom->size);
        if (n > 1)
            buf_format(&name, "_{}", n);
        copy->name = intern(&axes->words, buf_str(&name));
    }
    return copy;
}

// The first of a name has it; no name that an axis has is given to another one.
static void name_axes(TextAxes *axes)
{
    for (int64_t i = 0; i < axes->count; i++) {
        TextAxis *axis = axes->items[i];
        const char *name = intern(&axes->words, str_from(axis->atom->name));
        bool own = is_name(axis->atom) && !map_get(&axes->given, name);
        axis->shown = own ? axis->atom : renamed(axes, axis->atom);
        map_put(&axes->given, own ? name : axis->shown->name, axis);
        axes->renamed |= !own;
    }
}

static int compare_axes(const void *a, const void *b)
{
    const TextAxis *const *first = a, *const *second = b;
    return compare_by(atom_compare((*first)->atom, (*second)->atom),
                      compare_i64((*first)->order, (*second)->order));
}

TextAxes text_axes(Arena *arena, const Program *program)
{
    TextAxes axes = {.arena = arena,
                     .known = {.arena = arena},
                     .looked_at = {.arena = arena},
                     .words = {.arena = arena},
                     .named = {.arena = arena},
                     .given = {.arena = arena}};
    for (int64_t i = 0; i < program->tensors.count; i++)
        add_dims(&axes, program->tensors.items[i]->dims);
    for (int64_t i = 0; i < program->ops.count; i++)
        add_op(&axes, program->ops.items[i]);
    for (int64_t i = 0; i < program->open.count; i++)
        add_pass(&axes, program->open.items[i]);
    if (axes.count)
        qsort(axes.items, (size_t)axes.count, sizeof *axes.items, compare_axes);
    name_axes(&axes);
    return axes;
}

void text_axes_show(TextAxes *axes, const Atom *atom, const Atom *shown)
{
    TextAxis *axis = arena_new(axes->arena, TextAxis, 1);
    *axis = (TextAxis){.atom = atom, .shown = shown};
    map_put(&axes->known, atom, axis);
    axes->renamed = true;
}

static const Atom *shown(const TextAxes *axes, const Atom *atom)
{
    const TextAxis *axis = map_get(&axes->known, atom);
    return axis ? axis->shown : atom;
}

const char *text_axis_name(const TextAxes *axes, const Atom *atom)
{
    return shown(axes, atom)->name;
}

const Expr *text_axes_rename(const TextAxes *axes, const Expr *expr)
{
    if (!axes->renamed)
        return expr;
    Expr *copy = arena_new(axes->arena, Expr, 1);
    *copy = *expr;
    if (expr->atom)
        copy->atom = shown(axes, expr->atom);
    if (expr->inner)
        copy->inner = text_axes_rename(axes, expr->inner);
    if (!expr->items)
        return copy;
    const Expr **items = arena_new(axes->arena, const Expr *, (size_t)expr->count);
    for (int64_t i = 0; i < expr->count; i++)
        items[i] = text_axes_rename(axes, expr->items[i]);
    copy->items = items;
    return copy;
}

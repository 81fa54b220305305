#include "program/text_axes.h"

#include <inttypes.h>
#include <string.h>

// ---- collecting

static void add_atom(TextAxes *axes, const Atom *atom)
{
    if (!atom || map_get(&axes->known, atom))
        return;
    map_put(&axes->known, atom, axes->arena);
    if (atom->kind == ATOM_SKEW) {
        add_atom(axes, atom->base);
        for (int64_t i = 0; i < atom->part_count; i++)
            add_atom(axes, atom->others[i]);
    }
    for (int64_t i = 0; i < axes->count; i++)
        if (atom_equal(axes->items[i].atom, atom))
            return;
    array_push(axes->arena, axes, TextAxis);
    int64_t at = axes->count - 1;
    for (; at > 0 && atom_compare(axes->items[at - 1].atom, atom) > 0; at--)
        axes->items[at] = axes->items[at - 1];
    axes->items[at] = (TextAxis){.atom = atom};
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
    if (!dim || map_get(&axes->known, dim->expr))
        return;
    map_put(&axes->known, dim->expr, axes->arena);
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

static bool is_taken(const TextAxes *axes, const char *name)
{
    for (int64_t i = 0; i < axes->count; i++) {
        const TextAxis *axis = &axes->items[i];
        if (strcmp(axis->shown ? axis->shown->name : axis->atom->name, name) == 0)
            return true;
    }
    return false;
}

// A copy under a name that no other axis has: its own with the size, and more where needed.
static const Atom *renamed(const TextAxes *axes, const Atom *atom)
{
    Atom *copy = arena_new(axes->arena, Atom, 1);
    *copy = *atom;
    for (int64_t n = 1; n == 1 || is_taken(axes, copy->name); n++) {
        StrBuf name = {.arena = axes->arena};
        buf_printf(&name, "%s_%" PRId64,
                   is_name(atom) && atom->kind == ATOM_AXIS ? atom->name : "X", atom->size);
        if (n > 1)
            buf_printf(&name, "_%" PRId64, n);
        copy->name = str_terminated(axes->arena, buf_str(&name));
    }
    return copy;
}

// The first of a name has it; those that are not named yet keep theirs from being given away.
static void name_axes(TextAxes *axes)
{
    for (int64_t i = 0; i < axes->count; i++) {
        TextAxis *axis = &axes->items[i];
        bool own = is_name(axis->atom);
        for (int64_t k = 0; k < i; k++)
            own &= strcmp(axes->items[k].atom->name, axis->atom->name) != 0;
        axis->shown = own ? axis->atom : renamed(axes, axis->atom);
        axes->renamed |= !own;
    }
}

TextAxes text_axes(Arena *arena, const Program *program)
{
    TextAxes axes = {.arena = arena, .known = {.arena = arena}};
    for (int64_t i = 0; i < program->tensors.count; i++)
        add_dims(&axes, program->tensors.items[i]->dims);
    for (int64_t i = 0; i < program->ops.count; i++)
        add_op(&axes, program->ops.items[i]);
    for (int64_t i = 0; i < program->open.count; i++)
        add_pass(&axes, program->open.items[i]);
    name_axes(&axes);
    return axes;
}

static const Atom *shown(const TextAxes *axes, const Atom *atom)
{
    for (int64_t i = 0; i < axes->count; i++)
        if (atom_equal(axes->items[i].atom, atom))
            return axes->items[i].shown;
    return atom;
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

#include "tree.h"

#include <string.h>

bool tree_equal(const Expr *a, const Expr *b)
{
    if (a->kind != b->kind || a->size != b->size || a->number != b->number ||
        a->after != b->after || a->count != b->count || !a->inner != !b->inner)
        return false;
    if (a->atom && (a->atom->size != b->atom->size || strcmp(a->atom->name, b->atom->name) != 0))
        return false;
    for (int64_t i = 0; i < a->count; i++) {
        if (a->items && !tree_equal(a->items[i], b->items[i]))
            return false;
        if (a->numbers && a->numbers[i] != b->numbers[i])
            return false;
    }
    return !a->inner || tree_equal(a->inner, b->inner);
}

const Expr *tree_child(const Expr *expr, int64_t k)
{
    if (expr->inner)
        return k == 0 ? expr->inner : NULL;
    return expr->items && k < expr->count ? expr->items[k] : NULL;
}

int64_t tree_count(const Expr *expr)
{
    int64_t count = 1;
    for (int64_t k = 0; tree_child(expr, k); k++)
        count += tree_count(tree_child(expr, k));
    return count;
}

const Expr *tree_node(const Expr *expr, int64_t number)
{
    if (number == 0)
        return expr;
    number--;
    for (int64_t k = 0; tree_child(expr, k); k++) {
        const Expr *child = tree_child(expr, k);
        int64_t count = tree_count(child);
        if (number < count)
            return tree_node(child, number);
        number -= count;
    }
    return NULL;
}

static const Expr *with_items(DiagList *diags, const Expr *expr, const ExprList *children)
{
    ExprList items = {0};
    NumberList weights = {0};
    for (int64_t i = 0; i < children->count; i++) {
        if (!children->items[i])
            continue;
        *array_push(diags->arena, &items, const Expr *) = children->items[i];
        if (expr->kind == EXPR_LINEAR)
            *array_push(diags->arena, &weights, int64_t) = expr->numbers[i];
    }
    if (items.count == 0)
        return expr_identity(diags, expr->span);
    return expr->kind == EXPR_PAIR ? expr_pair(diags, expr->span, &items)
                                   : expr_linear(diags, expr->span, &items, &weights);
}

const Expr *tree_with_children(DiagList *diags, const Expr *expr, const ExprList *children)
{
    const Expr *first = expr->inner && children->items ? children->items[0] : NULL;
    switch (expr->kind) {
    case EXPR_POISON:
    case EXPR_IDENTITY:
    case EXPR_ATOM:
        return expr;
    case EXPR_PAIR:
    case EXPR_LINEAR:
        return with_items(diags, expr, children);
    case EXPR_STRIDE:
    case EXPR_MODULO:
    case EXPR_RESIZE:
    case EXPR_PADDING:
    case EXPR_OFFSET:
        return expr_operator(diags, expr->span, expr->kind, first, expr->number);
    case EXPR_LIST: {
        NumberList numbers = {0};
        for (int64_t i = 0; i < expr->count; i++)
            *array_push(diags->arena, &numbers, int64_t) = expr->numbers[i];
        return expr_list(diags, expr->span, first, &numbers);
    }
    case EXPR_AROUND:
        return expr_around(diags, expr->span, expr->number, first, expr->after);
    }
    return expr;
}

const Expr *tree_with_number(DiagList *diags, const Expr *expr, int64_t number)
{
    if (expr->kind == EXPR_AROUND)
        return expr_around(diags, expr->span, number, expr->inner, expr->after);
    return expr_operator(diags, expr->span, expr->kind, expr->inner, number);
}

static ExprList children_of(DiagList *diags, const Expr *expr)
{
    ExprList children = {0};
    for (int64_t k = 0; tree_child(expr, k); k++)
        *array_push(diags->arena, &children, const Expr *) = tree_child(expr, k);
    return children;
}

const Expr *tree_replace(DiagList *diags, const Expr *expr, int64_t number, const Expr *by)
{
    if (number == 0)
        return by;
    number--;
    ExprList children = children_of(diags, expr);
    for (int64_t k = 0; k < children.count; k++) {
        int64_t count = tree_count(children.items[k]);
        if (number < count) {
            children.items[k] = tree_replace(diags, children.items[k], number, by);
            break;
        }
        number -= count;
    }
    return tree_with_children(diags, expr, &children);
}

const Expr *tree_with_atoms(DiagList *diags, const Expr *expr, const Atom *const *atoms,
                            int64_t count)
{
    for (int64_t i = 0; expr->kind == EXPR_ATOM && i < count; i++)
        if (strcmp(atoms[i]->name, expr->atom->name) == 0)
            return expr_atom(diags, expr->span, atoms[i]);
    ExprList children = children_of(diags, expr);
    for (int64_t k = 0; k < children.count; k++)
        children.items[k] = tree_with_atoms(diags, children.items[k], atoms, count);
    return tree_with_children(diags, expr, &children);
}

bool tree_has(const Expr *expr, ExprKind kind)
{
    if (expr->kind == kind)
        return true;
    for (int64_t k = 0; tree_child(expr, k); k++)
        if (tree_has(tree_child(expr, k), kind))
            return true;
    return false;
}

int64_t tree_numbers(const Expr *expr)
{
    int64_t sum = expr->number + expr->after;
    for (int64_t i = 0; expr->numbers && i < expr->count; i++)
        sum += expr->numbers[i];
    for (int64_t k = 0; tree_child(expr, k); k++)
        sum += tree_numbers(tree_child(expr, k));
    return sum;
}

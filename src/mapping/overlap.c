// Parts of one axis that a mapping gives twice. Every term is reduced to the digits of axes it can
// reach; two digits of one axis overlap when their ranges stride .. stride * resize do. Terms of
// one block, list, shift or linear combination meet in that atom and not in the axes inside it.
#include "mapping/cell.h"
#include "mapping/expr.h"

#include "base/checked.h"

typedef struct {
    const Atom *axis;
    int64_t low, high; // the digits reach values low .. high - 1 steps
    const Atom *owner; // the atom of the term that brought it
    int64_t element;   // which element of the mapping
} Reach;

typedef struct {
    ARRAY(Reach);
    Arena *arena;
} Reaches;

static int64_t saturating_mul(int64_t a, int64_t b)
{
    int64_t product;
    return checked_mul(a, b, &product) ? product : INT64_MAX;
}

static void add_reach(Reaches *reaches, Reach reach)
{
    *array_push(reaches->arena, reaches, Reach) = reach;
}

// What digits low .. high of `mapping` (in positions) reach of its axes.
static void add_mapping(Reaches *reaches, const Mapping *mapping, int64_t low, int64_t high,
                        Reach from);

static void add_whole_atom(Reaches *reaches, const Atom *atom, Reach from)
{
    if (atom->kind == ATOM_AXIS) {
        from.axis = atom;
        add_reach(reaches, from);
    }
    if (atom->inner)
        add_mapping(reaches, atom->inner, from.low, from.high, from);
    if (atom->base)
        add_reach(reaches, (Reach){atom->base, 1, atom->size, from.owner, from.element});
    for (int64_t i = 0; atom->kind == ATOM_LINEAR && i < atom->part_count; i++)
        add_mapping(reaches, atom->parts[i], 1, atom->parts[i]->size, from);
}

static void add_mapping(Reaches *reaches, const Mapping *mapping, int64_t low, int64_t high,
                        Reach from)
{
    int64_t block = 1;
    for (int64_t i = 0; i < mapping->count && block < high; i++) {
        const Factor *factor = &mapping->factors[i];
        if (factor->is_padding) {
            block = factor->size;
            continue;
        }
        int64_t next = block * factor->resize;
        int64_t used = min_i64(factor->resize, ceil_div(high, block));
        int64_t skipped = low % next == 0              ? factor->resize // multiples of low miss it
                          : low % block || low < block ? 1
                                                       : gcd_i64(low / block, factor->resize);
        Reach reach = {.low = saturating_mul(factor->term.stride, skipped),
                       .high = saturating_mul(factor->term.stride, used),
                       .owner = from.owner,
                       .element = from.element};
        if (reach.low < reach.high)
            add_whole_atom(reaches, factor->term.atom, reach);
        block = next;
    }
}

static void add_term(Reaches *reaches, const Factor *factor, int64_t element)
{
    Reach reach = {.low = factor->term.stride,
                   .high = saturating_mul(factor->term.stride, factor->resize),
                   .owner = factor->term.atom,
                   .element = element};
    if (factor->term.atom->kind != ATOM_AXIS) {
        // the term's own digits, among the terms of the same atom
        reach.axis = factor->term.atom;
        add_reach(reaches, reach);
    }
    bool whole = factor->term.atom->kind == ATOM_SHIFT || factor->term.atom->kind == ATOM_LIST;
    if (whole) {
        reach.low = 1;
        reach.high = factor->term.atom->inner->size;
    }
    add_whole_atom(reaches, factor->term.atom, reach);
}

static bool overlaps(const Reach *a, const Reach *b)
{
    if (!atom_equal(a->axis, b->axis) || a->low >= b->high || b->low >= a->high)
        return false;
    // inside one atom its own digits count, not the axes it is made of
    bool together = atom_equal(a->owner, b->owner);
    return !together || atom_equal(a->axis, a->owner);
}

static bool find_overlap(const Reaches *reaches, const Reach **first, const Reach **second)
{
    for (int64_t i = 0; i < reaches->count; i++) {
        for (int64_t k = i + 1; k < reaches->count; k++) {
            if (!overlaps(&reaches->items[i], &reaches->items[k]))
                continue;
            *first = &reaches->items[i];
            *second = &reaches->items[k];
            return true;
        }
    }
    return false;
}

bool mapping_has_overlap(Arena *arena, const Mapping *mapping)
{
    Reaches reaches = {.arena = arena};
    const Reach *first, *second;
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            add_term(&reaches, &mapping->factors[i], i);
    return find_overlap(&reaches, &first, &second);
}

static void report(DiagList *diags, const ExprList *elements, const Reach *first,
                   const Reach *second)
{
    const Expr *a = elements->items[first->element], *b = elements->items[second->element];
    Str a_text = expr_text(diags->arena, a), b_text = expr_text(diags->arena, b);
    int64_t low = max_i64(first->low, second->low);
    Str name = first->axis->name ? str_from(first->axis->name) : a_text;
    Diag *diag;
    if (a == b)
        diag = diag_add(diags, DIAG_FACTORS_OVERLAP, a->span, "`%.*s` gives `%.*s` twice",
                        STR_ARG(a_text), STR_ARG(name));
    else
        diag = diag_add(diags, DIAG_FACTORS_OVERLAP, b->span,
                        "`%.*s` and `%.*s` both give a part of `%.*s`", STR_ARG(a_text),
                        STR_ARG(b_text), STR_ARG(name));
    if (a != b)
        diag_note(diag, a->span, "given first here");
    if (low > 1)
        diag_help(diag, "both cover `%.*s / %lld`; let one of them end where the other begins",
                  STR_ARG(name), (long long)low);
}

bool expr_check_overlap(DiagList *diags, const Expr *expr)
{
    ExprList elements = {0};
    Reaches reaches = {.arena = diags->arena};
    const Reach *first, *second;
    expr_elements(diags->arena, expr, &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        Mapping mapping = mapping_of_expr(diags->arena, elements.items[i]);
        mapping = mapping_normalise(diags->arena, &mapping);
        for (int64_t k = 0; k < mapping.count; k++)
            if (!mapping.factors[k].is_padding)
                add_term(&reaches, &mapping.factors[k], i);
    }
    if (!find_overlap(&reaches, &first, &second))
        return true;
    report(diags, &elements, first, second);
    return false;
}

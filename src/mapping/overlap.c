// Parts of one axis that a mapping gives twice. Every term is followed down to the axes it can
// reach, noting on the way which digits of which atom it takes. Contributions meet in the first
// atom that two such paths share, so it is there that their digits must not overlap: two terms of
// one block meet in the block, however often they reach the same axis inside it.
#include "mapping/cell.h"
#include "mapping/expr.h"

#include "base/checked.h"

typedef struct Step Step;

// Digits low .. high of an atom, reached through `from`.
struct Step {
    const Atom *atom;
    int64_t low, high;
    const Step *from; // NULL: written so
    int64_t element;  // which element of the mapping
};

// Each path ends in an axis.
typedef struct {
    ARRAY(const Step *);
    Arena *arena;
    const Step *first, *second; // the first overlap inside something that is kept whole, if any
} Paths;

static void follow_atom(Paths *paths, const Atom *atom, int64_t low, int64_t high, const Step *from,
                        int64_t element);
static void follow_term(Paths *paths, const Factor *factor, int64_t element);
static bool find_overlap(const Paths *paths, const Step **first, const Step **second);

// What multiples of `low` below `high` (in positions) reach of a mapping. From the outside in, what
// is left of such a position inside a block is a multiple of `step`.
static void follow_mapping(Paths *paths, const Mapping *mapping, int64_t low, int64_t high,
                           const Step *from, int64_t element)
{
    int64_t step = low;
    for (int64_t i = mapping->count - 1; i >= 0; i--) {
        const Factor *factor = &mapping->factors[i];
        int64_t block = mapping_block(mapping, i);
        if (factor->is_padding)
            continue;
        int64_t last = min_i64(factor->resize, ceil_div(high, block));
        int64_t first = step % block ? 1 : min_i64(step / block, factor->resize);
        if (first < last)
            follow_atom(paths, factor->term.atom, saturating_mul(factor->term.stride, first),
                        saturating_mul(factor->term.stride, last), from, element);
        step = gcd_i64(step, block);
    }
}

// What is kept whole must not overlap by itself, whichever of its digits are taken.
static void check_inside(Paths *paths, const Mapping *mapping, int64_t element)
{
    Paths inside = {.arena = paths->arena};
    if (paths->first)
        return;
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            follow_term(&inside, &mapping->factors[i], element);
    find_overlap(&inside, &paths->first, &paths->second);
}

static void follow_parts(Paths *paths, const Atom *atom, const Step *step, int64_t element)
{
    switch (atom->kind) {
    case ATOM_AXIS:
        *array_push(paths->arena, paths, const Step *) = step;
        return;
    case ATOM_BLOCK:
        check_inside(paths, atom->inner, element);
        follow_mapping(paths, atom->inner, step->low, step->high, step, element);
        return;
    case ATOM_SHIFT:
    case ATOM_LIST:
        check_inside(paths, atom->inner, element);
        follow_mapping(paths, atom->inner, 1, atom->inner->size, step, element);
        return;
    case ATOM_LINEAR:
        for (int64_t i = 0; i < atom->part_count; i++)
            follow_mapping(paths, atom->parts[i], 1, atom->parts[i]->size, step, element);
        return;
    case ATOM_SKEW:
        follow_atom(paths, atom->base, 1, atom->base->size, step, element);
        return;
    }
}

static void follow_atom(Paths *paths, const Atom *atom, int64_t low, int64_t high, const Step *from,
                        int64_t element)
{
    Step *step = arena_new(paths->arena, Step, 1);
    *step = (Step){atom, low, high, from, element};
    follow_parts(paths, atom, step, element);
}

static void follow_term(Paths *paths, const Factor *factor, int64_t element)
{
    int64_t high = saturating_mul(factor->term.stride, factor->resize);
    if (factor->resize > 1)
        follow_atom(paths, factor->term.atom, factor->term.stride, high, NULL, element);
}

static const Step *find_step(const Step *path, const Atom *atom)
{
    for (; path; path = path->from)
        if (atom_equal(path->atom, atom))
            return path;
    return NULL;
}

// The shared atom nearest to what was written, and whether both take the same digits of it. What
// both come through together is no meeting.
static bool overlap(const Step *a, const Step *b)
{
    const Step *meeting = NULL, *other = NULL;
    for (const Step *step = a; step; step = step->from) {
        const Step *found = find_step(b, step->atom);
        if (found && found != step) {
            meeting = step;
            other = found;
        }
    }
    return meeting && meeting->low < other->high && other->low < meeting->high;
}

static bool find_overlap(const Paths *paths, const Step **first, const Step **second)
{
    for (int64_t i = 0; i < paths->count; i++) {
        for (int64_t k = i + 1; k < paths->count; k++) {
            if (!overlap(paths->items[i], paths->items[k]))
                continue;
            *first = paths->items[i];
            *second = paths->items[k];
            return true;
        }
    }
    *first = paths->first;
    *second = paths->second;
    return paths->first;
}

bool mapping_has_overlap(Arena *arena, const Mapping *mapping)
{
    Paths paths = {.arena = arena};
    const Step *first, *second;
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding)
            follow_term(&paths, &mapping->factors[i], i);
    return find_overlap(&paths, &first, &second);
}

static void report(DiagList *diags, const ExprList *elements, const Step *first, const Step *second)
{
    const Expr *a = elements->items[first->element], *b = elements->items[second->element];
    Str a_text = expr_text(diags->arena, a), b_text = expr_text(diags->arena, b);
    const char *name = first->atom->name;
    int64_t low = max_i64(first->low, second->low);
    Diag *diag;
    if (a == b) {
        diag = diag_add(diags, DIAG_FACTORS_OVERLAP, a->span, "`{}` gives a part of `{}` twice",
                        a_text, name);
    } else {
        bool same = str_equal(a_text, b_text);
        diag = same ? diag_add(diags, DIAG_FACTORS_OVERLAP, b->span,
                               "`{}` stands in this mapping twice", b_text)
                    : diag_add(diags, DIAG_FACTORS_OVERLAP, b->span,
                               "`{}` and `{}` both give a part of `{}`", a_text, b_text, name);
        diag_note(diag, a->span, "given first here");
    }
    int64_t high = min_i64(first->high, second->high);
    StrBuf shared = {.arena = diags->arena};
    term_print(&shared, &(Term){first->atom, low, ceil_div(high, low)}, ceil_div(high, low));
    diag_help(diag, "both cover `{}`; let one of them end where the other begins",
              buf_str(&shared));
}

enum { FEW_AXES = 16 };

typedef struct {
    const Atom *items[FEW_AXES];
    int32_t count;
} FewAxes;

// Whether an axis may stand twice in an expression. A look that costs little: most name each axis
// once, and then nothing can overlap.
static bool may_repeat(const Expr *expr, FewAxes *seen)
{
    if (expr->kind == EXPR_ATOM) {
        for (int32_t i = 0; i < seen->count; i++)
            if (atom_equal(seen->items[i], expr->atom))
                return true;
        if (seen->count == FEW_AXES || expr->atom->kind != ATOM_AXIS)
            return true;
        seen->items[seen->count++] = expr->atom;
        return false;
    }
    if (expr->inner)
        return may_repeat(expr->inner, seen);
    for (int64_t i = 0; expr->items && i < expr->count; i++)
        if (may_repeat(expr->items[i], seen))
            return true;
    return expr->kind == EXPR_LINEAR;
}

bool expr_check_overlap(DiagList *diags, const Expr *expr)
{
    FewAxes seen = {.count = 0};
    if (!may_repeat(expr, &seen))
        return true;
    ExprList elements = {0};
    Paths paths = {.arena = diags->arena};
    const Step *first, *second;
    expr_elements(diags->arena, expr, &elements);
    for (int64_t i = 0; i < elements.count; i++) {
        Mapping mapping = mapping_of_expr(diags->arena, elements.items[i]);
        for (int64_t k = 0; k < mapping.count; k++)
            if (!mapping.factors[k].is_padding)
                follow_term(&paths, &mapping.factors[k], i);
    }
    if (!find_overlap(&paths, &first, &second))
        return true;
    report(diags, &elements, first, second);
    return false;
}

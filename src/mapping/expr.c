#include "mapping/expr.h"

#include "base/checked.h"
#include "mapping/cell.h"

#include <assert.h>
#include <string.h>

const char *const expr_signs[] = {
    [EXPR_STRIDE] = "/",  [EXPR_MODULO] = "%", [EXPR_RESIZE] = "=",
    [EXPR_PADDING] = "#", [EXPR_OFFSET] = "@",
};

static Expr *new_expr(DiagList *diags, ExprKind kind, Span span, int64_t size)
{
    Expr *expr = arena_new(diags->arena, Expr, 1);
    *expr = (Expr){.kind = kind, .span = span, .size = size, .depth = 1, .part_count = 1};
    return expr;
}

const Expr *expr_poison(DiagList *diags, Span span)
{
    return new_expr(diags, EXPR_POISON, span, 1);
}

const Expr *expr_identity(DiagList *diags, Span span)
{
    return new_expr(diags, EXPR_IDENTITY, span, 1);
}

const Expr *expr_atom(DiagList *diags, Span span, const Atom *atom)
{
    Expr *expr = new_expr(diags, EXPR_ATOM, span, atom->size);
    expr->atom = atom;
    return expr;
}

// Takes a child into the counts of `expr`. False, with a diagnostic, when it is too much.
static bool adopt(DiagList *diags, Expr *expr, const Expr *child)
{
    expr->depth = max_i64(expr->depth, child->depth + 1);
    expr->part_count += child->part_count;
    if (expr->depth <= EXPR_MOST_DEPTH && expr->part_count <= EXPR_MOST_PARTS)
        return true;
    diag_add(diags, DIAG_TOO_DEEP, expr->span,
             "the mapping is nested more than {} deep or has more than {} parts", EXPR_MOST_DEPTH,
             EXPR_MOST_PARTS);
    return false;
}

// The size of an axis is a fault of its declaration, which all of its uses have in common.
static void blame_axis(Diag *diag, const Expr *expr)
{
    if (expr->kind == EXPR_ATOM)
        diag->cause = expr->atom->declared;
}

static Diag *report_overflow(DiagList *diags, Span span)
{
    return diag_add(diags, DIAG_SIZE_OVERFLOW, span,
                    "the size of this mapping does not fit in 63 bits");
}

// The largest item is the most likely reason.
static void report_pair_overflow(DiagList *diags, Span span, const ExprList *items)
{
    const Expr *largest = items->items[0];
    for (int64_t i = 1; i < items->count; i++)
        if (items->items[i]->size > largest->size)
            largest = items->items[i];
    Diag *diag = report_overflow(diags, span);
    diag_label(diag, "`{}` has {} positions", expr_text(diags->arena, largest), largest->size);
    blame_axis(diag, largest);
}

// As an operator takes it.
static Str grouped(Arena *arena, const Expr *expr)
{
    bool group = expr->kind == EXPR_PAIR || expr->kind == EXPR_AROUND;
    return str_format(arena, group ? "[{}]" : "{}", expr_text(arena, expr));
}

// A padding that makes n divide it.
static void help_divide(Diag *diag, const Expr *inner, const char *op, int64_t n)
{
    int64_t padded;
    if (!checked_mul(ceil_div(inner->size, n), n, &padded))
        return;
    if (inner->kind == EXPR_PADDING) // pads further, not again
        inner = inner->inner;
    Str text = str_format(diag->arena, "{} # {} {} {}", grouped(diag->arena, inner), padded, op, n);
    diag_help(diag, "pad it first: `{}`", text);
    diag_edit(diag, diag->span, "{}", text);
}

static void report_zero(DiagList *diags, Span span, ExprKind kind, const Expr *inner)
{
    const char *sign = expr_signs[kind];
    Diag *diag = diag_add(diags, DIAG_OPERAND_ZERO, span,
                          "`{} {} 0`: the number behind `{}` must be at least 1",
                          grouped(diags->arena, inner), sign, sign);
    diag_label(diag, "{}",
               kind == EXPR_STRIDE   ? "it is the length of a step"
               : kind == EXPR_MODULO ? "it is a number of positions"
                                     : "it is a size");
}

static bool check_divides(DiagList *diags, Span span, const Expr *inner, const char *op, int64_t n)
{
    if (inner->size % n == 0)
        return true;
    Diag *diag = diag_add(diags, DIAG_NOT_DIVISIBLE, span,
                          "`{} {}` needs a size that is a multiple of {}, and `{}` has size {}", op,
                          n, n, expr_text(diags->arena, inner), inner->size);
    diag_label(diag, "{} is not a multiple of {}", inner->size, n);
    help_divide(diag, inner, op, n);
    blame_axis(diag, inner);
    return false;
}

static bool check_pads(DiagList *diags, Span span, const Expr *inner, int64_t n)
{
    if (n >= inner->size)
        return true;
    Str text = expr_text(diags->arena, inner);
    Diag *diag = diag_add(diags, DIAG_PADDING_SHRINKS, span,
                          "`# {}` pads to {} positions in all, and `{}` has {} already", n, n, text,
                          inner->size);
    diag_label(diag, "{} is more than {}", inner->size, n);
    Str kept = str_format(diags->arena, "{} = {}", grouped(diags->arena, inner), n);
    diag_help(diag, "to keep the first {} positions write `{}`", n, kept);
    diag_edit(diag, span, "{}", kept);
    blame_axis(diag, inner);
    return false;
}

static bool check_offset(DiagList *diags, Span span, const Expr *inner, int64_t at)
{
    if (at >= 0 && at < inner->size)
        return true;
    diag_add(diags, DIAG_OFFSET_RANGE, span,
             "position {} lies outside `{}`, which has positions 0 to {}", at,
             expr_text(diags->arena, inner), inner->size - 1);
    return false;
}

static bool check_operator(DiagList *diags, Span span, ExprKind kind, const Expr *inner, int64_t n)
{
    if (n == 0 && kind != EXPR_OFFSET) {
        report_zero(diags, span, kind, inner);
        return false;
    }
    if (kind == EXPR_STRIDE || kind == EXPR_MODULO)
        return check_divides(diags, span, inner, expr_signs[kind], n);
    if (kind == EXPR_PADDING)
        return check_pads(diags, span, inner, n);
    return kind != EXPR_OFFSET || check_offset(diags, span, inner, n);
}

const Expr *expr_operator(DiagList *diags, Span span, ExprKind kind, const Expr *inner, int64_t n)
{
    if (inner->kind == EXPR_POISON)
        return inner;
    int64_t size = kind == EXPR_STRIDE && n ? inner->size / n
                   : kind == EXPR_OFFSET    ? inner->size - n
                                            : n;
    Expr *expr = new_expr(diags, kind, span, size);
    expr->inner = inner;
    expr->number = n;
    if (!check_operator(diags, span, kind, inner, n) || !adopt(diags, expr, inner))
        return expr_poison(diags, span);
    return expr;
}

const Expr *expr_hole(DiagList *diags, Span span, const Expr *inner, int64_t n)
{
    const Expr *padded = expr_operator(diags, span, EXPR_PADDING, inner, n);
    if (padded->kind == EXPR_POISON)
        return padded;
    Expr *hole = arena_new(diags->arena, Expr, 1);
    *hole = *padded;
    hole->padding = PADDING_BOTTOM;
    return hole;
}

// False where an item is poisoned or the counts run over.
static bool adopt_items(DiagList *diags, Expr *expr, const ExprList *items)
{
    expr->items = items->items;
    expr->count = items->count;
    for (int64_t i = 0; i < items->count; i++)
        if (items->items[i]->kind == EXPR_POISON || !adopt(diags, expr, items->items[i]))
            return false;
    return true;
}

const Expr *expr_pair(DiagList *diags, Span span, const ExprList *items)
{
    if (items->count == 1)
        return items->items[0];
    Expr *expr = new_expr(diags, EXPR_PAIR, span, 1);
    if (!adopt_items(diags, expr, items))
        return expr_poison(diags, span);
    for (int64_t i = 0; i < items->count; i++) {
        if (!checked_mul(expr->size, items->items[i]->size, &expr->size)) {
            report_pair_overflow(diags, span, items);
            return expr_poison(diags, span);
        }
    }
    return expr;
}

const Expr *expr_list(DiagList *diags, Span span, const Expr *inner, const NumberList *offsets)
{
    if (inner->kind == EXPR_POISON)
        return inner;
    Expr *expr = new_expr(diags, EXPR_LIST, span, offsets->count);
    expr->inner = inner;
    expr->numbers = offsets->items;
    expr->count = offsets->count;
    expr->part_count += offsets->count;
    bool ok = adopt(diags, expr, inner);
    for (int64_t i = 0; i < offsets->count; i++)
        ok &= check_offset(diags, span, inner, offsets->items[i]);
    return ok ? expr : expr_poison(diags, span);
}

const Expr *expr_around(DiagList *diags, Span span, int64_t before, const Expr *inner,
                        int64_t after)
{
    if (inner->kind == EXPR_POISON)
        return inner;
    Expr *expr = new_expr(diags, EXPR_AROUND, span, 0);
    expr->inner = inner;
    expr->number = before;
    expr->after = after;
    if (!adopt(diags, expr, inner))
        return expr_poison(diags, span);
    if (!checked_add(before, inner->size, &expr->size) ||
        !checked_add(expr->size, after, &expr->size)) {
        report_overflow(diags, span);
        return expr_poison(diags, span);
    }
    return expr;
}

const Expr *expr_linear(DiagList *diags, Span span, const ExprList *items,
                        const NumberList *weights)
{
    assert(items->count == weights->count);
    Expr *expr = new_expr(diags, EXPR_LINEAR, span, 1);
    expr->numbers = weights->items;
    if (!adopt_items(diags, expr, items))
        return expr_poison(diags, span);
    for (int64_t i = 0; i < items->count; i++) {
        int64_t reach;
        if (weights->items[i] == 0) {
            diag_add(diags, DIAG_OPERAND_ZERO, span, "a weight is 0; it must be at least 1");
            return expr_poison(diags, span);
        }
        if (!checked_mul(items->items[i]->size - 1, weights->items[i], &reach) ||
            !checked_add(expr->size, reach, &expr->size)) {
            report_overflow(diags, span);
            return expr_poison(diags, span);
        }
    }
    return expr;
}

void expr_elements(Arena *arena, const Expr *expr, ExprList *elements)
{
    if (expr->kind != EXPR_PAIR) {
        *array_push(arena, elements, const Expr *) = expr;
        return;
    }
    for (int64_t i = 0; i < expr->count; i++)
        expr_elements(arena, expr->items[i], elements);
}

// Those of one atom are sorted; they go behind what is there.
static void append_axes(Arena *arena, const Atom *atom, AtomList *axes)
{
    AtomList own = {0};
    atom_axes(arena, atom, &own);
    for (int64_t i = 0; i < own.count; i++)
        if (!atoms_have(axes, own.items[i]))
            *array_push(arena, axes, const Atom *) = own.items[i];
}

void expr_axes(Arena *arena, const Expr *expr, AtomList *axes)
{
    if (expr->atom)
        append_axes(arena, expr->atom, axes);
    if (expr->inner)
        expr_axes(arena, expr->inner, axes);
    for (int64_t i = 0; expr->items && i < expr->count; i++)
        expr_axes(arena, expr->items[i], axes);
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// As a word of its own, in the quotes that mappings stand in.
static bool mentions(Str text, Str name)
{
    bool quoted = false;
    for (int64_t i = 0; i + name.len <= text.len; i++) {
        quoted ^= text.data[i] == '`';
        bool starts = quoted && i && !in_name(text.data[i - 1]);
        bool ends = i + name.len == text.len || !in_name(text.data[i + name.len]);
        if (starts && ends && str_starts_with(str_slice(text, i, text.len), name))
            return true;
    }
    return false;
}

void expr_note_twins(Diag *diag, const AtomList *axes)
{
    for (int64_t i = 0; i < axes->count; i++)
        for (int64_t k = i + 1; k < axes->count; k++) {
            const Atom *a = axes->items[i], *b = axes->items[k];
            if (a->size != b->size && strcmp(a->name, b->name) == 0 &&
                mentions(diag->message, str_from(a->name)))
                diag_note(diag, SPAN_NOWHERE,
                          "there are two axes `{}` here, one of size {} and one of size {}",
                          a->name, a->size, b->size);
        }
}

// ---- to factors

static Mapping *boxed(Arena *arena, Mapping mapping)
{
    Mapping *box = arena_new(arena, Mapping, 1);
    *box = mapping;
    return box;
}

static Mapping of_shift(Arena *arena, const Mapping *inner, int64_t shift, int64_t size)
{
    if (shift == 0)
        return mapping_resize(arena, inner, size);
    Atom atom = {.kind = ATOM_SHIFT, .inner = boxed(arena, *inner), .shift = shift, .size = size};
    return mapping_of_atom(arena, arena_copy(arena, &atom, sizeof atom));
}

static Mapping of_list(Arena *arena, const Expr *expr, const Mapping *inner)
{
    Atom atom = {.kind = ATOM_LIST,
                 .inner = boxed(arena, *inner),
                 .offsets = expr->numbers,
                 .size = expr->count};
    return mapping_of_atom(arena, arena_copy(arena, &atom, sizeof atom));
}

static Mapping of_linear(Arena *arena, const Expr *expr)
{
    const Mapping **parts = arena_new(arena, const Mapping *, (size_t)expr->count);
    for (int64_t i = 0; i < expr->count; i++)
        parts[i] = boxed(arena, mapping_of_expr(arena, expr->items[i]));
    Atom atom = {.kind = ATOM_LINEAR,
                 .parts = parts,
                 .weights = expr->numbers,
                 .part_count = expr->count,
                 .size = expr->size};
    return mapping_of_atom(arena, arena_copy(arena, &atom, sizeof atom));
}

// Sizes were checked when the expression was built, so nothing overflows here. Depth is bounded by
// EXPR_MOST_DEPTH, and every node is visited once.
Mapping mapping_of_expr(Arena *arena, const Expr *expr)
{
    MappingBuilder pair = mapping_build(arena);
    Mapping inner = expr->inner ? mapping_of_expr(arena, expr->inner) : mapping_identity();
    Mapping outer_part, inner_part;
    switch (expr->kind) {
    case EXPR_POISON:
    case EXPR_IDENTITY:
        return inner;
    case EXPR_ATOM:
        return mapping_of_atom(arena, expr->atom);
    case EXPR_PAIR:
        for (int64_t i = expr->count - 1; i >= 0; i--) {
            Mapping item = mapping_of_expr(arena, expr->items[i]);
            mapping_build_add(&pair, &item);
        }
        return mapping_build_done(&pair);
    case EXPR_LINEAR:
        return of_linear(arena, expr);
    case EXPR_STRIDE:
        mapping_split(arena, &inner, expr->number, &outer_part, &inner_part);
        return outer_part;
    case EXPR_MODULO:
        mapping_split(arena, &inner, expr->number, &outer_part, &inner_part);
        return inner_part;
    case EXPR_RESIZE:
        return mapping_resize(arena, &inner, expr->number);
    case EXPR_PADDING:
        return mapping_pad(arena, &inner, expr->number, expr->padding);
    case EXPR_OFFSET:
        return of_shift(arena, &inner, expr->number, expr->size);
    case EXPR_AROUND: // what stands after X is ordinary padding; only what stands before it shifts
        inner = of_shift(arena, &inner, -expr->number, expr->number + inner.size);
        return mapping_pad(arena, &inner, expr->size, PADDING_TOP);
    case EXPR_LIST:
        return of_list(arena, expr, &inner);
    }
    return inner;
}

// ---- to text

static void print_grouped(StrBuf *out, const Expr *expr)
{
    bool group = expr->kind == EXPR_PAIR || expr->kind == EXPR_AROUND;
    buf_add(out, group ? STR("[") : STR(""));
    expr_print(out, expr);
    buf_add(out, group ? STR("]") : STR(""));
}

static void print_around(StrBuf *out, const Expr *expr)
{
    if (expr->number)
        buf_format(out, "# {} + ", expr->number);
    print_grouped(out, expr->inner);
    if (expr->after || !expr->number)
        buf_format(out, " + # {}", expr->after);
}

// Brackets stand only where the grammar needs them: round pairs and padded sums that are operands.
// So what is printed parses back to the same tree.
void expr_print(StrBuf *out, const Expr *expr)
{
    switch (expr->kind) {
    case EXPR_POISON:
        buf_add(out, STR("?"));
        return;
    case EXPR_IDENTITY:
        buf_add(out, STR("1"));
        return;
    case EXPR_ATOM:
        buf_add(out, str_from(expr->atom->name));
        return;
    case EXPR_PAIR:
        for (int64_t i = 0; i < expr->count; i++) {
            buf_add(out, i ? STR(", ") : STR(""));
            print_grouped(out, expr->items[i]);
        }
        return;
    case EXPR_LINEAR:
        for (int64_t i = 0; i < expr->count; i++) {
            buf_add(out, i ? STR(", ") : STR("$("));
            print_grouped(out, expr->items[i]);
            buf_format(out, ":{}", expr->numbers[i]);
        }
        buf_add(out, STR(")"));
        return;
    case EXPR_AROUND:
        print_around(out, expr);
        return;
    case EXPR_LIST:
        print_grouped(out, expr->inner);
        for (int64_t i = 0; i < expr->count; i++)
            buf_format(out, "{}{}", i ? ", " : " @ [", expr->numbers[i]);
        buf_add(out, STR("]"));
        return;
    case EXPR_STRIDE:
    case EXPR_MODULO:
    case EXPR_RESIZE:
    case EXPR_PADDING:
    case EXPR_OFFSET:
        print_grouped(out, expr->inner);
        buf_format(out, " {}{} {}", expr_signs[expr->kind],
                   expr->padding == PADDING_BOTTOM ? "_" : "", expr->number);
        return;
    }
}

Str expr_text(Arena *arena, const Expr *expr)
{
    StrBuf buf = {.arena = arena};
    expr_print(&buf, expr);
    return buf_str(&buf);
}

#include "sample.h"

#include "base/checked.h"

#include <assert.h>

uint64_t rng_next(Rng *rng)
{
    uint64_t z = rng->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

int64_t rng_below(Rng *rng, int64_t n)
{
    assert(n > 0);
    return (int64_t)(rng_next(rng) % (uint64_t)n);
}

bool rng_chance(Rng *rng, int64_t percent)
{
    return rng_below(rng, 100) < percent;
}

int64_t sample_limit(Rng *rng, int64_t most)
{
    int64_t kind = rng_below(rng, 100);
    int64_t limit = kind < 60 ? 72 : kind < 88 ? 200 : kind < 98 ? 500 : 2000;
    return min_i64(limit, most);
}

int64_t sample_divisor(Rng *rng, int64_t n)
{
    int64_t found[64], count = 0;
    for (int64_t d = 1; d <= n && d <= 4000 && count < 64; d++)
        if (n % d == 0)
            found[count++] = d;
    return found[rng_below(rng, count)];
}

static int64_t axis_size(Rng *rng)
{
    static const int64_t usual[] = {2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 11, 12, 12, 1};
    return usual[rng_below(rng, COUNT_OF(usual))];
}

static const Atom *make_skew(Sample *sample)
{
    Atom *skew = arena_new(sample->arena, Atom, 1);
    const Atom **other = arena_new(sample->arena, const Atom *, 1);
    *other = sample->atoms[1];
    *skew = (Atom){.kind = ATOM_SKEW,
                   .name = "A'",
                   .size = sample->atoms[0]->size,
                   .base = sample->atoms[0],
                   .others = other,
                   .part_count = 1};
    return skew;
}

void sample_axes(Sample *sample, Rng *rng, int kinds)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    bool skewed = kinds & SAMPLE_SKEW;
    int64_t count = skewed ? 2 + rng_below(rng, 2) : 1 + rng_below(rng, 4);
    for (int64_t i = 0; i < count; i++)
        sample->atoms[i] = atom_axis(sample->arena, names[i], axis_size(rng));
    sample->atom_count = count;
    if (skewed)
        sample->atoms[sample->atom_count++] = make_skew(sample);
}

// ---- disjoint expressions: a pool of elements, cut, padded and joined; each is used once

typedef struct {
    Sample *sample;
    Rng *rng;
    int kinds;
    int64_t most;
    ExprList pool;
} Generator;

static const Expr *operate(Sample *sample, ExprKind kind, const Expr *inner, int64_t n)
{
    return expr_operator(sample->diags, SPAN_NOWHERE, kind, inner, n);
}

static const Expr *pad_some(Generator *generator, const Expr *expr)
{
    int64_t size = expr->size, room = 1 + rng_below(generator->rng, 4);
    if (rng_chance(generator->rng, 50)) { // to a multiple
        int64_t unit = 2 + rng_below(generator->rng, 4);
        size = ceil_div(size, unit) * unit;
    } else {
        size += room;
    }
    return operate(generator->sample, EXPR_PADDING, expr, size);
}

static const Expr *shift_some(Generator *generator, const Expr *expr)
{
    Sample *sample = generator->sample;
    Rng *rng = generator->rng;
    if (rng_chance(rng, 40))
        return operate(sample, EXPR_OFFSET, expr, rng_below(rng, expr->size));
    if (rng_chance(rng, 60))
        return expr_around(sample->diags, SPAN_NOWHERE, rng_below(rng, 4), expr, rng_below(rng, 4));
    NumberList offsets = {0};
    int64_t step = 1 + rng_below(rng, 3);
    for (int64_t i = rng_below(rng, expr->size); i < expr->size && offsets.count < 5; i += step)
        *array_push(sample->arena, &offsets, int64_t) = i;
    return expr_list(sample->diags, SPAN_NOWHERE, expr, &offsets);
}

static const Expr *resize_some(Generator *generator, const Expr *expr)
{
    int64_t size = 1 + rng_below(generator->rng, expr->size + 3);
    return operate(generator->sample, EXPR_RESIZE, expr, size);
}

static void split_some(Generator *generator, int64_t at)
{
    Sample *sample = generator->sample;
    const Expr *whole = generator->pool.items[at];
    if (rng_chance(generator->rng, whole->kind == EXPR_PAIR ? 60 : 35) && whole->size > 1)
        whole = pad_some(generator, whole);
    int64_t n = sample_divisor(generator->rng, whole->size);
    const Expr *outer = operate(sample, EXPR_STRIDE, whole, n);
    const Expr *inner = operate(sample, EXPR_MODULO, whole, n);
    int64_t kept = rng_below(generator->rng, 12);
    generator->pool.items[at] = kept == 0 ? inner : outer;
    if (kept > 1)
        *array_push(sample->arena, &generator->pool, const Expr *) = inner;
}

static const Expr *remove_at(ExprList *list, int64_t at)
{
    const Expr *removed = list->items[at];
    for (int64_t i = at; i + 1 < list->count; i++)
        list->items[i] = list->items[i + 1];
    list->count--;
    return removed;
}

static int64_t pool_size(const ExprList *pool)
{
    int64_t size = 1;
    for (int64_t i = 0; i < pool->count; i++)
        size *= min_i64(pool->items[i]->size, 1 << 20);
    return size;
}

static void join_some(Generator *generator)
{
    Sample *sample = generator->sample;
    ExprList items = {0};
    int64_t wanted = 2 + rng_below(generator->rng, 2);
    while (items.count < wanted && generator->pool.count > 0)
        *array_push(sample->arena, &items, const Expr *) =
            remove_at(&generator->pool, rng_below(generator->rng, generator->pool.count));
    *array_push(sample->arena, &generator->pool, const Expr *) =
        expr_pair(sample->diags, SPAN_NOWHERE, &items);
}

static void step_pool(Generator *generator)
{
    Rng *rng = generator->rng;
    ExprList *pool = &generator->pool;
    int64_t at = rng_below(rng, pool->count), what = rng_below(rng, 100);
    // composites are what is hard: they are cut more often than others
    for (int64_t i = 0; i < pool->count && pool->items[at]->kind != EXPR_PAIR; i++)
        at = pool->items[i]->kind == EXPR_PAIR ? i : at;
    const Expr *one = pool->items[at];
    bool plain = generator->kinds & SAMPLE_PLAIN;
    if (what < 40)
        split_some(generator, at);
    else if (what < 58)
        pool->items[at] = pad_some(generator, one);
    else if (what < 76 && pool->count > 1 && !plain)
        join_some(generator);
    else if (what < 84 && (generator->kinds & SAMPLE_RESIZE))
        pool->items[at] = resize_some(generator, one);
    else if (what < 90 && (generator->kinds & SAMPLE_SHIFT))
        pool->items[at] = shift_some(generator, one);
    else if (what < 93 && pool->count > 1)
        remove_at(pool, at);
}

static void shuffle(Rng *rng, ExprList *list)
{
    for (int64_t i = list->count - 1; i > 0; i--) {
        int64_t k = rng_below(rng, i + 1);
        const Expr *kept = list->items[i];
        list->items[i] = list->items[k];
        list->items[k] = kept;
    }
}

static const Expr *linear_of(Generator *generator)
{
    Sample *sample = generator->sample;
    NumberList weights = {0};
    ExprList items = {0};
    for (int64_t i = 0; i < 2 && generator->pool.count > 0; i++) {
        *array_push(sample->arena, &items, const Expr *) = remove_at(&generator->pool, 0);
        *array_push(sample->arena, &weights, int64_t) = 1 + rng_below(generator->rng, 3);
    }
    return expr_linear(sample->diags, SPAN_NOWHERE, &items, &weights);
}

static const Expr *sample_disjoint(Generator *generator)
{
    Sample *sample = generator->sample;
    Rng *rng = generator->rng;
    for (int64_t i = 0; i < sample->atom_count; i++)
        if (!(sample->atom_count > 3 && i == 0 && sample->atoms[3]->kind == ATOM_SKEW) &&
            rng_chance(rng, 85) && sample->atoms[i]->kind == ATOM_AXIS)
            *array_push(sample->arena, &generator->pool, const Expr *) =
                expr_atom(sample->diags, SPAN_NOWHERE, sample->atoms[i]);
    if (generator->kinds & SAMPLE_SKEW) { // in place of the axis it runs along
        generator->pool.count = 0;
        for (int64_t i = 1; i < sample->atom_count; i++)
            *array_push(sample->arena, &generator->pool, const Expr *) =
                expr_atom(sample->diags, SPAN_NOWHERE, sample->atoms[i]);
    }
    if (generator->pool.count == 0)
        return expr_identity(sample->diags, SPAN_NOWHERE);
    int64_t linear_at = generator->kinds & SAMPLE_LINEAR ? rng_below(rng, 6) : -1;
    for (int64_t steps = rng_below(rng, 12), i = 0; i < steps; i++) {
        if (i == linear_at) {
            const Expr *linear = linear_of(generator);
            *array_push(sample->arena, &generator->pool, const Expr *) = linear;
        }
        step_pool(generator);
    }
    while (generator->pool.count > 1 && pool_size(&generator->pool) > generator->most)
        remove_at(&generator->pool, rng_below(rng, generator->pool.count));
    if (rng_chance(rng, 70))
        shuffle(rng, &generator->pool);
    const Expr *whole = expr_pair(sample->diags, SPAN_NOWHERE, &generator->pool);
    return rng_chance(rng, 20) ? pad_some(generator, whole) : whole;
}

// ---- any expressions

static const Expr *sample_any(Generator *generator, int64_t depth)
{
    Sample *sample = generator->sample;
    Rng *rng = generator->rng;
    if (depth == 0 || rng_chance(rng, 15)) {
        if (rng_chance(rng, 5))
            return expr_identity(sample->diags, SPAN_NOWHERE);
        return expr_atom(sample->diags, SPAN_NOWHERE,
                         sample->atoms[rng_below(rng, sample->atom_count)]);
    }
    if (rng_chance(rng, 35)) {
        ExprList items = {0};
        for (int64_t i = 2 + rng_below(rng, 2); i > 0; i--)
            *array_push(sample->arena, &items, const Expr *) = sample_any(generator, depth - 1);
        return expr_pair(sample->diags, SPAN_NOWHERE, &items);
    }
    const Expr *inner = sample_any(generator, depth - 1);
    if (inner->kind == EXPR_POISON || inner->size > 4 * generator->most)
        return inner;
    int64_t what = rng_below(rng, 100);
    if (what < 10 && (generator->kinds & SAMPLE_SHIFT))
        return shift_some(generator, inner);
    if (what < 25 && (generator->kinds & SAMPLE_RESIZE))
        return resize_some(generator, inner);
    if (what < 50)
        return pad_some(generator, inner);
    return operate(sample, what < 75 ? EXPR_STRIDE : EXPR_MODULO, inner,
                   sample_divisor(rng, inner->size));
}

const Expr *sample_expr(Sample *sample, Rng *rng, int kinds, int64_t most)
{
    for (;;) {
        Generator generator = {.sample = sample, .rng = rng, .kinds = kinds, .most = most};
        const Expr *expr = kinds & SAMPLE_DISJOINT ? sample_disjoint(&generator)
                                                   : sample_any(&generator, 2 + rng_below(rng, 4));
        if (expr->kind != EXPR_POISON && expr->size <= most)
            return expr;
    }
}

// ---- related expressions

static const Expr *pair_of(Sample *sample, const Expr *outer, const Expr *inner)
{
    ExprList items = {0};
    *array_push(sample->arena, &items, const Expr *) = outer;
    *array_push(sample->arena, &items, const Expr *) = inner;
    return expr_pair(sample->diags, SPAN_NOWHERE, &items);
}

// Brackets round neighbours, or nested brackets opened.
static const Expr *regroup(Sample *sample, Rng *rng, const Expr *expr)
{
    ExprList items = {0};
    int64_t at = rng_below(rng, expr->count - 1);
    bool open = rng_chance(rng, 50);
    for (int64_t i = 0; i < expr->count; i++) {
        const Expr *item = expr->items[i];
        if (open && item->kind == EXPR_PAIR) {
            expr_elements(sample->arena, item, &items);
        } else if (!open && i == at && expr->count > 2) {
            *array_push(sample->arena, &items, const Expr *) =
                pair_of(sample, item, expr->items[++i]);
        } else {
            *array_push(sample->arena, &items, const Expr *) = item;
        }
    }
    return expr_pair(sample->diags, SPAN_NOWHERE, &items);
}

// [X # n, Y] as [X, Y] # n|Y|
static const Expr *float_padding(Sample *sample, const Expr *expr)
{
    const Expr *first = expr->items[0];
    if (first->kind != EXPR_PADDING)
        return expr;
    ExprList items = {0};
    for (int64_t i = 0; i < expr->count; i++)
        *array_push(sample->arena, &items, const Expr *) = i ? expr->items[i] : first->inner;
    return operate(sample, EXPR_PADDING, expr_pair(sample->diags, SPAN_NOWHERE, &items),
                   expr->size);
}

static const Expr *rewrite_node(Sample *sample, Rng *rng, const Expr *node)
{
    int64_t n = sample_divisor(rng, node->size);
    const Expr *one = expr_identity(sample->diags, SPAN_NOWHERE);
    switch (rng_below(rng, 9)) {
    case 0:
    case 1:
        return pair_of(sample, operate(sample, EXPR_STRIDE, node, n),
                       operate(sample, EXPR_MODULO, node, n));
    case 2:
        return operate(sample, rng_chance(rng, 50) ? EXPR_PADDING : EXPR_RESIZE, node, node->size);
    case 3:
        return rng_chance(rng, 50) ? operate(sample, EXPR_STRIDE, node, 1)
                                   : operate(sample, EXPR_MODULO, node, node->size);
    case 4:
        return rng_chance(rng, 50) ? pair_of(sample, one, node) : pair_of(sample, node, one);
    case 5:
        if (node->kind == EXPR_MODULO) // X % k as X % km % k
            return operate(
                sample, EXPR_MODULO,
                operate(sample, EXPR_MODULO, node->inner,
                        node->number * sample_divisor(rng, node->inner->size / node->number)),
                node->number);
        return node;
    case 6:
        if (node->kind != EXPR_STRIDE)
            return node;
        n = sample_divisor(rng, node->number); // X / k as X / n / (k / n)
        return operate(sample, EXPR_STRIDE, operate(sample, EXPR_STRIDE, node->inner, n),
                       node->number / n);
    default:
        if (node->kind == EXPR_PAIR)
            return rng_chance(rng, 60) ? regroup(sample, rng, node) : float_padding(sample, node);
        return node;
    }
}

const Expr *sample_rewritten(Sample *sample, Rng *rng, const Expr *expr)
{
    for (int64_t times = 1 + rng_below(rng, 3); times > 0; times--) {
        int64_t at = rng_below(rng, tree_count(expr));
        const Expr *by = rewrite_node(sample, rng, tree_node(expr, at));
        const Expr *next = tree_replace(sample->diags, expr, at, by);
        if (next->kind != EXPR_POISON)
            expr = next;
    }
    return expr;
}

static const Expr *mutate_node(Sample *sample, Rng *rng, const Expr *node)
{
    ExprList items = {0};
    switch (node->kind) {
    case EXPR_PAIR:
        for (int64_t i = 0; i < node->count; i++)
            *array_push(sample->arena, &items, const Expr *) = node->items[i];
        shuffle(rng, &items);
        return expr_pair(sample->diags, SPAN_NOWHERE, &items);
    case EXPR_STRIDE:
    case EXPR_MODULO:
        if (rng_chance(rng, 50))
            return operate(sample, node->kind == EXPR_STRIDE ? EXPR_MODULO : EXPR_STRIDE,
                           node->inner, node->inner->size / node->number);
        return tree_with_number(sample->diags, node, sample_divisor(rng, node->inner->size));
    case EXPR_PADDING:
    case EXPR_RESIZE:
    case EXPR_OFFSET:
    case EXPR_AROUND:
        return tree_with_number(sample->diags, node,
                                max_i64(1, node->number - 2 + rng_below(rng, 5)));
    case EXPR_ATOM:
        return expr_atom(sample->diags, SPAN_NOWHERE,
                         sample->atoms[rng_below(rng, sample->atom_count)]);
    case EXPR_POISON:
    case EXPR_IDENTITY:
    case EXPR_LIST:
    case EXPR_LINEAR:
        break;
    }
    return node;
}

const Expr *sample_mutated(Sample *sample, Rng *rng, const Expr *expr)
{
    for (int64_t tries = 0; tries < 20; tries++) {
        int64_t at = rng_below(rng, tree_count(expr));
        const Expr *by = mutate_node(sample, rng, tree_node(expr, at));
        const Expr *next = tree_replace(sample->diags, expr, at, by);
        // most of the time of one size: others are told apart at once
        if (next->kind != EXPR_POISON && !tree_equal(next, expr) &&
            (next->size == expr->size || rng_chance(rng, 5)) && next->size <= 4000)
            return next;
    }
    return expr;
}

// ---- what a sample is checked with

Scope sample_scope(const Sample *sample, Arena *arena)
{
    Scope scope = scope_new(arena);
    DiagList diags = {.arena = arena};
    for (int64_t i = 0; i < sample->atom_count; i++) {
        const Atom *atom = sample->atoms[i];
        if (atom->kind == ATOM_AXIS)
            scope_add_axis(&scope, &diags, SPAN_NOWHERE, str_from(atom->name), atom->size);
        else
            scope_add_skew(&scope, &diags, SPAN_NOWHERE, str_from(atom->name), atom);
    }
    return scope;
}

BruteAxes sample_brute_axes(const Sample *sample)
{
    return brute_axes(sample->scratch, sample->atoms, sample->atom_count);
}

Str sample_axes_text(Arena *arena, const Sample *sample)
{
    StrBuf buf = {.arena = arena};
    for (int64_t i = 0; i < sample->atom_count; i++) {
        const Atom *atom = sample->atoms[i];
        buf_format(&buf, "{}{}=", i ? "," : "", atom->name);
        if (atom->kind == ATOM_AXIS)
            buf_format(&buf, "{}", atom->size);
        else
            buf_format(&buf, "{}-{}", atom->base->name, atom->others[0]->name);
    }
    return buf_str(&buf);
}

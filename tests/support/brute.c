#include "brute.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- the tree in a form in which equal operands are one node

typedef enum {
    NODE_ONE,
    NODE_AXIS,  // axis or skewed axis
    NODE_STEPS, // digit i contributes i * number to `inner`
    NODE_FIRST, // the first positions of `inner`
    NODE_PAD,   // `inner` and padding
    NODE_PAIR,
    NODE_SHIFT, // position i is position i + number of `inner`
    NODE_PICK,  // position i is position numbers[i] of `inner`
    NODE_SUM,   // a linear combination
} NodeKind;

typedef struct Node Node;

struct Node {
    NodeKind kind;
    int64_t size;
    int64_t weight; // more than that of anything inside
    const Atom *axis;
    const Node *inner;
    int64_t number;
    const Node **items;
    const int64_t *numbers;
    int64_t count;
};

typedef struct {
    ARRAY(const Node *);
} NodeList;

typedef struct {
    Arena *arena;
    NodeList all;
} Tree;

static bool same_axis(const Atom *a, const Atom *b)
{
    return a->kind == b->kind && a->size == b->size && strcmp(a->name, b->name) == 0;
}

static bool same_node(const Node *a, const Node *b)
{
    if (a->kind != b->kind || a->size != b->size || a->inner != b->inner ||
        a->number != b->number || a->count != b->count)
        return false;
    if (a->kind == NODE_AXIS && !same_axis(a->axis, b->axis))
        return false;
    for (int64_t i = 0; i < a->count; i++) {
        if (a->items && b->items && a->items[i] != b->items[i])
            return false;
        if (a->numbers && a->numbers[i] != b->numbers[i])
            return false;
    }
    return true;
}

static const Node *make(Tree *tree, Node node)
{
    node.weight = 1 + (node.inner ? node.inner->weight : 0);
    for (int64_t i = 0; node.items && i < node.count; i++)
        node.weight += node.items[i]->weight;
    for (int64_t i = 0; i < tree->all.count; i++)
        if (same_node(tree->all.items[i], &node))
            return tree->all.items[i];
    Node *kept = arena_new(tree->arena, Node, 1);
    *kept = node;
    *array_push(tree->arena, &tree->all, const Node *) = kept;
    return kept;
}

static const Node *make_one(Tree *tree)
{
    return make(tree, (Node){.kind = NODE_ONE, .size = 1});
}

static const Node *make_pad(Tree *tree, const Node *inner, int64_t size)
{
    if (inner->kind == NODE_PAD)
        inner = inner->inner;
    if (inner->size == size)
        return inner;
    return make(tree, (Node){.kind = NODE_PAD, .size = size, .inner = inner});
}

// Pairs are flat and without `1`; padding of the outermost item is padding of the whole.
static const Node *make_pair(Tree *tree, const NodeList *parts)
{
    NodeList flat = {0};
    int64_t size = 1, inside = 1;
    for (int64_t i = 0; i < parts->count; i++) {
        const Node *part = parts->items[i];
        bool nested = part->kind == NODE_PAIR;
        size *= part->size;
        if (flat.count == 0 && part->kind == NODE_PAD) {
            part = part->inner;
            nested = part->kind == NODE_PAIR;
        }
        inside *= part->size;
        for (int64_t k = 0; nested && k < part->count; k++)
            *array_push(tree->arena, &flat, const Node *) = part->items[k];
        if (!nested && part->kind != NODE_ONE)
            *array_push(tree->arena, &flat, const Node *) = part;
    }
    const Node *whole = flat.count == 0   ? make_one(tree)
                        : flat.count == 1 ? flat.items[0]
                                          : make(tree, (Node){.kind = NODE_PAIR,
                                                              .size = inside,
                                                              .items = flat.items,
                                                              .count = flat.count});
    return make_pad(tree, whole, size);
}

// Position 0 holds index 0 of every axis.
static bool starts_at_zero(const Node *node)
{
    if (node->kind == NODE_SHIFT || node->kind == NODE_PICK ||
        (node->kind == NODE_AXIS && node->axis->kind != ATOM_AXIS))
        return false;
    for (int64_t i = 0; node->items && i < node->count; i++)
        if (!starts_at_zero(node->items[i]))
            return false;
    return !node->inner || starts_at_zero(node->inner);
}

// The first positions of a list of parts end with a whole number of the outermost part.
static const Node *first_of_pair(Tree *tree, const Node *pair, int64_t size);

static const Node *make_first(Tree *tree, const Node *inner, int64_t size)
{
    if (inner->kind == NODE_PAD || (inner->kind == NODE_FIRST && size <= inner->size))
        inner = inner->inner;
    if (size >= inner->size)
        return make_pad(tree, inner, size);
    if (size == 1 && starts_at_zero(inner))
        return make_one(tree);
    if (inner->kind == NODE_STEPS) {
        Node shorter = *inner;
        shorter.size = size;
        return make(tree, shorter);
    }
    if (inner->kind == NODE_AXIS)
        return make(tree, (Node){.kind = NODE_STEPS, .size = size, .inner = inner, .number = 1});
    if (inner->kind == NODE_PAIR && size % (inner->size / inner->items[0]->size) == 0)
        return first_of_pair(tree, inner, size);
    return make(tree, (Node){.kind = NODE_FIRST, .size = size, .inner = inner});
}

static const Node *first_of_pair(Tree *tree, const Node *pair, int64_t size)
{
    NodeList parts = {0};
    int64_t digits = size / (pair->size / pair->items[0]->size);
    for (int64_t i = 0; i < pair->count; i++)
        *array_push(tree->arena, &parts, const Node *) =
            i ? pair->items[i] : make_first(tree, pair->items[0], digits);
    return make_pair(tree, &parts);
}

static const Node *make_steps(Tree *tree, const Node *inner, int64_t step, int64_t size)
{
    const Node *atom = inner->kind == NODE_PAD ? inner->inner : inner;
    if (step == 1 && size >= atom->size)
        return make_pad(tree, atom, size);
    if (atom->kind == NODE_ONE || (size == 1 && starts_at_zero(atom)))
        return make_pad(tree, make_one(tree), size);
    return make(tree, (Node){.kind = NODE_STEPS, .size = size, .inner = atom, .number = step});
}

static const Node *node_of(Tree *tree, const Expr *expr);

static const Node *node_of_items(Tree *tree, const Expr *expr)
{
    NodeList parts = {0};
    for (int64_t i = 0; i < expr->count; i++)
        *array_push(tree->arena, &parts, const Node *) = node_of(tree, expr->items[i]);
    if (expr->kind == EXPR_PAIR)
        return make_pair(tree, &parts);
    return make(tree, (Node){.kind = NODE_SUM,
                             .size = expr->size,
                             .items = parts.items,
                             .numbers = expr->numbers,
                             .count = expr->count});
}

static const Node *make_shift(Tree *tree, const Node *inner, int64_t shift, int64_t size)
{
    if (shift == 0)
        return make_first(tree, inner, size);
    return make(tree, (Node){.kind = NODE_SHIFT, .size = size, .inner = inner, .number = shift});
}

// Everything made of one X.
static const Node *node_of_operator(Tree *tree, const Expr *expr)
{
    assert(expr->inner);
    const Node *inner = node_of(tree, expr->inner);
    switch (expr->kind) {
    case EXPR_STRIDE:
        return make_steps(tree, inner, expr->number, expr->inner->size / expr->number);
    case EXPR_MODULO:
        return make_steps(tree, inner, 1, expr->number);
    case EXPR_RESIZE:
        return make_first(tree, inner, expr->number);
    case EXPR_PADDING:
        return make_pad(tree, inner, expr->number);
    case EXPR_OFFSET:
        return make_shift(tree, inner, expr->number, expr->inner->size - expr->number);
    case EXPR_AROUND:
        inner = make_shift(tree, inner, -expr->number, expr->number + expr->inner->size);
        return make_pad(tree, inner, inner->size + expr->after);
    case EXPR_LIST:
        if (expr->count == 1 && expr->numbers[0] == 0)
            return make_first(tree, inner, 1);
        return make(tree, (Node){.kind = NODE_PICK,
                                 .size = expr->count,
                                 .inner = inner,
                                 .numbers = expr->numbers,
                                 .count = expr->count});
    case EXPR_POISON:
    case EXPR_IDENTITY:
    case EXPR_ATOM:
    case EXPR_PAIR:
    case EXPR_LINEAR:
        break;
    }
    return inner;
}

static const Node *node_of(Tree *tree, const Expr *expr)
{
    if (expr->inner)
        return node_of_operator(tree, expr);
    if (expr->items)
        return node_of_items(tree, expr);
    if (expr->kind != EXPR_ATOM || (expr->size == 1 && expr->atom->kind == ATOM_AXIS))
        return make_one(tree);
    return make(tree, (Node){.kind = NODE_AXIS, .size = expr->size, .axis = expr->atom});
}

// ---- one position

enum { MOST_SUMS = 64 };

typedef struct {
    const Node *atom;
    int64_t value;
} Sum;

// A way a position can be told so far.
typedef struct {
    Sum sums[MOST_SUMS];
    int64_t count;
} Way;

typedef struct {
    ARRAY(uint64_t);
} Keys;

typedef struct {
    Arena *arena;
    const BruteAxes *axes;
    Keys keys;
} Finder;

static void add(Way *way, const Node *atom, int64_t value)
{
    for (int64_t i = 0; i < way->count; i++) {
        if (way->sums[i].atom == atom) {
            way->sums[i].value += value;
            return;
        }
    }
    assert(way->count < MOST_SUMS);
    way->sums[way->count++] = (Sum){atom, value};
}

// Adds what position `at` of `node` contributes. False: it is padding.
static bool contribute(Way *way, const Node *node, int64_t at)
{
    if (at < 0 || at >= node->size)
        return false;
    switch (node->kind) {
    case NODE_ONE:
        return true;
    case NODE_AXIS:
    case NODE_SHIFT:
    case NODE_PICK:
    case NODE_SUM:
        add(way, node, at);
        return true;
    case NODE_STEPS:
        add(way, node->inner, at * node->number);
        return true;
    case NODE_FIRST:
    case NODE_PAD:
        return contribute(way, node->inner, at);
    case NODE_PAIR:
        assert(node->items);
        for (int64_t i = node->count - 1; i >= 0; i--) {
            if (!contribute(way, node->items[i], at % node->items[i]->size))
                return false;
            at /= node->items[i]->size;
        }
        return true;
    }
    return false;
}

static void finish(Finder *finder, const Way *way)
{
    int64_t values[32] = {0};
    uint64_t key = 0;
    assert(finder->axes->count <= 32);
    for (int64_t i = 0; i < way->count; i++) {
        const Sum *sum = &way->sums[i];
        if (sum->value >= sum->atom->size)
            return;
        if (sum->atom->axis->kind == ATOM_AXIS)
            values[brute_find_axis(finder->axes, sum->atom->axis)] += sum->value;
    }
    for (int64_t i = 0; i < way->count; i++) {
        const Atom *skew = way->sums[i].atom->axis;
        if (skew->kind != ATOM_SKEW)
            continue;
        int64_t base = way->sums[i].value;
        for (int64_t k = 0; k < skew->part_count; k++)
            base += values[brute_find_axis(finder->axes, skew->others[k])];
        values[brute_find_axis(finder->axes, skew->base)] += base % skew->size;
    }
    for (int64_t i = 0; i < finder->axes->count; i++) {
        if (values[i] >= finder->axes->items[i].atom->size)
            return;
        key += (uint64_t)(values[i] * finder->axes->items[i].radix);
    }
    *array_push(finder->arena, &finder->keys, uint64_t) = key;
}

static void open_atoms(Finder *finder, Way *way);

// Every choice of positions of parts k.. that adds up to `rest`.
static void open_sum(Finder *finder, const Way *way, const Node *sum, int64_t k, int64_t rest)
{
    assert(sum->items && sum->numbers);
    if (k == sum->count) {
        Way copy = *way;
        if (rest == 0)
            open_atoms(finder, &copy);
        return;
    }
    for (int64_t q = 0; q < sum->items[k]->size && q * sum->numbers[k] <= rest; q++) {
        Way copy = *way;
        if (contribute(&copy, sum->items[k], q))
            open_sum(finder, &copy, sum, k + 1, rest - q * sum->numbers[k]);
    }
}

static void open_atoms(Finder *finder, Way *way)
{
    int64_t largest = -1;
    for (int64_t i = 0; i < way->count; i++)
        if (way->sums[i].atom->kind != NODE_AXIS &&
            (largest < 0 || way->sums[i].atom->weight > way->sums[largest].atom->weight))
            largest = i;
    if (largest < 0) {
        finish(finder, way);
        return;
    }
    Sum next = way->sums[largest];
    const Node *atom = next.atom;
    way->sums[largest] = way->sums[--way->count];
    if (next.value >= atom->size)
        return;
    if (atom->kind == NODE_SUM) {
        open_sum(finder, way, atom, 0, next.value);
        return;
    }
    bool live = atom->kind == NODE_SHIFT  ? contribute(way, atom->inner, next.value + atom->number)
                : atom->kind == NODE_PICK ? contribute(way, atom->inner, atom->numbers[next.value])
                                          : contribute(way, atom, next.value);
    if (live)
        open_atoms(finder, way);
}

// ---- parts that stand twice

// Steps low .. high - 1 of an atom are given.
typedef struct {
    const Node *atom;
    int64_t low, high;
} Given;

typedef struct {
    ARRAY(Given);
    Arena *arena;
} GivenList;

static void give(GivenList *list, const Node *atom, int64_t low, int64_t high)
{
    high = high < atom->size ? high : atom->size;
    bool origin = !starts_at_zero(atom); // counts even where it contributes 0
    if (low < high || origin)
        *array_push(list->arena, list, Given) = (Given){atom, low, high > low ? high : low};
}

static void give_node(GivenList *list, const Node *node)
{
    switch (node->kind) {
    case NODE_ONE:
        return;
    case NODE_AXIS:
    case NODE_SHIFT:
    case NODE_PICK:
    case NODE_SUM:
        give(list, node, 1, node->size);
        return;
    case NODE_STEPS:
        give(list, node->inner, node->number, node->number * node->size);
        return;
    case NODE_FIRST:
    case NODE_PAD:
        give_node(list, node->inner);
        return;
    case NODE_PAIR:
        for (int64_t i = 0; i < node->count; i++)
            give_node(list, node->items[i]);
        return;
    }
}

// What steps low .. high - 1 of an atom give of the atoms inside it.
static void give_inside(GivenList *list, const Node *atom, int64_t low, int64_t high)
{
    for (int64_t i = 0; atom->kind == NODE_SUM && i < atom->count; i++)
        give_node(list, atom->items[i]);
    if (atom->kind == NODE_STEPS)
        give(list, atom->inner, low * atom->number, high * atom->number);
    else if (atom->kind == NODE_SHIFT || atom->kind == NODE_PICK)
        give_node(list, atom->inner);
    else if (atom->kind != NODE_SUM)
        give_node(list, atom);
}

// Takes all that is given of one atom out of the list; *low and *high become its bounds. False:
// some of it is given twice.
static bool take_atom(GivenList *list, const Node *atom, int64_t *low, int64_t *high)
{
    int64_t kept = 0;
    *low = INT64_MAX;
    *high = 0;
    for (int64_t i = 0; i < list->count; i++) {
        const Given given = list->items[i];
        for (int64_t k = i + 1; k < list->count; k++)
            if (given.atom == atom && list->items[k].atom == atom &&
                given.low < list->items[k].high && list->items[k].low < given.high)
                return false;
        if (given.atom != atom) {
            list->items[kept++] = given;
            continue;
        }
        *low = given.low < *low ? given.low : *low;
        *high = given.high > *high ? given.high : *high;
    }
    list->count = kept;
    return true;
}

bool brute_is_disjoint(Arena *arena, const Expr *expr)
{
    Tree tree = {.arena = arena};
    GivenList list = {.arena = arena};
    give_node(&list, node_of(&tree, expr));
    while (list.count) {
        const Node *heaviest = list.items[0].atom;
        for (int64_t i = 1; i < list.count; i++)
            if (list.items[i].atom->weight > heaviest->weight)
                heaviest = list.items[i].atom;
        int64_t low, high;
        if (!take_atom(&list, heaviest, &low, &high))
            return false;
        if (heaviest->kind != NODE_AXIS)
            give_inside(&list, heaviest, low, high);
    }
    return true;
}

// ---- tables

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

// Sorts the keys from `start` on and drops what stands twice.
static void close_cell(Keys *keys, int64_t start)
{
    if (keys->count - start < 2)
        return;
    assert(keys->items);
    qsort(keys->items + start, (size_t)(keys->count - start), sizeof(uint64_t), by_key);
    int64_t kept = start + 1;
    for (int64_t i = start + 1; i < keys->count; i++)
        if (keys->items[i] != keys->items[kept - 1])
            keys->items[kept++] = keys->items[i];
    keys->count = kept;
}

static BruteTable table_of(Finder *finder, const Node *root, int64_t from, int64_t size)
{
    BruteTable table = {.size = size,
                        .starts = arena_new(finder->arena, int64_t, (size_t)size + 1)};
    for (int64_t i = 0; i < size; i++) {
        Way way;
        way.count = 0;
        if (contribute(&way, root, from + i))
            open_atoms(finder, &way);
        close_cell(&finder->keys, table.starts[i]);
        table.starts[i + 1] = finder->keys.count;
    }
    table.keys = finder->keys.items;
    return table;
}

BruteTable brute_expr(Arena *arena, const BruteAxes *axes, const Expr *expr)
{
    Tree tree = {.arena = arena};
    Finder finder = {.arena = arena, .axes = axes};
    const Node *root = node_of(&tree, expr);
    assert(root->size == expr->size);
    return table_of(&finder, root, 0, expr->size);
}

BruteTable brute_expr_at(Arena *arena, const BruteAxes *axes, const Expr *expr, int64_t at)
{
    Tree tree = {.arena = arena};
    Finder finder = {.arena = arena, .axes = axes};
    return table_of(&finder, node_of(&tree, expr), at, 1);
}

BruteTable brute_mapping(Arena *arena, const BruteAxes *axes, const Mapping *mapping)
{
    BruteTable table = {.size = mapping->size,
                        .starts = arena_new(arena, int64_t, (size_t)mapping->size + 1)};
    Arena scratch = {0};
    arena_alloc(&scratch, 1, 1, 1);
    ArenaMark mark = arena_mark(&scratch);
    Keys keys = {0};
    for (int64_t i = 0; i < mapping->size; i++) {
        Cell cell = mapping_cell(&scratch, mapping, i);
        for (int64_t k = 0; k < cell.count; k++) {
            uint64_t key = 0;
            for (int64_t c = 0; c < cell.items[k].count; c++) {
                const Coordinate *coordinate = &cell.items[k].items[c];
                int64_t axis = brute_find_axis(axes, coordinate->axis);
                key += (uint64_t)(coordinate->value * axes->items[axis].radix);
            }
            *array_push(arena, &keys, uint64_t) = key;
        }
        close_cell(&keys, table.starts[i]);
        table.starts[i + 1] = keys.count;
        arena_reset(&scratch, mark);
    }
    arena_release(&scratch);
    table.keys = keys.items;
    return table;
}

BruteAxes brute_axes(Arena *arena, const Atom *const *atoms, int64_t count)
{
    BruteAxes axes = {0};
    int64_t radix = 1;
    for (int64_t i = 0; i < count; i++) {
        if (atoms[i]->kind != ATOM_AXIS)
            continue;
        *array_push(arena, &axes, BruteAxis) = (BruteAxis){atoms[i], radix};
        bool fits = !__builtin_mul_overflow(radix, atoms[i]->size, &radix);
        assert(fits);
        (void)fits;
    }
    return axes;
}

BruteAxes brute_axes_of_scope(Arena *arena, const Scope *scope)
{
    const Atom **atoms = arena_new(arena, const Atom *, (size_t)scope->count + 1);
    int64_t count = 0;
    for (int64_t i = 0; i < scope->count; i++)
        if (scope->items[i]->atom)
            atoms[count++] = scope->items[i]->atom;
    return brute_axes(arena, atoms, count);
}

int64_t brute_find_axis(const BruteAxes *axes, const Atom *atom)
{
    for (int64_t i = 0; i < axes->count; i++)
        if (axes->items[i].atom == atom || same_axis(axes->items[i].atom, atom))
            return i;
    assert(false && "an axis that was not declared");
    return -1;
}

int64_t brute_value(const BruteAxes *axes, uint64_t key, int64_t axis)
{
    const BruteAxis *one = &axes->items[axis];
    return (int64_t)(key / (uint64_t)one->radix % (uint64_t)one->atom->size);
}

bool brute_is_live(const BruteTable *table, int64_t at)
{
    return at >= 0 && at < table->size && table->starts[at + 1] > table->starts[at];
}

uint64_t brute_key(const BruteTable *table, int64_t at)
{
    assert(brute_is_live(table, at));
    return table->keys[table->starts[at]];
}

bool brute_same_cell(const BruteTable *a, int64_t i, const BruteTable *b, int64_t k)
{
    int64_t left = i < a->size ? a->starts[i + 1] - a->starts[i] : 0;
    int64_t right = k < b->size ? b->starts[k + 1] - b->starts[k] : 0;
    return left == right && (left == 0 || memcmp(a->keys + a->starts[i], b->keys + b->starts[k],
                                                 sizeof(uint64_t) * (size_t)left) == 0);
}

int64_t brute_difference(const BruteTable *a, const BruteTable *b)
{
    int64_t shared = a->size < b->size ? a->size : b->size;
    for (int64_t i = 0; i < shared; i++)
        if (!brute_same_cell(a, i, b, i))
            return i;
    return a->size == b->size ? -1 : shared;
}

bool brute_is_injective(Arena *arena, const BruteTable *table)
{
    int64_t count = table->size ? table->starts[table->size] : 0;
    if (count < 2)
        return true;
    uint64_t *keys = arena_copy(arena, table->keys, sizeof(uint64_t) * (size_t)count);
    qsort(keys, (size_t)count, sizeof(uint64_t), by_key);
    for (int64_t i = 1; i < count; i++)
        if (keys[i] == keys[i - 1])
            return false;
    for (int64_t i = 0; i < table->size; i++)
        if (table->starts[i + 1] > table->starts[i] + 1)
            return false;
    return true;
}

Str brute_cell_text(Arena *arena, const BruteAxes *axes, const BruteTable *table, int64_t at)
{
    StrBuf buf = {.arena = arena};
    if (!brute_is_live(table, at))
        return STR("padding");
    for (int64_t i = table->starts[at]; i < table->starts[at + 1]; i++) {
        bool any = false;
        if (i > table->starts[at])
            buf_add(&buf, STR(" | "));
        for (int64_t k = 0; k < axes->count; k++) {
            int64_t value = brute_value(axes, table->keys[i], k);
            if (!value)
                continue;
            buf_format(&buf, "{}{}={}", any ? " " : "", axes->items[k].atom->name, value);
            any = true;
        }
        if (!any)
            buf_add(&buf, STR("zero"));
    }
    return buf_str(&buf);
}

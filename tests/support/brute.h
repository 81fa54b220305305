// What a mapping means, by brute force: the judge of src/mapping.
//
// It reads the expression tree and enumerates every position; it shares nothing with the factor
// form. A position of an expression contributes to atoms: `A` contributes to the axis A, and
// `X / n` at i contributes i * n, `X % n` at i contributes i, to X without its outer padding.
// Contributions to one atom add up over the whole expression. Then the largest atom is opened: its
// sum is a position of it, which is padding, or contributes to smaller atoms, until only axes are
// left. An axis that reaches its size makes the cell padding. Shifted mappings, lists of positions
// and linear combinations are atoms of their own wherever they stand.
#ifndef CONTRA_TEST_BRUTE_H
#define CONTRA_TEST_BRUTE_H

#include "mapping/cell.h"
#include "mapping/expr.h"

// An index is one number: the value of each axis times its radix, added up.
typedef struct {
    const Atom *atom;
    int64_t radix;
} BruteAxis;

typedef struct {
    ARRAY(BruteAxis);
} BruteAxes;

// The cells of positions 0 .. size - 1: position i has the indices keys[starts[i]] up to
// keys[starts[i + 1] - 1], ascending, each once. None is padding.
typedef struct {
    int64_t size;
    int64_t *starts;
    uint64_t *keys;
} BruteTable;

// The plain axes among `atoms`. Their sizes multiply to less than 2^63.
BruteAxes brute_axes(Arena *arena, const Atom *const *atoms, int64_t count);
BruteAxes brute_axes_of_scope(Arena *arena, const Scope *scope);

BruteTable brute_expr(Arena *arena, const BruteAxes *axes, const Expr *expr);
// One position only, for mappings too large to enumerate: a table of size 1.
BruteTable brute_expr_at(Arena *arena, const BruteAxes *axes, const Expr *expr, int64_t at);

// The same form, filled by mapping_cell.
BruteTable brute_mapping(Arena *arena, const BruteAxes *axes, const Mapping *mapping);

// Position i of a and k of b hold the same. Beyond the size is padding.
bool brute_same_cell(const BruteTable *a, int64_t i, const BruteTable *b, int64_t k);
// The first position that differs, the smaller size where only the sizes do, or -1.
int64_t brute_difference(const BruteTable *a, const BruteTable *b);

bool brute_is_live(const BruteTable *table, int64_t at);
// The only index of a live position.
uint64_t brute_key(const BruteTable *table, int64_t at);
int64_t brute_value(const BruteAxes *axes, uint64_t key, int64_t axis);
// The position of an axis among `axes`, or -1.
int64_t brute_find_axis(const BruteAxes *axes, const Atom *atom);
// No index stands at two positions, and no position has two.
bool brute_is_injective(Arena *arena, const BruteTable *table);

// Every step of every atom is given at most once: no factors overlap.
bool brute_is_disjoint(Arena *arena, const Expr *expr);

// "A=1 B=2", "zero", "padding", "A=1 | B=2"
Str brute_cell_text(Arena *arena, const BruteAxes *axes, const BruteTable *table, int64_t at);

#endif

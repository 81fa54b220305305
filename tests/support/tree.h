// Expression trees taken apart and put together again, for generators and for shrinking.
#ifndef CONTRA_TEST_TREE_H
#define CONTRA_TEST_TREE_H

#include "mapping/expr.h"

// The same tree, whatever the spans.
bool tree_equal(const Expr *a, const Expr *b);

// Nodes are numbered from 0 in the order of writing, a node before what it is made of.
int64_t tree_count(const Expr *expr);
const Expr *tree_node(const Expr *expr, int64_t number);
// What node `number` directly consists of: child k, or NULL.
const Expr *tree_child(const Expr *expr, int64_t k);

// `expr` with one node replaced; poisoned where the constructors refuse the result.
const Expr *tree_replace(DiagList *diags, const Expr *expr, int64_t number, const Expr *by);

// A node like `expr` with other parts, or another number; NULL children are dropped.
const Expr *tree_with_children(DiagList *diags, const Expr *expr, const ExprList *children);
const Expr *tree_with_number(DiagList *diags, const Expr *expr, int64_t number);

// `expr` with every atom exchanged for the one of the same name among `atoms`.
const Expr *tree_with_atoms(DiagList *diags, const Expr *expr, const Atom *const *atoms,
                            int64_t count);

// A kind of node occurs.
bool tree_has(const Expr *expr, ExprKind kind);

// Sum of all numbers in the tree: shrinking makes it smaller.
int64_t tree_numbers(const Expr *expr);

#endif

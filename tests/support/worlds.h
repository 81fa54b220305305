// Axes, definitions and mappings from text, for tests that are tables of text.
#ifndef CONTRA_TEST_WORLDS_H
#define CONTRA_TEST_WORLDS_H

#include "mapping/expr.h"

typedef struct {
    Arena arena;
    DiagList diags;
    Scope scope;
} World;

// Fails the test where the axes are refused.
World *world_new(const char *axes);
void world_free(World *world);

// Fails the test where the text is refused.
const Expr *world_expr(World *world, const char *text);
Mapping world_mapping(World *world, const char *text);

// The diagnostics so far, one a line: "3-5 E0107\n".
const char *world_summary(World *world);

#endif

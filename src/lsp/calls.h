// Who calls whom.
#ifndef CONTRA_LSP_CALLS_H
#define CONTRA_LSP_CALLS_H

#include "lsp/answers.h"

typedef struct {
    ARRAY(const AstItem *);
} Functions;

// Adds the functions of the program that name this one.
void find_callers(Query *query, const Decl *decl, Functions *callers);
// Adds the places where they do.
void find_calls(Query *query, const Decl *decl, Spans *places);

#endif

// The features: a function a request, a file a subject.
#ifndef CONTRA_LSP_ANSWER_ANSWERS_H
#define CONTRA_LSP_ANSWER_ANSWERS_H

#include "lsp/program/analysis.h"
#include "lsp/server/internal.h"

#include "base/array.h"
#include "base/str.h"
#include "lang/syntax/lex.h"
#include "lang/types/signature.h"

#define METHOD(name, kind, answer) Feature answer;
#include "lsp/methods.def"
#undef METHOD

// ---- commands (command.c)

json_t *command_names(void);

// ---- semantic tokens (tokens.c)

json_t *token_legend(void);

// ---- diagnostics (diagnostics.c)

json_t *json_of_diag(const Query *query, const Diag *diag);

// ---- quick fixes

// The first new error that a checked program would have after these edits (actions.c); NULL: none.
const char *why_not_edited(const Query *query, const Crate *crate, const DiagHelp *edits);

// ---- who calls whom (calls.c)

typedef struct {
    ARRAY(const AstItem *);
} Functions;

// Adds the functions of the program that name this one.
void find_callers(Query *query, Decl *decl, Functions *callers);
// Adds the places where they do.
void find_calls(Query *query, Decl *decl, Spans *places);

// ---- what files declare (symbols.c)

bool item_is_kernel(const AstItem *item);
bool item_is_test(const AstItem *item);

// Adds those of a source to a list of `SymbolInformation`s.
void symbols_flatten(json_t *list, const Query *query, int32_t source);

#endif

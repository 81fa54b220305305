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

// What would be wrong with a program that was checked, if it were edited so (actions.c); NULL:
// nothing that is not wrong now.
const char *why_not_edited(const Query *query, const Crate *crate, const DiagHelp *edits);
// What may mend a call that lacks type arguments, or a stage before it (action_call.c).
DiagHelps call_fixes(const Query *query, const Diag *diag);

// ---- names (navigate.c)

// How often the program names a thing, its declaration left out.
int64_t query_use_count(Query *query, const Meaning *meaning);

// ---- who calls whom (calls.c)

typedef struct {
    ARRAY(const AstItem *);
} Functions;

// Adds the functions of the program that name this one.
void find_callers(Query *query, const Decl *decl, Functions *callers);
// Adds the places where they do.
void find_calls(Query *query, const Decl *decl, Spans *places);

// ---- what files declare (symbols.c)

bool item_is_kernel(const AstItem *item);
bool item_is_test(const AstItem *item);

// The `DocumentSymbol`s of a source.
json_t *symbols_of_source(const Query *query, int32_t source);
// Adds those of a source to a list of `SymbolInformation`s.
void symbols_flatten(json_t *list, const Query *query, int32_t source);

// ---- the tokens of a source, and the comments between them (ranges.c)

typedef struct {
    int64_t start, end;
    bool is_line; // from two slashes to the end of the line
} Comment;

typedef struct {
    ARRAY(Comment);
} Comments;

// The comments from `start` up to `end`, between which no token stands.
void comments_between(Arena *arena, Str text, int64_t start, int64_t end, Comments *comments);

#endif

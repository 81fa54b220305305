// The features: a function a request, a file a subject.
#ifndef CONTRA_LSP_ANSWERS_H
#define CONTRA_LSP_ANSWERS_H

#include "lsp/internal.h"

#define METHOD(name, kind, answer) Feature answer;
#include "lsp/methods.def"
#undef METHOD

// What the server says of a feature when it is asked what it can do.
typedef struct {
    const char *name; // as the protocol calls it
    json_t *(*make)(void);
} Ability;

extern const Ability abilities[]; // ends in a name of NULL (abilities.c)

// ---- commands (command.c)

json_t *command_names(void);

// ---- semantic tokens (tokens.c)

json_t *token_legend(void);

// ---- diagnostics (diagnostics.c)

json_t *json_of_diag(const Query *query, const Diag *diag);

// ---- quick fixes

// Those of a diagnostic that hold, if they are made (trial.c).
const DiagHelps *fixes_of(const Query *query, const Crate *crate, const Diag *diag);
// What would be wrong with a program that was checked, if it were edited so (trial.c); NULL:
// nothing that is not wrong now.
const char *why_not_edited(const Query *query, const Crate *crate, const DiagHelp *edits);
// What may mend a call that lacks type arguments, or a stage before it (action_call.c).
DiagHelps call_fixes(const Query *query, const Diag *diag);

// ---- names (navigate.c)

// How often the program names a thing, its declaration left out.
struct Meaning;
int64_t query_use_count(Query *query, const struct Meaning *meaning);

#endif

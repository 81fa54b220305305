// New names that somebody has already.
#ifndef CONTRA_LSP_TAKEN_H
#define CONTRA_LSP_TAKEN_H

#include "lsp/internal.h"
#include "lsp/name.h"

// Why the thing that stands at the places of a program cannot be called so; NULL: it can.
const char *why_taken(Query *query, const NamePlaces *places, Str name);

#endif

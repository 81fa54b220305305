// What files declare.
#ifndef CONTRA_LSP_SYMBOLS_H
#define CONTRA_LSP_SYMBOLS_H

#include "lsp/answers.h"

bool item_is_kernel(const AstItem *item);
bool item_is_test(const AstItem *item);

// The `DocumentSymbol`s of a source.
json_t *symbols_of_source(const Query *query, int32_t source);
// Adds those of a source to a list of `SymbolInformation`s.
void symbols_flatten(json_t *list, const Query *query, int32_t source);

#endif

// Items of the library by kind, name and place, parsed one by one when they are asked for.
#ifndef CONTRA_LANG_SYNTAX_OUTLINE_H
#define CONTRA_LANG_SYNTAX_OUTLINE_H

#include "lang/syntax/ast.h"

// The items of a text of the library. Modules and what is brought in are read, and impl blocks but
// for what is in them. Other items have only kind, name, visibility and, of a structure, the kind
// of its fields until outline_read reads them.
AstItems outline_text(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                      int32_t *next_id, DiagList *diags);

// Fills in an item that is not read yet; of an impl block the outline of what is in it. Expressions
// are numbered from *next_id on.
void outline_read(Arena *arena, Interner *names, SourceList *sources, AstUnread *unread,
                  int32_t *next_id, DiagList *diags);

#endif

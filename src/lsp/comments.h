// The tokens of a source, and the comments between them.
#ifndef CONTRA_LSP_COMMENTS_H
#define CONTRA_LSP_COMMENTS_H

#include "base/array.h"
#include "base/str.h"
#include "lang/syntax/lex.h"

typedef struct {
    int64_t start, end;
    bool is_line; // from two slashes to the end of the line
} Comment;

typedef struct {
    ARRAY(Comment);
} Comments;

// Lexes a text in silence.
TokenList lex_silently(Arena *arena, Str text);

// The comments from `start` up to `end`, between which no token stands.
void comments_between(Arena *arena, Str text, int64_t start, int64_t end, Comments *comments);

#endif

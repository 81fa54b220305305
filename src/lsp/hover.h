// What the parts of a hover share.
#ifndef CONTRA_LSP_HOVER_H
#define CONTRA_LSP_HOVER_H

#include "lsp/internal.h"
#include "lsp/name.h"

#include "lang/types/signature.h"

typedef struct {
    Query *query;
    Arena *arena;
    const Lang *lang;
    const Trail *trail;
    StrBuf *out;
} Hover;

// The dimensions of a tensor or stream, its bytes, and where its elements go.
void hover_shape(const Hover *hover, Type *type);

// A method of the Tensor Unit: its stage, and what that makes of the stream (hover_stage.c). False:
// it is none.
bool hover_stage(const Hover *hover, const Meaning *meaning);

// What a call costs and what the hardware is told, where the kernel around it is right
// (hover_time.c). STAGE_COUNT: it is no stage.
void hover_time(const Hover *hover, const AstExpr *call, StageKind kind);

// Words that name nothing: macros and attributes (hover_word.c). *span is the word.
bool hover_word(const Hover *hover, Span *span);

#endif

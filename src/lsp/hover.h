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

// What a call costs and what the hardware is told, where the kernel around it is right
// (hover_time.c). STAGE_COUNT: it is no stage.
void hover_time(const Hover *hover, const AstExpr *call, StageKind kind);

#endif

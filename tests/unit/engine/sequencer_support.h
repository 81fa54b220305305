// A sequencer request as a row of text, for the tests of this folder.
#ifndef CONTRA_TESTS_SEQUENCER_SUPPORT_H
#define CONTRA_TESTS_SEQUENCER_SUPPORT_H

#include "engine/sequencer.h"

#include "base/checked.h"
#include "mapping/cell.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is NULL is as in contra.h: no definition, Time and Packet `1`, i8, the same type.
typedef struct {
    const char *axes, *let, *buffer, *time, *packet, *type, *cast;
    SequenceEngine engine;
    Context context;
    const Machine *machine;
    int64_t base_bytes;
} Row;

// For rows: which engine, and the context that is not the main one.
#define READ   .engine = SEQUENCE_READ
#define WRITE  .engine = SEQUENCE_WRITE
#define FETCH  .engine = SEQUENCE_FETCH
#define COMMIT .engine = SEQUENCE_COMMIT
#define SUB    .context = CONTEXT_SUB

typedef enum { SOURCE_AXES, SOURCE_LET, SOURCE_BUFFER, SOURCE_TIME, SOURCE_PACKET } RowSource;

static const char *const source_names[] = {"axes", "let", "buffer", "time", "packet"};

// A row that was parsed; everything lives in the arena.
typedef struct {
    Arena arena;
    DiagList diags;
    Scope scope;
    SequenceRequest request;
    Sequence sequence;
    bool parsed; // all texts are accepted
    bool ok;     // and there is a sequence
} Case;

static const Expr *parse_part(Case *c, RowSource source, const char *text)
{
    const Expr *expr = mapping_parse(&c->scope, &c->diags, source, str_from(text ? text : "1"));
    c->parsed &= expr->kind != EXPR_POISON && expr_check_overlap(&c->diags, expr);
    return expr;
}

static Scalar parse_scalar(const char *text, Scalar otherwise)
{
    Scalar type = otherwise;
    assert_true(!text || scalar_parse(str_from(text), &type));
    return type;
}

static inline void case_parse(Case *c, const Row *row)
{
    memset(c, 0, sizeof *c);
    c->diags.arena = &c->arena;
    c->scope = scope_new(&c->arena);
    c->parsed = scope_parse_axes(&c->scope, &c->diags, SOURCE_AXES, str_from(row->axes));
    if (row->let)
        c->parsed &= scope_parse_definition(&c->scope, &c->diags, SOURCE_LET, str_from(row->let));
    c->request = (SequenceRequest){
        .machine = row->machine ? row->machine : &machine_rngd,
        .engine = row->engine,
        .context = row->context,
        .buffer = parse_part(c, SOURCE_BUFFER, row->buffer),
        .time = parse_part(c, SOURCE_TIME, row->time),
        .packet = parse_part(c, SOURCE_PACKET, row->packet),
        .type = parse_scalar(row->type, SCALAR_I8),
        .base_bytes = row->base_bytes,
    };
    c->request.cast = parse_scalar(row->cast, c->request.type);
}

static inline void case_derive(Case *c)
{
    c->ok = c->parsed && sequencer_derive(&c->arena, &c->request, &c->diags, &c->sequence);
}

static inline void case_run(Case *c, const Row *row)
{
    case_parse(c, row);
    case_derive(c);
}

// "time 0-7 E0201" of each diagnostic, a line each; "- E0201" where it has no place.
static inline const char *case_summary(Case *c)
{
    StrBuf buf = {.arena = &c->arena};
    for (int64_t i = 0; i < c->diags.count; i++) {
        const Diag *diag = c->diags.items[i];
        if (diag->span.source < 0)
            buf_format(&buf, "- {}\n", diag_infos[diag->code].code);
        else
            buf_format(&buf, "{} {}-{} {}\n", source_names[diag->span.source], diag->span.start,
                       diag->span.end, diag_infos[diag->code].code);
    }
    return str_terminated(&c->arena, buf_str(&buf));
}

#endif

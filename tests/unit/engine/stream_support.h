// Chains of stages as rows of text, put together by the builder and judged by the rules, for the
// tests of this folder.
#ifndef CONTRA_TESTS_STREAM_SUPPORT_H
#define CONTRA_TESTS_STREAM_SUPPORT_H

#include "engine/engine.h"

#include "base/checked.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena arena;
    DiagList diags;
    DiagTreatment treatments[DIAG_CODE_COUNT];
    Scope scope;
    Builder *builder;
    Pass *pass;
    int64_t calls; // spans are numbers of calls
} Chain;

static inline void chain_relax(Chain *c, const char *group)
{
    for (DiagCode code = 0; code < DIAG_CODE_COUNT; code++)
        if (strcmp(diag_infos[code].group, group) == 0)
            c->treatments[code] = TREAT_AS_SILENT;
}

// A pass on `context`; illustrative sizes of Cluster and Slice are accepted.
static inline void chain_open(Chain *c, const char *axes, RuleSet rules, Context context)
{
    memset(c, 0, sizeof *c);
    c->diags = (DiagList){.arena = &c->arena, .treatments = c->treatments};
    chain_relax(c, "cluster-size");
    chain_relax(c, "slice-size");
    c->scope = scope_new(&c->arena);
    assert_true(scope_parse_axes(&c->scope, &c->diags, 0, str_from(axes)));
    c->builder = builder_new(
        &c->arena, &c->diags,
        &(BuilderOptions){.machine = &machine_rngd, .rules = &engine_rules, .rule_set = rules});
    builder_open(c->builder, "test", SPAN_NOWHERE, (MaybeInt){0});
    c->pass = builder_pass(c->builder, context, true, SPAN_NOWHERE);
}

static inline void chain_close(Chain *c)
{
    builder_free(c->builder);
    arena_release(&c->arena);
}

static inline Span chain_span(Chain *c)
{
    c->calls++;
    return (Span){.source = 0, .start = c->calls, .end = c->calls};
}

static inline const Dim *chain_dim(Chain *c, const char *text)
{
    const Expr *expr = mapping_parse(&c->scope, &c->diags, -1, str_from(text));
    if (expr->kind == EXPR_POISON)
        fail_msg("no mapping: %s", text);
    return builder_dim(c->builder, expr, SPAN_NOWHERE);
}

static inline Scalar chain_scalar(const char *text)
{
    Scalar type = SCALAR_I8;
    assert_true(!text || scalar_parse(str_from(text), &type));
    return type;
}

// What is NULL is `1`; Row is left out.
typedef struct {
    const char *type, *chip, *cluster, *slice, *row, *time, *packet, *element;
} Shape;

static inline const Dim *chain_dim_or_one(Chain *c, const char *text)
{
    return chain_dim(c, text ? text : "1");
}

static inline const Stage *chain_input(Chain *c, Position position, Shape shape)
{
    Stage stage = {.kind = STAGE_INPUT, .position = position, .type = chain_scalar(shape.type)};
    stage.span = stage.call_span = chain_span(c);
    stage.dims[LEVEL_CHIP] = chain_dim_or_one(c, shape.chip);
    stage.dims[LEVEL_CLUSTER] = chain_dim_or_one(c, shape.cluster);
    stage.dims[LEVEL_SLICE] = chain_dim_or_one(c, shape.slice);
    stage.dims[LEVEL_ROW] = shape.row ? chain_dim(c, shape.row) : NULL;
    stage.dims[LEVEL_TIME] = chain_dim_or_one(c, shape.time);
    stage.dims[LEVEL_PACKET] = chain_dim_or_one(c, shape.packet);
    return builder_stage(c->builder, c->pass, &stage);
}

static inline const Tensor *chain_tensor(Chain *c, Tier tier, TensorOrigin origin, Shape shape)
{
    Tensor tensor = {.tier = tier,
                     .origin = origin,
                     .type = chain_scalar(shape.type),
                     .address = {.known = true},
                     .trf = TRF_FULL,
                     .span = SPAN_NOWHERE};
    tensor.dims[LEVEL_CHIP] = chain_dim_or_one(c, shape.chip);
    tensor.dims[LEVEL_CLUSTER] = chain_dim_or_one(c, shape.cluster);
    tensor.dims[LEVEL_SLICE] = chain_dim_or_one(c, shape.slice);
    tensor.dims[LEVEL_ROW] = tier == TIER_TRF ? chain_dim_or_one(c, shape.row) : NULL;
    tensor.dims[LEVEL_ELEMENT] = chain_dim_or_one(c, shape.element);
    return builder_tensor(c->builder, &tensor);
}

// A stage with whatever it maps anew.
static inline const Stage *chain_add(Chain *c, Stage stage, Shape shape)
{
    uint32_t sets = stages[stage.kind].sets;
    stage.span = stage.call_span = chain_span(c);
    if (shape.type)
        stage.type = chain_scalar(shape.type);
    if (shape.slice && sets & 1U << LEVEL_SLICE)
        stage.dims[LEVEL_SLICE] = chain_dim(c, shape.slice);
    if (sets & 1U << LEVEL_TIME && stage.kind != STAGE_BEGIN)
        stage.dims[LEVEL_TIME] = chain_dim_or_one(c, shape.time);
    if (sets & 1U << LEVEL_PACKET && stage.kind != STAGE_BEGIN)
        stage.dims[LEVEL_PACKET] = chain_dim_or_one(c, shape.packet);
    return builder_stage(c->builder, c->pass, &stage);
}

static inline const Stage *chain_begin(Chain *c, const Tensor *tensor)
{
    const View *view = builder_view(c->builder, tensor, false, SPAN_NOWHERE);
    return chain_add(c, (Stage){.kind = STAGE_BEGIN, .sources = {view}}, (Shape){0});
}

// "3 E0621, 4 E0650": the call and the code of each diagnostic.
static inline const char *chain_codes(Chain *c)
{
    StrBuf buf = {.arena = &c->arena};
    for (int64_t i = 0; i < c->diags.count; i++) {
        const Diag *diag = c->diags.items[i];
        buf_format(&buf, "{}{} {}", i ? ", " : "", diag->span.start, diag_infos[diag->code].code);
    }
    return str_terminated(&c->arena, buf_str(&buf));
}

// All there is to read, for tests of messages.
static inline const char *chain_text(Chain *c)
{
    StrBuf buf = {.arena = &c->arena};
    for (int64_t i = 0; i < c->diags.count; i++) {
        const Diag *diag = c->diags.items[i];
        buf_format(&buf, "{}\n", diag->message);
        for (int64_t k = 0; k < diag->notes.count; k++)
            buf_format(&buf, "  note: {}\n", diag->notes.items[k].words.text);
        for (int64_t k = 0; k < diag->helps.count; k++)
            buf_format(&buf, "  help: {}\n", diag->helps.items[k].words.text);
    }
    return str_terminated(&c->arena, buf_str(&buf));
}

// Codes as expected; otherwise shows the row and what was said.
static inline void chain_expect(Chain *c, size_t row, const char *expected)
{
    const char *found = chain_codes(c);
    if (strcmp(found, expected) != 0)
        fail_msg("row %zu: expected \"%s\", found \"%s\"\n%s", row, expected, found, chain_text(c));
}

#endif

// Programs put together by hand, for the tests of tensors, tiles, moves and memory: shapes are rows
// of text, and what the rules report is a row of codes.
#ifndef CONTRA_TESTS_MEMORY_SUPPORT_H
#define CONTRA_TESTS_MEMORY_SUPPORT_H

#include "base/checked.h"
#include "engine/dma/dma.h"
#include "engine/memory/memory.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In rows and calls: what a tensor is, and where.
#define TENSOR(in, of, dims) .name = "x", .tier = TIER_##in, .type = (of), .shape = (dims)
#define AT(where)            .address = {.known = true, .value = (where)}
#define KNOWN(number)        ((MaybeInt){.known = true, .value = (number)})
#define UNKNOWN              ((MaybeInt){0})

// The rules under test.
static const Rules memory_rules = {
    .tensor = tensor_verify,
    .tile = tile_verify,
    .reshape = reshape_verify,
    .op = dma_verify,
    .program = memory_verify,
};

typedef struct {
    const char *axes;
    RuleSet rules;
    MemoryMode memory;
    MaybeInt chips;
    const char *relaxed; // a group that is reported as warnings
} Setting;

typedef struct {
    Arena arena;
    DiagList diags;
    DiagTreatment treatments[DIAG_CODE_COUNT];
    Scope scope;
    Builder *builder;
    Program *program;
    int64_t calls; // each has a place of its own
} Bench;

static inline void bench_open(Bench *bench, const Setting *setting)
{
    memset(bench, 0, sizeof *bench);
    bench->diags.arena = &bench->arena;
    bench->diags.treatments = bench->treatments;
    for (DiagCode code = 0; setting->relaxed && code < DIAG_CODE_COUNT; code++)
        if (strstr(setting->relaxed, diag_infos[code].group))
            bench->treatments[code] = TREAT_AS_WARNING;
    bench->scope = scope_new(&bench->arena);
    assert_true(scope_parse_axes(&bench->scope, &bench->diags, 0, str_from(setting->axes)));
    BuilderOptions options = {.machine = &machine_rngd,
                              .rules = &memory_rules,
                              .rule_set = setting->rules,
                              .memory = setting->memory};
    bench->builder = builder_new(&bench->arena, &bench->diags, &options);
    bench->program = builder_open(bench->builder, "test", SPAN_NOWHERE, setting->chips);
}

static inline void bench_close(Bench *bench)
{
    builder_free(bench->builder);
    arena_release(&bench->arena);
}

static inline Span next_span(Bench *bench)
{
    bench->calls += 10;
    return (Span){1, bench->calls, bench->calls + 5};
}

static inline const Dim *dim(Bench *bench, const char *text)
{
    const Expr *expr = mapping_parse(&bench->scope, &bench->diags, 0, str_from(text));
    if (expr->kind == EXPR_POISON)
        fail_msg("`%s` is refused", text);
    return builder_dim(bench->builder, expr, expr->span);
}

// The dimensions of a tier, outermost first: "1 | 1 # 2 | A / 8 # 256 | A % 8".
static inline void shape(Bench *bench, Tier tier, const char *text, const Dim *dims[LEVEL_COUNT])
{
    const char *rest = text;
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        dims[level] = NULL;
        if (!tiers[tier].levels[level])
            continue;
        const char *bar = strchr(rest, '|');
        Str part = {rest, bar ? bar - rest : (int64_t)strlen(rest)};
        dims[level] = dim(bench, str_terminated(&bench->arena, str_trim(part)));
        rest += part.len + (bar != NULL);
    }
    assert_string_equal(rest, "");
}

typedef struct {
    const char *name;
    Tier tier;
    const char *type; // NULL: i8
    const char *shape;
    MaybeInt address;
    TensorOrigin origin;
    TrfAddress trf;
} TensorRow;

static inline Tensor tensor_of(Bench *bench, const TensorRow *row)
{
    Tensor tensor = {.tier = row->tier,
                     .origin = row->origin,
                     .type = SCALAR_I8,
                     .address = row->address,
                     .trf = row->trf,
                     .name = row->name,
                     .span = next_span(bench)};
    assert_true(!row->type || scalar_parse(str_from(row->type), &tensor.type));
    shape(bench, row->tier, row->shape, tensor.dims);
    return tensor;
}

static inline const Tensor *add_tensor(Bench *bench, TensorRow row)
{
    Tensor tensor = tensor_of(bench, &row);
    return builder_tensor(bench->builder, &tensor);
}

static inline const View *view(Bench *bench, const Tensor *tensor)
{
    return builder_view(bench->builder, tensor, false, next_span(bench));
}

static inline const View *view_mut(Bench *bench, const Tensor *tensor)
{
    return builder_view(bench->builder, tensor, true, next_span(bench));
}

static inline const View *tile(Bench *bench, const View *from, Level level, const char *index,
                               int64_t length, MaybeInt start, const char *mapping)
{
    Tile tile = {.level = level,
                 .index = dim(bench, index),
                 .length = length,
                 .start = start,
                 .span = next_span(bench)};
    return builder_tile(bench->builder, from, &tile, dim(bench, mapping));
}

static inline const Op *move(Bench *bench, const View *source, const View *target, Context context)
{
    Op op = {.kind = OP_MOVE,
             .method = "move",
             .span = next_span(bench),
             .context = context,
             .source = source,
             .target = target};
    return builder_op(bench->builder, &op);
}

// "E0502 E0503", in the order of finding.
static inline const char *codes(Bench *bench)
{
    StrBuf buf = {.arena = &bench->arena};
    for (int64_t i = 0; i < bench->diags.count; i++)
        buf_format(&buf, "{}{}", i ? " " : "", diag_infos[bench->diags.items[i]->code].code);
    return str_terminated(&bench->arena, buf_str(&buf));
}

// Every message, note and help, a line each.
static inline const char *texts(Bench *bench)
{
    StrBuf out = {.arena = &bench->arena};
    for (int64_t i = 0; i < bench->diags.count; i++) {
        const Diag *diag = bench->diags.items[i];
        buf_format(&out, "{}: {}\n", diag_infos[diag->code].code, diag->message);
        for (int64_t k = 0; k < diag->notes.count; k++)
            buf_format(&out, "  note: {}\n", diag->notes.items[k].words.text);
        for (int64_t k = 0; k < diag->helps.count; k++)
            buf_format(&out, "  help: {}\n", diag->helps.items[k].words.text);
    }
    return str_terminated(&bench->arena, buf_str(&out));
}

// Fails with the messages where the codes are others; "" means none.
static inline void expect(Bench *bench, const char *what, const char *wanted, const char *text)
{
    if (strcmp(codes(bench), wanted) != 0)
        fail_msg("%s: found `%s`, wanted `%s`\n%s", what, codes(bench), wanted, texts(bench));
    if (text && !strstr(texts(bench), text))
        fail_msg("%s: nothing says \"%s\"\n%s", what, text, texts(bench));
}

#endif

#include "engine/dma/dma.h"

#include "base/checked.h"
#include "engine/dma/scatter.h"
#include "engine/dma/shuffle.h"
#include "engine/memory/tensor.h"
#include "engine/report.h"

#include <inttypes.h>

// ---- which way

enum {
    MAIN = 1 << CONTEXT_MAIN,
    SUB = 1 << CONTEXT_SUB,
    TDMA = 1 << CONTEXT_TDMA,
    PDMA = 1 << CONTEXT_PDMA,
    ANY_CONTEXT = MAIN | SUB | TDMA | PDMA,

    CHIP = 1 << LEVEL_CHIP,
    CLUSTER = 1 << LEVEL_CLUSTER,
    SLICE = 1 << LEVEL_SLICE,
    ELEMENT = 1 << LEVEL_ELEMENT,
};

// From where to where an operation moves, on which contexts, and which dimensions it keeps. The
// language gives scatter and gather no context.
typedef struct {
    OpKind kind;
    Tier source, target;
    uint32_t contexts;
    uint32_t keeps;
} Path;

static const Path paths[] = {
    {OP_MOVE, TIER_HOST, TIER_HBM, PDMA, 0},
    {OP_MOVE, TIER_HBM, TIER_HOST, PDMA, 0},
    {OP_MOVE, TIER_HBM, TIER_HBM, TDMA | PDMA, CHIP},
    {OP_MOVE, TIER_HBM, TIER_DM, TDMA, CHIP},
    {OP_MOVE, TIER_DM, TIER_HBM, TDMA, CHIP},
    {OP_MOVE, TIER_DM, TIER_DM, TDMA, CHIP | CLUSTER},
    {OP_PARALLEL_COPY, TIER_DM, TIER_DM, SUB, CHIP | CLUSTER},
    {OP_CLUSTER_SHUFFLE, TIER_DM, TIER_DM, TDMA, CHIP | CLUSTER | SLICE | ELEMENT},
    {OP_CLUSTER_SHUFFLE, TIER_HBM, TIER_HBM, TDMA | PDMA, CHIP | ELEMENT},
    {OP_CHIP_SHUFFLE, TIER_DM, TIER_DM, TDMA, CHIP | CLUSTER | SLICE | ELEMENT},
    {OP_CHIP_SHUFFLE, TIER_HBM, TIER_HBM, TDMA | PDMA, CHIP | ELEMENT},
    {OP_CLUSTER_SLICE, TIER_DM, TIER_DM, SUB, CHIP | CLUSTER | SLICE},
    {OP_CHIP_SLICE, TIER_DM, TIER_DM, SUB, CHIP | CLUSTER | SLICE},
    {OP_SCATTER, TIER_DM, TIER_HBM, ANY_CONTEXT, CHIP},
    {OP_GATHER, TIER_HBM, TIER_DM, ANY_CONTEXT, CHIP},
};

static const Path *find_path(OpKind kind, Tier source, Tier target)
{
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        if (paths[i].kind == kind && paths[i].source == source && paths[i].target == target)
            return &paths[i];
    return NULL;
}

static void report_path(const Verify *verify, const Op *op)
{
    Tier source = op->source->tensor->tier, target = op->target->tensor->tier;
    Diag *diag = diag_add(verify->diags, DIAG_DMA_TIERS, op->span, "%s does not move from %s to %s",
                          op->method, tiers[source].name, tiers[target].name);
    if (source == TIER_HOST || target == TIER_HOST)
        diag_help(diag, "go by way of HBM");
    else
        diag_help(diag, "TRF and VRF are loaded by to_trf and to_vrf at the end of a pass");
}

static Str contexts_text(Arena *arena, uint32_t contexts)
{
    StrBuf buf = {.arena = arena};
    for (Context context = 0; context < CONTEXT_COUNT; context++)
        if (contexts & 1U << context)
            buf_printf(&buf, "%s`%s`", buf.len ? " or " : "", context_names[context]);
    return buf_str(&buf);
}

Str dma_contexts(Arena *arena, OpKind kind, Tier source, Tier target)
{
    const Path *path = find_path(kind, source, target);
    return contexts_text(arena, path ? path->contexts : 0);
}

static void help_same_level(const Verify *verify, Diag *diag, const Op *op, Level level)
{
    Str same = dim_text(verify->arena, op->source->dims[level]);
    diag_help(diag, "give the target `%.*s`, and move between %ss by a shuffle",
              STR_ARG(report_written(verify, same)), level == LEVEL_CHIP ? "chip" : "cluster");
    report_edit(verify, diag, op->target->dims[level], same);
}

static void report_level(const Verify *verify, const Op *op, Level level)
{
    bool shuffle = op->kind != OP_MOVE && op->kind != OP_PARALLEL_COPY && op->kind != OP_SCATTER &&
                   op->kind != OP_GATHER;
    const Dim *target = op->target->dims[level];
    Diag *diag =
        diag_add(verify->diags, shuffle ? DIAG_SHUFFLE_MAPPING : DIAG_DMA_LEVEL, op->span,
                 "%s keeps %s: the source has `%.*s`, the target `%.*s`", op->method,
                 level_names[level], STR_ARG(dim_text(verify->arena, op->source->dims[level])),
                 STR_ARG(dim_text(verify->arena, target)));
    if (!shuffle)
        help_same_level(verify, diag, op, level);
    else
        report_rewrite(verify, diag, target, dim_text(verify->arena, op->source->dims[level]),
                       "give the target");
}

static bool keeps_levels(const Verify *verify, const Op *op, uint32_t keeps)
{
    bool ok = true;
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const Dim *source = op->source->dims[level], *target = op->target->dims[level];
        if (!(keeps & 1U << level) || source == target ||
            mapping_equal(verify->arena, &source->mapping, &target->mapping) == MAPPINGS_EQUAL)
            continue;
        report_level(verify, op, level);
        ok = false;
    }
    return ok;
}

static bool same_type(const Verify *verify, const Op *op)
{
    const Tensor *source = op->source->tensor, *target = op->target->tensor;
    if (source->type == target->type)
        return true;
    Diag *diag =
        diag_add(verify->diags, DIAG_DMA_TYPE, op->span, "%s moves %s, but the target has %s",
                 op->method, scalar_name(source->type), scalar_name(target->type));
    diag_help(diag, "keep the type; fetch and cast convert in the Tensor Unit");
    return false;
}

bool dma_path_verify(const Verify *verify, const Op *op)
{
    const Path *path = find_path(op->kind, op->source->tensor->tier, op->target->tensor->tier);
    if (!path) {
        report_path(verify, op);
        return false;
    }
    bool ok = path->contexts & 1U << op->context;
    if (!ok) {
        Str right = contexts_text(verify->arena, path->contexts);
        Diag *diag = diag_add(verify->diags, DIAG_DMA_CONTEXT, op->span,
                              "%s from %s to %s runs on %.*s, not on `%s`", op->method,
                              tiers[path->source].name, tiers[path->target].name, STR_ARG(right),
                              context_names[op->context]);
        diag_help(diag,
                  report_is_calls(verify)  ? "give it the context %.*s"
                  : report_is_text(verify) ? "let the line start with %.*s"
                                           : "give it that context of `ctx`: %.*s",
                  STR_ARG(right));
    }
    ok &= same_type(verify, op);
    ok &= keeps_levels(verify, op, path->keeps);
    return ok;
}

// ---- what moves

// "Chip `1`, Element `A, B`"
static Str shape_text(Arena *arena, const Dim *const dims[LEVEL_COUNT])
{
    StrBuf buf = {.arena = arena};
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (dims[level])
            buf_printf(&buf, "%s%s `%.*s`", buf.len ? ", " : "", level_names[level],
                       STR_ARG(dim_text(arena, dims[level])));
    return buf_str(&buf);
}

// What is moved, for messages.
typedef struct {
    const Verify *verify;
    const Op *op;
    const Dim *const *source, *const *target;
} Move;

static void note_shapes(Diag *diag, const Move *move)
{
    Arena *arena = move->verify->arena;
    diag_note(diag, SPAN_NOWHERE, "the source is %.*s", STR_ARG(shape_text(arena, move->source)));
    diag_note(diag, SPAN_NOWHERE, "the target is %.*s", STR_ARG(shape_text(arena, move->target)));
}

static void report_missing(const Move *move, Str pieces)
{
    Diag *diag = diag_add(move->verify->diags, DIAG_DMA_MISSING, move->op->span,
                          "the target of %s has no place for %.*s of the source", move->op->method,
                          STR_ARG(pieces));
    note_shapes(diag, move);
    diag_help(diag, "add %.*s to a dimension of the target, or move a tile of the source",
              STR_ARG(pieces));
}

static void report_cuts(const Move *move, Str pieces)
{
    Diag *diag = diag_add(move->verify->diags, DIAG_DMA_SHAPE, move->op->span,
                          "the target of %s cuts %.*s of the source at places that do not fit",
                          move->op->method, STR_ARG(pieces));
    note_shapes(diag, move);
    diag_help(diag, "cut the axis at the same places on both sides");
}

// Of a group of axes that was cut, a part may seem to be missing.
static bool is_cut(const Match *match)
{
    return match->kind == MATCH_INCOMPATIBLE || match->term.atom->kind != ATOM_AXIS;
}

static void report_no_place(const Move *move, const Division *division)
{
    StrBuf missing = {.arena = move->verify->arena}, cut = missing;
    for (int64_t i = division->found; i < division->matches.count; i++) {
        const Match *match = &division->matches.items[i];
        StrBuf *pieces = is_cut(match) ? &cut : &missing;
        buf_add(pieces, pieces->len ? STR(", `") : STR("`"));
        term_print(pieces, &match->term, match->resize);
        buf_add(pieces, STR("`"));
    }
    if (missing.len)
        report_missing(move, buf_str(&missing));
    if (cut.len)
        report_cuts(move, buf_str(&cut));
}

static void report_no_loops(const Move *move)
{
    Diag *diag =
        diag_add(move->verify->diags, DIAG_DMA_SHAPE, move->op->span,
                 "no loop nest of %s moves the elements in this arrangement", move->op->method);
    note_shapes(diag, move);
    diag_help(diag, "move in two steps, or cut padded axes at the same places on both sides");
}

void dma_move_verify(const Verify *verify, const Op *op, const Dim *const source[LEVEL_COUNT],
                     const Dim *const target[LEVEL_COUNT])
{
    Move move = {verify, op, source, target};
    DmaNest nest;
    DmaOutcome outcome = dma_derive(verify->arena, source, target, &nest);
    if (outcome == DMA_NO_PLACE)
        report_no_place(&move, &nest.division);
    if (verify->rules == RULES_REFERENCE)
        return;
    if (outcome == DMA_NO_LOOPS)
        report_no_loops(&move);
    if (outcome == DMA_DERIVED)
        dma_align_verify(verify, op, &nest);
}

// ---- operations

// A view whose tile is wrong, or whose axes are given twice, was reported; what it holds is open.
static bool is_clear(const Verify *verify, const View *view)
{
    int64_t size;
    if (view->sound)
        return true;
    if (view->tiles.count || !shape_size(view->dims, &size))
        return false;
    Mapping shape = shape_of(verify->arena, view->dims);
    return !mapping_has_overlap(verify->arena, &shape);
}

static bool is_unimplemented(const Op *op)
{
    bool shuffle = op->kind == OP_CLUSTER_SHUFFLE || op->kind == OP_CHIP_SHUFFLE;
    return op->kind == OP_GATHER || (shuffle && op->source->tensor->tier == TIER_HBM);
}

void dma_verify(const Verify *verify, const Op *op)
{
    if (op->kind == OP_PASS || !is_clear(verify, op->source) || !is_clear(verify, op->target))
        return;
    if (verify->rules == RULES_REFERENCE && is_unimplemented(op)) {
        Diag *diag = diag_add(verify->diags, DIAG_NOT_IN_REFERENCE, op->span,
                              "the reference library does not implement %s", op->method);
        diag_help(diag, "check with all rules of the manual");
        diag_help_typed(diag, "check with --rules=all, which has all of the manual");
        return;
    }
    if (!dma_path_verify(verify, op))
        return;
    if (!repeated_axis_verify(verify, op->source->dims, op->span) ||
        !repeated_axis_verify(verify, op->target->dims, op->span))
        return;
    switch (op->kind) {
    case OP_MOVE:
    case OP_PARALLEL_COPY:
        dma_move_verify(verify, op, op->source->dims, op->target->dims);
        return;
    case OP_CLUSTER_SHUFFLE:
    case OP_CHIP_SHUFFLE:
        shuffle_verify(verify, op);
        return;
    case OP_CLUSTER_SLICE:
    case OP_CHIP_SLICE:
        slice_verify(verify, op);
        return;
    case OP_SCATTER:
        scatter_verify(verify, op);
        return;
    case OP_GATHER:
        gather_verify(verify, op);
        return;
    case OP_PASS:
    case OP_KIND_COUNT:
        return;
    }
}

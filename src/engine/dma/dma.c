#include "engine/dma/dma.h"

#include "base/checked.h"
#include "engine/dma/part.h"
#include "engine/memory/memory.h"
#include "engine/report.h"
#include "engine/shape.h"
#include "program/build.h"

// Shuffles between chips or clusters, and slices that differ from one to the next.
// Manual: Chip/Cluster Reduce, Implementation Methods.

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
    Diag *diag = diag_add(verify->diags, DIAG_DMA_TIERS, op->span, "{} does not move from {} to {}",
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
            buf_format(&buf, "{}`{}`", buf.len ? " or " : "", context_names[context]);
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
    diag_help(diag, "give the target `{}`, and move between {}s by a shuffle",
              report_written(verify, same), level == LEVEL_CHIP ? "chip" : "cluster");
    report_edit(verify, diag, op->target->dims[level], same);
}

static void report_level(const Verify *verify, const Op *op, Level level)
{
    bool shuffle = op->kind != OP_MOVE && op->kind != OP_PARALLEL_COPY && op->kind != OP_SCATTER &&
                   op->kind != OP_GATHER;
    const Dim *target = op->target->dims[level];
    Diag *diag = diag_add(verify->diags, shuffle ? DIAG_SHUFFLE_MAPPING : DIAG_DMA_LEVEL, op->span,
                          "{} keeps {}: the source has `{}`, the target `{}`", op->method,
                          level_names[level], dim_text(verify->arena, op->source->dims[level]),
                          dim_text(verify->arena, target));
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
            shape_equal(verify->arena, &source->mapping, &target->mapping))
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
        diag_add(verify->diags, DIAG_DMA_TYPE, op->span, "{} moves {}, but the target has {}",
                 op->method, scalar_name(source->type), scalar_name(target->type));
    diag_help(diag, "keep the type; fetch and cast convert in the Tensor Unit");
    return false;
}

// Which memories and context, the same type, and the dimensions that the operation keeps. True: all
// is well.
static bool dma_path_verify(const Verify *verify, const Op *op)
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
                              "{} from {} to {} runs on {}, not on `{}`", op->method,
                              tiers[path->source].name, tiers[path->target].name, right,
                              context_names[op->context]);
        diag_help(diag,
                  report_is_calls(verify)  ? "give it the context {}"
                  : report_is_text(verify) ? "let the line start with {}"
                                           : "give it that context of `ctx`: {}",
                  right);
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
            buf_format(&buf, "{}{} `{}`", buf.len ? ", " : "", level_names[level],
                       dim_text(arena, dims[level]));
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
    diag_note(diag, SPAN_NOWHERE, "the source is {}", shape_text(arena, move->source));
    diag_note(diag, SPAN_NOWHERE, "the target is {}", shape_text(arena, move->target));
}

static void report_missing(const Move *move, Str pieces)
{
    Diag *diag =
        diag_add(move->verify->diags, DIAG_DMA_MISSING, move->op->span,
                 "the target of {} has no place for {} of the source", move->op->method, pieces);
    note_shapes(diag, move);
    diag_help(diag, "add {} to a dimension of the target, or move a tile of the source", pieces);
}

static void report_cuts(const Move *move, Str pieces)
{
    Diag *diag = diag_add(move->verify->diags, DIAG_DMA_SHAPE, move->op->span,
                          "the target of {} cuts {} of the source at places that do not fit",
                          move->op->method, pieces);
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
        buf_format(pieces, "{}`{}`", pieces->len ? ", " : "", report_match(move->verify, match));
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
                 "no loop nest of {} moves the elements in this arrangement", move->op->method);
    note_shapes(diag, move);
    diag_help(diag, "move in two steps, or cut padded axes at the same places on both sides");
}

// The move itself, of dimensions that may differ from those of the views: every part of the source
// has a place in the target, and packets fit both sides.
static void dma_move_verify(const Verify *verify, const Op *op,
                            const Dim *const source[LEVEL_COUNT],
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

// ---- patterns

static Level level_of(const Op *op)
{
    return op->kind == OP_CHIP_SHUFFLE || op->kind == OP_CHIP_SLICE ? LEVEL_CHIP : LEVEL_CLUSTER;
}

static bool report_count(const Verify *verify, const Op *op, const char *what, int64_t count)
{
    const Dim *dim = op->source->dims[level_of(op)];
    Diag *diag =
        diag_add(verify->diags, DIAG_SHUFFLE_COUNT, op->span,
                 "{} of {} is {}; {} `{}` has {} positions", what, op->method, count,
                 level_names[level_of(op)], dim_text(verify->arena, dim), dim->mapping.size);
    diag_help(diag, "give it {}", dim->mapping.size);
    return false;
}

// One entry for each unit.
static bool verify_count(const Verify *verify, const Op *op)
{
    const Dim *dim = op->source->dims[level_of(op)];
    bool ok = true;
    if (!dim) {
        diag_add(verify->diags, DIAG_SHUFFLE_LEVEL, op->span,
                 "{} works on {}, which a tensor in {} does not have", op->method,
                 level_names[level_of(op)], tiers[op->source->tensor->tier].name);
        return false;
    }
    if (op->declared_count && op->declared_count != dim->mapping.size)
        ok = report_count(verify, op, "the declared count", op->declared_count);
    if (op->pattern_count != dim->mapping.size)
        ok = report_count(verify, op, "the length of the pattern", op->pattern_count);
    return ok;
}

static bool verify_entries(const Verify *verify, const Op *op, const Dim *range)
{
    bool ok = true;
    for (int64_t i = 0; i < op->pattern_count; i++) {
        if (op->pattern[i] >= 0 && op->pattern[i] < range->mapping.size)
            continue;
        diag_add(verify->diags, DIAG_SHUFFLE_RANGE, report_at(op->pattern_span, op->span),
                 "entry {} of the pattern of {} is {}; `{}` has the positions 0 to {}", i,
                 op->method, op->pattern[i], dim_text(verify->arena, range),
                 range->mapping.size - 1);
        ok = false;
    }
    return ok;
}

// ---- shuffles

// Warns of the first source that goes nowhere. Requires: entries in range.
static void verify_permutation(const Verify *verify, const Op *op)
{
    int64_t *uses = arena_new(verify->arena, int64_t, (size_t)op->pattern_count);
    int64_t unused = 0, repeated = 0;
    for (int64_t i = 0; i < op->pattern_count; i++)
        uses[op->pattern[i]]++;
    while (unused < op->pattern_count && uses[unused])
        unused++;
    if (unused == op->pattern_count)
        return;
    while (uses[repeated] < 2)
        repeated++;
    diag_add(verify->diags, DIAG_SHUFFLE_REPEATED, op->span,
             "{} sends what {} {} has to {} places, and what {} has to none", op->method,
             level_names[level_of(op)], repeated, uses[repeated], unused);
}

// target unit t gets what source unit pattern[t] has. Requires: dma_path_verify found nothing.
static void shuffle_verify(const Verify *verify, const Op *op)
{
    if (!verify_count(verify, op) || verify->rules == RULES_REFERENCE)
        return;
    if (verify_entries(verify, op, op->source->dims[level_of(op)]))
        verify_permutation(verify, op);
    dma_move_verify(verify, op, op->source->dims, op->target->dims);
}

// ---- slices

// Each position that is kept starts at a whole byte. Requires: entries in range.
static void verify_starts(const Verify *verify, const Op *op)
{
    const Tensor *source = op->source->tensor;
    int64_t align = dma_alignment(verify->machine, TIER_DM, TIER_DM).source;
    int64_t unit = max_i64(1, align * 8 / scalar_traits[source->type].packet_bits);
    for (int64_t i = 0; i < op->pattern_count; i++) {
        int64_t start =
            mapping_tile_offset(verify->arena, &op->source->dims[LEVEL_ELEMENT]->mapping,
                                &op->key->mapping, op->pattern[i]);
        if (start % unit == 0)
            continue;
        Diag *diag =
            diag_add(verify->diags, DIAG_DMA_ADDRESS, report_at(op->pattern_span, op->span),
                     "position {} of `{}` starts {} elements of {} into {}, which is no whole "
                     "number of bytes",
                     op->pattern[i], dim_text(verify->arena, op->key), start,
                     scalar_name(source->type), tensor_text(verify->arena, source));
        diag_help(diag, "pad what lies inside `{}` to a multiple of {} elements",
                  dim_text(verify->arena, op->key), unit);
        return;
    }
}

// unit u keeps position pattern[u] of the sliced axis. Requires: dma_path_verify found nothing.
static void slice_verify(const Verify *verify, const Op *op)
{
    const Dim *source[LEVEL_COUNT];
    if (!verify_count(verify, op) || !tile_mapping_verify(verify, op->source->dims[LEVEL_ELEMENT],
                                                          op->key, 1, op->sliced, op->span))
        return;
    if (verify->rules != RULES_REFERENCE && verify_entries(verify, op, op->key))
        verify_starts(verify, op);
    dma_source_dims(op, op->sliced, source);
    dma_move_verify(verify, op, source, op->target->dims);
}

// Scatter takes data apart along a key: what is left, the payload, goes to the place in the output
// that the index names for each position of the key. Gather is the other way round: rows of a table
// come to the places of the output that the index has.
//
// Which axis the index chooses along is what the payload leaves: of the output of a scatter the
// innermost one, of the table of a gather the outermost.

// ---- parts of shapes

static Mapping inner_shape(Arena *arena, const Dim *const dims[LEVEL_COUNT], Level from)
{
    const Dim *inner[LEVEL_COUNT] = {0};
    for (Level level = from; level < LEVEL_COUNT; level++)
        inner[level] = dims[level];
    return shape_of(arena, inner);
}

// Takes `divisor` out of `dividend`; reports under `code` what is not there: `what`, as in "the
// data does", not hold it.
static bool take_out(const Verify *verify, const Op *op, const Mapping *dividend,
                     const Mapping *divisor, DiagCode code, const char *what, Mapping *left)
{
    Division division = mapping_divide(verify->arena, dividend, divisor, DIVIDE_RELAXED, 1);
    *left = division.dividend_residue;
    if (division.exact)
        return true;
    StrBuf missing = {.arena = verify->arena};
    for (int64_t i = division.found; i < division.matches.count; i++)
        buf_format(&missing, "{}`{}`", missing.len ? ", " : "",
                   report_match(verify, &division.matches.items[i]));
    Str lacking = missing.len ? buf_str(&missing) : STR("a whole part");
    Diag *diag = diag_add(verify->diags, code, op->span, "{}: {} not hold {} of `{}`", op->method,
                          what, lacking, mapping_text(verify->arena, divisor));
    diag_note(diag, SPAN_NOWHERE, "it holds `{}`", mapping_text(verify->arena, dividend));
    return false;
}

// Positions that are no padding, at most.
static int64_t live_count(const Mapping *mapping)
{
    int64_t count = 1;
    for (int64_t i = 0; i < mapping->count; i++)
        if (!mapping->factors[i].is_padding &&
            !checked_mul(count, mapping->factors[i].resize, &count))
            return INT64_MAX;
    return count;
}

// ---- the index

static bool verify_index(const Verify *verify, const Op *op)
{
    const Tensor *index = op->index->tensor;
    if (index->tier == TIER_HBM && index->type == SCALAR_I32)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_SCATTER_INDEX, op->span,
                          "the index of {} is an HbmTensor of i32, not {} {} of {}", op->method,
                          str_article(str_from(tiers[index->tier].type_name)),
                          tiers[index->tier].type_name, scalar_name(index->type));
    diag_help(diag, "put the index into HBM as i32");
    return false;
}

static void verify_index_chip(const Verify *verify, const Op *op)
{
    const Dim *chip = op->source->dims[LEVEL_CHIP], *index = op->index->dims[LEVEL_CHIP];
    if (!shape_equal(verify->arena, &chip->mapping, &index->mapping))
        diag_add(verify->diags, DIAG_SCATTER_INDEX, op->span,
                 "{}: Chip of the index is `{}`, that of the data `{}`", op->method,
                 dim_text(verify->arena, index), dim_text(verify->arena, chip));
}

// Every position of the key has an entry on every chip.
static bool verify_index_entries(const Verify *verify, const Op *op)
{
    const Mapping *index = &op->index->dims[LEVEL_ELEMENT]->mapping;
    int64_t entries = live_count(index), keys = op->key->mapping.size;
    if (entries >= keys)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_SCATTER_INDEX, op->span,
                          "the key `{}` of {} has {} positions, but the index `{}` has {} entries",
                          dim_text(verify->arena, op->key), op->method, keys,
                          mapping_text(verify->arena, index), entries);
    diag_help(diag, "every position of the key needs an entry that says where it goes");
    return false;
}

// ---- scatter

static void verify_axis(const Verify *verify, const Op *op, const Mapping *left, const char *what)
{
    if (mapping_has_terms(left))
        return;
    Diag *diag = diag_add(verify->diags, DIAG_SCATTER_AXIS, op->span,
                          "{}: {} has no axis beside the payload for the index to choose along",
                          op->method, what);
    diag_help(diag, "give it the axis that the index counts");
}

// Rows are anywhere in the table, so the distance between them keeps the alignment, too.
static void verify_row_stride(const Verify *verify, const Op *op, int64_t stride)
{
    bool gathers = op->kind == OP_GATHER;
    Scalar type = op->source->tensor->type;
    DmaAlignment both =
        dma_alignment(verify->machine, op->source->tensor->tier, op->target->tensor->tier);
    int64_t align = gathers ? both.source : both.target, bytes;
    if (scalar_bytes(type, stride, &bytes) && bytes % align == 0)
        return;
    Diag *diag = diag_add(
        verify->diags, DIAG_DMA_STRIDE, op->span,
        "rows of the {} of {} are {} elements of {} apart; {} at multiples of {} byte{}",
        gathers ? "table" : "output", op->method, stride, scalar_name(type),
        gathers ? "reads from HBM to DM start" : "writes start", align, align == 1 ? "" : "s");
    diag_help(diag, "pad the rows of the {}", gathers ? "table" : "output");
}

// One descriptor walks the key and the entries of the index at once, in whole bytes.
static void verify_walk(const Verify *verify, const Op *op)
{
    DmaNest nest;
    DmaRows rows;
    int64_t before = verify->diags->count;
    DmaOutcome outcome = scatter_derive(verify->arena, op, &nest, &rows);
    if (outcome == DMA_DERIVED)
        dma_align_verify(verify, op, &nest);
    if (outcome == DMA_DERIVED && verify->diags->count == before)
        verify_row_stride(verify, op, rows.stride);
    if (outcome != DMA_NO_LOOPS)
        return;
    const Mapping *index = &op->index->dims[LEVEL_ELEMENT]->mapping;
    Diag *diag =
        diag_add(verify->diags, DIAG_SCATTER_INDEX, op->span,
                 "no loops of {} walk the key `{}` and the entries of the index `{}`", op->method,
                 dim_text(verify->arena, op->key), mapping_text(verify->arena, index));
    diag_help(diag, "leave no padding between the entries of the index");
}

static void scatter_verify(const Verify *verify, const Op *op)
{
    Arena *arena = verify->arena;
    const Mapping *key = &op->key->mapping;
    Mapping data = shape_of(arena, op->source->dims), output = shape_of(arena, op->target->dims);
    Mapping near = inner_shape(arena, op->source->dims, LEVEL_SLICE), payload, left;
    if (!verify_index(verify, op) ||
        !take_out(verify, op, &near, key, DIAG_SCATTER_KEY, "Slice and Element of the data do",
                  &left) ||
        !take_out(verify, op, &data, key, DIAG_SCATTER_KEY, "the data does", &payload) ||
        !take_out(verify, op, &output, &payload, DIAG_SCATTER_PAYLOAD, "the output does", &left))
        return;
    verify_axis(verify, op, &left, "the output");
    verify_index_chip(verify, op);
    if (verify->rules == RULES_REFERENCE)
        return;
    if (verify_index_entries(verify, op))
        verify_walk(verify, op);
}

// ---- gather

// Both require: dma_path_verify found nothing.
static void gather_verify(const Verify *verify, const Op *op)
{
    Arena *arena = verify->arena;
    const Dim *source[LEVEL_COUNT], *element = op->source->dims[LEVEL_ELEMENT];
    Mapping output = shape_of(arena, op->target->dims), left, rest;
    DmaRows rows;
    Dim row;
    if (!verify_index(verify, op))
        return;
    verify_index_chip(verify, op);
    if (!gather_rows(arena, op, &row, &rows)) {
        verify_axis(verify, op, &element->mapping, "the table");
        return;
    }
    dma_source_dims(op, &row, source);
    Mapping payload = shape_of(arena, source);
    const Mapping *index = &op->index->dims[LEVEL_ELEMENT]->mapping;
    if (!take_out(verify, op, &output, &payload, DIAG_SCATTER_PAYLOAD, "the output does", &left) ||
        !take_out(verify, op, &left, index, DIAG_SCATTER_INDEX, "the output does", &rest))
        return;
    verify_row_stride(verify, op, rows.stride);
    dma_move_verify(verify, op, source, op->target->dims);
}

void dma_verify(const Verify *verify, const Op *op)
{
    if (op->kind == OP_PASS || !is_clear(verify, op->source) || !is_clear(verify, op->target))
        return;
    if (verify->rules == RULES_REFERENCE && is_unimplemented(op)) {
        Diag *diag = diag_add(verify->diags, DIAG_NOT_IN_REFERENCE, op->span,
                              "the reference library does not implement {}", op->method);
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

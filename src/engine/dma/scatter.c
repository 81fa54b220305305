// Scatter takes data apart along a key: what is left, the payload, goes to the place in the output
// that the index names for each position of the key. Gather is the other way round: rows of a table
// come to the places of the output that the index has.
//
// Which axis the index chooses along is what the payload leaves: of the output of a scatter the
// innermost one, of the table of a gather the outermost.
#include "engine/dma/scatter.h"

#include "base/checked.h"
#include "engine/dma/part.h"
#include "engine/memory/tensor.h"

#include <inttypes.h>

// ---- parts of shapes

static Mapping inner_shape(Arena *arena, const Dim *const dims[LEVEL_COUNT], Level from)
{
    const Dim *inner[LEVEL_COUNT] = {0};
    for (Level level = from; level < LEVEL_COUNT; level++)
        inner[level] = dims[level];
    return shape_of(arena, inner);
}

static Str piece_text(Arena *arena, const Match *match)
{
    StrBuf buf = {.arena = arena};
    term_print(&buf, &match->term, match->resize);
    return buf_str(&buf);
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
        buf_printf(&missing, "%s`%.*s`", missing.len ? ", " : "",
                   STR_ARG(piece_text(verify->arena, &division.matches.items[i])));
    Str lacking = missing.len ? buf_str(&missing) : STR("a whole part");
    Diag *diag =
        diag_add(verify->diags, code, op->span, "%s: %s not hold %.*s of `%.*s`", op->method, what,
                 STR_ARG(lacking), STR_ARG(mapping_text(verify->arena, divisor)));
    diag_note(diag, SPAN_NOWHERE, "it holds `%.*s`",
              STR_ARG(mapping_text(verify->arena, dividend)));
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
                          "the index of %s is an HbmTensor of i32, not %s %s of %s", op->method,
                          str_article(str_from(tiers[index->tier].type_name)),
                          tiers[index->tier].type_name, scalar_name(index->type));
    diag_help(diag, "put the index into HBM as i32");
    return false;
}

static void verify_index_chip(const Verify *verify, const Op *op)
{
    const Dim *chip = op->source->dims[LEVEL_CHIP], *index = op->index->dims[LEVEL_CHIP];
    if (mapping_equal(verify->arena, &chip->mapping, &index->mapping) != MAPPINGS_EQUAL)
        diag_add(verify->diags, DIAG_SCATTER_INDEX, op->span,
                 "%s: Chip of the index is `%.*s`, that of the data `%.*s`", op->method,
                 STR_ARG(dim_text(verify->arena, index)), STR_ARG(dim_text(verify->arena, chip)));
}

// Every position of the key has an entry on every chip.
static bool verify_entries(const Verify *verify, const Op *op)
{
    const Mapping *index = &op->index->dims[LEVEL_ELEMENT]->mapping;
    int64_t entries = live_count(index), keys = op->key->mapping.size;
    if (entries >= keys)
        return true;
    Diag *diag = diag_add(verify->diags, DIAG_SCATTER_INDEX, op->span,
                          "the key `%.*s` of %s has %" PRId64
                          " positions, but the index `%.*s` has %" PRId64 " entries",
                          STR_ARG(dim_text(verify->arena, op->key)), op->method, keys,
                          STR_ARG(mapping_text(verify->arena, index)), entries);
    diag_help(diag, "every position of the key needs an entry that says where it goes");
    return false;
}

// ---- scatter

static void verify_axis(const Verify *verify, const Op *op, const Mapping *left, const char *what)
{
    if (mapping_has_terms(left))
        return;
    Diag *diag = diag_add(verify->diags, DIAG_SCATTER_AXIS, op->span,
                          "%s: %s has no axis beside the payload for the index to choose along",
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
    Diag *diag = diag_add(verify->diags, DIAG_DMA_STRIDE, op->span,
                          "rows of the %s of %s are %" PRId64 " elements of %s apart; %s "
                          "at multiples of %" PRId64 " byte%s",
                          gathers ? "table" : "output", op->method, stride, scalar_name(type),
                          gathers ? "reads from HBM to DM start" : "writes start", align,
                          align == 1 ? "" : "s");
    diag_help(diag, "pad the rows of the %s", gathers ? "table" : "output");
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
    Diag *diag = diag_add(verify->diags, DIAG_SCATTER_INDEX, op->span,
                          "no loops of %s walk the key `%.*s` and the entries of the index `%.*s`",
                          op->method, STR_ARG(dim_text(verify->arena, op->key)),
                          STR_ARG(mapping_text(verify->arena, index)));
    diag_help(diag, "leave no padding between the entries of the index");
}

void scatter_verify(const Verify *verify, const Op *op)
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
    if (verify_entries(verify, op))
        verify_walk(verify, op);
}

// ---- gather

void gather_verify(const Verify *verify, const Op *op)
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
    for (Level level = 0; level < LEVEL_COUNT; level++)
        source[level] = op->source->dims[level];
    source[LEVEL_ELEMENT] = &row;
    Mapping payload = shape_of(arena, source);
    const Mapping *index = &op->index->dims[LEVEL_ELEMENT]->mapping;
    if (!take_out(verify, op, &output, &payload, DIAG_SCATTER_PAYLOAD, "the output does", &left) ||
        !take_out(verify, op, &left, index, DIAG_SCATTER_INDEX, "the output does", &rest))
        return;
    verify_row_stride(verify, op, rows.stride);
    dma_move_verify(verify, op, source, op->target->dims);
}

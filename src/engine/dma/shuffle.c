#include "engine/dma/shuffle.h"

#include "base/checked.h"
#include "engine/dma/dma.h"
#include "engine/memory/tensor.h"
#include "engine/memory/tile.h"
#include "engine/report.h"

#include <inttypes.h>

// ---- patterns

static Level level_of(const Op *op)
{
    return op->kind == OP_CHIP_SHUFFLE || op->kind == OP_CHIP_SLICE ? LEVEL_CHIP : LEVEL_CLUSTER;
}

static bool report_count(const Verify *verify, const Op *op, const char *what, int64_t count)
{
    const Dim *dim = op->source->dims[level_of(op)];
    Diag *diag = diag_add(verify->diags, DIAG_SHUFFLE_COUNT, op->span,
                          "%s of %s is %" PRId64 "; %s `%.*s` has %" PRId64 " positions", what,
                          op->method, count, level_names[level_of(op)],
                          STR_ARG(dim_text(verify->arena, dim)), dim->mapping.size);
    diag_help(diag, "give it %" PRId64, dim->mapping.size);
    return false;
}

// One entry for each unit.
static bool verify_count(const Verify *verify, const Op *op)
{
    const Dim *dim = op->source->dims[level_of(op)];
    bool ok = true;
    if (!dim) {
        diag_add(verify->diags, DIAG_SHUFFLE_LEVEL, op->span,
                 "%s works on %s, which a tensor in %s does not have", op->method,
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
                 "entry %" PRId64 " of the pattern of %s is %" PRId64
                 "; `%.*s` has the positions 0 "
                 "to %" PRId64,
                 i, op->method, op->pattern[i], STR_ARG(dim_text(verify->arena, range)),
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
             "%s sends what %s %" PRId64 " has to %" PRId64 " places, and what %" PRId64
             " has to none",
             op->method, level_names[level_of(op)], repeated, uses[repeated], unused);
}

void shuffle_verify(const Verify *verify, const Op *op)
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
                     "position %" PRId64 " of `%.*s` starts %" PRId64
                     " elements of %s into %.*s, which is no whole number of bytes",
                     op->pattern[i], STR_ARG(dim_text(verify->arena, op->key)), start,
                     scalar_name(source->type), STR_ARG(tensor_text(verify->arena, source)));
        diag_help(diag, "pad what lies inside `%.*s` to a multiple of %" PRId64 " elements",
                  STR_ARG(dim_text(verify->arena, op->key)), unit);
        return;
    }
}

void slice_verify(const Verify *verify, const Op *op)
{
    const Dim *source[LEVEL_COUNT];
    if (!verify_count(verify, op) || !tile_mapping_verify(verify, op->source->dims[LEVEL_ELEMENT],
                                                          op->key, 1, op->sliced, op->span))
        return;
    if (verify->rules != RULES_REFERENCE && verify_entries(verify, op, op->key))
        verify_starts(verify, op);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        source[level] = op->source->dims[level];
    source[LEVEL_ELEMENT] = op->sliced;
    dma_move_verify(verify, op, source, op->target->dims);
}

// The neutral elements of reductions, and where fetch can give them to padding.
#include "engine/vector/vector.h"

#include <string.h>

enum { MINUS_ZERO = INT32_MIN }; // of f32: +0 would make +0 of -0

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Manual: Intra-Slice Reduce, Identity Elements, Padding Strategy; that of the product is ours.
uint32_t reduce_identity(VectorOp op)
{
    switch (op) {
    case OP_IntraSliceReduceOpI32_Max:
    case OP_InterSliceReduceOpI32_Max:
        return (uint32_t)INT32_MIN;
    case OP_IntraSliceReduceOpI32_Min:
    case OP_InterSliceReduceOpI32_Min:
        return INT32_MAX;
    case OP_IntraSliceReduceOpF32_Max:
    case OP_InterSliceReduceOpF32_Max:
        return float_bits(-1.0F / 0.0F);
    case OP_IntraSliceReduceOpF32_Min:
    case OP_InterSliceReduceOpF32_Min:
        return float_bits(1.0F / 0.0F);
    case OP_InterSliceReduceOpF32_Mul:
        return float_bits(1.0F);
    default:
        return 0;
    }
}

static bool adds_floats(VectorOp op)
{
    return op == OP_IntraSliceReduceOpF32_Add || op == OP_InterSliceReduceOpF32_Add;
}

static bool is_padded(const Mapping *mapping)
{
    for (int64_t i = 0; i < mapping->count; i++)
        if (mapping->factors[i].is_padding)
            return true;
    return false;
}

static bool is_custom(const Stage *stage)
{
    return stage->kind == STAGE_SWITCH && stage->config.kind == SWITCH_CUSTOM_BROADCAST;
}

// A custom topology gives slices of padding no source: zeros come there.
static bool leaves_slices_out(const Stage *stage)
{
    return is_custom(stage) && is_padded(&stage->dims[LEVEL_SLICE]->mapping);
}

// What comes in goes out.
static bool keeps_values(const Stage *stage)
{
    static const bool keeps[STAGE_COUNT] = {
        [STAGE_SWITCH] = true,        [STAGE_COLLECT] = true,       [STAGE_VECTOR_INIT] = true,
        [STAGE_VECTOR_BRANCH] = true, [STAGE_VECTOR_SPLIT] = true,  [STAGE_VECTOR_TRIM] = true,
        [STAGE_VECTOR_PAD] = true,    [STAGE_VECTOR_CONCAT] = true, [STAGE_VECTOR_STASH] = true,
    };
    return keeps[stage->kind];
}

// A zero stays one: products, and what converts.
static bool keeps_zeros(const Stage *stage)
{
    static const bool keeps[STAGE_COUNT] = {
        [STAGE_SWITCH] = true,           [STAGE_ALIGN] = true,
        [STAGE_CONTRACT] = true,         [STAGE_ACCUMULATE] = true,
        [STAGE_VECTOR_FXP_TO_FP] = true, [STAGE_VECTOR_FP_TO_FXP] = true,
    };
    return keeps[stage->kind] ||
           (stage->kind == STAGE_VECTOR_FXP &&
            (stage->op == OP_FxpBinaryOp_MulInt || stage->op == OP_FxpBinaryOp_MulFxp)) ||
           (stage->kind == STAGE_VECTOR_FP_BINARY && stage->op == OP_FpBinaryOp_MulF);
}

// A reduction inside slices with the same neutral element makes that of it.
static bool reduces_alike(const Stage *stage, uint32_t identity)
{
    return stage->kind == STAGE_VECTOR_INTRA_REDUCE && reduce_identity(stage->op) == identity;
}

bool reduce_neutral(const Stage *reduce, uint32_t *bits)
{
    const Stage *stage = reduce->before;
    uint32_t identity = reduce_identity(reduce->op);
    bool is_plain = true; // nothing on the way makes +0 of -0
    for (; stage; stage = stage->before) {
        bool keeps = keeps_values(stage) && !leaves_slices_out(stage);
        if (!keeps && !reduces_alike(stage, identity) && (identity || !keeps_zeros(stage)))
            break;
        is_plain &= keeps;
    }
    *bits = is_plain && adds_floats(reduce->op) ? (uint32_t)MINUS_ZERO : identity;
    return stage && (stage->kind == STAGE_FETCH || stage->kind == STAGE_INPUT);
}

bool reduce_is_of_fetched(const Stage *reduce, const Stage **custom)
{
    const Stage *stage = reduce->before;
    for (*custom = NULL; stage && keeps_values(stage); stage = stage->before)
        if (is_custom(stage) &&
            (leaves_slices_out(stage) || is_padded(&stage->dims[LEVEL_TIME]->mapping)))
            *custom = stage;
    return stage && stage->kind == STAGE_FETCH;
}

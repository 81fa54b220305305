// Each ALU serves one operation a pass. The set is fresh behind every branch and behind an
// inter-slice reduce; the two groups of a pair share one.
// Manual: Intra-Slice Block, Constraints.
#include "engine/vector/internal.h"

#include "base/checked.h"

static bool starts_afresh(StageKind kind)
{
    return kind == STAGE_VECTOR_BRANCH || kind == STAGE_VECTOR_UNZIP ||
           kind == STAGE_VECTOR_INTER_REDUCE || kind == STAGE_INPUT;
}

// The first call since the last branch that uses the ALU; NULL: none.
static const Stage *first_user(const Call *call, VectorAlu alu)
{
    const Stage *first = NULL;
    for (const Stage *s = call->from; s && !starts_afresh(s->kind); s = s->before)
        if (s->alu == alu)
            first = s;
    return first;
}

static bool is_product(VectorOp op)
{
    return op == OP_FpBinaryOp_MulF || op == OP_FpBinaryOp_MaskMulF;
}

// As FpMulAlu spells it: without "Fp".
static const char *short_name(VectorAlu alu)
{
    return vector_alu_names[alu] + 2;
}

static bool is_multiplier(VectorAlu alu)
{
    return alu == ALU_FpMul0 || alu == ALU_FpMul1 || alu == ALU_FpFma;
}

// Another multiplier that is free; ALU_NONE: all are taken.
static VectorAlu free_multiplier(const Call *call)
{
    static const VectorAlu multipliers[] = {ALU_FpMul0, ALU_FpMul1, ALU_FpFma};
    for (size_t i = 0; i < COUNT_OF(multipliers); i++)
        if (!first_user(call, multipliers[i]))
            return multipliers[i];
    return ALU_NONE;
}

static void help_with_multiplier(const Call *call, Diag *diag, VectorAlu alu, const char *what)
{
    const char *op = vector_ops[call->stage->op].name;
    bool text = report_is_text(call->verify);
    const char *type = text ? "" : "FpMulAlu::", *family = text ? "" : "FpBinaryOp::";
    diag_help(diag, "%s `%s(%s%s)`", what, op, type, short_name(alu));
    diag_edit(diag, report_place(call->stage->at.op), "%s%s(%s%s)", family, op, type,
              short_name(alu));
}

static void verify_single_use(const Call *call)
{
    const Stage *first = first_user(call, call->stage->alu);
    if (!first)
        return;
    const char *alu = vector_alu_names[call->stage->alu];
    const char *op = vector_ops[call->stage->op].name;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_ALU_REUSE, call->stage->span,
                          "%s needs the %s ALU, which %s already uses in this pass", op, alu,
                          vector_ops[first->op].name);
    diag_note(diag, first->span, "%s is taken here", alu);
    VectorAlu other = is_product(call->stage->op) ? free_multiplier(call) : ALU_NONE;
    if (other != ALU_NONE)
        help_with_multiplier(call, diag, other, "name another multiplier:");
    else
        diag_help(diag, "commit before %s and run it in a pass of its own", op);
}

// A product names the ALU it runs on.
static void verify_multiplier(const Call *call)
{
    VectorAlu alu = call->stage->alu;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_ALU_UNFIT, call->stage->span,
                          "%s runs on FpMul0, FpMul1 or FpFma, and names %s",
                          vector_ops[call->stage->op].name,
                          alu == ALU_NONE ? "no ALU" : vector_alu_names[alu]);
    VectorAlu other = free_multiplier(call);
    help_with_multiplier(call, diag, other == ALU_NONE ? ALU_FpMul0 : other, "name one:");
}

void vector_alu_verify(const Call *call)
{
    const Stage *stage = call->stage;
    if (vector_methods[stage->kind].i32 == FAMILY_COUNT &&
        vector_methods[stage->kind].f32 == FAMILY_COUNT)
        return;
    bool runs =
        stage->alu != ALU_NONE || !vector_is_pair(stage); // a pair may be left alone altogether
    if (runs && is_product(stage->op) && !is_multiplier(stage->alu))
        verify_multiplier(call);
    else if (stage->alu != ALU_NONE)
        verify_single_use(call);
}

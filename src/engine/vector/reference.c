// What the reference library cannot run, although the manual has it. Asked with --rules=reference.
#include "engine/vector/internal.h"

#include "base/checked.h"

// Operations that the reference library names and cannot run. Their absence is no rule of the
// hardware.
static bool lacks_operation(VectorOp op)
{
    static const VectorOp lacking[] = {
        OP_FxpBinaryOp_ArithRightShiftRound,
        OP_FpUnaryOp_Erf,
        OP_FpBinaryOp_MaskMulF,
        OP_FpTernaryOp_MaskFmaF,
    };
    for (size_t i = 0; i < COUNT_OF(lacking); i++)
        if (lacking[i] == op)
            return true;
    return false;
}

// What the reference library lacks of a call, NULL: nothing.
static const char *lacking_of(const Call *call)
{
    const Stage *stage = call->stage;
    const VectorMethod *method = &vector_methods[stage->kind];
    if (vector_is_pair(call->from) &&
        (stage->kind == STAGE_VECTOR_TRIM || stage->kind == STAGE_VECTOR_PAD))
        return "this call on a pair";
    if (stage->kind == STAGE_VECTOR_FILTER)
        return "vector_filter";
    if (stage->kind == STAGE_VECTOR_BRANCH &&
        (stage->branch == BRANCH_VALID_COUNT || stage->branch == BRANCH_VRF))
        return branch_names[stage->branch];
    if ((method->i32 != FAMILY_COUNT || method->f32 != FAMILY_COUNT) && lacks_operation(stage->op))
        return vector_ops[stage->op].name;
    return NULL;
}

void vector_reference_verify(const Call *call)
{
    const char *lacking = call->is_reference ? lacking_of(call) : NULL;
    if (!lacking)
        return;
    Diag *diag = diag_add(call->diags, DIAG_VECTOR_NOT_IN_REFERENCE, call->stage->span,
                          "the reference library cannot run %s", lacking);
    diag_help(diag, "check with all rules of the manual");
    diag_help_typed(diag, "check with --rules=all, which has all of the manual");
}

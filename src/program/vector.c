#include "program/vector.h"

const VectorStageInfo vector_stages[VECTOR_STAGE_COUNT] = {
    // Manual: Vector Engine, Intra-Slice Block
    [VECTOR_BRANCH] = {.name = "Branch", .stashable = true, .before_inter = true},
    [VECTOR_LOGIC] = {.name = "Logic", .repeats = true, .stashable = true, .before_inter = true},
    [VECTOR_FXP] = {.name = "Fxp", .repeats = true, .stashable = true, .before_inter = true},
    [VECTOR_FXP_TO_FP] = {.name = "FxpToFp", .before_inter = true},
    [VECTOR_NARROW] = {.name = "Narrow", .stashable = true},
    [VECTOR_FP] = {.name = "Fp", .repeats = true, .stashable = true},
    [VECTOR_INTRA_SLICE_REDUCE] = {.name = "IntraSliceReduce"},
    [VECTOR_FP_DIV] = {.name = "FpDiv", .stashable = true},
    [VECTOR_WIDEN] = {.name = "Widen", .before_inter = true},
    [VECTOR_FP_TO_FXP] = {.name = "FpToFxp", .before_inter = true},
    [VECTOR_CLIP] = {.name = "Clip", .repeats = true, .stashable = true, .before_inter = true},
    [VECTOR_FILTER] = {.name = "Filter"},
    [VECTOR_INTER_SLICE_REDUCE] = {.name = "InterSliceReduce"},
};

const char *const vector_alu_names[ALU_COUNT] = {
    [ALU_NONE] = "",
#define VECTOR_ALU(name, stage) [ALU_##name] = #name,
#define VECTOR_FAMILY(name, type, doc)
#define VECTOR_OP(family, name, alu, doc)
#include "program/vector.def"
#undef VECTOR_ALU
#undef VECTOR_FAMILY
#undef VECTOR_OP
};

const VectorFamilyInfo vector_families[FAMILY_COUNT] = {
#define VECTOR_ALU(name, stage)
#define VECTOR_FAMILY(name, type, doc) [FAMILY_##name] = {#name, SCALAR_##type, doc},
#define VECTOR_OP(family, name, alu, doc)
#include "program/vector.def"
#undef VECTOR_ALU
#undef VECTOR_FAMILY
#undef VECTOR_OP
};

const VectorOpInfo vector_ops[VECTOR_OP_COUNT] = {
#define VECTOR_ALU(name, stage)
#define VECTOR_FAMILY(name, type, doc)
#define VECTOR_OP(family, name, alu, doc) \
    [OP_##family##_##name] = {FAMILY_##family, #name, ALU_##alu, doc},
#include "program/vector.def"
#undef VECTOR_ALU
#undef VECTOR_FAMILY
#undef VECTOR_OP
};

VectorOp vector_op_find(VectorFamily family, Str name)
{
    VectorOp op = 0;
    while (op < VECTOR_OP_COUNT &&
           (vector_ops[op].family != family || !str_equal(name, str_from(vector_ops[op].name))))
        op++;
    return op;
}

const ArgModeInfo arg_modes[MODE_COUNT] = {
    [MODE_DEFAULT] = {0},
    [MODE_0] = {"Mode0", 1, {0}},
    [MODE_1] = {"Mode1", 1, {1}},
    [MODE_00] = {"Mode00", 2, {0, 0}},
    [MODE_01] = {"Mode01", 2, {0, 1}},
    [MODE_10] = {"Mode10", 2, {1, 0}},
    [MODE_11] = {"Mode11", 2, {1, 1}},
    [MODE_012] = {"Mode012", 3, {0, 1, 2}},
    [MODE_002] = {"Mode002", 3, {0, 0, 2}},
    [MODE_102] = {"Mode102", 3, {1, 0, 2}},
    [MODE_112] = {"Mode112", 3, {1, 1, 2}},
    [MODE_020] = {"Mode020", 3, {0, 2, 0}},
    [MODE_021] = {"Mode021", 3, {0, 2, 1}},
    [MODE_120] = {"Mode120", 3, {1, 2, 0}},
};

const char *const compare_names[COMPARE_COUNT] = {
    [COMPARE_EQUAL] = "Equal",
    [COMPARE_LESS] = "Less",
    [COMPARE_GREATER] = "Greater",
    [COMPARE_LESS_UNSIGNED] = "LessUnsigned",
    [COMPARE_GREATER_UNSIGNED] = "GreaterUnsigned",
    [COMPARE_TRUE] = "True",
    [COMPARE_FALSE] = "False",
};

const char *const branch_names[BRANCH_COUNT] = {
    [BRANCH_UNCONDITIONAL] = "Unconditional",
    [BRANCH_AXIS_TOGGLE] = "AxisToggle",
    [BRANCH_COMPARISON] = "Comparison",
    [BRANCH_VALID_COUNT] = "ValidCount",
    [BRANCH_VRF] = "Vrf",
};

#include "program/text_form.h"

#include "base/checked.h"

#include <string.h>

const char *const level_words[LEVEL_COUNT] = {
    [LEVEL_CHIP] = "chip",       [LEVEL_CLUSTER] = "cluster", [LEVEL_SLICE] = "slice",
    [LEVEL_ROW] = "row",         [LEVEL_TIME] = "time",       [LEVEL_PACKET] = "packet",
    [LEVEL_ELEMENT] = "element",
};

// The language has those of Chip, Cluster, Slice and Element.
const char *const tile_methods[LEVEL_COUNT] = {
    [LEVEL_CHIP] = "chip_tile", [LEVEL_CLUSTER] = "cluster_tile", [LEVEL_SLICE] = "slice_tile",
    [LEVEL_ROW] = "row_tile",   [LEVEL_TIME] = "time_tile",       [LEVEL_PACKET] = "packet_tile",
    [LEVEL_ELEMENT] = "tile",
};

const char *const tier_words[TIER_COUNT] = {
    [TIER_HOST] = "host", [TIER_HBM] = "hbm", [TIER_DM] = "dm",
    [TIER_TRF] = "trf",   [TIER_VRF] = "vrf",
};

const char *const group_words[2] = {"Zero", "One"};

const char *const origin_words[ORIGIN_COUNT] = {
    [ORIGIN_PARAM] = "param",
    [ORIGIN_ADDRESS] = "from_addr",
    [ORIGIN_RESULT] = "result",
    [ORIGIN_RESHAPE] = "reshape",
};

const char *const op_kind_words[OP_KIND_COUNT] = {
    [OP_MOVE] = "move",
    [OP_PARALLEL_COPY] = "parallel_copy",
    [OP_CLUSTER_SHUFFLE] = "cluster_shuffle",
    [OP_CHIP_SHUFFLE] = "chip_shuffle",
    [OP_CLUSTER_SLICE] = "cluster_slice",
    [OP_CHIP_SLICE] = "chip_slice",
    [OP_SCATTER] = "scatter",
    [OP_GATHER] = "gather",
};

const OpMethod op_methods[OP_METHOD_COUNT] = {
    {"to_host", OP_MOVE, TIER_HOST},
    {"to_hbm", OP_MOVE, TIER_HBM},
    {"to_hbm_view", OP_MOVE, TIER_HBM},
    {"to_dm", OP_MOVE, TIER_DM},
    {"to_dm_view", OP_MOVE, TIER_DM},
    {"to_dm_view_pcopy", OP_PARALLEL_COPY, TIER_DM},
    {"to_dm_pcopy", OP_PARALLEL_COPY, TIER_DM},
    {"dm_cluster_shuffle", OP_CLUSTER_SHUFFLE, TIER_DM},
    {"dm_chip_shuffle", OP_CHIP_SHUFFLE, TIER_DM},
    {"hbm_cluster_shuffle", OP_CLUSTER_SHUFFLE, TIER_HBM},
    {"hbm_chip_shuffle", OP_CHIP_SHUFFLE, TIER_HBM},
    {"parallel_copy_cluster_slice", OP_CLUSTER_SLICE, TIER_DM},
    {"parallel_copy_chip_slice", OP_CHIP_SLICE, TIER_DM},
    {"dma_scatter", OP_SCATTER, TIER_HBM},
    {"dma_gather", OP_GATHER, TIER_DM},
};

const StageArg stage_args[STAGE_COUNT][STAGE_MOST_ARGS] = {
    [STAGE_INPUT] = {ARG_STREAM},
    [STAGE_BEGIN] = {ARG_SOURCE},
    [STAGE_BEGIN_INTERLEAVED] = {ARG_AXIS, ARG_SOURCE, ARG_SOURCE_2},
    [STAGE_FETCH] = {ARG_TYPE, ARG_DIMS, ARG_ADAPTER},
    [STAGE_SWITCH] = {ARG_SWITCH, ARG_DIMS},
    [STAGE_COLLECT] = {ARG_DIMS},
    [STAGE_ALIGN] = {ARG_TRF, ARG_DIMS},
    [STAGE_CONTRACT] = {ARG_DIMS},
    [STAGE_ACCUMULATE] = {ARG_ACCUMULATE, ARG_DIMS},
    [STAGE_CAST] = {ARG_TYPE, ARG_DIMS},
    [STAGE_TRANSPOSE] = {ARG_DIMS},
    [STAGE_COMMIT] = {ARG_RESULT},
    [STAGE_COMMIT_VIEW] = {ARG_TARGET},
    [STAGE_TO_TRF] = {ARG_RESULT},
    [STAGE_TO_VRF] = {ARG_RESULT},
    [STAGE_VECTOR_INIT] = {ARG_END},
    [STAGE_VECTOR_BRANCH] = {ARG_BRANCH},
    [STAGE_VECTOR_UNZIP] = {ARG_AXIS, ARG_TILE_TIME, ARG_DIMS},
    [STAGE_VECTOR_INTER_REDUCE] = {ARG_OP, ARG_DIMS},
    [STAGE_VECTOR_LOGIC] = {ARG_OP, ARG_MODE, ARG_OPERANDS},
    [STAGE_VECTOR_FXP] = {ARG_OP, ARG_MODE, ARG_OPERANDS},
    [STAGE_VECTOR_FXP_TO_FP] = {ARG_WIDTH},
    [STAGE_VECTOR_SPLIT] = {ARG_DIMS},
    [STAGE_VECTOR_TRIM] = {ARG_DIMS},
    [STAGE_VECTOR_FP_UNARY] = {ARG_OP, ARG_MODE, ARG_GROUPS},
    [STAGE_VECTOR_FP_BINARY] = {ARG_OP, ARG_MODE, ARG_OPERANDS},
    [STAGE_VECTOR_FP_TERNARY] = {ARG_OP, ARG_MODE, ARG_OPERANDS},
    [STAGE_VECTOR_INTRA_REDUCE] = {ARG_AXIS, ARG_OP, ARG_DIMS},
    [STAGE_VECTOR_FP_DIV] = {ARG_OP, ARG_MODE, ARG_OPERANDS},
    [STAGE_VECTOR_CONCAT] = {ARG_DIMS},
    [STAGE_VECTOR_PAD] = {ARG_DIMS},
    [STAGE_VECTOR_FP_TO_FXP] = {ARG_WIDTH},
    [STAGE_VECTOR_CLIP] = {ARG_OP, ARG_MODE, ARG_OPERANDS},
    [STAGE_VECTOR_STASH] = {ARG_END},
    [STAGE_VECTOR_FILTER] = {ARG_FILTER, ARG_DIMS},
    [STAGE_VECTOR_LOGIC_ZIP] = {ARG_OP, ARG_MODE},
    [STAGE_VECTOR_FXP_ZIP] = {ARG_OP, ARG_MODE},
    [STAGE_VECTOR_FP_ZIP] = {ARG_OP, ARG_MODE},
    [STAGE_VECTOR_CLIP_ZIP] = {ARG_OP, ARG_MODE},
    [STAGE_VECTOR_FINAL] = {ARG_END},
};

// Of i32, and of everything else.
static const struct {
    StageKind kind;
    VectorFamily of_i32, of_f32;
} families[] = {
    {STAGE_VECTOR_INTER_REDUCE, FAMILY_InterSliceReduceOpI32, FAMILY_InterSliceReduceOpF32},
    {STAGE_VECTOR_INTRA_REDUCE, FAMILY_IntraSliceReduceOpI32, FAMILY_IntraSliceReduceOpF32},
    {STAGE_VECTOR_LOGIC, FAMILY_LogicBinaryOpI32, FAMILY_LogicBinaryOpF32},
    {STAGE_VECTOR_LOGIC_ZIP, FAMILY_LogicBinaryOpI32, FAMILY_LogicBinaryOpF32},
    {STAGE_VECTOR_FXP, FAMILY_FxpBinaryOp, FAMILY_FxpBinaryOp},
    {STAGE_VECTOR_FXP_ZIP, FAMILY_FxpBinaryOp, FAMILY_FxpBinaryOp},
    {STAGE_VECTOR_FP_UNARY, FAMILY_FpUnaryOp, FAMILY_FpUnaryOp},
    {STAGE_VECTOR_FP_BINARY, FAMILY_FpBinaryOp, FAMILY_FpBinaryOp},
    {STAGE_VECTOR_FP_ZIP, FAMILY_FpBinaryOp, FAMILY_FpBinaryOp},
    {STAGE_VECTOR_FP_TERNARY, FAMILY_FpTernaryOp, FAMILY_FpTernaryOp},
    {STAGE_VECTOR_FP_DIV, FAMILY_FpDivBinaryOp, FAMILY_FpDivBinaryOp},
    {STAGE_VECTOR_CLIP, FAMILY_ClipBinaryOpI32, FAMILY_ClipBinaryOpF32},
    {STAGE_VECTOR_CLIP_ZIP, FAMILY_ClipBinaryOpI32, FAMILY_ClipBinaryOpF32},
};

VectorFamily stage_family(StageKind kind, Scalar type)
{
    for (size_t i = 0; i < COUNT_OF(families); i++)
        if (families[i].kind == kind)
            return type == SCALAR_I32 ? families[i].of_i32 : families[i].of_f32;
    return FAMILY_COUNT;
}

// Zips take what the stage of their name takes.
static void list_stage(StrBuf *list, StageKind kind, const char *prefix)
{
    const char *method = stages[kind].method;
    if (!str_ends_with(str_from(method), STR("_zip")))
        buf_format(list, "{}`{}{}`", list->len ? ", " : "", prefix, method);
}

Str stages_of_op(Arena *arena, Str op, const char *prefix)
{
    StrBuf list = {.arena = arena};
    for (size_t i = 0; i < COUNT_OF(families); i++)
        if (vector_op_find(families[i].of_i32, op) != VECTOR_OP_COUNT ||
            vector_op_find(families[i].of_f32, op) != VECTOR_OP_COUNT)
            list_stage(&list, families[i].kind, prefix);
    return buf_str(&list);
}

Str stages_of_family(Arena *arena, const char *family)
{
    StrBuf list = {.arena = arena};
    for (size_t i = 0; i < COUNT_OF(families); i++)
        if (strcmp(vector_families[families[i].of_i32].name, family) == 0 ||
            strcmp(vector_families[families[i].of_f32].name, family) == 0)
            list_stage(&list, families[i].kind, "");
    return buf_str(&list);
}

uint32_t stage_dims(StageKind kind)
{
    return stages[kind].sets & ~(1U << LEVEL_ROW);
}

int64_t *switch_field(SwitchConfig *config, Str name)
{
    const struct {
        const char *name;
        int64_t *value;
    } fields[] = {{"slice1", &config->slice1},
                  {"slice0", &config->slice0},
                  {"time0", &config->time0},
                  {"ring_size", &config->ring_size}};
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (str_equal(name, str_from(fields[i].name)))
            return fields[i].value;
    return NULL;
}

// FpMulAlu of the language
static const struct {
    VectorAlu alu;
    const char *word;
} float_multipliers[] = {{ALU_FpMul0, "Mul0"}, {ALU_FpMul1, "Mul1"}, {ALU_FpFma, "Fma"}};

const char *alu_word(VectorAlu alu)
{
    for (size_t i = 0; i < COUNT_OF(float_multipliers); i++)
        if (float_multipliers[i].alu == alu)
            return float_multipliers[i].word;
    return vector_alu_names[alu];
}

const char *multiplier_word(int64_t index)
{
    return index < (int64_t)COUNT_OF(float_multipliers) ? float_multipliers[index].word : NULL;
}

VectorAlu alu_find(Str word)
{
    VectorAlu alu = ALU_NONE + 1;
    while (alu < ALU_COUNT && !str_equal(word, str_from(alu_word(alu))))
        alu++;
    return alu;
}

bool level_is_inherited(Level level)
{
    return level == LEVEL_CHIP || level == LEVEL_CLUSTER || level == LEVEL_SLICE;
}

static bool is_word(const char *text)
{
    bool word = *text && !(*text >= '0' && *text <= '9');
    for (; *text && word; text++) {
        bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
        bool colons = text[0] == ':' && text[1] == ':';
        word = letter || (*text >= '0' && *text <= '9') || *text == '_' || colons;
        text += colons;
    }
    return word;
}

void text_print_name(StrBuf *out, const char *name)
{
    if (is_word(name)) {
        buf_add(out, str_from(name));
        return;
    }
    buf_add_char(out, '"');
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
            buf_format(out, "\\x{02x}", c);
        else
            buf_add_char(out, *name);
    }
    buf_add_char(out, '"');
}

void text_print_value(StrBuf *out, Scalar type, uint32_t bits)
{
    StrBuf text = {.arena = out->arena};
    literal_print(&text, type, bits);
    bool hex = str_starts_with(buf_str(&text), STR("0x"));
    bool plain = (type == SCALAR_I32 || type == SCALAR_F32) && !hex;
    if (!plain)
        buf_format(out, "{}:", scalar_name(type));
    buf_add(out, buf_str(&text));
}

// The stream behind a stage, as it follows from the one before: most stages change one thing and
// hand on the rest. What each does to the state of the Vector Engine is a row of a table.
#include "program/internal.h"

typedef enum {
    GROUPS_KEPT,
    GROUPS_PLAIN,  // Standalone: one stream, nothing remembered of a zip
    GROUPS_ZIPPED, // two groups have just become one
} GroupEffect;

typedef enum { WAY_KEPT, WAY_4, WAY_8 } WayEffect;

typedef enum {
    STASH_KEPT,
    STASH_FRESH, // empty, and of the type that enters
    STASH_TAKEN,
} StashEffect;

// Manual: Vector Engine, Intra-Slice Block.
typedef struct {
    bool moves; // the stream comes to `stage`
    VectorStage stage;
    GroupEffect groups;
    WayEffect way;
    StashEffect stash;
    bool has_op; // `op` means something
} VectorEffect;

#define MOVES(to) .moves = true, .stage = VECTOR_##to

static const VectorEffect effects[STAGE_COUNT] = {
    [STAGE_VECTOR_INIT] = {MOVES(BRANCH), GROUPS_PLAIN, WAY_8, STASH_FRESH, false},
    [STAGE_VECTOR_BRANCH] = {MOVES(BRANCH), GROUPS_PLAIN, WAY_8, STASH_FRESH, false},
    [STAGE_VECTOR_UNZIP] = {MOVES(BRANCH), GROUPS_PLAIN, WAY_8, STASH_FRESH, false},
    [STAGE_VECTOR_INTER_REDUCE] = {MOVES(INTER_SLICE_REDUCE), GROUPS_PLAIN, WAY_8, STASH_FRESH,
                                   true},
    [STAGE_VECTOR_LOGIC] = {MOVES(LOGIC), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FXP] = {MOVES(FXP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FXP_TO_FP] = {MOVES(FXP_TO_FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, false},
    [STAGE_VECTOR_SPLIT] = {MOVES(NARROW), GROUPS_KEPT, WAY_4, STASH_KEPT, false},
    [STAGE_VECTOR_TRIM] = {MOVES(NARROW), GROUPS_KEPT, WAY_4, STASH_KEPT, false},
    [STAGE_VECTOR_FP_UNARY] = {MOVES(FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FP_BINARY] = {MOVES(FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_FP_TERNARY] = {MOVES(FP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_INTRA_REDUCE] = {MOVES(INTRA_SLICE_REDUCE), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT,
                                   true},
    [STAGE_VECTOR_FP_DIV] = {MOVES(FP_DIV), GROUPS_KEPT, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_CONCAT] = {MOVES(WIDEN), GROUPS_KEPT, WAY_8, STASH_KEPT, false},
    [STAGE_VECTOR_PAD] = {MOVES(WIDEN), GROUPS_KEPT, WAY_8, STASH_KEPT, false},
    [STAGE_VECTOR_FP_TO_FXP] = {MOVES(FP_TO_FXP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, false},
    [STAGE_VECTOR_CLIP] = {MOVES(CLIP), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, true},
    [STAGE_VECTOR_STASH] = {.stash = STASH_TAKEN},
    [STAGE_VECTOR_FILTER] = {MOVES(FILTER), GROUPS_PLAIN, WAY_KEPT, STASH_KEPT, false},
    [STAGE_VECTOR_LOGIC_ZIP] = {MOVES(LOGIC), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
    [STAGE_VECTOR_FXP_ZIP] = {MOVES(FXP), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
    [STAGE_VECTOR_FP_ZIP] = {MOVES(FP), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
    [STAGE_VECTOR_CLIP_ZIP] = {MOVES(CLIP), GROUPS_ZIPPED, WAY_KEPT, STASH_FRESH, true},
};

static Scalar type_behind(const Stage *stage, const Stage *before)
{
    Scalar type = before->type;
    if (stage->kind == STAGE_FETCH || stage->kind == STAGE_CAST)
        return stage->type;
    if (stage->kind == STAGE_VECTOR_FXP_TO_FP)
        return SCALAR_F32;
    if (stage->kind == STAGE_VECTOR_FP_TO_FXP)
        return SCALAR_I32;
    if (stage->kind == STAGE_CONTRACT)
        scalar_contraction_result(before->type, &type); // stays as it is where it cannot contract
    return type;
}

static void follow_dims(Stage *stage, const Stage *before)
{
    if (stage->kind == STAGE_ALIGN && stage->trf)
        stage->dims[LEVEL_ROW] = stage->trf->dims[LEVEL_ROW];
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (!(stages[stage->kind].sets & 1U << level) || !stage->dims[level])
            stage->dims[level] = before->dims[level];
    if (stage->kind == STAGE_ACCUMULATE)
        stage->dims[LEVEL_ROW] = NULL; // the rows have gone into Time or Packet
}

// Stages that take a stream or a pair make of it what it was.
static Position position_behind(const Stage *stage, const Stage *before)
{
    const StageInfo *info = &stages[stage->kind];
    bool either = info->from & 1U << POSITION_VECTOR && info->from & 1U << POSITION_VECTOR_PAIR;
    return either && before->position == POSITION_VECTOR_PAIR ? POSITION_VECTOR_PAIR : info->to;
}

// Whether an operation does anything at all: of a pair, both groups may be left alone.
static bool is_applied(const Stage *stage)
{
    if (stage->position != POSITION_VECTOR_PAIR)
        return true;
    bool applied = stage->kind == STAGE_VECTOR_FP_UNARY && (stage->groups[0] || stage->groups[1]);
    for (int32_t i = 0; i < stage->operand_count; i++)
        applied |= stage->operands[i].kind != OPERAND_SKIP;
    return applied;
}

static VectorAlu alu_of(const Stage *stage)
{
    if (!effects[stage->kind].has_op || !is_applied(stage))
        return ALU_NONE;
    VectorAlu alu = vector_ops[stage->op].alu;
    return alu == ALU_NONE ? stage->alu : alu; // MulF: its argument says which
}

static void follow_vector(Stage *stage, const Stage *before)
{
    const VectorEffect *effect = &effects[stage->kind];
    bool entry = before->position == POSITION_VECTOR_INIT;
    stage->vector_stage = effect->moves ? effect->stage : before->vector_stage;
    stage->zipped =
        effect->groups == GROUPS_KEPT ? before->zipped : effect->groups == GROUPS_ZIPPED;
    stage->way4 = effect->way == WAY_KEPT ? before->way4 : effect->way == WAY_4;
    stage->has_stash =
        effect->stash == STASH_KEPT ? before->has_stash : effect->stash == STASH_TAKEN;
    stage->stash_type = effect->stash == STASH_KEPT ? before->stash_type : stage->type;
    stage->inter_first = entry ? stage->kind == STAGE_VECTOR_INTER_REDUCE : before->inter_first;
    stage->alu = alu_of(stage);
}

void stage_follow(Stage *stage, const Stage *before)
{
    stage->type = type_behind(stage, before);
    stage->position = position_behind(stage, before);
    follow_dims(stage, before);
    follow_vector(stage, before);
}

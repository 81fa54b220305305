// Whatever the mappings of a stream are, the rules answer: no assertion, no overflow, no hang.
#include "engine/vector/vector.h"

#include "base/checked.h"
#include "sample.h"
#include "test.h"

#include <string.h>

enum { ROUNDS = 3000, MOST = 512 };

// Calls that look at mappings.
static const StageKind kinds[] = {
    STAGE_VECTOR_BRANCH, STAGE_VECTOR_UNZIP,  STAGE_VECTOR_INTER_REDUCE, STAGE_VECTOR_SPLIT,
    STAGE_VECTOR_TRIM,   STAGE_VECTOR_CONCAT, STAGE_VECTOR_PAD,          STAGE_VECTOR_INTRA_REDUCE,
    STAGE_VECTOR_FILTER, STAGE_VECTOR_CLIP,
};

typedef struct {
    Sample sample;
    Rng *rng;
    int kind;
    Stage from, stage;
    Tensor vrf;
} Try;

static const Dim *random_dim(Try *try, int64_t size)
{
    Arena *arena = try->sample.arena;
    Dim *dim = arena_new(arena, Dim, 1);
    const Expr *expr = sample_expr(&try->sample, try->rng, try->kind, MOST);
    if (size && expr->size < size) // lanes must fit before anything else is looked at
        expr = expr_operator(try->sample.diags, SPAN_NOWHERE, EXPR_PADDING, expr, size);
    else if (size)
        expr = expr_operator(try->sample.diags, SPAN_NOWHERE, EXPR_RESIZE, expr, size);
    dim->expr = expr;
    dim->mapping = mapping_of_expr(arena, expr);
    dim->span = SPAN_NOWHERE;
    return dim;
}

static void random_dims(Try *try, Stage *stage, int64_t lanes)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (level != LEVEL_ROW && level != LEVEL_ELEMENT)
            stage->dims[level] = random_dim(try, level == LEVEL_PACKET ? lanes : 0);
}

static void random_stage(Try *try)
{
    StageKind kind = kinds[rng_below(try->rng, COUNT_OF(kinds))];
    bool way4 = kind == STAGE_VECTOR_CONCAT || kind == STAGE_VECTOR_PAD ||
                kind == STAGE_VECTOR_INTRA_REDUCE;
    bool entry = stages[kind].from & 1U << POSITION_VECTOR_INIT;
    try->from = (Stage){.kind = STAGE_INPUT,
                        .span = SPAN_NOWHERE,
                        .position = entry ? POSITION_VECTOR_INIT : POSITION_VECTOR,
                        .type = SCALAR_F32,
                        .stash_type = SCALAR_F32,
                        .way4 = way4,
                        .vector_stage = VECTOR_NARROW,
                        .sound = true};
    random_dims(try, &try->from, way4 ? 4 : 8);
    try->stage = try->from;
    try->stage.kind = kind;
    try->stage.before = &try->from;
    try->stage.branch = BRANCH_VALID_COUNT;
    try->stage.op =
        kind == STAGE_VECTOR_CLIP ? OP_ClipBinaryOpF32_Max : OP_InterSliceReduceOpF32_Add;
    try->stage.axis = try->sample.atoms[rng_below(try->rng, try->sample.atom_count)];
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (stages[kind].sets & 1U << level)
            try->stage.dims[level] = random_dim(try, level == LEVEL_PACKET ? (way4 ? 8 : 4) : 0);
    try->stage.tile_time = random_dim(try, 0);
    try->vrf = (Tensor){.tier = TIER_VRF, .type = SCALAR_F32, .sound = true};
    for (Level level = 0; level < LEVEL_ROW; level++)
        try->vrf.dims[level] = try->from.dims[level];
    try->vrf.dims[LEVEL_ELEMENT] = random_dim(try, 0);
    try->stage.operand_count = 1;
    try->stage.operands[0] = (Operand){.kind = OPERAND_VRF, .vrf = &try->vrf, .span = SPAN_NOWHERE};
}

TEST(rules_answer)
{
    static const int all[] = {
        0,           SAMPLE_DISJOINT, SAMPLE_RESIZE, SAMPLE_SHIFT | SAMPLE_RESIZE, SAMPLE_LINEAR,
        SAMPLE_SKEW, SAMPLE_PLAIN};
    Rng rng = {.state = 99};
    for (int i = 0; i < ROUNDS; i++) {
        Arena arena = {0}, scratch = {0};
        DiagList diags = {.arena = &arena}, reports = {.arena = &arena};
        Try try = {.sample = {.arena = &arena, .scratch = &scratch, .diags = &diags},
                   .rng = &rng,
                   .kind = all[rng_below(&rng, COUNT_OF(all))]};
        sample_axes(&try.sample, &rng, try.kind);
        random_stage(&try);
        Verify verify = {.arena = &scratch,
                         .diags = &reports,
                         .machine = &machine_rngd,
                         .rules = rng_chance(&rng, 20) ? RULES_REFERENCE : RULES_CONTRA};
        vector_engine.verify(&verify, NULL, &try.stage);
        arena_release(&scratch);
        arena_release(&arena);
    }
}

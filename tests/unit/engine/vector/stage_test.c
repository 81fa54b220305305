// Rules that no text of a program can break: stages filled in by hand, as a compiler could hand
// them in through the C interface.
#include "engine/vector/vector.h"

#include "base/checked.h"
#include "test.h"
#include "worlds.h"

#include <string.h>

// A stream of i32 in stage Branch, and a stage behind it.
typedef struct {
    World *world;
    Dim dims[LEVEL_COUNT];
    Stage from, stage;
} Bench;

static void set_dim(Bench *bench, Level level, const char *text)
{
    Dim *dim = &bench->dims[level];
    dim->expr = world_expr(bench->world, text);
    dim->mapping = mapping_of_expr(&bench->world->arena, dim->expr);
    dim->span = SPAN_NOWHERE;
    bench->from.dims[level] = bench->stage.dims[level] = dim;
}

static void bench_open(Bench *bench, StageKind kind)
{
    memset(bench, 0, sizeof *bench);
    bench->world = world_new("A=64");
    bench->from =
        (Stage){.kind = STAGE_INPUT,
                .span = SPAN_NOWHERE,
                .position = kind == STAGE_VECTOR_BRANCH ? POSITION_VECTOR_INIT : POSITION_VECTOR,
                .type = SCALAR_I32,
                .stash_type = SCALAR_I32,
                .sound = true};
    bench->stage = bench->from;
    bench->stage.kind = kind;
    bench->stage.before = &bench->from;
    set_dim(bench, LEVEL_CHIP, "1");
    set_dim(bench, LEVEL_CLUSTER, "1 # 2");
    set_dim(bench, LEVEL_SLICE, "A / 8");
    set_dim(bench, LEVEL_TIME, "1");
    set_dim(bench, LEVEL_PACKET, "A % 8");
}

// The codes reported, separated by blanks.
static const char *bench_codes(Bench *bench)
{
    Arena *arena = &bench->world->arena;
    Verify verify = {.arena = arena, .diags = &bench->world->diags, .machine = &machine_rngd};
    StrBuf out = {.arena = arena};
    vector_engine.verify(&verify, NULL, &bench->stage);
    for (int64_t i = 0; i < bench->world->diags.count; i++)
        buf_format(&out, "{}{}", i ? " " : "", diag_infos[bench->world->diags.items[i]->code].code);
    return str_terminated(arena, buf_str(&out));
}

TEST(operations_belong_to_their_stage)
{
    static const struct {
        VectorOp op;
        const char *codes;
    } cases[] = {
        {OP_FxpBinaryOp_AddFxp, ""},
        {OP_ClipBinaryOpI32_Max, "E0708"},
        {OP_FpBinaryOp_AddF, "E0708"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Bench bench;
        bench_open(&bench, STAGE_VECTOR_FXP);
        bench.stage.op = cases[i].op;
        bench.stage.operand_count = 1;
        bench.stage.operands[0] = (Operand){.kind = OPERAND_CONSTANT, .type = SCALAR_I32};
        assert_string_equal(bench_codes(&bench), cases[i].codes);
        world_free(bench.world);
    }
}

TEST(at_most_five_operands)
{
    for (int32_t count = 4; count <= 7; count++) {
        Bench bench;
        bench_open(&bench, STAGE_VECTOR_FXP);
        bench.stage.op = OP_FxpBinaryOp_AddFxp;
        bench.stage.operand_count = count;
        for (int32_t i = 0; i < VECTOR_OPERANDS; i++)
            bench.stage.operands[i] = (Operand){.kind = OPERAND_CONSTANT,
                                                .type = SCALAR_I32,
                                                .condition = CONDITION_GROUP_0,
                                                .span = SPAN_NOWHERE};
        assert_string_equal(bench_codes(&bench), count > VECTOR_OPERANDS ? "E0722" : "");
        world_free(bench.world);
    }
}

TEST(ids_come_from_a_tensor)
{
    Bench bench;
    bench_open(&bench, STAGE_VECTOR_BRANCH);
    bench.stage.branch = BRANCH_VRF;
    assert_string_equal(bench_codes(&bench), "E0734");
    world_free(bench.world);
}

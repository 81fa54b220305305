// The tables of programs: stages and their order, memories, operations; sizes of tensors.
#include "program_support.h"

static uint32_t after(Position position)
{
    return 1U << position;
}

// Manual: Computing Tensors; the language's method tables.
TEST(stages_follow_what_they_can)
{
    const uint32_t streams = after(POSITION_BEGIN) | after(POSITION_FETCH) |
                             after(POSITION_SWITCH) | after(POSITION_COLLECT) |
                             after(POSITION_ACCUMULATE) | after(POSITION_VECTOR_FINAL) |
                             after(POSITION_CAST) | after(POSITION_TRANSPOSE);
    const uint32_t vectors = after(POSITION_VECTOR) | after(POSITION_VECTOR_PAIR);
    const struct {
        const char *method;
        uint32_t from;
        Position to;
    } cases[] = {
        {"begin", 0, POSITION_BEGIN},
        {"fetch", after(POSITION_BEGIN), POSITION_FETCH},
        {"collect", after(POSITION_FETCH) | after(POSITION_SWITCH), POSITION_COLLECT},
        {"commit", streams, POSITION_SINK},
        {"to_vrf", after(POSITION_COLLECT) | after(POSITION_VECTOR_FINAL), POSITION_SINK},
        {"vector_fxp", vectors, POSITION_VECTOR},
        {"vector_fxp_zip", after(POSITION_VECTOR_PAIR), POSITION_VECTOR},
        {"vector_final", after(POSITION_VECTOR), POSITION_VECTOR_FINAL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        StageKind kind = 0;
        while (strcmp(stages[kind].method, cases[i].method) != 0)
            kind++;
        assert_int_equal(stages[kind].from, cases[i].from);
        assert_int_equal(stages[kind].to, cases[i].to);
    }
}

TEST(every_name_is_there)
{
    for (StageKind kind = STAGE_INPUT + 1; kind < STAGE_COUNT; kind++)
        assert_true(*stages[kind].method && *stages[kind].manual);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        assert_non_null(level_names[level]);
    for (Tier tier = 0; tier < TIER_COUNT; tier++)
        assert_true(tiers[tier].name && tiers[tier].levels[LEVEL_ELEMENT]);
    for (Position position = 0; position < POSITION_COUNT; position++)
        assert_non_null(position_types[position]);
    for (int i = 0; i < SWITCH_COUNT; i++)
        assert_true(switches[i].name && switches[i].fields[0]);
    for (int i = 0; i < VECTOR_STAGE_COUNT; i++)
        assert_non_null(vector_stages[i].name);
    for (int i = 0; i < COMPARE_COUNT; i++)
        assert_non_null(compare_names[i]);
    for (int i = 0; i < BRANCH_COUNT; i++)
        assert_non_null(branch_names[i]);
    for (int i = MODE_DEFAULT + 1; i < MODE_COUNT; i++)
        assert_int_equal(strlen(arg_modes[i].name), 4 + (size_t)arg_modes[i].count);
}

// "Mode102": the digits are the arguments.
TEST(modes_are_what_they_are_called)
{
    for (int i = MODE_DEFAULT + 1; i < MODE_COUNT; i++)
        for (int k = 0; k < arg_modes[i].count; k++)
            assert_int_equal(arg_modes[i].name[4 + k] - '0', arg_modes[i].args[k]);
}

TEST(operations_are_found_in_their_family)
{
    for (VectorOp op = 0; op < VECTOR_OP_COUNT; op++)
        assert_int_equal(vector_op_find(vector_ops[op].family, str_from(vector_ops[op].name)), op);
    assert_int_equal(vector_op_find(FAMILY_FxpBinaryOp, STR("AddF")), VECTOR_OP_COUNT);
    assert_int_equal(vector_ops[OP_ClipBinaryOpF32_Add].alu, ALU_ClipAdd);
    assert_int_equal(vector_ops[OP_FpBinaryOp_MulF].alu, ALU_NONE);
}

TEST(sizes_of_tensors)
{
    static const struct {
        const char *tensor;
        int64_t bytes; // -1: not a whole number, or too many
    } cases[] = {
        {"host i32 element [A]", 4 * 4096},
        {"hbm i4 chip [B] element [A # 5000]", 2500},
        {"hbm i4 chip [1] element [C]", -1},
        {"dm bf16 chip [1] cluster [1 # 2] slice [A / 16] element [A % 16, B]", 256},
        {"trf i8 chip [1] cluster [1] slice [1] row [B] element [A % 16 # 64]", 512},
        {"vrf f32 chip [1] cluster [1] slice [1] element [B]", 32},
        {"host i32 element [Z]", -1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Desk *desk = desk_new(NULL);
        StrBuf text = {.arena = &desk->arena};
        bool host = cases[i].tensor[0] == 'h' && cases[i].tensor[1] == 'o';
        buf_format(&text,
                   "program p\naxis A = 4096\naxis B = 8\naxis C = 3\naxis Z = "
                   "4611686018427387904\n%0 = param {}{}\nend\n",
                   cases[i].tensor,
                   host                        ? ""
                   : cases[i].tensor[0] == 't' ? " at Full"
                                               : " at 0");
        const Tensor *tensor = desk_program(desk, buf_str(&text))->tensors.items[0];
        int64_t bytes = -1;
        if (!tensor_bytes(tensor, &bytes))
            bytes = -1;
        assert_int_equal(bytes, cases[i].bytes);
        assert_int_equal(tensor_element_count(tensor), tensor->dims[LEVEL_ELEMENT]->mapping.size);
        desk_free(desk);
    }
}

TEST(shapes_are_outermost_first)
{
    Desk *desk = desk_new(NULL);
    const Program *program =
        desk_program(desk, STR("program p\naxis A = 64\n%0 = param dm i8 chip [1] cluster [1 # 2] "
                               "slice [A / 16] element [A % 16] at 0\nend\n"));
    Mapping shape = shape_of(&desk->arena, program->tensors.items[0]->dims);
    assert_string_equal(str_terminated(&desk->arena, mapping_text(&desk->arena, &shape)),
                        "A # 128");
    int64_t size;
    assert_true(shape_size(program->tensors.items[0]->dims, &size));
    assert_int_equal(size, 128);
    desk_free(desk);
}

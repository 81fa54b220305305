// The builder: whom it asks, how often, and what it makes of the answers.
#include "program_support.h"

#include "mapping/divide.h"
// ---- rules that count

static struct {
    int64_t tensors, tiles, reshapes, stages, places, ops, walks, programs;
    DiagCode refusal;     // the code that refusals have
    int64_t refused_type; // of a stream; -1: none
    int64_t refused_place;
    const uint8_t *empty; // where an arena with nothing in it starts
} asked;

static void forget_all(void)
{
    memset(&asked, 0, sizeof asked);
    asked.refused_type = asked.refused_place = -1;
    asked.refusal = DIAG_PROGRAM_OPERANDS;
}

static void refuse(const Verify *verify, Span span)
{
    diag_add(verify->diags, asked.refusal, span, "refused by the test");
}

// Leaves something in the arena at each call, which must be gone at the next.
static void note(const Verify *verify, int64_t *count)
{
    ++*count;
    assert_true(!verify->arena->newest || verify->arena->next == asked.empty);
    arena_alloc(verify->arena, 1, 1, 100);
    asked.empty = verify->arena->next - 100;
    assert_ptr_equal(verify->machine, &machine_rngd);
    assert_non_null(verify->program);
}

static void on_tensor(const Verify *verify, const Tensor *tensor)
{
    note(verify, &asked.tensors);
    if (tensor->type == asked.refused_type)
        refuse(verify, tensor->span);
}

static void on_tile(const Verify *verify, const View *from, const View *view)
{
    note(verify, &asked.tiles);
    assert_int_equal(view->tiles.count, from->tiles.count + 1);
}

static void on_reshape(const Verify *verify, const Tensor *from, const Tensor *to)
{
    note(verify, &asked.reshapes);
    assert_ptr_equal(to->storage, from);
}

static void on_stage(const Verify *verify, const Pass *pass, const Stage *stage)
{
    note(verify, &asked.stages);
    assert_ptr_equal(pass->stages.items[stage->index], stage);
    if (stage->type == asked.refused_type)
        refuse(verify, stage->span);
}

static void on_place(const Verify *verify, const Pass *pass, const Stage *stage)
{
    note(verify, &asked.places);
    assert_non_null(pass);
    if (stage->result && stage->result->address.value == asked.refused_place)
        refuse(verify, stage->span);
}

static void on_op(const Verify *verify, const Op *op)
{
    note(verify, &asked.ops);
    assert_int_not_equal(op->kind, OP_PASS);
}

static void on_walk(const Verify *verify, const Walk *walk)
{
    note(verify, &asked.walks);
    assert_true(walk->writes);
}

static void on_program(const Verify *verify, const Program *program)
{
    note(verify, &asked.programs);
    assert_ptr_equal(verify->program, program);
}

static const Rules counting = {
    .tensor = on_tensor,
    .tile = on_tile,
    .reshape = on_reshape,
    .stage = on_stage,
    .place = on_place,
    .op = on_op,
    .walk = on_walk,
    .program = on_program,
};

// ---- a loop, as a front end traces it: every iteration at the same spans

typedef struct {
    Desk *desk;
    Scope scope;
    const Tensor *input;
} Loop;

static Span span_at(int64_t start)
{
    return (Span){0, start, start + 1};
}

static const Dim *dim_at(Loop *loop, const char *text, int64_t start)
{
    const Expr *expr = mapping_parse(&loop->scope, &loop->desk->diags, 0, str_from(text));
    assert_int_not_equal(expr->kind, EXPR_POISON);
    return builder_dim(loop->desk->builder, expr, span_at(start));
}

static Loop loop_new(Desk *desk)
{
    Loop loop = {.desk = desk, .scope = scope_new(&desk->arena)};
    scope_parse_axes(&loop.scope, &desk->diags, 0, STR("A=4096"));
    builder_open(desk->builder, "loop", span_at(0), (MaybeInt){true, 1});
    Tensor tensor = {.tier = TIER_DM, .type = SCALAR_I32, .address.known = true};
    tensor.dims[LEVEL_CHIP] = dim_at(&loop, "1", 1);
    tensor.dims[LEVEL_CLUSTER] = dim_at(&loop, "1 # 2", 2);
    tensor.dims[LEVEL_SLICE] = dim_at(&loop, "A / 16", 3);
    tensor.dims[LEVEL_ELEMENT] = dim_at(&loop, "A % 16", 4);
    loop.input = builder_tensor(desk->builder, &tensor);
    return loop;
}

typedef struct {
    int64_t address; // of the result
    uint32_t addend;
    Scalar type;
    int64_t spans; // where the iteration stands
} Turn;

static void loop_turn(Loop *loop, const Turn *turn)
{
    Builder *builder = loop->desk->builder;
    int64_t at = turn->spans;
    Pass *pass = builder_pass(builder, CONTEXT_MAIN, true, span_at(at));
    const View *view = builder_view(builder, loop->input, false, span_at(at + 1));
    Stage begin = {.kind = STAGE_BEGIN, .span = span_at(at + 2), .sources = {view}};
    builder_stage(builder, pass, &begin);
    Stage fetch = {.kind = STAGE_FETCH, .span = span_at(at + 3), .type = turn->type};
    fetch.dims[LEVEL_TIME] = dim_at(loop, "A % 16 / 8", at + 4);
    fetch.dims[LEVEL_PACKET] = dim_at(loop, "A % 8", at + 5);
    builder_stage(builder, pass, &fetch);
    Stage collect = fetch;
    collect.kind = STAGE_COLLECT;
    builder_stage(builder, pass, &collect);
    builder_stage(builder, pass, &(Stage){.kind = STAGE_VECTOR_INIT, .span = span_at(at + 6)});
    builder_stage(builder, pass, &(Stage){.kind = STAGE_VECTOR_BRANCH, .span = span_at(at + 7)});
    Stage add = {.kind = STAGE_VECTOR_FXP, .span = span_at(at + 8), .op = OP_FxpBinaryOp_AddFxp};
    add.operands[0] = (Operand){.kind = OPERAND_CONSTANT,
                                .type = SCALAR_I32,
                                .bits = turn->addend,
                                .span = span_at(at + 9)};
    add.operand_count = 1;
    builder_stage(builder, pass, &add);
    builder_stage(builder, pass, &(Stage){.kind = STAGE_VECTOR_FINAL, .span = span_at(at + 10)});
    Tensor result = *loop->input;
    result.origin = ORIGIN_RESULT;
    result.address.value = turn->address;
    Stage commit = {.kind = STAGE_COMMIT, .span = span_at(at + 11)};
    commit.result = builder_tensor(builder, &result);
    builder_stage(builder, pass, &commit);
}

enum { STAGES_A_TURN = 8 };

TEST(a_loop_is_asked_about_once)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    Loop loop = loop_new(desk);
    for (int64_t i = 0; i < 1000; i++)
        loop_turn(&loop, &(Turn){.address = i * 64, .addend = (uint32_t)i, .type = SCALAR_I32});
    assert_int_equal(asked.stages, STAGES_A_TURN);
    assert_int_equal(asked.places, 1000 * STAGES_A_TURN); // addresses differ
    assert_int_equal(asked.tensors, 1001);
    const Program *program = builder_close(desk->builder);
    assert_int_equal(asked.programs, 1);
    assert_int_equal(program->ops.count, 1000);
    assert_int_equal(program->ops.items[999]->pass->id, 999);
    assert_int_equal(program->tensors.count, 1001);
    desk_free(desk);
}

// What differs in a mapping, a type, a constant's presence is asked about anew.
TEST(a_different_chain_is_asked_about)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    Loop loop = loop_new(desk);
    loop_turn(&loop, &(Turn){.type = SCALAR_I32});
    loop_turn(&loop, &(Turn){.type = SCALAR_F32});
    // begin is the same; from the fetch on everything may depend on the type
    assert_int_equal(asked.stages, 2 * STAGES_A_TURN - 1);
    desk_free(desk);
}

// The same chain somewhere else: nothing was said about it, so nothing needs to be said again.
TEST(a_clean_chain_is_clean_everywhere)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    Loop loop = loop_new(desk);
    loop_turn(&loop, &(Turn){.type = SCALAR_I32});
    loop_turn(&loop, &(Turn){.type = SCALAR_I32, .spans = 100});
    assert_int_equal(asked.stages, STAGES_A_TURN);
    desk_free(desk);
}

// A mistake in a loop is one mistake; the same one at another place is another.
TEST(a_mistake_is_reported_once_a_place)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    Loop loop = loop_new(desk);
    asked.refused_type = SCALAR_F32;
    for (int i = 0; i < 10; i++)
        loop_turn(&loop, &(Turn){.type = SCALAR_F32});
    int64_t once = desk->diags.error_count;
    assert_int_equal(once, STAGES_A_TURN - 1); // all but begin
    loop_turn(&loop, &(Turn){.type = SCALAR_F32, .spans = 100});
    assert_int_equal(desk->diags.error_count, 2 * once);
    const Program *program = builder_close(desk->builder);
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Pass *pass = program->ops.items[i]->pass;
        assert_false(program->ops.items[i]->sound);
        assert_true(pass->stages.items[0]->sound);
        assert_false(pass->stages.items[1]->sound);
    }
    desk_free(desk);
}

TEST(a_warning_is_sound_and_reported_once_a_place)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    DiagTreatment treatments[DIAG_CODE_COUNT] = {[DIAG_PROGRAM_OPERANDS] = TREAT_AS_WARNING};
    Loop loop = loop_new(desk);
    desk->diags.treatments = treatments;
    asked.refused_type = SCALAR_F32;
    for (int i = 0; i < 10; i++)
        loop_turn(&loop, &(Turn){.type = SCALAR_F32});
    loop_turn(&loop, &(Turn){.type = SCALAR_F32, .spans = 100});
    assert_int_equal(desk->diags.error_count, 0);
    assert_int_equal(desk->diags.count, 2 * (STAGES_A_TURN - 1));
    assert_true(builder_close(desk->builder)->ops.items[10]->sound);
    desk_free(desk);
}

// A stage that is wrong for its address alone says nothing about the next iteration.
TEST(a_wrong_place_is_not_remembered)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    Loop loop = loop_new(desk);
    asked.refused_place = 64;
    for (int64_t i = 0; i < 3; i++)
        loop_turn(&loop, &(Turn){.address = i * 64, .type = SCALAR_I32});
    const Program *program = builder_close(desk->builder);
    assert_int_equal(desk->diags.error_count, 1);
    assert_true(program->ops.items[0]->sound);
    assert_false(program->ops.items[1]->sound);
    assert_true(program->ops.items[2]->sound);
    desk_free(desk);
}

// Wrong numbers of clusters and slices are said, and nothing that follows is silent for it.
TEST(a_wrong_size_is_no_reason_to_stop)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    Loop loop = loop_new(desk);
    asked.refused_type = SCALAR_F32;
    asked.refusal = DIAG_CLUSTER_SIZE;
    assert_string_equal(diag_infos[asked.refusal].group, "cluster-size");
    loop_turn(&loop, &(Turn){.type = SCALAR_F32});
    assert_int_equal(desk->diags.error_count, STAGES_A_TURN - 1);
    assert_true(builder_close(desk->builder)->ops.items[0]->sound);
    desk_free(desk);
}

static Pass *begin_pass(Loop *loop, Context context, int64_t at)
{
    Builder *builder = loop->desk->builder;
    Pass *pass = builder_pass(builder, context, true, span_at(at));
    const View *view = builder_view(builder, loop->input, false, span_at(at));
    builder_stage(builder, pass,
                  &(Stage){.kind = STAGE_BEGIN, .span = span_at(at), .sources = {view}});
    return pass;
}

static void fetch_in(Loop *loop, Pass *pass, int64_t at)
{
    Stage fetch = {.kind = STAGE_FETCH, .span = span_at(at), .type = SCALAR_I32};
    fetch.dims[LEVEL_TIME] = dim_at(loop, "A % 16 / 8", at);
    fetch.dims[LEVEL_PACKET] = dim_at(loop, "A % 8", at);
    builder_stage(loop->desk->builder, pass, &fetch);
}

TEST(a_context_runs_one_pass_at_a_time)
{
    Desk *desk = desk_new(NULL);
    Loop loop = loop_new(desk);
    Pass *first = begin_pass(&loop, CONTEXT_MAIN, 10);
    Pass *beside = begin_pass(&loop, CONTEXT_SUB, 20);
    fetch_in(&loop, first, 30); // the other one has its own context
    fetch_in(&loop, beside, 40);
    assert_int_equal(desk->diags.count, 0);
    begin_pass(&loop, CONTEXT_MAIN, 50);
    assert_int_equal(desk->diags.count, 0); // the first may have been given up
    fetch_in(&loop, first, 60);
    fetch_in(&loop, first, 70);
    assert_int_equal(desk->diags.count, 1);
    assert_int_equal(desk->diags.items[0]->code, DIAG_CONTEXT_BUSY);
    desk_free(desk);
}

TEST(passes_without_a_sink_stay_open)
{
    Desk *desk = desk_new(NULL);
    Loop loop = loop_new(desk);
    Pass *first = begin_pass(&loop, CONTEXT_MAIN, 10);
    Pass *second = begin_pass(&loop, CONTEXT_SUB, 20);
    builder_leave_open(desk->builder, second);
    const Program *program = builder_close(desk->builder);
    assert_int_equal(program->open.count, 2);
    assert_ptr_equal(program->open.items[0], second);
    assert_ptr_equal(program->open.items[1], first);
    assert_int_equal(program->ops.count, 0);
    desk_free(desk);
}

TEST(walks_are_asked_about)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    Loop loop = loop_new(desk);
    const Dim *dim = dim_at(&loop, "A", 1);
    builder_walk(desk->builder, &(Walk){dim, dim, dim, SCALAR_I8, true, span_at(1)});
    assert_int_equal(asked.walks, 1);
    desk_free(desk);
}

TEST(equal_dimensions_have_one_address)
{
    Desk *desk = desk_new(NULL);
    Loop loop = loop_new(desk);
    const Dim *dim = dim_at(&loop, "A / 16 # 512", 7);
    assert_ptr_equal(dim_at(&loop, "A / 16 # 512", 7), dim);
    assert_ptr_not_equal(dim_at(&loop, "A / 16 # 256", 7), dim);
    assert_ptr_not_equal(dim_at(&loop, "[A / 16] @ 3", 7), dim);
    const Dim *elsewhere = dim_at(&loop, "A / 16 # 512", 8);
    assert_ptr_not_equal(elsewhere, dim);
    assert_int_equal(elsewhere->span.start, 8);
    assert_ptr_equal(elsewhere->mapping.factors, dim->mapping.factors);
    for (int64_t i = 0; i < 2000; i++) // the table grows
        dim_at(&loop, "A", 1000 + i);
    assert_ptr_equal(dim_at(&loop, "A / 16 # 512", 7), dim);
    desk_free(desk);
}

// ---- tensors, views, operations

static const char *const head = "program test\naxis A = 4096\naxis B = 8\n"
                                "%0 = param hbm i32 chip [1] element [A] at ?\n"
                                "%1 = from_addr dm i32 chip [1] cluster [1 # 2] slice [A / 16] "
                                "element [A % 16, B] at 0x80\n";

static const Program *read_lines(Desk *desk, const char *lines)
{
    StrBuf text = {.arena = &desk->arena};
    buf_format(&text, "{}{}end\n", head, lines);
    return desk_program(desk, buf_str(&text));
}

TEST(tiles_add_up)
{
    static const struct {
        const char *view;
        int64_t offset; // -1: not known
    } cases[] = {
        {"%1", 0},
        {"%1.tile<[B], 1, [A % 16, 1 # 8]>(5)", 5},
        {"%1.tile<[A % 16], 4, [A % 16 = 4 # 16, B]>(2)", 16},
        {"%1.tile<[A % 16], 4, [A % 16 = 4 # 16, B]>(2)"
         ".tile<[B], 1, [A % 16 = 4 # 16, 1 # 8]>(7)",
         23},
        {"%1.tile<[A % 16 / 4], 1, [1 # 4, A % 4, B]>(3)", 96},
        {"%1.tile<[B], 1, [A % 16, 1 # 8]>(?)", -1},
        {"%1.tile<[B], 1, [A % 16, 1 # 8]>(8)", -1},  // outside: a rule says so
        {"%1.tile<[B], 9, [A % 16, 1 # 8]>(0)", -1},  // longer than the index
        {"%1.tile<[A / 16], 1, [1 # 16, B]>(1)", -1}, // not in this level
        {"%1.tile<[A / 16], 1, [1 # 16, B]>(1).tile<[B], 1, [1 # 16, 1 # 8]>(1)", -1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Desk *desk = desk_new(NULL);
        StrBuf line = {.arena = &desk->arena};
        buf_format(&line, "pass main\nbegin {}\nopen\n", cases[i].view);
        const Program *program = read_lines(desk, str_terminated(&desk->arena, buf_str(&line)));
        MaybeInt offset = last_stage(program)->sources[0]->offsets[LEVEL_ELEMENT];
        assert_int_equal(offset.known ? offset.value : -1, cases[i].offset);
        assert_true(last_stage(program)->sources[0]->offsets[LEVEL_SLICE].known);
        desk_free(desk);
    }
}

TEST(reshape_names_the_same_bytes)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    const Program *program =
        read_lines(desk, "%2 y = reshape %1 chip [1] cluster [1 # 2] slice [A / 16] "
                         "element [A % 16 # 128]\n");
    const Tensor *to = program->tensors.items[2];
    assert_int_equal(to->origin, ORIGIN_RESHAPE);
    assert_int_equal(to->tier, TIER_DM);
    assert_int_equal(to->type, SCALAR_I32);
    assert_int_equal(to->address.value, 0x80);
    assert_string_equal(to->name, "y");
    assert_int_equal(asked.reshapes, 1);
    desk_free(desk);
}

TEST(every_rule_is_asked)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    const Program *program = read_lines(
        desk, "tdma to_dm %0 -> %2 = dm cluster [1 # 2] slice [A / 16] element [A % 16] at 0\n"
              "sub to_dm_view_pcopy %2 -> %1.tile<[B], 1, [A % 16, 1 # 8]>(0)\n"
              "return %2, %0\n");
    assert_int_equal(asked.tensors, 3);
    assert_int_equal(asked.ops, 2);
    assert_int_equal(asked.tiles, 1);
    assert_int_equal(asked.programs, 1);
    assert_int_equal(program->results.count, 2);
    assert_ptr_equal(program->results.items[0], program->tensors.items[2]);
    assert_int_equal(program->ops.items[1]->kind, OP_PARALLEL_COPY);
    assert_int_equal(program->ops.items[1]->context, CONTEXT_SUB);
    desk_free(desk);
}

// What is unsound stays in the program, and what is made of it is unsound as well.
TEST(unsound_things_stay)
{
    forget_all();
    asked.refused_type = SCALAR_U8;
    Desk *desk = desk_new(&counting);
    assert_false(desk_read(
        desk, STR("program test\naxis A = 8\n%0 = param hbm u8 chip [1] element [A] at 0\n"
                  "%1 = param hbm i8 chip [1] element [A] at 0\n"
                  "pdma to_hbm_view %0.tile<[A], 1, [1 # 8]>(0) -> %1\nend\n")));
    assert_int_equal(desk->programs.count, 1);
    const Program *program = desk->programs.items[0];
    assert_false(program->tensors.items[0]->sound);
    assert_true(program->tensors.items[1]->sound);
    assert_false(program->ops.items[0]->source->sound);
    assert_true(program->ops.items[0]->target->sound);
    desk_free(desk);
}

// Each dimension fits, all together do not: no rule gets to multiply them.
TEST(shapes_that_overflow_are_refused)
{
    forget_all();
    Desk *desk = desk_new(&counting);
    assert_false(desk_read(
        desk, STR("program test\naxis A = 4611686018427387904\naxis B = 4611686018427387904\n"
                  "%0 = param hbm i8 chip [A] element [B] at 0\nend\n")));
    assert_int_equal(desk->diags.count, 1);
    assert_int_equal(desk->diags.items[0]->code, DIAG_SIZE_OVERFLOW);
    assert_int_equal(asked.tensors, 0);
    const Tensor *tensor = desk->programs.items[0]->tensors.items[0];
    int64_t size;
    assert_false(tensor->sound);
    assert_false(shape_size(tensor->dims, &size));
    assert_true(shape_of(&desk->arena, tensor->dims).size > 0);
    desk_free(desk);
}

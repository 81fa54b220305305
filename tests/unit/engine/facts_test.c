// What verification leaves with a stage is what lowering uses, and equal chains share it.
#include "../program/program_support.h"

#include "engine/stream/stream.h"

static const char two_passes[] = "program p\n"
                                 "axis A = 8192\n"
                                 "%0 = param dm i8 chip [1] cluster [1 # 2] slice [A / 32] "
                                 "element [A % 32] at 0x0\n"
                                 "pass main\n"
                                 "  begin %0\n"
                                 "  fetch i8 time [1] packet [A % 32]\n"
                                 "  collect time [1] packet [A % 32]\n"
                                 "  commit -> %1 = dm element [A % 32] at 0x1000\n"
                                 "pass main\n"
                                 "  begin %0\n"
                                 "  fetch i8 time [1] packet [A % 32]\n"
                                 "  collect time [1] packet [A % 32]\n"
                                 "  commit -> %2 = dm element [A % 32] at 0x2000\n"
                                 "return %2\n"
                                 "end\n";

static int64_t asked; // stages

static void count_stage(const Verify *verify, const Pass *pass, const Stage *stage)
{
    asked++;
    engine_rules.stage(verify, pass, stage);
}

static const Stage *stage_of(const Pass *pass, StageKind kind)
{
    const Stage *stage = pass_stage(pass, kind);
    assert_non_null(stage);
    return stage;
}

TEST(equal_chains_share_what_was_derived)
{
    Rules rules = engine_rules;
    rules.stage = count_stage;
    Desk *desk = desk_new(&rules);
    const Program *program = desk_program(desk, str_from(two_passes));
    const Pass *first = program->ops.items[0]->pass, *second = program->ops.items[1]->pass;
    const Stage *fetch = stage_of(first, STAGE_FETCH), *again = stage_of(second, STAGE_FETCH);
    Machine other = machine_rngd;
    Arena arena = {0};
    DiagList diags = {.arena = &arena};
    assert_int_equal(asked, 4);
    assert_non_null(fetch->facts->derived);
    assert_ptr_equal(fetch->facts, again->facts);
    assert_ptr_equal(fetch_sequence(&arena, &machine_rngd, first, fetch, &diags),
                     fetch->facts->derived);
    other.sequencer_entries--;
    assert_ptr_not_equal(fetch_sequence(&arena, &other, first, fetch, &diags),
                         fetch->facts->derived);
    arena_release(&arena);
    desk_free(desk);
}

// ---- examples/hello/gemm.rs, as `contra check --emit=program` prints it

static const char gemm[] = "program gemm chip=1\n"
                           "axis I = 64\n"
                           "axis J = 64\n"
                           "axis K = 64\n"
                           "%0 a = param hbm bf16 chip [1] element [I, K] at 0x0\n"
                           "%1 b = param hbm bf16 chip [1] element [J, K] at 0x10000000\n"
                           "tdma to_dm %0 -> %2 a = dm cluster [1 # 2] slice [I / 4, J / 4] "
                           "element [I % 4, K] at 0x0\n"
                           "tdma to_dm %1 -> %3 b = dm cluster [1 # 2] slice [I / 4, J / 4] "
                           "element [J % 4, K] at 0x1000\n"
                           "pass sub\n"
                           "  begin %3\n"
                           "  fetch bf16 time [J % 4] packet [K]\n"
                           "  collect time [J % 4, K / 16] packet [K % 16]\n"
                           "  to_trf -> %4 b = trf row [J % 4] element [K] at Full\n"
                           "pass main\n"
                           "  begin %2\n"
                           "  fetch bf16 time [I % 4] packet [K]\n"
                           "  collect time [I % 4, K / 16] packet [K % 16]\n"
                           "  align %4 time [I % 4, K / 32] packet [K % 32]\n"
                           "  contract packet [1]\n"
                           "  accumulate Interleaved time [I % 4] packet [J % 4 # 8]\n"
                           "  commit -> %5 c = dm element [I % 4, J % 4] at 0x2000\n"
                           "tdma to_hbm %5 -> %6 = hbm element [I, J] at 0x20000000\n"
                           "return %6\n"
                           "end\n";

typedef struct {
    Desk *desk;
    const Program *program;
    const Pass *load, *pass;
} Gemm;

static Gemm gemm_verified(const Rules *rules)
{
    Gemm out = {.desk = desk_new(rules)};
    asked = 0;
    out.program = desk_program(out.desk, str_from(gemm));
    out.load = out.program->ops.items[2]->pass;
    out.pass = out.program->ops.items[3]->pass;
    return out;
}

static const HwPipeline *lowered(const Gemm *of, const Pass *pass)
{
    Arena *arena = &of->desk->arena;
    Lower lower = {arena, arena, &of->desk->diags, &machine_rngd, of->program};
    HwCommands commands = {0};
    Op op = {.kind = OP_PASS, .pass = pass};
    assert_true(lower_op(&lower, &op, &commands));
    assert_int_equal(commands.count, 1);
    return commands.items[0].pass;
}

// A copy of what was derived takes its place: what is lowered is read from it.
static void *replace(const Gemm *of, const Pass *pass, StageKind kind, size_t size)
{
    const Stage *stage = stage_of(pass, kind);
    assert_non_null(stage->facts->derived);
    void *copy = arena_copy(&of->desk->arena, stage->facts->derived, size);
    stage->facts->derived = copy;
    return copy;
}

TEST(each_stage_is_verified_once)
{
    Rules rules = engine_rules;
    rules.stage = count_stage;
    Gemm of = gemm_verified(&rules);
    assert_int_equal(asked, of.load->stages.count + of.pass->stages.count);
    assert_int_equal(asked, 11);
    desk_free(of.desk);
}

TEST(lowering_reads_what_verification_derived)
{
    Gemm of = gemm_verified(&engine_rules);
    Sequence *load = replace(&of, of.load, STAGE_FETCH, sizeof *load);
    Sequence *fetch = replace(&of, of.pass, STAGE_FETCH, sizeof *fetch);
    Sequence *commit = replace(&of, of.pass, STAGE_COMMIT, sizeof *commit);
    AlignPlan *pair = replace(&of, of.pass, STAGE_ALIGN, sizeof *pair);
    int64_t *depth = replace(&of, of.pass, STAGE_CONTRACT, sizeof *depth);
    AccumulatePlan *sums = replace(&of, of.pass, STAGE_ACCUMULATE, sizeof *sums);
    const HwPipeline *right = lowered(&of, of.pass);
    assert_int_equal(right->fetch.packet_bytes, 128);
    assert_int_equal(right->commit->commit_in_size, 16);
    assert_int_equal(right->trf_read->nest.access_bytes, 64);
    assert_int_equal(right->reduce->tree_depth, 5);
    load->packet_bytes = fetch->packet_bytes = 64;
    commit->commit_in_bytes = 8;
    pair->stream.offset = 0;
    pair->weights.offset = 16;
    pair->read_bytes = 32;
    *depth = 4;
    sums->buffered = 3;
    const HwPipeline *other = lowered(&of, of.pass);
    assert_int_equal(lowered(&of, of.load)->fetch.packet_bytes, 64);
    assert_int_equal(other->fetch.packet_bytes, 64);
    assert_int_equal(other->commit->commit_in_size, 8);
    assert_int_equal(other->trf_read->nest.access_bytes, 32);
    assert_int_equal(other->trf_read->nest.base, 32);
    assert_int_equal(other->reduce->tree_depth, 4);
    assert_int_equal(other->reduce->buffered, 3);
    desk_free(of.desk);
}

TEST(commands_and_padding_of_a_pass_are_found_once)
{
    Gemm of = gemm_verified(&engine_rules);
    const Stage *sums = stage_of(of.pass, STAGE_ACCUMULATE);
    const Stage *sink = stage_of(of.pass, STAGE_COMMIT);
    Lower lower = {&of.desk->arena, &of.desk->arena, &of.desk->diags, &machine_rngd, of.program};
    assert_non_null(sink->facts->split);
    assert_int_equal(sums->facts->padding, PADDING_IS_NEUTRAL);
    assert_false(padding_is_reduced(&lower, of.pass, sums));
    sums->facts->padding = PADDING_IS_TAKEN;
    assert_true(padding_is_reduced(&lower, of.pass, sums));
    SplitPlan none = {.commands = 0};
    PassParts parts;
    sink->facts->split = &none;
    assert_true(lower_split(&lower, of.pass, &parts));
    assert_int_equal(parts.count, 0);
    desk_free(of.desk);
}

TEST(a_route_and_a_matrix_stay_with_their_stages)
{
    static const char text[] = "program p\n"
                               "axis A = 256\naxis M = 8\naxis E = 8\n"
                               "%0 = param dm i8 chip [1] cluster [1 # 2] slice [A] "
                               "element [M, E] at 0x0\n"
                               "pass main\n"
                               "  begin %0\n"
                               "  fetch i8 time [M] packet [E]\n"
                               "  switch Transpose slice1=4 slice0=8 "
                               "slice [A / 32, A % 8, A / 8 % 4] time [M]\n"
                               "  collect time [M] packet [E # 32]\n"
                               "  transpose time [E] packet [M # 32]\n"
                               "  commit -> %1 = dm element [E, M] at 0x1000\n"
                               "return %1\nend\n";
    Desk *desk = desk_new(&engine_rules);
    Gemm of = {.desk = desk, .program = desk_program(desk, str_from(text))};
    of.pass = of.program->ops.items[0]->pass;
    assert_string_equal(desk_reports(desk), "");
    RouteTerms *terms = replace(&of, of.pass, STAGE_SWITCH, sizeof *terms);
    struct {
        int64_t iterations;
    } *matrix = replace(&of, of.pass, STAGE_TRANSPOSE, 5 * sizeof(int64_t));
    assert_int_equal(lowered(&of, of.pass)->route->terms.count, 4);
    terms->count = 1;
    matrix->iterations = 7;
    const HwPipeline *other = lowered(&of, of.pass);
    assert_int_equal(other->route->terms.count, 1);
    assert_int_equal(other->transpose->iterations, 7);
    desk_free(desk);
}

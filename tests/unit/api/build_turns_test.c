// Passes of two contexts may be built in turns, among moves and declarations: the lines of the
// program are a text that reads as the same program.
#include "build_support.h"

enum { MOST_TENSORS = 64, ROWS = 64 };

// A pass under way, stage by stage.
typedef enum { COPY, SCALE, LOAD, ADD, OVERWRITE, RECIPE_COUNT } Recipe;

typedef struct {
    bool open;
    Recipe recipe;
    int step;
    ContraStream *stream;
} Way;

typedef struct {
    uint64_t seed;
    Contra *contra;
    ContraProgram *program;
    ContraTensor *rows[MOST_TENSORS], *operands[MOST_TENSORS];
    int row_count, operand_count, address;
    ContraTensor *hbm;
    Way ways[2]; // main, sub
    bool took_turns;
} Maker;

static const char *const contexts[] = {"main", "sub"};

static int below(Maker *maker, int n)
{
    maker->seed = maker->seed * 6364136223846793005U + 1442695040888963407U;
    return (int)((maker->seed >> 33) % (uint64_t)n);
}

static void must(Maker *maker, ContraStatus status)
{
    if (status != CONTRA_OK)
        fail_msg("%s\n%s", contra_diagnostics(maker->contra, CONTRA_PLAIN).data,
                 contra_program_lines(maker->program).data);
}

static ContraTensor *any_rows(Maker *maker)
{
    return maker->rows[below(maker, maker->row_count)];
}

static int64_t next_address(Maker *maker)
{
    return below(maker, 4) ? ROWS * (int64_t)maker->address++ : CONTRA_UNKNOWN;
}

static void add_rows(Maker *maker, ContraTensor *tensor)
{
    maker->rows[maker->row_count++] = tensor;
}

// ---- stages

static void commit(Maker *maker, Way *way)
{
    ContraTensor *made;
    must(maker, contra_commit(way->stream, below(maker, 2) ? "made" : NULL,
                              contra_dm_result("A % 16", next_address(maker)), &made));
    add_rows(maker, made);
    way->open = false;
}

static void load(Maker *maker, Way *way)
{
    ContraTensor *made;
    int64_t address = ROWS * (int64_t)maker->operand_count;
    must(maker, contra_to_vrf(way->stream, NULL, contra_vrf_result("A % 16", address), &made));
    maker->operands[maker->operand_count++] = made;
    way->open = false;
}

// Behind collect.
static void end_pass(Maker *maker, Way *way)
{
    bool computes = way->recipe == SCALE || way->recipe == ADD;
    int step = way->step - 3;
    if (computes && step == 0) {
        must(maker, contra_vector_init(way->stream));
    } else if (computes && step == 1) {
        must(maker, contra_vector_intra_slice_branch(way->stream, contra_branch("Unconditional")));
    } else if (computes && step == 2) {
        ContraOperand operand =
            way->recipe == ADD && maker->operand_count
                ? contra_operand_vrf(maker->operands[below(maker, maker->operand_count)])
                : contra_operand_i32(below(maker, 100));
        must(maker, contra_vector_fxp(way->stream, "AddFxp", operand));
    } else if (computes && step == 3) {
        must(maker, contra_vector_final(way->stream));
    } else if (way->recipe == LOAD) {
        load(maker, way);
    } else if (way->recipe == OVERWRITE) {
        must(maker, contra_commit_view(way->stream, maker->rows[0]));
        way->open = false;
    } else {
        commit(maker, way);
    }
}

static void go_on(Maker *maker, int which)
{
    Way *way = &maker->ways[which];
    const char *time = "A / 8 % 2", *packet = "A % 8";
    maker->took_turns |= way->step && maker->ways[!which].open;
    if (way->step == 0)
        must(maker, contra_begin(any_rows(maker), contexts[which], &way->stream));
    else if (way->step == 1)
        must(maker, contra_fetch(way->stream, "i32", time, packet, NULL));
    else if (way->step == 2)
        must(maker, contra_collect(way->stream, time, packet));
    else
        end_pass(maker, way);
    way->step++;
}

static void begin(Maker *maker, int which)
{
    Recipe recipe = (Recipe)below(maker, RECIPE_COUNT);
    bool sub = which == 1; // it commits what was fetched, and loads registers
    if (sub && (recipe == SCALE || recipe == ADD))
        recipe = COPY;
    if (recipe == LOAD && maker->operand_count >= 8)
        recipe = COPY;
    maker->ways[which] = (Way){.open = true, .recipe = recipe};
    go_on(maker, which);
}

// ---- what stands between them

static void declare(Maker *maker, int round)
{
    char name[16];
    ContraTensor *made;
    snprintf(name, sizeof name, "L%d", round);
    switch (maker->row_count ? below(maker, 4) : 3) {
    case 0:
        must(maker, contra_let(maker->program, name, "A % 16"));
        return;
    case 1:
        must(maker, contra_axis(maker->program, name, round + 1));
        return;
    case 2:
        must(maker, contra_reshape(any_rows(maker), name,
                                   contra_dm_result("A / 8 % 2, A % 8", CONTRA_UNKNOWN), &made));
        add_rows(maker, made);
        return;
    default:
        must(maker,
             contra_to_dm(maker->hbm, "tdma", name,
                          contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", next_address(maker)),
                          &made));
        add_rows(maker, made);
    }
}

static void make(Maker *maker)
{
    maker->contra = contra_new();
    contra_program_new(maker->contra, "turns", 1, NULL, &maker->program);
    contra_axis(maker->program, "A", 4096);
    must(maker, contra_param(maker->program, "x", contra_hbm("i32", "1", "A", 0), &maker->hbm));
    for (int i = 0; i < 3; i++)
        declare(maker, 100 + i);
    for (int round = 0; round < 60 && maker->row_count < MOST_TENSORS - 4; round++) {
        int which = below(maker, 2);
        if (!below(maker, 5))
            declare(maker, round);
        else if (maker->ways[which].open)
            go_on(maker, which);
        else
            begin(maker, which);
    }
    for (int which = 0; which < 2; which++)
        while (maker->ways[which].open)
            go_on(maker, which);
}

// ---- the law

TEST(lines_read_as_the_same_program)
{
    int took_turns = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Maker maker = {.seed = seed};
        int64_t kernel;
        ContraText built, read;
        make(&maker);
        must(&maker, contra_program_finish(maker.program, &kernel));
        took_turns += maker.took_turns;
        ContraText lines = contra_program_lines(maker.program);
        Contra *other = contra_new();
        if (contra_check_text(other, contra_text("turns.tcp"), lines, NULL, NULL) != CONTRA_OK)
            fail_msg("seed %d\n%s", (int)seed, contra_diagnostics(other, CONTRA_PLAIN).data);
        contra_program_text(maker.contra, &built);
        contra_program_text(other, &read);
        assert_string_equal(read.data, built.data);
        contra_free(other);
        contra_free(maker.contra);
    }
    assert_true(took_turns > 100);
}

// A pass has its lines together where its last one is; what nobody ended yet is there, too.
TEST_WITH(lines_of_passes_stand_together, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraStream *sub;
    ContraTensor *t;
    int64_t before = contra_program_lines(bench->program).length;
    contra_begin(bench->other, "main", &bench->stream);
    contra_begin(bench->other, "sub", &sub);
    contra_fetch(bench->stream, "i32", "A / 8 % 2", "A % 8", NULL);
    contra_axis(bench->program, "C", 4);
    contra_fetch(sub, "i32", "A / 8 % 2", "A % 8", NULL);
    contra_commit(sub, NULL, contra_dm_result("A % 16", 0x1000), &t);
    assert_string_equal(contra_program_lines(bench->program).data + before,
                        "pass main\n  begin %1\n  fetch i32 time [A / 8 % 2] packet [A % 8]\n"
                        "axis C = 4\n"
                        "pass sub\n  begin %1\n  fetch i32 time [A / 8 % 2] packet [A % 8]\n"
                        "  commit -> %6 = dm element [A % 16] at 0x1000\n");
    contra_collect(bench->stream, "A / 8 % 2", "A % 8");
    assert_string_equal(contra_program_lines(bench->program).data + before,
                        "axis C = 4\n"
                        "pass sub\n  begin %1\n  fetch i32 time [A / 8 % 2] packet [A % 8]\n"
                        "  commit -> %6 = dm element [A % 16] at 0x1000\n"
                        "pass main\n  begin %1\n  fetch i32 time [A / 8 % 2] packet [A % 8]\n"
                        "  collect time [A / 8 % 2] packet [A % 8]\n");
}

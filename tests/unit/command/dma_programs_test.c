// The descriptors of every move of the examples and of the test programs, walked and compared with
// the cells of their mappings.
#include "shrink.h"
#include "walk_dma.h"

#include "api/state.h"
#include "base/checked.h"
#include "engine/lower/lower.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int64_t moves, descriptors, skipped, failed;
    int64_t kinds[OP_KIND_COUNT];
} Tally;

static void show(Contra *contra, const Program *program, const Op *op, const char *problem)
{
    StrBuf out = {.arena = &contra->arena};
    diag_render_text(&out, &contra->sources, &contra->diags, DIAG_PLAIN);
    print_message("%s: operation %d, %s: %s\n%.*s\n", program->name, (int)op->id, op->method,
                  problem, STR_ARG(buf_str(&out)));
}

// A tile may start where a number says that comes with the call.
static bool starts_are_known(const Op *op)
{
    for (Level level = 0; level < LEVEL_COUNT; level++)
        if (!op->source->offsets[level].known || !op->target->offsets[level].known)
            return false;
    return true;
}

static void walk_op(Contra *contra, const Program *program, const Op *op, Tally *tally)
{
    Arena arena = {0}, scratch = {0};
    Lower lower = {&arena, &scratch, &contra->diags, &contra->machine, program};
    HwCommands commands = {0};
    bool skipped = false;
    const char *problem = "it has no command";
    contra->diags.count = 0;
    if (!starts_are_known(op))
        return;
    if (lower_op(&lower, op, &commands)) {
        assert_int_equal(commands.count, 1);
        const HwDmaCommand *command = commands.items[0].dma;
        assert_non_null(command);
        problem = walk_dma(&scratch, &contra->machine, op, command, &skipped);
        tally->descriptors += command->descriptors.count;
        if (problem)
            print_message("%.*s\n%.*s\n", STR_ARG(command->read), STR_ARG(command->write));
    }
    tally->moves++;
    tally->skipped += skipped;
    tally->kinds[op->kind]++;
    if (problem) {
        tally->failed++;
        show(contra, program, op, problem);
    }
    arena_release(&scratch);
    arena_release(&arena);
}

static void walk_folder(const char *path, Tally *tally)
{
    Contra *contra = contra_new();
    ContraText text = contra_text(path);
    ContraCheckOptions options = contra_check_options();
    ContraCheckResult result = contra_check_result();
    contra_check(contra, &text, 1, &options, &result);
    int64_t step = max_i64(1, (int64_t)(1 / test_scale())); // sanitizers look at some of them
    for (int64_t i = 0; i < contra->programs.count; i += step) {
        const Program *program = contra->programs.items[i];
        for (int64_t k = 0; k < program->ops.count; k++) {
            const Op *op = program->ops.items[k];
            if (op->kind != OP_PASS && op->sound)
                walk_op(contra, program, op, tally);
        }
    }
    contra_free(contra);
}

TEST(every_move_of_the_programs_is_right)
{
    static const char *const folders[] = {"examples", "tests/kernels", "tests/positive"};
    Tally tally = {0};
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        walk_folder(folders[i], &tally);
    print_message("%d moves, %d descriptors, %d too large to walk\n", (int)tally.moves,
                  (int)tally.descriptors, (int)tally.skipped);
    assert_int_equal(tally.failed, 0);
    for (OpKind kind = 0; kind < OP_KIND_COUNT; kind++)
        if (kind != OP_PASS && !tally.kinds[kind] && test_scale() >= 1)
            fail_msg("no program has an operation of kind %d", (int)kind);
}

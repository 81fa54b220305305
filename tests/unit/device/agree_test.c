// The two executors on the programs of the tests and examples. AGREE_ONLY=NAME in the environment
// takes only programs with that in their name.
#include "agree.h"

#include "api/state.h"
#include "base/checked.h"
#include "sets.h"
#include "shrink.h"
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 7 };
enum { MOST_WORK = 1 << 28 };

typedef struct {
    int64_t programs, agreed, skipped;
} Tally;

// Some programs are made for the check alone: nothing says where their tensors lie, or they are
// beyond the commands, which other tests look at.
static void compare_program(Tally *tally, Contra *contra, Program *program)
{
    Arena arena = {0};
    StrBuf why = {.arena = &arena};
    AgreeOptions options = {
        .machine = &contra->machine, .sources = &contra->sources, .seed = SEED, .exact = true};
    Agreement found = agree_program(&arena, program, &options, &why);
    bool is_skipped = found == AGREE_LEFT_OUT || found == AGREE_REFUSED;
    tally->skipped += is_skipped;
    tally->programs += !is_skipped;
    tally->agreed += found == AGREE_SAME;
    if (found != AGREE_SAME && !is_skipped)
        print_message("%s: %.*s", program->name, STR_ARG(buf_str(&why)));
    arena_release(&arena);
}

// Elements that go by the stages of its passes: what the oracle works on.
static double work_of(const Program *program)
{
    double work = 0;
    for (int64_t i = 0; i < program->ops.count; i++) {
        const Pass *pass = program->ops.items[i]->pass;
        for (int64_t s = 0; pass && s < pass->stages.count; s++) {
            int64_t elements;
            if (shape_size(pass->stages.items[s]->dims, &elements))
                work += (double)elements;
        }
    }
    return work;
}

// Every `share`-th program of a folder that is not too large.
static void compare_folder(const char *path, int64_t share)
{
    Contra *contra = contra_new();
    Tally tally = {0};
    ContraCheckOptions options = contra_check_options();
    ContraCheckResult result = contra_check_result();
    ContraText paths[] = {contra_text(path)};
    const char *only = getenv("AGREE_ONLY");
    int64_t step = share * max_i64(1, (int64_t)(1 / test_scale())); // sanitizers look at fewer
    contra_check(contra, paths, 1, &options, &result);
    for (int64_t i = 0; i < contra->programs.count; i++)
        if (only ? strstr(contra->programs.items[i]->name, only) != NULL
                 : i % step == 0 && work_of(contra->programs.items[i]) <= MOST_WORK)
            compare_program(&tally, contra, contra->programs.items[i]);
    print_message("%s: %" PRId64 " of %" PRId64 " programs agree, %" PRId64 " left out\n", path,
                  tally.agreed, tally.programs, tally.skipped);
    contra_free(contra);
    assert_int_equal(tally.agreed, tally.programs);
}

TEST(kernels_agree)
{
    compare_folder("tests/kernels", 1);
}

// NumPy judges all of them; the oracle is slow.
TEST(examples_agree)
{
    compare_folder("examples", 5);
}

TEST(programs_agree)
{
    compare_folder("tests/positive", 1);
}

TEST_END(sets_report)

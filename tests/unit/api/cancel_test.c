// How often a run asks whether to go on, and what is there when it did not.
#include "contra.h"

#include "test.h"

#include <string.h>

enum { VALUES = 1 << 20 };

// A million values in 256 slices: drawn or given, moved, and added to in one pass.
static const char source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![V = 1048576];\n"
    "type Slice = m![V / 4096];\n"
    "type Element = m![V % 4096];\n"
    "#[device(chip = 1)]\n"
    "fn add(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![V]>) -> HbmTensor<i32, m![1], "
    "m![V]> {\n"
    "    let dm = input.to_dm::<m![1 # 2], Slice, Element>(&mut ctx.tdma, 0);\n"
    "    let sum: DmTensor<i32, m![1], m![1 # 2], Slice, Element> = ctx.main.begin(dm.view())\n"
    "        .fetch::<i32, m![V / 8 % 512], m![V % 8]>()\n"
    "        .collect::<m![V / 8 % 512], m![V % 8]>()\n"
    "        .vector_init()\n"
    "        .vector_intra_slice_branch(BranchMode::Unconditional)\n"
    "        .vector_fxp(FxpBinaryOp::AddFxp, 5)\n"
    "        .vector_final()\n"
    "        .commit(0x10000);\n"
    "    sum.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n";

// Answers yes from question `end_at` on.
typedef struct {
    int64_t asked, end_at;
} End;

static bool is_cancelled(void *own)
{
    End *end = own;
    return ++end->asked >= end->end_at;
}

static Contra *open_kernel(End *end)
{
    Contra *contra = contra_new();
    *end = (End){.end_at = INT64_MAX};
    assert_int_equal(
        contra_check_text(contra, contra_text("x.rs"), contra_text(source), NULL, NULL), CONTRA_OK);
    contra_set_cancel(contra, is_cancelled, end);
    return contra;
}

static ContraRunOptions options_for(ContraBackend backend, int64_t threads)
{
    ContraRunOptions options = contra_run_options();
    options.backend = backend;
    options.threads = threads;
    options.random = true;
    options.seed = 7;
    return options;
}

static ContraStatus open_launch(Contra *contra, const ContraRunOptions *options,
                                ContraLaunch **launch)
{
    return contra_launch_open(contra, 0, NULL, 0, options, launch);
}

static ContraOutput output_of(ContraLaunch *launch)
{
    const ContraOutput *outputs;
    int64_t count;
    assert_int_equal(contra_launch_outputs(launch, &outputs, &count), CONTRA_OK);
    assert_int_equal(count, 1);
    return *outputs;
}

// ---- how often

// The questions up to the end of each operation.
enum { MOVE_IN, PASS, MOVE_OUT, OPERATIONS };
typedef struct {
    const End *end;
    int64_t asked[OPERATIONS];
} Progress;

static void note_progress(void *own, int64_t done, int64_t all)
{
    Progress *progress = own;
    assert_int_equal(all, OPERATIONS);
    progress->asked[done - 1] = progress->end->asked;
}

// Again and again while values are drawn, and while a pass runs: not only in between.
TEST(long_steps_ask_inside)
{
    enum { DRAWS = 4, BLOCKS = 16, BEFORE_A_PASS = 2, IN_A_PASS = 4 };
    ContraRunOptions options = options_for(CONTRA_BACKEND_DEVICE, 1);
    End end;
    Progress progress = {.end = &end};
    Contra *contra = open_kernel(&end);
    ContraLaunch *launch;
    options.progress = note_progress;
    options.own = &progress;
    assert_int_equal(open_launch(contra, &options, &launch), CONTRA_OK);
    contra_launch_close(launch);
    end.asked = 0; // now it is compiled
    assert_int_equal(open_launch(contra, &options, &launch), CONTRA_OK);
    assert_true(end.asked >= DRAWS + BLOCKS);
    assert_int_equal(contra_launch_run(launch), CONTRA_OK);
    assert_true(progress.asked[PASS] - progress.asked[MOVE_IN] >= BEFORE_A_PASS + IN_A_PASS);
    contra_launch_close(launch);
    contra_free(contra);
}

// ---- and then

// Ends at each question of all, of opening and of running; what comes behind is as if nothing had
// been.
static void end_everywhere(ContraBackend backend, int64_t threads)
{
    ContraRunOptions options = options_for(backend, threads);
    End end;
    Contra *contra = open_kernel(&end);
    ContraLaunch *launch, *other;
    assert_int_equal(open_launch(contra, &options, &launch), CONTRA_OK);
    assert_int_equal(contra_launch_run(launch), CONTRA_OK);
    ContraOutput right = output_of(launch);
    ContraStatus status = CONTRA_CANCELLED;
    for (int64_t n = 1; status != CONTRA_OK; n += 1 + n / 4) {
        end = (End){.end_at = n};
        status = open_launch(contra, &options, &other);
        assert_int_equal(status, end.asked >= n ? CONTRA_CANCELLED : CONTRA_OK);
        assert_int_equal(contra_error_count(contra), 0);
        contra_launch_close(other);
    }
    end = (End){.end_at = INT64_MAX};
    assert_int_equal(open_launch(contra, &options, &other), CONTRA_OK);
    status = CONTRA_CANCELLED;
    for (int64_t n = 1; status != CONTRA_OK; n += 1 + n / 4) {
        end = (End){.end_at = n};
        status = contra_launch_run(other);
        assert_int_equal(status, end.asked >= n ? CONTRA_CANCELLED : CONTRA_OK);
        end = (End){.end_at = INT64_MAX};
        assert_int_equal(contra_launch_run(other), CONTRA_OK);
        ContraOutput again = output_of(other);
        assert_null(again.initialised);
        assert_memory_equal(again.array.data, right.array.data, VALUES * sizeof(int32_t));
    }
    contra_launch_close(other);
    contra_launch_close(launch);
    contra_free(contra);
}

TEST(a_launch_is_sound_behind_an_end)
{
    end_everywhere(CONTRA_BACKEND_DEVICE, 1);
    end_everywhere(CONTRA_BACKEND_DEVICE, 2);
    end_everywhere(CONTRA_BACKEND_ORACLE, 1);
}

// Values that are given are asked about, too, whatever they must become.
TEST(given_values_ask_inside)
{
    enum { BLOCKS = 16 };
    static int64_t wide[VALUES];
    static const int64_t shape[] = {VALUES};
    const ContraInput input = {.name = contra_text("input"), .array = {CONTRA_I64, 1, shape, wide}};
    ContraRunOptions options = options_for(CONTRA_BACKEND_DEVICE, 1);
    End end;
    Contra *contra = open_kernel(&end);
    ContraLaunch *launch;
    assert_int_equal(contra_launch_open(contra, 0, &input, 1, &options, &launch), CONTRA_OK);
    assert_true(end.asked >= BLOCKS);
    contra_launch_close(launch);
    end = (End){.end_at = end.asked - BLOCKS / 2};
    assert_int_equal(contra_launch_open(contra, 0, &input, 1, &options, &launch), CONTRA_CANCELLED);
    assert_null(launch);
    contra_free(contra);
}

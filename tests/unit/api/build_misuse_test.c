// What somebody does wrong who builds a program by calls is refused by the call that is wrong, in
// words of the header.
#include "build_support.h"

// The last diagnostic has this code, and says all of these.
#define SAYS(contra, ...) assert_says(contra, (const char *const[]){__VA_ARGS__, NULL})

static void assert_says(Contra *contra, const char *const *texts)
{
    const char *said = contra_diagnostics(contra, CONTRA_PLAIN).data;
    for (; *texts; texts++)
        if (!strstr(said, *texts))
            fail_msg("`%s` is not said in\n%s", *texts, said);
    contra_clear_diagnostics(contra);
}

#define REFUSED(contra, call, ...)                \
    do {                                          \
        assert_int_equal((call), CONTRA_INVALID); \
        SAYS(contra, __VA_ARGS__);                \
    } while (0)

static int open_clean(void **state)
{
    new_bench(state);
    contra_clear_diagnostics(((Bench *)*state)->contra);
    return 0;
}

// ---- passes

TEST_WITH(a_context_has_one_pass, open_clean, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    ContraStream *second, *sub;
    ContraTensor *t;
    int64_t kernel;
    assert_int_equal(contra_begin(bench->dm, "main", &bench->stream), CONTRA_OK);
    REFUSED(contra, contra_begin(bench->other, "main", &second), "error[E0605]",
            "the main context is busy: a pass that fetches `x` has not ended", "--> test:13:6",
            "12 |   begin %0", "it began here", "contra_commit");
    // the other context is free, and what is refused says no more
    assert_int_equal(contra_begin(bench->other, "sub", &sub), CONTRA_OK);
    assert_int_equal(contra_fetch(second, "i32", "A / 8 % 2", "A % 8", NULL), CONTRA_INVALID);
    assert_codes(contra, "");
    // the first one goes on, and frees its context
    assert_int_equal(contra_leave_open(bench->stream), CONTRA_OK);
    assert_int_equal(contra_begin(bench->other, "main", &second), CONTRA_OK);
    // one that was refused is not waited for
    assert_int_equal(contra_fetch(second, "f31", "1", "A % 16", NULL), CONTRA_INVALID);
    contra_clear_diagnostics(contra);
    assert_int_equal(contra_begin(bench->other, "main", &second), CONTRA_OK);
    contra_commit(second, NULL, contra_dm_result("A % 16", 0x4000), &t);
    // of those that were refused, nobody waits for the end
    assert_int_equal(contra_program_finish(bench->program, &kernel), CONTRA_INVALID);
    assert_codes(contra, "E0601 E0809");
}

// The line of a pass that does not end is there to be shown, though nothing else was refused.
TEST_WITH(a_pass_that_does_not_end_is_shown, open_clean, free_bench)
{
    Bench *bench = *state;
    int64_t kernel;
    contra_begin(bench->other, "main", &bench->stream);
    contra_fetch(bench->stream, "i32", "A / 8 % 2", "A % 8", NULL);
    REFUSED(bench->contra, contra_program_finish(bench->program, &kernel), "error[E0809]",
            "contra_leave_open", " | pass main\n", " |      ^^^^\n");
}

TEST_WITH(a_stream_that_ended_is_of_no_use, open_clean, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    contra_begin(bench->other, "main", &bench->stream);
    contra_leave_open(bench->stream);
    REFUSED(contra, contra_collect(bench->stream, "1", "A"), "E0809",
            "the pass of this stream has ended", "contra_begin starts another");
    // of one that never began, only the beginning is reported
    REFUSED(contra, contra_begin(bench->other, "ma in", &bench->stream), "`ma in` is not a word");
    assert_int_equal(contra_collect(bench->stream, "1", "A"), CONTRA_INVALID);
    assert_codes(contra, "");
}

// ---- programs

TEST(chips_are_counted)
{
    Contra *contra = contra_new();
    ContraProgram *program;
    ContraTensor *t;
    REFUSED(contra, contra_program_new(contra, "p", 0, NULL, &program), "error[E0811]",
            "cannot run on 0 chips: it needs one at least", "CONTRA_UNKNOWN");
    // and that is all that is said
    assert_int_equal(contra_axis(program, "A", 8), CONTRA_INVALID);
    assert_codes(contra, "");
    REFUSED(contra, contra_program_new(contra, "p", -1, NULL, &program), "E0811", "on -1 chips");
    REFUSED(contra, contra_program_new(contra, "p", INT64_MAX, NULL, &program),
            "no machine has more than 65536");
    assert_int_equal(contra_program_new(contra, "p", 2, NULL, &program), CONTRA_OK);
    contra_axis(program, "A", 8);
    REFUSED(contra, contra_param(program, "x", contra_hbm("i8", "A = 4", "1 # 8", 0), &t), "E0504",
            "contra_program_new with 4 chips");
    REFUSED(contra,
            contra_check_text(contra, contra_text("p.tcp"), contra_text("program p chip=0\nend\n"),
                              NULL, NULL),
            "E0811", "`chip=1`");
    contra_free(contra);
}

// Two tensors that take more than half of DM each, at addresses that nobody gave.
static ContraStatus build_full(Contra *contra, const ContraCheckOptions *options, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *x, *first, *second, *out;
    contra_program_new(contra, "full", 1, options, &program);
    contra_axis(program, "S", 256);
    contra_axis(program, "A", 300000);
    contra_param(program, "x", contra_hbm("i8", "1", "S, A", CONTRA_UNKNOWN), &x);
    ContraLayout layout = contra_dm(NULL, NULL, "1 # 2", "S", "A", CONTRA_UNKNOWN);
    contra_to_dm(x, "tdma", "first", layout, &first);
    contra_to_dm(x, "tdma", "second", layout, &second);
    contra_to_hbm(first, "tdma", NULL, contra_hbm_result("S, A", CONTRA_UNKNOWN), &out);
    contra_return(program, out);
    contra_to_hbm(second, "tdma", NULL, contra_hbm_result("S, A", CONTRA_UNKNOWN), &out);
    contra_return(program, out);
    return contra_program_finish(program, kernel);
}

TEST(room_is_found_when_a_program_is_finished)
{
    Contra *contra = contra_new();
    ContraCheckOptions options = contra_check_options();
    int64_t kernel;
    REFUSED(contra, build_full(contra, NULL, &kernel), "error[E0842]",
            "no room for the 300000 bytes of `second`: a slice has 524288, and",
            "`first` takes 300000 bytes from 0 on at the same time", "smaller tiles");
    assert_int_equal(kernel, -1);
    options.memory = CONTRA_MEMORY_DETACHED;
    assert_int_equal(build_full(contra, &options, &kernel), CONTRA_OK);
    contra_free(contra);
}

// ---- parts of kernels

TEST(parts_of_kernels_are_not_run)
{
    for (int stores = 0; stores < 2; stores++) {
        Bench bench = {0};
        ContraTensor *t;
        ContraObject *object;
        ContraLaunch *launch;
        ContraText text;
        ContraRunOptions options = contra_run_options();
        const ContraOutput *outputs;
        int64_t kernel, count;
        options.random = true;
        bench_open(&bench);
        begin_at(&bench, "CollectTensor", "i32", "A % 8");
        if (stores)
            contra_commit(bench.stream, NULL, contra_dm_result("B, A % 8", 0x8000), &t);
        else
            contra_leave_open(bench.stream);
        assert_int_equal(contra_program_finish(bench.program, &kernel), CONTRA_OK);
        const char *why = stores ? "goes on from a stream of the caller" : "gives its stream back";
        REFUSED(bench.contra,
                contra_run_kernel(bench.contra, kernel, NULL, 0, &options, &outputs, &count),
                "error[E0905]: `test` is a part of a kernel", why, "contra_begin");
        REFUSED(bench.contra, contra_compile(bench.contra, kernel, NULL, 0, &object), "E0905", why);
        REFUSED(bench.contra, contra_launch_open(bench.contra, kernel, NULL, 0, &options, &launch),
                "E0905", why);
        // the same as a text
        assert_int_equal(contra_kernel_program(bench.contra, kernel, NULL, 0, &text), CONTRA_OK);
        Contra *other = contra_new();
        assert_int_equal(contra_check_text(other, contra_text("t.tcp"), text, NULL, NULL),
                         CONTRA_OK);
        REFUSED(other, contra_compile(other, 0, NULL, 0, &object), "E0905", why, "`begin`");
        contra_free(other);
        contra_free(bench.contra);
    }
}

// ---- handles of others

TEST_WITH(what_belongs_to_another_is_refused, open_clean, free_bench)
{
    Bench *bench = *state, other = {0};
    Contra *contra = bench->contra;
    ContraProgram *second;
    ContraTensor *t;
    bench_open(&other);
    contra_program_new(contra, "second", 1, NULL, &second);
    contra_axis(second, "A", 4096);
    contra_param(second, "x", contra_hbm("i32", "1", "A, I", 0), &t);
    contra_clear_diagnostics(contra);
    REFUSED(contra, contra_return(bench->program, t), "E0008",
            "a tensor of the program `second` was given, and this is `test`");
    REFUSED(contra, contra_return(bench->program, other.dm), "a tensor of another Contra");
    REFUSED(contra, contra_to_hbm_view(bench->dm, "tdma", other.hbm), "of another Contra");
    REFUSED(contra, contra_dma_scatter(bench->dm, "tdma", other.hbm, "A", true, bench->hbm),
            "of another Contra");
    REFUSED(contra, contra_begin_interleaved(bench->dm, other.dm, "I", "main", &bench->stream),
            "of another Contra");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    REFUSED(contra, contra_vector_fxp(bench->stream, "AddFxp", contra_operand_vrf(other.vrf)),
            "of another Contra");
    begin_at(bench, "VectorInitTensor", "i32", "A % 8");
    REFUSED(contra, contra_vector_intra_slice_branch(bench->stream, contra_branch_vrf(other.vrf)),
            "of another Contra");
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    REFUSED(contra, contra_align(bench->stream, other.trf, "1", "A"), "of another Contra");
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    REFUSED(contra, contra_commit_view(bench->stream, other.dm), "of another Contra");
    contra_free(other.contra);
}

TEST(mappings_of_another_are_refused)
{
    Contra *contra = contra_new(), *other = contra_new();
    ContraMapping *own, *far, *made, *rest;
    ContraFactor factor;
    ContraCell cell;
    ContraText text;
    const ContraTerm *terms;
    ContraDivision division = contra_division();
    ContraSequenceRequest request = contra_sequence_request();
    ContraSequence sequence = contra_sequence_info();
    int64_t number = 1;
    bool yes;
    contra_declare_axes(contra, contra_text("A=8"));
    contra_declare_axes(other, contra_text("A=8"));
    contra_mapping_named(contra, "A", &own);
    contra_mapping_named(other, "A", &far);
    const ContraMapping *const both[] = {own, far};
    const int64_t factors[] = {1, 1};
#define STRANGER(call) \
    REFUSED(contra, call, "E0008", "with a mapping of another Contra", "contra_map")
    STRANGER(contra_mapping_factor(contra, far, 0, &factor));
    STRANGER(contra_mapping_cell(contra, far, 0, &cell));
    STRANGER(contra_mapping_equal(contra, own, far, &yes, NULL));
    STRANGER(contra_mapping_equal(contra, far, own, &yes, NULL));
    STRANGER(contra_mapping_is_prefix(contra, own, far, &yes));
    STRANGER(contra_mapping_is_prefix(contra, far, own, &yes));
    STRANGER(contra_mapping_split(contra, far, 2, &made, &rest));
    STRANGER(contra_mapping_tile(contra, own, far, 1, 0, &made, NULL));
    STRANGER(contra_mapping_tile(contra, far, own, 1, 0, &made, NULL));
    STRANGER(contra_mapping_canonical_axes(contra, far, &terms, &number));
    STRANGER(contra_mapping_divide(contra, own, far, CONTRA_DIVIDE_RELAXED, 1, &division));
    STRANGER(contra_mapping_divide(contra, far, own, CONTRA_DIVIDE_RELAXED, 1, &division));
    STRANGER(contra_mapping_picture(contra, far, CONTRA_PICTURE_TEXT, 0, &text));
    STRANGER(contra_mapping_pair(contra, own, far, &made));
    STRANGER(contra_mapping_pair(contra, far, own, &made));
    STRANGER(contra_mapping_stride(contra, far, 2, &made));
    STRANGER(contra_mapping_modulo(contra, far, 2, &made));
    STRANGER(contra_mapping_resize(contra, far, 2, &made));
    STRANGER(contra_mapping_pad(contra, far, 16, &made));
    STRANGER(contra_mapping_pad_around(contra, 1, far, 1, &made));
    STRANGER(contra_mapping_offset(contra, far, 1, &made));
    STRANGER(contra_mapping_select(contra, far, factors, 1, &made));
    STRANGER(contra_mapping_linear(contra, both, factors, 2, &made));
    const ContraMapping **const places[] = {&request.buffer, &request.time, &request.packet};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        request.buffer = own, request.time = request.packet = NULL;
        *places[i] = far;
        REFUSED(contra, contra_sequence(contra, &request, &sequence), "of another Contra");
    }
    // so are numbers that count nothing
    REFUSED(contra, contra_mapping_stride(contra, own, -1, &made),
            "contra_mapping_stride was called with -1: a number of a mapping is not negative");
    REFUSED(contra, contra_mapping_pad_around(contra, 0, own, -2, &made), "called with -2");
    REFUSED(contra, contra_mapping_select(contra, own, (const int64_t[]){-3}, 1, &made), "-3");
    REFUSED(contra, contra_mapping_select(contra, own, factors, 0, &made), "without a position");
    REFUSED(contra, contra_mapping_linear(contra, &both[0], (const int64_t[]){-4}, 1, &made), "-4");
    // NULL is named, too
    REFUSED(contra, contra_mapping_pad(contra, NULL, 8, &made), "contra_mapping_pad", "`of`");
    REFUSED(contra, contra_mapping_select(contra, own, NULL, 2, &made), "`positions`");
    REFUSED(contra, contra_mapping_select(contra, own, factors, -1, &made), "`positions`");
    contra_free(other);
    contra_free(contra);
}

TEST(objects_and_schedules_of_another_are_refused)
{
    static const char text[] =
        "program scale chip=1\naxis A = 4096\n%0 x = param hbm i32 chip [1] element [A] at 0x0\n"
        "tdma to_dm %0 -> %1 rows = dm cluster [1 # 2] slice [A / 16] element [A % 16] at 0x0\n"
        "tdma to_hbm %1 -> %2 = hbm element [A] at 0x4000\nreturn %2\nend\n";
    Contra *contra = contra_new(), *other = contra_new();
    ContraObject *object;
    ContraSchedule *schedule;
    ContraText said;
    int64_t kernel;
    assert_int_equal(contra_check_text(other, contra_text("s.tcp"), contra_text(text), NULL, NULL),
                     CONTRA_OK);
    assert_int_equal(contra_compile(other, 0, NULL, 0, &object), CONTRA_OK);
    assert_int_equal(contra_schedule(other, object, NULL, &schedule), CONTRA_OK);
#define NOT_OURS(call, what) REFUSED(contra, call, "E0008", what)
    NOT_OURS(contra_schedule_text(contra, schedule, NULL, &said), "a schedule of another Contra");
    NOT_OURS(contra_schedule(contra, object, NULL, &schedule), "an object of another Contra");
    NOT_OURS(contra_object_kernel(contra, object, &kernel), "an object of another Contra");
    NOT_OURS(contra_object_fits(contra, object), "an object of another Contra");
    NOT_OURS(contra_object_text(contra, object, NULL, &said), "an object of another Contra");
    NOT_OURS(contra_object_strip(contra, object), "an object of another Contra");
    NOT_OURS(contra_object_write(contra, object, contra_text("x.tcpo")), "of another Contra");
    contra_free(other);
    contra_free(contra);
}

// ---- words

TEST_WITH(contexts_are_named, open_clean, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    ContraTensor *t;
    ContraLayout in_dm = contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16, I", 0x800);
    const char *fit = "contra_to_dm from HBM to DM runs on `tdma`";
    REFUSED(contra, contra_to_dm(bench->hbm, "dma", "z", in_dm, &t), "E0803",
            "`dma` is not a context", fit, "`main`, `sub`, `tdma` and `pdma`");
    REFUSED(contra, contra_to_dm(bench->hbm, NULL, "z", in_dm, &t), "NULL was given", fit);
    REFUSED(contra, contra_to_dm(bench->hbm, "", "z", in_dm, &t), "the context is empty", fit);
    REFUSED(contra, contra_to_dm(bench->hbm, "pdma", "z", in_dm, &t), "E0532",
            "give it the context `tdma`");
    REFUSED(contra, contra_begin(bench->other, "tdma", &bench->stream), "E0803",
            "`tdma` is not a context that a pass can run on", "there are `main`, `sub`");
    REFUSED(contra, contra_begin(bench->other, NULL, &bench->stream), "the context is missing");
}

TEST_WITH(operations_are_named_with_their_functions, open_clean, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    ContraOperand one = contra_operand_i32(1), odd = one;
    odd.kind = 77;
#define REFUSED_OP(call, ...)                            \
    do {                                                 \
        begin_at(bench, "VectorTensor", "i32", "A % 8"); \
        REFUSED(contra, call, __VA_ARGS__);              \
    } while (0)
    REFUSED_OP(contra_vector_fxp(bench->stream, "BitAnd", one), "E0803", "`AddFxp`",
               "`BitAnd` is an operation of `contra_vector_logic`");
    REFUSED_OP(contra_vector_fxp(bench->stream, NULL, one), "the operation is missing");
    REFUSED_OP(contra_vector_fxp(bench->stream, "", one), "the operation is empty");
    REFUSED_OP(contra_vector_fxp_with(bench->stream, "AddFxp", "Mode22", &one, 1),
               "`Mode22` is not an argument mode", "`Mode00`, `Mode01`, `Mode10`, `Mode11`",
               "did you mean `Mode00`?");
    REFUSED_OP(contra_vector_fxp_with(bench->stream, "AddFxp", "mode10", &one, 1),
               "`mode10` is not an argument mode", "did you mean `Mode10`?");
    REFUSED_OP(contra_vector_fxp_with(bench->stream, "AddFxp", "Mode012", &one, 1), "E0729",
               "choose one of Mode00, Mode01, Mode10, Mode11");
    REFUSED_OP(contra_vector_fxp_with(bench->stream, "AddFxp", "", &one, 1), "NULL stands for");
    REFUSED_OP(contra_vector_fxp(bench->stream, "AddFxp", odd), "an operand of kind 77");
    REFUSED_OP(contra_vector_fxp(bench->stream, "AddFxp", contra_operand_with(one, 2)),
               "contra_operand_with is for vector_fp_ternary");
    REFUSED_OP(contra_vector_fxp(bench->stream, "AddFxp", contra_operand_skip()),
               "`contra_operand_skip()` leaves a group alone");
    REFUSED_OP(contra_vector_fxp(bench->stream, "AddFxp", contra_operand_bits(NULL, 1)),
               "the type of a constant is missing");
    REFUSED_OP(contra_vector_filter(bench->stream, 5, "1"), "a group is 0 or 1, and not 5");
    REFUSED_OP(contra_vector_intra_slice_branch(bench->stream, contra_branch("AxisToggle")),
               "contra_branch_axis_toggle");
    REFUSED_OP(contra_vector_intra_slice_branch(bench->stream, contra_branch("Comparison")),
               "contra_branch_comparison");
    REFUSED_OP(contra_vector_intra_slice_branch(bench->stream, contra_branch("Vrf")),
               "contra_branch_vrf");
    begin_at(bench, "VectorTensor", "f32", "A % 4");
    REFUSED(contra, contra_vector_fp_ternary(bench->stream, "FmaF", contra_operand_f32(1)),
            "contra_operand_with(operand, second)");
}

TEST_WITH(numbers_are_shown_as_they_were_given, open_clean, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    ContraProgram *program = bench->program;
    ContraTensor *t;
    REFUSED(contra, contra_param(program, "p", contra_hbm("i32", "1", "A", -4), &t), "E0508",
            "the address of `p` is -4; addresses start at 0");
    REFUSED(contra, contra_param(program, "p", contra_hbm("i32", "1", "A", INT64_MAX), &t), "E0510",
            "it fits at addresses up to 0xbffffc000");
    assert_int_equal(contra_param(program, "p", contra_hbm("i32", "1", "A", INT64_MAX), &t),
                     CONTRA_INVALID);
    assert_codes(contra, "E0510"); // it is not told where to align that
    REFUSED(contra, contra_axis(program, "C", -5), "E0104", "axis `C` has size -5");
    REFUSED(contra, contra_axis(program, "C\nend", 5), "`C end` is not a word");
    REFUSED(contra, contra_choice(program, &(ContraChoice){0, 0}, 1), "one way at least");
    REFUSED(contra, contra_choice(program, &(ContraChoice){-1, 1}, 1), "from 0 on");
    REFUSED(contra, contra_param(program, "", contra_hbm("i32", "1", "A", 0), &t),
            "NULL stands for none");
    ContraLayout nowhere = contra_hbm("i32", "1", "A", 0);
    nowhere.tier = (ContraTier)9;
    REFUSED(contra, contra_param(program, "p", nowhere, &t), "9 is no memory");
    REFUSED(contra, contra_param(program, "p", contra_dm_result("A", 0), &t),
            "the type is missing: NULL was given");
    assert_int_equal(contra_param(program, "p", contra_dm_result("A", 0), &t), CONTRA_INVALID);
    assert_codes(contra, "E0008"); // and nothing that would follow from it
    REFUSED(contra, contra_program_finish(program, NULL), "contra_program_finish", "`kernel`");
}

TEST_WITH(lists_are_as_long_as_they_say, open_clean, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    ContraTensor *t;
    const int64_t numbers[] = {1, 0, 2, 3};
    const int64_t counts[] = {-1, 2, INT64_MAX};
    const char *const words[] = {"a count is not negative", "NULL was given", "at most can be"};
    ContraLayout out = contra_dm_result("A % 16", 0x2000);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        ContraPattern pattern = {NULL, counts[i], 2};
        ContraFetchOptions options = contra_fetch_options();
        options.zero_point_count = counts[i];
        REFUSED(contra, contra_dm_cluster_shuffle(bench->dm, "tdma", pattern, NULL, out, &t),
                "sources of a pattern", words[i]);
        REFUSED(contra, contra_choice(bench->program, NULL, counts[i]), "choices", words[i]);
        REFUSED(contra, contra_axis_skewed(bench->program, "N'", "A", NULL, counts[i], NULL),
                "axes", words[i]);
        REFUSED_OP(contra_vector_fxp_with(bench->stream, "AddFxp", NULL, NULL, counts[i]),
                   "operands", words[i]);
        begin_at(bench, "BeginTensor", "i32", "A % 8");
        REFUSED(contra, contra_fetch(bench->stream, "i32", "B", "A % 8", &options), "zero points",
                words[i]);
        begin_at(bench, "FetchTensor", "i32", "A % 8");
        REFUSED(contra,
                contra_switch(bench->stream, "Broadcast1", numbers, counts[i] == 2 ? 3 : counts[i],
                              "A / 16", "B"),
                "Broadcast1 takes 2 numbers, `slice1`, `slice0`, and is given",
                " |   ^^^^^^^^^^^^^^^^^");
    }
    ContraPattern none = {numbers, 0, 2};
    REFUSED(contra, contra_dm_cluster_shuffle(bench->dm, "tdma", none, NULL, out, &t),
            "the pattern has no sources");
}

TEST_WITH(short_layouts_reshape, open_clean, free_bench)
{
    Bench *bench = *state;
    Contra *contra = bench->contra;
    ContraTensor *t;
    int64_t kernel;
    ContraText text;
    assert_int_equal(contra_reshape(bench->other, "r", contra_dm_result("A / 8 % 2, A % 8", 0), &t),
                     CONTRA_OK);
    assert_last_line(bench, "%6 r = reshape %1 element [A / 8 % 2, A % 8]");
    contra_return(bench->program, t);
    assert_int_equal(contra_program_finish(bench->program, &kernel), CONTRA_OK);
    assert_int_equal(contra_kernel_program(contra, kernel, NULL, 0, &text), CONTRA_OK);
    assert_non_null(strstr(text.data, "reshape %1 chip [1] cluster [1 # 2] slice [A / 16] "
                                      "element [A / 8 % 2, A % 8]\n"));
    Bench other = {0};
    bench_open(&other);
    contra_clear_diagnostics(other.contra);
    REFUSED(other.contra, contra_reshape(other.other, "r", contra_hbm_result("A", 0), &t), "E0806",
            "a tensor of DM is given another shape, and the layout is one of HBM");
    REFUSED(other.contra,
            contra_reshape(other.other, "r", contra_dm("i8", NULL, NULL, NULL, "A % 16", 0), &t),
            "a tensor of i32 is given another shape, and the layout says `i8`");
    contra_free(other.contra);
}

TEST(options_are_checked)
{
    Contra *contra = contra_new();
    ContraProgram *program;
    ContraCheckOptions options = contra_check_options();
    options.rules = (ContraRules)9;
    REFUSED(contra, contra_program_new(contra, "p", 1, &options, &program), "E0008", "rules 9");
    options = contra_check_options();
    options.memory = (ContraMemory)7;
    REFUSED(contra, contra_program_new(contra, "p", 1, &options, &program), "memory 7");
    options = contra_check_options();
    options.most_steps = -1;
    REFUSED(contra, contra_check_text(contra, contra_text("p.rs"), contra_text(""), &options, NULL),
            "-1 steps");
    contra_free(contra);
}

// Of a word without end, a message shows the beginning.
TEST_WITH(long_words_are_cut, open_clean, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t;
    enum { LONG = 100000 };
    char *word = malloc(LONG + 1);
    memset(word, 'N', LONG);
    word[LONG] = 0;
    contra_param(bench->program, "p", contra_host(word, "A"), &t);
    contra_axis(bench->program, word, 8);
    contra_begin(bench->other, word, &bench->stream);
    assert_true(contra_diagnostics(bench->contra, CONTRA_PLAIN).length < 2000);
    SAYS(bench->contra, "a word has 1000 bytes at most, and this one has 100000");
    free(word);
}

// Floats go through the text bit by bit.
TEST(every_float_is_itself)
{
    static const uint32_t bits[] = {0x7fc00000, 0xffc12345, 0x7f800000, 0xff800000, 0x80000000,
                                    0x00000001, 0x807fffff, 0x7f7fffff, 0x00800000, 0x3eaaaaab};
    for (size_t i = 0; i < COUNT_OF(bits); i++) {
        Bench bench = {0};
        int64_t kernel;
        ContraText built, read;
        float value;
        memcpy(&value, &bits[i], sizeof value);
        bench_open(&bench);
        begin_at(&bench, "VectorTensor", "f32", "A % 4");
        ContraOperand operand = contra_operand_bits("f32", bits[i]);
        if (contra_vector_fp_binary(bench.stream, "MulF(Mul0)", operand))
            fail_msg("%s", contra_diagnostics(bench.contra, CONTRA_PLAIN).data);
        operand = contra_operand_with(contra_operand_f32(1), value);
        if (contra_vector_fp_ternary(bench.stream, "FmaF", operand))
            fail_msg("%s", contra_diagnostics(bench.contra, CONTRA_PLAIN).data);
        contra_leave_open(bench.stream);
        assert_int_equal(contra_program_finish(bench.program, &kernel), CONTRA_OK);
        Contra *other = contra_new();
        ContraText lines = contra_program_lines(bench.program);
        assert_int_equal(contra_check_text(other, contra_text("t.tcp"), lines, NULL, NULL),
                         CONTRA_OK);
        contra_program_text(bench.contra, &built);
        contra_program_text(other, &read);
        assert_string_equal(read.data, built.data);
        contra_free(other);
        contra_free(bench.contra);
    }
}

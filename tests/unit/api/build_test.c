// Programs built by calls: each is checked when it is made, and no argument can write more than its
// own part of a line. What is built is the program that the text form reads, and runs as that does.
#include "build_support.h"

#include <limits.h>

// ---- whole programs

// scale: x * 3 + 100, at most 1000
static ContraStatus build_scale(Contra *contra, const char *name, int64_t *kernel)
{
    ContraProgram *program;
    ContraTensor *x, *rows, *y, *out;
    ContraStream *stream;
    *kernel = -1;
    contra_program_new(contra, name, 1, NULL, &program);
    contra_axis(program, "A", 4096);
    contra_param(program, "x", contra_hbm("i32", "1", "A", 0), &x);
    contra_to_dm(x, "tdma", "rows", contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0), &rows);
    contra_begin(rows, "main", &stream);
    contra_fetch(stream, "i32", "A / 8 % 2", "A % 8", NULL);
    contra_collect(stream, "A / 8 % 2", "A % 8");
    contra_vector_init(stream);
    contra_vector_intra_slice_branch(stream, contra_branch("Unconditional"));
    contra_vector_fxp(stream, "MulInt", contra_operand_i32(3));
    contra_vector_fxp(stream, "AddFxp", contra_operand_i32(100));
    contra_vector_clip(stream, "Min", contra_operand_i32(1000));
    contra_vector_final(stream);
    contra_commit(stream, "y", contra_dm_result("A % 16", 0x40), &y);
    contra_to_hbm(y, "tdma", NULL, contra_hbm_result("A", 0x4000), &out);
    contra_return(program, out);
    return contra_program_finish(program, kernel);
}

static const char scale_text[] =
    "program scale chip=1\naxis A = 4096\n\n"
    "%0 x = param hbm i32 chip [1] element [A] at 0x0\n\n"
    "tdma to_dm %0 -> %1 rows = dm cluster [1 # 2] slice [A / 16] element [A % 16] at 0x0\n\n"
    "pass main\n  begin %1\n  fetch i32 time [A / 8 % 2] packet [A % 8]\n"
    "  collect time [A / 8 % 2] packet [A % 8]\n  vector_init\n"
    "  vector_intra_slice_branch Unconditional\n  vector_fxp MulInt 3\n  vector_fxp AddFxp 100\n"
    "  vector_clip Min 1000\n  vector_final\n  commit -> %2 y = dm element [A % 16] at 0x40\n\n"
    "tdma to_hbm %2 -> %3 = hbm element [A] at 0x4000\n\nreturn %3\nend\n";

TEST(a_built_program_is_that_of_its_text)
{
    Contra *contra = contra_new();
    int64_t kernel;
    ContraText text;
    ContraKernel about = contra_kernel_info();
    assert_int_equal(build_scale(contra, "scale", &kernel), CONTRA_OK);
    assert_int_equal(contra_kernel_program(contra, kernel, NULL, 0, &text), CONTRA_OK);
    assert_string_equal(text.data, scale_text);
    assert_int_equal(contra_program_text(contra, &text), CONTRA_OK);
    assert_string_equal(text.data, scale_text);
    assert_int_equal(contra_kernel(contra, kernel, &about), CONTRA_OK);
    assert_string_equal(about.name.data, "scale");
    assert_int_equal(about.param_count, 2);
    contra_free(contra);
}

static const ContraOutput *run(Contra *contra, int64_t kernel, const ContraInput *inputs,
                               int64_t count)
{
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t output_count;
    options.check_oracle = true;
    if (contra_run_kernel(contra, kernel, inputs, count, &options, &outputs, &output_count))
        fail_msg("%s", contra_diagnostics(contra, CONTRA_PLAIN).data);
    assert_int_equal(output_count, 1);
    return outputs;
}

TEST(a_built_program_runs)
{
    static int32_t values[4096];
    const int64_t shape[] = {4096};
    Contra *contra = contra_new();
    int64_t kernel;
    ContraObject *object;
    ContraSchedule *schedule;
    for (int32_t i = 0; i < 4096; i++)
        values[i] = i - 100;
    ContraInput input = {.name = contra_text("x"), .array = {CONTRA_I32, 1, shape, values}};
    assert_int_equal(build_scale(contra, "scale", &kernel), CONTRA_OK);
    const ContraOutput *output = run(contra, kernel, &input, 1);
    for (int32_t i = 0; i < 4096; i++) {
        int32_t all = values[i] * 3 + 100;
        assert_int_equal(((const int32_t *)output->array.data)[i], all < 1000 ? all : 1000);
    }
    assert_int_equal(contra_compile(contra, kernel, NULL, 0, &object), CONTRA_OK);
    assert_int_equal(contra_schedule(contra, object, NULL, &schedule), CONTRA_OK);
    assert_true(contra_schedule_cycles(schedule) > 0);
    contra_free(contra);
}

// Weights to the TRF in the sub context while the main one has begun: the lines of two passes in
// turn, and one program.
TEST(passes_may_be_under_way_together)
{
    Contra *contra = contra_new();
    ContraProgram *program;
    ContraTensor *weights, *input, *trf, *y;
    ContraStream *main_stream, *sub;
    int64_t kernel;
    static int8_t w[256 * 8 * 64], x[256 * 64];
    const int64_t w_shape[] = {256 * 8 * 64}, x_shape[] = {256 * 64};
    contra_program_new(contra, "gemv", 1, NULL, &program);
    contra_axis(program, "K", 64);
    contra_axis(program, "M", 256);
    contra_axis(program, "N", 8);
    contra_param(program, "weights", contra_dm("i8", "1", "1 # 2", "M", "N, K", 0), &weights);
    contra_param(program, "input", contra_dm("i8", "1", "1 # 2", "M", "K", 0x200), &input);
    contra_begin(input, "main", &main_stream);
    contra_begin(weights, "sub", &sub);
    contra_fetch(main_stream, "i8", "K / 32", "K % 32", NULL);
    contra_fetch(sub, "i8", "N, K / 32", "K % 32", NULL);
    contra_collect(sub, "N, K / 32", "K % 32");
    contra_collect(main_stream, "K / 32", "K % 32");
    contra_to_trf(sub, NULL, contra_trf_result("N", "K", "FirstHalf"), &trf);
    contra_align(main_stream, trf, "1", "K");
    contra_contract(main_stream, "1");
    contra_accumulate(main_stream, "Interleaved", "1", "N");
    contra_commit(main_stream, "y", contra_dm_result("N", 0x280), &y);
    contra_return(program, y);
    if (contra_program_finish(program, &kernel) != CONTRA_OK)
        fail_msg("%s", contra_diagnostics(contra, CONTRA_PLAIN).data);
    for (size_t i = 0; i < sizeof w; i++)
        w[i] = (int8_t)(i * 7 % 13 - 6);
    for (size_t i = 0; i < sizeof x; i++)
        x[i] = (int8_t)(i * 5 % 11 - 5);
    ContraInput inputs[] = {
        {.name = contra_text("weights"), .array = {CONTRA_I8, 1, w_shape, w}},
        {.name = contra_text("input"), .array = {CONTRA_I8, 1, x_shape, x}},
    };
    const ContraOutput *output = run(contra, kernel, inputs, 2);
    for (int m = 0; m < 256; m++) {
        for (int n = 0; n < 8; n++) {
            int32_t sum = 0;
            for (int k = 0; k < 64; k++)
                sum += w[(m * 8 + n) * 64 + k] * x[m * 64 + k];
            assert_int_equal(((const int32_t *)output->array.data)[m * 8 + n], sum);
        }
    }
    contra_free(contra);
}

// ---- refusals

TEST_WITH(a_broken_rule_is_reported_where_it_is, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *rows, *next;
    contra_clear_diagnostics(bench->contra);
    assert_int_equal(contra_to_dm(bench->hbm, "tdma", "rows",
                                  contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 17", 0), &rows),
                     CONTRA_INVALID);
    const char *shown = contra_diagnostics(bench->contra, CONTRA_PLAIN).data;
    assert_non_null(strstr(shown, "--> test:11:7"));
    assert_non_null(strstr(shown, "element [A % 17] at 0x0\n"));
    assert_codes(bench->contra, "E0107");
    // what depends on it is refused, and nothing more is said
    assert_int_equal(contra_to_hbm(rows, "tdma", NULL, contra_hbm_result("A", 0), &next),
                     CONTRA_INVALID);
    assert_int_equal(contra_begin(next, "main", &bench->stream), CONTRA_INVALID);
    assert_int_equal(contra_fetch(bench->stream, "i32", "1", "A", NULL), CONTRA_INVALID);
    assert_int_equal(contra_commit(bench->stream, NULL, contra_dm_result("A", 0), &next),
                     CONTRA_INVALID);
    assert_int_equal(contra_return(bench->program, next), CONTRA_INVALID);
    int64_t kernel;
    assert_int_equal(contra_program_finish(bench->program, &kernel), CONTRA_INVALID);
    assert_int_equal(kernel, -1);
    assert_codes(bench->contra, "");
    assert_int_equal(contra_kernel_count(bench->contra), 0);
}

TEST_WITH(names_are_checked, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t;
    ContraProgram *nameless;
    int64_t one = 1;
    Contra *contra = bench->contra;
    contra_clear_diagnostics(contra);
#define REFUSED(call, codes)                      \
    do {                                          \
        assert_int_equal((call), CONTRA_INVALID); \
        assert_codes(contra, codes);              \
    } while (0)
    REFUSED(contra_axis(bench->program, "a", 8), "E0105");
    REFUSED(contra_axis(bench->program, "A", 8), "E0103");
    REFUSED(contra_axis(bench->program, NULL, 8), "E0008");
    REFUSED(contra_program_new(contra, NULL, 1, NULL, &nameless), "E0008");
    REFUSED(contra_param(bench->program, "t",
                         contra_trf("i8", "1", "1 # 2", "A / 16", "B", "I # 64", NULL), &t),
            "E0008");
    REFUSED(contra_param(bench->program, "p", contra_hbm("f31", "1", "A", 0), &t), "E0004");
    REFUSED(contra_param(bench->program, "p", contra_hbm("f32", "1", "Q", 0), &t), "E0102");
    REFUSED(contra_param(bench->program, "p", contra_hbm("f32", NULL, "A", 0), &t), "E0807");
    REFUSED(contra_param(bench->program, "x", contra_host("i32", "A"), &t), "E0008");
    assert_int_equal(contra_param(bench->program, "p", contra_host("i32", "A"), &t), CONTRA_OK);
    REFUSED(contra_param(bench->program, "p", contra_host("i32", "A"), &t), "E0008");
    REFUSED(contra_to_hbm_view(bench->dm, "dma", bench->hbm), "E0803");
    REFUSED(contra_to_hbm_view(bench->dm, NULL, bench->hbm), "E0803");
    REFUSED(contra_to_dm_pcopy(bench->hbm, "tdma", bench->dm), "E0806");
    REFUSED(contra_to_dm(bench->hbm, "tdma", NULL, contra_hbm_result("A, I", 0), &t), "E0806");
    REFUSED(contra_to_hbm(bench->dm, "tdma", NULL, contra_dm_result("A, I", 0), &t), "E0806");
    REFUSED(contra_to_host(bench->dm, "pdma", NULL, contra_dm_result("A, I", 0), &t), "E0806");
    REFUSED(contra_to_hbm_view(bench->dm, "tdma", bench->other), "E0806");
    REFUSED(contra_to_dm_view(bench->dm, "tdma", bench->hbm), "E0806");
    REFUSED(contra_begin(bench->other, "mian", &bench->stream), "E0803");
    contra_begin(bench->other, "main", &bench->stream);
    REFUSED(contra_collect(bench->stream, "1", "A % 8"), "E0808");
    begin_at(bench, "FetchTensor", "i32", "A % 8");
    REFUSED(contra_switch(bench->stream, "Broadcast", &one, 1, "A / 16", "B"), "E0803");
    begin_at(bench, "FetchTensor", "i32", "A % 8");
    REFUSED(contra_switch(bench->stream, "Broadcast1", &one, 1, "A / 16", "B"), "E0008");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    REFUSED(contra_vector_fxp(bench->stream, "AddFpx", contra_operand_i32(1)), "E0803");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    REFUSED(contra_vector_fxp(bench->stream, "AddFxp", contra_operand_bits("u9", 1)), "E0004");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    REFUSED(contra_vector_fxp_with(bench->stream, "AddFxp", "Mode99", NULL, 0), "E0803");
    const int groups[] = {-1, 2, INT_MAX};
    for (size_t i = 0; i < COUNT_OF(groups); i++) {
        ContraOperand operand = contra_operand_group(contra_operand_i32(1), groups[i]);
        begin_at(bench, "VectorTensor", "i32", "A % 8");
        REFUSED(contra_vector_fxp(bench->stream, "AddFxp", operand), "E0008");
    }
}

TEST_WITH(handles_are_checked, new_bench, free_bench)
{
    Bench *bench = *state, other = {0};
    ContraTensor *t, *view;
    int64_t kernel;
    Contra *contra = bench->contra;
    bench_open(&other);
    contra_clear_diagnostics(contra);
    REFUSED(contra_to_hbm_view(bench->dm, "tdma", NULL), "E0008");
    REFUSED(contra_to_hbm_view(bench->dm, "tdma", other.hbm), "E0008");
    REFUSED(contra_return(bench->program, NULL), "E0008");
    assert_int_equal(contra_tile(bench->dm, "I", 1, "A % 16, B / 2, B % 2, 1 # 2", 0, &view),
                     CONTRA_OK);
    REFUSED(contra_return(bench->program, view), "E0815");
    REFUSED(contra_reshape(view, NULL, contra_dm(NULL, "1", "1 # 2", "A / 16", "A % 16", 0), &t),
            "E0815");
    // a stream that is over, and one that nobody ends
    begin_at(bench, "CollectTensor", "i32", "A % 8");
    contra_leave_open(bench->stream);
    REFUSED(contra_collect(bench->stream, "1", "A"), "E0809");
    assert_int_equal(contra_begin(other.other, "main", &other.stream), CONTRA_OK);
    assert_int_equal(contra_program_finish(other.program, &kernel), CONTRA_INVALID);
    assert_codes(other.contra, "E0809");
    contra = other.contra;
    REFUSED(contra_axis(other.program, "Z", 4), "E0008");
    REFUSED(contra_begin(other.other, "main", &other.stream), "E0008");
    REFUSED(contra_collect(other.stream, "1", "A"), "");
    REFUSED(contra_program_finish(other.program, &kernel), "E0008");
    contra_program_abandon(other.program);
    contra_free(other.contra);
}

TEST(nothing_is_no_handle)
{
    ContraTensor *t = NULL;
    ContraStream *s = NULL;
    ContraProgram *program = NULL;
    ContraMapping *mapping = NULL;
    int64_t kernel;
    assert_int_equal(contra_program_new(NULL, "p", 1, NULL, &program), CONTRA_INVALID);
    assert_null(program);
    assert_int_equal(contra_program_finish(NULL, &kernel), CONTRA_INVALID);
    assert_int_equal(contra_axis(NULL, "A", 8), CONTRA_INVALID);
    assert_int_equal(contra_param(NULL, "p", contra_host("i8", "A"), &t), CONTRA_INVALID);
    assert_int_equal(contra_begin(NULL, "main", &s), CONTRA_INVALID);
    assert_int_equal(contra_collect(NULL, "A", "A"), CONTRA_INVALID);
    assert_int_equal(contra_to_hbm_view(NULL, "tdma", NULL), CONTRA_INVALID);
    assert_int_equal(contra_mapping_pair(NULL, NULL, NULL, &mapping), CONTRA_INVALID);
    assert_int_equal(contra_program_lines(NULL).length, 0);
    contra_program_abandon(NULL);
}

TEST(a_text_is_read_by_its_ending)
{
    Contra *contra = contra_new();
    ContraCheckResult result = contra_check_result();
    assert_int_equal(
        contra_check_text(contra, contra_text("scale.tcp"), contra_text(scale_text), NULL, &result),
        CONTRA_OK);
    assert_int_equal(result.kernels, 1);
    assert_int_equal(contra_kernel_count(contra), 1);
    contra_free(contra);
}

// With choices a program can be checked, and printed.
TEST(choices_are_not_run)
{
    Contra *contra = contra_new();
    ContraProgram *program;
    ContraTensor *x, *rows;
    ContraLaunch *launch;
    ContraObject *object;
    ContraRunOptions options = contra_run_options();
    ContraText lines;
    const ContraOutput *outputs;
    int64_t kernel, count;
    options.random = true;
    contra_program_new(contra, "ways", 1, NULL, &program);
    contra_axis(program, "A", 4096);
    contra_param(program, "x", contra_hbm("i32", "1", "A", 0), &x);
    for (int64_t way = 1; way <= 2; way++) {
        contra_choice(program, &(ContraChoice){0, way}, 1);
        contra_to_dm(x, "tdma", NULL, contra_dm(NULL, NULL, "1 # 2", "A / 16", "A % 16", 0), &rows);
    }
    assert_int_equal(contra_program_finish(program, &kernel), CONTRA_OK);
    assert_int_equal(contra_kernel_program(contra, kernel, NULL, 0, &lines), CONTRA_OK);
    REFUSED(contra_run_kernel(contra, kernel, NULL, 0, &options, &outputs, &count), "E0967");
    REFUSED(contra_launch_open(contra, kernel, NULL, 0, &options, &launch), "E0967");
    REFUSED(contra_compile(contra, kernel, NULL, 0, &object), "E0967");
    contra_free(contra);
}

// Options hold for the program they were given for, whatever is asked in between.
TEST(programs_have_their_own_options)
{
    Contra *contra = contra_new();
    ContraProgram *strict, *relaxed;
    ContraTensor *t;
    ContraCheckOptions options = contra_check_options();
    options.relax = contra_text("slice-size");
    contra_program_new(contra, "strict", 1, NULL, &strict);
    assert_int_equal(contra_program_new(contra, "relaxed", 1, &options, &relaxed), CONTRA_OK);
    contra_axis(strict, "A", 100);
    contra_axis(relaxed, "A", 100);
    ContraLayout layout = contra_dm("i8", "1", "1 # 2", "A", "1 # 8", 0);
    assert_int_equal(contra_param(relaxed, "x", layout, &t), CONTRA_OK);
    assert_int_equal(contra_param(strict, "x", layout, &t), CONTRA_INVALID);
    assert_int_equal(contra_param(relaxed, "y", layout, &t), CONTRA_OK);
    options.relax = contra_text("nonsense");
    assert_int_equal(contra_program_new(contra, "none", 1, &options, &relaxed), CONTRA_INVALID);
    assert_null(relaxed);
    contra_free(contra); // both are still open
}

// ---- texts made to break out of their place

// Whatever the arguments are, a call writes one line more (two for a pass), and every line but
// those of the call is as it was.
TEST(no_argument_writes_another_line)
{
    static const char *const pieces[] = {
        "A",        "[",    "]",  "(",   ")",   "{",     "}",      "\"",        "\\",   "//",
        "\n",       "\r",   "%",  "%0",  "->",  ",",     " ",      "#",         "/",    "1",
        "8",        "=",    "at", "0x0", "i32", "dm",    "end",    "pass main", "\xff", "\xc3",
        "\xc3\xa9", "\x01", "::", "'",   "_",   "group", "Mode10", "AddFxp",    "?",    ";"};
    uint64_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        char texts[4][64];
        for (size_t i = 0; i < COUNT_OF(texts); i++) {
            size_t length = 0;
            texts[i][0] = 0;
            for (int k = 0; k < 5; k++) {
                seed = seed * 6364136223846793005U + 1442695040888963407U;
                if (seed >> 62)
                    length += (size_t)snprintf(texts[i] + length, sizeof texts[i] - length, "%s",
                                               pieces[(seed >> 33) % COUNT_OF(pieces)]);
            }
        }
        Bench bench = {0};
        bench_open(&bench);
        ContraTensor *t;
        int64_t before = 0, after = 0;
        ContraText lines = contra_program_lines(bench.program);
        for (int64_t i = 0; i < lines.length; i++)
            before += lines.data[i] == '\n';
        contra_axis(bench.program, texts[0], 8);
        contra_let(bench.program, texts[1], texts[2]);
        contra_param(bench.program, texts[0],
                     contra_dm(texts[1], "1", texts[2], "1 # 256", texts[3], 0), &t);
        contra_tile(bench.other, texts[0], 1, texts[1], 0, &t);
        contra_to_dm(bench.hbm, texts[0], texts[1], contra_dm_result(texts[2], 0), &t);
        contra_begin(bench.other, texts[2], &bench.stream);
        contra_fetch(bench.stream, texts[0], texts[1], texts[2], NULL);
        contra_begin(bench.other, "main", &bench.stream);
        contra_fetch(bench.stream, "i32", "A % 16 / 8", "A % 8", NULL);
        contra_collect(bench.stream, texts[0], texts[1]);
        begin_at(&bench, "VectorTensor", "i32", "A % 8");
        ContraOperand operand = contra_operand_bits(texts[2], 1);
        contra_vector_fxp_with(bench.stream, texts[0], texts[1], &operand, 1);
        contra_vector_intra_slice_reduce(bench.stream, texts[0], texts[1], texts[2], texts[3]);
        begin_at(&bench, "CollectTensor", "i32", "A % 8");
        contra_commit(bench.stream, texts[0], contra_dm_result(texts[1], 0), &t);
        lines = contra_program_lines(bench.program);
        for (int64_t i = 0; i < lines.length; i++)
            after += lines.data[i] == '\n';
        assert_int_equal(after - before, 5 + 3 + 4 + 2 + 2 + 2 + 1);
        int64_t kernel;
        contra_program_finish(bench.program, &kernel);
        assert_true(contra_diagnostics(bench.contra, CONTRA_PLAIN).length > 0);
        assert_true(contra_diagnostics(bench.contra, CONTRA_DIAGNOSTICS_JSON).length > 0);
        contra_free(bench.contra);
    }
}

// An argument that is read as more than it stands for would pass.
TEST_WITH(an_argument_is_one_part, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t;
    Contra *contra = bench->contra;
    contra_clear_diagnostics(contra);
    REFUSED(contra_param(bench->program, "p", contra_host("i32 element [A]", NULL), &t), "E0801");
    REFUSED(contra_param(bench->program, "p", contra_host("i32", "A] // "), &t), "E0101");
    REFUSED(contra_param(bench->program, "p", contra_hbm("i32", "1] element [A", NULL, 0), &t),
            "E0101");
    REFUSED(contra_param(bench->program, "p", contra_hbm("i32", "1", "[A", 0), &t), "E0101");
    REFUSED(contra_param(bench->program, "p", contra_hbm("i32", "1", "A \xff", 0), &t), "E0406");
    REFUSED(contra_param(bench->program, "\xff", contra_hbm("i32", "1", "A", 0), &t), "E0406");
    REFUSED(contra_axis(bench->program, "C = 5 named", 4), "E0801");
    REFUSED(contra_to_hbm_view(bench->dm, "tdma to_hbm_view %0 -> %2 // ", bench->hbm), "E0801");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    REFUSED(contra_vector_fxp_with(bench->stream, "AddFxp", "5, 6", NULL, 0), "E0801");
    begin_at(bench, "VectorTensor", "i32", "A % 8");
    REFUSED(contra_vector_fxp_with(bench->stream, "AddFxp 5", NULL, NULL, 0), "E0801");
    // a program whose name is none is refused, and silent from there on
    ContraProgram *nameless;
    int64_t kernel;
    REFUSED(contra_program_new(contra, "\xff", 1, NULL, &nameless), "E0406");
    REFUSED(contra_axis(nameless, "A", 8), "");
    REFUSED(contra_program_finish(nameless, &kernel), "");
    // names are anything
    assert_int_equal(contra_param(bench->program, "p = param\n\"//\\", contra_host("i32", "A"), &t),
                     CONTRA_OK);
}

// ---- mappings by constructors

TEST(constructors_make_what_the_text_says)
{
    Contra *contra = contra_new();
    ContraMapping *a, *b, *one, *m;
    assert_int_equal(contra_declare_axes(contra, contra_text("A=64,B=6")), CONTRA_OK);
    contra_define(contra, contra_text("L=A, B"));
#define MAKES(call, text)                                       \
    do {                                                        \
        assert_int_equal((call), CONTRA_OK);                    \
        assert_string_equal(contra_mapping_text(m).data, text); \
    } while (0)
    contra_mapping_named(contra, "A", &a);
    contra_mapping_named(contra, "B", &b);
    contra_mapping_one(contra, &one);
    const ContraMapping *both[] = {a, b};
    const int64_t numbers[] = {3, 1};
    MAKES(contra_mapping_named(contra, "L", &m), "A, B");
    MAKES(contra_mapping_pair(contra, a, b, &m), "A, B");
    MAKES(contra_mapping_pair(contra, m, one, &m), "A, B, 1");
    MAKES(contra_mapping_stride(contra, a, 8, &m), "A / 8");
    MAKES(contra_mapping_modulo(contra, m, 4, &m), "A / 8 % 4");
    MAKES(contra_mapping_resize(contra, b, 4, &m), "B = 4");
    MAKES(contra_mapping_pad(contra, m, 8, &m), "B = 4 # 8");
    MAKES(contra_mapping_offset(contra, b, 2, &m), "B @ 2");
    MAKES(contra_mapping_select(contra, b, numbers, 2, &m), "B @ [3, 1]");
    MAKES(contra_mapping_pad_around(contra, 2, b, 4, &m), "# 2 + B + # 4");
    MAKES(contra_mapping_linear(contra, both, numbers, 2, &m), "$(A:3, B:1)");
    assert_int_equal(contra_mapping_stride(contra, a, 7, &m), CONTRA_INVALID);
    assert_null(m);
    assert_codes(contra, "E0107");
    assert_int_equal(contra_mapping_named(contra, "A, B", &m), CONTRA_INVALID);
    assert_codes(contra, "E0105");
    assert_int_equal(contra_mapping_pad(contra, NULL, 7, &m), CONTRA_INVALID);
    contra_free(contra);
}

// What is said when a program is refused at its end shows lines of it, which stay for that.
TEST(the_pass_without_an_end_is_shown)
{
    Contra *contra = contra_new();
    ContraProgram *program;
    ContraTensor *tensor;
    ContraStream *stream;
    int64_t kernel;
    contra_program_new(contra, "k", 1, NULL, &program);
    contra_axis(program, "A", 4096);
    contra_param(program, "x", contra_dm("i32", "1", "1 # 2", "A / 16", "A % 16", 0), &tensor);
    assert_int_equal(contra_begin(tensor, "main", &stream), CONTRA_OK);
    assert_int_equal(contra_diagnostic_count(contra), 0);
    assert_int_equal(contra_program_finish(program, &kernel), CONTRA_INVALID);
    assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "| pass main"));
    contra_free(contra);
}

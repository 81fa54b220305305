// Built programs that are run: tensors that are written part by part, parameters that are written
// in place, and what is given back by its name.
#include "build_support.h"

enum { A = 4096 };

static int32_t values[A];
static const int64_t shape[] = {A};

typedef struct {
    Contra *contra;
    ContraProgram *program;
    ContraTensor *x, *rows; // in HBM, and in DM
} Kernel;

static const char slice[] = "A / 16", element[] = "A % 16";

static Kernel open_kernel(void)
{
    Kernel k = {.contra = contra_new()};
    contra_program_new(k.contra, "built", 1, NULL, &k.program);
    contra_axis(k.program, "A", A);
    contra_param(k.program, "x", contra_hbm("i32", "1", "A", CONTRA_UNKNOWN), &k.x);
    contra_to_dm(k.x, "tdma", "rows",
                 contra_dm(NULL, NULL, "1 # 2", slice, element, CONTRA_UNKNOWN), &k.rows);
    for (int32_t i = 0; i < A; i++)
        values[i] = i * 7 - 100;
    return k;
}

static int64_t finish(Kernel *k)
{
    int64_t kernel;
    if (contra_program_finish(k->program, &kernel) != CONTRA_OK)
        fail_msg("%s", contra_diagnostics(k->contra, CONTRA_PLAIN).data);
    return kernel;
}

static const ContraOutput *run(Kernel *k, int64_t kernel, int64_t outputs)
{
    ContraInput input = {.name = contra_text("x"), .array = {CONTRA_I32, 1, shape, values}};
    ContraRunOptions options = contra_run_options();
    const ContraOutput *output;
    int64_t count;
    options.check_oracle = true;
    if (contra_run_kernel(k->contra, kernel, &input, 1, &options, &output, &count) != CONTRA_OK)
        fail_msg("%s", contra_diagnostics(k->contra, CONTRA_PLAIN).data);
    assert_int_equal(count, outputs);
    return output;
}

// rows + 1, into a tensor that is there
static void add_one(Kernel *k, ContraTensor *to)
{
    ContraStream *stream;
    contra_begin(k->rows, "main", &stream);
    contra_fetch(stream, "i32", "A / 8 % 2", "A % 8", NULL);
    contra_collect(stream, "A / 8 % 2", "A % 8");
    contra_vector_init(stream);
    contra_vector_intra_slice_branch(stream, contra_branch("Unconditional"));
    contra_vector_fxp(stream, "AddFxp", contra_operand_i32(1));
    contra_vector_final(stream);
    contra_commit_view(stream, to);
}

// ---- tensors that hold nothing yet

// The two halves of every row change places, by way of two tensors whose address nobody says.
TEST(a_tensor_is_written_in_parts)
{
    static const char part[] = "1 # 2, A % 8";
    Kernel k = open_kernel();
    ContraTensor *swapped, *out, *from, *to;
    ContraText text;
    assert_int_equal(contra_uninit(k.program, "swapped",
                                   contra_dm("i32", "1", "1 # 2", slice, element, CONTRA_UNKNOWN),
                                   &swapped),
                     CONTRA_OK);
    assert_int_equal(
        contra_uninit(k.program, "out", contra_hbm("i32", "1", "A", CONTRA_UNKNOWN), &out),
        CONTRA_OK);
    for (int64_t i = 0; i < 2; i++) {
        contra_tile(k.rows, "A / 8 % 2", 1, part, i, &from);
        contra_tile(swapped, "A / 8 % 2", 1, part, 1 - i, &to);
        contra_to_dm_view(from, "tdma", to);
    }
    for (int64_t i = 0; i < 2; i++) {
        contra_tile(swapped, "A / 8 % 2", 1, part, i, &from);
        contra_tile(out, "A / 8 % 2", 1, "A / 16, 1 # 2, A % 8", i, &to);
        contra_to_hbm_view(from, "tdma", to);
    }
    contra_return(k.program, out);
    int64_t kernel = finish(&k), param;
    const int32_t *found = run(&k, kernel, 1)->array.data;
    for (int32_t i = 0; i < A; i++)
        assert_int_equal(found[i], values[i ^ 8]);
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text("out"), &param), CONTRA_OK);
    // the text says it, too
    assert_int_equal(contra_kernel_program(k.contra, kernel, NULL, 0, &text), CONTRA_OK);
    assert_non_null(strstr(text.data, "%2 swapped = result dm i32 chip [1] cluster [1 # 2] "
                                      "slice [A / 16] element [A % 16] at ?\n"));
    assert_int_equal(contra_check_text(k.contra, contra_text("again.tcp"), text, NULL, NULL),
                     CONTRA_OK);
    contra_free(k.contra);
}

TEST_WITH(only_what_can_be_written_may_be_empty, new_bench, free_bench)
{
    Bench *bench = *state;
    ContraTensor *t, *view;
    const ContraLayout layouts[] = {
        contra_host("i32", "A"),
        contra_vrf("i32", "1", "1 # 2", slice, "B", CONTRA_UNKNOWN),
        contra_trf("i8", "1", "1 # 2", slice, "B", "A % 16 # 64", "Full"),
    };
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        contra_clear_diagnostics(bench->contra);
        assert_int_equal(contra_uninit(bench->program, "t", layouts[i], &t), CONTRA_INVALID);
        assert_codes(bench->contra, "E0008");
        assert_int_equal(contra_tile(t, "B", 1, "1 # 8", 0, &view), CONTRA_INVALID);
        assert_codes(bench->contra, "");
    }
}

// A view is asked about again where it is written: slices can be tiled for reading only.
TEST_WITH(a_part_that_is_only_read_cannot_be_written, new_bench, free_bench)
{
    Bench *bench = *state;
    static const char part[] = "1 # 4, A / 16 % 64";
    ContraTensor *z, *from, *to;
    contra_param(bench->program, "z", contra_dm("i32", "1", "1 # 2", slice, element, 0x8000), &z);
    contra_clear_diagnostics(bench->contra);
    assert_int_equal(contra_slice_tile(bench->other, "A / 1024", 1, part, 0, &from), CONTRA_OK);
    assert_int_equal(contra_slice_tile(z, "A / 1024", 1, part, 0, &to), CONTRA_OK);
    assert_int_equal(contra_to_dm_view(from, "tdma", to), CONTRA_INVALID);
    assert_non_null(
        strstr(contra_diagnostics(bench->contra, CONTRA_PLAIN).data, "tdma to_dm_view %7 -> %8\n"));
    assert_codes(bench->contra, "E0522");
}

// ---- parameters that are written

static const ContraOutput *output_named(Kernel *k, const ContraOutput *outputs, int64_t kernel,
                                        const char *name)
{
    int64_t param;
    ContraKernel about = contra_kernel_info();
    assert_int_equal(contra_output_find(k->contra, kernel, contra_text(name), &param), CONTRA_OK);
    contra_kernel(k->contra, kernel, &about);
    while (strcmp(outputs->param.name.data, about.params[param].name.data) != 0)
        outputs++;
    return outputs;
}

TEST(a_parameter_is_written_in_place)
{
    Kernel k = open_kernel();
    ContraTensor *sum;
    ContraKernel about = contra_kernel_info();
    contra_uninit(k.program, NULL, contra_dm("i32", "1", "1 # 2", slice, element, CONTRA_UNKNOWN),
                  &sum);
    add_one(&k, sum);
    assert_int_equal(contra_to_hbm_view(sum, "tdma", k.x), CONTRA_OK);
    int64_t kernel = finish(&k);
    const int32_t *found = output_named(&k, run(&k, kernel, 1), kernel, "x")->array.data;
    for (int32_t i = 0; i < A; i++)
        assert_int_equal(found[i], values[i] + 1);
    assert_int_equal(contra_kernel(k.contra, kernel, &about), CONTRA_OK);
    assert_true(about.params[0].is_input && about.params[0].is_output);
    contra_free(k.contra);
}

// One that is written under another name of its bytes is an output as well.
TEST(a_parameter_is_written_through_a_reshape)
{
    Kernel k = open_kernel();
    ContraTensor *acc, *other;
    ContraKernel about = contra_kernel_info();
    contra_axis(k.program, "B", 16);
    contra_axis(k.program, "S", 256);
    contra_param(k.program, "acc", contra_dm("i32", "1", "1 # 2", "S", "B", 0x4000), &acc);
    assert_int_equal(
        contra_reshape(acc, NULL, contra_dm(NULL, "1", "1 # 2", slice, element, 0), &other),
        CONTRA_OK);
    add_one(&k, other);
    int64_t kernel = finish(&k), param;
    assert_int_equal(contra_kernel(k.contra, kernel, &about), CONTRA_OK);
    assert_true(about.params[1].is_output);
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text(""), &param), CONTRA_OK);
    assert_int_equal(param, 1);
    static int32_t zeros[A];
    ContraInput inputs[] = {
        {.name = contra_text("x"), .array = {CONTRA_I32, 1, shape, values}},
        {.name = contra_text("acc"), .array = {CONTRA_I32, 1, shape, zeros}},
    };
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    options.check_oracle = true;
    if (contra_run_kernel(k.contra, kernel, inputs, 2, &options, &outputs, &count) != CONTRA_OK)
        fail_msg("%s", contra_diagnostics(k.contra, CONTRA_PLAIN).data);
    assert_int_equal(count, 1);
    for (int32_t i = 0; i < A; i++)
        assert_int_equal(((const int32_t *)outputs->array.data)[i], values[i] + 1);
    contra_free(k.contra);
}

// ---- names

TEST(results_are_found_by_their_tensors)
{
    Kernel k = open_kernel();
    ContraTensor *y, *z;
    ContraLayout unplaced = contra_hbm_result("A", CONTRA_UNKNOWN);
    int64_t param;
    contra_to_hbm(k.rows, "tdma", "y", unplaced, &y);
    contra_to_hbm(k.rows, "tdma", "z", unplaced, &z);
    contra_return(k.program, y);
    contra_return(k.program, z);
    contra_return(k.program, z);
    int64_t kernel = finish(&k);
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text("y"), &param), CONTRA_OK);
    assert_int_equal(param, 1);
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text("result.1"), &param),
                     CONTRA_OK);
    assert_int_equal(param, 2);
    // of two that are called alike none is meant
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text("z"), &param),
                     CONTRA_INVALID);
    assert_int_equal(param, -1);
    assert_non_null(strstr(contra_diagnostics(k.contra, CONTRA_PLAIN).data,
                           "its outputs are `result.0` (`y`), `result.1` (`z`), `result.2` (`z`)"));
    assert_codes(k.contra, "E0971");
    contra_free(k.contra);
}

// The name of a parameter comes before that of a tensor that is given back.
TEST(the_own_name_of_an_output_comes_first)
{
    Kernel k = open_kernel();
    ContraTensor *y;
    int64_t param;
    contra_to_hbm(k.rows, "tdma", "x", contra_hbm_result("A", CONTRA_UNKNOWN), &y);
    contra_return(k.program, y);
    int64_t kernel = finish(&k);
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text("x"), &param), CONTRA_OK);
    assert_int_equal(param, 1); // the parameter is no output
    contra_free(k.contra);
    k = open_kernel();
    contra_to_hbm_view(k.rows, "tdma", k.x);
    contra_to_hbm(k.rows, "tdma", "x", contra_hbm_result("A", CONTRA_UNKNOWN), &y);
    contra_return(k.program, y);
    kernel = finish(&k);
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text("x"), &param), CONTRA_OK);
    assert_int_equal(param, 0);
    assert_int_equal(contra_output_find(k.contra, kernel, contra_text(""), &param), CONTRA_OK);
    assert_int_equal(param, 1);
    contra_free(k.contra);
}

// A kernel that is run again: what is known of it counts only for the same values and rules, and
// says the same.
#include "contra.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define HEAD                                                                      \
    "use furiosa_visa_std::prelude::*;\n"                                         \
    "axes![S = 256, A = 16];\n"                                                   \
    "type Sum = DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>;\n"                 \
    "#[device(chip = 1)]\n"                                                       \
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>, k: f32)\n" \
    "    -> HbmTensor<i32, m![1], m![S, A]> {\n"                                  \
    "    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
#define ADDED(value, address)                                                           \
    "ctx.main.begin(dm.view())\n"                                                       \
    "        .fetch::<i32, m![A / 8], m![A % 8]>().collect::<m![A / 8], m![A % 8]>()\n" \
    "        .vector_init().vector_intra_slice_branch(BranchMode::Unconditional)\n"     \
    "        .vector_fxp(FxpBinaryOp::AddFxp, " value ").vector_final().commit(" address ");\n"
#define TAIL                                   \
    "    sum.to_hbm(&mut ctx.tdma, 1 << 28)\n" \
    "}\n"

static const char by_sign[] =
    HEAD "    let sum: Sum = " ADDED("if 1.0 / k > 0.0 { 1 } else { 2 }", "4096") TAIL;

// the first pass writes over what the second one reads
static const char overwriting[] =
    HEAD "    let _first: Sum = " ADDED("1", "0") "    let sum: Sum = " ADDED("2", "4096") TAIL;

static Contra *open_source(const char *source, const char *relax)
{
    Contra *contra = contra_new();
    ContraCheckOptions options = contra_check_options();
    options.relax = contra_text(relax);
    if (contra_check_text(contra, contra_text("k.rs"), contra_text(source), &options, NULL))
        fail_msg("%s", contra_diagnostics(contra, CONTRA_PLAIN).data);
    contra_clear_diagnostics(contra);
    return contra;
}

static ContraStatus run(Contra *contra, const char *k, bool sanitize, const int32_t **elements)
{
    static const int64_t shape[] = {256, 16};
    static const int32_t zeros[256 * 16];
    ContraRunOptions options = contra_run_options();
    const ContraInput inputs[] = {
        {.name = contra_text("a"), .array = {CONTRA_I32, 2, shape, zeros}},
        {.name = contra_text("k"), .is_number = true, .number = contra_text(k)},
    };
    const ContraOutput *outputs;
    int64_t count;
    options.sanitize = sanitize;
    ContraStatus status =
        contra_run_kernel(contra, 0, inputs, COUNT_OF(inputs), &options, &outputs, &count);
    *elements = status == CONTRA_OK ? outputs[0].array.data : zeros;
    return status;
}

TEST(zeros_of_both_signs_are_two_numbers)
{
    static const struct {
        const char *k;
        int32_t element;
    } cases[] = {{"0.0", 1}, {"-0.0", 2}, {"0", 1}, {"-0.0", 2}, {"nan", 2}, {"nan", 2}, {"3", 1}};
    Contra *contra = open_source(by_sign, "");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const int32_t *elements;
        assert_int_equal(run(contra, cases[i].k, false, &elements), CONTRA_OK);
        assert_int_equal(elements[0], cases[i].element);
    }
    contra_free(contra);
}

// What the sanitizer reports takes the place of what the checker warned of, in each run anew.
TEST(faults_are_reported_alike_again)
{
    Contra *contra = open_source(overwriting, "overlap");
    const int32_t *elements;
    char *said[3];
    for (size_t i = 0; i < COUNT_OF(said); i++) {
        assert_int_equal(run(contra, "1", true, &elements), CONTRA_INVALID);
        said[i] = strdup(contra_diagnostics(contra, CONTRA_PLAIN).data);
        assert_string_equal(said[i], said[0]);
        contra_clear_diagnostics(contra);
    }
    assert_null(strstr(said[0], "warning"));
    assert_int_equal(run(contra, "1", false, &elements), CONTRA_OK);
    assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "warning"));
    for (size_t i = 0; i < COUNT_OF(said); i++)
        free(said[i]);
    contra_free(contra);
}

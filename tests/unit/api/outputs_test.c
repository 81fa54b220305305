// Outputs of runs and launches: compared, pointed into; and kernels of objects, on the machine that
// they are for.
#include "contra.h"

#include "test.h"

#include <string.h>

enum { S = 256, A = 12, PADDED = 16 };

static const char source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 12];\n"
    "#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A # 16]>)\n"
    "    -> HbmTensor<i32, m![1], m![S, A # 16]> {\n"
    "    let dm = a.to_dm::<m![1 # 2], m![S], m![A # 16]>(&mut ctx.tdma, 0);\n"
    "    dm.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n";

static const int64_t shape[] = {S, A}, padded[] = {S, PADDED};
static int32_t elements[S * A], out[S * PADDED];

static Contra *opened(void)
{
    Contra *contra = contra_new();
    for (int i = 0; i < S * A; i++)
        elements[i] = i;
    assert_int_equal(
        contra_check_text(contra, contra_text("x.rs"), contra_text(source), NULL, NULL), CONTRA_OK);
    return contra;
}

static ContraInput input(void)
{
    return (ContraInput){.name = contra_text("a"), .array = {CONTRA_I32, 2, shape, elements}};
}

static void compare(Contra *contra, const ContraOutput *output, ContraStatus expected)
{
    const ContraArray wanted = {CONTRA_I32, 2, shape, elements};
    ContraComparison comparison = contra_comparison();
    assert_int_equal(contra_compare(contra, output, &wanted, 0, &comparison), expected);
    assert_int_equal(comparison.compared, S * A);
    assert_int_equal(comparison.differing, expected == CONTRA_INVALID);
}

// In an array of the launch, and in a buffer of the caller that has another shape.
TEST(outputs_of_launches_are_compared)
{
    for (int bound = 0; bound < 2; bound++) {
        Contra *contra = opened();
        ContraInput a = input();
        ContraBuffer buffer = contra_buffer();
        ContraLaunch *launch;
        const ContraOutput *outputs;
        int64_t count;
        buffer.type = CONTRA_I32;
        buffer.rank = 2;
        buffer.shape = padded;
        buffer.out = out;
        assert_int_equal(contra_launch_open(contra, 0, &a, 1, NULL, &launch), CONTRA_OK);
        if (bound)
            assert_int_equal(contra_launch_bind(launch, 1, &buffer), CONTRA_OK);
        assert_int_equal(contra_launch_run(launch), CONTRA_OK);
        assert_int_equal(contra_launch_outputs(launch, &outputs, &count), CONTRA_OK);
        compare(contra, outputs, CONTRA_OK);
        int64_t row = bound ? PADDED : A;
        assert_string_equal(contra_output_index(contra, outputs, 3 * row + 5).data, "S 3, A 5");
        assert_string_equal(contra_output_index(contra, outputs, S * row).data, "");
        assert_string_equal(contra_output_index(contra, outputs, -1).data, "");
        assert_string_equal(contra_output_index(contra, outputs, 3 * row + 11).data, "S 3, A 11");
        assert_string_equal(contra_output_index(contra, outputs, 3 * row + 12).data,
                            bound ? "" : "S 4, A 0");
        elements[3 * A + 5] = -1;
        compare(contra, outputs, CONTRA_INVALID);
        assert_non_null(
            strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "at S 3, A 5: 41 instead of -1"));
        contra_launch_close(launch);
        contra_free(contra);
    }
}

// Those of a run stay what they are when there was another one.
TEST(outputs_of_runs_are_compared)
{
    Contra *contra = opened();
    ContraInput a = input();
    const ContraOutput *first, *second;
    int64_t count;
    assert_int_equal(contra_run_kernel(contra, 0, &a, 1, NULL, &first, &count), CONTRA_OK);
    assert_int_equal(contra_run_kernel(contra, 0, &a, 1, NULL, &second, &count), CONTRA_OK);
    compare(contra, first, CONTRA_OK);
    compare(contra, second, CONTRA_OK);
    ContraOutput own = {.array = first->array};
    ContraComparison comparison = contra_comparison();
    assert_int_equal(contra_compare(contra, &own, &first->array, 0, &comparison), CONTRA_INVALID);
    contra_free(contra);
}

TEST(an_object_runs_on_its_machine)
{
    Contra *contra = opened();
    ContraInput a = input();
    ContraObject *object;
    ContraLaunch *launch;
    const ContraOutput *outputs;
    int64_t count, kernel, other;
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &object), CONTRA_OK);
    assert_int_equal(contra_object_kernel(contra, object, &kernel), CONTRA_OK);
    assert_int_equal(contra_run_kernel(contra, kernel, &a, 1, NULL, &outputs, &count), CONTRA_OK);
    contra_use_machine(contra, contra_text("rngd-s"));
    assert_int_equal(contra_object_kernel(contra, object, &other), CONTRA_INVALID);
    assert_int_equal(other, -1);
    assert_int_equal(contra_run_kernel(contra, kernel, &a, 1, NULL, &outputs, &count),
                     CONTRA_INVALID);
    assert_int_equal(contra_launch_open(contra, kernel, &a, 1, NULL, &launch), CONTRA_INVALID);
    assert_int_equal(contra_error_count(contra), 3);
    contra_use_machine(contra, contra_text("rngd"));
    assert_int_equal(contra_run_kernel(contra, kernel, &a, 1, NULL, &outputs, &count), CONTRA_OK);
    contra_free(contra);
}

// An object that is stripped is stripped alone: others are made of the same commands.
TEST(objects_are_stripped_alone)
{
    Contra *contra = opened();
    ContraObject *whole, *stripped;
    ContraText before, after, less;
    ContraListingOptions json = contra_listing_options();
    json.json = true;
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &whole), CONTRA_OK);
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &stripped), CONTRA_OK);
    assert_int_equal(contra_object_text(contra, whole, &json, &before), CONTRA_OK);
    assert_int_equal(contra_object_strip(contra, stripped), CONTRA_OK);
    assert_int_equal(contra_object_text(contra, whole, &json, &after), CONTRA_OK);
    assert_int_equal(contra_object_text(contra, stripped, &json, &less), CONTRA_OK);
    assert_string_equal(before.data, after.data);
    assert_true(less.length < before.length);
    contra_free(contra);
}

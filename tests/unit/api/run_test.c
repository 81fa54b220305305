// Running a kernel through contra.h, as a program with arrays of its own does: what goes in, what
// comes out, what is refused, and memory that runs out on the way.
#include "api/state.h"

#include "base/checked.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static const char text[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 2];\n"
    "#[device(chip = 1)]\n"
    "fn turn(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>, _n: i32)\n"
    "    -> HbmTensor<i32, m![1], m![S, A]> {\n"
    "    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
    "    dm.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n"
    "#[test]\n"
    "#[ignore = \"slow\"]\n"
    "#[should_panic(expected = \"no\")]\n"
    "fn never() {}\n";

static const char generic[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 2];\n"
    "type Ctx = Context;\n"
    "#[device(chip = 1)]\n"
    "fn turn<const N: i32>(ctx: & mut Ctx, input: &HbmTensor<i32, m![1], m![S, A]>,\n"
    "    output: & mut HbmTensor<i32, m![1], m![S, A]>) {\n"
    "    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
    "    dm.view().to_hbm_view(&mut ctx.tdma, output.view_mut());\n"
    "}\n";

enum { COUNT = 512 };

static Contra *open_text(const char *program)
{
    Contra *contra = contra_new();
    ContraCheckOptions options = contra_check_options();
    ContraCheckResult result = contra_check_result();
    assert_int_equal(
        contra_check_text(contra, contra_text("turn.rs"), contra_text(program), &options, &result),
        CONTRA_OK);
    return contra;
}

static Contra *open_kernel(void)
{
    return open_text(text);
}

static int32_t values[COUNT];
static const int64_t shape[] = {256, 2};

static ContraInput array_input(const char *name)
{
    for (int32_t i = 0; i < COUNT; i++)
        values[i] = 7 * i - 1000;
    return (ContraInput){.name = contra_text(name), .array = {CONTRA_I32, 2, shape, values}};
}

static ContraInput number_input(const char *name, const char *number)
{
    return (ContraInput){
        .name = contra_text(name), .is_number = true, .number = contra_text(number)};
}

TEST(a_kernel_is_described)
{
    Contra *contra = open_kernel();
    ContraKernel kernel = contra_kernel_info();
    int64_t index;
    assert_int_equal(contra_kernel_count(contra), 1);
    assert_int_equal(contra_kernel_find(contra, contra_text("turn"), &index), CONTRA_OK);
    assert_int_equal(contra_kernel(contra, index, &kernel), CONTRA_OK);
    assert_int_equal(kernel.param_count, 3);
    assert_string_equal(kernel.params[0].name.data, "input");
    assert_string_equal(kernel.params[0].type.data, "i32");
    assert_string_equal(kernel.params[0].mapping.data, "m![1], m![S, A]");
    assert_int_equal(kernel.params[0].axis_count, 2);
    assert_int_equal(kernel.params[0].axes[1].size, 2);
    assert_false(kernel.params[1].is_tensor);
    assert_string_equal(kernel.params[1].mapping.data, "");
    assert_string_equal(kernel.generics.data, "");
    assert_string_equal(kernel.params[2].name.data, "result");
    assert_true(kernel.params[2].is_output && !kernel.params[2].is_input);
    assert_int_equal(contra_kernel(contra, 1, &kernel), CONTRA_INVALID);
    assert_int_equal(contra_error_count(contra), 0);
    assert_string_equal(contra_diagnostics(contra, CONTRA_PLAIN).data, "");
    assert_int_equal(contra_kernel_find(contra, contra_text("tern"), &index), CONTRA_INVALID);
    assert_int_equal(contra_error_count(contra), 1);
    contra_free(contra);
}

TEST(a_generic_kernel_is_described_as_it_is_written)
{
    Contra *contra = open_text(generic);
    ContraKernel kernel = contra_kernel_info();
    assert_int_equal(contra_kernel(contra, 0, &kernel), CONTRA_INVALID);
    assert_true(str_equal(str_of(kernel.generics), STR("const N: i32")));
    assert_int_equal(kernel.param_count, 2);
    assert_true(str_equal(str_of(kernel.params[0].name), STR("input")));
    assert_false(kernel.params[0].is_output);
    assert_true(str_equal(str_of(kernel.params[1].name), STR("output")));
    assert_true(kernel.params[1].is_output);
    contra_free(contra);
}

TEST(an_instance_is_added_once)
{
    Contra *contra = open_text(generic);
    int64_t first, again, other;
    assert_int_equal(contra_kernel_find(contra, contra_text("turn::<3>"), &first), CONTRA_OK);
    int64_t sources = contra->sources.count;
    assert_int_equal(contra_kernel_find(contra, contra_text("turn::<3>"), &again), CONTRA_OK);
    assert_int_equal(again, first);
    assert_int_equal(contra->sources.count, sources);
    assert_int_equal(contra_kernel_find(contra, contra_text("turn::<4>"), &other), CONTRA_OK);
    assert_int_equal(other, first + 1);
    assert_int_equal(contra_kernel_count(contra), 3);
    contra_free(contra);
}

TEST(arrays_go_in_and_come_out)
{
    Contra *contra = open_kernel();
    ContraInput inputs[] = {number_input("_n", "-3"), array_input("input")};
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    ContraComparison comparison = contra_comparison();
    for (int again = 0; again < 2; again++) {
        assert_int_equal(contra_run_kernel(contra, 0, inputs, 2, &options, &outputs, &count),
                         CONTRA_OK);
        assert_int_equal(count, 1);
        assert_int_equal(outputs[0].array.type, CONTRA_I32);
        assert_int_equal(contra_array_count(&outputs[0].array), COUNT);
        assert_memory_equal(outputs[0].array.data, values, sizeof values);
        assert_int_equal(outputs[0].uninitialised, 0);
        assert_string_equal(contra_output_index(contra, &outputs[0], 5).data, "S 2, A 1");
    }
    assert_int_equal(contra_compare(contra, &outputs[0], &inputs[1].array, 0, &comparison),
                     CONTRA_OK);
    assert_int_equal(comparison.compared, COUNT);
    values[3] += 2;
    assert_int_equal(contra_compare(contra, &outputs[0], &inputs[1].array, 0, &comparison),
                     CONTRA_INVALID);
    assert_int_equal(comparison.beyond, 1);
    assert_int_equal(comparison.largest.element, 3);
    assert_int_equal(contra_compare(contra, &outputs[0], &inputs[1].array, 2, &comparison),
                     CONTRA_OK);
    inputs[1].array.data = NULL;
    assert_int_equal(contra_compare(contra, &outputs[0], &inputs[1].array, 2, &comparison),
                     CONTRA_INVALID);
    contra_free(contra);
}

TEST(what_does_not_fit_is_refused)
{
    static const int64_t wrong[] = {2, 256}, negative[] = {-1, 2};
    static const struct {
        const char *name, *number; // number NULL: an array
        ContraArray array;
        const char *code;
    } cases[] = {
        {"input", NULL, {CONTRA_I32, 2, wrong, values}, "E0962"},
        {"input", NULL, {CONTRA_I32, 2, negative, values}, "E0962"},
        {"input", NULL, {CONTRA_F32, 2, shape, values}, "E0963"},
        {"input", NULL, {CONTRA_I32, 2, shape, NULL}, "E0008"},
        {"input", NULL, {CONTRA_I32, 2, NULL, values}, "E0008"},
        {"input", NULL, {CONTRA_I32, -1, shape, values}, "E0008"},
        {"input", NULL, {(ContraElement)99, 2, shape, values}, "E0008"},
        {"input", "3", {0}, "E0970"},
        {"other", "3", {0}, "E0969"},
        {"_n", "3", {0}, "E0968"},
        {"_n", "2147483648", {0}, "E0970"},
        {"_n", "", {0}, "E0970"},
        {"_n", "0x", {0}, "E0970"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Contra *contra = open_kernel();
        ContraInput inputs[2] = {{.name = contra_text(cases[i].name), .array = cases[i].array}};
        int64_t input_count = 1, count;
        ContraRunOptions options = contra_run_options();
        const ContraOutput *outputs;
        if (cases[i].number)
            inputs[0] = number_input(cases[i].name, cases[i].number);
        if (strcmp(cases[i].name, "_n") != 0)
            inputs[input_count++] = number_input("_n", "1");
        assert_int_equal(
            contra_run_kernel(contra, 0, inputs, input_count, &options, &outputs, &count),
            CONTRA_INVALID);
        const char *shown = contra_diagnostics(contra, CONTRA_PLAIN).data;
        if (!strstr(shown, cases[i].code))
            fail_msg("%s expected, found: %s", cases[i].code, shown);
        contra_free(contra);
    }
}

// A number that stands for no kernel, and an output that no run gave.
TEST(what_is_not_there_is_refused)
{
    static const int64_t numbers[] = {-1, 1, INT64_MAX};
    Contra *contra = open_kernel();
    const ContraOutput *outputs;
    ContraOutput none = {0};
    ContraArray expected = {0};
    ContraObject *object;
    ContraLaunch *launch;
    ContraText shown;
    int64_t count, errors = 0;
#define REFUSED(call)                                           \
    do {                                                        \
        assert_int_equal((call), CONTRA_INVALID);               \
        assert_int_equal(contra_error_count(contra), ++errors); \
    } while (0)
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        int64_t number = numbers[i];
        REFUSED(contra_run_kernel(contra, number, NULL, 0, NULL, &outputs, &count));
        REFUSED(contra_launch_open(contra, number, NULL, 0, NULL, &launch));
        REFUSED(contra_compile(contra, number, NULL, 0, &object));
        REFUSED(contra_kernel_program(contra, number, NULL, 0, &shown));
        REFUSED(contra_kernel_picture(contra, number, NULL, 0, &shown));
        REFUSED(contra_output_find(contra, number, contra_text("result"), &count));
    }
    REFUSED(contra_compare(contra, &none, &expected, 0, NULL));
#undef REFUSED
    contra_free(contra);
}

// Before anything was read.
TEST(what_is_not_there_yet_is_said)
{
    Contra *contra = contra_new();
    ContraObject *object;
    int64_t kernel;
    for (int named = 0; named < 2; named++) {
        ContraStatus status = named ? contra_kernel_find(contra, contra_text("f"), &kernel)
                                    : contra_compile(contra, 0, NULL, 0, &object);
        assert_int_equal(status, CONTRA_INVALID);
        assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "read yet"));
        contra_clear_diagnostics(contra);
    }
    ContraText none = contra_text("fn f() {}\n");
    assert_int_equal(contra_check_text(contra, contra_text("x.rs"), none, NULL, NULL), CONTRA_OK);
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &object), CONTRA_INVALID);
    assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "no function with"));
    contra_free(contra);
}

// In words, and not in those of the library's code.
TEST(what_a_call_lacks_is_said)
{
    Contra *contra = open_kernel();
    const ContraOutput *outputs;
    ContraObject *object;
    ContraSchedule *schedule;
    ContraScheduleOptions options = contra_schedule_options();
    int64_t count;
    options.cost = (ContraCost)99;
    contra_run_kernel(contra, 0, NULL, 1, NULL, &outputs, &count);
    ContraInput number = number_input("_n", "1");
    assert_int_equal(contra_compile(contra, 0, &number, 1, &object), CONTRA_OK);
    contra_schedule(contra, object, &options, &schedule);
    contra_compile(contra, 0, &number, 1, NULL);
    const char *shown = contra_diagnostics(contra, CONTRA_PLAIN).data;
    assert_non_null(strstr(shown, "contra_run_kernel was called without as many `inputs` as"));
    assert_non_null(strstr(shown, "contra_schedule was called without a cost model that there is"));
    assert_non_null(strstr(shown, "contra_compile was called without `object`"));
    contra_free(contra);
}

static bool always(void *own)
{
    ++*(int *)own;
    return true;
}

TEST(a_run_can_be_cancelled)
{
    Contra *contra = open_kernel();
    int asked = 0;
    ContraInput number = number_input("_n", "1");
    ContraRunOptions options = contra_run_options();
    options.random = true;
    options.is_cancelled = always;
    options.own = &asked;
    const ContraOutput *outputs;
    int64_t count;
    assert_int_equal(contra_run_kernel(contra, 0, &number, 1, &options, &outputs, &count),
                     CONTRA_CANCELLED);
    assert_int_equal(asked, 1); // before it was compiled
    assert_int_equal(count, 0);
    contra_free(contra);
}

// Before anything is compiled, and by whoever is there when it is run.
TEST(a_launch_can_be_cancelled)
{
    Contra *contra = open_kernel();
    int asked = 0;
    ContraInput inputs[] = {array_input("input"), number_input("_n", "1")};
    ContraRunOptions options = contra_run_options();
    ContraLaunch *launch;
    options.is_cancelled = always;
    options.own = &asked;
    assert_int_equal(contra_launch_open(contra, 0, inputs, 2, &options, &launch), CONTRA_CANCELLED);
    assert_null(launch);
    assert_int_equal(asked, 1);
    contra_set_cancel(contra, always, &asked);
    assert_int_equal(contra_launch_open(contra, 0, inputs, 2, NULL, &launch), CONTRA_CANCELLED);
    assert_int_equal(asked, 2);
    assert_int_equal(contra_error_count(contra), 0);
    contra_set_cancel(contra, NULL, NULL);
    assert_int_equal(contra_launch_open(contra, 0, inputs, 2, NULL, &launch), CONTRA_OK);
    assert_int_equal(contra_launch_run(launch), CONTRA_OK);
    contra_set_cancel(contra, always, &asked);
    assert_int_equal(contra_launch_run(launch), CONTRA_CANCELLED);
    contra_launch_close(launch);
    contra_free(contra);
}

static bool from_second_on(void *own)
{
    return ++*(int *)own > 1;
}

// The function of the options of a launch is asked each time it is run.
TEST(runs_of_a_launch_can_be_cancelled)
{
    static const ContraBackend backends[] = {CONTRA_BACKEND_DEVICE, CONTRA_BACKEND_ORACLE};
    for (size_t i = 0; i < COUNT_OF(backends); i++) {
        Contra *contra = open_kernel();
        ContraInput inputs[] = {array_input("input"), number_input("_n", "1")};
        ContraRunOptions options = contra_run_options();
        ContraLaunch *launch;
        int asked = -100;
        options.is_cancelled = from_second_on;
        options.own = &asked;
        options.backend = backends[i];
        assert_int_equal(contra_launch_open(contra, 0, inputs, 2, &options, &launch), CONTRA_OK);
        assert_int_equal(contra_launch_run(launch), CONTRA_OK);
        asked = 1;
        assert_int_equal(contra_launch_run(launch), CONTRA_CANCELLED);
        contra_launch_close(launch);
        contra_free(contra);
    }
}

TEST(tests_are_found)
{
    Contra *contra = open_kernel();
    ContraTest test = contra_test_info();
    assert_int_equal(contra_test_count(contra), 1);
    assert_int_equal(contra_test(contra, 0, &test), CONTRA_OK);
    assert_string_equal(test.name.data, "never");
    assert_int_equal(test.line, 12);
    assert_true(test.is_ignored && test.should_panic);
    assert_string_equal(test.reason.data, "slow");
    assert_string_equal(test.expected.data, "no");
    assert_int_equal(contra_test(contra, 1, &test), CONTRA_INVALID);
    contra_free(contra);
}

// An assertion is evaluated once, but fails every use of its crate.
TEST(what_a_crate_asserts_guards_every_run)
{
    static const char guarded[] = "use furiosa_visa_std::prelude::*;\n"
                                  "axes![A = 12];\n"
                                  "const _: () = assert!(A::SIZE % 8 == 0);\n"
                                  "#[device(chip = 1)]\n"
                                  "fn nothing(_ctx: &mut Context, _n: i32) {}\n"
                                  "#[test]\n"
                                  "#[should_panic]\n"
                                  "fn panics() { panic!(); }\n";
    Contra *contra = contra_new();
    ContraCheckOptions check = contra_check_options();
    ContraCheckResult checked = contra_check_result();
    ContraRunOptions options = contra_run_options();
    ContraTestResult result = contra_test_result();
    ContraInput input = number_input("_n", "1");
    const ContraOutput *outputs;
    int64_t count;
    assert_int_equal(contra_check_text(contra, contra_text("guarded.rs"), contra_text(guarded),
                                       &check, &checked),
                     CONTRA_INVALID);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(contra_run_kernel(contra, 0, &input, 1, &options, &outputs, &count),
                         CONTRA_INVALID);
        assert_int_equal(contra_test_run(contra, 0, &options, &result), CONTRA_INVALID);
        assert_false(result.passed);
    }
    contra_free(contra);
}

// A test does not start with an instruction set that does not exist, so it has no result either.
TEST(a_wrong_instruction_set_is_refused)
{
    Contra *contra = open_kernel();
    ContraTestResult result = contra_test_result();
    setenv("CONTRA_ISA", "plain", 1);
    assert_int_equal(contra_test_run(contra, 0, NULL, &result), CONTRA_INVALID);
    assert_string_equal(result.message.data, "it did not panic, as it should");
    setenv("CONTRA_ISA", "sse9", 1);
    assert_int_equal(contra_test_run(contra, 0, NULL, &result), CONTRA_INVALID);
    assert_false(result.passed);
    assert_int_equal(result.message.length, 0);
    assert_non_null(strstr(contra_diagnostics(contra, CONTRA_PLAIN).data, "CONTRA_ISA is `sse9`"));
    unsetenv("CONTRA_ISA");
    contra_free(contra);
}

static ContraStatus run_with(int64_t fail_in, bool *failed)
{
    Contra *contra = open_kernel();
    ContraInput inputs[] = {array_input("input"), number_input("_n", "1")};
    ContraRunOptions options = contra_run_options();
    options.threads = 1;
    const ContraOutput *outputs;
    int64_t count;
    contra->arena.fail_in = contra->scratch.fail_in = fail_in;
    ContraStatus status = contra_run_kernel(contra, 0, inputs, 2, &options, &outputs, &count);
    *failed = !contra->arena.fail_in || !contra->scratch.fail_in;
    contra_free(contra);
    return status;
}

TEST(memory_may_run_out)
{
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        ContraStatus status = run_with(n, &failed);
        assert_int_equal(status, failed ? CONTRA_NO_MEMORY : CONTRA_OK);
    }
}

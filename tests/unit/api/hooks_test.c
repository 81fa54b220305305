// What a caller may put into a Contra, and diagnostics as values.
#include "contra.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static const char source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 16];\n"
    "#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], "
    "m![S, A]> {\n"
    "    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
    "    dm.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n"
    "#[tokio::test]\n"
    "async fn launches() {\n"
    "    let mut ctx = Context::acquire();\n"
    "    let a: HostTensor<i32, m![S, A]> =\n"
    "        HostTensor::from_buf((0..4096).map(|e| Opt::Init(e as i32)).collect());\n"
    "    let hbm = a.to_hbm(&mut ctx.pdma, 0).await;\n"
    "    let out = launch(kernel, (&mut *ctx, &hbm)).await;\n"
    "    let back = out.to_host::<m![S, A]>(&mut ctx.pdma).await.to_buf();\n"
    "    assert_eq!(back[5].unwrap(), 5);\n"
    "}\n";

static ContraStatus check(Contra *contra, const char *text, ContraCheckResult *result)
{
    return contra_check_text(contra, contra_text("x.rs"), contra_text(text), NULL, result);
}

// ---- diagnostics

TEST(diagnostics_are_values)
{
    Contra *contra = contra_new();
    ContraDiagnostic found = contra_diagnostic_info();
    assert_int_equal(check(contra, "fn f() {\n    let x: u8 = 300;\n    y\n}\n", NULL),
                     CONTRA_INVALID);
    assert_int_equal(contra_diagnostic_count(contra), contra_error_count(contra));
    assert_int_equal(contra_diagnostic_at(contra, 0, &found), CONTRA_OK);
    contra_clear_diagnostics(contra); // what was given back stays
    assert_int_equal(found.severity, CONTRA_ERROR);
    assert_true(found.code[0] == 'E' && *found.group && found.manual && found.message.length);
    assert_string_equal(found.place.file.data, "x.rs");
    assert_true(found.place.line == 2 && found.place.end_line == 2);
    assert_true(found.place.column == 17 && found.place.end_column == 20);
    assert_int_equal(found.place.end - found.place.start, 3);
    assert_int_equal(contra_diagnostic_at(contra, 0, &found), CONTRA_INVALID);
    assert_int_equal(contra_diagnostic_count(contra), 0);
    contra_use_machine(contra, contra_text("none")); // nowhere
    assert_int_equal(contra_diagnostic_at(contra, 0, &found), CONTRA_OK);
    assert_string_equal(found.place.file.data, "");
    assert_string_equal(found.label.data, "");
    contra_free(contra);
}

TEST(helps_have_edits)
{
    Contra *contra = contra_new();
    ContraDiagnostic found = contra_diagnostic_info();
    assert_int_equal(check(contra, "fn f(n: i32) -> i64 {\n    n\n}\n", NULL), CONTRA_INVALID);
    int64_t edits = 0;
    for (int64_t i = 0; contra_diagnostic_at(contra, i, &found) == CONTRA_OK; i++)
        for (int64_t k = 0; k < found.help_count; k++)
            for (int64_t e = 0; e < found.helps[k].edit_count; e++, edits++) {
                assert_string_equal(found.helps[k].edits[e].text.data, "n as i64");
                assert_int_equal(found.helps[k].edits[e].place.line, 2);
            }
    assert_int_equal(edits, 1);
    contra_free(contra);
}

// ---- memory

typedef struct {
    int64_t calls, live, fail_at;
    size_t largest; // block
} Meter;

static void *allocate(void *own, size_t bytes)
{
    Meter *meter = own;
    int64_t call = __atomic_add_fetch(&meter->calls, 1, __ATOMIC_RELAXED);
    void *block = call == meter->fail_at ? NULL : malloc(bytes);
    __atomic_fetch_add(&meter->live, block != NULL, __ATOMIC_RELAXED);
    if (bytes > __atomic_load_n(&meter->largest, __ATOMIC_RELAXED))
        __atomic_store_n(&meter->largest, bytes, __ATOMIC_RELAXED);
    return block;
}

static void *resize(void *own, void *block, size_t bytes)
{
    Meter *meter = own;
    int64_t call = __atomic_add_fetch(&meter->calls, 1, __ATOMIC_RELAXED);
    return call == meter->fail_at ? NULL : realloc(block, bytes);
}

static void release(void *own, void *block)
{
    __atomic_fetch_sub(&((Meter *)own)->live, 1, __ATOMIC_RELAXED);
    free(block);
}

static Contra *metered(Meter *meter)
{
    ContraNewOptions options = contra_new_options();
    options.allocate = allocate;
    options.resize = resize;
    options.release = release;
    options.own = meter;
    return contra_new_with(&options);
}

static ContraStatus launch(Contra *contra, ContraBackend backend)
{
    enum { S = 256, A = 16 };
    static const int64_t shape[] = {S, A};
    static int32_t in[S * A], out[S * A];
    ContraLaunch *launch = NULL;
    ContraRunOptions options = contra_run_options();
    ContraBuffer from = contra_buffer(), to;
    const ContraOutput *outputs;
    int64_t count;
    options.backend = backend;
    options.sanitize = backend == CONTRA_BACKEND_DEVICE;
    from.type = CONTRA_I32;
    from.rank = 2;
    from.shape = shape;
    to = from;
    from.in = in;
    to.out = out;
    ContraStatus status = contra_launch_open(contra, 0, NULL, 0, &options, &launch);
    status = status ? status : contra_launch_bind(launch, 0, &from);
    status = status ? status : contra_launch_bind(launch, 1, &to);
    status = status ? status : contra_launch_run(launch);
    status = status ? status : contra_launch_outputs(launch, &outputs, &count);
    contra_launch_close(launch);
    return status;
}

static ContraStatus run(Contra *contra)
{
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    ContraObject *object;
    ContraSchedule *schedule;
    int64_t count;
    options.random = true;
    ContraStatus status = check(contra, source, NULL);
    status = status ? status : contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count);
    options.backend = CONTRA_BACKEND_ORACLE;
    status = status ? status : contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count);
    status = status ? status : launch(contra, CONTRA_BACKEND_DEVICE);
    status = status ? status : launch(contra, CONTRA_BACKEND_ORACLE);
    status = status ? status : contra_test_run(contra, 0, NULL, NULL);
    status = status ? status : contra_compile(contra, 0, NULL, 0, &object);
    return status ? status : contra_schedule(contra, object, NULL, &schedule);
}

TEST(memory_is_the_callers)
{
    Meter meter = {0};
    Contra *contra = metered(&meter);
    assert_int_equal(run(contra), CONTRA_OK);
    assert_true(meter.calls > 20 && meter.live > 0);
    contra_free(contra);
    assert_int_equal(meter.live, 0);
    ContraNewOptions options = contra_new_options();
    options.allocate = allocate; // and nothing that frees
    assert_null(contra_new_with(&options));
    options.allocate = NULL;
    options.size = 0;
    assert_null(contra_new_with(&options));
}

// What a refusal has to say, too, however long that is.
TEST(a_long_diagnostic_is_the_callers)
{
    enum { LONG = 1 << 20 };
    static char name[LONG];
    Meter meter = {0};
    Contra *contra = metered(&meter);
    ContraMapping *mapping;
    memset(name, '?', LONG - 1);
    assert_int_equal(contra_mapping_named(contra, name, &mapping), CONTRA_INVALID);
    assert_true(meter.largest > LONG);
    contra_free(contra);
    assert_int_equal(meter.live, 0);
}

// Each allocation fails once; nothing is lost by that.
TEST(every_allocation_of_a_run_may_fail)
{
    ContraStatus status = CONTRA_NO_MEMORY;
    for (int64_t n = 1; status != CONTRA_OK; n++) {
        Meter meter = {.fail_at = n};
        Contra *contra = metered(&meter);
        status = contra ? run(contra) : CONTRA_NO_MEMORY;
        if (status != CONTRA_OK && status != CONTRA_NO_MEMORY)
            fail_msg("status %d when allocation %lld fails: %s", (int)status, (long long)n,
                     contra_diagnostics(contra, CONTRA_PLAIN).data);
        contra_free(contra);
        if (meter.live)
            fail_msg("%lld blocks are lost when allocation %lld fails", (long long)meter.live,
                     (long long)n);
    }
}

// ---- an end, and a log

typedef struct {
    int64_t asked, end_at;
} End;

static bool is_cancelled(void *own)
{
    End *end = own;
    return ++end->asked >= end->end_at;
}

TEST(everything_can_be_cancelled)
{
    Contra *contra = contra_new();
    ContraObject *object, *other;
    ContraSchedule *schedule;
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    End never = {.end_at = INT64_MAX}, at_once = {.end_at = 1};
    options.random = true;
    contra_set_cancel(contra, is_cancelled, &at_once);
    assert_int_equal(check(contra, source, NULL), CONTRA_CANCELLED);
    contra_set_cancel(contra, is_cancelled, &never);
    assert_int_equal(check(contra, source, NULL), CONTRA_OK);
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &object), CONTRA_OK);
    assert_true(never.asked > 3);
    contra_set_cancel(contra, is_cancelled, &at_once);
    assert_int_equal(contra_compile(contra, 0, NULL, 0, &other), CONTRA_CANCELLED);
    assert_int_equal(contra_schedule(contra, object, NULL, &schedule), CONTRA_CANCELLED);
    assert_int_equal(contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count),
                     CONTRA_CANCELLED);
    contra_set_cancel(contra, NULL, NULL);
    assert_int_equal(contra_schedule(contra, object, NULL, &schedule), CONTRA_OK);
    assert_int_equal(contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count), CONTRA_OK);
    contra_free(contra);
}

// ---- an end at any time

// What a step needs that others made.
typedef struct {
    Contra *contra;
    ContraObject *object;
} Ended;

static ContraStatus end_check(Ended *ended)
{
    return check(ended->contra, source, NULL);
}

static ContraStatus end_run(Ended *ended)
{
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    options.random = true;
    return contra_run_kernel(ended->contra, 0, NULL, 0, &options, &outputs, &count);
}

static ContraStatus end_oracle(Ended *ended)
{
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    options.random = true;
    options.backend = CONTRA_BACKEND_ORACLE;
    return contra_run_kernel(ended->contra, 0, NULL, 0, &options, &outputs, &count);
}

static ContraStatus end_launch(Ended *ended)
{
    return launch(ended->contra, CONTRA_BACKEND_DEVICE);
}

static ContraStatus end_compile(Ended *ended)
{
    return contra_compile(ended->contra, 0, NULL, 0, &ended->object);
}

static ContraStatus end_schedule(Ended *ended)
{
    ContraSchedule *schedule;
    return contra_schedule(ended->contra, ended->object, NULL, &schedule);
}

static ContraStatus end_test(Ended *ended)
{
    return contra_test_run(ended->contra, 0, NULL, NULL);
}

// Each step ends at the n-th question, whichever that is; the Contra can then do all of it.
TEST(an_end_may_come_at_any_time)
{
    static const struct {
        const char *name;
        ContraStatus (*step)(Ended *ended);
    } steps[] = {{"check", end_check},      {"compile", end_compile}, {"run", end_run},
                 {"oracle", end_oracle},    {"launch", end_launch},   {"test", end_test},
                 {"schedule", end_schedule}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ContraStatus status = CONTRA_CANCELLED;
        for (int64_t n = 1; status != CONTRA_OK; n += 1 + n / 8) {
            Meter meter = {0};
            End end = {.end_at = n};
            Ended ended = {.contra = metered(&meter)};
            bool needs_object = steps[i].step == end_schedule;
            if (steps[i].step != end_check)
                assert_int_equal(end_check(&ended), CONTRA_OK);
            if (needs_object)
                assert_int_equal(end_compile(&ended), CONTRA_OK);
            contra_set_cancel(ended.contra, is_cancelled, &end);
            status = steps[i].step(&ended);
            bool was_asked = end.asked >= n;
            contra_set_cancel(ended.contra, NULL, NULL);
            if (status != (was_asked ? CONTRA_CANCELLED : CONTRA_OK))
                fail_msg("%s: status %d when question %lld is answered so: %s", steps[i].name,
                         (int)status, (long long)n,
                         contra_diagnostics(ended.contra, CONTRA_PLAIN).data);
            contra_clear_diagnostics(ended.contra);
            if (steps[i].step(&ended) != CONTRA_OK)
                fail_msg("%s cannot be done behind question %lld: %s", steps[i].name, (long long)n,
                         contra_diagnostics(ended.contra, CONTRA_PLAIN).data);
            contra_free(ended.contra);
            assert_int_equal(meter.live, 0);
        }
    }
}

// A loop that takes long is left in the middle.
TEST(a_loop_can_be_cancelled)
{
    static const char text[] =
        "use furiosa_visa_std::prelude::*;\n"
        "#[device(chip = 1)]\n"
        "fn kernel(ctx: &mut Context) { let mut n = 0; loop { n += 1; if n < 0 { break; } } }\n";
    Contra *contra = contra_new();
    End end = {.end_at = 10};
    contra_set_cancel(contra, is_cancelled, &end);
    assert_int_equal(check(contra, text, NULL), CONTRA_CANCELLED);
    assert_int_equal(end.asked, 10);
    assert_int_equal(contra_error_count(contra), 0);
    contra_free(contra);
}

static void take_line(void *own, ContraLogLevel level, ContraText text)
{
    (void)level;
    strncat(own, text.data, 1023 - strlen(own));
}

TEST(steps_are_logged)
{
    char log[1024] = "";
    Contra *contra = contra_new();
    contra_set_log(contra, take_line, log);
    assert_int_equal(run(contra), CONTRA_OK);
    assert_non_null(strstr(log, "checked 2 functions"));
    assert_non_null(strstr(log, "on the device"));
    assert_non_null(strstr(log, "on the oracle"));
    assert_non_null(strstr(log, "compiled kernel"));
    assert_non_null(strstr(log, "cycles"));
    *log = 0;
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    End at_once = {.end_at = 1};
    options.random = true;
    options.is_cancelled = is_cancelled;
    options.own = &at_once;
    assert_int_equal(contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count),
                     CONTRA_CANCELLED);
    assert_null(strstr(log, "ran "));
    contra_free(contra);
}

// Whether a buffer is copied, and why.
TEST(launches_are_logged)
{
    char log[1024] = "";
    Contra *contra = contra_new();
    static int32_t in[4096], out[4096];
    static int64_t wide[4096];
    const int64_t shape[] = {4096};
    ContraBuffer buffer = contra_buffer();
    ContraLaunch *launch = NULL;
    assert_int_equal(check(contra, source, NULL), CONTRA_OK);
    contra_set_log(contra, take_line, log);
    assert_int_equal(contra_launch_open(contra, 0, NULL, 0, NULL, &launch), CONTRA_OK);
    assert_string_equal(log, "opened a launch of kernel on the device");
    buffer.type = CONTRA_I64, buffer.rank = 1, buffer.shape = shape, buffer.in = wide;
    *log = 0;
    assert_int_equal(contra_launch_bind(launch, 0, &buffer), CONTRA_OK);
    assert_string_equal(log, "copies a: its elements have another type than the tensor");
    buffer.type = CONTRA_I32, buffer.in = in;
    *log = 0;
    assert_int_equal(contra_launch_bind(launch, 0, &buffer), CONTRA_OK);
    assert_string_equal(log, "the device works on the memory of a");
    buffer.in = NULL, buffer.out = out;
    assert_int_equal(contra_launch_bind(launch, 1, &buffer), CONTRA_OK);
    *log = 0;
    assert_int_equal(contra_launch_run(launch), CONTRA_OK);
    assert_string_equal(log, "launched kernel: 0 bytes copied");
    contra_launch_close(launch);
    contra_free(contra);
}

// ---- words

static void refuse_much(Contra *contra)
{
    ContraMapping *mapping;
    const ContraOutput *outputs;
    ContraObject *object;
    int64_t count;
    static const char wrong[] =
        "use furiosa_visa_std::prelude::*;\n"
        "axes![S = 128, A = 16];\n"
        "#[device(chip = 1)]\n"
        "fn narrow(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {\n"
        "    let dm = a.to_dm::<m![1], m![S], m![A]>(&mut ctx.tdma, 0);\n"
        "}\n"
        "#[device(chip = 1)]\n"
        "fn generic<const N: usize>(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {}\n";
    check(contra, wrong, NULL);
    contra_compile(contra, 1, NULL, 0, &object);
    check(contra, source, NULL);
    contra_run_kernel(contra, 2, NULL, 0, NULL, &outputs, &count);
    assert_int_equal(contra_compile(contra, 2, NULL, 0, &object), CONTRA_OK);
    contra_use_machine(contra, contra_text("rngd-s"));
    contra_object_fits(contra, object);
    contra_object_parse(contra, contra_text("x"), contra_text("none"), &object);
    contra_mapping_parse(contra, contra_text("m"), contra_text("Q"), &mapping);
    contra_run_main(contra, contra_text("/nowhere.rs"), NULL, NULL, NULL);
}

// Flags are for who types commands.
TEST(words_are_those_of_the_caller)
{
    static const char *const flags[] = {"--relax",   "--kernel", "--in ",
                                        "--machine", "--axes",   "`contra "};
    Contra *contra = contra_new();
    refuse_much(contra);
    const char *text = contra_diagnostics(contra, CONTRA_PLAIN).data;
    assert_null(strstr(text, " --r"));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        assert_null(strstr(text, flags[i]));
    contra_set_words(contra, CONTRA_WORDS_COMMANDS);
    text = contra_diagnostics(contra, CONTRA_PLAIN).data;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strstr(text, flags[i]))
            fail_msg("nothing says %s:\n%s", flags[i], text);
    contra_free(contra);
}

// Every function that the library exports: with NULL for each of its pointers in turn, and with
// each of its allocations failing in turn. nm makes the list: a new function needs a row.
#include "contra.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// ---- memory that can run out

typedef struct {
    int64_t calls, live, fail_at;
} Meter;

static bool fails(Meter *meter)
{
    return ++meter->calls == meter->fail_at;
}

static void *allocate(void *own, size_t bytes)
{
    Meter *meter = own;
    void *block = fails(meter) ? NULL : malloc(bytes);
    meter->live += block != NULL;
    return block;
}

static void *resize(void *own, void *block, size_t bytes)
{
    return fails(own) ? NULL : realloc(block, bytes);
}

static void release(void *own, void *block)
{
    ((Meter *)own)->live--;
    free(block);
}

// ---- what the functions are called with

static const char source[] =
    "use furiosa_visa_std::prelude::*;\n"
    "axes![S = 256, A = 16];\n"
    "#[device(chip = 1)]\n"
    "fn kernel(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], "
    "m![S, A]> {\n"
    "    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);\n"
    "    dm.to_hbm(&mut ctx.tdma, 1 << 28)\n"
    "}\n"
    "#[test]\n"
    "fn passes() {}\n"
    "fn main() {}\n";

static const ContraText path = {"every.rs", 8};

typedef struct {
    Meter meter;
    ContraNewOptions options;
    Contra *contra;
    ContraMapping *mapping;
    ContraObject *object;
    ContraSchedule *schedule;
    ContraLaunch *launch, *second;
    const ContraOutput *outputs;
    int64_t output_count;
    ContraText documents[2]; // of the schedule
} Session;

// For what comes back, and options as they are.
typedef struct {
    ContraText text;
    const char *name;
    int64_t number;
    bool yes;
    ContraDiagnostic diagnostic;
    ContraCheckOptions check;
    ContraCheckResult checked;
    ContraArray array;
    ContraInput input;
    ContraKernel kernel;
    ContraRunOptions run;
    const ContraOutput *outputs;
    ContraLaunch *launch;
    ContraBuffer buffer;
    ContraComparison comparison;
    ContraObject *object;
    ContraListingOptions listing;
    ContraScheduleOptions schedule_options;
    ContraSchedule *schedule;
    ContraScheduleTextOptions form;
    ContraCompareOptions compare;
    ContraMainResult main;
    ContraTest test;
    ContraTestResult tested;
    ContraMapping *mapping, *other;
    ContraFactor factor;
    ContraCell cell;
    const ContraTerm *terms;
    ContraDivision division;
    ContraSequenceRequest request;
    ContraSequence sequence;
} Room;

static Room room(const Session *s)
{
    Room r = {.diagnostic = contra_diagnostic_info(),
              .check = contra_check_options(),
              .checked = contra_check_result(),
              .kernel = contra_kernel_info(),
              .run = contra_run_options(),
              .buffer = contra_buffer(),
              .comparison = contra_comparison(),
              .listing = contra_listing_options(),
              .schedule_options = contra_schedule_options(),
              .form = contra_schedule_text_options(),
              .compare = contra_compare_options(),
              .main = contra_main_result(),
              .test = contra_test_info(),
              .tested = contra_test_result(),
              .division = contra_division(),
              .request = contra_sequence_request(),
              .sequence = contra_sequence_info()};
    static const int32_t elements[256 * 16];
    static const int64_t shape[] = {256, 16};
    r.buffer.type = CONTRA_I32;
    r.buffer.rank = 2;
    r.buffer.shape = shape;
    r.buffer.in = elements;
    r.run.random = true;
    r.request.buffer = s->mapping;
    return r;
}

static ContraText text(const char *terminated)
{
    return contra_text(terminated);
}

static bool give_file(void *own, ContraText wanted, ContraText *found)
{
    (void)own;
    *found = contra_text(source);
    return wanted.length == path.length && memcmp(wanted.data, path.data, 8) == 0;
}

static bool never(void *own)
{
    (void)own;
    return false;
}

static void take_line(void *own, ContraLogLevel level, ContraText line)
{
    (void)own;
    (void)level;
    (void)line;
}

static int64_t keep_launch(Session *s, ContraStatus status, ContraLaunch **launch)
{
    contra_launch_close(s->second);
    s->second = *launch;
    return status;
}

static void open_session(Session *s)
{
    *s = (Session){.options = contra_new_options()};
    s->options.allocate = allocate;
    s->options.resize = resize;
    s->options.release = release;
    s->options.own = &s->meter;
    s->options.threads = 1; // calls are counted by one thread
    s->contra = contra_new_with(&s->options);
    Room r = room(s);
    r.form.form = CONTRA_SCHEDULE_JSON;
    ContraStatus status = contra_declare_axes(s->contra, text("X=8,Y=4"));
    status |= contra_mapping_parse(s->contra, text("m"), text("X, Y # 8"), &s->mapping);
    status |= contra_check_text(s->contra, path, text(source), NULL, NULL);
    status |= contra_compile(s->contra, 0, NULL, 0, &s->object);
    status |= contra_schedule(s->contra, s->object, NULL, &s->schedule);
    status |= contra_schedule_text(s->contra, s->schedule, &r.form, &s->documents[0]);
    status |= contra_launch_open(s->contra, 0, NULL, 0, &r.run, &s->launch);
    status |= contra_run_kernel(s->contra, 0, NULL, 0, &r.run, &s->outputs, &s->output_count);
    assert_int_equal(status, CONTRA_OK);
    s->documents[1] = s->documents[0];
    contra_use_machine(s->contra, text("unheard-of")); // there is a diagnostic
}

static void close_session(Session *s)
{
    contra_launch_close(s->second);
    contra_launch_close(s->launch);
    contra_free(s->contra);
}

// ---- the functions

typedef enum { REFUSED, NOTHING, ANYTHING } Answer; // with NULL for the first pointer

typedef struct {
    const char *name;
    Answer answer;
    int pointers;
    int64_t (*call)(Session *s, int skip);
} Function;

#define P(number, pointer) (skip == (number) ? NULL : (pointer))
#define ROW(name, answer, pointers, ...)             \
    static int64_t call_##name(Session *s, int skip) \
    {                                                \
        Room r = room(s);                            \
        (void)skip;                                  \
        (void)r;                                     \
        return (int64_t)(__VA_ARGS__);               \
    }
#include "every_function.def"
#undef ROW

static const Function functions[] = {
#define ROW(name, answer, pointers, ...) {#name, answer, pointers, call_##name},
#include "every_function.def"
#undef ROW
};

static bool has_row(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return true;
    return false;
}

// The library is beside the folder of the tests.
static void every_function_has_a_row(void **state)
{
    (void)state;
    char self[512] = "", command[1024], name[256];
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    char *tests = strstr(self, "/tests/unit/");
    assert_non_null(tests);
    *tests = '\0';
    snprintf(command, sizeof command, "nm -D --defined-only '%s/libcontra.so'", self);
    FILE *listed = popen(command, "r");
    size_t count = 0;
    while (fscanf(listed, "%*s %*s %255s", name) == 1) {
        if (strncmp(name, "contra_", 7) != 0)
            continue;
        count++;
        if (!has_row(name))
            fail_msg("%s has no row in every_function.def", name);
    }
    assert_int_equal(pclose(listed), 0);
    assert_int_equal(count, COUNT_OF(functions));
}

static void no_pointer_is_needed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        const Function *function = &functions[i];
        Session s;
        open_session(&s);
        for (int skip = 0; skip < function->pointers; skip++) {
            int64_t answer = function->call(&s, skip);
            bool ok = skip != 0 || function->answer == ANYTHING ||
                      answer == (function->answer == REFUSED ? CONTRA_INVALID : 0);
            if (!ok)
                fail_msg("%s without its first pointer: %lld", function->name, (long long)answer);
        }
        close_session(&s);
        assert_int_equal(s.meter.live, 0);
    }
}

// A function that says nothing about memory gives nothing, or a text that says it.
static bool is_honest(const Function *function, Session *s, int64_t answer)
{
    ContraDiagnostic last = contra_diagnostic_info();
    if (function->answer != REFUSED || answer == CONTRA_NO_MEMORY)
        return true;
    s->meter.fail_at = 0;
    contra_diagnostic_at(s->contra, contra_diagnostic_count(s->contra) - 1, &last);
    return answer == CONTRA_INVALID && last.code && strcmp(last.code, "E0901") == 0;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    int64_t failures = 0;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        for (bool failed = true; failed;) {
            static int64_t n = 1;
            Session s;
            open_session(&s);
            int64_t before = s.meter.calls;
            s.meter.fail_at = before + n;
            int64_t answer = functions[i].call(&s, -1);
            failed = s.meter.calls >= s.meter.fail_at;
            if (failed && !is_honest(&functions[i], &s, answer))
                fail_msg("%s: %lld when allocation %lld fails", functions[i].name,
                         (long long)answer, (long long)n);
            s.meter.fail_at = 0;
            close_session(&s);
            if (s.meter.live)
                fail_msg("%s loses %lld blocks when allocation %lld fails", functions[i].name,
                         (long long)s.meter.live, (long long)n);
            failures += failed;
            n = failed ? n + 1 : 1;
        }
    }
    print_message("%lld allocations\n", (long long)failures);
    assert_true(failures > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_a_row),
        cmocka_unit_test(no_pointer_is_needed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

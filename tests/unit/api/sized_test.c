// Structs that programs and libraries of different versions share.
#include "contra.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int open_contra(void **state)
{
    return (*state = contra_new()) == NULL;
}

static int close_contra(void **state)
{
    contra_free(*state);
    return 0;
}

// ---- layout, on machines with 64-bit pointers

// Structs without a size, whose layout is what it was when they came.
static const struct {
    const char *name;
    size_t size, expected;
} frozen[] = {
#define FROZEN(type, bytes)        \
    {                              \
#type, sizeof(type), bytes \
    }
    FROZEN(ContraPlace, 64),         FROZEN(ContraNote, 80),         FROZEN(ContraEdit, 80),
    FROZEN(ContraHelp, 32),          FROZEN(ContraText, 16),         FROZEN(ContraArray, 32),
    FROZEN(ContraTerm, 24),          FROZEN(ContraParam, 72),        FROZEN(ContraConstant, 32),
    FROZEN(ContraInput, 88),         FROZEN(ContraOutput, 120),      FROZEN(ContraDifference, 32),
    FROZEN(ContraFactor, 40),        FROZEN(ContraCell, 16),         FROZEN(ContraDivisionTerm, 64),
    FROZEN(ContraSequenceEntry, 40), FROZEN(ContraSequenceStep, 48), FROZEN(ContraLaneUse, 24),
    FROZEN(ContraWait, 80),          FROZEN(ContraCostPart, 64),     FROZEN(ContraLayout, 72),
    FROZEN(ContraPattern, 24),       FROZEN(ContraOperand, 40),      FROZEN(ContraInputCompare, 24),
    FROZEN(ContraBranch, 120),       FROZEN(ContraChoice, 16),
#undef FROZEN
};

// Structs with a size: where the last member of the first version is. What came before it stays
// where it is; what comes later begins behind `bytes`, not in the padding before it.
static const struct {
    const char *name;
    size_t offset, expected, size, bytes;
} sized[] = {
#define SIZED(type, last, at, first_size)                         \
    {                                                             \
#type, offsetof(type, last), at, sizeof(type), first_size \
    }
    SIZED(ContraNewOptions, threads, 40, 48),
    SIZED(ContraDiagnostic, help_count, 160, 168),
    SIZED(ContraCheckOptions, most_steps, 32, 40),
    SIZED(ContraCheckResult, refused, 72, 88),
    SIZED(ContraKernel, constant_count, 80, 88),
    SIZED(ContraRunOptions, argument_count, 120, 128),
    SIZED(ContraBuffer, out, 48, 56),
    SIZED(ContraComparison, largest_relative, 152, 184),
    SIZED(ContraObjectSummary, descriptor_count, 112, 120),
    SIZED(ContraMemoryUse, tensor_count, 56, 64),
    SIZED(ContraListingOptions, width, 16, 24),
    SIZED(ContraScheduleOptions, order_count, 24, 32),
    SIZED(ContraScheduleTextOptions, width, 16, 24),
    SIZED(ContraCompareOptions, json, 8, 16),
    SIZED(ContraScheduleSummary, bound, 168, 176),
    SIZED(ContraLane, busy, 48, 56),
    SIZED(ContraScheduledOperation, writes, 264, 272),
    SIZED(ContraScheduledTensor, reader_count, 160, 168),
    SIZED(ContraMainResult, file, 32, 48),
    SIZED(ContraTest, expected, 80, 96),
    SIZED(ContraTestResult, message, 16, 32),
    SIZED(ContraDivision, divisor_remainder, 56, 64),
    SIZED(ContraSequenceRequest, base_bytes, 72, 80),
    SIZED(ContraSequence, walks_all, 160, 168),
    SIZED(ContraFetchOptions, zero_point_count, 40, 48),
    SIZED(ContraStreamType, zipped, 91, 96),
    SIZED(ContraTensorInfo, is_view, 96, 104),
#undef SIZED
};

TEST_WITH(nothing_moves, open_contra, close_contra)
{
    if (sizeof(void *) != 8)
        skip();
    for (size_t i = 0; i < COUNT_OF(frozen); i++)
        if (frozen[i].size != frozen[i].expected)
            fail_msg("%s has %zu bytes", frozen[i].name, frozen[i].size);
    for (size_t i = 0; i < COUNT_OF(sized); i++)
        if (sized[i].offset != sized[i].expected || sized[i].size < sized[i].bytes)
            fail_msg("%s: %zu of %zu", sized[i].name, sized[i].offset, sized[i].size);
}

// ---- options

static bool has(Contra *contra, const char *code, const char *words)
{
    ContraText text = contra_diagnostics(contra, CONTRA_PLAIN);
    bool found = strstr(text.data, code) && strstr(text.data, words);
    contra_clear_diagnostics(contra);
    return found;
}

static ContraStatus check(Contra *contra, const ContraCheckOptions *options,
                          ContraCheckResult *result)
{
    return contra_check_text(contra, contra_text("x.rs"), contra_text("fn f() {}\n"), options,
                             result);
}

TEST_WITH(options_have_a_size, open_contra, close_contra)
{
    static const struct {
        int64_t size;
        const char *words; // NULL: it is taken
    } cases[] = {
        {0, "is not set\n      = help: begin with what contra_check_options() gives"},
        {-1, "has ever had a size of -1 bytes"},
        {16, "has ever had a size of 16 bytes"},
        {sizeof(ContraCheckOptions), NULL},
    };
    Contra *contra = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ContraCheckOptions options = contra_check_options();
        options.size = cases[i].size;
        ContraStatus status = check(contra, &options, NULL);
        assert_int_equal(status, cases[i].words ? CONTRA_INVALID : CONTRA_OK);
        assert_true(!cases[i].words || has(contra, "E0007", cases[i].words));
    }
    assert_int_equal(check(contra, NULL, NULL), CONTRA_OK);
}

// What a program has that was compiled with a header of the future.
typedef struct {
    ContraCheckOptions known;
    int64_t later;
} LaterOptions;

typedef struct {
    ContraCheckResult known;
    int64_t later;
} LaterResult;

TEST_WITH(a_newer_program_is_understood_or_refused, open_contra, close_contra)
{
    Contra *contra = *state;
    LaterOptions options = {contra_check_options(), 0};
    options.known.size = sizeof options;
    options.known.relax = contra_text("slice-size");
    assert_int_equal(check(contra, &options.known, NULL), CONTRA_OK);
    options.later = 1;
    assert_int_equal(check(contra, &options.known, NULL), CONTRA_INVALID);
    assert_true(has(contra, "E0007", "ContraCheckOptions asks for something that Contra"));
    LaterResult result = {contra_check_result(), 7};
    result.known.size = sizeof result;
    assert_int_equal(check(contra, NULL, &result.known), CONTRA_OK);
    assert_true(result.known.size == sizeof result && result.known.functions == 1);
    assert_int_equal(result.later, 0); // nobody knows it: it is empty
}

TEST_WITH(a_result_needs_room, open_contra, close_contra)
{
    Contra *contra = *state;
    ContraScheduleTextOptions options = contra_schedule_text_options();
    ContraCheckResult result = contra_check_result();
    result.size = (int64_t)offsetof(ContraCheckResult, refused);
    assert_int_equal(check(contra, NULL, &result), CONTRA_INVALID);
    assert_true(has(contra, "E0007", "ContraCheckResult"));
    options.size = 0;
    ContraText text = contra_text("left");
    assert_int_equal(contra_schedule_text(contra, NULL, &options, &text), CONTRA_INVALID);
    assert_int_equal(text.length, 0);
}

TEST_WITH(values_outside_of_an_enumeration_are_refused, open_contra, close_contra)
{
    Contra *contra = *state;
    ContraRunOptions options = contra_run_options();
    const ContraOutput *outputs;
    int64_t count;
    options.backend = (ContraBackend)17;
    assert_int_equal(contra_run_kernel(contra, 0, NULL, 0, &options, &outputs, &count),
                     CONTRA_INVALID);
    assert_true(has(contra, "E0008", "backend 17"));
}

// ---- versions

// The header is compiled into programs, the build's number into the library.
TEST_WITH(header_and_library_have_one_version, open_contra, close_contra)
{
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", CONTRA_VERSION_MAJOR, CONTRA_VERSION_MINOR,
             CONTRA_VERSION_PATCH);
    assert_string_equal(contra_version(), text);
    assert_int_equal(contra_version_number(), CONTRA_VERSION);
    assert_true(CONTRA_VERSION_OF(1, 2, 3) < CONTRA_VERSION_OF(1, 10, 0));
}

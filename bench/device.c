// How fast the device is: the kernels of bench/device.rs from HBM to HBM, beside the same work by
// OpenBLAS, memcpy and plain C, in turn. Each line has a bar, and says whether it is reached.
#include "bench.h"

#include "contra.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROUNDS = 5, THREADS = 2, INPUTS = 2, LARGEST = 64 << 20 };

// ---- kernels

typedef struct {
    const char *kernel;
    ContraElement type;
    const char *inputs[INPUTS]; // NULL: there is one
    int64_t shapes[INPUTS][2];
} Subject;

static const Subject gemm_bf16 = {"gemm_bf16", CONTRA_BF16, {"a", "b"}, {{512, 2048}, {512, 2048}}};
static const Subject gemm_i8 = {"gemm_i8", CONTRA_I8, {"a", "b"}, {{512, 2048}, {512, 2048}}};
static const Subject large_bf16 = {
    "large_bf16", CONTRA_BF16, {"a", "b"}, {{4096, 4096}, {4096, 4096}}};
static const Subject large_i8 = {"large_i8", CONTRA_I8, {"a", "b"}, {{4096, 4096}, {4096, 4096}}};
static const Subject elementwise = {"elementwise", CONTRA_F32, {"x"}, {{1, 16777216}}};
static const Subject relayout = {"relayout", CONTRA_I8, {"x"}, {{1, 67108864}}};
static const Subject transpose_i8 = {"transpose_i8", CONTRA_I8, {"x"}, {{8192, 8192}}};
static const Subject transpose_f32 = {"transpose_f32", CONTRA_F32, {"x"}, {{4096, 4096}}};
static const Subject softmax = {"softmax", CONTRA_F32, {"x"}, {{1024, 4096}}};
static const Subject rms_norm = {"rms_norm", CONTRA_F32, {"x", "gain"}, {{1024, 4096}, {1, 4096}}};
static const Subject slice_sum = {"slice_sum", CONTRA_F32, {"x"}, {{1024, 4096}}};

// What all lines share: the kernels, and room for the largest tensors, full of small numbers that
// every type has a meaning for.
typedef struct {
    Contra *contra;
    float *first, *second, *out;
} Session;

typedef struct {
    int threads;
    bool sanitize;
} How;

// NULL: it did not succeed.
static ContraLaunch *open_subject(const Session *session, const Subject *subject, How how)
{
    ContraRunOptions options = contra_run_options();
    options.threads = how.threads;
    options.sanitize = how.sanitize;
    ContraInput inputs[INPUTS];
    ContraLaunch *launch = NULL;
    int64_t kernel, count = subject->inputs[1] ? 2 : 1;
    for (int64_t i = 0; i < count; i++)
        inputs[i] = (ContraInput){
            .name = contra_text(subject->inputs[i]),
            .array = {subject->type, 2, subject->shapes[i], i ? session->second : session->first}};
    if (contra_kernel_find(session->contra, contra_text(subject->kernel), &kernel) != CONTRA_OK ||
        contra_launch_open(session->contra, kernel, inputs, count, &options, &launch) != CONTRA_OK)
        return NULL;
    if (contra_launch_run(launch) == CONTRA_OK) // plans and pages are made the first time
        return launch;
    contra_launch_close(launch);
    return NULL;
}

// Negative: it did not succeed.
static double time_launch(ContraLaunch *launch)
{
    double start = bench_now_us();
    ContraStatus status = contra_launch_run(launch);
    return status == CONTRA_OK ? bench_now_us() - start : -1;
}

// ---- buffers

static bool bind_inputs(const Session *session, const Subject *subject, ContraLaunch *launch)
{
    bool ok = true;
    for (int64_t i = 0; i < INPUTS && subject->inputs[i] && ok; i++) {
        ContraBuffer buffer = contra_buffer();
        buffer.type = subject->type;
        buffer.rank = 2;
        buffer.shape = subject->shapes[i];
        buffer.in = i ? session->second : session->first;
        ok = contra_launch_bind(launch, i, &buffer) == CONTRA_OK;
    }
    return ok;
}

static bool bind_output(const Session *session, const Subject *subject, ContraLaunch *launch,
                        const ContraArray *array)
{
    ContraBuffer buffer = contra_buffer();
    buffer.type = array->type;
    buffer.rank = array->rank;
    buffer.shape = array->shape;
    buffer.out = session->out;
    return contra_launch_bind(launch, subject->inputs[1] ? 2 : 1, &buffer) == CONTRA_OK;
}

// The same in memory of the session instead of the device's own. NULL: it did not succeed.
static ContraLaunch *open_bound(const Session *session, const Subject *subject, How how)
{
    ContraLaunch *launch = open_subject(session, subject, how);
    const ContraOutput *outputs;
    int64_t count;
    if (launch && contra_launch_outputs(launch, &outputs, &count) == CONTRA_OK && count == 1 &&
        bind_inputs(session, subject, launch) &&
        bind_output(session, subject, launch, &outputs[0].array) &&
        contra_launch_run(launch) == CONTRA_OK && !contra_launch_copied_bytes(launch))
        return launch;
    contra_launch_close(launch);
    return NULL;
}

// ---- lines

typedef struct Line Line;

typedef struct {
    double us, reference_us; // negative: none
    double value;            // what the bar is for
} Outcome;

struct Line {
    const char *name, *what;
    const char *against;
    double bar;
    bool at_most; // otherwise at least
    int rounds;
    const Subject *subject, *other;
    BenchPlain *plain;
    double times; // how often the plain work is done
    bool (*measure)(const Line *line, const Session *session, Outcome *outcome);
};

static void set_value(const Line *line, Outcome *outcome)
{
    outcome->value =
        line->at_most ? outcome->us / outcome->reference_us : outcome->reference_us / outcome->us;
}

// Two launches in turn; the median of each.
static bool time_both(const Line *line, ContraLaunch *one, ContraLaunch *two, Outcome *outcome)
{
    double us[MOST_ROUNDS], other[MOST_ROUNDS];
    bool ok = one && two;
    for (int i = 0; ok && i < line->rounds; i++) {
        us[i] = time_launch(one);
        other[i] = time_launch(two);
        ok = us[i] >= 0 && other[i] >= 0;
    }
    if (ok)
        *outcome = (Outcome){bench_median(us, line->rounds), bench_median(other, line->rounds), 0};
    contra_launch_close(one);
    contra_launch_close(two);
    return ok;
}

static bool against_other(const Line *line, const Session *session, Outcome *outcome)
{
    How how = {THREADS, false};
    if (!time_both(line, open_subject(session, line->subject, how),
                   open_subject(session, line->other, how), outcome))
        return false;
    set_value(line, outcome);
    return true;
}

static bool against_one_thread(const Line *line, const Session *session, Outcome *outcome)
{
    if (!time_both(line, open_subject(session, line->subject, (How){THREADS, false}),
                   open_subject(session, line->subject, (How){1, false}), outcome))
        return false;
    set_value(line, outcome);
    return true;
}

static bool against_unwatched(const Line *line, const Session *session, Outcome *outcome)
{
    if (!time_both(line, open_subject(session, line->subject, (How){THREADS, true}),
                   open_subject(session, line->subject, (How){THREADS, false}), outcome))
        return false;
    set_value(line, outcome);
    return true;
}

static bool against_own_memory(const Line *line, const Session *session, Outcome *outcome)
{
    How how = {THREADS, false};
    if (!time_both(line, open_bound(session, line->subject, how),
                   open_subject(session, line->subject, how), outcome))
        return false;
    set_value(line, outcome);
    return true;
}

// Microseconds of the reference. Negative: there is none.
static double time_reference(const Line *line, const Session *session)
{
    double start = bench_now_us();
    const int64_t *shape = line->subject->shapes[0];
    if (line->plain)
        line->plain(session->first, session->second, session->out);
    else if (!blas_multiply(shape[0], line->subject->shapes[1][0], shape[1], session->first,
                            session->second, session->out, THREADS))
        return -1;
    return (bench_now_us() - start) * line->times;
}

static bool against_reference(const Line *line, const Session *session, Outcome *outcome)
{
    double us[MOST_ROUNDS], reference[MOST_ROUNDS];
    ContraLaunch *launch = open_subject(session, line->subject, (How){THREADS, false});
    bool ok = launch != NULL;
    time_reference(line, session); // what it keeps is made the first time
    for (int i = 0; ok && i < line->rounds; i++) {
        us[i] = time_launch(launch);
        reference[i] = time_reference(line, session);
        ok = us[i] >= 0;
    }
    contra_launch_close(launch);
    if (!ok)
        return false;
    *outcome = (Outcome){bench_median(us, line->rounds), bench_median(reference, line->rounds), -1};
    if (outcome->reference_us > 0)
        set_value(line, outcome);
    return true;
}

// What it takes to bind other inputs.
static bool binding_against_reference(const Line *line, const Session *session, Outcome *outcome)
{
    enum { TIMES = 1000 };
    ContraLaunch *launch = open_bound(session, line->subject, (How){THREADS, false});
    bool ok = launch != NULL;
    double start = bench_now_us();
    for (int i = 0; i < TIMES && ok; i++)
        ok = bind_inputs(session, line->subject, launch);
    double us = (bench_now_us() - start) / TIMES;
    contra_launch_close(launch);
    *outcome = (Outcome){us, ok ? time_reference(line, session) : -1, -1};
    if (ok)
        set_value(line, outcome);
    return ok;
}

// ---- memory

static int64_t status_kib(const char *name)
{
    FILE *file = fopen("/proc/self/status", "r");
    char row[256];
    long long kib = -1;
    size_t length = strlen(name);
    while (file && kib < 0 && fgets(row, sizeof row, file))
        if (!strncmp(row, name, length))
            kib = strtoll(row + length, NULL, 10);
    if (file)
        fclose(file);
    return kib;
}

// The most that was ever resident counts from here on.
static bool reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    bool ok = file && fputs("5", file) >= 0;
    return file && fclose(file) == 0 && ok;
}

// Pages that came while the kernel was made ready and run, in units of its tensors.
static bool against_tensors(const Line *line, const Session *session, Outcome *outcome)
{
    int64_t before = status_kib("VmRSS:");
    bool known = reset_peak() && before >= 0;
    ContraLaunch *launch = open_subject(session, line->subject, (How){THREADS, false});
    int64_t peak = status_kib("VmHWM:");
    if (!launch)
        return false;
    double tensors = (double)contra_launch_tensor_bytes(launch);
    *outcome = (Outcome){-1, -1, known ? (double)(peak - before) * 1024 / tensors : -1};
    contra_launch_close(launch);
    return true;
}

static const Line lines[] = {
    {"gemm bf16", "512 x 512 x 2048", "OpenBLAS sgemm", 0.35, false, 5, &gemm_bf16, NULL, NULL, 1,
     against_reference},
    {"gemm bf16, large", "4096 x 4096 x 4096", "OpenBLAS sgemm", 0.40, false, 3, &large_bf16, NULL,
     NULL, 1, against_reference},
    {"gemm i8", "512 x 512 x 2048", "the same in bf16", 1, false, 5, &gemm_i8, &gemm_bf16, NULL, 1,
     against_other},
    {"gemm i8, large", "4096 x 4096 x 4096", "the same in bf16", 1, false, 3, &large_i8,
     &large_bf16, NULL, 1, against_other},
    {"element-wise", "64 MiB of f32 to DM, through a pass, and back", "memcpy of the bytes", 0.30,
     false, 5, &elementwise, NULL, plain_copy_64_mib, 3, against_reference},
    {"relayout", "64 MiB, two outer axes swapped", "memcpy of the bytes", 0.50, false, 5, &relayout,
     NULL, plain_copy_64_mib, 1, against_reference},
    {"transpose i8", "8192 x 8192", "memcpy of the bytes", 0.25, false, 5, &transpose_i8, NULL,
     plain_copy_64_mib, 1, against_reference},
    {"transpose f32", "4096 x 4096", "memcpy of the bytes", 0.25, false, 5, &transpose_f32, NULL,
     plain_copy_64_mib, 1, against_reference},
    {"softmax", "1024 x 4096 f32", "a C loop, -O3, one thread", 3, true, 5, &softmax, NULL,
     plain_softmax, 1, against_reference},
    {"RMSNorm", "1024 x 4096 f32", "a C loop, -O3, one thread", 3, true, 5, &rms_norm, NULL,
     plain_rms_norm, 1, against_reference},
    {"sum over slices", "1024 x 4096 f32, 64 slices", "a C loop, -O3, one thread", 3, true, 5,
     &slice_sum, NULL, plain_slice_sum, 1, against_reference},
    {"buffers", "the relayout, in memory of the caller", "the device's own", 1.5, true, 5,
     &relayout, NULL, NULL, 1, against_own_memory},
    {"buffers, bound", "the input of the relayout", "memcpy of the bytes", 0.01, true, 1, &relayout,
     NULL, plain_copy_64_mib, 1, binding_against_reference},
    {"memory, pass", "the element-wise kernel", "its tensors", 1.5, true, 1, &elementwise, NULL,
     NULL, 1, against_tensors},
    {"memory, gemm", "512 x 512 x 2048 bf16", "its tensors", 1.5, true, 1, &gemm_bf16, NULL, NULL,
     1, against_tensors},
    {"two threads", "512 x 512 x 2048 bf16", "one thread", 1.7, false, 5, &gemm_bf16, NULL, NULL, 1,
     against_one_thread},
    {"sanitizer, pass", "the element-wise kernel", "without it", 2.5, true, 5, &elementwise, NULL,
     NULL, 1, against_unwatched},
    {"sanitizer, gemm", "512 x 512 x 2048 bf16", "without it", 2.5, true, 3, &gemm_bf16, NULL, NULL,
     1, against_unwatched},
};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

// ---- what is said

typedef enum { REACHED, MISSED, UNKNOWN } Verdict;

static Verdict verdict_of(const Line *line, const Outcome *outcome)
{
    if (outcome->value < 0)
        return UNKNOWN;
    return (line->at_most ? outcome->value <= line->bar : outcome->value >= line->bar) ? REACHED
                                                                                       : MISSED;
}

static void print_line(const Line *line, const Outcome *outcome)
{
    static const char *const verdicts[] = {"reached", "MISSED", "not measured"};
    printf("%-17s ", line->name);
    if (outcome->us >= 0)
        printf("%9.2f ms", outcome->us / 1e3);
    else
        printf("%12s", "");
    if (outcome->value < 0)
        printf("  %7s", "-");
    else
        printf("  %6.2fx", outcome->value);
    printf("  %s %4.2fx  %-12s of %s: %s\n", line->at_most ? "at most " : "at least", line->bar,
           verdicts[verdict_of(line, outcome)], line->against, line->what);
    fflush(stdout);
}

static json_t *line_json(const Line *line, const Outcome *outcome)
{
    Verdict verdict = verdict_of(line, outcome);
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:f, s:s}", "name", line->name, "what", line->what, "against",
                  line->against, "bar", line->bar, "is", line->at_most ? "at most" : "at least");
    if (outcome->us >= 0)
        json_object_set_new(row, "us", json_real(outcome->us));
    if (outcome->reference_us >= 0)
        json_object_set_new(row, "reference_us", json_real(outcome->reference_us));
    if (verdict != UNKNOWN) {
        json_object_set_new(row, "value", json_real(outcome->value));
        json_object_set_new(row, "reached", json_boolean(verdict == REACHED));
    }
    return row;
}

static bool measure_lines(const Session *session, json_t *rows)
{
    for (int i = 0; i < LINE_COUNT; i++) {
        Outcome outcome;
        if (!lines[i].measure(&lines[i], session, &outcome)) {
            fprintf(stderr, "contra bench: `%s` did not succeed\n", lines[i].name);
            return false;
        }
        if (rows)
            json_array_append_new(rows, line_json(&lines[i], &outcome));
        else
            print_line(&lines[i], &outcome);
    }
    return true;
}

// ---- the session

static bool load_kernels(Session *session)
{
    char path[BENCH_PATH_BYTES];
    FILE *file = bench_create(path, ".rs");
    ContraText text = contra_text(path);
    ContraCheckOptions check = contra_check_options();
    bool ok = file && fputs(bench_device_source, file) >= 0;
    ok = file && fclose(file) == 0 && ok;
    session->contra = contra_new();
    ok = ok && session->contra && contra_load(session->contra, &text, 1, &check) == CONTRA_OK;
    if (file)
        unlink(path);
    return ok;
}

static bool make_room(Session *session)
{
    // as an f32 0.0117; as bf16 the same; as an i8 60
    enum { SMALL_NUMBER = 0x3c };
    session->first = malloc(LARGEST);
    session->second = malloc(LARGEST);
    session->out = malloc(LARGEST);
    if (!session->first || !session->second || !session->out)
        return false;
    memset(session->first, SMALL_NUMBER, LARGEST);
    memset(session->second, SMALL_NUMBER, LARGEST);
    memset(session->out, 0, LARGEST);
    return true;
}

bool bench_device(json_t *json)
{
    Session session = {0};
    json_t *rows = json ? json_array() : NULL;
    bool ok = load_kernels(&session) && make_room(&session);
    if (!ok)
        fprintf(stderr, "contra bench: the kernels could not be loaded\n");
    if (ok && !json)
        printf("device, on %d threads\n", THREADS);
    ok = ok && measure_lines(&session, rows);
    if (json)
        json_object_set_new(json, "device", rows);
    contra_free(session.contra);
    free(session.first);
    free(session.second);
    free(session.out);
    return ok;
}

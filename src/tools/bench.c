// contra bench: how long the library takes, beside a reference measured in the same run.
//
// The algebra of mappings must not depend on the sizes in an expression, only on its length, so
// each operation is timed for axes of 2^8 and of 2^40 with expressions of the same shape.
#include "bench.h"
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 200, SLOW_CALLS = 4, ROUNDS = 15, REFERENCE_BYTES = 64 * 1024 };

typedef struct {
    const char *name;
    const char *axes, *first, *second, *third; // what the operation works on
} Shape;

typedef bool (*Operation)(Contra *contra, ContraMapping *const *mappings);

typedef struct {
    const char *name;
    const char *what;
    Operation run;
    int calls; // a round
    Shape small, large;
} Benchmark;

static bool run_parse(Contra *contra, ContraMapping *const *mappings)
{
    ContraMapping *again;
    return contra_mapping_parse(contra, contra_text("bench"), contra_mapping_text(mappings[0]),
                                &again) == CONTRA_OK;
}

static bool run_equal(Contra *contra, ContraMapping *const *mappings)
{
    bool equal;
    return contra_mapping_equal(contra, mappings[0], mappings[1], &equal, NULL) == CONTRA_OK &&
           equal;
}

static bool run_divide(Contra *contra, ContraMapping *const *mappings)
{
    ContraDivision division;
    return contra_mapping_divide(contra, mappings[0], mappings[1], CONTRA_DIVIDE_RELAXED, 0,
                                 &division) == CONTRA_OK &&
           division.exact;
}

static bool run_sequence(Contra *contra, ContraMapping *const *mappings)
{
    ContraSequence sequence;
    ContraSequenceRequest request = {
        .buffer = mappings[0], .time = mappings[1], .packet = mappings[2]};
    return contra_sequence(contra, &request, &sequence) == CONTRA_OK;
}

static const Benchmark benchmarks[] = {
    {"normalise",
     "parse and normalise a mapping of five factors",
     run_parse,
     CALLS,
     {.axes = "A=256,B=6", .first = "A / 64, B # 8, A / 8 % 8, A % 8 # 16"},
     {.axes = "A=1099511627776,B=6",
      .first = "A / 1073741824, B # 8, A / 1024 % 1048576, A % 1024 # 2048"}},
    {"equal",
     "compare it with itself written otherwise",
     run_equal,
     CALLS,
     {.axes = "A=256,B=6",
      .first = "A / 64, B # 8, A / 8 % 8, A % 8 # 16",
      .second = "[A / 8] / 8, [B # 8, A % 64 / 8], A % 64 % 8 # 16"},
     {.axes = "A=1099511627776,B=6",
      .first = "A / 1073741824, B # 8, A / 1024 % 1048576, A % 1024 # 2048",
      .second = "[A / 1024] / 1048576, [B # 8, A % 1073741824 / 1024], "
                "A % 1073741824 % 1024 # 2048"}},
    {"divide",
     "find its terms in another layout",
     run_divide,
     CALLS,
     {.axes = "A=256,B=6", .first = "A % 8, B, A / 8", .second = "B, A / 64, A % 64"},
     {.axes = "A=1099511627776,B=6",
      .first = "A % 1024, B, A / 1024",
      .second = "B, A / 1073741824, A % 1073741824"}},
    {"sequence",
     "derive the loop nest of a read",
     run_sequence,
     CALLS,
     {.axes = "A=256,B=6",
      .first = "A, B # 8",
      .second = "A % 4, A / 16, A / 4 % 4",
      .third = "B # 16"},
     {.axes = "A=1099511627776,B=6",
      .first = "A, B # 8",
      .second = "A % 65536, A / 4294967296, A / 65536 % 65536",
      .third = "B # 16"}},
    {"equal, cut",
     "compare a composite cut across its padding, as integer sets",
     run_equal,
     SLOW_CALLS,
     {.axes = "A=4,B=256", .first = "[B, A # 9] % 4", .second = "A"},
     {.axes = "A=4,B=1099511627776", .first = "[B, A # 9] % 4", .second = "A"}},
};
enum { BENCHMARK_COUNT = sizeof benchmarks / sizeof benchmarks[0] };

double bench_now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static bool prepare(Contra *contra, const Shape *shape, ContraMapping **mappings)
{
    const char *texts[] = {shape->first, shape->second, shape->third};
    if (contra_declare_axes(contra, contra_text(shape->axes)) != CONTRA_OK)
        return false;
    for (int i = 0; i < 3; i++)
        if (texts[i] && contra_mapping_parse(contra, contra_text("bench"), contra_text(texts[i]),
                                             &mappings[i]) != CONTRA_OK)
            return false;
    return true;
}

// Microseconds of one call in a round with a Contra of its own. Negative: the operation did not do
// what it should.
static double time_round(const Benchmark *benchmark, const Shape *shape)
{
    ContraMapping *mappings[3] = {0};
    Contra *contra = contra_new();
    bool ok = contra && prepare(contra, shape, mappings);
    double start = bench_now_us();
    for (int i = 0; ok && i < benchmark->calls; i++)
        ok = benchmark->run(contra, mappings);
    double each = (bench_now_us() - start) / benchmark->calls;
    contra_free(contra);
    return ok ? each : -1;
}

typedef struct {
    double small, large;
} Timing;

// The fastest of several rounds, both sizes in turn so that both see the same machine.
static bool time_benchmark(const Benchmark *benchmark, Timing *best)
{
    for (int round = 0; round < ROUNDS; round++) {
        Timing timing = {time_round(benchmark, &benchmark->small),
                         time_round(benchmark, &benchmark->large)};
        if (timing.small < 0 || timing.large < 0)
            return false;
        if (!round || timing.small < best->small)
            best->small = timing.small;
        if (!round || timing.large < best->large)
            best->large = timing.large;
    }
    return true;
}

static double time_reference(void)
{
    char *from = calloc(1, REFERENCE_BYTES), *to = calloc(1, REFERENCE_BYTES);
    double best = -1;
    for (int round = 0; from && to && round < ROUNDS; round++) {
        double start = bench_now_us();
        for (int i = 0; i < CALLS; i++) {
            memcpy(to, from, REFERENCE_BYTES);
            from[i] = to[i + 1]; // so that no copy can be left out
        }
        double each = (bench_now_us() - start) / CALLS;
        if (best < 0 || each < best)
            best = each;
    }
    free(from);
    free(to);
    return best;
}

static void print_help(void)
{
    puts("Times the library beside a reference measured in the same run.\n"
         "\n"
         "Usage: contra bench [--format=json]\n"
         "\n"
         "Each operation on mappings is timed for axes of 2^8 and of 2^40. Both take the same "
         "time:\n"
         "nothing depends on the sizes in an expression. Times are the fastest of several rounds;\n"
         "the last column is the time in units of a copy of 64 KiB by memcpy.\n"
         "\n"
         "A crate of a thousand kernels is checked beside `cc -fsyntax-only` on C of the same "
         "length.\n"
         "\n"
         "Kernels and a host program are run, from arrays to arrays: how much they do in a second, "
         "and\n"
         "in how many times the time of plain C for the same work.\n"
         "\n"
         "Examples:\n"
         "  contra bench\n"
         "  contra bench --format=json > bench.json");
}

// Negative times are of what is not there.
static json_t *check_json(const CheckBench *check)
{
    double seconds = check->check_us / 1e6;
    json_t *row =
        json_pack("{s:I, s:I, s:I, s:f, s:f, s:f}", "kernels", (json_int_t)check->kernels, "lines",
                  (json_int_t)check->lines, "operations", (json_int_t)check->operations, "us",
                  check->check_us, "lines_per_second", (double)check->lines / seconds,
                  "operations_per_second", (double)check->operations / seconds);
    if (check->compile_us >= 0)
        json_object_set_new(row, "times_faster_than_cc",
                            json_real(check->compile_us / check->check_us));
    return row;
}

static void print_check(const CheckBench *check)
{
    double seconds = check->check_us / 1e6;
    printf("\ncheck: %lld kernels, %lld lines, %lld operations in %.1f ms: %.0f lines/s, %.0f "
           "operations/s\n",
           (long long)check->kernels, (long long)check->lines, (long long)check->operations,
           check->check_us / 1e3, (double)check->lines / seconds,
           (double)check->operations / seconds);
    if (check->compile_us < 0)
        puts("reference: there is no C compiler here");
    else
        printf(
            "reference: cc -fsyntax-only on C of that length takes %.1f ms: %.2f times as long\n",
            check->compile_us / 1e3, check->compile_us / check->check_us);
}

static json_t *run_json(const RunBench *runs)
{
    json_t *rows = json_array();
    for (int i = 0; i < RUN_BENCHES; i++) {
        const RunBench *run = &runs[i];
        json_t *row =
            json_pack("{s:s, s:s, s:s, s:f, s:f}", "name", run->name, "what", run->what, "unit",
                      run->unit, "us", run->us, "per_second", run->work / run->us * 1e6);
        if (run->reference)
            json_object_update_new(row, json_pack("{s:s, s:f, s:f}", "reference", run->reference,
                                                  "reference_us", run->reference_us, "ratio",
                                                  run->us / run->reference_us));
        json_array_append_new(rows, row);
    }
    return rows;
}

static void print_runs(const RunBench *runs)
{
    printf("\nrunning            ms   million/s  times as long as\n");
    for (int i = 0; i < RUN_BENCHES; i++) {
        const RunBench *run = &runs[i];
        printf("%-12s %8.1f  %10.1f  ", run->name, run->us / 1e3, run->work / run->us);
        if (run->reference)
            printf("%6.2f x %-27s", run->us / run->reference_us, run->reference);
        else
            printf("%-36s", "");
        printf("%s: %s\n", run->unit, run->what);
    }
}

static void print_json(const Timing *timings, double reference, const CheckBench *check,
                       const RunBench *runs)
{
    json_t *rows = json_array();
    for (int i = 0; i < BENCHMARK_COUNT; i++)
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "name", benchmarks[i].name, "what",
                            benchmarks[i].what, "us_2_8", timings[i].small, "us_2_40",
                            timings[i].large, "ratio", timings[i].large / timings[i].small,
                            "copies", timings[i].large / reference));
    cli_print_json(json_pack("{s:f, s:o, s:o, s:o}", "memcpy_64_KiB_us", reference, "mappings",
                             rows, "check", check_json(check), "run", run_json(runs)));
}

static void print_table(const Timing *timings, double reference)
{
    printf("mappings    2^8 us  2^40 us  2^40 / 2^8  copies of 64 KiB\n");
    for (int i = 0; i < BENCHMARK_COUNT; i++)
        printf("%-10s %7.2f  %7.2f  %10.2f  %16.2f   %s\n", benchmarks[i].name, timings[i].small,
               timings[i].large, timings[i].large / timings[i].small, timings[i].large / reference,
               benchmarks[i].what);
    printf("reference: a copy of 64 KiB by memcpy takes %.2f us here\n", reference);
}

static ExitStatus measure(bool json)
{
    Timing timings[BENCHMARK_COUNT];
    CheckBench check;
    RunBench runs[RUN_BENCHES];
    double reference = time_reference();
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        if (!time_benchmark(&benchmarks[i], &timings[i])) {
            fprintf(stderr, "contra bench: `%s` did not succeed\n", benchmarks[i].name);
            return EXIT_BUG;
        }
    }
    if (!bench_check(&check)) {
        fprintf(stderr, "contra bench: the crate could not be checked\n");
        return EXIT_BUG;
    }
    if (!bench_run(runs)) {
        fprintf(stderr, "contra bench: a kernel or program could not be run\n");
        return EXIT_BUG;
    }
    if (json) {
        print_json(timings, reference, &check, runs);
    } else {
        print_table(timings, reference);
        print_check(&check);
        print_runs(runs);
    }
    return cli_finish(EXIT_DONE);
}

static ExitStatus run_bench(int argc, char **argv)
{
    static const struct option options[] = {COMMON_OPTIONS, {0}};
    CliParser parser = {.name = "bench", .help = print_help, .options = options};
    CommonOptions common = {0};
    ExitStatus status;
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (optind != argc)
        return cli_usage("bench", "takes options only, not `%s`", argv[optind]);
    return measure(common.json);
}

const Command bench_command = {"bench", "how long it takes, beside a reference", run_bench};

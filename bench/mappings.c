// The algebra of mappings: it must not depend on the sizes in an expression, only on its length, so
// each operation is timed for axes of 2^8 and of 2^40 with expressions of the same shape.
#include "bench.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

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
    ContraDivision division = contra_division();
    return contra_mapping_divide(contra, mappings[0], mappings[1], CONTRA_DIVIDE_RELAXED, 0,
                                 &division) == CONTRA_OK &&
           division.exact;
}

static bool run_sequence(Contra *contra, ContraMapping *const *mappings)
{
    ContraSequence sequence = contra_sequence_info();
    ContraSequenceRequest request = contra_sequence_request();
    request.buffer = mappings[0];
    request.time = mappings[1];
    request.packet = mappings[2];
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

static json_t *timings_json(const Timing *timings, double reference)
{
    json_t *rows = json_array();
    for (int i = 0; i < BENCHMARK_COUNT; i++)
        json_array_append_new(
            rows, json_pack("{s:s, s:s, s:f, s:f, s:f, s:f}", "name", benchmarks[i].name, "what",
                            benchmarks[i].what, "us_2_8", timings[i].small, "us_2_40",
                            timings[i].large, "ratio", timings[i].large / timings[i].small,
                            "copies", timings[i].large / reference));
    return rows;
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

bool bench_mappings(json_t *json)
{
    Timing timings[BENCHMARK_COUNT];
    double reference = time_reference();
    for (int i = 0; i < BENCHMARK_COUNT; i++) {
        if (!time_benchmark(&benchmarks[i], &timings[i])) {
            fprintf(stderr, "contra bench: `%s` did not succeed\n", benchmarks[i].name);
            return false;
        }
    }
    if (json) {
        json_object_set_new(json, "memcpy_64_KiB_us", json_real(reference));
        json_object_set_new(json, "mappings", timings_json(timings, reference));
    } else {
        print_table(timings, reference);
    }
    return true;
}

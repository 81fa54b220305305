// Host programs: how quickly they run, and what a launch adds.
#include "bench.h"

#include "contra.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 5, LAUNCHES = 2000, ELEMENTS = 1000000, TOTAL = 4000005 };
static const double launch_bar_us = 100, busy_bar_us = 10000;

static const char loop_source[] =
    "fn main() {\n"
    "    let numbers: Vec<i64> = (0..1_000_000).map(|x| x % 7 - 3).collect();\n"
    "    let total: i64 = numbers.iter().map(|x| x * x).sum();\n"
    "    assert_eq!(total, 4_000_005);\n"
    "}\n";

// Microseconds of the whole program. Negative: it did not succeed.
static double time_program(const char *path)
{
    Contra *contra = contra_new();
    ContraCheckOptions check = contra_check_options();
    ContraRunOptions options = contra_run_options();
    ContraMainResult result = contra_main_result();
    double start = bench_now_us();
    bool ok = contra &&
              contra_run_main(contra, contra_text(path), &check, &options, &result) == CONTRA_OK;
    double took = bench_now_us() - start;
    contra_free(contra);
    return ok ? took : -1;
}

// The same program with another number of launches.
static bool write_launches(FILE *file, int launches)
{
    static const char line[] = "const LAUNCHES: usize = 1;";
    const char *at = strstr(bench_launch_source, line);
    return at && fwrite(bench_launch_source, 1, (size_t)(at - bench_launch_source), file) > 0 &&
           fprintf(file, "const LAUNCHES: usize = %d;", launches) > 0 &&
           fputs(at + sizeof line - 1, file) >= 0;
}

typedef struct {
    char path[BENCH_PATH_BYTES];
    FILE *file;
} Source;

static bool close_source(Source *source, bool ok)
{
    return source->file && fclose(source->file) == 0 && ok;
}

// Microseconds.
typedef struct {
    double loop, plain; // the program, and the same in C
    double launch;
    double alone, busy; // a product, by itself and while every core is busy
} Times;

// Negative: it did not succeed.
static double time_plain(void)
{
    double start = bench_now_us();
    bool ok = plain_squares(ELEMENTS) == TOTAL;
    double took = bench_now_us() - start;
    return ok ? took : -1;
}

static bool time_programs(Source *sources, Times *times)
{
    double loops[ROUNDS], plain[ROUNDS], launches[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        loops[i] = time_program(sources[0].path);
        plain[i] = time_plain();
        double one = time_program(sources[1].path), many = time_program(sources[2].path);
        if (loops[i] < 0 || plain[i] < 0 || one < 0 || many < 0)
            return false;
        launches[i] = (many - one) / LAUNCHES;
    }
    *times = (Times){.loop = bench_median(loops, ROUNDS),
                     .plain = bench_median(plain, ROUNDS),
                     .launch = bench_median(launches, ROUNDS)};
    return true;
}

static const char loop_against[] = "a C loop, -O3, one thread",
                  launch_against[] = "no reference, a fixed time";

static json_t *times_json(const Times *times, bool reached)
{
    return json_pack("{s:f, s:f, s:s, s:f, s:f, s:s, s:f, s:b, s:f, s:f, s:f, s:b}", "loop_us",
                     times->loop, "elements_per_second", ELEMENTS / times->loop * 1e6,
                     "loop_against", loop_against, "loop_reference_us", times->plain, "launch_us",
                     times->launch, "launch_against", launch_against, "launch_bar_us",
                     launch_bar_us, "reached", reached, "product_us", times->alone,
                     "busy_product_us", times->busy, "busy_product_bar_us", busy_bar_us,
                     "busy_reached", times->busy <= busy_bar_us);
}

// As of the device: what it took, what it should, and what it is compared with.
static void print_times(const Times *times, bool reached)
{
    puts("host");
    printf("%-17s %9.2f ms  %6.0fx  %-28s of %s: squares of %d numbers, by closures\n", "closures",
           times->loop / 1e3, times->loop / times->plain, "(no bar)", loop_against, ELEMENTS);
    printf("%-17s %9.3f ms  %7s  at most  %4.2f ms  %-12s %s: a small kernel, after the first\n",
           "launch", times->launch / 1e3, "", launch_bar_us / 1e3, reached ? "reached" : "MISSED",
           launch_against);
    printf("%-17s %9.3f ms  %6.1fx  at most %5.2f ms  %-12s of an idle machine: a product of 64 x "
           "64 x 64\n",
           "on busy cores", times->busy / 1e3, times->busy / times->alone, busy_bar_us / 1e3,
           times->busy <= busy_bar_us ? "reached" : "MISSED");
}

bool bench_host(json_t *json)
{
    Source sources[3];
    Times times = {0};
    for (int i = 0; i < 3; i++)
        sources[i].file = bench_create(sources[i].path, ".rs");
    bool ok = sources[0].file && sources[1].file && sources[2].file &&
              fputs(loop_source, sources[0].file) >= 0 && write_launches(sources[1].file, 1) &&
              write_launches(sources[2].file, 1 + LAUNCHES);
    for (int i = 0; i < 3; i++)
        ok = close_source(&sources[i], ok);
    ok = ok && time_programs(sources, &times) && bench_busy(&times.alone, &times.busy);
    for (int i = 0; i < 3; i++)
        if (sources[i].file)
            unlink(sources[i].path);
    if (!ok) {
        fprintf(stderr, "contra bench: a host program could not be run\n");
        return false;
    }
    bool reached = times.launch <= launch_bar_us;
    if (json)
        json_object_set_new(json, "host", times_json(&times, reached));
    else
        print_times(&times, reached);
    return true;
}

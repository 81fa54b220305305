// How fast a crate is checked: a thousand kernels in a file, beside `cc -fsyntax-only` on C with as
// many lines. Both are run as processes, in turn, and the median of several runs counts.
#include "bench.h"

#include "contra.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KERNELS = 1000, RUNS = 7 };

typedef struct {
    int64_t kernels, lines, operations;
    double check_us;   // the whole process, with what it starts up
    double compile_us; // negative: there is no compiler here
} CheckBench;

extern char **environ;

// Kernels differ in their sizes, so that what is known of one does not answer for all.
static void write_kernel(FILE *file, int number)
{
    int width = 8 * (1 + number % 7);
    fprintf(
        file,
        "pub mod kernel_%d {\n"
        "    use furiosa_visa_std::prelude::*;\n"
        "\n"
        "    axes![A = %d];\n"
        "    type Chip = m![1];\n"
        "    type Cluster = m![1 # 2];\n"
        "    type Slice = m![A / %d];\n"
        "\n"
        "    #[device(chip = 1)]\n"
        "    pub fn scale_and_shift(\n"
        "        ctx: &mut Context,\n"
        "        input: &HbmTensor<i32, Chip, m![A]>,\n"
        "        factors: &HbmTensor<i32, Chip, m![A]>,\n"
        "    ) -> HbmTensor<i32, Chip, m![A]> {\n"
        "        let input = input.to_dm::<Cluster, Slice, m![A %% %d]>(&mut ctx.tdma, 0);\n"
        "        let factors = factors.to_dm::<Cluster, Slice, m![A %% %d]>(&mut ctx.tdma, 4096);\n"
        "        let factors: VrfTensor<i32, Chip, Cluster, Slice, m![A %% %d]> = ctx\n"
        "            .sub\n"
        "            .begin(factors.view())\n"
        "            .fetch::<i32, m![1], m![A %% %d]>()\n"
        "            .collect::<m![A %% %d / 8], m![A %% 8]>()\n"
        "            .to_vrf(0);\n"
        "        let result = ctx\n"
        "            .main\n"
        "            .begin(input.view())\n"
        "            .fetch::<i32, m![1], m![A %% %d]>()\n"
        "            .collect::<m![A %% %d / 8], m![A %% 8]>()\n"
        "            .vector_init()\n"
        "            .vector_intra_slice_branch(BranchMode::Unconditional)\n"
        "            .vector_fxp(FxpBinaryOp::MulInt, &factors)\n"
        "            .vector_fxp(FxpBinaryOp::AddFxp, %d)\n"
        "            .vector_final()\n"
        "            .commit::<m![A %% %d]>(8192);\n"
        "        result.to_hbm(&mut ctx.tdma, 1 << 28)\n"
        "    }\n"
        "}\n",
        number, 256 * width, width, width, width, width, width, width, width, width, number, width);
}

static int64_t write_function(FILE *file, int number)
{
    fprintf(file,
            "struct Item%d {\n"
            "    int first, second;\n"
            "    long weight;\n"
            "};\n"
            "\n"
            "static int score%d(const struct Item%d *item, int limit)\n"
            "{\n"
            "    return item->first * %d + item->second > limit ? limit : item->first;\n"
            "}\n"
            "\n"
            "long total%d(const struct Item%d *items, int count)\n"
            "{\n"
            "    long sum = 0;\n"
            "    for (int i = 0; i < count; i++) {\n"
            "        int value = score%d(&items[i], 100);\n"
            "        if (value > items[i].second)\n"
            "            sum += value * items[i].weight;\n"
            "    }\n"
            "    return sum;\n"
            "}\n"
            "\n",
            number, number, number, number, number, number, number);
    return 21;
}

// Microseconds that a program takes. Negative: it failed, or is not there.
static double time_process(const char *path, char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
    double start = bench_now_us();
    bool ran = posix_spawnp(&child, path, &actions, NULL, arguments, environ) == 0 &&
               waitpid(child, &status, 0) == child;
    double took = bench_now_us() - start;
    posix_spawn_file_actions_destroy(&actions);
    return ran && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? took : -1;
}

static int compare_times(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// The medians of both in turn, so that both see the same machine.
static void time_both(char *source, char *other, CheckBench *bench)
{
    static char check[] = "check", only[] = "-fsyntax-only", tool[] = "contra", cc[] = "cc";
    char *checked[] = {tool, check, source, NULL}, *compiled[] = {cc, only, other, NULL};
    double checks[RUNS], compiles[RUNS];
    for (int i = 0; i < RUNS; i++) {
        checks[i] = time_process("/proc/self/exe", checked);
        compiles[i] = time_process("cc", compiled);
    }
    qsort(checks, RUNS, sizeof checks[0], compare_times);
    qsort(compiles, RUNS, sizeof compiles[0], compare_times);
    bench->check_us = checks[0] < 0 ? -1 : checks[RUNS / 2];
    bench->compile_us = compiles[0] < 0 ? -1 : compiles[RUNS / 2];
}

FILE *bench_create(char path[BENCH_PATH_BYTES], const char *ending)
{
    snprintf(path, BENCH_PATH_BYTES, "/tmp/contra-bench-XXXXXX%s", ending);
    int file = mkstemps(path, (int)strlen(ending));
    return file < 0 ? NULL : fdopen(file, "w");
}

static bool count_crate(const char *path, CheckBench *bench)
{
    Contra *contra = contra_new();
    ContraText text = contra_text(path);
    ContraCheckOptions options = contra_check_options();
    ContraCheckResult result = contra_check_result();
    bool ok = contra && contra_check(contra, &text, 1, &options, &result) == CONTRA_OK;
    bench->kernels = result.kernels;
    bench->lines = result.lines;
    bench->operations = result.operations;
    contra_free(contra);
    return ok;
}

static bool measure(CheckBench *bench)
{
    char source[BENCH_PATH_BYTES], other[BENCH_PATH_BYTES];
    FILE *crate = bench_create(source, ".rs"), *program = bench_create(other, ".c");
    bool ok = crate && program;
    for (int i = 0; ok && i < KERNELS; i++)
        write_kernel(crate, i);
    ok = crate && fclose(crate) == 0 && ok && count_crate(source, bench);
    int64_t lines = 0;
    for (int i = 0; ok && lines < bench->lines; i++)
        lines += write_function(program, i);
    ok = program && fclose(program) == 0 && ok;
    if (ok)
        time_both(source, other, bench);
    if (crate)
        unlink(source);
    if (program)
        unlink(other);
    return ok && bench->check_us >= 0;
}

// ---- what is said

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
    printf("check: %lld kernels, %lld lines, %lld operations in %.1f ms: %.0f lines/s, %.0f "
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

bool bench_check(json_t *json)
{
    CheckBench check;
    if (!measure(&check)) {
        fprintf(stderr, "contra bench: the crate could not be checked\n");
        return false;
    }
    if (json)
        json_object_set_new(json, "check", check_json(&check));
    else
        print_check(&check);
    return true;
}

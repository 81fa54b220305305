// contra bench: how long things take, beside a reference measured in the same run.
#include "bench.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const BenchPart parts[] = {
    {"mappings", "the algebra of mappings, for axes of 2^8 and of 2^40", bench_mappings},
    {"check", "checking a crate of a thousand kernels, beside a C compiler", bench_check},
    {"host", "a host program, and what one launch of a small kernel takes", bench_host},
    {"device", "kernels on the device, beside OpenBLAS, memcpy and plain C", bench_device},
    {"schedule", "a schedule of 50,000 operations, and its document", bench_schedule},
    {"capi", "programs that are built by calls of the library", bench_capi},
    {"lsp", "what an editor hears of a keystroke, and how soon", bench_lsp},
};
enum { PART_COUNT = sizeof parts / sizeof parts[0] };

double bench_now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

static const char *part_word(int64_t index, const char **what)
{
    bool is_there = index < PART_COUNT;
    *what = is_there ? parts[index].what : NULL;
    return is_there ? parts[index].name : NULL;
}

static bool is_chosen(const BenchPart *part, int argc, char **argv)
{
    for (int i = optind; i < argc; i++)
        if (!strcmp(argv[i], part->name))
            return true;
    return optind == argc;
}

static bool is_part(const char *name)
{
    for (int i = 0; i < PART_COUNT; i++)
        if (!strcmp(name, parts[i].name))
            return true;
    return false;
}

static ExitStatus measure(int argc, char **argv, bool json, const char *isa)
{
    json_t *all = json ? json_pack("{s:s}", "instruction_set", isa) : NULL;
    bool ok = true;
    if (!json)
        printf("instruction set: %s\n", isa);
    for (int i = 0; ok && i < PART_COUNT; i++) {
        if (!is_chosen(&parts[i], argc, argv))
            continue;
        if (!json)
            putchar('\n');
        ok = parts[i].measure(all);
    }
    if (ok && json)
        cli_print_json(all);
    else
        json_decref(all);
    return ok ? cli_finish(EXIT_DONE) : EXIT_BUG;
}

static ExitStatus run_bench(int argc, char **argv)
{
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&bench_command, NULL, argc, argv, &common, &status))
        return status;
    for (int i = optind; i < argc; i++)
        if (!is_part(argv[i]))
            return cli_usage("bench",
                             "has no part `%s`; its parts are mappings, check, host, device, "
                             "schedule, capi, lsp",
                             argv[i]);
    Contra *contra = cli_open_device(&common, &status);
    if (!contra)
        return status;
    ContraText isa;
    contra_instruction_set(contra, &isa);
    status = measure(argc, argv, common.json, isa.data);
    contra_free(contra);
    return status;
}

const Command bench_command = {
    .name = "bench",
    .summary = "how long it takes, beside a reference",
    .title = "Times Contra beside references measured in the same run.",
    .usage = "contra bench [PART...] [--format=json]",
    .about =
        "Operations on mappings take the same time whatever the sizes are. The lines of `device`\n"
        "say what they reached, what they should reach, and whether they did; times are medians "
        "of\n"
        "several rounds, in which the kernel and its reference take turns on as many threads.\n"
        "OpenBLAS is used if it is installed (Debian: libopenblas0-pthread).",
    .word_heading = "Parts (without any, all of them)",
    .word = part_word,
    .examples = "  contra bench\n"
                "  contra bench device --format=json > bench.json",
    .uses_device = true,
    .run = run_bench};

// contra run: a kernel on arrays from files, or the `main` of a program.
#include "run_kernel.h"
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const CliOption rows[] = {
    {OPTION_LIST, "--list",
     "lists the kernels, or the one of --kernel, with parameters and shapes"},
    {OPTION_KERNEL, "--kernel NAME",
     "the kernel to run; of a generic one an instance, as in a launch: --kernel 'gemm::<2, "
     "m![A]>'"},
    {OPTION_IN, "--in NAME=FILE", "the array of a tensor: F.npy, or F.safetensors:ARRAY"},
    {OPTION_IN, "--in NAME=VALUE", "the value of a number"},
    RUN_OPTIONS,
    EXECUTE_OPTIONS("all"),
    SANITIZE_OPTIONS("off"),
    CHECK_OPTIONS,
    {0}};

// ---- which one

ExitStatus run_list_kernels(Contra *contra, const CommonOptions *common, const char *name)
{
    int64_t first = 0, end = contra_kernel_count(contra);
    ContraStatus found = name ? contra_kernel_find(contra, contra_text(name), &first) : CONTRA_OK;
    if (found != CONTRA_OK)
        return cli_refuse(contra, common, found);
    end = name ? first + 1 : end;
    json_t *kernels = json_array();
    for (int64_t i = first; i < end; i++) {
        ContraKernel kernel = contra_kernel_info();
        if (contra_kernel(contra, i, &kernel) == CONTRA_NO_MEMORY)
            break;
        json_array_append_new(kernels, run_kernel_json(&kernel));
        if (!common->json)
            run_print_kernel(&kernel);
    }
    if (common->json)
        cli_print_json(json_pack("{s:O}", "kernels", kernels));
    json_decref(kernels);
    return cli_finish(EXIT_DONE);
}

// Options of kernels, and no kernel, or several of them.
static ExitStatus ask_kernel(Contra *contra)
{
    enum { SHOWN = 20 };
    int64_t count = contra_kernel_count(contra);
    if (!count)
        return cli_usage("run", "there is no kernel to run: no function has `#[device(chip = N)]`");
    ExitStatus status =
        cli_usage("run", "which kernel? of these %lld, --kernel NAME says it", (long long)count);
    for (int64_t i = 0; i < count && i < SHOWN; i++) {
        ContraKernel kernel = contra_kernel_info();
        if (contra_kernel(contra, i, &kernel) == CONTRA_OK)
            fprintf(stderr, "  %.*s  (%.*s)\n", (int)kernel.name.length, kernel.name.data,
                    (int)kernel.file.length, kernel.file.data);
    }
    if (count > SHOWN)
        fprintf(stderr, "  .. and %lld more; --list lists all\n", (long long)(count - SHOWN));
    return status;
}

// Says how many errors the program has besides: what ran was checked on the way, but nothing else.
static void say_other_errors(Contra *contra)
{
    contra_clear_diagnostics(contra);
    if (contra_check_types(contra, NULL, 0, NULL) == CONTRA_INVALID)
        cli_say_other_errors(contra, "run", "code that does");
}

static ExitStatus run_some_kernel(Contra *contra, const CommonOptions *common, RunOptions *options)
{
    int64_t index = 0;
    if (!options->kernel && contra_kernel_count(contra) != 1)
        return ask_kernel(contra);
    ContraStatus found = options->kernel
                             ? contra_kernel_find(contra, contra_text(options->kernel), &index)
                             : CONTRA_OK;
    if (found != CONTRA_OK)
        return cli_refuse(contra, common, found);
    ExitStatus status = run_kernel(contra, common, options, index);
    if (status == EXIT_DONE && !options->quiet)
        say_other_errors(contra);
    return status;
}

static ExitStatus run_path(const char *path, const CommonOptions *common, RunOptions *options)
{
    ExitStatus status = EXIT_DONE;
    Contra *contra = cli_open_device(common, &status);
    if (!contra)
        return status;
    watch_start();
    ContraText text = contra_text(path);
    if (!options->list && !run_wants_kernel(options)) {
        status =
            run_main(contra, common, &options->check, &options->execute.run, path, options->quiet);
    } else {
        ContraStatus loaded = contra_load(contra, &text, 1, &options->check);
        status = loaded          ? cli_refuse(contra, common, loaded)
                 : options->list ? run_list_kernels(contra, common, options->kernel)
                                 : run_some_kernel(contra, common, options);
    }
    contra_free(contra);
    return status;
}

// How many arguments stand behind `--`. getopt_long moves it before the files: ask first.
static int count_behind_dashes(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            return argc - i - 1;
    return 0;
}

// Behind the path come the arguments of the program, where `--` parts them from ours.
static ExitStatus run_with_arguments(char **argv, int argc, int behind, const CommonOptions *common,
                                     RunOptions *options)
{
    int count = argc - optind - 1;
    if (argc - optind - behind > 1)
        return cli_usage("run", "one file or crate at a time; what its `main` is to get comes "
                                "behind `--`");
    if (options->list || run_wants_kernel(options))
        return cli_usage("run", "a kernel gets no arguments, but --in NAME=VALUE; those behind "
                                "`--` are for `main`");
    ContraText *arguments = calloc((size_t)count, sizeof *arguments);
    if (!arguments)
        return cli_usage("run", "there is not enough memory for the arguments");
    for (int i = 0; i < count; i++)
        arguments[i] = contra_text(argv[optind + 1 + i]);
    options->execute.run.arguments = arguments;
    options->execute.run.argument_count = count;
    ExitStatus status = run_path(argv[optind], common, options);
    free(arguments);
    return status;
}

static ExitStatus run_run(int argc, char **argv)
{
    static RunOptions options = {.command = "run"}; // too large for the stack
    run_options_init(&options);
    CliParser parser = {.command = &run_command, .take = run_take_option, .own = &options};
    CommonOptions common = {0};
    ExitStatus status;
    int behind = count_behind_dashes(argc, argv);
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (optind == argc)
        return cli_usage("run", "which file or crate?");
    if (!run_options_settle(&options) ||
        !cli_execute_settle("run", &options.check, &options.execute))
        return EXIT_USAGE;
    if (optind + 1 == argc)
        return run_path(argv[optind], &common, &options);
    return run_with_arguments(argv, argc, behind, &common, &options);
}

const Command run_command = {
    .name = "run",
    .summary = "a kernel on arrays, or a program's main",
    .title = "Runs the `main` of a program, or a kernel on arrays.",
    .usage = "contra run [OPTIONS] FILE|CRATE [-- ARGUMENT..]\n"
             "contra run [OPTIONS] FILE|CRATE --kernel NAME [--in ..] [--out ..]",
    .about =
        "Without any of --kernel, --in, --random, --out, --compare and --print `main` runs, the "
        "host\n"
        "program, with the kernels it launches; a file without `main` is refused, whatever "
        "kernels\n"
        "it has. Of several in a folder or crate name the file. What follows `--` is what it gets "
        "from\n"
        "`std::env::args`; it can read files, and changes none.\n"
        "\n"
        "With any of these `main` is not run, but one kernel: a function with `#[device]`, named "
        "by its\n"
        "path or the end of it, or the only one. Arrays are .npy and .safetensors files; their\n"
        "dimensions are the terms of the parameter's mapping in HBM, outermost first, without "
        "padding.\n"
        "A kernel is checked before it is run, as `contra check` does. Detached memory has only "
        "the\n"
        "oracle.",
    .endings = ".rs .tcp",
    .options = rows,
    .uses_device = true,
    .status = "0 it ran, and what was compared is within the tolerance; 1 refused, panicked, or\n"
              "beyond it; 2 wrong usage; 130 interrupted.",
    .examples = "  contra run kernel.rs\n"
                "  contra run model.rs -- weights.safetensors 32\n"
                "  contra run --list kernel.rs\n"
                "  contra run kernel.rs --kernel add_five --random 1 --print\n"
                "  contra run kernel.rs --kernel add_five --in input=x.npy --out y.npy\n"
                "  contra run kernel.rs --kernel add_five --in input=x.npy --compare y.npy "
                "--tolerance 1e-3",
    .run = run_run};

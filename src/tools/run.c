// contra run: a kernel on arrays from files, or the `main` of a program.
#include "run_kernel.h"
#include "terminal.h"
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
            fprintf(stderr, "  %.*s  (%.*s)\n", TEXT_ARG(kernel.name), TEXT_ARG(kernel.file));
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

// ---- the `main` of a program, and what it prints

static void print_now(void *own, ContraText text)
{
    (void)own;
    cli_print(text);
    if (!text.length)
        fflush(stdout);
}

// A run of `main`. Its file is announced only if the path does not name one.
typedef struct {
    Bytes captured; // with --format=json
    const char *path;
    bool silent;
} MainRun;

static void say_file(void *own, ContraText file)
{
    const MainRun *run = own;
    const char *ending = strrchr(run->path, '.');
    if (!run->silent && !(ending && strcmp(ending, ".rs") == 0))
        fprintf(stderr, "running %.*s\n", TEXT_ARG(file));
}

static void capture(void *own, ContraText text)
{
    bytes_add(&((MainRun *)own)->captured, text.data, (size_t)text.length);
}

// Says how many errors the program at `path` has: what ran was checked on the way, but nothing
// else. It is read once more, as `main` runs without `#[cfg(test)]`.
static void say_errors_besides_main(ContraText path, const CommonOptions *common,
                                    const ContraCheckOptions *check)
{
    ExitStatus status = EXIT_DONE;
    Contra *contra = cli_open(common, &status);
    if (contra && contra_check_types(contra, &path, 1, check) == CONTRA_INVALID)
        cli_say_other_errors(contra, "run", "code that does");
    contra_free(contra);
}

static ExitStatus run_main(Contra *contra, const CommonOptions *common,
                           const ContraCheckOptions *check, ContraRunOptions *options,
                           const char *path, bool quiet)
{
    MainRun run = {.path = path, .silent = quiet || common->json};
    ContraMainResult result = contra_main_result();
    options->is_cancelled = watch_is_cancelled;
    options->progress = watch_progress;
    options->print = common->json ? capture : print_now;
    options->started = say_file;
    options->own = &run;
    cli_limit_memory(1);
    terminal_begin_raw();
    ContraStatus status = contra_run_main(contra, contra_text(path), check, options, &result);
    terminal_end_raw();
    watch_clear();
    ExitStatus exit_status = status == CONTRA_OK ? EXIT_DONE : EXIT_REFUSED;
    if (status == CONTRA_CANCELLED || watch_interrupted()) {
        exit_status = run_interrupted();
    } else if (status == CONTRA_NO_MEMORY) {
        fflush(stdout);
        exit_status = cli_refuse(contra, common, status);
    } else if (common->json) {
        cli_print_json(
            json_pack("{s:b, s:s, s:o, s:b, s:o, s:o, s:o}", "completed", status == CONTRA_OK,
                      "backend", cli_backend_name(options), "file", cli_json(result.file),
                      "panicked", result.panicked, "message", cli_json(result.message), "output",
                      cli_json((ContraText){run.captured.data, (int64_t)run.captured.length}),
                      "diagnostics", cli_json_diagnostics(contra)));
    } else {
        fflush(stdout);
        cli_show(contra, common);
    }
    if (exit_status == EXIT_DONE && !quiet)
        say_errors_besides_main(result.file, common, check);
    free(run.captured.data);
    return cli_finish(exit_status);
}

// ---- all

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
    ContraText *arguments = cli_texts(argv + optind + 1, count);
    if (!arguments)
        return cli_usage("run", "there is not enough memory for the arguments");
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
    int behind = count_behind_dashes(argc, argv);
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&run_command, &options, argc, argv, &common, &status))
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
    .take = run_take_option,
    .run = run_run};

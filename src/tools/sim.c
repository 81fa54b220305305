// contra sim: an object file executed on the memories of simulated chips, without its source.
#include "run_kernel.h"
#include "watch.h"

#include <stdio.h>

static const CliOption rows[] = {
    {OPTION_LIST, "--list", "shows its parameters and their shapes"},
    {OPTION_IN, "--in NAME=FILE", "the array of a tensor: F.npy, or F.safetensors:ARRAY"},
    RUN_OPTIONS,
    SANITIZE_OPTIONS("off"),
    {OPTION_THREADS, "--threads N", "how many threads compute (the default: all)"},
    {0}};

static ExitStatus sim_object(Contra *contra, const char *path, const CommonOptions *common,
                             RunOptions *options)
{
    ContraObject *object;
    int64_t kernel;
    ContraStatus status = contra_object_read(contra, contra_text(path), &object);
    status = status ? status : contra_object_fits(contra, object);
    status = status ? status : contra_object_kernel(contra, object, &kernel);
    if (status != CONTRA_OK)
        return cli_refuse(contra, common, status);
    return options->list ? run_list_kernels(contra, common, NULL)
                         : run_kernel(contra, common, options, kernel);
}

static ExitStatus run_sim(int argc, char **argv)
{
    static RunOptions options = {.command = "sim"}; // too large for the stack
    run_options_init(&options);
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&sim_command, &options, argc, argv, &common, &status))
        return status;
    if (!run_options_settle(&options))
        return EXIT_USAGE;
    if (optind + 1 != argc)
        return cli_usage("sim", optind == argc ? "which object file?" : "one file at a time");
    Contra *contra = cli_open_device(&common, &status);
    if (!contra)
        return status;
    watch_start();
    status = sim_object(contra, argv[optind], &common, &options);
    contra_free(contra);
    return status;
}

const Command sim_command = {
    .name = "sim",
    .summary = "an object file on simulated chips",
    .title = "Executes an object file: its commands, on the memories of simulated chips.",
    .usage = "contra sim [OPTIONS] K.tcpo [--in NAME=FILE ..] [--out [NAME=]FILE ..]",
    .about =
        "Neither the source nor a mapping is needed. Arrays go in and come out as of `contra run`\n"
        "of a kernel, with the same bytes; numbers have the values that the kernel was compiled "
        "for.\n"
        "--machine names the machine it was compiled for, if that is not rngd.",
    .endings = ".tcpo",
    .options = rows,
    .uses_device = true,
    .status = "0 it ran, and what was compared is within the tolerance; 1 refused, or beyond it;\n"
              "2 wrong usage; 130 interrupted.",
    .examples = "  contra compile add_five.rs -o add_five.tcpo\n"
                "  contra sim add_five.tcpo --in input=x.npy --out y.npy",
    .take = run_take_option,
    .run = run_sim};

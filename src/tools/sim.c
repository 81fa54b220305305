// contra sim: an object file executed on the memories of simulated chips, without its source.
#include "run_kernel.h"
#include "watch.h"

#include <stdio.h>

static void print_help(void)
{
    puts(
        "Executes an object file: its commands, on the memories of simulated chips.\n"
        "\n"
        "Usage: contra sim [OPTIONS] K.tcpo [--in NAME=FILE ..] [--out [NAME=]FILE ..]\n"
        "\n"
        "Neither the source nor a mapping is needed. Arrays go in and come out as of `contra run`\n"
        "of a kernel, with the same bytes; numbers have the values that the kernel was compiled "
        "for.\n"
        "\n"
        "Options:\n"
        "  --list               shows its parameters and their shapes\n"
        "  --in NAME=FILE       the array of a tensor: F.npy, or F.safetensors:ARRAY\n"
        "  --random SEED        fills tensors that are not given, as SmallRng does\n"
        "  --out [NAME=]FILE    writes an output: the tensor that is given back, or a &mut "
        "parameter\n"
        "  --bf16=bits|f32      writes bf16 and f8 as bit patterns (the default) or as float32\n"
        "  --print              shows the outputs (the default without --out and --compare)\n"
        "  --compare [NAME=]FILE  compares an output with a file\n"
        "  --tolerance T        by how much elements may differ (the default: 0)\n"
        "  --quiet              does not say which files were written\n"
        "  --sanitize           watches every access to the memories of the chips\n"
        "  --no-sanitize        does not (the default)\n"
        "  --threads N          how many threads compute (the default: all)\n"
        "  --machine=NAME       the machine it was compiled for, if that is not rngd\n"
        "\n"
        "Exit status: 0 it ran, and what was compared is within the tolerance; 1 refused, or "
        "beyond it;\n"
        "2 wrong usage; 130 interrupted.\n"
        "\n"
        "Examples:\n"
        "  contra compile add_five.rs -o add_five.tcpo\n"
        "  contra sim add_five.tcpo --in input=x.npy --out y.npy");
}

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
    static const struct option table[] = {COMMON_OPTIONS,
                                          {"in", required_argument, NULL, OPTION_IN},
                                          {"out", required_argument, NULL, OPTION_OUT},
                                          {"print", no_argument, NULL, OPTION_PRINT},
                                          {"compare", required_argument, NULL, OPTION_COMPARE},
                                          {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
                                          {"random", required_argument, NULL, OPTION_RANDOM},
                                          {"threads", required_argument, NULL, OPTION_THREADS},
                                          SANITIZE_OPTIONS,
                                          {"bf16", required_argument, NULL, OPTION_BF16},
                                          {"list", no_argument, NULL, OPTION_LIST},
                                          {"quiet", no_argument, NULL, OPTION_QUIET},
                                          {0}};
    static RunOptions options = {.command = "sim"}; // too large for the stack
    run_options_init(&options);
    CliParser parser = {.name = "sim",
                        .help = print_help,
                        .options = table,
                        .take = run_take_option,
                        .own = &options};
    CommonOptions common = {0};
    ExitStatus status;
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (!run_options_settle(&options))
        return EXIT_USAGE;
    if (optind + 1 != argc)
        return cli_usage("sim", optind == argc ? "which object file?" : "one file at a time");
    Contra *contra = cli_open(&common, &status);
    if (!contra)
        return status;
    watch_start();
    status = sim_object(contra, argv[optind], &common, &options);
    contra_free(contra);
    return status;
}

const Command sim_command = {"sim", "an object file on simulated chips", run_sim};

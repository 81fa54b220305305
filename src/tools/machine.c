// contra machine: the hardware, in numbers.
#include "cli.h"

#include <stdio.h>

static void print_help(void)
{
    puts(
        "Prints every number of a machine with its unit and the section of the manual it is from.\n"
        "\n"
        "Usage: contra machine [--machine=rngd|rngd-s|FILE.json] [--format=text|json]\n"
        "\n"
        "The JSON that is printed reads back as --machine=FILE.json: keep what you want to\n"
        "change, and add \"base\": \"rngd\" for the rest.");
}

static ExitStatus show(const CommonOptions *common)
{
    ExitStatus status = EXIT_DONE;
    ContraText text;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    ContraStatus result =
        contra_machine_table(contra, common->json ? CONTRA_JSON : CONTRA_TABLE, &text);
    if (result == CONTRA_OK) {
        cli_print(text);
        status = cli_finish(EXIT_DONE);
    } else {
        status = cli_refuse(contra, common, result);
    }
    contra_free(contra);
    return status;
}

static ExitStatus run_machine(int argc, char **argv)
{
    static const struct option options[] = {COMMON_OPTIONS, {0}};
    CliParser parser = {.name = "machine", .help = print_help, .options = options};
    CommonOptions common = {0};
    ExitStatus status;
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (optind != argc)
        return cli_usage("machine", "takes options only, not `%s`", argv[optind]);
    return show(&common);
}

const Command machine_command = {"machine", "every number of the hardware, with its source",
                                 run_machine};

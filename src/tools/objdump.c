// contra objdump: what is in an object file, and whether it is whole.
#include "cli.h"

#include <stdio.h>

enum { OPTION_CHECK = OPTION_FIRST_OWN, OPTION_VERBOSE };

typedef struct {
    bool check, verbose;
} Options;

static void print_help(void)
{
    puts("Prints an object file, having verified it.\n"
         "\n"
         "Usage: contra objdump [OPTIONS] K.tcpo\n"
         "\n"
         "The listing is that of `contra compile`, with what the file says of itself.\n"
         "A file that is cut off, damaged, of another format, or no object file is refused.\n"
         "\n"
         "Options:\n"
         "  --check              only verifies, and prints nothing when all is well\n"
         "  --verbose            every field and all of long lists\n"
         "  --format=json        prints it as JSON (docs/compile.schema.json)\n"
         "  --machine=NAME       also verifies that it was made for this machine\n"
         "\n"
         "Examples:\n"
         "  contra objdump add_five.tcpo\n"
         "  contra objdump --check --machine=rngd add_five.tcpo");
}

static bool take_option(void *own, int option, const char *value)
{
    Options *options = own;
    (void)value;
    if (option == OPTION_CHECK)
        options->check = true;
    if (option == OPTION_VERBOSE)
        options->verbose = true;
    return true;
}

static ContraStatus dump(Contra *contra, const char *path, const CommonOptions *common,
                         const Options *options)
{
    ContraObject *object;
    ContraStatus status = contra_object_read(contra, contra_text(path), &object);
    if (status == CONTRA_OK && common->machine)
        status = contra_object_fits(contra, object);
    if (status != CONTRA_OK || options->check)
        return status;
    ContraListingOptions listing = contra_listing_options();
    listing.json = common->json;
    listing.verbose = options->verbose;
    listing.colour = cli_wants_colour_out(common);
    listing.width = cli_width();
    ContraText text;
    status = contra_object_text(contra, object, &listing, &text);
    if (status == CONTRA_OK)
        cli_print(text);
    return status;
}

static ExitStatus run_objdump(int argc, char **argv)
{
    static const struct option table[] = {COMMON_OPTIONS,
                                          {"check", no_argument, NULL, OPTION_CHECK},
                                          {"verbose", no_argument, NULL, OPTION_VERBOSE},
                                          {0}};
    Options options = {0};
    CliParser parser = {.name = "objdump",
                        .help = print_help,
                        .options = table,
                        .take = take_option,
                        .own = &options};
    CommonOptions common = {0};
    ExitStatus status;
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (optind + 1 != argc)
        return cli_usage("objdump", optind == argc ? "which file?" : "one file at a time");
    Contra *contra = cli_open(&common, &status);
    if (!contra)
        return status;
    ContraStatus done = dump(contra, argv[optind], &common, &options);
    status = done ? cli_refuse(contra, &common, done) : cli_finish(EXIT_DONE);
    contra_free(contra);
    return status;
}

const Command objdump_command = {"objdump", "what is in an object file", run_objdump};

// contra objdump: what is in an object file, and whether it is whole.
#include "cli.h"

enum { OPTION_CHECK = OPTION_FIRST_OWN, OPTION_VERBOSE };

typedef struct {
    bool check, verbose;
} Options;

static const CliOption rows[] = {
    {OPTION_CHECK, "--check", "only verifies, and prints nothing when all is well"},
    {OPTION_VERBOSE, "--verbose", "every field and all of long lists"},
    {0}};

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
    Options options = {0};
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&objdump_command, &options, argc, argv, &common, &status))
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

const Command objdump_command = {
    .name = "objdump",
    .summary = "what is in an object file",
    .title = "Prints an object file, having verified it.",
    .usage = "contra objdump [OPTIONS] K.tcpo",
    .about =
        "The listing is that of `contra compile`, with what the file says of itself.\n"
        "A file that is cut off, damaged, of another format, or no object file is refused.\n"
        "--format=json prints what docs/compile.schema.json describes; --machine also verifies\n"
        "that it was made for this machine.",
    .endings = ".tcpo",
    .options = rows,
    .examples = "  contra objdump add_five.tcpo\n"
                "  contra objdump --check --machine=rngd add_five.tcpo",
    .take = take_option,
    .run = run_objdump};

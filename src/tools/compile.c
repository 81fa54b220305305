// contra compile: a kernel becomes commands, as an object file, a listing or JSON.
#include "run_output.h"

#include <stdio.h>
#include <string.h>

enum {
    OPTION_KERNEL = OPTION_FIRST_OWN,
    OPTION_IN,
    OPTION_OUTPUT,
    OPTION_EMIT,
    OPTION_NO_SOURCE_MAP,
    OPTION_VERBOSE,
    OPTION_LIST
};

typedef enum {
    EMIT_NOTHING,
    EMIT_PROGRAM,
    EMIT_SVG,
    EMIT_CONFIG,
    EMIT_JSON,
    EMIT_SCHEMA,
    EMIT_COUNT
} Emit;

static const char *const emit_words[EMIT_COUNT] = {
    [EMIT_NOTHING] = "",      [EMIT_PROGRAM] = "program", [EMIT_SVG] = "svg",
    [EMIT_CONFIG] = "config", [EMIT_JSON] = "json",       [EMIT_SCHEMA] = "schema"};

typedef struct {
    ContraCheckOptions check;
    const char *kernel, *output;
    ContraInput inputs[RUN_MOST_NUMBERS];
    int input_count;
    Emit emit;
    bool no_source_map, verbose, list;
} Options;

static const CliOption rows[] = {
    {OPTION_LIST, "--list",
     "lists the kernels, or the one of --kernel, with parameters and shapes"},
    {OPTION_KERNEL, "--kernel NAME",
     "the kernel to compile; not needed where there is one only; of a generic one an instance, as "
     "in a launch: 'gemm::<2>'"},
    {OPTION_IN, "--in NAME=VALUE", "the value of a number that the kernel takes"},
    {OPTION_OUTPUT, "-o, --output FILE", "writes an object file"},
    {OPTION_NO_SOURCE_MAP, "--no-source-map", "leaves out files and lines of the source"},
    {OPTION_EMIT, "--emit=config", "prints the listing: commands in the notation of the manual"},
    {OPTION_EMIT, "--emit=json", "prints them as JSON (docs/compile.schema.json)"},
    {OPTION_EMIT, "--emit=program", "prints the traced program as text, which every command reads"},
    {OPTION_EMIT, "--emit=svg", "draws its tensors and streams, with the axes of each dimension"},
    {OPTION_EMIT, "--emit=schema", "prints the schema of the JSON; takes no file"},
    {OPTION_VERBOSE, "--verbose", "in the listing, every field and all of long lists"},
    CHECK_OPTIONS,
    {0}};

// ---- options

static bool take_emit(Options *options, const char *value)
{
    for (Emit emit = EMIT_PROGRAM; emit < EMIT_COUNT; emit++)
        if (strcmp(value, emit_words[emit]) == 0)
            options->emit = emit;
    bool known = strcmp(value, emit_words[options->emit]) == 0;
    if (!known)
        cli_usage("compile", "--emit is config, json, program, svg or schema, not `%s`", value);
    return known;
}

static bool take_option(void *own, int option, const char *value)
{
    Options *options = own;
    bool taken, ok = cli_check_option("compile", option, value, &options->check, &taken);
    if (taken)
        return ok;
    switch (option) {
    case OPTION_KERNEL:
        options->kernel = value;
        return true;
    case OPTION_IN:
        return run_take_number("compile", value, options->inputs, &options->input_count);
    case 'o':
    case OPTION_OUTPUT:
        options->output = value;
        return true;
    case OPTION_EMIT:
        return take_emit(options, value);
    case OPTION_NO_SOURCE_MAP:
        return options->no_source_map = true;
    case OPTION_VERBOSE:
        return options->verbose = true;
    case OPTION_LIST:
        return options->list = true;
    }
    return true;
}

// ---- what comes out

static ContraStatus print_object(Contra *contra, const CommonOptions *common,
                                 const Options *options, const ContraObject *object)
{
    ContraListingOptions listing = contra_listing_options();
    listing.json = options->emit == EMIT_JSON;
    listing.verbose = options->verbose;
    listing.colour = cli_wants_colour_out(common);
    listing.width = cli_width();
    ContraText text;
    ContraStatus status = contra_object_text(contra, object, &listing, &text);
    if (status == CONTRA_OK)
        cli_print(text);
    return status;
}

static ContraStatus emit_program(Contra *contra, const Options *options, int64_t kernel)
{
    ContraText text;
    ContraStatus status =
        (options->emit == EMIT_SVG ? contra_kernel_picture : contra_kernel_program)(
            contra, kernel, options->inputs, options->input_count, &text);
    if (status == CONTRA_OK)
        cli_print(text);
    return status;
}

static ContraStatus compile_kernel(Contra *contra, const CommonOptions *common,
                                   const Options *options, int64_t kernel)
{
    ContraObject *object;
    bool of_program = options->emit == EMIT_PROGRAM || options->emit == EMIT_SVG;
    if (of_program && !options->output)
        return emit_program(contra, options, kernel);
    ContraStatus status =
        contra_compile(contra, kernel, options->inputs, options->input_count, &object);
    if (status == CONTRA_OK && options->no_source_map)
        status = contra_object_strip(contra, object);
    if (status == CONTRA_OK && options->output)
        status = contra_object_write(contra, object, contra_text(options->output));
    if (status != CONTRA_OK || options->emit == EMIT_NOTHING)
        return status;
    return of_program ? emit_program(contra, options, kernel)
                      : print_object(contra, common, options, object);
}

static ExitStatus compile_some(Contra *contra, const CommonOptions *common, const Options *options)
{
    int64_t kernel = 0;
    if (options->list)
        return run_list_kernels(contra, common, options->kernel);
    if (!options->kernel && contra_kernel_count(contra) > 1)
        return run_ask_kernel(contra, "compile");
    ContraStatus status = CONTRA_OK;
    if (options->kernel || contra_kernel_count(contra) == 0)
        status = contra_kernel_find(contra, contra_text(options->kernel ? options->kernel : ""),
                                    &kernel);
    status = status ? status : compile_kernel(contra, common, options, kernel);
    if (status != CONTRA_OK)
        return cli_refuse(contra, common, status);
    fflush(stdout);
    cli_show(contra, common); // warnings
    return cli_finish(EXIT_DONE);
}

static ExitStatus print_schema(Contra *contra, const CommonOptions *common)
{
    ContraText text;
    ContraStatus status = contra_object_schema(contra, &text);
    if (status != CONTRA_OK)
        return cli_refuse(contra, common, status);
    cli_print(text);
    return cli_finish(EXIT_DONE);
}

static ExitStatus compile_path(const char *path, const CommonOptions *common,
                               const Options *options)
{
    ExitStatus status = EXIT_DONE;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    if (!path) {
        status = print_schema(contra, common);
    } else {
        ContraText text = contra_text(path);
        ContraStatus loaded = contra_load(contra, &text, 1, &options->check);
        status =
            loaded ? cli_refuse(contra, common, loaded) : compile_some(contra, common, options);
    }
    contra_free(contra);
    return status;
}

static ExitStatus run_compile(int argc, char **argv)
{
    Options options = {.check = contra_check_options()};
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&compile_command, &options, argc, argv, &common, &status))
        return status;
    if (options.list && (options.output || options.emit || options.input_count))
        return cli_usage("compile", "--list compiles nothing: %s has no use beside it",
                         options.output ? "-o"
                         : options.emit ? "--emit"
                                        : "--in");
    bool schema = options.emit == EMIT_SCHEMA;
    if (optind + !schema != argc)
        return cli_usage("compile", schema           ? "--emit=schema takes no file"
                                    : optind == argc ? "which file?"
                                                     : "one file or crate at a time");
    if (options.emit == EMIT_NOTHING && common.json)
        options.emit = EMIT_JSON;
    else if (options.emit == EMIT_NOTHING && !options.output)
        options.emit = EMIT_CONFIG;
    return compile_path(schema ? NULL : argv[optind], &common, &options);
}

const Command compile_command = {
    .name = "compile",
    .summary = "the commands of a kernel, to a file or to look at",
    .title = "Compiles a kernel: every operation becomes the commands that the chip executes.",
    .usage = "contra compile [OPTIONS] FILE|CRATE [--kernel NAME] [-o K.tcpo]",
    .about =
        "A kernel is a function with `#[device]`, named by its path or the end of it, or a "
        "program\n"
        "text (*.tcp). It is checked as `contra check` does. Without -o and --emit the listing is\n"
        "printed.",
    .endings = ".rs .tcp",
    .options = rows,
    .examples = "  contra compile kernel.rs --kernel add_five\n"
                "  contra compile kernel.rs --kernel add_five -o add_five.tcpo\n"
                "  contra compile kernel.rs --kernel add_five --emit=program > add_five.tcp\n"
                "  contra objdump add_five.tcpo",
    .take = take_option,
    .run = run_compile};

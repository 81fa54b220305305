// contra check: every rule of the hardware, on files, folders and crates.
#include "cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_EMIT = OPTION_FIRST_OWN, OPTION_GROUPS };

typedef struct {
    ContraCheckOptions check;
    bool emit;
    bool groups;
} Options;

static const CliOption rows[] = {
    CHECK_OPTIONS,
    {OPTION_EMIT, "--emit=program", "prints the traced programs as text"},
    {OPTION_GROUPS, "--groups", "lists the groups of rules"},
    {0}};

static bool take_option(void *own, int option, const char *value)
{
    Options *options = own;
    bool taken, ok = cli_check_option("check", option, value, &options->check, &taken);
    if (taken)
        return ok;
    if (option == OPTION_GROUPS)
        options->groups = true;
    if (option != OPTION_EMIT)
        return true;
    options->emit = strcmp(value, "program") == 0;
    if (!options->emit)
        cli_usage("check", "--emit is program, not `%s`", value);
    return options->emit;
}

static ExitStatus list_groups(void)
{
    const char *group;
    for (int64_t i = 0; (group = contra_group(i)); i++)
        puts(group);
    return cli_finish(EXIT_DONE);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

// Of many files those that are refused are counted; a single one is named.
static void print_summary(FILE *out, const ContraCheckResult *result)
{
    fprintf(out,
            "%s: %" PRId64 " error%s, %" PRId64 " warning%s in %" PRId64 " file%s (%" PRId64
            " function%s, %" PRId64 " kernel%s, %" PRId64 " operation%s)\n",
            result->errors ? "refused" : "accepted", result->errors, plural(result->errors),
            result->warnings, plural(result->warnings), result->files, plural(result->files),
            result->functions, plural(result->functions), result->kernels, plural(result->kernels),
            result->operations, plural(result->operations));
    if (result->files < 2 || !result->files_refused)
        return;
    if (result->files_refused == 1)
        fprintf(out, "the errors are in %.*s; the other %" PRId64 " file%s accepted\n",
                TEXT_ARG(result->refused), result->files - 1, result->files == 2 ? " is" : "s are");
    else
        fprintf(out, "%" PRId64 " of %" PRId64 " files have errors\n", result->files_refused,
                result->files);
}

static void print_json(Contra *contra, const ContraCheckResult *result, ContraText program,
                       bool emit)
{
    json_t *document = json_pack(
        "{s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "accepted", result->errors == 0,
        "errors", (json_int_t)result->errors, "warnings", (json_int_t)result->warnings, "files",
        (json_int_t)result->files, "files_refused", (json_int_t)result->files_refused, "lines",
        (json_int_t)result->lines, "functions", (json_int_t)result->functions, "kernels",
        (json_int_t)result->kernels, "operations", (json_int_t)result->operations, "diagnostics",
        cli_json_diagnostics(contra));
    if (emit)
        json_object_set_new(document, "program", cli_json(program));
    cli_print_json(document);
}

static ExitStatus report(Contra *contra, const CommonOptions *common, const Options *options,
                         const ContraCheckResult *result)
{
    ContraText program = {0};
    if (options->emit && contra_program_text(contra, &program) != CONTRA_OK)
        return cli_refuse(contra, common, CONTRA_NO_MEMORY);
    if (common->json) {
        print_json(contra, result, program, options->emit);
    } else {
        if (result->errors || result->warnings)
            cli_show(contra, common);
        if (options->emit)
            cli_print(program);
        print_summary(options->emit ? stderr : stdout, result);
    }
    return cli_finish(result->errors ? EXIT_REFUSED : EXIT_DONE);
}

static ExitStatus check(char **paths, int count, const CommonOptions *common,
                        const Options *options)
{
    ExitStatus status = EXIT_DONE;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    ContraText *texts = cli_texts(paths, count);
    ContraCheckResult result = contra_check_result();
    ContraStatus answer =
        texts ? contra_check(contra, texts, count, &options->check, &result) : CONTRA_NO_MEMORY;
    bool unread = answer == CONTRA_INVALID && !result.errors; // an option was refused
    status = answer == CONTRA_NO_MEMORY || unread ? cli_refuse(contra, common, answer)
                                                  : report(contra, common, options, &result);
    free(texts);
    contra_free(contra);
    return unread ? EXIT_USAGE : status;
}

static ExitStatus run_check(int argc, char **argv)
{
    Options options = {.check = contra_check_options()};
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&check_command, &options, argc, argv, &common, &status))
        return status;
    if (options.groups)
        return list_groups();
    if (optind == argc)
        return cli_usage("check", "which file or folder?");
    return check(argv + optind, argc - optind, &common, &options);
}

const Command check_command = {
    .name = "check",
    .summary = "every rule of the hardware, on sources",
    .title = "Checks programs against every rule of the hardware.",
    .usage = "contra check [OPTIONS] FILE|FOLDER...",
    .about = "Reads sources (*.rs), program texts (*.tcp), crates and folders of them; every "
             "function is\n"
             "typed, traced and verified on its own. Diagnostics come in the order of the text, a "
             "summary\n"
             "last.",
    .endings = ".rs .tcp",
    .options = rows,
    .status = "0 accepted (warnings do not count), 1 refused, 2 wrong usage.",
    .examples = "  contra check kernel.rs\n"
                "  contra check .\n"
                "  contra check --relax=cluster-size,slice-size snippet.rs\n"
                "  contra check --emit=program kernel.rs > kernel.tcp && contra check kernel.tcp",
    .take = take_option,
    .run = run_check};

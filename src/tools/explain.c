// contra explain CODE: the rule behind a diagnostic.
#include "cli.h"

#include <stdio.h>

// Every code with its rule.
static ExitStatus list_as_json(const CommonOptions *common)
{
    const char *code, *title;
    ContraText text;
    ExitStatus status;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    json_t *codes = json_array();
    for (int64_t i = 0; (code = contra_code(i, &title)); i++) {
        if (contra_explain(contra, contra_text(code), &text) != CONTRA_OK)
            break;
        json_array_append_new(codes, json_pack("{s:s, s:s, s:s%}", "code", code, "title", title,
                                               "explanation", text.data, (size_t)text.length));
    }
    cli_print_json(json_pack("{s:o}", "codes", codes));
    contra_free(contra);
    return cli_finish(EXIT_DONE);
}

static ExitStatus list_codes(const CommonOptions *common)
{
    const char *code, *title;
    if (common->json)
        return list_as_json(common);
    for (int64_t i = 0; (code = contra_code(i, &title)); i++)
        printf("%s  %s\n", code, title);
    return cli_finish(EXIT_DONE);
}

static void print_text(const char *code, ContraText text, bool json)
{
    if (!json) {
        cli_print(text);
        return;
    }
    cli_print_json(
        json_pack("{s:s, s:s%}", "code", code, "explanation", text.data, (size_t)text.length));
}

static ExitStatus explain_code(const char *code, const CommonOptions *common)
{
    ExitStatus status = EXIT_DONE;
    ContraText text;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    if (contra_explain(contra, contra_text(code), &text) == CONTRA_OK) {
        print_text(code, text, common->json);
        status = cli_finish(EXIT_DONE);
    } else {
        status = cli_usage("explain",
                           "there is no diagnostic `%s`; they are called E0107 and the "
                           "like, and `contra explain` lists them",
                           code);
    }
    contra_free(contra);
    return status;
}

static ExitStatus run_explain(int argc, char **argv)
{
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&explain_command, NULL, argc, argv, &common, &status))
        return status;
    if (argc - optind > 1)
        return cli_usage("explain", "one code at a time");
    return optind == argc ? list_codes(&common) : explain_code(argv[optind], &common);
}

const Command explain_command = {
    .name = "explain",
    .summary = "the rule behind a diagnostic",
    .title = "Explains the rule behind a diagnostic.",
    .usage = "contra explain [CODE]",
    .about = "Without a code it lists every code with its title; as JSON with its rule, too.",
    .word = contra_code,
    .examples = "  contra explain E0107\n"
                "  contra explain | grep address",
    .run = run_explain};

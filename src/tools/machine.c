// contra machine: the hardware, in numbers.
#include "cli.h"

#include <stdio.h>
#include <string.h>

static bool line_has(const char *line, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(line + i, word, size) == 0)
            return true;
    return false;
}

// The lines that contain `word`, with the headings; all of them for NULL. False: there is none.
static bool print_lines(ContraText text, const char *word)
{
    bool found = !word;
    for (const char *line = text.data; *line;) {
        size_t length = strcspn(line, "\n");
        bool heading = line == text.data || strncmp(line, "field ", 6) == 0;
        bool wanted = !word || line_has(line, length, word);
        found |= wanted && !heading;
        if (wanted || heading)
            printf("%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return found;
}

static ExitStatus show(const CommonOptions *common, const char *word)
{
    ExitStatus status = EXIT_DONE;
    ContraText text;
    Contra *contra = cli_open(common, &status);
    if (!contra)
        return status;
    ContraStatus result =
        contra_machine_table(contra, common->json ? CONTRA_JSON : CONTRA_TABLE, &text);
    if (result == CONTRA_OK) {
        bool found = true;
        if (common->json)
            cli_print(text);
        else
            found = print_lines(text, word);
        if (!found)
            fprintf(stderr, "contra machine: no line has `%s`\n", word);
        status = cli_finish(found ? EXIT_DONE : EXIT_REFUSED);
    } else {
        status = cli_refuse(contra, common, result);
    }
    contra_free(contra);
    return status;
}

static ExitStatus run_machine(int argc, char **argv)
{
    CommonOptions common;
    ExitStatus status;
    if (!cli_options(&machine_command, NULL, argc, argv, &common, &status))
        return status;
    if (argc - optind > 1)
        return cli_usage("machine", "one word at a time");
    return show(&common, optind < argc ? argv[optind] : NULL);
}

const Command machine_command = {
    .name = "machine",
    .summary = "every number of the hardware, with its source",
    .title =
        "Prints every number of a machine with its unit and the section of the manual it is from.",
    .usage = "contra machine [WORD] [--machine=rngd|rngd-s|FILE.json] [--format=text|json]",
    .about = "With a word, only the lines that have it.\n"
             "\n"
             "The JSON that is printed reads back as --machine=FILE.json: keep what you want to\n"
             "change, and add \"base\": \"rngd\" for the rest.",
    .examples = "  contra machine\n"
                "  contra machine trf\n"
                "  contra machine --machine=rngd-s --format=json > mine.json",
    .run = run_machine};

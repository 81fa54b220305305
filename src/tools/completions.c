// contra completions SHELL: the script with which a shell completes what is typed.
#include "completions.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *where;
    void (*print)(void);
} shells[] = {
    {"bash", "~/.local/share/bash-completion/completions/contra", completions_bash},
    {"zsh", "_contra in a folder of $fpath", completions_zsh},
    {"fish", "~/.config/fish/completions/contra.fish", completions_fish},
};
enum { SHELL_COUNT = sizeof shells / sizeof shells[0] };

static const char *shell_word(int64_t index, const char **where)
{
    *where = index < SHELL_COUNT ? shells[index].where : NULL;
    return index < SHELL_COUNT ? shells[index].name : NULL;
}

const char *completions_group(int64_t index, const char **what)
{
    *what = "";
    return contra_group(index);
}

static ExitStatus run_completions(int argc, char **argv)
{
    CliParser parser = {.command = &completions_command};
    CommonOptions common = {0};
    ExitStatus status;
    if (!cli_options(&parser, argc, argv, &common, &status))
        return status;
    if (optind + 1 != argc)
        return cli_usage("completions", "of which shell: bash, zsh or fish?");
    for (int i = 0; i < SHELL_COUNT; i++)
        if (strcmp(argv[optind], shells[i].name) == 0) {
            shells[i].print();
            return cli_finish(EXIT_DONE);
        }
    return cli_usage("completions", "there are those of bash, zsh and fish, not of `%s`",
                     argv[optind]);
}

const Command completions_command = {
    .name = "completions",
    .summary = "what a shell needs to complete commands and options",
    .title = "Prints the script with which a shell completes commands, options and their values.",
    .usage = "contra completions SHELL",
    .about = "`make install` puts all three where the shells look for them.",
    .word_heading = "Shells, and where each looks for its script",
    .word = shell_word,
    .examples = "  contra completions bash > ~/.local/share/bash-completion/completions/contra\n"
                "  source <(contra completions bash)",
    .run = run_completions};

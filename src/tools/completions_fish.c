// The script for fish: a line for each command, option and kind of argument.
#include "completions.h"

#include <stdio.h>
#include <string.h>

// A text inside '..'.
static void put_escaped(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
}

static void put_start(const Command *command)
{
    printf("complete -c contra -n '__fish_seen_subcommand_from %s'", command->name);
}

static void put_text(const char *text)
{
    if (!*text)
        return;
    fputs(" -d '", stdout);
    put_escaped(text);
    fputs("'", stdout);
}

// -a "all\t'every rule' reference\t'..'"; what is in double quotes fish reads once more.
static void put_words(const Option *option)
{
    fputs(" -a \"", stdout);
    for (int i = 0; i < option->word_count; i++) {
        printf("%s%s", i ? " " : "", option->words[i].name);
        if (!*option->words[i].text)
            continue;
        fputs("\\t'", stdout);
        for (const char *c = option->words[i].text; *c; c++) {
            fputs(*c == '\'' ? "\\\\" : *c == '"' || *c == '$' ? "\\" : "", stdout);
            putchar(*c);
        }
        putchar('\'');
    }
    putchar('"');
}

static void put_groups(void)
{
    const char *group, *what;
    fputs(" -a '(__fish_append ,", stdout);
    for (int64_t i = 0; (group = completions_group(i, &what)); i++)
        printf(" %s", group);
    fputs(")'", stdout);
}

static void put_option(const Command *command, const Option *option)
{
    static const char *const needs[] = {
        [VALUE_NONE] = "", [VALUE_NEEDED] = " -x", [VALUE_OPTIONAL] = " -f"};
    put_start(command);
    if (option->spelling.letter)
        printf(" -s %c", option->spelling.letter);
    printf(" -l %s%s", option->spelling.name,
           option->is_file ? " -r -F" : needs[option->spelling.need]);
    if (option->word_count)
        put_words(option);
    if (option->is_group)
        put_groups();
    put_text(option->text);
    putchar('\n');
}

static void put_arguments(const Command *command)
{
    const char *word, *what;
    for (int64_t i = 0; command->word && (word = command->word(i, &what)); i++) {
        put_start(command);
        printf(" -a %s", word);
        put_text(what);
        putchar('\n');
    }
    if (!command->endings)
        return;
    put_start(command); // all files, those with the first ending before the others
    printf(" -k -a '(__fish_complete_suffix %.*s)'\n", (int)strcspn(command->endings, " "),
           command->endings);
}

static void put_command(const Command *command)
{
    OptionList list;
    options_of(command, &list);
    for (int i = 0; i < list.count; i++)
        put_option(command, &list.items[i]);
    put_arguments(command);
}

void completions_fish(void)
{
    const Command *command;
    puts("# What fish completes of contra; made by `contra completions fish`.\n"
         "complete -c contra -f");
    for (int64_t i = 0; (command = cli_command(i)); i++) {
        printf("complete -c contra -n __fish_use_subcommand -a %s", command->name);
        put_text(command->summary);
        printf("\ncomplete -c contra -n '__fish_seen_subcommand_from help' -a %s\n", command->name);
        put_command(command);
    }
}

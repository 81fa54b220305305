// The script for zsh: each command is a call of _arguments, which knows how options are written.
#include "completions.h"

#include <stdio.h>
#include <string.h>

// A text inside '..', with a backslash before each of `special`.
static void put_escaped(const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
}

static void put_array(const char *name, CliWord *word)
{
    const char *text, *what;
    printf("        local -a %s=(", name);
    for (int64_t i = 0; (text = word(i, &what)); i++) {
        printf("\n            '%s:", text);
        put_escaped(what, "");
        putchar('\'');
    }
    puts(")");
}

// ((all\:"every rule" reference\:"only what ..")): _arguments evaluates what is in it.
static void put_words(const Option *option)
{
    fputs("((", stdout);
    for (int i = 0; i < option->word_count; i++) {
        printf("%s%s", i ? " " : "", option->words[i].name);
        if (!*option->words[i].text)
            continue;
        fputs("\\:\"", stdout);
        put_escaped(option->words[i].text, ":`$\"\\");
        putchar('"');
    }
    fputs("))", stdout);
}

static void put_value(const Option *option)
{
    printf("%s:%s:", option->spelling.need == VALUE_OPTIONAL ? ":" : "", option->spelling.name);
    if (option->is_group) {
        const char *group, *what;
        fputs("_values -s , group", stdout);
        for (int64_t i = 0; (group = completions_group(i, &what)); i++)
            printf(" %s", group);
    } else if (option->is_file && option->word_count) {
        fputs("{_alternative \"words\\:word\\:", stdout);
        fputs("(", stdout);
        for (int i = 0; i < option->word_count; i++)
            printf("%s%s", i ? " " : "", option->words[i].name);
        fputs(")\" \"files\\:file\\:_files\"}", stdout);
    } else if (option->is_file) {
        fputs("{compset -P \"*=\"; _files}", stdout); // behind NAME=, where that is
    } else if (option->word_count) {
        put_words(option);
    }
}

// '*--rules=[text]:rules:(..)'; a letter has a line of its own.
static void put_option(const Option *option)
{
    const Spelling *spelling = &option->spelling;
    static const char *const joints[] = {
        [VALUE_NONE] = "", [VALUE_NEEDED] = "=", [VALUE_OPTIONAL] = "=-"};
    for (int is_letter = 0; is_letter <= (spelling->letter != 0); is_letter++) {
        printf(" \\\n            '*");
        if (is_letter)
            printf("-%c%s", spelling->letter, spelling->need ? "+" : "");
        else
            printf("--%s%s", spelling->name, joints[spelling->need]);
        if (*option->text) {
            putchar('[');
            put_escaped(option->text, "[]\\");
            putchar(']');
        }
        if (spelling->need)
            put_value(option);
        putchar('\'');
    }
}

// '*:file:_files -g "*.(rs|tcp)"'; folders are always among them.
static void put_arguments(const Command *command)
{
    if (command->word)
        printf(" \\\n            '*: :{_describe -t arguments argument arguments}'");
    if (!command->endings)
        return;
    fputs(" \\\n            '*:file:_files -g \"*(", stdout);
    for (const char *c = command->endings; *c; c++)
        putchar(*c == ' ' ? '|' : *c);
    fputs(")\"'", stdout);
}

static void put_command(const Command *command)
{
    OptionList list;
    options_of(command, &list);
    printf("    %s)\n", command->name);
    if (command->word)
        put_array("arguments", command->word);
    fputs("        _arguments -s -S :", stdout);
    for (int i = 0; i < list.count; i++)
        put_option(&list.items[i]);
    put_arguments(command);
    puts("\n        ;;");
}

void completions_zsh(void)
{
    const Command *command;
    puts("#compdef contra\n"
         "# What zsh completes of contra; made by `contra completions zsh`.\n"
         "_contra()\n"
         "{");
    put_array("commands", cli_tool.word);
    puts("    if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n"
         "        _describe -t commands command commands\n"
         "        return\n"
         "    fi\n"
         "    shift words\n"
         "    ((CURRENT--))\n"
         "    case $words[1] in");
    for (int64_t i = 0; (command = cli_command(i)); i++)
        put_command(command);
    puts("    esac\n"
         "}\n"
         "_contra \"$@\"");
}

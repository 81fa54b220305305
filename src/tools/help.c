// `contra COMMAND --help`, from the tables of the commands.
#include "options.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_COLUMN = 23, LAST_COLUMN = 100 };

// A text that fills lines from a column on.
static void print_filled(const char *text, int column)
{
    int at = column;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > LAST_COLUMN) {
            printf("\n%*s", TEXT_COLUMN, "");
            at = column = TEXT_COLUMN;
        }
        at += printf("%s%.*s", at > column ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

// "  --kernel NAME        the kernel to run"
static void print_row(const char *left, const char *text, int column)
{
    int at = printf("  %-*s ", column - 3, left);
    if (at > column)
        at += printf(" ");
    print_filled(text, at);
}

static void print_options(const CliOption *rows)
{
    if (!rows)
        return;
    if (rows->spelling)
        puts("\nOptions:");
    for (; rows->text; rows++)
        if (rows->spelling)
            print_row(rows->spelling, rows->text, TEXT_COLUMN);
        else
            printf("\n%s:\n", rows->text);
}

static void print_words(const Command *command)
{
    const char *word, *what;
    if (!command->word_heading)
        return;
    printf("\n%s:\n", command->word_heading);
    for (int64_t i = 0; (word = command->word(i, &what)); i++)
        printf("  %-11s %s\n", word, what);
}

static void print_usage(const char *usage)
{
    const char *before = "Usage: ";
    while (*usage) {
        size_t length = strcspn(usage, "\n");
        printf("%s%.*s\n", before, (int)length, usage);
        before = "       ";
        usage += length + (usage[length] == '\n');
    }
}

void cli_help(const Command *command)
{
    printf("%s\n\n", command->title);
    print_usage(command->usage);
    if (command->about)
        printf("\n%s\n", command->about);
    print_words(command);
    print_options(command->options);
    puts("\nEvery command takes:");
    for (const CliOption *row = common_options; row->text; row++)
        print_row(row->spelling, row->text, TEXT_COLUMN);
    if (command->uses_device) {
        puts("\nEnvironment:");
        for (const CliOption *row = device_environment; row->text; row++)
            print_row(row->spelling, row->text, TEXT_COLUMN);
    }
    if (command->status)
        printf("\nExit status: %s\n", command->status);
    if (command->examples)
        printf("\nExamples:\n%s\n", command->examples);
}

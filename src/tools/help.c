// `contra COMMAND --help`, from the tables of the commands.
#include "options.h"

#include <ctype.h>
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

// `contra help --man COMMAND`: the manual pages, in the language of man(7), from the tables that
// `--help` is made of.

// A line of text. What is `quoted` is bold; signs that roff would read or change are spelled out.
static void put_text(const char *text, size_t length)
{
    static const struct {
        char sign;
        const char *spelled;
    } signs[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    bool is_bold = false;
    if (length && *text == '.')
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++) {
        size_t sign = 0, count = sizeof signs / sizeof signs[0];
        while (sign < count && signs[sign].sign != text[i])
            sign++;
        if (text[i] == '`')
            fputs((is_bold = !is_bold) ? "\\fB" : "\\fR", stdout);
        else if (sign < count)
            fputs(signs[sign].spelled, stdout);
        else
            putchar(text[i]);
    }
}

// How much of a text fits on a line of the source; what is quoted stays together.
static size_t line_length(const char *text, size_t length)
{
    enum { LINE_MOST = 60 };
    size_t fits = length;
    bool is_quoted = false;
    for (size_t i = 0; i < length; i++) {
        is_quoted ^= text[i] == '`';
        if (text[i] == ' ' && !is_quoted && (i <= LINE_MOST || fits == length))
            fits = i;
    }
    return length <= LINE_MOST ? length : fits;
}

static void put_lines(const char *text, size_t length)
{
    while (length) {
        size_t line = line_length(text, length), taken = line + (line < length);
        put_text(text, line);
        putchar('\n');
        text += taken;
        length -= taken;
    }
}

static void put_line(const char *text)
{
    put_lines(text, strlen(text));
}

// Lines as they stand.
static const char *put_as_is(const char *text)
{
    puts(".RS 4\n.EX");
    while (*text == ' ') {
        size_t length = strcspn(text, "\n");
        put_text(text + 2, length - 2);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
    puts(".EE\n.RE");
    return text;
}

// Paragraphs, with lines between them that begin with a blank and stay as they are.
static void put_paragraphs(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (*text == ' ') {
            text = put_as_is(text);
            continue;
        }
        put_lines(text, length);
        if (!length)
            puts(".PP");
        text += length + (text[length] == '\n');
    }
}

// "--rules=all": what stands for something is in italics, the rest is bold.
static void put_spelling(const char *spelling)
{
    bool is_value = false, is_italic = false;
    fputs("\\fB", stdout);
    for (; *spelling; spelling++) {
        bool starts = is_value && isupper((unsigned char)*spelling);
        bool ends = is_italic && strchr("|=[]", *spelling);
        is_value |= *spelling == '=' || (*spelling == ' ' && spelling[-1] != ',');
        if (starts && !is_italic)
            fputs("\\fI", stdout);
        if (ends)
            fputs("\\fB", stdout);
        is_italic = (is_italic || starts) && !ends;
        put_text(spelling, 1);
    }
    puts("\\fR");
}

static void put_options(const CliOption *rows)
{
    for (; rows && rows->text; rows++) {
        if (!rows->spelling) {
            printf(".SS %s\n", rows->text);
            continue;
        }
        puts(".TP");
        put_spelling(rows->spelling);
        put_line(rows->text);
    }
}

static void put_words(const Command *command)
{
    const char *word, *what;
    for (int64_t i = 0; (word = command->word(i, &what)); i++) {
        printf(".TP\n.B %s\n", word);
        put_line(what);
    }
}

// A line for each way to call it; `contra run` is bold.
static void put_usage(const Command *command)
{
    const char *usage = command->usage;
    puts(".SH SYNOPSIS\n.nf");
    while (*usage) {
        size_t length = strcspn(usage, "\n"), name = strlen("contra");
        name += *command->name ? 1 + strlen(command->name) : 0;
        printf("\\fB%.*s\\fR", (int)name, usage);
        put_text(usage + name, length - name);
        putchar('\n');
        usage += length + (usage[length] == '\n');
    }
    puts(".fi");
}

// The tool names the pages of its commands, these name its own.
static void put_others(const Command *command)
{
    const Command *other;
    puts(".SH SEE ALSO");
    if (command != &cli_tool)
        puts(".BR contra (1)");
    for (int64_t i = 0; command == &cli_tool && (other = cli_command(i)); i++)
        printf(".BR contra\\-%s (1),\n", other->name);
    if (command == &cli_tool)
        puts(".BR libcontra (3)");
}

static void put_title(const char *name)
{
    const char *dash = *name ? "-" : "";
    fputs(".TH CONTRA", stdout);
    fputs(dash, stdout);
    for (const char *c = name; *c; c++)
        putchar(toupper((unsigned char)*c));
    printf(" 1 %s \"contra %s\" \"Contra\"\n.SH NAME\ncontra%s%s \\- ", CONTRA_BUILD_DATE,
           contra_version(), *dash ? "\\-" : "", name);
}

void cli_manual(const Command *command)
{
    bool is_tool = command == &cli_tool;
    put_title(command->name);
    put_line(command->summary);
    put_usage(command);
    puts(".SH DESCRIPTION");
    if (!is_tool)
        put_line(command->title);
    if (!is_tool && command->about)
        puts(".PP");
    if (command->about)
        put_paragraphs(command->about);
    if (command->word_heading) {
        printf(".SS %s\n", command->word_heading);
        put_words(command);
    }
    puts(".SH OPTIONS");
    put_options(command->options);
    puts(".SS Every command takes");
    put_options(common_options);
    if (command->uses_device) {
        puts(".SH ENVIRONMENT");
        put_options(device_environment);
    }
    puts(".SH EXIT STATUS");
    put_paragraphs(command->status ? command->status : cli_tool.status);
    if (command->examples) {
        puts(".SH EXAMPLES");
        put_as_is(command->examples);
    }
    put_others(command);
}

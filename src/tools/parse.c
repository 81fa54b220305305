// The options of the command line, and what was probably meant by an unknown one.
#include "options.h"

#include <stdio.h>
#include <string.h>

// ---- words that are nearly right

enum { WORD_MOST = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// How many letters must be changed, added, left out or swapped with their neighbour. Of the library
// the tools see contra.h alone, which says nothing of words.
static int distance(const char *a, size_t a_length, const char *b)
{
    int rows[3][WORD_MOST + 1], *before = rows[0], *last = rows[1], *now = rows[2];
    size_t b_length = strlen(b);
    if (a_length > WORD_MOST || b_length > WORD_MOST)
        return WORD_MOST;
    for (size_t k = 0; k <= b_length; k++)
        last[k] = (int)k;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = (int)i;
        for (size_t k = 1; k <= b_length; k++) {
            int changed = last[k - 1] + (a[i - 1] != b[k - 1]);
            now[k] = least(changed, least(last[k], now[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], before[k - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

// Two of three letters make another word, and so does one of one.
static int furthest(size_t length)
{
    return length < 2 ? 0 : length < 4 ? 1 : 2;
}

bool cli_is_near(const char *word, const char *other)
{
    size_t length = strlen(word);
    return distance(word, length, other) <= furthest(length);
}

// ---- options

static const char *nearest_option(const struct option *options, const char *name, size_t length)
{
    const char *found = NULL;
    int best = furthest(length) + 1;
    for (; options->name; options++) {
        int off = distance(name, length, options->name);
        if (off < best) {
            best = off;
            found = options->name;
        }
    }
    return found;
}

// An option whose beginning several have: all of these.
static bool is_ambiguous(const struct option *options, const char *name, size_t length, char *names,
                         size_t room)
{
    int count = 0;
    size_t used = 0;
    for (; options->name && used < room; options++) {
        if (strncmp(options->name, name, length) != 0)
            continue;
        used += (size_t)snprintf(names + used, room - used, "%s--%s", count++ ? ", " : "",
                                 options->name);
    }
    return count > 1;
}

// The argument that getopt_long is at: it stays there until all letters behind a `-` are read.
static const char *argument_at_hand(char **argv)
{
    const char *next = argv[optind];
    bool letters = next && next[0] == '-' && next[1] != '-' && next[1] == (char)optopt && next[2];
    return letters ? next : argv[optind - 1];
}

static ExitStatus bad_option(const char *command, const struct option *table, char **argv,
                             int option)
{
    const char *text = argument_at_hand(argv), *name = text + strspn(text, "-");
    size_t length = strcspn(name, "="), dashes = (size_t)(name - text);
    char names[1024];
    if (option == ':')
        return cli_usage(command, "option `%s` needs a value", text);
    if (optopt >= OPTION_HELP)
        return cli_usage(command, "option `%.*s` takes no value", (int)(dashes + length), text);
    if (dashes > 1 && is_ambiguous(table, name, length, names, sizeof names))
        return cli_usage(command, "`%.*s` may be any of %s", (int)(dashes + length), text, names);
    const char *near = nearest_option(table, name, length);
    if (near)
        return cli_usage(command, "there is no option `%.*s`; did you mean `--%s`?",
                         (int)(dashes + length), text, near);
    return cli_usage(command, "there is no option `%.*s`", (int)(dashes + length), text);
}

// ---- the parser

static bool parse_colour(CommonOptions *common, const char *value)
{
    static const char *const names[] = {"auto", "always", "never"};
    for (ColourMode mode = COLOUR_AUTO; mode <= COLOUR_NEVER; mode++) {
        if (strcmp(value, names[mode]) == 0) {
            common->colour = mode;
            return true;
        }
    }
    return false;
}

// Takes an option every command has. False: `option` is another one's.
static bool common_option(CommonOptions *common, int option, const char *value, ExitStatus *status)
{
    *status = EXIT_DONE;
    switch (option) {
    case OPTION_FORMAT:
        common->json = strcmp(value, "json") == 0;
        if (!common->json && strcmp(value, "text"))
            *status = cli_usage("", "--format is text or json, not `%s`", value);
        return true;
    case OPTION_COLOUR:
        if (!parse_colour(common, value))
            *status = cli_usage("", "--color is auto, always or never, not `%s`", value);
        return true;
    case OPTION_MACHINE:
        common->machine = value;
        return true;
    default:
        return false;
    }
}

// The rows of a command as getopt_long wants them.
typedef struct {
    struct option rows[OPTIONS_MOST + 1];
    char letters[2 + 2 * OPTIONS_MOST]; // ":ho:"
} Table;

static void make_table(const OptionList *list, Table *table)
{
    static const int needs[] = {[VALUE_NONE] = no_argument,
                                [VALUE_NEEDED] = required_argument,
                                [VALUE_OPTIONAL] = optional_argument};
    char *letter = table->letters;
    *letter++ = ':';
    for (int i = 0; i < list->count; i++) {
        const Option *option = &list->items[i];
        table->rows[i] = (struct option){.name = option->spelling.name,
                                         .has_arg = needs[option->spelling.need],
                                         .val = option->option};
        if (!option->spelling.letter)
            continue;
        *letter++ = option->spelling.letter;
        if (option->spelling.need == VALUE_NEEDED)
            *letter++ = ':';
    }
    *letter = '\0';
    table->rows[list->count] = (struct option){0};
}

// The option that a letter stands for.
static int option_of_letter(const OptionList *list, int letter)
{
    for (int i = 0; i < list->count; i++)
        if (list->items[i].spelling.letter == letter)
            return list->items[i].option;
    return letter;
}

// What can be answered at once: --help and --version. False: it is another option.
static bool answers(const Command *command, int option, ExitStatus *status)
{
    if (option == OPTION_HELP)
        cli_help(command);
    else if (option == OPTION_VERSION)
        printf("contra %s\n", contra_version());
    else
        return false;
    *status = cli_finish(EXIT_DONE);
    return true;
}

bool cli_options(const Command *command, void *own, int argc, char **argv, CommonOptions *common,
                 ExitStatus *status)
{
    OptionList list;
    Table table;
    int option;
    options_of(command, &list);
    make_table(&list, &table);
    opterr = 0;
    *status = EXIT_DONE;
    *common = (CommonOptions){0};
    while ((option = getopt_long(argc, argv, table.letters, table.rows, NULL)) != -1) {
        bool is_known = option != '?' && option != ':';
        option = is_known ? option_of_letter(&list, option) : option;
        if (answers(command, option, status))
            return false;
        if (!is_known)
            *status = bad_option(command->name, table.rows, argv, option);
        else if (!common_option(common, option, optarg, status) &&
                 !command->take(own, option, optarg))
            *status = EXIT_USAGE;
        if (*status != EXIT_DONE)
            return false;
    }
    return true;
}

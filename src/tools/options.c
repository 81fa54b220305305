#include "options.h"

#include <assert.h>
#include <string.h>

const CliOption common_options[] = {
    {OPTION_HELP, "-h, --help", "shows this"},
    {OPTION_VERSION, "--version", "prints the version"},
    {OPTION_FORMAT, "--format=text|json", "for people (the default), or for programs"},
    {OPTION_COLOUR, "--color=auto|always|never",
     "colours; by default (auto) where a terminal is and NO_COLOR is not set"},
    {OPTION_MACHINE, "--machine=rngd|rngd-s|FILE.json",
     "the machine whose limits hold (the default: rngd); `contra machine` prints one to change"},
    {0}};

const CliOption device_environment[] = {
    {0, "CONTRA_ISA=plain|avx2|avx512",
     "the CPU instruction set that the simulated device uses, instead of the best one this machine "
     "has; all give the same results. A set that the machine lacks is an error (status 2)"},
    {0}};

// spelling = ["-" letter ", "] "--" name [" " value | "=" value | "[=" value "]"]
static Spelling option_spelling(const char *text)
{
    Spelling spelling = {0};
    if (text[1] != '-') {
        spelling.letter = text[1];
        text += strlen("-o, ");
    }
    text += strlen("--");
    size_t length = strcspn(text, " =[");
    assert(length <= OPTION_NAME_MOST);
    memcpy(spelling.name, text, length);
    text += length;
    spelling.value = text + (*text == '[' ? strlen("[=") : *text ? 1 : 0);
    spelling.value_length = strlen(spelling.value) - (*text == '[');
    spelling.is_joined = *text == '=' || *text == '[';
    spelling.need = *text == '[' ? VALUE_OPTIONAL : *text ? VALUE_NEEDED : VALUE_NONE;
    return spelling;
}

// ---- the rows of an option together

static bool is_word(const char *text, size_t length)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") >= length;
}

static void add_word(Option *option, const char *text, size_t length, const char *meaning)
{
    for (int i = 0; i < option->word_count; i++)
        if (strlen(option->words[i].name) == length &&
            memcmp(option->words[i].name, text, length) == 0)
            return;
    assert(option->word_count < OPTION_WORDS_MOST && length <= OPTION_WORD_MOST);
    ValueWord *word = &option->words[option->word_count++];
    memcpy(word->name, text, length);
    word->text = meaning;
}

static void add_values(Option *option, const Spelling *spelling, const char *text)
{
    static const char file[] = "FILE", group[] = "GROUP";
    const char *value = spelling->value, *end = value + spelling->value_length;
    bool is_only = !memchr(value, '|', spelling->value_length);
    while (value < end) {
        size_t length = strcspn(value, "|");
        length = value + length > end ? (size_t)(end - value) : length;
        if (is_word(value, length))
            add_word(option, value, length, is_only ? text : "");
        option->is_group |= strncmp(value, group, strlen(group)) == 0;
        value += length + 1;
    }
    option->is_file |= spelling->value_length && strstr(spelling->value, file);
    if (is_only && option->word_count)
        option->text = "";
}

static Option *option_named(OptionList *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->items[i].spelling.name, name) == 0)
            return &list->items[i];
    return NULL;
}

static void add_rows(OptionList *list, const CliOption *rows)
{
    for (; rows && rows->text; rows++) {
        if (!rows->spelling)
            continue;
        Spelling spelling = option_spelling(rows->spelling);
        Option *option = option_named(list, spelling.name);
        if (!option) {
            assert(list->count < OPTIONS_MOST);
            option = &list->items[list->count++];
            *option = (Option){.option = rows->option, .spelling = spelling, .text = rows->text};
        }
        add_values(option, &spelling, rows->text);
    }
}

void options_of(const Command *command, OptionList *list)
{
    list->count = 0;
    add_rows(list, command->options);
    add_rows(list, common_options);
}

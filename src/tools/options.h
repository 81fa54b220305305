// Options as the rows of a command spell them: "-o, --output FILE", "--emit=config|json",
// "--sanitize[=on|off]". A value is one of several, with `|` between them; in small letters it is a
// word, in capitals it stands for something: FILE for a file, GROUP,.. for groups of rules.
#ifndef CONTRA_TOOLS_OPTIONS_H
#define CONTRA_TOOLS_OPTIONS_H

#include "cli.h"

enum { OPTION_NAME_MOST = 31, OPTIONS_MOST = 64 };

typedef enum { VALUE_NONE, VALUE_NEEDED, VALUE_OPTIONAL } ValueNeed;

typedef struct {
    char letter; // 0: it has none
    char name[OPTION_NAME_MOST + 1];
    ValueNeed need;
    bool is_joined;    // to its value by `=`
    const char *value; // in the spelling
    size_t value_length;
} Spelling;

// What a command takes: an option for each name, with the words that its value may be.
enum { OPTION_WORDS_MOST = 16, OPTION_WORD_MOST = 23 };

typedef struct {
    char name[OPTION_WORD_MOST + 1];
    const char *text; // what it means, where it has a row of its own; otherwise ""
} ValueWord;

typedef struct {
    int option;
    Spelling spelling; // of the first row
    const char *text;  // of the option; "": it is said of the words
    ValueWord words[OPTION_WORDS_MOST];
    int word_count;
    bool is_file;  // a file, or something with a file in it
    bool is_group; // groups of rules, with commas between them
} Option;

typedef struct {
    Option items[OPTIONS_MOST];
    int count;
} OptionList;

// The options of a command, those that every command has last.
void options_of(const Command *command, OptionList *list);

// The rows of the options that every command has; the last has no text.
extern const CliOption common_options[];
// Environment variables of commands that use the device, in the form of options.
extern const CliOption device_environment[];

#endif

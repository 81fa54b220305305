// What the subcommands share: options every one of them takes, output, exit status.
#ifndef CONTRA_TOOLS_CLI_H
#define CONTRA_TOOLS_CLI_H

#include "contra.h"

#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    EXIT_DONE = 0,          // success
    EXIT_REFUSED = 1,       // the program was refused, or the answer is no
    EXIT_USAGE = 2,         // wrong usage
    EXIT_BUG = 3,           // a bug in Contra
    EXIT_INTERRUPTED = 130, // Ctrl-C
} ExitStatus;

typedef enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourMode;

// --format, --color, --machine
typedef struct {
    bool json;
    ColourMode colour;
    const char *machine;
} CommonOptions;

// A row of a command's options. The parser, `--help`, the manual pages and the completions of
// shells are made of these rows: options.h reads their spelling.
typedef struct {
    int option;           // what the parser calls it
    const char *spelling; // "--rules=all|reference", "-o, --output FILE", "--sanitize[=on|off]"; in
                          // capitals what stands for something; NULL: the text is a heading
    const char *text;     // what it does; several rows of one option say it of each value
} CliOption;

// Words that an argument may be, by number; NULL beyond the last.
typedef const char *CliWord(int64_t index, const char **what);

typedef struct {
    const char *name;
    const char *summary; // a few words for the list of commands
    const char *title;   // a sentence
    const char *usage;   // a line for each way to call it
    const char *about;   // paragraphs; lines that begin with a blank stay as they are. NULL: none
    const char *word_heading; // of the words in the help; NULL: they are too many for it
    CliWord *word;            // its arguments; NULL: no words
    const char *endings;      // of the files that it takes, ".rs .tcp"; NULL: it takes none
    const CliOption *options; // its own, the last row without a text; NULL: none
    bool uses_device;         // it reads the environment variables of the device
    const char *status;       // what its exit status means; NULL: what it always does
    const char *examples;     // lines
    // Takes one of its own options, and says whether its value is acceptable (having said why not).
    bool (*take)(void *own, int option, const char *value);
    ExitStatus (*run)(int argc, char **argv);
} Command;

extern const Command check_command, run_command, test_command, map_command, explain_command,
    machine_command, bench_command, compile_command, objdump_command, sim_command, schedule_command,
    view_command, lsp_command, completions_command;

// The tool without a command, and its commands by number; NULL beyond the last.
extern const Command cli_tool;
const Command *cli_command(int64_t index);

// Values getopt_long gives for the options of every command.
enum {
    OPTION_HELP = 256,
    OPTION_VERSION,
    OPTION_FORMAT,
    OPTION_COLOUR,
    OPTION_MACHINE,
    OPTION_RELAX,
    OPTION_CFG,
    OPTION_RULES,
    OPTION_MEMORY,
    OPTION_BACKEND,
    OPTION_CHECK_ORACLE,
    OPTION_NUMERICS,
    OPTION_THREADS,
    OPTION_SANITIZE,
    OPTION_NO_SANITIZE,
    OPTION_FIRST_OWN
};

// The rows of commands that check programs.
#define CHECK_OPTIONS                                                                              \
    {OPTION_RELAX, "--relax=GROUP,..", "rules of these groups only warn (contra check --groups)"}, \
        {OPTION_CFG, "--cfg NAME[=VALUE],..", "sets names for `#[cfg(..)]`, separated by commas"}, \
        {OPTION_RULES, "--rules=all", "every rule of the manual (the default)"},                   \
        {OPTION_RULES, "--rules=reference", "only what the vendor's library checks"},              \
        {OPTION_MEMORY, "--memory=real",                                                           \
         "tensors share the memories by their addresses (the default)"},                           \
    {                                                                                              \
        OPTION_MEMORY, "--memory=detached",                                                        \
            "each tensor has storage of its own; overlap only warns"                               \
    }

// Whether an access of a kernel is watched; each command says what it does without being asked.
#define SANITIZE_OPTIONS(usually)                                                                  \
    {OPTION_SANITIZE, "--sanitize[=on|off]",                                                       \
     "watches every access to the memories of the chips, or does not (the default: " usually ")"}, \
    {                                                                                              \
        OPTION_NO_SANITIZE, "--no-sanitize", "does not watch them: quicker"                        \
    }

// The rows of commands that execute kernels.
#define EXECUTE_OPTIONS(threads)                                                             \
    {OPTION_BACKEND, "--backend=device",                                                     \
     "kernels run as commands on simulated chips (the default)"},                            \
        {OPTION_BACKEND, "--backend=oracle",                                                 \
         "they run by the definition, without addresses: slower"},                           \
        {OPTION_CHECK_ORACLE, "--check-oracle",                                              \
         "they run both ways; every operation must leave the same bits"},                    \
        {OPTION_NUMERICS, "--numerics=tree", "sums as the hardware adds (the default)"},     \
        {OPTION_NUMERICS, "--numerics=sequential",                                           \
         "sums in ascending order of the logical index; by the oracle"},                     \
    {                                                                                        \
        OPTION_THREADS, "--threads N", "how many threads compute (the default: " threads ")" \
    }

// How cycles are counted.
#define COST_OPTIONS(option)                                                             \
    {option, "--cost=manual", "counts cycles by the rules of the manual (the default)"}, \
        {option, "--cost=static", "counts them as the vendor's scheduler does"},         \
    {                                                                                    \
        option, "--cost=silicon", "counts them as the chip was measured to"              \
    }

// Reads the options of a command; operands start at argv[optind]. `own` goes to the command's
// `take`. False: the command ends here with *status, as after --help and --version.
bool cli_options(const Command *command, void *own, int argc, char **argv, CommonOptions *common,
                 ExitStatus *status);

// `contra COMMAND --help`, and the same as a manual page in the language of man(7).
void cli_help(const Command *command);
void cli_manual(const Command *command);

// "contra map: ..., see contra map --help" on standard error.
ExitStatus cli_usage(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// A slip of the pen may have made one of the other.
bool cli_is_near(const char *word, const char *other);

// A whole number of at least `least`. False, with a message, otherwise.
bool cli_number(const char *command, const char *option, const char *text, int64_t least,
                int64_t *number);

// One of two words; *second says which. False, with a message, otherwise.
bool cli_word(const char *command, const char *option, const char *value, const char *first_word,
              const char *second_word, bool *second);

// The value of --cost. False, with a message, where it is none.
bool cli_cost(const char *command, const char *value, ContraCost *cost);

// Takes an option of CHECK_OPTIONS. *taken: it was one.
bool cli_check_option(const char *command, int option, const char *value,
                      ContraCheckOptions *options, bool *taken);

// What executes kernels, as the command line says it.
typedef struct {
    ContraRunOptions run;
    bool asks_device;   // --backend=device stands there
    bool asks_sanitize; // --sanitize does
} ExecuteOptions;

// Takes an option of EXECUTE_OPTIONS. *taken: it was one.
bool cli_execute_option(const char *command, int option, const char *value, ExecuteOptions *options,
                        bool *taken);

// Behind all options: only the oracle has some of them. False, with a message: --backend or
// --check-oracle ask for the device all the same.
bool cli_execute_settle(const char *command, const ContraCheckOptions *check,
                        ExecuteOptions *options);

// "device" or "oracle", for JSON.
const char *cli_backend_name(const ContraRunOptions *options);

// A Contra with the machine that was asked for. NULL: it was refused, *status says how.
Contra *cli_open(const CommonOptions *common, ExitStatus *status);
// The same for a command that uses the device: it also fails if CONTRA_ISA names an instruction set
// that cannot be used.
Contra *cli_open_device(const CommonOptions *common, ExitStatus *status);

// Shows the diagnostics: on standard error for people, as one JSON document on standard output for
// programs. Gives back the exit status for `why`.
ExitStatus cli_refuse(Contra *contra, const CommonOptions *common, ContraStatus why);

// Counts the errors of a program that ran in spite of them. `ran`: "tests that do" not depend on
// them.
void cli_say_other_errors(Contra *refused, const char *command, const char *ran);

// Whether people see colours on standard error, and on standard output.
bool cli_wants_colour(const CommonOptions *common);
bool cli_wants_colour_out(const CommonOptions *common);

// Characters of a line of standard output; 0: it is no terminal.
int64_t cli_width(void);

// Shows the diagnostics to people, on standard error.
void cli_show(Contra *contra, const CommonOptions *common);

// Lets this process, one of so many at once, have its part of the machine's memory, and 2 GiB in
// any case: a program that asks for more is told, before others have to give theirs.
void cli_limit_memory(int64_t jobs);

// Flushes standard output; a full disk or a closed pipe is an error like any other.
ExitStatus cli_finish(ExitStatus status);

void cli_print(ContraText text);

#define TEXT_ARG(text) (int)(text).length, (text).data // for "%.*s"

json_t *cli_json(ContraText text);
json_t *cli_json_diagnostics(Contra *contra);

// Arguments as texts, which the caller frees. NULL: out of memory.
ContraText *cli_texts(char **words, int count);

// Bytes that grow; terminated.
typedef struct {
    char *data;
    size_t length;
} Bytes;

// False: out of memory; the bytes are dropped.
bool bytes_add(Bytes *bytes, const void *data, size_t length);

// Prints a JSON document and frees it.
void cli_print_json(json_t *document);

#endif

// The command line tool: picks the subcommand.
#include "cli.h"
#include "terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const Command *const commands[] = {
    &check_command,   &run_command,      &test_command,  &compile_command,    &objdump_command,
    &sim_command,     &schedule_command, &view_command,  &map_command,        &machine_command,
    &explain_command, &lsp_command,      &bench_command, &completions_command};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0], BUG_STACK_BYTES = 64 * 1024 };

const Command *cli_command(int64_t index)
{
    return index < COMMAND_COUNT ? commands[index] : NULL;
}

static const char *command_word(int64_t index, const char **summary)
{
    const Command *command = cli_command(index);
    *summary = command ? command->summary : NULL;
    return command ? command->name : NULL;
}

const Command cli_tool = {
    .name = "",
    .summary = "a toolchain for the Virtual ISA of the Tensor Contraction Processor",
    .title = "contra - a toolchain for the Virtual ISA of the Tensor Contraction Processor",
    .usage = "contra COMMAND [OPTIONS]\n"
             "contra help [--man] [COMMAND]",
    .word_heading = "Commands",
    .word = command_word,
    .about =
        "`contra help COMMAND` shows the options and examples of a command; with --man it prints\n"
        "its manual page: contra help --man run | man -l -",
    .uses_device = true,
    .status = "0 success, 1 refused or the answer is no, 2 wrong usage, 3 a bug in Contra,\n"
              "130 interrupted.",
    .examples = "  contra check examples/hello/constant_add.rs\n"
                "  contra run examples/hello/constant_add.rs\n"
                "  contra map 'A / 8, A % 8' --axes A=32"};

// A crash is our bug: say so, with what helps to find it. Only async-signal-safe calls here.
static void report_bug(int signal_number)
{
    static const char message[] =
        "contra: internal error. This is a bug in Contra, not in your program.\n"
        "Please report it with the command line and the files it names.\n";
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    (void)signal_number;
    _exit(EXIT_BUG);
}

// On a stack of its own: an overflow of the usual one is a crash, too.
static void catch_bugs(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static char stack[BUG_STACK_BYTES];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = report_bug, .sa_flags = SA_ONSTACK};
    sigaltstack(&other, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}

// If a standard stream is closed, the next file that is opened would take its number, and output
// would go there. Opens /dev/null in its place, read-only, so that writing fails.
static void fill_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0)
            open("/dev/null", O_RDONLY); // gets the lowest free number
}

// A file where the command should stand, or a word that is nearly one.
static ExitStatus refuse_command(const char *word)
{
    const char *dot = strrchr(word, '.');
    if (dot && (strcmp(dot, ".rs") == 0 || strcmp(dot, ".tcp") == 0))
        return cli_usage("", "a command stands before the file: `contra run %s`, `contra check %s`",
                         word, word);
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (cli_is_near(word, commands[i]->name))
            return cli_usage("", "there is no command `%s`; did you mean `%s`?", word,
                             commands[i]->name);
    return cli_usage("", "there is no %s `%s`", word[0] == '-' ? "option" : "command", word);
}

static const Command *find_command(const char *word)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

// What stands behind `help`: [--man] [COMMAND]. `contra help run` is `contra run --help`.
static ExitStatus help_about(char **words)
{
    bool is_manual = *words && strcmp(*words, "--man") == 0;
    const char *word = words[is_manual];
    const Command *command = word ? find_command(word) : &cli_tool;
    if (!command)
        return refuse_command(word);
    (is_manual ? cli_manual : cli_help)(command);
    return cli_finish(EXIT_DONE);
}

static bool is_any(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words;
}

int main(int argc, char **argv)
{
    static const char *const help[] = {"--help", "-h", "help", NULL};
    static const char *const version[] = {"--version", "-V", "version", NULL};
    catch_bugs();
    fill_streams();
    signal(SIGXFSZ, SIG_IGN); // a file that must not grow is an error, like a full disk
    if (argc < 2 || strcmp(argv[1], lsp_command.name) != 0) // whose output is a protocol
        terminal_open();
    if (argc < 2) {
        cli_help(&cli_tool);
        return EXIT_USAGE;
    }
    if (is_any(argv[1], help))
        return help_about(argv + 2);
    if (is_any(argv[1], version)) {
        printf("contra %s\n", contra_version());
        return cli_finish(EXIT_DONE);
    }
    const Command *command = find_command(argv[1]);
    return command ? command->run(argc - 1, argv + 1) : refuse_command(argv[1]);
}

// The command line tool: picks the subcommand.
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const Command *const commands[] = {&check_command, &run_command,     &test_command,
                                          &map_command,   &machine_command, &explain_command,
                                          &bench_command};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0], BUG_STACK_BYTES = 64 * 1024 };

static void print_help(void)
{
    puts("contra - a toolchain for the Virtual ISA of the Tensor Contraction Processor\n"
         "\n"
         "Usage: contra COMMAND [OPTIONS]\n"
         "\n"
         "Commands:");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
    puts(
        "\n"
        "Every command takes --help, --version, --format=text|json, --color=auto|always|never\n"
        "and --machine=NAME|FILE.json.\n"
        "Exit status: 0 success, 1 refused or the answer is no, 2 wrong usage, 3 a bug in Contra,\n"
        "130 interrupted.\n"
        "\n"
        "Start with: contra check examples/hello/01_constant_add.rs\n"
        "then:       contra run examples/hello/01_constant_add.rs\n"
        "and:        contra map 'A / 8, A % 8' --axes A=32");
}

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

int main(int argc, char **argv)
{
    catch_bugs();
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help();
        return argc < 2 ? EXIT_USAGE : cli_finish(EXIT_DONE);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("contra %s\n", contra_version());
        return cli_finish(EXIT_DONE);
    }
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->run(argc - 1, argv + 1);
    return refuse_command(argv[1]);
}

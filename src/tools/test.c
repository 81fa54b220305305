#include "cli.h"
static ExitStatus run_test(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_USAGE;
}
const Command test_command = {"test", "the tests of a program", run_test};

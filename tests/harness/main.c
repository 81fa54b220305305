// The main of every unit test program.
//
// usage: PROGRAM [FILE | TEST]...    (none: all of them)
//
// FILE is a source without its folder and `_test.c`, as in `build/dev/tests/unit/engine collect
// vector/rules`. Each file runs in a process of its own, so that a crash ends only its own tests
// and its settings do not last.
#include "test.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_TESTS = 400 }; // in one file

static TestEntry *first;
static TestEntry **next = &first;

void test_add(TestEntry *test)
{
    *next = test;
    next = &test->next;
}

// ---- Which tests

// Whether `name` names a file: `vector/rules` for `..tests/unit/engine/vector/rules_test.c`.
static bool is_file(const char *path, const char *name)
{
    size_t length = strlen(path), size = strlen(name), ending = strlen("_test.c");
    if (length <= size + ending)
        return false;
    const char *start = path + length - ending - size;
    return start[-1] == '/' && strncmp(start, name, size) == 0 &&
           strcmp(start + size, "_test.c") == 0;
}

static bool is_chosen(const TestEntry *test, char **names)
{
    bool ok = !*names;
    for (; *names; names++)
        ok |= is_file(test->file, *names) || strcmp(test->name, *names) == 0;
    return ok;
}

// The next file that has a chosen test, starting at `test`.
static const TestEntry *next_file(const TestEntry *test, char **names)
{
    while (test && !(test->name && is_chosen(test, names)))
        test = test->next;
    return test;
}

static const TestEntry *skip_file(const TestEntry *test)
{
    const char *file = test->file;
    while (test && strcmp(test->file, file) == 0)
        test = test->next;
    return test;
}

// ---- Running them

static int run_file(const TestEntry *test, char **names)
{
    struct CMUnitTest tests[MOST_TESTS];
    const char *file = test->file;
    CMFixtureFunction end = NULL;
    size_t count = 0;
    for (; test && strcmp(test->file, file) == 0; test = test->next)
        if (!test->name)
            end = test->teardown;
        else if (is_chosen(test, names)) {
            assert(count < MOST_TESTS);
            tests[count++] =
                (struct CMUnitTest){test->name, test->run, test->setup, test->teardown, NULL};
        }
    const char *folder = strstr(file, "tests/");
    return _cmocka_run_group_tests(folder ? folder : file, tests, count, NULL, end);
}

static bool passes_alone(const TestEntry *test, char **names)
{
    int status = 1;
    pid_t child = fork();
    if (!child)
        exit(run_file(test, names) != 0);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (WIFSIGNALED(status))
        printf("%s: ended by signal %d\n", test->file, WTERMSIG(status));
    return status == 0;
}

// Tests print deep syntax trees recursively, and the frames of a sanitizer build are large.
static void ask_for_stack(void)
{
    enum { STACK_BYTES = 64 << 20 };
    struct rlimit limit;
    getrlimit(RLIMIT_STACK, &limit);
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < STACK_BYTES) {
        limit.rlim_cur = limit.rlim_max < STACK_BYTES ? limit.rlim_max : STACK_BYTES;
        setrlimit(RLIMIT_STACK, &limit);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    ask_for_stack();
    char **names = argv + 1;
    const TestEntry *test = next_file(first, names);
    if (!test) {
        printf("%s: there is no such test\n", argv[0]);
        return 1;
    }
    if (!next_file(skip_file(test), names))
        return run_file(test, names) != 0;
    bool ok = true;
    for (; test; test = next_file(skip_file(test), names))
        ok &= passes_alone(test, names);
    return ok ? 0 : 1;
}

// ---- What a program prints when it fails
//
// cmocka jumps out of a failed test, which leaks its memory. Reports of such leaks would bury the
// failure, so leaks are checked only if all tests passed.

static int exit_status;

static void note_status(int status, void *own)
{
    (void)own;
    exit_status = status;
}

// LeakSanitizer asks this at exit, after note_status() was called.
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return exit_status != 0;
}

// Lines appear one by one even in a pipe: an abort must not lose the name of the test that ran.
__attribute__((constructor)) static void watch_exit(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    on_exit(note_status, NULL);
}

// Unit tests register themselves: a test is just TEST(name) { .. }. The tests of a module are one
// program, and tests/harness/main.c is its main.
#ifndef CONTRA_TEST_H
#define CONTRA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> // needs those before it

// An entry that a file registers: a test, or a function called after its tests.
typedef struct TestEntry {
    const char *file, *name; // NULL: an end
    CMUnitTestFunction run;
    CMFixtureFunction setup, teardown;
    struct TestEntry *next;
} TestEntry;

void test_add(TestEntry *test);

#define TEST(name) TEST_ENTRY(name, NULL, NULL, unused_state)

// `setup` leaves something in `*state`, which the test reads and `teardown` frees.
#define TEST_WITH(name, setup, teardown) TEST_ENTRY(name, setup, teardown, state)

#define TEST_ENTRY(name_, setup_, teardown_, state)            \
    static void name_(void **state);                           \
    __attribute__((constructor)) static void add_##name_(void) \
    {                                                          \
        static TestEntry test = {.file = __FILE__,             \
                                 .name = #name_,               \
                                 .run = name_,                 \
                                 .setup = (setup_),            \
                                 .teardown = (teardown_)};     \
        test_add(&test);                                       \
    }                                                          \
    static void name_(__attribute__((unused)) void **state)

// Called after the tests of the file; what it returns counts as well.
#define TEST_END(teardown_)                                                  \
    __attribute__((constructor)) static void add_end(void)                   \
    {                                                                        \
        static TestEntry test = {.file = __FILE__, .teardown = (teardown_)}; \
        test_add(&test);                                                     \
    }

#endif

// Tests side by side, each in a process of its own: whatever becomes of one, the others run.
#ifndef CONTRA_TOOLS_TEST_POOL_H
#define CONTRA_TOOLS_TEST_POOL_H

#include "cli.h"

typedef enum {
    TEST_WAITING, // not run, or not yet
    TEST_PASSED,
    TEST_FAILED,
    TEST_TIMEOUT,
    TEST_CRASHED,
    TEST_IGNORED
} TestState;

typedef struct {
    int64_t index; // for contra_test_run
    ContraTest about;
    TestState state;
    double seconds;
    Bytes output;      // what it printed
    int64_t cut;       // how many bytes of that are left out
    Bytes message;     // why it failed, in one line
    Bytes diagnostics; // the same at length, as text
    Bytes json;        // and as JSON; of one that passed, its warnings
    Bytes warnings;    // the same as text, each terminated
} Test;

typedef struct {
    Contra *contra; // with what was loaded and checked
    const CommonOptions *common;
    ContraRunOptions run;
    int64_t jobs;
    double timeout_seconds;
    bool no_capture; // what tests print goes to standard output
    Test *tests;
    int64_t count;
    void (*finished)(void *own, const Test *test); // in any order
    void *own;
} TestPool;

// Runs those that are waiting. False: Ctrl-C; those that ran were ended.
bool test_pool_run(TestPool *pool);

#endif

// Linked into every unit test: decides what a test program prints when it fails.
//
// cmocka leaves a failed test with a jump, so whatever the test held is lost. Reports of those
// leaks would bury the reason, so leaks are looked for only if all tests passed.
#include <stdio.h>
#include <stdlib.h>

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

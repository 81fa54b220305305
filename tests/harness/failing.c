// A unit test that goes wrong in the way that WAY names, for tests/harness/run.
#include "test.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *volatile held[64];
static volatile int large = INT_MAX;

// Allocates like a test that cmocka later leaves with a jump.
static void hold_memory(void)
{
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        held[i] = malloc(100 + i);
}

static void forget_memory(void)
{
    memset((void *)(uintptr_t)held, 0, sizeof held);
}

static int fall(volatile int depth)
{
    volatile char frame[4096];
    frame[0] = 1;
    return depth == INT_MAX ? 0 : fall(depth + 1) + frame[0];
}

TEST(goes_wrong)
{
    const char *way = getenv("WAY");
    hold_memory();
    forget_memory();
    char *volatile block = malloc(10);
    volatile int far = strcmp(way, "overflow") == 0 ? 10 : 0;
    block[far] = 1;
    free(block);
    if (!strcmp(way, "crash"))
        *(volatile int *volatile)8 = 1;
    if (!strcmp(way, "stack"))
        fall(0);
    large += !strcmp(way, "undefined");
    assert(strcmp(way, "assert") != 0);
    if (!strcmp(way, "fail"))
        fail_msg("the reason is here");
}

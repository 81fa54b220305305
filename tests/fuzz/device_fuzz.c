// Programs made up of the bytes, as choices, on both executors: wherever the oracle has a value,
// the device has the same, with any number of threads and any instructions.
#include "law.h"
#include "trial.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Trials trials;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    trials_open(&trials);
    return 0;
}

// The first bytes seed the inputs of the program, which are too many to be chosen.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena arena = {0};
    StrBuf report = {.arena = &arena};
    uint64_t seed = 0;
    Choices choices = choices_of_bytes(data, size);
    for (int i = 0; i < 2; i++)
        seed = seed << 8 | (uint64_t)choose(&choices, 256);
    bool agrees = trial_run(&trials, &choices, seed, &report);
    law_of(agrees, "device and oracle agree", buf_str(&report));
    arena_release(&arena);
    return 0;
}

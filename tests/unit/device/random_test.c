// Random programs on both executors. Failing programs are reduced and printed with their seed;
// scripts/random runs any number of programs, or one again. The environment variable
// CONTRA_TEST_CASES says how many drafts to make, from seed CONTRA_TEST_SEED on;
// CONTRA_TEST_REFUSALS=1 prints what the rules refuse.
#include "trial.h"

#include "base/checked.h"
#include "sets.h"
#include "shrink.h"
#include "test.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRAMS = 2000, LEAST_ACCEPTED = 40, MOST_FAILURES = 20 };

// For each feature: how many operations were tried, how many the rules accepted, and how many
// programs with it ran on both executors.
static void print_features(const Trials *trials)
{
    print_message("%-36s %10s %10s %6s %10s\n", "feature", "accepted", "tried", "share",
                  "programs");
    for (Feature feature = 0; feature < FEATURE_COUNT; feature++)
        print_message("%-36s %10" PRId64 " %10" PRId64 " %5" PRId64 "%% %10" PRId64 "\n",
                      feature_names[feature], trials->kept[feature], trials->tried[feature],
                      100 * trials->kept[feature] / max_i64(1, trials->tried[feature]),
                      trials->agreed[feature]);
}

static void print_tally(const Trials *trials)
{
    print_message("%" PRId64 " programs, %" PRId64 " operations; %" PRId64 " of %" PRId64
                  " drafts accepted; %" PRId64 " ended early, %" PRId64 " left out\n",
                  trials->accepted, trials->operations, trials->accepted, trials->drafts,
                  trials->ended, trials->left_out);
    print_features(trials);
    for (DiagCode code = 0; code < DIAG_CODE_COUNT && getenv("CONTRA_TEST_REFUSALS"); code++)
        if (trials->refusals[code])
            print_message("%6" PRId64 " %s %s\n", trials->refusals[code], diag_infos[code].code,
                          diag_infos[code].title);
}

static int64_t case_count(void)
{
    const char *text = getenv("CONTRA_TEST_CASES");
    return text ? strtoll(text, NULL, 10) : (int64_t)(PROGRAMS * test_scale());
}

TEST(random_programs_agree)
{
    // arrays of every program are of the same few sizes: pages once taken are kept
    mallopt(M_MMAP_THRESHOLD, 1 << 25); // the most that it takes
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    Trials trials = {.explains = getenv("CONTRA_TEST_REFUSALS") != NULL};
    StrBuf report = {.arena = &trials.arena}, missing = {.arena = &trials.arena};
    int64_t failures = 0, cases = case_count();
    trials_open(&trials);
    for (int64_t i = 0; i < cases && failures < MOST_FAILURES; i++) {
        uint64_t seed = test_seed() + (uint64_t)i;
        Choices choices = choices_of_seed(seed);
        report.len = 0;
        if (trial_run(&trials, &choices, seed, &report))
            continue;
        failures++;
        printf("%.*s\n", STR_ARG(buf_str(&report))); // print_message has an end
    }
    print_tally(&trials);
    cover_missing(&trials.cover, &missing);
    if (cases >= PROGRAMS && missing.len)
        print_message("not once:\n%.*s", STR_ARG(buf_str(&missing)));
    bool accepts = cases < 100 || 100 * trials.accepted >= LEAST_ACCEPTED * trials.drafts;
    bool covers = cases < PROGRAMS || !missing.len;
    trials_close(&trials);
    assert_int_equal(failures, 0);
    assert_true(accepts);
    assert_true(covers);
}

TEST_END(sets_report)

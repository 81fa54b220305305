// Laws on random samples. A sample that breaks a law is made as small as it can be while it still
// breaks it, and told as a command line.
#ifndef CONTRA_TEST_SHRINK_H
#define CONTRA_TEST_SHRINK_H

#include "sample.h"
#include "test.h"

typedef struct {
    const char *name;
    // True: the law holds. Otherwise adds to `why` what differs, and where.
    bool (*holds)(const Sample *sample, StrBuf *why);
    // Fills axes, expressions and number.
    void (*fill)(Sample *sample, Rng *rng);
    const char *question; // of `contra map`, for the second expression or the number; NULL: --cells
    int64_t cases;        // at a scale of 1
} Law;

// The smallest sample that is found to break the law. Requires: `sample` does.
Sample law_shrink(const Law *law, const Sample *sample);

// "contra map 'A' --axes A=4 --equal 'B'", and what differs.
Str law_report(Arena *arena, const Law *law, const Sample *sample);

// Tries the law; a broken one is a failed test with its report.
void law_check(const Law *law);

#define LAW_TEST(test, law, sampler, ask, count)            \
    TEST(test)                                              \
    {                                                       \
        law_check(&(Law){#test, law, sampler, ask, count}); \
    }

// CONTRA_TEST_SCALE: how many of the usual cases to try, 1 where it is not set.
double test_scale(void);
// So many of `count` cases that are usually all tried: fewer below a scale of 0.25, as with
// sanitizers.
int64_t test_share(int64_t count);
// CONTRA_TEST_SEED, 1 where it is not set.
uint64_t test_seed(void);

#endif

// Ranges with owners, against an array of bytes.
#include "engine/memory/intervals.h"

#include "base/checked.h"
#include "test.h"

#include <string.h>

enum { BYTES = 64, ROUNDS = 20000, NOBODY = -1 };

static uint64_t random_state = 1;

static int64_t below(int64_t bound)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return (int64_t)((random_state >> 33) % (uint64_t)bound);
}

typedef struct {
    int64_t values[BYTES];
    int64_t end; // of the last interval
} Seen;

static void see(void *context, const Interval *interval)
{
    Seen *seen = context;
    assert_true(interval->low < interval->high && interval->low >= seen->end);
    for (int64_t i = interval->low; i < interval->high; i++)
        seen->values[i] = interval->value;
    seen->end = interval->high;
}

TEST(intervals_are_what_was_set_last)
{
    Arena arena = {0};
    IntervalNodes nodes = {.arena = &arena};
    Intervals intervals = {.nodes = &nodes};
    int64_t bytes[BYTES];
    for (int i = 0; i < BYTES; i++)
        bytes[i] = NOBODY;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t low = below(BYTES), high = low + 1 + below(BYTES - low);
        bool clears = below(4) == 0;
        if (clears)
            intervals_clear(&intervals, low, high);
        else
            intervals_set(&intervals, (Interval){low, high, round});
        for (int64_t i = low; i < high; i++)
            bytes[i] = clears ? NOBODY : round;
        int64_t from = below(BYTES), to = from + 1 + below(BYTES - from);
        Seen seen = {.end = from};
        for (int i = 0; i < BYTES; i++)
            seen.values[i] = NOBODY;
        intervals_each(&intervals, from, to, see, &seen);
        for (int64_t i = 0; i < BYTES; i++)
            assert_int_equal(seen.values[i], i >= from && i < to ? bytes[i] : NOBODY);
    }
    arena_release(&arena);
}

// However often they are set: there are never more than bytes.
TEST(nodes_are_given_back)
{
    enum { SETS = 4 };
    Arena arena = {0};
    IntervalNodes nodes = {.arena = &arena};
    Intervals sets[SETS];
    for (int i = 0; i < SETS; i++)
        sets[i] = (Intervals){.nodes = &nodes};
    const uint8_t *end = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        Intervals *set = &sets[round % SETS];
        int64_t low = below(BYTES);
        intervals_set(set, (Interval){low, low + 1 + below(BYTES - low), round});
        if (below(SETS * BYTES) == 0)
            intervals_clear_all(set);
        for (int64_t i = 0; round == ROUNDS / 2 && i < 2 * SETS * BYTES; i++) // all there can be
            intervals_set(&sets[i / BYTES % SETS], (Interval){i % BYTES, i % BYTES + 1, i});
        end = round == ROUNDS / 2 ? arena.next : end;
    }
    assert_ptr_equal(arena.next, end);
    arena_release(&arena);
}

// The longest row of accesses to one bank, against a walk over all of them.
#include "command/bank.h"

#include "base/checked.h"
#include "shrink.h"
#include "test.h"

#include <inttypes.h>
#include <string.h>

enum { BANKS = 16, ROW = 8, LOOPS = 4 };

typedef struct {
    int64_t runs[BANKS], longest;
} Walked;

static void walk_access(Walked *walked, int64_t address, int64_t bytes)
{
    bool touched[BANKS] = {0};
    for (int64_t row = address / ROW; row <= (address + bytes - 1) / ROW; row++)
        touched[row % BANKS] = true;
    for (int i = 0; i < BANKS; i++) {
        walked->runs[i] = touched[i] ? walked->runs[i] + 1 : 0;
        walked->longest = max_i64(walked->longest, walked->runs[i]);
    }
}

// Element by element; what lies together is accessed access_bytes at a time.
static int64_t walk_all(const HwNest *nest)
{
    Walked walked = {0};
    int64_t index[LOOPS] = {0}, next = -1, left = 0, bits = nest->element_bits;
    for (bool more = true; more;) {
        int64_t element = 0;
        for (int64_t i = 0; i < nest->loops.count; i++) {
            const HwLoop *loop = &nest->loops.items[i];
            element +=
                loop->offsets.count ? loop->offsets.items[index[i]] : index[i] * loop->stride;
        }
        int64_t bit = nest->base * 8 + element * bits;
        if (bit != next || left <= 0) {
            walk_access(&walked, bit / 8, nest->access_bytes);
            left = nest->access_bytes * 8;
        }
        next = bit + bits;
        left -= bits;
        more = false;
        for (int64_t i = nest->loops.count - 1; i >= 0 && !more; i--) {
            more = ++index[i] < nest->loops.items[i].size;
            if (!more)
                index[i] = 0;
        }
    }
    return walked.longest;
}

static int64_t elements_of(const HwNest *nest)
{
    int64_t elements = 1;
    for (int64_t i = 0; i < nest->loops.count; i++)
        elements *= nest->loops.items[i].size;
    return elements;
}

static void expect_walked(const HwNest *nest)
{
    int64_t have = bank_streak(&machine_rngd, nest, elements_of(nest)), want = walk_all(nest);
    if (have != want)
        fail_msg("%" PRId64 " accesses in a row instead of %" PRId64 ": access %" PRId64
                 ", base %" PRId64 ", loops %" PRId64 ":%" PRId64 " %" PRId64 ":%" PRId64
                 " %" PRId64 ":%" PRId64 " %" PRId64 ":%" PRId64,
                 have, want, nest->access_bytes, nest->base, nest->loops.items[0].size,
                 nest->loops.items[0].stride, nest->loops.items[1].size,
                 nest->loops.items[1].stride, nest->loops.items[2].size,
                 nest->loops.items[2].stride, nest->loops.items[3].size,
                 nest->loops.items[3].stride);
}

static uint64_t random_state = 7;

static int64_t random_below(int64_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(random_state >> 33) % limit;
}

// The innermost loop is a whole number of accesses that lie together; those around it go anywhere.
TEST(streaks_are_those_of_a_walk)
{
    static const int64_t offsets[] = {0, 384, 128, 8, 256, 24};
    for (int i = 0; i < test_share(2000); i++) {
        int64_t access = INT64_C(8) << random_below(3), bits = random_below(2) ? 8 : 32;
        int64_t each = access * 8 / bits;
        HwLoop loops[LOOPS];
        for (int k = 0; k < LOOPS - 1; k++) {
            int64_t stride = random_below(3) ? random_below(12) * 128 : random_below(40) * 8;
            loops[k] = (HwLoop){.size = 1 + random_below(9), .stride = stride * 8 / bits};
            if (random_below(5) == 0 && bits == 8)
                loops[k].offsets = (IntList){.items = (int64_t *)(uintptr_t)offsets, .count = 6};
            if (loops[k].offsets.count)
                loops[k].size = 6;
        }
        loops[LOOPS - 1] = (HwLoop){.size = each * (1 + random_below(3)), .stride = 1};
        // loops that go on where the innermost ends are for the sequencer to join
        if (loops[LOOPS - 2].stride == loops[LOOPS - 1].size)
            continue;
        HwNest nest = {.loops = {loops, LOOPS, LOOPS},
                       .element_bits = bits,
                       .base = random_below(64) * 8,
                       .access_bytes = access};
        expect_walked(&nest);
    }
}

TEST(long_nests_are_quick)
{
    HwLoop loops[] = {{.size = 65536, .stride = 128},
                      {.size = 65536, .stride = 256},
                      {.size = 65536, .stride = 1024},
                      {.size = 32, .stride = 1}};
    HwNest nest = {.loops = {loops, 4, 4}, .element_bits = 8, .access_bytes = 32};
    assert_true(bank_streak(&machine_rngd, &nest, INT64_MAX) >= INT64_C(1) << 40);
    assert_int_equal(bank_streak(&machine_rngd, &nest, 32 * 100), 100); // the rest is not reached
    loops[2].stride = 1024 + 32;
    assert_int_equal(bank_streak(&machine_rngd, &nest, INT64_MAX), 1);
}

// A nest makes one access at least; what is not worked out is said to be unknown.
TEST(unknown_is_no_count)
{
    enum { MANY = 16 };
    Machine many_banks = machine_rngd;
    HwLoop loops[MANY];
    for (int i = 0; i < MANY; i++)
        loops[i] = (HwLoop){.size = 2, .stride = 1};
    HwNest nest = {.element_bits = 8, .access_bytes = 8};
    assert_int_equal(bank_streak(&machine_rngd, &nest, 0), 1);
    assert_int_equal(bank_streak(&machine_rngd, &nest, 1), 1);
    nest.loops.items = loops;
    nest.loops.count = MANY - 1;
    assert_true(bank_streak(&machine_rngd, &nest, INT64_MAX) >= 1);
    nest.loops.count = MANY;
    assert_int_equal(bank_streak(&machine_rngd, &nest, INT64_MAX), BANK_STREAK_UNKNOWN);
    nest.loops.count = 1;
    loops[0].stride = 8;
    many_banks.dm_banks_per_slice = 4096;
    assert_int_equal(bank_streak(&many_banks, &nest, 2), BANK_STREAK_UNKNOWN);
}

// As in objects that no compiler writes: a sum or a product of them is no number any more.
TEST(numbers_may_be_any)
{
    static const int64_t sizes[] = {0, -7, 1, 3, 65536, INT64_C(1) << 48, INT64_MAX, INT64_MIN};
    static const int64_t strides[] = {0, 1, -1, INT64_C(1) << 48, INT64_MAX, INT64_MIN};
    static const int64_t offsets[] = {INT64_MAX, INT64_MIN, INT64_C(1) << 60, 0};
    enum { SIZES = COUNT_OF(sizes), STRIDES = COUNT_OF(strides) };
    for (int i = 0; i < SIZES * SIZES * STRIDES * STRIDES; i++) {
        HwLoop loops[] = {
            {.size = sizes[i % SIZES], .stride = strides[i / SIZES / SIZES % STRIDES]},
            {.size = 4, .offsets = {.items = (int64_t *)(uintptr_t)offsets, .count = 4}},
            {.size = sizes[i / SIZES % SIZES], .stride = strides[i / SIZES / SIZES / STRIDES]},
        };
        HwNest nest = {.loops = {loops, COUNT_OF(loops), COUNT_OF(loops)},
                       .element_bits = i % 2 ? 4 : 64,
                       .base = strides[i % STRIDES],
                       .access_bytes = sizes[i % SIZES]};
        assert_true(bank_streak(&machine_rngd, &nest, sizes[i / SIZES % SIZES]) >= 0);
        nest.loops.count = 1;
        assert_true(bank_streak(&machine_rngd, &nest, INT64_MAX) >= 0);
    }
}

// Larger by whole rounds over the banks: the same.
TEST(far_strides_are_near_ones)
{
    HwLoop loops[] = {{.size = 5, .stride = 128}, {.size = 32, .stride = 1}};
    HwNest nest = {.loops = {loops, 2, 2}, .element_bits = 8, .access_bytes = 32};
    assert_int_equal(bank_streak(&machine_rngd, &nest, 160), 5);
    loops[0].stride += INT64_C(1) << 61;
    nest.base = INT64_C(1) << 61;
    assert_int_equal(bank_streak(&machine_rngd, &nest, 160), 5);
}

// Shadows against an array of one number a byte, and runs of data against a look at each position.
#include "device/sanitize.h"

#include "base/checked.h"
#include "base/heap.h"
#include "command/nest.h"
#include "shrink.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 1000, ROUNDS = 20000 };

static void stretches_are_those_of_the_bytes(const Shadow *shadow, const uint16_t *plain)
{
    uint16_t value;
    for (int64_t at = 0, alike; at < SIZE; at += alike) {
        alike = shadow_alike(shadow, at, SIZE, &value);
        assert_int_equal(value, plain[at]);
        int64_t end = at;
        while (end < SIZE && plain[end] == plain[at])
            end++;
        assert_int_equal(alike, end - at);
    }
}

TEST(shadows_hold_what_was_filled_in)
{
    static const uint16_t values[] = {SHADOW_NONE,  SHADOW_PADDING,   SHADOW_LEFT,
                                      SHADOW_FIRST, SHADOW_FIRST + 1, SHADOW_LAST};
    SmallRng rng = small_rng_seed_from_u64(3);
    ShadowSpace space = {0};
    uint16_t plain[SIZE] = {0};
    assert_true(shadow_new(&space, 3, SIZE));
    Shadow shadow = shadow_of(&space, 1, SIZE);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t from = small_rng_next_u32(&rng) % SIZE, to = from;
        to += small_rng_next_u32(&rng) % (round % 2 ? 20 : SIZE);
        to = min_i64(to, SIZE);
        uint16_t value = values[small_rng_next_u32(&rng) % COUNT_OF(values)];
        bool renews = round % 7 == 0 && value > SHADOW_LEFT;
        if (renews)
            shadow_renew(&shadow, from, to, value);
        else
            shadow_fill(&shadow, from, to, value);
        for (int64_t i = from; i < to; i++)
            plain[i] = renews && plain[i] <= SHADOW_LEFT ? plain[i] : value;
        if (round % 16 == 0)
            stretches_are_those_of_the_bytes(&shadow, plain);
    }
    Shadow before = shadow_of(&space, 0, SIZE), behind = shadow_of(&space, 2, SIZE);
    uint16_t none[SIZE] = {0};
    stretches_are_those_of_the_bytes(&before, none);
    stretches_are_those_of_the_bytes(&behind, none);
    shadow_free(&space);
}

TEST(old_writers_lose_their_numbers_and_nothing_else)
{
    ShadowSpace space = {0};
    uint16_t plain[SIZE] = {0};
    assert_true(shadow_new(&space, 1, SIZE));
    Shadow shadow = shadow_of(&space, 0, SIZE);
    for (int64_t at = 0, i = 0; at < SIZE; at += 37, i++) { // blocks of one kind, and of several
        uint16_t value =
            (uint16_t[]){SHADOW_NONE, SHADOW_PADDING, SHADOW_LEFT, SHADOW_FIRST}[i % 4];
        int64_t end = min_i64(SIZE, at + (i > 12 ? 37 : 200));
        shadow_fill(&shadow, at, end, value);
        for (int64_t k = at; k < end; k++)
            plain[k] = value == SHADOW_FIRST ? SHADOW_OLD : value;
    }
    shadow_age(&shadow, 0, SIZE);
    stretches_are_those_of_the_bytes(&shadow, plain);
    shadow_free(&space);
}

// ---- nests

static void count_run(void *own, int64_t element, int64_t count)
{
    uint8_t *seen = own;
    for (int64_t i = 0; i < count; i++)
        seen[element + i]++;
}

TEST(nests_lead_where_they_led_before)
{
    SmallRng rng = small_rng_seed_from_u64(4);
    for (int round = 0; round < 500; round++) {
        static const int64_t strides[] = {0, 1, 2, 3, 4, 8, 12};
        Nest nest = {0}, once;
        uint8_t plain[SIZE] = {0}, joined[SIZE] = {0}, places[SIZE] = {0};
        nest.count = 1 + small_rng_next_u32(&rng) % 4;
        for (int64_t i = 0; i < nest.count; i++)
            nest.loops[i] = (NestLoop){1 + small_rng_next_u32(&rng) % 4,
                                       {strides[small_rng_next_u32(&rng) % COUNT_OF(strides)]},
                                       NULL};
        int64_t size = nest_size(&nest);
        for (int64_t i = 0; i < size; i++)
            plain[nest_offset(&nest, i)]++;
        once = nest;
        nest.count = loops_join(nest.loops, nest.count);
        assert_int_equal(nest_size(&nest), size);
        nest_runs(&nest, 0, size / 3, count_run, joined);
        nest_runs(&nest, size / 3, size, count_run, joined);
        assert_memory_equal(plain, joined, SIZE);
        nest_once(&once);
        nest_runs(&once, 0, nest_size(&once), count_run, places);
        for (int64_t i = 0; i < SIZE; i++)
            assert_int_equal(plain[i] != 0, places[i] != 0);
    }
}

// Of loops that no walk ever ends.
TEST(nests_may_be_endless)
{
    const int64_t size = INT64_C(1) << 32, stride = INT64_C(1) << 47;
    Nest nest = {.loops = {{size, {stride}, NULL}, {size, {stride}, NULL}, {size, {1}, NULL}},
                 .count = 3};
    uint8_t seen[SIZE] = {0};
    assert_true(nest_size(&nest) == INT64_MAX);
    nest.count = loops_join(nest.loops, nest.count);
    assert_true(nest_size(&nest) == INT64_MAX);
    nest_runs(&nest, 0, SIZE, count_run, seen);
    for (int64_t i = 0; i < SIZE; i++)
        assert_int_equal(seen[i], 1);
}

// ---- data

static void set_run(void *own, int64_t from, int64_t to)
{
    memset((uint8_t *)own + from, 1, (size_t)(to - from));
}

TEST(data_is_found_in_runs)
{
    SmallRng rng = small_rng_seed_from_u64(5);
    for (int round = 0; round < 2000; round++) {
        HwCheckTerm terms[2];
        for (int i = 0; i < 2; i++) {
            int64_t place = 1 + small_rng_next_u32(&rng) % 9;
            terms[i] = (HwCheckTerm){.of = -1,
                                     .modulo = place * (1 + small_rng_next_u32(&rng) % 9),
                                     .place = place,
                                     .weight = 1 + small_rng_next_u32(&rng) % 3};
        }
        HwCheck check = {.offset = (int64_t)(small_rng_next_u32(&rng) % 5) - 2,
                         .limit = small_rng_next_u32(&rng) % 20};
        check.terms.items = terms;
        check.terms.count = 1 + small_rng_next_u32(&rng) % 2;
        const HwCheckList test = {&check, 1, 1};
        uint8_t lanes[SIZE], runs[SIZE] = {0};
        int64_t first = small_rng_next_u32(&rng) % 50, count = 1 + small_rng_next_u32(&rng) % 300;
        data_lanes(&test, first, count, lanes);
        data_runs(&test, first, count, set_run, runs);
        assert_memory_equal(lanes, runs, (size_t)count);
        int64_t data = 0;
        for (int64_t i = 0; i < count; i++)
            data += lanes[i];
        DataShare share = data_share(&test, first, count);
        assert_true(share == DATA_SOME || (share == DATA_ALL ? data == count : data == 0));
    }
}

// A few checks as the lowering makes them: digits of units, of positions, and of sums before.
static void draw_checks(SmallRng *rng, int64_t span, HwCheckTerm terms[3][2], HwCheck checks[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            int64_t unit = small_rng_next_u32(rng) % 3 == 0 ? span : 1;
            int64_t place = unit * (1 + small_rng_next_u32(rng) % 4);
            terms[i][k] = (HwCheckTerm){.of = small_rng_next_u32(rng) % 4 == 0 ? i - 1 : -1,
                                        .modulo = place * (1 + small_rng_next_u32(rng) % 6),
                                        .place = place,
                                        .weight = (int64_t)(small_rng_next_u32(rng) % 5) - 1};
        }
        checks[i] = (HwCheck){.offset = (int64_t)(small_rng_next_u32(rng) % 4) - 1,
                              .limit = 1 + small_rng_next_u32(rng) % 12,
                              .modulo = small_rng_next_u32(rng) % 4 ? 0 : 7};
        checks[i].terms.items = terms[i];
        checks[i].terms.count = 1 + small_rng_next_u32(rng) % 2;
    }
}

TEST(stretches_that_are_alike_are)
{
    SmallRng rng = small_rng_seed_from_u64(6);
    int64_t alike = 0, found = 0;
    for (int round = 0; round < 20000; round++) {
        HwCheckTerm terms[3][2];
        HwCheck checks[3];
        uint8_t one[SIZE], other[SIZE];
        int64_t span = 1 + small_rng_next_u32(&rng) % 24;
        int64_t first = span * (small_rng_next_u32(&rng) % 9);
        int64_t second = span * (small_rng_next_u32(&rng) % 9);
        draw_checks(&rng, span, terms, checks);
        const HwCheckList test = {.items = checks, .count = 1 + small_rng_next_u32(&rng) % 3};
        data_lanes(&test, first, span, one);
        data_lanes(&test, second, span, other);
        bool same = memcmp(one, other, (size_t)span) == 0;
        bool said = data_alike(&test, first, second, span);
        assert_true(same || !said);
        alike += same;
        found += said;
    }
    assert_true(found > alike / 2);
}

TEST(painted_runs_come_back)
{
    Painter painter;
    RunList runs;
    assert_true(painter_new(&painter, SIZE));
    painter_paint(&painter, 10, 40, 2);
    painter_paint(&painter, 20, 30, 1);
    painter_paint(&painter, 40, 50, 2);
    painter_paint(&painter, SIZE - 5, SIZE + 7, 1);
    painter_paint(&painter, -3, 1, 1);
    assert_true(painter_take(&painter, &runs));
    static const Run expected[] = {
        {0, 1, 1}, {10, 20, 2}, {20, 30, 1}, {30, 50, 2}, {SIZE - 5, SIZE, 1}};
    assert_int_equal(runs.count, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(runs.items[i].low, expected[i].low);
        assert_int_equal(runs.items[i].high, expected[i].high);
        assert_int_equal(runs.items[i].mark, expected[i].mark);
    }
    assert_int_equal(runs.outside, SIZE);
    assert_int_equal(runs.outside_count, 10);
    heap_free(runs.items);
    assert_true(painter_take(&painter, &runs));
    assert_int_equal(runs.count, 0);
    heap_free(runs.items);
    painter_free(&painter);
}

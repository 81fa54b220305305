// The nearest of several names.
#include "base/near.h"

#include "base/checked.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static int64_t distance(const char *a, const char *b, int64_t limit)
{
    Near near = {.name = str_from(a), .most = limit};
    return near_try(&near, str_from(b)) ? near.distance : limit + 1;
}

TEST(distances_up_to_a_limit)
{
    assert_int_equal(distance("slice", "slice", 2), 0);
    assert_int_equal(distance("slice", "slcie", 2), 1); // a swap
    assert_int_equal(distance("ab", "ba", 2), 1);
    assert_int_equal(distance("tdma", "dtam", 3), 2); // two swaps
    assert_int_equal(distance("abc", "cab", 3), 2);
    assert_int_equal(distance("indx", "idnx", 2), 1);
    assert_int_equal(distance("slice", "slices", 1), 1);
    assert_int_equal(distance("", "ab", 2), 2);
    assert_int_equal(distance("kitten", "sitting", 3), 3);
    assert_int_equal(distance("kitten", "sitting", 2), 3); // too far
    assert_int_equal(distance("a", "abcdef", 4), 5);       // too far, by the lengths alone
    assert_int_equal(distance("abcdef", "a", 5), 5);
}

TEST(the_first_of_equally_near_names_is_best)
{
    Near near = {.name = STR("axes"), .least = 1, .most = 2};
    assert_false(near_try(&near, STR("axes"))); // the name itself
    assert_true(near_try(&near, STR("axis")));
    assert_false(near.is_shared);
    assert_false(near_try(&near, STR("axs")));
    assert_true(near.is_shared);
    assert_true(str_equal(near.best, STR("axis")));
    near_search(&near, &STR("axe"), 1); // a search goes by the names
    assert_true(str_equal(near.best, STR("axe")));
    assert_int_equal(near.distance, 1);
}

static int compare(const void *a, const void *b)
{
    return str_compare(*(const Str *)a, *(const Str *)b);
}

// Slowly: every name on its own.
static Near one_by_one(Near near, const Str *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        near_search(&near, &names[i], 1);
    return near;
}

// Short words of few letters, so that many begin alike and many are near.
static Str random_word(Arena *arena, uint32_t *seed)
{
    StrBuf buf = {.arena = arena};
    *seed = *seed * 1664525 + 1013904223;
    for (uint32_t rest = *seed >> 4, i = 0; i < 2 + (*seed >> 29); i++, rest /= 3)
        buf_add_char(&buf, (char)('a' + rest % 3));
    return buf_str(&buf);
}

TEST(a_search_finds_what_trying_each_name_finds)
{
    enum { COUNT = 200, ASKED = 300 };
    Arena arena = {0};
    Str names[COUNT];
    uint32_t seed = 7;
    for (int i = 0; i < COUNT; i++)
        names[i] = random_word(&arena, &seed);
    qsort(names, COUNT, sizeof *names, compare);
    for (int i = 0; i < ASKED; i++) {
        Near near = {.name = random_word(&arena, &seed), .least = i % 2, .most = i % 5};
        Near slow = one_by_one(near, names, COUNT);
        near_search(&near, names, COUNT);
        assert_int_equal(near.distance, slow.distance);
        assert_true(str_equal(near.best, slow.best));
    }
    arena_release(&arena);
}

TEST(long_names_are_far_from_all)
{
    char text[80];
    memset(text, 'a', sizeof text);
    Str names[] = {STR("aa"), {text, 65}, {text, 66}};
    Near near = {.name = {text, 64}, .most = 3};
    near_search(&near, names, 3);
    assert_null(near.best.data);
    near.name.len = 65;
    near_search(&near, names, 3);
    assert_null(near.best.data);
}

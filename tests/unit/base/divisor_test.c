// divisor_at_least against search by hand, and on numbers with large prime factors.
#include "base/checked.h"
#include "base/divisor.h"
#include "test.h"

static int64_t by_hand(int64_t number, int64_t least)
{
    while (number % least)
        least++;
    return least;
}

TEST(small_numbers_agree_with_search)
{
    for (int64_t number = 1; number <= 1200; number++)
        for (int64_t least = 1; least <= number; least++)
            assert_int_equal(divisor_at_least(number, least), by_hand(number, least));
}

TEST(large_prime_factors_are_found)
{
    static const struct {
        int64_t number, least, divisor;
    } cases[] = {
        {153122393152290871, 268435456, 285212677}, // 285212677 * 536870923
        {153122393152290871, 285212678, 536870923},
        {153122393152290871, 536870924, 153122393152290871},
        {INT64_C(1) << 62, 3, 4},
        {(INT64_C(1) << 62) - 1, 1000, 715827883},     // 3 * 715827883 * 2147483647
        {4611686014132420609, 3, 2147483647},          // a prime squared
        {9223372036854775783, 2, 9223372036854775783}, // the largest prime of 63 bits
        {9223372036854775807, 8, 49},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(divisor_at_least(cases[i].number, cases[i].least), cases[i].divisor);
}

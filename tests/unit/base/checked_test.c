// Checked arithmetic at the edges of 64 bits, against arithmetic in 128.
#include "base/checked.h"

#include "test.h"

__extension__ typedef __int128 Wide;

static const int64_t edges[] = {
    INT64_MIN,
    INT64_MIN + 1,
    -3037000500,
    -65536,
    -3,
    -2,
    -1,
    0,
    1,
    2,
    3,
    7,
    65536,
    INT32_MAX,
    3037000499,
    3037000500,
    INT64_MAX / 3,
    INT64_MAX / 2,
    INT64_MAX / 2 + 1,
    INT64_MAX - 1,
    INT64_MAX,
};

static void check(bool fits, int64_t result, Wide exact)
{
    bool should = exact >= INT64_MIN && exact <= INT64_MAX;
    assert_int_equal(fits, should);
    if (fits)
        assert_true(result == exact);
}

TEST(results_are_exact_or_refused)
{
    for (size_t i = 0; i < COUNT_OF(edges); i++) {
        for (size_t k = 0; k < COUNT_OF(edges); k++) {
            int64_t a = edges[i], b = edges[k], result = 0;
            bool fits = checked_add(a, b, &result);
            check(fits, result, (Wide)a + b);
            fits = checked_mul(a, b, &result);
            check(fits, result, (Wide)a * b);
            assert_true(min_i64(a, b) <= max_i64(a, b));
            assert_true(min_i64(a, b) == (a < b ? a : b));
            assert_true(max_i64(a, b) == (a < b ? b : a));
        }
    }
}

TEST(division_rounds_up)
{
    for (int64_t a = 0; a < 60; a++) {
        for (int64_t b = 1; b < 20; b++) {
            int64_t q = ceil_div(a, b);
            assert_true(q * b >= a && (q - 1) * b < a);
        }
    }
    assert_true(ceil_div(INT64_MAX, 1) == INT64_MAX);
    assert_true(ceil_div(INT64_MAX, 2) == INT64_MAX / 2 + 1);
    assert_true(ceil_div(INT64_MAX, INT64_MAX) == 1);
    assert_true(ceil_div(INT64_MAX - 1, INT64_MAX) == 1);
}

TEST(the_greatest_common_divisor)
{
    for (int64_t a = 0; a < 40; a++) {
        for (int64_t b = 0; b < 40; b++) {
            int64_t greatest = 0;
            for (int64_t d = 1; d <= 40; d++)
                if (a % d == 0 && b % d == 0)
                    greatest = d;
            if (a || b)
                assert_int_equal(gcd_i64(a, b), a && b ? greatest : a + b);
        }
    }
    assert_true(gcd_i64(INT64_MAX, INT64_MAX) == INT64_MAX);
    assert_true(gcd_i64(INT64_MAX, 7) == 7); // 7 * 7 * 73 * 127 * 337 * 92737 * 649657
    assert_true(gcd_i64(INT64_C(1) << 62, 96) == 32);
}

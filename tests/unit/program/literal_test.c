// Values as text: every bit pattern comes back, whatever the locale.
#include "program_support.h"

#include "program/text_form.h"
#include "shrink.h"

#include <inttypes.h>
#include <locale.h>

static const char *printed(Arena *arena, Scalar type, uint32_t bits)
{
    StrBuf out = {.arena = arena};
    literal_print(&out, type, bits);
    return str_terminated(arena, buf_str(&out));
}

TEST(values_have_a_short_form)
{
    static const struct {
        Scalar type;
        uint32_t bits;
        const char *text;
    } cases[] = {
        {SCALAR_I32, 0, "0"},
        {SCALAR_I32, 100, "100"},
        {SCALAR_I32, 0x80000000, "-2147483648"},
        {SCALAR_I8, 0xffffff80, "-128"},
        {SCALAR_I8, 0x80, "0x80"}, // not as a value of i8 travels
        {SCALAR_U8, 0xff, "255"},
        {SCALAR_BF16, 0x3f80, "0x3f80"},
        {SCALAR_F32, 0, "0.0"},
        {SCALAR_F32, 0x80000000, "-0.0"},
        {SCALAR_F32, 0x3f800000, "1.0"},
        {SCALAR_F32, 0x3fc00000, "1.5"},
        {SCALAR_F32, 0x3dcccccd, "0.1"},
        {SCALAR_F32, 0x4b189680, "10000000.0"},
        {SCALAR_F32, 0x4cbebc20, "100000000.0"},
        {SCALAR_F32, 0x4e6e6b28, "1e9"},
        {SCALAR_F32, 0x37a7c5ac, "0.00002"},
        {SCALAR_F32, 0x358637bd, "1e-6"},
        {SCALAR_F32, 0x7f7fffff, "3.4028235e38"},
        {SCALAR_F32, 0x00800000, "1.1754944e-38"},
        {SCALAR_F32, 1, "1e-45"},
        {SCALAR_F32, 0x7f800000, "0x7f800000"},
        {SCALAR_F32, 0xffc00001, "0xffc00001"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        uint32_t bits;
        assert_string_equal(printed(&arena, cases[i].type, cases[i].bits), cases[i].text);
        assert_true(literal_bits(cases[i].type, str_from(cases[i].text), &bits));
        assert_int_equal(bits, cases[i].bits);
        arena_release(&arena);
    }
}

TEST(other_spellings_are_read)
{
    static const struct {
        Scalar type;
        const char *text;
        uint32_t bits;
    } cases[] = {
        {SCALAR_F32, "1", 0x3f800000},
        {SCALAR_F32, "1.", 0x3f800000},
        {SCALAR_F32, "1E0", 0x3f800000},
        {SCALAR_F32, "10e-1", 0x3f800000},
        {SCALAR_F32, "0.5e+1", 0x40a00000},
        {SCALAR_F32, "16777217", 0x4b800000},
        {SCALAR_F32, "1e-99", 0},
        {SCALAR_BF16, "1.5", 0x3fc0},
        {SCALAR_BF16, "-2", 0xc000},
        {SCALAR_I32, "0xFFFFFFFF", 0xffffffff},
        {SCALAR_I32, "-0", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t bits;
        assert_true(literal_bits(cases[i].type, str_from(cases[i].text), &bits));
        assert_int_equal(bits, cases[i].bits);
    }
}

TEST(what_is_no_value_is_refused)
{
    static const struct {
        Scalar type;
        const char *text;
    } cases[] = {
        {SCALAR_I32, ""},
        {SCALAR_I32, "-"},
        {SCALAR_I32, "2147483648"},
        {SCALAR_I32, "-2147483649"},
        {SCALAR_I32, "1.0"},
        {SCALAR_I32, "1e3"},
        {SCALAR_I32, "0x"},
        {SCALAR_I32, "0x123456789"},
        {SCALAR_I32, "0xg"},
        {SCALAR_I8, "128"},
        {SCALAR_U8, "-1"},
        {SCALAR_U8, "256"},
        {SCALAR_F32, "e5"},
        {SCALAR_F32, "1e"},
        {SCALAR_F32, "1e+"},
        {SCALAR_F32, "1.5.5"},
        {SCALAR_F32, "1x"},
        {SCALAR_F32, "nan"},
        {SCALAR_F32, "1e39"},
        {SCALAR_F32, "1e99999"},
        {SCALAR_F32, "-0x3f800000"},
        {SCALAR_F32, "11111111112222222222333333333344444444445"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t bits;
        if (literal_bits(cases[i].type, str_from(cases[i].text), &bits))
            fail_msg("`%s` is read as a %s", cases[i].text, scalar_name(cases[i].type));
    }
}

// Spread over all patterns, with every exponent.
static void check_patterns(uint32_t step)
{
    Arena arena = {0};
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        uint32_t back = 0;
        const char *text = printed(&arena, SCALAR_F32, (uint32_t)bits);
        if (!literal_bits(SCALAR_F32, str_from(text), &back) || back != bits)
            fail_msg("0x%08" PRIx32 " is printed as %s and read as 0x%08" PRIx32, (uint32_t)bits,
                     text, back);
        arena_clear(&arena);
    }
    arena_release(&arena);
}

TEST(floats_survive)
{
    check_patterns((uint32_t)(100003 / test_scale()) | 1);
}

TEST(the_locale_does_not_matter)
{
    static const char *const commas[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "cs_CZ.UTF-8"};
    for (size_t i = 0; i < COUNT_OF(commas); i++)
        if (setlocale(LC_NUMERIC, commas[i]))
            break;
    check_patterns(10000019);
    setlocale(LC_NUMERIC, "C");
}

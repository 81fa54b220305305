// Strings with a length, text under construction, interned names.
#include "base/str.h"

#include "base/checked.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const Str nothing = {NULL, 0};

static void assert_str(Str text, const char *expected)
{
    assert_int_equal(text.len, strlen(expected));
    if (text.len)
        assert_memory_equal(text.data, expected, (size_t)text.len);
}

TEST(equality_is_of_all_bytes)
{
    assert_true(str_equal(STR("axis"), str_from("axis")));
    assert_false(str_equal(STR("axis"), STR("axes")));
    assert_false(str_equal(STR("axis"), STR("axi")));
    assert_true(str_equal(nothing, STR("")));
    assert_false(str_equal(nothing, STR("a")));
    assert_true(str_equal((Str){"a\0b", 3}, (Str){"a\0b", 3}));
    assert_false(str_equal((Str){"a\0b", 3}, (Str){"a\0c", 3}));
}

TEST(articles)
{
    static const char *const vowels[] = {"AlignedPair", "AccumulationTensor", "HbmTensor", "i32"};
    static const char *const others[] = {"DmTensor", "HostTensor", "u8", ""};
    for (size_t i = 0; i < COUNT_OF(vowels); i++)
        assert_string_equal(str_article(str_from(vowels[i])), "an");
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_string_equal(str_article(str_from(others[i])), "a");
}

TEST(prefixes)
{
    assert_true(str_compare(STR("axis"), STR("axis")) == 0 && str_compare(nothing, nothing) == 0);
    assert_true(str_compare(STR("ax"), STR("axis")) < 0 && str_compare(STR("b"), STR("axis")) > 0);
    assert_true(str_compare(nothing, STR("a")) < 0 && str_compare(STR("a"), nothing) > 0);
    assert_true(str_starts_with(STR("axis"), STR("ax")));
    assert_true(str_starts_with(STR("axis"), STR("axis")));
    assert_true(str_starts_with(STR("axis"), STR("")));
    assert_true(str_starts_with(nothing, nothing));
    assert_false(str_starts_with(STR("ax"), STR("axis")));
    assert_false(str_starts_with(STR("axis"), STR("is")));
}

TEST(endings)
{
    assert_true(str_ends_with(STR("axis"), STR("is")));
    assert_true(str_ends_with(STR("axis"), STR("axis")));
    assert_true(str_ends_with(STR("axis"), STR("")));
    assert_true(str_ends_with(nothing, nothing));
    assert_false(str_ends_with(STR("is"), STR("axis")));
    assert_false(str_ends_with(STR("axis"), STR("ax")));
}

TEST(slices_and_trimming)
{
    assert_str(str_slice(STR("mapping"), 1, 4), "app");
    assert_str(str_slice(STR("mapping"), 7, 7), "");
    assert_str(str_slice(nothing, 0, 0), "");
    assert_str(str_trim(STR(" \t\r\n A, B \n")), "A, B");
    assert_str(str_trim(STR("   ")), "");
    assert_str(str_trim(nothing), "");
    assert_str(str_trim(STR("A")), "A");
}

TEST(copies_are_terminated)
{
    Arena arena = {0};
    char text[] = "ABC";
    Str copy = str_copy(&arena, (Str){text, 2});
    text[0] = 'X';
    assert_str(copy, "AB");
    assert_int_equal(copy.data[2], 0);
    assert_string_equal(str_terminated(&arena, nothing), "");
    assert_string_equal(str_terminated(&arena, STR("A")), "A");
    assert_str(str_format(&arena, "{} of {}{}", 3, copy, ""), "3 of AB");
    assert_str(str_format(&arena, "{}", ""), "");
    arena_release(&arena);
}

TEST(numbers_are_plain_decimals_that_fit)
{
    static const struct {
        const char *text;
        int64_t value; // -1: refused
    } cases[] = {
        {"0", 0},
        {"1", 1},
        {"007", 7},
        {"65536", 65536},
        {"9223372036854775806", INT64_MAX - 1},
        {"9223372036854775807", INT64_MAX},
        {"00000000000000000000000000000009223372036854775807", INT64_MAX},
        {"9223372036854775808", -1},
        {"9223372036854775810", -1},
        {"18446744073709551616", -1},
        {"99999999999999999999", -1},
        {"", -1},
        {"-1", -1},
        {"+1", -1},
        {" 1", -1},
        {"1 ", -1},
        {"0x10", -1},
        {"1_000", -1},
        {"1.0", -1},
        {"1e3", -1},
        {"a", -1},
        {"\xD9\xA1", -1}, // a digit, but not ASCII
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t value = 42;
        bool read = str_to_i64(str_from(cases[i].text), &value);
        assert_int_equal(read, cases[i].value >= 0);
        assert_true(value == (read ? cases[i].value : 42)); // untouched where refused
    }
    int64_t value;
    assert_false(str_to_i64(nothing, &value));
    assert_false(str_to_i64((Str){"1\0002", 3}, &value));
}

TEST(buffers_grow)
{
    Arena arena = {0};
    StrBuf buf = {.arena = &arena};
    assert_str(buf_str(&buf), "");
    buf_add(&buf, nothing);
    assert_str(buf_str(&buf), "");
    for (int i = 0; i < 1000; i++)
        buf_format(&buf, "{},", i);
    assert_int_equal(buf.len, 10 * 2 + 90 * 3 + 900 * 4);
    assert_int_equal(buf.data[buf.len], 0);
    const char *at = buf.data;
    for (int i = 0; i < 1000; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d,", i);
        assert_memory_equal(at, number, strlen(number));
        at += strlen(number);
    }
    arena_release(&arena);
}

TEST(buffers_take_characters_and_repeats)
{
    Arena arena = {0};
    StrBuf buf = {.arena = &arena};
    buf_add_char(&buf, '[');
    buf_repeat(&buf, STR("ab"), 3);
    buf_repeat(&buf, STR("x"), 0);
    buf_repeat(&buf, STR("x"), -1);
    buf_add_char(&buf, '\0');
    buf_add(&buf, STR("]"));
    assert_int_equal(buf.len, 9);
    assert_memory_equal(buf.data, "[ababab\0]", 10);
    arena_release(&arena);
}

// Growth happens at every length, with text of every length.
TEST(buffers_are_right_at_every_size)
{
    char text[300];
    memset(text, 'x', sizeof text);
    for (int64_t first = 0; first < 140; first++) {
        for (int64_t second = 0; second < 140; second += 1 + second / 3) {
            Arena arena = {0};
            StrBuf buf = {.arena = &arena};
            buf_add(&buf, (Str){text, first});
            buf_format(&buf, "{}", ((Str){text, second}));
            assert_int_equal(buf.len, first + second);
            if (buf.len)
                assert_int_equal(strlen(buf.data), buf.len);
            arena_release(&arena);
        }
    }
}

TEST(equal_names_have_one_address)
{
    enum { NAMES = 5000 };
    Arena arena = {0};
    Interner names = {.arena = &arena};
    static const char *first[NAMES];
    for (int i = 0; i < NAMES; i++) {
        char name[16];
        snprintf(name, sizeof name, "N%d", i);
        first[i] = intern(&names, str_from(name));
        assert_string_equal(first[i], name);
    }
    for (int i = 0; i < NAMES; i++) { // after all that growth, too
        char name[16];
        snprintf(name, sizeof name, "N%d", i);
        assert_ptr_equal(intern(&names, str_from(name)), first[i]);
    }
    assert_int_equal(names.count, NAMES);
    arena_release(&arena);
}

TEST(names_are_told_apart_by_all_their_bytes)
{
    Arena arena = {0};
    Interner names = {.arena = &arena};
    const char *empty = intern(&names, nothing);
    assert_string_equal(empty, "");
    assert_ptr_equal(intern(&names, STR("")), empty);
    assert_ptr_not_equal(intern(&names, STR("A")), intern(&names, STR("AB")));
    assert_ptr_not_equal(intern(&names, (Str){"A\0B", 3}), intern(&names, STR("A")));
    assert_ptr_equal(intern(&names, (Str){"A\0B", 3}), intern(&names, (Str){"A\0B", 3}));
    assert_ptr_equal(intern(&names, (Str){"ABC", 1}), intern(&names, STR("A")));
    arena_release(&arena);
}

TEST(messages_take_values_of_any_type)
{
    Arena arena = {0};
    const char letter = 'c';
    char buffer[] = "buffer";
    Str text = STR("a text");
    assert_str(str_format(&arena, "`{}` {} {} {}", text, "chars", buffer, letter),
               "`a text` chars buffer c");
    assert_str(str_format(&arena, "{} {} {} {}", INT64_MIN, UINT64_MAX, (int8_t)-1, true),
               "-9223372036854775808 18446744073709551615 -1 1");
    assert_str(str_format(&arena, "{} {.2f} {e} {g}", 0.5, 1.0f, 1e300, 0.1),
               "0.5 1.00 1.000000e+300 0.1");
    assert_str(str_format(&arena, "{{{}} 5 % }}", 1), "{1} 5 % }}");
    assert_str(str_format(&arena, "no values"), "no values");
    arena_release(&arena);
}

TEST(messages_align_and_limit_values)
{
    Arena arena = {0};
    assert_str(
        str_format(&arena, "[{4}|{-4}|{04}|{0*}|{02x}|{x}]", 12, 12, 12, 3, 12, 5, UINT64_MAX),
        "[  12|12  |0012|012|05|ffffffffffffffff]");
    assert_str(str_format(&arena, "[{*}|{-*}|{.2}|{.*}]", 3, "a", 3, "b", "cdef", 1, "gh"),
               "[  a|b  |cd|g]");
    assert_str(str_format(&arena, "[{6.1f}|{-6.1f}|{c}]", 2.25, 2.25, 65), "[   2.2|2.2   |A]");
    assert_str(str_format(&arena, "{2}{1}", "longer", "than"), "longerthan");
    Str longest = str_format(&arena, "{.*f}", 1000, -1e308);
    assert_int_equal(longest.len, 1 + 309 + 1 + 1000);
    assert_true(str_ends_with(longest, STR("000")));
    arena_release(&arena);
}

TEST(messages_are_cut_where_the_buffer_ends)
{
    char text[6] = "?????";
    assert_int_equal(message_write(MESSAGE("{} and {}", 12, "more"), text, sizeof text), 11);
    assert_string_equal(text, "12 an");
    assert_int_equal(message_write(MESSAGE("{}", "abc"), NULL, 0), 3);
    assert_int_equal(message_write(MESSAGE(""), text, 1), 0);
    assert_string_equal(text, "");
}

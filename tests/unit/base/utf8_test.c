// Which bytes are text: the forms of the Unicode standard, and nothing else.
#include "base/utf8.h"

#include "base/checked.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

TEST(characters_have_their_lengths)
{
    static const struct {
        const char *text;
        int64_t length;
    } rows[] = {
        {"a", 1},
        {"\x7f", 1},
        {"\xc2\x80", 2},
        {"\xdf\xbf", 2},
        {"\xe0\xa0\x80", 3},
        {"\xed\x9f\xbf", 3},
        {"\xef\xbf\xbf", 3},
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4},
        {"\x80", 0},             // begins none
        {"\xc1\xbf", 0},         // too long a form
        {"\xe0\x9f\xbf", 0},     // the same
        {"\xf0\x8f\xbf\xbf", 0}, // the same
        {"\xed\xa0\x80", 0},     // half of a pair
        {"\xf4\x90\x80\x80", 0}, // beyond the last
        {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
        {"\xc3", 0}, // cut off
        {"\xe2\x82", 0},
        {"\xc3z", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(utf8_length(str_from(rows[i].text), 0), rows[i].length);
}

// Eight bytes at a time or one by one, it is the same place.
TEST(the_first_fault_is_found_anywhere)
{
    enum { LENGTH = 40 };
    char text[LENGTH];
    for (int at = 0; at < LENGTH; at++) {
        memset(text, 'x', LENGTH);
        text[at] = (char)0xe9;
        assert_int_equal(utf8_fault((Str){text, LENGTH}), at);
        text[at] = 0;
        assert_int_equal(utf8_fault((Str){text, LENGTH}), LENGTH);
    }
    assert_int_equal(utf8_fault((Str){NULL, 0}), 0);
    assert_int_equal(utf8_fault(STR("Gr\xc3\xbc\xc3\x9f"
                                    "e")),
                     7);
}

TEST(what_nobody_sees_is_shown)
{
    const struct {
        Str text;
        const char *shown;
    } cases[] = {
        {STR("Gr\xc3\xbc\xc3\x9f"
             "e"),
         "Gr\xc3\xbc\xc3\x9f"
         "e"},
        {STR("\0\x1b[1m\x7f\xff\xe9"), "\\x00\\x1b[1m\\x7f\\xff\\xe9"},
        {STR("0123456789012345678901234567890123456789012345678901234567890123456789"),
         "012345678901234567890123456789012345678901234567890123456789.."},
        {STR(""), ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        Str shown = utf8_shown(&arena, cases[i].text);
        assert_true(str_equal(shown, str_from(cases[i].shown)));
        arena_release(&arena);
    }
}

TEST(what_changes_others_is_written_out)
{
    const struct {
        Str text;
        const char *visible;
    } cases[] = {
        {STR(""), ""},
        {STR("a\tb\n"), "a\tb\n"},
        {STR("caf\xc3\xa9 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x8c\xbe"), // joined by U+200D
         "caf\xc3\xa9 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x8c\xbe"},
        {STR("\x1b[2J"), "\\u001b[2J"},
        {STR("a\rb\0c\x7f"), "a\\u000db\\u0000c\\u007f"},
        {STR("\xc2\x9b x"), "\\u009b x"},
        {STR("\xe2\x80\xae"), "\\u202e"},
        {STR("(\xe2\x81\xa6)\xe2\x81\xa9"), "(\\u2066)\\u2069"},
        {STR("\x9b\xc3"), "\\x9b\\xc3"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena arena = {0};
        Str visible = utf8_visible(&arena, cases[i].text);
        assert_int_equal(visible.len, strlen(cases[i].visible));
        assert_memory_equal(visible.data, cases[i].visible, (size_t)visible.len);
        arena_release(&arena);
    }
}

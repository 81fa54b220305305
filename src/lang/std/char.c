// Characters. Letters are those of ASCII, and of Latin, Greek and Cyrillic as far as upper and
// lower case go.
#include "lang/std/native.h"

#include <ctype.h>

uint32_t char_upper(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)toupper((int)c);
    if ((c >= 0xe0 && c <= 0xfe && c != 0xf7) || (c >= 0x3b1 && c <= 0x3c9 && c != 0x3c2) ||
        (c >= 0x430 && c <= 0x44f))
        return c - 0x20;
    return c == 0xff ? 0x178 : c >= 0x450 && c <= 0x45f ? c - 0x50 : c;
}

uint32_t char_lower(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)tolower((int)c);
    if ((c >= 0xc0 && c <= 0xde && c != 0xd7) || (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) ||
        (c >= 0x410 && c <= 0x42f))
        return c + 0x20;
    return c >= 0x400 && c <= 0x40f ? c + 0x50 : c;
}

bool char_is_space(uint32_t c)
{
    return c == ' ' || (c >= 9 && c <= 13) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

static bool is_letter(uint32_t c)
{
    return c < 0x80 ? isalpha((int)c)
                    : (c >= 0xc0 && c != 0xd7 && c != 0xf7 && c < 0x2000) || c == 0xaa ||
                          c == 0xb5 || c == 0xba || (c >= 0x3041 && c < 0xe000);
}

static bool is_ascii(uint32_t c, int (*class)(int))
{
    return c < 0x80 && class((int)c);
}

static bool char_is(uint32_t c, int32_t class)
{
    switch (class) {
    case CHAR_ALPHABETIC:
        return is_letter(c);
    case CHAR_NUMERIC:
        return is_ascii(c, isdigit) || (c >= 0x660 && c <= 0x669);
    case CHAR_ALPHANUMERIC:
        return is_letter(c) || is_ascii(c, isdigit);
    case CHAR_WHITESPACE:
        return char_is_space(c);
    case CHAR_UPPERCASE:
        return c < 0x80 ? isupper((int)c) : char_lower(c) != c;
    case CHAR_LOWERCASE:
        return c < 0x80 ? islower((int)c) : char_upper(c) != c || c == 0xdf;
    case CHAR_CONTROL:
        return c < 0x20 || (c >= 0x7f && c < 0xa0);
    case CHAR_ASCII:
        return c < 0x80;
    case CHAR_ASCII_ALPHABETIC:
        return is_ascii(c, isalpha);
    case CHAR_ASCII_DIGIT:
        return is_ascii(c, isdigit);
    case CHAR_ASCII_HEXDIGIT:
        return is_ascii(c, isxdigit);
    case CHAR_ASCII_ALPHANUMERIC:
        return is_ascii(c, isalnum);
    case CHAR_ASCII_UPPERCASE:
        return is_ascii(c, isupper);
    case CHAR_ASCII_LOWERCASE:
        return is_ascii(c, islower);
    case CHAR_ASCII_PUNCTUATION:
        return is_ascii(c, ispunct);
    case CHAR_ASCII_WHITESPACE:
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    case CHAR_ASCII_CONTROL:
        return is_ascii(c, iscntrl);
    default:
        return is_ascii(c, isgraph);
    }
}

NATIVE(char_is)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    *result = value_bool(char_is((uint32_t)c, call->op));
    return true;
}

int64_t char_digit(uint32_t c, int64_t radix)
{
    int64_t digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'z' ? c - 'a' + 10
                    : c >= 'A' && c <= 'Z' ? c - 'A' + 10
                                           : 99;
    return digit < radix ? digit : -1;
}

enum { MOST_RADIX = 36 };

NATIVE(char_to_digit)
{
    int64_t c, radix;
    if (!std_int(call, 0, &c) || !std_int(call, 1, &radix))
        return false;
    if (radix < 2 || radix > MOST_RADIX)
        return std_panic(call, result,
                         "to_digit: invalid radix -- radix must be in the range 2 to 36 inclusive");
    int64_t digit = char_digit((uint32_t)c, radix);
    *result = digit >= 0 ? some_value(call->trace, value_int(digit)) : none_value(call->trace);
    return true;
}

NATIVE(char_from_u32)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    bool is_char = c >= 0 && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
    return std_option(call, is_char, value_int(c), result);
}

NATIVE(char_same)
{
    *result = std_arg(call, 0);
    return result->kind == VALUE_INT;
}

NATIVE(char_case)
{
    int64_t c;
    if (!std_int(call, 0, &c))
        return false;
    uint32_t turned = call->op == CASE_UPPER ? char_upper((uint32_t)c) : char_lower((uint32_t)c);
    bool single = type_is_prim(call->type, PRIM_char) || type_is_prim(call->type, PRIM_u8);
    if (single) { // to_ascii_uppercase
        *result = value_int(c < 0x80 ? (int64_t)turned : c);
        return true;
    }
    Value list = new_list(call->trace, 1);
    list_push(call->trace, list.list, value_int(turned));
    *result = value_iter(iter_over_list(call->trace, list.list, false));
    return true;
}

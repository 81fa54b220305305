// Values as text: a decimal number where one says it exactly, bits in hexadecimal otherwise.
#include "program/text_form.h"

#include "scalar/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

enum {
    MOST_DIGITS = 40, // that a number may be written with
    MOST_EXPONENT = 9999,
    FLOAT_DIGITS = 9,
    LITERAL_MOST_CHARS = 64,
    PLAIN_MOST_EXPONENT = 8,
    PLAIN_LEAST_EXPONENT = -5
};

// The digits and the decimal exponent of a finite value, to so many digits. printf and strtof are
// only asked for what has no decimal point, whose character depends on the locale.
static int32_t decimal_digits(float value, int digits, char text[FLOAT_DIGITS + 1])
{
    char printed[LITERAL_MOST_CHARS];
    snprintf(printed, sizeof printed, "%.*e", digits - 1, (double)value);
    const char *exponent = strchr(printed, 'e');
    int count = 0;
    for (const char *c = printed; c < exponent; c++)
        if (is_digit(*c) && count < FLOAT_DIGITS)
            text[count++] = *c;
    text[count] = 0;
    return (int32_t)strtol(exponent + 1, NULL, 10);
}

static float float_from_digits(const char *digits, int32_t exponent)
{
    char text[LITERAL_MOST_CHARS];
    snprintf(text, sizeof text, "%se%" PRId32, digits, exponent - (int32_t)strlen(digits) + 1);
    return strtof(text, NULL);
}

// digits d, exponent e: d.ddd * 10^e, in plain form where that is short
static void print_decimal(StrBuf *out, const char *digits, int32_t exponent)
{
    int32_t count = (int32_t)strlen(digits);
    if (exponent > PLAIN_MOST_EXPONENT || exponent < PLAIN_LEAST_EXPONENT) {
        buf_format(out, "{c}{}{}e{}", digits[0], count > 1 ? "." : "", digits + 1, exponent);
        return;
    }
    int32_t whole = exponent + 1; // digits before the point
    if (whole <= 0)
        buf_add(out, STR("0."));
    for (int32_t i = whole; i < 0; i++)
        buf_add_char(out, '0');
    for (int32_t i = 0; i < count || i < whole; i++) {
        if (i == whole && i > 0)
            buf_add_char(out, '.');
        buf_add_char(out, i < count ? digits[i] : '0');
    }
    if (count <= whole)
        buf_add(out, STR(".0"));
}

// The shortest decimal number that is this float.
static void print_float(StrBuf *out, uint32_t bits)
{
    char digits[FLOAT_DIGITS + 1];
    uint32_t magnitude = bits & 0x7fffffffU;
    int32_t exponent = 0;
    for (int count = 1; count <= FLOAT_DIGITS; count++) {
        exponent = decimal_digits(float_of_bits(magnitude), count, digits);
        if (bits_of_float(float_from_digits(digits, exponent)) == magnitude)
            break;
    }
    buf_add(out, bits == magnitude ? STR("") : STR("-"));
    print_decimal(out, digits, exponent);
}

static bool is_finite(uint32_t f32_bits)
{
    return (f32_bits & 0x7f800000U) != 0x7f800000U;
}

void literal_print(StrBuf *out, Scalar type, uint32_t bits)
{
    if (type == SCALAR_F32 && is_finite(bits))
        print_float(out, bits);
    else if (scalar_is_integer(type) && scalar_wrap(type, bits) == bits)
        buf_format(out, "{}", (int32_t)bits);
    else
        buf_format(out, "0x{x}", bits);
}

static bool hexadecimal(Str text, uint32_t *bits)
{
    *bits = 0;
    for (int64_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        uint32_t digit = (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        if (*bits >> 28 || !strchr("0123456789abcdefABCDEF", c) || !c)
            return false;
        *bits = *bits << 4 | digit;
    }
    return text.len > 0;
}

static bool integer_bits(Scalar type, Str digits, bool negative, uint32_t *bits)
{
    int64_t value;
    if (!str_to_i64(digits, &value) || value > UINT32_MAX)
        return false;
    value = negative ? -value : value;
    *bits = (uint32_t)value;
    bool is_signed = scalar_traits[type].kind == SCALAR_KIND_SIGNED;
    int64_t kept = is_signed ? (int64_t)(int32_t)*bits : (int64_t)*bits;
    return scalar_wrap(type, *bits) == *bits && value == kept;
}

// ("e" | "E") ("+" | "-")? digit+, or nothing
static bool read_exponent(Str text, int64_t *exponent)
{
    *exponent = 0;
    if (!text.len)
        return true;
    bool minus = text.len > 1 && text.data[1] == '-';
    bool sign = minus || (text.len > 1 && text.data[1] == '+');
    if ((text.data[0] | 0x20) != 'e' ||
        !str_to_i64(str_slice(text, 1 + sign, text.len), exponent) || *exponent > MOST_EXPONENT)
        return false;
    *exponent = minus ? -*exponent : *exponent;
    return true;
}

// digit+ ("." digit*)? exponent
static bool float_bits(Str text, uint32_t *bits)
{
    char digits[LITERAL_MOST_CHARS]; // without the point
    int64_t count = 0, at = 0, exponent;
    int64_t point = -1; // digits before it
    for (; at < text.len && (is_digit(text.data[at]) || (text.data[at] == '.' && point < 0));
         at++) {
        if (text.data[at] == '.')
            point = count;
        else if (count < MOST_DIGITS)
            digits[count++] = text.data[at];
        else
            return false;
    }
    if (!count || !read_exponent(str_slice(text, at, text.len), &exponent))
        return false;
    exponent -= point < 0 ? 0 : count - point;
    snprintf(digits + count, sizeof digits - (size_t)count, "e%" PRId64, exponent);
    *bits = bits_of_float(strtof(digits, NULL));
    return is_finite(*bits);
}

bool literal_bits(Scalar type, Str text, uint32_t *bits)
{
    bool negative = text.len && text.data[0] == '-';
    Str digits = str_slice(text, negative, text.len);
    if (!negative && str_starts_with(text, STR("0x")))
        return hexadecimal(str_slice(text, 2, text.len), bits);
    if (scalar_is_integer(type))
        return integer_bits(type, digits, negative, bits);
    if (!float_bits(digits, bits))
        return false;
    *bits = scalar_from_f32(type, negative ? *bits | 0x80000000U : *bits);
    return true;
}

// Numbers as text: the shortest that reads back as the same float, whole numbers in any base.
#include "lang/std/format.h"

#include "base/checked.h"
#include "lang/eval/whole.h"
#include "lang/syntax/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- padding

static void add_fill(StrBuf *out, const FormatSpec *spec, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        text_encode(out, spec->fill ? spec->fill : ' ');
}

void format_padded(StrBuf *out, Str text, const FormatSpec *spec, FormatAlign fallback)
{
    int64_t missing = spec->has_width ? max_i64(0, spec->width - text_count(text)) : 0;
    FormatAlign align = spec->align ? spec->align : fallback;
    int64_t before = align == ALIGN_RIGHT ? missing : align == ALIGN_CENTER ? missing / 2 : 0;
    add_fill(out, spec, before);
    buf_add(out, text);
    add_fill(out, spec, missing - before);
}

// A number is its sign and prefix, then its digits: zeros go in between.
static void add_number(StrBuf *out, Str prefix, Str digits, const FormatSpec *spec)
{
    int64_t length = prefix.len + digits.len;
    if (spec->zero && spec->has_width) {
        buf_add(out, prefix);
        buf_repeat(out, STR("0"), max_i64(0, spec->width - length));
        buf_add(out, digits);
        return;
    }
    char room[160];
    StrBuf text = {.arena = out->arena};
    bool fits = length <= (int64_t)sizeof room;
    if (fits) {
        if (prefix.len)
            memcpy(room, prefix.data, (size_t)prefix.len);
        if (digits.len)
            memcpy(room + prefix.len, digits.data, (size_t)digits.len);
    } else {
        buf_add(&text, prefix);
        buf_add(&text, digits);
    }
    format_padded(out, fits ? (Str){room, length} : buf_str(&text), spec, ALIGN_RIGHT);
}

// ---- whole numbers

enum { MOST_DIGITS = 128 }; // of 128 bits in base 2

static Str digits_of(char room[MOST_DIGITS], Uint128 value, uint32_t base, bool upper)
{
    assert(base >= 2);
    int64_t at = MOST_DIGITS;
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    for (; value >> 64; value /= base)
        room[--at] = digits[value % base];
    uint64_t low = (uint64_t)value;
    do {
        room[--at] = digits[low % base];
        low /= base;
    } while (low);
    return (Str){room + at, MOST_DIGITS - at};
}

static void add_scientific(StrBuf *out, Str digits, int64_t exponent, bool upper)
{
    buf_add_char(out, digits.data[0]);
    if (digits.len > 1) {
        buf_add_char(out, '.');
        buf_add(out, str_slice(digits, 1, digits.len));
    }
    buf_printf(out, "%c%lld", upper ? 'E' : 'e', (long long)exponent);
}

// One more in the last place. True: all digits were nines, and it is a 1 with zeros now.
static bool round_up(char *digits, int64_t count)
{
    int64_t at = count;
    while (at > 0 && digits[at - 1] == '9')
        digits[--at] = '0';
    if (at > 0)
        digits[at - 1]++;
    else
        digits[0] = '1';
    return at == 0;
}

// {:e} of the digits of a whole number. What is cut off is rounded, a half to the even digit.
static void add_integer_exponent(StrBuf *out, Str all, const FormatSpec *spec)
{
    int64_t exponent = all.len - 1, kept = all.len;
    while (kept > 1 && all.data[kept - 1] == '0')
        kept--;
    int64_t wanted = spec->has_precision ? spec->precision + 1 : kept;
    char *digits = arena_copy(out->arena, all.data, (size_t)all.len);
    if (wanted < kept) {
        bool half = digits[wanted] == '5' && wanted + 1 == kept;
        bool up = half ? (digits[wanted - 1] - '0') % 2 : digits[wanted] >= '5';
        exponent += up && round_up(digits, wanted);
    }
    StrBuf text = {.arena = out->arena};
    buf_add(&text, (Str){digits, min_i64(wanted, kept)});
    buf_repeat(&text, STR("0"), wanted - kept);
    add_scientific(out, buf_str(&text), exponent, spec->kind == FORMAT_UPPER_EXP);
}

static void format_based(StrBuf *out, Value value, const PrimInfo *prim, const FormatSpec *spec)
{
    static const struct {
        uint32_t base;
        const char *prefix;
    } bases[] = {[FORMAT_HEX] = {16, "0x"},
                 [FORMAT_UPPER_HEX] = {16, "0x"},
                 [FORMAT_OCTAL] = {8, "0o"},
                 [FORMAT_BINARY] = {2, "0b"}};
    char room[MOST_DIGITS], prefix[4];
    int32_t unused = prim_is_whole(prim) ? 128 - prim->bits : 64;
    Uint128 bits = whole_bits(value, prim) << unused >> unused; // as they are
    Str digits = digits_of(room, bits, bases[spec->kind].base, spec->kind == FORMAT_UPPER_HEX);
    snprintf(prefix, sizeof prefix, "%s%s", spec->plus ? "+" : "",
             spec->alternate ? bases[spec->kind].prefix : "");
    add_number(out, str_from(prefix), digits, spec);
}

void format_integer(StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    char room[MOST_DIGITS];
    const PrimInfo *prim = type ? prim_of(type) : NULL;
    if (spec->kind >= FORMAT_HEX && spec->kind <= FORMAT_BINARY) {
        format_based(out, value, prim, spec);
        return;
    }
    Whole whole = whole_of(value, prim);
    bool negative = whole.negative;
    Str digits = digits_of(room, whole.size, 10, false);
    Str sign = negative ? STR("-") : spec->plus ? STR("+") : STR("");
    if (spec->kind != FORMAT_EXP && spec->kind != FORMAT_UPPER_EXP) {
        add_number(out, sign, digits, spec);
        return;
    }
    StrBuf text = {.arena = out->arena};
    add_integer_exponent(&text, digits, spec);
    add_number(out, sign, buf_str(&text), spec);
}

// ---- floats

// True: the number lies in the middle between two of so many digits, and the text is the lower one.
static bool is_lower_half(const char *text, double real, int count)
{
    enum { MORE = 40 };
    char exact[80];
    snprintf(exact, sizeof exact, "%.*e", count - 1 + MORE, real);
    const char *rest = exact + 1 + count; // behind the point and the digits of the text
    return strncmp(text, exact, count > 1 ? (size_t)count + 1 : 1) == 0 && rest[0] == '5' &&
           strspn(rest + 1, "0") == MORE - 1;
}

// One more in the last place of d.ddde-xx, which is not all nines.
static void step_up(char *text)
{
    char *at = strchr(text, 'e') - 1;
    for (; at > text && (*at == '9' || *at == '.'); at--)
        if (*at == '9')
            *at = '0';
    if (*at != '9')
        ++*at;
}

static bool reads_back(const char *text, double real, bool single)
{
    return single ? strtof(text, NULL) == (float)real : strtod(text, NULL) == real;
}

// The number with so many digits, a half rounded up. Where the next float is closer below than
// above, at a power of two, the nearest text may be another float while the one above it is not.
static bool in_digits(char room[40], double real, bool single, int count)
{
    int exponent;
    snprintf(room, 40, "%.*e", count - 1, real);
    if (reads_back(room, real, single)) {
        if (is_lower_half(room, real, count))
            step_up(room);
        return true;
    }
    if (frexp(real, &exponent) != 0.5)
        return false;
    step_up(room);
    return reads_back(room, real, single);
}

// The fewest digits that read back as the same number, and where its point is: 0.d1d2d3 * 10^point.
static Str shortest(char room[40], double real, bool single, int64_t *point)
{
    int most = single ? 9 : 17, count = 1;
    while (!in_digits(room, real, single, count) && count < most)
        count++;
    char *e = strchr(room, 'e');
    *point = strtoll(e + 1, NULL, 10) + 1;
    int64_t length = 1;
    for (char *from = room + 2; from < e; from++) // without the point
        room[length++] = *from;
    while (length > 1 && room[length - 1] == '0')
        length--;
    return (Str){room, length};
}

// The digits with the point where it belongs: 1230, 12.3, 0.0123.
static void add_plain(StrBuf *out, Str digits, int64_t point, bool with_point)
{
    if (point <= 0) {
        buf_add(out, STR("0."));
        buf_repeat(out, STR("0"), -point);
        buf_add(out, digits);
    } else if (point >= digits.len) {
        buf_add(out, digits);
        buf_repeat(out, STR("0"), point - digits.len);
        if (with_point)
            buf_add(out, STR(".0"));
    } else {
        buf_add(out, str_slice(digits, 0, point));
        buf_add_char(out, '.');
        buf_add(out, str_slice(digits, point, digits.len));
    }
}

static void add_exact(StrBuf *out, double real, int64_t precision)
{
    if (precision > 1000)
        precision = 1000;
    buf_printf(out, "%.*f", (int)precision, real);
}

// {:e}: as many digits as there are, or as were asked for.
static void add_exponent(StrBuf *out, double real, bool single, const FormatSpec *spec)
{
    bool upper = spec->kind == FORMAT_UPPER_EXP;
    char room[40];
    int64_t point;
    if (!spec->has_precision) {
        Str digits = shortest(room, real, single, &point);
        add_scientific(out, digits, real == 0 ? 0 : point - 1, upper);
        return;
    }
    Str text = str_format(out->arena, "%.*e", (int)min_i64(spec->precision, 1000), real);
    int64_t e = str_find(text, STR("e"));
    buf_add(out, str_slice(text, 0, e));
    buf_printf(out, "%c%lld", upper ? 'E' : 'e', strtoll(text.data + e + 1, NULL, 10));
}

// Debug writes very large and very small numbers with an exponent.
static bool wants_exponent(double real, bool single)
{
    double most = single ? (double)1e16f : 1e16, least = single ? (double)1e-4f : 1e-4;
    return real != 0 && (real >= most || real < least);
}

static void add_magnitude(StrBuf *out, double real, bool single, const FormatSpec *spec)
{
    char room[40];
    int64_t point;
    bool debug = spec->kind == FORMAT_DEBUG;
    if (spec->kind == FORMAT_EXP || spec->kind == FORMAT_UPPER_EXP) {
        add_exponent(out, real, single, spec);
    } else if (spec->has_precision) {
        add_exact(out, real, spec->precision);
    } else if (debug && wants_exponent(real, single)) {
        Str digits = shortest(room, real, single, &point);
        add_scientific(out, digits, point - 1, false);
    } else {
        Str digits = shortest(room, real, single, &point);
        add_plain(out, digits, real == 0 ? 1 : point, debug);
    }
}

void format_real(StrBuf *out, double real, bool single, const FormatSpec *spec)
{
    bool negative = signbit(real) && !isnan(real); // NaN has no sign
    Str sign = negative ? STR("-") : spec->plus && !isnan(real) ? STR("+") : STR("");
    if (!isfinite(real)) {
        add_number(out, sign, isnan(real) ? STR("NaN") : STR("inf"), spec);
        return;
    }
    StrBuf text = {.arena = out->arena};
    add_magnitude(&text, fabs(real), single, spec);
    add_number(out, sign, buf_str(&text), spec);
}

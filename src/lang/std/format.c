// Values as text, by their types: Display, Debug and the number formats. Also the functions of
// Formatter, and calls that pass a value to one.
#include "lang/std/format.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/eval/whole.h"
#include "lang/std/native.h"
#include "lang/syntax/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- lists, structs and maps under construction

static void add_indented(StrBuf *out, Str text)
{
    bool fresh = true;
    for (int64_t i = 0; i < text.len; i++) {
        if (fresh)
            buf_add(out, STR("    "));
        fresh = text.data[i] == '\n';
        buf_add_char(out, text.data[i]);
    }
}

static const struct {
    const char *open, *open_first, *close, *close_some;
} brackets[] = {
    [BUILDS_NOTHING] = {"", "", "", ""}, [BUILDS_STRUCT] = {"", " { ", "", " }"},
    [BUILDS_TUPLE] = {"", "(", "", ")"}, [BUILDS_LIST] = {"[", "", "]", "]"},
    [BUILDS_SET] = {"{", "", "}", "}"},  [BUILDS_MAP] = {"{", "", "}", "}"},
};

static void builder_begin(Formatter *builder)
{
    buf_add(builder->out, str_from(brackets[builder->builds].open));
}

// Adds what stands between two items, and the item, of a list, struct or map being written.
static void builder_item(Formatter *builder, Str name, Str text)
{
    StrBuf *out = builder->out;
    bool first = builder->count++ == 0;
    const char *open = brackets[builder->builds].open_first;
    if (!builder->spec.alternate) {
        buf_add(out, first ? str_from(open) : STR(", "));
        buf_add(out, name);
        buf_add(out, name.len ? STR(": ") : STR(""));
        buf_add(out, text);
        return;
    }
    if (first) {
        buf_add(out, str_trim(str_from(open)).len < 1   ? STR("")
                     : builder->builds == BUILDS_STRUCT ? STR(" {")
                                                        : STR("("));
        buf_add_char(out, '\n');
    }
    StrBuf line = {.arena = out->arena};
    buf_format(&line, "{}{}{},\n", name, name.len ? ": " : "", text);
    add_indented(out, buf_str(&line));
}

static void builder_finish(Formatter *builder, bool complete)
{
    StrBuf *out = builder->out;
    bool some = builder->count > 0;
    if (!complete && builder->spec.alternate && some)
        buf_add(out, STR("    ..\n"));
    else if (!complete)
        buf_add(out, some                               ? STR(", ..")
                     : builder->builds == BUILDS_STRUCT ? STR(" { .. }")
                                                        : STR(".."));
    bool lone = builder->builds == BUILDS_TUPLE && builder->nameless && builder->count == 1;
    if (lone && !builder->spec.alternate)
        buf_add_char(out, ',');
    Str close =
        str_from(some ? brackets[builder->builds].close_some : brackets[builder->builds].close);
    bool struct_line = builder->builds == BUILDS_STRUCT && builder->spec.alternate && some;
    buf_add(out, struct_line ? STR("}") : close);
}

// A part of a whole, with the same wishes.
static void add_part(Trace *trace, Formatter *builder, Str name, Value value, Type *type)
{
    StrBuf text = {.arena = builder->out->arena};
    format_value(trace, &text, value, type, &builder->spec);
    builder_item(builder, name, buf_str(&text));
}

// ---- texts and characters

// Does Debug write this character by its number?
static bool text_is_escaped(uint32_t c)
{
    int64_t low = 0, high = format_escaped_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (c > format_escaped[middle][1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < format_escaped_count && c >= format_escaped[low][0];
}

void format_char_debug(StrBuf *out, uint32_t c, uint32_t quote)
{
    static const struct {
        uint32_t c;
        const char *text;
    } escapes[] = {{'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}, {'\\', "\\\\"}, {0, "\\0"}};
    for (size_t i = 0; i < COUNT_OF(escapes); i++)
        if (escapes[i].c == c) {
            buf_add(out, str_from(escapes[i].text));
            return;
        }
    if (c == quote)
        buf_add_char(out, '\\');
    if (text_is_escaped(c))
        buf_format(out, "\\u{{{x}}", c);
    else
        text_encode(out, c);
}

// ---- numbers

// Numbers as text: the shortest that reads back as the same float, whole numbers in any base.

// ---- padding

static void add_fill(StrBuf *out, const FormatSpec *spec, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        text_encode(out, spec->fill ? spec->fill : ' ');
}

// Adds a text with the width, fill and alignment of `spec`; `fallback` where it names none.
static void format_padded(StrBuf *out, Str text, const FormatSpec *spec, FormatAlign fallback)
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
    buf_format(out, "{c}{}", upper ? 'E' : 'e', exponent);
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

static void format_integer(StrBuf *out, Value value, Type *type, const FormatSpec *spec)
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
    buf_format(out, "{.*f}", (int)precision, real);
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
    Str text = str_format(out->arena, "{.*e}", (int)min_i64(spec->precision, 1000), real);
    int64_t e = str_find(text, STR("e"));
    buf_add(out, str_slice(text, 0, e));
    buf_format(out, "{c}{}", upper ? 'E' : 'e', strtoll(text.data + e + 1, NULL, 10));
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

static void format_real(StrBuf *out, double real, bool single, const FormatSpec *spec)
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

static void add_text(StrBuf *out, Str text, const FormatSpec *spec)
{
    if (spec->kind == FORMAT_DEBUG) {
        buf_add_char(out, '"');
        for (int64_t at = 0; at < text.len;)
            format_char_debug(out, text_decode(text, &at), '"');
        buf_add_char(out, '"');
        return;
    }
    int64_t end = 0;
    for (int64_t i = 0; spec->has_precision && i < spec->precision && end < text.len; i++)
        text_decode(text, &end);
    format_padded(out, spec->has_precision ? str_slice(text, 0, end) : text, spec, ALIGN_LEFT);
}

static void add_char(StrBuf *out, uint32_t c, const FormatSpec *spec)
{
    StrBuf text = {.arena = out->arena};
    if (spec->kind == FORMAT_DEBUG) {
        buf_add_char(out, '\'');
        format_char_debug(out, c, '\'');
        buf_add_char(out, '\'');
        return;
    }
    text_encode(&text, c);
    format_padded(out, buf_str(&text), spec, ALIGN_LEFT);
}

// ---- compounds

static void add_items(Trace *trace, Formatter *builder, const ValueList *list, Type *type,
                      Value whole, const AstFields *fields)
{
    for (int64_t i = 0; list && i < list->count; i++) {
        Str name = fields && i < fields->count && builder->builds == BUILDS_STRUCT
                       ? str_from(fields->items[i].name.text)
                       : STR("");
        add_part(trace, builder, name, list->items[i], value_item_type(trace, type, whole, i));
    }
}

static void add_named(Trace *trace, StrBuf *out, const char *name, AstFieldsKind kind,
                      const AstFields *fields, Value value, Type *type, const FormatSpec *spec)
{
    buf_add(out, str_from(name));
    Formatter builder = {
        .out = out, .spec = *spec, .builds = kind == FIELDS_NAMED ? BUILDS_STRUCT : BUILDS_TUPLE};
    Value field;
    if (value.kind == VALUE_SMALL && value_field(value, &field)) {
        add_part(trace, &builder, STR(""), field, value_item_type(trace, type, value, 0));
    } else {
        const ValueList *list = value.kind == VALUE_LIST ? value.list : value.variant.fields;
        add_items(trace, &builder, list, type, value, fields);
    }
    builder_finish(&builder, true);
}

static void add_variant(Trace *trace, StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    Decl *decl = value_variant(value);
    if (decl->kind == DECL_VARIANT)
        add_named(trace, out, decl->name, decl->variant->kind, &decl->variant->fields, value, type,
                  spec);
    else
        buf_add(out, str_from(decl->name));
}

// An error of the library is its two texts.
static bool is_error(const Type *type, const ValueList *list)
{
    bool named = type && type->kind == TYPE_NAMED && type->decl->is_builtin &&
                 strstr(type->decl->name, "Error");
    bool any = type && type->kind == TYPE_IMPL && list->count == 2; // dyn Error
    return (named || any) && list->count == 2 && list->items[0].kind == VALUE_STRING &&
           list->items[1].kind == VALUE_STRING;
}

static void add_list(Trace *trace, StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    bool tuple = type && type->kind == TYPE_TUPLE;
    if (tuple && !type->arg_count) {
        format_padded(out, STR("()"), spec, ALIGN_LEFT);
        return;
    }
    if (is_error(type, value.list)) {
        buf_add(out, value.list->items[spec->kind == FORMAT_DEBUG].text);
        return;
    }
    if (type && type->kind == TYPE_NAMED && type->decl->kind == DECL_STRUCT &&
        (!type->decl->is_builtin || type->decl->item->structure.kind != FIELDS_NONE)) {
        const AstItem *item = type->decl->item;
        add_named(trace, out, type->decl->name, item->structure.kind, &item->structure.fields,
                  value, type, spec);
        return;
    }
    bool cell = type && (type_is_named(type, "RefCell") || type_is_named(type, "Cell"));
    if (cell) {
        Formatter builder = {.out = out, .spec = *spec, .builds = BUILDS_STRUCT};
        buf_add(out, str_from(type->decl->name));
        add_part(trace, &builder, STR("value"), value.list->items[0], type_of(type->args[0]));
        builder_finish(&builder, true);
        return;
    }
    Formatter builder = {
        .out = out, .spec = *spec, .builds = tuple ? BUILDS_TUPLE : BUILDS_LIST, .nameless = tuple};
    builder_begin(&builder);
    add_items(trace, &builder, value.list, type, value, NULL);
    builder_finish(&builder, true);
}

static void add_map(Trace *trace, StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    bool pairs = type ? type->arg_count > 1 : true;
    Formatter builder = {.out = out, .spec = *spec, .builds = pairs ? BUILDS_MAP : BUILDS_SET};
    Iter *iter = iter_over_map(trace, value.map, true);
    Value item;
    builder_begin(&builder);
    while (iter_next(trace, iter, &item)) {
        Type *key_type = type && type->arg_count ? type_of(type->args[0]) : NULL;
        if (!pairs) {
            add_part(trace, &builder, STR(""), item, key_type);
            continue;
        }
        StrBuf key = {.arena = out->arena};
        format_value(trace, &key, item.list->items[0], key_type, spec);
        add_part(trace, &builder, buf_str(&key), item.list->items[1],
                 type && type->arg_count > 1 ? type_of(type->args[1]) : NULL);
    }
    builder_finish(&builder, true);
}

static void add_range(Trace *trace, StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    Type *item = type && type->arg_count ? type_of(type->args[0]) : NULL;
    if (!value.range.no_start)
        format_value(trace, out, range_low(value), item, spec);
    buf_add(out, value.range.inclusive ? STR("..=") : STR(".."));
    if (!value.range.open)
        format_value(trace, out, range_high(value), item, spec);
}

// ---- all of them

static const char *const traits[] = {
    [FORMAT_DISPLAY] = "Display",    [FORMAT_DEBUG] = "Debug",        [FORMAT_HEX] = "LowerHex",
    [FORMAT_UPPER_HEX] = "UpperHex", [FORMAT_OCTAL] = "Octal",        [FORMAT_BINARY] = "Binary",
    [FORMAT_EXP] = "LowerExp",       [FORMAT_UPPER_EXP] = "UpperExp", [FORMAT_POINTER] = "Pointer",
};

static bool format_own(Trace *trace, StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    Decl *own = user_trait_method(trace, type, traits[spec->kind], "fmt");
    if (!own)
        return false;
    Formatter formatter = {.out = out, .spec = *spec};
    Value place = {.kind = VALUE_FORMATTER, .formatter = &formatter};
    Value args[] = {value.kind == VALUE_REF ? value : ref_to_value(trace, value),
                    value_ref(&place)};
    call_method(trace, own, type, args, 2);
    return true;
}

// {:x?}: Debug with whole numbers in hexadecimal.
static void add_integer(StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    FormatSpec own = *spec;
    if (spec->kind == FORMAT_DEBUG && spec->debug_hex)
        own.kind = spec->debug_hex;
    format_integer(out, value, type, &own);
}

static void add_element(StrBuf *out, Value value, const FormatSpec *spec)
{
    double real = element_to_real(value);
    if (scalar_is_integer(value.scalar.type))
        add_integer(out, value_int((int64_t)real), NULL, spec);
    else
        format_real(out, real, true, spec);
}

void format_value(Trace *trace, StrBuf *out, Value value, Type *type, const FormatSpec *spec)
{
    Value known = value_dyn(value);
    if (type && type_of(type)->kind == TYPE_ASSOC) // of something that was not known yet
        type = settle_associated(trace->lang, type_of(type));
    type = value_inner_type(known.dyn ? known.dyn : type);
    value = known.dyn ? (Value){.kind = VALUE_REF, .place = known.place} : value;
    if (format_own(trace, out, value, type, spec))
        return;
    value = value_strip(value);
    if (type && type_is_named(type, "Wrapping") && value.kind == VALUE_LIST) { // as what is in it
        value = value_strip(value.list->items[0]);
        type = value_inner_type(type->args[0]);
    }
    switch (value.kind) {
    case VALUE_BOOL:
        format_padded(out, value.boolean ? STR("true") : STR("false"), spec, ALIGN_LEFT);
        break;
    case VALUE_INT:
        if (type && type_is_prim(type, PRIM_char))
            add_char(out, (uint32_t)value.integer, spec);
        else
            add_integer(out, value, type, spec);
        break;
    case VALUE_WIDE:
        add_integer(out, value, type, spec);
        break;
    case VALUE_FLOAT:
        format_real(out, value.real, type && type_is_prim(type, PRIM_f32), spec);
        break;
    case VALUE_SCALAR:
        add_element(out, value, spec);
        break;
    case VALUE_STRING:
        add_text(out, value.text, spec);
        break;
    case VALUE_LIST:
        add_list(trace, out, value, type, spec);
        break;
    case VALUE_VARIANT:
    case VALUE_SMALL:
        add_variant(trace, out, value, type, spec);
        break;
    case VALUE_RANGE:
        add_range(trace, out, value, type, spec);
        break;
    case VALUE_MAP:
        add_map(trace, out, value, type, spec);
        break;
    case VALUE_IDENT:
        add_text(out, str_from(value.ident.name), spec);
        break;
    case VALUE_INDEX:
        host_index_print(out, value.index);
        break;
    case VALUE_MAPPING:
        mapping_value_print(out, value.mapping);
        break;
    case VALUE_FACTORS:
        factors_print(out, value.factors);
        break;
    default:
        buf_add(out, STR("_"));
        break;
    }
}

// ---- functions of Formatter

static Formatter *formatter_of(const StdCall *call, int64_t index)
{
    Value value = std_arg(call, index);
    return value.kind == VALUE_FORMATTER ? value.formatter : NULL;
}

static bool done(const StdCall *call, Value *result)
{
    *result = ok_value(call->trace, unit_value());
    return true;
}

NATIVE(format_write_str)
{
    Formatter *formatter = formatter_of(call, 0);
    Str text;
    if (!formatter || !std_text(call, 1, &text))
        return false;
    buf_add(formatter->out, text);
    return done(call, result);
}

NATIVE(format_pad)
{
    Formatter *formatter = formatter_of(call, 0);
    Str text;
    if (!formatter || !std_text(call, 1, &text))
        return false;
    FormatSpec spec = formatter->spec;
    spec.kind = FORMAT_DISPLAY;
    format_value(call->trace, formatter->out, value_text(text), NULL, &spec);
    return done(call, result);
}

NATIVE(format_ask)
{
    Formatter *formatter = formatter_of(call, 0);
    if (!formatter)
        return false;
    const FormatSpec *spec = &formatter->spec;
    Trace *trace = call->trace;
    switch (call->op) {
    case FORMATTER_WIDTH:
        *result = spec->has_width ? some_value(trace, value_int(spec->width)) : none_value(trace);
        return true;
    case FORMATTER_PRECISION:
        *result =
            spec->has_precision ? some_value(trace, value_int(spec->precision)) : none_value(trace);
        return true;
    case FORMATTER_FILL:
        *result = value_int(spec->fill ? spec->fill : ' ');
        return true;
    default:
        *result = value_bool(call->op == FORMATTER_ALTERNATE ? spec->alternate
                             : call->op == FORMATTER_PLUS    ? spec->plus
                                                             : spec->zero);
        return true;
    }
}

// ---- debug_struct and the like

NATIVE(format_build)
{
    Formatter *formatter = formatter_of(call, 0);
    Str name = STR("");
    if (!formatter || (call->count > 1 && !std_text(call, 1, &name)))
        return false;
    Formatter *builder = arena_new(call->trace->lang->arena, Formatter, 1);
    *builder = (Formatter){.out = formatter->out, .spec = formatter->spec};
    builder->spec.kind = FORMAT_DEBUG;
    builder->builds = (int)call->op;
    builder->nameless = name.len == 0;
    buf_add(builder->out, name);
    builder_begin(builder);
    *result = (Value){.kind = VALUE_FORMATTER, .formatter = builder};
    return true;
}

static Str debug_text(const StdCall *call, const Formatter *builder, Value value, Type *type)
{
    StrBuf text = {.arena = call->trace->lang->arena};
    format_value(call->trace, &text, value, type, &builder->spec);
    return buf_str(&text);
}

// field(name, value), field(value), entry(value), entry(key, value)
NATIVE(format_add_item)
{
    Formatter *builder = formatter_of(call, 0);
    if (!builder)
        return false;
    int64_t last = call->count - 1;
    Str name = STR("");
    if (last == 2 && builder->builds == BUILDS_MAP)
        name = debug_text(call, builder, call->args[1], std_arg_type(call, 1));
    else if (last == 2 && !std_text(call, 1, &name))
        return false;
    builder_item(builder, name,
                 debug_text(call, builder, call->args[last], std_arg_type(call, last)));
    *result = call->args[0];
    return true;
}

NATIVE(format_finish)
{
    Formatter *builder = formatter_of(call, 0);
    if (!builder)
        return false;
    builder_finish(builder, call->op);
    return done(call, result);
}

// ---- value.fmt(f), Debug::native_format_fmt(&value, f)

static FormatKind kind_of(const StdCall *call, FormatKind fallback)
{
    if (!call->expr || call->expr->kind != AST_CALL || call->expr->call.callee->kind != AST_PATH)
        return fallback;
    const AstSegments *segments = &call->expr->call.callee->path.segments;
    const char *trait = segments->count > 1 ? segments->items[segments->count - 2].name.text : "";
    return strcmp(trait, "Debug") == 0     ? FORMAT_DEBUG
           : strcmp(trait, "Display") == 0 ? FORMAT_DISPLAY
                                           : fallback;
}

NATIVE(format_fmt)
{
    Formatter *formatter = formatter_of(call, 1);
    if (!formatter)
        return false;
    FormatSpec spec = formatter->spec;
    spec.kind = kind_of(call, spec.kind);
    format_value(call->trace, formatter->out, call->args[0], std_arg_type(call, 0), &spec);
    return done(call, result);
}

NATIVE(format_to_string)
{
    StrBuf text = {.arena = call->trace->lang->arena};
    if (std_arg(call, 0).kind == VALUE_UNKNOWN)
        return false;
    format_value(call->trace, &text, call->args[0], std_arg_type(call, 0), &(FormatSpec){0});
    *result = value_text(buf_str(&text));
    return true;
}

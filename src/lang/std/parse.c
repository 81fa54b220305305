// Numbers and other values in texts.
#include "lang/std/native.h"

#include "base/checked.h"
#include "lang/eval/whole.h"
#include "lang/syntax/text.h"

#include <stdlib.h>
#include <string.h>

static Value int_error(Trace *trace, const char *kind, const char *words)
{
    Str debug = str_format(trace->lang->arena, "ParseIntError {{ kind: {} }", kind);
    return err_value(trace, error_value(trace, words, str_terminated(trace->lang->arena, debug)));
}

// Digits with a sign, of a type. What is wrong comes as the error.
static Value parse_integer(Trace *trace, Str text, int64_t radix, Type *type)
{
    const PrimInfo *prim = prim_of(type);
    int64_t at = 0;
    if (!text.len)
        return int_error(trace, "Empty", "cannot parse integer from empty string");
    bool minus = text.data[0] == '-' && prim->class == PRIM_INT;
    if (minus || text.data[0] == '+')
        at++;
    if (at >= text.len)
        return int_error(trace, "InvalidDigit", "invalid digit found in string");
    Whole value = {.negative = minus};
    for (; at < text.len; at++) {
        int64_t digit = char_digit((uint8_t)text.data[at], radix);
        if (digit < 0)
            return int_error(trace, "InvalidDigit", "invalid digit found in string");
        value.beyond |= __builtin_mul_overflow(value.size, (Uint128)radix, &value.size);
        value.beyond |= __builtin_add_overflow(value.size, (Uint128)digit, &value.size);
    }
    if (!whole_fits(value, prim))
        return minus ? int_error(trace, "NegOverflow", "number too small to fit in target type")
                     : int_error(trace, "PosOverflow", "number too large to fit in target type");
    return ok_value(trace, whole_value(value, prim));
}

static bool is_float_text(Arena *arena, Str text)
{
    static const char *const words[] = {"inf", "infinity", "nan"};
    int64_t sign = text.len && (text.data[0] == '-' || text.data[0] == '+');
    Str rest = str_slice(text, sign, text.len);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (rest.len == (int64_t)strlen(words[i]) &&
            strncasecmp(rest.data, words[i], (size_t)rest.len) == 0)
            return true;
    const char *terminated = str_terminated(arena, text);
    char *end;
    strtod(terminated, &end);
    return text.len && end == terminated + text.len &&
           strspn(terminated, "0123456789.eE+-") == (size_t)text.len;
}

static Value parse_real(Trace *trace, Str text, bool single)
{
    if (!is_float_text(trace->lang->arena, text))
        return err_value(trace, error_value(trace,
                                            text.len ? "invalid float literal"
                                                     : "cannot parse float from empty string",
                                            text.len ? "ParseFloatError { kind: Invalid }"
                                                     : "ParseFloatError { kind: Empty }"));
    const char *terminated = str_terminated(trace->lang->arena, text);
    return ok_value(
        trace, value_real(single ? (double)strtof(terminated, NULL) : strtod(terminated, NULL)));
}

static Value parse_other(Trace *trace, Str text, Type *type, bool *known)
{
    if (type_is_named(type, "String"))
        return ok_value(trace, value_text(text));
    if (type_is_prim(type, PRIM_bool)) {
        bool yes = str_equal(text, STR("true")), no = str_equal(text, STR("false"));
        return yes || no ? ok_value(trace, value_bool(yes))
                         : err_value(trace,
                                     error_value(trace, "provided string was not `true` or `false`",
                                                 "ParseBoolError"));
    }
    if (type_is_prim(type, PRIM_char)) {
        int64_t at = 0;
        uint32_t c = text.len ? text_decode(text, &at) : 0;
        if (text.len && at == text.len)
            return ok_value(trace, value_int(c));
        return err_value(trace, error_value(trace,
                                            text.len ? "too many characters in string"
                                                     : "cannot parse char from empty string",
                                            text.len ? "CharErrorKind::TooManyChars"
                                                     : "CharErrorKind::EmptyString"));
    }
    const Decl *own = user_method(trace, type, "from_str");
    *known = own;
    Value argument = value_text(text);
    return own ? call_method(trace, own, type, &argument, 1) : VALUE_NOTHING;
}

NATIVE(parse)
{
    Str text;
    Type *type = std_generic(call, 0);
    bool known = true;
    if (!type || !std_text(call, 0, &text))
        return false;
    const PrimInfo *prim =
        type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM ? &prims[type->decl->prim] : NULL;
    bool integer = prim && (prim->class == PRIM_INT || prim->class == PRIM_UINT);
    *result = integer                             ? parse_integer(call->trace, text, 10, type)
              : prim && prim->class == PRIM_FLOAT ? parse_real(call->trace, text, prim->bits == 32)
                                                  : parse_other(call->trace, text, type, &known);
    return known;
}

NATIVE(parse_from_str_radix)
{
    Str text;
    int64_t radix;
    if (!std_text(call, 0, &text) || !std_int(call, 1, &radix))
        return false;
    if (radix < 2 || radix > 36)
        return std_panic(call, result, "from_ascii_radix: radix must lie in the range `[2, 36]`");
    *result = parse_integer(call->trace, text, radix, call->self);
    return true;
}

NATIVE(parse_from_str)
{
    Str text;
    if (!std_text(call, 0, &text))
        return false;
    *result = type_strip(call->self)->decl->prim == PRIM_f32 ||
                      type_strip(call->self)->decl->prim == PRIM_f64
                  ? parse_real(call->trace, text, type_is_prim(type_strip(call->self), PRIM_f32))
                  : parse_integer(call->trace, text, 10, call->self);
    return true;
}

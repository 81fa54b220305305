// Mappings by constructors: each is the text that stands for it, which is then read.
#include "api/state.h"

#include "program/text_read.h"

#include <inttypes.h>

static ContraStatus read_mapping(Contra *contra, Str text, ContraMapping **mapping)
{
    return contra_mapping_parse(contra, contra_text("mapping"), text_of(text), mapping);
}

// Opens a constructor, as CONTRA_ENTER does. The text is put together under its own guard: reading
// sets another.
#define MAPPING_ENTER(contra, mapping) \
    if (mapping)                       \
        *(mapping) = NULL;             \
    CONTRA_ENTER(contra);              \
    if (!(mapping))                    \
    return refuse_argument(contra, __func__, "`mapping`")

ContraStatus contra_mapping_named(Contra *contra, const char *name, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, name, "`name`");
    Str word = str_trim(str_from(name));
    if (text_is_word(word))
        return read_mapping(contra, word, mapping);
    diag_add(&contra->diags, DIAG_AXIS_NAME, SPAN_NOWHERE, "`%.*s` is not a name", STR_ARG(word));
    return CONTRA_INVALID;
}

ContraStatus contra_mapping_one(Contra *contra, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    return read_mapping(contra, STR("1"), mapping);
}

ContraStatus contra_mapping_pair(Contra *contra, const ContraMapping *outer,
                                 const ContraMapping *inner, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, outer && inner, "`outer` and `inner`");
    CONTRA_OWNS(contra, outer, "a mapping");
    CONTRA_OWNS(contra, inner, "a mapping");
    Str text = str_format(&contra->arena, "%.*s, %.*s", STR_ARG(str_of(outer->text)),
                          STR_ARG(str_of(inner->text)));
    return read_mapping(contra, text, mapping);
}

// Numbers of mappings count positions.
static ContraStatus refuse_negative(Contra *contra, const char *function, int64_t number)
{
    diag_add(&contra->diags, DIAG_ARGUMENT_UNFIT, SPAN_NOWHERE,
             "%s was called with %" PRId64 ": a number of a mapping is not negative", function,
             number);
    return CONTRA_INVALID;
}

// [X] sign n, for a function
static ContraStatus operate(Contra *contra, const char *function, const ContraMapping *of,
                            char sign, int64_t n, ContraMapping **mapping)
{
    if (mapping)
        *mapping = NULL;
    CONTRA_ENTER(contra);
    if (!mapping || !of)
        return refuse_argument(contra, function, mapping ? "`of`" : "`mapping`");
    if (of->contra != contra)
        return refuse_stranger(contra, function, "a mapping");
    if (n < 0)
        return refuse_negative(contra, function, n);
    Str text = str_format(&contra->arena, "[%.*s] %c %" PRId64, STR_ARG(str_of(of->text)), sign, n);
    return read_mapping(contra, text, mapping);
}

ContraStatus contra_mapping_stride(Contra *contra, const ContraMapping *of, int64_t n,
                                   ContraMapping **mapping)
{
    return operate(contra, __func__, of, '/', n, mapping);
}

ContraStatus contra_mapping_modulo(Contra *contra, const ContraMapping *of, int64_t n,
                                   ContraMapping **mapping)
{
    return operate(contra, __func__, of, '%', n, mapping);
}

ContraStatus contra_mapping_resize(Contra *contra, const ContraMapping *of, int64_t n,
                                   ContraMapping **mapping)
{
    return operate(contra, __func__, of, '=', n, mapping);
}

ContraStatus contra_mapping_pad(Contra *contra, const ContraMapping *of, int64_t n,
                                ContraMapping **mapping)
{
    return operate(contra, __func__, of, '#', n, mapping);
}

ContraStatus contra_mapping_offset(Contra *contra, const ContraMapping *of, int64_t n,
                                   ContraMapping **mapping)
{
    return operate(contra, __func__, of, '@', n, mapping);
}

ContraStatus contra_mapping_pad_around(Contra *contra, int64_t before, const ContraMapping *of,
                                       int64_t after, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, of, "`of`");
    CONTRA_OWNS(contra, of, "a mapping");
    if (before < 0 || after < 0)
        return refuse_negative(contra, __func__, before < 0 ? before : after);
    Str text = str_format(&contra->arena, "# %" PRId64 " + [%.*s] + # %" PRId64, before,
                          STR_ARG(str_of(of->text)), after);
    return read_mapping(contra, text, mapping);
}

ContraStatus contra_mapping_select(Contra *contra, const ContraMapping *of,
                                   const int64_t *positions, int64_t count, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, of, "`of`");
    CONTRA_OWNS(contra, of, "a mapping");
    CONTRA_NEEDS(contra, IS_LIST(positions, count), "as many `positions` as it says");
    CONTRA_NEEDS(contra, count, "a position");
    for (int64_t i = 0; i < count; i++)
        if (positions[i] < 0)
            return refuse_negative(contra, __func__, positions[i]);
    StrBuf text = {.arena = &contra->arena};
    buf_printf(&text, "[%.*s] @ [", STR_ARG(str_of(of->text)));
    for (int64_t i = 0; i < count; i++)
        buf_printf(&text, "%s%" PRId64, i ? ", " : "", positions[i]);
    buf_add_char(&text, ']');
    return read_mapping(contra, buf_str(&text), mapping);
}

static bool all_given(const ContraMapping *const *of, const int64_t *factors, int64_t count)
{
    bool given = of && factors && count > 0;
    for (int64_t i = 0; given && i < count; i++)
        given = of[i];
    return given;
}

ContraStatus contra_mapping_linear(Contra *contra, const ContraMapping *const *of,
                                   const int64_t *factors, int64_t count, ContraMapping **mapping)
{
    MAPPING_ENTER(contra, mapping);
    CONTRA_NEEDS(contra, all_given(of, factors, count), "as many mappings and factors as it says");
    for (int64_t i = 0; i < count; i++)
        CONTRA_OWNS(contra, of[i], "a mapping");
    for (int64_t i = 0; i < count; i++)
        if (factors[i] < 0)
            return refuse_negative(contra, __func__, factors[i]);
    StrBuf text = {.arena = &contra->arena};
    buf_add(&text, STR("$("));
    for (int64_t i = 0; i < count; i++)
        buf_printf(&text, "%s[%.*s]:%" PRId64, i ? ", " : "", STR_ARG(str_of(of[i]->text)),
                   factors[i]);
    buf_add_char(&text, ')');
    return read_mapping(contra, buf_str(&text), mapping);
}

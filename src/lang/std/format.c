// Values as text, by their types: Display, Debug and the number formats.
#include "lang/std/format.h"

#include "base/checked.h"
#include "lang/eval/range.h"
#include "lang/std/std.h"
#include "lang/syntax/text.h"

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

void builder_begin(Formatter *builder)
{
    buf_add(builder->out, str_from(brackets[builder->builds].open));
}

void builder_item(Formatter *builder, Str name, Str text)
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
    buf_printf(&line, "%.*s%s%.*s,\n", STR_ARG(name), name.len ? ": " : "", STR_ARG(text));
    add_indented(out, buf_str(&line));
}

void builder_finish(Formatter *builder, bool complete)
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
        buf_printf(out, "\\u{%x}", c);
    else
        text_encode(out, c);
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
    const Decl *decl = value_variant(value);
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
    const Decl *own = user_trait_method(trace, type, traits[spec->kind], "fmt");
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

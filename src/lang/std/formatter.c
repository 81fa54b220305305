// The functions of Formatter, and what hands a value over to one.
#include "lang/std/std.h"

#include "lang/syntax/text.h"

#include <string.h>

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

static bool write_str(const StdCall *call, Value *result)
{
    Formatter *formatter = formatter_of(call, 0);
    Str text;
    if (!formatter || !std_text(call, 1, &text))
        return false;
    buf_add(formatter->out, text);
    return done(call, result);
}

static bool write_char(const StdCall *call, Value *result)
{
    Formatter *formatter = formatter_of(call, 0);
    int64_t c;
    if (!formatter || !std_int(call, 1, &c))
        return false;
    text_encode(formatter->out, (uint32_t)c);
    return done(call, result);
}

static bool pad(const StdCall *call, Value *result)
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

enum { ASK_ALTERNATE, ASK_PLUS, ASK_ZERO, ASK_WIDTH, ASK_PRECISION, ASK_FILL };

static bool ask(const StdCall *call, Value *result)
{
    Formatter *formatter = formatter_of(call, 0);
    if (!formatter)
        return false;
    const FormatSpec *spec = &formatter->spec;
    Trace *trace = call->trace;
    switch (call->op) {
    case ASK_WIDTH:
        *result = spec->has_width ? some_value(trace, value_int(spec->width)) : none_value(trace);
        return true;
    case ASK_PRECISION:
        *result =
            spec->has_precision ? some_value(trace, value_int(spec->precision)) : none_value(trace);
        return true;
    case ASK_FILL:
        *result = value_int(spec->fill ? spec->fill : ' ');
        return true;
    default:
        *result = value_bool(call->op == ASK_ALTERNATE ? spec->alternate
                             : call->op == ASK_PLUS    ? spec->plus
                                                       : spec->zero);
        return true;
    }
}

// ---- debug_struct and the like

static bool build(const StdCall *call, Value *result)
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
static bool add_item(const StdCall *call, Value *result)
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

static bool add_items(const StdCall *call, Value *result)
{
    Formatter *builder = formatter_of(call, 0);
    Iter *iter = iter_arg(call, 1);
    Value item;
    if (!builder || !iter)
        return false;
    Type *type = std_generic(call, 0);
    while (iter_next(call->trace, iter, &item)) {
        Value pair = value_strip(item);
        if (builder->builds != BUILDS_MAP) {
            builder_item(builder, STR(""), debug_text(call, builder, item, type));
            continue;
        }
        Type *types = type ? type_strip(type) : NULL;
        bool known = types && types->kind == TYPE_TUPLE && types->arg_count == 2;
        if (pair.kind != VALUE_LIST || pair.list->count != 2)
            return false;
        builder_item(builder,
                     debug_text(call, builder, pair.list->items[0], known ? types->args[0] : NULL),
                     debug_text(call, builder, pair.list->items[1], known ? types->args[1] : NULL));
    }
    *result = call->args[0];
    return true;
}

static bool finish(const StdCall *call, Value *result)
{
    Formatter *builder = formatter_of(call, 0);
    if (!builder)
        return false;
    builder_finish(builder, call->op);
    return done(call, result);
}

// ---- value.fmt(f), Debug::fmt(&value, f)

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

static bool fmt(const StdCall *call, Value *result)
{
    Formatter *formatter = formatter_of(call, 1);
    if (!formatter)
        return false;
    FormatSpec spec = formatter->spec;
    spec.kind = kind_of(call, spec.kind);
    format_value(call->trace, formatter->out, call->args[0], std_arg_type(call, 0), &spec);
    return done(call, result);
}

static bool to_string(const StdCall *call, Value *result)
{
    StrBuf text = {.arena = call->trace->lang->arena};
    if (std_arg(call, 0).kind == VALUE_UNKNOWN)
        return false;
    format_value(call->trace, &text, call->args[0], std_arg_type(call, 0), &(FormatSpec){0});
    *result = value_text(buf_str(&text));
    return true;
}

const StdRow std_format_rows[] = {
    {"Formatter", "write_str", write_str, 0},
    {"Formatter", "write_fmt", write_str, 0},
    {"Formatter", "write_char", write_char, 0},
    {"Formatter", "pad", pad, 0},
    {"Formatter", "alternate", ask, ASK_ALTERNATE},
    {"Formatter", "sign_plus", ask, ASK_PLUS},
    {"Formatter", "sign_aware_zero_pad", ask, ASK_ZERO},
    {"Formatter", "width", ask, ASK_WIDTH},
    {"Formatter", "precision", ask, ASK_PRECISION},
    {"Formatter", "fill", ask, ASK_FILL},
    {"Formatter", "debug_struct", build, BUILDS_STRUCT},
    {"Formatter", "debug_tuple", build, BUILDS_TUPLE},
    {"Formatter", "debug_list", build, BUILDS_LIST},
    {"Formatter", "debug_set", build, BUILDS_SET},
    {"Formatter", "debug_map", build, BUILDS_MAP},
    {"DebugStruct", "field", add_item, 0},
    {"DebugStruct", "finish", finish, true},
    {"DebugStruct", "finish_non_exhaustive", finish, false},
    {"DebugTuple", "field", add_item, 0},
    {"DebugTuple", "finish", finish, true},
    {"DebugList", "entry", add_item, 0},
    {"DebugList", "entries", add_items, 0},
    {"DebugList", "finish", finish, true},
    {"DebugMap", "entry", add_item, 0},
    {"DebugMap", "entries", add_items, 0},
    {"DebugMap", "finish", finish, true},
    {"Any", "fmt", fmt, 0},
    {"Any", "to_string", to_string, 0},
    {0},
};

// The functions of Formatter, and what hands a value over to one.
#include "lang/std/native.h"

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

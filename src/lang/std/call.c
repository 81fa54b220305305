// Which row of the tables a function of the standard library is, and what its arguments are.
#include "lang/std/std.h"

#include "base/checked.h"

#include <string.h>

// ---- rows

static const StdRow *const tables[] = {
    std_number_rows, std_float_rows,  std_iter_rows,    std_list_rows,   std_vec_rows,
    std_order_rows,  std_heap_rows,   std_option_rows,  std_text_rows,   std_char_rows,
    std_string_rows, std_parse_rows,  std_map_rows,     std_rand_rows,   std_misc_rows,
    std_env_rows,    std_format_rows, std_element_rows, std_shared_rows, std_future_rows};

// The bound of the generic that an impl block is for: Integer, Float, Any.
static const char *blanket_name(const Impl *impl)
{
    const AstGenerics *generics = &impl->item->generics;
    const AstTypes *bounds = generics->count ? &generics->items[0].bounds : NULL;
    bool named = bounds && bounds->count && bounds->items[0]->kind == AST_TYPE_PATH;
    return named ? bounds->items[0]->path.segments.items[0].name.text : "Any";
}

static const char *owner_of(const Decl *decl)
{
    Type *self = decl->impl ? decl->impl->self : NULL;
    if (!self)
        return decl->scope->name ? decl->scope->name : "";
    switch (self->kind) {
    case TYPE_NAMED:
        return self->decl->name;
    case TYPE_SLICE:
        return "slice";
    case TYPE_ARRAY:
        return "array";
    case TYPE_PARAM:
        return blanket_name(decl->impl);
    default:
        return "";
    }
}

static const StdRow *find_row(const Decl *decl)
{
    static const StdRow none = {0};
    const char *owner = owner_of(decl);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const StdRow *row = tables[i]; row->run; row++)
            if (strcmp(row->owner, owner) == 0 &&
                (!row->name || strcmp(row->name, decl->name) == 0))
                return row;
    return &none;
}

bool std_call(StdCall *call, Value *result)
{
    Decl *decl = (Decl *)(uintptr_t)call->use->decl; // its row is found once
    if (!decl->std)
        decl->std = find_row(decl);
    call->op = decl->std->op;
    return decl->std->run && decl->std->run(call, result);
}

// ---- arguments

Type *std_arg_type(const StdCall *call, int64_t index)
{
    const Body *body = call->trace->frame ? call->trace->frame->body : NULL;
    const AstExpr *expr = call->expr;
    if (expr && expr->kind == AST_METHOD)
        return body_type(body, index ? expr->method.args.items[index - 1] : expr->method.receiver);
    if (expr && expr->kind == AST_CALL && index < expr->call.args.count)
        return body_type(body, expr->call.args.items[index]);
    Lang *lang = call->trace->lang;
    const Signature *signature = signature_of(lang, call->use->decl);
    int64_t self = signature->self_kind != SELF_NONE;
    if (index < self)
        return call->self ? call->self : type_poison(lang);
    if (index - self >= signature->param_count)
        return type_poison(lang);
    return type_of(type_instantiate(lang, signature->params[index - self], call->use->generics));
}

Type *std_generic(const StdCall *call, int32_t index)
{
    const Signature *signature = signature_of(call->trace->lang, call->use->decl);
    int32_t at = signature->own_start + index;
    return call->use->generics && at < signature->generic_count ? type_of(call->use->generics[at])
                                                                : NULL;
}

Value std_arg(const StdCall *call, int64_t index)
{
    return index < call->count ? value_strip(call->args[index]) : VALUE_NOTHING;
}

bool std_int(const StdCall *call, int64_t index, int64_t *value)
{
    Value arg = std_arg(call, index);
    *value = arg.integer;
    return arg.kind == VALUE_INT;
}

bool std_count(const StdCall *call, int64_t index, int64_t *value)
{
    enum { BITS_LEFT_OUT = 2 }; // so that what is counted may still be added to it
    bool known = std_int(call, index, value);
    *value =
        (int64_t)((uint64_t)*value < UINT64_MAX >> BITS_LEFT_OUT ? (uint64_t)*value
                                                                 : UINT64_MAX >> BITS_LEFT_OUT);
    return known;
}

bool std_text(const StdCall *call, int64_t index, Str *text)
{
    Value arg = std_arg(call, index);
    *text = arg.text;
    return arg.kind == VALUE_STRING;
}

// ---- answers

bool(std_panic)(const StdCall *call, Value *result, Message message)
{
    *result = (trace_panic_words)(call->trace, call->span, message);
    return true;
}

Value std_apply(const StdCall *call, Value function, const Value *args, int64_t count)
{
    return call_value(call->trace, function, args, count, call->span);
}

bool std_ask(const StdCall *call, Value function, const Value *args, int64_t count, bool *known)
{
    Value answer = value_strip(std_apply(call, function, args, count));
    *known &= answer.kind == VALUE_BOOL;
    return answer.kind == VALUE_BOOL && answer.boolean;
}

Value ref_to_value(Trace *trace, Value value)
{
    return value_ref(arena_copy(trace->lang->arena, &value, sizeof value));
}

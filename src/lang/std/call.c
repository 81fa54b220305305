// Finds the C function for a function of the standard library, and reads its arguments.
#include "lang/std/native.h"

#include <stdlib.h>

static int compare_marks(const void *mark, const void *row)
{
    return str_compare(*(const Str *)mark, str_from(((const StdNative *)row)->mark));
}

static const StdNative *find_native(Decl *decl)
{
    static const StdNative none = {0};
    const AstAttribute *mark = attribute_find(&decl->item->attributes, "native");
    const StdNative *found = mark ? bsearch(&mark->args, std_natives, (size_t)std_native_count,
                                            sizeof *std_natives, compare_marks)
                                  : NULL;
    return found ? found : &none;
}

bool std_call(StdCall *call, Value *result)
{
    Decl *decl = call->use->decl; // its row is found once
    if (!decl->std)
        decl->std = find_native(decl);
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

Value *std_place(const StdCall *call, int64_t index)
{
    Value value = call->args[index];
    Value *place = NULL;
    for (int i = 0; i < 64 && value.kind == VALUE_REF; i++) {
        place = value.place;
        value = *place;
    }
    return place;
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

bool std_unit(Value *result)
{
    *result = unit_value();
    return true;
}

bool std_option(const StdCall *call, bool there, Value item, Value *result)
{
    *result = there ? some_value(call->trace, item) : none_value(call->trace);
    return true;
}

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

#include "lang/trace_internal.h"

#include "base/checked.h"
#include "lang/parse.h"

#include <string.h>

// ---- patterns

static bool bind_items(Trace *trace, const AstPatterns *items, const ValueList *list)
{
    bool fits = true;
    int64_t rest = -1;
    for (int64_t i = 0; i < items->count; i++)
        if (items->items[i]->kind == PATTERN_REST)
            rest = i;
    for (int64_t i = 0; i < items->count; i++) {
        if (i == rest)
            continue;
        int64_t at = rest >= 0 && i > rest && list ? list->count - (items->count - i) : i;
        bool there = list && at >= 0 && at < list->count;
        fits &= bind_pattern(trace, items->items[i], there ? list->items[at] : VALUE_NOTHING);
    }
    return fits;
}

static bool bind_fields(Trace *trace, const AstPattern *pattern, const AstFields *fields,
                        const ValueList *list)
{
    bool fits = true;
    for (int64_t i = 0; i < pattern->items.count; i++) {
        Value value = VALUE_NOTHING;
        for (int64_t k = 0; list && k < fields->count && k < list->count; k++)
            if (fields->items[k].name.text == pattern->fields.items[i].text)
                value = list->items[k];
        fits &= bind_pattern(trace, pattern->items.items[i], value);
    }
    return fits;
}

static bool bind_variant(Trace *trace, const AstPattern *pattern, Value value)
{
    const AstSegments *segments = &pattern->path.segments;
    const char *name = segments->items[segments->count - 1].name.text;
    if (value.kind == VALUE_LIST && pattern->kind == PATTERN_STRUCT) {
        const Decl *decl = module_lookup(trace->lang, trace->frame->body->scope, name, SPACE_TYPE);
        return !decl || decl->kind != DECL_STRUCT ||
               bind_fields(trace, pattern, &decl->item->structure.fields, value.list);
    }
    if (value.kind == VALUE_LIST) // a tuple struct
        return bind_items(trace, &pattern->items, value.list);
    bool known = value.kind == VALUE_VARIANT;
    const ValueList *fields = known ? value.variant.fields : NULL;
    bool fits = !known || value.variant.decl->name == name;
    if (!fits)
        return false;
    if (pattern->kind == PATTERN_STRUCT && known && value.variant.decl->variant)
        return bind_fields(trace, pattern, &value.variant.decl->variant->fields, fields);
    return bind_items(trace, &pattern->items, fields);
}

static bool bind_literal(Trace *trace, const AstPattern *pattern, Value value)
{
    Value low = pattern->low ? value_strip(trace_expr(trace, pattern->low)) : VALUE_NOTHING;
    bool known = true;
    if (!pattern->high)
        return value_equal(&low, &value, &known) || !known;
    Value high = value_strip(trace_expr(trace, pattern->high));
    if (value.kind != VALUE_INT || high.kind != VALUE_INT)
        return true;
    bool above = low.kind != VALUE_INT || value.integer >= low.integer;
    return above &&
           (pattern->inclusive ? value.integer <= high.integer : value.integer < high.integer);
}

// A name that is no variable is a constant or a variant.
static bool is_constant(Trace *trace, const AstPattern *pattern, Value value)
{
    bool known = true;
    const Decl *decl =
        module_lookup(trace->lang, trace->frame->body->scope, pattern->name.text, SPACE_VALUE);
    if (!decl || decl->kind != DECL_CONST)
        return value.kind != VALUE_VARIANT || value.variant.decl->name == pattern->name.text;
    Value constant = constant_value(trace, decl, &(Use){.kind = USE_DECL, .decl = decl});
    return value_equal(&constant, &value, &known) || !known;
}

static void name_tensor(Value value, const char *name)
{
    if (value.kind == VALUE_TENSOR && !value.tensor->name)
        ((Tensor *)(uintptr_t)value.tensor)->name = name; // the first name it gets
}

bool bind_pattern(Trace *trace, const AstPattern *pattern, Value value)
{
    Value stripped = value_strip(value);
    uintptr_t slot = (uintptr_t)map_get(&trace->frame->body->slots, pattern);
    switch (pattern->kind) {
    case PATTERN_BIND:
        if (!slot)
            return is_constant(trace, pattern, stripped);
        trace->frame->slots[slot - 1] = copy_list(trace, value);
        name_tensor(value, pattern->name.text);
        return !pattern->inner || bind_pattern(trace, pattern->inner, value);
    case PATTERN_TUPLE:
    case PATTERN_SLICE:
        return bind_items(trace, &pattern->items,
                          stripped.kind == VALUE_LIST ? stripped.list : NULL);
    case PATTERN_PATH:
    case PATTERN_VARIANT:
    case PATTERN_STRUCT:
        return bind_variant(trace, pattern, stripped);
    case PATTERN_REF:
        return bind_pattern(trace, pattern->inner, value.kind == VALUE_REF ? *value.place : value);
    case PATTERN_LITERAL:
        return bind_literal(trace, pattern, stripped);
    case PATTERN_OR:
        for (int64_t i = 0; i < pattern->items.count; i++)
            if (bind_pattern(trace, pattern->items.items[i], value))
                return true;
        return false;
    case PATTERN_WILDCARD:
    case PATTERN_REST:
    case PATTERN_ERROR:
        break;
    }
    return true;
}

// ---- blocks

static void trace_let(Trace *trace, const AstStatement *statement)
{
    Value value = statement->value ? trace_moved(trace, statement->value) : VALUE_NOTHING;
    if (trace->flow != FLOW_ON)
        return;
    if (!bind_pattern(trace, statement->pattern, value) && statement->otherwise)
        trace_block(trace, statement->otherwise);
}

Value trace_block(Trace *trace, const AstBlock *block)
{
    static const ValueList empty = {NULL, 0};
    for (int64_t i = 0; i < block->statements.count && trace->flow == FLOW_ON; i++) {
        const AstStatement *statement = &block->statements.items[i];
        if (statement->kind == STATEMENT_LET)
            trace_let(trace, statement);
        else if (statement->kind == STATEMENT_EXPR)
            trace_expr(trace, statement->value);
    }
    if (trace->flow != FLOW_ON)
        return (Value){.kind = VALUE_POISON};
    return block->tail ? trace_expr(trace, block->tail)
                       : (Value){.kind = VALUE_LIST, .list = &empty};
}

// ---- calls

static const Body *body_of(Lang *lang, const Decl *decl, Type **generics)
{
    Body *body = map_get(&lang->bodies, decl);
    const Signature *signature = signature_of(lang, decl);
    if (body && !signature->generic_count)
        return body;
    body = infer_function(lang, decl, generics);
    map_put(&lang->bodies, decl, body);
    return body;
}

// A closure may outlive the call it was made in, and sees its variables still.
Frame *new_frame(Trace *trace, const Body *body)
{
    Frame *frame = arena_new(trace->lang->arena, Frame, 1);
    frame->body = body;
    frame->outer = trace->frame;
    frame->slots = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, body->slot_count));
    return frame;
}

static void bind_args(Trace *trace, const Decl *decl, const Value *args, int64_t count)
{
    int64_t next = 0;
    if (decl->item->function.self != SELF_NONE && count)
        trace->frame->slots[0] = args[next++];
    for (int64_t i = 0; i < decl->item->function.params.count && next < count; i++)
        bind_pattern(trace, decl->item->function.params.items[i].pattern, args[next++]);
}

static Value run(Trace *trace, const Decl *decl, Frame *frame, const Value *args, int64_t count)
{
    Frame *outer = trace->frame;
    trace->frame = frame;
    trace->depth++;
    bind_args(trace, decl, args, count);
    Value value = trace_block(trace, decl->item->function.body);
    if (trace->flow == FLOW_RETURN)
        value = frame->result;
    if (trace->flow != FLOW_STOP)
        trace->flow = FLOW_ON;
    trace->depth--;
    trace->frame = outer;
    return value;
}

// What is wrong in a function that was called may be wrong because of the call.
static void note_call(const Trace *trace, int64_t first, Span span)
{
    const DiagList *diags = trace->lang->diags;
    enum { NEAR_CALLS = 3 };
    for (int64_t i = first; i < diags->count && trace->depth <= NEAR_CALLS; i++)
        diag_note(diags->items[i], span, "called from here");
}

static bool is_running(const Trace *trace, const Decl *decl)
{
    for (const Frame *frame = trace->frame; frame; frame = frame->outer)
        if (frame->body->decl == decl)
            return true;
    return false;
}

Value trace_call(Trace *trace, const Decl *decl, Type **generics, const Value *args, int64_t count,
                 Span span)
{
    if (!decl->item->function.body)
        return VALUE_NOTHING;
    if (trace->uncertain && (trace->depth >= TRACE_CALLS || is_running(trace, decl)))
        return VALUE_NOTHING; // what would end it is not known here
    if (trace->depth >= TRACE_CALLS) {
        diag_add(trace->lang->diags, DIAG_RECURSION, span,
                 "calls are nested more than %d deep here: does `%s` call itself?", TRACE_CALLS,
                 decl->name);
        trace->flow = FLOW_STOP;
        return (Value){.kind = VALUE_POISON};
    }
    map_put(&trace->lang->called, decl, trace->lang);
    trace->steps++;
    if (out_of_steps(trace, span))
        return (Value){.kind = VALUE_POISON};
    if (trace_model(trace, decl, generics, span))
        return VALUE_NOTHING;
    Frame *frame = new_frame(trace, body_of(trace->lang, decl, generics));
    int64_t reports = trace->lang->diags->count;
    Value value = run(trace, decl, frame, args, count);
    note_call(trace, reports, span);
    return value;
}

Value trace_closure(Trace *trace, const Closure *closure, const Value *args, int64_t count)
{
    Frame *outer = trace->frame;
    trace->steps++;
    if (trace->depth >= TRACE_CALLS || out_of_steps(trace, closure->expr->span))
        return (Value){.kind = VALUE_POISON};
    trace->frame = closure->frame;
    trace->depth++;
    const AstParams *params = &closure->expr->closure.params;
    for (int64_t i = 0; i < params->count && i < count; i++)
        bind_pattern(trace, params->items[i].pattern, args[i]);
    Value value = trace_expr(trace, closure->expr->closure.body);
    if (trace->flow == FLOW_RETURN) {
        trace->flow = FLOW_ON;
        value = trace->frame->result;
    }
    trace->depth--;
    trace->frame = outer;
    return value;
}

// ---- whole functions

bool is_host_function(const Decl *decl)
{
    const AstAttributes *attributes = &decl->item->attributes;
    return decl->item->function.is_async || attribute_find(attributes, "test") ||
           attribute_find(attributes, "tokio::test") || strcmp(decl->name, "main") == 0;
}

// The N of #[device(chip = N)].
static MaybeInt device_chips(Lang *lang, const Decl *decl)
{
    const AstAttribute *attribute = attribute_find(&decl->item->attributes, "device");
    if (!attribute)
        return (MaybeInt){0};
    Str args = str_trim(attribute->args);
    const char *equals = args.len ? memchr(args.data, '=', (size_t)args.len) : NULL;
    int64_t chips;
    if (equals && str_equal(str_trim(str_slice(args, 0, equals - args.data)), STR("chip")) &&
        str_to_i64(str_trim(str_slice(args, equals - args.data + 1, args.len)), &chips) &&
        chips > 0)
        return (MaybeInt){true, chips};
    Diag *diag = diag_add(lang->diags, DIAG_DEVICE_ATTRIBUTE, attribute->span,
                          "`#[device(%.*s)]` does not say the number of chips", STR_ARG(args));
    diag_help(diag, "write `#[device(chip = 1)]`");
    return (MaybeInt){0};
}

// A context that is a parameter is checked as the main one, which can do everything; a generic of
// another kind has no value outside of a call.
static bool choose_generics(Lang *lang, const Signature *signature, Type **generics, bool *open)
{
    for (int32_t i = 0; i < signature->generic_count; i++) {
        const AstGeneric *generic = signature->generics[i];
        if (generic->kind != PARAM_CONST)
            return false;
        TypeScope scope = {.lang = lang, .scope = signature->decl->scope};
        Type *type = resolve_type(&scope, generic->type);
        if (!type_is_named(type, "Tu"))
            return false;
        *open = true;
        Decl *main = map_get(&type->decl->variants, lang_name(lang, "Main"));
        generics[i] = type_variant(lang, main, generic->name.span);
    }
    return true;
}

static bool is_sendable(Type *type)
{
    static const char *const names[] = {"HbmTensor", "HbmTensorView", "HbmTensorViewMut", "Context",
                                        "TuContext", "DmaContext",    "PhantomData"};
    type = type_strip(type);
    if (type->kind == TYPE_ERROR || type->kind == TYPE_NEVER)
        return true;
    if (type->kind == TYPE_TUPLE) {
        bool all = true;
        for (int32_t i = 0; i < type->arg_count; i++)
            all &= is_sendable(type->args[i]);
        return all;
    }
    if (type->kind != TYPE_NAMED)
        return false;
    if (type->decl->kind == DECL_PRIM)
        return prims[type->decl->prim].class != PRIM_ELEMENT && type->decl->prim != PRIM_str;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (type_is_named(type, names[i]))
            return true;
    return false;
}

static void check_sendable(Lang *lang, Type *type, Span span, const char *what)
{
    if (is_sendable(type))
        return;
    Diag *diag = diag_add(lang->diags, DIAG_DEVICE_SIGNATURE, span,
                          "a device function cannot %s %s", what, type_head_name(type_strip(type)));
    diag_help(diag, "move tensors through HBM: take `&HbmTensor<..>`, give back `HbmTensor<..>`");
}

static void check_device_signature(Lang *lang, const Decl *decl)
{
    const Signature *signature = signature_of(lang, decl);
    const AstItem *item = decl->item;
    for (int32_t i = 0; i < signature->param_count; i++)
        if (item->function.params.items[i].type)
            check_sendable(lang, signature->params[i], item->function.params.items[i].type->span,
                           "take");
    if (item->function.result)
        check_sendable(lang, signature->result, item->function.result->span, "give back");
}

static void keep_results(Trace *trace, Value value)
{
    value = value_strip(value);
    if (value.kind == VALUE_TENSOR)
        builder_result(trace->builder, value.tensor);
    if (value.kind == VALUE_STREAM)
        builder_leave_open(trace->builder, value.stream.pass);
    for (int64_t i = 0; value.kind == VALUE_LIST && i < value.list->count; i++)
        keep_results(trace, value.list->items[i]);
}

Program *trace_function(Lang *lang, Builder *builder, const Decl *decl)
{
    const Signature *signature = signature_of(lang, decl);
    bool open = false;
    Type **generics = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    if (!decl->item->function.body || !choose_generics(lang, signature, generics, &open))
        return NULL;
    if (attribute_find(&decl->item->attributes, "device"))
        check_device_signature(lang, decl);
    const Body *body = body_of(lang, decl, generics);
    const char *name = str_terminated(lang->arena, decl_path(lang->arena, decl));
    builder_open(builder, name, decl->span, device_chips(lang, decl));
    Trace trace = {
        .lang = lang, .builder = builder, .is_host = is_host_function(decl), .open_context = open};
    Frame *frame = new_frame(&trace, body);
    int64_t self = decl->item->function.self != SELF_NONE, count = signature->param_count + self;
    Value *args = arena_new(lang->arena, Value, (size_t)max_i64(1, count));
    for (int32_t i = 0; i < signature->param_count; i++) {
        const AstPattern *pattern = decl->item->function.params.items[i].pattern;
        args[i + self] =
            param_value(&trace, type_instantiate(lang, signature->params[i], generics),
                        pattern->kind == PATTERN_BIND ? pattern->name.text : NULL, pattern->span);
    }
    keep_results(&trace, run(&trace, decl, frame, args, count));
    return builder_close(builder);
}

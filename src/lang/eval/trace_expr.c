#include "lang/eval/trace_internal.h"

#include "base/checked.h"
#include "lang/eval/drop.h"
#include "lang/eval/range.h"
#include "lang/std/std.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// A value of a type with an `impl Drop` knows it.
static Value owned(Trace *trace, Decl *decl, Type *type, Value value)
{
    if (!trace->run || !decl_drops(decl))
        return value;
    trace->run->owns = true;
    if (value.kind == VALUE_VARIANT && !value.variant.fields)
        value.variant.fields = new_list(trace, 0).list;
    ValueList *list = value.kind == VALUE_LIST ? value.list : value.variant.fields;
    if (value.kind == VALUE_LIST && !list->count)
        value.list = list = new_list(trace, 0).list;
    list_owner(trace, list)->drops = type_of(type);
    return value;
}

// ---- literals and names

static Value trace_literal(Trace *trace, const AstExpr *expr)
{
    Type *type = quick_type(trace, expr);
    switch (expr->literal.kind) {
    case LITERAL_INT:
        if (type->kind == TYPE_ERROR)
            return poison_value();
        if (type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM &&
            prims[type->decl->prim].class == PRIM_FLOAT)
            return (Value){.kind = VALUE_FLOAT, .real = expr->literal.real};
        return whole_of_bits(expr->literal.integer, prim_of(type));
    case LITERAL_CHAR:
    case LITERAL_BYTE:
        return value_int((int64_t)expr->literal.integer);
    case LITERAL_FLOAT:
        return (Value){.kind = VALUE_FLOAT,
                       .real = type_is_prim(type, PRIM_f32) ? (double)(float)expr->literal.real
                                                            : expr->literal.real};
    case LITERAL_BOOL:
        return value_bool(expr->literal.integer != 0);
    case LITERAL_STRING:
        return (Value){.kind = VALUE_STRING, .text = expr->literal.text};
    case LITERAL_BYTES:
        return bytes_value(trace, expr->literal.text);
    }
    return VALUE_NOTHING;
}

static Value trace_path(Trace *trace, const AstExpr *expr)
{
    const Use *use = body_use(trace->frame->body, expr);
    if (!use)
        return poison_value();
    if (use->kind == USE_LOCAL) {
        return check_there(trace, expr, &trace->frame->slots[use->slot]);
    }
    if (use->kind == USE_GENERIC)
        return generic_value(use->type, prim_of(quick_type(trace, expr)));
    switch (use->decl->kind) {
    case DECL_CONST:
        return known_constant(trace, use, expr->span);
    case DECL_FN:
        return (Value){.kind = VALUE_FN, .function = use};
    case DECL_VARIANT:
        if (use->decl->variant->kind == FIELDS_TUPLE)
            return (Value){.kind = VALUE_FN, .function = use};
        return owned(trace, use->decl, quick_type(trace, expr),
                     (Value){.kind = VALUE_VARIANT, .variant = {use->decl, NULL}});
    case DECL_STRUCT:
        if (use->decl->item->structure.kind == FIELDS_TUPLE)
            return (Value){.kind = VALUE_FN, .function = use};
        return owned(trace, use->decl, quick_type(trace, expr),
                     (Value){.kind = VALUE_VARIANT, .variant = {use->decl, NULL}});
    default:
        return VALUE_NOTHING;
    }
}

// ---- operators

static Value trace_ref(Trace *trace, const AstExpr *expr)
{
    const AstExpr *inner = expr->unary.inner;
    bool again = inner->kind == AST_UNARY && inner->unary.op == UNARY_DEREF;
    if (again && quick_type(trace, inner)->kind == TYPE_IMPL) // &*x of a `dyn`
        return trace_expr(trace, inner);
    Value *place = trace_place(trace, expr->unary.inner);
    if (place && check_whole(trace, expr->unary.inner, place).kind == VALUE_POISON)
        return poison_value();
    if (!place) {
        place = arena_new(trace->lang->arena, Value, 1);
        *place = trace_expr(trace, expr->unary.inner);
        temporary(trace, expr->unary.inner, place);
    }
    return place->kind == VALUE_POISON ? poison_value()
                                       : (Value){.kind = VALUE_REF, .place = place};
}

static Value trace_unary(Trace *trace, const AstExpr *expr)
{
    if (expr->unary.op == UNARY_REF || expr->unary.op == UNARY_REF_MUT)
        return trace_ref(trace, expr);
    Value value = expr->unary.op == UNARY_DEREF ? borrowed(trace, expr->unary.inner)
                                                : trace_expr(trace, expr->unary.inner);
    if (body_use(trace->frame->body, expr))
        return trace_own(trace, expr, body_use(trace->frame->body, expr), &value, 1);
    switch (expr->unary.op) {
    case UNARY_NEGATE:
        return trace_negate(trace, expr, value, quick_type(trace, expr));
    case UNARY_NOT:
        return trace_not(value, quick_type(trace, expr));
    default: // what a `dyn` stands for is known through its reference only
        return value.kind == VALUE_REF && !value.dyn ? *value.place : value;
    }
}

// The second side is looked at only if the first leaves it open.
static Value trace_logical(Trace *trace, const AstExpr *expr)
{
    bool all = expr->binary.op == BINARY_LAND;
    trace->nesting++;
    Value left = value_strip(trace_expr(trace, expr->binary.left));
    bool decided = left.kind == VALUE_BOOL && left.boolean != all;
    Value right = decided ? left : value_strip(trace_expr(trace, expr->binary.right));
    trace->nesting--;
    return left.kind == VALUE_BOOL ? right : VALUE_NOTHING;
}

static Value trace_operator(Trace *trace, const AstExpr *expr)
{
    Value own;
    if (expr->binary.op == BINARY_LAND || expr->binary.op == BINARY_LOR)
        return trace_logical(trace, expr);
    trace->nesting++;
    bool is_own = trace_own_binary(trace, expr, &own);
    if (is_own) {
        trace->nesting--;
        return own;
    }
    Value left = trace_expr(trace, expr->binary.left);
    Value right = trace_expr(trace, expr->binary.right);
    trace->nesting--;
    Type *type = quick_type(trace, expr->binary.left);
    const Value *a = value_target(&left), *b = value_target(&right);
    if (a->kind == VALUE_INT && b->kind == VALUE_INT)
        return trace_integers(trace, expr, expr->binary.op, a->integer, b->integer, type);
    return trace_binary(trace, expr, expr->binary.op, left, right, type_strip(type));
}

// (a, [b, _]) = value
static void assign_parts(Trace *trace, const AstExpr *left, Value value)
{
    if (left->kind != AST_TUPLE && left->kind != AST_ARRAY) {
        Value *place = trace_place(trace, left);
        if (place)
            *place = value;
        return;
    }
    for (int64_t i = 0; i < left->items.count; i++) {
        const Value *part = item_place(&value, i);
        assign_parts(trace, left->items.items[i], part ? *part : VALUE_NOTHING);
    }
}

static Value trace_assign(Trace *trace, const AstExpr *expr)
{
    if (trace_own_assign(trace, expr))
        return unit_value();
    Value value = trace_moved(trace, expr->binary.right);
    if (trace->flow != FLOW_ON) // `x += f()?` that returned: x stays what it is
        return poison_value();
    bool parts = expr->binary.left->kind == AST_TUPLE || expr->binary.left->kind == AST_ARRAY;
    if (parts) {
        assign_parts(trace, expr->binary.left, value);
        return unit_value();
    }
    Value *place = trace_place(trace, expr->binary.left);
    bool integers = place && place->kind == VALUE_INT && value.kind == VALUE_INT;
    if (integers && expr->binary.compound)
        value = trace_integers(trace, expr, expr->binary.op, place->integer, value.integer,
                               quick_type(trace, expr->binary.left));
    else if (place && expr->binary.compound)
        value = trace_binary(trace, expr, expr->binary.op, *place, value,
                             type_strip(quick_type(trace, expr->binary.left)));
    if (place && value.kind == VALUE_REF && value.place == place)
        value = *place; // a reference to itself refers to what it refers to
    if (place) {
        bool drops = follows_drops(trace) && !expr->binary.compound &&
                     type_drops(trace, quick_type(trace, expr->binary.left));
        Value old = *place;
        *place = value;
        if (drops)
            value_drop(trace, &old);
    }
    return unit_value();
}

static Value trace_range(Trace *trace, const AstExpr *expr)
{
    const AstExpr *one = expr->range.low ? expr->range.low : expr->range.high;
    Value low = VALUE_NOTHING, high = VALUE_NOTHING;
    if (expr->range.low)
        low = value_strip(trace_expr(trace, expr->range.low));
    if (expr->range.high)
        high = value_strip(trace_expr(trace, expr->range.high));
    return range_value(trace, expr->range.low ? &low : NULL, expr->range.high ? &high : NULL,
                       expr->range.inclusive,
                       one ? quick_type(trace, one) : type_poison(trace->lang));
}

// ---- compounds

// A list of items that are in memory of their own already.
static Value items_value(Trace *trace, Value *items, int64_t count)
{
    ValueList *list = arena_new(trace->lang->arena, ValueList, 1);
    *list = (ValueList){.items = items, .count = count};
    return (Value){.kind = VALUE_LIST, .list = list};
}

static Value trace_items(Trace *trace, const AstExprs *exprs)
{
    ValueList *spare = trace->run ? run_spare_list(trace, exprs->count) : NULL;
    Value *items = spare ? spare->items
                         : arena_new(trace->lang->arena, Value, (size_t)max_i64(1, exprs->count));
    for (int64_t i = 0; i < exprs->count; i++)
        items[i] = trace_moved(trace, exprs->items[i]);
    return spare ? (Value){.kind = VALUE_LIST, .list = spare}
                 : items_value(trace, items, exprs->count);
}

enum { LARGEST_ARRAY = 1 << 20 };

// Values in it: an array of arrays is made of all of them.
static int64_t value_weight(Value value)
{
    int64_t weight = 1;
    for (int64_t i = 0; value.kind == VALUE_LIST && i < value.list->count; i++)
        weight += value_weight(value.list->items[i]);
    return weight;
}

static Value trace_repeat(Trace *trace, const AstExpr *expr)
{
    Value item = trace_expr(trace, expr->repeat.value);
    Value count = value_strip(trace_expr(trace, expr->repeat.count));
    uint64_t most = LARGEST_ARRAY / (uint64_t)value_weight(item);
    if (count.kind != VALUE_INT || (!trace->run && (uint64_t)count.integer > most) ||
        !room_for(trace, (uint64_t)count.integer, quick_type(trace, expr->repeat.value),
                  expr->span))
        return VALUE_NOTHING;
    Value list = new_list(trace, count.integer);
    trace->steps += count.integer;
    for (int64_t i = 0; i < count.integer; i++)
        list_push(trace, list.list, copy_value(trace, item));
    return list;
}

// Is a field that `..base` takes not in its place any more?
static bool leaves_base(Trace *trace, const Use *use, int64_t field, Value value)
{
    if (!trace->run)
        return value_is_unique(value);
    if (!follows_drops(trace) || !is_owning(&value))
        return false;
    Type *type = signature_of(trace->lang, use->decl)->params[field];
    return type_drops(trace, type_instantiate(trace->lang, type, use->generics));
}

// `..base`: the fields that are not given.
static void take_rest(Trace *trace, const AstExpr *expr, const AstFields *fields, Value *items)
{
    const Use *use = body_use(trace->frame->body, expr);
    Value base = value_strip(borrowed(trace, expr->structure.base));
    for (int64_t k = 0; k < fields->count; k++) {
        bool given = false;
        for (int64_t i = 0; i < expr->structure.names.count; i++)
            given |= fields->items[k].name.text == expr->structure.names.items[i].text;
        Value *place = given ? NULL : item_place(&base, k);
        if (!place)
            continue;
        Value field = check_there(trace, expr->structure.base, place);
        bool leaves = leaves_base(trace, use, k, field);
        items[k] = leaves ? field : copy_value(trace, field);
        if (leaves)
            *place = (Value){.kind = VALUE_MOVED, .where = expr->structure.base->span};
    }
}

static Value trace_struct(Trace *trace, const AstExpr *expr)
{
    const Use *use = body_use(trace->frame->body, expr);
    if (!use)
        return poison_value();
    bool variant = use->decl->kind == DECL_VARIANT;
    const AstFields *fields =
        variant ? &use->decl->variant->fields : &use->decl->item->structure.fields;
    Value *items = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, fields->count));
    for (int64_t i = 0; i < expr->structure.names.count; i++) {
        Value value = trace_moved(trace, expr->structure.values.items[i]);
        for (int64_t k = 0; k < fields->count; k++)
            if (fields->items[k].name.text == expr->structure.names.items[i].text)
                items[k] = value;
    }
    if (expr->structure.base)
        take_rest(trace, expr, fields, items);
    Value list = items_value(trace, items, fields->count);
    if (variant)
        list = (Value){.kind = VALUE_VARIANT, .variant = {use->decl, list.list}};
    return owned(trace, use->decl, quick_type(trace, expr), list);
}

// ---- calls

static Value construct(Trace *trace, const Use *use, const Value *args, int64_t count)
{
    Value value = use->decl->kind == DECL_STRUCT ? list_value(trace, args, count)
                                                 : variant_value(trace, use->decl, args, count);
    if (!trace->run || !decl_drops(use->decl))
        return value;
    Type *type = signature_of(trace->lang, use->decl)->result;
    return owned(trace, use->decl, type_instantiate(trace->lang, type, use->generics), value);
}

// `expr`: the call, where one is written.
static Value call_use(Trace *trace, const AstExpr *expr, const Use *use, const Value *args,
                      int64_t count, Span span)
{
    if (!use->decl || use->broken)
        return poison_value();
    if (use->decl->kind != DECL_FN)
        return construct(trace, use, args, count);
    Value result;
    if (trace_dyn(trace, use, args, count, span, &result))
        return result;
    if (!is_written(use->decl))
        return trace_builtin(trace, expr, use, args, count, span);
    return trace_call(trace, use->decl, use->generics, args, count, span);
}

static Value call_with(Trace *trace, const AstExpr *expr, const Value *callee, const Value *args,
                       int64_t count, Span span)
{
    callee = value_target(callee);
    if (trace->flow != FLOW_ON || callee->kind == VALUE_POISON)
        return poison_value();
    if (callee->kind == VALUE_FN)
        return call_use(trace, expr, callee->function, args, count, span);
    if (callee->kind == VALUE_CLOSURE)
        return trace_closure(trace, callee->closure, args, count);
    return VALUE_NOTHING;
}

Value call_value(Trace *trace, Value callee, const Value *args, int64_t count, Span span)
{
    if (trace->watch)
        drops_give(trace, args, count);
    return call_with(trace, NULL, &callee, args, count, span);
}

// Arguments live as long as the call: what is kept of them is copied. Few need no memory.
enum { FEW_ARGS = 6 };

static Value *args_room(Trace *trace, Value few[FEW_ARGS], int64_t count)
{
    return count <= FEW_ARGS ? few : arena_new(trace->lang->arena, Value, (size_t)count);
}

static Value trace_call_expr(Trace *trace, const AstExpr *expr)
{
    Value callee = trace_expr(trace, expr->call.callee), few[FEW_ARGS];
    const AstExprs *exprs = &expr->call.args;
    Value *args = args_room(trace, few, exprs->count);
    for (int64_t i = 0; i < exprs->count; i++)
        args[i] = trace_moved(trace, exprs->items[i]);
    return call_with(trace, expr, &callee, args, exprs->count, expr->call.callee->span);
}

static Value trace_method(Trace *trace, const AstExpr *expr)
{
    const Use *use = body_use(trace->frame->body, expr);
    const AstExprs *exprs = &expr->method.args;
    Value few[FEW_ARGS], *args = args_room(trace, few, exprs->count + 1);
    Decl *decl = use ? use->decl : NULL;
    assert(!decl || (decl->kind == DECL_FN && decl->item));
    bool by_value = decl && decl->item->function.self == SELF_VALUE;
    bool in_place =
        decl && !by_value && (is_written(decl) || decl->item->function.self == SELF_REF_MUT);
    Value *place = in_place ? trace_place(trace, expr->method.receiver) : NULL;
    args[0] = by_value              ? trace_moved(trace, expr->method.receiver)
              : place && trace->run ? *place
                                    : trace_expr(trace, expr->method.receiver);
    if (place && args[0].kind != VALUE_REF)
        args[0] = (Value){.kind = VALUE_REF, .place = place};
    if (follows_drops(trace) && !by_value && use && !is_place_expr(expr->method.receiver))
        temporary(trace, expr->method.receiver,
                  arena_copy(trace->lang->arena, &args[0], sizeof args[0]));
    for (int64_t i = 0; i < exprs->count; i++)
        args[i + 1] = trace_moved(trace, exprs->items[i]);
    if (!use || trace->flow != FLOW_ON)
        return poison_value();
    return call_use(trace, expr, use, args, exprs->count + 1, expr->method.name.name.span);
}

// ---- macros

static Value trace_vec(Trace *trace, const AstExpr *expr)
{
    if (!expr->macro.repeats)
        return trace_items(trace, &expr->macro.args);
    AstExpr repeat = *expr;
    repeat.kind = AST_REPEAT;
    repeat.repeat.value = expr->macro.args.items[0];
    repeat.repeat.count = expr->macro.args.items[1];
    return trace_repeat(trace, &repeat);
}

// A `move` closure keeps what it sees as it is now.
static Value trace_closure_expr(Trace *trace, const AstExpr *expr)
{
    Frame *frame = trace->frame;
    frame->is_kept = true;
    if (expr->closure.is_move)
        frame = capture(trace, expr->id + 1, expr->closure.end_id);
    return (Value){.kind = VALUE_CLOSURE, .closure = {expr, frame}};
}

// ---- all of them

// The number of a variant: what it says, or one more than the variant before.
static int64_t discriminant(const Trace *trace, Decl *variant)
{
    TypeScope scope = {.lang = trace->lang, .scope = variant->parent->scope};
    int64_t number = -1;
    for (int32_t i = 0; i <= variant->index; i++) {
        const AstExpr *value = variant->item->variants.items[i].value;
        const Type *said = value ? type_of(resolve_const(&scope, value)) : NULL;
        number = said && said->kind == TYPE_CONST ? said->value : number + 1;
    }
    return number;
}

static Value trace_cast_expr(Trace *trace, const AstExpr *expr)
{
    trace->nesting++;
    Value value = trace_expr(trace, expr->cast.inner);
    trace->nesting--;
    Type *to = quick_type(trace, expr);
    const PrimInfo *prim = prim_of(to);
    if (value.kind == VALUE_INT && prim_is_whole(prim) && prim->bits <= 64) // most of them
        return value_int(wrap_integer(value.integer, to));
    Decl *variant = prim ? value_variant(value_strip(value)) : NULL;
    if (variant && variant->parent)
        value = value_int(discriminant(trace, variant));
    return trace_cast(value, quick_type(trace, expr->cast.inner), to);
}

static Value trace_list(Trace *trace, const AstExpr *expr)
{
    return trace_items(trace, &expr->items);
}

static Value trace_inner(Trace *trace, const AstExpr *expr)
{
    return trace_expr(trace, expr->inner);
}

// A function of the library that is awaited where it is called needs no future.
static Value trace_await(Trace *trace, const AstExpr *expr)
{
    const AstExpr *outer = trace->awaited;
    trace->awaited = expr->inner;
    Value value = trace_given(trace, expr->inner);
    trace->awaited = outer;
    if (!trace->run || trace->flow != FLOW_ON)
        return value;
    return future_await(trace, value, expr->span);
}

static Value trace_any_macro(Trace *trace, const AstExpr *expr)
{
    bool vec = strcmp(expr->macro.name.text, "vec") == 0 && expr->macro.readable;
    return vec ? trace_vec(trace, expr) : trace_macro(trace, expr);
}

static Value trace_nothing(Trace *trace, const AstExpr *expr)
{
    (void)trace, (void)expr;
    return VALUE_NOTHING;
}

static Value trace_error(Trace *trace, const AstExpr *expr)
{
    (void)trace, (void)expr;
    return poison_value();
}

// A table, not a switch: what a function gives back goes straight to where the caller wants it.
static Value (*const tracers[])(Trace *trace, const AstExpr *expr) = {
    [AST_LITERAL] = trace_literal,
    [AST_PATH] = trace_path,
    [AST_UNARY] = trace_unary,
    [AST_BINARY] = trace_operator,
    [AST_ASSIGN] = trace_assign,
    [AST_CAST] = trace_cast_expr,
    [AST_CALL] = trace_call_expr,
    [AST_METHOD] = trace_method,
    [AST_FIELD] = trace_field,
    [AST_INDEX] = trace_index,
    [AST_RANGE] = trace_range,
    [AST_TUPLE] = trace_list,
    [AST_ARRAY] = trace_list,
    [AST_REPEAT] = trace_repeat,
    [AST_PAREN] = trace_inner,
    [AST_AWAIT] = trace_await,
    [AST_BLOCK] = trace_labelled,
    [AST_IF] = trace_if,
    [AST_MATCH] = trace_match,
    [AST_WHILE] = trace_while,
    [AST_LOOP] = trace_loop,
    [AST_FOR] = trace_for,
    [AST_CLOSURE] = trace_closure_expr,
    [AST_STRUCT] = trace_struct,
    [AST_RETURN] = trace_return,
    [AST_BREAK] = trace_break,
    [AST_CONTINUE] = trace_continue,
    [AST_TRY] = trace_try,
    [AST_MACRO] = trace_any_macro,
    [AST_INDEX_MACRO] = trace_index_macro,
    [AST_LET] = trace_nothing,
    [AST_ERROR] = trace_error,
};

static Value refuse_depth(Trace *trace, const AstExpr *expr)
{
    if (trace->run)
        return trace_panic(trace, expr->span, STR("the stack overflows"));
    diag_add(trace->lang->diags, DIAG_RECURSION, expr->span,
             "calls and expressions are nested too deeply here");
    trace->flow = FLOW_STOP;
    return poison_value();
}

static Value trace_nested(Trace *trace, const AstExpr *expr)
{
    trace->nesting++;
    Value value = tracers[expr->kind](trace, expr);
    if (value.kind == VALUE_UNKNOWN && trace->run && trace->flow == FLOW_ON &&
        expr->kind != AST_LET)
        value = run_unknown(trace, expr->span, "this", NULL);
    const Map *adjusts = &trace->frame->body->adjusts;
    const Use *adjust = adjusts->count ? map_get(adjusts, expr) : NULL;
    if (adjust)
        value = trace_adjust(trace, expr, adjust, value);
    trace->nesting--;
    return value;
}

// Nothing is nested in it, or it counts that itself: its value need not come through here, where
// the copy of what was written a moment ago would cost more than all the rest.
static bool counts_itself(const Trace *trace, const AstExpr *expr)
{
    bool simple = expr->kind == AST_LITERAL || expr->kind == AST_PATH || expr->kind == AST_BINARY ||
                  expr->kind == AST_CAST;
    return simple && !trace->frame->body->adjusts.count;
}

Value trace_expr(Trace *trace, const AstExpr *expr)
{
    if (trace->flow != FLOW_ON)
        return poison_value();
    trace->steps++;
    if (trace->nesting >= trace_rules(trace)->nesting)
        return refuse_depth(trace, expr);
    if (counts_itself(trace, expr))
        return tracers[expr->kind](trace, expr);
    return trace_nested(trace, expr);
}

// Fields, items and variables, as values and as places that can be written to.
#include "lang/eval/trace_internal.h"

#include "lang/eval/drop.h"
#include "lang/eval/range.h"
#include "lang/std/std.h"

#include <string.h>

// Is it a value that nobody has, and that is dropped?
static bool is_lone(Trace *trace, const AstExpr *expr)
{
    return follows_drops(trace) && !is_place_expr(expr) &&
           type_drops(trace, quick_type(trace, expr));
}

Value *temporary(Trace *trace, const AstExpr *expr, Value *place)
{
    if (is_lone(trace, expr))
        drops_push(trace, place);
    return place;
}

Value borrowed(Trace *trace, const AstExpr *expr)
{
    Value value = trace_expr(trace, expr);
    if (is_lone(trace, expr))
        drops_keep(trace, value);
    return value;
}

Value *item_place(const Value *whole, int64_t index)
{
    const Value *value = value_target(whole);
    const ValueList *list =
        value->kind == VALUE_LIST ? value->list : value_parts(*value); // lists are the most
    return list && index >= 0 && index < list->count ? &list->items[index] : NULL;
}

static int64_t field_index(const Trace *trace, const AstExpr *expr)
{
    Type *type = type_unboxed(quick_type(trace, expr->field.inner));
    int64_t index = -1;
    if (type->kind == TYPE_TUPLE)
        return str_to_i64(str_from(expr->field.name.text), &index) ? index : -1;
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_STRUCT)
        return -1;
    const AstFields *fields = &type->decl->item->structure.fields;
    for (int64_t i = 0; i < fields->count; i++)
        if (fields->items[i].name.text == expr->field.name.text)
            index = i;
    return index;
}

// make().field: the rest of it is dropped with the statement.
static Value lone_field(Trace *trace, const AstExpr *expr, Value whole)
{
    Value *place = item_place(&whole, field_index(trace, expr));
    Value field = place                                      ? *place
                  : value_strip(whole).kind == VALUE_CONTEXT ? value_strip(whole)
                                                             : VALUE_NOTHING;
    if (field.kind == VALUE_CONTEXT)
        field.shared = NULL;
    drops_keep(trace, whole);
    if (place && whole.kind != VALUE_REF && type_drops(trace, quick_type(trace, expr)))
        *place = (Value){.kind = VALUE_MOVED, .where = expr->span};
    return field;
}

Value trace_field(Trace *trace, const AstExpr *expr)
{
    Value inner = trace_expr(trace, expr->field.inner);
    if (is_lone(trace, expr->field.inner))
        return lone_field(trace, expr, inner);
    if (value_strip(inner).kind == VALUE_RANGE)
        return strcmp(expr->field.name.text, "start") == 0 ? range_low(value_strip(inner))
                                                           : range_high(value_strip(inner));
    if (value_strip(inner).kind == VALUE_CONTEXT) // all of it, or one of its fields
        return (Value){.kind = VALUE_CONTEXT};
    if (value_strip(inner).kind == VALUE_POISON)
        return poison_value();
    Value *place = item_place(&inner, field_index(trace, expr));
    return place ? check_there(trace, expr, place) : VALUE_NOTHING;
}

static Value *map_place(Trace *trace, Value map, Value key, Span span)
{
    Value *place = map_find(trace, map.map, key);
    if (!place)
        trace_panic(trace, span, STR("no entry found for key"));
    return place;
}

static Value *index_place(Trace *trace, const AstExpr *expr, Value *list)
{
    Value key = trace_expr(trace, expr->index.index);
    const Value *number = value_target(&key), *items = value_target(list);
    bool plain = number->kind == VALUE_INT && items->kind == VALUE_LIST;
    if (plain && number->integer >= 0 && number->integer < items->list->count)
        return &items->list->items[number->integer];
    Value index = *number, whole = *items;
    Span span = expr->index.index->span;
    if (whole.kind == VALUE_MAP)
        return map_place(trace, whole, key, span);
    if (index.kind == VALUE_RANGE) { // a part of it, as a list of its own
        Value *part = arena_new(trace->lang->arena, Value, 1);
        return slice_value(trace, whole, index, span, part) ? part : NULL;
    }
    if (index.kind == VALUE_LIST && whole.kind == VALUE_LIST) // one number an axis
        return host_lent_place(trace, whole.list, index.list, span);
    if (index.kind != VALUE_INT || whole.kind != VALUE_LIST)
        return NULL;
    Value *place = item_place(list, index.integer);
    if (!place && trace->run) {
        trace_panic(trace, span,
                    str_format(trace->lang->arena,
                               "index out of bounds: the len is {} but the index is {}",
                               whole.list->count, (unsigned long long)index.integer));
    } else if (!place && trace->flow == FLOW_ON) {
        if (!trace->uncertain && trace_rules(trace)->says_indices)
            diag_add(trace->lang->diags, DIAG_INDEX_RANGE, expr->index.index->span,
                     "index {} is out of range: there are {} items, and the first is 0",
                     (unsigned long long)index.integer, whole.list->count);
        trace->flow = FLOW_STOP;
    }
    return place;
}

Value trace_index(Trace *trace, const AstExpr *expr)
{
    if (body_use(trace->frame->body, expr)) {
        Value *item = trace_own_index(trace, expr);
        return item ? *item : VALUE_NOTHING;
    }
    Value list = trace_expr(trace, expr->index.inner);
    Value *place = index_place(trace, expr, &list);
    return place ? *place : VALUE_NOTHING;
}

// The place that a field or an item is looked for in: also what a call gives a reference to, and
// what is only there for the statement.
static Value *whole_place(Trace *trace, const AstExpr *expr)
{
    bool call = expr->kind == AST_METHOD || expr->kind == AST_CALL;
    bool lends = call && quick_type(trace, expr)->kind == TYPE_REF;
    Value *place = lends ? NULL : trace_place(trace, expr);
    if (place || (!lends && (!trace->run || is_place_expr(expr))))
        return place;
    Value value = borrowed(trace, expr);
    if (lends && value.kind == VALUE_REF)
        return value.place;
    return trace->run ? arena_copy(trace->lang->arena, &value, sizeof value) : NULL;
}

Value *trace_place(Trace *trace, const AstExpr *expr)
{
    const Use *use = expr->kind == AST_PATH ? body_use(trace->frame->body, expr) : NULL;
    if (map_get(&trace->frame->body->adjusts, expr)) {
        Value target = trace_expr(trace, expr);
        return target.kind == VALUE_REF ? target.place : NULL;
    }
    if (expr->kind == AST_INDEX && body_use(trace->frame->body, expr))
        return trace_own_index(trace, expr);
    if (use && use->kind == USE_LOCAL)
        return &trace->frame->slots[use->slot];
    if (expr->kind == AST_PAREN)
        return trace_place(trace, expr->inner);
    if (expr->kind == AST_UNARY && expr->unary.op == UNARY_DEREF) {
        Value inner = borrowed(trace, expr->unary.inner);
        return inner.kind == VALUE_REF ? inner.place : NULL;
    }
    Value *whole = expr->kind == AST_FIELD   ? whole_place(trace, expr->field.inner)
                   : expr->kind == AST_INDEX ? whole_place(trace, expr->index.inner)
                                             : NULL;
    if (!whole || trace->flow != FLOW_ON)
        return NULL;
    return expr->kind == AST_FIELD ? item_place(whole, field_index(trace, expr))
                                   : index_place(trace, expr, whole);
}

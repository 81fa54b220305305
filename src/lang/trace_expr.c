#include "lang/trace_internal.h"

#include "base/checked.h"
#include "lang/drop.h"
#include "lang/iter.h"
#include "lang/parse.h"
#include "lang/std.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static Type *type_here(const Trace *trace, const AstExpr *expr);

// A value that an expression borrows and nobody has: it lives to the end of the statement.
static Value *temporary(Trace *trace, const AstExpr *expr, Value *place)
{
    if (trace->run && trace->run->owns && !is_place_expr(expr) &&
        type_drops(trace, type_here(trace, expr)))
        drops_push(trace, place);
    return place;
}

// What is looked at where it is, by a pattern or through `*`: a value that nobody has lives on.
static Value borrowed(Trace *trace, const AstExpr *expr)
{
    Value value = trace_expr(trace, expr);
    if (trace->run && trace->run->owns && !is_place_expr(expr) &&
        type_drops(trace, type_here(trace, expr)))
        drops_keep(trace, value);
    return value;
}

// A value of a type with an `impl Drop` knows it.
static Value owned(Trace *trace, const Decl *decl, Type *type, Value value)
{
    if (!trace->run || !decl_drops(decl))
        return value;
    trace->run->owns = true;
    if (value.kind == VALUE_VARIANT && !value.variant.fields)
        value.variant.fields = new_list(trace, 0).list;
    ValueList *list = value.kind == VALUE_LIST ? value.list : value.variant.fields;
    if (value.kind == VALUE_LIST && !list->count)
        value.list = list = new_list(trace, 0).list;
    list->drops = type_of(type);
    return value;
}

// body_type, with a short way to the types that most expressions have.
static Type *type_here(const Trace *trace, const AstExpr *expr)
{
    const Body *body = trace->frame->body;
    Type *type = type_of(body->types[expr->id - body->first_expr]);
    bool number = type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM;
    return number ? type : body_type(body, expr);
}

// ---- literals and names

static Value trace_literal(Trace *trace, const AstExpr *expr)
{
    Type *type = type_here(trace, expr);
    switch (expr->literal.kind) {
    case LITERAL_INT:
        if (type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM &&
            prims[type->decl->prim].class == PRIM_FLOAT)
            return (Value){.kind = VALUE_FLOAT, .real = expr->literal.real};
        return value_int((int64_t)expr->literal.integer);
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

static Value generic_value(Type *type)
{
    type = type_of(type);
    if (type->kind != TYPE_CONST)
        return VALUE_NOTHING;
    if (type->decl && type->decl->kind == DECL_PRIM && type->decl->prim == PRIM_bool)
        return value_bool(type->value != 0);
    if (!type->decl || type->decl->kind == DECL_PRIM)
        return value_int(type->value);
    for (int64_t i = 0; i < type->decl->variants.capacity; i++) {
        const Decl *variant = type->decl->variants.slots[i].value;
        if (type->decl->variants.slots[i].key && variant->index == type->value)
            return (Value){.kind = VALUE_VARIANT, .variant = {variant, NULL}};
    }
    return VALUE_NOTHING;
}

// std::i32::MAX, std::f32::consts::PI: of the type that the module has its name of.
static Value module_constant(Trace *trace, const Decl *decl)
{
    bool consts = decl->scope->outer && strcmp(decl->scope->name, "consts") == 0;
    const char *name = consts ? decl->scope->outer->name : decl->scope->name;
    for (Prim prim = 0; prim < PRIM_COUNT; prim++)
        if (strcmp(prims[prim].name, name) == 0)
            return consts ? real_constant(decl->name, prims[prim].bits == 32)
                          : number_limit(type_prim(trace->lang, prim), decl->name);
    return VALUE_NOTHING;
}

// A constant of a program is computed where it is used.
Value constant_value(Trace *trace, const Decl *decl, const Use *use)
{
    if (decl->is_builtin || !decl->item->constant.value) {
        Type *self = use->self ? type_of(use->self) : NULL;
        bool size = self && self->kind == TYPE_MAPPING && strcmp(decl->name, "SIZE") == 0;
        if (size)
            return value_int(self->expr->size);
        bool axis = self && self->kind == TYPE_MAPPING && self->expr->kind == EXPR_ATOM;
        if (axis && strcmp(decl->name, "NAME") == 0)
            return (Value){.kind = VALUE_IDENT,
                           .ident = {self->expr->atom, self->expr->atom->name}};
        if (type_is_named(decl->impl && decl->impl->self ? decl->impl->self
                                                         : type_poison(trace->lang),
                          "Ident")) // Ident::A
            return (Value){.kind = VALUE_IDENT, .ident = {NULL, decl->name}};
        return self ? number_limit(self, decl->name) : module_constant(trace, decl);
    }
    Decl *open =
        (Decl *)(uintptr_t)decl; // its value is kept, and a constant made of itself is seen
    bool generic = signature_of(trace->lang, decl)->generic_count > 0; // one value for each
    if (open->value && !generic)
        return *open->value;
    if (open->resolving) {
        diag_add(trace->lang->diags, DIAG_CONST_VALUE, decl->span,
                 "the constant `%s` contains itself", decl->name);
        return poison_value();
    }
    if (trace->depth >= most_calls(trace))
        return poison_value();
    open->resolving = true;
    const Body *body = infer_constant(trace->lang, decl, use->generics);
    Frame *outer = trace->frame;
    trace->frame = new_frame(trace, body);
    trace->depth++;
    Value value = body->sound ? trace_expr(trace, decl->item->constant.value) : poison_value();
    trace->depth--;
    trace->frame = outer;
    open->resolving = false;
    open->value = arena_copy(trace->lang->arena, &value, sizeof value);
    return value;
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
        return generic_value(use->type);
    switch (use->decl->kind) {
    case DECL_CONST:
        return constant_value(trace, use->decl, use);
    case DECL_FN:
        return (Value){.kind = VALUE_FN, .function = use};
    case DECL_VARIANT:
        if (use->decl->variant->kind == FIELDS_TUPLE)
            return (Value){.kind = VALUE_FN, .function = use};
        return owned(trace, use->decl, type_here(trace, expr),
                     (Value){.kind = VALUE_VARIANT, .variant = {use->decl, NULL}});
    case DECL_STRUCT:
        if (use->decl->item->structure.kind == FIELDS_TUPLE)
            return (Value){.kind = VALUE_FN, .function = use};
        return owned(trace, use->decl, type_here(trace, expr),
                     (Value){.kind = VALUE_VARIANT, .variant = {use->decl, NULL}});
    default:
        return VALUE_NOTHING;
    }
}

// ---- places

static Value *item_place(const Value *whole, int64_t index)
{
    const Value *value = value_target(whole);
    const ValueList *list =
        value->kind == VALUE_LIST ? value->list : value_parts(*value); // lists are the most
    return list && index >= 0 && index < list->count ? &list->items[index] : NULL;
}

static int64_t field_index(const Trace *trace, const AstExpr *expr)
{
    Type *type = type_unboxed(type_here(trace, expr->field.inner));
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

// The `start` or `end` of a range.
static Value range_end(Value range, const char *name)
{
    bool start = strcmp(name, "start") == 0;
    if (range.range.is_real)
        return value_real(start ? range.range.real_low : range.range.real_high);
    return value_int(start ? range.range.low : range.range.high);
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
    if (place && whole.kind != VALUE_REF && type_drops(trace, type_here(trace, expr)))
        *place = (Value){.kind = VALUE_MOVED, .where = expr->span};
    return field;
}

static Value trace_field(Trace *trace, const AstExpr *expr)
{
    Value inner = trace_expr(trace, expr->field.inner);
    bool lone = trace->run && trace->run->owns && !is_place_expr(expr->field.inner) &&
                type_drops(trace, type_here(trace, expr->field.inner));
    if (lone)
        return lone_field(trace, expr, inner);
    if (value_strip(inner).kind == VALUE_RANGE)
        return range_end(value_strip(inner), expr->field.name.text);
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
    if (index.kind != VALUE_INT || whole.kind != VALUE_LIST)
        return NULL;
    Value *place = item_place(list, index.integer);
    if (!place && trace->run) {
        trace_panic(trace, span,
                    str_format(trace->lang->arena,
                               "index out of bounds: the len is %lld but the index is %lld",
                               (long long)whole.list->count, (long long)index.integer));
    } else if (!place && trace->flow == FLOW_ON) {
        if (!trace->uncertain)
            diag_add(trace->lang->diags, DIAG_INDEX_RANGE, expr->index.index->span,
                     "index %lld is out of range: there are %lld items, and the first is 0",
                     (long long)index.integer, (long long)whole.list->count);
        trace->flow = FLOW_STOP;
    }
    return place;
}

static Value trace_index(Trace *trace, const AstExpr *expr)
{
    if (body_use(trace->frame->body, expr)) {
        Value *item = trace_own_index(trace, expr);
        return item ? *item : VALUE_NOTHING;
    }
    Value list = trace_expr(trace, expr->index.inner);
    Value *place = index_place(trace, expr, &list);
    return place ? *place : VALUE_NOTHING;
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
    const AstExpr *base = expr->kind == AST_FIELD   ? expr->field.inner
                          : expr->kind == AST_INDEX ? expr->index.inner
                                                    : NULL;
    Value *whole = base ? trace_place(trace, base) : NULL;
    if (base && !whole && trace->run && !is_place_expr(base)) { // make().field
        Value value = borrowed(trace, base);
        whole = arena_copy(trace->lang->arena, &value, sizeof value);
    }
    if (!whole || trace->flow != FLOW_ON)
        return NULL;
    return expr->kind == AST_FIELD ? item_place(whole, field_index(trace, expr))
                                   : index_place(trace, expr, whole);
}

// ---- operators

static Value trace_negate(Value value, Type *type)
{
    value = value_strip(value);
    if (value.kind == VALUE_INT)
        return value_int(wrap_integer((int64_t) - (uint64_t)value.integer, type));
    if (value.kind == VALUE_FLOAT)
        return (Value){.kind = VALUE_FLOAT, .real = -value.real};
    return value.kind == VALUE_POISON ? value : VALUE_NOTHING;
}

static Value trace_not(Value value, Type *type)
{
    value = value_strip(value);
    if (value.kind == VALUE_BOOL)
        return value_bool(!value.boolean);
    if (value.kind == VALUE_INT)
        return value_int(wrap_integer(~value.integer, type));
    return value.kind == VALUE_POISON ? value : VALUE_NOTHING;
}

static Value trace_ref(Trace *trace, const AstExpr *expr)
{
    const AstExpr *inner = expr->unary.inner;
    bool again = inner->kind == AST_UNARY && inner->unary.op == UNARY_DEREF;
    if (again && type_here(trace, inner)->kind == TYPE_IMPL) // &*x of a `dyn`
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
        return trace_negate(value, type_here(trace, expr));
    case UNARY_NOT:
        return trace_not(value, type_here(trace, expr));
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
    Type *type = type_here(trace, expr->binary.left);
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
    bool parts = expr->binary.left->kind == AST_TUPLE || expr->binary.left->kind == AST_ARRAY;
    if (parts) {
        assign_parts(trace, expr->binary.left, value);
        return unit_value();
    }
    Value *place = trace_place(trace, expr->binary.left);
    bool integers = place && place->kind == VALUE_INT && value.kind == VALUE_INT;
    if (integers && expr->binary.compound)
        value = trace_integers(trace, expr, expr->binary.op, place->integer, value.integer,
                               type_here(trace, expr->binary.left));
    else if (place && expr->binary.compound)
        value = trace_binary(trace, expr, expr->binary.op, *place, value,
                             type_strip(type_here(trace, expr->binary.left)));
    if (place && value.kind == VALUE_REF && value.place == place)
        value = *place; // a reference to itself refers to what it refers to
    if (place) {
        bool drops = trace->run && trace->run->owns && !expr->binary.compound &&
                     type_drops(trace, type_here(trace, expr->binary.left));
        Value old = drops ? *place : VALUE_NOTHING;
        *place = value;
        value_drop(trace, &old);
    }
    return unit_value();
}

static Value trace_range(Trace *trace, const AstExpr *expr)
{
    Value low = expr->range.low ? value_strip(trace_expr(trace, expr->range.low)) : value_int(0);
    Value high =
        expr->range.high ? value_strip(trace_expr(trace, expr->range.high)) : VALUE_NOTHING;
    bool real = (low.kind == VALUE_FLOAT || !expr->range.low) && high.kind == VALUE_FLOAT;
    if (real)
        return (Value){.kind = VALUE_RANGE,
                       .range = {.real_low = expr->range.low ? low.real : -(double)INFINITY,
                                 .real_high = high.real,
                                 .is_real = true,
                                 .inclusive = expr->range.inclusive}};
    bool known = low.kind == VALUE_INT && (high.kind == VALUE_INT || !expr->range.high);
    if (!known)
        return VALUE_NOTHING;
    int64_t end = expr->range.high ? high.integer : 0;
    if (expr->range.high && is_unsigned(type_strip(type_here(trace, expr->range.high))) && end < 0)
        end = INT64_MAX; // more than anybody counts to
    if (expr->range.inclusive && end < INT64_MAX)
        end++;
    return (Value){.kind = VALUE_RANGE,
                   .range = {.low = low.integer, .high = end, .open = !expr->range.high}};
}

// ---- compounds

static Value trace_items(Trace *trace, const AstExprs *exprs)
{
    Value *items = arena_new(trace->lang->arena, Value, (size_t)max_i64(1, exprs->count));
    for (int64_t i = 0; i < exprs->count; i++)
        items[i] = trace_moved(trace, exprs->items[i]);
    ValueList *list = arena_new(trace->lang->arena, ValueList, 1);
    *list = (ValueList){.items = items, .count = exprs->count};
    return (Value){.kind = VALUE_LIST, .list = list};
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
    if (count.kind != VALUE_INT || count.integer < 0 ||
        (!trace->run && count.integer > LARGEST_ARRAY / value_weight(item)))
        return VALUE_NOTHING;
    Value list = new_list(trace, count.integer);
    trace->steps += count.integer;
    for (int64_t i = 0; i < count.integer; i++)
        list_push(trace, list.list, copy_value(trace, item));
    return list;
}

// `..base`: the fields that are not given.
static void take_rest(Trace *trace, const AstExpr *expr, const AstFields *fields, Value *items)
{
    Value base = value_strip(trace_expr(trace, expr->structure.base));
    for (int64_t k = 0; k < fields->count; k++) {
        bool given = false;
        for (int64_t i = 0; i < expr->structure.names.count; i++)
            given |= fields->items[k].name.text == expr->structure.names.items[i].text;
        Value *place = given ? NULL : item_place(&base, k);
        bool moves = place && trace->run && trace->run->owns && is_owning(*place);
        if (place)
            items[k] = moves ? *place : copy_value(trace, *place);
        if (moves)
            *place = (Value){.kind = VALUE_MOVED};
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
    Value base = expr->structure.base ? value_strip(trace_moved(trace, expr->structure.base))
                                      : VALUE_NOTHING;
    for (int64_t k = 0; base.kind == VALUE_LIST && k < fields->count; k++)
        items[k] = base.list->items[k];
    for (int64_t i = 0; i < expr->structure.names.count; i++) {
        Value value = trace_moved(trace, expr->structure.values.items[i]);
        for (int64_t k = 0; k < fields->count; k++)
            if (fields->items[k].name.text == expr->structure.names.items[i].text)
                items[k] = value;
    }
    if (expr->structure.base)
        take_rest(trace, expr, fields, items);
    Value list = list_value(trace, items, fields->count);
    if (variant)
        list = (Value){.kind = VALUE_VARIANT, .variant = {use->decl, list.list}};
    return owned(trace, use->decl, type_here(trace, expr), list);
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
    bool in_place = use && use->decl &&
                    (!use->decl->item || use->decl->kind != DECL_FN || is_written(use->decl) ||
                     use->decl->item->function.self == SELF_REF_MUT);
    bool by_value = use && use->decl && use->decl->item->function.self == SELF_VALUE;
    Value *place = in_place && !by_value ? trace_place(trace, expr->method.receiver) : NULL;
    args[0] = by_value              ? trace_moved(trace, expr->method.receiver)
              : place && trace->run ? *place
                                    : trace_expr(trace, expr->method.receiver);
    if (place && args[0].kind != VALUE_REF && use->decl->item->function.self != SELF_VALUE)
        args[0] = (Value){.kind = VALUE_REF, .place = place};
    if (trace->run && trace->run->owns && !by_value && use && !is_place_expr(expr->method.receiver))
        temporary(trace, expr->method.receiver,
                  arena_copy(trace->lang->arena, &args[0], sizeof args[0]));
    for (int64_t i = 0; i < exprs->count; i++)
        args[i + 1] = trace_moved(trace, exprs->items[i]);
    if (!use || trace->flow != FLOW_ON)
        return poison_value();
    return call_use(trace, expr, use, args, exprs->count + 1, expr->method.name.name.span);
}

// ---- control flow

static bool binds_parts(const AstExpr *condition)
{
    return condition->kind == AST_LET ||
           (condition->kind == AST_BINARY && condition->binary.op == BINARY_LAND &&
            (binds_parts(condition->binary.left) || binds_parts(condition->binary.right)));
}

static bool condition_holds(Trace *trace, const AstExpr *condition, bool *known)
{
    if (condition->kind == AST_LET) {
        Value value = borrowed(trace, condition->loop.inner);
        trace->guessed = false;
        bool fits = bind_pattern(trace, condition->loop.pattern, value);
        *known &= !fits || !trace->guessed;
        return fits;
    }
    if (condition->kind == AST_BINARY && condition->binary.op == BINARY_LAND)
        return condition_holds(trace, condition->binary.left, known) &&
               condition_holds(trace, condition->binary.right, known);
    Value value = trace_expr(trace, condition);
    const Value *holds = value_target(&value);
    *known &= holds->kind == VALUE_BOOL;
    return holds->kind == VALUE_BOOL && holds->boolean;
}

static Value trace_branch(Trace *trace, const AstExpr *expr)
{
    bool known = true;
    int64_t mark = trace->drops.count;
    bool holds = condition_holds(trace, expr->branch.condition, &known);
    if (!holds || !binds_parts(expr->branch.condition))
        drops_leave(trace, mark);
    if (trace->flow != FLOW_ON)
        return poison_value();
    if (known && holds)
        return trace_block(trace, expr->branch.then);
    if (known)
        return expr->branch.otherwise ? trace_given(trace, expr->branch.otherwise) : unit_value();
    if (trace->run)
        return trace_not_run(trace, expr->branch.condition->span);
    Ways ways = begin_ways(trace); // what decides is not known here
    enter_way(trace, &ways);
    leave_way(trace, &ways, trace_block(trace, expr->branch.then));
    enter_way(trace, &ways);
    leave_way(trace, &ways,
              expr->branch.otherwise ? trace_expr(trace, expr->branch.otherwise) : unit_value());
    return end_ways(trace, &ways);
}

static Value trace_if(Trace *trace, const AstExpr *expr)
{
    int64_t mark = trace->drops.count;
    Value value = trace_branch(trace, expr);
    drops_leave(trace, mark);
    return value;
}

// Does an arm take the value? *known: for sure.
static bool arm_fits(Trace *trace, const AstArm *arm, Value value, bool *known)
{
    trace->guessed = false;
    int64_t drops = trace->drops.count;
    bool fits = bind_pattern(trace, arm->pattern, value);
    *known = !trace->guessed;
    if (!fits || !arm->guard)
        return fits;
    Places moves = trace->moves;
    if (moves.count) { // the guard may have patterns of its own
        moves.items =
            arena_copy(trace->lang->arena, moves.items, sizeof *moves.items * (size_t)moves.count);
        moves.capacity = moves.count;
    }
    bool holds = condition_holds(trace, arm->guard, known) || !*known;
    if (!holds && moves.count) {
        trace->moves = moves;
        unbind_pattern(trace, drops);
    } else if (!holds) {
        trace->drops.count = drops;
    }
    return holds;
}

// `x => ..` takes all of what is matched.
static void take_matched(Trace *trace, const AstExpr *expr, const AstArm *arm)
{
    if (trace->run && trace->run->owns && arm->pattern->kind == PATTERN_BIND &&
        !arm->pattern->by_ref && map_get(&trace->frame->body->slots, arm->pattern))
        move_place(trace, expr->match.inner);
}

static Value trace_match_arms(Trace *trace, const AstExpr *expr)
{
    Value value = borrowed(trace, expr->match.inner);
    Ways ways;
    bool open = false, known = false; // open: an arm before may have been taken
    for (int64_t i = 0; i < expr->match.arms.count && !known; i++) {
        const AstArm *arm = &expr->match.arms.items[i];
        if (!open && trace->flow != FLOW_ON)
            return poison_value();
        if (!arm_fits(trace, arm, value, &known)) {
            known = false;
            continue;
        }
        if (known && !open) {
            take_matched(trace, expr, arm);
            return trace_given(trace, arm->body);
        }
        if (trace->run)
            return trace_not_run(trace, expr->match.inner->span);
        if (!open)
            ways = begin_ways(trace);
        open = true;
        enter_way(trace, &ways);
        arm_fits(trace, arm, value, &known); // once more, with what was there before
        leave_way(trace, &ways, trace_expr(trace, arm->body));
        trace->flow = FLOW_ON;
    }
    return open ? end_ways(trace, &ways) : VALUE_NOTHING;
}

static Value trace_match(Trace *trace, const AstExpr *expr)
{
    int64_t mark = trace->drops.count;
    Value value = trace_match_arms(trace, expr);
    drops_leave(trace, mark);
    return value;
}

// True: the loop goes on.
static bool trace_body(Trace *trace, const AstExpr *loop)
{
    const Choice *choice = trace->choice;
    trace_block(trace, loop->loop.body);
    set_choice(trace, choice);
    bool jumps = trace->flow == FLOW_CONTINUE || trace->flow == FLOW_BREAK;
    if (!jumps || (trace->label && trace->label != loop->loop.label))
        return trace->flow == FLOW_ON; // for a loop further out, or out of the function
    bool goes_on = trace->flow == FLOW_CONTINUE;
    trace->flow = FLOW_ON;
    return goes_on;
}

// Has this taken too long? A host program is only looked at; a kernel must be traced to its end.
bool out_of_steps(Trace *trace, Span span)
{
    int64_t most = trace->lang->most_steps ? trace->lang->most_steps : TRACE_STEPS;
    if (trace->run)
        return trace_interrupted(trace, span);
    if (trace->is_host)
        return trace->steps > min_i64(most, HOST_STEPS);
    if (trace->steps <= most)
        return false;
    if (trace->flow == FLOW_ON)
        diag_add(trace->lang->diags, DIAG_TRACE_STEPS, span,
                 "%.*s does not end within %lld steps of tracing", STR_ARG(root_words(trace)),
                 (long long)most);
    trace->flow = FLOW_STOP;
    return true;
}

// Once, for whatever a loop over something that is not known gives.
static void trace_unknown_for(Trace *trace, const AstExpr *expr, Value over)
{
    if (trace->run) {
        trace_not_run(trace, expr->loop.inner->span);
        return;
    }
    Value item = value_strip(over).kind == VALUE_POISON ? poison_value() : VALUE_NOTHING;
    trace->uncertain++;
    bind_pattern(trace, expr->loop.pattern, item);
    trace_body(trace, expr);
    trace->uncertain--;
    if (trace->flow == FLOW_STOP) // it may not come to that
        trace->flow = FLOW_ON;
}

// ", with i = 2" of each number that the pattern of a loop binds.
static void add_numbers(StrBuf *out, const AstPattern *pattern, Value item)
{
    item = value_strip(item);
    if (pattern->kind == PATTERN_BIND && item.kind == VALUE_INT)
        buf_printf(out, "%s%s = %" PRId64, out->len ? ", " : ": ", pattern->name.text,
                   item.integer);
    for (int64_t i = 0; pattern->kind == PATTERN_TUPLE && item.kind == VALUE_LIST &&
                        i < pattern->items.count && i < item.list->count;
         i++)
        add_numbers(out, pattern->items.items[i], item.list->items[i]);
}

// What goes wrong in a later round of a loop went well in the first: the note says which it is.
static void note_round(const Trace *trace, int64_t first, Span span, int64_t round, Str numbers)
{
    enum { NEAR_LOOPS = 4 };
    const DiagList *diags = trace->lang->diags;
    for (int64_t i = first; i < diags->count && round; i++)
        if (diags->items[i]->notes.count < NEAR_LOOPS)
            diag_note(diags->items[i], span, "in round %" PRId64 " of this loop%.*s", round + 1,
                      STR_ARG(numbers));
}

// Items that a loop did not come to.
static void drop_left(Trace *trace, const AstExpr *over, Iter *iter)
{
    bool lent = over->kind == AST_METHOD && strcmp(over->method.name.name.text, "by_ref") == 0;
    if (iter && trace->run && trace->run->owns && !lent &&
        type_drops(trace, type_here(trace, over)))
        value_drop(trace, &(Value){.kind = VALUE_ITER, .iter = iter});
}

static Value trace_for(Trace *trace, const AstExpr *expr)
{
    Value over = trace_moved(trace, expr->loop.inner), item;
    Iter *iter = trace->flow == FLOW_ON
                     ? iter_of_type(trace, over, type_here(trace, expr->loop.inner))
                     : NULL;
    if (!iter && trace->flow == FLOW_ON)
        trace_unknown_for(trace, expr, over);
    for (int64_t i = 0; iter && iter_next(trace, iter, &item); i++) {
        if (out_of_steps(trace, expr->span))
            break;
        int64_t reports = trace->lang->diags->count, mark = trace->drops.count;
        bind_owned(trace, expr->loop.pattern, item, type_here(trace, expr->loop.inner));
        bool goes_on = trace_body(trace, expr);
        drops_leave(trace, mark);
        if (trace->lang->diags->count > reports) {
            StrBuf numbers = {.arena = trace->lang->arena};
            add_numbers(&numbers, expr->loop.pattern, item);
            note_round(trace, reports, expr->loop.pattern->span, i, buf_str(&numbers));
        }
        if (!goes_on)
            break;
    }
    drop_left(trace, expr->loop.inner, iter);
    return unit_value();
}

static Value trace_while(Trace *trace, const AstExpr *expr)
{
    bool known = true, goes_on = true;
    trace->maybe_left = false;
    for (int64_t round = 0; goes_on && trace->flow == FLOW_ON && !out_of_steps(trace, expr->span);
         round++) {
        int64_t reports = trace->lang->diags->count, mark = trace->drops.count;
        bool holds = condition_holds(trace, expr->loop.inner, &known);
        if (!holds || !binds_parts(expr->loop.inner))
            drops_leave(trace, mark);
        if (known && !holds)
            break;
        if (!known && trace->run)
            return trace_not_run(trace, expr->loop.inner->span);
        trace->steps++;
        goes_on = trace_body(trace, expr) && known && !trace->maybe_left;
        drops_leave(trace, mark);
        note_round(trace, reports, expr->loop.inner->span, round, STR(""));
    }
    return unit_value();
}

static Value trace_loop(Trace *trace, const AstExpr *expr)
{
    trace->frame->result = unit_value();
    trace->maybe_left = false;
    bool goes_on = true;
    for (int64_t round = 0; goes_on && trace->flow == FLOW_ON && !out_of_steps(trace, expr->span);
         round++) {
        int64_t reports = trace->lang->diags->count;
        trace->steps++;
        goes_on = trace_body(trace, expr) && !trace->maybe_left;
        note_round(trace, reports, expr->span, round, STR(""));
    }
    return trace->frame->result;
}

static Value leave(Trace *trace, const AstExpr *inner, Flow flow)
{
    Value value = inner ? trace_given(trace, inner) : unit_value();
    if (trace->flow == FLOW_ON) {
        trace->frame->result = value;
        trace->flow = flow;
    }
    return poison_value();
}

// A frame of its own for what takes its variables along: those of them that own something.
static Frame *capture(Trace *trace, int32_t first_id, int32_t end_id)
{
    const Body *body = trace->frame->body;
    Frame *frame = new_frame(trace, body);
    memcpy(frame->slots, trace->frame->slots, sizeof(Value) * (size_t)body->slot_count);
    frame->captured = NULL;
    for (int32_t id = first_id; trace->run && trace->run->owns && id < end_id; id++) {
        const Use *use = body->uses[id - body->first_expr];
        bool local = use && use->kind == USE_LOCAL;
        Value *place = local ? &trace->frame->slots[use->slot] : NULL;
        if (!local || place->kind == VALUE_MOVED || place->kind == VALUE_UNKNOWN ||
            !type_drops(trace, body->slot_types.items[use->slot]))
            continue;
        if (!frame->captured)
            frame->captured = arena_new(trace->lang->arena, Places, 1);
        *array_push(trace->lang->arena, frame->captured, Place) =
            (Place){.place = &frame->slots[use->slot]};
        *place = (Value){.kind = VALUE_MOVED};
    }
    return frame;
}

// `break 'label value` leaves a block of that name.
static Value trace_labelled(Trace *trace, const AstExpr *expr)
{
    trace->frame->is_kept |= expr->block.is_async;
    if (expr->block.is_async && trace->run)
        return future_of_block(trace, expr,
                               expr->block.is_move
                                   ? capture(trace, expr->block.first_id, expr->block.end_id)
                                   : trace->frame);
    Value value = trace_block(trace, expr->block.body);
    bool mine = trace->flow == FLOW_BREAK && trace->label && trace->label == expr->block.label;
    if (!mine)
        return value;
    trace->flow = FLOW_ON;
    return trace->frame->result;
}

// An error of the program that is only known as one from here on.
static Value boxed_error(Trace *trace, Value error, Type *type)
{
    type = value_inner_type(type);
    bool own = type->kind == TYPE_NAMED && !type->decl->is_builtin;
    if (!own)
        return error;
    Value *place = arena_copy(trace->lang->arena, &error, sizeof error);
    return (Value){.kind = VALUE_REF, .place = place, .dyn = type};
}

// `?`: what is in Some or Ok; None and Err leave the function, Err by way of the `From` of its
// type.
static Value trace_try(Trace *trace, const AstExpr *expr)
{
    Value value = value_strip(trace_expr(trace, expr->inner)), field = VALUE_NOTHING;
    if (trace->flow != FLOW_ON || !value_variant(value))
        return trace->flow == FLOW_ON ? VALUE_NOTHING : poison_value();
    bool there = value_field(value, &field), is_error = is_variant(value, "Err");
    if (there && !is_error)
        return field;
    const Use *use = is_error ? body_use(trace->frame->body, expr) : NULL;
    if (use && use->kind == USE_DYN)
        value = err_value(trace, boxed_error(trace, field, use->type));
    else if (use)
        value = err_value(trace, trace_own(trace, expr, use, &field, 1));
    if (trace->flow == FLOW_ON) {
        trace->frame->result = value;
        trace->flow = FLOW_RETURN;
    }
    return poison_value();
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

static Value trace_cast_expr(Trace *trace, const AstExpr *expr)
{
    trace->nesting++;
    Value value = trace_expr(trace, expr->cast.inner);
    trace->nesting--;
    Type *to = type_here(trace, expr);
    if (value.kind == VALUE_INT && is_integer(to))
        return value_int(wrap_integer(value.integer, to));
    return trace_cast(value, type_here(trace, expr->cast.inner), to);
}

static Value trace_list(Trace *trace, const AstExpr *expr)
{
    return trace_items(trace, &expr->items);
}

static Value trace_inner(Trace *trace, const AstExpr *expr)
{
    return trace_expr(trace, expr->inner);
}

static Value trace_await(Trace *trace, const AstExpr *expr)
{
    Value value = trace_given(trace, expr->inner);
    if (!trace->run || trace->flow != FLOW_ON)
        return value;
    return future_await(trace, value, expr->span);
}

static Value trace_return(Trace *trace, const AstExpr *expr)
{
    return leave(trace, expr->inner, FLOW_RETURN);
}

static Value trace_break(Trace *trace, const AstExpr *expr)
{
    trace->label = expr->jump.label;
    return leave(trace, expr->jump.inner, FLOW_BREAK);
}

static Value trace_continue(Trace *trace, const AstExpr *expr)
{
    trace->label = expr->jump.label;
    return leave(trace, NULL, FLOW_CONTINUE);
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
        value = run_unknown(trace, expr->span, "this");
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
    if (trace->nesting >= most_nesting(trace))
        return refuse_depth(trace, expr);
    if (counts_itself(trace, expr))
        return tracers[expr->kind](trace, expr);
    return trace_nested(trace, expr);
}

// Operators that mean a function of the program: it is called like any other.
#include "lang/eval/drop.h"
#include "lang/eval/iter.h"
#include "lang/std/std.h"
#include "lang/types/signature.h"

#include <string.h>

static Value reference(Trace *trace, Value value)
{
    if (value.kind == VALUE_REF || value.kind == VALUE_POISON)
        return value;
    Value *place = arena_copy(trace->lang->arena, &value, sizeof value);
    return (Value){.kind = VALUE_REF, .place = place};
}

// The operand where it stands, for what takes it by reference.
static Value operand(Trace *trace, const AstExpr *expr)
{
    Value *place = trace_place(trace, expr);
    if (place && trace->run && place->kind == VALUE_REF)
        return *place;
    return place && place->kind != VALUE_MOVED && place->kind != VALUE_REF
               ? (Value){.kind = VALUE_REF, .place = place}
               : reference(trace, trace_expr(trace, expr));
}

Value trace_own(Trace *trace, const AstExpr *expr, const Use *use, const Value *args, int64_t count)
{
    if (use->broken || trace->flow != FLOW_ON)
        return (Value){.kind = VALUE_POISON};
    return trace_call(trace, use->decl, use->generics, args, count, expr->span);
}

// ---- comparisons

static Value order_holds(AstBinaryOp op, Value order)
{
    order = value_strip(order);
    Value which;
    if (!value_variant(order))
        return order.kind == VALUE_POISON ? order : VALUE_NOTHING;
    if (!value_field(order, &which)) // None: neither less nor greater
        return value_bool(false);
    which = value_strip(which);
    if (which.kind != VALUE_VARIANT)
        return VALUE_NOTHING;
    int32_t sign = which.variant.decl->index - 1; // Less, Equal, Greater
    switch (op) {
    case BINARY_LT:
        return value_bool(sign < 0);
    case BINARY_LE:
        return value_bool(sign <= 0);
    case BINARY_GT:
        return value_bool(sign > 0);
    default:
        return value_bool(sign >= 0);
    }
}

static Value compare(Trace *trace, const AstExpr *expr, const Use *use)
{
    Value args[] = {operand(trace, expr->binary.left), operand(trace, expr->binary.right)};
    Value result = value_strip(trace_own(trace, expr, use, args, 2));
    if (expr->binary.op == BINARY_NE && result.kind == VALUE_BOOL)
        return value_bool(!result.boolean);
    bool equality = expr->binary.op == BINARY_EQ || expr->binary.op == BINARY_NE;
    return equality ? result : order_holds(expr->binary.op, result);
}

// ---- the others

bool trace_own_binary(Trace *trace, const AstExpr *expr, Value *result)
{
    const Use *use = body_use(trace->frame->body, expr);
    if (!use)
        return false;
    if (expr->binary.op >= BINARY_EQ && expr->binary.op <= BINARY_GE) {
        *result = compare(trace, expr, use);
        return true;
    }
    Value args[] = {trace_moved(trace, expr->binary.left), trace_moved(trace, expr->binary.right)};
    *result = trace_own(trace, expr, use, args, 2);
    return true;
}

bool trace_own_assign(Trace *trace, const AstExpr *expr)
{
    const Use *use = body_use(trace->frame->body, expr);
    if (!use)
        return false;
    Value right = trace_moved(trace, expr->binary.right);
    Value args[] = {operand(trace, expr->binary.left), right};
    trace_own(trace, expr, use, args, 2);
    return true;
}

Value *trace_own_index(Trace *trace, const AstExpr *expr)
{
    Value list = operand(trace, expr->index.inner);
    Value args[] = {list, trace_moved(trace, expr->index.index)};
    Value item = trace_own(trace, expr, body_use(trace->frame->body, expr), args, 2);
    return item.kind == VALUE_REF ? item.place : NULL;
}

// ---- dyn Trait

// A Box of it owns what is in it.
static Value box_dyn(Trace *trace, Value value)
{
    Shared *shared = arena_new(trace->lang->arena, Shared, 1);
    *shared = (Shared){.kind = SHARED_BOX, .place = value.place};
    value.shared = shared;
    trace->run->owns = true;
    return value;
}

static Value dyn_value(Trace *trace, Type *type, Value value)
{
    if (value.kind == VALUE_UNKNOWN || value.kind == VALUE_POISON || value.kind == VALUE_ITER)
        return value;
    value = reference(trace, value);
    if (type->kind != TYPE_IMPL && !value_dyn(value).dyn)
        value.dyn = type;
    return value;
}

Value value_dyn(Value value)
{
    enum { LONGEST_CHAIN = 64 };
    for (int i = 0; i < LONGEST_CHAIN && value.kind == VALUE_REF && !value.dyn; i++)
        value = *value.place;
    return value.kind == VALUE_REF && value.dyn ? value : (Value){.kind = VALUE_REF};
}

// A method of a trait, called on a value that knows what it is.
bool trace_dyn(Trace *trace, const Use *use, const Value *args, int64_t count, Span span,
               Value *result)
{
    Value self = count ? value_dyn(args[0]) : VALUE_NOTHING;
    if (!count || !self.dyn || !is_trait_member(use->decl))
        return false;
    Type *type;
    const char *name = use->decl->name, *trait = use->decl->impl->item->name.text;
    Decl *decl = find_trait_member(trace->lang, self.dyn, trait, name, &type);
    if (!decl || decl->is_builtin || is_trait_member(decl))
        return false;
    Value *own = arena_new(trace->lang->arena, Value, (size_t)count);
    memcpy(own, args, sizeof *own * (size_t)count);
    own[0] = decl->item->function.self == SELF_VALUE
                 ? *self.place
                 : (Value){.kind = VALUE_REF, .place = self.place};
    *result = trace_call(trace, decl, method_generics(trace, decl, type), own, count, span);
    return true;
}

Value trace_adjust(Trace *trace, const AstExpr *expr, const Use *use, Value value)
{
    if (use->kind == USE_DYN) {
        bool box = trace->run && value.kind != VALUE_REF; // it stands in a Box or Rc from now on
        value = dyn_value(trace, type_of(use->type), value);
        return box && value.kind == VALUE_REF ? box_dyn(trace, value) : value;
    }
    Value self = reference(trace, value);
    if (strcmp(use->decl->name, "next") == 0) { // an iterator of the program
        Iter *iter = iter_of_type(trace, self, use->self);
        return iter ? (Value){.kind = VALUE_ITER, .iter = iter} : VALUE_NOTHING;
    }
    return trace_own(trace, expr, use, &self, 1);
}

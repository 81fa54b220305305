// Tensors, views and streams are not copied: whoever passes one on does not have it any more, nor
// the structure it is a part of.
#include "lang/eval/drop.h"
#include "lang/eval/trace_internal.h"
#include "lang/syntax/parse.h"

#include <string.h>

const ValueList *value_parts(Value value)
{
    return value.kind == VALUE_LIST      ? value.list
           : value.kind == VALUE_VARIANT ? value.variant.fields
                                         : NULL;
}

bool value_is_unique(Value value)
{
    const ValueList *parts = value_parts(value);
    bool found =
        value.kind == VALUE_TENSOR || value.kind == VALUE_VIEW || value.kind == VALUE_STREAM;
    for (int64_t i = 0; parts && i < parts->count && !found; i++)
        found = value_is_unique(parts->items[i]);
    return found;
}

// A part that was given away; NULL: all are there.
static Value *moved_part(Value *value)
{
    const ValueList *parts = value_parts(*value);
    Value *found = value->kind == VALUE_MOVED ? value : NULL;
    for (int64_t i = 0; parts && i < parts->count && !found; i++)
        found = moved_part(&parts->items[i]);
    return found;
}

static void place_text(StrBuf *out, const AstExpr *expr)
{
    while (expr->kind == AST_PAREN)
        expr = expr->inner;
    if (expr->kind == AST_FIELD) {
        place_text(out, expr->field.inner);
        buf_format(out, ".{}", expr->field.name.text);
    } else if (expr->kind == AST_PATH) {
        buf_format(out, "{}", expr->path.segments.items[0].name.text);
    } else {
        buf_add(out, STR("this"));
    }
}

static Value report_moved(Trace *trace, const AstExpr *expr, Value *moved, bool part)
{
    StrBuf name = {.arena = trace->lang->arena};
    place_text(&name, expr);
    Diag *diag = diag_add(trace->lang->diags, DIAG_MOVED, expr->span,
                          "{}`{}` was given away before", part ? "a part of " : "", buf_str(&name));
    diag_note(diag, moved->where, "given away here");
    diag_help(diag, "borrow it there with `&` or `.view()`, or do this before");
    *moved = poison_value(); // said once
    return trace->run ? run_refuse(trace, expr->span, trace->lang->diags->count - 1) : *moved;
}

Value check_there(Trace *trace, const AstExpr *expr, Value *place)
{
    return place->kind == VALUE_MOVED ? report_moved(trace, expr, place, false) : *place;
}

Value check_whole(Trace *trace, const AstExpr *expr, Value *place)
{
    // no element of a Vec is ever given away alone, and there may be millions
    if (type_is_named(type_of(quick_type(trace, expr)), "Vec"))
        return check_there(trace, expr, place);
    Value *moved = moved_part(place);
    return moved ? report_moved(trace, expr, moved, moved != place) : *place;
}

// A variable, or a field of one, that is not behind a reference; NULL: it is none.
static Value *own_place(Trace *trace, const AstExpr *expr)
{
    const AstExpr *root = expr;
    while (expr->kind == AST_UNARY && expr->unary.op == UNARY_DEREF && // a Box is what is in it
           type_is_named(body_type(trace->frame->body, expr->unary.inner), "Box"))
        root = expr = expr->unary.inner;
    while (root->kind == AST_FIELD || root->kind == AST_PAREN) {
        root = root->kind == AST_FIELD ? root->field.inner : root->inner;
        if (body_type(trace->frame->body, root)->kind == TYPE_REF)
            return NULL;
    }
    const Use *use = root->kind == AST_PATH ? body_use(trace->frame->body, root) : NULL;
    return use && use->kind == USE_LOCAL ? trace_place(trace, expr) : NULL;
}

// #[derive(.., trait, ..)]
static bool derives(Decl *decl, const char *trait)
{
    const AstAttributes *attributes = &decl->item->attributes;
    bool found = false;
    for (int64_t i = 0; i < attributes->count; i++)
        found |= strcmp(attributes->items[i].name, "derive") == 0 &&
                 str_find(attributes->items[i].args, str_from(trait)) >= 0;
    return found;
}

// Of a type whose values are copied where others are given away.
static bool is_copy(Type *type)
{
    type = type_of(type);
    bool all = true;
    for (int32_t i = 0; i < type->arg_count && type->kind != TYPE_REF; i++)
        all &= is_copy(type->args[i]);
    switch (type->kind) {
    case TYPE_REF:
        return !type->is_mut;
    case TYPE_NAMED:
        if (type->decl->kind == DECL_PRIM ||
            (type->decl->is_builtin && type->decl->kind == DECL_ENUM))
            return all;
        return !type->decl->is_builtin && derives(type->decl, "Copy");
    case TYPE_TUPLE:
    case TYPE_ARRAY:
        return all;
    default:
        return type->kind == TYPE_CONST;
    }
}

void move_place(Trace *trace, const AstExpr *expr)
{
    if (!follows_drops(trace) || trace->flow != FLOW_ON || !is_place_expr(expr) ||
        !type_drops(trace, quick_type(trace, expr)))
        return;
    Value *place = own_place(trace, expr);
    if (place && place->kind != VALUE_MOVED)
        *place = (Value){.kind = VALUE_MOVED, .where = expr->span};
}

Value trace_moved(Trace *trace, const AstExpr *expr)
{
    Value value = trace_expr(trace, expr);
    bool holds_places = value.kind == VALUE_LIST || value.kind == VALUE_VARIANT;
    if (holds_places && is_place_expr(expr) && is_copy(body_type(trace->frame->body, expr)))
        return copy_value(trace, value);
    bool copied = value.kind == VALUE_CLOSURE && !value.closure.frame->captured; // owns nothing
    if (follows_drops(trace) && is_owning(&value) && !copied)
        move_place(trace, expr);
    if (trace->run || !value_is_unique(value) || trace->flow != FLOW_ON)
        return value;
    Value *place = own_place(trace, expr);
    if (!place)
        return value;
    Value whole = check_whole(trace, expr, place);
    value = copy_value(trace, whole);
    if (whole.kind != VALUE_POISON)
        *place = (Value){.kind = VALUE_MOVED, .where = expr->span};
    return value;
}

Frame *capture(Trace *trace, int32_t first_id, int32_t end_id)
{
    const Body *body = trace->frame->body;
    Frame *frame = new_frame(trace, body);
    memcpy(frame->slots, trace->frame->slots, sizeof(Value) * (size_t)body->slot_count);
    frame->captured = NULL;
    for (int32_t id = first_id; follows_drops(trace) && id < end_id; id++) {
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

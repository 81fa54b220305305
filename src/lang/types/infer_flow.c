// Control flow: conditions, loops, what leaves them, and closures.
#include "lang/types/infer_internal.h"

void infer_condition(Infer *infer, const AstExpr *condition)
{
    if (condition->kind == AST_LET) {
        Type *type = infer_expr(infer, condition->loop.inner, NULL);
        infer_pattern(infer, condition->loop.pattern, type);
        infer->body->types[condition->id - infer->body->first_expr] =
            type_prim(infer->lang, PRIM_bool);
        return;
    }
    if (condition->kind == AST_BINARY && condition->binary.op == BINARY_LAND) {
        infer_condition(infer, condition->binary.left);
        infer_condition(infer, condition->binary.right);
        infer->body->types[condition->id - infer->body->first_expr] =
            type_prim(infer->lang, PRIM_bool);
        return;
    }
    check_expr(infer, condition, type_prim(infer->lang, PRIM_bool));
}

// The part of a branch or an arm that a help may change: of a block its last expression, as nothing
// can follow its `}`. NULL: none.
static const AstExpr *changeable(const AstExpr *value)
{
    switch (value->kind) {
    case AST_BLOCK:
        return value->block.label || value->block.is_async ? NULL : value->block.body->tail;
    case AST_IF:
    case AST_MATCH:
    case AST_LOOP:
    case AST_WHILE:
    case AST_FOR:
        return NULL;
    default:
        return value;
    }
}

// The type of two ways to go: that of the one that comes back.
static Type *join(Infer *infer, Type *first, Type *second, const AstExpr *value)
{
    if (type_of(first)->kind == TYPE_NEVER)
        return second;
    misfit(infer, first, second, value->span, changeable(value));
    return first;
}

Type *infer_if(Infer *infer, const AstExpr *expr, Type *expected)
{
    int64_t locals = infer->locals.count;
    infer_condition(infer, expr->branch.condition);
    Type *then = infer_block(infer, expr->branch.then, expected);
    infer->locals.count = locals;
    if (!expr->branch.otherwise) {
        if (type_of(then)->kind != TYPE_NEVER)
            coerce(infer, type_unit(infer->lang), then, expr->branch.then->span);
        return type_unit(infer->lang);
    }
    return join(infer, then, infer_expr(infer, expr->branch.otherwise, expected),
                expr->branch.otherwise);
}

Type *infer_match(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *value = infer_expr(infer, expr->match.inner, NULL), *result = type_never(infer->lang);
    for (int64_t i = 0; i < expr->match.arms.count; i++) {
        const AstArm *arm = &expr->match.arms.items[i];
        int64_t locals = infer->locals.count;
        infer_pattern(infer, arm->pattern, value);
        if (arm->guard)
            infer_condition(infer, arm->guard);
        result = join(infer, result, infer_expr(infer, arm->body, expected), arm->body);
        infer->locals.count = locals;
    }
    must_take_all(infer, expr, NULL, value);
    return result;
}

Type *iterated_type(Infer *infer, Type *type)
{
    return type_iterated(infer->lang, type);
}

static void infer_loop_body(Infer *infer, const AstExpr *expr, Type *type)
{
    Loop loop = {.label = expr->loop.label, .type = type, .outer = infer->loop};
    infer->loop = &loop;
    infer_block(infer, expr->loop.body, NULL);
    infer->loop = loop.outer;
}

Type *infer_for(Infer *infer, const AstExpr *expr)
{
    int64_t locals = infer->locals.count;
    Type *over = infer_expr(infer, expr->loop.inner, NULL);
    Type *item = iterated_type(infer, over);
    if (!item && type_strip(over)->kind != TYPE_ERROR && !may_do(infer, over)) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->loop.inner->span,
                              "{} cannot be looped over", type_head_name(over));
        help_await(diag, over, diag->span);
    }
    item = item ? item : type_poison(infer->lang);
    infer_pattern(infer, expr->loop.pattern, item);
    must_take_all(infer, NULL, expr->loop.pattern, item);
    infer_loop_body(infer, expr, type_unit(infer->lang));
    infer->locals.count = locals;
    return type_unit(infer->lang);
}

Type *infer_while(Infer *infer, const AstExpr *expr)
{
    int64_t locals = infer->locals.count;
    infer_condition(infer, expr->loop.inner);
    infer_loop_body(infer, expr, type_unit(infer->lang));
    infer->locals.count = locals;
    return type_unit(infer->lang);
}

Type *infer_loop(Infer *infer, const AstExpr *expr)
{
    Type *result = type_var(infer->lang, VAR_ANY, expr->span);
    infer_loop_body(infer, expr, result);
    bool endless = type_of(result)->kind == TYPE_VAR && type_of(result)->class == VAR_ANY;
    return endless ? type_never(infer->lang) : result;
}

// What a `break` or `continue` is for: the innermost loop, or what has its label.
static const Loop *loop_of(const Infer *infer, const char *label)
{
    const Loop *loop = infer->loop;
    while (loop && (label ? loop->label != label : loop->is_block))
        loop = loop->outer;
    return loop;
}

Type *infer_break(Infer *infer, const AstExpr *expr)
{
    const Loop *loop = loop_of(infer, expr->jump.label);
    const char *word = expr->kind == AST_BREAK ? "break" : "continue";
    if (!loop && expr->jump.label)
        diag_add(infer->lang->diags, DIAG_SYNTAX, expr->span,
                 "no loop around this `{}` is named `{}`", word, expr->jump.label);
    else if (!loop)
        diag_add(infer->lang->diags, DIAG_SYNTAX, expr->span, "`{}` stands outside of any loop",
                 word);
    if (expr->kind == AST_BREAK && expr->jump.inner && loop)
        check_expr(infer, expr->jump.inner, loop->type);
    else if (expr->kind == AST_BREAK && expr->jump.inner)
        infer_expr(infer, expr->jump.inner, NULL);
    else if (expr->kind == AST_BREAK && loop)
        type_unify(infer->lang, loop->type, type_unit(infer->lang), NULL, NULL);
    return type_never(infer->lang);
}

// { .. }, 'label: { .. }, async { .. }
Type *infer_block_expr(Infer *infer, const AstExpr *expr, Type *expected)
{
    const AstBlock *body = expr->block.body;
    if (!expr->block.label && !expr->block.is_async)
        return infer_block(infer, body, expected);
    Type *type = type_var(infer->lang, VAR_ANY, expr->span), *outer = infer->result;
    if (expected && type_of(expected)->kind != TYPE_VAR)
        type = expected;
    Loop block = {.label = expr->block.label, .type = type, .is_block = true, .outer = infer->loop};
    infer->loop = expr->block.is_async ? NULL : &block;
    infer->result = expr->block.is_async ? type : outer;
    Type *tail = infer_block(infer, body, type);
    infer->result = outer;
    infer->loop = block.outer;
    if (type_of(tail)->kind == TYPE_NEVER)
        return type_hole(type) == type_of(type) ? tail : type;
    misfit(infer, type, tail, body->tail ? body->tail->span : body->span, body->tail);
    return type;
}

Type *infer_return(Infer *infer, const AstExpr *expr)
{
    if (expr->inner)
        check_expr(infer, expr->inner, infer->result);
    else
        coerce(infer, infer->result, type_unit(infer->lang), expr->span);
    return type_never(infer->lang);
}

Type *infer_try(Infer *infer, const AstExpr *expr)
{
    Type *type = type_of(infer_expr(infer, expr->inner, NULL));
    bool known = type_is_named(type, "Option") || type_is_named(type, "Result");
    if (!known && type->kind != TYPE_ERROR && !may_do(infer, type))
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span,
                 "`?` takes an Option or a Result, not {}", type_head_name(type));
    if (type_is_named(type, "Result"))
        convert_error(infer, expr, type->args[1]);
    return known ? type->args[0] : type_poison(infer->lang);
}

// Parameters may be said, or come from where the closure is passed to.
Type *infer_closure(Infer *infer, const AstExpr *expr, Type *expected)
{
    Lang *lang = infer->lang;
    Type *hint = expected ? type_of(expected) : NULL;
    int32_t count = (int32_t)expr->closure.params.count;
    bool fits = hint && hint->kind == TYPE_FN && hint->arg_count == count + 1;
    Type **args = arena_new(lang->arena, Type *, (size_t)count + 1);
    int64_t locals = infer->locals.count;
    for (int32_t i = 0; i < count; i++) {
        const AstParam *param = &expr->closure.params.items[i];
        args[i] = param->type ? resolve_type(&infer->types, param->type)
                  : fits      ? hint->args[i]
                              : type_var(lang, VAR_ANY, param->pattern->span);
        infer_pattern(infer, param->pattern, args[i]);
        must_take_all(infer, NULL, param->pattern, args[i]);
    }
    check_repeated(infer, locals);
    Type *outer = infer->result;
    Loop *loop = infer->loop;
    bool was_async = infer->is_async;
    infer->loop = NULL;
    infer->is_async = expr->closure.is_async;
    Type *result = expr->closure.result ? resolve_type(&infer->types, expr->closure.result)
                   : fits && !expr->closure.is_async ? hint->args[count]
                                                     : type_var(lang, VAR_ANY, expr->span);
    infer->result = result;
    check_expr(infer, expr->closure.body, result);
    if (body_type(infer->body, expr->closure.body)->kind == TYPE_NEVER)
        *array_push(lang->arena, &infer->nevers, Type *) = result;
    args[count] = expr->closure.is_async ? future_of(infer, result) : result;
    infer->result = outer;
    infer->loop = loop;
    infer->is_async = was_async;
    infer->locals.count = locals;
    Type *type = arena_new(lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_CLOSURE,
                   .span = expr->span,
                   .args = args,
                   .arg_count = count + 1,
                   .closure = expr};
    return type;
}

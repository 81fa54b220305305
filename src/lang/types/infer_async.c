// Futures: what an async function gives before `.await` takes the result out.
#include "lang/types/infer_internal.h"

#include <string.h>

Type *future_of(Infer *infer, Type *result)
{
    Type **args = arena_new(infer->lang->arena, Type *, 1);
    args[0] = result;
    return std_type(infer, "Future", args, 1);
}

Type *call_result(Infer *infer, Decl *decl, Type *result)
{
    bool is_async = decl->kind == DECL_FN && decl->item->function.is_async;
    return is_async ? future_of(infer, result) : result;
}

// `impl Future<Output = T>` is one, too.
static bool is_future(Type *type)
{
    bool says_so = type->kind == TYPE_IMPL && type->name && strcmp(type->name, "Future") == 0;
    return (says_so && type->arg_count == 1) || type_has_role(type, ROLE_FUTURE);
}

Type *awaited(Type *type)
{
    type = type_of(type);
    bool boxed = type_has_role(type, ROLE_POINTER) && type_is_named(type, "Box");
    Type *future = boxed ? type_of(type->args[0]) : type;
    return is_future(future) ? type_of(future->args[0]) : type;
}

Type *infer_await(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type = infer_expr(infer, expr->inner, expected);
    if (!infer->is_async) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_AWAIT, expr->span,
                              "`.await` stands outside of async code");
        diag_help(diag,
                  "write `async fn`, or put it into an `async {{ .. }` block that something runs");
    }
    return awaited(type);
}

// join!(a, b): what all of them give. try_join!: what is in their Ok, or the first Err.
Type *infer_join(Infer *infer, const AstExpr *expr, bool tries)
{
    const AstExprs *futures = &expr->macro.args;
    Type **parts = arena_new(infer->lang->arena, Type *, (size_t)futures->count + 1);
    Type *error = type_var(infer->lang, VAR_ANY, expr->span);
    if (!infer->is_async)
        diag_add(infer->lang->diags, DIAG_AWAIT, expr->span, "`{}!` stands outside of async code",
                 expr->macro.name.text);
    for (int64_t i = 0; i < futures->count; i++) {
        parts[i] = awaited(infer_expr(infer, futures->items[i], NULL));
        Type *part = type_of(parts[i]);
        if (!tries || !type_is_named(part, "Result"))
            continue;
        coerce(infer, error, part->args[1], futures->items[i]->span);
        parts[i] = part->args[0];
    }
    Type *tuple = type_tuple(infer->lang, parts, (int32_t)futures->count);
    if (!tries)
        return tuple;
    Type **args = arena_new(infer->lang->arena, Type *, 2);
    args[0] = tuple;
    args[1] = error;
    return std_type(infer, "Result", args, 2);
}

Type *infer_async_block(Infer *infer, const AstExpr *expr, Type *expected)
{
    Infer outer = *infer;
    infer->is_async = true;
    infer->loop = NULL;
    infer->result = type_var(infer->lang, VAR_ANY, expr->span);
    Type *type = infer_block(infer, expr->block.body, expected ? awaited(expected) : NULL);
    Type *result = infer->result;
    coerce(infer, result, type, expr->span);
    if (type_of(type)->kind == TYPE_NEVER)
        *array_push(infer->lang->arena, &infer->nevers, Type *) = result;
    infer->is_async = outer.is_async;
    infer->loop = outer.loop;
    infer->result = outer.result;
    return future_of(infer, result);
}

bool help_await(Diag *diag, Type *type, Span where)
{
    if (!is_future(type_strip(type)))
        return false;
    diag_help(diag, "add `.await`: an async function gives its result only then");
    if (where.source >= 0)
        diag_edit(diag, behind(where), ".await");
    return true;
}

void check_awaited(Infer *infer, const AstExpr *expr, Type *type)
{
    if (!type_has_role(type_strip(type), ROLE_FUTURE))
        return;
    Diag *diag =
        diag_add(infer->lang->diags, DIAG_AWAIT, expr->span, "this is a future, not a value yet");
    help_await(diag, type, expr->span);
}

// Of calls only: what else gives a future may have made it elsewhere, and spawned functions run.
void check_future_is_used(Infer *infer, const AstExpr *expr)
{
    const AstExpr *named = expr->kind == AST_CALL     ? expr->call.callee
                           : expr->kind == AST_METHOD ? expr
                                                      : NULL;
    const Use *use = named ? body_use(infer->body, named) : NULL;
    Decl *decl = use ? use->decl : NULL;
    if (!decl || decl->kind != DECL_FN || !decl->item || !decl->item->function.is_async)
        return;
    Diag *diag = diag_add(infer->lang->diags, DIAG_FUTURE_UNUSED, expr->span,
                          "nothing awaits this future: `{}` is not carried out", decl->name);
    diag_help(diag, "add `.await`");
    diag_edit(diag, behind(expr->span), ".await");
}

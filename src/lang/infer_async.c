// Futures: what an async function gives before `.await` takes the result out.
#include "lang/infer_internal.h"

#include <string.h>

Type *future_of(Infer *infer, Type *result)
{
    Type **args = arena_new(infer->lang->arena, Type *, 1);
    args[0] = result;
    return std_type(infer, "Future", args, 1);
}

Type *call_result(Infer *infer, const Decl *decl, Type *result)
{
    bool is_async = decl->kind == DECL_FN && decl->item->function.is_async;
    return is_async ? future_of(infer, result) : result;
}

// `impl Future<Output = T>` is one, too.
static bool is_future(Type *type)
{
    bool says_so = type->kind == TYPE_IMPL && type->name && strcmp(type->name, "Future") == 0;
    return (says_so && type->arg_count == 1) || type_is_named(type, "Future");
}

Type *awaited(Type *type)
{
    type = type_of(type);
    Type *future = type_is_named(type, "Box") ? type_of(type->args[0]) : type;
    return is_future(future) ? type_of(future->args[0]) : type;
}

Type *infer_await(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type = infer_expr(infer, expr->inner, expected);
    if (!infer->is_async) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_AWAIT, expr->span,
                              "`.await` stands outside of async code");
        diag_help(diag, "write `async fn`, or put it into an `async { .. }` block that something "
                        "runs");
    }
    return awaited(type);
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
    infer->is_async = outer.is_async;
    infer->loop = outer.loop;
    infer->result = outer.result;
    return future_of(infer, result);
}

bool help_await(Diag *diag, Type *type)
{
    if (!is_future(type_strip(type)))
        return false;
    diag_help(diag, "add `.await`: an async function gives its result only then");
    return true;
}

void check_awaited(Infer *infer, const AstExpr *expr, Type *type)
{
    if (!type_is_named(type_strip(type), "Future"))
        return;
    Diag *diag =
        diag_add(infer->lang->diags, DIAG_AWAIT, expr->span, "this is a future, not a value yet");
    help_await(diag, type);
}

// `x as T`, once both types are known: what Rust converts, and what it does not.
#include "lang/types/infer_internal.h"

#include "base/checked.h"

typedef enum { CAST_NONE, CAST_NUMBER, CAST_BOOL, CAST_CHAR, CAST_ENUM, CAST_ANY } CastKind;

static CastKind cast_kind(Type *type)
{
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_CLOSURE)
        return CAST_NONE;
    if (type->kind != TYPE_NAMED)
        return CAST_ANY;
    if (type->decl->kind != DECL_PRIM)
        return type->decl->kind == DECL_ENUM ? CAST_ENUM : CAST_NONE;
    if (type->decl->prim == PRIM_bool)
        return CAST_BOOL;
    if (type->decl->prim == PRIM_char)
        return CAST_CHAR;
    PrimClass class = prims[type->decl->prim].class;
    return class == PRIM_ELEMENT || class == PRIM_OTHER ? CAST_NONE : CAST_NUMBER;
}

static bool is_float(Type *type)
{
    return type_is_prim(type, PRIM_f32) || type_is_prim(type, PRIM_f64);
}

static bool can_cast(Type *from, Type *to)
{
    CastKind source = cast_kind(from), target = cast_kind(to);
    if (source == CAST_ANY || target == CAST_ANY)
        return true;
    if (source == CAST_NONE || target == CAST_NONE || target == CAST_ENUM)
        return from->kind == to->kind && from->kind == TYPE_NAMED && from->decl == to->decl &&
               from->decl->kind == DECL_PRIM;
    if (source == target)
        return true;
    if (target == CAST_CHAR)
        return type_is_prim(from, PRIM_u8);
    return target == CAST_NUMBER && !is_float(to);
}

// Box::new(x) as Box<dyn Trait>
static bool is_boxed(Infer *infer, Type *from, Type *to)
{
    return type_is_pointer(to) && type_could_unify(infer->lang, to, from);
}

// Elements of the chip are structs in Rust, with functions for what `as` does not do.
static void help_element(Infer *infer, Diag *diag, const AstExpr *cast, Type *from, Type *to)
{
    static const char *const ways[][2] = {{"to_f32", "from_f32"}, {"to_i32", "from_i32"}};
    Type *self;
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        if (find_member(infer->lang, from, lang_name(infer->lang, ways[i][0]), &self)) {
            bool all = type_is_prim(to, i ? PRIM_i32 : PRIM_f32);
            Span as = {cast->span.source, cast->cast.inner->span.end, cast->span.end};
            diag_help(diag, "write `.%s()`%s", ways[i][0],
                      all ? "" : ", and convert what it gives");
            if (all)
                diag_edit(diag, as, ".%s()", ways[i][0]);
            return;
        }
        if (find_member(infer->lang, to, lang_name(infer->lang, ways[i][1]), &self)) {
            diag_help(diag, "write `%s::%s(..)`", type_head_name(to), ways[i][1]);
            return;
        }
    }
}

void check_casts(Infer *infer)
{
    for (int64_t i = 0; i < infer->casts.count; i++) {
        const AstExpr *expr = infer->casts.items[i];
        Type *from = type_strip(body_type(infer->body, expr->cast.inner));
        Type *to = body_type(infer->body, expr);
        bool letter = expr->cast.inner->kind == AST_LITERAL && type_is_prim(to, PRIM_char);
        if (letter || can_cast(from, to) || is_boxed(infer, from, to)) // 97 as char: a u8
            continue;
        Diag *diag = diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span,
                              "`as` does not convert `%.*s` to `%.*s`",
                              STR_ARG(type_text(infer->lang->arena, from)),
                              STR_ARG(type_text(infer->lang->arena, to)));
        help_element(infer, diag, expr, from, to);
    }
}

// What Rust asks of places besides their types: who may write to them, and what is unsafe.
// Lifetimes are not followed; a value that was moved away is found while tracing.
#include "lang/types/infer_internal.h"

Local *find_local(const Infer *infer, const char *name)
{
    for (int64_t i = infer->locals.count - 1; i >= 0; i--)
        if (infer->locals.items[i].name == name)
            return &infer->locals.items[i];
    return NULL;
}

// The variable that a place is part of; NULL: it goes through a reference, or is no place.
static Local *root_of(const Infer *infer, const AstExpr *place)
{
    for (;;) {
        Type *type = infer->body->types[place->id - infer->body->first_expr];
        if (place->kind != AST_PATH && type && type_of(type)->kind == TYPE_REF)
            return NULL; // what it refers to is somebody else's
        switch (place->kind) {
        case AST_PAREN:
            place = place->inner;
            break;
        case AST_FIELD:
            place = place->field.inner;
            break;
        case AST_INDEX:
            place = place->index.inner;
            break;
        case AST_PATH:
            return place->path.self || place->path.segments.count != 1
                       ? NULL
                       : find_local(infer, place->path.segments.items[0].name.text);
        default:
            return NULL;
        }
    }
}

static void report_fixed(Infer *infer, const AstExpr *place, const Local *local, const char *what)
{
    Diag *diag = diag_add(infer->lang->diags, DIAG_NOT_MUTABLE, place->span,
                          "`{}` cannot be {}: it is not declared `mut`", local->name, what);
    diag_note(diag, local->span, "declared here");
    diag_help(diag, "write `mut {}` there", local->name);
    diag_edit(diag, ((Span){local->span.source, local->span.start, local->span.start}), "mut ");
}

void check_mutable(Infer *infer, const AstExpr *place, const char *what)
{
    const Local *local = root_of(infer, place);
    if (!local)
        return;
    Type *type = type_of(local->type);
    if (type->kind == TYPE_REF && !type->is_mut) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_NOT_MUTABLE, place->span,
                              "`{}` cannot be {}: it is behind a `&` reference", local->name, what);
        diag_help(diag, "take it as `&mut`");
        diag->cause = local->span;
    } else if (type->kind != TYPE_REF && type->kind != TYPE_ERROR && type->kind != TYPE_VAR &&
               !local->is_mut) {
        report_fixed(infer, place, local, what);
    }
}

void check_assignable(Infer *infer, const AstExpr *place)
{
    Local *local = root_of(infer, place);
    if (!local)
        return;
    bool whole = place->kind == AST_PATH || place->kind == AST_PAREN;
    if (whole && local->is_open)
        return; // its first value, on one way or another
    if (whole && !local->is_mut)
        report_fixed(infer, place, local, "assigned to");
    else if (!whole)
        check_mutable(infer, place, "assigned to");
}

void check_unsafe(Infer *infer, Decl *decl, Span span, Span call)
{
    if (!decl->item->function.is_unsafe || infer->unsafe_depth)
        return;
    Diag *diag = diag_add(infer->lang->diags, DIAG_UNSAFE, span,
                          "`{}` is unsafe: nothing checks what lies there", decl->name);
    diag_help(diag, "put the call into `unsafe {{ .. }`");
    diag_edit(diag, ((Span){call.source, call.start, call.start}), "unsafe {{ ");
    diag_edit(diag, ((Span){call.source, call.end, call.end}), " }");
}

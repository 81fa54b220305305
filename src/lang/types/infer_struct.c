// Struct literals: which fields they give, and which they leave out.
#include "lang/types/infer_internal.h"

void report_no_field(Infer *infer, const AstName *name, Decl *decl, const AstFields *fields)
{
    Diag *diag = diag_add(infer->lang->diags, DIAG_FIELD_UNKNOWN, name->span,
                          "`{}` has no field `{}`", decl->name, name->text);
    if (!note_left_out(infer->lang, diag, name->text))
        help_fields(diag, fields, name);
}

void check_field_repeats(Infer *infer, const AstNames *names)
{
    for (int64_t i = 0; i < names->count; i++)
        for (int64_t k = 0; k < i; k++) {
            if (names->items[k].text != names->items[i].text)
                continue;
            Diag *diag = diag_add(infer->lang->diags, DIAG_NAME_REPEATED, names->items[i].span,
                                  "the field `{}` is given twice", names->items[i].text);
            diag_note(diag, names->items[k].span, "first given here");
            break;
        }
}

// Point { x } stands for Point { x: x }: a help that changes the value has to name the field, too.
static void name_field(Infer *infer, const AstName *name, int64_t first)
{
    const DiagList *diags = infer->lang->diags;
    for (int64_t i = first; i < diags->count; i++)
        for (int64_t k = 0; k < diags->items[i]->helps.count; k++) {
            DiagHelp *help = &diags->items[i]->helps.items[k];
            if (help->edits.count != 1 || !span_inside(help->edits.items[0].span, name->span))
                continue;
            DiagEdit *edit = &help->edits.items[0];
            Span before = {name->span.source, name->span.start, edit->span.start};
            edit->text = str_format(diags->items[i]->arena, "{}: {}{}", name->text,
                                    lang_text(infer->lang, before), edit->text);
            edit->span.start = name->span.start;
        }
}

// Whether the struct has every field that is given.
static bool check_fields(Infer *infer, const AstExpr *expr, Decl *decl, const AstFields *fields,
                         Type **generics)
{
    const Signature *signature = signature_of(infer->lang, decl);
    bool ok = true;
    for (int64_t i = 0; i < expr->structure.names.count; i++) {
        int64_t at = -1;
        for (int64_t k = 0; k < fields->count; k++)
            if (fields->items[k].name.text == expr->structure.names.items[i].text)
                at = k;
        if (at >= 0) {
            int64_t reports = infer->lang->diags->count;
            const AstExpr *value = expr->structure.values.items[i];
            check_field_seen(infer, decl, &expr->structure.names.items[i]);
            check_expr(infer, value,
                       type_instantiate(infer->lang, signature->params[at], generics));
            if (span_same(value->span, expr->structure.names.items[i].span))
                name_field(infer, &expr->structure.names.items[i], reports);
            continue;
        }
        report_no_field(infer, &expr->structure.names.items[i], decl, fields);
        infer_expr(infer, expr->structure.values.items[i], NULL);
        ok = false;
    }
    return ok;
}

static void check_missing(Infer *infer, const AstExpr *expr, Decl *decl, const AstFields *fields)
{
    for (int64_t k = 0; k < fields->count && !expr->structure.base; k++) {
        bool given = false;
        for (int64_t i = 0; i < expr->structure.names.count; i++)
            given |= fields->items[k].name.text == expr->structure.names.items[i].text;
        if (!given)
            diag_add(infer->lang->diags, DIAG_FIELD_MISSING, expr->structure.path.span,
                     "`{}` needs its field `{}`", decl->name, fields->items[k].name.text);
    }
}

Type *infer_struct(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type, **generics;
    Decl *decl =
        resolve_constructor(infer, &expr->structure.path, SPACE_TYPE, expected, &type, &generics);
    if (!decl || decl->kind == DECL_CONST) {
        infer_all(infer, &expr->structure.values);
        return type_poison(infer->lang);
    }
    put_use(infer, expr, (Use){.kind = USE_DECL, .decl = decl, .generics = generics});
    const AstFields *fields =
        decl->kind == DECL_VARIANT ? &decl->variant->fields : &decl->item->structure.fields;
    check_field_repeats(infer, &expr->structure.names);
    if (check_fields(infer, expr, decl, fields, generics)) // a missing one may be misspelled
        check_missing(infer, expr, decl, fields);
    if (expr->structure.base)
        check_expr(infer, expr->structure.base, type);
    return type;
}

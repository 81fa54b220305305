// Fields and methods are seen where their `pub` says.
#include "lang/types/infer_internal.h"

void check_member_seen(Infer *infer, Decl *decl, const AstName *name)
{
    if (module_sees(infer->scope, decl->scope, decl->visibility))
        return;
    Private found = {decl, decl->span, decl->scope, decl->visibility, 0};
    report_private(infer->lang, name, &found);
}

// Those of a variant are seen where it is.
static const AstFields *fields_to_see(Decl *decl)
{
    static const AstFields none = {0};
    return decl->kind == DECL_STRUCT && decl->item ? &decl->item->structure.fields : &none;
}

static bool is_seen(const Infer *infer, Decl *decl, const AstField *field)
{
    return module_sees(infer->scope, decl->scope, &field->visibility);
}

void check_field_seen(Infer *infer, Decl *decl, const AstName *name)
{
    const AstFields *fields = fields_to_see(decl);
    for (int64_t i = 0; i < fields->count; i++) {
        const AstField *field = &fields->items[i];
        if (field->name.text != name->text || is_seen(infer, decl, field))
            continue;
        Private found = {decl, field->name.span, decl->scope, &field->visibility, 0};
        report_private(infer->lang, name, &found);
    }
}

// `T(a, b)`: all of them.
void check_fields_seen(Infer *infer, Decl *decl, Span span)
{
    const AstFields *fields = fields_to_see(decl);
    for (int64_t i = 0; i < fields->count; i++) {
        const AstField *field = &fields->items[i];
        if (is_seen(infer, decl, field))
            continue;
        Private found = {decl, field->name.span, decl->scope, &field->visibility, 0};
        report_private(infer->lang, &(AstName){field->name.text, span}, &found);
        return;
    }
}

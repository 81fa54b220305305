// What traits have to do with calls: functions called through the name of their trait, one name
// with several impl blocks, and conversions that end in an `impl From`.
#include "lang/types/infer_internal.h"

#include "base/checked.h"

#include <string.h>

// ---- several impl blocks with a function of one name

static Decls candidates(Infer *infer, Type *self, const char *name)
{
    Decls found = {0};
    sort_impls(infer->lang);
    const Impls *impls = type_impls(infer->lang, self);
    for (int64_t i = 0; i < impls->count; i++) {
        Decl *decl = impl_member(infer->lang, impls->items[i], name);
        if (decl && impls->items[i]->is_trait && decl->kind == DECL_FN &&
            (!decl->is_builtin || decl->item->function.body) &&
            impl_is_for(infer->lang, impls->items[i], self))
            *array_push(infer->lang->arena, &found, Decl *) = decl;
    }
    return found;
}

// Does a function of a type take these? The arguments stand behind `self`; NULL: not known.
static bool takes(Infer *infer, Decl *decl, Type *self, Type **args, int64_t count)
{
    Lang *lang = infer->lang;
    const Signature *signature = signature_of(lang, decl);
    if (signature->param_count != count)
        return false;
    Type **vars = arena_new(lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = 0; i < signature->generic_count; i++)
        vars[i] = type_var(lang, VAR_ANY, SPAN_NOWHERE);
    type_unify(lang, type_instantiate(lang, signature->self, vars), self, NULL, NULL);
    for (int64_t i = 0; i < count; i++) {
        Type *param = type_instantiate(lang, signature->params[i], vars);
        if (args[i] && !type_could_unify(lang, param, adjusted_type(infer, param, args[i])))
            return false;
    }
    return true;
}

Decl *find_taker(Infer *infer, Type *self, const char *name, Type **args, int64_t count)
{
    Decls found = candidates(infer, self, name);
    for (int64_t i = 0; i < found.count; i++)
        if (takes(infer, found.items[i], self, args, count))
            return found.items[i];
    return NULL;
}

// The type of an argument, without keeping anything of how it was found: it is looked at again.
static Type *probe(Infer *infer, const AstExpr *expr)
{
    int64_t calls = infer->calls.count, numbers = infer->numbers.count;
    int64_t literals = infer->literals.count, obligations = infer->obligations.count;
    int64_t errors = infer->lang->diags->error_count;
    if (expr->kind == AST_CLOSURE)
        return NULL;
    Type *type = infer_expr(infer, expr, NULL);
    infer->calls.count = calls;
    infer->numbers.count = numbers;
    infer->literals.count = literals;
    infer->obligations.count = obligations;
    return infer->lang->diags->error_count > errors ? NULL : type;
}

Decl *choose_overload(Infer *infer, Decl *decl, Type *self, const AstExprs *exprs)
{
    if (!decl->impl || !decl->impl->is_trait || decl->is_builtin || !self)
        return decl;
    Decls found = candidates(infer, type_of(self), decl->name);
    Decl *usual = library_member(infer->lang, type_of(self), decl->name);
    if (found.count < 2 && !usual)
        return decl;
    int64_t first = decl->item->function.self != SELF_NONE &&
                    exprs->count == decl->item->function.params.count + 1;
    Type **args = arena_new(infer->lang->arena, Type *, (size_t)exprs->count + 1);
    for (int64_t i = first; i < exprs->count; i++)
        args[i - first] = probe(infer, exprs->items[i]);
    Decl *better = find_taker(infer, type_of(self), decl->name, args, exprs->count - first);
    return better ? better : usual ? usual : decl;
}

// ---- Trait::function

Type *trait_path(Infer *infer, const AstExpr *expr, Decl *trait)
{
    const AstSegments *segments = &expr->path.segments;
    const AstSegment *last = &segments->items[segments->count - 1];
    Decl *decl = trait_member(infer->lang, trait, last->name.text);
    if (!decl || decl->kind != DECL_FN) {
        diag_add(infer->lang->diags, DIAG_METHOD_UNKNOWN, last->name.span,
                 "the trait `{}` has no function `{}`", trait->name, last->name.text);
        return type_poison(infer->lang);
    }
    Type **generics = call_generics(infer, decl, last, NULL);
    Type *type = function_type(infer, decl, generics);
    put_use(infer, expr, (Use){.kind = USE_DECL, .decl = decl, .generics = generics});
    *array_push(infer->lang->arena, &infer->obligations, Obligation) =
        (Obligation){.kind = OBLIGATION_TRAIT,
                     .target = generics[0],
                     .source = type,
                     .span = last->name.span,
                     .expr = expr,
                     .name = trait->name};
    return type;
}

bool settle_trait(Infer *infer, Obligation *obligation)
{
    Type *type = type_of(obligation->target), *self;
    if (type->kind == TYPE_VAR && type->class == VAR_ANY)
        return false;
    Use *use = infer->body->uses[obligation->expr->id - infer->body->first_expr];
    if (type->kind == TYPE_ERROR || type->kind == TYPE_IMPL)
        return true; // of a `dyn Trait`: found when it runs
    const char *name = use->decl->name;
    Decl *decl = find_trait_member(infer->lang, type, obligation->name, name, &self);
    if (!decl)
        decl = find_member(infer->lang, type, name, &self); // of an impl block for all types
    if (!decl || decl->kind != DECL_FN) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_METHOD_UNKNOWN, obligation->span,
                              "`{}` has no `{}`: it does not implement `{}`",
                              type_text(infer->lang->arena, type), name, obligation->name);
        diag_help(diag, "write `impl {} for {}`", obligation->name,
                  type_text(infer->lang->arena, type));
        return true;
    }
    const AstSegments *segments = &obligation->expr->path.segments;
    use->decl = decl;
    use->self = self;
    use->generics = call_generics(infer, decl, &segments->items[segments->count - 1], self);
    type_unify(infer->lang, function_type(infer, decl, use->generics), obligation->source, NULL,
               NULL);
    return true;
}

// ---- conversions

static const struct {
    const char *method, *from; // what is called, and what of the target it means
} conversions[] = {
    {"into", "from"},
    {"try_into", "try_from"},
    {"parse", "from_str"},
};

static const char *conversion_of(Decl *decl)
{
    for (size_t i = 0; decl->is_builtin && i < COUNT_OF(conversions); i++)
        if (strcmp(decl->name, conversions[i].method) == 0)
            return conversions[i].from;
    return NULL;
}

// `fn f(x: impl Into<Kelvin>)`: x.into() is a Kelvin.
static Type *bound_target(Infer *infer, Type *source)
{
    const Signature *signature = infer->body->signature;
    for (int32_t i = 0; i < signature->generic_count; i++) {
        const AstTypes *bounds = &signature->generics[i]->bounds;
        if (!infer->body->generics || type_of(infer->body->generics[i]) != type_of(source))
            continue;
        for (int64_t k = 0; k < bounds->count; k++) {
            const AstSegments *segments = &bounds->items[k]->path.segments;
            const AstSegment *last = segments->count ? &segments->items[segments->count - 1] : NULL;
            if (last && strcmp(last->name.text, "Into") == 0 && last->args.count == 1 &&
                last->args.items[0].type)
                return resolve_type(&infer->types, last->args.items[0].type);
        }
    }
    return NULL;
}

void expect_conversion(Infer *infer, const AstExpr *expr, Decl *decl, Type *source, Type **generics)
{
    const char *from = conversion_of(decl);
    const Signature *signature = signature_of(infer->lang, decl);
    if (!from || signature->own_start == signature->generic_count)
        return;
    Type *target = generics[signature->own_start];
    Type *wanted = strcmp(decl->name, "into") == 0 ? bound_target(infer, source) : NULL;
    if (wanted)
        type_unify(infer->lang, target, wanted, NULL, NULL);
    *array_push(infer->lang->arena, &infer->obligations, Obligation) =
        (Obligation){.kind = OBLIGATION_INTO,
                     .target = target,
                     .source = source,
                     .span = expr->method.name.name.span,
                     .expr = expr,
                     .name = from};
}

static void report_conversion(Infer *infer, Type *source, Type *target, Span span)
{
    Arena *arena = infer->lang->arena;
    Str from = type_text(arena, source), to = type_text(arena, target);
    Diag *diag = diag_add(infer->lang->diags, DIAG_TYPE_MISMATCH, span,
                          "nothing converts `{}` to `{}`", from, to);
    diag_help(diag, "write `impl From<{}> for {}`", from, to);
}

// Finds the function of the program that converts, and puts it with the expression if there is
// one. False: there is none.
static bool use_conversion(Infer *infer, const AstExpr *expr, Type *target, Type *source,
                           const char *name)
{
    Decl *decl = find_taker(infer, target, lang_name(infer->lang, name), &source, 1);
    if (!decl)
        return false;
    const AstSegment segment = {.name = {decl->name, expr ? expr->span : SPAN_NOWHERE}};
    Type **generics = call_generics(infer, decl, &segment, target);
    Type *param =
        type_instantiate(infer->lang, signature_of(infer->lang, decl)->params[0], generics);
    type_unify(infer->lang, param, adjusted_type(infer, param, source), NULL, NULL);
    if (expr)
        put_use(infer, expr,
                (Use){.kind = USE_DECL, .decl = decl, .generics = generics, .self = target});
    return true;
}

static bool is_own(Type *type)
{
    return type->kind == TYPE_NAMED && type->decl->kind != DECL_PRIM && !type->decl->is_builtin;
}

bool settle_into(Infer *infer, Obligation *obligation)
{
    Type *target = type_of(obligation->target), *source = obligation->source;
    Type *given = type_of(source);
    if (given->kind == TYPE_ASSOC) {
        given = source = settle_associated(infer->lang, given);
        if (!given)
            return false;
    }
    if (target->kind == TYPE_VAR || (given->kind == TYPE_VAR && given->class == VAR_ANY))
        return false;
    if (target->kind != TYPE_NAMED || type_strip(source)->kind == TYPE_ERROR ||
        may_do(infer, source))
        return true;
    bool found = use_conversion(infer, obligation->expr, target, source, obligation->name);
    bool same = type_could_unify(infer->lang, target, source);
    bool plain = strcmp(obligation->name, "from") == 0; // the others may use `From`, too
    if (!found && is_own(target) && !same && plain && !type_hole(source))
        report_conversion(infer, source, target, obligation->span);
    return true;
}

void convert_error(Infer *infer, const AstExpr *expr, Type *error)
{
    Type *result = infer->result ? type_of(infer->result) : NULL;
    Type *wanted = result && type_is_named(result, "Result") ? type_of(result->args[1]) : NULL;
    if (!wanted || wanted->kind != TYPE_NAMED || type_of(error)->kind == TYPE_ERROR)
        return;
    bool any = type_is_named(wanted, "Box") && type_of(wanted->args[0])->kind == TYPE_IMPL;
    if (any) {
        put_use(infer, expr, (Use){.kind = USE_DYN, .type = error});
        return;
    }
    if (type_of(error)->kind == TYPE_ASSOC) { // of a type that is not known yet
        *array_push(infer->lang->arena, &infer->obligations, Obligation) =
            (Obligation){.kind = OBLIGATION_INTO,
                         .target = wanted,
                         .source = error,
                         .span = expr->span,
                         .expr = expr,
                         .name = "from"};
        return;
    }
    if (type_could_unify(infer->lang, wanted, error)) {
        type_unify(infer->lang, wanted, error, NULL, NULL);
        return;
    }
    bool known = is_own(wanted) && !type_hole(error);
    if (!use_conversion(infer, expr, wanted, error, "from") && known)
        report_conversion(infer, error, wanted, expr->span);
}

// ---- dyn Trait

static bool is_pointer(Type *type)
{
    return type->kind == TYPE_REF || type_is_pointer(type);
}

// A char and a number, a float of 32 bits and one of 64 look alike without their type.
static bool has_plain_parts(Type *type)
{
    type = type_of(type);
    bool unit = type->kind == TYPE_TUPLE && !type->arg_count;
    bool plain = unit || (type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM) ||
                 (type->kind == TYPE_VAR && type->class != VAR_ANY);
    bool parts = type->kind == TYPE_TUPLE || type->kind == TYPE_ARRAY ||
                 type_is_named(type, "Vec") || type_is_named(type, "Option");
    for (int32_t i = 0; parts && !plain && i < type->arg_count; i++)
        plain = has_plain_parts(type->args[i]);
    return plain;
}

void keep_dyn(Infer *infer, const AstExpr *expr, Type *expected, Type *actual)
{
    expected = type_of(expected);
    actual = type_of(actual);
    while (is_pointer(expected) && is_pointer(actual)) {
        expected = type_of(expected->args[0]);
        actual = type_of(actual->args[0]);
    }
    bool some = actual->kind != TYPE_IMPL && actual->kind != TYPE_ERROR &&
                actual->kind != TYPE_NEVER && actual->kind != TYPE_PARAM;
    bool told = !expected->decl && !is_own(actual) && !has_plain_parts(actual);
    if (expected->kind != TYPE_IMPL || !some || told)
        return; // other types of the library are told by their values
    Use *use = arena_new(infer->lang->arena, Use, 1);
    *use = (Use){.kind = USE_DYN, .type = actual};
    map_put(&infer->body->adjusts, expr, use);
}

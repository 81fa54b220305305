// Operators that mean a function of the program: `impl Add for X` and the like. Which one is kept
// with the expression, so that whoever runs it calls that.
#include "lang/types/infer_internal.h"

#include "base/checked.h"

#include <string.h>

static const char *const binary_methods[BINARY_COUNT] = {
    [BINARY_ADD] = "add",        [BINARY_SUB] = "sub",        [BINARY_MUL] = "mul",
    [BINARY_DIV] = "div",        [BINARY_REM] = "rem",        [BINARY_AND] = "bitand",
    [BINARY_OR] = "bitor",       [BINARY_XOR] = "bitxor",     [BINARY_SHL] = "shl",
    [BINARY_SHR] = "shr",        [BINARY_EQ] = "eq",          [BINARY_NE] = "eq",
    [BINARY_LT] = "partial_cmp", [BINARY_LE] = "partial_cmp", [BINARY_GT] = "partial_cmp",
    [BINARY_GE] = "partial_cmp",
};

static const char *const assign_methods[BINARY_COUNT] = {
    [BINARY_ADD] = "add_assign",  [BINARY_SUB] = "sub_assign",    [BINARY_MUL] = "mul_assign",
    [BINARY_DIV] = "div_assign",  [BINARY_REM] = "rem_assign",    [BINARY_AND] = "bitand_assign",
    [BINARY_OR] = "bitor_assign", [BINARY_XOR] = "bitxor_assign", [BINARY_SHL] = "shl_assign",
    [BINARY_SHR] = "shr_assign",
};

// Types of std.rs whose operators are written there.
static bool has_written_operators(Type *type)
{
    static const char *const names[] = {"HashSet", "BTreeSet", "Wrapping"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (type_is_named(type, names[i]))
            return true;
    return false;
}

bool is_own_type(Type *type)
{
    type = type_strip(type);
    return type->kind == TYPE_NAMED && type->decl->kind != DECL_PRIM &&
           (!type->decl->is_builtin || has_written_operators(type));
}

// Calls `decl` on the operands: what its result is.
static Type *call_operator(Infer *infer, const AstExpr *expr, Decl *decl, Type *self, Type **args,
                           int64_t count)
{
    Lang *lang = infer->lang;
    const AstSegment segment = {.name = {decl->name, expr->span}};
    Type **generics = call_generics(infer, decl, &segment, self);
    const Signature *signature = signature_of(lang, decl);
    for (int64_t i = 0; i < count; i++) {
        Type *param = type_instantiate(lang, signature->params[i], generics);
        type_unify(lang, param, adjusted_type(infer, param, args[i]), NULL, NULL);
    }
    put_use(infer, expr, (Use){.kind = USE_DECL, .decl = decl, .generics = generics, .self = self});
    return type_instantiate(lang, signature->result, generics);
}

// `2.0 * v`: the literal is whichever number has this operator.
static Decl *find_for_literal(Infer *infer, Type *var, const char *name, Type **args, Type **self)
{
    Decl *found = NULL;
    for (Prim prim = 0; prim < PRIM_COUNT && !found; prim++) {
        Type *type = type_prim(infer->lang, prim);
        if (!type_could_unify(infer->lang, var, type))
            continue;
        found = find_taker(infer, type, name, args, 1);
        *self = type;
    }
    if (found)
        type_unify(infer->lang, var, *self, NULL, NULL);
    return found;
}

static Decl *find_operator(Infer *infer, Type *left, Type *right, const char *method, Type **self)
{
    const char *name = lang_name(infer->lang, method);
    *self = type_of(left);
    bool literal = (*self)->kind == TYPE_VAR && (*self)->class != VAR_ANY;
    if (literal)
        return is_own_type(right) ? find_for_literal(infer, *self, name, &right, self) : NULL;
    return find_taker(infer, *self, name, &right, right ? 1 : 0);
}

// Both sides of a comparison are looked at where they are: as many references as both have go away.
static void strip_both(Type **left, Type **right)
{
    *left = type_of(*left);
    *right = type_of(*right);
    while ((*left)->kind == TYPE_REF && (*right)->kind == TYPE_REF) {
        *left = type_of((*left)->args[0]);
        *right = type_of((*right)->args[0]);
    }
}

Type *own_binary(Infer *infer, const AstExpr *expr, Type *left, Type *right)
{
    AstBinaryOp op = expr->binary.op;
    bool compares = op >= BINARY_EQ && op <= BINARY_GE;
    Type *self;
    if (compares)
        strip_both(&left, &right);
    if (!is_own_type(left) && !is_own_type(right))
        return NULL;
    Type *arg = compares ? type_ref(infer->lang, right, false) : right;
    Decl *decl = find_operator(infer, left, arg, binary_methods[op], &self);
    if (!decl)
        return NULL;
    Type *result = call_operator(infer, expr, decl, self, &arg, 1);
    return compares ? type_prim(infer->lang, PRIM_bool) : result;
}

bool own_assign(Infer *infer, const AstExpr *expr, Type *left, Type *right)
{
    Type *self = type_of(left);
    if (self->kind == TYPE_REF || !is_own_type(self))
        return false;
    Decl *decl = find_operator(infer, self, right, assign_methods[expr->binary.op], &self);
    if (decl)
        call_operator(infer, expr, decl, self, &right, 1);
    return decl != NULL;
}

Type *own_unary(Infer *infer, const AstExpr *expr, Type *inner)
{
    const char *method = expr->unary.op == UNARY_NEGATE ? "neg" : "not";
    Type *self;
    if (!is_own_type(inner))
        return NULL;
    Decl *decl = find_operator(infer, inner, NULL, method, &self);
    return decl ? call_operator(infer, expr, decl, self, NULL, 0) : NULL;
}

void own_equality(Infer *infer, const AstExpr *expr, Type *left, Type *right)
{
    Type *self;
    strip_both(&left, &right);
    if (!is_own_type(left) && !is_own_type(right))
        return;
    Type *arg = type_ref(infer->lang, right, false);
    Decl *decl = find_operator(infer, left, arg, "eq", &self);
    if (decl)
        call_operator(infer, expr, decl, self, &arg, 1);
}

// ---- places

// x[i] is *x.index(i), or *x.index_mut(i) where it is changed.
Type *own_index(Infer *infer, const AstExpr *expr, Type *list, Type *index)
{
    Type *self;
    if (!is_own_type(list))
        return NULL;
    Decl *decl = find_operator(infer, list, index, "index", &self);
    return decl ? type_strip(call_operator(infer, expr, decl, self, &index, 1)) : NULL;
}

static void change_index(Infer *infer, const AstExpr *expr)
{
    const Use *use = infer->body->uses[expr->id - infer->body->first_expr];
    if (!use || !use->decl || strcmp(use->decl->name, "index") != 0)
        return;
    Type *self, *index = body_type(infer->body, expr->index.index);
    Decl *decl = find_operator(infer, use->self, index, "index_mut", &self);
    if (decl) {
        call_operator(infer, expr, decl, self, &index, 1);
        return;
    }
    Diag *diag = diag_add(infer->lang->diags, DIAG_NOT_MUTABLE, expr->span,
                          "items of `{}` cannot be changed: it does not implement `IndexMut`",
                          type_head_name(use->self));
    diag_help(diag, "write `impl IndexMut<..> for {}`", type_head_name(use->self));
}

void change_place(Infer *infer, const AstExpr *place)
{
    for (;;) {
        switch (place->kind) {
        case AST_PAREN:
            place = place->inner;
            break;
        case AST_FIELD:
            place = place->field.inner;
            break;
        case AST_INDEX:
            change_index(infer, place);
            place = place->index.inner;
            break;
        default:
            return;
        }
    }
}

// ---- Deref and Iterator

static void adjust_with(Infer *infer, const AstExpr *expr, Type *type, const char *trait,
                        const char *method)
{
    const Impl *impl = find_impl(infer->lang, type, trait);
    Decl *decl = impl ? impl_member(infer->lang, impl, lang_name(infer->lang, method)) : NULL;
    if (!decl)
        return;
    const AstSegment segment = {.name = {decl->name, expr->span}};
    Use *use = arena_new(infer->lang->arena, Use, 1);
    *use = (Use){.kind = USE_DECL,
                 .decl = decl,
                 .generics = call_generics(infer, decl, &segment, type),
                 .self = type};
    map_put(&infer->body->adjusts, expr, use);
    Type *target = strcmp(method, "deref") == 0 ? type_deref(infer->lang, type) : NULL;
    if (target) // what it is from here on
        infer->body->types[expr->id - infer->body->first_expr] =
            type_ref(infer->lang, target, false);
}

void adjust_receiver(Infer *infer, const AstExpr *expr, Type *type, Type *self)
{
    type = type_strip(type);
    self = type_strip(self);
    if (!is_own_type(type) || (self->kind == TYPE_NAMED && self->decl == type->decl))
        return;
    bool derefs = find_impl(infer->lang, type, "Deref") != NULL;
    adjust_with(infer, expr, type, derefs ? "Deref" : "Iterator", derefs ? "deref" : "next");
}

// What `*x` is; NULL: it is no reference, and the type does not say.
Type *own_deref(Infer *infer, const AstExpr *expr, Type *type)
{
    if (type->kind == TYPE_REF || !is_own_type(type) || !find_impl(infer->lang, type, "Deref"))
        return NULL;
    adjust_with(infer, expr->unary.inner, type, "Deref", "deref");
    return type_deref(infer->lang, type);
}

// &X where &Y is wanted, and X derefs to Y.
Type *deref_coercion(Infer *infer, const AstExpr *expr, Type *expected, Type *actual)
{
    expected = type_of(expected);
    actual = type_of(actual);
    if (expected->kind != TYPE_REF || actual->kind != TYPE_REF)
        return actual;
    Type *wanted = type_of(expected->args[0]), *given = type_strip(actual);
    bool known = wanted->kind != TYPE_VAR && wanted->kind != TYPE_IMPL && is_own_type(given);
    if (!known || (wanted->kind == TYPE_NAMED && wanted->decl == given->decl) ||
        !find_impl(infer->lang, given, "Deref"))
        return actual;
    Type *inner = type_deref(infer->lang, given); // NULL: the impl does not say
    Type *target = inner ? type_ref(infer->lang, inner, actual->is_mut) : NULL;
    if (!target || !type_could_unify(infer->lang, expected, adjusted_type(infer, expected, target)))
        return actual;
    adjust_with(infer, expr, given, "Deref", "deref");
    return target;
}

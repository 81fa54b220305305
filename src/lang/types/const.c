// Constants in types: array lengths and const arguments, worked out from the text. Whole numbers,
// booleans and characters, operators, `if`, and calls of functions made of these.
#include "lang/types/signature.h"

#include "base/checked.h"
#include "lang/eval/whole.h"

#include <string.h>

typedef struct {
    const char *name;
    Type *value;
} ConstLocal;

struct ConstEnv {
    ARRAY(ConstLocal);
    Type *returned; // NULL: it goes on
    int64_t *steps; // of all calls together
};

enum { MOST_STEPS = 100 * 1000 };

static Type *const_value(Lang *lang, Prim prim, int64_t value, Span span)
{
    Type *type = type_number(lang, value, span);
    type->decl = lang->prims[prim];
    return type;
}

static Type *const_bool(Lang *lang, bool value, Span span)
{
    return const_value(lang, PRIM_bool, value, span);
}

static Type *no_constant(Lang *lang, Span span)
{
    diag_add(lang->diags, DIAG_CONST_VALUE, span, "this is no constant that can stand in a type");
    return type_poison(lang);
}

static bool is_true(Type *type)
{
    return type_of(type)->kind == TYPE_CONST && type_of(type)->value != 0;
}

static Type *unit(Lang *lang)
{
    return type_number(lang, 0, SPAN_NOWHERE);
}

// ---- constants by their names

static Type *refuse_const(Lang *lang, const char *name, Span span)
{
    diag_add(lang->diags, DIAG_CONST_VALUE, span, "`{}` is not a constant that a type can use",
             name);
    return type_poison(lang);
}

static Type *const_of_decl(Lang *lang, Decl *decl, Type *self, Span span)
{
    if (decl->kind == DECL_MODULE) {
        diag_add(lang->diags, DIAG_NOT_A_VALUE, span, "`{}` is a module, not a value",
                 lang_text(lang, span));
        return type_poison(lang);
    }
    if (decl->kind != DECL_CONST)
        return refuse_const(lang, decl->name, span);
    const Signature *signature = signature_of(lang, decl);
    bool generic = signature->generic_count > 0;
    if (decl->number && !generic)
        return decl->number;
    if (decl->resolving || !decl->item->constant.value || decl->is_builtin ||
        lang->depth > MOST_DEPTH)
        return refuse_const(lang, decl->name, span);
    Type **generics = arena_new(lang->arena, Type *, (size_t)signature->generic_count + 1);
    for (int32_t i = 0; i < signature->generic_count; i++)
        generics[i] = type_var(lang, VAR_ANY, span);
    if (generic && self)
        type_unify(lang, type_instantiate(lang, decl->impl->self, generics), self, NULL, NULL);
    TypeScope outer = {.lang = lang,
                       .scope = decl->scope,
                       .signature = signature,
                       .generics = generics,
                       .self = self         ? self
                               : decl->impl ? decl->impl->self
                                            : NULL};
    decl->resolving = true;
    lang->depth++;
    Type *number = resolve_const(&outer, decl->item->constant.value);
    lang->depth--;
    decl->resolving = false;
    if (!generic)
        decl->number = number;
    return number;
}

// i8::MAX and the like. NULL: it is none.
static Type *limit(Lang *lang, Type *of, const char *name, Span span)
{
    const PrimInfo *prim = prim_of(of);
    if (!prim_is_whole(prim))
        return NULL;
    if (strcmp(name, "BITS") == 0)
        return type_number(lang, prim->bits, span);
    bool most = strcmp(name, "MAX") == 0;
    if (!most && strcmp(name, "MIN") != 0)
        return NULL;
    Whole number = most ? whole_most(prim) : whole_least(prim);
    if (!whole_fits(number, &prims[PRIM_i64])) // constants of types are held in 64 bits
        return no_constant(lang, span);
    return type_number(lang, whole_value(number, &prims[PRIM_i64]).integer, span);
}

static Type *prefix_type(const TypeScope *scope, const AstPath *path)
{
    if (path->self && path->segments.count == 1)
        return resolve_type(scope, path->self);
    AstType type = {.kind = AST_TYPE_PATH, .span = path->span, .path = *path};
    type.path.segments.count--;
    return resolve_type(scope, &type);
}

// Type::NAME
static Type *const_member(const TypeScope *scope, const AstPath *path)
{
    Lang *lang = scope->lang;
    const AstName *name = &path->segments.items[path->segments.count - 1].name;
    Type *of = type_of(prefix_type(scope, path)), *self;
    type_recall(lang, of);
    if (of->kind == TYPE_ERROR || of->kind == TYPE_VAR || of->kind == TYPE_PARAM)
        return type_poison(lang);
    if (of->kind == TYPE_MAPPING && strcmp(name->text, "SIZE") == 0)
        return type_number(lang, of->expr->size, path->span);
    Decl *variant = of->kind == TYPE_NAMED && of->decl->kind == DECL_ENUM
                        ? enum_variant(of->decl, name->text)
                        : NULL;
    if (variant)
        return type_variant(lang, variant, path->span);
    Type *most = limit(lang, of, name->text, path->span);
    Decl *decl = most ? NULL : find_member(lang, of, name->text, &self);
    if (most)
        return most;
    if (decl)
        return const_of_decl(lang, decl, self, path->span);
    diag_add(lang->diags, DIAG_CONST_VALUE, name->span,
             "`{}` has no constant `{}` that can stand in a type", type_head_name(of), name->text);
    return type_poison(lang);
}

static Type *local_value(const TypeScope *scope, const char *name, ConstLocal **place)
{
    ConstEnv *env = scope->env;
    for (int64_t i = env ? env->count - 1 : -1; i >= 0; i--) {
        if (env->items[i].name != name)
            continue;
        *place = &env->items[i];
        return env->items[i].value;
    }
    return NULL;
}

static Type *const_path(const TypeScope *scope, const AstPath *path)
{
    Lang *lang = scope->lang;
    const AstSegments *segments = &path->segments;
    ConstLocal *place;
    if (!segments->count)
        return type_poison(lang);
    const char *first = segments->items[0].name.text;
    bool single = !path->self && segments->count == 1;
    Type *local = single ? local_value(scope, first, &place) : NULL;
    if (local)
        return local;
    int32_t index = path->self ? -1 : find_generic(scope->signature, first);
    if (single && index >= 0)
        return generic_type(scope, index, path->span);
    if (!single && (path->self || index >= 0 || strcmp(first, "Self") == 0))
        return const_member(scope, path);
    AstNames names = {0};
    for (int64_t i = 0; i < segments->count; i++)
        *array_push(lang->arena, &names, AstName) = segments->items[i].name;
    int64_t used = 0;
    Decl *decl = module_resolve(lang, scope->scope, path->global, names.items, names.count,
                                SPACE_VALUE, (OwnNames){.signature = scope->signature}, &used);
    if (!decl)
        return type_poison(lang);
    if (decl->kind == DECL_VARIANT && used == names.count)
        return type_variant(lang, decl, path->span);
    if (used < names.count)
        return const_member(scope, path);
    return const_of_decl(lang, decl, NULL, path->span);
}

// ---- operators

static bool const_binary(AstBinaryOp op, int64_t a, int64_t b, int64_t *value)
{
    switch (op) {
    case BINARY_ADD:
        return checked_add(a, b, value);
    case BINARY_SUB:
        return !__builtin_sub_overflow(a, b, value);
    case BINARY_MUL:
        return !__builtin_mul_overflow(a, b, value);
    case BINARY_DIV:
        return b > 0 ? (*value = a / b, true) : false;
    case BINARY_REM:
        return b > 0 ? (*value = a % b, true) : false;
    case BINARY_SHL:
        return b >= 0 && b < 62 && checked_mul(a, (int64_t)1 << b, value);
    case BINARY_SHR:
        return b >= 0 && b < 63 ? (*value = a >> b, true) : false;
    case BINARY_AND:
        return *value = a & b, true;
    case BINARY_OR:
        return *value = a | b, true;
    case BINARY_XOR:
        return *value = a ^ b, true;
    default:
        return false;
    }
}

static bool const_compare(AstBinaryOp op, int64_t a, int64_t b)
{
    switch (op) {
    case BINARY_EQ:
        return a == b;
    case BINARY_NE:
        return a != b;
    case BINARY_LT:
        return a < b;
    case BINARY_LE:
        return a <= b;
    case BINARY_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static Type *resolve_binary(const TypeScope *scope, const AstExpr *value)
{
    Lang *lang = scope->lang;
    AstBinaryOp op = value->binary.op;
    Type *left = type_of(resolve_const(scope, value->binary.left));
    if (op == BINARY_LAND || op == BINARY_LOR)
        return is_true(left) == (op == BINARY_LOR) || left->kind != TYPE_CONST
                   ? left
                   : resolve_const(scope, value->binary.right);
    Type *right = type_of(resolve_const(scope, value->binary.right));
    int64_t number = 0;
    if (left->kind == TYPE_ERROR || right->kind == TYPE_ERROR)
        return type_poison(lang);
    bool known = left->kind == TYPE_CONST && right->kind == TYPE_CONST && left->decl == right->decl;
    if (known && op >= BINARY_EQ && op <= BINARY_GE)
        return const_bool(lang, const_compare(op, left->value, right->value), value->span);
    if (known && !left->decl && const_binary(op, left->value, right->value, &number))
        return type_number(lang, number, value->span);
    return no_constant(lang, value->span);
}

static Type *resolve_unary(const TypeScope *scope, const AstExpr *value)
{
    Type *inner = type_of(resolve_const(scope, value->unary.inner));
    if (inner->kind == TYPE_ERROR)
        return inner;
    bool number = inner->kind == TYPE_CONST && !inner->decl;
    if (number && value->unary.op == UNARY_NEGATE)
        return type_number(scope->lang, (int64_t)(0 - (uint64_t)inner->value), value->span);
    bool boolean = inner->kind == TYPE_CONST && inner->decl == scope->lang->prims[PRIM_bool];
    if (boolean && value->unary.op == UNARY_NOT)
        return const_bool(scope->lang, !inner->value, value->span);
    return no_constant(scope->lang, value->span);
}

static Type *resolve_literal(Lang *lang, const AstExpr *value)
{
    int64_t number = (int64_t)value->literal.integer;
    switch (value->literal.kind) {
    case LITERAL_INT:
        if (value->literal.integer <= INT64_MAX)
            return type_number(lang, number, value->span);
        break;
    case LITERAL_BYTE:
        return type_number(lang, number, value->span);
    case LITERAL_BOOL:
        return const_bool(lang, number != 0, value->span);
    case LITERAL_CHAR:
        return const_value(lang, PRIM_char, number, value->span);
    default:
        break;
    }
    return no_constant(lang, value->span);
}

static Type *resolve_cast(const TypeScope *scope, const AstExpr *value)
{
    Type *inner = type_of(resolve_const(scope, value->cast.inner));
    bool prim = inner->kind == TYPE_CONST && (!inner->decl || inner->decl->kind == DECL_PRIM);
    const PrimInfo *to = prim_of(resolve_type(scope, value->cast.type));
    if (!prim)
        return inner;
    Whole number = whole_of_int(inner->value);
    if (prim_is_whole(to))
        number = whole_of(whole_value(number, to), to);
    if (!whole_fits(number, &prims[PRIM_i64]))
        return no_constant(scope->lang, value->span);
    return type_number(scope->lang, whole_value(number, &prims[PRIM_i64]).integer, value->span);
}

// ---- functions

static bool too_long(const TypeScope *scope, Span span)
{
    if (!scope->env || ++*scope->env->steps < MOST_STEPS)
        return false;
    if (*scope->env->steps == MOST_STEPS)
        diag_add(scope->lang->diags, DIAG_CONST_VALUE, span,
                 "this takes more than {} steps to work out", MOST_STEPS);
    return true;
}

static Type *resolve_block(const TypeScope *scope, const AstBlock *block)
{
    Lang *lang = scope->lang;
    TypeScope inside = *scope;
    int64_t steps = 0;
    ConstEnv own = {.steps = &steps};
    inside.scope = module_of_block(lang, scope->scope, block);
    inside.env = scope->env ? scope->env : &own;
    for (int64_t i = 0; i < block->statements.count; i++) {
        const AstStatement *statement = &block->statements.items[i];
        if (statement->kind == STATEMENT_ITEM)
            continue;
        bool binds = statement->kind == STATEMENT_LET && statement->value &&
                     statement->pattern->kind == PATTERN_BIND;
        if (statement->kind == STATEMENT_LET && !binds)
            return no_constant(lang, statement->span);
        Type *value = resolve_const(&inside, statement->value);
        if (binds)
            *array_push(lang->arena, inside.env, ConstLocal) =
                (ConstLocal){statement->pattern->name.text, value};
        if (inside.env->returned)
            return inside.env->returned;
    }
    return block->tail ? resolve_const(&inside, block->tail) : unit(lang);
}

static Type *resolve_if(const TypeScope *scope, const AstExpr *value)
{
    Type *condition = type_of(resolve_const(scope, value->branch.condition));
    if (condition->kind != TYPE_CONST)
        return type_poison(scope->lang);
    if (is_true(condition))
        return resolve_block(scope, value->branch.then);
    return value->branch.otherwise ? resolve_const(scope, value->branch.otherwise)
                                   : unit(scope->lang);
}

static Type *resolve_while(const TypeScope *scope, const AstExpr *value)
{
    while (!too_long(scope, value->span) && !scope->env->returned &&
           is_true(resolve_const(scope, value->loop.inner)))
        resolve_block(scope, value->loop.body);
    return *scope->env->steps < MOST_STEPS ? unit(scope->lang)
                                           : (scope->env->returned = type_poison(scope->lang));
}

static Type *resolve_assign(const TypeScope *scope, const AstExpr *value)
{
    const AstExpr *left = value->binary.left;
    ConstLocal *place;
    bool local = left->kind == AST_PATH && left->path.segments.count == 1 &&
                 local_value(scope, left->path.segments.items[0].name.text, &place);
    if (!local)
        return no_constant(scope->lang, value->span);
    Type *result = value->binary.compound ? resolve_binary(scope, value)
                                          : resolve_const(scope, value->binary.right);
    local_value(scope, left->path.segments.items[0].name.text, &place);
    place->value = result;
    return unit(scope->lang);
}

static Decl *called(const TypeScope *scope, const AstExpr *callee, Type **self)
{
    *self = NULL;
    if (callee->kind != AST_PATH || !callee->path.segments.count)
        return NULL;
    Decl *decl = module_find(scope->lang, scope->scope, &callee->path, SPACE_VALUE);
    if (decl || (callee->path.segments.count == 1 && !callee->path.self))
        return decl;
    const AstSegments *segments = &callee->path.segments;
    return find_member(scope->lang, prefix_type(scope, &callee->path),
                       segments->items[segments->count - 1].name.text, self);
}

static Type *resolve_call(const TypeScope *scope, const AstExpr *value)
{
    Lang *lang = scope->lang;
    Type *self;
    Decl *decl = called(scope, value->call.callee, &self);
    const AstParams *params = decl && decl->kind == DECL_FN ? &decl->item->function.params : NULL;
    if (!params || !decl->item->function.is_const || !decl->item->function.body ||
        decl->item->function.self != SELF_NONE || params->count != value->call.args.count ||
        lang->depth > MOST_DEPTH)
        return no_constant(lang, value->span);
    int64_t steps = 0;
    ConstEnv env = {.steps = scope->env ? scope->env->steps : &steps};
    const Signature *signature = signature_of(lang, decl);
    Type **generics = arena_new(lang->arena, Type *, (size_t)signature->generic_count + 1);
    for (int32_t i = 0; i < signature->generic_count; i++)
        generics[i] = type_var(lang, VAR_ANY, value->span);
    const AstSegments *segments = &value->call.callee->path.segments;
    const AstSegment *last = &segments->items[segments->count - 1];
    if (last->args.count)
        resolve_args(scope, last, signature, signature->own_start, signature->own_end, generics,
                     false);
    for (int64_t i = 0; i < params->count; i++)
        *array_push(lang->arena, &env, ConstLocal) = (ConstLocal){
            params->items[i].pattern->kind == PATTERN_BIND ? params->items[i].pattern->name.text
                                                           : NULL,
            resolve_const(scope, value->call.args.items[i])};
    TypeScope inside = {.lang = lang,
                        .scope = decl->scope,
                        .signature = signature,
                        .generics = generics,
                        .self = self         ? self
                                : decl->impl ? decl->impl->self
                                             : NULL,
                        .env = &env};
    if (too_long(&inside, value->span))
        return type_poison(lang);
    lang->depth++;
    Type *result = resolve_block(&inside, decl->item->function.body);
    lang->depth--;
    return env.returned ? env.returned : result;
}

static Type *resolve_return(const TypeScope *scope, const AstExpr *value)
{
    if (!scope->env || !value->inner)
        return no_constant(scope->lang, value->span);
    return scope->env->returned = resolve_const(scope, value->inner);
}

Type *resolve_const(const TypeScope *scope, const AstExpr *value)
{
    Lang *lang = scope->lang;
    switch (value->kind) {
    case AST_LITERAL:
        return resolve_literal(lang, value);
    case AST_PATH:
        return const_path(scope, &value->path);
    case AST_PAREN:
        return resolve_const(scope, value->inner);
    case AST_CAST:
        return resolve_cast(scope, value);
    case AST_BLOCK:
        return resolve_block(scope, value->block.body);
    case AST_BINARY:
        return resolve_binary(scope, value);
    case AST_UNARY:
        return resolve_unary(scope, value);
    case AST_IF:
        return resolve_if(scope, value);
    case AST_CALL:
        return resolve_call(scope, value);
    case AST_ASSIGN:
        if (scope->env)
            return resolve_assign(scope, value);
        break;
    case AST_WHILE:
        if (scope->env)
            return resolve_while(scope, value);
        break;
    case AST_RETURN:
        return resolve_return(scope, value);
    case AST_ERROR:
        return type_poison(lang);
    default:
        break;
    }
    return no_constant(lang, value->span);
}

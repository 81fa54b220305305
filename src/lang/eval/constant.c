// Constants: of a program by their names, of the library by what they belong to, and those that
// stand in types, such as the length of an array.
#include "lang/eval/trace_internal.h"

#include "base/checked.h"
#include "lang/eval/whole.h"
#include "lang/syntax/ast_visit.h"
#include "machine/machine.h"

#include <string.h>

Value generic_value(Type *type, const PrimInfo *prim)
{
    type = type_of(type);
    if (type->kind != TYPE_CONST)
        return VALUE_NOTHING;
    if (type->decl && type->decl->kind == DECL_PRIM && type->decl->prim == PRIM_bool)
        return value_bool(type->value != 0);
    if (!type->decl || type->decl->kind == DECL_PRIM)
        return whole_of_bits((Uint128)(Int128)type->value, prim);
    for (int64_t i = 0; i < type->decl->variants.capacity; i++) {
        Decl *variant = type->decl->variants.slots[i].value;
        if (type->decl->variants.slots[i].key && variant->index == type->value)
            return (Value){.kind = VALUE_VARIANT, .variant = {variant, NULL}};
    }
    return VALUE_NOTHING;
}

// ---- by name

// std::i32::MAX, std::f32::consts::PI: of the type that the module has its name of.
static Value module_constant(Trace *trace, Decl *decl)
{
    for (Prim prim = 0; prim < PRIM_COUNT; prim++)
        if (strcmp(prims[prim].name, decl->scope->name) == 0)
            return number_limit(type_prim(trace->lang, prim), decl->name);
    return VALUE_NOTHING;
}

// One of the library that is not written there: `= builtin`.
static bool is_builtin_constant(Decl *decl)
{
    const AstExpr *value = decl->item->constant.value;
    return !value || (decl->is_builtin && value->kind == AST_PATH);
}

// A constant that the language brings along: of a mapping, an axis, a number.
static Value library_constant(Trace *trace, Decl *decl, Type *self)
{
    Type *home = decl->impl ? decl->impl->self : NULL;
    Scalar scalar;
    if (self && type_recall(trace->lang, self))
        return poison_value();
    if (self && self->kind == TYPE_MAPPING && strcmp(decl->name, "SIZE") == 0)
        return value_int(self->expr->size);
    if (self && scalar_of_type(self, &scalar) && strcmp(decl->name, "BITS") == 0)
        return value_int(scalar_traits[scalar].bits);
    bool axis = self && self->kind == TYPE_MAPPING && self->expr->kind == EXPR_ATOM;
    if (axis && strcmp(decl->name, "NAME") == 0)
        return (Value){.kind = VALUE_IDENT, .ident = {self->expr->atom, self->expr->atom->name}};
    if (home && type_is_named(home, "Ident")) // Ident::A
        return (Value){.kind = VALUE_IDENT, .ident = {NULL, decl->name}};
    return self ? number_limit(self, decl->name) : module_constant(trace, decl);
}

static Value body_value(Trace *trace, const Body *body, const AstExpr *value)
{
    Frame *outer = trace->frame;
    trace->frame = new_frame(trace, body);
    trace->depth++;
    Value result = body->sound ? trace_expr(trace, value) : poison_value();
    trace->depth--;
    trace->frame = outer;
    return result;
}

// A constant of a program is worked out where it is first used, and kept.
Value constant_value(Trace *trace, Decl *decl, const Use *use)
{
    if (is_builtin_constant(decl))
        return library_constant(trace, decl, use->self ? type_of(use->self) : NULL);
    bool generic = signature_of(trace->lang, decl)->generic_count > 0; // one value for each
    if (decl->value && !generic)
        return *decl->value;
    if (decl->resolving) {
        diag_add(trace->lang->diags, DIAG_CONST_VALUE, decl->span,
                 "the constant `{}` contains itself", decl->name);
        return poison_value();
    }
    if (trace->depth >= trace_rules(trace)->calls)
        return poison_value();
    decl->resolving = true;
    const Body *body = infer_constant(trace->lang, decl, use->generics);
    Value value = body_value(trace, body, decl->item->constant.value);
    decl->resolving = false;
    decl->value = arena_copy(trace->lang->arena, &value, sizeof value);
    return value;
}

// What is wrong with a constant is said where it is first asked for.
Value known_constant(Trace *trace, const Use *use, Span span)
{
    int64_t reports = trace->lang->diags->count;
    Value value = constant_value(trace, use->decl, use);
    if (value.kind == VALUE_POISON && trace->run)
        return run_broken(trace, use->decl, span, reports);
    if (value.kind == VALUE_POISON)
        builder_refuse(trace->builder);
    return value;
}

// It is evaluated like a function, so it needs a program, although nobody uses that.
bool trace_constant(Lang *lang, Builder *builder, Decl *decl)
{
    Trace trace = {.lang = lang, .builder = builder, .root = decl};
    builder_open(builder, decl->name, decl->span, (MaybeInt){0});
    int64_t errors = lang->diags->error_count;
    Value value = constant_value(&trace, decl, &(Use){.kind = USE_DECL, .decl = decl});
    builder_close(builder);
    if (decl->value && lang->diags->error_count > errors) // said once, and wrong for good
        *decl->value = value = poison_value();
    return value.kind != VALUE_POISON;
}

// ---- in types

// What an expression in a type is made of.
typedef struct {
    const TypeScope *scope;
    int32_t first_expr, end_expr;
    bool is_open; // it asks a type that is not known yet: T::N
} Written;

static void look_at(void *own, AstNode node)
{
    Written *written = own;
    if (node.kind == NODE_EXPR) {
        const AstExpr *expr = node.expr;
        written->first_expr = expr->id < written->first_expr ? expr->id : written->first_expr;
        written->end_expr = expr->id >= written->end_expr ? expr->id + 1 : written->end_expr;
        bool of_type = expr->kind == AST_PATH &&
                       (expr->path.self || (expr->path.segments.count > 1 &&
                                            is_generic_or_self(written->scope, &expr->path)));
        Type *of = of_type ? type_of(prefix_type(written->scope, &expr->path)) : NULL;
        written->is_open |=
            of && (of->kind == TYPE_ERROR || of->kind == TYPE_VAR || of->kind == TYPE_PARAM);
    }
    ast_children(node, look_at, written);
}

static Type *type_of_value(Lang *lang, Value value, Type *type, Span span)
{
    value = value_strip(value);
    if (value.kind == VALUE_VARIANT && value.variant.decl->kind == DECL_VARIANT &&
        !value.variant.fields)
        return type_variant(lang, value.variant.decl, span);
    Type *result = NULL;
    if (value.kind == VALUE_BOOL)
        result = type_number(lang, value.boolean, span);
    else if (value_is_whole(value)) {
        Whole number = whole_of(value, prim_of(type));
        if (whole_fits(number, &prims[PRIM_i64])) // constants of types are held in 64 bits
            result = type_number(lang, whole_value(number, &prims[PRIM_i64]).integer, span);
    }
    if (result && (type_is_prim(type, PRIM_bool) || type_is_prim(type, PRIM_char)))
        result->decl = type_of(type)->decl;
    return result;
}

// A constant without a name, in the scope of the type that it stands in. NULL: it has no value.
static Type *evaluate(const TypeScope *scope, const AstExpr *value, const Written *written)
{
    Lang *lang = scope->lang;
    AstItem item = {.kind = ITEM_CONST,
                    .span = value->span,
                    .first_expr = written->first_expr,
                    .end_expr = written->end_expr};
    Decl decl = {.kind = DECL_CONST, .name = "_", .scope = scope->scope, .item = &item};
    const Module *crate = lang->crate; // whose body is looked at
    int64_t errors = lang->diags->error_count;
    Body *body = infer_written(scope, &decl, value);
    Builder *builder =
        builder_new(lang->arena, lang->diags, &(BuilderOptions){.machine = &machine_rngd});
    builder_open(builder, decl.name, value->span, (MaybeInt){0});
    Trace trace = {.lang = lang, .builder = builder, .root = &decl, .mode = TRACE_CONSTANT};
    Value result = body_value(&trace, body, value);
    builder_free(builder);
    lang->crate = crate;
    bool is_said = lang->diags->error_count > errors ||
                   (result.kind == VALUE_POISON && trace.flow != FLOW_STOP);
    return is_said ? type_poison(lang) : type_of_value(lang, result, body->result, value->span);
}

Type *resolve_const(const TypeScope *scope, const AstExpr *value)
{
    Lang *lang = scope->lang;
    const AstExpr *inside = value;
    while (inside->kind == AST_PAREN)
        inside = inside->inner;
    const AstBlock *block = inside->kind == AST_BLOCK ? inside->block.body : NULL;
    if (block && block->tail && !block->statements.count)
        return resolve_const(scope, block->tail);
    bool is_name =
        inside->kind == AST_PATH && !inside->path.self && inside->path.segments.count == 1;
    int32_t generic =
        is_name ? find_generic(scope->signature, inside->path.segments.items[0].name.text) : -1;
    if (generic >= 0)
        return generic_type(scope, generic, inside->span);
    bool is_int = inside->kind == AST_LITERAL && inside->literal.kind == LITERAL_INT;
    if (is_int && inside->literal.integer <= INT64_MAX)
        return type_number(lang, (int64_t)inside->literal.integer, inside->span);
    Written written = {.scope = scope, .first_expr = INT32_MAX};
    look_at(&written, ast_node_of_expr(inside));
    if (written.is_open)
        return type_poison(lang);
    lang->depth++;
    Type *type = is_int || lang->depth > MOST_DEPTH ? NULL : evaluate(scope, inside, &written);
    lang->depth--;
    if (type)
        return type;
    diag_add(lang->diags, DIAG_CONST_VALUE, value->span,
             "this is no constant that can stand in a type");
    return type_poison(lang);
}

#include "lang/infer_internal.h"

#include "base/checked.h"

#include <inttypes.h>
#include <string.h>

// ---- what fits where

Type *number_var(Infer *infer, VarClass class, Span span)
{
    Type *var = type_var(infer->lang, class, span);
    *array_push(infer->lang->arena, &infer->numbers, Type *) = var;
    return var;
}

Type *std_type(Infer *infer, const char *name, Type **args, int32_t count)
{
    Decl *decl =
        map_get(&infer->lang->std_prelude->names[SPACE_TYPE], lang_name(infer->lang, name));
    return decl ? type_named(infer->lang, decl, args, count) : type_poison(infer->lang);
}

static Type *std_type_1(Infer *infer, const char *name, Type *arg)
{
    Type **args = arena_new(infer->lang->arena, Type *, 1);
    args[0] = arg;
    return std_type(infer, name, args, 1);
}

// Two mappings that mean the same but are written differently are one type to us, not to rustc.
static void warn_renamed(Infer *infer, const Mismatch *renamed, Span span)
{
    Arena *arena = infer->lang->arena;
    Diag *diag = diag_add(infer->lang->diags, DIAG_MAPPING_SPELLING, span,
                          "`%.*s` and `%.*s` mean the same, but are different types in Rust",
                          STR_ARG(type_text(arena, renamed->left)),
                          STR_ARG(type_text(arena, renamed->right)));
    diag_help(diag, "write both in the same way");
}

// A tensor where a view of it is wanted, or the wrong kind of view.
static void help_with_view(Diag *diag, Type *wanted, Type *given)
{
    given = type_strip(given);
    if (wanted->kind != TYPE_NAMED || given->kind != TYPE_NAMED)
        return;
    const char *want = wanted->decl->name, *have = given->decl->name;
    size_t stem = strncmp(want, "DmTensor", 8) == 0    ? 8
                  : strncmp(want, "HbmTensor", 9) == 0 ? 9
                                                       : 0;
    if (!stem || strncmp(want, have, stem) != 0 || strcmp(want, have) == 0 || !want[stem])
        return;
    diag_help(diag, "take `.%s()` of the tensor",
              strcmp(want + stem, "ViewMut") == 0 ? "view_mut" : "view");
}

static void report_mismatch(Infer *infer, Type *expected, Type *actual, const Mismatch *why,
                            Span span)
{
    Arena *arena = infer->lang->arena;
    Type *left = type_of(why->left), *right = type_of(why->right);
    Str wanted = type_text(arena, expected), found = type_text(arena, actual);
    bool inside = why->param && left != type_of(expected);
    Diag *diag = inside
                     ? diag_add(infer->lang->diags, DIAG_TYPE_MISMATCH, span,
                                "the %s of this %s is `%.*s`, where `%.*s` is expected",
                                strcmp(why->param, "D") == 0 ? "element type" : why->param,
                                type_head_name(type_strip(actual)),
                                STR_ARG(type_text(arena, right)), STR_ARG(type_text(arena, left)))
                     : diag_add(infer->lang->diags, DIAG_TYPE_MISMATCH, span,
                                "expected `%.*s`, found `%.*s`", STR_ARG(wanted), STR_ARG(found));
    if (left->kind == TYPE_MAPPING && right->kind == TYPE_MAPPING)
        diag_note(diag, SPAN_NOWHERE,
                  "the mappings `%.*s` (%" PRId64 " positions) and `%.*s` (%" PRId64
                  " positions) are not the same",
                  STR_ARG(expr_text(arena, left->expr)), left->expr->size,
                  STR_ARG(expr_text(arena, right->expr)), right->expr->size);
    if (inside && left->span.source >= 0)
        diag_note(diag, left->span, "expected here");
    bool int_for_float = right->kind == TYPE_VAR && right->class == VAR_INT &&
                         left->kind == TYPE_NAMED && left->decl->kind == DECL_PRIM &&
                         prims[left->decl->prim].class == PRIM_FLOAT;
    if (int_for_float)
        diag_help(diag, "write a float literal, such as `1.0`");
    if (left->kind == TYPE_REF && right->kind == TYPE_REF && left->is_mut && !right->is_mut)
        diag_help(diag, "write `&mut`");
    help_with_view(diag, left, right);
    if (left->kind == TYPE_REF && right->kind != TYPE_REF &&
        type_could_unify(infer->lang, left->args[0], right))
        diag_help(diag, "pass a reference: put `&%s` before it", left->is_mut ? "mut " : "");
}

// References lose what the other side does not have: &&T where &T is wanted, &[T; n] where &[T] is.
static Type *adjust(Infer *infer, Type *expected, Type *actual)
{
    expected = type_of(expected);
    actual = type_of(actual);
    if (expected->kind != TYPE_REF || actual->kind != TYPE_REF)
        return actual;
    Type *wanted = type_of(expected->args[0]), *given = type_of(actual->args[0]);
    while (given->kind == TYPE_REF && wanted->kind != TYPE_REF && wanted->kind != TYPE_VAR)
        given = type_of(given->args[0]);
    bool list = given->kind == TYPE_ARRAY || type_is_named(given, "Vec");
    if (wanted->kind == TYPE_SLICE && list)
        given = type_slice(infer->lang, given->args[0]);
    if (type_is_prim(wanted, PRIM_str) && type_is_named(given, "String"))
        given = wanted;
    return type_ref(infer->lang, given,
                    actual->is_mut || !expected->is_mut ? expected->is_mut : actual->is_mut);
}

bool coerce(Infer *infer, Type *expected, Type *actual, Span span)
{
    Mismatch why = {0}, renamed = {0};
    Type *adjusted = adjust(infer, expected, actual);
    if (!type_unify(infer->lang, expected, adjusted, &why, &renamed)) {
        report_mismatch(infer, expected, actual, &why, span);
        return false;
    }
    if (renamed.left)
        warn_renamed(infer, &renamed, span);
    return true;
}

Type *check_expr(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type = infer_expr(infer, expr, expected);
    return coerce(infer, expected, type, expr->span) ? expected : type_poison(infer->lang);
}

// ---- literals and names

static Type *suffix_type(Infer *infer, const AstExpr *expr)
{
    for (Prim prim = 0; prim < PRIM_COUNT; prim++)
        if (strcmp(prims[prim].name, expr->literal.suffix) == 0)
            return type_prim(infer->lang, prim);
    return type_poison(infer->lang);
}

static Type *infer_literal(Infer *infer, const AstExpr *expr)
{
    Lang *lang = infer->lang;
    switch (expr->literal.kind) {
    case LITERAL_INT:
        *array_push(lang->arena, &infer->literals, const AstExpr *) = expr;
        return expr->literal.suffix ? suffix_type(infer, expr)
                                    : number_var(infer, VAR_INT, expr->span);
    case LITERAL_FLOAT:
        return expr->literal.suffix ? suffix_type(infer, expr)
                                    : number_var(infer, VAR_FLOAT, expr->span);
    case LITERAL_BOOL:
        return type_prim(lang, PRIM_bool);
    case LITERAL_STRING:
        return type_ref(lang, type_prim(lang, PRIM_str), false);
    case LITERAL_BYTES:
        return type_ref(lang,
                        type_array(lang, type_prim(lang, PRIM_u8),
                                   type_number(lang, expr->literal.text.len, expr->span)),
                        false);
    case LITERAL_CHAR:
        return type_prim(lang, PRIM_char);
    case LITERAL_BYTE:
        return type_prim(lang, PRIM_u8);
    }
    return type_poison(lang);
}

// ---- operators

// - is for numbers, ! for whole numbers and bool.
static void check_unary(Infer *infer, const AstExpr *expr, Type *type)
{
    bool negates = expr->unary.op == UNARY_NEGATE;
    bool fits = type->kind == TYPE_ERROR || type->kind == TYPE_NEVER;
    if (type->kind == TYPE_VAR)
        fits = negates || type->class != VAR_FLOAT;
    if (type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM) {
        PrimClass class = prims[type->decl->prim].class;
        fits = negates ? class != PRIM_OTHER && class != PRIM_UINT
                       : class == PRIM_INT || class == PRIM_UINT || type->decl->prim == PRIM_bool;
    }
    if (type->kind == TYPE_NAMED && !type->decl->is_builtin)
        fits = true; // may have an operator of its own
    if (!fits)
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span, "`%c` does not take `%.*s`",
                 negates ? '-' : '!', STR_ARG(type_text(infer->lang->arena, type)));
}

static Type *infer_unary(Infer *infer, const AstExpr *expr, Type *expected)
{
    const AstExpr *inner = expr->unary.inner;
    Type *hint = expected ? type_of(expected) : NULL;
    switch (expr->unary.op) {
    case UNARY_REF:
    case UNARY_REF_MUT:
        hint = hint && hint->kind == TYPE_REF ? hint->args[0] : NULL;
        hint = infer_expr(infer, inner, hint);
        if (expr->unary.op == UNARY_REF_MUT)
            check_mutable(infer, inner, "borrowed as `&mut`");
        return type_ref(infer->lang, hint, expr->unary.op == UNARY_REF_MUT);
    case UNARY_DEREF: {
        Type *type = type_of(infer_expr(infer, inner, NULL));
        // a guard derefs to what it guards; the two are one type here
        bool holds =
            type_is_named(type, "Box") || type_is_named(type, "Rc") || type_is_named(type, "Arc");
        return type->kind == TYPE_REF || holds ? type->args[0] : type;
    }
    case UNARY_NEGATE:
    case UNARY_NOT: {
        if (expr->unary.op == UNARY_NEGATE && inner->kind == AST_LITERAL)
            map_put(&infer->negated, inner, infer);
        Type *type = infer_expr(infer, inner, expected);
        check_unary(infer, expr, type_strip(type));
        return type_strip(type)->kind == TYPE_NAMED ? type_strip(type) : type;
    }
    }
    return type_poison(infer->lang);
}

static bool is_comparison(AstBinaryOp op)
{
    return op >= BINARY_EQ && op <= BINARY_GE;
}

static bool is_tensor(Type *type)
{
    type = type_strip(type);
    return type->kind == TYPE_NAMED && type->decl->is_builtin && type->arg_count &&
           strstr(type->decl->name, "Tensor");
}

static void report_operands(Infer *infer, const AstExpr *expr, Type *left, Type *right)
{
    Arena *arena = infer->lang->arena;
    Diag *diag = diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->binary.op_span,
                          "this operator does not take `%.*s` and `%.*s`",
                          STR_ARG(type_text(arena, left)), STR_ARG(type_text(arena, right)));
    if (is_tensor(left) || is_tensor(right))
        diag_help(diag, "what happens to tensors is written as a pass, from `begin` to `commit`");
    else
        diag_help(diag, "convert one side with `as`");
}

static bool is_text(Type *type)
{
    return type_is_named(type, "String") || type_is_prim(type, PRIM_str);
}

// String + &str
static bool is_text_sum(Type *a, Type *b)
{
    return type_is_named(a, "String") && is_text(b);
}

static bool is_list(Type *type)
{
    return type->kind == TYPE_ARRAY || type->kind == TYPE_SLICE || type_is_named(type, "Vec") ||
           type_is_named(type, "VecDeque");
}

// Texts of different kinds are compared, and lists of the same items.
static bool comparable(Infer *infer, Type *a, Type *b)
{
    if (is_text(a) && is_text(b))
        return true;
    if (!is_list(a) || !is_list(b) || a->kind == b->kind)
        return false;
    Type *left = type_strip(a->args[0]), *right = type_strip(b->args[0]);
    return comparable(infer, left, right) || type_unify(infer->lang, left, right, NULL, NULL);
}

static Type *infer_binary(Infer *infer, const AstExpr *expr, Type *expected)
{
    Lang *lang = infer->lang;
    AstBinaryOp op = expr->binary.op;
    bool compares = is_comparison(op), logical = op == BINARY_LAND || op == BINARY_LOR;
    Type *boolean = type_prim(lang, PRIM_bool);
    if (logical) {
        check_expr(infer, expr->binary.left, boolean);
        check_expr(infer, expr->binary.right, boolean);
        return boolean;
    }
    Type *left = infer_expr(infer, expr->binary.left, compares ? NULL : expected);
    bool shift = op == BINARY_SHL || op == BINARY_SHR;
    Type *right = infer_expr(infer, expr->binary.right, shift ? NULL : left);
    Type *a = type_strip(left), *b = type_strip(right);
    if (is_tensor(a)) {
        report_operands(infer, expr, left, right);
        return type_poison(lang);
    }
    bool mixed = compares ? comparable(infer, a, b) : op == BINARY_ADD && is_text_sum(a, b);
    if (!shift && !mixed && !type_unify(lang, a, b, NULL, NULL)) {
        report_operands(infer, expr, left, right);
        return compares ? boolean : type_poison(lang);
    }
    return compares ? boolean : a;
}

static Type *infer_assign(Infer *infer, const AstExpr *expr)
{
    Type *left = infer_expr(infer, expr->binary.left, NULL);
    check_assignable(infer, expr->binary.left);
    if (expr->binary.compound) {
        Type *right = infer_expr(infer, expr->binary.right, left);
        bool shift = expr->binary.op == BINARY_SHL || expr->binary.op == BINARY_SHR;
        bool text =
            expr->binary.op == BINARY_ADD && is_text_sum(type_strip(left), type_strip(right));
        if (!shift && !text &&
            !type_unify(infer->lang, type_strip(left), type_strip(right), NULL, NULL))
            report_operands(infer, expr, left, right);
    } else {
        check_expr(infer, expr->binary.right, left);
    }
    return type_unit(infer->lang);
}

static Type *infer_range(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *hint = expected ? type_of(expected) : NULL;
    Type *item = hint && hint->kind == TYPE_NAMED && hint->arg_count == 1 ? hint->args[0] : NULL;
    Type *low = expr->range.low ? infer_expr(infer, expr->range.low, item) : NULL;
    Type *high = expr->range.high ? infer_expr(infer, expr->range.high, low) : NULL;
    if (low && high)
        coerce(infer, low, high, expr->span);
    Type *of = low ? low : high ? high : type_prim(infer->lang, PRIM_usize);
    const char *name = !low                    ? high ? "RangeTo" : "RangeFull"
                       : !high                 ? "RangeFrom"
                       : expr->range.inclusive ? "RangeInclusive"
                                               : "Range";
    return std_type_1(infer, name, of);
}

// ---- compounds

static Type *infer_tuple_expr(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *hint = expected ? type_of(expected) : NULL;
    int32_t count = (int32_t)expr->items.count;
    bool fits = hint && hint->kind == TYPE_TUPLE && hint->arg_count == count;
    Type **items = arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, count));
    for (int32_t i = 0; i < count; i++)
        items[i] = infer_expr(infer, expr->items.items[i], fits ? hint->args[i] : NULL);
    return type_tuple(infer->lang, items, count);
}

static Type *element_hint(Type *expected)
{
    Type *hint = expected ? type_of(expected) : NULL;
    bool list = hint && (hint->kind == TYPE_ARRAY || hint->kind == TYPE_SLICE ||
                         type_is_named(hint, "Vec"));
    return list ? hint->args[0] : NULL;
}

static Type *infer_elements(Infer *infer, const AstExprs *items, Type *hint, Span span)
{
    Type *item = hint ? hint : type_var(infer->lang, VAR_ANY, span);
    for (int64_t i = 0; i < items->count; i++)
        check_expr(infer, items->items[i], item);
    return item;
}

static Type *infer_array(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *item = infer_elements(infer, &expr->items, element_hint(expected), expr->span);
    return type_array(infer->lang, item, type_number(infer->lang, expr->items.count, expr->span));
}

static Type *infer_repeat(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *hint = element_hint(expected);
    Type *item = infer_expr(infer, expr->repeat.value, hint);
    check_expr(infer, expr->repeat.count, type_prim(infer->lang, PRIM_usize));
    return type_array(infer->lang, item, resolve_const(&infer->types, expr->repeat.count));
}

static void report_field(Infer *infer, const AstExpr *expr, Type *type)
{
    if (type->kind == TYPE_ERROR)
        return;
    Diag *diag = diag_add(infer->lang->diags, DIAG_FIELD_UNKNOWN, expr->field.name.span,
                          "`%s` has no field `%s`", type_head_name(type), expr->field.name.text);
    Type *self;
    if (find_member(infer->lang, type, expr->field.name.text, &self)) {
        diag_help(diag, "`%s` is a method: call it with `()`", expr->field.name.text);
        return;
    }
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_STRUCT)
        return;
    const AstFields *fields = &type->decl->item->structure.fields;
    StrBuf names = {.arena = infer->lang->arena};
    for (int64_t i = 0; i < fields->count; i++)
        buf_printf(&names, "%s`%s`", i ? ", " : "", fields->items[i].name.text);
    if (fields->count)
        diag_help(diag, "its fields are %.*s", STR_ARG(buf_str(&names)));
}

static Type *infer_field(Infer *infer, const AstExpr *expr)
{
    Type *type = type_strip(infer_expr(infer, expr->field.inner, NULL));
    const char *name = expr->field.name.text;
    int64_t index;
    if (type->kind == TYPE_TUPLE && str_to_i64(str_from(name), &index) && index < type->arg_count)
        return type->args[index];
    Type *field = field_type(infer->lang, type, name);
    if (field)
        return field;
    report_field(infer, expr, type);
    return type_poison(infer->lang);
}

static bool is_range(Type *type)
{
    type = type_of(type);
    return type->kind == TYPE_NAMED && type->decl->is_builtin &&
           strncmp(type->decl->name, "Range", 5) == 0;
}

static Type *infer_index(Infer *infer, const AstExpr *expr)
{
    Type *list = type_strip(infer_expr(infer, expr->index.inner, NULL));
    while (type_is_named(list, "Box") || type_is_named(list, "Rc") || type_is_named(list, "Arc"))
        list = type_strip(list->args[0]);
    Type *index = type_of(infer_expr(infer, expr->index.index, NULL));
    bool known = list->kind == TYPE_ARRAY || list->kind == TYPE_SLICE ||
                 type_is_named(list, "Vec") || type_is_named(list, "VecDeque");
    if (is_range(index)) {
        if (index->arg_count)
            type_unify(infer->lang, index->args[0], type_prim(infer->lang, PRIM_usize), NULL, NULL);
        return known           ? type_slice(infer->lang, list->args[0])
               : is_text(list) ? type_prim(infer->lang, PRIM_str)
                               : list;
    }
    bool map = type_is_named(list, "HashMap") || type_is_named(list, "BTreeMap");
    if (map) {
        Type *key = type_strip(index), *wanted = type_strip(list->args[0]);
        if (!comparable(infer, wanted, key))
            coerce(infer, wanted, key, expr->index.index->span);
        return list->args[1];
    }
    coerce(infer, type_prim(infer->lang, PRIM_usize), index, expr->index.index->span);
    if (known)
        return list->args[0];
    if (list->kind != TYPE_ERROR)
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span, "%s cannot be indexed",
                 type_head_name(list));
    return type_poison(infer->lang);
}

// ---- control flow

static void infer_condition(Infer *infer, const AstExpr *condition)
{
    if (condition->kind == AST_LET) {
        Type *type = infer_expr(infer, condition->loop.inner, NULL);
        infer_pattern(infer, condition->loop.pattern, type);
        infer->body->types[condition->id - infer->body->first_expr] =
            type_prim(infer->lang, PRIM_bool);
        return;
    }
    if (condition->kind == AST_BINARY && condition->binary.op == BINARY_LAND) {
        infer_condition(infer, condition->binary.left);
        infer_condition(infer, condition->binary.right);
        infer->body->types[condition->id - infer->body->first_expr] =
            type_prim(infer->lang, PRIM_bool);
        return;
    }
    check_expr(infer, condition, type_prim(infer->lang, PRIM_bool));
}

// The type of two ways to go: that of the one that comes back.
static Type *join(Infer *infer, Type *first, Type *second, Span span)
{
    if (type_of(first)->kind == TYPE_NEVER)
        return second;
    coerce(infer, first, second, span);
    return first;
}

static Type *infer_if(Infer *infer, const AstExpr *expr, Type *expected)
{
    int64_t locals = infer->locals.count;
    infer_condition(infer, expr->branch.condition);
    Type *then = infer_block(infer, expr->branch.then, expected);
    infer->locals.count = locals;
    if (!expr->branch.otherwise) {
        if (type_of(then)->kind != TYPE_NEVER)
            coerce(infer, type_unit(infer->lang), then, expr->branch.then->span);
        return type_unit(infer->lang);
    }
    return join(infer, then, infer_expr(infer, expr->branch.otherwise, expected),
                expr->branch.otherwise->span);
}

static Type *infer_match(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *value = infer_expr(infer, expr->match.inner, NULL), *result = type_never(infer->lang);
    for (int64_t i = 0; i < expr->match.arms.count; i++) {
        const AstArm *arm = &expr->match.arms.items[i];
        int64_t locals = infer->locals.count;
        infer_pattern(infer, arm->pattern, value);
        if (arm->guard)
            infer_condition(infer, arm->guard);
        result = join(infer, result, infer_expr(infer, arm->body, expected), arm->body->span);
        infer->locals.count = locals;
    }
    return result;
}

static Type *pair_type(Infer *infer, Type *first, Type *second)
{
    Type **items = arena_new(infer->lang->arena, Type *, 2);
    items[0] = first;
    items[1] = second;
    return type_tuple(infer->lang, items, 2);
}

// A type of the program with a `next` or `into_iter` of its own.
static Type *user_iterated(Infer *infer, Type *type)
{
    Type *self, *result;
    if (type->kind != TYPE_NAMED || type->decl->is_builtin)
        return NULL;
    const Decl *next = find_member(infer->lang, type, lang_name(infer->lang, "next"), &self);
    bool steps = next && next->kind == DECL_FN && !next->is_builtin;
    const Decl *into =
        steps ? NULL : find_member(infer->lang, type, lang_name(infer->lang, "into_iter"), &self);
    const Decl *decl = steps ? next : into;
    if (!decl || decl->kind != DECL_FN || decl->is_builtin)
        return NULL;
    const Signature *signature = signature_of(infer->lang, decl);
    Type **generics =
        arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = 0; i < signature->generic_count; i++)
        generics[i] = type_var(infer->lang, VAR_ANY, SPAN_NOWHERE);
    if (signature->self)
        type_unify(infer->lang, type_instantiate(infer->lang, signature->self, generics), type,
                   NULL, NULL);
    result = type_of(type_instantiate(infer->lang, signature->result, generics));
    if (!steps)
        return iterated_type(infer, result);
    return type_is_named(result, "Option") ? result->args[0] : NULL;
}

Type *iterated_type(Infer *infer, Type *type)
{
    static const char *const lists[] = {"Vec",      "ArrayVec", "VecDeque", "HashSet",
                                        "BTreeSet", "Option",   "Result"};
    type = type_of(type);
    bool is_ref = type->kind == TYPE_REF, is_mut = is_ref && type->is_mut;
    Type *list = type_strip(type);
    if (type_is_named(list, "Box") && list->arg_count)
        list = type_strip(list->args[0]);
    bool borrowed = list->kind == TYPE_ARRAY || list->kind == TYPE_SLICE;
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        borrowed |= type_is_named(list, lists[i]);
    if (borrowed)
        return is_ref ? type_ref(infer->lang, list->args[0], is_mut) : list->args[0];
    if (type_is_named(list, "HashMap") || type_is_named(list, "BTreeMap"))
        return is_ref ? pair_type(infer, type_ref(infer->lang, list->args[0], false),
                                  type_ref(infer->lang, list->args[1], is_mut))
                      : pair_type(infer, list->args[0], list->args[1]);
    bool gives = is_range(list) || type_is_named(list, "Iter");
    return gives && list->arg_count ? list->args[0] : user_iterated(infer, list);
}

static void push_label(Infer *infer, const char *label, Type *type)
{
    if (label)
        *array_push(infer->lang->arena, &infer->labels, Labelled) = (Labelled){label, type};
}

static Type *break_type_of(const Infer *infer, const char *label)
{
    for (int64_t i = infer->labels.count - 1; label && i >= 0; i--)
        if (infer->labels.items[i].label == label)
            return infer->labels.items[i].type;
    return infer->break_type;
}

static Type *infer_for(Infer *infer, const AstExpr *expr)
{
    int64_t locals = infer->locals.count;
    Type *over = infer_expr(infer, expr->loop.inner, NULL);
    Type *item = iterated_type(infer, over);
    if (!item && type_of(over)->kind != TYPE_ERROR)
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->loop.inner->span,
                 "%s cannot be looped over", type_head_name(over));
    infer_pattern(infer, expr->loop.pattern, item ? item : type_poison(infer->lang));
    Type *outer = infer->break_type;
    infer->break_type = type_unit(infer->lang);
    push_label(infer, expr->loop.label, infer->break_type);
    infer_block(infer, expr->loop.body, NULL);
    infer->labels.count -= expr->loop.label != NULL;
    infer->break_type = outer;
    infer->locals.count = locals;
    return type_unit(infer->lang);
}

static Type *infer_while(Infer *infer, const AstExpr *expr)
{
    int64_t locals = infer->locals.count;
    infer_condition(infer, expr->loop.inner);
    Type *outer = infer->break_type;
    infer->break_type = type_unit(infer->lang);
    push_label(infer, expr->loop.label, infer->break_type);
    infer_block(infer, expr->loop.body, NULL);
    infer->labels.count -= expr->loop.label != NULL;
    infer->break_type = outer;
    infer->locals.count = locals;
    return type_unit(infer->lang);
}

static Type *infer_loop(Infer *infer, const AstExpr *expr)
{
    Type *outer = infer->break_type;
    Type *result = infer->break_type = type_var(infer->lang, VAR_ANY, expr->span);
    push_label(infer, expr->loop.label, result);
    infer_block(infer, expr->loop.body, NULL);
    infer->labels.count -= expr->loop.label != NULL;
    infer->break_type = outer;
    bool endless = type_of(result)->kind == TYPE_VAR && type_of(result)->class == VAR_ANY;
    return endless ? type_never(infer->lang) : result;
}

static Type *infer_break(Infer *infer, const AstExpr *expr)
{
    if (!infer->break_type && !expr->jump.label)
        diag_add(infer->lang->diags, DIAG_SYNTAX, expr->span, "`%s` stands outside of any loop",
                 expr->kind == AST_BREAK ? "break" : "continue");
    Type *type = break_type_of(infer, expr->jump.label);
    if (expr->kind == AST_BREAK && expr->jump.inner && type)
        check_expr(infer, expr->jump.inner, type);
    else if (expr->kind == AST_BREAK && type)
        type_unify(infer->lang, type, type_unit(infer->lang), NULL, NULL);
    return type_never(infer->lang);
}

static Type *infer_return(Infer *infer, const AstExpr *expr)
{
    if (expr->inner)
        check_expr(infer, expr->inner, infer->result);
    else
        coerce(infer, infer->result, type_unit(infer->lang), expr->span);
    return type_never(infer->lang);
}

static Type *infer_try(Infer *infer, const AstExpr *expr)
{
    Type *type = type_of(infer_expr(infer, expr->inner, NULL));
    bool known = type_is_named(type, "Option") || type_is_named(type, "Result");
    if (!known && type->kind != TYPE_ERROR)
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span,
                 "`?` takes an Option or a Result, not %s", type_head_name(type));
    return known ? type->args[0] : type_poison(infer->lang);
}

// Parameters may be said, or come from where the closure is passed to.
static Type *infer_closure(Infer *infer, const AstExpr *expr, Type *expected)
{
    Lang *lang = infer->lang;
    Type *hint = expected ? type_of(expected) : NULL;
    int32_t count = (int32_t)expr->closure.params.count;
    bool fits = hint && hint->kind == TYPE_FN && hint->arg_count == count + 1;
    Type **args = arena_new(lang->arena, Type *, (size_t)count + 1);
    int64_t locals = infer->locals.count;
    for (int32_t i = 0; i < count; i++) {
        const AstParam *param = &expr->closure.params.items[i];
        args[i] = param->type ? resolve_type(&infer->types, param->type)
                  : fits      ? hint->args[i]
                              : type_var(lang, VAR_ANY, param->pattern->span);
        infer_pattern(infer, param->pattern, args[i]);
    }
    Type *outer = infer->result, *loop = infer->break_type;
    infer->break_type = NULL;
    args[count] = expr->closure.result ? resolve_type(&infer->types, expr->closure.result)
                  : fits               ? hint->args[count]
                                       : type_var(lang, VAR_ANY, expr->span);
    infer->result = args[count];
    check_expr(infer, expr->closure.body, args[count]);
    infer->result = outer;
    infer->break_type = loop;
    infer->locals.count = locals;
    Type *type = arena_new(lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_CLOSURE,
                   .span = expr->span,
                   .args = args,
                   .arg_count = count + 1,
                   .closure = expr};
    return type;
}

static Type *infer_cast(Infer *infer, const AstExpr *expr)
{
    Type *from = type_strip(infer_expr(infer, expr->cast.inner, NULL));
    Type *to = resolve_type(&infer->types, expr->cast.type);
    bool named =
        from->kind == TYPE_NAMED && from->decl->kind != DECL_PRIM && from->decl->kind != DECL_ENUM;
    if (named || from->kind == TYPE_TUPLE)
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span,
                 "`as` converts numbers, not `%s`", type_head_name(from));
    return to;
}

static Type *infer_indices(Infer *infer, const AstExpr *expr)
{
    for (int64_t i = 0; i < expr->indices.values.count; i++) {
        resolve_mapping(&infer->types, expr->indices.keys.items[i]);
        check_expr(infer, expr->indices.values.items[i], type_prim(infer->lang, PRIM_usize));
    }
    Decl *decl = module_lookup(infer->lang, infer->lang->prelude, lang_name(infer->lang, "Index"),
                               SPACE_TYPE);
    return type_named(infer->lang, decl, NULL, 0);
}

// ---- all of them

static Type *infer_kind(Infer *infer, const AstExpr *expr, Type *expected)
{
    switch (expr->kind) {
    case AST_LITERAL:
        return infer_literal(infer, expr);
    case AST_PATH:
        return infer_path(infer, expr, expected);
    case AST_UNARY:
        return infer_unary(infer, expr, expected);
    case AST_BINARY:
        return infer_binary(infer, expr, expected);
    case AST_ASSIGN:
        return infer_assign(infer, expr);
    case AST_CAST:
        return infer_cast(infer, expr);
    case AST_CALL:
        return infer_call(infer, expr, expected);
    case AST_METHOD:
        return infer_method(infer, expr, expected);
    case AST_FIELD:
        return infer_field(infer, expr);
    case AST_INDEX:
        return infer_index(infer, expr);
    case AST_RANGE:
        return infer_range(infer, expr, expected);
    case AST_TUPLE:
        return infer_tuple_expr(infer, expr, expected);
    case AST_ARRAY:
        return infer_array(infer, expr, expected);
    case AST_REPEAT:
        return infer_repeat(infer, expr, expected);
    case AST_PAREN:
    case AST_AWAIT: // a call of an async function has its result here
        return infer_expr(infer, expr->inner, expected);
    case AST_BLOCK: {
        infer->unsafe_depth += expr->block.is_unsafe;
        Type *type = expr->block.label ? type_var(infer->lang, VAR_ANY, expr->span) : NULL;
        push_label(infer, expr->block.label, type);
        Type *tail = infer_block(infer, expr->block.body, expected);
        infer->labels.count -= expr->block.label != NULL;
        infer->unsafe_depth -= expr->block.is_unsafe;
        return type && type_of(type)->kind != TYPE_VAR ? join(infer, type, tail, expr->span) : tail;
    }
    case AST_IF:
        return infer_if(infer, expr, expected);
    case AST_LET:
        infer_condition(infer, expr);
        return type_prim(infer->lang, PRIM_bool);
    case AST_MATCH:
        return infer_match(infer, expr, expected);
    case AST_WHILE:
        return infer_while(infer, expr);
    case AST_LOOP:
        return infer_loop(infer, expr);
    case AST_FOR:
        return infer_for(infer, expr);
    case AST_CLOSURE:
        return infer_closure(infer, expr, expected);
    case AST_STRUCT:
        return infer_struct(infer, expr, expected);
    case AST_RETURN:
        return infer_return(infer, expr);
    case AST_BREAK:
        return infer_break(infer, expr);
    case AST_CONTINUE:
        return infer_break(infer, expr);
    case AST_TRY:
        return infer_try(infer, expr);
    case AST_MACRO:
        return infer_macro(infer, expr, expected);
    case AST_INDEX_MACRO:
        return infer_indices(infer, expr);
    case AST_ERROR:
        break;
    }
    return type_poison(infer->lang);
}

Type *infer_expr(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type = type_poison(infer->lang);
    if (infer->depth++ < INFER_DEPTH)
        type = infer_kind(infer, expr, expected);
    else if (!infer->too_deep && (infer->too_deep = true))
        diag_add(infer->lang->diags, DIAG_EXPRESSION_DEPTH, expr->span,
                 "expressions are nested more than %d deep here", INFER_DEPTH);
    infer->depth--;
    infer->body->types[expr->id - infer->body->first_expr] = type;
    return type;
}

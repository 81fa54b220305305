#include "base/checked.h"
#include "lang/syntax/format_text.h"
#include "lang/types/infer_internal.h"

#include <string.h>

// ---- what fits where

static Type *number_var(Infer *infer, VarClass class, Span span)
{
    Type *var = type_var(infer->lang, class, span);
    *array_push(infer->lang->arena, &infer->numbers, Type *) = var;
    return var;
}

Type *std_type(Infer *infer, const char *name, Type **args, int32_t count)
{
    Decl *decl = decl_in(infer->lang, &infer->lang->std_prelude->names[SPACE_TYPE],
                         lang_name(infer->lang, name));
    return decl ? type_named(infer->lang, decl, args, count) : type_poison(infer->lang);
}

static Type *std_type_1(Infer *infer, const char *name, Type *arg)
{
    Type **args = arena_new(infer->lang->arena, Type *, 1);
    args[0] = arg;
    return std_type(infer, name, args, 1);
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

// Nothing says what it can do: it can be passed on, not added.
static bool is_bare_generic(Infer *infer, Type *type)
{
    return infer->rigid && type->kind == TYPE_PARAM && !may_do(infer, type);
}

// - is for numbers, ! for whole numbers and bool.
static bool check_unary(Infer *infer, const AstExpr *expr, Type *type)
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
    fits |= may_do(infer, type);
    if (!fits)
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span, "`{c}` does not take `{}`",
                 negates ? '-' : '!', type_text(infer->lang->arena, type));
    return fits;
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
        if (expr->unary.op == UNARY_REF_MUT) {
            check_mutable(infer, inner, "borrowed as `&mut`");
            change_place(infer, inner);
        }
        return type_ref(infer->lang, hint, expr->unary.op == UNARY_REF_MUT);
    case UNARY_DEREF: {
        Type *type = type_of(infer_expr(infer, inner, NULL));
        Type *target = own_deref(infer, expr, type);
        if (target)
            return target;
        // a guard derefs to what it guards; the two are one type here
        return type->kind == TYPE_REF || type_is_pointer(type) ? type->args[0] : type;
    }
    case UNARY_NEGATE:
    case UNARY_NOT: {
        if (expr->unary.op == UNARY_NEGATE && inner->kind == AST_LITERAL)
            map_put(&infer->negated, inner, infer);
        Type *type = infer_expr(infer, inner, expected);
        Type *own = own_unary(infer, expr, type);
        if (own)
            return own;
        if (!check_unary(infer, expr, type_strip(type)))
            map_remove(&infer->negated, inner); // that is said
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

static bool is_number(Type *type)
{
    type = type_of(type);
    return type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM &&
           prims[type->decl->prim].class <= PRIM_FLOAT;
}

// What binds as tightly as `as` does needs no brackets.
static void help_convert(Infer *infer, Diag *diag, const AstExpr *side, Type *type)
{
    Str text = lang_text(infer->lang, side->span);
    const char *name = type_head_name(type);
    if (!binds_tightly(side) || text.len > 60) {
        diag_help(diag, "convert one side with `as`");
        return;
    }
    diag_help(diag, "convert one side: `{} as {}`", text, name);
    diag_edit(diag, behind(side->span), " as {}", name);
}

static void report_operands(Infer *infer, const AstExpr *expr, Type *left, Type *right)
{
    Arena *arena = infer->lang->arena;
    Diag *diag =
        diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->binary.op_span,
                 "`{}` does not take `{}` and `{}`", lang_text(infer->lang, expr->binary.op_span),
                 type_text(arena, left), type_text(arena, right));
    if (help_await(diag, left, expr->binary.left->span) ||
        help_await(diag, right, expr->binary.right->span))
        return;
    if (is_tensor(left) || is_tensor(right))
        diag_help(diag, "what happens to tensors is written as a pass, from `begin` to `commit`");
    else if (is_number(left) && is_number(right))
        help_convert(infer, diag, expr->binary.right, left);
    else if (type_strip(left)->kind == TYPE_PARAM)
        diag_help(diag, "give `{}` a bound that brings the operator", type_head_name(left));
    else if (is_own_type(left))
        diag_help(diag, "write an `impl` of this operator for `{}`",
                  type_head_name(type_strip(left)));
    else if (is_number(type_strip(left)) && is_number(type_strip(right)))
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

// Texts of different kinds are compared, and lists of the same items, which they are then.
static bool comparable(Infer *infer, Type *a, Type *b)
{
    a = type_strip(a);
    b = type_strip(b);
    if (is_text(a) && is_text(b))
        return true;
    if (type_could_unify(infer->lang, a, b))
        return type_unify(infer->lang, a, b, NULL, NULL);
    bool sized = a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY;
    return is_list(a) && is_list(b) &&
           (!sized || type_could_unify(infer->lang, a->args[1], b->args[1])) &&
           comparable(infer, a->args[0], b->args[0]);
}

// What the other side of a comparison may be; NULL: of several kinds.
static Type *compared_hint(Type *left)
{
    Type *list = type_strip(left), *item = is_list(list) ? type_strip(list->args[0]) : NULL;
    return item && (is_text(item) || is_list(item)) ? NULL : left;
}

// What the result is says what the operands are only of numbers.
static Type *number_hint(Type *expected)
{
    Type *hint = expected ? type_of(expected) : NULL;
    return hint && is_own_type(hint) ? NULL : expected;
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
    Type *left = infer_expr(infer, expr->binary.left, compares ? NULL : number_hint(expected));
    bool shift = op == BINARY_SHL || op == BINARY_SHR;
    bool own = is_own_type(left);
    Type *hint = shift || (own && !compares) ? NULL : compares ? compared_hint(left) : left;
    Type *right = infer_expr(infer, expr->binary.right, hint);
    Type *result = own_binary(infer, expr, left, right);
    if (result)
        return result;
    Type *a = type_strip(left), *b = type_strip(right);
    if (own && !compares) {
        report_operands(infer, expr, left, right);
        return type_poison(lang);
    }
    bool joins = op == BINARY_ADD && type_is_named(a, "String") && type_of(right)->kind == TYPE_REF;
    if (joins && (type_is_prim(b, PRIM_str) || type_is_named(b, "String")))
        return a;
    bool same = op == BINARY_EQ || op == BINARY_NE;
    if ((is_tensor(a) && !(same && type_is_named(a, "RawTensor"))) || is_bare_generic(infer, a)) {
        report_operands(infer, expr, left, right);
        return type_poison(lang);
    }
    if ((may_do(infer, a) || may_do(infer, b)) && !type_could_unify(lang, a, b))
        return compares ? boolean : type_poison(lang);
    bool mixed = compares && comparable(infer, a, b);
    if (!shift && !mixed && !type_unify(lang, a, b, NULL, NULL)) {
        report_operands(infer, expr, left, right);
        return compares ? boolean : type_poison(lang);
    }
    return compares ? boolean : a;
}

static Type *infer_assign(Infer *infer, const AstExpr *expr)
{
    infer->assigns = !expr->binary.compound;
    Type *left = infer_expr(infer, expr->binary.left, NULL);
    infer->assigns = false;
    check_assignable(infer, expr->binary.left);
    change_place(infer, expr->binary.left);
    if (expr->binary.compound) {
        bool own = is_own_type(left) && type_of(left)->kind != TYPE_REF;
        Type *right = infer_expr(infer, expr->binary.right, own ? NULL : left);
        if (own_assign(infer, expr, left, right))
            return type_unit(infer->lang);
        if (own)
            report_operands(infer, expr, left, right);
        bool shift = expr->binary.op == BINARY_SHL || expr->binary.op == BINARY_SHR;
        bool text =
            expr->binary.op == BINARY_ADD && is_text_sum(type_strip(left), type_strip(right));
        bool open = may_do(infer, left) || may_do(infer, right);
        if (!own && !shift && !open && !text &&
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
        coerce_value(infer, low, high, expr->range.high);
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

void help_fields(Diag *diag, const AstFields *fields, const AstName *name)
{
    StrBuf names = {.arena = diag->arena};
    for (int64_t i = 0; i < fields->count; i++)
        buf_format(&names, "{}`{}`", i ? ", " : "", fields->items[i].name.text);
    if (fields->count)
        diag_help(diag, "its fields are {}", buf_str(&names));
    Near near = {.name = str_from(name->text), .most = 2};
    for (int64_t i = 0; i < fields->count; i++)
        near_try(&near, str_from(fields->items[i].name.text));
    if (!near.is_shared)
        near_help(&near, diag, name->span);
}

static void report_field(Infer *infer, const AstExpr *expr, Type *type)
{
    if (type->kind == TYPE_ERROR || may_do(infer, type))
        return;
    if (type->kind == TYPE_VAR && type->class == VAR_ANY && infer->silenced)
        return;
    if (type->kind == TYPE_VAR) {
        diag_add(infer->lang->diags, DIAG_AMBIGUOUS, expr->field.inner->span,
                 "the type of this must be known before its field `{}` can be used",
                 expr->field.name.text);
        return;
    }
    Diag *diag = diag_add(infer->lang->diags, DIAG_FIELD_UNKNOWN, expr->field.name.span,
                          "`{}` has no field `{}`", type_head_name(type), expr->field.name.text);
    Type *self;
    if (help_await(diag, type, expr->field.inner->span) ||
        note_left_out(infer->lang, diag, expr->field.name.text))
        return;
    if (find_member(infer->lang, type, expr->field.name.text, &self)) {
        diag_help(diag, "`{}` is a method: call it with `()`", expr->field.name.text);
        diag_edit(diag, behind(expr->field.name.span), "()");
        return;
    }
    if (type->kind != TYPE_NAMED || type->decl->kind != DECL_STRUCT)
        return;
    help_fields(diag, &type->decl->item->structure.fields, &expr->field.name);
}

static Type *infer_field(Infer *infer, const AstExpr *expr)
{
    Type *type = type_unboxed(infer_expr(infer, expr->field.inner, NULL));
    const char *name = expr->field.name.text;
    int64_t index;
    if (type->kind == TYPE_TUPLE && str_to_i64(str_from(name), &index) && index < type->arg_count)
        return type->args[index];
    Type *field = field_type(infer->lang, type, name);
    Type *target = field || !is_own_type(type) ? NULL : type_deref(infer->lang, type);
    if (target && (field = field_type(infer->lang, target, name)))
        adjust_receiver(infer, expr->field.inner, type, target);
    if (field) {
        check_field_seen(infer, (target ? type_strip(target) : type)->decl, &expr->field.name);
        return field;
    }
    report_field(infer, expr, type);
    return type_poison(infer->lang);
}

static bool is_range(Type *type)
{
    type = type_of(type);
    return type->kind == TYPE_NAMED && type->decl->is_builtin &&
           strncmp(type->decl->name, "Range", 5) == 0;
}

// An array of any number of dimensions takes a list of numbers, or an IxDyn.
static Type *infer_array_index(Infer *infer, const AstExpr *expr, Type *array, Type *index)
{
    Type *at = type_strip(index), *usize = type_prim(infer->lang, PRIM_usize);
    bool list = at->kind == TYPE_ARRAY || at->kind == TYPE_SLICE;
    const AstExpr *value = !list && at == type_of(index) ? expr->index.index : NULL;
    if (!type_is_named(at, "IxDyn"))
        misfit(infer, usize, list ? at->args[0] : at, expr->index.index->span, value);
    return array->args[0];
}

static Type *infer_index(Infer *infer, const AstExpr *expr)
{
    Type *list = type_unboxed(infer_expr(infer, expr->index.inner, NULL));
    Type *index = type_of(infer_expr(infer, expr->index.index, NULL));
    Type *own = own_index(infer, expr, list, index);
    if (own)
        return own;
    Type *target = is_own_type(list) ? type_deref(infer->lang, list) : NULL;
    if (target) {
        adjust_receiver(infer, expr->index.inner, list, target);
        list = type_strip(target);
    }
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
    if (may_do(infer, list))
        return type_poison(infer->lang);
    if (type_is_named(list, "ArrayD"))
        return infer_array_index(infer, expr, list, index);
    coerce_value(infer, type_prim(infer->lang, PRIM_usize), index, expr->index.index);
    if (type_is_named(list, "IxDyn")) // an index into an array of any number of dimensions
        return type_prim(infer->lang, PRIM_usize);
    if (known)
        return list->args[0];
    if (list->kind != TYPE_ERROR)
        help_await(diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span,
                            "{} cannot be indexed", type_head_name(list)),
                   list, expr->index.inner->span);
    return type_poison(infer->lang);
}

static Type *infer_cast(Infer *infer, const AstExpr *expr)
{
    Type *from = infer_expr(infer, expr->cast.inner, NULL);
    Type *to = resolve_type(&infer->types, expr->cast.type);
    *array_push(infer->lang->arena, &infer->casts, const AstExpr *) = expr;
    keep_dyn(infer, expr->cast.inner, to, from);
    return to;
}

static Type *infer_indices(Infer *infer, const AstExpr *expr)
{
    for (int64_t i = 0; i < expr->indices.values.count; i++) {
        map_put(&infer->body->mappings, expr->indices.keys.items[i],
                resolve_mapping(&infer->types, expr->indices.keys.items[i]));
        check_expr(infer, expr->indices.values.items[i], type_prim(infer->lang, PRIM_usize));
    }
    Decl *decl = module_lookup(infer->lang, infer->lang->prelude, lang_name(infer->lang, "Index"),
                               SPACE_TYPE);
    return type_named(infer->lang, decl, NULL, 0);
}

// ---- all of them

// ---- macros

// Macro calls: what their arguments are, and what they give.

typedef enum {
    MACRO_UNIT,
    MACRO_NEVER,
    MACRO_STRING,
    MACRO_BOOL,
    MACRO_FIRST,
    MACRO_BYTES,
    MACRO_RESULT,
    MACRO_NUMBER
} MacroResult;

static const struct {
    const char *name;
    MacroResult result;
} macros[] = {
    {"println", MACRO_UNIT},
    {"eprintln", MACRO_UNIT},
    {"print", MACRO_UNIT},
    {"eprint", MACRO_UNIT},
    {"assert", MACRO_UNIT},
    {"assert_eq", MACRO_UNIT},
    {"assert_ne", MACRO_UNIT},
    {"debug_assert", MACRO_UNIT},
    {"debug_assert_eq", MACRO_UNIT},
    {"debug_assert_ne", MACRO_UNIT},
    {"panic", MACRO_NEVER},
    {"todo", MACRO_NEVER},
    {"unimplemented", MACRO_NEVER},
    {"unreachable", MACRO_NEVER},
    {"format", MACRO_STRING},
    {"matches", MACRO_BOOL},
    {"cfg", MACRO_BOOL},
    {"dbg", MACRO_FIRST},
    {"include_bytes", MACRO_BYTES},
    {"include_str", MACRO_STRING},
    {"write", MACRO_RESULT},
    {"writeln", MACRO_RESULT},
    {"concat", MACRO_STRING},
    {"stringify", MACRO_STRING},
    {"env", MACRO_STRING},
    {"info", MACRO_UNIT},
    {"debug", MACRO_UNIT},
    {"warn", MACRO_UNIT},
    {"error", MACRO_UNIT},
    {"trace", MACRO_UNIT},
    {"format_args", MACRO_STRING},
    {"file", MACRO_STRING},
    {"module_path", MACRO_STRING},
    {"line", MACRO_NUMBER},
    {"column", MACRO_NUMBER},
};

static Type *infer_vec(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *hint = expected ? type_of(expected) : NULL;
    Type *item = hint && type_is_named(hint, "Vec") ? hint->args[0]
                                                    : type_var(infer->lang, VAR_ANY, expr->span);
    const AstExprs *args = &expr->macro.args;
    if (expr->macro.repeats) {
        check_expr(infer, args->items[0], item);
        check_expr(infer, args->items[1], type_prim(infer->lang, PRIM_usize));
    } else {
        for (int64_t i = 0; i < args->count; i++)
            check_expr(infer, args->items[i], item);
    }
    Type **types = arena_new(infer->lang->arena, Type *, 1);
    types[0] = item;
    return std_type(infer, "Vec", types, 1);
}

// assert_eq!(a, b): what is known of one side says what the other is.
static void infer_equal(Infer *infer, const AstExpr *expr)
{
    const AstExprs *args = &expr->macro.args;
    Type *left = infer_expr(infer, args->items[0], NULL);
    Type *right = infer_expr(infer, args->items[1], compared_hint(left));
    check_awaited(infer, args->items[0], left);
    check_awaited(infer, args->items[1], right);
    comparable(infer, left, right);
    own_equality(infer, expr, left, right);
    for (int64_t i = 2; i < args->count; i++)
        infer_expr(infer, args->items[i], NULL);
}

// What is wrong with a format, and arguments that it does not use.
static void check_format(Infer *infer, const AstExpr *expr)
{
    const FormatText *format = expr->macro.format;
    const AstExprs *args = &expr->macro.args;
    if (!format)
        return;
    const AstExpr *text = args->items[args->count - 1 - format->given];
    for (int64_t i = 0; i < format->problems.count; i++)
        diag_add(infer->lang->diags,
                 format->problems.items[i].of_arguments ? DIAG_FORMAT_ARGUMENTS : DIAG_FORMAT_TEXT,
                 text->span, "{}", format->problems.items[i].message);
    for (int64_t i = 0; i < format->given && !format->problems.count; i++)
        if (!format->used[i])
            diag_add(infer->lang->diags, DIAG_FORMAT_ARGUMENTS,
                     args->items[args->count - format->given + i]->span,
                     "the format does not use this argument");
}

static void infer_macro_args(Infer *infer, const AstExpr *expr)
{
    check_format(infer, expr);
    const AstExprs *args = &expr->macro.args;
    for (int64_t i = 0; i < expr->macro.captured.count; i++)
        infer_expr(infer, expr->macro.captured.items[i], NULL);
    const char *name = expr->macro.name.text;
    bool equal = strstr(name, "assert_eq") || strstr(name, "assert_ne");
    if (equal && args->count >= 2) {
        infer_equal(infer, expr);
        return;
    }
    int64_t start = strcmp(name, "matches") == 0 ? args->count : 0; // the rest is a pattern
    if (start && args->count)
        infer_expr(infer, args->items[0], NULL);
    for (int64_t i = start; i < args->count; i++) {
        const AstExpr *arg = args->items[i];
        if (arg->kind == AST_ASSIGN) // name = value in a format
            arg = arg->binary.right;
        check_awaited(infer, arg, infer_expr(infer, arg, NULL));
    }
}

static Type *macro_result(Infer *infer, const AstExpr *expr, MacroResult result)
{
    Lang *lang = infer->lang;
    switch (result) {
    case MACRO_NEVER:
        return type_never(lang);
    case MACRO_STRING:
        return strcmp(expr->macro.name.text, "format") == 0
                   ? std_type(infer, "String", NULL, 0)
                   : type_ref(lang, type_prim(lang, PRIM_str), false);
    case MACRO_BOOL:
        return type_prim(lang, PRIM_bool);
    case MACRO_FIRST:
        return expr->macro.args.count ? body_type(infer->body, expr->macro.args.items[0])
                                      : type_unit(lang);
    case MACRO_BYTES:
        return type_ref(lang, type_slice(lang, type_prim(lang, PRIM_u8)), false);
    case MACRO_RESULT: {
        Type **args = arena_new(lang->arena, Type *, 2);
        args[0] = type_unit(lang);
        args[1] = std_type(infer, "Error", NULL, 0);
        return std_type(infer, "Result", args, 2);
    }
    case MACRO_NUMBER:
        return type_prim(lang, PRIM_u32);
    case MACRO_UNIT:
        break;
    }
    return type_unit(lang);
}

static Type *infer_macro(Infer *infer, const AstExpr *expr, Type *expected)
{
    const char *name = expr->macro.name.text;
    if (strcmp(name, "vec") == 0 && expr->macro.readable)
        return infer_vec(infer, expr, expected);
    if (strcmp(name, "join") == 0 || strcmp(name, "try_join") == 0)
        return infer_join(infer, expr, name[0] == 't');
    for (size_t i = 0; i < COUNT_OF(macros); i++) {
        if (strcmp(macros[i].name, name) != 0)
            continue;
        infer_macro_args(infer, expr);
        return macro_result(infer, expr, macros[i].result);
    }
    Diag *diag = diag_add(infer->lang->diags, DIAG_MACRO_UNKNOWN, expr->macro.name.span,
                          "the macro `{}!` is not part of the language Contra reads", name);
    const AstItem *rules = map_get(&infer->lang->macros, name);
    if (rules) {
        diag_note(diag, rules->name.span, "declared here, behind this call or out of its sight");
        diag_help(diag, "declare it before it is called");
        return type_poison(infer->lang);
    }
    Near near = {.name = str_from(name), .most = 2};
    for (size_t i = 0; i < COUNT_OF(macros); i++)
        near_try(&near, str_from(macros[i].name));
    if (near.best.data) {
        diag_help(diag, "did you mean `{}!`?", near.best);
        diag_edit(diag, expr->macro.name.span, "{}", near.best);
    }
    return type_poison(infer->lang);
}

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
        return infer_expr(infer, expr->inner, expected);
    case AST_AWAIT:
        return infer_await(infer, expr, expected);
    case AST_BLOCK: {
        if (expr->block.is_async)
            return infer_async_block(infer, expr, expected);
        infer->unsafe_depth += expr->block.is_unsafe;
        Type *type = infer_block_expr(infer, expr, expected);
        infer->unsafe_depth -= expr->block.is_unsafe;
        return type;
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
        if (infer->lang->reads_unfinished && expr->inner)
            infer_expr(infer, expr->inner, expected);
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
                 "expressions are nested more than {} deep here", INFER_DEPTH);
    infer->depth--;
    Type *known =
        type_of(type)->kind == TYPE_ASSOC ? settle_associated(infer->lang, type_of(type)) : NULL;
    type = known ? known : type;
    infer->body->types[expr->id - infer->body->first_expr] = type;
    return type;
}

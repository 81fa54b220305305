// What fits where, and what is said when it does not.
#include "base/checked.h"
#include "lang/types/infer_internal.h"
#include "program/text_form.h"

#include <string.h>

// Two mappings that mean the same but are written differently are one type to us, not to rustc.
static void warn_renamed(Infer *infer, const Mismatch *renamed, Span span)
{
    Arena *arena = infer->lang->arena;
    Diag *diag = diag_add(infer->lang->diags, DIAG_MAPPING_SPELLING, span,
                          "`{}` and `{}` mean the same, but are different types in Rust",
                          type_text(arena, renamed->left), type_text(arena, renamed->right));
    diag_help(diag, "write both in the same way");
}

Span behind(Span span)
{
    return (Span){span.source, span.end, span.end};
}

// A tensor where a view of it is wanted, or the wrong kind of view.
static void help_with_view(const Lang *lang, Diag *diag, Type *wanted, Type *given)
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
    const char *method = strcmp(want + stem, "ViewMut") == 0 ? "view_mut" : "view";
    diag_help(diag, "take `.{}()` of the tensor", method);
    Str text = lang_text(lang, diag->span);
    if (text.len && text.data[0] == '&') { // a view is no reference
        bool is_mut = text.len > 5 && strncmp(text.data, "&mut ", 5) == 0;
        int64_t start = diag->span.start;
        diag_edit(diag, ((Span){diag->span.source, start, start + (is_mut ? 5 : 1)}), "{}", "");
    }
    diag_edit(diag, behind(diag->span), ".{}()", method);
}

// Of a number in digits.
void help_float(const Lang *lang, Diag *diag)
{
    Str text = lang_text(lang, diag->span);
    bool digits = text.len > 0;
    for (int64_t i = 0; i < text.len; i++)
        digits &= text.data[i] >= '0' && text.data[i] <= '9';
    diag_help(diag, "write it as a float: `{}.0`",
              ((Str){digits ? text.data : "1", digits ? (int)text.len : 1}));
    diag_edit(diag, digits ? behind(diag->span) : SPAN_NOWHERE, ".0");
}

// Of a float with nothing behind its point.
static void help_integer(const Lang *lang, Diag *diag)
{
    Str text = lang_text(lang, diag->span);
    int64_t point = 0;
    while (point < text.len && text.data[point] >= '0' && text.data[point] <= '9')
        point++;
    Str rest = str_slice(text, point, text.len);
    if (point && (str_equal(rest, STR(".0")) || str_equal(rest, STR("."))))
        diag_replace(diag, diag->span, "{}", ((Str){text.data, point}));
    else
        diag_help(diag, "write a whole number");
}

static void help_mut(const Lang *lang, Diag *diag)
{
    Str text = lang_text(lang, diag->span);
    bool there = text.len > 1 && text.data[0] == '&' && !str_starts_with(text, STR("&mut"));
    Span sign = {diag->span.source, diag->span.start, diag->span.start + 1};
    diag_help(diag, "write `&mut`");
    diag_edit(diag, there ? sign : SPAN_NOWHERE, "&mut ");
}

static bool is_prim(const Type *type, PrimClass most)
{
    return type->kind == TYPE_NAMED && type->decl->kind == DECL_PRIM &&
           prims[type->decl->prim].class <= most;
}

// A number of another type is converted where it is given: `at as u64`.
static void help_cast(const Lang *lang, Diag *diag, const Type *wanted, const Type *found,
                      const AstExpr *value)
{
    if (!is_prim(wanted, PRIM_FLOAT) || !is_prim(found, PRIM_FLOAT))
        return;
    Str text = lang_text(lang, value->span);
    const char *name = prims[wanted->decl->prim].name;
    diag_replace(diag, value->span, binds_tightly(value) ? "{} as {}" : "({}) as {}", text, name);
}

bool binds_tightly(const AstExpr *expr)
{
    return expr->kind == AST_PATH || expr->kind == AST_LITERAL || expr->kind == AST_CALL ||
           expr->kind == AST_METHOD || expr->kind == AST_FIELD || expr->kind == AST_INDEX ||
           expr->kind == AST_PAREN;
}

// Helps that change the expression with the wrong type.
static void help_value(Infer *infer, Diag *diag, Type *expected, Type *actual, const Mismatch *why,
                       const AstExpr *value)
{
    Type *left = type_of(why->left), *right = type_of(why->right);
    Span span = value->span;
    if (left == type_of(expected) && right == type_of(actual))
        help_cast(infer->lang, diag, left, right, value);
    if (type_could_unify(infer->lang, type_strip(expected), awaited(type_strip(actual))))
        help_await(diag, actual, span);
    help_with_view(infer->lang, diag, left, right);
    if (left->kind == TYPE_REF && right->kind != TYPE_REF &&
        type_could_unify(infer->lang, left->args[0], right)) {
        diag_help(diag, "pass a reference: put `&{}` before it", left->is_mut ? "mut " : "");
        diag_edit(diag, ((Span){span.source, span.start, span.start}), "&{}",
                  left->is_mut ? "mut " : "");
    }
}

// Of two mappings the one that is written may be the wrong one.
static void help_expect(const Lang *lang, Diag *diag, const Type *expected, const Type *given)
{
    if (expected->kind != TYPE_MAPPING || given->kind != TYPE_MAPPING ||
        given->expr->kind == EXPR_POISON)
        return;
    Span span = expected->span;
    Str mapping = expr_text(lang->arena, given->expr);
    bool within =
        str_equal(lang_text(lang, (Span){span.source, span.start - 1, span.start}), STR("["));
    diag_help(diag, "expect what is given: `m![{}]`", mapping);
    diag_edit(diag, span, within ? "{}" : "m![{}]", mapping);
}

// Operations of the Vector Engine belong to the stages that take them.
static void help_stage(const Lang *lang, Diag *diag, Type *expected, Type *given)
{
    const char *family = type_head_name(given);
    Str methods = family ? stages_of_family(lang->arena, family) : (Str){0};
    const char *wanted = type_head_name(expected);
    if (methods.len && wanted && stages_of_family(lang->arena, wanted).len)
        diag_help(diag, "operations of `{}` are for {}", family, methods);
}

static Diag *report_mismatch(Infer *infer, Type *expected, Type *actual, const Mismatch *why,
                             Span span, const AstExpr *value)
{
    Arena *arena = infer->lang->arena;
    Type *left = type_of(why->left), *right = type_of(why->right);
    Str wanted = type_text(arena, expected), found = type_text(arena, actual);
    bool inside = why->param && left != type_of(expected);
    Diag *diag = inside ? diag_add(infer->lang->diags, DIAG_TYPE_MISMATCH, span,
                                   "the {} of this {} is `{}`, where `{}` is expected",
                                   strcmp(why->param, "D") == 0 ? "element type" : why->param,
                                   type_head_name(type_strip(actual)), type_text(arena, right),
                                   type_text(arena, left))
                        : diag_add(infer->lang->diags, DIAG_TYPE_MISMATCH, span,
                                   "expected `{}`, found `{}`", wanted, found);
    help_stage(infer->lang, diag, left, right);
    if (left->kind == TYPE_MAPPING && right->kind == TYPE_MAPPING)
        diag_note(diag, SPAN_NOWHERE,
                  "the mappings `{}` ({} position{}) and `{}` ({} position{}) are not the same",
                  expr_text(arena, left->expr), left->expr->size, left->expr->size == 1 ? "" : "s",
                  expr_text(arena, right->expr), right->expr->size,
                  right->expr->size == 1 ? "" : "s");
    if (left->kind == TYPE_MAPPING && right->kind == TYPE_MAPPING) {
        AtomList axes = {0};
        expr_axes(arena, left->expr, &axes);
        expr_axes(arena, right->expr, &axes);
        expr_note_twins(diag, &axes);
    }
    if (inside && left->span.source >= 0) {
        diag_note(diag, left->span, "expected here");
        help_expect(infer->lang, diag, left, right);
    }
    bool int_for_float = right->kind == TYPE_VAR && right->class == VAR_INT &&
                         left->kind == TYPE_NAMED && left->decl->kind == DECL_PRIM &&
                         prims[left->decl->prim].class == PRIM_FLOAT;
    if (int_for_float)
        help_float(infer->lang, diag);
    bool float_for_int = right->kind == TYPE_VAR && right->class == VAR_FLOAT &&
                         left->kind == TYPE_NAMED && left->decl->kind == DECL_PRIM &&
                         prims[left->decl->prim].class <= PRIM_UINT;
    if (float_for_int)
        help_integer(infer->lang, diag);
    if (left->kind == TYPE_REF && right->kind == TYPE_REF && left->is_mut && !right->is_mut &&
        type_could_unify(infer->lang, left->args[0], right->args[0]))
        help_mut(infer->lang, diag);
    if (value)
        help_value(infer, diag, expected, actual, why, value);
    return diag;
}

static bool is_pointer(Type *type)
{
    return type_is_named(type, "Box") || type_is_named(type, "Rc") || type_is_named(type, "Arc");
}

// References lose what the other side does not have: &&T and &Box<T> where &T is wanted, &[T; n]
// where &[T] is.
Type *adjusted_type(Infer *infer, Type *expected, Type *actual)
{
    expected = type_of(expected);
    actual = type_of(actual);
    Type *called = type_strip(actual);
    if (expected->kind == TYPE_FN && (called->kind == TYPE_FN || called->kind == TYPE_CLOSURE))
        return called; // a reference to a function can be called as well
    if (expected->kind != TYPE_REF || actual->kind != TYPE_REF)
        return actual;
    Type *wanted = type_of(expected->args[0]), *given = type_of(actual->args[0]);
    while (given->kind == TYPE_REF && wanted->kind != TYPE_REF && wanted->kind != TYPE_VAR)
        given = type_of(given->args[0]);
    bool known = wanted->kind != TYPE_VAR && wanted->kind != TYPE_IMPL && !is_pointer(wanted);
    while (known && is_pointer(given))
        given = type_of(given->args[0]);
    bool list = given->kind == TYPE_ARRAY || type_is_named(given, "Vec");
    if (wanted->kind == TYPE_SLICE && list)
        given = type_slice(infer->lang, given->args[0]);
    if (type_is_prim(wanted, PRIM_str) && type_is_named(given, "String"))
        given = wanted;
    return type_ref(infer->lang, given,
                    actual->is_mut || !expected->is_mut ? expected->is_mut : actual->is_mut);
}

void place_open(Infer *infer, Span span)
{
    for (int64_t i = infer->lang->open_pairs.count - 1; i >= infer->pairs_before; i--) {
        if (infer->lang->open_pairs.items[i].span.source >= 0)
            break;
        infer->lang->open_pairs.items[i].span = span;
    }
}

Diag *misfit(Infer *infer, Type *expected, Type *actual, Span span, const AstExpr *value)
{
    Mismatch why = {0}, renamed = {0};
    Type *adjusted = adjusted_type(infer, expected, actual);
    if (!type_unify(infer->lang, expected, adjusted, &why, &renamed)) {
        bool function =
            why.left && (type_of(why.left)->kind == TYPE_FN || type_of(why.right)->kind == TYPE_FN);
        bool open = function && (may_do(infer, why.left) || may_do(infer, why.right));
        // a generic with bounds may be a function
        return open ? NULL : report_mismatch(infer, expected, actual, &why, span, value);
    }
    place_open(infer, span);
    if (renamed.left)
        warn_renamed(infer, &renamed, span);
    return NULL;
}

bool coerce(Infer *infer, Type *expected, Type *actual, Span span)
{
    return !misfit(infer, expected, actual, span, NULL);
}

bool coerce_value(Infer *infer, Type *expected, Type *actual, const AstExpr *value)
{
    return !misfit(infer, expected, actual, value->span, value);
}

static Type *settled_mapping(Infer *infer, Type *type)
{
    type = type_of(type);
    Type *mapping = type->kind == TYPE_OPEN ? settle_mapping(infer->lang, type) : type;
    return mapping ? mapping : type;
}

void compare_open(Infer *infer)
{
    for (int64_t i = infer->pairs_before; i < infer->lang->open_pairs.count; i++) {
        OpenPair pair = infer->lang->open_pairs.items[i];
        Type *left = settled_mapping(infer, pair.left), *right = settled_mapping(infer, pair.right);
        if (left->kind != TYPE_OPEN && right->kind != TYPE_OPEN)
            coerce(infer, left, right, pair.span.source >= 0 ? pair.span : left->span);
    }
    infer->lang->open_pairs.count = infer->pairs_before;
}

// The element type of a tensor or stream; NULL: it is none.
static const Type *element_of(Type *type)
{
    type = type_strip(type);
    for (int32_t i = 0; type->kind == TYPE_NAMED && i < type->arg_count; i++) {
        const Type *arg = type_of(type->args[i]);
        if (arg->kind == TYPE_NAMED && arg->decl->kind == DECL_PRIM)
            return arg;
    }
    return NULL;
}

// In a chain of methods the last one whose arguments name the element type made it what it is.
static void note_element(const Infer *infer, Diag *diag, const AstExpr *expr, Type *expected,
                         Type *type)
{
    const Type *wanted = element_of(expected), *found = element_of(type);
    if (!wanted || !found || wanted == found || wanted->decl == found->decl)
        return;
    Str name = str_from(prims[found->decl->prim].name);
    for (; expr->kind == AST_METHOD; expr = expr->method.receiver) {
        const AstSegment *segment = &expr->method.name;
        for (int64_t i = 0; i < segment->args.count; i++)
            if (str_equal(lang_text(infer->lang, segment->args.items[i].span), name)) {
                diag_note(diag, segment->args.items[i].span, "`{}` from here on", name);
                return;
            }
    }
}

Type *check_expr(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type = deref_coercion(infer, expr, expected, infer_expr(infer, expr, expected));
    keep_dyn(infer, expr, expected, type);
    Diag *diag = misfit(infer, expected, type, expr->span, expr);
    if (!diag)
        return expected;
    note_element(infer, diag, expr, expected, type);
    return type_poison(infer->lang);
}

// ---- casts

// `x as T`, once both types are known: what Rust converts, and what it does not.

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
            diag_help(diag, "write `.{}()`{}", ways[i][0],
                      all ? "" : ", and convert what it gives");
            if (all)
                diag_edit(diag, as, ".{}()", ways[i][0]);
            return;
        }
        if (find_member(infer->lang, to, lang_name(infer->lang, ways[i][1]), &self)) {
            diag_help(diag, "write `{}::{}(..)`", type_head_name(to), ways[i][1]);
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
        Diag *diag =
            diag_add(infer->lang->diags, DIAG_OPERATOR_TYPES, expr->span,
                     "`as` does not convert `{}` to `{}`", type_text(infer->lang->arena, from),
                     type_text(infer->lang->arena, to));
        help_element(infer, diag, expr, from, to);
    }
}

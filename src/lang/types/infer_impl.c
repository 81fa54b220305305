// Arguments where a signature of the prelude says `impl Trait<..>`: what the language takes there.
#include "lang/types/infer_internal.h"

#include "base/checked.h"

#include <string.h>

typedef void (*ImplCheck)(Infer *infer, Type *actual, Type *trait, Span span);

static void report(Infer *infer, Type *actual, Span span, const char *wanted)
{
    if (type_of(actual)->kind == TYPE_ERROR || may_do(infer, actual))
        return;
    diag_add(infer->lang->diags, DIAG_OPERAND_KIND, span, "`%.*s` cannot stand here: %s",
             STR_ARG(type_text(infer->lang->arena, actual)), wanted);
}

// ---- operands of the Vector Engine

static bool is_condition(Type *type)
{
    return type_is_named(type, "GroupId") || type_is_named(type, "ValidBranchIds");
}

// The same of the second item of a pair; what `into()` makes there is the more general one.
static bool takes_condition(Infer *infer, Type *type)
{
    Type *known = type_of(type);
    const Decl *decl = module_lookup(infer->lang, infer->lang->prelude,
                                     lang_name(infer->lang, "ValidBranchIds"), SPACE_TYPE);
    if (known->kind == TYPE_VAR && known->class == VAR_ANY && decl)
        type_unify(infer->lang, known, type_named(infer->lang, decl, NULL, 0), NULL, NULL);
    return is_condition(type);
}

static void report_literal(Infer *infer, Type *actual, Type *element, Span span)
{
    if (may_do(infer, actual) || may_do(infer, element))
        return;
    Arena *arena = infer->lang->arena;
    Diag *diag = diag_add(infer->lang->diags, DIAG_OPERAND_KIND, span,
                          "the operand is `%.*s`, the stream is `%.*s`",
                          STR_ARG(type_text(arena, actual)), STR_ARG(type_text(arena, element)));
    Type *known = type_of(actual);
    bool integer =
        (known->kind == TYPE_VAR && known->class == VAR_INT) || type_is_prim(known, PRIM_i32);
    if (integer && type_is_prim(element, PRIM_f32))
        help_float(infer->lang, diag);
    else if (type_is_prim(element, PRIM_i32))
        diag_help(diag, "the stream is i32 here: convert it with vector_fxp_to_fp before, or write "
                        "an integer");
}

// The shape of an operand is that of the stream, which has no name here.
static void close_shape(Infer *infer, Type *shape)
{
    shape = type_of(shape);
    if (shape->kind == TYPE_VAR)
        shape->bound = type_poison(infer->lang);
}

// A constant, a VRF tensor, the stash, or VeRhs of one. False: it is none of these.
static bool check_rhs(Infer *infer, Type *actual, Type *element, Span span)
{
    Type *known = type_strip(actual);
    bool number =
        known->kind == TYPE_VAR || (known->kind == TYPE_NAMED && known->decl->kind == DECL_PRIM);
    if (number) {
        if (!type_unify(infer->lang, element, known, NULL, NULL))
            report_literal(infer, actual, element, span);
        return true;
    }
    if (type_is_named(known, "VeRhs"))
        close_shape(infer, known->args[1]);
    if (type_is_named(known, "VrfTensor") || type_is_named(known, "VeRhs")) {
        if (!type_unify(infer->lang, element, known->args[0], NULL, NULL))
            report_literal(infer, known->args[0], element, span);
        return true;
    }
    return type_is_named(known, "Stash") || known->kind == TYPE_ERROR;
}

static const char operand_words[] =
    "an operand is a constant, a VRF tensor, `Stash`, one of these with a group, or a list of "
    "VeBranchOperand";

static bool check_operand(Infer *infer, Type *actual, Type *element, Span span)
{
    Type *known = type_strip(actual);
    if (check_rhs(infer, actual, element, span))
        return true;
    if (known->kind == TYPE_TUPLE && known->arg_count == 2 &&
        takes_condition(infer, known->args[1]))
        return check_rhs(infer, known->args[0], element, span);
    if (type_is_named(known, "VeBranchOperand")) {
        close_shape(infer, known->args[1]);
        if (!type_unify(infer->lang, element, known->args[0], NULL, NULL))
            report_literal(infer, known->args[0], element, span);
        return true;
    }
    if (type_is_named(known, "ArrayVec")) // its room is what an operation takes
        type_unify(infer->lang, known->args[1], type_number(infer->lang, VECTOR_OPERANDS, span),
                   NULL, NULL);
    if (known->kind == TYPE_ARRAY || type_is_named(known, "ArrayVec"))
        return check_operand(infer, known->args[0], element, span);
    return false;
}

static void check_operands(Infer *infer, Type *actual, Type *trait, Span span)
{
    if (!check_operand(infer, actual, trait->args[0], span))
        report(infer, actual, span, operand_words);
}

// One group of a pair: an operand, or `()` to skip it.
static void check_group(Infer *infer, Type *actual, Type *trait, Span span)
{
    Type *known = type_of(actual);
    bool skips = known->kind == TYPE_TUPLE && !known->arg_count;
    bool maybe = type_is_named(known, "Option");
    if (!skips && !check_operand(infer, maybe ? known->args[0] : actual, trait->args[0], span))
        report(infer, actual, span, "a group takes one operand, or `()` to be skipped");
}

static bool check_ternary(Infer *infer, Type *actual, Type *element, Span span)
{
    Type *known = type_strip(actual);
    if (type_is_named(known, "TernaryOperand"))
        close_shape(infer, known->args[0]);
    if (type_is_named(known, "TernaryOperand") || known->kind == TYPE_ERROR)
        return true;
    if (type_is_named(known, "ArrayVec"))
        type_unify(infer->lang, known->args[1], type_number(infer->lang, VECTOR_OPERANDS, span),
                   NULL, NULL);
    if (known->kind == TYPE_ARRAY || type_is_named(known, "ArrayVec"))
        return check_ternary(infer, known->args[0], element, span);
    if (known->kind != TYPE_TUPLE || known->arg_count != 2)
        return false;
    if (takes_condition(infer, known->args[1]))
        return check_ternary(infer, known->args[0], element, span);
    return check_rhs(infer, known->args[0], element, span) &&
           check_rhs(infer, known->args[1], element, span);
}

static void check_ternary_operands(Infer *infer, Type *actual, Type *trait, Span span)
{
    if (!check_ternary(infer, actual, trait->args[0], span))
        report(infer, actual, span, "a ternary operation takes two operands: `(operand, 1.0)`");
}

static void check_ternary_group(Infer *infer, Type *actual, Type *trait, Span span)
{
    Type *known = type_of(actual);
    bool skips = known->kind == TYPE_TUPLE && !known->arg_count;
    bool maybe = type_is_named(known, "Option");
    if (maybe && type_of(known->args[0])->kind == TYPE_VAR) { // None
        type_of(known->args[0])->bound = type_poison(infer->lang);
        return;
    }
    if (!skips && !check_ternary(infer, maybe ? known->args[0] : actual, trait->args[0], span))
        report(infer, actual, span, "a group takes `(operand, 1.0)`, or `()` to be skipped");
}

static void check_into_rhs(Infer *infer, Type *actual, Type *trait, Span span)
{
    if (!check_rhs(infer, actual, trait->args[0], span))
        report(infer, actual, span, "an operand is a constant, a VRF tensor or `Stash`");
}

static void check_into_condition(Infer *infer, Type *actual, Type *trait, Span span)
{
    (void)trait;
    if (!is_condition(type_of(actual)))
        report(infer, actual, span, "this takes a GroupId or ValidBranchIds");
}

// ---- operators that exist for i32 and for f32

// `LogicBinaryOp<D>` is LogicBinaryOpI32 on i32 and LogicBinaryOpF32 on f32.
static void check_operator(Infer *infer, Type *actual, Type *trait, Span span)
{
    Type *element = type_of(trait->args[0]), *known = type_of(actual);
    const char *suffix = type_is_prim(element, PRIM_f32) ? "F32" : "I32";
    Str wanted = str_format(infer->lang->arena, "%s%s", trait->name, suffix);
    if (known->kind == TYPE_NAMED && str_equal(str_from(known->decl->name), wanted))
        return;
    if (known->kind == TYPE_ERROR || element->kind == TYPE_ERROR || may_do(infer, known) ||
        may_do(infer, element))
        return;
    Diag *diag = diag_add(infer->lang->diags, DIAG_OPERAND_KIND, span,
                          "the stream is `%.*s`, so the operation is one of `%.*s`, not `%s`",
                          STR_ARG(type_text(infer->lang->arena, element)), STR_ARG(wanted),
                          type_head_name(known));
    bool same = known->kind == TYPE_NAMED &&
                strncmp(known->decl->name, trait->name, strlen(trait->name)) == 0;
    if (same) {
        Str name = str_from(known->decl->name);
        bool there = str_starts_with(lang_text(infer->lang, span), name);
        Span path = {span.source, span.start, span.start + name.len};
        diag_help(diag, "write `%.*s::..`", STR_ARG(wanted));
        diag_edit(diag, there ? path : SPAN_NOWHERE, "%.*s", STR_ARG(wanted));
    }
}

static void check_division(Infer *infer, Type *actual, Type *trait, Span span)
{
    (void)trait;
    if (!type_is_named(actual, "FpDivOp") && !type_is_named(actual, "FpDivBinaryOp"))
        report(infer, actual, span, "vector_fp_div takes `FpDivBinaryOp::DivF`");
}

// As many bytes as the number has.
static void check_bytes(Infer *infer, Type *actual, Type *trait, Span span)
{
    Lang *lang = infer->lang;
    Type *number = type_of(trait->args[0]);
    Type *length = type_var(lang, VAR_ANY, span);
    if (number->kind == TYPE_NAMED && number->decl->kind == DECL_PRIM)
        length = type_number(lang, prims[number->decl->prim].bits / 8, span);
    coerce(infer, type_array(lang, type_prim(lang, PRIM_u8), length), actual, span);
}

// What catch_unwind runs: a closure without parameters, in AssertUnwindSafe or bare.
static void check_caught(Infer *infer, Type *actual, Type *trait, Span span)
{
    Type *known = type_of(actual);
    if (type_is_named(known, "AssertUnwindSafe"))
        known = type_of(known->args[0]);
    bool callable = known->kind == TYPE_CLOSURE || known->kind == TYPE_FN;
    Type *given = type_of(trait->args[0]);
    Type *made = callable ? type_of(known->args[known->arg_count - 1]) : NULL;
    bool says_nothing = made && (made->kind == TYPE_NEVER || made->kind == TYPE_VAR);
    if (says_nothing && given->kind == TYPE_VAR) // it only panics
        given->bound = type_never(infer->lang);
    else if (callable)
        coerce(infer, trait->args[0], known->args[known->arg_count - 1], span);
    else
        report(infer, actual, span, "catch_unwind takes a closure without parameters");
}

// A range of T, whichever its ends.
static void check_range(Infer *infer, Type *actual, Type *trait, Span span)
{
    Type *known = type_strip(actual);
    bool range = known->kind == TYPE_NAMED && known->decl->is_builtin &&
                 strncmp(known->decl->name, "Range", 5) == 0;
    if (range && known->arg_count)
        coerce(infer, trait->args[0], known->args[0], span);
    else if (!range)
        report(infer, actual, span, "this takes a range");
}

static void check_anything(Infer *infer, Type *actual, Type *trait, Span span)
{
    (void)infer, (void)actual, (void)trait, (void)span;
}

static const struct {
    const char *trait;
    ImplCheck check;
} impl_checks[] = {
    {"IntoOperands", check_operands},
    {"IntoGroup", check_group},
    {"IntoTernaryOperands", check_ternary_operands},
    {"IntoTernaryGroup", check_ternary_group},
    {"IntoRhs", check_into_rhs},
    {"IntoCondition", check_into_condition},
    {"LogicBinaryOp", check_operator},
    {"ClipBinaryOp", check_operator},
    {"IntraSliceReduceOp", check_operator},
    {"InterSliceReduceOp", check_operator},
    {"FpDivision", check_division},
    {"FnOnceSafe", check_caught},
    {"BytesOf", check_bytes},
    {"RangeOf", check_range},
};

// What a function that stands for a pattern is: of a character, whether it fits.
static Type *char_test(Infer *infer)
{
    Type *type = arena_new(infer->lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_FN, .arg_count = 2};
    type->args = arena_new(infer->lang->arena, Type *, 2);
    type->args[0] = type_prim(infer->lang, PRIM_char);
    type->args[1] = type_prim(infer->lang, PRIM_bool);
    return type;
}

void check_impl(Infer *infer, const AstExpr *expr, Type *trait)
{
    bool pattern = trait->name && strcmp(trait->name, "Pattern") == 0;
    Type *actual = infer_expr(infer, expr, pattern ? char_test(infer) : NULL);
    ImplCheck check = check_anything;
    bool ours = trait->name && (trait->arg_count || strcmp(trait->name, "IntoCondition") == 0 ||
                                strcmp(trait->name, "FpDivision") == 0);
    for (size_t i = 0; ours && i < COUNT_OF(impl_checks); i++)
        if (strcmp(trait->name, impl_checks[i].trait) == 0)
            check = impl_checks[i].check;
    keep_dyn(infer, expr, trait, actual);
    check(infer, actual, trait, expr->span);
}

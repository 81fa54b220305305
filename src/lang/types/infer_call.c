// Calls and methods: which declaration they mean, and what its generics are.
#include "base/checked.h"
#include "lang/syntax/parse.h"
#include "lang/types/infer_internal.h"

#include <string.h>

// ---- generics of a call

void put_use(Infer *infer, const AstExpr *expr, Use use)
{
    Use *copy = arena_new(infer->lang->arena, Use, 1);
    *copy = use;
    infer->body->uses[expr->id - infer->body->first_expr] = copy;
}

// Those of an impl block are mostly the arguments of the type it is for, one by one.
static int32_t generics_of_self(const Signature *signature, Type *self, Type **generics)
{
    Type *wanted = signature->self;
    if (self && self->kind == TYPE_IMPL && is_trait_member(signature->decl)) {
        generics[0] = self; // a `dyn Trait<A>`: what the trait says, of A
        int32_t count = 1;
        for (; count < signature->own_start && count <= self->arg_count; count++)
            generics[count] = self->args[count - 1];
        return count;
    }
    if (!self || !wanted || wanted->kind != TYPE_NAMED || self->kind != TYPE_NAMED ||
        wanted->decl != self->decl || wanted->arg_count != signature->own_start)
        return 0;
    for (int32_t i = 0; i < wanted->arg_count; i++)
        if (wanted->args[i]->kind != TYPE_PARAM || wanted->args[i]->index != i)
            return 0;
    for (int32_t i = 0; i < wanted->arg_count; i++)
        generics[i] = self->args[i];
    return wanted->arg_count;
}

Type **new_generics(Infer *infer, const Signature *signature, Span span, Type *self)
{
    Type **generics =
        arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, signature->generic_count));
    for (int32_t i = generics_of_self(signature, self, generics); i < signature->generic_count;
         i++) {
        Type *var = type_var(infer->lang, VAR_ANY, span);
        var->name = signature->generics[i]->name.text;
        var->of = signature->decl;
        generics[i] = var;
    }
    return generics;
}

static const struct {
    const char *bound;
    ObligationKind kind;
} obligation_bounds[] = {
    {"FromIterator", OBLIGATION_COLLECT},
    {"Sum", OBLIGATION_SUM},
    {"IntoIterator", OBLIGATION_ITERATES},
    {"Iterator", OBLIGATION_ITERATES},
    {"DoubleEndedIterator", OBLIGATION_ITERATES},
    {"ExactSizeIterator", OBLIGATION_ITERATES},
    {"Into", OBLIGATION_INTO},
    {"Extend", OBLIGATION_EXTENDS},
    {"IntoOwned", OBLIGATION_OWNED},
};

// What the bounds of generics say about their types beyond what they may be.
static void add_obligations(Infer *infer, const Signature *signature, Type **generics, Span span)
{
    Type *self = signature->self ? type_instantiate(infer->lang, signature->self, generics) : NULL;
    for (int32_t i = 0; i < signature->generic_count; i++) {
        const AstGeneric *generic = signature->generics[i];
        for (int64_t k = 0; k < generic->bounds.count; k++) {
            const AstType *bound = generic->bounds.items[k];
            bool named = bound->kind == AST_TYPE_PATH || bound->kind == AST_TYPE_IMPL;
            if (!named || !bound->path.segments.count)
                continue;
            const AstSegment *segment = &bound->path.segments.items[bound->path.segments.count - 1];
            for (size_t o = 0; o < COUNT_OF(obligation_bounds); o++) {
                if (!segment->args.count || !segment->args.items[0].type ||
                    strcmp(segment->name.text, obligation_bounds[o].bound) != 0)
                    continue;
                TypeScope scope = {.lang = infer->lang,
                                   .scope = signature->decl->scope,
                                   .signature = signature,
                                   .generics = generics,
                                   .self = self};
                Type *source = resolve_type(&scope, segment->args.items[0].type);
                bool into = obligation_bounds[o].kind == OBLIGATION_INTO; // the other way round
                *array_push(infer->lang->arena, &infer->obligations, Obligation) =
                    (Obligation){.kind = obligation_bounds[o].kind,
                                 .target = into ? source : generics[i],
                                 .source = into ? generics[i] : source,
                                 .span = span,
                                 .name = "from"};
            }
        }
    }
}

static void add_call(Infer *infer, const AstSegment *name, const Signature *signature,
                     Type **generics)
{
    *array_push(infer->lang->arena, &infer->calls, PendingCall) =
        (PendingCall){name->name.span, signature, generics};
    add_obligations(infer, signature, generics, name->name.span);
}

// The generics of a function: those of its impl block from the type it belongs to, its own from
// what is written behind its name.
Type **call_generics(Infer *infer, Decl *decl, const AstSegment *segment, Type *self)
{
    const Signature *signature = signature_of(infer->lang, decl);
    Type **generics = new_generics(infer, signature, segment->name.span, self);
    if (segment->has_args && segment->args.count)
        resolve_args(&infer->types, segment, signature, signature->own_start, signature->own_end,
                     generics, false);
    bool taken = self && self->kind == TYPE_NAMED && self->arg_count && signature->own_start &&
                 generics[0] == self->args[0];
    if (self && signature->self && !taken) {
        Mismatch why = {0};
        Type *wanted = type_instantiate(infer->lang, signature->self, generics);
        if (!type_unify(infer->lang, wanted, self, &why, NULL) && !infer->rigid)
            diag_add(infer->lang->diags, DIAG_TYPE_MISMATCH, segment->name.span,
                     "`{}` is for `{}`, this is `{}`", decl->name,
                     type_text(infer->lang->arena, wanted), type_text(infer->lang->arena, self));
    }
    place_open(infer, segment->name.span);
    add_call(infer, segment, signature, generics);
    return generics;
}

// A function by its name as a value.
Type *function_type(Infer *infer, Decl *decl, Type **generics)
{
    const Signature *signature = signature_of(infer->lang, decl);
    if (signature->is_open)
        diag_add(infer->lang->diags, DIAG_CONST_VALUE, decl->span, "the type of `{}` needs itself",
                 decl->name);
    bool method = signature->self_kind != SELF_NONE && signature->self;
    int32_t count = signature->param_count + method;
    Type *type = arena_new(infer->lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_FN, .decl = decl, .arg_count = count + 1, .generics = generics};
    type->args = arena_new(infer->lang->arena, Type *, (size_t)count + 1);
    if (method) {
        Type *self = type_instantiate(infer->lang, signature->self, generics);
        bool value = signature->self_kind == SELF_VALUE;
        type->args[0] =
            value ? self : type_ref(infer->lang, self, signature->self_kind == SELF_REF_MUT);
    }
    for (int32_t i = 0; i < signature->param_count; i++)
        type->args[i + method] = type_instantiate(infer->lang, signature->params[i], generics);
    type->args[count] =
        call_result(infer, decl, type_instantiate(infer->lang, signature->result, generics));
    return type;
}

// ---- arguments

// ---- arguments of `impl Trait`

// Arguments where a signature of the prelude says `impl Trait<..>`: what the language takes there.

typedef void (*ImplCheck)(Infer *infer, Type *actual, Type *trait, Span span);

static void report(Infer *infer, Type *actual, Span span, const char *wanted)
{
    if (type_of(actual)->kind == TYPE_ERROR || may_do(infer, actual))
        return;
    diag_add(infer->lang->diags, DIAG_OPERAND_KIND, span, "`{}` cannot stand here: {}",
             type_text(infer->lang->arena, actual), wanted);
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
    Decl *decl = module_lookup(infer->lang, infer->lang->prelude,
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
                          "the operand is `{}`, the stream is `{}`", type_text(arena, actual),
                          type_text(arena, element));
    Type *known = type_of(actual);
    bool integer =
        (known->kind == TYPE_VAR && known->class == VAR_INT) || type_is_prim(known, PRIM_i32);
    if (integer && type_is_prim(element, PRIM_f32))
        help_float(infer->lang, diag);
    else if (type_is_prim(element, PRIM_i32))
        diag_help(
            diag,
            "the stream is i32 here: convert it with vector_fxp_to_fp before, or write an integer");
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
    Str wanted = str_format(infer->lang->arena, "{}{}", trait->name, suffix);
    if (known->kind == TYPE_NAMED && str_equal(str_from(known->decl->name), wanted))
        return;
    if (known->kind == TYPE_ERROR || element->kind == TYPE_ERROR || may_do(infer, known) ||
        may_do(infer, element))
        return;
    Diag *diag = diag_add(infer->lang->diags, DIAG_OPERAND_KIND, span,
                          "the stream is `{}`, so the operation is one of `{}`, not `{}`",
                          type_text(infer->lang->arena, element), wanted, type_head_name(known));
    bool same = known->kind == TYPE_NAMED &&
                strncmp(known->decl->name, trait->name, strlen(trait->name)) == 0;
    if (same) {
        Str name = str_from(known->decl->name);
        bool there = str_starts_with(lang_text(infer->lang, span), name);
        Span path = {span.source, span.start, span.start + name.len};
        diag_help(diag, "write `{}::..`", wanted);
        diag_edit(diag, there ? path : SPAN_NOWHERE, "{}", wanted);
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

// An argument where the signature says `impl Trait<..>`.
static void check_impl(Infer *infer, const AstExpr *expr, Type *trait)
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

static void check_argument(Infer *infer, const AstExpr *arg, Type *param)
{
    Type *known = type_of(param);
    if (known->kind == TYPE_IMPL)
        check_impl(infer, arg, known);
    else
        check_expr(infer, arg, param);
}

// What a closure takes when nobody knows what it is given to: nothing is said of it.
static Type *unknown_function(Infer *infer, const AstExpr *closure)
{
    int32_t count = (int32_t)closure->closure.params.count + 1;
    Type *type = arena_new(infer->lang->arena, Type, 1);
    *type = (Type){.kind = TYPE_FN, .arg_count = count};
    type->args = arena_new(infer->lang->arena, Type *, (size_t)count);
    for (int32_t i = 0; i < count; i++)
        type->args[i] = type_poison(infer->lang);
    return type;
}

void infer_all(Infer *infer, const AstExprs *exprs)
{
    for (int64_t i = 0; i < exprs->count; i++) {
        bool closure = exprs->items[i]->kind == AST_CLOSURE;
        infer_expr(infer, exprs->items[i],
                   closure ? unknown_function(infer, exprs->items[i]) : NULL);
    }
}

static void help_params(Infer *infer, Diag *diag, Type **params, int32_t count)
{
    StrBuf types = {.arena = infer->lang->arena};
    for (int32_t i = 0; i < count; i++)
        buf_format(&types, "{}`{}`", i ? ", " : "", type_text(infer->lang->arena, params[i]));
    if (count)
        diag_help(diag, "{} {}", count == 1 ? "it takes" : "they are", buf_str(&types));
}

static void check_arguments(Infer *infer, const char *name, const AstExprs *args, Type **params,
                            int32_t count, Span span)
{
    if (args->count != count) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_ARGUMENT_COUNT, span,
                              "`{}` takes {} argument{}, not {}", name, count,
                              count == 1 ? "" : "s", args->count);
        help_params(infer, diag, params, count);
        infer_all(infer, args);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        check_argument(infer, args->items[i], params[i]);
}

// The result is often known before the arguments are, and says what they are.
static void expect_result(Infer *infer, Type *result, Type *expected)
{
    if (expected && type_of(expected)->kind == TYPE_NAMED && type_of(result)->kind == TYPE_NAMED &&
        type_could_unify(infer->lang, result, expected))
        type_unify(infer->lang, result, expected, NULL, NULL);
}

// What an argument would say of the generics is lost when it is wrong itself.
static void forgive_generics(Infer *infer, const AstExprs *args, const Signature *signature,
                             Type **generics)
{
    bool wrong = false;
    for (int64_t i = 0; i < args->count; i++)
        wrong |= type_strip(body_type(infer->body, args->items[i]))->kind == TYPE_ERROR;
    for (int32_t i = 0; wrong && i < signature->generic_count; i++) {
        Type *type = type_of(generics[i]);
        if (type->kind == TYPE_VAR)
            type->bound = type_poison(infer->lang);
    }
}

// ---- launch

static bool is_device(Decl *decl)
{
    return decl->item && attribute_find(&decl->item->attributes, "device");
}

// If a kernel does not return the type it declares, either may be wrong. That was reported, so a
// host function that relies on one of them gets no error.
static Type *launched_result(Infer *infer, Type *kernel)
{
    Decl *decl = kernel->decl;
    bool is_open = signature_of(infer->lang, decl)->generic_count || is_device(infer->body->decl);
    bool has_body = is_device(decl) && decl->item->function.body; // it may be half written
    if (!is_open && has_body && body_of(infer->lang, decl, NULL)->misses_result)
        return type_poison(infer->lang);
    return kernel->args[kernel->arg_count - 1];
}

// launch(kernel, (ctx, a, b)): the parameters of the kernel say what the arguments are.
static Type *infer_launch(Infer *infer, const AstExpr *expr, Type *callee)
{
    const AstExprs *args = &expr->call.args;
    for (int32_t i = 0; i < signature_of(infer->lang, callee->decl)->generic_count; i++)
        type_unify(infer->lang, callee->generics[i], type_poison(infer->lang), NULL, NULL);
    if (args->count != 2) {
        diag_add(infer->lang->diags, DIAG_ARGUMENT_COUNT, expr->span,
                 "`launch` takes a device function and the tuple of its arguments");
        return type_poison(infer->lang);
    }
    Type *kernel = type_of(infer_expr(infer, args->items[0], NULL));
    const AstExpr *tuple = args->items[1];
    while (tuple->kind == AST_PAREN)
        tuple = tuple->inner;
    if (kernel->kind != TYPE_FN || !kernel->decl) {
        infer_expr(infer, tuple, NULL);
        if (kernel->kind != TYPE_ERROR)
            diag_add(infer->lang->diags, DIAG_LAUNCH, args->items[0]->span,
                     "`launch` takes a function with `#[device(chip = N)]`, not {}",
                     type_head_name(kernel));
        return type_poison(infer->lang);
    }
    if (!is_device(kernel->decl) && !misspelled_device(kernel->decl->item)) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_LAUNCH, args->items[0]->span,
                              "`{}` is no device function", kernel->decl->name);
        diag_note(diag, kernel->decl->span, "declared here");
        diag_help(diag, "put `#[device(chip = 1)]` before it");
    }
    int32_t count = kernel->arg_count - 1;
    if (tuple->kind == AST_TUPLE && count != 1) {
        check_arguments(infer, kernel->decl->name, &tuple->items, kernel->args, count, tuple->span);
        infer->body->types[tuple->id - infer->body->first_expr] =
            type_tuple(infer->lang, kernel->args, count);
    } else {
        check_expr(infer, tuple,
                   count == 1 ? kernel->args[0] : type_tuple(infer->lang, kernel->args, count));
    }
    for (const AstExpr *outer = args->items[1]; outer != tuple; outer = outer->inner)
        infer->body->types[outer->id - infer->body->first_expr] = body_type(infer->body, tuple);
    return future_of(infer, launched_result(infer, kernel));
}

// ---- calls

// What a bound `F: Fn(A) -> B` says of an argument; NULL: the parameter is no such generic.
static Type *bound_of_param(Infer *infer, const Signature *signature, Type **generics,
                            int32_t index)
{
    if (index < 0 || index >= signature->param_count ||
        signature->params[index]->kind != TYPE_PARAM)
        return NULL;
    const AstTypes *found = &signature->generics[signature->params[index]->index]->bounds;
    TypeScope scope = {
        .lang = infer->lang,
        .scope = signature->decl->scope,
        .signature = signature,
        .generics = generics,
        .self = signature->self ? type_instantiate(infer->lang, signature->self, generics) : NULL};
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->kind == AST_TYPE_FN)
            return resolve_type(&scope, found->items[i]);
    return NULL;
}

// A closure for a generic with such a bound gets its types from there. `self`: the first argument
// stands before the parameters.
static void expect_closures(Infer *infer, const AstExprs *args, const Signature *signature,
                            Type **generics, bool self)
{
    for (int32_t i = 0; i < args->count; i++) {
        Type *bound = args->items[i]->kind == AST_CLOSURE
                          ? bound_of_param(infer, signature, generics, i - self)
                          : NULL;
        if (bound)
            type_unify(infer->lang, generics[signature->params[i - self]->index], bound, NULL,
                       NULL);
    }
}

// `F: Fn(A) -> B` of the body at hand can be called; the generic itself, if it is no such.
static Type *bound_of_generic(Infer *infer, Type *type)
{
    const AstTypes *found = &type->generic->bounds;
    for (int64_t i = 0; i < found->count; i++)
        if (found->items[i]->kind == AST_TYPE_FN)
            return resolve_type(&infer->types, found->items[i]);
    return type;
}

static Type *call_callable(Infer *infer, const AstExpr *expr, Type *callee, const char *name)
{
    bool known = callee->decl && callee->decl->kind == DECL_FN;
    const Signature *signature = known ? signature_of(infer->lang, callee->decl) : NULL;
    if (known)
        expect_closures(infer, &expr->call.args, signature, callee->generics,
                        callee->arg_count - 1 > signature->param_count);
    check_arguments(infer, name, &expr->call.args, callee->args, callee->arg_count - 1, expr->span);
    // once the arguments are known, types made of generics may be, too
    return known ? call_result(infer, callee->decl,
                               type_instantiate(infer->lang, signature->result, callee->generics))
                 : callee->args[callee->arg_count - 1];
}

// A path to a function that several impl blocks have: the one that takes the arguments.
static Type *overloaded(Infer *infer, const AstExpr *expr, Type *type)
{
    const AstExpr *callee = expr->call.callee;
    Use *use = infer->body->uses[callee->id - infer->body->first_expr];
    if (callee->kind != AST_PATH || !use || !use->self || type->decl->kind != DECL_FN)
        return type;
    Decl *decl = choose_overload(infer, type->decl, use->self, &expr->call.args);
    if (decl == type->decl)
        return type;
    const AstSegments *segments = &callee->path.segments;
    use->decl = decl;
    use->generics = call_generics(infer, decl, &segments->items[segments->count - 1], use->self);
    return function_type(infer, decl, use->generics);
}

static void report_callee(Infer *infer, const AstExpr *callee, Type *type)
{
    Str name = callee->kind == AST_PATH ? lang_text(infer->lang, callee->span) : STR("");
    diag_add(infer->lang->diags, DIAG_NOT_CALLABLE, callee->span,
             "{}{}{} is no function: its type is `{}`", name.len ? "`" : "this", name,
             name.len ? "`" : "", type_text(infer->lang->arena, type));
}

Type *infer_call(Infer *infer, const AstExpr *expr, Type *expected)
{
    const AstExpr *callee = expr->call.callee;
    Type *type = type_unboxed(infer_expr(infer, callee, NULL));
    if (type->kind == TYPE_FN && type->decl)
        type = overloaded(infer, expr, type);
    if (type->kind == TYPE_FN && type->decl) {
        if (type->decl->is_builtin && strcmp(type->decl->name, "launch") == 0)
            return infer_launch(infer, expr, type);
        if (is_device(type->decl)) {
            Diag *diag =
                diag_add(infer->lang->diags, DIAG_LAUNCH, callee->span,
                         "the device function `{}` cannot be called by its name", type->decl->name);
            diag_help(diag,
                      "the host runs it with `launch({}, (..)).await`; code that kernels share "
                      "goes into a function without `#[device]`",
                      type->decl->name);
        }
        if (type->decl->kind == DECL_FN)
            check_unsafe(infer, type->decl, callee->span, expr->span);
        expect_result(infer, awaited(type->args[type->arg_count - 1]), expected);
        int64_t errors = infer->lang->diags->error_count;
        Type *result = call_callable(infer, expr, type, type->decl->name);
        Use *use = infer->body->uses[callee->id - infer->body->first_expr];
        if (use)
            use->broken = infer->lang->diags->error_count > errors;
        return result;
    }
    if (type->kind == TYPE_PARAM && type->generic)
        type = bound_of_generic(infer, type);
    if (type->kind == TYPE_FN || type->kind == TYPE_CLOSURE)
        return call_callable(infer, expr, type, "this closure");
    infer_all(infer, &expr->call.args);
    if (type->kind != TYPE_ERROR && !may_do(infer, type))
        report_callee(infer, callee, type);
    return type_poison(infer->lang);
}

// ---- methods

// Methods of a closure-valued field, or of something unknown, end here.
static Type *method_error(Infer *infer, const AstExpr *expr, Type *type)
{
    may_do(infer, type); // before the arguments, of which the bound says something, too
    infer_all(infer, &expr->method.args);
    if (type->kind == TYPE_VAR && type->class == VAR_ANY && infer->silenced)
        return type_poison(infer->lang);
    if (type->kind == TYPE_VAR && type->class == VAR_ANY) {
        Diag *diag = diag_add(infer->lang->diags, DIAG_AMBIGUOUS, expr->method.receiver->span,
                              "the type of this must be known before `{}` can be called",
                              expr->method.name.name.text);
        diag_help(diag, "give the `let` or the parameter its type");
    } else {
        report_member(infer, type, &expr->method.name.name);
    }
    return type_poison(infer->lang);
}

Type *infer_method(Infer *infer, const AstExpr *expr, Type *expected)
{
    Type *type = type_of(infer_expr(infer, expr->method.receiver, NULL)), *self;
    int64_t errors = infer->lang->diags->error_count;
    if (type_strip(type)->kind == TYPE_VAR)
        settle_obligations(infer);
    type = type_of(type);
    bool open = type_strip(type)->kind == TYPE_VAR && type_strip(type)->class == VAR_ANY;
    const AstSegment *name = &expr->method.name;
    Decl *decl = open ? NULL : find_member(infer->lang, type, name->name.text, &self);
    if (type_strip(type)->kind == TYPE_ERROR) {
        infer_all(infer, &expr->method.args);
        return type_poison(infer->lang);
    }
    if (!decl || decl->kind != DECL_FN)
        return method_error(infer, expr, type_strip(type));
    decl = choose_overload(infer, decl, self, &expr->method.args);
    adjust_receiver(infer, expr->method.receiver, type, decl->impl ? self : type);
    Type **generics = call_generics(infer, decl, name, self);
    const Signature *signature = signature_of(infer->lang, decl);
    check_unsafe(infer, decl, name->name.span, expr->span);
    check_member_seen(infer, decl, &name->name);
    if (signature->self_kind == SELF_REF_MUT) {
        check_mutable(infer, expr->method.receiver, "changed by this method");
        change_place(infer, expr->method.receiver);
    }
    put_use(infer, expr, (Use){.kind = USE_DECL, .decl = decl, .generics = generics, .self = self});
    Type *result = type_instantiate(infer->lang, signature->result, generics);
    expect_result(infer, result, expected);
    expect_conversion(infer, expr, decl, type, generics);
    expect_closures(infer, &expr->method.args, signature, generics, false);
    Type **params =
        arena_new(infer->lang->arena, Type *, (size_t)max_i64(1, signature->param_count));
    for (int32_t i = 0; i < signature->param_count; i++)
        params[i] = type_instantiate(infer->lang, signature->params[i], generics);
    check_arguments(infer, decl->name, &expr->method.args, params, signature->param_count,
                    name->name.span);
    infer->body->uses[expr->id - infer->body->first_expr]->broken =
        infer->lang->diags->error_count > errors;
    forgive_generics(infer, &expr->method.args, signature, generics);
    settle_obligations(infer); // what comes next in the chain may need to know
    // once the arguments are known, types made of generics may be, too
    return call_result(infer, decl, type_instantiate(infer->lang, signature->result, generics));
}

// Macro calls: what their arguments are, and what they give.
#include "lang/types/infer_internal.h"

#include "base/checked.h"
#include "lang/syntax/format_text.h"

#include <string.h>

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
                 text->span, "%.*s", STR_ARG(format->problems.items[i].message));
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

Type *infer_macro(Infer *infer, const AstExpr *expr, Type *expected)
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
                          "the macro `%s!` is not part of the language Contra reads", name);
    const AstItem *rules = map_get(&infer->lang->macros, name);
    if (rules) {
        diag_note(diag, rules->name.span, "declared here, behind this call or out of its sight");
        diag_help(diag, "declare it before it is called");
        return type_poison(infer->lang);
    }
    const char *near = NULL;
    for (size_t i = 0; i < COUNT_OF(macros) && !near; i++)
        if (name_distance(name, macros[i].name, 2) <= 2)
            near = macros[i].name;
    if (near) {
        diag_help(diag, "did you mean `%s!`?", near);
        diag_edit(diag, expr->macro.name.span, "%s", near);
    }
    return type_poison(infer->lang);
}

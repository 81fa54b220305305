// Calls of macros in expressions.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"
#include "lang/syntax/format_text.h"

#include <string.h>

// Macros that take expressions. What stands in any other is passed over.
static const char *const readable_macros[] = {
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "print",
    "println",
    "eprint",
    "eprintln",
    "format",
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
    "write",
    "writeln",
    "dbg",
    "debug_assert_eq",
    "debug_assert_ne",
    "include_bytes",
    "include_str",
    "concat",
    "env",
    "option_env",
    "line",
    "column",
    "file",
    "module_path",
    "compile_error",
    "format_args",
    "join",
    "try_join",
    "trace",
    "debug",
    "info",
    "warn",
    "error",
};

// Which argument is the format. Those that log take fields, too.
typedef struct {
    const char *name;
    int64_t format;
    bool logs;
} FormatMacro;

static const FormatMacro formats[] = {
    {"print", 0, false},
    {"println", 0, false},
    {"eprint", 0, false},
    {"eprintln", 0, false},
    {"format", 0, false},
    {"format_args", 0, false},
    {"panic", 0, false},
    {"todo", 0, false},
    {"unimplemented", 0, false},
    {"unreachable", 0, false},
    {"write", 1, false},
    {"writeln", 1, false},
    {"assert", 1, false},
    {"debug_assert", 1, false},
    {"assert_eq", 2, false},
    {"assert_ne", 2, false},
    {"debug_assert_eq", 2, false},
    {"debug_assert_ne", 2, false},
    {"trace", 0, true},
    {"debug", 0, true},
    {"info", 0, true},
    {"warn", 0, true},
    {"error", 0, true},
};

static const struct {
    const char *name, *construct;
} refused_macros[] = {
    {"asm", "inline assembly"},
    {"global_asm", "inline assembly"},
    {"naked_asm", "inline assembly"},
};

static bool is_readable(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(readable_macros); i++)
        if (!strcmp(name, readable_macros[i]))
            return true;
    return false;
}

// exprs, or expr ";" expr
static void parse_args(Parser *parser, AstExpr *expr)
{
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len, count = 0;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstExpr *item = parse_expr(parser);
        *stack_push(parser, AstExpr *) = item;
        if (count++ == 0 && parser_accept(parser, TOKEN_SEMICOLON)) {
            expr->macro.repeats = true;
            item = parse_expr(parser);
            *stack_push(parser, AstExpr *) = item;
            break;
        }
    }
    stack_take(parser, mark, &expr->macro.args, AstExpr *);
    parser_close(parser, group);
}

// name = value
static const char *argument_name(const AstExpr *arg)
{
    bool named = arg->kind == AST_ASSIGN && !arg->binary.compound &&
                 arg->binary.left->kind == AST_PATH && arg->binary.left->path.segments.count == 1;
    return named ? arg->binary.left->path.segments.items[0].name.text : NULL;
}

// Variables that a format names are expressions like others, where their names stand in it.
static void capture(Parser *parser, AstExpr *expr, const AstExpr *text)
{
    for (int64_t i = 0; i < expr->macro.format->captured.count; i++) {
        const FormatName *name = &expr->macro.format->captured.items[i];
        AstExpr *path = expr_new(parser, AST_PATH, parser_start(parser));
        path->span = path->path.span = literal_part(parser, text, name->at, name->end);
        *array_push(parser->arena, &path->path.segments, AstSegment) =
            (AstSegment){.name = {name->name, path->span}};
        *array_push(parser->arena, &expr->macro.captured, AstExpr *) = path;
    }
}

static const FormatMacro *format_macro_named(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (!strcmp(formats[i].name, name))
            return &formats[i];
    return NULL;
}

static void parse_format(Parser *parser, AstExpr *expr)
{
    const FormatMacro *macro = format_macro_named(expr->macro.name.text);
    const AstExprs *args = &expr->macro.args;
    if (!macro || macro->format >= args->count || expr->macro.repeats)
        return;
    int64_t at = macro->format, count = args->count - at - 1;
    const AstExpr *text = args->items[at];
    if (text->kind != AST_LITERAL || text->literal.kind != LITERAL_STRING) {
        bool may_be_text = text->kind == AST_MACRO || text->kind == AST_ERROR || macro->logs;
        if (!may_be_text)
            expr->macro.format =
                format_refused(parser->arena, STR("a format must be a string literal"), count);
        return;
    }
    const char **names = arena_new(parser->arena, const char *, (size_t)max_i64(1, count));
    for (int64_t i = 0; i < count; i++)
        names[i] = argument_name(args->items[at + 1 + i]);
    expr->macro.format =
        format_parse(parser->arena, parser->names, text->literal.text, names, count);
    capture(parser, expr, text);
}

static AstExpr *new_bool(Parser *parser, bool value)
{
    AstExpr *expr = expr_new(parser, AST_LITERAL, parser_start(parser));
    expr->literal.kind = LITERAL_BOOL;
    expr->literal.integer = value;
    return expr;
}

// matches!(expr, pattern if guard) is (match (expr) { pattern if guard => true, _ => false })
static AstExpr *parse_matches(Parser *parser, int64_t start)
{
    AstExpr *expr = expr_new(parser, AST_PAREN, start);
    AstExpr *match = expr_new(parser, AST_MATCH, start);
    AstArm arms[2] = {0};
    Group group = parser_open(parser);
    expr->inner = match;
    match->match.inner = expr_new(parser, AST_PAREN, parser_start(parser)); // may be a structure
    match->match.inner->inner = parse_expr(parser);
    match->match.inner->span = match->match.inner->inner->span;
    parser_expect(parser, TOKEN_COMMA);
    arms[0].pattern = parse_pattern(parser);
    if (parser_accept(parser, TOKEN_IF))
        arms[0].guard = parse_expr(parser);
    parser_accept(parser, TOKEN_COMMA);
    parser_close(parser, group);
    arms[0].body = new_bool(parser, true);
    arms[1].body = new_bool(parser, false);
    arms[1].pattern = arena_new(parser->arena, AstPattern, 1);
    arms[1].pattern->kind = PATTERN_WILDCARD;
    match->span = arms[0].span = arms[1].span = arms[1].pattern->span = parser_span(parser, start);
    for (size_t i = 0; i < COUNT_OF(arms); i++)
        *array_push(parser->arena, &match->match.arms, AstArm) = arms[i];
    return expr;
}

// m![..] where a value should stand. What is not a plain mapping gets no replacement.
static AstExpr *parse_misplaced_mapping(Parser *parser, bool is_plain, int64_t start)
{
    is_plain &= parser_at(parser, TOKEN_OPEN_SQUARE);
    parser_skip_group(parser);
    Span span = parser_span(parser, start);
    Str text = str_slice(parser->text, span.start, span.end);
    Diag *diag = parser_report(parser, DIAG_MAPPING_TEXT, span,
                               "a mapping is a type, and an expression should stand here");
    bool path = parser_at(parser, TOKEN_COLON_COLON);
    if (diag && is_plain) {
        diag_help(diag, path ? "write `<%.*s>::`" : "its size is `<%.*s>::SIZE`", STR_ARG(text));
        diag_edit(diag, span, path ? "<%.*s>" : "<%.*s>::SIZE", STR_ARG(text));
    }
    if (parser_accept(parser, TOKEN_COLON_COLON))
        parse_path(parser, PATH_EXPR);
    return expr_new(parser, AST_ERROR, start);
}

// cfg!(predicate) is true or false.
static AstExpr *parse_cfg(Parser *parser, int64_t start)
{
    Str predicate = parser_plain_text(parser, parser->at + 1, parser_token(parser)->match);
    AstExpr *expr = expr_new(parser, AST_LITERAL, start);
    expr->literal.kind = LITERAL_BOOL;
    parser_skip_group(parser);
    expr->span = parser_span(parser, start);
    expr->literal.integer = parser_cfg_holds(parser, predicate, expr->span);
    return expr;
}

static bool refuse_macro(Parser *parser, const char *name, int64_t start)
{
    for (size_t i = 0; i < COUNT_OF(refused_macros); i++) {
        if (strcmp(name, refused_macros[i].name))
            continue;
        parser_skip_group(parser);
        parser_unsupported(parser, parser_span(parser, start), refused_macros[i].construct);
        return true;
    }
    return false;
}

// path "!" brackets. Requires: at "!", a bracket follows.
AstExpr *parse_macro(Parser *parser, AstPath path, int64_t start)
{
    AstName name = path.segments.items[path.segments.count - 1].name;
    const MacroRules *rules = macro_find(parser, name.text);
    parser_next(parser);
    if (rules)
        return macro_expr(parser, rules, start);
    if (!strcmp(name.text, "m"))
        return parse_misplaced_mapping(parser, path.segments.count == 1, start);
    if (!strcmp(name.text, "matches"))
        return parse_matches(parser, start);
    if (!strcmp(name.text, "cfg"))
        return parse_cfg(parser, start);
    if (refuse_macro(parser, name.text, start))
        return expr_new(parser, AST_ERROR, start);
    AstExpr *expr = expr_new(parser, AST_MACRO, start);
    expr->macro.name = name;
    expr->macro.readable = is_readable(name.text);
    if (!expr->macro.readable) {
        parser_skip_group(parser);
        return expr;
    }
    parse_args(parser, expr);
    parse_format(parser, expr);
    return expr;
}

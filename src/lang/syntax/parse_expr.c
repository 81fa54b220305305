// Expressions: operators and what follows an operand. The operands are in parse_primary.c.
//
//     expr    = range (("=" | "+=" ..) expr)?
//     range   = binary ((".." | "..=") binary?)? | (".." | "..=") binary?
//     binary  = unary (operator unary | "as" type)*, by precedence
//     unary   = ("-" | "!" | "*" | "&" "mut"?)* postfix
//     postfix = primary ("." name args? | "." number | ".await" | "(" exprs ")" | "[" expr "]" |
//     "?")*
//
// Chains to the left are read by loops, so that their length costs no stack.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"
#include "scalar/scalar.h"

AstExpr *expr_new(Parser *parser, AstExprKind kind, int64_t start)
{
    AstExpr *expr = arena_new(parser->arena, AstExpr, 1);
    expr->kind = kind;
    expr->id = parser->next_id++;
    expr->span = parser_span(parser, start);
    return expr;
}

AstExpr *expr_error(Parser *parser)
{
    return expr_new(parser, AST_ERROR, parser_start(parser));
}

bool parser_at_expr(const Parser *parser)
{
    static const bool starts[TOKEN_KIND_COUNT] = {
        [TOKEN_NAME] = true,        [TOKEN_LIFETIME] = true,    [TOKEN_INT] = true,
        [TOKEN_FLOAT] = true,       [TOKEN_STRING] = true,      [TOKEN_BYTES] = true,
        [TOKEN_CHAR] = true,        [TOKEN_BYTE] = true,        [TOKEN_OPEN_PAREN] = true,
        [TOKEN_OPEN_SQUARE] = true, [TOKEN_MINUS] = true,       [TOKEN_STAR] = true,
        [TOKEN_NOT] = true,         [TOKEN_AND] = true,         [TOKEN_AND_AND] = true,
        [TOKEN_OR] = true,          [TOKEN_OR_OR] = true,       [TOKEN_LESS] = true,
        [TOKEN_SHIFT_LEFT] = true,  [TOKEN_COLON_COLON] = true, [TOKEN_IF] = true,
        [TOKEN_MATCH] = true,       [TOKEN_LOOP] = true,        [TOKEN_WHILE] = true,
        [TOKEN_FOR] = true,         [TOKEN_UNSAFE] = true,      [TOKEN_ASYNC] = true,
        [TOKEN_MOVE] = true,        [TOKEN_RETURN] = true,      [TOKEN_BREAK] = true,
        [TOKEN_CONTINUE] = true,    [TOKEN_TRUE] = true,        [TOKEN_FALSE] = true,
        [TOKEN_SELF_VALUE] = true,  [TOKEN_SELF_TYPE] = true,   [TOKEN_SUPER] = true,
        [TOKEN_CRATE] = true,       [TOKEN_DOT_DOT] = true,     [TOKEN_DOT_DOT_EQUAL] = true,
        [TOKEN_UNDERSCORE] = true,  [TOKEN_CONST] = true,
    };
    return starts[parser->kind] || (parser_at(parser, TOKEN_OPEN_BRACE) && !parser->no_struct);
}

// ---- after an operand

static void report_turbofish(Parser *parser, const char *name)
{
    Diag *diag = parser_report(parser, DIAG_TURBOFISH, parser_here(parser),
                               "`{}<` compares in an expression", name);
    if (diag) {
        diag_help(diag, "write `{}::<`", name);
        diag_edit(diag, diag->span, "::<");
    }
}

// Whether token number `at` is an element type, and not a value of one such as `i8::MAX`.
static bool is_element_type(const Parser *parser, int64_t at)
{
    Scalar scalar;
    return scalar_parse(parser_text(parser, at), &scalar) &&
           parser->tokens[at + 1].kind != TOKEN_COLON_COLON;
}

// `.name<m![..`, `.name<i8` and `.name<_`: generic arguments without their `::`. A comparison has a
// blank there.
static bool at_bare_generics(Parser *parser)
{
    const Token *name = &parser->tokens[parser->at];
    TokenKind first = parser_ahead(parser, 2);
    if (parser_ahead(parser, 1) != TOKEN_LESS || name[1].start != token_end(name))
        return false;
    bool is_type = first == TOKEN_NAME && (parser_ahead(parser, 3) == TOKEN_NOT ||
                                           is_element_type(parser, parser->at + 2));
    return is_type || first == TOKEN_UNDERSCORE;
}

// "." (name args? | number | "await")
static AstExpr *parse_method(Parser *parser, AstExpr *receiver)
{
    int64_t start = receiver->span.start;
    AstExpr *expr = expr_new(parser, AST_METHOD, start);
    expr->method.receiver = receiver;
    expr->method.name.name = parser_take_name(parser);
    if (parser_accept(parser, TOKEN_COLON_COLON)) {
        if (parser_at_part(parser, TOKEN_LESS))
            parse_generic_args(parser, &expr->method.name);
        else
            parser_unexpected(parser, "`<` and generic arguments");
    } else if (parser_at(parser, TOKEN_LESS)) {
        report_turbofish(parser, expr->method.name.name.text);
        parse_generic_args(parser, &expr->method.name);
    }
    int64_t args_start = parser_start(parser);
    if (parser_at(parser, TOKEN_OPEN_PAREN)) {
        Group group = parser_open(parser);
        expr->method.args = parse_expr_list(parser, group);
        parser_close(parser, group);
    } else {
        parser_unexpected(parser, "`(`");
    }
    expr->method.args_span = parser_span(parser, args_start);
    return expr;
}

static bool is_plain_number(Str text)
{
    int64_t number;
    return str_to_i64(text, &number);
}

// After ".": a name without brackets or a number
static AstExpr *parse_field(Parser *parser, AstExpr *inner)
{
    AstExpr *expr = expr_new(parser, AST_FIELD, inner->span.start);
    expr->field.inner = inner;
    if (parser_at(parser, TOKEN_INT) && is_plain_number(parser_text(parser, parser->at)))
        expr->field.name = parser_take_name(parser);
    else
        expr->field.name = parse_name(parser, "a field or method");
    return expr;
}

static AstExpr *parse_dot(Parser *parser, AstExpr *inner)
{
    parser_next(parser);
    if (parser_accept(parser, TOKEN_AWAIT)) {
        AstExpr *expr = expr_new(parser, AST_AWAIT, inner->span.start);
        expr->inner = inner;
        return expr;
    }
    TokenKind after = parser_ahead(parser, 1);
    bool method = after == TOKEN_OPEN_PAREN || after == TOKEN_COLON_COLON ||
                  (parser_at(parser, TOKEN_NAME) && at_bare_generics(parser));
    if (parser_at(parser, TOKEN_NAME) && method)
        return parse_method(parser, inner);
    return parse_field(parser, inner);
}

static AstExpr *parse_call(Parser *parser, AstExpr *callee)
{
    AstExpr *expr = expr_new(parser, AST_CALL, callee->span.start);
    Group group = parser_open(parser);
    expr->call.callee = callee;
    expr->call.args = parse_expr_list(parser, group);
    parser_close(parser, group);
    return expr;
}

static AstExpr *parse_index(Parser *parser, AstExpr *inner)
{
    AstExpr *expr = expr_new(parser, AST_INDEX, inner->span.start);
    Group group = parser_open(parser);
    expr->index.inner = inner;
    expr->index.index = parse_expr(parser);
    parser_close(parser, group);
    return expr;
}

static AstExpr *parse_postfix(Parser *parser, AstExpr *expr)
{
    for (;;) {
        switch ((int)parser->kind) {
        case TOKEN_DOT:
        case TOKEN_OPEN_PAREN:
        case TOKEN_OPEN_SQUARE:
        case TOKEN_QUESTION:
            break;
        default:
            return expr;
        }
        if (!parser_link(parser))
            return expr;
        AstExpr *inner = expr;
        if (parser_at(parser, TOKEN_DOT)) {
            expr = parse_dot(parser, inner);
        } else if (parser_at(parser, TOKEN_OPEN_PAREN)) {
            expr = parse_call(parser, inner);
        } else if (parser_at(parser, TOKEN_OPEN_SQUARE)) {
            expr = parse_index(parser, inner);
        } else {
            parser_next(parser);
            expr = expr_new(parser, AST_TRY, inner->span.start);
            expr->inner = inner;
        }
        expr->span = parser_span(parser, inner->span.start);
    }
}

// ---- before an operand

// "let" pattern "=" scrutinee, as a condition
static AstExpr *parse_let(Parser *parser)
{
    int64_t start = parser_start(parser);
    if (!parser->in_condition) {
        parser_unexpected(parser, "an expression");
        return expr_error(parser);
    }
    parser_next(parser);
    AstExpr *expr = expr_new(parser, AST_LET, start);
    expr->loop.pattern = parse_pattern(parser);
    parser_expect(parser, TOKEN_EQUAL);
    parser->in_condition = false;
    expr->loop.inner = parse_scrutinee(parser);
    parser->in_condition = true;
    expr->span = parser_span(parser, start);
    return expr;
}

static bool unary_op(Parser *parser, AstUnaryOp *op)
{
    if (parser_accept(parser, TOKEN_MINUS))
        *op = UNARY_NEGATE;
    else if (parser_accept(parser, TOKEN_NOT))
        *op = UNARY_NOT;
    else if (parser_accept(parser, TOKEN_STAR))
        *op = UNARY_DEREF;
    else if (parser_accept_part(parser, TOKEN_AND))
        *op = parser_accept(parser, TOKEN_MUT) ? UNARY_REF_MUT : UNARY_REF;
    else
        return false;
    return true;
}

// &raw const x, &raw mut x
static void refuse_raw(Parser *parser, int64_t start)
{
    TokenKind after = parser_ahead(parser, 1);
    if (!parser_at_word(parser, "raw") || (after != TOKEN_CONST && after != TOKEN_MUT))
        return;
    parser_next(parser);
    parser_next(parser);
    parser_unsupported(parser, parser_span(parser, start), "a raw pointer");
}

AstExpr *parse_unary(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstUnaryOp op;
    if (parser_at(parser, TOKEN_LET))
        return parse_let(parser);
    if (!unary_op(parser, &op))
        return parse_postfix(parser, parse_primary(parser));
    if (!parser_enter(parser))
        return expr_error(parser);
    AstExpr *expr = expr_new(parser, AST_UNARY, start);
    refuse_raw(parser, start);
    expr->unary.op = op;
    expr->unary.inner = parse_unary(parser);
    expr->span = parser_span(parser, start);
    parser_leave(parser);
    return expr;
}

// ---- between operands

enum { LEVEL_COMPARE = 3, LEVEL_SCRUTINEE = 3, LEVEL_CAST = 10 };

static const struct {
    uint8_t level; // 0: no binary operator; the larger, the tighter
    uint8_t op;
} binary_ops[TOKEN_KIND_COUNT] = {
    [TOKEN_OR_OR] = {1, BINARY_LOR},
    [TOKEN_AND_AND] = {2, BINARY_LAND},
    [TOKEN_EQUAL_EQUAL] = {LEVEL_COMPARE, BINARY_EQ},
    [TOKEN_NOT_EQUAL] = {LEVEL_COMPARE, BINARY_NE},
    [TOKEN_LESS] = {LEVEL_COMPARE, BINARY_LT},
    [TOKEN_LESS_EQUAL] = {LEVEL_COMPARE, BINARY_LE},
    [TOKEN_GREATER] = {LEVEL_COMPARE, BINARY_GT},
    [TOKEN_GREATER_EQUAL] = {LEVEL_COMPARE, BINARY_GE},
    [TOKEN_OR] = {4, BINARY_OR},
    [TOKEN_CARET] = {5, BINARY_XOR},
    [TOKEN_AND] = {6, BINARY_AND},
    [TOKEN_SHIFT_LEFT] = {7, BINARY_SHL},
    [TOKEN_SHIFT_RIGHT] = {7, BINARY_SHR},
    [TOKEN_PLUS] = {8, BINARY_ADD},
    [TOKEN_MINUS] = {8, BINARY_SUB},
    [TOKEN_STAR] = {9, BINARY_MUL},
    [TOKEN_SLASH] = {9, BINARY_DIV},
    [TOKEN_PERCENT] = {9, BINARY_REM},
    [TOKEN_AS] = {LEVEL_CAST, 0},
};

// Types are spelt in camel case: a capital, and small letters after it.
static bool names_type(const AstExpr *expr)
{
    if (expr->kind != AST_PATH)
        return false;
    const AstSegments *segments = &expr->path.segments;
    const AstSegment *last = &segments->items[segments->count - 1];
    bool small = false;
    for (const char *c = last->name.text; *c; c++)
        small |= *c >= 'a' && *c <= 'z';
    return !last->has_args && small && last->name.text[0] >= 'A' && last->name.text[0] <= 'Z';
}

// `Type<..>` in an expression, where `Type::<..>` is meant: reported, and read as that.
static bool mend_turbofish(Parser *parser, AstExpr *expr)
{
    if (!parser_at(parser, TOKEN_LESS) || parser_start(parser) != parser->last_end ||
        !names_type(expr))
        return false;
    AstSegments *segments = &expr->path.segments;
    AstSegment *last = &segments->items[segments->count - 1];
    report_turbofish(parser, last->name.text);
    parse_generic_args(parser, last);
    if (parser_at(parser, TOKEN_COLON_COLON)) {
        AstSegments rest = {0};
        parser_next(parser);
        rest = parse_path(parser, PATH_EXPR).segments;
        for (int64_t i = 0; i < rest.count; i++)
            *array_push(parser->arena, segments, AstSegment) = rest.items[i];
    }
    expr->path.span = expr->span = parser_span(parser, expr->span.start);
    return true;
}

static AstExpr *parse_cast(Parser *parser, AstExpr *inner)
{
    AstExpr *expr = expr_new(parser, AST_CAST, inner->span.start);
    expr->cast.inner = inner;
    parser_next(parser);
    expr->cast.type = parse_type(parser);
    expr->span = parser_span(parser, inner->span.start);
    return expr;
}

static bool is_comparison(const AstExpr *expr)
{
    return expr->kind == AST_BINARY && expr->binary.op >= BINARY_EQ && expr->binary.op <= BINARY_GE;
}

// a < b < c; once, however long the chain is.
static void refuse_chained_comparison(Parser *parser, const AstExpr *left, int level)
{
    if (level != LEVEL_COMPARE || !is_comparison(left) || is_comparison(left->binary.left))
        return;
    Diag *diag = parser_report(parser, DIAG_SYNTAX, parser_here(parser),
                               "comparisons cannot follow each other");
    if (diag && left->binary.op == BINARY_LT && parser_at(parser, TOKEN_GREATER))
        diag_help(diag, "generic arguments in an expression are written `::<..>`");
    else if (diag)
        diag_help(diag, "write `a < b && b < c`, or put one of them in brackets");
}

static AstExpr *parse_binary(Parser *parser, int least);

// Goes on after `left` with operators of at least a level.
static AstExpr *parse_binary_rest(Parser *parser, AstExpr *left, int least)
{
    for (;;) {
        int level = binary_ops[parser->kind].level;
        if (level == 0 || level < least)
            return left;
        if (mend_turbofish(parser, left)) {
            left = parse_postfix(parser, left);
            continue;
        }
        if (!parser_link(parser))
            return left;
        if (level == LEVEL_CAST) {
            left = parse_cast(parser, left);
            continue;
        }
        refuse_chained_comparison(parser, left, level);
        AstExpr *expr = expr_new(parser, AST_BINARY, left->span.start);
        expr->binary.op = binary_ops[parser->kind].op;
        expr->binary.op_span = parser_here(parser);
        expr->binary.left = left;
        parser_next(parser);
        expr->binary.right = parse_binary(parser, level + 1);
        expr->span = parser_span(parser, left->span.start);
        left = expr;
    }
}

static AstExpr *parse_binary(Parser *parser, int least)
{
    return parse_binary_rest(parser, parse_unary(parser), least);
}

AstExpr *parse_scrutinee(Parser *parser)
{
    return parse_binary(parser, LEVEL_SCRUTINEE);
}

// ---- ranges and assignments

static bool at_range(const Parser *parser)
{
    return parser_at(parser, TOKEN_DOT_DOT) || parser_at(parser, TOKEN_DOT_DOT_EQUAL);
}

// (".." | "..=") binary?; `low` may be NULL
static AstExpr *parse_range(Parser *parser, AstExpr *low)
{
    int64_t start = low ? low->span.start : parser_start(parser);
    AstExpr *expr = expr_new(parser, AST_RANGE, start);
    expr->range.low = low;
    expr->range.inclusive = parser_at(parser, TOKEN_DOT_DOT_EQUAL);
    parser_next(parser);
    if (expr->range.inclusive || (parser_at_expr(parser) && !at_range(parser)))
        expr->range.high = parse_binary(parser, 1);
    expr->span = parser_span(parser, start);
    return expr;
}

// Which binary operator is in an assignment; BINARY_COUNT: none. Requires: at_assignment.
static const struct {
    bool assigns;
    uint8_t op;
} assign_ops[TOKEN_KIND_COUNT] = {
    [TOKEN_EQUAL] = {true, BINARY_COUNT},           [TOKEN_PLUS_EQUAL] = {true, BINARY_ADD},
    [TOKEN_MINUS_EQUAL] = {true, BINARY_SUB},       [TOKEN_STAR_EQUAL] = {true, BINARY_MUL},
    [TOKEN_SLASH_EQUAL] = {true, BINARY_DIV},       [TOKEN_PERCENT_EQUAL] = {true, BINARY_REM},
    [TOKEN_AND_EQUAL] = {true, BINARY_AND},         [TOKEN_OR_EQUAL] = {true, BINARY_OR},
    [TOKEN_CARET_EQUAL] = {true, BINARY_XOR},       [TOKEN_SHIFT_LEFT_EQUAL] = {true, BINARY_SHL},
    [TOKEN_SHIFT_RIGHT_EQUAL] = {true, BINARY_SHR},
};

static AstExpr *parse_assignment(Parser *parser, AstExpr *left)
{
    AstExpr *expr = expr_new(parser, AST_ASSIGN, left->span.start);
    expr->binary.compound = !parser_at(parser, TOKEN_EQUAL);
    expr->binary.op = expr->binary.compound ? assign_ops[parser->kind].op : BINARY_ADD;
    expr->binary.op_span = parser_here(parser);
    expr->binary.left = left;
    parser_next(parser);
    expr->binary.right = parse_expr(parser);
    expr->span = parser_span(parser, left->span.start);
    return expr;
}

// What may follow an operand that is read already.
static AstExpr *parse_rest(Parser *parser, AstExpr *left)
{
    left = parse_binary_rest(parser, left, 1);
    if (at_range(parser))
        left = parse_range(parser, left);
    return assign_ops[parser->kind].assigns ? parse_assignment(parser, left) : left;
}

// ---- the whole

// What was not read to its end is no expression, but keeps what was read of it.
static AstExpr *unfinished(Parser *parser, AstExpr *part)
{
    if (part->kind == AST_ERROR)
        return part;
    AstExpr *expr = expr_new(parser, AST_ERROR, part->span.start);
    expr->span = part->span;
    expr->inner = part;
    return expr;
}

// The height of the tree is that of the highest of the expressions read one after the other.
static AstExpr *parse_counted(Parser *parser, AstExpr *(*parse)(Parser *))
{
    if (!parser_enter(parser))
        return expr_error(parser);
    int32_t height = parser->height;
    parser->height = 0;
    AstExpr *expr = parse(parser);
    if (parser_broken(parser)) {
        expr = unfinished(parser, expr);
        parser->height = 0;
    }
    parser->height = height > parser->height + 1 ? height : parser->height + 1;
    parser_leave(parser);
    return expr;
}

static AstExpr *parse_whole(Parser *parser)
{
    if (at_range(parser))
        return parse_range(parser, NULL);
    return parse_rest(parser, parse_unary(parser));
}

AstExpr *parse_expr(Parser *parser)
{
    return parse_counted(parser, parse_whole);
}

// A macro with braces ends a statement as a block does.
static bool at_brace_macro(const Parser *parser)
{
    return parser_at_macro(parser, NULL) && parser_ahead(parser, 2) == TOKEN_OPEN_BRACE;
}

// `if x { } - 1` is two statements, `if x { }.f()` is one.
static AstExpr *parse_block_statement(Parser *parser)
{
    AstExpr *expr = parse_primary(parser);
    if (!parser_at(parser, TOKEN_DOT) && !parser_at(parser, TOKEN_QUESTION))
        return expr;
    return parse_rest(parser, parse_postfix(parser, expr));
}

// Whether nothing followed the block or macro that an expression started with.
static bool is_block_alone(const AstExpr *expr)
{
    switch ((int)expr->kind) {
    case AST_BLOCK:
    case AST_IF:
    case AST_MATCH:
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_MACRO:
    case AST_INDEX_MACRO:
    case AST_PAREN: // of matches!
    case AST_ERROR:
        return true;
    }
    return false;
}

AstExpr *parse_statement_expr(Parser *parser, bool *ends)
{
    bool block = parser_at_block_like(parser) || at_brace_macro(parser);
    AstExpr *expr = parse_counted(parser, block ? parse_block_statement : parse_whole);
    *ends = block && is_block_alone(expr);
    return expr;
}

AstExprs parse_expr_list(Parser *parser, Group group)
{
    AstExprs items = {0};
    int64_t mark = parser->stack.len;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstAttributes attributes = parse_attributes(parser, NULL);
        AstExpr *item = parse_expr(parser);
        if (!attributes.is_off)
            *stack_push(parser, AstExpr *) = item;
    }
    stack_take(parser, mark, &items, AstExpr *);
    return items;
}

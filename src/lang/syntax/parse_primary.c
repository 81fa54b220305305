// Operands: paths, brackets, blocks, control flow, closures.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"

// ---- paths and structures

// field = name (":" expr)?
static void parse_field_value(Parser *parser, AstExpr *expr)
{
    bool number = parser_at(parser, TOKEN_INT) && parser_ahead(parser, 1) == TOKEN_COLON;
    int64_t start = parser_start(parser);
    AstName name = number ? parser_take_name(parser) : parse_name(parser, "a field");
    AstExpr *value;
    if (parser_accept(parser, TOKEN_COLON)) {
        value = parse_expr(parser);
    } else { // `x` is short for `x: x`
        value = expr_new(parser, AST_PATH, start);
        value->path.span = name.span;
        *array_push(parser->arena, &value->path.segments, AstSegment) = (AstSegment){.name = name};
    }
    *array_push(parser->arena, &expr->structure.names, AstName) = name;
    *array_push(parser->arena, &expr->structure.values, AstExpr *) = value;
}

// path "{" (field ("," field)* ","?)? (".." expr)? "}"
static AstExpr *parse_struct(Parser *parser, AstPath path, int64_t start)
{
    AstExpr *expr = expr_new(parser, AST_STRUCT, start);
    Group group = parser_open(parser);
    expr->structure.path = path;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstAttributes attributes = parse_attributes(parser, NULL);
        if (parser_accept(parser, TOKEN_DOT_DOT)) {
            expr->structure.base = parse_expr(parser);
            break;
        }
        parse_field_value(parser, expr);
        expr->structure.names.count -= attributes.is_off;
        expr->structure.values.count -= attributes.is_off;
    }
    parser_close(parser, group);
    expr->span = parser_span(parser, start);
    return expr;
}

static AstExpr *parse_path_expr(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstPath path = parse_path(parser, PATH_EXPR);
    if (parser_at(parser, TOKEN_NOT) && token_opens(parser_ahead(parser, 1)))
        return parse_macro(parser, path, start);
    if (parser_at(parser, TOKEN_OPEN_BRACE) && !parser->no_struct)
        return parse_struct(parser, path, start);
    AstExpr *expr = expr_new(parser, AST_PATH, start);
    expr->path = path;
    return expr;
}

// ---- brackets

// "(" exprs ")": (a) is a in brackets, (a,) a tuple
static AstExpr *parse_paren(Parser *parser)
{
    int64_t start = parser_start(parser), mark = parser->stack.len;
    bool comma = false;
    AstExpr *expr = expr_new(parser, AST_TUPLE, start);
    Group group = parser_open(parser);
    for (bool more = parser_in_group(parser, group); more;) {
        AstAttributes attributes = parse_attributes(parser, NULL);
        AstExpr *item = parse_expr(parser);
        if (!attributes.is_off)
            *stack_push(parser, AstExpr *) = item;
        comma |= parser_at(parser, TOKEN_COMMA);
        more = parser_comma(parser, group);
    }
    stack_take(parser, mark, &expr->items, AstExpr *);
    parser_close(parser, group);
    if (expr->items.count == 1 && !comma) {
        expr->kind = AST_PAREN;
        expr->inner = expr->items.items[0];
    }
    return expr;
}

// "[" exprs "]" | "[" expr ";" expr "]"
static AstExpr *parse_array(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_ARRAY, parser_start(parser));
    int64_t mark = parser->stack.len, count = 0;
    Group group = parser_open(parser);
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstAttributes attributes = parse_attributes(parser, NULL);
        AstExpr *item = parse_expr(parser);
        if (!attributes.is_off)
            *stack_push(parser, AstExpr *) = item;
        if (count++ == 0 && parser_accept(parser, TOKEN_SEMICOLON)) {
            expr->kind = AST_REPEAT;
            parser->stack.len = mark;
            expr->repeat.value = item;
            expr->repeat.count = parse_expr(parser);
            break;
        }
    }
    if (expr->kind == AST_ARRAY)
        stack_take(parser, mark, &expr->items, AstExpr *);
    parser_close(parser, group);
    return expr;
}

// ---- blocks and control flow

AstExpr *parse_block_expr(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_BLOCK, parser_start(parser));
    expr->block.body = parse_block(parser);
    expr->span = expr->block.body->span;
    return expr;
}

// In the head of if, while, for and match `{` opens the body.
static AstExpr *parse_head(Parser *parser, bool condition)
{
    bool no_struct = parser->no_struct, in_condition = parser->in_condition;
    parser->no_struct = true;
    parser->in_condition = condition;
    AstExpr *head = parse_expr(parser);
    parser->no_struct = no_struct;
    parser->in_condition = in_condition;
    return head;
}

// After a block of an `if`: the name before another block can only be a misspelt `else`.
static bool accept_else(Parser *parser)
{
    if (parser_accept(parser, TOKEN_ELSE))
        return true;
    static const char *const wrong[] = {"elif", "elsif", "elseif", "esle", "els", "elese"};
    bool two = parser_ahead(parser, 1) == TOKEN_OPEN_BRACE;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        if (!parser_at_word(parser, wrong[i]) || (i >= 3 && !two))
            continue;
        Span span = parser_here(parser);
        Diag *diag = parser_report(parser, DIAG_KEYWORD, span, "`{}` is no keyword", wrong[i]);
        if (diag)
            diag_replace(diag, span, "{}", i < 3 ? "else if" : "else");
        if (i < 3) { // it stands for two words, the second of which is `if`
            parser->tokens[parser->at].kind = TOKEN_IF;
            parser_resume(parser, parser->at);
        } else {
            parser_next(parser);
        }
        return true;
    }
    return false;
}

// "if" expr block ("else" "if" expr block)* ("else" block)?, without calling itself
static AstExpr *parse_if(Parser *parser)
{
    AstExpr *first = NULL, **link = &first;
    for (;;) {
        AstExpr *expr = expr_new(parser, AST_IF, parser_start(parser));
        *link = expr;
        parser_next(parser);
        expr->branch.condition = parse_head(parser, true);
        expr->branch.then = parse_block(parser);
        link = &expr->branch.otherwise;
        if (!accept_else(parser))
            break;
        if (parser_at(parser, TOKEN_IF) && parser_link(parser))
            continue;
        *link = parse_block_expr(parser);
        break;
    }
    for (AstExpr *expr = first; expr && expr->kind == AST_IF; expr = expr->branch.otherwise)
        expr->span = parser_span(parser, expr->span.start);
    return first;
}

// arm = "|"? pattern ("if" expr)? "=>" expr
static AstArm parse_arm(Parser *parser, Group group)
{
    AstArm arm = {0};
    int64_t start = parser_start(parser);
    bool ends = false;
    arm.pattern = parse_pattern(parser);
    if (parser_accept(parser, TOKEN_IF)) {
        parser->in_condition = true;
        arm.guard = parse_expr(parser);
        parser->in_condition = false;
    }
    parser_expect(parser, TOKEN_FAT_ARROW);
    arm.body = parse_statement_expr(parser, &ends);
    arm.span = parser_span(parser, start);
    if (!ends || parser_at(parser, TOKEN_COMMA) || parser_broken(parser))
        parser_comma(parser, group);
    return arm;
}

// "match" expr "{" arm ("," arm)* ","? "}"; after a body in braces the comma may be missing
static AstExpr *parse_match(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_MATCH, parser_start(parser));
    parser_next(parser);
    expr->match.inner = parse_head(parser, false);
    if (!parser_at(parser, TOKEN_OPEN_BRACE)) {
        parser_unexpected(parser, "`{`");
        return expr;
    }
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len;
    parse_inner_attributes(parser);
    while (parser_in_group(parser, group)) {
        AstAttributes attributes = parse_attributes(parser, NULL);
        AstArm arm = parse_arm(parser, group);
        if (!attributes.is_off)
            *stack_push(parser, AstArm) = arm;
    }
    stack_take(parser, mark, &expr->match.arms, AstArm);
    parser_close(parser, group);
    return expr;
}

static AstExpr *parse_while(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_WHILE, parser_start(parser));
    parser_next(parser);
    expr->loop.inner = parse_head(parser, true);
    expr->loop.body = parse_block(parser);
    return expr;
}

static AstExpr *parse_loop(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_LOOP, parser_start(parser));
    parser_next(parser);
    expr->loop.body = parse_block(parser);
    return expr;
}

// "for" pattern "in" expr block
static AstExpr *parse_for(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_FOR, parser_start(parser));
    parser_next(parser);
    expr->loop.pattern = parse_pattern(parser);
    parser_expect(parser, TOKEN_IN);
    expr->loop.inner = parse_head(parser, false);
    expr->loop.body = parse_block(parser);
    return expr;
}

// ("unsafe" | "async" "move"?) block
static AstExpr *parse_marked_block(Parser *parser)
{
    int64_t start = parser_start(parser);
    bool is_async = parser_at(parser, TOKEN_ASYNC);
    parser_next(parser);
    bool is_move = is_async && parser_accept(parser, TOKEN_MOVE);
    int32_t first_id = parser->next_id;
    AstExpr *expr = parse_block_expr(parser);
    expr->block.first_id = first_id;
    expr->block.end_id = parser->next_id;
    expr->block.is_async = is_async;
    expr->block.is_unsafe = !is_async;
    expr->block.is_move = is_move;
    expr->span.start = start;
    return expr;
}

// 'label ":" (loop | block)
static AstExpr *parse_labelled(Parser *parser)
{
    int64_t start = parser_start(parser);
    const char *label = parser_take_name(parser).text;
    parser_expect(parser, TOKEN_COLON);
    if (!parser_at_block_like(parser) || parser_at(parser, TOKEN_LIFETIME) ||
        parser_at(parser, TOKEN_IF) || parser_at(parser, TOKEN_MATCH)) {
        parser_unexpected(parser, "a loop or a block");
        return expr_error(parser);
    }
    AstExpr *expr = parse_block_like(parser);
    if (expr->kind == AST_BLOCK)
        expr->block.label = label;
    else
        expr->loop.label = label;
    expr->span.start = start;
    return expr;
}

bool parser_at_block_like(const Parser *parser)
{
    TokenKind next = parser_broken(parser) ? TOKEN_BROKEN : parser_ahead(parser, 1);
    switch ((int)parser->kind) {
    case TOKEN_OPEN_BRACE:
    case TOKEN_IF:
    case TOKEN_MATCH:
    case TOKEN_LOOP:
    case TOKEN_WHILE:
    case TOKEN_FOR:
        return true;
    case TOKEN_UNSAFE:
        return next == TOKEN_OPEN_BRACE;
    case TOKEN_ASYNC:
        return next == TOKEN_OPEN_BRACE ||
               (next == TOKEN_MOVE && parser_ahead(parser, 2) == TOKEN_OPEN_BRACE);
    case TOKEN_LIFETIME:
        return next == TOKEN_COLON;
    }
    return false;
}

static AstExpr *parse_any_block_like(Parser *parser)
{
    switch ((int)parser->kind) {
    case TOKEN_IF:
        return parse_if(parser);
    case TOKEN_MATCH:
        return parse_match(parser);
    case TOKEN_LOOP:
        return parse_loop(parser);
    case TOKEN_WHILE:
        return parse_while(parser);
    case TOKEN_FOR:
        return parse_for(parser);
    case TOKEN_LIFETIME:
        return parse_labelled(parser);
    case TOKEN_UNSAFE:
    case TOKEN_ASYNC:
        return parse_marked_block(parser);
    }
    return parse_block_expr(parser);
}

AstExpr *parse_block_like(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstExpr *expr = parse_any_block_like(parser);
    expr->span = parser_span(parser, start);
    return expr;
}

// ---- closures and jumps

// "|" (pattern (":" type)?),* "|" ("->" type)? expr, after "async"? "move"?
AstExpr *parse_closure(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_CLOSURE, parser_start(parser));
    int64_t mark = parser->stack.len;
    expr->closure.is_async = parser_accept(parser, TOKEN_ASYNC);
    expr->closure.is_move = parser_accept(parser, TOKEN_MOVE);
    if (!parser_accept_part(parser, TOKEN_OR))
        parser_unexpected(parser, "`|` and the parameters of a closure");
    while (!parser_broken(parser) && !parser_at(parser, TOKEN_OR)) {
        AstParam param = {0};
        bool is_off = parse_attributes(parser, NULL).is_off;
        param.pattern = parse_single_pattern(parser);
        if (parser_accept(parser, TOKEN_COLON))
            param.type = parse_type(parser);
        if (!is_off)
            *stack_push(parser, AstParam) = param;
        if (!parser_accept(parser, TOKEN_COMMA))
            break;
    }
    stack_take(parser, mark, &expr->closure.params, AstParam);
    if (!parser_accept(parser, TOKEN_OR))
        parser_unexpected(parser, "`,` or `|`");
    expr->closure.result = parse_result_type(parser);
    expr->closure.body = expr->closure.result ? parse_block_expr(parser) : parse_expr(parser);
    expr->closure.end_id = parser->next_id;
    return expr;
}

// "return" expr?
static AstExpr *parse_return(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_RETURN, parser_start(parser));
    parser_next(parser);
    if (parser_at_expr(parser))
        expr->inner = parse_expr(parser);
    return expr;
}

// ("break" 'label? expr? | "continue" 'label?)
static AstExpr *parse_jump(Parser *parser)
{
    bool is_break = parser_at(parser, TOKEN_BREAK);
    AstExpr *expr = expr_new(parser, is_break ? AST_BREAK : AST_CONTINUE, parser_start(parser));
    parser_next(parser);
    if (parser_at(parser, TOKEN_LIFETIME) && parser_ahead(parser, 1) != TOKEN_COLON)
        expr->jump.label = parser_take_name(parser).text;
    if (is_break && parser_at_expr(parser))
        expr->jump.inner = parse_expr(parser);
    return expr;
}

// ---- the whole

// What Rust has and the language does not, by the word it starts with.
static const struct {
    const char *word, *construct;
} refused_words[] = {
    {"yield", "`yield`, as in generators"},
    {"box", "`box` expressions"},
    {"become", "`become`, a call in place of the present one"},
    {"do", "`do`"},
};

// A word of these before an operand.
static bool refuse_word(Parser *parser)
{
    TokenKind next = parser_ahead(parser, 1);
    bool operand = next == TOKEN_NAME || (next >= TOKEN_INT && next <= TOKEN_BYTE);
    for (size_t i = 0; operand && i < COUNT_OF(refused_words); i++) {
        if (!parser_at_word(parser, refused_words[i].word))
            continue;
        int64_t start = parser_start(parser);
        parser_next(parser);
        parser_unsupported(parser, parser_span(parser, start), refused_words[i].construct);
        parser_break(parser);
        return true;
    }
    return false;
}

// "const" block is a block; const and static closures are refused
static AstExpr *parse_after_const(Parser *parser)
{
    int64_t start = parser_start(parser);
    bool is_const = parser_at(parser, TOKEN_CONST);
    parser_next(parser);
    if (is_const && parser_at(parser, TOKEN_OPEN_BRACE))
        return parse_block_expr(parser);
    parser_unsupported(parser, parser_span(parser, start),
                       is_const ? "`const` before an expression" : "`static` before an expression");
    return expr_new(parser, AST_ERROR, start);
}

// `...` where a value is left out: reported, and read as a value, so that the rest is read.
static AstExpr *parse_elided(Parser *parser)
{
    int64_t start = parser_start(parser);
    Span span = {parser->source, start, token_end(parser_token(parser))};
    Diag *diag =
        parser_report(parser, DIAG_ELIDED, span,
                      "`...` stands where an expression should stand: something was left out");
    if (diag) {
        diag_help(diag, "a value that does not exist yet is `todo!()`");
        diag_edit(diag, span, "todo!()");
    }
    parser_next(parser);
    return expr_new(parser, AST_ERROR, start);
}

// `_` where something is assigned to: (_, a) = f();
static AstExpr *parse_underscore(Parser *parser)
{
    AstExpr *expr = expr_new(parser, AST_PATH, parser_start(parser));
    AstName name = parser_take_name(parser);
    expr->path.span = name.span;
    *array_push(parser->arena, &expr->path.segments, AstSegment) = (AstSegment){.name = name};
    return expr;
}

static AstExpr *parse_any_primary(Parser *parser)
{
    switch ((int)parser->kind) {
    case TOKEN_NAME:
        if (refuse_word(parser))
            return expr_error(parser);
        if (parser_at_macro(parser, "i"))
            return parse_index_macro(parser);
        return parse_path_expr(parser);
    case TOKEN_INT:
    case TOKEN_FLOAT:
    case TOKEN_STRING:
    case TOKEN_BYTES:
    case TOKEN_CHAR:
    case TOKEN_BYTE:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        return parse_literal(parser);
    case TOKEN_OPEN_PAREN:
        return parse_paren(parser);
    case TOKEN_OPEN_SQUARE:
        return parse_array(parser);
    case TOKEN_OR:
    case TOKEN_OR_OR:
    case TOKEN_MOVE:
        return parse_closure(parser);
    case TOKEN_RETURN:
        return parse_return(parser);
    case TOKEN_BREAK:
    case TOKEN_CONTINUE:
        return parse_jump(parser);
    case TOKEN_UNDERSCORE:
        return parse_underscore(parser);
    case TOKEN_ELLIPSIS:
        return parse_elided(parser);
    case TOKEN_CONST:
    case TOKEN_STATIC:
        return parse_after_const(parser);
    }
    if (parser_at_block_like(parser))
        return parse_block_like(parser);
    if (parser_at(parser, TOKEN_ASYNC))
        return parse_closure(parser);
    if (parser_at_path(parser))
        return parse_path_expr(parser);
    parser_unexpected(parser, "an expression");
    return expr_error(parser);
}

AstExpr *parse_primary(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstExpr *expr = parse_any_primary(parser);
    expr->span = parser_span(parser, start);
    return expr;
}

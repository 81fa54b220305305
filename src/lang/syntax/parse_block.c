// Statements and blocks.
#include "lang/syntax/parse_internal.h"

// "let" pattern (":" type)? ("=" expr ("else" block)?)? ";"
static AstStatement parse_let(Parser *parser)
{
    AstStatement statement = {.kind = STATEMENT_LET};
    parser_next(parser);
    statement.pattern = parse_pattern(parser);
    if (parser_accept(parser, TOKEN_COLON))
        statement.type = parse_type(parser);
    if (parser_accept(parser, TOKEN_EQUAL)) {
        statement.value = parse_expr(parser);
        if (parser_accept(parser, TOKEN_ELSE))
            statement.otherwise = parse_block(parser);
    } else if (!parser_at(parser, TOKEN_SEMICOLON)) {
        parser_unexpected(parser, statement.type ? "`=` or `;`" : "`:`, `=` or `;`");
        statement.value = expr_error(parser);
    }
    parser_expect_semicolon(parser);
    return statement;
}

// expr ";" | expr that ends in a block | expr at the end of the block, which is its value
static AstStatement parse_expr_statement(Parser *parser, int64_t limit, AstExpr **tail)
{
    AstStatement statement = {.kind = STATEMENT_EXPR};
    bool ends;
    statement.value = parse_statement_expr(parser, &ends);
    if (parser_broken(parser) || parser_accept(parser, TOKEN_SEMICOLON))
        return statement;
    if (parser->at >= limit)
        *tail = statement.value;
    else if (!ends)
        parser_expect_semicolon(parser);
    return statement;
}

// Two words in a row, the first of which is a name: no expression starts so.
static bool at_two_words(const Parser *parser)
{
    if (!parser_at(parser, TOKEN_NAME) || parser->tokens[parser->at + 1].flags & TOKEN_FIRST)
        return false;
    TokenKind next = parser_ahead(parser, 1);
    return next == TOKEN_NAME || next == TOKEN_MUT || next == TOKEN_UNDERSCORE ||
           next == TOKEN_INT || next == TOKEN_FN || next == TOKEN_STRUCT;
}

static AstStatement parse_statement(Parser *parser, int64_t limit, AstExpr **tail)
{
    int64_t start = parser_start(parser);
    Str docs = {0};
    AstAttributes attributes = parse_attributes(parser, &docs);
    AstStatement statement = {.kind = STATEMENT_ITEM};
    if (at_two_words(parser) && !parser_at_item(parser))
        parser_mend_keyword(parser);
    if (parser_at_item(parser))
        statement.item = parse_item(parser, attributes, docs, start);
    else if (parser_at(parser, TOKEN_LET))
        statement = parse_let(parser);
    else if (parser->at < limit)
        statement = parse_expr_statement(parser, limit, tail);
    else if (attributes.count)
        parser_unexpected(parser, "what the attribute is about");
    if (statement.item && attributes.is_off)
        parser_leave_out(parser, &attributes, statement.item->name.text);
    if (attributes.is_off || (statement.item && statement.item->attributes.is_off)) {
        statement = (AstStatement){.kind = STATEMENT_ITEM};
        *tail = NULL;
    }
    statement.span = parser_span(parser, start);
    return statement;
}

// Goes on behind a statement. What is said of one that has no end most likely follows from that;
// and if it is the last one, nobody knows the value of the block.
static void finish_statement(Parser *parser, const AstStatement *statement, int64_t start,
                             int64_t limit, StatementList *list)
{
    bool is_broken = parser_broken(parser), is_open = is_broken || parser->lacks_semicolon;
    parser->lacks_semicolon = false;
    if (is_broken)
        parser_recover(parser, start, limit);
    if (statement->kind == STATEMENT_ITEM || !(is_open || parser->unclosed_count))
        return;
    AstSpans *unfinished = &parser->unfinished;
    Span span = parser_span(parser, statement->span.start);
    while (unfinished->count && unfinished->items[unfinished->count - 1].start >= span.start)
        unfinished->count--; // it is a part of this one
    *array_push(parser->arena, unfinished, Span) = span;
    if (parser->at >= limit && !list->tail)
        list->tail = expr_error(parser);
}

StatementList parse_statements(Parser *parser, int64_t limit)
{
    StatementList list = {0};
    int64_t mark = parser->stack.len, unclosed = parser->unclosed_count;
    while (parser->at < limit) {
        int64_t start = parser->at;
        if (parser_accept(parser, TOKEN_SEMICOLON))
            continue;
        const MacroRules *rules = macro_at(parser, limit);
        if (rules) {
            macro_statements(parser, rules, limit, &list.tail);
            continue;
        }
        parser->unclosed_count = 0;
        parser->lacks_semicolon = false;
        AstStatement statement = parse_statement(parser, limit, &list.tail);
        bool empty = statement.kind == STATEMENT_ITEM && !statement.item;
        if (!list.tail && !empty)
            *stack_push(parser, AstStatement) = statement;
        finish_statement(parser, &statement, start, limit, &list);
    }
    parser->unclosed_count = unclosed;
    stack_take(parser, mark, &list.statements, AstStatement);
    return list;
}

AstBlock *parse_block_with(Parser *parser, AstAttributes *inner)
{
    AstBlock *block = arena_new(parser->arena, AstBlock, 1);
    int64_t start = parser_start(parser);
    block->span = parser_span(parser, start);
    if (!parser_at(parser, TOKEN_OPEN_BRACE)) {
        parser_unexpected(parser, "`{`");
        return block;
    }
    Group group = parser_open(parser);
    *inner = parse_inner_attributes(parser);
    StatementList list = parse_statements(parser, parser->tokens[group.token].match);
    block->statements.items = list.statements.items;
    block->statements.count = list.statements.count;
    block->statements.capacity = list.statements.capacity;
    block->tail = list.tail;
    parser_close(parser, group);
    block->span = parser_span(parser, start);
    return block;
}

AstBlock *parse_block(Parser *parser)
{
    AstAttributes inner;
    return parse_block_with(parser, &inner);
}

// Patterns.
#include "lang/syntax/parse_internal.h"

static AstPattern *pattern_new(Parser *parser, AstPatternKind kind)
{
    AstPattern *pattern = arena_new(parser->arena, AstPattern, 1);
    pattern->kind = kind;
    return pattern;
}

// ---- ranges and literals

// A literal, or the sign before one.
static bool at_number(const Parser *parser)
{
    return parser_at_literal(parser) || parser_at(parser, TOKEN_MINUS);
}

// end = "-"? literal | path
static AstExpr *parse_range_end(Parser *parser)
{
    int64_t start = parser_start(parser);
    if (parser_accept(parser, TOKEN_MINUS)) {
        AstExpr *negated = expr_new(parser, AST_UNARY, start);
        negated->unary.op = UNARY_NEGATE;
        negated->unary.inner = parse_literal(parser);
        negated->span = parser_span(parser, start);
        return negated;
    }
    if (!parser_at_path(parser))
        return parse_literal(parser);
    AstExpr *path = expr_new(parser, AST_PATH, start);
    path->path = parse_path(parser, PATH_EXPR);
    path->span = path->path.span;
    return path;
}

static bool at_range(const Parser *parser)
{
    return parser_at(parser, TOKEN_DOT_DOT) || parser_at(parser, TOKEN_DOT_DOT_EQUAL) ||
           parser_at(parser, TOKEN_ELLIPSIS);
}

// After its low end, if it has one: (".." | "..=") end, or "..", without an end
static void parse_range_rest(Parser *parser, AstPattern *pattern)
{
    if (parser_at(parser, TOKEN_ELLIPSIS)) {
        Span span = parser_here(parser);
        Diag *diag = parser_report(parser, DIAG_ELIDED, span, "a range is not written with `...`");
        if (diag)
            diag_replace(diag, span, "..=");
    }
    pattern->inclusive = !parser_at(parser, TOKEN_DOT_DOT);
    parser_next(parser);
    bool has_end = at_number(parser) || parser_at_path(parser);
    pattern->is_range = true;
    if (pattern->inclusive || has_end)
        pattern->high = parse_range_end(parser);
}

// literal = end ((".." | "..=") end?)?
static AstPattern *parse_literal_pattern(Parser *parser)
{
    AstPattern *pattern = pattern_new(parser, PATTERN_LITERAL);
    pattern->low = parse_range_end(parser);
    if (at_range(parser))
        parse_range_rest(parser, pattern);
    return pattern;
}

// ".." alone, or a range without a low end
static AstPattern *parse_dots(Parser *parser)
{
    bool rest = parser_at(parser, TOKEN_DOT_DOT) && parser_ahead(parser, 1) != TOKEN_INT &&
                parser_ahead(parser, 1) != TOKEN_MINUS && parser_ahead(parser, 1) != TOKEN_CHAR;
    if (rest) {
        parser_next(parser);
        return pattern_new(parser, PATTERN_REST);
    }
    AstPattern *pattern = pattern_new(parser, PATTERN_LITERAL);
    parse_range_rest(parser, pattern);
    return pattern;
}

// ---- lists

// The patterns of a bracket. *comma: one follows the last.
static void parse_list(Parser *parser, AstPatterns *items, bool *comma)
{
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len;
    *comma = false;
    for (bool more = parser_in_group(parser, group); more;) {
        parse_attributes(parser, NULL);
        AstPattern *item = parse_pattern(parser);
        *stack_push(parser, AstPattern *) = item;
        *comma = parser_at(parser, TOKEN_COMMA);
        more = parser_comma(parser, group);
    }
    stack_take(parser, mark, items, AstPattern *);
    parser_close(parser, group);
}

// (p) is p; (p,) and (..) are tuples
static AstPattern *parse_tuple(Parser *parser)
{
    AstPattern *pattern = pattern_new(parser, PATTERN_TUPLE);
    bool comma;
    parse_list(parser, &pattern->items, &comma);
    bool single = pattern->items.count == 1 && !comma;
    return single && pattern->items.items[0]->kind != PATTERN_REST ? pattern->items.items[0]
                                                                   : pattern;
}

static AstPattern *parse_slice(Parser *parser)
{
    AstPattern *pattern = pattern_new(parser, PATTERN_SLICE);
    bool comma;
    parse_list(parser, &pattern->items, &comma);
    return pattern;
}

// ---- names and paths

// "ref"? "mut"? name ("@" pattern)?
static AstPattern *parse_bind(Parser *parser)
{
    AstPattern *pattern = pattern_new(parser, PATTERN_BIND);
    pattern->by_ref = parser_accept(parser, TOKEN_REF);
    pattern->is_mut = parser_accept(parser, TOKEN_MUT);
    if (parser_at(parser, TOKEN_SELF_VALUE))
        pattern->name = parser_take_name(parser);
    else
        pattern->name = parse_name(parser, "a name");
    if (parser_accept(parser, TOKEN_AT))
        pattern->inner = parse_single_pattern(parser);
    return pattern;
}

// field = name ":" pattern | "ref"? "mut"? name
static void parse_field(Parser *parser, AstPattern *pattern)
{
    int64_t start = parser_start(parser);
    AstName name;
    AstPattern *inner;
    bool named = parser_at(parser, TOKEN_NAME) || parser_at(parser, TOKEN_INT);
    if (named && parser_ahead(parser, 1) == TOKEN_COLON) {
        name = parser_take_name(parser);
        parser_next(parser);
        inner = parse_pattern(parser);
    } else {
        inner = parse_bind(parser);
        inner->span = parser_span(parser, start);
        name = inner->name;
    }
    *array_push(parser->arena, &pattern->fields, AstName) = name;
    *array_push(parser->arena, &pattern->items, AstPattern *) = inner;
}

// "{" (field ",")* ".."? "}"
static void parse_fields(Parser *parser, AstPattern *pattern)
{
    Group group = parser_open(parser);
    pattern->kind = PATTERN_STRUCT;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        bool is_off = parse_attributes(parser, NULL).is_off;
        if (parser_accept(parser, TOKEN_DOT_DOT)) {
            pattern->has_rest = !is_off;
            break;
        }
        parse_field(parser, pattern);
        pattern->fields.count -= is_off;
        pattern->items.count -= is_off;
    }
    parser_close(parser, group);
}

static AstPattern *unsupported_macro(Parser *parser, int64_t start)
{
    parser_next(parser);
    if (token_opens(parser->kind))
        parser_skip_group(parser);
    parser_unsupported(parser, parser_span(parser, start), "a pattern made by a macro");
    return pattern_new(parser, PATTERN_ERROR);
}

// path ("(" patterns ")" | "{" fields "}" | range)?
static AstPattern *parse_path_pattern(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstPattern *pattern = pattern_new(parser, PATTERN_PATH);
    pattern->path = parse_path(parser, PATH_EXPR);
    bool comma;
    if (parser_at(parser, TOKEN_NOT))
        return unsupported_macro(parser, start);
    if (parser_at(parser, TOKEN_OPEN_PAREN)) {
        pattern->kind = PATTERN_VARIANT;
        parse_list(parser, &pattern->items, &comma);
    } else if (parser_at(parser, TOKEN_OPEN_BRACE)) {
        parse_fields(parser, pattern);
    } else if (at_range(parser)) {
        pattern->kind = PATTERN_LITERAL;
        pattern->low = expr_new(parser, AST_PATH, start);
        pattern->low->path = pattern->path;
        pattern->low->span = pattern->path.span;
        parse_range_rest(parser, pattern);
    }
    return pattern;
}

// A name alone binds; with anything after it that makes it a path it does not.
static bool at_plain_name(const Parser *parser)
{
    if (!parser_at(parser, TOKEN_NAME))
        return parser_at(parser, TOKEN_REF) || parser_at(parser, TOKEN_MUT);
    switch ((int)parser_ahead(parser, 1)) {
    case TOKEN_COLON_COLON:
    case TOKEN_OPEN_PAREN:
    case TOKEN_OPEN_BRACE:
    case TOKEN_DOT_DOT:
    case TOKEN_DOT_DOT_EQUAL:
    case TOKEN_ELLIPSIS:
    case TOKEN_NOT:
        return false;
    }
    return true;
}

// ---- the whole

// "&" "mut"? pattern
static AstPattern *parse_ref(Parser *parser)
{
    AstPattern *pattern = pattern_new(parser, PATTERN_REF);
    parser_accept_part(parser, TOKEN_AND);
    pattern->is_mut = parser_accept(parser, TOKEN_MUT);
    pattern->inner = parse_single_pattern(parser);
    return pattern;
}

static AstPattern *parse_any_pattern(Parser *parser)
{
    if (at_plain_name(parser))
        return parse_bind(parser);
    if (at_number(parser))
        return parse_literal_pattern(parser);
    switch ((int)parser->kind) {
    case TOKEN_UNDERSCORE:
        parser_next(parser);
        return pattern_new(parser, PATTERN_WILDCARD);
    case TOKEN_OPEN_PAREN:
        return parse_tuple(parser);
    case TOKEN_OPEN_SQUARE:
        return parse_slice(parser);
    case TOKEN_AND:
    case TOKEN_AND_AND:
        return parse_ref(parser);
    case TOKEN_DOT_DOT:
    case TOKEN_DOT_DOT_EQUAL:
        return parse_dots(parser);
    }
    if (parser_at_path(parser))
        return parse_path_pattern(parser);
    parser_unexpected(parser, "a pattern");
    return pattern_new(parser, PATTERN_ERROR);
}

AstPattern *parse_single_pattern(Parser *parser)
{
    int64_t start = parser_start(parser);
    if (!parser_enter(parser))
        return pattern_new(parser, PATTERN_ERROR);
    AstPattern *pattern = parse_any_pattern(parser);
    pattern->span = parser_span(parser, start);
    if (parser_broken(parser))
        pattern->kind = PATTERN_ERROR;
    parser_leave(parser);
    return pattern;
}

// pattern = "|"? single ("|" single)*
AstPattern *parse_pattern(Parser *parser)
{
    int64_t start = parser_start(parser), mark = parser->stack.len;
    parser_accept(parser, TOKEN_OR);
    AstPattern *first = parse_single_pattern(parser);
    if (!parser_at(parser, TOKEN_OR))
        return first;
    *stack_push(parser, AstPattern *) = first;
    while (parser_accept(parser, TOKEN_OR)) {
        AstPattern *next = parse_single_pattern(parser);
        *stack_push(parser, AstPattern *) = next;
    }
    AstPattern *pattern = pattern_new(parser, PATTERN_OR);
    stack_take(parser, mark, &pattern->items, AstPattern *);
    pattern->span = parser_span(parser, start);
    return pattern;
}

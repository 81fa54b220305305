// What stands in m![..], i![..] and axes![..].
//
//     mapping = expr ("," expr)*
//     expr    = primary (("/" | "%" | "=" | "#") number)*
//     primary = name | number | "{" type "}" | "(" mapping ")" | "[" mapping "]"
#include "lang/syntax/parse_internal.h"

// What ends a mapping: its bracket, or the `:` between a mapping and a value in i![..].
typedef enum { TO_BRACKET, TO_COLON } Ending;

static AstMapping *parse_mapping(Parser *parser, Group group, Ending ending);

static AstMapping *mapping_new(Parser *parser, AstMappingKind kind, int64_t start)
{
    AstMapping *mapping = arena_new(parser->arena, AstMapping, 1);
    mapping->kind = kind;
    mapping->span = parser_span(parser, start);
    return mapping;
}

// ---- numbers

// Numbers are plain; of a literal that is not, the message shows the plain one.
static bool parse_number(Parser *parser, int64_t *number)
{
    Str text = parser_text(parser, parser->at);
    Span span = parser_here(parser);
    if (str_to_i64(text, number)) {
        parser_next(parser);
        return true;
    }
    bool digits = true;
    for (int64_t i = 0; i < text.len; i++)
        digits &= text.data[i] >= '0' && text.data[i] <= '9';
    *number = 1;
    if (digits) {
        parser_report(parser, DIAG_LITERAL, span, "the number {} does not fit in 63 bits", text);
        parser_next(parser);
        return false;
    }
    int32_t before = parser->mistakes->count;
    const AstExpr *literal = parse_literal(parser);
    if (parser->mistakes->count > before)
        return false;
    Diag *diag =
        parser_report(parser, DIAG_MAPPING_TEXT, span, "`{}` is not a plain decimal number", text);
    if (diag && literal->kind == AST_LITERAL && literal->literal.integer <= INT64_MAX)
        diag_replace(diag, span, "{}", (uint64_t)literal->literal.integer);
    return false;
}

// A name, a path or brackets where a number should stand: there is no arithmetic here.
static void skip_operand(Parser *parser, char op)
{
    Span span = parser_here(parser);
    Str text = parser_text(parser, parser->at);
    Diag *diag = parser_report(parser, DIAG_MAPPING_TEXT, span,
                               "`{}` stands where a plain decimal number should stand", text);
    if (diag)
        diag_help(diag, "the right side of `{c}` is a number, such as `{c} 8`", op, op);
    if (token_opens(parser->kind))
        parser_skip_group(parser);
    else
        parser_next(parser);
}

static bool at_operand(const Parser *parser)
{
    return parser_at(parser, TOKEN_NAME) || token_opens(parser->kind) ||
           parser_at(parser, TOKEN_FLOAT) || parser_at(parser, TOKEN_STRING);
}

// ---- expressions

static char operator_of(TokenKind kind)
{
    switch ((int)kind) {
    case TOKEN_SLASH:
        return '/';
    case TOKEN_PERCENT:
        return '%';
    case TOKEN_EQUAL:
        return '=';
    case TOKEN_HASH:
        return '#';
    }
    return 0;
}

static AstMapping *parse_op(Parser *parser, AstMapping *inner)
{
    AstMapping *mapping = mapping_new(parser, AST_MAPPING_OP, inner->span.start);
    mapping->op = operator_of(parser->kind);
    mapping->inner = inner;
    parser_next(parser);
    int64_t start = parser_start(parser);
    if (parser_at(parser, TOKEN_INT)) {
        if (!parse_number(parser, &mapping->number))
            mapping->kind = AST_MAPPING_ERROR;
    } else {
        mapping->kind = AST_MAPPING_ERROR;
        if (at_operand(parser))
            skip_operand(parser, mapping->op);
        else
            parser_unexpected_as(parser, DIAG_MAPPING_TEXT, "a plain decimal number");
    }
    mapping->number_span = parser_span(parser, start);
    mapping->span = parser_span(parser, inner->span.start);
    return mapping;
}

static AstMapping *parse_symbol(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstMapping *mapping = mapping_new(parser, AST_MAPPING_SYMBOL, start);
    mapping->name = parser_take_name(parser);
    if (parser_at(parser, TOKEN_COLON_COLON)) {
        Diag *diag = parser_unexpected_as(parser, DIAG_MAPPING_TEXT, "an operator or `,`");
        if (diag)
            diag_help(diag, "a type that is no axis stands in braces: `{{ {}::.. }`",
                      mapping->name.text);
    }
    return mapping;
}

// "{" type "}"
static AstMapping *parse_escape(Parser *parser)
{
    AstMapping *mapping = mapping_new(parser, AST_MAPPING_ESCAPE, parser_start(parser));
    Group group = parser_open(parser);
    mapping->type = parse_type(parser);
    parser_close(parser, group);
    return mapping;
}

static AstMapping *parse_group(Parser *parser)
{
    int64_t start = parser_start(parser);
    if (!parser_enter(parser))
        return mapping_new(parser, AST_MAPPING_ERROR, start);
    Group group = parser_open(parser);
    AstMapping *mapping = parse_mapping(parser, group, TO_BRACKET);
    parser_close(parser, group);
    parser_leave(parser);
    return mapping;
}

static AstMapping *parse_primary_mapping(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstMapping *mapping;
    switch ((int)parser->kind) {
    case TOKEN_NAME:
        return parse_symbol(parser);
    case TOKEN_INT:
        mapping = mapping_new(parser, AST_MAPPING_NUMBER, start);
        if (!parse_number(parser, &mapping->number))
            mapping->kind = AST_MAPPING_ERROR;
        return mapping;
    case TOKEN_OPEN_BRACE:
        return parse_escape(parser);
    case TOKEN_OPEN_PAREN:
    case TOKEN_OPEN_SQUARE:
        return parse_group(parser);
    }
    parser_unexpected_as(parser, DIAG_MAPPING_TEXT,
                         "an axis, `1`, `{ type }` or a mapping in brackets");
    return mapping_new(parser, AST_MAPPING_ERROR, start);
}

static bool at_colon(const Parser *parser, Ending ending)
{
    return ending == TO_COLON && parser_at(parser, TOKEN_COLON);
}

static AstMapping *parse_mapping_expr(Parser *parser, Ending ending)
{
    int64_t start = parser_start(parser);
    AstMapping *mapping = parse_primary_mapping(parser);
    mapping->span = parser_span(parser, start);
    while (operator_of(parser->kind) && parser_link(parser))
        mapping = parse_op(parser, mapping);
    bool ends =
        parser_at(parser, TOKEN_COMMA) || at_colon(parser, ending) || token_closes(parser->kind);
    if (!ends)
        parser_unexpected_as(parser, DIAG_MAPPING_TEXT, "`,` or one of `/`, `%`, `#`, `=`");
    if (parser_broken(parser))
        mapping->kind = AST_MAPPING_ERROR;
    return mapping;
}

// What m![..] cannot end in.
static void report_last_comma(Parser *parser)
{
    Span comma = {parser->source, parser->last_end - 1, parser->last_end};
    Diag *diag = parser_report(parser, DIAG_MAPPING_TEXT, comma,
                               "no comma follows the last element of a mapping");
    if (diag) {
        diag_help(diag, "leave the `,` out");
        diag_edit(diag, comma, "{}", "");
    }
}

static bool more_elements(Parser *parser, Group group, Ending ending)
{
    if (at_colon(parser, ending))
        return false;
    bool comma = parser_at(parser, TOKEN_COMMA);
    bool more = parser_comma(parser, group);
    if (comma && (!more || at_colon(parser, ending))) {
        report_last_comma(parser);
        return false;
    }
    return more;
}

static AstMapping *parse_mapping(Parser *parser, Group group, Ending ending)
{
    int64_t start = parser_start(parser), mark = parser->stack.len;
    bool broken = false;
    if (!parser_in_group(parser, group)) {
        Span span = {parser->source, parser->tokens[group.token].start,
                     token_end(parser_token(parser))};
        Diag *diag = parser_report(parser, DIAG_MAPPING_TEXT, span, "a mapping cannot be empty");
        if (diag) {
            diag_help(diag, "the mapping of one position is `m![1]`");
            diag_edit(diag, span, "[1]");
        }
        return mapping_new(parser, AST_MAPPING_ERROR, start);
    }
    AstMapping *first = parse_mapping_expr(parser, ending);
    if (parser->at == parser->tokens[group.token].match && !parser_broken(parser))
        return first;
    *stack_push(parser, AstMapping *) = first;
    broken = parser_broken(parser);
    while (more_elements(parser, group, ending)) {
        AstMapping *item = parse_mapping_expr(parser, ending);
        *stack_push(parser, AstMapping *) = item;
        broken |= parser_broken(parser);
    }
    AstMapping *mapping = mapping_new(parser, AST_MAPPING_PAIR, start);
    stack_take(parser, mark, &mapping->items, AstMapping *);
    if (mapping->items.count == 1 && !broken)
        return first;
    if (broken)
        mapping->kind = AST_MAPPING_ERROR;
    return mapping;
}

// ---- the macros

bool parser_at_macro(const Parser *parser, const char *name)
{
    return parser_at(parser, TOKEN_NAME) && parser_ahead(parser, 1) == TOKEN_NOT &&
           token_opens(parser_ahead(parser, 2)) && (!name || parser_at_word(parser, name));
}

static Group open_macro(Parser *parser)
{
    parser_next(parser);
    parser_next(parser);
    return parser_open(parser);
}

AstType *parse_mapping_type(Parser *parser)
{
    AstType *type = arena_new(parser->arena, AstType, 1);
    Group group = open_macro(parser);
    int32_t height = parser->height;
    parser->height = 0;
    type->kind = AST_TYPE_MAPPING;
    type->mapping = parse_mapping(parser, group, TO_BRACKET);
    parser_close(parser, group);
    parser->height = height > parser->height ? height : parser->height;
    return type;
}

// "i" "!" "[" (mapping ":" expr ("," mapping ":" expr)* ","?)? "]"
AstExpr *parse_index_macro(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstExpr *expr = expr_new(parser, AST_INDEX_MACRO, start);
    Group group = open_macro(parser);
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstMapping *key = parse_mapping(parser, group, TO_COLON);
        if (!parser_accept(parser, TOKEN_COLON)) {
            Diag *diag = parser_unexpected(parser, "`:`");
            if (diag)
                diag_help(diag, "an index is written `i![A: 0, B: 3]`");
        }
        AstExpr *value = parse_expr(parser);
        *array_push(parser->arena, &expr->indices.keys, AstMapping *) = key;
        *array_push(parser->arena, &expr->indices.values, AstExpr *) = value;
    }
    parser_close(parser, group);
    expr->span = parser_span(parser, start);
    return expr;
}

// "=" size
static AstExpr *parse_axis_size(Parser *parser)
{
    static const char *const form = "axes are declared so: `axes![A = 8, B = 512];`";
    Diag *diag;
    if (!parser_accept(parser, TOKEN_EQUAL))
        diag = parser_unexpected_as(parser, DIAG_AXES_TEXT, "`=` and the size of the axis");
    else if (parser_at_expr(parser))
        return parse_expr(parser);
    else
        diag = parser_unexpected_as(parser, DIAG_AXES_TEXT, "the size of the axis");
    if (diag)
        diag_help(diag, "{}", form);
    return expr_error(parser);
}

// name "=" size
static void parse_axis(Parser *parser, AstItem *item)
{
    if (!parser_at(parser, TOKEN_NAME)) {
        parser_unexpected_as(parser, DIAG_AXES_TEXT, "the name of an axis");
        return;
    }
    AstName name = parser_take_name(parser);
    AstExpr *size = parse_axis_size(parser);
    *array_push(parser->arena, &item->axes.names, AstName) = name;
    *array_push(parser->arena, &item->axes.sizes, AstExpr *) = size;
}

void parse_axes(Parser *parser, AstItem *item)
{
    bool braces = parser_ahead(parser, 2) == TOKEN_OPEN_BRACE;
    Group group = open_macro(parser);
    item->kind = ITEM_AXES;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group))
        parse_axis(parser, item);
    parser_close(parser, group);
    if (!braces)
        parser_expect_semicolon(parser);
    else
        parser_accept(parser, TOKEN_SEMICOLON);
}

// Names, paths and generic arguments.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"

AstName parser_take_name(Parser *parser)
{
    Str text = parser_text(parser, parser->at);
    Span span = parser_here(parser);
    if (text.len > 2 && text.data[0] == 'r' && text.data[1] == '#')
        text = str_slice(text, 2, text.len);
    parser_next(parser);
    return (AstName){intern(parser->names, text), span};
}

AstName parse_name(Parser *parser, const char *what)
{
    if (parser_at(parser, TOKEN_NAME))
        return parser_take_name(parser);
    parser_unexpected(parser, what);
    return (AstName){intern(parser->names, STR("")), parser_span(parser, parser_start(parser))};
}

static bool at_segment(const Parser *parser)
{
    switch ((int)parser->kind) {
    case TOKEN_NAME:
    case TOKEN_SELF_VALUE:
    case TOKEN_SELF_TYPE:
    case TOKEN_SUPER:
    case TOKEN_CRATE:
        return true;
    }
    return false;
}

bool parser_at_path(const Parser *parser)
{
    return at_segment(parser) || parser_at(parser, TOKEN_COLON_COLON) ||
           parser_at_part(parser, TOKEN_LESS);
}

// ---- generic arguments

// name = type
static AstGenericArg parse_binding(Parser *parser)
{
    AstGenericArg arg = {.kind = GENERIC_BINDING, .name = parser_take_name(parser).text};
    parser_next(parser);
    arg.type = parse_type(parser);
    return arg;
}

// arg = lifetime | literal | block | name "=" type | type
static AstGenericArg parse_generic_arg(Parser *parser)
{
    int64_t start = parser_start(parser);
    AstGenericArg arg = {.kind = GENERIC_TYPE};
    if (parser_at(parser, TOKEN_LIFETIME)) {
        arg.kind = GENERIC_LIFETIME;
        arg.name = parser_take_name(parser).text;
    } else if (parser_at(parser, TOKEN_OPEN_BRACE)) {
        arg.kind = GENERIC_CONST;
        arg.value = parse_block_expr(parser);
    } else if (parser_at_literal(parser) || parser_at(parser, TOKEN_MINUS)) {
        arg.kind = GENERIC_CONST;
        arg.value = parse_unary(parser);
    } else if (parser_at(parser, TOKEN_NAME) && parser_ahead(parser, 1) == TOKEN_EQUAL) {
        arg = parse_binding(parser);
    } else {
        arg.type = parse_type(parser);
    }
    arg.span = parser_span(parser, start);
    return arg;
}

// args = "<" (arg ("," arg)* ","?)? ">"
void parse_generic_args(Parser *parser, AstSegment *segment)
{
    int64_t start = parser_start(parser), mark = parser->stack.len;
    bool no_struct = parser->no_struct;
    parser->no_struct = false;
    parser_accept_part(parser, TOKEN_LESS);
    while (!parser_broken(parser) && !parser_at_part(parser, TOKEN_GREATER)) {
        AstGenericArg arg = parse_generic_arg(parser);
        *stack_push(parser, AstGenericArg) = arg;
        if (!parser_accept(parser, TOKEN_COMMA))
            break;
    }
    if (!parser_accept_part(parser, TOKEN_GREATER))
        parser_unexpected(parser, "`,` or `>`");
    parser->no_struct = no_struct;
    segment->has_args = true;
    segment->args_span = parser_span(parser, start);
    stack_take(parser, mark, &segment->args, AstGenericArg);
}

// ---- paths

// segment = name ("::"? args)?, the `::` as `style` has it
static AstSegment parse_segment(Parser *parser, PathStyle style)
{
    AstSegment segment = {0};
    if (!at_segment(parser)) {
        segment.name = parse_name(parser, "a name");
        return segment;
    }
    segment.name = parser_take_name(parser);
    bool apart =
        parser_at(parser, TOKEN_COLON_COLON) &&
        (parser_ahead(parser, 1) == TOKEN_LESS || parser_ahead(parser, 1) == TOKEN_SHIFT_LEFT);
    if (apart) {
        parser_next(parser);
        parse_generic_args(parser, &segment);
    } else if (style == PATH_TYPE && parser_at_part(parser, TOKEN_LESS)) {
        parse_generic_args(parser, &segment);
    }
    return segment;
}

// Most paths are a single name: no list is built for them.
static void parse_segments(Parser *parser, PathStyle style, AstSegments *segments)
{
    AstSegment first = parse_segment(parser, style);
    if (!parser_at(parser, TOKEN_COLON_COLON)) {
        segments->items = arena_new(parser->arena, AstSegment, 1);
        segments->items[0] = first;
        segments->count = segments->capacity = 1;
        return;
    }
    int64_t mark = parser->stack.len;
    *stack_push(parser, AstSegment) = first;
    while (parser_accept(parser, TOKEN_COLON_COLON)) {
        AstSegment next = parse_segment(parser, style);
        *stack_push(parser, AstSegment) = next;
    }
    stack_take(parser, mark, segments, AstSegment);
}

// "<" type ("as" type)? ">" "::"
static void parse_qualified_self(Parser *parser, AstPath *path)
{
    parser_accept_part(parser, TOKEN_LESS);
    path->self = parse_type(parser);
    if (parser_accept(parser, TOKEN_AS))
        path->as_trait = parse_type(parser);
    if (!parser_accept_part(parser, TOKEN_GREATER))
        parser_unexpected(parser, path->as_trait ? "`>`" : "`as` or `>`");
    parser_expect(parser, TOKEN_COLON_COLON);
}

// path = "::"? segment ("::" segment)* | "<" type ("as" type)? ">" "::" segment ("::" segment)*
AstPath parse_path(Parser *parser, PathStyle style)
{
    int64_t start = parser_start(parser);
    AstPath path = {0};
    if (parser_at_part(parser, TOKEN_LESS))
        parse_qualified_self(parser, &path);
    else
        path.global = parser_accept(parser, TOKEN_COLON_COLON);
    parse_segments(parser, style, &path.segments);
    path.span = parser_span(parser, start);
    return path;
}

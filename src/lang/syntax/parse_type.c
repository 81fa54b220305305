// Types, bounds and generic parameters.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"

#include <string.h>

static AstType *type_new(Parser *parser, AstTypeKind kind)
{
    AstType *type = arena_new(parser->arena, AstType, 1);
    type->kind = kind;
    return type;
}

AstType *type_error(Parser *parser)
{
    AstType *type = type_new(parser, AST_TYPE_ERROR);
    type->span = parser_span(parser, parser_start(parser));
    return type;
}

static AstType *unsupported_type(Parser *parser, int64_t start, const char *construct)
{
    parser_unsupported(parser, parser_span(parser, start), construct);
    return type_new(parser, AST_TYPE_ERROR);
}

// "&" lifetime? "mut"? type
static AstType *parse_ref(Parser *parser)
{
    AstType *type = type_new(parser, AST_TYPE_REF);
    parser_accept_part(parser, TOKEN_AND);
    parser_accept(parser, TOKEN_LIFETIME);
    type->is_mut = parser_accept(parser, TOKEN_MUT);
    type->inner = parse_type(parser);
    return type;
}

// "(" (type ("," type)* ","?)? ")": one without a comma is a type in brackets
static AstType *parse_tuple(Parser *parser)
{
    Group group = parser_open(parser);
    AstType *type = type_new(parser, AST_TYPE_TUPLE);
    int64_t mark = parser->stack.len;
    bool comma = false;
    for (bool more = parser_in_group(parser, group); more;) {
        AstType *item = parse_type(parser);
        *stack_push(parser, AstType *) = item;
        comma = parser_at(parser, TOKEN_COMMA);
        more = parser_comma(parser, group);
    }
    stack_take(parser, mark, &type->items, AstType *);
    parser_close(parser, group);
    return type->items.count == 1 && !comma ? type->items.items[0] : type;
}

// "[" type (";" expr)? "]"
static AstType *parse_array(Parser *parser)
{
    Group group = parser_open(parser);
    AstType *type = type_new(parser, AST_TYPE_SLICE);
    type->inner = parse_type(parser);
    if (parser_accept(parser, TOKEN_SEMICOLON)) {
        type->kind = AST_TYPE_ARRAY;
        type->length = parse_expr(parser);
    } else if (parser_in_group(parser, group)) {
        parser_unexpected(parser, "`;` or `]`");
    }
    parser_close(parser, group);
    return type;
}

// "*" ("const" | "mut") type
static AstType *parse_pointer(Parser *parser)
{
    int64_t start = parser_start(parser);
    parser_next(parser);
    if (!parser_accept(parser, TOKEN_CONST) && !parser_accept(parser, TOKEN_MUT))
        parser_unexpected(parser, "`const` or `mut`");
    parse_type(parser);
    return unsupported_type(parser, start, "a raw pointer");
}

// "(" types ")" ("->" type)?; a parameter of fn(..) may have a name
static void parse_fn_signature(Parser *parser, AstType *type)
{
    type->kind = AST_TYPE_FN;
    if (!parser_at(parser, TOKEN_OPEN_PAREN)) {
        parser_unexpected(parser, "`(`");
        return;
    }
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        bool named = parser_at(parser, TOKEN_NAME) || parser_at(parser, TOKEN_UNDERSCORE);
        if (named && parser_ahead(parser, 1) == TOKEN_COLON) {
            parser_next(parser);
            parser_next(parser);
        }
        AstType *item = parse_type(parser);
        *stack_push(parser, AstType *) = item;
    }
    stack_take(parser, mark, &type->items, AstType *);
    parser_close(parser, group);
    type->result = parse_result_type(parser);
}

AstType *parse_result_type(Parser *parser)
{
    return parser_accept(parser, TOKEN_ARROW) ? parse_type(parser) : NULL;
}

// "unsafe"? ("extern" string?)? "fn" signature
static AstType *parse_fn_type(Parser *parser)
{
    AstType *type = type_new(parser, AST_TYPE_FN);
    parser_accept(parser, TOKEN_UNSAFE);
    if (parser_accept(parser, TOKEN_EXTERN))
        parser_accept(parser, TOKEN_STRING);
    if (parser_expect(parser, TOKEN_FN))
        parse_fn_signature(parser, type);
    return type;
}

// path, or Fn(A, B) -> C
static AstType *parse_path_type(Parser *parser)
{
    AstType *type = type_new(parser, AST_TYPE_PATH);
    type->path = parse_path(parser, PATH_TYPE);
    const char *last = type->path.segments.items[type->path.segments.count - 1].name.text;
    bool function = !strcmp(last, "Fn") || !strcmp(last, "FnMut") || !strcmp(last, "FnOnce");
    if (function && parser_at(parser, TOKEN_OPEN_PAREN))
        parse_fn_signature(parser, type);
    return type;
}

// name "!" brackets, other than m![..]
static AstType *parse_type_macro(Parser *parser)
{
    int64_t start = parser_start(parser);
    Str name = parser_text(parser, parser->at);
    parser_next(parser);
    parser_next(parser);
    parser_skip_group(parser);
    Diag *diag = parser_report(parser, DIAG_UNSUPPORTED, parser_span(parser, start),
                               "`{}!` makes no type: only `m![..]` does", name);
    if (diag && str_starts_with(name, STR("m"))) {
        diag_help(diag, "write a mapping as `m![..]`");
        diag_edit(diag, ((Span){parser->source, start, start + name.len}), "m");
    }
    return type_new(parser, AST_TYPE_ERROR);
}

// "for" "<" lifetimes ">"
static void skip_for_lifetimes(Parser *parser)
{
    AstSegment lifetimes = {0};
    if (parser_at(parser, TOKEN_FOR) && parser_ahead(parser, 1) == TOKEN_LESS) {
        parser_next(parser);
        parse_generic_args(parser, &lifetimes);
    }
}

static bool at_bound(const Parser *parser)
{
    return parser_at_path(parser) || parser_at(parser, TOKEN_LIFETIME) ||
           parser_at(parser, TOKEN_QUESTION) || parser_at(parser, TOKEN_FOR) ||
           parser_at(parser, TOKEN_OPEN_PAREN);
}

// bound = lifetime | "?"? "for<..>"? path. NULL for those that say nothing about what one can do
// with a type: lifetimes and ?Sized.
static AstType *parse_bound(Parser *parser)
{
    if (parser_accept(parser, TOKEN_LIFETIME))
        return NULL;
    if (!parser_enter(parser))
        return NULL;
    AstType *type = NULL;
    int64_t start = parser_start(parser);
    if (parser_at(parser, TOKEN_OPEN_PAREN)) {
        Group group = parser_open(parser);
        type = parse_bound(parser);
        parser_close(parser, group);
    } else {
        bool relaxed = parser_accept(parser, TOKEN_QUESTION);
        skip_for_lifetimes(parser);
        type = parse_path_type(parser);
        type->span = parser_span(parser, start);
        type = relaxed ? NULL : type;
    }
    parser_leave(parser);
    return type;
}

// bounds = (bound ("+" bound)* "+"?)?
AstTypes parse_bounds(Parser *parser)
{
    AstTypes bounds = {0};
    int64_t mark = parser->stack.len;
    while (at_bound(parser)) {
        AstType *bound = parse_bound(parser);
        if (bound)
            *stack_push(parser, AstType *) = bound;
        if (!parser_accept(parser, TOKEN_PLUS))
            break;
    }
    stack_take(parser, mark, &bounds, AstType *);
    return bounds;
}

// ("impl" | "dyn") bounds: the first says what it is
static AstType *parse_impl(Parser *parser)
{
    bool is_dyn = parser_at(parser, TOKEN_DYN);
    parser_next(parser);
    if (!at_bound(parser))
        parser_unexpected(parser, "a trait");
    AstTypes bounds = parse_bounds(parser);
    if (!bounds.count)
        return type_new(parser, AST_TYPE_ERROR);
    AstType *type = bounds.items[0];
    type->is_dyn = is_dyn;
    if (type->kind == AST_TYPE_PATH)
        type->kind = AST_TYPE_IMPL;
    return type;
}

static AstType *parse_simple(Parser *parser, AstTypeKind kind)
{
    parser_next(parser);
    return type_new(parser, kind);
}

static AstType *parse_any_type(Parser *parser)
{
    switch ((int)parser->kind) {
    case TOKEN_AND:
    case TOKEN_AND_AND:
        return parse_ref(parser);
    case TOKEN_OPEN_PAREN:
        return parse_tuple(parser);
    case TOKEN_OPEN_SQUARE:
        return parse_array(parser);
    case TOKEN_STAR:
        return parse_pointer(parser);
    case TOKEN_NOT:
        return parse_simple(parser, AST_TYPE_NEVER);
    case TOKEN_UNDERSCORE:
        return parse_simple(parser, AST_TYPE_INFER);
    case TOKEN_FN:
    case TOKEN_UNSAFE:
    case TOKEN_EXTERN:
        return parse_fn_type(parser);
    case TOKEN_IMPL:
    case TOKEN_DYN:
        return parse_impl(parser);
    case TOKEN_FOR: // what may follow it is a bound or a function
        skip_for_lifetimes(parser);
        if (!parser_at(parser, TOKEN_FOR))
            return parse_type(parser);
        break;
    }
    if (parser_at_macro(parser, "m"))
        return parse_mapping_type(parser);
    if (parser_at_macro(parser, NULL))
        return parse_type_macro(parser);
    if (parser_at_path(parser))
        return parse_path_type(parser);
    parser_unexpected(parser, "a type");
    return type_new(parser, AST_TYPE_ERROR);
}

AstType *parse_type(Parser *parser)
{
    int64_t start = parser_start(parser);
    if (!parser_enter(parser))
        return type_error(parser);
    AstType *type = parse_any_type(parser);
    type->span = parser_span(parser, start);
    if (parser_broken(parser))
        type->kind = AST_TYPE_ERROR;
    parser_leave(parser);
    return type;
}

// ---- generic parameters

// "const" name ":" type ("=" value)?
static AstGeneric parse_const_generic(Parser *parser)
{
    AstGeneric generic = {.kind = PARAM_CONST};
    parser_next(parser);
    generic.name = parse_name(parser, "the name of a constant parameter");
    parser_expect(parser, TOKEN_COLON);
    generic.type = parse_type(parser);
    if (parser_accept(parser, TOKEN_EQUAL))
        generic.value = parse_unary(parser); // a comparison would take the `>`
    return generic;
}

// generic = lifetime (":" bounds)? | name (":" bounds)? ("=" type)? | const
static AstGeneric parse_generic(Parser *parser)
{
    if (parser_at(parser, TOKEN_CONST))
        return parse_const_generic(parser);
    AstGeneric generic = {.kind = PARAM_TYPE};
    if (parser_at(parser, TOKEN_LIFETIME)) {
        generic.kind = PARAM_LIFETIME;
        generic.name = parser_take_name(parser);
    } else {
        generic.name = parse_name(parser, "a generic parameter");
    }
    if (parser_accept(parser, TOKEN_COLON))
        generic.bounds = parse_bounds(parser);
    if (parser_accept(parser, TOKEN_EQUAL))
        generic.fallback = parse_type(parser);
    return generic;
}

// generics = ("<" (generic ("," generic)* ","?)? ">")?
AstGenerics parse_generics(Parser *parser)
{
    AstGenerics generics = {0};
    int64_t mark = parser->stack.len;
    if (!parser_accept(parser, TOKEN_LESS))
        return generics;
    while (!parser_broken(parser) && !parser_at_part(parser, TOKEN_GREATER)) {
        bool is_off = parse_attributes(parser, NULL).is_off;
        AstGeneric generic = parse_generic(parser);
        if (!is_off)
            *stack_push(parser, AstGeneric) = generic;
        if (!parser_accept(parser, TOKEN_COMMA))
            break;
    }
    if (!parser_accept_part(parser, TOKEN_GREATER))
        parser_unexpected(parser, "`,` or `>`");
    stack_take(parser, mark, &generics, AstGeneric);
    return generics;
}

static AstGeneric *generic_named(AstGenerics *generics, const AstType *type)
{
    if (type->kind != AST_TYPE_PATH || type->path.segments.count != 1 || type->path.self)
        return NULL;
    for (int64_t i = 0; i < generics->count; i++)
        if (generics->items[i].name.text == type->path.segments.items[0].name.text)
            return &generics->items[i];
    return NULL;
}

// Without what starts the next item where a body is missing.
static bool at_clause(const Parser *parser)
{
    return parser_at(parser, TOKEN_LIFETIME) || parser_at(parser, TOKEN_FOR) ||
           parser_at_part(parser, TOKEN_AND) || parser_at(parser, TOKEN_OPEN_PAREN) ||
           parser_at(parser, TOKEN_OPEN_SQUARE) || parser_at_path(parser);
}

// where = ("where" (clause ("," clause)* ","?)?)?; clause = (lifetime | "for<..>"? type) ":" bounds
void parse_where(Parser *parser, AstGenerics *generics)
{
    if (!parser_accept(parser, TOKEN_WHERE))
        return;
    while (at_clause(parser)) {
        AstGeneric *generic = NULL;
        if (!parser_accept(parser, TOKEN_LIFETIME)) {
            skip_for_lifetimes(parser);
            generic = generic_named(generics, parse_type(parser));
        }
        parser_expect(parser, TOKEN_COLON);
        AstTypes bounds = parse_bounds(parser);
        generics->has_clauses |= !generic;
        for (int64_t i = 0; generic && i < bounds.count; i++)
            *array_push(parser->arena, &generic->bounds, AstType *) = bounds.items[i];
        if (!parser_accept(parser, TOKEN_COMMA))
            break;
    }
}

// Items: functions, types, constants, modules, implementations.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"

#include <string.h>

static bool push_use_name(Parser *parser, AstNames *path);

// "pub" ("(" ("crate" | "self" | "super" | "in" path) ")")?
static AstVisibility parse_visibility(Parser *parser)
{
    static const struct {
        TokenKind token;
        AstVisibilityKind kind;
    } restrictions[] = {{TOKEN_CRATE, VISIBLE_CRATE},
                        {TOKEN_SELF_VALUE, VISIBLE_HERE},
                        {TOKEN_SUPER, VISIBLE_SUPER},
                        {TOKEN_IN, VISIBLE_IN}};
    AstVisibility visibility = {VISIBLE_HERE, {0}};
    if (!parser_accept(parser, TOKEN_PUB))
        return visibility;
    visibility.kind = VISIBLE_ALL;
    for (size_t i = 0; parser_at(parser, TOKEN_OPEN_PAREN) && i < COUNT_OF(restrictions); i++) {
        bool alone = restrictions[i].kind == VISIBLE_IN ||
                     parser_ahead(parser, 2) == TOKEN_CLOSE_PAREN; // `pub (crate::T)` is a type
        if (parser_ahead(parser, 1) != restrictions[i].token || !alone)
            continue;
        visibility.kind = restrictions[i].kind;
        Group group = parser_open(parser);
        parser_next(parser);
        while (visibility.kind == VISIBLE_IN && parser_in_group(parser, group) &&
               push_use_name(parser, &visibility.path))
            parser_accept(parser, TOKEN_COLON_COLON);
        parser_close(parser, group);
        break;
    }
    return visibility;
}

// ---- functions

// Whether `self` stands here, with or without `&`, lifetime and `mut`.
static bool at_self(const Parser *parser)
{
    int64_t i = 0;
    if (parser_broken(parser))
        return false;
    if (parser_ahead(parser, i) == TOKEN_AND) {
        i++;
        i += parser_ahead(parser, i) == TOKEN_LIFETIME;
    }
    i += parser_ahead(parser, i) == TOKEN_MUT;
    return parser_ahead(parser, i) == TOKEN_SELF_VALUE;
}

// self = "&" lifetime? "mut"? "self" | "mut"? "self" (":" type)?
static void parse_self(Parser *parser, AstItem *item)
{
    int64_t start = parser_start(parser);
    item->function.self = SELF_VALUE;
    if (parser_accept(parser, TOKEN_AND)) {
        parser_accept(parser, TOKEN_LIFETIME);
        item->function.self = parser_at(parser, TOKEN_MUT) ? SELF_REF_MUT : SELF_REF;
    }
    parser_accept(parser, TOKEN_MUT);
    parser_expect(parser, TOKEN_SELF_VALUE);
    if (parser_accept(parser, TOKEN_COLON)) {
        const AstType *type = parse_type(parser);
        if (type->kind == AST_TYPE_REF)
            item->function.self = type->is_mut ? SELF_REF_MUT : SELF_REF;
    }
    item->function.self_span = parser_span(parser, start);
}

// param = pattern ":" type
static AstParam parse_param(Parser *parser)
{
    AstParam param = {0};
    param.pattern = parse_single_pattern(parser);
    parser_expect(parser, TOKEN_COLON);
    param.type = parse_type(parser);
    return param;
}

// "(" (self | param),* ")"
static void parse_params(Parser *parser, AstItem *item)
{
    if (!parser_at(parser, TOKEN_OPEN_PAREN)) {
        parser_unexpected(parser, "`(` and parameters");
        return;
    }
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len;
    bool first = true;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstAttributes attributes = parse_attributes(parser, NULL);
        if (first && at_self(parser)) {
            parse_self(parser, item);
        } else {
            AstParam param = parse_param(parser);
            if (!attributes.is_off)
                *stack_push(parser, AstParam) = param;
        }
        first = false;
    }
    stack_take(parser, mark, &item->function.params, AstParam);
    parser_close(parser, group);
}

// ("const" | "async" | "unsafe" | "extern" string?)*
static void parse_qualifiers(Parser *parser, AstItem *item)
{
    for (;;) {
        if (parser_accept(parser, TOKEN_CONST))
            item->function.is_const = true;
        else if (parser_accept(parser, TOKEN_ASYNC))
            item->function.is_async = true;
        else if (parser_accept(parser, TOKEN_UNSAFE))
            item->function.is_unsafe = true;
        else if (parser_accept(parser, TOKEN_EXTERN))
            parser_accept(parser, TOKEN_STRING);
        else
            return;
    }
}

// Documentation wraps its text in `fn main() {`, and puts at the start what belongs to a file.
static bool wraps_text(const Parser *parser, const AstItem *item)
{
    const Token *body = parser_token(parser);
    bool plain = !strcmp(item->name.text, "main") && !item->function.params.count &&
                 !item->function.result && !item->function.is_async && !item->function.self;
    bool attribute = body[1].kind == TOKEN_HASH && body[2].kind == TOKEN_NOT;
    bool crate = body[1].kind == TOKEN_EXTERN && body[2].kind == TOKEN_CRATE;
    return plain && parser_at(parser, TOKEN_OPEN_BRACE) && (attribute || crate);
}

static void parse_body(Parser *parser, AstItem *item)
{
    AstAttributes inner = {0};
    int64_t number = parser->wrappers.count;
    bool wrapper = wraps_text(parser, item);
    if (wrapper) // before those in it, so that they are in the order of the text
        *array_push(parser->arena, &parser->wrappers, Wrapper) = (Wrapper){.item = item};
    item->function.body = parse_block_with(parser, &inner);
    if (wrapper)
        parser->wrappers.items[number].inner = inner;
    for (int64_t i = 0; i < inner.count && !wrapper; i++)
        *array_push(parser->arena, &item->attributes, AstAttribute) = inner.items[i];
    item->attributes.is_off |= inner.is_off && !wrapper;
}

// qualifiers "fn" name generics? params ("->" type)? where? (block | ";")
static void parse_function(Parser *parser, AstItem *item)
{
    item->kind = ITEM_FN;
    parse_qualifiers(parser, item);
    int64_t start = parser_start(parser);
    parser_expect(parser, TOKEN_FN);
    item->name = parse_name(parser, "the name of a function");
    item->generics = parse_generics(parser);
    parse_params(parser, item);
    item->function.result = parse_result_type(parser);
    parse_where(parser, &item->generics);
    item->function.signature = parser_span(parser, start);
    if (parser_at(parser, TOKEN_OPEN_BRACE))
        parse_body(parser, item);
    else if (parser_accept(parser, TOKEN_SEMICOLON))
        item->function.has_semicolon = true;
    else
        parser_unexpected(parser, "the body of the function or `;`");
}

// ---- structures and enumerations

// field = visibility name ":" type
static AstField parse_named_field(Parser *parser)
{
    AstField field = {.attributes = parse_attributes(parser, NULL)};
    field.visibility = parse_visibility(parser);
    field.name = parse_name(parser, "the name of a field");
    parser_expect(parser, TOKEN_COLON);
    field.type = parse_type(parser);
    return field;
}

static AstField parse_tuple_field(Parser *parser, int64_t number)
{
    AstField field = {.attributes = parse_attributes(parser, NULL)};
    field.visibility = parse_visibility(parser);
    field.type = parse_type(parser);
    Str name = str_format(parser->arena, "{}", number);
    field.name = (AstName){intern(parser->names, name), field.type->span};
    return field;
}

// "{" named,* "}" | "(" types ")"; may be missing
static AstFieldsKind parse_fields(Parser *parser, AstFields *fields)
{
    bool named = parser_at(parser, TOKEN_OPEN_BRACE);
    if (!named && !parser_at(parser, TOKEN_OPEN_PAREN))
        return FIELDS_NONE;
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len, number = 0;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        AstField field = named ? parse_named_field(parser) : parse_tuple_field(parser, number++);
        number -= field.attributes.is_off;
        if (field.attributes.is_off)
            parser_leave_out(parser, &field.attributes, field.name.text);
        else if (*field.name.text)
            *stack_push(parser, AstField) = field;
    }
    stack_take(parser, mark, fields, AstField);
    parser_close(parser, group);
    return named ? FIELDS_NAMED : FIELDS_TUPLE;
}

// "struct" name generics? where? (fields | fields where? ";" | ";")
static void parse_structure(Parser *parser, AstItem *item)
{
    item->kind = ITEM_STRUCT;
    parser_next(parser);
    item->name = parse_name(parser, "the name of a structure");
    item->generics = parse_generics(parser);
    parse_where(parser, &item->generics);
    item->structure.kind = parse_fields(parser, &item->structure.fields);
    if (item->structure.kind == FIELDS_NAMED)
        return;
    parse_where(parser, &item->generics);
    parser_expect_semicolon(parser);
}

static void parse_union(Parser *parser, AstItem *item)
{
    Span span = parser_here(parser);
    parse_structure(parser, item);
    parser_unsupported(parser, span, "`union`");
    item->kind = ITEM_ERROR;
}

// variant = name fields? ("=" expr)?
static AstVariant parse_variant(Parser *parser, bool *is_off)
{
    AstVariant variant = {0};
    AstAttributes attributes = parse_attributes(parser, &variant.docs);
    *is_off = attributes.is_off;
    variant.is_default = attribute_find(&attributes, "default") != NULL;
    parse_visibility(parser);
    variant.name = parse_name(parser, "the name of a variant");
    if (*is_off)
        parser_leave_out(parser, &attributes, variant.name.text);
    variant.kind = parse_fields(parser, &variant.fields);
    if (parser_accept(parser, TOKEN_EQUAL))
        variant.value = parse_expr(parser);
    return variant;
}

// "enum" name generics? where? "{" variants "}"
static void parse_enumeration(Parser *parser, AstItem *item)
{
    item->kind = ITEM_ENUM;
    parser_next(parser);
    item->name = parse_name(parser, "the name of an enumeration");
    item->generics = parse_generics(parser);
    parse_where(parser, &item->generics);
    if (!parser_at(parser, TOKEN_OPEN_BRACE)) {
        parser_unexpected(parser, "`{`");
        return;
    }
    Group group = parser_open(parser);
    int64_t mark = parser->stack.len;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        bool is_off;
        AstVariant variant = parse_variant(parser, &is_off);
        if (*variant.name.text && !is_off)
            *stack_push(parser, AstVariant) = variant;
    }
    stack_take(parser, mark, &item->variants, AstVariant);
    parser_close(parser, group);
}

// ---- names for types and values

// type T = A / 2; the mapping lacks its `m![..]`. Goes on at the end of the line.
static void report_bare_mapping(Parser *parser, AstType *type)
{
    int64_t start = type->span.start;
    while (!parser_at(parser, TOKEN_SEMICOLON) && !parser_at(parser, TOKEN_END) &&
           !(parser_token(parser)->flags & TOKEN_FIRST))
        parser_next(parser);
    Span span = parser_span(parser, start);
    Str text = str_slice(parser->text, span.start, span.end);
    Diag *diag = parser_report(parser, DIAG_MAPPING_TEXT, span, "a mapping stands in `m![..]`");
    if (diag) {
        diag_help(diag, "write `m![{}]`", text);
        diag_edit(diag, span, "m![{}]", text);
    }
    type->kind = AST_TYPE_ERROR;
}

// "type" name generics? (":" bounds)? where? ("=" type)? where? ";"
static void parse_alias(Parser *parser, AstItem *item)
{
    item->kind = ITEM_TYPE;
    parser_next(parser);
    item->name = parse_name(parser, "the name of a type");
    item->generics = parse_generics(parser);
    if (parser_accept(parser, TOKEN_COLON))
        parse_bounds(parser);
    parse_where(parser, &item->generics);
    if (!parser->in_trait || parser_at(parser, TOKEN_EQUAL)) {
        if (!parser_accept(parser, TOKEN_EQUAL))
            parser_unexpected(parser, "`=` and a type");
        item->alias.type = parse_type(parser);
        if (parser_at(parser, TOKEN_SLASH) || parser_at(parser, TOKEN_PERCENT) ||
            parser_at(parser, TOKEN_HASH))
            report_bare_mapping(parser, item->alias.type);
    }
    parse_where(parser, &item->generics);
    parser_expect_semicolon(parser);
}

// ("const" | "static" "mut"?) (name | "_") ":" type ("=" expr)? ";"
static void parse_constant(Parser *parser, AstItem *item)
{
    item->kind = ITEM_CONST;
    parser_next(parser);
    parser_accept(parser, TOKEN_MUT);
    if (parser_at(parser, TOKEN_UNDERSCORE))
        item->name = parser_take_name(parser);
    else
        item->name = parse_name(parser, "the name of a constant");
    item->generics = parse_generics(parser);
    parser_expect(parser, TOKEN_COLON);
    item->constant.type = parse_type(parser);
    if (!parser->in_trait || parser_at(parser, TOKEN_EQUAL)) {
        if (!parser_accept(parser, TOKEN_EQUAL))
            parser_unexpected(parser, "`=` and a value");
        item->constant.value = parse_expr(parser);
    }
    parser_expect_semicolon(parser);
}

// ---- use

enum { MOST_USE_NAMES = 64 };

static void parse_use_tree(Parser *parser, AstItem *item, AstNames *prefix, bool global);

static void add_use(Parser *parser, AstItem *item, const AstNames *path, AstUse use, int64_t start)
{
    use.path.items = arena_copy(parser->arena, path->items, (size_t)path->count * sizeof(AstName));
    use.path.count = use.path.capacity = path->count;
    use.span = parser_span(parser, start);
    *array_push(parser->arena, &item->uses, AstUse) = use;
}

// "{" (tree ("," tree)* ","?)? "}"
static void parse_use_group(Parser *parser, AstItem *item, AstNames *prefix, bool global)
{
    Group group = parser_open(parser);
    int64_t count = prefix->count;
    for (bool more = parser_in_group(parser, group); more; more = parser_comma(parser, group)) {
        prefix->count = count;
        parse_use_tree(parser, item, prefix, global);
    }
    parser_close(parser, group);
}

static bool at_use_name(const Parser *parser)
{
    return parser_at(parser, TOKEN_NAME) || parser_at(parser, TOKEN_CRATE) ||
           parser_at(parser, TOKEN_SELF_VALUE) || parser_at(parser, TOKEN_SUPER) ||
           parser_at(parser, TOKEN_SELF_TYPE);
}

// ("as" (name | "_"))?
static void parse_use_end(Parser *parser, AstItem *item, AstNames *path, bool global, int64_t start)
{
    AstName *last = &path->items[path->count - 1];
    if (path->count > 1 && !strcmp(last->text, "self")) // a::{self} is a
        path->count--;
    AstUse use = {.global = global, .name = path->items[path->count - 1].text};
    if (parser_accept(parser, TOKEN_AS)) {
        bool nameless = parser_at(parser, TOKEN_UNDERSCORE);
        use.name = nameless ? parser_take_name(parser).text : parse_name(parser, "a name").text;
    }
    if (!parser_broken(parser))
        add_use(parser, item, path, use, start);
}

// After the names of a path: True: a name follows.
static bool push_use_name(Parser *parser, AstNames *path)
{
    if (!at_use_name(parser) || path->count >= MOST_USE_NAMES) {
        parser_unexpected(parser, path->count >= MOST_USE_NAMES
                                      ? "the end of a path that is too long"
                                      : "a name, `*` or `{`");
        return false;
    }
    AstName name = parser_take_name(parser);
    *array_push(parser->arena, path, AstName) = name;
    return true;
}

// tree = (name "::")* (name ("as" name)? | "*" | "{" trees "}")
static void parse_use_tree(Parser *parser, AstItem *item, AstNames *prefix, bool global)
{
    int64_t start = parser_start(parser);
    if (!parser_enter(parser))
        return;
    global |= parser_accept(parser, TOKEN_COLON_COLON);
    for (;;) {
        if (parser_accept(parser, TOKEN_STAR)) {
            add_use(parser, item, prefix, (AstUse){.global = global, .glob = true}, start);
            break;
        }
        if (parser_at(parser, TOKEN_OPEN_BRACE)) {
            parse_use_group(parser, item, prefix, global);
            break;
        }
        if (!push_use_name(parser, prefix))
            break;
        if (!parser_accept(parser, TOKEN_COLON_COLON)) {
            parse_use_end(parser, item, prefix, global, start);
            break;
        }
    }
    parser_leave(parser);
}

static void parse_use(Parser *parser, AstItem *item)
{
    AstNames path = {0};
    item->kind = ITEM_USE;
    parser_next(parser);
    parse_use_tree(parser, item, &path, false);
    parser_expect_semicolon(parser);
}

// ---- what contains items

// "{" items "}"
static AstItems parse_item_block(Parser *parser, bool is_trait)
{
    AstItems items = {0};
    if (!parser_at(parser, TOKEN_OPEN_BRACE)) {
        parser_unexpected(parser, "`{`");
        return items;
    }
    Group group = parser_open(parser);
    parser->in_trait = is_trait;
    parse_inner_attributes(parser);
    items = parse_items(parser, parser->tokens[group.token].match);
    parser_close(parser, group);
    return items;
}

// "mod" name (";" | "{" attributes items "}")
static void parse_module(Parser *parser, AstItem *item)
{
    item->kind = ITEM_MOD;
    parser_next(parser);
    item->name = parse_name(parser, "the name of a module");
    if (!parser_at(parser, TOKEN_OPEN_BRACE)) {
        parser_expect_semicolon(parser);
        return;
    }
    Group group = parser_open(parser);
    item->module.is_inline = true;
    item->module.inner = parse_inner_attributes(parser);
    item->attributes.is_off |= item->module.inner.is_off;
    item->module.items = parse_items(parser, parser->tokens[group.token].match);
    parser_close(parser, group);
}

// "impl" generics? (type "for")? type where? "{" items "}"
static void parse_implementation(Parser *parser, AstItem *item)
{
    item->kind = ITEM_IMPL;
    int64_t start = parser_start(parser);
    parser_next(parser);
    item->generics = parse_generics(parser);
    if (parser_at(parser, TOKEN_NOT) || parser_at(parser, TOKEN_CONST)) {
        bool negative = parser_at(parser, TOKEN_NOT);
        parser_next(parser);
        parser_unsupported(parser, parser_span(parser, start),
                           negative ? "a negative implementation" : "`impl const`");
    }
    item->impl.type = parse_type(parser);
    if (parser_accept(parser, TOKEN_FOR)) {
        item->impl.trait = item->impl.type;
        item->impl.type = parse_type(parser);
    }
    parse_where(parser, &item->generics);
    item->impl.items = parse_item_block(parser, false);
}

// "trait" name generics? (":" bounds)? where? "{" items "}"
static void parse_trait(Parser *parser, AstItem *item)
{
    item->kind = ITEM_TRAIT;
    parser_expect(parser, TOKEN_TRAIT);
    item->name = parse_name(parser, "the name of a trait");
    item->generics = parse_generics(parser);
    if (parser_accept(parser, TOKEN_COLON))
        item->impl.bounds = parse_bounds(parser);
    if (parser_at(parser, TOKEN_EQUAL)) {
        parser_unsupported(parser, parser_here(parser), "a trait alias");
        parser_break(parser);
    }
    parse_where(parser, &item->generics);
    item->impl.items = parse_item_block(parser, true);
    item->impl.type = type_error(parser);
}

// ---- extern and macros

// "extern" "crate" name ("as" name)? ";"
static void parse_extern_crate(Parser *parser, AstItem *item)
{
    item->kind = ITEM_EXTERN_CRATE;
    parser_next(parser);
    parser_next(parser);
    if (parser_at(parser, TOKEN_SELF_VALUE))
        item->name = parser_take_name(parser);
    else
        item->name = parse_name(parser, "the name of a crate");
    if (parser_accept(parser, TOKEN_AS) && !parser_accept(parser, TOKEN_UNDERSCORE))
        parse_name(parser, "a name");
    parser_expect_semicolon(parser);
}

// "unsafe"? "extern" string? "{" .. "}"
static void refuse_extern_block(Parser *parser, AstItem *item)
{
    int64_t start = parser_start(parser);
    while (!parser_at(parser, TOKEN_OPEN_BRACE))
        parser_next(parser);
    parser_unsupported(parser, parser_span(parser, start), "functions of other languages");
    parser_skip_group(parser);
    item->kind = ITEM_ERROR;
}

// "macro_rules" "!" name brackets ";"?
static void parse_macro_rules(Parser *parser, AstItem *item)
{
    item->kind = ITEM_MACRO_RULES;
    parser_next(parser);
    parser_next(parser);
    item->name = parse_name(parser, "the name of a macro");
    bool braces = parser_at(parser, TOKEN_OPEN_BRACE);
    if (token_opens(parser->kind)) {
        if (!item->attributes.is_off)
            macro_declare(parser, item->name, parser->at);
        parser_skip_group(parser);
    } else {
        parser_unexpected(parser, "`{` and rules");
    }
    if (!braces)
        parser_expect_semicolon(parser);
}

// ---- the whole

// A word that is a keyword only before another word.
static bool at_weak_keyword(const Parser *parser, const char *word, TokenKind next)
{
    return parser_at(parser, TOKEN_NAME) && parser_ahead(parser, 1) == next &&
           parser_at_word(parser, word);
}

static bool at_named_item(const Parser *parser)
{
    TokenKind next = parser_ahead(parser, 1);
    if (next == TOKEN_NOT)
        return parser_at_macro(parser, "axes") ||
               (parser_ahead(parser, 2) == TOKEN_NAME && parser_at_word(parser, "macro_rules"));
    return at_weak_keyword(parser, "union", TOKEN_NAME) ||
           at_weak_keyword(parser, "auto", TOKEN_TRAIT);
}

bool parser_at_item(const Parser *parser)
{
    if (parser_broken(parser))
        return false;
    TokenKind next = parser_ahead(parser, 1);
    switch ((int)parser->kind) {
    case TOKEN_FN:
    case TOKEN_STRUCT:
    case TOKEN_ENUM:
    case TOKEN_TRAIT:
    case TOKEN_IMPL:
    case TOKEN_MOD:
    case TOKEN_USE:
    case TOKEN_TYPE:
    case TOKEN_PUB:
    case TOKEN_EXTERN:
        return true;
    case TOKEN_STATIC:
        return next == TOKEN_NAME || next == TOKEN_MUT;
    case TOKEN_CONST:
        return next != TOKEN_OPEN_BRACE && next != TOKEN_OR && next != TOKEN_OR_OR &&
               next != TOKEN_MOVE;
    case TOKEN_UNSAFE:
        return next == TOKEN_FN || next == TOKEN_IMPL || next == TOKEN_TRAIT ||
               next == TOKEN_EXTERN;
    case TOKEN_ASYNC:
        return next == TOKEN_FN || next == TOKEN_UNSAFE || next == TOKEN_EXTERN;
    case TOKEN_NAME:
        return at_named_item(parser);
    }
    return false;
}

static void parse_extern(Parser *parser, AstItem *item)
{
    TokenKind next = parser_ahead(parser, 1);
    bool block = next == TOKEN_OPEN_BRACE ||
                 (next == TOKEN_STRING && parser_ahead(parser, 2) == TOKEN_OPEN_BRACE);
    if (next == TOKEN_CRATE)
        parse_extern_crate(parser, item);
    else if (block)
        refuse_extern_block(parser, item);
    else
        parse_function(parser, item);
}

// "unsafe" (fn | impl | trait | extern)
static void parse_unsafe(Parser *parser, AstItem *item)
{
    TokenKind next = parser_ahead(parser, 1), third = parser_ahead(parser, 2);
    bool block = next == TOKEN_EXTERN &&
                 (third == TOKEN_OPEN_BRACE ||
                  (third == TOKEN_STRING && parser_ahead(parser, 3) == TOKEN_OPEN_BRACE));
    if (block) {
        refuse_extern_block(parser, item);
    } else if (next == TOKEN_IMPL) {
        parser_next(parser);
        parse_implementation(parser, item);
    } else if (next == TOKEN_TRAIT) {
        parser_next(parser);
        parse_trait(parser, item);
    } else {
        parse_function(parser, item);
    }
}

static void parse_named_item(Parser *parser, AstItem *item)
{
    if (parser_at_macro(parser, "axes")) {
        parse_axes(parser, item);
    } else if (parser_at_word(parser, "macro_rules")) {
        parse_macro_rules(parser, item);
    } else if (parser_at_word(parser, "auto")) {
        parser_next(parser);
        parse_trait(parser, item);
    } else {
        parse_union(parser, item);
    }
}

static void parse_item_kind(Parser *parser, AstItem *item)
{
    TokenKind next = parser_broken(parser) ? TOKEN_BROKEN : parser_ahead(parser, 1);
    switch ((int)parser->kind) {
    case TOKEN_FN:
    case TOKEN_ASYNC:
        parse_function(parser, item);
        return;
    case TOKEN_UNSAFE:
        parse_unsafe(parser, item);
        return;
    case TOKEN_EXTERN:
        parse_extern(parser, item);
        return;
    case TOKEN_CONST:
        if (next == TOKEN_FN || next == TOKEN_UNSAFE || next == TOKEN_ASYNC || next == TOKEN_EXTERN)
            parse_function(parser, item);
        else
            parse_constant(parser, item);
        return;
    case TOKEN_STATIC:
        parse_constant(parser, item);
        return;
    case TOKEN_STRUCT:
        parse_structure(parser, item);
        return;
    case TOKEN_ENUM:
        parse_enumeration(parser, item);
        return;
    case TOKEN_TRAIT:
        parse_trait(parser, item);
        return;
    case TOKEN_IMPL:
        parse_implementation(parser, item);
        return;
    case TOKEN_MOD:
        parse_module(parser, item);
        return;
    case TOKEN_USE:
        parse_use(parser, item);
        return;
    case TOKEN_TYPE:
        parse_alias(parser, item);
        return;
    case TOKEN_NAME:
        if (at_named_item(parser)) {
            parse_named_item(parser, item);
            return;
        }
        break;
    }
    parser_unexpected(parser, "an item");
}

AstItem *parse_item(Parser *parser, AstAttributes attributes, Str docs, int64_t start)
{
    AstItem *item = arena_new(parser->arena, AstItem, 1);
    item->attributes = attributes;
    item->docs = docs;
    item->first_expr = item->end_expr = parser->next_id;
    item->name = (AstName){intern(parser->names, STR("")), parser_span(parser, start)};
    if (!parser_enter(parser))
        return item;
    int32_t height = parser->height;
    parser->height = 0;
    item->visibility = parse_visibility(parser);
    bool two_words = parser_at(parser, TOKEN_NAME) && parser_ahead(parser, 1) == TOKEN_NAME;
    if (two_words && !at_named_item(parser))
        parser_mend_keyword(parser);
    parse_item_kind(parser, item);
    bool nameless = item->kind == ITEM_IMPL || item->kind == ITEM_USE || item->kind == ITEM_AXES;
    if (!nameless && !*item->name.text)
        item->kind = ITEM_ERROR;
    item->span = parser_span(parser, start);
    item->end_expr = parser->next_id;
    parser->height = height > parser->height ? height : parser->height;
    parser_leave(parser);
    return item;
}

AstItems parse_items(Parser *parser, int64_t limit)
{
    AstItems items = {0};
    int64_t mark = parser->stack.len;
    bool in_trait = parser->in_trait;
    while (parser->at < limit) {
        int64_t start = parser->at, text_start = parser_start(parser);
        Str docs = {0};
        if (parser_accept(parser, TOKEN_SEMICOLON))
            continue;
        const MacroRules *rules = macro_at(parser, limit);
        if (rules) {
            macro_items(parser, rules);
            continue;
        }
        AstAttributes attributes = parse_attributes(parser, &docs);
        AstItem *item = parse_item(parser, attributes, docs, text_start);
        if (item->attributes.is_off)
            parser_leave_out(parser, &item->attributes, item->name.text);
        else if (item->kind != ITEM_ERROR || *item->name.text)
            *stack_push(parser, AstItem *) = item;
        if (parser_broken(parser))
            parser_recover(parser, start, limit);
        parser->in_trait = in_trait;
    }
    stack_take(parser, mark, &items, AstItem *);
    return items;
}

// Attributes, and the doc comments that stand between them.
#include "lang/syntax/parse_internal.h"

#include "base/path.h"

#include <string.h>

// ---- doc comments

// Index of the first doc comment that stands before token number `token`.
static int64_t first_doc(const Parser *parser, int64_t token)
{
    int64_t low = 0, high = parser->doc_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (parser->docs[middle].token < token)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// A line without blanks at its end, one blank at its start, and the star of comments that have one.
static Str doc_line(Str line, bool stars)
{
    if (stars) {
        line = str_trim(line);
        if (line.len && line.data[0] == '*')
            line = str_slice(line, 1, line.len);
    }
    if (line.len && line.data[0] == ' ')
        line = str_slice(line, 1, line.len);
    while (line.len && strchr(" \t\r", line.data[line.len - 1]) && line.data[line.len - 1])
        line.len--;
    return line;
}

static void add_doc(StrBuf *out, Str text)
{
    bool block = text.data[1] == '*';
    text = str_slice(text, 3, text.len);
    if (block && text.len >= 2 && text.data[text.len - 2] == '*' && text.data[text.len - 1] == '/')
        text = str_trim(str_slice(text, 0, text.len - 2));
    while (text.len || !block) {
        const char *end = text.len ? memchr(text.data, '\n', (size_t)text.len) : NULL;
        int64_t length = end ? end - text.data : text.len;
        if (out->len)
            buf_add_char(out, '\n');
        buf_add(out, doc_line(str_slice(text, 0, length), block));
        if (!end)
            return;
        text = str_slice(text, length + 1, text.len);
    }
}

static void collect_docs(Parser *parser, StrBuf *out)
{
    for (int64_t i = first_doc(parser, parser->at);
         i < parser->doc_count && parser->docs[i].token == parser->at; i++)
        add_doc(out, str_slice(parser->text, parser->docs[i].start, parser->docs[i].end));
}

// ---- attributes

Str parser_plain_text(Parser *parser, int64_t first, int64_t end)
{
    if (first >= end)
        return str_slice(parser->text, parser->tokens[end].start, parser->tokens[end].start);
    int64_t start = parser->tokens[first].start, stop = token_end(&parser->tokens[end - 1]);
    Str text = str_slice(parser->text, start, stop);
    char *plain = NULL;
    for (int64_t i = first; i + 1 < end; i++) {
        int64_t gap = token_end(&parser->tokens[i]), next = parser->tokens[i + 1].start;
        if (!str_trim(str_slice(parser->text, gap, next)).len)
            continue;
        if (!plain)
            plain = memcpy(arena_new(parser->arena, char, (size_t)text.len), text.data,
                           (size_t)text.len);
        memset(plain + gap - start, ' ', (size_t)(next - gap));
    }
    return plain ? (Str){plain, text.len} : text;
}

// What stands between two tokens, without blanks around it.
static void set_args(Parser *parser, AstAttribute *attribute, int64_t first, int64_t end)
{
    attribute->args = parser_plain_text(parser, first, end);
    attribute->args_start = parser->tokens[first < end ? first : end].start;
}

// name = word ("::" word)*
static Str parse_attribute_name(Parser *parser)
{
    StrBuf text = {.arena = parser->arena};
    do {
        if (!parser_at(parser, TOKEN_NAME) && !parser_at(parser, TOKEN_UNSAFE)) {
            parser_unexpected_as(parser, DIAG_ATTRIBUTE_TEXT, "the name of an attribute");
            break;
        }
        buf_format(&text, "{}{}", text.len ? "::" : "", parser_text(parser, parser->at));
        parser_next(parser);
    } while (parser_accept(parser, TOKEN_COLON_COLON));
    return buf_str(&text);
}

static void add_attribute(Parser *parser, AstAttributes *attributes, AstAttribute attribute);

// One of those that a `cfg_attr` adds: name, name(args) or name = value.
static void add_named(Parser *parser, AstAttributes *attributes, Str text,
                      const AstAttribute *adder)
{
    int64_t end = 0;
    while (end < text.len && !strchr("(= \t\n", text.data[end]))
        end++;
    Str args = str_trim(str_slice(text, end, text.len));
    if (args.len >= 2)
        args = str_trim(str_slice(args, 1, args.data[0] == '(' ? args.len - 1 : args.len));
    AstAttribute attribute = {.name = intern(parser->names, str_slice(text, 0, end)),
                              .args = args,
                              .args_start = adder->args_start +
                                            ((args.len ? args : text).data - adder->args.data),
                              .span = adder->span};
    add_attribute(parser, attributes, attribute);
}

#define CFG_FORMS "`test`, `name = \"value\"`, `not(..)`, `all(..)` or `any(..)`"

static void report_predicate(Parser *parser, const CfgMistake *mistake, Span span)
{
    static const struct {
        const char *before, *after; // around the wrong part
        const char *help;
    } words[] = {
        [CFG_MISSING] = {"a predicate is missing", "", "write one such as " CFG_FORMS},
        [CFG_SEVERAL] = {"one predicate is expected, not `", "`",
                         "join predicates with `all(..)` or `any(..)`"},
        [CFG_OPERATOR] = {"there is no predicate `", "(..)`",
                          "use `not(..)`, `all(..)` or `any(..)`"},
        [CFG_NAME] = {"`", "` is not a predicate", "write one such as " CFG_FORMS},
        [CFG_VALUE] = {"the value `", "` must be a string", "put it in quotes"},
    };
    if (mistake->kind == CFG_DEEP) {
        parser_report(parser, DIAG_NESTING, span, "this predicate is nested more than {} deep",
                      CFG_MOST_DEPTH);
        return;
    }
    Diag *diag =
        parser_report(parser, DIAG_ATTRIBUTE_TEXT, span, "{}{}{}", words[mistake->kind].before,
                      mistake->text, words[mistake->kind].after);
    if (diag)
        diag_help(diag, "{}", words[mistake->kind].help);
}

#undef CFG_FORMS

bool parser_cfg_holds(Parser *parser, Str predicate, Span span)
{
    CfgMistake mistake;
    bool holds = cfg_holds(&parser->macros->cfg, predicate, &mistake);
    if (mistake.kind != CFG_CORRECT)
        report_predicate(parser, &mistake, span);
    return holds;
}

void parser_leave_out(Parser *parser, const AstAttributes *attributes, const char *name)
{
    const AstAttribute *cfg = attribute_find(attributes, "cfg");
    if (cfg && *name)
        *array_push(parser->arena, &parser->macros->left_out, LeftOut) = (LeftOut){name, cfg->span};
}

// `cfg` decides whether the item after it exists, `cfg_attr` whether other attributes do.
static void add_attribute(Parser *parser, AstAttributes *attributes, AstAttribute attribute)
{
    bool is_on = parser->macros && parser->macros->cfg.is_on;
    *array_push(parser->arena, attributes, AstAttribute) = attribute;
    if (is_on && strcmp(attribute.name, "cfg") == 0)
        attributes->is_off |= !parser_cfg_holds(parser, attribute.args, attribute.span);
    if (!is_on || strcmp(attribute.name, "cfg_attr") != 0)
        return;
    Str rest;
    if (!parser_cfg_holds(parser, cfg_first(attribute.args, &rest), attribute.span) ||
        !parser_enter(parser))
        return;
    while ((rest = str_trim(rest)).len)
        add_named(parser, attributes, cfg_first(rest, &rest), &attribute);
    parser_leave(parser);
}

// "[" path (brackets | "=" tokens)? "]"
static void parse_attribute(Parser *parser, AstAttributes *attributes, int64_t start)
{
    if (!parser_at(parser, TOKEN_OPEN_SQUARE)) {
        parser_unexpected_as(parser, DIAG_ATTRIBUTE_TEXT, "`[` and an attribute");
        return;
    }
    AstAttribute attribute = {0};
    Group group = parser_open(parser);
    int64_t closing = parser->tokens[group.token].match;
    attribute.name = intern(parser->names, parse_attribute_name(parser));
    attribute.args_start = parser->last_end;
    if (token_opens(parser->kind)) {
        set_args(parser, &attribute, parser->at + 1, parser_token(parser)->match);
        parser_skip_group(parser);
    } else if (parser_accept(parser, TOKEN_EQUAL)) {
        set_args(parser, &attribute, parser->at, closing);
        parser_resume(parser, closing);
    }
    if (parser->at != closing)
        parser_unexpected_as(parser, DIAG_ATTRIBUTE_TEXT, "`(`, `=` or `]`");
    bool read = !parser_broken(parser);
    parser_close(parser, group);
    attribute.span = parser_span(parser, start);
    if (read)
        add_attribute(parser, attributes, attribute);
}

// `#![..]` is about what it stands in, and first there.
static void refuse_inner(Parser *parser)
{
    Span span = {parser->source, parser_start(parser), token_end(parser_token(parser) + 1)};
    Diag *diag = parser_report(parser, DIAG_ATTRIBUTE_TEXT, span,
                               "`#!` does not stand at the start of a file or block");
    if (diag) {
        diag_help(diag, "an attribute of what follows is written `#[..]`");
        diag_edit(diag, span, "#");
    }
}

AstAttributes parse_attributes(Parser *parser, Str *docs)
{
    AstAttributes attributes = {0};
    if (!parser_at(parser, TOKEN_HASH) && !(parser_token(parser)->flags & TOKEN_DOCS))
        return attributes;
    StrBuf text = {.arena = parser->arena};
    for (;;) {
        if (docs && parser_token(parser)->flags & TOKEN_DOCS)
            collect_docs(parser, &text);
        if (!parser_at(parser, TOKEN_HASH))
            break;
        int64_t start = parser_start(parser);
        if (parser_ahead(parser, 1) == TOKEN_NOT) {
            refuse_inner(parser);
            parser_next(parser);
        }
        parser_next(parser);
        parse_attribute(parser, &attributes, start);
    }
    if (docs && text.len)
        *docs = buf_str(&text);
    return attributes;
}

AstAttributes parse_inner_attributes(Parser *parser)
{
    AstAttributes attributes = {0};
    while (parser_at(parser, TOKEN_HASH) && parser_ahead(parser, 1) == TOKEN_NOT) {
        int64_t start = parser_start(parser);
        parser_next(parser);
        parser_next(parser);
        parse_attribute(parser, &attributes, start);
    }
    return attributes;
}

const AstAttribute *attribute_find(const AstAttributes *attributes, const char *name)
{
    for (int64_t i = 0; i < attributes->count; i++)
        if (!strcmp(attributes->items[i].name, name))
            return &attributes->items[i];
    return NULL;
}

Str module_named_path(Arena *arena, Str beside, const AstItem *item)
{
    const AstAttribute *path = attribute_find(&item->attributes, "path");
    if (!path)
        return (Str){0};
    Str named = str_unquoted(path->args);
    return path_normal(arena, str_format(arena, "{}/{}", beside, named));
}

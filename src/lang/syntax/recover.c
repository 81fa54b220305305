// The place in the text, and the way back after a mistake.
#include "lang/syntax/parse_internal.h"

#include "base/checked.h"

#include <string.h>

Str parser_text(const Parser *parser, int64_t token)
{
    return str_slice(parser->text, parser->tokens[token].start, token_end(&parser->tokens[token]));
}

bool parser_at_word(const Parser *parser, const char *word)
{
    return parser_at(parser, TOKEN_NAME) &&
           str_equal(parser_text(parser, parser->at), str_from(word));
}

bool parser_on_new_line(const Parser *parser)
{
    return parser_token(parser)->flags & TOKEN_FIRST;
}

// What is left of an operator when its first character is taken off.
static const struct {
    uint8_t first, rest;
} operator_parts[TOKEN_KIND_COUNT] = {
    [TOKEN_SHIFT_RIGHT] = {TOKEN_GREATER, TOKEN_GREATER},
    [TOKEN_GREATER_EQUAL] = {TOKEN_GREATER, TOKEN_EQUAL},
    [TOKEN_SHIFT_RIGHT_EQUAL] = {TOKEN_GREATER, TOKEN_GREATER_EQUAL},
    [TOKEN_SHIFT_LEFT] = {TOKEN_LESS, TOKEN_LESS},
    [TOKEN_AND_AND] = {TOKEN_AND, TOKEN_AND},
    [TOKEN_OR_OR] = {TOKEN_OR, TOKEN_OR},
};

bool parser_at_part(const Parser *parser, TokenKind kind)
{
    return parser->kind == kind || operator_parts[parser->kind].first == kind;
}

bool parser_accept_part(Parser *parser, TokenKind kind)
{
    if (parser_accept(parser, kind))
        return true;
    if (operator_parts[parser->kind].first != kind)
        return false;
    Token *token = &parser->tokens[parser->at];
    if (parser->is_trial)
        *array_push(parser->arena, &parser->split, SplitToken) = (SplitToken){parser->at, *token};
    token->kind = operator_parts[token->kind].rest;
    token->start++;
    parser->last_end = token->start;
    parser_resume(parser, parser->at);
    return true;
}

// ---- mistakes

// Whether a mistake here most likely follows from one that is reported.
static bool is_doubtful(const Parser *parser)
{
    const Token *token = parser_token(parser);
    uint8_t flags = token->flags | (parser->at ? token[-1].flags : 0);
    return flags & TOKEN_DOUBTFUL || parser->unclosed;
}

Diag *(parser_report)(Parser *parser, DiagCode code, Span span, Message message)
{
    if (parser_broken(parser) || is_doubtful(parser) || parser->mistakes->count >= MISTAKES_MAX)
        return NULL;
    return (mistake_add)(parser->mistakes, code, span.start, span.end, message);
}

void parser_break(Parser *parser)
{
    parser->kind = TOKEN_BROKEN;
}

// A token as a message shows it: in one line, and not all of a long one.
static Str shown(const Parser *parser, int64_t token)
{
    enum { LONGEST = 40 };
    Str text = parser_text(parser, token);
    const char *line = text.len ? memchr(text.data, '\n', (size_t)text.len) : NULL;
    int64_t end = line ? line - text.data : text.len;
    if (end <= LONGEST && end == text.len)
        return text;
    end = min_i64(end, LONGEST);
    while (end > 0 && ((unsigned char)text.data[end] & 0xC0) == 0x80)
        end--;
    return str_format(parser->arena, "{}..", ((Str){text.data, end}));
}

static Span token_span(const Parser *parser, int64_t token)
{
    return (Span){parser->source, parser->tokens[token].start, token_end(&parser->tokens[token])};
}

Diag *parser_unexpected(Parser *parser, const char *expected)
{
    return parser_unexpected_as(parser, DIAG_SYNTAX, expected);
}

Diag *parser_unexpected_as(Parser *parser, DiagCode code, const char *expected)
{
    Span span = token_span(parser, parser->at);
    Diag *diag = NULL;
    if (parser_at(parser, TOKEN_ELLIPSIS))
        diag =
            parser_report(parser, DIAG_ELIDED, span,
                          "`...` stands where {} should stand: something was left out", expected);
    else if (parser_at(parser, TOKEN_END))
        diag = parser_report(parser, code, span, "the text ends where {} should stand", expected);
    else
        diag = parser_report(parser, code, span, "found `{}` where {} should stand",
                             shown(parser, parser->at), expected);
    parser_break(parser);
    return diag;
}

void parser_unsupported(Parser *parser, Span span, const char *construct)
{
    parser_report(parser, DIAG_UNSUPPORTED, span, "{}: the language does not have this", construct);
}

bool parser_expect(Parser *parser, TokenKind kind)
{
    if (parser_accept(parser, kind))
        return true;
    parser_unexpected(parser, token_names[kind]);
    return false;
}

// The line that ends where the last token does; if it is long, only that token.
static Str last_line(const Parser *parser)
{
    enum { LONGEST = 60 };
    int64_t end = parser->last_end, start = end;
    while (start > 0 && end - start < LONGEST && parser->text.data[start - 1] != '\n')
        start--;
    return end - start < LONGEST ? str_trim(str_slice(parser->text, start, end))
                                 : shown(parser, parser->at - 1);
}

void parser_expect_semicolon(Parser *parser)
{
    if (parser_broken(parser) || parser_accept(parser, TOKEN_SEMICOLON))
        return;
    bool ended = parser_on_new_line(parser) || is_doubtful(parser) ||
                 parser_at(parser, TOKEN_CLOSE_BRACE) || parser_at(parser, TOKEN_END);
    if (!ended) {
        parser_unexpected(parser, "`;`");
        return;
    }
    parser->lacks_semicolon = true;
    Span span = {parser->source, parser->last_end, parser->last_end};
    Diag *diag = parser_report(parser, DIAG_SEMICOLON_MISSING, span, "`;` is missing after `{}`",
                               shown(parser, parser->at - 1));
    if (diag)
        diag_help(diag, "write `{};`", last_line(parser));
    if (diag)
        diag_edit(diag, span, ";");
}

// ---- misspelt keywords

static const struct {
    const char *word; // what people write
    TokenKind kind;   // what they mean
} keywords[] = {
    {"let", TOKEN_LET},       {"fn", TOKEN_FN},         {"for", TOKEN_FOR},
    {"if", TOKEN_IF},         {"while", TOKEN_WHILE},   {"match", TOKEN_MATCH},
    {"return", TOKEN_RETURN}, {"struct", TOKEN_STRUCT}, {"enum", TOKEN_ENUM},
    {"impl", TOKEN_IMPL},     {"trait", TOKEN_TRAIT},   {"type", TOKEN_TYPE},
    {"use", TOKEN_USE},       {"mod", TOKEN_MOD},       {"const", TOKEN_CONST},
    {"static", TOKEN_STATIC}, {"pub", TOKEN_PUB},       {"async", TOKEN_ASYNC},
    {"unsafe", TOKEN_UNSAFE}, {"extern", TOKEN_EXTERN}, {"func", TOKEN_FN},
    {"function", TOKEN_FN},   {"def", TOKEN_FN},        {"var", TOKEN_LET},
    {"import", TOKEN_USE},    {"class", TOKEN_STRUCT},  {"switch", TOKEN_MATCH},
    {"foreach", TOKEN_FOR},   {"public", TOKEN_PUB},    {"module", TOKEN_MOD},
};

// Whether `word` becomes `keyword` by changing, adding, leaving out or swapping letters, one in
// all.
static bool is_nearly(Str word, Str keyword)
{
    int64_t front = 0, back = 0, shorter = min_i64(word.len, keyword.len);
    while (front < shorter && word.data[front] == keyword.data[front])
        front++;
    while (back < shorter - front &&
           word.data[word.len - 1 - back] == keyword.data[keyword.len - 1 - back])
        back++;
    int64_t left = word.len - front - back, wanted = keyword.len - front - back;
    if (left <= 1 && wanted <= 1)
        return true;
    return left == 2 && wanted == 2 && word.data[front] == keyword.data[front + 1] &&
           word.data[front + 1] == keyword.data[front];
}

bool parser_mend_keyword(Parser *parser)
{
    Str word = parser_text(parser, parser->at);
    TokenKind kind = TOKEN_NAME;
    for (size_t i = 0; i < COUNT_OF(keywords) && kind == TOKEN_NAME; i++)
        if (is_nearly(word, str_from(keywords[i].word)))
            kind = keywords[i].kind;
    if (kind == TOKEN_NAME)
        return false;
    Diag *diag = parser_report(parser, DIAG_KEYWORD, token_span(parser, parser->at),
                               "`{}` is no keyword", word);
    if (diag) {
        Str name = str_from(token_names[kind]); // in its quotes
        diag_replace(diag, diag->span, "{}", str_slice(name, 1, name.len - 1));
    }
    parser->tokens[parser->at].kind = (uint8_t)kind;
    parser_resume(parser, parser->at);
    return true;
}

// ---- the way back

// Words that start a statement or item.
static bool starts_anew(const Token *token)
{
    switch ((int)token->kind) {
    case TOKEN_LET:
    case TOKEN_FOR:
    case TOKEN_WHILE:
    case TOKEN_LOOP:
    case TOKEN_IF:
    case TOKEN_MATCH:
    case TOKEN_RETURN:
    case TOKEN_FN:
    case TOKEN_PUB:
    case TOKEN_USE:
    case TOKEN_MOD:
    case TOKEN_STRUCT:
    case TOKEN_ENUM:
    case TOKEN_TRAIT:
    case TOKEN_IMPL:
    case TOKEN_TYPE:
    case TOKEN_CONST:
    case TOKEN_STATIC:
    case TOKEN_EXTERN:
    case TOKEN_ASYNC:
    case TOKEN_UNSAFE:
    case TOKEN_HASH:
        return true;
    }
    return false;
}

// What goes on with an expression after `}`.
static bool continues(const Token *token)
{
    TokenKind kind = token->kind;
    return kind == TOKEN_ELSE || kind == TOKEN_DOT || kind == TOKEN_QUESTION ||
           kind == TOKEN_SEMICOLON || (!(token->flags & TOKEN_FIRST) && !starts_anew(token));
}

// Words that start an item wherever they stand.
static bool starts_item(const Token *token)
{
    switch ((int)token->kind) {
    case TOKEN_USE:
    case TOKEN_MOD:
    case TOKEN_STRUCT:
    case TOKEN_ENUM:
    case TOKEN_TRAIT:
        return true;
    case TOKEN_FN: // and not a type
        return token[1].kind == TOKEN_NAME;
    }
    return false;
}

// A place to go on.
static bool is_start(const Token *token)
{
    return (token->flags & TOKEN_FIRST && starts_anew(token)) || token->flags & TOKEN_DOCS ||
           starts_item(token);
}

void parser_recover(Parser *parser, int64_t start, int64_t limit)
{
    int64_t at = parser->at;
    while (at < limit) {
        const Token *token = &parser->tokens[at];
        if (at > start && is_start(token))
            break;
        at = token_opens(token->kind) ? token->match + 1 : at + 1;
        if (token->kind == TOKEN_SEMICOLON ||
            (token->kind == TOKEN_OPEN_BRACE && !continues(&parser->tokens[at])))
            break;
    }
    parser->last_end = token_end(&parser->tokens[at ? at - 1 : 0]);
    parser_resume(parser, at);
}

// ---- nesting

bool parser_enter(Parser *parser)
{
    if (parser->depth < MOST_DEPTH) {
        parser->depth++;
        return true;
    }
    Diag *diag = parser_report(parser, DIAG_NESTING, token_span(parser, parser->at),
                               "this is nested more than {} deep", MOST_DEPTH);
    if (diag)
        diag_help(diag, "give a part of it a name, with `let`, `type` or a function");
    parser_break(parser);
    return false;
}

void parser_leave(Parser *parser)
{
    parser->depth--;
}

bool parser_link(Parser *parser)
{
    if (parser->height < MOST_HEIGHT) {
        parser->height++;
        return true;
    }
    parser_report(parser, DIAG_NESTING, token_span(parser, parser->at),
                  "this chain has more than {} links", MOST_HEIGHT);
    parser_break(parser);
    return false;
}

// ---- brackets and lists

Group parser_open(Parser *parser)
{
    const Token *token = parser_token(parser);
    Group group = {parser->at, parser->no_struct, parser->in_condition, parser->in_trait,
                   parser->unclosed};
    parser->no_struct = parser->in_condition = parser->in_trait = false;
    bool has_no_end =
        token->kind != TOKEN_OPEN_BRACE && parser->tokens[token->match].flags & TOKEN_DOUBTFUL;
    parser->unclosed |= has_no_end;
    parser->unclosed_count += has_no_end;
    parser_next(parser);
    return group;
}

static int64_t closing_of(const Parser *parser, Group group)
{
    return parser->tokens[group.token].match;
}

bool parser_in_group(const Parser *parser, Group group)
{
    return parser->at < closing_of(parser, group) && !parser_broken(parser);
}

static void note_opening(const Parser *parser, Diag *diag, Group group)
{
    Str between =
        str_slice(parser->text, token_end(&parser->tokens[group.token]), parser_start(parser));
    if (diag && between.len && memchr(between.data, '\n', (size_t)between.len))
        diag_note(diag, token_span(parser, group.token), "opened here");
}

void parser_close(Parser *parser, Group group)
{
    int64_t closing = closing_of(parser, group);
    if (parser->at != closing) {
        TokenKind kind = parser->tokens[closing].kind;
        note_opening(parser, parser_unexpected(parser, token_names[kind]), group);
    }
    parser->no_struct = group.no_struct;
    parser->in_condition = group.in_condition;
    parser->in_trait = group.in_trait;
    parser->unclosed = group.unclosed;
    parser_resume(parser, closing);
    parser_next(parser);
}

static const char *comma_or(TokenKind closing)
{
    return closing == TOKEN_CLOSE_PAREN    ? "`,` or `)`"
           : closing == TOKEN_CLOSE_SQUARE ? "`,` or `]`"
                                           : "`,` or `}`";
}

bool parser_comma(Parser *parser, Group group)
{
    int64_t closing = closing_of(parser, group);
    if (parser->at == closing && !parser_broken(parser))
        return false;
    if (!parser_at(parser, TOKEN_COMMA)) {
        const char *expected = comma_or(parser->tokens[closing].kind);
        note_opening(parser, parser_unexpected(parser, expected), group);
        int64_t at = parser->at;
        while (at < closing && parser->tokens[at].kind != TOKEN_COMMA)
            at = token_opens(parser->tokens[at].kind) ? parser->tokens[at].match + 1 : at + 1;
        parser_resume(parser, at);
    }
    return parser_accept(parser, TOKEN_COMMA) && parser_in_group(parser, group);
}

void parser_skip_group(Parser *parser)
{
    parser_resume(parser, parser_token(parser)->match);
    parser_next(parser);
}

void *stack_push_bytes(Parser *parser, size_t size)
{
    int64_t bytes = (int64_t)size;
    if (parser->stack.capacity - parser->stack.len < bytes) {
        int64_t capacity = max_i64(parser->stack.capacity * 2, 512);
        uint8_t *data = arena_alloc(parser->arena, 1, alignof(max_align_t), (size_t)capacity);
        if (parser->stack.len)
            memcpy(data, parser->stack.data, (size_t)parser->stack.len);
        parser->stack.data = data;
        parser->stack.capacity = capacity;
    }
    void *item = parser->stack.data + parser->stack.len;
    parser->stack.len += bytes;
    return item;
}

void stack_take_bytes(Parser *parser, int64_t mark, void *array, size_t size)
{
    int64_t bytes = parser->stack.len - mark, count = bytes / (int64_t)size;
    AnyArray any = {0};
    if (count) {
        any = (AnyArray){.count = count, .capacity = count};
        any.items = arena_alloc(parser->arena, size, alignof(int64_t), (size_t)count);
        memcpy(any.items, parser->stack.data + mark, (size_t)bytes);
    }
    memcpy(array, &any, sizeof any);
    parser->stack.len = mark;
}

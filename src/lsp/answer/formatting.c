// Formatting of `m![..]`, and of nothing else: one blank around operators and behind commas, none
// inside of brackets, `[` as the bracket. Only blanks between words and kinds of brackets change,
// so that the meaning cannot; where a line ends or a comment stands, what is there stays.
#include "lsp/answer/answers.h"

typedef struct {
    const Query *query;
    Str text;
    TokenList tokens;
    int64_t start, end; // mappings that meet this
    json_t *edits;
} Formatter;

// ---- edits

static void replace(const Formatter *formatter, int64_t start, int64_t end, const char *new)
{
    const Query *query = formatter->query;
    Str old = str_slice(formatter->text, start, end);
    if (str_equal(old, str_from(new)))
        return;
    json_t *range = query_range(query, (Span){query->source, start, end});
    json_array_append_new(formatter->edits,
                          json_pack("{s:o, s:s}", "range", range, "newText", new));
}

static bool is_blank(Str text)
{
    for (int64_t i = 0; i < text.len; i++)
        if (text.data[i] != ' ' && text.data[i] != '\t')
            return false;
    return true;
}

// ---- what stands between two tokens

static bool is_operator(const Token *token)
{
    return token->kind == TOKEN_SLASH || token->kind == TOKEN_PERCENT ||
           token->kind == TOKEN_HASH || token->kind == TOKEN_EQUAL;
}

static bool opens_list(const Token *token)
{
    return token->kind == TOKEN_OPEN_SQUARE || token->kind == TOKEN_OPEN_PAREN;
}

static bool closes_list(const Token *token)
{
    return token->kind == TOKEN_CLOSE_SQUARE || token->kind == TOKEN_CLOSE_PAREN;
}

// NULL: nobody says.
static const char *gap_between(const Token *left, const Token *right)
{
    if (left->kind == TOKEN_OPEN_BRACE || right->kind == TOKEN_CLOSE_BRACE)
        return " ";
    if (opens_list(left) || closes_list(right) || right->kind == TOKEN_COMMA)
        return "";
    if (left->kind == TOKEN_COMMA || is_operator(left) || is_operator(right))
        return " ";
    return NULL;
}

static void format_gap(const Formatter *formatter, const Token *left, const Token *right)
{
    const char *wanted = gap_between(left, right);
    int64_t start = token_end(left), end = right->start;
    if (wanted && is_blank(str_slice(formatter->text, start, end)))
        replace(formatter, start, end, wanted);
}

static void format_bracket(const Formatter *formatter, const Token *token)
{
    bool is_paren = token->kind == TOKEN_OPEN_PAREN || token->kind == TOKEN_CLOSE_PAREN;
    if (is_paren)
        replace(formatter, token->start, token->start + 1, opens_list(token) ? "[" : "]");
}

// ---- a mapping

// Every bracket stands in the text, and it is one in which nothing was left out.
static bool is_whole(const AstMapping *mapping)
{
    bool whole = mapping->kind != AST_MAPPING_ERROR;
    if (mapping->inner)
        whole &= is_whole(mapping->inner);
    for (int64_t i = 0; i < mapping->items.count; i++)
        whole &= is_whole(mapping->items.items[i]);
    return whole;
}

static bool stands(const Formatter *formatter, const Token *token)
{
    static const char brackets[] = {
        [TOKEN_OPEN_PAREN] = '(',  [TOKEN_OPEN_SQUARE] = '[',  [TOKEN_OPEN_BRACE] = '{',
        [TOKEN_CLOSE_PAREN] = ')', [TOKEN_CLOSE_SQUARE] = ']', [TOKEN_CLOSE_BRACE] = '}'};
    bool is_bracket = token_opens(token->kind) || token_closes(token->kind);
    return !is_bracket || (token->start < formatter->text.len &&
                           formatter->text.data[token->start] == brackets[token->kind]);
}

static int64_t token_from(const Formatter *formatter, int64_t offset)
{
    int64_t low = 0, high = formatter->tokens.count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (formatter->tokens.items[middle].start < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// From the bracket at `first` to the one that closes it. What is a type in braces is left alone;
// mappings in it are formatted on their own.
static void format_list(const Formatter *formatter, int64_t first)
{
    const Token *tokens = formatter->tokens.items;
    int64_t last = tokens[first].match;
    for (int64_t i = first; i < last; i++) {
        format_bracket(formatter, &tokens[i]);
        format_gap(formatter, &tokens[i], &tokens[i + 1]);
        if (tokens[i].kind == TOKEN_OPEN_BRACE && i > first) {
            int64_t close = tokens[i].match;
            if (close > i + 1)
                format_gap(formatter, &tokens[close - 1], &tokens[close]);
            format_gap(formatter, &tokens[close], &tokens[close + 1]);
            i = close;
        }
    }
    format_bracket(formatter, &tokens[last]);
}

static bool all_stand(const Formatter *formatter, int64_t first, int64_t last)
{
    for (int64_t i = first; i <= last; i++)
        if (!stands(formatter, &formatter->tokens.items[i]))
            return false;
    return true;
}

// `m` `!` bracket .. bracket
static void format_mapping(const Formatter *formatter, const AstType *type)
{
    Token *tokens = formatter->tokens.items;
    int64_t name = token_from(formatter, type->span.start), open = name + 2;
    if (open >= formatter->tokens.count || tokens[name].start != type->span.start ||
        tokens[name + 1].kind != TOKEN_NOT || !token_opens(tokens[open].kind))
        return;
    int64_t last = tokens[open].match;
    if (token_end(&tokens[last]) != type->span.end || !is_whole(type->mapping) ||
        !all_stand(formatter, open, last))
        return;
    for (int64_t i = name; i < open; i++)
        if (is_blank(str_slice(formatter->text, token_end(&tokens[i]), tokens[i + 1].start)))
            replace(formatter, token_end(&tokens[i]), tokens[i + 1].start, "");
    if (tokens[open].kind == TOKEN_OPEN_BRACE) { // `m!{..}` is `m!(..)`, not a type in braces
        tokens[open].kind = TOKEN_OPEN_PAREN;
        tokens[last].kind = TOKEN_CLOSE_PAREN;
    }
    format_list(formatter, open);
}

static void walk_node(void *own, AstNode node)
{
    const Formatter *formatter = own;
    bool meets = node.span.start <= formatter->end && formatter->start <= node.span.end;
    if (meets && node.kind == NODE_TYPE && node.type->kind == AST_TYPE_MAPPING)
        format_mapping(formatter, node.type);
    ast_children(node, walk_node, own);
}

static json_t *format_between(Query *query, int64_t start, int64_t end)
{
    Str text = query_text(query, query->source)->text;
    Formatter formatter = {.query = query,
                           .text = text,
                           .tokens = lex_silently(query->arena, text),
                           .start = start,
                           .end = end,
                           .edits = json_array()};
    analysis_items(query->analysis, query->source, walk_node, &formatter);
    return formatter.edits;
}

// ---- answers

json_t *answer_formatting(Query *query)
{
    return format_between(query, 0, INT64_MAX);
}

json_t *answer_range_formatting(Query *query)
{
    int64_t start, end;
    if (!query_offsets(query, &start, &end))
        return NULL;
    return format_between(query, start, end);
}

// The mapping whose bracket was typed.
json_t *answer_type_formatting(Query *query)
{
    int64_t before = query->offset > 0 ? query->offset - 1 : 0;
    return format_between(query, before, before);
}

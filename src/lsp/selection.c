// Growing selections: the nodes around a place, from the innermost to the whole text.
#include "lsp/answers.h"
#include "lsp/comments.h"

// Adds what is around all that there is, and larger.
static void widen(Arena *arena, Spans *spans, Span span)
{
    const Span *last = spans->count ? &spans->items[spans->count - 1] : NULL;
    bool contains = !last || (span.start <= last->start && span.end >= last->end);
    bool is_same = last && span.start == last->start && span.end == last->end;
    if (contains && !is_same)
        *array_push(arena, spans, Span) = span;
}

// The word, number or text at an offset, or the one that ends there.
static bool token_at(const TokenList *tokens, int32_t source, int64_t offset, Span *span)
{
    for (int64_t i = 0; i < tokens->count && tokens->items[i].start <= offset; i++) {
        const Token *token = &tokens->items[i];
        bool is_word =
            (token->kind >= TOKEN_NAME && token->kind <= TOKEN_BYTE) || token->kind >= TOKEN_AS;
        if (is_word && token_end(token) >= offset)
            *span = (Span){source, token->start, token_end(token)};
    }
    return span->end > span->start;
}

static Spans spans_around(const Query *query, const TokenList *tokens, int64_t offset)
{
    Trail trail = trail_at(query->arena, query->analysis, query->source, offset);
    Span word = {0};
    Spans spans = {0};
    if (token_at(tokens, query->source, offset, &word))
        widen(query->arena, &spans, word);
    for (int64_t i = trail.count - 1; i >= 0; i--)
        widen(query->arena, &spans, trail.items[i].span);
    widen(query->arena, &spans,
          (Span){query->source, 0, query_text(query, query->source)->text.len});
    return spans;
}

static json_t *selection_at(const Query *query, const TokenList *tokens, int64_t offset)
{
    Spans spans = spans_around(query, tokens, offset);
    json_t *around = NULL;
    for (int64_t i = spans.count - 1; i >= 0; i--) {
        json_t *selection = json_pack("{s:o}", "range", query_range(query, spans.items[i]));
        if (around)
            json_object_set_new(selection, "parent", around);
        around = selection;
    }
    return around;
}

json_t *answer_selections(Query *query)
{
    const json_t *positions = json_object_get(query->params, "positions"), *each;
    const LinedText *text = query_text(query, query->source);
    TokenList tokens = lex_silently(query->arena, text->text);
    json_t *list = json_array();
    size_t i;
    json_array_foreach(positions, i, each)
    {
        TextPosition position = {0};
        json_position(each, &position);
        int64_t offset = position_offset(text, query->server->encoding, position);
        json_array_append_new(list, selection_at(query, &tokens, offset));
    }
    return list;
}

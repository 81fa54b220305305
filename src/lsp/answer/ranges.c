// What can be folded: bodies, types, lists of arguments, chains of calls, groups of `use`,
// comments.
#include "lsp/answer/answers.h"

#include "base/checked.h"
#include <stdlib.h>

typedef struct {
    int64_t first, last; // lines
    const char *kind;    // NULL: no particular one
} Fold;

typedef struct {
    const Query *query;
    const LinedText *text;
    struct {
        ARRAY(Fold);
    } folds;
    Span uses;        // of the items of `use` so far, one below the other
    bool is_in_chain; // the node around is part of one that was folded
} FoldWalk;

static int64_t line_at(const FoldWalk *walk, int64_t offset)
{
    return offset_line(walk->text, offset);
}

// Nothing but closing brackets stands on the last line: it stays to be seen.
static bool ends_in_brackets(const FoldWalk *walk, int64_t end)
{
    Str text = walk->text->text;
    int64_t at = walk->text->starts.items[line_at(walk, end)];
    bool any = false;
    for (; at < end; at++) {
        char c = text.data[at];
        bool closes = c == ')' || c == ']' || c == '}' || c == ';' || c == ',';
        if (!closes && c != ' ' && c != '\t')
            return false;
        any |= closes;
    }
    return any;
}

static void add_fold(FoldWalk *walk, int64_t start, int64_t end, const char *kind)
{
    int64_t first = line_at(walk, start), last = line_at(walk, end);
    if (ends_in_brackets(walk, end))
        last--;
    if (last > first)
        *array_push(walk->query->arena, &walk->folds, Fold) = (Fold){first, last, kind};
}

static void end_uses(FoldWalk *walk)
{
    if (walk->uses.end > walk->uses.start)
        add_fold(walk, walk->uses.start, walk->uses.end, "imports");
    walk->uses = (Span){0};
}

// ---- nodes

static void fold_item(FoldWalk *walk, const AstItem *item)
{
    if (item->kind != ITEM_USE)
        end_uses(walk);
    Span name =
        item->kind == ITEM_IMPL && item->impl.type ? item->impl.type->span : item->name.span;
    switch (item->kind) {
    case ITEM_USE:
        if (walk->uses.end > walk->uses.start)
            walk->uses.end = item->span.end;
        else
            walk->uses = item->span;
        break;
    case ITEM_AXES:
        add_fold(walk, item->span.start, item->span.end, NULL);
        break;
    case ITEM_MOD:
    case ITEM_TYPE:
    case ITEM_CONST:
    case ITEM_STRUCT:
    case ITEM_ENUM:
    case ITEM_IMPL:
    case ITEM_TRAIT:
        if (name.end > name.start)
            add_fold(walk, name.start, item->span.end, NULL);
        break;
    case ITEM_FN: // its body is
    case ITEM_ERROR:
    case ITEM_EXTERN_CRATE:
    case ITEM_MACRO_RULES:
        break;
    }
}

// A chain is folded as one, not once a call.
static bool is_link(const AstExpr *expr)
{
    return expr->kind == AST_METHOD || expr->kind == AST_FIELD || expr->kind == AST_AWAIT ||
           expr->kind == AST_TRY;
}

static void fold_expr(FoldWalk *walk, const AstExpr *expr, bool is_in_chain)
{
    switch ((int)expr->kind) {
    case AST_METHOD:
        add_fold(walk, expr->method.args_span.start, expr->method.args_span.end, NULL);
        if (!is_in_chain)
            add_fold(walk, expr->span.start, expr->span.end, NULL);
        break;
    case AST_CALL:
        add_fold(walk, expr->call.callee->span.end, expr->span.end, NULL);
        break;
    case AST_MATCH:
        add_fold(walk, expr->match.inner->span.end, expr->span.end, NULL);
        break;
    case AST_ARRAY:
    case AST_TUPLE:
    case AST_STRUCT:
    case AST_MACRO:
    case AST_INDEX_MACRO:
        add_fold(walk, expr->span.start, expr->span.end, NULL);
        break;
    }
}

static void walk_node(void *own, AstNode node)
{
    FoldWalk *walk = own;
    bool was_in_chain = walk->is_in_chain;
    walk->is_in_chain = node.kind == NODE_EXPR && is_link(node.expr);
    if (node.kind == NODE_ITEM)
        fold_item(walk, node.item);
    else if (node.kind == NODE_BLOCK)
        add_fold(walk, node.span.start, node.span.end, NULL);
    else if (node.kind == NODE_EXPR)
        fold_expr(walk, node.expr, was_in_chain);
    ast_children(node, walk_node, walk);
    walk->is_in_chain = was_in_chain;
}

// ---- comments

// Comments below each other are one, where nothing stands between them.
static void fold_comments(FoldWalk *walk, int64_t start, int64_t end)
{
    Comments comments = {0};
    comments_between(walk->query->arena, walk->text->text, start, end, &comments);
    for (int64_t i = 0; i < comments.count; i++) {
        int64_t first = comments.items[i].start;
        while (i + 1 < comments.count && comments.items[i].is_line &&
               comments.items[i + 1].is_line &&
               line_at(walk, comments.items[i + 1].start) ==
                   line_at(walk, comments.items[i].start) + 1)
            i++;
        add_fold(walk, first, comments.items[i].end, "comment");
    }
}

static void fold_all_comments(FoldWalk *walk)
{
    TokenList tokens = lex_silently(walk->query->arena, walk->text->text);
    int64_t at = 0;
    for (int64_t i = 0; i < tokens.count; i++) {
        const Token *token = &tokens.items[i];
        if (token->kind == TOKEN_END || token->start < at)
            continue;
        fold_comments(walk, at, token->start);
        at = token_end(token);
    }
    fold_comments(walk, at, walk->text->text.len);
}

// ---- answer

static int compare_folds(const void *a, const void *b)
{
    const Fold *left = a, *right = b;
    return compare_by(compare_i64(left->first, right->first), compare_i64(right->last, left->last));
}

// Editors know one fold a line: the largest.
static json_t *json_of_folds(FoldWalk *walk)
{
    json_t *list = json_array();
    if (walk->folds.count)
        qsort(walk->folds.items, (size_t)walk->folds.count, sizeof(Fold), compare_folds);
    for (int64_t i = 0; i < walk->folds.count; i++) {
        const Fold *fold = &walk->folds.items[i];
        if (i && fold[-1].first == fold->first)
            continue;
        json_t *value = json_pack("{s:I, s:I}", "startLine", (json_int_t)fold->first, "endLine",
                                  (json_int_t)fold->last);
        if (fold->kind)
            json_object_set_new(value, "kind", json_string(fold->kind));
        json_array_append_new(list, value);
    }
    return list;
}

json_t *answer_folding(Query *query)
{
    FoldWalk walk = {.query = query, .text = query_text(query, query->source)};
    if (!analysis_items(query->analysis, query->source, walk_node, &walk)) {
        const ProgramFrames *frames = &query->analysis->result.frames;
        for (int64_t i = 0; i < frames->count; i++) // from the first line of each to its `end`
            add_fold(&walk, frames->items[i].whole.start, frames->items[i].whole.end, NULL);
        return json_of_folds(&walk);
    }
    end_uses(&walk);
    fold_all_comments(&walk);
    return json_of_folds(&walk);
}

// ---- selections

// Growing selections: the nodes around a place, from the innermost to the whole text.

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

// Files. Read first: parse_internal.h, then parse_item.c, parse_block.c, parse_expr.c.
//
// A file is read as a list of statements, which items are, too. What documentation shows is then
// made a program: its wrapper is taken off, and bare statements become a function.
#include "lang/syntax/parse.h"

#include "lang/syntax/parse_internal.h"

#include <assert.h>
#include <string.h>

typedef struct {
    Parser *parser;
    AstFile *file;
    bool has_main; // that is no wrapper
} Unwrapping;

// NULL: the item is no wrapper.
static const Wrapper *wrapper_of(const Parser *parser, const AstItem *item)
{
    int64_t low = 0, high = parser->wrappers.count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (parser->wrappers.items[middle].item->name.span.start < item->name.span.start)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < parser->wrappers.count && parser->wrappers.items[low].item == item;
    return found ? &parser->wrappers.items[low] : NULL;
}

static void add_statement(Parser *parser, AstBlock *block, const AstStatement *statement)
{
    *array_push(parser->arena, &block->statements, AstStatement) = *statement;
}

static void unwrap_item(Unwrapping *unwrapping, AstItem *item);

// Items become items of the file; the statements left are those of the result.
static AstBlock *unwrap_block(Unwrapping *unwrapping, const AstBlock *block)
{
    AstBlock *rest = arena_new(unwrapping->parser->arena, AstBlock, 1);
    rest->span = block->span;
    rest->tail = block->tail;
    for (int64_t i = 0; i < block->statements.count; i++) {
        const AstStatement *statement = &block->statements.items[i];
        if (statement->kind == STATEMENT_ITEM)
            unwrap_item(unwrapping, statement->item);
        else
            add_statement(unwrapping->parser, rest, statement);
    }
    return rest;
}

static bool is_empty(const AstBlock *block)
{
    return !block->statements.count && !block->tail;
}

static void unwrap_item(Unwrapping *unwrapping, AstItem *item)
{
    AstFile *file = unwrapping->file;
    Arena *arena = unwrapping->parser->arena;
    const Wrapper *wrapper = wrapper_of(unwrapping->parser, item);
    if (wrapper) {
        for (int64_t i = 0; i < wrapper->inner.count; i++)
            *array_push(arena, &file->inner, AstAttribute) = wrapper->inner.items[i];
        item->function.body = unwrap_block(unwrapping, item->function.body);
        if (is_empty(item->function.body))
            return;
    }
    bool is_main = item->kind == ITEM_FN && !strcmp(item->name.text, "main");
    unwrapping->has_main |= is_main && !wrapper;
    if (item->kind != ITEM_ERROR || *item->name.text)
        *array_push(arena, &file->items, AstItem *) = item;
}

// Besides those that were not read.
static bool has_statements(const AstBlock *block)
{
    for (int64_t i = 0; i < block->statements.count; i++) {
        const AstStatement *statement = &block->statements.items[i];
        if (statement->kind == STATEMENT_LET || statement->value->kind != AST_ERROR)
            return true;
    }
    return block->tail && block->tail->kind != AST_ERROR;
}

static void add_fragment(Unwrapping *unwrapping, AstBlock *body, int32_t first_expr)
{
    Parser *parser = unwrapping->parser;
    AstItem *item = arena_new(parser->arena, AstItem, 1);
    item->kind = ITEM_FN;
    item->span = body->span;
    item->name = (AstName){intern(parser->names, STR("fragment")), body->span};
    item->function.signature = (Span){body->span.source, body->span.start, body->span.start};
    item->function.body = body;
    item->first_expr = first_expr;
    item->end_expr = parser->next_id;
    *array_push(parser->arena, &unwrapping->file->items, AstItem *) = item;
}

static void report_outside(Parser *parser, const AstBlock *rest)
{
    Span span = rest->statements.count ? rest->statements.items[0].span : rest->tail->span;
    if (parser->mistakes->bracket_missing)
        return;
    Diag *diag = parser_report(parser, DIAG_STATEMENT_PLACE, span,
                               "this statement stands outside of any function");
    if (diag)
        diag_help(diag, "move it into `fn main`, or leave it out");
}

static void build_file(Parser *parser, AstFile *file, const StatementList *list, int64_t start,
                       int32_t first_expr)
{
    Unwrapping unwrapping = {.parser = parser, .file = file};
    AstBlock whole = {.tail = list->tail};
    whole.span = parser_span(parser, start);
    whole.statements.items = list->statements.items;
    whole.statements.count = list->statements.count;
    AstBlock *rest = unwrap_block(&unwrapping, &whole);
    if (!has_statements(rest))
        return;
    if (unwrapping.has_main)
        report_outside(parser, rest);
    else
        add_fragment(&unwrapping, rest, first_expr);
}

// By place: brackets are looked at before anything else.
static void sort_diags(DiagList *diags, int64_t first)
{
    for (int64_t i = first + 1; i < diags->count; i++) {
        Diag *diag = diags->items[i];
        int64_t k = i;
        for (; k > first && diags->items[k - 1]->span.start > diag->span.start; k--)
            diags->items[k] = diags->items[k - 1];
        diags->items[k] = diag;
    }
}

static Parser open_parser(Arena *arena, Interner *names, SourceList *sources,
                          const TokenList *tokens, int32_t next_id, Mistakes *mistakes)
{
    Parser parser = {.arena = arena,
                     .names = names,
                     .mistakes = mistakes,
                     .sources = sources,
                     .text = sources->items[mistakes->source].text,
                     .source = mistakes->source,
                     .tokens = tokens->items,
                     .docs = tokens->docs.items,
                     .doc_count = tokens->docs.count,
                     .next_id = next_id};
    parser_resume(&parser, 0);
    return parser;
}

AstFile *parse_file(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                    int32_t *next_id, MacroList *macros, DiagList *diags)
{
    AstFile *file = arena_new(arena, AstFile, 1);
    Mistakes mistakes = {.diags = diags, .source = source};
    int64_t first_diag = diags->count;
    TokenList tokens = lex_text(arena, sources->items[source].text, &mistakes);
    Parser parser = open_parser(arena, names, sources, &tokens, *next_id, &mistakes);
    parser.macros = macros;
    macros->expanded = macros->text_bytes = 0;
    int64_t start = parser_start(&parser);
    file->source = source;
    file->inner = parse_inner_attributes(&parser);
    if (parser_broken(&parser))
        parser_recover(&parser, 0, tokens.count - 1);
    StatementList list = parse_statements(&parser, tokens.count - 1);
    build_file(&parser, file, &list, start, *next_id);
    file->unfinished = parser.unfinished;
    file->expr_count = parser.next_id - *next_id;
    *next_id = parser.next_id;
    sort_diags(diags, first_diag);
    return file;
}

AstItem *parse_part(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                    TextPart part, int32_t *next_id, DiagList *diags)
{
    Mistakes mistakes = {.diags = diags, .source = source};
    TokenList tokens = lex_part(arena, sources->items[source].text, part, &mistakes);
    MacroList macros = {0};
    Parser parser = open_parser(arena, names, sources, &tokens, *next_id, &mistakes);
    parser.macros = &macros;
    AstItems items = parse_items(&parser, tokens.count - 1);
    assert(items.count == 1 && !mistakes.count);
    *next_id = parser.next_id;
    return items.items[0];
}

AstPath parse_path_text(Arena *arena, Interner *names, SourceList *sources, int32_t source,
                        int32_t *next_id, DiagList *diags)
{
    Mistakes mistakes = {.diags = diags, .source = source};
    TokenList tokens = lex_text(arena, sources->items[source].text, &mistakes);
    MacroList macros = {0};
    Parser parser = open_parser(arena, names, sources, &tokens, *next_id, &mistakes);
    parser.macros = &macros;
    AstPath path = parse_path(&parser, PATH_EXPR);
    if (!parser_broken(&parser) && !parser_at(&parser, TOKEN_END))
        parser_unexpected(&parser, "the end of the name");
    *next_id = parser.next_id;
    return path;
}

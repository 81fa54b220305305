// Semantic tokens: what each word of a source is. The words come from the lexer, what they mean
// from the front end's tables.
#include "lsp/answer/answers.h"
#include "lsp/program/analysis.h"

#include "lang/eval/kernel.h"
#include "lang/syntax/parse.h"

#include <string.h>

// In the order of the legend. Those that the protocol does not know itself (axis, mapping, kernel,
// stage, constant) are for themes that tell them apart.
#define TOKEN_TYPES(X)                 \
    X(NAMESPACE, "namespace")          \
    X(TYPE, "type")                    \
    X(STRUCT, "struct")                \
    X(ENUM, "enum")                    \
    X(INTERFACE, "interface")          \
    X(TYPE_PARAMETER, "typeParameter") \
    X(AXIS, "axis")                    \
    X(MAPPING, "mapping")              \
    X(KERNEL, "kernel")                \
    X(FUNCTION, "function")            \
    X(METHOD, "method")                \
    X(STAGE, "stage")                  \
    X(MACRO, "macro")                  \
    X(VARIABLE, "variable")            \
    X(PARAMETER, "parameter")          \
    X(FIELD, "property")               \
    X(VARIANT, "enumMember")           \
    X(CONSTANT, "constant")            \
    X(KEYWORD, "keyword")              \
    X(NUMBER, "number")                \
    X(STRING, "string")                \
    X(COMMENT, "comment")              \
    X(OPERATOR, "operator")            \
    X(DECORATOR, "decorator")

typedef enum {
#define X(name, text) WORD_##name,
    TOKEN_TYPES(X)
#undef X
        WORD_TYPE_COUNT,
    WORD_NONE = WORD_TYPE_COUNT
} WordType;

static const char *const word_types[] = {
#define X(name, text) text,
    TOKEN_TYPES(X)
#undef X
};

// In the order of the bits.
static const char *const word_modifiers[] = {"declaration", "readonly", "deprecated", "async",
                                             "defaultLibrary"};

enum {
    IS_DECLARATION = 1,
    IS_READONLY = 2,
    IS_DEPRECATED = 4,
    IS_ASYNC = 8,
    IS_DEFAULT_LIBRARY = 16,
};

json_t *token_legend(void)
{
    json_t *types = json_array(), *modifiers = json_array();
    for (size_t i = 0; i < sizeof word_types / sizeof *word_types; i++)
        json_array_append_new(types, json_string(word_types[i]));
    for (size_t i = 0; i < sizeof word_modifiers / sizeof *word_modifiers; i++)
        json_array_append_new(modifiers, json_string(word_modifiers[i]));
    return json_pack("{s:o, s:o}", "tokenTypes", types, "tokenModifiers", modifiers);
}

// ---- names

typedef struct {
    WordType type;
    uint32_t modifiers;
} Word;

typedef struct {
    Query *query;
    int64_t start, end; // that were asked for
    Trail trail;
    Map words;      // start + 1 -> Word
    Map parameters; // AstPattern, of a function or a closure
    Map numbers;    // start + 1 of those behind an operator of a mapping
    struct {
        ARRAY(Span);
    } attributes;
} WordWalk;

static const void *key_of(int64_t offset)
{
    return (const void *)(uintptr_t)(offset + 1);
}

static void put_word(WordWalk *walk, int64_t start, WordType type, uint32_t modifiers)
{
    Word *word = arena_new(walk->query->arena, Word, 1);
    *word = (Word){type, modifiers};
    map_put(&walk->words, key_of(start), word);
}

static WordType type_of_function(const Lang *lang, Decl *decl)
{
    if (decl_stage(lang, decl) != STAGE_COUNT)
        return WORD_STAGE;
    if (decl->item && is_kernel(decl))
        return WORD_KERNEL;
    return decl->impl ? WORD_METHOD : WORD_FUNCTION;
}

static bool is_mapping_alias(Decl *decl)
{
    const AstType *type =
        decl->item && decl->item->kind == ITEM_TYPE ? decl->item->alias.type : NULL;
    return type && type->kind == AST_TYPE_MAPPING;
}

static WordType type_of_decl(const Lang *lang, Decl *decl)
{
    switch (decl->kind) {
    case DECL_MODULE:
        return WORD_NAMESPACE;
    case DECL_AXIS:
        return WORD_AXIS;
    case DECL_ALIAS:
        return is_mapping_alias(decl) ? WORD_MAPPING : WORD_TYPE;
    case DECL_FN:
        return type_of_function(lang, decl);
    case DECL_CONST:
        return WORD_CONSTANT;
    case DECL_STRUCT:
        return WORD_STRUCT;
    case DECL_ENUM:
        return WORD_ENUM;
    case DECL_VARIANT:
        return WORD_VARIANT;
    case DECL_TRAIT:
        return WORD_INTERFACE;
    case DECL_PRIM:
        return WORD_TYPE;
    }
    return WORD_NONE;
}

static uint32_t modifiers_of_decl(Decl *decl)
{
    const AstItem *item = decl->kind == DECL_VARIANT ? NULL : decl->item;
    bool is_function = item && item->kind == ITEM_FN;
    uint32_t modifiers = decl->is_builtin || decl->kind == DECL_PRIM ? IS_DEFAULT_LIBRARY : 0;
    if (decl->kind == DECL_CONST)
        modifiers |= IS_READONLY;
    if (item && attribute_find(&item->attributes, "deprecated"))
        modifiers |= IS_DEPRECATED;
    return is_function && item->function.is_async ? modifiers | IS_ASYNC : modifiers;
}

static Word word_of(const WordWalk *walk, const Meaning *meaning)
{
    switch (meaning->kind) {
    case MEANS_NOTHING:
    case MEANS_SELF: // a keyword
        break;
    case MEANS_DECL:
        return (Word){type_of_decl(walk->query->analysis->lang, meaning->decl),
                      modifiers_of_decl(meaning->decl)};
    case MEANS_LOCAL:
        return (Word){map_get(&walk->parameters, meaning->local) ? WORD_PARAMETER : WORD_VARIABLE,
                      0};
    case MEANS_FIELD:
        return (Word){WORD_FIELD,
                      meaning->decl && meaning->decl->is_builtin ? IS_DEFAULT_LIBRARY : 0};
    case MEANS_GENERIC:
        return (Word){WORD_TYPE_PARAMETER, 0};
    }
    return (Word){WORD_NONE, 0};
}

// A parameter stands in patterns directly below a function or closure.
static void note_parameter(WordWalk *walk)
{
    const Trail *trail = &walk->trail;
    const AstPattern *pattern = trail->items[trail->count - 1].pattern;
    int64_t at = trail->count - 1;
    while (at >= 0 && trail->items[at].kind == NODE_PATTERN)
        at--;
    const AstNode *around = at >= 0 ? &trail->items[at] : NULL;
    if (around && (around->kind == NODE_ITEM ||
                   (around->kind == NODE_EXPR && around->expr->kind == AST_CLOSURE)))
        map_put(&walk->parameters, pattern, walk);
}

static void note_name(WordWalk *walk, Span span)
{
    const Query *query = walk->query;
    if (span.source != query->source || span.end <= walk->start || span.start >= walk->end)
        return;
    Meaning meaning = meaning_of(&walk->trail);
    Word word = word_of(walk, &meaning);
    Span declared = meaning_declared(&meaning);
    if (word.type == WORD_NONE)
        return;
    bool is_declared = declared.source == span.source && declared.start == span.start;
    put_word(walk, span.start, word.type, word.modifiers | (is_declared ? IS_DECLARATION : 0));
}

static void note_attributes(WordWalk *walk, const AstAttributes *attributes)
{
    for (int64_t i = 0; i < attributes->count; i++)
        *array_push(walk->query->arena, &walk->attributes, Span) = attributes->items[i].span;
}

static void note_node(WordWalk *walk, const AstNode *node)
{
    switch ((int)node->kind) {
    case NODE_ITEM:
        note_attributes(walk, &node->item->attributes);
        if (node->item->kind == ITEM_AXES)
            put_word(walk, node->span.start, WORD_MACRO, IS_DEFAULT_LIBRARY);
        break;
    case NODE_PATTERN:
        note_parameter(walk);
        break;
    case NODE_TYPE:
        if (node->type->kind == AST_TYPE_MAPPING)
            put_word(walk, node->span.start, WORD_MACRO, IS_DEFAULT_LIBRARY);
        break;
    case NODE_EXPR:
        if (node->expr->kind == AST_MACRO)
            put_word(walk, node->expr->macro.name.span.start, WORD_MACRO, IS_DEFAULT_LIBRARY);
        if (node->expr->kind == AST_INDEX_MACRO)
            put_word(walk, node->span.start, WORD_MACRO, IS_DEFAULT_LIBRARY);
        break;
    case NODE_MAPPING:
        if (node->mapping->kind == AST_MAPPING_OP)
            map_put(&walk->numbers, key_of(node->mapping->number_span.start), walk);
        break;
    }
}

static void walk_node(void *own, AstNode node)
{
    WordWalk *walk = own;
    Span span;
    *array_push(walk->query->arena, &walk->trail, AstNode) = node;
    note_node(walk, &node);
    if (node_name(&node, &span))
        note_name(walk, span);
    ast_children(node, walk_node, walk);
    walk->trail.count--;
}

// ---- words of the text

typedef struct {
    ARRAY(uint32_t);
} TokenData;

typedef struct {
    WordWalk *names;
    const LinedText *text;
    TextPosition last;
    int64_t attribute; // the next of the walk's attributes
    TokenData data;
} WordWriter;

static void write_word(WordWriter *writer, int64_t start, int64_t end, Word word)
{
    const Query *query = writer->names->query;
    Encoding encoding = query->server->encoding;
    TextPosition from = offset_position(writer->text, encoding, start);
    TextPosition to = offset_position(writer->text, encoding, end);
    bool same_line = from.line == writer->last.line;
    if (to.character <= from.character)
        return;
    const uint32_t numbers[] = {
        (uint32_t)(from.line - writer->last.line),
        (uint32_t)(from.character - (same_line ? writer->last.character : 0)),
        (uint32_t)(to.character - from.character), (uint32_t)word.type, word.modifiers};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *array_push(query->arena, &writer->data, uint32_t) = numbers[i];
    writer->last = from;
}

// A line at a time: not every client knows words that go over lines.
static void write_lines(WordWriter *writer, int64_t start, int64_t end, Word word)
{
    Str text = writer->text->text;
    if (end <= writer->names->start || start >= writer->names->end)
        return;
    for (int64_t at = start; at < end;) {
        int64_t stop = at;
        while (stop < end && text.data[stop] != '\n' && text.data[stop] != '\r')
            stop++;
        write_word(writer, at, stop, word);
        at = stop + 1;
    }
}

static bool is_in_attribute(WordWriter *writer, int64_t at)
{
    const WordWalk *names = writer->names;
    while (writer->attribute < names->attributes.count &&
           names->attributes.items[writer->attribute].end <= at)
        writer->attribute++;
    return writer->attribute < names->attributes.count &&
           names->attributes.items[writer->attribute].start <= at;
}

static bool is_mapping_operator(const WordWriter *writer, const Token *token)
{
    bool is_one = token->kind == TOKEN_SLASH || token->kind == TOKEN_PERCENT ||
                  token->kind == TOKEN_HASH || token->kind == TOKEN_EQUAL;
    return is_one && map_get(&writer->names->numbers, key_of(token[1].start));
}

// What a token is without a meaning.
static WordType plain_type(WordWriter *writer, const Token *token)
{
    switch ((int)token->kind) {
    case TOKEN_INT:
    case TOKEN_FLOAT:
        return WORD_NUMBER;
    case TOKEN_STRING:
    case TOKEN_BYTES:
    case TOKEN_CHAR:
    case TOKEN_BYTE:
        return WORD_STRING;
    case TOKEN_NAME:
        return is_in_attribute(writer, token->start) ? WORD_DECORATOR : WORD_NONE;
    }
    if (token->kind >= TOKEN_AS)
        return WORD_KEYWORD;
    return is_mapping_operator(writer, token) ? WORD_OPERATOR : WORD_NONE;
}

static void write_token(WordWriter *writer, const Token *token)
{
    bool is_keyword = token->kind >= TOKEN_AS;
    const Word *known = is_keyword ? NULL : map_get(&writer->names->words, key_of(token->start));
    Word word = known ? *known : (Word){plain_type(writer, token), 0};
    if (word.type != WORD_NONE)
        write_lines(writer, token->start, token_end(token), word);
}

static void write_comments(WordWriter *writer, int64_t start, int64_t end)
{
    Comments comments = {0};
    comments_between(writer->names->query->arena, writer->text->text, start, end, &comments);
    for (int64_t i = 0; i < comments.count; i++)
        write_lines(writer, comments.items[i].start, comments.items[i].end,
                    (Word){WORD_COMMENT, 0});
}

static TokenData tokens_between(Query *query, int64_t start, int64_t end)
{
    WordWalk walk = {.query = query, .start = start, .end = end};
    WordWriter writer = {.names = &walk, .text = query_text(query, query->source)};
    walk.trail = (Trail){.analysis = query->analysis, .source = query->source};
    walk.words.arena = walk.parameters.arena = walk.numbers.arena = query->arena;
    if (!analysis_items(query->analysis, query->source, walk_node, &walk))
        return writer.data;
    TokenList tokens = lex_silently(query->arena, writer.text->text);
    int64_t at = 0;
    for (int64_t i = 0; i < tokens.count; i++) {
        const Token *token = &tokens.items[i];
        if (token->kind == TOKEN_END || token->start < at)
            continue;
        write_comments(&writer, at, token->start);
        write_token(&writer, token);
        at = token_end(token);
    }
    write_comments(&writer, at, writer.text->text.len);
    return writer.data;
}

// ---- answers

static json_t *json_of_data(const uint32_t *items, int64_t count)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(items[i]));
    return list;
}

// What the client has from now on, so that it can be told what differs.
static json_t *remember(const Query *query, const TokenData *data)
{
    Document *document = query->document;
    Arena arena = {.on_oom = document->names.on_oom};
    uint32_t *copy = arena_new(&arena, uint32_t, (size_t)data->count + 1);
    if (data->count)
        memcpy(copy, data->items, (size_t)data->count * sizeof *copy);
    arena_release(&document->answers);
    document->answers = arena;
    document->tokens = copy;
    document->token_count = data->count;
    document->tokens_id++;
    return json_of_str(str_format(query->arena, "{}", document->tokens_id));
}

static json_t *full_answer(Query *query, const TokenData *data)
{
    return json_pack("{s:o, s:o}", "resultId", remember(query, data), "data",
                     json_of_data(data->items, data->count));
}

json_t *answer_tokens(Query *query)
{
    TokenData data = tokens_between(query, 0, INT64_MAX);
    return full_answer(query, &data);
}

json_t *answer_tokens_range(Query *query)
{
    int64_t start, end;
    if (!query_offsets(query, &start, &end))
        return NULL;
    TokenData data = tokens_between(query, start, end);
    return json_pack("{s:o}", "data", json_of_data(data.items, data.count));
}

// One edit: between what both start with and what both end in.
json_t *answer_tokens_delta(Query *query)
{
    Document *document = query->document;
    Str known = str_at(query->params, "previousResultId");
    Str last = str_format(query->arena, "{}", document->tokens_id);
    TokenData data = tokens_between(query, 0, INT64_MAX);
    if (!document->tokens || !str_equal(known, last))
        return full_answer(query, &data);
    int64_t start = 0, old = document->token_count, new = data.count;
    while (start < old && start < new && document->tokens[start] == data.items[start])
        start++;
    while (old > start && new > start && document->tokens[old - 1] == data.items[new - 1])
        old--, new --;
    json_t *edits = json_array();
    if (old > start || new > start)
        json_array_append_new(edits, json_pack("{s:I, s:I, s:o}", "start", (json_int_t)start,
                                               "deleteCount", (json_int_t)(old - start), "data",
                                               json_of_data(data.items + start, new - start)));
    return json_pack("{s:o, s:o}", "resultId", remember(query, &data), "edits", edits);
}

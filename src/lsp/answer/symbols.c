// What a file declares, as a tree or a list.
#include "lsp/answer/answers.h"

#include "lang/syntax/parse.h"

// Kinds of symbols, as the protocol counts them.
enum {
    SYMBOL_MODULE = 2,
    SYMBOL_METHOD = 6,
    SYMBOL_FIELD = 8,
    SYMBOL_ENUM = 10,
    SYMBOL_INTERFACE = 11,
    SYMBOL_FUNCTION = 12,
    SYMBOL_CONSTANT = 14,
    SYMBOL_OBJECT = 19,
    SYMBOL_KEY = 20,
    SYMBOL_VARIANT = 22,
    SYMBOL_STRUCT = 23,
    SYMBOL_ALIAS = 26, // TypeParameter, as other servers have it
};

static const int item_kinds[] = {
    [ITEM_MOD] = SYMBOL_MODULE,     [ITEM_FN] = SYMBOL_FUNCTION,     [ITEM_TYPE] = SYMBOL_ALIAS,
    [ITEM_CONST] = SYMBOL_CONSTANT, [ITEM_STRUCT] = SYMBOL_STRUCT,   [ITEM_ENUM] = SYMBOL_ENUM,
    [ITEM_IMPL] = SYMBOL_OBJECT,    [ITEM_TRAIT] = SYMBOL_INTERFACE, [ITEM_MACRO_RULES] = 0,
};

bool item_is_kernel(const AstItem *item)
{
    return item->kind == ITEM_FN && attribute_find(&item->attributes, "device");
}

bool item_is_test(const AstItem *item)
{
    return item->kind == ITEM_FN && (attribute_find(&item->attributes, "test") ||
                                     attribute_find(&item->attributes, "tokio::test"));
}

// ---- the tree

typedef struct {
    const Query *query;
    json_t *list;
    bool in_type; // of an impl or a trait
} SymbolWalk;

typedef struct {
    Str name, detail;
    int kind;
    Span range, selection;
    bool is_deprecated;
} Symbol;

static void walk_node(void *own, AstNode node);

// Adds a symbol with those inside of `node`; of a node of no kind: none are.
static void add_symbol(const SymbolWalk *walk, const Symbol *symbol, const AstNode *inside,
                       bool is_type)
{
    json_t *value = json_pack("{s:o, s:i, s:o, s:o}", "name", json_of_str(symbol->name), "kind",
                              symbol->kind, "range", query_range(walk->query, symbol->range),
                              "selectionRange", query_range(walk->query, symbol->selection));
    if (symbol->detail.len)
        json_object_set_new(value, "detail", json_of_str(symbol->detail));
    if (symbol->is_deprecated)
        json_object_set_new(value, "tags", json_pack("[i]", 1));
    SymbolWalk inner = {walk->query, json_array(), is_type};
    if (inside)
        ast_children(*inside, walk_node, &inner);
    if (json_array_size(inner.list))
        json_object_set(value, "children", inner.list);
    json_decref(inner.list);
    json_array_append_new(walk->list, value);
}

static void add_axes(const SymbolWalk *walk, const AstItem *item)
{
    for (int64_t i = 0; i < item->axes.names.count; i++) {
        const AstName *name = &item->axes.names.items[i];
        const AstExpr *size = i < item->axes.sizes.count ? item->axes.sizes.items[i] : NULL;
        Symbol symbol = {.name = str_from(name->text),
                         .kind = SYMBOL_KEY,
                         .range = name->span,
                         .selection = name->span};
        if (size && size->span.end > size->span.start) {
            symbol.detail = lang_text(walk->query->analysis->lang, size->span);
            symbol.range.end = size->span.end;
        }
        if (name->span.end > name->span.start)
            add_symbol(walk, &symbol, NULL, false);
    }
}

static Str text_of_type(const SymbolWalk *walk, const AstType *type)
{
    return type ? lang_text(walk->query->analysis->lang, type->span) : STR("");
}

static Str function_detail(const SymbolWalk *walk, const AstItem *item)
{
    Str signature = lang_text(walk->query->analysis->lang, item->function.signature);
    const char *word = item_is_kernel(item) ? "kernel" : item_is_test(item) ? "test" : NULL;
    for (int64_t i = 0; i < signature.len; i++)
        if (signature.data[i] == '\n') // a detail is one line
            return str_from(word ? word : "");
    signature = str_trim(signature);
    return word ? str_format(walk->query->arena, "{}, {}", word, signature) : signature;
}

static Str item_detail(const SymbolWalk *walk, const AstItem *item)
{
    if (item->kind == ITEM_FN)
        return function_detail(walk, item);
    if (item->kind == ITEM_TYPE)
        return text_of_type(walk, item->alias.type);
    return item->kind == ITEM_CONST ? text_of_type(walk, item->constant.type) : STR("");
}

static Str impl_name(const SymbolWalk *walk, const AstItem *item)
{
    Str trait = text_of_type(walk, item->impl.trait), type = text_of_type(walk, item->impl.type);
    return trait.len ? str_format(walk->query->arena, "impl {} for {}", trait, type)
                     : str_format(walk->query->arena, "impl {}", type);
}

static void add_item(const SymbolWalk *walk, const AstNode *node)
{
    const AstItem *item = node->item;
    if (item->kind == ITEM_AXES) {
        add_axes(walk, item);
        return;
    }
    int kind =
        item->kind < (int)(sizeof item_kinds / sizeof *item_kinds) ? item_kinds[item->kind] : 0;
    bool is_type = item->kind == ITEM_IMPL || item->kind == ITEM_TRAIT;
    Symbol symbol = {.kind = kind, .range = item->span, .selection = item->name.span};
    symbol.name = item->name.text ? str_from(item->name.text) : STR("");
    if (item->kind == ITEM_IMPL) {
        symbol.name = impl_name(walk, item);
        symbol.selection = item->impl.type ? item->impl.type->span : item->span;
    }
    if (!kind || !symbol.name.len || symbol.selection.end <= symbol.selection.start)
        return;
    if (kind == SYMBOL_FUNCTION && walk->in_type)
        symbol.kind = SYMBOL_METHOD;
    symbol.detail = item_detail(walk, item);
    symbol.is_deprecated = attribute_find(&item->attributes, "deprecated");
    add_symbol(walk, &symbol, node, is_type);
}

static void add_field(const SymbolWalk *walk, const AstNode *node)
{
    const AstName *name = &node->field->name;
    bool has_name = name->text && !(*name->text >= '0' && *name->text <= '9');
    if (!has_name || name->span.end <= name->span.start)
        return;
    Symbol symbol = {.name = str_from(name->text),
                     .detail = text_of_type(walk, node->field->type),
                     .kind = SYMBOL_FIELD,
                     .range = node->span,
                     .selection = name->span};
    add_symbol(walk, &symbol, NULL, false);
}

static void add_variant(const SymbolWalk *walk, const AstNode *node)
{
    const AstName *name = &node->variant->name;
    Symbol symbol = {.name = str_from(name->text ? name->text : ""),
                     .kind = SYMBOL_VARIANT,
                     .range = node->span,
                     .selection = name->span};
    if (symbol.name.len)
        add_symbol(walk, &symbol, node, false);
}

// Items stand in modules, types and blocks: whatever is in between is passed through.
static void walk_node(void *own, AstNode node)
{
    const SymbolWalk *walk = own;
    switch ((int)node.kind) {
    case NODE_ITEM:
        add_item(walk, &node);
        break;
    case NODE_FIELD:
        add_field(walk, &node);
        break;
    case NODE_VARIANT:
        add_variant(walk, &node);
        break;
    default:
        ast_children(node, walk_node, own);
    }
}

// Of a program text.
static void add_programs(const SymbolWalk *walk)
{
    const ProgramFrames *frames = &walk->query->analysis->result.frames;
    for (int64_t i = 0; i < frames->count; i++) {
        const ProgramFrame *frame = &frames->items[i];
        Symbol symbol = {.name = str_from(frame->name ? frame->name : ""),
                         .detail = STR("program"),
                         .kind = SYMBOL_FUNCTION,
                         .range = frame->whole,
                         .selection = frame->heading};
        if (frame->name)
            add_symbol(walk, &symbol, NULL, false);
    }
}

// The `DocumentSymbol`s of a source.
static json_t *symbols_of_source(const Query *query, int32_t source)
{
    SymbolWalk walk = {.query = query, .list = json_array()};
    if (!analysis_items(query->analysis, source, walk_node, &walk))
        add_programs(&walk);
    return walk.list;
}

// ---- the list

static void flatten(json_t *list, const json_t *tree, const char *uri, const char *container)
{
    size_t i;
    json_t *symbol;
    json_array_foreach(tree, i, symbol)
    {
        json_t *flat =
            json_pack("{s:O, s:O, s:{s:s, s:O}}", "name", json_object_get(symbol, "name"), "kind",
                      json_object_get(symbol, "kind"), "location", "uri", uri, "range",
                      json_object_get(symbol, "selectionRange"));
        if (container)
            json_object_set_new(flat, "containerName", json_string(container));
        json_array_append_new(list, flat);
        flatten(list, json_object_get(symbol, "children"), uri,
                json_string_value(json_object_get(symbol, "name")));
    }
}

void symbols_flatten(json_t *list, const Query *query, int32_t source)
{
    const Module *module = analysis_module(query->analysis, source);
    const char *uri = str_terminated(query->arena, query_uri(query, source));
    json_t *tree = symbols_of_source(query, source);
    flatten(list, tree, uri, module && module->outer ? module->name : NULL);
    json_decref(tree);
}

json_t *answer_document_symbols(Query *query)
{
    if (query->server->client.hierarchy_symbols)
        return symbols_of_source(query, query->source);
    json_t *list = json_array();
    symbols_flatten(list, query, query->source);
    return list;
}

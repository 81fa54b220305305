// Who calls a function, and whom it calls. Naming a function counts as calling it: that is how a
// kernel is launched, or a function handed on.
#include "lsp/answer/answers.h"
#include "lsp/program/analysis.h"

#include "api/folder.h"

enum { SYMBOL_METHOD = 6, SYMBOL_FUNCTION = 12 };

static json_t *json_of_function(const Query *query, const AstItem *item)
{
    Decl *decl = analysis_function(query->analysis, item);
    bool is_method = decl && decl->impl;
    json_t *value = json_pack("{s:s, s:i, s:o, s:o, s:o}", "name", item->name.text, "kind",
                              is_method ? SYMBOL_METHOD : SYMBOL_FUNCTION, "uri",
                              json_of_str(query_uri(query, item->name.span.source)), "range",
                              query_range(query, item->span), "selectionRange",
                              query_range(query, item->name.span));
    const char *word = item_is_kernel(item) ? "kernel" : item_is_test(item) ? "test" : NULL;
    Str path = decl ? decl_path(query->arena, decl) : STR("");
    if (word)
        json_object_set_new(value, "detail", json_string(word));
    else if (path.len && !str_equal(path, str_from(item->name.text)))
        json_object_set_new(value, "detail", json_of_str(path));
    return value;
}

// A function that the program wrote; NULL: the meaning is none.
static Decl *function_of(const Meaning *meaning)
{
    Decl *decl = meaning->kind == MEANS_DECL ? meaning->decl : NULL;
    return decl && decl->kind == DECL_FN && !decl->is_builtin && decl->item ? decl : NULL;
}

json_t *answer_prepare_calls(Query *query)
{
    Meaning meaning = query_meaning(query, query->offset);
    Decl *decl = function_of(&meaning);
    return decl ? json_pack("[o]", json_of_function(query, decl->item)) : NULL;
}

// ---- the item that is asked about

// The document, analysis and function that an item of the hierarchy is of.
static Decl *open_item(Query *query)
{
    const json_t *item = json_object_get(query->params, "item");
    const json_t *range = json_object_get(item, "selectionRange");
    TextPosition position;
    if (!json_position(json_object_get(range, "start"), &position) ||
        !query_open(query, str_at(item, "uri")))
        return NULL;
    analysis_enter(query->analysis);
    const LinedText *text = query_text(query, query->source);
    int64_t offset = position_offset(text, query->server->encoding, position);
    Meaning meaning = query_meaning(query, offset);
    return function_of(&meaning);
}

// ---- calls, by function

typedef struct {
    const AstItem *function;
    struct {
        ARRAY(Span);
    } spans;
} Calls;

typedef struct {
    Query *query;
    Target asked;
    const char *name; // of it; interned
    struct {
        ARRAY(Calls);
    } found;
    json_t *list; // of what was found in all programs
} CallSearch;

static void add_call(CallSearch *search, const AstItem *function, Span span)
{
    Arena *arena = search->query->arena;
    Calls *calls = NULL;
    for (int64_t i = 0; i < search->found.count; i++)
        if (search->found.items[i].function == function)
            calls = &search->found.items[i];
    if (!calls) {
        calls = array_push(arena, &search->found, Calls);
        calls->function = function;
    }
    *array_push(arena, &calls->spans, Span) = span;
}

// The function whose body a name stands in; NULL: it stands in none.
static const AstItem *caller_of(const Trail *trail)
{
    bool in_body = false;
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstNode *node = &trail->items[i];
        in_body |= node->kind == NODE_BLOCK;
        if (node->kind == NODE_ITEM)
            return in_body && node->item->kind == ITEM_FN ? node->item : NULL;
    }
    return NULL;
}

static void find_incoming(void *own, const Trail *trail)
{
    CallSearch *search = own;
    Span span;
    const char *name = node_name(&trail->items[trail->count - 1], &span);
    const AstItem *caller = name == search->name ? caller_of(trail) : NULL;
    if (!caller)
        return;
    Meaning meaning = meaning_of(trail);
    if (function_of(&meaning) && target_is(&search->asked, search->query->analysis, &meaning))
        add_call(search, caller, span);
}

static void find_outgoing(void *own, const Trail *trail)
{
    CallSearch *search = own;
    Span span;
    if (caller_of(trail) != search->asked.meaning.decl->item)
        return;
    node_name(&trail->items[trail->count - 1], &span);
    Meaning meaning = meaning_of(trail);
    Decl *decl = function_of(&meaning);
    if (decl)
        add_call(search, decl->item, span);
}

// A function that several programs read is the same in all of them.
static bool is_listed(const json_t *list, const char *side, const json_t *function)
{
    size_t i;
    json_t *each;
    json_array_foreach(list, i, each)
    {
        const json_t *known = json_object_get(each, side);
        if (json_equal(json_object_get(known, "uri"), json_object_get(function, "uri")) &&
            json_equal(json_object_get(known, "selectionRange"),
                       json_object_get(function, "selectionRange")))
            return true;
    }
    return false;
}

static void list_calls(const CallSearch *search, const char *side)
{
    const Query *query = search->query;
    for (int64_t i = 0; i < search->found.count; i++) {
        const Calls *calls = &search->found.items[i];
        json_t *function = json_of_function(query, calls->function), *ranges = json_array();
        for (int64_t k = 0; k < calls->spans.count; k++)
            json_array_append_new(ranges, query_range(query, calls->spans.items[k]));
        if (!is_listed(search->list, side, function))
            json_array_append_new(search->list,
                                  json_pack("{s:O, s:O}", side, function, "fromRanges", ranges));
        json_decref(function);
        json_decref(ranges);
    }
}

static void search_incoming(CallSearch *search)
{
    Query *query = search->query;
    search->name = lang_name(query->analysis->lang, search->asked.meaning.decl->name);
    each_name_of_program(query->arena, query->analysis, find_incoming, search);
}

static Target target_of_function(const Analysis *analysis, Decl *decl)
{
    return target_of(analysis, &(Meaning){.kind = MEANS_DECL, .decl = decl});
}

void find_callers(Query *query, Decl *decl, Functions *callers)
{
    CallSearch search = {.query = query, .asked = target_of_function(query->analysis, decl)};
    search_incoming(&search);
    for (int64_t i = 0; i < search.found.count; i++)
        *array_push(query->arena, callers, const AstItem *) = search.found.items[i].function;
}

void find_calls(Query *query, Decl *decl, Spans *places)
{
    CallSearch search = {.query = query, .asked = target_of_function(query->analysis, decl)};
    search_incoming(&search);
    for (int64_t i = 0; i < search.found.count; i++)
        for (int64_t k = 0; k < search.found.items[i].spans.count; k++)
            *array_push(query->arena, places, Span) = search.found.items[i].spans.items[k];
}

static void search_program(void *own, Query *query)
{
    CallSearch *whole = own;
    CallSearch search = {.query = query, .asked = whole->asked, .list = whole->list};
    search_incoming(&search);
    list_calls(&search, "from");
}

json_t *answer_incoming_calls(Query *query)
{
    Decl *decl = open_item(query);
    if (!decl)
        return NULL;
    CallSearch search = {.asked = target_of_function(query->analysis, decl), .list = json_array()};
    each_program(query, &(Paths){.items = &search.asked.path, .count = 1}, search_program, &search);
    return search.list;
}

json_t *answer_outgoing_calls(Query *query)
{
    Decl *decl = open_item(query);
    if (!decl)
        return NULL;
    analysis_enter(query->analysis);
    CallSearch search = {
        .query = query, .asked = target_of_function(query->analysis, decl), .list = json_array()};
    each_name(query->arena, query->analysis, decl->span.source, find_outgoing, &search);
    list_calls(&search, "to");
    return search.list;
}

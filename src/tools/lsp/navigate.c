// From a name to where it is declared, to all places that mean the same, and to another name.
#include "answers.h"
#include "name.h"
#include "taken.h"

#include "lang/lex.h"
#include "lang/signature.h"

#include <string.h>

static Meaning meaning_here(Query *query)
{
    Trail trail = trail_at(query->arena, query->analysis, query->source, query->offset);
    return meaning_of(query->analysis, &trail, query->source);
}

json_t *answer_definition(Query *query)
{
    Meaning meaning = meaning_here(query);
    if (meaning.kind == MEANS_DECL && meaning.decl->kind == DECL_MODULE && meaning.decl->module &&
        meaning.decl->module->source >= 0 && !meaning.decl->is_builtin &&
        !(meaning.decl->item && meaning.decl->item->module.is_inline))
        return query_location(query, (Span){.source = meaning.decl->module->source});
    return query_location(query, meaning_declared(&meaning));
}

// A member of `impl Trait for` is, to whoever renames it, what the trait declares.
static Meaning as_of_trait(Lang *lang, const Meaning *meaning)
{
    Meaning whole = *meaning;
    const Impl *impl = meaning->kind == MEANS_DECL ? meaning->decl->impl : NULL;
    const Decl *trait = impl && impl->is_trait ? impl_trait(lang, impl) : NULL;
    const Decl *member = trait ? trait_member(lang, trait, meaning->decl->name) : NULL;
    if (member)
        whole.decl = member;
    return whole;
}

// The language has a meaning for its name, as for `add` of `impl Add for`.
static bool is_of_language(Lang *lang, const Meaning *meaning)
{
    const Impl *impl = meaning->kind == MEANS_DECL ? meaning->decl->impl : NULL;
    const Decl *trait = impl && impl->is_trait ? impl_trait(lang, impl) : NULL;
    return meaning_declared(meaning).source < 0 || (trait && trait->is_builtin);
}

// ---- all places

typedef struct {
    Query *query;
    const Target *wanted;
    const char *name;
    int32_t source;
    bool leaves_out_declaration;
    bool is_of_traits; // members of traits are one with those of their impls
    Spans found;
} Search;

// The names of fields in `S { x: 1 }`, or NULL.
static const AstNames *field_names(const AstNode *node)
{
    if (node->kind == NODE_EXPR && node->expr->kind == AST_STRUCT)
        return &node->expr->structure.names;
    return node->kind == NODE_PATTERN && node->pattern->kind == PATTERN_STRUCT
               ? &node->pattern->fields
               : NULL;
}

// `x` of `S { x }` is come by as a variable, and names a field, too.
static Meaning meaning_as_field(Query *query, const Trail *trail, int32_t source, Span span)
{
    for (int64_t i = trail->count - 2; i >= 0; i--) {
        const AstNames *names = field_names(&trail->items[i]);
        for (int64_t k = 0; names && k < names->count; k++) {
            if (names->items[k].span.start != span.start)
                continue;
            Trail field = {0};
            for (int64_t n = 0; n <= i; n++)
                *array_push(query->arena, &field, AstNode) = trail->items[n];
            *array_push(query->arena, &field, AstNode) =
                (AstNode){.kind = NODE_NAME, .span = span, .name = &names->items[k]};
            return meaning_of(query->analysis, &field, source);
        }
    }
    return (Meaning){0};
}

// `a` of `use a::{b, c}` is come by twice, in the order of the text otherwise.
static bool has_span(const Search *search, Span span)
{
    for (int64_t i = search->found.count - 1; i >= 0; i--) {
        Span known = search->found.items[i];
        if (known.source != span.source || known.start < span.start)
            return false;
        if (known.start == span.start)
            return true;
    }
    return false;
}

// `use a as b` gives another name to the same thing: names are not compared before meanings are,
// except that most differ in both.
static void compare_name(void *own, const Trail *trail)
{
    Search *search = own;
    Query *query = search->query;
    Span span;
    const char *name = node_name(&trail->items[trail->count - 1], &span);
    bool is_self = search->wanted->meaning.kind == MEANS_DECL && strcmp(name, "Self") == 0;
    if (name != search->name && !is_self)
        return;
    Meaning meaning = meaning_of(query->analysis, trail, search->source);
    Span declared = meaning_declared(&meaning);
    if (search->wanted->meaning.kind == MEANS_FIELD && meaning.kind != MEANS_FIELD)
        meaning = meaning_as_field(query, trail, search->source, span);
    if (search->is_of_traits)
        meaning = as_of_trait(query->analysis->lang, &meaning);
    bool is_declaration = declared.source == span.source && declared.start == span.start;
    if (is_self || !target_is(search->wanted, query->analysis, &meaning) ||
        (is_declaration && search->leaves_out_declaration))
        return;
    if (!has_span(search, span))
        *array_push(query->arena, &search->found, Span) = span;
}

static void search_source(Search *search, int32_t source)
{
    search->source = source;
    each_name(search->query->arena, search->query->analysis, source, compare_name, search);
}

static Search search_for(Query *query, const Target *wanted)
{
    return (Search){.query = query,
                    .wanted = wanted,
                    .name = lang_name(query->analysis->lang, meaning_name(&wanted->meaning))};
}

static void search_all(Search *search)
{
    const Query *query = search->query;
    for (int64_t i = 0; i < query->analysis->contra->sources.count; i++)
        if (analysis_wrote(query->analysis, i))
            search_source(search, (int32_t)i);
}

int64_t query_use_count(Query *query, const Meaning *meaning)
{
    Target wanted = target_of(query->analysis, meaning);
    Search search = search_for(query, &wanted);
    search.leaves_out_declaration = true;
    search_all(&search);
    return search.found.count;
}

// ---- in all programs

// What is found in the files of several programs: each place once.
typedef struct {
    Target wanted;
    bool leaves_out_declaration;
    Str name; // that it gets; empty: none
    const char *why_not;
    json_t *list;
} WideSearch;

static json_t *new_text(const Query *query, const Meaning *meaning, Span span, Str name);

static void search_program(void *own, Query *query)
{
    WideSearch *wide = own;
    Search search = search_for(query, &wide->wanted);
    size_t before = json_array_size(wide->list);
    search.leaves_out_declaration = wide->leaves_out_declaration;
    search.is_of_traits = wide->name.len > 0;
    search_all(&search);
    if (wide->name.len && !wide->why_not)
        wide->why_not = why_taken(query, &search.found, wide->name);
    for (int64_t i = 0; i < search.found.count; i++) {
        json_t *place = query_location(query, search.found.items[i]);
        if (wide->name.len)
            json_object_set_new(
                place, "newText",
                new_text(query, &wide->wanted.meaning, search.found.items[i], wide->name));
        json_add_new(wide->list, before, place);
    }
}

static void search_wide(WideSearch *wide, Query *query)
{
    wide->list = json_array();
    if (wide->wanted.is_shared)
        each_program(query, wide->wanted.path, search_program, wide);
    else
        search_program(wide, query);
}

json_t *answer_references(Query *query)
{
    const json_t *context = json_object_get(query->params, "context");
    Meaning meaning = meaning_here(query);
    if (meaning.kind == MEANS_NOTHING)
        return NULL;
    WideSearch wide = {.wanted = target_of(query->analysis, &meaning)};
    wide.leaves_out_declaration = json_is_false(json_object_get(context, "includeDeclaration"));
    search_wide(&wide, query);
    return wide.list;
}

json_t *answer_highlight(Query *query)
{
    Meaning meaning = meaning_here(query);
    Target wanted = target_of(query->analysis, &meaning);
    Search search = search_for(query, &wanted);
    if (meaning.kind == MEANS_NOTHING)
        return NULL;
    search_source(&search, query->source);
    Span declared = meaning_declared(&meaning);
    json_t *list = json_array();
    for (int64_t i = 0; i < search.found.count; i++) {
        Span span = search.found.items[i];
        bool writes = declared.source == span.source && declared.start == span.start;
        json_array_append_new(list, json_pack("{s:o, s:i}", "range", query_range(query, span),
                                              "kind", writes ? 3 : 2));
    }
    return list;
}

// ---- another name

// `b` of `use a as b`, and `Self`: the text does not say what is declared.
static bool is_called_otherwise(const Query *query, const Meaning *meaning)
{
    Str text = query_text(query, meaning->span.source)->text;
    Str written = str_slice(text, meaning->span.start, meaning->span.end);
    if (str_starts_with(written, STR("r#")))
        written = str_slice(written, 2, written.len);
    return !str_equal(written, str_from(meaning_name(meaning)));
}

// What cannot have another name, or NULL.
static const char *why_not_renamed(const Query *query, const Meaning *meaning)
{
    Span declared = meaning_declared(meaning);
    if (meaning->kind == MEANS_NOTHING)
        return "there is no name here";
    if (is_of_language(query->analysis->lang, meaning))
        return "this is declared by the language";
    if (meaning->kind == MEANS_SELF || declared.end == declared.start)
        return "this has no name of its own";
    if (meaning->kind == MEANS_DECL && meaning->decl->kind == DECL_MODULE)
        return "a module is called as its file: rename that";
    if (is_called_otherwise(query, meaning))
        return "this is another name of it: rename it where it has its own";
    return NULL;
}

json_t *answer_prepare_rename(Query *query)
{
    Meaning meaning = meaning_here(query);
    query->error = why_not_renamed(query, &meaning);
    if (query->error)
        return NULL;
    return json_pack("{s:o, s:s}", "range", query_range(query, meaning.span), "placeholder",
                     meaning_name(&meaning));
}

static bool is_name(Str text)
{
    bool letters = text.len > 0 && !(text.data[0] >= '0' && text.data[0] <= '9');
    for (int64_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        letters &= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_' || (unsigned char)c >= 0x80;
    }
    return letters && lex_keyword(text) == TOKEN_NAME && !str_equal(text, STR("_"));
}

// `S { x }` names a field and a variable: each keeps its own name.
static Str replacement(const Query *query, const Meaning *meaning, Span span, Str name)
{
    Trail trail = trail_at(query->arena, query->analysis, span.source, span.start);
    const char *old = meaning_name(meaning);
    for (int64_t i = trail.count - 1; i >= 0; i--) {
        const AstNode *node = &trail.items[i];
        const AstNames *names = field_names(node);
        for (int64_t k = 0; names && k < names->count; k++) {
            Span field = names->items[k].span;
            Span value = node->kind == NODE_EXPR ? node->expr->structure.values.items[k]->span
                                                 : node->pattern->items.items[k]->span;
            if (field.start != span.start || value.start != span.start)
                continue;
            return meaning->kind == MEANS_FIELD
                       ? str_format(query->arena, "%.*s: %s", STR_ARG(name), old)
                       : str_format(query->arena, "%s: %.*s", old, STR_ARG(name));
        }
    }
    return name;
}

static json_t *new_text(const Query *query, const Meaning *meaning, Span span, Str name)
{
    return json_of_str(replacement(query, meaning, span, name));
}

json_t *answer_rename(Query *query)
{
    Str name = str_of_json(json_object_get(query->params, "newName"));
    Meaning meaning = meaning_here(query);
    size_t i;
    json_t *place;
    query->error = why_not_renamed(query, &meaning);
    if (!query->error && !is_name(name))
        query->error = "this is no name";
    if (query->error)
        return NULL;
    meaning = as_of_trait(query->analysis->lang, &meaning);
    WideSearch wide = {.wanted = target_of(query->analysis, &meaning), .name = name};
    search_wide(&wide, query);
    query->error = wide.why_not;
    if (query->error) {
        json_decref(wide.list);
        return NULL;
    }
    json_t *changes = json_object();
    json_array_foreach(wide.list, i, place)
    {
        const char *uri = json_string_value(json_object_get(place, "uri"));
        if (!json_object_get(changes, uri))
            json_object_set_new(changes, uri, json_array());
        json_array_append_new(json_object_get(changes, uri),
                              json_pack("{s:O, s:O}", "range", json_object_get(place, "range"),
                                        "newText", json_object_get(place, "newText")));
    }
    json_decref(wide.list);
    return json_pack("{s:o}", "changes", changes);
}

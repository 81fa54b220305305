// All places of a program that mean the same thing.
#include "lsp/program/search.h"

#include "lang/types/signature.h"

#include <string.h>

Meaning as_of_trait(Lang *lang, const Meaning *meaning)
{
    Meaning whole = *meaning;
    const Impl *impl = meaning->kind == MEANS_DECL ? meaning->decl->impl : NULL;
    Decl *trait = impl && impl->is_trait ? impl_trait(lang, impl) : NULL;
    Decl *member = trait ? trait_member(lang, trait, meaning->decl->name) : NULL;
    if (member)
        whole.decl = member;
    return whole;
}

const AstNames *field_names(const AstNode *node)
{
    if (node->kind == NODE_EXPR && node->expr->kind == AST_STRUCT)
        return &node->expr->structure.names;
    return node->kind == NODE_PATTERN && node->pattern->kind == PATTERN_STRUCT
               ? &node->pattern->fields
               : NULL;
}

// Another name for a thing: what can have one, which one, and what is written at each place.

// `x` of `S { x }` is come by as a variable, and names a field, too.
static Meaning meaning_as_field(Arena *arena, const Trail *trail, Span span)
{
    for (int64_t i = trail->count - 2; i >= 0; i--) {
        const AstNames *names = field_names(&trail->items[i]);
        for (int64_t k = 0; names && k < names->count; k++) {
            if (names->items[k].span.start != span.start)
                continue;
            Trail outside = trail_above(trail, i + 1), field = trail_copy(arena, &outside);
            *array_push(arena, &field, AstNode) =
                (AstNode){.kind = NODE_NAME, .span = span, .name = &names->items[k]};
            return meaning_of(&field);
        }
    }
    return (Meaning){0};
}

// `a` of `use a::{b, c}` is come by twice, and a file that is the text of two modules, too.
static void add_name(Search *search, const Trail *trail, Span span)
{
    const Analysis *analysis = trail->analysis;
    int32_t first = analysis_source(analysis, analysis_path(analysis, trail->source));
    const char *place = analysis->contra->sources.items[first].text.data + span.start;
    if (map_get(&search->seen, place))
        return;
    search->seen.arena = search->query->arena;
    map_put(&search->seen, place, search);
    *array_push(search->query->arena, &search->found, NamePlace) =
        (NamePlace){span, trail_copy(search->query->arena, trail)};
}

// What a name means to the search.
Meaning meaning_searched(const Search *search, const Trail *trail, Span span)
{
    Meaning meaning = meaning_of(trail);
    if (search->wanted->meaning.kind == MEANS_FIELD && meaning.kind != MEANS_FIELD)
        meaning = meaning_as_field(search->query->arena, trail, span);
    return search->is_of_traits ? as_of_trait(trail->analysis->lang, &meaning) : meaning;
}

// `use a as b` gives another name to the same thing: names are not compared before meanings are,
// except that most differ in both.
static void compare_name(void *own, const Trail *trail)
{
    Search *search = own;
    Span span;
    const char *name = node_name(&trail->items[trail->count - 1], &span);
    bool is_self = search->wanted->meaning.kind == MEANS_DECL && strcmp(name, "Self") == 0;
    if (name != search->name && !is_self)
        return;
    Meaning meaning = meaning_searched(search, trail, span);
    Span declared = meaning_declared(&meaning);
    bool is_declaration = declared.source == span.source && declared.start == span.start;
    if (is_self || !target_is(search->wanted, trail->analysis, &meaning) ||
        (is_declaration && search->leaves_out_declaration))
        return;
    add_name(search, trail, span);
}

Search search_for(Query *query, const Target *wanted)
{
    return (Search){
        .query = query, .wanted = wanted, .name = lang_name(query->analysis->lang, wanted->name)};
}

void search_source(Search *search, int32_t source)
{
    each_name(search->query->arena, search->query->analysis, source, compare_name, search);
}

void search_all(Search *search)
{
    Query *query = search->query;
    each_name_of_program(query->arena, query->analysis, compare_name, search);
}

int64_t query_use_count(Query *query, const Meaning *meaning)
{
    Target wanted = target_of(query->analysis, meaning);
    Search search = search_for(query, &wanted);
    search.leaves_out_declaration = true;
    search_all(&search);
    return search.found.count;
}

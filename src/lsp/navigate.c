// From a name to where it is declared, and to all places that mean the same.
#include "lsp/navigate.h"

#include "lsp/answers.h"
#include "lsp/taken.h"

#include "lang/types/signature.h"

#include <string.h>

Meaning meaning_here(Query *query)
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

Meaning as_of_trait(Lang *lang, const Meaning *meaning)
{
    Meaning whole = *meaning;
    const Impl *impl = meaning->kind == MEANS_DECL ? meaning->decl->impl : NULL;
    const Decl *trait = impl && impl->is_trait ? impl_trait(lang, impl) : NULL;
    const Decl *member = trait ? trait_member(lang, trait, meaning->decl->name) : NULL;
    if (member)
        whole.decl = member;
    return whole;
}

// ---- all places

typedef struct {
    Query *query;
    const Target *wanted;
    const char *name;
    int32_t source;
    const char *text; // of the source, or of the first one with the same path
    bool leaves_out_declaration;
    bool is_of_traits; // members of traits are one with those of their impls
    NamePlaces found;
    Map seen; // where in a text
} Search;

const AstNames *field_names(const AstNode *node)
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

// `a` of `use a::{b, c}` is come by twice, and a file that is the text of two modules, too.
static void add_name(Search *search, const Trail *trail, Span span)
{
    const char *place = search->text + span.start;
    if (map_get(&search->seen, place))
        return;
    search->seen.arena = search->query->arena;
    map_put(&search->seen, place, search);
    *array_push(search->query->arena, &search->found, NamePlace) =
        (NamePlace){span, trail_copy(search->query->arena, trail)};
}

// What a name means to the search.
static Meaning meaning_searched(const Search *search, const Trail *trail, Span span)
{
    Query *query = search->query;
    Meaning meaning = meaning_of(query->analysis, trail, search->source);
    if (search->wanted->meaning.kind == MEANS_FIELD && meaning.kind != MEANS_FIELD)
        meaning = meaning_as_field(query, trail, search->source, span);
    return search->is_of_traits ? as_of_trait(query->analysis->lang, &meaning) : meaning;
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
    Meaning meaning = meaning_searched(search, trail, span);
    Span declared = meaning_declared(&meaning);
    bool is_declaration = declared.source == span.source && declared.start == span.start;
    if (is_self || !target_is(search->wanted, query->analysis, &meaning) ||
        (is_declaration && search->leaves_out_declaration))
        return;
    add_name(search, trail, span);
}

static void search_source(Search *search, int32_t source)
{
    const Analysis *analysis = search->query->analysis;
    const SourceList *sources = &analysis->contra->sources;
    search->source = source;
    search->text = sources->items[analysis_source(analysis, sources->items[source].name)].text.data;
    each_name(search->query->arena, search->query->analysis, source, compare_name, search);
}

static Search search_for(Query *query, const Target *wanted)
{
    return (Search){
        .query = query, .wanted = wanted, .name = lang_name(query->analysis->lang, wanted->name)};
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

static void add_file(WideSearch *wide, const Query *query, Str path)
{
    if (!paths_have(&wide->files, path))
        *array_push(query->arena, &wide->files, Str) = str_copy(query->arena, path);
}

static void add_target(WideSearch *wide, const Query *query, const Target *target)
{
    add_file(wide, query, target->path);
    *array_push(query->arena, &wide->wanted, Target) = *target;
}

static Map *places_of(WideSearch *wide, const Query *query, Str path)
{
    for (int64_t i = 0; i < wide->by_file.count; i++)
        if (str_equal(wide->by_file.items[i].path, path))
            return &wide->by_file.items[i].places;
    PlacesOfFile *file = array_push(query->arena, &wide->by_file, PlacesOfFile);
    *file = (PlacesOfFile){str_copy(query->arena, path), {.arena = query->arena}};
    return &file->places;
}

static void add_place(WideSearch *wide, const Query *query, const Target *target,
                      const NamePlace *found)
{
    Span span = found->span;
    Str path = query->analysis->contra->sources.items[span.source].name;
    Map *places = places_of(wide, query, path);
    const void *key = (const void *)(intptr_t)(span.start + 1);
    intptr_t number = (intptr_t)map_get(places, key);
    if (number) {
        wide->found.items[number - 1].visit = wide->visit;
        return;
    }
    Place *place = array_push(query->arena, &wide->found, Place);
    *place = (Place){str_copy(query->arena, path), .start = span.start, .end = span.end,
                     .visit = wide->visit};
    map_put(places, key, (void *)(intptr_t)wide->found.count);
    place->location = query_location(query, span);
    if (wide->name.len) {
        place->text = replacement(query, target, found, wide->name);
        add_file(wide, query, path);
    }
}

static void search_target(WideSearch *wide, Query *query, const Target *target)
{
    Search search = search_for(query, target);
    search.leaves_out_declaration = wide->leaves_out_declaration;
    search.is_of_traits = wide->name.len > 0;
    search_all(&search);
    if (wide->name.len && !wide->why_not)
        wide->why_not = why_taken(query, &search.found, wide->name);
    for (int64_t i = 0; i < search.found.count; i++)
        add_place(wide, query, target, &search.found.items[i]);
}

static const char *why_not_shared(const Query *query, const Meaning *meaning, Str path)
{
    const char *why = why_not_renamed(query, meaning);
    Str root = query->analysis->contra->sources.items[query->analysis->module->source].name;
    return why ? str_terminated(query->arena,
                                str_format(query->arena, "{}: so it is in {}, which shares {}", why,
                                           root, path))
               : NULL;
}

// What a place that another program found, or another module, means in a source of this one.
static void learn_target(WideSearch *wide, Query *query, const Place *place, int32_t source)
{
    Search search = search_for(query, &wide->wanted.items[0]);
    Span span = {.source = source, .start = place->start};
    Trail trail = trail_at(query->arena, query->analysis, source, place->start);
    search.source = source;
    search.is_of_traits = wide->name.len > 0;
    Meaning meaning = meaning_searched(&search, &trail, span);
    bool known = meaning.kind == MEANS_NOTHING;
    for (int64_t i = 0; i < wide->wanted.count && !known; i++)
        known = target_is(&wide->wanted.items[i], query->analysis, &meaning);
    if (known)
        return;
    if (wide->name.len && !wide->why_not)
        wide->why_not = why_not_shared(query, &meaning, place->path);
    Target target = target_of(query->analysis, &meaning);
    target = target_kept(query->arena, &target);
    add_target(wide, query, &target);
}

// A file may be the text of several modules.
static void learn_targets(WideSearch *wide, Query *query, const Place *place)
{
    const SourceList *sources = &query->analysis->contra->sources;
    for (int32_t i = 0; i < sources->count; i++)
        if (str_equal(sources->items[i].name, place->path))
            learn_target(wide, query, place, i);
}

static bool is_read_again(const Analysis *analysis, Str path)
{
    const SourceList *sources = &analysis->contra->sources;
    int64_t count = 0;
    for (int64_t i = 0; i < sources->count; i++)
        count += str_equal(sources->items[i].name, path);
    return count > 1;
}

static void ask_places(WideSearch *wide, Query *query)
{
    for (int64_t i = 0; i < wide->found.count; i++) {
        Place *place = &wide->found.items[i];
        bool is_asked =
            place->asked == wide->visit ||
            (place->visit == wide->visit && !is_read_again(query->analysis, place->path));
        place->asked = wide->visit;
        if (!is_asked)
            learn_targets(wide, query, place);
    }
}

static void search_program(void *own, Query *query)
{
    WideSearch *wide = own;
    wide->visit++;
    learn_targets(wide, query, &wide->asked);
    for (int64_t done = 0; done < wide->wanted.count && !wide->why_not; done++) {
        search_target(wide, query, &wide->wanted.items[done]);
        if (wide->name.len)
            ask_places(wide, query);
    }
}

void search_wide(WideSearch *wide, Query *query, const Meaning *meaning)
{
    Target target = target_of(query->analysis, meaning);
    Str path = query->analysis->contra->sources.items[query->source].name;
    wide->asked = (Place){.path = path, .start = query->offset};
    add_file(wide, query, path);
    add_target(wide, query, &target);
    if (!target.is_shared) {
        search_program(wide, query);
        return;
    }
    int64_t files;
    do {
        files = wide->files.count;
        each_program(query, &wide->files, search_program, wide);
    } while (wide->files.count > files && !wide->why_not);
}

json_t *answer_references(Query *query)
{
    const json_t *context = json_object_get(query->params, "context");
    Meaning meaning = meaning_here(query);
    if (meaning.kind == MEANS_NOTHING)
        return NULL;
    WideSearch wide = {0};
    wide.leaves_out_declaration = json_is_false(json_object_get(context, "includeDeclaration"));
    search_wide(&wide, query, &meaning);
    json_t *list = json_array();
    for (int64_t i = 0; i < wide.found.count; i++)
        json_array_append_new(list, wide.found.items[i].location);
    return list;
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
        Span span = search.found.items[i].span;
        bool writes = declared.source == span.source && declared.start == span.start;
        json_array_append_new(list, json_pack("{s:o, s:i}", "range", query_range(query, span),
                                              "kind", writes ? 3 : 2));
    }
    return list;
}

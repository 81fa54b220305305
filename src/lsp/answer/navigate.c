// From a name to where it is declared, and to all places that mean the same.
#include "lsp/answer/answers.h"
#include "lsp/answer/describe.h"
#include "lsp/program/search.h"

#include "api/folder.h"
#include "lang/syntax/lex.h"
#include "lang/types/signature.h"
#include "mapping/cell.h"

#include <string.h>

json_t *answer_definition(Query *query)
{
    Meaning meaning = query_meaning(query, query->offset);
    if (meaning.kind == MEANS_DECL && meaning.decl->kind == DECL_MODULE && meaning.decl->module &&
        meaning.decl->module->source >= 0 && !meaning.decl->is_builtin &&
        !(meaning.decl->item && meaning.decl->item->module.is_inline))
        return query_location(query, (Span){.source = meaning.decl->module->source});
    return query_location(query, meaning_declared(&meaning));
}

// ---- types

// From a value to where its type is declared. The tensors of the language are declared nowhere:
// what says more about one is the alias that its type is written as, or else its axes.

static bool is_type(Decl *decl)
{
    return decl->kind == DECL_STRUCT || decl->kind == DECL_ENUM || decl->kind == DECL_ALIAS ||
           decl->kind == DECL_AXIS;
}

// As it is written where a variable is bound; NULL: it is not.
static const AstType *written_type(const Trail *trail, const AstPattern *pattern)
{
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstNode *node = &trail->items[i];
        if (node->kind == NODE_STATEMENT)
            return node->statement->pattern == pattern ? node->statement->type : NULL;
        if (node->kind != NODE_ITEM || node->item->kind != ITEM_FN)
            continue;
        const AstParams *params = &node->item->function.params;
        for (int64_t k = 0; k < params->count; k++)
            if (params->items[k].pattern == pattern)
                return params->items[k].type;
        return NULL;
    }
    return NULL;
}

// The alias that is written there; NULL: none.
static Decl *written_alias(Query *query, const Meaning *meaning)
{
    Span bound = meaning->local->name.span;
    Trail trail = trail_at(query->arena, query->analysis, bound.source, bound.start);
    const AstType *type = written_type(&trail, meaning->local);
    while (type && type->kind == AST_TYPE_REF)
        type = type->inner;
    Module *scope = trail_scope(&trail);
    Decl *decl = scope && type && type->kind == AST_TYPE_PATH
                     ? module_find(query->analysis->lang, scope, &type->path, SPACE_TYPE)
                     : NULL;
    return decl && decl->kind == DECL_ALIAS && !decl->is_builtin ? decl : NULL;
}

// The declarations of the axes of a tensor; NULL: it is none.
static json_t *axes_of(Query *query, Type *type)
{
    Shape shape;
    AtomList axes = {0};
    Trail trail = query_trail(query);
    Module *scope = trail_scope(&trail);
    if (!scope || !shape_of_type(type, &shape))
        return NULL;
    for (Level level = 0; level < LEVEL_COUNT; level++) {
        const Type *dim = shape.dims[level] ? type_of(shape.dims[level]) : NULL;
        if (!dim || dim->kind != TYPE_MAPPING || dim->expr->kind == EXPR_POISON)
            continue;
        Mapping mapping = mapping_of_expr(query->arena, dim->expr);
        mapping_axes(query->arena, &mapping, &axes);
    }
    json_t *list = json_array();
    for (int64_t i = 0; i < axes.count; i++) {
        const char *name = lang_name(query->analysis->lang, axes.items[i]->name);
        Decl *axis = generic_named(&trail, name)
                         ? NULL
                         : module_lookup(query->analysis->lang, scope, name, SPACE_TYPE);
        if (axis && axis->kind == DECL_AXIS && !axis->is_builtin)
            json_array_append_new(list, query_location(query, axis->span));
    }
    if (json_array_size(list))
        return list;
    json_decref(list);
    return NULL;
}

// The type of a value; that of a type is itself.
json_t *answer_type_definition(Query *query)
{
    Meaning meaning = query_meaning(query, query->offset);
    if (meaning.kind == MEANS_DECL && is_type(meaning.decl))
        return query_location(query, meaning_declared(&meaning));
    Decl *alias = meaning.kind == MEANS_LOCAL ? written_alias(query, &meaning) : NULL;
    if (alias)
        return query_location(query, alias->span);
    Type *type = meaning.type ? type_unboxed(type_strip(meaning.type)) : NULL;
    if (!type || type->kind != TYPE_NAMED)
        return NULL;
    return type->decl->is_builtin ? axes_of(query, type) : query_location(query, type->decl->span);
}

// ---- another name

// Whether a new name is another one's: of the same space where the thing is declared, or of one
// that a use would mean instead, or that would be meant instead of one.

// A name of a source that is the new one already.
typedef struct {
    Trail trail;
    Meaning meaning;
} Bearer;

typedef struct {
    ARRAY(Bearer);
    Query *query;
    const char *name;
    int32_t source;
} Bearers;

typedef struct {
    Query *query;
    const Meaning *meaning;
    int64_t last_use; // of a variable
    Decl *function;
} Rival;

static const AstItem *owner_of(Decl *decl)
{
    return decl ? decl->item : NULL;
}

static bool is_value(Decl *decl)
{
    return decl->kind == DECL_FN || decl->kind == DECL_CONST || decl->kind == DECL_VARIANT;
}

static bool is_member(const Meaning *meaning)
{
    return meaning->kind == MEANS_FIELD ||
           (meaning->kind == MEANS_DECL &&
            (meaning->decl->kind == DECL_VARIANT || meaning->decl->impl));
}

// ---- beside it

static Meaning of_decl(Decl *decl)
{
    return (Meaning){.kind = decl ? MEANS_DECL : MEANS_NOTHING, .decl = decl};
}

static Meaning among_members(Lang *lang, const Impl *impl, const char *name)
{
    const Type *self = impl->self ? type_of(impl->self) : NULL;
    Decl *found = impl_member(lang, impl, name);
    const Impls *impls = self && self->kind == TYPE_NAMED ? &self->decl->impls : NULL;
    for (int64_t i = 0; !found && impls && i < impls->count; i++)
        found = impl_member(lang, impls->items[i], name);
    return of_decl(found);
}

// What is declared where the thing is. A name that a glob brings may be hidden.
static Meaning beside(Lang *lang, const Meaning *meaning, const char *name)
{
    if (meaning->kind == MEANS_FIELD)
        return meaning_of_field(meaning->decl, name);
    if (meaning->kind != MEANS_DECL)
        return (Meaning){0};
    Decl *decl = meaning->decl;
    if (decl->kind == DECL_VARIANT)
        return of_decl(enum_variant(decl->parent, name));
    if (decl->impl)
        return among_members(lang, decl->impl, name);
    return of_decl(
        decl->scope
            ? decl_in(lang, &decl->scope->names[is_value(decl) ? SPACE_VALUE : SPACE_TYPE], name)
            : NULL);
}

// ---- where it is named

// A name that is looked up where it stands, and not in something else.
static bool stands_alone(const Trail *trail)
{
    const AstNode *node = &trail->items[trail->count - 1];
    const AstNode *around = trail->count > 1 ? node - 1 : NULL;
    if (node->kind == NODE_MAPPING)
        return true;
    if (node->kind == NODE_SEGMENT && around && around->kind == NODE_PATH)
        return node->segment == around->path->segments.items;
    return around && (around->kind == NODE_PATTERN || around->kind == NODE_GENERIC);
}

static bool is_in(const Trail *trail, const AstItem *item)
{
    for (int64_t i = 0; i < trail->count; i++)
        if (trail->items[i].kind == NODE_ITEM && trail->items[i].item == item)
            return true;
    return false;
}

static bool is_parameter(const AstItem *item, const AstPattern *pattern)
{
    for (int64_t i = 0; item && i < item->function.params.count; i++)
        if (item->function.params.items[i].pattern == pattern)
            return true;
    return false;
}

// The whole pattern that binds a variable, and from where on it hides others: what a `let` binds is
// not seen in its value.
static const AstPattern *bound_in(const Rival *rival, const Meaning *meaning, int64_t *from)
{
    Span span = meaning->local->name.span;
    Trail trail = trail_at(rival->query->arena, rival->query->analysis, span.source, span.start);
    *from = span.start;
    for (int64_t i = 0; i < trail.count; i++) {
        if (trail.items[i].kind != NODE_PATTERN)
            continue;
        if (i && trail.items[i - 1].kind == NODE_STATEMENT)
            *from = trail.items[i - 1].statement->span.end;
        return trail.items[i].pattern;
    }
    return NULL;
}

// The later of two variables hides the other one from there on.
static bool variables_meet(const Rival *rival, const Meaning *other)
{
    const AstItem *item = owner_of(rival->function);
    int64_t mine, its;
    const AstPattern *pattern = bound_in(rival, rival->meaning, &mine);
    if (other->kind != MEANS_LOCAL)
        return other->span.start > mine;
    const AstPattern *second = bound_in(rival, other, &its);
    if (pattern == second || (is_parameter(item, pattern) && is_parameter(item, second)))
        return true;
    return its > mine ? rival->last_use > its : other->span.start > mine;
}

// Whether the thing under its new name and the other one would be taken for each other.
static bool meets(const Rival *rival, const Trail *trail, const Meaning *other)
{
    const Meaning *own = rival->meaning;
    bool other_value =
        other->kind == MEANS_LOCAL || (other->kind == MEANS_DECL && is_value(other->decl));
    switch (own->kind) {
    case MEANS_LOCAL:
        return other_value && trail_function(trail) == rival->function &&
               variables_meet(rival, other);
    case MEANS_GENERIC:
        for (int64_t i = 0; i < trail->count; i++)
            for (int64_t k = 0;
                 trail->items[i].kind == NODE_ITEM && k < trail->items[i].item->generics.count; k++)
                if (&trail->items[i].item->generics.items[k] == own->generic)
                    return true;
        return false;
    case MEANS_DECL:
        if (other->kind == MEANS_DECL)
            return other->decl->is_builtin && other_value == is_value(own->decl);
        if (other->kind == MEANS_LOCAL && !is_value(own->decl))
            return false;
        return rival->function && is_in(trail, owner_of(rival->function));
    case MEANS_NOTHING:
    case MEANS_SELF:
    case MEANS_FIELD:
        return false;
    }
    return false;
}

static void add_bearer(void *own, const Trail *trail)
{
    Bearers *bearers = own;
    Arena *arena = bearers->query->arena;
    Span span;
    if (node_name(&trail->items[trail->count - 1], &span) != bearers->name || !stands_alone(trail))
        return;
    Bearer bearer = {.meaning = meaning_of(trail)};
    if (bearer.meaning.kind == MEANS_NOTHING)
        return;
    bearer.trail = trail_copy(arena, trail);
    *array_push(arena, bearers, Bearer) = bearer;
}

// Those of a source, which is read once for all places in it.
static void find_bearers(Bearers *bearers, int32_t source)
{
    if (bearers->source == source)
        return;
    bearers->source = source;
    bearers->count = 0;
    each_name(bearers->query->arena, bearers->query->analysis, source, add_bearer, bearers);
}

static Meaning among_bearers(const Bearers *bearers, const Rival *rival)
{
    for (int64_t i = 0; i < bearers->count; i++)
        if (meets(rival, &bearers->items[i].trail, &bearers->items[i].meaning))
            return bearers->items[i].meaning;
    return (Meaning){0};
}

// ---- all of it

static Str where(const Query *query, const Meaning *other)
{
    Span span = meaning_declared(other);
    if (span.source < 0)
        return STR("by the language");
    const Source *source = &query->analysis->contra->sources.items[span.source];
    int64_t line = 1;
    for (int64_t i = 0; i < span.start && i < source->text.len; i++)
        line += source->text.data[i] == '\n';
    return str_format(query->arena, "in line {} of {}", line, source->name);
}

static const char *why_taken(Query *query, const NamePlaces *places, Str text)
{
    const char *name = lang_name(query->analysis->lang, str_terminated(query->arena, text));
    Bearers bearers = {.query = query, .name = name, .source = -1};
    for (int64_t i = 0; i < places->count; i++) {
        Span place = places->items[i].span;
        const Trail *trail = &places->items[i].trail;
        Meaning meaning = meaning_of(trail);
        if (meaning.kind == MEANS_NOTHING || strcmp(meaning_name(&meaning), name) == 0)
            continue;
        Meaning other = beside(query->analysis->lang, &meaning, name);
        if (!other.kind && !is_member(&meaning)) {
            Rival rival = {.query = query,
                           .meaning = &meaning,
                           .last_use = places->items[places->count - 1].span.start,
                           .function = trail_function(trail)};
            find_bearers(&bearers, place.source);
            other = among_bearers(&bearers, &rival);
        }
        if (other.kind)
            return str_terminated(query->arena,
                                  str_format(query->arena, "`{}` is taken: it is declared {}", name,
                                             where(query, &other)));
    }
    return NULL;
}

// The language has a meaning for its name, as for `add` of `impl Add for`.
static bool is_of_language(Lang *lang, const Meaning *meaning)
{
    const Impl *impl = meaning->kind == MEANS_DECL ? meaning->decl->impl : NULL;
    Decl *trait = impl && impl->is_trait ? impl_trait(lang, impl) : NULL;
    return meaning_declared(meaning).source < 0 || (trait && trait->is_builtin);
}

// `b` of `use a as b`, and `Self`: the text does not say what is declared.
static bool is_called_otherwise(const Query *query, const Meaning *meaning)
{
    Str text = query_text(query, meaning->span.source)->text;
    Str written = str_slice(text, meaning->span.start, meaning->span.end);
    if (str_starts_with(written, STR("r#")))
        written = str_slice(written, 2, written.len);
    return !str_equal(written, str_from(meaning_name(meaning)));
}

// A module that no program is known to name: what else may name its things is not known, either.
static bool is_module_alone(const Analysis *analysis)
{
    const Module *root = analysis->module;
    Str path = root ? analysis_path(analysis, root->source) : (Str){0};
    bool is_alone = str_ends_with(path, STR("/mod.rs"));
    for (int64_t i = 0; root && root->items && i < root->items->count; i++) {
        const AstItem *item = root->items->items[i];
        for (int64_t k = 0; item->kind == ITEM_USE && k < item->uses.count; k++) {
            const AstNames *names = &item->uses.items[k].path;
            is_alone |= names->count && strcmp(names->items[0].text, "super") == 0;
        }
    }
    return is_alone;
}

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
    if (is_module_alone(query->analysis) && target_of(query->analysis, meaning).is_shared)
        return "no program is found that names this module: open one that does";
    return NULL;
}

json_t *answer_prepare_rename(Query *query)
{
    Meaning meaning = query_meaning(query, query->offset);
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

static Str replacement(const Query *query, const Target *target, const NamePlace *place, Str name)
{
    Span span = place->span;
    const char *old = target->name;
    for (int64_t i = place->trail.count - 1; i >= 0; i--) {
        const AstNode *node = &place->trail.items[i];
        const AstNames *names = field_names(node);
        for (int64_t k = 0; names && k < names->count; k++) {
            Span field = names->items[k].span;
            Span value = node->kind == NODE_EXPR ? node->expr->structure.values.items[k]->span
                                                 : node->pattern->items.items[k]->span;
            if (field.start != span.start || value.start != span.start)
                continue;
            return target->meaning.kind == MEANS_FIELD
                       ? str_format(query->arena, "{}: {}", name, old)
                       : str_format(query->arena, "{}: {}", old, name);
        }
    }
    return name;
}

// ---- in all programs

typedef struct {
    Str path;
    int64_t start, end;
    Str text;      // that it gets; empty: none
    int64_t visit; // the last program that found it
    int64_t asked; // the last one that was asked what else it means
    json_t *location;
} Place;

typedef struct {
    Str path;
    Map places; // start + 1 -> number + 1
} PlacesOfFile;

// What is found in the files of several programs: each place once. Programs may share a file in
// which a name means what each of them declares itself: then all of that is looked for.
typedef struct {
    struct {
        ARRAY(Target);
    } wanted;
    struct {
        ARRAY(Place);
    } found;
    struct {
        ARRAY(PlacesOfFile);
    } by_file;
    Place asked; // where the question is
    Paths files; // whose programs are visited
    int64_t visit;
    bool leaves_out_declaration;
    Str name; // that it gets; empty: none
    const char *why_not;
} WideSearch;

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
    Str path = analysis_path(query->analysis, span.source);
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
    Str root = analysis_path(query->analysis, query->analysis->module->source);
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

static void search_wide(WideSearch *wide, Query *query, const Meaning *meaning)
{
    Target target = target_of(query->analysis, meaning);
    Str path = analysis_path(query->analysis, query->source);
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
    Meaning meaning = query_meaning(query, query->offset);
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
    Meaning meaning = query_meaning(query, query->offset);
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

// ---- rename

// The program at hand is checked with the new name.
static const char *why_not_tried(const Query *query, const WideSearch *wide)
{
    Query checked = *query;
    DiagHelp edits = {0};
    const Crate *crate = query_check(&checked);
    if (!crate)
        return NULL;
    for (int64_t i = 0; i < wide->found.count; i++) {
        const Place *place = &wide->found.items[i];
        int32_t source = analysis_source(crate->analysis, place->path);
        if (source >= 0)
            *array_push(query->arena, &edits.edits, DiagEdit) =
                (DiagEdit){{source, place->start, place->end}, place->text};
    }
    return why_not_edited(&checked, crate, &edits);
}

json_t *answer_rename(Query *query)
{
    Str name = str_at(query->params, "newName");
    Meaning meaning = query_meaning(query, query->offset);
    query->error = why_not_renamed(query, &meaning);
    if (!query->error && !is_name(name))
        query->error = "this is no name";
    if (query->error)
        return NULL;
    meaning = as_of_trait(query->analysis->lang, &meaning);
    WideSearch wide = {.name = name};
    search_wide(&wide, query, &meaning);
    query->error = wide.why_not ? wide.why_not : why_not_tried(query, &wide);
    json_t *edit = json_pack("{s:{}}", "changes");
    for (int64_t i = 0; i < wide.found.count; i++) {
        json_t *location = wide.found.items[i].location;
        json_add_edit(edit, json_string_value(json_object_get(location, "uri")),
                      json_incref(json_object_get(location, "range")), wide.found.items[i].text);
        json_decref(location);
    }
    if (!query->error)
        return edit;
    json_decref(edit);
    return NULL;
}

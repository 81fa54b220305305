// Another name for a thing: what can have one, which one, and what is written at each place.
#include "lang/syntax/lex.h"
#include "lang/types/signature.h"
#include "lsp/answers.h"
#include "lsp/navigate.h"
#include "lsp/taken.h"

#include <string.h>

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
    const Decl *function;
} Rival;

static const AstItem *owner_of(const Decl *decl)
{
    return decl ? decl->item : NULL;
}

static bool is_value(const Decl *decl)
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

static Meaning of_decl(const Decl *decl)
{
    return (Meaning){.kind = decl ? MEANS_DECL : MEANS_NOTHING, .decl = decl};
}

static Meaning among_fields(const Decl *decl, const char *name)
{
    const AstItem *item = owner_of(decl);
    const AstFields *fields = decl && decl->variant               ? &decl->variant->fields
                              : item && item->kind == ITEM_STRUCT ? &item->structure.fields
                                                                  : NULL;
    for (int64_t i = 0; fields && i < fields->count; i++)
        if (fields->items[i].name.text == name)
            return (Meaning){.kind = MEANS_FIELD, .decl = decl, .field = &fields->items[i]};
    return (Meaning){0};
}

static Meaning among_members(Lang *lang, const Impl *impl, const char *name)
{
    const Type *self = impl->self ? type_of(impl->self) : NULL;
    const Decl *found = impl_member(lang, impl, name);
    const Impls *impls = self && self->kind == TYPE_NAMED ? &self->decl->impls : NULL;
    for (int64_t i = 0; !found && impls && i < impls->count; i++)
        found = impl_member(lang, impls->items[i], name);
    return of_decl(found);
}

// What is declared where the thing is. A name that a glob brings may be hidden.
static Meaning beside(Lang *lang, const Meaning *meaning, const char *name)
{
    if (meaning->kind == MEANS_FIELD)
        return among_fields(meaning->decl, name);
    if (meaning->kind != MEANS_DECL)
        return (Meaning){0};
    const Decl *decl = meaning->decl;
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
        return other_value && trail_function(rival->query->analysis, trail) == rival->function &&
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
    Bearer bearer = {.meaning = meaning_of(bearers->query->analysis, trail, bearers->source)};
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

const char *why_taken(Query *query, const NamePlaces *places, Str text)
{
    const char *name = lang_name(query->analysis->lang, str_terminated(query->arena, text));
    Bearers bearers = {.query = query, .name = name, .source = -1};
    for (int64_t i = 0; i < places->count; i++) {
        Span place = places->items[i].span;
        const Trail *trail = &places->items[i].trail;
        Meaning meaning = meaning_of(query->analysis, trail, place.source);
        if (meaning.kind == MEANS_NOTHING || strcmp(meaning_name(&meaning), name) == 0)
            continue;
        Meaning other = beside(query->analysis->lang, &meaning, name);
        if (!other.kind && !is_member(&meaning)) {
            Rival rival = {.query = query,
                           .meaning = &meaning,
                           .last_use = places->items[places->count - 1].span.start,
                           .function = trail_function(query->analysis, trail)};
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
    const Decl *trait = impl && impl->is_trait ? impl_trait(lang, impl) : NULL;
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
    Str path = root ? analysis->contra->sources.items[root->source].name : (Str){0};
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

const char *why_not_renamed(const Query *query, const Meaning *meaning)
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

Str replacement(const Query *query, const Target *target, const NamePlace *place, Str name)
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

// The program at hand is checked with the new name.
static const char *why_not_tried(const Query *query, const WideSearch *wide)
{
    Crate *crate = crate_of_path(query->server, query->document->path);
    DiagHelp edits = {0};
    if (!crate_read(query->server, crate))
        return NULL;
    while (analysis_step(crate))
        ;
    Query checked = *query;
    checked.analysis = crate->analysis;
    for (int64_t i = 0; i < wide->found.count; i++) {
        const Place *place = &wide->found.items[i];
        int32_t source = analysis_source(crate->analysis, place->path);
        if (source >= 0)
            *array_push(query->arena, &edits.edits, DiagEdit) =
                (DiagEdit){{source, place->start, place->end}, place->text};
    }
    return why_not_edited(&checked, crate, &edits);
}

// Takes the location.
static void add_change(json_t *changes, const Place *place)
{
    const char *uri = json_string_value(json_object_get(place->location, "uri"));
    if (!json_object_get(changes, uri))
        json_object_set_new(changes, uri, json_array());
    json_array_append_new(json_object_get(changes, uri),
                          json_pack("{s:O, s:o}", "range",
                                    json_object_get(place->location, "range"), "newText",
                                    json_of_str(place->text)));
    json_decref(place->location);
}

json_t *answer_rename(Query *query)
{
    Str name = str_of_json(json_object_get(query->params, "newName"));
    Meaning meaning = meaning_here(query);
    query->error = why_not_renamed(query, &meaning);
    if (!query->error && !is_name(name))
        query->error = "this is no name";
    if (query->error)
        return NULL;
    meaning = as_of_trait(query->analysis->lang, &meaning);
    WideSearch wide = {.name = name};
    search_wide(&wide, query, &meaning);
    query->error = wide.why_not ? wide.why_not : why_not_tried(query, &wide);
    json_t *changes = json_object();
    for (int64_t i = 0; i < wide.found.count; i++)
        add_change(changes, &wide.found.items[i]);
    if (!query->error)
        return json_pack("{s:o}", "changes", changes);
    json_decref(changes);
    return NULL;
}

// Another name for a thing: what can have one, which one, and what is written at each place.
#include "lsp/answers.h"
#include "lsp/navigate.h"

#include "lang/syntax/lex.h"
#include "lang/types/signature.h"

#include <string.h>

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
                       ? str_format(query->arena, "%.*s: %s", STR_ARG(name), old)
                       : str_format(query->arena, "%s: %.*s", old, STR_ARG(name));
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

// What a name means where it stands: which node it is part of, and what the front end has there.
#include "lsp/program/analysis.h"
#include "lsp/server/internal.h"

#include "lang/types/infer.h"
#include "lang/types/signature.h"

#include <string.h>

const char *node_name(const AstNode *node, Span *span)
{
    const AstName *name = NULL;
    if (node->kind == NODE_NAME)
        name = node->name;
    else if (node->kind == NODE_SEGMENT)
        name = &node->segment->name;
    else if (node->kind == NODE_MAPPING && node->mapping->kind == AST_MAPPING_SYMBOL)
        name = &node->mapping->name;
    if (name)
        *span = name->span;
    return name ? name->text : NULL;
}

// ---- generics

static const AstGeneric *generic_in(const AstGenerics *generics, const char *name)
{
    for (int64_t i = 0; i < generics->count; i++)
        if (generics->items[i].name.text == name)
            return &generics->items[i];
    return NULL;
}

// Of the items around; those of a function do not reach into items inside of it.
const AstGeneric *generic_named(const Trail *trail, const char *name)
{
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstItem *item = trail_item(trail, i);
        const AstGeneric *found = item ? generic_in(&item->generics, name) : NULL;
        if (found)
            return found;
        if (item && item->kind == ITEM_FN && i > 0 && trail->items[i - 1].kind == NODE_STATEMENT)
            return NULL;
    }
    return NULL;
}

static Meaning means_generic(const AstGeneric *generic)
{
    return (Meaning){.kind = MEANS_GENERIC, .generic = generic};
}

static Meaning means_decl(Decl *decl)
{
    return (Meaning){.kind = decl ? MEANS_DECL : MEANS_NOTHING, .decl = decl};
}

// ---- paths

static Decl *type_of_impl(const Trail *trail)
{
    int64_t at = trail_around(trail, 1U << ITEM_IMPL);
    const AstItems *items = at < 0 ? NULL : &trail->items[at].item->impl.items;
    for (int64_t i = 0; items && i < items->count; i++) {
        Decl *decl = analysis_function(trail->analysis, items->items[i]);
        if (decl && decl->impl && decl->impl->self)
            return decl->impl->self->decl;
    }
    return NULL;
}

// What a type has: a variant, or a member of one of its impl blocks. Generics are mappings mostly.
static Decl *member_of(Lang *lang, const Meaning *of, const char *name)
{
    Decl *decl = of->kind == MEANS_DECL ? of->decl : NULL;
    bool mapping = of->kind == MEANS_GENERIC ||
                   (decl && (decl->kind == DECL_AXIS || decl->kind == DECL_ALIAS));
    Decl *found = decl && decl->kind == DECL_ENUM ? enum_variant(decl, name) : NULL;
    if (!mapping && !decl)
        return NULL;
    sort_impls(lang);
    const Impls *impls = mapping ? &lang->of_mapping : &decl->impls;
    for (int64_t i = 0; !found && i < impls->count; i++)
        found = impl_member(lang, impls->items[i], name);
    return found;
}

// The trait that the trail is in; NULL: none.
static Decl *trait_around(const Trail *trail)
{
    int64_t at = trail_around(trail, 1U << ITEM_TRAIT);
    return at < 0 ? NULL : trail_type(trail, at);
}

// What a type parameter has by its bounds: `Self` of a trait by the trait itself.
static Decl *member_of_bounds(const Trail *trail, const Type *param, const char *name)
{
    Lang *lang = trail->analysis->lang;
    Decl *trait = strcmp(param->name, "Self") == 0 ? trait_around(trail) : NULL;
    Decl *found = trait ? trait_member(lang, trait, name) : NULL;
    Module *scope = trail_scope(trail);
    for (int64_t i = 0; !found && scope && param->generic && i < param->generic->bounds.count;
         i++) {
        const AstType *bound = param->generic->bounds.items[i];
        Decl *decl = bound->kind == AST_TYPE_PATH
                         ? module_find(lang, scope, &bound->path, SPACE_TYPE)
                         : NULL;
        if (decl && decl->kind == DECL_TRAIT)
            found = trait_member(lang, decl, name);
    }
    return found;
}

// A name of a path that no body has a record of: of a type, a module on the way.
static Meaning means_path(const Trail *trail, const AstPath *path, const AstSegment *segment)
{
    Lang *lang = trail->analysis->lang;
    Module *scope = trail_scope(trail);
    AstPath part = *path; // up to and with the segment
    part.segments.count = segment - path->segments.items + 1;
    const char *name = segment->name.text;
    Decl *trait = part.segments.count == 2 && !path->self &&
                          strcmp(path->segments.items[0].name.text, "Self") == 0
                      ? trait_around(trail)
                      : NULL;
    if (trait)
        return means_decl(trait_member(lang, trait, name));
    const AstGeneric *generic =
        part.segments.count == 1 && !path->self ? generic_named(trail, name) : NULL;
    if (generic)
        return means_generic(generic);
    if (strcmp(name, "Self") == 0 && part.segments.count == 1)
        return means_decl(type_of_impl(trail));
    const AstSegments *self =
        path->self && path->self->kind == AST_TYPE_PATH ? &path->self->path.segments : NULL;
    if (self && self->count && part.segments.count == 1) { // <X>::SIZE
        Meaning of = means_path(trail, &path->self->path, &self->items[self->count - 1]);
        return means_decl(member_of(lang, &of, name));
    }
    if (!scope || path->self)
        return means_decl(NULL);
    Decl *decl = module_find(lang, scope, &part, SPACE_TYPE);
    if (!decl)
        decl = module_find(lang, scope, &part, SPACE_VALUE);
    if (decl || part.segments.count < 2)
        return means_decl(decl);
    Meaning of = means_path(trail, path, segment - 1);
    return means_decl(member_of(lang, &of, name));
}

// ---- bodies

// Of the innermost function, or of the innermost constant if no function is in it.
static const Body *body_around(const Trail *trail)
{
    int64_t at = trail_around(trail, 1U << ITEM_CONST | 1U << ITEM_FN);
    const AstItem *item = trail_item(trail, at);
    Decl *constant =
        item && item->kind == ITEM_CONST ? trail_declared(trail, at, item->name.text) : NULL;
    const Body *body = constant ? analysis_body(trail->analysis, constant) : NULL;
    return body ? body : trail_body(trail);
}

static const AstPattern *pattern_of_slot(const Body *body, int32_t slot)
{
    for (int64_t i = 0; i < body->slots.capacity; i++) {
        const MapSlot *entry = &body->slots.slots[i];
        if (entry->key && (intptr_t)entry->value == slot + 1)
            return entry->key;
    }
    return NULL;
}

static Meaning means_local(const Body *body, int32_t slot)
{
    const AstPattern *pattern = pattern_of_slot(body, slot);
    Meaning meaning = {
        .kind = pattern ? MEANS_LOCAL : MEANS_SELF, .local = pattern, .decl = body->decl};
    if (slot < body->slot_types.count)
        meaning.type = body->slot_types.items[slot];
    return meaning;
}

static Meaning means_use(const Trail *trail, const Body *body, const AstExpr *expr)
{
    const Use *use = body_has(body, expr) ? body_use(body, expr) : NULL;
    Meaning meaning = {0};
    if (!use && expr->kind == AST_METHOD && body_has(body, expr->method.receiver)) {
        const Type *type = type_strip(body_type(body, expr->method.receiver));
        if (type->kind == TYPE_PARAM)
            meaning = means_decl(member_of_bounds(trail, type, expr->method.name.name.text));
    }
    if (!use)
        return meaning;
    if (use->kind == USE_LOCAL)
        meaning = means_local(body, use->slot);
    else if (use->kind == USE_DECL)
        meaning = means_decl(use->decl);
    else if (use->kind == USE_GENERIC && expr->kind == AST_PATH && expr->path.segments.count)
        meaning.generic = generic_named(trail, expr->path.segments.items[0].name.text);
    if (meaning.generic)
        meaning.kind = MEANS_GENERIC;
    meaning.use = expr;
    if (!meaning.type)
        meaning.type = body_type(body, expr);
    return meaning;
}

const AstFields *decl_fields(Decl *decl)
{
    if (decl && decl->variant)
        return &decl->variant->fields;
    return decl && decl->item && decl->item->kind == ITEM_STRUCT ? &decl->item->structure.fields
                                                                 : NULL;
}

Meaning meaning_of_field(Decl *decl, const char *name)
{
    const AstFields *fields = decl_fields(decl);
    for (int64_t i = 0; fields && i < fields->count; i++)
        if (fields->items[i].name.text == name)
            return (Meaning){.kind = MEANS_FIELD, .decl = decl, .field = &fields->items[i]};
    return (Meaning){.decl = decl};
}

static Meaning means_field_of(const Body *body, const AstExpr *expr)
{
    if (!body_has(body, expr->field.inner))
        return (Meaning){0};
    Type *type = type_unboxed(type_strip(body_type(body, expr->field.inner)));
    Meaning meaning =
        meaning_of_field(type->kind == TYPE_NAMED ? type->decl : NULL, expr->field.name.text);
    meaning.use = expr;
    meaning.type = body_type(body, expr);
    return meaning;
}

// `Ident::B` is the name of an axis, if there is one.
static Decl *axis_of_ident(const Trail *trail, Decl *decl)
{
    const Impl *impl = decl->is_builtin && decl->kind == DECL_CONST ? decl->impl : NULL;
    if (!impl || !impl->self || !type_is_named(impl->self, "Ident"))
        return NULL;
    Module *scope = trail_scope(trail);
    Decl *axis = scope ? module_lookup(trail->analysis->lang, scope, decl->name, SPACE_TYPE) : NULL;
    return axis && axis->kind == DECL_AXIS ? axis : NULL;
}

// ---- one function a parent

static Meaning in_path(const Trail *trail, const AstSegment *segment)
{
    const AstNode *path = &trail->items[trail->count - 2];
    const AstNode *around = trail->count > 2 ? &trail->items[trail->count - 3] : NULL;
    const AstSegments *segments = &path->path->segments;
    bool is_last = segment == &segments->items[segments->count - 1];
    const Body *body = body_around(trail);
    Meaning meaning = {0};
    if (is_last && around && around->kind == NODE_EXPR && around->expr->kind == AST_PATH)
        meaning = means_use(trail, body, around->expr);
    if (is_last && body && around && around->kind == NODE_PATTERN)
        meaning = means_decl(map_get(&body->patterns, around->pattern));
    Decl *axis = meaning.kind == MEANS_DECL ? axis_of_ident(trail, meaning.decl) : NULL;
    if (axis)
        return means_decl(axis);
    return meaning.kind ? meaning : means_path(trail, path->path, segment);
}

static Meaning in_pattern(const Trail *trail)
{
    const AstPattern *pattern = trail->items[trail->count - 2].pattern;
    const Body *body = body_around(trail);
    if (!body)
        return (Meaning){0};
    Decl *decl = map_get(&body->patterns, pattern);
    intptr_t slot = (intptr_t)map_get(&body->slots, pattern);
    if (pattern->kind == PATTERN_STRUCT) // a name of a field
        return meaning_of_field(decl, trail->items[trail->count - 1].name->text);
    if (decl)
        return means_decl(decl);
    return slot ? means_local(body, (int32_t)slot - 1) : (Meaning){0};
}

static Meaning in_use(const Trail *trail, const AstName *name)
{
    const AstUse *use = trail->items[trail->count - 2].use;
    Trail outside = trail_above(trail, trail->count - 3); // above the item
    Module *scope = trail_scope(&outside);
    AstPath path = {.global = use->global, .span = use->span};
    for (int64_t i = 0; i < use->path.count; i++) {
        *array_push(trail->analysis->lang->arena, &path.segments, AstSegment) =
            (AstSegment){.name = use->path.items[i]};
        if (&use->path.items[i] == name)
            break;
    }
    if (!scope)
        return (Meaning){0};
    Decl *type = module_find(trail->analysis->lang, scope, &path, SPACE_TYPE);
    Decl *value = module_find(trail->analysis->lang, scope, &path, SPACE_VALUE);
    bool is_seen =
        type && (!value || !type->item || module_sees(scope, type->scope, &type->item->visibility));
    Meaning meaning = means_decl(is_seen ? type : value);
    if (is_seen && value != type && path.segments.count == use->path.count)
        meaning.also = value;
    return meaning;
}

static Meaning in_expr(const Trail *trail, const char *name)
{
    const AstExpr *expr = trail->items[trail->count - 2].expr;
    const Body *body = body_around(trail);
    if (expr->kind == AST_METHOD)
        return means_use(trail, body, expr);
    if (expr->kind == AST_FIELD && body)
        return means_field_of(body, expr);
    if (expr->kind == AST_STRUCT && body_has(body, expr)) {
        const Use *use = body_use(body, expr);
        Type *type = type_strip(body_type(body, expr));
        Decl *decl = use && use->decl ? use->decl : type->kind == TYPE_NAMED ? type->decl : NULL;
        return meaning_of_field(decl, name);
    }
    return (Meaning){0};
}

static Meaning in_mapping(const Trail *trail, const char *name)
{
    const AstGeneric *generic = generic_named(trail, name);
    Module *scope = trail_scope(trail);
    if (generic)
        return means_generic(generic);
    return means_decl(scope ? module_lookup(trail->analysis->lang, scope, name, SPACE_TYPE) : NULL);
}

// The declaration of the item two nodes further out; NULL: there is none.
static Decl *decl_around(const Trail *trail)
{
    const AstItem *item = trail_item(trail, trail->count - 3);
    return item ? trail_declared(trail, trail->count - 3, item->name.text) : NULL;
}

static Meaning meaning_in(const Trail *trail, const char *name)
{
    const AstNode *node = &trail->items[trail->count - 1];
    const AstNode *around = trail->count > 1 ? node - 1 : NULL;
    Decl *decl;
    if (node->kind == NODE_MAPPING)
        return in_mapping(trail, name);
    if (!around)
        return (Meaning){0};
    switch ((int)around->kind) {
    case NODE_PATH:
        return in_path(trail, node->segment);
    case NODE_ITEM:
        return means_decl(trail_declared(trail, trail->count - 2, name));
    case NODE_PATTERN:
        return in_pattern(trail);
    case NODE_USE:
        return in_use(trail, node->name);
    case NODE_EXPR:
        return in_expr(trail, name);
    case NODE_GENERIC:
        return means_generic(around->generic);
    case NODE_VARIANT:
        decl = decl_around(trail);
        return means_decl(decl ? enum_variant(decl, name) : NULL);
    case NODE_FIELD:
        return (Meaning){.kind = MEANS_FIELD, .decl = decl_around(trail), .field = around->field};
    }
    return (Meaning){0};
}

Meaning meaning_of(const Trail *trail)
{
    Span span = SPAN_NOWHERE;
    const char *name = trail->count ? node_name(&trail->items[trail->count - 1], &span) : NULL;
    Meaning meaning = name ? meaning_in(trail, name) : (Meaning){0};
    meaning.span = span;
    return meaning;
}

Meaning meaning_at(Arena *arena, Analysis *analysis, int32_t source, int64_t offset)
{
    Trail trail = trail_at(arena, analysis, source, offset);
    return meaning_of(&trail);
}

Meaning query_meaning(const Query *query, int64_t offset)
{
    return meaning_at(query->arena, query->analysis, query->source, offset);
}

// ---- what can be asked of a meaning: where it is declared, whether another one is the same

Span meaning_declared(const Meaning *meaning)
{
    switch (meaning->kind) {
    case MEANS_NOTHING:
        break;
    case MEANS_DECL:
        return meaning->decl->is_builtin ? SPAN_NOWHERE : meaning->decl->span;
    case MEANS_LOCAL:
        return meaning->local->name.span;
    case MEANS_SELF:
        return meaning->decl->item->function.self_span;
    case MEANS_FIELD:
        return meaning->decl && meaning->decl->is_builtin ? SPAN_NOWHERE
                                                          : meaning->field->name.span;
    case MEANS_GENERIC:
        return meaning->generic->name.span;
    }
    return SPAN_NOWHERE;
}

static bool meaning_same(const Meaning *a, const Meaning *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case MEANS_NOTHING:
        return false;
    case MEANS_DECL:
    case MEANS_SELF:
        return a->decl == b->decl;
    case MEANS_LOCAL:
        return a->local == b->local;
    case MEANS_FIELD:
        return a->field == b->field;
    case MEANS_GENERIC:
        return a->generic == b->generic;
    }
    return false;
}

const char *meaning_name(const Meaning *meaning)
{
    switch (meaning->kind) {
    case MEANS_NOTHING:
        break;
    case MEANS_DECL:
        return meaning->decl->name;
    case MEANS_LOCAL:
        return meaning->local->name.text;
    case MEANS_SELF:
        return "self";
    case MEANS_FIELD:
        return meaning->field->name.text;
    case MEANS_GENERIC:
        return meaning->generic->name.text;
    }
    return "";
}

Target target_of(const Analysis *analysis, const Meaning *meaning)
{
    Target target = {.analysis = analysis, .meaning = *meaning, .name = meaning_name(meaning)};
    Span declared = meaning_declared(meaning);
    if (declared.source < 0)
        return target;
    target.path = analysis_path(analysis, declared.source);
    target.start = declared.start;
    target.is_shared = meaning->kind == MEANS_DECL || meaning->kind == MEANS_FIELD;
    return target;
}

Target target_kept(Arena *arena, const Target *target)
{
    Target kept = *target;
    kept.analysis = NULL;
    kept.meaning = (Meaning){.kind = target->meaning.kind};
    kept.name = str_terminated(arena, str_from(target->name));
    kept.path = str_copy(arena, target->path);
    return kept;
}

static bool is_target(const Target *target, const Analysis *analysis, const Meaning *meaning)
{
    Span declared = meaning_declared(meaning);
    if (analysis == target->analysis && declared.source < 0)
        return meaning_same(&target->meaning, meaning);
    return declared.source >= 0 && meaning->kind == target->meaning.kind &&
           declared.start == target->start &&
           str_equal(analysis_path(analysis, declared.source), target->path);
}

bool target_is(const Target *target, const Analysis *analysis, const Meaning *meaning)
{
    Meaning also = {.kind = MEANS_DECL, .decl = meaning->also};
    return is_target(target, analysis, meaning) ||
           (also.decl && is_target(target, analysis, &also));
}

bool decl_is_of_device(const Lang *lang, Decl *decl)
{
    const Module *scope = decl->scope;
    while (scope && scope != lang->prelude->outer)
        scope = scope->outer;
    return scope && decl->is_builtin;
}

// Streams and what they begin at say first which Tensor Unit they are of; iterators of the standard
// library collect, too.
static bool is_of_unit(const Impl *impl)
{
    const Type *self = impl && impl->self ? type_of(impl->self) : NULL;
    const AstItem *item = self && self->kind == TYPE_NAMED ? self->decl->item : NULL;
    return item && item->generics.count && item->generics.items[0].kind == PARAM_CONST;
}

StageKind decl_stage(const Lang *lang, Decl *decl)
{
    bool stage = decl_is_of_device(lang, decl) && is_of_unit(decl->impl);
    return stage ? stage_of_method(decl->name) : STAGE_COUNT;
}

// ---- all names

typedef struct {
    Arena *arena;
    Trail trail;
    NameVisit *visit;
    void *own;
} NameWalk;

static void walk_node(void *own, AstNode node)
{
    NameWalk *walk = own;
    Span span;
    *array_push(walk->arena, &walk->trail, AstNode) = node;
    if (node_name(&node, &span))
        walk->visit(walk->own, &walk->trail);
    ast_children(node, walk_node, walk);
    walk->trail.count--;
}

void each_name(Arena *arena, Analysis *analysis, int32_t source, NameVisit *visit, void *own)
{
    NameWalk walk = {arena, {.analysis = analysis, .source = source}, visit, own};
    analysis_items(analysis, source, walk_node, &walk);
}

void each_name_of_program(Arena *arena, Analysis *analysis, NameVisit *visit, void *own)
{
    for (int64_t i = 0; i < analysis->contra->sources.count; i++)
        if (analysis_wrote(analysis, i))
            each_name(arena, analysis, (int32_t)i, visit, own);
}

// What a name means where it stands: which node it is part of, and what the front end has there.
#include "lsp/program/analysis.h"

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
        const AstNode *node = &trail->items[i];
        const AstGeneric *found =
            node->kind == NODE_ITEM ? generic_in(&node->item->generics, name) : NULL;
        if (found)
            return found;
        if (node->kind == NODE_ITEM && node->item->kind == ITEM_FN && i > 0 &&
            trail->items[i - 1].kind == NODE_STATEMENT)
            return NULL;
    }
    return NULL;
}

static Meaning means_generic(const AstGeneric *generic)
{
    return (Meaning){.kind = MEANS_GENERIC, .generic = generic};
}

static Meaning means_decl(const Decl *decl)
{
    return (Meaning){.kind = decl ? MEANS_DECL : MEANS_NOTHING, .decl = decl};
}

// ---- paths

static Trail trail_above(const Trail *trail, int64_t at)
{
    return (Trail){.items = trail->items, .count = at + 1, .capacity = at + 1};
}

// The path up to and with a segment of it.
static AstPath path_until(const AstPath *path, const AstSegment *last)
{
    AstPath part = *path;
    part.segments.count = last - path->segments.items + 1;
    return part;
}

static const Decl *type_of_impl(Analysis *analysis, const Trail *trail)
{
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstNode *node = &trail->items[i];
        if (node->kind != NODE_ITEM || node->item->kind != ITEM_IMPL)
            continue;
        for (int64_t k = 0; k < node->item->impl.items.count; k++) {
            const Decl *decl = analysis_function(analysis, node->item->impl.items.items[k]);
            if (decl && decl->impl && decl->impl->self)
                return decl->impl->self->decl;
        }
    }
    return NULL;
}

// What a type has: a variant, or a member of one of its impl blocks. Generics are mappings mostly.
static const Decl *member_of(Lang *lang, const Meaning *of, const char *name)
{
    const Decl *decl = of->kind == MEANS_DECL ? of->decl : NULL;
    bool mapping = of->kind == MEANS_GENERIC ||
                   (decl && (decl->kind == DECL_AXIS || decl->kind == DECL_ALIAS));
    const Decl *found = decl && decl->kind == DECL_ENUM ? enum_variant(decl, name) : NULL;
    if (!mapping && !decl)
        return NULL;
    sort_impls(lang);
    const Impls *impls = mapping ? &lang->of_mapping : &decl->impls;
    for (int64_t i = 0; !found && i < impls->count; i++)
        found = impl_member(lang, impls->items[i], name);
    return found;
}

// The trait that the trail is in; NULL: none.
static const Decl *trait_around(Analysis *analysis, const Trail *trail)
{
    int64_t at = trail->count - 1;
    while (at >= 0 &&
           !(trail->items[at].kind == NODE_ITEM && trail->items[at].item->kind == ITEM_TRAIT))
        at--;
    if (at < 0)
        return NULL;
    const AstItem *item = trail->items[at].item;
    Trail outside = trail_above(trail, at - 1);
    const Module *scope = analysis_scope(analysis, &outside, item->span.source);
    const Decl *decl = scope ? map_get(&scope->names[SPACE_TYPE], item->name.text) : NULL;
    return decl && decl->kind == DECL_TRAIT ? decl : NULL;
}

// What a type parameter has by its bounds: `Self` of a trait by the trait itself.
static const Decl *member_of_bounds(Analysis *analysis, const Trail *trail, const Type *param,
                                    const char *name)
{
    Lang *lang = analysis->lang;
    const Decl *trait = strcmp(param->name, "Self") == 0 ? trait_around(analysis, trail) : NULL;
    const Decl *found = trait ? trait_member(lang, trait, name) : NULL;
    Module *scope = analysis_scope(analysis, trail, trail->items[0].span.source);
    for (int64_t i = 0; !found && scope && param->generic && i < param->generic->bounds.count;
         i++) {
        const AstType *bound = param->generic->bounds.items[i];
        const Decl *decl = bound->kind == AST_TYPE_PATH
                               ? module_find(lang, scope, &bound->path, SPACE_TYPE)
                               : NULL;
        if (decl && decl->kind == DECL_TRAIT)
            found = trait_member(lang, decl, name);
    }
    return found;
}

// A name of a path that no body has a record of: of a type, a module on the way.
static Meaning means_path(Analysis *analysis, const Trail *trail, int32_t source,
                          const AstPath *path, const AstSegment *segment)
{
    Lang *lang = analysis->lang;
    Module *scope = analysis_scope(analysis, trail, source);
    AstPath part = path_until(path, segment);
    const char *name = segment->name.text;
    const Decl *trait = part.segments.count == 2 && !path->self &&
                                strcmp(path->segments.items[0].name.text, "Self") == 0
                            ? trait_around(analysis, trail)
                            : NULL;
    if (trait)
        return means_decl(trait_member(lang, trait, name));
    const AstGeneric *generic =
        part.segments.count == 1 && !path->self ? generic_named(trail, name) : NULL;
    if (generic)
        return means_generic(generic);
    if (strcmp(name, "Self") == 0 && part.segments.count == 1)
        return means_decl(type_of_impl(analysis, trail));
    const AstSegments *self =
        path->self && path->self->kind == AST_TYPE_PATH ? &path->self->path.segments : NULL;
    if (self && self->count && part.segments.count == 1) { // <X>::SIZE
        Meaning of =
            means_path(analysis, trail, source, &path->self->path, &self->items[self->count - 1]);
        return means_decl(member_of(lang, &of, name));
    }
    if (!scope || path->self)
        return means_decl(NULL);
    const Decl *decl = module_find(lang, scope, &part, SPACE_TYPE);
    if (!decl)
        decl = module_find(lang, scope, &part, SPACE_VALUE);
    if (decl || part.segments.count < 2)
        return means_decl(decl);
    Meaning of = means_path(analysis, trail, source, path, segment - 1);
    return means_decl(member_of(lang, &of, name));
}

// ---- bodies

static const Decl *decl_at(Analysis *analysis, const Module *scope, const AstItem *item,
                           const char *name)
{
    const Decl *function = analysis_function(analysis, item);
    if (function)
        return function;
    for (Space space = 0; scope && space < SPACE_COUNT; space++) {
        const Decl *decl = map_get(&scope->names[space], name);
        if (decl && decl->item == item)
            return decl;
    }
    return NULL;
}

// Of the innermost constant, if no function is in it.
static const Body *constant_around(Analysis *analysis, const Trail *trail)
{
    int64_t at = trail->count - 1;
    while (at >= 0 &&
           !(trail->items[at].kind == NODE_ITEM &&
             (trail->items[at].item->kind == ITEM_CONST || trail->items[at].item->kind == ITEM_FN)))
        at--;
    if (at < 0 || trail->items[at].item->kind != ITEM_CONST)
        return NULL;
    const AstItem *item = trail->items[at].item;
    Trail outside = trail_above(trail, at - 1);
    const Module *scope = analysis_scope(analysis, &outside, item->span.source);
    const Decl *decl = decl_at(analysis, scope, item, item->name.text);
    if (!decl)
        decl = trail_member(analysis, trail, at);
    return decl ? analysis_constant(analysis, decl) : NULL;
}

static const Body *body_around(Analysis *analysis, const Trail *trail)
{
    const Body *constant = constant_around(analysis, trail);
    const Decl *decl = constant ? NULL : trail_function(analysis, trail);
    return decl ? analysis_body(analysis, decl) : constant;
}

static bool is_of_body(const Body *body, const AstExpr *expr)
{
    return body && expr->id >= body->first_expr && expr->id < body->first_expr + body->expr_count;
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

static Meaning means_use(Analysis *analysis, const Trail *trail, const Body *body,
                         const AstExpr *expr)
{
    const Use *use = is_of_body(body, expr) ? body_use(body, expr) : NULL;
    Meaning meaning = {0};
    if (!use && expr->kind == AST_METHOD && is_of_body(body, expr->method.receiver)) {
        const Type *type = type_strip(body_type(body, expr->method.receiver));
        if (type->kind == TYPE_PARAM)
            meaning =
                means_decl(member_of_bounds(analysis, trail, type, expr->method.name.name.text));
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

static const AstField *field_of(const Decl *decl, const char *name)
{
    const AstFields *fields = decl && decl->item && decl->item->kind == ITEM_STRUCT
                                  ? &decl->item->structure.fields
                              : decl && decl->variant ? &decl->variant->fields
                                                      : NULL;
    for (int64_t i = 0; fields && i < fields->count; i++)
        if (fields->items[i].name.text == name)
            return &fields->items[i];
    return NULL;
}

static Meaning means_field(const Decl *decl, const char *name)
{
    const AstField *field = field_of(decl, name);
    return (Meaning){.kind = field ? MEANS_FIELD : MEANS_NOTHING, .decl = decl, .field = field};
}

static Meaning means_field_of(const Body *body, const AstExpr *expr)
{
    if (!is_of_body(body, expr->field.inner))
        return (Meaning){0};
    Type *type = type_unboxed(type_strip(body_type(body, expr->field.inner)));
    Meaning meaning =
        means_field(type->kind == TYPE_NAMED ? type->decl : NULL, expr->field.name.text);
    meaning.use = expr;
    meaning.type = body_type(body, expr);
    return meaning;
}

// `Ident::B` is the name of an axis, if there is one.
static const Decl *axis_of_ident(Analysis *analysis, const Trail *trail, int32_t source,
                                 const Decl *decl)
{
    const Impl *impl = decl->is_builtin && decl->kind == DECL_CONST ? decl->impl : NULL;
    if (!impl || !impl->self || !type_is_named(impl->self, "Ident"))
        return NULL;
    Module *scope = analysis_scope(analysis, trail, source);
    const Decl *axis = scope ? module_lookup(analysis->lang, scope, decl->name, SPACE_TYPE) : NULL;
    return axis && axis->kind == DECL_AXIS ? axis : NULL;
}

// ---- one function a parent

static Meaning in_path(Analysis *analysis, const Trail *trail, int32_t source,
                       const AstSegment *segment)
{
    const AstNode *path = &trail->items[trail->count - 2];
    const AstNode *around = trail->count > 2 ? &trail->items[trail->count - 3] : NULL;
    const AstSegments *segments = &path->path->segments;
    bool is_last = segment == &segments->items[segments->count - 1];
    const Body *body = body_around(analysis, trail);
    Meaning meaning = {0};
    if (is_last && around && around->kind == NODE_EXPR && around->expr->kind == AST_PATH)
        meaning = means_use(analysis, trail, body, around->expr);
    if (is_last && body && around && around->kind == NODE_PATTERN)
        meaning = means_decl(map_get(&body->patterns, around->pattern));
    const Decl *axis =
        meaning.kind == MEANS_DECL ? axis_of_ident(analysis, trail, source, meaning.decl) : NULL;
    if (axis)
        return means_decl(axis);
    return meaning.kind ? meaning : means_path(analysis, trail, source, path->path, segment);
}

// A name that an item declares: its own, or that of an axis.
static Meaning in_item(Analysis *analysis, const Trail *trail, int32_t source, const char *name)
{
    int64_t above = trail->count - 2;
    const AstItem *item = trail->items[above].item;
    Trail outside = trail_above(trail, above - 1);
    const Module *scope = analysis_scope(analysis, &outside, source);
    const Decl *decl = decl_at(analysis, scope, item, name);
    return means_decl(decl ? decl : trail_member(analysis, trail, above));
}

static Meaning in_pattern(Analysis *analysis, const Trail *trail)
{
    const AstPattern *pattern = trail->items[trail->count - 2].pattern;
    const Body *body = body_around(analysis, trail);
    if (!body)
        return (Meaning){0};
    const Decl *decl = map_get(&body->patterns, pattern);
    intptr_t slot = (intptr_t)map_get(&body->slots, pattern);
    if (pattern->kind == PATTERN_STRUCT) // a name of a field
        return means_field(decl, trail->items[trail->count - 1].name->text);
    if (decl)
        return means_decl(decl);
    return slot ? means_local(body, (int32_t)slot - 1) : (Meaning){0};
}

static Meaning in_use(Analysis *analysis, const Trail *trail, int32_t source, const AstName *name)
{
    const AstUse *use = trail->items[trail->count - 2].use;
    Trail outside = trail_above(trail, trail->count - 4); // above the item
    Module *scope = analysis_scope(analysis, &outside, source);
    AstPath path = {.global = use->global, .span = use->span};
    for (int64_t i = 0; i < use->path.count; i++) {
        *array_push(analysis->lang->arena, &path.segments, AstSegment) =
            (AstSegment){.name = use->path.items[i]};
        if (&use->path.items[i] == name)
            break;
    }
    if (!scope)
        return (Meaning){0};
    const Decl *type = module_find(analysis->lang, scope, &path, SPACE_TYPE);
    const Decl *value = module_find(analysis->lang, scope, &path, SPACE_VALUE);
    bool is_seen =
        type && (!value || !type->item || module_sees(scope, type->scope, &type->item->visibility));
    Meaning meaning = means_decl(is_seen ? type : value);
    if (is_seen && value != type && path.segments.count == use->path.count)
        meaning.also = value;
    return meaning;
}

static Meaning in_expr(Analysis *analysis, const Trail *trail, const char *name)
{
    const AstExpr *expr = trail->items[trail->count - 2].expr;
    const Body *body = body_around(analysis, trail);
    if (expr->kind == AST_METHOD)
        return means_use(analysis, trail, body, expr);
    if (expr->kind == AST_FIELD && body)
        return means_field_of(body, expr);
    if (expr->kind == AST_STRUCT && is_of_body(body, expr)) {
        const Use *use = body_use(body, expr);
        Type *type = type_strip(body_type(body, expr));
        const Decl *decl = use && use->decl           ? use->decl
                           : type->kind == TYPE_NAMED ? type->decl
                                                      : NULL;
        return means_field(decl, name);
    }
    return (Meaning){0};
}

static Meaning in_mapping(Analysis *analysis, const Trail *trail, int32_t source, const char *name)
{
    const AstGeneric *generic = generic_named(trail, name);
    Module *scope = analysis_scope(analysis, trail, source);
    if (generic)
        return means_generic(generic);
    return means_decl(scope ? module_lookup(analysis->lang, scope, name, SPACE_TYPE) : NULL);
}

static Meaning in_variant(Analysis *analysis, const Trail *trail, int32_t source, const char *name)
{
    int64_t above = trail->count - 3;
    const AstItem *item =
        above >= 0 && trail->items[above].kind == NODE_ITEM ? trail->items[above].item : NULL;
    Trail outside = trail_above(trail, above - 1);
    const Decl *decl =
        item ? decl_at(analysis, analysis_scope(analysis, &outside, source), item, item->name.text)
             : NULL;
    return means_decl(decl ? enum_variant(decl, name) : NULL);
}

static Meaning in_field(Analysis *analysis, const Trail *trail, int32_t source)
{
    int64_t above = trail->count - 3;
    const AstNode *around = above >= 0 ? &trail->items[above] : NULL;
    const AstField *field = trail->items[trail->count - 2].field;
    Meaning meaning = {.kind = MEANS_FIELD, .field = field};
    if (!around || around->kind != NODE_ITEM)
        return meaning;
    Trail outside = trail_above(trail, above - 1);
    meaning.decl = decl_at(analysis, analysis_scope(analysis, &outside, source), around->item,
                           around->item->name.text);
    return meaning;
}

static Meaning meaning_in(Analysis *analysis, const Trail *trail, int32_t source, const char *name)
{
    const AstNode *node = &trail->items[trail->count - 1];
    const AstNode *around = trail->count > 1 ? node - 1 : NULL;
    if (node->kind == NODE_MAPPING)
        return in_mapping(analysis, trail, source, name);
    if (!around)
        return (Meaning){0};
    switch ((int)around->kind) {
    case NODE_PATH:
        return in_path(analysis, trail, source, node->segment);
    case NODE_ITEM:
        return in_item(analysis, trail, source, name);
    case NODE_PATTERN:
        return in_pattern(analysis, trail);
    case NODE_USE:
        return in_use(analysis, trail, source, node->name);
    case NODE_EXPR:
        return in_expr(analysis, trail, name);
    case NODE_GENERIC:
        return means_generic(around->generic);
    case NODE_VARIANT:
        return in_variant(analysis, trail, source, name);
    case NODE_FIELD:
        return in_field(analysis, trail, source);
    }
    return (Meaning){0};
}

Meaning meaning_of(Analysis *analysis, const Trail *trail, int32_t source)
{
    Span span = SPAN_NOWHERE;
    const char *name = trail->count ? node_name(&trail->items[trail->count - 1], &span) : NULL;
    Meaning meaning = name ? meaning_in(analysis, trail, source, name) : (Meaning){0};
    meaning.span = span;
    return meaning;
}

// ---- what can be asked of a meaning

// What can be asked of a meaning: where it is declared, whether another one is the same, which
// stage it is; and all names of a source, to be asked about.

// ---- comparing

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

bool meaning_same(const Meaning *a, const Meaning *b)
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
    target.path = analysis->contra->sources.items[declared.source].name;
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
           str_equal(analysis->contra->sources.items[declared.source].name, target->path);
}

bool target_is(const Target *target, const Analysis *analysis, const Meaning *meaning)
{
    Meaning also = {.kind = MEANS_DECL, .decl = meaning->also};
    return is_target(target, analysis, meaning) ||
           (also.decl && is_target(target, analysis, &also));
}

bool decl_is_of_device(const Lang *lang, const Decl *decl)
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

StageKind decl_stage(const Lang *lang, const Decl *decl)
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
    const Module *module = analysis_module(analysis, source);
    NameWalk walk = {.arena = arena, .visit = visit, .own = own};
    for (int64_t i = 0; module && module->items && i < module->items->count; i++)
        walk_node(&walk, ast_node_of_item(module->items->items[i]));
}

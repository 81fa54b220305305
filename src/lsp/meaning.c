// What can be asked of a meaning: where it is declared, whether another one is the same, which
// stage it is; and all names of a source, to be asked about.
#include "lsp/name.h"

#include <string.h>

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

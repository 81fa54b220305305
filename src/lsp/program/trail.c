// Where an offset is in the tree of a source.
#include "lsp/program/analysis.h"

#include "lang/eval/trace_internal.h"
#include "lang/types/infer.h"
#include "lang/types/signature.h"

Module *analysis_module(const Analysis *analysis, int32_t source)
{
    for (int64_t i = 0; i < analysis->lang->modules.count; i++) {
        Module *module = analysis->lang->modules.items[i];
        bool is_inline = module->decl && module->decl->item &&
                         module->decl->item->kind == ITEM_MOD &&
                         module->decl->item->module.is_inline;
        if (module->source == source && !is_inline && !module->is_block)
            return module;
    }
    return NULL;
}

// ---- trails

typedef struct {
    int32_t source;
    int64_t offset;
    AstNode best;
    Span span; // of it, or of the name in it that is meant
    bool found;
} Finder;

// `use a::{b, c}` is two, and `a` is of both: it lies before their own spans.
static Span span_at(const AstNode *node, int64_t offset)
{
    const AstNames *names = node->kind == NODE_USE ? &node->use->path : NULL;
    for (int64_t i = 0; names && i < names->count; i++) {
        Span name = names->items[i].span;
        if (name.start <= offset && offset <= name.end)
            return name;
    }
    return node->span;
}

// Names that a format captures stand in its text.
static bool is_within(Span span, Span other)
{
    return other.start < span.start && span.end < other.end;
}

// Behind the last letter of a name people still mean it, unless something else begins there.
static void consider(void *own, AstNode node)
{
    Finder *finder = own;
    int64_t offset = finder->offset;
    Span span = span_at(&node, offset);
    if (span.source != finder->source || offset < span.start || offset > span.end)
        return;
    bool is_inside = offset < span.end;
    bool keeps =
        finder->found && offset < finder->span.end && !is_inside && !is_within(span, finder->span);
    if (!keeps) {
        finder->best = node;
        finder->span = span;
    }
    finder->found = true;
}

Trail trail_at(Arena *arena, const Analysis *analysis, int32_t source, int64_t offset)
{
    Trail trail = {0};
    const Module *module = analysis_module(analysis, source);
    Finder finder = {.source = source, .offset = offset};
    for (int64_t i = 0; module && module->items && i < module->items->count; i++)
        consider(&finder, ast_node_of_item(module->items->items[i]));
    while (finder.found) {
        AstNode node = finder.best;
        *array_push(arena, &trail, AstNode) = node;
        finder.found = false;
        ast_children(node, consider, &finder);
    }
    return trail;
}

Trail trail_copy(Arena *arena, const Trail *trail)
{
    Trail copy = {0};
    for (int64_t i = 0; i < trail->count; i++)
        *array_push(arena, &copy, AstNode) = trail->items[i];
    return copy;
}

// ---- what is around

// Functions in blocks are declared when their block is come to.
const Decl *analysis_function(Analysis *analysis, const AstItem *item)
{
    const Decls *functions = &analysis->lang->functions;
    analysis->functions.arena = analysis->lang->arena;
    for (; analysis->function_count < functions->count; analysis->function_count++) {
        Decl *decl = functions->items[analysis->function_count];
        map_put(&analysis->functions, decl->item, decl);
    }
    return map_get(&analysis->functions, item);
}

static Module *module_of_item(const Analysis *analysis, const AstItem *item)
{
    for (int64_t i = 0; i < analysis->lang->modules.count; i++) {
        Module *module = analysis->lang->modules.items[i];
        if (module->decl && module->decl->item == item)
            return module;
    }
    return NULL;
}

// From outside inwards: items of blocks are declared when their block is come to, which may be
// before the body around them is typed.
Module *analysis_scope(Analysis *analysis, const Trail *trail, int32_t source)
{
    Lang *lang = analysis->lang;
    Module *scope = analysis_module(analysis, source);
    int64_t said = lang->diags->count;
    for (int64_t i = 0; scope && i < trail->count; i++) {
        const AstNode *node = &trail->items[i];
        if (node->kind == NODE_BLOCK) {
            scope = module_of_block(lang, scope, node->block);
        } else if (node->kind == NODE_ITEM && node->item->kind == ITEM_MOD) {
            Module *inner = module_of_item(analysis, node->item);
            scope = inner ? inner : scope;
        }
    }
    diag_forget(lang->diags, said); // the check says it
    return scope;
}

// The type or trait that item `at` of a trail declares; NULL: none.
static const Decl *declared_type(Analysis *analysis, const Trail *trail, int64_t at)
{
    const AstItem *item = trail->items[at].item;
    const Trail outside = {.items = trail->items, .count = at, .capacity = at};
    const Module *scope = analysis_scope(analysis, &outside, item->span.source);
    const Decl *decl = scope ? map_get(&scope->names[SPACE_TYPE], item->name.text) : NULL;
    return decl && decl->item == item ? decl : NULL;
}

// A function or constant with a body that a trait declares: of no impl, so that no list has it.
static const Decl *member_of_trait(Analysis *analysis, const Trail *trail, int64_t at)
{
    const AstNode *around = at > 0 ? &trail->items[at - 1] : NULL;
    const AstItem *trait = around && around->kind == NODE_ITEM ? around->item : NULL;
    if (!trait || trait->kind != ITEM_TRAIT)
        return NULL;
    const Decl *decl = declared_type(analysis, trail, at - 1);
    return decl ? trait_member(analysis->lang, decl, trail->items[at].item->name.text) : NULL;
}

// The same of an impl block.
static const Decl *member_of_impl(Analysis *analysis, const Trail *trail, int64_t at)
{
    const AstNode *around = at > 0 ? &trail->items[at - 1] : NULL;
    const AstItem *item = around && around->kind == NODE_ITEM ? around->item : NULL;
    if (!item || item->kind != ITEM_IMPL || item->impl.type->kind != AST_TYPE_PATH)
        return NULL;
    const Trail outside = {.items = trail->items, .count = at - 1, .capacity = at - 1};
    Module *scope = analysis_scope(analysis, &outside, item->span.source);
    const Decl *type =
        scope ? module_find(analysis->lang, scope, &item->impl.type->path, SPACE_TYPE) : NULL;
    sort_impls(analysis->lang);
    for (int64_t i = 0; type && i < type->impls.count; i++)
        if (type->impls.items[i]->item == item)
            return map_get(&type->impls.items[i]->members, trail->items[at].item->name.text);
    return NULL;
}

const Decl *trail_member(Analysis *analysis, const Trail *trail, int64_t at)
{
    const Decl *decl = member_of_trait(analysis, trail, at);
    return decl ? decl : member_of_impl(analysis, trail, at);
}

const Decl *trail_function(Analysis *analysis, const Trail *trail)
{
    if (trail->count) // declares what is in blocks
        analysis_scope(analysis, trail, trail->items[0].span.source);
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstNode *node = &trail->items[i];
        const Decl *decl = node->kind == NODE_ITEM && node->item->kind == ITEM_FN
                               ? analysis_function(analysis, node->item)
                               : NULL;
        if (!decl && node->kind == NODE_ITEM && node->item->kind == ITEM_FN)
            decl = member_of_trait(analysis, trail, i);
        if (decl)
            return decl;
    }
    return NULL;
}

const Decl *trail_generic(Analysis *analysis, const Trail *trail)
{
    const Decl *decl = trail_function(analysis, trail);
    for (int64_t i = trail->count - 1; i >= 0 && !decl; i--)
        if (trail->items[i].kind == NODE_ITEM && trail->items[i].item->name.text)
            decl = declared_type(analysis, trail, i);
    return decl;
}

const Body *analysis_constant(Analysis *analysis, const Decl *decl)
{
    Lang *lang = analysis->lang;
    const Body *known = map_get(&analysis->bodies, decl);
    if (known || !decl->item || decl->item->kind != ITEM_CONST || !decl->item->constant.value)
        return known;
    int64_t said = lang->diags->count;
    Body *body = infer_constant(lang, decl, NULL);
    diag_forget(lang->diags, said); // the check says it
    analysis->bodies.arena = lang->arena;
    map_put(&analysis->bodies, decl, body);
    return body;
}

const Body *analysis_body(Analysis *analysis, const Decl *decl)
{
    Lang *lang = analysis->lang;
    bool open = false;
    if (!decl->item || decl->item->kind != ITEM_FN || !decl->item->function.body)
        return NULL;
    const Body *known = map_get(&analysis->bodies, decl);
    if (known)
        return known;
    const Signature *signature = signature_of(lang, decl);
    Type **generics = arena_new(lang->arena, Type *, (size_t)signature->generic_count + 1);
    int64_t said = lang->diags->count;
    lang->reads_unfinished = true;
    Body *body = choose_generics(lang, signature, generics, &open)
                     ? infer_function(lang, decl, generics)
                     : infer_uncalled(lang, decl, generics);
    lang->reads_unfinished = false;
    diag_forget(lang->diags, said); // the check says it
    analysis->bodies.arena = lang->arena;
    map_put(&analysis->bodies, decl, body);
    return body;
}

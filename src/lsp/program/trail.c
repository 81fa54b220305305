// Where an offset is in the tree of a source.
#include "lsp/program/analysis.h"
#include "lsp/server/internal.h"

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

bool analysis_items(const Analysis *analysis, int32_t source, AstVisit *visit, void *own)
{
    const Module *module = analysis_module(analysis, source);
    for (int64_t i = 0; module && module->items && i < module->items->count; i++)
        visit(own, ast_node_of_item(module->items->items[i]));
    return module;
}

TokenList lex_silently(Arena *arena, Str text)
{
    DiagList diags = {.arena = arena};
    Mistakes silent = {.diags = &diags, .source = -1};
    return lex_text(arena, text, &silent);
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

// Behind the last letter of a name people still mean it, unless something else begins there.
static void consider(void *own, AstNode node)
{
    Finder *finder = own;
    int64_t offset = finder->offset;
    Span span = span_at(&node, offset);
    if (span.source != finder->source || offset < span.start || offset > span.end)
        return;
    bool is_inside = offset < span.end;
    // names that a format captures stand in its text
    bool is_within = finder->span.start < span.start && span.end < finder->span.end;
    bool keeps = finder->found && offset < finder->span.end && !is_inside && !is_within;
    if (!keeps) {
        finder->best = node;
        finder->span = span;
    }
    finder->found = true;
}

Trail trail_at(Arena *arena, Analysis *analysis, int32_t source, int64_t offset)
{
    Trail trail = {.analysis = analysis, .source = source};
    Finder finder = {.source = source, .offset = offset};
    analysis_items(analysis, source, consider, &finder);
    while (finder.found) {
        AstNode node = finder.best;
        *array_push(arena, &trail, AstNode) = node;
        finder.found = false;
        ast_children(node, consider, &finder);
    }
    return trail;
}

Trail query_trail(const Query *query)
{
    return trail_at(query->arena, query->analysis, query->source, query->offset);
}

Trail trail_copy(Arena *arena, const Trail *trail)
{
    Trail copy = {.analysis = trail->analysis, .source = trail->source};
    for (int64_t i = 0; i < trail->count; i++)
        *array_push(arena, &copy, AstNode) = trail->items[i];
    return copy;
}

Trail trail_above(const Trail *trail, int64_t at)
{
    Trail above = *trail;
    above.count = above.capacity = at;
    return above;
}

// ---- what is around

// Functions in blocks are declared when their block is come to.
Decl *analysis_function(Analysis *analysis, const AstItem *item)
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
Module *trail_scope(const Trail *trail)
{
    Lang *lang = trail->analysis->lang;
    Module *scope = analysis_module(trail->analysis, trail->source);
    int64_t said = lang->diags->count;
    for (int64_t i = 0; scope && i < trail->count; i++) {
        const AstNode *node = &trail->items[i];
        if (node->kind == NODE_BLOCK) {
            scope = module_of_block(lang, scope, node->block);
        } else if (node->kind == NODE_ITEM && node->item->kind == ITEM_MOD) {
            Module *inner = module_of_item(trail->analysis, node->item);
            scope = inner ? inner : scope;
        }
    }
    diag_forget(lang->diags, said); // the check says it
    return scope;
}

const AstItem *trail_item(const Trail *trail, int64_t at)
{
    bool is_item = at >= 0 && at < trail->count && trail->items[at].kind == NODE_ITEM;
    return is_item ? trail->items[at].item : NULL;
}

const AstExpr *trail_expr(const Trail *trail, int64_t at)
{
    return trail->items[at].kind == NODE_EXPR ? trail->items[at].expr : NULL;
}

int64_t trail_around(const Trail *trail, uint32_t kinds)
{
    int64_t at = trail->count - 1;
    while (at >= 0 && !(trail_item(trail, at) && kinds & 1U << trail->items[at].item->kind))
        at--;
    return at;
}

Decl *trail_type(const Trail *trail, int64_t at)
{
    const AstItem *item = trail->items[at].item;
    Trail outside = trail_above(trail, at);
    const Module *scope = trail_scope(&outside);
    Decl *decl = scope ? map_get(&scope->names[SPACE_TYPE], item->name.text) : NULL;
    return decl && decl->item == item ? decl : NULL;
}

// A function or constant with a body that a trait declares: of no impl, so that no list has it.
static Decl *member_of_trait(const Trail *trail, int64_t at)
{
    const AstItem *trait = trail_item(trail, at - 1);
    Decl *decl = trait && trait->kind == ITEM_TRAIT ? trail_type(trail, at - 1) : NULL;
    return decl ? trait_member(trail->analysis->lang, decl, trail->items[at].item->name.text)
                : NULL;
}

// The same of an impl block.
static Decl *member_of_impl(const Trail *trail, int64_t at)
{
    Lang *lang = trail->analysis->lang;
    const AstItem *item = trail_item(trail, at - 1);
    if (!item || item->kind != ITEM_IMPL || item->impl.type->kind != AST_TYPE_PATH)
        return NULL;
    Trail outside = trail_above(trail, at - 1);
    Module *scope = trail_scope(&outside);
    Decl *type = scope ? module_find(lang, scope, &item->impl.type->path, SPACE_TYPE) : NULL;
    sort_impls(lang);
    for (int64_t i = 0; type && i < type->impls.count; i++)
        if (type->impls.items[i]->item == item)
            return map_get(&type->impls.items[i]->members, trail->items[at].item->name.text);
    return NULL;
}

Decl *trail_declared(const Trail *trail, int64_t at, const char *name)
{
    const AstItem *item = trail->items[at].item;
    Decl *decl = analysis_function(trail->analysis, item);
    Trail outside = trail_above(trail, at);
    const Module *scope = decl ? NULL : trail_scope(&outside);
    for (Space space = 0; scope && !decl && space < SPACE_COUNT; space++) {
        Decl *named = map_get(&scope->names[space], name);
        decl = named && named->item == item ? named : NULL;
    }
    decl = decl ? decl : member_of_trait(trail, at);
    return decl ? decl : member_of_impl(trail, at);
}

Decl *trail_function(const Trail *trail)
{
    if (trail->count)
        trail_scope(trail); // declares what is in blocks
    for (int64_t i = trail->count - 1; i >= 0; i--) {
        const AstItem *item = trail_item(trail, i);
        if (!item || item->kind != ITEM_FN)
            continue;
        Decl *decl = analysis_function(trail->analysis, item);
        decl = decl ? decl : member_of_trait(trail, i);
        if (decl)
            return decl;
    }
    return NULL;
}

Decl *trail_generic(const Trail *trail)
{
    Decl *decl = trail_function(trail);
    for (int64_t i = trail->count - 1; i >= 0 && !decl; i--)
        if (trail_item(trail, i) && trail->items[i].item->name.text)
            decl = trail_type(trail, i);
    return decl;
}

// ---- bodies

bool body_has(const Body *body, const AstExpr *expr)
{
    return body && expr->id >= body->first_expr && expr->id < body->first_expr + body->expr_count;
}

// A generic one is looked at whatever its generics will be.
static Body *infer_alone(Lang *lang, Decl *decl)
{
    const Signature *signature = signature_of(lang, decl);
    Type **generics = arena_new(lang->arena, Type *, (size_t)signature->generic_count + 1);
    bool open = false;
    lang->reads_unfinished = true;
    Body *body = choose_generics(lang, signature, generics, &open)
                     ? infer_function(lang, decl, generics)
                     : infer_uncalled(lang, decl, generics);
    lang->reads_unfinished = false;
    return body;
}

const Body *analysis_body(Analysis *analysis, Decl *decl)
{
    Lang *lang = analysis->lang;
    const AstItem *item = decl->item;
    bool is_constant = item && item->kind == ITEM_CONST && item->constant.value;
    if (!is_constant && !(item && item->kind == ITEM_FN && item->function.body))
        return NULL;
    Body *body = map_get(&analysis->bodies, decl);
    if (body)
        return body;
    int64_t said = lang->diags->count;
    body = is_constant ? infer_constant(lang, decl, NULL) : infer_alone(lang, decl);
    diag_forget(lang->diags, said); // the check says it
    analysis->bodies.arena = lang->arena;
    map_put(&analysis->bodies, decl, body);
    return body;
}

const Body *trail_body(const Trail *trail)
{
    Decl *function = trail_function(trail);
    return function ? analysis_body(trail->analysis, function) : NULL;
}

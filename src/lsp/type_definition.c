// From a value to where its type is declared. The tensors of the language are declared nowhere:
// what says more about one is the alias that its type is written as, or else its axes.
#include "lsp/answers.h"
#include "lsp/describe.h"
#include "lsp/name.h"

#include "lang/types/signature.h"
#include "mapping/cell.h"

static bool is_type(const Decl *decl)
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
static const Decl *written_alias(Query *query, const Meaning *meaning)
{
    Span bound = meaning->local->name.span;
    Trail trail = trail_at(query->arena, query->analysis, bound.source, bound.start);
    const AstType *type = written_type(&trail, meaning->local);
    while (type && type->kind == AST_TYPE_REF)
        type = type->inner;
    Module *scope = analysis_scope(query->analysis, &trail, bound.source);
    const Decl *decl = scope && type && type->kind == AST_TYPE_PATH
                           ? module_find(query->analysis->lang, scope, &type->path, SPACE_TYPE)
                           : NULL;
    return decl && decl->kind == DECL_ALIAS && !decl->is_builtin ? decl : NULL;
}

// The declarations of the axes of a tensor; NULL: it is none.
static json_t *axes_of(Query *query, Type *type)
{
    Shape shape;
    AtomList axes = {0};
    Trail trail = trail_at(query->arena, query->analysis, query->source, query->offset);
    Module *scope = analysis_scope(query->analysis, &trail, query->source);
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
        const Decl *axis = generic_named(&trail, name)
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
    Trail trail = trail_at(query->arena, query->analysis, query->source, query->offset);
    Meaning meaning = meaning_of(query->analysis, &trail, query->source);
    if (meaning.kind == MEANS_DECL && is_type(meaning.decl))
        return query_location(query, meaning_declared(&meaning));
    const Decl *alias = meaning.kind == MEANS_LOCAL ? written_alias(query, &meaning) : NULL;
    if (alias)
        return query_location(query, alias->span);
    Type *type = meaning.type ? type_unboxed(type_strip(meaning.type)) : NULL;
    if (!type || type->kind != TYPE_NAMED)
        return NULL;
    return type->decl->is_builtin ? axes_of(query, type) : query_location(query, type->decl->span);
}

#include "lang/syntax/ast_visit.h"

#include "lang/syntax/format_text.h"

typedef struct {
    AstVisit *visit;
    void *own;
} Visitor;

static void send(const Visitor *to, AstNodeKind kind, Span span, const void *node)
{
    to->visit(to->own, (AstNode){.kind = kind, .span = span, .any = node});
}

// ---- children that may be missing

static void visit_expr(const Visitor *to, const AstExpr *expr)
{
    if (expr)
        send(to, NODE_EXPR, expr->span, expr);
}

static void visit_type(const Visitor *to, const AstType *type)
{
    if (type)
        send(to, NODE_TYPE, type->span, type);
}

static void visit_pattern(const Visitor *to, const AstPattern *pattern)
{
    if (pattern)
        send(to, NODE_PATTERN, pattern->span, pattern);
}

static void visit_block(const Visitor *to, const AstBlock *block)
{
    if (block)
        send(to, NODE_BLOCK, block->span, block);
}

static void visit_name(const Visitor *to, const AstName *name)
{
    if (name->text && name->span.end > name->span.start)
        send(to, NODE_NAME, name->span, name);
}

static void visit_path(const Visitor *to, const AstPath *path)
{
    if (path->segments.count || path->self)
        send(to, NODE_PATH, path->span, path);
}

static void visit_segment(const Visitor *to, const AstSegment *segment)
{
    Span span = segment->name.span;
    if (segment->has_args && segment->args_span.end > span.end)
        span.end = segment->args_span.end;
    send(to, NODE_SEGMENT, span, segment);
}

static void visit_exprs(const Visitor *to, const AstExprs *exprs)
{
    for (int64_t i = 0; i < exprs->count; i++)
        visit_expr(to, exprs->items[i]);
}

static void visit_types(const Visitor *to, const AstTypes *types)
{
    for (int64_t i = 0; i < types->count; i++)
        visit_type(to, types->items[i]);
}

static void visit_patterns(const Visitor *to, const AstPatterns *patterns)
{
    for (int64_t i = 0; i < patterns->count; i++)
        visit_pattern(to, patterns->items[i]);
}

static void visit_params(const Visitor *to, const AstParams *params)
{
    for (int64_t i = 0; i < params->count; i++) {
        visit_pattern(to, params->items[i].pattern);
        visit_type(to, params->items[i].type);
    }
}

static void visit_items(const Visitor *to, const AstItems *items)
{
    for (int64_t i = 0; i < items->count; i++)
        send(to, NODE_ITEM, items->items[i]->span, items->items[i]);
}

static Span span_of_field(const AstField *field)
{
    Span span = field->type ? field->type->span : field->name.span;
    if (field->name.text && field->name.span.end > field->name.span.start)
        span.start = field->name.span.start;
    return span;
}

static void visit_fields(const Visitor *to, const AstFields *fields)
{
    for (int64_t i = 0; i < fields->count; i++)
        send(to, NODE_FIELD, span_of_field(&fields->items[i]), &fields->items[i]);
}

// A name and what is said of it.
static Span span_until(Span span, Span last)
{
    span.end = last.source == span.source && last.end > span.end ? last.end : span.end;
    return span;
}

static Span span_of_generic(const AstGeneric *generic)
{
    Span span = generic->name.span;
    for (int64_t i = 0; i < generic->bounds.count; i++)
        span = span_until(span, generic->bounds.items[i]->span);
    if (generic->type)
        span = span_until(span, generic->type->span);
    if (generic->fallback)
        span = span_until(span, generic->fallback->span);
    return generic->value ? span_until(span, generic->value->span) : span;
}

static void visit_generics(const Visitor *to, const AstGenerics *generics)
{
    for (int64_t i = 0; i < generics->count; i++)
        send(to, NODE_GENERIC, span_of_generic(&generics->items[i]), &generics->items[i]);
}

static void visit_mapping(const Visitor *to, const AstMapping *mapping)
{
    if (mapping)
        send(to, NODE_MAPPING, mapping->span, mapping);
}

// ---- one function a kind of node

static void in_generic(const Visitor *to, const AstGeneric *generic)
{
    visit_name(to, &generic->name);
    visit_types(to, &generic->bounds);
    visit_type(to, generic->type);
    visit_type(to, generic->fallback);
    visit_expr(to, generic->value);
}

static void in_field(const Visitor *to, const AstField *field)
{
    visit_name(to, &field->name);
    visit_type(to, field->type);
}

static void in_variant(const Visitor *to, const AstVariant *variant)
{
    visit_name(to, &variant->name);
    visit_fields(to, &variant->fields);
    visit_expr(to, variant->value);
}

static void in_use(const Visitor *to, const AstUse *use)
{
    for (int64_t i = 0; i < use->path.count; i++)
        visit_name(to, &use->path.items[i]);
}

static void in_axes(const Visitor *to, const AstItem *item)
{
    for (int64_t i = 0; i < item->axes.names.count; i++) {
        visit_name(to, &item->axes.names.items[i]);
        if (i < item->axes.sizes.count)
            visit_expr(to, item->axes.sizes.items[i]);
    }
}

static void in_function(const Visitor *to, const AstItem *item)
{
    visit_params(to, &item->function.params);
    visit_type(to, item->function.result);
    visit_block(to, item->function.body);
}

static Span span_of_variant(const AstVariant *variant)
{
    Span span = variant->name.span;
    for (int64_t i = 0; i < variant->fields.count; i++)
        span = span_until(span, span_of_field(&variant->fields.items[i]));
    return variant->value ? span_until(span, variant->value->span) : span;
}

static void in_variants(const Visitor *to, const AstItem *item)
{
    for (int64_t i = 0; i < item->variants.count; i++)
        send(to, NODE_VARIANT, span_of_variant(&item->variants.items[i]), &item->variants.items[i]);
}

static void in_uses(const Visitor *to, const AstItem *item)
{
    for (int64_t i = 0; i < item->uses.count; i++)
        send(to, NODE_USE, item->uses.items[i].span, &item->uses.items[i]);
}

static void in_impl(const Visitor *to, const AstItem *item)
{
    visit_type(to, item->impl.trait);
    visit_type(to, item->impl.type);
    visit_types(to, &item->impl.bounds);
    visit_items(to, &item->impl.items);
}

static void in_item(const Visitor *to, const AstItem *item)
{
    if (item->kind != ITEM_USE)
        visit_name(to, &item->name);
    visit_generics(to, &item->generics);
    switch (item->kind) {
    case ITEM_USE:
        in_uses(to, item);
        break;
    case ITEM_MOD:
        visit_items(to, &item->module.items);
        break;
    case ITEM_FN:
        in_function(to, item);
        break;
    case ITEM_TYPE:
        visit_type(to, item->alias.type);
        break;
    case ITEM_AXES:
        in_axes(to, item);
        break;
    case ITEM_CONST:
        visit_type(to, item->constant.type);
        visit_expr(to, item->constant.value);
        break;
    case ITEM_STRUCT:
        visit_fields(to, &item->structure.fields);
        break;
    case ITEM_ENUM:
        in_variants(to, item);
        break;
    case ITEM_IMPL:
    case ITEM_TRAIT:
        in_impl(to, item);
        break;
    case ITEM_ERROR:
    case ITEM_EXTERN_CRATE:
    case ITEM_MACRO_RULES:
        break;
    }
}

static void in_block(const Visitor *to, const AstBlock *block)
{
    for (int64_t i = 0; i < block->statements.count; i++) {
        const AstStatement *statement = &block->statements.items[i];
        send(to, NODE_STATEMENT, statement->span, statement);
    }
    visit_expr(to, block->tail);
}

static void in_statement(const Visitor *to, const AstStatement *statement)
{
    visit_pattern(to, statement->pattern);
    visit_type(to, statement->type);
    visit_expr(to, statement->value);
    visit_block(to, statement->otherwise);
    if (statement->item)
        send(to, NODE_ITEM, statement->item->span, statement->item);
}

static void in_arm(const Visitor *to, const AstArm *arm)
{
    visit_pattern(to, arm->pattern);
    visit_expr(to, arm->guard);
    visit_expr(to, arm->body);
}

static void in_pattern(const Visitor *to, const AstPattern *pattern)
{
    if (pattern->kind == PATTERN_BIND)
        visit_name(to, &pattern->name);
    visit_path(to, &pattern->path);
    for (int64_t i = 0; i < pattern->fields.count; i++) {
        const AstPattern *item = i < pattern->items.count ? pattern->items.items[i] : NULL;
        bool is_short = item && item->span.start == pattern->fields.items[i].span.start;
        if (!is_short) // `x` of `S { x }` is the pattern, too
            visit_name(to, &pattern->fields.items[i]);
        visit_pattern(to, item);
    }
    if (!pattern->fields.count)
        visit_patterns(to, &pattern->items);
    visit_pattern(to, pattern->inner);
    visit_expr(to, pattern->low);
    visit_expr(to, pattern->high);
}

static void in_type(const Visitor *to, const AstType *type)
{
    visit_path(to, &type->path);
    visit_type(to, type->inner);
    visit_expr(to, type->length);
    visit_types(to, &type->items);
    visit_type(to, type->result);
    visit_mapping(to, type->mapping);
}

static void in_path(const Visitor *to, const AstPath *path)
{
    visit_type(to, path->self);
    visit_type(to, path->as_trait);
    for (int64_t i = 0; i < path->segments.count; i++)
        visit_segment(to, &path->segments.items[i]);
}

static void in_segment(const Visitor *to, const AstSegment *segment)
{
    for (int64_t i = 0; i < segment->args.count; i++) {
        visit_type(to, segment->args.items[i].type);
        visit_expr(to, segment->args.items[i].value);
    }
}

static void in_mapping(const Visitor *to, const AstMapping *mapping)
{
    visit_mapping(to, mapping->inner);
    visit_type(to, mapping->type);
    for (int64_t i = 0; i < mapping->items.count; i++)
        visit_mapping(to, mapping->items.items[i]);
}

// ---- expressions

static void in_closure(const Visitor *to, const AstExpr *expr)
{
    visit_params(to, &expr->closure.params);
    visit_type(to, expr->closure.result);
    visit_expr(to, expr->closure.body);
}

static void in_structure(const Visitor *to, const AstExpr *expr)
{
    visit_path(to, &expr->structure.path);
    for (int64_t i = 0; i < expr->structure.values.count; i++) {
        const AstExpr *value = expr->structure.values.items[i];
        if (i < expr->structure.names.count &&
            value->span.start != expr->structure.names.items[i].span.start)
            visit_name(to, &expr->structure.names.items[i]);
        visit_expr(to, value);
    }
    visit_expr(to, expr->structure.base);
}

static void in_macro(const Visitor *to, const AstExpr *expr)
{
    const AstExprs *args = &expr->macro.args;
    int64_t behind = expr->macro.format ? args->count - expr->macro.format->given : args->count;
    for (int64_t i = 0; i < behind; i++)
        visit_expr(to, args->items[i]);
    visit_exprs(to, &expr->macro.captured);
    for (int64_t i = behind; i < args->count; i++)
        visit_expr(to, args->items[i]);
}

static void in_indices(const Visitor *to, const AstExpr *expr)
{
    for (int64_t i = 0; i < expr->indices.keys.count; i++) {
        visit_mapping(to, expr->indices.keys.items[i]);
        if (i < expr->indices.values.count)
            visit_expr(to, expr->indices.values.items[i]);
    }
}

static void in_match(const Visitor *to, const AstExpr *expr)
{
    visit_expr(to, expr->match.inner);
    for (int64_t i = 0; i < expr->match.arms.count; i++)
        send(to, NODE_ARM, expr->match.arms.items[i].span, &expr->match.arms.items[i]);
}

static void in_method(const Visitor *to, const AstExpr *expr)
{
    visit_expr(to, expr->method.receiver);
    visit_segment(to, &expr->method.name);
    visit_exprs(to, &expr->method.args);
}

static void in_expr(const Visitor *to, const AstExpr *expr)
{
    switch (expr->kind) {
    case AST_LITERAL:
    case AST_CONTINUE:
        break;
    case AST_PATH:
        visit_path(to, &expr->path);
        break;
    case AST_UNARY:
        visit_expr(to, expr->unary.inner);
        break;
    case AST_BINARY:
    case AST_ASSIGN:
        visit_expr(to, expr->binary.left);
        visit_expr(to, expr->binary.right);
        break;
    case AST_CAST:
        visit_expr(to, expr->cast.inner);
        visit_type(to, expr->cast.type);
        break;
    case AST_CALL:
        visit_expr(to, expr->call.callee);
        visit_exprs(to, &expr->call.args);
        break;
    case AST_METHOD:
        in_method(to, expr);
        break;
    case AST_FIELD:
        visit_expr(to, expr->field.inner);
        visit_name(to, &expr->field.name);
        break;
    case AST_INDEX:
        visit_expr(to, expr->index.inner);
        visit_expr(to, expr->index.index);
        break;
    case AST_RANGE:
        visit_expr(to, expr->range.low);
        visit_expr(to, expr->range.high);
        break;
    case AST_TUPLE:
    case AST_ARRAY:
        visit_exprs(to, &expr->items);
        break;
    case AST_REPEAT:
        visit_expr(to, expr->repeat.value);
        visit_expr(to, expr->repeat.count);
        break;
    case AST_ERROR:
    case AST_PAREN:
    case AST_RETURN:
    case AST_AWAIT:
    case AST_TRY:
        visit_expr(to, expr->inner);
        break;
    case AST_BREAK:
        visit_expr(to, expr->jump.inner);
        break;
    case AST_BLOCK:
        visit_block(to, expr->block.body);
        break;
    case AST_IF:
        visit_expr(to, expr->branch.condition);
        visit_block(to, expr->branch.then);
        visit_expr(to, expr->branch.otherwise);
        break;
    case AST_LET:
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
        visit_pattern(to, expr->loop.pattern);
        visit_expr(to, expr->loop.inner);
        visit_block(to, expr->loop.body);
        break;
    case AST_MATCH:
        in_match(to, expr);
        break;
    case AST_CLOSURE:
        in_closure(to, expr);
        break;
    case AST_STRUCT:
        in_structure(to, expr);
        break;
    case AST_MACRO:
        in_macro(to, expr);
        break;
    case AST_INDEX_MACRO:
        in_indices(to, expr);
        break;
    }
}

void ast_children(AstNode node, AstVisit *visit, void *own)
{
    const Visitor visitor = {visit, own}, *to = &visitor;
    switch (node.kind) {
    case NODE_ITEM:
        in_item(to, node.item);
        break;
    case NODE_GENERIC:
        in_generic(to, node.generic);
        break;
    case NODE_FIELD:
        in_field(to, node.field);
        break;
    case NODE_VARIANT:
        in_variant(to, node.variant);
        break;
    case NODE_USE:
        in_use(to, node.use);
        break;
    case NODE_BLOCK:
        in_block(to, node.block);
        break;
    case NODE_STATEMENT:
        in_statement(to, node.statement);
        break;
    case NODE_EXPR:
        in_expr(to, node.expr);
        break;
    case NODE_ARM:
        in_arm(to, node.arm);
        break;
    case NODE_PATTERN:
        in_pattern(to, node.pattern);
        break;
    case NODE_TYPE:
        in_type(to, node.type);
        break;
    case NODE_PATH:
        in_path(to, node.path);
        break;
    case NODE_SEGMENT:
        in_segment(to, node.segment);
        break;
    case NODE_MAPPING:
        in_mapping(to, node.mapping);
        break;
    case NODE_NAME:
        break;
    }
}

AstNode ast_node_of_item(const AstItem *item)
{
    return (AstNode){.kind = NODE_ITEM, .span = item->span, .item = item};
}

AstNode ast_node_of_expr(const AstExpr *expr)
{
    return (AstNode){.kind = NODE_EXPR, .span = expr->span, .expr = expr};
}

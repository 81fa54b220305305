// What a value or a type has: fields, methods, functions, variants. Of a stream only the stages
// that may come next, of the Vector Engine only what has a free ALU.
#include "lsp/answer/answers.h"
#include "lsp/complete/complete.h"
#include "lsp/program/analysis.h"

#include "base/checked.h"
#include "engine/vector/vector.h"
#include "lang/eval/trace_internal.h"
#include "lang/types/signature.h"

#include <string.h>

// ---- the receiver

static const AstExpr *receiver_in(const AstExpr *expr, int64_t dot)
{
    const AstExpr *inner = expr->kind == AST_FIELD    ? expr->field.inner
                           : expr->kind == AST_METHOD ? expr->method.receiver
                           : expr->kind == AST_AWAIT  ? expr->inner
                                                      : NULL;
    return inner && inner->span.end <= dot && expr->span.end > dot ? inner : NULL;
}

// Between two dots: what is read as the begin of a range, or the last operand in it.
static const AstExpr *low_in(const AstExpr *expr, int64_t dot)
{
    const AstExpr *low = expr->kind == AST_RANGE ? expr->range.low : NULL;
    if (!low || low->span.end > dot || expr->span.end <= dot)
        return NULL;
    while (low->kind == AST_BINARY || low->kind == AST_UNARY)
        low = low->kind == AST_BINARY ? low->binary.right : low->unary.inner;
    return low;
}

// What stands before the dot that the cursor is behind; NULL: the parser lost it.
static const AstExpr *receiver_of(Completion *completion)
{
    const Query *query = completion->query;
    int64_t dot = cursor_offset(&completion->cursor, completion->cursor.before - 1);
    Trail trail = trail_at(completion->arena, query->analysis, query->source, dot);
    const AstExpr *best = NULL;
    for (int64_t i = trail.count - 1; i >= 0 && !best; i--) {
        const AstExpr *expr = trail_expr(&trail, i);
        best = expr ? receiver_in(expr, dot) : NULL;
        best = expr && !best ? low_in(expr, dot) : best;
    }
    return best;
}

Type *type_in_body(const Completion *completion, const AstExpr *expr)
{
    const Body *body = completion->body;
    bool is_known = expr && body_has(body, expr);
    Type *type = is_known ? body->types[expr->id - body->first_expr] : NULL;
    return type ? type_of(type) : NULL;
}

// ---- which methods

// A stage that the stream does not come to from here.
static bool is_out_of_place(const CallSource *source, Type *receiver, Decl *decl)
{
    Stage stream;
    StageKind kind = decl->is_builtin ? stage_of_method(decl->name) : STAGE_COUNT;
    if (kind == STAGE_COUNT || !stream_of_type(type_strip(receiver), &stream))
        return false;
    bool unfetched = stream.position == POSITION_BEGIN && kind != STAGE_FETCH;
    return unfetched || !(stages[kind].from & 1U << stream.position) ||
           !vector_may_follow(&stream, kind) || !stage_is_possible(source, kind);
}

// A stage in its plain form comes before what only calls it in another way.
static bool is_variation(Decl *decl)
{
    StageKind kind = decl->is_builtin ? stage_of_method(decl->name) : STAGE_COUNT;
    return kind == STAGE_COMMIT_VIEW ||
           (kind != STAGE_COUNT && strcmp(decl->name, stages[kind].method) != 0);
}

static Item method_item(Completion *completion, Decl *decl, int rank)
{
    return (Item){.label = decl->name,
                  .kind = KIND_METHOD,
                  .rank = rank + is_variation(decl),
                  .detail = decl_text(completion->arena, completion->lang, decl),
                  .docs = decl_docs(decl)};
}

// One for each topology that makes something of the stream, the first under the name alone.
static void add_switches(Completion *completion, Decl *decl, const CallSource *source, int rank)
{
    bool any = false;
    for (SwitchKind kind = 0; kind < SWITCH_COUNT; kind++) {
        Item item = method_item(completion, decl, rank);
        item.snippet = switch_snippet(completion, source, kind);
        if (!item.snippet.len)
            continue;
        if (any)
            item.label =
                str_terminated(completion->arena, str_format(completion->arena, "{} {}", decl->name,
                                                             switches[kind].name));
        any = true;
        complete_add(completion, &item);
    }
}

static void add_method(Completion *completion, Decl *decl, Type *receiver, int rank)
{
    CallSource source = call_source(completion, completion->receiver, receiver);
    if (is_out_of_place(&source, receiver, decl) ||
        (decl->is_builtin && tile_is_empty(&source, decl->name)))
        return;
    if (decl->is_builtin && stage_of_method(decl->name) == STAGE_SWITCH)
        add_switches(completion, decl, &source, rank);
    Item item = method_item(completion, decl, rank);
    item.snippet = call_snippet(completion, decl, &source);
    complete_add(completion, &item);
}

// ---- what traits give to any type

// A method that is there for all types, the trait that it needs, and what an impl of that has.
static const struct {
    const char *method, *trait, *member;
} given[] = {
    {"clone", "Clone", "clone"},
    {"clone_from", "Clone", "clone"},
    {"to_owned", "Clone", "clone"},
    {"to_string", "Display", "fmt"},
    {"fmt", "Debug", "fmt"},
    {"hash", "Hash", "hash"},
    {"eq", "PartialEq", "eq"},
    {"ne", "PartialEq", "eq"},
    {"lt", "PartialOrd", "partial_cmp"},
    {"le", "PartialOrd", "partial_cmp"},
    {"gt", "PartialOrd", "partial_cmp"},
    {"ge", "PartialOrd", "partial_cmp"},
    {"partial_cmp", "PartialOrd", "partial_cmp"},
    {"cmp", "Ord", "cmp"},
    {"min", "Ord", "cmp"},
    {"max", "Ord", "cmp"},
    {"clamp", "Ord", "cmp"},
};

static bool has_word(Str text, Str word)
{
    for (int64_t at = 0; at < text.len;) {
        int64_t end = at;
        while (end < text.len && text.data[end] != ',')
            end++;
        if (str_equal(str_trim(str_slice(text, at, end)), word))
            return true;
        at = end + 1;
    }
    return false;
}

static bool derives(Decl *decl, Str trait)
{
    const AstAttributes *attributes = &decl->item->attributes;
    for (int64_t i = 0; i < attributes->count; i++)
        if (strcmp(attributes->items[i].name, "derive") == 0 &&
            has_word(attributes->items[i].args, trait))
            return true;
    return false;
}

static bool implements(Lang *lang, Decl *decl, const char *trait, const char *member)
{
    for (int64_t i = 0; i < decl->impls.count; i++)
        if (decl->impls.items[i]->is_trait && impl_member(lang, decl->impls.items[i], member))
            return true;
    return derives(decl, str_from(trait));
}

// Of types of the program and of the device it is known what they implement; others do it all.
static bool is_not_given(const Completion *completion, Decl *method, const Type *type)
{
    Decl *decl = type->kind == TYPE_NAMED ? type->decl : NULL;
    if (!decl || !decl->item || (decl->kind != DECL_STRUCT && decl->kind != DECL_ENUM) ||
        method->impl->self->kind != TYPE_PARAM)
        return false;
    bool of_device = decl->kind == DECL_STRUCT && decl_is_of_device(completion->lang, decl);
    if (decl->is_builtin && !of_device)
        return false;
    for (size_t i = 0; i < COUNT_OF(given); i++)
        if (strcmp(given[i].method, method->name) == 0)
            return of_device ||
                   !implements(completion->lang, decl, lang_name(completion->lang, given[i].trait),
                               lang_name(completion->lang, given[i].member));
    return false;
}

static void add_methods(Completion *completion, const Impl *impl, Type *receiver, int rank)
{
    const AstItems *items = impl_items(completion->lang, impl);
    for (int64_t i = 0; i < items->count; i++) {
        Decl *decl = impl_member(completion->lang, impl, items->items[i]->name.text);
        if (decl && decl->kind == DECL_FN && decl->item->kind == ITEM_FN &&
            decl->item->function.self != SELF_NONE && !is_not_given(completion, decl, receiver))
            add_method(completion, decl, receiver, rank);
    }
}

static void add_impls(Completion *completion, const Impls *impls, Type *type, int rank)
{
    for (int64_t i = 0; impls && i < impls->count; i++)
        if (impl_is_for(completion->lang, impls->items[i], type))
            add_methods(completion, impls->items[i], type, rank);
}

static PrimClass class_of_decl(Decl *decl)
{
    return decl->kind == DECL_PRIM ? prims[decl->prim].class : PRIM_OTHER;
}

// What all numbers of a kind have; NULL: it is none of numbers.
static const Impls *impls_of_class(const Lang *lang, PrimClass class)
{
    bool integer = class == PRIM_INT || class == PRIM_UINT;
    return integer ? &lang->blanket_int : class == PRIM_FLOAT ? &lang->blanket_float : NULL;
}

static const Impls *numeric_impls(const Lang *lang, const Type *type)
{
    PrimClass class = type->kind == TYPE_NAMED ? class_of_decl(type->decl) : PRIM_OTHER;
    if (type->kind == TYPE_VAR && (type->class == VAR_INT || type->class == VAR_FLOAT))
        class = type->class == VAR_INT ? PRIM_INT : PRIM_FLOAT;
    return impls_of_class(lang, class);
}

// ---- fields

static void add_fields(Completion *completion, Type *type)
{
    Decl *decl = type->kind == TYPE_NAMED ? type->decl : NULL;
    const AstFields *fields = decl_fields(decl);
    for (int64_t i = 0; fields && i < fields->count; i++) {
        const AstField *field = &fields->items[i];
        if (!module_sees(completion->scope, decl->scope, &field->visibility))
            continue;
        Type *of = field_type(completion->lang, type, field->name.text);
        complete_add(completion,
                     &(Item){.label = field->name.text,
                             .kind = KIND_FIELD,
                             .rank = 0,
                             .detail = of ? type_text(completion->arena, of) : STR("")});
    }
    for (int32_t i = 0; type->kind == TYPE_TUPLE && i < type->arg_count; i++)
        complete_add(completion,
                     &(Item){.label = str_terminated(completion->arena,
                                                     str_format(completion->arena, "{}", i)),
                             .kind = KIND_FIELD,
                             .detail = type_text(completion->arena, type->args[i])});
}

static void add_bounds(Completion *completion, Type *type)
{
    const AstTypes *bounds =
        type->kind == TYPE_PARAM && type->generic ? &type->generic->bounds : NULL;
    for (int64_t i = 0; bounds && i < bounds->count && completion->scope; i++) {
        const AstType *bound = bounds->items[i];
        Decl *trait =
            bound->kind == AST_TYPE_PATH
                ? module_find(completion->lang, completion->scope, &bound->path, SPACE_TYPE)
                : NULL;
        if (trait && trait->kind == DECL_TRAIT)
            add_methods(completion, trait_impl(completion->lang, trait), type, 1);
    }
}

void complete_members(Completion *completion)
{
    Lang *lang = completion->lang;
    const AstExpr *receiver = receiver_of(completion);
    Type *type = type_in_body(completion, receiver);
    if (!type || type->kind == TYPE_ERROR)
        return;
    completion->receiver = receiver;
    completion->taken = taken_alus(completion, receiver);
    sort_impls(lang);
    if (type_has_role(type, ROLE_FUTURE))
        complete_add(completion, &(Item){.label = "await", .kind = KIND_KEYWORD, .rank = 0});
    Type *at = type;
    for (int32_t i = 0; at && i < MOST_DEREFS; i++, at = type_deref(lang, at)) {
        int rank = i < 3 ? i + 1 : 4;
        add_fields(completion, at);
        add_impls(completion, type_impls(lang, at), at, rank);
        add_impls(completion, numeric_impls(lang, at), at, rank);
        add_bounds(completion, at);
        if (at->kind == TYPE_IMPL && at->decl)
            add_methods(completion, trait_impl(lang, at->decl), at, rank);
    }
    bool tensor = type_strip(type)->kind == TYPE_NAMED && type_strip(type)->decl->is_builtin &&
                  strstr(type_strip(type)->decl->name, "Tensor");
    if (!tensor)
        add_impls(completion, &lang->blanket_any, type_strip(type), 6);
}

// ---- functions of a type

// Functions and constants, but no methods.
static void add_associated(Completion *completion, const Impls *impls)
{
    for (int64_t i = 0; impls && i < impls->count; i++) {
        const AstItems *items = impl_items(completion->lang, impls->items[i]);
        for (int64_t k = 0; k < items->count; k++) {
            Decl *member =
                impl_member(completion->lang, impls->items[i], items->items[k]->name.text);
            bool method = member && member->item && member->item->kind == ITEM_FN &&
                          member->item->function.self != SELF_NONE;
            if (member && !method &&
                module_sees(completion->scope, impls->items[i]->scope, member->visibility))
                complete_decl(completion, member->name, member, 2);
        }
    }
}

void complete_of_mapping(Completion *completion)
{
    sort_impls(completion->lang);
    add_associated(completion, &completion->lang->of_mapping);
}

void complete_associated(Completion *completion, Decl *decl)
{
    Lang *lang = completion->lang;
    bool mapping = decl->kind == DECL_AXIS || decl->kind == DECL_ALIAS;
    sort_impls(lang);
    if (decl->kind == DECL_ALIAS) { // of the type it stands for
        const Type *type = alias_type(lang, decl);
        mapping = type->kind == TYPE_MAPPING || type->kind == TYPE_OPEN;
        decl = type->kind == TYPE_NAMED ? type->decl : decl;
    }
    add_associated(completion, mapping ? &lang->of_mapping : &decl->impls);
    add_associated(completion, impls_of_class(lang, class_of_decl(decl)));
}

// ---- operators of the Vector Engine

static VectorFamily family_named(const char *name)
{
    for (VectorFamily i = 0; i < FAMILY_COUNT; i++)
        if (strcmp(vector_families[i].name, name) == 0)
            return i;
    return FAMILY_COUNT;
}

// `FpMulAlu::Mul0` is the ALU FpMul0.
static VectorAlu alu_of_name(const char *name)
{
    for (VectorAlu alu = ALU_NONE + 1; alu < ALU_COUNT; alu++)
        if (strcmp(vector_alu_names[alu] + 2, name) == 0)
            return alu;
    return ALU_NONE;
}

static Decl *variant_of(const Completion *completion, const AstExpr *expr)
{
    const Body *body = completion->body;
    if (!type_in_body(completion, expr))
        return NULL;
    const Use *use = body_use(body, expr);
    return use && use->kind == USE_DECL && use->decl->kind == DECL_VARIANT ? use->decl : NULL;
}

// The operator that a variant is; VECTOR_OP_COUNT: none.
static VectorOp op_of_variant(Decl *variant)
{
    VectorFamily family = family_named(variant->parent->name);
    return family == FAMILY_COUNT ? VECTOR_OP_COUNT
                                  : vector_op_find(family, str_from(variant->name));
}

// The ALU of an operator as it is written; ALU_NONE: it is none, or needs none.
static VectorAlu alu_of_expr(const Completion *completion, const AstExpr *expr)
{
    const AstExpr *name = expr->kind == AST_CALL ? expr->call.callee : expr;
    Decl *variant = variant_of(completion, name);
    VectorOp op = variant ? op_of_variant(variant) : VECTOR_OP_COUNT;
    if (op == VECTOR_OP_COUNT)
        return ALU_NONE;
    bool names = vector_ops[op].alu == ALU_NONE && expr->kind == AST_CALL && expr->call.args.count;
    Decl *alu = names ? variant_of(completion, expr->call.args.items[0]) : NULL;
    return alu ? alu_of_name(alu->name) : vector_ops[op].alu;
}

// A `let` that binds the variable, in the blocks around the cursor.
static const AstExpr *value_of_local(const Completion *completion, int32_t slot)
{
    for (int64_t i = completion->trail.count - 1; i >= 0; i--) {
        const AstNode *node = &completion->trail.items[i];
        for (int64_t k = 0; node->kind == NODE_BLOCK && k < node->block->statements.count; k++) {
            const AstStatement *statement = &node->block->statements.items[k];
            if (statement->kind == STATEMENT_LET && statement->value &&
                (intptr_t)map_get(&completion->body->slots, statement->pattern) == slot + 1)
                return statement->value;
        }
    }
    return NULL;
}

const AstExpr *before_in_chain(const Completion *completion, const AstExpr *expr)
{
    if (expr->kind == AST_METHOD)
        return expr->method.receiver;
    if (expr->kind != AST_PATH || !type_in_body(completion, expr))
        return NULL;
    const Use *use = body_use(completion->body, expr);
    return use && use->kind == USE_LOCAL ? value_of_local(completion, use->slot) : NULL;
}

static bool starts_afresh(StageKind kind)
{
    return kind == STAGE_VECTOR_BRANCH || kind == STAGE_VECTOR_UNZIP ||
           kind == STAGE_VECTOR_INTER_REDUCE;
}

uint32_t taken_alus(const Completion *completion, const AstExpr *stream)
{
    enum { MOST_LINKS = 200 };
    uint32_t taken = 0;
    for (int i = 0; stream && i < MOST_LINKS; i++, stream = before_in_chain(completion, stream)) {
        if (stream->kind != AST_METHOD)
            continue;
        if (starts_afresh(stage_of_method(stream->method.name.name.text)))
            break;
        for (int64_t k = 0; k < stream->method.args.count; k++)
            taken |= 1U << alu_of_expr(completion, stream->method.args.items[k]);
    }
    return taken & ~(1U << ALU_NONE);
}

bool is_taken(const Completion *completion, Decl *variant)
{
    if (!variant->parent->is_builtin)
        return false; // nor is bit ALU_NONE ever set
    VectorOp op = op_of_variant(variant);
    VectorAlu alu = op < VECTOR_OP_COUNT                             ? vector_ops[op].alu
                    : strcmp(variant->parent->name, "FpMulAlu") == 0 ? alu_of_name(variant->name)
                                                                     : ALU_NONE;
    return completion->taken & 1U << alu;
}

void complete_variants(Completion *completion, Decl *decl)
{
    for (int64_t i = 0; decl->item && i < decl->item->variants.count; i++) {
        Decl *variant = enum_variant(decl, decl->item->variants.items[i].name.text);
        if (variant && !is_taken(completion, variant))
            complete_decl(completion, variant->name, variant, 0);
    }
}
